/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_rivers: what one cell of a river does to a row. */

#ifndef TERRAIN_ERODE_RIVERS_KERNELS_H
#define TERRAIN_ERODE_RIVERS_KERNELS_H

#include "base/kernels.h"

/* A cell of a river's bed, and how the cells of a row lie around it. */
struct rivers_point {
    const float *squares; /* squared distance of each of the row's cells from it, in cells */
    const float *rises;   /* by how much banks rise there, for each cell away from the bed */
    float bed;
    float steepness;  /* multiplies rises */
    float half_width; /* cells */
    float area;
};

struct rivers_kernels {
    /* heights[i] = min(heights[i], bed + steepness * rises[i] * (sqrt(squares[i] + half_width^2) -
     * half_width)) */
    void (*carve)(float *heights, const struct rivers_point *point, uint32_t width);
    /* areas[i] = max(areas[i], area) where squares[i] is at most half_width^2 */
    void (*cover)(float *areas, const struct rivers_point *point, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(rivers)

#endif
