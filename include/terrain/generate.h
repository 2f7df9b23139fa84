/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate: overwrites every cell and reads none. */

#ifndef TERRAIN_GENERATE_H
#define TERRAIN_GENERATE_H

#include <terrain/operation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- generate_diamond_square --------------------------------------------------------------- */

/* Which points the middle of an edge is the mean of. */
typedef uint32_t terrain_square_rule;
enum {
    TERRAIN_SQUARE_RULE_DIAMOND4 = 0, /* the edge's two ends and the centres on both sides of it */
    TERRAIN_SQUARE_RULE_EDGE2 = 1     /* the two ends: "midpoint displacement", more creased */
};

/* Of random heights; both have mean 0 and variance 1/3. */
typedef uint32_t terrain_distribution;
enum {
    TERRAIN_DISTRIBUTION_UNIFORM = 0, /* even over [-1, 1) */
    TERRAIN_DISTRIBUTION_GAUSSIAN = 1 /* bell-shaped: (the sum of four bytes - 510) / 256 */
};

typedef struct terrain_generate_diamond_square_params {
    uint32_t struct_size;
    uint32_t flags;
    uint64_t seed;                     /* default 0 */
    uint32_t spacing;                  /* cells; a power of two, 1 to 2^30; default 128 */
    float amplitude;                   /* height; 0 to 1e9; default 48 */
    float gain;                        /* 0 to 1; default 0.5 */
    terrain_square_rule rule;          /* default DIAMOND4 */
    terrain_distribution distribution; /* default UNIFORM */
    uint32_t displace_all;             /* 0 or 1; default 0 */
} terrain_generate_diamond_square_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_generate_diamond_square_params_init(
    terrain_generate_diamond_square_params *params, size_t size);

/* Fills the map with a fractal landscape, by midpoint displacement (diamond-square) of an endless
 * lattice of random heights. On 512 by 512 cells the defaults give a relief of about 85 and slopes of
 * about 0.5.
 *
 * The lattice has a point at each world cell whose x and y are multiples of `spacing`: level 0. Each
 * level k = 1, 2, ... halves the distance of points, s = spacing / 2^k, until it is 1 cell. With
 * a = amplitude * gain^k and a random number r of variance 1/3 for each point of each level,
 *
 *     level 0           h = a r
 *     centre of four    h = mean of the four points around it on the diagonals, + a r
 *     middle of an edge h = mean, + a sqrt(gain) r: the mean of the edge's two ends and the centres
 *                       on its two sides (rule DIAMOND4), or of the two ends alone (EDGE2)
 *     old point         h stays; with displace_all it becomes h + a r, after the level's new points
 *                       have been made of it
 *
 * The new centres are displaced before the edges' middles use them. gain is 2^-H for a surface of
 * Hurst exponent H, of fractal dimension 3 - H: 0.5 gives smooth mountains, 0.7 rugged ones; slopes
 * grow towards small distances if it is above 0.5. Old points that are never displaced again leave
 * creases and peaks along the lattice's lines; with displace_all ("successive random additions") they
 * are as rough as new ones and stand out less, at 4/3 of the time. r is a hash of seed, level, and the
 * point's place on its level, column x / s and row y / s.
 *
 * Writes every cell of `map`, reads none. There are no borders: points outside the map are computed,
 * so that any map is a crop of every larger one. amplitude 0 gives 0 everywhere; all heights are
 * finite. cell_size plays no part. Memory: 80 KiB for each 96 rows, at most 64 times.
 * Errors: those of terrain_operation_apply; RANGE if spacing is no power of two. Since 0.1. */
TERRAIN_API terrain_status
terrain_generate_diamond_square(terrain_context *context, terrain_heightmap *map,
                                const terrain_generate_diamond_square_params *params);

#ifdef __cplusplus
}
#endif

#endif
