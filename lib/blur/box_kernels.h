/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_BLUR_BOX_KERNELS_H
#define TERRAIN_BLUR_BOX_KERNELS_H

#include "core/kernels.h"

/* Columns that `down` sums at a time. */
#define BOX_COLUMNS 64u

/* Windows with a half that long are summed across in double, BOX_GROUP rows at a time: from there
 * on that takes less time than `across`. */
enum { BOX_WIDE = 8, BOX_GROUP = 8 };

/* The longest half of a window that is averaged cell by cell, across and down. */
enum { BOX_DIRECT = 3 };

/* Digits to base 4 of a half below BOX_WIDE. */
enum { BOX_MAXIMUM_DIGITS = 2 };

/* A window of `half` whole cells on either side of its centre and, where fraction is not 0, one
 * more at either end that counts that much. */
struct box_window {
    uint32_t half;
    float fraction;
    float inverse; /* 1 / (2 half + 1 + 2 fraction) */
    double exact_inverse;
};

/* How small and how large the heights of BOX_GROUP rows are. */
struct box_spans {
    uint32_t least
        [BOX_GROUP]; /* twice the bits of the smallest other than 0, less 1; UINT32_MAX: none */
    uint32_t most[BOX_GROUP]; /* twice the bits of the largest, or of NaN */
};

struct box_kernels {
    /* target[i] = the mean of cells[0][i] to cells[2 half][i], and the fraction of cells[-1][i] and
     * cells[2 half + 1][i]. Reads up to 16 cells more that don't count. Only for a half up to
     * BOX_DIRECT. */
    void (*direct)(float *target, const float *const *cells, uint32_t width,
                   const struct box_window *window);
    /* target[i] = the mean of the window whose first whole cell is source[i]. Reads source[-1] to
     * source[width + 2 half + 1], and up to 64 cells more that don't count; writes up to the next
     * multiple of 16. work has room for BOX_MAXIMUM_DIGITS - 1 rows of width + 2 half + 64. Only
     * for a half below BOX_WIDE. */
    void (*across)(float *target, const float *source, float *work, uint32_t width,
                   const struct box_window *window);
    /* turned[i * BOX_GROUP + k] = rows[k][i]; spans takes in what it holds. */
    void (*turn)(float *turned, struct box_spans *spans, const float *const *rows, uint32_t width);
    /* targets[k][i] = the mean in row k of the window whose first whole cell is turned[i *
     * BOX_GROUP + k]. Sums run on from cell to cell, so all of them must be exact. Reads one column
     * before the first one and up to 8 columns more than that count; writes up to the next multiple
     * of 8. */
    void (*slide)(float *const *targets, const float *turned, uint32_t width,
                  const struct box_window *window);
    /* The same for any heights: sums of 1, 2, 4, … cells as a tree. work has room for
     * 2 (width + 2 half) BOX_GROUP numbers. */
    void (*add)(float *const *targets, const float *turned, double *work, uint32_t width,
                const struct box_window *window);
    /* `count` rows of target: row i is inverse[i] times the sum of rows[i] to rows[i + 2 half], and
     * the fraction of the rows before and after. The first `tail` rows (at least count, at most 2
     * half + 1) belong to one block, the others to the next. sums has room for tail rows of
     * BOX_COLUMNS. */
    void (*down)(float *target, size_t stride, const float *const *rows, uint32_t tail,
                 uint32_t count, uint32_t columns, const double *inverse,
                 const struct box_window *window, double *sums);
};

TERRAIN__DECLARE_KERNELS(box)

#endif
