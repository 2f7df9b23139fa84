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

#include <stdbool.h>

#include "analyze/stencil_kernels.h"
#include "base/cache.h"
#include "vector/vec.h"

struct stencil_gradient {
    vfloat east, down;
};

/* The differences along the two diagonals make both sums: four differences instead of six. */
static inline struct stencil_gradient stencil_gradient_at(const struct terrain__stencil *cells,
                                                          size_t i)
{
    vfloat falling = vf_load(cells->south + i + 2) - vf_load(cells->north + i);
    vfloat rising = vf_load(cells->north + i + 2) - vf_load(cells->south + i);
    vfloat across = vf_load(cells->here + i + 2) - vf_load(cells->here + i);
    vfloat along = vf_load(cells->south + i + 1) - vf_load(cells->north + i + 1);
    struct stencil_gradient gradient = {(falling + rising) + (across + across),
                                        (falling - rising) + (along + along)};
    return gradient;
}

/* What a kernel keeps for a vector of cells between computing their gradient and their result. A
 * finish reads only what its begin has set. */
struct stencil_lanes {
    vfloat east, down; /* the gradient */
    vfloat square;     /* of its length, scaled or not */
    vfloat shade;      /* hillshade: the surface's share in the direction of the light */
};

typedef struct stencil_lanes stencil_begin(const struct terrain__stencil *cells, size_t i,
                                           const void *job);
typedef void stencil_finish(const struct stencil_lanes *lanes, size_t i, const void *job,
                            bool stream);

/* Stores results; past the caches if `stream`. */
static inline void stencil_store(float *to, vfloat v, bool stream)
{
    if (stream) {
        vf_stream(to, v);
    } else {
        vf_store(to, v);
    }
}

/* The place of the vector at i, or of the row's last one, which ends with the row. */
static inline size_t stencil_place(size_t i, size_t count)
{
    return i + VEC_LANES < count ? i : count - VEC_LANES;
}

/* What goes on beside the vector at i. */
static inline void stencil_meanwhile(const struct terrain__stencil *at, size_t i, bool stream,
                                     const struct terrain__stencil_late *late)
{
    if (stream || late != NULL) {
        terrain__prefetch_far(at->soon + i, 1);
    }
    if (late != NULL && i < late->count) {
        for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
            if (late->to[k] != NULL) {
                vf_stream(late->to[k] + i, vf_load(late->from[k] + i));
            }
        }
    }
}

/* begin and finish for all cells of a run; the gradient is three vectors ahead of the result. A
 * root and a division take so long that a processor can't hold enough of them at once if each
 * vector's chain stands after the other. */
TERRAIN__INLINE void stencil_loop(const struct terrain__stencil *cells, size_t count,
                                  stencil_begin *begin, stencil_finish *finish, const void *job,
                                  bool stream, const struct terrain__stencil_late *late)
{
    const struct terrain__stencil at = *cells;
    const size_t ahead = 3 * VEC_LANES;
    struct stencil_lanes first = begin(&at, 0, job);
    struct stencil_lanes second = begin(&at, stencil_place(VEC_LANES, count), job);
    struct stencil_lanes third = begin(&at, stencil_place(2 * VEC_LANES, count), job);
    struct stencil_lanes lanes; /* within the loop, tcc's calls would write over it */
    size_t i = 0;
    for (; i + ahead + VEC_LANES <= count; i += VEC_LANES) {
        stencil_meanwhile(&at, i, stream, late);
        lanes = first;
        first = second;
        second = third;
        third = begin(&at, i + ahead, job);
        finish(&lanes, i, job, stream);
    }
    for (; i < count; i += VEC_LANES) {
        stencil_meanwhile(&at, i, stream, late);
        finish(&first, stencil_place(i, count), job, stream);
        first = second;
        second = third;
        if (i + ahead < count) {
            third = begin(&at, count - VEC_LANES, job);
        }
    }
}

TERRAIN__INLINE void stencil_run(const struct terrain__stencil *cells, size_t count,
                                 stencil_begin *begin, stencil_finish *finish, const void *job)
{
    if (cells->late != NULL) {
        stencil_loop(cells, count, begin, finish, job, false, cells->late);
    } else if (cells->soon != NULL) {
        stencil_loop(cells, count, begin, finish, job, true, NULL);
    } else {
        stencil_loop(cells, count, begin, finish, job, false, NULL);
    }
}

#endif
