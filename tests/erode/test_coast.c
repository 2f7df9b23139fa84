/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards erode_coast: pits on beaches, land that drowns or rises, water that runs under the land;
 * shores of lakes and inlets that waves wear; coasts that prefer a direction of the map; patches
 * that show. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/maps.h"
#include "terrain/erode.h"
#include "terrain/generate.h"

typedef terrain_erode_coast_params coast_params;

static coast_params defaults(void)
{
    coast_params p;
    assert_int_equal(terrain_erode_coast_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    return p;
}

static void erode(terrain_heightmap *map, const coast_params *p)
{
    assert_int_equal(terrain_erode_coast(NULL, map, p), TERRAIN_SUCCESS);
}

static bool has_lower(const terrain_heightmap *map, int64_t x, int64_t y)
{
    return test_lowest_around(map, x, y) < test_at(map, x, y);
}

/* What every call must leave: the sea to the last bit, land above it and no higher than before, and
 * a lower neighbour where there was one. Returns how many cells were cut. */
static uint32_t check_laws(const terrain_heightmap *before, const terrain_heightmap *after,
                           float sea)
{
    uint32_t cut = 0;
    for_each_cell(before, x, y) {
        float old = test_at(before, x, y), now = test_at(after, x, y);
        cut += now < old;
        if (old <= sea) {
            assert_memory_equal(&old, &now, sizeof now);
        } else {
            assert_true(now > sea && now <= old);
            assert_true(!has_lower(before, x, y) || has_lower(after, x, y));
        }
    }
    return cut;
}

/* A pit, land that drowns, sea that changes; also where floats hardly tell heights apart, and where
 * nothing is left between two of them. A second time nothing must change. */
static void test_laws(void **state)
{
    static const struct {
        float sea, beach_slope, cliff_slope, contrast, raise;
        uint32_t reach, shelter;
    } cases[] = {
        {0, 0.03f, 1, 10, 0, 20, 12},       {0, 0.03f, 1, 10, 0, 40, 0},
        {5, 1e-4f, 1e-4f, 1, 0, 255, 2},    {-3, 0.5f, 100, 64, 0, 60, 1},
        {0, 0.03f, 0.5f, 10, 2e5f, 30, 3},  {0, 2e-5f, 2e-5f, 3, -4e6f, 200, 0},
        {0, 2e-5f, 2e-5f, 3, 4e6f, 200, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        coast_params p = defaults();
        terrain_heightmap *before =
            test_map_of_recipe("m = generate_noise period=120 amplitude=60\n", 300, i);
        for_each_cell(before, x, y) {
            *test_cell(before, x, y) += cases[i].raise;
        }
        terrain_heightmap *after = test_clone(before);
        p.sea = cases[i].sea + cases[i].raise;
        p.beach_slope = cases[i].beach_slope;
        p.cliff_slope = cases[i].cliff_slope;
        p.contrast = cases[i].contrast;
        p.reach = cases[i].reach;
        p.shelter = cases[i].shelter;
        p.seed = i;
        erode(after, &p);
        assert_true(check_laws(before, after, p.sea) > 300);
        terrain_heightmap *again = test_clone(after);
        erode(again, &p);
        assert_true(test_maps_equal(after, again));
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(after);
        terrain_heightmap_destroy(again);
    }
}

/* Water that lies below the land, or does not run on to the sea. */
static void test_water(void **state)
{
    const terrain_window window = {0, 0, 500, 420};
    uint32_t cut = 0;
    for (uint64_t seed = 9; seed < 12; seed++) {
        terrain_heightmap *land = test_map(&window), *water = test_map(&window);
        terrain_generate_drainage_params d;
        coast_params p = defaults();
        assert_int_equal(terrain_generate_drainage_params_init(&d, sizeof d), TERRAIN_SUCCESS);
        d.seed = seed;
        d.period = 1024;
        d.plate_spacing = 2048;
        d.base_level = -0.1f;
        d.river_depth = 0.1f; /* beds below the sea's level, where the water is above */
        d.water = water;
        assert_int_equal(terrain_generate_drainage(NULL, land, &d), TERRAIN_SUCCESS);
        terrain_heightmap *cut_land = test_clone(land), *cut_water = test_clone(water);
        p.shelter = 3;
        erode(cut_land, &p);
        erode(cut_water, &p);
        cut += check_laws(water, cut_water, 0);
        for_each_cell(water, x, y) {
            assert_true(test_at(cut_water, x, y) >= test_at(cut_land, x, y));
            assert_true(test_at(water, x, y) > 0 || test_at(cut_water, x, y) == 0);
        }
        terrain_heightmap_destroy(land);
        terrain_heightmap_destroy(water);
        terrain_heightmap_destroy(cut_land);
        terrain_heightmap_destroy(cut_water);
    }
    assert_true(cut > 5000);
}

/* A profile that is not the header's. Of soft rock by a straight coast, cell k inland may be as
 * high as S(64 k), which is written here once more. */
static void test_profile(void **state)
{
    for (uint32_t shelter = 0; shelter < 30; shelter += 7) {
        terrain_heightmap *map = test_map_of_size(120, 90, 0);
        coast_params p = defaults();
        p.contrast = 1;
        p.beach_width = 10;
        p.reach = 24;
        p.sea = 3;
        p.shelter = shelter;
        assert_int_equal(terrain_heightmap_set_cell_size(map, 2), TERRAIN_SUCCESS);
        for_each_cell(map, x, y) {
            *test_cell(map, x, y) = x < 70 ? -10 : 1000;
        }
        erode(map, &p);
        for (int k = 1; k < 30; k++) {
            double expected = 3 + 2 * 0.03 * k;
            if (k > 10) {
                expected = 3 + 2 * (0.3 + (k - 10) / (1 - (k - 10) / 14.0));
            }
            expected = k < 24 && expected < 1000 ? expected : 1000;
            assert_true(fabs((double)test_at(map, 69 + k, 45) - expected) < 1e-4);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Ways that overflow, and profiles read beside their ends: parameters at their greatest, soft rock
 * in the north, the hardest in the south. Far from where they meet, n grows by a cell, or by 64, a
 * step. */
static void test_extremes(void **state)
{
    enum { WIDTH = 420, HEIGHT = 1200, SEA = 90 };
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 0);
    terrain_heightmap *rock = test_map_of_size(WIDTH, HEIGHT, 0);
    coast_params p = defaults();
    p.reach = 255;
    p.shelter = 64;
    p.contrast = 64;
    p.beach_width = 255;
    p.beach_slope = 100;
    p.hardness = rock;
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = x < SEA ? -INFINITY : INFINITY;
        *test_cell(rock, x, y) = y < HEIGHT / 2 ? -INFINITY : INFINITY;
    }
    erode(map, &p);
    for (uint32_t x = 0; x < WIDTH; x++) {
        const uint32_t step = x + 1 - SEA;
        const float soft = step < 255 ? 100.0f * (float)step : INFINITY;
        const float hard = step < 4 ? 6400.0f * (float)step : INFINITY;
        assert_true(test_at(map, x, 200) == (x < SEA ? -INFINITY : soft));
        assert_true(test_at(map, x, 1000) == (x < SEA ? -INFINITY : hard));
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(rock);
}

/* A map of one cell, of either kind. */
static void test_single_cell(void **state)
{
    static const float heights[] = {-7, 0, 7, NAN, INFINITY};
    for (size_t i = 0; i < sizeof heights / sizeof *heights; i++) {
        terrain_heightmap *map = test_map_of_level(1, 1, heights[i]);
        erode(map, NULL);
        assert_memory_equal(test_cell(map, 0, 0), &heights[i], sizeof heights[i]);
        terrain_heightmap_destroy(map);
    }
}

/* Waves on a lake or in an inlet that is narrower than twice the shelter; none on one that is
 * wider. */
static void test_shelter(void **state)
{
    for (uint32_t half = 5; half < 20; half++) {
        terrain_heightmap *before = test_map_of_size(200, 160, 0);
        coast_params p = defaults();
        uint32_t cut_beside_lake = 0, cut_inland = 0, cut_outside = 0;
        p.contrast = 1;
        for_each_cell(before, x, y) {
            bool inlet = llabs(y - 40) <= half,
                 lake = llabs(x - 130) <= half && llabs(y - 120) <= half;
            *test_cell(before, x, y) = x < 50 || (inlet && x < 150) || lake ? -1 : 50;
        }
        terrain_heightmap *after = test_clone(before);
        erode(after, &p);
        for_each_cell(after, x, y) {
            bool cut = test_at(after, x, y) < test_at(before, x, y);
            cut_beside_lake += cut && x > 90 && y > 85;
            cut_inland += cut && x > 90 && y < 75;
            cut_outside += cut && x < 60;
        }
        assert_true(cut_outside > 500);
        assert_int_equal(cut_beside_lake > 0, half >= p.shelter);
        assert_int_equal(cut_inland > 0, half >= p.shelter);
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(after);
    }
}

/* Beaches that are wider along some directions of the map: within 8 % for straight coasts at twelve
 * angles, 6 % being what steps to eight neighbours differ by. */
static void test_direction(void **state)
{
    double widths[12], mean = 0;
    for (int k = 0; k < 12; k++) {
        terrain_heightmap *map = test_map_of_size(240, 240, 0);
        const double c = cos(TEST_PI * k / 12 + 0.1), s = sin(TEST_PI * k / 12 + 0.1);
        coast_params p = defaults();
        uint32_t beach = 0;
        p.contrast = 1;
        p.beach_width = 20;
        p.reach = 40;
        for_each_cell(map, x, y) {
            double inland = (x - 120) * c + (double)(y - 120) * s;
            *test_cell(map, x, y) = inland <= 0 ? -1 : 100;
        }
        erode(map, &p);
        for_each_cell(map, x, y) {
            bool near = fabs((double)(y - 120) * c - (double)(x - 120) * s) < 50;
            float height = test_at(map, x, y);
            beach += near && height > 0 && height <= 0.6f;
        }
        widths[k] = beach / 100.0;
        mean += widths[k] / 12;
        terrain_heightmap_destroy(map);
    }
    for (int k = 0; k < 12; k++) {
        print_message("%3d degrees: %.2f\n", 15 * k, widths[k]);
        assert_true(fabs(widths[k] / mean - 1) < 0.08);
    }
    assert_true(fabs(mean - 20) < 1.5);
}

/* Rock that does not matter: harder rock is never cut deeper; the hardest keeps its beach to a step
 * where the softest has all of it. What is neither 0 to 1 counts as that. */
static void test_hardness(void **state)
{
    static const float hardness[] = {NAN, 0, 0.3f, 1, 7};
    terrain_heightmap *maps[5], *rock = test_map_of_size(90, 90, 0);
    for (uint32_t k = 0; k < 5; k++) {
        coast_params p = defaults();
        maps[k] = test_map_of_recipe("m = generate_noise period=60 amplitude=40\n", 90, 3);
        test_fill_level(rock, hardness[k]);
        p.hardness = rock;
        p.shelter = 2;
        erode(maps[k], &p);
    }
    assert_true(test_maps_equal(maps[0], maps[1]));
    assert_true(test_maps_equal(maps[3], maps[4]));
    assert_false(test_maps_equal(maps[1], maps[2]));
    for_each_cell(rock, x, y) {
        const float medium = test_at(maps[2], x, y);
        assert_true(test_at(maps[1], x, y) <= medium && medium <= test_at(maps[3], x, y));
    }
    for (uint32_t k = 0; k < 5; k++) {
        terrain_heightmap_destroy(maps[k]);
    }
    terrain_heightmap_destroy(rock);
}

/* NaN that spreads, or counts as sea. */
static void test_nan(void **state)
{
    terrain_heightmap *before =
        test_map_of_recipe("m = generate_noise period=60 amplitude=40\n", 90, 4);
    coast_params p = defaults();
    p.shelter = 0;
    *test_cell(before, 40, 40) = 1000;
    *test_cell(before, 70, 10) = 1000;
    terrain_heightmap *after = test_clone(before), *with_nan = test_clone(before);
    *test_cell(with_nan, 40, 40) = NAN;
    *test_cell(with_nan, 70, 10) = NAN;
    erode(after, &p);
    erode(with_nan, &p);
    assert_true(isnan(test_at(with_nan, 40, 40)) && isnan(test_at(with_nan, 70, 10)));
    *test_cell(with_nan, 40, 40) = test_at(after, 40, 40);
    *test_cell(with_nan, 70, 10) = test_at(after, 70, 10);
    assert_true(test_maps_equal(after, with_nan));
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(after);
    terrain_heightmap_destroy(with_nan);
}

static int64_t within(int64_t place, int64_t most)
{
    return place < 0 ? 0 : place < most ? place : most;
}

/* Seams where patches or bands meet, and patches that lack room for what is in reach on all sides:
 * a map of three by three patches, and of four bands where several threads share it, must be what
 * pieces of it give that are no larger than a patch. */
static void test_many_patches(void **state)
{
    enum { SIZE = 1200, MARGIN = 110, KEPT = 200, PIECE = KEPT + 2 * MARGIN };
    test_runner runner = {.kind = TEST_RUN_THREADS};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
    terrain_heightmap *before =
        test_map_of_recipe("m = generate_noise period=400 amplitude=60\n", SIZE, 6);
    coast_params p = defaults();
    uint32_t halo = 0;
    for (int64_t i = 0; i < SIZE * SIZE / 2; i++) { /* in the south two channels, as far as reach */
        const int64_t x = i % SIZE, y = SIZE / 2 + i / SIZE;
        *test_cell(before, x, y) = llabs(x - 402) < 22 || llabs(x - 1134) < 22 ? -1 : 50;
    }
    terrain_heightmap *alone = test_clone(before), *shared = test_clone(before);
    p.reach = 90;
    p.shelter = 10;
    p.beach_width = 88;
    p.contrast = 1;
    assert_int_equal(terrain_operation_halo(terrain_operation_find("erode_coast"), &p, &halo),
                     TERRAIN_SUCCESS);
    assert_true(halo <= MARGIN);
    erode(alone, &p);
    assert_int_equal(terrain_erode_coast(context, shared, &p), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(alone, shared));
    assert_true(check_laws(before, alone, p.sea) > SIZE * SIZE / 20);
    for (int64_t i = 0; i < 36; i++) {
        const terrain_window kept = {i % 6 * KEPT, i / 6 * KEPT, KEPT, KEPT};
        const terrain_window window = {within(kept.x - MARGIN, SIZE - PIECE),
                                       within(kept.y - MARGIN, SIZE - PIECE), PIECE, PIECE};
        terrain_heightmap *piece = test_map(&window);
        for_each_cell(piece, x, y) {
            *test_cell(piece, x, y) = test_at(before, window.x + x, window.y + y);
        }
        erode(piece, &p);
        assert_true(test_windows_equal(alone, piece, &kept));
        terrain_heightmap_destroy(piece);
    }
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(alone);
    terrain_heightmap_destroy(shared);
    terrain_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_laws),        cmocka_unit_test(test_water),
        cmocka_unit_test(test_profile),     cmocka_unit_test(test_extremes),
        cmocka_unit_test(test_single_cell), cmocka_unit_test(test_shelter),
        cmocka_unit_test(test_direction),   cmocka_unit_test(test_hardness),
        cmocka_unit_test(test_nan),         cmocka_unit_test(test_many_patches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
