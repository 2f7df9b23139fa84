/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/shear_kernels.h"

#include "vector/vec.h"

static inline vint shear_bit(const float *neighbour, vfloat here, int32_t bit)
{
    return vi_select(vf_less(vf_load(neighbour), here), vi_set(bit), vi_set(0));
}

static void shear_lower(uint8_t *lower, const float *cells, size_t stride, uint32_t width)
{
    for (uint32_t x = 0; x < width; x += VEC_LANES) {
        const float *cell = cells + x, *north = cell - stride, *south = cell + stride;
        const vfloat here = vf_load(cell);
        vint above = shear_bit(north - 1, here, 1) | shear_bit(north, here, 2) |
                     shear_bit(north + 1, here, 4);
        vint beside = shear_bit(cell - 1, here, 8) | shear_bit(cell + 1, here, 16);
        vint below = shear_bit(south - 1, here, 32) | shear_bit(south, here, 64) |
                     shear_bit(south + 1, here, 128);
        vi_store_bytes(lower + x, above | beside | below);
    }
}

const struct shear_kernels TERRAIN__KERNELS(shear) = {shear_lower};
