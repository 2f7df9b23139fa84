/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of stitch_blend: the cells that overlapping maps share. */

#ifndef TERRAIN_STITCH_BLEND_KERNELS_H
#define TERRAIN_STITCH_BLEND_KERNELS_H

#include "base/kernels.h"

/* Cells that several maps share become one height in all of them, and stay where they are equal. */
struct stitch_blend_kernels {
    /* A row across an overlap: weights vary along it. */
    void (*across)(float *west, float *east, const float *by_west, const float *by_east,
                   uint32_t width);
    /* A row along one. */
    void (*along)(float *north, float *south, float by_north, float by_south, uint32_t width);
    /* A row where four maps overlap: north-west, north-east, south-west, south-east. */
    void (*corner)(float *const maps[4], const float *by_west, const float *by_east, float by_north,
                   float by_south, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(stitch_blend)

#endif
