/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "generate/diamond_square_kernels.h"

#include "core/random.h"
#include "core/vec.h"
#include "terrain/generate.h"

/* ---- Random numbers --------------------------------------------------------------------------- */

static inline vfloat diamond_square_gaussian(vuint bits)
{
    return vf_bell(bits) * vf_set(0x1p-8f);
}

/* The same for columns that share their high word. */
static inline void diamond_square_noise_part(float *out, uint32_t count, uint64_t column,
                                             uint32_t x, uint32_t stride, float amplitude,
                                             uint32_t distribution)
{
    vuint at = vu_set(x) + vu_lane() * vu_set(stride);
    if (distribution == TERRAIN_DISTRIBUTION_UNIFORM) {
        for (uint32_t i = 0; i < count; i += VEC_LANES) {
            vf_store(out + i, vf_set(amplitude) * vf_signed(vu_random_bits(column, at)));
            at += vu_set(stride * VEC_LANES);
        }
    } else {
        for (uint32_t i = 0; i < count; i += VEC_LANES) {
            vf_store(out + i,
                     vf_set(amplitude) * diamond_square_gaussian(vu_random_bits(column, at)));
            at += vu_set(stride * VEC_LANES);
        }
    }
}

static void diamond_square_noise_row(float *out, uint32_t count, uint64_t row, int64_t x,
                                     uint32_t stride, float amplitude, uint32_t distribution)
{
    for (uint32_t i = 0, n; i < count; i += n) {
        int64_t at = x + (int64_t)stride * i;
        uint64_t left = (UINT64_C(0x100000000) - (uint32_t)at + stride - 1) / stride;
        n = left < count - i ? (uint32_t)left : count - i;
        diamond_square_noise_part(out + i, n, terrain__random_column(row, at), (uint32_t)at, stride,
                                  amplitude, distribution);
    }
}

/* ---- Means ------------------------------------------------------------------------------------ */

static inline vfloat diamond_square_mean2(vfloat a, vfloat b)
{
    return (a + b) * vf_set(0.5f);
}

/* Opposite points come in pairs, so that flips and quarter turns change no bit. */
static inline vfloat diamond_square_mean4(vfloat a, vfloat b, vfloat c, vfloat d)
{
    return ((a + b) + (c + d)) * vf_set(0.25f);
}

static void diamond_square_centres(float *out, const float *upper, const float *lower,
                                   const float *noise, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vfloat mean = diamond_square_mean4(vf_load(upper + i), vf_load(lower + i + 1),
                                           vf_load(upper + i + 1), vf_load(lower + i));
        vf_store(out + i, mean + vf_load(noise + i));
    }
}

/* Pairs into a row that ends with the map's. */
static inline void diamond_square_put(float *out, uint32_t i, uint32_t count, vfloat even,
                                      vfloat odd)
{
    if (count - i >= VEC_LANES) {
        vf_store_pairs(out + 2 * (size_t)i, even, odd);
    } else {
        float line[2 * VEC_LANES];
        vf_store_pairs(line, even, odd);
        memcpy(out + 2 * (size_t)i, line, 2 * (count - i) * sizeof *out);
    }
}

static void diamond_square_odd_row(float *out, const float *upper, const float *lower,
                                   const float *centres, const float *noise, uint32_t count,
                                   uint32_t rule)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vfloat up = vf_load(upper + i);
        vfloat down = vf_load(lower + i);
        vfloat right = vf_load(centres + i + 1);
        vfloat mean = rule == TERRAIN_SQUARE_RULE_EDGE2
                          ? diamond_square_mean2(up, down)
                          : diamond_square_mean4(up, down, vf_load(centres + i), right);
        diamond_square_put(out, i, count, mean + vf_load(noise + i), right);
    }
}

static void diamond_square_even_row(float *out, const float *corners, const float *shift,
                                    const float *above, const float *below, const float *noise,
                                    uint32_t count, uint32_t rule)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vfloat left = vf_load(corners + i);
        vfloat right = vf_load(corners + i + 1);
        vfloat mean =
            rule == TERRAIN_SQUARE_RULE_EDGE2
                ? diamond_square_mean2(left, right)
                : diamond_square_mean4(vf_load(above + i), vf_load(below + i), left, right);
        if (shift != NULL) {
            left = left + vf_load(shift + i);
        }
        diamond_square_put(out, i, count, left, mean + vf_load(noise + i));
    }
}

const struct diamond_square_kernels TERRAIN__KERNELS(diamond_square) = {
    diamond_square_noise_row,
    diamond_square_centres,
    diamond_square_odd_row,
    diamond_square_even_row,
};
