/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/rain_kernels.h"

#include "vector/vec.h"

/* ---- Fast ------------------------------------------------------------------------------------ */

/* Rain takes up at once all that it can carry. */
static inline void rain_fast_rain_at(const struct rain_row *row, size_t x, vfloat ground,
                                     vfloat water)
{
    const vfloat rain = vf_set(row->rain);
    vf_store(row->centre + x, ground - vf_set(row->solubility) * rain);
    vf_store_filled(row->centre + row->plane + x, water + rain, row->width - x, 0);
}

static void rain_fast_rain(const struct rain_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const float *centre = row->centre + x;
        rain_fast_rain_at(row, x, vf_load(centre), vf_load(centre + row->plane));
    }
}

/* Keeps the lower surface, and which neighbour's it is. NaN is not lower. */
static inline void rain_lower(const float *neighbour, size_t plane, int32_t number, vfloat *lowest,
                              vint *target)
{
    vfloat surface = vf_load(neighbour) + vf_load(neighbour + plane);
    vmask lower = vf_less(surface, *lowest);
    *target = vi_select(lower, vi_set(number), *target);
    *lowest = vf_select(lower, surface, *lowest);
}

static void rain_fast_flow(const struct rain_row *row)
{
    const size_t plane = row->plane;
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        float *centre = row->centre + x;
        vfloat water = vf_load(centre + plane);
        vfloat surface = vf_load(centre) + water;
        vfloat lowest = surface;
        vfloat half;
        vint target = vi_set(0);
        rain_lower(row->north + x, plane, 1, &lowest, &target);
        rain_lower(centre - 1, plane, 2, &lowest, &target);
        rain_lower(centre + 1, plane, 3, &lowest, &target);
        rain_lower(row->south + x, plane, 4, &lowest, &target);
        half = vf_set(0.5f) * (surface - lowest);
        /* Without a lower neighbour it is 0, or NaN. */
        half = vf_select(vf_less(vf_set(0), half), half, vf_set(0));
        vf_store_filled(centre + TERRAIN__RAIN_FLOW * plane, vf_min(half, water), row->width - x,
                        0);
        vi_store((int32_t *)(void *)(centre + TERRAIN__RAIN_TARGET * plane), target);
    }
}

/* The water that a neighbour sends here. */
static inline vfloat rain_from(const float *neighbour, size_t plane, int32_t number)
{
    vint target = vi_from_bits(vu_load(neighbour + TERRAIN__RAIN_TARGET * plane));
    vfloat flow = vf_load(neighbour + TERRAIN__RAIN_FLOW * plane);
    return vf_select(vi_equal(target, vi_set(number)), flow, vf_set(0));
}

static void rain_fast_take(const struct rain_row *row)
{
    const size_t plane = row->plane;
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        float *centre = row->centre + x;
        vfloat n = rain_from(row->north + x, plane, 4);
        vfloat w = rain_from(centre - 1, plane, 3);
        vfloat e = rain_from(centre + 1, plane, 2);
        vfloat s = rain_from(row->south + x, plane, 1);
        vfloat flow = vf_load(centre + TERRAIN__RAIN_FLOW * plane);
        vfloat water = (vf_load(centre + plane) - flow) + ((n + s) + (e + w));
        vfloat dry = vf_set(row->evaporation) * water;
        vfloat ground = vf_load(centre) + vf_set(row->solubility) * dry;
        rain_fast_rain_at(row, x, ground, water - dry);
    }
}

/* ---- Reference ------------------------------------------------------------------------------- */

static inline void rain_reference_rain_at(const struct rain_row *row, size_t x, vfloat ground,
                                          vfloat water, vfloat sediment)
{
    float *centre = row->centre + x;
    /* No rain, no solving: the last iteration's state stays. */
    vfloat solubility = vf_set(row->rain > 0 ? row->solubility : 0);
    water = water + vf_set(row->rain);
    vfloat solved = solubility * water;
    ground = ground - solved;
    vf_store(centre, ground);
    vf_store(centre + TERRAIN__RAIN_LEVEL * row->plane, ground + water);
    vf_store_filled(centre + row->plane, water, row->width - x, 0);
    vf_store_filled(centre + TERRAIN__RAIN_SEDIMENT * row->plane, sediment + solved, row->width - x,
                    0);
}

static void rain_reference_rain(const struct rain_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const float *centre = row->centre + x;
        rain_reference_rain_at(row, x, vf_load(centre), vf_load(centre + row->plane),
                               vf_load(centre + TERRAIN__RAIN_SEDIMENT * row->plane));
    }
}

/* How much lower a neighbour's surface is, 0 if it is not; counts those. */
static inline vfloat rain_drop(const float *level, vfloat surface, vfloat *count)
{
    vfloat drop = surface - vf_load(level);
    vmask lower = vf_less(vf_set(0), drop);
    *count = *count + vf_select(lower, vf_set(1), vf_set(0));
    return vf_select(lower, drop, vf_set(0));
}

static void rain_reference_flow(const struct rain_row *row)
{
    const size_t plane = row->plane;
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const size_t left = row->width - x;
        float *centre = row->centre + x;
        const float *level = centre + TERRAIN__RAIN_LEVEL * plane;
        const float *north = row->north + TERRAIN__RAIN_LEVEL * plane + x;
        const float *south = row->south + TERRAIN__RAIN_LEVEL * plane + x;
        vfloat water = vf_load(centre + plane);
        vfloat surface = vf_load(level);
        vfloat count = vf_set(1);
        vfloat n = rain_drop(north, surface, &count);
        vfloat s = rain_drop(south, surface, &count);
        vfloat e = rain_drop(level + 1, surface, &count);
        vfloat w = rain_drop(level - 1, surface, &count);
        vfloat ne = rain_drop(north + 1, surface, &count);
        vfloat sw = rain_drop(south - 1, surface, &count);
        vfloat nw = rain_drop(north - 1, surface, &count);
        vfloat se = rain_drop(south + 1, surface, &count);
        vfloat total = ((n + s) + (e + w)) + ((ne + sw) + (nw + se));
        vfloat most = total / count;
        vmask flows = vm_and(vf_less(vf_set(0), total), vf_less(vf_set(0), water));
        vfloat flow = vf_select(flows, vf_min(most, water), vf_set(0));
        vfloat carried = vf_load(centre + TERRAIN__RAIN_SEDIMENT * plane) / water;
        vf_store_filled(centre + TERRAIN__RAIN_SURFACE * plane, surface, left, 0);
        vf_store_filled(centre + TERRAIN__RAIN_FLOW * plane, flow, left, 0);
        vf_store_filled(centre + TERRAIN__RAIN_SHARE * plane,
                        vf_select(flows, flow / total, vf_set(0)), left, 0);
        vf_store_filled(centre + TERRAIN__RAIN_LOAD * plane, vf_select(flows, carried, vf_set(0)),
                        left, 0);
    }
}

struct rain_gain {
    vfloat water, sediment;
};

static inline struct rain_gain rain_gain_of(const float *neighbour, size_t plane, vfloat surface)
{
    struct rain_gain gain;
    vfloat drop = vf_load(neighbour + TERRAIN__RAIN_SURFACE * plane) - surface;
    vfloat flow = vf_load(neighbour + TERRAIN__RAIN_SHARE * plane) * drop;
    gain.water = vf_select(vf_less(vf_set(0), drop), flow, vf_set(0));
    gain.sediment = gain.water * vf_load(neighbour + TERRAIN__RAIN_LOAD * plane);
    return gain;
}

#define RAIN_SUM(part)                                                                             \
    (((n.part + s.part) + (e.part + w.part)) + ((ne.part + sw.part) + (nw.part + se.part)))

static void rain_reference_take(const struct rain_row *row)
{
    const size_t plane = row->plane;
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        float *centre = row->centre + x;
        const float *north = row->north + x;
        const float *south = row->south + x;
        vfloat surface = vf_load(centre + TERRAIN__RAIN_SURFACE * plane);
        vfloat flow = vf_load(centre + TERRAIN__RAIN_FLOW * plane);
        vfloat load = flow * vf_load(centre + TERRAIN__RAIN_LOAD * plane);
        vfloat silt = vf_load(centre + TERRAIN__RAIN_SEDIMENT * plane);
        vfloat water, sediment, kept;
        struct rain_gain n = rain_gain_of(north, plane, surface);
        struct rain_gain s = rain_gain_of(south, plane, surface);
        struct rain_gain e = rain_gain_of(centre + 1, plane, surface);
        struct rain_gain w = rain_gain_of(centre - 1, plane, surface);
        struct rain_gain ne = rain_gain_of(north + 1, plane, surface);
        struct rain_gain sw = rain_gain_of(south - 1, plane, surface);
        struct rain_gain nw = rain_gain_of(north - 1, plane, surface);
        struct rain_gain se = rain_gain_of(south + 1, plane, surface);
        water = (vf_load(centre + plane) - flow) + RAIN_SUM(water);
        water = water - vf_set(row->evaporation) * water;
        /* Where all of it goes, rounding may send away a little more. */
        sediment = (silt - vf_min(load, silt)) + RAIN_SUM(sediment);
        kept = vf_min(vf_set(row->capacity) * water, sediment);
        rain_reference_rain_at(row, x, vf_load(centre) + (sediment - kept), water, kept);
    }
}

const struct rain_kernels TERRAIN__KERNELS(rain) = {
    .rain = {rain_fast_rain, rain_reference_rain},
    .flow = {rain_fast_flow, rain_reference_flow},
    .take = {rain_fast_take, rain_reference_take},
};
