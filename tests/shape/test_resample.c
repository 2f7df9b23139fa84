/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards shape_resample: copies, constants, planes, means, sizes, places far away, and what lies
 * beside a row. */

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "terrain/shape.h"

enum { FILTERS = 4 };

static const float steps[] = {0.0625f, 0.3f, 0.5f, 0.999f, 1, 1.25f, 2, 3.7f, 16, 100.3f};
enum { STEPS = sizeof steps / sizeof steps[0] };

static terrain_shape_resample_params params_of(float step, terrain_shape_resample_filter filter)
{
    terrain_shape_resample_params params;
    assert_int_equal(terrain_shape_resample_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.step = step;
    params.filter = filter;
    return params;
}

/* Over all of the result that the map covers. */
static terrain_heightmap *resample(const terrain_heightmap *map,
                                   const terrain_shape_resample_params *params)
{
    const terrain_operation *operation = terrain_operation_find("shape_resample");
    terrain_window in = test_window_of(map), out;
    assert_int_equal(terrain_operation_result_window(operation, params, &in, &out),
                     TERRAIN_SUCCESS);
    terrain_heightmap *result = test_map(&out);
    assert_int_equal(terrain_shape_resample(NULL, map, result, params), TERRAIN_SUCCESS);
    return result;
}

/* x * a + y * b + c, exact in float for small dyadic numbers. */
static void fill_plane(terrain_heightmap *map, float a, float b, float c)
{
    float *h = terrain_heightmap_data(map);
    for_each_cell(map, x, y) {
        h[y * terrain_heightmap_stride(map) + x] = (float)x * a + (float)y * b + c;
    }
}

/* A step of 1 that is not a copy: NaN or infinity that leaks, a shift by a cell. */
static void test_copy(void **state)
{
    for (uint32_t filter = 0; filter < FILTERS; filter++) {
        terrain_heightmap *map = test_map_of_size(67, 41, 3);
        terrain_shape_resample_params params = params_of(1, filter);
        test_sprinkle(map, 7, 6);
        terrain_heightmap *result = resample(map, &params);
        assert_true(test_maps_equal(map, result));
        terrain_heightmap_destroy(result);
        terrain_heightmap_destroy(map);
    }
}

/* A constant that changes, by weights that don't add up to 1 or by a border. */
static void test_constant(void **state)
{
    for (uint32_t i = 0; i < FILTERS * STEPS; i++) {
        terrain_heightmap *map = test_map_of_size(103, 61, 1);
        terrain_shape_resample_params params = params_of(steps[i / FILTERS], i % FILTERS);
        fill_plane(map, 0, 0, 0.1f);
        terrain_heightmap *result = resample(map, &params);
        const float *h = terrain_heightmap_const_data(result);
        uint32_t count = terrain_heightmap_width(result) * terrain_heightmap_height(result);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(h[k] == 0.1f);
        }
        terrain_heightmap_destroy(result);
        terrain_heightmap_destroy(map);
    }
}

/* A plane that is bent, or that lies half a cell aside. Within the border's reach it may bend. */
static void test_plane(void **state)
{
    for (uint32_t filter = TERRAIN_SHAPE_RESAMPLE_FILTER_BILINEAR; filter < FILTERS; filter++) {
        for (uint32_t i = 0; i < STEPS - 1; i++) {
            terrain_heightmap *map = test_map_of_size(160, 120, 1);
            terrain_shape_resample_params params = params_of(steps[i], filter);
            fill_plane(map, 0.5f, -0.25f, 3);
            terrain_heightmap *result = resample(map, &params);
            const float *h = terrain_heightmap_const_data(result);
            uint32_t width = terrain_heightmap_width(result);
            double step = (double)steps[i], reach = 2 + step / 2;
            for (uint32_t y = 0; y < terrain_heightmap_height(result); y++) {
                for (uint32_t x = 0; x < width; x++) {
                    double u = x * step, v = y * step;
                    if (u >= reach && v >= reach && u <= 159 - reach && v <= 119 - reach) {
                        double wanted = 0.5 * u - 0.25 * v + 3;
                        assert_true(fabs((double)h[y * width + x] - wanted) < 2e-5);
                    }
                }
            }
            terrain_heightmap_destroy(result);
            terrain_heightmap_destroy(map);
        }
    }
}

/* Enlarging twice by bilinear that is not exact on a plane of few bits. */
static void test_exact_plane(void **state)
{
    terrain_heightmap *map = test_map_of_size(33, 17, 1);
    terrain_shape_resample_params params = params_of(0.25f, TERRAIN_SHAPE_RESAMPLE_FILTER_BILINEAR);
    fill_plane(map, 2, -1, 0);
    terrain_heightmap *result = resample(map, &params);
    const float *h = terrain_heightmap_const_data(result);
    assert_int_equal(terrain_heightmap_width(result), 132);
    for (uint32_t y = 0; y <= 64; y++) {
        for (uint32_t x = 0; x <= 128; x++) {
            assert_true(h[y * 132 + x] == (float)x / 2 - (float)y / 4);
        }
    }
    terrain_heightmap_destroy(result);
    terrain_heightmap_destroy(map);
}

/* Heights outside those of the source, where the filter has no negative weights. */
static void test_bounds(void **state)
{
    for (uint32_t i = 0; i < FILTERS * STEPS; i++) {
        if (i % FILTERS == TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC) {
            continue;
        }
        terrain_heightmap *map = test_map_of_size(90, 71, i);
        terrain_shape_resample_params params = params_of(steps[i / FILTERS], i % FILTERS);
        const float *source = terrain_heightmap_const_data(map);
        float low = source[0], high = source[0];
        for (int k = 0; k < 90 * 71; k++) {
            low = source[k] < low ? source[k] : low;
            high = source[k] > high ? source[k] : high;
        }
        terrain_heightmap *result = resample(map, &params);
        const float *h = terrain_heightmap_const_data(result);
        uint32_t count = terrain_heightmap_width(result) * terrain_heightmap_height(result);
        for (uint32_t k = 0; k < count; k++) {
            assert_true(h[k] >= low - 1e-4f && h[k] <= high + 1e-4f);
        }
        terrain_heightmap_destroy(result);
        terrain_heightmap_destroy(map);
    }
}

/* A mean with wrong weights at the ends of its interval: 1/4, 1/2, 1/4 for a step of 2. */
static void test_area(void **state)
{
    float cells[] = {0, 0, 64, 0, 0, 0, 32, 16, 0};
    terrain_heightmap *map = NULL;
    terrain_shape_resample_params params = params_of(2, TERRAIN_SHAPE_RESAMPLE_FILTER_AREA);
    terrain_heightmap_wrap(NULL, cells, 9, 1, 9, &map);
    terrain_heightmap *result = resample(map, &params);
    const float *h = terrain_heightmap_const_data(result);
    static const float wanted[] = {0, 32, 0, 20, 4};
    assert_int_equal(terrain_heightmap_width(result), 5);
    assert_memory_equal(h, wanted, sizeof wanted);
    terrain_heightmap_destroy(result);
    params = params_of(3, TERRAIN_SHAPE_RESAMPLE_FILTER_AREA);
    result = resample(map, &params);
    assert_int_equal(terrain_heightmap_width(result), 3);
    h = terrain_heightmap_const_data(result);
    /* 1/8, 7/8, 1, 7/8, 1/8 */
    assert_true(fabsf(h[0] - 8.0f / 3) < 1e-5f && fabsf(h[1] - 56.0f / 3) < 1e-5f);
    assert_true(fabsf(h[2] - 46.0f / 3) < 1e-5f);
    terrain_heightmap_destroy(result);
    terrain_heightmap_destroy(map);
}

/* NEAREST that takes another cell at a half, and BICUBIC that does not pass through the cells. */
static void test_points(void **state)
{
    float cells[] = {1, 10, -5, 7, 2};
    static const float nearest[] = {1, 10, 10, -5, -5, 7, 7, 2, 2, 2};
    terrain_heightmap *map = NULL;
    terrain_heightmap_wrap(NULL, cells, 5, 1, 5, &map);
    terrain_shape_resample_params params = params_of(0.5f, TERRAIN_SHAPE_RESAMPLE_FILTER_NEAREST);
    terrain_heightmap *result = resample(map, &params);
    assert_int_equal(terrain_heightmap_width(result), 10);
    assert_memory_equal(terrain_heightmap_const_data(result), nearest, sizeof nearest);
    terrain_heightmap_destroy(result);
    params.filter = TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC;
    result = resample(map, &params);
    const float *h = terrain_heightmap_const_data(result);
    for (int i = 0; i < 5; i++) {
        assert_true(h[2 * i] == cells[i]);
    }
    /* (-h0 + 9 h1 + 9 h2 - h3) / 16 in the middle; the last cell is repeated beyond the edge. */
    assert_true(h[3] == (-1 + 9 * 10 - 9 * 5 - 7) / 16.0f);
    assert_true(h[7] == (5 + 9 * 7 + 9 * 2 - 2) / 16.0f);
    terrain_heightmap_destroy(result);
    terrain_heightmap_destroy(map);
}

/* Results of neighbouring sources that overlap or leave a gap, a wrong cell size, or a position
 * that loses precision far from the origin. */
static void test_places(void **state)
{
    static const int64_t origins[] = {
        0, -1000, 4097, INT64_C(1) << 40, -(INT64_C(1) << 61) + 11, TERRAIN_WORLD_LIMIT - 9000};
    const terrain_operation *operation = terrain_operation_find("shape_resample");
    for (uint32_t i = 0; i < STEPS * 6; i++) {
        terrain_shape_resample_params params =
            params_of(steps[i / 6], TERRAIN_SHAPE_RESAMPLE_FILTER_BILINEAR);
        int64_t x = origins[i % 6];
        terrain_window a = {x, 5, 300, 300}, b = {x + 300, 5, 211, 300}, out_a, out_b, back;
        if (params.step < 1 && (double)llabs(x) / (double)params.step > 4e18) {
            continue;
        }
        assert_int_equal(terrain_operation_result_window(operation, &params, &a, &out_a),
                         TERRAIN_SUCCESS);
        assert_int_equal(terrain_operation_result_window(operation, &params, &b, &out_b),
                         TERRAIN_SUCCESS);
        assert_true(out_a.x + out_a.width == out_b.x);
        assert_true(fabs((double)out_a.width - 300 / (double)params.step) <= 1);
        assert_int_equal(terrain_operation_window(operation, &params, 0, &out_a, &back),
                         TERRAIN_SUCCESS);
        assert_true(back.x >= x && back.x + back.width <= x + 301);
        assert_true((double)(back.x - x) < (double)params.step);
    }
    terrain_heightmap *map = test_map_of_size(20, 20, 1);
    terrain_shape_resample_params params = params_of(0.5f, TERRAIN_SHAPE_RESAMPLE_FILTER_AREA);
    terrain_heightmap_set_cell_size(map, 6);
    terrain_heightmap *result = resample(map, &params);
    assert_true(terrain_heightmap_cell_size(result) == 3);
    params.step = 2;
    terrain_heightmap_set_cell_size(map, 6e8f); /* 1.2e9 is too much */
    assert_int_equal(terrain_shape_resample(NULL, map, result, &params), TERRAIN_ERROR_RANGE);
    assert_true(terrain_heightmap_cell_size(result) == 3);
    terrain_heightmap_destroy(result);
    terrain_heightmap_destroy(map);
}

/* AREA that differs from BILINEAR where it has nothing to average. */
static void test_area_enlarges(void **state)
{
    terrain_heightmap *map = test_map_of_size(40, 30, 9);
    terrain_shape_resample_params params = params_of(0.4f, TERRAIN_SHAPE_RESAMPLE_FILTER_BILINEAR);
    terrain_heightmap *bilinear = resample(map, &params);
    params.filter = TERRAIN_SHAPE_RESAMPLE_FILTER_AREA;
    terrain_heightmap *area = resample(map, &params);
    assert_true(test_maps_equal(bilinear, area));
    terrain_heightmap_destroy(bilinear);
    terrain_heightmap_destroy(area);
    terrain_heightmap_destroy(map);
}

/* A window of the source that lacks a cell at either end: what is computed from it alone must be
 * what the whole source gives. */
static void test_windows(void **state)
{
    static const float even[] = {0.25f, 0.5f, 0.75f, 1, 1.5f, 2, 3.7f};
    const terrain_operation *operation = terrain_operation_find("shape_resample");
    const terrain_window all = {-40, -40, 300, 160};
    terrain_heightmap *source = test_map(&all);
    test_fill_heights(source, 5);
    for (uint32_t i = 0; i < FILTERS * sizeof even / sizeof even[0]; i++) {
        terrain_shape_resample_params params = params_of(even[i / FILTERS], i % FILTERS);
        terrain_heightmap *whole = resample(source, &params);
        for (uint32_t k = 0; k < 8 * 6; k++) {
            const terrain_window out = {k % 8, (int64_t)(k * 3 % 7), 1 + k / 8, 1 + k % 5};
            terrain_window in;
            assert_int_equal(terrain_operation_window(operation, &params, 0, &out, &in),
                             TERRAIN_SUCCESS);
            terrain_heightmap *part = test_map(&in);
            test_fill_heights(part, 5);
            terrain_heightmap *result = resample(part, &params);
            assert_true(test_windows_equal(whole, result, &out));
            terrain_heightmap_destroy(result);
            terrain_heightmap_destroy(part);
        }
        terrain_heightmap_destroy(whole);
    }
    terrain_heightmap_destroy(source);
}

/* Cells of a result that reaches beyond what the map covers, by kernels for columns outside a map:
 * those inside must be what a result of the map's size has. */
static void test_beyond(void **state)
{
    for (uint32_t i = 0; i < FILTERS * STEPS; i++) {
        terrain_shape_resample_params params = params_of(steps[i / FILTERS], i % FILTERS);
        terrain_heightmap *map = test_map_of_size(67, 41, i);
        for_each_cell(map, x, y) {
            *test_cell(map, x, y) *= 0.1f; /* so that sums are rounded */
        }
        terrain_heightmap *inside = resample(map, &params);
        const terrain_window window = test_window_of(inside);
        const terrain_window around = {-19, -3, window.width + 40, window.height + 9};
        terrain_heightmap *beyond = test_map(&around);
        assert_int_equal(terrain_shape_resample(NULL, map, beyond, &params), TERRAIN_SUCCESS);
        assert_true(test_windows_equal(beyond, inside, &window));
        terrain_heightmap_destroy(beyond);
        terrain_heightmap_destroy(inside);
        terrain_heightmap_destroy(map);
    }
}

/* A result so large that its rows go past the caches: rows in the wrong place, or not ended. */
static void test_large_result(void **state)
{
    terrain_shape_resample_params params =
        params_of(0.0625f, TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC);
    const terrain_window part = {2001, 1990, 99, 58};
    terrain_heightmap *source = test_map_of_size(132, 129, 9), *small = test_map(&part);
    terrain_heightmap *large = resample(source, &params);
    assert_int_equal(terrain_shape_resample(NULL, source, small, &params), TERRAIN_SUCCESS);
    assert_true(test_windows_equal(large, small, &part));
    terrain_heightmap_destroy(large);
    terrain_heightmap_destroy(small);
    terrain_heightmap_destroy(source);
}

/* The nearest cell that there is. */
static float nearest(const terrain_heightmap *map, int64_t x, int64_t y)
{
    const int64_t right = terrain_heightmap_width(map) - 1;
    const int64_t bottom = terrain_heightmap_height(map) - 1;
    return test_at(map, x < 0 ? 0 : x < right ? x : right, y < 0 ? 0 : y < bottom ? y : bottom);
}

/* The mean of AREA by a step of 2, exact for heights of few bits. */
static float half_mean(const terrain_heightmap *map, int64_t x, int64_t y)
{
    float sum = 0;
    for (int i = 0; i < 9; i++) {
        float weight = (i % 3 == 1 ? 2.0f : 1.0f) * (i / 3 == 1 ? 2.0f : 1.0f);
        sum += weight * nearest(map, x + i % 3 - 1, y + i / 3 - 1);
    }
    return sum / 16;
}

/* A step of 2, whose rows have kernels of their own: reads and writes beside rows of any length,
 * ends of rows, columns whose third cell is not there, and windows beyond the map's edges. */
static void test_half(void **state)
{
    static const struct {
        int64_t origin, lead; /* of the map, and of the result */
        uint32_t more;        /* columns of the result than half of the map's */
    } cases[] = {{0, 0, 0}, {0, 0, 1}, {-1, 0, 0}, {-1, 0, 1}, {0, 1, 0}, {0, -1, 2}, {1, 0, 4}};
    terrain_shape_resample_params params = params_of(2, TERRAIN_SHAPE_RESAMPLE_FILTER_AREA);
    for (uint32_t i = 0; i < 75 * 2 * 7 * test_isa_count(); i++) {
        const uint32_t width = 2 + i % 75, k = i / 150 % 7;
        const int side = i / 75 % 2 == 0 ? TEST_GUARD_BEFORE : TEST_GUARD_AFTER;
        test_guarded_map source = test_guard(width, 3, side);
        test_guarded_map result = test_guard(width / 2 + cases[k].more, 2, side);
        const terrain_window out = test_window_of(result.map);
        terrain_context *context = test_context(test_isa_at(i / 1050), NULL, NULL, NULL);
        terrain_heightmap_set_origin(source.map, cases[k].origin, 0);
        terrain_heightmap_set_origin(result.map, cases[k].lead, 0);
        test_fill_heights(source.map, i);
        assert_int_equal(terrain_shape_resample(context, source.map, result.map, &params),
                         TERRAIN_SUCCESS);
        for (int64_t c = 0; c < out.width * out.height; c++) {
            const int64_t x = c % out.width, y = c / out.width;
            const int64_t centre = 2 * (x + cases[k].lead) - cases[k].origin;
            assert_true(test_at(result.map, x, y) == half_mean(source.map, centre, 2 * y));
        }
        terrain_context_destroy(context);
        test_unguard(&source);
        test_unguard(&result);
    }
}

/* Rows of a half that are taken by two or one, from maps that begin anywhere in a cache line, into
 * columns that are left out or written twice with another value. */
static void test_half_of_tall_maps(void **state)
{
    enum { HEIGHT = 22, STRIDE = 208, PLACES = 17 };
    terrain_shape_resample_params params = params_of(2, TERRAIN_SHAPE_RESAMPLE_FILTER_AREA);
    terrain_heightmap *heights = test_map_of_size(STRIDE, HEIGHT + 1, 3);
    const float *cells = terrain_heightmap_const_data(heights);
    for (uint32_t i = 0; i < PLACES * 80 * test_isa_count(); i++) {
        const uint32_t width = 30 + 2 * (i / PLACES % 80), height = HEIGHT - i % 7;
        terrain_heightmap *map, *result;
        terrain_context *context = test_context(test_isa_at(i / (PLACES * 80)), NULL, NULL, NULL);
        assert_int_equal(
            terrain_heightmap_wrap_const(NULL, cells + i % PLACES, width, height, STRIDE, &map),
            TERRAIN_SUCCESS);
        assert_int_equal(terrain_heightmap_create(NULL, width / 2, (height + 1) / 2, &result),
                         TERRAIN_SUCCESS);
        test_fill_heights(heights, i);
        assert_int_equal(terrain_shape_resample(context, map, result, &params), TERRAIN_SUCCESS);
        for (uint32_t y = 0; y < (height + 1) / 2; y++) {
            for (uint32_t x = 0; x < width / 2; x++) {
                assert_true(test_at(result, x, y) == half_mean(map, 2 * x, 2 * y));
            }
        }
        terrain_heightmap_destroy(result);
        terrain_heightmap_destroy(map);
        terrain_context_destroy(context);
    }
    terrain_heightmap_destroy(heights);
}

/* A filter that reads or writes beside rows of any length: it traps here. */
static void test_guard_pages(void **state)
{
    static const float lengths[] = {0.3F, 1.25F, 3.7F, 16};
    enum { LENGTHS = sizeof lengths / sizeof lengths[0] };
    for (uint32_t i = 0; i < FILTERS * LENGTHS * 2 * test_isa_count(); i++) {
        terrain_shape_resample_params params =
            params_of(lengths[i / FILTERS % LENGTHS], i % FILTERS);
        const int side = i / FILTERS / LENGTHS % 2 == 0 ? TEST_GUARD_BEFORE : TEST_GUARD_AFTER;
        const uint32_t isa = test_isa_at(i / FILTERS / LENGTHS / 2);
        terrain_context *context = test_context(isa, NULL, NULL, NULL);
        for (uint32_t width = 16; width < 60; width += 3) {
            test_guarded_map source = test_guard(width, 17, side);
            test_fill_heights(source.map, width);
            terrain_heightmap *wanted = resample(source.map, &params);
            test_guarded_map result =
                test_guard(terrain_heightmap_width(wanted), terrain_heightmap_height(wanted), side);
            assert_int_equal(terrain_shape_resample(context, source.map, result.map, &params),
                             TERRAIN_SUCCESS);
            assert_true(test_maps_equal(wanted, result.map));
            terrain_heightmap_destroy(wanted);
            test_unguard(&result);
            test_unguard(&source);
        }
        terrain_context_destroy(context);
    }
}

/* NaN that reaches farther than its cell's share does, into columns or rows of fewer cells than
 * others have, or not as far. */
static void test_reach_of_nan(void **state)
{
    static const double areas[] = {1.25, 1.5, 2, 2.75, 3, 4, 5.5, 7.25, 8, 20};
    for (size_t i = 0; i < sizeof areas / sizeof areas[0]; i++) {
        terrain_shape_resample_params params =
            params_of((float)areas[i], TERRAIN_SHAPE_RESAMPLE_FILTER_AREA);
        const double reach = 1 + areas[i] / 2;
        for (uint32_t k = 0; k < 12; k++) {
            terrain_heightmap *map = test_map_of_size(131, 90, k);
            const double x = 41 + 5 * k, y = 33 + k;
            *test_cell(map, (int64_t)x, (int64_t)y) = NAN;
            terrain_heightmap *result = resample(map, &params);
            const uint32_t width = terrain_heightmap_width(result);
            for (uint32_t c = 0; c < width * terrain_heightmap_height(result); c++) {
                bool reached = fabs(c % width * areas[i] - x) < reach &&
                               fabs(c / width * areas[i] - y) < reach;
                assert_int_equal(isnan(test_at(result, c % width, c / width)) != 0, reached);
            }
            terrain_heightmap_destroy(result);
            terrain_heightmap_destroy(map);
        }
    }
}

/* A halo that is less than the cells that a window is asked for beyond its own; one of AREA that is
 * more than a cell above the most of them. */
static void test_halo(void **state)
{
    const terrain_operation *operation = terrain_operation_find("shape_resample");
    for (uint32_t i = 0; i < FILTERS * STEPS; i++) {
        terrain_shape_resample_params params = params_of(steps[i / FILTERS], i % FILTERS);
        uint32_t halo = 0;
        double most = 0;
        assert_int_equal(terrain_operation_halo(operation, &params, &halo), TERRAIN_SUCCESS);
        for (int64_t x = -50; x < 50; x++) {
            const terrain_window out = {x, -x, 1 + (uint32_t)(x + 50) / 30, 1};
            const int64_t last = x + (int64_t)out.width - 1;
            terrain_window in;
            assert_int_equal(terrain_operation_window(operation, &params, 0, &out, &in),
                             TERRAIN_SUCCESS);
            const double west = floor((double)x * (double)params.step) - (double)in.x;
            const double north = floor((double)-x * (double)params.step) - (double)in.y;
            const double east =
                (double)(in.x + in.width) - 1 - floor((double)last * (double)params.step);
            const double south =
                (double)(in.y + in.height) - 1 - floor((double)-x * (double)params.step);
            most = fmax(most, fmax(fmax(west, east), fmax(north, south)));
        }
        assert_true(most <= halo);
        assert_true(params.filter != TERRAIN_SHAPE_RESAMPLE_FILTER_AREA || halo <= most + 1);
    }
}

/* Columns whose places an int32_t can't hold: no cell of such a map is looked at. */
static void test_too_wide(void **state)
{
    const uint32_t width = (UINT32_C(1) << 30) + 1;
    float cell = 0;
    terrain_window one = {0, 0, 1, 1};
    terrain_heightmap *wide = NULL, *map = test_map(&one);
    if (sizeof(size_t) > 4) {
        assert_int_equal(terrain_heightmap_wrap(NULL, &cell, width, 1, width, &wide),
                         TERRAIN_SUCCESS);
        assert_int_equal(terrain_shape_resample(NULL, wide, map, NULL), TERRAIN_ERROR_UNSUPPORTED);
        assert_int_equal(terrain_shape_resample(NULL, map, wide, NULL), TERRAIN_ERROR_UNSUPPORTED);
    }
    terrain_heightmap_destroy(wide);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_copy),          cmocka_unit_test(test_constant),
        cmocka_unit_test(test_plane),         cmocka_unit_test(test_exact_plane),
        cmocka_unit_test(test_bounds),        cmocka_unit_test(test_area),
        cmocka_unit_test(test_points),        cmocka_unit_test(test_places),
        cmocka_unit_test(test_area_enlarges), cmocka_unit_test(test_windows),
        cmocka_unit_test(test_beyond),        cmocka_unit_test(test_large_result),
        cmocka_unit_test(test_half),          cmocka_unit_test(test_half_of_tall_maps),
        cmocka_unit_test(test_guard_pages),   cmocka_unit_test(test_reach_of_nan),
        cmocka_unit_test(test_halo),          cmocka_unit_test(test_too_wide),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
