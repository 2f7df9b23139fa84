/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "shape/terrace_kernels.h"

#include <math.h>

#include "base/math.h"

enum { TERRACE_BLOCK = 128 };

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

/* One step, which repeats above and below: d is the way from the nearest level, and the curve is
 * odd around it, d s / (1 + 2 (s - 1) |d / rise|) with s = 1 / sharpness. A height beyond 2^40
 * steps, or none, is so large that what is added doesn't show.
 *
 * In three short loops: a processor can't hold enough cells at once to hide the time from a height
 * to its result, if one stands after the other. */
static void terrace_endless(float *target, const float *source, uint32_t width,
                            const struct terrace_steps *steps)
{
    const double origin = steps->origin, rise = steps->rise[0], inverse = steps->inverse_rise[0];
    const double slope = steps->slope, bend = 2 * (slope - 1) * inverse;
    const float far = (float)(rise * 0x1p40);
    double d[TERRACE_BLOCK], divisor[TERRACE_BLOCK], quotient[TERRACE_BLOCK];
    for (uint32_t begin = 0; begin < width; begin += TERRACE_BLOCK) {
        const uint32_t count = width - begin < TERRACE_BLOCK ? width - begin : TERRACE_BLOCK;
        const float *from = source + begin;
        float *to = target + begin;
        for (uint32_t i = 0; i < count; i++) {
            float near = fabsf(from[i]) < far ? from[i] : 0;
            double above = (double)near - origin;
            double nearest = (above * inverse + 0x1.8p52) - 0x1.8p52;
            d[i] = above - nearest * rise;
        }
        for (uint32_t i = 0; i < count; i++) {
            divisor[i] = 1 + bend * fabs(d[i]);
            quotient[i] = (double)(1 / (float)divisor[i]);
        }
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < count; i++) {
            double r = quotient[i];
            double change = d[i] * (slope * (r * (2 - divisor[i] * r)) - 1);
            to[i] = (float)((double)from[i] + change);
        }
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

static void terrace_between(float *target, const float *source, uint32_t width,
                            const struct terrace_steps *steps)
{
    double above[TERRACE_BLOCK], foot[TERRACE_BLOCK], rise[TERRACE_BLOCK], inverse[TERRACE_BLOCK];
    const double slope = steps->slope;
    for (uint32_t begin = 0; begin < width; begin += TERRACE_BLOCK) {
        uint32_t count = width - begin < TERRACE_BLOCK ? width - begin : TERRACE_BLOCK;
        const float *from = source + begin;
        float *to = target + begin;
        for (uint32_t i = 0; i < count; i++) {
            above[i] = (double)from[i] - steps->origin;
        }
        terrace_find(foot, rise, inverse, above, count, steps);
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < count; i++) {
            double change = terrace_change(above[i], foot[i], rise[i], inverse[i], slope);
            to[i] = (float)((double)from[i] + change);
        }
    }
}

static void terrace_row(float *target, const float *source, uint32_t width,
                        const struct terrace_steps *steps)
{
    if (steps->endless) {
        terrace_endless(target, source, width, steps);
    } else {
        terrace_between(target, source, width, steps);
    }
}

const struct terrace_kernels TERRAIN__KERNELS(terrace) = {terrace_row};
