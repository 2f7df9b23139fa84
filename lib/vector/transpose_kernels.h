/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Rows become columns: for what runs along rows with cells of many rows beside each other. */

#ifndef TERRAIN_VECTOR_TRANSPOSE_KERNELS_H
#define TERRAIN_VECTOR_TRANSPOSE_KERNELS_H

#include "base/kernels.h"

struct transpose_kernels {
    /* to[column * to_stride + row] = from[row * from_stride + column]. */
    void (*cells)(float *to, size_t to_stride, const float *from, size_t from_stride, uint32_t rows,
                  uint32_t columns);
};

TERRAIN__DECLARE_KERNELS(transpose)

#endif
