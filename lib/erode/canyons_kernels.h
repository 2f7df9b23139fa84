/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of canyons.h: which pieces matter to a square of cells, and carving a patch. */

#ifndef TERRAIN_ERODE_CANYONS_KERNELS_H
#define TERRAIN_ERODE_CANYONS_KERNELS_H

#include "base/kernels.h"

/* A patch: 8 x 8 cells, row by row, without gaps. */
enum { TERRAIN__CANYONS_PATCH = 8, TERRAIN__CANYONS_CELLS = 64 };

/* Rounding changes a wall by less than these parts of its height, and of what walls rise over the
 * radius of a square of cells, together: by a twentieth of that, measured for patches. */
#define TERRAIN__CANYONS_HEIGHT_ERROR 0x1p-18f
#define TERRAIN__CANYONS_RISE_ERROR 0x1p-10f

/* The most pieces that are weighed together. */
enum { TERRAIN__CANYONS_BATCH = 512 };

/* Pieces, as arrays of each of their numbers. Places count from a cell nearby. */
enum { TERRAIN__CANYONS_NUMBERS = 10 };
struct canyons_cones {
    float x[TERRAIN__CANYONS_BATCH]; /* of the first point, from which the floor falls */
    float y[TERRAIN__CANYONS_BATCH];
    float east[TERRAIN__CANYONS_BATCH]; /* the direction, of length 1 */
    float south[TERRAIN__CANYONS_BATCH];
    float length[TERRAIN__CANYONS_BATCH]; /* cells */
    float high[TERRAIN__CANYONS_BATCH];   /* the floor at the first point */
    float fall[TERRAIN__CANYONS_BATCH];   /* per cell; less than bank */
    /* How far the lowest cone is ahead of a cell, along the piece, as a multiple of its
     * distance. */
    float lead[TERRAIN__CANYONS_BATCH];
    float half_width[TERRAIN__CANYONS_BATCH];
    float mark[TERRAIN__CANYONS_BATCH];
};

struct canyons_walls {
    float bank;
    float square; /* of reach */
    float limit;  /* bank / (2 reach) */
};

/* Pieces at a point: the height of their walls there, by how much these rise to the east and to the
 * south (rise_east is infinite on a floor, where it is not known), and the squared distance. */
struct canyons_weights {
    float wall[TERRAIN__CANYONS_BATCH];
    float rise_east[TERRAIN__CANYONS_BATCH];
    float rise_south[TERRAIN__CANYONS_BATCH];
    float square[TERRAIN__CANYONS_BATCH];
};

/* A piece matters in a square unless its walls are above `ground` everywhere, or its squared
 * distance is greater than `square`; or it is greater than `beaten` and the piece's walls are above
 * `corner` in all corners, row by row. */
struct canyons_bounds {
    float half; /* from the square's middle to the middle of its outermost cells */
    float ground;
    float square;
    float beaten;
    float corner[4];
};

struct canyons_kernels {
    /* Weighs pieces `from` to from + count - 1 at a point. */
    void (*weigh)(const struct canyons_cones *cones, uint32_t from, uint32_t count, float x,
                  float y, float bank, struct canyons_weights *weights);
    /* Lists the pieces that may matter within bounds; returns how many. */
    uint32_t (*sift)(const struct canyons_weights *weights, uint32_t count,
                     const struct canyons_bounds *bounds, uint32_t *kept);
    /* heights = min(heights, the ground as the piece carves it), in the patch whose first cell is
     * (x, y). */
    void (*carve)(float *heights, const float *ground, const struct canyons_cones *cones,
                  uint32_t piece, float x, float y, const struct canyons_walls *walls);
    /* marks = max(marks, the piece's) on its floor. */
    void (*cover)(float *marks, const struct canyons_cones *cones, uint32_t piece, float x,
                  float y);
};

TERRAIN__DECLARE_KERNELS(canyons)

#endif
