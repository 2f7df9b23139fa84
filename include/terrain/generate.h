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

/* ---- generate_fault_lines ------------------------------------------------------------------ */

/* The shape f of a fault, by the distance t from its line and the half-width w. */
typedef uint32_t terrain_fault_profile;
enum {
    TERRAIN_FAULT_PROFILE_STEP = 0,   /* -1 for t < 0, 1 otherwise: one side up, the other down */
    TERRAIN_FAULT_PROFILE_STEP01 = 1, /* 0 for t < 0, 1 otherwise: one side up */
    TERRAIN_FAULT_PROFILE_SINE = 2,   /* sin(pi t / 2 w) for |t| < w, else the sign of t: a slope */
    TERRAIN_FAULT_PROFILE_COSINE = 3, /* (1 + cos(pi t / w)) / 2 for |t| < w, else 0: a ridge */
    TERRAIN_FAULT_PROFILE_BELL = 4    /* exp(-t^2 / 2 w^2) for |t| < 6 w, else 0: a ridge */
};

/* How random lines are drawn. */
typedef uint32_t terrain_fault_sampler;
enum {
    /* A normal of even direction, and along it an even offset from the middle of the frame, from minus
     * to plus half the diagonal, drawn again until the line meets the frame:
     * no place and no direction is preferred. */
    TERRAIN_FAULT_SAMPLER_ANGLE_OFFSET = 0,
    /* Through two random points of the frame: more lines near the middle, which becomes rougher. */
    TERRAIN_FAULT_SAMPLER_TWO_POINTS = 1
};

typedef struct terrain_generate_fault_lines_params {
    uint32_t struct_size;
    uint32_t flags;
    uint64_t seed;                 /* default 0 */
    int64_t frame_x;               /* world cells; default 0 */
    int64_t frame_y;               /* world cells; default 0 */
    uint32_t frame_width;          /* cells; default 0 */
    uint32_t frame_height;         /* cells; default 0 */
    uint32_t count;                /* 0 to 65536; default 256 */
    float displacement_first;      /* height; -1e6 to 1e6; default 2 */
    float displacement_last;       /* height; -1e6 to 1e6; default 0.5 */
    terrain_fault_profile profile; /* default STEP */
    float half_width;              /* cells; 0.5 to 65536; default 16 */
    terrain_fault_sampler sampler; /* default ANGLE_OFFSET */
} terrain_generate_fault_lines_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status
terrain_generate_fault_lines_params_init(terrain_generate_fault_lines_params *params, size_t size);

/* Fills the map with the sum of `count` faults along random lines:
 *
 *     h = sum of d_i f(t_i),    i = 0 ... count - 1
 *     d_i = displacement_first + (displacement_last - displacement_first) i / count
 *
 * where t_i is the distance of the cell's middle from line i in cells, positive on one side, which is
 * random too, and f is the profile. Steps leave straight cliffs: filter them (erode_fir), or use a
 * smooth profile. On 512 by 512 cells the defaults give a relief of about 80 and slopes of about 0.5.
 *
 * The lines belong to a frame: a rectangle of the world, frame_width by frame_height cells from
 * (frame_x, frame_y) on, over which they are strewn and beyond which they go on. The result depends on
 * frame and world cell alone, so that a tile is a crop of the whole. frame_width = frame_height = 0
 * takes the map's own rectangle, and then frame_x and frame_y don't count.
 *
 * With ANGLE_OFFSET a line parts two cells at distance r within the frame with the probability
 * r / (frame_width + frame_height), so that their heights differ by 2 d sqrt(count) times the root of
 * that (steps of +-d, root mean square): a surface of Hurst exponent 1/2. To keep slopes in a larger
 * frame, let count grow with its width.
 *
 * Exactness: each d_i f(t_i) is cut to a multiple of a power of two that is at most 2^-28 times
 * count * max(|displacement_first|, |displacement_last|). Smooth profiles have an error of 1e-6 of
 * the displacement. A line that is almost a row (by less than a millionth) is tilted by so much. Beyond
 * 2^48 cells from the frame lines are no longer straight.
 *
 * Writes every cell of `map`, reads none; no borders. All heights are finite. cell_size plays no part.
 * Time: a step costs one addition a row that it crosses; a smooth profile one evaluation for each
 * cell within reach. Memory: 64 bytes a line, and for each 64 rows, at most 64 times, 41 KiB and 4
 * bytes a line.
 * Errors: those of terrain_operation_apply; RANGE if one of frame_width and frame_height is 0 and the
 * other is not. An endless world needs a frame. Since 0.1. */
TERRAIN_API terrain_status
terrain_generate_fault_lines(terrain_context *context, terrain_heightmap *map,
                             const terrain_generate_fault_lines_params *params);

/* ---- generate_noise ------------------------------------------------------------------------ */

/* The lattice that the octaves are made on. */
typedef uint32_t terrain_noise_basis;
enum {
    TERRAIN_NOISE_GRADIENT = 0, /* two parts gradients, one part values, on shifted rows */
    TERRAIN_NOISE_PERLIN = 1    /* gradients alone, on squares, as published; they show */
};

/* How the octaves are summed. */
typedef uint32_t terrain_noise_fractal;
enum {
    TERRAIN_NOISE_FBM = 0,    /* fractional Brownian motion: rolling, the same up and down */
    TERRAIN_NOISE_RIDGED = 1, /* sharp crests that carry the detail, smooth hollows */
    TERRAIN_NOISE_BILLOW = 2  /* round hills, sharp valleys */
};

typedef struct terrain_generate_noise_params {
    uint32_t struct_size;
    uint32_t flags;
    uint64_t seed;                 /* default 0 */
    terrain_noise_basis basis;     /* default GRADIENT */
    terrain_noise_fractal fractal; /* default FBM */
    float period;                  /* cells; 2 to 2^24; default 100 */
    uint32_t octaves;              /* 1 to 32; default 8 */
    float lacunarity;              /* 1 to 16; default 2 */
    float gain;                    /* 0 to 2; default 0.5 */
    float amplitude;               /* height; -1e9 to 1e9; default 44 */
    float offset;                  /* height; -1e9 to 1e9; default 0 */
    float feedback;                /* RIDGED only; 0 to 100; default 2 */
    uint32_t repeat_width;         /* cells; 0: never, or at least 2; default 0 */
    uint32_t repeat_height;        /* the same */
    uint32_t reserved;             /* 0 */
} terrain_generate_noise_params;

/* Writes the defaults; size is sizeof *params. */
TERRAIN_API terrain_status terrain_generate_noise_params_init(terrain_generate_noise_params *params,
                                                              size_t size);

/* Fills the map with a sum of octaves of noise, each finer and lower than the one before. On 512 by 512
 * cells the defaults give a relief of about 75 and slopes of about 0.9.
 *
 * Octave i = 0, 1, ... has f = lacunarity^i / period lattice cells a cell and the amplitude
 * a = amplitude * gain^i; its noise n is between -1 and 1. Octaves with a wavelength below 2 cells,
 * f > 1/2, are left out: the map can't hold them. The height is
 *
 *     FBM       offset + sum of a n
 *     BILLOW    offset + sum of a |n|
 *     RIDGED    offset + sum of a r,  r = (1 - |n|)^2 g,  g = min(1, feedback * r of the octave before),
 *               g = 1 in the first: a small feedback keeps detail to the crests
 *
 * so that heights stay between offset and offset +- amplitude * (1 + gain + gain^2 + ...), and another
 * octave adds to what was there. 1 / lacunarity as gain makes all octaves equally steep.
 *
 * An octave's lattice rows j lie where f y + origin = j; the points k of row j where
 * f x + shift of the row = k. A point holds a gradient (gx, gy), of length sqrt(2) and any direction,
 * and a value h between -1 and 1. Rows 0 and 1 are above and below the cell, points 0 and 1 to its left
 * and right; in lattice cells, it is v below row 0, and u and w to the right of points 0 in rows 0 and 1.
 * With s(t) = 6 t^5 - 15 t^4 + 10 t^3,
 *
 *     c(u, v) = 2/3 (gx u + gy v) + 1/3 h      of each point; of point k in row j it is ckj
 *     n       = (1-s(v)) ((1-s(u)) c00(u, v)   + s(u) c10(u-1, v))
 *                + s(v)  ((1-s(w)) c01(w, v-1) + s(w) c11(w-1, v-1))
 *
 * PERLIN has the same shift for all rows of an octave and c = gx u + gy v: the noise of "Improving
 * Noise", but for more directions. It is 0 at all lattice points, which therefore show, most of all in
 * creases. Origin, shifts, gradients and values are hashes of seed, octave, and row or point. u, v and w
 * are exact to 2^-24 at every place of the world.
 *
 * repeat_width and repeat_height make the world a torus (or a tube): heights at x and x + repeat_width
 * are equal, and there is no seam. To that end f becomes m / repeat_width in x, with m = f repeat_width
 * rounded to a whole number, from 1 to repeat_width / 2, and lattice points are counted modulo m;
 * likewise in y. It is still the nominal f that decides whether an octave is left out. Where repeats are
 * multiples of period and lacunarity is a whole number, f stays what it is.
 *
 * Writes every cell of `map`, reads none. Pointwise: every map is a crop of any larger one. All heights
 * are finite. cell_size plays no part. Memory: 70 KiB for each 64 rows, at most 64 times. Maps of 2^22
 * cells and more are written past the caches.
 * Errors: those of terrain_operation_apply; RANGE for a repeat of 1. Since 0.1. */
TERRAIN_API terrain_status terrain_generate_noise(terrain_context *context, terrain_heightmap *map,
                                                  const terrain_generate_noise_params *params);

#ifdef __cplusplus
}
#endif

#endif
