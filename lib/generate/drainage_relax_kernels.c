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

#include "generate/drainage_kernels.h"

#include "generate/drainage_vec.h"

static void drainage_noise(float *noise, uint64_t row, int64_t x, uint32_t count)
{
    drainage_hash_row(noise, row, x, count, true);
}

/* ---- Costs ----------------------------------------------------------------------------------- */

/* |2 t - 1| of t's fraction: a triangle between 0 and 1. */
static inline vfloat drainage_triangle(vfloat t)
{
    return vf_abs(vf_set(2) * (t - vf_floor_loose(t)) - vf_set(1));
}

/* Hard and soft layers, 0 to 1, by two triangles whose periods are as 1 to 0.382. */
static inline vfloat drainage_layers(vfloat h)
{
    const vfloat slow = drainage_triangle(vf_set(0.381966F) * h + vf_set(0.3F));
    const vfloat mix = vf_set(0.65F) * drainage_triangle(h) + vf_set(0.35F) * slow;
    const vfloat g = drainage_within((mix - vf_set(0.28F)) * vf_set(2.27F), 0, 1);
    return g * g * (vf_set(3) - vf_set(2) * g);
}

/* How far water of discharge q follows the layers: 1 of a brook, towards 0 of a river that cuts
 * through all alike. */
static inline vfloat drainage_layered(const struct drainage_law *law, vfloat q)
{
    return vf_set(1) / (vf_set(1) + q * vf_set(law->inverse_strata_area));
}

/* uplift, hardness: log2. */
static inline vfloat drainage_slope(const struct drainage_law *law, vfloat uplift, vfloat hardness,
                                    vfloat strata, vfloat z, vfloat q)
{
    const vfloat layer = drainage_layers((z - strata) * vf_set(law->inverse_thickness));
    const vfloat rock =
        hardness + vf_set(law->strata) * (layer - vf_set(0.5F)) * drainage_layered(law, q);
    const vfloat flow = drainage_log2(q + vf_set(law->channel_area));
    const vfloat fluvial = uplift + rock - vf_set(law->concavity) * flow;
    const vfloat steepest = vf_set(law->log2_talus) + vf_set(0.7F) * rock - vf_set(0.2F) * flow;
    const vfloat s = drainage_exp2(drainage_within(fluvial, -40, 40));
    const vfloat t = drainage_exp2(drainage_within(steepest, -40, 40));
    const vfloat slope = s * t / vf_sqrt(s * s + t * t);
    const vfloat crest = vf_set(0.35F) + vf_set(0.65F) * q * vf_set(law->inverse_crest);
    return vf_max(slope * vf_min(crest, vf_set(1)), vf_set(law->least));
}

/* The slope of the cells from column i on, at height z and discharge q. */
static inline vfloat drainage_slope_at(const struct drainage_slope_row *row,
                                       const struct drainage_law *law, uint32_t i, vfloat z,
                                       vfloat q)
{
    const vfloat grain = vf_set(law->grain) * vf_load(row->noise + i);
    return drainage_slope(law, vf_load(row->fields.uplift + i),
                          vf_load(row->fields.hardness + i) + grain,
                          vf_load(row->fields.strata + i), z, q);
}

/* Costs where no river is yet: of the children that refining makes. */
static void drainage_leaf_costs(const struct drainage_slope_row *row,
                                const struct drainage_law *law, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vfloat q = vf_load(row->discharge + i);
        const vfloat slope = drainage_slope_at(row, law, i, vf_load(row->here + i), q);
        vf_store(row->cost + i, vf_set(row->cell) * slope);
    }
}

static void drainage_costs(const struct drainage_slope_row *given_row,
                           const struct drainage_law *given_law, uint32_t count)
{
    const struct drainage_slope_row row = *given_row;
    const struct drainage_law law = *given_law;
    if (row.receiver == NULL) {
        drainage_leaf_costs(&row, &law, count);
        return;
    }
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vint plain = vi_load_bytes(row.traits + i) & vi_set(DRAINAGE_PLAIN);
        const vmask kept = vi_less(vi_load_bytes(row.keep + i), vi_set(DRAINAGE_OUTLET));
        const vmask outlet = vi_equal(vi_load_bytes(row.receiver + i), vi_set(DRAINAGE_OUTLET));
        const vfloat z = vf_min(vf_load(row.here + i), vf_set(1e6F));
        const vfloat q = vf_select(kept, vf_set(1), vf_load(row.discharge + i));
        vfloat factor = vf_select(vi_equal(plain, vi_set(0)), vf_set(1), vf_set(0.25F));
        factor = vf_select(kept, vf_set(row.stand), factor);
        const vfloat slope = drainage_slope_at(&row, &law, i, z, q);
        const vfloat fall = vf_max(factor * slope, vf_set(law.least)) * vf_set(row.cell);
        vf_store(row.cost + i, vf_select(outlet, vf_set(1e9F), fall));
    }
    for (uint32_t i = 0; row.cap != NULL && i < count; i += VEC_LANES) {
        const vfloat river = vf_set(1) - drainage_layered(&law, vf_load(row.discharge + i));
        const vfloat plateau = vf_set(law.plateau) + vf_load(row.fields.strata + i);
        vf_store(row.cap + i, plateau + vf_set(law.plateau_rise) * river);
    }
}

/* ---- Relaxation ------------------------------------------------------------------------------ */

/* The parabola for one pair of axes; c is the cost of a step along one of them. */
static inline vfloat drainage_upwind(vfloat a, vfloat b, vfloat c, vfloat curve)
{
    const vfloat between = vf_min(vf_abs(a - b), c);
    return (a + b) * vf_set(0.5F) + vf_set(0.70710678F) * c - between * between * curve;
}

/* capped, held: whether there are row->cap and row->keep, constants, so that no cell asks. */
TERRAIN__INLINE void drainage_relax_cells(const struct drainage_relax_row *given, uint32_t width,
                                          bool capped, bool held)
{
    const struct drainage_relax_row row = *given;
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        const float *n = row.above + i, *z = row.here + i, *s = row.below + i;
        const vfloat east = vf_load(z + 1), west = vf_load(z - 1);
        const vfloat north = vf_load(n), south = vf_load(s);
        const vfloat south_east = vf_load(s + 1), north_west = vf_load(n - 1);
        const vfloat south_west = vf_load(s - 1), north_east = vf_load(n + 1);
        const vfloat cost = vf_load(row.cost + i);
        const vfloat corner = cost * vf_set(1.41421356F);
        const vfloat a = vf_min(west, east), b = vf_min(north, south);
        const vfloat d = vf_min(north_west, south_east), e = vf_min(north_east, south_west);
        const vfloat side_low = vf_min(a, b), corner_low = vf_min(d, e);
        const vfloat low = vf_min(side_low, corner_low);
        const vfloat curve = vf_set(0.20710678F) / cost;
        vfloat v = vf_min(side_low + cost, corner_low + corner);
        v = vf_min(v, drainage_upwind(a, b, cost, curve));
        v = vf_min(v, drainage_upwind(d, e, corner, curve * vf_set(0.70710678F)));
        if (capped) {
            const vfloat rim = vf_max(vf_load(row.cap + i), low);
            v = vf_min(v, rim + (v - rim) * vf_set(row.cap_slope));
        }
        vfloat floor = low;
        if (held) {
            /* A kept cell's receiver in place of the lowest neighbour. */
            const vint kept = vi_load_bytes(row.keep + i);
            const vfloat receiver = drainage_towards(kept, east, south_east, south, south_west,
                                                     west, north_west, north, north_east);
            floor = vf_select(vi_less(kept, vi_set(DRAINAGE_OUTLET)), receiver, low);
        }
        v = vf_max(v, floor + vf_set(row.least));
        vf_store_up_to(row.to + i, vf_min(vf_load(z), v), width - 1 - i);
    }
    row.to[0] = row.here[0];
    row.to[width - 1] = row.here[width - 1];
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
    const vfloat inverse_area = vf_set(1 / area);
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vint outlet = vi_load_bytes(receiver + i);
        const vfloat q = vf_load(discharge + i) * inverse_area;
        const vfloat power = vf_set(0.4F) * drainage_log2(drainage_within(q, 1, 32));
        vfloat cells = vf_set(width) * drainage_exp2(power) * vf_set(inverse_cell);
        cells = vf_select(vf_less(vf_set(1), q), cells, vf_set(-1));
        cells = vf_select(vi_equal(outlet, vi_set(DRAINAGE_OUTLET)), vf_set(-1), cells);
        vf_store_up_to(reach + i, cells, count - i);
    }
}

/* From neighbours whose flood still reaches `left` cells beyond them. */
static inline void drainage_flood_from(const float *z, const float *left, float length, float step,
                                       vfloat *low, vfloat *most)
{
    const vfloat rest = vf_load(left) - vf_set(length);
    const vfloat v = vf_select(vf_less_equal(vf_set(0), rest), vf_load(z) + vf_set(step * length),
                               vf_set(1e30F));
    *low = vf_min(*low, v);
    *most = vf_max(*most, rest);
}

static void drainage_flood(const struct drainage_flood_row *given, uint32_t width)
{
    const struct drainage_flood_row row = *given;
    const float far = 1.41421356F;
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        const float *n = row.height[0] + i, *z = row.height[1] + i, *s = row.height[2] + i;
        const float *rn = row.reach[0] + i, *r = row.reach[1] + i, *rs = row.reach[2] + i;
        const vmask free = vi_equal(vi_load_bytes(row.keep + i), vi_set(DRAINAGE_FREE));
        vfloat low = vf_load(z), most = vf_load(r);
        drainage_flood_from(z + 1, r + 1, 1, row.step, &low, &most);
        drainage_flood_from(z - 1, r - 1, 1, row.step, &low, &most);
        drainage_flood_from(n, rn, 1, row.step, &low, &most);
        drainage_flood_from(s, rs, 1, row.step, &low, &most);
        drainage_flood_from(n + 1, rn + 1, far, row.step, &low, &most);
        drainage_flood_from(n - 1, rn - 1, far, row.step, &low, &most);
        drainage_flood_from(s + 1, rs + 1, far, row.step, &low, &most);
        drainage_flood_from(s - 1, rs - 1, far, row.step, &low, &most);
        vf_store_up_to(row.to + i, vf_select(free, low, vf_load(z)), width - 1 - i);
        vf_store_up_to(row.reach_to + i, vf_select(free, most, vf_load(r)), width - 1 - i);
    }
    row.to[0] = row.height[1][0];
    row.to[width - 1] = row.height[1][width - 1];
    row.reach_to[0] = row.reach_to[width - 1] = -1;
}

/* ---- Smoothing ------------------------------------------------------------------------------- */

/* How far the mean of 3 by 3, where sides count double, lies above the cell in the middle. */
static inline vfloat drainage_above(const float *n, const float *z, const float *s)
{
    const vfloat sides = (vf_load(n) + vf_load(s)) + (vf_load(z + 1) + vf_load(z - 1));
    const vfloat falling = vf_load(n + 1) + vf_load(s - 1);
    const vfloat rising = vf_load(n - 1) + vf_load(s + 1);
    return (vf_set(2) * sides + (falling + rising)) * vf_set(1 / 12.0F) - vf_load(z);
}

static inline vfloat drainage_donor(const float *z, vint donors, int32_t direction)
{
    const vmask none = vi_equal(donors & vi_set(1 << direction), vi_set(0));
    return vf_select(none, vf_set(1e30F), vf_load(z));
}

static void drainage_raise(const struct drainage_smooth_row *given, uint32_t width)
{
    const struct drainage_smooth_row row = *given;
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        const float *n = row.above + i, *z = row.here + i, *s = row.below + i;
        const vint m = vi_load_bytes(row.donors + i);
        const vint receiver = vi_load_bytes(row.receiver + i);
        const vfloat a = vf_min(drainage_donor(z - 1, m, 0), drainage_donor(n - 1, m, 1));
        const vfloat b = vf_min(drainage_donor(n, m, 2), drainage_donor(n + 1, m, 3));
        const vfloat c = vf_min(drainage_donor(z + 1, m, 4), drainage_donor(s + 1, m, 5));
        const vfloat d = vf_min(drainage_donor(s, m, 6), drainage_donor(s - 1, m, 7));
        const vfloat donor = vf_min(vf_min(a, b), vf_min(c, d)), here = vf_load(z);
        vfloat v =
            vf_min(here + vf_set(row.rate) * drainage_above(n, z, s), donor - vf_set(row.least));
        v = vf_select(vi_equal(receiver, vi_set(DRAINAGE_OUTLET)), here, vf_max(here, v));
        vf_store_up_to(row.to + i, v, width - 1 - i);
    }
    row.to[0] = row.here[0];
    row.to[width - 1] = row.here[width - 1];
}

static void drainage_wear(const struct drainage_smooth_row *given, uint32_t width)
{
    const struct drainage_smooth_row row = *given;
    for (uint32_t i = 1; i < width - 1; i += VEC_LANES) {
        const float *n = row.above + i, *z = row.here + i, *s = row.below + i;
        const vint r = vi_load_bytes(row.receiver + i);
        const vfloat receiver = drainage_towards(r, DRAINAGE_AROUND(vf_load, n, z, s, 0));
        const vfloat here = vf_load(z);
        vfloat v =
            vf_max(here + vf_set(row.rate) * drainage_above(n, z, s), receiver + vf_set(row.least));
        v = vf_select(vi_equal(r, vi_set(DRAINAGE_OUTLET)), here, vf_min(here, v));
        vf_store_up_to(row.to + i, v, width - 1 - i);
    }
    row.to[0] = row.here[0];
    row.to[width - 1] = row.here[width - 1];
}

/* ---- Beds ------------------------------------------------------------------------------------ */

/* Rivers are one cell wide, however much they carry: the largest would be trenches if their depth
 * went on growing. */
static void drainage_bed(float *bed, const float *heights, const float *discharge, float depth,
                         float area, uint32_t count)
{
    const vfloat inverse_area = vf_set(1 / area);
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const vfloat q = vf_load(discharge + i);
        const vfloat times = drainage_within(q * inverse_area, 1, 100);
        const vfloat deep = vf_set(depth) * drainage_exp2(vf_set(0.3F) * drainage_log2(times));
        const vfloat under =
            vf_subtract_where(vf_less(vf_set(area), q), vf_load(heights + i), deep);
        vf_store_up_to(bed + i, under, count - i);
    }
}

const struct drainage_relax_kernels TERRAIN__KERNELS(drainage_relax) = {
    drainage_noise, drainage_costs, drainage_relax, drainage_reach,
    drainage_flood, drainage_raise, drainage_wear,  drainage_bed};
