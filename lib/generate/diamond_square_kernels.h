/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_GENERATE_DIAMOND_SQUARE_KERNELS_H
#define TERRAIN_GENERATE_DIAMOND_SQUARE_KERNELS_H

#include "core/kernels.h"

/* What every level's formulas are made of. Rows of parents, centres and noise lie in scratch: they
 * may be read 16 floats behind what the formulas name, and `noise` and `centres` write up to 15
 * behind. */
struct diamond_square_kernels {
    /* out[i] = amplitude times the random number at column x + stride * i of the row whose hash is
     * `row`. */
    void (*noise)(float *out, uint32_t count, uint64_t row, int64_t x, uint32_t stride,
                  float amplitude, uint32_t distribution);
    /* out[i]: between upper[i], upper[i + 1], lower[i], lower[i + 1]. out may be noise. */
    void (*centres)(float *out, const float *upper, const float *lower, const float *noise,
                    uint32_t count);
    /* A row through centres: out[2 i] is the middle of the edge from upper[i] to lower[i], which
     * has centres[i] on its left; out[2 i + 1] = centres[i + 1]. */
    void (*odd_row)(float *out, const float *upper, const float *lower, const float *centres,
                    const float *noise, uint32_t count, uint32_t rule);
    /* A row through corners: out[2 i] = corners[i], + shift[i] if there is one; out[2 i + 1] is the
     * middle of the edge from there to corners[i + 1], with centres above[i] and below[i]. */
    void (*even_row)(float *out, const float *corners, const float *shift, const float *above,
                     const float *below, const float *noise, uint32_t count, uint32_t rule);
};

TERRAIN__DECLARE_KERNELS(diamond_square)

#endif
