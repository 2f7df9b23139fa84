/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards analyze_basins: basins that leak, orders that skip or fall downstream, lengths that
 * shrink, numbers that move with the map. */

#include "analyze/turns.h"
#include "shape/hollows.h"
#include "terrain/analyze.h"

enum { WIDTH = 93, HEIGHT = 70, CELLS = WIDTH * HEIGHT };

static terrain_analyze_basins_params params_of(uint32_t routing, uint32_t threshold)
{
    terrain_analyze_basins_params p;
    assert_int_equal(terrain_analyze_basins_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.routing = routing;
    p.threshold = threshold;
    return p;
}

static size_t downstream(size_t cell, float direction)
{
    static const int east[9] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
    static const int south[9] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
    return (size_t)((int64_t)cell + south[(int)direction] * WIDTH + east[(int)direction]);
}

/* Along the ways that analyze_flow finds. */
static void test_ways(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        for (uint32_t k = 0; k < 6; k++) {
            terrain_analyze_basins_params p = params_of(k / 2, k % 2 == 0 ? 1 : 12);
            terrain_analyze_flow_params f;
            terrain_heightmap *map = hollows(WIDTH, HEIGHT, kind, 51), *result = blank(map);
            terrain_heightmap *areas = blank(map);
            assert_int_equal(terrain_analyze_flow_params_init(&f, sizeof f), TERRAIN_SUCCESS);
            f.routing = p.routing;
            f.direction = blank(map);
            p.order = blank(map);
            p.length = blank(map);
            assert_int_equal(terrain_analyze_flow(NULL, map, areas, &f), TERRAIN_SUCCESS);
            assert_int_equal(terrain_analyze_basins(NULL, map, result, &p), TERRAIN_SUCCESS);
            const float *order = terrain_heightmap_const_data(p.order);
            const float *length = terrain_heightmap_const_data(p.length);
            const float *number = terrain_heightmap_const_data(result);
            for (size_t i = 0; i < CELLS; i++) {
                float direction = terrain_heightmap_const_data(f.direction)[i];
                float area = terrain_heightmap_const_data(areas)[i];
                size_t next = downstream(i, direction);
                assert_true(number[i] > 0 && number[i] < 1 && number[i] == number[next]);
                assert_true((order[i] > 0) == (area >= (float)p.threshold));
                assert_true(order[next] >= order[i]);
                /* A stream of order n has at least 2^(n - 1) heads. */
                assert_true(order[i] == 0 || ldexpf((float)p.threshold, (int)order[i] - 1) <= area);
                assert_true(next == i || length[next] >= length[i] + 1);
                assert_true(length[i] < 1.5f * area || area == 0);
            }
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(result);
            terrain_heightmap_destroy(areas);
            terrain_heightmap_destroy(f.direction);
            terrain_heightmap_destroy(p.order);
            terrain_heightmap_destroy(p.length);
        }
    }
}

/* The same outlet in maps that begin elsewhere has one number. */
static void test_numbers(void **state)
{
    float number[2] = {0, 1};
    for (int k = 0; k < 2; k++) {
        const terrain_analyze_basins_params p = params_of(TERRAIN_ANALYZE_FLOW_ROUTING_NONE, 1);
        terrain_heightmap *map = NULL, *result;
        const int64_t before = k == 0 ? 4 : 15;
        assert_int_equal(terrain_heightmap_create(NULL, (uint32_t)before + 9, 5, &map),
                         TERRAIN_SUCCESS);
        terrain_heightmap_set_origin(map, (INT64_C(1) << 40) - before, -7);
        terrain_heightmap_data(map)[2 * (before + 9) + before + 1] = -4;
        result = blank(map);
        assert_int_equal(terrain_analyze_basins(NULL, map, result, &p), TERRAIN_SUCCESS);
        number[k] = terrain_heightmap_data(result)[2 * (before + 9) + before + 2];
        terrain_heightmap_destroy(result);
        terrain_heightmap_destroy(map);
    }
    assert_true(number[0] == number[1]);
}

/* Passes that are announced and never made: progress ends short of 1, and jumps. */
static void test_progress_of_passes(void **state)
{
    terrain_analyze_basins_params p = params_of(TERRAIN_ANALYZE_FLOW_ROUTING_NONE, 20);
    terrain_heightmap *map = hollows(WIDTH, HEIGHT, HOLLOWS_NOISE, 3), *result = blank(map);
    expect_all_passes("analyze_basins", &p, (terrain_heightmap *[]){map, result}, 2);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(result);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ways),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_progress_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
