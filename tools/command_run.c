/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain run: reads a recipe and its inputs, runs it, writes all outputs or none, and prints each
 * statement's time and, last, the hash of the result. */

#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "image.h"
#include "inputs.h"
#include "progress.h"
#include "recipe_text.h"
#include "run.h"
#include "system.h"
#include "tool.h"

enum { RUN_MOST_FILES = 64, RUN_MOST_MAPS = RUN_MOST_FILES * IMAGE_CHANNELS };

/* What is written, hashed, or looked at. */
struct run_map {
    char *name; /* owned; NULL: the result */
    terrain_heightmap *map;
};

/* -o [NAME=]FILE, or --mask [NAME,...=]FILE. */
struct run_file {
    bool is_mask;
    const char *path;
    const image_type *type;
    uint32_t first, count; /* which of the maps are in it */
    output_file output;
};

struct run_state {
    recipe_text text;
    input_files inputs;
    struct run_map *maps;
    uint32_t map_count;
    uint32_t result; /* which of the maps it is */
    struct run_file files[RUN_MOST_FILES];
    uint32_t file_count;
    uint32_t width, height; /* 0: not given */
    bool contradicts;       /* no input has the size that was given */
    double scale;
    bool has_cell_size;
    float cell_size;
    int64_t x, y;
    bool world;
    bool verbose; /* tells of every map */
    uint64_t seed;
    uint32_t threads;
    uint64_t memory; /* bytes at most; 0: no limit */
    uint32_t isa;
    bool has_range;
    image_range range;

    terrain_pool *pool;
    terrain_context *context;
    terrain_recipe *recipe;
    progress_bar bar;
    double last; /* when the statement before was complete */
};

/* ---- Arguments ------------------------------------------------------------------------------- */

static int run_take_output(struct run_state *run, const char *text, bool is_mask)
{
    struct run_file *file = &run->files[run->file_count];
    char *names[IMAGE_CHANNELS] = {NULL};
    uint32_t count = 0;
    if (run->file_count == RUN_MOST_FILES) {
        return tool_fail(TOOL_BAD_INPUT, "expected at most %d files", RUN_MOST_FILES);
    }
    const int code = is_mask ? inputs_split_names(text, names, &count, &file->path)
                             : inputs_split(text, &names[0], &file->path);
    file->is_mask = is_mask;
    file->first = run->map_count;
    file->count = count > 0 ? count : 1;
    for (uint32_t i = 0; i < file->count; i++) {
        run->maps[run->map_count++].name = names[i];
    }
    if (code != TOOL_SUCCESS) {
        return code;
    }
    file->type = is_mask ? image_type_of_masks(file->path, file->count) : image_type_of(file->path);
    run->file_count++;
    return file->type != NULL ? TOOL_SUCCESS : TOOL_BAD_INPUT;
}

static const struct option run_options[] = {
    {"input", required_argument, NULL, 'i'},
    {"output", required_argument, NULL, 'o'},
    {"size", required_argument, NULL, 's'},
    {"cell-size", required_argument, NULL, 'c'},
    {"origin", required_argument, NULL, 'x'},
    {"scale", required_argument, NULL, 'z'},
    {"world", no_argument, NULL, 'w'},
    {"seed", required_argument, NULL, 'n'},
    {"threads", required_argument, NULL, 't'},
    {"memory", required_argument, NULL, 'm'},
    {"isa", required_argument, NULL, 'l'},
    {"range", required_argument, NULL, 'r'},
    {"verbose", no_argument, NULL, 'b'},
    {"text", required_argument, NULL, 'e'},
    {"set", required_argument, NULL, 'p'},
    {"mask", required_argument, NULL, 'k'},
    {NULL, 0, NULL, 0},
};

/* What the value of an option should have been, or NULL if it is fine. */
static const char *run_take_value(struct run_state *run, int option, const char *text)
{
    switch (option) {
    case 's':
        return tool_take_size(text, &run->width, &run->height);
    case 'c':
        run->has_cell_size = true;
        return tool_take_cell_size(text, &run->cell_size);
    case 'z':
        return tool_take_scale(text, &run->scale);
    case 'x':
        return tool_take_pair(text, &run->x, &run->y);
    case 'n':
        return tool_take_seed(text, &run->seed);
    case 't':
        return tool_take_threads(text, &run->threads);
    case 'm':
        return tool_take_bytes(text, &run->memory);
    case 'l':
        return tool_take_isa(text, &run->isa);
    default:
        run->has_range = true;
        return tool_take_range(text, &run->range.low, &run->range.high);
    }
}

static int run_check_outputs(const struct run_state *run)
{
    for (uint32_t i = 0; i < run->file_count; i++) {
        const int code = file_check_output(run->files[i].path);
        if (code != TOOL_SUCCESS) {
            return code;
        }
        for (uint32_t k = 0; k < i; k++) {
            if (file_is_same(run->files[i].path, run->files[k].path)) {
                return tool_fail(TOOL_BAD_INPUT, "%s and %s: two outputs can't be one file",
                                 run->files[k].path, run->files[i].path);
            }
        }
    }
    return TOOL_SUCCESS;
}

static int run_parse_arguments(struct run_state *run, int argc, char **argv)
{
    int option;
    while ((option = tool_next_option(argc, argv, run_options, NULL)) != -1) {
        const char *expected = NULL;
        int code = TOOL_SUCCESS;
        if (option == '?') {
            return tool_fail_option(argv, run_options);
        }
        if (option == 'i') {
            code = inputs_take(&run->inputs, optarg);
        } else if (option == 'o' || option == 'k') {
            code = run_take_output(run, optarg, option == 'k');
        } else if (option == 'e') {
            code = recipe_take_text(&run->text, optarg);
        } else if (option == 'p') {
            code = recipe_take_set(&run->text, optarg);
        } else if (option == 'w') {
            run->world = true;
        } else if (option == 'b') {
            run->verbose = true;
        } else {
            expected = run_take_value(run, option, optarg);
        }
        if (expected != NULL) {
            code = tool_fail_value(run_options, option, expected);
        }
        if (code != TOOL_SUCCESS) {
            return code;
        }
    }
    const int code = recipe_take_path(&run->text, argc, argv);
    return code == TOOL_SUCCESS ? run_check_outputs(run) : code;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static int run_create_context(struct run_state *run)
{
    terrain_context_desc desc;
    terrain_status status = TERRAIN_SUCCESS;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.max_isa = run->isa;
    desc.progress = progress_of(&run->bar);
    if (run->threads > 1) {
        status = terrain_pool_create(run->threads, &run->pool);
        terrain_pool_runner(run->pool, &desc.runner);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain_context_create(&desc, &run->context);
    }
    return status == TERRAIN_SUCCESS ? TOOL_SUCCESS : tool_fail_status(NULL, status, "no context");
}

/* Whether a size was given that is none of the inputs'. */
static bool run_contradicts_inputs(const struct run_state *run)
{
    bool contradicts = run->width > 0 && run->inputs.count > 0;
    for (uint32_t i = 0; i < run->inputs.count && contradicts; i++) {
        contradicts = terrain_heightmap_width(run->inputs.maps[i]) != run->width ||
                      terrain_heightmap_height(run->inputs.maps[i]) != run->height;
    }
    return contradicts;
}

static int run_fail_size(const struct run_state *run)
{
    const terrain_heightmap *first = run->inputs.maps[0];
    return tool_fail(TOOL_BAD_INPUT,
                     "--size is %" PRIu32 "x%" PRIu32 ", expected %" PRIu32 "x%" PRIu32
                     ", the size of %s: what is made of inputs alone has theirs",
                     run->width, run->height, terrain_heightmap_width(first),
                     terrain_heightmap_height(first), run->inputs.files[0].path);
}

/* Where they lie. */
static int run_place_inputs(struct run_state *run)
{
    for (uint32_t i = 0; i < run->inputs.count && !run->world; i++) {
        if (terrain_heightmap_set_origin(run->inputs.files[i].map, run->x, run->y) !=
            TERRAIN_SUCCESS) {
            return tool_fail(TOOL_BAD_INPUT, "--origin: the map must lie within 2^62 of 0,0");
        }
    }
    /* At a scale, --size is the size of the files. */
    if (run->width == 0 || (run->scale != 1 && run->inputs.count > 0 && !run->world)) {
        const terrain_heightmap *first = run->inputs.count > 0 ? run->inputs.maps[0] : NULL;
        run->width = first != NULL ? terrain_heightmap_width(first) : 512;
        run->height = first != NULL ? terrain_heightmap_height(first) : 512;
    }
    return TOOL_SUCCESS;
}

static int run_read_inputs(struct run_state *run)
{
    int code =
        inputs_read(&run->inputs, run->width, run->height, run->has_cell_size, &run->cell_size);
    if (code == TOOL_SUCCESS && !run->world) {
        run->contradicts = run_contradicts_inputs(run);
        code = run->contradicts && run->scale != 1 ? run_fail_size(run) : TOOL_SUCCESS;
    }
    if (code == TOOL_SUCCESS) {
        code = inputs_scale(&run->inputs, run->context, run->recipe, run->scale);
    }
    return code == TOOL_SUCCESS ? run_place_inputs(run) : code;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* The maps of a run, as its desc wants them. */
struct run_maps {
    const char **output_names;
    terrain_heightmap **outputs;
};

static void run_computed(void *user, uint32_t statement, const terrain_window *window)
{
    struct run_state *run = user;
    const terrain_recipe_statement *step = terrain_recipe_statement_at(run->recipe, statement);
    double now = system_seconds();
    progress_clear(&run->bar);
    printf("%-16s %-26s %6" PRIu32 " x %-6" PRIu32 " %10.3f ms\n", step->name,
           terrain_operation_name(step->operation), window->width, window->height,
           1e3 * (now - run->last));
    tool_send();
    run->last = system_seconds();
}

static void run_fill_desc(struct run_state *run, struct run_maps *maps,
                          terrain_recipe_run_desc *desc)
{
    for (uint32_t i = 0; i < run->map_count; i++) {
        maps->output_names[i] = run->maps[i].name;
    }
    terrain_recipe_run_desc_init(desc, sizeof *desc);
    desc->flags |= run->world ? TERRAIN_RECIPE_WORLD : 0;
    desc->seed = run->seed;
    desc->x = run->x;
    desc->y = run->y;
    desc->width = run->width;
    desc->height = run->height;
    desc->cell_size = run->cell_size;
    desc->scale = run->scale;
    desc->memory_limit = run->memory;
    desc->input_names = run->inputs.names;
    desc->inputs = run->inputs.maps;
    desc->input_count = run->inputs.count;
    desc->output_names = maps->output_names;
    desc->output_count = run->map_count;
    desc->observer.user = run;
    desc->observer.computed = run_computed;
}

static const char *run_name(const struct run_state *run, const struct run_map *map)
{
    return map->name != NULL ? map->name : terrain_recipe_result(run->recipe);
}

static int run_create_map(const struct run_state *run, const terrain_recipe_plan *plan,
                          struct run_map *map)
{
    const char *name = run_name(run, map);
    terrain_window window = {0, 0, 0, 0};
    terrain_recipe_plan_window(plan, name, &window);
    if (terrain_heightmap_create(NULL, window.width, window.height, &map->map) != TERRAIN_SUCCESS) {
        return image_fail_memory(name, window.width, window.height);
    }
    return TOOL_SUCCESS;
}

/* The map that is the recipe's result, which is made in any case for its hash. */
static void run_find_result(struct run_state *run)
{
    const char *name = terrain_recipe_result(run->recipe);
    run->result = 0;
    while (run->result < run->map_count && run->maps[run->result].name != NULL &&
           strcmp(run->maps[run->result].name, name) != 0) {
        run->result++;
    }
    if (run->result == run->map_count) {
        run->map_count++;
    }
}

/* Makes all other maps, too, for --verbose. */
static int run_take_all(struct run_state *run)
{
    const char *result = terrain_recipe_result(run->recipe);
    const uint32_t count = terrain_recipe_map_count(run->recipe), given = run->map_count;
    struct run_map *maps = realloc(run->maps, ((size_t)given + count) * sizeof *maps);
    if (maps == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    memset(maps + given, 0, count * sizeof *maps);
    run->maps = maps;
    for (uint32_t i = 0; i < count; i++) {
        const char *name = terrain_recipe_map_at(run->recipe, i);
        bool known = strcmp(name, result) == 0;
        for (uint32_t k = 0; k < given && !known; k++) {
            known = run->maps[k].name != NULL && strcmp(run->maps[k].name, name) == 0;
        }
        for (uint32_t k = 0; k < run->inputs.count && !known; k++) {
            known = strcmp(run->inputs.names[k], name) == 0;
        }
        if (!known) {
            char *copy = malloc(strlen(name) + 1);
            if (copy == NULL) {
                return tool_fail(TOOL_TROUBLE, "no memory");
            }
            run->maps[run->map_count++].name = strcpy(copy, name);
        }
    }
    return TOOL_SUCCESS;
}

static int run_print_map(const char *name, const terrain_heightmap *map)
{
    terrain_statistics *statistics = NULL;
    terrain_status status = terrain_statistics_create(NULL, &statistics);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_statistics_add(NULL, statistics, map);
    }
    if (status == TERRAIN_SUCCESS) {
        printf("%-16s from %.6g to %.6g, mean %.6g, deviation %.6g\n", name,
               (double)terrain_statistics_minimum(statistics),
               (double)terrain_statistics_maximum(statistics), terrain_statistics_mean(statistics),
               terrain_statistics_standard_deviation(statistics));
    }
    terrain_statistics_destroy(statistics);
    return status == TERRAIN_SUCCESS ? TOOL_SUCCESS : tool_fail_status(NULL, status, name);
}

/* Inputs, then what was made of them. */
static int run_print_maps(const struct run_state *run)
{
    int code = TOOL_SUCCESS;
    for (uint32_t i = 0; i < run->inputs.count && code == TOOL_SUCCESS; i++) {
        code = run_print_map(run->inputs.names[i], run->inputs.maps[i]);
    }
    for (uint32_t i = 0; i < run->map_count && code == TOOL_SUCCESS; i++) {
        code = run_print_map(run_name(run, &run->maps[i]), run->maps[i].map);
    }
    return code;
}

/* Whether the run takes no more than --memory, with the maps that are read and made. `bytes` are
 * what is still to be had. */
static int run_check_limit(const struct run_state *run, uint64_t bytes)
{
    const uint64_t inputs = inputs_bytes(&run->inputs);
    return run->memory == 0 || (inputs <= run->memory && bytes <= run->memory - inputs)
               ? TOOL_SUCCESS
               : tool_fail(TOOL_TROUBLE,
                           "%s: %" PRIu64 " bytes would be needed, and %" PRIu64
                           " for the inputs; --memory is %" PRIu64,
                           run->text.path, bytes, inputs, run->memory);
}

/* Whether the run's memory can be had: asked before maps of billions of cells are made, since
 * filling them with zeros takes long. */
static int run_check_memory(const struct run_state *run, const terrain_recipe_plan *plan)
{
    uint64_t bytes = terrain_recipe_plan_bytes(plan);
    for (uint32_t i = 0; i < run->map_count; i++) {
        terrain_window window = {0, 0, 0, 0};
        terrain_recipe_plan_window(plan, run_name(run, &run->maps[i]), &window);
        const uint64_t cells = (uint64_t)window.width * window.height;
        if (cells > (UINT64_MAX - bytes) / sizeof(float)) {
            return image_fail_memory(run_name(run, &run->maps[i]), window.width, window.height);
        }
        bytes += cells * sizeof(float);
    }
    const int code = run_check_limit(run, bytes);
    if (code != TOOL_SUCCESS) {
        return code;
    }
    /* volatile: no compiler leaves it out */
    char *volatile room = (size_t)bytes == bytes ? malloc((size_t)bytes) : NULL;
    const bool there = room != NULL;
    free(room);
    return there ? TOOL_SUCCESS
                 : tool_fail(TOOL_TROUBLE, "%s: no memory for %" PRIu64 " bytes", run->text.path,
                             bytes);
}

/* Whether a map of the run's own size is made: by a generator, which starts from no map. */
static bool run_generates(const struct run_state *run, const terrain_recipe_plan *plan)
{
    const uint32_t count = terrain_recipe_statement_count(run->recipe);
    bool generates = false;
    for (uint32_t i = 0; i < count && !generates; i++) {
        generates = terrain_recipe_statement_at(run->recipe, i)->input_count == 0 &&
                    terrain_recipe_plan_cells(plan, i) > 0;
    }
    return generates;
}

/* Makes the maps that are wanted, and fills them. */
static int run_make_maps(struct run_state *run, struct run_maps *maps)
{
    terrain_recipe_run_desc desc;
    terrain_recipe_plan *plan = NULL;
    run_fill_desc(run, maps, &desc);
    terrain_status status = terrain_recipe_plan_create(run->context, run->recipe, &desc, &plan);
    if (status != TERRAIN_SUCCESS) {
        return tool_fail_status(run->context, status, run->text.path);
    }
    int code = run->contradicts && !run_generates(run, plan) ? run_fail_size(run) : TOOL_SUCCESS;
    if (code == TOOL_SUCCESS) {
        code = run_check_memory(run, plan);
    }
    for (uint32_t i = 0; i < run->map_count && code == TOOL_SUCCESS; i++) {
        code = run_create_map(run, plan, &run->maps[i]);
        maps->outputs[i] = run->maps[i].map;
    }
    if (code == TOOL_SUCCESS) {
        run->last = system_seconds();
        status = terrain_recipe_plan_run(run->context, plan, run->inputs.maps, maps->outputs);
        progress_clear(&run->bar);
    }
    if (status != TERRAIN_SUCCESS) {
        code = tool_fail_status(run->context, status, run->text.path);
    }
    terrain_recipe_plan_destroy(plan);
    return code;
}

static int run_run(struct run_state *run)
{
    struct run_maps maps;
    run_find_result(run);
    int code = run->verbose ? run_take_all(run) : TOOL_SUCCESS;
    if (code != TOOL_SUCCESS) {
        return code;
    }
    maps.output_names = calloc(run->map_count, sizeof *maps.output_names);
    maps.outputs = calloc(run->map_count, sizeof *maps.outputs);
    code = maps.output_names != NULL && maps.outputs != NULL ? run_make_maps(run, &maps)
                                                             : tool_fail(TOOL_TROUBLE, "no memory");
    free(maps.output_names);
    free(maps.outputs);
    return code == TOOL_SUCCESS && run->verbose ? run_print_maps(run) : code;
}

/* ---- Writing --------------------------------------------------------------------------------- */

/* A map lies where the inputs lie, if it has their cells: as the first of them that tells; a window
 * of the world where the world lies. */
static const image_place *run_place_of(const struct run_state *run, const terrain_heightmap *map)
{
    if (run->world) {
        return terrain_heightmap_cell_size(map) == run->cell_size
                   ? inputs_place(&run->inputs, run->recipe, run->scale)
                   : NULL; /* other cells */
    }
    for (uint32_t i = 0; i < run->inputs.count && run->scale == 1; i++) {
        const input_file *input = &run->inputs.files[i];
        if (input->info.place != NULL && run->x == 0 && run->y == 0) {
            const bool same = terrain_heightmap_width(input->map) == terrain_heightmap_width(map) &&
                              terrain_heightmap_height(input->map) == terrain_heightmap_height(map);
            return same ? input->info.place : NULL;
        }
    }
    return NULL;
}

static int run_write(const struct run_state *run, struct run_file *file)
{
    const struct run_map *maps = &run->maps[file->first];
    image_extra extra = {.range = file->is_mask ? image_mask_range : run->range,
                         .place = run_place_of(run, maps[0].map),
                         .place_is_of_world = run->world,
                         .is_mask = file->is_mask,
                         .more_count = file->count - 1};
    for (uint32_t i = 1; i < file->count; i++) {
        extra.more[i - 1] = maps[i].map;
    }
    if (!file->is_mask && !run->has_range && !image_range_of(maps[0].map, &extra.range)) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    int code = image_write(&file->output, file->path, file->type, maps[0].map, &extra);
    if (code == TOOL_SUCCESS && file->type->has_range) {
        printf("%s: heights from %.9g to %.9g\n", file->path, (double)extra.range.low,
               (double)extra.range.high);
    }
    return code;
}

/* All of them beside their places, then all into their places. */
static int run_write_all(struct run_state *run)
{
    int code = TOOL_SUCCESS;
    for (uint32_t i = 0; i < run->file_count && code == TOOL_SUCCESS; i++) {
        code = run_write(run, &run->files[i]);
    }
    if (code == TOOL_SUCCESS) {
        printf("%016" PRIx64 "\n", terrain_heightmap_hash(run->maps[run->result].map));
        code = tool_flush();
    }
    if (code == TOOL_SUCCESS) {
        code = tool_check_interrupt();
    }
    for (uint32_t i = 0; i < run->file_count && code == TOOL_SUCCESS; i++) {
        code = output_rename(&run->files[i].output);
    }
    return code;
}

static void run_free(struct run_state *run)
{
    tool_catch_interrupt(NULL);
    inputs_free(&run->inputs);
    for (uint32_t i = 0; i < run->map_count; i++) {
        free(run->maps[i].name);
        terrain_heightmap_destroy(run->maps[i].map);
    }
    for (uint32_t i = 0; i < run->file_count; i++) {
        output_discard(&run->files[i].output);
    }
    terrain_recipe_destroy(run->recipe);
    recipe_free(&run->text);
    terrain_context_destroy(run->context);
    terrain_pool_destroy(run->pool);
    free(run->maps);
    free(run);
}

/* Everything but writing. */
static int run_compute(struct run_state *run, int argc, char **argv)
{
    int code = run_parse_arguments(run, argc, argv);
    if (code == TOOL_SUCCESS) {
        code = run_create_context(run);
    }
    if (code == TOOL_SUCCESS) {
        code = recipe_read(&run->text, run->context, &run->recipe);
    }
    if (code == TOOL_SUCCESS) {
        tool_catch_interrupt(run->context); /* who waits for a recipe is ended by Ctrl-C at once */
        code = inputs_check(&run->inputs, run->recipe, run->text.path);
    }
    if (code == TOOL_SUCCESS) {
        code = run_read_inputs(run);
    }
    return code == TOOL_SUCCESS ? run_run(run) : code;
}

static struct run_state *run_create(void)
{
    struct run_state *run = calloc(1, sizeof *run);
    struct run_map *maps = calloc(RUN_MOST_MAPS + 1, sizeof *maps); /* and the result */
    if (run == NULL || maps == NULL) {
        free(run);
        free(maps);
        tool_fail(TOOL_TROUBLE, "no memory");
        return NULL;
    }
    run->maps = maps;
    run->cell_size = 1;
    run->scale = 1;
    run->threads = tool_processors();
    run->memory = system_memory() / 4 * 3;
    run->isa = TERRAIN_ISA_BEST;
    progress_init(&run->bar);
    return run;
}

int command_run(int argc, char **argv)
{
    struct run_state *run = run_create();
    if (run == NULL) {
        return TOOL_TROUBLE;
    }
    int code = run_compute(run, argc, argv);
    if (code == TOOL_SUCCESS) {
        code = run_write_all(run);
    }
    run_free(run);
    return code;
}

int run_maps(int argc, char **argv, run_wanted *wanted, uint32_t count)
{
    struct run_state *run = run_create();
    int code = run != NULL ? TOOL_SUCCESS : TOOL_TROUBLE;
    for (uint32_t i = 0; i < count && code == TOOL_SUCCESS; i++) {
        struct run_map *map = &run->maps[run->map_count++];
        map->name = wanted[i].name != NULL ? strdup(wanted[i].name) : NULL;
        if (wanted[i].name != NULL && map->name == NULL) {
            code = tool_fail(TOOL_TROUBLE, "no memory");
        }
    }
    if (code == TOOL_SUCCESS) {
        code = run_compute(run, argc, argv);
    }
    for (uint32_t i = 0; i < count && code == TOOL_SUCCESS; i++) {
        wanted[i].map = run->maps[i].map;
        run->maps[i].map = NULL;
    }
    if (run != NULL) {
        run_free(run);
    }
    return code;
}
