/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of shape_clamp. */

#ifndef TERRAIN_SHAPE_CLAMP_KERNELS_H
#define TERRAIN_SHAPE_CLAMP_KERNELS_H

#include "base/kernels.h"

struct clamp_kernels {
    /* target[i] = source[i] cut to [low, high]; target may be source. */
    void (*row)(float *target, const float *source, uint32_t width, float low, float high);
};

TERRAIN__DECLARE_KERNELS(clamp)

#endif
