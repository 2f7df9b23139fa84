/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze_distance: how far it is to the nearest cell in a range of heights.
 *
 * P. Felzenszwalb, D. Huttenlocher: Distance transforms of sampled functions, Theory of Computing
 * 8, 2012, for taking one axis after the other: first the distance within each column, then for
 * each row the least of columns[i] + (x - i)^2. What is nearest never lies farther left for a cell
 * farther right, which bounds what patches of cells have to look at, for all contents. Squares are
 * integers below 2^24, and exact in float. */

#include "analyze/distance_kernels.h"
#include "rows/rows.h"
#include "terrain/analyze.h"

typedef terrain_analyze_distance_params distance_params;

enum {
    DISTANCE_MOST_REACH = 4095, /* whose square is below 2^24 */
    DISTANCE_STRIP = 256,       /* columns that a task takes at least */
    DISTANCE_LINE = 32          /* steps in a cache line */
};

static const char *const distance_mode_names[] = {"length", "mask"};
static const char *const distance_mode_docs[] = {
    "in the unit of heights and of cell_size",
    "1 in the range, 0 at `reach`",
};

static const terrain_parameter distance_parameters[] = {
    TERRAIN__FLOAT(distance_params, low, "height", -TERRAIN__INFINITY, -TERRAIN__INFINITY,
                   TERRAIN__INFINITY,
                   "The lower end of the range of heights to which distances are measured."),
    TERRAIN__FLOAT(distance_params, high, "height", 0, -TERRAIN__INFINITY, TERRAIN__INFINITY,
                   "The upper end of the range."),
    TERRAIN__UINT32(distance_params, reach, "cells", 32, 1, DISTANCE_MOST_REACH,
                    "The largest distance: cells farther away count as this far."),
    TERRAIN__ENUM(
        distance_params, mode, TERRAIN_ANALYZE_DISTANCE_MODE_LENGTH, distance_mode,
        "What the result is: a length, or a mask that falls from 1 in the range to 0 at reach."),
};

struct distance_job {
    const struct distance_kernels *kernels;
    terrain__bands strips; /* of columns */
    uint16_t *steps;       /* of each cell: a row of reach, then the map's */
    size_t stride;
    float *squares; /* of -margin, and onwards */
    uint32_t margin;
    float *columns; /* for each task */
    size_t column_count;
    uint32_t *nearest; /* for each task */
    size_t nearest_count;
};

static const char *distance_check(const void *params)
{
    const distance_params *p = params;
    return p->low > p->high ? "low must not be above high" : NULL;
}

static terrain_status distance_prepare(terrain__call *call)
{
    const distance_params *p = call->params;
    struct distance_job *job = call->job;
    const uint32_t width = call->target.width;
    job->kernels = terrain__distance_kernels(call->isa);
    job->strips = terrain__bands_of(width, DISTANCE_STRIP);
    const uint32_t tasks = terrain__row_tasks(call->target.height);
    /* Whole lines, and one more: rows a power of two apart would share few sets of the cache. */
    job->stride =
        ((size_t)width + DISTANCE_LINE - 1) / DISTANCE_LINE * DISTANCE_LINE + DISTANCE_LINE;
    job->steps =
        terrain__scratch(call, (size_t)call->target.height + 1, job->stride * sizeof *job->steps);
    job->margin = p->reach + TERRAIN__DISTANCE_PAD;
    job->squares = terrain__scratch(call, 2 * (size_t)job->margin + 1, sizeof *job->squares);
    job->column_count = (size_t)width + TERRAIN__DISTANCE_PAD;
    job->columns = terrain__scratch(call, tasks * job->column_count, sizeof(float));
    job->nearest_count = (size_t)width / TERRAIN__DISTANCE_PATCH + 2;
    job->nearest = terrain__scratch(call, tasks * job->nearest_count, sizeof(uint32_t));
    for (uint32_t k = 0; job->squares != NULL && k <= 2 * job->margin; k++) {
        float away = (float)k - (float)job->margin;
        job->squares[k] = away * away;
    }
    terrain__expect_passes(call, 2);
    return TERRAIN_SUCCESS;
}

/* Steps along each column of a strip: downwards, then upwards. */
static void distance_strip(terrain__call *call, uint32_t index)
{
    const distance_params *p = call->params;
    const struct distance_job *job = call->job;
    const uint32_t begin = terrain__band_begin(&job->strips, index);
    const uint32_t width = terrain__band_end(&job->strips, index) - begin;
    const uint32_t height = call->target.height;
    uint16_t *steps = job->steps + begin;
    for (uint32_t x = 0; x < width; x++) {
        steps[x] = (uint16_t)p->reach;
    }
    for (uint32_t y = 0; y < height; y++, steps += job->stride) {
        job->kernels->down(steps + job->stride, steps,
                           call->map.cells + y * call->map.stride + begin, width, p->low, p->high,
                           p->reach);
    }
    for (uint32_t y = height - 1; y > 0; y--, steps -= job->stride) {
        job->kernels->up(steps - job->stride, steps, width);
    }
}

/* The nearest of the columns' distances, for each cell of a row. */
static void distance_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const distance_params *p = call->params;
    const struct distance_job *job = call->job;
    const bool mask = p->mode == TERRAIN_ANALYZE_DISTANCE_MODE_MASK;
    const struct distance_row row = {
        .steps = job->steps + ((size_t)y + 1) * job->stride,
        .columns = job->columns + task * job->column_count,
        .nearest = job->nearest + task * job->nearest_count,
        .squares = job->squares + job->margin,
        .width = call->target.width,
        .reach = p->reach,
        .mask = mask,
        .scale = mask ? 1 / (float)p->reach : call->cell_size,
    };
    job->kernels->across(terrain__target_row(call, y), &row);
}

static terrain_status distance_run(terrain__call *call)
{
    const struct distance_job *job = call->job;
    terrain_status status = terrain__run(call, job->strips.count, distance_strip);
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, distance_row) : status;
}

static uint32_t distance_halo(const void *params)
{
    const distance_params *p = params;
    return p->reach;
}

const terrain_operation terrain__analyze_distance = {
    TERRAIN__IDENTITY(analyze, distance),
    .result_version = 1,
    .summary = "How far it is to the nearest cell in a range of heights.",
    .reference = "Felzenszwalb and Huttenlocher, Theory of Computing 8, 2012",
    .arguments = {TERRAIN__READ(map), TERRAIN__WRITE(result)},
    .params_size = sizeof(distance_params),
    TERRAIN__PARAMETERS(distance_parameters),
    .job_size = sizeof(struct distance_job),
    .check = distance_check,
    .halo = distance_halo,
    .prepare = distance_prepare,
    .run = distance_run,
};

TERRAIN__PUBLIC_ANALYZE(analyze_distance)
