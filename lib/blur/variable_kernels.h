/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_BLUR_VARIABLE_KERNELS_H
#define TERRAIN_BLUR_VARIABLE_KERNELS_H

#include <stdbool.h>

#include "core/kernels.h"

enum { VARIABLE_MOST_RADIUS = 64 };

/* Sums of heights over all cells above and to the left, in units of 2^-26, modulo 2^64: a sum over
 * at most 129^2 cells, each within +-2^48 units, is exact as the difference of four of them.
 * `centre` is the sum up to and without the row's first cell; sums of rows above and below are
 * `stride` further. */
struct variable_sums {
    const uint64_t *centre;
    size_t stride;
};

struct variable_kernels {
    /* radius[i] = max(minimum, min(1, |noise[i]|) maximum); NaN as 0. */
    void (*radii)(float *radius, const float *noise, uint32_t width, float minimum, float maximum);
    /* Sums of row cells 0 to width - 1 into sums[1] to sums[width], with those above added; sums[0]
     * becomes 0. Cells that are not finite count as 0; whether there are any. */
    bool (*sum)(uint64_t *sums, const uint64_t *above, const float *row, uint32_t width);
    /* target[i] = between the means of radii r and r + 1; radius below `reach` or equal to it. */
    void (*smooth)(float *target, const float *source, const float *radius, uint32_t width,
                   uint32_t reach, const struct variable_sums *sums, const double *inverse);
};

/* The sum over the window of radius r around the cell whose sum is at i. */
static inline double variable_window(const uint64_t *sums, int32_t stride, int32_t i, int32_t r)
{
    int32_t down = r * (stride + 1);
    int32_t up = r * (stride - 1);
    uint64_t sum =
        (sums[i + stride + 1 + down] - sums[i + stride + up]) - (sums[i + 1 - up] - sums[i - down]);
    return (double)(int64_t)sum;
}

TERRAIN__DECLARE_KERNELS(variable)

#endif
