/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards erode_canyons_separating: walls steeper than they may be, ground that rises or changes out
 * of reach, a net with loose ends, short canyons that are as deep as long ones. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "terrain/erode.h"

enum { WIDTH = 231, HEIGHT = 190, CELLS = WIDTH * HEIGHT };

typedef terrain_erode_canyons_separating_params separating_params;

static separating_params params_of(uint64_t seed)
{
    separating_params p;
    assert_int_equal(terrain_erode_canyons_separating_params_init(&p, sizeof p), TERRAIN_SUCCESS);
    p.seed = seed;
    p.spacing = 96;
    p.width = 1.5f;
    return p;
}

static terrain_heightmap *level(float height)
{
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 0);
    for (size_t i = 0; i < CELLS; i++) {
        terrain_heightmap_data(map)[i] = height;
    }
    return map;
}

/* On level ground no two neighbours differ by more than the bank; and nothing is deeper than the
 * deepest canyon. */
static void test_walls(void **state)
{
    for (uint64_t seed = 0; seed < 6; seed++) {
        separating_params p = params_of(seed);
        terrain_heightmap *map = level(1000);
        const float *h = terrain_heightmap_data(map);
        float lowest = 1000, most;
        p.bank = 0.3f + 0.5f * (float)seed;
        p.meander = 0.1f * (float)(seed % 4);
        p.blind = seed % 2 == 1 ? 0.5f : 0;
        assert_int_equal(terrain_heightmap_set_cell_size(map, 2), TERRAIN_SUCCESS);
        most = 2 * p.bank * 1.0001f + 1e-3f;
        assert_int_equal(terrain_erode_canyons_separating(NULL, map, &p), TERRAIN_SUCCESS);
        for (size_t i = 0; i + WIDTH + 1 < CELLS; i++) {
            lowest = h[i] < lowest ? h[i] : lowest;
            assert_true(i % WIDTH == WIDTH - 1 || fabsf(h[i + 1] - h[i]) <= most);
            assert_true(fabsf(h[i + WIDTH] - h[i]) <= most);
            assert_true(i % WIDTH == WIDTH - 1 || fabsf(h[i + WIDTH + 1] - h[i]) <= 1.4143f * most);
            assert_true(i % WIDTH == 0 || fabsf(h[i + WIDTH - 1] - h[i]) <= 1.4143f * most);
        }
        assert_true(lowest < 1000 - 0.4f * p.depth);
        assert_true(lowest >= 1000 - p.depth * (1 + p.vary) * 1.0001f);
        terrain_heightmap_destroy(map);
    }
}

/* Nothing rises, and what is far from all floors keeps its bits. */
static void test_reach(void **state)
{
    for (uint64_t seed = 0; seed < 4; seed++) {
        separating_params p = params_of(seed);
        terrain_heightmap *before = test_map_of_size(WIDTH, HEIGHT, seed);
        terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, seed);
        terrain_heightmap *floors = level(7);
        const float *h = terrain_heightmap_data(map), *b = terrain_heightmap_data(before);
        const float *f = terrain_heightmap_data(floors);
        const int64_t reach = 4 + (int64_t)seed, most = reach + 2;
        uint32_t changed = 0, kept = 0;
        p.reach = (uint32_t)reach;
        p.bank = 20;
        p.floors = floors;
        assert_int_equal(terrain_erode_canyons_separating(NULL, map, &p), TERRAIN_SUCCESS);
        for (int64_t i = 0; i < CELLS; i++) {
            const int64_t x = i % WIDTH, y = i / WIDTH;
            bool near = x < most || y < most || x >= WIDTH - most || y >= HEIGHT - most;
            for (int64_t k = 0; k < (2 * most + 1) * (2 * most + 1) && !near; k++) {
                const int64_t dx = k % (2 * most + 1) - most, dy = k / (2 * most + 1) - most;
                near = dx * dx + dy * dy <= most * most && f[i + dy * WIDTH + dx] > 0;
            }
            assert_true(h[i] <= b[i]);
            changed += h[i] < b[i];
            kept += !near;
            assert_true(near || memcmp(&h[i], &b[i], sizeof h[i]) == 0);
        }
        assert_true(changed > CELLS / 20 && kept > CELLS / 20);
        terrain_heightmap_destroy(before);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(floors);
    }
}

/* The pieces of land between floors. */
static uint32_t label_land(const float *floors, uint32_t *labels)
{
    uint32_t *stack = calloc(CELLS, sizeof *stack), count = 0;
    for (uint32_t i = 0; i < CELLS; i++) {
        uint32_t depth = 0;
        if (floors[i] > 0 || labels[i] != 0) {
            continue;
        }
        labels[i] = ++count;
        stack[depth++] = i;
        while (depth > 0) {
            const uint32_t c = stack[--depth], x = c % WIDTH, y = c / WIDTH;
            const uint32_t next[4] = {x > 0 ? c - 1 : c, x + 1 < WIDTH ? c + 1 : c,
                                      y > 0 ? c - WIDTH : c, y + 1 < HEIGHT ? c + WIDTH : c};
            for (int k = 0; k < 4; k++) {
                if (!(floors[next[k]] > 0) && labels[next[k]] == 0) {
                    labels[next[k]] = count;
                    stack[depth++] = next[k];
                }
            }
        }
    }
    free(stack);
    return count;
}

/* Floors that have the same land on all sides: none in a net, many among blind canyons. */
static uint32_t loose_ends(separating_params p)
{
    enum { NEAR = 9 };
    terrain_heightmap *map = level(0), *floors = level(0);
    uint32_t *labels = calloc(CELLS, sizeof *labels), loose = 0;
    const float *f = terrain_heightmap_data(floors);
    p.floors = floors;
    p.vary = 0.1f;
    p.bank = 5; /* floors that fall as steeply as walls are none */
    assert_int_equal(terrain_erode_canyons_separating(NULL, map, &p), TERRAIN_SUCCESS);
    assert_true(label_land(f, labels) > 4);
    for (int64_t i = 0; i < CELLS; i++) {
        const int64_t x = i % WIDTH, y = i / WIDTH;
        uint32_t first = 0;
        bool two = !(f[i] > 0) || x < NEAR || y < NEAR || x >= WIDTH - NEAR || y >= HEIGHT - NEAR;
        for (int64_t dy = -NEAR; dy <= NEAR && !two; dy++) {
            for (int64_t dx = -NEAR; dx <= NEAR; dx++) {
                const uint32_t label = labels[i + dy * WIDTH + dx];
                two = two || (first != 0 && label != 0 && label != first);
                first = first != 0 ? first : label;
            }
        }
        loose += !two;
    }
    free(labels);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(floors);
    return loose;
}

/* Guards against canyons that end within the net without `blind`, and `blind` without effect. */
static void test_net(void **state)
{
    uint32_t blind = 0;
    for (uint64_t seed = 0; seed < 8; seed++) {
        separating_params p = params_of(seed);
        p.share = 0.3f + 0.1f * (float)seed;
        p.levels = 1 + (uint32_t)(seed % 3);
        p.width = 1 / powf(0.7071f, (float)p.levels - 1);
        assert_int_equal(loose_ends(p), 0);
        p.blind = 1;
        p.levels = 3;
        p.share = 1;
        blind += loose_ends(p);
    }
    assert_true(blind > 100);
}

/* Each level is deeper than the one before, on average. */
static void test_depths(void **state)
{
    separating_params p = params_of(5);
    double depths[4] = {0}, cells[4] = {0};
    terrain_heightmap *map = level(50), *floors = level(0);
    p.share = 1;
    p.spacing = 160;
    p.floors = floors;
    assert_int_equal(terrain_erode_canyons_separating(NULL, map, &p), TERRAIN_SUCCESS);
    for (size_t i = 0; i < CELLS; i++) {
        const uint32_t k = (uint32_t)terrain_heightmap_data(floors)[i];
        assert_true(k < 4);
        depths[k] += 50 - (double)terrain_heightmap_data(map)[i];
        cells[k]++;
    }
    for (uint32_t k = 0; k < 4; k++) {
        assert_true(cells[k] > 50);
        assert_true(k == 0 || depths[k] / cells[k] > 1.1 * depths[k - 1] / cells[k - 1]);
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(floors);
}

/* Where there is nothing to cut into: no finite ground, which has no floors, or no depth on level
 * ground. */
static void test_nothing(void **state)
{
    const float heights[] = {NAN, INFINITY, -INFINITY, 3};
    for (int k = 0; k < 4; k++) {
        separating_params p = params_of(1);
        terrain_heightmap *map = level(heights[k]), *same = level(heights[k]);
        p.depth = k == 3 ? 0 : 24;
        p.floors = test_clone(map);
        assert_int_equal(terrain_erode_canyons_separating(NULL, map, &p), TERRAIN_SUCCESS);
        assert_true(test_maps_equal(map, same));
        for (size_t i = 0; i < CELLS && k < 3; i++) {
            assert_true(terrain_heightmap_data(p.floors)[i] == 0);
        }
        terrain_heightmap_destroy(p.floors);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(same);
    }
}

/* Guards against levels whose spacing would be too small, and refusal of the smallest that fits. */
static void test_check(void **state)
{
    separating_params p = params_of(0);
    terrain_heightmap *map = level(0);
    p.spacing = 31;
    assert_int_equal(terrain_erode_canyons_separating(NULL, map, &p), TERRAIN_ERROR_RANGE);
    p.spacing = 32;
    assert_int_equal(terrain_erode_canyons_separating(NULL, map, &p), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(map);
}

/* More pieces than can be numbered: refused before anything is touched. */
static void test_too_many(void **state)
{
#if SIZE_MAX > UINT32_MAX
    const uint32_t side = 1u << 20;
    separating_params p = params_of(0);
    float cell = 0;
    terrain_heightmap *map = NULL;
    p.spacing = 8;
    p.levels = 1;
    /* Only the size of this map is looked at. */
    if (terrain_heightmap_wrap(NULL, &cell, side, side, side, &map) == TERRAIN_SUCCESS) {
        assert_int_equal(terrain_erode_canyons_separating(NULL, map, &p),
                         TERRAIN_ERROR_UNSUPPORTED);
        terrain_heightmap_destroy(map);
    }
#endif
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_walls),    cmocka_unit_test(test_reach),
        cmocka_unit_test(test_net),      cmocka_unit_test(test_depths),
        cmocka_unit_test(test_nothing),  cmocka_unit_test(test_check),
        cmocka_unit_test(test_too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
