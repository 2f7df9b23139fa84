/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The limits of a world, memory_limit and cache_bytes, to the byte: what they allow is enough, and
 * what a refusal names would do. */

#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "terrain/world.h"

static const terrain_window window = {-20, 70, 90, 60};

/* A world, and a context that keeps its memory, each with an allocator that counts. */
struct limited {
    test_allocator of_world, of_context;
    terrain_context *context;
    terrain_world *world;
    uint64_t own; /* bytes of the world before anything is kept */
    uint64_t cells;
};

static void count_cells(void *user, uint32_t statement, const terrain_window *made)
{
    struct limited *limited = user;
    (void)statement;
    limited->cells += (uint64_t)made->width * made->height;
}

static void limited_begin(struct limited *limited, const terrain_recipe *recipe,
                          uint64_t cache_bytes, uint64_t memory_limit)
{
    static const char *const names[2] = {"a", "end"};
    terrain_world_desc desc;
    memset(limited, 0, sizeof *limited);
    limited->context = test_context(TERRAIN_ISA_BEST, NULL, &limited->of_context, NULL);
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.output_names = names;
    desc.output_count = 2;
    desc.cache_bytes = cache_bytes;
    desc.memory_limit = memory_limit;
    desc.allocator = test_allocator_of(&limited->of_world);
    desc.observer = (terrain_recipe_observer){limited, count_cells};
    assert_int_equal(terrain_world_create(NULL, &desc, &limited->world), TERRAIN_SUCCESS);
    limited->own = limited->of_world.live_bytes;
}

static void limited_end(struct limited *limited)
{
    terrain_world_destroy(limited->world);
    terrain_context_destroy(limited->context);
    assert_true(limited->of_world.live == 0 && limited->of_context.live == 0);
    assert_true(limited->of_world.faults == 0 && limited->of_context.faults == 0);
}

/* What calls took at most. */
static uint64_t limited_most(const struct limited *limited)
{
    return limited->of_world.most_bytes - limited->own + limited->of_context.most_bytes;
}

/* How many bytes a refusal names. */
static uint64_t limited_named(const struct limited *limited)
{
    const char *text = strstr(terrain_context_message(limited->context), " bytes would be needed");
    assert_non_null(text);
    while (text[-1] >= '0' && text[-1] <= '9') {
        text--;
    }
    return strtoull(text, NULL, 10);
}

enum { SHOWN, MADE, BOTH, PREPARED, WAYS };

/* Asks for a tile that shows a map which is kept, one of which nothing is, or both; or prepares it.
 */
static terrain_status limited_ask(struct limited *limited, int way)
{
    terrain_heightmap *shown = test_map(&window), *made = test_map(&window);
    terrain_heightmap *const maps[2] = {way == MADE ? NULL : shown, way == SHOWN ? NULL : made};
    const terrain_status status =
        way == PREPARED ? terrain_world_prepare(limited->context, limited->world, &window)
                        : terrain_world_tile_maps(limited->context, limited->world, window.x,
                                                  window.y, maps, 2);
    terrain_heightmap_destroy(made);
    terrain_heightmap_destroy(shown);
    return status;
}

/* A map read from afar, by a statement that is read from afar, too. One that many read at once,
 * which takes more than what is kept. One of which the first job reads more than a later one. */
static const char *const texts[] = {
    "a = generate_noise period=60 octaves=2\n"
    "b = blur_box a radius=70\n"
    "end = blur_box b radius=70\n",
    "a = generate_noise period=60 octaves=2\n"
    "b = blur_box a radius=70\n"
    "c = blur_box a radius=68\n"
    "d = blur_box a radius=66\n"
    "end = combine_blend b c\n"
    "end = combine_blend end d\n",
    "a = generate_noise period=60 octaves=2\n"
    "b = blur_box a radius=64\n"
    "c = blur_box b radius=64\n"
    "d = blur_box a radius=300\n"
    "end = combine_blend c d\n",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

/* A tile that takes more than its limit; one that is refused although a refusal has named as much;
 * or a refusal after something has been computed. */
static void test_least(void **state)
{
    for (int i = 0; i < TEXTS * WAYS; i++) {
        terrain_recipe *recipe = test_recipe(texts[i / WAYS]);
        uint64_t refused = 1, allowed = 0, least_named = UINT64_MAX;
        for (uint64_t limit = 1; allowed == 0 || allowed - refused > 1;
             limit = refused + (allowed - refused) / 2) {
            struct limited limited;
            limited_begin(&limited, recipe, UINT64_MAX, limit);
            const terrain_status status = limited_ask(&limited, i % WAYS);
            if (status == TERRAIN_SUCCESS) {
                assert_true(limited_most(&limited) <= limit);
                allowed = limit;
            } else {
                assert_int_equal(status, TERRAIN_ERROR_MEMORY);
                assert_int_equal(limited.cells, 0);
                const uint64_t named = limited_named(&limited);
                least_named = named < least_named ? named : least_named;
                refused = limit;
                allowed = allowed == 0 ? named : allowed;
            }
            limited_end(&limited);
        }
        assert_true(allowed <= least_named);
        struct limited limited;
        limited_begin(&limited, recipe, UINT64_MAX, refused);
        assert_int_equal(limited_ask(&limited, i % WAYS), TERRAIN_ERROR_MEMORY);
        if (i == WAYS + MADE) { /* where the most maps are, not where most is kept */
            expect_message(limited.context, "line 3, c: ");
        }
        limited_end(&limited);
        limited_begin(&limited, recipe, UINT64_MAX, allowed);
        assert_int_equal(limited_ask(&limited, i % WAYS), TERRAIN_SUCCESS);
        limited_end(&limited);
        terrain_recipe_destroy(recipe);
    }
}

/* A tile that only shows what smaller ones have left, whose maps nobody counts. */
static void test_shown(void **state)
{
    enum { SIDE = 200, SMALL = 20, PLACES = SIDE / SMALL };
    terrain_recipe *recipe = test_recipe(texts[0]);
    terrain_heightmap *map = test_map_of_size(SIDE, SIDE, 1);
    terrain_heightmap *small = test_map_of_size(SMALL, SMALL, 1);
    uint32_t counts[2] = {0};
    for (uint64_t limit = 250000; limit < 450000; limit += 20000) {
        struct limited limited;
        limited_begin(&limited, recipe, UINT64_MAX, limit);
        for (int i = 0; i < PLACES * PLACES; i++) {
            assert_int_equal(terrain_world_tile(limited.context, limited.world, i % PLACES * SMALL,
                                                i / PLACES * SMALL, small),
                             TERRAIN_SUCCESS);
        }
        const uint64_t cells = limited.cells;
        terrain_context_trim(limited.context);
        limited.of_context.most_bytes = limited.of_context.live_bytes;
        limited.of_world.most_bytes = limited.of_world.live_bytes;
        const terrain_status status = terrain_world_tile(limited.context, limited.world, 0, 0, map);
        if (status == TERRAIN_SUCCESS) {
            assert_true(limited_most(&limited) <= limit);
        } else {
            expect_message(limited.context, "line 1, a: ");
            expect_message(limited.context, "for 200x200 cells at (0, 0); memory_limit is ");
        }
        assert_true(limited.cells == cells);
        counts[status == TERRAIN_SUCCESS]++;
        limited_end(&limited);
    }
    assert_true(counts[0] > 0 && counts[1] > 0);
    terrain_heightmap_destroy(small);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
}

/* Memory that a context keeps from a larger call, and still keeps where a limit forbids it. */
static void test_kept_memory(void **state)
{
    const uint64_t limit = 3000000;
    terrain_recipe *recipe = test_recipe(texts[0]);
    terrain_heightmap *large = test_map_of_size(1000, 1000, 1);
    struct limited wide, limited;
    limited_begin(&wide, recipe, UINT64_MAX, 0);
    limited_begin(&limited, recipe, UINT64_MAX, limit);
    assert_int_equal(terrain_world_tile(limited.context, wide.world, 0, 0, large), TERRAIN_SUCCESS);
    assert_true(limited.of_context.live_bytes > limit);
    assert_int_equal(limited_ask(&limited, MADE), TERRAIN_SUCCESS);
    limited.of_world.most_bytes = limited.of_world.live_bytes;
    limited.of_context.most_bytes = limited.of_context.live_bytes;
    assert_true(limited_most(&limited) <= limit);
    limited_end(&limited);
    limited_end(&wide);
    terrain_heightmap_destroy(large);
    terrain_recipe_destroy(recipe);
}

/* A cache that must be larger than what it is to keep; a call that is refused by the greater of two
 * limits, or by one that nobody has set; one that throws away what was kept, and is refused. */
static void test_prepare(void **state)
{
    terrain_heightmap *other = test_map_of_size(240, 240, 1);
    for (int i = 0; i < 2; i++) {
        terrain_recipe *recipe = test_recipe(texts[i]);
        struct limited limited;
        limited_begin(&limited, recipe, UINT64_MAX, 0);
        assert_int_equal(limited_ask(&limited, PREPARED), TERRAIN_SUCCESS);
        const uint64_t kept = terrain_world_cache_size(limited.world);
        const uint64_t most = limited_most(&limited);
        limited_end(&limited);
        assert_true(kept < most);

        limited_begin(&limited, recipe, kept, most * 2);
        assert_int_equal(limited_ask(&limited, PREPARED), TERRAIN_SUCCESS);
        assert_int_equal(terrain_world_cache_size(limited.world), kept);
        limited_end(&limited);

        for (int k = 1; k <= 2; k++) {
            limited_begin(&limited, recipe, (kept - 1) / k, most * 2);
            assert_int_equal(terrain_world_tile(limited.context, limited.world, 5000, 5000, other),
                             TERRAIN_SUCCESS);
            const uint64_t before = terrain_world_cache_size(limited.world);
            limited.cells = 0;
            assert_int_equal(limited_ask(&limited, PREPARED), TERRAIN_ERROR_MEMORY);
            expect_message(limited.context, "line 1, a: ");
            expect_message(limited.context, "cache_bytes is ");
            assert_true(limited_named(&limited) == kept);
            assert_int_equal(limited.cells, 0);
            assert_true(k == 1 || terrain_world_cache_size(limited.world) == before);
            limited_end(&limited);
        }

        limited_begin(&limited, recipe, kept, kept);
        assert_int_equal(limited_ask(&limited, PREPARED), TERRAIN_ERROR_MEMORY);
        expect_message(limited.context, "line 1, a: ");
        expect_message(limited.context, "memory_limit is ");
        assert_true(limited_named(&limited) >= most);
        limited_end(&limited);
        terrain_recipe_destroy(recipe);
    }
    terrain_heightmap_destroy(other);
}

/* Bytes beforehand that are not those which a refusal names, that don't do as limits, or that
 * depend on what is kept; regions among them. */
static void test_tile_bytes(void **state)
{
    static const char *const regions = "a = generate_noise octaves=2\nend = shape_fill a\n"
                                       "end = shape_breach end\n";
    for (int i = 0; i < TEXTS + 1; i++) {
        terrain_recipe *recipe = test_recipe(i < TEXTS ? texts[i] : regions);
        struct limited limited;
        uint64_t kept = 0, needed = 0, kept_later = 0, needed_later = 0;
        limited_begin(&limited, recipe, UINT64_MAX, 1);
        assert_int_equal(
            terrain_world_tile_bytes(limited.context, limited.world, &window, &kept, &needed),
            TERRAIN_SUCCESS);
        assert_true(limited.cells == 0 && terrain_world_cache_size(limited.world) == 0);
        assert_int_equal(limited_ask(&limited, BOTH), TERRAIN_ERROR_MEMORY);
        assert_true(limited_named(&limited) == needed);
        limited_end(&limited);

        limited_begin(&limited, recipe, UINT64_MAX, needed);
        assert_int_equal(limited_ask(&limited, BOTH), TERRAIN_SUCCESS);
        assert_true(limited_most(&limited) <= needed);
        assert_int_equal(terrain_world_tile_bytes(limited.context, limited.world, &window,
                                                  &kept_later, &needed_later),
                         TERRAIN_SUCCESS);
        assert_true(kept_later == kept && needed_later == needed);
        limited_end(&limited);

        limited_begin(&limited, recipe, UINT64_MAX, needed);
        assert_int_equal(limited_ask(&limited, PREPARED), TERRAIN_SUCCESS);
        limited_end(&limited);

        for (uint64_t less = 0; less < 2; less++) {
            limited_begin(&limited, recipe, kept - less, 0);
            const terrain_status status = limited_ask(&limited, PREPARED);
            assert_int_equal(status, less == 0 ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY);
            assert_true(terrain_world_cache_size(limited.world) == (less == 0 ? kept : 0));
            limited_end(&limited);
        }
        terrain_recipe_destroy(recipe);
    }
}

/* Mistakes that are not told, and numbers written though nothing was counted. */
static void test_tile_bytes_refusals(void **state)
{
    const terrain_window empty = {0, 0, 0, 5}, far = {TERRAIN_WORLD_LIMIT, 0, 5, 5};
    terrain_recipe *recipe = test_recipe(texts[0]);
    struct limited limited;
    uint64_t kept = 77, needed = 78;
    limited_begin(&limited, recipe, UINT64_MAX, 0);
    terrain_context *context = limited.context;
    terrain_world *world = limited.world;
    expect_refused(terrain_world_tile_bytes(context, NULL, &window, &kept, &needed),
                   TERRAIN_ERROR_ARGUMENT, context, "world_tile_bytes: world is NULL");
    expect_refused(terrain_world_tile_bytes(context, world, NULL, &kept, &needed),
                   TERRAIN_ERROR_ARGUMENT, context, "world_tile_bytes: window is NULL");
    expect_refused(terrain_world_tile_bytes(context, world, &window, NULL, &needed),
                   TERRAIN_ERROR_ARGUMENT, context, "world_tile_bytes: kept or needed is NULL");
    expect_refused(terrain_world_tile_bytes(context, world, &window, &kept, NULL),
                   TERRAIN_ERROR_ARGUMENT, context, "world_tile_bytes: kept or needed is NULL");
    expect_refused(terrain_world_tile_bytes(context, world, &empty, &kept, &needed),
                   TERRAIN_ERROR_RANGE, context, "world_tile_bytes: the window is 0x5");
    expect_refused(terrain_world_tile_bytes(context, world, &far, &kept, &needed),
                   TERRAIN_ERROR_RANGE, context, "must lie within 2^62 of the origin");
    for (uint64_t fail = 1; fail > 0; fail++) {
        limited.of_context.fail_at = limited.of_context.calls + fail;
        const terrain_status status =
            terrain_world_tile_bytes(context, world, &window, &kept, &needed);
        limited.of_context.fail_at = 0;
        terrain_context_trim(context);
        if (status == TERRAIN_SUCCESS) {
            break;
        }
        assert_int_equal(status, TERRAIN_ERROR_MEMORY);
        assert_true(kept == 77 && needed == 78);
    }
    assert_true(kept != 77 && needed > kept);
    assert_int_equal(terrain_world_tile_bytes(NULL, world, &window, &kept, &needed),
                     TERRAIN_SUCCESS);
    limited_end(&limited);
    terrain_recipe_destroy(recipe);
}

/* Regions of a map that a tile does not show, counted with those that it needs. */
static void test_not_shown(void **state)
{
    terrain_recipe *recipe = test_recipe("a = generate_noise octaves=2\nend = shape_fill a\n");
    struct limited limited;
    limited_begin(&limited, recipe, UINT64_MAX, 1000000);
    assert_int_equal(limited_ask(&limited, SHOWN), TERRAIN_SUCCESS);
    assert_int_equal(limited_ask(&limited, MADE), TERRAIN_ERROR_MEMORY);
    limited_end(&limited);
    terrain_recipe_destroy(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_least),       cmocka_unit_test(test_shown),
        cmocka_unit_test(test_kept_memory), cmocka_unit_test(test_prepare),
        cmocka_unit_test(test_tile_bytes),  cmocka_unit_test(test_tile_bytes_refusals),
        cmocka_unit_test(test_not_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
