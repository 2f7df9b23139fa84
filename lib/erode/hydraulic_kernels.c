/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/hydraulic_kernels.h"

#include <math.h>

#include "vector/vec.h"

static inline void hydraulic_rain_at(const struct hydraulic_row *row, size_t x, vfloat ground,
                                     vfloat water)
{
    float *centre = row->centre + x;
    water = water + vf_set(row->rain);
    vf_store(centre, ground);
    vf_store(centre + row->plane, water);
    vf_store_filled(centre + row->next, ground + water, row->width - x, NAN);
}

static void hydraulic_rain(const struct hydraulic_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        const float *centre = row->centre + x;
        hydraulic_rain_at(row, x, vf_load(centre), vf_load(centre + row->plane));
    }
}

/* A sum over the eight neighbours. Those at the corners count half: then water spreads nearly as
 * far in all directions. */
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

static void hydraulic_flow(const struct hydraulic_row *row)
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
        vfloat depth = vf_set(row->cells_per_height) * flow;
        vfloat worn =
            vf_min(vf_set(row->capacity) * (depth * vf_sqrt(depth)), vf_set(HYDRAULIC_MOST_WORN));
        vf_store(centre, vf_load(centre) - worn * falls);
        /* Where all of it flows, rounding may send away a little more. */
        vf_store(centre + row->plane, water - vf_min(flow, water));
        vf_store(centre + TERRAIN__HYDRAULIC_RUNS * row->plane, runs);
        vf_store(centre + TERRAIN__HYDRAULIC_WORN * row->plane, worn);
    }
}

struct hydraulic_share {
    vfloat water, ground;
};

/* What a neighbour gives this cell, if the neighbour is higher. */
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

static void hydraulic_take(const struct hydraulic_row *row)
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
        hydraulic_rain_at(row, x, ground, water - vf_set(row->evaporation) * water);
    }
}

const struct hydraulic_kernels TERRAIN__KERNELS(hydraulic) = {
    .rain = hydraulic_rain,
    .flow = hydraulic_flow,
    .take = hydraulic_take,
};
