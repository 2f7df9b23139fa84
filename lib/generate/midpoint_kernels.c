/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "generate/midpoint_kernels.h"

#include "vector/vec.h"

/* Loops over a short row run on into the room behind it, up to whole vectors: the last few points
 * one by one would take most of the time. Long rows would only touch more memory. */
static inline uint32_t midpoint_whole(uint32_t width)
{
    return width < 256 ? (width + 15) / 16 * 16 : width;
}

/* ---- What is known --------------------------------------------------------------------------- */

static void midpoint_take(float *out, const float *constraints, uint32_t width)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float zero = constraints[i] - constraints[i]; /* NaN unless finite */
        out[i] = zero == 0 ? constraints[i] : zero;
    }
}

/* The columns' sums: rows count 1/2, 1, 1/2. */
static void midpoint_pull_known(float *weights, float *products,
                                const struct midpoint_known rows[3], uint32_t width)
{
    const float *a = rows[0].heights, *b = rows[1].heights, *c = rows[2].heights;
    const uint32_t whole = midpoint_whole(width);
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < whole; i++) {
        float wa = a[i] == a[i] ? 0.5f : 0, wb = b[i] == b[i] ? 1.0f : 0;
        float wc = c[i] == c[i] ? 0.5f : 0;
        float pa = a[i] == a[i] ? 0.5f * a[i] : 0, pb = b[i] == b[i] ? b[i] : 0;
        float pc = c[i] == c[i] ? 0.5f * c[i] : 0;
        weights[i] = (wa + wc) + wb;
        products[i] = (pa + pc) + pb;
    }
}

static void midpoint_pull_weighted(float *weights, float *products,
                                   const struct midpoint_known rows[3], uint32_t width)
{
    const float *a = rows[0].heights, *b = rows[1].heights, *c = rows[2].heights;
    const float *wa = rows[0].weights, *wb = rows[1].weights, *wc = rows[2].weights;
    const uint32_t whole = midpoint_whole(width);
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < whole; i++) {
        weights[i] = 0.5f * (wa[i] + wc[i]) + wb[i];
        products[i] = 0.5f * (wa[i] * a[i] + wc[i] * c[i]) + wb[i] * b[i];
    }
}

/* VEC_LANES points from the columns' sums at twice their places: columns count 1/2, 1, 1/2. */
static inline vfloat midpoint_pull_sums(const float *sums)
{
    vfloat left, centre, right, unused;
    vf_part(vf_load(sums - 1), vf_load(sums - 1 + VEC_LANES), &left, &centre);
    vf_part(vf_load(sums + 1), vf_load(sums + 1 + VEC_LANES), &right, &unused);
    return vf_set(0.5f) * (left + right) + centre;
}

static void midpoint_pull(float *heights, float *weights, const struct midpoint_known rows[3],
                          float *sums, size_t sums_stride, uint32_t pairs)
{
    float *w = sums, *p = sums + sums_stride;
    const vfloat one = vf_set(1);
    if (rows[1].weights == NULL) {
        midpoint_pull_known(w, p, rows, 2 * pairs);
    } else {
        midpoint_pull_weighted(w, p, rows, 2 * pairs);
    }
    w[-1] = w[2 * pairs] = w[2 * pairs + 1] = 0;
    p[-1] = p[2 * pairs] = p[2 * pairs + 1] = 0;
    for (uint32_t i = 0; i <= pairs; i += VEC_LANES) {
        const vfloat weight = midpoint_pull_sums(w + 2 * (size_t)i);
        const vfloat product = midpoint_pull_sums(p + 2 * (size_t)i);
        const vfloat height = product / vf_select(vf_less(vf_set(0), weight), weight, one);
        vf_store(heights + i, height);
        vf_store(weights + i, vf_min(weight, one));
    }
}

static inline float midpoint_or(float height, float otherwise)
{
    return height == height ? height : otherwise;
}

static inline float midpoint_count(float height)
{
    return height == height ? 1.0f : 0.0f;
}

/* Neighbours count by their distance. */
static void midpoint_estimate(float *out, const float *up, const float *row, const float *down,
                              const float *numbers, uint32_t width)
{
    const float diagonal = 0.70710678f;
    const uint32_t whole = midpoint_whole(width);
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < whole; i++) {
        const float *n = up + i, *h = row + i, *s = down + i;
        float straight = (midpoint_or(n[0], 0) + midpoint_or(s[0], 0)) +
                         (midpoint_or(h[1], 0) + midpoint_or(h[-1], 0));
        float across = (midpoint_or(n[1], 0) + midpoint_or(s[-1], 0)) +
                       (midpoint_or(s[1], 0) + midpoint_or(n[-1], 0));
        float count = (midpoint_count(n[0]) + midpoint_count(s[0])) +
                      (midpoint_count(h[1]) + midpoint_count(h[-1]));
        float count_across = (midpoint_count(n[1]) + midpoint_count(s[-1])) +
                             (midpoint_count(s[1]) + midpoint_count(n[-1]));
        /* 0 / 0 is NaN: nothing is known. */
        float mean = (straight + diagonal * across) / (count + diagonal * count_across);
        out[i] = midpoint_or(h[0], mean + numbers[i]);
    }
}

/* ---- What lies between ----------------------------------------------------------------------- */

/* Sums as in generate_diamond_square's edge2, so that both make the same land. */
static void midpoint_even_row(float *out, const float *corners, uint32_t pairs)
{
    for (uint32_t i = 0; i < pairs; i += VEC_LANES) {
        vfloat left = vf_load(corners + i);
        vf_store_pairs(out + 2 * (size_t)i, left, (left + vf_load(corners + i + 1)) * vf_set(0.5f));
    }
}

static void midpoint_odd_row(float *out, const float *upper, const float *lower, uint32_t pairs)
{
    for (uint32_t i = 0; i < pairs; i += VEC_LANES) {
        vfloat nw = vf_load(upper + i), ne = vf_load(upper + i + 1);
        vfloat sw = vf_load(lower + i), se = vf_load(lower + i + 1);
        vf_store_pairs(out + 2 * (size_t)i, (nw + sw) * vf_set(0.5f),
                       ((nw + se) + (ne + sw)) * vf_set(0.25f));
    }
}

/* Straight neighbours count 3/16, those across 1/16; halves and quarters, so that a mean of equal
 * heights is that height. */
static inline float midpoint_mean(const float *n, const float *h, const float *s)
{
    float straight = (n[0] + s[0]) + (h[1] + h[-1]);
    float across = (n[1] + s[-1]) + (s[1] + n[-1]);
    return (straight * 0.25f + (straight + across) * 0.125f) * 0.5f;
}

static void midpoint_relax(float *out, const float *up, const float *row, const float *down,
                           const struct midpoint_known *known, uint32_t width)
{
    const float *heights = known->heights, *weights = known->weights;
    const uint32_t whole = midpoint_whole(width);
    if (weights == NULL) {
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < whole; i++) {
            out[i] = midpoint_mean(up + i, row + i, down + i);
        }
        return;
    }
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < whole; i++) {
        float mean = midpoint_mean(up + i, row + i, down + i);
        out[i] = mean + weights[i] * (heights[i] - mean);
    }
}

static void midpoint_hold(float *row, const struct midpoint_known *known, uint32_t width)
{
    const float *heights = known->heights, *weights = known->weights;
    const uint32_t whole = midpoint_whole(width);
    if (weights == NULL) {
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < whole; i++) {
            row[i] = midpoint_or(heights[i], row[i]);
        }
        return;
    }
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < whole; i++) {
        row[i] = row[i] + weights[i] * (heights[i] - row[i]);
    }
}

static void midpoint_displace(float *row, const struct midpoint_known *known,
                              const struct midpoint_noise *noise, float *numbers, uint32_t pairs)
{
    const vfloat none = vf_set(0);
    const uint32_t whole = midpoint_whole(2 * pairs);
    for (uint32_t i = 0; i < pairs; i += VEC_LANES) {
        vf_store_pairs(numbers + 2 * (size_t)i,
                       noise->even == NULL ? none : vf_load(noise->even + i),
                       vf_load(noise->odd + i));
    }
    if (known->weights == NULL) {
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < whole; i++) {
            row[i] += numbers[i];
        }
        return;
    }
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < whole; i++) {
        row[i] += (1 - known->weights[i]) * numbers[i];
    }
}

const struct midpoint_kernels TERRAIN__KERNELS(midpoint) = {
    .take = midpoint_take,
    .pull = midpoint_pull,
    .estimate = midpoint_estimate,
    .even_row = midpoint_even_row,
    .odd_row = midpoint_odd_row,
    .relax = midpoint_relax,
    .hold = midpoint_hold,
    .displace = midpoint_displace,
};
