/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/transpose_kernels.h"

#include "core/vec.h"

static void transpose_plain(float *to, size_t to_stride, const float *from, size_t from_stride,
                            size_t rows, size_t columns)
{
    for (size_t column = 0; column < columns; column++) {
        for (size_t row = 0; row < rows; row++) {
            to[column * to_stride + row] = from[row * from_stride + column];
        }
    }
}

#if TERRAIN_KERNEL_LEVEL == 2

/* 16 x 16. Loads put four quarters of four rows into each register; two rounds of shuffles within
 * the quarters do the rest. */
static inline void transpose_square(float *to, size_t to_stride, const float *from,
                                    size_t from_stride)
{
    for (int quarter = 0; quarter < 4; quarter++) {
        __m512 r[4];
        for (int i = 0; i < 4; i++) {
            const float *row = from + (size_t)i * from_stride + 4 * quarter;
            __m512 v = _mm512_castps128_ps512(_mm_loadu_ps(row));
            v = _mm512_insertf32x4(v, _mm_loadu_ps(row + 4 * from_stride), 1);
            v = _mm512_insertf32x4(v, _mm_loadu_ps(row + 8 * from_stride), 2);
            r[i] = _mm512_insertf32x4(v, _mm_loadu_ps(row + 12 * from_stride), 3);
        }
        __m512 a = _mm512_unpacklo_ps(r[0], r[1]);
        __m512 b = _mm512_unpackhi_ps(r[0], r[1]);
        __m512 c = _mm512_unpacklo_ps(r[2], r[3]);
        __m512 d = _mm512_unpackhi_ps(r[2], r[3]);
        float *column = to + 4 * (size_t)quarter * to_stride;
        _mm512_storeu_ps(column, _mm512_shuffle_ps(a, c, 0x44));
        _mm512_storeu_ps(column + to_stride, _mm512_shuffle_ps(a, c, 0xEE));
        _mm512_storeu_ps(column + 2 * to_stride, _mm512_shuffle_ps(b, d, 0x44));
        _mm512_storeu_ps(column + 3 * to_stride, _mm512_shuffle_ps(b, d, 0xEE));
    }
}

#elif TERRAIN_KERNEL_LEVEL == 1

/* 8 x 8, in the same way with halves. */
static inline void transpose_square(float *to, size_t to_stride, const float *from,
                                    size_t from_stride)
{
    for (int half = 0; half < 2; half++) {
        __m256 r[4];
        for (int i = 0; i < 4; i++) {
            const float *row = from + (size_t)i * from_stride + 4 * half;
            __m256 v = _mm256_castps128_ps256(_mm_loadu_ps(row));
            r[i] = _mm256_insertf128_ps(v, _mm_loadu_ps(row + 4 * from_stride), 1);
        }
        __m256 a = _mm256_unpacklo_ps(r[0], r[1]);
        __m256 b = _mm256_unpackhi_ps(r[0], r[1]);
        __m256 c = _mm256_unpacklo_ps(r[2], r[3]);
        __m256 d = _mm256_unpackhi_ps(r[2], r[3]);
        float *column = to + 4 * (size_t)half * to_stride;
        _mm256_storeu_ps(column, _mm256_shuffle_ps(a, c, 0x44));
        _mm256_storeu_ps(column + to_stride, _mm256_shuffle_ps(a, c, 0xEE));
        _mm256_storeu_ps(column + 2 * to_stride, _mm256_shuffle_ps(b, d, 0x44));
        _mm256_storeu_ps(column + 3 * to_stride, _mm256_shuffle_ps(b, d, 0xEE));
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

static void transpose_cells(float *to, size_t to_stride, const float *from, size_t from_stride,
                            uint32_t rows, uint32_t columns)
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

const struct transpose_kernels TERRAIN__KERNELS(transpose) = {transpose_cells};
