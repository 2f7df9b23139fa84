/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_BLUR_BOX_KERNELS_H
#define TERRAIN_BLUR_BOX_KERNELS_H

#include "core/kernels.h"

/* Columns that `down` sums at a time. */
#define BOX_COLUMNS 64u

/* Digits to base 4 of half the longest window. */
enum { BOX_MAXIMUM_DIGITS = 6 };

/* A window of `half` whole cells on either side of its centre and, where fraction is not 0, one more at
 * either end that counts that much. */
struct box_window {
    uint32_t half;
    float fraction;
    float inverse; /* 1 / (2 half + 1 + 2 fraction) */
};

struct box_kernels {
    /* target[i] = the mean of the window whose first whole cell is source[i]. Reads source[-1] to
     * source[width + 2 half + 1], and up to 64 cells more that don't count; writes up to the next
     * multiple of 16. work has room for BOX_MAXIMUM_DIGITS - 1 rows of width + 2 half + 64. */
    void (*across)(float *target, const float *source, float *work, uint32_t width,
                   const struct box_window *window);
    /* `count` rows of target: row i is inverse[i] times the sum of rows[i] to rows[i + 2 half], and
     * the fraction of the rows before and after. The first `tail` rows (at least count, at most 2 half + 1)
     * belong to one block, the others to the next. sums has room for tail rows of BOX_COLUMNS. */
    void (*down)(float *target, size_t stride, const float *const *rows, uint32_t tail,
                 uint32_t count, uint32_t columns, const double *inverse,
                 const struct box_window *window, double *sums);
};

TERRAIN__DECLARE_KERNELS(box)

#endif
