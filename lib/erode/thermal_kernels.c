/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/thermal_kernels.h"

#include <math.h>

#include "terrain/erode.h"
#include "vector/vec.h"

/* Which neighbours count: the neighbourhood is a constant of each specialised loop. */
TERRAIN__INLINE bool thermal_has_straight(uint32_t neighbourhood)
{
    return neighbourhood != TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_ROTATED;
}

TERRAIN__INLINE bool thermal_has_diagonal(uint32_t neighbourhood)
{
    return neighbourhood != TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN;
}

/* A number for each neighbour. */
struct thermal_eight {
    vfloat n, s, e, w, ne, sw, nw, se;
};

/* Sums pairs of opposite neighbours first, so that a mirrored or turned map gives the same sum. */
static inline vfloat thermal_sum(const struct thermal_eight *v, uint32_t neighbourhood)
{
    if (neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN) {
        return (v->n + v->s) + (v->e + v->w);
    }
    if (neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_ROTATED) {
        return (v->ne + v->sw) + (v->nw + v->se);
    }
    return ((v->n + v->s) + (v->e + v->w)) + ((v->ne + v->sw) + (v->nw + v->se));
}

/* ---- Which height difference holds ----------------------------------------------------------- */

/* Infinite towards neighbours outside the map: no difference is larger, so nothing moves. */
static inline struct thermal_eight thermal_limits(const struct thermal_row *row)
{
    const float none = INFINITY;
    struct thermal_eight t;
    t.n = vf_set(row->first ? none : row->straight);
    t.s = vf_set(row->last ? none : row->straight);
    t.e = t.w = vf_set(row->straight);
    t.ne = t.nw = vf_set(row->first ? none : row->diagonal);
    t.se = t.sw = vf_set(row->last ? none : row->diagonal);
    return t;
}

/* What thermal_limits does, where the compiler knows whether the row is at the map's edge: if it
 * is not, two numbers stay in registers instead of five. */
TERRAIN__INLINE struct thermal_eight thermal_known_limits(const struct thermal_row *row, bool edge)
{
    struct thermal_eight t;
    if (edge) {
        return thermal_limits(row);
    }
    t.n = t.s = t.e = t.w = vf_set(row->straight);
    t.ne = t.nw = t.se = t.sw = vf_set(row->diagonal);
    return t;
}

/* The limits of a vector whose lanes may have neighbours outside the map: one at the start of a
 * row, or one with only `left` cells of the row left. */
static inline struct thermal_eight thermal_rim_limits(struct thermal_eight t, bool start,
                                                      size_t left)
{
    const vfloat none = vf_set(INFINITY);
    vint lane = vi_from_bits(vu_lane());
    vint end = vi_set(left > VEC_LANES ? VEC_LANES + 1 : (int32_t)left);
    vmask has_east = vi_less(lane + vi_set(1), end);
    vmask has_west = vm_and(vi_less(vi_set(start ? 0 : -1), lane), vi_less(lane, end));
    t.e = vf_select(has_east, t.e, none);
    t.ne = vf_select(has_east, t.ne, none);
    t.se = vf_select(has_east, t.se, none);
    t.w = vf_select(has_west, t.w, none);
    t.nw = vf_select(has_west, t.nw, none);
    t.sw = vf_select(has_west, t.sw, none);
    return t;
}

/* ---- Flux ------------------------------------------------------------------------------------ */

/* The part of a height difference beyond what holds: d - clamp(d, -limit, limit). Odd in d to the
 * last bit, so that what leaves one cell enters another. NaN stays NaN. */
static inline vfloat thermal_excess(vfloat neighbour, vfloat centre, vfloat limit)
{
    return vf_excess(neighbour - centre, limit);
}

TERRAIN__INLINE struct thermal_eight thermal_excesses(const struct thermal_row *row, size_t x,
                                                      const struct thermal_eight *limit,
                                                      uint32_t neighbourhood)
{
    const float *north = row->north + x;
    const float *centre = row->centre + x;
    const float *south = row->south + x;
    vfloat h = vf_load(centre);
    struct thermal_eight q = {0};
    if (thermal_has_straight(neighbourhood)) {
        q.n = thermal_excess(vf_load(north), h, limit->n);
        q.s = thermal_excess(vf_load(south), h, limit->s);
        q.e = thermal_excess(vf_load(centre + 1), h, limit->e);
        q.w = thermal_excess(vf_load(centre - 1), h, limit->w);
    }
    if (thermal_has_diagonal(neighbourhood)) {
        q.ne = thermal_excess(vf_load(north + 1), h, limit->ne);
        q.sw = thermal_excess(vf_load(south - 1), h, limit->sw);
        q.nw = thermal_excess(vf_load(north - 1), h, limit->nw);
        q.se = thermal_excess(vf_load(south + 1), h, limit->se);
    }
    return q;
}

TERRAIN__INLINE struct thermal_eight thermal_cut(struct thermal_eight q, vfloat most)
{
    q.n = vf_min(most, vf_max(-most, q.n));
    q.s = vf_min(most, vf_max(-most, q.s));
    q.e = vf_min(most, vf_max(-most, q.e));
    q.w = vf_min(most, vf_max(-most, q.w));
    q.ne = vf_min(most, vf_max(-most, q.ne));
    q.sw = vf_min(most, vf_max(-most, q.sw));
    q.nw = vf_min(most, vf_max(-most, q.nw));
    q.se = vf_min(most, vf_max(-most, q.se));
    return q;
}

/* The heights of a vector of cells after an iteration; excesses are clamped to `most` unless it is
 * NULL. */
TERRAIN__INLINE vfloat thermal_flux_at(const struct thermal_row *row, size_t x,
                                       const struct thermal_eight *limit, vfloat rate,
                                       const vfloat *most, uint32_t neighbourhood)
{
    struct thermal_eight q = thermal_excesses(row, x, limit, neighbourhood);
    if (most != NULL) {
        q = thermal_cut(q, *most);
    }
    return vf_load(row->centre + x) + rate * thermal_sum(&q, neighbourhood);
}

TERRAIN__INLINE void thermal_flux_row(float *out, const struct thermal_row *given, float rate,
                                      const vfloat *most, uint32_t neighbourhood, bool edge)
{
    const struct thermal_row row = *given; /* a copy that no store can change */
    const struct thermal_eight inner = thermal_known_limits(&row, edge);
    const vfloat k = vf_set(rate);
    const size_t width = row.width;
    struct thermal_eight rim = thermal_rim_limits(inner, true, width);
    size_t x = VEC_LANES;
    vf_store_filled(out, thermal_flux_at(&row, 0, &rim, k, most, neighbourhood), width, 0);
    for (; x + VEC_LANES < width; x += VEC_LANES) {
        vf_store(out + x, thermal_flux_at(&row, x, &inner, k, most, neighbourhood));
    }
    if (x < width) {
        rim = thermal_rim_limits(inner, false, width - x);
        vf_store_filled(out + x, thermal_flux_at(&row, x, &rim, k, most, neighbourhood), width - x,
                        0);
    }
}

TERRAIN__INLINE void thermal_flux(float *out, const struct thermal_row *row, float rate,
                                  const vfloat *most, uint32_t neighbourhood)
{
    if (row->first || row->last) {
        thermal_flux_row(out, row, rate, most, neighbourhood, true);
    } else {
        thermal_flux_row(out, row, rate, most, neighbourhood, false);
    }
}

/* ---- Layers ---------------------------------------------------------------------------------- */

/* How far rock stands out over a neighbour's surface, beyond what holds. NaN counts as 0. */
static inline vfloat thermal_exposed(vfloat rock, vfloat neighbour, vfloat limit)
{
    return vf_max((rock - neighbour) - limit, vf_set(0));
}

TERRAIN__INLINE vfloat thermal_weathered_at(const struct thermal_layers *row, size_t x,
                                            const struct thermal_eight *limit,
                                            uint32_t neighbourhood)
{
    const float *north = row->rock.north + x;
    const float *centre = row->rock.centre + x;
    const float *south = row->rock.south + x;
    vfloat rock = vf_load(centre) - vf_load(row->debris.centre + x);
    struct thermal_eight q = {0};
    if (thermal_has_straight(neighbourhood)) {
        q.n = thermal_exposed(rock, vf_load(north), limit->n);
        q.s = thermal_exposed(rock, vf_load(south), limit->s);
        q.e = thermal_exposed(rock, vf_load(centre + 1), limit->e);
        q.w = thermal_exposed(rock, vf_load(centre - 1), limit->w);
    }
    if (thermal_has_diagonal(neighbourhood)) {
        q.ne = thermal_exposed(rock, vf_load(north + 1), limit->ne);
        q.sw = thermal_exposed(rock, vf_load(south - 1), limit->sw);
        q.nw = thermal_exposed(rock, vf_load(north - 1), limit->nw);
        q.se = thermal_exposed(rock, vf_load(south + 1), limit->se);
    }
    return vf_load(row->softness + x) * thermal_sum(&q, neighbourhood);
}

/* The debris that comes from a neighbour, negative if it goes there: no more than there is. It
 * changes only its sign when the cells change places. */
static inline vfloat thermal_slid(vfloat excess, vfloat rate, vfloat theirs, vfloat own)
{
    return vf_max(-own, vf_min(theirs, rate * excess));
}

TERRAIN__INLINE vfloat thermal_slid_at(const struct thermal_layers *row, size_t x,
                                       const struct thermal_eight *limit, vfloat rate,
                                       uint32_t neighbourhood)
{
    const float *north = row->debris.north + x;
    const float *centre = row->debris.centre + x;
    const float *south = row->debris.south + x;
    vfloat own = vf_load(centre);
    struct thermal_eight q = thermal_excesses(&row->rock, x, limit, neighbourhood);
    if (thermal_has_straight(neighbourhood)) {
        q.n = thermal_slid(q.n, rate, vf_load(north), own);
        q.s = thermal_slid(q.s, rate, vf_load(south), own);
        q.e = thermal_slid(q.e, rate, vf_load(centre + 1), own);
        q.w = thermal_slid(q.w, rate, vf_load(centre - 1), own);
    }
    if (thermal_has_diagonal(neighbourhood)) {
        q.ne = thermal_slid(q.ne, rate, vf_load(north + 1), own);
        q.sw = thermal_slid(q.sw, rate, vf_load(south - 1), own);
        q.nw = thermal_slid(q.nw, rate, vf_load(north - 1), own);
        q.se = thermal_slid(q.se, rate, vf_load(south + 1), own);
    }
    return thermal_sum(&q, neighbourhood);
}

/* The limits of rock and of debris, and the two rates. */
struct thermal_slopes {
    struct thermal_eight rock, debris;
    vfloat rate, part;
};

/* Makes a vector of cells; `left` cells of the row are left. */
TERRAIN__INLINE void thermal_slide_at(float *out, float *debris, const struct thermal_layers *row,
                                      size_t x, const struct thermal_slopes *slopes, size_t left,
                                      uint32_t neighbourhood)
{
    vfloat weathered = thermal_weathered_at(row, x, &slopes->rock, neighbourhood);
    vfloat slid = thermal_slid_at(row, x, &slopes->debris, slopes->rate, neighbourhood);
    vfloat moved = slopes->part * slid;
    vf_store_filled(out + x, vf_load(row->rock.centre + x) + moved, left, 0);
    vf_store_filled(debris + x, (vf_load(row->debris.centre + x) + weathered) + moved, left, 0);
}

TERRAIN__INLINE void thermal_slide_row(float *out, float *debris,
                                       const struct thermal_layers *given, float rate,
                                       uint32_t neighbourhood, bool edge)
{
    const struct thermal_layers row = *given; /* a copy that no store can change */
    const float part = neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE ? 0.125f : 0.25f;
    const struct thermal_slopes inner = {thermal_known_limits(&row.rock, edge),
                                         thermal_known_limits(&row.debris, edge), vf_set(rate),
                                         vf_set(part)};
    const size_t width = row.rock.width;
    for (size_t x = 0; x < width; x += VEC_LANES) {
        if (x == 0 || x + VEC_LANES >= width) {
            struct thermal_slopes rim = inner;
            rim.rock = thermal_rim_limits(inner.rock, x == 0, width - x);
            rim.debris = thermal_rim_limits(inner.debris, x == 0, width - x);
            thermal_slide_at(out, debris, &row, x, &rim, width - x, neighbourhood);
        } else {
            thermal_slide_at(out, debris, &row, x, &inner, VEC_LANES, neighbourhood);
        }
    }
}

TERRAIN__INLINE void thermal_slide(float *out, float *debris, const struct thermal_layers *row,
                                   float rate, uint32_t neighbourhood)
{
    if (row->rock.first || row->rock.last) {
        thermal_slide_row(out, debris, row, rate, neighbourhood, true);
    } else {
        thermal_slide_row(out, debris, row, rate, neighbourhood, false);
    }
}

/* ---- Musgrave's rule ------------------------------------------------------------------------- */

struct thermal_gift {
    vfloat most;  /* the largest excess; 0 if there is none */
    vfloat total; /* the sum of the differences that exceed their limits */
};

/* The difference from a receiver, or 0 if it does not exceed the limit; `most` becomes the largest
 * excess so far. Comparisons with NaN are false. */
static inline vfloat thermal_drop(vfloat centre, vfloat neighbour, vfloat limit, vfloat *most)
{
    vfloat d = centre - neighbour;
    *most = vf_max(d - limit, *most);
    return vf_select(vf_less(limit, d), d, vf_set(0));
}

static inline struct thermal_gift thermal_give_at(const struct thermal_row *row, size_t x,
                                                  const struct thermal_eight *limit,
                                                  uint32_t neighbourhood)
{
    const float *north = row->north + x;
    const float *centre = row->centre + x;
    const float *south = row->south + x;
    vfloat h = vf_load(centre);
    struct thermal_gift gift = {vf_set(0), vf_set(0)};
    struct thermal_eight d = {0};
    if (thermal_has_straight(neighbourhood)) {
        d.n = thermal_drop(h, vf_load(north), limit->n, &gift.most);
        d.s = thermal_drop(h, vf_load(south), limit->s, &gift.most);
        d.e = thermal_drop(h, vf_load(centre + 1), limit->e, &gift.most);
        d.w = thermal_drop(h, vf_load(centre - 1), limit->w, &gift.most);
    }
    if (thermal_has_diagonal(neighbourhood)) {
        d.ne = thermal_drop(h, vf_load(north + 1), limit->ne, &gift.most);
        d.sw = thermal_drop(h, vf_load(south - 1), limit->sw, &gift.most);
        d.nw = thermal_drop(h, vf_load(north - 1), limit->nw, &gift.most);
        d.se = thermal_drop(h, vf_load(south + 1), limit->se, &gift.most);
    }
    gift.total = thermal_sum(&d, neighbourhood);
    return gift;
}

static inline void thermal_give(float *loss, float *share, const struct thermal_row *row,
                                float rate, uint32_t neighbourhood)
{
    const struct thermal_eight inner = thermal_limits(row);
    const vfloat c = vf_set(rate);
    const size_t width = row->width;
    for (size_t x = 0; x < width; x += VEC_LANES) {
        bool rim = x == 0 || x + VEC_LANES >= width;
        struct thermal_eight limit = rim ? thermal_rim_limits(inner, x == 0, width - x) : inner;
        struct thermal_gift gift = thermal_give_at(row, x, &limit, neighbourhood);
        vmask gives = vf_less(vf_set(0), gift.most);
        vfloat moved = c * gift.most;
        vf_store_filled(loss + x, moved, width - x, 0);
        vf_store_filled(share + x, vf_select(gives, moved / gift.total, vf_set(0)), width - x, 0);
    }
}

/* The material that one neighbour gives. */
static inline vfloat thermal_gain(vfloat neighbour, vfloat centre, vfloat limit, vfloat share)
{
    vfloat d = neighbour - centre;
    return vf_select(vf_less(limit, d), share * d, vf_set(0));
}

static inline vfloat thermal_take_at(const struct thermal_row *row, const struct thermal_row *share,
                                     const float *loss, size_t x, const struct thermal_eight *limit,
                                     uint32_t neighbourhood)
{
    const float *hn = row->north + x;
    const float *hc = row->centre + x;
    const float *hs = row->south + x;
    const float *sn = share->north + x;
    const float *sc = share->centre + x;
    const float *ss = share->south + x;
    vfloat h = vf_load(hc);
    struct thermal_eight q = {0};
    if (thermal_has_straight(neighbourhood)) {
        q.n = thermal_gain(vf_load(hn), h, limit->n, vf_load(sn));
        q.s = thermal_gain(vf_load(hs), h, limit->s, vf_load(ss));
        q.e = thermal_gain(vf_load(hc + 1), h, limit->e, vf_load(sc + 1));
        q.w = thermal_gain(vf_load(hc - 1), h, limit->w, vf_load(sc - 1));
    }
    if (thermal_has_diagonal(neighbourhood)) {
        q.ne = thermal_gain(vf_load(hn + 1), h, limit->ne, vf_load(sn + 1));
        q.sw = thermal_gain(vf_load(hs - 1), h, limit->sw, vf_load(ss - 1));
        q.nw = thermal_gain(vf_load(hn - 1), h, limit->nw, vf_load(sn - 1));
        q.se = thermal_gain(vf_load(hs + 1), h, limit->se, vf_load(ss + 1));
    }
    return h + (thermal_sum(&q, neighbourhood) - vf_load(loss + x));
}

static inline void thermal_take(float *out, const struct thermal_row *row,
                                const struct thermal_row *share, const float *loss,
                                uint32_t neighbourhood)
{
    const struct thermal_eight inner = thermal_limits(row);
    const size_t width = row->width;
    for (size_t x = 0; x < width; x += VEC_LANES) {
        bool rim = x == 0 || x + VEC_LANES >= width;
        struct thermal_eight limit = rim ? thermal_rim_limits(inner, x == 0, width - x) : inner;
        vfloat h = thermal_take_at(row, share, loss, x, &limit, neighbourhood);
        vf_store_filled(out + x, h, width - x, 0);
    }
}

/* ---- One loop for each neighbourhood --------------------------------------------------------- */

#define THERMAL_LOOPS(name, neighbourhood)                                                         \
    static void thermal_flux_##name(float *out, const struct thermal_row *row, float rate)         \
    {                                                                                              \
        thermal_flux(out, row, rate, NULL, neighbourhood);                                         \
    }                                                                                              \
    static void thermal_quantum_##name(float *out, const struct thermal_row *row, float rate,      \
                                       float most)                                                 \
    {                                                                                              \
        const vfloat cut = vf_set(most);                                                           \
        thermal_flux(out, row, rate, &cut, neighbourhood);                                         \
    }                                                                                              \
    static void thermal_slide_##name(float *out, float *debris, const struct thermal_layers *row,  \
                                     float rate)                                                   \
    {                                                                                              \
        thermal_slide(out, debris, row, rate, neighbourhood);                                      \
    }                                                                                              \
    static void thermal_give_##name(float *loss, float *share, const struct thermal_row *row,      \
                                    float rate)                                                    \
    {                                                                                              \
        thermal_give(loss, share, row, rate, neighbourhood);                                       \
    }                                                                                              \
    static void thermal_take_##name(float *out, const struct thermal_row *row,                     \
                                    const struct thermal_row *share, const float *loss)            \
    {                                                                                              \
        thermal_take(out, row, share, loss, neighbourhood);                                        \
    }

THERMAL_LOOPS(moore, TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE)
THERMAL_LOOPS(von_neumann, TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN)
THERMAL_LOOPS(rotated, TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_ROTATED)

const struct thermal_kernels TERRAIN__KERNELS(thermal) = {
    .flux = {thermal_flux_moore, thermal_flux_von_neumann, thermal_flux_rotated},
    .quantum = {thermal_quantum_moore, thermal_quantum_von_neumann, thermal_quantum_rotated},
    .slide = {thermal_slide_moore, thermal_slide_von_neumann, thermal_slide_rotated},
    .give = {thermal_give_moore, thermal_give_von_neumann, thermal_give_rotated},
    .take = {thermal_take_moore, thermal_take_von_neumann, thermal_take_rotated},
};
