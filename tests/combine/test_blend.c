/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards combine_blend: what weights, modes and masks mean. */

#include <math.h>

#include "support/check.h"
#include "terrain/combine.h"

enum { WIDTH = 131, HEIGHT = 37, COUNT = WIDTH * HEIGHT, MODES = 8 };

static terrain_combine_blend_params params_of(terrain_combine_blend_mode mode, float weight)
{
    terrain_combine_blend_params params;
    assert_int_equal(terrain_combine_blend_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.mode = mode;
    params.weight = weight;
    return params;
}

static float blend_one(float a, float b, const terrain_combine_blend_params *params)
{
    terrain_heightmap *map = NULL, *other = NULL;
    terrain_heightmap_wrap(NULL, &a, 1, 1, 1, &map);
    terrain_heightmap_wrap_const(NULL, &b, 1, 1, 1, &other);
    assert_int_equal(terrain_combine_blend(NULL, map, other, params), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(other);
    return a;
}

/* A mode that computes something else: numbers for which everything is exact. */
static void test_modes(void **state)
{
    static const float whole[MODES] = {13, 7, 30, 3, 3, 10, 3, 10};
    static const float half[MODES] = {11.5f, 8.5f, 20, 6.5f, 6.5f, 10, 6.5f, 10};
    static const float close[MODES] = {21, -1, 110, 11, 10, 11, 10 - 9 / 16.0f, 11 + 9 / 16.0f};
    for (uint32_t mode = 0; mode < MODES; mode++) {
        terrain_combine_blend_params params = params_of(mode, 1);
        params.radius = 4;
        assert_true(blend_one(10, 3, &params) == whole[mode]);
        assert_true(blend_one(10, 11, &params) == close[mode]);
        params.weight = 0.5f;
        assert_true(blend_one(10, 3, &params) == half[mode]);
    }
}

/* Weight 0 that changes a height, or weight 1 that rounds, in vectors and tails. */
static void test_weights(void **state)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 1);
        terrain_heightmap *other = test_map_of_size(WIDTH, HEIGHT, 2);
        terrain_combine_blend_params params = params_of(mode, 0);
        uint32_t *snapshot = test_snapshot(map);
        assert_int_equal(terrain_combine_blend(NULL, map, other, &params), TERRAIN_SUCCESS);
        assert_true(test_unchanged(map, snapshot));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(other);
    }
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 1);
    terrain_heightmap *other = test_map_of_size(WIDTH, HEIGHT, 2);
    test_sprinkle(other, 3, 5);
    assert_int_equal(terrain_combine_blend(NULL, map, other, NULL), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(map, other));
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(other);
}

/* Modes that are not symmetric in their maps, that leave their bounds, or a rounding that is not
 * smooth: the step in slope at the ends of the radius. */
static void test_smooth(void **state)
{
    terrain_combine_blend_params low = params_of(TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MINIMUM, 1);
    terrain_combine_blend_params high = params_of(TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MAXIMUM, 1);
    low.radius = high.radius = 3;
    float before = 0, slope_before = 0;
    for (int i = -500; i <= 500; i++) {
        float a = (float)i / 100, b = 1;
        float smooth = blend_one(a, b, &low);
        float least = a < b ? a : b;
        assert_true(smooth == blend_one(b, a, &low));
        assert_true(smooth <= least && smooth >= least - 0.75f);
        assert_true(fabsf(a - b) < 3 || smooth == least);
        assert_true(blend_one(-a, -b, &high) == -smooth);
        float slope = (smooth - before) * 100;
        assert_true(i < -498 || fabsf(slope - slope_before) < 0.01f);
        before = smooth;
        slope_before = slope;
    }
    low.radius = high.radius = 0;
    assert_true(blend_one(2, 2, &low) == 2 && blend_one(2, 3, &high) == 3);
}

/* NaN that is lost, or that comes from nowhere. */
static void test_special(void **state)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        terrain_combine_blend_params params = params_of(mode, 1);
        assert_true(isnan(blend_one(1, NAN, &params)));
        assert_true(mode == TERRAIN_COMBINE_BLEND_MODE_LERP || isnan(blend_one(NAN, 1, &params)));
        params.weight = 0.25f;
        assert_true(isnan(blend_one(1, NAN, &params)) && isnan(blend_one(NAN, 1, &params)));
    }
    terrain_combine_blend_params params = params_of(TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MINIMUM, 1);
    assert_true(blend_one(INFINITY, 5, &params) == 5);
    assert_true(blend_one(-INFINITY, 5, &params) == -INFINITY);
    assert_true(blend_one(INFINITY, INFINITY, &params) == INFINITY);
    params.mode = TERRAIN_COMBINE_BLEND_MODE_LERP;
    assert_true(blend_one(INFINITY, 5, &params) == 5);
}

/* A mask that is not a weight for each cell. */
static void test_mask(void **state)
{
    float a[] = {0, 0, 0, 0, 0}, b[] = {8, 8, 8, 8, 8}, m[] = {0, 0.25f, 1, 2, NAN};
    static const float wanted[] = {0, 2, 8, 8, 0};
    terrain_heightmap *map = NULL, *other = NULL, *mask = NULL;
    terrain_combine_blend_params params = params_of(TERRAIN_COMBINE_BLEND_MODE_LERP, 1);
    terrain_heightmap_wrap(NULL, a, 5, 1, 5, &map);
    terrain_heightmap_wrap(NULL, b, 5, 1, 5, &other);
    terrain_heightmap_wrap(NULL, m, 5, 1, 5, &mask);
    params.mask = mask;
    assert_int_equal(terrain_combine_blend(NULL, map, other, &params), TERRAIN_SUCCESS);
    assert_memory_equal(a, wanted, sizeof wanted);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(other);
    terrain_heightmap_destroy(mask);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_modes),  cmocka_unit_test(test_weights),
        cmocka_unit_test(test_smooth), cmocka_unit_test(test_special),
        cmocka_unit_test(test_mask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
