/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The vectors of vector/vec.h by AVX2: eight lanes. */

#ifndef TERRAIN_VECTOR_VEC_AVX2_H
#define TERRAIN_VECTOR_VEC_AVX2_H

#include <immintrin.h>

#define VEC_LANES 8
#define VEC_LONGS 4
#define VEC_HAS_FLOOR
#define VEC_HAS_LOOKUP_FOUR
#define VEC_HAS_LOOKUP_OF
#define VEC_HAS_SLIDE
#define VEC_HAS_STORE_OCTETS
#define VEC_HAS_STORE_WHERE
#define VEC_HAS_STREAM
#define VEC_HAS_TURN_QUADS

#include "vector/vec_types.h"

static inline vuint vu_lane(void)
{
    return (vuint){0, 1, 2, 3, 4, 5, 6, 7};
}

/* ---- Comparison and choice ------------------------------------------------------------------- */

static inline uint32_t vm_bits(vmask m)
{
    return (uint32_t)_mm256_movemask_ps((__m256)m);
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return (vfloat)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)m);
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return (vint)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)m);
}

/* ---- Arithmetic that has no operator --------------------------------------------------------- */

static inline vfloat vf_min(vfloat a, vfloat b)
{
    return (vfloat)_mm256_min_ps((__m256)a, (__m256)b);
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
    return (vfloat)_mm256_max_ps((__m256)a, (__m256)b);
}

static inline vfloat vf_sqrt(vfloat v)
{
    return (vfloat)_mm256_sqrt_ps((__m256)v);
}

static inline vfloat vf_floor_loose(vfloat v)
{
    return (vfloat)_mm256_floor_ps((__m256)v);
}

/* ---- Across lanes ---------------------------------------------------------------------------- */

static inline vfloat vf_lookup(const float *table, vuint index)
{
    return (vfloat)_mm256_permutevar8x32_ps((__m256)vf_load(table), (__m256i)index);
}

/* Each bit of the index above the lowest three, shifted to the sign, chooses between halves of the
 * table. */
TERRAIN__INLINE vfloat vf_lookup_of(const float *table, vuint index, int vectors)
{
    vfloat v[8];
    for (int k = 0; k < vectors; k++) {
        v[k] = vf_lookup(table + 8 * k, index);
    }
    for (int halves = vectors / 2, up = 28; halves > 0; halves /= 2, up--) {
        for (int k = 0; k < halves; k++) {
            v[k] = vf_select((vmask)(index << up), v[2 * k + 1], v[2 * k]);
        }
    }
    return v[0];
}

static inline vfloat vf_lookup_four(const float *table, vuint index)
{
    const __m256 twice = _mm256_broadcast_ps((const __m128 *)table);
    return (vfloat)_mm256_permutevar_ps(twice, (__m256i)index);
}

static inline vfloat vf_lookup_fours(const float *a, const float *b, vuint index)
{
    const __m256 table = _mm256_set_m128(_mm_loadu_ps(b), _mm_loadu_ps(a));
    return (vfloat)_mm256_permutevar8x32_ps(table, (__m256i)index);
}

/* Four lanes at a time. */
static inline uint32_t vf_store_where(float *to, vfloat v, vmask kept)
{
    static const uint8_t order[16][4] = {
        {0}, {0},    {1},    {0, 1},    {2},    {0, 2},    {1, 2},    {0, 1, 2},
        {3}, {0, 3}, {1, 3}, {0, 1, 3}, {2, 3}, {0, 2, 3}, {1, 2, 3}, {0, 1, 2, 3}};
    const uint32_t bits = vm_bits(kept), count = (uint32_t)__builtin_popcount(bits & 15);
    int32_t low, high;
    memcpy(&low, order[bits & 15], sizeof low);
    memcpy(&high, order[bits >> 4], sizeof high);
    _mm_storeu_ps(to, _mm_permutevar_ps(_mm256_castps256_ps128((__m256)v),
                                        _mm_cvtepu8_epi32(_mm_cvtsi32_si128(low))));
    _mm_storeu_ps(to + count, _mm_permutevar_ps(_mm256_extractf128_ps((__m256)v, 1),
                                                _mm_cvtepu8_epi32(_mm_cvtsi32_si128(high))));
    return (uint32_t)__builtin_popcount(bits);
}

static inline vint vi_scan(vint v)
{
    __m256i low;
    v += (vint)_mm256_slli_si256((__m256i)v, 4);
    v += (vint)_mm256_slli_si256((__m256i)v, 8);
    low = _mm256_permute2x128_si256((__m256i)v, (__m256i)v, 0x08);
    return v + (vint)_mm256_shuffle_epi32(low, 0xFF);
}

static inline vint vi_last(vint v)
{
    return (vint)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_set1_epi32(7));
}

static inline vint vi_least_beside(vint v)
{
    __m256i least = _mm256_min_epi32((__m256i)v, _mm256_shuffle_epi32((__m256i)v, 0x4E));
    return (vint)_mm256_min_epi32(least, _mm256_shuffle_epi32(least, 0xB1));
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static inline vint vi_load_bytes(const uint8_t *from)
{
    return (vint)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
}

static inline void vi_store_bytes(uint8_t *to, vint v)
{
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128((__m256i)v),
                                    _mm256_extracti128_si256((__m256i)v, 1));
    _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(words, words));
}

/* Negative numbers and NaN convert to negative integers, which packing clamps to 0. Packing works
 * within each half: four bytes of q[0], q[1], q[2], q[3], then the other four. */
static inline void vf_store_rounded(uint8_t *to, const vfloat v[4])
{
    const __m256i order = _mm256_setr_epi32(0, 4, 1, 5, 2, 6, 3, 7);
    __m256i q[4], low, high;
    for (int k = 0; k < 4; k++) {
        q[k] = _mm256_cvttps_epi32((__m256)(vf_min(vf_set(255), v[k]) + vf_set(0.5f)));
    }
    low = _mm256_packs_epi32(q[0], q[1]);
    high = _mm256_packs_epi32(q[2], q[3]);
    low = _mm256_permutevar8x32_epi32(_mm256_packus_epi16(low, high), order);
    _mm256_storeu_si256((__m256i *)(void *)to, low);
}

/* ---- Interleaving ---------------------------------------------------------------------------- */

static inline void vf_store_pairs(float *to, vfloat a, vfloat b)
{
    __m256 low = _mm256_unpacklo_ps((__m256)a, (__m256)b);
    __m256 high = _mm256_unpackhi_ps((__m256)a, (__m256)b);
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(low, high, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(low, high, 0x31));
}

static inline void vf_store_triples(float *to, vfloat a, vfloat b, vfloat c)
{
    /* Within each half: a0 b0 c0 a1, b1 c1 a2 b2, c2 a3 b3 c3. */
    const __m256 x = (__m256)a, y = (__m256)b, z = (__m256)c;
    const __m256 xy01 = _mm256_unpacklo_ps(x, y), xy23 = _mm256_unpackhi_ps(x, y);
    const __m256 z0_x1 = _mm256_shuffle_ps(z, x, _MM_SHUFFLE(1, 1, 0, 0));
    const __m256 y1_z1 = _mm256_shuffle_ps(y, z, _MM_SHUFFLE(1, 1, 1, 1));
    const __m256 z2_x3 = _mm256_shuffle_ps(z, x, _MM_SHUFFLE(3, 3, 2, 2));
    const __m256 y3_z3 = _mm256_shuffle_ps(y, z, _MM_SHUFFLE(3, 3, 3, 3));
    const __m256 first = _mm256_shuffle_ps(xy01, z0_x1, _MM_SHUFFLE(2, 0, 1, 0));
    const __m256 second = _mm256_shuffle_ps(y1_z1, xy23, _MM_SHUFFLE(1, 0, 2, 0));
    const __m256 third = _mm256_shuffle_ps(z2_x3, y3_z3, _MM_SHUFFLE(2, 0, 2, 0));
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(first, second, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(third, first, 0x30));
    _mm256_storeu_ps(to + 16, _mm256_permute2f128_ps(second, third, 0x31));
}

/* k is part of the instruction, so it must be a literal. */
TERRAIN__INLINE vfloat vf_slide(vfloat a, vfloat b, int k)
{
    const __m256i low = (__m256i)a, high = (__m256i)b;
    const __m256i middle = _mm256_permute2x128_si256(low, high, 0x21);
    switch (k) {
    case 1:
        return (vfloat)_mm256_alignr_epi8(middle, low, 4);
    case 2:
        return (vfloat)_mm256_alignr_epi8(middle, low, 8);
    case 3:
        return (vfloat)_mm256_alignr_epi8(middle, low, 12);
    case 4:
        return (vfloat)middle;
    case 5:
        return (vfloat)_mm256_alignr_epi8(high, middle, 4);
    case 6:
        return (vfloat)_mm256_alignr_epi8(high, middle, 8);
    default:
        return (vfloat)_mm256_alignr_epi8(high, middle, 12);
    }
}

static inline void vf_part(vfloat a, vfloat b, vfloat *even, vfloat *odd)
{
    __m256 low = _mm256_permute2f128_ps((__m256)a, (__m256)b, 0x20);
    __m256 high = _mm256_permute2f128_ps((__m256)a, (__m256)b, 0x31);
    *even = (vfloat)_mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0));
    *odd = (vfloat)_mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1));
}

/* Transposes the 4 by 4 floats in lanes 0 to 3 of the four vectors, and those in lanes 4 to 7. */
static inline void vec_turn_quads(__m256 q[4])
{
    __m256 low01 = _mm256_unpacklo_ps(q[0], q[1]), low23 = _mm256_unpacklo_ps(q[2], q[3]);
    __m256 high01 = _mm256_unpackhi_ps(q[0], q[1]), high23 = _mm256_unpackhi_ps(q[2], q[3]);
    q[0] = _mm256_shuffle_ps(low01, low23, 0x44);
    q[1] = _mm256_shuffle_ps(low01, low23, 0xEE);
    q[2] = _mm256_shuffle_ps(high01, high23, 0x44);
    q[3] = _mm256_shuffle_ps(high01, high23, 0xEE);
}

static inline __m256 vec_two_quads(const float *a, const float *b)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(a)), _mm_loadu_ps(b), 1);
}

/* Two floats each at a and b. */
static inline __m128 vec_two_pairs(const float *a, const float *b)
{
    __m128 low = _mm_castsi128_ps(_mm_loadl_epi64((const void *)a));
    return _mm_loadh_pi(low, (const void *)b);
}

static inline void vf_load_squares(vfloat q[4], const float *from, size_t stride,
                                   const int32_t *offsets)
{
    __m128 above[4], below[4];
    for (int i = 0; i < 4; i++) {
        const float *a = from + offsets[2 * i], *b = from + offsets[2 * i + 1];
        above[i] = vec_two_pairs(a, b);
        below[i] = vec_two_pairs(a + stride, b + stride);
    }
    vf_part((vfloat)_mm256_set_m128(above[1], above[0]),
            (vfloat)_mm256_set_m128(above[3], above[2]), &q[0], &q[1]);
    vf_part((vfloat)_mm256_set_m128(below[1], below[0]),
            (vfloat)_mm256_set_m128(below[3], below[2]), &q[2], &q[3]);
}

static inline void vf_turn_quads(vfloat v[4])
{
    for (int k = 0; k < 4; k += 2) {
        __m256 a = (__m256)v[k], b = (__m256)v[k + 1];
        v[k] = (vfloat)_mm256_permute2f128_ps(a, b, 0x20);
        v[k + 1] = (vfloat)_mm256_permute2f128_ps(a, b, 0x31);
    }
}

static inline void vf_load_quads(vfloat q[4], const float *from, const int32_t *offsets)
{
    __m256 rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = vec_two_quads(from + offsets[i], from + offsets[i + 4]);
    }
    vec_turn_quads(rows);
    for (int k = 0; k < 4; k++) {
        q[k] = (vfloat)rows[k];
    }
}

static inline void vf_store_quads(float *to, size_t step, const vfloat q[4])
{
    __m256 rows[4] = {(__m256)q[0], (__m256)q[1], (__m256)q[2], (__m256)q[3]};
    vec_turn_quads(rows);
    for (size_t i = 0; i < 4; i++) {
        _mm_storeu_ps(to + i * step, _mm256_castps256_ps128(rows[i]));
        _mm_storeu_ps(to + (i + 4) * step, _mm256_extractf128_ps(rows[i], 1));
    }
}

static inline void vf_store_octets(float *to, const vfloat q[8])
{
    __m256 low[4] = {(__m256)q[0], (__m256)q[1], (__m256)q[2], (__m256)q[3]};
    __m256 high[4] = {(__m256)q[4], (__m256)q[5], (__m256)q[6], (__m256)q[7]};
    vec_turn_quads(low);
    vec_turn_quads(high);
    for (size_t i = 0; i < 4; i++) {
        _mm256_storeu_ps(to + 8 * i, _mm256_permute2f128_ps(low[i], high[i], 0x20));
        _mm256_storeu_ps(to + 8 * (i + 4), _mm256_permute2f128_ps(low[i], high[i], 0x31));
    }
}

/* Four columns at a time: q[i] holds them in rows i and i + 4. */
static inline void vf_transpose(float *to, size_t to_stride, const float *from, size_t from_stride)
{
    for (size_t column = 0; column < 8; column += 4) {
        __m256 q[4];
        for (size_t i = 0; i < 4; i++) {
            const float *row = from + i * from_stride + column;
            q[i] = vec_two_quads(row, row + 4 * from_stride);
        }
        vec_turn_quads(q);
        for (size_t i = 0; i < 4; i++) {
            _mm256_storeu_ps(to + (column + i) * to_stride, q[i]);
        }
    }
}

/* ---- Longs and doubles ----------------------------------------------------------------------- */

#include "vector/vec_longs.h"

static inline vfloat vf_from_doubles(const vdouble v[2])
{
    __m256 low = _mm256_castps128_ps256(_mm256_cvtpd_ps((__m256d)v[0]));
    return (vfloat)_mm256_insertf128_ps(low, _mm256_cvtpd_ps((__m256d)v[1]), 1);
}

/* The lower half of the bits becomes the mantissa of 2^52 + low, the upper half, its sign flipped,
 * that of 2^84 + 2^63 + 2^32 high. The constants are subtracted exactly; only the last sum is
 * rounded. */
static inline vdouble vd_from_long(vlong v)
{
    const __m256i lower = _mm256_set1_epi64x(0x4330000000000000);   /* 2^52 */
    const __m256i upper = _mm256_set1_epi64x(0x4530000080000000);   /* 2^84 + 2^63 */
    const __m256i surplus = _mm256_set1_epi64x(0x4530000080100000); /* 2^84 + 2^63 + 2^52 */
    __m256i low = _mm256_blend_epi32(lower, (__m256i)v, 0x55);
    __m256i high = _mm256_xor_si256(_mm256_srli_epi64((__m256i)v, 32), upper);
    return ((vdouble)high - (vdouble)surplus) + (vdouble)low;
}

/* ---- Past the caches ------------------------------------------------------------------------- */

static inline void vf_stream(float *to, vfloat v)
{
    _mm256_stream_ps(to, (__m256)v);
}

#endif
