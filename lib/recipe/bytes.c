/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How many bytes a run of a plan takes: the run is gone through statement by statement, as run.c
 * does, with the sizes of maps instead of maps, and operations whose prepare only counts. So what
 * is counted is what is allocated, on a context that has kept nothing. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "core/context.h"
#include "recipe/plan.h"

/* Blocks beside those of values: a statement's on regions. */
enum { BYTES_MORE = 1 + 2 * TERRAIN__MOST_PORTS };

/* A map in the count. */
struct bytes_slot {
    size_t block; /* that holds it; 0: none */
    uint32_t uses;
    bool fetched;
};

struct bytes {
    terrain__recipe_plan *plan;
    struct bytes_slot *slots; /* one for each value */
    size_t *free;             /* blocks that are free */
    uint32_t free_count;
    uint64_t shelf; /* bytes of all blocks, free or not */
    terrain__arena_count scratch;
    uint64_t most; /* of both */
    uint32_t statement, peak;
};

static uint64_t bytes_add(uint64_t a, uint64_t b)
{
    return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

static void bytes_note(struct bytes *bytes)
{
    uint64_t total = bytes_add(bytes->shelf, bytes->scratch.most);
    bytes->scratch.most = bytes->scratch.total;
    if (total > bytes->most) {
        bytes->most = total;
        bytes->peak = bytes->statement;
    }
}

/* As terrain__shelf_take. */
static size_t bytes_take(struct bytes *bytes, size_t size)
{
    const size_t whole = terrain__shelf_block(size);
    uint32_t best = bytes->free_count;
    for (uint32_t i = 0; i < bytes->free_count; i++) {
        if (bytes->free[i] >= whole &&
            (best == bytes->free_count || bytes->free[i] < bytes->free[best])) {
            best = i;
        }
    }
    if (best < bytes->free_count) {
        const size_t block = bytes->free[best];
        bytes->free[best] = bytes->free[--bytes->free_count];
        return block;
    }
    while (bytes->free_count > 0) {
        bytes->shelf -= bytes->free[--bytes->free_count];
    }
    bytes->shelf = bytes_add(bytes->shelf, whole);
    bytes_note(bytes);
    return whole;
}

static void bytes_give(struct bytes *bytes, struct bytes_slot *slot)
{
    if (slot->block > 0) {
        bytes->free[bytes->free_count++] = slot->block;
        slot->block = 0;
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
    bytes->slots[value].block = bytes_take(bytes, terrain__recipe_box_size(box));
}

/* A map that a world has kept is put together before it is read. */
static void bytes_fetch(struct bytes *bytes, uint32_t value)
{
    struct bytes_slot *slot = &bytes->slots[value];
    if (!slot->fetched &&
        terrain__recipe_plan_is_given(bytes->plan, bytes->plan->recipe->values[value].statement)) {
        slot->fetched = true;
        bytes_create(bytes, value, &bytes->plan->slots[value].box);
    }
}

/* The shape of a map: prepare looks at no cell. */
static terrain_heightmap bytes_shape(const terrain__recipe_plan *plan, const terrain__box *box,
                                     uint32_t value)
{
    static float cells[16]; /* no map begins at NULL */
    const terrain_heightmap map = {
        .data = cells,
        .stride = (size_t)(box->x1 - box->x0),
        .width = (uint32_t)(box->x1 - box->x0),
        .height = (uint32_t)(box->y1 - box->y0),
        .x = box->x0,
        .y = box->y0,
        .cell_size = plan->desc.cell_size * (float)plan->slots[value].spacing,
    };
    return map;
}

/* The map that a link makes, as run_make does. */
static void bytes_make(struct bytes *bytes, const terrain__recipe_link *link,
                       const terrain__box *box)
{
    struct bytes_slot *output = &bytes->slots[link->makes];
    struct bytes_slot *source =
        link->port->role == TERRAIN_PORT_ROLE_CHANGE ? &bytes->slots[link->reads] : NULL;
    if (source != NULL && source->block > 0 && source->uses == 1) {
        output->block = source->block;
        source->block = 0;
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
 * region and for all that is needed, and given back. `blocks` gets those. */
static uint32_t bytes_take_regions(struct bytes *bytes, const terrain__recipe_step *step,
                                   struct bytes_call *call, struct bytes_slot *blocks)
{
    const uint32_t side = 2 * step->statement.operation->regions->core;
    const terrain__box region = {0, 0, side, side};
    const terrain__box *needed = &bytes->plan->tasks[bytes->statement].needed;
    uint32_t count = 0;
    for (uint32_t i = 0; i < step->link_count; i++) {
        const terrain_port *port = step->links[i].port;
        if (port->lattice != TERRAIN_PORT_LATTICE_COARSE) {
            call->shapes[i].width = call->shapes[i].height = side;
            call->shapes[i].stride = side;
        }
        if (port->role != TERRAIN_PORT_ROLE_READ && call->shapes[i].data != NULL) {
            blocks[count++].block = bytes_take(bytes, terrain__recipe_box_size(&region));
            blocks[count++].block = bytes_take(bytes, terrain__recipe_box_size(needed));
        }
    }
    return count;
}

static void bytes_scratch(struct bytes *bytes, const terrain__recipe_step *step,
                          const terrain__checked *params, struct bytes_call *call)
{
    const bool grid = call->first != NULL;
    const terrain__maps maps = {
        .arguments = grid ? NULL : call->arguments,
        .count = terrain__argument_count(step->statement.operation),
        .grid = grid ? &call->first : NULL,
        .columns = step->statement.columns,
        .rows = grid ? step->statement.input_count / step->statement.columns : 0,
    };
    terrain__count_scratch(bytes->plan->context, step->statement.operation, &maps, params,
                           &bytes->scratch);
    bytes_note(bytes);
}

static void bytes_step(struct bytes *bytes, const terrain__recipe_step *step)
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
    struct bytes_slot blocks[2 * TERRAIN__MOST_PORTS];
    const uint32_t count = terrain__recipe_has_regions(bytes->plan, bytes->statement)
                               ? bytes_take_regions(bytes, step, &call, blocks)
                               : 0;
    bytes_scratch(bytes, step, params, &call);
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
}

uint64_t terrain__recipe_plan_count_bytes(terrain__recipe_plan *plan, uint32_t *statement)
{
    const terrain_recipe *recipe = plan->recipe;
    const uint32_t values = recipe->value_count;
    struct bytes bytes = {.plan = plan};
    /* The plan's own, and the pointers of a grid. */
    uint64_t fixed = 8 * (uint64_t)TERRAIN__ALIGNMENT + values * sizeof *plan->slots +
                     recipe->step_count * sizeof *plan->tasks +
                     (plan->scaled != NULL ? recipe->step_count * sizeof *plan->scaled : 0) +
                     ((uint64_t)plan->desc.input_count + plan->output_count) * sizeof(uint32_t) +
                     TERRAIN_GRID_MAXIMUM * sizeof(void *);
    bytes.slots = terrain__shelf_zeros(plan->shelf, values * sizeof *bytes.slots);
    bytes.free = terrain__shelf_zeros(plan->shelf, (values + BYTES_MORE) * sizeof *bytes.free);
    *statement = TERRAIN__RECIPE_NONE;
    if (bytes.slots == NULL || bytes.free == NULL) {
        terrain__shelf_give(plan->shelf, bytes.slots);
        terrain__shelf_give(plan->shelf, bytes.free);
        return UINT64_MAX;
    }
    fixed += 2 * (uint64_t)TERRAIN__ALIGNMENT + values * sizeof *bytes.slots +
             (values + BYTES_MORE) * sizeof *bytes.free;
    for (uint32_t i = 0; i < values; i++) {
        bytes.slots[i].uses = plan->slots[i].uses;
    }
    for (bytes.statement = 0; bytes.statement < recipe->step_count; bytes.statement++) {
        if (plan->tasks[bytes.statement].wanted) {
            bytes_step(&bytes, recipe->steps[bytes.statement]);
        }
    }
    for (uint32_t i = 0; i < values; i++) {
        if (plan->slots[i].wanted && bytes.slots[i].uses > 0) {
            bytes_fetch(&bytes, i);
        }
    }
    *statement = bytes.peak;
    terrain__shelf_give(plan->shelf, bytes.slots);
    terrain__shelf_give(plan->shelf, bytes.free);
    return bytes_add(bytes.most, fixed);
}

terrain_status terrain__recipe_plan_check_bytes(terrain__recipe_plan *plan)
{
    const uint64_t limit = plan->desc.memory_limit;
    uint32_t statement;
    char text[TERRAIN__FAULT_SIZE];
    if (limit == 0) {
        return TERRAIN_SUCCESS;
    }
    uint64_t bytes = terrain__recipe_plan_count_bytes(plan, &statement);
    if (bytes <= limit) {
        terrain__context_make_room(plan->context, bytes, limit);
        return TERRAIN_SUCCESS;
    }
    if (statement >= plan->recipe->step_count) {
        return terrain__context_fail(plan->context, TERRAIN_ERROR_MEMORY,
                                     "recipe_run: %" PRIu64 " bytes would be needed, memory_limit "
                                     "is %" PRIu64,
                                     bytes, limit);
    }
    const terrain__box *box = &plan->tasks[statement].work;
    snprintf(text, sizeof text,
             "%" PRIu64 " bytes would be needed here, for %" PRId64 "x%" PRId64
             " cells at (%" PRId64 ", %" PRId64 "); memory_limit is %" PRIu64,
             bytes, box->x1 - box->x0, box->y1 - box->y0, box->x0, box->y0, limit);
    return terrain__recipe_fail_step(plan->context, plan->recipe->steps[statement],
                                     TERRAIN_ERROR_MEMORY, text);
}
