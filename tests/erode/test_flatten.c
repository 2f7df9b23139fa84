/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "erode/score.h"
#include "terrain/erode.h"
#include "terrain/generate.h"

/* ---- Helpers --------------------------------------------------------------------------------- */

static void erode(terrain_heightmap *map, uint32_t iterations, float talus)
{
    terrain_erode_flatten_params p;
    terrain_erode_flatten_params_init(&p, sizeof p);
    p.iterations = iterations;
    p.talus = talus;
    assert_int_equal(terrain_erode_flatten(NULL, map, &p), TERRAIN_SUCCESS);
}

/* Diamond-square of 48 at every 64 cells: much of it gentler than the talus. */
static terrain_heightmap *land(uint32_t size)
{
    terrain_generate_diamond_square_params p;
    terrain_heightmap *map = test_map_of_size(size, size, 0);
    terrain_generate_diamond_square_params_init(&p, sizeof p);
    p.seed = 11;
    p.spacing = 64;
    p.amplitude = 10;
    assert_int_equal(terrain_generate_diamond_square(NULL, map, &p), TERRAIN_SUCCESS);
    return map;
}

/* The sum of (h - mean)^2. */
static double variation_of(const terrain_heightmap *map)
{
    const test_summary s = test_summarize(map);
    const double cells = (double)terrain_heightmap_width(map) * terrain_heightmap_height(map);
    return s.squares - s.sum * s.sum / cells;
}

/* ---- The header's rule, turn by turn --------------------------------------------------------- */

static void plain_turn(terrain_heightmap *map, uint32_t x, uint32_t y, float talus)
{
    float *neighbours[4];
    float *lowest = test_cell(map, x, y);
    int count = 0;
    if (y > 0) {
        neighbours[count++] = test_cell(map, x, y - 1);
    }
    if (x > 0) {
        neighbours[count++] = test_cell(map, x - 1, y);
    }
    if (x + 1 < terrain_heightmap_width(map)) {
        neighbours[count++] = test_cell(map, x + 1, y);
    }
    if (y + 1 < terrain_heightmap_height(map)) {
        neighbours[count++] = test_cell(map, x, y + 1);
    }
    for (int i = 0; i < count; i++) {
        lowest = *neighbours[i] < *lowest ? neighbours[i] : lowest;
    }
    if (test_at(map, x, y) - *lowest > 0 && test_at(map, x, y) - *lowest <= talus) {
        float half = (test_at(map, x, y) - *lowest) * 0.5f;
        *test_cell(map, x, y) -= half;
        *lowest += half;
    }
}

/* Whose turn it is, counted from the first iteration's first turn. */
static int64_t colour_of(uint32_t turn)
{
    static const int64_t order[5] = {0, 1, 3, 2, 4};
    return order[turn / 5 % 2 == 0 ? turn % 5 : 4 - turn % 5];
}

/* The first turn and the last one are left out. */
static void plain_erode(terrain_heightmap *map, uint32_t iterations, float talus)
{
    int64_t x0, y0;
    terrain_heightmap_origin(map, &x0, &y0);
    for (uint32_t turn = 1; turn + 1 < 5 * iterations; turn++) {
        for_each_cell(map, x, y) {
            int64_t c = ((x0 + x) % 5 + 2 * ((y0 + y) % 5)) % 5;
            if ((c + 5) % 5 == colour_of(turn)) {
                plain_turn(map, x, y, talus);
            }
        }
    }
}

/* A kernel, a group of iterations or a band's border that changes a bit of any cell: sizes about
 * those of vectors, pieces and bands. */
static void test_plain_rule(void **state)
{
    static const uint32_t sizes[][3] = {{1, 1, 3},      {1, 9, 3},    {9, 1, 3},    {4, 5, 7},
                                        {5, 300, 9},    {79, 129, 9}, {80, 128, 5}, {81, 127, 4},
                                        {131, 260, 11}, {6, 700, 8}};
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        terrain_window window = {-7 + (int64_t)i, 3 - (int64_t)i, sizes[i][0], sizes[i][1]};
        terrain_heightmap *map = test_map(&window);
        terrain_heightmap *plain;
        test_fill_heights(map, i);
        plain = test_clone(map);
        erode(map, sizes[i][2], 0.75f);
        plain_erode(plain, sizes[i][2], 0.75f);
        assert_true(test_maps_equal(map, plain));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(plain);
    }
}

/* ---- Invariants ------------------------------------------------------------------------------ */

/* Material made or lost. */
static void test_mass(void **state)
{
    terrain_heightmap *map = test_map_of_size(150, 130, 5);
    const test_summary before = test_summarize(map);
    const double variation = variation_of(map);
    erode(map, 40, 1);
    assert_true(variation > variation_of(map));
    /* A rounding for each cell and iteration, as often up as down. */
    assert_true(fabs(test_summarize(map).sum - before.sum) <=
                sqrt(150 * 130 * 40) * before.largest * (double)FLT_EPSILON);
    terrain_heightmap_destroy(map);
}

/* Heights outside the range of those before, by as little as a bit. */
static void test_range(void **state)
{
    for (uint64_t seed = 0; seed < 5; seed++) {
        terrain_heightmap *map = test_map_of_size(90, 70, seed);
        const test_summary before = test_summarize(map);
        erode(map, 30, 100);
        assert_true(test_summarize(map).minimum >= before.minimum);
        assert_true(test_summarize(map).maximum <= before.maximum);
        terrain_heightmap_destroy(map);
    }
}

/* A flat map that changes, to the last bit; -0 is a height too. */
static void test_flat(void **state)
{
    static const float heights[] = {0.0f, -0.0f, 1e30f, 0.1f, 1e-45f};
    for (size_t i = 0; i < sizeof heights / sizeof heights[0]; i++) {
        terrain_heightmap *map = test_map_of_level(37, 21, heights[i]);
        terrain_heightmap *before = test_clone(map);
        erode(map, 6, 10);
        assert_true(test_maps_equal(map, before));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
    }
}

/* A talus of 0, or no iterations, that moves something. */
static void test_identity(void **state)
{
    terrain_heightmap *map = test_map_of_size(70, 50, 3);
    terrain_heightmap *before = test_clone(map);
    erode(map, 20, 0);
    assert_true(test_maps_equal(map, before));
    erode(map, 0, 1);
    assert_true(test_maps_equal(map, before));
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(before);
}

/* A cliff that is taken for a gentle slope, or a gentle slope that is left; the cell size must
 * count. */
static void test_steps(void **state)
{
    for (int gentle = 0; gentle < 2; gentle++) {
        terrain_heightmap *map = test_map_of_size(40, 30, 0);
        terrain_heightmap *before;
        terrain_heightmap_set_cell_size(map, 10);
        for_each_cell(map, x, y) {
            *test_cell(map, x, y) = x < 17 ? 0.0f : gentle != 0 ? 7.5f : 7.6f;
        }
        before = test_clone(map);
        erode(map, 10, 0.75f);
        assert_int_equal(test_maps_equal(map, before), gentle == 0);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
    }
}

/* Without a limit it is relaxation: the variance must fall with every iteration. */
static void test_relaxation(void **state)
{
    terrain_heightmap *map = test_map_of_size(64, 64, 9);
    double before = variation_of(map);
    for (int i = 0; i < 10; i++) {
        erode(map, 1, 100);
        const double after = variation_of(map);
        assert_true(after < before);
        before = after;
    }
    terrain_heightmap_destroy(map);
}

/* Land that does not become flats and cliffs. Measured on a like map of 128 cells, from 0.41 in a
 * quarter of its width: Olsen's rule row by row 1.87, by these turns 1.52, with all cells at once
 * 1.11. Flats, which such land has none of at first, are 12 % then. */
static void test_score(void **state)
{
    terrain_heightmap *before = land(128);
    double first_flats = 0, flats = 0;
    const double first = score_of(before, &first_flats);
    double score = first;
    assert_true(score > 0.3 && score < 0.6);
    for (uint32_t i = 1; i <= 32; i++) {
        terrain_heightmap *map = test_clone(before);
        erode(map, i, 0.5f);
        const double last = score;
        score = score_of(map, &flats);
        assert_true(i > 16 || score > last);
        assert_true(i < 32 || flats > first_flats + 0.05);
        terrain_heightmap_destroy(map);
    }
    print_message("score %.2f, after 32 iterations %.2f\n", first, score);
    assert_true(score > 1.2);
    terrain_heightmap_destroy(before);
}

/* ---- How far heights reach ------------------------------------------------------------------- */

enum { FAR = 48, SIDE = 2 * FAR + 1 };

/* A colour's turns backwards: every cell that the marked ones may depend on. A turn reads and
 * writes its cell and the four neighbours. */
static void depend(bool marks[SIDE][SIDE], int phase, int64_t colour)
{
    static const int plus[5][2] = {{0, 0}, {0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    for (int y = 1; y < SIDE - 1; y++) {
        for (int x = 1; x < SIDE - 1; x++) {
            bool any = false;
            for (int n = 0; n < 5 && (x + 2 * y + phase) % 5 == colour; n++) {
                any = any || marks[y + plus[n][1]][x + plus[n][0]];
            }
            for (int n = 0; any && n < 5; n++) {
                marks[y + plus[n][1]][x + plus[n][0]] = true;
            }
        }
    }
}

/* The farthest cell that the middle one depends on, along either axis. */
static uint32_t reach_of(uint32_t iterations, int phase)
{
    static bool marks[SIDE][SIDE];
    int farthest = 0;
    memset(marks, 0, sizeof marks);
    marks[FAR][FAR] = true;
    for (uint32_t turn = 5 * iterations - 2; turn > 0; turn--) {
        depend(marks, phase, colour_of(turn));
    }
    for (int y = 0; y < SIDE; y++) {
        for (int x = 0; x < SIDE; x++) {
            int distance = abs(x - FAR) > abs(y - FAR) ? abs(x - FAR) : abs(y - FAR);
            farthest = marks[y][x] && distance > farthest ? distance : farthest;
        }
    }
    return (uint32_t)farthest;
}

/* A halo that leaves out a cell on which another one depends, or is larger than it must be. */
static void test_halo(void **state)
{
    terrain_erode_flatten_params p;
    const terrain_operation *operation = terrain_operation_find("erode_flatten");
    terrain_erode_flatten_params_init(&p, sizeof p);
    for (p.iterations = 1; p.iterations < 9; p.iterations++) {
        uint32_t farthest = 0;
        uint32_t halo = 0;
        for (int phase = 0; phase < 5; phase++) {
            uint32_t reach = reach_of(p.iterations, phase);
            farthest = reach > farthest ? reach : farthest;
        }
        assert_int_equal(terrain_operation_halo(operation, &p, &halo), TERRAIN_SUCCESS);
        assert_int_equal(halo, farthest);
    }
}

/* NaN or infinity that moves, gives or receives. */
static void test_walls(void **state)
{
    static const float walls[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < 3; i++) {
        terrain_heightmap *map = test_map_of_size(41, 9, 2);
        terrain_heightmap *left = test_map_of_size(20, 9, 2);
        terrain_window window = {0, 0, 20, 9};
        for (uint32_t y = 0; y < 9; y++) {
            *test_cell(map, 20, y) = walls[i];
        }
        erode(map, 7, 100);
        erode(left, 7, 100);
        for (uint32_t y = 0; y < 9; y++) {
            assert_true(memcmp(test_cell(map, 20, y), &walls[i], sizeof(float)) == 0);
        }
        /* A drop of infinity is steeper than any talus: what lies beside it gives nothing. */
        assert_true(walls[i] < 0 || test_windows_equal(map, left, &window));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(left);
    }
}

/* Passes that are announced and never made. */
static void test_progress_of_passes(void **state)
{
    terrain_erode_flatten_params p;
    terrain_heightmap *map = land(90);
    terrain_erode_flatten_params_init(&p, sizeof p);
    for (p.iterations = 1; p.iterations < 20; p.iterations++) {
        expect_all_passes("erode_flatten", &p, &map, 1);
    }
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain_rule),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_range),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_relaxation),
        cmocka_unit_test(test_score),
        cmocka_unit_test(test_halo),
        cmocka_unit_test(test_walls),
        cmocka_unit_test(test_progress_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
