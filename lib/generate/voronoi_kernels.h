/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of generate_voronoi: the sites near a patch, and the distances of its cells to them. */

#ifndef TERRAIN_GENERATE_VORONOI_KERNELS_H
#define TERRAIN_GENERATE_VORONOI_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

enum {
    /* The sites that any cell of a patch may need are gathered once; a group's sites are chosen
     * among them. A group is as wide as the widest vector. */
    VORONOI_PATCH = 64,
    VORONOI_GROUP = 16,
    /* The lattice cells that the widest patch meets on an axis, and 3 more on both sides: with 16
     * cells and a spacing of 2, 9 + 6. */
    VORONOI_WINDOW = 15,
    VORONOI_SITES = VORONOI_WINDOW * VORONOI_WINDOW,
    /* Vectors of sites may hang over. */
    VORONOI_ROOM = VORONOI_SITES + VORONOI_GROUP - 1
};

/* Positions are in units of 2^-shift cells, such that a lattice cell has more than 2^15 and at most
 * 2^16 of them: distances along the axes are exact, in integers and in float. */
struct voronoi_plan {
    uint64_t places; /* streams of random numbers */
    uint64_t names;
    uint32_t spacing; /* cells */
    uint32_t shift;
    uint32_t side;     /* of a lattice cell, in units */
    uint32_t play;     /* sites lie in the middle of their lattice cell, so many units wide */
    uint32_t repeat_x; /* lattice cells; 0: endless */
    uint32_t repeat_y;
    uint32_t metric; /* TERRAIN_METRIC_… */
    uint32_t order;  /* the farthest site that counts: 1 to 3 */
    uint32_t reach;  /* lattice cells beyond a cell's own that its nearest sites may lie in */
    uint32_t patch;  /* cells; a multiple of VORONOI_GROUP */
    uint32_t group_rows;
    bool named; /* which site is nearest counts */
    float weights[3];
    float linear; /* times the amplitude */
    float quadratic;
    float offset;
    float variation;
};

/* In the order of their lattice cells, row by row: where two are equally near, the first counts. */
struct voronoi_sites {
    float x[VORONOI_ROOM], y[VORONOI_ROOM]; /* units, from the patch's first lattice cell on */
    /* Until the patch's sites have been chosen, places in the window of lattice cells: column +
     * row * VORONOI_WINDOW. */
    float id[VORONOI_ROOM];
    uint32_t count, unused[15]; /* all arrays begin with a cache line */
};

/* Scratch of a task. */
struct voronoi_workspace {
    /* What distance along each axis adds to the distance, for each site of the group. */
    float along[VORONOI_SITES * VORONOI_GROUP];
    float across[VORONOI_SITES * VORONOI_GROUP];
    /* A patch, before it is stored past the caches. */
    float cells[VORONOI_PATCH * VORONOI_PATCH];
    float ids[VORONOI_PATCH * VORONOI_PATCH];
    float distances[VORONOI_ROOM]; /* from an area's middle */
    float excess[VORONOI_ROOM];    /* above 0: the site does not count there */
    struct voronoi_sites window, patch, group;
};

/* A piece of the map, at most plan->patch wide and high. */
struct voronoi_patch {
    float *cells;
    size_t stride;
    float *ids; /* NULL: not wanted */
    size_t id_stride;
    int64_t x, y; /* world coordinates of its first cell */
    uint32_t width, height;
    struct voronoi_workspace *work;
};

struct voronoi_kernels {
    /* Writes the patch's cells. */
    void (*patch)(const struct voronoi_plan *plan, const struct voronoi_patch *patch);
};

TERRAIN__DECLARE_KERNELS(voronoi)

#endif
