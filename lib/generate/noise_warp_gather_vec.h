/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: squares too spread out to share points. Each cell gathers its own from
 * the table's records. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_GATHER_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_GATHER_VEC_H

#include "generate/noise_warp_vec.h"

/* Finds the places of a square's cells, and where the records of their points begin. `vectors`
 * vectors hold the shifts of the square's lattice rows; 0: there may be more. */
TERRAIN__INLINE void noise_warp_find_places(struct noise_warp_places *places,
                                            const struct noise_warp_run *run, uint32_t square,
                                            uint32_t to, int vectors)
{
    const struct noise_warp_workspace *work = run->work;
    const int32_t first_row = work->squares.first_row[square];
    const float *shifts = work->shifts + first_row;
    const int32_t row_step = (int32_t)run->columns * NOISE_WARP_RECORD;
    const int32_t first = first_row * row_step - run->column * NOISE_WARP_RECORD;
    for (uint32_t lane = 0; lane < NOISE_WARP_SQUARE; lane += VEC_LANES, to += VEC_LANES) {
        const struct noise_warp_cells cells = noise_warp_cells_at(run, square, lane);
        const vfloat whole = vf_floor_loose(cells.down);
        const vint row = vi_from_float(whole + cells.rows) - vi_set(run->row + first_row);
        vint line = row * vi_set(row_step) + vi_set(first);
        vf_store(places->v + to, cells.down - whole);
        for (int k = 0; k < 2; k++) {
            vfloat shift = noise_warp_pick(shifts + k, row, vectors);
            struct noise_warp_place at = noise_warp_locate(cells.across, cells.columns, shift);
            vf_store(places->u[k] + to, at.u);
            vi_store(places->at[k] + to, line + at.column * vi_set(NOISE_WARP_RECORD));
            line += vi_set(row_step);
        }
    }
}

static void noise_warp_find_records(struct noise_warp_places *places,
                                    const struct noise_warp_run *run, uint32_t square, uint32_t to)
{
    const struct noise_warp_squares *squares = &run->work->squares;
    const int32_t rows = squares->last_row[square] - squares->first_row[square] + 1;
    if (VEC_LANES >= 8 && rows <= VEC_LANES) {
        noise_warp_find_places(places, run, square, to, 1);
    } else if (VEC_LANES >= 8 && rows <= 4 * VEC_LANES) {
        noise_warp_find_places(places, run, square, to, 4);
    } else {
        noise_warp_find_places(places, run, square, to, 0);
    }
}

TERRAIN__INLINE struct noise_warp_parts noise_warp_gather(const float *records,
                                                          const int32_t *offsets, uint32_t basis)
{
    vfloat n[8];
    if (basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX) {
        vf_load_quads(n, records, offsets);
        return (struct noise_warp_parts){.x = n[0], .y = n[1], .other_x = n[2], .other_y = n[3]};
    }
    vf_load_octets(n, records, offsets);
    return (struct noise_warp_parts){
        .x = n[0], .y = n[1], .other_x = n[2], .other_y = n[3], .value = n[4], .change = n[5]};
}

#endif
