/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of analyze_slope: a row of slopes, as rise over run or in degrees. */

#ifndef TERRAIN_ANALYZE_SLOPE_KERNELS_H
#define TERRAIN_ANALYZE_SLOPE_KERNELS_H

#include "analyze/stencil_kernels.h"
#include "base/kernels.h"

struct slope_kernels {
    /* target[i] = |gradient| * scale, with scale = 1 / (8 cell_size) the rise over run. */
    void (*rise)(float *target, const struct terrain__stencil *cells, size_t count, float scale);
    /* Writes the angle of the slope in degrees. */
    void (*degrees)(float *target, const struct terrain__stencil *cells, size_t count, float scale);
};

TERRAIN__DECLARE_KERNELS(slope)

#endif
