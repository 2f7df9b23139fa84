/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards generate_spectral: power that falls otherwise than beta says, or in one direction more
 * than in another, a pattern that does not repeat, heights that are not those of the amplitude. */

#include <math.h>

#include "generate/generated.h"
#include "terrain/generate.h"

enum { SIZE = 128 };

static terrain_generate_spectral_params params_of(uint32_t repeat)
{
    terrain_generate_spectral_params params;
    assert_int_equal(terrain_generate_spectral_params_init(&params, sizeof params), 0);
    params.repeat = repeat;
    return params;
}

static terrain_heightmap *spectral(int64_t x, int64_t y, uint32_t width, uint32_t height,
                                   const terrain_generate_spectral_params *params)
{
    terrain_window window = {x, y, width, height};
    return generated(NULL, "generate_spectral", params, &window);
}

/* power[v * SIZE + u] of a pattern of SIZE cells, by a transform that is slow and plain. */
static void measure_power(const terrain_heightmap *map, double *power)
{
    static double re[SIZE * SIZE], im[SIZE * SIZE];
    double cosine[SIZE];
    const float *cells = terrain_heightmap_const_data(map);
    for (int i = 0; i < SIZE; i++) {
        cosine[i] = cos(2 * acos(-1) * i / SIZE);
    }
    for (int y = 0; y < SIZE; y++) {
        for (int u = 0; u < SIZE; u++) {
            double a = 0, b = 0;
            for (int x = 0; x < SIZE; x++) {
                double h = (double)cells[y * SIZE + x];
                a += h * cosine[u * x % SIZE];
                b -= h * cosine[(u * x + SIZE * 3 / 4) % SIZE];
            }
            re[y * SIZE + u] = a;
            im[y * SIZE + u] = b;
        }
    }
    for (int u = 0; u < SIZE; u++) {
        for (int v = 0; v < SIZE; v++) {
            double a = 0, b = 0;
            for (int y = 0; y < SIZE; y++) {
                double c = cosine[v * y % SIZE], s = cosine[(v * y + SIZE * 3 / 4) % SIZE];
                a += re[y * SIZE + u] * c + im[y * SIZE + u] * s;
                b += im[y * SIZE + u] * c - re[y * SIZE + u] * s;
            }
            power[v * SIZE + u] = a * a + b * b;
        }
    }
}

/* Slope of log power over log frequency by least squares, of waves from 2 across the pattern on. */
static double measured_slope(const double *power)
{
    double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (int v = -SIZE / 2 + 1; v < SIZE / 2; v++) {
        for (int u = v > 0 ? 0 : 1; u < SIZE / 2; u++) {
            double x = 0.5 * log((double)(u * u + v * v));
            double y = log(power[(v + SIZE) % SIZE * SIZE + u]);
            if (u * u + v * v >= 4) {
                n += 1;
                sx += x;
                sy += y;
                sxx += x * x;
                sxy += x * y;
            }
        }
    }
    return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

/* A spectrum with another slope than -beta; beyond 0.1, which is three standard errors of the
 * fit. */
static void test_slope(void **state)
{
    static double power[SIZE * SIZE];
    const float betas[] = {0, 2, 3.2f, 3.8f, 4.5f};
    for (int i = 0; i < 5; i++) {
        terrain_generate_spectral_params params = params_of(SIZE);
        params.beta = betas[i];
        params.seed = (uint64_t)i;
        params.period = 1e6f;
        terrain_heightmap *map = spectral(0, 0, SIZE, SIZE, &params);
        measure_power(map, power);
        assert_true(fabs(measured_slope(power) + (double)betas[i]) < 0.1);
        terrain_heightmap_destroy(map);
    }
}

/* A direction with more power than the others; waves longer than the period that are higher than
 * it. */
static void test_isotropy(void **state)
{
    static double power[SIZE * SIZE];
    double sums[8] = {0}, counts[8] = {0}, flat = 0, flats = 0, edge = 0, edges = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        terrain_generate_spectral_params params = params_of(SIZE);
        params.seed = seed;
        params.period = 16;
        terrain_heightmap *map = spectral(0, 0, SIZE, SIZE, &params);
        measure_power(map, power);
        terrain_heightmap_destroy(map);
        for (int v = -SIZE / 2 + 1; v < SIZE / 2; v++) {
            for (int u = v > 0 ? 0 : 1; u < SIZE / 2; u++) {
                double k2 = (double)(u * u + v * v);
                double p = power[(v + SIZE) % SIZE * SIZE + u];
                int sector = (int)((atan2((double)v, (double)u) / acos(-1) + 0.5) * 8) % 8;
                /* What is left without the filter is even. */
                double white = p * pow(k2 + 64, 1.9);
                if (k2 >= 9 && k2 < 3600) {
                    sums[sector] += white;
                    counts[sector] += 1;
                }
                if (k2 <= 9) {
                    flat += p;
                    flats += 1;
                } else if (k2 >= 49 && k2 <= 81) {
                    edge += p;
                    edges += 1;
                }
            }
        }
    }
    for (int i = 0; i < 8; i++) {
        double mean = sums[i] / counts[i], other = sums[(i + 3) % 8] / counts[(i + 3) % 8];
        assert_true(fabs(mean / other - 1) < 0.1);
    }
    /* (1 + 1)^1.9 at the period; about 3.3 on the whole. */
    assert_true(flat / flats > 2 * edge / edges && flat / flats < 5 * edge / edges);
}

/* Heights of another deviation or mean; a sign that changes more than the sign. */
static void test_amplitude(void **state)
{
    const uint32_t repeats[] = {32, 64, 512, 1024};
    for (int i = 0; i < 4; i++) {
        uint32_t n = repeats[i];
        terrain_generate_spectral_params params = params_of(n);
        params.seed = n;
        params.amplitude = 7.5f;
        terrain_heightmap *map = spectral(-5, 1000, n, n, &params);
        params.amplitude = -7.5f;
        terrain_heightmap *turned = spectral(-5, 1000, n, n, &params);
        double sum = 0, squares = 0;
        for (uint32_t k = 0; k < n * n; k++) {
            double h = (double)terrain_heightmap_const_data(map)[k];
            sum += h;
            squares += h * h;
            assert_true((double)terrain_heightmap_const_data(turned)[k] == -h);
        }
        /* Each height is rounded by up to 5e-7. */
        assert_true(fabs(sum / n / n) < 1e-7);
        assert_true(fabs(sqrt(squares / n / n) - 7.5) < 1e-6);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(turned);
    }
}

/* A pattern that does not repeat, or repeats elsewhere at other distances. */
static void test_repeat(void **state)
{
    const int64_t far[] = {0, -64, INT64_C(1) << 31, -(INT64_C(1) << 40), -(INT64_C(1) << 62)};
    terrain_generate_spectral_params params = params_of(64);
    terrain_heightmap *near_map = spectral(0, 0, 200, 150, &params);
    const float *cells = terrain_heightmap_const_data(near_map);
    for (uint32_t y = 0; y < 150; y++) {
        for (uint32_t x = 0; x < 200; x++) {
            assert_true(cells[y * 200 + x] == cells[y % 64 * 200 + x % 64]);
        }
    }
    assert_true(cells[0] != cells[32] && cells[0] != cells[32 * 200] && cells[0] != cells[6432]);
    for (int i = 0; i < 5; i++) {
        terrain_heightmap *map = spectral(far[i], far[4 - i], 200, 150, &params);
        assert_int_equal(terrain_heightmap_hash(map), terrain_heightmap_hash(near_map));
        terrain_heightmap_destroy(map);
    }
    terrain_heightmap_destroy(near_map);
}

/* Defaults that don't look like land: relief and slopes that other operations have nothing to do
 * with. */
static void test_defaults(void **state)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        terrain_generate_spectral_params params = params_of(512);
        params.seed = seed;
        terrain_heightmap *map = spectral(0, 0, 512, 512, &params);
        const float *cells = terrain_heightmap_const_data(map);
        double slopes = 0;
        float low = INFINITY, high = -INFINITY;
        for (uint32_t i = 0; i < 511 * 512; i++) {
            low = cells[i] < low ? cells[i] : low;
            high = cells[i] > high ? cells[i] : high;
            slopes += hypot((double)(cells[i + 1] - cells[i]), (double)(cells[i + 512] - cells[i]));
        }
        assert_true(high - low > 60 && high - low < 130);
        assert_true(slopes / (511 * 512) > 0.3 && slopes / (511 * 512) < 1);
        terrain_heightmap_destroy(map);
    }
}

/* A crop of a map of several patterns that is not the map's. */
static void test_crops(void **state)
{
    terrain_generate_spectral_params params = params_of(512);
    expect_large_maps("generate_spectral", &params);
}

/* A pattern that the transform can't have. */
static void test_power_of_two(void **state)
{
    terrain_generate_spectral_params params = params_of(96);
    terrain_heightmap *map = test_map_of_size(8, 8, 0);
    assert_int_equal(terrain_generate_spectral(NULL, map, &params), TERRAIN_ERROR_RANGE);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slope),        cmocka_unit_test(test_isotropy),
        cmocka_unit_test(test_amplitude),    cmocka_unit_test(test_repeat),
        cmocka_unit_test(test_defaults),     cmocka_unit_test(test_crops),
        cmocka_unit_test(test_power_of_two),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
