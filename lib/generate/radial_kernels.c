/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "generate/radial_kernels.h"

#include "terrain/generate.h"
#include "vector/vec.h"

static inline vfloat radial_distance(vfloat x, vfloat y, uint32_t metric)
{
    switch (metric) {
    case TERRAIN_METRIC_CHEBYSHEV:
        return vf_max(vf_abs(x), vf_abs(y));
    case TERRAIN_METRIC_MANHATTAN:
        return vf_abs(x) + vf_abs(y);
    default:
        return vf_sqrt(x * x + y * y);
    }
}

/* 0 <= t <= 1 */
static inline vfloat radial_curve(vfloat t, uint32_t curve)
{
    switch (curve) {
    case TERRAIN_GENERATE_RADIAL_CURVE_SMOOTH:
        return t * t * (vf_set(3) - (t + t));
    case TERRAIN_GENERATE_RADIAL_CURVE_PARABOLA:
        return t * (vf_set(2) - t);
    case TERRAIN_GENERATE_RADIAL_CURVE_DOME:
        return vf_sqrt(t * (vf_set(2) - t));
    default:
        return t;
    }
}

static inline vfloat radial_height(vint x, vfloat y, const struct radial_profile *profile)
{
    vfloat distance = radial_distance(vf_from_int(x), y, profile->metric);
    /* A division, because it gives exactly 1 at the inner radius. */
    vfloat t = (vf_set(profile->radius) - distance) / vf_set(profile->rim);
    t = vf_min(vf_max(t, vf_set(0)), vf_set(1));
    return vf_set(profile->offset) + vf_set(profile->amplitude) * radial_curve(t, profile->curve);
}

static void radial_row(float *to, uint32_t count, int32_t x, int32_t y,
                       const struct radial_profile *pointer)
{
    const struct radial_profile profile = *pointer;
    vfloat row = vf_from_int(vi_set(y));
    vint column = vi_set(x) + vi_from_bits(vu_lane());
    uint32_t i = 0;
    for (; i + VEC_LANES <= count; i += VEC_LANES) {
        vf_store(to + i, radial_height(column, row, &profile));
        column += vi_set(VEC_LANES);
    }
    vf_store_first(to + i, radial_height(column, row, &profile), count - i);
}

const struct radial_kernels TERRAIN__KERNELS(radial) = {radial_row};
