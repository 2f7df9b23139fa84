/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_clamp: cuts heights to a range. */

#include "core/operation.h"
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

static void clamp_band(terrain__call *call, uint32_t index)
{
    const clamp_params *p = call->params;
    const struct clamp_kernels *kernels = terrain__clamp_kernels(call->isa);
    terrain__bands bands = terrain__bands_of(call->target.height, 1);
    uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        kernels->row(call->target.cells + y * call->target.stride,
                     call->map.cells + y * call->map.stride, call->target.width, p->low, p->high);
    }
}

static terrain_status clamp_run(terrain__call *call)
{
    return terrain__commit(call, terrain__bands_of(call->target.height, 1).count, clamp_band);
}

const terrain_operation terrain__shape_clamp = {
    TERRAIN__IDENTITY(shape, clamp),
    .result_version = 1,
    .summary = "Cuts heights to a range.",
    .reference = "",
    .signature = TERRAIN_SIGNATURE_IN_PLACE,
    .params_size = sizeof(clamp_params),
    TERRAIN__PARAMETERS(clamp_parameters),
    .check = clamp_check,
    .run = clamp_run,
};

terrain_status terrain_shape_clamp_params_init(terrain_shape_clamp_params *params, size_t size)
{
    return terrain_operation_params_init(&terrain__shape_clamp, params, size);
}

terrain_status terrain_shape_clamp(terrain_context *context, terrain_heightmap *map,
                                   const terrain_shape_clamp_params *params)
{
    return terrain__apply(context, &terrain__shape_clamp, map, NULL, 0, params);
}
