/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_SHAPE_RESAMPLE_KERNELS_H
#define TERRAIN_SHAPE_RESAMPLE_KERNELS_H

#include "base/kernels.h"

/* What a filter reads along one axis, for one position: cells of the map, counted from its first.
 * a, b and d weigh the differences to the second cell, as in the header; b alone if bilinear. A
 * position on a cell has b = 0 and reads the second cell alone. */
struct resample_taps {
    uint32_t cell[4];
    float a, b, d;
};

struct resample_kernels {
    /* target[i] = r1[i] + (r2[i] - r1[i]) b */
    void (*bilinear_rows)(float *target, const float *r1, const float *r2, float b, uint32_t width);
    /* target[i] = r1[i] + a (r0[i] - r1[i]) + b (r2[i] - r1[i]) + d (r3[i] - r1[i]) */
    void (*bicubic_rows)(float *target, const float *const rows[4], float a, float b, float d,
                         uint32_t width);
    /* sum[i] += source[i] * weight */
    void (*add_row)(double *sum, const float *source, double weight, uint32_t width);
    /* Along a row: target[i] from the cells of taps[i], counted from row. */
    void (*nearest_cells)(float *target, const float *row, const struct resample_taps *taps,
                          uint32_t width);
    void (*bilinear_cells)(float *target, const float *row, const struct resample_taps *taps,
                           uint32_t width);
    void (*bicubic_cells)(float *target, const float *row, const struct resample_taps *taps,
                          uint32_t width);
};

TERRAIN__DECLARE_KERNELS(resample)

#endif
