/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards shape_terrace: an order of heights that is lost, levels that move, treads that are not
 * flat. */

#include <math.h>

#include "support/check.h"
#include "terrain/shape.h"

enum { COUNT = 4001 };

static terrain_shape_terrace_params params_of(void)
{
    terrain_shape_terrace_params params;
    assert_int_equal(terrain_shape_terrace_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    return params;
}

static void terrace(float *heights, uint32_t count, const terrain_shape_terrace_params *params)
{
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap(NULL, heights, count, 1, count, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_shape_terrace(NULL, map, params), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
}

static float terrace_one(float height, const terrain_shape_terrace_params *params)
{
    terrace(&height, 1, params);
    return height;
}

/* A greater height that becomes the lesser one, also between neighbouring floats. */
static void test_monotone(void **state)
{
    terrain_shape_terrace_params params = params_of();
    const float levels[] = {-7, -6.5f, 0, 1, 30};
    const float sharpness[] = {1, 6, 1000};
    for (int i = 0; i < 6; i++) {
        params.levels = i % 2 == 0 ? NULL : levels;
        params.levels_count = i % 2 == 0 ? 0 : 5;
        params.sharpness = sharpness[i / 2];
        float heights[COUNT];
        float close = -6.5f;
        for (int k = 0; k < COUNT; k++) {
            heights[k] = -40 + 0.02f * (float)k;
        }
        terrace(heights, COUNT, &params);
        for (int k = 1; k < COUNT; k++) {
            assert_true(heights[k] > heights[k - 1] || params.sharpness > 999);
            assert_true(heights[k] >= heights[k - 1]);
        }
        for (int k = 0; k < COUNT; k++) {
            heights[k] = close;
            close = nextafterf(close, INFINITY);
        }
        terrace(heights, COUNT, &params);
        for (int k = 1; k < COUNT; k++) {
            assert_true(heights[k] >= heights[k - 1]);
        }
    }
}

/* Levels and midpoints that move; slopes other than promised. */
static void test_fixed(void **state)
{
    terrain_shape_terrace_params params = params_of();
    params.spacing = 8;
    params.offset = 3;
    params.sharpness = 16;
    for (int k = -5; k <= 5; k++) {
        float level = 3 + 8 * (float)k;
        assert_true(terrace_one(level, &params) == level);
        assert_true(fabsf(terrace_one(level + 4, &params) - (level + 4)) < 1e-5f);
        float tread = (terrace_one(level + 0.01f, &params) - level) / 0.01f;
        float riser = (terrace_one(level + 4.01f, &params) - (level + 4)) / 0.01f;
        assert_true(tread > 0.06f && tread < 0.07f && riser > 14 && riser < 16.5f);
    }
}

/* Heights beyond the given levels that change; heights that are no numbers. */
static void test_outside(void **state)
{
    terrain_shape_terrace_params params = params_of();
    const float levels[] = {-1, 5};
    assert_true(isnan(terrace_one(NAN, &params)));
    assert_true(terrace_one(INFINITY, &params) == INFINITY);
    assert_true(terrace_one(-INFINITY, &params) == -INFINITY);
    assert_true(terrace_one(1e38f, &params) == 1e38f);
    params.levels = levels;
    params.levels_count = 2;
    assert_true(terrace_one(-1.5f, &params) == -1.5f && terrace_one(5.5f, &params) == 5.5f);
    assert_true(terrace_one(-1, &params) == -1 && terrace_one(5, &params) == 5);
    assert_true(terrace_one(1, &params) < 1 && terrace_one(3, &params) > 3);
    assert_true(terrace_one(-INFINITY, &params) == -INFINITY);
    assert_true(isnan(terrace_one(NAN, &params)));
}

/* Levels that can't be stairs. */
static void test_bad_levels(void **state)
{
    terrain_shape_terrace_params params = params_of();
    const float levels[] = {1, 1, 2};
    terrain_heightmap *map = test_map_of_size(3, 3, 1);
    params.levels = levels;
    params.levels_count = 3;
    assert_int_equal(terrain_shape_terrace(NULL, map, &params), TERRAIN_ERROR_RANGE);
    params.levels_count = 1;
    assert_int_equal(terrain_shape_terrace(NULL, map, &params), TERRAIN_ERROR_RANGE);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotone),
        cmocka_unit_test(test_fixed),
        cmocka_unit_test(test_outside),
        cmocka_unit_test(test_bad_levels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
