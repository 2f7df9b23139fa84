/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: cells so far apart that each hashes its own four lattice points. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_HASH_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_HASH_VEC_H

#include "generate/noise_warp_vec.h"

static struct noise_warp_line noise_warp_line_at(const struct noise_warp_run *run, int64_t row)
{
    const struct noise_octave *octave = run->octave;
    const int64_t column = noise_wrap(&octave->x, run->first_column);
    const uint64_t hash = terrain__random_row(octave->stream, noise_wrap(&octave->y, row));
    return (struct noise_warp_line){
        {terrain__random_column(hash, column),
         run->is_plain ? 0 : terrain__random_column(hash, column + (INT64_C(1) << 32))},
        noise_warp_shift(run, row)};
}

/* Keeps what the points of lattice row `row` are hashed from; rows count from run->first_row. */
static void noise_warp_hash_row(const struct noise_warp_run *run, uint32_t row)
{
    struct noise_warp_workspace *work = run->work;
    const struct noise_warp_line line = noise_warp_line_at(run, run->first_row + row);
    const uint32_t low = (uint32_t)line.columns[0], high = (uint32_t)(line.columns[0] >> 32);
    if (run->is_plain) {
        memcpy(work->lows + row, &low, sizeof low);
        memcpy(work->highs + row, &high, sizeof high);
        work->shifts[row] = line.shift;
    } else {
        work->lines[row] = line;
    }
}

/* Where the cells of a square lie, and the hashes of the lattice points to their left and right. */
struct noise_warp_hashes {
    float v[NOISE_WARP_SQUARE];
    float u[2][NOISE_WARP_SQUARE];
    uint32_t bits[2][2][NOISE_WARP_SQUARE]; /* by lattice row and side */
};

TERRAIN__INLINE void noise_warp_find_hashes_of(const struct noise_warp_run *run, uint32_t square,
                                               int32_t first_row, struct noise_warp_hashes *to,
                                               int vectors)
{
    const struct noise_warp_workspace *work = run->work;
    const uint32_t column = (uint32_t)noise_wrap(&run->octave->x, run->first_column);
    const vuint first = vu_set(column - (uint32_t)run->column);
    for (uint32_t i = 0; i < NOISE_WARP_SQUARE; i += VEC_LANES) {
        const struct noise_warp_cells cells = noise_warp_cells_at(run, square, i);
        vfloat whole = vf_floor_loose(cells.down);
        vint row = vi_from_float(whole + cells.rows) - vi_set(run->row + first_row);
        vf_store(to->v + i, cells.down - whole);
        for (int k = 0; k < 2; k++) {
            const int32_t begin = first_row + k;
            vfloat shift = noise_warp_pick(work->shifts + begin, row, vectors);
            struct noise_warp_place place = noise_warp_locate(cells.across, cells.columns, shift);
            vuint low = vf_bits(noise_warp_pick(work->lows + begin, row, vectors));
            vuint high = vf_bits(noise_warp_pick(work->highs + begin, row, vectors));
            vuint node = first + vu_from_bits(place.column);
            vuint left = vu_random_bits_of(low, high, node);
            vuint right = vu_random_bits_of(low, high, node + vu_set(1));
            vf_store(to->u[k] + i, place.u);
            memcpy(to->bits[k][0] + i, &left, sizeof left);
            memcpy(to->bits[k][1] + i, &right, sizeof right);
        }
    }
}

/* Hashes a point in each of some lattice rows; columns count from run->first_column. */
static vuint noise_warp_hash_points(const struct noise_warp_run *run,
                                    const struct noise_warp_line *const lines[VEC_LANES],
                                    vint columns)
{
    const uint64_t first = (uint64_t)noise_wrap(&run->octave->x, run->first_column);
    const uint32_t count = run->octave->x.count;
    int32_t column[VEC_LANES];
    uint32_t lows[VEC_LANES], highs[VEC_LANES], nodes[VEC_LANES];
    vi_store(column, columns);
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        const uint64_t node = first + (uint32_t)column[i];
        const uint64_t words = lines[i]->columns[node >> 32 != first >> 32];
        lows[i] = (uint32_t)words;
        highs[i] = (uint32_t)(words >> 32);
        nodes[i] = count != 0 ? (uint32_t)node % count : (uint32_t)node;
    }
    return vu_random_bits_of(vu_load(lows), vu_load(highs), vu_load(nodes));
}

/* The same as noise_warp_find_hashes_of, for runs that are not plain. */
static void noise_warp_find_hashes_apart(const struct noise_warp_run *run, uint32_t square,
                                         struct noise_warp_hashes *to)
{
    const struct noise_warp_workspace *work = run->work;
    for (uint32_t i = 0; i < NOISE_WARP_SQUARE; i += VEC_LANES) {
        const struct noise_warp_cells cells = noise_warp_cells_at(run, square, i);
        vfloat whole = vf_floor_loose(cells.down);
        int32_t rows[VEC_LANES];
        vi_store(rows, vi_from_float(whole + cells.rows) - vi_set(run->row));
        vf_store(to->v + i, cells.down - whole);
        for (int32_t k = 0; k < 2; k++) {
            struct noise_warp_line beyond[VEC_LANES];
            const struct noise_warp_line *lines[VEC_LANES];
            float shifts[VEC_LANES];
            for (uint32_t lane = 0; lane < VEC_LANES; lane++) {
                const int32_t row = rows[lane] + k;
                if (row < NOISE_WARP_LINES) {
                    lines[lane] = work->lines + row;
                } else {
                    beyond[lane] = noise_warp_line_at(run, run->first_row + row);
                    lines[lane] = beyond + lane;
                }
                shifts[lane] = lines[lane]->shift;
            }
            const struct noise_warp_place place =
                noise_warp_locate(cells.across, cells.columns, vf_load(shifts));
            const vint column = place.column - vi_set(run->column);
            const vuint left = noise_warp_hash_points(run, lines, column);
            const vuint right = noise_warp_hash_points(run, lines, column + vi_set(1));
            vf_store(to->u[k] + i, place.u);
            memcpy(to->bits[k][0] + i, &left, sizeof left);
            memcpy(to->bits[k][1] + i, &right, sizeof right);
        }
    }
}

static void noise_warp_find_hashes(const struct noise_warp_run *run, uint32_t square,
                                   struct noise_warp_hashes *to)
{
    const struct noise_warp_workspace *work = run->work;
    const struct noise_warp_ranges *south = &work->ranges[1];
    const uint32_t y = square / NOISE_WARP_ACROSS;
    const float top = work->tops[y] + south->least[square] * run->step_y;
    const float bottom = work->bottoms[y] + south->most[square] * run->step_y;
    const int32_t first = (int32_t)noise_warp_floor(top), row = first - run->row;
    const int32_t rows = (int32_t)noise_warp_floor(bottom) - first + 1;
    if (!run->is_plain) {
        noise_warp_find_hashes_apart(run, square, to);
    } else if (rows <= 2 * VEC_LANES) {
        noise_warp_find_hashes_of(run, square, row, to, 2);
    } else if (rows <= 8 * VEC_LANES) {
        noise_warp_find_hashes_of(run, square, row, to, 8);
    } else {
        noise_warp_find_hashes_of(run, square, row, to, 0);
    }
}

TERRAIN__INLINE struct noise_warp_parts noise_warp_hash(const struct noise_octave *octave,
                                                        const struct noise_warp_hashes *hashes,
                                                        uint32_t i, int k, uint32_t basis,
                                                        bool sloped)
{
    const struct noise_node left = noise_node_of(octave, vu_load(hashes->bits[k][0] + i), sloped);
    const struct noise_node right = noise_node_of(octave, vu_load(hashes->bits[k][1] + i), sloped);
    return noise_warp_parts_of(left, right, basis);
}

/* Adds the octave's noise where cells are moved so far apart that hardly any two share a point. */
TERRAIN__INLINE void noise_warp_crowded(const struct noise_warp_run *run, uint32_t basis,
                                        bool sloped)
{
    const struct noise_octave octave = *run->octave;
    for (uint32_t y = 0; y < run->piece->height; y += NOISE_WARP_SIDE) {
        for (uint32_t x = 0; x < run->piece->width; x += NOISE_WARP_SIDE) {
            const uint32_t square = noise_warp_square_of(x, y);
            float *sums = run->sums + (size_t)square * NOISE_WARP_SQUARE;
            struct noise_warp_hashes hashes;
            noise_warp_find_hashes(run, square, &hashes);
            for (uint32_t i = 0; i < NOISE_WARP_SQUARE; i += VEC_LANES) {
                const struct noise_warp_parts parts[2] = {
                    noise_warp_hash(&octave, &hashes, i, 0, basis, sloped),
                    noise_warp_hash(&octave, &hashes, i, 1, basis, sloped)};
                vfloat value =
                    noise_warp_value(parts, vf_load(hashes.u[0] + i), vf_load(hashes.u[1] + i),
                                     vf_load(hashes.v + i), basis);
                noise_warp_add(sums + i, value);
            }
        }
    }
}

#endif
