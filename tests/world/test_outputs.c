/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Worlds that show several maps: each has the bits of the recipe, what they share is computed once,
 * what nobody wants is not, and a call that fails changes none of them. */

#include <string.h>

#include "support/check.h"
#include "terrain/world.h"

enum { SEED = 9, MOST_MAPS = 5, MOST_STATEMENTS = 8 };

/* Neighbours behind each other, a further output, coarse levels, regions, a map shown twice. */
static const struct kind {
    const char *text;
    const char *names[MOST_MAPS];
    uint32_t count;
} kinds[] = {
    {"land = generate_noise period=60 octaves=3 amplitude=30\n"
     "worn = erode_thermal land mode=layers iterations=70 debris_out=loss\n"
     "soft = blur_gaussian worn sigma=4\n"
     "east = analyze_normals soft normal_y=south\n"
     "flat = analyze_band soft high=3\n",
     {"soft", "loss", "south", NULL, "land"},
     5},
    {"land = generate_drainage period=1024 discharge=flow water=lakes level=1\n"
     "near = blur_box flow radius=70\n",
     {"land", "lakes", "near"},
     3},
    {"land = generate_noise period=50 octaves=2 amplitude=20\n"
     "full = shape_fill land depth=wet\n"
     "band = analyze_band wet low=0.5 high=100\n",
     {"wet", "full", "band", "full"},
     4},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

/* Calls of each statement. */
struct counts {
    uint32_t calls[MOST_STATEMENTS];
};

static void count_call(void *user, uint32_t statement, const terrain_window *window)
{
    (void)window;
    ((struct counts *)user)->calls[statement]++;
}

struct setup {
    terrain_recipe *recipe;
    terrain_world_desc desc;
    terrain_world *world;
    test_allocator allocator; /* the world's */
    struct counts counts;
};

static void setup_begin(struct setup *setup, const struct kind *kind, uint64_t cache_bytes)
{
    memset(setup, 0, sizeof *setup);
    setup->recipe = test_recipe(kind->text);
    terrain_world_desc_init(&setup->desc, sizeof setup->desc);
    setup->desc.recipe = setup->recipe;
    setup->desc.seed = SEED;
    setup->desc.cache_bytes = cache_bytes;
    setup->desc.allocator = test_allocator_of(&setup->allocator);
    setup->desc.observer = (terrain_recipe_observer){&setup->counts, count_call};
    setup->desc.output_names = kind->names;
    setup->desc.output_count = kind->count;
    assert_int_equal(terrain_world_create(NULL, &setup->desc, &setup->world), TERRAIN_SUCCESS);
}

static void setup_end(struct setup *setup)
{
    terrain_world_destroy(setup->world);
    terrain_recipe_destroy(setup->recipe);
    assert_int_equal(setup->allocator.live + setup->allocator.faults, 0);
}

/* Maps of the window's size, which hold no heights yet. */
static void maps_begin(terrain_heightmap **maps, uint32_t count, const terrain_window *window)
{
    for (uint32_t i = 0; i < count; i++) {
        maps[i] = NULL;
        assert_int_equal(terrain_heightmap_create(NULL, window->width, window->height, &maps[i]),
                         TERRAIN_SUCCESS);
    }
}

static void maps_end(terrain_heightmap **maps, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        terrain_heightmap_destroy(maps[i]);
    }
}

/* That window of the recipe's endless terrain, by terrain_recipe_run. */
static void wanted_of(const struct setup *setup, terrain_heightmap **maps,
                      const terrain_window *window)
{
    terrain_recipe_run_desc desc = test_run_of_world(window);
    maps_begin(maps, setup->desc.output_count, window);
    desc.seed = SEED;
    desc.output_names = setup->desc.output_names;
    desc.outputs = maps;
    desc.output_count = setup->desc.output_count;
    assert_int_equal(terrain_recipe_run(NULL, setup->recipe, &desc), TERRAIN_SUCCESS);
}

/* Tiles of all maps, of some, and of the first alone, in any order and with any cache. */
static void test_tiles(void **state)
{
    for (uint32_t k = 0; k < 3 * KINDS; k++) {
        static const uint64_t caches[] = {0, UINT64_C(400) << 10, UINT64_C(64) << 20};
        const struct kind *kind = &kinds[k / 3];
        test_random random = {k};
        struct setup setup;
        setup_begin(&setup, kind, caches[k % 3]);
        for (uint32_t tile = 0; tile < 4; tile++) {
            const terrain_window window = {
                test_between(&random, -150, 150), test_between(&random, -150, 150),
                (uint32_t)test_between(&random, 1, 80), (uint32_t)test_between(&random, 1, 80)};
            const uint32_t count = (uint32_t)test_between(&random, 1, kind->count);
            const uint32_t which = tile == 0 ? ~0u : (uint32_t)test_below(&random, 31) | 1u;
            terrain_heightmap *wanted[MOST_MAPS], *made[MOST_MAPS], *asked[MOST_MAPS];
            wanted_of(&setup, wanted, &window);
            maps_begin(made, count, &window);
            for (uint32_t i = 0; i < count; i++) {
                asked[i] = (which >> i & 1) != 0 ? made[i] : NULL;
            }
            assert_int_equal(
                terrain_world_tile_maps(NULL, setup.world, window.x, window.y, asked, count),
                TERRAIN_SUCCESS);
            for (uint32_t i = 0; i < count; i++) {
                const terrain_window of = test_window_of(made[i]);
                assert_true(asked[i] == NULL || (of.x == window.x && of.y == window.y));
                assert_true(asked[i] == NULL || test_windows_equal(wanted[i], made[i], &window));
            }
            assert_int_equal(terrain_world_tile(NULL, setup.world, window.x, window.y, made[0]),
                             TERRAIN_SUCCESS);
            assert_true(test_windows_equal(wanted[0], made[0], &window));
            maps_end(made, count);
            maps_end(wanted, kind->count);
        }
        setup_end(&setup);
    }
}

/* Statements that are computed for each map anew, or for a map that nobody wants. */
static void test_sharing(void **state)
{
    const terrain_window window = {10, -20, 60, 50};
    terrain_heightmap *maps[MOST_MAPS];
    struct setup setup;
    setup_begin(&setup, &kinds[0], 0);
    maps_begin(maps, 5, &window);
    assert_int_equal(terrain_world_tile_maps(NULL, setup.world, 10, -20, maps, 5), TERRAIN_SUCCESS);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(setup.counts.calls[i], 1);
    }
    terrain_heightmap *const loss[] = {NULL, maps[1]};
    assert_int_equal(terrain_world_tile_maps(NULL, setup.world, 10, -20, loss, 2), TERRAIN_SUCCESS);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(setup.counts.calls[i], i < 2 ? 2 : 1);
    }
    maps_end(maps, 5);
    setup_end(&setup);
}

/* Filling the cache for all maps: a tile of each then reads what is kept. */
static void test_prepare(void **state)
{
    const terrain_window window = {0, 0, 60, 50};
    terrain_heightmap *maps[MOST_MAPS], *wanted[MOST_MAPS];
    struct setup setup;
    setup_begin(&setup, &kinds[1], UINT64_C(64) << 20);
    wanted_of(&setup, wanted, &window);
    maps_begin(maps, 3, &window);
    assert_int_equal(terrain_world_prepare(NULL, setup.world, &window), TERRAIN_SUCCESS);
    const uint64_t kept = terrain_world_cache_size(setup.world);
    assert_true(kept > 0);
    assert_int_equal(terrain_world_tile_maps(NULL, setup.world, 0, 0, maps, 3), TERRAIN_SUCCESS);
    assert_true(terrain_world_cache_size(setup.world) == kept);
    for (uint32_t i = 0; i < 3; i++) {
        assert_true(test_windows_equal(wanted[i], maps[i], &window));
    }
    maps_end(maps, 3);
    maps_end(wanted, 3);
    setup_end(&setup);
}

/* ---- Mistakes -------------------------------------------------------------------------------- */

static void refuse_world(terrain_context *context, const terrain_world_desc *desc, const char *text)
{
    terrain_world *world = NULL;
    assert_int_equal(terrain_world_create(context, desc, &world), TERRAIN_ERROR_ARGUMENT);
    assert_null(world);
    assert_string_equal(terrain_context_message(context), text);
}

/* Outputs that a world can't show. */
static void test_refused_worlds(void **state)
{
    static const char *const unknown[] = {"land", "sofd"};
    terrain_context *context = test_context(TERRAIN_ISA_BASELINE, NULL, NULL, NULL);
    struct setup setup;
    setup_begin(&setup, &kinds[0], 0);
    terrain_world_desc desc = setup.desc;
    desc.flags = 0;
    refuse_world(context, &desc,
                 "world_create: desc is not initialised: call terrain_world_desc_init first");
    for (uint32_t count = 1; count <= 2; count++) {
        desc = setup.desc;
        desc.output_count = count;
        desc.name = "land";
        refuse_world(context, &desc, "world_create: name and output_names are both given");
        desc.name = NULL;
        desc.output_names = NULL;
        refuse_world(context, &desc,
                     "world_create: output_count is not 0, but output_names is NULL");
    }
    desc = setup.desc;
    desc.reserved_end = 1;
    refuse_world(context, &desc, "world_create: reserved fields must be zero");
    desc = setup.desc;
    desc.output_names = unknown;
    desc.output_count = 2;
    refuse_world(context, &desc,
                 "world_create: the recipe makes no map 'sofd' (did you mean 'soft'?)");
    terrain_context_destroy(context);
    setup_end(&setup);
}

/* Maps that a tile can't be written to, or that write over each other. */
static void test_refused_maps(void **state)
{
    const terrain_window window = {0, 0, 30, 20}, large = {0, 0, 30, 21};
    terrain_context *context = test_context(TERRAIN_ISA_BASELINE, NULL, NULL, NULL);
    terrain_heightmap *maps[MOST_MAPS], *part = NULL, *fixed = NULL, *other[1];
    struct setup setup;
    setup_begin(&setup, &kinds[0], 0);
    maps_begin(maps, 3, &window);
    maps_begin(other, 1, &large);
    float *cells = terrain_heightmap_data(maps[0]);
    assert_int_equal(terrain_heightmap_wrap(NULL, cells, 30, 20, 30, &part), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_wrap_const(NULL, cells, 30, 20, 30, &fixed),
                     TERRAIN_SUCCESS);
    terrain_heightmap *const none[] = {NULL, NULL};
    const struct {
        terrain_heightmap *const *maps;
        uint32_t count;
        terrain_status status;
        const char *text;
    } cases[] = {
        {NULL, 1, TERRAIN_ERROR_ARGUMENT, "maps is NULL"},
        {none, 2, TERRAIN_ERROR_ARGUMENT, "all maps are NULL"},
        {none, 0, TERRAIN_ERROR_ARGUMENT, "all maps are NULL"},
        {maps, 6, TERRAIN_ERROR_ARGUMENT, "count is 6, the world shows 5 maps"},
        {(terrain_heightmap *[]){NULL, maps[1], other[0]}, 3, TERRAIN_ERROR_ARGUMENT,
         "maps[2] is 30x21, must be 30x20 as maps[1]"},
        {(terrain_heightmap *[]){maps[0], maps[1], part}, 3, TERRAIN_ERROR_ALIAS,
         "maps[2] overlaps maps[0]"},
        {(terrain_heightmap *[]){maps[1], NULL, maps[1]}, 3, TERRAIN_ERROR_ALIAS,
         "maps[2] overlaps maps[0]"},
        {(terrain_heightmap *[]){maps[1], fixed}, 2, TERRAIN_ERROR_ARGUMENT, "map is const"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(
            terrain_world_tile_maps(context, setup.world, 0, 0, cases[i].maps, cases[i].count),
            cases[i].status);
        const char *message = terrain_context_message(context);
        assert_memory_equal(message, "world_tile_maps: ", 17);
        assert_string_equal(message + 17, cases[i].text);
    }
    terrain_heightmap_destroy(part);
    terrain_heightmap_destroy(fixed);
    maps_end(maps, 3);
    maps_end(other, 1);
    terrain_context_destroy(context);
    setup_end(&setup);
}

/* Each allocation of the world, and of a tile, that fails: memory that is lost, a world that shows
 * half of its maps, or a tile that was written in part. */
static void test_no_memory(void **state)
{
    const terrain_window window = {5, 5, 40, 30};
    bool failed = true;
    struct setup setup;
    setup_begin(&setup, &kinds[1], UINT64_C(1) << 20);
    for (uint64_t i = 0; failed; i++) {
        test_allocator allocator = {.fail_at = i + 1};
        terrain_world *world = setup.world;
        terrain_world_desc desc = setup.desc;
        desc.allocator = test_allocator_of(&allocator);
        failed = terrain_world_create(NULL, &desc, &world) == TERRAIN_ERROR_MEMORY;
        assert_true(failed == (world == NULL));
        terrain_world_destroy(world);
        assert_int_equal(allocator.live, 0);
    }
    failed = true;
    for (uint64_t i = 0; failed; i++) {
        test_allocator allocator = {0};
        terrain_heightmap *maps[MOST_MAPS];
        uint32_t *before[MOST_MAPS];
        terrain_context *context = test_context(TERRAIN_ISA_BASELINE, NULL, &allocator, NULL);
        maps_begin(maps, 3, &window);
        allocator.fail_at = allocator.calls + i + 1;
        for (uint32_t k = 0; k < 3; k++) {
            before[k] = test_snapshot(maps[k]);
        }
        failed = terrain_world_tile_maps(context, setup.world, 5, 5, maps, 3) != TERRAIN_SUCCESS;
        for (uint32_t k = 0; k < 3; k++) {
            const bool unchanged = test_unchanged(maps[k], before[k]);
            assert_true(failed ? unchanged : !unchanged || k > 0); /* no water may be there */
        }
        maps_end(maps, 3);
        terrain_context_destroy(context);
        assert_int_equal(allocator.live, 0);
        terrain_world_trim(setup.world);
    }
    setup_end(&setup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_prepare),      cmocka_unit_test(test_refused_worlds),
        cmocka_unit_test(test_refused_maps), cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
