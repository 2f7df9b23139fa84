/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against pits, rivers that end or run in circles, dikes, lakes that spill, seams between
 * windows, and land that hangs on what its maps hold. tests/oracle/drainage.c says what it is. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/keys.h"
#include "generate/drainage_call.h"
#include "generate/drainage_sweep.h"
#include "generate/generated.h"
#include "support/random.h"
#include "terrain/generate.h"
#include "vector/random.h"

typedef terrain_generate_drainage_params params;

static const int step_x[8] = {1, 1, 0, -1, -1, -1, 0, 1};
static const int step_y[8] = {0, 1, 1, 1, 0, -1, -1, -1};

/* Kinds of land: mountains, folds, a plateau, hills, islands. */
enum { KINDS = 5 };

static params kind(uint32_t index)
{
    params p;
    terrain_generate_drainage_params_init(&p, sizeof p);
    p.seed = index;
    if (index == 1) {
        p.ranges = 1.2F;
        p.hills = 1;
        p.plains = 1;
        p.strata_contrast = 3;
        p.fold_height = 160;
    } else if (index == 2) {
        p.ranges = 0;
        p.plains = 2;
        p.erodibility = 0.05F;
        p.concavity = 0.55F;
        p.plateau = 14;
        p.plateau_rise = 150;
    } else if (index == 3) {
        p.hills = 3;
        p.erodibility = 0.5F;
        p.channel_area = 30;
        p.crest_area = 40;
        p.smoothing = 1;
    } else if (index == 4) {
        p.period = 2048;
        p.base_level = -0.05F;
    }
    return p;
}

/* Low hills and little sea, which have the most closed lakes. */
static params lake_land(uint64_t seed)
{
    params p = kind(0);
    p.seed = seed;
    p.base_level = 0.15F;
    p.period = 4096;
    p.hills = 2;
    p.ranges = 1;
    p.plains = 1;
    return p;
}

/* A window with all outputs. */
typedef struct land {
    terrain_heightmap *heights, *water, *discharge, *receiver;
} land;

static land make(params p, const terrain_window *window)
{
    land l = {NULL, test_map(window), test_map(window), test_map(window)};
    p.water = l.water;
    p.discharge = l.discharge;
    p.receiver = l.receiver;
    l.heights = generated(NULL, "generate_drainage", &p, window);
    return l;
}

static void destroy(land l)
{
    terrain_heightmap_destroy(l.heights);
    terrain_heightmap_destroy(l.water);
    terrain_heightmap_destroy(l.discharge);
    terrain_heightmap_destroy(l.receiver);
}

static const int64_t places[] = {0,
                                 -1,
                                 INT64_C(2147483648),
                                 INT64_C(-2147483649),
                                 INT64_C(1099511627776),
                                 TERRAIN_WORLD_LIMIT - 10600,
                                 10000 - TERRAIN_WORLD_LIMIT};

/* Guards against tiles that have less memory than they take: those that a call does not look at, as
 * another lies a multiple of DRAINAGE_PHASES cells away, or is larger. */
static void test_memory_of_tiles(void **state)
{
    test_random random = {27};
    for (uint32_t round = 0; round < 3000; round++) {
        params p = kind(round % KINDS);
        struct drainage_plan plan;
        struct drainage_pyramid one, other, inner;
        const bool single = test_below(&random, 2) == 0;
        const uint32_t bottom = test_below(&random, single ? DRAINAGE_TOP + 1 : 4);
        const uint32_t top = single ? bottom : 3;
        struct drainage_level window = {
            .x = test_between(&random, -9999, 9999),
            .y = test_between(&random, -9999, 9999),
            .width = 1 + test_below(&random, 768),
            .height = 1 + test_below(&random, 768),
        };
        p.plate_spacing = 2048U << test_below(&random, 4);
        terrain__drainage_set_plan(&plan, &p, TERRAIN_ISA_BASELINE);
        terrain__drainage_pyramid_place(&one, &plan, 1, top, bottom, &window);
        window.x += (int64_t)DRAINAGE_PHASES * test_between(&random, -9999, 9999);
        window.y += (int64_t)DRAINAGE_PHASES * test_between(&random, -9999, 9999);
        terrain__drainage_pyramid_place(&other, &plan, 1, top, bottom, &window);
        assert_true(other.floats == one.floats);
        const uint32_t left = test_below(&random, window.width);
        const uint32_t up = test_below(&random, window.height);
        window.x += left;
        window.y += up;
        window.width -= left + test_below(&random, window.width - left);
        window.height -= up + test_below(&random, window.height - up);
        terrain__drainage_pyramid_place(&inner, &plan, 1, top, bottom, &window);
        assert_true(inner.floats <= one.floats);
    }
}

static terrain_window somewhere(test_random *random, uint32_t size)
{
    int64_t x = places[test_below(random, 7)], y = places[test_below(random, 7)];
    terrain_window window = {x + test_between(random, -9999, 9999),
                             y + test_between(random, -9999, 9999), size, size};
    return window;
}

/* Guards against pits: a cell of dry land without a strictly lower neighbour, in the floats that
 * the caller gets; a receiver whose water is not lower; an outlet that is neither sea nor lake. */
static void test_no_pits(void **state)
{
    uint32_t dry = 0;
    for (uint64_t round = 0; round < 12 * KINDS; round++) {
        test_random random = {round + 1};
        terrain_window window = somewhere(&random, 514);
        params p = kind((uint32_t)round % KINDS);
        p.seed = round;
        land l = make(p, &window);
        for (uint32_t y = 1; y < 513; y++) {
            for (uint32_t x = 1; x < 513; x++) {
                double z = at(l.heights, x, y), w = at(l.water, x, y);
                int r = (int)at(l.receiver, x, y);
                double lowest = z;
                for (int d = 0; d < 8; d++) {
                    lowest = fmin(lowest,
                                  at(l.heights, x + (uint32_t)step_x[d], y + (uint32_t)step_y[d]));
                }
                assert_true(w >= z && at(l.discharge, x, y) >= 1);
                assert_true(w > z || (r >= 0 && lowest < z));
                double next =
                    r < 0 ? 0 : at(l.water, x + (uint32_t)step_x[r], y + (uint32_t)step_y[r]);
                /* Water falls, but across a lake with an outflow. */
                assert_true(r < 0 ? w > z : w > next || (w == next && w > z));
                dry += r >= 0;
            }
        }
        destroy(l);
    }
    assert_true(dry > 10000000);
}

/* Tiles that are computed alone, when a path first enters them. */
enum { TILE = 192, TILES = 160 };

typedef struct atlas {
    params p;
    int64_t column[TILES], row[TILES];
    land tiles[TILES];
    uint32_t count;
} atlas;

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

static const land *tile_of(atlas *a, int64_t x, int64_t y)
{
    int64_t column = floor_div(x, TILE), row = floor_div(y, TILE);
    for (uint32_t k = 0; k < a->count; k++) {
        if (a->column[k] == column && a->row[k] == row) {
            return &a->tiles[k];
        }
    }
    assert_true(a->count < TILES);
    terrain_window window = {column * TILE, row * TILE, TILE, TILE};
    a->column[a->count] = column;
    a->row[a->count] = row;
    a->tiles[a->count] = make(a->p, &window);
    return &a->tiles[a->count++];
}

/* Guards against water that ends on the way or runs in circles over the borders of tiles: random
 * cells, followed from tile to tile, reach the sea. */
static void test_rivers_reach_the_sea(void **state)
{
    atlas *a = calloc(1, sizeof *a);
    test_random random = {11};
    assert_non_null(a);
    a->p = kind(4);
    for (uint32_t k = 0; k < 10000; k++) {
        int64_t x = test_between(&random, -500, 500), y = test_between(&random, -500, 500);
        double before = 1e9;
        uint32_t level = 0; /* steps across a lake */
        for (uint32_t steps = 0;; steps++) {
            const land *l = tile_of(a, x, y);
            uint32_t i = (uint32_t)(x - floor_div(x, TILE) * TILE);
            uint32_t j = (uint32_t)(y - floor_div(y, TILE) * TILE);
            int r = (int)at(l->receiver, i, j);
            double water = at(l->water, i, j);
            bool lake = water == before && water > at(l->heights, i, j);
            level = lake ? level + 1 : 0;
            assert_true(steps < 100000 && (water < before || (lake && level <= 15)));
            before = water;
            if (r < 0) {
                assert_true(at(l->water, i, j) >= 0);
                break;
            }
            x += step_x[r];
            y += step_y[r];
        }
    }
    for (uint32_t k = 0; k < a->count; k++) {
        destroy(a->tiles[k]);
    }
    free(a);
}

static int by_water(const void *a, const void *b)
{
    double x = ((const double *)a)[0], y = ((const double *)b)[0];
    return (x < y) - (x > y);
}

enum { SIZE = 500 };

typedef struct rivers {
    uint32_t count, far; /* cells; those off by more than a factor of 1.5 */
    double error;        /* sum of logarithms */
} rivers;

/* Compares discharge with the cells upstream, counted, for basins within a window. */
static void compare_discharge(uint64_t seed, rivers *sum)
{
    terrain_window window = {-1000, 4000, SIZE, SIZE};
    params p = kind(0);
    p.seed = seed;
    p.lake_depth = 0; /* receivers are the same, and water that falls gives the order */
    land l = make(p, &window);
    double *order = malloc(sizeof(double) * 2 * SIZE * SIZE), *area = calloc(SIZE * SIZE, 8);
    assert_true(order != NULL && area != NULL);
    for (uint32_t k = 0; k < SIZE * SIZE; k++) {
        order[2 * k] = at(l.water, k % SIZE, k / SIZE);
        order[2 * k + 1] = k;
    }
    qsort(order, SIZE * SIZE, 2 * sizeof(double), by_water);
    for (uint32_t n = 0; n < SIZE * SIZE; n++) {
        uint32_t k = (uint32_t)order[2 * n + 1], x = k % SIZE, y = k / SIZE;
        int r = (int)at(l.receiver, x, y);
        bool rim = x == 0 || y == 0 || x == SIZE - 1 || y == SIZE - 1;
        area[k] += rim ? INFINITY : 1;
        if (r >= 0 && x + (uint32_t)step_x[r] < SIZE && y + (uint32_t)step_y[r] < SIZE) {
            area[k + (uint32_t)(step_y[r] * SIZE + step_x[r])] += area[k];
        }
        if (r >= 0 && area[k] > 1000 && area[k] < 1e9) {
            double ratio = at(l.discharge, x, y) / area[k];
            sum->error += log(ratio);
            sum->far += ratio > 1.5 || ratio < 1 / 1.5;
            sum->count++;
        }
    }
    free(order);
    free(area);
    destroy(l);
}

/* Guards against discharge that has lost the rivers: over eight worlds, the mean over rivers of
 * more than 1000 cells is within 5 % of the cells upstream, and off by more than a factor of 1.5 at
 * few. */
static void test_discharge(void **state)
{
    rivers sum = {0, 0, 0};
    for (uint64_t seed = 0; seed < 8; seed++) {
        compare_discharge(seed, &sum);
    }
    assert_true(sum.count > 10000);
    assert_true(fabs(sum.error / sum.count) < 0.05);
    assert_true(sum.far * 50 < sum.count);
}

/* Guards against dikes: rivers of more than 100 cells' water that run along the top of a wall one
 * cell wide, 0.8 above the land on both sides. Of a thousand of their cells at most one does. */
static void test_dikes(void **state)
{
    const uint32_t side = 514;
    uint32_t wet = 0, dikes = 0;
    for (uint32_t seed = 0; seed < 8; seed++) {
        const int64_t far = 70000 * (int64_t)seed;
        const terrain_window window = {far, 40000 - far, side, side};
        params p = kind(0);
        p.seed = seed;
        land l = make(p, &window);
        for (uint32_t y = 1; y + 1 < side; y++) {
            for (uint32_t x = 1; x + 1 < side; x++) {
                bool river = at(l.receiver, x, y) >= 0 && at(l.discharge, x, y) > 100;
                bool dike = false;
                for (int d = 0; d < 4; d++) {
                    uint32_t dx = (uint32_t)step_x[d], dy = (uint32_t)step_y[d];
                    double beside =
                        fmax(at(l.heights, x + dx, y + dy), at(l.heights, x - dx, y - dy));
                    double wall = 0.8 * (d % 2 == 0 ? 1 : sqrt(2));
                    dike |= at(l.heights, x, y) > beside + wall;
                }
                wet += river;
                dikes += river && dike;
            }
        }
        destroy(l);
    }
    assert_true(wet > 20000);
    assert_true(1000 * dikes < wet);
}

/* Guards against seams where a map is large enough for several tiles. */
static void test_tiles_of_large_maps(void **state)
{
    static const terrain_window parts[] = {
        {500, 500, 40, 40}, {1000, 20, 60, 33}, {505, 1010, 20, 21}, {0, 0, 1, 1}};
    params p = kind(0);
    terrain_window whole = {0, 0, 1100, 1050};
    terrain_heightmap *map = generated(NULL, "generate_drainage", &p, &whole);
    for (uint32_t k = 0; k < sizeof parts / sizeof parts[0]; k++) {
        assert_true(is_crop(NULL, "generate_drainage", &p, map, &parts[k]));
    }
    terrain_heightmap_destroy(map);
}

/* Guards against outputs that depend on the window, at any place of the world. */
static void test_outputs_of_windows(void **state)
{
    test_random random = {5};
    for (uint32_t round = 0; round < 24; round++) {
        terrain_window large = somewhere(&random, 150);
        uint32_t x = test_below(&random, 90), y = test_below(&random, 90);
        terrain_window small = {large.x + x, large.y + y, 60, 60};
        params p = kind(round % KINDS);
        p.seed = round;
        land whole = make(p, &large), part = make(p, &small);
        for (uint32_t k = 0; k < 60 * 60; k++) {
            uint32_t i = k % 60, j = k / 60;
            assert_true(at(part.heights, i, j) == at(whole.heights, x + i, y + j));
            assert_true(at(part.water, i, j) == at(whole.water, x + i, y + j));
            assert_true(at(part.discharge, i, j) == at(whole.discharge, x + i, y + j));
            assert_true(at(part.receiver, i, j) == at(whole.receiver, x + i, y + j));
        }
        destroy(whole);
        destroy(part);
    }
}

/* Guards against a lake cut off at a window's edge: what lies beyond it must be right as far as the
 * lake reaches. */
static void test_lakes_of_strips(void **state)
{
    params p = kind(3);
    p.lake_depth = 1.5F;
    for (uint64_t seed = 4; seed < 8; seed++) {
        const terrain_window window = {-40, 1990, 560, 320};
        p.seed = seed;
        terrain_heightmap *whole = generated(NULL, "generate_drainage", &p, &window);
        for (int64_t y = 0; y < 320; y += 40) {
            const terrain_window strip = {-40, 1990 + y, 560, 40};
            assert_true(is_crop(NULL, "generate_drainage", &p, whole, &strip));
        }
        terrain_heightmap_destroy(whole);
    }
}

/* The steps from a lake's cell to its sill, east and south: false if there is no lake, or the sill
 * lies beyond the window. */
static bool way_to_sill(const land *l, const terrain_window *window, uint32_t x, uint32_t y,
                        int64_t way[2])
{
    const double surface = at(l->water, x, y);
    way[0] = way[1] = 0;
    for (;;) {
        const int r = (int)at(l->receiver, x + (uint32_t)way[0], y + (uint32_t)way[1]);
        const int64_t to_x = x + way[0] + (r < 0 ? 0 : step_x[r]);
        const int64_t to_y = y + way[1] + (r < 0 ? 0 : step_y[r]);
        if (r < 0 || to_x < 0 || to_y < 0 || to_x >= window->width || to_y >= window->height) {
            return false;
        }
        if (at(l->water, (uint32_t)to_x, (uint32_t)to_y) != surface) {
            return way[0] != 0 || way[1] != 0;
        }
        way[0] = to_x - x;
        way[1] = to_y - y;
    }
}

/* Guards against a lake that a tile does not find, as its sill lies far beyond the tile: of each
 * direction the cell of a lake that is farthest from its sill, made alone. On coarse levels some
 * are as far as may be. */
static void test_lakes_of_cells(void **state)
{
    for (uint32_t level = 0; level < 3; level++) {
        const terrain_window window = {-40, 1990 >> level, 560, 320};
        int64_t farthest[4] = {0};
        terrain_window cells[4];
        params p = kind(0);
        p.seed = 5;
        p.lake_depth = 16;
        p.level = level;
        const land whole = make(p, &window);
        for (uint32_t k = 0; k < 560 * 320; k++) {
            int64_t way[2];
            const bool lake = way_to_sill(&whole, &window, k % 560, k / 560, way);
            for (int d = 0; d < 4 && lake; d++) {
                const int64_t far = d < 2 ? way[d] : -way[d - 2];
                if (far > farthest[d]) {
                    farthest[d] = far;
                    cells[d] = (terrain_window){window.x + k % 560, window.y + k / 560, 1, 1};
                }
            }
        }
        for (int d = 0; d < 4; d++) {
            assert_true(level < 2 ? farthest[d] > 2 : farthest[d] == DRAINAGE_LAKE_REACH >> level);
            const land cell = make(p, &cells[d]);
            assert_true(test_windows_equal(cell.heights, whole.heights, &cells[d]));
            assert_true(test_windows_equal(cell.water, whole.water, &cells[d]));
            destroy(cell);
        }
        destroy(whole);
    }
}

/* A window of a level, made from the next coarser one, in memory full of `junk`. */
static struct drainage_level made_level(const struct drainage_plan *plan, uint32_t top,
                                        uint32_t bottom, const struct drainage_level *coarse,
                                        const struct drainage_level *window, int junk,
                                        float **memory)
{
    struct drainage_pyramid pyramid;
    struct drainage_level made;
    struct drainage_ground ground;
    terrain__drainage_pyramid_place(&pyramid, plan, 1, top, bottom, window);
    *memory = malloc((size_t)pyramid.floats * sizeof(float));
    assert_non_null(*memory);
    memset(*memory, junk, (size_t)pyramid.floats * sizeof(float));
    pyramid.memory = *memory;
    assert_int_equal(terrain__drainage_pyramid_make(&pyramid, NULL, coarse, &made, &ground),
                     TERRAIN_SUCCESS);
    return made;
}

/* Guards against refining, and banks of closed lakes, that spoil more cells at the rim than windows
 * allow for, which all the steps would seldom carry to cells that are kept: with no more than one
 * step of relaxing, windows of 4 by 4 cells, and the two cells around them that finding receivers
 * takes, are crops of a large one. */
static void test_rims_of_levels(void **state)
{
    enum { SPAN = 160 };
    static const struct {
        uint32_t level, relax;
        int64_t x, y;
    } lands[] = {
        {1, 0, 1588, -192}, /* a closed lake, whose banks rise */
        {0, 1, 3290, -340}, /* and would sink */
    };
    for (size_t n = 0; n < sizeof lands / sizeof lands[0]; n++) {
        const uint32_t level = lands[n].level, first = 2 + lands[n].relax;
        const struct drainage_level large = {
            .x = lands[n].x, .y = lands[n].y, .width = SPAN, .height = SPAN};
        const params p = lake_land(596753);
        struct drainage_plan plan = {0};
        struct drainage_pyramid pyramid;
        float *memory[3];
        terrain__drainage_set_plan(&plan, &p, TERRAIN_ISA_BASELINE);
        plan.steps[level] = (struct drainage_steps){.relax = lands[n].relax};
        terrain__drainage_pyramid_windows(&pyramid, plan.steps, level, level, &large);
        const struct drainage_level coarse = made_level(&plan, DRAINAGE_TOP, level + 1, NULL,
                                                        &pyramid.wanted[level + 1], 0, &memory[0]);
        const struct drainage_level whole =
            made_level(&plan, level, level, &coarse, &large, 0, &memory[1]);
        for (uint32_t y = first; y + 6 <= SPAN; y += 2) {
            for (uint32_t x = first; x + 6 <= SPAN; x += 2) {
                const struct drainage_level window = {
                    .x = large.x + x, .y = large.y + y, .width = 4, .height = 4};
                const struct drainage_level part =
                    made_level(&plan, level, level, &coarse, &window, 255, &memory[2]);
                for (size_t k = 0; k < 8 * 8; k++) {
                    const size_t at = (y + k / 8 - 2) * whole.stride + x + k % 8 - 2;
                    const ptrdiff_t i =
                        ((ptrdiff_t)(k / 8) - 2) * (ptrdiff_t)part.stride + (ptrdiff_t)(k % 8) - 2;
                    assert_true(part.heights[i] == whole.heights[at]);
                    assert_true(part.discharge[i] == whole.discharge[at]);
                    assert_true(part.traits[i] == whole.traits[at]);
                }
                free(memory[2]);
            }
        }
        free(memory[0]);
        free(memory[1]);
    }
}

/* A land drawn by hand: a valley that rises 0.01 a cell leads east to a lake's sill, 10 high. */
enum { DRAWN = 48, SILL = 24 * DRAWN + 32, NORTH = -DRAWN };

/* How many cells the lake has, where one cell of the land is another. */
static uint32_t drawn_lake(ptrdiff_t cell, float height, uint8_t receiver)
{
    static float heights[DRAWN * DRAWN], depth[DRAWN * DRAWN];
    static uint8_t receivers[DRAWN * DRAWN], traits[DRAWN * DRAWN];
    const ptrdiff_t corner = 16 * DRAWN + 16; /* of a window whose lakes are made */
    const struct drainage_level window = {.width = DRAWN - 32,
                                          .height = DRAWN - 32,
                                          .stride = DRAWN,
                                          .heights = heights + corner,
                                          .receiver = receivers + corner,
                                          .traits = traits + corner};
    struct drainage_plan plan;
    params p = kind(0);
    uint32_t count = 0;
    p.lake_depth = 1;
    terrain__drainage_set_plan(&plan, &p, TERRAIN_ISA_BASELINE);
    for (int i = 0; i < DRAWN * DRAWN; i++) {
        const int upstream = SILL - i;
        const bool valley = upstream >= -1 && upstream <= 20;
        heights[i] = valley ? 10 + 0.01F * (float)upstream : 100;
        receivers[i] = valley ? 0 : i < SILL ? 2 : 6;
        traits[i] = 0;
    }
    traits[SILL] = DRAINAGE_SEAT;
    heights[cell] = height;
    receivers[cell] = receiver;
    terrain__drainage_fill_lakes(&window, &plan, depth + corner);
    for (int i = 0; i < DRAWN * DRAWN; i++) {
        if (traits[i] == DRAINAGE_POOL) {
            assert_true(heights[i] == 10 && depth[i] > 0.19F && depth[i] < 1);
            count++;
        }
    }
    return count;
}

/* Guards against lakes that take in a cell too many, where heights are just at a limit, or a closed
 * lake stands beside them: neither is found in land that is looked at by chance. */
static void test_lakes_drawn(void **state)
{
    const float bank = 10 + terrain__drainage_least(0), shore = 10 + 0.8F;
    assert_int_equal(drawn_lake(0, 100, 2), DRAINAGE_LAKE_REACH);
    /* Beside the fifth cell, and so beside the fourth, lies lower land, or a closed lake. */
    assert_int_equal(drawn_lake(SILL - 5 + NORTH, bank, 6), DRAINAGE_LAKE_REACH);
    assert_int_equal(drawn_lake(SILL - 5 + NORTH, nextafterf(bank, 0), 6), 3);
    assert_int_equal(drawn_lake(SILL - 5 + NORTH, 10.3F, DRAINAGE_OUTLET), 3);
    /* The seventh cell lies as high as may be, or higher. */
    assert_int_equal(drawn_lake(SILL - 7, shore, 0), DRAINAGE_LAKE_REACH);
    assert_int_equal(drawn_lake(SILL - 7, nextafterf(shore, 100), 0), 6);
    /* The sea has come to the sill. */
    assert_int_equal(drawn_lake(SILL, 10, DRAINAGE_OUTLET), 0);
}

/* Guards against a seam where the numbers of a noise lattice's nodes pass 2^32, and the kernel goes
 * another way: the first control noise, octaves whose turn is (2, -1), which go up along a row, and
 * (1, 2), which go down. */
static void test_long_node_numbers(void **state)
{
    params p = kind(0);
    for (uint32_t k = 1; k < 11; k += k % 4 == 1 ? 1 : 3) {
        uint64_t stream = terrain__random_stream(p.seed, TERRAIN__KEY_generate_drainage,
                                                 TERRAIN__DRAW_DRAINAGE_NOISE + k);
        uint32_t shift = 13 - k + 2;
        uint64_t around = (UINT64_C(1) << 32 << shift) - 1;
        /* 2 half cells east of x add 4 to one of the lattice's axes, or take 4 away. */
        const bool down = k % 4 == 1;
        const uint64_t first = down ? terrain__mix(stream, 1) : ~terrain__mix(stream, 0);
        int64_t x = (int64_t)((first & around) / 4);
        terrain_window whole = {x - 100, 0, 200, 30};
        terrain_window parts[2] = {{x - 100, 0, 40, 30}, {x + 60, 0, 40, 30}};
        terrain_heightmap *map = generated(NULL, "generate_drainage", &p, &whole);
        assert_true(is_crop(NULL, "generate_drainage", &p, map, &parts[0]));
        assert_true(is_crop(NULL, "generate_drainage", &p, map, &parts[1]));
        terrain_heightmap_destroy(map);
    }
}

/* Guards against a sea without a bed, a coast that is not at 0, and heights that ignore the size of
 * cells. */
static void test_sea(void **state)
{
    params p = kind(4);
    terrain_window window = {0, 0, 400, 400};
    land l = make(p, &window);
    terrain_heightmap *scaled = test_map(&window), *far = test_map(&window);
    uint32_t sea = 0;
    p.river_distance = far;
    terrain_heightmap_set_cell_size(scaled, 4);
    terrain_heightmap_set_cell_size(far, 4);
    assert_int_equal(terrain_generate_drainage(NULL, scaled, &p), TERRAIN_SUCCESS);
    for (uint32_t k = 0; k < 400 * 400; k++) {
        uint32_t x = k % 400, y = k / 400;
        bool outlet = at(l.receiver, x, y) < 0;
        sea += outlet;
        assert_true(!outlet || at(l.heights, x, y) < at(l.water, x, y));
        assert_true(outlet || at(l.water, x, y) > 0);
        assert_true(at(scaled, x, y) == 4 * at(l.heights, x, y));
        if (!outlet && at(l.discharge, x, y) > 2000) {
            assert_true(at(far, x, y) == 0);
        } else {
            assert_true(at(far, x, y) == 0 || at(far, x, y) >= 4);
        }
    }
    assert_true(sea > 4000 && sea < 156000);
    terrain_heightmap_destroy(scaled);
    terrain_heightmap_destroy(far);
    destroy(l);
}

/* Worlds with closed lakes, and where their first cells lie. */
typedef struct lake_place {
    uint64_t seed;
    bool low; /* hills instead of mountains */
    int64_t x, y;
} lake_place;

static const lake_place lake_places[] = {
    {4, true, 14093, 10890},    {5, true, 49416, 51360},     {6, true, -763, -19790},
    {7705, true, -16129, 9475}, {8572, true, 24880, -12023}, {4669, true, -17108, -16731},
    {1, false, 23296, 9878},
};

/* Guards against water that stands above dry land which touches it, and lakes without a bed. */
static void test_banks(void **state)
{
    uint32_t count = sizeof lake_places / sizeof lake_places[0];
    for (uint32_t n = 0; n < count; n++) {
        const lake_place *place = &lake_places[n];
        terrain_window window = {place->x - 200, place->y - 20, 400, 240};
        params mountains = kind(0);
        mountains.seed = place->seed;
        mountains.base_level = 0.1F;
        const params p = place->low ? lake_land(place->seed) : mountains;
        land l = make(p, &window);
        uint32_t lake = 0, banks = 0;
        for (uint32_t y = 1; y + 1 < window.height; y++) {
            for (uint32_t x = 1; x + 1 < window.width; x++) {
                double surface = at(l.water, x, y);
                if (at(l.receiver, x, y) >= 0 || surface == 0) {
                    continue;
                }
                lake++;
                assert_true(at(l.heights, x, y) < surface);
                for (int d = 0; d < 8; d++) {
                    uint32_t i = x + (uint32_t)step_x[d], j = y + (uint32_t)step_y[d];
                    bool bank = at(l.receiver, i, j) >= 0;
                    banks += bank;
                    assert_true(bank ? at(l.water, i, j) > surface : at(l.water, i, j) == surface);
                }
            }
        }
        assert_true(lake > 1000 && banks > 100);
        destroy(l);
    }
}

/* Guards against banks that a tile lets sink, as it ends there, on any level: at a closed lake
 * whose banks would sink in every step but raising. */
static void test_banks_of_tiles(void **state)
{
    const terrain_window window = {14948, 8188, 224, 224};
    params p = lake_land(29715);
    p.valley_width = 16;
    terrain_heightmap *whole = generated(NULL, "generate_drainage", &p, &window);
    for (uint32_t k = 0; k < 7 * 7; k++) {
        const terrain_window tile = {window.x + k % 7 * 32, window.y + k / 7 * 32, 32, 32};
        assert_true(is_crop(NULL, "generate_drainage", &p, whole, &tile));
    }
    terrain_heightmap_destroy(whole);
}

/* Guards against lakes that spill: of a lake with an outflow, whose cells lead to its sill at one
 * height, only the sill touches anything lower. */
static void test_lakes_with_outflow(void **state)
{
    uint32_t lake = 0, sills = 0;
    for (uint64_t seed = 0; seed < 6; seed++) {
        terrain_window window = {(int64_t)seed * 3000, -4000, 600, 600};
        params p = kind(seed % 2 == 0 ? 0 : 3);
        p.seed = seed;
        p.lake_depth = seed < 4 ? 0.5F : 4;
        land l = make(p, &window);
        for (uint32_t y = 2; y < 598; y++) {
            for (uint32_t x = 2; x < 598; x++) {
                int r = (int)at(l.receiver, x, y);
                uint32_t to_x = x + (r < 0 ? 0 : (uint32_t)step_x[r]);
                uint32_t to_y = y + (r < 0 ? 0 : (uint32_t)step_y[r]);
                double surface = at(l.water, x, y);
                if (r < 0 || at(l.water, to_x, to_y) != surface) {
                    continue;
                }
                double depth = surface - at(l.heights, x, y);
                assert_true(depth > 0.19 * (double)p.lake_depth && depth <= (double)p.lake_depth);
                lake++;
                for (int d = 0; d < 8; d++) {
                    uint32_t i = x + (uint32_t)step_x[d], j = y + (uint32_t)step_y[d];
                    int s = (int)at(l.receiver, i, j);
                    double other = at(l.water, i, j);
                    assert_true(other >= surface && s >= 0);
                    double next = at(l.water, i + (uint32_t)step_x[s], j + (uint32_t)step_y[s]);
                    sills += other == surface && next < surface;
                }
            }
        }
        destroy(l);
    }
    assert_true(lake > 500 && sills > 20);
}

/* Guards against distances that end at a tile's rim: those of a window are those to its rivers. */
static void test_river_distance(void **state)
{
    terrain_window window = {0, 0, 650, 560};
    params p = kind(4);
    p.lake_depth = 0;
    terrain_heightmap *distance = test_map(&window);
    p.river_distance = distance;
    land l = make(p, &window);
    uint32_t near = 0, far = 0;
    for (uint32_t y = 64; y < 560 - 64; y += 7) {
        for (uint32_t x = 64; x < 650 - 64; x++) {
            double nearest = 64 * 64;
            for (uint32_t k = 0; k < 129 * 129; k++) {
                uint32_t i = x + k % 129 - 64, j = y + k / 129 - 64;
                double dx = (double)i - x, dy = (double)j - y;
                if (at(l.receiver, i, j) >= 0 && at(l.discharge, i, j) > 2000) {
                    nearest = fmin(nearest, dx * dx + dy * dy);
                }
            }
            assert_true(fabs(at(distance, x, y) - sqrt(nearest)) < 1e-5);
            near += nearest > 50 * 50 && nearest < 64 * 64;
            far += nearest == 64 * 64;
        }
    }
    assert_true(near > 500 && far > 1000);
    terrain_heightmap_destroy(distance);
    destroy(l);
}

/* What a coarse map must cover for a window of the land. */
static terrain_heightmap *coarse_map(params *p, const terrain_window *window, const char *name)
{
    const terrain_operation *operation = terrain_operation_find("generate_drainage");
    for (uint32_t k = 0; k < terrain_operation_port_count(operation); k++) {
        if (strcmp(terrain_operation_port_at(operation, k)->name, name) == 0) {
            terrain_window need;
            assert_int_equal(terrain_operation_window(operation, p, k, window, &need),
                             TERRAIN_SUCCESS);
            return test_map(&need);
        }
    }
    abort();
}

static void fill_map(terrain_heightmap *map, float height)
{
    float *cells = terrain_heightmap_data(map);
    size_t stride = terrain_heightmap_stride(map);
    for (uint32_t y = 0; y < terrain_heightmap_height(map); y++) {
        for (uint32_t x = 0; x < terrain_heightmap_width(map); x++) {
            cells[y * stride + x] = height;
        }
    }
}

/* Guards against a land that hangs, has pits, or is not finite where control and uplift are
 * extreme, and a map of control that is not followed. */
static void test_extreme_maps(void **state)
{
    static const float heights[] = {1e30F, 0.3F, 1e-20F, 0, -1e-20F, -0.3F, -INFINITY, NAN};
    const terrain_window window = {-70, 1000, 150, 130};
    for (uint32_t k = 0; k < 2 * sizeof heights / sizeof heights[0]; k++) {
        params p = kind(k % KINDS);
        p.plains = 1e-4F;
        p.base_level = 0;
        float height = heights[k / 2];
        terrain_heightmap *control = coarse_map(&p, &window, "control");
        terrain_heightmap *uplift = coarse_map(&p, &window, "uplift");
        fill_map(control, height);
        fill_map(uplift, k % 2 != 0 ? 0 : height);
        p.control = control;
        p.uplift = uplift;
        land l = make(p, &window);
        uint32_t sea = 0;
        for (uint32_t y = 1; y + 1 < window.height; y++) {
            for (uint32_t x = 1; x + 1 < window.width; x++) {
                int r = (int)at(l.receiver, x, y);
                sea += r < 0;
                assert_true(isfinite(at(l.heights, x, y)) && at(l.heights, x, y) < 2048);
                double w = at(l.water, x, y);
                double next =
                    r < 0 ? -1 : at(l.water, x + (uint32_t)step_x[r], y + (uint32_t)step_y[r]);
                assert_true(next < w || (next == w && w > at(l.heights, x, y)));
            }
        }
        assert_true(height > 0.1F ? sea == 0 : height > -0.1F || sea > 10000);
        terrain_heightmap_destroy(control);
        terrain_heightmap_destroy(uplift);
        destroy(l);
    }
}

/* Guards against NaN in coarse maps that counts as another number than the header says, and
 * infinity that does not count as a large one. */
static void test_numbers_of_maps(void **state)
{
    static const struct {
        const char *map;
        float height, counts_as;
    } cases[] = {
        {"uplift", NAN, 0},
        {"hardness", NAN, 1},
        {"rain", NAN, 1},
        {"ceiling", NAN, 0},
        {"control", INFINITY, 1e30F},
        {"uplift", INFINITY, 1e30F},
        {"hardness", INFINITY, 1e30F},
        {"rain", INFINITY, 1e30F},
        {"ceiling", INFINITY, 1e30F},
    };
    const terrain_window window = {500, 420, 40, 30};
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        uint64_t hashes[2];
        for (int i = 0; i < 2; i++) {
            params p = kind(0);
            terrain_heightmap *map = coarse_map(&p, &window, cases[k].map);
            terrain_heightmap *control = coarse_map(&p, &window, "control");
            const char *name = cases[k].map;
            fill_map(control, 0.3F); /* or else a ceiling is the control, too */
            p.control = control;
            fill_map(map, i == 0 ? cases[k].height : cases[k].counts_as);
            *(strcmp(name, "uplift") == 0     ? &p.uplift
              : strcmp(name, "hardness") == 0 ? &p.hardness
              : strcmp(name, "rain") == 0     ? &p.rain
              : strcmp(name, "ceiling") == 0  ? &p.ceiling
                                              : &p.control) = map;
            terrain_heightmap *made = generated(NULL, "generate_drainage", &p, &window);
            hashes[i] = terrain_heightmap_hash(made);
            terrain_heightmap_destroy(made);
            terrain_heightmap_destroy(map);
            terrain_heightmap_destroy(control);
        }
        assert_true(hashes[0] == hashes[1]);
    }
}

/* Guards against a coarse map that is read beyond its edge, and a refusal that does not say what is
 * needed; lattices that are no powers of two. */
static void test_refusals(void **state)
{
    const terrain_window window = {0, 0, 20, 20};
    terrain_context *context = NULL;
    terrain_heightmap *map = test_map(&window), *control;
    params p = kind(0);
    assert_int_equal(terrain_context_create(NULL, &context), TERRAIN_SUCCESS);
    control = coarse_map(&p, &window, "control");
    int64_t x, y;
    terrain_heightmap_origin(control, &x, &y);
    p.control = control;
    assert_int_equal(terrain_generate_drainage(context, map, &p), TERRAIN_SUCCESS);
    terrain_heightmap_set_origin(control, x + 1, y);
    assert_int_equal(terrain_generate_drainage(context, map, &p), TERRAIN_ERROR_RANGE);
    assert_non_null(strstr(terrain_context_message(context), "is needed"));
    p.control = NULL;
    p.map_spacing = 24;
    assert_int_equal(terrain_generate_drainage(context, map, &p), TERRAIN_ERROR_RANGE);
    p.map_spacing = 32;
    p.period = 1025;
    assert_int_equal(terrain_generate_drainage(context, map, &p), TERRAIN_ERROR_RANGE);
    p.period = 1024;
    p.plate_spacing = 3000;
    assert_int_equal(terrain_generate_drainage(context, map, &p), TERRAIN_ERROR_RANGE);
    terrain_heightmap_destroy(control);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_pits),
        cmocka_unit_test(test_rivers_reach_the_sea),
        cmocka_unit_test(test_discharge),
        cmocka_unit_test(test_dikes),
        cmocka_unit_test(test_tiles_of_large_maps),
        cmocka_unit_test(test_memory_of_tiles),
        cmocka_unit_test(test_long_node_numbers),
        cmocka_unit_test(test_sea),
        cmocka_unit_test(test_banks),
        cmocka_unit_test(test_banks_of_tiles),
        cmocka_unit_test(test_lakes_with_outflow),
        cmocka_unit_test(test_river_distance),
        cmocka_unit_test(test_extreme_maps),
        cmocka_unit_test(test_numbers_of_maps),
        cmocka_unit_test(test_outputs_of_windows),
        cmocka_unit_test(test_lakes_of_strips),
        cmocka_unit_test(test_lakes_of_cells),
        cmocka_unit_test(test_lakes_drawn),
        cmocka_unit_test(test_rims_of_levels),
        cmocka_unit_test(test_refusals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
