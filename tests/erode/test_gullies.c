/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards erode_gullies: gullies that do not run down the slope, or prefer a direction of the map;
 * land that rises; level land and river floors that change. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/maps.h"
#include "terrain/erode.h"

typedef terrain_erode_gullies_params gullies_params;

static gullies_params defaults(void)
{
    gullies_params p;
    assert_int_equal(terrain_erode_gullies_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    return p;
}

static void erode(terrain_heightmap *map, const gullies_params *p)
{
    assert_int_equal(terrain_erode_gullies(NULL, map, p), TERRAIN_SUCCESS);
}

/* A plane that rises by `slope` a cell towards `angle`. */
static terrain_heightmap *plane(uint32_t size, double angle, double slope)
{
    terrain_heightmap *map = test_map_of_size(size, size, 0);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = (float)(slope * (x * cos(angle) + y * sin(angle)));
    }
    return map;
}

/* The gullies' own shape on a plane: how deep they are in the middle, and their mean square slope
 * along and across the fall line. */
struct shape {
    double depth, along, across;
};

static struct shape shape_of(double angle, const gullies_params *p)
{
    enum { SIZE = 384, RIM = 32 };
    terrain_heightmap *before = plane(SIZE, angle, 0.5), *after = test_clone(before);
    struct shape shape = {0, 0, 0};
    double *cut = calloc((size_t)SIZE * SIZE, sizeof *cut);
    assert_non_null(cut);
    erode(after, p);
    for_each_cell(before, x, y) {
        cut[y * SIZE + x] = (double)test_at(before, x, y) - (double)test_at(after, x, y);
    }
    for (uint32_t y = RIM; y < SIZE - RIM; y++) {
        for (uint32_t x = RIM; x < SIZE - RIM; x++) {
            const double *at = cut + (size_t)y * SIZE + x;
            double east = (at[1] - at[-1]) / 2, south = (at[SIZE] - at[-SIZE]) / 2;
            double down = east * cos(angle) + south * sin(angle);
            double aside = south * cos(angle) - east * sin(angle);
            shape.depth += *at;
            shape.along += down * down;
            shape.across += aside * aside;
        }
    }
    free(cut);
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(after);
    return shape;
}

/* Gullies across the slope, or along it only where it follows rows, columns or diagonals. Of one
 * octave, the mean square slope across the fall line is at least five times that along it, and all
 * directions are alike within a tenth; octaves that branch stay nearer to the fall line than to its
 * normal. */
static void test_direction(void **state)
{
    gullies_params straight = defaults(), branching = defaults();
    struct shape mean[2] = {{0, 0, 0}, {0, 0, 0}}, shapes[2][12];
    straight.octaves = 1;
    for (int i = 0; i < 12; i++) {
        shapes[0][i] = shape_of(TEST_PI * i / 12, &straight);
        shapes[1][i] = shape_of(TEST_PI * i / 12, &branching);
        for (int k = 0; k < 2; k++) {
            mean[k].depth += shapes[k][i].depth / 12;
            mean[k].across += shapes[k][i].across / 12;
            mean[k].along += shapes[k][i].along / 12;
        }
    }
    for (int i = 0; i < 12; i++) {
        print_message("%3d degrees: %.3f %.3f %.3f; %.3f %.3f %.3f\n", 15 * i,
                      shapes[0][i].depth / mean[0].depth, shapes[0][i].across / mean[0].across,
                      shapes[0][i].across / shapes[0][i].along, shapes[1][i].depth / mean[1].depth,
                      shapes[1][i].across / mean[1].across,
                      shapes[1][i].across / shapes[1][i].along);
    }
    for (int i = 0; i < 12; i++) {
        assert_true(shapes[0][i].across > 5 * shapes[0][i].along);
        assert_true(shapes[1][i].across > 2 * shapes[1][i].along);
        for (int k = 0; k < 2; k++) {
            assert_true(fabs(shapes[k][i].depth / mean[k].depth - 1) < 0.05);
            assert_true(fabs(shapes[k][i].across / mean[k].across - 1) < 0.1);
        }
    }
}

/* Land that rises, or falls deeper than the header says. */
static void test_bounds(void **state)
{
    static const float sizes[] = {4, 13.5f, 24, 100};
    for (uint32_t i = 0; i < 4; i++) {
        gullies_params p = defaults();
        terrain_heightmap *before = test_map_of_size(150, 90, i), *after = test_clone(before);
        double deepest = 0, most = 0, total = 0;
        p.size = sizes[i];
        p.seed = i;
        p.depth = 1;
        erode(after, &p);
        for (uint32_t k = 0; k < p.octaves; k++) {
            total += pow((double)p.gain, k);
        }
        /* No slope of the smoothed land is steeper than the steepest of the land. */
        for_each_cell(before, x, y) {
            double h = (double)test_at(before, x, y);
            double cut = h - (double)test_at(after, x, y);
            double east = x < 149 ? fabs((double)test_at(before, x + 1, y) - h) : 0;
            double south = y < 89 ? fabs((double)test_at(before, x, y + 1) - h) : 0;
            assert_true(cut >= 0);
            deepest = fmax(deepest, cut);
            most = fmax(most, fmax(east, south));
        }
        assert_true(deepest > 0);
        assert_true(deepest <= sqrt(2) * most * (double)p.size * total * 1.000001);
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(after);
    }
}

/* Level land that changes in any bit, -0 among it; a plain beside a slope, farther than the
 * halo. */
static void test_level(void **state)
{
    static const float levels[] = {0, -0.0f, 1e-30f, -17.3f, 8e37f};
    gullies_params p = defaults();
    for (uint32_t i = 0; i < 5; i++) {
        terrain_heightmap *map = test_map_of_level(120, 40, levels[i]);
        uint32_t *snapshot = test_snapshot(map);
        erode(map, &p);
        assert_true(test_unchanged(map, snapshot));
        for (uint32_t y = 0; y < 40; y++) {
            for (uint32_t x = 60; x < 120; x++) {
                *test_cell(map, x, y) += (float)(x - 59);
            }
        }
        terrain_heightmap *before = test_clone(map);
        erode(map, &p);
        assert_true(test_windows_equal(map, before, &(terrain_window){0, 0, 52, 40}));
        assert_false(test_windows_equal(map, before, &(terrain_window){70, 0, 50, 40}) &&
                     levels[i] < 1e37f);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
    }
}

/* River floors that change in any bit, or banks without gullies; NaN is a river. Distances that are
 * not measured in the cell size's unit. */
static void test_rivers(void **state)
{
    gullies_params p = defaults();
    terrain_heightmap *before = plane(160, 0.3, 0.4), *after = test_clone(before);
    terrain_heightmap *free_land = test_clone(before), *distance = test_map_of_size(160, 160, 0);
    terrain_heightmap *large_cells = test_clone(before);
    uint32_t changed = 0;
    for_each_cell(distance, x, y) {
        *test_cell(distance, x, y) = y == 3 ? NAN : fabsf((float)x - 80);
    }
    erode(free_land, &p);
    p.river_distance = distance;
    p.floor = 2;
    p.bank = 8;
    erode(after, &p);
    for_each_cell(distance, x, y) {
        float d = test_at(distance, x, y), h = test_at(after, x, y);
        if (!(d > 2)) {
            assert_true(memcmp(test_cell(before, x, y), &h, sizeof h) == 0);
        } else if (d >= 10) {
            assert_true(h == test_at(free_land, x, y));
        } else {
            assert_true(h >= test_at(free_land, x, y));
            changed += h != test_at(before, x, y);
        }
    }
    assert_true(changed > 500);
    for_each_cell(distance, x, y) {
        *test_cell(distance, x, y) *= 4;
    }
    assert_int_equal(terrain_heightmap_set_cell_size(large_cells, 4), TERRAIN_SUCCESS);
    erode(large_cells, &p);
    assert_true(test_maps_equal(large_cells, after));
    terrain_heightmap_destroy(large_cells);
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(after);
    terrain_heightmap_destroy(free_land);
    terrain_heightmap_destroy(distance);
}

/* Depths that hang on heights or on the cell size instead of on slopes: land that is twice as high
 * has gullies twice as deep, to the last bit; octaves that are too fine, and count nevertheless. */
static void test_laws(void **state)
{
    gullies_params p = defaults(), fine = defaults();
    terrain_heightmap *map = test_map_of_size(100, 70, 4), *twice = test_clone(map);
    terrain_heightmap *coarse = test_clone(map), *all = test_clone(map);
    for_each_cell(twice, x, y) {
        *test_cell(twice, x, y) *= 2;
    }
    assert_int_equal(terrain_heightmap_set_cell_size(twice, 3), TERRAIN_SUCCESS);
    erode(map, &p);
    erode(twice, &p);
    for_each_cell(map, x, y) {
        assert_true(2 * test_at(map, x, y) == test_at(twice, x, y));
    }
    fine.size = 11; /* 11, 5.5; 2.75 is left out */
    fine.octaves = 2;
    erode(coarse, &fine);
    fine.octaves = 8;
    erode(all, &fine);
    assert_true(test_maps_equal(coarse, all));
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(twice);
    terrain_heightmap_destroy(coarse);
    terrain_heightmap_destroy(all);
}

/* A halo that is not the smoothing's: 1 + 2 + … + 2^(L-1), and 1 for the slope. */
static void test_halo(void **state)
{
    static const struct {
        float size;
        uint32_t halo;
    } cases[] = {{4, 1}, {5.99f, 1}, {6, 2}, {12, 4}, {24, 8}, {47, 8}, {48, 16}, {4096, 1024}};
    const terrain_operation *operation = terrain_operation_find("erode_gullies");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        gullies_params p = defaults();
        uint32_t halo = 0;
        p.size = cases[i].size;
        assert_int_equal(terrain_operation_halo(operation, &p, &halo), TERRAIN_SUCCESS);
        assert_int_equal(halo, cases[i].halo);
    }
}

/* Land that rises by the last bit of a cut, where a gully has none: in the middle of a plane the
 * height is 0, and shows it. */
static void test_no_rise(void **state)
{
    const uint32_t width = 4096;
    for (uint64_t seed = 0; seed < 60; seed++) {
        gullies_params p = defaults();
        terrain_heightmap *map = test_map_of_size(width, 3, 0);
        p.size = 3;
        p.octaves = 1;
        p.seed = seed;
        for_each_cell(map, x, y) {
            *test_cell(map, x, y) = (float)y - 1;
        }
        erode(map, &p);
        for (uint32_t x = 0; x < width; x++) {
            assert_true(test_at(map, x, 1) <= 0);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Infinity that is not NaN within the halo, or farther away, and NaN that reaches a river's bed. */
static void test_special(void **state)
{
    static const float heights[] = {INFINITY, -INFINITY, NAN};
    for (int k = 0; k < 3; k++) {
        gullies_params p = defaults();
        uint32_t halo;
        terrain_heightmap *map = plane(60, 0.3, 0.5);
        *test_cell(map, 30, 30) = heights[k];
        terrain_heightmap *before = test_clone(map), *distance = test_map_of_level(60, 60, 0);
        assert_int_equal(terrain_operation_halo(terrain_operation_find("erode_gullies"), &p, &halo),
                         0);
        p.river_distance = distance;
        erode(map, &p);
        assert_true(test_maps_equal(map, before));
        p.river_distance = NULL;
        erode(map, &p);
        for_each_cell(map, x, y) {
            const int64_t dx = llabs(x - 30), dy = llabs(y - 30);
            const float h = test_at(map, x, y);
            assert_true(dx <= halo && dy <= halo ? isnan(h) || (dx == halo || dy == halo)
                                                 : isfinite(h));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(distance);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_direction), cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_level),     cmocka_unit_test(test_rivers),
        cmocka_unit_test(test_laws),      cmocka_unit_test(test_halo),
        cmocka_unit_test(test_no_rise),   cmocka_unit_test(test_special),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
