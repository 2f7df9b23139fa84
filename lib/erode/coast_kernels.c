/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/coast_kernels.h"

#include <string.h>

/* The flags of a whole stretch, of which eight cells are read at once. */
static uint8_t coast_flag(const uint8_t *sea)
{
    uint64_t any = 0, all = UINT64_MAX;
    for (uint32_t i = 0; i < COAST_STRETCH; i += 8) {
        uint64_t cells;
        memcpy(&cells, sea + i, sizeof cells);
        any |= cells;
        all &= cells;
    }
    return (uint8_t)((any != 0 ? COAST_SEA : 0) |
                     (all != UINT64_C(0x0101010101010101) ? COAST_LAND : 0));
}

static void coast_sort(uint8_t *sea, uint8_t *flags, const float *heights, uint32_t width,
                       float level)
{
    const uint32_t whole = width / COAST_STRETCH * COAST_STRETCH;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        sea[i] = heights[i] <= level;
    }
    for (uint32_t i = 0; i < whole; i += COAST_STRETCH) {
        flags[i / COAST_STRETCH] = coast_flag(sea + i);
    }
    if (whole < width) {
        flags[whole / COAST_STRETCH] = 0;
    }
    for (uint32_t i = whole; i < width; i++) {
        flags[whole / COAST_STRETCH] |= sea[i] != 0 ? COAST_SEA : COAST_LAND;
    }
}

static void coast_mix(float *hardness, const struct coast_noise *noise, uint32_t width)
{
    const float *a = noise->rows[0], *b = noise->rows[1], *c = noise->rows[2];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float sum = noise->mean + noise->weights[0] * a[i];
        sum = sum + noise->weights[1] * b[i];
        hardness[i] = sum + noise->weights[2] * c[i];
    }
}

static void coast_weigh(int16_t *cost, const uint8_t *sea, const float *hardness, uint32_t width,
                        float contrast)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float h = hardness[i] > 0 ? hardness[i] : 0; /* NaN is 0 */
        h = h < 1 ? h : 1;
        h = sea[i] != 0 ? 0 : h;
        cost[i] = (int16_t)(int32_t)(COAST_UNIT * (1 + (contrast - 1) * (h * h)) + 0.5f);
    }
}

static inline int16_t coast_lesser(int16_t a, int16_t b)
{
    return a < b ? a : b;
}

/* The shorter of two ways, plus a step. */
static inline int16_t coast_step(int16_t a, int16_t b, int16_t cost)
{
    return (int16_t)(coast_lesser(a, b) + cost);
}

static bool coast_shorten(int16_t *ways, int16_t *between, const int16_t *above,
                          const int16_t *below, const int16_t *cost, uint32_t width)
{
    const int16_t *above_west = above - 1, *below_west = below - 1, *west = ways - 1;
    const int16_t *between_west = between - 1;
    int16_t changed = 0;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        int16_t c = cost[i], slanted = (int16_t)(c + (c >> 2) + (c >> 3));
        int16_t sides =
            coast_lesser(coast_step(above[i], below[i], c), coast_step(west[i], ways[i + 1], c));
        int16_t corners = coast_lesser(coast_step(above_west[i], above[i + 1], slanted),
                                       coast_step(below_west[i], below[i + 1], slanted));
        between[i] = coast_lesser(ways[i], coast_lesser(sides, corners));
    }
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        int16_t way =
            coast_lesser(between[i], coast_step(between_west[i], between[i + 1], cost[i]));
        changed = (int16_t)(changed | (way ^ ways[i]));
        ways[i] = way;
    }
    return changed != 0;
}

static void coast_begin(int16_t *ways, const uint8_t *sea, uint32_t width, int16_t open)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        ways[i] = sea[i] != 0 ? open : 0;
    }
}

static void coast_turn(int16_t *ways, uint32_t width, int16_t open, int16_t begin,
                       int16_t unreached)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        ways[i] = ways[i] == open ? begin : unreached;
    }
}

static void coast_cut(float *heights, const int16_t *ways, const float *profile, uint32_t width)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float most = profile[ways[i]];
        heights[i] = most < heights[i] ? most : heights[i];
    }
}

const struct coast_kernels TERRAIN__KERNELS(coast) = {
    .sort = coast_sort,
    .mix = coast_mix,
    .weigh = coast_weigh,
    .begin = coast_begin,
    .turn = coast_turn,
    .shorten = coast_shorten,
    .cut = coast_cut,
};
