/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_GENERATE_NOISE_WARP_KERNELS_H
#define TERRAIN_GENERATE_NOISE_WARP_KERNELS_H

#include "generate/noise_kernels.h"

enum {
    /* Cells that share a table of lattice points: their sums and a usual table stay in the L1
     * cache. */
    NOISE_WARP_WIDTH = 64,
    NOISE_WARP_HEIGHT = 32,
    NOISE_WARP_CELLS = NOISE_WARP_WIDTH * NOISE_WARP_HEIGHT,
    /* Cells of a row that find their lattice points together. */
    NOISE_WARP_STRIP = 32,
    NOISE_WARP_STRIPS = NOISE_WARP_WIDTH / NOISE_WARP_STRIP,
    /* Floats that a lattice point and the one to its right hold together, and how far records of
     * them are apart. */
    NOISE_WARP_PARTS = 6,
    NOISE_WARP_RECORD = 8,
    /* The most lattice rows of a table, and points: as records, and as planes. */
    NOISE_WARP_ROWS = 96,
    NOISE_WARP_NODES = 4096,
    NOISE_WARP_PLANE_NODES = 1024
};

/* Least and greatest displacements of strips. */
struct noise_warp_ranges {
    float least_east[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    float most_east[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    float least_south[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    float most_south[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
};

/* Scratch of a task. Every array is a multiple of 64 bytes, and begins at one. */
struct noise_warp_workspace {
    float east[NOISE_TILE_CELLS],
        south[NOISE_TILE_CELLS]; /* of a tile: its displacements, in cells */
    float sums[NOISE_WARP_CELLS];
    float gates[NOISE_WARP_CELLS];
    struct noise_warp_ranges ranges;
    /* Lattice cells that strips lie in, from the piece's first one on; columns have a margin. */
    float whole[NOISE_WARP_STRIPS]
               [NOISE_WARP_HEIGHT]; /* first_row, from each row of cells' own on */
    int32_t first_row[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    int32_t last_row[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    int32_t first_column[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    /* Whether first_row is last_row and all points are those of one vector: 0 or -1. */
    int32_t together[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    /* Where columns and rows lie before they are displaced: lattice cell and fraction. */
    int32_t columns[NOISE_PLACES], rows[NOISE_PLACES];
    float across[NOISE_PLACES], down[NOISE_PLACES];
    struct noise_nodes nodes;
    float shifts[NOISE_WARP_ROWS +
                 NOISE_LANES]; /* of lattice rows: where column 0 of the world lies */
    float planes[NOISE_WARP_PARTS * NOISE_WARP_PLANE_NODES];
    float records[NOISE_WARP_RECORD * NOISE_WARP_NODES];
};

struct noise_warp_kernels {
    /* Writes the tile's cells: the noise at the places to which east and south move them. */
    void (*tile)(const struct noise_plan *plan, const struct noise_tile *tile,
                 struct noise_warp_workspace *work);
};

TERRAIN__DECLARE_KERNELS(noise_warp)

#endif
