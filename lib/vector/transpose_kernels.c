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

TERRAIN__INLINE void transpose_by(float *to, size_t to_stride, const float *from,
                                  size_t from_stride, size_t rows, size_t columns)
{
    size_t row = 0;
    for (; row + VEC_LANES <= rows; row += VEC_LANES) {
        const float *source = from + row * from_stride;
        size_t column = 0;
        for (; column + VEC_LANES <= columns; column += VEC_LANES) {
            vf_transpose(to + column * to_stride + row, to_stride, source + column, from_stride);
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
