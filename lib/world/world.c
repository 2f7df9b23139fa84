/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Making a world: refuses what can't be had in one, and decides which maps are worth keeping. */

#include "world/world.h"

#include <string.h>

#include "core/context.h"
#include "core/given.h"

static const terrain_world_desc world_defaults = {
    .cache_bytes = UINT64_C(64) << 20, .cell_size = 1, .scale = 1};

static const terrain__given world_given = {
    .subject = "desc is",
    .name = "world_desc",
    .suffix = "",
    .tag = TERRAIN__TAG_WORLD,
    .size = sizeof(terrain_world_desc),
    .reserved = offsetof(terrain_world_desc, reserved_end),
    .defaults = &world_defaults,
};

terrain_status terrain_world_desc_init(terrain_world_desc *desc, size_t size)
{
    return terrain__given_init(&world_given, desc, size);
}

static const char *world_desc_fault(const terrain_world_desc *desc)
{
    if (desc->recipe == NULL) {
        return "recipe is NULL";
    }
    if ((desc->allocator.allocate == NULL) != (desc->allocator.free == NULL)) {
        return "allocator has only one of its functions";
    }
    if (desc->input_count > 0 && (desc->input_names == NULL || desc->inputs == NULL)) {
        return "input_count is not 0, but input_names or inputs is NULL";
    }
    if (desc->output_count > 0 && desc->output_names == NULL) {
        return "output_count is not 0, but output_names is NULL";
    }
    if (desc->output_count > 0 && desc->name != NULL) {
        return "name and output_names are both given";
    }
    return NULL;
}

static terrain_status world_no_memory(terrain_context *context)
{
    return terrain__context_fail(context, TERRAIN_ERROR_MEMORY, "world_create: no memory");
}

/* ---- What is kept ---------------------------------------------------------------------------- */

/* Keeping a cell costs about two copies of it and some looking up, blocks are computed whole, and
 * along a straight flight only what lies ahead and behind is shared. In recipes of noise, Voronoi
 * cells and erosion, on tiles of 128 to 512 cells, keeping what is read 16 or 32 cells around a
 * tile cost more than computing it again. */
enum { WORLD_LEAST_REACH = 64 };

#define WORLD_MANY (TERRAIN__RECIPE_NONE - 1)

/* What is known of a statement while its readers are looked at. */
struct world_choice {
    uint32_t *reaches; /* how far around a tile or a kept block it is read */
    uint32_t *homes;   /* the kept statement that it is computed for; NONE: the tile; MANY */
    bool *seen;        /* whether there is a home yet */
};

/* Cells on any side; 0 of a pointwise statement. */
static uint32_t world_halo(const terrain__recipe_plan *plan, uint32_t statement)
{
    const terrain_operation *operation = plan->recipe->steps[statement]->statement.operation;
    if (terrain__recipe_has_regions(plan, statement)) {
        return 2 * operation->regions->core;
    }
    return terrain__halo(operation, terrain__recipe_plan_params(plan, statement));
}

static void world_note_reader(const terrain_world *world, struct world_choice *choice,
                              uint32_t value, uint32_t reach, uint32_t home)
{
    uint32_t maker = world->recipe->values[value].statement;
    if (maker == TERRAIN__RECIPE_NONE) {
        return; /* an input, which is there anyway */
    }
    if (reach > choice->reaches[maker]) {
        choice->reaches[maker] = reach;
    }
    if (choice->seen[maker] && choice->homes[maker] != home) {
        home = WORLD_MANY;
    }
    choice->homes[maker] = home;
    choice->seen[maker] = true;
}

/* A statement whose readers are all known: its maps are kept if it is a level of a pyramid, or if
 * they are read from afar, so that neighbours share them; or if they would be computed for several,
 * unless that costs no more than reading them back. What it reads is reached from its own blocks,
 * if it is kept. */
static void world_choose_statement(terrain_world *world, const terrain__recipe_plan *plan,
                                   struct world_choice *choice, uint32_t index)
{
    const terrain__recipe_step *step = world->recipe->steps[index];
    const terrain__checked *params = terrain__recipe_plan_params(plan, index);
    uint32_t halo = world_halo(plan, index);
    bool cheap = terrain__source_count(step->statement.operation) > 0 && halo == 0;
    const bool regions = terrain__recipe_has_regions(plan, index);
    bool kept = step->level || regions || choice->reaches[index] >= WORLD_LEAST_REACH ||
                (!cheap && choice->seen[index] && choice->homes[index] == WORLD_MANY);
    uint32_t home = kept                  ? index
                    : choice->seen[index] ? choice->homes[index]
                                          : TERRAIN__RECIPE_NONE;
    uint32_t reach = kept ? 0 : choice->reaches[index];
    reach = reach < UINT32_MAX - halo ? reach + halo : UINT32_MAX;
    world->cached[index] = kept;
    world->sides[index] = step->level ? TERRAIN__WORLD_LEVEL_BLOCK
                          : regions   ? 2 * step->statement.operation->regions->core
                                      : TERRAIN__WORLD_BLOCK;
    for (uint32_t k = 0; k < step->link_count; k++) {
        const terrain__recipe_link *link = &step->links[k];
        if (link->reads != TERRAIN__RECIPE_NONE) {
            world_note_reader(world, choice, link->reads,
                              reach / terrain__port_spacing(link->port, params), home);
        }
    }
}

/* Backwards. The arrays hold 0. */
static void world_choose(terrain_world *world, const terrain__recipe_plan *plan,
                         struct world_choice *choice)
{
    for (uint32_t i = 0; i < world->output_count; i++) {
        world_note_reader(world, choice, world->outputs[i], 0, TERRAIN__RECIPE_NONE);
    }
    for (uint32_t i = world->statement_count; i-- > 0;) {
        if (plan->tasks[i].wanted) {
            world_choose_statement(world, plan, choice, i);
        }
    }
}

/* Numbers the maps that are kept of each statement, and after them what its map was before. The
 * least of regions tells from which region the others come. */
static void world_number_planes(terrain_world *world, const terrain__recipe_plan *plan)
{
    for (uint32_t i = 0; i < world->value_count; i++) {
        uint32_t statement = world->recipe->values[i].statement;
        world->value_planes[i] = TERRAIN__RECIPE_NONE;
        if (statement == TERRAIN__RECIPE_NONE || !world->cached[statement]) {
            continue;
        }
        const bool least = terrain__world_value_before(world, statement) != TERRAIN__RECIPE_NONE &&
                           i == world->recipe->steps[statement]->value;
        if (plan->slots[i].uses > 0 || least) {
            world->value_planes[i] = world->plane_counts[statement]++;
        }
    }
    for (uint32_t i = 0; i < world->statement_count; i++) {
        world->plane_counts[i] += terrain__world_value_before(world, i) != TERRAIN__RECIPE_NONE;
    }
}

static terrain_status world_decide(terrain_world *world, const terrain__recipe_plan *plan)
{
    terrain__shelf *shelf = plan->shelf;
    const size_t count = world->statement_count;
    struct world_choice choice;
    terrain_status status = TERRAIN_ERROR_MEMORY;
    choice.reaches = terrain__shelf_zeros(shelf, count * sizeof *choice.reaches);
    choice.homes = terrain__shelf_zeros(shelf, count * sizeof *choice.homes);
    choice.seen = terrain__shelf_zeros(shelf, count * sizeof *choice.seen);
    if (choice.reaches != NULL && choice.homes != NULL && choice.seen != NULL) {
        world_choose(world, plan, &choice);
        world_number_planes(world, plan);
        status = TERRAIN_SUCCESS;
    }
    terrain__shelf_give(shelf, choice.reaches);
    terrain__shelf_give(shelf, choice.homes);
    terrain__shelf_give(shelf, choice.seen);
    return status == TERRAIN_SUCCESS ? status : world_no_memory(plan->context);
}

void terrain__world_set_run(const terrain_world *world, terrain_recipe_run_desc *desc)
{
    terrain_recipe_run_desc_init(desc, sizeof *desc);
    desc->flags |= TERRAIN_RECIPE_WORLD;
    desc->cell_size = world->cell_size;
    desc->scale = world->scale;
    desc->input_names = world->input_names;
    desc->inputs = world->inputs;
    desc->input_count = world->input_count;
}

/* A plan of the world's recipe. Free it in any case. */
static terrain_status world_plan(const terrain_world *world, terrain_context *context,
                                 terrain__recipe_plan *plan)
{
    terrain_recipe_run_desc desc;
    terrain__world_set_run(world, &desc);
    return terrain__recipe_plan_begin(plan, "world_create", context,
                                      terrain__context_shelf(context), world->recipe, &desc, false);
}

/* Checks the host's recipe, and takes it apart, if anything is to be kept. */
static terrain_status world_check(terrain_world *world, terrain_context *context,
                                  const terrain_world_desc *desc)
{
    terrain__recipe_plan plan;
    terrain_status status = world_plan(world, context, &plan);
    for (uint32_t i = 0; i < world->output_count && status == TERRAIN_SUCCESS; i++) {
        const char *name = desc->output_count > 0 ? desc->output_names[i] : desc->name;
        status = terrain__recipe_plan_want(&plan, name, &world->outputs[i]);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_mark(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_check_inputs(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_check_world(&plan);
    }
    for (uint32_t i = 0; i < world->input_count && status == TERRAIN_SUCCESS; i++) {
        world->input_names[i] = world->recipe->values[plan.inputs[i]].name;
    }
    if (status == TERRAIN_SUCCESS && world->cache_limit > 0) {
        status = terrain__world_take_apart(&plan, &world->allocator, &world->own, world->outputs,
                                           world->output_count);
    }
    terrain__recipe_plan_free(&plan);
    return status;
}

/* Memory that the world frees at its end. */
static void *world_zeros(terrain_world *world, uint32_t count, size_t size)
{
    void *zeros = terrain__arena_take(&world->arena, count * size);
    return zeros != NULL ? memset(zeros, 0, count * size) : NULL;
}

/* What the world keeps of its own recipe. */
static terrain_status world_survey(terrain_world *world, terrain_context *context)
{
    terrain__recipe_plan plan;
    world->recipe = world->own != NULL ? world->own : world->recipe;
    world->statement_count = world->recipe->step_count;
    world->value_count = world->recipe->value_count;
    world->cached = world_zeros(world, world->statement_count, sizeof *world->cached);
    world->plane_counts = world_zeros(world, world->statement_count, sizeof *world->plane_counts);
    world->sides = world_zeros(world, world->statement_count, sizeof *world->sides);
    world->value_planes = world_zeros(world, world->value_count, sizeof *world->value_planes);
    if (world->cached == NULL || world->plane_counts == NULL || world->sides == NULL ||
        world->value_planes == NULL) {
        return world_no_memory(context);
    }
    terrain_status status = world_plan(world, context, &plan);
    if (status == TERRAIN_SUCCESS) {
        for (uint32_t i = 0; i < world->output_count; i++) {
            const terrain__box box = terrain__recipe_plan_output_box(&plan, world->outputs[i]);
            terrain__recipe_plan_want_value(&plan, world->outputs[i], &box);
        }
        status = terrain__recipe_plan_mark(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = world_decide(world, &plan);
    }
    terrain__recipe_plan_free(&plan);
    return status;
}

/* ---- Life ------------------------------------------------------------------------------------ */

static void world_free(terrain_world *world)
{
    terrain_allocator allocator = world->allocator;
    terrain__arena_free(&world->arena);
    terrain_recipe_destroy(world->own);
    terrain__free(&allocator, world, sizeof *world);
}

/* Keeps the maps, and for now the host's names of them. */
static terrain_status world_take_inputs(terrain_context *context, const terrain_world_desc *desc,
                                        terrain_world *world)
{
    const uint32_t count = world->input_count = desc->input_count;
    world->input_names = world_zeros(world, count, sizeof *world->input_names);
    world->inputs = world_zeros(world, count, sizeof *world->inputs);
    if (world->input_names == NULL || world->inputs == NULL) {
        return world_no_memory(context);
    }
    for (uint32_t i = 0; i < count; i++) {
        world->input_names[i] = desc->input_names[i];
        world->inputs[i] = desc->inputs[i];
    }
    return TERRAIN_SUCCESS;
}

/* All but the lock. */
static terrain_status world_make(terrain_context *context, const terrain_world_desc *desc,
                                 terrain_world **out)
{
    terrain_world *world = terrain__allocate(&desc->allocator, sizeof *world, TERRAIN__ALIGNMENT);
    if (world == NULL) {
        return world_no_memory(context);
    }
    memset(world, 0, sizeof *world);
    world->allocator = world->arena.allocator = desc->allocator;
    world->observer = desc->observer;
    world->given = desc->recipe;
    world->given_values = desc->recipe->value_count;
    world->recipe = desc->recipe;
    world->seed = desc->seed;
    world->cache_limit = desc->cache_bytes;
    world->memory_limit = desc->memory_limit;
    world->cell_size = desc->cell_size;
    world->scale = desc->scale;
    world->output_count = desc->output_count > 0 ? desc->output_count : 1;
    world->outputs = world_zeros(world, world->output_count, sizeof *world->outputs);
    terrain_status status =
        world->outputs != NULL ? world_take_inputs(context, desc, world) : world_no_memory(context);
    if (status == TERRAIN_SUCCESS) {
        status = world_check(world, context, desc);
    }
    if (status == TERRAIN_SUCCESS) {
        status = world_survey(world, context);
    }
    if (status != TERRAIN_SUCCESS) {
        world_free(world);
        return status;
    }
    *out = world;
    return TERRAIN_SUCCESS;
}

static terrain_status world_make_lock(terrain_context *context, terrain_world *world)
{
    if (terrain__mutex_init(&world->mutex)) {
        if (terrain__condition_init(&world->changed)) {
            return TERRAIN_SUCCESS;
        }
        terrain__mutex_destroy(&world->mutex);
    }
    world_free(world);
    return terrain__context_fail(context, TERRAIN_ERROR_SYSTEM, "world_create: no lock");
}

static terrain_status world_take_desc(terrain_context *context, const terrain_world_desc *given,
                                      terrain_world_desc *desc)
{
    char text[TERRAIN__FAULT_SIZE];
    const char *fault = given == NULL ? "desc is NULL" : NULL;
    if (fault == NULL && terrain__given_take(&world_given, given, desc, text) != TERRAIN_SUCCESS) {
        fault = text;
    }
    if (fault == NULL) {
        fault = world_desc_fault(desc);
    }
    return fault == NULL
               ? TERRAIN_SUCCESS
               : terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "world_create: %s", fault);
}

terrain_status terrain_world_create(terrain_context *context, const terrain_world_desc *given,
                                    terrain_world **out)
{
    terrain_world_desc desc;
    terrain_world *world = NULL;
    terrain_status status = terrain__context_enter_making(context, "world_create", out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = world_take_desc(context, given, &desc);
    if (status == TERRAIN_SUCCESS) {
        status = world_make(context, &desc, &world);
    }
    if (status == TERRAIN_SUCCESS) {
        status = world_make_lock(context, world);
    }
    if (status == TERRAIN_SUCCESS) {
        *out = world;
    }
    terrain__context_leave(context);
    return status;
}

void terrain_world_destroy(terrain_world *world)
{
    if (world == NULL) {
        return;
    }
    terrain__world_evict(world, 0);
    terrain__free(&world->allocator, world->table, world->table_size * sizeof(*world->table));
    terrain__condition_destroy(&world->changed);
    terrain__mutex_destroy(&world->mutex);
    world_free(world);
}

void terrain_world_trim(terrain_world *world)
{
    if (world != NULL) {
        terrain__mutex_lock(&world->mutex);
        terrain__world_evict(world, 0);
        terrain__mutex_unlock(&world->mutex);
    }
}

uint64_t terrain_world_cache_size(terrain_world *world)
{
    uint64_t bytes = 0;
    if (world != NULL) {
        terrain__mutex_lock(&world->mutex);
        bytes = world->bytes;
        terrain__mutex_unlock(&world->mutex);
    }
    return bytes;
}
