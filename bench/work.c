/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

enum { MOST_STATEMENTS = 16, MOST_MAPS = 16, MOST_ARGUMENTS = 4, CHANNELS = 4 };

/* A statement, with the maps that it works on as indices of the recipe's maps. */
typedef struct bench_step {
    const terrain_operation *operation;
    void *params;
    uint32_t maps[MOST_ARGUMENTS];
    uint32_t map_count;
    uint32_t result; /* what the statement is named after */
    uint32_t bound_count;
    struct {
        const terrain_parameter *parameter;
        uint32_t map;
    } bound[MOST_MAPS];
} bench_step;

struct bench_work {
    terrain_recipe *recipe; /* NULL: the case writes a buffer */
    uint32_t width;
    uint32_t height;
    uint32_t divisor;
    bool whole;
    uint32_t step_count;
    bench_step steps[MOST_STATEMENTS];
    uint32_t map_count;
    terrain_window windows[MOST_MAPS];
    terrain_heightmap *maps[MOST_MAPS];
    terrain_heightmap *terrain; /* what `map` and `other` hold */
    uint32_t buffer;            /* BENCH_BUFFER_… */
    void *buffer_cells;         /* for that, or NULL */
    const bench_peer *peer;     /* instead of all this, or NULL */
    float *peer_cells;          /* what it writes */
};

static void *allocate(size_t size)
{
    void *pointer = malloc(size);
    if (pointer == NULL) {
        bench_check(TERRAIN_ERROR_MEMORY, NULL, "memory");
    }
    return pointer;
}

static uint32_t index_of(const bench_work *work, const char *name)
{
    if (work->recipe == NULL) {
        return 0;
    }
    for (uint32_t i = 0; i < work->map_count; i++) {
        if (strcmp(terrain_recipe_map_at(work->recipe, i), name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "terrain-bench: no map %s\n", name);
    exit(1);
}

/* The maps of the statement's arguments. A map that is changed is changed where it is, so it must
 * have the name of what the statement makes. */
static void find_maps(const bench_work *work, bench_step *step,
                      const terrain_recipe_statement *statement)
{
    const terrain_port *port = terrain_operation_port_at(statement->operation, 0);
    uint32_t inputs = 0;
    step->result = index_of(work, statement->name);
    if (port->grid != 0) {
        while (step->map_count < statement->input_count && step->map_count < MOST_ARGUMENTS) {
            step->maps[step->map_count] = index_of(work, statement->names[step->map_count]);
            step->map_count++;
        }
        return;
    }
    for (; port != NULL && port->offset == 0;
         port = terrain_operation_port_at(statement->operation, step->map_count)) {
        if (port->role == TERRAIN_PORT_ROLE_CHANGE &&
            strcmp(statement->inputs[inputs], statement->name) != 0) {
            fprintf(stderr, "terrain-bench: %s is changed in place, so name it %s\n",
                    statement->name, statement->inputs[inputs]);
            exit(1);
        }
        step->maps[step->map_count++] = port->role == TERRAIN_PORT_ROLE_READ
                                            ? index_of(work, statement->inputs[inputs])
                                            : step->result;
        inputs += port->role != TERRAIN_PORT_ROLE_WRITE;
    }
}

static void make_step(bench_work *work, bench_step *step, const terrain_recipe_statement *statement)
{
    step->operation = statement->operation;
    step->params = allocate(terrain_operation_params_size(statement->operation));
    memcpy(step->params, statement->params, terrain_operation_params_size(statement->operation));
    find_maps(work, step, statement);
    bench_check(terrain_operation_result_window(step->operation, step->params,
                                                &work->windows[step->maps[0]],
                                                &work->windows[step->result]),
                NULL, "result window");
    step->bound_count = statement->map_count;
    for (uint32_t i = 0; i < statement->map_count; i++) {
        step->bound[i].parameter =
            terrain_operation_parameter_find(statement->operation, statement->map_parameters[i]);
        step->bound[i].map = index_of(work, statement->maps[i]);
    }
}

/* The value of a whole-number parameter of the first statement. */
static uint32_t value_of(const bench_step *step, const char *name)
{
    const terrain_parameter *parameter = terrain_operation_parameter_find(step->operation, name);
    uint32_t value = 1;
    memcpy(&value, (const char *)step->params + parameter->offset, sizeof value);
    return value;
}

static void create_maps(bench_work *work)
{
    for (uint32_t i = 0; i < work->map_count; i++) {
        bench_check(terrain_heightmap_create(NULL, work->windows[i].width, work->windows[i].height,
                                             &work->maps[i]),
                    NULL, "map");
    }
}

static void destroy_maps(bench_work *work)
{
    for (uint32_t i = 0; i < work->map_count; i++) {
        terrain_heightmap_destroy(work->maps[i]);
        work->maps[i] = NULL;
    }
}

static void fill_maps(bench_work *work)
{
    bench_check(terrain_heightmap_create(NULL, work->width, work->height, &work->terrain), NULL,
                "map");
    bench_check(terrain_generate_diamond_square(NULL, work->terrain, NULL), NULL, "terrain");
    const uint32_t inputs =
        work->recipe == NULL ? work->map_count : terrain_recipe_input_count(work->recipe);
    for (uint32_t i = 0; i < inputs; i++) {
        const uint32_t map =
            work->recipe == NULL ? i : index_of(work, terrain_recipe_input_at(work->recipe, i));
        bench_check(terrain_heightmap_copy(NULL, work->terrain, work->maps[map]), NULL, "terrain");
    }
}

static terrain_recipe *read_recipe(const bench_case *what)
{
    static const char format[] = "input map\ninput other\n%s\n";
    const size_t size = sizeof format + strlen(what->recipe);
    char *text = allocate(size);
    terrain_context *context = NULL;
    terrain_recipe *recipe = NULL;
    bench_check(terrain_context_create(NULL, &context), NULL, "context");
    snprintf(text, size, format, what->recipe);
    if (terrain_recipe_parse(context, text, strlen(text), &recipe) != TERRAIN_SUCCESS) {
        fprintf(stderr, "terrain-bench: %s: %s\n", what->name, terrain_context_message(context));
    }
    terrain_context_destroy(context);
    free(text);
    return recipe;
}

/* Floats or indices for each cell; bytes count as if they were one, figures as nothing. */
static uint32_t buffer_elements(const bench_work *work)
{
    static const uint32_t elements[] = {0, 3, 3, 6, 6, 1, 0, 0, 0, 1};
    return elements[work->buffer];
}

bench_work *bench_work_create(const bench_case *what, uint32_t width, uint32_t height)
{
    const bool by_buffer = what->buffer != BENCH_BUFFER_NONE;
    terrain_recipe *recipe = by_buffer ? NULL : read_recipe(what);
    if (recipe == NULL && !by_buffer) {
        return NULL;
    }
    if (terrain_recipe_map_count(recipe) > MOST_MAPS ||
        terrain_recipe_statement_count(recipe) > MOST_STATEMENTS) {
        fprintf(stderr, "terrain-bench: %s: has more than %d maps or %d statements\n", what->name,
                MOST_MAPS, MOST_STATEMENTS);
        terrain_recipe_destroy(recipe);
        return NULL;
    }
    bench_work *work = memset(allocate(sizeof *work), 0, sizeof *work);
    work->recipe = recipe;
    work->width = width;
    work->height = height;
    work->whole = what->whole;
    work->map_count = !by_buffer                              ? terrain_recipe_map_count(recipe)
                      : what->buffer == BENCH_BUFFER_CHANNELS ? CHANNELS
                                                              : 1;
    for (uint32_t i = 0; i < work->map_count; i++) {
        work->windows[i] = (terrain_window){0, 0, width, height};
    }
    work->step_count = terrain_recipe_statement_count(recipe);
    for (uint32_t i = 0; i < work->step_count; i++) {
        make_step(work, &work->steps[i], terrain_recipe_statement_at(recipe, i));
    }
    work->divisor = what->per == NULL ? 1 : value_of(&work->steps[0], what->per);
    create_maps(work);
    fill_maps(work);
    work->buffer = what->buffer;
    if (buffer_elements(work) > 0) {
        work->buffer_cells =
            allocate((size_t)width * height * buffer_elements(work) * sizeof(float));
    }
    return work;
}

void bench_work_destroy(bench_work *work)
{
    for (uint32_t i = 0; i < work->step_count; i++) {
        free(work->steps[i].params);
    }
    destroy_maps(work);
    terrain_heightmap_destroy(work->terrain);
    free(work->buffer_cells);
    free(work->peer_cells);
    terrain_recipe_destroy(work->recipe);
    free(work);
}

/* Larger maps don't stay in the caches, and a copy that stores past them is the fastest there is: C
 * libraries differ in whether theirs does. */
#define LARGE_MAP (UINT64_C(1) << 22)

#if defined(__SSE2__)
static void copy_past_caches(float *to, const float *from, size_t count)
{
    size_t i = 0;
    for (; i < count && (uintptr_t)(to + i) % 64 != 0; i++) {
        to[i] = from[i];
    }
    for (; i + 16 <= count; i += 16) {
        for (size_t k = 0; k < 16; k += 4) {
            _mm_stream_ps(to + i + k, _mm_loadu_ps(from + i + k));
        }
    }
    for (; i < count; i++) {
        to[i] = from[i];
    }
    _mm_sfence();
}
#else
static void copy_past_caches(float *to, const float *from, size_t count)
{
    memcpy(to, from, count * sizeof *to);
}
#endif

void bench_work_copy(bench_work *work)
{
    float *to = terrain_heightmap_data(work->maps[index_of(work, "map")]);
    const float *from = terrain_heightmap_const_data(work->terrain);
    const size_t count = (size_t)work->width * work->height;
    if (count >= LARGE_MAP) {
        copy_past_caches(to, from, count);
    } else {
        memcpy(to, from, count * sizeof *to);
    }
}

static void run_step(const bench_work *work, const bench_step *step, terrain_context *context)
{
    terrain_heightmap *maps[MOST_ARGUMENTS];
    for (uint32_t i = 0; i < step->map_count; i++) {
        maps[i] = work->maps[step->maps[i]];
    }
    bench_check(
        terrain_operation_apply(context, step->operation, maps, step->map_count, step->params),
        context, terrain_operation_name(step->operation));
}

static void run_steps(const bench_work *work, terrain_context *context)
{
    for (uint32_t i = 0; i < work->step_count; i++) {
        const bench_step *step = &work->steps[i];
        for (uint32_t k = 0; k < step->bound_count; k++) {
            memcpy((char *)step->params + step->bound[k].parameter->offset,
                   &work->maps[step->bound[k].map], sizeof(terrain_heightmap *));
        }
        run_step(work, step, context);
    }
}

/* As a host that keeps nothing would do it. */
static void run_whole(const bench_work *work, const terrain_context_desc *context_desc)
{
    bench_work own = *work;
    terrain_context *context = NULL;
    bench_check(terrain_context_create(context_desc, &context), NULL, "context");
    create_maps(&own);
    run_steps(&own, context);
    destroy_maps(&own);
    terrain_context_destroy(context);
}

static terrain_status find_statistics(terrain_context *context, const terrain_heightmap *map)
{
    terrain_statistics *statistics = NULL;
    terrain_status status = terrain_statistics_create(context, &statistics);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_statistics_add(context, statistics, map);
    }
    terrain_statistics_destroy(statistics);
    return status;
}

static terrain_status find_score(terrain_context *context, const terrain_heightmap *map)
{
    terrain_score *score = NULL;
    terrain_status status = terrain_score_create(context, NULL, &score);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_score_add(context, score, map, NULL);
    }
    terrain_score_destroy(score);
    return status;
}

static terrain_status find_landform(terrain_context *context, const terrain_heightmap *map)
{
    terrain_landform land;
    terrain_status status = terrain_landform_init(&land, sizeof land);
    return status == TERRAIN_SUCCESS ? terrain_landform_measure(context, map, &land) : status;
}

static terrain_status fill_buffer(const bench_work *work, terrain_context *context)
{
    const terrain_heightmap *map = work->maps[index_of(work, "map")];
    terrain_mesh_desc desc;
    terrain_mesh_desc_init(&desc, sizeof desc);
    switch (work->buffer) {
    case BENCH_BUFFER_POSITIONS:
        return terrain_mesh_positions(context, map, &desc, work->buffer_cells, 3);
    case BENCH_BUFFER_NORMALS:
        return terrain_mesh_normals(context, map, &desc, work->buffer_cells, 3);
    case BENCH_BUFFER_SHADES:
        return terrain_heightmap_pack_hillshade_u8(context, map, NULL, work->buffer_cells,
                                                   work->width);
    case BENCH_BUFFER_STATISTICS:
        return find_statistics(context, map);
    case BENCH_BUFFER_SCORE:
        return find_score(context, map);
    case BENCH_BUFFER_CHANNELS:
        return terrain_heightmap_pack_channels_u8(
            context, (const terrain_heightmap *const *)work->maps, NULL, NULL, CHANNELS,
            work->buffer_cells, CHANNELS * (size_t)work->width);
    case BENCH_BUFFER_LANDFORM:
        return find_landform(context, map);
    case BENCH_BUFFER_FLATTER:
        desc.diagonal = TERRAIN_MESH_DIAGONAL_FLATTER;
        return terrain_mesh_indices(context, map, &desc, work->buffer_cells);
    default:
        return terrain_mesh_indices(context, map, &desc, work->buffer_cells);
    }
}

void bench_work_take_peer(bench_work *work, const bench_peer *peer)
{
    const size_t cells = (size_t)work->width * work->height;
    if (work->peer_cells == NULL) {
        work->peer_cells = allocate(4 * cells * sizeof *work->peer_cells);
    }
    work->peer = peer;
}

void bench_work_run(bench_work *work, terrain_context *context,
                    const terrain_context_desc *context_desc)
{
    if (work->peer != NULL) {
        const bench_peer_maps maps = {
            .from = terrain_heightmap_const_data(work->maps[index_of(work, "map")]),
            .to = work->peer_cells,
            .width = (int)work->width,
            .height = (int)work->height,
        };
        work->peer->run(&maps);
        return;
    }
    if (work->whole) {
        run_whole(work, context_desc);
    } else {
        run_steps(work, context);
    }
    if (work->buffer != BENCH_BUFFER_NONE) {
        bench_check(fill_buffer(work, context), context, "buffer");
    }
}

uint32_t bench_work_traffic(const bench_work *work)
{
    uint32_t maps = work->buffer == BENCH_BUFFER_NONE ? 0 : work->map_count + buffer_elements(work);
    for (uint32_t i = 0; i < work->step_count; i++) {
        const bench_step *step = &work->steps[i];
        for (uint32_t k = 0; k < step->map_count; k++) {
            const terrain_port *port = terrain_operation_port_at(step->operation, k);
            const bool grid = terrain_operation_port_at(step->operation, 0)->grid != 0;
            maps += grid || port->role == TERRAIN_PORT_ROLE_CHANGE ? 2 : 1;
        }
        maps += step->bound_count;
    }
    return maps;
}

uint32_t bench_work_divisor(const bench_work *work)
{
    return work->divisor;
}
