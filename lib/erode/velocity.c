/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_velocity: water runs with a velocity, wears the ground that it runs over and into, and
 * drops what it carries where it slows down.
 *
 * N. Chiba, K. Muraoka, K. Fujita: An erosion model based on velocity fields for the visual
 * simulation of mountain scenery, The Journal of Visualization and Computer Animation 9, 1998.
 * B. Odhner, B. Fleming tell it with averages in each cell, 2009. There particles run one after the
 * other and leave their sums in the cells that they cross. Here all particles of a cell are one: a
 * square of water with the mean of their velocities, which all cells move at once, so that each
 * only reads its neighbours, and the order of the work is free.
 *
 *     flow   g = slope of the surface, by Horn; c = (vz - vx gx - vy gy) / (1 + |g|^2), if below 0
 *            G = gravity / (1 + 8 w)
 *            (vx, vy) = (1 - friction) (v + c g - G g / sqrt(1 + |g|^2)), at most a cell
 *            vz = vx gx + vy gy
 *            sediment += sum over the four sides of (sediment_n - sediment) / 8
 *            room = capacity (w |v|)^1.5 - sediment
 *            ground gives min(w (wear |v|^2 / 2 + impact c^2 (1 + |g|^2) / 2), room), or gets
 *            settling * -room
 *     take   what the squares of the neighbours, moved by their velocities, cover of this cell,
 *            with the mean of the velocities; w -= evaporation w; rain, which is at rest, slows it
 *            down
 *
 * The power of 1.5 is erode_hydraulic's: valleys grow where it is above 1. runoff.h runs the
 * iterations. tests/oracle/velocity.c is the naive version. */

#include "base/math.h"
#include "core/operation.h"
#include "erode/runoff.h"
#include "erode/velocity_kernels.h"
#include "terrain/erode.h"

typedef terrain_erode_velocity_params velocity_params;

static const terrain_parameter velocity_parameters[] = {
    TERRAIN__UINT32(velocity_params, iterations, "", 200, 0, 100000,
                    "How many times rain falls, runs and evaporates.",
                    .scaling = TERRAIN_SCALING_STEPS),
    TERRAIN__FLOAT(velocity_params, rain, "cell sizes", 0.001, 0, 100,
                   "Depth of the rain that falls in the first iteration; then less and less.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(velocity_params, evaporation, "", 0.005, 0, 1,
                   "The part of the water that evaporates in an iteration.",
                   .scaling = TERRAIN_SCALING_RATE),
    TERRAIN__FLOAT(velocity_params, gravity, "cells", 0.5, 0, 1,
                   "How much speed water gains in an iteration where it falls freely.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(velocity_params, friction, "", 0.1, 0, 1,
                   "The part of its velocity that the water loses in an iteration.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(velocity_params, wear, "", 1, 0, 1000,
                   "How much ground the water wears off by its speed.",
                   .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__FLOAT(velocity_params, impact, "", 10, 0, 1000,
                   "How much ground the water breaks off where it runs into a slope.",
                   .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__FLOAT(velocity_params, capacity, "", 25, 0, 1000,
                   "How much ground the water can carry for its depth and speed.",
                   .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__FLOAT(velocity_params, settling, "", 0.2, 0, 1,
                   "The part of the sediment beyond the capacity that settles in an iteration.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(
        velocity_params, bank, "slope", 0.15, 0, 100,
        "How far a cell may be worn below, or silted above, the mean of its neighbours."),
    TERRAIN__MAP_OUT(velocity_params, eroded, "Gets how much lower each cell is afterwards."),
    TERRAIN__MAP_OUT(velocity_params, deposited, "Gets how much higher each cell is afterwards."),
    TERRAIN__MAP_OUT(velocity_params, water,
                     "Gets the depth of the water after the last iteration."),
    TERRAIN__MASK(velocity_params),
};

struct velocity_job {
    terrain__runoff runoff;
    const struct velocity_kernels *kernels;
    float rain; /* as a height, in the first iteration */
    float bank; /* as a height */
    float per_height;
};

/* A row for an iteration. Rain and capacity fade: what the water carries is on the ground in the
 * end. */
static struct velocity_row velocity_row_of(const terrain__call *call, uint64_t iteration,
                                           uint32_t row)
{
    const velocity_params *p = call->params;
    const struct velocity_job *job = call->job;
    const double step = 1 / (double)p->iterations;
    const double left = 1 - (double)iteration * step;
    struct velocity_row result;
    result.centre = terrain__runoff_row(&job->runoff, row);
    result.north = terrain__runoff_row(&job->runoff, (int64_t)row - 1);
    result.south = terrain__runoff_row(&job->runoff, (int64_t)row + 1);
    result.plane = job->runoff.plane;
    result.width = call->target.width;
    result.cells_per_height = job->per_height;
    result.rain = (float)((double)job->rain * (iteration + 1 < p->iterations ? left - step : 0));
    result.capacity = (float)((double)p->capacity * left);
    result.bank = job->bank;
    result.evaporation = p->evaporation;
    result.gravity = p->gravity;
    result.friction = p->friction;
    result.wear = p->wear;
    result.impact = p->impact;
    result.settling = p->settling;
    return result;
}

static void velocity_rain_row(terrain__call *call, uint32_t row)
{
    const struct velocity_job *job = call->job;
    struct velocity_row cells = velocity_row_of(call, 0, row);
    cells.rain = job->rain;
    job->kernels->rain(&cells);
}

static void velocity_flow_row(terrain__call *call, uint64_t iteration, uint32_t row)
{
    const struct velocity_job *job = call->job;
    const struct velocity_row cells = velocity_row_of(call, iteration, row);
    job->kernels->flow(&cells);
}

static void velocity_take_row(terrain__call *call, uint64_t iteration, uint32_t row)
{
    const struct velocity_job *job = call->job;
    const struct velocity_row cells = velocity_row_of(call, iteration, row);
    job->kernels->take(&cells);
}

static terrain_status velocity_prepare(terrain__call *call)
{
    const velocity_params *p = call->params;
    struct velocity_job *job = call->job;
    terrain__runoff runoff = {
        .iterations = p->iterations,
        .kept = TERRAIN__VELOCITY_COUNT,
        .eroded = offsetof(velocity_params, eroded),
        .deposited = offsetof(velocity_params, deposited),
        .depth = offsetof(velocity_params, water),
        .rain = velocity_rain_row,
        .flow = velocity_flow_row,
        .take = velocity_take_row,
        .sediment = TERRAIN__VELOCITY_SEDIMENT,
        .density = 1,
    };
    job->runoff = runoff;
    job->kernels = terrain__velocity_kernels(call->isa);
    job->rain = (float)((double)p->rain * (double)call->cell_size);
    job->bank = (float)((double)p->bank * (double)call->cell_size);
    job->per_height = (float)(1 / (double)call->cell_size);
    terrain__runoff_prepare(call);
    return TERRAIN_SUCCESS;
}

/* Water arrives from a neighbour, and that neighbour's own neighbours decide its slope. */
static uint32_t velocity_halo(const void *params)
{
    const velocity_params *p = params;
    return 2 * p->iterations;
}

/* There are scale times as many iterations, in each of which as much water wears the ground. The
 * flow is as large in cells, but cells are larger or smaller: capacity changes as erode_hydraulic's
 * does. */
static const char *velocity_scale(void *params, const void *before, double scale)
{
    const velocity_params *old = before;
    ((velocity_params *)params)->wear = (float)((double)old->wear / scale);
    ((velocity_params *)params)->impact = (float)((double)old->impact / scale);
    ((velocity_params *)params)->capacity = (float)((double)old->capacity / terrain__sqrt(scale));
    return NULL;
}

const terrain_operation terrain__erode_velocity = {
    TERRAIN__IDENTITY(erode, velocity),
    .result_version = 1,
    .summary = "Water runs with a velocity, wears what it runs over and into, and drops it where "
               "it slows.",
    .reference = "Chiba, Muraoka and Fujita, 1998; Odhner and Fleming, 2009",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(velocity_params),
    TERRAIN__PARAMETERS(velocity_parameters),
    .job_size = sizeof(struct velocity_job),
    .scale = velocity_scale,
    .halo = velocity_halo,
    .prepare = velocity_prepare,
    .run = terrain__runoff_run,
};

TERRAIN__PUBLIC_CHANGE(erode_velocity)
