/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_stream_power: land rises, and rivers cut down by their discharge and slope.
 *
 *     dh/dt = uplift - erosion A^m s^n          A what flows through a cell, s its slope
 *
 * A. D. Howard, A detachment-limited model of drainage basin evolution, Water Resources Research 30,
 * 1994. J. Braun, S. D. Willett, A very efficient O(n), implicit and parallel method to solve the
 * stream power equation, Geomorphology 180-181, 2013, for the implicit step along receivers. Steady
 * state, where land rises as fast as rivers cut: s = (uplift / (erosion A^m))^(1/n), integrated from
 * the outlets upwards; a few sweeps on each of a pyramid of levels find the rivers, the large ones
 * first. A sweep:
 *
 *     receivers   the steepest of eight, drops to corners by chance as RHO8: no direction shows;
 *                 first of all, and on each new level, through hollows by the graph of basins
 *     areas       whole numbers, summed along the receivers
 *     heights     from the outlets upwards, each from its receiver's:
 *                 steady      h' = h_r + d min(talus, s)
 *                 transient   h' + d F (h' - h_r)^n / d^n = h + uplift, F = erosion A^m / d
 *
 * After a level's last sweep the steady land is relaxed: a few steps down towards land that rises by
 * s in every direction, not in eight alone, so that crests and hillsides keep to no direction. With
 * the lower neighbours a, b at right angles, v = (a + b + sqrt(2 (d s)^2 - (a - b)^2)) / 2.
 *
 * A cell's new height depends on its receiver's alone, so that every order of work gives the same
 * bits, and is above it; relaxing keeps a lower neighbour: a result has no pits.
 * tests/oracle/stream_power.c is the naive version. */

#include <string.h>

#include "base/math.h"
#include "core/choices.h"
#include "erode/stream_power_kernels.h"
#include "flow/flow.h"
#include "terrain/erode.h"

typedef terrain_erode_stream_power_params power_params;

enum {
    POWER_MOST_LEVELS = 28,
    POWER_COARSEST = 16, /* levels are halved while both sides are longer */
    POWER_RELAXATIONS = 6,
    POWER_PAD = 16 /* cells beside rows to relax */
};

#define POWER_UNIT 65536.0 /* units of rain to a cell's */
#define POWER_MOST_FACTOR 1e6f

static const char *const power_mode_names[] = {"steady", "transient"};
static const char *const power_mode_docs[] = {
    "where rivers cut as fast as the land rises",
    "some steps of time from the map as it is",
};

static const terrain_parameter power_parameters[] = {
    TERRAIN__ENUM(power_params, mode, TERRAIN_ERODE_STREAM_POWER_MODE_STEADY, power_mode,
                  "The land at which uplift and rivers arrive in the end, or steps on the way."),
    TERRAIN__UINT32(power_params, iterations, "", 4, 0, 10000,
                    "Sweeps at full resolution; transient: steps of time."),
    TERRAIN__FLOAT(
        power_params, uplift_rate, "height", 0.04, 0, 1e6,
        "How much the land rises in a step; steady: by its share of erosion_rate alone."),
    TERRAIN__FLOAT(power_params, erosion_rate, "", 0.04, 1e-6, 1e6,
                   "How much rivers cut in a step, where area and slope are 1."),
    TERRAIN__FLOAT(power_params, concavity, "", 0.45, 0.05, 1,
                   "How fast rivers become gentle as they grow: slope falls with area to this."),
    TERRAIN__UINT32(power_params, slope_exponent, "", 1, 1, 2,
                    "1 or 2: what erosion grows with, the slope or its square."),
    TERRAIN__FLOAT(power_params, talus, "slope", 0.9, 0, 100,
                   "The steepest slope that holds: that of hillsides."),
    TERRAIN__FLOAT(power_params, sea, "height", -TERRAIN__INFINITY, -TERRAIN__INFINITY,
                   TERRAIN__INFINITY, "Land at or below is sea: it stays, and water ends there."),
    TERRAIN__ENUM(power_params, rim, TERRAIN_RIM_OPEN, terrain__rim,
                  "Whether water leaves over the edge of the map, which then stays as it is."),
    TERRAIN__SEED(power_params),
    TERRAIN__MAP_IN(power_params, uplift,
                    "How fast land rises here, by uplift_rate; 1 without it."),
    TERRAIN__MAP_IN(power_params, hardness, "What erosion_rate is divided by; 1 without it."),
    TERRAIN__MAP_IN(power_params, rain, "How much water falls on each cell; 1 without it."),
    TERRAIN__MAP_OUT(power_params, discharge,
                     "What flows through each cell, its own rain with it."),
    TERRAIN__MASK(power_params),
};

/* One resolution of the land: level 0 is the map's, each next one half as fine. */
struct power_level {
    uint32_t width, height;
    float *heights; /* NaN: water ends here, at the height in `base` */
    float *base;    /* the map's heights */
    float *uplift;  /* NULL: 1 */
    float *hardness;
    float *rain;
};

struct power_job {
    struct flow flow; /* first: terrain__flow_run_… */
    const struct stream_power_kernels *kernels;
    struct power_level levels[POWER_MOST_LEVELS];
    uint32_t level_count;
    uint32_t level;   /* at which the sweeps are now */
    float share;      /* of the way that a sweep takes heights to where they tend */
    bool routes;      /* hollows are there: receivers by the graph of basins */
    uint32_t *order;  /* cells, each before those that flow to it */
    uint32_t *counts; /* areas in cells */
    uint64_t *areas;  /* in units of rain; NULL without rain */
    float *powers;    /* of each cell: its slope, or what the transient step needs */
    float *diagonals; /* RHO8's, on the level of the sweeps */
    /* To relax: heights, their next ones, costs; rows with POWER_PAD cells more on each side. */
    float *relaxed[2], *costs;
    uint32_t turn; /* which of the heights are read */
};

/* ---- Levels --------------------------------------------------------------------------------- */

static size_t power_cells(const struct power_level *level)
{
    return (size_t)level->width * level->height;
}

static float *power_plane(terrain__call *call, const struct power_level *level, bool wanted)
{
    return wanted ? terrain__scratch(call, power_cells(level) + 64, sizeof(float)) : NULL;
}

/* Sweeps on a level: more on the coarse ones, where water comes from afar. 4, 6, 9, 14, 21, 32. */
static uint32_t power_sweeps(const power_params *p, uint32_t level)
{
    uint32_t sweeps = p->iterations;
    for (uint32_t k = 0; k < level && sweeps < 1000; k++) {
        sweeps += sweeps / 2 + sweeps % 2;
    }
    return sweeps;
}

/* Runs of tasks: dithering takes 1, a level's first sweep 7, each other one 2, relaxing 8,
 * refining 1. */
static uint32_t power_passes(const power_params *p, uint32_t levels)
{
    uint32_t passes = 2;
    if (p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_TRANSIENT) {
        return passes + (p->iterations > 0 ? 6 + 2 * p->iterations : 0);
    }
    for (uint32_t k = 0; k < levels && p->iterations > 0; k++) {
        passes += 6 + 2 * power_sweeps(p, k) + (POWER_RELAXATIONS + 2) + (k > 0);
    }
    return passes;
}

static size_t power_stride(uint32_t width)
{
    return ((size_t)width + 15) / 16 * 16 + 2 * POWER_PAD;
}

static terrain_status power_prepare(terrain__call *call)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const uint32_t width = call->target.width, height = call->target.height;
    const size_t cells = (size_t)width * height + 64; /* whole vectors may be read */
    const bool steady = p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY;
    terrain_status status = terrain__flow_prepare(
        call, &job->flow, width, height, TERRAIN__FLOW_NEEDS_BASINS | TERRAIN__FLOW_NEEDS_DONORS);
    struct power_level size = {.width = width, .height = height};
    job->kernels = terrain__stream_power_kernels(call->isa);
    for (bool more = true; more; job->level_count++) {
        struct power_level *level = &job->levels[job->level_count];
        *level = size;
        level->heights = power_plane(call, level, true);
        level->base = power_plane(call, level, true);
        level->uplift = power_plane(call, level, p->uplift != NULL);
        level->hardness = power_plane(call, level, p->hardness != NULL);
        level->rain = power_plane(call, level, p->rain != NULL);
        more = steady && p->iterations > 0 && size.width > POWER_COARSEST &&
               size.height > POWER_COARSEST;
        size.width = size.width / 2 + size.width % 2;
        size.height = size.height / 2 + size.height % 2;
    }
    job->order = terrain__scratch(call, cells, sizeof *job->order);
    job->counts = terrain__scratch(call, cells, sizeof *job->counts);
    job->areas = p->rain == NULL ? NULL : terrain__scratch(call, cells, sizeof *job->areas);
    job->powers = terrain__scratch(call, cells, sizeof *job->powers);
    job->diagonals = terrain__scratch(call, cells, sizeof *job->diagonals);
    if (steady) {
        const size_t padded = power_stride(width) * ((size_t)height + 2);
        job->relaxed[0] = terrain__scratch(call, padded, sizeof(float));
        job->relaxed[1] = terrain__scratch(call, padded, sizeof(float));
        job->costs = terrain__scratch(call, padded, sizeof(float));
    }
    terrain__expect_passes(call, power_passes(p, job->level_count));
    return status;
}

/* A map parameter's cells, cut to 0 … POWER_MOST_FACTOR; NaN is 0. */
static void power_read(float *to, terrain__view map)
{
    for (uint32_t y = 0; to != NULL && y < map.height; y++) {
        const float *from = map.cells + y * map.stride;
        for (uint32_t x = 0; x < map.width; x++) {
            const float v = from[x] > 0 ? from[x] : 0;
            to[(size_t)y * map.width + x] = v < POWER_MOST_FACTOR ? v : POWER_MOST_FACTOR;
        }
    }
}

/* Means of two by two cells; of heights of those that are not NaN. */
static void power_halve(float *to, const float *from, const struct power_level *fine)
{
    const uint32_t width = fine->width / 2 + fine->width % 2;
    const uint32_t height = fine->height / 2 + fine->height % 2;
    for (uint32_t y = 0; to != NULL && y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const uint32_t right = 2 * x + (2 * x + 1 < fine->width);
            const uint32_t below = 2 * y + (2 * y + 1 < fine->height);
            const float four[4] = {from[(size_t)2 * y * fine->width + 2 * x],
                                   from[(size_t)2 * y * fine->width + right],
                                   from[(size_t)below * fine->width + 2 * x],
                                   from[(size_t)below * fine->width + right]};
            float sum = 0, count = 0;
            for (int k = 0; k < 4; k++) {
                const bool there = four[k] == four[k];
                sum += there ? four[k] : 0;
                count += there ? 1 : 0;
            }
            to[(size_t)y * width + x] = count > 0 ? sum / count : NAN;
        }
    }
}

/* NaN where water ends within the map: in the sea, and where there is no data. */
static void power_cut_sea(const power_params *p, struct power_level *level)
{
    for (size_t i = 0; i < power_cells(level); i++) {
        level->heights[i] = level->base[i] > p->sea ? level->heights[i] : NAN;
    }
}

static void power_read_maps(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    struct power_level *level = &job->levels[0];
    (void)index;
    for (uint32_t y = 0; y < level->height; y++) {
        memcpy(level->base + (size_t)y * level->width, call->map.cells + y * call->map.stride,
               level->width * sizeof(float));
    }
    power_read(level->uplift, terrain__view_of(p->uplift));
    power_read(level->hardness, terrain__view_of(p->hardness));
    power_read(level->rain, terrain__view_of(p->rain));
    for (uint32_t k = 1; k < job->level_count; k++) {
        power_halve(job->levels[k].base, job->levels[k - 1].base, &job->levels[k - 1]);
        power_halve(job->levels[k].uplift, job->levels[k - 1].uplift, &job->levels[k - 1]);
        power_halve(job->levels[k].hardness, job->levels[k - 1].hardness, &job->levels[k - 1]);
        power_halve(job->levels[k].rain, job->levels[k - 1].rain, &job->levels[k - 1]);
    }
    level = &job->levels[job->level_count - 1];
    memcpy(level->heights, level->base, power_cells(level) * sizeof(float));
    power_cut_sea(p, level);
}

/* ---- From level to level -------------------------------------------------------------------- */

/* Height of a coarse cell, at the edge the nearest. */
static float power_coarse(const struct power_level *level, int64_t x, int64_t y)
{
    const int64_t right = (int64_t)level->width - 1, bottom = (int64_t)level->height - 1;
    const size_t i = (size_t)(y < 0        ? 0
                              : y < bottom ? y
                                           : bottom) *
                         level->width +
                     (size_t)(x < 0       ? 0
                              : x < right ? x
                                          : right);
    const float h = level->heights[i];
    return h == h ? h : level->base[i];
}

/* The finer level's first heights: bilinear, with a little noise, of which finer rivers are made.
 * Outlets have the map's height. */
static void power_refine_row(terrain__call *call, uint32_t y, float cell)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    struct power_level *fine = &job->levels[job->level];
    const struct power_level *coarse = &job->levels[job->level + 1];
    const uint64_t stream = terrain__random_stream(p->seed, call->operation->key,
                                                   TERRAIN__DRAW_STREAM_POWER_NOISE + job->level);
    const int64_t cy = (int64_t)(y / 2) - (y % 2 == 0), x0 = call->x >> job->level;
    const int64_t world_y = (call->y >> job->level) + y;
    const float fy = y % 2 == 0 ? 0.75f : 0.25f;
    const bool rim = p->rim == TERRAIN_RIM_OPEN;
    for (uint32_t x = 0; x < fine->width; x++) {
        const size_t i = (size_t)y * fine->width + x;
        const int64_t cx = (int64_t)(x / 2) - (x % 2 == 0);
        const float fx = x % 2 == 0 ? 0.75f : 0.25f;
        const float a = power_coarse(coarse, cx, cy), b = power_coarse(coarse, cx + 1, cy);
        const float c = power_coarse(coarse, cx, cy + 1), d = power_coarse(coarse, cx + 1, cy + 1);
        const float above = a + fx * (b - a), below = c + fx * (d - c);
        const float noise =
            terrain__signed_float(terrain__random_cell(stream, x0 + x, world_y)) * (0.3f * cell);
        const float h = above + fy * (below - above) + noise;
        const bool edge = x == 0 || y == 0 || x + 1 == fine->width || y + 1 == fine->height;
        fine->heights[i] = (rim && edge) || !(h == h) ? fine->base[i] : h;
    }
}

static void power_refine(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    struct power_level *level = &job->levels[job->level];
    const float cell = call->cell_size * (float)(UINT32_C(1) << job->level);
    (void)index;
    for (uint32_t y = 0; y < level->height; y++) {
        power_refine_row(call, y, cell);
    }
    power_cut_sea(p, level);
}

/* ---- A sweep -------------------------------------------------------------------------------- */

/* The same numbers in each sweep of a level, so that rivers stay where they are. */
static void power_dither(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const uint64_t stream = terrain__random_stream(p->seed, call->operation->key,
                                                   TERRAIN__DRAW_STREAM_POWER_DITHER + job->level);
    terrain__flow_dither(&job->flow, index, stream, call->x >> job->level, call->y >> job->level,
                         job->diagonals);
}

/* Heights above the receiver's, by at least the least step that a float can take. */
static float power_above(float height, float receiver)
{
    uint32_t bits;
    float next;
    if (height > receiver || !(receiver < INFINITY)) {
        return height;
    }
    memcpy(&bits, &receiver, sizeof bits);
    bits = receiver > 0 ? bits + 1 : receiver < 0 ? bits - 1 : 1;
    memcpy(&next, &bits, sizeof next);
    return next;
}

/* What flows through each cell, in cells of this level; at least 1. */
static void power_sum_areas(struct power_job *job)
{
    const struct power_level *level = &job->levels[job->level];
    const size_t cells = power_cells(level);
    terrain__flow_order(&job->flow, job->order);
    for (size_t i = 0; i < cells; i++) {
        job->counts[i] = 1;
        if (job->areas != NULL) {
            job->areas[i] = (uint64_t)((double)level->rain[i] * POWER_UNIT + 0.5);
        }
    }
    for (size_t k = cells; k-- > 0;) {
        const uint32_t cell = job->order[k], receiver = terrain__flow_receiver(&job->flow, cell);
        if (receiver == cell) {
            continue;
        }
        if (job->areas != NULL) {
            job->areas[receiver] += job->areas[cell];
        } else {
            job->counts[receiver] += job->counts[cell];
        }
    }
    for (size_t i = 0; job->areas != NULL && i < cells; i++) {
        const uint64_t whole = job->areas[i] >> 16;
        job->counts[i] = whole < 1 ? 1 : whole < INT32_MAX ? (uint32_t)whole : INT32_MAX;
    }
}

/* A cell's slope in the steady state. */
static float power_slope(const power_params *p, const struct power_level *level, float power,
                         size_t cell)
{
    float slope = power;
    slope *= level->uplift != NULL ? level->uplift[cell] : 1;
    slope *= level->hardness != NULL ? level->hardness[cell] : 1;
    slope = p->slope_exponent == 2 ? terrain__sqrtf(slope) : slope;
    return slope < p->talus ? slope : p->talus;
}

/* A step of time, implicit in the cell's own height. */
static float power_step(const power_params *p, const struct power_level *level, float power,
                        float way, float receiver, float height, size_t cell)
{
    const float erosion = power / (level->hardness != NULL ? level->hardness[cell] : 1);
    const float rise = p->uplift_rate * (level->uplift != NULL ? level->uplift[cell] : 1);
    const float drop = height + rise - receiver;
    const float most = p->talus * way;
    float stays = drop;
    if (drop > 0 && p->slope_exponent == 1) {
        stays = drop / (1 + erosion / way);
    } else if (drop > 0) {
        stays = 2 * drop / (1 + terrain__sqrtf(1 + 4 * (erosion / (way * way)) * drop));
    }
    return receiver + (stays < most ? stays : most);
}

/* Areas, slopes and heights, from the outlets upwards. */
static void power_solve(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    struct power_level *level = &job->levels[job->level];
    const size_t cells = power_cells(level);
    const bool steady = p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY;
    const float cell_size = call->cell_size * (float)(UINT32_C(1) << job->level);
    const float ways[2] = {cell_size, cell_size * 1.41421356f};
    (void)index;
    power_sum_areas(job);
    job->kernels->powers(job->powers, job->counts, cells, cell_size * cell_size,
                         steady ? -p->concavity : p->concavity,
                         steady ? p->uplift_rate / p->erosion_rate : p->erosion_rate);
    for (size_t k = 0; k < cells; k++) {
        const uint32_t cell = job->order[k];
        const uint8_t direction = job->flow.directions[cell];
        const uint32_t receiver = terrain__flow_receiver(&job->flow, cell);
        const float way = ways[direction % 2 == 0];
        float below = level->heights[receiver];
        float height = level->heights[cell];
        below = below == below ? below : level->base[receiver];
        if (receiver == cell || !(below == below)) {
            continue; /* an outlet, or beside what is not on the map */
        }
        if (steady) {
            const float aim = below + way * power_slope(p, level, job->powers[cell], cell);
            height = job->share < 1 ? height + job->share * (aim - height) : aim;
        } else {
            height = power_step(p, level, job->powers[cell], way, below, height, cell);
        }
        level->heights[cell] = power_above(height, below);
    }
}

static terrain_status power_sweep(terrain__call *call)
{
    struct power_job *job = call->job;
    terrain_status status;
    if (job->routes) {
        status = terrain__flow_run_lowest(call);
        status = status == TERRAIN_SUCCESS ? terrain__flow_run_carve(call) : status;
    } else {
        status = terrain__flow_run_steepest(call, job->diagonals);
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, power_solve) : status;
}

/* ---- Relaxing ------------------------------------------------------------------------------- */

/* Heights and costs between sides that are higher than all. Outlets stay. */
static void power_relax_in(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const size_t stride = power_stride(level->width);
    const float cell_size = call->cell_size * (float)(UINT32_C(1) << job->level);
    (void)index;
    for (size_t i = 0; i < stride * ((size_t)level->height + 2); i++) {
        job->relaxed[0][i] = job->relaxed[1][i] = INFINITY;
        job->costs[i] = NAN;
    }
    for (uint32_t y = 0; y < level->height; y++) {
        const size_t to = stride * (y + 1) + POWER_PAD;
        for (uint32_t x = 0; x < level->width; x++) {
            const size_t i = (size_t)y * level->width + x;
            const uint8_t direction = job->flow.directions[i];
            const float h = level->heights[i];
            const bool stays = direction == TERRAIN__FLOW_OUTLET || direction == TERRAIN__FLOW_PIT;
            job->relaxed[0][to + x] = h == h ? h : level->base[i];
            job->costs[to + x] = stays ? NAN : cell_size * power_slope(p, level, job->powers[i], i);
        }
    }
    job->turn = 0;
}

static void power_relax_band(terrain__call *call, uint32_t index)
{
    const struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const size_t stride = power_stride(level->width);
    const terrain__bands bands = terrain__bands_of(level->height, 8);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        const size_t at = stride * (y + 1) + POWER_PAD;
        const float *from = job->relaxed[job->turn] + at;
        const struct stream_power_row row = {from - stride, from, from + stride, job->costs + at,
                                             level->width};
        job->kernels->relax(job->relaxed[1 - job->turn] + at, &row);
    }
}

static void power_relax_out(terrain__call *call, uint32_t index)
{
    struct power_job *job = call->job;
    struct power_level *level = &job->levels[job->level];
    const size_t stride = power_stride(level->width);
    (void)index;
    for (uint32_t y = 0; y < level->height; y++) {
        const float *from = job->relaxed[job->turn] + stride * (y + 1) + POWER_PAD;
        float *to = level->heights + (size_t)y * level->width;
        for (uint32_t x = 0; x < level->width; x++) {
            to[x] = to[x] == to[x] ? from[x] : to[x];
        }
    }
}

static terrain_status power_relax(terrain__call *call)
{
    struct power_job *job = call->job;
    const uint32_t bands = terrain__bands_of(job->levels[job->level].height, 8).count;
    terrain_status status = terrain__run(call, 1, power_relax_in);
    for (int k = 0; k < POWER_RELAXATIONS && status == TERRAIN_SUCCESS; k++) {
        status = terrain__run(call, bands, power_relax_band);
        job->turn = 1 - job->turn;
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, power_relax_out) : status;
}

/* All sweeps of a level. Later ones go a part of the way, so that rivers come to rest. */
static terrain_status power_run_level(terrain__call *call)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    const struct power_level *level = &job->levels[job->level];
    const bool steady = p->mode == TERRAIN_ERODE_STREAM_POWER_MODE_STEADY;
    const uint32_t sweeps = steady ? power_sweeps(p, job->level) : p->iterations;
    terrain_status status;
    terrain__flow_look(&job->flow, level->heights, level->width, level->width, level->height,
                       p->rim == TERRAIN_RIM_OPEN);
    status = terrain__run(call, terrain__flow_bands(&job->flow).count, power_dither);
    for (uint32_t k = 0; k < sweeps && status == TERRAIN_SUCCESS; k++) {
        job->routes = k == 0;
        job->share = k < sweeps / 2 || k + 1 == sweeps ? 1 : 0.7f;
        status = power_sweep(call);
    }
    return status == TERRAIN_SUCCESS && steady && sweeps > 0 ? power_relax(call) : status;
}

/* ---- Out ------------------------------------------------------------------------------------ */

static void power_finish(terrain__call *call, uint32_t index)
{
    const power_params *p = call->params;
    const struct power_job *job = call->job;
    const struct power_level *level = &job->levels[0];
    const terrain__plane discharge = terrain__output(call, offsetof(power_params, discharge));
    const terrain__bands bands = terrain__bands_of(level->height, 1);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        float *to = call->target.cells + y * call->target.stride;
        for (uint32_t x = 0; x < level->width; x++) {
            const size_t i = (size_t)y * level->width + x;
            const float h = level->heights[i];
            to[x] = p->iterations > 0 && h == h ? h : level->base[i];
            if (discharge.cells != NULL) {
                discharge.cells[y * discharge.stride + x] =
                    p->iterations == 0   ? 0
                    : job->areas != NULL ? (float)((double)job->areas[i] * (1 / POWER_UNIT))
                                         : (float)job->counts[i];
            }
        }
    }
}

static terrain_status power_run(terrain__call *call)
{
    const power_params *p = call->params;
    struct power_job *job = call->job;
    terrain_status status = terrain__run(call, 1, power_read_maps);
    for (job->level = job->level_count; job->level-- > 0 && status == TERRAIN_SUCCESS;) {
        if (job->level + 1 < job->level_count) {
            status = terrain__run(call, 1, power_refine);
        }
        if (status == TERRAIN_SUCCESS && p->iterations > 0) {
            status = power_run_level(call);
        }
    }
    job->level = 0;
    return status == TERRAIN_SUCCESS
               ? terrain__commit(call, terrain__bands_of(call->target.height, 1).count,
                                 power_finish)
               : status;
}

static uint32_t power_halo(const void *params)
{
    (void)params;
    return TERRAIN__GLOBAL;
}

const terrain_operation terrain__erode_stream_power = {
    TERRAIN__IDENTITY(erode, stream_power),
    .result_version = 1,
    .summary = "Land rises and rivers cut into it: mountain ranges with valleys that drain.",
    .reference = "Howard, 1994; Braun and Willett, 2013; Cordonnier, Bovy and Braun, 2019",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(power_params),
    .job_size = sizeof(struct power_job),
    TERRAIN__PARAMETERS(power_parameters),
    .halo = power_halo,
    .prepare = power_prepare,
    .run = power_run,
};

TERRAIN__PUBLIC_CHANGE(erode_stream_power)
