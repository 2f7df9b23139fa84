/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards the figures of land: against those of another program that was written from their
 * definition (in Python, with NumPy's transforms and arctans), on shapes whose figures are known,
 * and what must not change them. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "measure/landform_reference.h"
#include "support/check.h"
#include "support/hosts.h"
#include "support/maps.h"
#include "terrain/terrain.h"

static double node(uint32_t i, uint32_t j)
{
    return (i * 37 + j * 71 + i * j * 53) % 97 / 4.0;
}

/* A valley through hills of 24 cells, with some roughness. */
static terrain_heightmap *made_land(uint32_t width, uint32_t height, double rough)
{
    terrain_heightmap *map = test_map_of_size(width, height, 1);
    for_each_cell(map, x, y) {
        const uint32_t i = x / 24, j = y / 24;
        const double u = x % 24 / 24.0, v = y % 24 / 24.0;
        const double a = (x * x * 31 + y * y * 17 + x * y * 13) % 101 * rough;
        const double b = (x > 90 ? x - 90 : 90 - x) / 4.0 + y / 8.0;
        const double c = (node(i, j) * (1 - u) + node(i + 1, j) * u) * (1 - v) +
                         (node(i, j + 1) * (1 - u) + node(i + 1, j + 1) * u) * v;
        *test_cell(map, x, y) = (float)(a + b + c);
    }
    return map;
}

static terrain_landform measured(const terrain_heightmap *map)
{
    terrain_landform land;
    assert_int_equal(terrain_landform_init(&land, sizeof land), TERRAIN_SUCCESS);
    assert_int_equal(terrain_landform_measure(NULL, map, &land), TERRAIN_SUCCESS);
    return land;
}

static bool is_near(double found, double wanted)
{
    return fabs(found - wanted) <= 1e-5 * fabs(wanted) + 1e-12;
}

/* Figures that are not what the header says. */
static void test_another_program(void **state)
{
    static const struct {
        uint32_t width, height;
        double rough;
        float cell_size;
        double undrained, trunk, concavity, hack, skewness, axis, forms_distance;
        double forms[TERRAIN_LANDFORM_COUNT];
    } cases[] = {
        {230,
         200,
         1 / 64.0,
         1,
         0.1905217,
         0.5905217,
         0.2032954,
         0.481952,
         0.02055598,
         1.548769,
         0.08557245,
         {0, 0.03095395, 0.1633553, 0.0003289474, 0.1872368, 0.2425, 0.1723026, 0.0002631579,
          0.1639145, 0.03914474}},
        {200,
         260,
         1 / 512.0,
         2,
         0.3732885,
         0.5078077,
         0.2269847,
         0.3520738,
         0.00853719,
         7.249044,
         0.2957807,
         {0, 0.01019886, 0.04090909, 0.0003125, 0.1649716, 0.5028125, 0.2143466, 0.0001136364,
          0.06164773, 0.0046875}},
        {180,
         180,
         1 / 8.0,
         0.5f,
         0.9425,
         0.004783951,
         0.03930523,
         0.5379559,
         0.02560191,
         1.020482,
         0.410964,
         {0, 0.2306633, 0.1596429, 0.0007142857, 0.06984694, 0.07943878, 0.0677551, 0.0003061224,
          0.1583163, 0.2333163}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        terrain_heightmap *map = made_land(cases[i].width, cases[i].height, cases[i].rough);
        terrain_heightmap_set_cell_size(map, cases[i].cell_size);
        const terrain_landform land = measured(map);
        assert_true(is_near(land.undrained, cases[i].undrained));
        assert_true(is_near(land.trunk, cases[i].trunk));
        assert_true(is_near(land.concavity, cases[i].concavity));
        assert_true(is_near(land.hack, cases[i].hack));
        assert_true(is_near(land.skewness, cases[i].skewness));
        assert_true(is_near(land.axis, cases[i].axis));
        assert_true(is_near(land.forms_distance, cases[i].forms_distance));
        for (int k = 0; k < TERRAIN_LANDFORM_COUNT; k++) {
            assert_true(is_near(land.forms[k], cases[i].forms[k]));
        }
        terrain_heightmap_destroy(map);
    }
}

/* Figures that depend on the machine, the compiler, or the host's rounding. */
static void test_same_bits(void **state)
{
    terrain_heightmap *map = made_land(130, 111, 1 / 64.0);
    terrain_landform land = measured(map);
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const double *value = &land.undrained; value <= &land.forms_distance; value++) {
        uint64_t bits;
        memcpy(&bits, value, sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x100000001B3);
    }
    assert_int_equal(hash, UINT64_C(0xB3BA93D844830174));
    terrain_heightmap_destroy(map);
}

/* Whether all figures have the same bits, or are NaN. */
static bool same_figures(const terrain_landform *a, const terrain_landform *b)
{
    const double *x = &a->undrained, *y = &b->undrained;
    bool same = true;
    for (; x <= &a->forms_distance; x++, y++) {
        same = same && (memcmp(x, y, sizeof *x) == 0 || (isnan(*x) && isnan(*y)));
    }
    return same;
}

/* Land of some kind, to try what the ways to the same figures differ in. */
static terrain_heightmap *land_of_kind(uint32_t kind, uint32_t width, uint32_t height)
{
    terrain_heightmap *map = kind % 3 == 0 ? test_map_of_size(width, height, 1)
                                           : made_land(width, height, kind % 3 / 64.0);
    for (uint32_t i = 0; i < width * height; i++) {
        float *cell = test_cell(map, i % width, i / width);
        if (kind == 0) {
            *cell = *cell < 0 ? 0 : *cell; /* level seas */
        } else if (kind == 1 || kind == 3) {
            *cell = floorf(*cell / 4); /* steps */
        } else if (kind == 5) {
            *cell = -*cell * 1e-7f; /* so low that the least rise decides */
        } else if (kind == 6) {
            *cell = *cell * 1e30f;
        } else if (kind == 7) {
            *cell = (float)(i % 3 + i / width % 3 * 2 % 3); /* cells around cells */
        } else if (kind == 8) {
            *cell = 7;
        }
    }
    if (kind == 2) {
        test_sprinkle(map, 5, 400);
        for (uint32_t y = 0; y < height / 2; y++) { /* at the rim slopes are found another way */
            *test_cell(map, 0, y) = NAN;
        }
    }
    terrain_heightmap_set_cell_size(map, kind % 2 == 0 ? 1 : 0.3f);
    return map;
}

/* Figures that depend on how they are computed: the order of sums, what the flood reaches first,
 * the instruction set, who runs the tasks. */
static void test_the_plain_way(void **state)
{
    static const uint32_t sizes[][2] = {{1, 1},   {1, 130}, {3, 2},     {40, 90},  {41, 41},
                                        {64, 66}, {97, 70}, {130, 111}, {300, 157}};
    for (uint32_t kind = 0; kind < 10; kind++) {
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
            terrain_heightmap *map = land_of_kind(kind, sizes[i][0], sizes[i][1]);
            terrain_landform wanted, land;
            landform_reference(map, &wanted);
            for (uint32_t isa = 0; isa < test_isa_count(); isa++) {
                test_runner runner = {.kind = (int)((kind + isa + i) % TEST_RUN_KINDS), .seed = 5};
                terrain_context *context = test_context(test_isa_at(isa), &runner, NULL, NULL);
                terrain_landform_init(&land, sizeof land);
                assert_int_equal(terrain_landform_measure(context, map, &land), TERRAIN_SUCCESS);
                assert_true(same_figures(&land, &wanted));
                terrain_context_destroy(context);
            }
            land = measured(map);
            assert_true(same_figures(&land, &wanted));
            terrain_heightmap_destroy(map);
        }
    }
}

/* Seconds without a report, and calls that go on after a cancel, or leave half of an answer. Of the
 * work that goes from cell to cell 65536 are done between two reports, of that along rows about a
 * million; a map of 600 by 1100 cells is polled at least once in each of its steps. */
static void test_polling(void **state)
{
    terrain_heightmap *map = land_of_kind(4, 600, 1100);
    terrain_landform wanted = measured(map), land, before;
    test_progress whole = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &whole);
    terrain_landform_init(&before, sizeof before);
    land = before;
    assert_int_equal(terrain_landform_measure(context, map, &land), TERRAIN_SUCCESS);
    assert_true(same_figures(&land, &wanted));
    assert_int_equal(whole.faults, 0);
    assert_int_equal(whole.ends, 1);
    assert_true(whole.reports > 600 * 1100 / 65536 + 40);
    terrain_context_destroy(context);
    for (uint64_t at = 1; at < whole.reports; at += 1 + at / 3) {
        test_progress progress = {.cancel_at = at};
        context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
        land = before;
        assert_int_equal(terrain_landform_measure(context, map, &land), TERRAIN_ERROR_CANCELLED);
        assert_int_equal(progress.reports, at);
        assert_memory_equal(&land, &before, sizeof land);
        assert_string_equal(terrain_context_message(context), "landform_measure: cancelled");
        terrain_context_destroy(context);
    }
    for (int kind = TEST_RUN_FAIL; kind <= TEST_RUN_CANCEL; kind++) {
        for (uint64_t limit = 1; limit < 200; limit *= 3) {
            test_runner runner = {.kind = kind, .limit = limit};
            context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
            runner.context = context;
            land = before;
            assert_int_equal(terrain_landform_measure(context, map, &land),
                             kind == TEST_RUN_CANCEL ? TERRAIN_ERROR_CANCELLED
                                                     : TERRAIN_ERROR_RUNNER);
            assert_memory_equal(&land, &before, sizeof land);
            terrain_context_destroy(context);
        }
    }
    terrain_heightmap_destroy(map);
}

/* A map by a formula of the distance from its middle. */
static terrain_heightmap *round_land(uint32_t size, double (*height)(double distance))
{
    terrain_heightmap *map = test_map_of_size(size, size, 1);
    for_each_cell(map, x, y) {
        const double dx = x - (size - 1) / 2.0, dy = y - (size - 1) / 2.0;
        *test_cell(map, x, y) = (float)height(sqrt(dx * dx + dy * dy));
    }
    return map;
}

static double bowl(double distance)
{
    return distance * distance / 100;
}

static double hill(double distance)
{
    return 100 - bowl(distance);
}

static double rise(double distance)
{
    return distance;
}

/* Names for something else: a bowl that drains, a hill that is a valley. */
static void test_shapes(void **state)
{
    terrain_heightmap *map;
    terrain_landform land;
    map = round_land(101, bowl); /* its rim is higher in the corners: these drain */
    land = measured(map);
    assert_true(land.undrained > 0.7 && land.trunk < 0.1);
    assert_true(land.forms[TERRAIN_LANDFORM_PIT] > 0 && land.forms[TERRAIN_LANDFORM_PEAK] == 0);
    assert_true(land.forms[TERRAIN_LANDFORM_HOLLOW] > land.forms[TERRAIN_LANDFORM_SPUR]);
    terrain_heightmap_destroy(map);
    map = round_land(101, hill);
    land = measured(map);
    assert_true(land.undrained == 0);
    assert_true(land.forms[TERRAIN_LANDFORM_PEAK] > 0 && land.forms[TERRAIN_LANDFORM_PIT] == 0);
    assert_true(land.forms[TERRAIN_LANDFORM_SPUR] > land.forms[TERRAIN_LANDFORM_HOLLOW]);
    terrain_heightmap_destroy(map);
    map = round_land(100, rise); /* one pit, whose Laplacian is an outlier */
    assert_true(measured(map).skewness > 0);
    /* A breach to the rim drains it. */
    for (uint32_t x = 0; x < 50; x++) {
        *test_cell(map, x, 50) = (float)x / 1000 - 1;
    }
    land = measured(map);
    assert_true(land.undrained == 0 && land.trunk > 0.5);
    terrain_heightmap_destroy(map);
}

/* Cells without a height that dam up the water, or count as land. */
static void test_no_data(void **state)
{
    terrain_heightmap *map = round_land(101, bowl);
    terrain_landform land;
    *test_cell(map, 50, 50) = (float)strtod("nan", NULL);
    land = measured(map);
    assert_true(land.undrained == 0 && land.trunk > 0.05);
    assert_true(isfinite(land.skewness) && isfinite(land.axis) && isfinite(land.forms_distance));
    test_fill_poison(map);
    land = measured(map);
    for (const double *value = &land.undrained; value <= &land.forms_distance; value++) {
        assert_true(isnan(*value) || value == &land.axis);
    }
    terrain_heightmap_destroy(map);
    /* Maps too small for some figures. */
    for (uint32_t size = 1; size < 45; size += size < 10 ? 1 : 7) {
        map = test_map_of_size(size, 45 - size, 3);
        land = measured(map);
        assert_true(land.undrained >= 0 && land.trunk > 0 && isnan(land.axis));
        terrain_heightmap_destroy(map);
    }
}

/* Figures that depend on units, the place in memory, or which way is north. */
static void test_units_and_turns(void **state)
{
    terrain_heightmap *map = made_land(150, 150, 1 / 64.0), *other = test_map_of_size(150, 150, 1);
    const terrain_landform land = measured(map);
    terrain_landform same;
    for_each_cell(other, x, y) {
        *test_cell(other, x, y) = 8 * test_at(map, x, y);
    }
    terrain_heightmap_set_cell_size(other, 8);
    same = measured(other);
    assert_memory_equal(&same, &land, sizeof land);
    for (uint32_t i = 0; i < 150 * 150; i++) { /* turned by a quarter */
        *test_cell(other, i % 150, i / 150) = test_at(map, i / 150, 149 - i % 150);
    }
    terrain_heightmap_set_cell_size(other, 1);
    same = measured(other);
    for (int i = 0; i < TERRAIN_LANDFORM_COUNT; i++) {
        assert_true(same.forms[i] == land.forms[i]);
    }
    assert_true(is_near(same.skewness, land.skewness) && is_near(same.axis, land.axis));
    assert_true(fabs(same.undrained - land.undrained) < 0.01);
    terrain_heightmap_destroy(other);
    terrain_heightmap_destroy(map);
}

/* Relief that one high cell decides, though of 400 cells two may lie above it: 28 cells drain into
 * a hollow, which counts for nothing beside three high ones. */
static void test_relief(void **state)
{
    terrain_heightmap *map = test_map_of_size(20, 20, 1);
    for (uint32_t i = 0; i < 400; i++) {
        *test_cell(map, i % 20, i / 20) = (float)(i % 20) / 16;
    }
    *test_cell(map, 10, 10) -= 0.5f;
    *test_cell(map, 3, 4) = 1000;
    assert_true(is_near(measured(map).undrained, 28 / 400.0));
    *test_cell(map, 3, 5) = 1000;
    *test_cell(map, 3, 6) = 1000;
    assert_true(measured(map).undrained == 0);
    terrain_heightmap_destroy(map);
}

/* An exponent of Hack that fewer cells decide than the header says: of a river of n cells, the last
 * n - 50 have areas above 50. */
static void test_fewest_cells(void **state)
{
    for (uint32_t n = 100; n <= 101; n++) {
        terrain_heightmap *map = test_map_of_size(n, 1, 1);
        for (uint32_t x = 0; x < n; x++) {
            *test_cell(map, x, 0) = (float)x;
        }
        const double hack = measured(map).hack;
        assert_true(n == 100 ? isnan(hack) : hack > 1 && hack < 1.1);
        terrain_heightmap_destroy(map);
    }
}

static int32_t stop_at(void *user, double fraction)
{
    return fraction > *(const double *)user;
}

/* Leaks, results after a failure, and calls that can't be stopped. */
static void test_failures(void **state)
{
    terrain_heightmap *map = made_land(300, 300, 1 / 64.0);
    test_allocator allocator = {.fail_at = 0};
    double limit = 2;
    terrain_context_desc desc;
    terrain_context *context = NULL;
    terrain_landform land, before;
    terrain_status status = TERRAIN_ERROR_MEMORY;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.allocator = test_allocator_of(&allocator);
    desc.progress.user = &limit;
    desc.progress.report = stop_at;
    assert_int_equal(terrain_context_create(&desc, &context), TERRAIN_SUCCESS);
    terrain_landform_init(&land, sizeof land);
    before = land;
    for (uint64_t fail_at = 1; status != TERRAIN_SUCCESS; fail_at++) {
        const uint64_t live = allocator.live;
        allocator.fail_at = allocator.calls + fail_at;
        status = terrain_landform_measure(context, map, &land);
        assert_true(status == TERRAIN_SUCCESS || status == TERRAIN_ERROR_MEMORY);
        assert_true(status == TERRAIN_SUCCESS || memcmp(&land, &before, sizeof land) == 0);
        assert_string_equal(
            terrain_context_message(context),
            status == TERRAIN_SUCCESS ? "" : "landform_measure: no memory for 300x300 cells");
        assert_int_equal(allocator.live, live);
        assert_true(fail_at < 100);
    }
    allocator.fail_at = 0;
    land = before;
    for (limit = 0; limit < 0.9; limit += 0.2) {
        assert_int_equal(terrain_landform_measure(context, map, &land), TERRAIN_ERROR_CANCELLED);
        assert_memory_equal(&land, &before, sizeof land);
    }
    assert_int_equal(terrain_landform_measure(context, NULL, &land), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_landform_measure(context, map, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context), "landform_measure: land is NULL");
    memset(&land, 0, sizeof land);
    assert_int_equal(terrain_landform_measure(context, map, &land), TERRAIN_ERROR_ARGUMENT);
    terrain_heightmap_destroy(map);
#if SIZE_MAX > UINT32_MAX
    /* No cell of a map that has too many is looked at. */
    const float cell = 0;
    terrain_landform_init(&land, sizeof land);
    assert_int_equal(terrain_heightmap_wrap_const(NULL, &cell, 65536, 65536, 65536, &map),
                     TERRAIN_SUCCESS);
    assert_int_equal(terrain_landform_measure(context, map, &land), TERRAIN_ERROR_UNSUPPORTED);
    terrain_heightmap_destroy(map);
#endif
    terrain_context_destroy(context);
    assert_int_equal(allocator.live + allocator.faults, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_another_program), cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_shapes),          cmocka_unit_test(test_no_data),
        cmocka_unit_test(test_units_and_turns), cmocka_unit_test(test_failures),
        cmocka_unit_test(test_relief),          cmocka_unit_test(test_fewest_cells),
        cmocka_unit_test(test_the_plain_way),   cmocka_unit_test(test_polling),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
