/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of erode_shear: which neighbours of a cell are lower. */

#ifndef TERRAIN_ERODE_SHEAR_KERNELS_H
#define TERRAIN_ERODE_SHEAR_KERNELS_H

#include "base/kernels.h"

/* The most cells past a row's end that a kernel may read and write. */
enum { SHEAR_OVERHANG = 16 };

struct shear_kernels {
    /* lower[i] gets a bit for each neighbour of cells[i] that is lower: from bit 0 on north-west,
     * north, north-east, west, east, south-west, south, south-east. Writes up to a whole vector. */
    void (*lower)(uint8_t *lower, const float *cells, size_t stride, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(shear)

#endif
