/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of combine_blend, one for each mode. */

#ifndef TERRAIN_COMBINE_BLEND_KERNELS_H
#define TERRAIN_COMBINE_BLEND_KERNELS_H

#include "base/kernels.h"

struct blend_kernels {
    /* By terrain_combine_blend_mode: target[i] = map[i] and other[i] blended; target may be map. */
    void (*rows[8])(float *target, const float *map, const float *other, uint32_t width,
                    float weight, float radius);
};

TERRAIN__DECLARE_KERNELS(blend)

#endif
