/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>

#include "erode/score.h"
#include "terrain/erode.h"
#include "terrain/generate.h"

/* What holds for all that runs off: Olsen's two modes of erode_rain, erode_hydraulic, and
 * erode_velocity, whose mass and momentum have their own tests. */
enum { FAST, REFERENCE, CARVE, VELOCITY, MODES };

/* The fields that the operations have in common, and the mode. */
typedef struct runoff_params {
    uint32_t mode, iterations;
    float rain, solubility, evaporation, capacity;
    const terrain_heightmap *mask;
    terrain_heightmap *eroded, *deposited, *water;
} runoff_params;

/* ---- Helpers --------------------------------------------------------------------------------- */

/* Valleys by a hundred iterations of much rain; what Olsen's modes are made for. */
static runoff_params params_of(uint32_t iterations, uint32_t mode)
{
    runoff_params p = {.mode = mode, .iterations = iterations, .solubility = 0.03f};
    p.rain = mode == CARVE ? 0.001f : mode == VELOCITY ? 0.01f : 0.32f;
    p.evaporation = mode >= CARVE ? 0.02f : 0.5f;
    p.capacity = mode >= CARVE ? 20 : 0.03f;
    return p;
}

#define COPY_COMMON_FIELDS(to, from)                                                               \
    do {                                                                                           \
        (to).mask = (from)->mask;                                                                  \
        (to).eroded = (from)->eroded;                                                              \
        (to).deposited = (from)->deposited;                                                        \
        (to).water = (from)->water;                                                                \
        (to).iterations = (from)->iterations;                                                      \
        (to).rain = (from)->rain;                                                                  \
        (to).evaporation = (from)->evaporation;                                                    \
        (to).capacity = (from)->capacity;                                                          \
    } while (0)

static void erode(terrain_heightmap *map, const runoff_params *p)
{
    if (p->mode == CARVE) {
        terrain_erode_hydraulic_params q;
        terrain_erode_hydraulic_params_init(&q, sizeof q);
        COPY_COMMON_FIELDS(q, p);
        assert_int_equal(terrain_erode_hydraulic(NULL, map, &q), TERRAIN_SUCCESS);
    } else if (p->mode == VELOCITY) {
        terrain_erode_velocity_params q;
        terrain_erode_velocity_params_init(&q, sizeof q);
        COPY_COMMON_FIELDS(q, p);
        assert_int_equal(terrain_erode_velocity(NULL, map, &q), TERRAIN_SUCCESS);
    } else {
        terrain_erode_rain_params q;
        terrain_erode_rain_params_init(&q, sizeof q);
        COPY_COMMON_FIELDS(q, p);
        q.solubility = p->solubility;
        q.mode = p->mode == FAST ? TERRAIN_ERODE_RAIN_MODE_FAST : TERRAIN_ERODE_RAIN_MODE_REFERENCE;
        assert_int_equal(terrain_erode_rain(NULL, map, &q), TERRAIN_SUCCESS);
    }
}

/* ---- Invariants ------------------------------------------------------------------------------ */

/* Ground that is made or lost, at the borders above all: widths of whole vectors and others. */
static void test_mass(void **state)
{
    static const uint32_t sizes[][2] = {{64, 64}, {16, 90}, {67, 41}, {1, 30}, {48, 1}, {33, 300}};
    for (uint32_t i = 0; i < VELOCITY * sizeof sizes / sizeof sizes[0]; i++) {
        runoff_params p = params_of(60, i % VELOCITY);
        terrain_heightmap *map =
            test_map_of_size(sizes[i / VELOCITY][0], sizes[i / VELOCITY][1], i);
        const double cells = (double)sizes[i / VELOCITY][0] * sizes[i / VELOCITY][1];
        const test_summary before = test_summarize(map);
        p.rain = 1;
        p.solubility = 0.2f;
        p.capacity = 0.3f;
        erode(map, &p);
        /* Ground and sediment, given to eight neighbours and taken from them: as many roundings, as
         * often up as down, but for some bias. */
        assert_true(fabs(test_summarize(map).sum - before.sum) <=
                    10 * sqrt(cells * 60 * 32) * before.largest * (double)FLT_EPSILON);
        terrain_heightmap_destroy(map);
    }
}

/* Water that is negative, that appears, or that is lost: without evaporation it is all that has
 * fallen. */
static void test_water(void **state)
{
    for (uint32_t mode = 0; mode < VELOCITY; mode++) {
        runoff_params p = params_of(20, mode);
        terrain_heightmap *map = test_map_of_size(80, 50, mode);
        terrain_heightmap *water = test_clone(map);
        p.evaporation = 0;
        p.rain = 0.5f;
        p.water = water;
        erode(map, &p);
        assert_true(test_summarize(water).minimum >= 0);
        /* Up to 10 in a cell, rounded in each iteration, as often up as down. */
        assert_true(fabs(test_summarize(water).sum - 80 * 50 * 20 * 0.5) <
                    sqrt(80 * 50 * 20) * 10 * (double)FLT_EPSILON);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(water);
    }
}

/* Outputs that don't tell what has happened: both positive or 0, never both positive, and together
 * the change. */
static void test_outputs(void **state)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        runoff_params p = params_of(15, mode);
        terrain_heightmap *map = test_map_of_size(70, 44, mode);
        terrain_heightmap *before = test_clone(map);
        terrain_heightmap *eroded = test_clone(map);
        terrain_heightmap *deposited = test_clone(map);
        uint32_t both[2] = {0, 0};
        p.eroded = eroded;
        p.deposited = deposited;
        erode(map, &p);
        for_each_cell(map, x, y) {
            float change = test_at(map, x, y) - test_at(before, x, y);
            float lost = test_at(eroded, x, y);
            float gained = test_at(deposited, x, y);
            assert_true(lost >= 0 && gained >= 0 && (lost == 0 || gained == 0));
            assert_true(gained - lost == change);
            both[change > 0]++;
        }
        assert_true(both[0] > 100 && both[1] > 100);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(eroded);
        terrain_heightmap_destroy(deposited);
    }
}

/* A flat map that does not stay flat, and near where it was. */
static void test_flat(void **state)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        runoff_params p = params_of(50, mode);
        terrain_heightmap *map = test_map_of_level(48, 31, 7.25f);
        erode(map, &p);
        for_each_cell(map, x, y) {
            assert_true(test_at(map, x, y) == test_at(map, 0, 0));
        }
        assert_true(fabs((double)test_at(map, 0, 0) - 7.25) < 1e-4);
        terrain_heightmap_destroy(map);
    }
}

/* Change without rain, or without iterations, to the last bit. */
static void test_identity(void **state)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        runoff_params p = params_of(12, mode);
        terrain_heightmap *map = test_map_of_size(50, 40, 4);
        terrain_heightmap *before = test_clone(map);
        p.rain = 0;
        erode(map, &p);
        assert_true(test_maps_equal(map, before));
        p = params_of(0, mode);
        erode(map, &p);
        assert_true(test_maps_equal(map, before));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
    }
}

/* Water or sediment that outlasts a complete drying: what the water can't carry settles at once, so
 * that several iterations are as good as several calls. */
static void test_drying(void **state)
{
    for (uint32_t mode = 0; mode < VELOCITY; mode++) {
        runoff_params p = params_of(4, mode);
        terrain_heightmap *at_once = test_map_of_size(45, 38, 3);
        terrain_heightmap *one_by_one = test_clone(at_once);
        p.evaporation = 1;
        p.capacity = 5;
        p.solubility = 0.2f;
        erode(at_once, &p);
        p.iterations = 1;
        for (int i = 0; i < 4; i++) {
            erode(one_by_one, &p);
        }
        assert_true(test_maps_equal(at_once, one_by_one));
        terrain_heightmap_destroy(at_once);
        terrain_heightmap_destroy(one_by_one);
    }
}

/* Where a cell lies in the map that is transposed, and turned too or not. */
static float *moved_cell(terrain_heightmap *moved, bool turned, int64_t x, int64_t y)
{
    return test_cell(moved, turned ? (int64_t)terrain_heightmap_width(moved) - 1 - y : y, x);
}

/* A direction that is preferred: a turned and a mirrored map must give the turned and the mirrored
 * result. */
static void test_symmetry(void **state)
{
    for (uint32_t i = 2 * REFERENCE; i < 2 * MODES; i++) {
        runoff_params p = params_of(9, i / 2);
        terrain_heightmap *map = test_map_of_size(37, 52, 8);
        terrain_heightmap *moved = test_map_of_size(52, 37, 0);
        for_each_cell(map, x, y) {
            *moved_cell(moved, i % 2 == 0, x, y) = test_at(map, x, y);
        }
        erode(map, &p);
        erode(moved, &p);
        for_each_cell(map, x, y) {
            assert_true(*moved_cell(moved, i % 2 == 0, x, y) == test_at(map, x, y));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(moved);
    }
}

/* Heights and cells twice as large must give twice the result, to the last bit: rain is in
 * cells. */
static void test_scale(void **state)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        runoff_params p = params_of(9, mode);
        terrain_heightmap *map = test_map_of_size(60, 45, 8);
        terrain_heightmap *large = test_clone(map);
        terrain_heightmap_set_cell_size(large, 2);
        for_each_cell(large, x, y) {
            *test_cell(large, x, y) *= 2;
        }
        erode(map, &p);
        erode(large, &p);
        for_each_cell(large, x, y) {
            assert_true(test_at(large, x, y) == 2 * test_at(map, x, y));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(large);
    }
}

/* Land whose slopes become more even instead of less: both of Olsen's forms must raise the score,
 * as published, and go on to do so. */
static void test_score(void **state)
{
    for (uint32_t mode = 0; mode <= REFERENCE; mode++) {
        runoff_params p = params_of(50, mode);
        terrain_generate_diamond_square_params land;
        terrain_heightmap *map = test_map_of_size(256, 256, 0);
        double scores[3];
        terrain_generate_diamond_square_params_init(&land, sizeof land);
        land.seed = 3;
        assert_int_equal(terrain_generate_diamond_square(NULL, map, &land), TERRAIN_SUCCESS);
        scores[0] = score_of(map, NULL);
        erode(map, &p);
        scores[1] = score_of(map, NULL);
        erode(map, &p);
        scores[2] = score_of(map, NULL);
        print_message("%s: score %.3f, after 50 iterations %.3f, after 100 %.3f\n",
                      mode == FAST ? "fast" : "reference", scores[0], scores[1], scores[2]);
        assert_true(scores[1] > 1.05 * scores[0]);
        assert_true(scores[2] > 1.02 * scores[1]);
        terrain_heightmap_destroy(map);
    }
}

/* Noise without a direction, of slopes around 0.7. */
static terrain_heightmap *waves(uint64_t seed)
{
    const terrain_window window = {0, 0, 256, 256};
    terrain_heightmap *map = test_map(&window);
    terrain_generate_spectral_params p;
    assert_int_equal(terrain_generate_spectral_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.seed = seed;
    p.amplitude = 16;
    assert_int_equal(terrain_generate_spectral(NULL, map, &p), TERRAIN_SUCCESS);
    return map;
}

/* Cells inside that are lower than all around them. */
static int pits_of(terrain_heightmap *map)
{
    int pits = 0;
    for (uint32_t k = 0; k < 254 * 254; k++) {
        const uint32_t x = k % 254 + 1, y = k / 254 + 1;
        pits += test_at(map, x, y) < test_lowest_around(map, x, y);
    }
    return pits;
}

/* How much heights bend over seven cells along the axes, squared, by how much over five cells
 * along the diagonals, which is nearly as far. */
static double axes_of(terrain_heightmap *map)
{
    double axes = 0, diagonals = 0;
    for (uint32_t k = 0; k < 240 * 240; k++) {
        const uint32_t x = k % 240 + 8, y = k / 240 + 8;
        const double h = 2 * (double)test_at(map, x, y);
        double d[4];
        d[0] = h - (double)test_at(map, x - 7, y) - (double)test_at(map, x + 7, y);
        d[1] = h - (double)test_at(map, x, y - 7) - (double)test_at(map, x, y + 7);
        d[2] = h - (double)test_at(map, x - 5, y - 5) - (double)test_at(map, x + 5, y + 5);
        d[3] = h - (double)test_at(map, x - 5, y + 5) - (double)test_at(map, x + 5, y - 5);
        axes += d[0] * d[0] + d[1] * d[1];
        diagonals += d[2] * d[2] + d[3] * d[3];
    }
    return axes / diagonals;
}

/* Streaks along the axes, and hollows that stay closed: carving must leave no direction in land
 * that had none, and open or fill most pits. */
static void test_directions(void **state)
{
    double before = 0, after = 0;
    int pits_before = 0, pits_after = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        runoff_params p = params_of(200, CARVE);
        terrain_heightmap *map = waves(seed);
        before += axes_of(map) / 6;
        pits_before += pits_of(map);
        erode(map, &p);
        after += axes_of(map) / 6;
        pits_after += pits_of(map);
        terrain_heightmap_destroy(map);
    }
    print_message("along the axes %.3f, then %.3f; pits %d, then %d\n", before, after, pits_before,
                  pits_after);
    assert_true(fabs(after / before - 1) < 0.05);
    assert_true(3 * pits_after < pits_before);
}

/* Slopes that stay even: on a plane with faint noise what flows must gather, so that ground rises
 * and sinks by more along a contour than it did. */
static void test_valleys(void **state)
{
    runoff_params p = params_of(400, CARVE);
    terrain_heightmap *map = test_map_of_size(192, 192, 0);
    p.capacity = 5;
    fill_slope(map);
    const double before = roughness_of(map);
    erode(map, &p);
    print_message("roughness along a contour %.3g, then %.3g\n", before, roughness_of(map));
    assert_true(roughness_of(map) > 4 * before);
    terrain_heightmap_destroy(map);
}

/* Surfaces that swing: while water flows, and before it dries, none may leave the range of what was
 * there, plus what has rained. */
static void test_range(void **state)
{
    runoff_params p = params_of(40, CARVE);
    terrain_heightmap *map = test_map_of_size(90, 70, 5);
    terrain_heightmap *water = test_clone(map);
    const test_summary before = test_summarize(map);
    p.capacity = 100;
    p.evaporation = 0;
    p.rain = 0.25f;
    p.water = water;
    erode(map, &p);
    for_each_cell(map, x, y) {
        const double surface = (double)(test_at(map, x, y) + test_at(water, x, y));
        assert_true(surface >= before.minimum);
        assert_true(surface <= before.maximum + 40 * 0.25 + 1e-3);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(water);
}

/* NaN that moves or spreads. */
static void test_nan(void **state)
{
    for (uint32_t mode = 0; mode < MODES; mode++) {
        runoff_params p = params_of(9, mode);
        terrain_heightmap *map = test_map_of_size(41, 20, 2);
        terrain_heightmap *left = test_map_of_size(20, 20, 2);
        terrain_window window = {0, 0, 20, 20};
        for (uint32_t y = 0; y < 20; y++) {
            *test_cell(map, 20, y) = NAN;
        }
        erode(map, &p);
        erode(left, &p);
        for (uint32_t y = 0; y < 20; y++) {
            assert_true(isnan(test_at(map, 20, y)));
        }
        assert_true(test_windows_equal(map, left, &window));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(left);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass),       cmocka_unit_test(test_water),
        cmocka_unit_test(test_outputs),    cmocka_unit_test(test_flat),
        cmocka_unit_test(test_identity),   cmocka_unit_test(test_drying),
        cmocka_unit_test(test_symmetry),   cmocka_unit_test(test_scale),
        cmocka_unit_test(test_score),      cmocka_unit_test(test_nan),
        cmocka_unit_test(test_directions), cmocka_unit_test(test_valleys),
        cmocka_unit_test(test_range),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
