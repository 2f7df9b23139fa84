/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Vectors for kernels that the compiler's own vectoriser does not get right. (It gets most plain
 * row loops right: write those as plain loops.) Included by kernel files only; see base/kernels.h.
 *
 *   vfloat, vint, vuint   VEC_LANES floats, int32_t, uint32_t: + - * / & | ^ << >> are the operators
 *   vmask                 the outcome of a comparison, for vf_select and vi_select
 *
 * Everything is exact or correctly rounded, hence equal at every level. min and max are a < b ? a :
 * b and a > b ? a : b: the second operand if either is NaN. Vectors never cross a file. */

#ifndef TERRAIN_VECTOR_VEC_H
#define TERRAIN_VECTOR_VEC_H

#include <stdint.h>
#include <string.h>

#include "base/kernels.h"
#include "base/math.h"

#if TERRAIN_KERNEL_LEVEL == 2
#define VEC_LANES 16
#include <immintrin.h>
#elif TERRAIN_KERNEL_LEVEL == 1
#define VEC_LANES 8
#include <immintrin.h>
#elif defined(__GNUC__)
#define VEC_LANES 4
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#else
#define VEC_LANES 1
#endif

#if VEC_LANES > 1
typedef float vfloat __attribute__((vector_size(4 * VEC_LANES)));
typedef int32_t vint __attribute__((vector_size(4 * VEC_LANES)));
typedef uint32_t vuint __attribute__((vector_size(4 * VEC_LANES)));
#else
typedef float vfloat;
typedef int32_t vint;
typedef uint32_t vuint;
#endif

/* ---- Memory and constants ------------------------------------------------------------------- */

static inline vfloat vf_load(const float *from)
{
    vfloat v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline vuint vu_load(const void *from)
{
    vuint v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void vf_store(float *to, vfloat v)
{
    memcpy(to, &v, sizeof v);
}

static inline vint vi_load(const int32_t *from)
{
    vint v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void vi_store(int32_t *to, vint v)
{
    memcpy(to, &v, sizeof v);
}

/* VEC_LANES bytes. What is stored must be below 256. Compilers make a chain of scalar moves of
 * __builtin_convertvector here. */
static inline vint vi_load_bytes(const uint8_t *from)
{
#if TERRAIN_KERNEL_LEVEL == 2
    return (vint)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
#elif TERRAIN_KERNEL_LEVEL == 1
    return (vint)_mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(const void *)from));
#elif defined(__SSE2__) && VEC_LANES > 1
    int32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    __m128i words = _mm_unpacklo_epi8(_mm_cvtsi32_si128(bytes), _mm_setzero_si128());
    return (vint)_mm_unpacklo_epi16(words, _mm_setzero_si128());
#else
    int32_t lanes[VEC_LANES];
    vint v;
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        lanes[i] = from[i];
    }
    memcpy(&v, lanes, sizeof v);
    return v;
#endif
}

static inline void vi_store_bytes(uint8_t *to, vint v)
{
#if TERRAIN_KERNEL_LEVEL == 2
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtepi32_epi8((__m512i)v));
#elif TERRAIN_KERNEL_LEVEL == 1
    __m128i words = _mm_packs_epi32(_mm256_castsi256_si128((__m256i)v),
                                    _mm256_extracti128_si256((__m256i)v, 1));
    _mm_storel_epi64((__m128i *)(void *)to, _mm_packus_epi16(words, words));
#elif defined(__SSE2__) && VEC_LANES > 1
    __m128i words = _mm_packs_epi32((__m128i)v, (__m128i)v);
    int32_t bytes = _mm_cvtsi128_si32(_mm_packus_epi16(words, words));
    memcpy(to, &bytes, sizeof bytes);
#else
    int32_t lanes[VEC_LANES];
    memcpy(lanes, &v, sizeof v);
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        to[i] = (uint8_t)lanes[i];
    }
#endif
}

/* The first n lanes (n < VEC_LANES); the rest is 0. */
static inline vfloat vf_load_first(const float *from, uint32_t n)
{
    vfloat v;
    memset(&v, 0, sizeof v);
    memcpy(&v, from, n * sizeof *from);
    return v;
}

static inline void vf_store_first(float *to, vfloat v, uint32_t n)
{
    memcpy(to, &v, n * sizeof *to);
}

/* to[2 i] = even[i], to[2 i + 1] = odd[i]: twice VEC_LANES floats. */
static inline void vf_store_pairs(float *to, vfloat even, vfloat odd)
{
#if TERRAIN_KERNEL_LEVEL == 2
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    _mm512_storeu_ps(to, _mm512_permutex2var_ps((__m512)even, low, (__m512)odd));
    _mm512_storeu_ps(to + 16, _mm512_permutex2var_ps((__m512)even, high, (__m512)odd));
#elif TERRAIN_KERNEL_LEVEL == 1
    __m256 low = _mm256_unpacklo_ps((__m256)even, (__m256)odd);
    __m256 high = _mm256_unpackhi_ps((__m256)even, (__m256)odd);
    _mm256_storeu_ps(to, _mm256_permute2f128_ps(low, high, 0x20));
    _mm256_storeu_ps(to + 8, _mm256_permute2f128_ps(low, high, 0x31));
#elif defined(__SSE2__) && VEC_LANES > 1
    _mm_storeu_ps(to, _mm_unpacklo_ps((__m128)even, (__m128)odd));
    _mm_storeu_ps(to + 4, _mm_unpackhi_ps((__m128)even, (__m128)odd));
#else
    float evens[VEC_LANES];
    float odds[VEC_LANES];
    memcpy(evens, &even, sizeof even);
    memcpy(odds, &odd, sizeof odd);
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        to[2 * i] = evens[i];
        to[2 * i + 1] = odds[i];
    }
#endif
}

/* Of `first` and, behind it, `second`: even[i] is number 2 i, odd[i] number 2 i + 1. */
static inline void vf_part(vfloat first, vfloat second, vfloat *even, vfloat *odd)
{
#if TERRAIN_KERNEL_LEVEL == 2
    const __m512i low =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(1));
    *even = (vfloat)_mm512_permutex2var_ps((__m512)first, low, (__m512)second);
    *odd = (vfloat)_mm512_permutex2var_ps((__m512)first, high, (__m512)second);
#elif TERRAIN_KERNEL_LEVEL == 1
    __m256 low = _mm256_permute2f128_ps((__m256)first, (__m256)second, 0x20);
    __m256 high = _mm256_permute2f128_ps((__m256)first, (__m256)second, 0x31);
    *even = (vfloat)_mm256_shuffle_ps(low, high, _MM_SHUFFLE(2, 0, 2, 0));
    *odd = (vfloat)_mm256_shuffle_ps(low, high, _MM_SHUFFLE(3, 1, 3, 1));
#elif defined(__SSE2__) && VEC_LANES > 1
    *even = (vfloat)_mm_shuffle_ps((__m128)first, (__m128)second, _MM_SHUFFLE(2, 0, 2, 0));
    *odd = (vfloat)_mm_shuffle_ps((__m128)first, (__m128)second, _MM_SHUFFLE(3, 1, 3, 1));
#else
    float all[2 * VEC_LANES], evens[VEC_LANES], odds[VEC_LANES];
    memcpy(all, &first, sizeof first);
    memcpy(all + VEC_LANES, &second, sizeof second);
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        evens[i] = all[2 * i];
        odds[i] = all[2 * i + 1];
    }
    memcpy(even, evens, sizeof evens);
    memcpy(odd, odds, sizeof odds);
#endif
}

/* Stores past the caches, for what is much larger than they are and is not read soon. `to` is
 * aligned to the vector's size. The task that does it calls vf_streamed before it returns: other
 * threads see such stores in no particular order. */
static inline void vf_stream(float *to, vfloat v)
{
#if TERRAIN_KERNEL_LEVEL == 2
    _mm512_stream_ps(to, (__m512)v);
#elif TERRAIN_KERNEL_LEVEL == 1
    _mm256_stream_ps(to, (__m256)v);
#elif VEC_LANES > 1 && defined(__SSE2__)
    _mm_stream_ps(to, (__m128)v);
#else
    vf_store(to, v);
#endif
}

static inline void vf_streamed(void)
{
#if VEC_LANES > 1 && defined(__SSE2__)
    _mm_sfence();
#endif
}

#if VEC_LANES > 1
static inline vfloat vf_set(float x)
{
    return x - (vfloat){0}; /* x - 0 keeps every x, -0 too */
}

static inline vint vi_set(int32_t x)
{
    return x + (vint){0};
}

static inline vuint vu_set(uint32_t x)
{
    return x + (vuint){0};
}
#else
static inline vfloat vf_set(float x)
{
    return x;
}

static inline vint vi_set(int32_t x)
{
    return x;
}

static inline vuint vu_set(uint32_t x)
{
    return x;
}
#endif

/* 0, 1, 2, … */
static inline vuint vu_lane(void)
{
    uint32_t lanes[VEC_LANES];
    vuint v;
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        lanes[i] = i;
    }
    memcpy(&v, lanes, sizeof v);
    return v;
}

/* ---- Bits and conversions -------------------------------------------------------------------- */

#if VEC_LANES > 1
static inline vint vi_from_bits(vuint v)
{
    return (vint)v;
}

static inline vuint vu_from_bits(vint v)
{
    return (vuint)v;
}

static inline vfloat vf_from_bits(vuint v)
{
    return (vfloat)v;
}

static inline vuint vf_bits(vfloat v)
{
    return (vuint)v;
}

static inline vfloat vf_from_int(vint v)
{
    return __builtin_convertvector(v, vfloat);
}

/* Towards zero; |v| must be below 2^31. */
static inline vint vi_from_float(vfloat v)
{
    return __builtin_convertvector(v, vint);
}
#else
static inline vint vi_from_bits(vuint v)
{
    vint r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vuint vu_from_bits(vint v)
{
    return (vuint)v;
}

static inline vfloat vf_from_bits(vuint v)
{
    vfloat r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vuint vf_bits(vfloat v)
{
    vuint r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vfloat vf_from_int(vint v)
{
    return (float)v;
}

static inline vint vi_from_float(vfloat v)
{
    return (int32_t)v;
}
#endif

/* ---- Comparison and choice ------------------------------------------------------------------- */

#if TERRAIN_KERNEL_LEVEL == 2

typedef __mmask16 vmask;

static inline vmask vf_less(vfloat a, vfloat b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LT_OQ);
}

static inline vmask vf_less_equal(vfloat a, vfloat b)
{
    return _mm512_cmp_ps_mask((__m512)a, (__m512)b, _CMP_LE_OQ);
}

static inline vmask vi_less(vint a, vint b)
{
    return _mm512_cmplt_epi32_mask((__m512i)a, (__m512i)b);
}

static inline vmask vi_equal(vint a, vint b)
{
    return _mm512_cmpeq_epi32_mask((__m512i)a, (__m512i)b);
}

static inline vmask vm_and(vmask a, vmask b)
{
    return (vmask)(a & b);
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return (vfloat)_mm512_mask_blend_ps(m, (__m512)no, (__m512)yes);
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return (vint)_mm512_mask_blend_epi32(m, (__m512i)no, (__m512i)yes);
}

#elif VEC_LANES > 1

typedef vint vmask;

static inline vmask vf_less(vfloat a, vfloat b)
{
    return (vint)(a < b);
}

static inline vmask vf_less_equal(vfloat a, vfloat b)
{
    return (vint)(a <= b);
}

static inline vmask vi_less(vint a, vint b)
{
    return (vint)(a < b);
}

static inline vmask vi_equal(vint a, vint b)
{
    return (vint)(a == b);
}

static inline vmask vm_and(vmask a, vmask b)
{
    return a & b;
}

#if TERRAIN_KERNEL_LEVEL == 1
static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return (vfloat)_mm256_blendv_ps((__m256)no, (__m256)yes, (__m256)m);
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return (vint)_mm256_blendv_epi8((__m256i)no, (__m256i)yes, (__m256i)m);
}
#else
static inline vint vi_select(vmask m, vint yes, vint no)
{
    return (m & yes) | (~m & no);
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return (vfloat)vi_select(m, (vint)yes, (vint)no);
}
#endif

#else

typedef int vmask;

static inline vmask vf_less(vfloat a, vfloat b)
{
    return a < b;
}

static inline vmask vf_less_equal(vfloat a, vfloat b)
{
    return a <= b;
}

static inline vmask vi_less(vint a, vint b)
{
    return a < b;
}

static inline vmask vi_equal(vint a, vint b)
{
    return a == b;
}

static inline vmask vm_and(vmask a, vmask b)
{
    return a & b;
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return m ? yes : no;
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return m ? yes : no;
}

#endif

/* ---- Arithmetic that has no operator ---------------------------------------------------------- */

#if TERRAIN_KERNEL_LEVEL == 2

static inline vfloat vf_min(vfloat a, vfloat b)
{
    return (vfloat)_mm512_min_ps((__m512)a, (__m512)b);
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
    return (vfloat)_mm512_max_ps((__m512)a, (__m512)b);
}

static inline vfloat vf_sqrt(vfloat v)
{
    return (vfloat)_mm512_sqrt_ps((__m512)v);
}

#elif TERRAIN_KERNEL_LEVEL == 1

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

#elif defined(__SSE2__) && VEC_LANES > 1

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

#else

static inline vfloat vf_min(vfloat a, vfloat b)
{
    return vf_select(vf_less(a, b), a, b);
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
    return vf_select(vf_less(b, a), a, b);
}

static inline vfloat vf_sqrt(vfloat v)
{
    float lanes[VEC_LANES];
    memcpy(lanes, &v, sizeof v);
    for (int i = 0; i < VEC_LANES; i++) {
        lanes[i] = terrain__sqrtf(lanes[i]);
    }
    memcpy(&v, lanes, sizeof v);
    return v;
}

#endif

/* table[index], lane for lane; index below VEC_LANES. All of table[0] to [VEC_LANES - 1] is
 * readable. */
static inline vfloat vf_lookup(const float *table, vuint index)
{
#if TERRAIN_KERNEL_LEVEL == 2
    return (vfloat)_mm512_permutexvar_ps((__m512i)index, (__m512)vf_load(table));
#elif TERRAIN_KERNEL_LEVEL == 1
    return (vfloat)_mm256_permutevar8x32_ps((__m256)vf_load(table), (__m256i)index);
#else
    uint32_t lanes[VEC_LANES];
    float values[VEC_LANES];
    vfloat v;
    memcpy(lanes, &index, sizeof index);
    for (int i = 0; i < VEC_LANES; i++) {
        values[i] = table[lanes[i]];
    }
    memcpy(&v, values, sizeof v);
    return v;
#endif
}

#if TERRAIN_KERNEL_LEVEL >= 1
#if TERRAIN_KERNEL_LEVEL == 2
#define VEC_UNPACK_LOW(a, b) ((vfloat)_mm512_unpacklo_ps((__m512)(a), (__m512)(b)))
#define VEC_UNPACK_HIGH(a, b) ((vfloat)_mm512_unpackhi_ps((__m512)(a), (__m512)(b)))
#define VEC_SHUFFLE(a, b, which) ((vfloat)_mm512_shuffle_ps((__m512)(a), (__m512)(b), which))
#else
#define VEC_UNPACK_LOW(a, b) ((vfloat)_mm256_unpacklo_ps((__m256)(a), (__m256)(b)))
#define VEC_UNPACK_HIGH(a, b) ((vfloat)_mm256_unpackhi_ps((__m256)(a), (__m256)(b)))
#define VEC_SHUFFLE(a, b, which) ((vfloat)_mm256_shuffle_ps((__m256)(a), (__m256)(b), which))
#endif

/* Exchanges rows and columns of each 4 by 4 floats: those of lanes 0 to 3, of 4 to 7, ... */
static inline void vf_transpose_quads(vfloat quads[4])
{
    vfloat low01 = VEC_UNPACK_LOW(quads[0], quads[1]), low23 = VEC_UNPACK_LOW(quads[2], quads[3]);
    vfloat high01 = VEC_UNPACK_HIGH(quads[0], quads[1]);
    vfloat high23 = VEC_UNPACK_HIGH(quads[2], quads[3]);
    quads[0] = VEC_SHUFFLE(low01, low23, 0x44);
    quads[1] = VEC_SHUFFLE(low01, low23, 0xEE);
    quads[2] = VEC_SHUFFLE(high01, high23, 0x44);
    quads[3] = VEC_SHUFFLE(high01, high23, 0xEE);
}
#endif

/* Four vectors gathered from records: lane i of the k-th is from[offsets[i] + k]. */
static inline void vf_load_quads(vfloat quads[4], const float *from, const int32_t *offsets)
{
#if TERRAIN_KERNEL_LEVEL == 2
    for (int i = 0; i < 4; i++) {
        __m512 row = _mm512_castps128_ps512(_mm_loadu_ps(from + offsets[i]));
        row = _mm512_insertf32x4(row, _mm_loadu_ps(from + offsets[i + 4]), 1);
        row = _mm512_insertf32x4(row, _mm_loadu_ps(from + offsets[i + 8]), 2);
        quads[i] = (vfloat)_mm512_insertf32x4(row, _mm_loadu_ps(from + offsets[i + 12]), 3);
    }
    vf_transpose_quads(quads);
#elif TERRAIN_KERNEL_LEVEL == 1
    for (int i = 0; i < 4; i++) {
        __m256 row = _mm256_castps128_ps256(_mm_loadu_ps(from + offsets[i]));
        quads[i] = (vfloat)_mm256_insertf128_ps(row, _mm_loadu_ps(from + offsets[i + 4]), 1);
    }
    vf_transpose_quads(quads);
#else
    float lanes[4][VEC_LANES];
    for (int i = 0; i < VEC_LANES; i++) {
        for (int k = 0; k < 4; k++) {
            lanes[k][i] = from[offsets[i] + k];
        }
    }
    for (int k = 0; k < 4; k++) {
        quads[k] = vf_load(lanes[k]);
    }
#endif
}

/* The reverse, for records that lie `step` floats apart. */
static inline void vf_store_quads(float *to, size_t step, const vfloat quads[4])
{
#if TERRAIN_KERNEL_LEVEL == 1
    vfloat rows[4] = {quads[0], quads[1], quads[2], quads[3]};
    vf_transpose_quads(rows);
    for (size_t i = 0; i < 4; i++) {
        _mm_storeu_ps(to + i * step, _mm256_castps256_ps128((__m256)rows[i]));
        _mm_storeu_ps(to + (i + 4) * step, _mm256_extractf128_ps((__m256)rows[i], 1));
    }
#elif TERRAIN_KERNEL_LEVEL == 2
    vfloat rows[4] = {quads[0], quads[1], quads[2], quads[3]};
    vf_transpose_quads(rows);
    for (size_t i = 0; i < 4; i++) {
        _mm_storeu_ps(to + i * step, _mm512_castps512_ps128((__m512)rows[i]));
        _mm_storeu_ps(to + (i + 4) * step, _mm512_extractf32x4_ps((__m512)rows[i], 1));
        _mm_storeu_ps(to + (i + 8) * step, _mm512_extractf32x4_ps((__m512)rows[i], 2));
        _mm_storeu_ps(to + (i + 12) * step, _mm512_extractf32x4_ps((__m512)rows[i], 3));
    }
#else
    float lanes[4][VEC_LANES];
    for (int k = 0; k < 4; k++) {
        vf_store(lanes[k], quads[k]);
    }
    for (size_t i = 0; i < VEC_LANES; i++) {
        for (size_t k = 0; k < 4; k++) {
            to[i * step + k] = lanes[k][i];
        }
    }
#endif
}

/* |v|, and v with its sign flipped where the top bit of `sign` is set. */
static inline vfloat vf_abs(vfloat v)
{
    return vf_from_bits(vf_bits(v) & vu_set(UINT32_C(0x7FFFFFFF)));
}

static inline vfloat vf_flip_sign(vfloat v, vuint sign)
{
    return vf_from_bits(vf_bits(v) ^ (sign & vu_set(UINT32_C(0x80000000))));
}

/* The largest integer not above v; |v| must be below 2^31. Never -0: adding 0 to the instructions'
 * result makes it the same as the way through integers. */
static inline vfloat vf_floor(vfloat v)
{
#if TERRAIN_KERNEL_LEVEL == 2
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    return (vfloat)_mm512_roundscale_ps((__m512)v, DOWN) + vf_set(0);
#elif TERRAIN_KERNEL_LEVEL == 1
    return (vfloat)_mm256_floor_ps((__m256)v) + vf_set(0);
#else
    vfloat truncated = vf_from_int(vi_from_float(v));
    return truncated - vf_select(vf_less(v, truncated), vf_set(1), vf_set(0));
#endif
}

/* The same, where it doesn't matter which 0 a 0 is. */
static inline vfloat vf_floor_loose(vfloat v)
{
#if TERRAIN_KERNEL_LEVEL == 2
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    return (vfloat)_mm512_roundscale_ps((__m512)v, DOWN);
#elif TERRAIN_KERNEL_LEVEL == 1
    return (vfloat)_mm256_floor_ps((__m256)v);
#else
    return vf_floor(v);
#endif
}

/* Lane i becomes the sum of lanes 0 to i. */
static inline vint vi_scan(vint v)
{
#if TERRAIN_KERNEL_LEVEL == 2
    const __m512i zero = _mm512_setzero_si512();
    v += (vint)_mm512_alignr_epi32((__m512i)v, zero, 15);
    v += (vint)_mm512_alignr_epi32((__m512i)v, zero, 14);
    v += (vint)_mm512_alignr_epi32((__m512i)v, zero, 12);
    v += (vint)_mm512_alignr_epi32((__m512i)v, zero, 8);
#elif TERRAIN_KERNEL_LEVEL == 1
    __m256i low;
    v += (vint)_mm256_slli_si256((__m256i)v, 4);
    v += (vint)_mm256_slli_si256((__m256i)v, 8);
    low = _mm256_permute2x128_si256((__m256i)v, (__m256i)v, 0x08);
    v += (vint)_mm256_shuffle_epi32(low, 0xFF);
#elif defined(__SSE2__) && VEC_LANES > 1
    v += (vint)_mm_slli_si128((__m128i)v, 4);
    v += (vint)_mm_slli_si128((__m128i)v, 8);
#else
    int32_t lanes[VEC_LANES];
    memcpy(lanes, &v, sizeof v);
    for (uint32_t i = 1; i < VEC_LANES; i++) {
        lanes[i] += lanes[i - 1];
    }
    memcpy(&v, lanes, sizeof v);
#endif
    return v;
}

/* The last lane in all lanes. */
static inline vint vi_last(vint v)
{
#if TERRAIN_KERNEL_LEVEL == 2
    return (vint)_mm512_permutexvar_epi32(_mm512_set1_epi32(15), (__m512i)v);
#elif TERRAIN_KERNEL_LEVEL == 1
    return (vint)_mm256_permutevar8x32_epi32((__m256i)v, _mm256_set1_epi32(7));
#elif defined(__SSE2__) && VEC_LANES > 1
    return (vint)_mm_shuffle_epi32((__m128i)v, 0xFF);
#else
    int32_t lanes[VEC_LANES];
    memcpy(lanes, &v, sizeof v);
    return vi_set(lanes[VEC_LANES - 1]);
#endif
}

/* terrain__random_bits, lane for lane. */
static inline vuint vu_random_bits(uint64_t column, vuint x)
{
    vuint h = x ^ vu_set((uint32_t)column);
    h ^= h >> 16;
    h *= vu_set(UINT32_C(0x7FEB352D));
    h ^= h >> 15;
    h += vu_set((uint32_t)(column >> 32));
    h *= vu_set(UINT32_C(0x846CA68B));
    h ^= h >> 16;
    return h;
}

/* The sum of the four bytes less its mean, 510: whole numbers, bell-shaped, of variance 21845. */
static inline vfloat vf_bell(vuint bits)
{
    vuint pairs =
        (bits & vu_set(UINT32_C(0x00FF00FF))) + (bits >> 8 & vu_set(UINT32_C(0x00FF00FF)));
    vuint sum = (pairs & vu_set(UINT32_C(0xFFFF))) + (pairs >> 16);
    return vf_from_int(vi_from_bits(sum) - vi_set(510));
}

/* terrain__unit_float and terrain__signed_float. */
static inline vfloat vf_unit(vuint bits)
{
    return vf_from_int(vi_from_bits(bits >> 8)) * vf_set(0x1p-24f);
}

static inline vfloat vf_signed(vuint bits)
{
    return vf_from_int(vi_from_bits(bits >> 8) - vi_set(0x800000)) * vf_set(0x1p-23f);
}

#endif
