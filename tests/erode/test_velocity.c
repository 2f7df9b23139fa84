/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards erode_velocity beyond erode/runoff: ground and water that are made or lost, above all at
 * walls; water without momentum, and slopes that water runs into without a trace. */

#include <float.h>
#include <math.h>

#include "erode/score.h"
#include "support/check.h"
#include "terrain/erode.h"

static terrain_erode_velocity_params params_of(uint32_t iterations)
{
    terrain_erode_velocity_params p;
    assert_int_equal(terrain_erode_velocity_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.iterations = iterations;
    p.rain = 0.01f;
    return p;
}

static void erode(terrain_heightmap *map, const terrain_erode_velocity_params *p)
{
    assert_int_equal(terrain_erode_velocity(NULL, map, p), TERRAIN_SUCCESS);
}

/* Of the finite cells: walls are none. */
static double sum_of(const terrain_heightmap *map)
{
    double sum = 0;
    for_each_cell(map, x, y) {
        const float h = test_at(map, x, y);
        sum += isfinite(h) ? (double)h : 0;
    }
    return sum;
}

/* Walls: a line with gaps to the side and over the corner, and single cells. */
static uint32_t build_walls(terrain_heightmap *map)
{
    static const float kinds[] = {NAN, INFINITY, -INFINITY};
    const uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    uint32_t count = 0;
    for (uint32_t k = 0; k < width * height; k++) {
        const uint32_t x = k % width, y = k / width;
        if ((x + y == width / 2 && y % 9 != 4) || (x * 7 + y * 13) % 31 == 0) {
            *test_cell(map, x, y) = kinds[k % 3];
            count++;
        }
    }
    return count;
}

/* Ground and water that are made or lost, at borders, at walls, and past a row's whole vectors. */
static void test_mass(void **state)
{
    static const uint32_t sizes[][2] = {{64, 64}, {16, 90}, {67, 41}, {1, 30}, {48, 1}, {33, 200}};
    for (uint32_t i = 0; i < 2 * sizeof sizes / sizeof sizes[0]; i++) {
        terrain_erode_velocity_params p = params_of(60);
        const uint32_t width = sizes[i / 2][0], height = sizes[i / 2][1];
        terrain_heightmap *map = test_map_of_size(width, height, i), *water = test_clone(map);
        const double cells = (double)width * height - (i % 2 ? build_walls(map) : 0);
        const double before = sum_of(map);
        p.evaporation = 0;
        p.capacity = 20;
        p.water = water;
        erode(map, &p);
        /* Heights are within +-21, and rounded as often up as down; rain fades evenly. */
        assert_true(fabs(sum_of(map) - before) <= sqrt(cells * 60) * 21 * (double)FLT_EPSILON);
        assert_true(fabs(sum_of(water) / (cells * 0.01 * 30.5) - 1) < 1e-6);
        for_each_cell(water, x, y) {
            assert_true(test_at(water, x, y) >= 0);
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(water);
    }
}

/* Walls that let something through, or change: what lies beyond two slanted lines of them decides
 * nothing. */
static void test_walls(void **state)
{
    terrain_erode_velocity_params p = params_of(40);
    terrain_heightmap *map = test_map_of_size(60, 50, 3), *other = test_clone(map);
    terrain_heightmap *waters[2] = {test_clone(map), test_clone(map)};
    for (uint32_t k = 0; k < 60 * 50; k++) {
        const uint32_t x = k % 60, y = k / 60;
        if (x + y == 55 || x + y == 56) {
            *test_cell(map, x, y) = *test_cell(other, x, y) = k % 2 ? NAN : INFINITY;
        } else if (x + y > 56) {
            *test_cell(other, x, y) += 100;
        }
    }
    p.water = waters[0];
    erode(map, &p);
    p.water = waters[1];
    erode(other, &p);
    for (uint32_t k = 0; k < 60 * 50; k++) {
        const uint32_t x = k % 60, y = k / 60;
        if (x + y < 55) {
            assert_true(test_at(map, x, y) == test_at(other, x, y));
            assert_true(test_at(waters[0], x, y) == test_at(waters[1], x, y));
        } else if (x + y <= 56) {
            assert_true(k % 2 ? isnan(test_at(map, x, y)) : test_at(map, x, y) == INFINITY);
            assert_true(test_at(waters[0], x, y) == 0);
        }
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(other);
    terrain_heightmap_destroy(waters[0]);
    terrain_heightmap_destroy(waters[1]);
}

/* A slope to the east that ends at cell 40, where one to the west begins, or a plain. */
static terrain_heightmap *valley(float west, float east)
{
    terrain_heightmap *map = test_map_of_level(96, 24, 0);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = x < 40 ? west * (float)(40 - x) : east * (float)(x - 40);
    }
    return map;
}

/* Water that stops where a slope ends: the less friction, the farther it must shoot out on the
 * plain. How far is told by how much more there is than where all is plain. */
static void test_momentum(void **state)
{
    double reach[2];
    for (int i = 0; i < 2; i++) {
        terrain_erode_velocity_params p = params_of(40);
        terrain_heightmap *map = valley(1, 0), *flat = valley(0, 0);
        terrain_heightmap *water = test_clone(map), *rained = test_clone(map);
        double sum = 0;
        p.friction = i == 0 ? 0.5f : 0.02f;
        p.rain = 0.001f;
        p.wear = p.impact = 0;
        p.water = water;
        erode(map, &p);
        p.water = rained;
        erode(flat, &p);
        reach[i] = 0;
        for (uint32_t x = 40; x < 90; x++) {
            const double more =
                fmax((double)test_at(water, x, 12) - (double)test_at(rained, x, 12), 0);
            reach[i] += (x - 40) * more;
            sum += more;
        }
        reach[i] /= sum;
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(flat);
        terrain_heightmap_destroy(water);
        terrain_heightmap_destroy(rained);
    }
    print_message("on the plain %.1f cells with friction, %.1f without\n", reach[0], reach[1]);
    assert_true(reach[1] > reach[0] + 5);
}

/* Collisions that leave no trace: where water runs from one slope into the other it must break
 * ground off, and the more the steeper it meets it; not where the slope goes on. */
static void test_collision(void **state)
{
    double lost[3];
    for (int i = 0; i < 3; i++) {
        static const float east[] = {-1, 0.2f, 1};
        terrain_erode_velocity_params p = params_of(12);
        terrain_heightmap *map = valley(1, east[i]), *before = test_clone(map);
        p.wear = 0;
        p.impact = 1;
        p.capacity = 1000;
        p.bank = 10;
        erode(map, &p);
        lost[i] = 0;
        for (uint32_t x = 36; x < 46; x++) {
            lost[i] += (double)fabsf(test_at(before, x, 12) - test_at(map, x, 12));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
    }
    print_message(
        "broken off %.3g where a slope goes on, %.3g at a gentle one, %.3g at a steep one\n",
        lost[0], lost[1], lost[2]);
    assert_true(lost[0] < 1e-3 * lost[1]);
    assert_true(lost[2] > 1.5 * lost[1] && lost[1] > 1e-3);
}

/* Slopes that stay even: on a plane with faint noise what runs down must gather in ravines, so that
 * ground rises and sinks by more along a contour than it did. */
static void test_ravines(void **state)
{
    terrain_erode_velocity_params p = params_of(200);
    terrain_heightmap *map = test_map_of_size(160, 160, 0);
    p.rain = 0.001f;
    fill_slope(map);
    const double before = roughness_of(map);
    erode(map, &p);
    print_message("roughness along a contour %.3g, then %.3g\n", before, roughness_of(map));
    assert_true(roughness_of(map) > 4 * before);
    terrain_heightmap_destroy(map);
}

/* Water that is left, or less than none, where all of it evaporates. */
static void test_dry(void **state)
{
    for (uint32_t iterations = 1; iterations < 60; iterations++) {
        terrain_erode_velocity_params p = params_of(iterations);
        terrain_heightmap *map = test_map_of_size(20, 5, 3), *water = test_clone(map);
        p.evaporation = 1;
        p.water = water;
        erode(map, &p);
        for_each_cell(water, x, y) {
            assert_true(test_at(water, x, y) == 0);
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(water);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_mass),     cmocka_unit_test(test_walls),
        cmocka_unit_test(test_momentum), cmocka_unit_test(test_collision),
        cmocka_unit_test(test_ravines),  cmocka_unit_test(test_dry),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
