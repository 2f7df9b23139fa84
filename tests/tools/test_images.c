/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The readers of images on damaged files, thousands of them; with sanitizers, a fuzzer's replay. */

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    assert_true(type->write(file, map, range));
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
    image_source source = {.path = "bytes", .file = file, .size = size};
    int code;
    rewind(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fflush(file);
    assert_int_equal(ftruncate(fileno(file), (off_t)size), 0);
    rewind(file);
    *map = NULL;
    code = type->read(&source, map);
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

static void test_png(void **state)
{
    /* Crashes, leaks and half-read maps. */
    (void)state;
    check_type(&image_png, false);
}

static void test_tif(void **state)
{
    /* The same. */
    (void)state;
    check_type(&image_tif, true);
}

static void test_raw(void **state)
{
    /* The same, and a length that is not looked at. */
    (void)state;
    check_type(&image_pfm, true);
    check_type(&image_r32, true);
    check_type(&image_r16, false);
}

static void test_ranges(void **state)
{
    /* Heights without a range (all equal, or none finite), and ranges too wide to be packed. */
    static const image_range ends[] = {{3, 3}, {-1e31f, 0}, {0, 1e31f}};
    terrain_heightmap *map = test_map_of_size(3, 1, 3);
    float *cells = terrain_heightmap_data(map);
    image_range range;
    uint16_t *packed;
    (void)state;
    cells[0] = cells[1] = cells[2] = 3;
    packed = image_pack(map, ends[0]);
    assert_non_null(packed);
    assert_int_equal(packed[0] | packed[1] | packed[2], 0);
    free(packed);
    assert_null(image_pack(map, ends[1]));
    assert_null(image_pack(map, ends[2]));
    cells[1] = -3;
    cells[2] = (float)strtod("inf", NULL);
    assert_true(image_range_of(map, &range));
    assert_true(range.low == -3 && range.high == 3);
    test_fill_poison(map);
    assert_true(image_range_of(map, &range));
    assert_true(range.low == 0 && range.high == 0);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_tif),
        cmocka_unit_test(test_raw),
        cmocka_unit_test(test_ranges),
    };
    /* The complaints are thousands. */
    if (freopen("/dev/null", "w", stderr) == NULL) {
        return 1;
    }
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
