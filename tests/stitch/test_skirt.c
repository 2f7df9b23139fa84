/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* stitch_edges and stitch_match. Guards against edges that still differ by a bit, corners that four
 * maps see differently, skirts that reach too far, and seams that change again each time. */

#include <math.h>

#include "stitch/grid.h"

typedef terrain_status stitch(grid *g);

static terrain_status edges(grid *g)
{
    return terrain_stitch_edges(NULL, g->maps, g->columns, g->rows, NULL);
}

static terrain_status edges_linear(grid *g)
{
    terrain_stitch_edges_params p;
    terrain_stitch_edges_params_init(&p, sizeof p);
    p.width = 9;
    p.curve = TERRAIN_STITCH_CURVE_LINEAR;
    return terrain_stitch_edges(NULL, g->maps, g->columns, g->rows, &p);
}

static terrain_status edges_alone(grid *g)
{
    terrain_stitch_edges_params p;
    terrain_stitch_edges_params_init(&p, sizeof p);
    p.width = 1;
    return terrain_stitch_edges(NULL, g->maps, g->columns, g->rows, &p);
}

static terrain_status match(grid *g)
{
    return terrain_stitch_match(NULL, g->maps, g->columns, g->rows, NULL);
}

static terrain_status match_short(grid *g)
{
    terrain_stitch_match_params p;
    terrain_stitch_match_params_init(&p, sizeof p);
    p.width = 9;
    p.bend = 5;
    return terrain_stitch_match(NULL, g->maps, g->columns, g->rows, &p);
}

static stitch *const stitches[] = {edges, edges_linear, edges_alone, match, match_short};
enum { STITCHES = sizeof stitches / sizeof stitches[0] };

static const uint32_t shapes[][4] = {
    {2, 1, 40, 30},
    {1, 3, 40, 30},
    {3, 3, 70, 50},
    {4, 2, 4, 5},
    {2, 2, 200, 91},
    {1, 1, 20, 20},
    {1, 2, 3, 20},
    {3, 1, 5, 6} /* as wide as a skirt */,
    {10, 7, 6, 5} /* more maps than tasks */,
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static grid shape(int i)
{
    return grid_of(shapes[i][0], shapes[i][1], shapes[i][2], shapes[i][3]);
}

/* Shared cells that differ, and a second call that changes something. */
static void test_edges_equal_and_stay(void **state)
{
    for (int i = 0; i < SHAPES * STITCHES; i++) {
        grid g = shape(i / STITCHES);
        assert_int_equal(stitches[i % STITCHES](&g), TERRAIN_SUCCESS);
        assert_true(grid_fits(&g, 1) && isfinite(*grid_at(&g, 0, 0, g.height / 2)));
        grid before = grid_copy(&g);
        assert_int_equal(stitches[i % STITCHES](&g), TERRAIN_SUCCESS);
        assert_true(grid_equal(&g, &before));
        grid_free(&g);
        grid_free(&before);
    }
}

/* Many more of them: a rounding that one height in a million meets. */
static void test_stay_for_many_heights(void **state)
{
    for (uint64_t seed = 0; seed < 60; seed++) {
        grid g = grid_of(2, 2, 120, 110);
        for (uint32_t i = 0; i < 4; i++) {
            test_fill_heights(g.maps[i], 1000 * seed + i);
            for (uint32_t y = 0; y < g.height; y++) {
                for (uint32_t x = 0; x < g.width; x++) {
                    *grid_at(&g, i, x, y) *=
                        1 / (1 + 0.37f * (float)((x * 7 + y * 13 + seed) % 31));
                }
            }
        }
        assert_int_equal(stitches[seed % STITCHES](&g), TERRAIN_SUCCESS);
        grid before = grid_copy(&g);
        assert_int_equal(stitches[seed % STITCHES](&g), TERRAIN_SUCCESS);
        assert_true(grid_equal(&g, &before));
        grid_free(&g);
        grid_free(&before);
    }
}

/* Windows of one world, which fit, are torn by averaging; -0 becomes 0. */
static void test_fitting_maps_stay(void **state)
{
    for (int i = 0; i < 3; i++) {
        grid g = grid_of_world(3, 3, 70, 50, 1);
        for (uint32_t k = 0; k < 9; k++) {
            *grid_at(&g, k, 20, 20) = -0.0f;
            *grid_at(&g, k, 0, 20) = *grid_at(&g, k, 69, 20) = -0.0f;
            *grid_at(&g, k, 30, 0) = *grid_at(&g, k, 30, 49) = -0.0f;
        }
        grid before = grid_copy(&g);
        assert_int_equal(stitches[i](&g), TERRAIN_SUCCESS);
        assert_true(grid_equal(&g, &before));
        grid_free(&g);
        grid_free(&before);
    }
}

static bool is_near_shared_edge(const grid *g, uint32_t map, uint32_t x, uint32_t y, uint32_t width)
{
    uint32_t column = map % g->columns, row = map / g->columns;
    return (column > 0 && x < width) || (column + 1 < g->columns && g->width - 1 - x < width) ||
           (row > 0 && y < width) || (row + 1 < g->rows && g->height - 1 - y < width);
}

/* A skirt that is wider than asked for, or lies along an edge of the whole grid. */
static void test_skirts_end(void **state)
{
    static const uint32_t widths[STITCHES] = {32, 9, 1, 32, 9};
    for (int i = 0; i < SHAPES * STITCHES; i++) {
        grid g = shape(i / STITCHES);
        grid before = grid_copy(&g);
        stitches[i % STITCHES](&g);
        for (uint32_t k = 0; k < g.columns * g.rows; k++) {
            for (uint32_t y = 0; y < g.height; y++) {
                for (uint32_t x = 0; x < g.width; x++) {
                    bool near = is_near_shared_edge(&g, k, x, y, widths[i % STITCHES]);
                    assert_true(near || memcmp(grid_at(&g, k, x, y), grid_at(&before, k, x, y),
                                               sizeof(float)) == 0);
                }
            }
        }
        grid_free(&g);
        grid_free(&before);
    }
}

/* Four maps at a corner in another order: the result follows. */
static void test_order_is_free(void **state)
{
    for (int i = 0; i < STITCHES; i++) {
        grid g = grid_of(3, 2, 60, 48);
        grid flipped = grid_turned(&g, false);
        grid turned = grid_turned(&g, true);
        stitches[i](&g);
        stitches[i](&flipped);
        stitches[i](&turned);
        grid back = grid_turned(&flipped, false);
        assert_true(grid_equal(&g, &back));
        grid again = grid_turned(&turned, true);
        for (uint32_t k = 0; k < 6; k++) {
            for (uint32_t y = 0; y < g.height; y++) {
                for (uint32_t x = 0; x < g.width; x++) {
                    assert_true(fabsf(*grid_at(&g, k, x, y) - *grid_at(&again, k, x, y)) < 2e-5f);
                }
            }
        }
        grid_free(&g);
        grid_free(&flipped);
        grid_free(&turned);
        grid_free(&back);
        grid_free(&again);
    }
}

/* A corner that is not the mean of its four, or edges beyond the mean of two in their middle. */
static void test_means(void **state)
{
    grid g = grid_of(2, 2, 100, 100);
    grid before = grid_copy(&g);
    edges(&g);
    double four = ((double)*grid_at(&before, 0, 99, 99) + (double)*grid_at(&before, 1, 0, 99) +
                   (double)*grid_at(&before, 2, 99, 0) + (double)*grid_at(&before, 3, 0, 0)) /
                  4;
    assert_true(fabs((double)*grid_at(&g, 0, 99, 99) - four) < 1e-6);
    double two = ((double)*grid_at(&before, 0, 99, 30) + (double)*grid_at(&before, 1, 0, 30)) / 2;
    assert_true(fabs((double)*grid_at(&g, 0, 99, 30) - two) < 1e-6);
    grid_free(&g);
    grid_free(&before);
}

/* A slope that grows by more than the header says: 1.875 |difference| / (2 width). */
static void test_added_slope(void **state)
{
    grid g = grid_of(2, 1, 100, 40);
    for (uint32_t i = 0; i < 2; i++) {
        for (uint32_t k = 0; k < 4000; k++) {
            *grid_at(&g, i, k % 100, k / 100) = i == 0 ? 0 : 10;
        }
    }
    edges(&g);
    float steepest = 0;
    for (uint32_t x = 1; x < 100; x++) {
        float slope = *grid_at(&g, 0, x, 7) - *grid_at(&g, 0, x - 1, 7);
        steepest = slope > steepest ? slope : steepest;
    }
    assert_true(steepest <= 1.875f * 10 / 64 && steepest > 1.8f * 10 / 64);
    grid_free(&g);
}

/* Normals that still differ after stitch_match. */
static void test_match_removes_kinks(void **state)
{
    grid g = grid_of(3, 3, 70, 60);
    assert_true(grid_seams(&g, 1).worst_kink > 1);
    match(&g);
    assert_true(grid_seams(&g, 1).worst_kink < 1e-5);
    assert_true(grid_seams(&g, 1).worst_step == 0);
    grid_free(&g);
    for (int sign = -1; sign <= 1; sign += 2) { /* a valley, and a ridge, whose edges are equal */
        g = grid_of(2, 1, 40, 8);
        for (uint32_t k = 0; k < 2 * 40 * 8; k++) {
            const uint32_t map = k / 320, x = k % 40;
            *grid_at(&g, map, x, k % 320 / 40) = (float)(sign * (int)(map == 0 ? x : 39 - x));
        }
        assert_true(grid_seams(&g, 1).worst_kink == 2);
        match(&g);
        assert_true(grid_seams(&g, 1).worst_kink < 1e-5);
        grid_free(&g);
    }
}

/* A change at a corner that a float does not hold, and that leaves its mark on the whole skirt. */
static void test_enormous(void **state)
{
    for (int i = 0; i < STITCHES; i++) {
        grid g = grid_of(2, 2, 20, 20);
        for (uint32_t k = 0; k < 4 * 400; k++) {
            *grid_at(&g, k / 400, k % 20, k % 400 / 20) = k < 400 ? -3e38f : 3e38f;
        }
        assert_int_equal(stitches[i](&g), TERRAIN_SUCCESS);
        assert_true(grid_fits(&g, 1));
        for (uint32_t k = 0; k < 4 * 400; k++) {
            assert_false(isnan(*grid_at(&g, k / 400, k % 20, k % 400 / 20)));
        }
        grid_free(&g);
    }
}

/* Holes that grow into the skirts, or that one map has and its neighbour has not. */
static void test_holes(void **state)
{
    for (int i = 0; i < 2; i++) {
        grid g = grid_of(2, 2, 60, 60);
        const float other_nan = -NAN, nan = NAN;
        *grid_at(&g, 0, 59, 20) = other_nan;
        *grid_at(&g, 1, 0, 40) = INFINITY;
        *grid_at(&g, 1, 10, 40) = -INFINITY;
        *grid_at(&g, 3, 0, 0) = NAN;
        grid clean = grid_of(2, 2, 60, 60);
        assert_int_equal(stitches[i](&g), TERRAIN_SUCCESS);
        assert_true(grid_fits(&g, 1));
        assert_true(isnan(*grid_at(&g, 1, 0, 20)) && isnan(*grid_at(&g, 0, 59, 59)));
        assert_memory_equal(grid_at(&g, 1, 0, 20), &nan, sizeof nan);
        assert_true(*grid_at(&g, 0, 59, 40) == INFINITY && *grid_at(&g, 1, 10, 40) == -INFINITY);
        uint32_t holes = 0;
        for (uint32_t k = 0; k < 4 * 3600; k++) {
            holes += !isfinite(*grid_at(&g, k / 3600, k % 60, k % 3600 / 60));
        }
        assert_int_equal(holes, 2 + 2 + 1 + 4);
        stitches[i](&clean);
        assert_true(*grid_at(&g, 0, 40, 10) == *grid_at(&clean, 0, 40, 10));
        grid_free(&g);
        grid_free(&clean);
    }
}

/* Tiles that are views of one buffer, with its stride; and views that overlap. */
static void test_views(void **state)
{
    grid g = grid_of(2, 1, 40, 30);
    grid views = g;
    terrain_window window = {0, 0, 80, 30};
    terrain_heightmap *whole = test_map(&window);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(terrain_heightmap_view(NULL, whole, 40 * i, 0, 40, 30, &views.maps[i]),
                         TERRAIN_SUCCESS);
        for (uint32_t y = 0; y < 30; y++) {
            memcpy(grid_at(&views, i, 0, y), grid_at(&g, i, 0, y), 40 * sizeof(float));
        }
    }
    assert_int_equal(match(&g), TERRAIN_SUCCESS);
    assert_int_equal(match(&views), TERRAIN_SUCCESS);
    assert_true(grid_equal(&g, &views));
    grid_free(&views);
    for (uint32_t i = 0; i < 2; i++) {
        assert_int_equal(terrain_heightmap_view(NULL, whole, 39 * i, 0, 40, 30, &views.maps[i]),
                         TERRAIN_SUCCESS);
    }
    assert_int_equal(match(&views), TERRAIN_ERROR_ALIAS);
    grid_free(&views);
    grid_free(&g);
    terrain_heightmap_destroy(whole);
}

static void refuse(terrain_heightmap *const *maps, uint32_t columns, uint32_t rows,
                   terrain_status status, const char *says)
{
    terrain_context *context = test_plain_context();
    assert_int_equal(terrain_stitch_match(context, maps, columns, rows, NULL), status);
    if (strstr(terrain_context_message(context), says) == NULL) {
        fail_msg("\"%s\" is not in \"%s\"", says, terrain_context_message(context));
    }
    terrain_context_destroy(context);
}

/* Many maps, which are not compared pair by pair: views of one buffer, whose rows lie between each
 * other's, and one that is moved onto another. */
static void test_many(void **state)
{
    enum { COLUMNS = 8, ROWS = 6, COUNT = COLUMNS * ROWS, WIDTH = 12, HEIGHT = 10 };
    static const struct {
        uint32_t map, x, y;
        const char *says;
    } moved[] = {
        {COUNT - 1, 0, 0, "maps[47] overlaps maps[0]"}, {0, 11, 9, "maps[1] overlaps maps[0]"},
        {20, 47, 20, "maps[20] overlaps maps[19]"},     {20, 48, 19, "maps[20] overlaps maps[12]"},
        {20, 49, 21, "maps[21] overlaps maps[20]"},
    };
    terrain_window window = {0, 0, COLUMNS * WIDTH, ROWS * HEIGHT};
    terrain_heightmap *whole = test_map(&window), *maps[COUNT], *other = NULL;
    test_fill_heights(whole, 7);
    for (uint32_t i = 0; i < COUNT; i++) {
        assert_int_equal(terrain_heightmap_view(NULL, whole, i % COLUMNS * WIDTH,
                                                i / COLUMNS * HEIGHT, WIDTH, HEIGHT, &maps[i]),
                         TERRAIN_SUCCESS);
    }
    assert_int_equal(terrain_stitch_match(NULL, maps, COLUMNS, ROWS, NULL), TERRAIN_SUCCESS);
    for (size_t k = 0; k < sizeof moved / sizeof *moved; k++) {
        terrain_heightmap *map = maps[moved[k].map];
        assert_int_equal(
            terrain_heightmap_view(NULL, whole, moved[k].x, moved[k].y, WIDTH, HEIGHT, &other),
            TERRAIN_SUCCESS);
        maps[moved[k].map] = other;
        refuse(maps, COLUMNS, ROWS, TERRAIN_ERROR_ALIAS, moved[k].says);
        maps[moved[k].map] = NULL;
        refuse(maps, COLUMNS, ROWS, TERRAIN_ERROR_ARGUMENT, "is NULL");
        maps[moved[k].map] = map;
        terrain_heightmap_destroy(other);
    }
    for (uint32_t i = 0; i < COUNT; i++) {
        terrain_heightmap_destroy(maps[i]);
    }
    terrain_heightmap_destroy(whole);
}

/* Grids that are none, and maps that are too small, refused without a word of help. */
static void test_refused(void **state)
{
    grid g = grid_of(2, 2, 40, 30);
    grid small = grid_of(2, 1, 3, 30);
    grid low = grid_of(1, 2, 30, 3);
    grid mixed = grid_of(2, 1, 40, 30);
    terrain_heightmap *fourth = g.maps[3];
    refuse(NULL, 2, 2, TERRAIN_ERROR_ARGUMENT, "maps is NULL");
    refuse(g.maps, 0, 2, TERRAIN_ERROR_ARGUMENT, "the grid has no maps");
    refuse(g.maps, 65536, 65536, TERRAIN_ERROR_RANGE, "can have at most 4096");
    refuse(small.maps, 2, 1, TERRAIN_ERROR_RANGE, "maps are 3x30, must be at least 4");
    refuse(low.maps, 1, 2, TERRAIN_ERROR_RANGE, "maps are 30x3, must be at least 4");
    g.maps[3] = NULL;
    refuse(g.maps, 2, 2, TERRAIN_ERROR_ARGUMENT, "maps[3] is NULL");
    g.maps[3] = g.maps[1];
    refuse(g.maps, 2, 2, TERRAIN_ERROR_ALIAS, "maps[3] overlaps maps[1]");
    g.maps[3] = small.maps[0];
    refuse(g.maps, 2, 2, TERRAIN_ERROR_ARGUMENT, "maps[3] is 3x30, maps[0] 40x30");
    g.maps[3] = fourth;
    const terrain_operation *clamp = terrain_operation_find("shape_clamp");
    assert_int_equal(terrain_operation_apply_grid(NULL, clamp, g.maps, 2, 2, NULL),
                     TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_operation_apply_grid(NULL, NULL, g.maps, 2, 2, NULL),
                     TERRAIN_ERROR_ARGUMENT);
    grid_free(&g);
    grid_free(&small);
    grid_free(&low);
    grid_free(&mixed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_edges_equal_and_stay),
        cmocka_unit_test(test_stay_for_many_heights),
        cmocka_unit_test(test_fitting_maps_stay),
        cmocka_unit_test(test_skirts_end),
        cmocka_unit_test(test_order_is_free),
        cmocka_unit_test(test_means),
        cmocka_unit_test(test_added_slope),
        cmocka_unit_test(test_match_removes_kinks),
        cmocka_unit_test(test_enormous),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_views),
        cmocka_unit_test(test_many),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
