/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/box_kernels.h"

#include <stdbool.h>

#include "core/vec.h"

/* ---- Across ---------------------------------------------------------------------------------- */

/* sums[i] = the sum of four neighbours at distance `step`; the same for a mirrored row, mirrored. */
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

/* The mean as the centre plus the mean difference from it: sums of 2, 8, 32, … equal cells are exact, so
 * that a level row stays level to the last bit. Cells are written up to the next multiple of VEC_LANES. */
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

/* Sums of 1, 4, 16, … neighbours, of which either half of the window takes as many as its length has
 * digits to base 4, the shortest next to the centre: a tree, whose rounding grows with its depth and not
 * with the window. */
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

const struct box_kernels TERRAIN__KERNELS(box) = {box_across, box_down};
