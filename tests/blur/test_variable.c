/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards blur_variable: means that are not of the window, levels that move, NaN that spreads too
 * far or not far enough, radii that don't vary. */

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "terrain/blur.h"

static terrain_blur_variable_params params_of(float minimum, float maximum)
{
    terrain_blur_variable_params params;
    assert_int_equal(terrain_blur_variable_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.radius_low = minimum;
    params.radius_high = maximum;
    return params;
}

/* A constant whole radius that is not blur_box's window, with each border. */
static void test_box(void **state)
{
    for (terrain_border border = 0; border < 4; border++) {
        for (int radius = 1; radius <= 22; radius += 7) {
            terrain_blur_variable_params params = params_of((float)radius, (float)radius);
            terrain_blur_box_params box;
            terrain_heightmap *map = test_map_of_size(83, 140, 3);
            terrain_heightmap *other = test_map_of_size(83, 140, 3);
            params.border = border;
            terrain_blur_box_params_init(&box, sizeof box);
            box.radius = (float)radius;
            box.border = border;
            assert_int_equal(terrain_blur_variable(NULL, map, &params), TERRAIN_SUCCESS);
            assert_int_equal(terrain_blur_box(NULL, other, &box), TERRAIN_SUCCESS);
            for_each_cell(map, x, y) {
                assert_true(fabsf(test_at(map, x, y) - test_at(other, x, y)) < 2e-5f);
            }
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(other);
        }
    }
}

/* A level area that moves by a bit; heights that sums may not lose beside greater ones. */
static void test_level(void **state)
{
    const float levels[] = {0.1250001f, -77.7f, 4194303.75f, 0};
    for (int i = 0; i < 4; i++) {
        for (terrain_border border = 0; border < 4; border++) {
            terrain_blur_variable_params params = params_of(0.3f, 15.7f);
            terrain_heightmap *map = test_map_of_size(61, 150, 1);
            params.border = border;
            test_fill_level(map, levels[i]);
            uint64_t before = terrain_heightmap_hash(map);
            *test_cell(map, 30, 149) = i < 3 ? 1e30f : 0; /* counts as 2^22 */
            assert_int_equal(terrain_blur_variable(NULL, map, &params), TERRAIN_SUCCESS);
            assert_true(test_at(map, 30, 70) == levels[i] && test_at(map, 0, 0) == levels[i]);
            assert_true(i == 3
                            ? terrain_heightmap_hash(map) == before
                            : test_at(map, 30, 149) < 4194304.5f && test_at(map, 30, 149) > 4000);
            terrain_heightmap_destroy(map);
        }
    }
}

/* Results outside the range of the map; a radius of 0 that changes a height. */
static void test_range(void **state)
{
    terrain_heightmap *map = test_map_of_size(131, 131, 5);
    terrain_heightmap *amount = test_map_of_size(131, 131, 5);
    terrain_blur_variable_params params = params_of(0, 12);
    const test_summary before = test_summarize(map);
    for_each_cell(amount, x, y) {
        *test_cell(amount, x, y) = x < 40 ? (x < 20 ? NAN : -3) : x > 100 ? 7 : (float)x / 131;
    }
    params.amount = amount;
    assert_int_equal(terrain_blur_variable(NULL, map, &params), TERRAIN_SUCCESS);
    for_each_cell(map, x, y) {
        float h = test_at(map, x, y);
        assert_true((double)h >= before.minimum && (double)h <= before.maximum);
        assert_true(x >= 40 || h == test_height(5, x, y));
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(amount);
}

/* A direction that is preferred: with the amount flipped along the diagonal, too, the result must
 * be the flipped one, to the last bit, with each border and both forms. */
static void test_symmetry(void **state)
{
    enum { WIDE = 83, HIGH = 57 };
    for (uint32_t kind = 0; kind < 8; kind++) {
        terrain_blur_variable_params params = params_of(0, 9);
        terrain_heightmap *map = test_map_of_size(WIDE, HIGH, kind);
        terrain_heightmap *amount = test_map_of_size(WIDE, HIGH, 0);
        terrain_heightmap *flipped = test_map_of_size(HIGH, WIDE, 0);
        terrain_heightmap *flipped_amount = test_map_of_size(HIGH, WIDE, 0);
        test_fill_shares(amount, 5);
        for_each_cell(map, x, y) {
            *test_cell(flipped, y, x) = test_at(map, x, y);
            *test_cell(flipped_amount, y, x) = test_at(amount, x, y);
        }
        params.border = kind % 4;
        params.mode = kind / 4;
        params.amount = amount;
        assert_int_equal(terrain_blur_variable(NULL, map, &params), TERRAIN_SUCCESS);
        params.amount = flipped_amount;
        assert_int_equal(terrain_blur_variable(NULL, flipped, &params), TERRAIN_SUCCESS);
        for_each_cell(map, x, y) {
            assert_true(test_at(flipped, y, x) == test_at(map, x, y));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(amount);
        terrain_heightmap_destroy(flipped);
        terrain_heightmap_destroy(flipped_amount);
    }
}

/* NaN that misses a window that holds it, or reaches one that doesn't; one that stays behind in
 * sums. */
static void test_nan(void **state)
{
    /* Around row 64, where the second piece of a band begins. */
    for (int64_t middle = 58; middle < 72; middle++) {
        for (int i = 0; i < 6; i++) {
            const float radius = i % 3 == 0 ? 3 : i % 3 == 1 ? 3.5f : 1;
            const int64_t reach = i % 3 == 0 ? 3 : i % 3 == 1 ? 4 : 1;
            terrain_blur_variable_params params = params_of(radius, radius);
            terrain_heightmap *map = test_map_of_size(70, 200, 1);
            params.mode = (terrain_blur_variable_mode)(i / 3);
            *test_cell(map, 40, middle) = i % 3 == 0 ? NAN : -INFINITY;
            assert_int_equal(terrain_blur_variable(NULL, map, &params), TERRAIN_SUCCESS);
            for_each_cell(map, x, y) {
                bool near = llabs(x - 40) <= reach && llabs(y - middle) <= reach;
                assert_true(isnan(test_at(map, x, y)) == near);
            }
            terrain_heightmap_destroy(map);
        }
    }
}

/* Noise that blurs all places alike, or another seed that gives the same. */
static void test_varies(void **state)
{
    uint64_t hashes[3];
    for (uint64_t seed = 0; seed < 3; seed++) {
        terrain_blur_variable_params params = params_of(1, 16);
        terrain_heightmap *map = test_map_of_size(256, 256, 1);
        uint32_t sharp = 0, soft = 0;
        params.seed = seed % 2;
        /* A board of single cells: a window of 2 r + 1 leaves 1 / (2 r + 1)^2 of it. */
        for_each_cell(map, x, y) {
            *test_cell(map, x, y) = (x + y) % 2 == 0 ? 1 : -1;
        }
        assert_int_equal(terrain_blur_variable(NULL, map, &params), TERRAIN_SUCCESS);
        for (int64_t y = 16; y < 240; y++) {
            for (int64_t x = 16; x < 240; x++) {
                sharp += fabsf(test_at(map, x, y)) > 0.04f;  /* a radius below 2 */
                soft += fabsf(test_at(map, x, y)) < 0.0059f; /* one of 6 or more */
            }
        }
        assert_true(sharp > 2000 && sharp < 20000 && soft > 10000 && soft < 30000);
        hashes[seed] = terrain_heightmap_hash(map);
        terrain_heightmap_destroy(map);
    }
    assert_true(hashes[0] == hashes[2] && hashes[0] != hashes[1]);
}

/* The first form's border: cells whose window does not fit stay as they are. */
static void test_published_border(void **state)
{
    terrain_blur_variable_params params = params_of(4, 4);
    terrain_heightmap *map = test_map_of_size(50, 60, 2);
    params.mode = TERRAIN_BLUR_VARIABLE_MODE_PUBLISHED;
    assert_int_equal(terrain_blur_variable(NULL, map, &params), TERRAIN_SUCCESS);
    for_each_cell(map, x, y) {
        bool fits = x >= 4 && y >= 4 && x < 46 && y < 56;
        assert_true((test_at(map, x, y) == test_height(2, x, y)) == !fits);
    }
    terrain_heightmap_destroy(map);
}

/* Passes that are announced and never made. */
static void test_progress_of_passes(void **state)
{
    terrain_blur_variable_params p = params_of(1, 8);
    terrain_heightmap *map = test_map_of_size(700, 50, 3);
    for (p.border = TERRAIN_BORDER_CLAMP; p.border <= TERRAIN_BORDER_WRAP; p.border++) {
        expect_all_passes("blur_variable", &p, &map, 1);
    }
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_level),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_nan),
        cmocka_unit_test(test_varies),
        cmocka_unit_test(test_published_border),
        cmocka_unit_test(test_progress_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
