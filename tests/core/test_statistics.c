/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards statistics: exactness, independence of order and tiles, special values, the histogram. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/wide.h"
#include "measure/statistics_kernels.h"
#include "support/check.h"
#include "terrain/statistics.h"

static terrain_statistics *new_statistics(uint32_t isa)
{
    terrain_context *context = test_context(isa, NULL, NULL, NULL);
    terrain_statistics *statistics = NULL;
    assert_int_equal(terrain_statistics_create(context, &statistics), TERRAIN_SUCCESS);
    terrain_context_destroy(context);
    return statistics;
}

static void add_cells(terrain_statistics *statistics, const float *cells, uint32_t width,
                      uint32_t height, size_t stride)
{
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap_const(NULL, cells, width, height, stride, &map),
                     TERRAIN_SUCCESS);
    assert_int_equal(terrain_statistics_add(NULL, statistics, map), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
}

/* Everything that the object tells, as bits. */
struct facts {
    uint64_t numbers[9];
};

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static struct facts facts_of(const terrain_statistics *s)
{
    struct facts facts = {{
        terrain_statistics_count(s),
        terrain_statistics_nan_count(s),
        terrain_statistics_infinite_count(s),
        bits_of((double)terrain_statistics_minimum(s)),
        bits_of((double)terrain_statistics_maximum(s)),
        bits_of(terrain_statistics_sum(s)),
        bits_of(terrain_statistics_mean(s)),
        bits_of(terrain_statistics_variance(s)),
        bits_of(terrain_statistics_standard_deviation(s)),
    }};
    return facts;
}

static void assert_facts(const terrain_statistics *s, double sum, double mean, double variance)
{
    assert_true(terrain_statistics_sum(s) == sum);
    assert_true(terrain_statistics_mean(s) == mean);
    assert_true(terrain_statistics_variance(s) == variance);
}

/* A sum that is rounded on the way, or a mean that is rounded twice. */
static void test_exact(void **state)
{
    static const float apart[] = {1e30f, 1, 0x1p-149f, -1e30f, 3, -0x1p-149f, 0x1p-60f};
    static const float thirds[] = {1, 0, 0};
    static const float far_away[] = {16777216, 16777216, 16777218, 16777222};
    static const float smallest[] = {0x1p-149f, 0x1p-148f};
    static const float largest[] = {0x1.fffffep127f, 0x1.fffffep127f, -0x1.fffffep127f};
    static const float equal[] = {0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f, 0.1f};
    terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
    add_cells(s, apart, 7, 1, 7);
    assert_true(terrain_statistics_sum(s) == 4 + 0x1p-60);
    assert_true(terrain_statistics_mean(s) == 4.0 / 7);
    terrain_statistics_reset(s);
    add_cells(s, thirds, 3, 1, 3);
    assert_facts(s, 1, 1.0 / 3, 2.0 / 9);
    terrain_statistics_reset(s);
    add_cells(s, far_away, 4, 1, 4);
    assert_facts(s, 67108872, 16777218, 6);
    terrain_statistics_reset(s);
    add_cells(s, smallest, 2, 1, 2);
    assert_facts(s, 0x3p-149, 0x3p-150, 0x1p-300);
    terrain_statistics_reset(s);
    add_cells(s, largest, 3, 1, 3);
    assert_facts(s, 0x1.fffffep127, 0x1.fffffep127 / 3, 0x1.fffffep127 * 0x1.fffffep127 / 9 * 8);
    terrain_statistics_reset(s);
    add_cells(s, equal, 7, 1, 7);
    assert_facts(s, 7 * (double)0.1f, (double)0.1f, 0);
    assert_true(terrain_statistics_standard_deviation(s) == 0);
    terrain_statistics_destroy(s);
}

/* A half that is not rounded to even, or a rest below it that is not seen. */
static void test_rounding(void **state)
{
    static const struct {
        float cells[3];
        double sum;
    } cases[] = {
        {{0x1p53f, 1, 0}, 0x1p53},
        {{0x1p53f, 3, 0}, 0x1p53 + 4},
        {{0x1p53f, 1, 0.5f}, 0x1p53 + 2},
        {{0x1p53f, 1, 0x1p-149f}, 0x1p53 + 2},
        {{0x1p53f, 3, -0x1p-149f}, 0x1p53 + 2},
        {{0x1p54f, -1, 0}, 0x1p54},
        {{0x1p54f, -1, -0x1p-149f}, 0x1p54 - 2},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
        add_cells(s, cases[i].cells, 3, 1, 3);
        assert_true(terrain_statistics_sum(s) == cases[i].sum);
        terrain_statistics_destroy(s);
    }
}

/* Sums of a full block that are not exact: against each cell by itself. */
static void test_blocks(void **state)
{
    for (int exponent = -149; exponent < 128; exponent += 23) {
        const struct statistics_slice slice = terrain__statistics_slice(exponent);
        test_random random = {(uint64_t)(exponent + 1000)};
        float cells[TERRAIN__STATISTICS_BLOCK];
        terrain__wide sum = {{0}}, squares = {{0}};
        for (int i = 0; i < TERRAIN__STATISTICS_BLOCK; i++) {
            /* Full mantissas, many of them near the top, few of them negative. */
            int below = i % 2 == 0 ? 0 : (int)test_below(&random, TERRAIN__STATISTICS_BINADES);
            double size = ldexp(2 - ldexp((double)test_below(&random, 99), -23), exponent - below);
            double cell = (double)(float)(i % 7 == 0 ? -size : size);
            cells[i] = (float)cell;
            terrain__wide_add_double(&sum, cell, 149);
            terrain__wide_add_double(&squares, cell * cell, 298);
        }
        for (uint32_t isa = 0; isa <= TERRAIN_ISA_AVX512; isa++) {
            terrain_context *context = test_context(isa, NULL, NULL, NULL);
            terrain__wide found = {{0}}, found_squares = {{0}};
            struct statistics_sums sums;
            terrain__statistics_kernels(terrain_context_isa(context))
                ->sum(cells, TERRAIN__STATISTICS_BLOCK, &slice, &sums);
            terrain__wide_add_double(&found, sums.sum, 149);
            terrain__wide_add_double(&found_squares, sums.squares_high, 298);
            terrain__wide_add_double(&found_squares, sums.squares_low, 298);
            assert_memory_equal(&found, &sum, sizeof sum);
            assert_memory_equal(&found_squares, &squares, sizeof squares);
            assert_int_equal(sums.below, 0);
            terrain_context_destroy(context);
        }
    }
}

/* A sum of squares that is wrong somewhere between the smallest and the largest float: each power
 * of two alone, and beside larger ones, where it comes in a later slice. */
static void test_binades(void **state)
{
    for (int e = -149; e < 128; e++) {
        float power = ldexpf(1, e);
        const float cells[] = {power, -power, power, -power};
        terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
        add_cells(s, cells, 4, 1, 4);
        assert_facts(s, 0, 0, ldexp(1, 2 * e));
        terrain_statistics_destroy(s);
    }
    float all[2 * 277];
    double squares = 0;
    terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
    for (int i = 0; i < 277; i++) {
        all[i] = ldexpf(1, i - 149);
        all[553 - i] = -all[i];
        squares += ldexp(2, 2 * (i - 149)); /* the last few decide the rounded sum */
    }
    add_cells(s, all, 554, 1, 554);
    assert_true(terrain_statistics_sum(s) == 0);
    assert_true(fabs(terrain_statistics_variance(s) / (squares / 554) - 1) < 1e-15);
    terrain_statistics_destroy(s);
}

/* Against plain double arithmetic over heights whose sums are exact there too. */
static void test_landscape(void **state)
{
    terrain_heightmap *map = test_map_of_size(300, 70, 5);
    terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
    const float *h = terrain_heightmap_const_data(map);
    double sum = 0, squares = 0, n = 300 * 70, low = INFINITY, high = -INFINITY;
    for (int i = 0; i < 300 * 70; i++) {
        double v = (double)h[i];
        sum += v;
        squares += v * v;
        low = v < low ? v : low;
        high = v > high ? v : high;
    }
    assert_int_equal(terrain_statistics_add(NULL, s, map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_statistics_count(s), 300 * 70);
    assert_true((double)terrain_statistics_minimum(s) == low);
    assert_true((double)terrain_statistics_maximum(s) == high);
    assert_true(fabs(terrain_statistics_sum(s) - sum) <= 1e-12 * fabs(sum));
    double variance = squares / n - sum / n * (sum / n);
    assert_true(fabs(terrain_statistics_variance(s) - variance) < 1e-10 * variance);
    terrain_statistics_destroy(s);
    terrain_heightmap_destroy(map);
}

/* Finite floats of any size; one cell in 16 is an infinity or NaN. */
static void fill_wild(float *cells, uint32_t count, uint64_t seed)
{
    static const float odd[] = {INFINITY, -INFINITY, NAN};
    test_random random = {seed};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t bits = (uint32_t)test_bits(&random);
        memcpy(&cells[i], &bits, sizeof bits);
        if (test_below(&random, 16) == 0) {
            cells[i] = odd[test_below(&random, 3)];
        }
    }
}

/* Another order, other tiles, another instruction set, or merging that gives other bits. */
static void test_order(void **state)
{
    enum { WIDTH = 203, HEIGHT = 41, COUNT = WIDTH * HEIGHT };
    float *cells = malloc(COUNT * sizeof *cells);
    float *shuffled = malloc(COUNT * sizeof *shuffled);
    assert_non_null(cells);
    assert_non_null(shuffled);
    fill_wild(cells, COUNT, 3);
    terrain_statistics *whole = new_statistics(TERRAIN_ISA_BASELINE);
    add_cells(whole, cells, WIDTH, HEIGHT, WIDTH);
    struct facts wanted = facts_of(whole);
    assert_true(terrain_statistics_infinite_count(whole) > COUNT / 32);
    for (uint64_t round = 0; round < 12; round++) {
        test_random random = {round};
        terrain_statistics *a = new_statistics((uint32_t)(round % 3));
        terrain_statistics *b = new_statistics((uint32_t)(round / 3 % 3));
        uint32_t cut = 1 + (uint32_t)test_below(&random, WIDTH - 1);
        add_cells(a, cells, cut, HEIGHT, WIDTH);
        add_cells(b, cells + cut, WIDTH - cut, HEIGHT, WIDTH);
        assert_int_equal(terrain_statistics_merge(b, a), TERRAIN_SUCCESS);
        struct facts merged = facts_of(b);
        assert_memory_equal(&merged, &wanted, sizeof wanted);
        terrain_statistics_reset(a);
        memcpy(shuffled, cells, COUNT * sizeof *cells);
        for (uint32_t i = COUNT - 1; i > 0; i--) {
            uint32_t k = (uint32_t)test_below(&random, i + 1);
            float swap = shuffled[i];
            shuffled[i] = shuffled[k];
            shuffled[k] = swap;
        }
        add_cells(a, shuffled, COUNT, 1, COUNT);
        struct facts mixed = facts_of(a);
        assert_memory_equal(&mixed, &wanted, sizeof wanted);
        terrain_statistics_destroy(a);
        terrain_statistics_destroy(b);
    }
    terrain_statistics_destroy(whole);
    free(cells);
    free(shuffled);
}

/* Cells that are not finite, or not there. */
static void test_special(void **state)
{
    static const float cells[] = {NAN, INFINITY, -INFINITY, -0.0f, 2, NAN};
    terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
    assert_true(isnan(terrain_statistics_minimum(s)) && isnan(terrain_statistics_maximum(s)));
    assert_true(isnan(terrain_statistics_mean(s)) && isnan(terrain_statistics_variance(s)));
    assert_true(isnan(terrain_statistics_standard_deviation(s)));
    assert_true(terrain_statistics_sum(s) == 0);
    add_cells(s, cells, 3, 1, 3);
    assert_int_equal(terrain_statistics_count(s), 0);
    assert_true(isnan(terrain_statistics_minimum(s)));
    add_cells(s, cells + 3, 3, 1, 3);
    assert_int_equal(terrain_statistics_count(s), 2);
    assert_int_equal(terrain_statistics_nan_count(s), 2);
    assert_int_equal(terrain_statistics_infinite_count(s), 2);
    assert_true(terrain_statistics_minimum(s) == 0 && !signbit(terrain_statistics_minimum(s)));
    assert_facts(s, 2, 1, 1);
    assert_true(terrain_statistics_standard_deviation(s) == 1);
    terrain_statistics_destroy(s);
    terrain_statistics_destroy(NULL);
    terrain_statistics_reset(NULL);
    assert_int_equal(terrain_statistics_count(NULL), 0);
    assert_true(isnan(terrain_statistics_mean(NULL)));
}

/* Extremes of nothing that count with those of cells: before the first cell, and after a reset.
 * Sums that forget cells below 0, or far below all above it. */
static void test_one_sign(void **state)
{
    static const float cells[] = {3, 5, -7, -2};
    static const float uneven[] = {0x1p-40f, -0x1p30f, 0x1p-41f, 0x1p30f - 64};
    for (int k = 0; k < 4; k++) {
        terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
        if (k >= 2) {
            add_cells(s, cells, 4, 1, 4);
            terrain_statistics_reset(s);
        }
        add_cells(s, cells + k % 2 * 2, 2, 1, 2);
        assert_true(terrain_statistics_minimum(s) == cells[k % 2 * 2]);
        assert_true(terrain_statistics_maximum(s) == cells[k % 2 * 2 + 1]);
        assert_true(terrain_statistics_sum(s) == (k % 2 == 0 ? 8 : -9));
        terrain_statistics_destroy(s);
    }
    terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
    add_cells(s, uneven, 3, 1, 3);
    add_cells(s, uneven + 3, 1, 1, 1);
    assert_true(terrain_statistics_sum(s) == -64 + 0x1.8p-40);
    terrain_statistics_destroy(s);
}

/* A cell in the wrong bin, or bins that don't merge. */
static void test_histogram(void **state)
{
    static const float cells[] = {-1,     -0.001f, 0,     0.999f, 1,        2.5f,
                                  3.999f, 4,       4.01f, NAN,    INFINITY, 3};
    static const uint64_t wanted[] = {2, 1, 1, 3};
    uint64_t bins[4] = {9, 9, 9, 9}, other_bins[4], short_bins[3];
    terrain_statistics *s = new_statistics(TERRAIN_ISA_BEST);
    terrain_statistics *t = new_statistics(TERRAIN_ISA_BEST);
    assert_int_equal(terrain_statistics_set_histogram(s, 0, 4, bins, 4), TERRAIN_SUCCESS);
    add_cells(s, cells, 12, 1, 12);
    assert_memory_equal(bins, wanted, sizeof wanted);
    assert_int_equal(terrain_statistics_merge(s, t), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_statistics_set_histogram(t, 0, 4, short_bins, 3), TERRAIN_SUCCESS);
    assert_int_equal(terrain_statistics_merge(s, t), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_statistics_set_histogram(t, 0, 4, other_bins, 4), TERRAIN_SUCCESS);
    add_cells(t, cells, 12, 1, 12);
    assert_int_equal(terrain_statistics_merge(s, t), TERRAIN_SUCCESS);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(bins[i], 2 * wanted[i]);
    }
    terrain_statistics_reset(s);
    assert_true(bins[0] + bins[1] + bins[2] + bins[3] == 0);
    assert_int_equal(terrain_statistics_set_histogram(t, 1, 4, other_bins, 4), TERRAIN_SUCCESS);
    assert_int_equal(terrain_statistics_merge(s, t), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_statistics_set_histogram(t, 0, 5, other_bins, 4), TERRAIN_SUCCESS);
    assert_int_equal(terrain_statistics_merge(s, t), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_statistics_set_histogram(s, -2, 6, bins, 4), TERRAIN_SUCCESS);
    add_cells(s, cells, 12, 1, 12);
    static const uint64_t elsewhere[] = {2, 3, 3, 2};
    assert_memory_equal(bins, elsewhere, sizeof elsewhere);
    assert_int_equal(terrain_statistics_set_histogram(s, -1e30f, 1e30f, bins, 4), TERRAIN_SUCCESS);
    assert_int_equal(terrain_statistics_set_histogram(s, 4, 4, bins, 4), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_statistics_set_histogram(s, 0, NAN, bins, 4), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_statistics_set_histogram(s, 0, 4, bins, 0), TERRAIN_ERROR_ARGUMENT);
    uint64_t *most = calloc(1 << 20, sizeof *most);
    assert_non_null(most);
    assert_int_equal(terrain_statistics_set_histogram(t, 0, 4, most, 1 << 20), TERRAIN_SUCCESS);
    assert_int_equal(terrain_statistics_set_histogram(t, 0, 4, most, (1 << 20) + 1),
                     TERRAIN_ERROR_ARGUMENT);
    free(most);
    assert_int_equal(terrain_statistics_set_histogram(s, 0, 0, NULL, 0), TERRAIN_SUCCESS);
    add_cells(s, cells, 12, 1, 12);
    assert_true(bins[0] + bins[1] + bins[2] + bins[3] == 0);
    terrain_statistics_destroy(s);
    terrain_statistics_destroy(t);
}

/* Bad calls; an allocator that has no memory, or does not get it all back. */
static void test_bad_calls(void **state)
{
    test_allocator allocator = {.fail_at = 2};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_statistics *s = (terrain_statistics *)&allocator;
    terrain_heightmap *map = test_map_of_size(3, 3, 1);
    assert_int_equal(terrain_statistics_create(context, &s), TERRAIN_ERROR_MEMORY);
    assert_null(s);
    assert_int_equal(terrain_statistics_create(context, &s), TERRAIN_SUCCESS);
    assert_int_equal(terrain_statistics_create(context, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_statistics_add(NULL, NULL, map), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_statistics_add(NULL, s, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_statistics_merge(s, s), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_statistics_merge(s, NULL), TERRAIN_ERROR_ARGUMENT);
    terrain_context_destroy(context);
    assert_int_equal(terrain_statistics_add(NULL, s, map), TERRAIN_SUCCESS);
    terrain_statistics_destroy(s);
    assert_int_equal(allocator.live, 0);
    assert_int_equal(allocator.faults, 0);
    terrain_heightmap_destroy(map);
}

/* The context's threads, and its wish to stop: every host gives the same sums, and a call that
 * fails leaves the object as it was. */
static void test_hosts(void **state)
{
    enum { BINS = 37 };
    terrain_heightmap *map = test_map_of_size(700, 500, 3);
    uint64_t bins[BINS], expected_bins[BINS];
    terrain_statistics *expected = new_statistics(TERRAIN_ISA_BEST);
    test_fill_heights(map, 9);
    test_sprinkle(map, 1, 50);
    terrain_statistics_set_histogram(expected, -50, 90, expected_bins, BINS);
    assert_int_equal(terrain_statistics_add(NULL, expected, map), TERRAIN_SUCCESS);
    for (int kind = 0; kind <= TEST_RUN_CANCEL; kind++) {
        test_runner runner = {.kind = kind, .limit = 3, .seed = 5};
        test_allocator allocator = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, &allocator, NULL);
        terrain_statistics *s = NULL;
        runner.context = context;
        assert_int_equal(terrain_statistics_create(context, &s), TERRAIN_SUCCESS);
        terrain_statistics_set_histogram(s, -50, 90, bins, BINS);
        terrain_status status = terrain_statistics_add(context, s, map);
        if (kind < TEST_RUN_FAIL) {
            assert_int_equal(status, TERRAIN_SUCCESS);
            assert_true(runner.tasks > 4);
            assert_true(terrain_statistics_sum(s) == terrain_statistics_sum(expected));
            assert_true(terrain_statistics_variance(s) == terrain_statistics_variance(expected));
            assert_true(terrain_statistics_minimum(s) == terrain_statistics_minimum(expected));
            assert_true(terrain_statistics_maximum(s) == terrain_statistics_maximum(expected));
            assert_int_equal(terrain_statistics_count(s), terrain_statistics_count(expected));
            assert_int_equal(terrain_statistics_nan_count(s),
                             terrain_statistics_nan_count(expected));
            assert_memory_equal(bins, expected_bins, sizeof bins);
        } else {
            assert_int_equal(status, kind == TEST_RUN_CANCEL ? TERRAIN_ERROR_CANCELLED
                                                             : TERRAIN_ERROR_RUNNER);
            assert_true(strncmp(terrain_context_message(context), "statistics_add: ", 16) == 0);
            assert_int_equal(terrain_statistics_count(s), 0);
            assert_int_equal(terrain_statistics_nan_count(s), 0);
            for (int i = 0; i < BINS; i++) {
                assert_int_equal(bins[i], 0);
            }
        }
        terrain_context_trim(context);
        allocator.fail_at = allocator.calls + 1;
        const uint64_t before = terrain_statistics_count(s);
        assert_int_equal(terrain_statistics_add(context, s, map), TERRAIN_ERROR_MEMORY);
        assert_int_equal(terrain_statistics_count(s), before);
        terrain_statistics_destroy(s);
        terrain_context_destroy(context);
        assert_true(allocator.live == 0 && allocator.faults == 0);
    }
    terrain_statistics_destroy(expected);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),     cmocka_unit_test(test_rounding),
        cmocka_unit_test(test_blocks),    cmocka_unit_test(test_binades),
        cmocka_unit_test(test_landscape), cmocka_unit_test(test_order),
        cmocka_unit_test(test_one_sign),  cmocka_unit_test(test_special),
        cmocka_unit_test(test_histogram), cmocka_unit_test(test_bad_calls),
        cmocka_unit_test(test_hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
