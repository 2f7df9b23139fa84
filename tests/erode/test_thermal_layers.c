/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards erode_thermal's rules QUANTUM and LAYERS, beyond what test_thermal.c asks of all rules:
 * debris below 0, rock that slides or grows, slopes above the talus of what they consist of, caps
 * that wear. */

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "terrain/erode.h"

enum { WIDTH = 64, HEIGHT = 48, CELLS = WIDTH * HEIGHT };

static terrain_erode_thermal_params params_of(uint32_t rule, uint32_t iterations)
{
    terrain_erode_thermal_params p;
    assert_int_equal(terrain_erode_thermal_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.mode = rule;
    p.iterations = iterations;
    return p;
}

static terrain_heightmap *level(float height)
{
    return test_map_of_level(WIDTH, HEIGHT, height);
}

/* Rough ground with a wall of 30 across it. */
static terrain_heightmap *wall(uint64_t seed)
{
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, seed);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) += x > WIDTH / 2 ? 30.0f : 0.0f;
    }
    return map;
}

static double cell(const terrain_heightmap *map, int i)
{
    return (double)terrain_heightmap_const_data(map)[i];
}

static void erode(terrain_heightmap *map, const terrain_erode_thermal_params *p)
{
    assert_int_equal(terrain_erode_thermal(NULL, map, p), TERRAIN_SUCCESS);
}

/* The steepest way down from a cell to a neighbour that counts, among cells where `chosen` is NULL
 * or holds at least 0.001. */
static double steepest(const terrain_heightmap *map, const terrain_heightmap *chosen,
                       uint32_t neighbourhood)
{
    double most = 0;
    for (int i = 0; i < CELLS * 9; i++) {
        int x = i / 9 % WIDTH, y = i / 9 / WIDTH;
        int dx = i % 9 % 3 - 1, dy = i % 9 / 3 - 1;
        int steps = abs(dx) + abs(dy);
        if (x + dx >= 0 && x + dx < WIDTH && y + dy >= 0 && y + dy < HEIGHT && steps != 0 &&
            (neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE || steps == 1) &&
            (chosen == NULL || cell(chosen, i / 9) >= 1e-3)) {
            double fall = cell(map, i / 9) - cell(map, (y + dy) * WIDTH + x + dx);
            most = fmax(most, fall / sqrt(steps));
        }
    }
    return most;
}

/* ---- Quantum --------------------------------------------------------------------------------- */

/* A quantum that bounds where it should not: without bound it is FLUX, to the last bit. */
static void test_large_quantum_is_flux(void **state)
{
    for (uint32_t around = 0; around < 3; around++) {
        terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_QUANTUM, 30);
        terrain_heightmap *quantum = wall(1), *flux = wall(1);
        p.neighbourhood = around;
        p.quantum = 100;
        erode(quantum, &p);
        p.mode = TERRAIN_ERODE_THERMAL_MODE_FLUX;
        erode(flux, &p);
        assert_true(test_maps_equal(quantum, flux));
        terrain_heightmap_destroy(quantum);
        terrain_heightmap_destroy(flux);
    }
}

/* More than the quantum from cell to cell, or less from cliffs: a wall's two sides get just
 * that. */
static void test_quantum_is_moved(void **state)
{
    terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_QUANTUM, 1);
    terrain_heightmap *map = level(0);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = x > 20 ? 50.0f : 0.0f;
    }
    p.quantum = 0.25f;
    p.neighbourhood = TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN;
    erode(map, &p);
    for (int y = 0; y < HEIGHT; y++) {
        assert_true(test_at(map, 19, y) == 0 && test_at(map, 22, y) == 50);
        assert_true(fabs((double)test_at(map, 20, y) - 0.25) < 1e-6);
        assert_true(fabs((double)test_at(map, 21, y) - 49.75) < 1e-5);
    }
    terrain_heightmap_destroy(map);
}

/* NaN that the quantum cuts to a number on its way to a neighbour: the cell and all neighbours that
 * count become NaN, and no others. */
static void test_quantum_spreads_nan(void **state)
{
    enum { X = 37, Y = 20 };
    for (uint32_t around = 0; around < 3; around++) {
        terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_QUANTUM, 1);
        terrain_heightmap *map = wall(2);
        p.neighbourhood = around;
        *test_cell(map, X, Y) = NAN;
        erode(map, &p);
        for_each_cell(map, x, y) {
            const int64_t dx = llabs(x - X), dy = llabs(y - Y);
            const bool straight = around != TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_ROTATED;
            const bool diagonal = around != TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN;
            const bool near =
                dx + dy == 0 || (straight && dx + dy == 1) || (diagonal && dx == 1 && dy == 1);
            assert_int_equal(isnan(test_at(map, x, y)) != 0, near);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Ping-pong, where a difference is hardly above the talus and the quantum large. */
static void test_quantum_does_not_swing(void **state)
{
    terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_QUANTUM, 1);
    terrain_heightmap *map = wall(3);
    double last = steepest(map, NULL, 0);
    p.quantum = 4;
    for (int i = 0; i < 200; i++) {
        erode(map, &p);
        const double now = steepest(map, NULL, 0);
        assert_true(now <= last + 1e-5);
        last = now;
    }
    terrain_heightmap_destroy(map);
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* Loose ground that is held back: with debris without end it is FLUX, to the last bit. */
static void test_all_loose_is_flux(void **state)
{
    for (uint32_t around = 0; around < 3; around++) {
        terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_LAYERS, 30);
        terrain_heightmap *layers = wall(4), *flux = wall(4), *debris = level(INFINITY);
        p.neighbourhood = around;
        p.debris = debris;
        p.talus = 7;
        p.debris_talus = 0.4f;
        erode(layers, &p);
        p.mode = TERRAIN_ERODE_THERMAL_MODE_FLUX;
        p.talus = 0.4f;
        erode(flux, &p);
        assert_true(test_maps_equal(layers, flux));
        terrain_heightmap_destroy(layers);
        terrain_heightmap_destroy(flux);
        terrain_heightmap_destroy(debris);
    }
}

/* Debris below 0; rock that rises, or sinks without weathering; mass that is made or lost. */
static void test_rock_and_debris(void **state)
{
    for (uint32_t weathers = 0; weathers < 2; weathers++) {
        terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_LAYERS, 120);
        terrain_heightmap *map = wall(5), *before = wall(5), *after = level(0), *debris = level(0);
        const double ulp = 64 * (double)FLT_EPSILON;
        double sunk = 0;
        for (int i = 0; i < CELLS; i++) {
            terrain_heightmap_data(debris)[i] = (float)(i % 7) / 4;
        }
        p.debris = debris;
        p.debris_out = after;
        p.weathering = weathers ? 0.5f : 0;
        p.rate = 1;
        p.debris_talus = 0.3f;
        erode(map, &p);
        for_each_cell(before, x, y) {
            double rock = (double)test_at(before, x, y) - (double)test_at(debris, x, y);
            double rest = (double)test_at(map, x, y) - (double)test_at(after, x, y);
            assert_true((double)test_at(after, x, y) >= 0);
            assert_true(rest <= rock + 120 * ulp);
            sunk = fmax(sunk, rock - rest);
        }
        assert_true(weathers ? sunk > 5 : sunk <= 120 * ulp);
        assert_true(fabs(test_summarize(map).sum - test_summarize(before).sum) <=
                    sqrt(CELLS * 120) * ulp);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(after);
        terrain_heightmap_destroy(debris);
    }
}

/* A talus that is not reached, or not that of what lies there: slopes of rock and of debris at
 * rest. */
static void test_taluses(void **state)
{
    for (uint32_t around = 0; around < 2; around++) {
        terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_LAYERS, 30000);
        terrain_heightmap *map = wall(6), *debris = level(0);
        p.neighbourhood = around;
        p.talus = 1.5f;
        p.debris_talus = 0.5f;
        p.debris_out = debris;
        erode(map, &p);
        const double rock = steepest(map, NULL, around);
        const double loose = steepest(map, debris, around);
        print_message("rock %.4f, debris %.4f\n", rock, loose);
        assert_true(rock <= 1.5 * 1.001 && rock > 1.4);
        assert_true(loose <= 0.5 * 1.01 + 0.01);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(debris);
    }
}

/* Hardness that does not reach the rock: caps that wear as fast as what is soft. */
static void test_hardness(void **state)
{
    terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_LAYERS, 400);
    terrain_heightmap *map = level(0), *hardness = level(0), *soft = level(0);
    double capped = 0, bare = 0;
    for_each_cell(map, x, y) {
        bool tower = x % 32 >= 12 && x % 32 < 20 && y % 48 >= 18 && y % 48 < 26;
        *test_cell(map, x, y) = *test_cell(soft, x, y) = tower ? 20.0f : 0.0f;
        *test_cell(hardness, x, y) = x < 32 ? 1.0f : 0.0f;
    }
    p.hardness = hardness;
    erode(map, &p);
    for_each_cell(map, x, y) {
        *(x < 32 ? &capped : &bare) +=
            fabs((double)test_at(map, x, y) - (double)test_at(soft, x, y));
    }
    assert_true(capped == 0);
    assert_true(bare > 500);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(hardness);
    terrain_heightmap_destroy(soft);
}

/* Values of the maps that are none: they count as the nearest that is one, NaN as 0. */
static void test_odd_maps(void **state)
{
    static const float odd[] = {-3, NAN, -INFINITY, 5, INFINITY};
    static const float good_debris[] = {0, 0, 0, 5, INFINITY};
    static const float good_hardness[] = {0, 0, 0, 1, 1};
    for (int k = 0; k < 5; k++) {
        for (int which = 0; which < 2; which++) {
            terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_LAYERS, 20);
            terrain_heightmap *found = wall(8), *expected = wall(8);
            terrain_heightmap *given = level(odd[k]);
            terrain_heightmap *meant = level(which == 0 ? good_debris[k] : good_hardness[k]);
            *(which == 0 ? &p.debris : &p.hardness) = given;
            erode(found, &p);
            *(which == 0 ? &p.debris : &p.hardness) = meant;
            erode(expected, &p);
            assert_true(test_maps_equal(found, expected));
            terrain_heightmap_destroy(found);
            terrain_heightmap_destroy(expected);
            terrain_heightmap_destroy(given);
            terrain_heightmap_destroy(meant);
        }
    }
}

/* An output that the other rules leave as it was. */
static void test_no_debris(void **state)
{
    for (uint32_t rule = 0; rule < 3; rule++) {
        for (uint32_t iterations = 0; iterations < 40; iterations += 13) {
            terrain_erode_thermal_params p = params_of(rule, iterations);
            terrain_heightmap *map = wall(9), *plain = wall(9), *out = level(NAN), *none = level(0);
            erode(plain, &p);
            p.debris = none;
            p.hardness = none;
            p.debris_out = out;
            erode(map, &p);
            assert_true(test_maps_equal(map, plain));
            assert_true(test_maps_equal(out, none));
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(plain);
            terrain_heightmap_destroy(out);
            terrain_heightmap_destroy(none);
        }
    }
}

/* Passes of the debris that nobody expects: an end that is told before the call has ended. */
static void test_progress_ends(void **state)
{
    const terrain_erode_thermal_params p = params_of(TERRAIN_ERODE_THERMAL_MODE_LAYERS, 200);
    test_progress progress = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
    terrain_heightmap *map = wall(3);
    assert_int_equal(terrain_erode_thermal(context, map, &p), TERRAIN_SUCCESS);
    assert_true(progress.reports > 2 && progress.ends == 1 && progress.faults == 0);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_large_quantum_is_flux),
        cmocka_unit_test(test_quantum_is_moved),
        cmocka_unit_test(test_quantum_spreads_nan),
        cmocka_unit_test(test_quantum_does_not_swing),
        cmocka_unit_test(test_all_loose_is_flux),
        cmocka_unit_test(test_rock_and_debris),
        cmocka_unit_test(test_taluses),
        cmocka_unit_test(test_hardness),
        cmocka_unit_test(test_odd_maps),
        cmocka_unit_test(test_no_debris),
        cmocka_unit_test(test_progress_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
