/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against a window mean that is not the mean of the window: its borders, its ends, its
 * sums. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blur/means.h"
#include "support/hosts.h"

/* Narrow windows and wide ones, with many and few digits, and windows in part. */
static const float radii[] = {0.5f, 1, 1.25f, 2, 5, 7.5f, 8, 10, 31, 32.75f, 60, 130};

enum { RADII = sizeof radii / sizeof radii[0] };

static terrain_blur_box_params params_of(float radius, terrain_border border)
{
    terrain_blur_box_params params;
    assert_int_equal(terrain_blur_box_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.radius = radius;
    params.border = border;
    return params;
}

static void blur(terrain_heightmap *map, float radius, terrain_border border)
{
    terrain_blur_box_params params = params_of(radius, border);
    assert_int_equal(terrain_blur_box(NULL, map, &params), TERRAIN_SUCCESS);
}

/* Means along one axis: cell i of line k is at [k * next + i * step]. */
static void mean_lines(double *to, const double *from, int64_t lines, int64_t next, int64_t count,
                       int64_t step, float radius, terrain_border border)
{
    int64_t reach = (int64_t)ceilf(radius);
    for (int64_t k = 0; k < lines; k++) {
        for (int64_t i = 0; i < count; i++) {
            double sum = 0;
            double weights = 0;
            for (int64_t j = -reach; j <= reach; j++) {
                int64_t at = border_cell(i + j, count, border);
                double distance = fabs((double)j);
                double weight = distance <= (double)floorf(radius)
                                    ? 1
                                    : (double)radius - (double)floorf(radius);
                sum += at < 0 ? 0 : weight * from[k * next + at * step];
                weights += at < 0 ? 0 : weight;
            }
            to[k * next + i * step] = sum / weights;
        }
    }
}

/* The largest difference from a plain double-precision mean of the same cells: heights within
 * +-21 `scale` of the offset. */
static double difference_from_plain(const terrain_window *window, float radius,
                                    terrain_border border, float scale, float offset)
{
    int64_t width = window->width;
    int64_t height = window->height;
    size_t cells = (size_t)(width * height);
    terrain_heightmap *map = test_map(window);
    double *plain = calloc(cells, sizeof *plain);
    double *across = calloc(cells, sizeof *across);
    double worst = 0;
    assert_true(plain != NULL && across != NULL);
    test_fill_heights(map, 77);
    for (size_t i = 0; i < cells; i++) {
        terrain_heightmap_data(map)[i] = terrain_heightmap_data(map)[i] * scale + offset;
        plain[i] = (double)terrain_heightmap_data(map)[i];
    }
    blur(map, radius, border);
    mean_lines(across, plain, height, width, width, 1, radius, border);
    mean_lines(plain, across, width, 1, height, width, radius, border);
    for (size_t i = 0; i < cells; i++) {
        double difference = fabs((double)terrain_heightmap_data(map)[i] - plain[i]);
        worst = difference > worst || isnan(difference) ? difference : worst;
    }
    free(plain);
    free(across);
    terrain_heightmap_destroy(map);
    return worst;
}

/* Guards against a wrong mean, at every border: sizes below and above the window, one row, one
 * column, and one that is cut into strips, the last of them narrow. */
static void test_plain_mean(void **state)
{
    static const terrain_window windows[] = {
        {0, 0, 1, 1},    {3, -5, 1, 40},   {-1, 9, 33, 1},  {5, 5, 7, 5},     {-70, 3, 64, 64},
        {1, 2, 100, 90}, {0, -9, 1100, 7}, {0, 0, 1031, 9}, {-2, 77, 64, 48},
    };
    for (uint32_t r = 0; r < RADII; r++) {
        for (uint32_t w = 0; w < sizeof windows / sizeof windows[0]; w++) {
            for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
                 border++) {
                /* Heights are within +-21: 16 units in the last place. */
                double difference = difference_from_plain(&windows[w], radii[r], border, 1, 0);
                if (!(difference < 1.6e-5)) {
                    fail_msg("radius %g, border %u, %ux%u: off by %g", (double)radii[r],
                             (unsigned)border, (unsigned)windows[w].width,
                             (unsigned)windows[w].height, difference);
                }
            }
        }
    }
}

/* Guards against relief that drowns in the rounding of large heights: a million up, where floats
 * are 1/16 apart, the mean must be right to three of those steps, whatever the window. */
static void test_large_offset(void **state)
{
    terrain_window window = {-3, 4, 120, 80};
    for (uint32_t r = 0; r < RADII; r++) {
        double difference =
            difference_from_plain(&window, radii[r], TERRAIN_BORDER_MIRROR, 1, 1e6f);
        assert_true(difference < 3.0 / 16);
    }
}

/* Guards against sums whose rounding grows with the height above zero: from a radius of 4 on, of a
 * relief of 0.2 at 5000, where floats are 2^-11 apart, the two means are rounded once each, and the
 * sums hardly at all. */
static void test_relief(void **state)
{
    static const float wide[] = {4, 16.5f, 100, 1024};
    terrain_window window = {100, -4, 120, 80};
    for (uint32_t r = 0; r < sizeof wide / sizeof wide[0]; r++) {
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
             border++) {
            double difference = difference_from_plain(&window, wide[r], border, 0.005f, 5000);
            assert_true(difference < 0x1p-11 + 5e-6);
        }
    }
}

/* Guards against rounding beyond what the header states, in windows of any size. */
static void test_rounding(void **state)
{
    static const float wide[] = {4, 16, 100.5f, 400, 1024};
    terrain_window window = {-9, 14, 120, 80};
    for (uint32_t r = 0; r < sizeof wide / sizeof wide[0]; r++) {
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
             border++) {
            double difference = difference_from_plain(&window, wide[r], border, 1, 0);
            double relief = 42;
            double bound = (2 * (double)wide[r] + 3) * 0x1p-24 * relief + 2 * 0x1p-19;
            assert_true(difference < bound);
        }
    }
}

/* Guards against a step where the radius passes a whole number, and another cell begins to
 * count. */
static void test_continuous(void **state)
{
    static const float whole[] = {1, 3, 4, 5, 17, 60};
    for (uint32_t r = 0; r < sizeof whole / sizeof whole[0]; r++) {
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
             border++) {
            terrain_window window = {-31, 17, 90, 70};
            terrain_heightmap *map[3];
            for (uint32_t i = 0; i < 3; i++) {
                map[i] = test_map(&window);
                test_fill_heights(map[i], 8);
                blur(map[i], nextafterf(whole[r], (float)(whole[r] + (float)i - 1)), border);
            }
            for (uint32_t i = 0; i < 90 * 70; i++) {
                float height = terrain_heightmap_data(map[1])[i];
                assert_true(fabsf(terrain_heightmap_data(map[0])[i] - height) < 2e-5f);
                assert_true(fabsf(terrain_heightmap_data(map[2])[i] - height) < 2e-5f);
            }
            for (uint32_t i = 0; i < 3; i++) {
                terrain_heightmap_destroy(map[i]);
            }
        }
    }
}

/* Guards against level ground that does not stay level, to the last bit. */
static void test_constant(void **state)
{
    static const float heights[] = {0.1f, -3.3333333f, 1234567.0f, 1e-30f, 3e33f, 0};
    for (uint32_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
             border++) {
            expect_level(blur, radii, RADII, heights[h], border);
        }
    }
}

/* Guards against material that comes or goes: on a torus the sum stays. */
static void test_sum_on_a_torus(void **state)
{
    expect_sum_on_a_torus(blur, radii, RADII);
}

/* Guards against a zero radius that is not the identity, NaN and -0 included. */
static void test_identity(void **state)
{
    expect_identity(blur, TERRAIN_BORDER_OPEN);
}

/* Guards against a preferred direction: a map mirrored left to right gives the mirrored result,
 * below a radius of 4 to the last bit; from there on, as a turned one, up to rounding. */
static void test_symmetry(void **state)
{
    enum { WIDTH = 61, HEIGHT = 47 };
    for (uint32_t r = 0; r < RADII; r++) {
        terrain_window upright = {7, -3, WIDTH, HEIGHT};
        terrain_window lying = {0, 1, HEIGHT, WIDTH};
        terrain_heightmap *map = test_map(&upright);
        terrain_heightmap *turned = test_map(&lying);
        terrain_heightmap *mirrored = test_map(&upright);
        test_fill_heights(map, 2);
        for_each_cell(map, x, y) {
            *test_cell(turned, y, WIDTH - 1 - x) = test_at(map, x, y);
            *test_cell(mirrored, WIDTH - 1 - x, y) = test_at(map, x, y);
        }
        blur(mirrored, radii[r], TERRAIN_BORDER_MIRROR);
        blur(map, radii[r], TERRAIN_BORDER_MIRROR);
        blur(turned, radii[r], TERRAIN_BORDER_MIRROR);
        for_each_cell(map, x, y) {
            assert_true(fabsf(test_at(turned, y, WIDTH - 1 - x) - test_at(map, x, y)) < 1.6e-5f);
            assert_true(fabsf(test_at(mirrored, WIDTH - 1 - x, y) - test_at(map, x, y)) <
                        (radii[r] < 4 ? 0x1p-149f : 1.6e-5f));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(turned);
        terrain_heightmap_destroy(mirrored);
    }
}

/* Guards against sums that remember what left the window: a huge height, infinity or NaN must
 * change the cells whose window holds it, and leave all others the same to the last bit. */
static void test_no_trace(void **state)
{
    static const float specials[] = {NAN, INFINITY, -INFINITY, 1e30f};
    for (uint32_t r = 0; r < RADII; r++) {
        int64_t reach = (int64_t)ceilf(radii[r]);
        for (uint32_t s = 0; s < sizeof specials / sizeof specials[0]; s++) {
            terrain_window window = {2, 3, 700, 90};
            terrain_heightmap *clean = test_map(&window);
            terrain_heightmap *map = test_map(&window);
            test_fill_heights(clean, 1);
            test_fill_heights(map, 1);
            *test_cell(map, 411, 44) = specials[s];
            blur(clean, radii[r], TERRAIN_BORDER_CLAMP);
            blur(map, radii[r], TERRAIN_BORDER_CLAMP);
            for_each_cell(map, x, y) {
                float height = test_at(map, x, y);
                if (llabs(x - 411) <= reach && llabs(y - 44) <= reach) {
                    assert_true(isfinite(specials[s]) ? height > 1e20f : !isfinite(height));
                } else {
                    assert_true(height == test_at(clean, x, y));
                }
            }
            terrain_heightmap_destroy(clean);
            terrain_heightmap_destroy(map);
        }
    }
}

/* Guards against a window that is larger than it must be: it is the radius, rounded up, and a NaN
 * in its corner cells reaches the output. (That it is not too small is for the tests of all
 * operations.) */
static void test_window_is_tight(void **state)
{
    const terrain_operation *operation = terrain_operation_find("blur_box");
    for (uint32_t r = 0; r < RADII; r++) {
        terrain_blur_box_params params = params_of(radii[r], TERRAIN_BORDER_CLAMP);
        terrain_window out = {-5, 11, 1, 1};
        terrain_window in;
        assert_int_equal(terrain_operation_window(operation, &params, 0, &out, &in),
                         TERRAIN_SUCCESS);
        assert_int_equal(in.width, 1 + 2 * (int)ceilf(radii[r]));
        assert_int_equal(in.height, in.width);
        for (int corner = 0; corner < 4; corner++) {
            terrain_heightmap *map = test_map(&in);
            *test_cell(map, corner % 2 == 0 ? 0 : in.width - 1,
                       corner / 2 == 0 ? 0 : in.width - 1) = NAN;
            blur(map, radii[r], TERRAIN_BORDER_WRAP);
            assert_true(isnan(test_at(map, in.width / 2, in.width / 2)));
            terrain_heightmap_destroy(map);
        }
    }
}

/* Guards against a last bit that depends on how wide the map is: strips must not show. */
static void test_strips(void **state)
{
    for (uint32_t r = 0; r < RADII; r++) {
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
             border++) {
            terrain_window wide = {-9, 0, 1601, 20};
            terrain_window narrow = {-9 + 900, 0, 301, 20};
            terrain_window inner = {-9 + 900 + 140, 0, 21, 20};
            terrain_heightmap *a = test_map(&wide);
            terrain_heightmap *b = test_map(&narrow);
            test_fill_heights(a, 6);
            test_fill_heights(b, 6);
            blur(a, radii[r], border);
            blur(b, radii[r], border);
            assert_true(test_windows_equal(a, b, &inner));
            terrain_heightmap_destroy(a);
            terrain_heightmap_destroy(b);
        }
    }
}

/* Guards against bits that depend on whether there are threads: a map that is one strip without
 * them is two with them, the last of which is narrower than a window, so that the one before it
 * reads beyond the map; or the last band has a row or two, or there are as many bands as there may
 * be tasks. */
static void test_threads(void **state)
{
    static const terrain_window windows[] = {
        {-9, 3, 264, 20}, {5, 5, 20, 129}, {5, 5, 20, 258}, {0, 0, 3, 8065}, {0, 0, 3, 8192}};
    test_runner runner = {.kind = TEST_RUN_REVERSE};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
    for (uint32_t i = 0; i < sizeof windows / sizeof windows[0] * RADII; i++) {
        const terrain_window *window = &windows[i / RADII];
        const float radius = radii[i % RADII];
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
             border++) {
            const terrain_blur_box_params params = params_of(radius, border);
            terrain_heightmap *a = test_map(window);
            terrain_heightmap *b = test_map(window);
            test_fill_heights(a, 6);
            test_fill_heights(b, 6);
            blur(a, radius, border);
            assert_int_equal(terrain_blur_box(context, b, &params), TERRAIN_SUCCESS);
            assert_true(test_windows_equal(a, b, window));
            terrain_heightmap_destroy(a);
            terrain_heightmap_destroy(b);
        }
    }
    terrain_context_destroy(context);
}

/* Now and then a cell of 2^70, and a few cells on one of -2^70, across and down: where a window
 * holds both, what is left of the other heights depends on what is added first. */
static void fill_cancelling(terrain_heightmap *map)
{
    terrain_window window = test_window_of(map);
    for (uint32_t y = 0; y < window.height; y++) {
        for (uint32_t x = 0; x < window.width; x++) {
            int64_t phase = (window.x + (int64_t)x + window.y + (int64_t)y + 1400) % 7;
            float height = test_height(5, window.x + x, window.y + y);
            *test_cell(map, x, y) = phase == 3 ? 0x1p70f : phase == 5 ? -0x1p70f : height;
        }
    }
}

/* Guards against blocks that are counted from the map's first row or column instead of the
 * world's. */
static void test_blocks_are_the_worlds(void **state)
{
    for (uint32_t r = 0; r < RADII; r++) {
        uint32_t reach = (uint32_t)ceilf(radii[r]);
        terrain_window large = {-20, -33, 70 + 2 * reach, 90 + 2 * reach};
        terrain_heightmap *whole = test_map(&large);
        fill_cancelling(whole);
        blur(whole, radii[r], TERRAIN_BORDER_CLAMP);
        for (int64_t shift = 1; shift < 40; shift += 6) {
            terrain_window tile = {large.x + shift, large.y + shift, 2 * reach + 20,
                                   2 * reach + 30};
            terrain_window inner = {tile.x + reach, tile.y + reach, 20, 30};
            terrain_heightmap *part = test_map(&tile);
            fill_cancelling(part);
            blur(part, radii[r], TERRAIN_BORDER_CLAMP);
            assert_true(test_windows_equal(part, whole, &inner));
            terrain_heightmap_destroy(part);
        }
        terrain_heightmap_destroy(whole);
    }
}

/* Passes that are announced and never made. */
static void test_progress_of_passes(void **state)
{
    terrain_blur_box_params p = params_of(2, TERRAIN_BORDER_CLAMP);
    terrain_heightmap *map = test_map_of_size(300, 300, 3);
    expect_all_passes("blur_box", &p, &map, 1);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_mean),
        cmocka_unit_test(test_large_offset),
        cmocka_unit_test(test_relief),
        cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_continuous),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_sum_on_a_torus),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_no_trace),
        cmocka_unit_test(test_window_is_tight),
        cmocka_unit_test(test_strips),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_blocks_are_the_worlds),
        cmocka_unit_test(test_progress_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
