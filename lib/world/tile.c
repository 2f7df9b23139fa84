/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain_world_tile: jobs, each of which computes a rectangle of one cached statement, and a last
 * one that computes the tile.
 *
 * First backwards: what a job needs of cached statements is pinned, and what is missing of it is
 * claimed and becomes jobs of its own. Then forwards: jobs run in the order of their statements,
 * and wait only for blocks of statements before theirs. So of all blocks that anybody waits for,
 * the owner of the first is not waiting itself, and there is no deadlock. */

#include <string.h>

#include "core/context.h"
#include "world/world.h"

enum {
    TILE_BLOCK = TERRAIN__WORLD_BLOCK,
    TILE_WAIT = 4 /* milliseconds between two looks for cancelling */
};

#define TILE_NONE TERRAIN__RECIPE_NONE

/* A rectangle of a statement; the last one to run, of statement NONE, is the tile. */
struct tile_job {
    terrain__box box;
    double weight;
    uint32_t statement;
};

/* A block that this tile needs. A block may have several. */
struct tile_pin {
    terrain__world_block *block;
    uint32_t next; /* of the same statement */
};

struct tile_layer {
    uint32_t pins;   /* the first; NONE */
    uint32_t reader; /* of the jobs that read it, that which runs last; NONE */
};

struct tile_array {
    void *items;
    size_t size; /* of one */
    uint32_t count, capacity;
};

struct tile {
    terrain_world *world;
    terrain_context *context;
    terrain_heightmap *map;
    struct tile_layer *layers; /* one for each statement */
    struct tile_array jobs;
    struct tile_array pins;
    terrain_recipe_run_desc desc; /* of the job at hand */
    double progress;              /* reported so far */
    double weight, done;          /* of all jobs, and of those that have run */
    bool retry;                   /* somebody has abandoned what this tile waited for */
};

/* ---- Small things ---------------------------------------------------------------------------- */

static terrain_status tile_no_memory(struct tile *tile)
{
    return terrain__context_fail(tile->context, TERRAIN_ERROR_MEMORY, "world_tile: no memory");
}

/* A new item at the end, not set; NULL: no memory. */
static void *tile_append(struct tile *tile, struct tile_array *array)
{
    const terrain_allocator *allocator = terrain__context_allocator(tile->context);
    if (array->count == array->capacity) {
        uint32_t capacity = array->capacity > 0 ? array->capacity * 2 : 64;
        size_t bytes;
        void *items = NULL;
        if (capacity > array->capacity && terrain__multiply_size(capacity, array->size, &bytes)) {
            items = terrain__allocate(allocator, bytes, TERRAIN__ALIGNMENT);
        }
        if (items == NULL) {
            return NULL;
        }
        if (array->count > 0) {
            memcpy(items, array->items, array->count * array->size);
        }
        terrain__free(allocator, array->items, array->capacity * array->size);
        array->items = items;
        array->capacity = capacity;
    }
    return (char *)array->items + array->count++ * array->size;
}

static struct tile_job *tile_job_at(const struct tile *tile, uint32_t index)
{
    return (struct tile_job *)tile->jobs.items + index;
}

static struct tile_pin *tile_pin_at(const struct tile *tile, uint32_t index)
{
    return (struct tile_pin *)tile->pins.items + index;
}

/* The block that holds the cell; -1 / 32 is -1. */
static int64_t tile_block_of(int64_t cell)
{
    return cell >= 0 ? cell / TILE_BLOCK : -1 - (-1 - cell) / TILE_BLOCK;
}

/* In blocks, the first of each direction and the one after the last. */
static terrain__box tile_blocks_of(const terrain__box *cells)
{
    terrain__box blocks = {tile_block_of(cells->x0), tile_block_of(cells->y0),
                           tile_block_of(cells->x1 - 1) + 1, tile_block_of(cells->y1 - 1) + 1};
    return blocks;
}

static terrain__box tile_cells_of(const terrain__box *blocks)
{
    terrain__box cells = {blocks->x0 * TILE_BLOCK, blocks->y0 * TILE_BLOCK, blocks->x1 * TILE_BLOCK,
                          blocks->y1 * TILE_BLOCK};
    return cells;
}

/* ---- Backwards: pins and jobs ---------------------------------------------------------------- */

static terrain_status tile_pin_locked(struct tile *tile, uint32_t statement, int64_t x, int64_t y)
{
    struct tile_layer *layer = &tile->layers[statement];
    struct tile_pin *pin = tile_append(tile, &tile->pins);
    if (pin == NULL) {
        return tile_no_memory(tile);
    }
    pin->block = terrain__world_claim(tile->world, statement, x, y, tile);
    if (pin->block == NULL) {
        tile->pins.count--;
        return tile_no_memory(tile);
    }
    pin->next = layer->pins;
    layer->pins = tile->pins.count - 1;
    return TERRAIN_SUCCESS;
}

/* Pins what covers the box. Backwards, so that a layer's list begins at the north-western block. */
static terrain_status tile_pin_box(struct tile *tile, uint32_t statement, const terrain__box *box)
{
    terrain__box blocks = tile_blocks_of(box);
    terrain_status status = TERRAIN_SUCCESS;
    terrain__mutex_lock(&tile->world->mutex);
    for (int64_t y = blocks.y1; y-- > blocks.y0 && status == TERRAIN_SUCCESS;) {
        for (int64_t x = blocks.x1; x-- > blocks.x0 && status == TERRAIN_SUCCESS;) {
            status = tile_pin_locked(tile, statement, x, y);
        }
    }
    terrain__mutex_unlock(&tile->world->mutex);
    return status;
}

static terrain_status tile_fetch(terrain__recipe_plan *plan, uint32_t value);

/* The plan of a job; free it in any case. */
static terrain_status tile_plan(struct tile *tile, const struct tile_job *job,
                                terrain__recipe_plan *plan)
{
    const terrain_world *world = tile->world;
    terrain_recipe_run_desc *desc = &tile->desc;
    terrain_status status;
    terrain_recipe_run_desc_init(desc, sizeof *desc);
    desc->flags |= TERRAIN_RECIPE_WORLD;
    desc->seed = world->seed;
    desc->observer = world->observer;
    desc->cell_size = world->cell_size;
    desc->x = job->box.x0;
    desc->y = job->box.y0;
    desc->width = (uint32_t)(job->box.x1 - job->box.x0);
    desc->height = (uint32_t)(job->box.y1 - job->box.y0);
    status = terrain__recipe_plan_begin(plan, tile->context, world->recipe, desc);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    plan->given = world->cached;
    plan->root = job->statement;
    plan->fetch = tile_fetch;
    plan->user = tile;
    if (job->statement == TILE_NONE) {
        terrain__recipe_plan_want_value(plan, world->value, &job->box);
    }
    for (uint32_t i = 0; i < world->value_count && job->statement != TILE_NONE; i++) {
        if (world->recipe->values[i].statement == job->statement && world->plane[i] != TILE_NONE) {
            terrain__recipe_plan_want_value(plan, i, &job->box);
        }
    }
    return terrain__recipe_plan_windows(plan);
}

/* Pins what job `index` reads. */
static terrain_status tile_prepare_job(struct tile *tile, uint32_t index)
{
    struct tile_job *job = tile_job_at(tile, index);
    terrain__recipe_plan plan;
    terrain_status status = tile_plan(tile, job, &plan);
    if (status == TERRAIN_SUCCESS) {
        job->weight = terrain__recipe_plan_weight(&plan);
        tile->weight += job->weight;
    }
    for (uint32_t i = 0; i < tile->world->value_count && status == TERRAIN_SUCCESS; i++) {
        uint32_t statement = tile->world->recipe->values[i].statement;
        if (plan.slots[i].wanted && terrain__recipe_plan_is_given(&plan, statement)) {
            if (tile->layers[statement].reader == TILE_NONE) {
                tile->layers[statement].reader = index;
            }
            status = tile_pin_box(tile, statement, &plan.slots[i].box);
        }
    }
    terrain__recipe_plan_free(&plan);
    return status;
}

/* Whether the block is this tile's to compute, and in no job yet. */
static bool tile_is_open(const struct tile *tile, uint32_t statement, int64_t x, int64_t y)
{
    const terrain__world_block *block = terrain__world_find(tile->world, statement, x, y);
    return block != NULL && block->state == TERRAIN__BLOCK_PENDING && block->owner == tile &&
           !block->scheduled;
}

static bool tile_row_is_open(const struct tile *tile, uint32_t statement, const terrain__box *box,
                             int64_t y)
{
    for (int64_t x = box->x0; x < box->x1; x++) {
        if (!tile_is_open(tile, statement, x, y)) {
            return false;
        }
    }
    return true;
}

/* The open blocks around one: as far east as they go, then as far south as all of that row does. */
static terrain__box tile_rectangle(const struct tile *tile, const terrain__world_block *first)
{
    uint32_t statement = first->statement;
    terrain__box box = {first->x, first->y, first->x + 1, first->y + 1};
    while (tile_is_open(tile, statement, box.x1, first->y)) {
        box.x1++;
    }
    while (tile_row_is_open(tile, statement, &box, box.y1)) {
        box.y1++;
    }
    for (int64_t y = box.y0; y < box.y1; y++) {
        for (int64_t x = box.x0; x < box.x1; x++) {
            terrain__world_find(tile->world, statement, x, y)->scheduled = true;
        }
    }
    return box;
}

static terrain_status tile_add_job(struct tile *tile, uint32_t statement, const terrain__box *box)
{
    struct tile_job *job = tile_append(tile, &tile->jobs);
    if (job == NULL) {
        return tile_no_memory(tile);
    }
    job->box = *box;
    job->statement = statement;
    job->weight = 0;
    return TERRAIN_SUCCESS;
}

/* Jobs for all that is this tile's of a statement. */
static terrain_status tile_add_jobs(struct tile *tile, uint32_t statement)
{
    terrain_status status = TERRAIN_SUCCESS;
    terrain__mutex_lock(&tile->world->mutex);
    for (uint32_t i = tile->layers[statement].pins; i != TILE_NONE && status == TERRAIN_SUCCESS;
         i = tile_pin_at(tile, i)->next) {
        const terrain__world_block *block = tile_pin_at(tile, i)->block;
        if (tile_is_open(tile, statement, block->x, block->y)) {
            terrain__box blocks = tile_rectangle(tile, block);
            terrain__box cells = tile_cells_of(&blocks);
            status = tile_add_job(tile, statement, &cells);
        }
    }
    terrain__mutex_unlock(&tile->world->mutex);
    return status;
}

static terrain_status tile_prepare(struct tile *tile, int64_t x, int64_t y)
{
    terrain__box box = {x, y, x + (int64_t)tile->map->width, y + (int64_t)tile->map->height};
    terrain_status status = tile_add_job(tile, TILE_NONE, &box);
    uint32_t job = 0;
    if (status == TERRAIN_SUCCESS) {
        status = tile_prepare_job(tile, job++);
    }
    for (uint32_t i = tile->world->statement_count; i-- > 0 && status == TERRAIN_SUCCESS;) {
        status = tile_add_jobs(tile, i);
        while (status == TERRAIN_SUCCESS && job < tile->jobs.count) {
            status = tile_prepare_job(tile, job++);
        }
    }
    return status;
}

/* ---- Waiting --------------------------------------------------------------------------------- */

/* Without the lock: has the host cancelled? */
static terrain_status tile_poll(struct tile *tile)
{
    if (terrain__context_take_cancel(tile->context) || !terrain__context_report(tile->context, 0)) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_CANCELLED,
                                     "world_tile: cancelled");
    }
    return TERRAIN_SUCCESS;
}

/* Waits for a pinned block. Not success too if its owner has given up: then `retry` is set. */
static terrain_status tile_await(struct tile *tile, uint32_t statement, int64_t x, int64_t y,
                                 terrain__world_block **out)
{
    terrain_world *world = tile->world;
    terrain_status status = TERRAIN_SUCCESS;
    terrain__mutex_lock(&world->mutex);
    *out = terrain__world_find(world, statement, x, y);
    while ((*out)->state == TERRAIN__BLOCK_PENDING && status == TERRAIN_SUCCESS) {
        terrain__condition_wait_for(&world->changed, &world->mutex, TILE_WAIT);
        if ((*out)->state == TERRAIN__BLOCK_PENDING) {
            terrain__mutex_unlock(&world->mutex);
            status = tile_poll(tile);
            terrain__mutex_lock(&world->mutex);
        }
    }
    if (status == TERRAIN_SUCCESS && (*out)->state == TERRAIN__BLOCK_ABANDONED) {
        tile->retry = true;
        status = TERRAIN_ERROR_CANCELLED;
    }
    terrain__mutex_unlock(&world->mutex);
    return status;
}

/* ---- Forwards: computing --------------------------------------------------------------------- */

/* Where a block and a map meet: as many rows and columns, from these cells on. */
struct tile_meeting {
    float *of_block;
    float *of_map;
    int64_t width;
    int64_t height;
};

static struct tile_meeting tile_meet(terrain__world_block *block, uint32_t plane,
                                     const terrain_heightmap *map)
{
    const int64_t x = block->x * TILE_BLOCK, y = block->y * TILE_BLOCK;
    const int64_t map_x1 = map->x + (int64_t)map->width, map_y1 = map->y + (int64_t)map->height;
    const int64_t x0 = x > map->x ? x : map->x, y0 = y > map->y ? y : map->y;
    struct tile_meeting meeting;
    meeting.of_block = terrain__world_cells(block, plane) + (y0 - y) * TILE_BLOCK + (x0 - x);
    meeting.of_map = map->data + (size_t)(y0 - map->y) * map->stride + (size_t)(x0 - map->x);
    meeting.width = (x + TILE_BLOCK < map_x1 ? x + TILE_BLOCK : map_x1) - x0;
    meeting.height = (y + TILE_BLOCK < map_y1 ? y + TILE_BLOCK : map_y1) - y0;
    return meeting;
}

/* Puts together a value's map from blocks. */
static terrain_status tile_fetch(terrain__recipe_plan *plan, uint32_t value)
{
    struct tile *tile = plan->user;
    terrain_world *world = tile->world;
    terrain__recipe_slot *slot = &plan->slots[value];
    uint32_t statement = world->recipe->values[value].statement;
    terrain__box blocks = tile_blocks_of(&slot->box);
    terrain_status status = terrain__recipe_plan_create(plan, slot, &slot->box);
    if (status != TERRAIN_SUCCESS) {
        return tile_no_memory(tile);
    }
    for (int64_t y = blocks.y0; y < blocks.y1; y++) {
        for (int64_t x = blocks.x0; x < blocks.x1; x++) {
            struct tile_meeting meeting;
            terrain__world_block *block;
            status = tile_await(tile, statement, x, y, &block);
            if (status != TERRAIN_SUCCESS) {
                return status;
            }
            meeting = tile_meet(block, world->plane[value], &slot->map);
            for (int64_t row = 0; row < meeting.height; row++) {
                memcpy(meeting.of_map + (size_t)row * slot->map.stride,
                       meeting.of_block + row * TILE_BLOCK, (size_t)meeting.width * sizeof(float));
            }
            slot->map.cell_size = *terrain__world_cell_size(world, block, world->plane[value]);
        }
    }
    return TERRAIN_SUCCESS;
}

/* Copies what a job has computed of a value into its blocks. */
static void tile_store(struct tile *tile, const struct tile_job *job,
                       const terrain__recipe_slot *slot, uint32_t plane)
{
    terrain__box blocks = tile_blocks_of(&job->box);
    for (int64_t y = blocks.y0; y < blocks.y1; y++) {
        for (int64_t x = blocks.x0; x < blocks.x1; x++) {
            struct tile_meeting meeting;
            terrain__world_block *block;
            terrain__mutex_lock(&tile->world->mutex);
            block = terrain__world_find(tile->world, job->statement, x, y);
            terrain__mutex_unlock(&tile->world->mutex);
            meeting = tile_meet(block, plane, &slot->map);
            for (int64_t row = 0; row < meeting.height; row++) {
                memcpy(meeting.of_block + row * TILE_BLOCK,
                       meeting.of_map + (size_t)row * slot->map.stride,
                       (size_t)meeting.width * sizeof(float));
            }
            *terrain__world_cell_size(tile->world, block, plane) = slot->map.cell_size;
        }
    }
}

/* Lets other tiles read the job's blocks. */
static void tile_publish(struct tile *tile, const struct tile_job *job)
{
    terrain__box blocks = tile_blocks_of(&job->box);
    terrain__mutex_lock(&tile->world->mutex);
    for (int64_t y = blocks.y0; y < blocks.y1; y++) {
        for (int64_t x = blocks.x0; x < blocks.x1; x++) {
            terrain__world_block *block = terrain__world_find(tile->world, job->statement, x, y);
            block->state = TERRAIN__BLOCK_DONE;
            block->owner = NULL;
        }
    }
    terrain__condition_wake_all(&tile->world->changed);
    terrain__mutex_unlock(&tile->world->mutex);
}

static void tile_finish_job(struct tile *tile, const struct tile_job *job,
                            const terrain__recipe_plan *plan)
{
    const terrain_world *world = tile->world;
    if (job->statement == TILE_NONE) {
        terrain_heightmap result = terrain__recipe_slot_crop(&plan->slots[world->value], &job->box);
        terrain_heightmap_copy(NULL, &result, tile->map);
        return;
    }
    for (uint32_t i = 0; i < world->value_count; i++) {
        if (world->recipe->values[i].statement == job->statement && world->plane[i] != TILE_NONE) {
            tile_store(tile, job, &plan->slots[i], world->plane[i]);
        }
    }
    tile_publish(tile, job);
}

static void tile_unpin_layer(struct tile *tile, uint32_t statement)
{
    terrain__mutex_lock(&tile->world->mutex);
    for (uint32_t i = tile->layers[statement].pins; i != TILE_NONE;
         i = tile_pin_at(tile, i)->next) {
        terrain__world_unpin(tile->world, tile_pin_at(tile, i)->block);
    }
    terrain__mutex_unlock(&tile->world->mutex);
    tile->layers[statement].pins = TILE_NONE;
}

/* Each retry's jobs share what the progress has left. */
static terrain_status tile_run_job(struct tile *tile, uint32_t index, double begun)
{
    const struct tile_job *job = tile_job_at(tile, index);
    terrain__recipe_plan plan;
    terrain_status status = tile_plan(tile, job, &plan);
    double per_weight = tile->weight > 0 ? (1 - begun) / tile->weight : 0;
    if (status == TERRAIN_SUCCESS) {
        plan.progress_from = tile->progress;
        tile->done += job->weight;
        plan.progress_to = index > 0 ? begun + tile->done * per_weight : 1;
        tile->progress = plan.progress_to;
        status = terrain__recipe_plan_run(&plan);
    }
    if (status == TERRAIN_SUCCESS) {
        tile_finish_job(tile, job, &plan);
    }
    terrain__recipe_plan_free(&plan);
    for (uint32_t i = 0; i < tile->world->statement_count; i++) {
        if (tile->layers[i].reader == index) {
            tile_unpin_layer(tile, i);
        }
    }
    return status;
}

/* ---- Visits ---------------------------------------------------------------------------------- */

/* A thread that is in this world already, in a callback, could wait for blocks of its own. */
static terrain_status tile_begin_visit(const struct tile *tile, terrain__world_visit *visit)
{
    terrain_world *world = tile->world;
    bool inside = false;
    visit->thread = terrain__thread_self();
    terrain__mutex_lock(&world->mutex);
    for (const terrain__world_visit *other = world->visits; other != NULL; other = other->next) {
        inside = inside || terrain__thread_equal(other->thread, visit->thread);
    }
    if (!inside) {
        visit->next = world->visits;
        world->visits = visit;
    }
    terrain__mutex_unlock(&world->mutex);
    return inside ? terrain__context_fail(tile->context, TERRAIN_ERROR_BUSY,
                                          "world_tile: called from a callback of a call for a tile "
                                          "of this world")
                  : TERRAIN_SUCCESS;
}

static void tile_end_visit(terrain_world *world, const terrain__world_visit *visit)
{
    terrain__world_visit **link = &world->visits;
    terrain__mutex_lock(&world->mutex);
    while (*link != visit) {
        link = &(*link)->next;
    }
    *link = visit->next;
    terrain__mutex_unlock(&world->mutex);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static terrain_status tile_try(struct tile *tile, int64_t x, int64_t y)
{
    double begun = tile->progress;
    terrain_status status;
    for (uint32_t i = 0; i < tile->world->statement_count; i++) {
        tile->layers[i].pins = TILE_NONE;
        tile->layers[i].reader = TILE_NONE;
    }
    tile->jobs.count = 0;
    tile->pins.count = 0;
    tile->weight = 0;
    tile->done = 0;
    tile->retry = false;
    status = tile_prepare(tile, x, y);
    for (uint32_t i = tile->jobs.count; i-- > 0 && status == TERRAIN_SUCCESS;) {
        status = tile_run_job(tile, i, begun);
    }
    return status;
}

/* Gives up what was claimed but not computed, wakes those who wait for it, and unpins all. */
static void tile_give_up(struct tile *tile)
{
    terrain__mutex_lock(&tile->world->mutex);
    for (uint32_t i = 0; i < tile->world->statement_count; i++) {
        for (uint32_t k = tile->layers[i].pins; k != TILE_NONE; k = tile_pin_at(tile, k)->next) {
            terrain__world_block *block = tile_pin_at(tile, k)->block;
            if (block->state == TERRAIN__BLOCK_PENDING && block->owner == tile) {
                block->state = TERRAIN__BLOCK_ABANDONED;
                block->owner = NULL;
            }
        }
    }
    terrain__condition_wake_all(&tile->world->changed);
    terrain__mutex_unlock(&tile->world->mutex);
    for (uint32_t i = 0; i < tile->world->statement_count; i++) {
        tile_unpin_layer(tile, i);
    }
}

static terrain_status tile_compute(struct tile *tile, int64_t x, int64_t y)
{
    const terrain_allocator *allocator = terrain__context_allocator(tile->context);
    size_t layers_size = (tile->world->statement_count + 1) * sizeof *tile->layers;
    terrain_status status = TERRAIN_ERROR_MEMORY;
    tile->jobs.size = sizeof(struct tile_job);
    tile->pins.size = sizeof(struct tile_pin);
    tile->layers = terrain__allocate(allocator, layers_size, TERRAIN__ALIGNMENT);
    if (tile->layers == NULL) {
        return tile_no_memory(tile);
    }
    do {
        status = tile_try(tile, x, y);
        if (status != TERRAIN_SUCCESS) {
            tile_give_up(tile);
        }
    } while (status != TERRAIN_SUCCESS && tile->retry);
    terrain__free(allocator, tile->pins.items, tile->pins.capacity * tile->pins.size);
    terrain__free(allocator, tile->jobs.items, tile->jobs.capacity * tile->jobs.size);
    terrain__free(allocator, tile->layers, layers_size);
    return status;
}

static terrain_status tile_check(struct tile *tile, int64_t x, int64_t y)
{
    const char *fault = tile->world == NULL    ? "world is NULL"
                        : tile->map == NULL    ? "map is NULL"
                        : tile->map->read_only ? "map is const"
                                               : NULL;
    if (fault != NULL) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_ARGUMENT, "world_tile: %s",
                                     fault);
    }
    if (!terrain__window_in_world(x, y, tile->map->width, tile->map->height)) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_RANGE,
                                     "world_tile: the tile must lie within 2^62 of the origin");
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain_world_tile(terrain_context *context, terrain_world *world, int64_t x,
                                  int64_t y, terrain_heightmap *map)
{
    struct tile tile = {.world = world, .context = context, .map = map};
    terrain__world_visit visit;
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = tile_check(&tile, x, y);
    if (status == TERRAIN_SUCCESS) {
        status = tile_begin_visit(&tile, &visit);
    }
    if (status == TERRAIN_SUCCESS) {
        status = tile_compute(&tile, x, y);
        tile_end_visit(world, &visit);
    }
    if (status == TERRAIN_SUCCESS && context != NULL) {
        context->message[0] = '\0'; /* an earlier try's */
    }
    terrain__context_leave(context);
    return status;
}
