/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against operations that are each right alone, but not together: what theory says of a
 * filter on a random surface, and which way erosion moves the numbers that tell land from noise. */

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "support/maps.h"
#include "terrain/terrain.h"

/* ---- Filters on fault lines ------------------------------------------------------------------ */

enum { SIZE = 256, MARGIN = 48, SEEDS = 120, REACH = 40, FAULTS = 600 };

/* A filter's weights in one direction; the same in the other. */
struct weights {
    double at[2 * REACH + 1];
};

/* The weights of one cell that FIR smears both ways, far from the borders. */
static struct weights fir_weights(double erosion)
{
    struct weights weights;
    for (int k = -REACH; k <= REACH; k++) {
        weights.at[k + REACH] = (1 - erosion) / (1 + erosion) * pow(erosion, abs(k));
    }
    return weights;
}

static struct weights gaussian_weights(double sigma)
{
    struct weights weights;
    double sum = 0;
    for (int k = -REACH; k <= REACH; k++) {
        weights.at[k + REACH] = exp(-0.5 * k * k / (sigma * sigma));
        sum += weights.at[k + REACH];
    }
    for (int k = 0; k <= 2 * REACH; k++) {
        weights.at[k] /= sum;
    }
    return weights;
}

/* Sum over places of weight times weight `lag` farther. */
static double autocorrelation(const struct weights *weights, int lag)
{
    double sum = 0;
    for (int k = 0; k + abs(lag) <= 2 * REACH; k++) {
        sum += weights->at[k] * weights->at[k + abs(lag)];
    }
    return sum;
}

/* The mean squared difference of heights (dx, dy) apart of a surface where it is r (in any
 * direction), after the filter: with the autocorrelation A of its weights, the sum over shifts s of
 * A(s) (|d + s| - |s|). */
static double filtered_structure(const struct weights *weights, int dx, int dy)
{
    double line[4 * REACH + 1], sum = 0;
    for (int s = -2 * REACH; s <= 2 * REACH; s++) {
        line[s + 2 * REACH] = autocorrelation(weights, s);
    }
    for (int v = -2 * REACH; v <= 2 * REACH; v++) {
        for (int u = -2 * REACH; u <= 2 * REACH; u++) {
            sum +=
                line[u + 2 * REACH] * line[v + 2 * REACH] * (hypot(dx + u, dy + v) - hypot(u, v));
        }
    }
    return sum;
}

static double measured_structure(const terrain_heightmap *map, int dx, int dy)
{
    const float *cells = terrain_heightmap_const_data(map);
    double sum = 0, count = 0;
    for (int y = MARGIN; y + dy < SIZE - MARGIN; y++) {
        for (int x = MARGIN; x + dx < SIZE - MARGIN; x++) {
            double step = (double)cells[(y + dy) * SIZE + x + dx] - (double)cells[y * SIZE + x];
            sum += step * step;
            count++;
        }
    }
    return sum / count;
}

typedef void filter(terrain_heightmap *map);

static void no_filter(terrain_heightmap *map)
{
    (void)map;
}

static void fir_filter(terrain_heightmap *map)
{
    terrain_erode_fir_params params;
    terrain_erode_fir_params_init(&params, sizeof params);
    params.erosion = 0.6f;
    assert_int_equal(terrain_erode_fir(NULL, map, &params), TERRAIN_SUCCESS);
}

static void gaussian_filter(terrain_heightmap *map)
{
    terrain_blur_gaussian_params params;
    terrain_blur_gaussian_params_init(&params, sizeof params);
    params.sigma = 3;
    assert_int_equal(terrain_blur_gaussian(NULL, map, &params), TERRAIN_SUCCESS);
}

/* Over many seeds; lags of (1, 0), (0, 1), (3, 3), (0, 8), (16, 0) cells. */
static void expect_structure(filter *apply, const struct weights *weights)
{
    static const int lags[][2] = {{1, 0}, {0, 1}, {3, 3}, {0, 8}, {16, 0}};
    enum { LAGS = sizeof lags / sizeof lags[0] };
    double sums[LAGS] = {0};
    terrain_generate_fault_lines_params params;
    terrain_heightmap *map = NULL;
    terrain_generate_fault_lines_params_init(&params, sizeof params);
    params.count = FAULTS;
    params.displacement_first = params.displacement_last = 1;
    assert_int_equal(terrain_heightmap_create(NULL, SIZE, SIZE, &map), TERRAIN_SUCCESS);
    for (params.seed = 0; params.seed < SEEDS; params.seed++) {
        assert_int_equal(terrain_generate_fault_lines(NULL, map, &params), TERRAIN_SUCCESS);
        apply(map);
        for (int i = 0; i < LAGS; i++) {
            sums[i] += measured_structure(map, lags[i][0], lags[i][1]) / SEEDS;
        }
    }
    for (int i = 0; i < LAGS; i++) {
        /* 4 d^2 n / (width + height) for each cell of distance: see generate.h */
        double wanted =
            4.0 * FAULTS / (2 * SIZE) * filtered_structure(weights, lags[i][0], lags[i][1]);
        if (!(fabs(sums[i] / wanted - 1) < 0.04)) {
            fail_msg("%d,%d apart: %g, expected %g", lags[i][0], lags[i][1], sums[i], wanted);
        }
    }
    terrain_heightmap_destroy(map);
}

/* A filter whose weights, or a surface whose statistics, are others than they say. */
static void test_filters_on_faults(void **state)
{
    const struct weights one = gaussian_weights(0.01);
    const struct weights fir = fir_weights(0.6);
    const struct weights gaussian = gaussian_weights(3);
    expect_structure(no_filter, &one);
    expect_structure(fir_filter, &fir);
    expect_structure(gaussian_filter, &gaussian);
}

/* ---- Which way erosion moves the numbers ----------------------------------------------------- */

/* Of one map: the score, the share of cells steeper than 0.7, and pits in a thousand. */
struct numbers {
    double erosion;
    double steep;
    double pits;
};

static double steep_share(const terrain_heightmap *map)
{
    terrain_heightmap *slope = NULL;
    double steep = 0;
    assert_int_equal(terrain_heightmap_create(NULL, SIZE, SIZE, &slope), TERRAIN_SUCCESS);
    assert_int_equal(terrain_analyze_slope(NULL, map, slope, NULL), TERRAIN_SUCCESS);
    for (int i = 0; i < SIZE * SIZE; i++) {
        steep += terrain_heightmap_const_data(slope)[i] > 0.7f;
    }
    terrain_heightmap_destroy(slope);
    return steep / (SIZE * SIZE);
}

static double pit_share(const terrain_heightmap *map)
{
    const float *cells = terrain_heightmap_const_data(map);
    double pits = 0;
    for (int i = SIZE; i < SIZE * (SIZE - 1); i++) {
        bool low = i % SIZE > 0 && i % SIZE < SIZE - 1;
        for (int k = 0; k < 9 && low; k++) {
            low = k == 4 || cells[i] < cells[i + (k / 3 - 1) * SIZE + k % 3 - 1];
        }
        pits += low;
    }
    return pits / (SIZE * SIZE);
}

static struct numbers numbers_of(const char *recipe, uint64_t seed)
{
    struct numbers numbers;
    terrain_score *score = NULL;
    terrain_heightmap *map = test_map_of_recipe(recipe, SIZE, seed);
    assert_int_equal(terrain_score_create(NULL, NULL, &score), TERRAIN_SUCCESS);
    assert_int_equal(terrain_score_add(NULL, score, map, NULL), TERRAIN_SUCCESS);
    numbers.erosion = terrain_score_erosion(score);
    numbers.steep = steep_share(map);
    numbers.pits = pit_share(map);
    terrain_score_destroy(score);
    terrain_heightmap_destroy(map);
    return numbers;
}

#define BASE "map = generate_diamond_square\n"

/* Erosion that does the opposite of what it is for, on any of eight seeds. */
static void test_directions(void **state)
{
    for (uint64_t seed = 1; seed <= 8; seed++) {
        struct numbers base = numbers_of(BASE, seed);
        struct numbers thermal =
            numbers_of(BASE "map = erode_thermal map talus=0.6 iterations=400", seed);
        struct numbers flattened = numbers_of(BASE "map = erode_flatten map iterations=64", seed);
        struct numbers blurred = numbers_of(BASE "map = blur_gaussian map sigma=2", seed);
        struct numbers sheared = numbers_of(BASE "map = erode_shear_regions map", seed);
        struct numbers perturbed = numbers_of(BASE "map = shape_perturb map", seed);
        assert_true(base.steep > 0.1 && base.pits > 0.01);
        assert_true(thermal.steep < 0.7 * base.steep); /* the longest slopes take longer */
        assert_true(flattened.erosion > 1.25 * base.erosion);
        assert_true(flattened.pits < 0.5 * base.pits);
        assert_true(blurred.pits < 0.3 * base.pits && blurred.steep < base.steep);
        assert_true(sheared.erosion > 1.25 * base.erosion);
        assert_true(perturbed.erosion > 1.25 * base.erosion);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_filters_on_faults),
        cmocka_unit_test(test_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
