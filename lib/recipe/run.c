/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain_recipe_run: the statements of a plan, one after the other.
 *
 * A map that an operation changes in place is taken over from its last reader, else copied; a map
 * that is read is seen through the window that the operation is to work on. Outputs are written
 * when everything has succeeded. */

#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "core/params.h"
#include "recipe/plan.h"

terrain_heightmap terrain__recipe_slot_crop(const terrain__recipe_slot *slot,
                                            const terrain__box *box)
{
    terrain_heightmap map = slot->map;
    map.data += (size_t)(box->y0 - map.y) * map.stride + (size_t)(box->x0 - map.x);
    map.width = (uint32_t)(box->x1 - box->x0);
    map.height = (uint32_t)(box->y1 - box->y0);
    map.x = box->x0;
    map.y = box->y0;
    return map;
}

static void run_release(terrain__recipe_slot *slot)
{
    if (slot->uses > 0 && --slot->uses == 0) {
        terrain_heightmap_destroy(slot->owner);
        slot->owner = NULL;
    }
}

terrain_status terrain__recipe_plan_create(terrain__recipe_plan *plan, terrain__recipe_slot *slot,
                                           const terrain__box *box)
{
    terrain_status status = terrain__heightmap_new(terrain__context_allocator(plan->context),
                                                   (uint32_t)(box->x1 - box->x0),
                                                   (uint32_t)(box->y1 - box->y0), &slot->owner);
    if (status == TERRAIN_SUCCESS) {
        slot->owner->x = box->x0;
        slot->owner->y = box->y0;
        slot->owner->cell_size = plan->desc.cell_size * (float)slot->spacing;
        slot->map = *slot->owner;
        slot->map.owned = false;
    }
    return status;
}

/* The map that the statement changes, in the slot of what it makes. */
static terrain_status run_take_over(terrain__recipe_plan *plan, terrain__recipe_slot *source,
                                    terrain__recipe_slot *slot, const terrain__box *box)
{
    terrain_heightmap part = terrain__recipe_slot_crop(source, box);
    terrain_status status;
    if (source->owner != NULL && source->uses == 1) {
        slot->owner = source->owner;
        slot->map = part;
        source->owner = NULL;
        return TERRAIN_SUCCESS;
    }
    status = terrain__recipe_plan_create(plan, slot, box);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_heightmap_copy(NULL, &part, &slot->map);
    }
    return status;
}

/* The maps of a statement's call, while it runs. */
struct run_call {
    terrain__argument arguments[TERRAIN__MOST_ARGUMENTS];
    terrain_heightmap views[TERRAIN__MOST_PORTS]; /* of maps that are read */
    terrain_heightmap **grid;                     /* NULL: none */
    terrain__params params;
};

/* The map that a link reads, seen through the window that the statement works on; a coarse one is
 * seen whole. */
static terrain_heightmap run_view(const terrain__recipe_plan *plan,
                                  const terrain__recipe_task *task,
                                  const terrain__recipe_link *link)
{
    const terrain__recipe_slot *slot = &plan->slots[link->reads];
    return terrain__recipe_slot_crop(
        slot, link->port->lattice == TERRAIN_PORT_LATTICE_COARSE ? &slot->box : &task->work);
}

/* The map that a link writes, in the slot of what it makes. */
static terrain_status run_make(terrain__recipe_plan *plan, const terrain__recipe_task *task,
                               const terrain__recipe_link *link)
{
    terrain__recipe_slot *made = &plan->slots[link->makes];
    if (link->port->role == TERRAIN_PORT_ROLE_CHANGE) {
        terrain__recipe_slot *source = &plan->slots[link->reads];
        return run_take_over(plan, source, made,
                             link->port->grid != 0 ? &source->box : &task->work);
    }
    return terrain__recipe_plan_create(
        plan, made, link->port->lattice == TERRAIN_PORT_LATTICE_OWN ? &task->result : &task->work);
}

/* Gives link number `index` its map. An output that nobody reads is not asked for, if the operation
 * can do without. */
static terrain_status run_bind(terrain__recipe_plan *plan, const terrain__recipe_task *task,
                               const terrain__recipe_link *link, uint32_t index,
                               struct run_call *call)
{
    const terrain_heightmap *read = NULL;
    terrain_heightmap *written = NULL;
    if (link->makes == TERRAIN__RECIPE_NONE) {
        call->views[index] = run_view(plan, task, link);
        read = &call->views[index];
    } else if (plan->slots[link->makes].uses > 0 || link->port->optional == 0) {
        terrain_status status = run_make(plan, task, link);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        written = &plan->slots[link->makes].map;
    }
    if (link->port->grid != 0) {
        call->grid[index] = written;
    } else if (link->port->offset == 0) {
        call->arguments[index].read = read;
        call->arguments[index].written = written;
    } else if (link->makes == TERRAIN__RECIPE_NONE) {
        memcpy(call->params.bytes + link->port->offset, &read, sizeof read);
    } else {
        memcpy(call->params.bytes + link->port->offset, &written, sizeof written);
    }
    return TERRAIN_SUCCESS;
}

/* Inputs that nobody will read again, and maps that were made though nobody wants them. */
static void run_release_all(terrain__recipe_plan *plan, const terrain__recipe_step *step)
{
    for (uint32_t i = 0; i < step->link_count; i++) {
        const terrain__recipe_link *link = &step->links[i];
        if (link->reads != TERRAIN__RECIPE_NONE) {
            run_release(&plan->slots[link->reads]);
        }
        if (link->makes != TERRAIN__RECIPE_NONE && plan->slots[link->makes].uses == 0) {
            terrain_heightmap_destroy(plan->slots[link->makes].owner);
            plan->slots[link->makes].owner = NULL;
        }
    }
}

/* A failed operation's own message, with the statement before it. */
static terrain_status run_fail_step(terrain__recipe_plan *plan, uint32_t index,
                                    terrain_status status)
{
    char text[sizeof plan->context->message];
    snprintf(text, sizeof text, "%s", terrain_context_message(plan->context));
    return terrain__recipe_fail_step(plan->context, plan->recipe->steps[index], index, status,
                                     text[0] != '\0' ? text : "no memory");
}

/* A value's map, if it is a given one that nobody has read yet. */
static terrain_status run_fetch(terrain__recipe_plan *plan, uint32_t value)
{
    bool given = terrain__recipe_plan_is_given(plan, plan->recipe->values[value].statement);
    return given && plan->slots[value].map.data == NULL ? plan->fetch(plan, value)
                                                        : TERRAIN_SUCCESS;
}

static terrain_status run_fetch_inputs(terrain__recipe_plan *plan, const terrain__recipe_step *step)
{
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < step->link_count && status == TERRAIN_SUCCESS; i++) {
        if (step->links[i].reads != TERRAIN__RECIPE_NONE) {
            status = run_fetch(plan, step->links[i].reads);
        }
    }
    return status;
}

/* Binds the maps and calls the operation. */
static terrain_status run_apply(terrain__recipe_plan *plan, const terrain__recipe_step *step,
                                const terrain__recipe_task *task, struct run_call *call)
{
    const terrain_operation *operation = step->told.operation;
    const terrain__maps maps = {
        .arguments = call->grid == NULL ? call->arguments : NULL,
        .count = terrain__argument_count(operation),
        .grid = call->grid,
        .columns = step->told.columns,
        .rows = call->grid != NULL ? step->told.input_count / step->told.columns : 0,
        .wanted = call->grid == NULL ? &task->needed : NULL,
    };
    terrain_status status = TERRAIN_SUCCESS;
    terrain__recipe_effective_params(step, plan->desc.seed, call->params.bytes);
    for (uint32_t i = 0; i < step->link_count && status == TERRAIN_SUCCESS; i++) {
        status = run_bind(plan, task, &step->links[i], i, call);
    }
    return status == TERRAIN_SUCCESS
               ? terrain__apply_locked(plan->context, operation, &maps, call->params.bytes)
               : status;
}

static terrain_status run_step(terrain__recipe_plan *plan, uint32_t index)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    const terrain_allocator *allocator = terrain__context_allocator(plan->context);
    const bool grid = terrain__is_grid(step->told.operation);
    const size_t grid_size = grid ? step->told.input_count * sizeof(terrain_heightmap *) : 0;
    struct run_call call = {.grid = NULL};
    terrain_status status = run_fetch_inputs(plan, step);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (grid) {
        call.grid = terrain__allocate(allocator, grid_size, TERRAIN__ALIGNMENT);
        status = call.grid != NULL ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY;
    }
    if (status == TERRAIN_SUCCESS) {
        status = run_apply(plan, step, &plan->tasks[index], &call);
    }
    terrain__free(allocator, call.grid, grid_size);
    if (status != TERRAIN_SUCCESS) {
        return run_fail_step(plan, index, status);
    }
    run_release_all(plan, step);
    return TERRAIN_SUCCESS;
}

/* ---- Progress -------------------------------------------------------------------------------- */

static double run_weight(const terrain__recipe_task *task)
{
    return task->wanted
               ? (double)(task->work.x1 - task->work.x0) * (double)(task->work.y1 - task->work.y0)
               : 0;
}

/* A share of the plan as one of the whole call; exact at the end, so that it never falls. */
static double run_progress_at(const terrain__recipe_plan *plan, double share)
{
    double range = plan->progress_to - plan->progress_from;
    return share < 1 ? plan->progress_from + range * share : plan->progress_to;
}

/* What the next call's 0 to 1 stands for. */
static void run_set_progress(terrain__recipe_plan *plan, double from, double to)
{
    if (plan->context != NULL) {
        plan->context->progress_from = run_progress_at(plan, from);
        plan->context->progress_to = run_progress_at(plan, to);
    }
}

double terrain__recipe_plan_weight(const terrain__recipe_plan *plan)
{
    double total = 0;
    for (uint32_t i = 0; i < plan->recipe->step_count; i++) {
        total += run_weight(&plan->tasks[i]);
    }
    return total;
}

/* Before each statement, and after the last: has the host cancelled? */
static terrain_status run_poll(terrain__recipe_plan *plan, double fraction)
{
    terrain_context *context = plan->context;
    run_set_progress(plan, 0, 1);
    if (terrain__context_take_cancel(context) ||
        (fraction > 0 && !terrain__context_report(context, fraction))) {
        return terrain__context_fail(context, TERRAIN_ERROR_CANCELLED, "recipe_run: cancelled");
    }
    return TERRAIN_SUCCESS;
}

static void run_observe(const terrain__recipe_plan *plan, uint32_t index)
{
    const terrain_recipe_observer *observer = &plan->desc.observer;
    const terrain__box *box = &plan->tasks[index].result;
    terrain_window window = {box->x0, box->y0, (uint32_t)(box->x1 - box->x0),
                             (uint32_t)(box->y1 - box->y0)};
    if (observer->computed != NULL) {
        observer->computed(observer->user, index, &window);
    }
}

static terrain_status run_steps(terrain__recipe_plan *plan)
{
    double total = terrain__recipe_plan_weight(plan);
    double done = 0;
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < plan->recipe->step_count && status == TERRAIN_SUCCESS; i++) {
        double weight = run_weight(&plan->tasks[i]);
        if (!plan->tasks[i].wanted) {
            continue;
        }
        status = run_poll(plan, done / total);
        if (status != TERRAIN_SUCCESS) {
            break;
        }
        run_set_progress(plan, done / total, (done + weight) / total);
        status = run_step(plan, i);
        done += weight;
        if (status == TERRAIN_SUCCESS) {
            run_observe(plan, i);
        }
    }
    run_set_progress(plan, 1, 1);
    for (uint32_t i = 0; i < plan->recipe->value_count && status == TERRAIN_SUCCESS; i++) {
        if (plan->slots[i].wanted && plan->slots[i].uses > 0) {
            status = run_fetch(plan, i);
        }
    }
    return status == TERRAIN_SUCCESS ? run_poll(plan, 1) : status;
}

terrain_status terrain__recipe_plan_run(terrain__recipe_plan *plan)
{
    terrain_status status = run_steps(plan);
    if (plan->context != NULL) { /* other calls report from 0 to 1 */
        plan->context->progress_from = 0;
        plan->context->progress_to = 1;
    }
    return status;
}

/* ---- Outputs --------------------------------------------------------------------------------- */

static const char *run_output_name(const terrain__recipe_plan *plan, uint32_t index)
{
    const char *name = plan->desc.output_names != NULL ? plan->desc.output_names[index] : NULL;
    return name != NULL ? name : terrain_recipe_result(plan->recipe);
}

static terrain_status run_want_outputs(terrain__recipe_plan *plan)
{
    const terrain_recipe_run_desc *desc = &plan->desc;
    if (desc->output_count == 0 || desc->outputs == NULL) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                     "recipe_run: no output is given");
    }
    for (uint32_t i = 0; i < desc->output_count; i++) {
        uint32_t value;
        terrain_status status;
        if (desc->outputs[i] == NULL) {
            return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                         "recipe_run: outputs[%lu] is NULL", (unsigned long)i);
        }
        status = terrain__recipe_plan_want(
            plan, desc->output_names != NULL ? desc->output_names[i] : NULL, &value);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    return TERRAIN_SUCCESS;
}

static terrain__box run_output_box(const terrain__recipe_plan *plan, uint32_t index)
{
    return terrain__recipe_plan_output_box(
        plan, terrain__recipe_find(plan->recipe, run_output_name(plan, index)));
}

static bool run_output_overlaps(const terrain__recipe_plan *plan, uint32_t index)
{
    const terrain_recipe_run_desc *desc = &plan->desc;
    for (uint32_t i = 0; i < index; i++) {
        if (terrain__heightmaps_overlap(desc->outputs[i], desc->outputs[index])) {
            return true;
        }
    }
    for (uint32_t i = 0; i < desc->input_count; i++) {
        if (terrain__heightmaps_overlap(desc->inputs[i], desc->outputs[index])) {
            return true;
        }
    }
    return false;
}

static terrain_status run_check_output(const terrain__recipe_plan *plan, uint32_t index)
{
    const terrain_heightmap *map = plan->desc.outputs[index];
    const terrain__box box = run_output_box(plan, index);
    const char *name = run_output_name(plan, index);
    if (map->read_only) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                     "recipe_run: the map for '%s' is const", name);
    }
    if (map->width != box.x1 - box.x0 || map->height != box.y1 - box.y0) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                     "recipe_run: the map for '%s' is %lux%lu, must be %lldx%lld",
                                     name, (unsigned long)map->width, (unsigned long)map->height,
                                     (long long)(box.x1 - box.x0), (long long)(box.y1 - box.y0));
    }
    if (run_output_overlaps(plan, index)) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ALIAS,
                                     "recipe_run: the map for '%s' overlaps another map", name);
    }
    return TERRAIN_SUCCESS;
}

static void run_write_outputs(const terrain__recipe_plan *plan)
{
    for (uint32_t i = 0; i < plan->desc.output_count; i++) {
        uint32_t value = terrain__recipe_find(plan->recipe, run_output_name(plan, i));
        const terrain__box box = terrain__recipe_plan_output_box(plan, value);
        terrain_heightmap part = terrain__recipe_slot_crop(&plan->slots[value], &box);
        terrain_heightmap_copy(NULL, &part, plan->desc.outputs[i]);
    }
}

terrain_status terrain_recipe_run(terrain_context *context, const terrain_recipe *recipe,
                                  const terrain_recipe_run_desc *desc)
{
    terrain__recipe_plan plan;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = terrain__recipe_plan_begin(&plan, context, recipe, desc);
    if (status == TERRAIN_SUCCESS) {
        status = run_want_outputs(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_windows(&plan);
    }
    for (uint32_t i = 0; status == TERRAIN_SUCCESS && i < plan.desc.output_count; i++) {
        status = run_check_output(&plan, i);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_run(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        run_write_outputs(&plan);
    }
    terrain__recipe_plan_free(&plan);
    terrain__context_leave(context);
    return status;
}
