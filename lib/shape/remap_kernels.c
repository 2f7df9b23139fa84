/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <float.h>
#include <stdbool.h>

#include "base/cache.h"
#include "shape/remap_kernels.h"
#include "vector/vec.h"

/* NaN stays: a minimum or maximum with NaN is its second operand. */
static inline vfloat remap_at(vfloat h, const struct remap_line *to)
{
    h = vf_set(to->base) + (h - vf_set(to->from)) * vf_set(to->scale);
    return vf_min(vf_set(to->high), vf_max(vf_set(to->low), h));
}

/* The last vector of a row ends with the row, and is read before the row may be overwritten. */
static void remap_row(float *target, const float *source, uint32_t width,
                      const struct remap_line *line, const float *soon)
{
    enum { LINE = 64 / sizeof(float) };
    const struct remap_line to = *line;
    uint32_t i = 0;
    if (width < VEC_LANES) {
        vf_store_first(target, remap_at(vf_load_first(source, width), &to), width);
        return;
    }
    vfloat last = remap_at(vf_load(source + width - VEC_LANES), &to);
    for (; i + LINE <= width; i += LINE) {
        terrain__prefetch(soon + i, LINE * sizeof *soon);
        for (uint32_t k = i; k < i + LINE; k += VEC_LANES) {
            vf_store(target + k, remap_at(vf_load(source + k), &to));
        }
    }
    for (; i + VEC_LANES < width; i += VEC_LANES) {
        vf_store(target + i, remap_at(vf_load(source + i), &to));
    }
    vf_store(target + width - VEC_LANES, last);
}

struct remap_extremes {
    vfloat low, high;
};

/* NaN changes nothing: see remap_at. */
static inline void remap_include(struct remap_extremes *extremes, vfloat h)
{
    extremes->low = vf_min(h, extremes->low);
    extremes->high = vf_max(h, extremes->high);
}

static inline void remap_include_finite(struct remap_extremes *extremes, vfloat h)
{
    vmask finite = vf_less_equal(vf_abs(h), vf_set(FLT_MAX));
    extremes->low = vf_min(vf_select(finite, h, extremes->low), extremes->low);
    extremes->high = vf_max(vf_select(finite, h, extremes->high), extremes->high);
}

/* Minimum and maximum don't depend on the order, but for the sign of zero, which the caller drops.
 * Vectors by hand, since the compiler does not reorder a reduction over floats; four accumulators
 * hide the latency of the comparisons. The last vector of a row ends with the row and does some
 * cells again; rows shorter than a vector go cell by cell. */
TERRAIN__INLINE struct remap_extremes remap_row_range(const float *source, uint32_t width,
                                                      const float *soon, bool finite)
{
    enum { UNROLL = 4, STEP = UNROLL * VEC_LANES };
    void (*const include)(struct remap_extremes *, vfloat) =
        finite ? remap_include_finite : remap_include;
    struct remap_extremes all[UNROLL];
    size_t i = 0;
    for (int k = 0; k < UNROLL; k++) {
        all[k] = (struct remap_extremes){vf_set(FLT_MAX), vf_set(-FLT_MAX)};
    }
    for (; i + STEP <= width; i += STEP) {
        terrain__prefetch(soon + i, STEP * sizeof *soon);
        for (int k = 0; k < UNROLL; k++) {
            include(&all[k], vf_load(source + i + (size_t)k * VEC_LANES));
        }
    }
    for (; i + VEC_LANES <= width; i += VEC_LANES) {
        include(&all[0], vf_load(source + i));
    }
    if (i < width && width >= VEC_LANES) {
        include(&all[0], vf_load(source + width - VEC_LANES));
    }
    for (; i < width && width < VEC_LANES; i++) {
        include(&all[0], vf_set(source[i]));
    }
    for (int k = 1; k < UNROLL; k++) {
        all[0].low = vf_min(all[k].low, all[0].low);
        all[0].high = vf_max(all[k].high, all[0].high);
    }
    return all[0];
}

/* A row with an infinite cell, which is rare, is read again. */
static void remap_range(const float *source, size_t stride, uint32_t width, uint32_t height,
                        float *minimum, float *maximum)
{
    struct remap_extremes all = {vf_set(FLT_MAX), vf_set(-FLT_MAX)};
    float lows[VEC_LANES], highs[VEC_LANES];
    for (uint32_t y = 0; y < height; y++, source += stride) {
        const float *soon = source + (y + 1 < height ? stride : 0);
        struct remap_extremes row = remap_row_range(source, width, soon, false);
        if (vm_bits(vf_less(vf_set(FLT_MAX), vf_max(row.high, -row.low))) != 0) {
            row = remap_row_range(source, width, soon, true);
        }
        all.low = vf_min(row.low, all.low);
        all.high = vf_max(row.high, all.high);
    }
    vf_store(lows, all.low);
    vf_store(highs, all.high);
    *minimum = lows[0];
    *maximum = highs[0];
    for (int k = 1; k < VEC_LANES; k++) {
        *minimum = lows[k] < *minimum ? lows[k] : *minimum;
        *maximum = highs[k] > *maximum ? highs[k] : *maximum;
    }
}

const struct remap_kernels TERRAIN__KERNELS(remap) = {remap_row, remap_range};
