/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of blur_box: short windows cell by cell, long ones by running sums. */

#ifndef TERRAIN_BLUR_BOX_KERNELS_H
#define TERRAIN_BLUR_BOX_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* The longest half of a window that is averaged cell by cell, across and down. */
enum { BOX_DIRECT = 3 };

/* Rows that are averaged across together: turned, they make columns of this many cells. Scratch
 * rows can be read and written up to the next multiple of it. */
enum { BOX_GROUP = 16 };

/* A window of `half` cells on either side of its centre and, where fraction is not 0, one more at
 * either end, of that weight. */
struct box_window {
    uint32_t half;
    float fraction;
    float inverse; /* 1 / (2 half + 1 + 2 fraction) */
};

/* A row of at least 3 BOX_GROUP cells that is averaged across. The windows of its first BOX_GROUP
 * cells may begin before it, and those of the last BOX_GROUP or some more, such that a whole number
 * of groups comes before them, may end behind it. These cells are copied, and some on both sides
 * of them. */
struct box_narrow_cells {
    const float *begin; /* the copy of the first cell */
    const float *inner; /* the first cell itself */
    const float *end;   /* the copy of the last group's first cell */
    const float *next;  /* another row, which is asked for */
    float *newest;      /* where the row's means go */
    uint32_t columns;
};

/* A walk along turned rows: columns of BOX_GROUP cells, which start `reach` before the first
 * window's centre. A ring holds the last columns, or the sums that replaced them, and some that are
 * still to come. A new walk has not begun, and its sum and reference are 0. */
struct box_across {
    float *ring;
    uint32_t slots; /* columns that it has room for */
    uint32_t reach;
    float fraction; /* weight of the outermost columns; 0: they have the weight of all others */
    bool open;      /* columns before `first` and after `last` don't count */
    int64_t first;
    int64_t last;
    int64_t column;             /* the next one */
    uint32_t slot;              /* its place in the ring */
    uint32_t place;             /* its place in its block */
    bool begun;                 /* a block has been completed */
    float sum[BOX_GROUP];       /* from the current block's start */
    float reference[BOX_GROUP]; /* the last column of the block before */
};

/* Rows of `columns` cells that are added to a prefix: for each row i and each column
 *
 *     prefix += cells[i] - reference
 *     targets[i] = reference + (sums[i] + prefix) * inverse[i]
 *
 * If fraction is not 0, the outermost rows of a window have that weight: sums[i] + prefix gives way
 * to within + (sums[i] + prefix - within) * fraction, with within = inner[i] + the prefix before
 * row i was added. */
struct box_batch {
    const float *const *cells;
    float *const *targets; /* NULL: only the prefix is wanted */
    float *const *sums;
    float *const *inner;
    const float *inverse;
    float *prefix;
    const float *reference;
    float fraction;
    uint32_t count;
    uint32_t last; /* of the targets; those after the batch are only asked for */
    uint32_t columns;
};

struct box_kernels {
    /* target[i] = the weighted mean of cells[0][i] to cells[2 reach][i], the outermost of which
     * have the weight `fraction` unless that is 0. Reads up to 16 cells past `width`. Only for a
     * half up to BOX_DIRECT. */
    void (*direct)(float *target, const float *const *cells, uint32_t width,
                   const struct box_window *window);
    /* cells->newest[i] = the mean of the window around cell i, target[i] = the mean of rows[0][i]
     * to rows[2 reach][i], the last of which is cells->newest: both as by `direct`. */
    void (*narrow)(float *target, const float *const *rows, const struct box_narrow_cells *cells,
                   const struct box_window *window);
    /* Walks on by `count` columns, which must be in the ring. Unless means is NULL, means[i]
     * becomes the mean of the window that ends with column i, of which inverse[i] is 1 / the sum of
     * weights. */
    void (*across)(struct box_across *walk, float *means, const float *inverse, uint32_t count);
    /* Writes `count` copies of a column. */
    void (*repeat)(float *columns, const float *column, uint32_t count);
    /* See struct box_batch. A target may be the row of the same i in `sums`. */
    void (*add)(const struct box_batch *batch);
    /* From the last of `count` rows to the first: sums[i] = sums[i + 1] + (cells[i] - reference).
     * Rows of `sums` and of `cells` may be the same. */
    void (*fold)(float *const *sums, const float *const *cells, const float *reference,
                 uint32_t count, uint32_t columns);
};

TERRAIN__DECLARE_KERNELS(box)

#endif
