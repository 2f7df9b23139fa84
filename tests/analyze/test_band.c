/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards analyze_band: ends that are not included, a mask outside 0 to 1, jumps in the falloff. */

#include <float.h>
#include <math.h>

#include "support/check.h"
#include "terrain/analyze.h"

static float band(float height, float low, float high, float falloff)
{
    terrain_analyze_band_params params;
    terrain_heightmap *map = NULL, *result = NULL;
    float share = -1;
    assert_int_equal(terrain_analyze_band_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.low = low;
    params.high = high;
    params.falloff = falloff;
    assert_int_equal(terrain_heightmap_wrap(NULL, &height, 1, 1, 1, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_wrap(NULL, &share, 1, 1, 1, &result), TERRAIN_SUCCESS);
    assert_int_equal(terrain_analyze_band(NULL, map, result, &params), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(result);
    return share;
}

/* Shares at the ends, half-way, and beyond. */
static void test_ends(void **state)
{
    assert_true(band(2, 2, 5, 4) == 1 && band(5, 2, 5, 4) == 1 && band(3, 2, 5, 4) == 1);
    assert_true(band(0, 2, 5, 4) == 0.5f && band(7, 2, 5, 4) == 0.5f);
    assert_true(band(-2, 2, 5, 4) == 0 && band(9, 2, 5, 4) == 0 && band(1e30f, 2, 5, 4) == 0);
    assert_true(band(nextafterf(2, 0), 2, 5, 0) == 0 && band(2, 2, 5, 0) == 1);
    assert_true(band(FLT_MAX, -FLT_MAX, 0, 1e30f) == 0);
}

/* Special values that are in a range, out of it, or nowhere. */
static void test_special(void **state)
{
    assert_true(isnan(band(NAN, 0, 1, 1)) && isnan(band(NAN, -INFINITY, INFINITY, 0)));
    assert_true(band(INFINITY, 0, 1, 1) == 0 && band(-INFINITY, 0, 1, 0) == 0);
    assert_true(band(INFINITY, 0, INFINITY, 1) == 1 && band(-INFINITY, -INFINITY, 0, 1) == 1);
    assert_true(band(INFINITY, -INFINITY, 0, 1) == 0 && band(-INFINITY, 0, INFINITY, 1) == 0);
}

/* A mask outside 0 to 1, or one that rises away from its band. */
static void test_falloff(void **state)
{
    const float falloffs[] = {0.1f, 1, 3, 7.7f};
    for (int k = 0; k < 4; k++) {
        float last = 1;
        for (int i = 0; i < 500; i++) {
            float share = band(2 + (float)i * falloffs[k] / 400, -1, 2, falloffs[k]);
            assert_true(share >= 0 && share <= 1 && share <= last + 1.2e-7f);
            last = share;
        }
        assert_true(last == 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_special),
        cmocka_unit_test(test_falloff),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
