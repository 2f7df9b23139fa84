/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A flight over an endless terrain, tile by tile. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <terrain/terrain.h>

static const char text[] = "hills = generate_noise seed=3 period=200\n"
                           "worn  = erode_thermal hills talus=0.5 iterations=64\n";

static void check(terrain_status status, const terrain_context *context)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s: %s\n", terrain_status_name(status), terrain_context_message(context));
        exit(1);
    }
}

int main(void)
{
    terrain_context *context = NULL;
    terrain_recipe *recipe = NULL;
    terrain_world *world = NULL;
    terrain_heightmap *tile = NULL;
    check(terrain_context_create(NULL, &context), NULL);
    check(terrain_recipe_parse(context, text, strlen(text), &recipe), context);

    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe; /* must outlive the world */
    desc.seed = 42;
    desc.cache_bytes = 32 << 20;
    check(terrain_world_create(context, &desc, &world), context);

    check(terrain_heightmap_create(context, 128, 128, &tile), context);
    for (int64_t i = 0; i < 3; i++) {
        check(terrain_world_tile(context, world, INT64_C(1000000) + i * 128, -256, tile), context);
        printf("tile %" PRId64 ": %016" PRIx64 "\n", i, terrain_heightmap_hash(tile));
    }

    terrain_heightmap_destroy(tile);
    terrain_world_destroy(world);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    return 0;
}
