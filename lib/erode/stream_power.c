/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_stream_power: land rises, and rivers cut into it by their discharge and slope.
 *
 *     dh/dt = uplift - erosion A^m s^n          A: the discharge of a cell, s: its slope
 *
 * A. D. Howard, A detachment-limited model of drainage basin evolution, Water Resources Research
 * 30, 1994. J. Braun, S. D. Willett, A very efficient O(n), implicit and parallel method to solve
 * the stream power equation, Geomorphology 180-181, 2013, for the implicit step along receivers. In
 * the steady state land rises as fast as rivers cut: s = (uplift / (erosion A^m))^(1/n), and
 * heights are the integral of s from the outlets upwards. Rivers and heights depend on each other:
 * a few sweeps on each level of a pyramid, coarse ones first, find both. A sweep finds
 *
 *     receivers   the steepest of the eight neighbours, with random factors for the diagonal ones
 *                 (RHO8), so that no direction is preferred. In a level's first sweep they lead
 *                 across hollows by the graph of basins, or come from the coarser level
 *     areas       whole numbers, summed along the receivers
 *     heights     from the outlets upwards, each from its receiver's h_r at the distance d:
 *                 steady      h' = h_r + d min(talus, s)
 *                 transient   h' + d F (h' - h_r)^n / d^n = h + uplift, F = erosion A^m / d
 *
 * A level starts with the coarser level's land, interpolated, plus a little noise, in whose hollows
 * finer rivers begin. The map itself, three quarters of all cells, inherits the coarser level's
 * receivers instead, one for each block of 2 x 2 cells, so that there are no hollows to cross:
 *
 *     coarse cell  ->      . .  ->        a block's cells flow to its exit x, which lies beside the
 *     flows east           . x  ->        next block and flows as the coarse cell does
 *
 * At the end a level's land is relaxed: a few steps lower it towards land that rises by s in every
 * direction, not only in eight, so that crests and hillsides don't follow directions of the grid.
 * With the lower neighbours a, b at right angles, v = (a + b + sqrt(2 (d s)^2 - (a - b)^2)) / 2.
 *
 * Two threads solve a sweep from both ends of the tree of receivers (flow/tree.c). The largest
 * rivers, as found by an earlier sweep or by following a few cells, are a trunk that one thread
 * solves:
 *
 *     areas       of the branches, in two halves, then of the trunk
 *     heights     of the trunk, then of the branches, in two halves
 *
 * A cell's new height depends only on its receiver's, so any order of work gives the same bits. It
 * is above the receiver's, and relaxing leaves each cell a lower neighbour, so the result has no
 * pits. stream_power_levels.c makes the levels; tests/oracle/stream_power.c is the naive
 * version. */

#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "core/choices.h"
#include "erode/stream_power.h"
#include "rows/rows.h"

enum { POWER_RELAXATIONS = 6 };

_Static_assert((int)POWER_BEYOND >= (int)TERRAIN__FLOW_TREE_PAD + 16,
               "there is a float for each place of the tree, and a vector more");

/* How far sweeps in the second half of a level, but for the last, move heights towards the steady
 * state: all the way, rivers would not come to rest. */
#define POWER_LATER_SHARE 0.7f

static const char *const power_mode_names[] = {"steady", "transient"};
static const char *const power_mode_docs[] = {
    "the steady state, where rivers cut as fast as the land rises",
    "a number of time steps from the map as it is",
};

static const terrain_parameter power_parameters[] = {
    TERRAIN__ENUM(power_params, mode, TERRAIN_ERODE_STREAM_POWER_MODE_STEADY, power_mode,
                  "The state where uplift and erosion balance, or time steps on the way to it."),
    TERRAIN__UINT32(power_params, iterations, "", 4, 0, 10000,
                    "Sweeps at full resolution (STEADY), or time steps (TRANSIENT).",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(power_params, uplift_rate, "height", 0.04, 0, 1e6,
                   "How much the land rises in a time step. For STEADY only uplift_rate / "
                   "erosion_rate counts."),
    TERRAIN__FLOAT(power_params, erosion_rate, "", 0.04, 1e-6, 1e6,
                   "How much rivers cut in a time step, where area and slope are 1."),
    TERRAIN__FLOAT(
        power_params, concavity, "", 0.45, 0.05, 1,
        "How fast rivers become gentle as they grow: slope is in proportion to area^-concavity."),
    TERRAIN__UINT32(power_params, slope_exponent, "", 1, 1, 2,
                    "Erosion grows with the slope to this power: 1 or 2.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(power_params, talus, "slope", 0.9, 0, 100,
                   "The steepest slope that holds: the slope of hillsides."),
    TERRAIN__FLOAT(power_params, sea, "height", -TERRAIN__INFINITY, -TERRAIN__INFINITY,
                   TERRAIN__INFINITY,
                   "Land at or below this height is sea: it stays as it is, and water ends there."),
    TERRAIN__FLOAT(power_params, river_discharge, "cells", 1000, 0, 1e9,
                   "The discharge from which on a cell of `rivers` keeps its height.",
                   TERRAIN__WITH(rivers), .scaling = TERRAIN_SCALING_AREA),
    TERRAIN__ENUM(power_params, rim, TERRAIN_RIM_OPEN, terrain__rim,
                  "Whether water leaves over the edge of the map, which then stays as it is."),
    TERRAIN__SEED(power_params),
    TERRAIN__MAP_IN(power_params, uplift, "Multiplies uplift_rate at each cell; 1 without it."),
    TERRAIN__MAP_IN(power_params, hardness, "Divides erosion_rate at each cell; 1 without it."),
    TERRAIN__MAP_IN(power_params, rain, "How much rain falls on each cell; 1 without it."),
    TERRAIN__MAP_IN(
        power_params, rivers,
        "Discharge, in cells, of rivers that keep their heights, and that all water runs to."),
    TERRAIN__MAP_OUT(power_params, discharge,
                     "Gets the water that flows through each cell, including its own rain."),
    TERRAIN__MASK(power_params),
};

/* ---- Plan ----------------------------------------------------------------------------------- */

/* Sweeps on a level: more on coarse levels, where rivers move farther; 4, 6, 9, 14, 21, 32, … */
static uint32_t power_sweeps(const power_params *p, uint32_t level)
{
    uint32_t sweeps = p->iterations;
    for (uint32_t k = 0; k < level && sweeps < 1000; k++) {
        sweeps += sweeps / 2 + sweeps % 2;
    }
    return sweeps;
}

/* Passes: two for reading, one for spreading discharge, and the commit; for each level one for
 * entering it, up to six a sweep, those for basins in the first sweep unless it inherits its
 * receivers, and those for relaxing. */
static uint32_t power_passes(const power_params *p, uint32_t levels)
{
    const bool steady = p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY;
    uint32_t passes = 4;
    if (p->iterations == 0) {
        return 3;
    }
    for (uint32_t k = 0; k < levels; k++) {
        const bool inherits = k == 0 && levels > 1;
        passes += 1 + 6 * (steady ? power_sweeps(p, k) : p->iterations);
        passes += inherits ? 0 : TERRAIN__FLOW_BASIN_PASSES + 1;
        passes += steady ? POWER_RELAXATIONS + 2 : 0;
    }
    return passes;
}

static size_t power_stride(uint32_t width)
{
    return terrain__whole_lines(width) + 2 * POWER_PAD;
}

static terrain_status power_prepare(terrain__call *call)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const uint32_t width = call->target.width, height = call->target.height;
    const size_t cells = (size_t)width * height;
    terrain_status status =
        terrain__flow_prepare(call, &job->flow, width, height, TERRAIN__FLOW_NEEDS_TREE);
    job->kernels = terrain__stream_power_kernels(call->isa);
    terrain__power_prepare_levels(call, job);
    job->directions[0] = job->flow.directions;
    job->planes[0] = power_plane(call, cells, true);
    job->trunks[0] = job->trunks[1] = terrain__scratch(call, cells, 1);
    if (job->level_count > 1) { /* the map itself inherits its rivers */
        const struct power_level *coarser = &job->levels[1];
        terrain__flow_prepare_basins(call, &job->flow, coarser->width, coarser->height);
        job->directions[1] = terrain__scratch(call, power_cells(coarser), 1);
        job->planes[1] = power_plane(call, power_cells(coarser), true);
        job->trunks[1] = terrain__scratch(call, power_cells(coarser), 1);
    } else {
        terrain__flow_prepare_basins(call, &job->flow, width, height);
    }
    job->flow.diagonals = power_plane(call, cells, true);
    job->counts = terrain__scratch(call, cells + POWER_BEYOND, sizeof *job->counts);
    job->powers = power_plane(call, cells, true);
    job->ascended = power_plane(call, cells, true);
    job->areas = p->rain == NULL ? NULL : terrain__scratch(call, cells, sizeof *job->areas);
    if (p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY) {
        const size_t padded = power_stride(width) * ((size_t)height + 2);
        job->product = power_plane(call, cells, p->uplift != NULL && p->hardness != NULL);
        job->relaxed[0] = terrain__scratch(call, padded, sizeof(float));
        job->relaxed[1] = terrain__scratch(call, padded, sizeof(float));
        job->costs = terrain__scratch(call, padded, sizeof(float));
    }
    job->spread = power_plane(
        call, cells, p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY || p->discharge != NULL);
    terrain__expect_passes(call, power_passes(p, job->level_count));
    return status;
}

/* ---- A sweep -------------------------------------------------------------------------------- */

/* Finds the donors of a band, its roots, and the rain on it. */
static void power_begin_band(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const terrain__bands bands = terrain__flow_bands(&job->flow);
    const size_t end = (size_t)terrain__band_end(&bands, index) * level->width;
    terrain__flow_find_donors(call, index);
    if (terrain__flow_halves(&job->flow) > 1) {
        terrain__flow_find_roots(&job->flow, index);
    }
    for (size_t i = (size_t)terrain__band_begin(&bands, index) * level->width;
         job->areas != NULL && i < end; i++) {
        job->areas[i] = (uint64_t)((double)level->rain[i] * TERRAIN__FLOW_UNIT + 0.5);
    }
}

/* Sums the discharge through each place of a part of the tree, in cells of this level; at least 1.
 * Branches come before the trunk, which gets their sums. */
static void power_sum_areas(struct power_job *job, const struct flow_half *part)
{
    const struct flow *flow = &job->flow;
    const uint32_t *cell_of = flow->tree.cells;
    const size_t lowest = terrain__flow_lowest_place(part), end = lowest + part->count;
    const uint32_t halves = part == &flow->trunk ? terrain__flow_halves(flow) : 0;
    for (size_t place = lowest; job->areas == NULL && place < end; place++) {
        job->counts[place] = 1;
    }
    for (uint32_t k = 0; k <= halves; k++) {
        struct flow_half from = *part;
        if (k < halves) {
            from = flow->halves[k];
            from.count = from.roots; /* only the roots of its branches */
            from.roots = 0;
        }
        if (job->areas == NULL) {
            terrain__flow_counts(flow, &from, job->counts);
        } else {
            terrain__flow_areas(flow, &from, job->areas);
        }
    }
    for (size_t place = lowest; job->areas != NULL && place < end; place++) {
        const uint64_t whole = job->areas[cell_of[place]] >> 16;
        job->counts[place] = whole < 1 ? 1 : whole < INT32_MAX ? (uint32_t)whole : INT32_MAX;
    }
}

/* Marks the trunk of later sweeps, through which more than 1 / POWER_TRUNK of all water comes, and
 * their large branches. Marks decide only how work is divided. */
static void power_mark_trunk(const struct power_job *job, const struct flow_half *part)
{
    enum { LOOK = 16, LEAST = 32 };
    uint8_t *trunk = job->trunks[job->level % 2];
    const size_t lowest = terrain__flow_lowest_place(part), end = lowest + part->count;
    const float marks = 256.0f * POWER_TRUNK / (float)power_cells(&job->levels[job->level]);
    const uint32_t many = (uint32_t)(LEAST / marks);
    for (size_t first = lowest; first < end; first += LOOK) {
        const size_t count = end - first < LOOK ? end - first : LOOK;
        uint32_t found = 0;
        for (size_t i = 0; i < count; i++) {
            found |= job->counts[first + i] > many;
        }
        for (size_t i = 0; found != 0 && i < count; i++) {
            if (job->counts[first + i] > many) {
                const float mark = (float)job->counts[first + i] * marks;
                trunk[job->flow.tree.cells[first + i]] =
                    (uint8_t)(mark < TERRAIN__FLOW_TRUNK ? mark : TERRAIN__FLOW_TRUNK);
            }
        }
    }
}

/* The next float above the receiver's height; the map's own height if the receiver's is NaN. */
static float power_least(const struct power_level *level, float receiver, size_t cell)
{
    if (!(receiver < INFINITY)) {
        return receiver == receiver ? receiver : level->base[cell];
    }
    return terrain__next_above(receiver);
}

/* Sets the heights of outlets, from which all others follow. Returns how many there are: they are
 * the first places of the trunk, or without a trunk those of the tree. */
static size_t power_found(struct power_job *job, const struct flow_half *part)
{
    const struct power_level *level = &job->levels[job->level];
    const bool has_outlets = part == &job->flow.trunk || job->flow.trunk.count == 0;
    const size_t outlets = has_outlets ? part->roots : 0;
    for (size_t place = 0; place < outlets; place++) {
        job->ascended[place] = level->base[job->flow.tree.cells[place]];
    }
    return outlets;
}

/* STEADY: slopes and heights. */
static void power_climb(const power_params *p, struct power_job *job, const struct flow_half *part,
                        float cell_size)
{
    const struct power_level *level = &job->levels[job->level];
    const struct flow_tree *tree = &job->flow.tree;
    const size_t lowest = terrain__flow_lowest_place(part), end = lowest + part->count;
    const float ways[2] = {cell_size * (float)TERRAIN__FLOW_CORNER, cell_size};
    const float *rates = job->rates;
    const float share = job->share;
    for (size_t i = lowest; rates != NULL && i < end; i++) {
        job->ascended[i] = rates[tree->cells[i]];
    }
    job->kernels->slopes(job->powers + lowest, rates == NULL ? NULL : job->ascended + lowest,
                         part->count, p->slope_exponent == 2, p->talus);
    const size_t outlets = power_found(job, part), count = part->count;
    const size_t step = (size_t)part->step;
    size_t place = terrain__flow_place(part, outlets);
    for (size_t i = outlets; i < count; i++, place += step) {
        const uint32_t cell = tree->cells[place];
        const float below = job->ascended[tree->parents[place]];
        float height =
            below + ways[terrain__flow_is_straight(tree->ways[place])] * job->powers[place];
        if (share < 1) {
            height = job->heights[cell] + share * (height - job->heights[cell]);
        }
        height = height > below ? height : power_least(level, below, cell);
        job->ascended[place] = job->heights[cell] = height;
    }
    place = part->first;
    for (size_t i = 0; job->last && i < count; i++, place += step) {
        job->spread[tree->cells[place]] = i < outlets ? NAN : job->powers[place];
    }
}

/* TRANSIENT: a time step, implicit in the cell's own height. */
static void power_step(const power_params *p, struct power_job *job, const struct flow_half *part,
                       float cell_size)
{
    const struct power_level *level = &job->levels[job->level];
    const struct flow_tree *tree = &job->flow.tree;
    const float ways[2] = {cell_size * (float)TERRAIN__FLOW_CORNER, cell_size};
    const size_t outlets = power_found(job, part), count = part->count;
    const size_t step = (size_t)part->step;
    size_t place = terrain__flow_place(part, outlets);
    for (size_t i = outlets; i < count; i++, place += step) {
        const uint32_t cell = tree->cells[place];
        const float below = job->ascended[tree->parents[place]];
        const float way = ways[terrain__flow_is_straight(tree->ways[place])], most = p->talus * way;
        const float erosion =
            job->powers[place] / (level->hardness != NULL ? level->hardness[cell] : 1);
        const float rise = p->uplift_rate * (level->uplift != NULL ? level->uplift[cell] : 1);
        const float drop = job->heights[cell] + rise - below;
        float stays = drop, height;
        if (drop > 0 && p->slope_exponent == 1) {
            stays = drop / (1 + erosion / way);
        } else if (drop > 0) {
            stays = 2 * drop / (1 + terrain__sqrtf(1 + 4 * (erosion / (way * way)) * drop));
        }
        height = below + (stays < most ? stays : most);
        height = height > below ? height : power_least(level, below, cell);
        job->ascended[place] = job->heights[cell] = height;
    }
}

/* Finds the slopes and heights of a part of the tree, from the outlets upwards; the trunk comes
 * before its branches. */
static void power_ascend(terrain__call *call, const struct flow_half *part)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const bool steady = p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY;
    const float cell_size = call->cell_size * (float)(UINT32_C(1) << job->level);
    const size_t lowest = terrain__flow_lowest_place(part);
    job->kernels->powers(job->powers + lowest, job->counts + lowest, part->count,
                         cell_size * cell_size, steady ? -p->concavity : p->concavity,
                         steady ? p->uplift_rate / p->erosion_rate : p->erosion_rate);
    if (steady) {
        power_climb(p, job, part, cell_size);
    } else {
        power_step(p, job, part, cell_size);
    }
    if (job->marks) {
        power_mark_trunk(job, part);
    }
}

static void power_grow_trunk(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    uint8_t *trunk = job->trunks[job->level % 2];
    (void)index;
    if (job->first && !power_knows_trunk(job)) {
        terrain__flow_mark_trunk(&job->flow, trunk);
    }
    terrain__flow_grow_trunk(&job->flow, trunk);
}

static void power_sum_branches(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    const size_t cells = terrain__flow_cells(&job->flow), middle = cells / 2;
    if (job->marks) { /* old marks are no longer needed */
        memset(job->trunks[job->level % 2] + (index == 0 ? 0 : middle), 0,
               index == 0 ? middle : cells - middle);
    }
    terrain__flow_grow_branches(&job->flow, index);
    power_sum_areas(job, &job->flow.halves[index]);
}

/* Runs before the branches are solved: the kernels write past the trunk, into their places. */
static void power_solve_trunk(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    (void)index;
    power_sum_areas(job, &job->flow.trunk);
    power_ascend(call, &job->flow.trunk);
}

static void power_solve_branches(terrain__call *call, uint32_t index)
{
    const struct power_job *job = call->job;
    power_ascend(call, &job->flow.halves[index]);
}

/* Sums areas downstream, then finds heights from the outlets upwards. */
static terrain_status power_solve_halves(terrain__call *call)
{
    const struct power_job *job = call->job;
    terrain_status status =
        terrain__run(call, terrain__flow_bands(&job->flow).count, power_begin_band);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, power_grow_trunk);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 2, power_sum_branches);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, power_solve_trunk);
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 2, power_solve_branches) : status;
}

/* Solves the whole tree: on one thread, or on a level so small that a second thread would come too
 * late. */
static void power_solve_whole(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    const uint32_t bands = terrain__flow_bands(&job->flow).count;
    for (uint32_t band = 0; band < bands; band++) {
        power_begin_band(call, band);
    }
    job->flow.trunk.count = 0;
    terrain__flow_grow(&job->flow, index);
    power_sum_areas(job, &job->flow.halves[index]);
    power_ascend(call, &job->flow.halves[index]);
}

static void power_sweep_whole(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    const uint32_t bands = terrain__flow_bands(&job->flow).count;
    for (uint32_t band = 0; band < bands; band++) {
        terrain__flow_steepest(call, band);
    }
    power_solve_whole(call, index);
}

/* Finds the receivers of a level's first sweep. */
static terrain_status power_receive(terrain__call *call)
{
    const struct power_job *job = call->job;
    if (power_inherits(job)) {
        const uint32_t rows = job->levels[job->level + 1].height;
        return terrain__run(call, terrain__bands_of(rows, POWER_INHERIT_ROWS).count,
                            terrain__power_inherit_band);
    }
    terrain_status status = terrain__flow_run_lowest(call);
    return status == TERRAIN_SUCCESS ? terrain__flow_run_carve(call) : status;
}

static terrain_status power_sweep(terrain__call *call)
{
    const struct power_job *job = call->job;
    const bool whole = terrain__flow_halves(&job->flow) == 1;
    if (!job->first && whole) {
        return terrain__run(call, 1, power_sweep_whole);
    }
    terrain_status status = job->first ? power_receive(call) : terrain__flow_run_steepest(call);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    return whole ? terrain__run(call, 1, power_solve_whole) : power_solve_halves(call);
}

/* ---- Relaxing ------------------------------------------------------------------------------- */

/* Copies a row for relaxing. The cells around it, and rows outside the map, get infinite
 * heights. */
static void power_relax_row_in(const struct power_job *job, int64_t y, float cell_size)
{
    const struct power_level *level = &job->levels[job->level];
    const size_t stride = power_stride(level->width), to = stride * (size_t)(y + 1);
    for (size_t i = to; i < to + stride; i++) {
        job->relaxed[0][i] = job->relaxed[1][i] = INFINITY;
        job->costs[i] = NAN;
    }
    for (uint32_t x = 0; y >= 0 && y < level->height && x < level->width; x++) {
        const size_t i = (size_t)y * level->width + x;
        const float h = job->heights[i];
        job->relaxed[0][to + POWER_PAD + x] = h == h ? h : level->base[i];
        job->costs[to + POWER_PAD + x] = cell_size * job->spread[i];
    }
}

/* Copies heights and costs. Outlets stay as they are. */
static void power_relax_in(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct power_job *job = call->job;
    const uint32_t height = job->levels[job->level].height;
    const float cell_size = call->cell_size * (float)(UINT32_C(1) << job->level);
    (void)task;
    power_relax_row_in(job, y, cell_size);
    if (y == 0) {
        power_relax_row_in(job, -1, cell_size);
        power_relax_row_in(job, height, cell_size);
    }
}

static void power_relax_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct power_job *job = call->job;
    const uint32_t width = job->levels[job->level].width;
    const size_t stride = power_stride(width), at = stride * (y + 1) + POWER_PAD;
    const float *from = job->relaxed[job->turn] + at;
    const struct stream_power_row row = {from - stride, from, from + stride, job->costs + at,
                                         width};
    (void)task;
    job->kernels->relax(job->relaxed[1 - job->turn] + at, &row);
}

static void power_relax_out(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct power_job *job = call->job;
    const uint32_t width = job->levels[job->level].width;
    const float *from = job->relaxed[job->turn] + power_stride(width) * (y + 1) + POWER_PAD;
    float *to = job->heights + (size_t)y * width;
    (void)task;
    for (uint32_t x = 0; x < width; x++) {
        to[x] = to[x] == to[x] ? from[x] : to[x];
    }
}

/* Relaxes a small level in one task. */
static void power_relax_whole(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    const uint32_t height = job->levels[job->level].height;
    for (uint32_t y = 0; y < height; y++) {
        power_relax_in(call, index, y);
    }
    for (int k = 0; k < POWER_RELAXATIONS; k++) {
        for (uint32_t y = 0; y < height; y++) {
            power_relax_row(call, index, y);
        }
        job->turn = 1 - job->turn;
    }
    for (uint32_t y = 0; y < height; y++) {
        power_relax_out(call, index, y);
    }
}

static terrain_status power_relax(terrain__call *call)
{
    struct power_job *job = call->job;
    const uint32_t height = job->levels[job->level].height;
    job->turn = 0;
    if (terrain__flow_halves(&job->flow) == 1) {
        return terrain__run(call, 1, power_relax_whole);
    }
    terrain_status status = terrain__run_rows(call, height, power_relax_in);
    for (int k = 0; k < POWER_RELAXATIONS && status == TERRAIN_SUCCESS; k++) {
        status = terrain__run_rows(call, height, power_relax_row);
        job->turn = 1 - job->turn;
    }
    return status == TERRAIN_SUCCESS ? terrain__run_rows(call, height, power_relax_out) : status;
}

/* Runs all sweeps of a level. */
static terrain_status power_run_level(terrain__call *call)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const bool steady = p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY;
    const uint32_t sweeps = steady ? power_sweeps(p, job->level) : p->iterations;
    job->flow.directions = job->directions[job->level % 2];
    job->heights = job->planes[job->level % 2];
    job->coarser = job->planes[(job->level + 1) % 2];
    job->rates = job->product != NULL    ? job->product
                 : level->uplift != NULL ? level->uplift
                                         : level->hardness;
    terrain__flow_look(&job->flow, job->heights, level->width, level->width, level->height,
                       p->rim == TERRAIN_RIM_OPEN);
    job->flow.dither = terrain__random_stream(p->seed, call->operation->key,
                                              TERRAIN__DRAW_STREAM_POWER_DITHER + job->level);
    terrain_status status =
        terrain__run(call, terrain__flow_bands(&job->flow).count, terrain__power_enter_band);
    for (uint32_t k = 0; k < sweeps && status == TERRAIN_SUCCESS; k++) {
        job->last = k + 1 == sweeps;
        job->marks = k % POWER_MARKED == 0 && terrain__flow_halves(&job->flow) > 1;
        job->share = k < sweeps / 2 || job->last ? 1 : POWER_LATER_SHARE;
        job->first = k == 0;
        status = power_sweep(call);
    }
    job->marked = terrain__flow_halves(&job->flow) > 1;
    return status == TERRAIN_SUCCESS && steady ? power_relax(call) : status;
}

/* ---- Out ------------------------------------------------------------------------------------ */

/* Writes the discharge of the halves and of the trunk from places of the tree to cells. */
static void power_spread_discharge(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const bool is_half = index < terrain__flow_halves(&job->flow);
    const struct flow_half *part = is_half ? &job->flow.halves[index] : &job->flow.trunk;
    for (size_t i = 0; p->discharge != NULL && i < part->count; i++) {
        const size_t place = terrain__flow_place(part, i);
        const uint32_t cell = job->flow.tree.cells[place];
        job->spread[cell] = job->areas != NULL
                                ? (float)((double)job->areas[cell] * (1 / TERRAIN__FLOW_UNIT))
                                : (float)job->counts[place];
    }
}

static void power_finish(terrain__call *call, uint32_t task, uint32_t y)
{
    const power_params *p = call->params;
    const struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const terrain__view rivers = terrain__view_of(p->rivers);
    float *to = terrain__target_row(call, y);
    float *discharge = terrain__output_row(call, offsetof(power_params, discharge), y);
    (void)task;
    for (uint32_t x = 0; x < level->width; x++) {
        const size_t i = (size_t)y * level->width + x;
        const float h = p->iterations > 0 ? job->heights[i] : NAN;
        to[x] = h == h ? h : level->base[i];
        if (discharge != NULL) {
            const float water = p->iterations > 0 ? job->spread[i] : 0;
            const float river = rivers.cells != NULL ? rivers.cells[y * rivers.stride + x] : 0;
            discharge[x] = river >= p->river_discharge && river > water ? river : water;
        }
    }
}

static terrain_status power_run(terrain__call *call)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    terrain_status status =
        terrain__run(call, terrain__power_read_bands(job).count, terrain__power_read_band);
    status =
        status == TERRAIN_SUCCESS ? terrain__run(call, 1, terrain__power_read_coarser) : status;
    if (p->iterations > 0) {
        for (job->level = job->level_count; job->level-- > 0 && status == TERRAIN_SUCCESS;) {
            status = power_run_level(call);
        }
        job->level = 0;
        if (status == TERRAIN_SUCCESS) {
            status =
                terrain__run(call, terrain__flow_halves(&job->flow) + 1, power_spread_discharge);
        }
    }
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, power_finish) : status;
}

/* Whether water ends at a cell in every region: at rivers, in the sea, and at NaN. */
static bool power_region_ends(const void *params, float height, float river)
{
    const power_params *p = params;
    return !(height > p->sea) || river >= p->river_discharge;
}

static const terrain__world_regions power_regions = {
    .core = 512,
    .combining = TERRAIN__COMBINE_BASINS,
    .ends = power_region_ends,
    .rivers = offsetof(power_params, rivers),
};

static const char *power_endless(const void *params)
{
    const power_params *p = params;
    return p->rivers == NULL && p->sea == -INFINITY
               ? "rivers must be given, say the discharge of generate_drainage"
               : terrain__rim_endless(p->rim);
}

const terrain_operation terrain__erode_stream_power = {
    TERRAIN__IDENTITY(erode, stream_power),
    .result_version = 1,
    .summary = "Land rises and rivers cut into it: mountain ranges with valleys that drain.",
    .reference = "Howard, 1994; Braun and Willett, 2013; Cordonnier, Bovy and Braun, 2019",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(power_params),
    TERRAIN__PARAMETERS(power_parameters),
    .job_size = sizeof(struct power_job),
    .halo = terrain__global_halo,
    .endless = power_endless,
    .regions = &power_regions,
    .prepare = power_prepare,
    .run = power_run,
};

TERRAIN__PUBLIC_CHANGE(erode_stream_power)
