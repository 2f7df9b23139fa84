/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/gaussian_kernels.h"

#include "core/vec.h"

/* ---- The filter itself ----------------------------------------------------------------------- */

/* Vectors that share one walk over the weights: enough to hide the latency of the sums. */
enum { GAUSSIAN_ACROSS = 4, GAUSSIAN_DOWN = VEC_LANES == 16 ? 2 : 1 };

static float gaussian_across_one(const float *source, const float *weights, uint32_t radius)
{
    float centre = source[0];
    float twice = centre + centre;
    float sum = 0;
    for (uint32_t k = 1; k <= radius; k++) {
        sum += ((source[-(ptrdiff_t)k] + source[k]) - twice) * weights[k];
    }
    return centre + sum;
}

TERRAIN__INLINE void gaussian_across_block(float *target, const float *source, const float *weights,
                                           uint32_t radius, uint32_t vectors)
{
    vfloat twice[GAUSSIAN_ACROSS];
    vfloat sum[GAUSSIAN_ACROSS];
    for (uint32_t v = 0; v < vectors; v++) {
        vfloat centre = vf_load(source + v * VEC_LANES);
        twice[v] = centre + centre;
        sum[v] = vf_set(0);
    }
    for (uint32_t k = 1; k <= radius; k++) {
        vfloat weight = vf_set(weights[k]);
        for (uint32_t v = 0; v < vectors; v++) {
            const float *cell = source + v * VEC_LANES;
            sum[v] += ((vf_load(cell - k) + vf_load(cell + k)) - twice[v]) * weight;
        }
    }
    for (uint32_t v = 0; v < vectors; v++) {
        vf_store(target + v * VEC_LANES, vf_load(source + v * VEC_LANES) + sum[v]);
    }
}

/* The last vector of a row overlaps the one before it. */
static void gaussian_across(float *target, const float *source, uint32_t width,
                            const float *weights, uint32_t radius)
{
    uint32_t x = 0;
    for (; width - x >= GAUSSIAN_ACROSS * VEC_LANES; x += GAUSSIAN_ACROSS * VEC_LANES) {
        gaussian_across_block(target + x, source + x, weights, radius, GAUSSIAN_ACROSS);
    }
    for (; width - x >= VEC_LANES; x += VEC_LANES) {
        gaussian_across_block(target + x, source + x, weights, radius, 1);
    }
    if (x < width && width >= VEC_LANES) {
        x = width - VEC_LANES;
        gaussian_across_block(target + x, source + x, weights, radius, 1);
        return;
    }
    for (; x < width; x++) {
        target[x] = gaussian_across_one(source + x, weights, radius);
    }
}

/* `left` cells of the last vector are wanted. */
TERRAIN__INLINE void gaussian_down_block(float *target, size_t stride, uint32_t count,
                                         const float *const *rows, uint32_t x, uint32_t vectors,
                                         uint32_t left, const float *weights, uint32_t radius)
{
    vfloat twice[GAUSSIAN_ROWS][GAUSSIAN_DOWN];
    vfloat sum[GAUSSIAN_ROWS][GAUSSIAN_DOWN];
    const float *const *centre = rows + radius;
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t v = 0; v < vectors; v++) {
            vfloat cell = vf_load(centre[r] + x + v * VEC_LANES);
            twice[r][v] = cell + cell;
            sum[r][v] = vf_set(0);
        }
    }
    for (uint32_t k = 1; k <= radius; k++) {
        vfloat weight = vf_set(weights[k]);
        for (uint32_t r = 0; r < count; r++) {
            const float *above = centre[(ptrdiff_t)r - (ptrdiff_t)k] + x;
            const float *below = centre[r + k] + x;
            for (uint32_t v = 0; v < vectors; v++) {
                vfloat pair = vf_load(above + v * VEC_LANES) + vf_load(below + v * VEC_LANES);
                sum[r][v] += (pair - twice[r][v]) * weight;
            }
        }
    }
    for (uint32_t r = 0; r < count; r++) {
        for (uint32_t v = 0; v < vectors; v++) {
            float *cell = target + r * stride + x + v * VEC_LANES;
            vfloat result = vf_load(centre[r] + x + v * VEC_LANES) + sum[r][v];
            if (left == VEC_LANES) {
                vf_store(cell, result);
            } else {
                vf_store_first(cell, result, left);
            }
        }
    }
}

static void gaussian_down(float *target, size_t stride, uint32_t count, const float *const *rows,
                          uint32_t width, const float *weights, uint32_t radius)
{
    const uint32_t step = GAUSSIAN_DOWN * VEC_LANES;
    uint32_t x = 0;
    for (; count == GAUSSIAN_ROWS && width - x >= step; x += step) {
        gaussian_down_block(target, stride, GAUSSIAN_ROWS, rows, x, GAUSSIAN_DOWN, VEC_LANES,
                            weights, radius);
    }
    for (; x < width; x += VEC_LANES) {
        uint32_t left = width - x < VEC_LANES ? width - x : VEC_LANES;
        for (uint32_t r = 0; r < count; r++) {
            gaussian_down_block(target + r * stride, stride, 1, rows + r, x, 1, left, weights,
                                radius);
        }
    }
}

/* ---- The pyramid ----------------------------------------------------------------------------- */

/* The binomial filter of order 6: its transfer function has a sixfold zero at the highest
 * frequency, which is what the halved grid can't tell from a constant. */
#define GAUSSIAN_HALVE(a, b, c, d, e, f, g)                                                        \
    ((d) + (((((a) + (g)) - ((d) + (d))) * w3 + (((b) + (f)) - ((d) + (d))) * w2) +                \
            (((c) + (e)) - ((d) + (d))) * w1))

static void gaussian_halve_down(float *restrict target, const float *const rows[7], uint32_t width)
{
    const float w1 = 15 / 64.0f;
    const float w2 = 6 / 64.0f;
    const float w3 = 1 / 64.0f;
    const float *a = rows[0];
    const float *b = rows[1];
    const float *c = rows[2];
    const float *d = rows[3];
    const float *e = rows[4];
    const float *f = rows[5];
    const float *g = rows[6];
    for (uint32_t x = 0; x < width; x++) {
        target[x] = GAUSSIAN_HALVE(a[x], b[x], c[x], d[x], e[x], f[x], g[x]);
    }
}

/* A block at a time: even and odd cells apart, so that the filter reads neighbours. */
static void gaussian_halve_across(float *restrict target, const float *source, uint32_t count)
{
    enum { BLOCK = 128 };
    const float w1 = 15 / 64.0f;
    const float w2 = 6 / 64.0f;
    const float w3 = 1 / 64.0f;
    float even[BLOCK + 3];
    float odd[BLOCK + 3];
    for (uint32_t begin = 0; begin < count; begin += BLOCK) {
        uint32_t block = count - begin < BLOCK ? count - begin : BLOCK;
        const float *from = source + 2 * (size_t)begin;
        float *to = target + begin;
        for (uint32_t i = 0; i < block + 3; i++) {
            even[i] = from[2 * i];
            odd[i] = from[2 * i + 1];
        }
        for (uint32_t i = 0; i < block; i++) {
            to[i] = GAUSSIAN_HALVE(odd[i], even[i + 1], odd[i + 1], even[i + 2], odd[i + 2],
                                   even[i + 3], odd[i + 3]);
        }
    }
}

/* The same filter as an interpolation: its even and its odd weights, each of sum 1. */
#define GAUSSIAN_EVEN(a, b, c) ((b) + (((a) + (c)) - ((b) + (b))) * (6 / 32.0f))
#define GAUSSIAN_ODD(a, b, c, d) (((b) + (c)) * 0.5f + (((a) + (d)) - ((b) + (c))) * (1 / 32.0f))

static void gaussian_double_across(float *restrict target, const float *source, uint32_t count)
{
    enum { BLOCK = 128 };
    float even[BLOCK];
    float odd[BLOCK];
    uint32_t pairs = count / 2;
    for (uint32_t begin = 0; begin < pairs; begin += BLOCK) {
        uint32_t block = pairs - begin < BLOCK ? pairs - begin : BLOCK;
        const float *from = source + begin;
        float *to = target + 2 * (size_t)begin;
        for (uint32_t i = 0; i < block; i++) {
            even[i] = GAUSSIAN_EVEN(from[i], from[i + 1], from[i + 2]);
            odd[i] = GAUSSIAN_ODD(from[i], from[i + 1], from[i + 2], from[i + 3]);
        }
        for (uint32_t i = 0; i < block; i++) {
            to[2 * i] = even[i];
            to[2 * i + 1] = odd[i];
        }
    }
    if (count % 2 != 0) {
        const float *from = source + pairs;
        target[2 * (size_t)pairs] = GAUSSIAN_EVEN(from[0], from[1], from[2]);
    }
}

static void gaussian_double_down(float *restrict even, float *restrict odd,
                                 const float *const rows[4], uint32_t width)
{
    const float *a = rows[0];
    const float *b = rows[1];
    const float *c = rows[2];
    const float *d = rows[3];
    if (even != NULL && odd != NULL) {
        for (uint32_t x = 0; x < width; x++) {
            float above = a[x];
            float centre = b[x];
            float below = c[x];
            even[x] = GAUSSIAN_EVEN(above, centre, below);
            odd[x] = GAUSSIAN_ODD(above, centre, below, d[x]);
        }
    } else if (even != NULL) {
        for (uint32_t x = 0; x < width; x++) {
            even[x] = GAUSSIAN_EVEN(a[x], b[x], c[x]);
        }
    } else if (odd != NULL) {
        for (uint32_t x = 0; x < width; x++) {
            odd[x] = GAUSSIAN_ODD(a[x], b[x], c[x], d[x]);
        }
    }
}

/* ---- Open borders ---------------------------------------------------------------------------- */

static void gaussian_scale(float *restrict row, const float *shares, float share, uint32_t width)
{
    for (uint32_t x = 0; x < width; x++) {
        row[x] *= shares[x] * share;
    }
}

const struct gaussian_kernels TERRAIN__KERNELS(gaussian) = {
    gaussian_across,        gaussian_down,        gaussian_halve_down, gaussian_halve_across,
    gaussian_double_across, gaussian_double_down, gaussian_scale,
};
