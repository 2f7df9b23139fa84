/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against defaults that need an eye on them: erosion that wrecks plains, or leaves cliffs as
 * they were. Each operation gets the same rough slopes, from a plain of 0.02 to a cliff of 2, as
 * the only step. */

#include <math.h>

#include "support/check.h"
#include "terrain/erode.h"
#include "terrain/generate.h"

enum { SIZE = 256, CELLS = SIZE * SIZE };

/* Ground that rises towards greater x by `slope`, from `begin` to `end` and nowhere else, with
 * noise whose relief is a fourth of that. */
static terrain_heightmap *ground(float slope, int begin, int end)
{
    const terrain_window window = {0, 0, SIZE, SIZE};
    terrain_heightmap *map = test_map(&window);
    terrain_generate_noise_params noise;
    assert_int_equal(terrain_generate_noise_params_init(&noise, sizeof noise), TERRAIN_SUCCESS);
    noise.period = 64;
    noise.amplitude = slope * (float)(end - begin) / 8;
    noise.seed = 3;
    assert_int_equal(terrain_generate_noise(NULL, map, &noise), TERRAIN_SUCCESS);
    for (int i = 0; i < CELLS; i++) {
        int x = i % SIZE < begin ? begin : i % SIZE > end ? end : i % SIZE;
        terrain_heightmap_data(map)[i] += slope * (float)(x - begin);
    }
    return map;
}

struct effect {
    double relief;           /* highest less lowest, before */
    double mean, largest;    /* |after - before|, from begin to end, as a share of the relief */
    double slope, slope_was; /* mean there */
};

static double slope_at(const float *heights, int i)
{
    return hypot((double)(heights[i + 1] - heights[i]), (double)(heights[i + SIZE] - heights[i]));
}

static struct effect effect_of(const char *name, float slope, int begin, int end)
{
    terrain_heightmap *map = ground(slope, begin, end), *before = ground(slope, begin, end);
    const float *h = terrain_heightmap_const_data(map), *old = terrain_heightmap_const_data(before);
    const double count = (double)(SIZE - 1) * (end - begin);
    struct effect e = {0};
    double low = HUGE_VAL, high = -HUGE_VAL;
    assert_int_equal(terrain_operation_apply(NULL, terrain_operation_find(name), &map, 1, NULL),
                     TERRAIN_SUCCESS);
    for (int i = 0; i < CELLS; i++) {
        low = fmin(low, (double)old[i]);
        high = fmax(high, (double)old[i]);
        if (i % SIZE >= begin && i % SIZE < end && i / SIZE < SIZE - 1) {
            e.mean += fabs((double)(h[i] - old[i])) / count;
            e.largest = fmax(e.largest, fabs((double)(h[i] - old[i])));
            e.slope += slope_at(h, i) / count;
            e.slope_was += slope_at(old, i) / count;
        }
    }
    e.relief = high - low;
    e.mean /= e.relief;
    e.largest /= e.relief;
    print_message("%-19s slope %.3f to %.3f; of a relief of %.1f %.4f on average, %.4f at most\n",
                  name, e.slope_was, e.slope, e.relief, e.mean, e.largest);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(before);
    return e;
}

/* What defaults may do at most to plains, and do at least to cliffs; measured, and rounded. Drops
 * know the slope of a few cells: they leave some scoops where the noise on a plain of 0.04 is
 * steeper than 0.1. */
static const struct {
    const char *name;
    double plain_mean, plain_largest,
        plain_slope;                 /* at most; the slope is that of 0.02 afterwards */
    double cliff_mean, cliff_change; /* at least; of the relief, and of the slope */
} operations[] = {
    {"erode_thermal", 0, 0, 0.027, 0.02, 0.15},
    {"erode_shear", 1e-5, 0.03, 0.027, 0.05, 0.2},
    {"erode_shear_regions", 0, 0, 0.027, 0.15, 0.15},
    {"erode_hydraulic", 0.002, 0.015, 0.027, 0.012, 0.05},
};

/* A plain that is wrecked: a slope of 0.02 to 0.05 across the map. */
static void test_plains(void **state)
{
    for (int n = 0; n < 4; n++) {
        for (int k = 0; k < 2; k++) {
            const float slope = k == 0 ? 0.02f : 0.04f;
            struct effect e = effect_of(operations[n].name, slope, 0, SIZE - 1);
            assert_true(e.mean <= operations[n].plain_mean);
            assert_true(e.largest <= operations[n].plain_largest);
            assert_true(e.slope <= operations[n].plain_slope * (double)slope / 0.02);
        }
    }
}

/* A cliff that is left: slopes of 1.5 and 2 between plains, sixteen cells wide. */
static void test_cliffs(void **state)
{
    for (int n = 0; n < 4; n++) {
        for (int k = 0; k < 2; k++) {
            struct effect e = effect_of(operations[n].name, k == 0 ? 1.5f : 2, 120, 136);
            assert_true(e.mean >= operations[n].cliff_mean);
            assert_true(fabs(e.slope / e.slope_was - 1) >= operations[n].cliff_change);
        }
    }
}

/* Defaults that serve some slopes alone. Of large slopes, however steep, a small part of the relief
 * goes, and of steep ones something does. */
static void test_all_slopes(void **state)
{
    static const float slopes[] = {0.02f, 0.05f, 0.1f, 0.2f, 0.3f, 0.45f, 0.6f, 0.8f, 1, 1.4f, 2};
    for (int n = 0; n < 4; n++) {
        for (int k = 0; k < 11; k++) {
            struct effect e = effect_of(operations[n].name, slopes[k], 0, SIZE - 1);
            assert_true(e.mean <= 0.05 && e.largest <= 0.25);
            assert_true(slopes[k] < 0.6f || e.mean > 0.001);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plains),
        cmocka_unit_test(test_cliffs),
        cmocka_unit_test(test_all_slopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
