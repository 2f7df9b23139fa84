/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <float.h>

#include "shape/remap_kernels.h"
#include "vector/vec.h"

/* The comparisons are false for NaN, which therefore stays. */
static void remap_row(float *target, const float *source, uint32_t width,
                      const struct remap_line *line)
{
    const struct remap_line to = *line;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float h = to.base + (source[i] - to.from) * to.scale;
        h = h < to.minimum ? to.minimum : h;
        target[i] = h > to.maximum ? to.maximum : h;
    }
}

struct remap_extremes {
    vfloat low, high;
};

static inline void remap_include(struct remap_extremes *extremes, vfloat h)
{
    vmask finite = vf_less_equal(vf_abs(h), vf_set(FLT_MAX));
    extremes->low = vf_min(vf_select(finite, h, extremes->low), extremes->low);
    extremes->high = vf_max(vf_select(finite, h, extremes->high), extremes->high);
}

/* Minimum and maximum don't depend on the order, but for the sign of zero, which the caller drops.
 * Vectors by hand, since the compiler does not reorder a reduction over floats; four accumulators
 * hide the latency of the comparisons. The last vector of a row ends with the row and does some
 * cells again; rows shorter than a vector go cell by cell. */
static void remap_range(const float *source, size_t stride, uint32_t width, uint32_t height,
                        float *minimum, float *maximum)
{
    enum { UNROLL = 4, STEP = UNROLL * VEC_LANES };
    struct remap_extremes all[UNROLL];
    float lows[VEC_LANES], highs[VEC_LANES];
    for (int k = 0; k < UNROLL; k++) {
        all[k].low = vf_set(FLT_MAX);
        all[k].high = vf_set(-FLT_MAX);
    }
    for (uint32_t y = 0; y < height; y++, source += stride) {
        size_t i = 0;
        for (; i + STEP <= width; i += STEP) {
            for (int k = 0; k < UNROLL; k++) {
                remap_include(&all[k], vf_load(source + i + (size_t)k * VEC_LANES));
            }
        }
        for (; i + VEC_LANES <= width; i += VEC_LANES) {
            remap_include(&all[0], vf_load(source + i));
        }
        if (i < width && width >= VEC_LANES) {
            remap_include(&all[0], vf_load(source + width - VEC_LANES));
        }
        for (; i < width && width < VEC_LANES; i++) {
            remap_include(&all[0], vf_set(source[i]));
        }
    }
    for (int k = 1; k < UNROLL; k++) {
        all[0].low = vf_min(all[k].low, all[0].low);
        all[0].high = vf_max(all[k].high, all[0].high);
    }
    vf_store(lows, all[0].low);
    vf_store(highs, all[0].high);
    *minimum = lows[0];
    *maximum = highs[0];
    for (int k = 1; k < VEC_LANES; k++) {
        *minimum = lows[k] < *minimum ? lows[k] : *minimum;
        *maximum = highs[k] > *maximum ? highs[k] : *maximum;
    }
}

const struct remap_kernels TERRAIN__KERNELS(remap) = {remap_row, remap_range};
