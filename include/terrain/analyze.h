/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze: reads a map and fills another. */

#ifndef TERRAIN_ANALYZE_H
#define TERRAIN_ANALYZE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* hillshade, normals and slope look at each cell and its eight neighbours. Their gradient is
 * Horn's: with the heights nw n ne / w h e / sw s se around a cell,
 *
 *     east  = ((se - nw) + (ne - sw) + 2 (e - w)) / (8 cell_size)
 *     south = ((se - nw) - (ne - sw) + 2 (s - n)) / (8 cell_size)
 *
 * the slope towards greater x and towards greater y, rise over run. Beyond the edge of the map the
 * surface goes on straight: a missing neighbour is h + (h - o), with the cell h at the edge and the
 * cell o on its other side; beyond a corner it is a + b - h, with its two neighbours a and b beyond
 * the edges; where there is no other side it is h. So a plane has the same slope everywhere, and a
 * map of one cell none. Flips and quarter turns of the map give the same bits, flipped and turned.
 * Differences of heights beyond 3.4e38 are infinite, and the gradient may then be NaN. */

/* ---- analyze_band -------------------------------------------------------------------------- */

typedef struct terrain_analyze_band_params {
    uint32_t struct_size;
    uint32_t flags;
    /** The range's lower end. Height, -infinity to infinity; default 0. */
    float low;
    /** The range's upper end. Height, -infinity to infinity; default infinity. */
    float high;
    /** How far beyond an end the mask falls to 0. Height, 0 to 1e30; default 4. */
    float falloff;
    /** Must be 0. */
    uint32_t reserved;
} terrain_analyze_band_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_band_params_init(terrain_analyze_band_params *params,
                                                            size_t size);

/** Makes a mask: 1 where the height is within [low, high], 0 where it is `falloff` or more away
 * from that range, and smoothly between. What the map holds may be anything; after analyze_slope it
 * is a mask by slope.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Pointwise; no borders. NaN gives NaN, which counts as 0 where the result serves as a
 * mask; infinity is as any number, and within a range that ends with it. Needs no memory. params
 * may be NULL for the defaults. Errors: those of terrain_operation_apply; RANGE if low is above
 * high. Since 0.1.
 *
 * Definition. 1 - (3 t^2 - 2 t^3), t being the distance from the range divided by falloff, cut to 0
 * ... 1. */
TERRAIN_API terrain_status terrain_analyze_band(terrain_context *context,
                                                const terrain_heightmap *map,
                                                terrain_heightmap *result,
                                                const terrain_analyze_band_params *params);

/* ---- analyze_basins -------------------------------------------------------------------------- */

/** What happens where nothing is lower. */
typedef uint32_t terrain_analyze_flow_routing;
enum {
    /** hollows are full: straight across their lakes */
    TERRAIN_ANALYZE_FLOW_ROUTING_FILL = 0,
    /** along their beds and over their lowest pass */
    TERRAIN_ANALYZE_FLOW_ROUTING_CARVE = 1,
    /** it stays there */
    TERRAIN_ANALYZE_FLOW_ROUTING_NONE = 2
};

typedef struct terrain_analyze_basins_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Strahler's order of streams, 0 where there is none. NULL: not wanted. */
    terrain_heightmap *order;
    TERRAIN_POINTER_PAD(order_pad)
    /** How long the longest way upstream is. NULL: not wanted. */
    terrain_heightmap *length;
    TERRAIN_POINTER_PAD(length_pad)
    /** Through hollows as if they were full, along their beds, or not at all. Default FILL. */
    terrain_analyze_flow_routing routing;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
    /** The catchment from which on there is a stream. Cells, 1 to 1073741824; default 100. */
    uint32_t threshold;
    /** Must be 0. */
    uint32_t reserved;
} terrain_analyze_basins_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_basins_params_init(terrain_analyze_basins_params *params,
                                                              size_t size);

/** Which cells drain to the same outlet, as a number above 0 and below 1 for each basin: a hash of
 * the outlet's place in the world, so that random basins are chosen by a range of it. Two basins
 * have the same one with a probability of 2^-23.
 *
 * `order` gets Strahler's order of the stream at each cell: streams begin where `threshold` cells
 * drain through one, with order 1; where two of the greatest order meet, the next begins. 0 where
 * there is no stream. `length` gets the way to the farthest cell upstream, in the unit of
 * cell_size.
 *
 * Reads `map`, writes all of `result`, order and length, which must be as large and get the map's
 * cell size and origin. Every cell may depend on every other: not for an endless world. NaN is an
 * outlet. Memory: up to 44 bytes a cell. At most 2^30 cells. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply; UNSUPPORTED if there are more cells. Since 0.2.
 *
 * Definition. Ways are those of terrain_analyze_flow with method D8; a cell of direction 0 is the
 * outlet of all whose ways end there. A cell with at least threshold cells upstream (it counts,
 * too; NaN does not) is a stream; its order is the greatest of those that flow to it, one more if
 * two or more have that, and 1 if none has any. length is the greatest, over cells that flow to it,
 * of theirs plus cell_size, or sqrt(2) cell_size from a corner, each sum rounded to float; 0 if
 * there are none.
 */
TERRAIN_API terrain_status terrain_analyze_basins(terrain_context *context,
                                                  const terrain_heightmap *map,
                                                  terrain_heightmap *result,
                                                  const terrain_analyze_basins_params *params);

/* ---- analyze_distance ---------------------------------------------------------------------- */

/** What is written of a distance. */
typedef uint32_t terrain_analyze_distance_mode;
enum {
    /** in the unit of heights and of cell_size */
    TERRAIN_ANALYZE_DISTANCE_MODE_LENGTH = 0,
    /** 1 in the range, 0 at `reach` */
    TERRAIN_ANALYZE_DISTANCE_MODE_MASK = 1
};

typedef struct terrain_analyze_distance_params {
    uint32_t struct_size;
    uint32_t flags;
    /** The lower end of the range that distances lead to. Height, -infinity to infinity; default
     * -infinity. */
    float low;
    /** The range's upper end. Height, -infinity to infinity; default 0. */
    float high;
    /** Where distances end: what is farther away counts as this far. Cells, 1 to 4095; default
     * 32. */
    uint32_t reach;
    /** A length, or a mask that falls from 1 in the range to 0 at reach. Default LENGTH. */
    terrain_analyze_distance_mode mode;
} terrain_analyze_distance_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_analyze_distance_params_init(terrain_analyze_distance_params *params, size_t size);

/** How far it is to the nearest cell with a height within [low, high]: to the water with the
 * defaults, to a cliff after analyze_slope. What is `reach` cells away or farther has the length
 * reach * cell_size, and the mask 0. The time hardly depends on `reach`.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Borders: there is nothing in the range beyond the map. Halo: reach. Mirrored or rotated
 * maps give the mirrored or rotated result to the last bit. NaN is in no range, and the result at
 * such a cell is a distance as any other: there is never NaN in the result. Infinity is in a range
 * that ends with it. Memory: 2 bytes a cell, some rows for each task. params may be NULL for the
 * defaults. Errors: those of terrain_operation_apply; RANGE if low is above high. Since 0.1.
 *
 * Definition. Let q be the smallest dx * dx + dy * dy, in cells, from a cell to any cell in the
 * range, 0 for such a cell itself, and m = min(q, reach * reach), both exact integers. The result
 * is
 *
 *     LENGTH   sqrt(m) * cell_size
 *     MASK     1 - (3 t^2 - 2 t^3), with t = sqrt(m) / reach
 *
 * The distance is Euclidean and exact, from cell to cell. */
TERRAIN_API terrain_status terrain_analyze_distance(terrain_context *context,
                                                    const terrain_heightmap *map,
                                                    terrain_heightmap *result,
                                                    const terrain_analyze_distance_params *params);

/* ---- analyze_flow -------------------------------------------------------------------------- */

/** Where a cell's water goes. */
typedef uint32_t terrain_analyze_flow_method;
enum {
    /** the steepest of eight ways; parallel lines on slopes */
    TERRAIN_ANALYZE_FLOW_METHOD_D8 = 0,
    /** one of eight, by slope and chance: no such lines */
    TERRAIN_ANALYZE_FLOW_METHOD_RHO8 = 1,
    /** the steepest direction: between two of eight */
    TERRAIN_ANALYZE_FLOW_METHOD_DINF = 2,
    /** all lower of eight: smooth on hills and fans */
    TERRAIN_ANALYZE_FLOW_METHOD_MFD = 3
};

/** The values of `direction`. */
enum {
    TERRAIN_ANALYZE_FLOW_DIRECTION_NONE = 0,
    TERRAIN_ANALYZE_FLOW_DIRECTION_EAST = 1,
    TERRAIN_ANALYZE_FLOW_DIRECTION_SOUTH_EAST = 2,
    TERRAIN_ANALYZE_FLOW_DIRECTION_SOUTH = 3,
    TERRAIN_ANALYZE_FLOW_DIRECTION_SOUTH_WEST = 4,
    TERRAIN_ANALYZE_FLOW_DIRECTION_WEST = 5,
    TERRAIN_ANALYZE_FLOW_DIRECTION_NORTH_WEST = 6,
    TERRAIN_ANALYZE_FLOW_DIRECTION_NORTH = 7,
    TERRAIN_ANALYZE_FLOW_DIRECTION_NORTH_EAST = 8
};

typedef struct terrain_analyze_flow_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** How much water falls on each cell; 1 without it. NULL: none. */
    const terrain_heightmap *weights;
    TERRAIN_POINTER_PAD(weights_pad)
    /** Where most of it goes: 1 to 8, clockwise from the east; 0: nowhere. NULL: not wanted. */
    terrain_heightmap *direction;
    TERRAIN_POINTER_PAD(direction_pad)
    /** To one neighbour, to one by chance and slope, to one or two, to all lower ones. Default
     * D8. */
    terrain_analyze_flow_method method;
    /** Through hollows as if they were full, along their beds, or not at all. Default FILL. */
    terrain_analyze_flow_routing routing;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
    /** How much more steep ways take; large: nearly all goes the steepest way. 0.1 to 20; default
     * 1.1. */
    float exponent;
} terrain_analyze_flow_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_flow_params_init(terrain_analyze_flow_params *params,
                                                            size_t size);

/** How much water comes through each cell: what falls on it and on all cells upstream. Without
 * `weights` that is the catchment area in cells; times cell_size * cell_size it is an area. Rivers
 * are where it is large; its logarithm makes a good picture.
 *
 * `direction` gets where most of a cell's water goes: 1 to the east, and on clockwise to 8, the
 * north-east; 0 where it goes nowhere: at outlets, which are the cells at the edge of the map
 * unless rim is CLOSED, and cells that are NaN; and at pits. No water is lost: the results of all
 * cells of direction 0 add up to what fell, exactly (as far as a float can tell: they are rounded
 * only when they are written).
 *
 * FILL looks at the map as terrain_shape_fill would leave it. CARVE leaves hollows along the bed of
 * the stream that would cut through; it needs less time, and rivers lie where the map has valleys.
 * With NONE each hollow keeps its water. A closed map without NaN drains to its lowest cell.
 *
 * Reads `map` and weights, writes all of `result` and direction, which must be as large and get the
 * map's cell size and origin. Every cell may depend on every other. In a world, with rim OPEN
 * alone, each cell has what it has on the map of 1024 x 1024 cells whose middle is nearest, of
 * those that begin at multiples of 512 cells: directions are right but where water crosses a hollow
 * or level ground that such a map cuts off; of water, what rises within that map, so that rivers
 * from farther away carry too little, and change where the next map's middle is nearer.
 * Mirrored or rotated maps give the mirrored or rotated result but for ties. Memory: up to 45 bytes
 * a cell, 70 with DINF and MFD. At most 2^30 cells. params may be NULL for the defaults. Errors:
 * those of terrain_operation_apply; RANGE for CARVE with DINF or MFD; UNSUPPORTED if there are more
 * cells.
 * Since 0.2.
 *
 * Definition. Weights are rounded to multiples of 2^-16 and cut to [0, 65536]; NaN is 0, and
 * nothing falls on cells that are NaN. The surface is the map or, for FILL, what terrain_shape_fill
 * makes of it with slope 0; NaN there is -infinity. A cell that is no outlet has a slope to each
 * neighbour: the drop, over sqrt(2) at corners (as the product with 0.707106781f). All is decided
 * by these:
 *
 *   D8    to the neighbour of the greatest slope above 0; of equal ones, the one with the least y,
 *         then x.
 *   RHO8  the same, where drops to corners are divided by 2 - r instead: r is the cell's random
 *         number in [0, 1).
 *   DINF  Of the eight triangles of the cell, a neighbour at a side, with slope a, and one at a
 *         corner beside that, with a drop larger by b: the greatest steepness, which is sqrt(a^2 +
 *         b^2) with the corner's share atan(b / a) / (pi / 4) if 0 < b < a; a with 0 if b <= 0; the
 *         slope to the corner with 1 otherwise; of equal ones the first clockwise from the east.
 *         The side has the rest. (b is 1.41421356f times the slope to the corner, less a, in
 *         floats.)
 *   MFD   shares of all neighbours with slope above 0, in proportion to slope^exponent.
 *
 * Shares are right to 2e-5, and rounded down to multiples of 2^-24; a cell's water is shared out in
 * units of 2^-16, rounded down, and what is left goes the way of D8, as all does where a slope is
 * beyond 1e18. A cell without a lower neighbour but with one that is level gives all to that by
 * which the fewest steps lead to a cell of this height that has a lower neighbour or is an outlet;
 * of several, the one with the least y, then x. If its whole level ground has none such, these
 * steps lead to the one of its cells with the least y, then x. That one, and a cell lower than all
 * its neighbours, is a pit.
 *
 * CARVE: all cells whose water ends in one pit are a basin. Of pairs of neighbours in two basins,
 * as high as the higher one, those of the least spanning tree are passes; of equally high ones the
 * one whose first cell has the least y, then x comes first, then in the order of east, south-west,
 * south, south-east of the other. From the outlets inwards over the tree, each basin's way from its
 * pass down to its pit is turned round. */
TERRAIN_API terrain_status terrain_analyze_flow(terrain_context *context,
                                                const terrain_heightmap *map,
                                                terrain_heightmap *result,
                                                const terrain_analyze_flow_params *params);

/* ---- analyze_hillshade --------------------------------------------------------------------- */

typedef struct terrain_analyze_hillshade_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where the light comes from: 0 north, 90 east. Degrees, -360 to 360; default 315. */
    float azimuth;
    /** How high the light stands above the horizon. Degrees, 0 to 90; default 45. */
    float altitude;
    /** Multiplies all slopes. 0 to 1000; default 1. */
    float exaggeration;
    /** Must be 0. */
    uint32_t reserved;
} terrain_analyze_hillshade_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_analyze_hillshade_params_init(terrain_analyze_hillshade_params *params, size_t size);

/** Draws the map under a distant light: 1 where a cell faces it, 0 where it faces away; level
 * ground gets sin(altitude). No cell casts a shadow on another.
 * terrain_heightmap_pack_hillshade_u8 makes it a picture at once.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Reads one cell beyond each cell; borders as above. NaN among a cell's eight neighbours
 * gives NaN, infinity NaN or, where the light's share vanishes, a number. Needs no memory.
 * params may be NULL for the defaults. Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. With e = exaggeration * east, s = exaggeration * south,
 *
 *     shade = max(0, (sin(altitude) + cos(altitude) (cos(azimuth) s - sin(azimuth) e))
 *                    / sqrt(1 + e^2 + s^2))
 *
 * which is the usual Lambertian relief (GDAL's, scaled to 0 … 1). */
TERRAIN_API terrain_status terrain_analyze_hillshade(
    terrain_context *context, const terrain_heightmap *map, terrain_heightmap *result,
    const terrain_analyze_hillshade_params *params);

/* ---- analyze_normals ----------------------------------------------------------------------- */

typedef struct terrain_analyze_normals_params {
    uint32_t struct_size;
    uint32_t flags;
    /** The share that points south. NULL: not wanted. */
    terrain_heightmap *normal_y;
    TERRAIN_POINTER_PAD(normal_y_pad)
    /** The share that points up. NULL: not wanted. */
    terrain_heightmap *normal_z;
    TERRAIN_POINTER_PAD(normal_z_pad)
} terrain_analyze_normals_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_analyze_normals_params_init(terrain_analyze_normals_params *params, size_t size);

/** Computes the unit vector at right angles to the surface: x points east, y south, z up. `result`
 * gets x.
 *
 * Reads `map`, writes all of `result` and of the outputs, which must be as large and get the map's
 * cell size and origin. Reads one cell beyond each cell; borders as above. NaN among a cell's eight
 * neighbours gives NaN; a gradient that overflows gives z = 0. Needs no memory. The length of the
 * vectors is 1 within 3e-7. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. (x, y, z) = (-east, -south, 1) * z, with z = 1 / sqrt(1 + east^2 + south^2). */
TERRAIN_API terrain_status terrain_analyze_normals(terrain_context *context,
                                                   const terrain_heightmap *map,
                                                   terrain_heightmap *result,
                                                   const terrain_analyze_normals_params *params);

/* ---- analyze_slope ------------------------------------------------------------------------- */

typedef uint32_t terrain_analyze_slope_unit;
enum {
    /** rise over run: 1 is 45 degrees */
    TERRAIN_ANALYZE_SLOPE_UNIT_RISE = 0,
    /** 0 to 90 */
    TERRAIN_ANALYZE_SLOPE_UNIT_DEGREES = 1
};

typedef struct terrain_analyze_slope_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Rise over run, or the angle in degrees. Default RISE. */
    terrain_analyze_slope_unit unit;
    /** Must be 0. */
    uint32_t reserved;
} terrain_analyze_slope_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_slope_params_init(terrain_analyze_slope_params *params,
                                                             size_t size);

/** Computes how steep each cell is: rise over run, or degrees.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Reads one cell beyond each cell; borders as above. NaN among a cell's eight neighbours
 * (not in the cell itself) gives NaN; infinity gives infinity (90 degrees) or NaN. Needs no memory.
 * Differences of heights beyond 1e18 overflow. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. sqrt(east^2 + south^2), or the arctangent of that in degrees, with an error below
 * 2e-5 degrees. */
TERRAIN_API terrain_status terrain_analyze_slope(terrain_context *context,
                                                 const terrain_heightmap *map,
                                                 terrain_heightmap *result,
                                                 const terrain_analyze_slope_params *params);

#ifdef __cplusplus
}
#endif

#endif
