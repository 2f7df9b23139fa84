/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards analyze_slope: planes up to the last cell, turns, units, special values. */

#include <math.h>
#include <stdlib.h>

#include "analyze/turns.h"
#include "terrain/analyze.h"

static terrain_heightmap *slope_of(const terrain_heightmap *map, terrain_analyze_slope_unit unit)
{
    terrain_analyze_slope_params params;
    terrain_heightmap *result = blank(map);
    assert_int_equal(terrain_analyze_slope_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.unit = unit;
    assert_int_equal(terrain_analyze_slope(NULL, map, result, &params), TERRAIN_SUCCESS);
    return result;
}

static void assert_all(const terrain_heightmap *map, float wanted, float bound)
{
    const float *cells = terrain_heightmap_const_data(map);
    uint32_t count = terrain_heightmap_width(map) * terrain_heightmap_height(map);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(fabsf(cells[i] - wanted) <= bound);
    }
}

/* A plane whose slope is wrong anywhere, the edges and corners above all. */
static void test_planes(void **state)
{
    for (int i = 0; i < TURN_SIZES; i++) {
        uint32_t width = turn_sizes[i][0], height = turn_sizes[i][1];
        float a = width > 1 ? 0.75f : 0, b = height > 1 ? -1 : 0;
        terrain_heightmap *map = plane(width, height, a, b, 4);
        terrain_heightmap *rise = slope_of(map, TERRAIN_ANALYZE_SLOPE_UNIT_RISE);
        terrain_heightmap *degrees = slope_of(map, TERRAIN_ANALYZE_SLOPE_UNIT_DEGREES);
        float wanted = sqrtf(a * a + b * b);
        assert_all(rise, wanted, 0);
        assert_all(degrees, (float)(atan((double)wanted) * 180 / acos(-1)), 2e-5f);
        assert_true(terrain_heightmap_cell_size(rise) == 4);
        terrain_heightmap_destroy(degrees);
        terrain_heightmap_destroy(rise);
        terrain_heightmap_destroy(map);
    }
}

/* A stencil that prefers a direction by so much as a bit. */
static void test_turns(void **state)
{
    for (int i = 0; i < TURN_SIZES; i++) {
        terrain_heightmap *map = rough(turn_sizes[i][0], turn_sizes[i][1], 7);
        expect_turns("analyze_slope", map, NULL, 0);
        terrain_heightmap_destroy(map);
    }
}

/* Heights and cell size that don't share a unit: twice both changes nothing, twice the heights
 * doubles. */
static void test_scale(void **state)
{
    terrain_heightmap *map = test_map_of_size(131, 67, 3);
    terrain_heightmap *slope = slope_of(map, TERRAIN_ANALYZE_SLOPE_UNIT_RISE);
    float *h = terrain_heightmap_data(map);
    for (int i = 0; i < 131 * 67; i++) {
        h[i] = 2 * h[i];
    }
    terrain_heightmap *steeper = slope_of(map, TERRAIN_ANALYZE_SLOPE_UNIT_RISE);
    terrain_heightmap_set_cell_size(map, 2);
    terrain_heightmap *same = slope_of(map, TERRAIN_ANALYZE_SLOPE_UNIT_RISE);
    assert_true(test_maps_equal(slope, same));
    for (int i = 0; i < 131 * 67; i++) {
        assert_true(terrain_heightmap_data(steeper)[i] == 2 * terrain_heightmap_data(slope)[i]);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(slope);
    terrain_heightmap_destroy(steeper);
    terrain_heightmap_destroy(same);
}

/* NaN that reaches farther than a cell, or not so far; its own cell is not read. */
static void test_nan(void **state)
{
    terrain_heightmap *map = test_map_of_size(40, 9, 3);
    terrain_heightmap_data(map)[4 * 40 + 20] = NAN;
    terrain_heightmap *slope = slope_of(map, TERRAIN_ANALYZE_SLOPE_UNIT_RISE);
    for (int y = 0; y < 9; y++) {
        for (int x = 0; x < 40; x++) {
            bool beside = abs(x - 20) <= 1 && abs(y - 4) <= 1 && !(x == 20 && y == 4);
            assert_int_equal(isnan(terrain_heightmap_data(slope)[y * 40 + x]) != 0, beside);
        }
    }
    terrain_heightmap_destroy(slope);
    terrain_heightmap_destroy(map);
}

/* An arctangent that is off, not monotone, or not 90 for a wall so high that its gradient
 * overflows, though its differences of heights do not. */
static void test_degrees(void **state)
{
    float before = -1;
    for (float s = 0x1p-20f; s < 0x1p20f; s *= 1.01f) {
        terrain_heightmap *map = plane(2, 1, s, 0, 1);
        float exact = terrain_heightmap_data(map)[1] - terrain_heightmap_data(map)[0];
        terrain_heightmap *degrees = slope_of(map, TERRAIN_ANALYZE_SLOPE_UNIT_DEGREES);
        float found = terrain_heightmap_data(degrees)[0];
        assert_true(fabs((double)found - atan((double)exact) * 180 / acos(-1)) < 2e-5);
        assert_true(found >= before - 1e-5f && found <= 90);
        before = found;
        terrain_heightmap_destroy(degrees);
        terrain_heightmap_destroy(map);
    }
    terrain_heightmap *wall = test_map_of_size(2, 1, 1);
    terrain_heightmap_data(wall)[0] = 0;
    terrain_heightmap_data(wall)[1] = 1e38f;
    terrain_heightmap *degrees = slope_of(wall, TERRAIN_ANALYZE_SLOPE_UNIT_DEGREES);
    assert_true(terrain_heightmap_data(degrees)[0] == 90);
    terrain_heightmap_destroy(degrees);
    terrain_heightmap_destroy(wall);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_planes), cmocka_unit_test(test_turns),   cmocka_unit_test(test_scale),
        cmocka_unit_test(test_nan),    cmocka_unit_test(test_degrees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
