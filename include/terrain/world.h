/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The world: an endless terrain that is computed tile by tile.
 *
 *     terrain_world_desc desc;
 *     terrain_world_desc_init(&desc, sizeof desc);
 *     desc.recipe = recipe;
 *     desc.seed = 42;
 *     terrain_world_create(context, &desc, &world);
 *     … on any thread, each with a context of its own:
 *     terrain_world_tile(context, world, x, y, map);
 *
 * A tile has the same bits that terrain_recipe_run with TERRAIN_RECIPE_WORLD gives for that window.
 * So tiles fit, whatever their sizes, and in whatever order and on whatever threads they are
 * computed.
 *
 * A world adds a cache to the recipe. Statements that read neighbouring cells need a window larger
 * than the tile, and the windows of neighbouring tiles overlap. So the world keeps some maps, in
 * blocks of world cells: maps that are read 64 cells or more beyond the tile, and maps that several
 * such maps are made from. It also keeps the coarse levels of terrain_generate_drainage, which all
 * tiles share, and the regions of operations that follow water (terrain_shape_fill tells what these
 * are), 4 MiB for each map that one makes: give a world with regions a large cache_bytes. Above a
 * limit the least recently used blocks are dropped, and computed again when they are needed: the
 * limit affects time, never results. Tiles themselves are not kept.
 *
 * An `input` of the recipe is a map of the host's, whose origin says where it lies. It has an edge:
 * a tile that reads beyond it is refused.
 *
 * Thread-safety: any number of threads may use a world at once, each with a context of its own;
 * only terrain_world_destroy needs it for itself. A block that two calls need is computed once: the
 * second call waits, and computes the block itself if the first is cancelled or fails. So a runner
 * or a progress callback must not ask for a tile (of the same world that returns BUSY, of several
 * worlds calls may wait for each other for ever), nor wait for another thread that asks for one: a
 * runner whose wait helps with other jobs must not take up one that asks for tiles. */

#ifndef TERRAIN_WORLD_H
#define TERRAIN_WORLD_H

#include <terrain/recipe.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_world terrain_world;

typedef struct terrain_world_desc {
    uint32_t struct_size;
    uint32_t flags; /**< the tag of terrain_world_desc_init */
    /** The world's seed: every `seed` of the recipe becomes mix(this, seed); 0 leaves them as they
     * are. */
    uint64_t seed;
    /** How many bytes are kept between tiles at most; default 64 MiB; may be 0. */
    uint64_t cache_bytes;
    /** How many bytes a tile may need while it is computed, including the blocks that it uses, but
     * not its map. If it would need more, it is refused before anything is computed. 0, the
     * default, means no limit. */
    uint64_t memory_limit;
    const terrain_recipe *recipe; /**< not copied: must outlive the world, and stay as it is */
    /** The map that tiles show; NULL: the recipe's result. Used by terrain_world_create alone. */
    const char *name;
    /** Memory for the world and its cache. It is called under the world's lock, by one thread at a
     * time, so it need not be thread-safe, unless another world, a context or the host uses the
     * same `user`; it must not call the library. The memory that a tile needs while it is computed
     * comes from its context's allocator. */
    terrain_allocator allocator;
    /** Called after each statement has been computed, on the thread that asked for the tile, so it
     * may be called on several threads at once. No lock is held. */
    terrain_recipe_observer observer;
    /** The cell size of generated maps, in units of height. From 1e-6 to 1e9; default 1. */
    float cell_size;
    uint32_t input_count; /**< Since 0.2; reserved before. */
    /** A cell stands for 1/scale cells of the recipe, and the cell size becomes cell_size / scale:
     * see terrain_recipe_run_desc. From 2^-16 to 2^16; default 1. Since 0.2. */
    double scale;
    /** The names of input_count inputs, all of which the recipe must declare, and the map for
     * each. The maps are not copied: they must outlive the world, and stay as they are. The arrays
     * and the names are used by terrain_world_create alone.
     *
     * An input is read cell by cell. Its cells and its origin are those of this world, each cell
     * for 1/scale cells of the recipe; or, where a parameter takes it as a coarse map, those of
     * that parameter's lattice. So resample a map made for scale 1 to the scale that
     * terrain_recipe_map_scale returns; a map at another scale is not noticed. An input keeps its
     * own cell size, and maps that start from it have that, too: it is not compared with
     * `cell_size`. Since 0.2. */
    const char *const *input_names;
    const terrain_heightmap *const *inputs;
    /** The names of output_count maps that tiles show, NULL for the recipe's result: heights, say,
     * and masks that go with them. terrain_world_tile_maps computes them together. `name` must then
     * be NULL. A count of 0 means the one map `name`. The array and the names are used by
     * terrain_world_create alone. Since 0.2. */
    const char *const *output_names;
    uint32_t output_count;
    uint32_t reserved_end;
} terrain_world_desc;

/** Writes the defaults; the recipe is still missing. size is sizeof *desc. Errors: ARGUMENT. */
TERRAIN_API terrain_status terrain_world_desc_init(terrain_world_desc *desc, size_t size);

/** Makes a world. The context is used for this call alone.
 * Errors: ARGUMENT (NULL; a desc that was not initialised; one half of an allocator; no such map;
 * `name` beside outputs; an input that is missing, that the recipe does not declare or that is
 * given twice); RANGE (cell_size, scale); UNSUPPORTED: the map can't be computed for every window
 * of an endless world, because a statement is global or lacks its frame
 * (terrain_recipe_check_world); the message names the statement; MEMORY; SYSTEM if the system has
 * no more locks; BUSY. On error *out is NULL. */
TERRAIN_API terrain_status terrain_world_create(terrain_context *context,
                                                const terrain_world_desc *desc,
                                                terrain_world **out);

/** Frees the world and its cache. NULL is fine. No call may be using it, nor one that was cancelled
 * and has not returned yet: let the last of its users call this, on any thread. Maps stay. */
TERRAIN_API void terrain_world_destroy(terrain_world *world);

/** Computes a tile: the window of the world whose first cell is (x, y), with the map's size. Writes
 * the map's cells, cell size and origin, all at the end: on any error, and when cancelled, the map
 * is what it was.
 *
 * Tiles may have any size, and may overlap. Tiles whose size is a multiple of 32 cells, at
 * multiples of their size, waste the least work. Memory, besides the cache, grows with the tile and
 * with the window that the recipe needs around it. Progress goes once from 0 to 1. A call can also
 * be cancelled while it waits for another thread; it looks every few milliseconds. Errors: ARGUMENT
 * (NULL, a const map, a recipe that was added to since the world was made); ALIAS (the map overlaps
 * an input); RANGE: the tile, or a window that it needs (blocks are always computed whole), leaves
 * the world, which ends 2^62 cells from the origin, or an input, which the message names with the
 * cells that it covers and those that are needed; MEMORY (above memory_limit the message names the
 * statement that needs most, its window, and the bytes that the whole tile takes: a limit that
 * would do; contexts with a runner need more than those without), RUNNER, CANCELLED, and the errors
 * of the operations, with the statement's line and name before the message; BUSY: the context is in
 * use, or this thread is computing a tile of this world already. A call never returns the error of
 * another call. */
TERRAIN_API terrain_status terrain_world_tile(terrain_context *context, terrain_world *world,
                                              int64_t x, int64_t y, terrain_heightmap *map);

/** Computes several maps of one tile, and what they have in common once: maps[i] gets the world's
 * output i, for i < count, the window of that map whose first cell is (x, y). Where maps[i] is
 * NULL, and for outputs from `count` on, nothing is made that only they need. terrain_world_tile
 * is this call with a count of 1. All maps are written at the end: on any error, and when
 * cancelled, all are what they were. Errors: those of terrain_world_tile; ARGUMENT (no map at
 * all, more maps than outputs, maps of several sizes); ALIAS (two maps overlap). Since 0.2. */
TERRAIN_API terrain_status terrain_world_tile_maps(terrain_context *context, terrain_world *world,
                                                   int64_t x, int64_t y,
                                                   terrain_heightmap *const *maps, uint32_t count);

/** Fills the cache ahead of time: computes and keeps all blocks that tiles inside the window will
 * read from the cache, but makes no tile. Tiles then compute only their own cells, so none of them
 * takes much longer than the others. For terrain_generate_drainage the blocks are the coarse
 * levels: a tile of 512 x 512 then takes about a third of the time. For operations on regions they
 * are the regions: a tile of 512 x 512 that finds them takes a few milliseconds, one that has
 * to make them takes fifty times as long or more.
 *
 * Call it on a thread of its own, or strip by strip, for the part of the world where you will ask
 * for tiles next. One call for a large window takes less time than many calls for its parts, but a
 * tile that needs the same blocks waits for it. Blocks that are in the cache already are not
 * computed again, but count as just used. It is no error if there is nothing to prepare, as in a
 * world of pointwise statements or with cache_bytes 0.
 *
 * Cancelling, progress and threads are as with terrain_world_tile. A call that fails or is
 * cancelled keeps the blocks that it has computed.
 * Errors: ARGUMENT (NULL, a recipe that was added to); RANGE (an empty window; a window that leaves
 * the world or an input, or needs a window that does); MEMORY: it would keep more than
 * cache_bytes, or need more than memory_limit (the message names the lower of the two), and nothing
 * was computed; MEMORY, RUNNER, CANCELLED, BUSY and those of the operations, as with
 * terrain_world_tile. Since 0.2. */
TERRAIN_API terrain_status terrain_world_prepare(terrain_context *context, terrain_world *world,
                                                 const terrain_window *window);

/** Computes how many bytes a tile takes if it shows all maps of the world and nothing is kept yet:
 * *kept for the blocks that it reads, and *needed for all, these blocks included, but not its maps.
 * So with a cache_bytes of *kept terrain_world_prepare can keep what the window reads, and a
 * memory_limit of *needed allows the tile and its preparing. Asked for a window of all that a
 * player sees at once, *kept says how large cache_bytes should be.
 *
 * Computes no cell, takes some microseconds, and does not depend on what is kept now, nor on the
 * world's limits. The size of the window counts, and by a block or two where it lies. *needed is
 * for contexts with a runner if this one has one, else for those without. Where the blocks alone
 * take 2^38 bytes or more, both are lower bounds.
 * Errors: ARGUMENT (NULL, a recipe that was added to); RANGE, as with terrain_world_prepare;
 * MEMORY; BUSY. On error both are what they were. Since 0.2. */
TERRAIN_API terrain_status terrain_world_tile_bytes(terrain_context *context, terrain_world *world,
                                                    const terrain_window *window, uint64_t *kept,
                                                    uint64_t *needed);

/** Frees all cached blocks that no call is using. NULL is fine. */
TERRAIN_API void terrain_world_trim(terrain_world *world);

/** How many bytes the cached blocks take now; more than the limit only while calls use them. 0 for
 * NULL. */
TERRAIN_API uint64_t terrain_world_cache_size(terrain_world *world);

#ifdef __cplusplus
}
#endif

#endif
