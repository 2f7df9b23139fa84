/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The rows that kernels of slope, normals and hillshade get. */

#ifndef TERRAIN_ANALYZE_STENCIL_KERNELS_H
#define TERRAIN_ANALYZE_STENCIL_KERNELS_H

#include <stddef.h>

/* Kernels get at least so many cells: the last vector of a row ends with the row, and does some
 * cells again. No less than VEC_LANES at any level. */
enum { TERRAIN__STENCIL_LEAST = 16 };

enum { TERRAIN__STENCIL_OUTPUTS = 3 };

/* Earlier results that go past the caches while there is something to do, vector by vector: of each
 * output as many cells, in whole cache lines. */
struct terrain__stencil_late {
    const float *from[TERRAIN__STENCIL_OUTPUTS];
    float *to[TERRAIN__STENCIL_OUTPUTS]; /* NULL: not wanted */
    size_t count;
};

/* A run of cells of one row, in the row above, the row itself and the row below. Each pointer is at
 * the western neighbour of the run's first cell: cell i has its neighbours at i, i + 1 and i +
 * 2. */
struct terrain__stencil {
    const float *north;
    const float *here;
    const float *south;
    /* What is read later, as many cells: asked for while there is something to do. Results but
     * bytes then go past the caches, and are whole lines of them. NULL: neither. */
    const float *soon;
    /* Instead of the run's own results; NULL: none. What lies beyond the run stays to be done. */
    const struct terrain__stencil_late *late;
};

#endif
