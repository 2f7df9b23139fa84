/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards analyze_distance: a nearest cell that is missed where patches bound each other's
 * candidates, squares that are not exact, steps that leak from strip to strip. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/turns.h"
#include "support/random.h"
#include "terrain/analyze.h"

static terrain_analyze_distance_params params_of(uint32_t reach, uint32_t output)
{
    terrain_analyze_distance_params p;
    assert_int_equal(terrain_analyze_distance_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.reach = reach;
    p.mode = output;
    return p;
}

static terrain_heightmap *distances(const terrain_heightmap *map,
                                    const terrain_analyze_distance_params *p)
{
    terrain_heightmap *result = test_clone(map);
    assert_int_equal(terrain_analyze_distance(NULL, map, result, p), TERRAIN_SUCCESS);
    return result;
}

static float at(const terrain_heightmap *map, int64_t x, int64_t y)
{
    return terrain_heightmap_const_data(map)[(size_t)y * terrain_heightmap_width(map) + (size_t)x];
}

/* Land, of which one cell in `rarity` is water: height -1 or 0 in a land of 1. */
static terrain_heightmap *ponds(uint32_t width, uint32_t height, uint32_t rarity, uint64_t seed)
{
    terrain_heightmap *map = NULL;
    test_random random = {seed};
    assert_int_equal(terrain_heightmap_create(NULL, width, height, &map), TERRAIN_SUCCESS);
    for (size_t i = 0; i < (size_t)width * height; i++) {
        uint64_t is_water = test_below(&random, rarity) == 0;
        terrain_heightmap_data(map)[i] = is_water ? -(float)test_below(&random, 2) : 1;
    }
    return map;
}

/* All cells against all water, in integers. */
static void check_lengths(const terrain_heightmap *map, uint32_t reach)
{
    const terrain_analyze_distance_params p =
        params_of(reach, TERRAIN_ANALYZE_DISTANCE_MODE_LENGTH);
    const int64_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    terrain_heightmap *result = distances(map, &p);
    int64_t *water = malloc((size_t)(width * height) * sizeof *water);
    size_t count = 0;
    for (int64_t i = 0; i < width * height; i++) {
        if (at(map, i % width, i / width) <= 0) {
            water[count++] = i;
        }
    }
    for (int64_t i = 0; i < width * height; i++) {
        int64_t least = (int64_t)reach * reach;
        for (size_t k = 0; k < count; k++) {
            int64_t dx = water[k] % width - i % width, dy = water[k] / width - i / width;
            int64_t square = dx * dx + dy * dy;
            least = square < least ? square : least;
        }
        if (at(result, i % width, i / width) != sqrtf((float)least)) {
            fail_msg("%dx%d, reach %u, cell %d %d: %g instead of sqrt(%d)", (int)width, (int)height,
                     (unsigned)reach, (int)(i % width), (int)(i / width),
                     (double)at(result, i % width, i / width), (int)least);
        }
    }
    free(water);
    terrain_heightmap_destroy(result);
}

/* From nearly all to nearly no water, at sizes around those of patches and vectors. */
static void test_exact(void **state)
{
    const uint32_t rarities[] = {1, 2, 7, 40, 300, 3000, 100000};
    const uint32_t reaches[] = {1, 2, 9, 33, 4095};
    const uint32_t widths[] = {1, 15, 16, 31, 32, 33, 64, 65, 130};
    for (int k = 0; k < 7; k++) {
        for (int w = 0; w < 9; w++) {
            uint32_t height = 1 + (uint32_t)(w * 11 + k * 5) % 47;
            terrain_heightmap *map = ponds(widths[w], height, rarities[k], (uint64_t)(k * 9 + w));
            for (int r = 0; r < 5; r++) {
                check_lengths(map, reaches[r]);
            }
            terrain_heightmap_destroy(map);
        }
    }
}

/* Distances that need all of a float's bits; more than one strip of columns. */
static void test_far(void **state)
{
    terrain_heightmap *map = ponds(9000, 1, 1, 0);
    for (int i = 0; i < 9000; i++) {
        terrain_heightmap_data(map)[i] = i == 4300 || i == 8990 ? 0 : 1;
    }
    check_lengths(map, 4095);
    terrain_heightmap_destroy(map);
    map = ponds(600, 900, 540000, 3);
    terrain_heightmap_data(map)[1] = 0;
    check_lengths(map, 1000);
    terrain_heightmap_destroy(map);
}

/* A method that prefers a direction. */
static void test_turns(void **state)
{
    for (uint32_t output = 0; output < 2; output++) {
        const terrain_analyze_distance_params p = params_of(21, output);
        terrain_heightmap *map = ponds(77, 45, 90, 5);
        expect_turns("analyze_distance", map, &p, 0);
        terrain_heightmap_destroy(map);
    }
}

/* Lengths in cells instead of the map's unit; a mask that depends on it, leaves 0 to 1, or
 * rises. */
static void test_outputs(void **state)
{
    terrain_heightmap *map = ponds(200, 3, 1000000, 1);
    for (uint32_t reach = 1; reach < 190; reach += 7) {
        terrain_analyze_distance_params p = params_of(reach, TERRAIN_ANALYZE_DISTANCE_MODE_LENGTH);
        terrain_heightmap *length, *mask;
        terrain_heightmap_data(map)[200] = 0; /* the first cell of the second row */
        terrain_heightmap_set_cell_size(map, 2.5f);
        length = distances(map, &p);
        p.mode = TERRAIN_ANALYZE_DISTANCE_MODE_MASK;
        mask = distances(map, &p);
        assert_true(at(mask, 0, 1) == 1 && at(length, 0, 1) == 0);
        for (int64_t x = 1; x < 200; x++) {
            float share = at(mask, x, 1);
            assert_true(at(length, x, 1) == 2.5f * (float)(x < reach ? x : reach));
            assert_true(share >= 0 && share <= at(mask, x - 1, 1));
            assert_true((share == 0) == (x >= reach) && share < 1);
            assert_true(x * 2 != reach || share == 0.5f);
        }
        terrain_heightmap_destroy(length);
        terrain_heightmap_destroy(mask);
    }
    terrain_heightmap_destroy(map);
}

/* A mask that does not end at 0 for some reach, as 1 / reach is rounded. */
static void test_every_reach(void **state)
{
    terrain_heightmap *map = ponds(1, 1, 1000000, 1);
    for (uint32_t reach = 1; reach <= 4095; reach++) {
        const terrain_analyze_distance_params p =
            params_of(reach, TERRAIN_ANALYZE_DISTANCE_MODE_MASK);
        terrain_heightmap *mask;
        terrain_heightmap_data(map)[0] = 1;
        mask = distances(map, &p);
        assert_true(at(mask, 0, 0) == 0);
        terrain_heightmap_destroy(mask);
    }
    terrain_heightmap_destroy(map);
}

/* NaN that is in a range or spreads; an infinite end that does not hold infinity. */
static void test_special(void **state)
{
    terrain_analyze_distance_params p = params_of(50, TERRAIN_ANALYZE_DISTANCE_MODE_LENGTH);
    terrain_heightmap *map = ponds(20, 1, 1000000, 1), *result;
    float *heights = terrain_heightmap_data(map);
    for (int i = 0; i < 20; i++) {
        heights[i] = 1;
    }
    heights[3] = NAN;
    heights[5] = INFINITY;
    heights[9] = -INFINITY;
    result = distances(map, &p);
    for (int x = 0; x < 20; x++) {
        assert_true(at(result, x, 0) == (float)abs(x - 9));
    }
    terrain_heightmap_destroy(result);
    p.low = 2;
    p.high = INFINITY;
    result = distances(map, &p);
    for (int x = 0; x < 20; x++) {
        assert_true(at(result, x, 0) == (float)abs(x - 5));
    }
    terrain_heightmap_destroy(result);
    p.high = 3;
    result = distances(map, &p);
    for (int x = 0; x < 20; x++) {
        assert_true(at(result, x, 0) == 50);
    }
    terrain_heightmap_destroy(result);
    p.low = p.high = 1; /* a range of one height */
    result = distances(map, &p);
    assert_true(at(result, 4, 0) == 0 && at(result, 5, 0) == 1);
    terrain_heightmap_destroy(result);
    p.low = 4;
    assert_int_equal(terrain_analyze_distance(NULL, map, map, &p), TERRAIN_ERROR_RANGE);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),       cmocka_unit_test(test_far),
        cmocka_unit_test(test_turns),       cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_every_reach), cmocka_unit_test(test_special),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
