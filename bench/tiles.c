/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain-bench-tiles: tiles of a recipe's world, as a game asks for them: along a straight line,
 * or row by row. The same tiles by terrain_recipe_run, in turns with those of the world, show what
 * the cache saves; copies of the map, in turns with both, how fast the machine is. Tiles of
 * recipes/streamed.terrain, of 512x512, are to come 40 times a second where a copy takes 0.082 ns a
 * cell: at most 1163 copies each.
 *
 * A cold tile is the first of a world that is not new: nothing is cached, but memory is there. It
 * is compared with its share of a larger window, computed at once, and with how many more cells it
 * needs. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common.h"

const char bench_name[] = "terrain-bench-tiles";

enum { MOST_TILES = 20000, MOST_TEXT = 65536, COLD_TILES = 5, WHOLE_SIDE = 4 };

struct options {
    const char *recipe;
    uint32_t size;
    uint32_t tiles;
    uint32_t megabytes;
    uint32_t threads;
    uint32_t columns; /* of a sweep; 0: a straight line */
    bool world_only;
    bool prepare;
};

static const char usage[] =
    "Usage: terrain-bench-tiles [option]... RECIPE\n"
    "  --size N          cells of a tile's side; default 512\n"
    "  --tiles N         after the first; default 40\n"
    "  --cache MIB       the world's limit; default 64\n"
    "  --threads N       of the pool that computes a tile; default 1\n"
    "  --sweep N         rows of N tiles, instead of a straight line\n"
    "  --world-only      not the recipe, nor a larger window: for flights of\n"
    "                    many tiles\n"
    "  --prepare         what the tiles read is there before the flight\n"
    "  --cpu-time        take processor time: for machines that do other\n"
    "                    work, too\n";

static bool read_options(struct options *options, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        uint32_t *number = strcmp(argv[i], "--size") == 0      ? &options->size
                           : strcmp(argv[i], "--tiles") == 0   ? &options->tiles
                           : strcmp(argv[i], "--cache") == 0   ? &options->megabytes
                           : strcmp(argv[i], "--threads") == 0 ? &options->threads
                           : strcmp(argv[i], "--sweep") == 0   ? &options->columns
                                                               : NULL;
        if (strcmp(argv[i], "--cpu-time") == 0) {
            if (!bench_take_processor_time()) {
                return false;
            }
            continue;
        }
        if (strcmp(argv[i], "--prepare") == 0) {
            options->prepare = true;
            continue;
        }
        if (strcmp(argv[i], "--world-only") == 0) {
            options->world_only = true;
            continue;
        }
        if (number == NULL) {
            if (argv[i][0] == '-' || options->recipe != NULL) {
                return false;
            }
            options->recipe = argv[i];
            continue;
        }
        const bool may_be_none = number == &options->megabytes || number == &options->columns;
        const char *rest = "";
        if (++i == argc || !bench_read_number(argv[i], may_be_none ? 0 : 1, number, &rest) ||
            *rest != '\0') {
            return false;
        }
    }
    return options->recipe != NULL && options->tiles <= MOST_TILES;
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
    bench_check(terrain_recipe_parse(context, text, size, &recipe), context, path);
    return recipe;
}

static terrain_context *make_context(terrain_pool *pool)
{
    terrain_context *context = NULL;
    terrain_context_desc desc;
    terrain_context_desc_init(&desc, sizeof desc);
    terrain_pool_runner(pool, &desc.runner);
    bench_check(terrain_context_create(&desc, &context), NULL, "context");
    return context;
}

/* A window of the recipe whose first cell is (x, y), without a world. */
static double time_recipe(terrain_context *context, const terrain_recipe *recipe, int64_t x,
                          int64_t y, terrain_heightmap *map)
{
    terrain_recipe_run_desc desc;
    double begin = bench_now();
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    desc.flags |= TERRAIN_RECIPE_WORLD;
    desc.x = x;
    desc.y = y;
    desc.width = terrain_heightmap_width(map);
    desc.height = terrain_heightmap_height(map);
    desc.outputs = &map;
    desc.output_count = 1;
    bench_check(terrain_recipe_run(context, recipe, &desc), context, "recipe");
    return bench_now() - begin;
}

static double time_tile(terrain_context *context, terrain_world *world, int64_t x, int64_t y,
                        terrain_heightmap *map)
{
    double begin = bench_now();
    bench_check(terrain_world_tile(context, world, x, y, map), context, "tile");
    return bench_now() - begin;
}

static double time_copy(const terrain_heightmap *map, terrain_heightmap *copy)
{
    double begin = bench_now();
    bench_check(terrain_heightmap_copy(NULL, map, copy), NULL, "copy");
    return bench_now() - begin;
}

/* Seconds, sorted. */
static double share_of(double *times, uint32_t count, uint32_t percent)
{
    bench_sort(times, count);
    return times[(uint64_t)(count - 1) * percent / 100];
}

/* Of the tiles after the first. */
static void report(const char *what, double first, double *times, uint32_t count, double copy)
{
    double total = 0;
    for (uint32_t i = 0; i < count; i++) {
        total += times[i];
    }
    printf("%-8s first %8.2f ms   median %8.2f ms   99%% %8.2f ms   %7.1f tiles/s   %6.0f copies\n",
           what, first * 1e3, share_of(times, count, 50) * 1e3, share_of(times, count, 99) * 1e3,
           (double)count / total, share_of(times, count, 50) / copy);
}

/* ---- Cold tiles ------------------------------------------------------------------------------ */

static double cold_tile(terrain_context *context, terrain_world *world, terrain_heightmap *map)
{
    double times[COLD_TILES];
    for (uint32_t i = 0; i < COLD_TILES; i++) {
        terrain_world_trim(world);
        times[i] = time_tile(context, world, -(INT64_C(1) << 30), (int64_t)i << 30, map);
    }
    return share_of(times, COLD_TILES, 50);
}

/* A tile's share of a larger window. */
static double whole_tile(terrain_context *context, const terrain_recipe *recipe, uint32_t size)
{
    terrain_heightmap *map = NULL;
    double times[3];
    bench_check(terrain_heightmap_create(context, WHOLE_SIDE * size, WHOLE_SIDE * size, &map),
                context, "map");
    for (uint32_t i = 0; i < 3; i++) {
        times[i] = time_recipe(context, recipe, INT64_C(1) << 30, (int64_t)i << 30, map);
    }
    terrain_heightmap_destroy(map);
    return share_of(times, 3, 50) / (WHOLE_SIDE * WHOLE_SIDE);
}

static void report_cold(terrain_context *context, terrain_world *world,
                        const terrain_recipe *recipe, terrain_heightmap *map)
{
    double cold = cold_tile(context, world, map);
    double whole = whole_tile(context, recipe, terrain_heightmap_width(map));
    printf("cold     %8.2f ms   %.2f times its share of %u x %u tiles, %.2f ms\n", cold * 1e3,
           cold / whole, WHOLE_SIDE, WHOLE_SIDE, whole * 1e3);
}

/* ---- Preparing ------------------------------------------------------------------------------- */

/* All that the flight reads, at once. */
static void prepare(const struct options *options, terrain_context *context, terrain_world *world)
{
    const uint32_t all = options->tiles + 1;
    const uint32_t columns =
        options->columns > 0 && options->columns < all ? options->columns : all;
    const terrain_window window = {0, 0, columns * options->size,
                                   (all + columns - 1) / columns * options->size};
    double begin = bench_now();
    bench_check(terrain_world_prepare(context, world, &window), context, "prepare");
    printf("prepare  %8.2f ms a tile, of %u x %u tiles\n", (bench_now() - begin) * 1e3 / all,
           columns, (all + columns - 1) / columns);
}

/* ---- A flight -------------------------------------------------------------------------------- */

static void fly(const struct options *options, terrain_context *context, terrain_world *world,
                const terrain_recipe *recipe, terrain_heightmap *map, terrain_heightmap *copy)
{
    static double of_world[MOST_TILES], of_recipe[MOST_TILES], of_copy[MOST_TILES];
    uint32_t columns = options->columns > 0 ? options->columns : UINT32_MAX;
    double first, first_of_recipe, copy_time;
    terrain_world_trim(world);
    if (options->prepare) {
        prepare(options, context, world);
    }
    first = time_tile(context, world, 0, 0, map);
    first_of_recipe = options->world_only ? 0 : time_recipe(context, recipe, 0, 0, map);
    for (uint32_t i = 0; i < options->tiles; i++) {
        int64_t x = (int64_t)((i + 1) % columns) * options->size;
        int64_t y = (int64_t)((i + 1) / columns) * options->size;
        time_copy(map, copy); /* brings the maps into the caches, which a tile has emptied */
        of_copy[i] = time_copy(map, copy);
        of_world[i] = time_tile(context, world, x, y, map);
        if (!options->world_only) {
            of_recipe[i] = time_recipe(context, recipe, x, y, map);
        }
    }
    copy_time = share_of(of_copy, options->tiles, 0);
    printf("a copy of the map takes %.4f ms, %.3f ns a cell\n", copy_time * 1e3,
           copy_time * 1e9 / options->size / options->size);
    report("world", first, of_world, options->tiles, copy_time);
    if (!options->world_only) {
        report("recipe", first_of_recipe, of_recipe, options->tiles, copy_time);
    }
}

int main(int argc, char **argv)
{
    struct options options = {.size = 512, .tiles = 40, .megabytes = 64, .threads = 1};
    terrain_pool *pool = NULL;
    terrain_context *context;
    terrain_recipe *recipe;
    terrain_world *world = NULL;
    terrain_heightmap *map = NULL, *copy = NULL;
    terrain_world_desc desc;
    if (!read_options(&options, argc, argv)) {
        fputs(usage, stderr);
        return 2;
    }
    bench_check(terrain_pool_create(options.threads, &pool), NULL, "pool");
    context = make_context(pool);
    recipe = read_recipe(context, options.recipe);
    bench_check(terrain_heightmap_create(context, options.size, options.size, &map), context,
                "map");
    bench_check(terrain_heightmap_create(context, options.size, options.size, &copy), context,
                "map");
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.cache_bytes = (uint64_t)options.megabytes << 20;
    bench_check(terrain_world_create(context, &desc, &world), context, "world");

    time_tile(context, world, -(INT64_C(1) << 30), 0, map); /* warms up */
    fly(&options, context, world, recipe, map, copy);
    if (!options.world_only) {
        report_cold(context, world, recipe, map);
    }
    printf("the world holds %.1f MiB\n", (double)terrain_world_cache_size(world) / 0x1p20);

    terrain_world_destroy(world);
    terrain_heightmap_destroy(copy);
    terrain_heightmap_destroy(map);
    terrain_recipe_destroy(recipe);
    terrain_context_destroy(context);
    terrain_pool_destroy(pool);
    return 0;
}
