/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur: averages neighbouring cells. */

#ifndef TERRAIN_BLUR_H
#define TERRAIN_BLUR_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- blur_gaussian ------------------------------------------------------------------------- */

typedef struct terrain_blur_gaussian_params {
    uint32_t struct_size;
    uint32_t flags;
    const terrain_heightmap *mask; /* where to apply; NULL: everywhere */
    TERRAIN_POINTER_PAD(mask_pad)
    float sigma;           /* standard deviation in cells; 0 to 1024; default 2 */
    terrain_border border; /* beyond the edge of the map; default CLAMP */
} terrain_blur_gaussian_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_blur_gaussian_params_init(terrain_blur_gaussian_params *params,
                                                             size_t size);

/* Smooths with a Gaussian: h'(x, y) = sum over (i, j) of g(i) g(j) h(x + i, y + j), where g(i) is
 * proportional to exp(-i^2 / (2 sigma^2)) and sums to 1 over all i. sigma = 0 changes nothing, to the
 * bit. The time does not grow with sigma.
 *
 * Accuracy: the sum of the absolute weights by which the filter differs from that one, halved, is
 * below 1e-4 for sigma below 4, and below 6e-4 from there on: so far may a height be off, in units of
 * the difference between the highest and the lowest height within reach. Rounding adds up to a few units
 * in the last place of the heights within reach. A level area within reach stays what it is, to the last
 * bit (but see OPEN). Up to a sigma of 4 a mirrored map gives the mirrored result to the bit; from 4 on
 * the filter works on coarser grids that are anchored to world coordinates, and a mirrored, shifted or
 * transposed map gives the same only up to the accuracy above.
 *
 * Parameters: sigma. border is what a bounded map continues with: CLAMP, MIRROR, WRAP, or OPEN, which
 * takes the mean over the cells inside the map alone, each with its weight g(i) g(j). In an endless
 * world border has no effect.
 * Reads and writes `map`, in place. The window of a cell reaches about 4 sigma far below a sigma of 4,
 * and up to 6 sigma far from there on (terrain_operation_window tells).
 * NaN or infinity makes the cells whose window holds it NaN or infinite, and no others. Heights beyond
 * 1e37 may overflow.
 * Memory: about half a map below a sigma of 4, and a third from there on; more for MIRROR and WRAP where
 * sigma is not small beside the map.
 * Errors: those of terrain_operation_apply. Since 0.1. */
TERRAIN_API terrain_status terrain_blur_gaussian(terrain_context *context, terrain_heightmap *map,
                                                 const terrain_blur_gaussian_params *params);

/* ---- blur_box ------------------------------------------------------------------------------ */

typedef struct terrain_blur_box_params {
    uint32_t struct_size;
    uint32_t flags;
    const terrain_heightmap *mask; /* where to apply; NULL: everywhere */
    TERRAIN_POINTER_PAD(mask_pad)
    float radius;          /* in cells; 0 to 1024; default 2 */
    terrain_border border; /* beyond the edge of the map; default CLAMP */
} terrain_blur_box_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_blur_box_params_init(terrain_blur_box_params *params,
                                                        size_t size);

/* Takes the mean over a square window: h'(x, y) = sum over (i, j) of w(i) w(j) h(x + i, y + j), divided
 * by (2 radius + 1)^2, where w(i) is 1 up to floor(radius), radius - floor(radius) for the cell after
 * that on either side, and 0 beyond. radius = 0 changes nothing, to the bit. The time hardly grows with
 * the radius.
 *
 * Rounding: up to a few units in the last place of the largest height in the window, whatever the
 * window. A level area within reach stays what it is, to the last bit. A map mirrored left to right gives
 * the mirrored result, to the last bit; turned or shifted, the same up to rounding.
 * Parameters: radius. border is what a bounded map continues with: CLAMP, MIRROR, WRAP, or OPEN, which
 * takes the mean over the cells inside the map alone. In an endless world border has no effect.
 * Reads and writes `map`, in place. The window of a cell reaches radius far, rounded up.
 * NaN or infinity makes the cells whose window holds it NaN or infinite, and no others. Heights beyond
 * 1e34 may overflow.
 * Memory: about 4 radius rows of the map (WRAP: 6), at most all of them, and radius KB for each 1024
 * columns.
 * Errors: those of terrain_operation_apply. Since 0.1. */
TERRAIN_API terrain_status terrain_blur_box(terrain_context *context, terrain_heightmap *map,
                                            const terrain_blur_box_params *params);

#ifdef __cplusplus
}
#endif

#endif
