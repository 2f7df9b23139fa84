/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/variable_kernels.h"

#include <float.h>

#include "base/math.h"
#include "vector/vec.h"

static inline vfloat variable_radius(vfloat amount, bool noise, float low, float high)
{
    vfloat a = noise ? vf_abs(amount) : amount;
    a = vf_min(vf_max(a, vf_set(0)), vf_set(1)) * vf_set(high);
    return vf_max(a, vf_set(low));
}

static void variable_radii(float *radius, const float *amount, uint32_t width, bool noise,
                           float low, float high)
{
    uint32_t i = 0;
    for (; i + VEC_LANES <= width; i += VEC_LANES) {
        vf_store(radius + i, variable_radius(vf_load(amount + i), noise, low, high));
    }
    if (i < width) {
        vfloat rest = vf_load_first(amount + i, width - i);
        vf_store_first(radius + i, variable_radius(rest, noise, low, high), width - i);
    }
}

/* Cells within +-2^22, and 0 in place of those that are not finite; whether there are any. */
static bool variable_limit(float *heights, const float *row, uint32_t width)
{
    vint finite = vi_set(1);
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        vfloat h = vf_load_up_to(row + i, width - i);
        vmask fine = vf_less_equal(vf_abs(h), vf_set(FLT_MAX));
        finite = vi_select(fine, finite, vi_set(0));
        h = vf_select(fine, h, vf_set(0));
        vf_store(heights + i, vf_min(vf_max(h, vf_set(-0x1p22f)), vf_set(0x1p22f)));
    }
    return vi_least(finite) == 0;
}

/* Adding 1.5 * 2^26 leaves the nearest multiple of 2^-26 in the lower bits, halves to even. */
static inline vlong variable_units(const float *heights)
{
    vdouble v = vd_load_floats(heights) + vd_set(0x1.8p26);
    return vd_bits(v) - vl_set(UINT64_C(0x4198000000000000));
}

static bool variable_sum(uint64_t *sums, const uint64_t *above, const float *row, uint32_t width)
{
    float heights[VARIABLE_STRIDE + VEC_LANES];
    const bool odd = variable_limit(heights, row, width);
    vlong before = vl_set(0);
    *sums++ = 0;
    above++;
    for (uint32_t i = 0; i < width; i += VEC_LONGS) {
        vlong scan = vl_scan(variable_units(heights + i)), sum = before + scan;
        if (width - i >= VEC_LONGS) {
            vl_store(sums + i, sum + vl_load(above + i));
            before += vl_last(scan);
        } else {
            uint64_t parts[VEC_LONGS];
            vl_store(parts, sum);
            for (uint32_t k = 0; k < width - i; k++) {
                sums[i + k] = parts[k] + above[i + k];
            }
        }
    }
    return odd;
}

/* Cells at a time: what is the same for all of them goes through vectors. */
enum { VARIABLE_STRETCH = 64 };

struct variable_stretch {
    int32_t radius[VARIABLE_STRETCH]; /* rounded down, at most reach - 1 */
    float fraction[VARIABLE_STRETCH];
    double small[VARIABLE_STRETCH];  /* the mean over the window of that radius */
    double large[VARIABLE_STRETCH];  /* over that of the next */
    int32_t least[VARIABLE_STRETCH]; /* of VEC_LONGS radii */
    int32_t step[VARIABLE_STRETCH];  /* from it to the cell's own */
};

/* ---- Cells one by one ------------------------------------------------------------------------ */

static inline void variable_split_cells(struct variable_stretch *stretch, const float *radius,
                                        uint32_t begin, uint32_t end, int32_t most)
{
    for (uint32_t k = begin; k < end; k++) {
        int32_t r = (int32_t)radius[k];
        r = r < most ? r : most;
        stretch->radius[k] = r;
        stretch->fraction[k] = radius[k] - (float)r;
    }
}

/* The windows of cell k, whose sum is at `sums`. */
static inline void variable_look_up(struct variable_stretch *stretch, const uint64_t *sums,
                                    uint32_t k, const double *inverse)
{
    const ptrdiff_t down = VARIABLE_STRIDE + 1;
    const ptrdiff_t up = VARIABLE_STRIDE - 1;
    const ptrdiff_t r = stretch->radius[k];
    const uint64_t *a = sums + down + r * down;
    const uint64_t *b = sums - r * down;
    const uint64_t *c = sums + VARIABLE_STRIDE + r * up;
    const uint64_t *d = sums + 1 - r * up;
    const uint64_t small = (a[0] - c[0]) - (d[0] - b[0]);
    const uint64_t large = (a[down] - c[up]) - (*(d - up) - *(b - down));
    stretch->small[k] = (double)(int64_t)small * inverse[r];
    stretch->large[k] = (double)(int64_t)large * inverse[r + 1];
}

static inline void variable_mix_cells(float *target, const float *source, const float *radius,
                                      const struct variable_stretch *stretch, uint32_t begin,
                                      uint32_t end)
{
    for (uint32_t k = begin; k < end; k++) {
        double small = stretch->small[k], large = stretch->large[k];
        double mean = small + (double)stretch->fraction[k] * (large - small);
        target[k] = radius[k] > 0 ? (float)mean : source[k];
    }
}

/* ---- Cells side by side ---------------------------------------------------------------------- */

/* If more than one cell in so many is to be looked up by itself, all are: measured. */
enum { VARIABLE_STEEP = 3 };

/* Splits `count` cells, a multiple of VEC_LANES. Neighbours have much the same radius. So the sums
 * of VEC_LONGS cells are loaded side by side, for their least radius and the two after it; that
 * costs less than gathering them. Returns the cells for which they are not enough, as bits: those
 * whose radius is more than one above the least. */
static inline uint64_t variable_split(struct variable_stretch *stretch, const float *radius,
                                      uint32_t count, int32_t most)
{
    uint64_t far = 0;
    for (uint32_t k = 0; k < count; k += VEC_LANES) {
        vfloat exact = vf_load(radius + k);
        vint whole = vi_from_float(exact);
        vint r = vi_select(vi_less(whole, vi_set(most)), whole, vi_set(most));
        vint least = vi_least_beside(r);
        vint step = r - least;
        vi_store(stretch->radius + k, r);
        vi_store(stretch->least + k, least);
        vi_store(stretch->step + k, step);
        vf_store(stretch->fraction + k, exact - vf_from_int(r));
        far |= (uint64_t)vm_bits(vi_less(vi_set(1), step)) << k;
    }
    return far;
}

/* Where the corners of windows of cells side by side are, but for a constant. */
struct variable_corners {
    const uint64_t *below_right, *below_left, *above_right, *above_left;
};

static inline struct variable_corners variable_corners_of(const uint64_t *sums, ptrdiff_t radius)
{
    const ptrdiff_t down = radius * (VARIABLE_STRIDE + 1), up = radius * (VARIABLE_STRIDE - 1);
    struct variable_corners corners = {sums + down, sums + up, sums - up, sums - down};
    return corners;
}

/* The means over windows of cells side by side, of a radius `more` above that of the corners. */
static inline vdouble variable_means(const struct variable_corners *corners, ptrdiff_t more,
                                     double inverse)
{
    const ptrdiff_t down = more * VARIABLE_STRIDE, below = down + VARIABLE_STRIDE;
    vlong a = vl_load(corners->below_right + below + more + 1);
    vlong b = vl_load(corners->above_left - down - more);
    vlong c = vl_load(corners->below_left + below - more);
    vlong d = vl_load(corners->above_right - down + more + 1);
    return vd_from_long((a - c) - (d - b)) * vd_set(inverse);
}

/* The means of VEC_LONGS cells from cell k on, if variable_split found none of them to be far. */
static inline vdouble variable_mix_beside(const struct variable_stretch *stretch,
                                          const uint64_t *sums, uint32_t k, const double *inverse)
{
    const ptrdiff_t least = stretch->least[k];
    const struct variable_corners corners = variable_corners_of(sums + k, least);
    const vdouble first = variable_means(&corners, 0, inverse[least]);
    const vdouble second = variable_means(&corners, 1, inverse[least + 1]);
    const vdouble third = variable_means(&corners, 2, inverse[least + 2]);
    const vdouble small = vd_pick(stretch->step + k, first, second);
    const vdouble large = vd_pick(stretch->step + k, second, third);
    return small + vd_load_floats(stretch->fraction + k) * (large - small);
}

/* Far cells have radii above 0, so that what was written in their place is not read again. */
static inline void variable_mix(float *target, const float *source, const float *radius,
                                struct variable_stretch *stretch, const uint64_t *sums,
                                uint32_t count, uint64_t far, const double *inverse)
{
    for (uint32_t k = 0; k < count; k += VEC_LANES) {
        vdouble means[VEC_LANES / VEC_LONGS];
        vmask blurred = vf_less(vf_set(0), vf_load(radius + k));
        for (uint32_t part = 0; part < VEC_LANES / VEC_LONGS; part++) {
            means[part] = variable_mix_beside(stretch, sums, k + part * VEC_LONGS, inverse);
        }
        vf_store(target + k, vf_select(blurred, vf_from_doubles(means), vf_load(source + k)));
    }
    for (; far != 0; far &= far - 1) {
        uint32_t k = terrain__lowest_bit(far);
        variable_look_up(stretch, sums + k, k, inverse);
        variable_mix_cells(target, source, radius, stretch, k, k + 1);
    }
}

static void variable_smooth(float *target, const float *source, const float *radius, uint32_t width,
                            uint32_t reach, const uint64_t *sums, const double *inverse)
{
    int32_t most = (int32_t)reach - 1;
    struct variable_stretch stretch;
    for (uint32_t i = 0; i < width; i += VARIABLE_STRETCH) {
        uint32_t count = width - i < VARIABLE_STRETCH ? width - i : VARIABLE_STRETCH;
        uint32_t full = count & ~(uint32_t)(VEC_LANES - 1);
        uint64_t far = variable_split(&stretch, radius + i, full, most);
        if (VEC_LONGS == 1 || terrain__count_bits(far) * VARIABLE_STEEP > full) {
            full = 0;
            far = 0;
        }
        variable_mix(target + i, source + i, radius + i, &stretch, sums + i, full, far, inverse);
        variable_split_cells(&stretch, radius + i, full, count, most);
        for (uint32_t k = full; k < count; k++) {
            variable_look_up(&stretch, sums + i + k, k, inverse);
        }
        variable_mix_cells(target + i, source + i, radius + i, &stretch, full, count);
    }
}

const struct variable_kernels TERRAIN__KERNELS(variable) = {variable_radii, variable_sum,
                                                            variable_smooth};
