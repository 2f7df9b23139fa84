/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards shape_strata: an order of heights that is lost, heights that leave their layer, layers
 * that drift far from the origin. */

#include <math.h>

#include "support/check.h"
#include "terrain/shape.h"

enum { COUNT = 4001 };

static const float thickness[] = {3, 1, 0.5f, 3.5f}; /* 8 together */
static const float hardness[] = {0, 1, 0.5f};

static terrain_shape_strata_params params_of(void)
{
    terrain_shape_strata_params params;
    assert_int_equal(terrain_shape_strata_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.thickness = thickness;
    params.thickness_count = 4;
    params.hardness = hardness;
    params.hardness_count = 3;
    params.fold_amplitude = 0;
    params.strength = 1;
    return params;
}

static void strata(float *heights, uint32_t count, const terrain_shape_strata_params *params)
{
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap(NULL, heights, count, 1, count, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_shape_strata(NULL, map, params), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
}

/* A greater height that becomes the lesser one, a height that moves farther than a layer is
 * thick. */
static void test_monotone(void **state)
{
    terrain_shape_strata_params params = params_of();
    const float sharpness[] = {1, 8, 1000};
    for (int i = 0; i < 3; i++) {
        params.sharpness = sharpness[i];
        float heights[COUNT];
        float close = 11;
        for (int k = 0; k < COUNT; k++) {
            heights[k] = -40 + 0.02f * (float)k;
        }
        strata(heights, COUNT, &params);
        for (int k = 0; k < COUNT; k++) {
            assert_true(k == 0 || heights[k] >= heights[k - 1]);
            assert_true(fabsf(heights[k] - (-40 + 0.02f * (float)k)) <= 3.5f);
        }
        for (int k = 0; k < COUNT; k++) {
            heights[k] = close;
            close = nextafterf(close, INFINITY);
        }
        strata(heights, COUNT, &params);
        for (int k = 1; k < COUNT; k++) {
            assert_true(heights[k] >= heights[k - 1]);
        }
    }
}

/* Layers at other heights than those given; a soft layer that is raised, a hard one that is
 * lowered. */
static void test_layers(void **state)
{
    terrain_shape_strata_params params = params_of();
    float heights[] = {0, 1, 2.9f, 3, 3.5f, 4, 4.25f, 4.5f, 7, 8, 9, -0.5f, -4.9f, NAN, INFINITY};
    const float layers[] = {0, 0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 3, 1};
    const float old[] = {0, 1, 2.9f, 3, 3.5f, 4, 4.25f, 4.5f, 7, 8, 9, -0.5f, -4.9f};
    float ids[15], ranks[15];
    assert_int_equal(terrain_heightmap_wrap(NULL, ids, 15, 1, 15, &params.layer_id), 0);
    assert_int_equal(terrain_heightmap_wrap(NULL, ranks, 15, 1, 15, &params.layer_hardness), 0);
    strata(heights, 15, &params);
    for (int i = 0; i < 13; i++) {
        float k = hardness[(int)layers[i] % 3];
        float change = heights[i] - old[i];
        assert_true(ids[i] == layers[i] && ranks[i] == k);
        assert_true(k < 0.5f ? change <= 0 : k > 0.5f ? change >= 0 : change == 0);
    }
    assert_true(heights[1] < 1 && heights[4] > 3.5f && heights[0] == 0 && heights[9] == 8);
    assert_true(isnan(heights[13]) && isnan(ids[13]) && isnan(ranks[13]));
    assert_true(heights[14] == INFINITY && isnan(ids[14]));
    terrain_heightmap_destroy(params.layer_id);
    terrain_heightmap_destroy(params.layer_hardness);
}

/* A map of 64 x 64 from (x, y), all of the height h. */
static terrain_heightmap *level_map(int64_t x, int64_t y, float h)
{
    terrain_window window = {x, y, 64, 64};
    terrain_heightmap *map = test_map(&window);
    for (uint32_t i = 0; i < 64; i++) {
        for (uint32_t k = 0; k < 64; k++) {
            terrain_heightmap_data(map)[i * terrain_heightmap_stride(map) + k] = h;
        }
    }
    terrain_heightmap_set_cell_size(map, 2);
    return map;
}

/* Tilted layers that drift: 1/8 a cell, so that they repeat after 64 cells, exactly, at any
 * distance. */
static void test_far_tilt(void **state)
{
    terrain_shape_strata_params params = params_of();
    const int64_t far[] = {-64, INT64_C(1) << 31, INT64_C(1) << 40, (INT64_C(1) << 62) - 64,
                           -(INT64_C(1) << 62)};
    params.tilt_x = 0.0625f;
    params.tilt_y = -0.0625f;
    terrain_heightmap *near_map = level_map(0, 0, 5);
    assert_int_equal(terrain_shape_strata(NULL, near_map, &params), TERRAIN_SUCCESS);
    float *cells = terrain_heightmap_data(near_map);
    size_t stride = terrain_heightmap_stride(near_map);
    assert_true(cells[0] != cells[9]);
    assert_true(cells[3] == cells[stride + 4]); /* along the strike */
    for (int i = 0; i < 5; i++) {
        terrain_heightmap *map = level_map(far[i], far[4 - i], 5);
        assert_int_equal(terrain_shape_strata(NULL, map, &params), TERRAIN_SUCCESS);
        assert_int_equal(terrain_heightmap_hash(map), terrain_heightmap_hash(near_map));
        terrain_heightmap_destroy(map);
    }
    /* Tilts that repeat nowhere near: layers still rise from cell to cell, no two cells are
     * alike. */
    params.tilt_x = 0.013f;
    terrain_heightmap *map = level_map((INT64_C(1) << 62) - 100, 0, 5);
    int changes = 0;
    assert_int_equal(terrain_shape_strata(NULL, map, &params), TERRAIN_SUCCESS);
    cells = terrain_heightmap_data(map);
    for (int i = 1; i < 64; i++) {
        changes += cells[i] != cells[i - 1];
    }
    assert_true(changes > 40);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(near_map);
}

/* Layers that rise by a third of their period a cell, and so repeat after 3 cells, elsewhere far
 * from the origin than near it: the quotient as a double is off by half a period there. */
static void test_exact_tilt(void **state)
{
    terrain_shape_strata_params params = params_of();
    const float thirds[] = {3, 9};
    params.thickness = thirds;
    params.thickness_count = 2;
    params.tilt_x = 2; /* by a cell size of 2 a third of 12 */
    const int64_t far = INT64_C(3) << 52;
    terrain_heightmap *near_map = level_map(0, 0, 5);
    terrain_heightmap *map = level_map(far, 0, 5);
    assert_int_equal(terrain_shape_strata(NULL, near_map, &params), TERRAIN_SUCCESS);
    assert_int_equal(terrain_shape_strata(NULL, map, &params), TERRAIN_SUCCESS);
    for (uint32_t i = 0; i < 64; i++) {
        float distance = terrain_heightmap_data(map)[i] - terrain_heightmap_data(near_map)[i];
        assert_true(fabsf(distance) < 0.1f);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(near_map);
}

/* Without tilt and folds, a result that depends on the place; with folds, one that doesn't. */
static void test_place(void **state)
{
    terrain_shape_strata_params params = params_of();
    for (int folds = 0; folds < 2; folds++) {
        terrain_heightmap *map = level_map(-5, (INT64_C(1) << 62) - 64, 1.25f);
        params.fold_amplitude = folds == 0 ? 0 : 4;
        params.fold_period = 20;
        assert_int_equal(terrain_shape_strata(NULL, map, &params), TERRAIN_SUCCESS);
        const float *cells = terrain_heightmap_data(map);
        bool equal = true;
        for (size_t i = 0; i < 64; i++) {
            equal = equal && cells[i * terrain_heightmap_stride(map) + i] == cells[0];
        }
        assert_true(equal == (folds == 0));
        terrain_heightmap_destroy(map);
    }
}

/* A strength of 0 or a sharpness of 1 that changes heights. */
static void test_identity(void **state)
{
    for (int i = 0; i < 2; i++) {
        terrain_shape_strata_params params = params_of();
        params.fold_amplitude = 3;
        params.strength = i == 0 ? 0 : 1;
        params.sharpness = i == 0 ? 8 : 1;
        terrain_heightmap *map = test_map_of_size(131, 37, 1);
        uint64_t before = terrain_heightmap_hash(map);
        assert_int_equal(terrain_shape_strata(NULL, map, &params), TERRAIN_SUCCESS);
        assert_int_equal(terrain_heightmap_hash(map), before);
        terrain_heightmap_destroy(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_monotone), cmocka_unit_test(test_layers),
        cmocka_unit_test(test_far_tilt), cmocka_unit_test(test_exact_tilt),
        cmocka_unit_test(test_place),    cmocka_unit_test(test_identity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
