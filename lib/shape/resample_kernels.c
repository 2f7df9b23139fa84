/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "shape/resample_kernels.h"

static inline float resample_bilinear(float h1, float h2, float b)
{
    return h1 + (h2 - h1) * b;
}

/* Weights of differences: a constant is kept exactly. */
static inline float resample_bicubic(float h0, float h1, float h2, float h3, float a, float b,
                                     float d)
{
    return h1 + (((h0 - h1) * a + (h3 - h1) * d) + (h2 - h1) * b);
}

static void resample_bilinear_rows(float *target, const float *r1, const float *r2, float b,
                                   uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = resample_bilinear(r1[i], r2[i], b);
    }
}

static void resample_bicubic_rows(float *target, const float *const rows[4], float a, float b,
                                  float d, uint32_t width)
{
    const float *r0 = rows[0], *r1 = rows[1], *r2 = rows[2], *r3 = rows[3];
    for (uint32_t i = 0; i < width; i++) {
        target[i] = resample_bicubic(r0[i], r1[i], r2[i], r3[i], a, b, d);
    }
}

static void resample_add_row(double *sum, const float *source, double weight, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        sum[i] += (double)source[i] * weight;
    }
}

static void resample_nearest_cells(float *target, const float *row,
                                   const struct resample_taps *taps, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = row[taps[i].cell[1]];
    }
}

/* The choice at b = 0 keeps infinities, whose differences are NaN. */
static void resample_bilinear_cells(float *target, const float *row,
                                    const struct resample_taps *taps, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        const struct resample_taps *t = &taps[i];
        float h1 = row[t->cell[1]];
        float h = resample_bilinear(h1, row[t->cell[2]], t->b);
        target[i] = t->b == 0 ? h1 : h;
    }
}

static void resample_bicubic_cells(float *target, const float *row,
                                   const struct resample_taps *taps, uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        const struct resample_taps *t = &taps[i];
        float h1 = row[t->cell[1]];
        float h = resample_bicubic(row[t->cell[0]], h1, row[t->cell[2]], row[t->cell[3]], t->a,
                                   t->b, t->d);
        target[i] = t->b == 0 ? h1 : h;
    }
}

const struct resample_kernels TERRAIN__KERNELS(resample) = {
    resample_bilinear_rows, resample_bicubic_rows,   resample_add_row,
    resample_nearest_cells, resample_bilinear_cells, resample_bicubic_cells,
};
