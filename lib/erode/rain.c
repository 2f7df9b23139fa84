/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_rain: rain dissolves ground, flows downhill, and leaves the ground where it dries.
 *
 * B. Beneš, R. Forsbach: Visual simulation of hydraulic erosion, WSCG 2002. J. Olsen: Realtime
 * procedural terrain generation, University of Southern Denmark, 2004, for the order of steps
 * (REFERENCE) and for the fast form, which keeps no sediment: its water is always full. Both
 * authors change the map while they go through it; here all cells flow at once.
 *
 * In an iteration, for a cell of surface a = ground + water:
 *
 *     REFERENCE   flow   S = lower ones of eight neighbours, D = sum of the drops to them
 *                        f = min(water, D / (1 + |S|)), shared by the drops, sediment with it
 *                 take   what the neighbours send; water -= evaporation * water;
 *                        sediment above capacity * water settles;
 *                        water += rain; solubility * water of ground becomes sediment
 *     FAST        flow   min(water, half the drop) to the lowest of four neighbours
 *                 take   what the neighbours send; K times the water that dries settles;
 *                        K times the rain dissolves, K = min(solubility, capacity)
 *
 * runoff.h runs the iterations. tests/oracle/rain.c is the naive version. */

#include "core/operation.h"
#include "erode/iterations.h"
#include "erode/rain_kernels.h"
#include "erode/runoff.h"
#include "terrain/erode.h"

typedef terrain_erode_rain_params rain_params;

static const char *const rain_mode_names[] = {"fast", "reference"};
static const char *const rain_mode_docs[] = {
    "to the lowest of four neighbours; water always carries all it can",
    "to all lower ones of eight neighbours; sediment moves with the water",
};

#define RAIN_MOST_ITERATIONS 100000

static const terrain_parameter rain_parameters[] = {
    TERRAIN__UINT32(rain_params, iterations, "", 100, 0, RAIN_MOST_ITERATIONS,
                    "How many times rain falls, flows and evaporates.",
                    .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__FLOAT(rain_params, rain, "cell sizes", 0.32, 0, 100,
                   "Depth of the rain that falls in an iteration.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(rain_params, solubility, "", 0.03, 0, 1,
                   "How much ground the water dissolves, as a part of its own depth."),
    TERRAIN__FLOAT(rain_params, evaporation, "", 0.5, 0, 1,
                   "The part of the water that evaporates in an iteration."),
    TERRAIN__FLOAT(rain_params, capacity, "", 0.03, 0, 1000,
                   "How much ground the water can hold, as a part of its own depth."),
    TERRAIN__ENUM(
        rain_params, mode, TERRAIN_ERODE_RAIN_MODE_REFERENCE, rain_mode,
        "Where water flows: to the lowest of four neighbours, or to all lower ones of eight."),
    TERRAIN__MAP_OUT(rain_params, eroded, "Gets how much lower each cell is afterwards."),
    TERRAIN__MAP_OUT(rain_params, deposited, "Gets how much higher each cell is afterwards."),
    TERRAIN__MAP_OUT(rain_params, water, "Gets the depth of the water after the last iteration."),
    TERRAIN__MASK(rain_params),
};

struct rain_job {
    terrain__runoff runoff;
    const struct rain_kernels *kernels;
    float rain; /* as a height */
    float solubility;
};

/* A row for an iteration; `rains` for the iteration after it. */
static struct rain_row rain_row_of(const terrain__call *call, uint32_t row, bool rains)
{
    const rain_params *p = call->params;
    const struct rain_job *job = call->job;
    struct rain_row result;
    result.centre = terrain__runoff_row(&job->runoff, row);
    result.north = terrain__runoff_row(&job->runoff, (int64_t)row - 1);
    result.south = terrain__runoff_row(&job->runoff, (int64_t)row + 1);
    result.plane = job->runoff.plane;
    result.width = call->target.width;
    result.rain = rains ? job->rain : 0;
    result.solubility = job->solubility;
    result.evaporation = p->evaporation;
    result.capacity = p->capacity;
    return result;
}

/* Outside the map no surface is lower. */
static void rain_clear(float *row, size_t plane)
{
    for (size_t i = 0; i < plane; i++) {
        row[TERRAIN__RAIN_LEVEL * plane + i] = INFINITY;
    }
}

static void rain_rain(terrain__call *call, uint32_t row)
{
    const rain_params *p = call->params;
    const struct rain_job *job = call->job;
    struct rain_row cells = rain_row_of(call, row, true);
    job->kernels->rain[p->mode](&cells);
}

static void rain_flow(terrain__call *call, uint64_t iteration, uint32_t row)
{
    const rain_params *p = call->params;
    const struct rain_job *job = call->job;
    struct rain_row cells = rain_row_of(call, row, false);
    (void)iteration;
    job->kernels->flow[p->mode](&cells);
}

static void rain_take(terrain__call *call, uint64_t iteration, uint32_t row)
{
    const rain_params *p = call->params;
    const struct rain_job *job = call->job;
    bool last = iteration + 1 == job->runoff.iterations;
    struct rain_row cells = rain_row_of(call, row, !last);
    job->kernels->take[p->mode](&cells);
}

static terrain_status rain_prepare(terrain__call *call)
{
    const rain_params *p = call->params;
    struct rain_job *job = call->job;
    const bool fast = p->mode == TERRAIN_ERODE_RAIN_MODE_FAST;
    job->solubility = fast && p->capacity < p->solubility ? p->capacity : p->solubility;
    terrain__runoff runoff = {
        .iterations = p->iterations,
        .kept = fast ? TERRAIN__RAIN_FAST_COUNT : TERRAIN__RAIN_REFERENCE_COUNT,
        .eroded = offsetof(rain_params, eroded),
        .deposited = offsetof(rain_params, deposited),
        .depth = offsetof(rain_params, water),
        .clear = fast ? NULL : rain_clear,
        .rain = rain_rain,
        .flow = rain_flow,
        .take = rain_take,
        /* FAST's water is always full; REFERENCE keeps its sediment. */
        .sediment = fast ? TERRAIN__RUNOFF_WATER : TERRAIN__RAIN_SEDIMENT,
        .density = fast ? job->solubility : 1,
    };
    job->runoff = runoff;
    job->kernels = terrain__rain_kernels(call->isa);
    job->rain = (float)((double)p->rain * (double)call->cell_size);
    terrain__runoff_prepare(call);
    return TERRAIN_SUCCESS;
}

/* Water flows in from a neighbour, and that neighbour's own neighbours decide how much. */
static uint32_t rain_halo(const void *params)
{
    const rain_params *p = params;
    return 2 * p->iterations;
}

/* Ground spreads as it is carried to and fro. */
static const char *rain_scale(void *params, const void *before, double scale)
{
    rain_params *p = params;
    p->iterations =
        erode_iterations(((const rain_params *)before)->iterations, scale, RAIN_MOST_ITERATIONS);
    return NULL;
}

const terrain_operation terrain__erode_rain = {
    TERRAIN__IDENTITY(erode, rain),
    .result_version = 1,
    .summary = "Rain dissolves ground, runs downhill, and leaves the ground where it dries.",
    .reference = "Benes and Forsbach, WSCG 2002; Olsen, 2004",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(rain_params),
    TERRAIN__PARAMETERS(rain_parameters),
    .job_size = sizeof(struct rain_job),
    .scale = rain_scale,
    .halo = rain_halo,
    .prepare = rain_prepare,
    .run = terrain__runoff_run,
};

TERRAIN__PUBLIC_CHANGE(erode_rain)
