/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_remap: maps one range of heights to another, linearly. */

#include <float.h>
#include <math.h>

#include "rows/rows.h"
#include "shape/remap_kernels.h"
#include "terrain/shape.h"

typedef terrain_shape_remap_params remap_params;

static const char *const remap_mode_names[] = {"given", "found"};
static const char *const remap_mode_docs[] = {
    "from_low and from_high",
    "the finite minimum and maximum of the map",
};

static const terrain_parameter remap_parameters[] = {
    TERRAIN__FLOAT(remap_params, from_low, "height", 0, -1e30, 1e30,
                   "The height that becomes to_low.",
                   TERRAIN__WHEN(mode, 1u << TERRAIN_SHAPE_REMAP_MODE_GIVEN)),
    TERRAIN__FLOAT(remap_params, from_high, "height", 1, -1e30, 1e30,
                   "The height that becomes to_high.",
                   TERRAIN__WHEN(mode, 1u << TERRAIN_SHAPE_REMAP_MODE_GIVEN)),
    TERRAIN__FLOAT(remap_params, to_low, "height", 0, -1e30, 1e30, "What from_low becomes."),
    TERRAIN__FLOAT(remap_params, to_high, "height", 1, -1e30, 1e30, "What from_high becomes."),
    TERRAIN__ENUM(
        remap_params, mode, TERRAIN_SHAPE_REMAP_MODE_GIVEN, remap_mode,
        "Where the source range comes from: from_low and from_high, or the map's own range."),
    TERRAIN__BOOL(remap_params, clamp, 0, "Whether to clamp the result to the target range."),
    TERRAIN__MASK(remap_params),
};

/* What the bands find and use. */
typedef struct remap_job {
    float minimum[TERRAIN__MOST_TASKS];
    float maximum[TERRAIN__MOST_TASKS];
    struct remap_line line;
} remap_job;

static const char *remap_check(const void *params)
{
    const remap_params *p = params;
    bool empty = p->mode == TERRAIN_SHAPE_REMAP_MODE_GIVEN && p->from_low == p->from_high;
    return empty ? "from_low and from_high must differ" : NULL;
}

static uint32_t remap_halo(const void *params)
{
    const remap_params *p = params;
    return p->mode == TERRAIN_SHAPE_REMAP_MODE_FOUND ? TERRAIN__GLOBAL : 0;
}

static const char *remap_endless(const void *params)
{
    const remap_params *p = params;
    return p->mode == TERRAIN_SHAPE_REMAP_MODE_FOUND
               ? "mode must be given: the map's own range is not known"
               : NULL;
}

static void remap_find_band(terrain__call *call, uint32_t index)
{
    const struct remap_kernels *kernels = terrain__remap_kernels(call->isa);
    remap_job *job = call->job;
    terrain__bands bands = terrain__bands_of(call->map.height, 1);
    uint32_t begin = terrain__band_begin(&bands, index);
    kernels->range(call->map.cells + begin * call->map.stride, call->map.stride, call->map.width,
                   terrain__band_end(&bands, index) - begin, &job->minimum[index],
                   &job->maximum[index]);
}

/* The map's finite range; [0, 0] where it has no finite cell. */
static terrain_status remap_find(terrain__call *call, float *low, float *high)
{
    remap_job *job = call->job;
    uint32_t count = terrain__bands_of(call->map.height, 1).count;
    terrain_status status = terrain__run(call, count, remap_find_band);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    float minimum = job->minimum[0], maximum = job->maximum[0];
    for (uint32_t i = 1; i < count; i++) {
        minimum = job->minimum[i] < minimum ? job->minimum[i] : minimum;
        maximum = job->maximum[i] > maximum ? job->maximum[i] : maximum;
    }
    /* Adding 0 drops the sign of a zero, which depends on the order of the search. */
    *low = minimum <= maximum ? minimum + 0.0f : 0.0f;
    *high = minimum <= maximum ? maximum + 0.0f : 0.0f;
    return TERRAIN_SUCCESS;
}

/* The scale is the quotient rounded to float, then, while from_high falls short of to_high, moved
 * away from zero by a unit or two in the last place, so that a cut to the range hits both ends
 * exactly. One step nearly always does; the bound of 8 is for denormal scales. */
static struct remap_line remap_line_through(float from_low, float from_high, float to_low,
                                            float to_high, bool clamp)
{
    const double most = (double)FLT_MAX;
    double quotient = ((double)to_high - (double)to_low) / ((double)from_high - (double)from_low);
    quotient = from_low == from_high ? 0 : quotient;
    quotient = quotient > most ? most : quotient < -most ? -most : quotient;
    float scale = (float)quotient;
    for (int i = 0; i < 8; i++) {
        float end = to_low + (from_high - from_low) * scale;
        bool short_of = to_low < to_high ? end < to_high : end > to_high;
        float next = scale * (1 + FLT_EPSILON);
        if (!short_of || !(next >= -FLT_MAX && next <= FLT_MAX)) {
            break;
        }
        scale = next;
    }
    struct remap_line line = {from_low, scale, to_low, -INFINITY, INFINITY};
    if (clamp) {
        line.low = to_low < to_high ? to_low : to_high;
        line.high = to_low < to_high ? to_high : to_low;
    }
    return line;
}

static void remap_commit_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const remap_job *job = call->job;
    const float *source = terrain__map_row(call, y);
    const float *soon = source + (y + 1 < call->map.height ? call->map.stride : 0);
    (void)task;
    terrain__remap_kernels(call->isa)->row(terrain__target_row(call, y), source, call->target.width,
                                           &job->line, soon);
}

static terrain_status remap_prepare(terrain__call *call)
{
    const remap_params *p = call->params;
    terrain__expect_passes(call, p->mode == TERRAIN_SHAPE_REMAP_MODE_FOUND ? 2 : 1);
    return TERRAIN_SUCCESS;
}

static terrain_status remap_run(terrain__call *call)
{
    const remap_params *p = call->params;
    remap_job *job = call->job;
    float low = p->from_low, high = p->from_high;
    bool found = p->mode == TERRAIN_SHAPE_REMAP_MODE_FOUND;
    if (found) {
        terrain_status status = remap_find(call, &low, &high);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    job->line = remap_line_through(low, high, p->to_low, p->to_high, found || p->clamp);
    return terrain__commit_rows(call, remap_commit_row);
}

const terrain_operation terrain__shape_remap = {
    TERRAIN__IDENTITY(shape, remap),
    .result_version = 1,
    .summary = "Maps one range of heights to another, linearly.",
    .reference = "",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(remap_params),
    TERRAIN__PARAMETERS(remap_parameters),
    .job_size = sizeof(remap_job),
    .check = remap_check,
    .halo = remap_halo,
    .endless = remap_endless,
    .prepare = remap_prepare,
    .run = remap_run,
};

TERRAIN__PUBLIC_CHANGE(shape_remap)
