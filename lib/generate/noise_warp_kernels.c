/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Lattice noise at places that form no grid: each cell is moved by its own displacement.
 *
 * What is computed (tests/oracle/noise.c, in plain C):
 *
 *     for each octave, for each cell (x, y):
 *         (px, py) = (x + east[x, y], y + south[x, y]) * frequency
 *         sum += amplitude * n(px, py)
 *
 * Let (u, v) be how far a cell lies to the right of a lattice point and below its lattice row. With
 * h0 and g0 the value and gradient of this point, and h1 and g1 those of the point to its right,
 * the lattice row contributes
 *
 *     row(u, v) = (h0 + g0.x u + g0.y v) + s(u) (b + d.x u + d.y v),  b = h1 - h0 - g1.x,
 *                                                                     d = g1 - g0
 *
 * where s is the fade, and n = row0(u0, v) + s(v) (row1(u1, v - 1) - row0(u0, v)) blends the
 * lattice rows above and below. A lattice point needs six numbers: h0, b, g0 and d.
 *
 * The way through the map: patch by patch, octave by octave, in squares of 4 by 4 cells, as
 * neighbours mostly stay close together when they are moved.
 *
 *     a patch, cut into squares       the table: the lattice points around the patch's moved
 *     of 4 by 4 cells                 cells, each hashed once
 *     +--------+--------+--           o     o     o     o     o
 *     | square | square |                       . .                 . : a square's cells
 *     +--------+--------+--           o     o  . .o     o     o         after they are moved
 *     | square | square |
 *
 * noise_warp_table_vec.h makes the table and sorts the squares by how they find their points, so
 * that all squares of a kind are computed in one loop:
 *
 *     noise_warp_near_vec.h    All cells lie within one lattice cell, as in most squares at long
 *                              wavelengths: they share one point in each of two lattice rows.
 *                              Or they lie near few points, in a few lattice rows and columns:
 *                              vectors of points are loaded and permuted.
 *     noise_warp_gather_vec.h  All other squares, where they have more cells than the table has
 *                              points: the records of points are gathered for each cell.
 *     noise_warp_hash_vec.h    All other squares, where the table has more points, or would not fit
 *                              its space: each cell's four points are hashed, in vectors, from two
 *                              words of each lattice row; or one by one where a torus starts over
 *                              between them, or the columns' high word changes, as it does at
 *                              column 0.
 *
 * An octave's noise is added to the sums. For RIDGED and BILLOW, whose terms are not the noise
 * itself, it goes to a map of its own, of which noise_warp_fold makes the terms. */

#include <math.h>
#include <stdbool.h>

#include "generate/noise_warp_kernels.h"

#include "generate/noise_warp_gather_vec.h"
#include "generate/noise_warp_hash_vec.h"
#include "generate/noise_warp_near_vec.h"
#include "generate/noise_warp_table_vec.h"

/* Adds the noise of all squares of the kind NOISE_WARP_APART: from records, or else from hashes of
 * points, which have gradients if `sloped`. */
TERRAIN__INLINE void noise_warp_add_apart(const struct noise_warp_run *run, uint32_t basis,
                                          bool records, bool sloped)
{
    struct noise_warp_workspace *work = run->work;
    const struct noise_octave octave = *run->octave;
    const float *list = work->squares.lists[NOISE_WARP_APART];
    const uint32_t count = work->squares.counts[NOISE_WARP_APART];
    struct noise_warp_places *places = &work->places;
    for (uint32_t n = 0, some; n < count; n += some) {
        some = count - n < NOISE_WARP_TOGETHER ? count - n : NOISE_WARP_TOGETHER;
        for (uint32_t i = 0; i < some; i++) {
            const uint32_t square = noise_warp_listed(list, n + i);
            if (records) {
                noise_warp_find_records(places, run, square, i * NOISE_WARP_SQUARE);
            } else {
                noise_warp_find_hashes(places, run, square, i * NOISE_WARP_SQUARE);
            }
        }
        for (uint32_t i = 0; i < some * NOISE_WARP_SQUARE; i += VEC_LANES) {
            const uint32_t square = noise_warp_listed(list, n + i / NOISE_WARP_SQUARE);
            struct noise_warp_parts parts[2];
            for (int k = 0; k < 2; k++) {
                parts[k] = records ? noise_warp_gather(work->records, places->at[k] + i, basis)
                                   : noise_warp_hash(&octave, places, i, k, basis, sloped);
            }
            vfloat value =
                noise_warp_value(parts, vf_load(places->u[0] + i), vf_load(places->u[1] + i),
                                 vf_load(places->v + i), basis);
            noise_warp_add(run->sums + (size_t)square * NOISE_WARP_SQUARE + i % NOISE_WARP_SQUARE,
                           value);
        }
    }
}

TERRAIN__INLINE void noise_warp_add_octave(const struct noise_warp_run *run, uint32_t basis)
{
    noise_warp_add_near(run, NOISE_WARP_WITHIN, VEC_LANES == 16 ? 2 : 1, basis);
    if (VEC_LANES >= 8) {
        noise_warp_add_near(run, NOISE_WARP_LINE, 1, basis);
        noise_warp_add_near(run, NOISE_WARP_PAIR, 1, basis);
    }
    if (VEC_LANES == 16) {
        noise_warp_add_near(run, NOISE_WARP_BLOCK, 1, basis);
        noise_warp_add_near(run, NOISE_WARP_FIELD, 1, basis);
    }
    if (run->has_records) {
        noise_warp_add_apart(run, basis, true, true);
    } else if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX || run->octave->sloped) {
        noise_warp_add_apart(run, basis, false, true);
    } else {
        noise_warp_add_apart(run, basis, false, false);
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

/* Adds the octave's term, and clears its noise for the next octave. */
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

/* ---- Patches --------------------------------------------------------------------------------- */

/* The least and the greatest of some numbers, lane by lane. */
struct noise_warp_range {
    vfloat least, most;
};

static inline struct noise_warp_range noise_warp_range_of(struct noise_warp_range a,
                                                          struct noise_warp_range b)
{
    return (struct noise_warp_range){vf_min(a.least, b.least), vf_max(a.most, b.most)};
}

/* The range of each pair of neighbouring lanes, of both vectors. */
static inline struct noise_warp_range noise_warp_halve_range(struct noise_warp_range a,
                                                             struct noise_warp_range b)
{
    vfloat even, odd;
    struct noise_warp_range range;
    vf_part(a.least, b.least, &even, &odd);
    range.least = vf_min(even, odd);
    vf_part(a.most, b.most, &even, &odd);
    range.most = vf_max(even, odd);
    return range;
}

/* The ranges of a vector of squares. */
static inline struct noise_warp_range noise_warp_find_range(const float *cells)
{
    struct noise_warp_range columns[NOISE_WARP_SIDE];
    for (uint32_t i = 0; i < NOISE_WARP_SIDE; i++) {
        columns[i].least = columns[i].most = vf_load(cells + i * VEC_LANES);
        for (uint32_t y = 1; y < NOISE_WARP_SIDE; y++) {
            vfloat row = vf_load(cells + (size_t)y * NOISE_PATCH_WIDTH + i * VEC_LANES);
            columns[i] = noise_warp_range_of(columns[i], (struct noise_warp_range){row, row});
        }
    }
    return noise_warp_halve_range(noise_warp_halve_range(columns[0], columns[1]),
                                  noise_warp_halve_range(columns[2], columns[3]));
}

/* Repeats the last column's displacements to the end of a vector of squares, and the last row's to
 * the end of its squares, so that they don't widen any square's range. */
static void noise_warp_hang_over(float *cells, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++) {
        float *row = cells + (size_t)y * NOISE_PATCH_WIDTH;
        for (uint32_t x = width; x % (VEC_LANES * NOISE_WARP_SIDE) != 0; x++) {
            row[x] = row[width - 1];
        }
    }
    for (uint32_t y = height; y % NOISE_WARP_SIDE != 0; y++) {
        memcpy(cells + (size_t)y * NOISE_PATCH_WIDTH,
               cells + (size_t)(height - 1) * NOISE_PATCH_WIDTH, NOISE_WARP_WIDTH * sizeof *cells);
    }
}

/* The place of the `part`-th of the four vectors of VEC_LANES / NOISE_WARP_SIDE squares. */
static inline size_t noise_warp_part(uint32_t part)
{
    const uint32_t squares = VEC_LANES < NOISE_WARP_SIDE ? 1 : VEC_LANES / NOISE_WARP_SIDE;
    return part % squares * NOISE_WARP_SQUARE + part / squares * VEC_LANES;
}

/* Makes a row of squares, and with wide vectors perhaps some more, of rows of cells. */
static void noise_warp_make_squares(float *square, const float *rows, uint32_t width)
{
    uint32_t x = 0;
    for (; VEC_LANES >= NOISE_WARP_SIDE && x < width; x += VEC_LANES) {
        vfloat parts[NOISE_WARP_SIDE];
        for (uint32_t i = 0; i < NOISE_WARP_SIDE; i++) {
            parts[i] = vf_load(rows + (size_t)i * NOISE_PATCH_WIDTH + x);
        }
        vf_turn_quads(parts);
        for (uint32_t i = 0; i < NOISE_WARP_SIDE; i++) {
            vf_store(square + x * NOISE_WARP_SIDE + noise_warp_part(i), parts[i]);
        }
    }
    for (; x < width; x += NOISE_WARP_SIDE) {
        for (uint32_t i = 0; i < NOISE_WARP_SIDE; i++) {
            memcpy(square + (x + i) * NOISE_WARP_SIDE, rows + (size_t)i * NOISE_PATCH_WIDTH + x,
                   NOISE_WARP_SIDE * sizeof *square);
        }
    }
}

static void noise_warp_displace(struct noise_warp_workspace *work, uint32_t axis,
                                const struct noise_patch *patch)
{
    const vfloat lanes = vf_from_int(vi_from_bits(vu_lane())) * vf_set(NOISE_WARP_SIDE);
    float *squares = axis == 0 ? work->east : work->south, *cells = patch->work->sums;
    const uint32_t last = (patch->width - 1) / NOISE_WARP_SIDE * NOISE_WARP_SIDE;
    vfloat low = vf_set(INFINITY), high = -low;
    float lows[VEC_LANES], highs[VEC_LANES];
    noise_warp_hang_over(cells, patch->width, patch->height);
    for (uint32_t y = 0; y < patch->height; y += NOISE_WARP_SIDE) {
        for (uint32_t x = 0; x < patch->width; x += NOISE_WARP_SIDE * VEC_LANES) {
            const uint32_t at = noise_warp_square_of(x, y);
            const vfloat columns = vf_min(vf_set((float)x) + lanes, vf_set((float)last));
            const vfloat first = axis == 0 ? columns : vf_set((float)y);
            const struct noise_warp_range range =
                noise_warp_find_range(cells + (size_t)y * NOISE_PATCH_WIDTH + x);
            vf_store(work->ranges[axis].least + at, range.least);
            vf_store(work->ranges[axis].most + at, range.most);
            low = vf_min(low, first + range.least);
            high = vf_max(high, first + range.most);
        }
        noise_warp_make_squares(squares + noise_warp_square_of(0, y) * NOISE_WARP_SQUARE,
                                cells + (size_t)y * NOISE_PATCH_WIDTH, patch->width);
    }
    vf_store(lows, low);
    vf_store(highs, high);
    for (uint32_t i = 1; i < VEC_LANES; i++) {
        lows[0] = lows[i] < lows[0] ? lows[i] : lows[0];
        highs[0] = highs[i] > highs[0] ? highs[i] : highs[0];
    }
    work->extents[axis][0] = lows[0];
    work->extents[axis][1] = highs[0] + (NOISE_WARP_SIDE - 1);
    work->reach[axis] = (-lows[0] > highs[0] ? -lows[0] : highs[0]) + 4 * NOISE_WARP_WIDTH;
}

static void noise_warp_begin_piece(const struct noise_warp_piece *piece,
                                   const struct noise_plan *plan)
{
    struct noise_warp_workspace *work = piece->work;
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

/* Writes a row of squares, row by row, from `square` on. */
static void noise_warp_write_squares(float *rows, size_t stride, const float *square,
                                     uint32_t width, bool stream)
{
    uint32_t x = 0;
    for (; VEC_LANES >= NOISE_WARP_SIDE && x + VEC_LANES <= width; x += VEC_LANES) {
        vfloat parts[NOISE_WARP_SIDE];
        for (uint32_t i = 0; i < NOISE_WARP_SIDE; i++) {
            parts[i] = vf_load(square + x * NOISE_WARP_SIDE + noise_warp_part(i));
        }
        vf_turn_quads(parts);
        for (uint32_t i = 0; i < NOISE_WARP_SIDE; i++) {
            float *row = rows + i * stride + x;
            if (stream) {
                vf_stream(row, parts[i]);
            } else {
                vf_store(row, parts[i]);
            }
        }
    }
    for (; x < width; x += NOISE_WARP_SIDE) {
        for (uint32_t i = 0; i < NOISE_WARP_SIDE; i++) {
            memcpy(rows + i * stride + x, square + (x + i) * NOISE_WARP_SIDE,
                   NOISE_WARP_SIDE * sizeof *rows);
        }
    }
}

/* Writes the sums. Where squares reach past the patch, or stores that bypass the caches find rows
 * that are not aligned, rows are first put together in `east`, which is no longer needed. */
static void noise_warp_write(const struct noise_warp_piece *piece, const struct noise_patch *patch)
{
    struct noise_warp_workspace *work = piece->work;
    const bool aligned = (uintptr_t)patch->cells % sizeof(vfloat) == 0 &&
                         patch->stride * sizeof(float) % sizeof(vfloat) == 0;
    const bool direct = piece->width == patch->width && (aligned || !patch->stream);
    for (uint32_t y = 0; y < patch->height; y += NOISE_WARP_SIDE) {
        const float *squares = work->sums + noise_warp_square_of(0, y) * NOISE_WARP_SQUARE;
        float *cells = patch->cells + y * patch->stride;
        const uint32_t left = patch->height - y;
        const uint32_t rows = left < NOISE_WARP_SIDE ? left : NOISE_WARP_SIDE;
        if (direct && rows == NOISE_WARP_SIDE) {
            noise_warp_write_squares(cells, patch->stride, squares, piece->width, patch->stream);
            continue;
        }
        noise_warp_write_squares(work->east, NOISE_WARP_WIDTH, squares, piece->width, false);
        for (uint32_t i = 0; i < rows; i++) {
            noise_write_row(cells + i * patch->stride, work->east + i * NOISE_WARP_WIDTH,
                            patch->width, patch->stream);
        }
    }
    if (patch->stream) {
        vf_streamed();
    }
}

/* Rounds up to whole squares. */
static uint32_t noise_warp_whole(uint32_t cells)
{
    return (cells + NOISE_WARP_SIDE - 1) / NOISE_WARP_SIDE * NOISE_WARP_SIDE;
}

static void noise_warp_patch(const struct noise_plan *plan, const struct noise_patch *patch,
                             struct noise_warp_workspace *work)
{
    const struct noise_warp_piece piece = {work, patch->x, patch->y, noise_warp_whole(patch->width),
                                           noise_warp_whole(patch->height)};
    noise_warp_begin_piece(&piece, plan);
    for (uint32_t i = 0; i < plan->octave_count; i++) {
        noise_warp_add_octave_at(plan, &piece, i);
    }
    noise_warp_write(&piece, patch);
}

const struct noise_warp_kernels TERRAIN__KERNELS(noise_warp) = {noise_warp_displace,
                                                                noise_warp_patch};
