/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The noise that varies radii and folds, as blur_variable and shape_strata describe it. */

#ifndef ORACLE_LATTICE_H
#define ORACLE_LATTICE_H

#include "core/random.h"

static inline int64_t oracle_floor_div(int64_t a, int64_t b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

static inline double oracle_lattice_node(uint64_t stream, int64_t k, int64_t j, double u, double v)
{
    uint32_t bits = terrain__random_cell(stream, k, j);
    double value = (2.0 * (double)(bits >> 20) + 1) / 4096 - 1;
    double east = (2.0 * (double)((bits >> 10) & 1023) + 1) / 1024 - 1;
    double south = (2.0 * (double)(bits & 1023) + 1) / 1024 - 1;
    return value + east * u + south * v;
}

static inline double oracle_fade(double t)
{
    return ((6 * t - 15) * t + 10) * t * t * t;
}

static inline double oracle_lattice(uint64_t stream, uint32_t period, int64_t x, int64_t y)
{
    int64_t k = oracle_floor_div(x, period), j = oracle_floor_div(y, period);
    double u = (double)(x - k * period) / (double)period;
    double v = (double)(y - j * period) / (double)period;
    double a = (1 - oracle_fade(u)) * oracle_lattice_node(stream, k, j, u, v) +
               oracle_fade(u) * oracle_lattice_node(stream, k + 1, j, u - 1, v);
    double b = (1 - oracle_fade(u)) * oracle_lattice_node(stream, k, j + 1, u, v - 1) +
               oracle_fade(u) * oracle_lattice_node(stream, k + 1, j + 1, u - 1, v - 1);
    return a + oracle_fade(v) * (b - a);
}

#endif
