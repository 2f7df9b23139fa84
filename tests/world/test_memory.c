/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against memory that grows with the way flown: the most of all tiles is that of the first
 * tenth. */

#include "support/check.h"
#include "terrain/world.h"

/* Most bytes so far and allocations, of the world and of the context that asks for tiles. */
struct memory {
    uint64_t of_world, of_context;
    uint64_t calls_of_world, calls_of_context;
};

struct flight {
    terrain_recipe *recipe;
    terrain_world *world;
    terrain_context *context;
    test_allocator of_world, of_context;
    uint32_t side; /* of a tile */
};

static void flight_begin(struct flight *flight, const char *text, uint64_t cache_bytes,
                         uint32_t side)
{
    terrain_world_desc desc;
    *flight = (struct flight){.recipe = test_recipe(text), .side = side};
    flight->context = test_context(TERRAIN_ISA_BEST, NULL, &flight->of_context, NULL);
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = flight->recipe;
    desc.cache_bytes = cache_bytes;
    desc.allocator = test_allocator_of(&flight->of_world);
    assert_int_equal(terrain_world_create(NULL, &desc, &flight->world), TERRAIN_SUCCESS);
}

static void flight_end(struct flight *flight)
{
    terrain_world_destroy(flight->world);
    terrain_context_destroy(flight->context);
    terrain_recipe_destroy(flight->recipe);
    assert_true(flight->of_world.live == 0 && flight->of_context.live == 0);
    assert_true(flight->of_world.faults == 0 && flight->of_context.faults == 0);
}

/* Tiles `first` to last - 1 of a way that leads far east and a little south. */
static struct memory fly(struct flight *flight, int64_t first, int64_t last)
{
    const terrain_window window = {0, 0, flight->side, flight->side};
    terrain_heightmap *tile = test_map(&window);
    for (int64_t i = first; i < last; i++) {
        int64_t x = i * flight->side, y = i * flight->side / 8;
        assert_int_equal(terrain_world_tile(flight->context, flight->world, x, y, tile),
                         TERRAIN_SUCCESS);
    }
    terrain_heightmap_destroy(tile);
    return (struct memory){flight->of_world.most_bytes, flight->of_context.most_bytes,
                           flight->of_world.calls, flight->of_context.calls};
}

static void check_no_growth(const struct memory *first, const struct memory *all)
{
    assert_true(all->of_world <= first->of_world + first->of_world / 50);
    assert_true(all->of_context <= first->of_context + first->of_context / 50);
}

/* With a cache that holds what the next tile needs, and with ones that don't. */
static void test_blocks(void **state)
{
    static const char text[] = "a = generate_noise period=60 octaves=1\n"
                               "b = blur_box a radius=64\n";
    static const uint64_t limits[] = {300 << 10, 5 << 10, 0};
    for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
        struct flight flight;
        flight_begin(&flight, text, limits[k], 16);
        struct memory first = fly(&flight, 0, 1000);
        struct memory all = fly(&flight, 1000, 10000);
        check_no_growth(&first, &all);
        assert_true(terrain_world_cache_size(flight.world) <= limits[k]);
        /* Blocks that a tile pins are kept beyond the limit: 7 by 6 of them at most. */
        assert_true(all.of_world <= limits[k] + 42 * (1024 * 4 + 256) + (64 << 10));
        terrain_world_trim(flight.world);
        assert_int_equal(terrain_world_cache_size(flight.world), 0);
        flight_end(&flight);
    }
}

/* A land whose levels are kept. The cache is full after some thirty tiles: a new block takes the
 * memory of one that is dropped, and there are no more allocations. */
static void test_levels(void **state)
{
    enum { LIMIT = 400 << 10 };
    struct flight flight;
    flight_begin(&flight, "a = generate_drainage level=8\n", LIMIT, 8);
    struct memory first = fly(&flight, 0, 200);
    struct memory all = fly(&flight, 200, 2000);
    check_no_growth(&first, &all);
    assert_true(all.calls_of_world == first.calls_of_world);
    assert_true(all.calls_of_context == first.calls_of_context);
    assert_true(terrain_world_cache_size(flight.world) <= LIMIT);
    flight_end(&flight);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_blocks),
                                       cmocka_unit_test(test_levels)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
