/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_fir: the recursion along many lines side by side. */

#ifndef TERRAIN_ERODE_FIR_KERNELS_H
#define TERRAIN_ERODE_FIR_KERNELS_H

#include "base/kernels.h"

/* Lines are filtered side by side, a multiple of this many at once, cell beside cell in memory. It
 * is a multiple of every vector's lanes, and enough to hide how long a step of the recursion
 * takes. */
#define TERRAIN__FIR_LINES 64

struct fir_rates {
    float keep; /* share of its own height that a cell keeps: 1 - erosion */
    float give; /* CONSERVING: share of a fall that slides: erosion / 2 */
    float turn; /* 1 / (1 + erosion) */
};

/* What is read after a block: each step asks for some cells of another row, so that they are on
 * their way while there is something to do. Asked for all at once, most requests are dropped. */
struct fir_soon {
    const float *cells; /* of the first row; NULL: nothing */
    size_t stride;
};

enum { TERRAIN__FIR_SOON = 32 }; /* cells a step */

/* `lines` lines at once; `state` holds the result at the last cell of each. A step is the distance
 * from a cell to the next of its line, in floats, and may be negative. */
struct fir_kernels {
    /* Runs over `count` cells, at least 1, changing only the state. By mode. */
    void (*warm[3])(float *state, const float *in, ptrdiff_t step, uint32_t count, uint32_t lines,
                    const struct fir_rates *rates);
    /* Runs over `count` cells and writes them; `out` may be `in`. `soon` has as many rows.
     * CONSERVING writes what slid into the first cell to `edge`; from the last one nothing has slid
     * on yet. */
    void (*filter[3])(float *state, float *edge, const float *in, ptrdiff_t in_step, float *out,
                      ptrdiff_t out_step, uint32_t count, uint32_t lines,
                      const struct fir_rates *rates, struct fir_soon soon);
    /* cells -= edge: what slides on from the last cell after all. */
    void (*leave)(float *cells, const float *edge, uint32_t lines);
    /* state = before + turn * (state - before): where SMEAR starts back from the end of a line. */
    void (*turn)(float *state, const float *before, uint32_t lines, const struct fir_rates *rates);
};

TERRAIN__DECLARE_KERNELS(fir)

#endif
