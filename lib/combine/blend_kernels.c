/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "combine/blend_kernels.h"

#include "terrain/combine.h"

/* At weight 1 the blended height itself: the sum below would round it, and make NaN of infinity. */
static inline float blend_mix(float a, float blended, float weight)
{
    float mixed = a + (blended - a) * weight;
    return weight == 1 ? blended : mixed;
}

/* NaN if either is NaN. */
static inline float blend_least(float a, float b)
{
    float least = a < b ? a : b;
    return a != a ? a : least;
}

static inline float blend_greatest(float a, float b)
{
    float greatest = a > b ? a : b;
    return a != a ? a : greatest;
}

/* How much the smooth minimum lies below the minimum: (radius - |a - b|)^2 / (4 radius) where the
 * two are closer than radius; `quarter` is 1 / (4 radius), 0 for radius 0. */
static inline float blend_rounding(float a, float b, float radius, float quarter)
{
    float apart = a - b;
    apart = apart < 0 ? -apart : apart;
    float overlap = radius - apart;
    overlap = overlap > 0 ? overlap : 0;
    return overlap * overlap * quarter;
}

/* The mode is a constant where this is called: one loop of each, without a branch. */
TERRAIN__INLINE float blend_two(terrain_combine_blend_mode mode, float a, float b, float radius,
                                float quarter)
{
    switch (mode) {
    case TERRAIN_COMBINE_BLEND_MODE_ADD:
        return a + b;
    case TERRAIN_COMBINE_BLEND_MODE_SUBTRACT:
        return a - b;
    case TERRAIN_COMBINE_BLEND_MODE_MULTIPLY:
        return a * b;
    case TERRAIN_COMBINE_BLEND_MODE_MINIMUM:
        return blend_least(a, b);
    case TERRAIN_COMBINE_BLEND_MODE_MAXIMUM:
        return blend_greatest(a, b);
    case TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MINIMUM:
        return blend_least(a, b) - blend_rounding(a, b, radius, quarter);
    case TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MAXIMUM:
        return blend_greatest(a, b) + blend_rounding(a, b, radius, quarter);
    default: /* lerp */
        return b;
    }
}

TERRAIN__INLINE void blend_row(terrain_combine_blend_mode mode, float *target, const float *map,
                               const float *other, uint32_t width, float weight, float radius)
{
    const float quarter = radius > 0 ? 0.25f / radius : 0;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        target[i] = blend_mix(map[i], blend_two(mode, map[i], other[i], radius, quarter), weight);
    }
}

#define BLEND_ROW(name, mode)                                                                      \
    static void blend_##name(float *target, const float *map, const float *other, uint32_t width,  \
                             float weight, float radius)                                           \
    {                                                                                              \
        blend_row(TERRAIN_COMBINE_BLEND_MODE_##mode, target, map, other, width, weight, radius);   \
    }

BLEND_ROW(add, ADD)
BLEND_ROW(subtract, SUBTRACT)
BLEND_ROW(multiply, MULTIPLY)
BLEND_ROW(lerp, LERP)
BLEND_ROW(minimum, MINIMUM)
BLEND_ROW(maximum, MAXIMUM)
BLEND_ROW(smooth_minimum, SMOOTH_MINIMUM)
BLEND_ROW(smooth_maximum, SMOOTH_MAXIMUM)

const struct blend_kernels TERRAIN__KERNELS(blend) = {{
    blend_add,
    blend_subtract,
    blend_multiply,
    blend_lerp,
    blend_minimum,
    blend_maximum,
    blend_smooth_minimum,
    blend_smooth_maximum,
}};
