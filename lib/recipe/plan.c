/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Which statements a run needs, and which windows of them: in a world backwards from the outputs,
 * through terrain_operation_window; on bounded maps forwards from the inputs. plan_begin.c starts a
 * plan, bytes.c counts its memory, and run.c runs it. */

#include "recipe/plan.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "core/params.h"

terrain_status terrain__recipe_fail_step(terrain_context *context, const terrain__recipe_step *step,
                                         terrain_status status, const char *text)
{
    return terrain__context_fail(context, status, "%s %" PRIu32 ", %s: %s",
                                 step->statement.line > 0 ? "line" : "statement",
                                 step->statement.line > 0 ? step->statement.line : step->number + 1,
                                 step->statement.name, text);
}

terrain_status terrain__recipe_fail_call(const terrain__recipe_plan *plan, uint32_t statement,
                                         terrain_status status)
{
    char text[sizeof plan->context->message];
    snprintf(text, sizeof text, "%s", terrain_context_message(plan->context));
    return terrain__recipe_fail_step(plan->context, plan->recipe->steps[statement], status,
                                     text[0] != '\0' ? text : "no memory");
}

const terrain__checked *terrain__recipe_plan_params(const terrain__recipe_plan *plan,
                                                    uint32_t statement)
{
    return plan->scaled != NULL ? terrain__params_as_checked(&plan->scaled[statement])
                                : plan->recipe->steps[statement]->params;
}

const terrain__checked *terrain__recipe_effective_params(const terrain__recipe_plan *plan,
                                                         uint32_t statement, terrain__params *room)
{
    const terrain_operation *operation = plan->recipe->steps[statement]->statement.operation;
    const uint64_t world_seed = plan->desc.seed;
    unsigned char *params = room->bytes;
    memcpy(params, terrain__recipe_plan_params(plan, statement), operation->params_size);
    for (uint32_t i = 0; i < operation->parameter_count && world_seed != 0; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        if (parameter->role == TERRAIN_PARAMETER_ROLE_SEED) {
            uint64_t value;
            memcpy(&value, terrain__params_field(params, parameter), sizeof value);
            value = terrain__mix(world_seed, value);
            memcpy(terrain__params_field(params, parameter), &value, sizeof value);
        }
    }
    return terrain__params_as_checked(room);
}

/* ---- What is wanted -------------------------------------------------------------------------- */

terrain_status terrain__recipe_plan_want(terrain__recipe_plan *plan, const char *name,
                                         uint32_t *value)
{
    *value = terrain__recipe_find(plan->recipe, name);
    if (*value == TERRAIN__RECIPE_NONE && name == NULL) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                     "%s: the recipe has no statement", plan->name);
    }
    if (*value == TERRAIN__RECIPE_NONE) {
        terrain__recipe_nearest nearest = {name, NULL, 0};
        char near[TERRAIN_RECIPE_NAME_MAXIMUM + 32];
        for (uint32_t i = 0; i < plan->value_count; i++) {
            const char *made = plan->recipe->values[i].name;
            terrain__recipe_near(&nearest, made, made);
        }
        terrain__recipe_near_text(&nearest, near, sizeof near);
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                     "%s: the recipe makes no map '%.70s'%s", plan->name, name,
                                     near);
    }
    terrain__box box = terrain__recipe_plan_output_box(plan, *value);
    terrain__recipe_plan_want_value(plan, *value, &box);
    return TERRAIN_SUCCESS;
}

terrain__box terrain__recipe_plan_output_box(const terrain__recipe_plan *plan, uint32_t value)
{
    terrain__box box = plan->window;
    if (!plan->world) {
        return plan->slots[value].box;
    }
    if (plan->slots[value].spacing > 1) {
        terrain__box_coarsen(&box, plan->slots[value].spacing);
    }
    return box;
}

void terrain__recipe_plan_want_value(terrain__recipe_plan *plan, uint32_t value,
                                     const terrain__box *box)
{
    terrain__recipe_slot *slot = &plan->slots[value];
    slot->wanted = true;
    slot->uses++;
    if (plan->world) {
        terrain__box_unite(&slot->box, box);
    }
}

terrain_status terrain__recipe_plan_want_outputs(terrain__recipe_plan *plan)
{
    const terrain_recipe_run_desc *desc = &plan->desc;
    terrain_status status = TERRAIN_SUCCESS;
    plan->output_count = desc->output_count > 0 ? desc->output_count : 1;
    plan->outputs = terrain__shelf_zeros(plan->shelf, plan->output_count * sizeof *plan->outputs);
    if (plan->outputs == NULL) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_MEMORY, "%s: no memory",
                                     plan->name);
    }
    for (uint32_t i = 0; i < plan->output_count && status == TERRAIN_SUCCESS; i++) {
        const bool named = desc->output_count > 0 && desc->output_names != NULL;
        status = terrain__recipe_plan_want(plan, named ? desc->output_names[i] : NULL,
                                           &plan->outputs[i]);
    }
    return status;
}

/* ---- Which statements ------------------------------------------------------------------------ */

bool terrain__recipe_plan_is_given(const terrain__recipe_plan *plan, uint32_t statement)
{
    return plan->given != NULL && statement != TERRAIN__RECIPE_NONE && statement != plan->root &&
           plan->given[statement];
}

static bool plan_step_is_wanted(const terrain__recipe_plan *plan, const terrain__recipe_step *step)
{
    bool wanted = false;
    for (uint32_t i = 0; i < step->link_count; i++) {
        const uint32_t makes = step->links[i].makes;
        wanted = wanted || (makes != TERRAIN__RECIPE_NONE && plan->slots[makes].wanted);
    }
    return wanted;
}

static terrain_status plan_scale_step(terrain__recipe_plan *plan, uint32_t index)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    const terrain__recipe_step *whole = step->whole != NULL ? step->whole : step;
    terrain__params *scaled = &plan->scaled[index], room;
    char fault[TERRAIN__FAULT_SIZE], text[TERRAIN__FAULT_SIZE + 70];
    memcpy(scaled->bytes, step->params, step->statement.operation->params_size);
    if (plan->tasks[index].scale == 1) {
        return TERRAIN_SUCCESS;
    }
    terrain_status status = terrain__params_scale(whole->statement.operation, whole->params,
                                                  plan->tasks[index].scale, &room, fault);
    if (status == TERRAIN_SUCCESS) {
        memcpy(scaled->bytes, room.bytes, whole->statement.operation->params_size);
        return status;
    }
    snprintf(text, sizeof text, "%s: %s", step->statement.operation->name, fault);
    return terrain__recipe_fail_step(plan->context, step, TERRAIN_ERROR_RANGE, text);
}

static terrain_status plan_scale(terrain__recipe_plan *plan)
{
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < plan->step_count && plan->scaled != NULL; i++) {
        if (plan->tasks[i].wanted && status == TERRAIN_SUCCESS) {
            status = plan_scale_step(plan, i);
        }
    }
    return status;
}

/* Backwards, so that every reader of a value is known before the statement that makes it. */
terrain_status terrain__recipe_plan_mark(terrain__recipe_plan *plan)
{
    for (uint32_t i = plan->step_count; i-- > 0;) {
        const terrain__recipe_step *step = plan->recipe->steps[i];
        plan->tasks[i].wanted =
            !terrain__recipe_plan_is_given(plan, i) && plan_step_is_wanted(plan, step);
        for (uint32_t k = 0; k < step->link_count && plan->tasks[i].wanted; k++) {
            if (step->links[k].reads != TERRAIN__RECIPE_NONE) {
                plan->slots[step->links[k].reads].wanted = true;
                plan->slots[step->links[k].reads].uses++;
            }
        }
    }
    return plan_scale(plan);
}

/* ---- In a world ------------------------------------------------------------------------------ */

/* The params, in which maps that will be given are not NULL. */
static const void *plan_with_maps(const terrain__recipe_plan *plan, uint32_t index,
                                  terrain__params *room)
{
    static const terrain_heightmap some;
    const terrain_heightmap *map = &some;
    const terrain__recipe_step *step = plan->recipe->steps[index];
    memcpy(room->bytes, terrain__recipe_plan_params(plan, index),
           step->statement.operation->params_size);
    for (uint32_t i = 0; i < step->link_count; i++) {
        if (step->links[i].reads != TERRAIN__RECIPE_NONE && step->links[i].port->offset > 0) {
            memcpy(room->bytes + step->links[i].port->offset, &map, sizeof map);
        }
    }
    return room->bytes;
}

/* Why the statement can't be computed in a world, or NULL if it can. */
static const char *plan_world_fault(const terrain__recipe_plan *plan, uint32_t index)
{
    const terrain_operation *operation = plan->recipe->steps[index]->statement.operation;
    const terrain__checked *params = terrain__recipe_plan_params(plan, index);
    terrain__params room;
    const char *missing =
        operation->endless != NULL ? operation->endless(plan_with_maps(plan, index, &room)) : NULL;
    if (missing != NULL) {
        return missing;
    }
    return operation->regions == NULL && terrain__halo(operation, params) == TERRAIN__GLOBAL
               ? "every cell may depend on every other, so that it needs a "
                 "bounded map"
               : NULL;
}

static terrain_status plan_check_world(const terrain__recipe_plan *plan, uint32_t index)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    const char *fault = plan_world_fault(plan, index);
    char text[TERRAIN__FAULT_SIZE];
    if (fault == NULL) {
        return TERRAIN_SUCCESS;
    }
    snprintf(text, sizeof text, "%s can't run in an endless world: %s",
             step->statement.operation->name, fault);
    return terrain__recipe_fail_step(plan->context, step, TERRAIN_ERROR_UNSUPPORTED, text);
}

terrain_status terrain__recipe_plan_check_world(const terrain__recipe_plan *plan)
{
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < plan->step_count && status == TERRAIN_SUCCESS; i++) {
        status = plan->tasks[i].wanted ? plan_check_world(plan, i) : TERRAIN_SUCCESS;
    }
    return status;
}

/* The cells of a statement's outputs that are needed. */
static terrain__box plan_needed(const terrain__recipe_plan *plan, const terrain__recipe_step *step)
{
    terrain__box box = {0, 0, 0, 0};
    for (uint32_t i = 0; i < step->link_count; i++) {
        if (step->links[i].makes != TERRAIN__RECIPE_NONE) {
            terrain__box_unite(&box, &plan->slots[step->links[i].makes].box);
        }
    }
    return box;
}

static bool plan_is_coarse(const terrain__recipe_link *link)
{
    return link->port->lattice == TERRAIN_PORT_LATTICE_COARSE;
}

/* Unites `box` with what the map of a link must cover for `out`. */
static terrain_status plan_ask(const terrain__recipe_plan *plan, uint32_t index,
                               const terrain__checked *params, const terrain__recipe_link *link,
                               const terrain__box *out, terrain__box *box)
{
    terrain_window window;
    terrain__box in;
    if (!terrain__box_window(out, &window)) {
        return TERRAIN_ERROR_RANGE;
    }
    if (!plan_is_coarse(link) && terrain__recipe_has_regions(plan, index)) {
        terrain__recipe_regions_box(plan, index, out, &in);
    } else {
        terrain__port_box(plan->recipe->steps[index]->statement.operation, params, link->index, out,
                          &in);
    }
    if (!terrain__box_window(&in, &window)) {
        return TERRAIN_ERROR_RANGE;
    }
    terrain__box_unite(box, &in);
    return TERRAIN_SUCCESS;
}

/* All maps of a statement cover one box, but for a result of another size and for coarse maps: so
 * it is the union of what each must cover. Then the coarse ones must cover what that box needs. */
static terrain_status plan_work(terrain__recipe_plan *plan, uint32_t index)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    terrain__recipe_task *task = &plan->tasks[index];
    const bool resizes = terrain__resizes(step->statement.operation);
    terrain__box needed = plan_needed(plan, step);
    terrain__params room;
    const terrain__checked *params = terrain__recipe_effective_params(plan, index, &room);
    terrain_window window;
    terrain_status status = TERRAIN_SUCCESS;
    if (!resizes) {
        task->work = needed;
    }
    for (uint32_t i = 0; i < step->link_count && status == TERRAIN_SUCCESS; i++) {
        const terrain__recipe_link *link = &step->links[i];
        if (link->reads != TERRAIN__RECIPE_NONE && !plan_is_coarse(link)) {
            status = plan_ask(plan, index, params, link, &needed, &task->work);
        }
    }
    for (uint32_t i = 0; i < step->link_count && status == TERRAIN_SUCCESS; i++) {
        const terrain__recipe_link *link = &step->links[i];
        if (link->reads != TERRAIN__RECIPE_NONE && plan_is_coarse(link)) {
            status =
                plan_ask(plan, index, params, link, &task->work, &plan->slots[link->reads].box);
        }
    }
    /* A result of another size may have any size. */
    task->result = resizes ? needed : task->work;
    task->needed = needed;
    if (status == TERRAIN_SUCCESS && !terrain__box_window(&task->work, &window)) {
        status = TERRAIN_ERROR_RANGE;
    }
    return status;
}

static terrain_status plan_world_step(terrain__recipe_plan *plan, uint32_t index)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    terrain__recipe_task *task = &plan->tasks[index];
    terrain_status status = plan_check_world(plan, index);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = plan_work(plan, index);
    if (status != TERRAIN_SUCCESS) {
        return terrain__recipe_fail_step(plan->context, step, status,
                                         "the window that it needs leaves the world, or is wider "
                                         "than a map can be");
    }
    for (uint32_t i = 0; i < step->link_count; i++) {
        const terrain__recipe_link *link = &step->links[i];
        if (link->reads != TERRAIN__RECIPE_NONE && !plan_is_coarse(link)) {
            terrain__box_unite(&plan->slots[link->reads].box, &task->work);
        }
        if (link->makes != TERRAIN__RECIPE_NONE) {
            plan->slots[link->makes].box =
                link->port->lattice == TERRAIN_PORT_LATTICE_OWN ? task->result : task->work;
        }
    }
    return TERRAIN_SUCCESS;
}

static terrain_status plan_world(terrain__recipe_plan *plan)
{
    for (uint32_t i = plan->step_count; i-- > 0;) {
        if (plan->tasks[i].wanted) {
            terrain_status status = plan_world_step(plan, i);
            if (status != TERRAIN_SUCCESS) {
                return status;
            }
        }
    }
    return TERRAIN_SUCCESS;
}

/* ---- Bounded --------------------------------------------------------------------------------- */

/* All maps that a statement reads must lie where the first lies; the maps of a grid need only have
 * equal sizes. */
static terrain_status plan_check_equal(terrain__recipe_plan *plan, uint32_t index,
                                       const terrain__recipe_link *link)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    const terrain__box *work = &plan->tasks[index].work;
    const terrain__box *box = &plan->slots[link->reads].box;
    const bool equal = box->x1 - box->x0 == work->x1 - work->x0 &&
                       box->y1 - box->y0 == work->y1 - work->y0 &&
                       (link->port->grid != 0 || (box->x0 == work->x0 && box->y0 == work->y0));
    char text[320];
    if (equal) {
        return TERRAIN_SUCCESS;
    }
    snprintf(text, sizeof text,
             "'%s' is %" PRId64 "x%" PRId64 " at (%" PRId64 ", %" PRId64 "), must be %" PRId64
             "x%" PRId64 " at (%" PRId64 ", %" PRId64 ") as the other maps of %s",
             plan->recipe->values[link->reads].name, box->x1 - box->x0, box->y1 - box->y0, box->x0,
             box->y0, work->x1 - work->x0, work->y1 - work->y0, work->x0, work->y0,
             step->statement.operation->name);
    return terrain__recipe_fail_step(plan->context, step, TERRAIN_ERROR_ARGUMENT, text);
}

static terrain_status plan_bounded_result(terrain__recipe_plan *plan, uint32_t index)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    terrain__recipe_task *task = &plan->tasks[index];
    terrain_window window;
    task->result = task->work;
    if (!terrain__resizes(step->statement.operation)) {
        return TERRAIN_SUCCESS;
    }
    terrain__result_box(step->statement.operation, terrain__recipe_plan_params(plan, index),
                        &task->work, &task->result);
    if (!terrain__box_window(&task->result, &window)) {
        return terrain__recipe_fail_step(plan->context, step, TERRAIN_ERROR_RANGE,
                                         "its result leaves the world, or has no cell");
    }
    return TERRAIN_SUCCESS;
}

/* The map of a generator on a lattice: the run's window, or what covers its readers, which all lie
 * on finer lattices. */
static terrain__box plan_frame(const terrain__recipe_plan *plan, uint32_t spacing)
{
    terrain__box frame = {0, 0, 0, 0};
    if (spacing == 1) {
        return plan->window;
    }
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const terrain__recipe_step *step = plan->recipe->steps[i];
        for (uint32_t k = 0; k < step->link_count && plan->tasks[i].wanted; k++) {
            const terrain__recipe_link *link = &step->links[k];
            if (link->reads != TERRAIN__RECIPE_NONE && plan_is_coarse(link) &&
                plan->slots[link->reads].spacing == spacing) {
                terrain__box box;
                terrain__port_box(step->statement.operation, terrain__recipe_plan_params(plan, i),
                                  link->index, &plan->tasks[i].work, &box);
                terrain__box_unite(&frame, &box);
            }
        }
    }
    if (terrain__box_is_empty(&frame)) { /* nobody but the host wants it */
        frame = plan->window;
        terrain__box_coarsen(&frame, spacing);
    }
    return frame;
}

static terrain_status plan_bounded_step(terrain__recipe_plan *plan, uint32_t index)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    terrain__recipe_task *task = &plan->tasks[index];
    terrain_status status = TERRAIN_SUCCESS;
    const bool reads = terrain__source_count(step->statement.operation) > 0;
    task->work = reads ? plan->slots[step->links[0].reads].box : plan_frame(plan, task->spacing);
    for (uint32_t i = 0; i < step->link_count && status == TERRAIN_SUCCESS; i++) {
        if (step->links[i].reads != TERRAIN__RECIPE_NONE && !plan_is_coarse(&step->links[i])) {
            status = plan_check_equal(plan, index, &step->links[i]);
        }
    }
    if (status == TERRAIN_SUCCESS) {
        status = plan_bounded_result(plan, index);
    }
    for (uint32_t i = 0; i < step->link_count; i++) {
        const terrain__recipe_link *link = &step->links[i];
        if (link->makes != TERRAIN__RECIPE_NONE) {
            plan->slots[link->makes].box = link->port->grid != 0 ? plan->slots[link->reads].box
                                           : link->port->lattice == TERRAIN_PORT_LATTICE_OWN
                                               ? task->result
                                               : task->work;
        }
    }
    task->needed = task->result;
    return status;
}

/* Fine lattices first: the size of a coarse map follows from where it is read. */
static terrain_status plan_bounded(terrain__recipe_plan *plan)
{
    for (uint64_t spacing = 1; spacing <= UINT32_MAX; spacing *= 2) {
        for (uint32_t i = 0; i < plan->step_count; i++) {
            if (plan->tasks[i].wanted && plan->tasks[i].spacing == spacing) {
                terrain_status status = plan_bounded_step(plan, i);
                if (status != TERRAIN_SUCCESS) {
                    return status;
                }
            }
        }
    }
    return TERRAIN_SUCCESS;
}

/* ---- Both ------------------------------------------------------------------------------------ */

static bool plan_is_wanted_input(const terrain__recipe_plan *plan, uint32_t value)
{
    return plan->recipe->values[value].statement == TERRAIN__RECIPE_NONE &&
           plan->slots[value].wanted;
}

/* Bounded, an input tells its own size. */
terrain_status terrain__recipe_plan_check_inputs(terrain__recipe_plan *plan)
{
    for (uint32_t i = 0; i < plan->value_count; i++) {
        terrain__recipe_slot *slot = &plan->slots[i];
        if (plan_is_wanted_input(plan, i) && !slot->named) {
            return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                         "%s: input '%s' is missing", plan->name,
                                         plan->recipe->values[i].name);
        }
        if (plan_is_wanted_input(plan, i) && !plan->world && slot->map.data != NULL) {
            slot->box = terrain__box_of_map(&slot->map);
        }
    }
    return TERRAIN_SUCCESS;
}

/* In a world an input must cover what is needed of it, unless the host asks how much that is. */
static terrain_status plan_check_cover(const terrain__recipe_plan *plan)
{
    for (uint32_t i = 0; i < plan->value_count && plan->world; i++) {
        const terrain__recipe_slot *slot = &plan->slots[i];
        if (!plan_is_wanted_input(plan, i) || slot->map.data == NULL) {
            continue;
        }
        const terrain__box has = terrain__box_of_map(&slot->map);
        if (!terrain__box_contains(&has, &slot->box)) {
            return terrain__context_fail(
                plan->context, TERRAIN_ERROR_RANGE,
                "%s: input '%s' covers x %" PRId64 " to %" PRId64 " and y %" PRId64 " to %" PRId64
                ", but x %" PRId64 " to %" PRId64 " and y %" PRId64 " to %" PRId64 " is needed",
                plan->name, plan->recipe->values[i].name, has.x0, has.x1 - 1, has.y0, has.y1 - 1,
                slot->box.x0, slot->box.x1 - 1, slot->box.y0, slot->box.y1 - 1);
        }
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain__recipe_plan_windows(terrain__recipe_plan *plan)
{
    terrain_status status = terrain__recipe_plan_mark(plan);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_check_inputs(plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = plan->world ? plan_world(plan) : plan_bounded(plan);
    }
    return status == TERRAIN_SUCCESS ? plan_check_cover(plan) : status;
}

/* ---- Questions ------------------------------------------------------------------------------- */

/* Begins a plan of the map `name`. Free it in any case. */
static terrain_status plan_begin_for(terrain__recipe_plan *plan, const char *function,
                                     terrain_context *context, const terrain_recipe *recipe,
                                     const terrain_recipe_run_desc *desc, const char *name,
                                     uint32_t *value)
{
    const terrain_status status = terrain__recipe_plan_begin(
        plan, function, context, terrain__context_shelf(context), recipe, desc, false);
    return status == TERRAIN_SUCCESS ? terrain__recipe_plan_want(plan, name, value) : status;
}

terrain_status terrain_recipe_output_window(terrain_context *context, const terrain_recipe *recipe,
                                            const terrain_recipe_run_desc *desc, const char *name,
                                            terrain_window *out)
{
    terrain__recipe_plan plan;
    uint32_t value;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = plan_begin_for(&plan, "recipe_output_window", context, recipe, desc, name, &value);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_windows(&plan);
    }
    if (status == TERRAIN_SUCCESS && out == NULL) {
        status = terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT,
                                       "recipe_output_window: out is NULL");
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__box box = terrain__recipe_plan_output_box(&plan, value);
        terrain__box_window(&box, out);
    }
    terrain__recipe_plan_free(&plan);
    terrain__context_leave(context);
    return status;
}

terrain_status terrain_recipe_map_scale(terrain_context *context, const terrain_recipe *recipe,
                                        const char *name, double scale, double *out)
{
    terrain_recipe_run_desc desc;
    terrain__recipe_plan plan;
    uint32_t value;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    desc.scale = scale;
    status = plan_begin_for(&plan, "recipe_map_scale", context, recipe, &desc, name, &value);
    if (status == TERRAIN_SUCCESS && out == NULL) {
        status =
            terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "recipe_map_scale: out is NULL");
    }
    if (status == TERRAIN_SUCCESS) {
        const double own = plan.slots[value].scale;
        *out = own > 0 ? own : scale; /* nobody reads or makes it */
    }
    terrain__recipe_plan_free(&plan);
    terrain__context_leave(context);
    return status;
}

terrain_status terrain_recipe_check_world(terrain_context *context, const terrain_recipe *recipe,
                                          const char *name)
{
    terrain_recipe_run_desc desc;
    terrain__recipe_plan plan;
    uint32_t value;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    terrain_recipe_run_desc_init(&desc, sizeof desc);
    status = plan_begin_for(&plan, "recipe_check_world", context, recipe, &desc, name, &value);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_mark(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_check_world(&plan);
    }
    terrain__recipe_plan_free(&plan);
    terrain__context_leave(context);
    return status;
}
