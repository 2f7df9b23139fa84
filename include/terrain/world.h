/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The world: an endless terrain, given out in tiles.
 *
 *     terrain_world_desc desc;
 *     terrain_world_desc_init(&desc, sizeof desc);
 *     desc.recipe = recipe;
 *     desc.seed = 42;
 *     terrain_world_create(context, &desc, &world);
 *     … on any thread, each with a context of its own:
 *     terrain_world_tile(context, world, x, y, map);
 *
 * A tile has the bits that terrain_recipe_run with TERRAIN_RECIPE_WORLD gives for that window:
 * tiles fit, whatever their sizes, in whatever order and on whatever thread they were asked for.
 *
 * What a world adds is a cache. Statements that look at neighbours need more of their inputs than
 * the tile; what lies around one tile lies in the next. So maps that are read from afar (64 cells
 * around the tile, or more), or by several that are, are kept in blocks of world cells, up to a
 * limit, and the least recently used are dropped first; so are the coarse levels of
 * terrain_generate_drainage, which all tiles share. Dropped blocks are computed again: the limit
 * decides about time, never about results. Tiles themselves, and what is not worth keeping, are not
 * kept.
 *
 * Thread-safety: terrain_world_tile, terrain_world_trim and terrain_world_cache_size may be called
 * from any number of threads at once. A block that two of them need is computed once: the second
 * waits, and computes it itself if the first is cancelled or fails. So a runner or a progress
 * callback can't have a tile of the same world (on the thread that asked for the tile it gets
 * BUSY), and must not wait for another thread that asks for one. */

#ifndef TERRAIN_WORLD_H
#define TERRAIN_WORLD_H

#include <terrain/recipe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_world terrain_world;

typedef struct terrain_world_desc {
    uint32_t struct_size;
    uint32_t flags;       /**< the tag of terrain_world_desc_init */
    uint64_t seed;        /**< every `seed` becomes mix(this, seed); 0 leaves them as they are */
    uint64_t cache_bytes; /**< most that is kept between tiles; default 64 MiB; may be 0 */
    /** Bytes that a tile may take while it is computed, with the blocks that it uses, beside its
     * map: it is refused before anything is computed if it would need more. 0, the default: no
     * limit. */
    uint64_t memory_limit;
    const terrain_recipe *recipe; /**< not copied: must outlive the world, and stay as it is */
    const char *name;             /**< the map that tiles show; NULL: the recipe's result */
    /** Of the world and its cache. Called under the world's lock, by one thread at a time, so that
     * it need not be thread-safe; it must not call the library. What a tile needs while it is
     * computed comes from the allocator of its context. */
    terrain_allocator allocator;
    /** Told of each statement that was computed, and where, on the thread that asked for the tile:
     * on several at once. No lock is held. */
    terrain_recipe_observer observer;
    float cell_size; /**< in units of height; default 1; from 1e-6 to 1e9 */
    uint32_t reserved;
    /** A cell stands for 1/scale cells of the recipe: see terrain_recipe_run_desc. From 2^-16 to
     * 2^16; default 1. Since 0.2. */
    double scale;
} terrain_world_desc;

/** Writes the defaults; the recipe is still missing. size is sizeof *desc. Errors: ARGUMENT. */
TERRAIN_API terrain_status terrain_world_desc_init(terrain_world_desc *desc, size_t size);

/** Makes a world. The context is used for this call alone.
 * Errors: ARGUMENT (NULL; an untagged desc; one half of an allocator; no such map); RANGE
 * (cell_size, scale); UNSUPPORTED: the map can't be had for any window of an endless world, because
 * a statement is global or lacks its frame (terrain_recipe_check_world), or because the map comes
 * from an `input`, which has an edge; the message names the statement; MEMORY; SYSTEM if there is
 * no lock to be had; BUSY. On error *out is NULL. */
TERRAIN_API terrain_status terrain_world_create(terrain_context *context,
                                                const terrain_world_desc *desc,
                                                terrain_world **out);

/** Frees the world and its cache. NULL is fine. No call may be using it. Maps stay. */
TERRAIN_API void terrain_world_destroy(terrain_world *world);

/** Computes the window of the world whose first cell is (x, y), in cells, and whose size is the
 * map's. Writes the map's cells, cell size and origin, at the end: on any error, and on cancel, it
 * is what it was.
 *
 * Tiles may have any size and overlap; whole multiples of 32 cells, at multiples of their size,
 * waste the least. Memory, beyond the cache, grows with the tile and with what the recipe needs
 * around it. Progress runs once from 0 to 1; while it waits for another thread, a call looks for
 * cancelling every few milliseconds.
 * Errors: ARGUMENT (NULL, a const map); RANGE: the tile, or what it needs, leaves the world, which
 * ends 2^62 cells from the origin; blocks are always computed whole; MEMORY (above memory_limit the
 * message names the statement that needs most, its window and the bytes), RUNNER, CANCELLED, and
 * those of the operations, with the statement's line and name before the message; BUSY: the context
 * is in use, or the thread is in this function already, for this world. An error of another call is
 * never returned. */
TERRAIN_API terrain_status terrain_world_tile(terrain_context *context, terrain_world *world,
                                              int64_t x, int64_t y, terrain_heightmap *map);

/** Readies what lies ahead: computes and keeps all that tiles inside the window read from the
 * cache, as if they had been asked for, but makes no tile. Tiles then compute their own cells
 * alone, so that none of them takes much longer than the others. Of terrain_generate_drainage those
 * are the coarse levels: a tile of 512 x 512 takes about a third of what it takes without.
 *
 * Call it on a thread of its own, or a strip at a time, ahead of where tiles are asked for next:
 * one call for a large window takes less than many for its parts, but a tile that needs the same
 * blocks waits for it. What is kept already is not computed again, but counts as used just now.
 * Nothing to prepare, as in a world of pointwise statements or with cache_bytes 0, is no error.
 *
 * Cancelling, progress and threads are as with terrain_world_tile. A call that fails or is
 * cancelled keeps what it has computed.
 * Errors: ARGUMENT (NULL); RANGE (a window without cells; one that, or what it needs, leaves the
 * world); MEMORY: it would keep more than cache_bytes, or take more than memory_limit, of which the
 * message names the lower; nothing was computed; MEMORY, RUNNER, CANCELLED, BUSY and those of the
 * operations, as with terrain_world_tile. Since 0.2. */
TERRAIN_API terrain_status terrain_world_prepare(terrain_context *context, terrain_world *world,
                                                 const terrain_window *window);

/** Frees all cached blocks that no call is using. NULL is fine. */
TERRAIN_API void terrain_world_trim(terrain_world *world);

/** Bytes of the blocks that exist now. More than the limit only while calls use them. 0 for
 * NULL. */
TERRAIN_API uint64_t terrain_world_cache_size(terrain_world *world);

#ifdef __cplusplus
}
#endif

#endif
