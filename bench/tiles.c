/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain-bench-tiles: tiles of a recipe's world along a straight line, as a game asks for them. The
 * same tiles by terrain_recipe_run, in turns with those of the world, show what the cache saves. */

#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <terrain/terrain.h>
#include <time.h>

enum { MOST_TILES = 20000, MOST_TEXT = 65536 };

struct options {
    const char *recipe;
    uint32_t size;
    uint32_t tiles;
    uint32_t megabytes;
    uint32_t threads;
};

static const char usage[] = "Usage: terrain-bench-tiles [option]... RECIPE\n"
                            "  --size N          cells of a tile's side; default 512\n"
                            "  --tiles N         after the first; default 40\n"
                            "  --cache MIB       the world's limit; default 64\n"
                            "  --threads N       of the pool that computes a tile; default 1\n";

static void check(terrain_status status, const terrain_context *context, const char *what)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "terrain-bench-tiles: %s: %s %s\n", what, terrain_status_name(status),
                terrain_context_message(context));
        exit(1);
    }
}

static double now(void)
{
    struct timespec time;
#ifdef CLOCK_MONOTONIC
    clock_gettime(CLOCK_MONOTONIC, &time);
#else
    timespec_get(&time, TIME_UTC);
#endif
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool read_options(struct options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        uint32_t *number = strcmp(argv[i], "--size") == 0      ? &options->size
                           : strcmp(argv[i], "--tiles") == 0   ? &options->tiles
                           : strcmp(argv[i], "--cache") == 0   ? &options->megabytes
                           : strcmp(argv[i], "--threads") == 0 ? &options->threads
                                                               : NULL;
        if (number == NULL) {
            if (argv[i][0] == '-' || options->recipe != NULL) {
                return false;
            }
            options->recipe = argv[i];
            continue;
        }
        if (++i == argc || sscanf(argv[i], "%u", number) != 1) {
            return false;
        }
    }
    return options->recipe != NULL && options->size > 0 && options->tiles > 0 &&
           options->tiles <= MOST_TILES && options->threads > 0;
}

static terrain_recipe *read_recipe(terrain_context *context, const char *path)
{
    static char text[MOST_TEXT];
    terrain_recipe *recipe = NULL;
    FILE *file = fopen(path, "rb");
    size_t size = file != NULL ? fread(text, 1, sizeof text, file) : 0;
    if (file == NULL || size == sizeof text) {
        fprintf(stderr, "terrain-bench-tiles: can't read %s\n", path);
        exit(1);
    }
    fclose(file);
    check(terrain_recipe_parse(context, text, size, &recipe), context, path);
    return recipe;
}

static terrain_context *make_context(terrain_pool *pool)
{
    terrain_context *context = NULL;
    terrain_context_desc desc;
    terrain_context_desc_init(&desc, sizeof desc);
    terrain_pool_runner(pool, &desc.runner);
    check(terrain_context_create(&desc, &context), NULL, "context");
    return context;
}

static double time_recipe(terrain_context *context, const terrain_recipe *recipe, int64_t x,
                          terrain_heightmap *map)
{
    terrain_recipe_run_desc desc;
    double begin = now();
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    desc.flags |= TERRAIN_RECIPE_WORLD;
    desc.x = x;
    desc.width = terrain_heightmap_width(map);
    desc.height = terrain_heightmap_height(map);
    desc.outputs = &map;
    desc.output_count = 1;
    check(terrain_recipe_run(context, recipe, &desc), context, "recipe");
    return now() - begin;
}

static double time_tile(terrain_context *context, terrain_world *world, int64_t x,
                        terrain_heightmap *map)
{
    double begin = now();
    check(terrain_world_tile(context, world, x, 0, map), context, "tile");
    return now() - begin;
}

/* Sorts the times, in seconds, of the tiles after the first. */
static void report(const char *what, double first, double *times, uint32_t count)
{
    double total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += times[i];
    }
    qsort(times, count, sizeof *times, compare);
    printf("%-8s first %8.2f ms   median %8.2f ms   99%% %8.2f ms   %7.1f tiles/s\n", what,
           first * 1e3, times[count / 2] * 1e3, times[(count - 1) * 99 / 100] * 1e3,
           (double)count / total);
}

int main(int argc, char **argv)
{
    static double of_world[MOST_TILES], of_recipe[MOST_TILES];
    struct options options = {.size = 512, .tiles = 40, .megabytes = 64, .threads = 1};
    terrain_pool *pool = NULL;
    terrain_context *context;
    terrain_recipe *recipe;
    terrain_world *world = NULL;
    terrain_heightmap *map = NULL;
    terrain_world_desc desc;
    double first, first_of_recipe;
    if (!read_options(&options, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    check(terrain_pool_create(options.threads, &pool), NULL, "pool");
    context = make_context(pool);
    recipe = read_recipe(context, options.recipe);
    check(terrain_heightmap_create(context, options.size, options.size, &map), context, "map");
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.cache_bytes = (uint64_t)options.megabytes << 20;
    check(terrain_world_create(context, &desc, &world), context, "world");

    /* Warms up, and leaves nothing behind that the flight could use. */
    time_tile(context, world, -(INT64_C(1) << 30), map);
    terrain_world_trim(world);
    first = time_tile(context, world, 0, map);
    first_of_recipe = time_recipe(context, recipe, 0, map);
    for (uint32_t i = 0; i < options.tiles; i++) {
        int64_t x = (int64_t)(i + 1) * options.size;
        of_world[i] = time_tile(context, world, x, map);
        of_recipe[i] = time_recipe(context, recipe, x, map);
    }
    report("world", first, of_world, options.tiles);
    report("recipe", first_of_recipe, of_recipe, options.tiles);

    terrain_world_destroy(world);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    terrain_pool_destroy(pool);
    return 0;
}
