/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/box_kernels.h"

#include <stdbool.h>

#include "core/vec.h"

/* ---- Across ---------------------------------------------------------------------------------- */

/* sums[i] = the sum of four neighbours at distance `step`; sums may lie before cells in the same row, as
 * it only looks ahead. */
static void box_quadruple(float *sums, const float *cells, uint32_t count, uint32_t step)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const float *from = cells + i;
        vf_store(sums + i, (vf_load(from) + vf_load(from + step)) +
                               (vf_load(from + 2 * step) + vf_load(from + 3 * step)));
    }
}

/* One to three neighbours at distance `step`. */
TERRAIN__INLINE vfloat box_digit(const float *cells, uint32_t digit, uint32_t step)
{
    vfloat sum = vf_load(cells);
    for (uint32_t i = 1; i < digit; i++) {
        sum += vf_load(cells + i * step);
    }
    return sum;
}

/* target[i] = partial[i] + the digit's cells. partial is NULL for nothing, and may be target. */
TERRAIN__INLINE void box_add(float *target, const float *partial, const float *cells,
                             uint32_t count, uint32_t digit, uint32_t step)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vfloat sum = box_digit(cells + i, digit, step);
        vf_store(target + i, partial == NULL ? sum : vf_load(partial + i) + sum);
    }
}

static void box_add_digit(float *target, const float *partial, const float *cells, uint32_t count,
                          uint32_t digit, uint32_t step)
{
    if (digit == 1) {
        box_add(target, partial, cells, count, 1, step);
    } else if (digit == 2) {
        box_add(target, partial, cells, count, 2, step);
    } else {
        box_add(target, partial, cells, count, 3, step);
    }
}

/* What the same additions make of a row of `centre` alone: each digit's sum is exact but for one
 * rounding, which the product has too. */
TERRAIN__INLINE void box_level(vfloat *level, const vfloat *centre, uint32_t vectors,
                               const struct box_window *window)
{
    for (uint32_t v = 0; v < vectors; v++) {
        level[v] = vf_set(window->parts[0]) * centre[v];
    }
    for (uint32_t i = 1; i < window->part_count; i++) {
        vfloat part = vf_set(window->parts[i]);
        for (uint32_t v = 0; v < vectors; v++) {
            level[v] += part * centre[v];
        }
    }
}

/* The last digit, and the mean as the centre plus the mean difference from it: a level row stays level
 * to the last bit. Cells are written up to the next multiple of VEC_LANES. */
TERRAIN__INLINE void box_finish_block(float *target, const float *partial, const float *cells,
                                      const float *source, uint32_t vectors, uint32_t digit,
                                      uint32_t step, const struct box_window *window)
{
    vfloat centre[4];
    vfloat level[4];
    vfloat fraction = vf_set(window->fraction);
    vfloat inverse = vf_set(window->inverse);
    for (uint32_t v = 0; v < vectors; v++) {
        centre[v] = vf_load(source + window->length / 2 + v * VEC_LANES);
    }
    box_level(level, centre, vectors, window);
    for (uint32_t v = 0; v < vectors; v++) {
        uint32_t i = v * VEC_LANES;
        vfloat sum = box_digit(cells + i, digit, step);
        sum = partial != NULL ? vf_load(partial + i) + sum : sum;
        if (window->fraction != 0) {
            const float *first = source + i - 1;
            sum += fraction * (vf_load(first) + vf_load(first + window->length + 1));
            level[v] += fraction * (centre[v] + centre[v]);
        }
        vf_store(target + i, centre[v] + (sum - level[v]) * inverse);
    }
}

TERRAIN__INLINE void box_finish_digit(float *target, const float *partial, const float *cells,
                                      const float *source, uint32_t width, uint32_t digit,
                                      uint32_t step, const struct box_window *window)
{
    uint32_t i = 0;
    for (; i + 4 * VEC_LANES <= width; i += 4 * VEC_LANES) {
        box_finish_block(target + i, partial != NULL ? partial + i : NULL, cells + i, source + i, 4,
                         digit, step, window);
    }
    for (; i < width; i += VEC_LANES) {
        box_finish_block(target + i, partial != NULL ? partial + i : NULL, cells + i, source + i, 1,
                         digit, step, window);
    }
}

static void box_finish(float *target, const float *partial, const float *cells, const float *source,
                       uint32_t width, uint32_t step, const struct box_window *window)
{
    uint32_t digit = window->digits[window->digit_count - 1];
    if (digit == 1) {
        box_finish_digit(target, partial, cells, source, width, 1, step, window);
    } else if (digit == 2) {
        box_finish_digit(target, partial, cells, source, width, 2, step, window);
    } else {
        box_finish_digit(target, partial, cells, source, width, 3, step, window);
    }
}

/* Sums of 1, 4, 16, … neighbours, of which the window takes as many as its length has digits to base 4:
 * a tree, whose rounding grows with its depth and not with the window. The target takes the part that
 * is summed so far. */
static void box_across(float *target, const float *source, float *work, uint32_t width,
                       const struct box_window *window)
{
    const float *cells = source;
    const float *partial = NULL;
    uint32_t last = window->digit_count - 1;
    uint32_t left = window->length;
    uint32_t step = 1;
    for (uint32_t i = 0; i < last; i++, step *= 4) {
        uint32_t digit = window->digits[i];
        if (i == 0 && digit == 1) {
            partial = source;
        } else if (digit != 0) {
            box_add_digit(target, partial, cells, width, digit, step);
            partial = target;
        }
        left -= digit * step;
        box_quadruple(work, cells + digit * step, width + left - 4 * step, step);
        cells = work;
    }
    box_finish(target, partial, cells, source, width, step, window);
}

/* ---- Down ------------------------------------------------------------------------------------ */

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

/* van Herk's scheme: a window as long as the block begins in one block and ends in the next, so it is
 * the sum from its begin to the end of the first and from the begin of the second to its end. `left`
 * cells are wanted of the `vectors` that are made. */
TERRAIN__INLINE void box_down_columns(float *target, size_t stride, const float *const *rows,
                                      size_t column, uint32_t tail, uint32_t count,
                                      uint32_t vectors, uint32_t left, bool ends,
                                      const double *inverse, const struct box_window *window,
                                      double *sums)
{
    const box_doubles zero = {0};
    uint32_t length = window->length;
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

const struct box_kernels TERRAIN__KERNELS(box) = {box_across, box_down};
