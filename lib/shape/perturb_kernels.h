/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of shape_perturb: a row of displacements, and the heights that they lead to. */

#ifndef TERRAIN_SHAPE_PERTURB_KERNELS_H
#define TERRAIN_SHAPE_PERTURB_KERNELS_H

#include "base/kernels.h"

/* How far behind its end kernels may read and write a row of noise or shifts, in floats. */
enum { PERTURB_OVERRUN = 32 };

/* A row of cells, and where each takes its height from: a ring of rows. */
struct perturb_row {
    float *target;
    const float *ring; /* its row 0, where the first cell would read without a shift */
    uint32_t stride;
    uint32_t rows; /* of the ring: after the last one row 0 follows */
    uint32_t row;  /* read without a shift; `rows` more where rows above would be below 0 */
    uint32_t width;
    const float *shift_x, *shift_y;
};

struct perturb_kernels {
    /* The next level's row of 2 * count numbers, a quarter of the way from `near` to `far`, and
     * from each number to its neighbours. Reads [-1] to [count] of both. */
    void (*refine)(float *to, const float *near, const float *far, uint32_t count);
    /* x[i] and y[i] += scale * what the bits of column first + i give, in -1 to 1. */
    void (*add)(float *x, float *y, uint64_t column, uint32_t first, float scale, uint32_t count);
    /* shift[i] = reach * (1.5 t - 0.5 t^3), with t = noise[i] * scale within -1 to 1; up to a
     * vector's end. */
    void (*shift)(float *shift, const float *noise, float scale, float reach, uint32_t count);
    /* shift[i] = given[i] within +-reach, 0 for NaN. */
    void (*limit)(float *shift, const float *given, float reach, uint32_t count);
    void (*bilinear)(const struct perturb_row *row);
    void (*bicubic)(const struct perturb_row *row);
    void (*bicubic_clamped)(const struct perturb_row *row);
};

TERRAIN__DECLARE_KERNELS(perturb)

#endif
