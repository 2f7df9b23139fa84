/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Maps full of hollows, of all the kinds that flow may stumble over, and their filled surface by
 * Planchon and Darboux's method: water over everything that sinks until it can sink no more. */

#ifndef TEST_HOLLOWS_H
#define TEST_HOLLOWS_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/random.h"

enum {
    HOLLOWS_NOISE,    /* every ninth cell a pit */
    HOLLOWS_STEPS,    /* whole numbers: plateaus */
    HOLLOWS_LEVEL,    /* one plateau, with few other heights */
    HOLLOWS_SMOOTH,   /* large hollows */
    HOLLOWS_HOLES,    /* NaN here and there, and a lake of it */
    HOLLOWS_INFINITE, /* both infinities, and both zeros */
    HOLLOWS_KINDS
};

static inline float hollows_height(test_random *random, int kind, double x, double y)
{
    double wave = 20 * sin(0.21 * x) * cos(0.17 * y) + 9 * sin(0.07 * x + 0.11 * y);
    uint64_t choice = test_below(random, 40);
    switch (kind) {
    case HOLLOWS_NOISE:
        return (float)(test_unit(random) * 40 - 20);
    case HOLLOWS_STEPS:
        return (float)floor(wave / 4 + test_unit(random) * 1.5);
    case HOLLOWS_LEVEL:
        return choice == 0 ? -3.0f : choice == 1 ? 8.5f : 0.25f;
    case HOLLOWS_SMOOTH:
        return (float)(wave + 0.3 * test_unit(random));
    case HOLLOWS_HOLES:
        return choice == 0 || wave < -18 ? NAN : (float)(wave + 12 * test_unit(random));
    default:
        return choice == 0   ? INFINITY
               : choice == 1 ? -INFINITY
               : choice < 12 ? 0.0f
               : choice < 20 ? -0.0f
                             : (float)floor(wave);
    }
}

static inline terrain_heightmap *hollows(uint32_t width, uint32_t height, int kind, uint64_t seed)
{
    terrain_heightmap *map = NULL;
    test_random random = {seed * 31 + (uint64_t)kind};
    assert_int_equal(terrain_heightmap_create(NULL, width, height, &map), TERRAIN_SUCCESS);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            terrain_heightmap_data(map)[(size_t)y * width + x] =
                hollows_height(&random, kind, x + (double)(seed % 100), y);
        }
    }
    return map;
}

static const uint32_t hollows_sizes[][2] = {{1, 1},   {1, 9},   {9, 1},   {2, 2},   {3, 3},
                                            {17, 5},  {33, 40}, {64, 64}, {65, 63}, {63, 129},
                                            {130, 7}, {2, 200}, {131, 96}};
enum { HOLLOWS_SIZES = sizeof hollows_sizes / sizeof hollows_sizes[0] };

/* The cell lowest of all, the first of several. NaN counts as nothing. */
static inline size_t hollows_lowest(const float *h, size_t cells)
{
    size_t lowest = 0;
    for (size_t i = 1; i < cells; i++) {
        lowest = h[i] < h[lowest] ? i : lowest;
    }
    return lowest;
}

static inline float hollows_step(const float *filled, uint32_t width, uint32_t height, uint32_t x,
                                 uint32_t y, float straight, float diagonal)
{
    float least = INFINITY;
    for (int64_t ny = (int64_t)y - 1; ny <= (int64_t)y + 1; ny++) {
        for (int64_t nx = (int64_t)x - 1; nx <= (int64_t)x + 1; nx++) {
            float v;
            if (nx < 0 || ny < 0 || nx >= width || ny >= height || (nx == x && ny == y)) {
                continue;
            }
            v = filled[(size_t)ny * width + (size_t)nx];
            v = isnan(v) ? -INFINITY : v + (nx == x || ny == y ? straight : diagonal);
            least = v < least ? v : least;
        }
    }
    return least;
}

/* What terrain_shape_fill should make of a dense map. The caller frees it. */
static inline float *hollows_filled(const terrain_heightmap *map, bool open, float slope)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    const size_t cells = (size_t)width * height;
    const float *h = terrain_heightmap_const_data(map);
    const double rise = (double)slope * (double)terrain_heightmap_cell_size(map);
    const float straight = (float)rise, diagonal = (float)(rise * sqrt(2.0));
    float *filled = malloc(cells * sizeof *filled);
    bool any = false, changed = true;
    for (size_t i = 0; i < cells; i++) {
        bool rim =
            i / width == 0 || i / width == height - 1 || i % width == 0 || i % width == width - 1;
        bool outlet = isnan(h[i]) || (open && rim);
        filled[i] = outlet ? h[i] : INFINITY;
        any = any || outlet;
    }
    if (!any) {
        size_t lowest = hollows_lowest(h, cells);
        filled[lowest] = h[lowest];
    }
    while (changed) {
        changed = false;
        for (size_t k = 0; k < 2 * cells; k++) {
            size_t i = k < cells ? k : 2 * cells - 1 - k;
            float v = hollows_step(filled, width, height, (uint32_t)(i % width),
                                   (uint32_t)(i / width), straight, diagonal);
            v = h[i] < v ? v + 0.0f : h[i];
            if (v < filled[i]) {
                filled[i] = v;
                changed = true;
            }
        }
    }
    for (size_t i = 0; i < cells; i++) { /* a zero's sign is that of the map where it was kept */
        filled[i] = filled[i] == h[i] ? h[i] : filled[i];
    }
    return filled;
}

#endif
