/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/hydraulic_kernels.h"

#include <math.h>

#include "vector/vec.h"

/* Stores a vector with `left` cells left; lanes past the row's end become what is outside. */
static inline void hydraulic_store_else(float *out, vfloat v, size_t left, float outside)
{
    if (left < VEC_LANES) {
        vint end = vi_set((int32_t)left);
        v = vf_select(vi_less(vi_from_bits(vu_lane()), end), v, vf_set(outside));
    }
    vf_store(out, v);
}

static inline void hydraulic_store(float *out, vfloat v, size_t left)
{
    hydraulic_store_else(out, v, left, 0);
}

/* ---- Fast ------------------------------------------------------------------------------------ */

/* Rain takes up at once all that it can carry. */
static inline void hydraulic_fast_rain_at(const struct hydraulic_row *row, size_t x, vfloat ground,
                                          vfloat water)
{
    const vfloat rain = vf_set(row->rain);
    vf_store(row->centre + x, ground - vf_set(row->solubility) * rain);
    hydraulic_store(row->centre + row->plane + x, water + rain, row->width - x);
}

static void hydraulic_fast_rain(const struct hydraulic_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const float *centre = row->centre + x;
        hydraulic_fast_rain_at(row, x, vf_load(centre), vf_load(centre + row->plane));
    }
}

/* Keeps the lower surface, and which neighbour's it is. NaN is not lower. */
static inline void hydraulic_lower(const float *neighbour, size_t plane, int32_t number,
                                   vfloat *lowest, vint *target)
{
    vfloat surface = vf_load(neighbour) + vf_load(neighbour + plane);
    vmask lower = vf_less(surface, *lowest);
    *target = vi_select(lower, vi_set(number), *target);
    *lowest = vf_select(lower, surface, *lowest);
}

static void hydraulic_fast_flow(const struct hydraulic_row *row)
{
    const size_t plane = row->plane;
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        float *centre = row->centre + x;
        vfloat water = vf_load(centre + plane);
        vfloat surface = vf_load(centre) + water;
        vfloat lowest = surface;
        vfloat half;
        vint target = vi_set(0);
        hydraulic_lower(row->north + x, plane, 1, &lowest, &target);
        hydraulic_lower(centre - 1, plane, 2, &lowest, &target);
        hydraulic_lower(centre + 1, plane, 3, &lowest, &target);
        hydraulic_lower(row->south + x, plane, 4, &lowest, &target);
        half = vf_set(0.5f) * (surface - lowest);
        /* Without a lower neighbour it is 0, or NaN. */
        half = vf_select(vf_less(vf_set(0), half), half, vf_set(0));
        hydraulic_store(centre + TERRAIN__HYDRAULIC_FLOW * plane, vf_min(half, water),
                        row->width - x);
        vi_store((int32_t *)(void *)(centre + TERRAIN__HYDRAULIC_TARGET * plane), target);
    }
}

/* What a neighbour sends, if it sends it here. */
static inline vfloat hydraulic_from(const float *neighbour, size_t plane, int32_t number)
{
    vint target = vi_from_bits(vu_load(neighbour + TERRAIN__HYDRAULIC_TARGET * plane));
    vfloat flow = vf_load(neighbour + TERRAIN__HYDRAULIC_FLOW * plane);
    return vf_select(vi_equal(target, vi_set(number)), flow, vf_set(0));
}

static void hydraulic_fast_take(const struct hydraulic_row *row)
{
    const size_t plane = row->plane;
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        float *centre = row->centre + x;
        vfloat n = hydraulic_from(row->north + x, plane, 4);
        vfloat w = hydraulic_from(centre - 1, plane, 3);
        vfloat e = hydraulic_from(centre + 1, plane, 2);
        vfloat s = hydraulic_from(row->south + x, plane, 1);
        vfloat flow = vf_load(centre + TERRAIN__HYDRAULIC_FLOW * plane);
        vfloat water = (vf_load(centre + plane) - flow) + ((n + s) + (e + w));
        vfloat dry = vf_set(row->evaporation) * water;
        vfloat ground = vf_load(centre) + vf_set(row->solubility) * dry;
        hydraulic_fast_rain_at(row, x, ground, water - dry);
    }
}

/* ---- Reference ------------------------------------------------------------------------------- */

static inline void hydraulic_rain_at(const struct hydraulic_row *row, size_t x, vfloat ground,
                                     vfloat water, vfloat sediment)
{
    float *centre = row->centre + x;
    /* No rain, no solving: the last iteration's state stays. */
    vfloat solubility = vf_set(row->rain > 0 ? row->solubility : 0);
    vfloat solved;
    water = water + vf_set(row->rain);
    solved = solubility * water;
    vf_store(centre, ground - solved);
    hydraulic_store(centre + row->plane, water, row->width - x);
    hydraulic_store(centre + TERRAIN__HYDRAULIC_SEDIMENT * row->plane, sediment + solved,
                    row->width - x);
}

static void hydraulic_rain(const struct hydraulic_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const float *centre = row->centre + x;
        hydraulic_rain_at(row, x, vf_load(centre), vf_load(centre + row->plane),
                          vf_load(centre + TERRAIN__HYDRAULIC_SEDIMENT * row->plane));
    }
}

/* How much lower a neighbour's surface is, 0 if it is not; counts those. */
static inline vfloat hydraulic_drop(const float *neighbour, size_t plane, vfloat surface,
                                    vfloat *count)
{
    vfloat drop = surface - (vf_load(neighbour) + vf_load(neighbour + plane));
    vmask lower = vf_less(vf_set(0), drop);
    *count = *count + vf_select(lower, vf_set(1), vf_set(0));
    return vf_select(lower, drop, vf_set(0));
}

static void hydraulic_flow(const struct hydraulic_row *row)
{
    const size_t plane = row->plane;
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const size_t left = row->width - x;
        float *centre = row->centre + x;
        const float *north = row->north + x;
        const float *south = row->south + x;
        vfloat water = vf_load(centre + plane);
        vfloat surface = vf_load(centre) + water;
        vfloat count = vf_set(1);
        vfloat n = hydraulic_drop(north, plane, surface, &count);
        vfloat s = hydraulic_drop(south, plane, surface, &count);
        vfloat e = hydraulic_drop(centre + 1, plane, surface, &count);
        vfloat w = hydraulic_drop(centre - 1, plane, surface, &count);
        vfloat ne = hydraulic_drop(north + 1, plane, surface, &count);
        vfloat sw = hydraulic_drop(south - 1, plane, surface, &count);
        vfloat nw = hydraulic_drop(north - 1, plane, surface, &count);
        vfloat se = hydraulic_drop(south + 1, plane, surface, &count);
        vfloat total = ((n + s) + (e + w)) + ((ne + sw) + (nw + se));
        vfloat most = total / count;
        vmask flows = vm_and(vf_less(vf_set(0), total), vf_less(vf_set(0), water));
        vfloat flow = vf_select(flows, vf_min(most, water), vf_set(0));
        vfloat carried = vf_load(centre + TERRAIN__HYDRAULIC_SEDIMENT * plane) / water;
        hydraulic_store(centre + TERRAIN__HYDRAULIC_SURFACE * plane, surface, left);
        hydraulic_store(centre + TERRAIN__HYDRAULIC_FLOW * plane, flow, left);
        hydraulic_store(centre + TERRAIN__HYDRAULIC_SHARE * plane,
                        vf_select(flows, flow / total, vf_set(0)), left);
        hydraulic_store(centre + TERRAIN__HYDRAULIC_LOAD * plane,
                        vf_select(flows, carried, vf_set(0)), left);
    }
}

struct hydraulic_gain {
    vfloat water, sediment;
};

static inline struct hydraulic_gain hydraulic_gain_of(const float *neighbour, size_t plane,
                                                      vfloat surface)
{
    struct hydraulic_gain gain;
    vfloat drop = vf_load(neighbour + TERRAIN__HYDRAULIC_SURFACE * plane) - surface;
    vfloat flow = vf_load(neighbour + TERRAIN__HYDRAULIC_SHARE * plane) * drop;
    gain.water = vf_select(vf_less(vf_set(0), drop), flow, vf_set(0));
    gain.sediment = gain.water * vf_load(neighbour + TERRAIN__HYDRAULIC_LOAD * plane);
    return gain;
}

#define HYDRAULIC_SUM(part)                                                                        \
    (((n.part + s.part) + (e.part + w.part)) + ((ne.part + sw.part) + (nw.part + se.part)))

static void hydraulic_take(const struct hydraulic_row *row)
{
    const size_t plane = row->plane;
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        float *centre = row->centre + x;
        const float *north = row->north + x;
        const float *south = row->south + x;
        vfloat surface = vf_load(centre + TERRAIN__HYDRAULIC_SURFACE * plane);
        vfloat flow = vf_load(centre + TERRAIN__HYDRAULIC_FLOW * plane);
        vfloat load = flow * vf_load(centre + TERRAIN__HYDRAULIC_LOAD * plane);
        vfloat silt = vf_load(centre + TERRAIN__HYDRAULIC_SEDIMENT * plane);
        vfloat water, sediment, kept;
        struct hydraulic_gain n = hydraulic_gain_of(north, plane, surface);
        struct hydraulic_gain s = hydraulic_gain_of(south, plane, surface);
        struct hydraulic_gain e = hydraulic_gain_of(centre + 1, plane, surface);
        struct hydraulic_gain w = hydraulic_gain_of(centre - 1, plane, surface);
        struct hydraulic_gain ne = hydraulic_gain_of(north + 1, plane, surface);
        struct hydraulic_gain sw = hydraulic_gain_of(south - 1, plane, surface);
        struct hydraulic_gain nw = hydraulic_gain_of(north - 1, plane, surface);
        struct hydraulic_gain se = hydraulic_gain_of(south + 1, plane, surface);
        water = (vf_load(centre + plane) - flow) + HYDRAULIC_SUM(water);
        water = water - vf_set(row->evaporation) * water;
        /* Of all that it holds, rounding may send away a little more. */
        sediment = (silt - vf_min(load, silt)) + HYDRAULIC_SUM(sediment);
        kept = vf_min(vf_set(row->capacity) * water, sediment);
        hydraulic_rain_at(row, x, vf_load(centre) + (sediment - kept), water, kept);
    }
}

/* ---- Carve ----------------------------------------------------------------------------------- */

static inline void hydraulic_carve_rain_at(const struct hydraulic_row *row, size_t x, vfloat ground,
                                           vfloat water)
{
    float *centre = row->centre + x;
    water = water + vf_set(row->rain);
    vf_store(centre, ground);
    vf_store(centre + row->plane, water);
    hydraulic_store_else(centre + row->next, ground + water, row->width - x, NAN);
}

static void hydraulic_carve_rain(const struct hydraulic_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const float *centre = row->centre + x;
        hydraulic_carve_rain_at(row, x, vf_load(centre), vf_load(centre + row->plane));
    }
}

/* Of eight neighbours. Those at the corners count half: then water spreads nearly as far in all
 * directions. */
#define HYDRAULIC_AROUND(part)                                                                     \
    (((n part + s part) + (e part + w part)) +                                                     \
     vf_set(0.5f) * ((ne part + sw part) + (nw part + se part)))

static inline vfloat hydraulic_fall(vfloat surface, const float *neighbour)
{
    vfloat fall = surface - vf_load(neighbour);
    return vf_select(vf_less(vf_set(0), fall), fall, vf_set(0));
}

/* The most that goes for each unit of the falls, whose weights add up to 6: so little that a cell
 * and its neighbours become more alike, and never change places. */
#define HYDRAULIC_MOST_RUNS 0.09375f
#define HYDRAULIC_MOST_WORN 0.0625f

static void hydraulic_carve_flow(const struct hydraulic_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        float *centre = row->centre + x;
        const float *here = centre + row->now;
        const float *north = row->north + row->now + x;
        const float *south = row->south + row->now + x;
        vfloat water = vf_load(centre + row->plane);
        vfloat surface = vf_load(here);
        vfloat n = hydraulic_fall(surface, north);
        vfloat s = hydraulic_fall(surface, south);
        vfloat e = hydraulic_fall(surface, here + 1);
        vfloat w = hydraulic_fall(surface, here - 1);
        vfloat ne = hydraulic_fall(surface, north + 1);
        vfloat sw = hydraulic_fall(surface, south - 1);
        vfloat nw = hydraulic_fall(surface, north - 1);
        vfloat se = hydraulic_fall(surface, south + 1);
        vfloat falls = HYDRAULIC_AROUND();
        vmask flows = vf_less(vf_set(0), falls);
        vfloat most = vf_min(water / falls, vf_set(HYDRAULIC_MOST_RUNS));
        vfloat runs = vf_select(flows, most, vf_set(0));
        vfloat flow = runs * falls;
        vfloat depth = vf_set(row->cells) * flow;
        vfloat worn =
            vf_min(vf_set(row->capacity) * (depth * vf_sqrt(depth)), vf_set(HYDRAULIC_MOST_WORN));
        vf_store(centre, vf_load(centre) - worn * falls);
        /* Of all that there is, rounding may send away a little more. */
        vf_store(centre + row->plane, water - vf_min(flow, water));
        vf_store(centre + TERRAIN__HYDRAULIC_RUNS * row->plane, runs);
        vf_store(centre + TERRAIN__HYDRAULIC_WORN * row->plane, worn);
    }
}

struct hydraulic_share {
    vfloat water, ground;
};

/* What comes from a neighbour, if it is higher. */
static inline struct hydraulic_share hydraulic_share_of(const struct hydraulic_row *row,
                                                        const float *neighbour, vfloat surface)
{
    struct hydraulic_share share;
    vfloat fall = vf_load(neighbour + row->now) - surface;
    fall = vf_select(vf_less(vf_set(0), fall), fall, vf_set(0));
    share.water = fall * vf_load(neighbour + TERRAIN__HYDRAULIC_RUNS * row->plane);
    share.ground = fall * vf_load(neighbour + TERRAIN__HYDRAULIC_WORN * row->plane);
    return share;
}

static void hydraulic_carve_take(const struct hydraulic_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const float *centre = row->centre + x;
        const float *north = row->north + x;
        const float *south = row->south + x;
        vfloat surface = vf_load(centre + row->now);
        struct hydraulic_share n = hydraulic_share_of(row, north, surface);
        struct hydraulic_share s = hydraulic_share_of(row, south, surface);
        struct hydraulic_share e = hydraulic_share_of(row, centre + 1, surface);
        struct hydraulic_share w = hydraulic_share_of(row, centre - 1, surface);
        struct hydraulic_share ne = hydraulic_share_of(row, north + 1, surface);
        struct hydraulic_share sw = hydraulic_share_of(row, south - 1, surface);
        struct hydraulic_share nw = hydraulic_share_of(row, north - 1, surface);
        struct hydraulic_share se = hydraulic_share_of(row, south + 1, surface);
        vfloat water = vf_load(centre + row->plane) + HYDRAULIC_AROUND(.water);
        vfloat ground = vf_load(centre) + HYDRAULIC_AROUND(.ground);
        hydraulic_carve_rain_at(row, x, ground, water - vf_set(row->evaporation) * water);
    }
}

const struct hydraulic_kernels TERRAIN__KERNELS(hydraulic) = {
    .rain = {hydraulic_fast_rain, hydraulic_rain, hydraulic_carve_rain},
    .flow = {hydraulic_fast_flow, hydraulic_flow, hydraulic_carve_flow},
    .take = {hydraulic_fast_take, hydraulic_take, hydraulic_carve_take},
};
