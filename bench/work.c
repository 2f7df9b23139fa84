/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "work.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_STATEMENTS = 16, MOST_MAPS = 16 };

/* A statement, with the maps that it works on as indices of the recipe's maps. */
typedef struct bench_step {
    const terrain_operation *operation;
    void *params;
    uint32_t map;
    uint32_t other; /* of COMBINE and RESULT, and the eastern neighbour of a GRID */
    uint32_t bound_count;
    struct {
        const terrain_parameter *parameter;
        uint32_t map;
    } bound[MOST_MAPS];
} bench_step;

struct bench_work {
    terrain_recipe *recipe;
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
    uint8_t *bytes;             /* for packing, or NULL */
    uint32_t mesh;              /* BENCH_MESH_… */
    void *mesh_buffer;          /* for that, or NULL */
};

void bench_check(terrain_status status, const terrain_context *context, const char *what)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "terrain-bench: %s: %s %s\n", what, terrain_status_name(status),
                terrain_context_message(context));
        exit(1);
    }
}

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
    for (uint32_t i = 0; i < work->map_count; i++) {
        if (strcmp(terrain_recipe_map_at(work->recipe, i), name) == 0) {
            return i;
        }
    }
    fprintf(stderr, "terrain-bench: no map %s\n", name);
    exit(1);
}

static void make_step(bench_work *work, bench_step *step, const terrain_recipe_statement *told)
{
    terrain_signature signature = terrain_operation_signature(told->operation);
    uint32_t result = index_of(work, told->name);
    step->operation = told->operation;
    step->params = allocate(terrain_operation_params_size(told->operation));
    memcpy(step->params, told->params, terrain_operation_params_size(told->operation));
    step->map = result;
    if (signature == TERRAIN_SIGNATURE_COMBINE) {
        step->other = index_of(work, told->inputs[1]);
    } else if (signature == TERRAIN_SIGNATURE_RESULT) {
        step->map = index_of(work, told->inputs[0]);
        step->other = result;
        bench_check(terrain_operation_result_window(step->operation, step->params,
                                                    &work->windows[step->map],
                                                    &work->windows[result]),
                    NULL, "result window");
    }
    step->bound_count = told->map_count;
    for (uint32_t i = 0; i < told->map_count; i++) {
        step->bound[i].parameter =
            terrain_operation_parameter_find(told->operation, told->map_parameters[i]);
        step->bound[i].map = index_of(work, told->maps[i]);
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
    for (uint32_t i = 0; i < terrain_recipe_input_count(work->recipe); i++) {
        uint32_t map = index_of(work, terrain_recipe_input_at(work->recipe, i));
        bench_check(terrain_heightmap_copy(NULL, work->terrain, work->maps[map]), NULL, "terrain");
    }
}

/* The operation of a case on a grid, "map = NAME map other", for which there are no recipes. NULL:
 * it is none. */
static const terrain_operation *grid_operation(const bench_case *made)
{
    char name[100];
    const terrain_operation *operation = sscanf(made->recipe, "map = %99s map other", name) == 1
                                             ? terrain_operation_find(name)
                                             : NULL;
    return terrain_operation_signature(operation) == TERRAIN_SIGNATURE_GRID ? operation : NULL;
}

static terrain_recipe *read_recipe(const bench_case *made)
{
    /* Of the same maps; make_grid_step takes its place. */
    const char *wanted =
        grid_operation(made) != NULL ? "map = combine_blend map other" : made->recipe;
    char text[2000];
    terrain_context *context = NULL;
    terrain_recipe *recipe = NULL;
    bench_check(terrain_context_create(NULL, &context), NULL, "context");
    /* A recipe has a statement; that of a case without one is not run. */
    snprintf(text, sizeof text, "input map\ninput other\n%s\n",
             made->mesh == BENCH_MESH_NONE ? wanted : "other = shape_clamp map");
    if (terrain_recipe_parse(context, text, strlen(text), &recipe) != TERRAIN_SUCCESS) {
        fprintf(stderr, "terrain-bench: %s: %s\n", made->name, terrain_context_message(context));
    }
    terrain_context_destroy(context);
    return recipe;
}

/* Floats or indices for each cell. */
static uint32_t mesh_elements(const bench_work *work)
{
    return work->mesh == BENCH_MESH_NONE ? 0 : work->mesh <= BENCH_MESH_NORMALS ? 3 : 6;
}

static void make_grid_step(bench_step *step, const terrain_operation *operation)
{
    size_t size = terrain_operation_params_size(operation);
    free(step->params);
    step->operation = operation;
    step->params = allocate(size);
    bench_check(terrain_operation_params_init(operation, step->params, size), NULL, "params");
}

bench_work *bench_work_create(const bench_case *made, uint32_t width, uint32_t height)
{
    terrain_recipe *recipe = read_recipe(made);
    if (recipe == NULL) {
        return NULL;
    }
    bench_work *work = calloc(1, sizeof *work);
    if (work == NULL || terrain_recipe_map_count(recipe) > MOST_MAPS ||
        terrain_recipe_statement_count(recipe) > MOST_STATEMENTS) {
        bench_check(TERRAIN_ERROR_MEMORY, NULL, made->name);
        return NULL;
    }
    work->recipe = recipe;
    work->width = width;
    work->height = height;
    work->whole = made->whole;
    work->map_count = terrain_recipe_map_count(recipe);
    for (uint32_t i = 0; i < work->map_count; i++) {
        work->windows[i] = (terrain_window){0, 0, width, height};
    }
    work->step_count = made->mesh == BENCH_MESH_NONE ? terrain_recipe_statement_count(recipe) : 0;
    for (uint32_t i = 0; i < work->step_count; i++) {
        make_step(work, &work->steps[i], terrain_recipe_statement_at(recipe, i));
    }
    if (grid_operation(made) != NULL) {
        make_grid_step(&work->steps[0], grid_operation(made));
    }
    work->divisor = made->per == NULL ? 1 : value_of(&work->steps[0], made->per);
    create_maps(work);
    fill_maps(work);
    if (made->pack) {
        work->bytes = allocate((size_t)width * height);
    }
    if (made->mesh != BENCH_MESH_NONE) {
        work->mesh = made->mesh;
        work->mesh_buffer = allocate((size_t)width * height * mesh_elements(work) * sizeof(float));
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
    free(work->bytes);
    free(work->mesh_buffer);
    terrain_recipe_destroy(work->recipe);
    free(work);
}

void bench_work_copy(bench_work *work)
{
    memcpy(terrain_heightmap_data(work->maps[index_of(work, "map")]),
           terrain_heightmap_const_data(work->terrain),
           (size_t)work->width * work->height * sizeof(float));
}

static void run_step(const bench_work *work, const bench_step *step, terrain_context *context)
{
    terrain_signature signature = terrain_operation_signature(step->operation);
    bool two = signature == TERRAIN_SIGNATURE_COMBINE || signature == TERRAIN_SIGNATURE_RESULT;
    terrain_heightmap *maps[] = {work->maps[step->map], work->maps[step->other]};
    terrain_status status =
        signature == TERRAIN_SIGNATURE_GRID
            ? terrain_operation_apply_grid(context, step->operation, maps, 2, 1, step->params)
            : terrain_operation_apply(context, step->operation, maps[0], &maps[1], two ? 1 : 0,
                                      step->params);
    bench_check(status, context, terrain_operation_name(step->operation));
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

static terrain_status run_mesh(const bench_work *work, terrain_context *context)
{
    const terrain_heightmap *map = work->maps[index_of(work, "map")];
    terrain_mesh_desc desc;
    terrain_mesh_desc_init(&desc, sizeof desc);
    switch (work->mesh) {
    case BENCH_MESH_POSITIONS:
        return terrain_mesh_positions(context, map, &desc, work->mesh_buffer, 3);
    case BENCH_MESH_NORMALS:
        return terrain_mesh_normals(context, map, &desc, work->mesh_buffer, 3);
    case BENCH_MESH_FLATTER:
        desc.diagonal = TERRAIN_MESH_DIAGONAL_FLATTER;
        return terrain_mesh_indices(context, map, &desc, work->mesh_buffer);
    default:
        return terrain_mesh_indices(context, map, &desc, work->mesh_buffer);
    }
}

void bench_work_run(bench_work *work, terrain_context *context,
                    const terrain_context_desc *context_desc)
{
    if (work->whole) {
        run_whole(work, context_desc);
    } else {
        run_steps(work, context);
    }
    if (work->bytes != NULL) {
        terrain_heightmap *last = work->maps[work->steps[work->step_count - 1].other];
        bench_check(terrain_heightmap_pack_u8(context, last, 0, 1, work->bytes, work->width),
                    context, "packing");
    }
    if (work->mesh != BENCH_MESH_NONE) {
        bench_check(run_mesh(work, context), context, "mesh");
    }
}

uint32_t bench_work_traffic(const bench_work *work)
{
    uint32_t maps = work->mesh == BENCH_MESH_NONE ? 0 : 1 + mesh_elements(work);
    for (uint32_t i = 0; i < work->step_count; i++) {
        const bench_step *step = &work->steps[i];
        static const uint32_t of_signature[] = {1, 2, 3, 2, 4};
        maps += of_signature[terrain_operation_signature(step->operation)] + step->bound_count;
    }
    return maps;
}

uint32_t bench_work_divisor(const bench_work *work)
{
    return work->divisor;
}
