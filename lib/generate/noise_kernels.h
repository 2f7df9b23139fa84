/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of generate_noise: all octaves of a tile, whose sums stay in the first-level cache. */

#ifndef TERRAIN_GENERATE_NOISE_KERNELS_H
#define TERRAIN_GENERATE_NOISE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

enum {
    NOISE_OCTAVES = 32,
    /* The sums of a tile (32 KiB) stay in the L1 cache from the first octave to the last; the
     * lattice rows of an octave are shared by the tile's rows. */
    NOISE_TILE_WIDTH = 128,
    NOISE_TILE_HEIGHT = 64,
    NOISE_TILE_CELLS = NOISE_TILE_WIDTH * NOISE_TILE_HEIGHT,
    /* The widest vector. Whatever is made in vectors may hang over by one. */
    NOISE_LANES = 16,
    NOISE_PLACES = NOISE_TILE_WIDTH + NOISE_LANES,
    /* Lattice cells are at least 2 cells wide: the points of a tile's width, and a vector
     * beyond. */
    NOISE_NODES = NOISE_PLACES / 2 + NOISE_LANES + 8
};

/* The edge of SIMPLEX's triangles, whose rows are 1 apart: 2 / sqrt(3). */
#define NOISE_EDGE 1.15470054f

/* One axis of an octave's lattice, in units of 2^-64 of a lattice cell. World cell c lies at
 * c * step + origin; on a torus at (c mod repeat) * step + origin, with lattice points that are
 * numbered modulo `count`. */
struct noise_axis {
    uint64_t step;   /* at most 2^63 */
    uint64_t origin; /* of x: that of every lattice row, if they are not staggered */
    uint32_t repeat; /* cells; 0: the axis is endless */
    uint32_t count;
    /* i * step for the cells of a vector and for the next one: the fraction in two words, and whole
     * lattice cells. */
    uint32_t low[NOISE_LANES + 1];
    uint32_t high[NOISE_LANES + 1];
    uint32_t whole[NOISE_LANES + 1];
};

/* Sets step, low, high and whole. */
void terrain__noise_set_step(struct noise_axis *axis, uint64_t step);

struct noise_octave {
    struct noise_axis x, y;
    uint64_t stream; /* of what the lattice points hold */
    uint64_t shifts; /* stream of the origins of lattice rows, if they are staggered */
    bool sloped;     /* lattice points have gradients, even if their length is 0 */
    float length;    /* of the gradients */
    float level;     /* the values' greatest */
    float weight;    /* of the octave's term where length and level do not hold it already */
};

struct noise_plan {
    struct noise_octave octaves[NOISE_OCTAVES];
    uint32_t octave_count;
    uint32_t basis;   /* TERRAIN_GENERATE_NOISE_BASIS_GRADIENT, … */
    uint32_t fractal; /* TERRAIN_GENERATE_NOISE_FRACTAL_FBM, … */
    bool staggered;   /* each lattice row begins at another place */
    float offset;
    float feedback;
};

/* Where a tile's rows lie between lattice rows. */
struct noise_rows {
    int32_t node[NOISE_PLACES]; /* lattice row above each, from the first one's: never falls */
    /* v is the fraction, s the fade: s(v), v(1-s(v)), (v-1)s(v); of SIMPLEX v, v-1, v^2,
     * (v-1)^2. */
    float parts[4][NOISE_PLACES];
};

/* One lattice row's share in the rows of cells beside it; see noise_kernels.c. The point
 * to the left and the one to the right are apart with SIMPLEX. */
struct noise_profile {
    float along[2][NOISE_PLACES];
    float across[2][NOISE_PLACES];
    float reach[2][NOISE_PLACES];
};

/* What the points of a piece of a lattice row hold. */
struct noise_nodes {
    float gradient_x[NOISE_NODES], gradient_y[NOISE_NODES], value[NOISE_NODES];
};

/* Scratch of a task. Every array is a multiple of 64 bytes, and begins at one. */
struct noise_workspace {
    float sums[NOISE_TILE_CELLS];
    float first[NOISE_TILE_WIDTH]; /* the row that every sum begins with */
    struct noise_rows rows;
    struct noise_profile profiles[2];
    struct noise_nodes nodes;
    float gates[NOISE_TILE_CELLS]; /* TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED alone touches them */
};

/* A piece of the map, at most NOISE_TILE_WIDTH by NOISE_TILE_HEIGHT. */
struct noise_tile {
    float *cells; /* NULL: the noise stays in work->sums, NOISE_TILE_WIDTH to a row */
    size_t stride;
    int64_t x, y; /* world coordinates of its first cell */
    uint32_t width, height;
    bool stream; /* the map is too large for the caches */
    struct noise_workspace *work;
};

struct noise_kernels {
    /* Writes the tile's cells. */
    void (*tile)(const struct noise_plan *plan, const struct noise_tile *tile);
};

TERRAIN__DECLARE_KERNELS(noise)

#endif
