/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "vector/transpose_kernels.h"

#include "vector/vec.h"

static void transpose_plain(float *to, size_t to_stride, const float *from, size_t from_stride,
                            size_t rows, size_t columns)
{
    for (size_t column = 0; column < columns; column++) {
        for (size_t row = 0; row < rows; row++) {
            to[column * to_stride + row] = from[row * from_stride + column];
        }
    }
}

#if TERRAIN_KERNEL_LEVEL >= 1

/* Four floats each of every fourth row, side by side. */
static inline vfloat transpose_load(const float *from, size_t from_stride)
{
    const size_t step = 4 * from_stride;
#if TERRAIN_KERNEL_LEVEL == 2
    __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(from));
    v = _mm512_insertf32x4(v, _mm_loadu_ps(from + step), 1);
    v = _mm512_insertf32x4(v, _mm_loadu_ps(from + 2 * step), 2);
    return (vfloat)_mm512_insertf32x4(v, _mm_loadu_ps(from + 3 * step), 3);
#else
    __m256 v = _mm256_castps128_ps256(_mm_loadu_ps(from));
    return (vfloat)_mm256_insertf128_ps(v, _mm_loadu_ps(from + step), 1);
#endif
}

/* VEC_LANES x VEC_LANES, four columns at a time. */
static inline void transpose_square(float *to, size_t to_stride, const float *from,
                                    size_t from_stride)
{
    for (size_t column = 0; column < VEC_LANES; column += 4) {
        vfloat quads[4];
        for (size_t i = 0; i < 4; i++) {
            quads[i] = transpose_load(from + i * from_stride + column, from_stride);
        }
        vf_transpose_quads(quads);
        for (size_t i = 0; i < 4; i++) {
            vf_store(to + (column + i) * to_stride, quads[i]);
        }
    }
}

#elif defined(__SSE2__) && VEC_LANES == 4

static inline void transpose_square(float *to, size_t to_stride, const float *from,
                                    size_t from_stride)
{
    __m128 a = _mm_loadu_ps(from);
    __m128 b = _mm_loadu_ps(from + from_stride);
    __m128 c = _mm_loadu_ps(from + 2 * from_stride);
    __m128 d = _mm_loadu_ps(from + 3 * from_stride);
    _MM_TRANSPOSE4_PS(a, b, c, d);
    _mm_storeu_ps(to, a);
    _mm_storeu_ps(to + to_stride, b);
    _mm_storeu_ps(to + 2 * to_stride, c);
    _mm_storeu_ps(to + 3 * to_stride, d);
}

#else

static inline void transpose_square(float *to, size_t to_stride, const float *from,
                                    size_t from_stride)
{
    transpose_plain(to, to_stride, from, from_stride, VEC_LANES, VEC_LANES);
}

#endif

TERRAIN__INLINE void transpose_by(float *to, size_t to_stride, const float *from,
                                  size_t from_stride, size_t rows, size_t columns)
{
    size_t row = 0;
    for (; row + VEC_LANES <= rows; row += VEC_LANES) {
        const float *source = from + row * from_stride;
        size_t column = 0;
        for (; column + VEC_LANES <= columns; column += VEC_LANES) {
            transpose_square(to + column * to_stride + row, to_stride, source + column,
                             from_stride);
        }
        transpose_plain(to + column * to_stride + row, to_stride, source + column, from_stride,
                        VEC_LANES, columns - column);
    }
    transpose_plain(to + row, to_stride, from + row * from_stride, from_stride, rows - row,
                    columns);
}

/* Columns that are written at a time: their lines stay in the fastest cache until they are
 * whole. */
enum { TRANSPOSE_COLUMNS = 256 };

/* With a constant stride, fewer addresses have to be computed. */
static void transpose_cells(float *to, size_t to_stride, const float *from, size_t from_stride,
                            uint32_t rows, uint32_t columns)
{
    if (from_stride == 16) {
        transpose_by(to, to_stride, from, 16, rows, columns);
        return;
    }
    for (size_t column = 0; column < columns; column += TRANSPOSE_COLUMNS) {
        size_t left = columns - column;
        left = left < TRANSPOSE_COLUMNS ? left : TRANSPOSE_COLUMNS;
        if (to_stride == 16) {
            transpose_by(to + column * 16, 16, from + column, from_stride, rows, left);
        } else {
            transpose_by(to + column * to_stride, to_stride, from + column, from_stride, rows,
                         left);
        }
    }
}

const struct transpose_kernels TERRAIN__KERNELS(transpose) = {transpose_cells};
