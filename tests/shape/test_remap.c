/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards shape_remap: the ends of ranges, order, found ranges, special values. */

#include <float.h>
#include <math.h>

#include "support/check.h"
#include "terrain/shape.h"

enum { WIDTH = 131, HEIGHT = 37, COUNT = WIDTH * HEIGHT };

static terrain_shape_remap_params params_of(float from_low, float from_high, float to_low,
                                            float to_high)
{
    terrain_shape_remap_params params;
    assert_int_equal(terrain_shape_remap_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.from_low = from_low;
    params.from_high = from_high;
    params.to_low = to_low;
    params.to_high = to_high;
    return params;
}

static float remap_one(float height, const terrain_shape_remap_params *params)
{
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap(NULL, &height, 1, 1, 1, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_shape_remap(NULL, map, params), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
    return height;
}

/* Defaults that change a height. */
static void test_defaults(void **state)
{
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 1);
    uint32_t *snapshot = test_snapshot(map);
    assert_int_equal(terrain_shape_remap(NULL, map, NULL), TERRAIN_SUCCESS);
    assert_true(test_unchanged(map, snapshot));
    terrain_heightmap_destroy(map);
}

/* A formula other than the documented one: numbers for which it is exact. */
static void test_formula(void **state)
{
    terrain_shape_remap_params params = params_of(2, 10, -1, 3);
    assert_true(remap_one(2, &params) == -1 && remap_one(10, &params) == 3);
    assert_true(remap_one(4, &params) == 0 && remap_one(20, &params) == 8);
    params.clamp = 1;
    assert_true(remap_one(20, &params) == 3 && remap_one(-20, &params) == -1);
    params = params_of(10, 2, -1, 3); /* turned over */
    assert_true(remap_one(2, &params) == 3 && remap_one(10, &params) == -1);
    params.clamp = 1;
    assert_true(remap_one(20, &params) == -1 && remap_one(-20, &params) == 3);
    params = params_of(0, 1, 5, 5);
    assert_true(remap_one(77, &params) == 5);
}

/* Ends that are missed by the last bit, or a map that is not monotone. */
static void test_ends(void **state)
{
    for (uint64_t seed = 0; seed < 3000; seed++) {
        test_random random = {seed};
        float ends[4];
        for (int i = 0; i < 4; i++) {
            float size = ldexpf(1, (int)test_between(&random, -20, 20));
            ends[i] = (float)(2 * test_unit(&random) - 1) * size;
        }
        if (ends[0] == ends[1]) {
            continue;
        }
        terrain_shape_remap_params params = params_of(ends[0], ends[1], ends[2], ends[3]);
        params.clamp = 1;
        assert_true(remap_one(ends[0], &params) == ends[2]);
        assert_true(remap_one(ends[1], &params) == ends[3]);
        float near_end = nextafterf(ends[1], ends[0]);
        float a = remap_one(near_end, &params),
              b = remap_one(nextafterf(near_end, ends[0]), &params);
        assert_true(ends[2] < ends[3] ? a >= b : a <= b);
    }
}

/* A range that is not the finite one of the map, at any size. */
static void test_found(void **state)
{
    for (uint32_t width = 1; width < 90; width += width < 40 ? 1 : 9) {
        terrain_heightmap *map = test_map_of_size(width, 5, width);
        terrain_shape_remap_params params = params_of(0, 1, -2.25f, 0.7f);
        params.mode = TERRAIN_SHAPE_REMAP_MODE_FOUND;
        assert_int_equal(terrain_shape_remap(NULL, map, &params), TERRAIN_SUCCESS);
        assert_true(test_summarize(map).minimum == -2.25);
        assert_true(test_summarize(map).maximum == (double)0.7f);
        terrain_heightmap_destroy(map);
    }
}

/* NaN or infinity that enters the range, or a flat or empty range that divides by zero. */
static void test_special(void **state)
{
    float cells[] = {NAN, 4, INFINITY, 8, -INFINITY, 5, -FLT_MAX / 2};
    float flat[] = {3, 3, NAN, 3};
    float none[] = {NAN, INFINITY, NAN};
    terrain_shape_remap_params params = params_of(0, 1, 10, 20);
    terrain_heightmap *map = NULL;
    params.mode = TERRAIN_SHAPE_REMAP_MODE_FOUND;
    terrain_heightmap_wrap(NULL, cells, 6, 1, 6, &map);
    assert_int_equal(terrain_shape_remap(NULL, map, &params), TERRAIN_SUCCESS);
    assert_true(isnan(cells[0]) && cells[1] == 10 && cells[3] == 20 && cells[5] == 12.5f);
    assert_true(cells[2] == 20 && cells[4] == 10);
    terrain_heightmap_destroy(map);
    terrain_heightmap_wrap(NULL, flat, 4, 1, 4, &map);
    assert_int_equal(terrain_shape_remap(NULL, map, &params), TERRAIN_SUCCESS);
    assert_true(flat[0] == 10 && flat[1] == 10 && isnan(flat[2]) && flat[3] == 10);
    terrain_heightmap_destroy(map);
    terrain_heightmap_wrap(NULL, none, 3, 1, 3, &map);
    assert_int_equal(terrain_shape_remap(NULL, map, &params), TERRAIN_SUCCESS);
    assert_true(isnan(none[0]) && isnan(none[1]));
    terrain_heightmap_destroy(map);
}

/* Infinity that enters the range of rows wider than any vector, or hides finite cells beside it. */
static void test_wide_special(void **state)
{
    for (uint32_t at = 0; at < 3 * 150; at += 7) {
        float cells[3 * 150];
        terrain_shape_remap_params params = params_of(0, 1, 10, 20);
        terrain_heightmap *map = NULL;
        const uint32_t low = (at + 1) % 450, high = (at + 2) % 450, none = (at + 3) % 450;
        for (uint32_t i = 0; i < 450; i++) {
            cells[i] = 5;
        }
        cells[at] = at % 2 == 0 ? INFINITY : -INFINITY;
        cells[low] = 4;
        cells[high] = 8;
        cells[none] = NAN;
        params.mode = TERRAIN_SHAPE_REMAP_MODE_FOUND;
        terrain_heightmap_wrap(NULL, cells, 150, 3, 150, &map);
        assert_int_equal(terrain_shape_remap(NULL, map, &params), TERRAIN_SUCCESS);
        assert_true(cells[low] == 10 && cells[high] == 20 && isnan(cells[none]));
        assert_true(cells[at] == (at % 2 == 0 ? 20 : 10) && cells[(at + 4) % 450] == 12.5f);
        terrain_heightmap_destroy(map);
    }
}

/* A found range that is used in an endless world, or an empty range that is accepted. */
static void test_refused(void **state)
{
    const terrain_operation *operation = terrain_operation_find("shape_remap");
    terrain_shape_remap_params params = params_of(3, 3, 0, 1);
    terrain_heightmap *map = test_map_of_size(3, 3, 1);
    terrain_window out = {0, 0, 8, 8}, in;
    uint32_t halo = 0;
    assert_int_equal(terrain_shape_remap(NULL, map, &params), TERRAIN_ERROR_RANGE);
    params.mode = TERRAIN_SHAPE_REMAP_MODE_FOUND;
    assert_int_equal(terrain_shape_remap(NULL, map, &params), TERRAIN_SUCCESS);
    assert_int_equal(terrain_operation_halo(operation, &params, &halo), TERRAIN_SUCCESS);
    assert_int_equal(halo, UINT32_MAX);
    assert_int_equal(terrain_operation_window(operation, &params, 0, &out, &in),
                     TERRAIN_ERROR_UNSUPPORTED);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults), cmocka_unit_test(test_formula),
        cmocka_unit_test(test_ends),     cmocka_unit_test(test_found),
        cmocka_unit_test(test_special),  cmocka_unit_test(test_wide_special),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
