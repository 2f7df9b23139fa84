/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Every random number is a hash of seed, key, draw and place. These numbers are part of the
 * results: never change one, never use one again. tests/abi/keys.txt keeps those that are
 * taken. */

#ifndef TERRAIN_CORE_KEYS_H
#define TERRAIN_CORE_KEYS_H

/* TERRAIN__KEY_<operation>. */
enum {
#define OPERATION(key, verb, algorithm) TERRAIN__KEY_##verb##_##algorithm = (key),
#include "core/operations.h"
#undef OPERATION
    TERRAIN__KEY_test = 1,           /* the throw-away operations of the tests */
    TERRAIN__KEY_test_coarse = 65535 /* the largest that there can be */
};

/* The draws of each random operation: one for each independent stream of numbers. */
enum {
    TERRAIN__DRAW_FAULT_LINES_FIRST = 0,  /* a line's first coordinate pair, or its angle */
    TERRAIN__DRAW_FAULT_LINES_SECOND = 1, /* its second pair, or its offset */
    TERRAIN__DRAW_DIAMOND_SQUARE_LATTICE = 0,
    TERRAIN__DRAW_DIAMOND_SQUARE_LEVEL = 1, /* + the level: to 32 */
    /* All three + the octave, at most 31. The bits of lattice point (k, j), hashed like a cell's:
     * the upper 20 bits are the direction of its gradient, in 2^-20 of a turn from x to y; with the
     * lower 12 bits its value is (2 * bits + 1) / 2^12 - 1. */
    TERRAIN__DRAW_NOISE_NODE = 0,
    /* mix(stream, 0) and mix(stream, 1): the lattice's origin in x, y, in 2^-64 of a lattice
     * cell. */
    TERRAIN__DRAW_NOISE_ORIGIN = 32,
    /* mix(stream, j): the shift of lattice row j, in 2^-64 of a lattice cell, instead of the origin
     * in x. */
    TERRAIN__DRAW_NOISE_SHIFT = 64,
    /* + one of the above: those of the noises that displace places in x and in y. */
    TERRAIN__DRAW_NOISE_WARP_X = 96,
    TERRAIN__DRAW_NOISE_WARP_Y = 192,
    /* A lattice cell's bits: the upper 16 are its site's x, the lower 16 its y. */
    TERRAIN__DRAW_VORONOI_PLACE = 0,
    TERRAIN__DRAW_VORONOI_ID = 1,
    TERRAIN__DRAW_SHEAR_COUNT = 0, /* of a block: how many drops it has */
    /* mix(mix(mix(stream, y), x), i): drop i of block (x, y), its place and its walk. */
    TERRAIN__DRAW_SHEAR_DROP = 1,
    /* The first two with mix(seed, pass) for a seed, and squares for cells; the third with
     * nodes. */
    TERRAIN__DRAW_SHEAR_REGIONS_SITE = 0, /* where in its square a region's site lies */
    TERRAIN__DRAW_SHEAR_REGIONS_PUSH = 1, /* whether the region is pushed */
    TERRAIN__DRAW_SHEAR_REGIONS_WARP = 2, /* + the octave, 0 to 2 */
    /* The 32 bits of a node of a lattice of vector/lattice.h: the upper 12 are its value, the next
     * 10 its slope to the east, the lower 10 to the south; n bits b are (2 b + 1) / 2^n - 1. */
    TERRAIN__DRAW_VARIABLE_RADIUS = 0, /* the lattice of radii */
    TERRAIN__DRAW_STRATA_FOLDS = 0,    /* the lattice of folds */
    /* + the level: to 16. A square's bits: the upper 16 are its number for x, the lower 16 that for
     * y. */
    TERRAIN__DRAW_PERTURB_LEVEL = 0,
    TERRAIN__DRAW_DRAINAGE_PLATE = 0,  /* mix(mix(stream, row), column): a plate */
    TERRAIN__DRAW_DRAINAGE_NODE = 1,   /* with mix(stream, level) for a stream: a block */
    TERRAIN__DRAW_DRAINAGE_DETOUR = 2, /* with mix(stream, level) for a stream: a block */
    TERRAIN__DRAW_DRAINAGE_ROCK = 3,   /* with mix(stream, level) for a stream: a cell */
    TERRAIN__DRAW_DRAINAGE_FOLD = 4,   /* its words are the keys of the folds' lattice */
    TERRAIN__DRAW_DRAINAGE_LAKE = 5,   /* mix(mix(stream, row), column): a cell of level 9 */
    TERRAIN__DRAW_DRAINAGE_SEAT = 6,   /* a square of 8 by 8 cells of level 3 */
    /* + 20 * the noise + the octave, to 195. mix(stream, 0) and (stream, 1): the lattice's origin,
     * in half cells; the words of mix(stream, 2): keys for x and y. */
    TERRAIN__DRAW_DRAINAGE_NOISE = 16,
    TERRAIN__DRAW_SPECTRAL_WAVE = 0, /* of waves (u, v), as of a cell; + 1: the second number, b */
    TERRAIN__DRAW_FILL_LAKE = 0,     /* of a lake's lowest cell: its number */
    TERRAIN__DRAW_BASINS_NUMBER = 0, /* of an outlet */
    TERRAIN__DRAW_RIVERS_DITHER = 0, /* of a cell: r */
    TERRAIN__DRAW_FLOW_DITHER = 0,   /* of a cell: r */
    /* + the level, at most 27; of its cells */
    TERRAIN__DRAW_STREAM_POWER_NOISE = 0,
    TERRAIN__DRAW_STREAM_POWER_DITHER = 32,
    TERRAIN__DRAW_STREAM_POWER_EXIT = 64, /* of blocks of 2 x 2 cells */
    TERRAIN__DRAW_GULLIES_POINT = 0, /* + the octave, at most 7; of a lattice point: its phase */
    /* + the octave: mix(stream, 0) and mix(stream, 1), the lattice's origin in x, y, in 2^-64 of a
     * lattice cell. */
    TERRAIN__DRAW_GULLIES_ORIGIN = 8,
    TERRAIN__DRAW_COAST_ROCK = 0,                /* + the octave, to 2: the lattice of rock */
    TERRAIN__DRAW_CANYONS_DRAINING_DITHER = 0,   /* of a cell: r */
    TERRAIN__DRAW_CANYONS_SEPARATING_CORNER = 0, /* where a corner lies: two halves of its bits */
    TERRAIN__DRAW_CANYONS_SEPARATING_BROAD = 1,  /* how wide the floor is there */
    /* Sides of bricks: that to the east of corner x has 2 x, that to the south 2 x + 1. */
    TERRAIN__DRAW_CANYONS_SEPARATING_WIDTH = 2,
    TERRAIN__DRAW_CANYONS_SEPARATING_BLIND = 3,
    /* + the octave, 0 to 4: two halves of a node's bits */
    TERRAIN__DRAW_CANYONS_SEPARATING_MEANDER = 4,
    TERRAIN__DRAW_CANYONS_SEPARATING_SITE = 16,  /* + the level, to 4; of a square: its site */
    TERRAIN__DRAW_CANYONS_SEPARATING_SHARE = 32, /* + the level: whether a mesa is cut */
    TERRAIN__DRAW_CANYONS_SEPARATING_DEPTH = 48, /* + the level: how deep its canyons are */
    /* A pair's numbers: 4 i and 4 i + 1 for its peak's place, then its direction, then its
     * height. */
    TERRAIN__DRAW_RIDGES_PEAK = 0,
    TERRAIN__DRAW_RIDGES_TURN = 1 /* of a turn and a particle; mix(stream, particle): its side */
};

#endif
