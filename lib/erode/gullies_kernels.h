/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_gullies: all octaves of a patch. */

#ifndef TERRAIN_ERODE_GULLIES_KERNELS_H
#define TERRAIN_ERODE_GULLIES_KERNELS_H

#include "generate/noise_kernels.h"

enum {
    GULLIES_OCTAVES = 8,
    /* What a patch keeps from octave to octave (64 KiB) stays in the second cache. */
    GULLIES_PATCH_WIDTH = NOISE_PATCH_WIDTH,
    GULLIES_PATCH_HEIGHT = 32,
    GULLIES_PATCH_CELLS = GULLIES_PATCH_WIDTH * GULLIES_PATCH_HEIGHT,
    /* Rows of places, each with a vector beyond. */
    GULLIES_PLACES = GULLIES_PATCH_WIDTH + NOISE_LANES
};

/* The lattice's rows and the points in a row, in wavelengths; the points' discs have the first for
 * a radius. */
#define GULLIES_ROW 1.5f
#define GULLIES_EDGE 1.73205081f

struct gullies_octave {
    struct noise_axis x, y;
    uint64_t stream; /* of the points' phases */
    float depth;     /* half of what a gully's bed is cut at slope 1 */
};

struct gullies_plan {
    struct gullies_octave octaves[GULLIES_OCTAVES];
    uint32_t octave_count;
    float branching;
    float floor; /* in units of the cell size */
    float bank;  /* 1 divided by it, in the same units */
};

/* What a cell keeps from octave to octave. */
struct gullies_workspace {
    float across_x[GULLIES_PATCH_CELLS], across_y[GULLIES_PATCH_CELLS]; /* of length 1 */
    float slope[GULLIES_PATCH_CELLS];
    float cut[GULLIES_PATCH_CELLS]; /* over the slope */
    int32_t node[GULLIES_PLACES];   /* lattice row above each row, from the first one's on */
    float between[GULLIES_PLACES];
    float phases[NOISE_NODES];
    /* For the points of a lattice row to the left and to the right of each column: the way from
     * there, 1 less its square, and the point's phase. */
    struct gullies_profile {
        float way[2][GULLIES_PLACES];
        float reach[2][GULLIES_PLACES];
        float phase[2][GULLIES_PLACES];
    } profiles[2];
};

/* A piece of the map. */
struct gullies_patch {
    float *target;
    const float *map;
    const float *smooth;   /* its first cell's own; those around it can be read */
    const float *distance; /* to a river; NULL: there is none */
    size_t target_stride, map_stride, smooth_stride, distance_stride;
    int64_t x, y; /* world coordinates of its first cell */
    uint32_t width, height;
    struct gullies_workspace *work;
};

struct gullies_kernels {
    /* to[i] = the mean of 3 x 3 cells `step` apart, with weights 1 2 1 both ways. */
    void (*smooth)(float *to, const float *above, const float *at, const float *below, size_t step,
                   size_t width);
    /* Writes the patch's cells. */
    void (*patch)(const struct gullies_plan *plan, const struct gullies_patch *patch);
};

TERRAIN__DECLARE_KERNELS(gullies)

#endif
