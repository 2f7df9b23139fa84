/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_BLUR_BOX_KERNELS_H
#define TERRAIN_BLUR_BOX_KERNELS_H

#include "core/kernels.h"

/* Columns that `down` sums at a time. */
#define BOX_COLUMNS 64u

/* Digits to base 4 of the longest window. */
enum { BOX_MAXIMUM_DIGITS = 6 };

/* A window of `length` whole cells and, where fraction is not 0, one more at either end that counts
 * that much. */
struct box_window {
    uint32_t length;                     /* odd */
    uint32_t digits[BOX_MAXIMUM_DIGITS]; /* of length, to base 4, the lowest first */
    uint32_t digit_count;
    float parts[BOX_MAXIMUM_DIGITS]; /* those digits that are not 0, times their power of 4 */
    uint32_t part_count;
    float fraction;
    float inverse; /* 1 / (length + 2 fraction) */
};

struct box_kernels {
    /* target[i] = the mean of the window whose first whole cell is source[i]. Reads source[-1] to
     * source[width + length]. work has room for width + length + 64 cells, source for 64 more than are
     * used; target is written up to the next multiple of 16. */
    void (*across)(float *target, const float *source, float *work, uint32_t width,
                   const struct box_window *window);
    /* `count` rows of target: row i is inverse[i] times the sum of rows[i] to rows[i + length - 1], and
     * the fraction of the rows before and after. The first `tail` rows (at least count, at most length)
     * belong to one block, the others to the next. sums has room for tail rows of BOX_COLUMNS. */
    void (*down)(float *target, size_t stride, const float *const *rows, uint32_t tail,
                 uint32_t count, uint32_t columns, const double *inverse,
                 const struct box_window *window, double *sums);
};

TERRAIN__DECLARE_KERNELS(box)

#endif
