/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Statistics of the bands of a map: each task fills a part, and the parts are added in the end. */

#ifndef TERRAIN_MEASURE_STATISTICS_PARTS_H
#define TERRAIN_MEASURE_STATISTICS_PARTS_H

#include "terrain/statistics.h"

/* With the context's allocator; NULL: no memory. The caller has entered the context. */
terrain_statistics *terrain__statistics_new(terrain_context *context);

/* Bytes of a part. */
size_t terrain__statistics_size(void);
/* Part number `index` of an array of them, without cells and without a histogram. */
terrain_statistics *terrain__statistics_part(void *parts, uint32_t index,
                                             const terrain_statistics *whole);
void terrain__statistics_add_cells(terrain_statistics *statistics, const float *cells,
                                   uint32_t width);
/* Adds the parts; `into`'s histogram stays as it is. */
void terrain__statistics_add_parts(terrain_statistics *into, const void *parts, uint32_t count);

#endif
