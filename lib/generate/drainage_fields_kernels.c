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
#include "vector/random.h"

/* ---- Octaves --------------------------------------------------------------------------------- */

/* The random number, -1 to 1, of the lattice node in column x of a row: `row` is a hash of it. */
static inline vfloat drainage_node(vuint x, vuint row)
{
    return vf_signed(drainage_scramble(x ^ row));
}

static inline vfloat drainage_between_nodes(const vfloat nodes[4], vfloat u, vfloat v)
{
    const vfloat s = drainage_fade(u), t = drainage_fade(v);
    const vfloat upper = nodes[0] + (nodes[1] - nodes[0]) * s;
    const vfloat lower = nodes[2] + (nodes[3] - nodes[2]) * s;
    return upper + (lower - upper) * t;
}

/* Nodes are counted modulo 2^(64 - shift), so that noise goes on where positions begin again. */
static inline uint64_t drainage_node_number(uint64_t first, int32_t behind, uint32_t shift)
{
    return (first + (uint64_t)(int64_t)behind) & (~UINT64_C(0) >> shift);
}

static inline uint32_t drainage_scramble_one(uint32_t h)
{
    return terrain__random_bits(0, h);
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
        vfloat nodes[4], v;
        for (int32_t k = 0; k < 4; k++) {
            uint64_t node_x = drainage_node_number(x >> shift, k & 1, shift);
            uint64_t node_y = drainage_node_number(y >> shift, k >> 1, shift);
            uint32_t high_x = drainage_scramble_one((uint32_t)(node_x >> 32) ^ octave->key_x);
            uint32_t high_y = drainage_scramble_one((uint32_t)(node_y >> 32) ^ octave->key_y);
            uint32_t row = drainage_scramble_one((uint32_t)node_y ^ high_y) + high_x;
            nodes[k] = drainage_node(vu_set((uint32_t)node_x), vu_set(row));
        }
        v = drainage_between_nodes(nodes, vf_set((float)(int32_t)(x & mask) * unit),
                                   vf_set((float)(int32_t)(y & mask) * unit));
        vf_store_up_to(sum + i, vf_set(sum[i]) + vf_set(octave->amplitude) * v, 1);
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

/* The nodes around the samples of a vector; column, line: the first node's. */
static inline void drainage_nodes_around(vfloat nodes[4], vuint column, vuint line, uint32_t high_x,
                                         uint32_t high_y)
{
    const vuint one = vu_set(1);
    const vuint upper = drainage_scramble(line ^ vu_set(high_y)) + vu_set(high_x);
    const vuint lower = drainage_scramble((line + one) ^ vu_set(high_y)) + vu_set(high_x);
    nodes[0] = drainage_node(column, upper);
    nodes[1] = drainage_node(column + one, upper);
    nodes[2] = drainage_node(column, lower);
    nodes[3] = drainage_node(column + one, lower);
}

/* Where a row's samples lie on the lattice's axes, from the corner of the first one's square. */
struct drainage_walk {
    int32_t x, y, dx, dy;
    int32_t shift, mask;
    uint32_t column, line;   /* the first square's, their lower words… */
    uint32_t high_x, high_y; /* …and hashes of the upper ones, which all nodes share */
};

/* The nodes of four columns and four lines, counted as the walk's positions are. */
struct drainage_patch {
    int32_t column, line; /* of the first node */
    float nodes[16];
};

/* Whether the nodes around sample i are there. */
static inline bool drainage_patch_has(const struct drainage_patch *patch,
                                      const struct drainage_walk *w, int32_t i)
{
    const int32_t column = ((w->x + w->dx * i) >> w->shift) - patch->column;
    const int32_t line = ((w->y + w->dy * i) >> w->shift) - patch->line;
    return (uint32_t)column < 3 && (uint32_t)line < 3;
}

/* Finds the nodes around sample i, and those towards which the samples go. */
static inline void drainage_make_patch(struct drainage_patch *patch, const struct drainage_walk *w,
                                       int32_t i)
{
    patch->column = ((w->x + w->dx * i) >> w->shift) - (w->dx < 0 ? 2 : 0);
    patch->line = ((w->y + w->dy * i) >> w->shift) - (w->dy < 0 ? 2 : 0);
    for (uint32_t k = 0; k < 16; k += VEC_LANES) {
        const vuint node = vu_set(k) + vu_lane();
        const vuint column = vu_set(w->column + (uint32_t)patch->column) + (node & vu_set(3));
        const vuint line = vu_set(w->line + (uint32_t)patch->line) + (node >> 2);
        const vuint row = drainage_scramble(line ^ vu_set(w->high_y)) + vu_set(w->high_x);
        vf_store(patch->nodes + k, drainage_node(column, row));
    }
}

static inline void drainage_patch_around(vfloat nodes[4], const struct drainage_patch *patch,
                                         vint column, vint line)
{
    const vuint node = vu_from_bits((line - vi_set(patch->line)) << 2) +
                       vu_from_bits(column - vi_set(patch->column));
    nodes[0] = vf_lookup_of(patch->nodes, node, 16 / VEC_LANES);
    nodes[1] = vf_lookup_of(patch->nodes, node + vu_set(1), 16 / VEC_LANES);
    nodes[2] = vf_lookup_of(patch->nodes, node + vu_set(4), 16 / VEC_LANES);
    nodes[3] = vf_lookup_of(patch->nodes, node + vu_set(5), 16 / VEC_LANES);
}

/* patched: any 16 samples lie within three columns and three lines of squares, so that a patch
 * serves a vector, and most serve the next ones, too. */
TERRAIN__INLINE void drainage_octave_along(float *sum, const struct drainage_walk *w,
                                           float amplitude, uint32_t count, bool patched)
{
    struct drainage_patch patch = {0};
    const vfloat unit = vf_set(1 / (float)(w->mask + 1));
    const vint mask = vi_set(w->mask);
    if (patched) {
        drainage_make_patch(&patch, w, 0);
    }
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vint at = vi_from_bits(vu_set(i) + vu_lane());
        const vint x = vi_set(w->x) + vi_set(w->dx) * at, y = vi_set(w->y) + vi_set(w->dy) * at;
        vfloat nodes[4];
        if (patched) {
            /* Samples go one way: with the last one the patch has those before it. */
            if (!drainage_patch_has(&patch, w, (int32_t)i + VEC_LANES - 1)) {
                drainage_make_patch(&patch, w, (int32_t)i);
            }
            drainage_patch_around(nodes, &patch, x >> w->shift, y >> w->shift);
        } else {
            drainage_nodes_around(nodes, vu_set(w->column) + vu_from_bits(x >> w->shift),
                                  vu_set(w->line) + vu_from_bits(y >> w->shift), w->high_x,
                                  w->high_y);
        }
        const vfloat v = drainage_between_nodes(nodes, vf_from_int(x & mask) * unit,
                                                vf_from_int(y & mask) * unit);
        vf_store(sum + i, vf_load(sum + i) + vf_set(amplitude) * v);
    }
}

static void drainage_octave(float *sum, const struct drainage_octave *octave, uint32_t count)
{
    const uint64_t column = octave->x >> octave->shift, line = octave->y >> octave->shift;
    const uint32_t mask = (UINT32_C(1) << octave->shift) - 1;
    if (!drainage_octave_within(octave->x, octave->dx, octave->shift, count) ||
        !drainage_octave_within(octave->y, octave->dy, octave->shift, count)) {
        drainage_octave_across(sum, octave, count);
        return;
    }
    const struct drainage_walk walk = {
        .x = (int32_t)(octave->x & mask),
        .y = (int32_t)(octave->y & mask),
        .dx = octave->dx,
        .dy = octave->dy,
        .shift = (int32_t)octave->shift,
        .mask = (int32_t)mask,
        .column = (uint32_t)column,
        .line = (uint32_t)line,
        .high_x = drainage_scramble_one((uint32_t)(column >> 32) ^ octave->key_x),
        .high_y = drainage_scramble_one((uint32_t)(line >> 32) ^ octave->key_y),
    };
    const int64_t x = (octave->dx < 0 ? -15 : 15) * (int64_t)octave->dx;
    const int64_t y = (octave->dy < 0 ? -15 : 15) * (int64_t)octave->dy;
    if ((x > y ? x : y) <= INT64_C(2) << octave->shift) {
        drainage_octave_along(sum, &walk, octave->amplitude, count, true);
    } else {
        drainage_octave_along(sum, &walk, octave->amplitude, count, false);
    }
}

/* ---- Plates ---------------------------------------------------------------------------------- */

static void drainage_plates(float *const *rows, const struct drainage_plates *plates,
                            uint32_t count)
{
    const vfloat factor = vf_set(plates->sharpness * -1.4426950F); /* log2 e */
    const vfloat step = vf_set(plates->step), row = vf_set(plates->row);
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vint at = vi_from_bits(vu_set(i) + vu_lane()) + vi_set(plates->first);
        const vfloat x = vf_from_int(at) * step + vf_load(rows[DRAINAGE_WARP_X] + i);
        const vfloat y = row + vf_load(rows[DRAINAGE_WARP_Y] + i);
        vfloat weight = vf_set(0), mean_x = weight, mean_y = weight, east = weight, south = weight;
        vfloat belt = weight, fold = weight, base = weight;
        for (int k = 0; k < DRAINAGE_PLATES; k++) {
            const vfloat dx = vf_set(plates->x[k]) - x, dy = vf_set(plates->y[k]) - y;
            const vfloat to_east = vf_set(plates->east[k]), to_south = vf_set(plates->south[k]);
            const vfloat power = vf_max(factor * (dx * dx + dy * dy), vf_set(-100));
            const vfloat w = drainage_exp2(power);
            weight += w;
            mean_x += w * dx;
            mean_y += w * dy;
            east += w * to_east;
            south += w * to_south;
            belt += w * (to_east * dx + to_south * dy);
            fold += w * vf_set(plates->fold[k]);
            base += w * vf_set(plates->base[k]);
        }
        /* Minus the divergence of the mean velocity, over 2 * sharpness / 4. */
        const vfloat share = vf_set(1) / weight;
        const vfloat divergence = share * (mean_x * east + mean_y * south) - belt;
        vf_store(rows[DRAINAGE_BELT] + i, vf_set(4) * share * divergence);
        vf_store(rows[DRAINAGE_FOLD] + i, fold * share);
        vf_store(rows[DRAINAGE_BASE] + i, base * share);
    }
}

/* ---- Fields ---------------------------------------------------------------------------------- */

/* Value noise at (x, y), |x| and |y| < 2^22. */
static inline vfloat drainage_fold_noise(vfloat x, vfloat y, uint32_t key_x, uint32_t key_y)
{
    const vfloat column = vf_floor_loose(x), line = vf_floor_loose(y);
    const vuint node_x = vu_from_bits(vi_from_float(column));
    const vuint node_y = vu_from_bits(vi_from_float(line));
    vfloat nodes[4];
    drainage_nodes_around(nodes, node_x, node_y, key_x, key_y);
    return drainage_between_nodes(nodes, x - column, y - line);
}

static void drainage_world(const struct drainage_fields *given, float *const *rows,
                           const struct drainage_world *world, uint32_t count)
{
    const struct drainage_world w = *world;
    const struct drainage_fields to = *given;
    const vfloat zero = vf_set(0), one = vf_set(1);
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vfloat belt = vf_max(vf_load(rows[DRAINAGE_BELT] + i), zero);
        const vfloat coast =
            drainage_within(vf_set(0.6F) + vf_load(rows[DRAINAGE_RAGGED] + i), 0.3F, 1);
        vfloat c = vf_load(rows[DRAINAGE_CONTROL] + i) + vf_load(rows[DRAINAGE_DETAIL] + i) * coast;
        c = c + vf_set(w.base_level) + vf_set(w.plate_base) * vf_load(rows[DRAINAGE_BASE] + i) +
            vf_set(w.plate_belt) * belt;
        const vfloat inland = drainage_within(vf_set(8) * c, 0, 1);
        const vfloat rough = vf_set(0.57F) + vf_set(1.43F) * vf_load(rows[DRAINAGE_UPLIFT] + i);
        const vfloat rough_belt = vf_set(0.35F) + vf_set(1.3F) * vf_max(rough, zero);
        vfloat uplift = vf_set(w.rolling) * rough +
                        vf_set(w.belts) * belt / (one + vf_set(0.5F) * belt) * rough_belt;
        uplift = uplift * (vf_set(1 - w.coast) + vf_set(w.coast) * inland);
        uplift = vf_max(uplift, vf_set(w.least_uplift));
        vfloat strata = vf_set(w.dip) * vf_load(rows[DRAINAGE_DIP] + i) +
                        vf_set(w.dip_control) * vf_max(c, zero);
        if (w.fold != 0) {
            const vfloat across = vf_set(32 * w.fold_frequency) * vf_load(rows[DRAINAGE_FOLD] + i) +
                                  vf_set(2) * vf_load(rows[DRAINAGE_PHASE] + i);
            const vfloat along = vf_load(rows[DRAINAGE_ALONG] + i);
            strata +=
                vf_set(w.fold) * drainage_fold_noise(across, along, w.fold_key_x, w.fold_key_y);
        }
        vf_store_up_to(to.control + i, c, count - i);
        vf_store_up_to(to.uplift + i, drainage_log2(uplift * vf_set(w.inverse_erodibility)),
                       count - i);
        vf_store_up_to(to.hardness + i, vf_set(w.hardness) * vf_load(rows[DRAINAGE_HARDNESS] + i),
                       count - i);
        vf_store_up_to(to.strata + i, strata, count - i);
    }
}

/* ---- From samples to cells ------------------------------------------------------------------- */

static void drainage_between(float *to, const float *upper, const float *lower, float t,
                             uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vfloat from = vf_load(upper + i);
        vf_store(to + i, from + vf_set(t) * (vf_load(lower + i) - from));
    }
}

/* The first samples of the pairs that a vector's cells lie in, of which each has 2^shift. */
TERRAIN__INLINE vfloat drainage_sample_of(const float *samples, uint32_t shift)
{
    return shift == 0 ? vf_load(samples) : vf_lookup(samples, vu_lane() >> shift);
}

/* shift: a constant. */
TERRAIN__INLINE void drainage_stretch_by(float *to, const float *samples, uint32_t shift,
                                         uint32_t pairs)
{
    const uint32_t cells = 1u << shift;
    const vfloat unit = vf_set(1 / (float)(int32_t)cells);
    const vfloat lane = vf_from_int(vi_from_bits(vu_lane() & vu_set(cells - 1))) + vf_set(0.5F);
    if (cells < VEC_LANES) {
        for (uint32_t i = 0; i < pairs; i += VEC_LANES >> shift, to += VEC_LANES) {
            const vfloat from = drainage_sample_of(samples + i, shift);
            const vfloat rise = (drainage_sample_of(samples + i + 1, shift) - from) * unit;
            vf_store(to, from + lane * rise);
        }
        return;
    }
    for (uint32_t i = 0; i < pairs; i++) {
        const vfloat from = vf_set(samples[i]), rise = (vf_set(samples[i + 1]) - from) * unit;
        for (uint32_t k = 0; k < cells; k += VEC_LANES, to += VEC_LANES) {
            vf_store(to, from + (lane + vf_set((float)(int32_t)k)) * rise);
        }
    }
}

static void drainage_stretch(float *to, const float *samples, uint32_t shift, uint32_t pairs)
{
    if (shift == 3) {
        drainage_stretch_by(to, samples, 3, pairs);
    } else if (shift == 2) {
        drainage_stretch_by(to, samples, 2, pairs);
    } else if (shift == 1) {
        drainage_stretch_by(to, samples, 1, pairs);
    } else {
        drainage_stretch_by(to, samples, 0, pairs);
    }
}

const struct drainage_fields_kernels TERRAIN__KERNELS(drainage_fields) = {
    drainage_octave, drainage_plates, drainage_world, drainage_between, drainage_stretch};
