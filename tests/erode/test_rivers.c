/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards erode_rivers: rivers that rise, stop, or are lost; ground that grows; valleys that are cut
 * off at their reach or at a band. */

#include "analyze/turns.h"
#include "shape/hollows.h"
#include "terrain/analyze.h"
#include "terrain/erode.h"
#include "terrain/shape.h"

enum { WIDTH = 93, HEIGHT = 70, CELLS = WIDTH * HEIGHT };

static terrain_erode_rivers_params params_of(float threshold)
{
    terrain_erode_rivers_params p;
    assert_int_equal(terrain_erode_rivers_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.threshold = threshold;
    return p;
}

static terrain_heightmap *carved(const terrain_heightmap *map, const terrain_erode_rivers_params *p)
{
    terrain_heightmap *result = test_clone(map);
    assert_int_equal(terrain_erode_rivers(NULL, result, p), TERRAIN_SUCCESS);
    return result;
}

/* No cell rises; what has no hollow gets none; and rivers of one cell's width fall along their
 * ways, which are those of analyze_flow. */
static void test_beds(void **state)
{
    static const float widths[] = {0, 0.75f, 3};
    for (int kind = 0; kind < HOLLOWS_INFINITE; kind++) {
        for (uint32_t k = 0; k < 9; k++) {
            terrain_erode_rivers_params p = params_of(k % 6 < 3 ? 20 : 150);
            terrain_shape_fill_params fill;
            terrain_heightmap *map = hollows(WIDTH, HEIGHT, kind, 61);
            assert_int_equal(terrain_shape_fill_params_init(&fill, sizeof fill), TERRAIN_SUCCESS);
            fill.rim = p.rim = k % 2;
            fill.slope = 0.01f;
            p.width = widths[k % 3];
            p.seed = k;
            p.method = k > 5        ? TERRAIN_ERODE_RIVERS_METHOD_VELOCITY
                       : k % 3 == 0 ? TERRAIN_ERODE_RIVERS_METHOD_D8
                                    : TERRAIN_ERODE_RIVERS_METHOD_RHO8;
            assert_int_equal(terrain_shape_fill(NULL, map, &fill), TERRAIN_SUCCESS);
            terrain_heightmap *result = carved(map, &p);
            for_each_cell(result, x, y) {
                assert_true(!(test_at(result, x, y) > test_at(map, x, y)));
            }
            terrain_heightmap *full = test_clone(result);
            fill.slope = 0;
            assert_int_equal(terrain_shape_fill(NULL, full, &fill), TERRAIN_SUCCESS);
            if (!test_maps_equal(result, full)) {
                fail_msg("kind %d, case %u: the carved land has hollows", kind, (unsigned)k);
            }
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(result);
            terrain_heightmap_destroy(full);
        }
    }
}

/* Land with hollows: rivers themselves must reach an outlet all the same. */
static void test_dams(void **state)
{
    for (int kind = 0; kind < HOLLOWS_INFINITE; kind++) {
        terrain_erode_rivers_params p = params_of(25);
        terrain_analyze_flow_params f;
        terrain_heightmap *map = hollows(WIDTH, HEIGHT, kind, 71), *result, *areas = blank(map);
        assert_int_equal(terrain_analyze_flow_params_init(&f, sizeof f), TERRAIN_SUCCESS);
        f.routing = TERRAIN_ANALYZE_FLOW_ROUTING_CARVE;
        f.direction = blank(map);
        p.method = TERRAIN_ERODE_RIVERS_METHOD_D8;
        p.width = 0;
        p.bank = 100; /* so that no valley reaches another river */
        p.rivers = blank(map);
        assert_int_equal(terrain_analyze_flow(NULL, map, areas, &f), TERRAIN_SUCCESS);
        result = carved(map, &p);
        for (size_t i = 0; i < CELLS; i++) {
            static const int east[9] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
            static const int south[9] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
            const int d = (int)terrain_heightmap_data(f.direction)[i];
            const float area = terrain_heightmap_data(areas)[i];
            const bool data = !isnan(terrain_heightmap_data(map)[i]);
            const float here = terrain_heightmap_data(result)[i];
            size_t next = (size_t)((int64_t)i + south[d] * WIDTH + east[d]);
            float there = terrain_heightmap_data(result)[next];
            assert_true(terrain_heightmap_data(p.rivers)[i] == (data && area >= 25 ? area : 0));
            assert_true(!(data && area >= 25 && d != 0 && there >= here));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(result);
        terrain_heightmap_destroy(areas);
        terrain_heightmap_destroy(f.direction);
        terrain_heightmap_destroy(p.rivers);
    }
}

/* The rivers of a plane that one spring feeds: rivers along one of eight directions, whichever way
 * the plane slopes; VELOCITY must follow the slope to within two cells. */
static void test_directions(void **state)
{
    static const float slopes[][2] = {{1, 0.4f}, {0.3f, 1}, {1, 1}, {1, 0}, {0.9f, 0.75f}};
    for (size_t k = 0; k < sizeof slopes / sizeof *slopes; k++) {
        terrain_erode_rivers_params p = params_of(1);
        terrain_heightmap *map = test_map_of_size(90, 90, 0), *rain = test_map_of_size(90, 90, 0);
        terrain_heightmap *rivers = test_map_of_size(90, 90, 0);
        const float x = slopes[k][0], y = slopes[k][1], longest = x > y ? x : y;
        uint32_t cells = 0;
        for (uint32_t i = 0; i < 90 * 90; i++) {
            *test_cell(map, i % 90, i / 90) = -x * (float)(i % 90) - y * (float)(i / 90);
            *test_cell(rain, i % 90, i / 90) = i % 90 == 5 && i / 90 == 5;
        }
        p.method = TERRAIN_ERODE_RIVERS_METHOD_VELOCITY;
        p.width = 0;
        p.rain = rain;
        p.rivers = rivers;
        assert_int_equal(terrain_erode_rivers(NULL, map, &p), TERRAIN_SUCCESS);
        for (uint32_t i = 0; i < 90 * 90; i++) {
            if (test_at(rivers, i % 90, i / 90) > 0) {
                const float across =
                    (y * ((float)(i % 90) - 5) - x * ((float)(i / 90) - 5)) / longest;
                assert_true(across < 2 && across > -2);
                cells++;
            }
        }
        assert_int_equal(cells, 85);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(rain);
        terrain_heightmap_destroy(rivers);
    }
}

/* Particles on level ground that unite with others which have not yet come there: whatever was in
 * memory. */
static void test_level_ground(void **state)
{
    terrain_erode_rivers_params p = params_of(9);
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 5), *again;
    test_allocator allocator = {0}; /* gives NaN */
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = floorf(test_at(map, x, y) / 8);
    }
    p.method = TERRAIN_ERODE_RIVERS_METHOD_VELOCITY;
    again = test_clone(map);
    assert_int_equal(terrain_erode_rivers(NULL, map, &p), TERRAIN_SUCCESS);
    assert_int_equal(terrain_erode_rivers(context, again, &p), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(map, again));
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(again);
}

/* Discharge of more than 1e12 cells, which is not told from that of 1e12. */
static void test_most_discharge(void **state)
{
    terrain_erode_rivers_params p = params_of(1e9f);
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 5), *results[2];
    terrain_heightmap *discharge = blank(map);
    p.discharge = discharge;
    for (int k = 0; k < 2; k++) {
        test_fill_level(discharge, k == 0 ? 1e12f : 1e13f);
        results[k] = carved(map, &p);
    }
    assert_true(test_maps_equal(results[0], results[1]));
    terrain_heightmap_destroy(results[0]);
    terrain_heightmap_destroy(results[1]);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(discharge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_directions),     cmocka_unit_test(test_beds),
        cmocka_unit_test(test_dams),           cmocka_unit_test(test_level_ground),
        cmocka_unit_test(test_most_discharge),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
