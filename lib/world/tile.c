/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain_world_tile: jobs, each of which computes a rectangle of one cached statement, and a last
 * one that computes the tile. terrain_world_prepare: the jobs without the last one.
 * terrain_world_tile_bytes: what all of them take.
 *
 * First backwards: what a job needs of cached statements is pinned, and what is missing of it is
 * claimed and becomes jobs of its own. Then forwards: jobs run in the order of their statements,
 * and wait only for blocks of statements before theirs. So of all blocks that anybody waits for,
 * the owner of the first is not waiting itself, and there is no deadlock. */

#include "world/tile.h"

#include <inttypes.h>

#include "core/context.h"

enum { TILE_WAIT = 4 }; /* milliseconds between two looks for cancelling */

/* How far a tile came. */
typedef enum tile_outcome {
    TILE_DONE,
    TILE_AGAIN, /* somebody has given up what this tile waited for: it begins again */
    TILE_FAILED
} tile_outcome;

static tile_outcome tile_outcome_of(struct tile *tile, terrain_status status)
{
    tile->failure = status;
    return status == TERRAIN_SUCCESS ? TILE_DONE : TILE_FAILED;
}

/* ---- Waiting --------------------------------------------------------------------------------- */

/* Without the lock: has the host cancelled? The progress stays where it is. */
static terrain_status tile_poll(struct tile *tile)
{
    terrain_context *context = tile->context;
    bool go_on = !terrain__context_take_cancel(context);
    if (context != NULL) {
        context->progress_from = context->progress_to = tile->progress;
        go_on = go_on && terrain__context_report(context, 0);
        context->progress_from = 0;
        context->progress_to = 1;
    }
    if (!go_on) {
        return terrain__context_fail(context, TERRAIN_ERROR_CANCELLED, "%s: cancelled", tile->name);
    }
    return TERRAIN_SUCCESS;
}

/* Waits until a pinned block is no longer pending. */
static tile_outcome tile_await(struct tile *tile, const terrain__world_block *block)
{
    terrain_world *world = tile->world;
    terrain_status status = TERRAIN_SUCCESS;
    uint32_t state;
    terrain__mutex_lock(&world->mutex);
    while (block->state == TERRAIN__BLOCK_PENDING && status == TERRAIN_SUCCESS) {
        terrain__condition_wait_for(&world->changed, &world->mutex, TILE_WAIT);
        if (block->state == TERRAIN__BLOCK_PENDING) {
            terrain__mutex_unlock(&world->mutex);
            status = tile_poll(tile);
            terrain__mutex_lock(&world->mutex);
        }
    }
    state = block->state;
    terrain__mutex_unlock(&world->mutex);
    return status == TERRAIN_SUCCESS && state == TERRAIN__BLOCK_ABANDONED
               ? TILE_AGAIN
               : tile_outcome_of(tile, status);
}

/* Waits for all blocks that a job reads. The pins of later jobs are gone. */
static tile_outcome tile_await_job(struct tile *tile, const struct tile_job *job)
{
    tile_outcome outcome = TILE_DONE;
    for (uint32_t i = job->pins; i < tile->pins.count && outcome == TILE_DONE; i++) {
        outcome = tile_await(tile, tile_pin_at(tile, i)->block);
    }
    return outcome;
}

/* ---- Forwards: computing --------------------------------------------------------------------- */

/* Lets other tiles read the job's blocks. */
static void tile_publish(struct tile *tile, const struct tile_job *job)
{
    const terrain__box blocks = job->blocks;
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

static void tile_write_maps(const struct tile *tile, const terrain__box *box,
                            const terrain__recipe_plan *plan)
{
    const terrain_world *world = tile->world;
    for (uint32_t i = 0; i < world->output_count; i++) {
        if (tile_wants(tile, i)) {
            const terrain_heightmap *map = &plan->slots[world->outputs[i]].map;
            const terrain_heightmap result = terrain__recipe_crop(map, box);
            terrain_heightmap_copy(NULL, &result, tile->maps[i]);
        }
    }
}

static void tile_finish_job(struct tile *tile, const struct tile_job *job,
                            const terrain__recipe_plan *plan)
{
    const terrain_world *world = tile->world;
    if (job->statement == TILE_NONE) {
        tile_write_maps(tile, &job->box, plan);
        return;
    }
    const uint32_t before = terrain__world_value_before(world, job->statement);
    for (uint32_t i = 0; i < world->value_count; i++) {
        if (world->recipe->values[i].statement == job->statement &&
            world->value_planes[i] != TILE_NONE) {
            terrain__world_write(tile->world, job->statement, &job->blocks, world->value_planes[i],
                                 &plan->slots[i].map);
        }
    }
    if (before != TILE_NONE) {
        terrain__world_write(tile->world, job->statement, &job->blocks,
                             world->plane_counts[job->statement] - 1, &plan->slots[before].map);
    }
    tile_publish(tile, job);
}

/* Unpins from a pin on: those of the job that has just run, or all. So what the coarse levels of a
 * land are made from is unpinned before the levels are, and, where the cache is small, is dropped
 * before them: the next tile needs the levels alone. */
static void tile_unpin(struct tile *tile, uint32_t first)
{
    terrain__mutex_lock(&tile->world->mutex);
    while (tile->pins.count > first) {
        terrain__world_unpin(tile->world, tile_pin_at(tile, --tile->pins.count)->block);
    }
    terrain__mutex_unlock(&tile->world->mutex);
}

/* Each try's jobs share what the progress has left. */
static tile_outcome tile_run_job(struct tile *tile, uint32_t index, double begun)
{
    const struct tile_job *job = tile_job_at(tile, index);
    const double per_weight = tile->weight > 0 ? (1 - begun) / tile->weight : 0;
    terrain__recipe_plan plan;
    tile_outcome outcome = tile_await_job(tile, job);
    if (outcome == TILE_DONE && !terrain__tile_is_run(tile, index)) {
        tile->progress = 1;
        outcome = tile_outcome_of(tile, tile_poll(tile));
    } else if (outcome == TILE_DONE) {
        outcome = tile_outcome_of(tile, terrain__tile_plan(tile, job, &plan));
        if (outcome == TILE_DONE) {
            plan.progress_from = tile->progress;
            tile->done += job->weight;
            plan.progress_to =
                index > 0 && tile->done < tile->weight ? begun + tile->done * per_weight : 1;
            tile->progress = plan.progress_to;
            outcome = tile_outcome_of(tile, terrain__recipe_plan_run(&plan));
        }
        if (outcome == TILE_DONE) {
            tile_finish_job(tile, job, &plan);
        }
        terrain__recipe_plan_free(&plan);
    }
    tile_unpin(tile, job->pins);
    return outcome;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static tile_outcome tile_try(struct tile *tile)
{
    double begun = tile->progress;
    tile_outcome outcome;
    for (uint32_t i = 0; i < tile->world->statement_count; i++) {
        tile->layers[i] = (struct tile_layer){.pins = TILE_NONE};
    }
    tile->jobs.count = 0;
    tile->pins.count = 0;
    tile->weight = 0;
    tile->done = 0;
    tile->pinned = 0;
    tile->most = tile->most_maps = tile->most_scratch = 0;
    outcome = tile_outcome_of(tile, terrain__tile_prepare(tile));
    for (uint32_t i = tile->jobs.count; i-- > 0 && outcome == TILE_DONE;) {
        outcome = tile_run_job(tile, i, begun);
    }
    return outcome;
}

/* Gives up what was claimed but not computed, wakes those who wait for it, and unpins all. */
static void tile_give_up(struct tile *tile)
{
    terrain__mutex_lock(&tile->world->mutex);
    for (uint32_t i = 0; i < tile->pins.count; i++) {
        terrain__world_block *block = tile_pin_at(tile, i)->block;
        if (block->owner == tile) {
            block->state = TERRAIN__BLOCK_ABANDONED;
            block->owner = NULL;
        }
    }
    terrain__condition_wake_all(&tile->world->changed);
    terrain__mutex_unlock(&tile->world->mutex);
    tile_unpin(tile, 0);
}

static terrain_status tile_compute(struct tile *tile)
{
    terrain__shelf *shelf = terrain__context_shelf(tile->context);
    tile_outcome outcome;
    if (tile->limit > 0) {
        terrain_status status = terrain__tile_check_bytes(tile);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    tile->jobs.size = sizeof(struct tile_job);
    tile->pins.size = sizeof(struct tile_pin);
    tile->layers = terrain__shelf_take(shelf, tile->world->statement_count * sizeof *tile->layers);
    if (tile->layers == NULL) {
        return terrain__tile_no_memory(tile);
    }
    do {
        outcome = tile_try(tile);
        if (outcome != TILE_DONE) {
            tile_give_up(tile);
        }
    } while (outcome == TILE_AGAIN);
    terrain__shelf_give(shelf, tile->pins.items);
    terrain__shelf_give(shelf, tile->jobs.items);
    terrain__shelf_give(shelf, tile->layers);
    return outcome == TILE_DONE ? TERRAIN_SUCCESS : tile->failure;
}

/* The cells of a window. */
static terrain_status tile_take_window(struct tile *tile, int64_t x, int64_t y, uint32_t width,
                                       uint32_t height)
{
    if (width == 0 || height == 0) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_RANGE,
                                     "%s: the window is %" PRIu32 "x%" PRIu32
                                     ", must have at least one cell",
                                     tile->name, width, height);
    }
    if (!terrain__window_in_world(x, y, width, height)) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_RANGE,
                                     "%s: the %s, %" PRIu32 "x%" PRIu32 " cells at (%" PRId64
                                     ", %" PRId64 "), must lie within 2^62 of the origin",
                                     tile->name, tile->maps != NULL ? "tile" : "window", width,
                                     height, x, y);
    }
    tile->box = terrain__box_at(x, y, width, height);
    return TERRAIN_SUCCESS;
}

static terrain_status tile_visit(struct tile *tile)
{
    terrain__world_visit visit;
    terrain_status status;
    if (!terrain__world_begin_visit(tile->world, &visit)) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_BUSY,
                                     "%s: called from a callback of a call for a tile of this "
                                     "world",
                                     tile->name);
    }
    status = tile_compute(tile);
    terrain__world_end_visit(tile->world, &visit);
    return status;
}

/* What a caller has done wrong to the world, or NULL. */
static const char *tile_world_fault(const terrain_world *world)
{
    if (world == NULL) {
        return "world is NULL";
    }
    return terrain__recipe_has_grown(world->given, world->given_values)
               ? "the recipe has changed since the world was made"
               : NULL;
}

/* Other threads may be reading inputs. */
static terrain_status tile_check_inputs(const struct tile *tile, const terrain_heightmap *map)
{
    const terrain_world *world = tile->world;
    for (uint32_t i = 0; i < world->input_count; i++) {
        if (terrain__heightmaps_overlap(world->inputs[i], map)) {
            return terrain__context_fail(tile->context, TERRAIN_ERROR_ALIAS,
                                         "%s: map overlaps input '%s'", tile->name,
                                         world->input_names[i]);
        }
    }
    return TERRAIN_SUCCESS;
}

/* A map beside the first one that is wanted, or the first itself. */
static terrain_status tile_check_map(const struct tile *tile, uint32_t first, uint32_t index)
{
    const terrain_heightmap *map = tile->maps[index], *like = tile->maps[first];
    if (map->read_only) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_ARGUMENT, "%s: map is const",
                                     tile->name);
    }
    if (map->width != like->width || map->height != like->height) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_ARGUMENT,
                                     "%s: maps[%" PRIu32 "] is %" PRIu32 "x%" PRIu32
                                     ", must be %" PRIu32 "x%" PRIu32 " as maps[%" PRIu32 "]",
                                     tile->name, index, map->width, map->height, like->width,
                                     like->height, first);
    }
    for (uint32_t i = first; i < index; i++) {
        if (tile->maps[i] != NULL && terrain__heightmaps_overlap(tile->maps[i], map)) {
            return terrain__context_fail(tile->context, TERRAIN_ERROR_ALIAS,
                                         "%s: maps[%" PRIu32 "] overlaps maps[%" PRIu32 "]",
                                         tile->name, index, i);
        }
    }
    return tile_check_inputs(tile, map);
}

static terrain_status tile_take_maps(struct tile *tile, int64_t x, int64_t y)
{
    terrain_status status = TERRAIN_SUCCESS;
    uint32_t first = 0;
    if (tile->maps == NULL) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_ARGUMENT, "%s: maps is NULL",
                                     tile->name);
    }
    if (tile->map_count > tile->world->output_count) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_ARGUMENT,
                                     "%s: count is %" PRIu32 ", the world shows %" PRIu32 " maps",
                                     tile->name, tile->map_count, tile->world->output_count);
    }
    while (first < tile->map_count && tile->maps[first] == NULL) {
        first++;
    }
    if (first == tile->map_count) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_ARGUMENT, "%s: %s", tile->name,
                                     tile->map_count == 1 ? "map is NULL" : "all maps are NULL");
    }
    for (uint32_t i = first; i < tile->map_count && status == TERRAIN_SUCCESS; i++) {
        status = tile->maps[i] != NULL ? tile_check_map(tile, first, i) : TERRAIN_SUCCESS;
    }
    return status == TERRAIN_SUCCESS
               ? tile_take_window(tile, x, y, tile->maps[first]->width, tile->maps[first]->height)
               : status;
}

static terrain_status tile_call(struct tile *tile, int64_t x, int64_t y)
{
    terrain_context *context = tile->context;
    const char *fault = tile_world_fault(tile->world);
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = fault == NULL ? tile_take_maps(tile, x, y)
                           : terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "%s: %s",
                                                   tile->name, fault);
    if (status == TERRAIN_SUCCESS) {
        tile->limit = tile->world->memory_limit;
        status = tile_visit(tile);
    }
    terrain__context_leave(context);
    return status;
}

terrain_status terrain_world_tile(terrain_context *context, terrain_world *world, int64_t x,
                                  int64_t y, terrain_heightmap *map)
{
    struct tile tile = {
        .world = world, .context = context, .name = "world_tile", .maps = &map, .map_count = 1};
    return tile_call(&tile, x, y);
}

terrain_status terrain_world_tile_maps(terrain_context *context, terrain_world *world, int64_t x,
                                       int64_t y, terrain_heightmap *const *maps, uint32_t count)
{
    struct tile tile = {.world = world,
                        .context = context,
                        .name = "world_tile_maps",
                        .maps = maps,
                        .map_count = count};
    return tile_call(&tile, x, y);
}

/* The cells of a window, unless the caller has done something wrong. */
static terrain_status tile_take(struct tile *tile, const terrain_window *window, const char *fault)
{
    if (fault != NULL) {
        return terrain__context_fail(tile->context, TERRAIN_ERROR_ARGUMENT, "%s: %s", tile->name,
                                     fault);
    }
    return tile_take_window(tile, window->x, window->y, window->width, window->height);
}

terrain_status terrain_world_prepare(terrain_context *context, terrain_world *world,
                                     const terrain_window *window)
{
    struct tile tile = {
        .world = world, .context = context, .name = "world_prepare", .prepares = true};
    const char *fault = window == NULL ? "window is NULL" : tile_world_fault(world);
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = tile_take(&tile, window, fault);
    if (status == TERRAIN_SUCCESS && world->cache_limit > 0) {
        const bool less = world->memory_limit > 0 && world->memory_limit < world->cache_limit;
        tile.limit = less ? world->memory_limit : world->cache_limit;
        tile.limits_blocks = !less;
        status = tile_visit(&tile);
    } else {
        status = terrain__context_end(context, status); /* nothing is kept */
    }
    terrain__context_leave(context);
    return status;
}

terrain_status terrain_world_tile_bytes(terrain_context *context, terrain_world *world,
                                        const terrain_window *window, uint64_t *kept,
                                        uint64_t *needed)
{
    struct tile tile = {.world = world, .context = context, .name = "world_tile_bytes"};
    uint64_t blocks = 0, all = 0;
    const char *fault = window == NULL                   ? "window is NULL"
                        : kept == NULL || needed == NULL ? "kept or needed is NULL"
                                                         : tile_world_fault(world);
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = tile_take(&tile, window, fault);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__tile_count_bytes(&tile, &blocks, &all);
    }
    if (status == TERRAIN_SUCCESS) {
        *kept = blocks;
        *needed = all;
    }
    terrain__context_leave(context);
    return status;
}
