/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/shear_regions_kernels.h"
#include "core/vec.h"
#include "terrain/erode.h"

#if VEC_LANES > 1
typedef uint8_t regions_bytes __attribute__((vector_size(VEC_LANES)));

static inline void regions_store_labels(uint8_t *to, vint labels)
{
    regions_bytes bytes = __builtin_convertvector(labels, regions_bytes);
    memcpy(to, &bytes, sizeof bytes);
}

static inline vint regions_load_labels(const uint8_t *from)
{
    regions_bytes bytes;
    memcpy(&bytes, from, sizeof bytes);
    return __builtin_convertvector(bytes, vint);
}
#else
static inline void regions_store_labels(uint8_t *to, vint labels)
{
    *to = (uint8_t)labels;
}

static inline vint regions_load_labels(const uint8_t *from)
{
    return *from;
}
#endif

static inline vfloat regions_mix(const float *const rows[2], uint32_t i, vfloat between)
{
    vfloat above = vf_load(rows[0] + i);
    return above + between * (vf_load(rows[1] + i) - above);
}

/* The candidate nearest to each place, the first of several. */
TERRAIN__INLINE vint regions_nearest(vfloat x, vfloat y, const struct shear_regions_sites *sites,
                                     uint32_t metric)
{
    vfloat nearest = vf_set(0);
    vint label = vi_set(0);
    for (int32_t k = 0; k < (int32_t)TERRAIN__REGION_SITES; k++) {
        vfloat dx = x - vf_set(sites->x[k]);
        vfloat dy = y - vf_set(sites->y[k]);
        vfloat d = metric == TERRAIN_SHEAR_REGIONS_EUCLIDEAN ? dx * dx + dy * dy
                                                             : vf_max(vf_abs(dx), vf_abs(dy));
        if (k == 0) {
            nearest = d;
        } else {
            vmask nearer = vf_less(d, nearest);
            nearest = vf_select(nearer, d, nearest);
            label = vi_select(nearer, vi_set(k), label);
        }
    }
    return label;
}

/* Comparisons with NaN are false, so that its cells count for neither. */
TERRAIN__INLINE void regions_extend(struct shear_regions_extremes *extremes, uint32_t k, vmask of,
                                    vfloat h)
{
    vfloat low = vf_load(extremes->low[k]);
    vfloat high = vf_load(extremes->high[k]);
    vf_store(extremes->low[k], vf_select(of, vf_min(h, low), low));
    vf_store(extremes->high[k], vf_select(of, vf_max(h, high), high));
}

TERRAIN__INLINE void regions_label(uint8_t *labels, struct shear_regions_extremes *extremes,
                                   const struct shear_regions_span *span,
                                   const struct shear_regions_sites *sites, uint32_t metric)
{
    const vint lane = vi_from_bits(vu_lane());
    const vfloat between = vf_set(span->between);
    for (uint32_t i = 0; i < span->count; i += VEC_LANES) {
        uint32_t left = span->count - i;
        vfloat h =
            left < VEC_LANES ? vf_load_first(span->heights + i, left) : vf_load(span->heights + i);
        vmask valid = vi_less(lane, vi_set((int32_t)(left < VEC_LANES ? left : VEC_LANES)));
        vfloat x = (vf_set(span->x) + vf_from_int(lane + vi_set((int32_t)i))) +
                   regions_mix(span->warp_x, i, between);
        vfloat y = vf_set(span->y) + regions_mix(span->warp_y, i, between);
        vint label = regions_nearest(x, y, sites, metric);
        regions_store_labels(labels + i, label);
        for (uint32_t k = 0; k < TERRAIN__REGION_SITES; k++) {
            if ((sites->pushed >> k & 1) != 0) {
                vmask of = vm_and(valid, vi_equal(label, vi_set((int32_t)k)));
                regions_extend(extremes, k, of, h);
            }
        }
    }
}

static void regions_label_euclidean(uint8_t *labels, struct shear_regions_extremes *extremes,
                                    const struct shear_regions_span *span,
                                    const struct shear_regions_sites *sites)
{
    regions_label(labels, extremes, span, sites, TERRAIN_SHEAR_REGIONS_EUCLIDEAN);
}

static void regions_label_chebyshev(uint8_t *labels, struct shear_regions_extremes *extremes,
                                    const struct shear_regions_span *span,
                                    const struct shear_regions_sites *sites)
{
    regions_label(labels, extremes, span, sites, TERRAIN_SHEAR_REGIONS_CHEBYSHEV);
}

/* vf_max(0, d) is d where d is NaN: NaN stays. */
static inline vfloat regions_pushed(vfloat h, vint label, const struct shear_regions_push *push)
{
    vfloat low = h;
    vfloat scale = vf_set(0);
    vfloat cut = vf_set(0);
    vfloat lowered;
    for (uint32_t k = 0; k < TERRAIN__REGION_SITES; k++) {
        if ((push->pushed >> k & 1) != 0) {
            vmask of = vi_equal(label, vi_set((int32_t)k));
            low = vf_select(of, vf_set(push->low[k]), low);
            scale = vf_select(of, vf_set(push->scale[k]), scale);
            cut = vf_select(of, vf_set(push->cut[k]), cut);
        }
    }
    lowered = low + scale * vf_max(vf_set(0), (h - low) - cut);
    return vf_min(lowered, h);
}

static void regions_push(float *out, const float *heights, const uint8_t *labels, uint32_t count,
                         const struct shear_regions_push *push)
{
    uint32_t i = 0;
    for (; i + VEC_LANES <= count; i += VEC_LANES) {
        vfloat h = vf_load(heights + i);
        vf_store(out + i, regions_pushed(h, regions_load_labels(labels + i), push));
    }
    if (i < count) {
        vfloat h = vf_load_first(heights + i, count - i);
        vf_store_first(out + i, regions_pushed(h, regions_load_labels(labels + i), push),
                       count - i);
    }
}

const struct shear_regions_kernels TERRAIN__KERNELS(shear_regions) = {
    .label = {regions_label_euclidean, regions_label_chebyshev},
    .push = regions_push,
};
