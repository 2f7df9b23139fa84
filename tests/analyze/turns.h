/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Maps that are turned, flipped, or planes: for the operations that look at slopes. */

#ifndef TEST_TURNS_H
#define TEST_TURNS_H

#include <math.h>

#include "support/check.h"
#include "terrain/operation.h"

/* The map read from the north-east corner downwards: a quarter turn against the clock. */
static inline terrain_heightmap *turned(const terrain_heightmap *map)
{
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    terrain_heightmap *result = test_map_of_level(height, width, 0);
    terrain_heightmap_set_cell_size(result, terrain_heightmap_cell_size(map));
    for_each_cell(result, x, y) {
        *test_cell(result, x, y) = test_at(map, width - 1 - y, x);
    }
    return result;
}

/* West and east exchanged. */
static inline terrain_heightmap *flipped(const terrain_heightmap *map)
{
    terrain_heightmap *result = test_clone(map);
    for_each_cell(map, x, y) {
        *test_cell(result, terrain_heightmap_width(map) - 1 - x, y) = test_at(map, x, y);
    }
    return result;
}

/* Heights of all bits: sums of them round, and tell the order in which they were added. */
static inline terrain_heightmap *rough(uint32_t width, uint32_t height, uint64_t seed)
{
    terrain_heightmap *map = test_map_of_size(width, height, seed);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) *= 0.7654321f;
    }
    return map;
}

/* a x + b y + 5 on cells of the given size, exact for small dyadic numbers. */
static inline terrain_heightmap *plane(uint32_t width, uint32_t height, float a, float b,
                                       float cell_size)
{
    terrain_heightmap *result = test_map_of_level(width, height, 0);
    terrain_heightmap_set_cell_size(result, cell_size);
    for_each_cell(result, x, y) {
        *test_cell(result, x, y) = ((float)x * a + (float)y * b) * cell_size + 5;
    }
    return result;
}

/* An empty map of the same size. */
static inline terrain_heightmap *blank(const terrain_heightmap *map)
{
    return test_map_of_level(terrain_heightmap_width(map), terrain_heightmap_height(map), 0);
}

/* What an operation makes of a map: in a copy of it if it works in place. */
static inline terrain_heightmap *result_of(const char *name, const terrain_heightmap *map,
                                           const void *params)
{
    const terrain_operation *operation = terrain_operation_find(name);
    const uint32_t count =
        terrain_operation_signature(operation) == TERRAIN_SIGNATURE_RESULT ? 2 : 1;
    terrain_heightmap *ports[2] = {test_clone(map), blank(map)};
    assert_int_equal(terrain_operation_apply(NULL, operation, ports, count, params),
                     TERRAIN_SUCCESS);
    terrain_heightmap_destroy(ports[2 - count]);
    return ports[count - 1];
}

/* Expects the turned and the flipped result of the turned and the flipped map: to the bit if
 * tolerance is 0. */
static inline void expect_turns(const char *name, const terrain_heightmap *map, const void *params,
                                float tolerance)
{
    terrain_heightmap *(*const ways[])(const terrain_heightmap *) = {turned, flipped};
    terrain_heightmap *result = result_of(name, map, params);
    for (int way = 0; way < 2; way++) {
        terrain_heightmap *moved = ways[way](map), *expected = ways[way](result);
        terrain_heightmap *found = result_of(name, moved, params);
        const uint32_t width = terrain_heightmap_width(found);
        const uint32_t cells = width * terrain_heightmap_height(found);
        assert_true(tolerance > 0 || test_maps_equal(found, expected));
        for (uint32_t k = 0; k < cells && tolerance > 0; k++) {
            assert_true(fabsf(test_at(found, k % width, k / width) -
                              test_at(expected, k % width, k / width)) <= tolerance);
        }
        terrain_heightmap_destroy(moved);
        terrain_heightmap_destroy(expected);
        terrain_heightmap_destroy(found);
    }
    terrain_heightmap_destroy(result);
}

/* Sizes at which rows are narrower than, as wide as, and wider than any vector. */
static const uint32_t turn_sizes[][2] = {{1, 1},  {1, 9},   {9, 1},   {2, 2},    {3, 5},  {17, 4},
                                         {18, 3}, {19, 40}, {40, 19}, {131, 67}, {300, 2}};
enum { TURN_SIZES = sizeof turn_sizes / sizeof turn_sizes[0] };

#endif
