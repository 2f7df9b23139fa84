/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur: averages neighbouring cells. */

#ifndef TERRAIN_BLUR_H
#define TERRAIN_BLUR_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- blur_box ------------------------------------------------------------------------------ */

typedef struct terrain_blur_box_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** The window is 2 radius + 1 cells wide; its outermost cells may count in part. Cells, 0 to
     * 1024; default 2. */
    float radius;
    /** What lies beyond the edge of a bounded map. Default CLAMP. */
    terrain_border border;
} terrain_blur_box_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_blur_box_params_init(terrain_blur_box_params *params,
                                                        size_t size);

/** Takes the mean over a square window. radius = 0 changes nothing, to the last bit. The time
 * hardly grows with the radius as long as the radius is small compared with the map; for larger
 * radii it grows like the area of the map with 2 radius more columns and rows. A box blur turns
 * spikes into squares; blur_gaussian does not.
 *
 * border says what lies beyond the edge of a bounded map: CLAMP, MIRROR, WRAP, or OPEN, which takes
 * the mean over the cells inside the map alone. In an endless world border has no effect.
 *
 * Reads and writes `map`, in place. A cell's window reaches `radius` cells far, rounded up. Where
 * all heights in the window are equal the height stays as it is, to the last bit. Below a radius of
 * 4 a map mirrored left to right gives the mirrored result, to the last bit. From there on sums run
 * over blocks as long as the window, which are anchored to world coordinates: mirrored, rotated or
 * shifted maps give the same result up to rounding.
 * NaN makes the cells whose window holds it NaN, infinity makes them infinite or NaN, and no
 * others. Heights beyond 1e34 may overflow.
 * Memory: about 2 radius + 60 rows of the map (MIRROR and WRAP: 4 radius), and 2 radius columns of
 * it for each strip of some 1024 columns, if there are several. Below a radius of 4, with a runner,
 * up to a tenth of the map in place of these.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. h'(x, y) = sum over (i, j) of w(i) w(j) h(x + i, y + j), divided by (2 radius + 1)^2,
 * where w(i) is 1 up to floor(radius), radius - floor(radius) for the cell after that on either
 * side, and 0 beyond.
 *
 * Rounding: below a radius of 4 up to a few units in the last place of the largest height in the
 * window. From there on differences from one of the window's own cells are summed, so only the
 * relief in the window matters: the error is below (2 radius + 3) 2^-24 of the difference between
 * the highest and the lowest height in the window, and two units in the last place of the heights;
 * in real terrain of 840 m at 1076 m it was at most 1e-4, 2e-4 and 6e-4 m with radii of 16, 100 and
 * 1024. */
TERRAIN_API terrain_status terrain_blur_box(terrain_context *context, terrain_heightmap *map,
                                            const terrain_blur_box_params *params);

/* ---- blur_gaussian ------------------------------------------------------------------------- */

typedef struct terrain_blur_gaussian_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** Standard deviation of the Gaussian: features much smaller than this vanish. Cells, 0 to
     * 1024; default 2. */
    float sigma;
    /** What lies beyond the edge of a bounded map. Default CLAMP. */
    terrain_border border;
} terrain_blur_gaussian_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_blur_gaussian_params_init(terrain_blur_gaussian_params *params,
                                                             size_t size);

/** Smooths with a Gaussian of any size; the time does not grow with sigma. sigma = 0 changes
 * nothing, to the last bit.
 *
 * Useful values: a sigma of 1 to 2 removes grain; 4 and more keeps only large forms. border says
 * what lies beyond the edge of a bounded map: CLAMP, MIRROR, WRAP, or OPEN, which takes the
 * weighted mean over the cells inside the map alone. In an endless world border has no effect.
 *
 * Reads and writes `map`, in place. A cell's window reaches about 4 sigma far for a sigma below 4,
 * and up to 6 sigma far from there on (terrain_operation_window reports it). Where all heights in
 * the window are equal the height stays as it is, to the last bit; where the window crosses an OPEN
 * border, up to rounding. Below a sigma of 4 a mirrored map gives the mirrored result to the last
 * bit. From 4 on the filter works on coarser grids that are anchored to world coordinates, so
 * mirrored, shifted or transposed maps give the same result only up to the accuracy below.
 * NaN or infinity makes the cells whose window holds it NaN or infinite, and no others. Heights
 * beyond 1e37 may overflow.
 * Memory: up to 0.6 of a map, the more the greater sigma, below a sigma of 4; half a map, at
 * most three quarters, from there on; more for MIRROR and WRAP where sigma is not small beside the
 * map.
 * Errors: those of terrain_operation_apply. Since 0.1.
 *
 * Definition. h'(x, y) = sum over (i, j) of g(i) g(j) h(x + i, y + j), where g(i) is proportional
 * to exp(-i^2 / (2 sigma^2)) and sums to 1 over all i.
 *
 * Accuracy: a height is off by less than 1e-4 (sigma below 4) or 6e-4 (from there on) of the
 * difference between the highest and the lowest height in its window. This bound is half the sum of
 * the absolute differences between the filter's weights and g. Rounding adds up to a few units in
 * the last place of the heights in the window. */
TERRAIN_API terrain_status terrain_blur_gaussian(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_blur_gaussian_params *params);

/* ---- blur_variable ------------------------------------------------------------------------- */

/** How terrain_blur_variable treats radii that are not whole numbers. */
typedef uint32_t terrain_blur_variable_mode;
enum {
    /** interpolates between the windows of two whole radii; uses the border */
    TERRAIN_BLUR_VARIABLE_MODE_SMOOTH = 0,
    /** rounds the radius; copies cells whose window crosses the edge */
    TERRAIN_BLUR_VARIABLE_MODE_PUBLISHED = 1
};

typedef struct terrain_blur_variable_params {
    uint32_t struct_size;
    uint32_t flags;
    /** Another seed gives another terrain of the same kind. Default 0. */
    uint64_t seed;
    /** Where to apply: 0 keeps the old height, 1 takes the new one; without it, everywhere. NULL:
     * none. */
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    /** How much to blur: 0 is radius_low, 1 is radius_high; without it, noise decides. NULL:
     * none. */
    const terrain_heightmap *amount;
    TERRAIN_POINTER_PAD(amount_pad)
    /** The smallest window is 2 radius_low + 1 cells wide. Cells, 0 to 64; default 1. */
    float radius_low;
    /** The largest window is 2 radius_high + 1 cells wide. Cells, 0 to 64; default 8. */
    float radius_high;
    /** The distance between sharp and blurred places. Cells, 1 to 65536; default 40. */
    uint32_t period;
    /** Whether to interpolate between whole radii, or to follow the published method. Default
     * SMOOTH. */
    terrain_blur_variable_mode mode;
    /** What lies beyond the edge of a bounded map. Default CLAMP. */
    terrain_border border;
    /** Must be 0. */
    uint32_t reserved;
} terrain_blur_variable_params;

/** Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_blur_variable_params_init(terrain_blur_variable_params *params,
                                                             size_t size);

/** Takes the mean over a square window whose size varies from cell to cell: sharp here, rounded
 * there, as weathered rock is. The map `amount` says where to blur how much; without it, noise
 * does.
 *
 * Useful values: a radius_high of 4 to 16. A radius_low of 0 leaves single cells unsmoothed, which
 * show as spikes, above all in PUBLISHED. The time hardly depends on the radii, except for some
 * more work where they change fast, along open edges and around cells that are not finite.
 *
 * Reads and writes `map`, in place.
 * A cell's window reaches radius_high cells far, rounded up. A radius of 0 changes nothing, to the
 * last bit. No result lies outside the range of the heights in its window. A flipped or rotated map
 * gives the flipped or rotated result if `amount` is flipped or rotated, too. In an endless world
 * border has no effect. A cell whose own window holds NaN or infinity becomes NaN; a cell with a
 * radius of 0 stays as it is.
 * Memory: for each of up to 64 tasks, which work on some 300 columns each, half a megabyte and 2
 * radius_high columns of the map; another map with a mask. More with larger radii.
 * Errors: those of terrain_operation_apply; RANGE if radius_low is above radius_high. Since 0.1.
 *
 * Definition. The radius of cell (x, y) is
 *
 *     radius = max(radius_low, a radius_high),  a = amount(x, y), clamped to 0 … 1, NaN as 0;
 *                                                      without `amount` a = min(1, |n(x, y)|)
 *
 * SMOOTH: with r = floor(radius), h' = m(r) + (radius - r) (m(r + 1) - m(r)), where m(r) is the
 * mean of the (2 r + 1)^2 cells around (x, y). So a constant radius gives a weighted mean of two
 * box blurs (blur_box weighs the window's corners less). `border` says what lies beyond the edge of
 * a bounded map: CLAMP, MIRROR, WRAP, or OPEN, which takes the mean over the cells inside the map
 * alone.
 * PUBLISHED: h' = m(floor(radius + 0.5)), and h' = h where that window does not fit into the map;
 * border has no effect. This is the method's first form ("PerlinGaussian").
 *
 * n is noise with a node at each cell whose coordinates are multiples of period. A node has a value
 * and two slopes, east and south, all in (-1, 1), which are hashes of seed and node. They make a
 * plane: at (p, q) periods from the node it is value + east p + south q. Between four nodes n is
 * interpolated from their planes by s(t) = 6 t^5 - 15 t^4 + 10 t^3, down and across. Radius and n
 * are computed in single precision.
 *
 * Sums are exact: heights are rounded to multiples of 2^-26 and clamped to +-2^22 before they are
 * added. Heights of at least 1/8 need no rounding, so a level area of such a height stays as it is,
 * to the last bit.
 */
TERRAIN_API terrain_status terrain_blur_variable(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_blur_variable_params *params);

#ifdef __cplusplus
}
#endif

#endif
