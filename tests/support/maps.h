/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Maps for tests. Every height is a hash of seed and world cell: maps that overlap in the world
 * agree there, and agree on every machine. */

#ifndef TEST_MAPS_H
#define TEST_MAPS_H

#include <stdbool.h>

#include "terrain/heightmap.h"
#include "terrain/recipe.h"

#define TEST_PI 3.14159265358979323846

/* Quiet NaN with a payload that no arithmetic makes: it marks cells that nobody should touch. */
#define TEST_POISON UINT32_C(0x7FD0DEAD)

/* A rough endless landscape with slopes of about 1, exact in few bits. */
float test_height(uint64_t seed, int64_t x, int64_t y);

/* [0, 1], about a quarter of it 0 and a quarter 1: masks, weights, hardness. */
float test_share(uint64_t seed, int64_t x, int64_t y);

/* test_height at one cell in 16, NaN at the others. */
float test_point(uint64_t seed, int64_t x, int64_t y);

/* Each cell of a map, row by row, counted from the map's first. A break ends a row alone. */
#define for_each_cell(map, x, y)                                                                   \
    for (int64_t y = 0; y < (int64_t)terrain_heightmap_height(map); y++)                           \
        for (int64_t x = 0; x < (int64_t)terrain_heightmap_width(map); x++)

/* Writes them by the map's origin. */
void test_fill_heights(terrain_heightmap *map, uint64_t seed);
void test_fill_shares(terrain_heightmap *map, uint64_t seed);
void test_fill_points(terrain_heightmap *map, uint64_t seed);
void test_fill_poison(terrain_heightmap *map);
/* One height in all cells. */
void test_fill_level(terrain_heightmap *map, float height);

/* Turns the cells outside the window, in world cells, into NaN. */
void test_poison_outside(terrain_heightmap *map, const terrain_window *window);

/* Makes about one cell in `rarity` NaN, infinite, huge, subnormal or -0. */
void test_sprinkle(terrain_heightmap *map, uint64_t seed, uint32_t rarity);

/* An owned map of zeros that covers the window; NULL context. Aborts on failure. */
terrain_heightmap *test_map(const terrain_window *window);
/* The same, of heights, at the origin. */
terrain_heightmap *test_map_of_size(uint32_t width, uint32_t height, uint64_t seed);
/* The same, of one height. */
terrain_heightmap *test_map_of_level(uint32_t width, uint32_t height, float level);

/* A recipe from its text. Aborts on failure, and says why. */
terrain_recipe *test_recipe(const char *text);
/* The result of a recipe without inputs, of size x size cells; with a world's seed. Aborts on
 * failure, and says why. */
terrain_heightmap *test_map_of_recipe(const char *text, uint32_t size, uint64_t seed);
/* That window of the recipe's endless terrain, by terrain_recipe_run. Aborts likewise. */
terrain_heightmap *test_map_of_world(const terrain_recipe *recipe, const terrain_window *window,
                                     uint64_t seed, float cell_size);

/* A copy, likewise. */
terrain_heightmap *test_clone(const terrain_heightmap *map);

/* A cell, counted from the map's first: to read and to write, or to read. */
static inline float *test_cell(terrain_heightmap *map, int64_t x, int64_t y)
{
    return terrain_heightmap_data(map) + y * (int64_t)terrain_heightmap_stride(map) + x;
}

static inline float test_at(const terrain_heightmap *map, int64_t x, int64_t y)
{
    return terrain_heightmap_const_data(map)[y * (int64_t)terrain_heightmap_stride(map) + x];
}

terrain_window test_window_of(const terrain_heightmap *map);
/* A run of that window: of a bounded map, or of the endless terrain. */
terrain_recipe_run_desc test_run_of(const terrain_window *window);
terrain_recipe_run_desc test_run_of_world(const terrain_window *window);
/* Makes the window the one that a run computes. */
void test_run_window(terrain_recipe_run_desc *desc, const terrain_window *window);

/* Whether sizes and cells are equal, any NaN being equal to any other; the sign of 0 counts. */
bool test_maps_equal(const terrain_heightmap *a, const terrain_heightmap *b);
/* The same for the cells of a window that lies within both. Prints the first difference. */
bool test_windows_equal(const terrain_heightmap *a, const terrain_heightmap *b,
                        const terrain_window *window);

/* What the cells have in common. A NaN makes the sums NaN, and counts for nothing beside. */
typedef struct test_summary {
    double sum, squares;
    double minimum, maximum;
    double largest; /* |height| */
} test_summary;

test_summary test_summarize(const terrain_heightmap *map);
/* The most that a cell of one map differs from that of another of its size; NaN counts for
 * nothing. */
double test_largest_difference(const terrain_heightmap *a, const terrain_heightmap *b);

/* The lowest of a cell's up to eight neighbours, NaN counting for nothing; INFINITY if it has
 * none. */
float test_lowest_around(const terrain_heightmap *map, int64_t x, int64_t y);

/* The cells as bytes, to prove that a map is bit for bit what it was. */
uint32_t *test_snapshot(const terrain_heightmap *map);
/* Compares, and frees the snapshot. */
bool test_unchanged(const terrain_heightmap *map, uint32_t *snapshot);

/* A map whose every row ends (or begins) at a page that can't be touched. */
typedef struct test_guarded_map {
    terrain_heightmap *map;
    void *pages;
    size_t size;
} test_guarded_map;

enum { TEST_GUARD_BEFORE = 0, TEST_GUARD_AFTER = 1 };

test_guarded_map test_guard(uint32_t width, uint32_t height, int side);
void test_unguard(test_guarded_map *guarded);

#endif
