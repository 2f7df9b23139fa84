/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards shape_breach: hollows that stay, ground that rises, channels beyond their limits, two ways
 * of cutting that differ. */

#include "analyze/turns.h"
#include "shape/hollows.h"
#include "terrain/shape.h"

enum { WIDTH = 97, HEIGHT = 83, CELLS = WIDTH * HEIGHT };

static terrain_shape_breach_params params_of(float slope, uint32_t rim)
{
    terrain_shape_breach_params p;
    assert_int_equal(terrain_shape_breach_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.slope = slope;
    p.rim = rim;
    return p;
}

static terrain_heightmap *breached(const terrain_heightmap *map,
                                   const terrain_shape_breach_params *p)
{
    terrain_heightmap *result = test_clone(map);
    assert_int_equal(terrain_shape_breach(NULL, result, p), TERRAIN_SUCCESS);
    return result;
}

static terrain_heightmap *filled(const terrain_heightmap *map, uint32_t rim)
{
    terrain_shape_fill_params p;
    assert_int_equal(terrain_shape_fill_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.rim = rim;
    terrain_heightmap *result = test_clone(map);
    assert_int_equal(terrain_shape_fill(NULL, result, &p), TERRAIN_SUCCESS);
    return result;
}

/* Nothing is left to fill, nothing was raised, and cutting again finds nothing. */
static void test_drains(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        for (int size = 0; size < HOLLOWS_SIZES; size++) {
            for (uint32_t k = 0; k < 4; k++) {
                const terrain_shape_breach_params p = params_of(k < 2 ? 0 : 0.02f, k % 2);
                terrain_heightmap *map = hollows(hollows_sizes[size][0], hollows_sizes[size][1],
                                                 kind, (uint64_t)size + 7);
                terrain_heightmap *result = breached(map, &p), *full = filled(result, k % 2);
                terrain_heightmap *twice = breached(result, &p);
                assert_true(test_maps_equal(result, full));
                assert_true(k > 1 || test_maps_equal(result, twice));
                for (uint32_t i = 0; i < hollows_sizes[size][0] * hollows_sizes[size][1]; i++) {
                    assert_true(
                        !(terrain_heightmap_data(result)[i] > terrain_heightmap_data(map)[i]));
                }
                terrain_heightmap_destroy(map);
                terrain_heightmap_destroy(result);
                terrain_heightmap_destroy(full);
                terrain_heightmap_destroy(twice);
            }
        }
    }
}

/* Limits that no channel reaches must change nothing: one method hands lines on, the other walks
 * each alone. */
static void test_methods(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        for (uint32_t k = 0; k < 6; k++) {
            terrain_shape_breach_params p = params_of((float)(k / 2) * 0.25f, k % 2);
            terrain_heightmap *map = hollows(WIDTH, HEIGHT, kind, k + 60), *all, *some;
            all = breached(map, &p);
            p.most_length = 65535;
            some = breached(map, &p);
            assert_true(test_maps_equal(all, some));
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(all);
            terrain_heightmap_destroy(some);
        }
    }
}

/* Deeper cuts than allowed; `depth` that is not the difference; smaller limits that cut more. */
static void test_limits(void **state)
{
    for (int kind = 0; kind < HOLLOWS_INFINITE; kind++) {
        size_t before = SIZE_MAX;
        for (int most = 40; most > 0; most /= 2) {
            terrain_shape_breach_params p = params_of(0, TERRAIN_RIM_OPEN);
            terrain_heightmap *map = hollows(WIDTH, HEIGHT, kind, 80), *result;
            size_t cut = 0;
            p.most_depth = (float)most;
            p.depth = blank(map);
            result = breached(map, &p);
            for_each_cell(map, x, y) {
                float was = test_at(map, x, y), is = test_at(result, x, y);
                float depth = test_at(p.depth, x, y);
                assert_true(depth == (is < was ? was - is : 0));
                assert_true(depth <= (float)most);
                cut += depth > 0;
            }
            assert_true(cut <= before);
            before = cut;
            terrain_heightmap_destroy(p.depth);
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(result);
        }
    }
}

/* A dam of known width before a bowl: cut if its cells are few enough, at the bowl's lowest
 * height. */
static void test_length(void **state)
{
    for (uint32_t dam = 1; dam < 7; dam++) {
        for (uint32_t most = 1; most < 9; most++) {
            terrain_shape_breach_params p = params_of(0, TERRAIN_RIM_OPEN);
            terrain_heightmap *map = NULL;
            assert_int_equal(terrain_heightmap_create(NULL, 20, 3, &map), TERRAIN_SUCCESS);
            for (uint32_t i = 0; i < 60; i++) {
                terrain_heightmap_data(map)[i] = 100;
            }
            /* From the west: ground far below, the dam, the bowl's lowest cell. */
            for (uint32_t x = 0; x < 20; x++) {
                terrain_heightmap_data(map)[20 + x] = x < 5          ? (float)x
                                                      : x < 5 + dam  ? 50
                                                      : x == 5 + dam ? 10
                                                                     : 60;
            }
            p.most_length = most;
            assert_int_equal(terrain_shape_breach(NULL, map, &p), TERRAIN_SUCCESS);
            for (uint32_t x = 5; x < 5 + dam; x++) {
                assert_true(terrain_heightmap_data(map)[20 + x] == (dam <= most ? 10 : 50));
            }
            terrain_heightmap_destroy(map);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drains),
        cmocka_unit_test(test_methods),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_length),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
