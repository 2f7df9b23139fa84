/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Where water goes in generate_drainage, and how much there is.
 *
 *   receivers   kept ones that still lie lower by `least`; else, of the eight neighbours that are
 *               lower by `least`, the one with the steepest fall; sides come before corners, and in
 *               each the first from the east on clockwise
 *   donors      the neighbours that flow into a cell, as bits
 *   areas       q = own + sum of the donors' q, one step for all cells at once: after k steps what
 *               is nearer than k cells upstream is counted anew, and the rest as it was before */

#include "generate/drainage_kernels.h"

#include "generate/drainage_vec.h"

static inline void drainage_steeper(vfloat z, const float *other, float least, float inverse_length,
                                    int32_t direction, vfloat *steepest, vint *receiver)
{
    const vfloat low = vf_load(other);
    const vmask falls = vf_less_equal(low + vf_set(least), z);
    const vfloat slope = vf_where(falls, (z - low) * vf_set(inverse_length));
    *receiver = vi_select(vf_less(*steepest, slope), vi_set(direction), *receiver);
    *steepest = vf_max(slope, *steepest);
}

static void drainage_receivers(uint8_t *receiver, const float *const *heights, const uint8_t *keep,
                               float least, uint32_t width)
{
    const float side = 1, corner = 0.70710678F;
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        const float *n = heights[0] + i, *z = heights[1] + i, *s = heights[2] + i;
        const vint kept = vi_load_bytes(keep + i);
        const vfloat here = vf_load(z);
        vint best = vi_load_bytes(receiver + i);
        vfloat steepest = vf_set(0);
        drainage_steeper(here, z + 1, least, side, 0, &steepest, &best);
        drainage_steeper(here, s, least, side, 2, &steepest, &best);
        drainage_steeper(here, z - 1, least, side, 4, &steepest, &best);
        drainage_steeper(here, n, least, side, 6, &steepest, &best);
        drainage_steeper(here, s + 1, least, corner, 1, &steepest, &best);
        drainage_steeper(here, s - 1, least, corner, 3, &steepest, &best);
        drainage_steeper(here, n - 1, least, corner, 5, &steepest, &best);
        drainage_steeper(here, n + 1, least, corner, 7, &steepest, &best);
        const vfloat old = drainage_towards(kept, DRAINAGE_AROUND(vf_load, n, z, s, 0));
        const vmask falls = vf_less_equal(old + vf_set(least), here);
        best = vi_select(vm_and(vi_less(kept, vi_set(DRAINAGE_OUTLET)), falls), kept, best);
        best = vi_select(vi_equal(kept, vi_set(DRAINAGE_OUTLET)), kept, best);
        vi_store_bytes_up_to(receiver + i, best, width - 1 - i);
    }
}

/* A plain loop: of bytes alone, four times as many in a vector as vint would have. */
static void drainage_donors(uint8_t *donors, const uint8_t *const *receivers, uint32_t width)
{
    const uint8_t *restrict n = receivers[0], *restrict r = receivers[1];
    const uint8_t *restrict s = receivers[2];
    donors[0] = donors[width - 1] = 0;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        donors[i] =
            (uint8_t)((r[i - 1] == 0 ? 1 : 0) | (n[i - 1] == 1 ? 2 : 0) | (n[i] == 2 ? 4 : 0) |
                      (n[i + 1] == 3 ? 8 : 0) | (r[i + 1] == 4 ? 16 : 0) |
                      (s[i + 1] == 5 ? 32 : 0) | (s[i] == 6 ? 64 : 0) | (s[i - 1] == 7 ? 128 : 0));
    }
}

/* What a donor brings; 0 of a neighbour that flows elsewhere. */
static inline vfloat drainage_brought(const float *q, vint donors, int32_t direction)
{
    return vf_where_not(vi_equal(donors & vi_set(1 << direction), vi_set(0)), vf_load(q));
}

static void drainage_areas(float *to, const float *const *discharges, const uint8_t *donors,
                           float own, uint32_t width)
{
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        const float *n = discharges[0] + i, *q = discharges[1] + i, *s = discharges[2] + i;
        const vint m = vi_load_bytes(donors + i);
        const vfloat rows = drainage_brought(q - 1, m, 0) + drainage_brought(q + 1, m, 4);
        const vfloat columns = drainage_brought(n, m, 2) + drainage_brought(s, m, 6);
        const vfloat falling = drainage_brought(n - 1, m, 1) + drainage_brought(s + 1, m, 5);
        const vfloat rising = drainage_brought(n + 1, m, 3) + drainage_brought(s - 1, m, 7);
        const vfloat sum = vf_set(own) + ((rows + columns) + (falling + rising));
        vf_store_up_to(to + i, sum, width - 1 - i);
    }
    to[0] = discharges[1][0];
    to[width - 1] = discharges[1][width - 1];
}

static void drainage_keep(uint8_t *keep, const uint8_t *receiver, const float *discharge, float pin,
                          uint32_t width)
{
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        const vint r = vi_load_bytes(receiver + i);
        const vmask river = vf_less(vf_set(pin), vf_load(discharge + i));
        const vmask kept = vm_or(vi_equal(r, vi_set(DRAINAGE_OUTLET)), river);
        vi_store_bytes_up_to(keep + i, vi_select(kept, r, vi_set(DRAINAGE_FREE)), width - i);
    }
}

static void drainage_forget(float *discharge, const uint8_t *keep, float own, uint32_t width)
{
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        const vmask free = vi_equal(vi_load_bytes(keep + i), vi_set(DRAINAGE_FREE));
        const vfloat q = vf_select(free, vf_set(own), vf_load(discharge + i));
        vf_store_up_to(discharge + i, q, width - i);
    }
}

static void drainage_flooded(uint8_t *traits, const float *reach, uint32_t width)
{
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        const vint others = vi_load_bytes(traits + i) & vi_set(~DRAINAGE_PLAIN);
        const vmask wet = vf_less(vf_set(0), vf_load(reach + i));
        const vint plain = vi_select(wet, vi_set(DRAINAGE_PLAIN), vi_set(0));
        vi_store_bytes_up_to(traits + i, others | plain, width - i);
    }
}

const struct drainage_flow_kernels TERRAIN__KERNELS(drainage_flow) = {
    drainage_receivers, drainage_donors, drainage_areas,
    drainage_keep,      drainage_forget, drainage_flooded};
