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
    /* The range's lower end. Height, -infinity to infinity; default 0. */
    float low;
    /* The range's upper end. Height, -infinity to infinity; default infinity. */
    float high;
    /* How far beyond an end the mask falls to 0. Height, 0 to 1e30; default 4. */
    float falloff;
    /* Must be 0. */
    uint32_t reserved;
} terrain_analyze_band_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_band_params_init(terrain_analyze_band_params *params,
                                                            size_t size);

/* Makes a mask: 1 where the height is within [low, high], 0 where it is `falloff` or more away from
 * that range, and between 1 - (3 t^2 - 2 t^3), t being the distance from the range divided by
 * falloff. What the map holds may be anything; after analyze_slope it is a mask by slope.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Pointwise; no borders. NaN gives NaN, which counts as 0 where the result serves as a
 * mask; infinity is as any number, and within a range that ends with it. Needs no memory. params
 * may be NULL for the defaults. Errors: those of terrain_operation_apply; RANGE if low is above
 * high. Since 0.1. */
TERRAIN_API terrain_status terrain_analyze_band(terrain_context *context,
                                                const terrain_heightmap *map,
                                                terrain_heightmap *result,
                                                const terrain_analyze_band_params *params);

/* ---- analyze_distance ---------------------------------------------------------------------- */

/* What is written of a distance. */
typedef uint32_t terrain_analyze_distance_mode;
enum {
    TERRAIN_ANALYZE_DISTANCE_MODE_LENGTH = 0, /* in the unit of heights and of cell_size */
    TERRAIN_ANALYZE_DISTANCE_MODE_MASK = 1    /* 1 in the range, 0 at `reach` */
};

typedef struct terrain_analyze_distance_params {
    uint32_t struct_size;
    uint32_t flags;
    /* The lower end of the range that distances lead to. Height, -infinity to infinity; default
     * -infinity. */
    float low;
    /* The range's upper end. Height, -infinity to infinity; default 0. */
    float high;
    /* Where distances end: what is farther away counts as this far. Cells, 1 to 4095; default 32.
     * */
    uint32_t reach;
    /* A length, or a mask that falls from 1 in the range to 0 at reach. Default LENGTH. */
    terrain_analyze_distance_mode mode;
} terrain_analyze_distance_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_analyze_distance_params_init(terrain_analyze_distance_params *params, size_t size);

/* How far it is to the nearest cell with a height within [low, high]: to the water with the
 * defaults, to a cliff after analyze_slope. Let q be the smallest dx * dx + dy * dy, in cells, from
 * a cell to any such cell, 0 for such a cell itself, and m = min(q, reach * reach), both exact
 * integers. The result is
 *
 *     LENGTH   sqrt(m) * cell_size
 *     MASK     1 - (3 t^2 - 2 t^3), with t = sqrt(m) / reach
 *
 * so that what is `reach` cells away or farther has the length reach * cell_size, and the mask 0.
 * The distance is Euclidean and exact, from cell to cell.
 *
 * The time hardly depends on `reach`. Reads `map`, writes all of `result`, which must be as large
 * and gets the map's cell size and origin. Borders: there is nothing in the range beyond the map.
 * Halo: reach. Mirrored or turned maps give the mirrored or turned result to the last bit. NaN is
 * in no range, and the result at such a cell is a distance as any other: there is never NaN in the
 * result. Infinity is in a range that ends with it. Memory: 2 bytes a cell, some rows for each
 * task. params may be NULL for the defaults. Errors: those of terrain_operation_apply; RANGE if low
 * is above high. Since 0.1. */
TERRAIN_API terrain_status terrain_analyze_distance(terrain_context *context,
                                                    const terrain_heightmap *map,
                                                    terrain_heightmap *result,
                                                    const terrain_analyze_distance_params *params);

/* ---- analyze_hillshade --------------------------------------------------------------------- */

typedef struct terrain_analyze_hillshade_params {
    uint32_t struct_size;
    uint32_t flags;
    /* Where the light comes from: 0 north, 90 east. Degrees, -360 to 360; default 315. */
    float azimuth;
    /* How high the light stands above the horizon. Degrees, 0 to 90; default 45. */
    float altitude;
    /* Multiplies all slopes. 0 to 1000; default 1. */
    float exaggeration;
    /* Must be 0. */
    uint32_t reserved;
} terrain_analyze_hillshade_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_analyze_hillshade_params_init(terrain_analyze_hillshade_params *params, size_t size);

/* Draws the map under a distant light: 1 where a cell faces it, 0 where it faces away. With
 * e = exaggeration * east, s = exaggeration * south,
 *
 *     shade = max(0, (sin(altitude) + cos(altitude) (cos(azimuth) s - sin(azimuth) e))
 *                    / sqrt(1 + e^2 + s^2))
 *
 * which is the usual Lambertian relief (GDAL's, scaled to 0 … 1); level ground gets sin(altitude).
 * No cell casts a shadow on another. terrain_heightmap_pack_u8 with the range 0 to 1 makes it a
 * picture.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Reads one cell beyond each cell; borders as above. NaN among a cell's eight neighbours
 * gives NaN, infinity NaN or, where the light's share vanishes, a number. Needs no memory.
 * params may be NULL for the defaults. Errors: those of terrain_operation_apply. Since 0.1. */
TERRAIN_API terrain_status terrain_analyze_hillshade(
    terrain_context *context, const terrain_heightmap *map, terrain_heightmap *result,
    const terrain_analyze_hillshade_params *params);

/* ---- analyze_normals ----------------------------------------------------------------------- */

typedef struct terrain_analyze_normals_params {
    uint32_t struct_size;
    uint32_t flags;
    /* The share that points south. NULL: not wanted. */
    terrain_heightmap *normal_y;
    TERRAIN_POINTER_PAD(normal_y_pad)
    /* The share that points up. NULL: not wanted. */
    terrain_heightmap *normal_z;
    TERRAIN_POINTER_PAD(normal_z_pad)
} terrain_analyze_normals_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_analyze_normals_params_init(terrain_analyze_normals_params *params, size_t size);

/* Computes the unit vector at right angles to the surface, (x, y, z) = (-east, -south, 1) * z, with
 * z = 1 / sqrt(1 + east^2 + south^2): x points east, y south, z up. `result` gets x.
 *
 * Reads `map`, writes all of `result` and of the outputs, which must be as large and get the map's
 * cell size and origin. Reads one cell beyond each cell; borders as above. NaN among a cell's eight
 * neighbours gives NaN; a gradient that overflows gives z = 0. Needs no memory. The length of the
 * vectors is 1 within 3e-7. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply. Since 0.1. */
TERRAIN_API terrain_status terrain_analyze_normals(terrain_context *context,
                                                   const terrain_heightmap *map,
                                                   terrain_heightmap *result,
                                                   const terrain_analyze_normals_params *params);

/* ---- analyze_slope ------------------------------------------------------------------------- */

typedef uint32_t terrain_analyze_slope_unit;
enum {
    TERRAIN_ANALYZE_SLOPE_UNIT_RISE = 0,   /* rise over run: 1 is 45 degrees */
    TERRAIN_ANALYZE_SLOPE_UNIT_DEGREES = 1 /* 0 to 90 */
};

typedef struct terrain_analyze_slope_params {
    uint32_t struct_size;
    uint32_t flags;
    /* Rise over run, or the angle in degrees. Default RISE. */
    terrain_analyze_slope_unit unit;
    /* Must be 0. */
    uint32_t reserved;
} terrain_analyze_slope_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_analyze_slope_params_init(terrain_analyze_slope_params *params,
                                                             size_t size);

/* Computes how steep each cell is: sqrt(east^2 + south^2), or the arctangent of that in degrees,
 * with an error below 2e-5 degrees.
 *
 * Reads `map`, writes all of `result`, which must be as large and gets the map's cell size and
 * origin. Reads one cell beyond each cell; borders as above. NaN among a cell's eight neighbours
 * (not in the cell itself) gives NaN; infinity gives infinity (90 degrees) or NaN. Needs no memory.
 * Differences of heights beyond 1e18 overflow. params may be NULL for the defaults.
 * Errors: those of terrain_operation_apply. Since 0.1. */
TERRAIN_API terrain_status terrain_analyze_slope(terrain_context *context,
                                                 const terrain_heightmap *map,
                                                 terrain_heightmap *result,
                                                 const terrain_analyze_slope_params *params);

#ifdef __cplusplus
}
#endif

#endif
