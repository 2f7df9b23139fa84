/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_stream_power: powers of areas, slopes, and relaxing a row. */

#ifndef TERRAIN_ERODE_STREAM_POWER_KERNELS_H
#define TERRAIN_ERODE_STREAM_POWER_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* A row of heights to relax, with the rows above and below. costs[i] is by how much the land rises
 * over the width of cell i; NaN: the cell stays. One more cell on each side is read. */
struct stream_power_row {
    const float *north, *centre, *south;
    const float *costs;
    size_t count;
};

struct stream_power_kernels {
    /* powers[i] = scale * (unit * areas[i])^exponent for `count` cells, with a relative error below
     * 2e-5; areas are above 0 and below 2^31. */
    void (*powers)(float *powers, const uint32_t *areas, size_t count, float unit, float exponent,
                   float scale);
    /* slopes[i] *= rates[i], unless rates is NULL; then takes the root, if `root`, and clamps to
     * talus. */
    void (*slopes)(float *slopes, const float *rates, size_t count, bool root, float talus);
    /* A step towards land that rises by its costs in every direction, not only in eight: see
     * stream_power.c. Writes whole vectors. */
    void (*relax)(float *to, const struct stream_power_row *row);
};

TERRAIN__DECLARE_KERNELS(stream_power)

#endif
