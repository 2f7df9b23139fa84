/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_fir: the recursion along many lines side by side. */

#ifndef TERRAIN_ERODE_FIR_KERNELS_H
#define TERRAIN_ERODE_FIR_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* Lines are filtered side by side, a multiple of this many together, their cells adjacent in
 * memory. It is a multiple of every vector's lanes, and enough to hide the latency of the
 * recursion. */
#define TERRAIN__FIR_LINES 64

struct fir_rates {
    float keep; /* share of its own height that a cell keeps: 1 - erosion */
    float give; /* CONSERVING: share of a fall that slides: erosion / 2 */
    float turn; /* 1 / (1 + erosion) */
};

/* What is read next: each step of a run prefetches some cells of another row. If all were asked for
 * at once, the processor would drop most requests. */
struct fir_soon {
    const float *cells; /* of the first row; NULL: nothing */
    size_t stride;
};

enum { TERRAIN__FIR_SOON = 32 }; /* cells prefetched by a step */

/* A run over `count` cells, at least 1, of `lines` lines. A step is the distance from a cell of a
 * line to the next, in floats, and may be negative. */
struct fir_run {
    float *state; /* of each line: the result at its last cell; changed */
    float *edge;  /* CONSERVING: gets what slid into each line's first cell */
    const float *in;
    ptrdiff_t in_step;
    float *out; /* may be `in` */
    ptrdiff_t out_step;
    uint32_t count, lines;
    struct fir_soon soon; /* `count` rows */
};

/* A run over a block of TERRAIN__FIR_LINES cells of as many lines that lie on their side: cell i of
 * line x is in[x * TERRAIN__FIR_LINES + i]. */
struct fir_turned_run {
    float *state; /* of each line, as in fir_run */
    float *later; /* the state of the recursion into the next block, which begins in cell `start` */
    uint32_t start;
    bool first_stays; /* the lines begin here, and `state` is not set before */
    float *before;    /* gets the last cell's heights */
    const float *in;
    float *out; /* each cell's lines side by side, out_step apart */
    ptrdiff_t out_step;
};

struct fir_kernels {
    /* Changes the state alone; uses neither edge, out nor soon. By mode. */
    void (*warm[3])(const struct fir_run *run, const struct fir_rates *rates);
    /* Writes results, too. With CONSERVING nothing has slid on from the last cell yet. */
    void (*filter[3])(const struct fir_run *run, const struct fir_rates *rates);
    /* Filters lines that lie on their side, and warms up for the next block; not CONSERVING. */
    void (*turned[2])(const struct fir_turned_run *run, const struct fir_rates *rates);
    /* cells -= edge: what slides on from the last cell after all. */
    void (*leave)(float *cells, const float *edge, uint32_t lines);
    /* state = before + turn * (state - before): where SMEAR starts back from the end of a line. */
    void (*turn)(float *state, const float *before, uint32_t lines, const struct fir_rates *rates);
};

TERRAIN__DECLARE_KERNELS(fir)

#endif
