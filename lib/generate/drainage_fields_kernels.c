/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The world that generate_drainage carves: sums of value noise, and plates.
 *
 *   octave   value noise on a square lattice: random numbers at its nodes, between them
 *            a + (b - a) s(u) + (c - a) s(v) + (a - b - c + d) s(u) s(v),
 *            s(t) = t^3 (t (6t - 15) + 10)
 *   plates   weights w = e^(-sharpness d^2) of the distances from plates' middles, divided by their
 *            sum; a place moves with the mean velocity, and its belt is minus its divergence */

#include "generate/drainage_kernels.h"

#include "generate/drainage_vec.h"

/* ---- Octaves --------------------------------------------------------------------------------- */

/* The hash of a lattice node; the words of y go first. -1 to 1. */
static inline float drainage_node(uint32_t x, uint32_t high_x, uint32_t row)
{
    uint32_t h = drainage_scramble(x ^ (row + high_x));
    return (float)((int32_t)(h >> 8) - 0x800000) * 0x1p-23F;
}

static inline float drainage_between_nodes(float a, float b, float c, float d, float u, float v)
{
    float s = drainage_fade(u);
    float t = drainage_fade(v);
    float upper = a + (b - a) * s;
    float lower = c + (d - c) * s;
    return upper + (lower - upper) * t;
}

/* Nodes are counted modulo 2^(64 - shift), so that noise goes on where positions begin again. */
static inline uint64_t drainage_node_number(uint64_t first, int32_t behind, uint32_t shift)
{
    return (first + (uint64_t)(int64_t)behind) & (~UINT64_C(0) >> shift);
}

/* Sample by sample, where the upper words of the nodes' numbers change on the way. */
static void drainage_octave_across(float *sum, const struct drainage_octave *octave, uint32_t count)
{
    const uint32_t shift = octave->shift;
    const uint64_t mask = (UINT64_C(1) << shift) - 1;
    const float unit = 1 / (float)(int32_t)(mask + 1);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t x = octave->x + (uint64_t)((int64_t)octave->dx * (int32_t)i);
        uint64_t y = octave->y + (uint64_t)((int64_t)octave->dy * (int32_t)i);
        float values[4];
        for (int32_t k = 0; k < 4; k++) {
            uint64_t node_x = drainage_node_number(x >> shift, k & 1, shift);
            uint64_t node_y = drainage_node_number(y >> shift, k >> 1, shift);
            uint32_t high_x = drainage_scramble((uint32_t)(node_x >> 32) ^ octave->key_x);
            uint32_t high_y = drainage_scramble((uint32_t)(node_y >> 32) ^ octave->key_y);
            values[k] = drainage_node((uint32_t)node_x, high_x,
                                      drainage_scramble((uint32_t)node_y ^ high_y));
        }
        sum[i] +=
            octave->amplitude * drainage_between_nodes(values[0], values[1], values[2], values[3],
                                                       (float)(int32_t)(x & mask) * unit,
                                                       (float)(int32_t)(y & mask) * unit);
    }
}

/* Whether the upper word is one and the same for all nodes from the first sample's to the last. */
static bool drainage_octave_within(uint64_t position, int32_t step, uint32_t shift, uint32_t count)
{
    uint64_t first = position >> shift;
    int64_t behind =
        ((int64_t)(position & ((UINT64_C(1) << shift) - 1)) + (int64_t)step * (int32_t)(count - 1));
    int64_t nodes = behind >= 0 ? behind >> shift : -((-behind >> shift) + 1);
    int64_t low = (nodes < 0 ? nodes : 0) + (int64_t)(uint32_t)first;
    int64_t high = (nodes > 0 ? nodes : 0) + 1 + (int64_t)(uint32_t)first;
    return low >= 0 && high <= UINT32_MAX;
}

static void drainage_octave(float *sum, const struct drainage_octave *octave, uint32_t count)
{
    const uint32_t shift = octave->shift;
    const int32_t mask = (int32_t)((UINT32_C(1) << shift) - 1);
    const float unit = 1 / (float)(mask + 1);
    const float amplitude = octave->amplitude;
    const int32_t dx = octave->dx, dy = octave->dy;
    const int32_t x0 = (int32_t)(octave->x & (uint32_t)mask);
    const int32_t y0 = (int32_t)(octave->y & (uint32_t)mask);
    const uint32_t node_x = (uint32_t)(octave->x >> shift);
    const uint32_t node_y = (uint32_t)(octave->y >> shift);
    if (!drainage_octave_within(octave->x, dx, shift, count) ||
        !drainage_octave_within(octave->y, dy, shift, count)) {
        drainage_octave_across(sum, octave, count);
        return;
    }
    const uint32_t high_x = drainage_scramble((uint32_t)(octave->x >> shift >> 32) ^ octave->key_x);
    const uint32_t high_y = drainage_scramble((uint32_t)(octave->y >> shift >> 32) ^ octave->key_y);
    count = drainage_whole(count);
    TERRAIN__INDEPENDENT
    for (int32_t i = 0; i < (int32_t)count; i++) {
        int32_t x = x0 + dx * i;
        int32_t y = y0 + dy * i;
        uint32_t column = node_x + (uint32_t)(x >> shift);
        uint32_t line = node_y + (uint32_t)(y >> shift);
        uint32_t upper = drainage_scramble(line ^ high_y);
        uint32_t lower = drainage_scramble((line + 1) ^ high_y);
        float a = drainage_node(column, high_x, upper);
        float b = drainage_node(column + 1, high_x, upper);
        float c = drainage_node(column, high_x, lower);
        float d = drainage_node(column + 1, high_x, lower);
        sum[i] += amplitude * drainage_between_nodes(a, b, c, d, (float)(x & mask) * unit,
                                                     (float)(y & mask) * unit);
    }
}

/* ---- Plates ---------------------------------------------------------------------------------- */

static void drainage_plates(float *const *rows, const struct drainage_plates *plates,
                            uint32_t count)
{
    const float *restrict warp_x = rows[DRAINAGE_WARP_X];
    const float *restrict warp_y = rows[DRAINAGE_WARP_Y];
    float *restrict belt = rows[DRAINAGE_BELT];
    float *restrict fold = rows[DRAINAGE_FOLD];
    float *restrict base = rows[DRAINAGE_BASE];
    float weights[DRAINAGE_SAMPLES], mean_x[DRAINAGE_SAMPLES], mean_y[DRAINAGE_SAMPLES];
    float east[DRAINAGE_SAMPLES], south[DRAINAGE_SAMPLES];
    const float factor = plates->sharpness * -1.4426950F; /* log2 e */
    count = drainage_whole(count);
    memset(weights, 0, count * sizeof *weights);
    memset(mean_x, 0, count * sizeof *mean_x);
    memset(mean_y, 0, count * sizeof *mean_y);
    memset(east, 0, count * sizeof *east);
    memset(south, 0, count * sizeof *south);
    memset(belt, 0, count * sizeof *belt);
    memset(fold, 0, count * sizeof *fold);
    memset(base, 0, count * sizeof *base);
    for (int k = 0; k < DRAINAGE_PLATES; k++) {
        const float x = plates->x[k], y = plates->y[k], step = plates->step;
        const float row = plates->row;
        const int32_t first = plates->first;
        const float to_east = plates->east[k], to_south = plates->south[k];
        const float own_fold = plates->fold[k], own_base = plates->base[k];
        TERRAIN__INDEPENDENT
        for (int32_t i = 0; i < (int32_t)count; i++) {
            float dx = x - ((float)(first + i) * step + warp_x[i]);
            float dy = y - (row + warp_y[i]);
            float w = drainage_exp2(drainage_max(factor * (dx * dx + dy * dy), -100));
            weights[i] += w;
            mean_x[i] += w * dx;
            mean_y[i] += w * dy;
            east[i] += w * to_east;
            south[i] += w * to_south;
            belt[i] += w * (to_east * dx + to_south * dy);
            fold[i] += w * own_fold;
            base[i] += w * own_base;
        }
    }
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float share = 1 / weights[i];
        /* Minus the divergence of the mean velocity, over 2 * sharpness / 4. */
        belt[i] = 4 * share * (share * (mean_x[i] * east[i] + mean_y[i] * south[i]) - belt[i]);
        fold[i] *= share;
        base[i] *= share;
    }
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* Value noise at (x, y), |x| and |y| < 2^22. */
static inline float drainage_fold_noise(float x, float y, uint32_t key_x, uint32_t key_y)
{
    float column = drainage_floor(x);
    float line = drainage_floor(y);
    uint32_t node_x = (uint32_t)(int32_t)column;
    uint32_t node_y = (uint32_t)(int32_t)line;
    uint32_t upper = drainage_scramble(node_y ^ key_y);
    uint32_t lower = drainage_scramble((node_y + 1) ^ key_y);
    return drainage_between_nodes(drainage_node(node_x, key_x, upper),
                                  drainage_node(node_x + 1, key_x, upper),
                                  drainage_node(node_x, key_x, lower),
                                  drainage_node(node_x + 1, key_x, lower), x - column, y - line);
}

static void drainage_world(const struct drainage_fields *to, float *const *rows,
                           const struct drainage_world *world, uint32_t count)
{
    const struct drainage_world w = *world;
    float *restrict control = rows[DRAINAGE_CONTROL], *restrict belts = rows[DRAINAGE_BELT];
    const float *restrict detail = rows[DRAINAGE_DETAIL], *restrict coast = rows[DRAINAGE_RAGGED];
    const float *restrict rough_row = rows[DRAINAGE_UPLIFT], *restrict base = rows[DRAINAGE_BASE];
    const float *restrict rock = rows[DRAINAGE_HARDNESS], *restrict dip = rows[DRAINAGE_DIP];
    float *restrict uplift_to = to->uplift, *restrict hardness_to = to->hardness;
    float *restrict control_to = to->control, *restrict strata_to = to->strata;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float belt = drainage_max(belts[i], 0);
        float c = control[i] + detail[i] * drainage_ragged(coast[i]);
        c = c + w.base_level + w.plate_base * base[i] + w.plate_belt * belt;
        float inland = drainage_within(8 * c, 0, 1);
        float rough = 0.57F + 1.43F * rough_row[i];
        float rough_belt = 0.35F + 1.3F * drainage_max(rough, 0);
        float uplift = w.rolling * rough + w.belts * belt / (1 + 0.5F * belt) * rough_belt;
        uplift = drainage_max(uplift * (1 - w.coast + w.coast * inland), w.least_uplift);
        control_to[i] = c;
        uplift_to[i] = drainage_log2(uplift * w.inverse_erodibility);
        hardness_to[i] = w.hardness * rock[i];
        strata_to[i] = w.dip * dip[i] + w.dip_control * drainage_max(c, 0);
    }
    if (w.fold != 0) {
        const float *restrict folds = rows[DRAINAGE_FOLD], *restrict phase = rows[DRAINAGE_PHASE];
        const float *restrict along = rows[DRAINAGE_ALONG];
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < count; i++) {
            float across = 32 * w.fold_frequency * folds[i] + 2 * phase[i];
            strata_to[i] +=
                w.fold * drainage_fold_noise(across, along[i], w.fold_key_x, w.fold_key_y);
        }
    }
}

/* ---- From samples to cells ------------------------------------------------------------------- */

static void drainage_between(float *to, const float *upper, const float *lower, float t,
                             uint32_t count)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        to[i] = upper[i] + t * (lower[i] - upper[i]);
    }
}

/* 2^shift cells from each pair of samples: a constant number, for the compiler to unroll. */
TERRAIN__INLINE void drainage_stretch_by(float *to, const float *samples, uint32_t cells,
                                         uint32_t pairs)
{
    const float unit = 1 / (float)(int32_t)cells;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < pairs; i++) {
        float from = samples[i], rise = (samples[i + 1] - samples[i]) * unit;
        for (uint32_t k = 0; k < cells; k++) {
            to[i * cells + k] = from + ((float)(int32_t)k + 0.5F) * rise;
        }
    }
}

static void drainage_stretch(float *to, const float *samples, uint32_t shift, uint32_t pairs)
{
    if (shift == 3) {
        drainage_stretch_by(to, samples, 8, pairs);
    } else if (shift == 2) {
        drainage_stretch_by(to, samples, 4, pairs);
    } else if (shift == 1) {
        drainage_stretch_by(to, samples, 2, pairs);
    } else {
        drainage_stretch_by(to, samples, 1, pairs);
    }
}

const struct drainage_fields_kernels TERRAIN__KERNELS(drainage_fields) = {
    drainage_octave, drainage_plates, drainage_world, drainage_between, drainage_stretch};
