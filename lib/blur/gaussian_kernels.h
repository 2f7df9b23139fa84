/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of blur_gaussian: rows halved, filtered and doubled. */

#ifndef TERRAIN_BLUR_GAUSSIAN_KERNELS_H
#define TERRAIN_BLUR_GAUSSIAN_KERNELS_H

#include "base/kernels.h"

/* Rows that `down` makes together. */
#define GAUSSIAN_ROWS 4u

/* Room beside the cells of a line: before them for a vector; behind them for the largest radius and
 * for vectors that reach past the end. */
enum { GAUSSIAN_MOST_RADIUS = 16, GAUSSIAN_PAD = 16, GAUSSIAN_BEYOND = GAUSSIAN_MOST_RADIUS + 64 };

/* Every filter is written as its centre plus weighted differences, so that a constant row stays
 * constant to the last bit, and heights far from 0 lose no precision.
 *
 * The Gaussian weights the differences of neighbours, which nearby cells share: weights[k], for k
 * from 1 to `radius`, is the sum of the weights of all cells k or more away on one side. It
 * multiplies the difference from cell k - 1 to cell k minus the difference from cell -k to cell 1 -
 * k. Terms are added in the order of k. */
struct gaussian_kernels {
    /* differences[i] = rows[i + 1] - rows[i], for i below `count`, which is at most
     * GAUSSIAN_ROWS. */
    void (*differ_down)(float *const *differences, const float *const *rows, uint32_t count,
                        uint32_t width);
    /* Makes `count` rows of target, 1 to GAUSSIAN_ROWS. Target row i lies at rows[i], and
     * differences[i + radius] is the difference from there to the next row. */
    void (*down)(float *target, size_t stride, uint32_t count, const float *const *rows,
                 const float *const *differences, uint32_t width, const float *weights,
                 uint32_t radius);
    /* target[i] lies at source[i]. GAUSSIAN_PAD cells before source[0] and GAUSSIAN_BEYOND behind
     * source[width - 1] are readable; `radius` of them on either side count. `even` and `odd` have
     * room for as many differences; for speed alone, even[0] is at the start of a cache line and
     * odd[0] in the middle of one. */
    void (*across)(float *target, const float *source, float *even, float *odd, uint32_t width,
                   const float *weights, uint32_t radius);
    /* The filter 1 6 15 20 15 6 1 of seven rows. */
    void (*halve_down)(float *target, const float *const rows[7], uint32_t width);
    /* Halves a scratch row with that filter: target[i] lies at source[2 * i + 4]. */
    void (*halve_across)(float *target, const float *source, uint32_t count);
    /* The inverse step: target[2 * i] lies at source[i + 1]. Reads source[0] to
     * source[count / 2 + 2], or one less if count is odd. */
    void (*double_across)(float *target, const float *source, uint32_t count);
    /* Doubles downwards: `even` lies at the scratch row rows[1], `odd` between rows[1] and rows[2].
     * Either may be NULL; only `odd` needs rows[3]. */
    void (*double_down)(float *even, float *odd, const float *const rows[4], uint32_t width);
    /* row[i] *= shares[i] * share */
    void (*scale)(float *row, const float *shares, float share, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(gaussian)

#endif
