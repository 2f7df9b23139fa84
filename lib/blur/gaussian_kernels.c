/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/gaussian_kernels.h"

#include <stdbool.h>

#include "vector/vec.h"

/* ---- Differences ----------------------------------------------------------------------------- */

static void gaussian_differ_one(float *restrict difference, const float *row, const float *next,
                                uint32_t width)
{
    for (uint32_t x = 0; x < width; x++) {
        difference[x] = next[x] - row[x];
    }
}

/* A row is read once for both of its differences. */
static void gaussian_differ_down(float *const *differences, const float *const *rows,
                                 uint32_t count, uint32_t width)
{
    if (count == GAUSSIAN_ROWS) {
        float *ab = differences[0], *bc = differences[1];
        float *cd = differences[2], *de = differences[3];
        TERRAIN__INDEPENDENT
        for (uint32_t x = 0; x < width; x++) {
            float a = rows[0][x], b = rows[1][x], c = rows[2][x], d = rows[3][x], e = rows[4][x];
            ab[x] = b - a;
            bc[x] = c - b;
            cd[x] = d - c;
            de[x] = e - d;
        }
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        gaussian_differ_one(differences[i], rows[i], rows[i + 1], width);
    }
}

/* even[i] = odd[i] = source[i + 1] - source[i], for at least `count` cells and at most 63 more. */
static void gaussian_differ_across(float *even, float *odd, const float *source, uint32_t count)
{
    for (size_t begin = 0; begin < count; begin += 4 * VEC_LANES) {
        for (size_t x = begin; x < begin + 4 * VEC_LANES; x += VEC_LANES) {
            vfloat difference = vf_load(source + x + 1) - vf_load(source + x);
            vf_store(even + x, difference);
            vf_store(odd + x, difference);
        }
    }
}

/* ---- The filter itself ----------------------------------------------------------------------- */

/* Vectors of a row that share one loop over the weights: enough to hide the latency of
 * additions. */
enum { GAUSSIAN_ACROSS = 8 };

/* The radii for which loops over the weights are unrolled: such short loops cost as much as their
 * bodies. Sums start with -0, which an unrolled sum need not add. */
#define GAUSSIAN_UNROLLED(one) one(1) one(2) one(3) one(4)
#define GAUSSIAN_SLIDING(one) GAUSSIAN_UNROLLED(one) one(5) one(6) one(7) one(8)

TERRAIN__INLINE vfloat gaussian_tap(const float *after, const float *before, float weight)
{
    return (vf_load(after) - vf_load(before)) * vf_set(weight);
}

static float gaussian_down_cell(float centre, const float *const *differences, uint32_t x,
                                const float *weights, uint32_t radius)
{
    float sum = -0.0f;
    for (uint32_t k = 1; k <= radius; k++) {
        sum += (differences[radius + k - 1][x] - differences[radius - k][x]) * weights[k];
    }
    return centre + sum;
}

/* A vector in each of `count` rows. Four weights at a time: the compiler sees which differences the
 * rows share, and loads them once. */
TERRAIN__INLINE void gaussian_down_patch(float *target, size_t stride, uint32_t count,
                                         const float *const *rows, const float *const *differences,
                                         size_t x, const float *weights, uint32_t radius)
{
    const float *const *above = differences + radius - 1;
    const float *const *below = differences + radius;
    vfloat sum[GAUSSIAN_ROWS];
    uint32_t k = 1;
    for (uint32_t r = 0; r < count; r++) {
        sum[r] = vf_set(-0.0f);
    }
    for (; k + 3 <= radius; k += 4, above -= 4, below += 4) {
        for (ptrdiff_t i = 0; i < 4; i++) {
            for (ptrdiff_t r = 0; r < (ptrdiff_t)count; r++) {
                sum[r] += gaussian_tap(below[r + i] + x, above[r - i] + x, weights[k + i]);
            }
        }
    }
    for (; k <= radius; k++, above--, below++) {
        for (uint32_t r = 0; r < count; r++) {
            sum[r] += gaussian_tap(below[r] + x, above[r] + x, weights[k]);
        }
    }
    for (uint32_t r = 0; r < count; r++) {
        vf_store(target + r * stride + x, vf_load(rows[r] + x) + sum[r]);
    }
}

/* The last vector of a row overlaps the one before it. */
TERRAIN__INLINE void gaussian_down_rows(float *target, size_t stride, uint32_t count,
                                        const float *const *rows, const float *const *differences,
                                        uint32_t width, const float *weights, uint32_t radius)
{
    size_t x = 0;
    for (; x + VEC_LANES <= width; x += VEC_LANES) {
        gaussian_down_patch(target, stride, count, rows, differences, x, weights, radius);
    }
    if (x < width && width >= VEC_LANES) {
        gaussian_down_patch(target, stride, count, rows, differences, width - VEC_LANES, weights,
                            radius);
        return;
    }
    for (; x < width; x++) {
        for (uint32_t r = 0; r < count; r++) {
            target[r * stride + x] =
                gaussian_down_cell(rows[r][x], differences + r, (uint32_t)x, weights, radius);
        }
    }
}

static void gaussian_down(float *target, size_t stride, uint32_t count, const float *const *rows,
                          const float *const *differences, uint32_t width, const float *weights,
                          uint32_t radius)
{
    if (count < GAUSSIAN_ROWS) {
        for (uint32_t r = 0; r < count; r++) {
            gaussian_down_rows(target + r * stride, stride, 1, rows + r, differences + r, width,
                               weights, radius);
        }
        return;
    }
    switch (radius) {
#define GAUSSIAN_CASE(constant)                                                                    \
    case constant:                                                                                 \
        gaussian_down_rows(target, stride, GAUSSIAN_ROWS, rows, differences, width, weights,       \
                           constant);                                                              \
        break;
        GAUSSIAN_UNROLLED(GAUSSIAN_CASE)
#undef GAUSSIAN_CASE
    default:
        gaussian_down_rows(target, stride, GAUSSIAN_ROWS, rows, differences, width, weights,
                           radius);
    }
}

/* Adds weights `first` to `last`, which span at most 8 cells. Within that distance a load of 8
 * floats stays in one cache line if it moves right from the line's start or left from its middle.
 * So each vector reads the differences to its right from the copy in which it is at a line's start,
 * and those to its left from the one in which it is at a line's middle. A load across two lines
 * takes three times as long. */
TERRAIN__INLINE void gaussian_across_taps(vfloat *sum, const float *even, const float *odd,
                                          const float *weights, uint32_t first, uint32_t last,
                                          uint32_t vectors)
{
    for (uint32_t k = first; k <= last; k++) {
        const float *right[2] = {even + k - 1, odd + k - 1};
        const float *left[2] = {odd - k, even - k};
        for (uint32_t v = 0; v < vectors; v++) {
            const size_t x = v * VEC_LANES;
            const size_t half = x / 8 % 2;
            sum[v] += gaussian_tap(right[half] + x, left[half] + x, weights[k]);
        }
    }
}

TERRAIN__INLINE void gaussian_across_patch(float *target, const float *source, const float *even,
                                           const float *odd, const float *weights, uint32_t radius,
                                           uint32_t vectors)
{
    const uint32_t nearest = radius < 8 ? radius : 8;
    vfloat sum[GAUSSIAN_ACROSS];
    for (uint32_t v = 0; v < vectors; v++) {
        sum[v] = vf_set(-0.0f);
    }
    gaussian_across_taps(sum, even, odd, weights, 1, nearest, vectors);
    gaussian_across_taps(sum, odd, even, weights, nearest + 1, radius, vectors);
    for (uint32_t v = 0; v < vectors; v++) {
        vf_store(target + v * VEC_LANES, vf_load(source + v * VEC_LANES) + sum[v]);
    }
}

static float gaussian_across_cell(const float *source, const float *differences,
                                  const float *weights, uint32_t radius)
{
    float sum = -0.0f;
    for (uint32_t k = 1; k <= radius; k++) {
        sum += (differences[k - 1] - differences[-(ptrdiff_t)k]) * weights[k];
    }
    return source[0] + sum;
}

TERRAIN__INLINE void gaussian_across_row(float *target, const float *source, const float *even,
                                         const float *odd, uint32_t width, const float *weights,
                                         uint32_t radius)
{
    enum { PATCH = GAUSSIAN_ACROSS * VEC_LANES };
    size_t x = 0;
    for (; x + PATCH <= width; x += PATCH) {
        gaussian_across_patch(target + x, source + x, even + x, odd + x, weights, radius,
                              GAUSSIAN_ACROSS);
    }
    for (; x + VEC_LANES <= width; x += VEC_LANES) {
        gaussian_across_patch(target + x, source + x, even + x, odd + x, weights, radius, 1);
    }
    if (x < width && width >= VEC_LANES) {
        x = width - VEC_LANES;
        gaussian_across_patch(target + x, source + x, even + x, odd + x, weights, radius, 1);
        return;
    }
    for (; x < width; x++) {
        target[x] = gaussian_across_cell(source + x, even + x, weights, radius);
    }
}

/* The difference from each of a vector of cells to the next cell. */
static inline vfloat gaussian_differ(const float *source)
{
    return vf_load(source + 1) - vf_load(source);
}

/* A vector of the target, from the differences of the vectors before, at and behind it. */
TERRAIN__INLINE void gaussian_across_vector(float *target, const float *source,
                                            const vfloat differences[3], const float *weights,
                                            int radius)
{
    vfloat sum = vf_set(-0.0f);
    for (int k = 1; k <= radius; k++) {
        vfloat right = k == 1 ? differences[1] : vf_slide(differences[1], differences[2], k - 1);
        vfloat left = vf_slide(differences[0], differences[1], VEC_LANES - k);
        sum += (right - left) * vf_set(weights[k]);
    }
    vf_store(target, vf_load(source) + sum);
}

/* A row of at least a vector, whose differences stay in registers. The last vector overlaps the one
 * before it. */
TERRAIN__INLINE void gaussian_across_sliding(float *target, const float *source, uint32_t width,
                                             const float *weights, int radius)
{
    vfloat differences[3] = {gaussian_differ(source - VEC_LANES), gaussian_differ(source)};
    for (size_t x = 0; x + VEC_LANES <= width; x += VEC_LANES) {
        differences[2] = gaussian_differ(source + x + VEC_LANES);
        gaussian_across_vector(target + x, source + x, differences, weights, radius);
        differences[0] = differences[1];
        differences[1] = differences[2];
    }
    if (width % VEC_LANES != 0) {
        source += width - VEC_LANES;
        for (int i = 0; i < 3; i++) {
            differences[i] = gaussian_differ(source + (i - 1) * VEC_LANES);
        }
        gaussian_across_vector(target + width - VEC_LANES, source, differences, weights, radius);
    }
}

/* Vectors of 16 lanes cross a cache line unless they start at one, so sliding is faster. */
static bool gaussian_slides(uint32_t width, uint32_t radius)
{
    return VEC_LANES == 16 && width >= VEC_LANES && radius <= 8;
}

static void gaussian_across(float *target, const float *source, float *even, float *odd,
                            uint32_t width, const float *weights, uint32_t radius)
{
    if (gaussian_slides(width, radius)) {
        switch (radius) {
#define GAUSSIAN_CASE(constant)                                                                    \
    case constant:                                                                                 \
        gaussian_across_sliding(target, source, width, weights, constant);                         \
        return;
            GAUSSIAN_SLIDING(GAUSSIAN_CASE)
#undef GAUSSIAN_CASE
        }
    }
    gaussian_differ_across(even - GAUSSIAN_PAD, odd - GAUSSIAN_PAD, source - GAUSSIAN_PAD,
                           GAUSSIAN_PAD + width + radius - 1);
    switch (radius) {
#define GAUSSIAN_CASE(constant)                                                                    \
    case constant:                                                                                 \
        gaussian_across_row(target, source, even, odd, width, weights, constant);                  \
        break;
        GAUSSIAN_UNROLLED(GAUSSIAN_CASE)
#undef GAUSSIAN_CASE
    default:
        gaussian_across_row(target, source, even, odd, width, weights, radius);
    }
}

/* ---- The pyramid ----------------------------------------------------------------------------- */

/* The binomial filter of order 6: its transfer function has a sixfold zero at the highest
 * frequency, which the halved grid can't tell from a constant. */
static inline float gaussian_halved(float a, float b, float c, float d, float e, float f, float g)
{
    const float twice = d + d;
    return d + ((((a + g) - twice) * (1 / 64.0f) + ((b + f) - twice) * (6 / 64.0f)) +
                ((c + e) - twice) * (15 / 64.0f));
}

static void gaussian_halve_down(float *restrict target, const float *const rows[7], uint32_t width)
{
    const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    const float *e = rows[4], *f = rows[5], *g = rows[6];
    for (uint32_t x = 0; x < width; x++) {
        target[x] = gaussian_halved(a[x], b[x], c[x], d[x], e[x], f[x], g[x]);
    }
}

/* A patch at a time: even and odd cells apart, so that the filter reads neighbours. */
static void gaussian_halve_across(float *restrict target, const float *source, uint32_t count)
{
    enum { PATCH = 128 };
    float even[PATCH + 3];
    float odd[PATCH + 3];
    for (uint32_t begin = 0; begin < count; begin += PATCH) {
        uint32_t patch = count - begin < PATCH ? count - begin : PATCH;
        const float *from = source + 2 * (size_t)begin;
        float *to = target + begin;
        for (uint32_t i = 0; i < patch + 3; i++) {
            even[i] = from[2 * i];
            odd[i] = from[2 * i + 1];
        }
        for (uint32_t i = 0; i < patch; i++) {
            to[i] = gaussian_halved(odd[i], even[i + 1], odd[i + 1], even[i + 2], odd[i + 2],
                                    even[i + 3], odd[i + 3]);
        }
    }
}

/* The filter 1 6 15 20 15 6 1 as an interpolation: its even and odd weights, each with sum 1. */
static inline float gaussian_even(float a, float b, float c)
{
    return b + ((a + c) - (b + b)) * (6 / 32.0f);
}

static inline float gaussian_odd(float a, float b, float c, float d)
{
    return (b + c) * 0.5f + ((a + d) - (b + c)) * (1 / 32.0f);
}

static void gaussian_double_across(float *restrict target, const float *source, uint32_t count)
{
    enum { PATCH = 128 };
    float even[PATCH];
    float odd[PATCH];
    uint32_t pairs = count / 2;
    for (uint32_t begin = 0; begin < pairs; begin += PATCH) {
        uint32_t patch = pairs - begin < PATCH ? pairs - begin : PATCH;
        const float *from = source + begin;
        float *to = target + 2 * (size_t)begin;
        for (uint32_t i = 0; i < patch; i++) {
            even[i] = gaussian_even(from[i], from[i + 1], from[i + 2]);
            odd[i] = gaussian_odd(from[i], from[i + 1], from[i + 2], from[i + 3]);
        }
        for (uint32_t i = 0; i < patch; i++) {
            to[2 * i] = even[i];
            to[2 * i + 1] = odd[i];
        }
    }
    if (count % 2 != 0) {
        const float *from = source + pairs;
        target[2 * (size_t)pairs] = gaussian_even(from[0], from[1], from[2]);
    }
}

static void gaussian_double_down(float *restrict even, float *restrict odd,
                                 const float *const rows[4], uint32_t width)
{
    const float *a = rows[0], *b = rows[1], *c = rows[2], *d = rows[3];
    if (even != NULL && odd != NULL) {
        for (uint32_t x = 0; x < width; x++) {
            const float above = a[x], centre = b[x], below = c[x];
            even[x] = gaussian_even(above, centre, below);
            odd[x] = gaussian_odd(above, centre, below, d[x]);
        }
    } else if (even != NULL) {
        for (uint32_t x = 0; x < width; x++) {
            even[x] = gaussian_even(a[x], b[x], c[x]);
        }
    } else if (odd != NULL) {
        for (uint32_t x = 0; x < width; x++) {
            odd[x] = gaussian_odd(a[x], b[x], c[x], d[x]);
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
    gaussian_differ_down,  gaussian_down,          gaussian_across,      gaussian_halve_down,
    gaussian_halve_across, gaussian_double_across, gaussian_double_down, gaussian_scale,
};
