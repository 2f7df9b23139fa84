/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against a hash that is not XXH64, or that sees what it should not: strides, NaN payloads,
 * origins. */

#include <stdlib.h>
#include <string.h>

#include "support/check.h"

static uint64_t rotate(uint64_t v, int bits)
{
    return v << bits | v >> (64 - bits);
}

static uint64_t little_endian(const unsigned char *bytes, int count)
{
    uint64_t v = 0;
    for (int i = count; i-- > 0;) {
        v = v << 8 | bytes[i];
    }
    return v;
}

static const uint64_t p1 = UINT64_C(11400714785074694791);
static const uint64_t p2 = UINT64_C(14029467366897019727);
static const uint64_t p3 = UINT64_C(1609587929392839161);
static const uint64_t p4 = UINT64_C(9650029242287828579);
static const uint64_t p5 = UINT64_C(2870177450012600261);

static uint64_t mix_round(uint64_t acc, uint64_t input)
{
    return rotate(acc + input * p2, 31) * p1;
}

/* XXH64 with seed 0, from its published description, over plain bytes. */
static uint64_t xxh64(const unsigned char *bytes, size_t size)
{
    size_t left = size;
    uint64_t h = p5;
    if (size >= 32) {
        uint64_t v[4] = {p1 + p2, p2, 0, 0 - p1};
        for (; left >= 32; left -= 32, bytes += 32) {
            for (int i = 0; i < 4; i++) {
                v[i] = mix_round(v[i], little_endian(bytes + 8 * i, 8));
            }
        }
        h = rotate(v[0], 1) + rotate(v[1], 7) + rotate(v[2], 12) + rotate(v[3], 18);
        for (int i = 0; i < 4; i++) {
            h = (h ^ mix_round(0, v[i])) * p1 + p4;
        }
    }
    h += size;
    for (; left >= 8; left -= 8, bytes += 8) {
        h = rotate(h ^ mix_round(0, little_endian(bytes, 8)), 27) * p1 + p4;
    }
    for (; left >= 4; left -= 4, bytes += 4) {
        h = rotate(h ^ little_endian(bytes, 4) * p1, 23) * p2 + p3;
    }
    for (; left > 0; left--, bytes++) {
        h = rotate(h ^ *bytes * p5, 11) * p1;
    }
    h = (h ^ h >> 33) * p2;
    h = (h ^ h >> 29) * p3;
    return h ^ h >> 32;
}

/* The reference itself, against values of the xxHash project's own program. */
static void test_reference(void **state)
{
    assert_int_equal(xxh64((const unsigned char *)"", 0), UINT64_C(0xEF46DB3751D8E999));
    assert_int_equal(xxh64((const unsigned char *)"a", 1), UINT64_C(0xD24EC4F1A98C6E5B));
    assert_int_equal(xxh64((const unsigned char *)"abc", 3), UINT64_C(0x44BC2CF5AD770999));
}

static terrain_heightmap *ramp(uint32_t width, uint32_t height)
{
    terrain_window window = {0, 0, width, height};
    terrain_heightmap *map = test_map(&window);
    for (uint32_t i = 0; i < width * height; i++) {
        terrain_heightmap_data(map)[i] = (float)i * 0.5f - 3.0f;
    }
    return map;
}

/* The documented vectors, made with python-xxhash 3.5 over the documented bytes. */
static void test_vectors(void **state)
{
    static const struct {
        uint32_t width, height;
        uint64_t hash;
    } vectors[] = {
        {3, 2, UINT64_C(0x736C6AC4DF5AF748)},   {2, 3, UINT64_C(0xFB68959966BDA966)},
        {5, 1, UINT64_C(0x38253C60FF1E0250)},   {7, 1, UINT64_C(0x79E4CD1221A5A326)},
        {6, 1, UINT64_C(0x8BD194636E87F943)},   {8, 3, UINT64_C(0x6B1ED940B3B63005)},
        {33, 17, UINT64_C(0x467BF2768A0F187A)}, {300, 2, UINT64_C(0x22407EFED933197B)},
    };
    static const struct {
        uint32_t bits;
        uint64_t hash;
    } cells[] = {
        {0x00000000u, UINT64_C(0xD412325F5A0A99AC)}, /* the vector of heightmap.h */
        {0x80000000u, UINT64_C(0xE24BC0442DDBA31E)},
        {0x7FC00000u, UINT64_C(0xC95E103CB2D4D4A2)},
        {0xFFC00001u, UINT64_C(0xC95E103CB2D4D4A2)}, /* every NaN is the same */
        {0x7F800001u, UINT64_C(0xC95E103CB2D4D4A2)},
        {0x7F800000u, UINT64_C(0x2449F2A31952621A)}, /* infinity is none */
        {0xFF800000u, UINT64_C(0xB91A721CF4AD39FB)},
        {0x7F7FFFFFu, UINT64_C(0x7A6417A1E908AB3F)},
    };
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        terrain_heightmap *map = ramp(vectors[i].width, vectors[i].height);
        assert_int_equal(terrain_heightmap_hash(map), vectors[i].hash);
        terrain_heightmap_destroy(map);
    }
    for (size_t i = 0; i < sizeof cells / sizeof cells[0]; i++) {
        terrain_heightmap *map = ramp(1, 1);
        memcpy(terrain_heightmap_data(map), &cells[i].bits, sizeof cells[i].bits);
        assert_int_equal(terrain_heightmap_hash(map), cells[i].hash);
        terrain_heightmap_destroy(map);
    }
}

static void put(unsigned char *to, uint32_t word)
{
    for (int i = 0; i < 4; i++) {
        to[i] = (unsigned char)(word >> 8 * i);
    }
}

/* Blocks that are put together wrongly at some width. */
static void test_every_width(void **state)
{
    static unsigned char bytes[8 + 4 * 700 * 3];
    for (uint32_t width = 1; width < 700; width += width < 80 ? 1 : 37) {
        uint32_t height = 1 + width % 3;
        terrain_heightmap *map = test_map_of_size(width, height, width);
        put(bytes, width);
        put(bytes + 4, height);
        for (uint32_t i = 0; i < width * height; i++) {
            uint32_t bits;
            memcpy(&bits, terrain_heightmap_data(map) + i, sizeof bits);
            put(bytes + 8 + 4 * (size_t)i, bits);
        }
        assert_int_equal(terrain_heightmap_hash(map), xxh64(bytes, 8 + 4 * (size_t)width * height));
        terrain_heightmap_destroy(map);
    }
}

/* A hash that depends on where the map lies, in memory or in the world. */
static void test_ignores(void **state)
{
    static float cells[31 * 9];
    terrain_heightmap *map = test_map_of_size(23, 9, 4);
    terrain_heightmap *wide = NULL;
    memset(cells, 0x77, sizeof cells);
    assert_int_equal(terrain_heightmap_wrap(NULL, cells, 23, 9, 31, &wide), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_copy(NULL, map, wide), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_set_origin(wide, -5, 77), TERRAIN_SUCCESS);
    terrain_heightmap_set_cell_size(wide, 30);
    assert_int_equal(terrain_heightmap_hash(map), terrain_heightmap_hash(wide));
    terrain_heightmap_data(wide)[8 * 31 + 22] += 1;
    assert_int_not_equal(terrain_heightmap_hash(map), terrain_heightmap_hash(wide));
    terrain_heightmap_destroy(wide);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reference),
        cmocka_unit_test(test_vectors),
        cmocka_unit_test(test_every_width),
        cmocka_unit_test(test_ignores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
