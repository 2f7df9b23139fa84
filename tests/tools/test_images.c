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
    const image_range range = image_range_of(map);
    FILE *file = tmpfile();
    size_t size;
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

static void test_quantize(void **state)
{
    /* Heights at and beyond the ends, and no range at all, must not wrap around. */
    const image_range unit = {0, 1};
    const image_range none = {3, 3};
    const image_range wide = {-3e38f, 3e38f};
    const float nan = (float)strtod("nan", NULL);
    (void)state;
    assert_int_equal(image_quantize(0, unit), 0);
    assert_int_equal(image_quantize(1, unit), 65535);
    assert_int_equal(image_quantize(-1e30f, unit), 0);
    assert_int_equal(image_quantize(1e30f, unit), 65535);
    assert_int_equal(image_quantize(nan, unit), 0);
    assert_int_equal(image_quantize(0.51f / 65535, unit), 1);
    assert_int_equal(image_quantize(0.49f / 65535, unit), 0);
    assert_int_equal(image_quantize(3, none), 0);
    assert_int_equal(image_quantize(3e38f, wide), 65535);
    assert_int_equal(image_quantize(0, wide), 32768);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_png),
        cmocka_unit_test(test_tif),
        cmocka_unit_test(test_raw),
        cmocka_unit_test(test_quantize),
    };
    /* The complaints are thousands. */
    if (freopen("/dev/null", "w", stderr) == NULL) {
        return 1;
    }
    cmocka_set_message_output(CM_OUTPUT_STDOUT);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
