/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_hydraulic: rain runs downhill, takes ground along, and leaves it where slopes end.
 *
 * CARVE moves ground by the flow of water and the slope, as on hills that can spare more than water
 * carries: M. J. Kirkby, Hillslope process-response models based on the continuity equation, 1971.
 * T. R. Smith, F. P. Bretherton, Stability and the conservation of mass in drainage basin
 * evolution, 1972, found that valleys grow where the power of the flow is above 1. Water runs to
 * all lower neighbours by their drops: P. Quinn and others, The prediction of hillslope flow paths,
 * 1991.
 *
 * The others are B. Beneš, R. Forsbach: Visual simulation of hydraulic erosion, WSCG 2002. J.
 * Olsen: Realtime procedural terrain generation, University of Southern Denmark, 2004, for the
 * order of steps (REFERENCE) and the fast form, which keeps no sediment: its water is always full. Both
 * change the map while they go through it.
 *
 * Here each iteration decides for all cells how much flows where, and only then moves it. The two
 * steps of several iterations run as a wave over rows of scratch that hold all that is kept for a
 * cell. */

#include <string.h>

#include "core/operation.h"
#include "erode/hydraulic_kernels.h"
#include "erode/wave.h"
#include "terrain/erode.h"

typedef terrain_erode_hydraulic_params hydraulic_params;

enum {
    /* More iterations at once bring no more speed, only fewer bands. */
    HYDRAULIC_MOST_FUSED = 8
};

static const char *const hydraulic_mode_names[] = {"fast", "reference", "carve"};

static const terrain_parameter hydraulic_parameters[] = {
    TERRAIN__UINT32(hydraulic_params, iterations, "", 100, 0, 100000,
                    "How often it rains, flows and dries."),
    TERRAIN__FLOAT(hydraulic_params, rain, "cells", 0.001, 0, 100,
                   "How deep the water is that falls in an iteration."),
    TERRAIN__FLOAT(hydraulic_params, solubility, "", 0.03, 0, 1,
                   "How much ground water dissolves, as a part of its own depth. Not in carve."),
    TERRAIN__FLOAT(hydraulic_params, evaporation, "", 0.02, 0, 1,
                   "The part of the water that dries in an iteration."),
    TERRAIN__FLOAT(hydraulic_params, capacity, "", 20, 0, 1000,
                   "How much ground water can carry: for its flow and slope, or for its depth."),
    TERRAIN__ENUM(hydraulic_params, mode, TERRAIN_HYDRAULIC_CARVE, hydraulic_mode_names,
                  "To the lowest of four neighbours; to all lower of eight; and carving valleys."),
    TERRAIN__MAP_OUT(hydraulic_params, eroded, "How much lower each cell is afterwards."),
    TERRAIN__MAP_OUT(hydraulic_params, deposited, "How much higher each cell is afterwards."),
    TERRAIN__MAP_OUT(hydraulic_params, water, "How deep the water is in the end."),
    TERRAIN__MASK(hydraulic_params),
};

/* ---- Plan ------------------------------------------------------------------------------------ */

struct hydraulic_job {
    const struct hydraulic_kernels *kernels;
    float rain; /* as a height */
    float solubility;
    float per_height; /* cells in a unit of height */
    uint32_t kept;    /* numbers for each cell */
    struct wave wave;
    float *cells; /* of the row above the map; another one is below it */
    size_t plane; /* floats from a row of one thing to that of the next */
};

static const uint32_t hydraulic_kept[] = {TERRAIN__HYDRAULIC_FAST_COUNT,
                                          TERRAIN__HYDRAULIC_REFERENCE_COUNT,
                                          TERRAIN__HYDRAULIC_CARVE_COUNT};

static float *hydraulic_at(const struct hydraulic_job *job, int64_t row)
{
    size_t index = (size_t)(row + 1) * job->kept;
    return job->cells + index * job->plane + TERRAIN__HYDRAULIC_PAD;
}

static terrain_status hydraulic_prepare(terrain__call *call)
{
    const hydraulic_params *p = call->params;
    struct hydraulic_job *job = call->job;
    bool fast = p->mode == TERRAIN_HYDRAULIC_FAST;
    size_t row_bytes;
    job->kernels = terrain__hydraulic_kernels(call->isa);
    job->rain = (float)((double)p->rain * (double)call->cell_size);
    job->solubility = fast && p->capacity < p->solubility ? p->capacity : p->solubility;
    job->per_height = (float)(1 / (double)call->cell_size);
    job->kept = hydraulic_kept[p->mode];
    job->plane = ((size_t)call->target.width + 15) / 16 * 16 + 2 * TERRAIN__HYDRAULIC_PAD;
    row_bytes = job->kept * job->plane * sizeof(float);
    job->wave = wave_of(call->target.height, row_bytes, 2, 1, HYDRAULIC_MOST_FUSED);
    job->cells = terrain__scratch(call, ((size_t)call->target.height + 2) * job->kept,
                                  job->plane * sizeof(float));
    terrain__expect_passes(call, 2 + wave_passes(&job->wave, p->iterations));
    return TERRAIN_SUCCESS;
}

/* ---- In and out ------------------------------------------------------------------------------ */

/* All of a row, as it is outside the map. */
static void hydraulic_clear_row(const terrain__call *call, int64_t row)
{
    const hydraulic_params *p = call->params;
    const struct hydraulic_job *job = call->job;
    float *cells = hydraulic_at(job, row) - TERRAIN__HYDRAULIC_PAD;
    for (size_t i = 0; i < job->plane; i++) {
        cells[i] = INFINITY;
    }
    memset(cells + job->plane, 0, (job->kept - 1) * job->plane * sizeof(float));
    if (p->mode == TERRAIN_HYDRAULIC_CARVE) {
        float *surfaces = cells + TERRAIN__HYDRAULIC_SURFACES * job->plane;
        for (size_t i = 0; i < 2 * job->plane; i++) {
            surfaces[i] = NAN;
        }
    }
}

/* For an iteration; `rains` for the one after it. */
static struct hydraulic_row hydraulic_row_of(const terrain__call *call, uint32_t row,
                                             uint64_t iteration, bool rains)
{
    const hydraulic_params *p = call->params;
    const struct hydraulic_job *job = call->job;
    struct hydraulic_row result;
    result.centre = hydraulic_at(job, row);
    result.north = hydraulic_at(job, (int64_t)row - 1);
    result.south = hydraulic_at(job, (int64_t)row + 1);
    result.plane = job->plane;
    result.width = call->target.width;
    result.now = (TERRAIN__HYDRAULIC_SURFACES + iteration % 2) * job->plane;
    result.next = (TERRAIN__HYDRAULIC_SURFACES + (iteration + 1) % 2) * job->plane;
    result.cells = job->per_height;
    result.rain = rains ? job->rain : 0;
    result.solubility = job->solubility;
    result.evaporation = p->evaporation;
    result.capacity = p->capacity;
    return result;
}

static void hydraulic_begin(terrain__call *call, uint32_t index)
{
    const hydraulic_params *p = call->params;
    const struct hydraulic_job *job = call->job;
    uint32_t end = terrain__band_end(&job->wave.bands, index);
    if (index == 0) {
        hydraulic_clear_row(call, -1);
    }
    for (uint32_t row = terrain__band_begin(&job->wave.bands, index); row < end; row++) {
        /* Rains for iteration 0: its surface is the next one's of an odd iteration. */
        struct hydraulic_row cells = hydraulic_row_of(call, row, 1, p->iterations > 0);
        hydraulic_clear_row(call, row);
        memcpy(cells.centre, call->map.cells + row * call->map.stride, cells.width * sizeof(float));
        if (p->iterations > 0) {
            job->kernels->rain[p->mode](&cells);
        }
    }
    if (end == job->wave.bands.rows) {
        hydraulic_clear_row(call, end);
    }
}

/* A row of an output, or NULL. */
static float *hydraulic_output(const terrain__call *call, size_t offset, uint32_t row)
{
    terrain__plane plane = terrain__output(call, (uint32_t)offset);
    return plane.cells == NULL ? NULL : plane.cells + row * plane.stride;
}

/* What is in the water. */
static float hydraulic_sediment(const terrain__call *call, const float *ground, uint32_t x)
{
    const hydraulic_params *p = call->params;
    const struct hydraulic_job *job = call->job;
    switch (p->mode) {
    case TERRAIN_HYDRAULIC_FAST:
        return job->solubility * ground[job->plane + x];
    case TERRAIN_HYDRAULIC_REFERENCE:
        return ground[TERRAIN__HYDRAULIC_SEDIMENT * job->plane + x];
    default:
        return 0;
    }
}

/* All that is in the water settles. The map may be the target: it is read first. */
static void hydraulic_finish_row(terrain__call *call, uint32_t row)
{
    const hydraulic_params *p = call->params;
    const struct hydraulic_job *job = call->job;
    const float *old = call->map.cells + row * call->map.stride;
    float *heights = call->target.cells + row * call->target.stride;
    float *eroded = hydraulic_output(call, offsetof(hydraulic_params, eroded), row);
    float *deposited = hydraulic_output(call, offsetof(hydraulic_params, deposited), row);
    float *depth = hydraulic_output(call, offsetof(hydraulic_params, water), row);
    const float *ground = hydraulic_at(job, row);
    const float *water = ground + job->plane;
    for (uint32_t x = 0; x < call->target.width; x++) {
        float before = old[x];
        float after = ground[x] + hydraulic_sediment(call, ground, x);
        if (eroded != NULL) {
            eroded[x] = before > after ? before - after : 0;
        }
        if (deposited != NULL) {
            deposited[x] = after > before ? after - before : 0;
        }
        if (depth != NULL) {
            depth[x] = water[x];
        }
        heights[x] = p->iterations > 0 ? after : before;
    }
}

static void hydraulic_finish(terrain__call *call, uint32_t index)
{
    const struct hydraulic_job *job = call->job;
    uint32_t end = terrain__band_end(&job->wave.bands, index);
    for (uint32_t row = terrain__band_begin(&job->wave.bands, index); row < end; row++) {
        hydraulic_finish_row(call, row);
    }
}

/* ---- Iterations ------------------------------------------------------------------------------ */

static void hydraulic_step(terrain__call *call, uint64_t step, uint32_t row)
{
    const hydraulic_params *p = call->params;
    const struct hydraulic_job *job = call->job;
    bool last = step / 2 + 1 == p->iterations;
    struct hydraulic_row cells = hydraulic_row_of(call, row, step / 2, !last);
    if (step % 2 == 0) {
        job->kernels->flow[p->mode](&cells);
    } else {
        job->kernels->take[p->mode](&cells);
    }
}

static void hydraulic_band(terrain__call *call, uint32_t index)
{
    const struct hydraulic_job *job = call->job;
    wave_band(call, &job->wave, index, hydraulic_step);
}

static void hydraulic_border(terrain__call *call, uint32_t index)
{
    const struct hydraulic_job *job = call->job;
    wave_border(call, &job->wave, index, hydraulic_step);
}

static terrain_status hydraulic_run(terrain__call *call)
{
    const hydraulic_params *p = call->params;
    struct hydraulic_job *job = call->job;
    const uint32_t bands = job->wave.bands.count;
    terrain_status status = terrain__run(call, bands, hydraulic_begin);
    if (status == TERRAIN_SUCCESS) {
        status = wave_run(call, &job->wave, p->iterations, hydraulic_band, hydraulic_border);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, bands, hydraulic_finish) : status;
}

/* What flows in comes from a neighbour, whose neighbours decide whether it does. */
static uint32_t hydraulic_halo(const void *params)
{
    const hydraulic_params *p = params;
    return 2 * p->iterations;
}

const terrain_operation terrain__erode_hydraulic = {
    TERRAIN__IDENTITY(erode, hydraulic),
    .result_version = 1,
    .summary = "Rain runs downhill, carves valleys, and leaves the ground where slopes end.",
    .reference = "Smith and Bretherton, 1972; Benes and Forsbach, WSCG 2002; Olsen, 2004",
    .signature = TERRAIN_SIGNATURE_IN_PLACE,
    .params_size = sizeof(hydraulic_params),
    .job_size = sizeof(struct hydraulic_job),
    TERRAIN__PARAMETERS(hydraulic_parameters),
    .halo = hydraulic_halo,
    .prepare = hydraulic_prepare,
    .run = hydraulic_run,
};

terrain_status terrain_erode_hydraulic_params_init(terrain_erode_hydraulic_params *params,
                                                   size_t size)
{
    return terrain_operation_params_init(&terrain__erode_hydraulic, params, size);
}

terrain_status terrain_erode_hydraulic(terrain_context *context, terrain_heightmap *map,
                                       const terrain_erode_hydraulic_params *params)
{
    return terrain__apply(context, &terrain__erode_hydraulic, map, NULL, 0, params);
}
