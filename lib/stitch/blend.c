/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* stitch_blend: maps that overlap, feathered into each other. Each shared cell depends on itself
 * alone, in the maps that share it, so that one pass does it in place: each map takes care of what
 * it shares with its eastern, southern and south-eastern neighbours. */

#include "core/choices.h"
#include "stitch/blend_kernels.h"
#include "stitch/skirt.h"

typedef terrain_stitch_blend_params stitch_blend_params;

struct stitch_blend_job {
    float *first;  /* the weight of the western or northern map in each line of the overlap */
    float *second; /* of the other */
};

static const terrain_parameter stitch_blend_parameters[] = {
    TERRAIN__UINT32(stitch_blend_params, overlap, "cells", 1, 1, 65536,
                    "Columns and rows that neighbours share."),
    TERRAIN__ENUM(stitch_blend_params, curve, TERRAIN_STITCH_CURVE_SMOOTHER, terrain__stitch_curve,
                  "How the weight changes across the overlap."),
};

static bool stitch_blend_fits(uint32_t overlap, uint32_t length, uint32_t maps)
{
    return maps == 1 || overlap <= (maps == 2 ? length : length / 2);
}

static terrain_status stitch_blend_prepare(terrain__call *call)
{
    const stitch_blend_params *p = call->params;
    struct stitch_blend_job *job = call->job;
    if (!stitch_blend_fits(p->overlap, call->map.width, call->columns) ||
        !stitch_blend_fits(p->overlap, call->map.height, call->rows)) {
        return terrain__fail(call, TERRAIN_ERROR_RANGE,
                             "overlap is %lu, but maps are %lux%lu: neighbours on both sides must "
                             "not overlap each other",
                             (unsigned long)p->overlap, (unsigned long)call->map.width,
                             (unsigned long)call->map.height);
    }
    job->first = terrain__scratch(call, p->overlap, sizeof(float));
    job->second = terrain__scratch(call, p->overlap, sizeof(float));
    terrain__expect_passes(call, 1);
    return TERRAIN_SUCCESS;
}

static void stitch_blend_weigh(const terrain__call *call)
{
    const stitch_blend_params *p = call->params;
    const struct stitch_blend_job *job = call->job;
    const uint32_t last = p->overlap - 1;
    for (uint32_t i = 0; i <= last; i++) {
        double t = last == 0 ? 0.5 : (double)i / (double)last;
        job->first[i] = (float)terrain__stitch_curve(p->curve, t);
    }
    for (uint32_t i = 0; i <= last; i++) {
        job->second[i] = job->first[last - i];
    }
}

/* Row y of map (column, row): what it shares with the east, unless the map above or below blends
 * the row among four. */
static void stitch_blend_east(const terrain__call *call, uint32_t column, uint32_t row, uint32_t y)
{
    const stitch_blend_params *p = call->params;
    const struct stitch_blend_job *job = call->job;
    terrain__plane west = terrain__grid_plane(call, column, row);
    terrain__plane east = terrain__grid_plane(call, column + 1, row);
    bool above = row > 0 && y < p->overlap;
    bool below = row + 1 < call->rows && y >= west.height - p->overlap;
    if (!above && !below) {
        terrain__stitch_blend_kernels(call->isa)->across(
            west.cells + y * west.stride + (west.width - p->overlap), east.cells + y * east.stride,
            job->first, job->second, p->overlap);
    }
}

/* Line `line` of what map (column, row) shares with the south, and with three neighbours. */
static void stitch_blend_south(const terrain__call *call, uint32_t column, uint32_t row,
                               uint32_t line)
{
    const stitch_blend_params *p = call->params;
    const struct stitch_blend_job *job = call->job;
    const struct stitch_blend_kernels *kernels = terrain__stitch_blend_kernels(call->isa);
    terrain__plane north = terrain__grid_plane(call, column, row);
    terrain__plane south = terrain__grid_plane(call, column, row + 1);
    uint32_t y = north.height - p->overlap + line;
    uint32_t begin = column > 0 ? p->overlap : 0;
    uint32_t end = column + 1 < call->columns ? north.width - p->overlap : north.width;
    kernels->along(north.cells + y * north.stride + begin,
                   south.cells + line * south.stride + begin, job->first[line], job->second[line],
                   end - begin);
    if (column + 1 < call->columns) {
        terrain__plane north_east = terrain__grid_plane(call, column + 1, row);
        terrain__plane south_east = terrain__grid_plane(call, column + 1, row + 1);
        float *const maps[4] = {
            north.cells + y * north.stride + end,
            north_east.cells + y * north_east.stride,
            south.cells + line * south.stride + end,
            south_east.cells + line * south_east.stride,
        };
        kernels->corner(maps, job->first, job->second, job->first[line], job->second[line],
                        p->overlap);
    }
}

/* Rows begin to end - 1 of map (column, row). */
static void stitch_blend_map(const terrain__call *call, uint32_t column, uint32_t row,
                             uint32_t begin, uint32_t end)
{
    const stitch_blend_params *p = call->params;
    const uint32_t first = call->map.height - p->overlap;
    for (uint32_t y = begin; y < end && column + 1 < call->columns; y++) {
        stitch_blend_east(call, column, row, y);
    }
    for (uint32_t y = begin > first ? begin : first; y < end && row + 1 < call->rows; y++) {
        stitch_blend_south(call, column, row, y - first);
    }
}

static void stitch_blend_maps(terrain__call *call, uint32_t index)
{
    const uint32_t height = call->map.height;
    const uint64_t rows = (uint64_t)call->columns * call->rows * height;
    const uint64_t end = rows * (index + 1) / TERRAIN__MOST_TASKS;
    uint64_t at = rows * index / TERRAIN__MOST_TASKS;
    while (at < end) {
        const uint32_t number = (uint32_t)(at / height), y = (uint32_t)(at % height);
        const uint32_t count = end - at < height - y ? (uint32_t)(end - at) : height - y;
        stitch_blend_map(call, number % call->columns, number / call->columns, y, y + count);
        at += count;
    }
}

static terrain_status stitch_blend_run(terrain__call *call)
{
    stitch_blend_weigh(call);
    return terrain__commit(call, TERRAIN__MOST_TASKS, stitch_blend_maps);
}

const terrain_operation terrain__stitch_blend = {
    TERRAIN__IDENTITY(stitch, blend),
    .result_version = 1,
    .summary = "Blends maps that overlap, each giving way to the other across the overlap.",
    .reference = "",
    .arguments = {TERRAIN__CHANGE_GRID(maps)},
    .params_size = sizeof(stitch_blend_params),
    TERRAIN__PARAMETERS(stitch_blend_parameters),
    .job_size = sizeof(struct stitch_blend_job),
    .halo = terrain__global_halo,
    .prepare = stitch_blend_prepare,
    .run = stitch_blend_run,
};

TERRAIN__PUBLIC_STITCH(stitch_blend)
