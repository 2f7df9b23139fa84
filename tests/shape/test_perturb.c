/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards shape_perturb: a reach of 0 that changes heights, whole shifts that blur, new highs and
 * lows, shifts beyond the reach, seams between tiles, noises that are one and its mirror image. */

#include <math.h>

#include "support/check.h"
#include "terrain/generate.h"
#include "terrain/shape.h"

static terrain_shape_perturb_params params_of(void)
{
    terrain_shape_perturb_params params;
    assert_int_equal(terrain_shape_perturb_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    return params;
}

static void perturb(terrain_heightmap *map, const terrain_shape_perturb_params *params)
{
    assert_int_equal(terrain_shape_perturb(NULL, map, params), TERRAIN_SUCCESS);
}

/* No shift that changes something, not even beside cells that are not finite. */
static void test_nothing(void **state)
{
    terrain_shape_perturb_params params = params_of();
    terrain_heightmap *map = test_map_of_size(70, 50, 3);
    test_sprinkle(map, 5, 9);
    for (uint32_t kind = 0; kind < 3; kind++) {
        uint32_t *before = test_snapshot(map);
        params.filter = kind;
        params.reach = 0;
        perturb(map, &params);
        assert_true(test_unchanged(map, before));
    }
    terrain_heightmap_destroy(map);
}

/* A constant that changes by rounding. */
static void test_constant(void **state)
{
    terrain_shape_perturb_params params = params_of();
    terrain_heightmap *map = test_map_of_level(150, 70, 1.1f);
    for (uint32_t kind = 0; kind < 3; kind++) {
        uint32_t *before = test_snapshot(map);
        params.filter = kind;
        perturb(map, &params);
        assert_true(test_unchanged(map, before));
    }
    terrain_heightmap_destroy(map);
}

/* Heights outside those of the map; with bicubic they are what clamping is for. */
static void test_range(void **state)
{
    terrain_shape_perturb_params params = params_of();
    for (uint32_t kind = 0; kind < 3; kind++) {
        terrain_heightmap *map = test_map_of_size(300, 200, 3);
        float low = INFINITY, high = -INFINITY;
        bool outside = false;
        for_each_cell(map, x, y) {
            /* Few heights, of many bits: rounding shows. */
            float *h = test_cell(map, x, y);
            *h = fmodf(floorf(*h), 3) == 0 ? 0.1f : 1.7000001f;
            low = *h < low ? *h : low;
            high = *h > high ? *h : high;
        }
        params.filter = kind;
        params.reach = 7.3f;
        params.period = 32;
        perturb(map, &params);
        for_each_cell(map, x, y) {
            float h = test_at(map, x, y);
            outside = outside || h < low || h > high;
        }
        assert_true(outside == (kind == TERRAIN_SHAPE_PERTURB_FILTER_BICUBIC));
        terrain_heightmap_destroy(map);
    }
}

/* Whole shifts that are not exact; shifts that are not cut to the reach, NaN that moves a cell. */
static void test_given(void **state)
{
    terrain_shape_perturb_params params = params_of();
    const float shifts[] = {-3, 5, 40, -INFINITY, NAN};
    const int64_t found[] = {-3, 5, 8, -8, 0};
    terrain_heightmap *shift_x = test_map_of_size(90, 40, 1);
    terrain_heightmap *shift_y = test_map_of_size(90, 40, 1);
    terrain_heightmap *before = test_map_of_size(90, 40, 9);
    test_sprinkle(before, 5, 20);
    params.shift_x = shift_x;
    params.border = TERRAIN_BORDER_WRAP;
    params.reach = 8;
    for (int i = 0; i < 5; i++) {
        params.shift_y = i == 0 ? NULL : shift_y;
        params.filter = (uint32_t)i % 3;
        test_fill_level(shift_x, shifts[i]);
        test_fill_level(shift_y, 2);
        int64_t down = i == 0 ? 0 : 2;
        terrain_heightmap *map = test_clone(before);
        perturb(map, &params);
        for_each_cell(map, x, y) {
            float h = test_at(map, x, y);
            float from =
                test_at(before, (uint32_t)((x + 90 + found[i]) % 90), (uint32_t)((y + down) % 40));
            assert_true(h == from || (isnan(h) && isnan(from)));
        }
        terrain_heightmap_destroy(map);
    }
    terrain_heightmap_destroy(shift_x);
    terrain_heightmap_destroy(shift_y);
    terrain_heightmap_destroy(before);
}

/* The shifts themselves, by moving a ramp; the map is w wide. */
static terrain_heightmap *shifts_of(int64_t at_x, int64_t at_y, int axis,
                                    const terrain_shape_perturb_params *params)
{
    enum { SIZE = 384, AROUND = 64 };
    terrain_window window = {at_x - AROUND, at_y - AROUND, SIZE, SIZE};
    terrain_heightmap *map = test_map(&window);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = (float)(axis == 0 ? x : y);
    }
    perturb(map, params);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) -= (float)(axis == 0 ? x : y);
    }
    return map;
}

/* Shifts beyond the reach, or far below; that are alike in x and y, straight or transposed; whose
 * gradients show the lattice. */
static void test_noise(void **state)
{
    terrain_shape_perturb_params params = params_of();
    enum { SIZE = 384, FIRST = 64, LAST = 320, COUNT = (LAST - FIRST) * (LAST - FIRST) };
    params.filter = TERRAIN_SHAPE_PERTURB_FILTER_BILINEAR;
    params.period = 32; /* some hundred independent places */
    double beyond = 0, squares[2] = {0, 0}, products[2] = {0, 0}, sums[2] = {0, 0};
    for (int64_t seed = 0; seed < 6; seed++) {
        params.seed = (uint64_t)seed;
        terrain_heightmap *x_shift = shifts_of(seed * 1000, seed * 777, 0, &params);
        terrain_heightmap *y_shift = shifts_of(seed * 1000, seed * 777, 1, &params);
        for (uint32_t y = FIRST; y < LAST; y++) {
            for (uint32_t x = FIRST; x < LAST; x++) {
                double a = (double)test_at(x_shift, x, y), b = (double)test_at(y_shift, x, y);
                double transposed = (double)test_at(y_shift, y, x);
                assert_true(fabs(a) <= 64.001 && fabs(b) <= 64.001);
                beyond += fabs(a) > 32;
                sums[0] += a;
                sums[1] += b;
                squares[0] += a * a;
                squares[1] += b * b;
                products[0] += a * b;
                products[1] += a * transposed;
            }
        }
        terrain_heightmap_destroy(x_shift);
        terrain_heightmap_destroy(y_shift);
    }
    double n = 6.0 * COUNT;
    for (int i = 0; i < 2; i++) {
        assert_true(squares[i] / n > 21 * 21 && squares[i] / n < 31 * 31);
        assert_true(fabs(sums[i] / n) < 5);
        assert_true(fabs(products[i]) < 0.12 * sqrt(squares[0] * squares[1]));
    }
    assert_true(beyond / n > 0.15 && beyond / n < 0.35);
}

/* A torus that doesn't stay one: moving a torus and its shifts must move the result. */
static void test_torus(void **state)
{
    terrain_shape_perturb_params params = params_of();
    params.border = TERRAIN_BORDER_WRAP;
    terrain_heightmap *map = test_map_of_size(128, 128, 0);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) =
            (float)(20 * sin(2 * TEST_PI * x / 128) + 9 * cos(2 * TEST_PI * y / 64));
    }
    terrain_heightmap *shift = test_clone(map);
    params.shift_x = params.shift_y = shift;
    terrain_heightmap *moved = test_map_of_size(128, 128, 0);
    for_each_cell(moved, x, y) {
        *test_cell(moved, x, y) = test_at(map, (x + 50) % 128, (y + 99) % 128);
    }
    terrain_heightmap *moved_shift = test_clone(moved);
    perturb(map, &params);
    params.shift_x = params.shift_y = moved_shift;
    perturb(moved, &params);
    for_each_cell(moved, x, y) {
        assert_true(test_at(moved, x, y) == test_at(map, (x + 50) % 128, (y + 99) % 128));
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(moved);
    terrain_heightmap_destroy(shift);
    terrain_heightmap_destroy(moved_shift);
}

/* Olsen's score: how uneven slopes are, deviation over mean. */
static double score_of(const terrain_heightmap *map)
{
    double sum = 0, squares = 0;
    uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    double n = (double)(width - 2) * (height - 2);
    for (uint32_t y = 1; y + 1 < height; y++) {
        for (uint32_t x = 1; x + 1 < width; x++) {
            float h = test_at(map, x, y);
            float slope =
                fmaxf(fmaxf(fabsf(h - test_at(map, x - 1, y)), fabsf(h - test_at(map, x + 1, y))),
                      fmaxf(fabsf(h - test_at(map, x, y - 1)), fabsf(h - test_at(map, x, y + 1))));
            sum += (double)slope;
            squares += (double)slope * (double)slope;
        }
    }
    return sqrt(squares / n - sum / n * (sum / n)) / (sum / n);
}

/* A filter that does not do what it is for: the score of a landscape must rise, by a fifth at
 * least. */
static void test_score(void **state)
{
    terrain_heightmap *map = test_map_of_size(512, 512, 0);
    assert_int_equal(terrain_generate_voronoi(NULL, map, NULL), TERRAIN_SUCCESS);
    terrain_heightmap *hills = test_map_of_size(512, 512, 0);
    assert_int_equal(terrain_generate_diamond_square(NULL, hills, NULL), TERRAIN_SUCCESS);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) += test_at(hills, x, y);
    }
    double before = score_of(map);
    perturb(map, NULL);
    assert_true(score_of(map) > 1.2 * before);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(hills);
}

/* A period that the lattice can't have. */
static void test_period(void **state)
{
    terrain_shape_perturb_params params = params_of();
    terrain_heightmap *map = test_map_of_size(8, 8, 0);
    params.period = 96;
    assert_int_equal(terrain_shape_perturb(NULL, map, &params), TERRAIN_ERROR_RANGE);
    terrain_heightmap_destroy(map);
}

/* Passes that are announced and never made. */
static void test_progress_of_passes(void **state)
{
    terrain_shape_perturb_params p = params_of();
    terrain_heightmap *map = test_map_of_size(1100, 50, 3);
    for (p.border = TERRAIN_BORDER_CLAMP; p.border <= TERRAIN_BORDER_WRAP; p.border++) {
        expect_all_passes("shape_perturb", &p, &map, 1);
    }
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_given),
        cmocka_unit_test(test_noise),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_score),
        cmocka_unit_test(test_period),
        cmocka_unit_test(test_progress_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
