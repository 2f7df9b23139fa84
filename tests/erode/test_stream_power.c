/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against land on which water stands, rivers that are too steep for what they carry, and
 * outlets that move. */

#include <math.h>

#include "support/check.h"
#include "support/maps.h"
#include "terrain/erode.h"
#include "terrain/generate.h"

static terrain_erode_stream_power_params params_of(terrain_erode_stream_power_mode mode)
{
    terrain_erode_stream_power_params p;
    assert_int_equal(terrain_erode_stream_power_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.mode = mode;
    return p;
}

static void erode(terrain_heightmap *map, const terrain_erode_stream_power_params *p)
{
    assert_int_equal(terrain_erode_stream_power(NULL, map, p), TERRAIN_SUCCESS);
}

static terrain_heightmap *noise_of(uint32_t width, uint32_t height, uint64_t seed)
{
    terrain_heightmap *map = test_map_of_size(width, height, 0);
    terrain_generate_noise_params p;
    terrain_generate_noise_params_init(&p, sizeof p);
    p.seed = seed;
    assert_int_equal(terrain_generate_noise(NULL, map, &p), TERRAIN_SUCCESS);
    return map;
}

/* Pits, in either mode, whatever the land was, and an edge that moves. */
static void test_drains(void **state)
{
    for (uint32_t k = 0; k < 8; k++) {
        terrain_erode_stream_power_params p = params_of(k % 2);
        terrain_heightmap *map = noise_of(90 + 13 * k, 150 - 11 * k, k);
        terrain_heightmap *before = test_clone(map);
        const int64_t width = terrain_heightmap_width(map);
        const int64_t height = terrain_heightmap_height(map);
        p.slope_exponent = 1 + k / 2 % 2;
        p.iterations = 1 + k / 4;
        p.uplift_rate = k == 4 ? 0 : 0.05f;
        p.seed = k;
        erode(map, &p);
        for_each_cell(map, x, y) {
            if (x == 0 || y == 0 || x + 1 == width || y + 1 == height) {
                assert_true(test_at(map, x, y) == test_at(before, x, y));
            } else {
                assert_true(test_lowest_around(map, x, y) < test_at(map, x, y));
            }
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
    }
}

/* Rivers that move, that dam what lies below them, or from whose valleys water finds no way. */
static void test_rivers(void **state)
{
    for (uint32_t k = 0; k < 4; k++) {
        const terrain_window window = {700 + 300 * k, 400, 190, 170};
        terrain_erode_stream_power_params p = params_of(k % 2);
        terrain_heightmap *map = test_map(&window), *discharge = test_map(&window);
        terrain_heightmap *water = test_map(&window);
        terrain_generate_drainage_params land;
        terrain_generate_drainage_params_init(&land, sizeof land);
        land.discharge = discharge;
        assert_int_equal(terrain_generate_drainage(NULL, map, &land), TERRAIN_SUCCESS);
        terrain_heightmap *before = test_clone(map);
        p.sea = 0;
        p.rivers = discharge;
        p.river_discharge = 300;
        p.discharge = water;
        erode(map, &p);
        for_each_cell(map, x, y) {
            float river = test_at(discharge, x, y), old = test_at(before, x, y);
            bool edge = x == 0 || y == 0 || x + 1 == window.width || y + 1 == window.height;
            if (edge || river >= 300 || old <= 0) {
                assert_true(test_at(map, x, y) == old);
                assert_true(river < 300 || test_at(water, x, y) >= river);
            }
            if (!edge && test_at(map, x, y) > 0 && test_lowest_around(before, x, y) < old) {
                assert_true(test_lowest_around(map, x, y) < test_at(map, x, y));
            }
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(water);
        terrain_heightmap_destroy(discharge);
    }
}

/* Slopes that don't fall with the area as they were told to: concavity within 0.02, on rivers that
 * talus does not limit. */
static void test_slope_and_area(void **state)
{
    static const float concavities[] = {0.35f, 0.5f, 0.6f};
    for (int k = 0; k < 3; k++) {
        terrain_erode_stream_power_params p = params_of(TERRAIN_ERODE_STREAM_POWER_MODE_STEADY);
        terrain_heightmap *map = noise_of(300, 260, (uint64_t)k);
        terrain_heightmap *discharge = test_clone(map);
        double sums[5] = {0};
        p.concavity = concavities[k];
        p.talus = 100;
        p.iterations = 6;
        p.discharge = discharge;
        erode(map, &p);
        for (uint32_t y = 1; y < 259; y++) {
            for (uint32_t x = 1; x < 299; x++) {
                double area = (double)test_at(discharge, x, y), h = (double)test_at(map, x, y);
                double drop = h - (double)test_lowest_around(map, x, y);
                if (area > 50 && drop > 0) {
                    double u = log(area), v = log(drop);
                    sums[0] += 1;
                    sums[1] += u;
                    sums[2] += v;
                    sums[3] += u * u;
                    sums[4] += u * v;
                }
            }
        }
        double fall =
            -(sums[4] - sums[1] * sums[2] / sums[0]) / (sums[3] - sums[1] * sums[1] / sums[0]);
        print_message("concavity %.2f: slopes fall with area to %.3f\n", (double)concavities[k],
                      fall);
        assert_true(fabs(fall - (double)concavities[k]) < 0.02);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(discharge);
    }
}

/* A row of cells that drains to the sea at one end has the profile that can be summed by hand. */
static void test_profile(void **state)
{
    enum { LENGTH = 400 };
    for (uint32_t exponent = 1; exponent <= 2; exponent++) {
        terrain_erode_stream_power_params p = params_of(TERRAIN_ERODE_STREAM_POWER_MODE_STEADY);
        terrain_heightmap *map = test_map_of_size(LENGTH, 1, 0);
        double h = -1;
        for (uint32_t x = 0; x < LENGTH; x++) {
            *test_cell(map, x, 0) = x == 0 ? -1 : (float)x;
        }
        p.rim = TERRAIN_RIM_CLOSED;
        p.sea = 0;
        p.slope_exponent = exponent;
        p.uplift_rate = 0.04f;
        erode(map, &p);
        for (uint32_t x = 1; x < LENGTH; x++) {
            double slope = pow((double)(LENGTH - x), -(double)p.concavity);
            h += fmin(exponent == 2 ? sqrt(slope) : slope, (double)p.talus);
            assert_true(fabs((double)test_at(map, x, 0) - h) < 1e-5 * (2 + h));
        }
        assert_true(test_at(map, 0, 0) == -1);
        terrain_heightmap_destroy(map);
    }
}

/* Rain that counts as more than 1e6, or more water than 2^31 - 1 cells, where sums would no longer
 * fit. */
static void test_most_rain(void **state)
{
    enum { LENGTH = 4000 };
    terrain_erode_stream_power_params p = params_of(TERRAIN_ERODE_STREAM_POWER_MODE_STEADY);
    terrain_heightmap *map = test_map_of_size(LENGTH, 1, 0), *rain = test_map_of_size(LENGTH, 1, 0);
    for (uint32_t x = 0; x < LENGTH; x++) {
        *test_cell(map, x, 0) = x == 0 ? -1 : (float)x;
        *test_cell(rain, x, 0) = x % 2 == 0 ? 1e9f : INFINITY;
    }
    p.rim = TERRAIN_RIM_CLOSED;
    p.sea = 0;
    p.rain = rain;
    p.talus = 100;
    p.uplift_rate = 1000 * p.erosion_rate;
    erode(map, &p);
    for (uint32_t x = 1; x < LENGTH; x++) {
        const double area = fmin(1e6 * (double)(LENGTH - x), 0x1p31);
        const double slope = 1000 * pow(area, -(double)p.concavity);
        const double rise = (double)test_at(map, x, 0) - (double)test_at(map, x - 1, 0);
        assert_true(fabs(rise - slope) < 0.01 * slope);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(rain);
}

/* A step in a river's bed that walks upstream faster or slower than erosion_rate A^concavity. */
static void test_knickpoint(void **state)
{
    enum { LENGTH = 1000, STEPS = 200 };
    terrain_erode_stream_power_params p = params_of(TERRAIN_ERODE_STREAM_POWER_MODE_TRANSIENT);
    terrain_heightmap *map = test_map_of_size(LENGTH, 1, 0);
    uint32_t at = 0;
    double place = 0;
    for (uint32_t x = 0; x < LENGTH; x++) {
        *test_cell(map, x, 0) = x == 0 ? -10 : 10 + 0.001f * (float)x;
    }
    p.rim = TERRAIN_RIM_CLOSED;
    p.sea = 0;
    p.talus = 100;
    p.uplift_rate = 0;
    p.erosion_rate = 0.05f;
    p.concavity = 0.5f;
    p.iterations = STEPS;
    erode(map, &p);
    for (int k = 0; k < STEPS; k++) {
        place += 0.05 * sqrt(LENGTH - place);
    }
    while (at < LENGTH && test_at(map, at, 0) < 0) {
        at++;
    }
    print_message("knickpoint at %u, expected at %.0f\n", at, place);
    assert_true(fabs(at - place) < 0.03 * place);
    terrain_heightmap_destroy(map);
}

/* Sea, NaN and land without iterations that do not stay as they were, and NaN that spreads. */
static void test_stays(void **state)
{
    terrain_erode_stream_power_params p = params_of(TERRAIN_ERODE_STREAM_POWER_MODE_STEADY);
    terrain_heightmap *map = noise_of(120, 90, 4);
    terrain_heightmap *before;
    *test_cell(map, 60, 45) = NAN;
    *test_cell(map, 61, 45) = NAN;
    before = test_clone(map);
    p.iterations = 0;
    erode(map, &p);
    assert_true(test_maps_equal(map, before));
    p.iterations = 3;
    p.sea = 5;
    p.rim = TERRAIN_RIM_CLOSED;
    erode(map, &p);
    for_each_cell(map, x, y) {
        const float was = test_at(before, x, y), is = test_at(map, x, y);
        assert_true(isnan(was) == isnan(is));
        assert_true(!(was <= 5) || is == was);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_drains),         cmocka_unit_test(test_rivers),
        cmocka_unit_test(test_slope_and_area), cmocka_unit_test(test_profile),
        cmocka_unit_test(test_knickpoint),     cmocka_unit_test(test_stays),
        cmocka_unit_test(test_most_rain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
