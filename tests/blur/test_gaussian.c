/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against a Gaussian filter that is not one: its weights, its sum, its reach, its
 * borders. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "blur/means.h"

/* Below and above each change of method: radius, levels. */
static const float sigmas[] = {0.3f, 0.5f, 1, 2, 3.3f, 3.99f, 4, 5.5f, 6.39f, 6.4f, 9, 12.9f, 27};

enum { SIGMAS = sizeof sigmas / sizeof sigmas[0] };

static terrain_blur_gaussian_params params_of(float sigma, terrain_border border)
{
    terrain_blur_gaussian_params params;
    assert_int_equal(terrain_blur_gaussian_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.sigma = sigma;
    params.border = border;
    return params;
}

static void blur(terrain_heightmap *map, float sigma, terrain_border border)
{
    terrain_blur_gaussian_params params = params_of(sigma, border);
    assert_int_equal(terrain_blur_gaussian(NULL, map, &params), TERRAIN_SUCCESS);
}

static uint32_t halo_of(float sigma)
{
    terrain_blur_gaussian_params params = params_of(sigma, TERRAIN_BORDER_CLAMP);
    uint32_t halo = 0;
    const terrain_operation *operation = terrain_operation_find("blur_gaussian");
    assert_int_equal(terrain_operation_halo(operation, &params, &halo), TERRAIN_SUCCESS);
    return halo;
}

static terrain_heightmap *map_at(int64_t x, int64_t y, uint32_t width, uint32_t height)
{
    terrain_window window = {x, y, width, height};
    return test_map(&window);
}

/* ---- The kernel ------------------------------------------------------------------------------ */

/* Weights of the 1-D filter at one cell: an impulse at each place of a map of one row, whose
 * columns are constant. Returns the largest sum of |k x k - g x g| / 2 of two of those cells'
 * kernels. */
static double kernel_error(float sigma)
{
    enum { MOST = 400, CELLS = 8 };
    static double kernels[CELLS][MOST];
    static double gauss[MOST];
    uint32_t halo = halo_of(sigma);
    uint32_t width = 2 * halo + CELLS;
    double worst = 0;
    assert_true(width <= MOST);
    for (uint32_t i = 0; i < width; i++) {
        terrain_heightmap *map = map_at(-(int64_t)halo, 0, width, 1);
        *test_cell(map, i, 0) = 1;
        blur(map, sigma, TERRAIN_BORDER_CLAMP);
        for (uint32_t c = 0; c < CELLS; c++) {
            kernels[c][i] = (double)test_at(map, halo + c, 0);
        }
        terrain_heightmap_destroy(map);
    }
    for (uint32_t c = 0; c < CELLS; c++) {
        double total = 0;
        double known = 0;
        double difference = 0;
        for (int64_t i = -12 * (int64_t)(sigma + 1); i <= 12 * (int64_t)(sigma + 1); i++) {
            total += exp(-0.5 * (double)(i * i) / (double)(sigma * sigma));
        }
        for (uint32_t i = 0; i < width; i++) {
            double distance = (double)i - (double)(halo + c);
            gauss[i] = exp(-0.5 * distance * distance / (double)(sigma * sigma)) / total;
            known += gauss[i];
        }
        for (uint32_t y = 0; y < width; y++) {
            for (uint32_t x = 0; x < width; x++) {
                difference += fabs(kernels[c][x] * kernels[c][y] - gauss[x] * gauss[y]);
            }
        }
        difference = (difference + 1 - known * known) / 2;
        worst = difference > worst ? difference : worst;
    }
    return worst;
}

/* Guards against a filter that is not the Gaussian of its sigma, at any phase of the coarse
 * grids. */
static void test_kernel(void **state)
{
    for (uint32_t i = 0; i < SIGMAS - 1; i++) {
        double error = kernel_error(sigmas[i]);
        if (!(error <= (sigmas[i] < 4 ? 1e-4 : 6e-4))) {
            fail_msg("sigma %g: error %g", (double)sigmas[i], error);
        }
    }
}

/* Guards against a variance that is not sigma^2, which sees the far ends that kernel_error hardly
 * does. Below 1 the sampled Gaussian's own is not. */
static void test_variance(void **state)
{
    for (uint32_t i = 2; i < SIGMAS; i++) {
        double s = (double)sigmas[i];
        uint32_t halo = halo_of(sigmas[i]);
        terrain_heightmap *map = map_at(5, 0, 2 * halo + 1, 1);
        double sum = 0;
        double first = 0;
        double second = 0;
        *test_cell(map, halo, 0) = 1;
        blur(map, sigmas[i], TERRAIN_BORDER_CLAMP);
        for (uint32_t x = 0; x <= 2 * halo; x++) {
            double d = (double)x - (double)halo;
            sum += (double)test_at(map, x, 0);
            first += d * (double)test_at(map, x, 0);
            second += d * d * (double)test_at(map, x, 0);
        }
        assert_true(fabs(sum - 1) < 1e-7);
        assert_true(fabs(first) < 1e-7 * s);
        assert_true(fabs(second - s * s) < 3e-3 * s * s);
        terrain_heightmap_destroy(map);
    }
}

/* Guards against two passes that don't add up: G(a) after G(b) is G(sqrt(a a + b b)). */
static void test_semigroup(void **state)
{
    static const float pairs[][2] = {{1, 1}, {2, 1.5f}, {3, 4}, {4, 7}, {8, 15}};
    for (uint32_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        float a = pairs[i][0];
        float b = pairs[i][1];
        terrain_heightmap *twice = test_map_of_size(150, 130, 3);
        terrain_heightmap *once = test_map_of_size(150, 130, 3);
        blur(twice, a, TERRAIN_BORDER_MIRROR);
        blur(twice, b, TERRAIN_BORDER_MIRROR);
        blur(once, sqrtf(a * a + b * b), TERRAIN_BORDER_MIRROR);
        for_each_cell(once, x, y) {
            /* Heights are within +-21, errors below three times 6e-4 of their range. */
            float difference = test_at(once, x, y) - test_at(twice, x, y);
            assert_true(fabsf(difference) < 0.04f);
        }
        terrain_heightmap_destroy(once);
        terrain_heightmap_destroy(twice);
    }
}

/* ---- What is preserved ----------------------------------------------------------------------- */

/* Guards against material that comes or goes: on a torus the sum stays. */
static void test_sum_on_a_torus(void **state)
{
    expect_sum_on_a_torus(blur, sigmas, SIGMAS);
}

/* Guards against level ground that does not stay level, to the last bit, at any height. */
static void test_constant(void **state)
{
    static const float heights[] = {0.1f, -3.3333333f, 1234567.0f, 1e-30f, 3e36f, 0};
    for (uint32_t h = 0; h < sizeof heights / sizeof heights[0]; h++) {
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border < TERRAIN_BORDER_OPEN; border++) {
            expect_level(blur, sigmas, SIGMAS, heights[h], border);
        }
    }
}

/* Guards against a slope that bends: a plane stays, farther than the halo from the edges. */
static void test_plane(void **state)
{
    for (uint32_t i = 0; i < SIGMAS; i++) {
        uint32_t halo = halo_of(sigmas[i]);
        uint32_t size = 2 * halo + 9;
        terrain_heightmap *map = map_at(1, -2, size, size);
        for_each_cell(map, x, y) {
            *test_cell(map, x, y) = 0.75f * (float)x - 1.5f * (float)y;
        }
        blur(map, sigmas[i], TERRAIN_BORDER_CLAMP);
        for (uint32_t y = halo; y < size - halo; y++) {
            for (uint32_t x = halo; x < size - halo; x++) {
                float plane = 0.75f * (float)x - 1.5f * (float)y;
                assert_true(fabsf(test_at(map, x, y) - plane) < 2e-6f * (float)size);
            }
        }
        terrain_heightmap_destroy(map);
    }
}

/* Guards against overshoot: no height leaves the range of the old ones by more than rounding. The
 * weights of the coarse grids are all positive, too. */
static void test_bounds(void **state)
{
    for (uint32_t i = 0; i < SIGMAS; i++) {
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
             border++) {
            terrain_heightmap *map = test_map_of_size(71, 53, 11);
            for_each_cell(map, x, y) {
                float *height = test_cell(map, x, y);
                *height = *height > 0 ? 1 : -1;
            }
            blur(map, sigmas[i], border);
            for_each_cell(map, x, y) {
                assert_true(fabsf(test_at(map, x, y)) <= 1 + 4e-7f);
            }
            terrain_heightmap_destroy(map);
        }
    }
}

/* Guards against a zero sigma that is not the identity, NaN and -0 included. */
static void test_identity(void **state)
{
    expect_identity(blur, TERRAIN_BORDER_WRAP);
}

/* Guards against a preferred direction: a mirrored map gives the mirrored result, to the last bit
 * up to 4; a transposed one up to rounding and the errors of the coarse grids. */
static void test_symmetry(void **state)
{
    enum { WIDTH = 61, HEIGHT = 47 };
    for (uint32_t i = 0; i < SIGMAS; i++) {
        bool coarse = sigmas[i] >= 4;
        float bound = coarse ? 42 * 12e-4f : 0;
        terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 2);
        terrain_heightmap *turned = map_at(0, 0, WIDTH, HEIGHT);
        terrain_heightmap *transposed = map_at(0, 0, HEIGHT, WIDTH);
        for_each_cell(turned, x, y) {
            *test_cell(turned, WIDTH - 1 - x, HEIGHT - 1 - y) = test_at(map, x, y);
            *test_cell(transposed, y, x) = test_at(map, x, y);
        }
        blur(map, sigmas[i], TERRAIN_BORDER_MIRROR);
        blur(turned, sigmas[i], TERRAIN_BORDER_MIRROR);
        blur(transposed, sigmas[i], TERRAIN_BORDER_MIRROR);
        for_each_cell(map, x, y) {
            float height = test_at(map, x, y);
            assert_true(fabsf(test_at(turned, WIDTH - 1 - x, HEIGHT - 1 - y) - height) <= bound);
            assert_true(fabsf(test_at(transposed, y, x) - height) <= 1e-5f);
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(turned);
        terrain_heightmap_destroy(transposed);
    }
}

/* Guards against seams between the strips of a wide map: pieces of it, narrower than a strip, give
 * what it gives, to the last bit, and so does its mirrored map. */
static void test_wide(void **state)
{
    enum { WIDTH = 6208 + 37, HEIGHT = 9, PIECE = 500 };
    static const float filtered[] = {0.5f, 1, 2, 3.99f};
    static const terrain_border borders[] = {TERRAIN_BORDER_CLAMP, TERRAIN_BORDER_MIRROR,
                                             TERRAIN_BORDER_OPEN, TERRAIN_BORDER_WRAP};
    for (uint32_t i = 0; i < 16; i++) {
        const float sigma = filtered[i % 4];
        const uint32_t halo = halo_of(sigma);
        const terrain_border border = borders[i / 4];
        terrain_heightmap *map = map_at(0, 0, WIDTH, HEIGHT);
        terrain_heightmap *turned = map_at(0, 0, WIDTH, HEIGHT);
        for_each_cell(turned, x, y) {
            *test_cell(turned, WIDTH - 1 - x, y) = test_at(map, x, y);
        }
        blur(map, sigma, border);
        blur(turned, sigma, border);
        for (uint32_t begin = 0; begin < WIDTH; begin += PIECE - 2 * halo) {
            const uint32_t width = WIDTH - begin < PIECE ? WIDTH - begin : PIECE;
            terrain_heightmap *piece = map_at(begin, 0, width, HEIGHT);
            blur(piece, sigma, border);
            for (uint32_t y = 0; y < HEIGHT; y++) {
                for (uint32_t x = halo; x + halo < width; x++) {
                    const float height = test_at(map, begin + x, y);
                    assert_true(test_at(piece, x, y) == height);
                    assert_true(test_at(turned, WIDTH - 1 - begin - x, y) == height);
                }
            }
            terrain_heightmap_destroy(piece);
        }
        for_each_cell(turned, x, y) {
            assert_true(test_at(turned, WIDTH - 1 - x, y) == test_at(map, x, y));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(turned);
    }
}

/* ---- Borders --------------------------------------------------------------------------------- */

/* Guards against coarse grids that don't know the border: a map must give what it gives as the
 * middle of one that was continued by hand, to the last bit. Sizes where every period occurs: odd,
 * even, one. */
static void test_borders(void **state)
{
    static const uint32_t sizes[][2] = {{1, 1}, {1, 13}, {8, 1}, {7, 5}, {16, 12}, {33, 40}};
    for (uint32_t i = 0; i < SIGMAS; i++) {
        int64_t halo = halo_of(sigmas[i]);
        for (uint32_t s = 0; s < 3 * (sizeof sizes / sizeof sizes[0]); s++) {
            terrain_border border = (terrain_border)(s % 3);
            int64_t width = sizes[s / 3][0];
            int64_t height = sizes[s / 3][1];
            int64_t x0 = (int64_t)(i % 4) - 2;
            terrain_window window = {x0, 7, (uint32_t)width, (uint32_t)height};
            terrain_heightmap *map = test_map(&window);
            terrain_heightmap *large = map_at(x0 - halo, 7 - halo, (uint32_t)(width + 2 * halo),
                                              (uint32_t)(height + 2 * halo));
            test_fill_heights(map, s);
            for (int64_t y = -halo; y < height + halo; y++) {
                for (int64_t x = -halo; x < width + halo; x++) {
                    *test_cell(large, x + halo, y + halo) =
                        test_at(map, border_cell(x, width, border), border_cell(y, height, border));
                }
            }
            blur(map, sigmas[i], border);
            blur(large, sigmas[i], TERRAIN_BORDER_OPEN);
            assert_true(test_windows_equal(map, large, &window));
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(large);
        }
    }
}

/* Guards against an open border that counts what lies outside: on a plane of ones and one wall of
 * zeros the mean must be that of the inside alone. */
static void test_open_border(void **state)
{
    for (uint32_t i = 0; i < SIGMAS; i++) {
        enum { SIZE = 23 };
        double s = (double)sigmas[i];
        terrain_heightmap *map = map_at(2, 3, SIZE, SIZE);
        for_each_cell(map, x, y) {
            *test_cell(map, x, y) = x < 5 ? 0 : (float)y;
        }
        blur(map, sigmas[i], TERRAIN_BORDER_OPEN);
        for_each_cell(map, x, y) {
            double inside[2] = {0, 0};
            double mean[2] = {0, 0};
            for (int k = 0; k < SIZE; k++) {
                double across = exp(-0.5 * (x - k) * (x - k) / (s * s));
                double down = exp(-0.5 * (y - k) * (y - k) / (s * s));
                inside[0] += across;
                inside[1] += down;
                mean[0] += k < 5 ? 0 : across;
                mean[1] += k * down;
            }
            /* A share of at least a quarter of the filter lies inside; errors grow by 1 / share. */
            assert_true(fabs((double)test_at(map, x, y) -
                             mean[0] / inside[0] * (mean[1] / inside[1])) < 4 * 6e-4 * SIZE);
        }
        terrain_heightmap_destroy(map);
    }
}

/* ---- The window ------------------------------------------------------------------------------ */

/* Guards against a window that is too small or too large: a NaN in its corner cells reaches the
 * output, one just outside does not. */
static void test_window_is_tight(void **state)
{
    const terrain_operation *operation = terrain_operation_find("blur_gaussian");
    for (uint32_t i = 0; i < SIGMAS; i++) {
        terrain_blur_gaussian_params params = params_of(sigmas[i], TERRAIN_BORDER_WRAP);
        for (int64_t phase = 0; phase < 9; phase++) {
            terrain_window out = {phase - 4, 3 * phase, 1 + (uint32_t)(phase % 3), 2};
            terrain_window in;
            assert_int_equal(terrain_operation_window(operation, &params, 0, &out, &in),
                             TERRAIN_SUCCESS);
            for (int side = 0; side < 8; side++) {
                int64_t outside = side / 4;
                terrain_heightmap *map = map_at(in.x - 2, in.y - 2, in.width + 4, in.height + 4);
                bool reached = false;
                int64_t left = 2 - outside;
                int64_t right = in.width + 1 + outside;
                int64_t top = 2 - outside;
                int64_t bottom = in.height + 1 + outside;
                int64_t x = side % 4 == 0 ? left : side % 4 == 1 ? right : 2 + in.width / 2;
                int64_t y = side % 4 == 2 ? top : side % 4 == 3 ? bottom : 2 + in.height / 2;
                *test_cell(map, x, y) = NAN;
                blur(map, sigmas[i], TERRAIN_BORDER_CLAMP);
                for (uint32_t k = 0; k < out.width * out.height; k++) {
                    float height = test_at(map, out.x - in.x + 2 + k % out.width,
                                           out.y - in.y + 2 + k / out.width);
                    reached = reached || isnan(height);
                }
                assert_int_equal(reached, outside == 0);
                terrain_heightmap_destroy(map);
            }
        }
    }
}

/* Guards against NaN or infinity that spreads farther than the window, or not all over it. */
static void test_special_heights(void **state)
{
    const terrain_operation *operation = terrain_operation_find("blur_gaussian");
    static const float specials[] = {NAN, INFINITY, -INFINITY};
    for (uint32_t i = 0; i < SIGMAS - 1; i++) {
        terrain_blur_gaussian_params params = params_of(sigmas[i], TERRAIN_BORDER_CLAMP);
        for (uint32_t s = 0; s < 3; s++) {
            terrain_heightmap *map = test_map_of_size(140, 50, 1);
            *test_cell(map, 61, 24) = specials[s];
            blur(map, sigmas[i], TERRAIN_BORDER_CLAMP);
            for_each_cell(map, x, y) {
                terrain_window out = {x, y, 1, 1};
                terrain_window in;
                bool within;
                assert_int_equal(terrain_operation_window(operation, &params, 0, &out, &in),
                                 TERRAIN_SUCCESS);
                within = in.x <= 61 && in.x + in.width > 61 && in.y <= 24 && in.y + in.height > 24;
                assert_int_equal(!isfinite(test_at(map, x, y)), within);
            }
            terrain_heightmap_destroy(map);
        }
    }
}

/* Guards against relief that drowns in the rounding of large heights: on top of a million, where
 * floats are 1/16 apart, the result must stay within three of those steps. */
static void test_large_offset(void **state)
{
    for (uint32_t i = 0; i < SIGMAS; i++) {
        terrain_heightmap *low = test_map_of_size(90, 70, 4);
        terrain_heightmap *high = test_map_of_size(90, 70, 4);
        for_each_cell(low, x, y) {
            float *height = test_cell(low, x, y);
            *height = rintf(*height * 16) / 16;
            *test_cell(high, x, y) = *height + 1e6f;
        }
        blur(low, sigmas[i], TERRAIN_BORDER_WRAP);
        blur(high, sigmas[i], TERRAIN_BORDER_WRAP);
        for_each_cell(low, x, y) {
            double lifted = (double)test_at(low, x, y) + 1e6;
            assert_true(fabs((double)test_at(high, x, y) - lifted) < 3.0 / 16);
        }
        terrain_heightmap_destroy(low);
        terrain_heightmap_destroy(high);
    }
}

/* Guards against a sigma far beyond the map that fails, takes forever, or does not give the
 * mean. */
static void test_sigma_beyond_the_map(void **state)
{
    for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN; border++) {
        terrain_heightmap *map = test_map_of_size(57, 34, 8);
        double mean = 0;
        for_each_cell(map, x, y) {
            mean += (double)test_at(map, x, y) / (57 * 34);
        }
        blur(map, 1024, border);
        for (uint32_t k = 0; border != TERRAIN_BORDER_CLAMP && k < 57 * 34; k++) {
            assert_true(fabs((double)terrain_heightmap_data(map)[k] - mean) < 0.03);
        }
        terrain_heightmap_destroy(map);
    }
}

/* As many bands as there may be tasks, and a seam more. */
static void test_tall(void **state)
{
    static const terrain_window window = {0, 0, 3, 8192};
    test_runner runner = {.kind = TEST_RUN_REVERSE};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
    for (size_t s = 0; s < sizeof sigmas / sizeof sigmas[0]; s++) {
        for (terrain_border border = TERRAIN_BORDER_CLAMP; border <= TERRAIN_BORDER_OPEN;
             border++) {
            const terrain_blur_gaussian_params params = params_of(sigmas[s], border);
            terrain_heightmap *a = test_map(&window);
            terrain_heightmap *b = test_map(&window);
            test_fill_heights(a, 6);
            test_fill_heights(b, 6);
            blur(a, sigmas[s], border);
            assert_int_equal(terrain_blur_gaussian(context, b, &params), TERRAIN_SUCCESS);
            assert_true(test_windows_equal(a, b, &window));
            terrain_heightmap_destroy(a);
            terrain_heightmap_destroy(b);
        }
    }
    terrain_context_destroy(context);
}

/* Passes that are announced and never made. */
static void test_progress_of_passes(void **state)
{
    for (uint32_t i = 0; i < SIGMAS; i++) {
        terrain_blur_gaussian_params p = params_of(sigmas[i], TERRAIN_BORDER_CLAMP);
        terrain_heightmap *map = test_map_of_size(100, 300, 3);
        expect_all_passes("blur_gaussian", &p, &map, 1);
        terrain_heightmap_destroy(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_kernel),
        cmocka_unit_test(test_variance),
        cmocka_unit_test(test_semigroup),
        cmocka_unit_test(test_sum_on_a_torus),
        cmocka_unit_test(test_constant),
        cmocka_unit_test(test_plane),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_wide),
        cmocka_unit_test(test_borders),
        cmocka_unit_test(test_open_border),
        cmocka_unit_test(test_window_is_tight),
        cmocka_unit_test(test_special_heights),
        cmocka_unit_test(test_large_offset),
        cmocka_unit_test(test_sigma_beyond_the_map),
        cmocka_unit_test(test_tall),
        cmocka_unit_test(test_progress_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
