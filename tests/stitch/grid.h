/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A grid of maps for the tests of stitch. */

#ifndef TEST_STITCH_GRID_H
#define TEST_STITCH_GRID_H

#include <string.h>

#include "support/check.h"
#include "terrain/stitch.h"
#include "terrain/terrain.h"

enum { GRID_MOST = 70 };

typedef struct grid {
    terrain_heightmap *maps[GRID_MOST];
    uint32_t columns, rows, width, height;
} grid;

/* Rough heights, another terrain in each map. */
static inline grid grid_of(uint32_t columns, uint32_t rows, uint32_t width, uint32_t height)
{
    grid g = {{NULL}, columns, rows, width, height};
    for (uint32_t i = 0; i < columns * rows; i++) {
        terrain_window window = {0, 0, width, height};
        g.maps[i] = test_map(&window);
        test_fill_heights(g.maps[i], 40 + i);
    }
    return g;
}

/* Windows of one terrain, which share `overlap` lines. */
static inline grid grid_of_world(uint32_t columns, uint32_t rows, uint32_t width, uint32_t height,
                                 uint32_t overlap)
{
    grid g = grid_of(columns, rows, width, height);
    for (uint32_t i = 0; i < columns * rows; i++) {
        terrain_heightmap_set_origin(g.maps[i], i % columns * (width - overlap),
                                     i / columns * (height - overlap));
        assert_int_equal(terrain_generate_noise(NULL, g.maps[i], NULL), TERRAIN_SUCCESS);
    }
    return g;
}

static inline void grid_free(grid *g)
{
    for (uint32_t i = 0; i < g->columns * g->rows; i++) {
        terrain_heightmap_destroy(g->maps[i]);
    }
}

static inline grid grid_copy(const grid *g)
{
    grid copy = *g;
    for (uint32_t i = 0; i < g->columns * g->rows; i++) {
        copy.maps[i] = test_clone(g->maps[i]);
    }
    return copy;
}

static inline float *grid_at(const grid *g, uint32_t map, uint32_t x, uint32_t y)
{
    return terrain_heightmap_data(g->maps[map]) + y * terrain_heightmap_stride(g->maps[map]) + x;
}

static inline bool grid_equal(const grid *a, const grid *b)
{
    for (uint32_t i = 0; i < a->columns * a->rows; i++) {
        for (uint32_t y = 0; y < a->height; y++) {
            if (memcmp(grid_at(a, i, 0, y), grid_at(b, i, 0, y), a->width * sizeof(float)) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* Whether all shared cells are the same bits. */
static inline bool grid_fits(const grid *g, uint32_t overlap)
{
    for (uint32_t i = 0; i < g->columns * g->rows; i++) {
        for (uint32_t y = 0; y < g->height && i % g->columns + 1 < g->columns; y++) {
            if (memcmp(grid_at(g, i, g->width - overlap, y), grid_at(g, i + 1, 0, y),
                       overlap * sizeof(float)) != 0) {
                return false;
            }
        }
        for (uint32_t y = 0; y < overlap && i / g->columns + 1 < g->rows; y++) {
            if (memcmp(grid_at(g, i, 0, g->height - overlap + y), grid_at(g, i + g->columns, 0, y),
                       g->width * sizeof(float)) != 0) {
                return false;
            }
        }
    }
    return true;
}

/* The grid and each of its maps mirrored in a vertical axis, or transposed: a flip and a turn. */
static inline grid grid_turned(const grid *g, bool transpose)
{
    grid t = transpose ? grid_of(g->rows, g->columns, g->height, g->width)
                       : grid_of(g->columns, g->rows, g->width, g->height);
    for (uint32_t i = 0; i < g->columns * g->rows; i++) {
        uint32_t column = i % g->columns, row = i / g->columns;
        uint32_t to =
            transpose ? column * t.columns + row : row * t.columns + (g->columns - 1 - column);
        for (uint32_t y = 0; y < g->height; y++) {
            for (uint32_t x = 0; x < g->width; x++) {
                *(transpose ? grid_at(&t, to, y, x) : grid_at(&t, to, g->width - 1 - x, y)) =
                    *grid_at(g, i, x, y);
            }
        }
    }
    return t;
}

static inline terrain_seams grid_seams(const grid *g, uint32_t overlap)
{
    terrain_seams seams;
    assert_int_equal(terrain_seams_init(&seams, sizeof seams), TERRAIN_SUCCESS);
    assert_int_equal(terrain_seams_measure(NULL, (const terrain_heightmap *const *)g->maps,
                                           g->columns, g->rows, overlap, &seams),
                     TERRAIN_SUCCESS);
    return seams;
}

#endif
