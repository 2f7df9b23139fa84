/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The recipe that a world works by: the host's, in which every operation that refines a pyramid is
 * taken apart, so that coarse levels are kept as the maps of other statements are.
 *
 *     hills = generate_drainage seed=5      becomes      (9) = level
 *                                                        (8) = level (9)
 *                                                        …
 *                                                        hills = finest (1)
 *
 * Levels have no names, are read by the next finer one alone, and lie on lattices of their own. */

#include <string.h>

#include "core/context.h"
#include "world/world.h"

#define LEVELS_NONE TERRAIN__RECIPE_NONE

/* What is being built. */
struct levels_recipe {
    const terrain__recipe_plan *plan; /* of the host's recipe */
    const terrain_recipe *from;
    terrain_recipe *to;
    uint32_t *values; /* in `to`, of each value of `from` */
};

static const terrain__levels *levels_of(const terrain__recipe_plan *plan, uint32_t statement)
{
    return plan->tasks[statement].wanted
               ? plan->recipe->steps[statement]->statement.operation->levels
               : NULL;
}

/* How many levels a statement has, at its scale. */
static uint32_t levels_count(const terrain__recipe_plan *plan, uint32_t statement)
{
    const terrain__levels *levels = levels_of(plan, statement);
    return levels != NULL ? levels->count(terrain__recipe_plan_params(plan, statement)) : 0;
}

static uint32_t levels_value(const struct levels_recipe *build, uint32_t value)
{
    return value != LEVELS_NONE ? build->values[value] : LEVELS_NONE;
}

static uint32_t levels_add_value(struct levels_recipe *build, const char *name, uint32_t statement)
{
    build->to->values[build->to->value_count] = (terrain__recipe_value){
        .name = name,
        .statement = statement,
    };
    return build->to->value_count++;
}

/* A statement of the host's, with room for the links of a level. */
static terrain__recipe_step *levels_copy_step(struct levels_recipe *build, uint32_t statement)
{
    const terrain__recipe_step *step = build->from->steps[statement];
    terrain__recipe_step *copy = terrain__arena_take(&build->to->arena, sizeof *copy);
    const uint32_t room = step->link_count + TERRAIN__MOST_PORTS;
    if (copy == NULL) {
        return NULL;
    }
    *copy = *step;
    copy->links = terrain__arena_take(&build->to->arena, room * sizeof *copy->links);
    if (copy->links == NULL) {
        return NULL;
    }
    for (uint32_t k = 0; k < step->link_count; k++) {
        copy->links[k] = step->links[k];
        copy->links[k].reads = levels_value(build, step->links[k].reads);
    }
    build->to->steps[build->to->step_count++] = copy;
    return copy;
}

/* Makes a copied step one of the levels: the params grow. */
static bool levels_set_operation(struct levels_recipe *build, terrain__recipe_step *step,
                                 uint32_t statement, uint32_t index, bool level)
{
    const terrain__recipe_step *whole = build->from->steps[statement];
    const terrain__levels *levels = whole->statement.operation->levels;
    const terrain_operation *operation = level ? levels->level : levels->finest;
    char *params = terrain__arena_take(&build->to->arena, operation->params_size);
    if (params == NULL) {
        return false;
    }
    memset(params, 0, operation->params_size);
    memcpy(params, whole->params, whole->statement.operation->params_size);
    levels->choose(params, index);
    step->statement.operation = operation;
    step->params = (const terrain__checked *)(const void *)params;
    step->statement.params = params;
    step->whole = whole;
    step->level = level;
    return true;
}

static void levels_add_link(terrain__recipe_step *step, uint32_t port, uint32_t reads,
                            uint32_t makes)
{
    step->links[step->link_count++] = (terrain__recipe_link){
        .port = terrain_operation_port_at(step->statement.operation, port),
        .index = port,
        .reads = reads,
        .makes = makes,
    };
}

/* A level uses only the coarse maps that the host's statement reads. Its argument comes first.
 * Returns the value that it makes. */
static uint32_t levels_keep_reads(struct levels_recipe *build, terrain__recipe_step *step,
                                  uint32_t statement)
{
    const terrain__recipe_step *whole = step->whole;
    const uint32_t made = levels_add_value(build, NULL, statement);
    step->link_count = 0;
    levels_add_link(step, 0, LEVELS_NONE, made);
    for (uint32_t k = 0; k < whole->link_count; k++) {
        const terrain__recipe_link *link = &whole->links[k];
        if (link->reads != LEVELS_NONE && link->port->lattice == TERRAIN_PORT_LATTICE_COARSE) {
            levels_add_link(step, link->index, build->values[link->reads], LEVELS_NONE);
        }
    }
    return made;
}

/* The step's ports for levels: reads the values from `coarse` on, and, if it is a level, makes as
 * many. Returns the first that it makes. */
static uint32_t levels_link(struct levels_recipe *build, terrain__recipe_step *step,
                            uint32_t statement, uint32_t coarse)
{
    const uint32_t first = terrain_operation_port_count(step->whole->statement.operation);
    const uint32_t count = terrain_operation_port_count(step->statement.operation);
    const uint32_t made = step->level ? levels_keep_reads(build, step, statement) : LEVELS_NONE;
    for (uint32_t port = first; port < count; port++) {
        if (terrain_operation_port_at(step->statement.operation, port)->role ==
            TERRAIN_PORT_ROLE_READ) {
            if (coarse != LEVELS_NONE) {
                levels_add_link(step, port, coarse++, LEVELS_NONE);
            }
        } else if (step->level) {
            levels_add_link(step, port, LEVELS_NONE, levels_add_value(build, NULL, statement));
        }
    }
    return made;
}

/* The statement itself, last, and the values that it makes, in their order. */
static bool levels_add_whole(struct levels_recipe *build, uint32_t statement, uint32_t coarse)
{
    const terrain_recipe *from = build->from;
    const terrain__recipe_step *step = from->steps[statement];
    const uint32_t number = build->to->step_count;
    terrain__recipe_step *copy = levels_copy_step(build, statement);
    if (copy == NULL || (coarse != LEVELS_NONE &&
                         !levels_set_operation(build, copy, statement,
                                               levels_count(build->plan, statement), false))) {
        return false;
    }
    for (uint32_t i = 0; i < from->value_count; i++) {
        if (from->values[i].statement == statement) {
            build->values[i] = levels_add_value(build, from->values[i].name, number);
        }
    }
    for (uint32_t k = 0; k < step->link_count; k++) {
        copy->links[k].makes = levels_value(build, step->links[k].makes);
    }
    copy->value = levels_value(build, step->value);
    if (coarse != LEVELS_NONE) {
        (void)levels_link(build, copy, number, coarse);
    }
    return true;
}

static bool levels_add_statement(struct levels_recipe *build, uint32_t statement)
{
    const uint32_t count = levels_count(build->plan, statement);
    uint32_t coarse = LEVELS_NONE;
    for (uint32_t index = 0; index < count; index++) {
        const uint32_t number = build->to->step_count;
        terrain__recipe_step *step = levels_copy_step(build, statement);
        if (step == NULL || !levels_set_operation(build, step, statement, index, true)) {
            return false;
        }
        coarse = levels_link(build, step, number, coarse);
        step->value = coarse;
    }
    return levels_add_whole(build, statement, coarse);
}

static bool levels_build(struct levels_recipe *build, uint32_t steps, uint32_t values)
{
    const terrain_recipe *from = build->from;
    terrain__arena *arena = &build->to->arena;
    build->values = terrain__arena_take(arena, from->value_count * sizeof *build->values);
    build->to->steps = terrain__arena_take(arena, steps * sizeof(terrain__recipe_step *));
    build->to->values = terrain__arena_take(arena, values * sizeof *build->to->values);
    if (build->values == NULL || build->to->steps == NULL || build->to->values == NULL) {
        return false;
    }
    for (uint32_t i = 0; i < from->value_count; i++) {
        if (from->values[i].statement == LEVELS_NONE) {
            build->values[i] = levels_add_value(build, from->values[i].name, LEVELS_NONE);
        }
    }
    for (uint32_t i = 0; i < from->step_count; i++) {
        if (!levels_add_statement(build, i)) {
            return false;
        }
    }
    return true;
}

terrain_status terrain__world_take_apart(const terrain__recipe_plan *plan,
                                         const terrain_allocator *allocator, terrain_recipe **out,
                                         uint32_t *values, uint32_t count)
{
    struct levels_recipe build = {.plan = plan, .from = plan->recipe};
    uint32_t levels = 0;
    *out = NULL;
    for (uint32_t i = 0; i < plan->step_count; i++) {
        levels += levels_count(plan, i);
    }
    if (levels == 0) {
        return TERRAIN_SUCCESS;
    }
    if (terrain__recipe_new(allocator, &build.to) == TERRAIN_SUCCESS) {
        if (levels_build(&build, plan->step_count + levels,
                         plan->value_count + levels * TERRAIN__MOST_PORTS)) {
            *out = build.to;
            for (uint32_t i = 0; i < count; i++) {
                values[i] = build.values[values[i]];
            }
            return TERRAIN_SUCCESS;
        }
        terrain_recipe_destroy(build.to);
    }
    return terrain__context_fail(plan->context, TERRAIN_ERROR_MEMORY, "world_create: no memory");
}
