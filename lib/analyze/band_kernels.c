/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/band_kernels.h"

/* An infinite height at an infinite end makes one of the distances NaN, and no comparison with it
 * is true: it is inside. */
static void band_row(float *target, const float *source, uint32_t width,
                     const struct band_range *range)
{
    const struct band_range r = *range;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float h = source[i];
        float below = r.low - h;
        float above = h - r.high;
        float outside = below > above ? below : above;
        float t = outside * r.inverse;
        float share;
        t = outside < r.falloff ? t : 1;
        t = outside > 0 ? t : 0;
        share = 1 - t * t * (3 - 2 * t);
        share = share > 0 ? share : 0; /* t may be a unit above 1 */
        target[i] = h == h ? share : h;
    }
}

const struct band_kernels TERRAIN__KERNELS(band) = {band_row};
