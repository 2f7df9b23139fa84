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
    /* Squares of cells, which find their lattice points together. */
    NOISE_WARP_SIDE = 4,
    NOISE_WARP_SQUARE = NOISE_WARP_SIDE * NOISE_WARP_SIDE,
    NOISE_WARP_ACROSS = NOISE_WARP_WIDTH / NOISE_WARP_SIDE,
    NOISE_WARP_SQUARES = NOISE_WARP_CELLS / NOISE_WARP_SQUARE,
    /* So many squares behind the last one of a list may be looked at. */
    NOISE_WARP_AHEAD = 3,
    /* Squares whose places are found together, and their cells. */
    NOISE_WARP_TOGETHER = 16,
    NOISE_WARP_GROUP = NOISE_WARP_TOGETHER * NOISE_WARP_SQUARE,
    /* Floats that a lattice point and the one to its right hold together, and how far records of
     * them are apart. */
    NOISE_WARP_PARTS = 6,
    NOISE_WARP_RECORD = 8,
    /* The most lattice rows of a table, and points. */
    NOISE_WARP_ROWS = 160,
    NOISE_WARP_NODES = 10240,
    NOISE_WARP_PLANE = NOISE_WARP_NODES + NOISE_LANES,
    /* From so many points of a table on, for each cell of a tile, it is faster to hash each cell's
     * four points. Then so many lattice rows are enough for nearly all tiles. */
    NOISE_WARP_CROWD = 1,
    NOISE_WARP_HASHES = 1024,
    /* The most lattice rows whose words are kept, where they are not looked up by vectors. */
    NOISE_WARP_LINES = 8192,
    /* Tables that are read by a vector of indices hang over by so many vectors. */
    NOISE_WARP_LOOKUP = 8
};

/* How squares find their lattice points: see noise_warp_kernels.c. */
enum noise_warp_kind {
    NOISE_WARP_WITHIN, /* the same for all cells */
    NOISE_WARP_LINE,   /* in a vector of each of two lattice rows */
    NOISE_WARP_BLOCK,  /* in eight columns of a few lattice rows */
    NOISE_WARP_FIELD,  /* of eight lattice rows */
    NOISE_WARP_APART,  /* in records of the table */
    NOISE_WARP_KINDS
};

/* Least and greatest displacements of squares. */
struct noise_warp_ranges {
    float least[NOISE_WARP_SQUARES], most[NOISE_WARP_SQUARES];
};

/* Where squares lie on an octave's lattice, from the lattice cell of the tile's first cell on. */
struct noise_warp_squares {
    int32_t first_row[NOISE_WARP_SQUARES], last_row[NOISE_WARP_SQUARES];
    int32_t first_column[NOISE_WARP_SQUARES]; /* of those that are looked up, in any lattice row */
    /* Where the table has each one's first point, in the lattice rows above and below. */
    int32_t at[2][NOISE_WARP_SQUARES];
    /* The squares of each kind, as the bits of floats; behind the last one it stands again,
     * NOISE_WARP_AHEAD times. */
    float lists[NOISE_WARP_KINDS][NOISE_WARP_SQUARES + NOISE_LANES];
    uint32_t counts[NOISE_LANES]; /* by kind */
};

/* A lattice row whose points are hashed one by one: terrain__random_column of the first columns and
 * of those whose high word is the next one, and where column 0 of the world lies. */
struct noise_warp_line {
    uint64_t columns[2];
    float shift;
};

/* Where cells of a few squares lie, and where the points to their left are kept. They are found
 * ahead of the noise: the way from a displacement to its point is a long chain, of which several go
 * on at a time. */
struct noise_warp_places {
    float v[NOISE_WARP_GROUP];
    float u[2][NOISE_WARP_GROUP];
    int32_t at[2][NOISE_WARP_GROUP]; /* by the lattice rows above and below */
};

/* Scratch of a task. Every array is a multiple of 64 bytes, and begins at one. Maps of cells are
 * kept square by square, each row by row. */
struct noise_warp_workspace {
    /* Displacements, in cells. */
    float east[NOISE_WARP_CELLS];
    float south[NOISE_WARP_CELLS];
    float sums[NOISE_WARP_CELLS];
    /* An octave's noise, if it is not added to the sums as it is, and by how much its terms still
     * count. TERRAIN_GENERATE_NOISE_FRACTAL_FBM touches neither. */
    float values[NOISE_WARP_CELLS];
    float gates[NOISE_WARP_CELLS];
    struct noise_warp_ranges ranges[2]; /* of east, south */
    struct noise_warp_squares squares;
    struct noise_warp_places places;
    /* Where columns and rows lie before they are displaced: lattice cell and fraction. Then for
     * each cell of a row, and of a column, of squares. */
    int32_t columns[NOISE_PLACES], rows[NOISE_PLACES];
    float across[NOISE_PLACES], down[NOISE_PLACES];
    int32_t square_columns[NOISE_WARP_ACROSS * NOISE_WARP_SQUARE];
    int32_t square_rows[NOISE_WARP_ACROSS * NOISE_WARP_SQUARE];
    float square_across[NOISE_WARP_ACROSS * NOISE_WARP_SQUARE];
    float square_down[NOISE_WARP_ACROSS * NOISE_WARP_SQUARE];
    /* Where columns and rows of squares begin and end before they are displaced, from the lattice
     * cell of the tile's first cell on, with a margin. */
    float begins[NOISE_WARP_ACROSS], ends[NOISE_WARP_ACROSS];
    float tops[NOISE_WARP_ACROSS], bottoms[NOISE_WARP_ACROSS];
    /* Where the tile begins and ends when it is displaced, in cells from its first one on; and how
     * far from there its cells lie and are moved at the most. */
    float extents[2][NOISE_LANES];
    float reach[NOISE_LANES];
    /* For each lattice row: where column 0 of the world lies, and the two words of
     * terrain__random_column, as the bits of floats. */
    float shifts[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    float lows[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    float highs[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    uint64_t hashes[NOISE_WARP_ROWS]; /* of the table's lattice rows */
    union {                           /* a table, or where there is none */
        /* Row behind row: x and y of gradients, other_x and other_y, value, change of struct
         * noise_warp_parts. Vectors that begin at the last points hang over. */
        float planes[NOISE_WARP_PARTS][NOISE_WARP_PLANE];
        struct noise_warp_line lines[NOISE_WARP_LINES];
    };
    float records[NOISE_WARP_RECORD * NOISE_WARP_NODES];
};

struct noise_warp_kernels {
    /* Keeps the displacements of a tile, whose sums they are; axis 0: east, 1: south. */
    void (*displace)(struct noise_warp_workspace *work, uint32_t axis,
                     const struct noise_tile *tile);
    /* Writes the tile's cells, at most NOISE_WARP_WIDTH by NOISE_WARP_HEIGHT: the noise at the
     * places to which east and south move them. */
    void (*tile)(const struct noise_plan *plan, const struct noise_tile *tile,
                 struct noise_warp_workspace *work);
};

TERRAIN__DECLARE_KERNELS(noise_warp)

#endif
