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

#include "base/math.h"
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
static const char *const thermal_rule_names[] = {"flux", "musgrave", "quantum", "layers"};

static const terrain_parameter thermal_parameters[] = {
    TERRAIN__UINT32(thermal_params, iterations, "", 50, 0, 100000, "How often material slides."),
    TERRAIN__FLOAT(thermal_params, talus, "slope", 0.6, 0, 100, "The steepest slope that holds."),
    TERRAIN__FLOAT(thermal_params, rate, "", 0.5, 0, 1,
                   "How much of what is too steep slides in one iteration."),
    TERRAIN__ENUM(thermal_params, neighbourhood, TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE,
                  thermal_neighbourhood_names,
                  "Which neighbours receive: all eight, the four at the edges, the four corners."),
    TERRAIN__ENUM(
        thermal_params, mode, TERRAIN_ERODE_THERMAL_MODE_FLUX, thermal_rule_names,
        "How much slides: along each edge by its own slope, by the published rule, a little, "
        "or debris alone."),
    TERRAIN__FLOAT(thermal_params, quantum, "cells", 0.02, 0, 100,
                   "The most that slides between two cells in an iteration, for quantum."),
    TERRAIN__FLOAT(thermal_params, debris_talus, "slope", 0.6, 0, 100,
                   "The steepest slope of debris that holds, for layers; talus is that of rock."),
    TERRAIN__FLOAT(thermal_params, weathering, "", 0.25, 0, 1,
                   "How much of the rock that is too steep turns to debris in an iteration, for "
                   "layers."),
    TERRAIN__MAP_IN(thermal_params, debris, "How much of each height lies loose, for layers."),
    TERRAIN__MAP_IN(thermal_params, hardness,
                    "How little rock weathers, for layers: 0 as told, 1 not at all."),
    TERRAIN__MAP_OUT(thermal_params, debris_out, "How much of each height lies loose afterwards."),
    TERRAIN__MASK(thermal_params),
};

/* ---- Plan ------------------------------------------------------------------------------------ */

/* What a cell keeps in a row of a level, by rule: heights; for Musgrave's rule also what cells lose
 * and the shares that they give; for layers also debris, and how much of its excess rock
 * weathers. */
enum {
    THERMAL_HEIGHTS = 0,
    THERMAL_LOSSES = 1,
    THERMAL_SHARES = 2,
    THERMAL_DEBRIS = 1,
    THERMAL_SOFTNESS = 2
};

/* A map that iterations change. */
struct thermal_layer {
    terrain__view source;  /* of the current sweep */
    terrain__plane result; /* cells is NULL if nobody wants it */
    terrain__plane plane;  /* what sweeps but the last write; cells is NULL if there is one sweep */
    terrain__plane fringes; /* 2 * fringe rows a band: its neighbours' rows before the sweep */
};

struct thermal_job {
    float straight, diagonal; /* the height differences that hold */
    float debris_straight, debris_diagonal;
    float rate;
    float most;     /* QUANTUM: the largest excess that counts */
    float softness; /* LAYERS: of rock without hardness */
    uint32_t neighbourhood;
    uint32_t rule;
    uint32_t reach;  /* rows that an iteration looks away */
    uint32_t sweeps; /* at least 1 */
    uint32_t levels; /* of the current sweep */
    uint32_t fringe; /* rows that the longest sweep reaches beyond its band */
    uint32_t sweep;  /* the current one's number */
    terrain__bands bands;
    struct thermal_layer layers[2]; /* THERMAL_HEIGHTS, and THERMAL_DEBRIS for LAYERS */
    terrain__view hardness;
    terrain__plane zeroed; /* debris_out, of rules that know of no debris */
    /* Of each task: a row of zeros, then for each level the last rows of all that is kept. */
    float *rings;
    size_t ring_rows; /* of each task */
    size_t stride;
};

/* Maps that iterations change. */
static uint32_t thermal_layer_count(const struct thermal_job *job)
{
    return job->rule == TERRAIN_ERODE_THERMAL_MODE_LAYERS ? 2 : 1;
}

/* Rows that each level keeps: of one thing, and of all. */
static uint32_t thermal_slots(const struct thermal_job *job)
{
    return job->reach + 2;
}

static uint32_t thermal_level_rows(const struct thermal_job *job)
{
    bool heights_alone = job->rule == TERRAIN_ERODE_THERMAL_MODE_FLUX ||
                         job->rule == TERRAIN_ERODE_THERMAL_MODE_QUANTUM;
    return heights_alone ? thermal_slots(job) : 3 * thermal_slots(job);
}

static void thermal_plan_rule(struct thermal_job *job, const thermal_params *p, float cell_size)
{
    const double size = (double)cell_size;
    const float part =
        p->neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE ? 0.125f : 0.25f;
    job->straight = (float)((double)p->talus * size);
    job->diagonal = (float)((double)p->talus * size * terrain__sqrt(2));
    job->debris_straight = (float)((double)p->debris_talus * size);
    job->debris_diagonal = (float)((double)p->debris_talus * size * terrain__sqrt(2));
    job->neighbourhood = p->neighbourhood;
    job->rule = p->mode;
    job->reach = p->mode == TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE ? 2 : 1;
    job->rate = p->rate;
    if (p->mode == TERRAIN_ERODE_THERMAL_MODE_FLUX ||
        p->mode == TERRAIN_ERODE_THERMAL_MODE_QUANTUM) {
        job->rate *= part;
    }
    if (job->rate > 0) {
        job->most = (float)((double)p->quantum * size / (double)job->rate);
    }
    job->softness = p->weathering * part;
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
    for (uint32_t k = 0; k < thermal_layer_count(job); k++) {
        struct thermal_layer *layer = &job->layers[k];
        if (job->sweeps > 1) {
            layer->plane = terrain__scratch_plane(call, width, call->target.height);
        }
        if (job->sweeps > 2 || (job->sweeps == 1 && k == THERMAL_HEIGHTS)) {
            layer->fringes =
                terrain__scratch_plane(call, width, 2 * job->fringe * job->bands.count + 1);
        }
    }
    job->hardness = terrain__input(call, p->hardness);
    /* Measured, rounded up. */
    terrain__commit_cost(call,
                         (p->mode == TERRAIN_ERODE_THERMAL_MODE_FLUX ? 0.6 : 1.2) * job->fringe);
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
    result.width = job->layers[THERMAL_HEIGHTS].source.width;
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
static float *thermal_fringe(const struct thermal_band *band, const struct thermal_layer *layer,
                             int64_t row)
{
    const struct thermal_job *job = band->job;
    size_t index = (size_t)2 * job->fringe * band->index;
    index += row < band->begin ? (size_t)(band->begin - 1 - row)
                               : (size_t)(job->fringe + (row - band->end));
    return layer->fringes.cells + index * layer->fringes.stride;
}

/* A layer's row before the sweep. */
static const float *thermal_source(const struct thermal_band *band,
                                   const struct thermal_layer *layer, int64_t row)
{
    bool overwritten = layer->source.cells == layer->result.cells;
    bool own = row >= band->begin && row < band->end;
    return overwritten && !own ? thermal_fringe(band, layer, row)
                               : layer->source.cells + (size_t)row * layer->source.stride;
}

/* The host's debris: what is not above 0 is none. */
static void thermal_first_debris(float *out, const float *debris, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++) {
        float d = debris != NULL ? debris[x] : 0;
        out[x] = d > 0 ? d : 0;
    }
}

static void thermal_softness(float *out, const float *hardness, uint32_t width, float softness)
{
    for (uint32_t x = 0; x < width; x++) {
        float hard = hardness != NULL ? hardness[x] : 0;
        hard = hard > 0 ? hard : 0;
        hard = hard < 1 ? hard : 1;
        out[x] = softness * (1 - hard);
    }
}

/* A row before the first iteration of the sweep. */
static void thermal_enter(const struct thermal_band *band, int64_t row)
{
    const struct thermal_job *job = band->job;
    const struct thermal_layer *heights = &job->layers[THERMAL_HEIGHTS];
    const struct thermal_layer *debris = &job->layers[THERMAL_DEBRIS];
    const uint32_t width = heights->source.width;
    const size_t bytes = width * sizeof(float);
    memcpy(thermal_slot(band, 0, THERMAL_HEIGHTS, row), thermal_source(band, heights, row), bytes);
    if (job->rule == TERRAIN_ERODE_THERMAL_MODE_LAYERS) {
        const terrain__view *hardness = &job->hardness;
        float *loose = thermal_slot(band, 0, THERMAL_DEBRIS, row);
        bool none = debris->source.cells == NULL;
        const float *source = none ? NULL : thermal_source(band, debris, row);
        if (job->sweep == 0) {
            thermal_first_debris(loose, source, width);
        } else {
            memcpy(loose, source, bytes);
        }
        thermal_softness(thermal_slot(band, 0, THERMAL_SOFTNESS, row),
                         hardness->cells == NULL ? NULL
                                                 : hardness->cells + (size_t)row * hardness->stride,
                         width, job->softness);
    }
}

/* A row after the sweep's last iteration. */
static void thermal_leave(const struct thermal_band *band, int64_t row)
{
    const struct thermal_job *job = band->job;
    const size_t bytes = job->layers[THERMAL_HEIGHTS].source.width * sizeof(float);
    for (uint32_t k = 0; k < thermal_layer_count(job); k++) {
        const terrain__plane *result = &job->layers[k].result;
        if (result->cells != NULL) {
            memcpy(result->cells + (size_t)row * result->stride,
                   thermal_slot(band, job->levels, k, row), bytes);
        }
    }
    if (job->zeroed.cells != NULL) {
        memset(job->zeroed.cells + (size_t)row * job->zeroed.stride, 0, bytes);
    }
}

/* Rock and debris, one row of one iteration. */
static void thermal_compute_layers(const struct thermal_band *band, uint32_t level, int64_t row)
{
    const struct thermal_job *job = band->job;
    struct thermal_layers layers = {thermal_row_of(band, level - 1, THERMAL_HEIGHTS, row),
                                    thermal_row_of(band, level - 1, THERMAL_DEBRIS, row),
                                    thermal_slot(band, level - 1, THERMAL_SOFTNESS, row)};
    layers.debris.straight = job->debris_straight;
    layers.debris.diagonal = job->debris_diagonal;
    band->kernels->slide[job->neighbourhood](thermal_slot(band, level, THERMAL_HEIGHTS, row),
                                             thermal_slot(band, level, THERMAL_DEBRIS, row),
                                             &layers, job->rate);
    memcpy(thermal_slot(band, level, THERMAL_SOFTNESS, row), layers.softness,
           layers.rock.width * sizeof(float));
}

/* One row of one iteration, from the level below. */
static void thermal_compute(const struct thermal_band *band, uint32_t level, int64_t row)
{
    const struct thermal_job *job = band->job;
    const uint32_t around = job->neighbourhood;
    if (job->rule == TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE &&
        thermal_needs(band, level, row + 1, 1)) {
        struct thermal_row next = thermal_row_of(band, level - 1, THERMAL_HEIGHTS, row + 1);
        band->kernels->give[around](thermal_slot(band, level, THERMAL_LOSSES, row + 1),
                                    thermal_slot(band, level, THERMAL_SHARES, row + 1), &next,
                                    job->rate);
    }
    if (!thermal_needs(band, level, row, 0)) {
        return;
    }
    if (job->rule == TERRAIN_ERODE_THERMAL_MODE_LAYERS) {
        thermal_compute_layers(band, level, row);
    } else {
        struct thermal_row heights = thermal_row_of(band, level - 1, THERMAL_HEIGHTS, row);
        float *out = thermal_slot(band, level, THERMAL_HEIGHTS, row);
        if (job->rule == TERRAIN_ERODE_THERMAL_MODE_FLUX) {
            band->kernels->flux[around](out, &heights, job->rate);
        } else if (job->rule == TERRAIN_ERODE_THERMAL_MODE_QUANTUM) {
            band->kernels->quantum[around](out, &heights, job->rate, job->most);
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
    struct thermal_band band = {.job = job, .index = index};
    float *rows = job->rings + index * job->ring_rows * job->stride;
    band.height = job->layers[THERMAL_HEIGHTS].source.height;
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
    size_t width = job->layers[THERMAL_HEIGHTS].source.width;
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
    thermal_clear_pads(&band);
    for (int64_t step = band.begin - reach; step < band.end + reach; step++) {
        if (thermal_needs(&band, 0, step, 0)) {
            thermal_enter(&band, step);
        }
        for (uint32_t level = 1; level <= job->levels; level++) {
            thermal_compute(&band, level, step - (int64_t)job->reach * level);
        }
        if (step - reach >= band.begin) {
            thermal_leave(&band, step - reach);
        }
    }
}

/* Keeps what a band reads of its neighbours, before they overwrite it. */
static void thermal_save_layer(const struct thermal_band *band, const struct thermal_layer *layer)
{
    const struct thermal_job *job = band->job;
    const int64_t reach = (int64_t)job->reach * job->levels;
    for (int64_t away = 0; away < reach; away++) {
        const int64_t rows[2] = {band->begin - 1 - away, band->end + away};
        for (int side = 0; side < 2; side++) {
            if (rows[side] >= 0 && rows[side] < band->height) {
                memcpy(thermal_fringe(band, layer, rows[side]),
                       layer->source.cells + (size_t)rows[side] * layer->source.stride,
                       layer->source.width * sizeof(float));
            }
        }
    }
}

static void thermal_save(terrain__call *call, uint32_t index)
{
    const struct thermal_band band = thermal_begin(call, index);
    for (uint32_t k = 0; k < thermal_layer_count(band.job); k++) {
        const struct thermal_layer *layer = &band.job->layers[k];
        if (layer->source.cells == layer->result.cells && layer->source.cells != NULL) {
            thermal_save_layer(&band, layer);
        }
    }
}

/* ---- All sweeps ------------------------------------------------------------------------------ */

/* Chooses what the sweep reads and writes. */
static void thermal_route(terrain__call *call, uint32_t sweep)
{
    const thermal_params *p = call->params;
    struct thermal_job *job = call->job;
    struct thermal_layer *heights = &job->layers[THERMAL_HEIGHTS];
    struct thermal_layer *debris = &job->layers[THERMAL_DEBRIS];
    const terrain__plane loose = terrain__output(call, offsetof(thermal_params, debris_out));
    bool last = sweep + 1 == job->sweeps;
    heights->source = sweep == 0 ? call->map : terrain__as_view(heights->plane);
    heights->result = last ? call->target : heights->plane;
    if (p->mode == TERRAIN_ERODE_THERMAL_MODE_LAYERS) {
        debris->source =
            sweep == 0 ? terrain__input(call, p->debris) : terrain__as_view(debris->plane);
        debris->result = last ? loose : debris->plane;
    } else if (last) {
        job->zeroed = loose;
    }
}

static terrain_status thermal_run(terrain__call *call)
{
    const thermal_params *p = call->params;
    struct thermal_job *job = call->job;
    uint32_t left = p->iterations;
    for (job->sweep = 0; job->sweep < job->sweeps; job->sweep++) {
        bool last = job->sweep + 1 == job->sweeps;
        uint32_t sweeps_left = job->sweeps - job->sweep;
        const struct thermal_layer *heights = &job->layers[THERMAL_HEIGHTS];
        terrain_status status = TERRAIN_SUCCESS;
        job->levels = left / sweeps_left + (left % sweeps_left != 0);
        left -= job->levels;
        thermal_route(call, job->sweep);
        if (heights->source.cells == heights->result.cells) {
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
    return p->mode == TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE ? 2 * p->iterations : p->iterations;
}

const terrain_operation terrain__erode_thermal = {
    TERRAIN__IDENTITY(erode, thermal),
    .result_version = 1,
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
