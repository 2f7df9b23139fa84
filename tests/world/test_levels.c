/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Levels of a pyramid that a world keeps: tiles have the bits of the recipe, whatever is kept, and
 * a tile finds what its neighbours left. */

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "recipe/plan.h"
#include "support/check.h"
#include "terrain/generate.h"
#include "terrain/world.h"
#include "world/world.h"

/* All that a land can read and give; one that is read from afar; one that is coarse itself. */
static const char *const lands[] = {
    "a = generate_drainage seed=5\n",
    "c = generate_noise seed=3 period=64 amplitude=0.3\n"
    "a = generate_drainage seed=6 control=c uplift=c discharge=d receiver=r water=w "
    "map_spacing=32\n"
    "a = combine_blend a d mode=maximum\n"
    "a = combine_blend a r mode=add\n"
    "a = combine_blend a w\n",
    "c = generate_noise seed=3 period=64 amplitude=0.3\n"
    "a = generate_drainage seed=6 hardness=c rain=c level=3 discharge=d\n"
    "b = generate_drainage seed=7 level=4\n"
    "a = combine_blend a b mode=add\n"
    "a = erode_thermal a iterations=70\n"
    "a = combine_blend a d mode=minimum\n",
    "c = generate_noise seed=3 period=16 amplitude=250 offset=60\n"
    "b = generate_noise seed=3 period=1024 amplitude=250 offset=60\n"
    "m = generate_noise seed=4 period=50 amplitude=2\n"
    "a = erode_drainage b seed=9 ceiling=c mask=m discharge=d water=w\n"
    "a = combine_blend a d mode=maximum\n"
    "a = combine_blend a w\n",
};

static terrain_world *make_world(const terrain_recipe *recipe, test_allocator *allocator,
                                 uint64_t cache_bytes, double scale)
{
    terrain_world *world = NULL;
    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.seed = 77;
    desc.cell_size = 1.5F;
    desc.scale = scale;
    desc.cache_bytes = cache_bytes;
    desc.allocator = test_allocator_of(allocator);
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    return world;
}

/* The window by terrain_recipe_run, which keeps nothing. */
static terrain_heightmap *make_wanted(const terrain_recipe *recipe, const terrain_window *window,
                                      double scale)
{
    terrain_heightmap *map = test_map(window);
    terrain_recipe_run_desc desc = test_run_of_world(window);
    desc.seed = 77;
    desc.cell_size = 1.5F;
    desc.scale = scale;
    desc.outputs = &map;
    desc.output_count = 1;
    assert_int_equal(terrain_recipe_run(NULL, recipe, &desc), TERRAIN_SUCCESS);
    return map;
}

static bool tile_is(terrain_context *context, terrain_world *world, const terrain_window *window,
                    const terrain_heightmap *wanted)
{
    terrain_heightmap *tile = test_map(window);
    bool equal =
        terrain_world_tile(context, world, window->x, window->y, tile) == TERRAIN_SUCCESS &&
        test_windows_equal(wanted, tile, window);
    terrain_heightmap_destroy(tile);
    return equal;
}

/* ---- Bits ------------------------------------------------------------------------------------ */

/* A level whose cells depend on the block that they were made in, or a statement taken apart
 * wrongly. */
static void test_windows(void **state)
{
    static const int64_t places[] = {-131, INT64_C(1) << 40, -(INT64_C(1) << 54) - 7};
    static const struct {
        uint32_t land;
        uint64_t cache;
        double scale;
    } cases[] = {
        {0, UINT64_C(64) << 20, 1},
        {1, 1 << 20, 0.5},
        {2, UINT64_C(64) << 20, 0.25},
        {1, 0, 1},
        {2, UINT64_C(1) << 20, 1},
        {3, UINT64_C(64) << 20, 1},
        {3, 0, 0.5},
    };
    for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
        terrain_recipe *recipe = test_recipe(lands[cases[k].land]);
        test_allocator allocator = {0};
        const double scale = cases[k].scale;
        terrain_world *world = make_world(recipe, &allocator, cases[k].cache, scale);
        for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
            const terrain_window whole = {places[i], -places[i], 96, 80};
            terrain_heightmap *wanted = make_wanted(recipe, &whole, scale);
            test_random random = {k * 16 + i};
            for (int tile = 0; tile < 2; tile++) {
                const uint32_t x = (uint32_t)test_below(&random, 60);
                const uint32_t y = (uint32_t)test_below(&random, 50);
                const terrain_window window = {whole.x + x, whole.y + y, 36, 30};
                assert_true(tile_is(NULL, world, &window, wanted));
            }
            assert_true(tile_is(NULL, world, &whole, wanted));
            terrain_heightmap_destroy(wanted);
        }
        terrain_world_destroy(world);
        terrain_recipe_destroy(recipe);
        assert_int_equal(allocator.live, 0);
        assert_int_equal(allocator.faults, 0);
    }
}

struct flight {
    terrain_world *world;
    const terrain_heightmap *wanted;
    atomic_uint next, wrong;
};

static void *fly(void *user)
{
    struct flight *flight = user;
    terrain_context *context = test_plain_context();
    for (unsigned i; (i = atomic_fetch_add(&flight->next, 1)) < 12;) {
        const terrain_window window = {(int64_t)(i * 5 % 4) * 24, (int64_t)(i % 3) * 24, 24, 24};
        if (!tile_is(context, flight->world, &window, flight->wanted)) {
            atomic_fetch_add(&flight->wrong, 1);
        }
    }
    terrain_context_destroy(context);
    return NULL;
}

/* Threads that wait for each other's levels for ever, or read them too early. */
static void test_threads(void **state)
{
    const terrain_window whole = {0, 0, 96, 72};
    terrain_recipe *recipe = test_recipe(lands[1]);
    struct flight flight;
    flight.wanted = make_wanted(recipe, &whole, 1);
    for (int k = 0; k < 2; k++) {
        test_allocator allocator = {.any_thread = true};
        flight.world = make_world(recipe, &allocator, k == 0 ? 64 << 20 : 300 << 10, 1);
        atomic_init(&flight.next, 0);
        atomic_init(&flight.wrong, 0);
        test_on_threads(3, fly, &flight);
        assert_int_equal(atomic_load(&flight.wrong), 0);
        terrain_world_destroy(flight.world);
        assert_int_equal(allocator.live, 0);
    }
    terrain_heightmap_destroy((terrain_heightmap *)(uintptr_t)flight.wanted);
    terrain_recipe_destroy(recipe);
}

/* A named map, which a recipe that is taken apart does not find, or takes for another one. */
static void test_names(void **state)
{
    static const char *const names[] = {"c", "d", "a", "s"};
    const terrain_window window = {300, -40, 30, 20};
    terrain_recipe *recipe = test_recipe("c = generate_noise seed=3 period=64\n"
                                         "a = generate_drainage seed=6 level=2 discharge=d\n"
                                         "s = blur_box a radius=2\n"
                                         "a = combine_blend s d mode=add\n"
                                         "e = combine_blend a c mode=add\n");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        terrain_heightmap *wanted = test_map(&window);
        terrain_recipe_run_desc run = test_run_of_world(&window);
        run.output_names = &names[i];
        run.outputs = &wanted;
        run.output_count = 1;
        assert_int_equal(terrain_recipe_run(NULL, recipe, &run), TERRAIN_SUCCESS);
        terrain_world *world = NULL;
        terrain_world_desc desc;
        terrain_world_desc_init(&desc, sizeof desc);
        desc.recipe = recipe;
        desc.name = names[i];
        assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
        assert_true(tile_is(NULL, world, &window, wanted));
        terrain_world_destroy(world);
        terrain_heightmap_destroy(wanted);
    }
    terrain_recipe_destroy(recipe);
}

/* ---- Sharing --------------------------------------------------------------------------------- */

static void count_statement(void *user, uint32_t statement, const terrain_window *window)
{
    uint64_t *cells = user;
    assert_true(statement < 3);
    cells[statement] += (uint64_t)window->width * window->height;
}

/* Levels that are not kept, or not found again: the first tile leaves all that a second one inside
 * it needs, and most of what its neighbour needs. */
static void test_sharing(void **state)
{
    const terrain_window first = {1000, 1000, 128, 128}, inside = {1032, 1016, 64, 64};
    const terrain_window beside = {1128, 1000, 128, 128};
    terrain_recipe *recipe = test_recipe(lands[0]);
    test_allocator allocator = {0};
    terrain_world *world = make_world(recipe, &allocator, 64 << 20, 1);
    terrain_heightmap *tile = test_map(&first), *small = test_map(&inside);
    uint64_t kept;
    assert_int_equal(terrain_world_tile(NULL, world, first.x, first.y, tile), TERRAIN_SUCCESS);
    kept = terrain_world_cache_size(world);
    assert_true(kept > 1 << 20);
    assert_int_equal(terrain_world_tile(NULL, world, inside.x, inside.y, small), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_cache_size(world), kept);
    assert_int_equal(terrain_world_tile(NULL, world, beside.x, beside.y, tile), TERRAIN_SUCCESS);
    assert_true(terrain_world_cache_size(world) < kept + kept / 4);
    terrain_world_trim(world);
    assert_int_equal(terrain_world_cache_size(world), 0);
    terrain_heightmap_destroy(small);
    terrain_heightmap_destroy(tile);
    terrain_world_destroy(world);
    terrain_recipe_destroy(recipe);
}

/* Levels that are dropped before what they were made from: where the cache holds the levels but not
 * the coarse map, each tile would make both again. */
static void test_small_cache(void **state)
{
    terrain_recipe *recipe = test_recipe("c = generate_noise seed=3 period=28 amplitude=0.2\n"
                                         "a = generate_drainage control=c map_spacing=64 "
                                         "period=1024 plate_spacing=2048\n");
    terrain_world *world = NULL;
    terrain_heightmap *tile = test_map(&(terrain_window){0, 0, 128, 128});
    terrain_world_desc desc;
    uint64_t cells[3] = {0}, first;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.cache_bytes = 6 << 20;
    desc.observer = (terrain_recipe_observer){cells, count_statement};
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(NULL, world, 0, 0, tile), TERRAIN_SUCCESS);
    first = cells[0];
    assert_true(first * sizeof(float) > 2 * desc.cache_bytes);
    assert_int_equal(terrain_world_tile(NULL, world, 128, 0, tile), TERRAIN_SUCCESS);
    assert_true(cells[0] - first < first / 100);
    terrain_world_destroy(world);
    terrain_heightmap_destroy(tile);
    terrain_recipe_destroy(recipe);
}

/* ---- Preparing ------------------------------------------------------------------------------- */

/* What was prepared is not found, or is not all that tiles read; or bits that depend on it. */
static void test_prepare(void **state)
{
    const terrain_window ahead = {-200, 300, 192, 96};
    test_allocator allocator = {0};
    for (int k = 0; k < 2; k++) {
        terrain_recipe *recipe = test_recipe(lands[k]);
        terrain_world *world = make_world(recipe, &allocator, UINT64_C(256) << 20, 1);
        terrain_heightmap *wanted = make_wanted(recipe, &ahead, 1);
        uint64_t kept;
        assert_int_equal(terrain_world_prepare(NULL, world, &ahead), TERRAIN_SUCCESS);
        kept = terrain_world_cache_size(world);
        assert_true(kept > 1 << 20);
        for (int64_t x = 0; x < 192; x += 64) {
            const terrain_window window = {ahead.x + x, ahead.y, 64, 96};
            assert_true(tile_is(NULL, world, &window, wanted));
            assert_int_equal(terrain_world_cache_size(world), kept);
        }
        assert_int_equal(terrain_world_prepare(NULL, world, &ahead), TERRAIN_SUCCESS);
        assert_int_equal(terrain_world_cache_size(world), kept);
        terrain_heightmap_destroy(wanted);
        terrain_world_destroy(world);
        terrain_recipe_destroy(recipe);
    }
    assert_int_equal(allocator.live, 0);
}

/* A tile that is made though nobody asked for it, or maps that a tile computes again. */
static void test_prepare_maps(void **state)
{
    const terrain_window ahead = {0, 0, 128, 128};
    terrain_recipe *recipe = test_recipe("a = generate_noise period=60 octaves=2\n"
                                         "b = blur_box a radius=70\n");
    terrain_heightmap *tile = test_map(&ahead);
    terrain_world *world = NULL;
    terrain_world_desc desc;
    uint64_t cells[3] = {0}, read;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.observer = (terrain_recipe_observer){cells, count_statement};
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_prepare(NULL, world, &ahead), TERRAIN_SUCCESS);
    read = cells[0];
    assert_true(read >= (128 + 140) * (128 + 140) && cells[1] == 0);
    assert_int_equal(terrain_world_tile(NULL, world, 0, 0, tile), TERRAIN_SUCCESS);
    assert_true(cells[0] == read && cells[1] > 0);
    terrain_world_destroy(world);
    terrain_heightmap_destroy(tile);
    terrain_recipe_destroy(recipe);
}

/* Progress that runs back or does not end, or a world that is left with blocks that nobody
 * computes. */
static void test_prepare_cancelled(void **state)
{
    const terrain_window ahead = {0, 0, 32, 32};
    terrain_recipe *recipe = test_recipe(lands[1]);
    terrain_heightmap *wanted = make_wanted(recipe, &ahead, 1);
    uint64_t reports = UINT64_MAX;
    for (uint64_t n = 0; n <= reports; n += 1 + n / 4) {
        test_progress progress = {.cancel_at = n};
        test_allocator allocator = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
        terrain_world *world = make_world(recipe, &allocator, UINT64_C(256) << 20, 1);
        terrain_status status = terrain_world_prepare(context, world, &ahead);
        assert_int_equal(status, n == 0 ? TERRAIN_SUCCESS : TERRAIN_ERROR_CANCELLED);
        if (n == 0) {
            reports = progress.reports;
            assert_true(reports > 10 && progress.last == 1);
        }
        assert_int_equal(progress.faults, 0);
        if (n < 3) {
            assert_true(tile_is(NULL, world, &ahead, wanted));
        }
        terrain_world_destroy(world);
        terrain_context_destroy(context);
        assert_int_equal(allocator.live, 0);
    }
    terrain_heightmap_destroy(wanted);
    terrain_recipe_destroy(recipe);
}

/* A call that throws away what it has just computed, or one that nobody can understand. */
static void test_prepare_refused(void **state)
{
    const terrain_window ahead = {0, 0, 64, 64}, none = {0, 0, 0, 5}, flat = {0, 0, 5, 0};
    const terrain_window outside = {TERRAIN_WORLD_LIMIT, 0, 8, 8};
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe(lands[0]);
    test_allocator allocator = {0};
    terrain_world *world = make_world(recipe, &allocator, 1 << 20, 1);
    expect_refused(terrain_world_prepare(context, world, &ahead), TERRAIN_ERROR_MEMORY, context,
                   "cache_bytes is 1048576");
    assert_int_equal(terrain_world_cache_size(world), 0);
    assert_int_equal(terrain_world_prepare(context, NULL, &ahead), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_world_prepare(context, world, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_world_prepare(context, world, &none), TERRAIN_ERROR_RANGE);
    expect_refused(terrain_world_prepare(context, world, &flat), TERRAIN_ERROR_RANGE, context,
                   "must have at least one cell");
    expect_refused(terrain_world_prepare(context, world, &outside), TERRAIN_ERROR_RANGE, context,
                   "world_prepare: ");
    terrain_world_destroy(world);
    world = make_world(recipe, &allocator, 0, 1); /* keeps nothing: there is nothing to do */
    test_progress progress = {0};
    terrain_context *told = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
    assert_int_equal(terrain_world_prepare(told, world, &ahead), TERRAIN_SUCCESS);
    assert_true(progress.last == 1);
    terrain_context_destroy(told);
    terrain_world_destroy(world);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* More bytes than 64 bits count, taken for few: the call would go on until memory ends. */
static void test_prepare_too_much(void **state)
{
    const terrain_window window = {0, 0, UINT32_MAX - 4095, UINT32_MAX - 4095};
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe("a = generate_noise\n"
                                         "a = erode_thermal a iterations=70\n"
                                         "a = erode_thermal a iterations=70\n");
    for (int k = 0; k < 2; k++) {
        terrain_world_desc desc;
        terrain_world *world = NULL;
        terrain_world_desc_init(&desc, sizeof desc);
        desc.recipe = recipe;
        desc.cache_bytes = 1 << 20;
        desc.memory_limit = k == 0 ? 0 : 1 << 19;
        assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
        expect_refused(terrain_world_prepare(context, world, &window), TERRAIN_ERROR_MEMORY,
                       context, "more bytes than can be addressed would be needed");
        expect_message(context, k == 0 ? "cache_bytes is 1048576" : "memory_limit is 524288");
        assert_int_equal(terrain_world_cache_size(world), 0);
        terrain_world_destroy(world);
    }
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* ---- Taking apart ---------------------------------------------------------------------------- */

/* Statements before the land, whose number decides at which of a world's allocations memory ends.
 */
static terrain_recipe *make_long_recipe(int statements)
{
    static const char statement[] = "n = generate_noise\n";
    char text[64 * sizeof statement] = "";
    for (int i = 0; i < statements; i++) {
        strcat(text, statement);
    }
    strcat(text, "a = generate_drainage control=n map_spacing=32 discharge=d\n"
                 "b = shape_fill a depth=e\n");
    return test_recipe(text);
}

/* Whether all that a world's recipe says of its statements fits together. */
static bool is_whole(const terrain_world *world)
{
    const terrain_recipe *recipe = world->recipe;
    bool whole = true;
    for (uint32_t i = 0; i < recipe->step_count; i++) {
        const terrain__recipe_step *step = recipe->steps[i];
        whole = whole && recipe->values[step->value].statement == i &&
                step->links[0].makes == step->value &&
                (const void *)step->params == step->statement.params;
    }
    return whole;
}

/* A recipe that is copied though there is nothing to take apart, or one that is left whole;
 * statements that don't know what they make, or whose params are another's; and memory that ends
 * anywhere, and leaves a world that lacks some. */
static void test_apart(void **state)
{
    terrain_recipe *plain = test_recipe("a = generate_noise\nb = shape_fill a\n");
    test_allocator allocator = {0};
    terrain_world *world = make_world(plain, &allocator, 1 << 20, 1);
    assert_ptr_equal(world->recipe, plain);
    terrain_world_destroy(world);
    terrain_recipe_destroy(plain);
    for (int statements = 1; statements < 40; statements++) {
        terrain_recipe *recipe = make_long_recipe(statements);
        world = make_world(recipe, &allocator, 1 << 20, 1);
        const uint32_t count = world->recipe->step_count;
        assert_true(count > (uint32_t)statements + 6 && is_whole(world));
        terrain_world_destroy(world);
        assert_int_equal(allocator.live, 0);
        for (bool failed = true; failed; failed = allocator.calls >= allocator.fail_at) {
            terrain_world_desc desc;
            terrain_world_desc_init(&desc, sizeof desc);
            desc.recipe = recipe;
            allocator = (test_allocator){.fail_at = allocator.fail_at + 1};
            desc.allocator = test_allocator_of(&allocator);
            const terrain_status status = terrain_world_create(NULL, &desc, &world);
            assert_true(status == TERRAIN_SUCCESS
                            ? world->recipe->step_count == count && is_whole(world)
                            : status == TERRAIN_ERROR_MEMORY);
            terrain_world_destroy(world);
            assert_int_equal(allocator.live, 0);
        }
        allocator.fail_at = 0;
        terrain_recipe_destroy(recipe);
    }
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* An allocation that fails while a statement is taken apart, or while levels are made. */
static void test_no_memory(void **state)
{
    const terrain_window window = {0, 0, 16, 16};
    terrain_recipe *recipe = test_recipe(lands[1]);
    terrain_heightmap *wanted = make_wanted(recipe, &window, 1);
    for (uint64_t n = 1;; n += 1 + n / 8) {
        test_allocator allocator = {0};
        terrain_world *world = NULL;
        terrain_world_desc desc;
        terrain_status status;
        terrain_world_desc_init(&desc, sizeof desc);
        desc.recipe = recipe;
        desc.seed = 77;
        desc.cell_size = 1.5F;
        desc.allocator = test_allocator_of(&allocator);
        allocator.fail_at = n;
        status = terrain_world_create(NULL, &desc, &world);
        if (status == TERRAIN_SUCCESS) {
            terrain_heightmap *tile = test_map(&window);
            uint32_t *before = test_snapshot(tile);
            status = terrain_world_tile(NULL, world, window.x, window.y, tile);
            assert_true(status == TERRAIN_SUCCESS || test_unchanged(tile, before));
            if (status == TERRAIN_SUCCESS) {
                free(before);
            }
            terrain_heightmap_destroy(tile);
            allocator.fail_at = 0;
            assert_true(tile_is(NULL, world, &window, wanted));
        }
        terrain_world_destroy(world);
        assert_int_equal(allocator.live, 0);
        assert_true(status == TERRAIN_SUCCESS || status == TERRAIN_ERROR_MEMORY);
        if (status == TERRAIN_SUCCESS) {
            break;
        }
    }
    terrain_heightmap_destroy(wanted);
    terrain_recipe_destroy(recipe);
}

/* A place that is in the world, but not at the scale: its coordinates, doubled, overflow where a
 * coarse map is read. */
static void test_outside(void **state)
{
    const int64_t rim = -TERRAIN_WORLD_LIMIT / 2;
    const terrain_window window = {2 * rim, -531071, 24, 24};
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe("m = generate_midpoint mode=none spacing=1\n"
                                         "a = generate_drainage control=m uplift=m ceiling=m\n");
    terrain_heightmap *tile = test_map(&window);
    for (int kept = 0; kept < 2; kept++) {
        test_allocator allocator = {0};
        terrain_world *world = make_world(recipe, &allocator, kept == 0 ? 0 : 64 << 20, 0.5);
        expect_refused(terrain_world_tile(context, world, window.x, window.y, tile),
                       TERRAIN_ERROR_RANGE, context, "within 2^61 cells");
        assert_int_equal(terrain_world_tile(context, world, rim + 32768, 0, tile), TERRAIN_SUCCESS);
        terrain_world_destroy(world);
    }
    terrain_heightmap_destroy(tile);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A tile that takes more than its limit, or a message that does not name the statement. */
static void test_limit(void **state)
{
    const terrain_window window = {0, 0, 64, 64};
    terrain_context *context = test_plain_context();
    terrain_recipe *recipe = test_recipe(lands[0]);
    terrain_heightmap *tile = test_map(&window);
    terrain_world *world = NULL;
    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.memory_limit = 1 << 20;
    assert_int_equal(terrain_world_create(context, &desc, &world), TERRAIN_SUCCESS);
    expect_refused(terrain_world_tile(context, world, 0, 0, tile), TERRAIN_ERROR_MEMORY, context,
                   "line 1, a");
    assert_int_equal(terrain_world_cache_size(world), 0);
    terrain_world_destroy(world);
    desc.memory_limit = 64 << 20;
    assert_int_equal(terrain_world_create(context, &desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(context, world, 0, 0, tile), TERRAIN_SUCCESS);
    terrain_world_destroy(world);
    terrain_heightmap_destroy(tile);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A level that is reported to the host, who knows of no such statement, or one reported under
 * another's number. */
static void test_observer(void **state)
{
    const terrain_window window = {0, 0, 32, 32};
    terrain_recipe *recipe = test_recipe("a = generate_noise\nb = generate_drainage\n"
                                         "c = combine_blend b a\n");
    terrain_heightmap *tile = test_map(&window);
    terrain_world *world = NULL;
    terrain_world_desc desc;
    uint64_t cells[3] = {0};
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.observer = (terrain_recipe_observer){cells, count_statement};
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(NULL, world, 0, 0, tile), TERRAIN_SUCCESS);
    assert_true(cells[0] == 32 * 32 && cells[1] == 32 * 32 && cells[2] == 32 * 32);
    terrain_world_destroy(world);
    terrain_heightmap_destroy(tile);
    terrain_recipe_destroy(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_windows),         cmocka_unit_test(test_names),
        cmocka_unit_test(test_threads),         cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_small_cache),     cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_outside),         cmocka_unit_test(test_limit),
        cmocka_unit_test(test_observer),        cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_prepare_maps),    cmocka_unit_test(test_prepare_cancelled),
        cmocka_unit_test(test_prepare_refused), cmocka_unit_test(test_prepare_too_much),
        cmocka_unit_test(test_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
