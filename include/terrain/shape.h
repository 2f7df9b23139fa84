/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape: changes heights cell by cell, or the grid that they lie on. */

#ifndef TERRAIN_SHAPE_H
#define TERRAIN_SHAPE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- shape_clamp --------------------------------------------------------------------------- */

typedef struct terrain_shape_clamp_params {
    uint32_t struct_size;
    uint32_t flags;
    const terrain_heightmap *mask; /* where to apply; NULL: everywhere */
    TERRAIN_POINTER_PAD(mask_pad)
    float minimum; /* height; default -infinity */
    float maximum; /* height; default +infinity; at least minimum */
} terrain_shape_clamp_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_clamp_params_init(terrain_shape_clamp_params *params,
                                                           size_t size);

/* Cuts heights to [minimum, maximum]: h' = min(max(h, minimum), maximum).
 *
 * Reads and writes `map`, in place; pointwise; no borders. NaN stays NaN. Needs no memory without a
 * mask. params may be NULL for the defaults, which change nothing.
 * Errors: those of terrain_operation_apply; RANGE if minimum is above maximum. Since 0.1. */
TERRAIN_API terrain_status terrain_shape_clamp(terrain_context *context, terrain_heightmap *map,
                                               const terrain_shape_clamp_params *params);

/* ---- shape_remap --------------------------------------------------------------------------- */

/* Where terrain_shape_remap takes the range that it maps from. */
typedef uint32_t terrain_remap_range;
enum {
    TERRAIN_REMAP_GIVEN = 0, /* from_low and from_high */
    TERRAIN_REMAP_FOUND = 1  /* the finite minimum and maximum of the map */
};

typedef struct terrain_shape_remap_params {
    uint32_t struct_size;
    uint32_t flags;
    const terrain_heightmap *mask; /* where to apply; NULL: everywhere */
    TERRAIN_POINTER_PAD(mask_pad)
    float from_low;  /* height, within +-1e30; default 0; not used with FOUND */
    float from_high; /* the same; default 1; differs from from_low, may lie below it */
    float to_low;    /* height, within +-1e30; default 0 */
    float to_high;   /* the same; default 1; may lie below to_low, which turns heights over */
    terrain_remap_range range; /* default GIVEN */
    uint32_t clamp; /* 0 or 1, default 0: whether to cut the result to the target range */
} terrain_shape_remap_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_remap_params_init(terrain_shape_remap_params *params,
                                                           size_t size);

/* Maps one range of heights to another, linearly: h' = to_low + (h - from_low) * scale, where
 * scale = (to_high - to_low) / (from_high - from_low), rounded so that from_high becomes to_high or
 * overshoots it by a few units in the last place, never falls short. With `clamp`, h' is then cut to
 * the range between to_low and to_high: both ends are hit exactly, and the map is monotone.
 *
 * With range FOUND, from_low and from_high are the smallest and largest finite height of the whole
 * map, whatever the mask, and the result is always cut. A map of one height becomes to_low. Beware:
 * the result then depends on every cell. Tiles that are remapped each by its own range don't fit
 * together: this is the classic cause of seams, it cannot be used in an endless world, and terrain
 * of known relief is better remapped with a given range.
 *
 * Reads and writes `map`, in place; pointwise with GIVEN, global with FOUND; no borders. NaN stays
 * NaN. Infinite heights stay infinite, or become the end of the range that they are cut to; but NaN
 * where scale is 0. Needs no memory without a mask. params may be NULL for the defaults, which change
 * nothing. Errors: those of terrain_operation_apply; RANGE if from_low and from_high are equal and
 * GIVEN. Since 0.1. */
TERRAIN_API terrain_status terrain_shape_remap(terrain_context *context, terrain_heightmap *map,
                                               const terrain_shape_remap_params *params);

/* ---- shape_resample ------------------------------------------------------------------------ */

/* How terrain_shape_resample finds a height between cells. */
typedef uint32_t terrain_resample_filter;
enum {
    TERRAIN_RESAMPLE_NEAREST = 0,  /* the nearest cell; halves go to the greater coordinate */
    TERRAIN_RESAMPLE_BILINEAR = 1, /* linear between 2 x 2 cells: creases where it enlarges */
    TERRAIN_RESAMPLE_BICUBIC =
        2,                    /* Catmull-Rom through 4 x 4 cells: smooth slopes, may overshoot */
    TERRAIN_RESAMPLE_AREA = 3 /* the mean over a square of side step: for steps above 1 */
};

typedef struct terrain_shape_resample_params {
    uint32_t struct_size;
    uint32_t flags;
    float step; /* source cells per result cell, 1/16 to 1024; default 1; below 1 enlarges */
    terrain_resample_filter filter; /* default BICUBIC */
} terrain_shape_resample_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_shape_resample_params_init(terrain_shape_resample_params *params,
                                                              size_t size);

/* Resamples a map to a grid whose cells are `step` times as wide. The cell of `result` at world
 * coordinates (X, Y) becomes the height at the position (X * step, Y * step) of the source's world:
 * the product is exact anywhere within +-2^62, so that tiles are crops of larger results. `result`
 * may have any size and any place. One that terrain_operation_result_window asks for covers the
 * source: it holds every X with x <= X * step < x + width, which is ceil(width / step) cells where
 * x is 0, and results of neighbouring sources are neighbours.
 *
 * Let c be the cell at or before the position and t in [0, 1) its distance from there, in float. Along
 * each axis, rows first (y, then x):
 *   NEAREST   h(c) where t < 1/2, otherwise h(c + 1)
 *   BILINEAR  h(c) + t (h(c + 1) - h(c))
 *   BICUBIC   h(c) + a (h(c - 1) - h(c)) + b (h(c + 1) - h(c)) + d (h(c + 2) - h(c)), where
 *             a = (-t + 2t^2 - t^3) / 2, b = (t + 4t^2 - 3t^3) / 2, d = (-t^2 + t^3) / 2
 *   AREA      for step > 1 the mean, over the interval of length step around the position, of the
 *             surface that BILINEAR describes; for step <= 1 the same as BILINEAR
 * But for AREA's means, a position that falls on a cell (t = 0) takes that cell's height as it is and
 * reads no other, so that step = 1 copies. NEAREST, BILINEAR and BICUBIC read single points of a source
 * that step > 1 makes coarser, and alias; AREA doesn't.
 *
 * Reads `map`, writes all of `result`, whose cell size becomes cell_size * step. Borders: outside
 * the map, the nearest cell of the map counts. A plane is reproduced, but for rounding, where
 * nothing outside is needed. NaN and infinity spread to every cell that reads them.
 * Memory: some 50 bytes for each column of the result, up to 64 rows (AREA: twice that) of the source,
 * and a second result where the call takes long and could be cancelled.
 * params may be NULL for the defaults, which copy.
 * Errors: those of terrain_operation_apply, but map and result may differ in size. Not promised: the
 * same bits after flips and turns, since positions are counted from the world's origin. Since 0.1. */
TERRAIN_API terrain_status terrain_shape_resample(terrain_context *context,
                                                  const terrain_heightmap *map,
                                                  terrain_heightmap *result,
                                                  const terrain_shape_resample_params *params);

#ifdef __cplusplus
}
#endif

#endif
