/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A recipe, run on a window of its endless world. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <terrain/terrain.h>

static const char text[] = "hills = generate_noise seed=3 period=200\n"
                           "worn  = erode_thermal hills talus=0.5 iterations=20\n"
                           "land  = blur_gaussian worn sigma=1\n";

static void check(terrain_status status, const terrain_context *context)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s: %s\n", terrain_status_name(status), terrain_context_message(context));
        exit(1);
    }
}

/* Called after each statement, with the window that it was computed for. */
static void show(void *user, uint32_t statement, const terrain_window *window)
{
    const terrain_recipe *recipe = user;
    printf("%s: %" PRIu32 "x%" PRIu32 " cells\n",
           terrain_recipe_statement_at(recipe, statement)->name, window->width, window->height);
}

int main(void)
{
    terrain_context *context = NULL;
    terrain_recipe *recipe = NULL;
    terrain_heightmap *map = NULL;
    check(terrain_context_create(NULL, &context), NULL);
    check(terrain_recipe_parse(context, text, strlen(text), &recipe), context);
    check(terrain_heightmap_create(context, 256, 256, &map), context);

    const char *name = NULL; /* NULL: the result, which is `land` */
    terrain_recipe_run_desc desc;
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    desc.flags |= TERRAIN_RECIPE_WORLD;
    desc.x = INT64_C(1000000000000);
    desc.y = -256;
    desc.width = 256;
    desc.height = 256;
    desc.output_names = &name;
    desc.outputs = &map;
    desc.output_count = 1;
    desc.observer = (terrain_recipe_observer){recipe, show};
    check(terrain_recipe_run(context, recipe, &desc), context);
    printf("hash: %016" PRIx64 "\n", terrain_heightmap_hash(map));

    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    return 0;
}
