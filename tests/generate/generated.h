/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Maps that a generator fills, by its name, and crops of them. */

#ifndef TEST_GENERATED_H
#define TEST_GENERATED_H

#include <math.h>

#include "support/check.h"

static inline terrain_heightmap *generated(terrain_context *context, const char *name,
                                           const void *params, const terrain_window *window)
{
    terrain_heightmap *map = test_map(window);
    test_fill_poison(map);
    assert_int_equal(
        terrain_operation_apply(context, terrain_operation_find(name), &map, 1, params),
        TERRAIN_SUCCESS);
    return map;
}

static inline double at(const terrain_heightmap *map, uint32_t x, uint32_t y)
{
    return (double)test_at(map, x, y);
}

/* From the lowest cell to the highest. */
static inline double relief_of(const terrain_heightmap *map)
{
    const test_summary heights = test_summarize(map);
    return heights.maximum - heights.minimum;
}

/* The mean, rise over run. */
static inline double slope_of(const terrain_heightmap *map)
{
    const uint32_t width = terrain_heightmap_width(map) - 1,
                   count = width * (terrain_heightmap_height(map) - 1);
    double sum = 0;
    for (uint32_t k = 0; k < count; k++) {
        const uint32_t x = k % width, y = k / width;
        sum += hypot(at(map, x + 1, y) - at(map, x, y), at(map, x, y + 1) - at(map, x, y));
    }
    return sum / count;
}

/* Both, of 512 x 512 cells by default params, as means of eight seeds. */
static inline void default_relief(const char *name, double *relief, double *slope)
{
    const terrain_operation *operation = terrain_operation_find(name);
    const terrain_window window = {0, 0, 512, 512};
    *relief = *slope = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        test_call call = test_call_of(operation);
        test_set(call.params, terrain_operation_parameter_find(operation, "seed"),
                 (terrain_value){.u = seed});
        terrain_heightmap *map = generated(NULL, name, call.params, &window);
        *relief += relief_of(map) / 8;
        *slope += slope_of(map) / 8;
        terrain_heightmap_destroy(map);
        test_call_destroy(&call);
    }
}

/* Where the words of a coordinate carry (a lattice point's low word does at 2^33 cells, if the
 * lattice is of 2), and the ends of the world. */
enum { FAR_ORIGINS = 9 };
static inline int64_t far_origin(uint32_t index)
{
    static const int64_t origins[FAR_ORIGINS] = {-150,
                                                 (INT64_C(1) << 31) - 90,
                                                 (INT64_C(1) << 32) - 140,
                                                 (INT64_C(1) << 33) - 133,
                                                 -(INT64_C(1) << 31) - 60,
                                                 (INT64_C(1) << 40) - 7,
                                                 -(INT64_C(1) << 53) - 100,
                                                 TERRAIN_WORLD_LIMIT - 300,
                                                 -TERRAIN_WORLD_LIMIT};
    return origins[index % FAR_ORIGINS];
}

/* How many cells of two maps of one size are equal. */
static inline uint32_t equal_cells(const terrain_heightmap *a, const terrain_heightmap *b)
{
    uint32_t width = terrain_heightmap_width(a), count = width * terrain_heightmap_height(a);
    uint32_t equal = 0;
    for (uint32_t k = 0; k < count; k++) {
        equal += at(a, k % width, k / width) == at(b, k % width, k / width);
    }
    return equal;
}

/* Whether the window, generated alone, is what the whole map holds there. */
static inline bool is_crop(terrain_context *context, const char *name, const void *params,
                           const terrain_heightmap *whole, const terrain_window *window)
{
    terrain_heightmap *tile = generated(context, name, params, window);
    bool equal = test_windows_equal(tile, whole, window);
    terrain_heightmap_destroy(tile);
    return equal;
}

/* Random windows of the whole map, generated alone: the first half of them of any size, then small
 * ones. */
static inline void expect_crops(const char *name, const void *params,
                                const terrain_heightmap *whole, test_random *random, uint32_t count)
{
    const terrain_window all = test_window_of(whole);
    for (uint32_t k = 0; k < count; k++) {
        const bool any = k < count / 2, low = k >= count - 2;
        const uint32_t width = 1 + (uint32_t)test_below(random, any ? all.width : 9);
        const uint32_t height = 1 + (uint32_t)test_below(random, low ? 3 : all.height);
        const terrain_window window = {all.x + test_between(random, 0, all.width - width),
                                       all.y + test_between(random, 0, all.height - height), width,
                                       height};
        assert_true(is_crop(NULL, name, params, whole, &window));
    }
}

/* A map that must repeat after so many columns and rows. */
static inline void expect_torus(const terrain_heightmap *map, uint32_t columns, uint32_t rows)
{
    for_each_cell(map, x, y) {
        assert_true(at(map, x, y) == at(map, x % columns, y % rows));
    }
}

/* Rows of large maps, which are written past the caches, that lose their ends: the map's rows begin
 * at every place of a cache line. */
static inline void expect_large_maps(const char *name, const void *params)
{
    static const terrain_window parts[] = {
        {0, 0, 100, 50}, {1000, 700, 70, 40}, {1990, 2000, 59, 48}, {17, 1023, 2032, 2}};
    for (uint32_t i = 0; i < test_isa_count(); i++) {
        terrain_context *context = test_context(test_isa_at(i), NULL, NULL, NULL);
        terrain_window window = {0, 0, 2049, 2048};
        terrain_heightmap *map = generated(context, name, params, &window);
        for (uint32_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
            assert_true(is_crop(NULL, name, params, map, &parts[k]));
        }
        terrain_heightmap_destroy(map);
        terrain_context_destroy(context);
    }
}

#endif
