/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* stitch_blend. Guards against overlaps that still differ, weights that don't sum to one, and cells
 * written that nobody shares. */

#include <math.h>

#include "stitch/grid.h"

static terrain_status blend(grid *g, uint32_t overlap, terrain_stitch_curve falloff)
{
    terrain_stitch_blend_params p;
    terrain_stitch_blend_params_init(&p, sizeof p);
    p.overlap = overlap;
    p.curve = falloff;
    return terrain_stitch_blend(NULL, g->maps, g->columns, g->rows, &p);
}

static const uint32_t overlaps[] = {1, 2, 7, 20};

/* Shared cells that differ, a second call that changes something, and others that are written. */
static void test_equal_and_stay(void **state)
{
    for (uint32_t k = 0; k < 4 * 3; k++) {
        const uint32_t overlap = overlaps[k / 3];
        grid g = grid_of(3, 3, 47, 41);
        grid first = grid_copy(&g);
        assert_int_equal(blend(&g, overlap, k % 3), TERRAIN_SUCCESS);
        assert_true(grid_fits(&g, overlap));
        for (uint32_t y = overlap; y < g.height - overlap; y++) {
            assert_memory_equal(grid_at(&g, 4, overlap, y), grid_at(&first, 4, overlap, y),
                                (g.width - 2 * overlap) * sizeof(float));
        }
        assert_memory_equal(grid_at(&g, 0, 0, 0), grid_at(&first, 0, 0, 0),
                            (g.width - overlap) * sizeof(float));
        grid before = grid_copy(&g);
        assert_int_equal(blend(&g, overlap, k % 3), TERRAIN_SUCCESS);
        assert_true(grid_equal(&g, &before));
        grid_free(&g);
        grid_free(&first);
        grid_free(&before);
    }
}

/* Windows of one world lose a bit by blending. */
static void test_fitting_maps_stay(void **state)
{
    grid g = grid_of_world(3, 3, 70, 50, 12);
    grid before = grid_copy(&g);
    assert_int_equal(blend(&g, 12, TERRAIN_STITCH_CURVE_SMOOTHER), TERRAIN_SUCCESS);
    assert_true(grid_equal(&g, &before));
    grid_free(&g);
    grid_free(&before);
}

/* Heights beyond those of the maps that are blended: weights that don't sum to one. */
static void test_weights(void **state)
{
    grid g = grid_of(2, 2, 30, 30);
    for (uint32_t i = 0; i < 4 * 900; i++) {
        *grid_at(&g, i / 900, i % 30, i % 900 / 30) = i / 900 == 3 ? 101 : 100;
    }
    blend(&g, 15, TERRAIN_STITCH_CURVE_SMOOTHER);
    for (uint32_t i = 0; i < 4 * 900; i++) {
        float h = *grid_at(&g, i / 900, i % 30, i % 900 / 30);
        assert_true(h >= 100 - 2e-5f && h <= 101 + 2e-5f);
    }
    grid_free(&g);
}

/* A corner that takes four heights for equal when two or three of them are. */
static void test_corners(void **state)
{
    for (uint32_t pattern = 0; pattern < 16; pattern++) {
        grid g = grid_of(2, 2, 20, 20);
        uint32_t high = 0;
        for (uint32_t i = 0; i < 4; i++) {
            for (uint32_t k = 0; k < 400; k++) {
                *grid_at(&g, i, k % 20, k / 20) = (float)(pattern >> i & 1);
            }
            high += pattern >> i & 1;
        }
        blend(&g, 7, TERRAIN_STITCH_CURVE_SMOOTHER);
        assert_true(*grid_at(&g, 0, 16, 16) == 0.25f * (float)high);
        assert_true(*grid_at(&g, 3, 3, 3) == 0.25f * (float)high);
        grid_free(&g);
    }
}

/* Flips and quarter turns are exact here. */
static void test_turns(void **state)
{
    for (int transpose = 0; transpose < 2; transpose++) {
        grid g = grid_of(3, 2, 47, 41);
        grid t = grid_turned(&g, transpose != 0);
        blend(&g, 9, TERRAIN_STITCH_CURVE_SMOOTH);
        blend(&t, 9, TERRAIN_STITCH_CURVE_SMOOTH);
        grid back = grid_turned(&t, transpose != 0);
        assert_true(grid_equal(&g, &back));
        grid_free(&g);
        grid_free(&t);
        grid_free(&back);
    }
}

/* Overlaps that reach into each other, or are larger than the map. */
static void test_too_large(void **state)
{
    grid pair = grid_of(2, 1, 40, 30);
    grid three = grid_of(3, 1, 40, 30);
    assert_int_equal(blend(&pair, 40, 0), TERRAIN_SUCCESS);
    assert_true(grid_fits(&pair, 40));
    assert_int_equal(blend(&pair, 41, 0), TERRAIN_ERROR_RANGE);
    assert_int_equal(blend(&three, 20, 0), TERRAIN_SUCCESS);
    grid before = grid_copy(&three);
    assert_int_equal(blend(&three, 21, 0), TERRAIN_ERROR_RANGE);
    assert_true(grid_equal(&three, &before));
    grid odd = grid_of(1, 3, 30, 41);
    assert_int_equal(blend(&odd, 21, 0), TERRAIN_ERROR_RANGE);
    assert_int_equal(blend(&odd, 20, 0), TERRAIN_SUCCESS);
    assert_true(grid_fits(&odd, 20));
    grid_free(&odd);
    grid_free(&pair);
    grid_free(&three);
    grid_free(&before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_equal_and_stay), cmocka_unit_test(test_fitting_maps_stay),
        cmocka_unit_test(test_weights),        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_too_large),      cmocka_unit_test(test_corners),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
