/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze_normals: the direction in which each cell faces. */

#include <stddef.h>

#include "analyze/normals_kernels.h"
#include "analyze/stencil.h"
#include "core/operation.h"
#include "terrain/analyze.h"

typedef terrain_analyze_normals_params normals_params;

static const terrain_parameter normals_parameters[] = {
    TERRAIN__MAP_OUT(normals_params, normal_y, "Gets the component that points south."),
    TERRAIN__MAP_OUT(normals_params, normal_z, "Gets the component that points up."),
};

static void normals_cells(const terrain__call *call, float *const *outputs,
                          const struct terrain__stencil *cells, size_t count, float scale)
{
    terrain__normals_kernels(call->isa)->row(outputs, cells, count, scale);
}

static terrain_status normals_run(terrain__call *call)
{
    const terrain__plane planes[TERRAIN__STENCIL_OUTPUTS] = {
        call->target,
        terrain__output(call, offsetof(normals_params, normal_y)),
        terrain__output(call, offsetof(normals_params, normal_z)),
    };
    return terrain__stencil_commit(call, planes, normals_cells);
}

const terrain_operation terrain__analyze_normals = {
    TERRAIN__IDENTITY(analyze, normals),
    .result_version = 1,
    .summary = "The direction in which each cell faces, as three maps.",
    .reference = "Horn, Hill Shading and the Reflectance Map, 1981",
    .arguments = {TERRAIN__READ(map), TERRAIN__WRITE(result)},
    .params_size = sizeof(normals_params),
    TERRAIN__PARAMETERS(normals_parameters),
    .halo = terrain__stencil_halo,
    .run = normals_run,
};

TERRAIN__PUBLIC_ANALYZE(analyze_normals)
