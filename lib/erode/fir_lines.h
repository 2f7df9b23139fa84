/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_fir along lines, whatever these are: rows or columns, in all modes. Lines are filtered side
 * by side, block by block, forwards and backwards; which lines, and where they come from, is up to
 * fir.c. */

#ifndef TERRAIN_ERODE_FIR_LINES_H
#define TERRAIN_ERODE_FIR_LINES_H

#include <string.h>

#include "erode/fir_kernels.h"

enum {
    FIR_BLOCK = 64,
    FIR_MOST_WARM = 1024 /* with more the operation is global */
};

/* The lines of one orientation: cells 0 to count - 1, cut into blocks. */
struct fir_axis {
    int64_t count;
    int64_t block;  /* cells of a block */
    int64_t origin; /* cells of block 0 that come before cell 0 */
    int64_t blocks;
    int64_t warm;  /* cells over which a recursion warms up */
    int64_t ahead; /* blocks whose forward results a block's backward pass needs, besides its own */
};

/* Lines side by side. A ring keeps their last `ahead` + 1 blocks, in which forward results replace
 * heights. All pointers are at the first line. */
struct fir_lines {
    const struct fir_axis *axis;
    float *cells;
    ptrdiff_t step;
    uint32_t lines;
    float *states; /* of the recursions into `ahead` + 1 blocks, state_step apart */
    ptrdiff_t state_step;
    float *before;        /* SMEAR: the heights at the lines' ends before the forward pass */
    float *kept;          /* CONSERVING: what slid backwards out of the next block */
    float *edge;          /* scratch */
    struct fir_soon soon; /* prefetched while a block is filtered */
    int64_t first;        /* the first block that comes in */
    int64_t end;          /* the cell after the last one that comes in */
};

/* What lines are filtered with. */
struct fir_filter {
    uint32_t mode;
    struct fir_rates rates;
    const struct fir_kernels *kernels;
};

/* `count` cells, of which the first lies at `world`, and recursions that warm up over `warm` cells:
 * at most FIR_MOST_WARM, or all of a line is one block. */
struct fir_axis terrain__fir_axis_of(int64_t world, int64_t count, uint32_t warm);

/* Floats of a ring of `lines` lines, its states and three more rows. */
uint64_t terrain__fir_lines_size(const struct fir_axis *axis, uint64_t lines);

/* Lines in such a ring, `step` apart. */
struct fir_lines terrain__fir_lines_of(const struct fir_axis *axis, float *scratch, size_t step);

/* A block's first cell, and the first after it. */
static inline int64_t fir_begin(const struct fir_axis *axis, int64_t block)
{
    int64_t begin = block * axis->block - axis->origin;
    return begin > 0 ? begin : 0;
}

static inline int64_t fir_end(const struct fir_axis *axis, int64_t block)
{
    int64_t end = (block + 1) * axis->block - axis->origin;
    return end < axis->count ? end : axis->count;
}

static inline float *fir_at(const struct fir_lines *lines, int64_t cell)
{
    const struct fir_axis *axis = lines->axis;
    int64_t place = cell + axis->origin;
    int64_t slot = place / axis->block % (axis->ahead + 1);
    return lines->cells + (slot * axis->block + place % axis->block) * lines->step;
}

static inline float *fir_state(const struct fir_lines *lines, int64_t block)
{
    return lines->states + block % (lines->axis->ahead + 1) * lines->state_step;
}

static inline void fir_copy(float *to, const float *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}

/* Replaces a block of heights by forward results. */
void terrain__fir_forward(const struct fir_filter *filter, const struct fir_lines *l,
                          int64_t block);

/* Filters a block's forward results backwards into `out`, which is at the block's first cell.
 * Blocks still come in ascending order, as each needs only forward results of those after it. */
void terrain__fir_backward(const struct fir_filter *filter, const struct fir_lines *l,
                           int64_t block, float *out, ptrdiff_t out_step);

#endif
