/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The longs and doubles of vector/vec.h by AVX2, four lanes, for vec_avx2.h and vec_avx512.h. Like
 * vec_types.h, without an include guard. */

static inline vdouble vd_load_floats(const float *from)
{
    return (vdouble)_mm256_cvtps_pd(_mm_loadu_ps(from));
}

static inline vdouble vd_min(vdouble a, vdouble b)
{
    return (vdouble)_mm256_min_pd((__m256d)a, (__m256d)b);
}

static inline vdouble vd_max(vdouble a, vdouble b)
{
    return (vdouble)_mm256_max_pd((__m256d)a, (__m256d)b);
}

static inline vdouble vd_pick(const int32_t *which, vdouble zero, vdouble one)
{
    __m128i words = _mm_loadu_si128((const __m128i *)(const void *)which);
#if defined(__AVX512VL__)
    return (vdouble)_mm256_mask_blend_pd(_mm_test_epi32_mask(words, words), (__m256d)zero,
                                         (__m256d)one);
#else
    /* Blends choose by the sign bit. */
    __m256d sign = _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_cvtepi32_epi64(words), 63));
    return (vdouble)_mm256_blendv_pd((__m256d)zero, (__m256d)one, sign);
#endif
}

static inline vlong vl_scan(vlong v)
{
    __m256i pairs = (__m256i)(v + (vlong)_mm256_slli_si256((__m256i)v, 8));
    __m256i half = _mm256_permute4x64_epi64(pairs, 0x50);
    return (vlong)pairs + (vlong)_mm256_blend_epi32(half, _mm256_setzero_si256(), 0x0F);
}

static inline vlong vl_last(vlong v)
{
    return (vlong)_mm256_permute4x64_epi64((__m256i)v, 0xFF);
}
