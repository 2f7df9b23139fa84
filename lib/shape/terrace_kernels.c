/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "shape/terrace_kernels.h"

#include <math.h>

#include "base/cache.h"
#include "base/math.h"

enum { TERRACE_PATCH = 128 };

/* How far the curve moves what lies at `above`; 0 for what lies on no step, and for NaN. */
static inline double terrace_change(double above, double foot, double rise, double inverse,
                                    double slope)
{
    double u = (above - foot) * inverse, below = 1 - u;
    double half = u < below ? u : below; /* the way from the nearer level */
    double side = u < below ? rise : -rise;
    half = half > 0 ? half : 0;
    return side * (slope * half * terrain__inverse(1 + (slope - 1) * (2 * half)) - half);
}

/* With d the way from the nearest level, a height becomes
 *
 *     level + d slope / (slope + bend (rise / 2 - |d|))
 *
 * In float, since d is within one step: what is rounded are parts of the rise, and only beyond 4096
 * steps the level as well, by half a unit in the last place. The result has the level with those
 * roundings that d has, so that a greater height doesn't become the lesser one. */
TERRAIN__INLINE void terrace_endless(float *target, const float *source, uint32_t count,
                                     const struct terrace_endless *step)
{
    const struct terrace_endless own = *step;
    const float half = 0.5f * own.rise;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        const float h = source[i];
        const float k = ((h - own.lift) * own.inverse_rise + 0x1.8p23f) - 0x1.8p23f;
        const float level_high = k * own.rise_high, level_low = k * own.rise_low + own.lift;
        float d = (h - level_high) - level_low;
        d = d < half ? d : half;
        d = d > -half ? d : -half;
        const float steepness = own.slope / (own.slope + own.bend * (half - fabsf(d)));
        const float terraced = (d * steepness + level_low) + level_high;
        target[i] = fabsf(h) < own.far ? terraced : h;
    }
}

/* foot[i], rise[i] and 1 / rise of the step that cell i lies on. */
static void terrace_find(double *restrict foot, double *restrict rise, double *restrict inverse,
                         const double *restrict above, uint32_t count,
                         const struct terrace_steps *steps)
{
    for (uint32_t i = 0; i < count; i++) {
        foot[i] = 0;
        rise[i] = steps->rise[0];
        inverse[i] = steps->inverse_rise[0];
    }
    for (uint32_t k = 1; k < steps->count; k++) {
        double f = steps->foot[k];
        double r = steps->rise[k], n = steps->inverse_rise[k];
        for (uint32_t i = 0; i < count; i++) {
            foot[i] = above[i] >= f ? f : foot[i];
            rise[i] = above[i] >= f ? r : rise[i];
            inverse[i] = above[i] >= f ? n : inverse[i];
        }
    }
}

static void terrace_between(float *target, const float *source, uint32_t count,
                            const struct terrace_steps *steps)
{
    double above[TERRACE_PATCH], foot[TERRACE_PATCH], rise[TERRACE_PATCH], inverse[TERRACE_PATCH];
    const double slope = steps->slope;
    for (uint32_t i = 0; i < count; i++) {
        above[i] = (double)source[i] - steps->origin;
    }
    terrace_find(foot, rise, inverse, above, count, steps);
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        double change = terrace_change(above[i], foot[i], rise[i], inverse[i], slope);
        target[i] = (float)((double)source[i] + change);
    }
}

static void terrace_row(const struct terrace_row *row, uint32_t width,
                        const struct terrace_steps *steps)
{
    const struct terrace_row own = *row;
    for (uint32_t begin = 0; begin < width; begin += TERRACE_PATCH) {
        const uint32_t count = width - begin < TERRACE_PATCH ? width - begin : TERRACE_PATCH;
        if (own.soon != NULL) {
            terrain__prefetch(own.soon + begin, count * sizeof *own.soon);
        }
        if (steps->is_endless) {
            terrace_endless(own.target + begin, own.source + begin, count, &steps->endless);
        } else {
            terrace_between(own.target + begin, own.source + begin, count, steps);
        }
    }
}

const struct terrace_kernels TERRAIN__KERNELS(terrace) = {terrace_row};
