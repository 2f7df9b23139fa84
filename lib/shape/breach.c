/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_breach: cuts channels out of depressions, through what dams them.
 *
 * J. B. Lindsay, Efficient hybrid breaching-filling sink removal methods for flow path enforcement
 * in digital elevation models, Hydrological Processes 30, 2016, for cutting rather than filling.
 * Here the graph of basins (flow/flow.h) says where: along each depression's bed to its lowest
 * pass, and on down.
 *
 *   receivers    as analyze_flow's with routing carve
 *   lines        from each pit downstream, at the pit's height or falling by a slope, until the
 *                ground is below; the lowest line is the channel's bed
 *
 * All lines at once: cells hand the lowest line on to their receiver, those upstream first. With
 * limits each pit's line is walked alone, because it counts only if all of it is within them. */

#include "core/choices.h"
#include "flow/flow.h"
#include "rows/rows.h"
#include "terrain/shape.h"

typedef terrain_shape_breach_params breach_params;

static const terrain_parameter breach_parameters[] = {
    TERRAIN__FLOAT(breach_params, slope, "slope", 0, 0, 100,
                   "The slope of the channels; 0: level."),
    TERRAIN__FLOAT(breach_params, most_depth, "height", TERRAIN__INFINITY, 0, TERRAIN__INFINITY,
                   "A channel that would have to be deeper than this somewhere is not cut."),
    TERRAIN__UINT32(breach_params, most_length, "cells", 0, 0, 65535,
                    "A channel that would have to be longer than this is not cut; 0: any length.",
                    .scaling = TERRAIN_SCALING_EXTENT),
    TERRAIN__ENUM(breach_params, rim, TERRAIN_RIM_OPEN, terrain__rim,
                  "Whether water leaves over the edge of the map, or only at NaN."),
    TERRAIN__MAP_OUT(breach_params, depth, "Gets how much lower each cell is afterwards."),
    TERRAIN__MASK(breach_params),
};

struct breach_job {
    struct flow flow;         /* first: terrain__flow_run_… */
    float straight, diagonal; /* what lines fall by from cell to cell */
    float *beds;              /* of each cell: the lowest line, +infinity for none */
};

static bool breach_is_limited(const breach_params *p)
{
    return p->most_depth < INFINITY || p->most_length > 0;
}

static terrain_status breach_prepare(terrain__call *call)
{
    const breach_params *p = call->params;
    struct breach_job *job = call->job;
    const size_t cells = (size_t)call->target.width * call->target.height;
    const double fall = (double)p->slope * (double)call->cell_size;
    terrain_status status = terrain__flow_prepare_map(
        call, &job->flow,
        TERRAIN__FLOW_NEEDS_BASINS | (breach_is_limited(p) ? 0 : TERRAIN__FLOW_NEEDS_TREE), p->rim);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    job->straight = (float)fall;
    job->diagonal = (float)(fall * TERRAIN__FLOW_CORNER);
    job->beds = terrain__scratch(call, cells, sizeof *job->beds);
    terrain__expect_passes(call,
                           terrain__flow_prepare_routing(call, &job->flow, TERRAIN__FLOW_CARVE) +
                               3 + !breach_is_limited(p));
    return TERRAIN_SUCCESS;
}

/* A line that comes from a cell, at its receiver. */
static inline float breach_next(const struct breach_job *job, uint8_t code, float line)
{
    return line - (terrain__flow_is_straight(code) ? job->straight : job->diagonal);
}

static void breach_begin_band(terrain__call *call, uint32_t index)
{
    const struct breach_job *job = call->job;
    const terrain__bands bands = terrain__flow_bands(&job->flow);
    const size_t width = job->flow.width;
    const size_t end = terrain__band_end(&bands, index) * width;
    for (size_t i = terrain__band_begin(&bands, index) * width; i < end; i++) {
        job->beds[i] = INFINITY;
    }
    if (!breach_is_limited(call->params)) {
        terrain__flow_find_donors(call, index);
    }
}

static void breach_begin_lines(terrain__call *call, uint32_t index)
{
    const struct breach_job *job = call->job;
    const struct flow *flow = &job->flow;
    (void)index;
    for (uint32_t b = 1; b < flow->basin_count; b++) {
        job->beds[flow->pits[b]] = terrain__flow_height(flow, flow->pits[b]);
    }
}

/* Hands lines on from cell to cell. A line ends where the ground is below it. */
static void breach_cut_half(terrain__call *call, uint32_t index)
{
    struct breach_job *job = call->job;
    struct flow *flow = &job->flow;
    const struct flow_half *half = &flow->halves[index];
    terrain__flow_grow(flow, index);
    for (size_t i = half->count; i-- > 0;) {
        const uint32_t cell = flow->tree.cells[terrain__flow_place(half, i)];
        const uint32_t next = terrain__flow_receiver(flow, cell);
        if (next != cell && job->beds[cell] <= terrain__flow_height(flow, cell)) {
            const float line = breach_next(job, flow->directions[cell], job->beds[cell]);
            job->beds[next] = line < job->beds[next] ? line : job->beds[next];
        }
    }
}

/* Walks a pit's line. Returns its number of steps, or 0 if it is beyond the limits. */
static uint32_t breach_measure(const struct breach_job *job, const breach_params *p, uint32_t pit)
{
    const struct flow *flow = &job->flow;
    float line = terrain__flow_height(flow, pit);
    uint32_t cell = pit, cut = 0;
    for (uint32_t steps = 0;; steps++) {
        const uint32_t next = terrain__flow_receiver(flow, cell);
        float height;
        line = breach_next(job, flow->directions[cell], line);
        height = terrain__flow_height(flow, next);
        if (next == cell || !(height >= line)) {
            return steps;
        }
        cut += height > line;
        if (height - line > p->most_depth || (p->most_length > 0 && cut > p->most_length)) {
            return 0;
        }
        cell = next;
    }
}

static void breach_cut_some(terrain__call *call, uint32_t index)
{
    const breach_params *p = call->params;
    const struct breach_job *job = call->job;
    const struct flow *flow = &job->flow;
    (void)index;
    for (uint32_t b = 1; b < flow->basin_count; b++) {
        uint32_t cell = flow->pits[b];
        float line = terrain__flow_height(flow, cell);
        for (uint32_t left = breach_measure(job, p, cell); left > 0; left--) {
            line = breach_next(job, flow->directions[cell], line);
            cell = terrain__flow_receiver(flow, cell);
            job->beds[cell] = line < job->beds[cell] ? line : job->beds[cell];
        }
    }
}

/* The map may be the target: each height is read before it is written. */
static void breach_lower(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct breach_job *job = call->job;
    const float *heights = terrain__map_row(call, y);
    const float *beds = job->beds + (size_t)y * call->target.width;
    float *target = terrain__target_row(call, y);
    float *depth = terrain__output_row(call, offsetof(breach_params, depth), y);
    const uint32_t width = call->target.width;
    (void)task;
    for (uint32_t x = 0; x < width; x++) {
        const float h = heights[x];
        const float lower = beds[x] < h ? beds[x] : h;
        if (depth != NULL) {
            depth[x] = beds[x] < h ? h - lower : 0;
        }
        target[x] = lower;
    }
}

static terrain_status breach_run(terrain__call *call)
{
    struct breach_job *job = call->job;
    const bool limited = breach_is_limited(call->params);
    terrain_status status = terrain__flow_run_routed(call, TERRAIN__FLOW_CARVE);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_bands(&job->flow).count, breach_begin_band);
    }
    if (status == TERRAIN_SUCCESS && !limited) {
        status = terrain__run(call, 1, breach_begin_lines);
    }
    if (status == TERRAIN_SUCCESS && !limited) {
        terrain__flow_deal_roots(&job->flow);
    }
    if (status == TERRAIN_SUCCESS) {
        status = limited ? terrain__run(call, 1, breach_cut_some)
                         : terrain__run(call, terrain__flow_halves(&job->flow), breach_cut_half);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, breach_lower) : status;
}

static const char *breach_endless(const void *params)
{
    return terrain__rim_endless(((const breach_params *)params)->rim);
}

const terrain_operation terrain__shape_breach = {
    TERRAIN__IDENTITY(shape, breach),
    .result_version = 1,
    .summary = "Cuts channels out of depressions until water runs off everywhere.",
    .reference =
        "Lindsay, Hydrological Processes 30, 2016; Cordonnier, Bovy and Braun, Earth Surface "
        "Dynamics 7, 2019",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(breach_params),
    TERRAIN__PARAMETERS(breach_parameters),
    .job_size = sizeof(struct breach_job),
    .halo = terrain__global_halo,
    .endless = breach_endless,
    .regions = &terrain__flow_regions,
    .prepare = breach_prepare,
    .run = breach_run,
};

TERRAIN__PUBLIC_CHANGE(shape_breach)
