/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of blur_variable: sums over rectangles, and means over a window of any radius from
 * them. */

#ifndef TERRAIN_BLUR_VARIABLE_KERNELS_H
#define TERRAIN_BLUR_VARIABLE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

enum { VARIABLE_MOST_RADIUS = 64 };

/* The table of sums covers a strip of up to VARIABLE_COLUMNS columns, with what it reaches around.
 * Its stride is a constant, so that the places of a window's corners are, but for the radius; and
 * odd, so that rows don't meet in the same lines of the first cache.
 *
 * A sum adds the heights of all cells above and to the left, in units of 2^-26, modulo 2^64. The
 * sum over a window of at most 129^2 cells, each within +-2^48 units, is exact as the difference of
 * four such sums. Kernels get the sum up to and without the row's first cell; the sums of the rows
 * above and below are VARIABLE_STRIDE away. */
enum { VARIABLE_COLUMNS = 320, VARIABLE_STRIDE = VARIABLE_COLUMNS + 2 * VARIABLE_MOST_RADIUS + 5 };

/* How far before and after a table kernels may read, without using what they read. */
enum { VARIABLE_SLACK = VARIABLE_STRIDE + 8 };

struct variable_kernels {
    /* radius[i] = max(low, min(1, a) high), where a is amount[i], of noise its absolute value;
     * below 0 and NaN are 0. */
    void (*radii)(float *radius, const float *amount, uint32_t width, bool noise, float low,
                  float high);
    /* Sums of row cells 0 to width - 1 into sums[1] to sums[width], with those above added; sums[0]
     * becomes 0. Cells that are not finite count as 0; whether there are any. */
    bool (*sum)(uint64_t *sums, const uint64_t *above, const float *row, uint32_t width);
    /* target[i] = between the means of radii r and r + 1; radius below `reach` or equal to it.
     * Reads sums a row and a column farther away than it needs. */
    void (*smooth)(float *target, const float *source, const float *radius, uint32_t width,
                   uint32_t reach, const uint64_t *sums, const double *inverse);
};

/* The sum over the window of radius r around the cell whose sum is `sums`. */
static inline double variable_window(const uint64_t *sums, uint32_t r)
{
    const uint64_t *below = sums + (size_t)(r + 1) * VARIABLE_STRIDE;
    const uint64_t *above = sums - (size_t)r * VARIABLE_STRIDE;
    uint64_t sum = (below[r + 1] - *(below - r)) - (above[r + 1] - *(above - r));
    return (double)(int64_t)sum;
}

TERRAIN__DECLARE_KERNELS(variable)

#endif
