/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain_recipe_run: the statements of a plan, one after the other.
 *
 * A map that an operation changes in place is taken over from its last reader, else copied; a map
 * that is read is seen through the window that the operation is to work on. Outputs are written
 * when everything has succeeded. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "core/params.h"
#include "recipe/plan.h"

terrain_heightmap terrain__recipe_shape(const terrain__box *box, float cell_size)
{
    const terrain_heightmap shape = {
        .stride = (size_t)(box->x1 - box->x0),
        .width = (uint32_t)(box->x1 - box->x0),
        .height = (uint32_t)(box->y1 - box->y0),
        .x = box->x0,
        .y = box->y0,
        .cell_size = cell_size,
    };
    return shape;
}

terrain_heightmap terrain__recipe_crop(const terrain_heightmap *map, const terrain__box *box)
{
    terrain_heightmap part = *map;
    part.data = terrain__heightmap_cell(map, box->x0, box->y0);
    part.width = (uint32_t)(box->x1 - box->x0);
    part.height = (uint32_t)(box->y1 - box->y0);
    part.x = box->x0;
    part.y = box->y0;
    return part;
}

static void run_drop(terrain__recipe_plan *plan, terrain__recipe_slot *slot)
{
    terrain__room_give(terrain__context_room(plan->context), slot->block);
    slot->block = NULL;
}

static void run_release(terrain__recipe_plan *plan, terrain__recipe_slot *slot)
{
    if (slot->uses > 0 && --slot->uses == 0) {
        run_drop(plan, slot);
    }
}

terrain_status terrain__recipe_plan_create(terrain__recipe_plan *plan, terrain__recipe_slot *slot,
                                           const terrain__box *box)
{
    const size_t size = terrain__recipe_box_size(box);
    slot->block =
        size < SIZE_MAX ? terrain__room_take(terrain__context_room(plan->context), size) : NULL;
    if (slot->block == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    slot->map = terrain__recipe_shape(box, slot->cell_size);
    slot->map.data = slot->block;
    return TERRAIN_SUCCESS;
}

/* The map that the statement changes, in the slot of what it makes. */
static terrain_status run_take_over(terrain__recipe_plan *plan, terrain__recipe_slot *source,
                                    terrain__recipe_slot *slot, const terrain__box *box)
{
    terrain_heightmap part = terrain__recipe_crop(&source->map, box);
    if (source->block != NULL && source->uses == 1) {
        slot->block = source->block;
        slot->map = part;
        source->block = NULL;
        return TERRAIN_SUCCESS;
    }
    terrain_status status = terrain__recipe_plan_create(plan, slot, box);
    if (status == TERRAIN_SUCCESS) {
        status = terrain_heightmap_copy(NULL, &part, &slot->map);
    }
    return status;
}

/* The maps of a statement's call, while it runs. */
struct run_call {
    terrain__argument arguments[TERRAIN__MOST_ARGUMENTS];
    terrain_heightmap views[TERRAIN__MOST_PORTS]; /* of maps that are read */
    terrain_heightmap *maps[TERRAIN__MOST_PORTS]; /* of all links but a grid's; NULL: none */
    terrain_heightmap **grid;                     /* NULL: none */
    terrain__params room;
};

/* The maps that a statement works on; a coarse map is seen whole, a grid's maps lie where they
 * lie. */
terrain__box terrain__recipe_link_box(const terrain__recipe_plan *plan, uint32_t statement,
                                      const terrain__recipe_link *link)
{
    const terrain__recipe_task *task = &plan->tasks[statement];
    if (link->port->lattice == TERRAIN_PORT_LATTICE_COARSE || link->port->grid != 0) {
        return plan->slots[link->reads].box;
    }
    return link->port->lattice == TERRAIN_PORT_LATTICE_OWN ? task->result : task->work;
}

/* The map that a link writes, in the slot of what it makes. */
static terrain_status run_make(terrain__recipe_plan *plan, const terrain__recipe_link *link,
                               const terrain__box *box)
{
    terrain__recipe_slot *output = &plan->slots[link->makes];
    return link->port->role == TERRAIN_PORT_ROLE_CHANGE
               ? run_take_over(plan, &plan->slots[link->reads], output, box)
               : terrain__recipe_plan_create(plan, output, box);
}

/* Gives link number `index` its map. An output that nobody reads is not asked for, if the operation
 * can do without. */
static terrain_status run_bind(terrain__recipe_plan *plan, uint32_t statement,
                               const terrain__recipe_link *link, uint32_t index,
                               struct run_call *call)
{
    const terrain__box box = terrain__recipe_link_box(plan, statement, link);
    const bool reads = link->makes == TERRAIN__RECIPE_NONE;
    terrain_heightmap *map = NULL;
    if (reads) {
        call->views[index] = terrain__recipe_crop(&plan->slots[link->reads].map, &box);
        map = &call->views[index];
    } else if (plan->slots[link->makes].uses > 0 || link->port->optional == 0) {
        terrain_status status = run_make(plan, link, &box);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        map = &plan->slots[link->makes].map;
    }
    if (link->port->grid != 0) {
        call->grid[index] = map;
        return TERRAIN_SUCCESS;
    }
    call->maps[index] = map;
    if (link->port->offset == 0) {
        call->arguments[index].read = reads ? map : NULL;
        call->arguments[index].written = reads ? NULL : map;
    } else {
        memcpy(call->room.bytes + link->port->offset, &map, sizeof map);
    }
    return TERRAIN_SUCCESS;
}

/* Inputs that nobody will read again, and maps that were made though nobody wants them. */
static void run_release_all(terrain__recipe_plan *plan, const terrain__recipe_step *step)
{
    for (uint32_t i = 0; i < step->link_count; i++) {
        const terrain__recipe_link *link = &step->links[i];
        if (link->reads != TERRAIN__RECIPE_NONE) {
            run_release(plan, &plan->slots[link->reads]);
        }
        if (link->makes != TERRAIN__RECIPE_NONE && plan->slots[link->makes].uses == 0) {
            run_drop(plan, &plan->slots[link->makes]);
        }
    }
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

/* Binds the maps of a statement and calls its operation. */
static terrain_status run_step(terrain__recipe_plan *plan, uint32_t index)
{
    const terrain__recipe_step *step = plan->recipe->steps[index];
    const terrain_operation *operation = step->statement.operation;
    const bool is_grid = terrain__is_grid(operation);
    struct run_call call = {.grid = NULL};
    terrain_status status = run_fetch_inputs(plan, step);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (is_grid) {
        call.grid =
            terrain__shelf_take(plan->shelf, step->statement.input_count * sizeof *call.grid);
        status = call.grid != NULL ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY;
    }
    const terrain__checked *params = terrain__recipe_effective_params(plan, index, &call.room);
    for (uint32_t i = 0; i < step->link_count && status == TERRAIN_SUCCESS; i++) {
        status = run_bind(plan, index, &step->links[i], i, &call);
    }
    if (status == TERRAIN_SUCCESS && terrain__recipe_has_regions(plan, index)) {
        status = terrain__recipe_run_regions(plan, index, call.maps, params);
    } else if (status == TERRAIN_SUCCESS) {
        const terrain__maps maps = {
            .arguments = is_grid ? NULL : call.arguments,
            .count = terrain__argument_count(operation),
            .grid = call.grid,
            .columns = step->statement.columns,
            .rows = is_grid ? step->statement.input_count / step->statement.columns : 0,
            .wanted = is_grid ? NULL : &plan->tasks[index].needed,
        };
        status = terrain__apply_checked(plan->context, operation, &maps, params);
    }
    terrain__shelf_give(plan->shelf, call.grid);
    if (status != TERRAIN_SUCCESS) {
        return terrain__recipe_fail_call(plan, index, status);
    }
    run_release_all(plan, step);
    return TERRAIN_SUCCESS;
}

/* ---- Progress -------------------------------------------------------------------------------- */

/* Cells that a statement computes. */
static uint64_t run_task_cells(const terrain__recipe_task *task)
{
    return task->wanted ? (uint64_t)(task->work.x1 - task->work.x0) *
                              (uint64_t)(task->work.y1 - task->work.y0)
                        : 0;
}

/* A share of the plan as one of the whole call; exact at the end, so that it never falls. */
static double run_progress_at(const terrain__recipe_plan *plan, double share)
{
    double range = plan->progress_to - plan->progress_from;
    return share < 1 ? plan->progress_from + range * share : plan->progress_to;
}

/* The part of the whole progress that the next call's 0 to 1 stands for. */
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
    for (uint32_t i = 0; i < plan->step_count; i++) {
        total += (double)run_task_cells(&plan->tasks[i]);
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
        return terrain__context_fail(context, TERRAIN_ERROR_CANCELLED, "%s: cancelled", plan->name);
    }
    return TERRAIN_SUCCESS;
}

static void run_observe(const terrain__recipe_plan *plan, uint32_t index)
{
    const terrain_recipe_observer *observer = &plan->desc.observer;
    const terrain__box *box = &plan->tasks[index].result;
    terrain_window window = {box->x0, box->y0, (uint32_t)(box->x1 - box->x0),
                             (uint32_t)(box->y1 - box->y0)};
    const terrain__recipe_step *step = plan->recipe->steps[index];
    if (observer->computed != NULL && !step->level) {
        observer->computed(observer->user, step->number, &window);
    }
}

terrain_status terrain__recipe_plan_run(terrain__recipe_plan *plan)
{
    double total = terrain__recipe_plan_weight(plan);
    double done = 0;
    terrain_status status = terrain__recipe_plan_reserve(plan);
    for (uint32_t i = 0; i < plan->step_count && status == TERRAIN_SUCCESS; i++) {
        const double weight = (double)run_task_cells(&plan->tasks[i]);
        if (!plan->tasks[i].wanted) {
            continue;
        }
        status = run_poll(plan, done / total);
        if (status == TERRAIN_SUCCESS) {
            run_set_progress(plan, done / total, (done + weight) / total);
            status = run_step(plan, i);
        }
        if (status == TERRAIN_SUCCESS) {
            run_observe(plan, i);
        }
        done += weight;
    }
    for (uint32_t i = 0; i < plan->value_count && status == TERRAIN_SUCCESS; i++) {
        if (plan->slots[i].wanted && plan->slots[i].uses > 0) {
            status = run_fetch(plan, i);
        }
    }
    if (status == TERRAIN_SUCCESS) {
        status = run_poll(plan, 1);
    }
    if (plan->context != NULL) { /* other calls report from 0 to 1 */
        plan->context->progress_from = 0;
        plan->context->progress_to = 1;
    }
    return status;
}

/* ---- Windows --------------------------------------------------------------------------------- */

/* What operations would refuse in the run. */
static terrain_status run_check_sides(const terrain__recipe_plan *plan)
{
    for (uint32_t i = 0; i < plan->step_count; i++) {
        const terrain__box *boxes[] = {&plan->tasks[i].work, &plan->tasks[i].result};
        for (int k = 0; k < 2 && plan->tasks[i].wanted; k++) {
            const int64_t width = boxes[k]->x1 - boxes[k]->x0, height = boxes[k]->y1 - boxes[k]->y0;
            if (width > TERRAIN__MOST_SIDE || height > TERRAIN__MOST_SIDE) {
                const terrain__recipe_step *step = plan->recipe->steps[i];
                char text[128];
                snprintf(text, sizeof text,
                         "%s: its map is %" PRId64 "x%" PRId64
                         ", must have at most 2^31 columns and rows",
                         step->statement.operation->name, width, height);
                return terrain__recipe_fail_step(plan->context, step, TERRAIN_ERROR_UNSUPPORTED,
                                                 text);
            }
        }
    }
    return TERRAIN_SUCCESS;
}

/* What the desc's outputs need: all windows of a run, whose maps are computed whole. */
static terrain_status run_plan_outputs(terrain__recipe_plan *plan)
{
    terrain_status status = terrain__recipe_plan_want_outputs(plan);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_windows(plan);
    }
    return status == TERRAIN_SUCCESS ? run_check_sides(plan) : status;
}

/* ---- Outputs --------------------------------------------------------------------------------- */

/* The host's maps of a run, in the order of the desc's names. */
struct run_maps {
    const terrain_heightmap *const *inputs;
    terrain_heightmap *const *outputs;
};

static bool run_output_overlaps(const terrain__recipe_plan *plan, const struct run_maps *maps,
                                uint32_t index)
{
    for (uint32_t i = 0; i < index; i++) {
        if (terrain__heightmaps_overlap(maps->outputs[i], maps->outputs[index])) {
            return true;
        }
    }
    for (uint32_t i = 0; i < plan->desc.input_count; i++) {
        if (maps->inputs[i] != NULL &&
            terrain__heightmaps_overlap(maps->inputs[i], maps->outputs[index])) {
            return true;
        }
    }
    return false;
}

static terrain_status run_check_output(const terrain__recipe_plan *plan,
                                       const struct run_maps *maps, uint32_t index)
{
    const terrain_heightmap *map = maps->outputs[index];
    const terrain__box box = terrain__recipe_plan_output_box(plan, plan->outputs[index]);
    const char *name = plan->recipe->values[plan->outputs[index]].name;
    if (map->read_only) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                     "%s: the map for '%s' is const", plan->name, name);
    }
    if (map->width != box.x1 - box.x0 || map->height != box.y1 - box.y0) {
        return terrain__context_fail(
            plan->context, TERRAIN_ERROR_ARGUMENT,
            "%s: the map for '%s' is %" PRIu32 "x%" PRIu32 ", must be %" PRId64 "x%" PRId64,
            plan->name, name, map->width, map->height, box.x1 - box.x0, box.y1 - box.y0);
    }
    if (run_output_overlaps(plan, maps, index)) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ALIAS,
                                     "%s: the map for '%s' overlaps another map", plan->name, name);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status run_check_given(const terrain__recipe_plan *plan, uint32_t count,
                                      terrain_heightmap *const *outputs)
{
    if (count == 0 || outputs == NULL) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                     "%s: no output is given", plan->name);
    }
    for (uint32_t i = 0; i < count; i++) {
        if (outputs[i] == NULL) {
            return terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                         "%s: outputs[%" PRIu32 "] is NULL", plan->name, i);
        }
    }
    return TERRAIN_SUCCESS;
}

/* Runs a plan whose inputs are in their slots. */
static terrain_status run_plan(terrain__recipe_plan *plan, const struct run_maps *maps)
{
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < plan->output_count && status == TERRAIN_SUCCESS; i++) {
        status = run_check_output(plan, maps, i);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_run(plan);
    }
    for (uint32_t i = 0; i < plan->output_count && status == TERRAIN_SUCCESS; i++) {
        const terrain__box box = terrain__recipe_plan_output_box(plan, plan->outputs[i]);
        terrain_heightmap part = terrain__recipe_crop(&plan->slots[plan->outputs[i]].map, &box);
        terrain_heightmap_copy(NULL, &part, maps->outputs[i]);
    }
    return status;
}

terrain_status terrain_recipe_run(terrain_context *context, const terrain_recipe *recipe,
                                  const terrain_recipe_run_desc *desc)
{
    terrain__recipe_plan plan;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = terrain__recipe_plan_begin(&plan, "recipe_run", context,
                                        terrain__context_shelf(context), recipe, desc, false);
    if (status == TERRAIN_SUCCESS) {
        status = run_check_given(&plan, plan.desc.output_count, plan.desc.outputs);
    }
    if (status == TERRAIN_SUCCESS) {
        status = run_plan_outputs(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_check_bytes(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        const struct run_maps maps = {plan.desc.inputs, plan.desc.outputs};
        status = run_plan(&plan, &maps);
    }
    terrain__recipe_plan_free(&plan);
    terrain__context_leave(context);
    return status;
}

/* ---- Lasting plans --------------------------------------------------------------------------- */

struct terrain_recipe_plan {
    terrain__shelf shelf; /* of the plan */
    terrain__recipe_plan plan;
    uint64_t bytes;
};

/* Everything is planned; the context is not kept, nor what the desc pointed at. */
static void run_keep_plan(terrain_recipe_plan *public_plan)
{
    terrain__recipe_plan *plan = &public_plan->plan;
    plan->context = NULL;
    plan->desc.input_names = NULL;
    plan->desc.inputs = NULL;
    plan->desc.output_names = NULL;
    plan->desc.outputs = NULL;
    for (uint32_t i = 0; i < plan->value_count; i++) {
        plan->slots[i].map.data = NULL;
    }
}

static terrain_status run_make_plan(terrain_context *context, const terrain_recipe *recipe,
                                    const terrain_recipe_run_desc *desc,
                                    terrain_recipe_plan *public_plan)
{
    terrain__recipe_plan *plan = &public_plan->plan;
    terrain__recipe_bytes counted;
    terrain_status status = terrain__recipe_plan_begin(plan, "recipe_plan_create", context,
                                                       &public_plan->shelf, recipe, desc, true);
    if (status == TERRAIN_SUCCESS) {
        status = run_plan_outputs(plan);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_count_bytes(plan, &counted);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__recipe_plan_limit_bytes(plan, &counted);
    }
    if (status == TERRAIN_SUCCESS) {
        public_plan->bytes = counted.all;
        run_keep_plan(public_plan);
    }
    return status;
}

terrain_status terrain_recipe_plan_create(terrain_context *context, const terrain_recipe *recipe,
                                          const terrain_recipe_run_desc *desc,
                                          terrain_recipe_plan **out)
{
    const terrain_allocator *allocator = terrain__context_allocator(context);
    terrain_recipe_plan *public_plan;
    terrain_status status = terrain__context_enter_making(context, "recipe_plan_create", out);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    public_plan = terrain__allocate(allocator, sizeof *public_plan, TERRAIN__ALIGNMENT);
    if (public_plan == NULL) {
        status =
            terrain__context_fail(context, TERRAIN_ERROR_MEMORY, "recipe_plan_create: no memory");
    } else {
        memset(public_plan, 0, sizeof *public_plan);
        public_plan->shelf.allocator = *allocator;
        status = run_make_plan(context, recipe, desc, public_plan);
        if (status == TERRAIN_SUCCESS) {
            *out = public_plan;
        } else {
            terrain_recipe_plan_destroy(public_plan);
        }
    }
    terrain__context_leave(context);
    return status;
}

void terrain_recipe_plan_destroy(terrain_recipe_plan *public_plan)
{
    if (public_plan != NULL) {
        terrain_allocator allocator = public_plan->shelf.allocator;
        terrain__recipe_plan_free(&public_plan->plan);
        terrain__shelf_free(&public_plan->shelf);
        terrain__free(&allocator, public_plan, sizeof *public_plan);
    }
}

terrain_status terrain_recipe_plan_window(const terrain_recipe_plan *public_plan, const char *name,
                                          terrain_window *out)
{
    const terrain__recipe_plan *plan = public_plan != NULL ? &public_plan->plan : NULL;
    const terrain_window none = {0, 0, 0, 0};
    terrain__box box;
    if (plan == NULL || out == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    for (uint32_t i = 0; i < plan->output_count; i++) {
        if (name == NULL || strcmp(plan->recipe->values[plan->outputs[i]].name, name) == 0) {
            box = terrain__recipe_plan_output_box(plan, plan->outputs[i]);
            return terrain__box_window(&box, out) ? TERRAIN_SUCCESS : TERRAIN_ERROR_RANGE;
        }
    }
    for (uint32_t i = 0; i < plan->desc.input_count; i++) {
        const terrain__recipe_slot *slot = &plan->slots[plan->inputs[i]];
        if (strcmp(plan->recipe->values[plan->inputs[i]].name, name) == 0) {
            *out = none;
            (void)terrain__box_window(&slot->box, out);
            return TERRAIN_SUCCESS;
        }
    }
    return TERRAIN_ERROR_ARGUMENT;
}

uint64_t terrain_recipe_plan_cells(const terrain_recipe_plan *public_plan, uint32_t statement)
{
    uint64_t cells = 0;
    for (uint32_t i = 0; public_plan != NULL && i < public_plan->plan.step_count; i++) {
        if (statement == i || statement == UINT32_MAX) {
            cells += run_task_cells(&public_plan->plan.tasks[i]);
        }
    }
    return cells;
}

uint64_t terrain_recipe_plan_bytes(const terrain_recipe_plan *public_plan)
{
    return public_plan != NULL ? public_plan->bytes : 0;
}

/* Puts a map into the slot of input number `index`; there may be none where it is not needed. */
static terrain_status run_set_input(terrain__recipe_plan *plan, uint32_t index,
                                    const terrain_heightmap *map)
{
    terrain__recipe_slot *slot = &plan->slots[plan->inputs[index]];
    const char *name = plan->recipe->values[plan->inputs[index]].name;
    const terrain__box *box = &slot->box;
    if (map == NULL) {
        return !slot->wanted ? TERRAIN_SUCCESS
                             : terrain__context_fail(plan->context, TERRAIN_ERROR_ARGUMENT,
                                                     "%s: input '%s' is missing", plan->name, name);
    }
    const terrain__box has = terrain__box_of_map(map);
    const bool covers = terrain__box_contains(&has, box);
    if (slot->wanted && !(covers && (plan->world || terrain__box_contains(box, &has)))) {
        return terrain__context_fail(
            plan->context, TERRAIN_ERROR_RANGE,
            "%s: input '%s' is %" PRIu32 "x%" PRIu32 " at (%" PRId64 ", %" PRId64
            "), must %s %" PRId64 "x%" PRId64 " at (%" PRId64 ", %" PRId64 ")",
            plan->name, name, map->width, map->height, map->x, map->y, plan->world ? "cover" : "be",
            box->x1 - box->x0, box->y1 - box->y0, box->x0, box->y0);
    }
    terrain__recipe_slot_lend(slot, map);
    return TERRAIN_SUCCESS;
}

/* What a caller has done wrong to the plan, or NULL. */
static const char *run_plan_fault(const terrain_recipe_plan *public_plan)
{
    if (public_plan == NULL) {
        return "plan is NULL";
    }
    return terrain__recipe_has_grown(public_plan->plan.recipe, public_plan->plan.value_count)
               ? "the recipe has changed since the plan was made"
               : NULL;
}

/* A plan is only read: a run has slots of its own. */
terrain_status terrain_recipe_plan_run(terrain_context *context,
                                       const terrain_recipe_plan *public_plan,
                                       const terrain_heightmap *const *inputs,
                                       terrain_heightmap *const *outputs)
{
    const struct run_maps maps = {inputs, outputs};
    terrain__recipe_plan plan;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    const char *fault = run_plan_fault(public_plan);
    if (fault != NULL) {
        status =
            terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "recipe_plan_run: %s", fault);
        terrain__context_leave(context);
        return status;
    }
    plan = public_plan->plan;
    plan.context = context;
    plan.name = "recipe_plan_run";
    plan.shelf = terrain__context_shelf(context);
    plan.slots = NULL;
    status = run_check_given(&plan, plan.output_count, outputs);
    if (status == TERRAIN_SUCCESS && plan.desc.input_count > 0 && inputs == NULL) {
        status =
            terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "%s: inputs is NULL", plan.name);
    }
    if (status == TERRAIN_SUCCESS) {
        const size_t size = plan.value_count * sizeof *plan.slots;
        plan.slots = terrain__shelf_take(plan.shelf, size);
        if (plan.slots != NULL) {
            memcpy(plan.slots, public_plan->plan.slots, size);
        } else {
            status =
                terrain__context_fail(context, TERRAIN_ERROR_MEMORY, "%s: no memory", plan.name);
        }
    }
    if (status == TERRAIN_SUCCESS) { /* a context with a runner takes more than one without */
        status = terrain__recipe_plan_check_bytes(&plan);
    }
    for (uint32_t i = 0; i < plan.desc.input_count && status == TERRAIN_SUCCESS; i++) {
        status = run_set_input(&plan, i, inputs[i]);
    }
    if (status == TERRAIN_SUCCESS) {
        status = run_plan(&plan, &maps);
    }
    for (uint32_t i = 0; plan.slots != NULL && i < plan.value_count; i++) {
        terrain__room_give(terrain__context_room(context), plan.slots[i].block);
    }
    terrain__shelf_give(plan.shelf, plan.slots);
    terrain__context_leave(context);
    return status;
}
