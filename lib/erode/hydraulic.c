/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_hydraulic: rain runs downhill, carves valleys, and leaves the ground where slopes end.
 *
 * Water moves ground by its flow to the power of 1.5 times the slope, as on hills that can spare
 * more ground than water carries: M. J. Kirkby, Hillslope process-response models based on the
 * continuity equation, 1971. T. R. Smith, F. P. Bretherton, Stability and the conservation of mass
 * in drainage basin evolution, 1972, found that valleys grow where that power is above 1. Water
 * runs to all lower neighbours by their drops: P. Quinn and others, The prediction of hillslope
 * flow paths, 1991.
 *
 * In an iteration, for a cell of surface a = ground + water with the drops d_n to its neighbours,
 * weighted v_n = 1 across edges and 1/2 across corners, D = sum of v_n d_n:
 *
 *     flow   c = min(3/32, water / D)              neighbour n gets c v_n d_n of water
 *            q = c D / cell_size
 *            e = min(1/16, capacity q sqrt(q))     neighbour n gets e v_n d_n of ground
 *     take   what the neighbours send; water -= evaporation * water; water += rain
 *
 * runoff.h runs the iterations. tests/oracle/hydraulic.c is the naive version. */

#include "base/math.h"
#include "core/operation.h"
#include "erode/hydraulic_kernels.h"
#include "erode/runoff.h"
#include "terrain/erode.h"

typedef terrain_erode_hydraulic_params hydraulic_params;

static const terrain_parameter hydraulic_parameters[] = {
    TERRAIN__UINT32(hydraulic_params, iterations, "", 200, 0, 100000,
                    "How many times rain falls, flows and evaporates.",
                    .scaling = TERRAIN_SCALING_STEPS),
    TERRAIN__FLOAT(hydraulic_params, rain, "cell sizes", 0.0005, 0, 100,
                   "Depth of the rain that falls in an iteration.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(hydraulic_params, evaporation, "", 0.005, 0, 1,
                   "The part of the water that evaporates in an iteration; valleys are about 1 / "
                   "evaporation long.",
                   .scaling = TERRAIN_SCALING_RATE),
    TERRAIN__FLOAT(
        hydraulic_params, capacity, "", 10, 0, 1000,
        "How much ground the water carries for its flow and slope: how fast valleys deepen.",
        .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__MAP_OUT(hydraulic_params, eroded, "Gets how much lower each cell is afterwards."),
    TERRAIN__MAP_OUT(hydraulic_params, deposited, "Gets how much higher each cell is afterwards."),
    TERRAIN__MAP_OUT(hydraulic_params, water,
                     "Gets the depth of the water after the last iteration."),
    TERRAIN__MASK(hydraulic_params),
};

struct hydraulic_job {
    terrain__runoff runoff;
    const struct hydraulic_kernels *kernels;
    float rain;       /* as a height */
    float per_height; /* cells in a unit of height */
};

/* Surfaces outside the map are NaN: neither lower nor higher than any cell. */
static void hydraulic_clear(float *row, size_t plane)
{
    float *surfaces = row + TERRAIN__HYDRAULIC_SURFACES * plane;
    for (size_t i = 0; i < 2 * plane; i++) {
        surfaces[i] = NAN;
    }
}

/* A row for an iteration; `rains` for the iteration after it. */
static struct hydraulic_row hydraulic_row_of(const terrain__call *call, uint32_t row,
                                             uint64_t iteration, bool rains)
{
    const hydraulic_params *p = call->params;
    const struct hydraulic_job *job = call->job;
    struct hydraulic_row result;
    result.centre = terrain__runoff_row(&job->runoff, row);
    result.north = terrain__runoff_row(&job->runoff, (int64_t)row - 1);
    result.south = terrain__runoff_row(&job->runoff, (int64_t)row + 1);
    result.plane = job->runoff.plane;
    result.width = call->target.width;
    result.now = (TERRAIN__HYDRAULIC_SURFACES + iteration % 2) * job->runoff.plane;
    result.next = (TERRAIN__HYDRAULIC_SURFACES + (iteration + 1) % 2) * job->runoff.plane;
    result.cells_per_height = job->per_height;
    result.rain = rains ? job->rain : 0;
    result.evaporation = p->evaporation;
    result.capacity = p->capacity;
    return result;
}

/* Rains for iteration 0, whose surface is the next one of an odd iteration. */
static void hydraulic_rain_row(terrain__call *call, uint32_t row)
{
    const struct hydraulic_job *job = call->job;
    struct hydraulic_row cells = hydraulic_row_of(call, row, 1, true);
    job->kernels->rain(&cells);
}

static void hydraulic_flow_row(terrain__call *call, uint64_t iteration, uint32_t row)
{
    const struct hydraulic_job *job = call->job;
    struct hydraulic_row cells = hydraulic_row_of(call, row, iteration, false);
    job->kernels->flow(&cells);
}

static void hydraulic_take_row(terrain__call *call, uint64_t iteration, uint32_t row)
{
    const struct hydraulic_job *job = call->job;
    bool last = iteration + 1 == job->runoff.iterations;
    struct hydraulic_row cells = hydraulic_row_of(call, row, iteration, !last);
    job->kernels->take(&cells);
}

static terrain_status hydraulic_prepare(terrain__call *call)
{
    const hydraulic_params *p = call->params;
    struct hydraulic_job *job = call->job;
    terrain__runoff runoff = {
        .iterations = p->iterations,
        .kept = TERRAIN__HYDRAULIC_COUNT,
        .eroded = offsetof(hydraulic_params, eroded),
        .deposited = offsetof(hydraulic_params, deposited),
        .depth = offsetof(hydraulic_params, water),
        .clear = hydraulic_clear,
        .rain = hydraulic_rain_row,
        .flow = hydraulic_flow_row,
        .take = hydraulic_take_row,
    };
    job->runoff = runoff;
    job->kernels = terrain__hydraulic_kernels(call->isa);
    job->rain = (float)((double)p->rain * (double)call->cell_size);
    job->per_height = (float)(1 / (double)call->cell_size);
    terrain__runoff_prepare(call);
    return TERRAIN_SUCCESS;
}

/* Water flows in from a neighbour, and that neighbour's own neighbours decide how much. */
static uint32_t hydraulic_halo(const void *params)
{
    const hydraulic_params *p = params;
    return 2 * p->iterations;
}

/* As much water passes a cell in an iteration as at scale 1, over a drop that is 1/s times as high
 * in cells of 1/s: q is s times as large, and the ground that moves must be, too. */
static const char *hydraulic_scale(void *params, const void *before, double scale)
{
    const hydraulic_params *old = before;
    ((hydraulic_params *)params)->capacity = (float)((double)old->capacity / terrain__sqrt(scale));
    return NULL;
}

const terrain_operation terrain__erode_hydraulic = {
    TERRAIN__IDENTITY(erode, hydraulic),
    .result_version = 2,
    .summary = "Rain runs downhill, carves valleys, and leaves the ground where slopes end.",
    .reference = "Kirkby, 1971; Smith and Bretherton, 1972; Quinn and others, 1991",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(hydraulic_params),
    TERRAIN__PARAMETERS(hydraulic_parameters),
    .job_size = sizeof(struct hydraulic_job),
    .scale = hydraulic_scale,
    .halo = hydraulic_halo,
    .prepare = hydraulic_prepare,
    .run = terrain__runoff_run,
};

TERRAIN__PUBLIC_CHANGE(erode_hydraulic)
