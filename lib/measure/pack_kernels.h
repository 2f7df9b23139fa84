/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of packing: rows of heights to integers and back. */

#ifndef TERRAIN_MEASURE_PACK_KERNELS_H
#define TERRAIN_MEASURE_PACK_KERNELS_H

#include "base/kernels.h"

struct pack_kernels {
    /* target[i] = (source[i] - low) * scale, cut to the type's range and rounded, halves up. */
    void (*to_u8)(uint8_t *target, const float *source, uint32_t width, float low, float scale);
    void (*to_u16)(uint16_t *target, const float *source, uint32_t width, float low, float scale);
    /* target[i * count + k] = lines[k][i], but where lines[k] is NULL; count is 2 to 4 */
    void (*interleave)(uint8_t *target, const uint8_t *const *lines, uint32_t count,
                       uint32_t width);
    /* target[i] = low + source[i] * step */
    void (*from_u8)(float *target, const uint8_t *source, uint32_t width, double low, double step);
    void (*from_u16)(float *target, const uint16_t *source, uint32_t width, double low,
                     double step);
};

TERRAIN__DECLARE_KERNELS(pack)

#endif
