/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of shape_remap: a row mapped to another range, and the range that a map has. */

#ifndef TERRAIN_SHAPE_REMAP_KERNELS_H
#define TERRAIN_SHAPE_REMAP_KERNELS_H

#include "base/kernels.h"

/* h' = base + (h - from) * scale, cut to [low, high]. */
struct remap_line {
    float from;
    float scale;
    float base;
    float low;
    float high;
};

struct remap_kernels {
    /* target[i] = line(source[i]); target may be source. Asks for the row `soon`. */
    void (*row)(float *target, const float *source, uint32_t width, const struct remap_line *line,
                const float *soon);
    /* The finite minimum and maximum; FLT_MAX and -FLT_MAX where no cell is finite. */
    void (*range)(const float *source, size_t stride, uint32_t width, uint32_t height,
                  float *minimum, float *maximum);
};

TERRAIN__DECLARE_KERNELS(remap)

#endif
