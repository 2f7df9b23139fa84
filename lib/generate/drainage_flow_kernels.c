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

static inline void drainage_steeper(float z, float other, float least, float inverse_length,
                                    uint32_t direction, float *steepest, uint32_t *receiver)
{
    float slope = (z - other) * inverse_length;
    slope = other + least <= z ? slope : 0;
    *receiver = slope > *steepest ? direction : *receiver;
    *steepest = drainage_max(slope, *steepest);
}

static void drainage_receivers(uint8_t *receiver, const float *const *heights, const uint8_t *keep,
                               float least, uint32_t width)
{
    const float *restrict n = heights[0], *restrict z = heights[1], *restrict s = heights[2];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        const float side = 1, corner = 0.70710678F;
        uint32_t k = keep[i], best = receiver[i];
        float steepest = 0, c = z[i];
        drainage_steeper(c, z[i + 1], least, side, 0, &steepest, &best);
        drainage_steeper(c, s[i], least, side, 2, &steepest, &best);
        drainage_steeper(c, z[i - 1], least, side, 4, &steepest, &best);
        drainage_steeper(c, n[i], least, side, 6, &steepest, &best);
        drainage_steeper(c, s[i + 1], least, corner, 1, &steepest, &best);
        drainage_steeper(c, s[i - 1], least, corner, 3, &steepest, &best);
        drainage_steeper(c, n[i - 1], least, corner, 5, &steepest, &best);
        drainage_steeper(c, n[i + 1], least, corner, 7, &steepest, &best);
        float old = drainage_towards((int32_t)k, DRAINAGE_AROUND(n, z, s, i));
        bool stays = (k == DRAINAGE_OUTLET) | ((k < DRAINAGE_OUTLET) & (old + least <= c));
        receiver[i] = (uint8_t)(stays ? k : best);
    }
}

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

static void drainage_areas(float *to, const float *const *discharges, const uint8_t *donors,
                           float own, uint32_t width)
{
    const float *restrict n = discharges[0], *restrict q = discharges[1];
    const float *restrict s = discharges[2];
    to[0] = q[0];
    to[width - 1] = q[width - 1];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        uint32_t m = donors[i];
        float sides = (((m & 1) != 0 ? q[i - 1] : 0) + ((m & 16) != 0 ? q[i + 1] : 0)) +
                      (((m & 4) != 0 ? n[i] : 0) + ((m & 64) != 0 ? s[i] : 0));
        float corners = (((m & 2) != 0 ? n[i - 1] : 0) + ((m & 32) != 0 ? s[i + 1] : 0)) +
                        (((m & 8) != 0 ? n[i + 1] : 0) + ((m & 128) != 0 ? s[i - 1] : 0));
        to[i] = own + (sides + corners);
    }
}

const struct drainage_flow_kernels TERRAIN__KERNELS(drainage_flow) = {
    drainage_receivers, drainage_donors, drainage_areas};
