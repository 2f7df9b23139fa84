/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The rows that kernels of slope, normals and hillshade get, and the gradient that they share: Horn's,
 * eight times the cell size times the slope eastwards and southwards. Differences come first, so that
 * large heights lose nothing; flips and turns of the map give the same bits, turned.
 *
 * Vectors by hand: clang carries a plain loop's loads from cell to cell and then can't vectorise it.
 *
 * Berthold K. P. Horn: Hill Shading and the Reflectance Map. Proceedings of the IEEE 69 (1), 1981. */

#ifndef TERRAIN_ANALYZE_STENCIL_KERNELS_H
#define TERRAIN_ANALYZE_STENCIL_KERNELS_H

#include <stddef.h>

/* Kernels get at least so many cells: the last vector of a row ends with the row, and does some
 * cells again. No less than VEC_LANES at any level. */
enum { TERRAIN__STENCIL_LEAST = 16 };

/* A run of cells of one row, in the row above, the row itself and the row below. Each pointer is at the
 * western neighbour of the run's first cell: cell i has its neighbours at i, i + 1 and i + 2. */
struct terrain__stencil {
    const float *north;
    const float *here;
    const float *south;
};

#ifdef TERRAIN_CORE_VEC_H

static inline vfloat stencil_east(const struct terrain__stencil *cells, size_t i)
{
    vfloat north = vf_load(cells->north + i + 2) - vf_load(cells->north + i);
    vfloat here = vf_load(cells->here + i + 2) - vf_load(cells->here + i);
    vfloat south = vf_load(cells->south + i + 2) - vf_load(cells->south + i);
    return (north + south) + (here + here);
}

static inline vfloat stencil_down(const struct terrain__stencil *cells, size_t i)
{
    vfloat west = vf_load(cells->south + i) - vf_load(cells->north + i);
    vfloat here = vf_load(cells->south + i + 1) - vf_load(cells->north + i + 1);
    vfloat east = vf_load(cells->south + i + 2) - vf_load(cells->north + i + 2);
    return (west + east) + (here + here);
}

/* The place of the vector after the one at i; not below count after the last. */
static inline size_t stencil_next(size_t i, size_t count)
{
    size_t next = i + VEC_LANES;
    return next < count && next + VEC_LANES > count ? count - VEC_LANES : next;
}

#endif

#endif
