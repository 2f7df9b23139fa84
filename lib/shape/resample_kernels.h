/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of shape_resample: each filter down columns, as an operation on whole rows, and along a
 * row. */

#ifndef TERRAIN_SHAPE_RESAMPLE_KERNELS_H
#define TERRAIN_SHAPE_RESAMPLE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* Kernels may read RESAMPLE_PAD cells before and behind a row, which repeat its ends, and
 * RESAMPLE_SLACK more behind it, which don't count. Cells count from 0, the row's first. */
enum { RESAMPLE_PAD = 16, RESAMPLE_SLACK = 128 };

/* Entries of arrays of columns past the target's width, which repeat the last column. */
enum { RESAMPLE_TAIL = 16 };

/* Up to this step, AREA computes in float, with at most this many cells along an axis. */
enum { RESAMPLE_SHORT_STEP = 8, RESAMPLE_AREA_TAPS = 10 };

/* What a filter reads along a row, for each column of the target. a, b and d weigh the differences
 * from h(cell) to h(cell - 1), h(cell + 1) and h(cell + 2), as in the header; BILINEAR has only b.
 * A position on a cell has b = 0 and reads only that cell. */
struct resample_taps {
    const int32_t *cell; /* never decreasing; from -RESAMPLE_PAD + 1 to what RESAMPLE_PAD covers */
    const float *a, *b, *d;
    float step; /* from one column's position to the next's */
};

/* The mean of AREA: h(centre) + the sum over k of weight k times (h(first + k) - h(centre)), so
 * that a constant is kept exactly. By a step of 2 it is h(centre) / 2 + (h(centre - 1) / 4 +
 * h(centre + 1) / 4), which keeps constants above 1e-37. */
struct resample_area {
    const int32_t *centre, *first;
    /* For each k, `stride` numbers, one for each column: 0 if the column has no more than k
     * cells. */
    const float *weights;
    size_t stride;
    uint32_t always, most; /* how many cells all columns have, and any has */
    float step;
    /* 2 or 3: column i's cells are the three or five from first[0] + even i on, the middle one is
     * their centre, and all columns have the same weights. 0: neither. */
    int32_t even;
};

/* Two rows of the target where even is 2, from five rows, of which they share the third. If the
 * second target is NULL: one row from three. The four or two rows that follow are of the target's
 * next rows, and are prefetched. */
struct resample_halves {
    float *targets[2];
    const float *rows[9];
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
    /* area_rows of three rows by a step of 2: half of the middle row, a quarter of the others. */
    void (*half_rows)(float *target, const float *const *rows, uint32_t width);
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
    /* Where even is 2: filters down and along at once, from rows of `count` cells without padding.
     * Returns false if it can't, and has then done nothing. NULL if area_rows and area_cells are as
     * fast. */
    bool (*half_cells)(const struct resample_halves *halves, const struct resample_area *area,
                       uint32_t count, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(resample)

#endif
