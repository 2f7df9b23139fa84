/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against a key or draw number that changes or is used again: every terrain that was made
 * with it would change. This file is the copy; append to it, never change a line. */

#include "core/keys.h"
#include "support/check.h"

/* A number that is not the one in this copy. */
static void test_keys(void **state)
{
    (void)state;
    assert_int_equal(TERRAIN__KEY_TEST, 1);
    assert_int_equal(TERRAIN__KEY_GENERATE_FAULT_LINES, 2);
    assert_int_equal(TERRAIN__KEY_GENERATE_DIAMOND_SQUARE, 3);
    assert_int_equal(TERRAIN__KEY_GENERATE_NOISE, 4);
    assert_int_equal(TERRAIN__KEY_ERODE_FIR, 5);
    assert_int_equal(TERRAIN__KEY_ERODE_THERMAL, 6);
    assert_int_equal(TERRAIN__KEY_BLUR_GAUSSIAN, 7);
    assert_int_equal(TERRAIN__KEY_BLUR_BOX, 8);
    assert_int_equal(TERRAIN__KEY_SHAPE_REMAP, 9);
    assert_int_equal(TERRAIN__KEY_SHAPE_CLAMP, 10);
    assert_int_equal(TERRAIN__KEY_SHAPE_RESAMPLE, 11);
    assert_int_equal(TERRAIN__KEY_COMBINE_BLEND, 12);
    assert_int_equal(TERRAIN__KEY_ANALYZE_SLOPE, 13);
    assert_int_equal(TERRAIN__KEY_ANALYZE_NORMALS, 14);
    assert_int_equal(TERRAIN__KEY_ANALYZE_HILLSHADE, 15);
    assert_int_equal(TERRAIN__KEY_GENERATE_VORONOI, 16);
    assert_int_equal(TERRAIN__KEY_ERODE_FLATTEN, 19);
    assert_int_equal(TERRAIN__KEY_ERODE_HYDRAULIC, 20);
    assert_int_equal(TERRAIN__KEY_ERODE_SHEAR, 21);
    assert_int_equal(TERRAIN__KEY_ERODE_SHEAR_REGIONS, 22);
    assert_int_equal(TERRAIN__KEY_ANALYZE_BAND, 26);
    assert_int_equal(TERRAIN__KEY_ANALYZE_DISTANCE, 27);
    assert_int_equal(TERRAIN__KEY_GENERATE_RADIAL, 28);
    assert_int_equal(TERRAIN__KEY_BLUR_VARIABLE, 23);
    assert_int_equal(TERRAIN__KEY_SHAPE_STRATA, 24);
    assert_int_equal(TERRAIN__KEY_SHAPE_TERRACE, 25);
    assert_int_equal(TERRAIN__KEY_STITCH_BLEND, 60);
    assert_int_equal(TERRAIN__KEY_STITCH_EDGES, 61);
    assert_int_equal(TERRAIN__KEY_STITCH_MATCH, 62);
    assert_int_equal(TERRAIN__KEY_SHAPE_PERTURB, 18);
    assert_int_equal(TERRAIN__KEY_GENERATE_SPECTRAL, 17);
}

static void test_draws(void **state)
{
    (void)state;
    assert_int_equal(TERRAIN__DRAW_FAULT_LINES_FIRST, 0);
    assert_int_equal(TERRAIN__DRAW_FAULT_LINES_SECOND, 1);
    assert_int_equal(TERRAIN__DRAW_DIAMOND_SQUARE_LATTICE, 0);
    assert_int_equal(TERRAIN__DRAW_DIAMOND_SQUARE_LEVEL, 1);
    assert_int_equal(TERRAIN__DRAW_NOISE_NODE, 0);
    assert_int_equal(TERRAIN__DRAW_NOISE_ORIGIN, 32);
    assert_int_equal(TERRAIN__DRAW_NOISE_SHIFT, 64);
    assert_int_equal(TERRAIN__DRAW_NOISE_WARP_X, 96);
    assert_int_equal(TERRAIN__DRAW_NOISE_WARP_Y, 192);
    assert_int_equal(TERRAIN__DRAW_VORONOI_PLACE, 0);
    assert_int_equal(TERRAIN__DRAW_VORONOI_ID, 1);
    assert_int_equal(TERRAIN__DRAW_VARIABLE_RADIUS, 0);
    assert_int_equal(TERRAIN__DRAW_STRATA_FOLDS, 0);
    assert_int_equal(TERRAIN__DRAW_PERTURB_LEVEL, 0);
    assert_int_equal(TERRAIN__DRAW_SPECTRAL_WAVE, 0);
    assert_int_equal(TERRAIN__DRAW_SHEAR_COUNT, 0);
    assert_int_equal(TERRAIN__DRAW_SHEAR_DROP, 1);
    assert_int_equal(TERRAIN__DRAW_SHEAR_REGIONS_SITE, 0);
    assert_int_equal(TERRAIN__DRAW_SHEAR_REGIONS_PUSH, 1);
    assert_int_equal(TERRAIN__DRAW_SHEAR_REGIONS_WARP, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_keys),
        cmocka_unit_test(test_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
