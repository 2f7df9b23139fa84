/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The readers of images on damaged files, thousands of them; with sanitizers, a fuzzer's replay. */

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "digits.h"
#include "image.h"
#include "support/check.h"
#include "support/random.h"
#include "tool.h"

enum { MOST_BYTES = 4096, MUTATIONS = 1500 };

/* What the type writes for a map. */
static size_t write_good(const image_type *type, const terrain_heightmap *map,
                         unsigned char bytes[MOST_BYTES])
{
    image_range range;
    FILE *file = tmpfile();
    size_t size;
    assert_true(image_range_of(map, &range));
    assert_non_null(file);
    assert_true(type->write(file, map, &(image_extra){.range = range}));
    rewind(file);
    size = fread(bytes, 1, MOST_BYTES, file);
    assert_true(size > 0 && size < MOST_BYTES);
    fclose(file);
    return size;
}

/* Reads the bytes as a file. */
static int read_bytes(const image_type *type, FILE *file, const unsigned char *bytes, size_t size,
                      terrain_heightmap **map)
{
    image_info info = {0};
    image_source source = {.path = "bytes", .file = file, .size = size, .info = &info};
    int code;
    rewind(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fflush(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)size), 0);
    rewind(file);
    *map = NULL;
    code = type->read(&source, map);
    image_place_free(info.place);
    if (code != TOOL_SUCCESS) {
        terrain_heightmap_destroy(*map);
        *map = NULL;
    }
    return code;
}

static size_t damage(test_random *random, unsigned char *bytes, size_t size)
{
    static const unsigned char favourites[] = {0, 1, 0x7F, 0x80, 0xFF, '0', '9', ' '};
    for (uint64_t i = test_below(random, 4); i > 0; i--) {
        unsigned char *at = &bytes[test_below(random, size)];
        *at = test_below(random, 2) == 0 ? favourites[test_below(random, sizeof favourites)]
                                         : (unsigned char)test_bits(random);
    }
    return test_below(random, 3) == 0 ? (size_t)test_below(random, size + 1) : size;
}

static void check_type(const image_type *type, bool exact)
{
    terrain_heightmap *map = test_map_of_size(6, 6, 3);
    terrain_heightmap *found = NULL;
    unsigned char good[MOST_BYTES], bad[MOST_BYTES];
    size_t size = write_good(type, map, good);
    test_random random = {11};
    FILE *file = tmpfile();
    int read = 0;
    assert_int_equal(read_bytes(type, file, good, size, &found), TOOL_SUCCESS);
    assert_int_equal(terrain_heightmap_width(found), 6);
    assert_int_equal(terrain_heightmap_height(found), 6);
    assert_true(!exact || test_maps_equal(map, found));
    terrain_heightmap_destroy(found);
    for (int i = 0; i < MUTATIONS; i++) {
        size_t length;
        int code;
        memcpy(bad, good, size);
        length = damage(&random, bad, size);
        code = read_bytes(type, file, bad, length, &found);
        assert_true(code == TOOL_SUCCESS || code == TOOL_BAD_INPUT);
        assert_true((found != NULL) == (code == TOOL_SUCCESS));
        read += code == TOOL_SUCCESS;
        terrain_heightmap_destroy(found);
    }
    assert_true(read > 0 && read < MUTATIONS);
    fclose(file);
    terrain_heightmap_destroy(map);
}

/* Crashes, leaks and half-read maps. */
static void test_png(void **state)
{
    check_type(&image_png, false);
}

/* The same. */
static void test_tif(void **state)
{
    check_type(&image_tif, true);
}

/* The same, and a length that is not looked at. */
static void test_raw(void **state)
{
    check_type(&image_pfm, true);
    check_type(&image_r32, true);
    check_type(&image_r16, false);
    check_type(&image_r8, false);
}

/* Heights without a range (all equal, or none finite), and ranges too wide to be packed. */
static void test_ranges(void **state)
{
    static const image_range ends[] = {{3, 3}, {-1e31f, 0}, {0, 1e31f}};
    terrain_heightmap *map = test_map_of_size(3, 1, 3);
    float *cells = terrain_heightmap_data(map);
    image_range range;
    uint16_t packed[3] = {1, 1, 1};
    cells[0] = cells[1] = cells[2] = 3;
    assert_true(image_pack(map, ends[0], 0, 1, 16, packed));
    assert_int_equal(packed[0] | packed[1] | packed[2], 0);
    assert_false(image_pack(map, ends[1], 0, 1, 16, packed));
    assert_false(image_pack(map, ends[2], 0, 1, 16, packed));
    cells[1] = -3;
    cells[2] = (float)strtod("inf", NULL);
    assert_true(image_range_of(map, &range));
    assert_true(range.low == -3 && range.high == 3);
    test_fill_poison(map);
    assert_true(image_range_of(map, &range));
    assert_true(range.low == 0 && range.high == 0);
    terrain_heightmap_destroy(map);
}

/* Text that gives another float back, or more of it than there is room for. */
static void test_digits(void **state)
{
    static const struct {
        float value;
        const char *text;
    } cases[] = {
        {0, "0"},
        {1, "1"},
        {-2.5f, "-2.5"},
        {0.1f, "0.1"},
        {16777216, "16777216"},
        {1e9f, "1e+9"},
        {1e-5f, "0.00001"},
        {1e-6f, "1e-6"},
        {100, "100"},
        {-0.25f, "-0.25"},
        {123456.789f, "123456.79"},
        {3.4028235e38f, "3.4028235e+38"},
        {99999.99f, "99999.99"},
    };
    test_random random = {5};
    char text[DIGITS_MOST + 1];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        *digits_put_float(text, cases[i].value) = '\0';
        assert_string_equal(text, cases[i].text);
    }
    for (uint32_t i = 0; i < 3000000; i++) {
        /* All powers of two and their neighbours, then any bits. */
        uint32_t bits = i < 4096 ? (i / 16 << 23) + i % 16 - 8 : (uint32_t)test_bits(&random);
        float value, back;
        memcpy(&value, &bits, sizeof value);
        if (isfinite(value)) {
            char *end = digits_put_float(text, value);
            assert_true(end - text <= DIGITS_MOST);
            *end = '\0';
            back = strtof(text, NULL);
            assert_memory_equal(&back, &value, sizeof value);
            end = digits_put_uint(text, bits);
            *end = '\0';
            assert_true(strtoul(text, NULL, 10) == bits);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png),    cmocka_unit_test(test_tif),    cmocka_unit_test(test_raw),
        cmocka_unit_test(test_ranges), cmocka_unit_test(test_digits),
    };
    /* The complaints are thousands. */
    if (freopen("/dev/null", "w", stderr) == NULL) {
        return 1;
    }
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
