/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: octaves at displaced cells, patch by patch. noise_warp_kernels.c tells
 * how. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_KERNELS_H
#define TERRAIN_GENERATE_NOISE_WARP_KERNELS_H

#include "generate/noise_kernels.h"

enum {
    /* A patch: each lattice point that its cells need is found once an octave. */
    NOISE_WARP_WIDTH = 64,
    NOISE_WARP_HEIGHT = NOISE_PATCH_HEIGHT,
    NOISE_WARP_CELLS = NOISE_WARP_WIDTH * NOISE_WARP_HEIGHT,
    /* Squares of cells, each of which finds its lattice points together. */
    NOISE_WARP_SIDE = 4,
    NOISE_WARP_SQUARE = NOISE_WARP_SIDE * NOISE_WARP_SIDE,
    NOISE_WARP_ACROSS = NOISE_WARP_WIDTH / NOISE_WARP_SIDE,
    NOISE_WARP_SQUARES = NOISE_WARP_CELLS / NOISE_WARP_SQUARE,
    /* How far past the end of a list of squares the kernels look: they find places ahead of the
     * noise. */
    NOISE_WARP_AHEAD = 3,
    /* Squares whose cells find their records together, and those cells. */
    NOISE_WARP_TOGETHER = 16,
    NOISE_WARP_GROUP = NOISE_WARP_TOGETHER * NOISE_WARP_SQUARE,
    /* Floats kept for a lattice point and its right neighbour, and the stride of records of
     * them. */
    NOISE_WARP_PARTS = 6,
    NOISE_WARP_RECORD = 8,
    /* The most lattice rows and points of a table. */
    NOISE_WARP_ROWS = 160,
    NOISE_WARP_NODES = 10240,
    /* Eleven cache lines apart modulo 4 KiB: loads wait for recent stores with equal low bits. */
    NOISE_WARP_PLANE = NOISE_WARP_NODES + 11 * NOISE_LANES,
    /* Points of the table that are made together. */
    NOISE_WARP_CHUNK = 512,
    /* The most lattice rows whose words vectors look up to hash each cell's points; nearly all
     * patches have fewer. */
    NOISE_WARP_HASHES = 1024,
    /* The most lattice rows whose words are kept where vectors don't look them up. */
    NOISE_WARP_LINES = 8192,
    /* Vectors past the end of a table that a lookup by vectors of indices may read. */
    NOISE_WARP_LOOKUP = 8
};

/* How squares find their lattice points: see noise_warp_kernels.c. */
enum noise_warp_kind {
    NOISE_WARP_WITHIN, /* all cells share one point in each of two lattice rows */
    NOISE_WARP_LINE,   /* all points lie in a few columns of two lattice rows */
    NOISE_WARP_PAIR,   /* all points lie in a few columns of three lattice rows */
    NOISE_WARP_BLOCK,  /* all points lie in eight columns of NOISE_WARP_BLOCK_ROWS lattice rows */
    NOISE_WARP_FIELD,  /* all points lie in eight columns of NOISE_WARP_FIELD_ROWS lattice rows */
    NOISE_WARP_APART,  /* anything else: each cell gathers its points' records, or hashes them */
    NOISE_WARP_KINDS
};

/* The least and the greatest displacement in each square. */
struct noise_warp_ranges {
    float least[NOISE_WARP_SQUARES], most[NOISE_WARP_SQUARES];
};

/* Where squares lie on an octave's lattice. */
struct noise_warp_squares {
    int32_t first_row[NOISE_WARP_SQUARES], last_row[NOISE_WARP_SQUARES]; /* of the table's */
    /* Index in the table of each square's first point, in the lattice rows above and below. */
    int32_t at[2][NOISE_WARP_SQUARES];
    /* The row and the columns, above and below, in which each square's points begin, counted as
     * `rows` and `columns` of struct noise_warp_workspace are. Where all cells of the square share
     * the row or column, this is its number; elsewhere it is vf_base of minus the number, for
     * vf_floor_onto. Kinds whose vectors of points begin at one column above and below use
     * columns[0]. */
    float rows[NOISE_WARP_SQUARES];
    float columns[2][NOISE_WARP_SQUARES];
    /* The squares of each kind, as the bits of floats. The last one is repeated NOISE_WARP_AHEAD
     * times. */
    float lists[NOISE_WARP_KINDS][NOISE_WARP_SQUARES + NOISE_LANES];
    uint32_t counts[NOISE_LANES]; /* by kind */
};

/* A lattice row whose points are hashed one by one: terrain__random_column for columns with the
 * high word of the table's first column, and for columns with the next high word; and the place of
 * the world's column 0 in it. */
struct noise_warp_line {
    uint64_t columns[2];
    float shift;
};

/* Where the cells of a few squares lie, and where the records of the points to their left begin, or
 * the hashes of the points to their left and right. They are found ahead of the noise: each
 * displacement leads to its point through a long chain of dependent instructions, and the processor
 * overlaps several such chains. */
struct noise_warp_places {
    float v[NOISE_WARP_GROUP];
    float u[2][NOISE_WARP_GROUP]; /* by the lattice rows above and below */
    int32_t at[2][NOISE_WARP_GROUP];
    uint32_t bits[2][2][NOISE_WARP_GROUP]; /* by lattice row and side */
};

/* Scratch of a task. The size and the address of every array are multiples of 64 bytes. Maps of
 * cells are stored square by square, and each square row by row. */
struct noise_warp_workspace {
    /* Displacements, in cells. */
    float east[NOISE_WARP_CELLS];
    float south[NOISE_WARP_CELLS];
    float sums[NOISE_WARP_CELLS];
    /* An octave's noise before it becomes a term of the sum, and the factor on the next octave's
     * term. TERRAIN_GENERATE_NOISE_FRACTAL_FBM uses neither. */
    float values[NOISE_WARP_CELLS];
    float gates[NOISE_WARP_CELLS];
    struct noise_warp_ranges ranges[2]; /* of east, south */
    struct noise_warp_squares squares;
    struct noise_warp_places places;
    /* Where columns and rows lie before they are displaced: lattice cell, counted from that of the
     * patch's first cell, and fraction. The square_ arrays spread these over the cells of a row and
     * of a column of squares. */
    float columns[NOISE_PLACES], rows[NOISE_PLACES];
    float across[NOISE_PLACES], down[NOISE_PLACES];
    float square_columns[NOISE_WARP_ACROSS * NOISE_WARP_SQUARE];
    float square_rows[NOISE_WARP_ACROSS * NOISE_WARP_SQUARE];
    float square_across[NOISE_WARP_ACROSS * NOISE_WARP_SQUARE];
    float square_down[NOISE_WARP_ACROSS * NOISE_WARP_SQUARE];
    /* Where columns and rows of squares begin and end before they are displaced, in lattice cells
     * from that of the patch's first cell, with a margin. */
    float begins[NOISE_WARP_ACROSS], ends[NOISE_WARP_ACROSS];
    float tops[NOISE_WARP_ACROSS], bottoms[NOISE_WARP_ACROSS];
    /* By axis: where the displaced patch begins and ends, in cells from its first cell before it is
     * moved; and a bound on how far any of its cells lies from there. */
    float extents[2][NOISE_LANES];
    float reach[NOISE_LANES];
    /* For each lattice row: the place of the world's column 0, and the two words of
     * terrain__random_column as the bits of floats. */
    float shifts[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    float lows[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    float highs[NOISE_WARP_HASHES + NOISE_WARP_LOOKUP * NOISE_LANES];
    uint64_t hashes[NOISE_WARP_HASHES]; /* the lattice rows */
    union {                             /* planes: with a table; lines: without one */
        /* Row after row, in this order: x, y, other_x, other_y, value and change of struct
         * noise_warp_parts. Vectors that begin at the last points read past them. */
        float planes[NOISE_WARP_PARTS][NOISE_WARP_PLANE];
        struct noise_warp_line lines[NOISE_WARP_LINES];
    };
    float records[NOISE_WARP_RECORD * NOISE_WARP_NODES];
};

struct noise_warp_kernels {
    /* Takes the sums of a patch as displacements of its cells; axis 0: east, 1: south. */
    void (*displace)(struct noise_warp_workspace *work, uint32_t axis,
                     const struct noise_patch *patch);
    /* Writes the patch's cells, at most NOISE_WARP_WIDTH by NOISE_WARP_HEIGHT: the noise at the
     * places to which `displace` moved them. */
    void (*patch)(const struct noise_plan *plan, const struct noise_patch *patch,
                  struct noise_warp_workspace *work);
};

TERRAIN__DECLARE_KERNELS(noise_warp)

#endif
