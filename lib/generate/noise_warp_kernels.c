/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Lattice noise at places that form no grid: each cell is moved by a displacement of its own.
 *
 * What is computed (tests/oracle/noise.c, in plain C):
 *
 *     for each octave, for each cell (x, y):
 *         (px, py) = (x + east[x, y], y + south[x, y]) * frequency
 *         sum += amplitude * n(px, py)
 *
 * With (u, v) the place of a cell right of lattice point 0 and below its lattice row, that row's
 * share is
 *
 *     row(u, v) = (h0 + g0.x u + g0.y v) + s(u) (b + d.x u + d.y v),  b = h1 - h0 - g1.x,
 *                                                                     d = g1 - g0
 *
 * and n = row0(u0, v) + s(v) (row1(u1, v - 1) - row0(u0, v)). Six numbers are kept for each
 * lattice point: h0, b, g0 and d.
 *
 * The way through the map: pieces of 64 cells by the height of a tile, octave by octave.
 *
 *     a piece of cells, 32 of a row        the table: the lattice points among which the piece's
 *     make a strip                         moved cells lie, each hashed once
 *     +----------------+-------------+         o     o     o     o     o
 *     | strip          | strip       |             . . .   .  .              . : a strip's cells
 *     +----------------+-------------+         o     o  .  o .   o     o         where they went
 *     | strip          | strip       |
 *
 * How a strip finds its points, for which noise_warp_table_vec.h makes the table:
 *
 *     noise_warp_near_vec.h    all of its cells within one lattice cell, as most strips lie in long
 *                              waves: one point in each lattice row, for all
 *                              all near few points, of some lattice rows by some columns: vectors
 *                              of points, permuted
 *     noise_warp_gather_vec.h  any other strip: a record of its points is gathered for each cell
 *     noise_warp_hash_vec.h    where the table would have more points than there are cells, or they
 *                              don't fit into it: each cell's four points are hashed, lane for lane
 *                              from two words of each lattice row; one by one where a torus begins
 *                              again between them, or the columns' high word changes, as it does at
 *                              column 0
 *
 * Noise is added to the sums, or to a map of its own where the octave's term is another function of
 * it: noise_warp_fold then makes the terms. */

#include <math.h>
#include <stdbool.h>

#include "generate/noise_warp_kernels.h"

#include "generate/noise_warp_gather_vec.h"
#include "generate/noise_warp_hash_vec.h"
#include "generate/noise_warp_near_vec.h"
#include "generate/noise_warp_table_vec.h"

TERRAIN__INLINE void noise_warp_add_block(const struct noise_warp_run *run,
                                          struct noise_warp_block *block, uint32_t basis)
{
    if (run->piece->work->strips.near[block->x / NOISE_WARP_STRIP][block->y] != 0) {
        noise_warp_add_near(run, block, basis);
    } else {
        noise_warp_make_apart(block, run);
        noise_warp_apart(run, block, basis);
    }
}

TERRAIN__INLINE void noise_warp_add_octave(const struct noise_warp_run *run, uint32_t basis)
{
    const bool coarse = noise_warp_is_coarse(run);
    for (uint32_t x = 0; x < run->piece->width; x += NOISE_WARP_STRIP) {
        struct noise_warp_block block = {.x = x};
        if (run->is_crowded) {
            if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX || run->octave->sloped) {
                noise_warp_crowded(run, x, basis, true);
            } else {
                noise_warp_crowded(run, x, basis, false);
            }
            continue;
        }
        for (; block.y < run->piece->height; block.y += block.height) {
            if (coarse && noise_warp_make_within(&block, run)) {
                noise_warp_within(run, &block, basis);
            } else {
                noise_warp_add_block(run, &block, basis);
            }
        }
    }
}

static void noise_warp_add_slopes(const struct noise_warp_run *pointer)
{
    const struct noise_warp_run run = *pointer;
    noise_warp_add_octave(&run, TERRAIN_GENERATE_NOISE_BASIS_GRADIENT);
}

static void noise_warp_add_discs(const struct noise_warp_run *pointer)
{
    const struct noise_warp_run run = *pointer;
    noise_warp_add_octave(&run, TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX);
}

/* Adds the octave's term, of its noise, and makes place for the next octave's. */
TERRAIN__INLINE void noise_warp_fold(struct noise_warp_workspace *work, float weight,
                                     float feedback, uint32_t fractal)
{
    for (uint32_t i = 0; i < NOISE_WARP_CELLS; i += VEC_LANES) {
        vfloat value = vf_load(work->values + i);
        vfloat term = fractal == TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED
                          ? noise_ridged(value, weight, feedback, work->gates + i)
                          : noise_billow(value, weight, feedback, work->gates + i);
        vf_store(work->sums + i, vf_load(work->sums + i) + term);
        vf_store(work->values + i, vf_set(0));
    }
}

static void noise_warp_add_octave_at(const struct noise_plan *plan,
                                     const struct noise_warp_piece *piece, uint32_t index)
{
    struct noise_warp_workspace *work = piece->work;
    const struct noise_warp_run run = noise_warp_begin(plan, piece, index);
    const float weight = run.octave->weight;
    if (plan->basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        noise_warp_add_discs(&run);
    } else {
        noise_warp_add_slopes(&run);
    }
    if (plan->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED) {
        noise_warp_fold(work, weight, plan->feedback, TERRAIN_GENERATE_NOISE_FRACTAL_RIDGED);
    } else if (plan->fractal == TERRAIN_GENERATE_NOISE_FRACTAL_BILLOW) {
        noise_warp_fold(work, weight, plan->feedback, TERRAIN_GENERATE_NOISE_FRACTAL_BILLOW);
    }
}

/* ---- Tiles ----------------------------------------------------------------------------------- */

/* The ranges of displacements in the strips from a column on; the last strip's range is repeated to
 * the end of a vector. */
static void noise_warp_find_ranges(float *least, float *most, const float *cells, uint32_t height)
{
    for (uint32_t y = 0; y < height; y += VEC_LANES) {
        int32_t offsets[VEC_LANES];
        vfloat low = vf_set(INFINITY), high = -low;
        for (uint32_t i = 0; i < VEC_LANES; i++) {
            offsets[i] = (int32_t)((y + i < height ? y + i : height - 1) * NOISE_WARP_STRIDE);
        }
        for (uint32_t x = 0; x < NOISE_WARP_STRIP; x += 4) {
            vfloat quads[4];
            vf_load_quads(quads, cells + x, offsets);
            for (int i = 0; i < 4; i++) {
                low = vf_min(low, quads[i]);
                high = vf_max(high, quads[i]);
            }
        }
        vf_store(least + y, low);
        vf_store(most + y, high);
    }
}

static void noise_warp_begin_piece(const struct noise_warp_piece *piece,
                                   const struct noise_plan *plan)
{
    struct noise_warp_workspace *work = piece->work;
    struct noise_warp_ranges *ranges = &work->ranges;
    for (uint32_t x = 0, k = 0; x < piece->width; x += NOISE_WARP_STRIP, k++) {
        noise_warp_find_ranges(ranges->least_east[k], ranges->most_east[k], work->east + x,
                               piece->height);
        noise_warp_find_ranges(ranges->least_south[k], ranges->most_south[k], work->south + x,
                               piece->height);
    }
    for (uint32_t i = 0; i < NOISE_WARP_CELLS; i++) {
        work->sums[i] = plan->offset;
    }
    if (plan->fractal != TERRAIN_GENERATE_NOISE_FRACTAL_FBM) {
        memset(work->values, 0, sizeof work->values);
        for (uint32_t i = 0; i < NOISE_WARP_CELLS; i++) {
            work->gates[i] = 1;
        }
    }
}

static void noise_warp_tile(const struct noise_plan *plan, const struct noise_tile *tile,
                            struct noise_warp_workspace *work)
{
    struct noise_warp_piece piece = {work, tile->x, tile->y, tile->width, tile->height};
    piece.width = (tile->width + NOISE_WARP_STRIP - 1) / NOISE_WARP_STRIP * NOISE_WARP_STRIP;
    noise_warp_begin_piece(&piece, plan);
    for (uint32_t i = 0; i < plan->octave_count; i++) {
        noise_warp_add_octave_at(plan, &piece, i);
    }
    for (uint32_t i = 0; i < tile->height; i++) {
        noise_write_row(tile->cells + i * tile->stride, work->sums + i * NOISE_WARP_WIDTH,
                        tile->width, tile->stream);
    }
    if (tile->stream) {
        vf_streamed();
    }
}

const struct noise_warp_kernels TERRAIN__KERNELS(noise_warp) = {noise_warp_tile};
