/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: squares too spread out to share points, where records of these are not
 * worth their while, or would not fit their space. Each cell hashes its own four lattice points. */

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

/* Keeps what each lattice row's points are hashed from. */
static void noise_warp_hash_rows(const struct noise_warp_run *run)
{
    struct noise_warp_workspace *work = run->work;
    const int64_t column = noise_wrap(&run->octave->x, run->first_column);
    for (uint32_t row = 0; row < run->rows && run->is_plain; row++) {
        const uint64_t words = terrain__random_column(work->hashes[row], column);
        const uint32_t low = (uint32_t)words, high = (uint32_t)(words >> 32);
        memcpy(work->lows + row, &low, sizeof low);
        memcpy(work->highs + row, &high, sizeof high);
    }
    for (uint32_t row = 0; row < run->rows && row < NOISE_WARP_LINES && !run->is_plain; row++) {
        work->lines[row] = noise_warp_line_at(run, run->first_row + row);
    }
}

/* Finds the places of a square's cells, and the hashes of the points to their left and right, for
 * runs that are plain. `vectors` vectors hold the shifts of the square's lattice rows; 0: there may
 * be more. */
TERRAIN__INLINE void noise_warp_find_hashes_of(struct noise_warp_places *places,
                                               const struct noise_warp_run *run, uint32_t square,
                                               uint32_t to, int vectors)
{
    const struct noise_warp_workspace *work = run->work;
    const int32_t first_row = work->squares.first_row[square];
    const uint32_t column = (uint32_t)noise_wrap(&run->octave->x, run->first_column);
    const vuint first = vu_set(column - (uint32_t)run->column);
    for (uint32_t lane = 0; lane < NOISE_WARP_SQUARE; lane += VEC_LANES, to += VEC_LANES) {
        const struct noise_warp_cells cells = noise_warp_cells_at(run, square, lane);
        vfloat whole = vf_floor_loose(cells.down);
        vint row = vi_from_float(whole + cells.rows) - vi_set(run->row + first_row);
        vf_store(places->v + to, cells.down - whole);
        for (int k = 0; k < 2; k++) {
            const int32_t begin = first_row + k;
            vfloat shift = noise_warp_pick(work->shifts + begin, row, vectors);
            struct noise_warp_place place = noise_warp_locate(cells.across, cells.columns, shift);
            vuint low = vf_bits(noise_warp_pick(work->lows + begin, row, vectors));
            vuint high = vf_bits(noise_warp_pick(work->highs + begin, row, vectors));
            vuint node = first + vu_from_bits(place.column);
            vuint left = vu_random_bits_of(low, high, node);
            vuint right = vu_random_bits_of(low, high, node + vu_set(1));
            vf_store(places->u[k] + to, place.u);
            memcpy(places->bits[k][0] + to, &left, sizeof left);
            memcpy(places->bits[k][1] + to, &right, sizeof right);
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

/* noise_warp_find_hashes_of for runs that are not plain. */
static void noise_warp_find_hashes_apart(struct noise_warp_places *places,
                                         const struct noise_warp_run *run, uint32_t square,
                                         uint32_t to)
{
    const struct noise_warp_workspace *work = run->work;
    for (uint32_t lane = 0; lane < NOISE_WARP_SQUARE; lane += VEC_LANES, to += VEC_LANES) {
        const struct noise_warp_cells cells = noise_warp_cells_at(run, square, lane);
        vfloat whole = vf_floor_loose(cells.down);
        int32_t rows[VEC_LANES];
        vi_store(rows, vi_from_float(whole + cells.rows) - vi_set(run->row));
        vf_store(places->v + to, cells.down - whole);
        for (int32_t k = 0; k < 2; k++) {
            struct noise_warp_line beyond[VEC_LANES];
            const struct noise_warp_line *lines[VEC_LANES];
            float shifts[VEC_LANES];
            for (uint32_t i = 0; i < VEC_LANES; i++) {
                const int32_t row = rows[i] + k;
                if (row < NOISE_WARP_LINES) {
                    lines[i] = work->lines + row;
                } else {
                    beyond[i] = noise_warp_line_at(run, run->first_row + row);
                    lines[i] = beyond + i;
                }
                shifts[i] = lines[i]->shift;
            }
            const struct noise_warp_place place =
                noise_warp_locate(cells.across, cells.columns, vf_load(shifts));
            const vint column = place.column - vi_set(run->column);
            const vuint left = noise_warp_hash_points(run, lines, column);
            const vuint right = noise_warp_hash_points(run, lines, column + vi_set(1));
            vf_store(places->u[k] + to, place.u);
            memcpy(places->bits[k][0] + to, &left, sizeof left);
            memcpy(places->bits[k][1] + to, &right, sizeof right);
        }
    }
}

static void noise_warp_find_hashes(struct noise_warp_places *places,
                                   const struct noise_warp_run *run, uint32_t square, uint32_t to)
{
    const struct noise_warp_squares *squares = &run->work->squares;
    const int32_t rows = squares->last_row[square] - squares->first_row[square] + 1;
    if (!run->is_plain) {
        noise_warp_find_hashes_apart(places, run, square, to);
    } else if (rows <= 2 * VEC_LANES) {
        noise_warp_find_hashes_of(places, run, square, to, 2);
    } else if (rows <= 8 * VEC_LANES) {
        noise_warp_find_hashes_of(places, run, square, to, 8);
    } else {
        noise_warp_find_hashes_of(places, run, square, to, 0);
    }
}

TERRAIN__INLINE struct noise_warp_parts noise_warp_hash(const struct noise_octave *octave,
                                                        const struct noise_warp_places *places,
                                                        uint32_t i, int k, uint32_t basis,
                                                        bool sloped)
{
    const struct noise_node left = noise_node_of(octave, vu_load(places->bits[k][0] + i), sloped);
    const struct noise_node right = noise_node_of(octave, vu_load(places->bits[k][1] + i), sloped);
    return noise_warp_parts_of(left, right, basis);
}

#endif
