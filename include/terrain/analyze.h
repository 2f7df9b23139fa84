/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze: reads a map and fills another. */

#ifndef TERRAIN_ANALYZE_H
#define TERRAIN_ANALYZE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* analyze_hillshade, analyze_normals and analyze_slope read each cell and its eight neighbours.
 * Their gradient is Horn's: with the heights nw n ne / w h e / sw s se around a cell,
 *
 *     east  = ((se - nw) + (ne - sw) + 2 (e - w)) / (8 cell_size)
 *     south = ((se - nw) - (ne - sw) + 2 (s - n)) / (8 cell_size)
 *
 * are the slopes towards greater x and towards greater y, rise over run. Beyond the edge of the map
 * the surface goes on straight. A missing neighbour is h + (h - o), where h is the cell at the edge
 * and o the cell on its other side, or h if there is no other side; beyond a corner it is a + b -
 * h, where a and b are the two missing neighbours beside it. So a plane has the same slope
 * everywhere, and a map of one cell has slope 0. Flipped or rotated maps give the flipped or
 * rotated result to the last bit. Differences of heights beyond 3.4e38 are infinite, and the
 * gradient may then be NaN. */

/* ---- analyze_band -------------------------------------------------------------------------- */

typedef struct terrain_analyze_band_params {
    uint32_t struct_size;
    uint32_t flags;
    /** The lower end of the range. Height, -infinity to infinity; default 0. */
    float low;
    /** The upper end of the range. Height, -infinity to infinity; default infinity. */
    float high;
    /** The distance beyond an end of the range over which the mask falls to 0. Height, 0 to 1e30;
     * default 4. */
    float falloff;
    /** Must be 0. */
    uint32_t reserved;
} terrain_analyze_band_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_band_params_init(terrain_analyze_band_params *params,
                                                            size_t size);

/** Makes a mask: 1 where the height is within [low, high], 0 where it is `falloff` or more away
 * from that range, and smoothly between. The map may hold anything, not only heights; after
 * analyze_slope this makes a mask by slope.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Pointwise; no borders. NaN gives NaN, which counts as 0 where the result serves as a
 * mask. Infinity is treated like any number, and is within a range that ends with it. Needs no
 * memory. params may be NULL for the defaults. Errors: those of terrain_operation_apply; RANGE if
 * low is above high. Since 0.1.
 *
 * Definition. 1 - (3 t^2 - 2 t^3), where t is the distance from the range divided by falloff,
 * clamped to 0 ... 1. */
TERRAIN_API terrain_status terrain_analyze_band(terrain_context *context,
                                                const terrain_heightmap *map,
                                                terrain_heightmap *result,
                                                const terrain_analyze_band_params *params);

/* ---- analyze_basins -------------------------------------------------------------------------- */

/** How water leaves depressions. */
typedef uint32_t terrain_analyze_flow_routing;
enum {
    /** as if depressions were filled: straight across their lakes */
    TERRAIN_ANALYZE_FLOW_ROUTING_FILL = 0,
    /** along the beds of depressions and over their lowest pass */
    TERRAIN_ANALYZE_FLOW_ROUTING_CARVE = 1,
    /** water stays in depressions */
    TERRAIN_ANALYZE_FLOW_ROUTING_NONE = 2
};

typedef struct terrain_analyze_basins_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Gets the Strahler order of the stream at each cell, 0 where there is none. NULL: not
     * wanted. */
    terrain_heightmap *order;
    TERRAIN_POINTER_PAD(order_pad)
    /** Gets the length of the longest flow path to each cell, in the unit of the cell size. NULL:
     * not wanted. */
    terrain_heightmap *length;
    TERRAIN_POINTER_PAD(length_pad)
    /** How water leaves depressions: as if they were filled, along their beds, or not at all.
     * Default FILL. */
    terrain_analyze_flow_routing routing;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
    /** The catchment area at which a stream begins. Cells, 1 to 1073741824; default 100. */
    uint32_t threshold;
    /** Must be 0. */
    uint32_t reserved;
} terrain_analyze_basins_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_basins_params_init(terrain_analyze_basins_params *params,
                                                              size_t size);

/** Finds drainage basins: all cells that drain to the same outlet get the same number, above 0 and
 * below 1. The number is a hash of the outlet's position in the world, so a range of it chooses
 * random basins. Two basins have the same number with a probability of 2^-23.
 *
 * `order` gets the Strahler order of the stream at each cell, and 0 where there is no stream.
 * Streams begin with order 1, where `threshold` cells drain through one; where two or more streams
 * of the highest order meet, the order rises by 1. `length` gets the length of the longest flow
 * path from upstream, in the unit of cell_size.
 *
 * Reads `map`, writes all of `result`, order and length, which must be as large and get the map's
 * cell size and origin. Every cell may depend on every other: not for an endless world. NaN is an
 * outlet. Memory: up to 45 bytes a cell, 6 more for order and 4 for length; 3 KiB for each row and
 * column, and 64 KiB. At most 2^30 cells. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply; UNSUPPORTED if there are more cells. Since 0.2.
 *
 * Definition. Flow directions are those of terrain_analyze_flow with method D8; a cell with
 * direction 0 is the outlet of all cells whose flow paths end there. A cell with at least
 * `threshold` cells upstream, including itself but not NaN, is a stream. Its order is the greatest
 * order of the cells that flow to it, one more if two or more of them have that order, and 1 if
 * none has an order. length is the maximum, over the cells that flow to it, of their length plus
 * cell_size, or plus sqrt(2) cell_size across a corner, each sum rounded to float; 0 if no cell
 * flows to it.
 */
TERRAIN_API terrain_status terrain_analyze_basins(terrain_context *context,
                                                  const terrain_heightmap *map,
                                                  terrain_heightmap *result,
                                                  const terrain_analyze_basins_params *params);

/* ---- analyze_distance ---------------------------------------------------------------------- */

/** What the result is. */
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
    /** The lower end of the range of heights to which distances are measured. Height, -infinity to
     * infinity; default -infinity. */
    float low;
    /** The upper end of the range. Height, -infinity to infinity; default 0. */
    float high;
    /** The largest distance: cells farther away count as this far. Cells, 1 to 4095; default 32. */
    uint32_t reach;
    /** What the result is: a length, or a mask that falls from 1 in the range to 0 at reach.
     * Default LENGTH. */
    terrain_analyze_distance_mode mode;
} terrain_analyze_distance_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_analyze_distance_params_init(terrain_analyze_distance_params *params, size_t size);

/** Computes the distance from each cell to the nearest cell with a height within [low, high]: to
 * the water with the defaults, to a cliff after analyze_slope. Cells at `reach` cells or farther
 * get the length reach * cell_size, or the mask 0. The time hardly depends on `reach`.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Borders: cells beyond the map are not in the range. Halo: reach. Mirrored or rotated maps
 * give the mirrored or rotated result to the last bit. NaN is in no range, and a cell that is NaN
 * gets a distance like any other: the result never contains NaN. Infinity is in a range that ends
 * with it. Memory: 2 bytes a cell, some rows for each task. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply; RANGE if low is above high. Since 0.1.
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
    /** to the steepest of the eight neighbours; parallel lines on slopes */
    TERRAIN_ANALYZE_FLOW_METHOD_D8 = 0,
    /** to one of the lower neighbours, at random, by slope: no such lines */
    TERRAIN_ANALYZE_FLOW_METHOD_RHO8 = 1,
    /** in the steepest direction, divided between two neighbours */
    TERRAIN_ANALYZE_FLOW_METHOD_DINF = 2,
    /** to all lower neighbours: smooth on hills and fans */
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
    /** How much rain falls on each cell; 1 without it. NULL: none. */
    const terrain_heightmap *weights;
    TERRAIN_POINTER_PAD(weights_pad)
    /** Gets where most of a cell's water goes: 1 to 8, clockwise from the east; 0: nowhere. NULL:
     * not wanted. */
    terrain_heightmap *direction;
    TERRAIN_POINTER_PAD(direction_pad)
    /** Where a cell's water goes: to one neighbour, to a random one, to two, or to all lower ones.
     * Default D8. */
    terrain_analyze_flow_method method;
    /** How water leaves depressions: as if they were filled, along their beds, or not at all.
     * Default FILL. */
    terrain_analyze_flow_routing routing;
    /** Whether water leaves over the edge of the map, or only at NaN. Default OPEN. */
    terrain_rim rim;
    /** How much more water steep neighbours get, in MFD; if large, the steepest gets nearly all.
     * 0.1 to 20; default 1.1. */
    float exponent;
} terrain_analyze_flow_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_flow_params_init(terrain_analyze_flow_params *params,
                                                            size_t size);

/** Flow accumulation: computes how much water comes through each cell, from rain on the cell itself
 * and on all cells upstream. Without `weights` that is the catchment area in cells; multiply it by
 * cell_size * cell_size for an area. Rivers are where it is large; its logarithm makes a good
 * picture.
 *
 * `direction` gets where most of a cell's water goes: 1 is east, and on clockwise to 8, north-east
 * (the `receiver` of terrain_generate_drainage is 1 less). 0 means nowhere: at pits and at outlets,
 * which are the cells at the edge of the map (unless rim is CLOSED) and cells that are NaN. No
 * water is lost: the results of all cells with direction 0 add up to the whole rain, exactly (but
 * for the rounding to float when results are written).
 *
 * FILL routes water over the map as terrain_shape_fill would leave it. CARVE leads water out of
 * depressions along the bed of the stream that would cut through; it needs less time, and rivers
 * lie where the map has valleys. With NONE each depression keeps its water. A closed map without
 * NaN drains to its lowest cell.
 *
 * Reads `map` and weights, writes all of `result` and direction, which must be as large and get the
 * map's cell size and origin. Every cell may depend on every other. In a world, which needs rim
 * OPEN, each cell gets its result from a region: of the maps of 1024 x 1024 cells that begin at
 * multiples of 512 cells, the one whose middle is nearest. Directions are right except where water
 * crosses a depression or level ground that the region cuts off. Only water that rises within the
 * region is counted, so rivers from farther away carry too little, and their water changes where
 * the next region begins.
 * Mirrored or rotated maps give the mirrored or rotated result but for ties. Memory: up to 45 bytes
 * a cell, 4 more with RHO8, 73 with DINF and MFD; 3 KiB for each row and column, and 64 KiB. At
 * most 2^30 cells. params may be NULL for the defaults. Errors: those of terrain_operation_apply;
 * RANGE for CARVE with DINF or MFD; UNSUPPORTED if there are more cells.
 * Since 0.2.
 *
 * Definition. Weights are rounded to multiples of 2^-16 and clamped to [0, 65536]; NaN counts as 0,
 * and no rain falls on cells that are NaN. The surface is the map or, for FILL, the result of
 * terrain_shape_fill with slope 0; NaN counts as -infinity, but a cell of that height itself does
 * not flow to it. A cell that is no outlet has a slope to each neighbour: the drop, divided by
 * sqrt(2) across corners (as the product with 0.707106781f). The slopes decide where water goes:
 *
 *   D8    to the neighbour of the greatest slope above 0; of equal ones, the one with the least y,
 *         then x.
 *   RHO8  as D8, but drops to corners are divided by 2 - r instead, where r is the cell's random
 *         number in [0, 1).
 *   DINF  the cell and its neighbours make eight triangles, each with a neighbour at a side, of
 *         slope a, and one at the corner beside it, whose drop is larger by b. The steepness of a
 *         triangle is sqrt(a^2 + b^2), with the corner's share atan(b / a) / (pi / 4), if 0 < b <
 *         a; it is a, with the share 0, if b <= 0; otherwise it is the slope to the corner, with
 *         the share 1. Water goes down the steepest triangle, of equal ones the first clockwise
 *         from the east; the side gets the rest. (b is 1.41421356f times the slope to the corner,
 *         less a, in floats.)
 *   MFD   to all neighbours with a slope above 0, in proportion to slope^exponent; slopes of 2^-100
 *         of the steepest or less get nothing.
 *
 * Shares are right to 2e-5, and rounded down to multiples of 2^-24. A cell's water is divided in
 * units of 2^-16, rounded down, and the remainder goes where D8 would send it; so does all water
 * where a slope is beyond 1e18. On level ground a cell without a lower neighbour gives all its
 * water to the level neighbour from which the fewest steps lead to an exit: a cell of the same
 * height that is an outlet or has a lower neighbour. Of several such neighbours the one with the
 * least y, then x, is taken. If the whole level ground has no exit, its cell with the least y, then
 * x, takes the exit's place, and is a pit. A cell lower than all its neighbours is a pit, too.
 *
 * CARVE: all cells whose water ends in one pit are a basin. A pair of neighbours in two basins is
 * as high as the higher of the two cells; the pairs of the minimum spanning tree of the basins are
 * the passes. Of equally high pairs the one whose first cell has the least y, then x, comes first,
 * then in the order east, south-west, south, south-east of the second cell. From the outlets
 * inwards along the tree, the flow path from each basin's pass down to its pit is reversed. */
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

/** Shades the relief under a distant light: 1 where a cell faces the light, 0 where it faces away;
 * level ground gets sin(altitude). No cell casts a shadow on another.
 * terrain_heightmap_pack_hillshade_u8 makes a picture of it directly.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Reads one cell beyond each cell; borders as above. NaN among a cell's eight neighbours
 * gives NaN; infinity gives NaN or, where the light's part vanishes, a number. Memory: 64 KiB.
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
    /** Gets the component that points south. NULL: not wanted. */
    terrain_heightmap *normal_y;
    TERRAIN_POINTER_PAD(normal_y_pad)
    /** Gets the component that points up. NULL: not wanted. */
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
