/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "support/check.h"
#include "terrain/erode.h"

typedef terrain_erode_shear_regions_params regions_params;

enum { WIDTH = 200, HEIGHT = 170, CELLS = WIDTH * HEIGHT };

static regions_params params_of(uint32_t size, float push, float debris)
{
    regions_params p;
    terrain_erode_shear_regions_params_init(&p, sizeof p);
    p.spacing = size;
    p.passes = 1;
    p.push = push;
    p.debris = debris;
    p.least_slope = 0;
    return p;
}

static float *heights_of(const terrain_heightmap *map)
{
    return (float *)(uintptr_t)terrain_heightmap_const_data(map);
}

static terrain_heightmap *sheared(const terrain_heightmap *map, const regions_params *p)
{
    terrain_heightmap *copy = test_clone(map);
    assert_int_equal(terrain_erode_shear_regions(NULL, copy, p), TERRAIN_SUCCESS);
    return copy;
}

/* Which cells belong together: on a plane that rises everywhere, debris 0 gives each region of its
 * own a height of its own, that of its lowest cell. */
static terrain_heightmap *labels_of(regions_params p)
{
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 0);
    for (uint32_t i = 0; i < CELLS; i++) {
        terrain_heightmap_data(map)[i] = (float)i;
    }
    p.push = 1;
    p.debris = 0;
    assert_int_equal(terrain_erode_shear_regions(NULL, map, &p), TERRAIN_SUCCESS);
    return map;
}

/* What the regions of a map are: lowest height, and sums over d. */
struct region {
    double low, high, sum, put_back;
    uint32_t cells, changed;
};

static struct region *regions_of(const terrain_heightmap *labels, const terrain_heightmap *before,
                                 const terrain_heightmap *after)
{
    struct region *regions = calloc(CELLS, sizeof *regions);
    for (int round = 0; round < 2; round++) {
        for_each_cell(labels, x, y) {
            struct region *r = &regions[(uint32_t)test_at(labels, x, y)];
            double h = (double)test_at(before, x, y);
            if (round == 0) {
                r->low = r->cells == 0 || h < r->low ? h : r->low;
                r->high = r->cells == 0 || h > r->high ? h : r->high;
                r->cells++;
                r->changed += test_at(before, x, y) != test_at(after, x, y);
            } else {
                r->sum += h - r->low;
                r->put_back += (double)test_at(after, x, y) - r->low;
            }
        }
    }
    return regions;
}

/* A push that raises a cell, sinks below the region's lowest, moves that, touches a region that is
 * not pushed, or takes away another volume than (1 - b) of what stands above. */
static void check_push(const regions_params *p, const terrain_heightmap *before, double tolerance)
{
    terrain_heightmap *after = sheared(before, p);
    terrain_heightmap *labels = labels_of(*p);
    struct region *regions = regions_of(labels, before, after);
    uint32_t pushed = 0, count = 0;
    for_each_cell(labels, x, y) {
        const struct region *r = &regions[(uint32_t)test_at(labels, x, y)];
        assert_true(test_at(after, x, y) <= test_at(before, x, y));
        assert_true((double)test_at(after, x, y) >= r->low);
        if ((double)test_at(before, x, y) == r->low) {
            assert_true(test_at(after, x, y) == test_at(before, x, y));
        }
    }
    for (uint32_t i = 0; i < CELLS; i++) {
        const struct region *r = &regions[i];
        count += r->cells > 1;
        if (r->changed != 0) {
            pushed++;
            assert_true(fabs(r->put_back - (double)p->debris * r->sum) <=
                        tolerance * r->sum + 1e-3);
        }
    }
    assert_true(pushed > 0 && count > 10);
    if (p->push < 1) {
        assert_true(pushed < count);
    } else {
        assert_int_equal(pushed, count);
    }
    free(regions);
    terrain_heightmap_destroy(after);
    terrain_heightmap_destroy(labels);
}

/* Guards against cells that rise, or fall below their region's lowest, and debris whose volume
 * is not its share. */
static void test_push(void **state)
{
    static const float debris[] = {0, 0.2f, 0.7f};
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 3);
    for (uint32_t i = 0; i < 3; i++) {
        for (uint32_t metric = 0; metric < 2; metric++) {
            regions_params p = params_of(24, i == 0 ? 1 : 0.5f, debris[i]);
            p.metric = metric;
            p.seed = i;
            check_push(&p, map, 1e-5);
            p.place = TERRAIN_ERODE_SHEAR_REGIONS_PLACE_FOOT;
            check_push(&p, map, 0x1p-14);
        }
    }
    terrain_heightmap_destroy(map);
}

/* A heap whose cut takes more steps than there are: few cells that are very high, as many of half
 * their height, and so on through 38 powers of two; and regions that no patch fits. */
static void test_heap(void **state)
{
    static const float debris[] = {1e-4f, 0.02f, 0.35f, 0.99f};
    static const uint32_t sizes[] = {11, 24, 40};
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 7);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = (float)exp2((double)test_at(map, x, y) * 38 / 42);
    }
    for (uint32_t i = 0; i < 12; i++) {
        regions_params p = params_of(sizes[i % 3], 1, debris[i / 3]);
        p.place = TERRAIN_ERODE_SHEAR_REGIONS_PLACE_FOOT;
        p.seed = i;
        check_push(&p, map, 0x1p-14);
    }
    terrain_heightmap_destroy(map);
}

/* Debris of 1, or a push of 0, that still changes something; flat maps and single cells that
 * move. */
static void test_identity(void **state)
{
    terrain_heightmap *before = test_map_of_size(WIDTH, HEIGHT, 5);
    for (int k = 0; k < 3; k++) {
        regions_params p = params_of(20, k == 0 ? 0 : 1, k == 1 ? 1 : 0);
        p.passes = 3;
        p.least_slope = k == 2 ? 100 : 0;
        terrain_heightmap *after = sheared(before, &p);
        assert_true(test_maps_equal(before, after));
        terrain_heightmap_destroy(after);
    }
    test_fill_level(before, -7.25f);
    regions_params p = params_of(20, 1, 0.3f);
    terrain_heightmap *after = sheared(before, &p);
    assert_true(test_maps_equal(before, after));
    terrain_heightmap_destroy(after);
    terrain_heightmap_destroy(before);
}

/* A region larger than the halo allows for. */
static void test_extent(void **state)
{
    for (uint64_t seed = 0; seed < 12; seed++) {
        regions_params p = params_of(16, 1, 0);
        p.jitter = 0.5f;
        p.warp = 0.375f;
        p.seed = seed;
        p.metric = seed % 2;
        uint32_t halo;
        terrain_heightmap *labels = labels_of(p);
        uint32_t *extent = calloc(4 * (size_t)CELLS, sizeof *extent);
        for (uint32_t i = 0; i < CELLS; i++) {
            uint32_t *e = extent + 4 * (size_t)heights_of(labels)[i];
            uint32_t x = i % WIDTH, y = i / WIDTH;
            e[0] = e[1] == 0 || x < e[0] ? x : e[0];
            e[1] = x + 1 > e[1] ? x + 1 : e[1];
            e[2] = e[3] == 0 || y < e[2] ? y : e[2];
            e[3] = y + 1 > e[3] ? y + 1 : e[3];
        }
        assert_int_equal(
            terrain_operation_halo(terrain_operation_find("erode_shear_regions"), &p, &halo),
            TERRAIN_SUCCESS);
        assert_int_equal(halo, 40); /* (1.25 + 0.5 + 2 * 0.375) * 16 */
        for (uint32_t i = 0; i < CELLS; i++) {
            assert_true(extent[4 * i + 1] <= extent[4 * i] + 1 + halo);
            assert_true(extent[4 * i + 3] <= extent[4 * i + 2] + 1 + halo);
        }
        free(extent);
        terrain_heightmap_destroy(labels);
    }
}

struct effect {
    double change; /* mean fall, as a share of the relief of a region */
    double cliffs; /* share of neighbours that differ by more than three times the slope */
};

static struct effect effect_on_slope(float slope)
{
    regions_params p;
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 0);
    terrain_erode_shear_regions_params_init(&p, sizeof p);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = slope * (float)x;
    }
    terrain_heightmap *after = sheared(map, &p);
    struct effect e = {0, 0};
    for (uint32_t i = 0; i + 1 < CELLS; i++) {
        double step = (double)heights_of(after)[i + 1] - (double)heights_of(after)[i];
        e.change += (double)(heights_of(map)[i] - heights_of(after)[i]) / (double)slope / p.spacing;
        e.cliffs += i % WIDTH + 1 < WIDTH && fabs(step) > 3 * (double)slope;
    }
    e.change /= CELLS;
    e.cliffs /= CELLS;
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(after);
    return e;
}

/* Defaults that need a human eye: that wreck plains, or leave steep slopes even. */
static void test_unattended(void **state)
{
    static const float slopes[] = {0.02f, 0.05f, 0.1f, 0.15f, 0.3f, 0.6f, 1, 2};
    for (uint32_t i = 0; i < 8; i++) {
        struct effect e = effect_on_slope(slopes[i]);
        print_message("slope %.2f: falls by %.3f of a region's relief, cliffs %.4f\n",
                      (double)slopes[i], e.change, e.cliffs);
        if (slopes[i] <= 0.05f) {
            assert_true(e.change == 0);
        } else if (slopes[i] >= 0.3f) {
            assert_true(e.change > 0.1 && e.change < 0.6);
            assert_true(e.cliffs > 0.005 && e.cliffs < 0.1);
        }
    }
}

/* NaN that spreads, or hides a region's lowest height; infinities that become NaN, or heaps of
 * infinite height that change what they cannot hold. */
static void check_special(uint32_t place)
{
    regions_params p = params_of(24, 1, 0.25f);
    p.place = place;
    terrain_heightmap *map = test_map_of_size(WIDTH, HEIGHT, 9);
    terrain_heightmap *plain = sheared(map, &p);
    terrain_heightmap *labels = labels_of(p);
    uint32_t hole = 77 * WIDTH + 91;
    float region = heights_of(labels)[hole];
    heights_of(map)[hole] = NAN;
    heights_of(map)[0] = INFINITY;
    terrain_heightmap *after = sheared(map, &p);
    for (uint32_t i = 0; i < CELLS; i++) {
        assert_true(isnan(heights_of(after)[i]) == (i == hole));
        if (heights_of(labels)[i] != region && heights_of(labels)[i] != heights_of(labels)[0]) {
            assert_true(heights_of(after)[i] == heights_of(plain)[i]);
        } else if (place == TERRAIN_ERODE_SHEAR_REGIONS_PLACE_FOOT &&
                   heights_of(labels)[i] != region) {
            assert_true(heights_of(after)[i] == heights_of(map)[i]);
        }
    }
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(plain);
    terrain_heightmap_destroy(labels);
    terrain_heightmap_destroy(after);
}

/* Guards against NaN and infinity that reach other regions, or move at the foot. */
static void test_special(void **state)
{
    check_special(TERRAIN_ERODE_SHEAR_REGIONS_PLACE_IN_PLACE);
    check_special(TERRAIN_ERODE_SHEAR_REGIONS_PLACE_FOOT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_push),       cmocka_unit_test(test_heap),
        cmocka_unit_test(test_identity),   cmocka_unit_test(test_extent),
        cmocka_unit_test(test_unattended), cmocka_unit_test(test_special),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
