/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The gradient that slope, normals and hillshade share, for their kernels: Horn's, eight times the
 * cell size times the slope eastwards and southwards. Differences come first, so that large heights
 * lose nothing; flips and turns of the map give the same bits, turned.
 *
 * Vectors by hand: clang carries a plain loop's loads from cell to cell and then can't vectorise
 * it.
 *
 * Berthold K. P. Horn: Hill Shading and the Reflectance Map. Proceedings of the IEEE 69 (1),
 * 1981. */

#ifndef TERRAIN_ANALYZE_STENCIL_VEC_H
#define TERRAIN_ANALYZE_STENCIL_VEC_H

#include "analyze/stencil_kernels.h"
#include "core/vec.h"

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
