/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/velocity_kernels.h"

#include <math.h>

#include "vector/vec.h"

/* Steeper slopes count as this: squares of them are far from overflow. */
#define VELOCITY_STEEPEST 0x1p20f

/* Deep water gains speed more slowly, so that its waves die down. */
#define VELOCITY_HEAVY 8.0f

/* Cells that take each step together. */
enum { VELOCITY_PATCH = 128 };

static inline vmask velocity_is_land(vfloat ground)
{
    return vf_less(vf_abs(ground), vf_set(INFINITY));
}

/* A neighbour's ground, and how much higher its ground and its surface are, and how much more silt
 * it has; 0 of a wall. */
struct velocity_neighbour {
    vfloat ground, rise, surface_rise, silt;
};

static inline struct velocity_neighbour velocity_look(const struct velocity_row *row, vfloat ground,
                                                      vfloat surface, vfloat silt,
                                                      const float *cell)
{
    struct velocity_neighbour there;
    vmask land;
    there.ground = vf_load(cell);
    land = velocity_is_land(there.ground);
    there.rise = vf_select(land, there.ground - ground, vf_set(0));
    there.surface_rise =
        vf_select(land, there.ground + vf_load(cell + row->plane) - surface, vf_set(0));
    there.silt =
        vf_select(land, vf_load(cell + TERRAIN__VELOCITY_SEDIMENT * row->plane) - silt, vf_set(0));
    return there;
}

/* The slope between two sides a cell apart from here, which count 1/4, and two pairs of corners. */
static inline vfloat velocity_slope(const struct velocity_row *row, vfloat sides, vfloat corners)
{
    vfloat rise = vf_set(0.25f) * sides + vf_set(0.125f) * corners;
    return vf_max(vf_min(vf_set(row->cells_per_height) * rise, vf_set(VELOCITY_STEEPEST)),
                  vf_set(-VELOCITY_STEEPEST));
}

/* 0 where a velocity leads into a wall: ahead lies the ground where it is above 0, behind where it
 * is below. */
static inline vfloat velocity_stop(vfloat v, vfloat ahead, vfloat behind)
{
    vfloat next = vf_select(vf_less(vf_set(0), v), ahead, behind);
    return vf_select(velocity_is_land(next), v, vf_set(0));
}

/* What the steps hand on, beside what is about to leave a cell. */
struct velocity_patch {
    float slope_x[VELOCITY_PATCH], slope_y[VELOCITY_PATCH]; /* of the surface */
    float low[VELOCITY_PATCH], mean[VELOCITY_PATCH];        /* of the neighbours' rises */
    float hit[VELOCITY_PATCH]; /* half the square of the speed that leads into the ground */
};

/* The surface's slope, how much higher the neighbours lie, and sediment that is mixed with that of
 * the four sides. */
TERRAIN__INLINE void velocity_survey(const struct velocity_row *row, size_t x,
                                     struct velocity_patch *patch, size_t i)
{
    float *centre = row->centre + x;
    const float *north = row->north + x, *south = row->south + x;
    vfloat ground = vf_load(centre);
    vfloat surface = ground + vf_load(centre + row->plane);
    vfloat silt = vf_load(centre + TERRAIN__VELOCITY_SEDIMENT * row->plane);
    struct velocity_neighbour n = velocity_look(row, ground, surface, silt, north);
    struct velocity_neighbour s = velocity_look(row, ground, surface, silt, south);
    struct velocity_neighbour e = velocity_look(row, ground, surface, silt, centre + 1);
    struct velocity_neighbour w = velocity_look(row, ground, surface, silt, centre - 1);
    struct velocity_neighbour ne = velocity_look(row, ground, surface, silt, north + 1);
    struct velocity_neighbour sw = velocity_look(row, ground, surface, silt, south - 1);
    struct velocity_neighbour nw = velocity_look(row, ground, surface, silt, north - 1);
    struct velocity_neighbour se = velocity_look(row, ground, surface, silt, south + 1);

    /* By Horn. */
    vf_store(patch->slope_x + i, velocity_slope(row, e.surface_rise - w.surface_rise,
                                                (ne.surface_rise - nw.surface_rise) +
                                                    (se.surface_rise - sw.surface_rise)));
    vf_store(patch->slope_y + i, velocity_slope(row, s.surface_rise - n.surface_rise,
                                                (sw.surface_rise - nw.surface_rise) +
                                                    (se.surface_rise - ne.surface_rise)));
    vf_store(patch->low + i, vf_min(vf_min(vf_min(n.rise, s.rise), vf_min(e.rise, w.rise)),
                                    vf_min(vf_min(ne.rise, sw.rise), vf_min(nw.rise, se.rise))));
    vf_store(patch->mean + i,
             vf_set(0x1.555556p-3f) * ((n.rise + s.rise) + (e.rise + w.rise)) +
                 vf_set(0x1.555556p-4f) * ((ne.rise + sw.rise) + (nw.rise + se.rise)));
    vf_store(centre + TERRAIN__VELOCITY_LEFT_SEDIMENT * row->plane,
             silt + vf_set(0.125f) * ((n.silt + s.silt) + (e.silt + w.silt)));
}

/* Water that runs into the ground loses what leads into it. All water gains speed downhill, and
 * loses some by friction. */
TERRAIN__INLINE void velocity_fall(const struct velocity_row *row, size_t x,
                                   struct velocity_patch *patch, size_t i)
{
    const vfloat zero = vf_set(0), one = vf_set(1), half = vf_set(0.5f);
    float *centre = row->centre + x;
    vfloat slope_x = vf_load(patch->slope_x + i), slope_y = vf_load(patch->slope_y + i);
    vfloat stretch = one + (slope_x * slope_x + slope_y * slope_y);
    vfloat cosine = one / vf_sqrt(stretch);
    vfloat vx = vf_load(centre + TERRAIN__VELOCITY_X * row->plane);
    vfloat vy = vf_load(centre + TERRAIN__VELOCITY_Y * row->plane);
    vfloat vz = vf_load(centre + TERRAIN__VELOCITY_Z * row->plane);
    vfloat into = vf_min((vz - (vx * slope_x + vy * slope_y)) * (cosine * cosine), zero);
    vfloat hit = half * (into * into) * stretch;
    vfloat depth = vf_set(row->cells_per_height) * vf_load(centre + row->plane);
    vfloat pull = vf_set(row->gravity) * cosine / (one + vf_set(VELOCITY_HEAVY) * depth);
    vfloat kept = one - vf_set(row->friction);
    vf_store(centre + TERRAIN__VELOCITY_LEFT_X * row->plane,
             kept * ((vx + into * slope_x) - pull * slope_x));
    vf_store(centre + TERRAIN__VELOCITY_LEFT_Y * row->plane,
             kept * ((vy + into * slope_y) - pull * slope_y));
    vf_store(patch->hit + i, hit);
}

/* None goes into a wall, or farther than a cell. */
TERRAIN__INLINE void velocity_limit(const struct velocity_row *row, size_t x,
                                    const struct velocity_patch *patch, size_t i)
{
    const vfloat zero = vf_set(0), one = vf_set(1);
    float *centre = row->centre + x;
    const float *north = row->north + x, *south = row->south + x;
    vmask land = velocity_is_land(vf_load(centre));
    vfloat vx = vf_load(centre + TERRAIN__VELOCITY_LEFT_X * row->plane);
    vfloat vy = vf_load(centre + TERRAIN__VELOCITY_LEFT_Y * row->plane);
    vx = velocity_stop(vx, vf_load(centre + 1), vf_load(centre - 1));
    vy = velocity_stop(vy, vf_load(south), vf_load(north));
    vmask east = vf_less(zero, vx);
    vfloat corner = velocity_stop(vy, vf_select(east, vf_load(south + 1), vf_load(south - 1)),
                                  vf_select(east, vf_load(north + 1), vf_load(north - 1)));
    vmask stopped = vm_and(vf_less(zero, vf_abs(vx)), vf_less(vf_abs(corner), vf_abs(vy)));
    vx = vf_select(stopped, zero, vx);
    vy = vf_select(stopped, zero, vy);
    vfloat shorter = one / vf_max(vf_max(vf_abs(vx), vf_abs(vy)), one);
    vx = vf_select(land, vx * shorter, zero);
    vy = vf_select(land, vy * shorter, zero);
    vf_store(centre + TERRAIN__VELOCITY_LEFT_X * row->plane, vx);
    vf_store(centre + TERRAIN__VELOCITY_LEFT_Y * row->plane, vy);
    vf_store(
        centre + TERRAIN__VELOCITY_LEFT_Z * row->plane,
        vf_select(land, vx * vf_load(patch->slope_x + i) + vy * vf_load(patch->slope_y + i), zero));
}

/* What the ground gives, at most a quarter of the way to the lowest cell around, and half of the
 * way to a bank below their mean; or what it gets, at most half of the way to their mean. */
TERRAIN__INLINE void velocity_wear(const struct velocity_row *row, size_t x,
                                   const struct velocity_patch *patch, size_t i)
{
    const vfloat zero = vf_set(0), half = vf_set(0.5f);
    float *centre = row->centre + x;
    vfloat ground = vf_load(centre), water = vf_load(centre + row->plane);
    vmask land = velocity_is_land(ground);
    vfloat sediment = vf_load(centre + TERRAIN__VELOCITY_LEFT_SEDIMENT * row->plane);
    vfloat vx = vf_load(centre + TERRAIN__VELOCITY_LEFT_X * row->plane);
    vfloat vy = vf_load(centre + TERRAIN__VELOCITY_LEFT_Y * row->plane);
    vfloat low = vf_load(patch->low + i), mean = vf_load(patch->mean + i);
    vfloat hit = vf_load(patch->hit + i);
    vfloat square = vx * vx + vy * vy;
    vfloat flow = water * vf_sqrt(square);
    vfloat room =
        vf_set(row->capacity) * flow * vf_sqrt(vf_set(row->cells_per_height) * flow) - sediment;
    vfloat worn = water * (vf_set(row->wear) * (half * square) + vf_set(row->impact) * hit);
    worn = vf_min(vf_min(worn, room), vf_set(-0.25f) * vf_min(low, zero));
    worn = vf_min(worn, half * vf_max(vf_set(row->bank) - mean, zero));
    vfloat settled = vf_min(vf_set(row->settling) * (zero - room),
                            half * vf_max(mean + vf_set(row->bank), zero));
    vfloat taken = vf_select(vf_less(zero, room), worn, zero - settled);
    taken = vf_select(land, taken, zero);
    vf_store(centre + TERRAIN__VELOCITY_LEFT_GROUND * row->plane, ground - taken);
    vf_store(centre + TERRAIN__VELOCITY_LEFT_WATER * row->plane, water);
    vf_store(centre + TERRAIN__VELOCITY_LEFT_SEDIMENT * row->plane,
             vf_select(land, sediment + taken, zero));
}

/* Step by step for a patch of cells: a processor can't hold enough cells at once to hide the time
 * of one's chain of three roots and three divisions. */
static void velocity_flow(const struct velocity_row *row)
{
    const struct velocity_row own = *row;
    struct velocity_patch patch;
    for (size_t begin = 0; begin < own.width; begin += VELOCITY_PATCH) {
        const size_t left = own.width - begin;
        const size_t count = left < VELOCITY_PATCH ? left : VELOCITY_PATCH;
        for (size_t i = 0; i < count; i += VEC_LANES) {
            velocity_survey(&own, begin + i, &patch, i);
        }
        for (size_t i = 0; i < count; i += VEC_LANES) {
            velocity_fall(&own, begin + i, &patch, i);
        }
        for (size_t i = 0; i < count; i += VEC_LANES) {
            velocity_limit(&own, begin + i, &patch, i);
        }
        for (size_t i = 0; i < count; i += VEC_LANES) {
            velocity_wear(&own, begin + i, &patch, i);
        }
    }
}

/* The part of a cell's square that covers this cell once it is moved. `east` is 1 for a neighbour
 * to the east and -1 for one to the west; `south` is 1 for one to the south and -1 for one to the
 * north. */
TERRAIN__INLINE vfloat velocity_part(const struct velocity_row *row, const float *cell, int east,
                                     int south)
{
    const vfloat zero = vf_set(0), one = vf_set(1);
    vfloat x = vf_load(cell + TERRAIN__VELOCITY_LEFT_X * row->plane);
    vfloat y = vf_load(cell + TERRAIN__VELOCITY_LEFT_Y * row->plane);
    return (east == 0 ? one - vf_abs(x) : vf_max(east > 0 ? zero - x : x, zero)) *
           (south == 0 ? one - vf_abs(y) : vf_max(south > 0 ? zero - y : y, zero));
}

/* A number of this cell and of each neighbour. */
struct velocity_square {
    vfloat here, n, s, e, w, ne, sw, nw, se;
};

/* How much of thing `k` each cell gives: `share` times what it has of it. */
TERRAIN__INLINE struct velocity_square velocity_given(const struct velocity_row *row, size_t x,
                                                      const struct velocity_square *share, size_t k)
{
    const float *centre = row->centre + x + k * row->plane;
    const float *north = row->north + x + k * row->plane, *south = row->south + x + k * row->plane;
    struct velocity_square given;
    given.here = share->here * vf_load(centre);
    given.n = share->n * vf_load(north);
    given.s = share->s * vf_load(south);
    given.e = share->e * vf_load(centre + 1);
    given.w = share->w * vf_load(centre - 1);
    given.ne = share->ne * vf_load(north + 1);
    given.sw = share->sw * vf_load(south - 1);
    given.nw = share->nw * vf_load(north - 1);
    given.se = share->se * vf_load(south + 1);
    return given;
}

TERRAIN__INLINE vfloat velocity_sum(struct velocity_square v)
{
    return v.here + (((v.n + v.s) + (v.e + v.w)) + ((v.ne + v.sw) + (v.nw + v.se)));
}

/* One thing after the other: nine shares fit the registers, nine of all five things don't. */
static void velocity_take(const struct velocity_row *row)
{
    const vfloat zero = vf_set(0);
    const struct velocity_row own = *row;
    for (size_t x = 0; x < own.width; x += VEC_LANES) {
        float *centre = own.centre + x;
        const float *north = own.north + x, *south = own.south + x;
        struct velocity_square part, water;
        part.here = velocity_part(&own, centre, 0, 0);
        part.n = velocity_part(&own, north, 0, -1);
        part.s = velocity_part(&own, south, 0, 1);
        part.e = velocity_part(&own, centre + 1, 1, 0);
        part.w = velocity_part(&own, centre - 1, -1, 0);
        part.ne = velocity_part(&own, north + 1, 1, -1);
        part.sw = velocity_part(&own, south - 1, -1, 1);
        part.nw = velocity_part(&own, north - 1, -1, -1);
        part.se = velocity_part(&own, south + 1, 1, 1);
        vfloat sediment =
            velocity_sum(velocity_given(&own, x, &part, TERRAIN__VELOCITY_LEFT_SEDIMENT));
        vf_store(centre + TERRAIN__VELOCITY_SEDIMENT * own.plane, sediment);
        water = velocity_given(&own, x, &part, TERRAIN__VELOCITY_LEFT_WATER);

        vfloat ground = vf_load(centre + TERRAIN__VELOCITY_LEFT_GROUND * own.plane);
        vfloat rain = vf_select(velocity_is_land(ground), vf_set(own.rain), zero);
        vfloat kept = vf_set(1 - own.evaporation);
        vfloat depth = kept * velocity_sum(water) + rain;
        /* So little is none: what there is may be divided by. */
        vfloat inverse = vf_select(vf_less(vf_set(0x1p-100f), depth), kept / depth, zero);
        vf_store(centre, ground);
        vf_store(centre + own.plane, depth);
        vf_store(centre + TERRAIN__VELOCITY_X * own.plane,
                 inverse * velocity_sum(velocity_given(&own, x, &water, TERRAIN__VELOCITY_LEFT_X)));
        vf_store(centre + TERRAIN__VELOCITY_Y * own.plane,
                 inverse * velocity_sum(velocity_given(&own, x, &water, TERRAIN__VELOCITY_LEFT_Y)));
        vf_store(centre + TERRAIN__VELOCITY_Z * own.plane,
                 inverse * velocity_sum(velocity_given(&own, x, &water, TERRAIN__VELOCITY_LEFT_Z)));
    }
}

static void velocity_rain(const struct velocity_row *row)
{
    for (size_t x = 0; x < row->width; x += VEC_LANES) {
        vmask land = velocity_is_land(vf_load(row->centre + x));
        vf_store(row->centre + row->plane + x, vf_select(land, vf_set(row->rain), vf_set(0)));
    }
}

const struct velocity_kernels TERRAIN__KERNELS(velocity) = {
    .rain = velocity_rain,
    .flow = velocity_flow,
    .take = velocity_take,
};
