/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_coast: ways through rock, in 16-bit integers. Ways are within -64 * COAST_UNIT
 * and 255 * COAST_UNIT, and a step takes at most 64 * COAST_UNIT * 1.375: sums are below 2^15. */

#ifndef TERRAIN_ERODE_COAST_KERNELS_H
#define TERRAIN_ERODE_COAST_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

enum {
    COAST_UNIT = 64, /* what a step through water or the softest rock takes */
    COAST_MOST_REACH = 255,
    COAST_MOST_SHELTER = 64,
    COAST_MOST_CONTRAST = 64,
    COAST_OCTAVES = 3,
    COAST_BLOCK = 64, /* cells of a row that share a flag */
    COAST_PAD = 32    /* integers around a row of ways, of which the first on each side is read */
};

/* What a block's flag says. */
enum { COAST_LAND = 1, COAST_SEA = 2 };

/* Rows of noise, and what each counts. */
struct coast_noise {
    const float *rows[COAST_OCTAVES];
    float weights[COAST_OCTAVES];
    float mean;
};

struct coast_kernels {
    /* sea[i] = 1 where heights[i] is at or below the level, else 0; a flag for each block. */
    void (*sort)(uint8_t *sea, uint8_t *flags, const float *heights, uint32_t width, float level);
    /* Hardness by noise: the mean and the weighted sum of all octaves. */
    void (*mix)(float *hardness, const struct coast_noise *noise, uint32_t width);
    /* What a step into each cell takes. */
    void (*weigh)(int16_t *cost, const uint8_t *sea, const float *hardness, uint32_t width,
                  float contrast);
    /* Ways from land: 0 on land, `open` on the sea. */
    void (*begin)(int16_t *ways, const uint8_t *sea, uint32_t width, int16_t open);
    /* Ways from the sea: `begin` where a way was still `open`, elsewhere `unreached`. */
    void (*turn)(int16_t *ways, uint32_t width, int16_t open, int16_t begin, int16_t unreached);
    /* Shortens the ways to a row's cells by ways to their eight neighbours. Up to two steps along
     * the row are made at once: `between`, a row of its own, holds what is so after the first.
     * Returns whether any way changed. */
    bool (*shorten)(int16_t *ways, int16_t *between, const int16_t *above, const int16_t *below,
                    const int16_t *cost, uint32_t width);
    /* heights[i] = min(heights[i], profile[ways[i]]). */
    void (*cut)(float *heights, const int16_t *ways, const float *profile, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(coast)

#endif
