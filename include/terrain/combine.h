/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* combine: two maps into one. */

#ifndef TERRAIN_COMBINE_H
#define TERRAIN_COMBINE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- combine_blend ------------------------------------------------------------------------- */

/** What two heights, a of the map and b of the other, become. */
typedef uint32_t terrain_combine_blend_mode;
enum {
    /** a + b */
    TERRAIN_COMBINE_BLEND_MODE_ADD = 0,
    /** a - b */
    TERRAIN_COMBINE_BLEND_MODE_SUBTRACT = 1,
    /** a * b */
    TERRAIN_COMBINE_BLEND_MODE_MULTIPLY = 2,
    /** b; a weight below 1 interpolates between a and b */
    TERRAIN_COMBINE_BLEND_MODE_LERP = 3,
    /** the lower of a and b */
    TERRAIN_COMBINE_BLEND_MODE_MINIMUM = 4,
    /** the higher of a and b */
    TERRAIN_COMBINE_BLEND_MODE_MAXIMUM = 5,
    /** min(a, b) - max(0, radius - |a - b|)^2 / (4 radius) */
    TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MINIMUM = 6,
    /** max(a, b) + max(0, radius - |a - b|)^2 / (4 radius) */
    TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MAXIMUM = 7
};

typedef struct terrain_combine_blend_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How much of the result is taken: 0 keeps the map, 1 takes all. 0 to 1; default 1. */
    float weight;
    /** Heights closer than this are blended smoothly, in the smooth modes. Height, 0 to 1e6;
     * default 8. */
    float radius;
    /** What the two heights become. Default LERP. */
    terrain_combine_blend_mode mode;
    /** Must be 0. */
    uint32_t reserved;
} terrain_combine_blend_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_combine_blend_params_init(terrain_combine_blend_params *params,
                                                             size_t size);

/** Blends another map into the map, cell by cell: adds, multiplies, takes the higher or the lower,
 * or lays `other` over the map through the mask (LERP).
 *
 * The smooth modes round the crease where the two surfaces meet. Where heights are farther apart
 * than radius the result is the lower (higher) one; where they are equal it is lowered (raised) by
 * radius / 4; and the slope has no step. The smooth modes are symmetric in both maps; radius 0
 * makes them MINIMUM and MAXIMUM.
 *
 * Reads `other`, which must have the map's size and origin; reads and writes `map`, in place;
 * pointwise; no borders. NaN in either gives NaN, but for LERP with weight 1, which takes b.
 * Infinity follows the arithmetic. Needs no memory without a mask. params may be NULL for the
 * defaults, which copy `other`. Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. a' = a + weight (f(a, b) - a), with the f of the mode, and a' = f(a, b) itself where
 * weight is 1. The mask then mixes a' with a in the same way. */
TERRAIN_API terrain_status terrain_combine_blend(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_heightmap *other,
                                                 const terrain_combine_blend_params *params);

#ifdef __cplusplus
}
#endif

#endif
