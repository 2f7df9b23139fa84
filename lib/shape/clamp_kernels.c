/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "shape/clamp_kernels.h"

/* Both comparisons are false for NaN, which therefore stays. */
static void clamp_row(float *target, const float *source, uint32_t width, float low, float high)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float h = source[i];
        h = h < low ? low : h;
        target[i] = h > high ? high : h;
    }
}

const struct clamp_kernels TERRAIN__KERNELS(clamp) = {clamp_row};
