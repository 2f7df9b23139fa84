/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of erode_shear: which neighbours of a cell are lower. */

#ifndef TERRAIN_ERODE_SHEAR_KERNELS_H
#define TERRAIN_ERODE_SHEAR_KERNELS_H

#include "base/kernels.h"

/* The most cells that a kernel writes and reads beyond a row's end. */
enum { SHEAR_OVERHANG = 16 };

struct shear_kernels {
    /* lower[i]: which of the neighbours of cells[i] are lower, a bit for each: north-west, north,
     * north-east, west, east, south-west, south, south-east. Up to a whole vector more. */
    void (*lower)(uint8_t *lower, const float *cells, size_t stride, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(shear)

#endif
