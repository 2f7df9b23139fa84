/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/operation.h"
#include "generate/generated.h"
#include "terrain/generate.h"

typedef terrain_generate_fault_lines_params params;

enum { PROFILES = 5 };

static params defaults(void)
{
    params p;
    terrain_generate_fault_lines_params_init(&p, sizeof p);
    return p;
}

/* Faults that are all equally high. */
static params constant(uint32_t count, float displacement)
{
    params p = defaults();
    p.count = count;
    p.displacement_first = displacement;
    p.displacement_last = displacement;
    return p;
}

static terrain_heightmap *generate(const params *p, int64_t x, int64_t y, uint32_t width,
                                   uint32_t height)
{
    terrain_window window = {x, y, width, height};
    return generated(NULL, "generate_fault_lines", p, &window);
}

/* Guards against a height that is there before the first fault. */
static void test_no_faults(void **state)
{
    for (uint32_t profile = 0; profile < PROFILES; profile++) {
        params p = constant(0, 1);
        p.profile = profile;
        terrain_heightmap *map = generate(&p, 0, 0, 40, 20);
        for (uint32_t i = 0; i < 800; i++) {
            assert_true(at(map, i % 40, i / 40) == 0);
        }
        terrain_heightmap_destroy(map);
    }
}

/* The column where a row of `last` less `before`, which has one fault less, changes. Fails if it is
 * not `low` or `high` everywhere, or changes twice. */
static uint32_t crossing(const terrain_heightmap *last, const terrain_heightmap *before, uint32_t y,
                         double low, double high)
{
    uint32_t width = terrain_heightmap_width(last);
    uint32_t changes = 0, column = width;
    double old = 0;
    for (uint32_t x = 0; x < width; x++) {
        double h = at(last, x, y) - at(before, x, y);
        assert_true(h == low || h == high);
        if (x > 0 && h != old) {
            changes++;
            column = x;
        }
        old = h;
    }
    assert_true(changes <= 1);
    return column;
}

/* Crossings of successive rows lie on a straight line, within the rounding to a cell. */
static void check_straight(const uint32_t *columns, uint32_t rows, uint32_t width)
{
    uint32_t first = 0, last = rows;
    while (first < last && columns[first] == width) {
        first++;
    }
    while (last > first && columns[last - 1] == width) {
        last--;
    }
    for (uint32_t y = first; y + 1 < last; y++) {
        double slope = ((double)columns[last - 1] - columns[first]) / (last - 1 - first);
        double expected = columns[first] + slope * (y - first);
        assert_true(columns[y] != width);
        assert_true(fabs(columns[y] - expected) <= 2);
    }
}

/* Guards against lines that are lost, bent or counted twice: each fault more changes every height
 * by the displacement, up on one side of a straight line and down on the other. */
static void test_each_fault_is_a_half_plane(void **state)
{
    enum { WIDTH = 300, HEIGHT = 150, COUNT = 60 };
    for (uint32_t variant = 0; variant < 4; variant++) {
        terrain_heightmap *before = NULL;
        bool one_sided = (variant & 1) != 0;
        for (uint32_t count = 0; count <= COUNT; count++) {
            params p = constant(count, 1);
            p.profile = one_sided ? TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP01
                                  : TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP;
            p.sampler = variant >> 1;
            terrain_heightmap *map = generate(&p, 0, 0, WIDTH, HEIGHT);
            if (before != NULL) {
                uint32_t columns[HEIGHT];
                for (uint32_t y = 0; y < HEIGHT; y++) {
                    columns[y] = crossing(map, before, y, one_sided ? 0 : -1, 1);
                }
                check_straight(columns, HEIGHT, WIDTH);
            }
            terrain_heightmap_destroy(before);
            before = map;
        }
        terrain_heightmap_destroy(before);
    }
}

static int compare(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* Guards against stray heights: n lines cut the plane into at most 1 + n (n + 1) / 2 pieces. */
static void test_few_plateaus(void **state)
{
    enum { SIZE = 200, COUNT = 12 };
    params p = defaults();
    p.count = COUNT;
    p.displacement_first = 3;
    p.displacement_last = 0.1f;
    terrain_heightmap *map = generate(&p, 0, 0, SIZE, SIZE);
    float *heights = malloc(SIZE * SIZE * sizeof *heights);
    assert_non_null(heights);
    memcpy(heights, terrain_heightmap_const_data(map), SIZE * SIZE * sizeof *heights);
    qsort(heights, SIZE * SIZE, sizeof *heights, compare);
    uint32_t distinct = 1;
    for (uint32_t i = 1; i < SIZE * SIZE; i++) {
        distinct += heights[i] != heights[i - 1];
    }
    assert_in_range(distinct, COUNT + 1, 1 + COUNT * (COUNT + 1) / 2);
    free(heights);
    terrain_heightmap_destroy(map);
}

/* Guards against profiles that leave [-1, 1], and displacements that don't go from first to
 * last. */
static void test_bounds_and_negation(void **state)
{
    for (uint32_t variant = 0; variant < 2 * PROFILES; variant++) {
        params p = defaults();
        p.profile = variant / 2;
        p.sampler = variant & 1;
        p.count = 100;
        p.displacement_first = 2;
        p.displacement_last = -1;
        double most = 0;
        for (uint32_t i = 0; i < 100; i++) {
            most += fabs(2 - 3 * i / 100.0);
        }
        terrain_heightmap *map = generate(&p, 0, 0, 130, 90);
        p.displacement_first = -2;
        p.displacement_last = 1;
        terrain_heightmap *negative = generate(&p, 0, 0, 130, 90);
        for (uint32_t i = 0; i < 130 * 90; i++) {
            assert_true(fabs(at(map, i % 130, i / 130)) <= most);
            assert_true(at(map, i % 130, i / 130) == -at(negative, i % 130, i / 130));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(negative);
    }
}

/* The distance from the line that a height of a single fault stands for, in cells; NaN where the
 * profile is flat. */
static double distance_of(uint32_t profile, double h, double half_width)
{
    if (profile == TERRAIN_GENERATE_FAULT_LINES_PROFILE_SINE) {
        return fabs(h) < 0.99 ? asin(h) * 2 * half_width / TEST_PI : (double)NAN;
    }
    if (h < 0.01 || h > 0.99) {
        return (double)NAN;
    }
    return profile == TERRAIN_GENERATE_FAULT_LINES_PROFILE_COSINE
               ? acos(2 * h - 1) * half_width / TEST_PI
               : half_width * sqrt(-2 * log(h));
}

/* Guards against a wrong profile or width: the distance that follows from the heights must be one,
 * grow by one a cell across the line, and not at all along it. */
static void test_smooth_profiles(void **state)
{
    for (uint32_t profile = TERRAIN_GENERATE_FAULT_LINES_PROFILE_SINE; profile < PROFILES;
         profile++) {
        uint32_t checked = 0;
        for (uint64_t seed = 0; seed < 20; seed++) {
            params p = constant(1, 1);
            p.profile = profile;
            p.seed = seed;
            p.half_width = 10 + 2 * (float)seed;
            terrain_heightmap *map = generate(&p, 0, 0, 120, 100);
            for (uint32_t i = 0; i < 119 * 99; i++) {
                double w = (double)p.half_width;
                double t = distance_of(profile, at(map, i % 119, i / 119), w);
                double dx = distance_of(profile, at(map, i % 119 + 1, i / 119), w) - t;
                double dy = distance_of(profile, at(map, i % 119, i / 119 + 1), w) - t;
                if (fabs(t) > 2 && dx == dx && dy == dy) {
                    assert_true(fabs(dx * dx + dy * dy - 1) < 0.01);
                    checked++;
                }
            }
            terrain_heightmap_destroy(map);
        }
        assert_true(checked > 10000);
    }
}

/* Guards against smooth faults along other lines than steps: far from the line they are equal. */
static void test_sine_becomes_step(void **state)
{
    for (uint64_t seed = 0; seed < 8; seed++) {
        params p = constant(1, 1);
        p.seed = seed;
        terrain_heightmap *step = generate(&p, 0, 0, 90, 70);
        p.profile = TERRAIN_GENERATE_FAULT_LINES_PROFILE_SINE;
        p.half_width = 0.5f;
        terrain_heightmap *sine = generate(&p, 0, 0, 90, 70);
        uint32_t different = 0;
        for (uint32_t i = 0; i < 90 * 70; i++) {
            double h = at(sine, i % 90, i / 90);
            different += h != at(step, i % 90, i / 90);
            assert_true(h * at(step, i % 90, i / 90) >= 0);
        }
        assert_in_range(different, 0, 2 * (90 + 70));
        terrain_heightmap_destroy(step);
        terrain_heightmap_destroy(sine);
    }
}

/* The mean squared difference of heights (dx, dy) cells apart. */
static double structure(const terrain_heightmap *map, uint32_t dx, uint32_t dy)
{
    uint32_t width = terrain_heightmap_width(map);
    uint32_t height = terrain_heightmap_height(map);
    double sum = 0;
    for (uint32_t y = 0; y + dy < height; y++) {
        for (uint32_t x = 0; x + dx < width; x++) {
            double difference = at(map, x + dx, y + dy) - at(map, x, y);
            sum += difference * difference;
        }
    }
    return sum / ((double)(width - dx) * (height - dy));
}

/* Guards against preferred places, directions and sides. Of lines without any, a share of
 * 2 r / perimeter parts two cells at distance r (Crofton), so that the mean squared difference is 4
 * d^2 n r / (width + height), whatever the direction, up to the largest distance: Hurst exponent
 * 1/2. */
static void test_even_lines(void **state)
{
    /* Heights far apart depend on few lines that cross long ones: their mean comes slowly. Bounds
     * are five standard errors. */
    static const struct {
        uint32_t dx, dy;
        double bound;
    } lags[] = {{3, 0, 0.02},   {0, 3, 0.02},  {12, 0, 0.04}, {0, 12, 0.04},
                {24, 32, 0.08}, {80, 0, 0.15}, {0, 80, 0.15}, {150, 0, 0.25}};
    enum { SEEDS = 250, LAGS = sizeof lags / sizeof lags[0] };
    double sums[LAGS] = {0};
    params p = constant(1500, 0.5f);
    for (p.seed = 0; p.seed < SEEDS; p.seed++) {
        terrain_heightmap *map = generate(&p, 0, 0, 200, 120);
        for (uint32_t i = 0; i < LAGS; i++) {
            sums[i] += structure(map, lags[i].dx, lags[i].dy) / SEEDS;
        }
        terrain_heightmap_destroy(map);
    }
    for (uint32_t i = 0; i < LAGS; i++) {
        double expected = 4 * 0.25 * 1500 * hypot(lags[i].dx, lags[i].dy) / (200 + 120);
        assert_true(fabs(sums[i] / expected - 1) < lags[i].bound);
    }
}

/* Guards against two samplers that are one: lines through two points crowd in the middle. */
static void test_two_points_crowd(void **state)
{
    double squares[2][2] = {{0}};
    for (uint32_t sampler = 0; sampler < 2; sampler++) {
        params p = constant(1000, 1);
        p.sampler = sampler;
        p.frame_width = 240;
        p.frame_height = 240;
        for (uint32_t middle = 0; middle < 2; middle++) {
            for (uint64_t seed = 0; seed < 8; seed++) {
                p.seed = seed;
                terrain_heightmap *map = generate(&p, middle * 100, middle * 100, 40, 40);
                for (uint32_t i = 0; i < 39 * 40; i++) {
                    double step = at(map, i % 39 + 1, i / 39) - at(map, i % 39, i / 39);
                    squares[sampler][middle] += step * step;
                }
                terrain_heightmap_destroy(map);
            }
        }
    }
    double even = squares[TERRAIN_GENERATE_FAULT_LINES_SAMPLER_ANGLE_OFFSET][1] /
                  squares[TERRAIN_GENERATE_FAULT_LINES_SAMPLER_ANGLE_OFFSET][0];
    double crowded = squares[TERRAIN_GENERATE_FAULT_LINES_SAMPLER_TWO_POINTS][1] /
                     squares[TERRAIN_GENERATE_FAULT_LINES_SAMPLER_TWO_POINTS][0];
    assert_true(even > 0.85 && even < 1.15);
    assert_true(crowded > 1.5);
}

/* Guards against seams where the work is cut, into strips of columns and bands of rows, and against
 * a world coordinate that loses its low bits: maps within the frame, across its rim, and as far
 * from it as the world allows. */
static void test_any_window_is_a_crop(void **state)
{
    static const int64_t origins[] = {-1300,
                                      0,
                                      (INT64_C(1) << 32) - 1150,
                                      -(INT64_C(1) << 40) - 7,
                                      (INT64_C(1) << 53) + 1,
                                      TERRAIN_WORLD_LIMIT - 2300,
                                      -TERRAIN_WORLD_LIMIT};
    static const int64_t away[] = {0, 700, 90000, INT64_C(1) << 31, (INT64_C(1) << 48) - 1000};
    test_random random = {12};
    for (uint32_t i = 0; i < 35; i++) {
        params p = defaults();
        int64_t x = origins[i % 7], y = origins[(i * 3 + 1) % 7];
        p.profile = i % PROFILES;
        p.sampler = i >> 1 & 1;
        p.count = 40;
        p.seed = i;
        p.half_width = i % 3 == 0 ? 5 : 300;
        p.frame_x = i % 11 == 10 ? -TERRAIN_WORLD_LIMIT : x + (x > 0 ? -1 : 1) * away[i / 7];
        p.frame_y = i % 11 == 9 ? TERRAIN_WORLD_LIMIT : y + (y > 0 ? -1 : 1) * away[i / 7];
        p.frame_width = 1 + (uint32_t)test_below(&random, 3000);
        p.frame_height = 1 + (uint32_t)test_below(&random, 300);
        terrain_heightmap *whole = generate(&p, x, y, 2299, 141);
        expect_crops("generate_fault_lines", &p, whole, &random, 6);
        terrain_heightmap_destroy(whole);
    }
}

/* Guards against rows of large maps, which are written past the caches, that lose their ends: the
 * map's rows begin at every place of a cache line. */
static void test_large_maps(void **state)
{
    params p = defaults();
    p.count = 50;
    p.frame_x = -30;
    p.frame_width = 2500;
    p.frame_height = 2500;
    expect_large_maps("generate_fault_lines", &p);
}

/* Guards against a frame that is taken from elsewhere where none is given, and against a result
 * that depends on where in the world the frame is. */
static void test_default_frame(void **state)
{
    params p = defaults();
    terrain_heightmap *unframed = generate(&p, -77, INT64_C(1) << 61, 140, 90);
    p.frame_x = -77;
    p.frame_y = INT64_C(1) << 61;
    p.frame_width = 140;
    p.frame_height = 90;
    terrain_heightmap *framed = generate(&p, p.frame_x, p.frame_y, 140, 90);
    assert_true(test_maps_equal(unframed, framed));
    p.frame_x = 5;
    p.frame_y = 6;
    terrain_heightmap *moved = generate(&p, 5, 6, 140, 90);
    assert_true(test_maps_equal(unframed, moved));
    terrain_heightmap_destroy(unframed);
    terrain_heightmap_destroy(framed);
    terrain_heightmap_destroy(moved);
}

/* Guards against half a frame, and against tiles of a world that each take their own. */
static void test_frame_rules(void **state)
{
    const terrain_operation *operation = terrain_operation_find("generate_fault_lines");
    terrain_window window = {0, 0, 4, 4};
    terrain_heightmap *map = test_map(&window);
    terrain_context *context = test_plain_context();
    params p = defaults();
    assert_non_null(operation->endless(&p));
    p.frame_width = 9;
    expect_refused(terrain_generate_fault_lines(context, map, &p), TERRAIN_ERROR_RANGE, context,
                   "frame_height");
    p.frame_height = 9;
    assert_int_equal(terrain_generate_fault_lines(context, map, &p), TERRAIN_SUCCESS);
    assert_null(operation->endless(&p));
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

/* Guards against sums that overflow or lose small faults, at both ends of the ranges. */
static void test_extreme_displacements(void **state)
{
    static const float displacements[] = {1e6f, 1e-6f, 1e-30f, 3};
    for (uint32_t i = 0; i < 4; i++) {
        params p = constant(65536, displacements[i]);
        p.profile = TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP01;
        terrain_heightmap *map = generate(&p, 0, 0, 7, 5);
        for (uint32_t k = 0; k < 35; k++) {
            /* A frame so small is crossed by every line: about half of them raise a cell. */
            double share = at(map, k % 7, k / 7) / 65536 / (double)displacements[i];
            assert_true(fabs(share - 0.5) < 0.02);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Guards against defaults that no erosion would touch, or that are all cliffs. */
static void test_default_relief(void **state)
{
    double relief = 0, slope = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        params p = defaults();
        p.seed = seed;
        terrain_heightmap *map = generate(&p, 0, 0, 512, 512);
        for (uint32_t i = 0; i < 512 * 511; i++) {
            const double fall = at(map, i % 512, i / 512 + 1) - at(map, i % 512, i / 512);
            slope += fabs(fall) / (512 * 511) / 6;
        }
        relief += relief_of(map) / 6;
        terrain_heightmap_destroy(map);
    }
    assert_true(relief > 64 && relief < 100);
    assert_true(slope > 0.3 && slope < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_faults),
        cmocka_unit_test(test_each_fault_is_a_half_plane),
        cmocka_unit_test(test_few_plateaus),
        cmocka_unit_test(test_bounds_and_negation),
        cmocka_unit_test(test_smooth_profiles),
        cmocka_unit_test(test_sine_becomes_step),
        cmocka_unit_test(test_even_lines),
        cmocka_unit_test(test_two_points_crowd),
        cmocka_unit_test(test_any_window_is_a_crop),
        cmocka_unit_test(test_large_maps),
        cmocka_unit_test(test_default_frame),
        cmocka_unit_test(test_frame_rules),
        cmocka_unit_test(test_extreme_displacements),
        cmocka_unit_test(test_default_relief),
    };
    return cmocka_run_group_tests_name("generate_fault_lines", tests, NULL, NULL);
}
