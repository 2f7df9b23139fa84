/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of generate_noise: all octaves of a patch, whose sums stay in the first-level cache. */

#ifndef TERRAIN_GENERATE_NOISE_KERNELS_H
#define TERRAIN_GENERATE_NOISE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

enum {
    NOISE_OCTAVES = 32,
    /* The sums of a patch (32 KiB) stay in the L1 cache from the first octave to the last; the
     * lattice rows of an octave are shared by the patch's rows. */
    NOISE_PATCH_WIDTH = 128,
    NOISE_PATCH_HEIGHT = 64,
    NOISE_PATCH_CELLS = NOISE_PATCH_WIDTH * NOISE_PATCH_HEIGHT,
    /* The widest vector. All that is made in vectors may reach past its end by one. */
    NOISE_LANES = 16,
    NOISE_PLACES = NOISE_PATCH_WIDTH + NOISE_LANES,
    /* Lattice cells are at least 2 cells wide: room for the points of a patch's width, and a vector
     * more. */
    NOISE_NODES = NOISE_PLACES / 2 + NOISE_LANES + 8
};

/* The edge of SIMPLEX's triangles, whose rows are 1 apart: 2 / sqrt(3). */
#define NOISE_EDGE 1.15470054f

/* One axis of an octave's lattice, in units of 2^-64 of a lattice cell. World cell c lies at
 * c * step + origin; on a torus at (c mod repeat) * step + origin, with lattice points that are
 * numbered modulo `count`. */
struct noise_axis {
    uint64_t step;   /* at most 2^63 */
    uint64_t origin; /* in x: of every lattice row, unless they are staggered */
    uint32_t repeat; /* cells; 0: the axis is endless */
    uint32_t count;
    /* i * step for the cells of a vector and for the next one: whole lattice cells, and the
     * fraction in two words. */
    uint32_t low[NOISE_LANES + 1];
    uint32_t high[NOISE_LANES + 1];
    uint32_t whole[NOISE_LANES + 1];
};

/* Sets step, low, high and whole. */
void terrain__noise_set_step(struct noise_axis *axis, uint64_t step);

struct noise_octave {
    struct noise_axis x, y;
    uint64_t stream; /* of the lattice points' gradients and values */
    uint64_t shifts; /* stream of the origins of lattice rows, if they are staggered */
    bool sloped;     /* lattice points have gradients, even if their length is 0 */
    float length;    /* of the gradients */
    float level;     /* values are within (-level, level) */
    float weight;    /* of the octave's term, unless length and level contain it */
};

struct noise_plan {
    struct noise_octave octaves[NOISE_OCTAVES];
    uint32_t octave_count;
    uint32_t basis;   /* TERRAIN_GENERATE_NOISE_BASIS_GRADIENT, … */
    uint32_t fractal; /* TERRAIN_GENERATE_NOISE_FRACTAL_FBM, … */
    bool staggered;   /* each lattice row is shifted by a random part of a lattice cell */
    float offset;
    float feedback;
};

/* Where a patch's rows lie between lattice rows. */
struct noise_rows {
    int32_t node[NOISE_PLACES]; /* lattice row above each, from that of the first; ascending */
    /* v is the fraction, s the fade: s(v), v(1-s(v)), (v-1)s(v); of SIMPLEX v, v-1, v^2,
     * (v-1)^2. */
    float parts[4][NOISE_PLACES];
};

/* A lattice row's share in the rows of cells beside it; see noise_kernels.c. For SIMPLEX, the
 * shares of the points to the left and to the right are kept apart. */
struct noise_profile {
    float along[2][NOISE_PLACES];
    float across[2][NOISE_PLACES];
    float reach[2][NOISE_PLACES];
};

/* Gradients and values of points in a piece of a lattice row. */
struct noise_nodes {
    float gradient_x[NOISE_NODES], gradient_y[NOISE_NODES], value[NOISE_NODES];
};

/* Scratch of a task. The size and the address of every array are multiples of a cache line's 64
 * bytes. */
struct noise_workspace {
    float sums[NOISE_PATCH_CELLS];
    float first[NOISE_PATCH_WIDTH]; /* the offset, to which the first octave is added */
    struct noise_rows rows;
    struct noise_profile profiles[2];
    struct noise_nodes nodes;
    float gates[NOISE_PATCH_CELLS]; /* only TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED uses them */
};

_Static_assert(NOISE_PATCH_WIDTH % 16 == 0 && NOISE_PLACES % 16 == 0 && NOISE_NODES % 16 == 0,
               "arrays of the workspace begin and end with cache lines");

/* A piece of the map, at most NOISE_PATCH_WIDTH by NOISE_PATCH_HEIGHT. */
struct noise_patch {
    float *cells; /* NULL: the noise stays in work->sums, NOISE_PATCH_WIDTH to a row */
    size_t stride;
    int64_t x, y; /* world coordinates of its first cell */
    uint32_t width, height;
    bool stream; /* the map is too large for the caches */
    struct noise_workspace *work;
};

struct noise_kernels {
    /* Writes the patch's cells. */
    void (*patch)(const struct noise_plan *plan, const struct noise_patch *patch);
};

TERRAIN__DECLARE_KERNELS(noise)

#endif
