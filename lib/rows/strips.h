/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Strips of columns: each works on its part of the map in place, from top to bottom, and reads up
 * to `reach` cells of its neighbours' columns as they were before the pass. These are saved
 * beforehand:
 *
 *     strip 0          | strip 1          | strip 2
 *     . . . . . . . ~ ~|~ ~ . . . . . ~ ~ |~ ~ . . . . .     ~: `reach` cells on both sides of each
 *     . . . . . . . ~ ~|~ ~ . . . . . ~ ~ |~ ~ . . . . .        seam, saved for every row
 */

#ifndef TERRAIN_ROWS_STRIPS_H
#define TERRAIN_ROWS_STRIPS_H

#include "core/operation.h"
#include "rows/border.h"

/* Seam s lies before strip s. */
typedef struct terrain__strips {
    terrain__bands bands; /* of columns */
    uint32_t reach;
    terrain_border border;
    terrain__plane saved; /* for each row of the map 2 reach cells at each seam */
} terrain__strips;

/* In prepare, from bands, reach and border. */
void terrain__strips_prepare(terrain__call *call, terrain__strips *strips);

/* A pass that saves the cells around all seams; none if there is one strip. */
terrain_status terrain__strips_save(terrain__call *call, const terrain__strips *strips);

/* For terrain__expect_passes: how many passes terrain__strips_save makes. */
static inline uint32_t terrain__strips_passes(const terrain__strips *strips)
{
    return strips->bands.count > 1 ? 1 : 0;
}

/* Where the cells of row y of the map before strip `index` (side 0) or after it (1) are saved: rows
 * lie saved.stride apart. NULL at the map's own edges, where nothing is saved. */
const float *terrain__strips_saved(const terrain__strips *strips, uint32_t index, uint32_t y,
                                   uint32_t side);

/* Copies the `reach` cells before (side 0) or after a strip's part of `row`, which is row y of the
 * map or a copy of it. */
void terrain__strips_beside(const terrain__call *call, const terrain__strips *strips,
                            uint32_t index, uint32_t y, const float *row, uint32_t side,
                            float *cells);

/* Copies a strip's part of `row`, which is row y of the map or a copy of it, with `reach` cells
 * more on both sides. The strip's part of `soon` is fetched meanwhile; or that is NULL. */
void terrain__strips_row(const terrain__call *call, const terrain__strips *strips, uint32_t index,
                         uint32_t y, const float *row, const float *soon, float *cells);

#endif
