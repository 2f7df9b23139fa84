/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "blur/variable_kernels.h"

#if TERRAIN_KERNEL_LEVEL >= 1
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

#if TERRAIN_KERNEL_LEVEL >= 1

/* variable_unit of four cells. */
static inline __m256i variable_four_units(__m128 heights)
{
    __m256d v = _mm256_mul_pd(_mm256_cvtps_pd(heights), _mm256_set1_pd(0x1p26));
    v = _mm256_add_pd(v, _mm256_set1_pd(0x1.8p52));
    return _mm256_sub_epi64(_mm256_castpd_si256(v), _mm256_set1_epi64x(0x4338000000000000));
}

/* Cell i becomes the sum of cells 0 to i. */
static inline __m256i variable_scan(__m256i v)
{
    __m256i half;
    v = _mm256_add_epi64(v, _mm256_slli_si256(v, 8));
    half = _mm256_permute4x64_epi64(v, 0x50);
    return _mm256_add_epi64(v, _mm256_blend_epi32(half, _mm256_setzero_si256(), 0x0F));
}

static inline __m256i variable_put_sums(uint64_t *sums, const uint64_t *above, __m256i before,
                                        __m256i scan)
{
    __m256i up = _mm256_loadu_si256((const __m256i *)(const void *)above);
    __m256i sum = _mm256_add_epi64(_mm256_add_epi64(before, scan), up);
    _mm256_storeu_si256((__m256i *)(void *)sums, sum);
    return _mm256_add_epi64(before, _mm256_permute4x64_epi64(scan, 0xFF));
}

/* The cells that fill vectors; returns how many. *sum becomes theirs. */
static uint32_t variable_sum_vectors(uint64_t *sums, const uint64_t *above, const float *row,
                                     uint32_t width, uint64_t *sum, bool *odd)
{
    const __m256 most = _mm256_set1_ps(0x1p22f);
    const __m256 least = _mm256_set1_ps(-0x1p22f);
    __m256 finite = _mm256_castsi256_ps(_mm256_set1_epi32(-1));
    __m256i before = _mm256_setzero_si256();
    uint32_t i = 0;
    for (; i + 8 <= width; i += 8) {
        __m256 h = _mm256_loadu_ps(row + i);
        __m256 fine = _mm256_cmp_ps(_mm256_sub_ps(h, h), _mm256_setzero_ps(), _CMP_EQ_OQ);
        __m256i low;
        __m256i high;
        finite = _mm256_and_ps(finite, fine);
        h = _mm256_min_ps(_mm256_max_ps(_mm256_and_ps(h, fine), least), most);
        low = variable_scan(variable_four_units(_mm256_castps256_ps128(h)));
        high = variable_scan(variable_four_units(_mm256_extractf128_ps(h, 1)));
        before = variable_put_sums(sums + i, above + i, before, low);
        before = variable_put_sums(sums + i + 4, above + i + 4, before, high);
    }
    *sum = (uint64_t)_mm256_extract_epi64(before, 0);
    *odd = _mm256_movemask_ps(finite) != 0xFF;
    return i;
}

#else

static uint32_t variable_sum_vectors(uint64_t *sums, const uint64_t *above, const float *row,
                                     uint32_t width, uint64_t *sum, bool *odd)
{
    (void)sums, (void)above, (void)row, (void)width;
    *sum = 0;
    *odd = false;
    return 0;
}

#endif

static bool variable_sum(uint64_t *sums, const uint64_t *above, const float *row, uint32_t width)
{
    uint64_t sum;
    bool odd;
    uint32_t i = variable_sum_vectors(sums + 1, above + 1, row, width, &sum, &odd);
    sums[0] = 0;
    for (; i < width; i++) {
        sum += variable_unit(row[i]);
        sums[i + 1] = above[i + 1] + sum;
        odd = odd || row[i] - row[i] != 0;
    }
    return odd;
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

/* Cells at a time: what is the same for all of them goes through vectors, but for the table, which
 * each cell reads elsewhere. (AVX2 gathers no faster than a load after the other.) */
enum { VARIABLE_BLOCK = 32 };

struct variable_block {
    int32_t radius[VARIABLE_BLOCK]; /* rounded down, at most reach - 1 */
    double fraction[VARIABLE_BLOCK];
    double small[VARIABLE_BLOCK]; /* the mean of that radius, in units */
    double large[VARIABLE_BLOCK]; /* the mean of the next */
};

static inline void variable_split(struct variable_block *block, const float *radius, uint32_t count,
                                  int32_t most)
{
    for (uint32_t k = 0; k < count; k++) {
        int32_t r = (int32_t)radius[k];
        r = r < most ? r : most;
        block->radius[k] = r;
        block->fraction[k] = (double)(radius[k] - (float)r);
    }
}

/* variable_window of radius r and of r + 1. */
static inline void variable_means(struct variable_block *block, const uint64_t *sums,
                                  ptrdiff_t stride, uint32_t count, const double *inverse)
{
    const ptrdiff_t down = stride + 1;
    const ptrdiff_t up = stride - 1;
    for (uint32_t k = 0; k < count; k++, sums++) {
        ptrdiff_t r = block->radius[k];
        const uint64_t *a = sums + down + r * down;
        const uint64_t *b = sums - r * down;
        const uint64_t *c = sums + stride + r * up;
        const uint64_t *d = sums + 1 - r * up;
        uint64_t small = (a[0] - c[0]) - (d[0] - b[0]);
        uint64_t large = (a[down] - c[up]) - (*(d - up) - *(b - down));
        block->small[k] = (double)(int64_t)small * inverse[r];
        block->large[k] = (double)(int64_t)large * inverse[r + 1];
    }
}

static inline void variable_mix(float *target, const float *source, const float *radius,
                                const struct variable_block *block, uint32_t count)
{
    TERRAIN__INDEPENDENT
    for (uint32_t k = 0; k < count; k++) {
        double small = block->small[k];
        double mean = small + block->fraction[k] * (block->large[k] - small);
        target[k] = radius[k] > 0 ? (float)(mean * 0x1p-26) : source[k];
    }
}

static void variable_smooth(float *target, const float *source, const float *radius, uint32_t width,
                            uint32_t reach, const struct variable_sums *sums, const double *inverse)
{
    int32_t most = (int32_t)reach - 1;
    struct variable_block block;
    uint32_t i = 0;
#if TERRAIN_KERNEL_LEVEL == 2
    __m256i cells = _mm256_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7);
    for (; i + 8 <= width; i += 8) {
        __m256 means =
            variable_eight(source + i, _mm256_loadu_ps(radius + i), cells, most, sums, inverse);
        _mm256_storeu_ps(target + i, means);
        cells = _mm256_add_epi32(cells, _mm256_set1_epi32(8));
    }
#endif
    for (; i < width; i += VARIABLE_BLOCK) {
        uint32_t count = width - i < VARIABLE_BLOCK ? width - i : VARIABLE_BLOCK;
        variable_split(&block, radius + i, count, most);
        variable_means(&block, sums->centre + i, (ptrdiff_t)sums->stride, count, inverse);
        variable_mix(target + i, source + i, radius + i, &block, count);
    }
}

const struct variable_kernels TERRAIN__KERNELS(variable) = {variable_radii, variable_sum,
                                                            variable_smooth};
