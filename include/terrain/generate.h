/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate: overwrites every cell and reads none. */

#ifndef TERRAIN_GENERATE_H
#define TERRAIN_GENERATE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- generate_diamond_square --------------------------------------------------------------- */

/** Which points the middle of an edge is the mean of. */
typedef uint32_t terrain_generate_diamond_square_mode;
enum {
    /** the edge's two ends and the centres on both sides of it */
    TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_DIAMOND4 = 0,
    /** the two ends: "midpoint displacement", more creased */
    TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_EDGE2 = 1
};

/** Of random heights; both have mean 0 and variance 1/3. */
typedef uint32_t terrain_generate_diamond_square_distribution;
enum {
    /** even over [-1, 1) */
    TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM = 0,
    /** bell-shaped: (the sum of four bytes - 510) / 256 */
    TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_GAUSSIAN = 1
};

typedef struct terrain_generate_diamond_square_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Distance of the lattice's points, the size of features; a power of two. Cells, 1 to
     * 1073741824; default 128. */
    uint32_t spacing;
    /** The lattice's heights are random within plus or minus this. Height, 0 to 1e9; default 48. */
    float amplitude;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** Displacements shrink by this from level to level: 2^-H, rougher towards 1. 0 to 1; default
     * 0.5. */
    float gain;
    /** Which points the middle of an edge is the mean of. Default DIAMOND4. */
    terrain_generate_diamond_square_mode mode;
    /** Of the lattice's heights and the displacements. Default UNIFORM. */
    terrain_generate_diamond_square_distribution distribution;
    /** Displace the old points of a level too: the lattice's creases stand out less. 0 or 1;
     * default 0. */
    uint32_t displace_all;
    /** Must be 0. */
    uint32_t reserved;
} terrain_generate_diamond_square_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_generate_diamond_square_params_init(
    terrain_generate_diamond_square_params *params, size_t size);

/** Fills the map with a fractal landscape by midpoint displacement (diamond-square) of an endless
 * lattice of random heights: a fast base for erosion. On 512 by 512 cells the defaults give a
 * relief of about 85 and slopes of about 0.5.
 *
 * Useful values: a gain of 0.5 gives smooth mountains, 0.7 rugged ones; it is 2^-H for a surface of
 * Hurst exponent H, of fractal dimension 3 - H, and above 0.5 slopes grow towards small distances.
 * spacing is the size of mountains. Old points that are never displaced again leave creases and
 * peaks along the lattice's lines; with displace_all ("successive random additions") they are as
 * rough as new ones and stand out less, at 4/3 of the time.
 *
 * Writes every cell of `map`, reads none. There are no borders: points outside the map are
 * computed, so that any map is a crop of every larger one. amplitude 0 gives the offset everywhere;
 * all heights are finite. cell_size plays no part. Memory: 80 KiB for each 96 rows, at most 64
 * times.
 * Errors: those of terrain_operation_apply; RANGE if spacing is no power of two. Since 0.1.
 *
 * Definition. The lattice has a point at each world cell whose x and y are multiples of `spacing`:
 * level 0. Each level k = 1, 2, ... halves the distance of points, s = spacing / 2^k, until it is 1
 * cell. With a = amplitude * gain^k and a random number r of variance 1/3 for each point of each
 * level,
 *
 *     level 0           h = offset + a r
 *     centre of four    h = mean of the four points around it on the diagonals, + a r
 *     middle of an edge h = mean, + a sqrt(gain) r: the mean of the edge's two ends and the centres
 *                       on its two sides (mode DIAMOND4), or of the two ends alone (EDGE2)
 *     old point         h stays; with displace_all it becomes h + a r, after the level's new points
 *                       have been made of it
 *
 * The new centres are displaced before the edges' middles use them. r is a hash of seed, level, and
 * the point's place on its level, column x / s and row y / s. */
TERRAIN_API terrain_status
terrain_generate_diamond_square(terrain_context *context, terrain_heightmap *map,
                                const terrain_generate_diamond_square_params *params);

/* ---- generate_drainage --------------------------------------------------------------------- */

typedef struct terrain_generate_drainage_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Gets how many cells' water passes each cell, its own included. NULL: not wanted. */
    terrain_heightmap *discharge;
    TERRAIN_POINTER_PAD(discharge_pad)
    /** Gets where the water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE; -1: ends. NULL: not
     * wanted. */
    terrain_heightmap *receiver;
    TERRAIN_POINTER_PAD(receiver_pad)
    /** Gets the height of the water's surface; the land's where it is dry. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** Gets how far the next river or lake with an outflow is, at most 64 cells. NULL: not
     * wanted. */
    terrain_heightmap *river_distance;
    TERRAIN_POINTER_PAD(river_distance_pad)
    /** Where land and sea are: below 0 the sea, 0.1 well inland; finer noise is added. Instead of
     * continents. NULL: none. */
    const terrain_heightmap *control;
    TERRAIN_POINTER_PAD(control_pad)
    /** Where ranges rise, times ranges: 0 to 1 and more. Instead of plates' borders. NULL: none. */
    const terrain_heightmap *uplift;
    TERRAIN_POINTER_PAD(uplift_pad)
    /** Times how much rock is harder: above 0; 1 is mean rock. NULL: none. */
    const terrain_heightmap *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** Slopes are those of so many times the water: above 0; 1 is mean rain. NULL: none. */
    const terrain_heightmap *rain;
    TERRAIN_POINTER_PAD(rain_pad)
    /** Between the points of control, uplift, hardness and rain; a power of two. Cells, 8 to
     * 1048576; default 256. */
    uint32_t map_spacing;
    /** Size of continents and seas; a power of two. Cells, 1024 to 1048576; default 8192. */
    uint32_t period;
    /** Distance of plates, between which ranges rise; a power of two. Cells, 2048 to 1048576;
     * default 8192. */
    uint32_t plate_spacing;
    /** Raises the world against the sea: 0.3 is nearly all land, -0.3 nearly all sea. -1 to 1;
     * default 0.04. */
    float base_level;
    /** Uplift of open country, here more, there less. 0 to 64; default 0.5. */
    float hills;
    /** Uplift where plates collide. 0 to 64; default 5. */
    float ranges;
    /** The least uplift of land. 0.0001 to 64; default 0.3. */
    float plains;
    /** By what part coasts rise more slowly. 0 to 1; default 0.7. */
    float coast;
    /** How sharp plates' borders are: narrow ranges, or wide ones. 0.5 to 16; default 7. */
    float belt_sharpness;
    /** K: slopes are uplift / K * area^-concavity. 0.001 to 1000; default 0.15. */
    float erodibility;
    /** m: how much gentler rivers are than brooks. 0.1 to 1; default 0.4. */
    float concavity;
    /** The steepest slope of rock of mean hardness. Rise over run, 0.05 to 8; default 1.1. */
    float talus;
    /** Where less water gathers, slopes are straight. Cells, 0 to 4096; default 5. */
    float channel_area;
    /** Where less water gathers, slopes are gentle: round crests. Cells, 1 to 4096; default 5. */
    float crest_area;
    /** How much rock differs in hardness. 0 to 4; default 0.5. */
    float hardness_contrast;
    /** How much its layers do. 0 to 8; default 0.8. */
    float strata_contrast;
    /** Of layers. Cells, 1 to 4096; default 40. */
    float strata_thickness;
    /** Rivers of more water cut through layers alike. Cells, 1 to 1e9; default 3000. */
    float strata_area;
    /** How much layers rise and sink. Cells, 0 to 4096; default 150. */
    float dip;
    /** Height of folds, which run along belts. Cells, 0 to 4096; default 0. */
    float fold_height;
    /** How many folds there are. 0 to 16; default 0.5. */
    float fold_frequency;
    /** Height of a plateau over the sea; 0: none. Cells, 0 to 4096; default 0. */
    float plateau;
    /** How much it and layers rise inland. Cells, 0 to 4096; default 0. */
    float plateau_rise;
    /** Half the width of the floodplain of a river of 2000 cells. Cells, 0 to 16; default 2. */
    float valley_width;
    /** How fast the sea's bed falls away from coasts. Cells, 0 to 1e5; default 400. */
    float sea_depth;
    /** Depth of a river of 2000 cells. Cells, 0 to 16; default 0.03. */
    float river_depth;
    /** Depth of lakes that rivers flow through, up to 31 cells wide; 0: none. Cells, 0 to 16;
     * default 0.5. */
    float lake_depth;
    /** Of the finest slopes. 0 to 1; default 0.2. */
    float smoothing;
    /** A cell is 2^level cells of the other lengths and areas: the land from farther away. 0 to 8;
     * default 0. */
    uint32_t level;
    /** Must be 0. */
    uint32_t reserved;
} terrain_generate_drainage_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_drainage_params_init(terrain_generate_drainage_params *params, size_t size);

/** Fills the map with a land that rivers have carved, without end: valleys join and deepen, every
 * river reaches the sea (or, rarely, a lake without an outflow), and any window, computed alone,
 * has the bits of the whole. Heights are in cells times cell_size, above a sea at 0; below 0 is its
 * bed. Use it instead of noise where water matters: for rivers, roads, settlements, or because land
 * without drainage looks wrong.
 *
 * The outputs, each optional:
 *     water      the height of the water's surface; where it is dry, that of the land
 *     receiver   where a cell's water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE (y points south);
 *                -1 on the sea and on lakes without an outflow
 *     discharge  how many cells' water passes through this one, its own included. Rivers from far
 *                outside the map bring theirs. Nominal: see below
 *     river_distance  in units of cell_size, to the next cell of a river of more than 2000 cells,
 *                or of a lake that it flows through; 64 cells where there is none as near. Looks 64
 *                cells beyond the map
 *
 * What is certain, everywhere, for heights below 2048 cells:
 *     - each dry cell has a neighbour, of eight, whose height as a float is less: there are no
 *     pits;
 *     - water of a cell lies strictly above water of its receiver, but on lakes with an outflow,
 *       which are level and lead to their sill in 15 steps at most, so no path runs in circles;
 *     - windows agree to the last bit, at any place within +-2^61 cells, in any order.
 * Discharge is nominal: the mean over rivers of more than 1000 cells, over many basins, is within
 * 3 % of the sum along receivers; 1 of 100 of their cells is off by more than a factor of 1.5,
 * where a river was captured late. The sum along receivers is exact wherever a basin lies within
 * the map.
 *
 * Land is made by `hills` (uplift here and there), `ranges` (uplift where plates collide) and
 * `plains` (the least uplift); slopes are uplift / erodibility * (area + channel_area)^-concavity,
 * never above `talus`. More erodibility, or less uplift, is lower land. channel_area is how much
 * land drains to where a channel begins: 4 gives gullied slopes, 30 long smooth ones. crest_area
 * rounds crests. Rock differs in hardness by hardness_contrast; strata_contrast makes steps, of
 * strata_thickness, in layers that rise and sink by `dip`, and are folded along the belts by
 * fold_height: ridges with water gaps. `plateau` cuts the land off flat, with canyons. Recipes that
 * show kinds of land: recipes/alps.terrain and docs/operations/generate_drainage.md.
 *
 * level: the same land from farther away, in a fourth of the cells for each level, with the rivers
 * in the same places: the map's cell (x, y) is the square of 2^level cells from (x, y) * 2^level
 * on, and the map's cell size that of the square. map_spacing counts the map's cells; all other
 * lengths and areas, and discharge, count cells of level 0. Finer levels move rivers by a cell or
 * so, and cut deeper. At a scale of a recipe's run, which must be 1, 1/2, … 1/256, only level and
 * map_spacing change.
 *
 * Maps of the caller's take the noise's place, each optional, on a lattice of map_spacing cells
 * (cell (i, j) is the world point (i, j) * map_spacing), as smooth splines: `control` (below 0:
 * sea; 0.1: well inland), `uplift` (what `ranges` multiplies, instead of the belts between plates),
 * `hardness` and `rain` (factors of rock and water; 1 is the mean). Detail finer than two of their
 * points is added to control. They must cover the window that terrain_operation_window says, about
 * 45,000 cells beyond the map on each side. NaN is sea, no uplift, or 1; infinity is a large
 * number.
 *
 * Writes every cell of `map` and of the outputs. Local in the sense of worlds, though
 * what it computes reaches 45,000 cells beyond the map, on coarse levels: a map of 64 by 64 cells
 * takes about a third of the time of 512 by 512, so ask for large windows. All heights are finite.
 * Memory: about 60 bytes a cell up to 512 by 512 cells, and up to 16 times that for maps of more
 * such tiles, which are also what threads share out. Errors: those of terrain_operation_apply;
 * RANGE if period, plate_spacing or map_spacing is no power of two, a coarse map too small, or the
 * map beyond 2^62 / 2^level. Since 0.2.
 *
 * Definition. docs/drainage.md gives the formulas, their order and the theorems: ten levels, cells
 * of 512 to 1; fields (control, uplift, hardness, strata) of value noise and plates; each level's
 * cells become 2 by 2, with a falling path along each river; then heights are relaxed, never
 * raised, towards what slopes of their discharge allow. All in float, one rounding an operation. */
TERRAIN_API terrain_status
terrain_generate_drainage(terrain_context *context, terrain_heightmap *map,
                          const terrain_generate_drainage_params *params);

/* ---- generate_fault_lines ------------------------------------------------------------------ */

/** The shape f of a fault, by the distance t from its line and the half-width w. */
typedef uint32_t terrain_generate_fault_lines_profile;
enum {
    /** -1 for t < 0, 1 otherwise: one side up, the other down */
    TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP = 0,
    /** 0 for t < 0, 1 otherwise: one side up */
    TERRAIN_GENERATE_FAULT_LINES_PROFILE_STEP01 = 1,
    /** sin(pi t / 2 w) for |t| < w, else the sign of t: a slope */
    TERRAIN_GENERATE_FAULT_LINES_PROFILE_SINE = 2,
    /** (1 + cos(pi t / w)) / 2 for |t| < w, else 0: a ridge */
    TERRAIN_GENERATE_FAULT_LINES_PROFILE_COSINE = 3,
    /** exp(-t^2 / 2 w^2) for |t| < 6 w, else 0: a ridge */
    TERRAIN_GENERATE_FAULT_LINES_PROFILE_BELL = 4
};

/** How random lines are drawn. */
typedef uint32_t terrain_generate_fault_lines_sampler;
enum {
    /** by an angle and a distance from the middle: the same everywhere */
    TERRAIN_GENERATE_FAULT_LINES_SAMPLER_ANGLE_OFFSET = 0,
    /** through two random points: more lines near the middle, which becomes rougher */
    TERRAIN_GENERATE_FAULT_LINES_SAMPLER_TWO_POINTS = 1
};

typedef struct terrain_generate_fault_lines_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** World column of the frame's first cell. Cells, -2^62 to 2^62; default 0. */
    int64_t frame_x;
    /** World row of the frame's first cell. Cells, -2^62 to 2^62; default 0. */
    int64_t frame_y;
    /** Lines are strewn over the frame; 0: the map's own rectangle. Cells, 0 to 2^32 - 1; default
     * 0. */
    uint32_t frame_width;
    /** 0 together with frame_width. Cells, 0 to 2^32 - 1; default 0. */
    uint32_t frame_height;
    /** Number of faults. 0 to 65536; default 256. */
    uint32_t count;
    /** Height of the first fault. Height, -1e6 to 1e6; default 2. */
    float displacement_first;
    /** Where the heights tend to, linearly, towards the last fault. Height, -1e6 to 1e6; default
     * 0.5. */
    float displacement_last;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** Shape of a fault, across its line. Default STEP. */
    terrain_generate_fault_lines_profile profile;
    /** Of the smooth profiles, from the line to either side. Cells, 0.5 to 65536; default 16. */
    float half_width;
    /** How random lines are drawn. Default ANGLE_OFFSET. */
    terrain_generate_fault_lines_sampler sampler;
    /** Must be 0. */
    uint32_t reserved;
} terrain_generate_fault_lines_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_fault_lines_params_init(terrain_generate_fault_lines_params *params, size_t size);

/** Fills the map with the sum of many faults along random lines: along each of them one side is
 * lifted, or a ridge raised. Steps leave straight cliffs: filter them (erode_fir), or use a smooth
 * profile. On 512 by 512 cells the defaults give a relief of about 80 and slopes of about 0.5.
 *
 * The lines belong to a frame: a rectangle of the world, frame_width by frame_height cells from
 * (frame_x, frame_y) on, over which they are strewn and beyond which they go on. The result depends
 * on frame and world cell alone, so that a tile is a crop of the whole. frame_width = frame_height
 * = 0 takes the map's own rectangle, and then frame_x and frame_y don't count.
 *
 * Useful values: 100 to 500 faults for 512 cells. To keep slopes in a larger frame, let count grow
 * with its width. Time: a step costs one addition for each row that it crosses; a smooth profile
 * one evaluation for each cell within reach.
 *
 * Writes every cell of `map`, reads none; no borders. All heights are finite. cell_size plays no
 * part. Memory: 64 bytes a line, and for each 64 rows, at most 64 times, 41 KiB and 4 bytes a line.
 * Errors: those of terrain_operation_apply; RANGE if one of frame_width and frame_height is 0 and
 * the other is not. An endless world needs a frame. Since 0.1.
 *
 * Definition. The height of a cell is
 *
 *     h = offset + sum of d_i f(t_i),    i = 0 ... count - 1
 *     d_i = displacement_first + (displacement_last - displacement_first) i / count
 *
 * where t_i is the distance of the cell's middle from line i in cells, positive on one side, which
 * is random too, and f is the profile.
 *
 * ANGLE_OFFSET draws a normal of even direction, and along it an even offset from the middle of the
 * frame, from minus to plus half the diagonal, again until the line meets the frame. A line then
 * parts two cells at distance r within the frame with the probability r / (frame_width +
 * frame_height), so that their heights differ by 2 d sqrt(count) times the root of that (steps of
 * +-d, root mean square): a surface of Hurst exponent 1/2.
 *
 * Exactness: each d_i f(t_i) is cut to a multiple of a power of two that is at most 2^-28 times
 * count * max(|displacement_first|, |displacement_last|). Smooth profiles have an error of 1e-6 of
 * the displacement. A line that is almost a row (by less than a millionth) is tilted by so much.
 * Beyond 2^48 cells from the frame lines are no longer straight. */
TERRAIN_API terrain_status
terrain_generate_fault_lines(terrain_context *context, terrain_heightmap *map,
                             const terrain_generate_fault_lines_params *params);

/* ---- generate_midpoint --------------------------------------------------------------------- */

/** How coarse levels learn of the constraints. */
typedef uint32_t terrain_generate_midpoint_mode;
enum {
    /** by those that lie on their own points: others stand out as spikes */
    TERRAIN_GENERATE_MIDPOINT_MODE_NONE = 0,
    /** by means of the known points beside, level by level: plateaus */
    TERRAIN_GENERATE_MIDPOINT_MODE_RECURSIVE = 1,
    /** by means of all around, weighted by distance: soft */
    TERRAIN_GENERATE_MIDPOINT_MODE_PULL_PUSH = 2
};

typedef struct terrain_generate_midpoint_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Heights that the land keeps; cells of NaN are free. NULL: none. */
    const terrain_heightmap *constraints;
    TERRAIN_POINTER_PAD(constraints_pad)
    /** How coarse levels learn of the constraints. Default PULL_PUSH. */
    terrain_generate_midpoint_mode mode;
    /** Distance of the coarsest level's points; a power of two. Cells, 1 to 1073741824; default
     * 128. */
    uint32_t spacing;
    /** Displacements of that level are random within plus or minus this. Height, 0 to 1e9; default
     * 48. */
    float amplitude;
    /** Displacements shrink by this from level to level: 2^-H, rougher towards 1. 0 to 1; default
     * 0.5. */
    float gain;
    /** How often each level is made even before it is displaced; 0 leaves creases. 0 to 64; default
     * 2. */
    uint32_t relaxation;
    /** Mean height of the land where no constraint is near. Height, -1e9 to 1e9; default 0. */
    float offset;
} terrain_generate_midpoint_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_midpoint_params_init(terrain_generate_midpoint_params *params, size_t size);

/** Fills the map with land between heights that are given: crests, river beds, coasts, contours,
 * single points. `constraints` has them, and NaN where the land is free; every finite cell of it is
 * kept, bit for bit. Between them heights follow smoothly, with a fractal's displacements, which
 * fade towards the constraints: neither spikes nor pits beside them.
 *
 * spacing is how far a constraint is felt: give it the largest distance between neighbouring ones.
 * Farther away it is offset and the fractal. gain 0.5 keeps slopes alike at all sizes, 0.6 is
 * rugged. relaxation makes the land even before each level's displacements: 1 or 2 take the creases
 * and squares of midpoint displacement away, 8 spans wide gaps tautly; each takes a fifth of the
 * time. Belhadj's and Audibert's own method is mode=recursive relaxation=0, and without "inverse"
 * mode=none. generate_diamond_square with mode EDGE2 is this without constraints and relaxation,
 * bit for bit, and faster; what it adds, four-neighbour means and displacing old points, would move
 * constraints.
 *
 * Writes every cell of `map`; reads `constraints`, where infinity is free, too. There are no
 * borders: points outside the map are computed, as free ones, so that a map is a crop of every
 * larger one but for what constraints outside it would do, up to 2 (relaxation + 2) spacing cells
 * away. No constraints, or none but NaN, give the fractal alone; constraints everywhere are the
 * result. cell_size plays no part. Memory: up to 28 bytes a cell. Errors: those of
 * terrain_operation_apply; RANGE if spacing is no power of two. Since 0.2.
 *
 * Definition. Level k = 0, 1, ... has a point at each world cell whose x and y are multiples of s =
 * spacing / 2^k; the last level's s is 1. Going up from it, each point of each level is known by a
 * height v and a weight w:
 *
 *     last level   v = the constraint, w = 1 where that is finite, else w = 0
 *     NONE         those of the point at the same place of the level below
 *     RECURSIVE    likewise; then, on every level, points of w = 0 with neighbours of w = 1 get w =
 *                  1 and the mean of the v of those of its eight neighbours, s or sqrt(2) s away,
 *                  of which the ones across count 1 / sqrt(2), + a r
 *     PULL_PUSH    W = the sum of q w over the nine points of the level below within its spacing of
 *                  the place, q being 1 at the place, 1/2 beside it, 1/4 across; v = the sum of
 *                  q w v / W, w = min(1, W)
 *
 * and going down from level 0, each of its points gets a height h:
 *
 *     level 0      h = offset; in mode PULL_PUSH v instead, if w > 0
 *     others       h = that of the level above at the same place, or the mean of its two or four
 *                  points around the middle of an edge or of a square; then h + w (v - h)
 *     relaxation   so often: h = 3/16 of the four neighbours' sum + 1/16 of the sum of those
 *                  across, then h + w (v - h)
 *     displacement h + (1 - w) a r, at level 0 and at points that the level above does not have;
 *                  a = amplitude gain^k, times sqrt(gain) at middles of edges
 *
 * On the last level, and in the modes NONE and RECURSIVE on all, h = v where w = 1. r is
 * generate_diamond_square's number of variance 1/3 for this level and point, distribution
 * UNIFORM. */
TERRAIN_API terrain_status
terrain_generate_midpoint(terrain_context *context, terrain_heightmap *map,
                          const terrain_generate_midpoint_params *params);

/* ---- generate_noise ------------------------------------------------------------------------ */

/** What the octaves are made of, and on what lattice. */
typedef uint32_t terrain_generate_noise_basis;
enum {
    /** two parts gradients, one part values, on shifted rows */
    TERRAIN_GENERATE_NOISE_BASIS_GRADIENT = 0,
    /** gradients alone, on squares, as published; they show */
    TERRAIN_GENERATE_NOISE_BASIS_PERLIN = 1,
    /** gradients alone, on triangles: no direction is preferred */
    TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX = 2,
    /** values alone, on shifted rows: blunt, blocky, and fast */
    TERRAIN_GENERATE_NOISE_BASIS_VALUE = 3
};

/** How the octaves are summed. */
typedef uint32_t terrain_generate_noise_fractal;
enum {
    /** fractional Brownian motion: rolling, the same up and down */
    TERRAIN_GENERATE_NOISE_FRACTAL_FBM = 0,
    /** sharp crests that carry the detail, smooth hollows */
    TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED = 1,
    /** round hills, sharp valleys */
    TERRAIN_GENERATE_NOISE_FRACTAL_BILLOW = 2
};

typedef struct terrain_generate_noise_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** What the octaves are made of, and on what lattice. Default GRADIENT. */
    terrain_generate_noise_basis basis;
    /** How octaves are summed. Default FBM. */
    terrain_generate_noise_fractal fractal;
    /** Wavelength of the first octave: the size of its lattice cells. Cells, 0.0009765625 to 2^24;
     * default 100. */
    float period;
    /** Octaves; those with a wavelength below 2 cells are left out. 1 to 32; default 8. */
    uint32_t octaves;
    /** By how much each octave is finer than the one before. 1 to 16; default 2. */
    float lacunarity;
    /** By how much each octave is higher than the one before. 0 to 2; default 0.5. */
    float gain;
    /** Height of the first octave. Height, -1e9 to 1e9; default 44. */
    float amplitude;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** How far detail reaches down from the crests. 0 to 100; default 2. */
    float feedback;
    /** How far places are moved by other noise, at first; 0: not at all. Cells, 0 to 65536; default
     * 0. */
    float warp_amplitude;
    /** Wavelength of the first octave of the noise that moves places. Cells, 0.0009765625 to 2^24;
     * default 200. */
    float warp_period;
    /** Octaves of it, each half as long and half as far as the one before. 1 to 32; default 2. */
    uint32_t warp_octaves;
    /** The world repeats after so many cells in x; 0: never. Cells, 0 to 2^32 - 1; default 0. */
    uint32_t repeat_width;
    /** The world repeats after so many cells in y; 0: never. Cells, 0 to 2^32 - 1; default 0. */
    uint32_t repeat_height;
} terrain_generate_noise_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_generate_noise_params_init(terrain_generate_noise_params *params,
                                                              size_t size);

/** Fills the map with a sum of octaves of noise, each finer and lower than the one before: hills,
 * and the stuff of masks and warps. On 512 by 512 cells the defaults give a relief of about 75 and
 * slopes of about 0.9. Heights stay between offset and offset +- amplitude * (1 + gain + gain^2 +
 * ...).
 *
 * Useful values: period is the size of the largest hills; 1 / lacunarity as gain makes all octaves
 * equally steep; another octave adds to what was there. SIMPLEX prefers no direction and uses more
 * of its range: its relief is about twice, and its slopes three times, those of GRADIENT with the
 * same amplitude and period; VALUE has 1.6 times the relief and 1.3 times the slopes. For RIDGED a
 * small feedback keeps detail to the crests. With a warp_amplitude hills flow and curl where the
 * warp changes by about half a cell from cell to cell; where it is more than one, they fold over,
 * and everything takes many times longer. repeat_width and repeat_height make the world a torus (or
 * a tube) without a seam.
 *
 * Writes every cell of `map`, reads none. Pointwise: every map is a crop of any larger one. All
 * heights are finite. cell_size plays no part. Memory: 76 KiB for each 64 rows, at most 64 times;
 * 500 KiB with a warp_amplitude. Maps of 2^22 cells and more are written past the caches.
 * Errors: those of terrain_operation_apply; RANGE for a repeat of 1, and for a repeat_height below
 * 4 with SIMPLEX. Since 0.1.
 *
 * Definition. Octave i = 0, 1, ... has f = lacunarity^i / period lattice cells a cell and the
 * amplitude a = amplitude * gain^i; its noise n is between -1 and 1. Octaves with a wavelength
 * below 2 cells, f > 1/2, are left out: the map can't hold them. The height is
 *
 *     FBM       offset + sum of a n
 *     BILLOW    offset + sum of a |n|
 *     RIDGED    offset + sum of a r,  r = (1 - |n|)^2 g,  g = min(1, feedback * r of the octave
 *               before), g = 1 in the first: a small feedback keeps detail to the crests
 *
 * An octave's lattice rows j lie where f y + origin = j; the points k of row j where
 * f x + shift of the row = k. A point holds a gradient (gx, gy), of length sqrt(2) and any
 * direction, and a value h between -1 and 1. Rows 0 and 1 are above and below the cell, points 0
 * and 1 to its left and right; in lattice cells, it is v below row 0, and u and w to the right of
 * points 0 in rows 0 and 1. With s(t) = 6 t^5 - 15 t^4 + 10 t^3,
 *
 *     c(u, v) = 2/3 (gx u + gy v) + 1/3 h      of each point; of point k in row j it is ckj
 *     n       = (1-s(v)) ((1-s(u)) c00(u, v)   + s(u) c10(u-1, v))
 *                + s(v)  ((1-s(w)) c01(w, v-1) + s(w) c11(w-1, v-1))
 *
 * VALUE has c = h. PERLIN has the same shift for all rows of an octave and c = gx u + gy v: the
 * noise of "Improving Noise", but for more directions. It is 0 at all lattice points, which
 * therefore show, most of all in creases. Origin, shifts, gradients and values are hashes of seed,
 * octave, and row or point. u, v and w are exact to 2^-24 at every place of the world.
 *
 * SIMPLEX has a lattice of triangles of equal sides: its rows, too, are 1 apart, and the points of
 * a row 2 / sqrt(3). Points k of row j lie where f sqrt(3)/2 x + shift = k; the shift is the same
 * for all even rows, and 1/2 more, modulo 1, for all odd ones. With gradients of length 1,
 *
 *     n = 81 sqrt(3) / 32 * sum of max(0, 1 - d^2)^4 (gx dx + gy dy)
 *
 * over all points, (dx, dy) being the way from the point to the cell and d its length; only the two
 * nearest points of rows 0 and 1 are near enough to count. Each point's share is round, so that on
 * average no direction is preferred, while GRADIENT, PERLIN and VALUE have more fine detail along
 * the axes.
 *
 * With a warp_amplitude the noise is that of other places (domain warp): the height of cell (x, y)
 * is what is said above of (x + e, y + s). e and s are two further noises, in cells: FBM of
 * GRADIENT with the period warp_period, warp_octaves octaves, lacunarity 2, gain 1/2, the amplitude
 * warp_amplitude, and hashes of their own. Products f e and f s are rounded to 24 bits, and their
 * sums with the fractions of f x + shift and f y + origin too.
 *
 * On a torus heights at x and x + repeat_width are equal. To that end f becomes m / repeat_width in
 * x, with m = f repeat_width rounded to a whole number, from 1 to repeat_width / 2, and lattice
 * points are counted modulo m; likewise in y. It is still the nominal f that decides whether an
 * octave is left out. Where repeats are multiples of period and lacunarity is a whole number, f
 * stays what it is. SIMPLEX has f sqrt(3)/2 for f in x; in y its m is even, twice f repeat_height /
 * 2 rounded, and repeat_height is at least 4. Its triangles are stretched to fit, and d is measured
 * on the lattice. e and s repeat likewise. */
TERRAIN_API terrain_status terrain_generate_noise(terrain_context *context, terrain_heightmap *map,
                                                  const terrain_generate_noise_params *params);

/* ---- generate_radial ----------------------------------------------------------------------- */

/** What it looks like from the side: f(t), from f(0) = 0 at the foot to f(1) = 1 at the top. */
typedef uint32_t terrain_generate_radial_curve;
enum {
    /** t: a cone */
    TERRAIN_GENERATE_RADIAL_CURVE_LINEAR = 0,
    /** t^2 (3 - 2 t): level at the foot and at the top */
    TERRAIN_GENERATE_RADIAL_CURVE_SMOOTH = 1,
    /** t (2 - t): round at the top, an edge at the foot */
    TERRAIN_GENERATE_RADIAL_CURVE_PARABOLA = 2,
    /** sqrt(t (2 - t)): half a sphere, upright at the foot */
    TERRAIN_GENERATE_RADIAL_CURVE_DOME = 3
};

typedef struct terrain_generate_radial_params {
    uint32_t struct_size;
    uint32_t flags;
    /** The middle of the hill, a world cell. Cells, -2^62 to 2^62; default 256. */
    int64_t centre_x;
    /** The same in y. Cells, -2^62 to 2^62; default 256. */
    int64_t centre_y;
    /** Where the hill ends: farther away it is as high as offset. Cells, 1 to 2^24; default 256. */
    float radius;
    /** Radius of the flat top; must be below radius. Cells, 0 to 2^24; default 0. */
    float inner;
    /** What the hill looks like from above: a circle, a square, a square on its corner. Default
     * EUCLIDEAN. */
    terrain_metric metric;
    /** What it looks like from the side. Default SMOOTH. */
    terrain_generate_radial_curve curve;
    /** How high the hill is. Height, -1e9 to 1e9; default 96. */
    float amplitude;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
} terrain_generate_radial_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_radial_params_init(terrain_generate_radial_params *params, size_t size);

/** Fills the map with one hill around a place of the world: an island to blend others with, or,
 * with amplitude 1, a mask. A negative amplitude makes a hollow. With the defaults the slope is at
 * most 0.56.
 *
 * Writes every cell of `map`, reads none. Pointwise: every map is a crop of any larger one. All
 * heights are finite. cell_size plays no part. No memory. d is rounded to a float: t is exact to
 * 2^-22 radius / (radius - inner).
 * Errors: those of terrain_operation_apply; RANGE if inner is not below radius. Since 0.1.
 *
 * Definition. The height of a cell is
 *
 *     h = offset + amplitude f(t),   t = (radius - d) / (radius - inner), cut to 0 ... 1
 *
 * where d is the cell's distance from the centre in cells, by `metric`, and f is the curve:
 * amplitude within `inner` of the centre, 0 from `radius` on. */
TERRAIN_API terrain_status terrain_generate_radial(terrain_context *context, terrain_heightmap *map,
                                                   const terrain_generate_radial_params *params);

/* ---- generate_ridges ----------------------------------------------------------------------- */

/** How ridges turn. */
typedef uint32_t terrain_generate_ridges_mode;
enum {
    /** to one side, then to the other, by a random angle each */
    TERRAIN_GENERATE_RIDGES_MODE_ALTERNATING = 0,
    /** all the time, by fractal noise */
    TERRAIN_GENERATE_RIDGES_MODE_FBM = 1
};

typedef struct terrain_generate_ridges_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** World column of the frame's first cell. Cells, -2^62 to 2^62; default 0. */
    int64_t frame_x;
    /** World row of the frame's first cell. Cells, -2^62 to 2^62; default 0. */
    int64_t frame_y;
    /** The ridges' heights, and NaN between them. NULL: not wanted. */
    terrain_heightmap *constraints;
    TERRAIN_POINTER_PAD(constraints_pad)
    /** Ridges start and end in the frame; 0: the map's own rectangle. Cells, 0 to 268435456;
     * default 0. */
    uint32_t frame_width;
    /** 0 together with frame_width. Cells, 0 to 268435456; default 0. */
    uint32_t frame_height;
    /** Mean distance of peaks: there is one for each square of this side. Cells, 8 to 1e6; default
     * 256. */
    float spacing;
    /** Height of the highest peaks above offset. Height, 0 to 1e9; default 100. */
    float amplitude;
    /** The lowest peaks are lower by this part of it. 0 to 1; default 0.4. */
    float variation;
    /** Height of the plain. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** Ridges end where they rise less above the plain. Height, 0.001 to 1e9; default 1. */
    float least;
    /** Standard deviation of a main ridge's profile: its height after this way is 61 percent.
     * Cells, 1 to 16384; default 128. */
    float length;
    /** Main ridges alone, with branches, or with branches of branches. 0 to 2; default 1. */
    uint32_t depth;
    /** Two branches leave a ridge after each such way. Cells, 1 to 65536; default 20. */
    uint32_t branch_spacing;
    /** A branch's length as a part of that of its parent. 0.01 to 1; default 0.5. */
    float branch_length;
    /** How ridges turn. Default ALTERNATING. */
    terrain_generate_ridges_mode mode;
    /** Way between two turns. Cells, 1 to 65536; default 8. */
    uint32_t turn_spacing;
    /** The largest turn. Degrees, 0 to 90; default 30. */
    float turn;
} terrain_generate_ridges_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_ridges_params_init(terrain_generate_ridges_params *params, size_t size);

/** Draws the crests of mountains as lines, one cell wide, on a plain: from each of some peaks two
 * ridges go in opposite directions and fall to the plain by the profile of a normal distribution;
 * branches leave them to both sides, and end sooner. A line ends at the plain, at the frame's edge,
 * or where it meets another line. `constraints` gets the lines alone, to make land of: blurred, the
 * map tells where rivers run, and generate_midpoint fills what lies between ridges and rivers.
 *
 * Useful values: lengths of an eighth to a quarter of the map's width; a branch_length of 0.25 to
 * 0.5; turn 0 makes straight lines, 45 crooked ones. offset above the lowest height that is wanted
 * leaves rivers room to cut.
 *
 * Peaks belong to a frame: a rectangle of the world, frame_width by frame_height cells from
 * (frame_x, frame_y) on. Lines stay in it; beyond it there is plain. The result depends on frame
 * and world cell alone, so that a tile is a crop of the whole. frame_width = frame_height = 0 takes
 * the map's own rectangle, and then frame_x and frame_y don't count.
 *
 * Writes every cell of `map`, and of `constraints` where that is given; reads none. All heights are
 * finite, those of `constraints` or NaN. cell_size plays no part. The lines are drawn by one
 * thread, those of the whole frame for each tile: 10 to 50 ns a cell of a line. Memory: 12 bytes
 * for each cell of the frame, which has at most 2^28, and 24 for each cell of a ridge as long as
 * can be. A frame has at most one line to 16 cells; branches beyond that are left out. Errors:
 * those of terrain_operation_apply; RANGE if one of frame_width and frame_height is 0 and the other
 * is not, or if the frame has more cells; UNSUPPORTED if the map that is the frame has. An endless
 * world needs a frame. Since 0.2.
 *
 * Definition. There are max(1, frame_width frame_height / spacing^2), rounded, peaks, at random
 * points of the frame, of heights H = amplitude (1 - variation u) above offset, 0 <= u < 1. A peak
 * on a line's cell, or lower than `least`, is left out. From each, two lines begin in opposite
 * random directions. Lines step by turns, in the order of their birth, until all have stopped. A
 * step of a line:
 *
 *     turn     ALTERNATING: before every turn_spacing-th step its direction turns by a random angle
 *              of at most `turn`, to one side and the other by turns. FBM: its direction is that at
 *              first, turned by 2 turn (n(t) + n(2 t) / 2 + n(4 t) / 4), t = steps / (4
 *              turn_spacing), n linear between random numbers in [-1, 1) at whole t, 0 at 0
 *     rise     after s steps a line of level l is H exp(-s^2 / (2 w^2)) above offset, w = length
 *              branch_length^l. It stops before the step after which that is below `least`
 *     advance  by one cell in its direction. Where column and row change, it enters the cell
 *              between, too, whose side it crosses first; both get the height after the step
 *     stop     at a cell outside the frame, or of another line that is not as high there to the
 *              bit; but in its first three steps it crosses its parent, or the other line of its
 *              peak, as it does when it meets itself: such a cell keeps the greater height
 *     branch   after every branch_spacing-th step, if its level is below `depth`, two lines of the
 *              next level are born there, at right angles to both sides, whose H is what it rises
 * there */
TERRAIN_API terrain_status terrain_generate_ridges(terrain_context *context, terrain_heightmap *map,
                                                   const terrain_generate_ridges_params *params);

/* ---- generate_spectral --------------------------------------------------------------------- */

typedef struct terrain_generate_spectral_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** The pattern repeats after so many cells in x and y, a power of two. Cells, 32 to 4096;
     * default 512. */
    uint32_t repeat;
    /** Wavelength of the largest features: longer waves are no higher. Cells, 2 to 1e6; default
     * 512. */
    float period;
    /** How fast power falls with frequency: 2 + 2 H, smoother towards 4. 0 to 8; default 3.8. */
    float beta;
    /** Standard deviation of the heights of a whole pattern. Height, -1e9 to 1e9; default 12. */
    float amplitude;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** Must be 0. */
    uint32_t reserved;
} terrain_generate_spectral_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_spectral_params_init(terrain_generate_spectral_params *params, size_t size);

/** Fills the map by spectral synthesis: the sum of waves in all directions with random phases. The
 * surface has no preferred place and direction, no lattice and no creases; all its statistics
 * follow from the spectrum. Use it where statistics must be known, or for a torus.
 *
 * Useful values: beta is 2 + 2 H for a surface of Hurst exponent H, of fractal dimension 3 - H: 3
 * is rugged, 4 smooth. Waves longer than `period` are no higher than those of that length, so that
 * hills don't grow with the pattern. Time and memory are those of a whole pattern, whatever the
 * map's size: about P^2 log P operations for P = repeat, 4 P^2 bytes and up to 5 KiB P more. A
 * repeat near the size of the maps or tiles is best.
 *
 * Writes every cell of `map`, reads none. The pattern repeats every P cells in x and y, anywhere in
 * the world: every map is a crop of any larger one, and one of P by P cells is a torus. A map that
 * doesn't repeat can't be had this way: each height is the sum of all waves, which the fast
 * transform shares among the cells of one pattern. See terrain_generate_noise for that. All heights
 * are finite, and off by less than 1e-5 of the amplitude. cell_size plays no part.
 * Errors: those of terrain_operation_apply; RANGE if repeat is no power of two. Since 0.1.
 *
 * Definition. With P = repeat, over all whole numbers u and v below P / 2, either sign, with u > 0,
 * or u = 0 and v > 0:
 *
 *     h(x, y) = offset + s sum f(u, v) (a cos(2 pi (u x + v y) / P) - b sin(2 pi (u x + v y) / P))
 *     f(u, v) = (u^2 + v^2 + (P / period)^2)^(-beta / 4)
 *
 * a and b are the sums of the four bytes of two hashes of seed, u and v, less 510 each: bell-shaped
 * random numbers. s is such that the standard deviation of the P by P heights of a pattern is the
 * amplitude; their mean is the offset. The spectrum is von Karman's. */
TERRAIN_API terrain_status
terrain_generate_spectral(terrain_context *context, terrain_heightmap *map,
                          const terrain_generate_spectral_params *params);

/* ---- generate_voronoi ---------------------------------------------------------------------- */

typedef struct terrain_generate_voronoi_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Which point is nearest: its random number, at least 0 and below 1. NULL: not wanted. */
    terrain_heightmap *id;
    TERRAIN_POINTER_PAD(id_pad)
    /** Mean distance of points: the lattice has one in each square of this size. Cells, 2 to 65536;
     * default 128. */
    uint32_t spacing;
    /** How far points may leave the middle of their square: 0 is a regular lattice. 0 to 1; default
     * 1. */
    float jitter;
    /** What distance is. Default EUCLIDEAN. */
    terrain_metric metric;
    /** Weight of the nearest point's distance. -16 to 16; default -1. */
    float c1;
    /** Weight of the second nearest's. -16 to 16; default 1. */
    float c2;
    /** Weight of the third nearest's. -16 to 16; default 0. */
    float c3;
    /** How much of the weighted sum is in the height. -16 to 16; default 1. */
    float linear;
    /** And how much of its square. -16 to 16; default 0. */
    float quadratic;
    /** By what part, at most, a point's cell is lower; walls, unless c1 is -c2, c3 0. 0 to 1;
     * default 0. */
    float variation;
    /** Scale of the heights. Height, -1e9 to 1e9; default 100. */
    float amplitude;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** The world repeats after so many cells in x; 0: never. Cells, 0 to 2^32 - 1; default 0. */
    uint32_t repeat_width;
    /** The world repeats after so many cells in y; 0: never. Cells, 0 to 2^32 - 1; default 0. */
    uint32_t repeat_height;
    /** Must be 0. */
    uint32_t reserved;
} terrain_generate_voronoi_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_voronoi_params_init(terrain_generate_voronoi_params *params, size_t size);

/** Fills the map with heights made of the distances to the nearest of scattered points ("cellular
 * noise"): hills with passes between them, or ridges around hollows. On 512 by 512 cells the
 * defaults give a relief of about 80 and slopes of about 0.8.
 *
 * c1 = -1, c2 = 1 (the default) is 0 exactly halfway between two points and rises towards each
 * point: hills with passes between them, to which variation (say 0.5) gives different heights. With
 * other weights heights are not 0 there, and any variation leaves a wall between two cells; so its
 * default is 0, which is without a step for all weights. c1 = 1 alone makes a pit around each
 * point, and ridges between them; add a quadratic for gentler slopes. jitter 0 is a regular
 * lattice; smaller jitter makes cells of more equal size.
 *
 * `id`, if given, receives the id of the nearest point: a number for each region, to choose some of
 * them by (id < 0.3 is 30 % of the regions). Two regions have the same one with a probability of
 * 2^-24.
 *
 * repeat_width and repeat_height make the world a torus (or a tube). Time grows where spacing is
 * below 32.
 *
 * Writes every cell of `map` and `id`, reads none. Pointwise: every map is a crop of any larger
 * one. Positions and their differences are exact everywhere in the world; distances have a relative
 * error below 2^-22. All heights are finite. cell_size plays no part. Memory: 43 KiB for each 64
 * rows, at most 64 times.
 * Errors: those of terrain_operation_apply; RANGE if a repeat is no multiple of spacing. Since 0.1.
 *
 * Definition. The points belong to the world: each square (i, j) of `spacing` by `spacing` cells
 * has one, at
 *
 *     x = spacing (i + 1/2 + jitter (u - 1/2)),   y = spacing (j + 1/2 + jitter (v - 1/2))
 *
 * in world cells, where u and v, at least 0 and below 1, and the point's id, likewise, are hashes
 * of seed, i and j. u and v are multiples of 2^-16, and ids of 2^-24; with the largest k for which
 * spacing * 2^k <= 65536, first spacing * jitter and then x and y are rounded down to multiples of
 * 2^-k. With the distances d1 <= d2 <= d3 of a cell from its nearest three points, in units of
 * spacing (the squared metric: of its square),
 *
 *     s = c1 d1 + c2 d2 + c3 d3
 *     h = offset + amplitude (1 - variation * id) (linear s + quadratic s^2)
 *
 * where id is that of the nearest point; among equally near ones that of the lesser j, then the
 * lesser i. All three are the nearest there are, at any jitter; the published method looked only at
 * the 3 by 3 squares around a cell's own.
 *
 * On a torus squares are counted modulo repeat_width / spacing, and modulo repeat_height / spacing.
 */
TERRAIN_API terrain_status terrain_generate_voronoi(terrain_context *context,
                                                    terrain_heightmap *map,
                                                    const terrain_generate_voronoi_params *params);

#ifdef __cplusplus
}
#endif

#endif
