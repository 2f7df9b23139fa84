/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: octaves at cells that are displaced, tile by tile. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_KERNELS_H
#define TERRAIN_GENERATE_NOISE_WARP_KERNELS_H

#include "generate/noise_kernels.h"

enum {
    /* Tiles: all of an octave's lattice points that their cells need are found once. */
    NOISE_WARP_WIDTH = 64,
    NOISE_WARP_HEIGHT = NOISE_TILE_HEIGHT,
    NOISE_WARP_CELLS = NOISE_WARP_WIDTH * NOISE_WARP_HEIGHT,
    /* Rows of displacements lie so far apart that they don't crowd into few sets of the cache when
     * they are walked down. */
    NOISE_WARP_STRIDE = NOISE_WARP_WIDTH + NOISE_LANES,
    /* Cells of a row that find their lattice points together. */
    NOISE_WARP_STRIP = 32,
    NOISE_WARP_STRIPS = NOISE_WARP_WIDTH / NOISE_WARP_STRIP,
    /* Strips of a block whose places are found together, and their cells. */
    NOISE_WARP_TOGETHER = 8,
    NOISE_WARP_GROUP = NOISE_WARP_TOGETHER * NOISE_WARP_STRIP,
    /* Floats that a lattice point and the one to its right hold together, and how far records of
     * them are apart. */
    NOISE_WARP_PARTS = 6,
    NOISE_WARP_RECORD = 8,
    /* The most lattice rows of a table, and points. */
    NOISE_WARP_ROWS = 160,
    NOISE_WARP_NODES = 10240,
    NOISE_WARP_PLANE = NOISE_WARP_NODES + NOISE_LANES,
    NOISE_WARP_WINDOW = 2 * NOISE_LANES, /* points that are permuted */
    /* From so many points of a table on, for each cell of a tile, it is faster to hash each cell's
     * four points. Then so many lattice rows are enough for nearly all tiles. */
    NOISE_WARP_CROWD = 1,
    NOISE_WARP_HASHES = 1024,
    /* The most lattice rows whose words are kept, where they are not looked up by vectors. */
    NOISE_WARP_LINES = 8192,
    /* Tables that are read by a vector of indices hang over by so many vectors. */
    NOISE_WARP_LOOKUP = 8
};

/* Least and greatest displacements of strips. */
struct noise_warp_ranges {
    float least_east[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    float most_east[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    float least_south[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    float most_south[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
};

/* Where strips lie on an octave's lattice, from the lattice cell of the tile's first cell on. */
struct noise_warp_strips {
    float whole[NOISE_WARP_STRIPS]
               [NOISE_WARP_HEIGHT]; /* first_row, from each row of cells' own on */
    int32_t first_row[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    int32_t last_row[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    /* Bounds of the cells' places in a lattice row that begins where column 0 of the world lies,
     * with a margin, and the column there. */
    float west[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    float east[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    int32_t first_column[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    int32_t last_column[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
    /* Whether the strip's points are few enough to be permuted: 0 or -1. */
    int32_t near[NOISE_WARP_STRIPS][NOISE_WARP_HEIGHT];
};

/* A lattice row whose points are hashed one by one: terrain__random_column of the first columns and
 * of those whose high word is the next one, and where column 0 of the world lies. */
struct noise_warp_line {
    uint64_t columns[2];
    float shift;
};

/* Where cells of a few strips lie, and where the points to their left are kept. They are found
 * ahead of the noise: the way from a displacement to its point is a long chain, of which several go
 * on at a time. */
struct noise_warp_places {
    float v[NOISE_WARP_GROUP];
    float u[2][NOISE_WARP_GROUP];
    int32_t at[2][NOISE_WARP_GROUP]; /* by the lattice rows above and below */
};

/* Scratch of a task. Every array is a multiple of 64 bytes, and begins at one. */
struct noise_warp_workspace {
    /* Displacements, in cells. */
    float east[NOISE_WARP_HEIGHT * NOISE_WARP_STRIDE];
    float south[NOISE_WARP_HEIGHT * NOISE_WARP_STRIDE];
    float sums[NOISE_WARP_CELLS];
    /* An octave's noise, if it is not added to the sums as it is, and by how much its terms still
     * count. TERRAIN_GENERATE_NOISE_FRACTAL_FBM touches neither. */
    float values[NOISE_WARP_CELLS];
    float gates[NOISE_WARP_CELLS];
    struct noise_warp_ranges ranges;
    struct noise_warp_strips strips;
    struct noise_warp_places places;
    /* Where columns and rows lie before they are displaced: lattice cell and fraction. */
    int32_t columns[NOISE_PLACES], rows[NOISE_PLACES];
    float across[NOISE_PLACES], down[NOISE_PLACES];
    /* For each lattice row: where column 0 of the world lies, and the two words of
     * terrain__random_column, as the bits of floats. */
    float shifts[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    float lows[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    float highs[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    uint64_t hashes[NOISE_WARP_ROWS]; /* of the table's lattice rows */
    /* Planes of a few points, row behind row. */
    float window[NOISE_WARP_PARTS][NOISE_WARP_WINDOW];
    union { /* a table, or where there is none */
        /* Row behind row: x and y of gradients, other_x and other_y, value, change of struct
         * noise_warp_parts. Vectors that begin at the last points hang over. */
        float planes[NOISE_WARP_PARTS][NOISE_WARP_PLANE];
        struct noise_warp_line lines[NOISE_WARP_LINES];
    };
    float records[NOISE_WARP_RECORD * NOISE_WARP_NODES];
};

struct noise_warp_kernels {
    /* Writes the tile's cells, at most NOISE_WARP_WIDTH by NOISE_WARP_HEIGHT: the noise at the
     * places to which east and south move them. */
    void (*tile)(const struct noise_plan *plan, const struct noise_tile *tile,
                 struct noise_warp_workspace *work);
};

TERRAIN__DECLARE_KERNELS(noise_warp)

#endif
