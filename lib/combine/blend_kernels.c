/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "combine/blend_kernels.h"

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

#define BLEND_ROW(name, blended)                                                                   \
    static void blend_##name(float *target, const float *map, const float *other, uint32_t width,  \
                             float weight, float radius)                                           \
    {                                                                                              \
        const float quarter = radius > 0 ? 0.25f / radius : 0;                                     \
        (void)quarter;                                                                             \
        TERRAIN__INDEPENDENT                                                                       \
        for (uint32_t i = 0; i < width; i++) {                                                     \
            float a = map[i], b = other[i];                                                        \
            target[i] = blend_mix(a, blended, weight);                                             \
        }                                                                                          \
    }

BLEND_ROW(add, a + b)
BLEND_ROW(subtract, a - b)
BLEND_ROW(multiply, a *b)
BLEND_ROW(lerp, b)
BLEND_ROW(minimum, blend_least(a, b))
BLEND_ROW(maximum, blend_greatest(a, b))
BLEND_ROW(smooth_minimum, blend_least(a, b) - blend_rounding(a, b, radius, quarter))
BLEND_ROW(smooth_maximum, blend_greatest(a, b) + blend_rounding(a, b, radius, quarter))

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
