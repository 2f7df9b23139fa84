/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/band_kernels.h"

#include "base/cache.h"
#include "vector/vec.h"

/* An infinite height at an infinite end makes one of the distances NaN, and no comparison with it
 * is true: it is inside. */
static inline vfloat band_at(vfloat h, const struct band_range *range)
{
    const vfloat one = vf_set(1), zero = vf_set(0);
    vfloat outside = vf_max(vf_set(range->low) - h, h - vf_set(range->high));
    vfloat t =
        vf_select(vf_less(outside, vf_set(range->falloff)), outside * vf_set(range->inverse), one);
    t = vf_select(vf_less(zero, outside), t, zero);
    vfloat share = one - t * t * (vf_set(3) - vf_set(2) * t);
    share = vf_max(share, zero); /* t may be a unit above 1 */
    return vf_select(vf_less_equal(h, h), share, h);
}

/* The last vector of a row ends with the row, and is read before the row may be overwritten. */
static void band_row(float *target, const float *source, uint32_t width,
                     const struct band_range *range, const float *soon)
{
    enum { LINE = 64 / sizeof(float) };
    const struct band_range r = *range;
    uint32_t i = 0;
    if (width < VEC_LANES) {
        vf_store_first(target, band_at(vf_load_first(source, width), &r), width);
        return;
    }
    vfloat last = band_at(vf_load(source + width - VEC_LANES), &r);
    for (; i + LINE <= width; i += LINE) {
        terrain__prefetch_far(soon + i, LINE * sizeof *soon);
        for (uint32_t k = i; k < i + LINE; k += VEC_LANES) {
            vf_store(target + k, band_at(vf_load(source + k), &r));
        }
    }
    for (; i + VEC_LANES < width; i += VEC_LANES) {
        vf_store(target + i, band_at(vf_load(source + i), &r));
    }
    vf_store(target + width - VEC_LANES, last);
}

const struct band_kernels TERRAIN__KERNELS(band) = {band_row};
