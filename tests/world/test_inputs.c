/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Inputs of worlds: a map from outside must give what the statement would that made it, and nothing
 * may be lost where it ends. */

#include <stdio.h>
#include <string.h>

#include "support/check.h"
#include "terrain/world.h"

enum { SEED = 77 };

/* A recipe whose maps `first` and `second` are generated, and the same one to which they are
 * given. */
struct kind {
    const char *first, *second; /* statements; second may be NULL */
    const char *rest;
    terrain_window covers, tile; /* what inputs cover, in their own cells; and one of the tiles */
};

#define NOISE "first = generate_noise seed=3 period=60 octaves=3 amplitude=30\n"
#define MASK "second = generate_noise seed=9 period=90 octaves=2 amplitude=1\n"

static const struct kind kinds[] = {
    /* local, with blocks that are kept: read from afar, and read by two */
    {NOISE,
     MASK,
     "worn = erode_thermal first talus=0.4 iterations=90 mask=second\n"
     "soft = blur_gaussian worn sigma=3\n"
     "end  = combine_blend worn soft mode=maximum\n",
     {-400, -300, 900, 800},
     {13, -7, 70, 50}},
    /* an input that is replaced, and an output beside it */
    {NOISE,
     NULL,
     "first = erode_thermal first talus=0.4 iterations=70\n"
     "x = analyze_normals first normal_y=y\n"
     "x = combine_blend x y mode=add\n",
     {-400, -300, 900, 800},
     {-50, 30, 64, 64}},
    /* regions, which keep what the map was before */
    {NOISE,
     NULL,
     "b = shape_fill first depth=d\n"
     "c = combine_blend b d mode=add\n",
     {-1600, -1600, 3800, 3800},
     {100, 90, 60, 40}},
    /* coarse maps of a pyramid */
    {"first = generate_noise seed=3 period=30 octaves=3 amplitude=0.5\n",
     "second = generate_noise seed=4 period=30 octaves=3 amplitude=0.5\n",
     "land = generate_drainage seed=5 control=first uplift=second map_spacing=512 discharge=q\n"
     "end  = combine_blend land q mode=maximum\n",
     {-300, -300, 600, 600},
     {700, -300, 48, 40}},
    /* nothing that looks around */
    {NOISE, NULL, "end = shape_clamp first low=-5 high=9\n", {-40, -30, 90, 80}, {-20, 7, 33, 21}},
};
enum { KINDS = sizeof kinds / sizeof kinds[0] };

static terrain_recipe *recipe_of(const struct kind *kind, bool given)
{
    char text[1024];
    const char *second = kind->second == NULL ? "" : given ? "input second\n" : kind->second;
    snprintf(text, sizeof text, "%s%s%s", given ? "input first\n" : kind->first, second,
             kind->rest);
    return test_recipe(text);
}

/* The input that a statement makes, of the world's seed. */
static terrain_heightmap *input_of(const char *statement, const terrain_window *covers)
{
    terrain_recipe *recipe = test_recipe(statement);
    terrain_heightmap *map = test_map_of_world(recipe, covers, SEED, 1);
    terrain_recipe_destroy(recipe);
    return map;
}

/* A recipe, its inputs and their world. */
struct setup {
    terrain_recipe *recipe;
    terrain_heightmap *maps[2];
    terrain_world *world;
    test_allocator allocator; /* the world's */
    terrain_world_desc desc;
};

static const char *const names[] = {"first", "second"};

/* Inputs by names that are gone when the world is there. */
static void setup_begin(struct setup *setup, const struct kind *kind, uint64_t cache_bytes)
{
    char copies[2][16];
    const char *given[2] = {copies[1], copies[0]};
    const terrain_heightmap *maps[2];
    memset(setup, 0, sizeof *setup);
    setup->recipe = recipe_of(kind, true);
    setup->maps[0] = input_of(kind->first, &kind->covers);
    setup->maps[1] = kind->second != NULL ? input_of(kind->second, &kind->covers) : NULL;
    for (int i = 0; i < 2; i++) {
        snprintf(copies[i], sizeof copies[i], "%s", names[i]);
        maps[1 - i] = setup->maps[i];
    }
    terrain_world_desc_init(&setup->desc, sizeof setup->desc);
    setup->desc.recipe = setup->recipe;
    setup->desc.seed = SEED;
    setup->desc.cache_bytes = cache_bytes;
    setup->desc.allocator = test_allocator_of(&setup->allocator);
    setup->desc.input_count = kind->second != NULL ? 2 : 1;
    setup->desc.input_names = given + (kind->second == NULL);
    setup->desc.inputs = maps + (kind->second == NULL);
    assert_int_equal(terrain_world_create(NULL, &setup->desc, &setup->world), TERRAIN_SUCCESS);
    memset(copies, 0, sizeof copies);
    memset(given, 0, sizeof given);
    memset(maps, 0, sizeof maps);
}

static void setup_end(struct setup *setup)
{
    terrain_world_destroy(setup->world);
    assert_int_equal(setup->allocator.live, 0);
    terrain_heightmap_destroy(setup->maps[0]);
    terrain_heightmap_destroy(setup->maps[1]);
    terrain_recipe_destroy(setup->recipe);
}

/* Tiles that differ from those of the recipe that generates its inputs: by blocks of other cells,
 * with a cache or without, or by a map that was read after its time. */
static void test_tiles(void **state)
{
    for (uint32_t i = 0; i < KINDS * 2; i++) {
        const struct kind *kind = &kinds[i / 2];
        struct setup setup;
        terrain_recipe *whole = recipe_of(kind, false);
        setup_begin(&setup, kind, i % 2 == 0 ? 0 : 64 << 20);
        for (int k = 0; k < 3; k++) {
            terrain_window tile = kind->tile;
            tile.x += k == 1 ? 9 : 0;
            terrain_heightmap *wanted = test_map_of_world(whole, &tile, SEED, 1);
            terrain_heightmap *map = test_map(&tile);
            assert_int_equal(terrain_world_tile(NULL, setup.world, tile.x, tile.y, map),
                             TERRAIN_SUCCESS);
            assert_true(test_windows_equal(wanted, map, &tile));
            terrain_heightmap_destroy(wanted);
            terrain_heightmap_destroy(map);
        }
        terrain_recipe_destroy(whole);
        setup_end(&setup);
    }
}

/* Regions of the first statement, whose blocks have no place of its own for the input that they
 * change. */
static void test_first_statement(void **state)
{
    static const char *const name = "first";
    const terrain_window covers = {0, 0, 1536, 1536}, window = {700, 700, 70, 50};
    terrain_heightmap *map = input_of(NOISE, &covers), *wanted = test_map(&window);
    terrain_heightmap *tile = test_map(&window);
    const terrain_heightmap *const input = map;
    terrain_recipe *recipe =
        test_recipe("input first\nb = erode_stream_power first sea=5 iterations=1\n");
    terrain_recipe_run_desc run = test_run_of_world(&window);
    terrain_world_desc desc;
    terrain_world *world = NULL;
    run.input_names = &name;
    run.inputs = &input;
    run.input_count = 1;
    run.outputs = &wanted;
    run.output_count = 1;
    assert_int_equal(terrain_recipe_run(NULL, recipe, &run), TERRAIN_SUCCESS);
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.input_names = &name;
    desc.inputs = &input;
    desc.input_count = 1;
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(NULL, world, window.x, window.y, tile), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(wanted, tile));
    terrain_world_destroy(world);
    terrain_recipe_destroy(recipe);
    terrain_heightmap_destroy(tile);
    terrain_heightmap_destroy(wanted);
    terrain_heightmap_destroy(map);
}

/* A tile, or blocks to be prepared, beyond an input: cells made of nothing, or a block that no
 * later call can have. */
static void test_edge(void **state)
{
    for (uint32_t i = 0; i < KINDS * 2; i++) {
        const struct kind *kind = &kinds[i / 2];
        struct setup setup;
        terrain_context *context = test_plain_context();
        const terrain_window beyond = {400000, 0, 40, 30};
        terrain_heightmap *map = test_map(&kind->tile);
        setup_begin(&setup, kind, i % 2 == 0 ? 0 : 64 << 20);
        test_fill_heights(map, 3);
        uint32_t *before = test_snapshot(map);
        expect_refused(terrain_world_tile(context, setup.world, beyond.x, beyond.y, map),
                       TERRAIN_ERROR_RANGE, context, "input '");
        expect_message(context, "is needed");
        assert_true(test_unchanged(map, before));
        if (setup.desc.cache_bytes > 0 && i / 2 < KINDS - 1) {
            assert_int_equal(terrain_world_prepare(context, setup.world, &beyond),
                             TERRAIN_ERROR_RANGE);
        }
        assert_int_equal(terrain_world_tile(context, setup.world, kind->tile.x, kind->tile.y, map),
                         TERRAIN_SUCCESS);
        terrain_heightmap_destroy(map);
        terrain_context_destroy(context);
        setup_end(&setup);
    }
}

/* Inputs that are wrong, of which nothing is told, or by which memory is lost. */
static void test_refusals(void **state)
{
    static const char *const both[] = {"first", "second"}, *const twice[] = {"first", "first"};
    static const char *const other[] = {"first", "worn"}, *const none[] = {"first", NULL};
    static const struct {
        const char *const *names;
        uint32_t count;
        bool null, unset; /* the second map; the list of them */
        const char *message;
    } cases[] = {
        {NULL, 1, false, false, "input_names or inputs is NULL"},
        {NULL, 2, false, false, "input_names or inputs is NULL"},
        {both, 1, false, true, "input_names or inputs is NULL"},
        {both, 2, false, true, "input_names or inputs is NULL"},
        {both, 0, false, false, "input 'first' is missing"},
        {both, 1, false, false, "input 'second' is missing"},
        {both, 2, true, false, "input 'second' is NULL"},
        {twice, 2, false, false, "input 'first' is given twice"},
        {other, 2, false, false, "input 'worn' is not an input of the recipe"},
        {none, 2, false, false, "is NULL"},
    };
    struct setup setup;
    terrain_context *context = test_plain_context();
    setup_begin(&setup, &kinds[0], 1 << 20);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const terrain_heightmap *maps[2] = {setup.maps[0], cases[i].null ? NULL : setup.maps[1]};
        test_allocator allocator = {0};
        terrain_world *world = setup.world;
        terrain_world_desc desc = setup.desc;
        desc.allocator = test_allocator_of(&allocator);
        desc.input_names = cases[i].names;
        desc.input_count = cases[i].count;
        desc.inputs = cases[i].unset ? NULL : maps;
        expect_refused(terrain_world_create(context, &desc, &world), TERRAIN_ERROR_ARGUMENT,
                       context, cases[i].message);
        assert_null(world);
        assert_int_equal(allocator.live, 0);
    }
    terrain_context_destroy(context);
    setup_end(&setup);
}

/* A world whose tiles show an input as it is. */
static void test_shown(void **state)
{
    struct setup setup;
    terrain_world *world = NULL;
    terrain_heightmap *map = test_map(&kinds[0].tile);
    const terrain_window tile = kinds[0].tile;
    setup_begin(&setup, &kinds[0], 1 << 20);
    const terrain_heightmap *const maps[] = {setup.maps[0], setup.maps[1]};
    terrain_world_desc desc = setup.desc;
    desc.name = "first";
    desc.input_names = names;
    desc.inputs = maps;
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(NULL, world, tile.x, tile.y, map), TERRAIN_SUCCESS);
    assert_true(test_windows_equal(map, setup.maps[0], &tile));
    terrain_world_destroy(world);
    terrain_heightmap_destroy(map);
    setup_end(&setup);
}

/* A map that is not needed, which the host may leave out. */
static void test_not_needed(void **state)
{
    terrain_world *world = NULL;
    terrain_world_desc desc;
    terrain_heightmap *map = test_map_of_size(20, 20, 1);
    terrain_world_desc_init(&desc, sizeof desc);
    terrain_recipe *recipe = test_recipe("input unused\nland = generate_noise\n");
    desc.recipe = recipe;
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(NULL, world, 0, 0, map), TERRAIN_SUCCESS);
    terrain_world_destroy(world);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
}

/* A tile into the cells that other tiles read. */
static void test_overlap(void **state)
{
    struct setup setup;
    terrain_heightmap *part = NULL;
    setup_begin(&setup, &kinds[0], 1 << 20);
    terrain_heightmap *input = setup.maps[1];
    uint32_t *before = test_snapshot(input);
    assert_int_equal(terrain_heightmap_wrap(NULL, terrain_heightmap_data(input), 30, 20,
                                            terrain_heightmap_stride(input), &part),
                     TERRAIN_SUCCESS);
    assert_int_equal(terrain_world_tile(NULL, setup.world, 0, 0, part), TERRAIN_ERROR_ALIAS);
    assert_true(test_unchanged(input, before));
    terrain_heightmap_destroy(part);
    setup_end(&setup);
}

/* Each allocation of a world that fails: memory that is lost, or a world that works with half of
 * its inputs. */
static void test_no_memory(void **state)
{
    struct setup setup;
    const terrain_heightmap *maps[2];
    bool failed = true;
    setup_begin(&setup, &kinds[3], 1 << 20);
    maps[0] = setup.maps[0];
    maps[1] = setup.maps[1];
    for (uint64_t i = 0; failed; i++) {
        test_allocator allocator = {.fail_at = i + 1};
        terrain_world *world = setup.world;
        terrain_world_desc desc = setup.desc;
        desc.allocator = test_allocator_of(&allocator);
        desc.input_names = names;
        desc.inputs = maps;
        failed = terrain_world_create(NULL, &desc, &world) == TERRAIN_ERROR_MEMORY;
        assert_true(failed == (world == NULL));
        terrain_world_destroy(world);
        assert_int_equal(allocator.live, 0);
    }
    setup_end(&setup);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tiles),      cmocka_unit_test(test_edge),
        cmocka_unit_test(test_refusals),   cmocka_unit_test(test_shown),
        cmocka_unit_test(test_not_needed), cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_no_memory),  cmocka_unit_test(test_first_statement),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
