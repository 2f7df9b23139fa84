/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape: changes heights cell by cell, or the grid that they lie on. */

#ifndef TERRAIN_SHAPE_H
#define TERRAIN_SHAPE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shape_clamp --------------------------------------------------------------------------- */

typedef struct terrain_shape_clamp_params {
    uint32_t struct_size;
    uint32_t flags;
    const terrain_heightmap *mask; /* where to apply; NULL: everywhere */
    TERRAIN_POINTER_PAD(mask_pad)
    float minimum; /* height; default -infinity */
    float maximum; /* height; default +infinity; at least minimum */
} terrain_shape_clamp_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_clamp_params_init(terrain_shape_clamp_params *params,
                                                           size_t size);

/* Cuts heights to [minimum, maximum]: h' = min(max(h, minimum), maximum).
 *
 * Reads and writes `map`, in place; pointwise; no borders. NaN stays NaN. Needs no memory without a
 * mask. params may be NULL for the defaults, which change nothing.
 * Errors: those of terrain_operation_apply; RANGE if minimum is above maximum. Since 0.1. */
TERRAIN_API terrain_status terrain_shape_clamp(terrain_context *context, terrain_heightmap *map,
                                               const terrain_shape_clamp_params *params);

#ifdef __cplusplus
}
#endif

#endif
