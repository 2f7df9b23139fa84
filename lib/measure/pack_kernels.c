/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "measure/pack_kernels.h"

#include "vector/vec.h"

/* Truncation rounds down here, since nothing is negative. The first comparison is false for NaN. */
static inline int32_t pack_cut(float h, float low, float scale, float most)
{
    float v = (h - low) * scale;
    v = v > 0 ? v : 0;
    v = v < most ? v : most;
    return (int32_t)(v + 0.5f);
}

/* The same of VEC_LANES cells, before they are cut to 255 and, by pack_store_u8, to 0. */
static inline vint pack_cut_lanes(vfloat v)
{
    /* The second operand where that is NaN. */
    v = vf_min(vf_set(255), v);
#if TERRAIN_KERNEL_LEVEL == 1
    return (vint)_mm256_cvttps_epi32((__m256)(v + vf_set(0.5f)));
#elif TERRAIN_KERNEL_LEVEL == 0 && defined(__SSE2__) && VEC_LANES == 4
    return (vint)_mm_cvttps_epi32((__m128)(v + vf_set(0.5f)));
#else
    v = vf_max(v, vf_set(0));
    return vi_from_float(v + vf_set(0.5f));
#endif
}

/* Four vectors as bytes; what is negative becomes 0, at the levels where pack_cut_lanes leaves it.
 * gcc's own narrowing takes longer than all the rest. */
static inline void pack_store_u8(uint8_t *target, const vint q[4])
{
#if TERRAIN_KERNEL_LEVEL == 2
    for (int k = 0; k < 4; k++) {
        _mm_storeu_si128((__m128i *)(void *)(target + 16 * k), _mm512_cvtepi32_epi8((__m512i)q[k]));
    }
#elif TERRAIN_KERNEL_LEVEL == 1
    /* Packing works within each half: four bytes of q[0], q[1], q[2], q[3], then the other four. */
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i low = _mm256_packs_epi32((__m256i)q[0], (__m256i)q[1]);
    __m256i high = _mm256_packs_epi32((__m256i)q[2], (__m256i)q[3]);
    __m256i bytes = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
    _mm256_storeu_si256((__m256i *)(void *)target, bytes);
#elif defined(__SSE2__) && VEC_LANES == 4
    __m128i low = _mm_packs_epi32((__m128i)q[0], (__m128i)q[1]);
    __m128i high = _mm_packs_epi32((__m128i)q[2], (__m128i)q[3]);
    _mm_storeu_si128((__m128i *)(void *)target, _mm_packus_epi16(low, high));
#else
    int32_t lanes[4 * VEC_LANES];
    memcpy(lanes, q, sizeof lanes);
    for (int k = 0; k < 4 * VEC_LANES; k++) {
        target[k] = (uint8_t)lanes[k];
    }
#endif
}

/* From 0, which is constant here, the usual range of masks and shades, there is nothing to take
 * away: a third faster. */
TERRAIN__INLINE void pack_to_u8_from(uint8_t *restrict target, const float *restrict source,
                                     uint32_t width, float low, float scale)
{
    enum { STEP = 4 * VEC_LANES };
    size_t i = 0;
    for (; i + STEP <= width; i += STEP) {
        vint q[4];
        for (size_t k = 0; k < 4; k++) {
            q[k] =
                pack_cut_lanes((vf_load(source + i + k * VEC_LANES) - vf_set(low)) * vf_set(scale));
        }
        pack_store_u8(target + i, q);
    }
    for (; i < width; i++) {
        target[i] = (uint8_t)pack_cut(source[i], low, scale, 255);
    }
}

static void pack_to_u8(uint8_t *restrict target, const float *restrict source, uint32_t width,
                       float low, float scale)
{
    if (low == 0) {
        pack_to_u8_from(target, source, width, 0, scale);
    } else {
        pack_to_u8_from(target, source, width, low, scale);
    }
}

static void pack_to_u16(uint16_t *restrict target, const float *restrict source, uint32_t width,
                        float low, float scale)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = (uint16_t)pack_cut(source[i], low, scale, 65535);
    }
}

static void pack_from_u8(float *restrict target, const uint8_t *restrict source, uint32_t width,
                         double low, double step)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = (float)(low + (double)source[i] * step);
    }
}

static void pack_from_u16(float *restrict target, const uint16_t *restrict source, uint32_t width,
                          double low, double step)
{
    for (uint32_t i = 0; i < width; i++) {
        target[i] = (float)(low + (double)source[i] * step);
    }
}

const struct pack_kernels TERRAIN__KERNELS(pack) = {pack_to_u8, pack_to_u16, pack_from_u8,
                                                    pack_from_u16};
