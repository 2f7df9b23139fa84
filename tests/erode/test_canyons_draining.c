/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards erode_canyons_draining: floors that dam their own water, ground that rises or changes out
 * of reach, canyons on plains or in hard rock, walls that are too steep. */

#include <math.h>
#include <string.h>

#include "analyze/turns.h"
#include "shape/hollows.h"
#include "terrain/erode.h"
#include "terrain/shape.h"

enum { WIDTH = 123, HEIGHT = 110, CELLS = WIDTH * HEIGHT };

typedef terrain_erode_canyons_draining_params draining_params;

static draining_params params_of(float threshold)
{
    draining_params p;
    assert_int_equal(terrain_erode_canyons_draining_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.threshold = threshold;
    return p;
}

static terrain_heightmap *slope_of(float slope, float rough)
{
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 3);
    for_each_cell(map, x, y) {
        float *h = test_cell(map, x, y);
        *h = *h * rough + slope * (float)(HEIGHT - y);
    }
    return map;
}

/* The deepest cut. */
static float deepest(const terrain_heightmap *before, const terrain_heightmap *after)
{
    float most = 0;
    for_each_cell(before, x, y) {
        const float cut = test_at(before, x, y) - test_at(after, x, y);
        assert_true(!(cut < 0));
        most = cut > most ? cut : most;
    }
    return most;
}

/* All floors fall to an outlet: what has no hollow gets none. */
static void test_floors(void **state)
{
    uint32_t cells = 0;
    for (uint32_t k = 0; k < 12; k++) {
        draining_params p = params_of(k % 2 == 0 ? 25 : 150);
        terrain_shape_fill_params fill;
        terrain_heightmap *map = hollows(WIDTH, HEIGHT, (int)(k % HOLLOWS_INFINITE), 81 + k);
        terrain_heightmap *before = test_clone(map), *full;
        assert_int_equal(terrain_shape_fill_params_init(&fill, sizeof fill), TERRAIN_SUCCESS);
        p.rim = fill.rim = k / 4 % 2;
        p.seed = k;
        p.width = 0.5f * (float)(k % 4);
        p.toe = k % 3 == 0 ? 0 : 0.05f;
        p.depth = 1.5f;
        p.reach = 200; /* so that no floor is as deep as reach lets it be */
        p.floors = blank(map);
        fill.slope = 0.01f;
        assert_int_equal(terrain_shape_fill(NULL, map, &fill), TERRAIN_SUCCESS);
        fill.slope = 0;
        terrain_heightmap_destroy(before);
        before = test_clone(map);
        assert_int_equal(terrain_erode_canyons_draining(NULL, map, &p), TERRAIN_SUCCESS);
        full = test_clone(map);
        assert_int_equal(terrain_shape_fill(NULL, full, &fill), TERRAIN_SUCCESS);
        for_each_cell(map, x, y) {
            const float here = test_at(map, x, y);
            assert_true(!(here > test_at(before, x, y)));
            if (test_at(p.floors, x, y) > 0) {
                cells++;
                if (!(test_at(full, x, y) - here <= 1e-3f) && !isnan(here)) {
                    fail_msg("case %u: water stands on a floor, %g deep", (unsigned)k,
                             (double)(test_at(full, x, y) - here));
                }
            }
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(full);
        terrain_heightmap_destroy(p.floors);
    }
    assert_true(cells > 1000);
}

/* Cells far from all floors keep their bits. */
static void test_reach(void **state)
{
    draining_params p = params_of(120);
    terrain_heightmap *before = slope_of(0.3f, 0.2f), *map = test_clone(before);
    const int64_t most = 6;
    uint32_t kept = 0;
    p.reach = 4;
    p.bank = 20;
    p.floors = blank(map);
    assert_int_equal(terrain_erode_canyons_draining(NULL, map, &p), TERRAIN_SUCCESS);
    assert_true(deepest(before, map) > 1);
    for (int64_t i = 0; i < CELLS; i++) {
        const int64_t x = i % WIDTH, y = i / WIDTH;
        bool near = x < most || y < most || x >= WIDTH - most || y >= HEIGHT - most;
        for (int64_t k = 0; k < (2 * most + 1) * (2 * most + 1) && !near; k++) {
            const int64_t at = i + (k / (2 * most + 1) - most) * WIDTH + k % (2 * most + 1) - most;
            near = terrain_heightmap_data(p.floors)[at] > 0;
        }
        kept += !near;
        assert_true(near || memcmp(&terrain_heightmap_data(map)[i],
                                   &terrain_heightmap_data(before)[i], sizeof(float)) == 0);
    }
    assert_true(kept > 100);
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(p.floors);
}

static float depth_on(float slope, float softness, float toe)
{
    draining_params p = params_of(100);
    terrain_heightmap *before = slope_of(slope, 0.02f * slope), *map = test_clone(before);
    terrain_heightmap *soft = blank(map);
    float cut;
    test_fill_level(soft, softness);
    p.softness = soft;
    p.toe = toe;
    p.fall = 0;
    assert_int_equal(terrain_erode_canyons_draining(NULL, map, &p), TERRAIN_SUCCESS);
    cut = deepest(before, map);
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(soft);
    return cut;
}

/* No canyons on plains, or in hard rock but for the width of their floors; the softer and the
 * gentler, the deeper. */
static void test_depths(void **state)
{
    assert_true(depth_on(0.01f, 1, 0.05f) < 0.1f);
    assert_true(depth_on(0.4f, 0, 0.05f) < 0.6f);
    assert_true(depth_on(0.4f, NAN, 0.05f) < 0.6f);
    assert_true(depth_on(0.4f, 1, 0.05f) > 2);
    assert_true(depth_on(0.4f, 5, 0.05f) == depth_on(0.4f, 1, 0.05f));
    assert_true(depth_on(0.4f, 1, 0.05f) > 1.3f * depth_on(0.4f, 0.5f, 0.05f));
    assert_true(depth_on(0.1f, 1, 0.05f) > 1.05f * depth_on(0.8f, 1, 0.05f));
}

/* A plane with the discharge of one cell, or of all. */
static terrain_heightmap *with_discharge(float threshold, float one, float others,
                                         terrain_heightmap *floors)
{
    draining_params p = params_of(threshold);
    terrain_heightmap *map = slope_of(0.4f, 0), *discharge = blank(map);
    test_fill_level(discharge, others);
    *test_cell(discharge, 60, 20) = one;
    p.discharge = discharge;
    p.floors = floors;
    assert_int_equal(terrain_erode_canyons_draining(NULL, map, &p), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(discharge);
    return map;
}

/* A known river that ends on its way, since its threshold is no whole number of cells; rivers where
 * there is no discharge; more than a map can have, which counts as 2e9. */
static void test_discharge(void **state)
{
    terrain_heightmap *floors = test_map_of_level(WIDTH, HEIGHT, 0);
    terrain_heightmap *map = with_discharge(300.5f, 400, 0, floors);
    uint32_t rows = 0;
    for (int64_t y = 20; y < HEIGHT; y++) {
        bool found = false;
        for (int64_t x = 0; x < WIDTH; x++) {
            found = found || test_at(floors, x, y) > 300;
        }
        rows += found;
    }
    assert_true(rows >= 60); /* to an edge */
    for (int k = 0; k < 2; k++) {
        terrain_heightmap *none = with_discharge(300.5f, 400, k == 0 ? NAN : -INFINITY, NULL);
        assert_true(test_maps_equal(map, none));
        terrain_heightmap_destroy(none);
    }
    terrain_heightmap_destroy(map);
    map = with_discharge(1e9f, 2e9f, 2e9f, NULL);
    terrain_heightmap *more = with_discharge(1e9f, 3e9f, 3e9f, NULL);
    assert_true(test_maps_equal(map, more));
    terrain_heightmap_destroy(more);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(floors);
}

/* A row whose last cells flow down to NaN, from column `first` on. */
static terrain_heightmap *canyon_in_row(uint32_t first)
{
    terrain_heightmap *map = test_map_of_level(first + 64, 1, NAN);
    draining_params p = params_of(4);
    for (uint32_t x = 1; x < 64; x++) {
        *test_cell(map, first + x, 0) = (float)(2 * x + 3 * (x % 7));
    }
    p.rim = TERRAIN_RIM_CLOSED;
    assert_int_equal(terrain_erode_canyons_draining(NULL, map, &p), TERRAIN_SUCCESS);
    return map;
}

/* More than 2^31 places of canyons' lines from the map's first column. */
static void test_far(void **state)
{
    const uint32_t first = 8388608 - 32;
    terrain_heightmap *near = canyon_in_row(0);
    terrain_heightmap *far = test_is_slow() ? NULL : canyon_in_row(first);
    assert_true(test_at(near, 40, 0) < 90);
    for (uint32_t x = 1; x < 64 && far != NULL; x++) {
        assert_true(test_at(far, first + x, 0) == test_at(near, x, 0));
    }
    terrain_heightmap_destroy(near);
    terrain_heightmap_destroy(far);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_floors), cmocka_unit_test(test_reach),
        cmocka_unit_test(test_depths), cmocka_unit_test(test_discharge),
        cmocka_unit_test(test_far),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
