/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Operations that need a bounded map, in worlds: regions, combined by their minimum. */

#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "terrain/analyze.h"
#include "terrain/erode.h"
#include "terrain/shape.h"
#include "terrain/world.h"

enum { CORE = 512 };

/* Some places of `a` without data: NaN, which infinity less infinity is. */
#define HOLES                                                                                      \
    "n = generate_noise seed=9 period=150 amplitude=1\n"                                           \
    "n = shape_clamp n low=0.4 high=9\n"                                                           \
    "n = shape_remap n from_low=0.4 from_high=1 to_low=0 to_high=1e30\n"                           \
    "n = combine_blend n n mode=multiply\n"                                                        \
    "n = combine_blend n n mode=subtract\n"                                                        \
    "a = combine_blend a n mode=add\n"

static const char hollows[] = "a = generate_noise seed=3 period=60 octaves=3 amplitude=30\n" HOLES
                              "b = shape_fill a depth=d lakes=l\n"
                              "c = combine_blend b d mode=add\n"
                              "c = combine_blend c l mode=add\n";

static const char channels[] = "a = generate_noise seed=3 period=60 octaves=3 amplitude=30\n"
                               "b = shape_breach a depth=d\n"
                               "c = combine_blend b d mode=add\n";

static const char water[] = "a = generate_noise seed=3 period=60 octaves=3 amplitude=30\n"
                            "b = analyze_flow a direction=d\n"
                            "c = combine_blend b d mode=multiply\n"
                            "c = combine_blend a c mode=add\n";

#define LAND "a = generate_noise seed=3 period=200 octaves=3 amplitude=80\n" HOLES
#define RIVERS "q = generate_noise seed=4 period=700 octaves=2 amplitude=2000\n"

static const char power[] =
    LAND RIVERS "b = erode_stream_power a rivers=q sea=-60 iterations=2 discharge=d\n"
                "c = combine_blend b d mode=add\n";

static const char rivers[] = /* on level steps, too */
    LAND RIVERS "a = shape_terrace a spacing=9 sharpness=1000\n"
                "b = erode_rivers a discharge=q threshold=900 bank=0.7 rivers=w\n"
                "c = combine_blend b w mode=add\n";

static const char canyons[] =
    LAND RIVERS "b = erode_canyons_draining a discharge=q threshold=900 toe=0 floors=w\n"
                "c = combine_blend b w mode=add\n";

static terrain_world_desc make_desc(const terrain_recipe *recipe, test_allocator *allocator,
                                    uint64_t cache_bytes)
{
    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.seed = 77;
    desc.cache_bytes = cache_bytes;
    desc.allocator = test_allocator_of(allocator);
    return desc;
}

static terrain_world *make_world(const terrain_recipe *recipe, test_allocator *allocator,
                                 uint64_t cache_bytes)
{
    const terrain_world_desc desc = make_desc(recipe, allocator, cache_bytes);
    terrain_world *world = NULL;
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    return world;
}

/* A cell that depends on the window that was asked for: tiles and windows by the recipe, across the
 * lines between regions and cores, against one larger window; or regions that are combined in
 * another way than before, to the last bit. Change a hash only on purpose, as those of golden. */
static void test_windows(void **state)
{
    static const int64_t places[] = {-300, INT64_C(1) << 40, -(INT64_C(1) << 61) + 4000};
    static const char *const recipes[] = {hollows, water, power, rivers, canyons, channels};
    enum { RECIPES = sizeof recipes / sizeof recipes[0] };
    static const uint64_t hashes[RECIPES] = {
        UINT64_C(0x77ac612699e3a6a5), UINT64_C(0x3196282cbce7ded5), UINT64_C(0x75c7ee893e570c40),
        UINT64_C(0x361dde213c0b03d1), UINT64_C(0x461f320bcff1493f), UINT64_C(0xe3efb84d25ede34c)};
    for (size_t k = 0; k < RECIPES * sizeof places / sizeof places[0]; k++) {
        const size_t i = k / RECIPES;
        if ((k % RECIPES > 1 && k % RECIPES % 2 != i - 1) ||
            (k % RECIPES <= 1 && i > 0 && test_is_slow())) {
            continue; /* one far place each is enough */
        }
        terrain_recipe *recipe = test_recipe(recipes[k % RECIPES]);
        const terrain_window whole = {places[i], -places[i], 300, 280};
        terrain_heightmap *wanted = test_map_of_world(recipe, &whole, 77, 1);
        test_random random = {i};
        test_allocator allocator = {0};
        assert_true((k % RECIPES <= 1 && i > 0) ||
                    terrain_heightmap_hash(wanted) == hashes[k % RECIPES]);
        /* At the origin a world that keeps no region longer than a call. */
        terrain_world *world = make_world(recipe, &allocator, UINT64_C(1) << (i == 0 ? 20 : 28));
        for (int tile = 0; tile < 4; tile++) {
            const uint32_t x = (uint32_t)test_below(&random, 200);
            const uint32_t y = (uint32_t)test_below(&random, 200);
            const terrain_window window = {whole.x + x, whole.y + y, 70, 50};
            terrain_heightmap *map =
                tile == 0 ? test_map_of_world(recipe, &window, 77, 1) : test_map(&window);
            if (tile > 0) {
                assert_int_equal(terrain_world_tile(NULL, world, window.x, window.y, map),
                                 TERRAIN_SUCCESS);
            }
            assert_true(test_windows_equal(wanted, map, &window));
            terrain_heightmap_destroy(map);
        }
        terrain_world_destroy(world);
        assert_int_equal(allocator.live, 0);
        terrain_heightmap_destroy(wanted);
        terrain_recipe_destroy(recipe);
    }
}

/* Regions combined in another way than the header says, or in the wrong places: the naive minimum
 * of the four regions' maps. A hollow that is larger than a region is lowest in one that the cell
 * is at the edge of: what is added there decides. */
static void test_definition(void **state)
{
    const terrain_window window = {200, 700, 120, 130};
    static const char land[] = "a = generate_noise seed=3 period=1200 amplitude=1500\n";
    char text[200];
    snprintf(text, sizeof text, "%sb = shape_fill a slope=0.001\n", land);
    terrain_recipe *recipe = test_recipe(text);
    terrain_heightmap *map = test_map_of_world(recipe, &window, 0, 2);
    terrain_recipe *noise = test_recipe(land);
    terrain_heightmap *least = test_map(&window);
    const terrain_window all = {window.x, window.y, window.width, window.height};
    float *cells = terrain_heightmap_data(least);
    size_t decided = 0;
    bool *added = calloc((size_t)all.width * all.height, sizeof *added);
    terrain_shape_fill_params p;
    for (size_t i = 0; i < (size_t)all.width * all.height; i++) {
        cells[i] = 1e30F;
    }
    terrain_shape_fill_params_init(&p, sizeof p);
    p.slope = 0.001F;
    for (int64_t j = 0; j < 3; j++) {
        for (int64_t i = -1; i < 1; i++) {
            const terrain_window region = {i * CORE, j * CORE, 2 * CORE, 2 * CORE};
            terrain_heightmap *filled = test_map_of_world(noise, &region, 0, 2);
            const float *from = terrain_heightmap_const_data(filled);
            assert_int_equal(terrain_shape_fill(NULL, filled, &p), TERRAIN_SUCCESS);
            for (int64_t y = window.y; y < window.y + window.height; y++) {
                for (int64_t x = window.x; x < window.x + window.width; x++) {
                    const int64_t column = x - region.x, row = y - region.y;
                    if (column < 1 || row < 1 || column > 2 * CORE - 2 || row > 2 * CORE - 2) {
                        continue;
                    }
                    const double across = fabs((double)column + 0.5 - CORE);
                    const double down = fabs((double)row + 0.5 - CORE);
                    const double away = across > down ? across : down;
                    const double g = away < CORE / 2 ? 0 : (away - CORE / 2) / (CORE / 2);
                    const float height = from[row * 2 * CORE + column];
                    const float ramp = (float)(CORE / 4 * 2.0 * (g / (1 - g)));
                    const float sum = g > 0 ? height + ramp : height;
                    const size_t at = (size_t)((y - window.y) * window.width + (x - window.x));
                    added[at] = sum < cells[at] ? g > 0 : added[at];
                    cells[at] = sum < cells[at] ? sum : cells[at];
                }
            }
            terrain_heightmap_destroy(filled);
        }
    }
    for (size_t i = 0; i < (size_t)all.width * all.height; i++) {
        const float difference = terrain_heightmap_const_data(map)[i] - cells[i];
        assert_true(difference <= 1e-3F && difference >= -1e-3F);
        decided += added[i];
    }
    assert_true(decided > 1000);
    free(added);
    terrain_heightmap_destroy(least);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(noise);
    terrain_recipe_destroy(recipe);
}

/* The promise: hollows up to 128 cells across are filled as on a map that holds them whole. */
static void test_hollows(void **state)
{
    const terrain_window window = {-60, 420, 200, 200}, wide = {-560, -80, 1200, 1200};
    terrain_recipe *noise =
        test_recipe("a = generate_noise seed=3 period=40 octaves=2 amplitude=30\n");
    terrain_recipe *recipe =
        test_recipe("a = generate_noise seed=3 period=40 octaves=2 amplitude=30\n"
                    "b = shape_fill a\n");
    terrain_heightmap *map = test_map_of_world(recipe, &window, 0, 1);
    terrain_heightmap *bounded = test_map_of_world(noise, &wide, 0, 1);
    terrain_heightmap *before = test_map_of_world(noise, &window, 0, 1);
    assert_int_equal(terrain_shape_fill(NULL, bounded, NULL), TERRAIN_SUCCESS);
    assert_true(test_windows_equal(bounded, map, &window));
    assert_true(terrain_heightmap_hash(before) != terrain_heightmap_hash(map));
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(bounded);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(noise);
    terrain_recipe_destroy(recipe);
}

/* The promise: channels that fit into 128 x 128 cells, with the hollows that they open, are cut as
 * on a map that holds them whole, and lead on. Detail on land that drains has such hollows, here
 * where regions meet. */
static void test_channels(void **state)
{
    static const char detailed[] = "a = generate_drainage seed=5 lake_depth=0\n"
                                   "n = generate_noise seed=3 period=12 octaves=2 amplitude=3\n"
                                   "a = combine_blend a n mode=add\n";
    const terrain_window window = {1536 - 90, 1024 - 90, 180, 180}, wide = {1236, 724, 600, 600};
    char text[400];
    snprintf(text, sizeof text, "%sb = shape_breach a slope=0.001\n", detailed);
    terrain_recipe *land = test_recipe(detailed), *recipe = test_recipe(text);
    terrain_heightmap *map = test_map_of_world(recipe, &window, 0, 1);
    terrain_heightmap *bounded = test_map_of_world(land, &wide, 0, 1);
    terrain_heightmap *before = test_map_of_world(land, &window, 0, 1);
    terrain_shape_breach_params p;
    size_t pits = 0, left = 0;
    terrain_shape_breach_params_init(&p, sizeof p);
    p.slope = 0.001F;
    assert_int_equal(terrain_shape_breach(NULL, bounded, &p), TERRAIN_SUCCESS);
    for (uint32_t y = 1; y + 1 < window.height; y++) {
        for (uint32_t x = 1; x + 1 < window.width; x++) {
            pits += test_lowest_around(before, x, y) >= test_at(before, x, y);
            left += test_lowest_around(map, x, y) >= test_at(map, x, y);
        }
    }
    assert_true(pits > 200 && left == 0);
    assert_true(test_windows_equal(bounded, map, &window));
    terrain_heightmap_destroy(before);
    terrain_heightmap_destroy(bounded);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(land);
    terrain_recipe_destroy(recipe);
}

/* A cancelled or refused call that changes the map or loses memory; bytes that are not those that
 * it takes. */
static void test_failures(void **state)
{
    const terrain_window window = {0, 0, 40, 40};
    terrain_recipe *recipe = test_recipe(hollows);
    uint64_t reports = UINT64_MAX, needed;
    terrain_heightmap *map = test_map(&window);
    terrain_recipe_run_desc desc = test_run_of_world(&window);
    terrain_recipe_plan *plan = NULL;
    assert_int_equal(terrain_recipe_plan_create(NULL, recipe, &desc, &plan), TERRAIN_SUCCESS);
    needed = terrain_recipe_plan_bytes(plan);
    terrain_recipe_plan_destroy(plan);
    desc.outputs = &map;
    desc.output_count = 1;
    for (uint64_t n = 0; n <= reports; n += 1 + n / 2) {
        test_progress progress = {.cancel_at = n};
        test_allocator allocator = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, &progress);
        uint32_t *before = test_snapshot(map);
        desc.memory_limit = needed;
        const terrain_status status = terrain_recipe_run(context, recipe, &desc);
        if (n == 0) {
            assert_int_equal(status, TERRAIN_SUCCESS);
            assert_true(allocator.most_bytes <= needed);
            reports = progress.reports;
            assert_true(reports > 8 && progress.last == 1);
            free(before);
            desc.memory_limit = allocator.most_bytes / 2;
            before = test_snapshot(map);
            expect_refused(terrain_recipe_run(context, recipe, &desc), TERRAIN_ERROR_MEMORY,
                           context, "line ");
            assert_true(test_unchanged(map, before));
        } else {
            assert_int_equal(status, TERRAIN_ERROR_CANCELLED);
            assert_true(test_unchanged(map, before));
        }
        assert_int_equal(progress.faults, 0);
        terrain_context_destroy(context);
        assert_int_equal(allocator.live, 0);
    }
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
}

struct bar {
    double last;
    double widest; /* step in the second half */
};

static int32_t report(void *user, double fraction)
{
    struct bar *bar = user;
    if (bar->last >= 0.5 && fraction - bar->last > bar->widest) {
        bar->widest = fraction - bar->last;
    }
    bar->last = fraction;
    return 0;
}

/* Progress that stands still in regions, or jumps over some: there are four, which are the second
 * half of the work. */
static void test_bar(void **state)
{
    const terrain_window window = {0, 0, 40, 40};
    struct bar bar = {0, 0};
    terrain_recipe *recipe = test_recipe("a = generate_noise octaves=1\nb = shape_fill a\n");
    terrain_heightmap *map = test_map(&window);
    terrain_context *context = test_context_reporting(report, &bar);
    terrain_recipe_run_desc desc = test_run_of_world(&window);
    desc.outputs = &map;
    desc.output_count = 1;
    assert_int_equal(terrain_recipe_run(context, recipe, &desc), TERRAIN_SUCCESS);
    assert_true(bar.last == 1 && bar.widest > 0 && bar.widest < 0.1);
    terrain_context_destroy(context);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
}

/* Regions that a world has made of each statement, for tiles that several threads ask for. */
struct flight {
    terrain_world *world;
    atomic_uint next; /* tile */
    atomic_uint regions[4];
    atomic_uint failures;
};

static void count(void *user, uint32_t statement, const terrain_window *window)
{
    struct flight *flight = user;
    atomic_fetch_add(&flight->regions[statement],
                     window->width == 2 * CORE && window->height == 2 * CORE &&
                         window->x % CORE == 0 && window->y % CORE == 0);
}

static void *fly(void *user)
{
    const terrain_window place = {0, 0, CORE / 2, CORE / 2};
    struct flight *flight = user;
    terrain_heightmap *tile = test_map(&place);
    for (unsigned i; (i = atomic_fetch_add(&flight->next, 1)) < 16;) {
        const int64_t x = i * 5 % 4 * CORE / 2, y = i * 7 % 16 / 4 * CORE / 2;
        atomic_fetch_add(&flight->failures,
                         terrain_world_tile(NULL, flight->world, x, y, tile) != TERRAIN_SUCCESS);
    }
    terrain_heightmap_destroy(tile);
    return NULL;
}

/* A region that is made again for another tile, or for another statement's region. Tiles cover the
 * cells from (0, 0) to (1024, 1024), which lie in regions -1 to 1; those lie in regions -2 to 2 of
 * the statement before. */
static void test_once(void **state)
{
    terrain_recipe *recipe = test_recipe("a = generate_noise seed=3 period=60 amplitude=30\n"
                                         "b = shape_fill a depth=d\n"
                                         "c = combine_blend b d mode=add\n"
                                         "d = analyze_flow c\n");
    static struct flight flight;
    test_allocator allocator = {.any_thread = true};
    terrain_world_desc desc = make_desc(recipe, &allocator, UINT64_C(1) << 30);
    desc.observer = (terrain_recipe_observer){&flight, count};
    assert_int_equal(terrain_world_create(NULL, &desc, &flight.world), TERRAIN_SUCCESS);
    test_on_threads(3, fly, &flight);
    assert_int_equal(flight.failures, 0);
    assert_int_equal(flight.regions[1], 25);
    assert_int_equal(flight.regions[3], 9);
    terrain_world_destroy(flight.world);
    terrain_recipe_destroy(recipe);
}

/* Tiles that show what is kept, with nothing computed after it: the main map of each way to
 * combine, and a map beside it, of which the main one is not asked for. And the end of the
 * progress, which is told once. */
static void test_shown(void **state)
{
    static const char *const recipes[] = {
        "a = generate_noise seed=3 period=60 octaves=3 amplitude=30\nb = shape_fill a\n",
        "a = generate_noise seed=3 period=60 octaves=3 amplitude=30\nb = analyze_flow a\n",
        LAND RIVERS "b = erode_stream_power a rivers=q iterations=1 talus=0.3\n",
        LAND RIVERS "c = erode_stream_power a rivers=q iterations=1 talus=0.3 discharge=b\n",
    };
    const terrain_window window = {440, 690, 80, 70};
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++) {
        terrain_recipe *recipe = test_recipe(recipes[i]);
        test_allocator allocator = {0};
        terrain_world_desc desc = make_desc(recipe, &allocator, UINT64_C(1) << 28);
        terrain_heightmap *tile = test_map(&window), *wanted = test_map(&window);
        const char *const name = "b";
        terrain_recipe_run_desc run = test_run_of_world(&window);
        terrain_world *world = NULL;
        test_progress progress = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
        desc.name = name;
        assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
        assert_int_equal(terrain_world_prepare(context, world, &window), TERRAIN_SUCCESS);
        assert_true(progress.ends == 1 && progress.faults == 0);
        for (int k = 0; k < 2; k++) { /* of what is kept, and of what is made anew */
            progress = (test_progress){0};
            assert_int_equal(terrain_world_tile(context, world, window.x, window.y, tile),
                             TERRAIN_SUCCESS);
            assert_true(progress.ends == 1 && progress.faults == 0);
            terrain_world_trim(world);
        }
        run.seed = desc.seed;
        run.output_names = &name;
        run.outputs = &wanted;
        run.output_count = 1;
        assert_int_equal(terrain_recipe_run(NULL, recipe, &run), TERRAIN_SUCCESS);
        assert_true(test_windows_equal(wanted, tile, &window));
        terrain_context_destroy(context);
        terrain_world_destroy(world);
        terrain_heightmap_destroy(wanted);
        terrain_heightmap_destroy(tile);
        terrain_recipe_destroy(recipe);
    }
}

/* A tile that takes more than memory_limit, or leaves anything behind when it is refused or
 * cancelled. The refusal tells at once how much would do. The last recipe's greatest maps and
 * greatest scratch are those of different jobs. */
static void test_limits(void **state)
{
    static const char *const recipes[] = {hollows, power,
                                          "a = generate_noise\nb = generate_noise seed=2\n"
                                          "c = combine_blend a b\nd = blur_gaussian c sigma=30\n"
                                          "e = erode_hydraulic d iterations=40\n"};
    const terrain_window window = {0, 0, 40, 40};
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++) {
        terrain_recipe *recipe = test_recipe(recipes[i]);
        terrain_heightmap *tile = test_map(&window);
        terrain_status status = TERRAIN_ERROR_MEMORY;
        uint64_t limit = 1, tries = 0;
        while (status == TERRAIN_ERROR_MEMORY && tries++ < 20) {
            test_allocator of_world = {0}, of_context = {0};
            test_progress progress = {0};
            terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &of_context, &progress);
            terrain_world_desc desc = make_desc(recipe, &of_world, UINT64_C(1) << 28);
            terrain_world *world = NULL;
            desc.memory_limit = limit;
            assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
            const uint64_t before = of_world.live_bytes;
            status = terrain_world_tile(context, world, window.x, window.y, tile);
            if (status == TERRAIN_ERROR_MEMORY) {
                const char *text = strstr(terrain_context_message(context), " bytes would");
                assert_non_null(text);
                while (text[-1] >= '0' && text[-1] <= '9') {
                    text--;
                }
                assert_true(strtoull(text, NULL, 10) > limit);
                limit = strtoull(text, NULL, 10);
            } else {
                const uint64_t most = of_world.most_bytes - before + of_context.most_bytes;
                assert_int_equal(status, TERRAIN_SUCCESS);
                assert_true(tries == 2 && most <= limit && most > limit / 2);
                terrain_world_trim(world);
                const uint64_t left = of_world.live_bytes;
                progress = (test_progress){.cancel_at = progress.reports / 2};
                uint32_t *as_before = test_snapshot(tile);
                assert_int_equal(terrain_world_tile(context, world, 5, 5, tile),
                                 TERRAIN_ERROR_CANCELLED);
                assert_true(test_unchanged(tile, as_before));
                terrain_world_trim(world);
                assert_true(of_world.live_bytes == left && terrain_world_cache_size(world) == 0);
            }
            terrain_world_destroy(world);
            terrain_context_destroy(context);
            assert_int_equal(of_world.live, 0);
            assert_int_equal(of_context.live, 0);
        }
        assert_int_equal(status, TERRAIN_SUCCESS);
        terrain_heightmap_destroy(tile);
        terrain_recipe_destroy(recipe);
    }
}

/* Water that is not that of the region whose core holds the cell: another region's rim, where its
 * water ends, crosses the window. */
static void test_flow(void **state)
{
    const terrain_window region = {-1024, 512, 2 * CORE, 2 * CORE}, window = {-560, 900, 100, 60};
    terrain_recipe *noise = test_recipe("a = generate_noise seed=3 period=90 amplitude=50\n");
    terrain_recipe *recipe = test_recipe("a = generate_noise seed=3 period=90 amplitude=50\n"
                                         "b = analyze_flow a\n");
    terrain_heightmap *whole = test_map_of_world(noise, &region, 0, 1);
    terrain_heightmap *bounded = test_map(&region);
    terrain_heightmap *map = test_map_of_world(recipe, &window, 0, 1);
    assert_int_equal(terrain_analyze_flow(NULL, whole, bounded, NULL), TERRAIN_SUCCESS);
    assert_true(test_windows_equal(bounded, map, &window));
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(bounded);
    terrain_heightmap_destroy(whole);
    terrain_recipe_destroy(recipe);
    terrain_recipe_destroy(noise);
}

/* Three maps of a world: `b`, `a`, and the one with that name. */
static void make_maps(const char *land, const char *statement, const char *name,
                      const terrain_window *window, terrain_heightmap *maps[3])
{
    const char *const names[3] = {"b", "a", name};
    char text[512];
    terrain_recipe_run_desc desc = test_run_of_world(window);
    snprintf(text, sizeof text, "%s%s", land, statement);
    terrain_recipe *recipe = test_recipe(text);
    desc.output_names = names;
    desc.outputs = maps;
    desc.output_count = 3;
    for (int k = 0; k < 3; k++) {
        maps[k] = test_map(window);
    }
    assert_int_equal(terrain_recipe_run(NULL, recipe, &desc), TERRAIN_SUCCESS);
    terrain_recipe_destroy(recipe);
}

/* A seam over which no water runs: where regions meet, a cell on land without a lower neighbour
 * that is no river's, or a river's bed that does not fall. And rivers that don't stay. */
static void test_drains(void **state)
{
    static const char land[] =
        "a = generate_drainage seed=5 erodibility=0.17 lake_depth=0 discharge=q\n";
    static const char *const statements[] = {
        ("b = erode_stream_power a rivers=q sea=0 uplift_rate=0.15 concavity=0.35 "
         "river_discharge=1500\n"),
        "b = erode_rivers a discharge=q threshold=300\n",
        "b = erode_canyons_draining a discharge=q threshold=300\n",
    };
    const terrain_window window = {1536 - 60, 1024 - 60, 120, 120};
    for (int s = 0; s < (test_is_slow() ? 1 : 3); s++) {
        size_t on_rivers = 0, changed = 0;
        terrain_heightmap *maps[3];
        make_maps(land, statements[s], "q", &window, maps);
        for_each_cell(maps[0], x, y) {
            const float height = test_at(maps[0], x, y), before = test_at(maps[1], x, y);
            const float flow = test_at(maps[2], x, y);
            changed += height != before;
            if (x == 0 || y == 0 || x + 1 == window.width || y + 1 == window.height) {
                continue;
            }
            if (s == 0 && (flow >= 1500 || before <= 0)) {
                assert_true(height == before);
            } else if (s == 0 || flow >= 300) {
                assert_true(test_lowest_around(maps[0], x, y) < height);
            }
            on_rivers += flow >= 300;
            assert_true(s == 0 || height <= before);
        }
        assert_true(on_rivers > 300 && changed > 1000);
        for (int k = 0; k < 3; k++) {
            terrain_heightmap_destroy(maps[k]);
        }
    }
}

/* The ramp of a cell's way, step by step, over the region's carved map to its rivers, the last
 * map. */
static float ramp_of(terrain_heightmap *maps[3], int64_t x, int64_t y)
{
    static const int steps[8][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                                    {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
    const int64_t side = 2 * CORE;
    float ramp = 0;
    for (;;) {
        const double across = fabs((double)x + 0.5 - CORE), down = fabs((double)y + 0.5 - CORE);
        const double d = across > down ? across : down;
        const double c = d > 511            ? (double)INFINITY
                         : d >= CORE * 0.75 ? CORE / 4 * 2.0 * ((d - 384) / (512 - d))
                                            : 0;
        int64_t next_x = x, next_y = y;
        ramp = (float)c > ramp ? (float)c : ramp;
        if (test_at(maps[2], x, y) >= 1000) {
            return ramp;
        }
        for (int k = 0; k < 8; k++) {
            const int64_t u = x + steps[k][0], v = y + steps[k][1];
            if (u >= 0 && v >= 0 && u < side && v < side &&
                test_at(maps[0], u, v) < test_at(maps[0], next_x, next_y)) {
                next_x = u;
                next_y = v;
            }
        }
        if (next_x == x && next_y == y) {
            return INFINITY;
        }
        x = next_x;
        y = next_y;
    }
}

/* Land and the discharge on it: slopes where water runs far to rivers in the lowlands, so that
 * mostly ramps decide; and a cone in a river that is a ring, where water of the cells at x = 600
 * has two neighbours that are equally low, and ends far in the east or as far in the west. */
static const struct way {
    const char *land, *rivers;
    uint32_t iterations;
    terrain_window window;
    size_t decided; /* at least as many cells by ramps */
} ways[] = {
    {"a = generate_noise seed=3 period=900 amplitude=300\n",
     "q = shape_remap a from_low=-100 from_high=100 to_low=2000 to_high=0\n",
     1,
     {900, 900, 80, 70},
     1000},
    {"a = generate_radial centre_x=600 centre_y=700 radius=700 amplitude=700 curve=linear\n",
     "q = shape_remap a from_low=99 from_high=101 to_low=1000 to_high=0 clamp=true\n",
     0,
     {598, 720, 5, 40},
     40},
};

/* Regions that are not combined as the header says: the naive least of height and ramp. */
static void test_ways(void **state)
{
    for (size_t w = 0; w < sizeof ways / sizeof ways[0]; w++) {
        const terrain_window window = ways[w].window;
        const size_t cells = (size_t)window.width * window.height;
        char text[400];
        terrain_recipe *land = test_recipe(ways[w].land);
        snprintf(text, sizeof text, "%s%s", ways[w].land, ways[w].rivers);
        terrain_recipe *flow = test_recipe(text);
        snprintf(text, sizeof text,
                 "%s%sb = erode_stream_power a rivers=q iterations=%u talus=0.3\n", ways[w].land,
                 ways[w].rivers, (unsigned)ways[w].iterations);
        terrain_recipe *recipe = test_recipe(text);
        terrain_heightmap *map = test_map_of_world(recipe, &window, 0, 2);
        float *least = malloc(cells * sizeof *least);
        bool *raised = calloc(cells, sizeof *raised);
        size_t decided = 0;
        terrain_erode_stream_power_params p;
        for (size_t i = 0; i < cells; i++) {
            least[i] = INFINITY;
        }
        terrain_erode_stream_power_params_init(&p, sizeof p);
        p.iterations = ways[w].iterations;
        p.talus = 0.3F;
        for (int64_t j = 0; j < 2; j++) {
            for (int64_t i = 0; i < 2; i++) {
                const terrain_window region = {i * CORE, j * CORE, 2 * CORE, 2 * CORE};
                terrain_heightmap *maps[3] = {test_map_of_world(land, &region, 0, 2), NULL,
                                              test_map_of_world(flow, &region, 0, 2)};
                p.rivers = maps[2];
                assert_int_equal(terrain_erode_stream_power(NULL, maps[0], &p), TERRAIN_SUCCESS);
                for (size_t k = 0; k < cells; k++) {
                    const int64_t x = window.x + (int64_t)(k % window.width) - region.x;
                    const int64_t y = window.y + (int64_t)(k / window.width) - region.y;
                    if (x >= 0 && y >= 0 && x < 2 * CORE && y < 2 * CORE) {
                        const float ramp = ramp_of(maps, x, y), height = test_at(maps[0], x, y);
                        const float sum = ramp > 0 ? height + ramp : height;
                        raised[k] = sum < least[k] ? ramp > 0 : raised[k];
                        least[k] = sum < least[k] ? sum : least[k];
                    }
                }
                terrain_heightmap_destroy(maps[0]);
                terrain_heightmap_destroy(maps[2]);
            }
        }
        for (size_t k = 0; k < cells; k++) {
            const float found = terrain_heightmap_const_data(map)[k];
            assert_true(least[k] == INFINITY || fabsf(found - least[k]) <= 1e-3F);
            decided += raised[k];
        }
        assert_true(decided >= ways[w].decided);
        free(least);
        free(raised);
        terrain_heightmap_destroy(map);
        terrain_recipe_destroy(recipe);
        terrain_recipe_destroy(land);
        terrain_recipe_destroy(flow);
    }
}

/* Land of which no region knows where its water ends, and which does not stay, or whose discharge
 * is not that of the region whose core holds it: slopes that go on beyond all regions. */
static void test_unknown(void **state)
{
    static const char slopes[] = "a = generate_noise seed=3 period=9000 amplitude=9000\n";
    const terrain_window window = {560, 700, 40, 30}, region = {0, 0, 2 * CORE, 2 * CORE};
    terrain_recipe *noise = test_recipe(slopes);
    terrain_heightmap *maps[3], *whole = test_map_of_world(noise, &region, 0, 1);
    terrain_erode_stream_power_params p;
    make_maps(slopes, "b = erode_stream_power a sea=-9000 iterations=1 discharge=d\n", "d", &window,
              maps);
    assert_true(test_maps_equal(maps[0], maps[1]));
    terrain_erode_stream_power_params_init(&p, sizeof p);
    p.sea = -9000;
    p.iterations = 1;
    p.discharge = test_map(&region);
    assert_int_equal(terrain_erode_stream_power(NULL, whole, &p), TERRAIN_SUCCESS);
    assert_true(test_at(whole, 560, 700) != test_at(maps[1], 0, 0));
    assert_true(test_windows_equal(p.discharge, maps[2], &window));
    terrain_heightmap_destroy(p.discharge);
    terrain_heightmap_destroy(whole);
    for (int k = 0; k < 3; k++) {
        terrain_heightmap_destroy(maps[k]);
    }
    terrain_recipe_destroy(noise);
}

/* Places of infinite height that a mask makes places without data (infinity less infinity), whose
 * water would go round among them for ever. */
static void test_infinite(void **state)
{
    const terrain_window window = {0, 0, 40, 30};
    terrain_recipe *recipe =
        test_recipe("a = generate_noise period=9 amplitude=1\n"
                    "m = shape_remap a from_low=-9 from_high=9\n"
                    "a = shape_remap a from_low=0 from_high=1 to_low=0 to_high=1e30 clamp=true\n"
                    "a = combine_blend a a mode=multiply\n"
                    "b = erode_stream_power a sea=-9 iterations=1 mask=m\n");
    terrain_heightmap *map = test_map_of_world(recipe, &window, 0, 1);
    size_t none = 0;
    for_each_cell(map, x, y) {
        none += isnan(test_at(map, x, y));
    }
    assert_true(none > 0 && none < (size_t)window.width * window.height);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
}

/* Heights of -infinity, which a region's rim makes NaN. */
static void test_bottomless(void **state)
{
    static const char *const recipes[] = {"b = shape_fill a\n",
                                          "b = erode_stream_power a sea=-9 iterations=1\n"};
    const terrain_window window = {-20, -20, 40, 40};
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++) {
        char text[500];
        snprintf(text, sizeof text,
                 "a = generate_noise period=9 amplitude=1\n"
                 "a = shape_remap a from_low=0 from_high=1 to_low=0 to_high=1e30 clamp=true\n"
                 "m = shape_remap a from_low=0 from_high=1 to_low=0 to_high=-1\n"
                 "a = combine_blend a m mode=multiply\n%s",
                 recipes[i]);
        terrain_recipe *recipe = test_recipe(text);
        terrain_heightmap *map = test_map_of_world(recipe, &window, 0, 1);
        size_t none = 0, bottomless = 0;
        for_each_cell(map, x, y) {
            none += isnan(test_at(map, x, y));
            bottomless += test_at(map, x, y) == -INFINITY;
        }
        assert_int_equal(none, 0);
        assert_true(bottomless > 0);
        terrain_heightmap_destroy(map);
        terrain_recipe_destroy(recipe);
    }
}

/* Stream power without anything that all regions share, and a message that doesn't say so. */
static void test_rivers(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = erode_stream_power a\n");
    expect_refused(terrain_recipe_check_world(context, recipe, NULL), TERRAIN_ERROR_UNSUPPORTED,
                   context, "rivers must be given");
    terrain_recipe_destroy(recipe);
    recipe = test_recipe("a = generate_noise\nb = erode_stream_power a sea=-3\n");
    assert_int_equal(terrain_recipe_check_world(context, recipe, NULL), TERRAIN_SUCCESS);
    terrain_recipe_destroy(recipe);
    recipe = test_recipe("a = generate_noise\nb = erode_rivers a\n");
    expect_refused(terrain_recipe_check_world(context, recipe, NULL), TERRAIN_ERROR_UNSUPPORTED,
                   context, "discharge must be given");
    terrain_recipe_destroy(recipe);
    recipe = test_recipe("a = generate_noise\n"
                         "b = erode_canyons_draining a discharge=a reach=257\n");
    expect_refused(terrain_recipe_check_world(context, recipe, NULL), TERRAIN_ERROR_UNSUPPORTED,
                   context, "reach must be");
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A closed rim, which a world has not, and no message that says so. */
static void test_rim(void **state)
{
    static const char *const recipes[] = {"a = generate_noise\nb = shape_fill a rim=closed\n",
                                          "a = generate_noise\nb = shape_breach a rim=closed\n"};
    terrain_context *context = test_plain_context();
    for (int i = 0; i < 2; i++) {
        terrain_recipe *recipe = test_recipe(recipes[i]);
        expect_refused(terrain_recipe_check_world(context, recipe, NULL), TERRAIN_ERROR_UNSUPPORTED,
                       context, "rim must be open");
        terrain_recipe_destroy(recipe);
    }
    terrain_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),    cmocka_unit_test(test_definition),
        cmocka_unit_test(test_hollows),    cmocka_unit_test(test_channels),
        cmocka_unit_test(test_failures),   cmocka_unit_test(test_bar),
        cmocka_unit_test(test_flow),       cmocka_unit_test(test_rim),
        cmocka_unit_test(test_drains),     cmocka_unit_test(test_ways),
        cmocka_unit_test(test_rivers),     cmocka_unit_test(test_once),
        cmocka_unit_test(test_unknown),    cmocka_unit_test(test_shown),
        cmocka_unit_test(test_limits),     cmocka_unit_test(test_infinite),
        cmocka_unit_test(test_bottomless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
