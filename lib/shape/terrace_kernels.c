/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "shape/terrace_kernels.h"

#include "base/math.h"

enum { TERRACE_BLOCK = 256 };

/* above[i] = how far cell i lies above the lowest level, modulo the total if the steps are
 * endless. */
static void terrace_place(double *above, const float *source, uint32_t count,
                          const struct terrace_steps *steps)
{
    double origin = steps->origin;
    double total = steps->endless ? steps->total : 0;
    double inverse = steps->inverse_total;
    for (uint32_t i = 0; i < count; i++) {
        double a = (double)source[i] - origin;
        above[i] = a - terrain__floor(a * inverse) * total;
    }
}

/* foot[i], rise[i] of the step that cell i lies on. */
static void terrace_find(double *foot, double *rise, const double *above, uint32_t count,
                         const struct terrace_steps *steps)
{
    for (uint32_t i = 0; i < count; i++) {
        foot[i] = 0;
        rise[i] = steps->rise[0];
    }
    for (uint32_t k = 1; k < steps->count; k++) {
        double f = steps->foot[k];
        double r = steps->rise[k];
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < count; i++) {
            foot[i] = above[i] >= f ? f : foot[i];
            rise[i] = above[i] >= f ? r : rise[i];
        }
    }
}

static void terrace_row(float *target, const float *source, uint32_t width,
                        const struct terrace_steps *steps)
{
    double above[TERRACE_BLOCK];
    double foot[TERRACE_BLOCK];
    double rise[TERRACE_BLOCK];
    double slope = steps->slope;
    for (uint32_t begin = 0; begin < width; begin += TERRACE_BLOCK) {
        uint32_t count = width - begin < TERRACE_BLOCK ? width - begin : TERRACE_BLOCK;
        terrace_place(above, source + begin, count, steps);
        terrace_find(foot, rise, above, count, steps);
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < count; i++) {
            double h = (double)source[begin + i];
            double u = (above[i] - foot[i]) / rise[i];
            u = u < 0 ? 0 : u;
            u = u > 1 ? 1 : u;
            double v = u < 0.5 ? 2 * u : 2 - 2 * u;
            double b = 0.5 * (slope * v / (1 + (slope - 1) * v));
            double change = rise[i] * ((u < 0.5 ? b : 1 - b) - u);
            /* NaN where h is infinite. */
            target[begin + i] = (float)(h + (change == change ? change : 0));
        }
    }
}

const struct terrace_kernels TERRAIN__KERNELS(terrace) = {terrace_row};
