/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of statistics: the range of a block of cells, and exact sums. */

#ifndef TERRAIN_MEASURE_STATISTICS_KERNELS_H
#define TERRAIN_MEASURE_STATISTICS_KERNELS_H

#include <math.h>
#include <string.h>

#include "base/kernels.h"

/* At most so many cells at a time: what makes the sums below exact. */
enum { TERRAIN__STATISTICS_BLOCK = 1024 };

/* What one pass over a block finds. Heights as keys: whole numbers in the heights' order. */
struct statistics_scan {
    int32_t minimum; /* INT32_MAX and INT32_MIN if no cell is finite */
    int32_t maximum;
    uint32_t nan;
    uint32_t infinite;
};

/* The cells with low <= |h| < high, and how to split their squares. */
struct statistics_slice {
    float low;
    float high;
    double splitter;
};

enum { TERRAIN__STATISTICS_BINADES = 19 };

/* 2^exponent, as a normal double. */
static inline double terrain__statistics_power(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

/* The slice whose largest heights are 2^exponent to 2^(exponent + 1); without its upper limit. A
 * lower limit below the smallest float becomes 0, and keeps everything: 0 adds nothing. Adding and
 * subtracting the splitter, 3/2 of a power of two whose last place is 2^(2e - 41), rounds to
 * that. */
static inline struct statistics_slice terrain__statistics_slice(int exponent)
{
    struct statistics_slice slice;
    slice.low = (float)terrain__statistics_power(exponent + 1 - TERRAIN__STATISTICS_BINADES);
    slice.high = INFINITY;
    slice.splitter = 1.5 * terrain__statistics_power(2 * exponent - 41 + 52);
    return slice;
}

/* Exact sums over a slice. */
struct statistics_sums {
    double sum;
    double squares_high; /* the squares rounded to multiples of the splitter's last place … */
    double squares_low;  /* … and what is left of them */
    uint32_t below;      /* cells other than 0 that are lower than the slice */
};

struct statistics_kernels {
    void (*scan)(const float *cells, uint32_t count, struct statistics_scan *scan);
    void (*sum)(const float *cells, uint32_t count, const struct statistics_slice *slice,
                struct statistics_sums *sums);
};

TERRAIN__DECLARE_KERNELS(statistics)

#endif
