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

/** How the middle of an edge is interpolated. */
typedef uint32_t terrain_generate_diamond_square_mode;
enum {
    /** the mean of the edge's two ends and the two centres beside it */
    TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_DIAMOND4 = 0,
    /** the mean of the two ends ("midpoint displacement"): more creased */
    TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_EDGE2 = 1
};

/** The distribution of random heights; both have mean 0 and variance 1/3. */
typedef uint32_t terrain_generate_diamond_square_distribution;
enum {
    /** uniform in [-1, 1) */
    TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM = 0,
    /** bell-shaped: (the sum of four bytes - 510) / 256 */
    TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_GAUSSIAN = 1
};

typedef struct terrain_generate_diamond_square_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Distance between the lattice's points, the size of mountains; a power of two. Cells, 1 to
     * 1073741824; default 128. */
    uint32_t spacing;
    /** The lattice's heights are random within plus or minus this. Height, 0 to 1e9; default 48. */
    float amplitude;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** Factor of the displacements from level to level: 2^-H; rougher towards 1. 0 to 1; default
     * 0.5. */
    float gain;
    /** How the middle of an edge is interpolated. Default DIAMOND4. */
    terrain_generate_diamond_square_mode mode;
    /** How the random heights and displacements are distributed. Default UNIFORM. */
    terrain_generate_diamond_square_distribution distribution;
    /** Whether to displace a level's old points, too: the lattice's creases stand out less. 0 or 1;
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
 * Useful values: a gain of 0.5 gives smooth mountains, 0.7 rugged ones. gain is 2^-H for a surface
 * with the Hurst exponent H and the fractal dimension 3 - H; above 0.5 slopes grow towards small
 * distances. spacing is the size of mountains. Points that are displaced only once leave creases
 * and peaks along the lattice's lines; with displace_all ("successive random additions") every
 * level displaces all points, and the lattice stands out less, for 4/3 of the time.
 *
 * Writes every cell of `map`, reads none. There are no borders: points outside the map are
 * computed, so any map is a crop of any larger one. amplitude 0 gives the offset everywhere; all
 * heights are finite. cell_size plays no part. Memory: 80 KiB for each 132 rows, at most 64 times.
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
    /** Gets how many cells drain through each cell, including itself. NULL: not wanted. */
    terrain_heightmap *discharge;
    TERRAIN_POINTER_PAD(discharge_pad)
    /** Gets where the water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE; -1: nowhere. NULL: not
     * wanted. */
    terrain_heightmap *receiver;
    TERRAIN_POINTER_PAD(receiver_pad)
    /** Gets the height of the water's surface, or of the land where it is dry. NULL: not wanted. */
    terrain_heightmap *water;
    TERRAIN_POINTER_PAD(water_pad)
    /** Gets the distance to the nearest river or lake with an outflow, at most 64 cell sizes. NULL:
     * not wanted. */
    terrain_heightmap *river_distance;
    TERRAIN_POINTER_PAD(river_distance_pad)
    /** Replaces the random continents: below 0 is sea, 0.1 is well inland; finer noise is added.
     * NULL: none. */
    const terrain_heightmap *control;
    TERRAIN_POINTER_PAD(control_pad)
    /** Replaces the random plates' borders: multiplies ranges; 0 to 1, or more. NULL: none. */
    const terrain_heightmap *uplift;
    TERRAIN_POINTER_PAD(uplift_pad)
    /** Factor of the rock's hardness: above 0; 1 is mean rock. NULL: none. */
    const terrain_heightmap *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** Factor of the water that slopes depend on: above 0; 1 is mean rain. NULL: none. */
    const terrain_heightmap *rain;
    TERRAIN_POINTER_PAD(rain_pad)
    /** Heights of any land that rivers follow and the land stays below. Replaces plateau and the
     * height of layers. NULL: none. */
    const terrain_heightmap *ceiling;
    TERRAIN_POINTER_PAD(ceiling_pad)
    /** Distance between the points of these maps; a power of two. Cells, 8 to 1048576; default
     * 256. */
    uint32_t map_spacing;
    /** Size of continents and seas; a power of two. Cells, 1024 to 1048576; default 8192. */
    uint32_t period;
    /** Size of the plates, between which ranges rise; a power of two. Cells, 2048 to 1048576;
     * default 8192. */
    uint32_t plate_spacing;
    /** Lifts the land relative to the sea: 0.3 is nearly all land, -0.3 nearly all sea. -1 to 1;
     * default 0.04. */
    float base_level;
    /** Uplift of open country; it varies from place to place. 0 to 64; default 0.5. */
    float hills;
    /** Uplift where plates collide. 0 to 64; default 5. */
    float ranges;
    /** The least uplift of land. 0.0001 to 64; default 0.3. */
    float plains;
    /** By what part coasts rise more slowly. 0 to 1; default 0.7. */
    float coast;
    /** How sharp the plates' borders are; a large number makes narrow ranges. 0.5 to 16; default
     * 7. */
    float belt_sharpness;
    /** K: slopes are uplift / K * area^-concavity. 0.001 to 1000; default 0.15. */
    float erodibility;
    /** m: how much gentler rivers are than brooks. 0.1 to 1; default 0.35. */
    float concavity;
    /** The steepest slope of rock of mean hardness. Slope, 0.05 to 8; default 1.1. */
    float talus;
    /** Where fewer cells drain through a cell, slopes are straight. Cells, 0 to 4096; default
     * 20. */
    float channel_area;
    /** Where fewer cells drain through a cell, slopes are gentle: rounded crests. Cells, 1 to 4096;
     * default 1. */
    float crest_area;
    /** How much the rock's hardness varies from place to place. 0 to 4; default 0.5. */
    float hardness_contrast;
    /** How much the hardness varies from layer to layer. 0 to 8; default 0.8. */
    float strata_contrast;
    /** Thickness of the layers. Cells, 1 to 4096; default 40. */
    float strata_thickness;
    /** Rivers with more cells upstream cut through all layers alike. Cells, 1 to 1e9; default
     * 3000. */
    float strata_area;
    /** How much the layers rise and sink. Cells, 0 to 4096; default 150. */
    float dip;
    /** Height of folds, which run along belts. Cells, 0 to 4096; default 0. */
    float fold_height;
    /** How close together the folds are. 0 to 16; default 0.5. */
    float fold_frequency;
    /** Height of a plateau over the sea; 0: none. Cells, 0 to 4096; default 0. */
    float plateau;
    /** How much the plateau and the layers rise inland. Cells, 0 to 4096; default 0. */
    float plateau_rise;
    /** How far above the ceiling the land between rivers may stand. Cells, 0 to 4096; default
     * 20. */
    float clearance;
    /** How far below the ceiling rivers lie whose discharge is far above strata_area. Cells, 0 to
     * 4096; default 10. */
    float incision;
    /** Half the width of the floodplain of a river with 2000 cells upstream. Cells, 0 to 16;
     * default 2. */
    float valley_width;
    /** How fast the sea floor falls away from coasts. Cells, 0 to 1e5; default 400. */
    float sea_depth;
    /** Depth of a river with 2000 cells upstream. Cells, 0 to 16; default 0.01. */
    float river_depth;
    /** Depth of lakes that rivers flow through, up to 31 cells wide; 0: none. Cells, 0 to 16;
     * default 0.5. */
    float lake_depth;
    /** How much the finest level is smoothed. 0 to 1; default 0.2. */
    float smoothing;
    /** A cell is 2^level cells wide, as other lengths count them: the same land from farther away.
     * 0 to 8; default 0. */
    uint32_t level;
    /** Must be 0. */
    uint32_t reserved;
} terrain_generate_drainage_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_drainage_params_init(terrain_generate_drainage_params *params, size_t size);

/** Fills the map with endless land that rivers have carved: valleys join and deepen, every river
 * reaches the sea (or, rarely, a lake without an outflow), and any window, computed alone, has the
 * same bits as that window of a larger map. Heights are in cells times cell_size. The sea level is
 * 0; heights below 0 are the sea floor. Use it instead of noise where water matters: for rivers,
 * roads, settlements, or because land without drainage looks wrong.
 *
 * The outputs, each optional:
 *     water           the height of the water's surface, or of the land where it is dry
 *     receiver        where a cell's water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE (y points
 *                     south); -1 on the sea and on lakes without an outflow. The `direction` of
 *                     terrain_analyze_flow is 1 more
 *     discharge       how many cells drain through the cell, including itself. Rivers from far
 *                     outside the map bring their water. Nominal: see below
 *     river_distance  in units of cell_size, to the nearest cell of a river with a discharge of
 *                     more than 2000 cells, or of a lake that it flows through; 64 times cell_size
 *                     where none is nearer. Looks 64 cells beyond the map
 *
 * What is guaranteed, everywhere, for heights below 2048 cells:
 *     - each dry cell has a lower one among its eight neighbours: there are no pits;
 *     - a cell's water lies strictly above the water of its receiver, except on lakes with an
 *       outflow; these are level, and every path leads to the lake's outflow in at most 15 steps,
 *       so no path runs in circles;
 *     - windows agree to the last bit, anywhere within +-2^62 / 2^level cells, in whatever order
 *       they are computed.
 * Discharge is nominal. On rivers of more than 1000 cells its mean over many basins is within 3 %
 * of the true number of cells upstream; 1 of 100 river cells is off by more than a factor of 1.5,
 * where a river was captured late. For the exact number, count along receivers, which is right
 * wherever a basin lies within the map.
 *
 * Useful values: `hills` (uplift here and there), `ranges` (uplift where plates collide) and
 * `plains` (the least uplift) raise the land. Slopes are uplift / erodibility * (area +
 * channel_area)^-concavity, never above `talus`, which gets gentler with the area^-0.2: more
 * erodibility, or less uplift, makes lower land. channel_area is the drainage area at which
 * channels begin: 4 gives gullied slopes, 30 long smooth ones. crest_area above 1 rounds crests.
 * smoothing fills hollows, wholly from 0.2 on, and wears crests with its square. hardness_contrast
 * varies the rock's hardness from place to place. strata_contrast varies it from layer to layer,
 * which makes steps as high as strata_thickness; the layers rise and sink by `dip`, and fold_height
 * folds them along the belts, which makes ridges with water gaps. `plateau` cuts the land off flat,
 * with canyons. Recipes that show kinds of land: recipes/alps.terrain and
 * docs/operations/generate_drainage.md.
 *
 * `level` is a level of detail: each level shows the same land from farther away, with a quarter of
 * the cells and the rivers in the same places. The map's cell (x, y) is then the square of 2^level
 * x 2^level cells of level 0 that begins at (x, y) * 2^level; set the map's cell_size to the size
 * of that square. map_spacing counts the map's cells; all other lengths and areas, and discharge,
 * count cells of level 0. Finer levels move rivers by a cell or so, and cut deeper. A recipe that
 * is run at a scale, which must be 1, 1/2, … 1/256, changes only level and map_spacing.
 *
 * Your own maps, each optional, may replace the noise. They are coarse: their cell (i, j) is the
 * world point (i, j) * map_spacing, and smooth splines interpolate between these points. `control`
 * is below 0 for sea and 0.1 well inland; noise adds the detail finer than two of its points.
 * `uplift` replaces the belts between plates, and is multiplied by `ranges`. `hardness` and `rain`
 * are factors of rock and water; 1 is the mean. `ceiling` holds the heights of any land, in units
 * of height, that the rivers follow: large rivers lie `incision` cells or more below it, but
 * across its hollows, and land between them stands at most a little over `clearance` cells above
 * it. Without `control`, a 300th of the ceiling in cells takes its place. erode_drainage carves
 * the result into a map. These maps must cover the window that terrain_operation_window reports,
 * about 52,000 cells beyond the map on each side, and a few points more where map_spacing is above
 * 1000. NaN counts as sea, as no uplift, as 1, or as a ceiling of 0; infinity as a large number.
 *
 * Writes every cell of `map` and of the outputs. Local: it works in endless worlds. Coarse levels
 * are computed up to 45,000 cells beyond the map, so ask for large windows: a map of 64 by 64 cells
 * takes nearly half of the time of 512 by 512. All heights are finite. Memory: about 7 MiB and 50
 * bytes a cell for maps of up to 640 by 640 cells, whose levels threads share; with river_distance
 * and a plateau or ceiling up to half as much again. Larger maps are computed in tiles of at most
 * that size, which threads share, in up to 16 times that memory. Errors: those of
 * terrain_operation_apply; RANGE if period, plate_spacing or map_spacing is no power of two, a
 * coarse map too small, or the map beyond 2^62 / 2^level. Since 0.2.
 *
 * Definition. docs/drainage.md gives the formulas, their order and the theorems. There are ten
 * levels, with cells of 512 to 1; the fields control, uplift, hardness and strata come from value
 * noise and plates. Each cell of a level becomes 2 by 2 cells of the next, with a falling path
 * along each river; then heights are relaxed, never raised, towards the slopes that their discharge
 * allows. All this is in float, with one rounding for each arithmetic operation. */
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
    /** by an angle and a distance from the middle: uniform over the frame */
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
    /** Width of the frame, over which the lines are scattered; 0: the map's own rectangle. Cells, 0
     * to 2^32 - 1; default 0. */
    uint32_t frame_width;
    /** Height of the frame; 0 if and only if frame_width is 0. Cells, 0 to 2^32 - 1; default 0. */
    uint32_t frame_height;
    /** Number of faults. 0 to 65536; default 256. */
    uint32_t count;
    /** Height of the first fault. Height, -1e6 to 1e6; default 2. */
    float displacement_first;
    /** Height that the faults approach linearly: one after the last would have it. Height, -1e6 to
     * 1e6; default 0.5. */
    float displacement_last;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** Shape of a fault, across its line. Default STEP. */
    terrain_generate_fault_lines_profile profile;
    /** Half the width of a smooth profile. Cells, 0.5 to 65536; default 16. */
    float half_width;
    /** How random lines are drawn. Default ANGLE_OFFSET. */
    terrain_generate_fault_lines_sampler sampler;
    /** Must be 0. */
    uint32_t reserved;
} terrain_generate_fault_lines_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_fault_lines_params_init(terrain_generate_fault_lines_params *params, size_t size);

/** Fills the map with the sum of many faults along random lines. Each fault lifts one side of its
 * line, or raises a ridge along it. Steps leave straight cliffs: filter them (erode_fir), or use a
 * smooth profile. On 512 by 512 cells the defaults give a relief of about 80 and slopes of about
 * 0.8.
 *
 * The lines belong to a frame: a rectangle of the world, frame_width by frame_height cells from
 * (frame_x, frame_y) on. They are scattered over the frame, and go on beyond it. The result depends
 * on the frame and the world cell alone, so a tile is a crop of the whole. frame_width =
 * frame_height = 0 takes the map's own rectangle, and then frame_x and frame_y don't count.
 *
 * Useful values: 100 to 500 faults for 512 cells. To keep the slopes in a larger frame, let count
 * grow with the frame's width. Time: a step costs one addition for each row that it crosses; a
 * smooth profile costs one evaluation for each cell within half_width of its line.
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
 * where t_i is the distance of the cell's middle from line i in cells, positive on one side of the
 * line, which is chosen at random, and f is the profile.
 *
 * ANGLE_OFFSET draws a normal whose direction is uniform, and along it an offset from the middle of
 * the frame that is uniform between minus and plus half the diagonal. It draws again until the line
 * meets the frame. A line then separates two cells at distance r within the frame with the
 * probability P = r / (frame_width + frame_height), so with steps of +-d their heights differ by 2
 * d sqrt(count P) (root mean square): a surface with the Hurst exponent 1/2.
 *
 * Exactness: each d_i f(t_i) is truncated to a multiple of a power of two that is at most 2^-28
 * times count * max(|displacement_first|, |displacement_last|). Smooth profiles have an error of
 * 1e-6 of the displacement. A line that is almost a row (its slope is below a millionth) is tilted
 * to that slope. Beyond 2^48 cells from the frame lines are no longer straight. */
TERRAIN_API terrain_status
terrain_generate_fault_lines(terrain_context *context, terrain_heightmap *map,
                             const terrain_generate_fault_lines_params *params);

/* ---- generate_midpoint --------------------------------------------------------------------- */

/** How coarse levels take the constraints into account. */
typedef uint32_t terrain_generate_midpoint_mode;
enum {
    /** only from constraints on their own points: others stand out as spikes */
    TERRAIN_GENERATE_MIDPOINT_MODE_NONE = 0,
    /** from the mean of neighbouring known points, level by level: plateaus */
    TERRAIN_GENERATE_MIDPOINT_MODE_RECURSIVE = 1,
    /** from all constraints around, weighted by distance: soft slopes */
    TERRAIN_GENERATE_MIDPOINT_MODE_PULL_PUSH = 2
};

typedef struct terrain_generate_midpoint_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Heights that the land keeps; cells with NaN are free. NULL: none. */
    const terrain_heightmap *constraints;
    TERRAIN_POINTER_PAD(constraints_pad)
    /** How coarse levels learn of the constraints. Default PULL_PUSH. */
    terrain_generate_midpoint_mode mode;
    /** Distance between the coarsest level's points; a power of two. Cells, 1 to 1073741824;
     * default 128. */
    uint32_t spacing;
    /** The coarsest level's displacements are random within plus or minus this. Height, 0 to 1e9;
     * default 85. */
    float amplitude;
    /** Factor of the displacements from level to level: 2^-H; rougher towards 1. 0 to 1; default
     * 0.5. */
    float gain;
    /** How many times each level is smoothed before it is displaced; 0 leaves creases. 0 to 64;
     * default 2. */
    uint32_t relaxation;
    /** Mean height of the land where no constraint is near. Height, -1e9 to 1e9; default 0. */
    float offset;
} terrain_generate_midpoint_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_midpoint_params_init(terrain_generate_midpoint_params *params, size_t size);

/** Fills the map with fractal land that passes through given heights: crests, river beds, coasts,
 * contours, single points. `constraints` holds these heights, and NaN where the land is free; every
 * finite cell of it is kept, bit for bit. Between the constraints heights are interpolated smoothly
 * and displaced at random; displacements fade towards the constraints, so there are neither spikes
 * nor pits beside them.
 *
 * Useful values: spacing is the range of a constraint; set it to the largest distance between
 * neighbouring constraints. Farther away the land is offset plus the fractal. gain 0.5 keeps slopes
 * the same at all sizes, 0.6 is rugged. relaxation smooths the land before each level's
 * displacements: 1 or 2 remove the creases and squares of midpoint displacement, 8 spans wide gaps
 * tautly; each takes about a quarter of the default's time. Belhadj's and Audibert's own method is
 * mode=recursive relaxation=0; without their "inverse" step it is mode=none. Without constraints
 * and relaxation the result equals that of generate_diamond_square with mode EDGE2 and the same
 * amplitude, bit for bit, which is faster; its other options would move constraints. On 512 by 512
 * cells without constraints the defaults give a relief of about 70 and slopes of about 0.6;
 * relaxation 0 gives 175 and 1.2.
 *
 * Writes every cell of `map`; reads `constraints`, where infinity is free, too. There are no
 * borders: points outside the map are computed as free points, so a map is a crop of any larger
 * one, except for the effect of constraints outside the map, up to 2 (relaxation + 2) spacing cells
 * away. Without constraints, or with nothing but NaN, the result is the fractal alone; constraints
 * everywhere are the result. cell_size plays no part. Memory: up to 12 bytes a cell, 23 with
 * constraints, 3 KiB for each row and column, and 320 KiB; more with a greater relaxation or
 * spacing, for points around the map. Errors: those of terrain_operation_apply; RANGE if spacing is
 * no power of two. Since 0.2.
 *
 * Definition. Level k = 0, 1, ... has a point at each world cell whose x and y are multiples of s =
 * spacing / 2^k; the last level's s is 1. Going up from it, each point of each level is known by a
 * height v and a weight w:
 *
 *     last level   v = the constraint, w = 1 where that is finite, else w = 0
 *     NONE         v and w of the same point on the level below
 *     RECURSIVE    as NONE; then, on every level, a point with w = 0 that has neighbours with w = 1
 *                  among its eight, s or sqrt(2) s away, gets w = 1 and v = the mean of their v + a
 *                  r, in which neighbours across a corner count 1 / sqrt(2)
 *     PULL_PUSH    W = the sum of q w over the point itself and its eight neighbours on the level
 *                  below, with q = 1 for the point, 1/2 across edges and 1/4 across corners; v =
 *                  the sum of q w v / W, w = min(1, W)
 *
 * and going down from level 0, each of its points gets a height h:
 *
 *     level 0      h = offset; in mode PULL_PUSH v instead, if w > 0
 *     others       h = the height of the same point on the level above; or, at the middle of an
 *                  edge or of a square, the mean of its two or four points there; then h + w (v -
 *                  h)
 *     relaxation   so many times: h = 3/16 of the sum of the four neighbours across edges + 1/16 of
 *                  the sum of those across corners, then h + w (v - h)
 *     displacement h + (1 - w) a r, at level 0 and at points that the level above does not have; a
 *                  = amplitude gain^k, times sqrt(gain) at middles of edges
 *
 * On the last level, and in the modes NONE and RECURSIVE on all, h = v where w = 1. r is
 * generate_diamond_square's number of variance 1/3 for this level and point, distribution
 * UNIFORM. */
TERRAIN_API terrain_status
terrain_generate_midpoint(terrain_context *context, terrain_heightmap *map,
                          const terrain_generate_midpoint_params *params);

/* ---- generate_noise ------------------------------------------------------------------------ */

/** The kind of noise in each octave, and its lattice. */
typedef uint32_t terrain_generate_noise_basis;
enum {
    /** gradient noise with one third of value noise, on shifted rows */
    TERRAIN_GENERATE_NOISE_BASIS_GRADIENT = 0,
    /** gradient noise on squares, as published: the lattice shows */
    TERRAIN_GENERATE_NOISE_BASIS_PERLIN = 1,
    /** gradient noise on triangles: no direction is preferred */
    TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX = 2,
    /** value noise on shifted rows: blunt, blocky, and fast */
    TERRAIN_GENERATE_NOISE_BASIS_VALUE = 3
};

/** How the octaves are summed. */
typedef uint32_t terrain_generate_noise_fractal;
enum {
    /** fractional Brownian motion: rolling hills, valleys like hills */
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
    /** The kind of noise in each octave, and its lattice. Default GRADIENT. */
    terrain_generate_noise_basis basis;
    /** How octaves are summed. Default FBM. */
    terrain_generate_noise_fractal fractal;
    /** Wavelength of the first octave: the size of its lattice cells. Cells, 0.0009765625 to 2^24;
     * default 100. */
    float period;
    /** How many octaves; those with a wavelength below 2 cells are left out. 1 to 32; default 8. */
    uint32_t octaves;
    /** Factor of the frequency from octave to octave. 1 to 16; default 2. */
    float lacunarity;
    /** Factor of the amplitude from octave to octave. 0 to 2; default 0.5. */
    float gain;
    /** Height of the first octave. Height, -1e9 to 1e9; default 44. */
    float amplitude;
    /** Added to every height. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** How far down from the crests RIDGED has detail. 0 to 100; default 2. */
    float feedback;
    /** Domain warp: how far its first octave moves a position; 0: no warp. Cells, 0 to 65536;
     * default 0. */
    float warp_amplitude;
    /** Domain warp: wavelength of its first octave. Cells, 0.0009765625 to 2^24; default 200. */
    float warp_period;
    /** Domain warp: how many octaves, each with half the wavelength and half the amplitude. 1 to
     * 32; default 2. */
    uint32_t warp_octaves;
    /** The world repeats after so many cells in x; 0: never. Cells, 0 to 2^32 - 1; default 0. */
    uint32_t repeat_width;
    /** The world repeats after so many cells in y; 0: never. Cells, 0 to 2^32 - 1; default 0. */
    uint32_t repeat_height;
} terrain_generate_noise_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_generate_noise_params_init(terrain_generate_noise_params *params,
                                                              size_t size);

/** Fills the map with fractal noise: a sum of octaves, each finer and lower than the one before.
 * Use it for hills, for masks, and to warp other maps. On 512 by 512 cells the defaults give a
 * relief of about 75 and slopes of about 0.9. Heights stay between offset and offset +- amplitude *
 * (1 + gain + gain^2 + ...).
 *
 * Useful values: period is the size of the largest hills. A gain of 1 / lacunarity makes all
 * octaves equally steep. One more octave adds detail and leaves the other octaves as they are.
 * SIMPLEX prefers no direction and uses more of its range: with the same amplitude and period it
 * has about twice the relief and three times the slopes of GRADIENT; VALUE has 1.6 times the relief
 * and 1.3 times the slopes. For RIDGED a small feedback keeps detail to the crests. With a
 * warp_amplitude hills flow and curl where the warp changes by about half a cell from cell to cell;
 * where it changes by more than a cell they fold over, and the call takes many times longer.
 * repeat_width and repeat_height make the world a torus (or a tube) without a seam.
 *
 * Writes every cell of `map`, reads none. Pointwise: every map is a crop of any larger one. All
 * heights are finite. cell_size plays no part. Memory: 48 KiB, and 76 KiB for each 64 rows, at most
 * 64 times; with a warp_amplitude 774 KiB for each 64 rows. Maps of 2^22 cells and more are written
 * past the processor's caches.
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
 * An octave's lattice row j lies where f y + origin = j; point k of row j lies where f x + shift of
 * the row = k. A point holds a gradient (gx, gy), of length sqrt(2) and any direction, and a value
 * h between -1 and 1. Rows 0 and 1 are above and below the cell, points 0 and 1 to its left and
 * right. In lattice cells, the cell is v below row 0, u to the right of point 0 in row 0, and w to
 * the right of point 0 in row 1. With s(t) = 6 t^5 - 15 t^4 + 10 t^3,
 *
 *     c(u, v) = 2/3 (gx u + gy v) + 1/3 h      of each point; of point k in row j it is ckj
 *     n       = (1-s(v)) ((1-s(u)) c00(u, v)   + s(u) c10(u-1, v))
 *                + s(v)  ((1-s(w)) c01(w, v-1) + s(w) c11(w-1, v-1))
 *
 * VALUE has c = h. PERLIN has the same shift for all rows of an octave and c = gx u + gy v: the
 * noise of "Improving Noise", but with more directions. PERLIN is 0 at all lattice points, so the
 * lattice shows, most of all in creases. Origin, shifts, gradients and values are hashes of seed,
 * octave, and row or point. u, v and w are exact to 2^-24 at every place of the world.
 *
 * SIMPLEX has a lattice of triangles of equal sides: its rows, too, are 1 apart, and the points of
 * a row 2 / sqrt(3) apart. Point k of row j lies where f sqrt(3)/2 x + shift = k; the shift is the
 * same for all even rows, and 1/2 more, modulo 1, for all odd ones. With gradients of length 1,
 *
 *     n = 81 sqrt(3) / 32 * sum of max(0, 1 - d^2)^4 (gx dx + gy dy)
 *
 * over all points, where (dx, dy) is the vector from the point to the cell and d its length; only
 * the two nearest points of row 0 and of row 1 are near enough to count. Each point's share is
 * round, so on average no direction is preferred, while GRADIENT, PERLIN and VALUE have more fine
 * detail along the axes.
 *
 * A warp_amplitude above 0 warps the domain: the height of cell (x, y) is the height that the
 * formulas above give for the position (x + e, y + s). e and s are two further noises, in cells:
 * FBM of GRADIENT with the period warp_period, warp_octaves octaves, lacunarity 2, gain 1/2, the
 * amplitude warp_amplitude, and hashes of their own. The products f e and f s are rounded to 24
 * bits, and so are their sums with the fractions of f x + shift and f y + origin.
 *
 * On a torus heights at x and x + repeat_width are equal. To that end f in x is replaced by m /
 * repeat_width, where m is f repeat_width rounded to a whole number from 1 to repeat_width / 2, and
 * lattice points are counted modulo m. In y the same is done with repeat_height. The nominal f
 * still decides whether an octave is left out. Where the repeats are multiples of period and
 * lacunarity is a whole number, f does not change. SIMPLEX has f sqrt(3)/2 instead of f in x; in y
 * its m is even, twice f repeat_height / 2 rounded, and repeat_height is at least 4. Its triangles
 * are stretched to fit, and d is measured on the lattice. The warp e and s repeats in the same
 * way. */
TERRAIN_API terrain_status terrain_generate_noise(terrain_context *context, terrain_heightmap *map,
                                                  const terrain_generate_noise_params *params);

/* ---- generate_radial ----------------------------------------------------------------------- */

/** The hill's profile f(t), from f(0) = 0 at the foot to f(1) = 1 at the top. */
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
    /** The middle of the hill in x, a world cell. Cells, -2^62 to 2^62; default 256. */
    int64_t centre_x;
    /** The middle of the hill in y. Cells, -2^62 to 2^62; default 256. */
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

/** Fills the map with one hill around a position in the world: an island to blend other maps with,
 * or, with amplitude 1, a mask. A negative amplitude makes a hollow. With the defaults the slope is
 * at most 0.56.
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
 * where d is the cell's distance from the centre in cells, by `metric`, and f is the curve. So
 * within `inner` of the centre the hill is `amplitude` high, and from `radius` on it is 0. */
TERRAIN_API terrain_status terrain_generate_radial(terrain_context *context, terrain_heightmap *map,
                                                   const terrain_generate_radial_params *params);

/* ---- generate_ridges ----------------------------------------------------------------------- */

/** How ridges turn. */
typedef uint32_t terrain_generate_ridges_mode;
enum {
    /** to one side and the other in turn, by random angles */
    TERRAIN_GENERATE_RIDGES_MODE_ALTERNATING = 0,
    /** all the time, by fractal noise */
    TERRAIN_GENERATE_RIDGES_MODE_FBM = 1
};

/** Where peaks are. */
typedef uint32_t terrain_generate_ridges_peaks;
enum {
    /** so many as fit into the frame, anywhere in it */
    TERRAIN_GENERATE_RIDGES_PEAKS_FRAME = 0,
    /** one in each square of the world, without end: tiles fit, and no frame is needed */
    TERRAIN_GENERATE_RIDGES_PEAKS_WORLD = 1
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
    /** Gets the ridges' heights, and NaN between them. NULL: not wanted. */
    terrain_heightmap *constraints;
    TERRAIN_POINTER_PAD(constraints_pad)
    /** Width of the frame, in which all ridges lie; 0: the map's own rectangle. Cells, 0 to
     * 268435456; default 0. */
    uint32_t frame_width;
    /** Height of the frame; 0 if and only if frame_width is 0. Cells, 0 to 268435456; default 0. */
    uint32_t frame_height;
    /** Mean distance between peaks: one peak for each square of this side. Cells, 8 to 1e6; default
     * 256. */
    float spacing;
    /** Height of the highest peaks above offset. Height, 0 to 1e9; default 100. */
    float amplitude;
    /** The lowest peaks are lower than the highest by this part of amplitude. 0 to 1; default
     * 0.4. */
    float variation;
    /** Height of the plain. Height, -1e9 to 1e9; default 0. */
    float offset;
    /** Ridges end where they rise less than this above the plain. Height, 0.001 to 1e9; default
     * 1. */
    float least;
    /** Standard deviation of a main ridge's profile: after this length 61 percent of its height are
     * left. Cells, 1 to 16384; default 128. */
    float length;
    /** Main ridges alone, with branches, or with branches of branches. 0 to 2; default 1. */
    uint32_t depth;
    /** Distance along a ridge between two pairs of branches. Cells, 1 to 65536; default 20. */
    uint32_t branch_spacing;
    /** A branch's length as a part of its parent's length. 0.01 to 1; default 0.5. */
    float branch_length;
    /** How ridges turn. Default ALTERNATING. */
    terrain_generate_ridges_mode mode;
    /** Distance along a ridge between two turns. Cells, 1 to 65536; default 8. */
    uint32_t turn_spacing;
    /** The largest turn. Degrees, 0 to 90; default 30. */
    float turn;
    /** Where peaks are. Default FRAME. */
    terrain_generate_ridges_peaks peaks;
    /** Must be 0. */
    uint32_t reserved;
} terrain_generate_ridges_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_ridges_params_init(terrain_generate_ridges_params *params, size_t size);

/** Draws mountain crests as lines, one cell wide, on a plain. From each peak two ridges run in
 * opposite directions and fall to the plain with the profile of a normal distribution; shorter
 * branches leave the ridges to both sides. A line ends at the plain, at the frame's edge, or where
 * it meets another line. To turn the lines into land, blur the map to find where rivers run, and
 * give `constraints`, which gets only the lines, to generate_midpoint, which fills in the land
 * between ridges and rivers.
 *
 * Useful values: lengths of an eighth to a quarter of the map's width; a branch_length of 0.25 to
 * 0.5; turn 0 makes straight lines, 45 crooked ones. An offset above the lowest height that you
 * want leaves room for rivers to cut.
 *
 * With peaks = FRAME, peaks belong to a frame: a rectangle of the world, frame_width by
 * frame_height cells from (frame_x, frame_y) on. Lines stay in the frame; beyond it there is plain.
 * The result depends only on the frame and the world cell, so a tile is a crop of the whole.
 * frame_width = frame_height = 0 takes the map's own rectangle, and then frame_x and frame_y don't
 * count. An endless world needs a frame.
 *
 * With peaks = WORLD there are peaks everywhere, one in each square of `spacing` by `spacing`
 * cells, and the result depends only on the world cell: any map is a crop of one endless land. The
 * frame plays no part. Ridges and their branches get at most
 *
 *     reach = length sqrt(2 ln(amplitude / least) (1 + branch_length^2 + branch_length^4))
 *
 * cells from their peak (with depth 1 without the last term, with depth 0 without the last two),
 * 434 with the defaults, at most 4094; all lines within reach are drawn for each tile, so large
 * tiles are cheaper per cell.
 *
 * Writes every cell of `map`, and of `constraints` if that is given; reads none. All heights are
 * finite; cells of `constraints` are finite or NaN. cell_size plays no part. All lines of the
 * frame, or within reach, are drawn anew for each tile: 10 to 50 ns for each cell of a line.
 * Threads share them where they are not dense.
 * Memory: 8 bytes for each cell of the frame, or within reach of the map, of which there are at
 * most 2^28; 24 bytes for each cell of the longest possible ridge; for lines, with a frame 16 bytes
 * for each of its cells, and without one 253 bytes for each line that may be drawn at a time. A
 * frame has at most one line for each 16 cells; branches beyond that are left out. Errors: those of
 * terrain_operation_apply; RANGE if one of frame_width and frame_height is 0 and the other is not,
 * if the frame has more than 2^28 cells, or with peaks = WORLD if reach is more than 4094 or more
 * than 2^18 lines may be drawn at a time around a cell; UNSUPPORTED if the map itself is the frame,
 * or with what lies within reach has more than 2^28 cells, or if around the map 2^32 lines or more
 * may be drawn at a time. Since 0.2.
 *
 * Definition. With peaks = FRAME the number of peaks is max(1, frame_width frame_height /
 * spacing^2), rounded. They lie at random points of the frame, at heights H = amplitude (1 -
 * variation u) above offset, with a random u, 0 <= u < 1. A peak on a line's cell, or lower than
 * `least`, is left out. From each peak two lines begin, in opposite random directions. Lines take a
 * step each in turn, in the order in which they were created, until all have stopped. A step of a
 * line:
 *
 *     turn     ALTERNATING: before every turn_spacing-th step its direction turns by a random angle
 *              of at most `turn`, to one side and the other in turn. FBM: its direction is the
 *              first one, turned by 2 turn (n(t) + n(2 t) / 2 + n(4 t) / 4), t = steps / (4
 *              turn_spacing), where n is linear between random numbers in [-1, 1) at whole t, 0 at
 *              0
 *     rise     after s steps a line of level l is H exp(-s^2 / (2 w^2)) above offset, w = length
 *              branch_length^l. It stops before the step after which that is below `least`
 *     advance  by one cell in its direction. Where both column and row change, it also enters the
 *              cell between, across the side that it crosses first; both get the height after the
 *              step
 *     stop     at a cell outside the frame, or at a cell of another line whose height there is not
 *              the same to the bit. But it crosses itself, and in its first three steps also its
 *              parent and the other line of its peak: such a cell keeps the greater height
 *     branch   after every branch_spacing-th step, if its level is below `depth`, two lines of the
 *              next level begin there, at right angles to both sides, with its present rise as
 *              their H
 *
 * With peaks = WORLD the square (i, j) reaches from the point (i spacing, j spacing), in cells, to
 * that of (i + 1, j + 1). Its peak is a random point of it; of two peaks in a cell the later one,
 * by rows of squares, is left out. All lines take a step at a time: they look at what was drawn
 * before, and only then enter their cells. So where several come to a cell with the same step, none
 * stops there; the cell gets the greatest of their heights, and belongs to the line that was
 * created first: with an earlier step, from an earlier peak or parent, or first of its pair. */
TERRAIN_API terrain_status terrain_generate_ridges(terrain_context *context, terrain_heightmap *map,
                                                   const terrain_generate_ridges_params *params);

/* ---- generate_spectral --------------------------------------------------------------------- */

typedef struct terrain_generate_spectral_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** The pattern repeats after so many cells in x and y; a power of two. Cells, 32 to 4096;
     * default 512. */
    uint32_t repeat;
    /** Wavelength of the largest features: waves longer than this are no higher. Cells, 2 to 1e6;
     * default 512. */
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
 * surface has no preferred position or direction, no lattice and no creases; all its statistics
 * follow from the spectrum. Use it where statistics must be known, or for a torus.
 *
 * Useful values: beta is 2 + 2 H for a surface with the Hurst exponent H and the fractal dimension
 * 3 - H: 3 is rugged, 4 smooth. Waves longer than `period` are no higher than waves of that length,
 * so hills don't grow with the pattern. A whole pattern is computed, whatever the map's size: with
 * P = repeat that takes about P^2 log P operations, 4 P^2 bytes, and up to 5 KiB P more. A repeat
 * near the size of the maps or tiles is best. On 512 by 512 cells the defaults give a relief of
 * about 73 and slopes of about 0.7.
 *
 * Writes every cell of `map`, reads none. The pattern repeats every P cells in x and y, anywhere in
 * the world: every map is a crop of any larger one, and a map of P by P cells is a torus. For land
 * that doesn't repeat use terrain_generate_noise. All heights are finite, and off by less than 1e-5
 * of the amplitude. cell_size plays no part.
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
    /** Gets the random number of the nearest point, at least 0 and below 1. NULL: not wanted. */
    terrain_heightmap *id;
    TERRAIN_POINTER_PAD(id_pad)
    /** Mean distance between points: one point for each square of this side. Cells, 2 to 65536;
     * default 128. */
    uint32_t spacing;
    /** How far points may lie from the middle of their square; 0 is a regular lattice. 0 to 1;
     * default 1. */
    float jitter;
    /** How distance is measured. Default EUCLIDEAN. */
    terrain_metric metric;
    /** Weight of the distance to the nearest point. -16 to 16; default -1. */
    float c1;
    /** Weight of the distance to the second nearest point. -16 to 16; default 1. */
    float c2;
    /** Weight of the distance to the third nearest point. -16 to 16; default 0. */
    float c3;
    /** Factor of the weighted sum in the height. -16 to 16; default 1. */
    float linear;
    /** Factor of the weighted sum's square in the height. -16 to 16; default 0. */
    float quadratic;
    /** By what part, at most, a point's cell is lowered; leaves walls unless c1 = -c2 and c3 = 0. 0
     * to 1; default 0. */
    float variation;
    /** Scale of the heights. Height, -1e9 to 1e9; default 85. */
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

/** Fills the map with cellular noise (Worley noise): heights made from the distances to the nearest
 * of scattered points. It makes hills with passes between them, or ridges around hollows. On 512 by
 * 512 cells the defaults give a relief of about 85 and slopes of about 0.95.
 *
 * Useful values: c1 = -1, c2 = 1 (the default) is 0 exactly halfway between two points and rises
 * towards each point: hills with passes between them, to which variation (say 0.5) gives different
 * heights. With other weights the height halfway is not 0, and any variation leaves a wall between
 * two cells; so the default of variation is 0. c1 = 1 alone makes a pit around each point, and
 * ridges between points; add `quadratic` for gentler slopes. jitter 0 is a regular lattice; smaller
 * jitter makes cells of more equal size.
 *
 * `id`, if given, receives the id of the nearest point: a number for each cell of the pattern, to
 * choose some cells at random (id < 0.3 is 30 % of them). Two cells have the same id with a
 * probability of 2^-24.
 *
 * repeat_width and repeat_height make the world a torus (or a tube). Time grows where spacing is
 * below 32.
 *
 * Writes every cell of `map` and `id`, reads none. Pointwise: every map is a crop of any larger
 * one. Positions and their differences are exact everywhere in the world; distances have a relative
 * error below 2^-22. All heights are finite. cell_size plays no part. Memory: 71 KiB for each 64
 * rows, at most 64 times.
 * Errors: those of terrain_operation_apply; RANGE if a repeat is no multiple of spacing. Since 0.1.
 *
 * Definition. The points belong to the world: each square (i, j) of `spacing` by `spacing` cells
 * has one, at
 *
 *     x = spacing (i + 1/2 + jitter (u - 1/2)),   y = spacing (j + 1/2 + jitter (v - 1/2))
 *
 * in world cells, where u, v and the point's id, all at least 0 and below 1, are hashes of seed, i
 * and j. u and v are multiples of 2^-16, and ids of 2^-24; with the largest k for which spacing *
 * 2^k <= 65536, first spacing * jitter and then x and y are rounded down to multiples of 2^-k. With
 * the distances d1 <= d2 <= d3 of a cell from its nearest three points, in units of spacing (for
 * the squared metric, of spacing^2),
 *
 *     s = c1 d1 + c2 d2 + c3 d3
 *     h = offset + amplitude (1 - variation * id) (linear s + quadratic s^2)
 *
 * where id belongs to the nearest point; of equally near points, to the one with the lesser j, then
 * the lesser i. The three points are the nearest of all, at any jitter; the published method looked
 * only at the 3 by 3 squares around a cell's own.
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
