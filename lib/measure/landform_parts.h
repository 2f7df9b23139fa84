/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The parts of terrain_landform_measure. */

#ifndef TERRAIN_MEASURE_LANDFORM_PARTS_H
#define TERRAIN_MEASURE_LANDFORM_PARTS_H

#include <stdbool.h>

#include "base/float_environment.h"
#include "base/memory.h"
#include "terrain/landform.h"

/* A map as the parts see it: heights divided by the cell size, NaN where they are not finite, row
 * after row without a gap. */
typedef struct terrain__ground {
    terrain_context *context;
    terrain__float_environment *host;
    terrain__arena *arena;
    double *heights;
    uint32_t width;
    uint32_t height;
} terrain__ground;

/* Polls the host, with the share of the whole call that is done. */
bool terrain__ground_goes_on(const terrain__ground *ground, double fraction);

/* Each fills its figures. Errors: MEMORY, CANCELLED. */

/* undrained, trunk, concavity, hack */
terrain_status terrain__landform_drainage(const terrain__ground *ground, terrain_landform *land);
/* axis */
terrain_status terrain__landform_axis(const terrain__ground *ground, terrain_landform *land);
/* forms */
terrain_status terrain__landform_forms(const terrain__ground *ground, terrain_landform *land);

/* The value that index n has once they are sorted from the lowest to the highest; it moves them. */
double terrain__landform_select(double *values, size_t count, size_t n);

/* y = slope * x + …, by least squares; the slope, NaN if all x are one. */
typedef struct terrain__line {
    double count, x, y, xx, xy;
} terrain__line;
void terrain__line_add(terrain__line *line, double x, double y);
double terrain__line_slope(const terrain__line *line);

#endif
