/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "flow/flow_kernels.h"

#include <math.h>
#include <string.h>

#include "flow/flow.h"
#include "vector/power_vec.h"
#include "vector/random_vec.h"

/* ---- Heights -------------------------------------------------------------------------------- */

/* The bits of floats order as integers if those below the sign of negative ones are turned over. */
static void flow_keys(int32_t *keys, const float *heights, uint32_t width)
{
    for (uint32_t x = 0; x < width; x += VEC_LANES) {
        uint32_t left = width - x;
        vfloat h = vf_load_up_to(heights + x, left);
        vint bits = vi_from_bits(vf_bits(h + vf_set(0)));
        vint key = bits ^ ((bits >> 31) & vi_set(INT32_MAX));
        key = vi_select(vf_less_equal(h, h), key, vi_set(INT32_MIN));
        if (left < VEC_LANES) {
            memcpy(keys + x, &key, left * sizeof *keys);
        } else {
            vi_store(keys + x, key);
        }
    }
}

static void flow_ground(float *ground, const float *heights, uint32_t width)
{
    TERRAIN__INDEPENDENT
    for (uint32_t x = 0; x < width; x++) {
        ground[x] = heights[x] == heights[x] ? heights[x] : -INFINITY;
    }
}

/* ---- Receivers ------------------------------------------------------------------------------ */

static inline void flow_lower(vint *least, vint *code, const int32_t *keys, int32_t direction)
{
    vint key = vi_load(keys);
    vmask less = vi_less(key, *least);
    *least = vi_select(less, key, *least);
    *code = vi_select(less, vi_set(direction), *code);
}

/* In the order of rows, each where it is lower than all before it. */
static void flow_lowest(uint8_t *directions, const struct flow_rows *rows)
{
    const int32_t *above = rows->above;
    const int32_t *centre = rows->centre;
    const int32_t *below = rows->below;
    for (uint32_t x = 0; x < rows->width; x += VEC_LANES) {
        vint least = vi_load(above + x - 1);
        vint code = vi_set(TERRAIN__FLOW_NW);
        vmask data = vi_less(vi_set(INT32_MIN), vi_load(centre + x));
        flow_lower(&least, &code, above + x, TERRAIN__FLOW_N);
        flow_lower(&least, &code, above + x + 1, TERRAIN__FLOW_NE);
        flow_lower(&least, &code, centre + x - 1, TERRAIN__FLOW_W);
        flow_lower(&least, &code, centre + x, TERRAIN__FLOW_PIT);
        flow_lower(&least, &code, centre + x + 1, TERRAIN__FLOW_E);
        flow_lower(&least, &code, below + x - 1, TERRAIN__FLOW_SW);
        flow_lower(&least, &code, below + x, TERRAIN__FLOW_S);
        flow_lower(&least, &code, below + x + 1, TERRAIN__FLOW_SE);
        code = vi_select(data, code, vi_set(TERRAIN__FLOW_OUTLET));
        vi_store_bytes_up_to(directions + x, code, rows->width - x);
    }
}

static inline void flow_steeper(vfloat *most, vint *code, vfloat fall, int32_t direction)
{
    vmask more = vf_less(*most, fall);
    *most = vf_select(more, fall, *most);
    *code = vi_select(more, vi_set(direction), *code);
}

/* A difference of infinities is NaN, and never greater. */
static inline vint flow_fall(const struct flow_rows *rows, uint32_t x, vfloat diagonal)
{
    const float *above = (const float *)rows->above + x;
    const float *centre = (const float *)rows->centre + x;
    const float *below = (const float *)rows->below + x;
    vfloat h = vf_load(centre);
    vfloat most = vf_set(0);
    vint code = vi_set(TERRAIN__FLOW_PIT);
    flow_steeper(&most, &code, (h - vf_load(above - 1)) * diagonal, TERRAIN__FLOW_NW);
    flow_steeper(&most, &code, h - vf_load(above), TERRAIN__FLOW_N);
    flow_steeper(&most, &code, (h - vf_load(above + 1)) * diagonal, TERRAIN__FLOW_NE);
    flow_steeper(&most, &code, h - vf_load(centre - 1), TERRAIN__FLOW_W);
    flow_steeper(&most, &code, h - vf_load(centre + 1), TERRAIN__FLOW_E);
    flow_steeper(&most, &code, (h - vf_load(below - 1)) * diagonal, TERRAIN__FLOW_SW);
    flow_steeper(&most, &code, h - vf_load(below), TERRAIN__FLOW_S);
    flow_steeper(&most, &code, (h - vf_load(below + 1)) * diagonal, TERRAIN__FLOW_SE);
    return code;
}

static inline vint flow_mark_outlets(const float *heights, uint32_t left, vint code)
{
    vfloat h = vf_load_up_to(heights, left);
    return vi_select(vf_less_equal(h, h), code, vi_set(TERRAIN__FLOW_OUTLET));
}

static void flow_steepest(uint8_t *directions, const struct flow_rows *rows, float diagonal)
{
    for (uint32_t x = 0; x < rows->width; x += VEC_LANES) {
        vint code = flow_fall(rows, x, vf_set(diagonal));
        code = flow_mark_outlets(rows->heights + x, rows->width - x, code);
        vi_store_bytes_up_to(directions + x, code, rows->width - x);
    }
}

static void flow_dither(float *diagonals, uint64_t column, uint32_t x, uint32_t width)
{
    for (uint32_t i = 0; i < width; i += VEC_LANES) {
        const vuint bits = vu_random_bits(column, vu_set(x + i) + vu_lane());
        const vfloat diagonal = vf_set(1) / (vf_set(2) - vf_unit(bits));
        vf_store_up_to(diagonals + i, diagonal, width - i);
    }
}

static void flow_dithered(uint8_t *directions, const struct flow_rows *rows, const float *diagonals)
{
    for (uint32_t x = 0; x < rows->width; x += VEC_LANES) {
        uint32_t left = rows->width - x;
        vfloat diagonal = vf_load_up_to(diagonals + x, left);
        vint code = flow_mark_outlets(rows->heights + x, left, flow_fall(rows, x, diagonal));
        vi_store_bytes_up_to(directions + x, code, left);
    }
}

/* ---- Basins --------------------------------------------------------------------------------- */

static void flow_borders(uint8_t *bits, const uint32_t *labels, const uint32_t *below,
                         uint32_t width)
{
    below--;
    TERRAIN__INDEPENDENT
    for (size_t x = 0; x < width; x++) {
        uint32_t own = labels[x];
        uint32_t east = labels[x + 1] != own ? 1 : 0;
        uint32_t south_west = below[x] != own ? 2 : 0;
        uint32_t south = below[x + 1] != own ? 4 : 0;
        uint32_t south_east = below[x + 2] != own ? 8 : 0;
        bits[x] = (uint8_t)((east | south_west) | (south | south_east));
    }
}

TERRAIN__INLINE void flow_donors_of(uint8_t *donors, const uint8_t *above, const uint8_t *centre,
                                    const uint8_t *below, size_t width)
{
    above--, centre--, below--;
    TERRAIN__INDEPENDENT
    for (size_t x = 0; x < width; x++) {
        const unsigned east = centre[x + 2] == TERRAIN__FLOW_W ? 1 : 0;
        const unsigned south_east = below[x + 2] == TERRAIN__FLOW_NW ? 2 : 0;
        const unsigned south = below[x + 1] == TERRAIN__FLOW_N ? 4 : 0;
        const unsigned south_west = below[x] == TERRAIN__FLOW_NE ? 8 : 0;
        const unsigned west = centre[x] == TERRAIN__FLOW_E ? 16 : 0;
        const unsigned north_west = above[x] == TERRAIN__FLOW_SE ? 32 : 0;
        const unsigned north = above[x + 1] == TERRAIN__FLOW_S ? 64 : 0;
        const unsigned north_east = above[x + 2] == TERRAIN__FLOW_SW ? 128 : 0;
        donors[x] = (uint8_t)((east | south_east | south | south_west) |
                              (west | north_west | north | north_east));
    }
}

TERRAIN__INLINE void flow_givers_of(uint8_t *counts, const uint8_t *above, const uint8_t *centre,
                                    const uint8_t *below, size_t width)
{
    above--, centre--, below--;
    TERRAIN__INDEPENDENT
    for (size_t x = 0; x < width; x++) {
        const unsigned east = (centre[x + 2] & 16) != 0, west = (centre[x] & 1) != 0;
        const unsigned south_east = (below[x + 2] & 32) != 0, north_west = (above[x] & 2) != 0;
        const unsigned south = (below[x + 1] & 64) != 0, north = (above[x + 1] & 4) != 0;
        const unsigned south_west = (below[x] & 128) != 0, north_east = (above[x + 2] & 8) != 0;
        counts[x] = (uint8_t)((east + south_east) + (south + south_west) + (west + north_west) +
                              (north + north_east));
    }
}

typedef void flow_around_of(uint8_t *found, const uint8_t *above, const uint8_t *centre,
                            const uint8_t *below, size_t width);

/* Rows that are no whole number of vectors end with a short one, which begins where the row has 16
 * cells left. */
TERRAIN__INLINE void flow_around(uint8_t *found, const uint8_t *above, const uint8_t *centre,
                                 const uint8_t *below, uint32_t width, flow_around_of *of)
{
    enum { LONG = 64, SHORT = 16 };
    size_t x = 0;
    for (; x + LONG <= width; x += LONG) {
        of(found + x, above + x, centre + x, below + x, LONG);
    }
    for (; x + SHORT <= width; x += SHORT) {
        of(found + x, above + x, centre + x, below + x, SHORT);
    }
    if (x < width && width >= SHORT) {
        x = width - SHORT;
        of(found + x, above + x, centre + x, below + x, SHORT);
    } else {
        of(found + x, above + x, centre + x, below + x, width - x);
    }
}

static void flow_donors(uint8_t *donors, const uint8_t *above, const uint8_t *centre,
                        const uint8_t *below, uint32_t width)
{
    flow_around(donors, above, centre, below, width, flow_donors_of);
}

static void flow_givers(uint8_t *counts, const uint8_t *above, const uint8_t *centre,
                        const uint8_t *below, uint32_t width)
{
    flow_around(counts, above, centre, below, width, flow_givers_of);
}

/* All eight are written, and the next cell's donors over those that are none: no branch has to be
 * guessed. */
TERRAIN__INLINE size_t flow_grow_half(const struct flow_tree *tree, const struct flow_half *half,
                                      const uint8_t *donors, const struct flow_fans *fans,
                                      bool down)
{
    uint32_t *cells = tree->cells, *parents = tree->parents;
    uint8_t *ways = tree->ways;
    const size_t one = down ? SIZE_MAX : 1; /* minus 1 */
    size_t end = half->first + one * half->roots;
    for (size_t place = half->first; place != end; place += one) {
        const uint32_t cell = cells[place];
        const uint8_t set = donors[cell];
        const int32_t *steps = fans->steps[down][set];
        const size_t to = down ? end - 7 : end;
        if (VEC_LANES <= 8) { /* by way of an array the compiler would go through memory */
            for (int k = 0; k < 8; k += VEC_LANES) {
                const vint fan = vi_load(steps + k) + vi_set((int32_t)cell);
                vi_store((int32_t *)(void *)(cells + to + k), fan);
                vi_store((int32_t *)(void *)(parents + to + k), vi_set((int32_t)place));
            }
        } else {
            uint32_t fan[8], parent[8];
            memcpy(fan, steps, sizeof fan);
            for (int k = 0; k < 8; k++) {
                fan[k] += cell;
                parent[k] = (uint32_t)place;
            }
            memcpy(cells + to, fan, sizeof fan);
            memcpy(parents + to, parent, sizeof parent);
        }
        memcpy(ways + to, fans->ways[down][set], sizeof fans->ways[down][set]);
        end += one * fans->counts[set];
    }
    return down ? half->first - end : end - half->first;
}

static size_t flow_grow(const struct flow_tree *tree, const struct flow_half *half,
                        const uint8_t *donors, const struct flow_fans *fans)
{
    return half->step < 0 ? flow_grow_half(tree, half, donors, fans, true)
                          : flow_grow_half(tree, half, donors, fans, false);
}

static void flow_store_parts(int32_t *parts, const vint part[8], uint32_t left)
{
    vfloat quads[2][4];
    float all[8 * VEC_LANES];
    float *to = left < VEC_LANES ? all : (float *)(void *)parts;
    for (int k = 0; k < 8; k++) {
        quads[k / 4][k % 4] = vf_from_bits(vu_from_bits(part[k]));
    }
    vf_store_quads(to, 8, quads[0]);
    vf_store_quads(to + 4, 8, quads[1]);
    if (left < VEC_LANES) {
        memcpy(parts, all, (size_t)left * 8 * sizeof *parts);
    }
}

static void flow_part(int32_t *parts, const struct flow_rows *rows, float exponent)
{
    const vfloat diagonal = vf_set(TERRAIN__FLOW_DIAGONAL);
    for (uint32_t x = 0; x < rows->width; x += VEC_LANES) {
        const float *above = (const float *)rows->above + x;
        const float *centre = (const float *)rows->centre + x;
        const float *below = (const float *)rows->below + x;
        const vfloat h = vf_load(centre);
        vfloat slopes[8] = {h - vf_load(centre + 1), (h - vf_load(below + 1)) * diagonal,
                            h - vf_load(below),      (h - vf_load(below - 1)) * diagonal,
                            h - vf_load(centre - 1), (h - vf_load(above - 1)) * diagonal,
                            h - vf_load(above),      (h - vf_load(above + 1)) * diagonal};
        vfloat most = vf_set(0), sum, unit;
        vint part[8];
        vmask flows;
        for (int k = 0; k < 8; k++) {
            most = vf_max(slopes[k], most);
        }
        flows = vm_and(vf_less(vf_set(0), most), vf_less(most, vf_set(1e18f)));
        for (int k = 0; k < 8; k++) {
            const vfloat ratio = slopes[k] / most;
            const vmask falls = vm_and(flows, vf_less(vf_set(0x1p-100f), ratio));
            const vfloat power = vf_set(exponent) * vf_log2(vf_select(falls, ratio, vf_set(1)));
            const vmask some = vm_and(falls, vf_less_equal(vf_set(-120), power));
            const vfloat share = vf_exp2(vf_select(some, power, vf_set(0)));
            slopes[k] = vf_select(some, share, vf_set(0));
        }
        sum = ((slopes[6] + slopes[2]) + (slopes[0] + slopes[4])) +
              ((slopes[7] + slopes[3]) + (slopes[5] + slopes[1]));
        /* Less than 2^24: rounded, the parts must not be more than all. */
        unit = vf_set(0x1p24f - 8) / vf_select(flows, sum, vf_set(1));
        for (int k = 0; k < 8; k++) {
            part[k] = vi_from_float(slopes[k] * unit);
        }
        flow_store_parts(parts + (size_t)x * 8, part, rows->width - x);
    }
}

static void flow_raise(float *target, const float *heights, const uint32_t *labels,
                       const float *levels, uint32_t width)
{
    TERRAIN__INDEPENDENT
    for (uint32_t x = 0; x < width; x++) {
        float level = levels[labels[x] & TERRAIN__FLOW_BASIN];
        float h = heights[x];
        target[x] = h < level ? level : h;
    }
}

const struct flow_kernels TERRAIN__KERNELS(flow) = {
    .keys = flow_keys,
    .ground = flow_ground,
    .lowest = flow_lowest,
    .steepest = flow_steepest,
    .dither = flow_dither,
    .dithered = flow_dithered,
    .borders = flow_borders,
    .donors = flow_donors,
    .givers = flow_givers,
    .grow = flow_grow,
    .part = flow_part,
    .raise = flow_raise,
};
