/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape: changes heights cell by cell, or the grid that they lie on. */

#ifndef TERRAIN_SHAPE_H
#define TERRAIN_SHAPE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shape_breach -------------------------------------------------------------------------- */

typedef struct terrain_shape_breach_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Gets how much lower each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *depth;
    TERRAIN_POINTER_PAD(depth_pad)
    /** The slope of the channels; 0: level. Slope, 0 to 100; default 0. */
    float slope;
    /** A channel that would have to be deeper than this somewhere is not cut. Height, 0 to
     * infinity; default infinity. */
    float most_depth;
    /** A channel that would have to be longer than this is not cut; 0: any length. Cells, 0 to
     * 65535; default 0. */
    uint32_t most_length;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
} terrain_shape_breach_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_breach_params_init(terrain_shape_breach_params *params,
                                                            size_t size);

/** Breaches depressions: cuts channels out of them until water runs off everywhere. A channel leads
 * from the lowest cell of a depression along its bed, through the lowest point of the dam, and on
 * until the land is lower. Where terrain_shape_fill turns depressions into plains, this cuts gorges
 * at their outlets, one cell wide, and changes far fewer cells. Outlets are those of
 * terrain_shape_fill.
 *
 * With limits, a channel is not cut at all if it would have to be deeper than most_depth somewhere,
 * or lower more than most_length cells; apply terrain_shape_fill afterwards for the depressions
 * that remain. Without limits none remain: with slope 0, terrain_shape_fill would change no cell.
 *
 * Reads and writes `map`, in place. Every cell may depend on every other. In a world, which needs
 * rim OPEN, the result is computed on the regions of terrain_shape_fill, and combined as there, by
 * the minimum: a channel that fits into 128 x 128 cells together with the depression that it opens,
 * and is at most 128 cell sizes deep, is cut as on any bounded map around it, but for ties. Longer
 * ones may be cut in part, or twice, by two ways. `depth` gets how much each cell was lowered. NaN
 * stays NaN. Mirrored or rotated maps give the mirrored or rotated result but for ties. With
 * limits, time grows with the length of the channels.
 * Memory: up to 37 bytes a cell, 3 KiB for each row and column, and 64 KiB; more with a mask. At
 * most 2^30 cells. params may be NULL for the defaults. Errors: those of terrain_operation_apply;
 * UNSUPPORTED if there are more cells. Since 0.2.
 *
 * Definition. Flow directions are those of terrain_analyze_flow with routing CARVE and method D8.
 * From each pit p of the map (a pit before routing reversed any flow) a line runs along the flow
 * path. Its height is h(p) at p, and falls from each cell to the next by slope * cell_size, or by
 * sqrt(2) times that across a corner, with products and differences rounded to float. It ends
 * before the first cell whose height is below the line, or with the path. A cell's result is the
 * minimum of its height and of the lines that run through it. Regions of a world are those of
 * terrain_shape_fill. */
TERRAIN_API terrain_status terrain_shape_breach(terrain_context *context, terrain_heightmap *map,
                                                const terrain_shape_breach_params *params);

/* ---- shape_clamp --------------------------------------------------------------------------- */

typedef struct terrain_shape_clamp_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Lower heights become this. Height, -infinity to infinity; default -infinity. */
    float low;
    /** Higher heights become this. Height, -infinity to infinity; default infinity. */
    float high;
} terrain_shape_clamp_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_clamp_params_init(terrain_shape_clamp_params *params,
                                                           size_t size);

/** Clamps heights to a range: lower heights become the lower end, higher heights the upper end. The
 * defaults change nothing.
 *
 * Reads and writes `map`, in place; pointwise; no borders. NaN stays NaN. Needs no memory without a
 * mask. params may be NULL for the defaults, which change nothing.
 * Errors: those of terrain_operation_apply; RANGE if low is above high. Since 0.1.
 *
 * Definition. h' = min(max(h, low), high). */
TERRAIN_API terrain_status terrain_shape_clamp(terrain_context *context, terrain_heightmap *map,
                                               const terrain_shape_clamp_params *params);

/* ---- shape_fill ---------------------------------------------------------------------------- */

typedef struct terrain_shape_fill_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Gets how much higher each cell is afterwards. NULL: not wanted. */
    terrain_heightmap *depth;
    TERRAIN_POINTER_PAD(depth_pad)
    /** Gets a number for each lake, 0 on land. NULL: not wanted. */
    terrain_heightmap *lakes;
    TERRAIN_POINTER_PAD(lakes_pad)
    /** The slope of filled ground towards its outlet; 0: level. Slope, 0 to 100; default 0. */
    float slope;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
} terrain_shape_fill_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_fill_params_init(terrain_shape_fill_params *params,
                                                          size_t size);

/** Fills depressions until water runs off everywhere: each is raised to the height where it spills,
 * and no farther. Outlets are the cells at the edge of the map, unless rim is CLOSED, and cells
 * that are NaN. A closed map without NaN has one outlet: its lowest cell, or of several equally low
 * cells the one with the least y, then the least x.
 *
 * With slope 0 depressions become level: no height appears that the map did not have. A small
 * slope, 0.001, say, makes filled ground fall towards its outlet, so that each cell but an outlet
 * has a neighbour that is lower by at least that slope; other land that falls more gently is
 * raised, too.
 *
 * `depth` gets how much was added, which is the depth of the lake that would stand there, and 0
 * elsewhere. `lakes` gets a number above 0 and below 1 for each lake. A lake is a set of cells
 * raised by the level fill that touch each other, also at corners, and have one level. Its number
 * is a hash of the lake's lowest cell in the world; two lakes have the same number with a
 * probability of 2^-23. With a slope, lakes are those of slope 0.
 *
 * Reads and writes `map`, in place. Every cell may depend on every other. In a world, which needs
 * rim OPEN, the result is computed on regions (see below). A depression is then filled as on any
 * bounded map around it if it fits, together with the cell where it spills, into 128 x 128 cells,
 * and is at most 128 cell sizes deep. A larger depression is filled in part and may keep cells
 * without a lower neighbour: no tile can know how far it goes on. NaN stays NaN; infinite heights
 * are like any others, but without a finite level a lake's depth is infinite. Mirrored or rotated
 * maps give the mirrored or rotated result to the last bit, except for the lakes' numbers. The time
 * grows with the number of cells alone; with a slope it is several times as long. Memory: up to 23
 * bytes a cell, usually half of it in use, 2 more for lakes and 22 with a slope; 3 KiB for each row
 * and column, and 64 KiB; more with a mask. At most 2^30 cells. params may be NULL for the
 * defaults. Errors: those of terrain_operation_apply; UNSUPPORTED if there are more cells. Since
 * 0.2.
 *
 * Definition. A path leads from an outlet from cell to cell, each one of the eight neighbours of
 * the one before. Along it, let
 *
 *     v = h at the outlet, -infinity if that is NaN;   v' = max(h', v + slope * d)
 *
 * where h' is the next cell's height, d = cell_size across a side, sqrt(2) cell_size across a
 * corner, and the products and the sum are rounded to float. A cell's result is the least v of all
 * paths to it; since rounded sums are monotone, it does not depend on how it is found. Where the
 * result equals h, h stays to the last bit; otherwise a result of 0 is never -0.
 *
 * In a world, region (i, j) is the map of 1024 x 1024 cells whose first one is (512 i, 512 j). With
 * k the greater of |2 x + 1 - 1024| and |2 y + 1 - 1024|, where x and y are counted from that cell,
 * and c = 128 cell_size, the result is the minimum of all regions' results + ramp, rounded to
 * float,
 *
 *     ramp = 0 for k < 512,   c * ((k - 512) / (1024 - k)) beyond, each step rounded to float
 *
 * without the regions in which k is 1023. depth and lakes come from the region with k < 512. */
TERRAIN_API terrain_status terrain_shape_fill(terrain_context *context, terrain_heightmap *map,
                                              const terrain_shape_fill_params *params);

/* ---- shape_perturb ------------------------------------------------------------------------- */

/** How terrain_shape_perturb finds a height between cells. */
typedef uint32_t terrain_shape_perturb_filter;
enum {
    /** linear between 2 x 2 cells: no new highs or lows */
    TERRAIN_SHAPE_PERTURB_FILTER_BILINEAR = 0,
    /** Catmull-Rom through 4 x 4 cells: smooth slopes, may overshoot */
    TERRAIN_SHAPE_PERTURB_FILTER_BICUBIC = 1,
    /** bicubic, clamped to the cells around: never overshoots */
    TERRAIN_SHAPE_PERTURB_FILTER_BICUBIC_CLAMPED = 2
};

typedef struct terrain_shape_perturb_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Replaces the noise: how many cells to the right of each cell its height is taken from. NULL:
     * none. */
    const terrain_heightmap *shift_x;
    TERRAIN_POINTER_PAD(shift_x_pad)
    /** Replaces the noise: how many cells below each cell its height is taken from. NULL: none. */
    const terrain_heightmap *shift_y;
    TERRAIN_POINTER_PAD(shift_y_pad)
    /** The largest shift. Cells, 0 to 1024; default 64. */
    float reach;
    /** Size of the noise's features, a power of two. Cells, 2 to 65536; default 128. */
    uint32_t period;
    /** Octaves of noise, each with half the size of the one before, down to single cells. 1 to 17;
     * default 5. */
    uint32_t octaves;
    /** Factor of the amplitude from octave to octave. 0 to 1; default 0.5. */
    float gain;
    /** How heights between cells are interpolated. Default BICUBIC_CLAMPED. */
    terrain_shape_perturb_filter filter;
    /** What lies beyond the edge of a bounded map. Default MIRROR. */
    terrain_border border;
} terrain_shape_perturb_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_perturb_params_init(terrain_shape_perturb_params *params,
                                                             size_t size);

/** Warps the map (domain warp, Olsen's perturbation filter): takes each height from a position that
 * noise has shifted. Straight ridges wander, round hills become ragged.
 *
 * Useful values: a reach of half the period. Where the noise changes by more than a cell from one
 * cell to the next (the reach is too large for the period), the land folds: the same land appears
 * twice, or mirrored. Shifts of whole cells move heights exactly, and a reach of 0 changes nothing.
 * BICUBIC overshoots by up to a quarter of a cliff's height. shift_x and shift_y replace the noise
 * by maps of your own.
 *
 * Reads and writes `map`, in place; reads cells up to ceil(reach) away, one farther if bicubic.
 * border says what lies beyond the edge of a bounded map: CLAMP (whose streaks show), MIRROR, WRAP,
 * or OPEN, which reads 0 there. In an endless world border has no effect. The noise doesn't repeat:
 * a torus stays a torus only with WRAP and with shift_x and shift_y that are tori, too. NaN and
 * infinity spread to the cells that read them.
 * Memory: 2 reach + 71 rows of the map, in parts of 256 columns or more, usually 512, each with
 * reach + 2 cells on both sides; these cells for all rows, at most as many as the map has; and up
 * to 64 times 100 KiB. Errors: those of terrain_operation_apply; RANGE if period is no power of
 * two; UNSUPPORTED if the map has more than about 2^37 / (2 reach + 71) columns. Since 0.1.
 *
 * Definition.
 *
 *     h'(x, y) = h(x + sx(x, y), y + sy(x, y))
 *
 * The shifts sx and sy, in cells, come from two independent noises n from -1 to 1, as
 *
 *     reach t (3 - t^2) / 2,   t = 1.5 n, clamped to [-1, 1]
 *
 * which are half the reach or less on three quarters of the land; or they are shift_x and shift_y,
 * clamped to +-reach, where NaN counts as 0.
 *
 * The noise is made by square subdivision (Miller 1986). Level 0 has squares of `period` cells,
 * which lie at multiples of period; each has a random number. Each level k = 1, 2, ... cuts each
 * square into four quarters, until squares are single cells. A quarter's number is
 *
 *     (9 a + 3 b + 3 c + d) / 16 + gain^k r
 *
 * where a is the number of the square that was cut, b and c are the numbers of its neighbours that
 * the quarter touches with an edge, and d of the neighbour that it touches with a corner; r is a
 * new random number, or 0 on levels from `octaves` on. n is the last level's number divided by the
 * sum of gain^k over the levels that have random numbers. A random number is (2 b + 1) / 2^16 - 1,
 * where b is the upper 16 bits (for sx) or the lower 16 bits (for sy) of a hash of seed, level, and
 * the square's column and row on its level.
 *
 * With c the cell at or before a position and t its distance from there, in float, in x, then in y,
 *   BILINEAR         h(c) + t (h(c + 1) - h(c)), clamped to the range from h(c) to h(c + 1) against
 *                    rounding: no height of the result lies outside the range of the map's heights
 *   BICUBIC          h(c) + a (h(c - 1) - h(c)) + b (h(c + 1) - h(c)) + d (h(c + 2) - h(c)), where
 *                    a = (-t + 2t^2 - t^3) / 2, b = (t + 4t^2 - 3t^3) / 2, d = (-t^2 + t^3) / 2
 *   BICUBIC_CLAMPED  as BICUBIC, clamped to the range from h(c) to h(c + 1) in x, and again in y
 * A position that falls on a cell (t = 0) takes that cell's height as it is. */
TERRAIN_API terrain_status terrain_shape_perturb(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_shape_perturb_params *params);

/* ---- shape_remap --------------------------------------------------------------------------- */

/** Where terrain_shape_remap takes the range that it maps from. */
typedef uint32_t terrain_shape_remap_mode;
enum {
    /** from_low and from_high */
    TERRAIN_SHAPE_REMAP_MODE_GIVEN = 0,
    /** the finite minimum and maximum of the map */
    TERRAIN_SHAPE_REMAP_MODE_FOUND = 1
};

typedef struct terrain_shape_remap_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** The height that becomes to_low. Height, -1e30 to 1e30; default 0. */
    float from_low;
    /** The height that becomes to_high. Height, -1e30 to 1e30; default 1. */
    float from_high;
    /** What from_low becomes. Height, -1e30 to 1e30; default 0. */
    float to_low;
    /** What from_high becomes. Height, -1e30 to 1e30; default 1. */
    float to_high;
    /** Where the source range comes from: from_low and from_high, or the map's own range. Default
     * GIVEN. */
    terrain_shape_remap_mode mode;
    /** Whether to clamp the result to the target range. 0 or 1; default 0. */
    uint32_t clamp;
} terrain_shape_remap_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_remap_params_init(terrain_shape_remap_params *params,
                                                           size_t size);

/** Maps one range of heights to another, linearly; to_low above to_high turns the land upside down.
 * With `clamp` the result is clamped to the target range: then both ends are reached exactly, and
 * greater heights never become the lesser ones.
 *
 * In mode FOUND, from_low and from_high are the smallest and largest finite height of the whole
 * map, whatever the mask, and the result is always clamped. A map of one height becomes to_low.
 * Beware: with FOUND the result depends on every cell. Tiles that are each remapped by their own
 * range don't fit together, which is the classic cause of seams; so FOUND cannot be used in an
 * endless world. Where you know the terrain's relief, use GIVEN.
 *
 * Reads and writes `map`, in place; pointwise with GIVEN, global with FOUND; no borders. NaN stays
 * NaN. Infinite heights stay infinite, or become the end of the range that they are clamped to; but
 * they become NaN where scale is 0. Memory: 64 KiB without a mask. params may be NULL for the
 * defaults, which change nothing. Errors: those of terrain_operation_apply; RANGE if from_low and
 * from_high are equal and GIVEN. Since 0.1.
 *
 * Definition. h' = to_low + (h - from_low) * scale, where scale = (to_high - to_low) / (from_high -
 * from_low), rounded so that from_high becomes to_high or overshoots it by a few units in the last
 * place, but never falls short of it. */
TERRAIN_API terrain_status terrain_shape_remap(terrain_context *context, terrain_heightmap *map,
                                               const terrain_shape_remap_params *params);

/* ---- shape_resample ------------------------------------------------------------------------ */

/** How terrain_shape_resample finds a height between cells. */
typedef uint32_t terrain_shape_resample_filter;
enum {
    /** the nearest cell; halfway, the one with the greater coordinate */
    TERRAIN_SHAPE_RESAMPLE_FILTER_NEAREST = 0,
    /** linear between 2 x 2 cells: leaves creases when it enlarges */
    TERRAIN_SHAPE_RESAMPLE_FILTER_BILINEAR = 1,
    /** Catmull-Rom through 4 x 4 cells: smooth slopes, may overshoot */
    TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC = 2,
    /** the mean over a square as wide as step: for steps above 1 */
    TERRAIN_SHAPE_RESAMPLE_FILTER_AREA = 3
};

typedef struct terrain_shape_resample_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Source cells per result cell: below 1 enlarges. Cells, 0.0625 to 1024; default 1. */
    float step;
    /** How heights between cells are interpolated; AREA for steps above 1. Default BICUBIC. */
    terrain_shape_resample_filter filter;
} terrain_shape_resample_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_resample_params_init(terrain_shape_resample_params *params,
                                                              size_t size);

/** Resamples a map to a grid whose cells are `step` times as wide: below 1 it enlarges, above 1 it
 * shrinks. `result` may have any size and any position in the world;
 * terrain_operation_result_window reports the window that covers the source. Results of
 * neighbouring sources are neighbours.
 *
 * Useful values: BICUBIC to enlarge, AREA to shrink. With steps above 1 NEAREST, BILINEAR and
 * BICUBIC skip cells of the source, and alias; AREA doesn't. A step of 1 copies.
 *
 * Reads `map`, writes all of `result`, whose cell size becomes cell_size * step. Borders: cells
 * beyond the edge are as high as the edge. A plane is reproduced, but for rounding, wherever no
 * cells beyond the edge are needed. NaN and infinity spread to every cell that reads them.
 * Memory: some 50 bytes for each column of the result, up to 64 rows of the source (twice that for
 * AREA with steps above 8), as many rows of a large result, and a second result where the call
 * takes long and could be cancelled. At most 2^30 columns. params may be NULL for the defaults,
 * which copy. Errors: those of terrain_operation_apply, but map and result may differ in size;
 * UNSUPPORTED if there are more columns; RANGE if cell_size * step is not in [1e-6, 1e9]. Not
 * promised: the same bits after flips and rotations, since positions are counted from the world's
 * origin. Since 0.1.
 *
 * Definition. The cell of `result` at world coordinates (X, Y) becomes the height at the position
 * (X * step, Y * step) of the source's world: the product is exact anywhere within +-2^62, so that
 * tiles are crops of larger results. The result that covers a source holds every X with x <= X *
 * step < x + width, which is ceil(width / step) cells where x is 0.
 *
 * Let c be the cell at or before the position and t in [0, 1) its distance from there, in float.
 * Along each axis, rows first (y, then x):
 *   NEAREST   h(c) where t < 1/2, otherwise h(c + 1)
 *   BILINEAR  h(c) + t (h(c + 1) - h(c))
 *   BICUBIC   h(c) + a (h(c - 1) - h(c)) + b (h(c + 1) - h(c)) + d (h(c + 2) - h(c)), where
 *             a = (-t + 2t^2 - t^3) / 2, b = (t + 4t^2 - 3t^3) / 2, d = (-t^2 + t^3) / 2
 *   AREA      for step > 1 the mean, over the interval of length step around the position, of the
 *             surface that BILINEAR describes; for step <= 1 the same as BILINEAR. Up to a step of
 *             8 it is taken in float: at most 8e-6 off where heights are within +-100
 * A position that falls on a cell (t = 0) takes that cell's height as it is and reads no other,
 * except in AREA's means. */
TERRAIN_API terrain_status terrain_shape_resample(terrain_context *context,
                                                  const terrain_heightmap *map,
                                                  terrain_heightmap *result,
                                                  const terrain_shape_resample_params *params);

/* ---- shape_strata -------------------------------------------------------------------------- */

typedef struct terrain_shape_strata_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Gets each cell's layer, counted from 0. NULL: not wanted. */
    terrain_heightmap *layer_id;
    TERRAIN_POINTER_PAD(layer_id_pad)
    /** Gets the hardness of each cell's layer, 0 to 1. NULL: not wanted. */
    terrain_heightmap *layer_hardness;
    TERRAIN_POINTER_PAD(layer_hardness_pad)
    /** The thickness of each layer, from below; the layers repeat. 14, 6, 9, 4 without it. Height,
     * 0.001 to 1e6 each; NULL for the default. */
    const float *thickness;
    TERRAIN_POINTER_PAD(thickness_pad)
    /** The hardness of each layer, repeated as needed. 0.1, 0.9, 0.3, 1 without it. 0 to 1 each;
     * NULL for the default. */
    const float *hardness;
    TERRAIN_POINTER_PAD(hardness_pad)
    /** How many numbers thickness has, at most 64. */
    uint32_t thickness_count;
    /** How many numbers hardness has, at most 64. */
    uint32_t hardness_count;
    /** How much the layers change the heights: 0 not at all. 0 to 1; default 0.8. */
    float strength;
    /** How much steeper the foot of the hardest layer becomes, and how much flatter its top. 1 to
     * 1000; default 8. */
    float sharpness;
    /** How much all layers are lifted. Height, -1e6 to 1e6; default 0. */
    float offset;
    /** How steeply the layers rise towards greater x. Slope, -100 to 100; default 0. */
    float tilt_x;
    /** How steeply the layers rise towards greater y. Slope, -100 to 100; default 0. */
    float tilt_y;
    /** About how far folds lift and lower the layers. Height, 0 to 1e6; default 5. */
    float fold_amplitude;
    /** About how far folds are apart. Cells, 1 to 65536; default 256. */
    uint32_t fold_period;
    /** Must be 0. */
    uint32_t reserved;
} terrain_shape_strata_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_strata_params_init(terrain_shape_strata_params *params,
                                                            size_t size);

/** Lets layers of rock show in the relief: a hard layer becomes a cliff with a bench on its top, a
 * soft layer a concave slope that steepens upwards. No height leaves its layer. Layers may be
 * tilted and folded. Give layer_hardness to erode_thermal as its hardness, in mode LAYERS.
 *
 * Useful values: thicknesses of a tenth of the relief; hardness near 0 or 1 for layers that differ
 * clearly; a strength below 1 to keep some of the land's own form. strength 0 or sharpness 1
 * changes nothing.
 *
 * layer_id gets the index of the layer in which the height lies, before and after; layer_hardness
 * gets that layer's hardness k. The mask has no effect on either.
 * Tilts are exact at any distance: the layers' rise from cell to cell is rounded to a multiple of
 * 2^-64 T, and their height at a cell to a multiple of 2^-24 T. Without tilt and folds h' depends
 * on h alone. A greater height never becomes the lesser one, but for rounding of some 2^-24 T,
 * multiplied by g at a layer's foot: 2e-5 for the default layers, however high h is.
 * Reads and writes `map`, in place; pointwise; no borders. NaN and infinite heights stay; layer_id
 * and layer_hardness are NaN there. Memory: 64 KiB, or with a fold_amplitude 16 rows of the map for
 * each 64, at most 64 times. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. The layers of `thickness`, whose sum is T, lie on top of each other from the lowest,
 * layer 0, and repeat above and below without end. Layer i has the hardness k = hardness[i %
 * hardness_count]. Where an array is not given, its default counts. At world cell (x, y) layer 0
 * begins at the height
 *
 *     offset + cell_size (tilt_x x + tilt_y y) + fold_amplitude n(x, y)
 *
 * and at every multiple of T above and below that. A height h in a layer of thickness t that begins
 * at the height b becomes
 *
 *     h' = h + strength t (g u / (1 + (g - 1) u) - u),  u = (h - b) / t,  g = sharpness^(2 k - 1)
 *
 * which is Schlick's bias: within the layer it is smooth and rises from end to end, g times as
 * steep as before at its foot and 1 / g times at its top. So a hardness of 0.5 changes nothing, and
 * where the softest rock lies under the hardest the profile has no kink.
 *
 * n is noise with a node at each cell whose coordinates are multiples of fold_period. A node has a
 * value and two slopes, east and south, all in (-1, 1), which are hashes of seed and node. They
 * make a plane: at (p, q) fold periods from the node it is value + east p + south q. Between four
 * nodes n is interpolated from their planes by s(t) = 6 t^5 - 15 t^4 + 10 t^3, down and across; it
 * lies within (-2, 2), most often within (-0.8, 0.8). */
TERRAIN_API terrain_status terrain_shape_strata(terrain_context *context, terrain_heightmap *map,
                                                const terrain_shape_strata_params *params);

/* ---- shape_terrace ------------------------------------------------------------------------- */

typedef struct terrain_shape_terrace_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** The heights of the treads, in rising order; without it, all multiples of spacing. Height,
     * -1e6 to 1e6 each; NULL for the default. */
    const float *levels;
    TERRAIN_POINTER_PAD(levels_pad)
    /** How many numbers levels has, at most 64. */
    uint32_t levels_count;
    /** The height from tread to tread. Height, 0.001 to 1e6; default 12. */
    float spacing;
    /** How much all treads are lifted. Height, -1e6 to 1e6; default 0. */
    float offset;
    /** How much steeper risers become, and how much flatter treads; 1: not at all. 1 to 1000;
     * default 6. */
    float sharpness;
} terrain_shape_terrace_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_terrace_params_init(terrain_shape_terrace_params *params,
                                                             size_t size);

/** Cuts terraces: flat treads at certain levels, and a riser midway between any two of them. The
 * levels are offset + i spacing for all integers i, or offset + levels[i]; below the first and
 * above the last of `levels` nothing changes. A larger sharpness makes flatter treads and steeper
 * risers.
 *
 * Reads and writes `map`, in place; pointwise; no borders. NaN and infinite heights stay.
 * Memory: 64 KiB without a mask. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply; RANGE if levels don't rise, or if there is only one.
 * Since 0.1.
 *
 * Definition. A height h between the levels a and b, with u = (h - a) / (b - a), becomes
 *
 *     h' = a + (b - a) w(u),   w(u) = v(2 u) / 2 for u < 1/2, otherwise 1 - v(2 - 2 u) / 2
 *     v(t) = t / (s + (1 - s) t),  s = sharpness
 *
 * which is Schlick's gain: 1 / sharpness times as steep as before on a level, sharpness times
 * midway. A level stays what it is. Between levels h' rises with h without a kink. */
TERRAIN_API terrain_status terrain_shape_terrace(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_shape_terrace_params *params);

#ifdef __cplusplus
}
#endif

#endif
