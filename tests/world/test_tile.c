/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a world promises: tiles have the bits of the recipe, whoever asks, in whatever order, and
 * whatever the cache holds; blocks are shared; and nothing is lost when a call fails. */

#define _DEFAULT_SOURCE

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "support/check.h"
#include "terrain/generate.h"
#include "terrain/world.h"
#include "world/world.h"

/* All that recipes can have: names replaced, masks, pointwise statements, one that two read, a
 * further output, and statements with neighbours behind each other. */
static const char graph[] = "mask = generate_noise seed=1 period=40 octaves=2 amplitude=1\n"
                            "mask = shape_remap mask from_low=-0.3 from_high=0.3 clamp=true\n"
                            "land = generate_noise seed=2 period=60 octaves=3 amplitude=20\n"
                            "peak = generate_diamond_square seed=3\n"
                            "land = combine_blend land peak mode=add mask=mask\n"
                            "worn = erode_thermal land talus=0.4 iterations=60 mask=mask\n"
                            "soft = blur_gaussian worn sigma=4\n"
                            "east = analyze_normals soft normal_y=south\n"
                            "soft = combine_blend soft south mode=add\n"
                            "soft = combine_blend soft peak\n"
                            "end  = erode_thermal soft talus=0.4 iterations=2\n";

/* ---- Counting -------------------------------------------------------------------------------- */

enum { MOST_STATEMENTS = 16 };

/* Cells computed, by statement. */
struct counts {
    atomic_uint_least64_t cells[MOST_STATEMENTS];
    atomic_uint_least64_t calls[MOST_STATEMENTS];
    bool stops; /* the first call, when it has computed a statement, until it may go on */
    atomic_bool stopped;
    atomic_bool go_on;
};

static void wait_for(atomic_bool *flag)
{
    const struct timespec moment = {0, 100000};
    while (!atomic_load(flag)) {
        nanosleep(&moment, NULL);
    }
}

static void count(void *user, uint32_t statement, const terrain_window *window)
{
    struct counts *counts = user;
    atomic_fetch_add(&counts->cells[statement], (uint64_t)window->width * window->height);
    atomic_fetch_add(&counts->calls[statement], 1);
    if (counts->stops && !atomic_exchange(&counts->stopped, true)) {
        wait_for(&counts->go_on);
    }
}

/* ---- Worlds ---------------------------------------------------------------------------------- */

struct setup {
    terrain_recipe *recipe;
    terrain_world *world;
    test_allocator allocator; /* the world's */
    struct counts counts;
    uint64_t seed;
};

static void setup_begin(struct setup *setup, const char *text, uint64_t cache_bytes)
{
    terrain_world_desc desc;
    memset(setup, 0, sizeof *setup);
    setup->recipe = test_recipe(text);
    setup->seed = 77;
    setup->allocator.any_thread = true;
    assert_int_equal(terrain_world_desc_init(&desc, sizeof desc), TERRAIN_SUCCESS);
    desc.recipe = setup->recipe;
    desc.seed = setup->seed;
    desc.cache_bytes = cache_bytes;
    desc.cell_size = 1.5f;
    desc.allocator = test_allocator_of(&setup->allocator);
    desc.observer = (terrain_recipe_observer){&setup->counts, count};
    assert_int_equal(terrain_world_create(NULL, &desc, &setup->world), TERRAIN_SUCCESS);
}

static void setup_end(struct setup *setup)
{
    terrain_world_destroy(setup->world);
    terrain_recipe_destroy(setup->recipe);
    assert_int_equal(setup->allocator.live, 0);
    assert_int_equal(setup->allocator.faults, 0);
}

/* A window of the world, made by terrain_recipe_run. */
static terrain_heightmap *wanted_of(const struct setup *setup, const terrain_window *window)
{
    return test_map_of_world(setup->recipe, window, setup->seed, 1.5f);
}

/* Whether the tile of that window, asked for now, is equal. */
static bool tile_is(struct setup *setup, terrain_context *context, const terrain_window *window,
                    const terrain_heightmap *wanted)
{
    const terrain_window none = {0, 0, window->width, window->height};
    terrain_heightmap *tile = test_map(&none);
    bool equal =
        terrain_world_tile(context, setup->world, window->x, window->y, tile) == TERRAIN_SUCCESS &&
        test_window_of(tile).x == window->x && test_window_of(tile).y == window->y &&
        terrain_heightmap_cell_size(tile) == terrain_heightmap_cell_size(wanted) &&
        test_windows_equal(wanted, tile, window);
    terrain_heightmap_destroy(tile);
    return equal;
}

/* ---- Any order, any thread, any cache -------------------------------------------------------- */

enum { SIDE = 5, TILES = SIDE * SIDE, TILE = 48 };

struct flight {
    struct setup *setup;
    const terrain_heightmap *wanted;
    terrain_window tiles[TILES];
    atomic_uint next;
    atomic_uint wrong;
};

static void *fly(void *user)
{
    struct flight *flight = user;
    terrain_context *context = test_plain_context();
    for (;;) {
        unsigned index = atomic_fetch_add(&flight->next, 1);
        if (index >= TILES) {
            break;
        }
        if (!tile_is(flight->setup, context, &flight->tiles[index], flight->wanted)) {
            atomic_fetch_add(&flight->wrong, 1);
        }
    }
    terrain_context_destroy(context);
    return NULL;
}

/* Tiles that cover the window, in an order by seed. */
static void flight_plan(struct flight *flight, const terrain_window *window, uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = 0; i < TILES; i++) {
        uint32_t place = (uint32_t)test_below(&random, i + 1);
        flight->tiles[i] = flight->tiles[place];
        flight->tiles[place] = (terrain_window){window->x + (int64_t)(i % SIDE) * TILE,
                                                window->y + (int64_t)(i / SIDE) * TILE, TILE, TILE};
    }
}

static void fly_on(struct flight *flight, uint32_t threads)
{
    atomic_init(&flight->next, 0);
    atomic_init(&flight->wrong, 0);
    test_on_threads(threads, fly, flight);
    assert_int_equal(atomic_load(&flight->wrong), 0);
}

/* A tile that depends on what was asked before it, on which thread, or on what was dropped. */
static void test_order(void **state)
{
    static const int64_t places[] = {-131, INT64_C(1) << 40, -(INT64_C(1) << 40) - 7};
    static const uint64_t caches[] = {0, UINT64_C(400) << 10, UINT64_C(64) << 20};
    for (size_t i = 0; i < 3; i++) {
        const terrain_window whole = {places[i], -places[i], SIDE * TILE, SIDE * TILE};
        terrain_heightmap *wanted = NULL;
        for (size_t k = 0; k < 3; k++) {
            struct setup setup;
            struct flight flight = {.setup = &setup};
            uint32_t threads = (uint32_t)((i + k) % 3 + 1);
            setup_begin(&setup, graph, caches[k]);
            if (wanted == NULL) {
                wanted = wanted_of(&setup, &whole);
            }
            flight.wanted = wanted;
            flight_plan(&flight, &whole, i * 3 + k);
            fly_on(&flight, threads);
            assert_true(terrain_world_cache_size(setup.world) <= caches[k]);
            setup_end(&setup);
        }
        terrain_heightmap_destroy(wanted);
    }
}

/* Tiles that are no multiples of blocks, overlap, or change the cell size on the way. */
static void test_sizes(void **state)
{
    static const char *const recipes[] = {
        graph,
        "a = generate_noise period=30 octaves=2\nb = blur_box a radius=70\n"
        "c = shape_resample b step=0.75\nd = erode_thermal c talus=0.01 iterations=3\n",
        "a = generate_noise period=30 octaves=2\n", "a = generate_noise\na = combine_blend a a\n",
        /* Slopes far above the talus, which is measured in the resampled cells. */
        "a = generate_noise period=30 octaves=2 amplitude=30\nb = shape_resample a step=2\n"
        "c = erode_thermal b talus=0.3 iterations=70\n",
        /* Maps that nobody reads, beside one that is kept. */
        "a = generate_noise period=30 octaves=2\nb = analyze_normals a normal_y=y\n"
        "c = blur_box b radius=70\n",
        "a = generate_noise period=30 octaves=2\nb = analyze_normals a normal_y=y\n"
        "c = blur_box y radius=70\n"};
    for (size_t i = 0; i < sizeof recipes / sizeof recipes[0]; i++) {
        test_random random = {i};
        struct setup setup;
        setup_begin(&setup, recipes[i], UINT64_C(1) << 20);
        for (int k = 0; k < 12; k++) {
            const terrain_window window = {
                test_between(&random, -200, 200), test_between(&random, -200, 200),
                (uint32_t)test_between(&random, 1, 90), (uint32_t)test_between(&random, 1, 90)};
            terrain_heightmap *wanted = wanted_of(&setup, &window);
            assert_true(tile_is(&setup, NULL, &window, wanted));
            terrain_heightmap_destroy(wanted);
        }
        setup_end(&setup);
    }
}

/* ---- What is computed ------------------------------------------------------------------------ */

/* A cache that saves nothing: a flight computes each cell of what is read with neighbours once. */
static void test_sharing(void **state)
{
    static const char text[] = "a = generate_noise period=60 octaves=2\n"
                               "b = shape_remap a\n"
                               "c = blur_box b radius=70\n"
                               "d = blur_box c radius=70\n";
    enum { STEPS = 6, WIDE = 128, MARGIN = 404 };
    struct setup kept, dropped;
    setup_begin(&kept, text, UINT64_C(64) << 20);
    setup_begin(&dropped, text, 0);
    for (int64_t i = 0; i < STEPS; i++) {
        const terrain_window window = {i * WIDE, 0, WIDE, WIDE};
        terrain_heightmap *wanted = wanted_of(&kept, &window);
        assert_true(tile_is(&kept, NULL, &window, wanted));
        assert_true(tile_is(&dropped, NULL, &window, wanted));
        terrain_heightmap_destroy(wanted);
        /* What is missing is one rectangle. */
        assert_true(atomic_load(&kept.counts.calls[1]) == (uint64_t)i + 1);
    }
    /* The noise, behind a pointwise statement, is as wide as the flight and what lies around it. */
    assert_true(atomic_load(&kept.counts.cells[0]) == atomic_load(&kept.counts.cells[1]));
    assert_true(atomic_load(&kept.counts.cells[0]) <=
                (uint64_t)(STEPS * WIDE + MARGIN) * (WIDE + MARGIN));
    assert_true(atomic_load(&dropped.counts.cells[0]) > atomic_load(&kept.counts.cells[0]) * 4 / 3);
    /* A tile that is asked for again computes only its last statement. */
    {
        const terrain_window window = {WIDE, 0, WIDE, WIDE};
        uint64_t before[3];
        terrain_heightmap *wanted = wanted_of(&kept, &window);
        for (int i = 0; i < 3; i++) {
            before[i] = atomic_load(&kept.counts.calls[i]);
        }
        assert_true(tile_is(&kept, NULL, &window, wanted));
        for (int i = 0; i < 3; i++) {
            assert_int_equal(atomic_load(&kept.counts.calls[i]), before[i]);
        }
        terrain_heightmap_destroy(wanted);
    }
    setup_end(&kept);
    setup_end(&dropped);
}

/* A map that is read from afar, but only by a parameter, and the second one at that: a flight
 * computes each of its cells once, as each of the map's that is eroded. */
static void test_sharing_of_parameters(void **state)
{
    static const char text[] = "land = generate_noise period=60 octaves=2\n"
                               "soft = generate_noise seed=1 period=60 octaves=2\n"
                               "hard = generate_noise seed=2 period=60 octaves=2\n"
                               "worn = erode_thermal land mode=layers iterations=70 debris=soft "
                               "hardness=hard\n";
    struct setup setup;
    setup_begin(&setup, text, UINT64_C(64) << 20);
    for (int64_t i = 0; i < 6; i++) {
        const terrain_window window = {i * 128, 0, 128, 128};
        terrain_heightmap *wanted = wanted_of(&setup, &window);
        assert_true(tile_is(&setup, NULL, &window, wanted));
        terrain_heightmap_destroy(wanted);
    }
    for (int i = 1; i < 3; i++) {
        assert_true(atomic_load(&setup.counts.cells[i]) == atomic_load(&setup.counts.cells[0]));
    }
    setup_end(&setup);
}

static const terrain_window spot = {-20, 70, 70, 40};

static uint64_t kept_of(const char *text)
{
    struct setup setup;
    setup_begin(&setup, text, UINT64_MAX);
    terrain_heightmap *wanted = wanted_of(&setup, &spot);
    assert_true(tile_is(&setup, NULL, &spot, wanted));
    uint64_t kept = terrain_world_cache_size(setup.world);
    terrain_heightmap_destroy(wanted);
    setup_end(&setup);
    return kept;
}

/* A map kept that one statement reads from near by, or one computed anew for each of two whose
 * blocks differ. */
static void test_kept(void **state)
{
    static const char near[] = "a = generate_noise period=60\n"
                               "b = blur_box a radius=1\n";
    static const char afar[] = "a = generate_noise period=60\n"
                               "b = blur_box a radius=1\n"
                               "c = blur_box b radius=100\n";
    static const char both[] = "a = generate_noise period=60\n"
                               "b = blur_box a radius=1\n"
                               "c = blur_box b radius=100\n"
                               "d = combine_blend c a\n";
    const uint64_t blurred = kept_of(afar);
    assert_true(kept_of(near) == 0);
    assert_true(blurred > 0 && kept_of(both) > blurred);
}

/* A cache that keeps less than it has room for, or that drops what was used last: with room for
 * just two tiles, the last two are found again. */
static void test_eviction(void **state)
{
    static const char text[] = "a = generate_noise period=60 octaves=2\n"
                               "b = blur_box a radius=64\n";
    enum { STEPS = 6, APART = 1024 };
    terrain_heightmap *wanted[STEPS];
    terrain_window windows[STEPS];
    struct setup setup;
    setup_begin(&setup, text, UINT64_MAX);
    for (int64_t i = 0; i < STEPS; i++) {
        windows[i] = (terrain_window){i * APART, i * APART, 64, 64};
        wanted[i] = wanted_of(&setup, &windows[i]);
    }
    assert_true(tile_is(&setup, NULL, &windows[0], wanted[0]));
    assert_true(tile_is(&setup, NULL, &windows[1], wanted[1]));
    uint64_t both = terrain_world_cache_size(setup.world);
    setup_end(&setup);

    setup_begin(&setup, text, both);
    assert_true(tile_is(&setup, NULL, &windows[0], wanted[0]));
    for (int i = 1; i < STEPS; i++) {
        assert_true(tile_is(&setup, NULL, &windows[i], wanted[i]));
        assert_true(terrain_world_cache_size(setup.world) == both);
        uint64_t before = atomic_load(&setup.counts.cells[0]);
        assert_true(tile_is(&setup, NULL, &windows[i - 1], wanted[i - 1]));
        assert_true(tile_is(&setup, NULL, &windows[i], wanted[i]));
        assert_true(atomic_load(&setup.counts.cells[0]) == before);
    }
    for (int i = 0; i < STEPS; i++) {
        terrain_heightmap_destroy(wanted[i]);
    }
    setup_end(&setup);
}

/* A block that nobody uses any more. */
static void keep_block(terrain_world *world, uint32_t statement, int64_t x)
{
    const int owner = 0;
    terrain__world_block *block = terrain__world_claim(world, statement, x, 0, &owner);
    assert_non_null(block);
    block->state = TERRAIN__BLOCK_DONE;
    block->owner = NULL;
    terrain__world_unpin(world, block);
}

/* Blocks of two sizes: a cache that keeps more than it may while a block is claimed, one that takes
 * the memory of a small block for a large one, or that frees memory which it then asks for. */
static void test_room(void **state)
{
    static const char text[] = "a = generate_noise period=60\n"
                               "e = analyze_normals a normal_y=n\n"
                               "b = blur_box e radius=70\n"
                               "c = blur_box n radius=70\n"
                               "d = combine_blend b c\n"
                               "f = blur_box a radius=70\n"
                               "d = combine_blend d f\n";
    enum { SMALL = 0, LARGE = 1 };
    const int owner = 0;
    struct setup setup;
    setup_begin(&setup, text, UINT64_MAX);
    const uint64_t small = terrain__world_block_size(setup.world, SMALL);
    const uint64_t large = terrain__world_block_size(setup.world, LARGE);
    assert_true(setup.world->cached[SMALL] && setup.world->cached[LARGE] && large > small);
    setup_end(&setup);

    setup_begin(&setup, text, 2 * large);
    for (int64_t i = 0; i < 3; i++) {
        keep_block(setup.world, SMALL, i);
    }
    assert_true(terrain_world_cache_size(setup.world) == 3 * small);
    terrain__world_block *block = terrain__world_claim(setup.world, LARGE, 0, 0, &owner);
    assert_true(terrain_world_cache_size(setup.world) == small + large);
    assert_non_null(terrain__world_find(setup.world, SMALL, 2, 0)); /* the newest */
    memset(terrain__world_cells(setup.world, block, 0), 0, 2 * 32 * 32 * sizeof(float));
    block->state = TERRAIN__BLOCK_DONE;
    terrain__world_unpin(setup.world, block);
    keep_block(setup.world, LARGE, 1);
    assert_true(terrain_world_cache_size(setup.world) == 2 * large);
    const uint64_t calls = setup.allocator.calls;
    keep_block(setup.world, LARGE, 2);
    assert_int_equal(setup.allocator.calls, calls);
    assert_null(terrain__world_find(setup.world, LARGE, 0, 0));
    assert_true(terrain_world_cache_size(setup.world) == 2 * large);
    setup_end(&setup);

    setup_begin(&setup, text, small); /* less than a large block */
    keep_block(setup.world, SMALL, 0);
    block = terrain__world_claim(setup.world, LARGE, 0, 0, &owner);
    assert_true(terrain_world_cache_size(setup.world) == large);
    terrain__world_unpin(setup.world, block);
    setup_end(&setup);
}

/* Two threads that compute the same blocks: all of them together compute each cell once. */
static void test_once(void **state)
{
    const terrain_window whole = {-100, 33, SIDE * TILE, SIDE * TILE};
    struct setup alone, together;
    struct flight flight = {.setup = &alone};
    setup_begin(&alone, graph, UINT64_C(64) << 20);
    setup_begin(&together, graph, UINT64_C(64) << 20);
    flight.wanted = wanted_of(&alone, &whole);
    flight_plan(&flight, &whole, 5);
    fly_on(&flight, 1);
    flight.setup = &together;
    fly_on(&flight, 3);
    /* Which rectangles blocks were computed in differs, but what exists at the end does not. */
    assert_true(terrain_world_cache_size(alone.world) == terrain_world_cache_size(together.world));
    /* What reads nothing has no margin: its cells are just those of its blocks, once. */
    assert_true(atomic_load(&together.counts.cells[3]) == atomic_load(&alone.counts.cells[3]));
    terrain_heightmap_destroy((terrain_heightmap *)(uintptr_t)flight.wanted);
    setup_end(&alone);
    setup_end(&together);
}

/* ---- Failures -------------------------------------------------------------------------------- */

/* An allocation that fails, the context's or the world's, or no room for more than some blocks: the
 * map is as before, nothing is lost, and the next call succeeds. */
static void test_no_memory(void **state)
{
    uint32_t failures[3] = {0};
    for (int which = 0; which < 3; which++) {
        bool failed = true;
        for (uint64_t n = 1; failed; n += 1 + n / 16) {
            test_allocator of_context = {0};
            terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &of_context, NULL);
            terrain_heightmap *map = test_map(&spot);
            terrain_heightmap *wanted;
            uint32_t *before = test_snapshot(map);
            terrain_status status;
            struct setup setup;
            setup_begin(&setup, graph, 100 << 10);
            if (which == 0) {
                of_context.fail_at = of_context.calls + n;
            } else if (which == 1) {
                setup.allocator.fail_at = setup.allocator.calls + n;
            } else {
                setup.allocator.room = setup.allocator.live_bytes + n * 8192;
            }
            status = terrain_world_tile(context, setup.world, spot.x, spot.y, map);
            failed = which == 0   ? of_context.calls >= of_context.fail_at
                     : which == 1 ? setup.allocator.calls >= setup.allocator.fail_at
                                  : status != TERRAIN_SUCCESS;
            failures[which] += status != TERRAIN_SUCCESS;
            assert_true(status == TERRAIN_SUCCESS || (failed && status == TERRAIN_ERROR_MEMORY));
            assert_true((status == TERRAIN_SUCCESS) ==
                        (terrain_context_message(context)[0] == '\0'));
            if (status != TERRAIN_SUCCESS) {
                assert_true(test_unchanged(map, before));
                assert_true(which == 0 ||
                            strstr(terrain_context_message(context), "the world's allocator"));
            } else {
                free(before);
            }
            of_context.fail_at = 0;
            setup.allocator.fail_at = 0;
            setup.allocator.room = 0;
            wanted = wanted_of(&setup, &spot);
            assert_true(tile_is(&setup, context, &spot, wanted));
            terrain_heightmap_destroy(wanted);
            terrain_heightmap_destroy(map);
            terrain_context_destroy(context);
            assert_int_equal(of_context.live, 0);
            setup_end(&setup);
        }
    }
    assert_true(failures[0] > 3 && failures[2] > 3);
}

/* Memory that is full of blocks nobody uses any more: a tile must come, and not fail. */
static void test_full(void **state)
{
    const terrain_window windows[2] = {{0, 0, 64, 64}, {4096, 4096, 64, 64}};
    struct setup setup;
    setup_begin(&setup, graph, UINT64_MAX);
    for (int i = 0; i < 2; i++) {
        terrain_heightmap *wanted = wanted_of(&setup, &windows[i]);
        assert_true(tile_is(&setup, NULL, &windows[i], wanted));
        setup.allocator.room = setup.allocator.live_bytes;
        terrain_heightmap_destroy(wanted);
    }
    setup_end(&setup);
}

/* A block that its owner had put into a job and given up, and that others wait for: the next owner
 * must put it into a job of its own, or waits for itself. */
static void test_claimed_again(void **state)
{
    const int owners[2] = {0};
    uint32_t statement = 0;
    struct setup setup;
    setup_begin(&setup, graph, UINT64_MAX);
    while (!setup.world->cached[statement]) {
        statement++;
    }
    terrain__world_block *block = terrain__world_claim(setup.world, statement, 3, -4, &owners[0]);
    block->scheduled = true;
    assert_ptr_equal(terrain__world_claim(setup.world, statement, 3, -4, &owners[1]), block);
    assert_true(block->owner == &owners[0] && block->scheduled);
    block->state = TERRAIN__BLOCK_ABANDONED;
    assert_ptr_equal(terrain__world_claim(setup.world, statement, 3, -4, &owners[1]), block);
    assert_true(block->owner == &owners[1] && !block->scheduled);
    assert_int_equal(block->state, TERRAIN__BLOCK_PENDING);
    for (int i = 0; i < 3; i++) {
        terrain__world_unpin(setup.world, block);
    }
    assert_int_equal(terrain_world_cache_size(setup.world), 0);
    setup_end(&setup);
}

/* Memory from malloc, before which the world gives up what it can. */
struct trimming {
    terrain_allocator memory;
    terrain_world *world;
};

static void *trim_and_allocate(void *user, size_t size, size_t alignment)
{
    const struct trimming *trimming = user;
    terrain_world_trim(trimming->world);
    return trimming->memory.allocate(trimming->memory.user, size, alignment);
}

static void free_trimmed(void *user, void *pointer, size_t size)
{
    const struct trimming *trimming = user;
    trimming->memory.free(trimming->memory.user, pointer, size);
}

/* A context's allocator that is called while the world is locked: then trim never returns. */
static void test_trimming_allocator(void **state)
{
    test_allocator of_context = {0};
    struct trimming trimming = {.memory = test_allocator_of(&of_context)};
    struct setup setup;
    terrain_context_desc desc;
    terrain_context *context = NULL;
    setup_begin(&setup, graph, UINT64_C(1) << 30);
    terrain_heightmap *wanted = wanted_of(&setup, &spot);
    trimming.world = setup.world;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.allocator = (terrain_allocator){&trimming, trim_and_allocate, free_trimmed};
    assert_int_equal(terrain_context_create(&desc, &context), TERRAIN_SUCCESS);
    assert_true(tile_is(&setup, context, &spot, wanted));
    terrain_context_destroy(context);
    terrain_heightmap_destroy(wanted);
    setup_end(&setup);
}

/* A call that is cancelled at any of its reports leaves the map alone and blocks for others. */
static void test_cancel(void **state)
{
    uint64_t reports = UINT64_MAX;
    for (uint64_t n = 0; n <= reports; n++) {
        test_progress progress = {.cancel_at = n};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
        terrain_heightmap *map = test_map(&spot);
        terrain_heightmap *wanted;
        uint32_t *before = test_snapshot(map);
        struct setup setup;
        setup_begin(&setup, graph, UINT64_C(1) << 30);
        if (n == 0) {
            assert_int_equal(terrain_world_tile(context, setup.world, spot.x, spot.y, map),
                             TERRAIN_SUCCESS);
            reports = progress.reports;
            assert_true(reports > 5 && progress.last == 1);
            free(before);
        } else {
            assert_int_equal(terrain_world_tile(context, setup.world, spot.x, spot.y, map),
                             TERRAIN_ERROR_CANCELLED);
            assert_true(test_unchanged(map, before));
        }
        assert_int_equal(progress.faults, 0);
        wanted = wanted_of(&setup, &spot);
        assert_true(tile_is(&setup, NULL, &spot, wanted));
        terrain_heightmap_destroy(wanted);
        terrain_heightmap_destroy(map);
        terrain_context_destroy(context);
        setup_end(&setup);
    }
}

/* A runner that fails or loses tasks; and those that must change nothing. */
static void test_runners(void **state)
{
    for (int kind = 0; kind <= TEST_RUN_CANCEL; kind++) {
        test_runner runner = {.kind = kind, .limit = 9};
        terrain_context *context;
        terrain_heightmap *map = test_map(&spot);
        terrain_heightmap *wanted;
        struct setup setup;
        if (kind == TEST_RUN_KINDS) {
            terrain_heightmap_destroy(map);
            continue;
        }
        context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
        runner.context = context;
        setup_begin(&setup, graph, UINT64_C(1) << 30);
        wanted = wanted_of(&setup, &spot);
        if (kind < TEST_RUN_KINDS) {
            assert_true(tile_is(&setup, context, &spot, wanted));
        } else {
            terrain_world_tile(context, setup.world, spot.x, spot.y, map);
        }
        assert_true(tile_is(&setup, NULL, &spot, wanted));
        terrain_heightmap_destroy(wanted);
        terrain_heightmap_destroy(map);
        terrain_context_destroy(context);
        setup_end(&setup);
    }
}

/* Several threads ask for one tile, and all but one cancel at their n-th report. */
struct crowd {
    struct setup *setup;
    const terrain_heightmap *wanted;
    uint64_t cancel_at;
    atomic_uint wrong;
    atomic_uint cancelled;
};

static void *crowd_member(void *user)
{
    struct crowd *crowd = user;
    test_progress progress = {.cancel_at = crowd->cancel_at};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
    terrain_heightmap *map = test_map(&spot);
    terrain_status status = terrain_world_tile(context, crowd->setup->world, spot.x, spot.y, map);
    if (status == TERRAIN_ERROR_CANCELLED) {
        atomic_fetch_add(&crowd->cancelled, 1);
    } else if (status != TERRAIN_SUCCESS || !test_windows_equal(crowd->wanted, map, &spot)) {
        atomic_fetch_add(&crowd->wrong, 1);
    }
    /* A cancelled tile must not leave its part of the progress to the next call. */
    const uint64_t faults = progress.faults;
    progress = (test_progress){0};
    status = terrain_generate_diamond_square(context, map, NULL);
    if (faults > 0 || status != TERRAIN_SUCCESS || progress.last != 1) {
        atomic_fetch_add(&crowd->wrong, 1);
    }
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    return NULL;
}

/* A waiter that waits for ever, or fails, because the one that it waits for was cancelled. */
static void test_take_over(void **state)
{
    uint32_t cancelled = 0;
    for (uint64_t n = 1; n < 24; n++) {
        struct setup setup;
        struct crowd crowd = {.setup = &setup, .cancel_at = n};
        pthread_t ids[3];
        setup_begin(&setup, graph, n % 2 * 1000000);
        crowd.wanted = wanted_of(&setup, &spot);
        atomic_init(&crowd.wrong, 0);
        atomic_init(&crowd.cancelled, 0);
        for (int i = 0; i < 3; i++) {
            assert_int_equal(pthread_create(&ids[i], NULL, crowd_member, &crowd), 0);
        }
        assert_true(tile_is(&setup, NULL, &spot, crowd.wanted));
        for (int i = 0; i < 3; i++) {
            pthread_join(ids[i], NULL);
        }
        assert_int_equal(atomic_load(&crowd.wrong), 0);
        cancelled += atomic_load(&crowd.cancelled);
        terrain_heightmap_destroy((terrain_heightmap *)(uintptr_t)crowd.wanted);
        setup_end(&setup);
    }
    assert_true(cancelled > 0);
}

struct asking {
    struct setup *setup;
    atomic_bool waits; /* or computes: it has reported */
};

static int32_t ask_report(void *user, double fraction)
{
    struct asking *asking = user;
    (void)fraction;
    atomic_store(&asking->waits, true);
    return 0;
}

static void *ask(void *user)
{
    struct asking *asking = user;
    terrain_context *context = test_context_reporting(ask_report, asking);
    terrain_heightmap *wanted = wanted_of(asking->setup, &spot);
    bool equal = tile_is(asking->setup, context, &spot, wanted);
    terrain_heightmap_destroy(wanted);
    terrain_context_destroy(context);
    return equal ? user : NULL;
}

/* A call that shares blocks with another one, is cancelled while it computes its own, and gives up
 * the other's as well: a third call would compute these a second time. */
static void test_give_up(void **state)
{
    struct setup setup, alone;
    struct asking owner = {.setup = &setup}, third = {.setup = &setup};
    test_progress progress = {.cancel_at = 1};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
    terrain_heightmap *map = test_map(&spot);
    pthread_t threads[2];
    void *equal[2];
    atomic_init(&owner.waits, false);
    atomic_init(&third.waits, false);
    setup_begin(&alone, graph, UINT64_C(64) << 20);
    assert_int_equal(terrain_world_tile(NULL, alone.world, spot.x, spot.y, map), TERRAIN_SUCCESS);
    setup_begin(&setup, graph, UINT64_C(64) << 20);
    setup.counts.stops = true;
    assert_int_equal(pthread_create(&threads[0], NULL, ask, &owner), 0);
    wait_for(&setup.counts.stopped);
    uint64_t before = atomic_load(&setup.counts.cells[0]);
    assert_int_equal(terrain_world_tile(context, setup.world, spot.x + 64, spot.y, map),
                     TERRAIN_ERROR_CANCELLED);
    uint64_t more = atomic_load(&setup.counts.cells[0]) - before;
    assert_int_equal(pthread_create(&threads[1], NULL, ask, &third), 0);
    wait_for(&third.waits);
    atomic_store(&setup.counts.go_on, true);
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], &equal[i]);
        assert_non_null(equal[i]);
    }
    assert_true(more > 0);
    assert_true(atomic_load(&setup.counts.cells[0]) - more == atomic_load(&alone.counts.cells[0]));
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    setup_end(&alone);
    setup_end(&setup);
}

/* A call that can't be cancelled while it waits for what another one computes, or that forgets how
 * far it is. */
static void test_cancel_waiting(void **state)
{
    struct setup setup;
    struct asking owner = {.setup = &setup};
    test_progress progress = {.cancel_at = 1};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
    terrain_heightmap *map = test_map(&spot);
    uint32_t *before = test_snapshot(map);
    pthread_t thread;
    void *equal;
    atomic_init(&owner.waits, false);
    setup_begin(&setup, graph, UINT64_C(64) << 20);
    setup.counts.stops = true;
    assert_int_equal(pthread_create(&thread, NULL, ask, &owner), 0);
    wait_for(&setup.counts.stopped);
    assert_int_equal(terrain_world_tile(context, setup.world, spot.x, spot.y, map),
                     TERRAIN_ERROR_CANCELLED);
    assert_string_equal(terrain_context_message(context), "world_tile: cancelled");
    progress = (test_progress){0};
    terrain_context_cancel(context);
    assert_int_equal(terrain_world_tile(context, setup.world, spot.x, spot.y, map),
                     TERRAIN_ERROR_CANCELLED);
    assert_int_equal(progress.reports, 0);
    assert_true(test_unchanged(map, before));
    /* No part of the progress is left to the next call. */
    assert_int_equal(terrain_generate_diamond_square(context, map, NULL), TERRAIN_SUCCESS);
    assert_true(progress.last == 1 && progress.faults == 0);
    atomic_store(&setup.counts.go_on, true);
    pthread_join(thread, &equal);
    assert_non_null(equal);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    setup_end(&setup);
}

/* Two calls for one tile: while the second waits, its report makes the first give up. */
struct leaving {
    struct setup *setup;
    pthread_t thread; /* of the owner */
    atomic_bool gives_up;
    terrain_status status; /* of the owner */
    uint32_t reports;      /* of the one that waits */
    bool stays;            /* the one that waits, and is not cancelled */
};

static int32_t leave_report(void *user, double fraction)
{
    struct leaving *leaving = user;
    (void)fraction;
    return atomic_load(&leaving->gives_up) ? 1 : 0;
}

static void *leave(void *user)
{
    struct leaving *leaving = user;
    terrain_context *context = test_context_reporting(leave_report, leaving);
    terrain_heightmap *map = test_map(&spot);
    leaving->status = terrain_world_tile(context, leaving->setup->world, spot.x, spot.y, map);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    return NULL;
}

static int32_t outwait_report(void *user, double fraction)
{
    struct leaving *leaving = user;
    (void)fraction;
    if (leaving->reports++ > 0) {
        return 0;
    }
    atomic_store(&leaving->gives_up, true);
    atomic_store(&leaving->setup->counts.go_on, true);
    pthread_join(leaving->thread, NULL);
    return leaving->stays ? 0 : 1;
}

/* A call that is cancelled just when the one that it waits for gives up, and begins again. */
static void test_cancel_of_both(void **state)
{
    struct setup setup;
    struct leaving leaving = {.setup = &setup};
    terrain_context *context = test_context_reporting(outwait_report, &leaving);
    terrain_heightmap *map = test_map(&spot);
    uint32_t *before = test_snapshot(map);
    atomic_init(&leaving.gives_up, false);
    setup_begin(&setup, graph, UINT64_C(64) << 20);
    setup.counts.stops = true;
    assert_int_equal(pthread_create(&leaving.thread, NULL, leave, &leaving), 0);
    wait_for(&setup.counts.stopped);
    assert_int_equal(terrain_world_tile(context, setup.world, spot.x, spot.y, map),
                     TERRAIN_ERROR_CANCELLED);
    assert_int_equal(leaving.status, TERRAIN_ERROR_CANCELLED);
    assert_int_equal(leaving.reports, 1);
    assert_true(test_unchanged(map, before));
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    setup_end(&setup);
}

/* A call that prepares what another one computes, and ends before that, with less than all: the
 * other one may give up. */
static void test_prepare_shared(void **state)
{
    struct setup setup, alone;
    struct leaving leaving = {.setup = &setup, .stays = true};
    terrain_context *context = test_context_reporting(outwait_report, &leaving);
    atomic_init(&leaving.gives_up, false);
    setup_begin(&alone, graph, UINT64_C(64) << 20);
    assert_int_equal(terrain_world_prepare(NULL, alone.world, &spot), TERRAIN_SUCCESS);
    setup_begin(&setup, graph, UINT64_C(64) << 20);
    setup.counts.stops = true;
    assert_int_equal(pthread_create(&leaving.thread, NULL, leave, &leaving), 0);
    wait_for(&setup.counts.stopped);
    assert_int_equal(terrain_world_prepare(context, setup.world, &spot), TERRAIN_SUCCESS);
    assert_int_equal(leaving.status, TERRAIN_ERROR_CANCELLED);
    assert_int_equal(terrain_world_cache_size(setup.world), terrain_world_cache_size(alone.world));
    terrain_context_destroy(context);
    setup_end(&alone);
    setup_end(&setup);
}

struct heir {
    struct leaving leaving;
    test_progress progress;
    double widest; /* step of the progress */
    double waited; /* where it stood still */
};

static int32_t inherit_report(void *user, double fraction)
{
    struct heir *heir = user;
    const double step = fraction - heir->progress.last;
    test_progress *progress = &heir->progress;
    progress->reports++;
    progress->faults += !(step >= 0 && fraction <= 1);
    progress->ends += fraction == 1;
    progress->last = fraction;
    heir->widest = step > heir->widest ? step : heir->widest;
    /* If it has fallen back to 0, it will not wait for ever. */
    if (step == 0 && (fraction > 0 || progress->reports > 100) && fraction < 1 &&
        !atomic_load(&heir->leaving.gives_up)) {
        heir->waited = fraction;
        atomic_store(&heir->leaving.gives_up, true);
        atomic_store(&heir->leaving.setup->counts.go_on, true);
        pthread_join(heir->leaving.thread, NULL);
    }
    return 0;
}

/* A tile that reads what another call has given up; one whose progress, when it begins again, falls
 * back, ends early or stands still to the end; or one that is refused then, because blocks of both
 * tries are counted. */
static void test_inherit(void **state)
{
    const terrain_window window = {spot.x + 96, spot.y, spot.width, spot.height};
    struct setup setup;
    struct heir heir = {.leaving = {.setup = &setup}};
    terrain_context *context = test_context_reporting(inherit_report, &heir);
    setup_begin(&setup, graph, UINT64_C(64) << 20);
    terrain_heightmap *wanted = wanted_of(&setup, &window);
    setup.counts.stops = true;
    atomic_init(&heir.leaving.gives_up, false);
    assert_int_equal(pthread_create(&heir.leaving.thread, NULL, leave, &heir.leaving), 0);
    wait_for(&setup.counts.stopped);
    setup.world->memory_limit = 1;
    assert_false(tile_is(&setup, context, &window, wanted));
    const char *named = strstr(terrain_context_message(context), ": ");
    assert_non_null(named);
    setup.world->memory_limit = strtoull(named + 2, NULL, 10);
    assert_true(setup.world->memory_limit > 100000);
    assert_true(tile_is(&setup, context, &window, wanted));
    assert_int_equal(heir.leaving.status, TERRAIN_ERROR_CANCELLED);
    assert_true(heir.waited > 0 && heir.progress.faults == 0 && heir.progress.ends == 1);
    assert_true(heir.widest < 0.2);
    terrain_heightmap_destroy(wanted);
    terrain_context_destroy(context);
    setup_end(&setup);
}

/* A callback that asks for a tile of the world that it is called for. */
struct visitor {
    terrain_world *world, *other;
    terrain_heightmap *map;
    uint32_t busy, calls;
};

static int32_t visit(void *user, double fraction)
{
    struct visitor *visitor = user;
    (void)fraction;
    visitor->calls++;
    visitor->busy += terrain_world_tile(NULL, visitor->world, spot.x, spot.y, visitor->map) ==
                     TERRAIN_ERROR_BUSY;
    return visitor->other != NULL && terrain_world_tile(NULL, visitor->other, spot.x, spot.y,
                                                        visitor->map) != TERRAIN_SUCCESS;
}

/* A call that waits for itself. */
static void test_reentry(void **state)
{
    struct setup setup, other;
    struct visitor visitor = {.map = test_map(&spot)};
    terrain_heightmap *map = test_map(&spot), *wanted;
    terrain_context *context = test_context_reporting(visit, &visitor);
    setup_begin(&setup, graph, UINT64_C(1) << 20);
    setup_begin(&other, graph, UINT64_C(1) << 20);
    visitor.world = setup.world;
    visitor.other = other.world;
    assert_int_equal(terrain_world_tile(context, setup.world, spot.x, spot.y, map),
                     TERRAIN_SUCCESS);
    assert_true(visitor.calls > 5 && visitor.busy == visitor.calls);
    wanted = wanted_of(&setup, &spot);
    assert_true(test_windows_equal(wanted, map, &spot));
    assert_true(tile_is(&setup, NULL, &spot, wanted)); /* it has been left */
    terrain_heightmap_destroy(wanted);
    terrain_heightmap_destroy(map);
    terrain_heightmap_destroy(visitor.map);
    terrain_context_destroy(context);
    setup_end(&setup);
    setup_end(&other);
}

/* A call of another thread. */
struct visits {
    terrain_world *world;
    terrain__world_visit first;
};

static void *begin_visit(void *user)
{
    struct visits *visits = user;
    return terrain__world_begin_visit(visits->world, &visits->first) ? user : NULL;
}

/* A thread that is not found in the world behind another one, which came before or after it. */
static void test_visits(void **state)
{
    struct setup setup;
    struct visits visits;
    terrain__world_visit second, third;
    pthread_t thread;
    void *begun;
    setup_begin(&setup, graph, 0);
    visits.world = setup.world;
    for (int order = 0; order < 2; order++) {
        assert_true(order == 0 || terrain__world_begin_visit(setup.world, &second));
        assert_int_equal(pthread_create(&thread, NULL, begin_visit, &visits), 0);
        pthread_join(thread, &begun);
        assert_non_null(begun);
        assert_true(order == 1 || terrain__world_begin_visit(setup.world, &second));
        assert_false(terrain__world_begin_visit(setup.world, &third));
        terrain__world_end_visit(setup.world, &visits.first);
        assert_false(terrain__world_begin_visit(setup.world, &third));
        terrain__world_end_visit(setup.world, &second);
        assert_true(terrain__world_begin_visit(setup.world, &third));
        terrain__world_end_visit(setup.world, &third);
    }
    setup_end(&setup);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

/* A world that can't be had, or a message that does not name the statement. */
static void test_refusals(void **state)
{
    static const struct {
        const char *text, *message;
        terrain_status status;
    } cases[] = {
        {"a = generate_noise\nb = shape_remap a mode=found\n", "line 2, b",
         TERRAIN_ERROR_UNSUPPORTED},
        {"a = generate_fault_lines\n", "line 1, a", TERRAIN_ERROR_UNSUPPORTED},
        {"input land\nb = blur_box land\n", "'land'", TERRAIN_ERROR_ARGUMENT},
    };
    terrain_context *context = test_plain_context();
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        test_allocator allocator = {0};
        terrain_world *world = (terrain_world *)context;
        terrain_world_desc desc;
        terrain_world_desc_init(&desc, sizeof desc);
        desc.recipe = test_recipe(cases[i].text);
        desc.allocator = test_allocator_of(&allocator);
        assert_int_equal(terrain_world_create(context, &desc, &world), cases[i].status);
        assert_null(world);
        expect_message(context, cases[i].message);
        assert_int_equal(allocator.live, 0);
        terrain_recipe_destroy((terrain_recipe *)(uintptr_t)desc.recipe);
    }
    terrain_context_destroy(context);
}

static void add_statements(terrain_recipe *recipe, int count)
{
    terrain_recipe_statement statement;
    terrain_recipe_statement_init(&statement, sizeof statement);
    statement.name = "more";
    statement.operation = terrain_operation_find("generate_noise");
    for (int i = 0; i < count; i++) {
        assert_int_equal(terrain_recipe_add(NULL, recipe, &statement), TERRAIN_SUCCESS);
    }
}

static void expect_changed_refused(const char *text)
{
    struct setup setup;
    terrain_context *context = test_plain_context();
    terrain_heightmap *map = test_map(&spot);
    terrain_recipe_plan *plan = NULL;
    const terrain_recipe_run_desc desc = test_run_of_world(&spot);
    setup_begin(&setup, text, 1 << 20);
    assert_int_equal(terrain_recipe_plan_create(context, setup.recipe, &desc, &plan), 0);
    const uint64_t cells = terrain_recipe_plan_cells(plan, UINT32_MAX);
    add_statements(setup.recipe, 300);
    assert_int_equal(terrain_recipe_plan_cells(plan, UINT32_MAX), cells);
    const uint64_t before = terrain_heightmap_hash(map);
    assert_int_equal(terrain_world_tile(context, setup.world, spot.x, spot.y, map),
                     TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context),
                        "world_tile: the recipe has changed since the world was made");
    assert_int_equal(terrain_world_prepare(context, setup.world, &spot), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_recipe_plan_run(context, plan, NULL, &map), TERRAIN_ERROR_ARGUMENT);
    assert_string_equal(terrain_context_message(context),
                        "recipe_plan_run: the recipe has changed since the plan was made");
    assert_true(terrain_heightmap_hash(map) == before);
    terrain_recipe_plan_destroy(plan);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    setup_end(&setup);
}

/* A host that reloads a recipe into the one that a world or a plan lives by: a read beyond the end
 * of what they keep for each statement. The second world has taken its recipe apart. */
static void test_changed_recipe(void **state)
{
    expect_changed_refused(graph);
    expect_changed_refused("a = generate_drainage");
}

/* Memory of a context that is still in use when the world is made, or refused. */
static void test_making(void **state)
{
    static const char *const names[] = {"worn", "nothing"};
    test_allocator allocator = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    terrain_recipe *recipe = test_recipe(graph);
    for (int i = 0; i < 2; i++) {
        terrain_world *world = NULL;
        terrain_world_desc desc;
        terrain_world_desc_init(&desc, sizeof desc);
        desc.recipe = recipe;
        desc.name = names[i];
        assert_int_equal(terrain_world_create(context, &desc, &world),
                         i == 0 ? TERRAIN_SUCCESS : TERRAIN_ERROR_ARGUMENT);
        terrain_context_trim(context);
        assert_int_equal(allocator.live, 1); /* the context itself */
        terrain_world_destroy(world);
    }
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
}

/* A crash, or a map changed, on arguments that make no sense. */
static void test_bad_input(void **state)
{
    const terrain_window window = {0, 0, 8, 8};
    terrain_context *context = test_plain_context();
    terrain_heightmap *map = test_map(&window), *fixed = NULL;
    terrain_world *world = NULL;
    terrain_world_desc desc;
    struct setup setup;
    setup_begin(&setup, graph, 0);
    terrain_heightmap_wrap_const(NULL, terrain_heightmap_const_data(map), 8, 8, 8, &fixed);
    assert_int_equal(terrain_world_tile(context, NULL, 0, 0, map), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_world_tile(context, setup.world, 0, 0, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_world_tile(context, setup.world, 0, 0, fixed), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_world_tile(context, setup.world, TERRAIN_WORLD_LIMIT, 0, map),
                     TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_world_tile(context, setup.world, INT64_MIN, INT64_MAX, map),
                     TERRAIN_ERROR_RANGE);
    /* The tile lies in the world, but not what it needs. */
    expect_refused(terrain_world_tile(context, setup.world, TERRAIN_WORLD_LIMIT - 8, 0, map),
                   TERRAIN_ERROR_RANGE, context, "line ");
    assert_int_equal(terrain_world_tile(context, setup.world, TERRAIN_WORLD_LIMIT - 300, 0, map),
                     TERRAIN_SUCCESS);
    terrain_heightmap *tall = test_map_of_size(8, 1000, 1);
    assert_int_equal(terrain_world_tile(context, setup.world, TERRAIN_WORLD_LIMIT - 300, 0, tall),
                     TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(context, setup.world, 0, TERRAIN_WORLD_LIMIT - 300, tall),
                     TERRAIN_ERROR_RANGE);
    terrain_heightmap_destroy(tall);
    assert_int_equal(terrain_world_desc_init(NULL, sizeof desc), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_world_desc_init(&desc, 3), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_world_create(context, NULL, &world), TERRAIN_ERROR_ARGUMENT);
    memset(&desc, 0, sizeof desc);
    assert_int_equal(terrain_world_create(context, &desc, &world), TERRAIN_ERROR_ARGUMENT);
    terrain_world_desc_init(&desc, sizeof desc);
    assert_true(desc.cache_bytes == UINT64_C(64) << 20 && desc.memory_limit == 0);
    assert_true(desc.cell_size == 1 && desc.scale == 1);
    assert_int_equal(terrain_world_create(context, &desc, &world), TERRAIN_ERROR_ARGUMENT);
    desc.recipe = setup.recipe;
    assert_int_equal(terrain_world_create(context, &desc, NULL), TERRAIN_ERROR_ARGUMENT);
    desc.cell_size = 0;
    assert_int_equal(terrain_world_create(context, &desc, &world), TERRAIN_ERROR_RANGE);
    desc.cell_size = 1;
    desc.name = "nothing";
    assert_int_equal(terrain_world_create(context, &desc, &world), TERRAIN_ERROR_ARGUMENT);
    desc.name = "worn"; /* a map that others read */
    desc.seed = 3;
    assert_int_equal(terrain_world_create(context, &desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(context, world, 5, 5, map), TERRAIN_SUCCESS);
    terrain_world_destroy(world);
    terrain_world_destroy(NULL);
    terrain_world_trim(NULL);
    assert_int_equal(terrain_world_cache_size(NULL), 0);
    terrain_heightmap_destroy(fixed);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    setup_end(&setup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_order),          cmocka_unit_test(test_sizes),
        cmocka_unit_test(test_sharing),        cmocka_unit_test(test_sharing_of_parameters),
        cmocka_unit_test(test_kept),           cmocka_unit_test(test_eviction),
        cmocka_unit_test(test_room),           cmocka_unit_test(test_once),
        cmocka_unit_test(test_no_memory),      cmocka_unit_test(test_full),
        cmocka_unit_test(test_claimed_again),  cmocka_unit_test(test_cancel),
        cmocka_unit_test(test_runners),        cmocka_unit_test(test_take_over),
        cmocka_unit_test(test_give_up),        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_cancel_waiting), cmocka_unit_test(test_cancel_of_both),
        cmocka_unit_test(test_bad_input),      cmocka_unit_test(test_inherit),
        cmocka_unit_test(test_reentry),        cmocka_unit_test(test_visits),
        cmocka_unit_test(test_changed_recipe), cmocka_unit_test(test_trimming_allocator),
        cmocka_unit_test(test_prepare_shared), cmocka_unit_test(test_making),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
