/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* combine_blend: two maps into one, cell by cell. */

#include "combine/blend_kernels.h"
#include "rows/rows.h"
#include "terrain/combine.h"

typedef terrain_combine_blend_params blend_params;

static const char *const blend_mode_names[] = {
    "add",     "subtract", "multiply",       "lerp",
    "minimum", "maximum",  "smooth_minimum", "smooth_maximum"};
static const char *const blend_mode_docs[] = {
    "a + b",
    "a - b",
    "a * b",
    "b; a weight below 1 interpolates between a and b",
    "the lower of a and b",
    "the higher of a and b",
    "min(a, b) - max(0, radius - |a - b|)^2 / (4 radius)",
    "max(a, b) + max(0, radius - |a - b|)^2 / (4 radius)",
};

static const terrain_parameter blend_parameters[] = {
    TERRAIN__ENUM(blend_params, mode, TERRAIN_COMBINE_BLEND_MODE_LERP, blend_mode,
                  "What the two heights become."),
    TERRAIN__FLOAT(blend_params, weight, "", 1, 0, 1,
                   "How much of the result is taken: 0 keeps the map, 1 takes all."),
    TERRAIN__FLOAT(blend_params, radius, "height", 8, 0, 1e6,
                   "Heights closer than this are blended smoothly, in the smooth modes.",
                   TERRAIN__WHEN(mode, 1u << TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MINIMUM |
                                           1u << TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MAXIMUM)),
    TERRAIN__MASK(blend_params),
};

static void blend_commit_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const blend_params *p = call->params;
    (void)task;
    terrain__blend_kernels(call->isa)->rows[p->mode](
        terrain__target_row(call, y), terrain__map_row(call, y), terrain__view_row(&call->other, y),
        call->target.width, p->weight, p->radius);
}

static terrain_status blend_run(terrain__call *call)
{
    return terrain__commit_rows(call, blend_commit_row);
}

const terrain_operation terrain__combine_blend = {
    TERRAIN__IDENTITY(combine, blend),
    .result_version = 1,
    .summary = "Blends another map into the map, cell by cell.",
    .reference = "",
    .arguments = {TERRAIN__CHANGE(map), TERRAIN__READ(other)},
    .params_size = sizeof(blend_params),
    TERRAIN__PARAMETERS(blend_parameters),
    .run = blend_run,
};

TERRAIN__PUBLIC_COMBINE(combine_blend)
