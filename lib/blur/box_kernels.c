/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/box_kernels.h"

#include <stdbool.h>

#include "core/vec.h"

/* ---- Few cells ---------------------------------------------------------------------------- */

/* The cells at distance k from the centre. */
static inline vfloat box_both(const float *const *cells, uint32_t half, uint32_t k, size_t i)
{
    return vf_load(cells[half - k] + i) + vf_load(cells[half + k] + i);
}

/* The mean as the centre plus the mean difference from it. Sums of 2 and of 4 equal cells are
 * exact, so that what is level stays level to the last bit; and they are the same for mirrored
 * cells. */
TERRAIN__INLINE vfloat box_direct_mean(const float *const *cells, size_t i, uint32_t half,
                                       bool ends, const struct box_window *window)
{
    vfloat centre = vf_load(cells[half] + i);
    vfloat two = centre + centre;
    vfloat sum = vf_set(0);
    if (half == 1) {
        sum = box_both(cells, half, 1, i) - two;
    } else if (half == 2) {
        sum = (box_both(cells, half, 1, i) + box_both(cells, half, 2, i)) - (two + two);
    } else if (half == 3) {
        sum = (box_both(cells, half, 1, i) - two) +
              ((box_both(cells, half, 2, i) + box_both(cells, half, 3, i)) - (two + two));
    }
    if (ends) {
        vfloat beside = vf_load(cells[-1] + i) + vf_load(cells[2 * half + 1] + i);
        sum += (beside - two) * vf_set(window->fraction);
    }
    return centre + sum * vf_set(window->inverse);
}

TERRAIN__INLINE void box_direct_row(float *target, const float *const *cells, uint32_t width,
                                    uint32_t half, bool ends, const struct box_window *window)
{
    /* Its own, which no store to the target can change, so that they stay in registers. */
    const float *own[2 * BOX_DIRECT + 3];
    const float *const *from = own + 1;
    uint32_t i = 0;
    for (uint32_t k = ends ? 0 : 1; k < 2 * half + (ends ? 3 : 2); k++) {
        own[k] = cells[(ptrdiff_t)k - 1];
    }
    for (; i + VEC_LANES <= width; i += VEC_LANES) {
        vf_store(target + i, box_direct_mean(from, i, half, ends, window));
    }
    if (i < width) {
        vf_store_first(target + i, box_direct_mean(from, i, half, ends, window), width - i);
    }
}

static void box_direct(float *target, const float *const *cells, uint32_t width,
                       const struct box_window *window)
{
    bool ends = window->fraction != 0;
    switch (window->half) {
    case 0:
        box_direct_row(target, cells, width, 0, true, window);
        break;
    case 1:
        if (ends) {
            box_direct_row(target, cells, width, 1, true, window);
        } else {
            box_direct_row(target, cells, width, 1, false, window);
        }
        break;
    case 2:
        if (ends) {
            box_direct_row(target, cells, width, 2, true, window);
        } else {
            box_direct_row(target, cells, width, 2, false, window);
        }
        break;
    default:
        if (ends) {
            box_direct_row(target, cells, width, 3, true, window);
        } else {
            box_direct_row(target, cells, width, 3, false, window);
        }
    }
}

/* ---- Across ---------------------------------------------------------------------------------- */

/* sums[i] = the sum of four neighbours at distance `step`; the same for a mirrored row,
 * mirrored. */
static void box_quadruple(float *sums, const float *cells, uint32_t count, uint32_t step)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const float *from = cells + i;
        vf_store(sums + i, (vf_load(from) + vf_load(from + step)) +
                               (vf_load(from + 2 * step) + vf_load(from + 3 * step)));
    }
}

/* A piece of the window left of its centre and one as long right of it, as they begin for the first
 * cell of a row, and the cells that both have. */
struct box_pair {
    const float *left;
    const float *right;
    float cells;
};

/* The mean as the centre plus the mean difference from it: sums of 2, 8, 32, … equal cells are
 * exact, so that a level row stays level to the last bit. Cells are written up to the next multiple
 * of VEC_LANES. */
TERRAIN__INLINE void box_mean(float *target, const float *source, uint32_t i, uint32_t vectors,
                              const struct box_pair *pairs, uint32_t pair_count,
                              const struct box_window *window)
{
    const float *middle = source + window->half + i;
    vfloat centre[4];
    vfloat sum[4];
    for (uint32_t v = 0; v < vectors; v++) {
        centre[v] = vf_load(middle + v * VEC_LANES);
        sum[v] = vf_set(0);
    }
    for (uint32_t k = 0; k < pair_count; k++) {
        vfloat cells = vf_set(pairs[k].cells);
        for (uint32_t v = 0; v < vectors; v++) {
            vfloat left = vf_load(pairs[k].left + i + v * VEC_LANES);
            vfloat right = vf_load(pairs[k].right + i + v * VEC_LANES);
            sum[v] += (left + right) - centre[v] * cells;
        }
    }
    for (uint32_t v = 0; window->fraction != 0 && v < vectors; v++) {
        const float *first = source + i + v * VEC_LANES - 1;
        vfloat ends = vf_load(first) + vf_load(first + 2 * window->half + 2);
        sum[v] += (ends - (centre[v] + centre[v])) * vf_set(window->fraction);
    }
    for (uint32_t v = 0; v < vectors; v++) {
        vf_store(target + i + v * VEC_LANES, centre[v] + sum[v] * vf_set(window->inverse));
    }
}

/* Sums of 1, 4, 16, … neighbours, of which either half of the window takes as many as its length
 * has digits to base 4, the shortest next to the centre: a tree, whose rounding grows with its
 * depth and not with the window. */
static void box_across(float *target, const float *source, float *work, uint32_t width,
                       const struct box_window *window)
{
    struct box_pair pairs[3 * BOX_MAXIMUM_DIGITS];
    uint32_t pair_count = 0;
    uint32_t room = (width + 2 * window->half + 64) / 16 * 16;
    uint32_t taken = 0; /* of a half, from the centre on */
    uint32_t step = 1;
    uint32_t i = 0;
    const float *cells = source;
    for (uint32_t level = 0;; level++, step *= 4) {
        for (uint32_t k = window->half / step % 4; k > 0; k--) {
            pairs[pair_count].left = cells + window->half - taken - step;
            pairs[pair_count].right = cells + window->half + 1 + taken;
            pairs[pair_count++].cells = (float)(2 * step);
            taken += step;
        }
        if (window->half / step < 4) {
            break;
        }
        box_quadruple(work, cells, width + 2 * window->half + 1 - 4 * step, step);
        cells = work;
        work += room;
    }
    for (; i + 4 * VEC_LANES <= width; i += 4 * VEC_LANES) {
        box_mean(target, source, i, 4, pairs, pair_count, window);
    }
    for (; i < width; i += VEC_LANES) {
        box_mean(target, source, i, 1, pairs, pair_count, window);
    }
}

/* ---- Doubles --------------------------------------------------------------------------------- */

/* Half as many doubles as there are floats in a vector. */
#if VEC_LANES > 1
enum { BOX_LANES = VEC_LANES / 2 };
typedef double box_doubles __attribute__((vector_size(4 * VEC_LANES)));
typedef float box_floats __attribute__((vector_size(2 * VEC_LANES)));
#define BOX_CONVERT(value, type) __builtin_convertvector(value, type)
#else
enum { BOX_LANES = 1 };
typedef double box_doubles;
typedef float box_floats;
#define BOX_CONVERT(value, type) ((type)(value))
#endif

static inline box_doubles box_load(const double *from)
{
    box_doubles v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void box_store(double *to, box_doubles v)
{
    memcpy(to, &v, sizeof v);
}

/* gcc 12 makes four instructions of BOX_CONVERT where there is one. */
static inline box_doubles box_widen(const float *from)
{
#if TERRAIN_KERNEL_LEVEL == 2
    return (box_doubles)_mm512_cvtps_pd(_mm256_loadu_ps(from));
#elif TERRAIN_KERNEL_LEVEL == 1
    return (box_doubles)_mm256_cvtps_pd(_mm_loadu_ps(from));
#elif defined(__SSE2__) && VEC_LANES > 1
    __m128i v = _mm_loadl_epi64((const __m128i *)(const void *)from);
    return (box_doubles)_mm_cvtps_pd(_mm_castsi128_ps(v));
#else
    box_floats v;
    memcpy(&v, from, sizeof v);
    return BOX_CONVERT(v, box_doubles);
#endif
}

/* The first n. */
static inline void box_narrow(float *to, box_doubles v, uint32_t n)
{
#if TERRAIN_KERNEL_LEVEL == 2
    box_floats narrow = (box_floats)_mm512_cvtpd_ps((__m512d)v);
#elif TERRAIN_KERNEL_LEVEL == 1
    box_floats narrow = (box_floats)_mm256_cvtpd_ps((__m256d)v);
#else
    box_floats narrow = BOX_CONVERT(v, box_floats);
#endif
    memcpy(to, &narrow, (n < BOX_LANES ? n : BOX_LANES) * sizeof *to);
}

/* ---- Across, wide windows -------------------------------------------------------------------- */

/* A vector holds the same cell of several rows here: so a sum can run along a row. */

#if VEC_LANES == 4 && defined(__has_builtin)
#if __has_builtin(__builtin_shufflevector)
#define BOX_SHUFFLES 1
#endif
#endif
#ifndef BOX_SHUFFLES
#define BOX_SHUFFLES 0
#endif

#if TERRAIN_KERNEL_LEVEL >= 1

/* Four rows of four in either half of the vectors become four columns. */
static inline void box_transpose(__m256 columns[4], const __m256 rows[4])
{
    __m256d a = _mm256_castps_pd(_mm256_unpacklo_ps(rows[0], rows[1]));
    __m256d b = _mm256_castps_pd(_mm256_unpackhi_ps(rows[0], rows[1]));
    __m256d c = _mm256_castps_pd(_mm256_unpacklo_ps(rows[2], rows[3]));
    __m256d d = _mm256_castps_pd(_mm256_unpackhi_ps(rows[2], rows[3]));
    columns[0] = _mm256_castpd_ps(_mm256_unpacklo_pd(a, c));
    columns[1] = _mm256_castpd_ps(_mm256_unpackhi_pd(a, c));
    columns[2] = _mm256_castpd_ps(_mm256_unpacklo_pd(b, d));
    columns[3] = _mm256_castpd_ps(_mm256_unpackhi_pd(b, d));
}

static inline __m256 box_join(__m128 low, __m128 high)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(low), high, 1);
}

/* Four of the rows, eight columns. Spans of the left and the right half are apart. */
static inline void box_turn_four(float *turned, __m256i *least, __m256i *most,
                                 const float *const *rows, size_t column)
{
    __m256 columns[4];
    __m256 cells[4];
    for (uint32_t k = 0; k < 4; k++) {
        cells[k] = _mm256_loadu_ps(rows[k] + column);
    }
    box_transpose(columns, cells);
    for (uint32_t k = 0; k < 4; k++) {
        __m256i bits = _mm256_castps_si256(columns[k]);
        bits = _mm256_add_epi32(bits, bits);
        *most = _mm256_max_epu32(*most, bits);
        *least = _mm256_min_epu32(*least, _mm256_add_epi32(bits, _mm256_set1_epi32(-1)));
        _mm_storeu_ps(turned + k * BOX_GROUP, _mm256_castps256_ps128(columns[k]));
        _mm_storeu_ps(turned + (k + 4) * BOX_GROUP, _mm256_extractf128_ps(columns[k], 1));
    }
}

/* Both halves of four rows' spans into those of rows 0 to 3. */
static inline void box_put_spans(uint32_t *least, uint32_t *most, __m256i low, __m256i high)
{
    __m128i l = _mm_min_epu32(_mm256_castsi256_si128(low), _mm256_extracti128_si256(low, 1));
    __m128i m = _mm_max_epu32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1));
    _mm_storeu_si128((__m128i *)(void *)least,
                     _mm_min_epu32(l, _mm_loadu_si128((const __m128i *)(const void *)least)));
    _mm_storeu_si128((__m128i *)(void *)most,
                     _mm_max_epu32(m, _mm_loadu_si128((const __m128i *)(const void *)most)));
}

/* The columns that fill vectors; returns how many. */
static uint32_t box_turn_vectors(float *turned, struct box_spans *spans, const float *const *rows,
                                 uint32_t width)
{
    __m256i least[2] = {_mm256_set1_epi32(-1), _mm256_set1_epi32(-1)};
    __m256i most[2] = {_mm256_setzero_si256(), _mm256_setzero_si256()};
    uint32_t i = 0;
    for (; i + 8 <= width; i += 8) {
        float *to = turned + (size_t)i * BOX_GROUP;
        box_turn_four(to, &least[0], &most[0], rows, i);
        box_turn_four(to + 4, &least[1], &most[1], rows + 4, i);
    }
    box_put_spans(spans->least, spans->most, least[0], most[0]);
    box_put_spans(spans->least + 4, spans->most + 4, least[1], most[1]);
    return i;
}

#elif BOX_SHUFFLES

/* Four rows of four become four columns. */
static inline void box_transpose(vfloat columns[4], const vfloat rows[4])
{
    vfloat a = __builtin_shufflevector(rows[0], rows[1], 0, 4, 1, 5);
    vfloat b = __builtin_shufflevector(rows[0], rows[1], 2, 6, 3, 7);
    vfloat c = __builtin_shufflevector(rows[2], rows[3], 0, 4, 1, 5);
    vfloat d = __builtin_shufflevector(rows[2], rows[3], 2, 6, 3, 7);
    columns[0] = __builtin_shufflevector(a, c, 0, 1, 4, 5);
    columns[1] = __builtin_shufflevector(a, c, 2, 3, 6, 7);
    columns[2] = __builtin_shufflevector(b, d, 0, 1, 4, 5);
    columns[3] = __builtin_shufflevector(b, d, 2, 3, 6, 7);
}

/* Comparisons are of signed numbers, so both spans are moved by 2^31. */
static inline void box_turn_four(float *turned, vint *least, vint *most, const float *const *rows,
                                 size_t column)
{
    const vuint middle = vu_set(UINT32_C(0x80000000));
    vfloat columns[4];
    vfloat cells[4];
    for (uint32_t k = 0; k < 4; k++) {
        cells[k] = vf_load(rows[k] + column);
    }
    box_transpose(columns, cells);
    for (uint32_t k = 0; k < 4; k++) {
        vuint bits = vf_bits(columns[k]);
        vint high = vi_from_bits((bits + bits) ^ middle);
        vint low = vi_from_bits((bits + bits - vu_set(1)) ^ middle);
        *most = vi_select(vi_less(*most, high), high, *most);
        *least = vi_select(vi_less(low, *least), low, *least);
        vf_store(turned + k * BOX_GROUP, columns[k]);
    }
}

static uint32_t box_turn_vectors(float *turned, struct box_spans *spans, const float *const *rows,
                                 uint32_t width)
{
    uint32_t whole = width / 4 * 4;
    for (uint32_t k = 0; k < BOX_GROUP; k += 4) {
        vint least = vi_set(INT32_MAX);
        vint most = vi_set(INT32_MIN);
        for (uint32_t i = 0; i < whole; i += 4) {
            box_turn_four(turned + (size_t)i * BOX_GROUP + k, &least, &most, rows + k, i);
        }
        for (uint32_t lane = 0; lane < 4; lane++) {
            uint32_t low = (uint32_t)least[lane] ^ UINT32_C(0x80000000);
            uint32_t high = (uint32_t)most[lane] ^ UINT32_C(0x80000000);
            spans->least[k + lane] = low < spans->least[k + lane] ? low : spans->least[k + lane];
            spans->most[k + lane] = high > spans->most[k + lane] ? high : spans->most[k + lane];
        }
    }
    return whole;
}

#else

static uint32_t box_turn_vectors(float *turned, struct box_spans *spans, const float *const *rows,
                                 uint32_t width)
{
    (void)turned, (void)spans, (void)rows, (void)width;
    return 0;
}

#endif

/* Without their sign, bits of floats are in the order of their sizes; less 1, 0 is the largest. */
static void box_turn(float *turned, struct box_spans *spans, const float *const *rows,
                     uint32_t width)
{
    uint32_t i = box_turn_vectors(turned, spans, rows, width);
    for (; i < width; i++) {
        for (uint32_t k = 0; k < BOX_GROUP; k++) {
            uint32_t bits;
            memcpy(&bits, rows[k] + i, sizeof bits);
            turned[(size_t)i * BOX_GROUP + k] = rows[k][i];
            bits += bits;
            spans->most[k] = bits > spans->most[k] ? bits : spans->most[k];
            spans->least[k] = bits - 1 < spans->least[k] ? bits - 1 : spans->least[k];
        }
    }
}

/* The mean from the sum of the whole cells and of the two that count in part. */
static inline float box_mean_of(double sum, double ends, const struct box_window *window)
{
    return (float)((sum + ends * (double)window->fraction) * window->exact_inverse);
}

#if TERRAIN_KERNEL_LEVEL >= 1

/* Four rows of the group: their sums so far, and what comes next. */
struct box_four {
    __m256d sum;
    const float *from; /* the window's first whole cell in the first of them */
    size_t length;     /* from there to the one after the last */
};

static inline __m256d box_four_cells(const float *from)
{
    return _mm256_cvtps_pd(_mm_loadu_ps(from));
}

static inline struct box_four box_four_begin(const float *turned, const struct box_window *window)
{
    struct box_four four = {_mm256_setzero_pd(), turned, 2 * (size_t)window->half + 1};
    for (size_t i = 0; i < four.length; i++) {
        four.sum += box_four_cells(turned + i * BOX_GROUP);
    }
    return four;
}

static inline __m128 box_four_next(struct box_four *four, bool ends, __m256d fraction,
                                   __m256d inverse)
{
    __m256d leaves = box_four_cells(four->from);
    __m256d enters = box_four_cells(four->from + four->length * BOX_GROUP);
    __m256d sum = four->sum;
    if (ends) {
        sum += (box_four_cells(four->from - BOX_GROUP) + enters) * fraction;
    }
    four->sum += enters - leaves;
    four->from += BOX_GROUP;
    return _mm256_cvtpd_ps(sum * inverse);
}

TERRAIN__INLINE void box_slide_rows(float *const *targets, const float *turned, uint32_t width,
                                    bool ends, const struct box_window *window)
{
    const __m256d fraction = _mm256_set1_pd((double)window->fraction);
    const __m256d inverse = _mm256_set1_pd(window->exact_inverse);
    struct box_four upper = box_four_begin(turned, window);
    struct box_four lower = box_four_begin(turned + 4, window);
    for (uint32_t i = 0; i < width; i += 8) {
        __m256 means[8];
        __m256 rows[8];
        for (uint32_t k = 0; k < 8; k++) {
            __m128 above = box_four_next(&upper, ends, fraction, inverse);
            __m128 below = box_four_next(&lower, ends, fraction, inverse);
            means[k % 4] = k < 4 ? _mm256_castps128_ps256(above)
                                 : box_join(_mm256_castps256_ps128(means[k % 4]), above);
            means[4 + k % 4] = k < 4 ? _mm256_castps128_ps256(below)
                                     : box_join(_mm256_castps256_ps128(means[4 + k % 4]), below);
        }
        box_transpose(rows, means);
        box_transpose(rows + 4, means + 4);
        for (uint32_t k = 0; k < 8; k++) {
            _mm256_storeu_ps(targets[k] + i, rows[k]);
        }
    }
}

#elif BOX_SHUFFLES

/* Four doubles as floats. */
static inline vfloat box_narrow_four(box_doubles low, box_doubles high)
{
#if defined(__SSE2__)
    return (vfloat)_mm_movelh_ps(_mm_cvtpd_ps((__m128d)low), _mm_cvtpd_ps((__m128d)high));
#else
    return __builtin_shufflevector(BOX_CONVERT(low, box_floats), BOX_CONVERT(high, box_floats), 0,
                                   1, 2, 3);
#endif
}

TERRAIN__INLINE void box_slide_four(float *const *targets, const float *turned, uint32_t width,
                                    bool ends, const struct box_window *window)
{
    size_t length = (2 * (size_t)window->half + 1) * BOX_GROUP;
    box_doubles sum[2] = {{0}, {0}};
    for (size_t i = 0; i < length; i += BOX_GROUP) {
        sum[0] += box_widen(turned + i);
        sum[1] += box_widen(turned + i + 2);
    }
    for (uint32_t i = 0; i < width; i += 4) {
        vfloat means[4];
        vfloat rows[4];
        for (uint32_t k = 0; k < 4; k++, turned += BOX_GROUP) {
            box_doubles all[2];
            for (uint32_t v = 0; v < 2; v++) {
                box_doubles leaves = box_widen(turned + 2 * v);
                box_doubles enters = box_widen(turned + length + 2 * v);
                all[v] = sum[v];
                if (ends) {
                    all[v] +=
                        (box_widen(turned + 2 * v - BOX_GROUP) + enters) * (double)window->fraction;
                }
                all[v] *= window->exact_inverse;
                sum[v] += enters - leaves;
            }
            means[k] = box_narrow_four(all[0], all[1]);
        }
        box_transpose(rows, means);
        for (uint32_t k = 0; k < 4; k++) {
            vf_store(targets[k] + i, rows[k]);
        }
    }
}

TERRAIN__INLINE void box_slide_rows(float *const *targets, const float *turned, uint32_t width,
                                    bool ends, const struct box_window *window)
{
    box_slide_four(targets, turned, width, ends, window);
    box_slide_four(targets + 4, turned + 4, width, ends, window);
}

#else

/* Row by row would wait for each addition; four rows at a time do not. */
TERRAIN__INLINE void box_slide_rows(float *const *targets, const float *turned, uint32_t width,
                                    bool ends, const struct box_window *window)
{
    size_t length = 2 * (size_t)window->half + 1;
    for (uint32_t k = 0; k < BOX_GROUP; k += 4) {
        double sum[4] = {0, 0, 0, 0};
        const float *from = turned + k;
        for (size_t i = 0; i < length * BOX_GROUP; i += BOX_GROUP) {
            for (uint32_t row = 0; row < 4; row++) {
                sum[row] += (double)from[i + row];
            }
        }
        for (uint32_t i = 0; i < width; i++, from += BOX_GROUP) {
            const float *after = from + length * BOX_GROUP;
            for (uint32_t row = 0; row < 4; row++) {
                double beside =
                    ends ? (double)from[(ptrdiff_t)row - (ptrdiff_t)BOX_GROUP] + (double)after[row]
                         : 0;
                targets[k + row][i] = box_mean_of(sum[row], beside, window);
                sum[row] += (double)after[row] - (double)from[row];
            }
        }
    }
}

#endif

static void box_slide(float *const *targets, const float *turned, uint32_t width,
                      const struct box_window *window)
{
    if (window->fraction != 0) {
        box_slide_rows(targets, turned, width, true, window);
    } else {
        box_slide_rows(targets, turned, width, false, window);
    }
}

/* to[i] += a[i] + b[i], and likewise without b. `count` is a multiple of BOX_GROUP. */
static inline void box_add_both(double *to, const double *a, const double *b, size_t count)
{
    for (size_t i = 0; i < count; i += BOX_LANES) {
        box_store(to + i, box_load(to + i) + (box_load(a + i) + box_load(b + i)));
    }
}

static inline void box_add_ahead(double *to, const double *a, size_t count)
{
    for (size_t i = 0; i < count; i += BOX_LANES) {
        box_store(to + i, box_load(to + i) + box_load(a + i));
    }
}

/* The sums of the whole cells of each window. Either half of it takes a sum for each binary digit
 * of its length, the shortest next to the centre, so that a mirrored row gives the mirrored
 * sums. */
static void box_add_cells(double *all, double *sums, const float *turned, size_t width, size_t half)
{
    size_t cells = width + 2 * half; /* sums that begin in the first so many columns */
    size_t taken = 0;
    for (size_t i = 0; i < cells * BOX_GROUP; i += BOX_LANES) {
        box_store(sums + i, box_widen(turned + i));
    }
    memcpy(all, sums + half * BOX_GROUP, width * BOX_GROUP * sizeof *all);
    for (size_t step = 1;; step *= 2) {
        if ((half & step) != 0) {
            box_add_both(all, sums + (half - taken - step) * BOX_GROUP,
                         sums + (half + taken + 1) * BOX_GROUP, width * BOX_GROUP);
            taken += step;
        }
        if (taken == half) {
            return;
        }
        cells -= step;
        box_add_ahead(sums, sums + step * BOX_GROUP, cells * BOX_GROUP);
    }
}

static void box_add(float *const *targets, const float *turned, double *work, uint32_t width,
                    const struct box_window *window)
{
    const size_t after = (2 * (size_t)window->half + 1) * BOX_GROUP;
    box_add_cells(work, work + (size_t)width * BOX_GROUP, turned, width, window->half);
    for (uint32_t i = 0; i < width; i++) {
        for (uint32_t k = 0; k < BOX_GROUP; k++) {
            const float *first = turned + (size_t)i * BOX_GROUP + k;
            double ends = 0;
            if (window->fraction != 0) {
                ends = (double)first[-(ptrdiff_t)BOX_GROUP] + (double)first[after];
            }
            targets[k][i] = box_mean_of(work[(size_t)i * BOX_GROUP + k] + 0.0, ends, window);
        }
    }
}

/* ---- Down ------------------------------------------------------------------------------------ */

/* van Herk's scheme: a window as long as the block begins in one block and ends in the next, so it
 * is the sum from its begin to the end of the first and from the begin of the second to its end.
 * `left` cells are wanted of the `vectors` that are made. */
TERRAIN__INLINE void box_down_columns(float *target, size_t stride, const float *const *rows,
                                      size_t column, uint32_t tail, uint32_t count,
                                      uint32_t vectors, uint32_t left, bool ends,
                                      const double *inverse, const struct box_window *window,
                                      double *sums)
{
    const box_doubles zero = {0};
    uint32_t length = 2 * window->half + 1;
    double fraction = (double)window->fraction;
    box_doubles sum[BOX_COLUMNS / BOX_LANES];
    for (uint32_t v = 0; v < vectors; v++) {
        sum[v] = zero;
    }
    for (uint32_t i = tail; i-- > 0;) {
        for (uint32_t v = 0; v < vectors; v++) {
            sum[v] += box_widen(rows[i] + column + v * BOX_LANES);
            box_store(sums + (size_t)i * BOX_COLUMNS + v * BOX_LANES, sum[v]);
        }
    }
    for (uint32_t v = 0; v < vectors; v++) {
        sum[v] = zero;
    }
    for (uint32_t i = tail; i < length; i++) {
        for (uint32_t v = 0; v < vectors; v++) {
            sum[v] += box_widen(rows[i] + column + v * BOX_LANES);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        float *cells = target + i * stride;
        for (uint32_t v = 0; v < vectors; v++) {
            box_doubles all = box_load(sums + (size_t)i * BOX_COLUMNS + v * BOX_LANES) + sum[v];
            if (ends) {
                all += (box_widen(rows[(ptrdiff_t)i - 1] + column + v * BOX_LANES) +
                        box_widen(rows[length + i] + column + v * BOX_LANES)) *
                       fraction;
            }
            box_narrow(cells + v * BOX_LANES, all * inverse[i], left - v * BOX_LANES);
        }
        for (uint32_t v = 0; i + 1 < count && v < vectors; v++) {
            sum[v] += box_widen(rows[length + i] + column + v * BOX_LANES);
        }
    }
}

TERRAIN__INLINE void box_down_all(float *target, size_t stride, const float *const *rows,
                                  uint32_t tail, uint32_t count, uint32_t columns, bool ends,
                                  const double *inverse, const struct box_window *window,
                                  double *sums)
{
    uint32_t column = 0;
    for (; columns - column >= BOX_COLUMNS; column += BOX_COLUMNS) {
        box_down_columns(target + column, stride, rows, column, tail, count,
                         BOX_COLUMNS / BOX_LANES, BOX_COLUMNS, ends, inverse, window, sums);
    }
    if (column < columns && columns >= BOX_COLUMNS) {
        /* The last block makes some columns once more. */
        column = columns - BOX_COLUMNS;
        box_down_columns(target + column, stride, rows, column, tail, count,
                         BOX_COLUMNS / BOX_LANES, BOX_COLUMNS, ends, inverse, window, sums);
        return;
    }
    for (; column < columns; column += BOX_LANES) {
        box_down_columns(target + column, stride, rows, column, tail, count, 1, columns - column,
                         ends, inverse, window, sums);
    }
}

static void box_down(float *target, size_t stride, const float *const *rows, uint32_t tail,
                     uint32_t count, uint32_t columns, const double *inverse,
                     const struct box_window *window, double *sums)
{
    if (window->fraction != 0) {
        box_down_all(target, stride, rows, tail, count, columns, true, inverse, window, sums);
    } else {
        box_down_all(target, stride, rows, tail, count, columns, false, inverse, window, sums);
    }
}

const struct box_kernels TERRAIN__KERNELS(box) = {box_direct, box_across, box_turn,
                                                  box_slide,  box_add,    box_down};
