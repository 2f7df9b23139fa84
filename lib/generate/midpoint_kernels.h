/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of generate_midpoint: rows of a level from those of the next coarser or finer one. */

#ifndef TERRAIN_GENERATE_MIDPOINT_KERNELS_H
#define TERRAIN_GENERATE_MIDPOINT_KERNELS_H

#include "base/kernels.h"

/* Floats that rows have before and behind them: kernels read one before; behind, vectors of pairs
 * are written whole. */
enum { MIDPOINT_BEFORE = 16, MIDPOINT_BEHIND = 48 };

/* The known heights of a row, and how much each counts, 0 to 1. weights NULL: heights is NaN where
 * nothing is known, and the rest counts 1. */
struct midpoint_known {
    const float *heights;
    const float *weights;
};

/* Random numbers for the even and odd points of a row; even may be NULL for none. */
struct midpoint_noise {
    const float *even;
    const float *odd;
};

struct midpoint_kernels {
    /* out[i] = finite heights, NaN for others. */
    void (*take)(float *out, const float *constraints, uint32_t width);
    /* pairs + 1 points of a coarse row from 2 pairs of rows 2 y - 1, 2 y, 2 y + 1 of the finer
     * level, and what fills the last vector; `sums` has room for two rows. */
    void (*pull)(float *heights, float *weights, const struct midpoint_known rows[3], float *sums,
                 size_t sums_stride, uint32_t pairs);
    /* Fills the unknown points of a row: the mean of the known points among eight neighbours, +
     * numbers. */
    void (*estimate)(float *out, const float *up, const float *row, const float *down,
                     const float *numbers, uint32_t width);
    /* A row through a row of the level above, its points and the middles of its edges; and a row
     * between two: the middles of edges and of squares. */
    void (*even_row)(float *out, const float *corners, uint32_t pairs);
    void (*odd_row)(float *out, const float *upper, const float *lower, uint32_t pairs);
    /* The mean of the eight neighbours of each point, drawn to what is known by weights. */
    void (*relax)(float *out, const float *up, const float *row, const float *down,
                  const struct midpoint_known *known, uint32_t width);
    /* Draws a row to what is known of it. */
    void (*hold)(float *row, const struct midpoint_known *known, uint32_t width);
    /* Adds numbers where nothing is known; `numbers` is room for them. */
    void (*displace)(float *row, const struct midpoint_known *known,
                     const struct midpoint_noise *noise, float *numbers, uint32_t pairs);
};

TERRAIN__DECLARE_KERNELS(midpoint)

#endif
