/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/turns.h"
#include "terrain/erode.h"

/* ---- Helpers --------------------------------------------------------------------------------- */

static terrain_erode_thermal_params params_of(uint32_t iterations, uint32_t neighbourhood,
                                              uint32_t rule)
{
    terrain_erode_thermal_params p;
    terrain_erode_thermal_params_init(&p, sizeof p);
    p.iterations = iterations;
    p.neighbourhood = neighbourhood;
    p.mode = rule;
    return p;
}

static void erode(terrain_heightmap *map, const terrain_erode_thermal_params *p)
{
    assert_int_equal(terrain_erode_thermal(NULL, map, p), TERRAIN_SUCCESS);
}

/* A rough map with a cliff across it: slopes far above and below the talus. */
static terrain_heightmap *cliffs(uint32_t width, uint32_t height, uint64_t seed)
{
    terrain_heightmap *map = test_map_of_size(width, height, seed);
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = test_at(map, x, y) + (2 * x + y > width ? 40.0f : 0.0f);
    }
    return map;
}

/* Neighbours in opposite pairs, in the order of the promised sum. */
static const int offset_x[8] = {0, 0, 1, -1, 1, -1, -1, 1};
static const int offset_y[8] = {-1, 1, 0, 0, -1, 1, -1, 1};

static bool counts(uint32_t neighbourhood, int k)
{
    return neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE ||
           (neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN) == (k < 4);
}

/* The sum over all pairs of neighbours of what their difference exceeds the talus by; and the
 * worst, as a part of the talus. */
static double excess_of(const terrain_heightmap *map, const terrain_erode_thermal_params *p,
                        double *worst)
{
    int64_t width = terrain_heightmap_width(map);
    int64_t height = terrain_heightmap_height(map);
    double talus = (double)p->talus * (double)terrain_heightmap_cell_size(map);
    double sum = 0;
    *worst = 0;
    for (int64_t i = 0; i < width * height * 8; i++) {
        int k = (int)(i % 8);
        int64_t x = i / 8 % width;
        int64_t y = i / 8 / width;
        int64_t nx = x + offset_x[k];
        int64_t ny = y + offset_y[k];
        if (nx >= 0 && nx < width && ny >= 0 && ny < height && counts(p->neighbourhood, k)) {
            double d = (double)test_at(map, nx, ny) - (double)test_at(map, x, y);
            double holds = k < 4 ? talus : talus * sqrt(2);
            double excess = fmax(fabs(d) - holds, 0);
            sum += excess;
            *worst = fmax(*worst, excess / holds);
        }
    }
    return sum;
}

/* ---- The plain loop ------------------------------------------------------------------------- */

struct plain {
    const float *from;
    const float *debris; /* LAYERS */
    int64_t width, height;
    float holds[8]; /* 0 for neighbours that don't count */
    float debris_holds[8];
    float rate;
    float most; /* of an excess */
    float part; /* of what slides for each neighbour */
    float weathering;
};

/* Whether neighbour k exists; its index. */
static bool neighbour_of(const struct plain *plain, int64_t x, int64_t y, int k, int64_t *index)
{
    int64_t nx = x + offset_x[k];
    int64_t ny = y + offset_y[k];
    *index = ny * plain->width + nx;
    return plain->holds[k] > 0 && nx >= 0 && nx < plain->width && ny >= 0 && ny < plain->height;
}

static float ordered_sum(const float q[8])
{
    return ((q[0] + q[1]) + (q[2] + q[3])) + ((q[4] + q[5]) + (q[6] + q[7]));
}

static float plain_flux(const struct plain *plain, int64_t x, int64_t y)
{
    float h = plain->from[y * plain->width + x];
    float q[8] = {0};
    int64_t n;
    for (int k = 0; k < 8; k++) {
        if (neighbour_of(plain, x, y, k, &n)) {
            float holds = plain->holds[k];
            float d = plain->from[n] - h;
            q[k] = d - (d > holds ? holds : d < -holds ? -holds : d);
            q[k] = q[k] > plain->most ? plain->most : q[k] < -plain->most ? -plain->most : q[k];
        }
    }
    return h + plain->rate * ordered_sum(q);
}

static void plain_give(const struct plain *plain, int64_t x, int64_t y, float *loss, float *share)
{
    float h = plain->from[y * plain->width + x];
    float d[8] = {0};
    float most = 0;
    int64_t n;
    for (int k = 0; k < 8; k++) {
        if (neighbour_of(plain, x, y, k, &n) && h - plain->from[n] > plain->holds[k]) {
            d[k] = h - plain->from[n];
            most = d[k] - plain->holds[k] > most ? d[k] - plain->holds[k] : most;
        }
    }
    *loss = plain->rate * most;
    *share = most > 0 ? *loss / ordered_sum(d) : 0;
}

static float plain_musgrave(const struct plain *plain, int64_t x, int64_t y)
{
    float h = plain->from[y * plain->width + x];
    float q[8] = {0};
    float loss, share;
    int64_t n;
    for (int k = 0; k < 8; k++) {
        if (neighbour_of(plain, x, y, k, &n) && plain->from[n] - h > plain->holds[k]) {
            plain_give(plain, x + offset_x[k], y + offset_y[k], &loss, &share);
            q[k] = share * (plain->from[n] - h);
        }
    }
    plain_give(plain, x, y, &loss, &share);
    return h + (ordered_sum(q) - loss);
}

/* Rock and debris; the height is returned. */
static float plain_layers(const struct plain *plain, int64_t x, int64_t y, float *debris)
{
    float h = plain->from[y * plain->width + x];
    float loose = plain->debris[y * plain->width + x];
    float weathered[8] = {0}, slid[8] = {0};
    float f;
    int64_t n;
    for (int k = 0; k < 8; k++) {
        if (neighbour_of(plain, x, y, k, &n)) {
            float exposed = ((h - loose) - plain->from[n]) - plain->holds[k];
            float holds = plain->debris_holds[k];
            float d = plain->from[n] - h;
            float q = plain->rate * (d - (d > holds ? holds : d < -holds ? -holds : d));
            weathered[k] = exposed > 0 ? exposed : 0;
            q = q > plain->debris[n] ? plain->debris[n] : q;
            slid[k] = q < -loose ? -loose : q;
        }
    }
    f = plain->part * ordered_sum(slid);
    *debris = (loose + plain->weathering * ordered_sum(weathered)) + f;
    return h + f;
}

static float plain_cell(const struct plain *plain, int64_t x, int64_t y,
                        const terrain_erode_thermal_params *p, float *debris)
{
    switch (p->mode) {
    case TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE:
        return plain_musgrave(plain, x, y);
    case TERRAIN_ERODE_THERMAL_MODE_LAYERS:
        return plain_layers(plain, x, y, debris);
    default:
        return plain_flux(plain, x, y);
    }
}

static void plain_rule(struct plain *plain, const terrain_erode_thermal_params *p, double cell_size)
{
    for (int k = 0; k < 8; k++) {
        if (counts(p->neighbourhood, k)) {
            double run = k < 4 ? 1 : sqrt(2);
            plain->holds[k] = (float)((double)p->talus * cell_size * run);
            plain->debris_holds[k] = (float)((double)p->debris_talus * cell_size * run);
        }
    }
    plain->part = p->neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE ? 0.125f : 0.25f;
    plain->weathering = p->weathering * plain->part;
    plain->rate = p->rate;
    plain->most = INFINITY;
    if (p->mode == TERRAIN_ERODE_THERMAL_MODE_FLUX ||
        p->mode == TERRAIN_ERODE_THERMAL_MODE_QUANTUM) {
        plain->rate *= plain->part;
    }
    if (p->mode == TERRAIN_ERODE_THERMAL_MODE_QUANTUM) {
        plain->most = (float)((double)p->quantum * cell_size / (double)plain->rate);
    }
}

/* One iteration after the other, cell by cell, in the header's formulas. */
static void plain_erode(terrain_heightmap *map, const terrain_erode_thermal_params *p)
{
    struct plain plain = {0};
    size_t cells = (size_t)terrain_heightmap_width(map) * terrain_heightmap_height(map);
    float *from = malloc(cells * sizeof *from);
    float *debris = calloc(cells, sizeof *debris);
    float *next = malloc(cells * sizeof *next);
    plain.from = from;
    plain.debris = debris;
    plain.width = terrain_heightmap_width(map);
    plain.height = terrain_heightmap_height(map);
    plain_rule(&plain, p, (double)terrain_heightmap_cell_size(map));
    for (uint32_t i = 0; i < p->iterations; i++) {
        memcpy(from, terrain_heightmap_data(map), cells * sizeof *from);
        for (int64_t y = 0; y < plain.height; y++) {
            for (int64_t x = 0; x < plain.width; x++) {
                float h = plain_cell(&plain, x, y, p, &next[y * plain.width + x]);
                *test_cell(map, x, y) = h;
            }
        }
        memcpy(debris, next, cells * sizeof *debris);
    }
    free(from);
    free(debris);
    free(next);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

#define for_each_mode(neighbourhood, rule)                                                         \
    for (uint32_t rule = 0; rule < 4; rule++)                                                      \
        for (uint32_t neighbourhood = 0; neighbourhood < 3; neighbourhood++)

/* Iterations that are fused, or bands and sweeps that are cut, so that bits change. The last case
 * has three sweeps, the last one shorter, over several bands. */
static void test_fused_equals_plain(void **state)
{
    static const struct {
        uint32_t width, height, iterations;
    } cases[] = {{1, 1, 5},     {1, 40, 14},   {40, 1, 14},  {2, 3, 30},
                 {15, 9, 1},    {16, 17, 2},   {17, 16, 12}, {33, 31, 13},
                 {49, 300, 12}, {30, 450, 28}, {16, 900, 29}};
    for_each_mode(neighbourhood, rule) {
        for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
            terrain_erode_thermal_params p = params_of(cases[i].iterations, neighbourhood, rule);
            terrain_heightmap *fused = cliffs(cases[i].width, cases[i].height, i);
            terrain_heightmap *plain = test_clone(fused);
            p.talus = 0.7f;
            p.rate = 0.6f;
            erode(fused, &p);
            plain_erode(plain, &p);
            if (!test_maps_equal(fused, plain)) {
                fail_msg("%ux%u, %u iterations, neighbourhood %u, rule %u",
                         (unsigned)cases[i].width, (unsigned)cases[i].height,
                         (unsigned)cases[i].iterations, (unsigned)neighbourhood, (unsigned)rule);
            }
            terrain_heightmap_destroy(fused);
            terrain_heightmap_destroy(plain);
        }
    }
}

/* A call that differs from as many calls of one iteration, or of some. */
static void test_iterations_add_up(void **state)
{
    for_each_mode(neighbourhood, rule) {
        terrain_erode_thermal_params p = params_of(29, neighbourhood, rule);
        terrain_heightmap *whole = cliffs(70, 90, 3);
        terrain_heightmap *parts = test_clone(whole);
        terrain_heightmap *debris[3] = {test_clone(whole), test_clone(whole), test_clone(whole)};
        p.debris_out = debris[2];
        erode(whole, &p);
        for (uint32_t done = 0, part = 0; done < 29; done += p.iterations, part++) {
            p.iterations = done == 0 ? 13 : done == 13 ? 15 : 1;
            p.debris = part == 0 ? NULL : debris[(part + 1) % 2];
            p.debris_out = debris[part % 2];
            erode(parts, &p);
        }
        assert_true(test_maps_equal(whole, parts));
        assert_true(test_maps_equal(debris[2], p.debris_out));
        terrain_heightmap_destroy(whole);
        terrain_heightmap_destroy(parts);
        for (int k = 0; k < 3; k++) {
            terrain_heightmap_destroy(debris[k]);
        }
    }
}

/* Mass made or lost: receivers that don't match givers, flux across the border. */
static void test_mass(void **state)
{
    for_each_mode(neighbourhood, rule) {
        const double changes = 97 * 61 * 60;
        terrain_erode_thermal_params p = params_of(60, neighbourhood, rule);
        terrain_heightmap *map = cliffs(97, 61, 4);
        test_summary before = test_summarize(map);
        const double ulp = before.largest * (double)FLT_EPSILON;
        erode(map, &p);
        const test_summary after = test_summarize(map);
        assert_true(after.maximum < before.maximum - 1);
        assert_true(fabs(after.sum - before.sum) <= changes * ulp / 2);
        /* Rounding errors are as often up as down: a systematic loss shows much earlier. */
        assert_true(fabs(after.sum - before.sum) <= 10 * sqrt(changes) * ulp);
        terrain_heightmap_destroy(map);
    }
}

/* Overshoot: heights beyond those that were there; excess that grows. (Musgrave's rule does
 * overshoot where a pit receives from all sides.) */
static void test_flux_settles(void **state)
{
    for (uint32_t neighbourhood = 0; neighbourhood < 3; neighbourhood++) {
        terrain_erode_thermal_params p =
            params_of(1, neighbourhood, TERRAIN_ERODE_THERMAL_MODE_FLUX);
        terrain_heightmap *map = cliffs(60, 50, 5);
        test_summary before = test_summarize(map);
        double ulp = before.largest * (double)FLT_EPSILON;
        double worst;
        double excess = excess_of(map, &p, &worst);
        for (int i = 0; i < 40; i++) {
            erode(map, &p);
            const test_summary after = test_summarize(map);
            const double less = excess_of(map, &p, &worst);
            assert_true(after.maximum <= before.maximum + ulp);
            assert_true(after.minimum >= before.minimum - ulp);
            assert_true(less < excess);
            before = after;
            excess = less;
        }
        terrain_heightmap_destroy(map);
    }
}

/* A talus that is never reached, or is undercut. */
static void test_converges(void **state)
{
    for_each_mode(neighbourhood, rule) {
        terrain_erode_thermal_params p = params_of(20000, neighbourhood, rule);
        terrain_heightmap *map = cliffs(32, 24, 6);
        double worst;
        excess_of(map, &p, &worst);
        assert_true(worst > 20);
        erode(map, &p);
        excess_of(map, &p, &worst);
        if (worst > 1e-3) {
            fail_msg("neighbourhood %u, rule %u: %g", (unsigned)neighbourhood, (unsigned)rule,
                     worst);
        }
        terrain_heightmap_destroy(map);
    }
}

/* Gentle slopes that wear away: a map below its talus changes, if only in the last bit. */
static void test_gentle_slopes_stay(void **state)
{
    for_each_mode(neighbourhood, rule) {
        terrain_erode_thermal_params p = params_of(50, neighbourhood, rule);
        terrain_heightmap *map = test_map_of_size(80, 70, 7);
        uint32_t *before;
        double worst;
        terrain_heightmap_set_cell_size(map, 3);
        for_each_cell(map, x, y) {
            *test_cell(map, x, y) = 1000.5f + 0.4f * 3 * (float)x + test_at(map, x, y) / 128;
        }
        excess_of(map, &p, &worst);
        assert_true(worst == 0);
        before = test_snapshot(map);
        erode(map, &p);
        assert_true(test_unchanged(map, before));
        terrain_heightmap_destroy(map);
    }
}

/* 0 iterations, or a rate of 0, that change something. */
static void test_identity(void **state)
{
    for_each_mode(neighbourhood, rule) {
        terrain_erode_thermal_params p = params_of(0, neighbourhood, rule);
        terrain_heightmap *map = cliffs(40, 30, 8);
        uint32_t *before = test_snapshot(map);
        erode(map, &p);
        assert_true(test_unchanged(map, before));
        before = test_snapshot(map);
        p.iterations = 20;
        p.rate = 0;
        erode(map, &p);
        assert_true(test_unchanged(map, before));
        terrain_heightmap_destroy(map);
    }
}

/* A direction that is treated differently, if only in the order of a sum. */
static void test_symmetry(void **state)
{
    for_each_mode(neighbourhood, rule) {
        terrain_erode_thermal_params p = params_of(17, neighbourhood, rule);
        terrain_heightmap *map = cliffs(53, 38, 9);
        expect_turns("erode_thermal", map, &p, 0);
        terrain_heightmap_destroy(map);
    }
}

/* Units mixed up: four times the heights and the cell size must give four times the result. */
static void test_units(void **state)
{
    for_each_mode(neighbourhood, rule) {
        terrain_erode_thermal_params p = params_of(20, neighbourhood, rule);
        terrain_heightmap *map = cliffs(40, 40, 10);
        terrain_heightmap *large = test_clone(map);
        terrain_heightmap_set_cell_size(large, 4);
        for_each_cell(large, x, y) {
            *test_cell(large, x, y) *= 4;
        }
        erode(map, &p);
        erode(large, &p);
        for_each_cell(large, x, y) {
            assert_true(test_at(large, x, y) == 4 * test_at(map, x, y));
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(large);
    }
}

/* Corners held by the talus of edges: a spike becomes a pyramid instead of a cone. */
static void test_spike_becomes_cone(void **state)
{
    terrain_erode_thermal_params p =
        params_of(5000, TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE, TERRAIN_ERODE_THERMAL_MODE_FLUX);
    terrain_window window = {0, 0, 33, 33};
    terrain_heightmap *map = test_map(&window);
    double worst;
    float top;
    p.talus = 1;
    *test_cell(map, 16, 16) = 1000;
    erode(map, &p);
    excess_of(map, &p, &worst);
    assert_true(worst < 0.01);
    top = test_at(map, 16, 16);
    print_message("top %g, one side %g, one corner %g\n", (double)top,
                  (double)(top - test_at(map, 21, 16)), (double)(top - test_at(map, 21, 21)));
    /* Height 10 and radius 10 hold a volume of 1047. */
    assert_true(top > 8.5f && top < 11);
    for (uint32_t r = 1; r <= 5; r++) {
        float side = top - test_at(map, 16 + r, 16);
        float corner = top - test_at(map, 16 + r, 16 + r);
        assert_true(fabsf(side - (float)r) < 1e-4f);
        assert_true(fabsf(corner - 1.33f * (float)r) < 0.13f * (float)r);
    }
    terrain_heightmap_destroy(map);
}

/* The mean over cells of the steeper slope towards the east and south neighbours. */
static double mean_slope(const terrain_heightmap *map, double *maximum)
{
    uint32_t width = terrain_heightmap_width(map);
    uint32_t height = terrain_heightmap_height(map);
    double sum = 0;
    *maximum = 0;
    for (uint32_t y = 0; y + 1 < height; y++) {
        for (uint32_t x = 0; x + 1 < width; x++) {
            double east = fabs((double)test_at(map, x + 1, y) - (double)test_at(map, x, y));
            double south = fabs((double)test_at(map, x, y + 1) - (double)test_at(map, x, y));
            sum += fmax(east, south);
            *maximum = fmax(*maximum, fmax(east, south));
        }
    }
    return sum / ((double)(width - 1) * (double)(height - 1));
}

/* A default that wrecks plains or leaves cliffs: hills with a mean slope of 0.02 to 2, cut by a
 * cliff of 20. */
static void test_defaults_serve_all_slopes(void **state)
{
    static const double slopes[] = {0.02, 0.05, 0.1, 0.25, 0.5, 1, 2};
    for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; i++) {
        terrain_erode_thermal_params p = params_of(50, TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE,
                                                   TERRAIN_ERODE_THERMAL_MODE_FLUX);
        terrain_window window = {0, 0, 128, 128};
        terrain_heightmap *map = test_map(&window);
        terrain_heightmap *before;
        double steepest, steepest_before, mean, mean_before;
        double change = 0;
        for_each_cell(map, x, y) {
            double hills = sin(x * 0.1) * sin(y * 0.1) * 20 * slopes[i];
            *test_cell(map, x, y) = (float)(hills + (x > 64 ? 20 : 0));
        }
        before = test_clone(map);
        mean_before = mean_slope(map, &steepest_before);
        erode(map, &p);
        mean = mean_slope(map, &steepest);
        for (uint32_t y = 0; y < 128; y++) {
            for (uint32_t x = 0; x < 30; x++) {
                change =
                    fmax(change, fabs((double)test_at(map, x, y) - (double)test_at(before, x, y)));
            }
        }
        print_message("slope %.2f to %.2f, steepest %.1f to %.2f, changed by %.2f far from the "
                      "cliff\n",
                      mean_before, mean, steepest_before, steepest, change);
        assert_true(steepest < 0.25 * steepest_before);
        if (slopes[i] <= 0.25) {
            assert_true(change == 0);
        }
        if (slopes[i] >= 1) {
            assert_true(mean < 0.95 * mean_before);
        }
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(before);
    }
}

/* A halo that is too small, or far too large: how far one cell's change is felt. */
static void test_reach(void **state)
{
    for_each_mode(neighbourhood, rule) {
        terrain_erode_thermal_params p = params_of(9, neighbourhood, rule);
        const terrain_operation *operation = terrain_operation_find("erode_thermal");
        terrain_heightmap *map = cliffs(64, 64, 11);
        terrain_heightmap *other;
        uint32_t halo = 0;
        int64_t farthest = 0;
        p.talus = 0;
        p.debris_talus = 0;
        p.quantum = 100;
        other = test_clone(map);
        *test_cell(other, 30, 31) = test_at(map, 30, 31) + 5e5f;
        erode(map, &p);
        erode(other, &p);
        for_each_cell(map, x, y) {
            int64_t distance = llabs(x - 30) > llabs(y - 31) ? llabs(x - 30) : llabs(y - 31);
            if (test_at(map, x, y) != test_at(other, x, y)) {
                farthest = distance > farthest ? distance : farthest;
            }
        }
        terrain_operation_halo(operation, &p, &halo);
        assert_int_equal(halo, rule == TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE ? 18 : 9);
        print_message("neighbourhood %u, rule %u: %d of %u\n", (unsigned)neighbourhood,
                      (unsigned)rule, (int)farthest, (unsigned)halo);
        assert_true(farthest <= halo);
        /* Of layers, debris_out is felt a cell farther: it slides in the iteration after. */
        assert_true(farthest >= (rule == TERRAIN_ERODE_THERMAL_MODE_LAYERS ? 8 : 9));
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(other);
    }
}

/* Passes that are announced and never made. */
static void test_progress_of_passes(void **state)
{
    static const uint32_t iterations[] = {2, 20, 60};
    for (uint32_t i = 0; i < 6; i++) {
        terrain_erode_thermal_params p = params_of(
            iterations[i / 2], TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE,
            i % 2 == 0 ? TERRAIN_ERODE_THERMAL_MODE_FLUX : TERRAIN_ERODE_THERMAL_MODE_LAYERS);
        terrain_heightmap *map = test_map_of_size(90, 200, 3);
        expect_all_passes("erode_thermal", &p, &map, 1);
        terrain_heightmap_destroy(map);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fused_equals_plain),
        cmocka_unit_test(test_iterations_add_up),
        cmocka_unit_test(test_mass),
        cmocka_unit_test(test_flux_settles),
        cmocka_unit_test(test_converges),
        cmocka_unit_test(test_gentle_slopes_stay),
        cmocka_unit_test(test_identity),
        cmocka_unit_test(test_symmetry),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_spike_becomes_cone),
        cmocka_unit_test(test_defaults_serve_all_slopes),
        cmocka_unit_test(test_reach),
        cmocka_unit_test(test_progress_of_passes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
