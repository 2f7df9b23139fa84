/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_terrace: level treads and steep risers. The curve within a step is Schlick's gain ("Fast
 * alternatives to Perlin's bias and gain functions", 1994), by the slope at its ends. */

#include "base/cache.h"
#include "base/math.h"
#include "rows/rows.h"
#include "shape/terrace_kernels.h"
#include "terrain/shape.h"

typedef terrain_shape_terrace_params terrace_params;

static const terrain_parameter terrace_parameters[] = {
    TERRAIN__MASK(terrace_params),
    TERRAIN__FLOAT_ARRAY(
        terrace_params, levels, "height", TERRACE_MOST_LEVELS, -1e6, 1e6,
        "The heights of the treads, in rising order; without it, all multiples of spacing."),
    TERRAIN__FLOAT(terrace_params, spacing, "height", 12, 1e-3, 1e6,
                   "The height from tread to tread.", TERRAIN__WITHOUT(levels)),
    TERRAIN__FLOAT(terrace_params, offset, "height", 0, -1e6, 1e6,
                   "How much all treads are lifted."),
    TERRAIN__FLOAT(terrace_params, sharpness, "", 6, 1, 1000,
                   "How much steeper risers become, and how much flatter treads; 1: not at all."),
};

static const char *terrace_check(const void *params)
{
    const terrace_params *p = params;
    for (uint32_t i = 1; i < p->levels_count; i++) {
        if (!(p->levels[i - 1] < p->levels[i])) {
            return "levels must rise";
        }
    }
    return p->levels_count == 1 ? "levels must be two or more" : NULL;
}

/* Beyond 2^22 steps a float's last place is a quarter of a step or more. */
static void terrace_set_endless(struct terrace_endless *step, const terrace_params *p)
{
    const double rise = (double)p->spacing, offset = (double)p->offset;
    const double slope = 1 / (double)p->sharpness;
    step->rise = p->spacing;
    step->rise_high = terrain__upper_bits(rise);
    step->rise_low = (float)(rise - (double)step->rise_high);
    step->inverse_rise = (float)(1 / rise);
    step->lift = (float)(offset - terrain__floor(offset / rise + 0.5) * rise);
    step->slope = (float)slope;
    step->bend = (float)(2 * (1 - slope) / rise);
    step->far = slope < 1 ? (float)(rise * 0x1p22) : 0;
}

static void terrace_set_steps(struct terrace_steps *steps, const terrace_params *p)
{
    steps->is_endless = p->levels_count == 0;
    if (steps->is_endless) {
        terrace_set_endless(&steps->endless, p);
        return;
    }
    const double origin = (double)p->levels[0];
    steps->origin = origin + (double)p->offset;
    steps->slope = 1 / (double)p->sharpness;
    steps->count = p->levels_count - 1;
    for (uint32_t i = 0; i < steps->count; i++) {
        steps->foot[i] = (double)p->levels[i] - origin;
        steps->rise[i] = (double)p->levels[i + 1] - (double)p->levels[i];
        steps->inverse_rise[i] = 1 / steps->rise[i];
    }
}

static void terrace_commit_row(terrain__call *call, uint32_t task, uint32_t y)
{
    (void)task;
    /* Beyond a page the processor doesn't foresee what is needed. */
    const bool far = terrain__is_far(call->map.width, call->map.height);
    const struct terrace_row row = {
        .target = terrain__target_row(call, y),
        .source = terrain__map_row(call, y),
        .soon = far && y + 1 < call->map.height ? terrain__map_row(call, y + 1) : NULL,
    };
    terrain__terrace_kernels(call->isa)->row(&row, call->target.width, call->job);
}

static terrain_status terrace_prepare(terrain__call *call)
{
    terrace_set_steps(call->job, call->params);
    terrain__commit_cost(call, 0.3);
    return TERRAIN_SUCCESS;
}

static terrain_status terrace_run(terrain__call *call)
{
    return terrain__commit_rows(call, terrace_commit_row);
}

const terrain_operation terrain__shape_terrace = {
    TERRAIN__IDENTITY(shape, terrace),
    .result_version = 2,
    .summary = "Cuts terraces: level treads and steep risers.",
    .reference = "Schlick, Fast alternatives to Perlin's bias and gain functions, 1994",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(terrace_params),
    TERRAIN__PARAMETERS(terrace_parameters),
    .job_size = sizeof(struct terrace_steps),
    .check = terrace_check,
    .prepare = terrace_prepare,
    .run = terrace_run,
};

TERRAIN__PUBLIC_CHANGE(shape_terrace)
