/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Lattice noise on a grid. Each lattice point holds a gradient g and a value h. With the fade s, and
 * with (u, v) the place of a cell between lattice rows 0 (above) and 1,
 *
 *   n = (1-s(v)) row0(u0, v) + s(v) row1(u1, v-1)
 *   row(u, v) = (1-s(u)) (h0 + g0.x u + g0.y v) + s(u) (h1 + g1.x (u-1) + g1.y v)
 *
 * u0 and u1 differ where lattice rows are staggered. The row's two parts
 *
 *   along  = (h0 + s(u)(h1-h0)) + (g0.x u(1-s(u)) + g1.x (u-1)s(u))
 *   across = g0.y + s(u) (g1.y-g0.y)
 *
 * do not depend on v: they are computed once for a lattice row (its profile), and a row of cells is then
 * a blend of two profiles,
 *
 *   n = (along0 + s(v) (along1-along0)) + (v(1-s(v)) across0 + (v-1)s(v) across1).
 *
 * Nothing is hashed for a cell, and each lattice point once a tile. */

#include <stdbool.h>

#include "generate/noise_kernels.h"

#include "core/math.h"
#include "core/random.h"
#include "core/vec.h"
#include "terrain/generate.h"

/* A place on an axis: lattice cell and fraction. On a torus 0 <= cell <= count. */
struct noise_position {
    int64_t cell;
    uint64_t fraction; /* in units of 2^-64 */
};

/* The places of a vector of cells between their lattice points. */
struct noise_places {
    vuint node; /* less the first one's */
    vfloat fade, near, far;
};

/* Rows of cells between the same two lattice rows. */
struct noise_run {
    struct noise_profile *upper, *lower;
    const float *fade, *near, *far; /* for each row: s(v), v(1-s(v)), (v-1)s(v) */
    float *to;
    const float *from; /* what the octave's terms are added to */
    float *gates;      /* ridged: by how much each cell's terms still count */
    size_t from_stride;
    uint32_t width; /* a multiple of two vectors */
    uint32_t rows;
    float weight;
    float feedback;
};

/* ---- The lattice ------------------------------------------------------------------------------ */

/* High word of the product. */
static uint64_t noise_multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

static struct noise_position noise_locate(const struct noise_axis *axis, uint64_t origin,
                                          int64_t cell)
{
    uint64_t c = (uint64_t)(axis->repeat != 0 ? terrain__floor_mod(cell, axis->repeat) : cell);
    uint64_t high = noise_multiply_high(c, axis->step);
    uint64_t low = c * axis->step;
    struct noise_position position;
    if ((int64_t)c < 0) {
        high -= axis->step; /* c is 2^64 more than the cell */
    }
    position.fraction = low + origin;
    position.cell = (int64_t)(high + (position.fraction < low));
    return position;
}

/* The lattice point's number on the torus. */
static int64_t noise_wrap(const struct noise_axis *axis, int64_t node)
{
    return axis->count != 0 ? node % axis->count : node;
}

/* How many of `most` cells from `cell` on come before the torus begins again. */
static uint32_t noise_round(const struct noise_axis *axis, int64_t cell, uint32_t most)
{
    uint32_t left;
    if (axis->repeat == 0) {
        return most;
    }
    left = axis->repeat - (uint32_t)terrain__floor_mod(cell, axis->repeat);
    return left < most ? left : most;
}

/* How many of `most` lattice points from `node` on are hashed alike: as far as neither the torus nor
 * the number's low word begins again. */
static uint32_t noise_node_run(const struct noise_axis *axis, int64_t node, uint32_t most)
{
    uint64_t run = (UINT64_C(1) << 32) - (uint32_t)node;
    if (axis->count != 0 && axis->count - (uint64_t)node < run) {
        run = axis->count - (uint64_t)node;
    }
    return run < most ? (uint32_t)run : most;
}

/* 1 where a + b, and a carry, give `sum` and carry out of 32 bits. */
static inline vuint noise_carry(vuint a, vuint b, vuint sum)
{
    return ((a & b) | ((a | b) & ~sum)) >> 31;
}

/* 6 u^5 - 15 u^4 + 10 u^3 around u = 1/2, where nothing cancels: error below 1e-7. */
static inline vfloat noise_fade(vfloat u)
{
    vfloat t = u - vf_set(0.5f);
    vfloat t2 = t * t;
    return vf_set(0.5f) + t * (vf_set(1.875f) + t2 * (t2 * vf_set(6) - vf_set(5)));
}

static inline struct noise_places noise_places_from(const struct noise_axis *axis,
                                                    uint64_t fraction)
{
    vuint low = vu_set((uint32_t)fraction), low_step = vu_load(axis->low);
    vuint high = vu_set((uint32_t)(fraction >> 32)), high_step = vu_load(axis->high);
    vuint low_sum = low + low_step;
    vuint high_sum = high + high_step + noise_carry(low, low_step, low_sum);
    vfloat u = vf_from_int(vi_from_bits(high_sum >> 8)) * vf_set(0x1p-24f);
    vfloat s = noise_fade(u);
    struct noise_places places;
    places.node = vu_load(axis->whole) + noise_carry(high, high_step, high_sum);
    places.fade = s;
    places.near = u * (vf_set(1) - s);
    places.far = (u - vf_set(1)) * s;
    return places;
}

/* On by a vector. */
static inline void noise_advance(struct noise_position *position, const struct noise_axis *axis)
{
    uint64_t step = VEC_LANES * axis->step;
    position->fraction += step;
    position->cell += axis->whole[VEC_LANES] + (position->fraction < step);
}

/* ---- Lattice rows ----------------------------------------------------------------------------- */

/* The direction 2 pi k / 2^20, k the hash's upper 20 bits: as a quarter turn and an angle of at most an
 * eighth from it. The polynomials are the minimax ones of sin and cos(pi/2 t) for |t| <= 1/2, with
 * errors below 3e-9 and 3e-8. */
static inline void noise_direction(vuint bits, vfloat *x, vfloat *y)
{
    vuint quarter = (bits + vu_set(UINT32_C(1) << 29)) >> 30;
    vmask odd = vi_equal(vi_from_bits(quarter & vu_set(1)), vi_set(1));
    vuint rest = (bits & vu_set(UINT32_C(0x3FFFF000))) << 2;
    vfloat t = vf_from_int(vi_from_bits(rest)) * vf_set(0x1p-32f);
    vfloat t2 = t * t;
    vfloat sine = t * (vf_set(1.57079632f) +
                       t2 * (vf_set(-0.645963479f) +
                             t2 * (vf_set(0.0796802281f) + t2 * vf_set(-0.00460217699f))));
    vfloat cosine =
        vf_set(0.999999972f) +
        t2 * (vf_set(-1.23369701f) + t2 * (vf_set(0.253598644f) + t2 * vf_set(-0.0204083525f)));
    *x = vf_flip_sign(vf_select(odd, sine, cosine), (quarter + vu_set(1)) << 30);
    *y = vf_flip_sign(vf_select(odd, cosine, sine), quarter << 30);
}

/* (2 k + 1) / 4096 - 1, k the hash's lower 12 bits. */
static inline vfloat noise_value_of(vuint bits)
{
    vuint k = (bits & vu_set(4095)) * vu_set(2) + vu_set(1);
    return vf_from_int(vi_from_bits(k)) * vf_set(0x1p-12f) - vf_set(1);
}

/* What a vector of lattice points holds. */
static inline void noise_store_nodes(struct noise_workspace *work, uint32_t at,
                                     const struct noise_octave *octave, vuint bits)
{
    vfloat x, y;
    noise_direction(bits, &x, &y);
    vf_store(work->gradient_x + at, x * vf_set(octave->length));
    vf_store(work->gradient_y + at, y * vf_set(octave->length));
    vf_store(work->value + at, noise_value_of(bits) * vf_set(octave->level));
}

/* Hashes what `width` columns from the first one on, at `position`, need of the lattice row. */
static void noise_hash_row(struct noise_workspace *work, const struct noise_octave *octave,
                           int64_t row, struct noise_position position, uint32_t width)
{
    /* The columns span this many lattice cells or one more, and each has two points. */
    uint32_t count = (uint32_t)noise_multiply_high(width, octave->x.step) + 3;
    uint64_t hash = terrain__random_row(octave->stream, row);
    for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
        int64_t first = noise_wrap(&octave->x, position.cell + begin);
        uint64_t column = terrain__random_column(hash, first);
        end = begin + noise_node_run(&octave->x, first, count - begin);
        for (uint32_t i = begin; i < end; i += VEC_LANES) {
            vuint node = vu_set((uint32_t)first + (i - begin)) + vu_lane();
            noise_store_nodes(work, i, octave, vu_random_bits(column, node));
        }
    }
}

/* A vector of columns, whose first lattice point is `node` of those that were hashed. */
static inline void noise_store_profile(struct noise_profile *profile, uint32_t at,
                                       const struct noise_workspace *work, int64_t node,
                                       struct noise_places places)
{
    const float *x = work->gradient_x + node;
    const float *y = work->gradient_y + node;
    const float *h = work->value + node;
    vfloat h0 = vf_lookup(h, places.node), h1 = vf_lookup(h + 1, places.node);
    vfloat x0 = vf_lookup(x, places.node), x1 = vf_lookup(x + 1, places.node);
    vfloat y0 = vf_lookup(y, places.node), y1 = vf_lookup(y + 1, places.node);
    vf_store(profile->along + at,
             (h0 + places.fade * (h1 - h0)) + (x0 * places.near + x1 * places.far));
    vf_store(profile->across + at, y0 + places.fade * (y1 - y0));
}

/* The profile of the lattice row that was hashed. On a torus each round begins anew, over what the
 * last vector of the round before it wrote too many. */
static void noise_find_profile(struct noise_profile *profile, const struct noise_workspace *work,
                               const struct noise_axis *axis, uint64_t origin, int64_t x,
                               struct noise_position position, uint32_t width)
{
    int64_t first = position.cell;
    for (uint32_t begin = 0, end = 0; begin < width; begin = end) {
        if (begin != 0) {
            first -= axis->count;
            position = noise_locate(axis, origin, 0);
        }
        end = begin + noise_round(axis, x + begin, width - begin);
        for (uint32_t i = begin; i < end; i += VEC_LANES) {
            struct noise_places places = noise_places_from(axis, position.fraction);
            noise_store_profile(profile, i, work, position.cell - first, places);
            noise_advance(&position, axis);
        }
    }
}

/* ---- Rows of cells ---------------------------------------------------------------------------- */

/* The share of the profiles in one vector of columns. */
struct noise_shares {
    vfloat along, difference, upper, lower;
};

static inline struct noise_shares noise_load_shares(const struct noise_run *run, uint32_t i)
{
    struct noise_shares shares;
    shares.along = vf_load(run->upper->along + i);
    shares.difference = vf_load(run->lower->along + i) - shares.along;
    shares.upper = vf_load(run->upper->across + i);
    shares.lower = vf_load(run->lower->across + i);
    return shares;
}

static inline vfloat noise_value(const struct noise_shares *shares, const struct noise_run *run,
                                 uint32_t y)
{
    return (shares->along + vf_set(run->fade[y]) * shares->difference) +
           (vf_set(run->near[y]) * shares->upper + vf_set(run->far[y]) * shares->lower);
}

static inline vfloat noise_fbm(vfloat value, const struct noise_run *run, float *gates)
{
    (void)run; /* what the lattice points hold has the weight already */
    (void)gates;
    return value;
}

static inline vfloat noise_billow(vfloat value, const struct noise_run *run, float *gates)
{
    (void)gates;
    return vf_set(run->weight) * vf_abs(value);
}

static inline vfloat noise_ridged(vfloat value, const struct noise_run *run, float *gates)
{
    vfloat ridge = vf_set(1) - vf_abs(value);
    vfloat signal = ridge * ridge * vf_load(gates);
    vf_store(gates, vf_min(vf_set(run->feedback) * signal, vf_set(1)));
    return vf_set(run->weight) * signal;
}

/* to = from + the octave's term, in two vectors of columns at a time. The struct is copied because for
 * all the compiler knows `to` points into it. */
#define NOISE_ADD_RUN(term)                                                                        \
    static void term##_run(const struct noise_run *pointer)                                        \
    {                                                                                              \
        const struct noise_run run = *pointer;                                                     \
        for (uint32_t i = 0; i < run.width; i += 2 * VEC_LANES) {                                  \
            struct noise_shares left = noise_load_shares(&run, i);                                 \
            struct noise_shares right = noise_load_shares(&run, i + VEC_LANES);                    \
            float *gates = run.gates + i;                                                          \
            const float *from = run.from + i;                                                      \
            float *to = run.to + i;                                                                \
            for (uint32_t y = 0; y < run.rows; y++) {                                              \
                vfloat left_value = noise_value(&left, &run, y);                                   \
                vfloat right_value = noise_value(&right, &run, y);                                 \
                vfloat left_sum = vf_load(from) + term(left_value, &run, gates);                   \
                vfloat right_sum =                                                                 \
                    vf_load(from + VEC_LANES) + term(right_value, &run, gates + VEC_LANES);        \
                vf_store(to, left_sum);                                                            \
                vf_store(to + VEC_LANES, right_sum);                                               \
                gates += NOISE_TILE_WIDTH;                                                         \
                from += run.from_stride;                                                           \
                to += NOISE_TILE_WIDTH;                                                            \
            }                                                                                      \
        }                                                                                          \
    }

NOISE_ADD_RUN(noise_fbm)
NOISE_ADD_RUN(noise_billow)
NOISE_ADD_RUN(noise_ridged)

static void noise_add_run(const struct noise_run *run, uint32_t fractal)
{
    switch (fractal) {
    case TERRAIN_NOISE_RIDGED:
        noise_ridged_run(run);
        break;
    case TERRAIN_NOISE_BILLOW:
        noise_billow_run(run);
        break;
    default:
        noise_fbm_run(run);
        break;
    }
}

/* ---- Tiles ------------------------------------------------------------------------------------ */

/* A tile's lattice row, hashed, and where its columns begin in it. */
struct noise_lattice_row {
    uint64_t origin;
    struct noise_position position;
};

static struct noise_lattice_row noise_begin_row(const struct noise_plan *plan,
                                                const struct noise_octave *octave,
                                                const struct noise_tile *tile, int64_t node)
{
    int64_t number = noise_wrap(&octave->y, node);
    struct noise_lattice_row row;
    row.origin = plan->staggered ? terrain__random_row(octave->shifts, number) : octave->x.origin;
    row.position = noise_locate(&octave->x, row.origin, tile->x);
    noise_hash_row(tile->work, octave, number, row.position, tile->width);
    return row;
}

static void noise_end_row(struct noise_profile *profile, const struct noise_octave *octave,
                          const struct noise_tile *tile, const struct noise_lattice_row *row)
{
    noise_find_profile(profile, tile->work, &octave->x, row->origin, tile->x, row->position,
                       tile->width);
}

/* Where the tile's rows lie; returns the lattice row above the first one. */
static int64_t noise_find_rows(struct noise_rows *rows, const struct noise_axis *axis,
                               const struct noise_tile *tile)
{
    struct noise_position position = noise_locate(axis, axis->origin, tile->y);
    int64_t above = position.cell, first = above;
    for (uint32_t begin = 0, end = 0; begin < tile->height; begin = end) {
        if (begin != 0) {
            first -= axis->count;
            position = noise_locate(axis, axis->origin, 0);
        }
        end = begin + noise_round(axis, tile->y + begin, tile->height - begin);
        for (uint32_t i = begin; i < end; i += VEC_LANES) {
            struct noise_places places = noise_places_from(axis, position.fraction);
            vuint node = places.node + vu_set((uint32_t)(position.cell - first));
            memcpy(rows->node + i, &node, sizeof node);
            vf_store(rows->fade + i, places.fade);
            vf_store(rows->near + i, places.near);
            vf_store(rows->far + i, places.far);
            noise_advance(&position, axis);
        }
    }
    return above;
}

static struct noise_run noise_first_run(const struct noise_plan *plan,
                                        const struct noise_tile *tile, uint32_t octave)
{
    struct noise_workspace *work = tile->work;
    struct noise_run run = {.upper = &work->profiles[0], .lower = &work->profiles[1]};
    run.from = octave == 0 ? work->first : work->sums;
    run.from_stride = octave == 0 ? 0 : NOISE_TILE_WIDTH;
    run.to = work->sums;
    run.gates = work->gates;
    run.width = (tile->width + 2 * VEC_LANES - 1) / (2 * VEC_LANES) * (2 * VEC_LANES);
    run.weight = plan->octaves[octave].weight;
    run.feedback = plan->feedback;
    return run;
}

/* On to the rows from `y` on that lie below the same lattice row. */
static void noise_next_run(struct noise_run *run, const struct noise_tile *tile, uint32_t y)
{
    const struct noise_rows *rows = &tile->work->rows;
    uint32_t end = y + 1;
    while (end < tile->height && rows->node[end] == rows->node[y]) {
        end++;
    }
    run->to += run->rows * NOISE_TILE_WIDTH;
    run->from += run->rows * run->from_stride;
    run->gates += run->rows * NOISE_TILE_WIDTH;
    run->fade = rows->fade + y;
    run->near = rows->near + y;
    run->far = rows->far + y;
    run->rows = end - y;
}

static void noise_add_octave(const struct noise_plan *plan, const struct noise_tile *tile,
                             uint32_t index)
{
    const struct noise_octave *octave = &plan->octaves[index];
    struct noise_run run = noise_first_run(plan, tile, index);
    int64_t node = noise_find_rows(&tile->work->rows, &octave->y, tile);
    struct noise_lattice_row row = noise_begin_row(plan, octave, tile, node++);
    noise_end_row(run.lower, octave, tile, &row);
    row = noise_begin_row(plan, octave, tile, node++);
    for (uint32_t y = 0; y < tile->height; y += run.rows) {
        struct noise_profile *upper = run.upper;
        run.upper = run.lower;
        run.lower = upper;
        noise_end_row(run.lower, octave, tile, &row);
        noise_next_run(&run, tile, y);
        if (y + run.rows < tile->height) {
            /* Long before it is needed: loads that straddle two stores wait for both. */
            row = noise_begin_row(plan, octave, tile, node++);
        }
        noise_add_run(&run, plan->fractal);
    }
}

static void noise_fill(float *row, uint32_t width, float value)
{
    for (uint32_t i = 0; i < width; i++) {
        row[i] = value;
    }
}

/* Defines what vectors that hang over read, too. */
static void noise_begin_tile(struct noise_workspace *work, const struct noise_plan *plan)
{
    noise_fill(work->first, NOISE_TILE_WIDTH, plan->offset);
    noise_fill(work->gradient_x, NOISE_NODES, 0);
    noise_fill(work->gradient_y, NOISE_NODES, 0);
    noise_fill(work->value, NOISE_NODES, 0);
    memset(work->profiles, 0, sizeof work->profiles);
    if (plan->fractal == TERRAIN_NOISE_RIDGED) {
        noise_fill(work->gates, NOISE_TILE_CELLS, 1);
    }
}

static void noise_write_row(float *to, const float *sums, uint32_t width, bool stream)
{
    uint32_t i = 0;
    if (stream && (uintptr_t)to % sizeof(vfloat) == 0) {
        for (; i + VEC_LANES <= width; i += VEC_LANES) {
            vf_stream(to + i, vf_load(sums + i));
        }
    }
    memcpy(to + i, sums + i, (width - i) * sizeof *to);
}

static void noise_tile(const struct noise_plan *plan, const struct noise_tile *tile)
{
    noise_begin_tile(tile->work, plan);
    for (uint32_t i = 0; i < plan->octave_count; i++) {
        noise_add_octave(plan, tile, i);
    }
    for (uint32_t y = 0; y < tile->height; y++) {
        noise_write_row(tile->cells + y * tile->stride, tile->work->sums + y * NOISE_TILE_WIDTH,
                        tile->width, tile->stream);
    }
    if (tile->stream) {
        vf_streamed();
    }
}

const struct noise_kernels TERRAIN__KERNELS(noise) = {noise_tile};
