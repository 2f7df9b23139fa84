/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of flow.h: receivers, donors and borders of basins, a row at a time. */

#ifndef TERRAIN_FLOW_FLOW_KERNELS_H
#define TERRAIN_FLOW_FLOW_KERNELS_H

#include "base/kernels.h"

/* The way to a neighbour at a corner, in cells: sqrt(2); and its inverse, which makes a slope of a
 * fall to there. */
#define TERRAIN__FLOW_CORNER 1.4142135623730951
#define TERRAIN__FLOW_DIAGONAL 0.707106781f

enum {
    TERRAIN__FLOW_PAD = 16 /* readable cells before a row and, beyond its end, after it */
};

/* Three rows; the middle one is worked on; all have TERRAIN__FLOW_PAD cells around them that no
 * water flows to. */
struct flow_rows {
    const void *above;
    const void *centre;
    const void *below;
    const float *heights; /* the centre's, as they are in the map */
    uint32_t width;
};

/* By which neighbours flow to a cell, bit d - 1 for the one in direction d: how many, the steps to
 * them, and their directions. */
struct flow_fans {
    int32_t steps[2][256][8]; /* from the first of the eight on, and so that they end at the last */
    uint8_t ways[2][256][8];
    uint8_t counts[256];
    uint32_t width;  /* of the maps that the steps are for; 0: none yet */
    uint32_t halves; /* of their trees: the second is what the second of the two is for */
};

/* Receivers as a tree; see terrain__flow_grow. */
struct flow_tree {
    uint32_t *cells;
    uint32_t *parents;
    uint8_t *ways;
};

/* A tree grows from both ends of its places towards the middle, each end by itself: up to 8 places
 * beyond what an end has are written. */
enum { TERRAIN__FLOW_TREE_PAD = 16 };

/* What grows from one end. Its places are first, first + step, first + 2 * step, … */
struct flow_half {
    size_t first;
    ptrdiff_t step; /* 1 or -1 */
    size_t roots;   /* how many have no receiver: the first ones */
    size_t count;
};

typedef void flow_look_around(uint8_t *found, const uint8_t *above, const uint8_t *centre,
                              const uint8_t *below, uint32_t width);

struct flow_kernels {
    /* Heights as integers of their order: NaN below all, -0 as 0. */
    void (*keys)(int32_t *keys, const float *heights, uint32_t width);
    /* Heights to subtract: -infinity for NaN. */
    void (*ground)(float *ground, const float *heights, uint32_t width);
    /* From keys: the direction of the lowest of the nine, of the first by rows where several are
     * lowest; TERRAIN__FLOW_PIT if the cell itself is lowest, TERRAIN__FLOW_OUTLET if it is NaN. */
    void (*lowest)(uint8_t *directions, const struct flow_rows *rows);
    /* From ground: the direction in which drop * (1 straight, `diagonal` at a corner) is greatest,
     * the first by rows where several are; TERRAIN__FLOW_PIT if none is above 0,
     * TERRAIN__FLOW_OUTLET if the cell's height is NaN. */
    void (*steepest)(uint8_t *directions, const struct flow_rows *rows, float diagonal);
    /* Diagonals for RHO8 of cells x and on, of columns that share their high word: 1 / (2 - r). */
    void (*dither)(float *diagonals, uint64_t column, uint32_t x, uint32_t width);
    /* Like steepest, with a `diagonal` for each cell. */
    void (*dithered)(uint8_t *directions, const struct flow_rows *rows, const float *diagonals);
    /* For each cell, bit k for a neighbour in another basin: east, south-west, south, south-east.
     * Reads one cell beyond either end of both rows. */
    void (*borders)(uint8_t *bits, const uint32_t *labels, const uint32_t *below, uint32_t width);
    /* Bit d - 1 of each cell: its neighbour in direction d flows to it; rows have TERRAIN__FLOW_PIT
     * at either side. */
    flow_look_around *donors;
    /* How many neighbours give to each cell: those whose bit d - 1 is set, d being the direction
     * from them to it; rows have 0 at either side. */
    flow_look_around *givers;
    /* Completes a half whose roots are filled in: appends the cells that flow to them, then those
     * that flow to these, and so on. Returns the number of places. */
    size_t (*grow)(const struct flow_tree *tree, const struct flow_half *half,
                   const uint8_t *donors, const struct flow_fans *fans);
    /* From ground: parts[8 x + d - 1] is the share of cell x's water that goes in direction d, in
     * 2^-24: in proportion to slope^exponent of the slopes above 0 (0 for slopes of 2^-100 of the
     * steepest or less), rounded down; 0 for all where there is none, or one of 1e18 or more. */
    void (*part)(int32_t *parts, const struct flow_rows *rows, float exponent);
    /* heights[i], or the level of its basin where that is higher. */
    void (*raise)(float *target, const float *heights, const uint32_t *labels, const float *levels,
                  uint32_t width);
};

TERRAIN__DECLARE_KERNELS(flow)

#endif
