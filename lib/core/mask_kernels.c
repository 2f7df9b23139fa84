/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/mask_kernels.h"

static void mask_row(float *restrict map, const float *restrict result, const float *restrict mask,
                     uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        float m = mask[i];
        float old = map[i];
        float change = result[i] == old ? 0 : result[i] - old; /* of infinity it would be NaN */
        float mixed = old + m * change;
        mixed = m >= 1 ? result[i] : mixed;
        map[i] = m > 0 ? mixed : old; /* false for NaN */
    }
}

const struct mask_kernels TERRAIN__KERNELS(mask) = {mask_row};
