/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_thermal: weathered material slides down slopes that are too steep to hold it.
 *
 * F. K. Musgrave, C. E. Kolb, R. S. Mace: The synthesis and rendering of eroded fractal terrains,
 * SIGGRAPH 1989. J. Olsen: Realtime procedural terrain generation, 2004, for the neighbourhoods.
 *
 * An iteration reads a row and its neighbours and writes a row. Several iterations, the levels of a
 * sweep, run over the map at once: when row s has been read, level 1 computes row s - 1 from rows
 * s - 2 to s, level 2 then row s - 2 from level 1's rows, and so on. Each level keeps its last rows
 * alone, all of which fit in the second-level cache; the map travels through memory once a sweep.
 * How iterations are shared out among sweeps, and rows among bands, changes no bit. */

#include <string.h>

#include "core/math.h"
#include "core/operation.h"
#include "erode/thermal_kernels.h"
#include "terrain/erode.h"

typedef terrain_erode_thermal_params thermal_params;

enum {
    /* More levels bring no more speed once a sweep's memory traffic is hidden. */
    THERMAL_MOST_LEVELS = 12,
    THERMAL_LEFT_PAD = 16, /* floats: keeps a row's first cell at a cache line's start */
    /* Bands also compute the rows that their neighbours' rows come from, on average as many as a
     * sweep reaches: at most this part of their own. */
    THERMAL_OVERLAP = 12
};

/* The last rows of all levels have room in this many bytes, half of a usual second-level cache. */
#define THERMAL_RING_BYTES ((size_t)512 << 10)

static const char *const thermal_neighbourhood_names[] = {"moore", "von_neumann", "rotated"};
static const char *const thermal_rule_names[] = {"flux", "musgrave"};

static const terrain_parameter thermal_parameters[] = {
    TERRAIN__UINT32(thermal_params, iterations, "", 50, 0, 100000, "How often material slides."),
    TERRAIN__FLOAT(thermal_params, talus, "slope", 0.6, 0, 100, "The steepest slope that holds."),
    TERRAIN__FLOAT(thermal_params, rate, "", 0.5, 0, 1,
                   "How much of what is too steep slides in one iteration."),
    TERRAIN__ENUM(thermal_params, neighbourhood, TERRAIN_THERMAL_MOORE, thermal_neighbourhood_names,
                  "Which neighbours receive: all eight, the four at the edges, the four corners."),
    TERRAIN__ENUM(thermal_params, rule, TERRAIN_THERMAL_FLUX, thermal_rule_names,
                  "How much slides: along each edge by its own slope, or the published rule."),
    TERRAIN__MASK(thermal_params),
};

/* ---- Plan ------------------------------------------------------------------------------------ */

struct thermal_job {
    float straight, diagonal; /* the height differences that hold */
    float rate;
    uint32_t neighbourhood;
    uint32_t rule;
    uint32_t reach;  /* rows that an iteration looks away */
    uint32_t sweeps; /* at least 1 */
    uint32_t levels; /* of the current sweep */
    uint32_t fringe; /* rows that the longest sweep reaches beyond its band */
    terrain__bands bands;
    terrain__view source; /* of the current sweep */
    terrain__plane result;
    terrain__plane plane; /* what sweeps but the last write; cells is NULL if there is one sweep */
    terrain__plane fringes; /* 2 * fringe rows a band: its neighbours' rows before the sweep */
    /* Of each task: a row of zeros, then for each level its heights, and for Musgrave's rule what
     * cells lose and the shares they give. */
    float *rings;
    size_t ring_rows; /* of each task */
    size_t stride;
};

/* Rows that each level keeps: of heights, and of losses and shares each. */
static uint32_t thermal_slots(const struct thermal_job *job)
{
    return job->reach + 2;
}

static uint32_t thermal_level_rows(const struct thermal_job *job)
{
    return job->rule == TERRAIN_THERMAL_FLUX ? thermal_slots(job) : 3 * thermal_slots(job);
}

static void thermal_plan_rule(struct thermal_job *job, const thermal_params *p, float cell_size)
{
    double straight = (double)p->talus * (double)cell_size;
    job->straight = (float)straight;
    job->diagonal = (float)(straight * terrain__sqrt(2));
    job->neighbourhood = p->neighbourhood;
    job->rule = p->rule;
    job->reach = p->rule == TERRAIN_THERMAL_FLUX ? 1 : 2;
    job->rate = p->rate;
    if (p->rule == TERRAIN_THERMAL_FLUX) {
        job->rate *= p->neighbourhood == TERRAIN_THERMAL_MOORE ? 0.125f : 0.25f;
    }
}

static void thermal_plan_sweeps(struct thermal_job *job, uint32_t iterations, uint32_t width,
                                uint32_t height)
{
    uint32_t most = THERMAL_MOST_LEVELS;
    size_t row_bytes;
    job->stride = ((size_t)width + 15) / 16 * 16 + THERMAL_LEFT_PAD + TERRAIN__THERMAL_PAD;
    row_bytes = job->stride * sizeof(float);
    while (most > 2 && row_bytes > THERMAL_RING_BYTES / (most * thermal_level_rows(job))) {
        most--;
    }
    job->sweeps = iterations == 0 ? 1 : iterations / most + (iterations % most != 0);
    job->fringe = job->reach * (iterations / job->sweeps + (iterations % job->sweeps != 0));
    job->ring_rows = 1 + ((size_t)most + 1) * thermal_level_rows(job);
    job->bands = terrain__bands_of(height, job->fringe * THERMAL_OVERLAP + 16);
}

static terrain_status thermal_prepare(terrain__call *call)
{
    const thermal_params *p = call->params;
    struct thermal_job *job = call->job;
    uint32_t width = call->target.width;
    thermal_plan_rule(job, p, call->cell_size);
    thermal_plan_sweeps(job, p->iterations, width, call->target.height);
    job->rings =
        terrain__scratch(call, job->bands.count * job->ring_rows, job->stride * sizeof(float));
    if (job->sweeps > 1) {
        job->plane = terrain__scratch_plane(call, width, call->target.height);
    }
    if (job->sweeps != 2) {
        job->fringes = terrain__scratch_plane(call, width, 2 * job->fringe * job->bands.count + 1);
    }
    terrain__commit_cost(call, 0.6 * job->reach * job->fringe); /* measured, rounded up */
    terrain__expect_passes(call, 2 * job->sweeps);
    return TERRAIN_SUCCESS;
}

/* ---- One band of a sweep --------------------------------------------------------------------- */

struct thermal_band {
    const struct thermal_job *job;
    const struct thermal_kernels *kernels;
    int64_t begin, end; /* its rows */
    int64_t height;     /* of the map */
    uint32_t index;
    float *zeros; /* stands for the rows outside the map */
    float *rings;
};

enum { THERMAL_HEIGHTS = 0, THERMAL_LOSSES = 1, THERMAL_SHARES = 2 };

/* Where a level keeps a row. */
static float *thermal_slot(const struct thermal_band *band, uint32_t level, uint32_t kind,
                           int64_t row)
{
    uint32_t slots = thermal_slots(band->job);
    size_t index = (size_t)level * thermal_level_rows(band->job) + kind * slots +
                   (size_t)((uint64_t)row % slots);
    return band->rings + index * band->job->stride;
}

static const float *thermal_at(const struct thermal_band *band, uint32_t level, uint32_t kind,
                               int64_t row)
{
    bool outside = row < 0 || row >= band->height;
    return outside ? band->zeros : thermal_slot(band, level, kind, row);
}

static struct thermal_row thermal_row_of(const struct thermal_band *band, uint32_t level,
                                         uint32_t kind, int64_t row)
{
    const struct thermal_job *job = band->job;
    struct thermal_row result;
    result.north = thermal_at(band, level, kind, row - 1);
    result.centre = thermal_at(band, level, kind, row);
    result.south = thermal_at(band, level, kind, row + 1);
    result.width = job->source.width;
    result.first = row == 0;
    result.last = row == band->height - 1;
    result.straight = job->straight;
    result.diagonal = job->diagonal;
    return result;
}

/* Whether the band needs a row of this level, or of the gifts `beyond` which the level looks. */
static bool thermal_needs(const struct thermal_band *band, uint32_t level, int64_t row,
                          int64_t beyond)
{
    int64_t rest = (int64_t)band->job->reach * (band->job->levels - level) + beyond;
    return row >= 0 && row < band->height && row >= band->begin - rest && row < band->end + rest;
}

/* Where a row of a neighbouring band is kept while that band overwrites it. */
static float *thermal_fringe(const struct thermal_band *band, int64_t row)
{
    const struct thermal_job *job = band->job;
    size_t index = (size_t)2 * job->fringe * band->index;
    index += row < band->begin ? (size_t)(band->begin - 1 - row)
                               : (size_t)(job->fringe + (row - band->end));
    return job->fringes.cells + index * job->fringes.stride;
}

/* The row's heights before the sweep. */
static const float *thermal_source(const struct thermal_band *band, int64_t row)
{
    const struct thermal_job *job = band->job;
    bool overwritten = job->source.cells == job->result.cells;
    bool own = row >= band->begin && row < band->end;
    return overwritten && !own ? thermal_fringe(band, row)
                               : job->source.cells + (size_t)row * job->source.stride;
}

/* One row of one iteration, from the level below. */
static void thermal_compute(const struct thermal_band *band, uint32_t level, int64_t row)
{
    const struct thermal_job *job = band->job;
    const uint32_t around = job->neighbourhood;
    if (job->rule == TERRAIN_THERMAL_MUSGRAVE && thermal_needs(band, level, row + 1, 1)) {
        struct thermal_row next = thermal_row_of(band, level - 1, THERMAL_HEIGHTS, row + 1);
        band->kernels->give[around](thermal_slot(band, level, THERMAL_LOSSES, row + 1),
                                    thermal_slot(band, level, THERMAL_SHARES, row + 1), &next,
                                    job->rate);
    }
    if (thermal_needs(band, level, row, 0)) {
        struct thermal_row heights = thermal_row_of(band, level - 1, THERMAL_HEIGHTS, row);
        float *out = thermal_slot(band, level, THERMAL_HEIGHTS, row);
        if (job->rule == TERRAIN_THERMAL_FLUX) {
            band->kernels->flux[around](out, &heights, job->rate);
        } else {
            struct thermal_row shares = thermal_row_of(band, level, THERMAL_SHARES, row);
            band->kernels->take[around](out, &heights, &shares,
                                        thermal_slot(band, level, THERMAL_LOSSES, row));
        }
    }
}

static struct thermal_band thermal_begin(terrain__call *call, uint32_t index)
{
    const struct thermal_job *job = call->job;
    struct thermal_band band = {.job = job, .index = index, .height = job->source.height};
    float *rows = job->rings + index * job->ring_rows * job->stride;
    band.kernels = terrain__thermal_kernels(call->isa);
    band.begin = terrain__band_begin(&job->bands, index);
    band.end = terrain__band_end(&job->bands, index);
    band.zeros = rows + THERMAL_LEFT_PAD;
    band.rings = band.zeros + job->stride;
    return band;
}

/* Everything around the cells of all rows is 0, and the kernels leave it so. */
static void thermal_clear_pads(const struct thermal_band *band)
{
    const struct thermal_job *job = band->job;
    size_t width = job->source.width;
    memset(band->zeros - THERMAL_LEFT_PAD, 0, job->stride * sizeof(float));
    for (size_t i = 1; i < job->ring_rows; i++) {
        float *row = band->zeros + i * job->stride;
        memset(row - THERMAL_LEFT_PAD, 0, THERMAL_LEFT_PAD * sizeof(float));
        memset(row + width, 0, (job->stride - THERMAL_LEFT_PAD - width) * sizeof(float));
    }
}

static void thermal_sweep(terrain__call *call, uint32_t index)
{
    const struct thermal_band band = thermal_begin(call, index);
    const struct thermal_job *job = band.job;
    const int64_t reach = (int64_t)job->reach * job->levels;
    const size_t bytes = job->source.width * sizeof(float);
    thermal_clear_pads(&band);
    for (int64_t step = band.begin - reach; step < band.end + reach; step++) {
        if (thermal_needs(&band, 0, step, 0)) {
            memcpy(thermal_slot(&band, 0, THERMAL_HEIGHTS, step), thermal_source(&band, step),
                   bytes);
        }
        for (uint32_t level = 1; level <= job->levels; level++) {
            thermal_compute(&band, level, step - (int64_t)job->reach * level);
        }
        if (step - reach >= band.begin) {
            size_t row = (size_t)(step - reach);
            memcpy(job->result.cells + row * job->result.stride,
                   thermal_slot(&band, job->levels, THERMAL_HEIGHTS, step - reach), bytes);
        }
    }
}

/* Keeps what a band reads of its neighbours, before they overwrite it. */
static void thermal_save(terrain__call *call, uint32_t index)
{
    const struct thermal_band band = thermal_begin(call, index);
    const struct thermal_job *job = band.job;
    const int64_t reach = (int64_t)job->reach * job->levels;
    for (int64_t away = 0; away < reach; away++) {
        const int64_t rows[2] = {band.begin - 1 - away, band.end + away};
        for (int side = 0; side < 2; side++) {
            if (rows[side] >= 0 && rows[side] < band.height) {
                memcpy(thermal_fringe(&band, rows[side]),
                       job->source.cells + (size_t)rows[side] * job->source.stride,
                       job->source.width * sizeof(float));
            }
        }
    }
}

/* ---- All sweeps ------------------------------------------------------------------------------ */

static terrain_status thermal_run(terrain__call *call)
{
    const thermal_params *p = call->params;
    struct thermal_job *job = call->job;
    uint32_t left = p->iterations;
    for (uint32_t sweep = 0; sweep < job->sweeps; sweep++) {
        bool last = sweep + 1 == job->sweeps;
        uint32_t sweeps_left = job->sweeps - sweep;
        terrain_status status = TERRAIN_SUCCESS;
        job->levels = left / sweeps_left + (left % sweeps_left != 0);
        left -= job->levels;
        job->source = sweep == 0 ? call->map : terrain__as_view(job->plane);
        job->result = last ? call->target : job->plane;
        if (job->source.cells == job->result.cells) {
            status = terrain__run(call, job->bands.count, thermal_save);
        }
        if (status == TERRAIN_SUCCESS) {
            status = last ? terrain__commit(call, job->bands.count, thermal_sweep)
                          : terrain__run(call, job->bands.count, thermal_sweep);
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return TERRAIN_SUCCESS;
}

static uint32_t thermal_halo(const void *params)
{
    const thermal_params *p = params;
    return p->rule == TERRAIN_THERMAL_FLUX ? p->iterations : 2 * p->iterations;
}

const terrain_operation terrain__erode_thermal = {
    .key = TERRAIN__KEY_ERODE_THERMAL,
    .result_version = 1,
    .name = "erode_thermal",
    .verb = "erode",
    .summary = "Lets material slide down slopes that are too steep to hold it.",
    .reference = "Musgrave, Kolb and Mace, SIGGRAPH 1989; Olsen, 2004",
    .signature = TERRAIN_SIGNATURE_IN_PLACE,
    .params_size = sizeof(thermal_params),
    .job_size = sizeof(struct thermal_job),
    TERRAIN__PARAMETERS(thermal_parameters),
    .halo = thermal_halo,
    .prepare = thermal_prepare,
    .run = thermal_run,
};

terrain_status terrain_erode_thermal_params_init(terrain_erode_thermal_params *params, size_t size)
{
    return terrain_operation_params_init(&terrain__erode_thermal, params, size);
}

terrain_status terrain_erode_thermal(terrain_context *context, terrain_heightmap *map,
                                     const terrain_erode_thermal_params *params)
{
    return terrain__apply(context, &terrain__erode_thermal, map, NULL, 0, params);
}
