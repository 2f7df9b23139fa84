/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "core/keys.h"
#include "generate/generated.h"
#include "terrain/generate.h"
#include "vector/random.h"

typedef terrain_generate_ridges_params params;

enum { SIZE = 300 };

static const terrain_window whole = {0, 0, SIZE, SIZE};

static params defaults(void)
{
    params p;
    terrain_generate_ridges_params_init(&p, sizeof p);
    return p;
}

/* The lines alone. */
static terrain_heightmap *lines_of(params *p)
{
    terrain_heightmap *lines = test_map(&whole);
    p->constraints = lines;
    terrain_heightmap_destroy(generated(NULL, "generate_ridges", p, &whole));
    p->constraints = NULL;
    return lines;
}

/* NaN outside. */
static double line_at(const terrain_heightmap *lines, uint32_t x, uint32_t y)
{
    return x < SIZE && y < SIZE ? at(lines, x, y) : NAN;
}

/* Neighbours to the sides that are on a line, and the highest of them. */
static uint32_t neighbours(const terrain_heightmap *lines, uint32_t x, uint32_t y, double *highest)
{
    const double around[] = {line_at(lines, x + 1, y), line_at(lines, x - 1, y),
                             line_at(lines, x, y + 1), line_at(lines, x, y - 1)};
    uint32_t count = 0;
    *highest = -INFINITY;
    for (uint32_t i = 0; i < 4; i++) {
        count += !isnan(around[i]);
        *highest = around[i] > *highest ? around[i] : *highest;
    }
    return count;
}

static uint32_t line_cells(const terrain_heightmap *lines)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        count += !isnan(at(lines, i % SIZE, i / SIZE));
    }
    return count;
}

/* Guards against lines with gaps, and lines that rise again: from each cell of one, heights never
 * fall along its neighbours up to a peak, of which there are no more than were asked for. */
static void test_lines_fall_from_their_peaks(void **state)
{
    for (uint32_t variant = 0; variant < 8; variant++) {
        params p = defaults();
        uint32_t peaks = 0;
        p.seed = variant;
        p.mode = variant % 2;
        p.spacing = variant < 4 ? 150 : 75;
        p.depth = variant % 3;
        p.offset = -40;
        terrain_heightmap *lines = lines_of(&p);
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            const double h = at(lines, i % SIZE, i / SIZE);
            double highest;
            if (isnan(h)) {
                continue;
            }
            assert_true(h >= -40 + p.least - 1e-4 && h <= -40 + p.amplitude + 1e-4);
            peaks += neighbours(lines, i % SIZE, i / SIZE, &highest) == 0 || highest < h;
        }
        assert_true(line_cells(lines) > 200);
        assert_true(peaks > 0 && peaks <= (variant < 4 ? 4 : 16));
        terrain_heightmap_destroy(lines);
    }
}

/* How many cells without a line hang together with (x, y), by sides or corners; they become a
 * line. */
static uint32_t fill_region(terrain_heightmap *lines, uint32_t x, uint32_t y)
{
    static uint32_t stack[SIZE * SIZE];
    const uint32_t first = y * SIZE + x;
    uint32_t depth = 0, count = 0;
    terrain_heightmap_data(lines)[first] = 0;
    stack[depth++] = first;
    while (depth > 0) {
        const uint32_t cell = stack[--depth];
        count++;
        for (uint32_t i = 0; i < 9; i++) {
            const uint32_t nx = cell % SIZE + i % 3 - 1, ny = cell / SIZE + i / 3 - 1;
            if (nx < SIZE && ny < SIZE && isnan(at(lines, nx, ny))) {
                terrain_heightmap_data(lines)[ny * SIZE + nx] = 0;
                stack[depth++] = ny * SIZE + nx;
            }
        }
    }
    return count;
}

/* Guards against lines that go on through others, or slip through at a corner: straight lines that
 * end at each other or at the frame's edge cut it into one part more than there are lines, each
 * crossing would make one more. (A few cells between two lines that run side by side are none.) */
static void test_lines_do_not_cross(void **state)
{
    for (uint64_t seed = 0; seed < 20; seed++) {
        params p = defaults();
        uint32_t parts = 0;
        p.seed = seed;
        p.turn = 0;
        p.depth = 0;
        p.spacing = 100; /* 9 peaks */
        p.length = 16384;
        terrain_heightmap *lines = lines_of(&p);
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            if (isnan(at(lines, i % SIZE, i / SIZE))) {
                parts += fill_region(lines, i % SIZE, i / SIZE) > 8;
            }
        }
        assert_true(parts > 4 && parts <= 10);
        terrain_heightmap_destroy(lines);
    }
}

/* Guards against another profile: along a straight ridge heights are those of the normal
 * distribution, of the distance from the peak, to the step at which it ends. */
static void test_normal_profile(void **state)
{
    params p = defaults();
    uint32_t peak = 0;
    p.turn = 0;
    p.depth = 0;
    p.spacing = 1e6f;
    p.length = 20;
    p.variation = 0;
    p.frame_width = p.frame_height = SIZE;
    terrain_heightmap *lines = NULL;
    for (p.seed = 0;; p.seed++) { /* one whose lines end far from the frame's edge */
        lines = lines_of(&p);
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            peak = at(lines, i % SIZE, i / SIZE) == 100 ? i : peak;
        }
        if (peak % SIZE > 80 && peak % SIZE < 220 && peak / SIZE > 80 && peak / SIZE < 220) {
            break;
        }
        terrain_heightmap_destroy(lines);
    }
    double farthest = 0;
    for (uint32_t i = 0; i < SIZE * SIZE; i++) {
        const double h = at(lines, i % SIZE, i / SIZE);
        const double dx = (double)(i % SIZE) - peak % SIZE, dy = (double)(i / SIZE) - peak / SIZE;
        const double away = sqrt(dx * dx + dy * dy);
        if (isnan(h)) {
            continue;
        }
        /* Steps are one cell; a cell may be up to sqrt(2) cells off its place in the line,
         * twice. */
        assert_true(fabs(sqrt(-2 * log(h / 100)) * 20 - away) < 2.9);
        farthest = away > farthest ? away : farthest;
    }
    assert_true(fabs(farthest - 20 * sqrt(2 * log(100))) < 2.9);
    terrain_heightmap_destroy(lines);
}

static uint32_t flood(terrain_heightmap *map, uint32_t x, uint32_t y)
{
    if (x >= SIZE || y >= SIZE || isnan(at(map, x, y))) {
        return 0;
    }
    terrain_heightmap_data(map)[y * terrain_heightmap_stride(map) + x] = NAN;
    return 1 + flood(map, x + 1, y) + flood(map, x - 1, y) + flood(map, x, y + 1) +
           flood(map, x, y - 1);
}

/* Guards against branches that are missing, doubled, or of another length: two for each whole
 * branch_spacing of a straight ridge that ends in the plain. */
static void test_branches(void **state)
{
    params p = defaults();
    uint32_t branches = 0, longest = 0;
    p.turn = 0;
    p.spacing = 1e6f;
    p.length = 22; /* 66 steps: sqrt(2 log 100) 22 = 66.8 */
    p.variation = 0;
    p.branch_spacing = 16;
    p.frame_x = p.frame_y = -60; /* no line that the map shows ends at the frame's edge */
    p.frame_width = p.frame_height = 420;
    for (p.seed = 0;; p.seed++) {
        p.depth = 0;
        terrain_heightmap *main_line = lines_of(&p);
        const uint32_t cells = line_cells(main_line);
        bool edge = false;
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            const uint32_t x = i % SIZE, y = i / SIZE;
            edge = edge || (!isnan(at(main_line, x, y)) &&
                            (x < 90 || y < 90 || x >= SIZE - 90 || y >= SIZE - 90));
        }
        if (cells == 0 || edge) {
            terrain_heightmap_destroy(main_line);
            continue;
        }
        p.depth = 1;
        terrain_heightmap *all = lines_of(&p);
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            if (!isnan(at(main_line, i % SIZE, i / SIZE))) {
                assert_true(at(all, i % SIZE, i / SIZE) >= at(main_line, i % SIZE, i / SIZE));
                terrain_heightmap_data(all)[i] = NAN;
            }
        }
        for (uint32_t i = 0; i < SIZE * SIZE; i++) {
            const uint32_t size = flood(all, i % SIZE, i / SIZE);
            branches += size > 0;
            longest = size > longest ? size : longest;
        }
        terrain_heightmap_destroy(main_line);
        terrain_heightmap_destroy(all);
        break;
    }
    assert_int_equal(branches, 2 * 2 * (66 / 16));
    /* The first ones rise from exp(-16^2 / (2 22^2)) of 100 to 1 in steps of 11, in cells up to
     * sqrt(2) times as many. */
    const double steps = 11 * sqrt(2 * (log(100) - 16.0 * 16 / (2 * 22 * 22)));
    assert_true(longest > steps - 4 && longest < 1.42 * steps + 2);
}

/* Guards against tiles that see another frame, and plain that is not plain. */
static void test_any_window_is_a_crop(void **state)
{
    static const int64_t places[] = {0, -100, (INT64_C(1) << 32) - 50, TERRAIN_WORLD_LIMIT - 600,
                                     100 - TERRAIN_WORLD_LIMIT};
    test_random random = {3};
    for (uint32_t i = 0; i < 5; i++) {
        params p = defaults();
        const terrain_window all = {places[i], places[(i + 3) % 5], 320, 210};
        p.frame_x = all.x + 20;
        p.frame_y = all.y - 15;
        p.frame_width = 260;
        p.frame_height = 290;
        p.seed = i;
        p.offset = 5;
        p.spacing = 100;
        terrain_heightmap *map = generated(NULL, "generate_ridges", &p, &all);
        assert_true(at(map, 3, 40) == 5 && at(map, 310, 200) == 5);
        expect_crops("generate_ridges", &p, map, &random, 8);
        terrain_heightmap_destroy(map);
    }
}

/* Guards against the default frame being another one than the map's, and against seeds that don't
 * count. */
static void test_frame_and_seed(void **state)
{
    const terrain_window window = {40, -70, 200, 130};
    params p = defaults();
    terrain_heightmap *map = generated(NULL, "generate_ridges", &p, &window);
    p.frame_x = 40;
    p.frame_y = -70;
    p.frame_width = 200;
    p.frame_height = 130;
    terrain_heightmap *framed = generated(NULL, "generate_ridges", &p, &window);
    p.seed = 1;
    terrain_heightmap *other = generated(NULL, "generate_ridges", &p, &window);
    assert_int_equal(equal_cells(map, framed), 200 * 130);
    assert_true(equal_cells(map, other) < 200 * 130);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(framed);
    terrain_heightmap_destroy(other);
}

/* Guards against lines without peaks that are just as high as `least`. */
static void test_least_peaks(void **state)
{
    params p = defaults();
    p.variation = 0;
    p.least = p.amplitude;
    terrain_heightmap *lines = lines_of(&p);
    assert_true(line_cells(lines) > 0);
    terrain_heightmap_destroy(lines);
}

/* Guards against frames without an area, frames that no memory holds, and params that would make
 * more lines than cells. */
static void test_limits(void **state)
{
    const terrain_window window = {0, 0, 64, 48};
    terrain_heightmap *map = test_map(&window);
    params p = defaults();
    p.frame_width = 9;
    assert_int_equal(terrain_generate_ridges(NULL, map, &p), TERRAIN_ERROR_RANGE);
    p.frame_height = 1u << 28;
    assert_int_equal(terrain_generate_ridges(NULL, map, &p), TERRAIN_ERROR_RANGE);
    p = defaults();
    p.spacing = 8;
    p.amplitude = 1e9f;
    p.least = 0.001f;
    p.length = 16384;
    p.depth = 2;
    p.branch_spacing = 1;
    p.branch_length = 1;
    p.turn = 90;
    p.turn_spacing = 1;
    assert_int_equal(terrain_generate_ridges(NULL, map, &p), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
}

/* Guards against peaks of the world that are not one for each square of the lattice, wherever that
 * is: lines that stop before their first step leave the peaks alone. */
static void test_one_peak_a_square(void **state)
{
    static const int64_t places[] = {0, -64, INT64_C(1) << 32, 320 - TERRAIN_WORLD_LIMIT,
                                     TERRAIN_WORLD_LIMIT - 320};
    for (uint32_t i = 0; i < 5; i++) {
        params p = defaults();
        const terrain_window window = {places[i], places[(i + 2) % 5], 256, 192};
        uint32_t counts[6][8] = {{0}};
        p.peaks = TERRAIN_GENERATE_RIDGES_PEAKS_WORLD;
        p.spacing = 32;
        p.variation = 0;
        p.least = p.amplitude;
        p.seed = i;
        terrain_heightmap *map = generated(NULL, "generate_ridges", &p, &window);
        for (uint32_t y = 0; y < window.height; y++) {
            for (uint32_t x = 0; x < window.width; x++) {
                counts[y / 32][x / 32] += at(map, x, y) > 0;
            }
        }
        for (uint32_t k = 0; k < 48; k++) {
            assert_int_equal(counts[k / 8][k % 8], 1);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Guards against lines that depend on the window: peaks that are too far to be looked at, numbers
 * by the order in which lines are found, places that are rounded; above all where lines are so
 * dense that many come to a cell with the same step. */
static void test_any_window_of_the_world(void **state)
{
    static const int64_t places[] = {0, -100, (INT64_C(1) << 32) - 50, TERRAIN_WORLD_LIMIT - 2600,
                                     2300 - TERRAIN_WORLD_LIMIT};
    test_random random = {5};
    for (uint32_t i = 0; i < 20; i++) {
        params p = defaults();
        const terrain_window all = {places[i % 5], places[(i + 3) % 5], 320, 210};
        p.peaks = TERRAIN_GENERATE_RIDGES_PEAKS_WORLD;
        p.seed = i;
        p.mode = i % 2;
        p.depth = i < 10 ? i % 2 : i % 3;
        p.spacing = i < 10 ? 8 + 1.37F * (float)i : 90.7F;
        p.length = i < 10 ? 7 : 50;
        p.branch_spacing = i < 10 ? 1 + i % 4 : 9;
        p.turn = i % 4 < 2 ? 0 : 45;
        p.variation = i % 5 == 0 ? 0 : 0.5F;
        p.offset = 5;
        terrain_heightmap *map = generated(NULL, "generate_ridges", &p, &all);
        expect_crops("generate_ridges", &p, map, &random, 8);
        terrain_heightmap_destroy(map);
    }
}

/* Guards against ridges of the world that get farther than the header says, or end before: alone,
 * by spacing, the longest of them. */
static void test_reach(void **state)
{
    params p = defaults();
    const terrain_window window = {-700, -700, 1400, 1400};
    double farthest = 0;
    p.peaks = TERRAIN_GENERATE_RIDGES_PEAKS_WORLD;
    p.spacing = 1e6F;
    p.variation = 0;
    p.turn = 0;
    p.length = 40;
    p.branch_length = 1;
    p.branch_spacing = 1;
    /* Two peaks in a million squared cells: the first window is that of the origin's square. */
    uint64_t places =
        terrain__random_stream(0, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_PEAK);
    const uint64_t peak = terrain__mix(terrain__mix(places, 0), 0);
    const double x = 1e6 * terrain__unit_double(peak, 0), y = 1e6 * terrain__unit_double(peak, 1);
    const terrain_window around = {(int64_t)x + window.x, (int64_t)y + window.y, window.width,
                                   window.height};
    terrain_heightmap *map = generated(NULL, "generate_ridges", &p, &around);
    assert_true(at(map, 700, 700) == 100);
    for (uint32_t k = 0; k < window.width * window.height; k++) {
        const double dx = (double)(k % window.width) - 700, dy = (double)(k / window.width) - 700;
        const double away = sqrt(dx * dx + dy * dy);
        farthest =
            at(map, k % window.width, k / window.width) > 0 && away > farthest ? away : farthest;
    }
    terrain_heightmap_destroy(map);
    const double longest = 40 * sqrt(2 * log(100)), reach = sqrt(2) * longest;
    assert_true(farthest > longest - 2 && farthest < reach);
}

/* Guards against ridges of the world that no tile can hold, and frames that count though they play
 * no part. */
static void test_world_limits(void **state)
{
    const terrain_window window = {0, 0, 64, 48};
    params p = defaults();
    p.peaks = TERRAIN_GENERATE_RIDGES_PEAKS_WORLD;
    terrain_heightmap *map = generated(NULL, "generate_ridges", &p, &window);
    p.frame_width = 9;
    p.frame_x = 1000;
    terrain_heightmap *framed = generated(NULL, "generate_ridges", &p, &window);
    assert_true(test_maps_equal(map, framed));
    p.length = 2000;
    assert_int_equal(terrain_generate_ridges(NULL, map, &p), TERRAIN_ERROR_RANGE);
    p.length = 500;
    p.spacing = 8;
    p.depth = 2;
    assert_int_equal(terrain_generate_ridges(NULL, map, &p), TERRAIN_ERROR_RANGE);
    p.spacing = 256;
    p.branch_spacing = 1;
    assert_int_equal(terrain_generate_ridges(NULL, map, &p), TERRAIN_ERROR_RANGE);
    assert_true(test_maps_equal(map, framed));
    terrain_heightmap_destroy(framed);
    terrain_heightmap_destroy(map);
}

/* Guards against results that depend on how threads share the lines: where many run from band to
 * band, and meet there. */
static void test_threads_share_lines(void **state)
{
    terrain_pool *pool;
    assert_int_equal(terrain_pool_create(3, &pool), TERRAIN_SUCCESS);
    terrain_context *shared = test_context_on_pool(TERRAIN_ISA_BEST, pool);
    for (uint32_t i = 0; i < 12; i++) {
        const terrain_window window = {0, 0, 200 + 90 * (i % 3), i < 2 ? 2100 : 300 + 50 * i};
        params p = defaults();
        p.peaks =
            i % 2 == 0 ? TERRAIN_GENERATE_RIDGES_PEAKS_FRAME : TERRAIN_GENERATE_RIDGES_PEAKS_WORLD;
        p.seed = i;
        p.mode = i % 4 / 2;
        p.depth = i % 3;
        p.spacing = i < 10 ? 32 + 10 * (float)i : 8; /* so dense that all lines wait */
        p.length = 40;
        p.branch_spacing = 8 + 3 * i;
        p.turn = 45;
        terrain_heightmap *map = generated(NULL, "generate_ridges", &p, &window);
        terrain_heightmap *again = generated(shared, "generate_ridges", &p, &window);
        assert_true(test_maps_equal(map, again));
        terrain_heightmap_destroy(again);
        terrain_heightmap_destroy(map);
    }
    terrain_context_destroy(shared);
    terrain_pool_destroy(pool);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_fall_from_their_peaks),
        cmocka_unit_test(test_lines_do_not_cross),
        cmocka_unit_test(test_normal_profile),
        cmocka_unit_test(test_branches),
        cmocka_unit_test(test_any_window_is_a_crop),
        cmocka_unit_test(test_frame_and_seed),
        cmocka_unit_test(test_least_peaks),
        cmocka_unit_test(test_limits),
        cmocka_unit_test(test_one_peak_a_square),
        cmocka_unit_test(test_any_window_of_the_world),
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_world_limits),
        cmocka_unit_test(test_threads_share_lines),
    };
    return cmocka_run_group_tests_name("generate_ridges", tests, NULL, NULL);
}
