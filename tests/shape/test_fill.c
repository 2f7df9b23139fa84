/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards shape_fill: a pass that is missed or not the lowest, basins that leak at the sides of
 * patches, plateaus that take one another for an outlet, pairs lost where their memory ends, ways
 * that lead from one half of the rows to the other. */

#include "analyze/turns.h"
#include "shape/hollows.h"
#include "terrain/shape.h"

static terrain_shape_fill_params params_of(float slope, bool open)
{
    terrain_shape_fill_params p;
    assert_int_equal(terrain_shape_fill_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.slope = slope;
    p.rim = open ? TERRAIN_RIM_OPEN : TERRAIN_RIM_CLOSED;
    return p;
}

static terrain_heightmap *filled_on(terrain_context *context, const terrain_heightmap *map,
                                    const terrain_shape_fill_params *p)
{
    terrain_heightmap *result = test_clone(map);
    assert_int_equal(terrain_shape_fill(context, result, p), TERRAIN_SUCCESS);
    return result;
}

static terrain_heightmap *filled(const terrain_heightmap *map, const terrain_shape_fill_params *p)
{
    return filled_on(NULL, map, p);
}

static bool same_bits(float a, float b)
{
    return memcmp(&a, &b, sizeof a) == 0 || (isnan(a) && isnan(b));
}

static void check_cells(const terrain_heightmap *result, const float *expected, const char *what,
                        int kind)
{
    const uint32_t width = terrain_heightmap_width(result);
    const size_t cells = (size_t)width * terrain_heightmap_height(result);
    for (size_t i = 0; i < cells; i++) {
        float h = terrain_heightmap_const_data(result)[i];
        if (!same_bits(h, expected[i])) {
            fail_msg("%s, kind %d, %ux%u, cell %u %u: %.9g instead of %.9g", what, kind,
                     (unsigned)width, (unsigned)(cells / width), (unsigned)(i % width),
                     (unsigned)(i / width), (double)h, (double)expected[i]);
        }
    }
}

/* Bit for bit what water leaves that sinks from above, by one task and by several. */
static void test_exact(void **state)
{
    static const float slopes[] = {0, 0.001f, 0.3f, 20};
    test_runner runner = {.kind = TEST_RUN_REVERSE};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        for (int size = 0; size < HOLLOWS_SIZES; size++) {
            terrain_heightmap *map =
                hollows(hollows_sizes[size][0], hollows_sizes[size][1], kind, (uint64_t)size + 1);
            terrain_heightmap_set_cell_size(map, 1.5f);
            for (int k = 0; k < 8; k++) {
                const terrain_shape_fill_params p = params_of(slopes[k / 2], k % 2 == 0);
                terrain_heightmap *result = filled(map, &p);
                terrain_heightmap *shared = filled_on(context, map, &p);
                float *expected = hollows_filled(map, k % 2 == 0, slopes[k / 2]);
                check_cells(result, expected, k % 2 == 0 ? "open" : "closed", kind);
                check_cells(shared, expected, k % 2 == 0 ? "shared, open" : "shared", kind);
                free(expected);
                terrain_heightmap_destroy(result);
                terrain_heightmap_destroy(shared);
            }
            terrain_heightmap_destroy(map);
        }
    }
    terrain_context_destroy(context);
}

/* So many pairs that they don't all fit at once. */
static void test_many(void **state)
{
    for (uint64_t seed = 0; seed < 3; seed++) {
        const terrain_shape_fill_params p = params_of(0, seed != 1);
        terrain_heightmap *map = hollows(301, 257, HOLLOWS_NOISE, seed + 100);
        terrain_heightmap *result = filled(map, &p);
        float *expected = hollows_filled(map, seed != 1, 0);
        check_cells(result, expected, "many", HOLLOWS_NOISE);
        free(expected);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(result);
    }
}

/* Filling twice, lowering what was there, or filling a higher map must not go the wrong way. */
static void test_order(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        for (int k = 0; k < 4; k++) {
            const terrain_shape_fill_params p = params_of(k < 2 ? 0 : 0.01f, k % 2 == 0);
            terrain_heightmap *map = hollows(97, 83, kind, 5);
            terrain_heightmap *once = filled(map, &p), *twice = filled(once, &p), *higher;
            const size_t cells = (size_t)97 * 83;
            assert_true(test_maps_equal(once, twice));
            for (size_t i = 0; i < cells; i += 3) {
                terrain_heightmap_data(map)[i] += (float)(i % 7);
            }
            higher = filled(map, &p);
            for (size_t i = 0; i < cells; i++) {
                float low = terrain_heightmap_data(once)[i],
                      high = terrain_heightmap_data(higher)[i];
                assert_true(!(terrain_heightmap_data(map)[i] > high));
                /* A closed map's outlet may be another cell then. */
                assert_true(k % 2 != 0 || !(low > high));
            }
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(once);
            terrain_heightmap_destroy(twice);
            terrain_heightmap_destroy(higher);
        }
    }
}

/* A direction or a corner that is preferred. */
static void test_turns(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        const terrain_shape_fill_params p = params_of(kind % 2 == 0 ? 0 : 0.05f, true);
        terrain_heightmap *map = hollows(77, 130, kind, 9);
        expect_turns("shape_fill", map, &p, 0);
        terrain_heightmap_destroy(map);
    }
}

/* Whether two cells are of one lake, by flooding. */
static void check_lakes(const float *before, const float *after, const float *lakes, uint32_t width,
                        uint32_t height)
{
    const size_t cells = (size_t)width * height;
    uint32_t *lake = calloc(cells, sizeof *lake);
    size_t *queue = malloc(cells * sizeof *queue);
    float *numbers = malloc((cells + 1) * sizeof *numbers);
    uint32_t count = 0;
    for (size_t i = 0; i < cells; i++) {
        size_t begin = 0, end = 0;
        if (!(after[i] > before[i])) {
            assert_true(lakes[i] == 0);
            continue;
        }
        if (lake[i] == 0) {
            lake[i] = ++count;
            numbers[count] = lakes[i];
            queue[end++] = i;
        }
        assert_true(lakes[i] > 0 && lakes[i] < 1 && lakes[i] == numbers[lake[i]]);
        while (begin < end) {
            size_t c = queue[begin++];
            for (int k = 0; k < 9; k++) {
                size_t x = c % width + (size_t)(k % 3) - 1, y = c / width + (size_t)(k / 3) - 1;
                size_t n = y * width + x;
                if (x < width && y < height && lake[n] == 0 && after[n] > before[n] &&
                    after[n] == after[c]) {
                    lake[n] = lake[i];
                    queue[end++] = n;
                }
            }
        }
    }
    for (uint32_t a = 1; a <= count; a++) {
        for (uint32_t b = 1; b < a; b++) {
            assert_true(numbers[a] != numbers[b]);
        }
    }
    free(lake);
    free(queue);
    free(numbers);
}

/* Depths that are not the difference; lakes that are cut, run together, or leave their cells. */
static void test_outputs(void **state)
{
    for (int kind = 0; kind < HOLLOWS_KINDS; kind++) {
        terrain_shape_fill_params p = params_of(0, kind % 2 == 0);
        terrain_heightmap *map = hollows(90, 71, kind, 3), *result;
        p.depth = blank(map);
        p.lakes = blank(map);
        result = filled(map, &p);
        const float *before = terrain_heightmap_const_data(map);
        const float *after = terrain_heightmap_const_data(result);
        for (size_t i = 0; i < (size_t)90 * 71; i++) {
            float depth = after[i] > before[i] ? after[i] - before[i] : 0;
            assert_true(terrain_heightmap_const_data(p.depth)[i] == depth);
        }
        check_lakes(before, after, terrain_heightmap_const_data(p.lakes), 90, 71);
        terrain_heightmap_destroy(p.depth);
        terrain_heightmap_destroy(p.lakes);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(result);
    }
}

/* A lake's number that depends on where the map begins. */
static void test_numbers(void **state)
{
    float lake_of[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        terrain_shape_fill_params p = params_of(0, true);
        terrain_heightmap *map = NULL;
        const uint32_t before = k == 0 ? 3 : 17;
        assert_int_equal(terrain_heightmap_create(NULL, before + 9, 5, &map), TERRAIN_SUCCESS);
        terrain_heightmap_set_origin(map, (INT64_C(1) << 40) - before, -7);
        terrain_heightmap_data(map)[2 * (before + 9) + before + 1] = -4;
        p.lakes = blank(map);
        assert_int_equal(terrain_shape_fill(NULL, map, &p), TERRAIN_SUCCESS);
        lake_of[k] = terrain_heightmap_data(p.lakes)[2 * (before + 9) + before + 1];
        terrain_heightmap_destroy(p.lakes);
        terrain_heightmap_destroy(map);
    }
    assert_true(lake_of[0] > 0 && lake_of[0] == lake_of[1]);
}

/* More cells than can be numbered: refused before anything is touched. */
static void test_too_many(void **state)
{
    float cell = 1;
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap(NULL, &cell, 1, 1, 1, &map), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
#if SIZE_MAX > UINT32_MAX
    /* Only the size of this map is looked at. */
    if (terrain_heightmap_wrap(NULL, &cell, 1u << 15, (1u << 15) + 1, 1u << 15, &map) ==
        TERRAIN_SUCCESS) {
        assert_int_equal(terrain_shape_fill(NULL, map, NULL), TERRAIN_ERROR_UNSUPPORTED);
        terrain_heightmap_destroy(map);
    }
#endif
}

/* A lake with two beds of one depth that takes its number from the other one than the first, which
 * lies farther from its outlet. */
static void test_equal_beds(void **state)
{
    float numbers[3];
    for (int k = 0; k < 3; k++) {
        terrain_shape_fill_params p = params_of(0, true);
        terrain_heightmap *map = test_map_of_level(9, 5, 10), *lakes = blank(map);
        *test_cell(map, 2, 2) = k == 2 ? 0.5f : 0;
        *test_cell(map, 6, 2) = k == 1 ? 0.5f : 0;
        for (int64_t x = 3; x < 6; x++) {
            *test_cell(map, x, 2) = 1;
        }
        *test_cell(map, 7, 2) = *test_cell(map, 8, 2) = 9;
        p.lakes = lakes;
        assert_int_equal(terrain_shape_fill(NULL, map, &p), TERRAIN_SUCCESS);
        numbers[k] = test_at(lakes, 4, 2);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(lakes);
    }
    assert_true(numbers[0] == numbers[1] && numbers[0] != numbers[2]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_exact),    cmocka_unit_test(test_many),
        cmocka_unit_test(test_order),    cmocka_unit_test(test_turns),
        cmocka_unit_test(test_outputs),  cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_too_many), cmocka_unit_test(test_equal_beds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
