/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_hydraulic: one step of water and ground on a row. */

#ifndef TERRAIN_ERODE_HYDRAULIC_KERNELS_H
#define TERRAIN_ERODE_HYDRAULIC_KERNELS_H

#include "base/kernels.h"

/* The planes of a cell's numbers that follow ground and water (runoff.h). The surfaces of this
 * iteration and of the next one take turns; outside the map they are NaN. */
enum {
    TERRAIN__HYDRAULIC_SURFACES = 2,
    TERRAIN__HYDRAULIC_RUNS = 4, /* water that runs off for each unit that a neighbour is lower */
    TERRAIN__HYDRAULIC_WORN = 5, /* ground that this water takes along */
    TERRAIN__HYDRAULIC_COUNT = 6
};

/* A row and its neighbours, each at the first cell's ground; the other things follow by `plane`
 * floats each. */
struct hydraulic_row {
    float *centre;
    const float *north, *south;
    size_t plane;
    size_t width;
    size_t now;             /* from a row's ground to its surface */
    size_t next;            /* and to its surface in the next iteration */
    float cells_per_height; /* cells in a unit of height */
    float rain;             /* as a height; 0 in the last iteration, for which it has rained */
    float evaporation;
    float capacity;
};

struct hydraulic_kernels {
    void (*rain)(const struct hydraulic_row *row);
    void (*flow)(const struct hydraulic_row *row); /* decides */
    void (*take)(const struct hydraulic_row *row); /* moves, dries, and rains for the next one */
};

TERRAIN__DECLARE_KERNELS(hydraulic)

#endif
