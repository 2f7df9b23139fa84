/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Begins a plan: checks the desc of a run, finds the lattice and the scale on which each statement
 * is computed, and takes the inputs. plan.c then finds statements and windows. */

#include "recipe/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "core/context.h"

/* A preview of 4 cells then shows 2^18 of the recipe. */
#define PLAN_LEAST_SCALE 0x1p-16

static const terrain_recipe_run_desc plan_run_defaults = {
    .width = 512,
    .height = 512,
    .cell_size = 1,
    .scale = 1,
};

static const terrain__given plan_run_given = {
    .subject = "desc is",
    .name = "recipe_run_desc",
    .suffix = "",
    .tag = TERRAIN__TAG_RUN,
    .flags = TERRAIN_RECIPE_WORLD,
    .size = sizeof(terrain_recipe_run_desc),
    .reserved = offsetof(terrain_recipe_run_desc, reserved),
    .defaults = &plan_run_defaults,
};

terrain_status terrain_recipe_run_desc_init(terrain_recipe_run_desc *desc, size_t size)
{
    return terrain__given_init(&plan_run_given, desc, size);
}

/* ---- The desc -------------------------------------------------------------------------------- */

static terrain_status plan_take_desc(terrain__recipe_plan *plan,
                                     const terrain_recipe_run_desc *given)
{
    char text[TERRAIN__FAULT_SIZE];
    const char *fault = plan->recipe == NULL ? "recipe is NULL"
                        : given == NULL      ? "desc is NULL"
                                             : NULL;
    if (fault == NULL &&
        terrain__given_take(&plan_run_given, given, &plan->desc, text) != TERRAIN_SUCCESS) {
        fault = text;
    }
    if (fault == NULL && plan->desc.input_count > 0 &&
        (plan->desc.input_names == NULL || (plan->desc.inputs == NULL && !plan->later))) {
        fault = "input_count is not 0, but input_names or inputs is NULL";
    }
    return fault == NULL ? TERRAIN_SUCCESS
                         : terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT, "%s: %s",
                                                 plan->name, fault);
}

static terrain_status plan_check_range(const terrain__recipe_plan *plan)
{
    const terrain_recipe_run_desc *desc = &plan->desc;
    char number[TERRAIN__NUMBER_SIZE];
    if (desc->width == 0 || desc->height == 0 ||
        !terrain__window_in_world(desc->x, desc->y, desc->width, desc->height)) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_RANGE,
                                     "%s: the window is %" PRIu32 "x%" PRIu32 " at (%" PRId64
                                     ", %" PRId64
                                     "), must be at least 1x1 and within 2^62 of the origin",
                                     plan->name, desc->width, desc->height, desc->x, desc->y);
    }
    if (!terrain__is_cell_size(desc->cell_size)) {
        terrain__format_float(number, desc->cell_size);
        return terrain__context_fail(plan->context, TERRAIN_ERROR_RANGE,
                                     "%s: cell_size is %s, must be in [1e-6, 1e+9]", plan->name,
                                     number);
    }
    if (!(desc->scale >= PLAN_LEAST_SCALE && desc->scale <= 1 / PLAN_LEAST_SCALE)) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_RANGE,
                                     "%s: scale is %s, must be in [2^-16, 2^16]", plan->name,
                                     terrain__format_number(number, desc->scale));
    }
    return TERRAIN_SUCCESS;
}

/* The desc's cell size is the size of the recipe's cells. */
static terrain_status plan_scale_cell(terrain__recipe_plan *plan)
{
    if (plan->desc.scale == 1) {
        return TERRAIN_SUCCESS;
    }
    plan->desc.cell_size = (float)((double)plan->desc.cell_size / plan->desc.scale);
    if (!terrain__is_cell_size(plan->desc.cell_size)) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_RANGE,
                                     "%s: cell_size / scale must be in [1e-6, 1e+9]", plan->name);
    }
    return TERRAIN_SUCCESS;
}

/* ---- Lattices -------------------------------------------------------------------------------- */

/* Every reader of a value must see the same lattice. */
static terrain_status plan_set_lattice(terrain__recipe_plan *plan, uint32_t index, uint32_t value,
                                       uint64_t spacing, double scale)
{
    terrain__recipe_slot *slot = &plan->slots[value];
    char text[320], here[TERRAIN__NUMBER_SIZE], elsewhere[TERRAIN__NUMBER_SIZE];
    if (spacing > UINT32_MAX) {
        snprintf(text, sizeof text, "'%s' would lie on a lattice of more than 2^32 cells",
                 plan->recipe->values[value].name);
        return terrain__recipe_fail_step(plan->context, plan->recipe->steps[index],
                                         TERRAIN_ERROR_RANGE, text);
    }
    if (slot->spacing == spacing && slot->scale != scale) {
        snprintf(text, sizeof text,
                 "'%s' is needed at two scales, %s here and %s elsewhere: make two maps",
                 plan->recipe->values[value].name, terrain__format_number(here, scale),
                 terrain__format_number(elsewhere, slot->scale));
        return terrain__recipe_fail_step(plan->context, plan->recipe->steps[index],
                                         TERRAIN_ERROR_ARGUMENT, text);
    }
    if (slot->spacing != 0 && slot->spacing != spacing) {
        snprintf(text, sizeof text,
                 "'%s' is needed at every %" PRIu64 " cells here, and at every %" PRIu32
                 " elsewhere: make two maps",
                 plan->recipe->values[value].name, spacing, slot->spacing);
        return terrain__recipe_fail_step(plan->context, plan->recipe->steps[index],
                                         TERRAIN_ERROR_ARGUMENT, text);
    }
    slot->cell_size = plan->desc.cell_size * (float)(uint32_t)spacing;
    slot->spacing = (uint32_t)spacing;
    slot->scale = scale;
    return TERRAIN_SUCCESS;
}

/* The lattice on which a link is read whose statement is computed on another: of a coarse port a
 * coarser one. The map is scaled by the part of the scale that its spacing can't take. */
static terrain_status plan_read_lattice(terrain__recipe_plan *plan, uint32_t index,
                                        const terrain__recipe_link *link)
{
    const terrain__recipe_task *task = &plan->tasks[index];
    const terrain__recipe_step *step = plan->recipe->steps[index];
    const uint32_t asked = terrain__port_spacing(link->port, step->params);
    uint32_t spacing = asked;
    double scale = task->scale;
    if (scale != 1 && link->port->spacing_offset > 0) {
        spacing = terrain__scaled_spacing(
            terrain_operation_parameter_find(step->statement.operation, link->port->spacing), asked,
            scale);
        scale = scale * asked / spacing;
    }
    return plan_set_lattice(plan, index, link->reads, (uint64_t)task->spacing * spacing, scale);
}

/* Backwards: a statement is computed on the lattice on which its maps are read, and a coarse port
 * reads on a coarser one. */
static terrain_status plan_find_lattices(terrain__recipe_plan *plan)
{
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = plan->step_count; i-- > 0;) {
        const terrain__recipe_step *step = plan->recipe->steps[i];
        terrain__recipe_task *task = &plan->tasks[i];
        for (uint32_t k = 0; k < step->link_count && task->spacing == 0; k++) {
            const uint32_t makes = step->links[k].makes;
            if (makes != TERRAIN__RECIPE_NONE) {
                task->spacing = plan->slots[makes].spacing;
                task->scale = plan->slots[makes].scale;
            }
        }
        if (task->spacing == 0) {
            task->spacing = 1;
            task->scale = plan->desc.scale;
        }
        for (uint32_t k = 0; k < step->link_count && status == TERRAIN_SUCCESS; k++) {
            const terrain__recipe_link *link = &step->links[k];
            if (link->makes != TERRAIN__RECIPE_NONE) {
                status = plan_set_lattice(plan, i, link->makes, task->spacing, task->scale);
            }
            if (status == TERRAIN_SUCCESS && link->reads != TERRAIN__RECIPE_NONE) {
                status = plan_read_lattice(plan, i, link);
            }
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return TERRAIN_SUCCESS;
}

/* ---- Inputs, and the plan -------------------------------------------------------------------- */

void terrain__recipe_slot_lend(terrain__recipe_slot *slot, const terrain_heightmap *map)
{
    slot->map = *map;
    slot->map.read_only = true;
    slot->map.owned = false;
}

/* Finds the value of input number `index`, and puts the host's map into its slot. */
static terrain_status plan_take_input(terrain__recipe_plan *plan, uint32_t index)
{
    const terrain_recipe *recipe = plan->recipe;
    const char *name = plan->desc.input_names[index];
    const terrain_heightmap *map = plan->desc.inputs != NULL ? plan->desc.inputs[index] : NULL;
    const bool missing = name == NULL || (map == NULL && !(plan->later && plan->world));
    const char *fault = missing ? "is NULL" : "is not an input of the recipe";
    for (uint32_t i = 0; i < recipe->value_count && !missing; i++) {
        terrain__recipe_slot *slot = &plan->slots[i];
        if (recipe->values[i].statement != TERRAIN__RECIPE_NONE ||
            strcmp(recipe->values[i].name, name) != 0) {
            continue;
        }
        if (slot->named) {
            fault = "is given twice";
            break;
        }
        slot->named = true;
        plan->inputs[index] = i;
        if (map != NULL) {
            terrain__recipe_slot_lend(slot, map);
        }
        return TERRAIN_SUCCESS;
    }
    return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT, "%s: input '%.70s' %s",
                                 plan->name, name != NULL ? name : "", fault);
}

terrain_status terrain__recipe_plan_begin(terrain__recipe_plan *plan, const char *name,
                                          terrain_context *context, terrain__shelf *shelf,
                                          const terrain_recipe *recipe,
                                          const terrain_recipe_run_desc *given, bool later)
{
    const terrain_recipe_run_desc *desc = &plan->desc;
    memset(plan, 0, sizeof *plan);
    plan->context = context;
    plan->name = name;
    plan->shelf = shelf;
    plan->recipe = recipe;
    plan->later = later;
    plan->root = TERRAIN__RECIPE_NONE;
    plan->progress_to = 1;
    terrain_status status = plan_take_desc(plan, given);
    terrain__float_environment host;
    terrain__float_enter(&host);
    if (status == TERRAIN_SUCCESS) {
        status = plan_check_range(plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = plan_scale_cell(plan);
    }
    terrain__float_leave(&host);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    plan->step_count = recipe->step_count;
    plan->value_count = recipe->value_count;
    plan->window = terrain__box_at(desc->x, desc->y, desc->width, desc->height);
    plan->world = (desc->flags & TERRAIN_RECIPE_WORLD) != 0;
    plan->slots = terrain__shelf_zeros(shelf, recipe->value_count * sizeof *plan->slots);
    plan->tasks = terrain__shelf_zeros(shelf, recipe->step_count * sizeof *plan->tasks);
    plan->inputs = terrain__shelf_zeros(shelf, desc->input_count * sizeof *plan->inputs);
    if (plan->slots == NULL || plan->tasks == NULL || plan->inputs == NULL) {
        return terrain__context_fail(context, TERRAIN_ERROR_MEMORY, "%s: no memory", plan->name);
    }
    if (desc->scale != 1) {
        plan->scaled = terrain__shelf_zeros(shelf, recipe->step_count * sizeof *plan->scaled);
        if (plan->scaled == NULL) {
            return terrain__context_fail(context, TERRAIN_ERROR_MEMORY, "%s: no memory",
                                         plan->name);
        }
    }
    terrain__float_enter(&host);
    status = plan_find_lattices(plan);
    terrain__float_leave(&host);
    for (uint32_t i = 0; i < desc->input_count && status == TERRAIN_SUCCESS; i++) {
        status = plan_take_input(plan, i);
    }
    return status;
}

void terrain__recipe_plan_free(terrain__recipe_plan *plan)
{
    for (uint32_t i = 0; plan->slots != NULL && i < plan->value_count; i++) {
        terrain__room_give(terrain__context_room(plan->context), plan->slots[i].block);
    }
    terrain__shelf_give(plan->shelf, plan->slots);
    terrain__shelf_give(plan->shelf, plan->tasks);
    terrain__shelf_give(plan->shelf, plan->scaled);
    terrain__shelf_give(plan->shelf, plan->inputs);
    terrain__shelf_give(plan->shelf, plan->outputs);
}
