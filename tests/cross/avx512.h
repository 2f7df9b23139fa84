/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* AVX-512 for machines that have AVX2 alone, so that its kernels are tested everywhere: included
 * before all else by -Disa=emulated. Most of it is SIMDe's (Debian: libsimde-dev); below is what
 * that lacks. */

#ifndef TERRAIN_TESTS_CROSS_AVX512_H
#define TERRAIN_TESTS_CROSS_AVX512_H

#pragma GCC system_header
#include <immintrin.h>

#define SIMDE_ENABLE_NATIVE_ALIASES
#include <simde/x86/avx512.h>

#define __AVX512VL__ 1 /* not __AVX512F__: nothing that is written in assembler */

typedef int emulated_ints __attribute__((vector_size(64)));
typedef float emulated_floats __attribute__((vector_size(64)));
typedef double emulated_doubles __attribute__((vector_size(64)));

#define _mm512_alignr_epi32(a, b, n) emulated_alignr((emulated_ints)(a), (emulated_ints)(b), n)
static inline __m512i emulated_alignr(emulated_ints a, emulated_ints b, int n)
{
    emulated_ints r;
    for (int i = 0; i < 16; i++) {
        r[i] = i + n < 16 ? b[i + n] : a[i + n - 16];
    }
    return (__m512i)r;
}

#define _mm512_cmplt_epi32_mask(a, b) emulated_less((emulated_ints)(a), (emulated_ints)(b))
static inline __mmask16 emulated_less(emulated_ints a, emulated_ints b)
{
    unsigned mask = 0;
    for (int i = 0; i < 16; i++) {
        mask |= (unsigned)(a[i] < b[i]) << i;
    }
    return (__mmask16)mask;
}

#define _mm512_reduce_min_epi32(v) emulated_least((emulated_ints)(v))
static inline int emulated_least(emulated_ints v)
{
    int least = v[0];
    for (int i = 1; i < 16; i++) {
        least = v[i] < least ? v[i] : least;
    }
    return least;
}

/* Rounded down: less where the sum was rounded up. */
#define _mm512_add_round_ps(a, b, mode)                                                            \
    emulated_add_down((emulated_floats)(a), (emulated_floats)(b))
static inline __m512 emulated_add_down(emulated_floats a, emulated_floats b)
{
    emulated_floats sum = a + b, part = sum - a;
    emulated_floats rest = (a - (sum - part)) + (b - part);
    emulated_ints bits = (emulated_ints)sum;
    for (int i = 0; i < 16; i++) {
        bits[i] += rest[i] < 0 ? (sum[i] > 0 ? -1 : 1) : 0;
    }
    return (__m512)bits;
}

#define _mm512_cvt_roundps_epi32(v, mode) emulated_floor((emulated_floats)(v))
static inline __m512i emulated_floor(emulated_floats v)
{
    emulated_ints r;
    for (int i = 0; i < 16; i++) {
        r[i] = (int)v[i];
        r[i] -= v[i] < (float)r[i];
    }
    return (__m512i)r;
}

#define _mm512_shuffle_f32x4(a, b, which)                                                          \
    emulated_shuffle((emulated_floats)(a), (emulated_floats)(b), which)
static inline __m512 emulated_shuffle(emulated_floats a, emulated_floats b, int which)
{
    emulated_floats r;
    for (int i = 0; i < 16; i++) {
        const int from = (which >> i / 4 * 2 & 3) * 4 + i % 4;
        r[i] = i < 8 ? a[from] : b[from];
    }
    return (__m512)r;
}

#define _mm512_stream_ps(to, v) _mm512_storeu_ps((void *)(to), v)

#define _mm512_cvtepu8_epi32(v) emulated_from_bytes(v)
static inline __m512i emulated_from_bytes(__m128i v)
{
    unsigned char bytes[16];
    emulated_ints r;
    __builtin_memcpy(bytes, &v, sizeof bytes);
    for (int i = 0; i < 16; i++) {
        r[i] = bytes[i];
    }
    return (__m512i)r;
}

#define _mm512_cvtepi32_epi8(v) emulated_to_bytes((emulated_ints)(v))
static inline __m128i emulated_to_bytes(emulated_ints v)
{
    unsigned char bytes[16];
    __m128i r;
    for (int i = 0; i < 16; i++) {
        bytes[i] = (unsigned char)v[i];
    }
    __builtin_memcpy(&r, bytes, sizeof r);
    return r;
}

#define _mm512_cvtps_pd(v) emulated_to_doubles(v)
static inline __m512d emulated_to_doubles(__m256 v)
{
    float floats[8];
    emulated_doubles r;
    __builtin_memcpy(floats, &v, sizeof floats);
    for (int i = 0; i < 8; i++) {
        r[i] = (double)floats[i];
    }
    return (__m512d)r;
}

#define _mm512_cvtpd_ps(v) emulated_to_floats((emulated_doubles)(v))
static inline __m256 emulated_to_floats(emulated_doubles v)
{
    float floats[8];
    __m256 r;
    for (int i = 0; i < 8; i++) {
        floats[i] = (float)v[i];
    }
    __builtin_memcpy(&r, floats, sizeof r);
    return r;
}

#define _mm256_cvtepi64_pd(v) emulated_from_longs(v)
static inline __m256d emulated_from_longs(__m256i v)
{
    long long longs[4];
    __builtin_memcpy(longs, &v, sizeof longs);
    return _mm256_setr_pd((double)longs[0], (double)longs[1], (double)longs[2], (double)longs[3]);
}

#define _mm_test_epi32_mask(a, b) emulated_test(a, b)
static inline __mmask8 emulated_test(__m128i a, __m128i b)
{
    unsigned common[4], mask = 0;
    __m128i both = _mm_and_si128(a, b);
    __builtin_memcpy(common, &both, sizeof common);
    for (int i = 0; i < 4; i++) {
        mask |= (unsigned)(common[i] != 0) << i;
    }
    return (__mmask8)mask;
}

#define _mm256_mask_broadcastsd_pd(v, mask, from)                                                  \
    _mm256_blend_pd(v, _mm256_broadcastsd_pd(from), mask)

#endif
