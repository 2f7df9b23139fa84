/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The noise of folds and of radii: between four nodes' planes by a fade, down and across. */

#ifndef ORACLE_LATTICE_H
#define ORACLE_LATTICE_H

#include "vector/random.h"

/* The plane of node (i, j), p cells east and q cells south of it. */
static inline double oracle_lattice_plane(uint64_t stream, uint32_t period, int64_t i, int64_t j,
                                          int64_t p, int64_t q)
{
    uint32_t bits = terrain__random_cell(stream, i, j);
    double value = ((bits >> 20) + 0.5) / 2048 - 1;
    double east = ((bits >> 10 & 1023) + 0.5) / 512 - 1;
    double south = ((bits & 1023) + 0.5) / 512 - 1;
    return value + (east * (double)p + south * (double)q) / period;
}

static inline double oracle_lattice_between(double a, double b, int64_t p, uint32_t period)
{
    double t = (double)p / period;
    double s = 6 * t * t * t * t * t - 15 * t * t * t * t + 10 * t * t * t;
    return (1 - s) * a + s * b;
}

/* n at world cell (x, y). */
static inline double oracle_lattice(uint64_t stream, uint32_t period, int64_t x, int64_t y)
{
    int64_t p = x % period + (x % period < 0 ? period : 0), i = (x - p) / period;
    int64_t q = y % period + (y % period < 0 ? period : 0), j = (y - q) / period;
    int64_t back_p = p - period, back_q = q - period;
    double west = oracle_lattice_between(oracle_lattice_plane(stream, period, i, j, p, q),
                                         oracle_lattice_plane(stream, period, i, j + 1, p, back_q),
                                         q, period);
    double east = oracle_lattice_between(
        oracle_lattice_plane(stream, period, i + 1, j, back_p, q),
        oracle_lattice_plane(stream, period, i + 1, j + 1, back_p, back_q), q, period);
    return oracle_lattice_between(west, east, p, period);
}

#endif
