/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* stitch: joins neighbouring maps that were not made to fit.
 *
 * Maps that are windows of one world fit already, to the last bit, and need no stitching (see
 * recipe.h and world.h). Stitching is for maps from elsewhere, or for maps that were eroded one by
 * one. It hides small differences. Where erosion took a scoop out of one map and not out of its
 * neighbour, the cliff becomes a steep slope along the edge, and stays visible; to avoid that,
 * erode regions larger than the maps.
 *
 * All calls take a grid of maps of equal size: maps[row * columns + column], rows from north to
 * south, columns from west to east, at most TERRAIN_GRID_MAXIMUM. Neighbours share cells: with one
 * shared line of cells, 3 x 2 maps of 513 x 513 cells are a terrain of 1537 x 1025. The maps'
 * origins and cell sizes don't matter.
 *
 * All maps are read and written, in place, and each change follows from the maps as they were
 * before the call: the result does not depend on any order of maps. A second call changes
 * nothing. */

#ifndef TERRAIN_STITCH_H
#define TERRAIN_STITCH_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How a difference fades out from 0 to 1: f(0) = 1, f(1) = 0. */
typedef uint32_t terrain_stitch_curve;
enum {
    /** 1 - t^3 (t (6 t - 15) + 10): neither end has a kink nor curvature */
    TERRAIN_STITCH_CURVE_SMOOTHER = 0,
    /** 1 - t^2 (3 - 2 t): no kinks */
    TERRAIN_STITCH_CURVE_SMOOTH = 1,
    /** 1 - t */
    TERRAIN_STITCH_CURVE_LINEAR = 2
};

/* ---- stitch_blend -------------------------------------------------------------------------- */

typedef struct terrain_stitch_blend_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Columns and rows that neighbours share. Cells, 1 to 65536; default 1. */
    uint32_t overlap;
    /** How the weight changes across the overlap. Default SMOOTHER. */
    terrain_stitch_curve curve;
} terrain_stitch_blend_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_stitch_blend_params_init(terrain_stitch_blend_params *params,
                                                            size_t size);

/** Blends maps that overlap by `overlap` cells: each fades into the other across the whole overlap.
 * Afterwards shared cells are equal, to the last bit, in all maps that share them; other cells are
 * not written. Cells that are equal in all maps stay as they are.
 *
 * Where two unrelated terrains are blended, the mean is softer than either: the overlap shows as a
 * smooth band.
 *
 * Reads and writes all of `maps`. NaN and infinity spread to the cells that share their place.
 * Needs memory for `overlap` weights. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply_grid; RANGE if overlap is more than a map has cells in
 * that direction, or, where a map has neighbours on both sides, more than half of them.
 * Since 0.1.
 *
 * Definition. The last `overlap` columns of a map and the first ones of its eastern neighbour are
 * the same cells of the terrain, and become
 *
 *     f(t) west + f(1 - t) east,   t = i / (overlap - 1) in column i = 0 to overlap - 1
 *
 * and 1/2 (west + east) where overlap is 1; the same holds from north to south. Where four maps
 * overlap, each counts with the product of its weight along x and its weight along y. */
TERRAIN_API terrain_status terrain_stitch_blend(terrain_context *context,
                                                terrain_heightmap *const *maps, uint32_t columns,
                                                uint32_t rows,
                                                const terrain_stitch_blend_params *params);

/* ---- stitch_edges -------------------------------------------------------------------------- */

typedef struct terrain_stitch_edges_params {
    uint32_t struct_size;
    uint32_t flags;
    /** How far into each map the difference at an edge is carried; 1: the edge alone. Cells, 1 to
     * 65536; default 32. */
    uint32_t width;
    /** How the difference fades out with distance. Default SMOOTHER. */
    terrain_stitch_curve curve;
} terrain_stitch_edges_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_stitch_edges_params_init(terrain_stitch_edges_params *params,
                                                            size_t size);

/** Makes shared edges equal, and lets the difference fade out in a skirt inside each map.
 * Neighbours share one line of cells: a map's last column is its eastern neighbour's first column,
 * and its last row is its southern neighbour's first row. Only cells within width - 1 cells of a
 * shared edge change. Edges that are equal already change nothing. For each edge in reach a slope
 * grows by at most 1.875 / 2 times the difference divided by width, and by less with the other
 * curves.
 *
 * If a map has fewer than width + 1 cells in a direction, its skirts end before the opposite edge:
 * width then counts as the number of cells minus 1.
 *
 * Reads and writes all of `maps`. A shared cell that is NaN or infinite in one map becomes NaN or
 * infinite in all maps that share it, by ordinary arithmetic; its difference is not carried into
 * the skirts, so holes don't grow.
 * Memory: 12 bytes for each cell of a shared edge. The last pass, over the skirts alone, can't be
 * cancelled. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply_grid; RANGE for maps of one cell in a direction in which
 * they have neighbours. Not promised: the same bits after rotations where skirts cross. Since 0.1.
 *
 * Definition. Let p(d) = f(d / width) for d < width, otherwise 0. First the corners: where four
 * maps meet, the cell becomes the mean of the four. Then the edges: a cell that two maps share,
 * with the heights a and b, becomes
 *
 *     (a + b) / 2 + p(t) c + p(t') c'
 *
 * where t and t' are its distances in cells from the two ends of the edge, and c and c' are the
 * differences at these ends between the corner's height and (a + b) / 2; 0 at an end where no four
 * maps meet. Then the inside of each map: let x, x', y, y' be the distances from its western,
 * eastern, northern and southern edge, and W, E, N, S the amounts that were added to these edges (0
 * for an edge that is not shared). Then
 *
 *     h' = h + p(x) W(y) + p(x') E(y) + p(y) N(x) + p(y') S(x) - (corners)
 *
 * where (corners) subtracts, for each corner of the map at which four maps meet, the amount that
 * was added to that corner, since the sum counts it twice: p(x) p(y) W(0) in the north-west, and so
 * on. */
TERRAIN_API terrain_status terrain_stitch_edges(terrain_context *context,
                                                terrain_heightmap *const *maps, uint32_t columns,
                                                uint32_t rows,
                                                const terrain_stitch_edges_params *params);

/* ---- stitch_match -------------------------------------------------------------------------- */

typedef struct terrain_stitch_match_params {
    uint32_t struct_size;
    uint32_t flags;
    /** How far into each map the difference of heights at an edge is carried. Cells, 2 to 65536;
     * default 32. */
    uint32_t width;
    /** How far the difference of slopes is carried. Cells, 2 to 65536; default 8. */
    uint32_t bend;
} terrain_stitch_match_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_stitch_match_params_init(terrain_stitch_match_params *params,
                                                            size_t size);

/** Makes shared edges equal as terrain_stitch_edges does (with SMOOTHER), and makes the slopes
 * across them equal, too: normals that are computed from each map alone agree along the seam, so
 * lighting shows no line.
 *
 * Beware of rough maps: the slope difference at each cell of the edge is spread `bend` cells far
 * into the map, and a seam without any curvature can itself be visible. Smooth maps gain most.
 *
 * Borders, NaN and memory as for terrain_stitch_edges, but 28 bytes for each cell of a shared edge;
 * an inner line is NaN where a height in its formula is NaN. In small maps width and bend count as
 * at most the number of cells minus 2.
 * Errors: those of terrain_operation_apply_grid; RANGE for maps of less than four cells in a
 * direction in which they have neighbours. Since 0.1.
 *
 * Definition. Let a and b be the heights of a shared cell in the two maps, and a1 and b1 the
 * heights of the next cells inwards, across the edge. The four become
 *
 *     a, b: m = (a + b) / 2    a1: m - s    b1: m + s,   s = ((a - a1) + (b1 - b)) / 2
 *
 * Where four maps meet this is done to the 4 x 4 cells along x, and then to the result along y. The
 * changes of a map's two outer lines of cells are carried inwards by p0 and p1, in both directions,
 * as stitch_edges carries the change of one line by p; and in the same way along edges from their
 * ends:
 *
 *     p1(d) = q(d / bend) / q(1 / bend),  q(t) = t (1 - t)^3 (1 + 3 t) for t < 1, otherwise 0
 *     p0(d) = p(d) - p(1) p1(d)
 *
 * so that p0 is 1 and 0 on the two lines, and p1 is 0 and 1. q is the quintic with slope 1 at 0 and
 * neither slope nor curvature at 1.
 *
 * A seam whose heights are equal already, with |a1 + b1 - 2 m| <= 2^-21 max(|a1|, |b1|, |m|),
 * counts as matched: rounding alone changes nothing. */
TERRAIN_API terrain_status terrain_stitch_match(terrain_context *context,
                                                terrain_heightmap *const *maps, uint32_t columns,
                                                uint32_t rows,
                                                const terrain_stitch_match_params *params);

/* ---- Seams, measured ------------------------------------------------------------------------ */

/** How well neighbours fit. Later versions may append fields. */
typedef struct terrain_seams {
    uint32_t struct_size;
    uint32_t flags; /**< the tag of terrain_seams_init */
    /** How many shared cells were compared. */
    uint64_t cells;
    /** The greatest difference between two heights of one shared cell. */
    double worst_step;
    /** The greatest difference between the two slopes, in height per cell, on the two sides of a
     * line where one of the maps ends. */
    double worst_kink;
    /** The mean of |h(-1) - 2 h(0) + h(1)| across those lines, with h(0) taken from one map and
     * from the other, so a step makes it large. */
    double seam_curvature;
    /** The same mean over all cells inside the maps, in the same directions. */
    double inside_curvature;
    /** seam_curvature / inside_curvature: 1 where the seam looks like the rest, more where it
     * shows; 1 where both are 0, and infinite where only the second is 0. */
    double ratio;
} terrain_seams;

/** Writes zeros and the tag; size is sizeof *seams. Errors: ARGUMENT. Since 0.2. */
TERRAIN_API terrain_status terrain_seams_init(terrain_seams *seams, size_t size);

/** Measures how well the maps of a grid fit together. Neighbours share `overlap` lines of cells, 1
 * for stitched edges. With more than one shared line there are two lines where a map ends, one for
 * each of the two maps. Cells that are not finite are left out, and so are lines at which a map has
 * no cell beyond the overlap; means of nothing are 0. Only reads; sums are in double, in a fixed
 * order. Needs no memory, runs on the calling thread, and cannot be cancelled.
 *
 * Errors: ARGUMENT (NULL, an empty grid, unequal sizes, a struct that terrain_seams_init has not
 * initialised); RANGE (too many maps; overlap 0, or larger than a map in a direction with
 * neighbours); BUSY. Since 0.1. */
TERRAIN_API terrain_status terrain_seams_measure(terrain_context *context,
                                                 const terrain_heightmap *const *maps,
                                                 uint32_t columns, uint32_t rows, uint32_t overlap,
                                                 terrain_seams *seams);

#ifdef __cplusplus
}
#endif

#endif
