/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/stream_power_kernels.h"

#include "vector/power_vec.h"

static void stream_power_powers(float *powers, const uint32_t *areas, size_t count, float unit,
                                float exponent, float scale)
{
    for (size_t i = 0; i < count; i += VEC_LANES) {
        const vfloat area = vf_from_int(vi_from_bits(vu_load(areas + i))) * vf_set(unit);
        vfloat log2 = vf_set(exponent) * vf_log2(area);
        log2 = vf_min(vf_max(log2, vf_set(-126)), vf_set(126));
        vf_store(powers + i, vf_set(scale) * vf_exp2(log2));
    }
}

static void stream_power_slopes(float *slopes, const float *rates, size_t count, bool root,
                                float talus)
{
    for (size_t i = 0; i < count; i += VEC_LANES) {
        vfloat slope = vf_load(slopes + i);
        slope = rates == NULL ? slope : slope * vf_load(rates + i);
        slope = root ? vf_sqrt(slope) : slope;
        vf_store(slopes + i, vf_min(slope, vf_set(talus)));
    }
}

/* The height of land that rises from two lower neighbours at right angles, a and b: the greater
 * root of (v - a)^2 + (v - b)^2 = cost^2, or the lower neighbour plus cost. */
static inline vfloat stream_power_upwind(vfloat a, vfloat b, vfloat cost)
{
    const vfloat drop = a - b;
    const vfloat square = vf_set(2) * cost * cost - drop * drop;
    const vfloat both = vf_set(0.5f) * ((a + b) + vf_sqrt(vf_max(square, vf_set(0))));
    return vf_select(vf_less(vf_abs(drop), cost), both, vf_min(a, b) + cost);
}

/* How far a relaxed cell stays above its lowest neighbour, as a part of its cost. */
#define STREAM_POWER_LEAST_RISE 0x1p-6f

static void stream_power_relax(float *to, const struct stream_power_row *row)
{
    for (size_t i = 0; i < row->count; i += VEC_LANES) {
        const vfloat cost = vf_load(row->costs + i), old = vf_load(row->centre + i);
        const vfloat west = vf_load(row->centre + i - 1), east = vf_load(row->centre + i + 1);
        const vfloat north = vf_load(row->north + i), south = vf_load(row->south + i);
        const vfloat a = vf_min(west, east), b = vf_min(north, south);
        const vfloat c = vf_min(vf_load(row->north + i - 1), vf_load(row->south + i + 1));
        const vfloat d = vf_min(vf_load(row->north + i + 1), vf_load(row->south + i - 1));
        const vfloat lowest = vf_min(vf_min(a, b), vf_min(c, d));
        vfloat v = vf_min(stream_power_upwind(a, b, cost),
                          stream_power_upwind(c, d, cost * vf_set(1.41421356f)));
        v = vf_max(v, lowest + cost * vf_set(STREAM_POWER_LEAST_RISE));
        v = vf_select(vm_and(vf_less(lowest, v), vf_less(v, old)), v, old);
        vf_store(to + i, v);
    }
}

const struct stream_power_kernels TERRAIN__KERNELS(stream_power) = {
    .powers = stream_power_powers,
    .slopes = stream_power_slopes,
    .relax = stream_power_relax,
};
