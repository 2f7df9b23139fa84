/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of generate_diamond_square: the rows of a level from those of the coarser one. */

#ifndef TERRAIN_GENERATE_DIAMOND_SQUARE_KERNELS_H
#define TERRAIN_GENERATE_DIAMOND_SQUARE_KERNELS_H

#include "base/kernels.h"

/* The random numbers of a row's points in columns x, x + stride, …, times amplitude. */
struct diamond_square_noise {
    uint64_t row;    /* its hash */
    uint64_t column; /* and that of its columns whose high word is `high` */
    uint64_t high;
    int64_t x;
    uint32_t stride;
    uint32_t distribution;
    float amplitude;
};

/* The parts of a row through centres: out[2 i] is the middle of the edge from upper[i] to lower[i],
 * which has centres[i] on its left; out[2 i + 1] = centres[i + 1]. */
struct diamond_square_odd {
    const float *upper;
    const float *lower;
    const float *centres;
    struct diamond_square_noise noise;
    uint32_t width; /* floats of the row */
};

/* The parts of a row through corners: out[2 i] = corners[i], + shift[i] if there is one;
 * out[2 i + 1] is the middle of the edge from there to corners[i + 1], with centres above[i] and
 * below[i]. */
struct diamond_square_even {
    const float *corners;
    const float *shift;
    const float *above;
    const float *below;
    struct diamond_square_noise noise;
    uint32_t width;
};

/* What every level's formulas are made of. Rows of parents, centres and shifts lie in scratch: they
 * may be read 16 floats behind what the formulas name, and `noise` and `centres` write up to 15
 * behind. */
struct diamond_square_kernels {
    /* out[i] = the i-th random number. */
    void (*noise)(float *out, const struct diamond_square_noise *noise, uint32_t count);
    /* out[i]: between upper[i], upper[i + 1], lower[i], lower[i + 1]. */
    void (*centres)(float *out, const float *upper, const float *lower,
                    const struct diamond_square_noise *noise, uint32_t count);
    void (*odd_row)(float *out, const struct diamond_square_odd *from, uint32_t mode);
    void (*even_row)(float *out, const struct diamond_square_even *from, uint32_t mode);
};

TERRAIN__DECLARE_KERNELS(diamond_square)

#endif
