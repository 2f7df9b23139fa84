/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The inside of a world: which statements are kept, and their blocks.
 *
 * A block is pinned by each tile that needs it. It is PENDING from the moment that a tile claims it
 * until that tile has computed it, then DONE and never written again. If its owner gives up, it is
 * ABANDONED: the next tile that needs it claims it. */

#ifndef TERRAIN_WORLD_WORLD_H
#define TERRAIN_WORLD_WORLD_H

#include "base/thread.h"
#include "recipe/plan.h"
#include "terrain/world.h"

/* Cells of a block's side. Small blocks waste less around a tile, large ones are found and copied
 * faster: of 16, 32, 64 and 128, 32 gave the best median for tiles of 128 and 256 cells; for 512 it
 * and 64 were close. Levels of a pyramid waste it level by level: with blocks of 16 the first tile
 * of generate_drainage took 1.2 times what it takes without blocks, with 32 it took 1.45 times;
 * later tiles did not care. */
enum { TERRAIN__WORLD_BLOCK = 32, TERRAIN__WORLD_LEVEL_BLOCK = 16 };

/* Chains of the table that finds blocks, at first; it doubles before there are half as many
 * blocks. */
enum { TERRAIN__WORLD_LEAST_TABLE = 256 };

enum { TERRAIN__BLOCK_PENDING, TERRAIN__BLOCK_DONE, TERRAIN__BLOCK_ABANDONED };

typedef struct terrain__world_block {
    struct terrain__world_block *next;          /* of the same chain of the table */
    struct terrain__world_block *newer, *older; /* among those that nobody has pinned */
    const void *owner;                          /* the tile that computes it; NULL: not PENDING */
    int64_t x, y;                               /* of the block, in blocks */
    uint32_t statement;
    uint32_t pins;
    uint32_t state;
    bool scheduled; /* the owner's note */
} terrain__world_block;

/* A call of terrain_world_tile or terrain_world_prepare that has begun. */
typedef struct terrain__world_visit {
    struct terrain__world_visit *next;
    terrain__thread_id thread;
} terrain__world_visit;

struct terrain_world {
    terrain_allocator allocator;
    terrain__arena arena; /* of the arrays up to the mutex */
    terrain_recipe_observer observer;
    const terrain_recipe *given;  /* the host's, */
    uint32_t given_values;        /* and its values when the world was made */
    const terrain_recipe *recipe; /* the host's, or `own` */
    terrain_recipe *own;          /* the host's, taken apart into levels; NULL: it has none */
    uint64_t seed;
    uint64_t cache_limit;
    uint64_t memory_limit;
    float cell_size;
    double scale;
    const char **input_names; /* the recipe's own */
    const terrain_heightmap **inputs;
    uint32_t input_count;
    uint32_t *outputs; /* the values that tiles show */
    uint32_t output_count;
    bool *cached;           /* of each statement: whether its maps are kept */
    uint32_t *plane_counts; /* of each statement: how many planes its blocks have */
    uint32_t *sides;        /* of each statement: cells of its blocks' sides */
    uint32_t *value_planes; /* of each value: its plane in its statement's blocks; NONE: not kept */
    uint32_t statement_count, value_count;

    terrain__mutex mutex;       /* guards all below, and the blocks, but for cells that are DONE */
    terrain__condition changed; /* a block is no longer PENDING */
    terrain__world_block **table;
    size_t table_size; /* a power of two */
    size_t block_count;
    uint64_t bytes;
    terrain__world_block *newest, *oldest;
    terrain__world_visit *visits;
};

/* Makes the recipe that the world works by, from a plan whose statements are marked, and turns
 * `count` values, what tiles show, into the new recipe's, where names can't be looked up. *out
 * stays NULL if that is the plan's own recipe. */
terrain_status terrain__world_take_apart(const terrain__recipe_plan *plan,
                                         const terrain_allocator *allocator, terrain_recipe **out,
                                         uint32_t *values, uint32_t count);

/* What the desc of a run in this world has in common for all its windows. */
void terrain__world_set_run(const terrain_world *world, terrain_recipe_run_desc *desc);

/* A plane of a block: as many rows as cells of the statement's side. */
float *terrain__world_cells(const terrain_world *world, terrain__world_block *block,
                            uint32_t plane);
/* The cell size of the plane, which resampling changes. */
float *terrain__world_cell_size(const terrain_world *world, terrain__world_block *block,
                                uint32_t plane);

/* Whether a kept statement's blocks are regions, which overlap. */
bool terrain__world_keeps_regions(const terrain_world *world, uint32_t statement);
/* The value whose map the last plane of such regions keeps: where no region knows anything of a
 * cell, the cell is as in that map. NONE: there are no such cells. */
uint32_t terrain__world_value_before(const terrain_world *world, uint32_t statement);
/* The blocks that hold these cells: the first of each direction and the one after the last. */
terrain__box terrain__world_blocks_of(const terrain_world *world, uint32_t statement,
                                      const terrain__box *cells);
/* The cells that a box of blocks holds. */
terrain__box terrain__world_cells_of(const terrain_world *world, uint32_t statement,
                                     const terrain__box *blocks);
/* Puts a value's map together, from blocks that are pinned and DONE. False: no memory. */
bool terrain__world_read(terrain_world *world, terrain__room *room, uint32_t value,
                         terrain_heightmap *to);
/* Fills a plane of blocks from a map that covers them. */
void terrain__world_write(terrain_world *world, uint32_t statement, const terrain__box *blocks,
                          uint32_t plane, const terrain_heightmap *from);

/* Bytes of a block of the statement. */
size_t terrain__world_block_size(const terrain_world *world, uint32_t statement);

/* False for a thread that is in this world already, in a callback: it could wait for blocks of its
 * own. */
bool terrain__world_begin_visit(terrain_world *world, terrain__world_visit *visit);
void terrain__world_end_visit(terrain_world *world, const terrain__world_visit *visit);

/* The functions below are called under the lock. */

/* The block, or NULL. */
terrain__world_block *terrain__world_find(const terrain_world *world, uint32_t statement, int64_t x,
                                          int64_t y);
/* Pins the block, and makes `owner` its owner if it would be nobody's. NULL: no memory. */
terrain__world_block *terrain__world_claim(terrain_world *world, uint32_t statement, int64_t x,
                                           int64_t y, const void *owner);
void terrain__world_unpin(terrain_world *world, terrain__world_block *block);
/* Frees unpinned blocks, oldest first, until `limit` holds. */
void terrain__world_evict(terrain_world *world, uint64_t limit);

#endif
