/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How many bytes a run of a plan takes: the run is gone through statement by statement, as run.c
 * does, with the sizes of maps instead of maps, and operations whose prepare only counts. So what
 * is counted is what is reserved, and allocated on a context that has kept nothing. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "core/context.h"
#include "recipe/plan.h"

/* A map in the count. */
struct bytes_slot {
    terrain__span own;
    terrain__span *span; /* that holds it: its own, or another value's; NULL: none */
    uint32_t uses;
    bool fetched;
};

struct bytes {
    terrain__recipe_plan *plan;
    struct bytes_slot *slots; /* one for each value */
    terrain__span *spans;     /* of the room, without its cells */
    size_t room;              /* bytes of the room, as far as it was ever taken */
    size_t scratch;           /* and of the scratchpad */
    uint32_t statement, peak;
};

static void bytes_note(struct bytes *bytes, size_t *most, size_t size)
{
    if (size > *most) {
        *most = size;
        bytes->peak = bytes->statement;
    }
}

/* As terrain__room_take in a room without end. */
static terrain__span *bytes_take(struct bytes *bytes, terrain__span *span, size_t size)
{
    const size_t whole = terrain__span_size(size);
    size_t begin;
    terrain__span **link = terrain__span_find(&bytes->spans, SIZE_MAX, whole, &begin);
    if (link == NULL || whole == SIZE_MAX) { /* more than there can be */
        bytes_note(bytes, &bytes->room, SIZE_MAX);
        return NULL;
    }
    terrain__span_link(link, span, begin, whole);
    bytes_note(bytes, &bytes->room, begin + whole);
    return span;
}

static void bytes_give(struct bytes *bytes, struct bytes_slot *slot)
{
    if (slot->span != NULL) {
        terrain__span_unlink(&bytes->spans, slot->span);
        slot->span = NULL;
    }
}

size_t terrain__recipe_box_size(const terrain__box *box)
{
    size_t row, size;
    return terrain__multiply_size((size_t)(box->x1 - box->x0), sizeof(float), &row) &&
                   terrain__multiply_size(row, (size_t)(box->y1 - box->y0), &size)
               ? size
               : SIZE_MAX;
}

static void bytes_create(struct bytes *bytes, uint32_t value, const terrain__box *box)
{
    struct bytes_slot *slot = &bytes->slots[value];
    slot->span = bytes_take(bytes, &slot->own, terrain__recipe_box_size(box));
}

/* A map that a world has kept is put together before it is read; what was made beside a map by
 * basins, by means of another one. */
static void bytes_fetch(struct bytes *bytes, uint32_t value)
{
    const terrain__box *box = &bytes->plan->slots[value].box;
    const uint32_t statement = bytes->plan->recipe->values[value].statement;
    struct bytes_slot *slot = &bytes->slots[value], other;
    if (slot->fetched || !terrain__recipe_plan_is_given(bytes->plan, statement)) {
        return;
    }
    const terrain__recipe_step *step = bytes->plan->recipe->steps[statement];
    const terrain__world_regions *regions = step->statement.operation->regions;
    slot->fetched = true;
    bytes_create(bytes, value, box);
    if (regions != NULL && regions->combining == TERRAIN__COMBINE_BASINS && value != step->value) {
        other.span = bytes_take(bytes, &other.own, terrain__recipe_box_size(box));
        bytes_give(bytes, &other);
    }
}

/* The shape of a map: prepare looks at no cell. */
static terrain_heightmap bytes_shape(const terrain__recipe_plan *plan, const terrain__box *box,
                                     uint32_t value)
{
    static float cells[16]; /* no map begins at NULL */
    terrain_heightmap shape = terrain__recipe_shape(box, plan->slots[value].cell_size);
    shape.data = cells;
    return shape;
}

/* The map that a link makes, as run_make does. */
static void bytes_make(struct bytes *bytes, const terrain__recipe_link *link,
                       const terrain__box *box)
{
    struct bytes_slot *output = &bytes->slots[link->makes];
    struct bytes_slot *source =
        link->port->role == TERRAIN_PORT_ROLE_CHANGE ? &bytes->slots[link->reads] : NULL;
    if (source != NULL && source->span != NULL && source->uses == 1) {
        output->span = source->span;
        source->span = NULL;
    } else {
        bytes_create(bytes, link->makes, box);
    }
}

/* The maps of a statement's call. */
struct bytes_call {
    terrain__argument arguments[TERRAIN__MOST_ARGUMENTS];
    terrain_heightmap shapes[TERRAIN__MOST_PORTS];
    terrain_heightmap *first; /* stands for all maps of a grid */
    terrain__params room;
};

static void bytes_bind(struct bytes *bytes, const terrain__recipe_link *link, uint32_t index,
                       struct bytes_call *call)
{
    const terrain__recipe_plan *plan = bytes->plan;
    const terrain__box box = terrain__recipe_link_box(plan, bytes->statement, link);
    const bool makes = link->makes != TERRAIN__RECIPE_NONE;
    terrain_heightmap *shape = NULL;
    if (!makes || bytes->slots[link->makes].uses > 0 || link->port->optional == 0) {
        if (makes) {
            bytes_make(bytes, link, &box);
        }
        if (index < TERRAIN__MOST_PORTS) {
            shape = &call->shapes[index];
            *shape = bytes_shape(plan, &box, makes ? link->makes : link->reads);
        }
    }
    if (link->port->grid != 0) {
        call->first = &call->shapes[0];
    } else if (link->port->offset == 0) {
        call->arguments[index].read = makes ? NULL : shape;
        call->arguments[index].written = makes ? shape : NULL;
    } else {
        memcpy(call->room.bytes + link->port->offset, &shape, sizeof shape);
    }
}

/* Maps of the size of a region in place of the statement's; what is written is made twice, for a
 * region and for all that is needed, unless one region is all, and given back. `blocks` gets those.
 */
static uint32_t bytes_take_regions(struct bytes *bytes, const terrain__recipe_step *step,
                                   struct bytes_call *call, struct bytes_slot *blocks)
{
    const uint32_t side = 2 * step->statement.operation->regions->core;
    const terrain__box region = {0, 0, side, side};
    const terrain__box *needed = &bytes->plan->tasks[bytes->statement].needed;
    uint32_t count = 0;
    if (step->statement.operation->regions->combining == TERRAIN__COMBINE_BASINS) {
        for (uint32_t k = 0; k < 2; k++, count++) {
            blocks[count].span =
                bytes_take(bytes, &blocks[count].own,
                           k == 0 ? (size_t)side * side : terrain__recipe_box_size(&region));
        }
    }
    for (uint32_t i = 0; i < step->link_count; i++) {
        const terrain_port *port = step->links[i].port;
        if (port->lattice != TERRAIN_PORT_LATTICE_COARSE) {
            call->shapes[i].width = call->shapes[i].height = side;
            call->shapes[i].stride = side;
        }
        if (bytes->statement != bytes->plan->root && port->role != TERRAIN_PORT_ROLE_READ &&
            call->shapes[i].data != NULL) {
            for (uint32_t k = 0; k < 2; k++, count++) {
                blocks[count].span = bytes_take(
                    bytes, &blocks[count].own, terrain__recipe_box_size(k == 0 ? &region : needed));
            }
        }
    }
    return count;
}

static terrain_status bytes_scratch(struct bytes *bytes, const terrain__recipe_step *step,
                                    const terrain__checked *params, struct bytes_call *call)
{
    terrain__recipe_plan *plan = bytes->plan;
    const bool grid = call->first != NULL;
    const terrain__maps maps = {
        .arguments = grid ? NULL : call->arguments,
        .count = terrain__argument_count(step->statement.operation),
        .grid = grid ? &call->first : NULL,
        .columns = step->statement.columns,
        .rows = grid ? step->statement.input_count / step->statement.columns : 0,
    };
    size_t size;
    terrain_status status =
        terrain__count_scratch(plan->context, step->statement.operation, &maps, params, &size);
    if (status != TERRAIN_SUCCESS) {
        return terrain__recipe_fail_call(plan, bytes->statement, status);
    }
    bytes_note(bytes, &bytes->scratch, size);
    return TERRAIN_SUCCESS;
}

static terrain_status bytes_step(struct bytes *bytes, const terrain__recipe_step *step)
{
    struct bytes_call call = {.first = NULL};
    const terrain__checked *params =
        terrain__recipe_effective_params(bytes->plan, bytes->statement, &call.room);
    for (uint32_t i = 0; i < step->link_count; i++) {
        if (step->links[i].reads != TERRAIN__RECIPE_NONE) {
            bytes_fetch(bytes, step->links[i].reads);
        }
    }
    for (uint32_t i = 0; i < step->link_count; i++) {
        bytes_bind(bytes, &step->links[i], i, &call);
    }
    struct bytes_slot blocks[2 * TERRAIN__MOST_PORTS + 2];
    const uint32_t count = terrain__recipe_has_regions(bytes->plan, bytes->statement)
                               ? bytes_take_regions(bytes, step, &call, blocks)
                               : 0;
    const terrain_status status = bytes_scratch(bytes, step, params, &call);
    for (uint32_t i = 0; i < count; i++) {
        bytes_give(bytes, &blocks[i]);
    }
    for (uint32_t i = 0; i < step->link_count; i++) {
        const terrain__recipe_link *link = &step->links[i];
        if (link->reads != TERRAIN__RECIPE_NONE && bytes->slots[link->reads].uses > 0 &&
            --bytes->slots[link->reads].uses == 0) {
            bytes_give(bytes, &bytes->slots[link->reads]);
        }
        if (link->makes != TERRAIN__RECIPE_NONE && bytes->slots[link->makes].uses == 0) {
            bytes_give(bytes, &bytes->slots[link->makes]);
        }
    }
    return status;
}

/* Goes through a run. Frees the slots in any case. */
static terrain_status bytes_count(struct bytes *bytes)
{
    const terrain__recipe_plan *plan = bytes->plan;
    const terrain_recipe *recipe = plan->recipe;
    terrain_status status = TERRAIN_SUCCESS;
    bytes->slots = terrain__shelf_zeros(plan->shelf, recipe->value_count * sizeof *bytes->slots);
    if (bytes->slots == NULL) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_MEMORY, "%s: no memory",
                                     plan->name);
    }
    for (uint32_t i = 0; i < recipe->value_count; i++) {
        bytes->slots[i].uses = plan->slots[i].uses;
    }
    for (bytes->statement = 0; bytes->statement < recipe->step_count && status == TERRAIN_SUCCESS;
         bytes->statement++) {
        if (plan->tasks[bytes->statement].wanted) {
            status = bytes_step(bytes, recipe->steps[bytes->statement]);
        }
    }
    for (uint32_t i = 0; i < recipe->value_count; i++) {
        if (plan->slots[i].wanted && bytes->slots[i].uses > 0) {
            bytes->statement = recipe->values[i].statement;
            bytes_fetch(bytes, i);
        }
    }
    terrain__shelf_give(plan->shelf, bytes->slots);
    return status;
}

terrain_status terrain__recipe_plan_count_bytes(terrain__recipe_plan *plan,
                                                terrain__recipe_bytes *counted)
{
    const terrain_recipe *recipe = plan->recipe;
    const uint32_t values = recipe->value_count;
    struct bytes bytes = {.plan = plan, .peak = TERRAIN__RECIPE_NONE};
    /* The plan's own, and the pointers of a grid. */
    const uint64_t fixed =
        9 * (uint64_t)TERRAIN__ALIGNMENT + values * (sizeof *plan->slots + sizeof *bytes.slots) +
        recipe->step_count * sizeof *plan->tasks +
        (plan->scaled != NULL ? recipe->step_count * sizeof *plan->scaled : 0) +
        ((uint64_t)plan->desc.input_count + plan->output_count) * sizeof(uint32_t) +
        TERRAIN_GRID_MAXIMUM * sizeof(void *);
    const terrain_status status = bytes_count(&bytes);
    counted->maps = terrain__add_bytes(bytes.room, fixed);
    counted->scratch = bytes.scratch;
    counted->all = terrain__add_bytes(counted->maps, counted->scratch);
    counted->statement = bytes.peak;
    return status;
}

terrain_status terrain__recipe_plan_reserve(terrain__recipe_plan *plan)
{
    struct bytes bytes = {.plan = plan};
    char number[TERRAIN__NUMBER_SIZE];
    if (plan->context == NULL) {
        return TERRAIN_SUCCESS;
    }
    const terrain_status status = bytes_count(&bytes);
    if (status != TERRAIN_SUCCESS ||
        terrain__context_reserve(plan->context, bytes.scratch, bytes.room)) {
        return status;
    }
    const uint64_t size = terrain__add_bytes(bytes.room, bytes.scratch);
    return terrain__context_fail(plan->context, TERRAIN_ERROR_MEMORY, "%s: no memory for %s",
                                 plan->name, terrain__format_bytes(number, size));
}

terrain_status terrain__recipe_plan_limit_bytes(const terrain__recipe_plan *plan,
                                                const terrain__recipe_bytes *counted)
{
    const uint64_t limit = plan->desc.memory_limit;
    char text[TERRAIN__FAULT_SIZE], number[TERRAIN__NUMBER_SIZE];
    if (limit == 0) {
        return TERRAIN_SUCCESS;
    }
    if (counted->all <= limit) {
        terrain__context_make_room(plan->context, counted->all, limit);
        return TERRAIN_SUCCESS;
    }
    const char *size = terrain__format_bytes(number, counted->all);
    const uint32_t statement = counted->statement;
    if (statement >= plan->step_count) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_MEMORY,
                                     "%s: %s would be needed, memory_limit is %" PRIu64, plan->name,
                                     size, limit);
    }
    const terrain__box *box = &plan->tasks[statement].work;
    snprintf(text, sizeof text,
             "%s would be needed here, for %" PRId64 "x%" PRId64 " cells at (%" PRId64 ", %" PRId64
             "); memory_limit is %" PRIu64,
             size, box->x1 - box->x0, box->y1 - box->y0, box->x0, box->y0, limit);
    return terrain__recipe_fail_step(plan->context, plan->recipe->steps[statement],
                                     TERRAIN_ERROR_MEMORY, text);
}

terrain_status terrain__recipe_plan_check_bytes(terrain__recipe_plan *plan)
{
    terrain__recipe_bytes counted;
    if (plan->desc.memory_limit == 0) {
        return TERRAIN_SUCCESS;
    }
    terrain_status status = terrain__recipe_plan_count_bytes(plan, &counted);
    return status == TERRAIN_SUCCESS ? terrain__recipe_plan_limit_bytes(plan, &counted) : status;
}
