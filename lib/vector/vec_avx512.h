/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The vectors of vector/vec.h by AVX-512 (F, BW, DQ, VL): sixteen lanes. */

#ifndef TERRAIN_VECTOR_VEC_AVX512_H
#define TERRAIN_VECTOR_VEC_AVX512_H

#include <immintrin.h>

#define VEC_LANES 16
#define VEC_LONGS 4
#define VEC_HAS_MASKS /* with a bit a lane */
#define VEC_HAS_EXCESS
#define VEC_HAS_FLOOR
#define VEC_HAS_FLOOR_ONTO
#define VEC_HAS_INTEGER_FLOOR
#define VEC_HAS_KEPT
#define VEC_HAS_LEAST
#define VEC_HAS_LOAD_OCTETS
#define VEC_HAS_LOOKUP_OF
#define VEC_HAS_LOOKUP_ROWS
#define VEC_HAS_LOOKUP_TWO
#define VEC_HAS_SLIDE
#define VEC_HAS_STORE_OCTETS
#define VEC_HAS_STORE_WHERE
#define VEC_HAS_STREAM
#define VEC_HAS_TURN_QUADS

#include "vector/vec_types.h"

typedef __mmask16 vmask;

static inline vuint vu_lane(void)
{
    return (vuint){0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
}

/* ---- Comparison and choice ------------------------------------------------------------------- */

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

static inline vmask vm_or(vmask a, vmask b)
{
    return (vmask)(a | b);
}

static inline vmask vm_not(vmask m)
{
    return (vmask)~m;
}

static inline vfloat vf_where(vmask m, vfloat v)
{
    return (vfloat)_mm512_maskz_mov_ps(m, (__m512)v);
}

static inline vfloat vf_where_not(vmask m, vfloat v)
{
    return (vfloat)_mm512_mask_mov_ps((__m512)v, m, _mm512_setzero_ps());
}

static inline vfloat vf_add_where(vmask m, vfloat a, vfloat b)
{
    return (vfloat)_mm512_mask_add_ps((__m512)a, m, (__m512)a, (__m512)b);
}

static inline vfloat vf_subtract_where(vmask m, vfloat a, vfloat b)
{
    return (vfloat)_mm512_mask_sub_ps((__m512)a, m, (__m512)a, (__m512)b);
}

static inline vuint vu_count(vmask m, vuint n)
{
    return (vuint)_mm512_mask_sub_epi32((__m512i)n, m, (__m512i)n, _mm512_set1_epi32(-1));
}

static inline uint32_t vm_bits(vmask m)
{
    return m;
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return (vfloat)_mm512_mask_blend_ps(m, (__m512)no, (__m512)yes);
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return (vint)_mm512_mask_blend_epi32(m, (__m512i)no, (__m512i)yes);
}

/* ---- Arithmetic that has no operator --------------------------------------------------------- */

static inline vfloat vf_min(vfloat a, vfloat b)
{
    return (vfloat)_mm512_min_ps((__m512)a, (__m512)b);
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
    return (vfloat)_mm512_max_ps((__m512)a, (__m512)b);
}

/* The instruction gives the lesser of the magnitudes the sign of d. */
static inline vfloat vf_excess(vfloat d, vfloat limit)
{
    return d - (vfloat)_mm512_range_ps((__m512)d, (__m512)limit, 2);
}

static inline vfloat vf_sqrt(vfloat v)
{
    return (vfloat)_mm512_sqrt_ps((__m512)v);
}

static inline vfloat vf_floor_loose(vfloat v)
{
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    return (vfloat)_mm512_roundscale_ps((__m512)v, DOWN);
}

static inline vint vi_floor(vfloat v)
{
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    return (vint)_mm512_cvt_roundps_epi32((__m512)v, DOWN);
}

/* Floats as large as the sum have no fraction: rounding down makes it base + floor(v). */
static inline vfloat vf_floor_onto(vfloat base, vfloat v, vfloat *rest)
{
    enum { DOWN = _MM_FROUND_TO_NEG_INF | _MM_FROUND_NO_EXC };
    vfloat sum = (vfloat)_mm512_add_round_ps((__m512)base, (__m512)v, DOWN);
    *rest = v - (sum - base);
    return sum;
}

/* ---- Across lanes ---------------------------------------------------------------------------- */

static inline vfloat vf_lookup(const float *table, vuint index)
{
    return (vfloat)_mm512_permutexvar_ps((__m512i)index, (__m512)vf_load(table));
}

static inline vfloat vf_lookup_two(const float *a, const float *b, vuint index)
{
    return (vfloat)_mm512_permutex2var_ps((__m512)vf_load(a), (__m512i)index, (__m512)vf_load(b));
}

/* A permutation of two vectors takes the lowest five bits of the index; each bit above chooses
 * between halves of the table. */
TERRAIN__INLINE vfloat vf_lookup_of(const float *table, vuint index, int vectors)
{
    const __m512i bit5 = _mm512_set1_epi32(32), bit6 = _mm512_set1_epi32(64);
    __m512 v[4];
    if (vectors == 1) {
        return vf_lookup(table, index);
    }
    for (int k = 0; k < vectors / 2; k++) {
        v[k] = (__m512)vf_lookup_two(table + 32 * k, table + 32 * k + 16, index);
    }
    if (vectors >= 4) {
        __mmask16 odd = _mm512_test_epi32_mask((__m512i)index, bit5);
        v[0] = _mm512_mask_blend_ps(odd, v[0], v[1]);
        v[1] = vectors == 8 ? _mm512_mask_blend_ps(odd, v[2], v[3]) : v[1];
    }
    if (vectors == 8) {
        v[0] = _mm512_mask_blend_ps(_mm512_test_epi32_mask((__m512i)index, bit6), v[0], v[1]);
    }
    return (vfloat)v[0];
}

/* Eight floats from a, then eight from b. A masked broadcast is faster here than an insertion. */
static inline __m512 vec_two_octets(const float *a, const float *b)
{
    __m512 v = _mm512_castps256_ps512(_mm256_loadu_ps(a));
    return _mm512_mask_broadcast_f32x8(v, 0xFF00, _mm256_loadu_ps(b));
}

TERRAIN__INLINE void vf_lookup_rows(vfloat v[2], const float *const rows[], size_t at, int n,
                                    const vuint index[2])
{
    __m512 table[4];
    for (int k = 0; k < n / 2; k++) {
        table[k] = vec_two_octets(rows[2 * k] + at, rows[2 * k + 1] + at);
    }
    for (int i = 0; i < 2; i++) {
        __m512i k = (__m512i)index[i];
        __m512 low = _mm512_permutex2var_ps(table[0], k, table[1]);
        if (n == 8) {
            __m512 high = _mm512_permutex2var_ps(table[2], k, table[3]);
            low = _mm512_mask_blend_ps(_mm512_test_epi32_mask(k, _mm512_set1_epi32(32)), low, high);
        }
        v[i] = (vfloat)low;
    }
}

static inline vfloat vf_kept(vfloat v)
{
#if defined(__AVX512F__) /* not where another machine emulates it */
    __asm__("" : "+v"(v));
#endif
    return v;
}

/* k is part of the instruction, so it must be a literal. */
TERRAIN__INLINE vfloat vf_slide(vfloat a, vfloat b, int k)
{
#define VEC_SLIDE(constant)                                                                        \
    case constant:                                                                                 \
        return (vfloat)_mm512_alignr_epi32((__m512i)b, (__m512i)a, constant);
    switch (k) {
        VEC_SLIDE(1)
        VEC_SLIDE(2)
        VEC_SLIDE(3)
        VEC_SLIDE(4)
        VEC_SLIDE(5)
        VEC_SLIDE(6)
        VEC_SLIDE(7)
        VEC_SLIDE(8)
        VEC_SLIDE(9)
        VEC_SLIDE(10)
        VEC_SLIDE(11)
        VEC_SLIDE(12)
        VEC_SLIDE(13)
        VEC_SLIDE(14)
    default:
        return (vfloat)_mm512_alignr_epi32((__m512i)b, (__m512i)a, 15);
    }
#undef VEC_SLIDE
}

static inline vint vi_scan(vint v)
{
    const __m512i zero = _mm512_setzero_si512();
    v += (vint)_mm512_alignr_epi32((__m512i)v, zero, 15);
    v += (vint)_mm512_alignr_epi32((__m512i)v, zero, 14);
    v += (vint)_mm512_alignr_epi32((__m512i)v, zero, 12);
    v += (vint)_mm512_alignr_epi32((__m512i)v, zero, 8);
    return v;
}

static inline vint vi_last(vint v)
{
    return (vint)_mm512_permutexvar_epi32(_mm512_set1_epi32(15), (__m512i)v);
}

static inline int32_t vi_least(vint v)
{
    return _mm512_reduce_min_epi32((__m512i)v);
}

static inline vint vi_least_beside(vint v)
{
    __m512 halves = _mm512_shuffle_ps((__m512)v, (__m512)v, 0x4E), pairs;
    __m512i least = _mm512_min_epi32((__m512i)v, (__m512i)halves);
    pairs = _mm512_shuffle_ps((__m512)least, (__m512)least, 0xB1);
    return (vint)_mm512_min_epi32(least, (__m512i)pairs);
}

static inline uint32_t vf_store_where(float *to, vfloat v, vmask kept)
{
    _mm512_storeu_ps(to, _mm512_maskz_compress_ps(kept, (__m512)v));
    return (uint32_t)__builtin_popcount(kept);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static inline vint vi_load_bytes(const uint8_t *from)
{
    return (vint)_mm512_cvtepu8_epi32(_mm_loadu_si128((const __m128i *)(const void *)from));
}

static inline void vi_store_bytes(uint8_t *to, vint v)
{
    _mm_storeu_si128((__m128i *)(void *)to, _mm512_cvtepi32_epi8((__m512i)v));
}

static inline void vf_store_rounded(uint8_t *to, const vfloat v[4])
{
    for (int k = 0; k < 4; k++) {
        vfloat cut = vf_max(vf_min(vf_set(255), v[k]), vf_set(0));
        vi_store_bytes(to + VEC_LANES * k, vi_from_float(cut + vf_set(0.5f)));
    }
}

/* ---- Interleaving ---------------------------------------------------------------------------- */

static inline void vf_store_pairs(float *to, vfloat a, vfloat b)
{
    const __m512i low = _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(8));
    _mm512_storeu_ps(to, _mm512_permutex2var_ps((__m512)a, low, (__m512)b));
    _mm512_storeu_ps(to + 16, _mm512_permutex2var_ps((__m512)a, high, (__m512)b));
}

static inline void vf_store_triples(float *to, vfloat a, vfloat b, vfloat c)
{
    /* Each vector first gets its numbers of a and b, with gaps for c (index 0), then those of c. */
    static const int32_t two[3][16] = {
        {0, 16, 0, 1, 17, 0, 2, 18, 0, 3, 19, 0, 4, 20, 0, 5},
        {21, 0, 6, 22, 0, 7, 23, 0, 8, 24, 0, 9, 25, 0, 10, 26},
        {0, 11, 27, 0, 12, 28, 0, 13, 29, 0, 14, 30, 0, 15, 31, 0},
    };
    static const int32_t third[3][16] = {
        {0, 1, 16, 3, 4, 17, 6, 7, 18, 9, 10, 19, 12, 13, 20, 15},
        {0, 21, 2, 3, 22, 5, 6, 23, 8, 9, 24, 11, 12, 25, 14, 15},
        {26, 1, 2, 27, 4, 5, 28, 7, 8, 29, 10, 11, 30, 13, 14, 31},
    };
    for (int k = 0; k < 3; k++) {
        __m512 v = _mm512_permutex2var_ps((__m512)a, (__m512i)vi_load(two[k]), (__m512)b);
        v = _mm512_permutex2var_ps(v, (__m512i)vi_load(third[k]), (__m512)c);
        _mm512_storeu_ps(to + 16 * k, v);
    }
}

static inline void vf_part(vfloat a, vfloat b, vfloat *even, vfloat *odd)
{
    const __m512i low =
        _mm512_setr_epi32(0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
    const __m512i high = _mm512_add_epi32(low, _mm512_set1_epi32(1));
    *even = (vfloat)_mm512_permutex2var_ps((__m512)a, low, (__m512)b);
    *odd = (vfloat)_mm512_permutex2var_ps((__m512)a, high, (__m512)b);
}

/* Transposes the 4 by 4 floats in lanes 0 to 3 of the four vectors, those in lanes 4 to 7, … */
static inline void vec_turn_quads(__m512 q[4])
{
    __m512 low01 = _mm512_unpacklo_ps(q[0], q[1]), low23 = _mm512_unpacklo_ps(q[2], q[3]);
    __m512 high01 = _mm512_unpackhi_ps(q[0], q[1]), high23 = _mm512_unpackhi_ps(q[2], q[3]);
    q[0] = _mm512_shuffle_ps(low01, low23, 0x44);
    q[1] = _mm512_shuffle_ps(low01, low23, 0xEE);
    q[2] = _mm512_shuffle_ps(high01, high23, 0x44);
    q[3] = _mm512_shuffle_ps(high01, high23, 0xEE);
}

static inline void vf_turn_quads(vfloat v[4])
{
    __m512 low01 = _mm512_shuffle_f32x4((__m512)v[0], (__m512)v[1], 0x88);
    __m512 low23 = _mm512_shuffle_f32x4((__m512)v[2], (__m512)v[3], 0x88);
    __m512 high01 = _mm512_shuffle_f32x4((__m512)v[0], (__m512)v[1], 0xDD);
    __m512 high23 = _mm512_shuffle_f32x4((__m512)v[2], (__m512)v[3], 0xDD);
    v[0] = (vfloat)_mm512_shuffle_f32x4(low01, low23, 0x88);
    v[1] = (vfloat)_mm512_shuffle_f32x4(high01, high23, 0x88);
    v[2] = (vfloat)_mm512_shuffle_f32x4(low01, low23, 0xDD);
    v[3] = (vfloat)_mm512_shuffle_f32x4(high01, high23, 0xDD);
}

static inline __m512 vec_four_quads(const float *a, const float *b, const float *c, const float *d)
{
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(a));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(b), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(c), 2);
    return _mm512_insertf32x4(v, _mm_loadu_ps(d), 3);
}

/* Two floats, as one double. gcc's _mm_load_sd takes what it reads for a double, aligned as one. */
static inline __m128d vec_pair(const float *from)
{
    double pair;
    memcpy(&pair, from, sizeof pair);
    return _mm_set_sd(pair);
}

/* Masked loads don't need the one port that shuffles on Intel. */
static inline __m256d vec_four_pairs(const float *from, const int32_t *offsets)
{
    __m256d v = _mm256_castpd128_pd256(vec_pair(from + offsets[0]));
    v = _mm256_mask_broadcastsd_pd(v, 2, vec_pair(from + offsets[1]));
    v = _mm256_mask_broadcastsd_pd(v, 4, vec_pair(from + offsets[2]));
    return _mm256_mask_broadcastsd_pd(v, 8, vec_pair(from + offsets[3]));
}

static inline vfloat vec_eight_pairs(__m256d low, __m256d high)
{
    return (vfloat)_mm512_insertf64x4(_mm512_castpd256_pd512(low), high, 1);
}

static inline void vf_load_squares(vfloat q[4], const float *from, size_t stride,
                                   const int32_t *offsets)
{
    __m256d above[4], below[4];
    for (int i = 0; i < 4; i++) { /* both at once: few offsets in registers */
        above[i] = vec_four_pairs(from, offsets + 4 * i);
        below[i] = vec_four_pairs(from + stride, offsets + 4 * i);
    }
    vf_part(vec_eight_pairs(above[0], above[1]), vec_eight_pairs(above[2], above[3]), &q[0], &q[1]);
    vf_part(vec_eight_pairs(below[0], below[1]), vec_eight_pairs(below[2], below[3]), &q[2], &q[3]);
}

static inline void vf_load_quads(vfloat q[4], const float *from, const int32_t *offsets)
{
    __m512 rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = vec_four_quads(from + offsets[i], from + offsets[i + 4], from + offsets[i + 8],
                                 from + offsets[i + 12]);
    }
    vec_turn_quads(rows);
    for (int k = 0; k < 4; k++) {
        q[k] = (vfloat)rows[k];
    }
}

/* q[k] gets number k of each of 16 octets. */
static inline void vec_turn_octets(vfloat q[8], const __m256 octets[16])
{
    __m512 low[4], high[4];
    for (int i = 0; i < 4; i++) {
        __m512 front = _mm512_insertf32x8(_mm512_castps256_ps512(octets[i]), octets[i + 4], 1);
        __m512 back = _mm512_insertf32x8(_mm512_castps256_ps512(octets[i + 8]), octets[i + 12], 1);
        low[i] = _mm512_shuffle_f32x4(front, back, 0x88);
        high[i] = _mm512_shuffle_f32x4(front, back, 0xDD);
    }
    vec_turn_quads(low);
    vec_turn_quads(high);
    for (int k = 0; k < 4; k++) {
        q[k] = (vfloat)low[k];
        q[k + 4] = (vfloat)high[k];
    }
}

static inline void vf_load_octets(vfloat q[8], const float *from, const int32_t *offsets)
{
    __m256 octets[16];
    for (int i = 0; i < 16; i++) {
        octets[i] = _mm256_loadu_ps(from + offsets[i]);
    }
    vec_turn_octets(q, octets);
}

static inline void vf_store_quads(float *to, size_t step, const vfloat q[4])
{
    __m512 rows[4] = {(__m512)q[0], (__m512)q[1], (__m512)q[2], (__m512)q[3]};
    vec_turn_quads(rows);
    for (size_t i = 0; i < 4; i++) {
        _mm_storeu_ps(to + i * step, _mm512_castps512_ps128(rows[i]));
        _mm_storeu_ps(to + (i + 4) * step, _mm512_extractf32x4_ps(rows[i], 1));
        _mm_storeu_ps(to + (i + 8) * step, _mm512_extractf32x4_ps(rows[i], 2));
        _mm_storeu_ps(to + (i + 12) * step, _mm512_extractf32x4_ps(rows[i], 3));
    }
}

/* After the turns, 128-bit lane j of low[i] and high[i] holds the two halves of octet 4 j + i. Two
 * shuffles put the octets 4 j + i and 4 j + i + 1 side by side. */
static inline void vf_store_octets(float *to, const vfloat q[8])
{
    __m512 low[4] = {(__m512)q[0], (__m512)q[1], (__m512)q[2], (__m512)q[3]};
    __m512 high[4] = {(__m512)q[4], (__m512)q[5], (__m512)q[6], (__m512)q[7]};
    vec_turn_quads(low);
    vec_turn_quads(high);
    for (size_t i = 0; i < 4; i += 2) {
        __m512 even = _mm512_shuffle_f32x4(low[i], high[i], 0x88);
        __m512 odd = _mm512_shuffle_f32x4(low[i], high[i], 0xDD);
        __m512 next_even = _mm512_shuffle_f32x4(low[i + 1], high[i + 1], 0x88);
        __m512 next_odd = _mm512_shuffle_f32x4(low[i + 1], high[i + 1], 0xDD);
        _mm512_storeu_ps(to + 8 * i, _mm512_shuffle_f32x4(even, next_even, 0x88));
        _mm512_storeu_ps(to + 8 * (i + 4), _mm512_shuffle_f32x4(odd, next_odd, 0x88));
        _mm512_storeu_ps(to + 8 * (i + 8), _mm512_shuffle_f32x4(even, next_even, 0xDD));
        _mm512_storeu_ps(to + 8 * (i + 12), _mm512_shuffle_f32x4(odd, next_odd, 0xDD));
    }
}

/* Eight columns at a time. */
static inline void vf_transpose(float *to, size_t to_stride, const float *from, size_t from_stride)
{
    for (size_t column = 0; column < 16; column += 8) {
        __m256 octets[16];
        vfloat q[8];
        for (size_t i = 0; i < 16; i++) {
            octets[i] = _mm256_loadu_ps(from + i * from_stride + column);
        }
        vec_turn_octets(q, octets);
        for (size_t i = 0; i < 8; i++) {
            _mm512_storeu_ps(to + (column + i) * to_stride, (__m512)q[i]);
        }
    }
}

/* ---- Longs and doubles ----------------------------------------------------------------------- */

#include "vector/vec_longs.h"

static inline vfloat vf_from_doubles(const vdouble v[4])
{
    __m512 all = _mm512_castps128_ps512(_mm256_cvtpd_ps((__m256d)v[0]));
    all = _mm512_insertf32x4(all, _mm256_cvtpd_ps((__m256d)v[1]), 1);
    all = _mm512_insertf32x4(all, _mm256_cvtpd_ps((__m256d)v[2]), 2);
    return (vfloat)_mm512_insertf32x4(all, _mm256_cvtpd_ps((__m256d)v[3]), 3);
}

static inline vdouble vd_from_long(vlong v)
{
    return (vdouble)_mm256_cvtepi64_pd((__m256i)v);
}

/* ---- Past the caches ------------------------------------------------------------------------- */

static inline void vf_stream(float *to, vfloat v)
{
    _mm512_stream_ps(to, (__m512)v);
}

#endif
