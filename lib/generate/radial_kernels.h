/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of generate_radial: a row of the hill. */

#ifndef TERRAIN_GENERATE_RADIAL_KERNELS_H
#define TERRAIN_GENERATE_RADIAL_KERNELS_H

#include "base/kernels.h"

struct radial_profile {
    uint32_t metric; /* TERRAIN_METRIC_EUCLIDEAN, … */
    uint32_t curve;  /* TERRAIN_GENERATE_RADIAL_CURVE_LINEAR, … */
    float radius;
    float rim; /* radius - inner */
    float amplitude;
    float offset;
};

struct radial_kernels {
    /* Heights at (x, y), (x + 1, y), … from the centre, in cells. |x| and |y| are at most 2^30, and
     * count is at most 2^16. */
    void (*row)(float *to, uint32_t count, int32_t x, int32_t y,
                const struct radial_profile *profile);
};

TERRAIN__DECLARE_KERNELS(radial)

#endif
