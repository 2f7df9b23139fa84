/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "generate/generated.h"
#include "terrain/generate.h"

typedef terrain_generate_midpoint_params params;

enum { MODES = 3 };

static params defaults(void)
{
    params p;
    terrain_generate_midpoint_params_init(&p, sizeof p);
    return p;
}

static terrain_heightmap *generate(const params *p, const terrain_window *window)
{
    return generated(NULL, "generate_midpoint", p, window);
}

static terrain_heightmap *points(const terrain_window *window)
{
    terrain_heightmap *map = test_map(window);
    test_fill_points(map, 5);
    return map;
}

static void set(terrain_heightmap *map, uint32_t x, uint32_t y, float height)
{
    terrain_heightmap_data(map)[y * terrain_heightmap_stride(map) + x] = height;
}

static uint32_t bits_at(const terrain_heightmap *map, uint32_t x, uint32_t y)
{
    const float height = test_at(map, x, y);
    uint32_t bits;
    memcpy(&bits, &height, sizeof bits);
    return bits;
}

/* Guards against constraints that are rounded, moved, or lost at the edge of a map: negative zero,
 * subnormal and huge heights keep every bit; NaN and infinity become land. */
static void test_constraints_are_kept(void **state)
{
    const terrain_window window = {-7, 13, 61, 45};
    terrain_heightmap *constraints = points(&window);
    for (uint32_t i = 0; i < 61; i++) {
        set(constraints, i, i % 45,
            i % 4 == 0   ? -0.0f
            : i % 4 == 1 ? 1e-42f
            : i % 4 == 2 ? 1e30f
                         : -1e30f);
    }
    set(constraints, 3, 0, INFINITY);
    set(constraints, 60, 44, -INFINITY);
    for (uint32_t variant = 0; variant < 3 * MODES; variant++) {
        params p = defaults();
        uint32_t lost = 0;
        p.constraints = constraints;
        p.mode = variant % MODES;
        p.spacing = 1u << 2 * (variant / MODES);
        p.relaxation = variant;
        terrain_heightmap *map = generate(&p, &window);
        for (uint32_t i = 0; i < 61 * 45; i++) {
            const uint32_t x = i % 61, y = i / 61;
            const bool given = isfinite(at(constraints, x, y));
            lost += given && bits_at(map, x, y) != bits_at(constraints, x, y);
            lost += !isfinite(at(map, x, y));
        }
        assert_int_equal(lost, 0);
        terrain_heightmap_destroy(map);
    }
    terrain_heightmap_destroy(constraints);
}

/* Guards against constraints on every cell, or on none, that are more or less than that. */
static void test_all_and_none(void **state)
{
    const terrain_window window = {5, -9, 37, 70};
    terrain_heightmap *all = test_map(&window), *none = test_map(&window);
    test_fill_heights(all, 3);
    test_fill_poison(none);
    for (uint32_t mode = 0; mode < MODES; mode++) {
        params p = defaults();
        p.mode = mode;
        p.spacing = 16;
        p.constraints = all;
        terrain_heightmap *given = generate(&p, &window);
        assert_int_equal(equal_cells(given, all), 37 * 70);
        p.constraints = none;
        terrain_heightmap *free_map = generate(&p, &window);
        p.constraints = NULL;
        terrain_heightmap *without = generate(&p, &window);
        assert_int_equal(equal_cells(free_map, without), 37 * 70);
        terrain_heightmap_destroy(given);
        terrain_heightmap_destroy(free_map);
        terrain_heightmap_destroy(without);
    }
    terrain_heightmap_destroy(all);
    terrain_heightmap_destroy(none);
}

/* Guards against two midpoint displacements that grow apart: without constraints and relaxation
 * this is generate_diamond_square's edge2, also where a coordinate's high word changes. */
static void test_without_constraints_is_edge2(void **state)
{
    static const terrain_window windows[] = {
        {0, 0, 65, 33},
        {-77, 5, 130, 9},
        {(INT64_C(1) << 32) - 40, -(INT64_C(1) << 40) - 3, 90, 31},
        {TERRAIN_WORLD_LIMIT - 50, -TERRAIN_WORLD_LIMIT, 50, 20},
        {3, 3, 1, 1}};
    for (uint32_t i = 0; i < 15; i++) {
        const terrain_window *window = &windows[i / 3];
        params p = defaults();
        terrain_generate_diamond_square_params q;
        terrain_generate_diamond_square_params_init(&q, sizeof q);
        p.relaxation = 0;
        p.mode = i % MODES;
        p.seed = q.seed = i;
        p.gain = q.gain = 0.6f;
        p.offset = q.offset = 7;
        p.spacing = q.spacing = i % 3 == 2 ? 1u << 30 : 1u << i;
        p.amplitude = q.amplitude;
        q.mode = TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_EDGE2;
        terrain_heightmap *map = generate(&p, window);
        terrain_heightmap *same = generated(NULL, "generate_diamond_square", &q, window);
        assert_int_equal(equal_cells(map, same), window->width * window->height);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(same);
    }
}

/* Guards against weights that don't add up to one: without displacements, one constraint makes its
 * own height as far as it reaches, and several make heights between theirs and offset. */
static void test_between_the_constraints(void **state)
{
    const terrain_window window = {0, 0, 50, 40};
    terrain_heightmap *constraints = test_map(&window);
    params p = defaults();
    p.constraints = constraints;
    p.amplitude = 0;
    p.spacing = 64;
    p.relaxation = 0;
    test_fill_poison(constraints);
    set(constraints, 17, 23, 3.7f);
    terrain_heightmap *map = generate(&p, &window);
    for (uint32_t i = 0; i < 2000; i++) {
        assert_true(fabs(at(map, i % 50, i / 50) - 3.7f) < 1e-5);
    }
    terrain_heightmap_destroy(map);
    set(constraints, 40, 5, -11);
    set(constraints, 18, 24, 8);
    p.relaxation = 3;
    map = generate(&p, &window);
    for (uint32_t i = 0; i < 2000; i++) {
        assert_true(at(map, i % 50, i / 50) > -11 - 1e-4 && at(map, i % 50, i / 50) < 8 + 1e-4);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(constraints);
}

/* Guards against directions that are treated unlike: without displacements, constraints that are
 * mirrored or turned around a point of the lattice give the mirrored and turned land. */
static void test_turns(void **state)
{
    enum { SIZE = 65 };
    const terrain_window window = {-32, -32, SIZE, SIZE};
    terrain_heightmap *constraints = points(&window), *turned = test_map(&window);
    for (uint32_t variant = 0; variant < 3 * MODES; variant++) {
        const uint32_t turn = variant / MODES;
        params p = defaults();
        uint32_t unlike = 0;
        p.amplitude = 0;
        p.spacing = 32;
        p.mode = variant % MODES;
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            const uint32_t x = i % SIZE, y = i / SIZE;
            set(turned,
                turn == 0   ? SIZE - 1 - x
                : turn == 1 ? x
                            : y,
                turn == 0   ? y
                : turn == 1 ? SIZE - 1 - y
                            : x,
                test_at(constraints, x, y));
        }
        p.constraints = constraints;
        terrain_heightmap *map = generate(&p, &window);
        p.constraints = turned;
        terrain_heightmap *other = generate(&p, &window);
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            const uint32_t x = i % SIZE, y = i / SIZE;
            unlike += fabs(at(map, x, y) - at(other,
                                              turn == 0   ? SIZE - 1 - x
                                              : turn == 1 ? x
                                                          : y,
                                              turn == 0   ? y
                                              : turn == 1 ? SIZE - 1 - y
                                                          : x)) > 2e-5;
        }
        assert_int_equal(unlike, 0);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(other);
    }
    terrain_heightmap_destroy(constraints);
    terrain_heightmap_destroy(turned);
}

/* Guards against the spikes that midpoint displacement makes of a crest, and the creases along its
 * lattice: across a straight ridge between two rivers heights fall to both sides, and the steepest
 * bend between two cells lies on the ridge, unless mode is NONE. */
static void test_a_ridge_between_rivers(void **state)
{
    enum { WIDTH = 130, HEIGHT = 90 };
    const terrain_window window = {0, 0, WIDTH, HEIGHT};
    terrain_heightmap *constraints = test_map(&window);
    test_fill_poison(constraints);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        set(constraints, 21, y, 0);
        set(constraints, 59, y, 40);
        set(constraints, 103, y, 0);
    }
    for (uint32_t variant = 0; variant < 2; variant++) {
        params p = defaults();
        double bend = 0;
        uint32_t rising = 0;
        p.constraints = constraints;
        p.amplitude = 0;
        p.mode = variant == 0 ? TERRAIN_GENERATE_MIDPOINT_MODE_PULL_PUSH
                              : TERRAIN_GENERATE_MIDPOINT_MODE_NONE;
        terrain_heightmap *map = generate(&p, &window);
        for (uint32_t x = 22; x < 103; x++) {
            const double second = at(map, x - 1, 45) + at(map, x + 1, 45) - 2 * at(map, x, 45);
            const double step = at(map, x, 45) - at(map, x - 1, 45);
            bend = x != 59 && fabs(second) > bend ? fabs(second) : bend;
            rising += x <= 59 ? step < -0.01 : step > 0.01;
        }
        if (variant == 0) {
            assert_int_equal(rising, 0);
            assert_true(bend < 1);
        } else {
            assert_true(bend > 4);
        }
        terrain_heightmap_destroy(map);
    }
    terrain_heightmap_destroy(constraints);
}

/* Guards against a map's edge that shows: without constraints, maps are crops of larger ones,
 * relaxed or not; and points that are known only beyond the edge change nothing. */
static void test_any_window_is_a_crop(void **state)
{
    const terrain_window large = {-300, 4000, 391, 207};
    test_random random = {7};
    for (uint32_t i = 0; i < 8; i++) {
        params p = defaults();
        p.spacing = 1u << (i + 1);
        p.relaxation = i;
        p.mode = i % MODES;
        terrain_heightmap *whole = generate(&p, &large);
        expect_crops("generate_midpoint", &p, whole, &random, 6);
        terrain_heightmap_destroy(whole);
    }
}

/* Guards against edges of a bounded map that are treated as if something were there: constraints
 * amid a large free map give the land that a map around them gives. */
static void test_free_cells_around(void **state)
{
    const terrain_window large = {-40, 13, 150, 140}, small = {3, 47, 31, 27};
    terrain_heightmap *around = test_map(&large), *inner = points(&small);
    test_fill_poison(around);
    for (uint32_t i = 0; i < 31 * 27; i++) {
        set(around, 43 + i % 31, 34 + i / 31, test_at(inner, i % 31, i / 31));
    }
    for (uint32_t variant = 0; variant < 2 * MODES; variant++) {
        params p = defaults();
        p.mode = variant % MODES;
        p.relaxation = variant;
        p.spacing = 16;
        p.constraints = around;
        terrain_heightmap *whole = generate(&p, &large);
        p.constraints = inner;
        assert_true(is_crop(NULL, "generate_midpoint", &p, whole, &small));
        terrain_heightmap_destroy(whole);
    }
    terrain_heightmap_destroy(around);
    terrain_heightmap_destroy(inner);
}

/* Guards against relaxation that goes astray on the smallest maps and the largest lattices, where
 * levels are mostly margins. */
static void test_tiny_maps(void **state)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 17}, {17, 1}, {2, 2}, {3, 1}};
    for (uint32_t i = 0; i < 5 * MODES; i++) {
        const terrain_window window = {-1, -1, sizes[i % 5][0], sizes[i % 5][1]};
        terrain_heightmap *constraints = test_map(&window);
        params p = defaults();
        test_fill_poison(constraints);
        set(constraints, 0, 0, 12);
        p.constraints = constraints;
        p.mode = i / 5;
        p.relaxation = 64;
        p.spacing = 1u << 30;
        terrain_heightmap *map = generate(&p, &window);
        assert_true(at(map, 0, 0) == 12);
        assert_true(isfinite(at(map, window.width - 1, window.height - 1)));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(constraints);
    }
}

/* Guards against a spacing between two powers of two that is silently rounded. */
static void test_spacing_is_a_power_of_two(void **state)
{
    const terrain_window window = {0, 0, 4, 4};
    terrain_heightmap *map = test_map(&window);
    params p = defaults();
    p.spacing = 96;
    assert_int_equal(terrain_generate_midpoint(NULL, map, &p), TERRAIN_ERROR_RANGE);
    terrain_heightmap_destroy(map);
}

/* Guards against defaults whose relief and slopes are not what the header tells. */
static void test_default_relief(void **state)
{
    double relief, slope;
    default_relief("generate_midpoint", &relief, &slope);
    assert_true(relief > 64 && relief < 78);
    assert_true(slope > 0.52 && slope < 0.62);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_constraints_are_kept),
        cmocka_unit_test(test_all_and_none),
        cmocka_unit_test(test_without_constraints_is_edge2),
        cmocka_unit_test(test_between_the_constraints),
        cmocka_unit_test(test_turns),
        cmocka_unit_test(test_a_ridge_between_rivers),
        cmocka_unit_test(test_any_window_is_a_crop),
        cmocka_unit_test(test_free_cells_around),
        cmocka_unit_test(test_tiny_maps),
        cmocka_unit_test(test_spacing_is_a_power_of_two),
        cmocka_unit_test(test_default_relief),
    };
    return cmocka_run_group_tests_name("generate_midpoint", tests, NULL, NULL);
}
