/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_coast: ways through rock, in 16-bit integers. A way is at least -64 * COAST_UNIT
 * and at most 255 * COAST_UNIT, and a step costs at most 64 * COAST_UNIT * 1.375: sums are below
 * 2^15. */

#ifndef TERRAIN_ERODE_COAST_KERNELS_H
#define TERRAIN_ERODE_COAST_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

enum {
    COAST_UNIT = 64, /* what a step to the side through water or the softest rock costs */
    COAST_MOST_REACH = 255,
    COAST_MOST_SHELTER = 64,
    COAST_MOST_CONTRAST = 64,
    COAST_OCTAVES = 3,
    COAST_STRETCH = 64, /* cells of a row that share a flag */
    COAST_PAD = 32      /* integers on each side of a row of ways; the nearest one is read */
};

/* Flags of a stretch: it has cells of land; it has cells of sea. */
enum { COAST_LAND = 1, COAST_SEA = 2 };

/* Rows of noise, and the weight of each. */
struct coast_noise {
    const float *rows[COAST_OCTAVES];
    float weights[COAST_OCTAVES];
    float mean;
};

struct coast_kernels {
    /* sea[i] = 1 where heights[i] is at or below the level, else 0; sets the flags of each
     * stretch. */
    void (*sort)(uint8_t *sea, uint8_t *flags, const float *heights, uint32_t width, float level);
    /* Hardness from noise: the mean plus the weighted sum of all octaves. */
    void (*mix)(float *hardness, const struct coast_noise *noise, uint32_t width);
    /* What a step to the side into each cell costs. */
    void (*weigh)(int16_t *cost, const uint8_t *sea, const float *hardness, uint32_t width,
                  float contrast);
    /* Ways from land: 0 on land, `open` on the sea. */
    void (*begin)(int16_t *ways, const uint8_t *sea, uint32_t width, int16_t open);
    /* Ways from the sea: `begin` where a way was still `open`, elsewhere `unreached`. */
    void (*turn)(int16_t *ways, uint32_t width, int16_t open, int16_t begin, int16_t unreached);
    /* Shortens the ways of a row's cells by a step from any of their eight neighbours, then by
     * another along the row; `between` is scratch, and holds the ways after the first. Returns
     * whether any way changed. */
    bool (*shorten)(int16_t *ways, int16_t *between, const int16_t *above, const int16_t *below,
                    const int16_t *cost, uint32_t width);
    /* heights[i] = min(heights[i], profile[ways[i]]). */
    void (*cut)(float *heights, const int16_t *ways, const float *profile, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(coast)

#endif
