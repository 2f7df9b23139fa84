/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <string.h>

#include "core/keys.h"
#include "generate/generated.h"
#include "terrain/generate.h"
#include "vector/random.h"

typedef terrain_generate_voronoi_params params;

static params defaults(void)
{
    params p;
    terrain_generate_voronoi_params_init(&p, sizeof p);
    return p;
}

/* The k-th nearest point's distance alone, in units of spacing. */
static params distance_to(uint32_t k)
{
    params p = defaults();
    p.c1 = k == 1;
    p.c2 = k == 2;
    p.c3 = k == 3;
    p.variation = 0;
    p.amplitude = 1;
    return p;
}

static terrain_heightmap *generate(const params *p, int64_t x, int64_t y, uint32_t width,
                                   uint32_t height)
{
    terrain_window window = {x, y, width, height};
    return generated(NULL, "generate_voronoi", p, &window);
}

/* The ids, with heights that nobody wants. */
static terrain_heightmap *generate_ids(params p, int64_t x, int64_t y, uint32_t width,
                                       uint32_t height)
{
    terrain_window window = {x, y, width, height};
    terrain_heightmap *ids = test_map(&window);
    test_fill_poison(ids);
    p.id = ids;
    terrain_heightmap_destroy(generated(NULL, "generate_voronoi", &p, &window));
    return ids;
}

/* ---- A full search --------------------------------------------------------------------------- */

typedef struct found {
    double distance[3]; /* in units of spacing */
    double id;
} found;

static int64_t floor_of(int64_t value, int64_t divisor)
{
    int64_t quotient = value / divisor;
    return quotient - (value % divisor < 0);
}

static double measure(uint32_t metric, double dx, double dy)
{
    switch (metric) {
    case TERRAIN_METRIC_EUCLIDEAN:
        return sqrt(dx * dx + dy * dy);
    case TERRAIN_METRIC_SQUARED:
        return dx * dx + dy * dy;
    case TERRAIN_METRIC_MANHATTAN:
        return fabs(dx) + fabs(dy);
    default:
        return fmax(fabs(dx), fabs(dy));
    }
}

/* Where in its square the point is, in units of spacing: down to the grid that positions are on. */
static double place_of(const params *p, uint32_t bits)
{
    uint32_t side = p->spacing;
    while (side * 2 <= 65536) {
        side *= 2;
    }
    uint32_t play = (uint32_t)((double)p->jitter * side);
    return floor((side - play) * 0.5 + bits * (play * 0x1p-16)) / side;
}

static void put(found *f, double distance, double id)
{
    uint32_t k = 3;
    while (k > 0 && distance < f->distance[k - 1]) {
        k--;
    }
    for (uint32_t i = 2; i > k && k < 3; i--) {
        f->distance[i] = f->distance[i - 1];
    }
    if (k < 3) {
        f->distance[k] = distance;
    }
    if (k == 0) {
        f->id = id;
    }
}

/* Over the 11 by 11 squares around the cell's own. */
static found search(const params *p, int64_t x, int64_t y)
{
    uint64_t places =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_voronoi, TERRAIN__DRAW_VORONOI_PLACE);
    uint64_t names =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_voronoi, TERRAIN__DRAW_VORONOI_ID);
    int64_t i = floor_of(x, p->spacing), j = floor_of(y, p->spacing);
    double u = (double)(x - i * p->spacing) / p->spacing;
    double v = (double)(y - j * p->spacing) / p->spacing;
    found f = {{INFINITY, INFINITY, INFINITY}, 0};
    for (int64_t b = -5; b <= 5; b++) {
        for (int64_t a = -5; a <= 5; a++) {
            uint32_t bits = terrain__random_cell(places, i + a, j + b);
            double dx = (double)a + place_of(p, bits >> 16) - u;
            double dy = (double)b + place_of(p, bits & 0xFFFF) - v;
            uint32_t name = terrain__random_cell(names, i + a, j + b);
            put(&f, measure(p->metric, dx, dy), (double)(name >> 8) * 0x1p-24);
        }
    }
    return f;
}

static void check_against_search(params p, int64_t x, int64_t y, uint32_t width, uint32_t height)
{
    terrain_heightmap *ids = generate_ids(p, x, y, width, height);
    for (uint32_t k = 1; k <= 3; k++) {
        p.c1 = k == 1;
        p.c2 = k == 2;
        p.c3 = k == 3;
        terrain_heightmap *map = generate(&p, x, y, width, height);
        for (uint32_t row = 0; row < height; row++) {
            for (uint32_t col = 0; col < width; col++) {
                found f = search(&p, x + col, y + row);
                assert_true(fabs(at(map, col, row) - f.distance[k - 1]) <= 1e-6);
                /* Where rounding can't decide. */
                if (f.distance[1] - f.distance[0] > 1e-6) {
                    assert_true(at(ids, col, row) == f.id);
                }
            }
        }
        terrain_heightmap_destroy(map);
    }
    terrain_heightmap_destroy(ids);
}

/* Guards against near points that are not found: in lattice cells that are not looked at, or
 * because the choice for a patch or a group dropped them. */
static void test_full_search(void **state)
{
    static const uint32_t spacings[] = {2, 3, 5, 8, 13, 16, 21, 33, 64, 100, 1000, 65536};
    static const float jitters[] = {1, 1, 0.999f, 0.5f};
    test_random random = {11};
    for (uint32_t i = 0; i < 96; i++) {
        params p = distance_to(1);
        p.seed = test_bits(&random);
        p.spacing = spacings[i % 12];
        p.metric = i / 12 % 4;
        p.jitter = jitters[(i / 48 + i) % 4];
        int64_t x = test_between(&random, -100000, 100000);
        int64_t y = test_between(&random, -100000, 100000);
        check_against_search(p, x, y, 1 + (uint32_t)test_below(&random, 71),
                             1 + (uint32_t)test_below(&random, 20));
    }
}

/* Guards against a tie that goes by the order of the search: on a regular lattice the middle
 * between two points belongs to the one of the lesser row, then column. */
static void test_ties(void **state)
{
    for (uint32_t metric = 0; metric < 4; metric++) {
        params p = distance_to(1);
        p.jitter = 0;
        p.spacing = 20;
        p.metric = metric;
        terrain_heightmap *ids = generate_ids(p, -80, 40, 120, 100);
        for (uint32_t y = 0; y < 100; y++) {
            for (uint32_t x = 0; x < 120; x++) {
                /* Points at 10, 30, ...: from 1 to 20 belongs to the first. By Chebyshev's metric
                 * more than two may be equally near, and the way is not along an axis. */
                int64_t i = floor_of((int64_t)x - 80 - 1, 20),
                        j = floor_of((int64_t)y + 40 - 1, 20);
                found f = search(&p, i * 20 + 10, j * 20 + 10);
                assert_true(at(ids, x, y) == f.id);
            }
        }
        terrain_heightmap_destroy(ids);
    }
}

/* Guards against borders that are not level with each other: halfway between two points the second
 * distance less the first is exactly 0, whatever the multipliers, and nowhere below. */
static void test_borders_are_zero(void **state)
{
    static const uint32_t metrics[] = {TERRAIN_METRIC_EUCLIDEAN, TERRAIN_METRIC_SQUARED,
                                       TERRAIN_METRIC_MANHATTAN};
    for (uint32_t i = 0; i < 6; i++) {
        params p = defaults();
        p.metric = metrics[i % 3];
        p.variation = 0.9f;
        p.jitter = i < 3 ? 0 : 1;
        p.spacing = 32;
        terrain_heightmap *map = generate(&p, -64, -64, 160, 128);
        uint32_t zeros = 0;
        for (uint32_t y = 0; y < 128; y++) {
            for (uint32_t x = 0; x < 160; x++) {
                assert_true(at(map, x, y) >= 0);
                zeros += at(map, x, y) == 0;
                assert_true(i >= 3 || (at(map, x, y) == 0) == (x % 32 == 0 || y % 32 == 0));
            }
        }
        assert_true(i >= 3 || zeros == 5 * 128 + 4 * 160 - 5 * 4);
        terrain_heightmap_destroy(map);
    }
}

/* Guards against jumps, which a wrong point leaves, and defaults that bring walls with other
 * weights: from a cell to its neighbour no distance changes by more than 1 cell, and no hill by
 * more than 2, with variation, too. */
static void test_no_jumps(void **state)
{
    static const uint32_t metrics[] = {TERRAIN_METRIC_EUCLIDEAN, TERRAIN_METRIC_MANHATTAN,
                                       TERRAIN_METRIC_CHEBYSHEV};
    for (uint32_t i = 0; i < 24; i++) {
        params p = defaults();
        p.metric = metrics[i / 3 % 3];
        p.spacing = i % 2 ? 24 : 70;
        p.amplitude = (float)p.spacing;
        p.seed = i;
        if (i < 12) {
            p.c1 = i % 3 == 0;
            p.c2 = i % 3 == 1;
            p.c3 = i % 3 == 2;
        } else {
            p.variation = 0.5f;
        }
        double limit = (i < 12 ? 1 : 2) + 1e-4;
        terrain_heightmap *map = generate(&p, -40, 900, 200, 150);
        for (uint32_t y = 1; y < 150; y++) {
            for (uint32_t x = 1; x < 200; x++) {
                assert_true(fabs(at(map, x, y) - at(map, x - 1, y)) <= limit);
                assert_true(fabs(at(map, x, y) - at(map, x, y - 1)) <= limit);
            }
        }
        terrain_heightmap_destroy(map);
    }
}

/* Guards against weights, polynomial and multipliers that are not those of the formula. */
static void test_heights(void **state)
{
    params p = defaults();
    p.c1 = 0.5f;
    p.c2 = -2;
    p.c3 = 1.5f;
    p.linear = 0.75f;
    p.quadratic = -1.25f;
    p.variation = 0.7f;
    p.amplitude = 30;
    p.offset = 4;
    p.spacing = 50;
    terrain_heightmap *map = generate(&p, -40, 7, 100, 80);
    terrain_heightmap *ids = generate_ids(p, -40, 7, 100, 80);
    terrain_heightmap *parts[3];
    for (uint32_t k = 0; k < 3; k++) {
        params part = distance_to(k + 1);
        part.spacing = 50;
        parts[k] = generate(&part, -40, 7, 100, 80);
    }
    for (uint32_t y = 0; y < 80; y++) {
        for (uint32_t x = 0; x < 100; x++) {
            double s = 0.5 * at(parts[0], x, y) - 2 * at(parts[1], x, y) + 1.5 * at(parts[2], x, y);
            double h = 4 + 30 * (1 - 0.7 * at(ids, x, y)) * (0.75 * s - 1.25 * s * s);
            assert_true(fabs(at(map, x, y) - h) < 1e-4);
        }
    }
    for (uint32_t k = 0; k < 3; k++) {
        terrain_heightmap_destroy(parts[k]);
    }
    terrain_heightmap_destroy(ids);
    terrain_heightmap_destroy(map);
}

/* Guards against ids that depend on whether someone looks, are the same for all, or change within a
 * region: one map of squares holds about as many ids as squares. */
static void test_ids(void **state)
{
    params p = defaults();
    p.spacing = 10;
    p.metric = TERRAIN_METRIC_MANHATTAN;
    terrain_heightmap *ids = generate_ids(p, 0, 0, 200, 200);
    terrain_heightmap *heights = generate(&p, 0, 0, 200, 200);
    double seen[600];
    uint32_t count = 0;
    double sum = 0;
    for (uint32_t i = 0; i < 40000; i++) {
        double id = at(ids, i % 200, i / 200);
        uint32_t k = 0;
        while (k < count && seen[k] != id) {
            k++;
        }
        assert_true(k < 600 && id >= 0 && id < 1);
        sum += k == count ? id : 0;
        count += k == count;
        seen[k] = id;
    }
    assert_in_range(count, 400, 500);
    assert_true(fabs(sum / count - 0.5) < 0.06);
    p.id = ids;
    terrain_window window = {0, 0, 200, 200};
    terrain_heightmap *again = generated(NULL, "generate_voronoi", &p, &window);
    assert_true(test_maps_equal(heights, again));
    terrain_heightmap_destroy(again);
    terrain_heightmap_destroy(heights);
    terrain_heightmap_destroy(ids);
}

/* Guards against seams where the work is cut into patches and groups, where a coordinate's words
 * carry, at the edges of the world, and between instruction sets. */
static void test_any_window_is_a_crop(void **state)
{
    static const uint32_t spacings[] = {128, 2, 3, 16, 31, 64, 77, 9};
    test_random random = {3};
    for (uint32_t i = 0; i < 72; i++) {
        params p = defaults();
        terrain_window all = {far_origin(i), far_origin(i / 8 + i), 199, 131};
        p.seed = test_bits(&random);
        p.spacing = spacings[i % 8];
        p.metric = i / 3 % 4;
        p.c3 = (float)(i % 3) / 2;
        p.variation = i % 5 ? 0.6f : 0;
        terrain_heightmap *whole = generated(NULL, "generate_voronoi", &p, &all);
        for (uint32_t k = 0; k < 5; k++) {
            terrain_context *context =
                test_context(test_isa_at(k % test_isa_count()), NULL, NULL, NULL);
            terrain_window window = {0, 0, 1 + (uint32_t)test_below(&random, k < 3 ? 199 : 20),
                                     1 + (uint32_t)test_below(&random, k < 3 ? 131 : 9)};
            window.x = all.x + test_between(&random, 0, 199 - window.width);
            window.y = all.y + test_between(&random, 0, 131 - window.height);
            terrain_heightmap *tile = generated(context, "generate_voronoi", &p, &window);
            assert_true(test_windows_equal(tile, whole, &window));
            terrain_heightmap_destroy(tile);
            terrain_context_destroy(context);
        }
        terrain_heightmap_destroy(whole);
    }
}

/* Guards against lost high words, which make the world repeat, and seeds that don't count. */
static void test_nothing_repeats(void **state)
{
    static const int64_t shifts[] = {512, INT64_C(512) << 32, INT64_C(1) << 34, INT64_C(1) << 40,
                                     INT64_C(1) << 61};
    for (uint32_t i = 0; i < 11; i++) {
        int64_t shift = i == 10 ? 0 : shifts[i / 2];
        params p = defaults();
        p.spacing = 4;
        terrain_heightmap *here = generate_ids(p, 0, 0, 32, 32);
        p.seed = i == 10;
        terrain_heightmap *there = generate_ids(p, i % 2 ? shift : 0, i % 2 ? 0 : shift, 32, 32);
        assert_true(equal_cells(here, there) < 20);
        terrain_heightmap_destroy(here);
        terrain_heightmap_destroy(there);
    }
}

/* Guards against a torus that does not close: one lattice cell, and more, all around, anywhere. */
static void test_torus(void **state)
{
    static const uint32_t counts[] = {1, 2, 3, 7};
    static const int64_t origins[] = {-40, 5, TERRAIN_WORLD_LIMIT - 1000, -(INT64_C(1) << 41)};
    for (uint32_t i = 0; i < 16; i++) {
        params p = defaults();
        p.spacing = i % 2 ? 12 : 33;
        p.c3 = 0.5f;
        p.metric = i % 3;
        p.repeat_width = p.spacing * counts[i % 4];
        p.repeat_height = p.spacing * counts[i / 4];
        terrain_heightmap *map = generate(&p, origins[i % 4], origins[i / 4], 300, 280);
        expect_torus(map, p.repeat_width, p.repeat_height);
        terrain_heightmap_destroy(map);
    }
}

/* Guards against a repeat that cuts a square in two. */
static void test_refused(void **state)
{
    params p = defaults();
    terrain_heightmap *map = test_map_of_size(8, 8, 1);
    uint32_t *before = test_snapshot(map);
    p.repeat_width = p.spacing + 1;
    assert_int_equal(terrain_generate_voronoi(NULL, map, &p), TERRAIN_ERROR_RANGE);
    p.repeat_width = 0;
    p.repeat_height = p.spacing / 2;
    assert_int_equal(terrain_generate_voronoi(NULL, map, &p), TERRAIN_ERROR_RANGE);
    assert_true(test_unchanged(map, before));
    terrain_heightmap_destroy(map);
}

/* A map so large that its rows go past the caches: patches in the wrong place, an id map
 * forgotten. */
static void test_large_map(void **state)
{
    params p = defaults();
    const terrain_window all = {-3, 5, 2117, 2053};
    terrain_heightmap *ids = test_map(&all), *few = NULL;
    p.variation = 0.5f;
    p.id = ids;
    terrain_heightmap *large = generate(&p, all.x, all.y, all.width, all.height);
    for (uint32_t k = 0; k < 4; k++) {
        const terrain_window part = {all.x + (k & 1) * 2040, all.y + (k >> 1) * 1990, 77, 63};
        few = test_map(&part);
        p.id = few;
        terrain_heightmap *small = generate(&p, part.x, part.y, part.width, part.height);
        assert_true(test_windows_equal(large, small, &part));
        assert_true(test_windows_equal(ids, few, &part));
        terrain_heightmap_destroy(small);
        terrain_heightmap_destroy(few);
    }
    terrain_heightmap_destroy(large);
    terrain_heightmap_destroy(ids);
}

/* Guards against defaults whose relief and slopes are not what the header tells. */
static void test_default_relief(void **state)
{
    double relief, slope;
    default_relief("generate_voronoi", &relief, &slope);
    assert_true(relief > 78 && relief < 90);
    assert_true(slope > 0.9 && slope < 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_full_search),
        cmocka_unit_test(test_ties),
        cmocka_unit_test(test_borders_are_zero),
        cmocka_unit_test(test_no_jumps),
        cmocka_unit_test(test_heights),
        cmocka_unit_test(test_ids),
        cmocka_unit_test(test_any_window_is_a_crop),
        cmocka_unit_test(test_nothing_repeats),
        cmocka_unit_test(test_torus),
        cmocka_unit_test(test_large_map),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_default_relief),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
