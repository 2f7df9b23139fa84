/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_clamp: cuts heights to a range. */

#include "rows/rows.h"
#include "shape/clamp_kernels.h"
#include "terrain/shape.h"

typedef terrain_shape_clamp_params clamp_params;

static const terrain_parameter clamp_parameters[] = {
    TERRAIN__FLOAT(clamp_params, low, "height", -TERRAIN__INFINITY, -TERRAIN__INFINITY,
                   TERRAIN__INFINITY, "Lower heights become this."),
    TERRAIN__FLOAT(clamp_params, high, "height", TERRAIN__INFINITY, -TERRAIN__INFINITY,
                   TERRAIN__INFINITY, "Higher heights become this."),
    TERRAIN__MASK(clamp_params),
};

static const char *clamp_check(const void *params)
{
    const clamp_params *p = params;
    return p->low > p->high ? "low must not be above high" : NULL;
}

static void clamp_commit_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const clamp_params *p = call->params;
    (void)task;
    terrain__clamp_kernels(call->isa)->row(terrain__target_row(call, y), terrain__map_row(call, y),
                                           call->target.width, p->low, p->high);
}

static terrain_status clamp_run(terrain__call *call)
{
    return terrain__commit_rows(call, clamp_commit_row);
}

const terrain_operation terrain__shape_clamp = {
    TERRAIN__IDENTITY(shape, clamp),
    .result_version = 1,
    .summary = "Cuts heights to a range.",
    .reference = "",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(clamp_params),
    TERRAIN__PARAMETERS(clamp_parameters),
    .check = clamp_check,
    .run = clamp_run,
};

TERRAIN__PUBLIC_CHANGE(shape_clamp)
