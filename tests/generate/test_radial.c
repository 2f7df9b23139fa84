/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "generate/generated.h"
#include "terrain/generate.h"

typedef terrain_generate_radial_params params;

/* A mask of radius 40 around (0, 0). */
static params hill(void)
{
    params p;
    terrain_generate_radial_params_init(&p, sizeof p);
    p.centre_x = 0;
    p.centre_y = 0;
    p.radius = 40;
    p.amplitude = 1;
    return p;
}

static terrain_heightmap *generate(const params *p, int64_t x, int64_t y, uint32_t width,
                                   uint32_t height)
{
    terrain_window window = {x, y, width, height};
    return generated(NULL, "generate_radial", p, &window);
}

/* Each shape with each curve. */
enum { KINDS = 12 };

static params kind(uint32_t index)
{
    params p = hill();
    p.metric = index % 3;
    p.curve = index / 3;
    return p;
}

/* Guards against a hill that is not 1 on its top and 0 beyond its foot, exactly: masks rely on
 * it. */
static void test_top_and_foot(void **state)
{
    for (uint32_t i = 0; i < 3 * KINDS; i++) {
        params p = kind(i % KINDS);
        p.inner = (float)(i / KINDS * 13);
        terrain_heightmap *map = generate(&p, -50, -60, 101, 121);
        for (uint32_t y = 0; y < 121; y++) {
            for (uint32_t x = 0; x < 101; x++) {
                double dx = fabs(x - 50.0), dy = fabs(y - 60.0);
                double d = p.metric == TERRAIN_METRIC_EUCLIDEAN   ? sqrt(dx * dx + dy * dy)
                           : p.metric == TERRAIN_METRIC_CHEBYSHEV ? fmax(dx, dy)
                                                                  : dx + dy;
                assert_true(at(map, x, y) >= 0 && at(map, x, y) <= 1);
                assert_true(d > (double)p.inner || at(map, x, y) == 1);
                assert_true((d >= 40) == (at(map, x, y) == 0));
            }
        }
        terrain_heightmap_destroy(map);
    }
}

/* Guards against a hill that leans: it is the same from all four sides, and never rises
 * outwards. */
static void test_symmetry(void **state)
{
    for (uint32_t i = 0; i < KINDS; i++) {
        params p = kind(i);
        terrain_heightmap *map = generate(&p, -45, -45, 91, 91);
        for (uint32_t y = 0; y < 91; y++) {
            for (uint32_t x = 0; x < 91; x++) {
                assert_true(at(map, x, y) == at(map, 90 - x, y));
                assert_true(at(map, x, y) == at(map, x, 90 - y));
                assert_true(at(map, x, y) == at(map, y, x));
                assert_true(x >= 45 || at(map, x, y) <= at(map, x + 1, y));
            }
        }
        terrain_heightmap_destroy(map);
    }
}

/* Guards against curves that are not those of the formula: halfway down. */
static void test_curves(void **state)
{
    static const double halfway[] = {0.5, 0.5, 0.75, 0.8660254};
    for (uint32_t i = 0; i < KINDS; i++) {
        params p = kind(i);
        p.inner = 10;
        p.amplitude = 8;
        p.offset = -3;
        terrain_heightmap *map = generate(&p, 25, 0, 1, 1);
        assert_true(fabs(at(map, 0, 0) - (8 * halfway[p.curve] - 3)) < 1e-5);
        terrain_heightmap_destroy(map);
    }
}

/* Guards against centres that are rounded, and against distances that overflow: the hill is the
 * same everywhere, and everything far from it is its foot. */
static void test_anywhere(void **state)
{
    static const int64_t centres[] = {TERRAIN_WORLD_LIMIT - 100, 100 - TERRAIN_WORLD_LIMIT,
                                      (INT64_C(1) << 53) + 1, -(INT64_C(1) << 31), 1 << 24};
    for (uint32_t i = 0; i < 5 * KINDS; i++) {
        params p = kind(i % KINDS);
        int64_t c = centres[i / KINDS];
        terrain_heightmap *here = generate(&p, -50, -20, 50, 30);
        p.centre_x = c;
        p.centre_y = -c;
        terrain_heightmap *there = generate(&p, c - 50, -c - 20, 50, 30);
        terrain_heightmap *far = generate(&p, -c, c, 20, 3);
        assert_int_equal(terrain_heightmap_hash(here), terrain_heightmap_hash(there));
        for (uint32_t k = 0; k < 60; k++) {
            assert_true(at(far, k % 20, k / 20) == 0);
        }
        terrain_heightmap_destroy(far);
        terrain_heightmap_destroy(there);
        terrain_heightmap_destroy(here);
    }
}

/* Guards against seams within rows that are done in pieces, and in hills of the greatest radius. */
static void test_long_rows(void **state)
{
    params p = hill();
    p.radius = 16777216;
    p.curve = TERRAIN_GENERATE_RADIAL_CURVE_LINEAR;
    p.centre_x = 70000;
    terrain_heightmap *row = generate(&p, 0, 0, 140001, 1);
    for (uint32_t x = 0; x < 70000; x++) {
        assert_true(at(row, x, 0) == at(row, 140000 - x, 0));
        assert_true(at(row, x, 0) <= at(row, x + 1, 0));
    }
    terrain_heightmap_destroy(row);
}

/* Guards against a rim of no width, which would divide by 0. */
static void test_refused(void **state)
{
    params p = hill();
    terrain_heightmap *map = test_map_of_size(8, 8, 1);
    uint32_t *before = test_snapshot(map);
    p.inner = p.radius;
    assert_int_equal(terrain_generate_radial(NULL, map, &p), TERRAIN_ERROR_RANGE);
    assert_true(test_unchanged(map, before));
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_top_and_foot), cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_curves),       cmocka_unit_test(test_anywhere),
        cmocka_unit_test(test_long_rows),    cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
