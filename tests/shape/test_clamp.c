/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards shape_clamp: what is cut, and what is left alone. */

#include <math.h>

#include "support/check.h"
#include "terrain/shape.h"

static terrain_shape_clamp_params range_of(float minimum, float maximum)
{
    terrain_shape_clamp_params params;
    assert_int_equal(terrain_shape_clamp_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.low = minimum;
    params.high = maximum;
    return params;
}

/* A height within the range that changes, or one outside that is not cut to its end. */
static void test_range(void **state)
{
    terrain_heightmap *map = test_map_of_size(133, 17, 1);
    terrain_heightmap *old = NULL;
    terrain_shape_clamp_params params = range_of(-3, 4.5f);
    terrain_heightmap_clone(NULL, map, &old);
    assert_int_equal(terrain_shape_clamp(NULL, map, &params), TERRAIN_SUCCESS);
    const float *before = terrain_heightmap_const_data(old);
    const float *after = terrain_heightmap_const_data(map);
    uint32_t cut = 0;
    for (int i = 0; i < 133 * 17; i++) {
        float wanted = before[i] < -3 ? -3 : before[i] > 4.5f ? 4.5f : before[i];
        assert_true(after[i] == wanted);
        cut += after[i] != before[i];
    }
    assert_in_range(cut, 100, 133 * 17 - 100);
    terrain_heightmap_destroy(old);
    terrain_heightmap_destroy(map);
}

/* A second call, or the defaults, that change something. */
static void test_idempotent(void **state)
{
    terrain_heightmap *map = test_map_of_size(65, 33, 2);
    terrain_shape_clamp_params params = range_of(0, 0);
    test_sprinkle(map, 5, 10);
    uint32_t *snapshot = test_snapshot(map);
    assert_int_equal(terrain_shape_clamp(NULL, map, NULL), TERRAIN_SUCCESS);
    assert_true(test_unchanged(map, snapshot));
    assert_int_equal(terrain_shape_clamp(NULL, map, &params), TERRAIN_SUCCESS);
    snapshot = test_snapshot(map);
    assert_int_equal(terrain_shape_clamp(NULL, map, &params), TERRAIN_SUCCESS);
    assert_true(test_unchanged(map, snapshot));
    terrain_heightmap_destroy(map);
}

/* NaN that becomes a number; infinity that does not become the end of the range. */
static void test_special(void **state)
{
    float cells[] = {NAN, INFINITY, -INFINITY, 7};
    terrain_heightmap *map = NULL;
    terrain_shape_clamp_params params = range_of(1, 5);
    terrain_heightmap_wrap(NULL, cells, 4, 1, 4, &map);
    assert_int_equal(terrain_shape_clamp(NULL, map, &params), TERRAIN_SUCCESS);
    assert_true(isnan(cells[0]) && cells[1] == 5 && cells[2] == 1 && cells[3] == 5);
    params = range_of(5, 1);
    assert_int_equal(terrain_shape_clamp(NULL, map, &params), TERRAIN_ERROR_RANGE);
    params = range_of(0, 0);
    cells[0] = -0.0f; /* not below 0, not above */
    assert_int_equal(terrain_shape_clamp(NULL, map, &params), TERRAIN_SUCCESS);
    assert_true(cells[0] == 0 && signbit(cells[0]));
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_idempotent),
        cmocka_unit_test(test_special),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
