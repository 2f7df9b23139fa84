/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The blocks of a world: a hash table of chains, and a list of those that nobody uses, in the order
 * in which they were last used; and who is in the world. */

#include <string.h>

#include "vector/random.h"
#include "world/world.h"

/* Cells begin at a cache line. */
#define CACHE_HEADER                                                                               \
    ((sizeof(terrain__world_block) + TERRAIN__ALIGNMENT - 1) / TERRAIN__ALIGNMENT *                \
     TERRAIN__ALIGNMENT)

/* Cells of a plane. */
static size_t cache_cells(const terrain_world *world, uint32_t statement)
{
    return (size_t)world->sides[statement] * world->sides[statement];
}

float *terrain__world_cells(const terrain_world *world, terrain__world_block *block, uint32_t plane)
{
    return (float *)(void *)((char *)block + CACHE_HEADER) +
           plane * cache_cells(world, block->statement);
}

float *terrain__world_cell_size(const terrain_world *world, terrain__world_block *block,
                                uint32_t plane)
{
    return terrain__world_cells(world, block, world->plane_counts[block->statement]) + plane;
}

size_t terrain__world_block_size(const terrain_world *world, uint32_t statement)
{
    return CACHE_HEADER +
           world->plane_counts[statement] * (cache_cells(world, statement) + 1) * sizeof(float);
}

/* ---- The table ------------------------------------------------------------------------------- */

static size_t cache_chain(const terrain_world *world, uint32_t statement, int64_t x, int64_t y)
{
    uint64_t hash = terrain__mix(terrain__mix(statement, (uint64_t)y), (uint64_t)x);
    return (size_t)(hash & (world->table_size - 1));
}

static void cache_insert(terrain_world *world, terrain__world_block *block)
{
    size_t chain = cache_chain(world, block->statement, block->x, block->y);
    block->next = world->table[chain];
    world->table[chain] = block;
}

/* Twice as many chains as blocks, if there is memory; it works without, slower. */
static void cache_grow(terrain_world *world)
{
    size_t old_size = world->table_size;
    size_t size = old_size > 0 ? old_size * 2 : TERRAIN__WORLD_LEAST_TABLE;
    terrain__world_block **old = world->table;
    terrain__world_block **table;
    if (world->block_count * 2 < old_size || size > SIZE_MAX / 2 / sizeof(*table)) {
        return;
    }
    table = terrain__allocate(&world->allocator, size * sizeof(*table), TERRAIN__ALIGNMENT);
    if (table == NULL) {
        return;
    }
    memset(table, 0, size * sizeof(*table));
    world->table = table;
    world->table_size = size;
    for (size_t i = 0; i < old_size; i++) {
        while (old[i] != NULL) {
            terrain__world_block *block = old[i];
            old[i] = block->next;
            cache_insert(world, block);
        }
    }
    terrain__free(&world->allocator, old, old_size * sizeof(*old));
}

terrain__world_block *terrain__world_find(const terrain_world *world, uint32_t statement, int64_t x,
                                          int64_t y)
{
    terrain__world_block *block = NULL;
    if (world->table_size > 0) {
        block = world->table[cache_chain(world, statement, x, y)];
    }
    while (block != NULL && (block->statement != statement || block->x != x || block->y != y)) {
        block = block->next;
    }
    return block;
}

/* ---- Blocks that nobody uses ----------------------------------------------------------------- */

static void cache_enlist(terrain_world *world, terrain__world_block *block)
{
    block->newer = NULL;
    block->older = world->newest;
    if (world->newest != NULL) {
        world->newest->newer = block;
    } else {
        world->oldest = block;
    }
    world->newest = block;
}

static void cache_delist(terrain_world *world, terrain__world_block *block)
{
    if (block->newer != NULL) {
        block->newer->older = block->older;
    } else {
        world->newest = block->older;
    }
    if (block->older != NULL) {
        block->older->newer = block->newer;
    } else {
        world->oldest = block->newer;
    }
}

/* Takes a block that is in no list out of the table. */
static void cache_remove(terrain_world *world, const terrain__world_block *block)
{
    terrain__world_block **link =
        &world->table[cache_chain(world, block->statement, block->x, block->y)];
    while (*link != block) {
        link = &(*link)->next;
    }
    *link = block->next;
    world->bytes -= terrain__world_block_size(world, block->statement);
    world->block_count--;
}

static void cache_free(terrain_world *world, terrain__world_block *block)
{
    terrain__free(&world->allocator, block, terrain__world_block_size(world, block->statement));
}

/* Takes out the block that nobody has used for longest. */
static terrain__world_block *cache_pop(terrain_world *world)
{
    terrain__world_block *block = world->oldest;
    cache_delist(world, block);
    cache_remove(world, block);
    return block;
}

void terrain__world_evict(terrain_world *world, uint64_t limit)
{
    while (world->bytes > limit && world->oldest != NULL) {
        cache_free(world, cache_pop(world));
    }
}

/* Makes room for `size` more bytes within the limit. The memory of a dropped block of that size:
 * the last one to go, since all were within the limit while there was one that nobody used. NULL:
 * there was none. */
static terrain__world_block *cache_make_room(terrain_world *world, size_t size)
{
    while (world->bytes + size > world->cache_limit && world->oldest != NULL) {
        terrain__world_block *block = cache_pop(world);
        if (terrain__world_block_size(world, block->statement) == size) {
            return block;
        }
        cache_free(world, block);
    }
    return NULL;
}

/* ---- Pins ------------------------------------------------------------------------------------ */

static terrain__world_block *cache_add(terrain_world *world, uint32_t statement, int64_t x,
                                       int64_t y)
{
    size_t size = terrain__world_block_size(world, statement);
    terrain__world_block *block;
    cache_grow(world);
    if (world->table_size == 0) {
        return NULL;
    }
    block = cache_make_room(world, size);
    if (block == NULL) {
        block = terrain__allocate(&world->allocator, size, TERRAIN__ALIGNMENT);
    }
    if (block == NULL) {
        terrain__world_evict(world, 0);
        block = terrain__allocate(&world->allocator, size, TERRAIN__ALIGNMENT);
    }
    if (block == NULL) {
        return NULL;
    }
    memset(block, 0, sizeof *block);
    block->statement = statement;
    block->x = x;
    block->y = y;
    block->state = TERRAIN__BLOCK_ABANDONED;
    cache_insert(world, block);
    world->bytes += size;
    world->block_count++;
    return block;
}

terrain__world_block *terrain__world_claim(terrain_world *world, uint32_t statement, int64_t x,
                                           int64_t y, const void *owner)
{
    terrain__world_block *block = terrain__world_find(world, statement, x, y);
    if (block == NULL) {
        block = cache_add(world, statement, x, y);
        if (block == NULL) {
            return NULL;
        }
    } else if (block->pins == 0) {
        cache_delist(world, block);
    }
    block->pins++;
    if (block->state == TERRAIN__BLOCK_ABANDONED) {
        block->state = TERRAIN__BLOCK_PENDING;
        block->owner = owner;
        block->scheduled = false;
    }
    return block;
}

void terrain__world_unpin(terrain_world *world, terrain__world_block *block)
{
    if (--block->pins > 0) {
        return;
    }
    if (block->state == TERRAIN__BLOCK_DONE) {
        cache_enlist(world, block);
        terrain__world_evict(world, world->cache_limit);
    } else {
        cache_remove(world, block);
        cache_free(world, block);
    }
}

/* ---- Visits ---------------------------------------------------------------------------------- */

bool terrain__world_begin_visit(terrain_world *world, terrain__world_visit *visit)
{
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
    return !inside;
}

void terrain__world_end_visit(terrain_world *world, const terrain__world_visit *visit)
{
    terrain__world_visit **link = &world->visits;
    terrain__mutex_lock(&world->mutex);
    while (*link != visit) {
        link = &(*link)->next;
    }
    *link = visit->next;
    terrain__mutex_unlock(&world->mutex);
}
