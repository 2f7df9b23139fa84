/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Strips of columns that each blur their part of the map in place, from top to bottom, need what was
 * in their neighbours' columns: `reach` cells on both sides of each seam are saved beforehand, for
 * each row. */

#ifndef TERRAIN_BLUR_STRIPS_H
#define TERRAIN_BLUR_STRIPS_H

#include "core/operation.h"
#include "rows/border.h"

struct terrain__strips {
    terrain__bands bands; /* of columns */
    uint32_t reach;
    terrain_border border;
    terrain__plane saved; /* for each row of the map 2 reach cells at each seam */
};

/* In prepare, where there is more than one strip. */
void terrain__strips_prepare(terrain__call *call, struct terrain__strips *strips);

/* Saves what rows begin to end - 1 of the map have around the seams. */
void terrain__strips_save(const terrain__call *call, const struct terrain__strips *strips,
                          uint32_t begin, uint32_t end);

/* Where they are for row y of the map, before strip `index` (side 0) or after it (1): rows lie
 * saved.stride apart. NULL where nothing is saved, at the map's own edges. */
const float *terrain__strips_saved(const struct terrain__strips *strips, uint32_t index, uint32_t y,
                                   uint32_t side);

/* The `reach` cells of row y of the map before strip `index` (side 0) or after it (1): what was
 * saved, or what the border makes of `row`, which is that row or a copy. */
void terrain__strips_side(const terrain__call *call, const struct terrain__strips *strips,
                          uint32_t index, uint32_t y, const float *row, uint32_t side,
                          float *cells);

#endif
