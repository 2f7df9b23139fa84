/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards analyze_hillshade: where the light comes from, its range, turns, exaggeration. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/turns.h"
#include "terrain/analyze.h"
#include "terrain/pack.h"

static terrain_heightmap *shade_of(const terrain_heightmap *map, float azimuth, float altitude,
                                   float exaggeration)
{
    terrain_analyze_hillshade_params params;
    terrain_heightmap *result = blank(map);
    assert_int_equal(terrain_analyze_hillshade_params_init(&params, sizeof params),
                     TERRAIN_SUCCESS);
    params.azimuth = azimuth;
    params.altitude = altitude;
    params.exaggeration = exaggeration;
    assert_int_equal(terrain_analyze_hillshade(NULL, map, result, &params), TERRAIN_SUCCESS);
    return result;
}

static void assert_plane(float a, float b, float azimuth, float altitude, float wanted)
{
    terrain_heightmap *map = plane(37, 11, a, b, 2);
    terrain_heightmap *shade = shade_of(map, azimuth, altitude, 1);
    for (int i = 0; i < 37 * 11; i++) {
        assert_true(fabsf(terrain_heightmap_data(shade)[i] - wanted) < 1e-6f);
    }
    terrain_heightmap_destroy(shade);
    terrain_heightmap_destroy(map);
}

/* A light from the wrong side: north is up, towards smaller y, and azimuths go clockwise. */
static void test_light(void **state)
{
    assert_plane(0, 0, 123, 45, sqrtf(0.5f));
    assert_plane(0, 0, 123, 30, 0.5f);
    assert_plane(0, 1, 0, 45, 1);   /* falls to the north, faces a light there */
    assert_plane(0, 1, 180, 45, 0); /* and turns its back on the south */
    assert_plane(-1, 0, 90, 45, 1); /* falls to the east */
    assert_plane(1, 0, 270, 45, 1); /* falls to the west */
    assert_plane(1, 0, -90, 45, 1);
    assert_plane(0.5f, 0.5f, 315, 45, (sqrtf(0.5f) + 0.5f) / sqrtf(1.5f)); /* to the north-west */
    assert_plane(2, -1, 0, 90, 1 / sqrtf(6)); /* from above: the normal's height */
}

/* Shades outside 0 to 1. */
static void test_range(void **state)
{
    terrain_heightmap *map = test_map_of_size(131, 67, 4);
    terrain_heightmap *shade = shade_of(map, 200, 20, 5);
    float low = 1, high = 0;
    for (int i = 0; i < 131 * 67; i++) {
        float s = terrain_heightmap_data(shade)[i];
        assert_true(s >= 0 && s <= 1.000001f);
        low = s < low ? s : low;
        high = s > high ? s : high;
    }
    assert_true(low == 0 && high > 0.95f);
    terrain_heightmap_destroy(shade);
    terrain_heightmap_destroy(map);
}

/* A light that does not turn with the map. Sines of turned azimuths may differ in their last
 * bits. */
static void test_turns(void **state)
{
    for (int i = 0; i < TURN_SIZES; i++) {
        uint32_t count = turn_sizes[i][0] * turn_sizes[i][1];
        terrain_heightmap *map = rough(turn_sizes[i][0], turn_sizes[i][1], 7);
        terrain_heightmap *turn = turned(map), *flip = flipped(map);
        terrain_heightmap *shade = shade_of(map, 30, 40, 1);
        terrain_heightmap *turn_shade = shade_of(turn, 30 - 90, 40, 1);
        terrain_heightmap *flip_shade = shade_of(flip, -30, 40, 1);
        terrain_heightmap *shade_turn = turned(shade), *shade_flip = flipped(shade);
        assert_true(test_maps_equal(flip_shade, shade_flip));
        for (uint32_t k = 0; k < count; k++) {
            assert_true(fabsf(terrain_heightmap_data(turn_shade)[k] -
                              terrain_heightmap_data(shade_turn)[k]) < 1e-6f);
        }
        terrain_heightmap *all[] = {map,        turn,       flip,       shade,
                                    turn_shade, flip_shade, shade_turn, shade_flip};
        for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
            terrain_heightmap_destroy(all[k]);
        }
    }
}

/* Exaggeration that is not a factor of the heights; none at all is level ground. */
static void test_exaggeration(void **state)
{
    terrain_heightmap *map = test_map_of_size(70, 50, 7);
    terrain_heightmap *shade = shade_of(map, 315, 45, 2);
    terrain_heightmap *level = shade_of(map, 315, 45, 0);
    for_each_cell(map, x, y) {
        assert_true(test_at(level, x, y) == terrain_heightmap_data(level)[0]);
        *test_cell(map, x, y) *= 2;
    }
    terrain_heightmap *same = shade_of(map, 315, 45, 1);
    assert_true(test_maps_equal(shade, same));
    terrain_heightmap_destroy(shade);
    terrain_heightmap_destroy(level);
    terrain_heightmap_destroy(same);
    terrain_heightmap_destroy(map);
}

/* Bytes that are not those of shades that are packed afterwards, at any width and instruction set,
 * of streamed maps, too; a byte beyond the width; a runner whose tasks are left out. */
static void test_bytes(void **state)
{
    static const uint32_t sizes[][2] = {{1, 1},   {2, 3},     {17, 5},   {18, 1},     {66, 40},
                                        {515, 9}, {700, 300}, {1201, 4}, {2051, 2050}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t width = sizes[i][0], height = sizes[i][1], stride = width + 3;
        terrain_heightmap *map = test_map_of_size(width, height, i);
        uint8_t *wanted = calloc(height, stride), *bytes = calloc(height, stride);
        terrain_analyze_hillshade_params params;
        assert_true(wanted != NULL && bytes != NULL);
        assert_int_equal(terrain_analyze_hillshade_params_init(&params, sizeof params), 0);
        params.azimuth = 10;
        if (width > 100) {
            test_sprinkle(map, 5, 9);
        }
        terrain_heightmap *shade = shade_of(map, 10, 45, 1);
        assert_int_equal(terrain_heightmap_pack_u8(NULL, shade, 0, 1, wanted, stride), 0);
        for (uint32_t isa = TERRAIN_ISA_BASELINE; isa <= TERRAIN_ISA_AVX512; isa++) {
            test_runner runner = {.kind =
                                      isa == TERRAIN_ISA_AVX2 ? TEST_RUN_FAIL : TEST_RUN_SERIAL};
            terrain_context *context = test_context(isa, &runner, NULL, NULL);
            memset(bytes, 0, (size_t)height * stride);
            assert_int_equal(
                terrain_heightmap_pack_hillshade_u8(context, map, &params, bytes, stride), 0);
            assert_memory_equal(bytes, wanted, (size_t)height * stride);
            terrain_context_destroy(context);
        }
        terrain_heightmap_destroy(shade);
        terrain_heightmap_destroy(map);
        free(wanted);
        free(bytes);
    }
}

/* Bad calls that are not refused, or refused without a message. */
static void test_bad_bytes(void **state)
{
    uint8_t bytes[32];
    terrain_heightmap *map = test_map_of_size(8, 4, 1);
    terrain_context *context = test_plain_context();
    terrain_analyze_hillshade_params params;
    assert_int_equal(terrain_analyze_hillshade_params_init(&params, sizeof params), 0);
    params.altitude = 91;
    assert_int_equal(terrain_heightmap_pack_hillshade_u8(context, NULL, NULL, bytes, 8),
                     TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_heightmap_pack_hillshade_u8(context, map, NULL, NULL, 8),
                     TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_heightmap_pack_hillshade_u8(context, map, NULL, bytes, 7),
                     TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_heightmap_pack_hillshade_u8(context, map, NULL,
                                                         (uint8_t *)terrain_heightmap_data(map), 8),
                     TERRAIN_ERROR_ALIAS);
    assert_int_equal(terrain_heightmap_pack_hillshade_u8(context, map, &params, bytes, 8),
                     TERRAIN_ERROR_RANGE);
    assert_string_equal(terrain_context_message(context),
                        "heightmap_pack_hillshade_u8: altitude is 91, must be in [0, 90]");
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_light), cmocka_unit_test(test_range),
        cmocka_unit_test(test_turns), cmocka_unit_test(test_exaggeration),
        cmocka_unit_test(test_bytes), cmocka_unit_test(test_bad_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
