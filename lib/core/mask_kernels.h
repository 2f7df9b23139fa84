/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of masks: blends a result into the map. */

#ifndef TERRAIN_CORE_MASK_KERNELS_H
#define TERRAIN_CORE_MASK_KERNELS_H

#include "base/kernels.h"

struct mask_kernels {
    /* map = m <= 0 ? map : m >= 1 ? result : map + m * (result - map), NaN in m as 0, and the
     * difference of equal infinities as 0. */
    void (*row)(float *map, const float *result, const float *mask, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(mask)

#endif
