/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of blur_box: short windows cell by cell, long ones by running sums. */

#ifndef TERRAIN_BLUR_BOX_KERNELS_H
#define TERRAIN_BLUR_BOX_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* The longest half of a window that is averaged cell by cell, across and down. */
enum { BOX_DIRECT = 3 };

/* Rows that are averaged across together: turned, they make columns of so many cells. Scratch rows
 * are readable and writable up to the next multiple of it. */
enum { BOX_GROUP = 16 };

/* A window of `half` whole cells on either side of its centre and, where fraction is not 0, one
 * more at either end that counts that much. */
struct box_window {
    uint32_t half;
    float fraction;
    float inverse; /* 1 / (2 half + 1 + 2 fraction) */
};

/* A walk along turned rows: columns of BOX_GROUP cells, from `reach` before the first window's
 * centre on. The last ones lie in a ring, and some that are still to come. What is not set begins
 * with 0. */
struct box_across {
    float *ring;
    uint32_t slots; /* columns that it has room for */
    uint32_t reach;
    float fraction; /* that the outermost columns count; 0: they count as the others */
    bool open;      /* columns before `first` and after `last` don't count */
    int64_t first;
    int64_t last;
    int64_t column;             /* the next one */
    uint32_t slot;              /* its place in the ring */
    uint32_t place;             /* its place in its block */
    bool begun;                 /* there is a block before */
    float sum[BOX_GROUP];       /* of the block that is not complete yet */
    float reference[BOX_GROUP]; /* the last column of the block before */
};

/* Rows of `columns` cells, and what becomes of them: for each i and column
 *
 *     prefix += cells[i] - reference
 *     targets[i] = reference + (sums[i] + prefix) * inverse[i]
 *
 * and where fraction is not 0, of that sum and the one within, inner[i] + the prefix before,
 * the latter and `fraction` of the difference. */
struct box_run {
    const float *const *cells;
    float *const *targets; /* NULL: the prefix alone */
    float *const *sums;
    float *const *inner;
    const float *inverse;
    float fraction;
    uint32_t count;
    uint32_t columns;
};

struct box_kernels {
    /* target[i] = the mean of cells[0][i] to cells[2 half][i], and the fraction of cells[-1][i] and
     * cells[2 half + 1][i]. Reads up to 16 cells more that don't count. Only for a half up to
     * BOX_DIRECT. */
    void (*direct)(float *target, const float *const *cells, uint32_t width,
                   const struct box_window *window);
    /* Goes on by `count` columns, which must be in the ring. Their means, or NULL, are those of the
     * windows that end with them; inverse[i] is 1 / what counts in one. */
    void (*across)(struct box_across *walk, float *means, const float *inverse, uint32_t count);
    /* Writes `count` copies of a column. */
    void (*repeat)(float *columns, const float *column, uint32_t count);
    /* See box_run. A target may be the row of the same i in `sums`. */
    void (*add)(const struct box_run *run, float *prefix, const float *reference);
    /* From the last of `count` rows to the first: sums[i] = sums[i + 1] + (cells[i] - reference).
     * A row of `sums` may be the one of `cells`. */
    void (*fold)(float *const *sums, const float *const *cells, const float *reference,
                 uint32_t count, uint32_t columns);
};

TERRAIN__DECLARE_KERNELS(box)

#endif
