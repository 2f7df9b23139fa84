/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against random numbers that repeat, lean to one side, or show the lattice they come from:
 * near 0, at the signs of coordinates, at 32-bit words, and at the rims of the world. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/keys.h"
#include "support/check.h"
#include "vector/random.h"
#include "vector/random_vec.h"
#include "vector/vec.h"

static const int64_t places[] = {
    0,
    -1,
    -64,
    INT64_C(1) << 31,
    -(INT64_C(1) << 31),
    INT64_C(1) << 32,
    INT64_C(1) << 40,
    -(INT64_C(1) << 40),
    INT64_C(1) << 53,
    TERRAIN_WORLD_LIMIT - 64,
    -TERRAIN_WORLD_LIMIT,
};

enum { PLACES = sizeof places / sizeof places[0], SIDE = 128 };

/* Cells on both sides of a place. */
static uint32_t cell_at(uint64_t stream, size_t place_x, size_t place_y, int x, int y)
{
    return terrain__random_cell(stream, places[place_x] + x - SIDE / 2,
                                places[place_y] + y - SIDE / 2);
}

/* Values computed by another program: these functions are part of every result. */
static void test_pinned(void **state)
{
    uint64_t stream = terrain__random_stream(0, TERRAIN__KEY_test, 0);
    assert_int_equal(terrain__scramble(1), UINT64_C(0xB456BCFC34C2CB2C));
    assert_int_equal(stream, UINT64_C(0x47C74254D35E8B52));
    assert_int_equal(terrain__random_stream(7, TERRAIN__KEY_test, 3), UINT64_C(0xBB6CA0F26E4067CE));
    assert_int_equal(terrain__random_cell(stream, 0, 0), UINT32_C(0x9CAA96D8));
    assert_int_equal(terrain__random_cell(stream, -1, 0), UINT32_C(0x965566B3));
    assert_int_equal(terrain__random_cell(stream, 0, -1), UINT32_C(0x766EFA10));
    assert_int_equal(terrain__random_cell(stream, INT64_C(1) << 32, 5), UINT32_C(0x13721A78));
    assert_int_equal(terrain__random_cell(stream, -TERRAIN_WORLD_LIMIT, TERRAIN_WORLD_LIMIT - 1),
                     UINT32_C(0x3310803E));
    assert_true(terrain__unit_double(stream, 0) == (double)0x114F2686BB3B65 * 0x1p-53);
}

/* 16 counts of chi-square with 15 degrees of freedom: 60 is beyond 1e-6. */
static double chi_square(const uint32_t *counts, uint32_t buckets, uint32_t total)
{
    double expected = (double)total / buckets;
    double sum = 0;
    for (uint32_t i = 0; i < buckets; i++) {
        double off = counts[i] - expected;
        sum += off * off / expected;
    }
    return sum;
}

/* Numbers that lean to one side, in their high bits or their low ones. */
static void test_uniform(void **state)
{
    for (size_t k = 0; k < PLACES; k++) {
        uint32_t high[16] = {0};
        uint32_t low[16] = {0};
        uint64_t stream = terrain__random_stream(k, TERRAIN__KEY_test, 0);
        for (int y = 0; y < SIDE; y++) {
            for (int x = 0; x < SIDE; x++) {
                uint32_t bits = cell_at(stream, k, (k * 3 + 1) % PLACES, x, y);
                high[bits >> 28]++;
                low[bits & 15]++;
            }
        }
        assert_true(chi_square(high, 16, SIDE * SIDE) < 60);
        assert_true(chi_square(low, 16, SIDE * SIDE) < 60);
    }
}

/* Neighbours that know of each other: a pair of cells, rows, seeds, keys, draws. */
static double correlation(uint64_t stream_a, uint64_t stream_b, int dx, int dy, size_t place)
{
    double sum = 0;
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            double a = (double)terrain__signed_float(cell_at(stream_a, place, place, x, y));
            double b =
                (double)terrain__signed_float(cell_at(stream_b, place, place, x + dx, y + dy));
            sum += a * b;
        }
    }
    return 3 * sum / (SIDE * SIDE); /* 1 for equal numbers; deviation 1 / SIDE for unrelated */
}

/* Guards against random numbers that resemble those of neighbours, or of another seed, key or
 * draw. */
static void test_unrelated(void **state)
{
    static const int steps[][2] = {{1, 0}, {0, 1}, {1, 1}, {-1, 1}, {2, 0}, {16, 0}, {0, 64}};
    const double most = 5.0 / SIDE;
    for (size_t k = 0; k < PLACES; k++) {
        uint64_t stream = terrain__random_stream(9, TERRAIN__KEY_test, 0);
        for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
            assert_true(fabs(correlation(stream, stream, steps[i][0], steps[i][1], k)) < most);
        }
        uint64_t seed = terrain__random_stream(10, TERRAIN__KEY_test, 0);
        uint64_t key = terrain__random_stream(9, TERRAIN__KEY_test + 1, 0);
        uint64_t draw = terrain__random_stream(9, TERRAIN__KEY_test, 1);
        assert_true(fabs(correlation(stream, seed, 0, 0, k)) < most);
        assert_true(fabs(correlation(stream, key, 0, 0, k)) < most);
        assert_true(fabs(correlation(stream, draw, 0, 0, k)) < most);
        assert_true(correlation(stream, stream, 0, 0, k) > 0.9); /* the measure itself works */
    }
}

static uint32_t count_bits(uint32_t v)
{
    uint32_t count = 0;
    for (; v != 0; v &= v - 1) {
        count++;
    }
    return count;
}

/* An input bit that moves few output bits, or some output bit that it never moves. */
static void test_avalanche(void **state)
{
    enum { ROUNDS = 600 };
    for (int input = 0; input < 3 * 64; input++) {
        uint32_t flips[32] = {0};
        uint32_t total = 0;
        test_random random = {(uint64_t)input};
        for (int round = 0; round < ROUNDS; round++) {
            uint64_t in[3] = {test_bits(&random) >> (round % 60), test_bits(&random),
                              test_bits(&random)};
            uint64_t stream = terrain__random_stream(in[0], TERRAIN__KEY_test, 0);
            uint32_t before = terrain__random_cell(stream, (int64_t)in[1], (int64_t)in[2]);
            in[input / 64] ^= UINT64_C(1) << input % 64;
            stream = terrain__random_stream(in[0], TERRAIN__KEY_test, 0);
            uint32_t moved = before ^ terrain__random_cell(stream, (int64_t)in[1], (int64_t)in[2]);
            total += count_bits(moved);
            for (int bit = 0; bit < 32; bit++) {
                flips[bit] += moved >> bit & 1;
            }
        }
        /* 16 of 32 on average; each bit in about half of the rounds. */
        assert_in_range(total, 15 * ROUNDS, 17 * ROUNDS);
        for (int bit = 0; bit < 32; bit++) {
            assert_in_range(flips[bit], ROUNDS * 35 / 100, ROUNDS * 65 / 100);
        }
    }
}

static int compare_words(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A world that repeats: blocks at far places that are equal, or nearly so. */
static void test_no_repeats(void **state)
{
    enum { COUNT = PLACES * PLACES * 64 };
    static uint32_t all[COUNT];
    uint64_t stream = terrain__random_stream(3, TERRAIN__KEY_test, 0);
    uint32_t count = 0;
    uint32_t equal = 0;
    for (size_t py = 0; py < PLACES; py++) {
        for (size_t px = 0; px < PLACES; px++) {
            for (int i = 0; i < 64; i++) {
                /* Moved a little, so that 0 and -1 don't share cells. */
                int64_t x = places[px] + 300 + 11 * (int64_t)px + i % 8;
                int64_t y = places[py] + 300 + 11 * (int64_t)py + i / 8;
                all[count++] = terrain__random_cell(stream, x, y);
            }
        }
    }
    qsort(all, count, sizeof all[0], compare_words);
    for (uint32_t i = 1; i < count; i++) {
        equal += all[i] == all[i - 1];
    }
    assert_in_range(equal, 0, 3); /* 0.007 expected of 7744 numbers of 32 bits */
}

/* Every bit of a coordinate counts, also in two dimensions at once. */
static void test_every_word_enters(void **state)
{
    uint64_t stream = terrain__random_stream(0, TERRAIN__KEY_test, 0);
    for (int bit = 0; bit < 63; bit++) {
        int64_t far = INT64_C(1) << bit;
        uint32_t same_x = 0;
        uint32_t same_y = 0;
        uint32_t swapped = 0;
        for (int64_t i = 0; i < 64; i++) {
            same_x +=
                terrain__random_cell(stream, i + far, 0) == terrain__random_cell(stream, i, 0);
            same_y +=
                terrain__random_cell(stream, 0, i + far) == terrain__random_cell(stream, 0, i);
            swapped += terrain__random_cell(stream, i + far, i) ==
                       terrain__random_cell(stream, i, i + far);
        }
        /* i + far may be another i of the same run for small bits; but at equal i never. */
        assert_int_equal(same_x, 0);
        assert_int_equal(same_y, 0);
        assert_int_equal(swapped, 0);
    }
}

/* Floats outside their interval, or off their grid. */
static void test_conversions(void **state)
{
    test_random random = {1};
    assert_true(terrain__unit_float(0) == 0.0f);
    assert_true(terrain__unit_float(UINT32_MAX) == 1.0f - 0x1p-24f);
    assert_true(terrain__signed_float(0) == -1.0f);
    assert_true(terrain__signed_float(UINT32_MAX) == 1.0f - 0x1p-23f);
    double sum = 0;
    for (int i = 0; i < 10000; i++) {
        double u = terrain__unit_double(test_bits(&random), (uint64_t)i);
        assert_true(u >= 0 && u < 1);
        sum += u;
    }
    assert_true(fabs(sum / 10000 - 0.5) < 0.02);
}

/* Lanes that differ from the scalar function. */
static void test_lanes(void **state)
{
    test_random random = {4};
    for (int i = 0; i < 1000; i++) {
        uint32_t bits[VEC_LANES];
        float units[VEC_LANES];
        uint64_t column = test_bits(&random);
        uint32_t x = (uint32_t)test_bits(&random);
        vuint lanes = vu_random_bits(column, vu_set(x) + vu_lane());
        memcpy(bits, &lanes, sizeof bits);
        vf_store(units, vf_signed(lanes));
        for (uint32_t k = 0; k < VEC_LANES; k++) {
            assert_int_equal(bits[k], terrain__random_bits(column, x + k));
            assert_true(units[k] == terrain__signed_float(bits[k]));
        }
    }
}

/* Runs of columns that go on beyond those of one hash, or end before. */
static void test_runs(void **state)
{
    for (size_t i = 0; i < PLACES; i++) {
        for (int64_t x = places[i] - SIDE; x < places[i] + SIDE; x++) {
            const uint32_t run = terrain__random_run(x, 2 * SIDE);
            const uint64_t hash = terrain__random_column(7, x);
            assert_true(run > 0 && run <= 2 * SIDE);
            assert_true(terrain__random_column(7, x + run - 1) == hash);
            assert_true(run == 2 * SIDE || terrain__random_column(7, x + run) != hash);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pinned),      cmocka_unit_test(test_uniform),
        cmocka_unit_test(test_unrelated),   cmocka_unit_test(test_avalanche),
        cmocka_unit_test(test_no_repeats),  cmocka_unit_test(test_every_word_enters),
        cmocka_unit_test(test_conversions), cmocka_unit_test(test_lanes),
        cmocka_unit_test(test_runs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
