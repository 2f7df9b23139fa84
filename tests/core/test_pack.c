/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards packing: rounding, cutting, what is written and what not, and the way back. */

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "terrain/pack.h"

static terrain_heightmap *row_of(float *heights, uint32_t width)
{
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap(NULL, heights, width, 1, width, &map), TERRAIN_SUCCESS);
    return map;
}

/* A rounding other than halves upwards; NaN or infinity that is converted to a whole number. */
static void test_known_values(void **state)
{
    float heights[] = {0,   0.49f, 0.5f,  1.5f, 2.5f,     254.49f,   254.5f, 255,
                       300, -1,    -0.0f, NAN,  INFINITY, -INFINITY, 3e38f,  1e-42f};
    static const uint8_t small[] = {0, 0, 1, 2, 3, 254, 255, 255, 255, 0, 0, 0, 255, 0, 255, 0};
    static const uint16_t large[] = {0,   0, 1, 2, 3,     254, 255,   255,
                                     300, 0, 0, 0, 65535, 0,   65535, 0};
    enum { COUNT = sizeof heights / sizeof heights[0] };
    terrain_heightmap *map = row_of(heights, COUNT);
    uint8_t bytes[COUNT];
    uint16_t words[COUNT];
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 0, 255, bytes, COUNT), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_pack_u16(NULL, map, 0, 65535, words, COUNT),
                     TERRAIN_SUCCESS);
    assert_memory_equal(bytes, small, sizeof small);
    assert_memory_equal(words, large, sizeof large);
    terrain_heightmap_destroy(map);
    /* The same in vectors: a row of these numbers, over and over. */
    float row[5 * COUNT];
    uint8_t packed[5 * COUNT];
    for (int i = 0; i < 5 * COUNT; i++) {
        row[i] = heights[i % COUNT];
    }
    map = row_of(row, 5 * COUNT);
    terrain_heightmap_pack_u8(NULL, map, 0, 255, packed, 5 * COUNT);
    for (int i = 0; i < 5; i++) {
        assert_memory_equal(packed + i * COUNT, small, sizeof small);
    }
    terrain_heightmap_destroy(map);
}

/* A range that is turned over, or narrow, or far from 0. */
static void test_ranges(void **state)
{
    float heights[] = {10, 20, 15, 9, 21};
    static const uint8_t down[] = {255, 0, 128, 255, 0};
    terrain_heightmap *map = row_of(heights, 5);
    uint8_t bytes[5];
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 20, 10, bytes, 5), TERRAIN_SUCCESS);
    assert_memory_equal(bytes, down, sizeof down);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 15, nextafterf(15, 16), bytes, 5),
                     TERRAIN_SUCCESS);
    static const uint8_t step[] = {0, 255, 0, 0, 255};
    assert_memory_equal(bytes, step, sizeof step);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, -1e30f, 1e30f, bytes, 5),
                     TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
}

/* A number that does not survive the way to heights and back, or ends that are not hit. */
static void test_round_trip(void **state)
{
    static const float ranges[][2] = {
        {0, 1}, {-7.25f, 1000}, {236, 1076}, {50, -50}, {1e-20f, 3e-20f}};
    enum { SIDE = 256 };
    uint16_t *words = malloc(SIDE * SIDE * sizeof *words);
    uint16_t *again = malloc(SIDE * SIDE * sizeof *again);
    uint8_t bytes[SIDE], bytes_again[SIDE];
    terrain_heightmap *map = NULL, *row = NULL;
    assert_non_null(words);
    assert_non_null(again);
    assert_int_equal(terrain_heightmap_create(NULL, SIDE, SIDE, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_create(NULL, SIDE, 1, &row), TERRAIN_SUCCESS);
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        words[i] = (uint16_t)i;
        bytes[i % SIDE] = (uint8_t)i;
    }
    for (size_t i = 0; i < sizeof ranges / sizeof ranges[0]; i++) {
        float low = ranges[i][0], high = ranges[i][1];
        const float *heights = terrain_heightmap_const_data(map);
        assert_int_equal(terrain_heightmap_unpack_u16(NULL, words, SIDE, low, high, map),
                         TERRAIN_SUCCESS);
        assert_true(heights[0] == low && heights[SIDE * SIDE - 1] == high);
        assert_int_equal(terrain_heightmap_pack_u16(NULL, map, low, high, again, SIDE),
                         TERRAIN_SUCCESS);
        assert_memory_equal(words, again, SIDE * SIDE * sizeof *words);
        assert_int_equal(terrain_heightmap_unpack_u8(NULL, bytes, SIDE, low, high, row),
                         TERRAIN_SUCCESS);
        assert_int_equal(terrain_heightmap_pack_u8(NULL, row, low, high, bytes_again, SIDE),
                         TERRAIN_SUCCESS);
        assert_memory_equal(bytes, bytes_again, sizeof bytes);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(row);
    free(words);
    free(again);
}

/* An instruction set whose vectors or tails differ; a write past the width. */
static void test_instruction_sets(void **state)
{
    enum { STRIDE = 150, ROWS = 3 };
    for (uint32_t width = 1; width <= 140; width += width < 70 ? 1 : 7) {
        const float low = width % 2 == 0 ? -20 : 0; /* from 0 there is a way of its own */
        terrain_heightmap *map = test_map_of_size(width, ROWS, width);
        uint8_t bytes[3][STRIDE * ROWS];
        uint16_t words[3][STRIDE * ROWS];
        test_sprinkle(map, width, 9);
        for (uint32_t isa = 0; isa <= TERRAIN_ISA_AVX512; isa++) {
            terrain_context *context = test_context(isa, NULL, NULL, NULL);
            memset(bytes[isa], 0xA5, sizeof bytes[isa]);
            memset(words[isa], 0xA5, sizeof words[isa]);
            terrain_heightmap_pack_u8(context, map, low, 30, bytes[isa], STRIDE);
            terrain_heightmap_pack_u16(context, map, -20, 30, words[isa], STRIDE);
            assert_memory_equal(bytes[0], bytes[isa], sizeof bytes[0]);
            assert_memory_equal(words[0], words[isa], sizeof words[0]);
            terrain_context_destroy(context);
        }
        for (uint32_t i = 0; i < STRIDE * ROWS; i++) {
            if (i % STRIDE >= width) {
                assert_int_equal(bytes[0][i], 0xA5);
                assert_int_equal(words[0][i], 0xA5A5);
            }
        }
        for (int wide = 0; wide < 2; wide++) {
            float cells[STRIDE * ROWS];
            terrain_heightmap *back = NULL;
            for (uint32_t i = 0; i < STRIDE * ROWS; i++) {
                cells[i] = 1e9F;
            }
            terrain_heightmap_wrap(NULL, cells, width, ROWS, STRIDE, &back);
            assert_int_equal(
                wide ? terrain_heightmap_unpack_u16(NULL, words[0], STRIDE, -20, 30, back)
                     : terrain_heightmap_unpack_u8(NULL, bytes[0], STRIDE, low, 30, back),
                TERRAIN_SUCCESS);
            for (uint32_t i = 0; i < STRIDE * ROWS; i++) {
                assert_true((cells[i] == 1e9F) == (i % STRIDE >= width));
            }
            terrain_heightmap_destroy(back);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Rows that a runner left out, or a result that depends on it: with every runner, even one that
 * fails, and after a cancel, the whole buffer is written, and so is the map on the way back. */
static void test_runners(void **state)
{
    enum { WIDTH = 700, HEIGHT = 400, CELLS = WIDTH * HEIGHT };
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 3);
    terrain_heightmap *back = test_map_of_size(WIDTH, HEIGHT, 4);
    uint8_t *wanted = malloc(CELLS);
    uint8_t *bytes = malloc(CELLS);
    uint64_t wanted_hash;
    assert_true(wanted != NULL && bytes != NULL);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, -20, 30, wanted, WIDTH), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_unpack_u8(NULL, wanted, WIDTH, -20, 30, back),
                     TERRAIN_SUCCESS);
    wanted_hash = terrain_heightmap_hash(back);
    for (int kind = TEST_RUN_SERIAL; kind <= TEST_RUN_CANCEL; kind++) {
        test_runner runner = {.kind = kind, .limit = 2};
        terrain_context *context = test_context(TERRAIN_ISA_AVX512, &runner, NULL, NULL);
        runner.context = context;
        memset(bytes, 0xA5, CELLS);
        test_fill_heights(back, 4);
        assert_int_equal(terrain_heightmap_pack_u8(context, map, -20, 30, bytes, WIDTH),
                         TERRAIN_SUCCESS);
        assert_memory_equal(bytes, wanted, CELLS);
        assert_true(runner.tasks > 1);
        runner.tasks = 0;
        assert_int_equal(terrain_heightmap_unpack_u8(context, wanted, WIDTH, -20, 30, back),
                         TERRAIN_SUCCESS);
        assert_true(terrain_heightmap_hash(back) == wanted_hash);
        terrain_context_destroy(context);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(back);
    free(wanted);
    free(bytes);
}

/* A channel with another byte than packing its map alone gives; a byte that is written though its
 * map is NULL, or behind the rows: for each count and choice of maps, each instruction set, and
 * widths on both sides of what is packed at a time. */
static void test_channels(void **state)
{
    static const float lows[] = {-20, 0, 30, -1}, highs[] = {30, 10, -20, 1};
    static const uint32_t widths[] = {1, 2, 5, 31, 70, 512, 1100};
    enum { ROWS = 3, STRIDE = 4 * 1100 + 9 };
    for (uint32_t choice = 1; choice < 5 * 16 * 7; choice++) {
        const uint32_t count = choice % 5, given = choice / 5 % 16 & ((1u << count) - 1),
                       width = widths[choice / 80];
        uint8_t alone[4][ROWS * 1100], bytes[ROWS * STRIDE];
        const terrain_heightmap *maps[4] = {NULL};
        terrain_heightmap *made[4] = {NULL};
        for (uint32_t k = 0; k < count; k++) {
            made[k] = test_map_of_size(width, ROWS, width + k);
            test_sprinkle(made[k], width, 9);
            terrain_heightmap_pack_u8(NULL, made[k], lows[k], highs[k], alone[k], width);
            maps[k] = given >> k & 1 ? made[k] : NULL;
        }
        for (uint32_t isa = 0; isa <= TERRAIN_ISA_AVX512 && given != 0; isa++) {
            terrain_context *context = test_context(isa, NULL, NULL, NULL);
            memset(bytes, 0xA5, sizeof bytes);
            assert_int_equal(terrain_heightmap_pack_channels_u8(context, maps, lows, highs, count,
                                                                bytes, STRIDE),
                             TERRAIN_SUCCESS);
            for (uint32_t i = 0; i < ROWS * STRIDE; i++) {
                const uint32_t x = i % STRIDE / count, y = i / STRIDE, k = i % STRIDE % count;
                const bool written = x < width && maps[k] != NULL;
                assert_int_equal(bytes[i], written ? alone[k][y * width + x] : 0xA5);
            }
            terrain_context_destroy(context);
        }
        for (uint32_t k = 0; k < count; k++) {
            terrain_heightmap_destroy(made[k]);
        }
    }
}

/* Channels of large maps, which go past the caches where all are given, and on threads; ranges
 * that are not those of masks if none are given. */
static void test_large_channels(void **state)
{
    enum { WIDTH = 2051, HEIGHT = 4100, CELLS = WIDTH * HEIGHT, STRIDE = 4 * WIDTH };
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 5);
    uint8_t *alone = malloc(CELLS), *bytes = malloc((size_t)STRIDE * HEIGHT);
    test_runner runner = {.kind = TEST_RUN_REVERSE};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
    const terrain_heightmap *maps[] = {map, map, map, map};
    assert_true(alone != NULL && bytes != NULL);
    terrain_heightmap_pack_u8(NULL, map, 0, 1, alone, WIDTH);
    for (uint32_t without = 3; without <= 4; without++) {
        if (without < 4) {
            maps[without] = NULL;
        }
        memset(bytes, 0xA5, (size_t)STRIDE * HEIGHT);
        assert_int_equal(
            terrain_heightmap_pack_channels_u8(context, maps, NULL, NULL, 4, bytes, STRIDE),
            TERRAIN_SUCCESS);
        bool equal = true;
        for (size_t i = 0; i < (size_t)STRIDE * HEIGHT; i++) {
            equal = equal && bytes[i] == (i % 4 == without ? 0xA5 : alone[i / 4]);
        }
        assert_true(equal && runner.tasks > 1);
        maps[3] = map;
    }
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
    free(alone);
    free(bytes);
}

/* Calls of channels that are not refused, or whose message does not tell which map is meant. */
static void test_bad_channels(void **state)
{
    static const float lows[] = {0, 0, 2}, highs[] = {1, 1, 2};
    static const uint8_t same[] = {0xA5, 0xA5, 0xA5, 0xA5};
    terrain_heightmap *map = test_map_of_size(8, 4, 1), *wide = test_map_of_size(9, 4, 1);
    terrain_context *context = test_plain_context();
    const terrain_heightmap *good[] = {map, NULL, map, map}, *bad[] = {NULL, map, wide},
                            *none[] = {NULL, NULL};
    uint8_t bytes[3 * 8 * 4];
    memset(bytes, 0xA5, sizeof bytes);
    const struct {
        const terrain_heightmap *const *maps;
        const float *lows, *highs;
        uint32_t count;
        uint8_t *buffer;
        size_t stride;
        terrain_status status;
        const char *message;
    } cases[] = {
        {NULL, NULL, NULL, 3, bytes, 24, TERRAIN_ERROR_ARGUMENT, "maps is NULL"},
        {none, NULL, NULL, 2, bytes, 24, TERRAIN_ERROR_ARGUMENT, "all maps are NULL"},
        {good, NULL, NULL, 3, NULL, 24, TERRAIN_ERROR_ARGUMENT, "buffer is NULL"},
        {good, NULL, NULL, 0, bytes, 24, TERRAIN_ERROR_RANGE, "count is 0, must be in [1, 4]"},
        {good, NULL, NULL, 5, bytes, 24, TERRAIN_ERROR_RANGE, "count is 5, must be in [1, 4]"},
        {good, NULL, NULL, 3, bytes, 23, TERRAIN_ERROR_ARGUMENT,
         "stride is 23, must be at least count times the maps' width, 24"},
        {good, NULL, NULL, 3, bytes, SIZE_MAX, TERRAIN_ERROR_ARGUMENT, "stride is too large"},
        {bad, NULL, NULL, 3, bytes, 27, TERRAIN_ERROR_ARGUMENT,
         "maps[2]: 9x4, the first map is 8x4: sizes must be equal"},
        {good, lows, highs, 3, bytes, 24, TERRAIN_ERROR_RANGE,
         "maps[2]: low and high are both 2, must differ"},
        {good, NULL, NULL, 3, (uint8_t *)(terrain_heightmap_data(map) + 31), 24,
         TERRAIN_ERROR_ALIAS, "buffer overlaps map"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(terrain_heightmap_pack_channels_u8(context, cases[i].maps, cases[i].lows,
                                                            cases[i].highs, cases[i].count,
                                                            cases[i].buffer, cases[i].stride),
                         cases[i].status);
        assert_string_equal(strstr(terrain_context_message(context), ": ") + 2, cases[i].message);
        assert_memory_equal(bytes, same, sizeof same);
    }
    assert_int_equal(terrain_heightmap_pack_channels_u8(context, good, lows, NULL, 2, bytes, 16),
                     TERRAIN_SUCCESS);
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(wide);
}

/* Cells that are lost on the way past the caches, which large maps take unless the buffer or one of
 * its rows begins where no float could. */
static void test_large(void **state)
{
    enum { WIDTH = 4103, HEIGHT = 4100, AROUND = WIDTH + 1, BESIDE = WIDTH + 2 };
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 5);
    uint8_t *past = calloc(HEIGHT, AROUND);
    uint8_t *through = calloc(HEIGHT, BESIDE);
    assert_true(past != NULL && through != NULL && AROUND % 4 == 0 && BESIDE % 4 != 0);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, -20, 30, past, AROUND), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, -20, 30, through, BESIDE),
                     TERRAIN_SUCCESS);
    for (size_t y = 0; y < HEIGHT; y++) {
        assert_memory_equal(past + y * AROUND, through + y * BESIDE, WIDTH);
        assert_int_equal(past[y * AROUND + WIDTH], 0);
    }
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, -20, 30, through + 1, AROUND),
                     TERRAIN_SUCCESS);
    for (size_t y = 0; y < HEIGHT; y++) {
        assert_memory_equal(past + y * AROUND, through + 1 + y * AROUND, WIDTH);
    }
    terrain_heightmap_destroy(map);
    free(past);
    free(through);
}

/* A buffer that is refused for the map before or behind it, or taken though it holds the last cells
 * of a map with a stride; the stride of a single row. */
static void test_beside_the_map(void **state)
{
    float cells[9] = {0, 1, 2, 3, 4, 5, 6, 7, 8};
    static const uint8_t packed[] = {1, 2, 3, 4};
    terrain_heightmap *map = row_of(cells + 1, 4);
    uint8_t *before = (uint8_t *)cells, *behind = (uint8_t *)(cells + 5);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 0, 255, before, 4), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 0, 255, behind, SIZE_MAX),
                     TERRAIN_SUCCESS);
    assert_memory_equal(before, packed, sizeof packed);
    assert_memory_equal(behind, packed, sizeof packed);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 0, 255, behind - 1, 4),
                     TERRAIN_ERROR_ALIAS);
    terrain_heightmap_destroy(map);
    float padded[13] = {0}; /* two rows of 4 cells, 6 apart, from padded[3] on */
    uint8_t *bytes = (uint8_t *)padded;
    assert_int_equal(terrain_heightmap_wrap(NULL, padded + 3, 4, 2, 6, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 0, 255, bytes + 2, 6), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 0, 255, bytes + 3, 6),
                     TERRAIN_ERROR_ALIAS);
    assert_int_equal(terrain_heightmap_pack_u8(NULL, map, 0, 255, (uint8_t *)(padded + 12), 4),
                     TERRAIN_ERROR_ALIAS);
    terrain_heightmap_destroy(map);
}

/* Bad calls that are not refused, or refused without a message. */
static void test_bad_calls(void **state)
{
    terrain_heightmap *map = test_map_of_size(8, 4, 1);
    terrain_heightmap *fixed = NULL;
    terrain_context *context = test_plain_context();
    uint16_t words[33];
    char *between = (char *)words + 1;
    terrain_heightmap_wrap_const(NULL, terrain_heightmap_data(map), 8, 4, 8, &fixed);
    const struct {
        terrain_status wanted, found;
    } cases[] = {
        {TERRAIN_ERROR_ARGUMENT, terrain_heightmap_pack_u16(context, NULL, 0, 1, words, 8)},
        {TERRAIN_ERROR_ARGUMENT, terrain_heightmap_unpack_u16(context, words, 8, 0, 1, NULL)},
        {TERRAIN_ERROR_ARGUMENT, terrain_heightmap_pack_u16(context, map, 0, 1, NULL, 8)},
        {TERRAIN_ERROR_ARGUMENT, terrain_heightmap_pack_u16(context, map, 0, 1, words, 7)},
        {TERRAIN_ERROR_ARGUMENT, terrain_heightmap_pack_u16(context, map, 0, 1, words, SIZE_MAX)},
        {TERRAIN_ERROR_ARGUMENT, terrain_heightmap_unpack_u16(context, words, 8, 0, 1, fixed)},
        {TERRAIN_ERROR_ARGUMENT,
         terrain_heightmap_pack_u16(context, map, 0, 1, (uint16_t *)(void *)between, 8)},
        {TERRAIN_ERROR_RANGE, terrain_heightmap_pack_u16(context, map, 1, 1, words, 8)},
        {TERRAIN_ERROR_RANGE, terrain_heightmap_pack_u16(context, map, NAN, 1, words, 8)},
        {TERRAIN_ERROR_RANGE, terrain_heightmap_pack_u16(context, map, 0, INFINITY, words, 8)},
        {TERRAIN_ERROR_ALIAS,
         terrain_heightmap_pack_u8(context, map, 0, 1,
                                   (uint8_t *)(terrain_heightmap_data(map) + 31), 8)},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(cases[i].found, cases[i].wanted);
    }
    assert_string_equal(terrain_context_message(context), "heightmap_pack_u8: buffer overlaps map");
    assert_int_equal(terrain_heightmap_pack_u16(context, fixed, 0, 1, words, 8), TERRAIN_SUCCESS);
    assert_string_equal(terrain_context_message(context), "");
    terrain_context_destroy(context);
    terrain_heightmap_destroy(fixed);
    terrain_heightmap_destroy(map);
}

/* Numbers in messages that are written as the process's locale wants them. */
static void test_messages(void **state)
{
    uint8_t bytes[32];
    terrain_heightmap *map = test_map_of_size(8, 4, 1);
    terrain_context *context = test_plain_context();
    test_set_comma_locale();
    terrain_heightmap_pack_u8(context, map, 1.5f, 1.5f, bytes, 8);
    assert_string_equal(terrain_context_message(context),
                        "heightmap_pack_u8: low and high are both 1.5, must differ");
    terrain_heightmap_unpack_u8(context, bytes, 8, -0.1f, INFINITY, map);
    assert_string_equal(terrain_context_message(context),
                        "heightmap_unpack_u8: low is -0.1 and high is inf, must be in "
                        "[-1e30, 1e30]");
    setlocale(LC_ALL, "C");
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),   cmocka_unit_test(test_ranges),
        cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_instruction_sets),
        cmocka_unit_test(test_runners),        cmocka_unit_test(test_large),
        cmocka_unit_test(test_bad_calls),      cmocka_unit_test(test_messages),
        cmocka_unit_test(test_beside_the_map), cmocka_unit_test(test_channels),
        cmocka_unit_test(test_large_channels), cmocka_unit_test(test_bad_channels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
