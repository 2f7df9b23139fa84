/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/variable_kernels.h"

#include <string.h>

#include "vector/vec.h"

static inline vfloat variable_radius(vfloat amount, bool noise, float minimum, float maximum)
{
    vfloat a = noise ? vf_abs(amount) : amount;
    a = vf_min(vf_max(a, vf_set(0)), vf_set(1)) * vf_set(maximum);
    return vf_max(a, vf_set(minimum));
}

static void variable_radii(float *radius, const float *amount, uint32_t width, bool noise,
                           float minimum, float maximum)
{
    uint32_t i = 0;
    for (; i + VEC_LANES <= width; i += VEC_LANES) {
        vf_store(radius + i, variable_radius(vf_load(amount + i), noise, minimum, maximum));
    }
    if (i < width) {
        vfloat rest = vf_load_first(amount + i, width - i);
        vf_store_first(radius + i, variable_radius(rest, noise, minimum, maximum), width - i);
    }
}

/* Adding 1.5 * 2^26 leaves the nearest multiple of 2^-26 in the lower bits, halves to even. */
static inline uint64_t variable_unit(float height)
{
    float h = height - height == 0 ? height : 0;
    double v;
    uint64_t bits;
    h = h < -0x1p22f ? -0x1p22f : h;
    h = h > 0x1p22f ? 0x1p22f : h;
    v = (double)h + 0x1.8p26;
    memcpy(&bits, &v, sizeof bits);
    return bits - UINT64_C(0x4198000000000000);
}

#if TERRAIN_KERNEL_LEVEL >= 1

/* variable_unit of four cells. */
static inline __m256i variable_four_units(__m128 heights)
{
    __m256d v = _mm256_add_pd(_mm256_cvtps_pd(heights), _mm256_set1_pd(0x1.8p26));
    return _mm256_sub_epi64(_mm256_castpd_si256(v), _mm256_set1_epi64x(0x4198000000000000));
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

/* Cells at a time: what is the same for all of them goes through vectors. */
enum { VARIABLE_BLOCK = 64 };

struct variable_block {
    int32_t radius[VARIABLE_BLOCK]; /* rounded down, at most reach - 1 */
    float fraction[VARIABLE_BLOCK];
    int64_t small[VARIABLE_BLOCK]; /* the sum over the window of that radius */
    int64_t large[VARIABLE_BLOCK]; /* over that of the next */
    int32_t least[VARIABLE_BLOCK]; /* of four radii */
    int32_t step[VARIABLE_BLOCK];  /* from it to the cell's own */
};

/* ---- Cells one by one -------------------------------------------------------------------------- */

static inline void variable_split(struct variable_block *block, const float *radius, uint32_t begin,
                                  uint32_t end, int32_t most)
{
    for (uint32_t k = begin; k < end; k++) {
        int32_t r = (int32_t)radius[k];
        r = r < most ? r : most;
        block->radius[k] = r;
        block->fraction[k] = radius[k] - (float)r;
    }
}

/* The windows of cell k, whose sum is at `sums`. */
static inline void variable_look_up(struct variable_block *block, const uint64_t *sums, uint32_t k)
{
    const ptrdiff_t down = VARIABLE_STRIDE + 1;
    const ptrdiff_t up = VARIABLE_STRIDE - 1;
    const ptrdiff_t r = block->radius[k];
    const uint64_t *a = sums + down + r * down;
    const uint64_t *b = sums - r * down;
    const uint64_t *c = sums + VARIABLE_STRIDE + r * up;
    const uint64_t *d = sums + 1 - r * up;
    block->small[k] = (int64_t)((a[0] - c[0]) - (d[0] - b[0]));
    block->large[k] = (int64_t)((a[down] - c[up]) - (*(d - up) - *(b - down)));
}

static inline void variable_mix(float *target, const float *source, const float *radius,
                                const struct variable_block *block, uint32_t begin, uint32_t end,
                                const double *inverse)
{
    for (uint32_t k = begin; k < end; k++) {
        int32_t r = block->radius[k];
        double small = (double)block->small[k] * inverse[r];
        double large = (double)block->large[k] * inverse[r + 1];
        double mean = small + (double)block->fraction[k] * (large - small);
        target[k] = radius[k] > 0 ? (float)(mean * 0x1p-26) : source[k];
    }
}

/* ---- Four cells at a time ---------------------------------------------------------------------- */

#if TERRAIN_KERNEL_LEVEL >= 1

/* If more than one cell in so many is to be looked up by itself, all are: measured. */
enum { VARIABLE_STEEP = 3 };

/* Splits the cells that fill vectors. Neighbours have much the same radius. So four cells' sums are
 * loaded side by side, for their least radius and the two after it; that costs less than gathering
 * them. Returns the cells for which they are not enough, as bits: those whose radius is more than
 * one above the least. */
static inline uint64_t variable_split_vectors(struct variable_block *block, const float *radius,
                                              uint32_t count, int32_t most)
{
    uint64_t far = 0;
    for (uint32_t k = 0; k + 8 <= count; k += 8) {
        __m256 exact = _mm256_loadu_ps(radius + k);
        __m256i r = _mm256_min_epi32(_mm256_cvttps_epi32(exact), _mm256_set1_epi32(most));
        __m256i least = _mm256_min_epi32(r, _mm256_shuffle_epi32(r, 0x4E));
        __m256i step;
        least = _mm256_min_epi32(least, _mm256_shuffle_epi32(least, 0xB1));
        step = _mm256_sub_epi32(r, least);
        _mm256_storeu_si256((__m256i *)(void *)(block->radius + k), r);
        _mm256_storeu_si256((__m256i *)(void *)(block->least + k), least);
        _mm256_storeu_si256((__m256i *)(void *)(block->step + k), step);
        _mm256_storeu_ps(block->fraction + k, _mm256_sub_ps(exact, _mm256_cvtepi32_ps(r)));
        step = _mm256_cmpgt_epi32(step, _mm256_set1_epi32(1));
        far |= (uint64_t)(uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(step)) << k;
    }
    return far;
}

static inline __m256i variable_load_four(const uint64_t *sums)
{
    return _mm256_loadu_si256((const __m256i *)(const void *)sums);
}

/* The windows of radius `least` + `more` of four cells. */
static inline __m256d variable_four_windows(const uint64_t *sums, ptrdiff_t least, ptrdiff_t more)
{
    const ptrdiff_t down = VARIABLE_STRIDE + 1;
    const ptrdiff_t up = VARIABLE_STRIDE - 1;
    __m256i a = variable_load_four(sums + least * down + (more + 1) * down);
    __m256i b = variable_load_four(sums - least * down - more * down);
    __m256i c = variable_load_four(sums + least * up + VARIABLE_STRIDE + more * up);
    __m256i d = variable_load_four(sums - least * up + 1 - more * up);
    return _mm256_castsi256_pd(_mm256_sub_epi64(_mm256_sub_epi64(a, c), _mm256_sub_epi64(d, b)));
}

static inline void variable_look_up_vectors(struct variable_block *block, const uint64_t *sums,
                                            uint32_t count)
{
    for (uint32_t k = 0; k < count; k += 4) {
        ptrdiff_t least = block->least[k];
        __m128i step = _mm_loadu_si128((const __m128i *)(const void *)(block->step + k));
        /* 0 or 1 becomes the sign, by which blends go. */
        __m256d next = _mm256_castsi256_pd(_mm256_slli_epi64(_mm256_cvtepi32_epi64(step), 63));
        __m256d first = variable_four_windows(sums + k, least, 0);
        __m256d second = variable_four_windows(sums + k, least, 1);
        __m256d third = variable_four_windows(sums + k, least, 2);
        first = _mm256_blendv_pd(first, second, next);
        second = _mm256_blendv_pd(second, third, next);
        _mm256_storeu_si256((__m256i *)(void *)(block->small + k), _mm256_castpd_si256(first));
        _mm256_storeu_si256((__m256i *)(void *)(block->large + k), _mm256_castpd_si256(second));
    }
}

/* Four at a time, and the cells of `far` again; or all one by one, where these are many. */
static inline void variable_look_up_block(struct variable_block *block, const uint64_t *sums,
                                          uint32_t count, uint64_t far)
{
    if ((uint32_t)__builtin_popcountll(far) * VARIABLE_STEEP > count) {
        for (uint32_t k = 0; k < count; k++) {
            variable_look_up(block, sums + k, k);
        }
        return;
    }
    variable_look_up_vectors(block, sums, count);
    while (far != 0) {
        uint32_t k = (uint32_t)__builtin_ctzll(far);
        variable_look_up(block, sums + k, k);
        far &= far - 1;
    }
}

#if TERRAIN_KERNEL_LEVEL == 2

static inline __m256d variable_doubles(const int64_t *from)
{
    return _mm256_cvtepi64_pd(_mm256_loadu_si256((const __m256i *)(const void *)from));
}

#else

/* Rounded to nearest: the lower half of the bits and the upper half, its sign turned around, become
 * mantissas of 2^52 and of 2^84; what is too much is taken off exactly, and their sum is rounded
 * once. */
static inline __m256d variable_doubles(const int64_t *from)
{
    const __m256i lower = _mm256_set1_epi64x(0x4330000000000000);   /* 2^52 */
    const __m256i upper = _mm256_set1_epi64x(0x4530000080000000);   /* 2^84 + 2^63 */
    const __m256i surplus = _mm256_set1_epi64x(0x4530000080100000); /* 2^84 + 2^63 + 2^52 */
    __m256i v = _mm256_loadu_si256((const __m256i *)(const void *)from);
    __m256i low = _mm256_blend_epi32(lower, v, 0x55);
    __m256i high = _mm256_xor_si256(_mm256_srli_epi64(v, 32), upper);
    __m256d rest = _mm256_sub_pd(_mm256_castsi256_pd(high), _mm256_castsi256_pd(surplus));
    return _mm256_add_pd(rest, _mm256_castsi256_pd(low));
}

#endif

/* Those of cells k and k + 2, each with that of the next radius behind it. */
static inline __m256d variable_two_inverses(const double *inverse, const int32_t *radius)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(inverse + radius[0])),
                                _mm_loadu_pd(inverse + radius[2]), 1);
}

/* variable_mix of four cells, without a look at the radius. */
static inline __m128 variable_four_means(const struct variable_block *block, uint32_t k,
                                         const double *inverse)
{
    __m256d even = variable_two_inverses(inverse, block->radius + k);
    __m256d odd = variable_two_inverses(inverse, block->radius + k + 1);
    __m256d fraction = _mm256_cvtps_pd(_mm_loadu_ps(block->fraction + k));
    __m256d small = variable_doubles(block->small + k);
    __m256d large = variable_doubles(block->large + k);
    small = _mm256_mul_pd(small, _mm256_unpacklo_pd(even, odd));
    large = _mm256_mul_pd(large, _mm256_unpackhi_pd(even, odd));
    large = _mm256_mul_pd(fraction, _mm256_sub_pd(large, small));
    return _mm256_cvtpd_ps(_mm256_mul_pd(_mm256_add_pd(small, large), _mm256_set1_pd(0x1p-26)));
}

static inline void variable_mix_vectors(float *target, const float *source, const float *radius,
                                        const struct variable_block *block, uint32_t count,
                                        const double *inverse)
{
    for (uint32_t k = 0; k < count; k += 8) {
        __m128 low = variable_four_means(block, k, inverse);
        __m128 high = variable_four_means(block, k + 4, inverse);
        __m256 means = _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
        __m256 blurred =
            _mm256_cmp_ps(_mm256_loadu_ps(radius + k), _mm256_setzero_ps(), _CMP_GT_OQ);
        means = _mm256_blendv_ps(_mm256_loadu_ps(source + k), means, blurred);
        _mm256_storeu_ps(target + k, means);
    }
}

/* The cells of a block that fill vectors; returns how many. */
static uint32_t variable_smooth_vectors(float *target, const float *source, const float *radius,
                                        struct variable_block *block, uint32_t count, int32_t most,
                                        const uint64_t *sums, const double *inverse)
{
    uint64_t far;
    count &= ~UINT32_C(7);
    far = variable_split_vectors(block, radius, count, most);
    variable_look_up_block(block, sums, count, far);
    variable_mix_vectors(target, source, radius, block, count, inverse);
    return count;
}

#else

static uint32_t variable_smooth_vectors(float *target, const float *source, const float *radius,
                                        struct variable_block *block, uint32_t count, int32_t most,
                                        const uint64_t *sums, const double *inverse)
{
    (void)target, (void)source, (void)radius, (void)block, (void)count, (void)most;
    (void)sums, (void)inverse;
    return 0;
}

#endif

static void variable_smooth(float *target, const float *source, const float *radius, uint32_t width,
                            uint32_t reach, const uint64_t *sums, const double *inverse)
{
    int32_t most = (int32_t)reach - 1;
    struct variable_block block;
    for (uint32_t i = 0; i < width; i += VARIABLE_BLOCK) {
        uint32_t count = width - i < VARIABLE_BLOCK ? width - i : VARIABLE_BLOCK;
        uint32_t done = variable_smooth_vectors(target + i, source + i, radius + i, &block, count,
                                                most, sums + i, inverse);
        variable_split(&block, radius + i, done, count, most);
        for (uint32_t k = done; k < count; k++) {
            variable_look_up(&block, sums + i + k, k);
        }
        variable_mix(target + i, source + i, radius + i, &block, done, count, inverse);
    }
}

const struct variable_kernels TERRAIN__KERNELS(variable) = {variable_radii, variable_sum,
                                                            variable_smooth};
