/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The vectors of vector/vec.h by SSE2, which every x86-64 has: four lanes. */

#ifndef TERRAIN_VECTOR_VEC_SSE2_H
#define TERRAIN_VECTOR_VEC_SSE2_H

#include <emmintrin.h>

#define VEC_LANES 4
#define VEC_LONGS 2
#define VEC_HAS_STREAM

#include "vector/vec_types.h"

static inline vuint vu_lane(void)
{
    return (vuint){0, 1, 2, 3};
}

/* ---- Comparison and choice ------------------------------------------------------------------- */

static inline uint32_t vm_bits(vmask m)
{
    return (uint32_t)_mm_movemask_ps((__m128)m);
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return (m & yes) | (~m & no);
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return (vfloat)vi_select(m, (vint)yes, (vint)no);
}

/* ---- Arithmetic that has no operator --------------------------------------------------------- */

static inline vfloat vf_min(vfloat a, vfloat b)
{
    return (vfloat)_mm_min_ps((__m128)a, (__m128)b);
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
    return (vfloat)_mm_max_ps((__m128)a, (__m128)b);
}

static inline vfloat vf_sqrt(vfloat v)
{
    return (vfloat)_mm_sqrt_ps((__m128)v);
}

/* ---- Across lanes ---------------------------------------------------------------------------- */

static inline vfloat vf_lookup(const float *table, vuint index)
{
    uint32_t at[4];
    memcpy(at, &index, sizeof at);
    return (vfloat){table[at[0]], table[at[1]], table[at[2]], table[at[3]]};
}

static inline vint vi_scan(vint v)
{
    v += (vint)_mm_slli_si128((__m128i)v, 4);
    v += (vint)_mm_slli_si128((__m128i)v, 8);
    return v;
}

static inline vint vi_last(vint v)
{
    return (vint)_mm_shuffle_epi32((__m128i)v, 0xFF);
}

static inline vint vi_least_beside(vint v)
{
    vint other = (vint)_mm_shuffle_epi32((__m128i)v, 0xB1);
    return vi_select(vi_less(v, other), v, other);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static inline vint vi_load_bytes(const uint8_t *from)
{
    int32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    return (vint)_mm_unpacklo_epi16(words, _mm_setzero_si128());
}

static inline void vi_store_bytes(uint8_t *to, vint v)
{
    __m128i words = _mm_packs_epi32((__m128i)v, (__m128i)v);
    int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
    memcpy(to, &bytes, sizeof bytes);
}

/* Negative numbers and NaN convert to negative integers, which packing clamps to 0. */
static inline void vf_store_rounded(uint8_t *to, const vfloat v[4])
{
    __m128i q[4], low, high;
    for (int k = 0; k < 4; k++) {
        q[k] = _mm_cvttps_epi32((__m128)(vf_min(vf_set(255), v[k]) + vf_set(0.5f)));
    }
    low = _mm_packs_epi32(q[0], q[1]);
    high = _mm_packs_epi32(q[2], q[3]);
    _mm_storeu_si128((__m128i *)(void *)to, _mm_packus_epi16(low, high));
}

/* ---- Interleaving ---------------------------------------------------------------------------- */

static inline void vf_store_pairs(float *to, vfloat a, vfloat b)
{
    _mm_storeu_ps(to, _mm_unpacklo_ps((__m128)a, (__m128)b));
    _mm_storeu_ps(to + 4, _mm_unpackhi_ps((__m128)a, (__m128)b));
}

static inline void vf_store_triples(float *to, vfloat a, vfloat b, vfloat c)
{
    const __m128 x = (__m128)a, y = (__m128)b, z = (__m128)c;
    const __m128 xy01 = _mm_unpacklo_ps(x, y), xy23 = _mm_unpackhi_ps(x, y);
    const __m128 z0_x1 = _mm_shuffle_ps(z, x, _MM_SHUFFLE(1, 1, 0, 0));
    const __m128 y1_z1 = _mm_shuffle_ps(y, z, _MM_SHUFFLE(1, 1, 1, 1));
    const __m128 z2_x3 = _mm_shuffle_ps(z, x, _MM_SHUFFLE(3, 3, 2, 2));
    const __m128 y3_z3 = _mm_shuffle_ps(y, z, _MM_SHUFFLE(3, 3, 3, 3));
    _mm_storeu_ps(to, _mm_shuffle_ps(xy01, z0_x1, _MM_SHUFFLE(2, 0, 1, 0)));
    _mm_storeu_ps(to + 4, _mm_shuffle_ps(y1_z1, xy23, _MM_SHUFFLE(1, 0, 2, 0)));
    _mm_storeu_ps(to + 8, _mm_shuffle_ps(z2_x3, y3_z3, _MM_SHUFFLE(2, 0, 2, 0)));
}

static inline void vf_part(vfloat a, vfloat b, vfloat *even, vfloat *odd)
{
    *even = (vfloat)_mm_shuffle_ps((__m128)a, (__m128)b, _MM_SHUFFLE(2, 0, 2, 0));
    *odd = (vfloat)_mm_shuffle_ps((__m128)a, (__m128)b, _MM_SHUFFLE(3, 1, 3, 1));
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
    vfloat above[2], below[2];
    for (int i = 0; i < 2; i++) {
        const float *a = from + offsets[2 * i], *b = from + offsets[2 * i + 1];
        above[i] = (vfloat)vec_two_pairs(a, b);
        below[i] = (vfloat)vec_two_pairs(a + stride, b + stride);
    }
    vf_part(above[0], above[1], &q[0], &q[1]);
    vf_part(below[0], below[1], &q[2], &q[3]);
}

static inline void vf_load_quads(vfloat q[4], const float *from, const int32_t *offsets)
{
    __m128 rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = _mm_loadu_ps(from + offsets[i]);
    }
    _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
    for (int k = 0; k < 4; k++) {
        q[k] = (vfloat)rows[k];
    }
}

static inline void vf_store_quads(float *to, size_t step, const vfloat q[4])
{
    __m128 rows[4] = {(__m128)q[0], (__m128)q[1], (__m128)q[2], (__m128)q[3]};
    _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
    for (size_t i = 0; i < 4; i++) {
        _mm_storeu_ps(to + i * step, rows[i]);
    }
}

static inline void vf_transpose(float *to, size_t to_stride, const float *from, size_t from_stride)
{
    __m128 rows[4];
    for (size_t i = 0; i < 4; i++) {
        rows[i] = _mm_loadu_ps(from + i * from_stride);
    }
    _MM_TRANSPOSE4_PS(rows[0], rows[1], rows[2], rows[3]);
    for (size_t i = 0; i < 4; i++) {
        _mm_storeu_ps(to + i * to_stride, rows[i]);
    }
}

/* ---- Longs and doubles ----------------------------------------------------------------------- */

static inline vdouble vd_load_floats(const float *from)
{
    return (vdouble)_mm_cvtps_pd(
        _mm_castsi128_ps(_mm_loadl_epi64((const __m128i *)(const void *)from)));
}

static inline vfloat vf_from_doubles(const vdouble v[2])
{
    return (vfloat)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)v[0]), _mm_cvtpd_ps((__m128d)v[1]));
}

/* The lower half of the bits becomes the mantissa of 2^52 + low, the upper half, its sign flipped,
 * that of 2^84 + 2^63 + 2^32 high. The constants are subtracted exactly; only the last sum is
 * rounded. */
static inline vdouble vd_from_long(vlong v)
{
    const __m128i lower = _mm_set1_epi64x(0x4330000000000000);   /* 2^52 */
    const __m128i upper = _mm_set1_epi64x(0x4530000080000000);   /* 2^84 + 2^63 */
    const __m128i surplus = _mm_set1_epi64x(0x4530000080100000); /* 2^84 + 2^63 + 2^52 */
    __m128i low = _mm_or_si128(_mm_and_si128((__m128i)v, _mm_set1_epi64x(0xFFFFFFFF)), lower);
    __m128i high = _mm_xor_si128(_mm_srli_epi64((__m128i)v, 32), upper);
    return ((vdouble)high - (vdouble)surplus) + (vdouble)low;
}

static inline vdouble vd_min(vdouble a, vdouble b)
{
    return (vdouble)_mm_min_pd((__m128d)a, (__m128d)b);
}

static inline vdouble vd_max(vdouble a, vdouble b)
{
    return (vdouble)_mm_max_pd((__m128d)a, (__m128d)b);
}

static inline vdouble vd_pick(const int32_t *which, vdouble zero, vdouble one)
{
    __m128i words = _mm_loadl_epi64((const __m128i *)(const void *)which);
    vlong mask = -(vlong)_mm_unpacklo_epi32(words, _mm_setzero_si128());
    return (vdouble)((mask & (vlong)one) | (~mask & (vlong)zero));
}

static inline vlong vl_scan(vlong v)
{
    return v + (vlong)_mm_slli_si128((__m128i)v, 8);
}

static inline vlong vl_last(vlong v)
{
    return (vlong)_mm_unpackhi_epi64((__m128i)v, (__m128i)v);
}

/* ---- Past the caches ------------------------------------------------------------------------- */

static inline void vf_stream(float *to, vfloat v)
{
    _mm_stream_ps(to, (__m128)v);
}

#endif
