/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a tile takes: backwards from its cells, what a job needs of cached statements is pinned, and
 * what is missing of it is claimed and becomes jobs of its own. See tile.c. */

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/number.h"
#include "core/context.h"
#include "world/tile.h"

enum { TILE_LEAST = 64 }; /* items of an array */

/* Blocks that take more need no count of what else does; a box of fewer has sides of 32 bits. */
#define TILE_MOST_COUNTED (UINT64_C(1) << 38)

/* ---- Small things ---------------------------------------------------------------------------- */

terrain_status terrain__tile_no_memory(struct tile *tile)
{
    return terrain__context_fail(tile->context, TERRAIN_ERROR_MEMORY, "%s: no memory", tile->name);
}

/* What `count` grows to, in items, from none: a power of two from `least` on. */
static uint64_t tile_capacity(uint64_t count, uint64_t least)
{
    uint64_t capacity = count > 0 ? least : 0;
    while (capacity < count && capacity <= UINT64_MAX / 2) {
        capacity *= 2;
    }
    return capacity;
}

/* Makes room for so many more items. Not with the world's mutex, since the host's allocator may
 * call the library. */
static terrain_status tile_reserve(struct tile *tile, struct tile_array *array, uint64_t more)
{
    terrain__shelf *shelf = terrain__context_shelf(tile->context);
    const uint64_t capacity = tile_capacity(terrain__add_bytes(array->count, more), TILE_LEAST);
    size_t bytes;
    void *items = NULL;
    if (capacity <= array->capacity) {
        return TERRAIN_SUCCESS;
    }
    if (capacity <= UINT32_MAX && terrain__multiply_size((size_t)capacity, array->size, &bytes)) {
        items = terrain__shelf_take(shelf, bytes);
    }
    if (items == NULL) {
        return terrain__tile_no_memory(tile);
    }
    if (array->count > 0) {
        memcpy(items, array->items, array->count * array->size);
    }
    terrain__shelf_give(shelf, array->items);
    array->items = items;
    array->capacity = (uint32_t)capacity;
    return TERRAIN_SUCCESS;
}

/* A new item at the end, not set, for which there is room. */
static void *tile_append(struct tile_array *array)
{
    return (char *)array->items + array->count++ * array->size;
}

/* Bytes of the lists of a tile with so many jobs and pins: two arrays, and the shorter ones that
 * they replaced, which the shelf still holds; and a table that finds their blocks, with up to four
 * chains for each, and half of it again while it grows. */
static uint64_t tile_list_bytes(uint64_t jobs, uint64_t pins)
{
    const uint64_t chains =
        tile_capacity(terrain__multiply_bytes(pins, 2), TERRAIN__WORLD_LEAST_TABLE);
    const uint64_t arrays = terrain__add_bytes(
        terrain__multiply_bytes(tile_capacity(jobs, TILE_LEAST), 2 * sizeof(struct tile_job)),
        terrain__multiply_bytes(tile_capacity(pins, TILE_LEAST), 2 * sizeof(struct tile_pin)));
    return terrain__add_bytes(arrays, terrain__multiply_bytes(chains / 2, 3 * sizeof(void *)));
}

/* How many; of too many for 64 bits as many as these hold. */
static uint64_t tile_block_count(const terrain__box *blocks)
{
    return terrain__multiply_bytes((uint64_t)(blocks->x1 - blocks->x0),
                                   (uint64_t)(blocks->y1 - blocks->y0));
}

static uint64_t tile_bytes_of(const struct tile *tile, uint32_t statement, const terrain__box *box)
{
    const terrain__box blocks = terrain__world_blocks_of(tile->world, statement, box);
    return terrain__multiply_bytes(tile_block_count(&blocks),
                                   terrain__world_block_size(tile->world, statement));
}

/* Refuses the tile, for `bytes` in all, most of them at one statement. */
static terrain_status tile_too_large(struct tile *tile, uint32_t statement, const terrain__box *box,
                                     uint64_t bytes)
{
    char text[TERRAIN__FAULT_SIZE], number[TERRAIN__NUMBER_SIZE];
    snprintf(text, sizeof text,
             "%s would be needed, most of them here, for %" PRId64 "x%" PRId64 " cells at (%" PRId64
             ", %" PRId64 "); %s is %" PRIu64,
             terrain__format_bytes(number, bytes), box->x1 - box->x0, box->y1 - box->y0, box->x0,
             box->y0, tile->limits_blocks ? "cache_bytes" : "memory_limit", tile->limit);
    return terrain__recipe_fail_step(tile->context, tile->world->recipe->steps[statement],
                                     TERRAIN_ERROR_MEMORY, text);
}

/* ---- Backwards: pins and jobs ---------------------------------------------------------------- */

static terrain_status tile_pin_locked(struct tile *tile, uint32_t statement, int64_t x, int64_t y)
{
    struct tile_layer *layer = &tile->layers[statement];
    terrain__world_block *block = terrain__world_claim(tile->world, statement, x, y, tile);
    if (block == NULL) {
        char bytes[TERRAIN__NUMBER_SIZE];
        return terrain__context_fail(
            tile->context, TERRAIN_ERROR_MEMORY, "%s: the world's allocator has no memory for %s",
            tile->name,
            terrain__format_bytes(bytes, terrain__world_block_size(tile->world, statement)));
    }
    *(struct tile_pin *)tile_append(&tile->pins) = (struct tile_pin){block, layer->pins};
    layer->pins = tile->pins.count - 1;
    return TERRAIN_SUCCESS;
}

static terrain_status tile_refuse_blocks(struct tile *tile, uint32_t statement,
                                         const terrain__box *box, uint64_t bytes);

/* Pins what covers the box. Backwards, so that a layer's list begins at the north-western block. */
static terrain_status tile_pin_box(struct tile *tile, uint32_t statement, const terrain__box *box)
{
    terrain__box blocks = terrain__world_blocks_of(tile->world, statement, box);
    terrain_status status = TERRAIN_SUCCESS;
    const uint64_t limit = tile->limit;
    struct tile_layer *layer = &tile->layers[statement];
    terrain__box_unite(&layer->box, box);
    tile->pinned -= layer->bytes;
    layer->bytes = tile_bytes_of(tile, statement, &layer->box);
    tile->pinned = terrain__add_bytes(tile->pinned, layer->bytes);
    if (tile->counts) {
        tile->counted_pins = terrain__add_bytes(tile->counted_pins, tile_block_count(&blocks));
        return TERRAIN_SUCCESS;
    }
    if (limit > 0 && tile->pinned > limit) {
        return tile_refuse_blocks(tile, statement, &layer->box, tile->pinned);
    }
    status = tile_reserve(tile, &tile->pins, tile_block_count(&blocks));
    terrain__mutex_lock(&tile->world->mutex);
    for (int64_t y = blocks.y1; y-- > blocks.y0 && status == TERRAIN_SUCCESS;) {
        for (int64_t x = blocks.x1; x-- > blocks.x0 && status == TERRAIN_SUCCESS;) {
            status = tile_pin_locked(tile, statement, x, y);
        }
    }
    terrain__mutex_unlock(&tile->world->mutex);
    return status;
}

/* Puts together a value's map from blocks, which are all there. */
static terrain_status tile_fetch(terrain__recipe_plan *plan, uint32_t value)
{
    struct tile *tile = plan->user;
    terrain__recipe_slot *slot = &plan->slots[value];
    if (terrain__recipe_plan_create(plan, slot, &slot->box) != TERRAIN_SUCCESS ||
        !terrain__world_read(tile->world, terrain__context_room(plan->context), value,
                             &slot->map)) {
        return terrain__tile_no_memory(tile);
    }
    return TERRAIN_SUCCESS;
}

/* Asks the plan for what the job computes: the tile's maps, or all maps that the blocks of its
 * statement hold. */
static void tile_want(const struct tile *tile, const struct tile_job *job,
                      terrain__recipe_plan *plan)
{
    const terrain_world *world = tile->world;
    if (job->statement == TILE_NONE) {
        for (uint32_t i = 0; i < world->output_count; i++) {
            if (tile_wants(tile, i)) {
                terrain__recipe_plan_want_value(plan, world->outputs[i], &job->box);
            }
        }
        return;
    }
    for (uint32_t i = 0; i < world->value_count; i++) {
        if (world->recipe->values[i].statement == job->statement &&
            world->value_planes[i] != TILE_NONE) {
            terrain__recipe_plan_want_value(plan, i, &job->box);
        }
    }
    const uint32_t before = terrain__world_value_before(world, job->statement);
    if (before != TILE_NONE) {
        terrain__recipe_plan_want_value(plan, before, &job->box);
    }
}

/* The plan of a job, which reads what is kept, or computes all. Free it in any case. */
static terrain_status tile_plan_all(struct tile *tile, const struct tile_job *job, bool kept,
                                    terrain__recipe_plan *plan)
{
    const terrain_world *world = tile->world;
    terrain_recipe_run_desc *desc = &tile->desc;
    terrain_status status;
    terrain__world_set_run(world, desc);
    desc->seed = world->seed;
    desc->observer = world->observer;
    desc->width = desc->height = 1; /* any window: the job's box is what is wanted */
    status = terrain__recipe_plan_begin(plan, tile->name, tile->context,
                                        terrain__context_shelf(tile->context), world->recipe, desc,
                                        false);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    plan->given = kept ? world->cached : NULL;
    plan->root = job->statement;
    plan->fetch = tile_fetch;
    plan->user = tile;
    tile_want(tile, job, plan);
    return terrain__recipe_plan_windows(plan);
}

terrain_status terrain__tile_plan(struct tile *tile, const struct tile_job *job,
                                  terrain__recipe_plan *plan)
{
    return tile_plan_all(tile, job, true, plan);
}

bool terrain__tile_is_run(const struct tile *tile, uint32_t index)
{
    return !tile->prepares || tile_job_at(tile, index)->statement != TILE_NONE;
}

/* Adds what a job takes beside the blocks. */
static terrain_status tile_count_job(struct tile *tile, const struct tile_job *job,
                                     terrain__recipe_plan *plan)
{
    terrain__recipe_bytes counted;
    terrain_status status = terrain__recipe_plan_count_bytes(plan, &counted);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (counted.all > tile->most && counted.statement != TILE_NONE) {
        tile->most = counted.all;
        tile->most_statement = counted.statement;
        tile->most_box = terrain__recipe_plan_is_given(plan, counted.statement)
                             ? job->box
                             : plan->tasks[counted.statement].work;
    }
    tile->most_maps = counted.maps > tile->most_maps ? counted.maps : tile->most_maps;
    tile->most_scratch =
        counted.scratch > tile->most_scratch ? counted.scratch : tile->most_scratch;
    return TERRAIN_SUCCESS;
}

/* Pins what job `index` reads. */
static terrain_status tile_prepare_job(struct tile *tile, uint32_t index)
{
    struct tile_job *job = tile_job_at(tile, index);
    terrain__recipe_plan plan;
    terrain_status status = terrain__tile_plan(tile, job, &plan);
    job->pins = tile->pins.count;
    if (status == TERRAIN_SUCCESS) {
        job->weight = terrain__tile_is_run(tile, index) ? terrain__recipe_plan_weight(&plan) : 0;
        if (index == 0 && job->weight == 0) {
            job->weight = 1; /* the end is the last job's to report, even if it only copies */
        }
        tile->weight += job->weight;
    }
    if (status == TERRAIN_SUCCESS && tile->limit > 0 && terrain__tile_is_run(tile, index)) {
        status = tile_count_job(tile, job, &plan);
    }
    for (uint32_t i = 0; i < tile->world->value_count && status == TERRAIN_SUCCESS; i++) {
        uint32_t statement = tile->world->recipe->values[i].statement;
        if (plan.slots[i].wanted && terrain__recipe_plan_is_given(&plan, statement)) {
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
    return block != NULL && block->owner == tile && !block->scheduled;
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

/* The open blocks around one: as far east as they go, then as far south as all of that row does. A
 * region is a job of its own: it is as large as many blocks, and overlaps its neighbours. */
static terrain__box tile_rectangle(const struct tile *tile, const terrain__world_block *first)
{
    uint32_t statement = first->statement;
    const bool alone = terrain__world_keeps_regions(tile->world, statement);
    terrain__box box = {first->x, first->y, first->x + 1, first->y + 1};
    while (!alone && tile_is_open(tile, statement, box.x1, first->y)) {
        box.x1++;
    }
    while (!alone && tile_row_is_open(tile, statement, &box, box.y1)) {
        box.y1++;
    }
    for (int64_t y = box.y0; y < box.y1; y++) {
        for (int64_t x = box.x0; x < box.x1; x++) {
            terrain__world_find(tile->world, statement, x, y)->scheduled = true;
        }
    }
    return box;
}

static terrain_status tile_add_job(struct tile *tile, const struct tile_job *job)
{
    const terrain_status status = tile_reserve(tile, &tile->jobs, 1);
    if (status == TERRAIN_SUCCESS) {
        *(struct tile_job *)tile_append(&tile->jobs) = *job;
    }
    return status;
}

/* Jobs for all that is this tile's of a statement. */
static terrain_status tile_add_jobs(struct tile *tile, uint32_t statement)
{
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = tile->layers[statement].pins; i != TILE_NONE && status == TERRAIN_SUCCESS;
         i = tile_pin_at(tile, i)->next) {
        const terrain__world_block *block = tile_pin_at(tile, i)->block;
        struct tile_job job = {.statement = statement};
        terrain__mutex_lock(&tile->world->mutex);
        const bool open = tile_is_open(tile, statement, block->x, block->y);
        if (open) {
            job.blocks = tile_rectangle(tile, block);
        }
        terrain__mutex_unlock(&tile->world->mutex);
        if (open) {
            job.box = terrain__world_cells_of(tile->world, statement, &job.blocks);
            status = tile_add_job(tile, &job);
        }
    }
    return status;
}

terrain_status terrain__tile_prepare(struct tile *tile)
{
    const struct tile_job all = {.box = tile->box, .statement = TILE_NONE};
    terrain_status status = tile_add_job(tile, &all);
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
    if (status == TERRAIN_SUCCESS && tile->world->memory_limit > 0) {
        const uint64_t limit = tile->world->memory_limit;
        const uint64_t kept = tile->pinned + tile_list_bytes(tile->jobs.count, tile->pins.count);
        const uint64_t most = terrain__add_bytes(tile->most_maps, tile->most_scratch);
        if (kept > limit || most > limit - kept) {
            tile->limit = limit;
            tile->limits_blocks = false;
            return tile_too_large(tile, tile->most_statement, &tile->most_box,
                                  terrain__add_bytes(kept, most));
        }
        terrain__context_make_room(tile->context, most, limit);
    }
    return status;
}

/* A job of all blocks of a statement that are needed, or, of regions, of which each is a job of its
 * own, of the first. */
static terrain_status tile_count_statement(struct tile *count, uint32_t statement, bool first)
{
    const struct tile_layer *layer = &count->layers[statement];
    struct tile_job job = {.statement = statement};
    job.blocks = terrain__world_blocks_of(count->world, statement, &layer->box);
    if (first) {
        job.blocks.x1 = job.blocks.x0 + 1;
        job.blocks.y1 = job.blocks.y0 + 1;
    }
    job.box = terrain__world_cells_of(count->world, statement, &job.blocks);
    terrain_status status = tile_add_job(count, &job);
    return status == TERRAIN_SUCCESS ? tile_prepare_job(count, count->jobs.count - 1) : status;
}

/* Fills in what a tile takes of which the world has kept nothing, as terrain__tile_prepare finds it
 * out, but claims no block. `jobs` gets how many there would be. */
static terrain_status tile_count(struct tile *count, uint64_t *jobs)
{
    const struct tile_job all = {.box = count->box, .statement = TILE_NONE};
    const uint64_t limit = count->limit;
    terrain_status status = tile_add_job(count, &all);
    *jobs = 1;
    if (status == TERRAIN_SUCCESS) {
        status = tile_prepare_job(count, 0);
    }
    for (uint32_t i = count->world->statement_count; i-- > 0 && status == TERRAIN_SUCCESS;) {
        const uint64_t pins = count->counted_pins;
        uint64_t same = 1; /* jobs that are alike */
        if (count->layers[i].bytes == 0 || count->pinned > TILE_MOST_COUNTED) {
            continue;
        }
        if (terrain__world_keeps_regions(count->world, i)) {
            same = count->layers[i].bytes / terrain__world_block_size(count->world, i);
            count->limit = 0; /* all regions at once: tells what they read, and is not run */
            status = tile_count_statement(count, i, false);
            count->limit = limit;
            count->counted_pins = pins;
        }
        if (status == TERRAIN_SUCCESS) {
            status = tile_count_statement(count, i, same > 1);
        }
        *jobs = terrain__add_bytes(*jobs, same);
        count->counted_pins =
            terrain__add_bytes(pins, terrain__multiply_bytes(count->counted_pins - pins, same));
    }
    return status;
}

/* tile_count, and what comes of it: *kept for blocks, of which `blocks` bytes are known, and
 * *needed for all. */
static terrain_status tile_count_bytes(const struct tile *tile, uint64_t blocks, struct tile *count,
                                       uint64_t *kept, uint64_t *needed)
{
    terrain__shelf *shelf = terrain__context_shelf(tile->context);
    const uint32_t statements = tile->world->statement_count;
    uint64_t jobs = 0;
    *count = (struct tile){
        .world = tile->world,
        .context = tile->context,
        .name = tile->name,
        .box = tile->box,
        .maps = tile->maps,
        .map_count = tile->map_count,
        .prepares = tile->prepares,
        .limit = tile->limits_blocks ? 0 : tile->limit,
        .counts = true,
        .jobs = {.size = sizeof(struct tile_job)},
    };
    count->layers = terrain__shelf_take(shelf, statements * sizeof *count->layers);
    if (count->layers == NULL) {
        return terrain__tile_no_memory(count);
    }
    for (uint32_t i = 0; i < statements; i++) {
        count->layers[i] = (struct tile_layer){.pins = TILE_NONE};
    }
    const terrain_status status = tile_count(count, &jobs);
    *kept = count->pinned > blocks ? count->pinned : blocks;
    *needed = terrain__add_bytes(*kept, tile_list_bytes(jobs, count->counted_pins));
    *needed =
        terrain__add_bytes(*needed, terrain__add_bytes(count->most_maps, count->most_scratch));
    terrain__shelf_give(shelf, count->jobs.items);
    terrain__shelf_give(shelf, count->layers);
    return status;
}

/* Refuses a tile whose blocks take `bytes`, most of them those of one statement: tells what all
 * would take, so that a greater limit is found at once. */
static terrain_status tile_refuse_blocks(struct tile *tile, uint32_t statement,
                                         const terrain__box *box, uint64_t bytes)
{
    struct tile count;
    uint64_t kept, needed;
    const terrain_status status = tile_count_bytes(tile, bytes, &count, &kept, &needed);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    /* Of jobs nothing is counted where the limit is cache_bytes. */
    const bool of_jobs = terrain__add_bytes(count.most_maps, count.most_scratch) > count.pinned;
    return tile_too_large(tile, of_jobs ? count.most_statement : statement,
                          of_jobs ? &count.most_box : box, tile->limits_blocks ? kept : needed);
}

/* The plan of the tile as if the world kept nothing, and the blocks that would be kept then: their
 * bytes, and the statement that has most of them. Free the plan in any case. */
static terrain_status tile_plan_blocks(struct tile *tile, terrain__recipe_plan *plan,
                                       uint64_t *bytes, uint32_t *largest)
{
    const terrain_world *world = tile->world;
    const struct tile_job job = {.box = tile->box, .statement = TILE_NONE};
    const terrain_status status = tile_plan_all(tile, &job, false, plan);
    uint64_t most = 0;
    *bytes = 0;
    *largest = 0;
    for (uint32_t i = 0; i < world->statement_count && status == TERRAIN_SUCCESS; i++) {
        if (plan->tasks[i].wanted && world->cached[i]) {
            const uint64_t own = tile_bytes_of(tile, i, &plan->tasks[i].needed);
            *bytes = terrain__add_bytes(*bytes, own);
            *largest = own > most ? i : *largest;
            most = own > most ? own : most;
        }
    }
    return status;
}

/* Before anything is claimed: what would be kept of each statement around the tile. */
terrain_status terrain__tile_check_bytes(struct tile *tile)
{
    terrain__recipe_plan plan;
    uint64_t bytes;
    uint32_t largest;
    terrain_status status = tile_plan_blocks(tile, &plan, &bytes, &largest);
    if (status == TERRAIN_SUCCESS && bytes > tile->limit) {
        status = tile_refuse_blocks(tile, largest, &plan.tasks[largest].needed, bytes);
    }
    terrain__recipe_plan_free(&plan);
    return status;
}

terrain_status terrain__tile_count_bytes(struct tile *tile, uint64_t *kept, uint64_t *needed)
{
    struct tile count;
    terrain__recipe_plan plan;
    uint64_t bytes;
    uint32_t largest;
    terrain_status status = tile_plan_blocks(tile, &plan, &bytes, &largest);
    terrain__recipe_plan_free(&plan);
    if (status == TERRAIN_SUCCESS) {
        tile->limit = UINT64_MAX; /* what jobs take is counted */
        status = tile_count_bytes(tile, bytes, &count, kept, needed);
    }
    return status;
}
