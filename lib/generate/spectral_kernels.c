/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "generate/spectral_kernels.h"

#include <stdbool.h>

#include "vector/power_vec.h"
#include "vector/random_vec.h"
#include "vector/vec.h"

/* ---- Amplitudes ------------------------------------------------------------------------------ */

static void spectral_add_power(double *power, const float *line)
{
    for (int i = 0; i < SPECTRAL_LANES; i++) {
        double re = (double)line[i], im = (double)line[SPECTRAL_LANES + i];
        power[i] += re * re + im * im;
    }
}

static void spectral_amplitudes(float *line, double *power, const struct spectral_waves *waves)
{
    for (uint32_t i = 0; i < SPECTRAL_LANES; i += VEC_LANES) {
        vuint x = vu_set(waves->x + i) + vu_lane();
        vfloat real = vf_from_int(vi_from_bits(x));
        vfloat squared = real * real + vf_set(waves->y_squared);
        vfloat filter = vf_exp2(vf_set(waves->exponent) * vf_log2_with(squared, 0.412198597f));
        vfloat re = vf_bell(vu_random_bits(waves->streams[0], x));
        vfloat im = vf_bell(vu_random_bits(waves->streams[1], x));
        vf_store(line + i, re * filter);
        vf_store(line + SPECTRAL_LANES + i, im * filter);
    }
    spectral_add_power(power, line);
}

/* ---- Transforms ------------------------------------------------------------------------------ */

/* Stockham's form of the fast Fourier transform: each stage reads one buffer and writes the other
 * in such an order that the last one leaves the result in its own. The first stage has transforms
 * of `count` points, `stride` is 1; each further one has four times as many, of a quarter. */

struct spectral_turn {
    vfloat re, im;
};

static inline struct spectral_turn spectral_turn_at(const float *turns, size_t index)
{
    struct spectral_turn turn = {vf_set(turns[2 * index]), vf_set(turns[2 * index + 1])};
    return turn;
}

TERRAIN__INLINE void spectral_put(float *to, vfloat re, vfloat im, struct spectral_turn turn,
                                  bool turned)
{
    vf_store(to, turned ? re * turn.re - im * turn.im : re);
    vf_store(to + SPECTRAL_LANES, turned ? re * turn.im + im * turn.re : im);
}

/* Points a, b, c, d, a quarter of the transform apart, become four sums, next to each other. */
TERRAIN__INLINE void spectral_four(float *to, size_t stride, const float *from, size_t quarter,
                                   const struct spectral_turn turns[3], bool turned)
{
    for (uint32_t i = 0; i < SPECTRAL_LANES; i += VEC_LANES) {
        const float *a = from + i, *b = a + quarter, *c = b + quarter, *d = c + quarter;
        vfloat are = vf_load(a), aim = vf_load(a + SPECTRAL_LANES);
        vfloat bre = vf_load(b), bim = vf_load(b + SPECTRAL_LANES);
        vfloat cre = vf_load(c), cim = vf_load(c + SPECTRAL_LANES);
        vfloat dre = vf_load(d), dim = vf_load(d + SPECTRAL_LANES);
        vfloat acre = are + cre, acim = aim + cim, bdre = bre + dre, bdim = bim + dim;
        vfloat xre = are - cre, xim = aim - cim, yre = bre - dre, yim = bim - dim;
        spectral_put(to + i, acre + bdre, acim + bdim, turns[0], false);
        spectral_put(to + i + stride, xre - yim, xim + yre, turns[0], turned);
        spectral_put(to + i + 2 * stride, acre - bdre, acim - bdim, turns[1], turned);
        spectral_put(to + i + 3 * stride, xre + yim, xim - yre, turns[2], turned);
    }
}

static void spectral_stage(float *to, const float *from, const float *turns, uint32_t count,
                           uint32_t stride)
{
    const size_t quarter = (size_t)count / 4 * SPECTRAL_LINE;
    const size_t step = (size_t)stride * SPECTRAL_LINE;
    struct spectral_turn turn[3] = {
        {vf_set(1), vf_set(0)}, {vf_set(1), vf_set(0)}, {vf_set(1), vf_set(0)}};
    for (uint32_t q = 0; q < stride; q++) {
        const size_t line = (size_t)q * SPECTRAL_LINE;
        spectral_four(to + line, step, from + line, quarter, turn, false);
    }
    for (uint32_t p = stride; p < count / 4; p += stride) {
        for (uint32_t k = 0; k < 3; k++) {
            turn[k] = spectral_turn_at(turns, (size_t)(k + 1) * p);
        }
        for (uint32_t q = 0; q < stride; q++) {
            const float *line = from + (size_t)(p + q) * SPECTRAL_LINE;
            spectral_four(to + (size_t)(4 * p + q) * SPECTRAL_LINE, step, line, quarter, turn,
                          true);
        }
    }
}

/* The last stage if the number of points is no power of four: sums of two. */
static void spectral_last_stage(float *to, const float *from, uint32_t count)
{
    const size_t half = (size_t)count / 2 * SPECTRAL_LINE;
    TERRAIN__INDEPENDENT
    for (size_t i = 0; i < half; i++) {
        float a = from[i], b = from[half + i];
        to[i] = a + b;
        to[half + i] = a - b;
    }
}

static float *spectral_transform(float *lines, float *other, const float *turns, uint32_t count)
{
    for (uint32_t stride = 1; stride < count;) {
        float *from = lines;
        if (stride == count / 2) {
            spectral_last_stage(other, lines, count);
            stride *= 2;
        } else {
            spectral_stage(other, lines, turns, count, stride);
            stride *= 4;
        }
        lines = other;
        other = from;
    }
    return lines;
}

static void spectral_join(float *line, float *mirrored, const float *first, const float *second,
                          float scale)
{
    const size_t lanes = SPECTRAL_LANES;
    const vfloat s = vf_set(scale);
    for (size_t i = 0; i < lanes; i += VEC_LANES) {
        vfloat are = vf_load(first + i), aim = vf_load(first + lanes * lanes + i);
        vfloat bre = vf_load(second + i), bim = vf_load(second + lanes * lanes + i);
        vf_store(line + i, (are - bim) * s);
        vf_store(line + lanes + i, (aim + bre) * s);
        vf_store(mirrored + i, (are + bim) * s);
        vf_store(mirrored + lanes + i, (bre - aim) * s);
    }
}

const struct spectral_kernels TERRAIN__KERNELS(spectral) = {spectral_amplitudes, spectral_transform,
                                                            spectral_join};
