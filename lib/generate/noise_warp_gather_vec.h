/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of warped noise: strips whose cells each have points of their own, gathered from the
 * table. */

#ifndef TERRAIN_GENERATE_NOISE_WARP_GATHER_VEC_H
#define TERRAIN_GENERATE_NOISE_WARP_GATHER_VEC_H

#include "generate/noise_warp_vec.h"

/* Takes as many strips that are not near few points as have a vector of lattice rows, or the first
 * one. */
static void noise_warp_make_apart(struct noise_warp_block *block, const struct noise_warp_run *run)
{
    const struct noise_warp_strips *strips = &run->piece->work->strips;
    const uint32_t k = block->x / NOISE_WARP_STRIP;
    const int32_t *rows = strips->first_row[k], *last_rows = strips->last_row[k];
    uint32_t y = block->y;
    int32_t first = rows[y], last = last_rows[y];
    while (++y < run->piece->height && strips->near[k][y] == 0) {
        int32_t low = rows[y] < first ? rows[y] : first;
        int32_t high = last_rows[y] > last ? last_rows[y] : last;
        if (high - low >= VEC_LANES) {
            break;
        }
        first = low;
        last = high;
    }
    block->height = y - block->y;
    block->row = first - run->row;
    block->rows = last - first + 1;
}

/* Places of strips, and where the records of their points begin in those of the block. */
static void noise_warp_find_records(struct noise_warp_places *places,
                                    const struct noise_warp_run *run,
                                    const struct noise_warp_block *block, uint32_t y,
                                    uint32_t height)
{
    const struct noise_warp_layout layout = {0, (int32_t)run->columns * NOISE_WARP_RECORD,
                                             NOISE_WARP_RECORD};
    if (VEC_LANES >= 8 && block->rows <= VEC_LANES) {
        noise_warp_find_places(places, run, block, y, height, layout, 1);
    } else if (VEC_LANES >= 8 && block->rows <= 4 * VEC_LANES) {
        noise_warp_find_places(places, run, block, y, height, layout, 4);
    } else {
        noise_warp_find_places(places, run, block, y, height, layout, 0);
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

/* Cells whose points are in the table. */
TERRAIN__INLINE void noise_warp_apart(const struct noise_warp_run *run,
                                      const struct noise_warp_block *block, uint32_t basis)
{
    const float *records =
        run->piece->work->records + (size_t)block->row * run->columns * NOISE_WARP_RECORD;
    struct noise_warp_places *places = &run->piece->work->places;
    const uint32_t end = block->y + block->height;
    for (uint32_t y = block->y, height; y < end; y += height) {
        float *sums = run->sums + (size_t)y * NOISE_WARP_WIDTH + block->x;
        height = end - y < NOISE_WARP_TOGETHER ? end - y : NOISE_WARP_TOGETHER;
        noise_warp_find_records(places, run, block, y, height);
        for (uint32_t i = 0; i < height * NOISE_WARP_STRIP; i += VEC_LANES) {
            const struct noise_warp_parts parts[2] = {
                noise_warp_gather(records, places->at[0] + i, basis),
                noise_warp_gather(records, places->at[1] + i, basis)};
            vfloat value =
                noise_warp_value(parts, vf_load(places->u[0] + i), vf_load(places->u[1] + i),
                                 vf_load(places->v + i), basis);
            noise_warp_add(sums + i / NOISE_WARP_STRIP * NOISE_WARP_WIDTH + i % NOISE_WARP_STRIP,
                           value);
        }
    }
}

#endif
