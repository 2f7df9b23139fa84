/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Scores of a terrain as ground for a strategy game, after Olsen (Realtime Procedural Terrain
 * Generation, 2004): how clearly it divides into flats and cliffs, and how much of it units can
 * reach and build on.
 *
 *     terrain_score *score = NULL;
 *     terrain_score_create(NULL, NULL, &score);
 *     terrain_score_add(context, score, map, NULL);
 *     … terrain_score_erosion(score), terrain_score_playability(score) …
 *     terrain_score_destroy(score);
 *
 * The slope of a cell is the largest difference in height to its direct neighbours in the map, up
 * to four, divided by the cell size:
 *
 *     slope = max(|h - north|, |h - south|, |h - east|, |h - west|) / cell_size
 *
 * where each difference, and the quotient, is rounded to float. A cell whose slope is NaN or
 * infinite, because its height or a neighbour's is, counts as no ground: it is in no sum, and
 * neither accessible nor flat.
 *
 *   accessible   cells with slope <= unit_slope
 *   flat         cells with slope <= building_slope
 *   passable     cells within a square of unit_size x unit_size accessible cells
 *   reachable    the largest set of passable cells that are connected across edges
 *   buildable    reachable cells within a square of building_size x building_size flat cells
 *
 * Squares lie within the map. Of connected sets of equal size the one with more buildable cells
 * counts.
 *
 * A terrain may be added in tiles, in any order, and by several threads to objects that are merged
 * afterwards. All scores, also those of sets that cross tiles, are then the same, to the last bit,
 * as if the terrain had been added at once. For that each tile's map needs a ring of building_size
 * cells around the part that is counted, wherever the terrain goes on, and all tiles need the same
 * cell size.
 *
 * Thread-safety: one thread at a time for each object. */

#ifndef TERRAIN_SCORE_H
#define TERRAIN_SCORE_H

#include <terrain/context.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct terrain_score terrain_score;

typedef struct terrain_score_desc {
    uint32_t struct_size;
    uint32_t flags;
    float unit_slope;       /**< rise over run, 0 to 1e6; default 0.5, 27 degrees */
    float building_slope;   /**< rise over run, 0 to unit_slope; default 0.125, 7 degrees */
    uint32_t unit_size;     /**< cells, 1 to 64; default 1 */
    uint32_t building_size; /**< cells, unit_size to 64; default 9 */
} terrain_score_desc;

/** Writes the defaults; size is sizeof *desc. Errors: ARGUMENT. Since 0.1. */
TERRAIN_API terrain_status terrain_score_desc_init(terrain_score_desc *desc, size_t size);

/** Creates an object without cells. desc may be NULL for the defaults. Memory comes from the
 * context's allocator; the object copies the allocator, so it may outlive the context.
 * Errors: ARGUMENT (out is NULL; a desc that terrain_score_desc_init has not initialised); RANGE;
 * MEMORY; BUSY. On error *out is NULL. Since 0.1. */
TERRAIN_API terrain_status terrain_score_create(terrain_context *context,
                                                const terrain_score_desc *desc,
                                                terrain_score **out);

/** Frees the object. NULL is fine. */
TERRAIN_API void terrain_score_destroy(terrain_score *score);

/** Adds the cells of the map that lie in the window, which is in world coordinates; NULL means the
 * whole map. Cells around the window are read, as far as the map has them, but not counted. Takes
 * some forty times as long as a copy of the map; slopes are computed on the context's threads,
 * squares and sets on the calling thread. Reports progress, and can be cancelled, after about a
 * million cells of each of its steps.
 *
 * Needs 2 bytes for each cell while it runs, on rough land up to 6, and keeps some 4 bytes for each
 * cell of the window's rim. Errors: ARGUMENT (NULL; a window that overlaps one that was added
 * before); RANGE: a window that does not lie within the map; MEMORY; BUSY; CANCELLED; RUNNER. On
 * error the object is what it was. Since 0.1. */
TERRAIN_API terrain_status terrain_score_add(terrain_context *context, terrain_score *score,
                                             const terrain_heightmap *map,
                                             const terrain_window *window);

/** Adds the cells of `from` to `into`; `from` stays as it is.
 * Errors: ARGUMENT (NULL; both the same; different descs; windows that overlap); MEMORY. On error
 * both are what they were. Since 0.1. */
TERRAIN_API terrain_status terrain_score_merge(terrain_score *into, const terrain_score *from);

/** Numbers of cells: all added cells with a finite slope, and the sets defined above. 0 for
 * NULL. */
TERRAIN_API uint64_t terrain_score_count(const terrain_score *score);
TERRAIN_API uint64_t terrain_score_accessible(const terrain_score *score);
TERRAIN_API uint64_t terrain_score_flat(const terrain_score *score);
TERRAIN_API uint64_t terrain_score_reachable(const terrain_score *score);
TERRAIN_API uint64_t terrain_score_buildable(const terrain_score *score);

/** The erosion score: the standard deviation of the slopes divided by their mean, or 0 where the
 * mean is 0. Shifting or scaling the heights does not change it. Published values: 0.40 to 0.44 for
 * midpoint displacement and spectral synthesis, 0.32 to 0.35 for cellular noise, 0.66 after
 * perturbation, 0.9 to 2.5 after erosion. It is 1 for exponentially distributed slopes, which much
 * real land has. NaN without cells and for NULL. Computed from exact sums. */
TERRAIN_API double terrain_score_erosion(const terrain_score *score);

/** The mean slope, rise over run. NaN without cells and for NULL. */
TERRAIN_API double terrain_score_mean_slope(const terrain_score *score);

/** (reachable / count) * (buildable / count): 0 to 1. NaN without cells and for NULL. */
TERRAIN_API double terrain_score_playability(const terrain_score *score);

#ifdef __cplusplus
}
#endif

#endif
