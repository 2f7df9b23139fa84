/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "blur/variable_kernels.h"

#if TERRAIN_KERNEL_LEVEL == 2
#include <immintrin.h>
#endif

static void variable_radii(float *radius, const float *noise, uint32_t width, float minimum,
                           float maximum)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float a = noise[i] < 0 ? -noise[i] : noise[i];
        a = a < 1 ? a : a >= 1 ? 1.0f : 0.0f;
        a *= maximum;
        radius[i] = a > minimum ? a : minimum;
    }
}

/* Adding 1.5 * 2^52 leaves the nearest integer in the lower bits, halves to even. */
static inline uint64_t variable_unit(float height)
{
    float h = height - height == 0 ? height : 0;
    double v;
    uint64_t bits;
    h = h < -0x1p22f ? -0x1p22f : h;
    h = h > 0x1p22f ? 0x1p22f : h;
    v = (double)h * 0x1p26 + 0x1.8p52;
    memcpy(&bits, &v, sizeof bits);
    return bits - UINT64_C(0x4338000000000000);
}

static bool variable_is_odd(const float *row, uint32_t width)
{
    uint32_t odd = 0;
    for (uint32_t i = 0; i < width; i++) {
        odd |= row[i] - row[i] == 0 ? 0u : 1u;
    }
    return odd != 0;
}

static bool variable_sum(uint64_t *sums, const uint64_t *above, uint64_t *units, const float *row,
                         uint32_t width)
{
    uint64_t sum = 0;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        units[i] = variable_unit(row[i]);
    }
    sums[0] = 0;
    for (uint32_t i = 0; i < width; i++) {
        sum += units[i];
        sums[i + 1] = above[i + 1] + sum;
    }
    return variable_is_odd(row, width);
}

static inline float variable_cell(const float *source, float radius, int32_t i, int32_t most,
                                  const struct variable_sums *sums, const double *inverse)
{
    int32_t stride = (int32_t)sums->stride;
    int32_t r = (int32_t)radius;
    r = r < most ? r : most;
    double fraction = (double)(radius - (float)r);
    double small = variable_window(sums->centre, stride, i, r) * inverse[r];
    double large = variable_window(sums->centre, stride, i, r + 1) * inverse[r + 1];
    float mean = (float)((small + fraction * (large - small)) * 0x1p-26);
    return radius > 0 ? mean : source[i];
}

#if TERRAIN_KERNEL_LEVEL == 2

/* variable_window, eight cells at a time. The compiler would not gather. */
static inline __m512d variable_windows(const uint64_t *sums, __m256i cells, int32_t stride,
                                       __m256i r)
{
    __m256i down = _mm256_mullo_epi32(r, _mm256_set1_epi32(stride + 1));
    __m256i up = _mm256_mullo_epi32(r, _mm256_set1_epi32(stride - 1));
    __m256i below = _mm256_add_epi32(cells, _mm256_set1_epi32(stride));
    __m256i after = _mm256_set1_epi32(1);
    __m512i a =
        _mm512_i32gather_epi64(_mm256_add_epi32(_mm256_add_epi32(below, after), down), sums, 8);
    __m512i c = _mm512_i32gather_epi64(_mm256_add_epi32(below, up), sums, 8);
    __m512i d =
        _mm512_i32gather_epi64(_mm256_sub_epi32(_mm256_add_epi32(cells, after), up), sums, 8);
    __m512i b = _mm512_i32gather_epi64(_mm256_sub_epi32(cells, down), sums, 8);
    return _mm512_cvtepi64_pd(_mm512_sub_epi64(_mm512_sub_epi64(a, c), _mm512_sub_epi64(d, b)));
}

static inline __m256 variable_eight(const float *source, __m256 radius, __m256i cells, int32_t most,
                                    const struct variable_sums *sums, const double *inverse)
{
    int32_t stride = (int32_t)sums->stride;
    __m256i r = _mm256_min_epi32(_mm256_cvttps_epi32(radius), _mm256_set1_epi32(most));
    __m256i next = _mm256_add_epi32(r, _mm256_set1_epi32(1));
    __m512d fraction = _mm512_cvtps_pd(_mm256_sub_ps(radius, _mm256_cvtepi32_ps(r)));
    __m512d small = variable_windows(sums->centre, cells, stride, r);
    __m512d large = variable_windows(sums->centre, cells, stride, next);
    small = _mm512_mul_pd(small, _mm512_i32gather_pd(r, inverse, 8));
    large = _mm512_mul_pd(large, _mm512_i32gather_pd(next, inverse, 8));
    large = _mm512_mul_pd(fraction, _mm512_sub_pd(large, small));
    small = _mm512_mul_pd(_mm512_add_pd(small, large), _mm512_set1_pd(0x1p-26));
    return _mm256_mask_blend_ps(_mm256_cmp_ps_mask(radius, _mm256_setzero_ps(), _CMP_GT_OQ),
                                _mm256_loadu_ps(source), _mm512_cvtpd_ps(small));
}

#endif

static void variable_smooth(float *target, const float *source, const float *radius, uint32_t width,
                            uint32_t reach, const struct variable_sums *sums, const double *inverse)
{
    int32_t most = (int32_t)reach - 1;
    int32_t i = 0;
#if TERRAIN_KERNEL_LEVEL == 2
    __m256i cells = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (; i + 8 <= (int32_t)width; i += 8) {
        __m256 means =
            variable_eight(source + i, _mm256_loadu_ps(radius + i), cells, most, sums, inverse);
        _mm256_storeu_ps(target + i, means);
        cells = _mm256_add_epi32(cells, _mm256_set1_epi32(8));
    }
#endif
    for (; i < (int32_t)width; i++) {
        target[i] = variable_cell(source, radius[i], i, most, sums, inverse);
    }
}

const struct variable_kernels TERRAIN__KERNELS(variable) = {variable_radii, variable_sum,
                                                            variable_smooth};
