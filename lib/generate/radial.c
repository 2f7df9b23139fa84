/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_radial: one hill around a place of the world, for islands and masks. */

#include "base/math.h"
#include "core/choices.h"
#include "generate/radial_kernels.h"
#include "rows/rows.h"
#include "terrain/generate.h"

typedef terrain_generate_radial_params radial_params;

/* Rows are done in pieces, and farther than RADIAL_FAR from the centre one place is like another:
 * twice the greatest radius is 2^25. */
#define RADIAL_PIECE 65536u
#define RADIAL_FAR (INT64_C(1) << 29)

static const char *const radial_curve_names[] = {"linear", "smooth", "parabola", "dome"};
static const char *const radial_curve_docs[] = {
    "t: a cone",
    "t^2 (3 - 2 t): level at the foot and at the top",
    "t (2 - t): round at the top, an edge at the foot",
    "sqrt(t (2 - t)): half a sphere, upright at the foot",
};

static const terrain_parameter radial_parameters[] = {
    TERRAIN__INT64(radial_params, centre_x, "cells", 256, -TERRAIN_WORLD_LIMIT, TERRAIN_WORLD_LIMIT,
                   "The middle of the hill in x, a world cell."),
    TERRAIN__INT64(radial_params, centre_y, "cells", 256, -TERRAIN_WORLD_LIMIT, TERRAIN_WORLD_LIMIT,
                   "The middle of the hill in y."),
    TERRAIN__FLOAT(radial_params, radius, "cells", 256, 1, 16777216,
                   "Where the hill ends: farther away it is as high as offset."),
    TERRAIN__FLOAT(radial_params, inner, "cells", 0, 0, 16777216,
                   "Radius of the flat top; must be below radius."),
    TERRAIN__ENUM_FIRST(
        radial_params, metric, TERRAIN_METRIC_EUCLIDEAN, 3, terrain__metric,
        "What the hill looks like from above: a circle, a square, a square on its corner."),
    TERRAIN__ENUM(radial_params, curve, TERRAIN_GENERATE_RADIAL_CURVE_SMOOTH, radial_curve,
                  "What it looks like from the side."),
    TERRAIN__FLOAT(radial_params, amplitude, "height", 96, -1e9, 1e9, "How high the hill is."),
    TERRAIN__FLOAT(radial_params, offset, "height", 0, -1e9, 1e9, "Added to every height."),
};

static const char *radial_check(const void *params)
{
    const radial_params *p = params;
    return p->inner < p->radius ? NULL : "inner must be below radius";
}

static terrain_status radial_prepare(terrain__call *call)
{
    terrain__commit_cost(call, 0.5);
    return TERRAIN_SUCCESS;
}

static int32_t radial_offset(int64_t place, int64_t centre)
{
    return (int32_t)terrain__difference_within(place, centre, RADIAL_FAR);
}

static void radial_commit_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const radial_params *p = call->params;
    const struct radial_profile profile = {
        .metric = p->metric,
        .curve = p->curve,
        .radius = p->radius,
        .rim = p->radius - p->inner,
        .amplitude = p->amplitude,
        .offset = p->offset,
    };
    const int32_t down = radial_offset(call->y + y, p->centre_y);
    float *to = terrain__target_row(call, y);
    uint32_t count;
    (void)task;
    for (uint32_t x = 0; x < call->target.width; x += count) {
        uint32_t left = call->target.width - x;
        count = left < RADIAL_PIECE ? left : RADIAL_PIECE;
        terrain__radial_kernels(call->isa)->row(
            to + x, count, radial_offset(call->x + x, p->centre_x), down, &profile);
    }
}

static terrain_status radial_run(terrain__call *call)
{
    return terrain__commit_rows(call, radial_commit_row);
}

const terrain_operation terrain__generate_radial = {
    TERRAIN__IDENTITY(generate, radial),
    .result_version = 1,
    .summary = "One hill around a place of the world, for islands and masks.",
    .reference = "",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(radial_params),
    TERRAIN__PARAMETERS(radial_parameters),
    .check = radial_check,
    .prepare = radial_prepare,
    .run = radial_run,
};

TERRAIN__PUBLIC_CHANGE(generate_radial)
