/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_ERODE_HYDRAULIC_KERNELS_H
#define TERRAIN_ERODE_HYDRAULIC_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* Floats before a row's first cell, and after the whole vectors that hold its cells: they keep what
 * cells outside the map have. */
#define TERRAIN__HYDRAULIC_PAD 16u

/* What is kept for each cell. Outside the map, ground is infinite, CARVE's surfaces are NaN, so
 * that they are neither lower nor higher, and all else is 0. */
enum {
    TERRAIN__HYDRAULIC_GROUND = 0,
    TERRAIN__HYDRAULIC_WATER = 1,
    TERRAIN__HYDRAULIC_FLOW = 2, /* how much flows away */
    /* FAST: where to: 0 nowhere, 1 north, 2 west, 3 east, 4 south, as int32_t. */
    TERRAIN__HYDRAULIC_TARGET = 3,
    TERRAIN__HYDRAULIC_FAST_COUNT = 4,
    /* REFERENCE */
    TERRAIN__HYDRAULIC_SEDIMENT = 3,
    TERRAIN__HYDRAULIC_SURFACE = 4, /* ground and water, before the flow */
    TERRAIN__HYDRAULIC_SHARE = 5,   /* what flows for each unit that a neighbour is lower */
    TERRAIN__HYDRAULIC_LOAD = 6,    /* sediment in each unit of water */
    TERRAIN__HYDRAULIC_REFERENCE_COUNT = 7,
    /* CARVE. The surfaces of this iteration and of the next one take turns. */
    TERRAIN__HYDRAULIC_SURFACES = 2,
    TERRAIN__HYDRAULIC_RUNS = 4, /* water that runs off for each unit that a neighbour is lower */
    TERRAIN__HYDRAULIC_WORN = 5, /* and ground */
    TERRAIN__HYDRAULIC_CARVE_COUNT = 6
};

/* A row and its neighbours, each at the first cell of the first thing kept; the others follow by
 * `plane` floats. */
struct hydraulic_row {
    float *centre;
    const float *north, *south;
    size_t plane;
    size_t width;
    size_t now;  /* CARVE: from a row's ground to its surface */
    size_t next; /* and to that of the next iteration */
    float cells; /* CARVE: cells in a unit of height */
    float rain;  /* as a height; 0 in the last iteration, for which it has rained already */
    float solubility;
    float evaporation;
    float capacity;
};

/* By mode. */
struct hydraulic_kernels {
    void (*rain[3])(const struct hydraulic_row *row);
    void (*flow[3])(const struct hydraulic_row *row); /* decides */
    void (*take[3])(const struct hydraulic_row *row); /* moves, dries, and rains for the next one */
};

TERRAIN__DECLARE_KERNELS(hydraulic)

#endif
