/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of shape_resample: each filter down the columns, on whole rows, and along a row. */

#ifndef TERRAIN_SHAPE_RESAMPLE_KERNELS_H
#define TERRAIN_SHAPE_RESAMPLE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* Along a row of cells that are counted from 0, kernels may read RESAMPLE_PAD cells before it and
 * behind it, which repeat its ends, and RESAMPLE_SLACK more behind it, which count for nothing. */
enum { RESAMPLE_PAD = 16, RESAMPLE_SLACK = 128 };

/* Arrays of columns are this much longer than the target is wide; the last column is repeated. */
enum { RESAMPLE_TAIL = 16 };

/* The means of AREA are taken in float up to this step, from so many cells at most along an
 * axis. */
enum { RESAMPLE_SHORT_STEP = 8, RESAMPLE_AREA_TAPS = 10 };

/* Where a filter reads along a row, for each column of the target. a, b and d weigh the differences
 * from h(cell) to h(cell - 1), h(cell + 1) and h(cell + 2), as in the header; b alone if bilinear.
 * A position on a cell has b = 0 and reads that cell alone. */
struct resample_taps {
    const int32_t *cell; /* never decreasing; from -RESAMPLE_PAD + 1 to what RESAMPLE_PAD covers */
    const float *a, *b, *d;
    float step; /* from one column's position to the next's */
};

/* The mean of AREA: h(centre) + sum of weight k times (h(first + k) - h(centre)), so that a
 * constant is kept exactly. */
struct resample_area {
    const int32_t *centre, *first;
    /* For each k `stride` numbers, one a column: 0 where a column has no more than k cells. */
    const float *weights;
    size_t stride;
    uint32_t always, most; /* how many cells all columns have, and any has */
    float step;
    bool is_half; /* column i's cells are the three around first[0] + 1 + 2 i */
};

/* Two rows of a half, from five rows of which they share the third; or, where the second target is
 * NULL, one from three, and the last two are those of the next row, which are asked for. */
struct resample_halves {
    float *targets[2];
    const float *rows[5];
    const float *weights; /* of three rows */
};

struct resample_kernels {
    /* target[i] = r1[i] + (r2[i] - r1[i]) b */
    void (*bilinear_rows)(float *target, const float *r1, const float *r2, float b, uint32_t width);
    /* target[i] = r1[i] + a (r0[i] - r1[i]) + b (r2[i] - r1[i]) + d (r3[i] - r1[i]) */
    void (*bicubic_rows)(float *target, const float *const rows[4], float a, float b, float d,
                         uint32_t width);
    /* target[i] = centre[i] + the sum of weights[k] (rows[k][i] - centre[i]), k < count */
    void (*area_rows)(float *target, const float *centre, const float *const *rows,
                      const float *weights, uint32_t count, uint32_t width);
    /* sum[i] += source[i] * weight */
    void (*add_row)(double *sum, const float *source, double weight, uint32_t width);
    /* Along a row. */
    void (*nearest_cells)(float *target, const float *row, const struct resample_taps *taps,
                          uint32_t width);
    void (*bilinear_cells)(float *target, const float *row, const struct resample_taps *taps,
                           uint32_t width);
    void (*bicubic_cells)(float *target, const float *row, const struct resample_taps *taps,
                          uint32_t width);
    void (*area_cells)(float *target, const float *row, const struct resample_area *area,
                       uint32_t width);
    /* Down and along at once where is_half, of rows of `count` cells without padding; false: that
     * can't be, and nothing has been done. NULL: area_rows and area_cells are as fast. */
    bool (*half_cells)(const struct resample_halves *halves, const struct resample_area *area,
                       uint32_t count, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(resample)

#endif
