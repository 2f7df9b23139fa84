/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What shapes the slopes of generate_drainage: each step lowers cells, and leaves every cell of
 * land with a neighbour that is lower by `least` (in floats: neighbour + least <= cell).
 *
 *   costs    how far the land falls over a cell: the slope of drainage_law times the cell
 *   relax    one step of an upwind eikonal solver. With A, B the lower ones of two opposite
 *            neighbours each, m the lowest of all and cost c,
 *                v = min(m + c, (A + B) / 2 + c / sqrt 2 - (sqrt 2 - 1) / 2 (A - B)^2 / c)
 *            for the four at sides, and with c sqrt 2 for the four at corners; a cell becomes
 *            min(itself, max(v, m + least)). A pinned one falls no deeper than its receiver +
 *            least.
 *   flood    rivers' heights spread sideways at a small rise
 *   raise    hollows towards the mean of 3 by 3, no higher than `least` below the lowest donor
 *   wear     crests towards the mean of 3 by 3, no deeper than `least` above the receiver, so that
 *            the order along every river stays as it is
 *
 * The root of the solver's exact step, sqrt(2 c^2 - (A - B)^2), is replaced by the parabola that
 * agrees with it at A = B and |A - B| = c. */

#include "base/math.h"
#include "generate/drainage_kernels.h"

#include "generate/drainage_vec.h"
#include "vector/random.h"

static void drainage_noise(float *noise, uint64_t row, int64_t x, uint32_t count)
{
    for (uint32_t i = 0; i < count;) {
        uint64_t column = terrain__random_column(row, x + i);
        uint32_t first = (uint32_t)(x + i);
        uint64_t run = (UINT64_C(1) << 32) - first;
        uint32_t cells = run < count - i ? (uint32_t)run : count - i;
        float *to = noise + i;
        TERRAIN__INDEPENDENT
        for (uint32_t k = 0; k < cells; k++) {
            to[k] = terrain__signed_float(terrain__random_bits(column, first + k));
        }
        i += cells;
    }
}

/* ---- Costs ----------------------------------------------------------------------------------- */

/* |2 t - 1| of t's fraction: a triangle between 0 and 1. */
static inline float drainage_triangle(float t)
{
    float x = 2 * (t - drainage_floor(t)) - 1;
    return x < 0 ? -x : x;
}

/* Hard and soft layers, 0 to 1, by two triangles whose periods are as 1 to 0.382. */
static inline float drainage_layers(float h)
{
    float mix = 0.65F * drainage_triangle(h) + 0.35F * drainage_triangle(0.381966F * h + 0.3F);
    float g = drainage_within((mix - 0.28F) * 2.27F, 0, 1);
    return g * g * (3 - 2 * g);
}

/* How far water of discharge q follows the layers: 1 of a brook, towards 0 of a river that cuts
 * through all alike. */
static inline float drainage_layered(const struct drainage_law *law, float q)
{
    return 1 / (1 + q * law->inverse_strata_area);
}

/* uplift, hardness: log2. */
static inline float drainage_slope(const struct drainage_law *law, float uplift, float hardness,
                                   float strata, float z, float q)
{
    float layer = drainage_layers((z - strata) * law->inverse_thickness) - 0.5F;
    float rock = hardness + law->strata * layer * drainage_layered(law, q);
    float flow = drainage_log2(q + law->channel_area);
    float s = drainage_exp2(drainage_within(uplift + rock - law->concavity * flow, -40, 40));
    float t = drainage_exp2(drainage_within(law->log2_talus + 0.7F * rock - 0.2F * flow, -40, 40));
    float slope = s * t / terrain__sqrtf(s * s + t * t);
    float crest = drainage_min(0.35F + 0.65F * q * law->inverse_crest, 1);
    return drainage_max(slope * crest, law->least);
}

/* Costs where no river is yet: of the children that refining makes. */
static void drainage_leaf_costs(const struct drainage_slope_row *row,
                                const struct drainage_law *given, uint32_t count)
{
    const struct drainage_law law = *given;
    const float *restrict uplift = row->fields.uplift, *restrict hardness = row->fields.hardness;
    const float *restrict strata = row->fields.strata, *restrict noise = row->noise;
    const float *restrict here = row->here, *restrict discharge = row->discharge;
    const float cell = row->cell;
    float *restrict cost = row->cost;
    for (uint32_t i = 0; i < count; i++) {
        float rock = hardness[i] + law.grain * noise[i];
        cost[i] = cell * drainage_slope(&law, uplift[i], rock, strata[i], here[i], discharge[i]);
    }
}

static void drainage_costs(const struct drainage_slope_row *row, const struct drainage_law *given,
                           uint32_t count)
{
    count = drainage_whole(count);
    if (row->receiver == NULL) {
        drainage_leaf_costs(row, given, count);
        return;
    }
    const struct drainage_law law = *given;
    const float *restrict uplift = row->fields.uplift, *restrict hardness = row->fields.hardness;
    const float *restrict strata = row->fields.strata, *restrict noise = row->noise;
    const float *restrict here = row->here;
    const float *restrict discharge = row->discharge;
    const uint8_t *restrict keep = row->keep, *restrict receiver = row->receiver;
    const uint8_t *restrict traits = row->traits;
    const float cell = row->cell, stand = row->stand;
    float *restrict cost = row->cost;
    float *restrict cap = row->cap;
    for (uint32_t i = 0; i < count; i++) {
        int32_t k = keep[i], plain = traits[i] & DRAINAGE_PLAIN, r = receiver[i];
        float z = drainage_min(here[i], 1e6F);
        float q = discharge[i];
        float factor = plain != 0 ? 0.25F : 1.0F;
        factor = k < DRAINAGE_OUTLET ? stand : factor;
        q = k < DRAINAGE_OUTLET ? 1.0F : q;
        float slope =
            drainage_slope(&law, uplift[i], hardness[i] + law.grain * noise[i], strata[i], z, q);
        float fall = drainage_max(factor * slope, law.least) * cell;
        cost[i] = r == DRAINAGE_OUTLET ? 1e9F : fall;
    }
    if (cap != NULL) {
        for (uint32_t i = 0; i < count; i++) {
            float river = 1 - drainage_layered(&law, discharge[i]);
            cap[i] = law.plateau + strata[i] + law.plateau_rise * river;
        }
    }
}

/* ---- Relaxation ------------------------------------------------------------------------------ */

/* The parabola for one pair of axes; c is the cost of a step along one of them. */
static inline float drainage_upwind(float a, float b, float c, float curve)
{
    float between = a - b;
    between = between < 0 ? -between : between;
    between = between < c ? between : c;
    return (a + b) * 0.5F + 0.70710678F * c - between * between * curve;
}

TERRAIN__INLINE void drainage_relax_cells(const struct drainage_relax_row *row, uint32_t width,
                                          bool capped, bool held)
{
    const float *restrict n = row->above, *restrict z = row->here, *restrict s = row->below;
    const float *restrict cost = row->cost, *restrict cap = row->cap;
    const uint8_t *restrict keep = row->keep;
    float *restrict to = row->to;
    const float least = row->least, cap_slope = row->cap_slope;
    to[0] = z[0];
    to[width - 1] = z[width - 1];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        float east = z[i + 1], west = z[i - 1], north = n[i], south = s[i];
        float south_east = s[i + 1], south_west = s[i - 1];
        float north_west = n[i - 1], north_east = n[i + 1];
        float c = cost[i];
        float corner = c * 1.41421356F;
        float a = drainage_min(west, east);
        float b = drainage_min(north, south);
        float d = drainage_min(north_west, south_east);
        float e = drainage_min(north_east, south_west);
        float side_low = drainage_min(a, b);
        float corner_low = drainage_min(d, e);
        float low = drainage_min(side_low, corner_low);
        float curve = 0.20710678F / c;
        float v = drainage_min(side_low + c, corner_low + corner);
        v = drainage_min(v, drainage_upwind(a, b, c, curve));
        v = drainage_min(v, drainage_upwind(d, e, corner, curve * 0.70710678F));
        if (capped) {
            float rim = drainage_max(cap[i], low);
            v = drainage_min(v, rim + (v - rim) * cap_slope);
        }
        float floor = low;
        if (held) {
            /* A kept cell's receiver in place of the lowest neighbour. */
            int32_t k = keep[i];
            float receiver = drainage_towards(k, east, south_east, south, south_west, west,
                                              north_west, north, north_east);
            floor = k < DRAINAGE_OUTLET ? receiver : low;
        }
        v = drainage_max(v, floor + least);
        to[i] = drainage_min(z[i], v);
    }
}

static void drainage_relax(const struct drainage_relax_row *row, uint32_t width)
{
    if (row->cap != NULL) {
        drainage_relax_cells(row, width, true, row->keep != NULL);
    } else if (row->keep != NULL) {
        drainage_relax_cells(row, width, false, true);
    } else {
        drainage_relax_cells(row, width, false, false);
    }
}

/* ---- Floodplains ----------------------------------------------------------------------------- */

/* Width grows with the power 0.4 of discharge, up to 4 times the width at `area`. */
static void drainage_reach(float *reach, const float *discharge, const uint8_t *receiver,
                           float width, float area, float inverse_cell, uint32_t count)
{
    const float inverse_area = 1 / area;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float q = discharge[i] * inverse_area;
        float wide = width * drainage_exp2(0.4F * drainage_log2(drainage_within(q, 1, 32)));
        wide = q > 1 ? wide * inverse_cell : -1;
        reach[i] = receiver[i] == DRAINAGE_OUTLET ? -1 : wide;
    }
}

/* From a neighbour whose flood still reaches `left` cells beyond it. */
static inline void drainage_flood_from(float z, float left, float length, float step, float *low,
                                       float *most)
{
    float rest = left - length;
    float v = rest >= 0 ? z + step * length : 1e30F;
    *low = drainage_min(*low, v);
    *most = drainage_max(*most, rest);
}

static void drainage_flood(const struct drainage_flood_row *row, uint32_t width)
{
    const float *restrict n = row->height[0], *restrict z = row->height[1];
    const float *restrict s = row->height[2];
    const float *restrict rn = row->reach[0], *restrict r = row->reach[1];
    const float *restrict rs = row->reach[2];
    const uint8_t *restrict keep = row->keep;
    float *restrict to = row->to;
    float *restrict reach = row->reach_to;
    const float step = row->step, far = 1.41421356F;
    to[0] = z[0];
    to[width - 1] = z[width - 1];
    reach[0] = reach[width - 1] = -1;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        float low = z[i], most = r[i];
        drainage_flood_from(z[i + 1], r[i + 1], 1, step, &low, &most);
        drainage_flood_from(z[i - 1], r[i - 1], 1, step, &low, &most);
        drainage_flood_from(n[i], rn[i], 1, step, &low, &most);
        drainage_flood_from(s[i], rs[i], 1, step, &low, &most);
        drainage_flood_from(n[i + 1], rn[i + 1], far, step, &low, &most);
        drainage_flood_from(n[i - 1], rn[i - 1], far, step, &low, &most);
        drainage_flood_from(s[i + 1], rs[i + 1], far, step, &low, &most);
        drainage_flood_from(s[i - 1], rs[i - 1], far, step, &low, &most);
        bool free = keep[i] == DRAINAGE_FREE;
        to[i] = free ? low : z[i];
        reach[i] = free ? most : r[i];
    }
}

/* ---- Smoothing ------------------------------------------------------------------------------- */

/* How far the mean of 3 by 3, where sides count double, lies above the cell in the middle. */
static inline float drainage_above(const float *n, const float *z, const float *s, uint32_t i)
{
    float sides = (n[i] + s[i]) + (z[i + 1] + z[i - 1]);
    float corners = (n[i + 1] + s[i - 1]) + (n[i - 1] + s[i + 1]);
    return (2 * sides + corners) * (1 / 12.0F) - z[i];
}

static inline float drainage_donor(float z, uint32_t donors, uint32_t direction)
{
    return (donors >> direction & 1) != 0 ? z : 1e30F;
}

static void drainage_raise(const struct drainage_smooth_row *row, uint32_t width)
{
    const float *restrict n = row->above, *restrict z = row->here, *restrict s = row->below;
    const uint8_t *restrict receivers = row->receiver, *restrict donors = row->donors;
    float *restrict to = row->to;
    const float least = row->least, rate = row->rate;
    to[0] = z[0];
    to[width - 1] = z[width - 1];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        uint32_t m = donors[i];
        float a = drainage_min(drainage_donor(z[i - 1], m, 0), drainage_donor(n[i - 1], m, 1));
        float b = drainage_min(drainage_donor(n[i], m, 2), drainage_donor(n[i + 1], m, 3));
        float c = drainage_min(drainage_donor(z[i + 1], m, 4), drainage_donor(s[i + 1], m, 5));
        float d = drainage_min(drainage_donor(s[i], m, 6), drainage_donor(s[i - 1], m, 7));
        float donor = drainage_min(drainage_min(a, b), drainage_min(c, d));
        float v = drainage_min(z[i] + rate * drainage_above(n, z, s, i), donor - least);
        to[i] = receivers[i] == DRAINAGE_OUTLET ? z[i] : drainage_max(z[i], v);
    }
}

static void drainage_wear(const struct drainage_smooth_row *row, uint32_t width)
{
    const float *restrict n = row->above, *restrict z = row->here, *restrict s = row->below;
    const uint8_t *restrict receivers = row->receiver;
    float *restrict to = row->to;
    const float least = row->least, rate = row->rate;
    to[0] = z[0];
    to[width - 1] = z[width - 1];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 1; i < width - 1; i++) {
        int32_t r = receivers[i];
        float receiver = drainage_towards(r, DRAINAGE_AROUND(n, z, s, i));
        float v = drainage_max(z[i] + rate * drainage_above(n, z, s, i), receiver + least);
        to[i] = r == DRAINAGE_OUTLET ? z[i] : drainage_min(z[i], v);
    }
}

/* ---- Beds ------------------------------------------------------------------------------------ */

/* Rivers are one cell wide, however much they carry: the largest would be trenches if their depth
 * went on growing. */
static void drainage_bed(float *bed, const float *heights, const float *discharge, float depth,
                         float area, uint32_t count)
{
    const float inverse_area = 1 / area;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float q = drainage_within(discharge[i] * inverse_area, 1, 100);
        float deep = depth * drainage_exp2(0.3F * drainage_log2(q));
        bed[i] = heights[i] - (discharge[i] > area ? deep : 0);
    }
}

const struct drainage_relax_kernels TERRAIN__KERNELS(drainage_relax) = {
    drainage_noise, drainage_costs, drainage_relax, drainage_reach,
    drainage_flood, drainage_raise, drainage_wear,  drainage_bed};
