/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Numbers to compare landscapes by, made ones and real ones. */

#ifndef TERRAIN_TOOL_MEASURE_H
#define TERRAIN_TOOL_MEASURE_H

#include <terrain/terrain.h>

enum { MEASURE_MOST = 48 };

/* One number with its name. */
typedef struct measure_number {
    const char *name;
    double value;
    const char *real; /* what windows of real land measure, or "" */
    const char *meaning;
} measure_number;

typedef struct measure_numbers {
    measure_number items[MEASURE_MOST];
    int count;
} measure_numbers;

/* Cells that are not finite are left out where one can, and count as 0 in the spectrum. */
terrain_status measure_map(terrain_context *context, const terrain_heightmap *map,
                           measure_numbers *numbers);

#endif
