/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Lattice noise on a grid. Each lattice point holds a gradient g and a value h. With the fade s,
 * and with (u, v) the place of a cell between lattice rows 0, above it, and 1, below it,
 *
 *   n = (1-s(v)) row0(u0, v) + s(v) row1(u1, v-1)
 *   row(u, v) = (1-s(u)) (h0 + g0.x u + g0.y v) + s(u) (h1 + g1.x (u-1) + g1.y v)
 *
 * u0 and u1 differ where lattice rows are staggered. The row's two parts
 *
 *   along  = (h0 + s(u)(h1-h0)) + (g0.x u(1-s(u)) + g1.x (u-1)s(u))
 *   across = g0.y + s(u) (g1.y-g0.y)
 *
 * do not depend on v: they are computed once for each lattice row, as its profile. A row of cells
 * is then a blend of two profiles,
 *
 *   n = (along0 + s(v) (along1-along0)) + (v(1-s(v)) across0 + (v-1)s(v) across1).
 *
 * VALUE has g = 0. SIMPLEX adds the shares of four points, with u' and v' the way from each,
 *
 *   n = sum of max(0, (1 - u'^2) - v'^2)^4 (g.x u' + g.y v')
 *
 * where 1 - u'^2, g.x u' and g.y belong to the profile. Each lattice point is hashed once for a
 * patch, and nothing is hashed for a cell. */

#include <stdbool.h>

#include "generate/noise_lattice_vec.h"

/* Rows of cells between the same two lattice rows. */
struct noise_run {
    struct noise_profile *upper, *lower;
    const float *parts[4]; /* of struct noise_rows */
    float *to;
    const float *from; /* the sums to which the octave's terms are added */
    float *gates;      /* ridged: the factor on each cell's next term */
    size_t from_stride;
    uint32_t width; /* a multiple of two vectors */
    uint32_t rows;
    float weight;
    float feedback;
};

/* ---- Lattice rows ---------------------------------------------------------------------------- */

/* The points before and after a vector of cells. */
struct noise_pair {
    vfloat before, after;
};

static inline struct noise_pair noise_look_up(const float *table, int64_t node, vuint places)
{
    struct noise_pair pair = {vf_lookup(table + node, places), vf_lookup(table + node + 1, places)};
    return pair;
}

static inline vfloat noise_blend(struct noise_pair pair, vfloat fade)
{
    return pair.before + fade * (pair.after - pair.before);
}

/* Stores a vector of columns; `node` is the index of its first lattice point among those hashed. */
static inline void noise_store_slopes(struct noise_profile *profile, uint32_t at,
                                      const struct noise_nodes *nodes, int64_t node,
                                      struct noise_places places)
{
    struct noise_pair h = noise_look_up(nodes->value, node, places.node);
    struct noise_pair x = noise_look_up(nodes->gradient_x, node, places.node);
    struct noise_pair y = noise_look_up(nodes->gradient_y, node, places.node);
    vfloat u = places.between, s = noise_fade(u);
    vfloat near = u * (vf_set(1) - s), far = (u - vf_set(1)) * s;
    vf_store(profile->along[0] + at, noise_blend(h, s) + (x.before * near + x.after * far));
    vf_store(profile->across[0] + at, noise_blend(y, s));
}

static inline void noise_store_values(struct noise_profile *profile, uint32_t at,
                                      const struct noise_nodes *nodes, int64_t node,
                                      struct noise_places places)
{
    struct noise_pair h = noise_look_up(nodes->value, node, places.node);
    vf_store(profile->along[0] + at, noise_blend(h, noise_fade(places.between)));
}

static inline void noise_store_discs(struct noise_profile *profile, uint32_t at,
                                     const struct noise_nodes *nodes, int64_t node,
                                     struct noise_places places)
{
    struct noise_pair x = noise_look_up(nodes->gradient_x, node, places.node);
    struct noise_pair y = noise_look_up(nodes->gradient_y, node, places.node);
    vfloat before = places.between * vf_set(NOISE_EDGE), after = before - vf_set(NOISE_EDGE);
    vf_store(profile->reach[0] + at, vf_set(1) - before * before);
    vf_store(profile->reach[1] + at, vf_set(1) - after * after);
    vf_store(profile->along[0] + at, x.before * before);
    vf_store(profile->along[1] + at, x.after * after);
    vf_store(profile->across[0] + at, y.before);
    vf_store(profile->across[1] + at, y.after);
}

static inline void noise_store_profile(struct noise_profile *profile, uint32_t at,
                                       const struct noise_nodes *nodes, int64_t node,
                                       struct noise_places places, uint32_t basis)
{
    switch (basis) {
    case TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX:
        noise_store_discs(profile, at, nodes, node, places);
        break;
    case TERRAIN_GENERATE_NOISE_BASIS_VALUE:
        noise_store_values(profile, at, nodes, node, places);
        break;
    default:
        noise_store_slopes(profile, at, nodes, node, places);
        break;
    }
}

/* Makes the profile of the lattice row that was hashed. On a torus each round starts anew, and
 * overwrites what the last vector of the round before wrote past its end. */
static void noise_find_profile(struct noise_profile *profile, const struct noise_nodes *nodes,
                               const struct noise_axis *axis, uint64_t origin, int64_t x,
                               struct noise_position position, uint32_t width, uint32_t basis)
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
            noise_store_profile(profile, i, nodes, position.cell - first, places, basis);
            noise_advance(&position, axis);
        }
    }
}

/* ---- Rows of cells --------------------------------------------------------------------------- */

/* The share of the profiles in one vector of columns. */
struct noise_slopes {
    vfloat along, difference, upper, lower;
};

static inline struct noise_slopes noise_slopes_load(const struct noise_run *run, uint32_t i)
{
    struct noise_slopes shares;
    shares.along = vf_load(run->upper->along[0] + i);
    shares.difference = vf_load(run->lower->along[0] + i) - shares.along;
    shares.upper = vf_load(run->upper->across[0] + i);
    shares.lower = vf_load(run->lower->across[0] + i);
    return shares;
}

static inline vfloat noise_slopes_at(const struct noise_slopes *shares, const struct noise_run *run,
                                     uint32_t y)
{
    return (shares->along + vf_set(run->parts[0][y]) * shares->difference) +
           (vf_set(run->parts[1][y]) * shares->upper + vf_set(run->parts[2][y]) * shares->lower);
}

struct noise_values {
    vfloat along, difference;
};

static inline struct noise_values noise_values_load(const struct noise_run *run, uint32_t i)
{
    struct noise_values shares;
    shares.along = vf_load(run->upper->along[0] + i);
    shares.difference = vf_load(run->lower->along[0] + i) - shares.along;
    return shares;
}

static inline vfloat noise_values_at(const struct noise_values *shares, const struct noise_run *run,
                                     uint32_t y)
{
    return shares->along + vf_set(run->parts[0][y]) * shares->difference;
}

struct noise_discs {
    vfloat reach[4], along[4], across[4];
};

static inline struct noise_discs noise_discs_load(const struct noise_run *run, uint32_t i)
{
    struct noise_discs shares;
    for (uint32_t k = 0; k < 4; k++) {
        const struct noise_profile *profile = k < 2 ? run->upper : run->lower;
        shares.reach[k] = vf_load(profile->reach[k % 2] + i);
        shares.along[k] = vf_load(profile->along[k % 2] + i);
        shares.across[k] = vf_load(profile->across[k % 2] + i);
    }
    return shares;
}

/* v and its square are those of the row of cells. */
static inline vfloat noise_disc(const struct noise_discs *shares, uint32_t k, float v, float square)
{
    vfloat t = vf_max(shares->reach[k] - vf_set(square), vf_set(0));
    vfloat t2 = t * t;
    return t2 * t2 * (shares->along[k] + vf_set(v) * shares->across[k]);
}

static inline vfloat noise_discs_at(const struct noise_discs *shares, const struct noise_run *run,
                                    uint32_t y)
{
    float v = run->parts[0][y], w = run->parts[1][y];
    float v2 = run->parts[2][y], w2 = run->parts[3][y];
    return (noise_disc(shares, 0, v, v2) + noise_disc(shares, 1, v, v2)) +
           (noise_disc(shares, 2, w, w2) + noise_disc(shares, 3, w, w2));
}

/* to = from + the octave's term, two vectors of columns at a time. The struct is copied because for
 * all the compiler knows `to` points into it. */
#define NOISE_ADD_RUN(basis, term)                                                                 \
    static void basis##_##term##_run(const struct noise_run *pointer)                              \
    {                                                                                              \
        const struct noise_run run = *pointer;                                                     \
        for (uint32_t i = 0; i < run.width; i += 2 * VEC_LANES) {                                  \
            struct basis left = basis##_load(&run, i);                                             \
            struct basis right = basis##_load(&run, i + VEC_LANES);                                \
            float *gates = run.gates + i;                                                          \
            const float *from = run.from + i;                                                      \
            float *to = run.to + i;                                                                \
            for (uint32_t y = 0; y < run.rows; y++) {                                              \
                vfloat left_value = basis##_at(&left, &run, y);                                    \
                vfloat right_value = basis##_at(&right, &run, y);                                  \
                vfloat left_sum =                                                                  \
                    vf_load(from) + noise_##term(left_value, run.weight, run.feedback, gates);     \
                vfloat right_sum =                                                                 \
                    vf_load(from + VEC_LANES) +                                                    \
                    noise_##term(right_value, run.weight, run.feedback, gates + VEC_LANES);        \
                vf_store(to, left_sum);                                                            \
                vf_store(to + VEC_LANES, right_sum);                                               \
                gates += NOISE_PATCH_WIDTH;                                                        \
                from += run.from_stride;                                                           \
                to += NOISE_PATCH_WIDTH;                                                           \
            }                                                                                      \
        }                                                                                          \
    }

#define NOISE_ADD_RUNS(basis)                                                                      \
    NOISE_ADD_RUN(basis, fbm)                                                                      \
    NOISE_ADD_RUN(basis, ridged)                                                                   \
    NOISE_ADD_RUN(basis, billow)

NOISE_ADD_RUNS(noise_slopes)
NOISE_ADD_RUNS(noise_values)
NOISE_ADD_RUNS(noise_discs)

/* By basis and fractal. */
static void (*const noise_add_run[4][3])(const struct noise_run *run) = {
    {noise_slopes_fbm_run, noise_slopes_ridged_run, noise_slopes_billow_run},
    {noise_slopes_fbm_run, noise_slopes_ridged_run, noise_slopes_billow_run},
    {noise_discs_fbm_run, noise_discs_ridged_run, noise_discs_billow_run},
    {noise_values_fbm_run, noise_values_ridged_run, noise_values_billow_run},
};

/* ---- Patches --------------------------------------------------------------------------------- */

/* A patch's lattice row, hashed, and where its columns begin in it. */
struct noise_lattice_row {
    uint64_t origin;
    struct noise_position position;
};

static struct noise_lattice_row noise_begin_row(const struct noise_plan *plan,
                                                const struct noise_octave *octave,
                                                const struct noise_patch *patch, int64_t node)
{
    int64_t number = noise_wrap(&octave->y, node);
    /* The columns span this many lattice cells without the 3, or one more; each has two points. */
    uint32_t count = (uint32_t)noise_multiply_high(patch->width, octave->x.step) + 3;
    struct noise_nodes *nodes = &patch->work->nodes;
    const struct noise_node_row to = {nodes->gradient_x, nodes->gradient_y, nodes->value};
    struct noise_lattice_row row;
    row.origin = noise_row_origin(plan, octave, number);
    row.position = noise_locate(&octave->x, row.origin, patch->x);
    noise_hash_row(to.value, octave, terrain__random_row(octave->stream, number), row.position.cell,
                   count);
    noise_find_nodes(&to, octave, count);
    return row;
}

static void noise_end_row(struct noise_profile *profile, const struct noise_octave *octave,
                          const struct noise_patch *patch, const struct noise_lattice_row *row,
                          uint32_t basis)
{
    noise_find_profile(profile, &patch->work->nodes, &octave->x, row->origin, patch->x,
                       row->position, patch->width, basis);
}

/* Finds where the patch's rows lie; returns the lattice row above the first one. */
static int64_t noise_find_rows(struct noise_rows *rows, const struct noise_axis *axis,
                               const struct noise_patch *patch, uint32_t basis)
{
    bool discs = basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX;
    int64_t above =
        noise_find_places(rows->node, rows->parts[0], axis, axis->origin, patch->y, patch->height);
    for (uint32_t i = 0; i < patch->height; i += VEC_LANES) {
        vfloat v = vf_load(rows->parts[0] + i), w = v - vf_set(1), s = noise_fade(v);
        vf_store(rows->parts[0] + i, discs ? v : s);
        vf_store(rows->parts[1] + i, discs ? w : v * (vf_set(1) - s));
        vf_store(rows->parts[2] + i, discs ? v * v : w * s);
        vf_store(rows->parts[3] + i, w * w);
    }
    return above;
}

static struct noise_run noise_first_run(const struct noise_plan *plan,
                                        const struct noise_patch *patch, uint32_t octave)
{
    struct noise_workspace *work = patch->work;
    struct noise_run run = {.upper = &work->profiles[0], .lower = &work->profiles[1]};
    run.from = octave == 0 ? work->first : work->sums;
    run.from_stride = octave == 0 ? 0 : NOISE_PATCH_WIDTH;
    run.to = work->sums;
    run.gates = work->gates;
    run.width = (patch->width + 2 * VEC_LANES - 1) / (2 * VEC_LANES) * (2 * VEC_LANES);
    run.weight = plan->octaves[octave].weight;
    run.feedback = plan->feedback;
    return run;
}

/* Moves on to the rows, from row y on, that lie below the same lattice row. */
static void noise_next_run(struct noise_run *run, const struct noise_patch *patch, uint32_t y)
{
    const struct noise_rows *rows = &patch->work->rows;
    uint32_t end = y + 1;
    while (end < patch->height && rows->node[end] == rows->node[y]) {
        end++;
    }
    run->to += run->rows * NOISE_PATCH_WIDTH;
    run->from += run->rows * run->from_stride;
    run->gates += run->rows * NOISE_PATCH_WIDTH;
    for (uint32_t k = 0; k < 4; k++) {
        run->parts[k] = rows->parts[k] + y;
    }
    run->rows = end - y;
}

static void noise_add_octave(const struct noise_plan *plan, const struct noise_patch *patch,
                             uint32_t index)
{
    const struct noise_octave *octave = &plan->octaves[index];
    struct noise_run run = noise_first_run(plan, patch, index);
    int64_t node = noise_find_rows(&patch->work->rows, &octave->y, patch, plan->basis);
    struct noise_lattice_row row = noise_begin_row(plan, octave, patch, node++);
    noise_end_row(run.lower, octave, patch, &row, plan->basis);
    row = noise_begin_row(plan, octave, patch, node++);
    for (uint32_t y = 0; y < patch->height; y += run.rows) {
        struct noise_profile *upper = run.upper;
        run.upper = run.lower;
        run.lower = upper;
        noise_end_row(run.lower, octave, patch, &row, plan->basis);
        noise_next_run(&run, patch, y);
        if (y + run.rows < patch->height) {
            /* Hashed long before it is needed: loads that straddle two stores wait for both. */
            row = noise_begin_row(plan, octave, patch, node++);
        }
        noise_add_run[plan->basis][plan->fractal](&run);
    }
}

static void noise_fill(float *row, uint32_t width, float value)
{
    for (uint32_t i = 0; i < width; i++) {
        row[i] = value;
    }
}

/* Also sets all that vectors may read past the end. */
static void noise_begin_patch(struct noise_workspace *work, const struct noise_plan *plan)
{
    noise_fill(work->first, NOISE_PATCH_WIDTH, plan->offset);
    memset(&work->nodes, 0, sizeof work->nodes);
    memset(work->profiles, 0, sizeof work->profiles);
    if (plan->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED) {
        noise_fill(work->gates, NOISE_PATCH_CELLS, 1);
    }
}

static void noise_patch(const struct noise_plan *plan, const struct noise_patch *patch)
{
    noise_begin_patch(patch->work, plan);
    for (uint32_t i = 0; i < plan->octave_count; i++) {
        noise_add_octave(plan, patch, i);
    }
    if (plan->octave_count == 0) {
        noise_fill(patch->work->sums, NOISE_PATCH_CELLS, plan->offset);
    }
    for (uint32_t y = 0; y < patch->height && patch->cells != NULL; y++) {
        noise_write_row(patch->cells + y * patch->stride, patch->work->sums + y * NOISE_PATCH_WIDTH,
                        patch->width, patch->stream);
    }
    if (patch->stream) {
        vf_streamed();
    }
}

const struct noise_kernels TERRAIN__KERNELS(noise) = {noise_patch};
