/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain tiles: cuts a part of an endless world into files. Each thread makes tiles of its own, of
 * all maps together, with a context of its own; they share the world. A tile is written beside its
 * place and renamed, then listed, so that the command can be stopped at any time and goes on where
 * it was. */

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "inputs.h"
#include "pattern.h"
#include "progress.h"
#include "recipe_text.h"
#include "system.h"
#include "tiles.h"
#include "tool.h"

/* The most tiles that a list can name. */
#define TILES_MOST 1000000u

enum { TILES_MOST_OUTPUTS = 64, TILES_MOST_MAPS = TILES_MOST_OUTPUTS * IMAGE_CHANNELS };

/* -o [NAME=]PATTERN, or --mask [NAME,...=]PATTERN. */
struct tiles_output {
    const char *pattern;
    bool is_mask;
    uint32_t first, count; /* which of the maps are in its files */
    tiles_job job;         /* that of all, and what is this output's own */
    tiles_list list;
    bool is_complete;               /* all tiles were there already */
    bool measures;                  /* its range must be found, */
    terrain_statistics *statistics; /* in these, which the threads share */
};

struct tiles_state {
    tiles_job job; /* what all outputs have in common */
    struct tiles_output outputs[TILES_MOST_OUTPUTS];
    uint32_t output_count;
    char *names[TILES_MOST_MAPS]; /* owned; NULL: the result */
    uint32_t map_count;
    uint32_t threads, isa;
    uint64_t memory;                    /* bytes at most, of all threads; 0: no limit */
    uint32_t input_width, input_height; /* of files that don't tell theirs; 0: not known */
    bool has_cell_size;
    recipe_text text;
    terrain_recipe *recipe;
    input_files inputs;
    const image_place *place; /* of the inputs, and so of the world's cell 0,0; or NULL */
    terrain_world *world;
    progress_bar bar;

    /* The fields below are shared by the threads. */
    pthread_mutex_t mutex;
    bool measures;   /* this pass looks for ranges, and writes nothing */
    uint32_t next;   /* tile */
    double finished; /* tiles of all passes, and parts of them */
    double expected;
    int code;
};

/* One thread. */
struct tiles_worker {
    struct tiles_state *tiles;
    terrain_context *context;
    terrain_heightmap *maps[TILES_MOST_MAPS]; /* of outputs that are not complete */
    double part;                              /* of the tile that it makes */
    pthread_t thread;
    bool started;
};

/* ---- Arguments ------------------------------------------------------------------------------- */

static const struct option tiles_options[] = {
    {"input", required_argument, NULL, 'i'},
    {"input-size", required_argument, NULL, 'd'},
    {"tile", required_argument, NULL, 's'},
    {"overlap", required_argument, NULL, 'v'},
    {"range-cells", required_argument, NULL, 'b'},
    {"part", required_argument, NULL, 'a'},
    {"output", required_argument, NULL, 'o'},
    {"mask", required_argument, NULL, 'k'},
    {"preset", required_argument, NULL, 'p'},
    {"range", required_argument, NULL, 'r'},
    {"seed", required_argument, NULL, 'n'},
    {"cell-size", required_argument, NULL, 'c'},
    {"scale", required_argument, NULL, 'z'},
    {"threads", required_argument, NULL, 't'},
    {"isa", required_argument, NULL, 'l'},
    {"memory", required_argument, NULL, 'm'},
    {"text", required_argument, NULL, 'e'},
    {"set", required_argument, NULL, 'g'},
    {"y-up", no_argument, NULL, 'y'},
    {"flip", no_argument, NULL, 'f'},
    {NULL, 0, NULL, 0},
};

static const char *tiles_take_tile(const char *text, uint32_t *width, uint32_t *height)
{
    uint64_t side;
    if (tool_parse_uint64(text, &side) && side > 0 && side <= UINT32_MAX) {
        *width = *height = (uint32_t)side;
        return NULL;
    }
    return tool_take_size(text, width, height) == NULL ? NULL : "a size as 512 or 512x256";
}

static const char *tiles_take_part(const char *text, uint32_t *part, uint32_t *parts)
{
    static const char expected[] = "I/N, the I-th of N parts from 1 to 1000000, as 3/8";
    char first[16] = "";
    const char *slash = strchr(text, '/');
    uint64_t i, n;
    if (slash == NULL || slash - text >= (ptrdiff_t)sizeof first) {
        return expected;
    }
    memcpy(first, text, (size_t)(slash - text));
    if (!tool_parse_uint64(first, &i) || !tool_parse_uint64(slash + 1, &n) || i < 1 || i > n ||
        n > TILES_MOST) {
        return expected;
    }
    *part = (uint32_t)i;
    *parts = (uint32_t)n;
    return NULL;
}

/* What the value of an option should have been, or NULL if it is fine. */
static const char *tiles_take_value(struct tiles_state *tiles, int option, const char *text)
{
    tiles_job *job = &tiles->job;
    switch (option) {
    case 'd':
        return tool_take_size(text, &tiles->input_width, &tiles->input_height);
    case 's':
        return tiles_take_tile(text, &job->width, &job->height);
    case 'v':
        return tool_take_cells(text, &job->overlap) == NULL ? NULL : "a number of cells, 0 or 1";
    case 'b':
        return tool_take_box(text, job->box);
    case 'a':
        return tiles_take_part(text, &job->part, &job->parts);
    case 'p':
        return tiles_take_preset(job, text);
    case 'r':
        job->has_range = true;
        return tool_take_range(text, &job->range.low, &job->range.high);
    case 'n':
        return tool_take_seed(text, &job->seed);
    case 'z':
        return tool_take_scale(text, &job->scale);
    case 'c':
        tiles->has_cell_size = true;
        return tool_take_cell_size(text, &job->cell_size);
    case 't':
        return tool_take_threads(text, &tiles->threads);
    case 'm':
        return tool_take_bytes(text, &tiles->memory);
    default:
        return tool_take_isa(text, &tiles->isa);
    }
}

static int tiles_take_output(struct tiles_state *tiles, const char *text, bool is_mask)
{
    struct tiles_output *output = &tiles->outputs[tiles->output_count];
    if (tiles->output_count == TILES_MOST_OUTPUTS) {
        return tool_fail(TOOL_BAD_INPUT, "expected at most %d patterns", TILES_MOST_OUTPUTS);
    }
    char **names = &tiles->names[tiles->map_count];
    const int code = is_mask ? inputs_split_names(text, names, &output->count, &output->pattern)
                             : inputs_split(text, names, &output->pattern);
    output->is_mask = is_mask;
    output->first = tiles->map_count;
    output->count = output->count > 0 ? output->count : 1;
    tiles->map_count += output->count;
    tiles->output_count++;
    return code;
}

static int tiles_take_option(struct tiles_state *tiles, int option)
{
    const char *expected = NULL;
    if (option == 'i') {
        return inputs_take(&tiles->inputs, optarg);
    }
    if (option == 'e' || option == 'g') {
        return option == 'e' ? recipe_take_text(&tiles->text, optarg)
                             : recipe_take_set(&tiles->text, optarg);
    }
    if (option == 'o' || option == 'k') {
        return tiles_take_output(tiles, optarg, option == 'k');
    }
    if (option == 'y') {
        tiles->job.y_up = true;
    } else if (option == 'f') {
        tiles->job.flip = true;
    } else if (option == 'p' && tiles->job.engine != TILES_NO_ENGINE) {
        return tool_fail_usage("terrain tiles: --preset %s: expected one preset, found another",
                               optarg);
    } else {
        expected = tiles_take_value(tiles, option, optarg);
    }
    return expected == NULL ? TOOL_SUCCESS : tool_fail_value(tiles_options, option, expected);
}

static int tiles_check_grid(tiles_job *job)
{
    uint64_t columns, rows;
    if (job->width == 0) {
        return tool_fail_usage("terrain tiles: expected --tile SIZE or --preset NAME");
    }
    if (job->overlap >= job->width || job->overlap >= job->height) {
        return tool_fail(TOOL_BAD_INPUT,
                         "--overlap is %" PRIu32 ", must be less than the tile's %" PRIu32
                         "x%" PRIu32 " cells",
                         job->overlap, job->width, job->height);
    }
    if (job->overlap > 1) {
        return tool_fail(TOOL_BAD_INPUT, "--overlap is %" PRIu32 ", must be 0 or 1", job->overlap);
    }
    if (job->box[0] >= job->box[2] || job->box[1] >= job->box[3]) {
        return tool_fail(TOOL_BAD_INPUT,
                         "--range-cells: expected X0,Y0,X1,Y1 with X0 < X1 and Y0 < "
                         "Y1, as 0,0,4096,4096");
    }
    columns = tiles_along(job->box[0], job->box[2], job->width, job->overlap);
    rows = tiles_along(job->box[1], job->box[3], job->height, job->overlap);
    if (columns > TILES_MOST || rows > TILES_MOST / columns) {
        return tool_fail(TOOL_BAD_INPUT,
                         "--range-cells: takes %" PRIu64 " x %" PRIu64
                         " tiles, at most %u can be made at once",
                         columns, rows, TILES_MOST);
    }
    job->columns = (uint32_t)columns;
    job->rows = (uint32_t)rows;
    job->first = (uint32_t)(columns * rows * (job->part - 1) / job->parts);
    job->count = (uint32_t)(columns * rows * job->part / job->parts) - job->first;
    return TOOL_SUCCESS;
}

/* Whether the tiles and their list can be written, asked before any is computed. Where all lie in
 * one folder, one name tells. */
static int tiles_check_output(const tiles_job *job)
{
    if (!pattern_has_folders(job->pattern)) {
        return file_check_output(job->pattern);
    }
    char *name = pattern_name_of_all(job->pattern, ".tiles");
    int code = name != NULL ? file_check_output(name) : tool_fail(TOOL_TROUBLE, "no memory");
    free(name);
    for (uint32_t i = job->first; i < job->first + job->count && code == TOOL_SUCCESS; i++) {
        name = pattern_name(job->pattern, i % job->columns, i / job->columns);
        code = name != NULL ? file_check_output(name) : tool_fail(TOOL_TROUBLE, "no memory");
        free(name);
    }
    return code;
}

/* What all have in common, and what is this output's own. Masks have their own range. */
static void tiles_fill_job(const struct tiles_state *tiles, struct tiles_output *output)
{
    tiles_job *job = &output->job;
    *job = tiles->job;
    job->pattern = output->pattern;
    job->is_mask = output->is_mask;
    job->type = output->is_mask ? image_type_of_masks(output->pattern, output->count)
                                : image_type_of(output->pattern);
    if (output->is_mask) {
        job->has_range = true;
        job->range = image_mask_range;
    }
    for (uint32_t i = 0; i < output->count; i++) {
        const char *name = tiles->names[output->first + i];
        if (name != NULL) {
            job->source = tiles_hash(job->source, name, strlen(name) + 1);
        }
    }
    if (tiles->names[output->first] != NULL || output->is_mask) {
        job->source = tiles_hash(job->source, &output->is_mask, sizeof output->is_mask);
    }
}

static int tiles_check_names(const struct tiles_state *tiles, uint32_t index)
{
    const char *pattern = tiles->outputs[index].pattern;
    for (uint32_t i = 0; i < index; i++) {
        if (pattern_may_share(tiles->outputs[i].pattern, pattern)) {
            return tool_fail(TOOL_BAD_INPUT,
                             "%s and %s: expected names that differ in more than digits: tiles of "
                             "two maps would share them",
                             tiles->outputs[i].pattern, pattern);
        }
    }
    return TOOL_SUCCESS;
}

static int tiles_check_job(struct tiles_state *tiles, uint32_t index)
{
    struct tiles_output *output = &tiles->outputs[index];
    const tiles_job *job = &output->job;
    int code = pattern_check(output->pattern);
    if (code == TOOL_SUCCESS) {
        tiles_fill_job(tiles, output);
        code = job->type != NULL ? TOOL_SUCCESS : TOOL_BAD_INPUT;
    }
    if (code == TOOL_SUCCESS && job->parts > 1 && job->type->has_range && !job->has_range) {
        code =
            tool_fail_usage("terrain tiles: --part of files with a scale needs --range LO,HI: no "
                            "part sees the heights of all");
    }
    if (code == TOOL_SUCCESS) {
        code = tiles_check_preset(job);
    }
    if (code == TOOL_SUCCESS) {
        code = tiles_check_names(tiles, index);
    }
    return code == TOOL_SUCCESS ? tiles_check_output(job) : code;
}

static int tiles_parse(struct tiles_state *tiles, int argc, char **argv)
{
    int option;
    int code;
    while ((option = tool_next_option(argc, argv, tiles_options, NULL)) != -1) {
        if (option == '?') {
            return tool_fail_option(argv, tiles_options);
        }
        code = tiles_take_option(tiles, option);
        if (code != TOOL_SUCCESS) {
            return code;
        }
    }
    code = recipe_take_path(&tiles->text, argc, argv);
    if (code != TOOL_SUCCESS) {
        return code;
    }
    tiles->job.recipe_path = tiles->text.path;
    if (tiles->output_count == 0) {
        return tool_fail_usage("terrain tiles: expected -o 'tile_{x}_{y}.png'");
    }
    code = tiles_check_grid(&tiles->job);
    for (uint32_t i = 0; i < tiles->output_count && code == TOOL_SUCCESS; i++) {
        code = tiles_check_job(tiles, i);
    }
    if (code == TOOL_SUCCESS && tiles->threads > tiles->job.count) {
        tiles->threads = tiles->job.count > 0 ? tiles->job.count : 1;
    }
    return code;
}

/* ---- The world ------------------------------------------------------------------------------- */

/* Threads get equal shares of what --memory leaves beside the inputs and the cache: for a tile, and
 * to compute it. */
static int tiles_share_memory(const struct tiles_state *tiles, terrain_world_desc *desc)
{
    const uint64_t cells = (uint64_t)tiles->job.width * tiles->job.height * tiles->map_count;
    const uint64_t inputs = inputs_bytes(&tiles->inputs);
    const uint64_t memory = inputs < tiles->memory ? tiles->memory - inputs : 0;
    if (tiles->memory == 0) {
        return TOOL_SUCCESS;
    }
    desc->cache_bytes = memory / 4 < desc->cache_bytes ? memory / 4 : desc->cache_bytes;
    desc->memory_limit = (memory - desc->cache_bytes) / tiles->threads;
    if (cells >= desc->memory_limit / sizeof(float)) {
        return tool_fail(TOOL_TROUBLE,
                         "--memory is %" PRIu64 " bytes, too few for %" PRIu32 " tiles of %" PRIu32
                         "x%" PRIu32 " heights, one a thread%s",
                         tiles->memory, tiles->threads, tiles->job.width, tiles->job.height,
                         inputs > 0 ? ", beside the inputs" : "");
    }
    desc->memory_limit -= cells * sizeof(float);
    return TOOL_SUCCESS;
}

static int tiles_read_recipe(struct tiles_state *tiles, terrain_context *context)
{
    const int code = recipe_read(&tiles->text, context, &tiles->recipe);
    if (code == TOOL_SUCCESS) {
        tiles->job.source = tiles_hash(TILES_HASH, tiles->text.text, tiles->text.size);
    }
    return code;
}

/* Reads them, and counts their heights and their place, too, as what tiles are made from. */
static int tiles_read_inputs(struct tiles_state *tiles, terrain_context *context)
{
    tiles_job *job = &tiles->job;
    input_files *inputs = &tiles->inputs;
    int code = inputs_check(inputs, tiles->recipe, job->recipe_path);
    if (code == TOOL_SUCCESS) {
        code = inputs_read(inputs, tiles->input_width, tiles->input_height, tiles->has_cell_size,
                           &job->cell_size);
    }
    if (code == TOOL_SUCCESS) {
        code = inputs_scale(inputs, context, tiles->recipe, job->scale);
    }
    const uint32_t count = terrain_recipe_input_count(tiles->recipe);
    for (uint32_t k = 0; k < count && code == TOOL_SUCCESS; k++) {
        const char *name = terrain_recipe_input_at(tiles->recipe, k);
        for (uint32_t i = 0; i < inputs->count; i++) {
            if (strcmp(inputs->names[i], name) == 0) {
                const uint64_t hash = terrain_heightmap_hash(inputs->maps[i]);
                job->source = tiles_hash(job->source, &hash, sizeof hash);
            }
        }
    }
    double corner[2], pixel;
    tiles->place = inputs_place(inputs, tiles->recipe, job->scale);
    if (tiles->place != NULL && image_place_corner(tiles->place, corner, &pixel)) {
        job->source = tiles_hash(job->source, corner, sizeof corner);
    }
    return code;
}

static int tiles_create_world(struct tiles_state *tiles, terrain_context *context)
{
    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = tiles->recipe;
    desc.output_names = (const char *const *)tiles->names;
    desc.output_count = tiles->map_count;
    desc.seed = tiles->job.seed;
    desc.cell_size = tiles->job.cell_size;
    desc.scale = tiles->job.scale;
    desc.input_names = tiles->inputs.names;
    desc.inputs = tiles->inputs.maps;
    desc.input_count = tiles->inputs.count;
    const int code = tiles_share_memory(tiles, &desc);
    if (code != TOOL_SUCCESS) {
        return code;
    }
    const terrain_status status = terrain_world_create(context, &desc, &tiles->world);
    return status == TERRAIN_SUCCESS ? TOOL_SUCCESS
                                     : tool_fail_status(context, status, tiles->job.recipe_path);
}

/* Reads all that tiles are made from, and makes their world. */
static int tiles_begin(struct tiles_state *tiles)
{
    terrain_context *context = NULL;
    const terrain_status status = terrain_context_create(NULL, &context);
    int code = status == TERRAIN_SUCCESS ? tiles_read_recipe(tiles, context)
                                         : tool_fail_status(NULL, status, "no context");
    tool_catch_interrupt(NULL); /* who waits for a recipe is ended by Ctrl-C at once */
    if (code == TOOL_SUCCESS) {
        code = tiles_read_inputs(tiles, context);
    }
    if (code == TOOL_SUCCESS) {
        code = tiles_create_world(tiles, context);
    }
    for (uint32_t i = 0; i < tiles->output_count && code == TOOL_SUCCESS; i++) {
        tiles_fill_job(tiles, &tiles->outputs[i]); /* with what the tiles are made from */
    }
    terrain_context_destroy(context);
    return code;
}

/* ---- One tile -------------------------------------------------------------------------------- */

/* Whether this pass makes an output's tile. */
static bool tiles_wants(const struct tiles_state *tiles, uint32_t output, uint32_t index)
{
    const struct tiles_output *of = &tiles->outputs[output];
    return tiles->measures ? of->measures : !of->is_complete && !of->list.done[index];
}

/* Tile `index`, by its numbers in its name, is this one of the world's, from the north-west. */
static int tiles_compute(struct tiles_worker *worker, uint32_t index)
{
    const struct tiles_state *tiles = worker->tiles;
    const tiles_job *job = &tiles->job;
    const uint32_t column = index % job->columns, number = index / job->columns;
    const uint32_t row = job->y_up ? job->rows - 1 - number : number;
    int64_t x = job->box[0] + (int64_t)column * (job->width - job->overlap);
    int64_t y = job->box[1] + (int64_t)row * (job->height - job->overlap);
    terrain_heightmap *maps[TILES_MOST_MAPS] = {NULL};
    for (uint32_t i = 0; i < tiles->output_count; i++) {
        const struct tiles_output *output = &tiles->outputs[i];
        if (tiles_wants(tiles, i, index)) {
            memcpy(maps + output->first, worker->maps + output->first,
                   output->count * sizeof *maps);
        }
    }
    terrain_status status =
        terrain_world_tile_maps(worker->context, tiles->world, x, y, maps, tiles->map_count);
    return status == TERRAIN_SUCCESS ? TOOL_SUCCESS
                                     : tool_fail_status(worker->context, status, job->recipe_path);
}

static int tiles_measure(struct tiles_worker *worker, uint32_t output)
{
    struct tiles_state *tiles = worker->tiles;
    terrain_statistics *statistics = NULL;
    if (terrain_statistics_create(NULL, &statistics) != TERRAIN_SUCCESS ||
        terrain_statistics_add(NULL, statistics, worker->maps[tiles->outputs[output].first]) !=
            TERRAIN_SUCCESS) {
        terrain_statistics_destroy(statistics);
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    pthread_mutex_lock(&tiles->mutex);
    terrain_statistics_merge(tiles->outputs[output].statistics, statistics);
    pthread_mutex_unlock(&tiles->mutex);
    terrain_statistics_destroy(statistics);
    return TOOL_SUCCESS;
}

static int tiles_write(struct tiles_worker *worker, uint32_t to, uint32_t index)
{
    struct tiles_state *tiles = worker->tiles;
    const tiles_job *job = &tiles->outputs[to].job;
    terrain_heightmap *const *maps = &worker->maps[tiles->outputs[to].first];
    const uint32_t count = tiles->outputs[to].count;
    uint64_t hashes[IMAGE_CHANNELS];
    const bool is_other = terrain_heightmap_cell_size(maps[0]) != job->cell_size; /* other cells */
    image_extra extra = {.range = job->range,
                         .place = job->flip || is_other ? NULL : tiles->place,
                         .place_is_of_world = true,
                         .flip = job->flip,
                         .is_mask = job->is_mask,
                         .more_count = count - 1};
    char *name = pattern_name(job->pattern, index % job->columns, index / job->columns);
    output_file output = {0};
    tiles_mark mark;
    int code = TOOL_SUCCESS;
    if (name == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    for (uint32_t i = 0; i < count; i++) {
        hashes[i] = terrain_heightmap_hash(maps[i]);
        if (job->flip) {
            image_flip(maps[i]);
        }
        if (i > 0) {
            extra.more[i - 1] = maps[i];
        }
    }
    code = image_write(&output, name, job->type, maps[0], &extra);
    if (code == TOOL_SUCCESS) {
        code = output_rename(&output);
    }
    if (code == TOOL_SUCCESS) {
        code = tiles_mark_file(name, &mark);
    }
    if (code == TOOL_SUCCESS) {
        pthread_mutex_lock(&tiles->mutex);
        code = tiles_list_add(&tiles->outputs[to].list, job, index, &mark);
        progress_clear(&tiles->bar);
        printf("%s", name);
        for (uint32_t i = 0; i < count; i++) {
            printf(" %016" PRIx64, hashes[i]);
        }
        printf("\n");
        code = code == TOOL_SUCCESS ? tool_flush() : code;
        pthread_mutex_unlock(&tiles->mutex);
    }
    output_discard(&output);
    free(name);
    return code;
}

static int tiles_make_one(struct tiles_worker *worker, uint32_t index)
{
    const struct tiles_state *tiles = worker->tiles;
    int code = tiles_compute(worker, index);
    for (uint32_t i = 0; i < tiles->output_count && code == TOOL_SUCCESS; i++) {
        if (tiles_wants(tiles, i, index)) {
            code = tiles->measures ? tiles_measure(worker, i) : tiles_write(worker, i, index);
        }
    }
    return code == TOOL_SUCCESS ? tool_check_interrupt() : code;
}

/* ---- All of them ----------------------------------------------------------------------------- */

static bool tiles_is_open(const struct tiles_state *tiles, uint32_t index)
{
    bool is_open = false;
    for (uint32_t i = 0; i < tiles->output_count && !is_open; i++) {
        is_open = tiles_wants(tiles, i, index);
    }
    return is_open;
}

/* The next tile that is to be made; false if there is none, or somebody has failed. */
static bool tiles_take_next(struct tiles_state *tiles, uint32_t *index)
{
    const uint32_t end = tiles->job.first + tiles->job.count;
    pthread_mutex_lock(&tiles->mutex);
    while (tiles->next < end && !tiles_is_open(tiles, tiles->next)) {
        tiles->next++;
    }
    bool found = tiles->code == TOOL_SUCCESS && tiles->next < end;
    *index = tiles->next;
    tiles->next += found;
    pthread_mutex_unlock(&tiles->mutex);
    return found;
}

/* A context's progress: of this thread's tile. Nonzero stops it. */
static int32_t tiles_report(void *user, double fraction)
{
    struct tiles_worker *worker = user;
    struct tiles_state *tiles = worker->tiles;
    const terrain_progress progress = progress_of(&tiles->bar);
    pthread_mutex_lock(&tiles->mutex);
    tiles->finished += fraction - worker->part;
    worker->part = fraction;
    progress.report(progress.user, tiles->finished / tiles->expected);
    int32_t stop = tiles->code != TOOL_SUCCESS || tool_is_interrupted();
    pthread_mutex_unlock(&tiles->mutex);
    return stop;
}

static void *tiles_work(void *argument)
{
    struct tiles_worker *worker = argument;
    struct tiles_state *tiles = worker->tiles;
    uint32_t index;
    while (tiles_take_next(tiles, &index)) {
        const int code = tiles_make_one(worker, index);
        pthread_mutex_lock(&tiles->mutex);
        tiles->code = tiles->code == TOOL_SUCCESS ? code : tiles->code;
        tiles->finished += 1 - worker->part;
        worker->part = 0;
        pthread_mutex_unlock(&tiles->mutex);
    }
    return NULL;
}

static int tiles_start_worker(struct tiles_state *tiles, struct tiles_worker *worker)
{
    terrain_context_desc desc;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.max_isa = tiles->isa;
    desc.progress.user = worker;
    desc.progress.report = tiles_report;
    worker->tiles = tiles;
    terrain_status status = terrain_context_create(&desc, &worker->context);
    if (status != TERRAIN_SUCCESS) {
        return tool_fail_status(NULL, status, "no context");
    }
    for (uint32_t i = 0; i < tiles->output_count && status == TERRAIN_SUCCESS; i++) {
        const struct tiles_output *output = &tiles->outputs[i];
        for (uint32_t k = output->first;
             k < output->first + output->count && !output->is_complete && status == TERRAIN_SUCCESS;
             k++) {
            status = terrain_heightmap_create(NULL, tiles->job.width, tiles->job.height,
                                              &worker->maps[k]);
        }
    }
    if (status != TERRAIN_SUCCESS) {
        return image_fail_memory("a tile", tiles->job.width, tiles->job.height);
    }
    worker->started = pthread_create(&worker->thread, NULL, tiles_work, worker) == 0;
    return worker->started ? TOOL_SUCCESS : tool_fail(TOOL_TROUBLE, "can't start a thread");
}

/* One pass over all tiles. */
static int tiles_pass(struct tiles_state *tiles, bool measures)
{
    struct tiles_worker *workers = calloc(tiles->threads, sizeof *workers);
    int code = TOOL_SUCCESS;
    if (workers == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    tiles->measures = measures;
    tiles->next = tiles->job.first;
    for (uint32_t i = 0; i < tiles->threads && code == TOOL_SUCCESS; i++) {
        code = tiles_start_worker(tiles, &workers[i]);
    }
    if (code != TOOL_SUCCESS) {
        pthread_mutex_lock(&tiles->mutex);
        tiles->code = code;
        pthread_mutex_unlock(&tiles->mutex);
    }
    for (uint32_t i = 0; i < tiles->threads; i++) {
        if (workers[i].started) {
            pthread_join(workers[i].thread, NULL);
        }
        for (uint32_t k = 0; k < tiles->map_count; k++) {
            terrain_heightmap_destroy(workers[i].maps[k]);
        }
        terrain_context_destroy(workers[i].context);
    }
    free(workers);
    progress_clear(&tiles->bar);
    return tiles->code;
}

/* The scale of all tiles, if they have one: as it was given, or from an earlier run's list. False:
 * it must be found. */
static bool tiles_take_known_range(struct tiles_output *output)
{
    tiles_job *job = &output->job;
    if (!job->has_range && job->type->has_range && output->list.has_range) {
        job->range = output->list.range;
        job->has_range = job->range_is_found = true;
    }
    return job->has_range || !job->type->has_range;
}

/* Makes all tiles for the lowest and highest height of each output that lacks a range. */
static int tiles_find_ranges(struct tiles_state *tiles)
{
    bool any = false;
    for (uint32_t i = 0; i < tiles->output_count; i++) {
        struct tiles_output *output = &tiles->outputs[i];
        output->measures = !output->is_complete && !tiles_take_known_range(output);
        any = any || output->measures;
        if (output->measures &&
            terrain_statistics_create(NULL, &output->statistics) != TERRAIN_SUCCESS) {
            return tool_fail(TOOL_TROUBLE, "no memory");
        }
    }
    if (!any) {
        return TOOL_SUCCESS;
    }
    tiles->expected += (double)tiles->job.columns * tiles->job.rows;
    const int code = tiles_pass(tiles, true);
    for (uint32_t i = 0; i < tiles->output_count; i++) {
        struct tiles_output *output = &tiles->outputs[i];
        tiles_job *job = &output->job;
        if (output->measures) {
            const bool found = terrain_statistics_count(output->statistics) > 0;
            job->range.low = found ? terrain_statistics_minimum(output->statistics) : 0;
            job->range.high = found ? terrain_statistics_maximum(output->statistics) : 0;
            job->has_range = job->range_is_found = true;
        }
    }
    return code;
}

static void tiles_print(const tiles_job *job, const char *state)
{
    if (job->parts > 1) {
        printf("part %" PRIu32 " of %" PRIu32 " of ", job->part, job->parts);
    }
    printf("%" PRIu32 " x %" PRIu32 " tiles%s of %" PRIu32 " x %" PRIu32 " cells", job->columns,
           job->rows, state, job->width, job->height);
    if (job->has_range) {
        printf(", heights from %.9g to %.9g", (double)job->range.low, (double)job->range.high);
    }
    printf("\n");
    tiles_print_preset(job);
}

/* Finds out which tiles are there. */
static int tiles_read_lists(struct tiles_state *tiles)
{
    const uint32_t end = tiles->job.first + tiles->job.count;
    int code = TOOL_SUCCESS;
    for (uint32_t i = 0; i < tiles->output_count && code == TOOL_SUCCESS; i++) {
        struct tiles_output *output = &tiles->outputs[i];
        const tiles_list *list = &output->list;
        code = tiles_list_read(&output->list, &output->job);
        if (code == TOOL_SUCCESS && list->done_count == tiles->job.count &&
            tiles_take_known_range(output)) {
            output->is_complete = true;
            tiles_print(&output->job, ", all there already,");
        } else if (code == TOOL_SUCCESS && list->done_count > 0) {
            printf("%" PRIu32 " tiles are there already\n", list->done_count);
        }
    }
    for (uint32_t index = tiles->job.first; index < end && code == TOOL_SUCCESS; index++) {
        tiles->expected += tiles_is_open(tiles, index);
    }
    return code;
}

/* After a failure: lists that tell nothing, of the first outputs, go. */
static void tiles_drop_lists(const struct tiles_state *tiles, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tiles_list_drop_empty(&tiles->outputs[i].list);
    }
}

/* Each output has its scale and its list. */
static int tiles_make(struct tiles_state *tiles)
{
    uint32_t begun = 0;
    int code = tiles_read_lists(tiles);
    if (code == TOOL_SUCCESS) {
        code = tiles_find_ranges(tiles);
    }
    for (; begun < tiles->output_count && code == TOOL_SUCCESS; begun++) {
        struct tiles_output *output = &tiles->outputs[begun];
        code = output->is_complete ? TOOL_SUCCESS : tiles_list_begin(&output->list, &output->job);
    }
    if (code == TOOL_SUCCESS) {
        code = tiles_pass(tiles, false);
    }
    if (code == TOOL_BAD_INPUT || code == TOOL_TROUBLE) {
        tiles_drop_lists(tiles, begun);
    }
    for (uint32_t i = 0; i < tiles->output_count && code == TOOL_SUCCESS; i++) {
        const struct tiles_output *output = &tiles->outputs[i];
        if (!output->is_complete) {
            code = tiles_list_join(&output->job);
            if (code == TOOL_SUCCESS) {
                tiles_print(&output->job, "");
            }
        }
    }
    return code;
}

int command_tiles(int argc, char **argv)
{
    struct tiles_state *tiles = calloc(1, sizeof *tiles);
    if (tiles == NULL) {
        return tool_fail(TOOL_TROUBLE, "no memory");
    }
    tiles->job.cell_size = 1;
    tiles->job.part = tiles->job.parts = 1;
    tiles->job.scale = 1;
    tiles->threads = tool_processors();
    tiles->memory = system_memory() / 4 * 3;
    tiles->isa = TERRAIN_ISA_BEST;
    pthread_mutex_init(&tiles->mutex, NULL);
    progress_init(&tiles->bar);
    tool_complain_once();
    int code = tiles_parse(tiles, argc, argv);
    if (code == TOOL_SUCCESS) {
        code = tiles_begin(tiles);
    }
    if (code == TOOL_SUCCESS) {
        code = tiles_make(tiles);
    }
    for (uint32_t i = 0; i < tiles->output_count; i++) {
        tiles_list_free(&tiles->outputs[i].list);
        terrain_statistics_destroy(tiles->outputs[i].statistics);
    }
    for (uint32_t i = 0; i < tiles->map_count; i++) {
        free(tiles->names[i]);
    }
    terrain_world_destroy(tiles->world);
    terrain_recipe_destroy(tiles->recipe);
    recipe_free(&tiles->text);
    inputs_free(&tiles->inputs);
    pthread_mutex_destroy(&tiles->mutex);
    free(tiles);
    return code;
}
