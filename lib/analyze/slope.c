/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze_slope: how steep each cell is.
 *
 * Berthold K. P. Horn: Hill Shading and the Reflectance Map. Proceedings of the IEEE 69 (1),
 * 1981. */

#include "analyze/slope_kernels.h"
#include "analyze/stencil.h"
#include "core/operation.h"
#include "terrain/analyze.h"

typedef terrain_analyze_slope_params slope_params;

static const char *const slope_unit_names[] = {"rise", "degrees"};
static const char *const slope_unit_docs[] = {
    "rise over run: 1 is 45 degrees",
    "0 to 90",
};

static const terrain_parameter slope_parameters[] = {
    TERRAIN__ENUM(slope_params, unit, TERRAIN_ANALYZE_SLOPE_UNIT_RISE, slope_unit,
                  "Rise over run, or the angle in degrees."),
};

static void slope_cells(const terrain__call *call, float *const *outputs,
                        const struct terrain__stencil *cells, size_t count, float scale)
{
    const slope_params *p = call->params;
    const struct slope_kernels *kernels = terrain__slope_kernels(call->isa);
    if (p->unit == TERRAIN_ANALYZE_SLOPE_UNIT_DEGREES) {
        kernels->degrees(outputs[0], cells, count, scale);
    } else {
        kernels->rise(outputs[0], cells, count, scale);
    }
}

static terrain_status slope_run(terrain__call *call)
{
    const terrain__plane planes[TERRAIN__STENCIL_OUTPUTS] = {call->target};
    return terrain__stencil_commit(call, planes, slope_cells);
}

const terrain_operation terrain__analyze_slope = {
    TERRAIN__IDENTITY(analyze, slope),
    .result_version = 1,
    .summary = "How steep each cell is: rise over run, or degrees.",
    .reference = "Horn, Hill Shading and the Reflectance Map, 1981",
    .arguments = {TERRAIN__READ(map), TERRAIN__WRITE(result)},
    .params_size = sizeof(slope_params),
    TERRAIN__PARAMETERS(slope_parameters),
    .halo = terrain__stencil_halo,
    .run = slope_run,
};

TERRAIN__PUBLIC_ANALYZE(analyze_slope)
