/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_BLUR_GAUSSIAN_KERNELS_H
#define TERRAIN_BLUR_GAUSSIAN_KERNELS_H

#include "core/kernels.h"

/* Rows that `down` makes in one go: it reads each row once for all of them. */
#define GAUSSIAN_ROWS 4u

/* Every filter is written as its centre plus weighted differences from it, so that a constant row
 * stays what it is, to the last bit, and heights far from 0 lose nothing. `weights` are those of
 * cells 1 to `radius` away: the first is weights[1].
 *
 * Rows of scratch may be read up to the next multiple of 16 cells. */
struct gaussian_kernels {
    /* target[i] = the filter at source[i], which reads source[i - radius] to source[i + radius]. */
    void (*across)(float *target, const float *source, uint32_t width, const float *weights,
                   uint32_t radius);
    /* `count` (1 to GAUSSIAN_ROWS) rows of target, row i from the scratch rows[i] to
     * rows[i + 2 * radius]. */
    void (*down)(float *target, size_t stride, uint32_t count, const float *const *rows,
                 uint32_t width, const float *weights, uint32_t radius);
    /* The filter 1 6 15 20 15 6 1 of seven rows. */
    void (*halve_down)(float *target, const float *const rows[7], uint32_t width);
    /* The same along a scratch row: target[i] lies at source[2 * i + 4]. */
    void (*halve_across)(float *target, const float *source, uint32_t count);
    /* The inverse step: target[2 * i] lies at source[i + 1]. Reads source[0] to
     * source[count / 2 + 2], or one less if count is odd. */
    void (*double_across)(float *target, const float *source, uint32_t count);
    /* The same down: `even` lies at the scratch row rows[1], `odd` between rows[1] and rows[2].
     * Either may be NULL; rows[3] is of use for odd alone. */
    void (*double_down)(float *even, float *odd, const float *const rows[4], uint32_t width);
    /* row[i] *= shares[i] * share */
    void (*scale)(float *row, const float *shares, float share, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(gaussian)

#endif
