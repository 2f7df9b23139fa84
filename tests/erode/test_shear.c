/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "support/check.h"
#include "terrain/erode.h"

typedef terrain_erode_shear_params shear_params;

enum { WIDTH = 180, HEIGHT = 150, CELLS = WIDTH * HEIGHT };

static shear_params params_of(void)
{
    shear_params p;
    terrain_erode_shear_params_init(&p, sizeof p);
    p.least_slope = 0;
    return p;
}

static float *heights_of(const terrain_heightmap *map)
{
    return (float *)(uintptr_t)terrain_heightmap_const_data(map);
}

static terrain_heightmap *sheared(const terrain_heightmap *map, const shear_params *p)
{
    terrain_heightmap *copy = test_clone(map);
    assert_int_equal(terrain_erode_shear(NULL, copy, p), TERRAIN_SUCCESS);
    return copy;
}

static uint32_t changed(const terrain_heightmap *a, const terrain_heightmap *b)
{
    uint32_t count = 0;
    for_each_cell(a, x, y) {
        count += test_at(a, x, y) != test_at(b, x, y);
    }
    return count;
}

/* A cell that rises, or falls farther than all batches can dig. */
static void test_bounds(void **state)
{
    for (uint32_t batches = 1; batches <= 4; batches += 3) {
        for (uint32_t mode = 0; mode < 2; mode++) {
            shear_params p = params_of();
            terrain_heightmap *before = test_map_of_size(WIDTH, HEIGHT, batches);
            p.density = 0.3f;
            p.strength = 1.5f;
            p.batches = batches;
            p.mode = mode;
            terrain_heightmap *after = sheared(before, &p);
            for_each_cell(before, x, y) {
                float fall = test_at(before, x, y) - test_at(after, x, y);
                assert_true(fall >= 0);
                assert_true(fall <= (float)batches * p.strength + 1e-4f);
            }
            assert_true(changed(before, after) > CELLS / 10);
            terrain_heightmap_destroy(before);
            terrain_heightmap_destroy(after);
        }
    }
}

/* No drops, or drops without strength, that change the map; a flat map that gets pits. */
static void test_identity(void **state)
{
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 4);
    for (int k = 0; k < 3; k++) {
        shear_params p = params_of();
        p.density = k == 0 ? 0 : 1;
        p.strength = k == 1 ? 0 : 4;
        if (k == 2) {
            test_fill_level(map, 3.5f);
        }
        terrain_heightmap *after = sheared(map, &p);
        assert_true(test_maps_equal(map, after));
        terrain_heightmap_destroy(after);
    }
    terrain_heightmap_destroy(map);
}

/* A drop that lowers more cells than it may. */
static void test_visits(void **state)
{
    for (uint32_t visits = 1; visits <= 64; visits *= 4) {
        shear_params p = params_of();
        terrain_heightmap *before = test_map_of_size(WIDTH, HEIGHT, 6);
        p.mode = TERRAIN_ERODE_SHEAR_MODE_FIXED;
        p.density = 0.01f;
        p.visits = visits;
        terrain_heightmap *after = sheared(before, &p);
        uint32_t blocks = (WIDTH / 16 + 1) * (HEIGHT / 16 + 1);
        uint32_t count = changed(before, after);
        assert_true(count > 0 && count <= blocks * 3 * visits); /* 2.56 drops a block */
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(after);
    }
}

/* Drops that depend on how many there are: each further one of a batch leaves the others as they
 * are, and the lowest counts. */
static void test_drops(void **state)
{
    terrain_heightmap *before = test_map_of_size(WIDTH, HEIGHT, 2);
    terrain_heightmap *less = test_clone(before);
    for (uint32_t k = 1; k <= 8; k++) {
        shear_params p = params_of();
        p.batches = 1;
        p.density = 0.004f * (float)k;
        terrain_heightmap *more = sheared(before, &p);
        for_each_cell(more, x, y) {
            assert_true(test_at(more, x, y) <= test_at(less, x, y));
        }
        assert_true(changed(more, less) > 0);
        terrain_heightmap_destroy(less);
        less = more;
    }
    terrain_heightmap_destroy(less);
    terrain_heightmap_destroy(before);
}

/* Heights of a single slope in some direction. */
static terrain_heightmap *slope_of(float east, float south)
{
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 0);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = east * (float)x + south * (float)y;
    }
    return map;
}

struct effect {
    double fall;    /* mean, in cells of the slope */
    double deepest; /* likewise */
    double steps;   /* share of neighbours that differ by more than three times the slope */
};

static struct effect effect_on_slope(float slope)
{
    terrain_heightmap *map = slope_of(slope, 0);
    terrain_heightmap *after = sheared(map, NULL);
    struct effect e = {0, 0, 0};
    for (uint32_t i = 0; i + 1 < CELLS; i++) {
        double step = (double)heights_of(after)[i + 1] - (double)heights_of(after)[i];
        double fall = (double)(heights_of(map)[i] - heights_of(after)[i]) / (double)slope;
        e.fall += fall / CELLS;
        e.deepest = fall > e.deepest ? fall : e.deepest;
        e.steps += (i % WIDTH + 1 < WIDTH && fabs(step) > 3 * (double)slope) / (double)CELLS;
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(after);
    return e;
}

/* Defaults that need a human eye: scoops where the land is flat, or none on steep slopes. */
static void test_unattended(void **state)
{
    static const float slopes[] = {0.02f, 0.05f, 0.09f, 0.15f, 0.3f, 0.6f, 1, 2};
    shear_params p = params_of();
    for (uint32_t i = 0; i < 8; i++) {
        struct effect e = effect_on_slope(slopes[i]);
        double absolute = e.deepest * (double)slopes[i];
        print_message("slope %.2f: falls by %.3f at most and %.3f on average, steps %.3f\n",
                      (double)slopes[i], absolute, e.fall * (double)slopes[i], e.steps);
        assert_true(absolute <= (double)(slopes[i] * (float)(p.batches * p.reach)) + 1e-3);
        assert_true(absolute <= (double)((float)p.batches * p.strength) + 1e-3);
        assert_true(e.fall * (double)slopes[i] < (double)p.strength / 2);
        if (slopes[i] < 0.1f) {
            assert_true(absolute == 0);
        } else if (slopes[i] >= 0.3f) {
            assert_true(e.steps > 0.01);
        }
    }
}

/* A slope that counts for more along a diagonal, or less in smaller cells; work that begins
 * elsewhere than at least_slope, or is not less between it and twice as much. */
static void test_least_slope(void **state)
{
    for (int diagonal = 0; diagonal < 2; diagonal++) {
        const float part = diagonal ? 0.70710678f : 1;
        double last = 0;
        for (int k = 0; k < 6; k++) {
            static const float slopes[] = {0.9f, 0.99f, 1.3f, 1.6f, 2.5f, 5};
            shear_params p = params_of();
            terrain_heightmap *map = slope_of(slopes[k] * part, diagonal ? slopes[k] * part : 0);
            double fall = 0;
            terrain_heightmap_set_cell_size(map, 5);
            p.least_slope = 0.2f;
            p.batches = 1;
            p.strength = 1e6f;
            terrain_heightmap *after = sheared(map, &p);
            for_each_cell(map, x, y) {
                fall += (double)(test_at(map, x, y) - test_at(after, x, y)) / (double)slopes[k];
            }
            assert_true(k < 2 ? fall == 0 : fall > last);
            last = fall;
            p.least_slope = 0;
            terrain_heightmap *plain = sheared(map, &p);
            assert_true((changed(plain, after) == 0) == (k == 5));
            terrain_heightmap_destroy(plain);
            terrain_heightmap_destroy(after);
            terrain_heightmap_destroy(map);
        }
    }
}

/* NaN that spreads; a crack that enters it. */
static void test_special(void **state)
{
    shear_params p = params_of();
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 8);
    p.density = 0.5f;
    for (uint32_t i = 0; i < CELLS; i += 97) {
        heights_of(map)[i] = NAN;
    }
    terrain_heightmap *after = sheared(map, &p);
    for (uint32_t i = 0; i < CELLS; i++) {
        assert_true(isnan(heights_of(after)[i]) == (i % 97 == 0));
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(after);
}

/* More columns than its places can tell: refused before anything is touched. */
static void test_too_wide(void **state)
{
#if SIZE_MAX > UINT32_MAX
    const uint32_t width = 1u << 30;
    shear_params p = params_of();
    terrain_context *context = test_plain_context();
    float cell = 0;
    terrain_heightmap *map = NULL;
    /* Only the size of this map is looked at. */
    assert_int_equal(terrain_heightmap_wrap(NULL, &cell, width, 1, width, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_erode_shear(context, map, &p), TERRAIN_ERROR_UNSUPPORTED);
    expect_message(context, "must have at most");
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bounds),     cmocka_unit_test(test_identity),
        cmocka_unit_test(test_visits),     cmocka_unit_test(test_drops),
        cmocka_unit_test(test_unattended), cmocka_unit_test(test_least_slope),
        cmocka_unit_test(test_special),    cmocka_unit_test(test_too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
