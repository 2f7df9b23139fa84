/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Memory of a long flight over a land whose levels are kept. */

#include "support/check.h"
#include "terrain/world.h"

static terrain_world *make_world(const terrain_recipe *recipe, test_allocator *allocator,
                                 uint64_t cache_bytes)
{
    terrain_world *world = NULL;
    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.cache_bytes = cache_bytes;
    desc.allocator = test_allocator_of(allocator);
    assert_int_equal(terrain_world_create(NULL, &desc, &world), TERRAIN_SUCCESS);
    return world;
}

static void test_far(void **state)
{
    /* Memory that grows with the way flown: the most of ten thousand tiles is that of the first
     * thousand. And tiles that allocate: after the first thousand there is nothing new. */
    const terrain_window window = {0, 0, 8, 8};
    enum { LIMIT = 400 << 10, TILES = 10000 };
    terrain_recipe *recipe = test_recipe("a = generate_drainage level=8\n");
    test_allocator of_world = {0}, of_context = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &of_context, NULL);
    terrain_world *world = make_world(recipe, &of_world, LIMIT);
    terrain_heightmap *tile = test_map(&window);
    uint64_t first_of_world = 0, first_of_context = 0, calls_of_world = 0, calls_of_context = 0;
    (void)state;
    for (int64_t i = 0; i < TILES; i++) {
        assert_int_equal(terrain_world_tile(context, world, i * 8, i / 2, tile), TERRAIN_SUCCESS);
        if (i == TILES / 10) {
            first_of_world = of_world.most_bytes;
            first_of_context = of_context.most_bytes;
            calls_of_world = of_world.calls;
            calls_of_context = of_context.calls;
        }
    }
    assert_true(of_world.most_bytes <= first_of_world + first_of_world / 50);
    assert_true(of_context.most_bytes <= first_of_context + first_of_context / 50);
    /* The cache is full: a new block takes the memory of one that is dropped. */
    assert_true(of_world.calls == calls_of_world && of_context.calls == calls_of_context);
    assert_true(terrain_world_cache_size(world) <= LIMIT);
    terrain_heightmap_destroy(tile);
    terrain_world_destroy(world);
    terrain_context_destroy(context);
    terrain_recipe_destroy(recipe);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_far)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
