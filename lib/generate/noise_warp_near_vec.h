/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: squares whose cells share so few lattice points that these stay in
 * registers. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_NEAR_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_NEAR_VEC_H

#include "generate/noise_warp_vec.h"

/* A vector of cells: their places, and the points to their left among the square's points, or for
 * NOISE_WARP_PAIR among those of the two lattice rows that may lie above or below. Index 0 is the
 * lattice row above, index 1 the one below. */
struct noise_warp_spot {
    uint32_t square;
    vfloat v, u[2];
    vuint at[2];
};

/* row[index], in a row of NOISE_WARP_COLUMNS floats; or in two such rows, one after the other. */
static inline vfloat noise_warp_look_up(const float *row, vuint index)
{
    return NOISE_WARP_COLUMNS == 4 ? vf_lookup_four(row, index) : vf_lookup(row, index);
}

static inline vfloat noise_warp_look_up_two(const float *above, const float *below, vuint index)
{
    return NOISE_WARP_COLUMNS == 4 ? vf_lookup_fours(above, below, index)
                                   : vf_lookup_two(above, below, index);
}

TERRAIN__INLINE struct noise_warp_spot noise_warp_find_spot(const struct noise_warp_run *run,
                                                            uint32_t square, uint32_t lane,
                                                            enum noise_warp_kind kind)
{
    const struct noise_warp_workspace *work = run->work;
    const struct noise_warp_squares *squares = &work->squares;
    const struct noise_warp_cells cells = noise_warp_cells_at(run, square, lane);
    const float *shifts = work->shifts + squares->first_row[square];
    const bool octets = kind == NOISE_WARP_BLOCK || kind == NOISE_WARP_FIELD;
    const bool wide = octets || kind == NOISE_WARP_PAIR;
    const vfloat first_row = vf_set(squares->rows[square]);
    vuint row = vu_set(0);
    struct noise_warp_spot spot = {.square = square};
    if (wide) {
        row = vf_bits(vf_floor_onto(first_row + cells.rows, cells.down, &spot.v));
    } else {
        spot.v = cells.down - (first_row - cells.rows);
    }
    for (uint32_t k = 0; k < 2; k++) {
        const vfloat shift = wide ? noise_warp_look_up(shifts + k, row) : vf_set(shifts[k]);
        vfloat at = cells.across + shift;
        if (kind == NOISE_WARP_WITHIN) {
            spot.u[k] = at - (vf_set(squares->columns[k][square]) - cells.columns);
        } else {
            const vfloat columns = vf_set(squares->columns[0][square]) + cells.columns;
            spot.at[k] = vf_bits(vf_floor_onto(columns, at, &spot.u[k]));
        }
        if (octets) {
            spot.at[k] += (row + vu_set(k)) * vu_set(8);
        } else if (wide) {
            spot.at[k] += row * vu_set(NOISE_WARP_COLUMNS);
        }
    }
    return spot;
}

/* Looks up each cell's numbers in a plane of the table, for the lattice rows above and below. */
TERRAIN__INLINE void noise_warp_find_numbers(vfloat numbers[2], const float *const rows[8],
                                             size_t plane, const struct noise_warp_spot *spot,
                                             enum noise_warp_kind kind)
{
    const size_t at = plane * NOISE_WARP_PLANE;
    if (kind == NOISE_WARP_BLOCK) {
        vf_lookup_rows(numbers, rows, at, NOISE_WARP_BLOCK_ROWS, spot->at);
    } else if (kind == NOISE_WARP_FIELD) {
        vf_lookup_rows(numbers, rows, at, NOISE_WARP_FIELD_ROWS, spot->at);
    } else {
        for (int k = 0; k < 2; k++) {
            numbers[k] = kind == NOISE_WARP_WITHIN ? vf_set(rows[k][at])
                         : kind == NOISE_WARP_LINE
                             ? noise_warp_look_up(rows[k] + at, spot->at[k])
                             : noise_warp_look_up_two(rows[k] + at, rows[k + 1] + at, spot->at[k]);
        }
    }
}

TERRAIN__INLINE vfloat noise_warp_near(const struct noise_warp_run *run,
                                       const struct noise_warp_spot *spot,
                                       enum noise_warp_kind kind, uint32_t basis)
{
    const struct noise_warp_workspace *work = run->work;
    const float *rows[8];
    vfloat numbers[NOISE_WARP_PARTS][2];
    struct noise_warp_parts parts[2];
    rows[0] = work->planes[0] + work->squares.at[0][spot->square];
    rows[1] = work->planes[0] + work->squares.at[1][spot->square];
    for (int k = 2; k < 8; k++) {
        rows[k] = rows[k - 2] + 2 * (size_t)run->columns;
    }
    for (size_t i = 0; i < NOISE_WARP_PARTS; i++) {
        noise_warp_find_numbers(numbers[i], rows, i, spot, kind);
    }
    for (int k = 0; k < 2; k++) {
        parts[k] = (struct noise_warp_parts){.x = numbers[0][k],
                                             .y = numbers[1][k],
                                             .other_x = numbers[2][k],
                                             .other_y = numbers[3][k],
                                             .value = numbers[4][k],
                                             .change = numbers[5][k]};
    }
    return noise_warp_value(parts, spot->u[0], spot->u[1], spot->v, basis);
}

/* Adds the noise of all squares of a kind, `beside` at a time. The places of the next squares are
 * found while these get their noise, since each displacement leads to its point through a long
 * chain of dependent instructions. If two at a time are the same square, which happens at the end
 * of the list, its noise is added once: both sums are loaded before either is stored. */
TERRAIN__INLINE void noise_warp_add_near(const struct noise_warp_run *pointer,
                                         enum noise_warp_kind kind, uint32_t beside, uint32_t basis)
{
    const struct noise_warp_run copy = *pointer, *run = &copy;
    const struct noise_warp_squares *squares = &run->work->squares;
    const float *list = squares->lists[kind];
    const uint32_t count = squares->counts[kind];
    for (uint32_t lane = 0; lane < NOISE_WARP_SQUARE && count != 0; lane += VEC_LANES) {
        struct noise_warp_spot spots[2], next[2];
        vfloat sums[2];
        for (uint32_t i = 0; i < beside; i++) {
            next[i] = noise_warp_find_spot(run, noise_warp_listed(list, i), lane, kind);
        }
        for (uint32_t n = 0; n < count; n += beside) {
            for (uint32_t i = 0; i < beside; i++) {
                spots[i] = next[i];
                next[i] =
                    noise_warp_find_spot(run, noise_warp_listed(list, n + beside + i), lane, kind);
            }
            for (uint32_t i = 0; i < beside; i++) {
                const float *at = run->sums + (size_t)spots[i].square * NOISE_WARP_SQUARE + lane;
                sums[i] = vf_load(at) + noise_warp_near(run, &spots[i], kind, basis);
            }
            for (uint32_t i = 0; i < beside; i++) {
                vf_store(run->sums + (size_t)spots[i].square * NOISE_WARP_SQUARE + lane, sums[i]);
            }
        }
    }
}

#endif
