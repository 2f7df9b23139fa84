/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Waves across the slope. A cell has a direction u across the slope and, in each octave, the four
 * points k of the lattice of triangles that may reach it, two in the lattice row above and two in
 * the one below. With the way d from a point, in wavelengths, and the point's phase q,
 *
 *   w = max(0, 1 - |d|^2 / 1.5^2)^3,  f = d . u + q less the nearest integer
 *   C = sum of w cosine(f),  S = sum of w sine(f),  both over max(sqrt(C^2 + S^2), 0.18)
 *   cut += depth (1 - C),  u turns by 2 atan(-branching S)
 *
 * where cosine and sine are parabolas. Everything about a lattice row that does not depend on the
 * cells' row is computed for whole columns (its profile), so no hash is computed for a cell. */

#include "erode/gullies_kernels.h"

#include "generate/noise_lattice_vec.h"

static void gullies_smooth(float *to, const float *above, const float *at, const float *below,
                           size_t step, size_t width)
{
    const float *above_west = above - step, *west = at - step, *below_west = below - step;
    TERRAIN__INDEPENDENT
    for (size_t i = 0; i < width; i++) {
        float sides = (above[i] + below[i]) + (west[i] + at[i + step]);
        float corners = (above[i + step] + below_west[i]) + (above_west[i] + below[i + step]);
        to[i] = at[i] * 0.25f + sides * 0.125f + corners * 0.0625f;
    }
}

/* ---- Lattice rows ---------------------------------------------------------------------------- */

/* Phases of `count` points of lattice row `row`, in turns. */
static void gullies_hash(float *phases, const struct gullies_octave *octave, int64_t row,
                         int64_t first, uint32_t count)
{
    uint64_t hash = terrain__random_row(octave->stream, row);
    for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
        int64_t node = first + begin;
        uint64_t column = terrain__random_column(hash, node);
        end = begin + noise_node_run(&octave->x, node, count - begin);
        for (uint32_t i = begin; i < end; i += VEC_LANES) {
            vuint low = vu_set((uint32_t)node + (i - begin)) + vu_lane();
            vf_store(phases + i, vf_unit(vu_random_bits(column, low)));
        }
    }
}

static inline vfloat gullies_reach(vfloat way)
{
    return vf_set(1) - way * way * vf_set(1 / (GULLIES_ROW * GULLIES_ROW));
}

static void gullies_profile_row(struct gullies_profile *profile,
                                const struct gullies_octave *octave,
                                const struct gullies_patch *patch, int64_t row)
{
    /* Every other row of triangles begins half an edge later. */
    uint64_t origin = octave->x.origin + ((uint64_t)row << 63);
    struct noise_position position = noise_locate(&octave->x, origin, patch->x);
    int64_t first = position.cell;
    uint64_t lattice_cells = (patch->width + VEC_LANES) * (octave->x.step >> 32) >> 32;
    gullies_hash(patch->work->phases, octave, row, first, (uint32_t)lattice_cells + 3);
    for (uint32_t i = 0; i < patch->width; i += VEC_LANES) {
        struct noise_places places = noise_places_from(&octave->x, position.fraction);
        const float *phases = patch->work->phases + (position.cell - first);
        vfloat before = places.between * vf_set(GULLIES_EDGE);
        vfloat after = before - vf_set(GULLIES_EDGE);
        vf_store(profile->way[0] + i, before);
        vf_store(profile->way[1] + i, after);
        vf_store(profile->reach[0] + i, gullies_reach(before));
        vf_store(profile->reach[1] + i, gullies_reach(after));
        vf_store(profile->phase[0] + i, vf_lookup(phases, places.node));
        vf_store(profile->phase[1] + i, vf_lookup(phases + 1, places.node));
        noise_advance(&position, &octave->x);
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* The four points around a place, the upper two before the lower two. */
struct gullies_points {
    vfloat way[4], reach[4], phase[4];
};

static inline struct gullies_points gullies_load(const struct gullies_profile *upper,
                                                 const struct gullies_profile *lower, uint32_t i)
{
    struct gullies_points points;
    for (uint32_t k = 0; k < 4; k++) {
        const struct gullies_profile *profile = k < 2 ? upper : lower;
        points.way[k] = vf_load(profile->way[k % 2] + i);
        points.reach[k] = vf_load(profile->reach[k % 2] + i);
        points.phase[k] = vf_load(profile->phase[k % 2] + i);
    }
    return points;
}

struct gullies_wave {
    vfloat cosine, sine; /* times 16 */
};

/* A point's share; `down` is the y part of (cell - point) . u, and `square` the y part of |cell -
 * point|^2 / reach^2. */
static inline struct gullies_wave gullies_point(const struct gullies_points *points, uint32_t k,
                                                vfloat across_x, vfloat down, float square)
{
    const vfloat half = vf_set(0.5f), quarter = vf_set(0.25f);
    vfloat t = vf_max(points->reach[k] - vf_set(square), vf_set(0));
    vfloat weight = t * t * t;
    vfloat phase = points->way[k] * across_x + down + points->phase[k];
    vfloat f = phase - vf_floor_loose(phase + half);
    vfloat a = vf_abs(f);
    vfloat d = quarter - a;
    struct gullies_wave wave = {weight * (d * (half - vf_abs(d))), weight * (f * (half - a))};
    return wave;
}

/* A vector of cells on by an octave. They lie `upper` below the upper of the two lattice rows. */
static inline void gullies_cells(struct gullies_workspace *work, size_t at,
                                 const struct gullies_points *points, float upper, float depth,
                                 float branching)
{
    const float square = 1 / (GULLIES_ROW * GULLIES_ROW);
    const float lower = upper - GULLIES_ROW;
    float *across_x = work->across_x + at, *across_y = work->across_y + at, *cut = work->cut + at;
    vfloat x = vf_load(across_x), y = vf_load(across_y);
    vfloat down[2] = {vf_set(upper) * y, vf_set(lower) * y};
    float squares[2] = {upper * upper * square, lower * lower * square};
    struct gullies_wave a = gullies_point(points, 0, x, down[0], squares[0]);
    struct gullies_wave b = gullies_point(points, 1, x, down[0], squares[0]);
    struct gullies_wave c = gullies_point(points, 2, x, down[1], squares[1]);
    struct gullies_wave d = gullies_point(points, 3, x, down[1], squares[1]);
    vfloat cosine = (a.cosine + b.cosine) + (c.cosine + d.cosine);
    vfloat sine = (a.sine + b.sine) + (c.sine + d.sine);
    vfloat length = vf_max(vf_sqrt(cosine * cosine + sine * sine), vf_set(0.18f / 16));
    vfloat scale = vf_set(1) / length;
    vfloat half_turn = sine * scale * vf_set(-branching);
    vfloat square_turn = half_turn * half_turn;
    vfloat inverse = vf_set(1) / (vf_set(1) + square_turn);
    vfloat cos_turn = (vf_set(1) - square_turn) * inverse;
    vfloat sin_turn = (half_turn + half_turn) * inverse;
    /* The product is at most 1: length is no less than cosine, and no number times its rounded
     * inverse rounds to more than 1. */
    vf_store(cut, vf_load(cut) + vf_set(depth) * (vf_set(1) - cosine * scale));
    vf_store(across_x, x * cos_turn - y * sin_turn);
    vf_store(across_y, y * cos_turn + x * sin_turn);
}

/* Rows y to end - 1, which lie between the same two lattice rows. */
static void gullies_run(const struct gullies_plan *plan, const struct gullies_octave *octave,
                        const struct gullies_patch *patch, const struct gullies_profile *upper,
                        const struct gullies_profile *lower, uint32_t y, uint32_t end)
{
    struct gullies_workspace *work = patch->work;
    for (uint32_t i = 0; i < patch->width; i += VEC_LANES) {
        struct gullies_points points = gullies_load(upper, lower, i);
        for (uint32_t row = y; row < end; row++) {
            size_t at = (size_t)row * GULLIES_PATCH_WIDTH + i;
            gullies_cells(work, at, &points, work->between[row] * GULLIES_ROW, octave->depth,
                          plan->branching);
        }
    }
}

static void gullies_add_octave(const struct gullies_plan *plan, const struct gullies_octave *octave,
                               const struct gullies_patch *patch)
{
    struct gullies_workspace *work = patch->work;
    struct gullies_profile *upper = &work->profiles[0], *lower = &work->profiles[1];
    int64_t row = noise_find_places(work->node, work->between, &octave->y, octave->y.origin,
                                    patch->y, patch->height);
    gullies_profile_row(lower, octave, patch, row++);
    for (uint32_t y = 0, end; y < patch->height; y = end) {
        struct gullies_profile *last = upper;
        upper = lower;
        lower = last;
        gullies_profile_row(lower, octave, patch, row++);
        for (end = y + 1; end < patch->height && work->node[end] == work->node[y];) {
            end++;
        }
        gullies_run(plan, octave, patch, upper, lower, y, end);
    }
}

/* ---- Patches --------------------------------------------------------------------------------- */

/* The slope of the smoothed map, in height a cell, and the direction across it: none where it is
 * flat; NaN where it is infinite. */
static void gullies_begin_row(struct gullies_workspace *work, const struct gullies_patch *patch,
                              uint32_t y)
{
    const float *at = patch->smooth + y * patch->smooth_stride;
    for (uint32_t i = 0; i < patch->width; i += VEC_LANES) {
        const uint32_t n = patch->width - i;
        const size_t to = (size_t)y * GULLIES_PATCH_WIDTH + i;
        vfloat east = vf_load_up_to(at + i + 1, n) - vf_load_up_to(at + i - 1, n);
        vfloat south = vf_load_up_to(at + i + patch->smooth_stride, n) -
                       vf_load_up_to(at + i - patch->smooth_stride, n);
        vfloat length = vf_sqrt(east * east + south * south);
        vmask sloped = vf_less(vf_set(0), length);
        vfloat inverse = vf_set(1) / vf_select(sloped, length, vf_set(1));
        vf_store(work->across_x + to, vf_select(sloped, (vf_set(0) - south) * inverse, vf_set(0)));
        vf_store(work->across_y + to, vf_select(sloped, east * inverse, vf_set(0)));
        vf_store(work->slope + to, length * vf_set(0.5f));
        vf_store(work->cut + to, vf_set(0));
    }
}

/* How much of the cut is made at a distance to the nearest river: 0 for NaN. */
static inline vfloat gullies_bank(vfloat distance, float floor, float bank)
{
    vfloat t = vf_max((distance - vf_set(floor)) * vf_set(bank), vf_set(0));
    t = vf_min(t, vf_set(1));
    return t * t * (vf_set(3) - t - t);
}

static void gullies_end_row(const struct gullies_plan *plan, const struct gullies_patch *patch,
                            uint32_t y)
{
    for (uint32_t i = 0; i < patch->width; i += VEC_LANES) {
        const uint32_t n = patch->width - i;
        const size_t from = (size_t)y * GULLIES_PATCH_WIDTH + i;
        vfloat old = vf_load_up_to(patch->map + y * patch->map_stride + i, n);
        vfloat cut = vf_load(patch->work->cut + from) * vf_load(patch->work->slope + from);
        vfloat height = old - cut;
        if (patch->distance != NULL) {
            vfloat d = vf_load_up_to(patch->distance + y * patch->distance_stride + i, n);
            vfloat part = gullies_bank(d, plan->floor, plan->bank);
            height = vf_select(vf_less(vf_set(0), part), old - cut * part, old);
        }
        vf_store_up_to(patch->target + y * patch->target_stride + i, height, n);
    }
}

static void gullies_patch(const struct gullies_plan *plan, const struct gullies_patch *patch)
{
    /* Defines what vectors that hang over read, too. */
    memset(patch->work->phases, 0, sizeof patch->work->phases);
    for (uint32_t y = 0; y < patch->height; y++) {
        gullies_begin_row(patch->work, patch, y);
    }
    for (uint32_t i = 0; i < plan->octave_count; i++) {
        gullies_add_octave(plan, &plan->octaves[i], patch);
    }
    for (uint32_t y = 0; y < patch->height; y++) {
        gullies_end_row(plan, patch, y);
    }
}

const struct gullies_kernels TERRAIN__KERNELS(gullies) = {gullies_smooth, gullies_patch};
