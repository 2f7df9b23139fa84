/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The proof that tiles have no seams, on a landscape that is made of all kinds of operations:
 * pointwise ones, ones with lattices, regions and blocks, and ones that look around themselves. */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "terrain/world.h"

static const char land[] =
    "base  = generate_noise seed=4 period=100 octaves=8 amplitude=30\n"
    "crags = generate_voronoi seed=5 spacing=50 amplitude=40\n"
    "land  = combine_blend base crags mode=add\n"
    "cut   = erode_shear_regions land seed=8 spacing=20 passes=3\n"
    "worn  = erode_thermal cut talus=0.5 iterations=20 neighbourhood=von_neumann\n"
    "soft  = blur_variable worn seed=6 radius_high=8\n"
    "all   = shape_strata soft seed=7 strength=0.5\n";

enum { SIDE = 8, TILES = SIDE * SIDE, TILE = 64, WIDE = SIDE * TILE };

/* As far as 64 bits are needed, and across the origin; no multiples of tiles, blocks or regions. */
static const int64_t places[][2] = {{-259, -130},
                                    {(INT64_C(1) << 40) + 5, -(INT64_C(1) << 40) - 77}};

/* None, one that is too small for a tile, and one that holds all. */
static const uint64_t caches[] = {0, UINT64_C(512) << 10, UINT64_C(64) << 20};

static terrain_world *world_of(const terrain_recipe *recipe, uint64_t cache_bytes)
{
    terrain_world *world = NULL;
    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.seed = 11;
    desc.cache_bytes = cache_bytes;
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    return world;
}

/* The window of the endless terrain, as `terrain run --world` computes it. */
static terrain_heightmap *window_of(const terrain_recipe *recipe, int64_t x, int64_t y,
                                    uint32_t width, uint32_t height)
{
    const terrain_window window = {x, y, width, height};
    return test_map_of_world(recipe, &window, 11, 1);
}

static const float *cell_of(const terrain_heightmap *map, uint32_t x, uint32_t y)
{
    return terrain_heightmap_const_data(map) + y * terrain_heightmap_stride(map) + x;
}

/* Whether both hold the same bits, the second from (x, y) on. */
static bool equal(const terrain_heightmap *tile, const terrain_heightmap *whole, uint32_t x,
                  uint32_t y)
{
    bool same = true;
    for (uint32_t row = 0; row < terrain_heightmap_height(tile); row++) {
        same = same && memcmp(cell_of(tile, 0, row), cell_of(whole, x, y + row),
                              terrain_heightmap_width(tile) * sizeof(float)) == 0;
    }
    return same;
}

/* ---- Any order, any thread, any cache -------------------------------------------------------- */

struct flight {
    terrain_world *world;
    const terrain_heightmap *whole;
    int64_t x, y;
    uint32_t order[TILES];
    atomic_uint next;
    atomic_uint wrong;
};

static void *fly(void *user)
{
    struct flight *flight = user;
    terrain_context *context = test_plain_context();
    const terrain_window window = {0, 0, TILE, TILE};
    terrain_heightmap *tile = test_map(&window);
    for (unsigned i = atomic_fetch_add(&flight->next, 1); i < TILES;
         i = atomic_fetch_add(&flight->next, 1)) {
        uint32_t x = flight->order[i] % SIDE * TILE;
        uint32_t y = flight->order[i] / SIDE * TILE;
        if (terrain_world_tile(context, flight->world, flight->x + x, flight->y + y, tile) !=
                TERRAIN_SUCCESS ||
            !equal(tile, flight->whole, x, y)) {
            atomic_fetch_add(&flight->wrong, 1);
        }
    }
    terrain_heightmap_destroy(tile);
    terrain_context_destroy(context);
    return NULL;
}

static void shuffle(uint32_t *order, uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < TILES; i++) {
        uint32_t place = (uint32_t)test_below(&random, i + 1);
        order[i] = order[place];
        order[place] = i;
    }
}

static void fly_on(struct flight *flight, uint32_t threads)
{
    atomic_init(&flight->next, 0);
    atomic_init(&flight->wrong, 0);
    test_on_threads(threads, fly, flight);
    assert_int_equal(atomic_load(&flight->wrong), 0);
}

/* A tile that depends on its window, on what was asked before it, on which thread, or on what the
 * cache held. */
static void test_tiles(void **state)
{
    terrain_recipe *recipe = test_recipe(land);
    for (size_t place = 0; place < sizeof places / sizeof places[0]; place++) {
        struct flight flight = {.x = places[place][0], .y = places[place][1]};
        terrain_heightmap *whole = window_of(recipe, flight.x, flight.y, WIDE, WIDE);
        flight.whole = whole;
        for (uint32_t threads = 1; threads <= 3; threads++) {
            for (size_t k = 0; k < sizeof caches / sizeof caches[0]; k++) {
                flight.world = world_of(recipe, caches[k]);
                shuffle(flight.order, place * 9 + threads * 3 + k);
                fly_on(&flight, threads);
                assert_true(terrain_world_cache_size(flight.world) <= caches[k]);
                terrain_world_destroy(flight.world);
            }
        }
        terrain_heightmap_destroy(whole);
    }
    terrain_recipe_destroy(recipe);
}

/* ---- Worlds that repeat ---------------------------------------------------------------------- */

/* A torus that does not close: noise and cells that repeat, with what reads only heights after
 * them, have the same tile a period on, in either direction and behind the origin. */
static void test_repeating(void **state)
{
    static const char torus[] =
        "base  = generate_noise seed=4 period=64 octaves=6 repeat_width=1024 repeat_height=512\n"
        "crags = generate_voronoi seed=5 spacing=64 repeat_width=1024 repeat_height=512\n"
        "land  = combine_blend base crags mode=add\n"
        "worn  = erode_thermal land talus=0.5 iterations=20\n"
        "all   = blur_box worn radius=3\n";
    static const int64_t periods[][2] = {
        {1024, 0}, {0, 512}, {-3 * 1024, 5 * 512}, {INT64_C(1) << 40, -(INT64_C(1) << 40)}};
    terrain_recipe *recipe = test_recipe(torus);
    terrain_world *world = world_of(recipe, UINT64_C(4) << 20);
    const terrain_window window = {0, 0, TILE, TILE};
    terrain_heightmap *here = test_map(&window), *there = test_map(&window);
    for (int64_t tile = 0; tile < 4; tile++) {
        int64_t x = 1000 + tile * 31, y = 480 - tile * 200;
        assert_int_equal(terrain_world_tile(NULL, world, x, y, here), TERRAIN_SUCCESS);
        for (size_t k = 0; k < sizeof periods / sizeof periods[0]; k++) {
            assert_int_equal(
                terrain_world_tile(NULL, world, x + periods[k][0], y + periods[k][1], there),
                TERRAIN_SUCCESS);
            assert_true(equal(here, there, 0, 0));
        }
        /* Half a period on it is another one. */
        assert_int_equal(terrain_world_tile(NULL, world, x + 512, y, there), TERRAIN_SUCCESS);
        assert_false(equal(here, there, 0, 0));
    }
    terrain_heightmap_destroy(here);
    terrain_heightmap_destroy(there);
    terrain_world_destroy(world);
    terrain_recipe_destroy(recipe);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Second differences |a - 2 b + c|, of three cells in a row or a column. */
struct bends {
    double sum;
    uint64_t count;
};

static void add_bend(struct bends *bends, const float *cell, ptrdiff_t step)
{
    double bend = (double)cell[-step] - 2 * (double)cell[0] + (double)cell[step];
    bends->sum += bend < 0 ? -bend : bend;
    bends->count++;
}

/* Across the lines between tiles, and inside them. */
static void find_bends(const terrain_heightmap *map, struct bends *across, struct bends *inside)
{
    ptrdiff_t stride = (ptrdiff_t)terrain_heightmap_stride(map);
    uint32_t width = terrain_heightmap_width(map), height = terrain_heightmap_height(map);
    for (uint32_t y = 1; y + 1 < height; y++) {
        for (uint32_t x = 1; x + 1 < width; x++) {
            bool at_column = (x + 1) % TILE <= 1, at_row = (y + 1) % TILE <= 1;
            add_bend(at_column ? across : inside, cell_of(map, x, y), 1);
            add_bend(at_row ? across : inside, cell_of(map, x, y), stride);
        }
    }
}

/* Tiles that fit, of a terrain that shows where they were cut: lattices, blocks or regions that
 * leave creases along multiples of 64 cells. Lines that are anywhere else in tiles differ by
 * chance, over so many cells by 0.6 % (one standard deviation). */
static void test_lines(void **state)
{
    enum { STEPS = 16, EXTENT = 16 * TILE };
    terrain_recipe *recipe = test_recipe(land);
    struct bends across = {0, 0}, inside = {0, 0};
    double ratio;
    for (int64_t step = 0; step < STEPS; step++) {
        terrain_heightmap *map = window_of(recipe, step << 20, -(step << 21), EXTENT, EXTENT);
        find_bends(map, &across, &inside);
        terrain_heightmap_destroy(map);
    }
    ratio = across.sum / (double)across.count / (inside.sum / (double)inside.count);
    print_message("bends across lines / inside: %.4f, of %.4f\n", ratio,
                  inside.sum / (double)inside.count);
    assert_true(ratio > 0.98 && ratio < 1.02);
    terrain_recipe_destroy(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),
        cmocka_unit_test(test_repeating),
        cmocka_unit_test(test_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
