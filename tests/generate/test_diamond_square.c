/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "generate/generated.h"
#include "terrain/generate.h"

typedef terrain_generate_diamond_square_params params;

static params defaults(void)
{
    params p;
    terrain_generate_diamond_square_params_init(&p, sizeof p);
    return p;
}

static terrain_heightmap *generate(const params *p, int64_t x, int64_t y, uint32_t width,
                                   uint32_t height)
{
    terrain_window window = {x, y, width, height};
    return generated(NULL, "generate_diamond_square", p, &window);
}

static double interpolate(double t, double a, double b)
{
    return a + t * (b - a);
}

/* Guards against parents that are not the nearest ones, and against a wrong weight: without
 * displacements, edges that depend on their ends alone make the surface bilinear. */
static void test_bilinear(void **state)
{
    params p = defaults();
    p.gain = 0;
    p.spacing = 16;
    p.mode = TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_EDGE2;
    terrain_heightmap *map = generate(&p, -32, 48, 65, 49);
    for (uint32_t y = 0; y < 49; y++) {
        for (uint32_t x = 0; x < 65; x++) {
            uint32_t x0 = x / 16 * 16, y0 = y / 16 * 16;
            uint32_t x1 = x0 < 64 ? x0 + 16 : x0, y1 = y0 < 48 ? y0 + 16 : y0;
            double upper = interpolate((x - x0) / 16.0, at(map, x0, y0), at(map, x1, y0));
            double lower = interpolate((x - x0) / 16.0, at(map, x0, y1), at(map, x1, y1));
            assert_true(fabs(interpolate((y - y0) / 16.0, upper, lower) - at(map, x, y)) < 1e-4);
        }
    }
    terrain_heightmap_destroy(map);
}

/* Guards against old points that move: lattice points have the same heights whatever happens
 * between them, unless displace_all is set. */
static void test_lattice_stays(void **state)
{
    params p = defaults();
    p.spacing = 1;
    p.seed = 5;
    /* The lattice of spacing 1 has, at (x, y), the height that one of spacing 8 has at (8 x, 8
     * y). */
    terrain_heightmap *lattice = generate(&p, -3, 5, 9, 7);
    p.spacing = 8;
    for (uint32_t variant = 0; variant < 4; variant++) {
        p.mode = variant & 1;
        p.displace_all = variant >> 1;
        terrain_heightmap *map = generate(&p, -24, 40, 72, 56);
        uint32_t equal = 0;
        for (uint32_t y = 0; y < 7; y++) {
            for (uint32_t x = 0; x < 9; x++) {
                equal += at(map, 8 * x, 8 * y) == at(lattice, x, y);
            }
        }
        assert_int_equal(equal, variant < 2 ? 63 : 0);
        terrain_heightmap_destroy(map);
    }
    terrain_heightmap_destroy(lattice);
}

/* Guards against heights beyond the sum of all displacements, and amplitudes that don't shrink. */
static void test_bounds(void **state)
{
    for (uint32_t variant = 0; variant < 8; variant++) {
        params p = defaults();
        p.mode = variant & 1;
        p.distribution = variant >> 1 & 1;
        p.displace_all = variant >> 2;
        p.amplitude = 10;
        p.gain = 0.6f;
        p.seed = variant;
        double reach = p.distribution == TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM
                           ? 1
                           : 510.0 / 256;
        double most = 10;
        for (double amplitude = 6, step = 64; step >= 1; step /= 2, amplitude *= 0.6) {
            most += amplitude * (1 + sqrt(0.6));
        }
        terrain_heightmap *map = generate(&p, 0, 0, 257, 257);
        for (uint32_t i = 0; i < 257 * 257; i++) {
            assert_true(fabs(at(map, i % 257, i / 257)) <= most * reach);
        }
        terrain_heightmap_destroy(map);
    }
    params p = defaults();
    p.amplitude = 0;
    terrain_heightmap *flat = generate(&p, 0, 0, 33, 33);
    for (uint32_t i = 0; i < 33 * 33; i++) {
        assert_true(at(flat, i % 33, i / 33) == 0);
    }
    terrain_heightmap_destroy(flat);
}

/* Guards against a skewed or correlated random number: mean 0, variance 1/3, independent
 * neighbours, and the kurtosis of the distribution. */
static void test_distributions(void **state)
{
    enum { SIZE = 512 };
    static const double kurtosis[] = {1.8, 2.7}; /* of one, and of the sum of four: 3 - 1.2 / n */
    for (uint32_t distribution = 0; distribution < 2; distribution++) {
        params p = defaults();
        p.spacing = 1;
        p.amplitude = 1;
        p.distribution = distribution;
        terrain_heightmap *map = generate(&p, -256, -256, SIZE, SIZE);
        double sum = 0, squares = 0, fourths = 0, right = 0, below = 0;
        for (uint32_t y = 0; y + 1 < SIZE; y++) {
            for (uint32_t x = 0; x + 1 < SIZE; x++) {
                double h = at(map, x, y);
                sum += h;
                squares += h * h;
                fourths += h * h * h * h;
                right += h * at(map, x + 1, y);
                below += h * at(map, x, y + 1);
            }
        }
        /* Each bound is five standard errors or more. */
        double n = (SIZE - 1) * (SIZE - 1);
        assert_true(fabs(sum / n) < 0.006);
        assert_true(fabs(squares / n - 1.0 / 3) < 0.004);
        assert_true(fabs(fourths * n / (squares * squares) - kurtosis[distribution]) < 0.03);
        assert_true(fabs(right / n) < 0.004);
        assert_true(fabs(below / n) < 0.004);
        terrain_heightmap_destroy(map);
    }
}

/* The mean squared difference of cells `lag` apart. */
static double structure(const terrain_heightmap *map, uint32_t lag)
{
    uint32_t width = terrain_heightmap_width(map);
    uint32_t height = terrain_heightmap_height(map);
    double sum = 0;
    for (uint32_t y = 0; y + lag < height; y++) {
        for (uint32_t x = 0; x + lag < width; x++) {
            double right = at(map, x + lag, y) - at(map, x, y);
            double below = at(map, x, y + lag) - at(map, x, y);
            sum += right * right + below * below;
        }
    }
    return sum / (2.0 * (width - lag) * (height - lag));
}

/* Guards against displacements that shrink too fast or too slowly: with gain 2^-H the structure
 * function grows as the distance to the power 2 H. */
static void test_hurst_exponent(void **state)
{
    static const double exponents[] = {0.3, 0.5, 0.7};
    for (uint32_t i = 0; i < 6; i++) {
        double exponent = exponents[i / 2], slope = 0;
        for (uint64_t seed = 0; seed < 4; seed++) {
            params p = defaults();
            p.seed = seed;
            p.spacing = 4096; /* far from the differences measured, which have no end otherwise */
            p.gain = (float)pow(2, -exponent);
            p.displace_all = i & 1;
            terrain_heightmap *map = generate(&p, 0, 0, 512, 256);
            slope += log2(structure(map, 64) / structure(map, 8)) / 3 / 4;
            terrain_heightmap_destroy(map);
        }
        assert_true(fabs(slope - 2 * exponent) < 0.1);
    }
}

/* Guards against additions that are left out or have a wrong amplitude: with displace_all, every
 * level adds its own variance to the lattice's points. */
static void test_successive_additions(void **state)
{
    params p = defaults();
    double sum = 0, expected = 0;
    p.spacing = 8;
    p.amplitude = 3;
    p.gain = 0.75f;
    p.displace_all = 1;
    terrain_heightmap *map = generate(&p, 0, 0, 1024, 1024);
    for (uint32_t y = 0; y < 1024; y += 8) {
        for (uint32_t x = 0; x < 1024; x += 8) {
            sum += at(map, x, y) * at(map, x, y);
        }
    }
    for (double amplitude = 3, step = 8; step >= 1; step /= 2, amplitude *= 0.75) {
        expected += amplitude * amplitude / 3;
    }
    assert_true(fabs(sum / (128 * 128) / expected - 1) < 0.05); /* four standard errors */
    terrain_heightmap_destroy(map);
}

/* Guards against seams where the work is cut: into strips of columns, bands of rows, and where a
 * coordinate's high word changes; the maps are larger than all of these. */
static void test_any_window_is_a_crop(void **state)
{
    static const int64_t origins[] = {-1300, (INT64_C(1) << 32) - 1150, -(INT64_C(1) << 40) - 7,
                                      TERRAIN_WORLD_LIMIT - 2300, -TERRAIN_WORLD_LIMIT};
    static const uint32_t spacings[] = {128, 1, 2, 1024, 1u << 30};
    test_random random = {11};
    for (uint32_t i = 0; i < 5; i++) {
        params p = defaults();
        int64_t x = origins[i], y = origins[(i + 2) % 5];
        p.spacing = spacings[i];
        p.mode = i & 1;
        p.displace_all = i >> 1 & 1;
        terrain_heightmap *whole = generate(&p, x, y, 2299, 211);
        expect_crops("generate_diamond_square", &p, whole, &random, 10);
        terrain_heightmap_destroy(whole);
    }
}

/* Guards against rows of large maps, which are written past the caches, that lose their ends: the
 * map's rows begin at every place of a cache line. */
static void test_large_maps(void **state)
{
    params p = defaults();
    p.spacing = 64;
    expect_large_maps("generate_diamond_square", &p);
}

/* Guards against lost high words, which make the world repeat. */
static void test_nothing_repeats(void **state)
{
    static const int64_t shifts[] = {
        128, 1024, INT64_C(1) << 32, INT64_C(1) << 40, INT64_C(1) << 53, INT64_C(1) << 61};
    params p = defaults();
    p.spacing = 4;
    terrain_heightmap *here = generate(&p, 0, 0, 16, 16);
    for (uint32_t i = 0; i < 12; i++) {
        int64_t shift = shifts[i / 2];
        terrain_heightmap *there = generate(&p, i & 1 ? shift : 0, i & 1 ? 0 : shift, 16, 16);
        assert_true(equal_cells(here, there) < 3);
        terrain_heightmap_destroy(there);
    }
    terrain_heightmap_destroy(here);
}

/* Guards against defaults that no erosion would touch, or that are all cliffs. */
static void test_default_relief(void **state)
{
    double relief = 0, slope = 0;
    for (uint64_t seed = 0; seed < 4; seed++) {
        params p = defaults();
        p.seed = seed;
        terrain_heightmap *map = generate(&p, 0, 0, 512, 512);
        relief += relief_of(map) / 4;
        slope += sqrt(2 * structure(map, 1)) / 4;
        terrain_heightmap_destroy(map);
    }
    assert_true(relief > 64 && relief < 100);
    assert_true(slope > 0.3 && slope < 1);
}

/* Guards against a spacing between two powers of two that is silently rounded. */
static void test_spacing_is_a_power_of_two(void **state)
{
    terrain_window window = {0, 0, 4, 4};
    terrain_heightmap *map = test_map(&window);
    params p = defaults();
    terrain_context *context = test_plain_context();
    p.spacing = 96;
    expect_refused(terrain_generate_diamond_square(context, map, &p), TERRAIN_ERROR_RANGE, context,
                   "power of two");
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bilinear),
        cmocka_unit_test(test_lattice_stays),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_distributions),
        cmocka_unit_test(test_hurst_exponent),
        cmocka_unit_test(test_successive_additions),
        cmocka_unit_test(test_any_window_is_a_crop),
        cmocka_unit_test(test_large_maps),
        cmocka_unit_test(test_nothing_repeats),
        cmocka_unit_test(test_default_relief),
        cmocka_unit_test(test_spacing_is_a_power_of_two),
    };
    return cmocka_run_group_tests_name("generate_diamond_square", tests, NULL, NULL);
}
