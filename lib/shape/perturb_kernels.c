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

static inline vfloat perturb_shift_of(vfloat noise, float scale, float reach)
{
    vfloat t = vf_min(vf_max(noise * vf_set(scale), vf_set(-1)), vf_set(1));
    return vf_set(reach) * (t * (vf_set(1.5f) - vf_set(0.5f) * (t * t)));
}

static void perturb_shift(float *shift, const float *noise, float scale, float reach,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vf_store(shift + i, perturb_shift_of(vf_load(noise + i), scale, reach));
    }
}

static void perturb_limit(float *shift, const float *given, float reach, uint32_t count)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float s = given[i] == given[i] ? given[i] : 0;
        s = s > -reach ? s : -reach;
        shift[i] = s < reach ? s : reach;
    }
}

/* ---- Heights --------------------------------------------------------------------------------- */

/* Cells are done in chunks: first where each reads, then what it reads and the sums. Loads one by
 * one are faster than gathers on the processors that were tried: by gathers a bilinear row takes
 * 1.3 times as long on Zen 5. */
enum { PERTURB_CHUNK = 64 };

struct perturb_places {
    int32_t offsets[PERTURB_CHUNK];                  /* from row->ring to the cell left and above */
    float right[PERTURB_CHUNK], down[PERTURB_CHUNK]; /* how far beyond it, 0 to 1 */
};

/* Where `left` cells from cell `first` of the row on read, at most PERTURB_CHUNK. Cells beyond
 * them, which make the last vector full, have no shift. */
static inline void perturb_find(struct perturb_places *places, const struct perturb_row *row,
                                uint32_t first, uint32_t left)
{
    const vint count = vi_set((int32_t)row->rows), stride = vi_set((int32_t)row->stride);
    for (uint32_t i = 0; i < left; i += VEC_LANES) {
        const float *shift_x = row->shift_x + first + i, *shift_y = row->shift_y + first + i;
        const bool full = left - i >= VEC_LANES;
        vfloat x = full ? vf_load(shift_x) : vf_load_first(shift_x, left - i);
        vfloat y = full ? vf_load(shift_y) : vf_load_first(shift_y, left - i);
        vfloat whole_x = vf_floor_loose(x), whole_y = vf_floor_loose(y);
        vint cell = vi_from_bits(vu_set(first + i) + vu_lane());
        vint line = vi_from_float(whole_y) + vi_set((int32_t)row->row);
        line = vi_select(vi_less(line, count), line, line - count);
        vi_store(places->offsets + i, line * stride + (cell + vi_from_float(whole_x)));
        vf_store(places->right + i, x - whole_x);
        vf_store(places->down + i, y - whole_y);
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

static inline vfloat perturb_linear(vfloat a, vfloat b, vfloat t)
{
    return perturb_within(perturb_between(a, b, t), a, b);
}

static inline vfloat perturb_linears(const float *from, size_t stride, const int32_t *offsets,
                                     vfloat right, vfloat down)
{
    vfloat h[4];
    vf_load_squares(h, from, stride, offsets);
    return perturb_linear(perturb_linear(h[0], h[1], right), perturb_linear(h[2], h[3], right),
                          down);
}

/* Interpolates along two rows, the one of `from` and the one below it. */
TERRAIN__INLINE void perturb_cubic_rows(vfloat h[2], const float *from, size_t stride,
                                        const int32_t *offsets, vfloat t, bool clamped)
{
    vfloat left[4], right[4];
    vf_load_squares(left, from - 1, stride, offsets);
    vf_load_squares(right, from + 1, stride, offsets);
    h[0] = perturb_cubic(left[0], left[1], right[0], right[1], t, clamped);
    h[1] = perturb_cubic(left[2], left[3], right[2], right[3], t, clamped);
}

TERRAIN__INLINE vfloat perturb_cubics(const float *from, size_t stride, const int32_t *offsets,
                                      vfloat right, vfloat down, bool clamped)
{
    vfloat above[2], below[2];
    perturb_cubic_rows(above, from - stride, stride, offsets, right, clamped);
    perturb_cubic_rows(below, from + stride, stride, offsets, right, clamped);
    return perturb_cubic(above[0], above[1], below[0], below[1], down, clamped);
}

TERRAIN__INLINE void perturb_row_of(const struct perturb_row *row, bool cubic, bool clamped)
{
    struct perturb_places places;
    for (uint32_t x = 0, count; x < row->width; x += count) {
        uint32_t left = row->width - x;
        count = left < PERTURB_CHUNK ? left : PERTURB_CHUNK;
        perturb_find(&places, row, x, count);
        for (uint32_t i = 0; i < count; i += VEC_LANES) {
            vfloat right = vf_load(places.right + i), down = vf_load(places.down + i);
            const int32_t *offsets = places.offsets + i;
            vfloat h = cubic ? perturb_cubics(row->ring, row->stride, offsets, right, down, clamped)
                             : perturb_linears(row->ring, row->stride, offsets, right, down);
            vf_store_up_to(row->target + x + i, h, count - i);
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
