/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <stdbool.h>

#include "shape/perturb_kernels.h"

#include "vector/random_vec.h"
#include "vector/vec.h"

/* ---- Noise ----------------------------------------------------------------------------------- */

static inline vfloat perturb_quarter(vfloat from, vfloat to)
{
    return from + (to - from) * vf_set(0.25f);
}

static inline vfloat perturb_quarter_at(const float *near, const float *far)
{
    return perturb_quarter(vf_load(near), vf_load(far));
}

static void perturb_refine(float *to, const float *near, const float *far, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vfloat left = perturb_quarter_at(near + i - 1, far + i - 1);
        vfloat middle = perturb_quarter_at(near + i, far + i);
        vfloat right = perturb_quarter_at(near + i + 1, far + i + 1);
        vf_store_pairs(to + 2 * (size_t)i, perturb_quarter(middle, left),
                       perturb_quarter(middle, right));
    }
}

/* noise + step times 2 b + 1 - 2^16. */
static inline vfloat perturb_more(vfloat noise, vuint b, vfloat step)
{
    return noise + vf_from_int(vi_from_bits(b * 2 + 1) - vi_set(65536)) * step;
}

static void perturb_add(float *x, float *y, uint64_t column, uint32_t first, float scale,
                        uint32_t count)
{
    vfloat step = vf_set(scale * 0x1p-16f);
    uint32_t i = 0;
    for (; i + VEC_LANES <= count; i += VEC_LANES) {
        vuint bits = vu_random_bits(column, vu_set(first + i) + vu_lane());
        vf_store(x + i, perturb_more(vf_load(x + i), bits >> 16, step));
        vf_store(y + i, perturb_more(vf_load(y + i), bits & 65535, step));
    }
    if (i < count) { /* what follows has another column's bits */
        uint32_t n = count - i;
        vuint bits = vu_random_bits(column, vu_set(first + i) + vu_lane());
        vf_store_first(x + i, perturb_more(vf_load_first(x + i, n), bits >> 16, step), n);
        vf_store_first(y + i, perturb_more(vf_load_first(y + i, n), bits & 65535, step), n);
    }
}

static void perturb_shift(float *shift, const float *noise, float scale, float amplitude,
                          uint32_t count)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float t = noise[i] * scale;
        t = t > -1 ? t : -1;
        t = t < 1 ? t : 1;
        shift[i] = amplitude * (t * (1.5f - 0.5f * (t * t)));
    }
}

static void perturb_limit(float *shift, const float *given, float amplitude, uint32_t count)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float s = given[i] == given[i] ? given[i] : 0;
        s = s > -amplitude ? s : -amplitude;
        shift[i] = s < amplitude ? s : amplitude;
    }
}

/* ---- Heights --------------------------------------------------------------------------------- */

/* Cells are done in chunks: where each reads, what it reads, and the sums, which are all vectors
 * but for the reading. Loads one by one are faster than gathers on the processors that were
 * tried: by gathers a bilinear row takes 1.3 times as long on Zen 5. */
enum { PERTURB_CHUNK = 64 };

struct perturb_places {
    const float *from[PERTURB_CHUNK];                /* the cell left and above */
    float right[PERTURB_CHUNK], down[PERTURB_CHUNK]; /* how far beyond it, 0 to 1 */
};

static inline void perturb_split(int32_t *cell, float *beyond, const float *shift, uint32_t i)
{
    vfloat s = vf_load(shift + i);
    vfloat whole = vf_floor(s);
    vi_store(cell + i, vi_from_float(whole));
    vf_store(beyond + i, s - whole);
}

/* Of `count` cells from cell `first` of the row on: all places beyond are set, to the first one. */
static void perturb_find(struct perturb_places *places, const struct perturb_row *row,
                         uint32_t first, uint32_t count)
{
    const float *source = row->source + first;
    const float *shift_x = row->shift_x + first, *shift_y = row->shift_y + first;
    int32_t columns[PERTURB_CHUNK], rows[PERTURB_CHUNK];
    float x[PERTURB_CHUNK], y[PERTURB_CHUNK];
    if (count < PERTURB_CHUNK) {
        memset(x, 0, sizeof x);
        memset(y, 0, sizeof y);
        memcpy(x, shift_x, count * sizeof *x);
        memcpy(y, shift_y, count * sizeof *y);
        shift_x = x;
        shift_y = y;
    }
    for (uint32_t i = 0; i < PERTURB_CHUNK; i += VEC_LANES) {
        perturb_split(columns, places->right, shift_x, i);
        perturb_split(rows, places->down, shift_y, i);
    }
    for (uint32_t i = 0; i < PERTURB_CHUNK; i++) {
        places->from[i] =
            source + (i < count ? i : 0) + (ptrdiff_t)rows[i] * (ptrdiff_t)row->stride + columns[i];
    }
}

/* At 0 the first as it is: the second may be infinite. */
static inline vfloat perturb_between(vfloat a, vfloat b, vfloat t)
{
    return vf_select(vf_less_equal(t, vf_set(0)), a, a + (b - a) * t);
}

/* NaN stays: vf_min and vf_max give their second operand then. */
static inline vfloat perturb_within(vfloat h, vfloat a, vfloat b)
{
    return vf_min(vf_max(a, b), vf_max(vf_min(a, b), h));
}

/* Catmull-Rom through a, b, c and d, from b to c. Weights of differences: a constant is kept
 * exactly. If `clamped`, cut to between b and c. */
static inline vfloat perturb_cubic(vfloat a, vfloat b, vfloat c, vfloat d, vfloat t, bool clamped)
{
    const vfloat half = vf_set(0.5f), one = vf_set(1), two = vf_set(2);
    vfloat wa = half * t * ((two - t) * t - one);
    vfloat wc = half * t * ((vf_set(4) - vf_set(3) * t) * t + one);
    vfloat wd = half * t * ((t - one) * t);
    vfloat h = b + (((a - b) * wa + (d - b) * wd) + (c - b) * wc);
    h = vf_select(vf_less_equal(t, vf_set(0)), b, h);
    return clamped ? perturb_within(h, b, c) : h;
}

static inline vfloat perturb_linear_row(const struct perturb_places *places, uint32_t i,
                                        ptrdiff_t place, vfloat t)
{
    vfloat a, b;
    vf_load_pairs(&a, &b, places->from + i, place);
    return perturb_within(perturb_between(a, b, t), a, b);
}

static inline vfloat perturb_linear(const struct perturb_places *places, uint32_t i,
                                    ptrdiff_t stride)
{
    vfloat right = vf_load(places->right + i), down = vf_load(places->down + i);
    vfloat above = perturb_linear_row(places, i, 0, right);
    vfloat below = perturb_linear_row(places, i, stride, right);
    return perturb_within(perturb_between(above, below, down), above, below);
}

TERRAIN__INLINE vfloat perturb_cubic_row(const struct perturb_places *places, uint32_t i,
                                         ptrdiff_t place, vfloat t, bool clamped)
{
    vfloat a, b, c, d;
    vf_load_pairs(&a, &b, places->from + i, place - 1);
    vf_load_pairs(&c, &d, places->from + i, place + 1);
    return perturb_cubic(a, b, c, d, t, clamped);
}

TERRAIN__INLINE vfloat perturb_cubics(const struct perturb_places *places, uint32_t i,
                                      ptrdiff_t stride, bool clamped)
{
    vfloat right = vf_load(places->right + i), down = vf_load(places->down + i);
    return perturb_cubic(perturb_cubic_row(places, i, -stride, right, clamped),
                         perturb_cubic_row(places, i, 0, right, clamped),
                         perturb_cubic_row(places, i, stride, right, clamped),
                         perturb_cubic_row(places, i, 2 * stride, right, clamped), down, clamped);
}

TERRAIN__INLINE void perturb_row_of(const struct perturb_row *row, bool cubic, bool clamped)
{
    const ptrdiff_t stride = (ptrdiff_t)row->stride;
    struct perturb_places places;
    float last[PERTURB_CHUNK];
    for (uint32_t x = 0; x < row->width; x += PERTURB_CHUNK) {
        uint32_t left = row->width - x;
        uint32_t count = left < PERTURB_CHUNK ? left : PERTURB_CHUNK;
        float *to = count < PERTURB_CHUNK ? last : row->target + x;
        perturb_find(&places, row, x, count);
        for (uint32_t i = 0; i < PERTURB_CHUNK; i += VEC_LANES) {
            vf_store(to + i, cubic ? perturb_cubics(&places, i, stride, clamped)
                                   : perturb_linear(&places, i, stride));
        }
        if (count < PERTURB_CHUNK) {
            memcpy(row->target + x, last, count * sizeof *last);
        }
    }
}

static void perturb_bilinear(const struct perturb_row *row)
{
    perturb_row_of(row, false, false);
}

static void perturb_bicubic(const struct perturb_row *row)
{
    perturb_row_of(row, true, false);
}

static void perturb_bicubic_clamped(const struct perturb_row *row)
{
    perturb_row_of(row, true, true);
}

const struct perturb_kernels TERRAIN__KERNELS(perturb) = {
    perturb_refine,   perturb_add,     perturb_shift,           perturb_limit,
    perturb_bilinear, perturb_bicubic, perturb_bicubic_clamped,
};
