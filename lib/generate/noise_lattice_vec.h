/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Places on a lattice, and the gradients and values of its points, for the kernels of
 * generate_noise. */

#ifndef TERRAIN_GENERATE_NOISE_LATTICE_VEC_H
#define TERRAIN_GENERATE_NOISE_LATTICE_VEC_H

#include "generate/noise_kernels.h"

#include "base/math.h"
#include "terrain/generate.h"
#include "vector/random.h"
#include "vector/random_vec.h"
#include "vector/vec.h"

/* A place on an axis: lattice cell and fraction. On a torus 0 <= cell <= count. */
struct noise_position {
    int64_t cell;
    uint64_t fraction; /* in units of 2^-64 */
};

/* The places of a vector of cells between their lattice points. */
struct noise_places {
    vuint node;     /* index of the point before, counted from the first place's */
    vfloat between; /* 0 at the point before, 1 at the one after */
};

/* ---- Places ---------------------------------------------------------------------------------- */

/* High word of the product. */
static inline uint64_t noise_multiply_high(uint64_t a, uint64_t b)
{
    uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
    uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
    uint64_t other = a0 * b1 + (uint32_t)middle;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

static inline struct noise_position noise_locate(const struct noise_axis *axis, uint64_t origin,
                                                 int64_t cell)
{
    uint64_t c = (uint64_t)(axis->repeat != 0 ? terrain__floor_mod(cell, axis->repeat) : cell);
    uint64_t high = noise_multiply_high(c, axis->step);
    uint64_t low = c * axis->step;
    struct noise_position position;
    if ((int64_t)c < 0) {
        high -= axis->step; /* c is 2^64 more than the cell */
    }
    position.fraction = low + origin;
    position.cell = (int64_t)(high + (position.fraction < low));
    return position;
}

/* The lattice point's number on the torus. */
static inline int64_t noise_wrap(const struct noise_axis *axis, int64_t node)
{
    return axis->count != 0 ? terrain__floor_mod(node, axis->count) : node;
}

/* How many of `most` cells from `cell` on come before the torus starts over. */
static inline uint32_t noise_round(const struct noise_axis *axis, int64_t cell, uint32_t most)
{
    uint32_t left;
    if (axis->repeat == 0) {
        return most;
    }
    left = axis->repeat - (uint32_t)terrain__floor_mod(cell, axis->repeat);
    return left < most ? left : most;
}

/* How many of `most` lattice points from `node` on are hashed together: up to where the torus or
 * the number's low word starts over. */
static inline uint32_t noise_node_run(const struct noise_axis *axis, int64_t node, uint32_t most)
{
    const uint32_t run = terrain__random_run(node, most);
    return axis->count != 0 ? terrain__lesser(run, axis->count - (uint32_t)node) : run;
}

/* 1 where a + b, with or without a carry in, wraps to `sum`, else 0. */
static inline vuint noise_carry(vuint a, vuint b, vuint sum)
{
    return ((a & b) | ((a | b) & ~sum)) >> 31;
}

/* 6 u^5 - 15 u^4 + 10 u^3 around u = 1/2, where nothing cancels: error below 1e-7. */
static inline vfloat noise_fade(vfloat u)
{
    vfloat t = u - vf_set(0.5f);
    vfloat t2 = t * t;
    return vf_set(0.5f) + t * (vf_set(1.875f) + t2 * (t2 * vf_set(6) - vf_set(5)));
}

static inline struct noise_places noise_places_from(const struct noise_axis *axis,
                                                    uint64_t fraction)
{
    vuint low = vu_set((uint32_t)fraction), low_step = vu_load(axis->low);
    vuint high = vu_set((uint32_t)(fraction >> 32)), high_step = vu_load(axis->high);
    vuint low_sum = low + low_step;
    vuint high_sum = high + high_step + noise_carry(low, low_step, low_sum);
    struct noise_places places;
    places.node = vu_load(axis->whole) + noise_carry(high, high_step, high_sum);
    places.between = vf_unit(high_sum);
    return places;
}

/* Moves on by a vector. */
static inline void noise_advance(struct noise_position *position, const struct noise_axis *axis)
{
    uint64_t step = VEC_LANES * axis->step;
    position->fraction += step;
    position->cell += axis->whole[VEC_LANES] + (position->fraction < step);
}

/* Finds where `cells` cells from `cell` on lie: their lattice cells, counted from the first one's,
 * and fractions. On a torus each round starts anew, and overwrites what the last vector of the
 * round before wrote past its end. Returns the first cell's lattice cell. */
static inline int64_t noise_find_places(int32_t *nodes, float *between,
                                        const struct noise_axis *axis, uint64_t origin,
                                        int64_t cell, uint32_t cells)
{
    struct noise_position position = noise_locate(axis, origin, cell);
    int64_t result = position.cell, first = result;
    for (uint32_t begin = 0, end = 0; begin < cells; begin = end) {
        if (begin != 0) {
            first -= axis->count;
            position = noise_locate(axis, origin, 0);
        }
        end = begin + noise_round(axis, cell + begin, cells - begin);
        for (uint32_t i = begin; i < end; i += VEC_LANES) {
            struct noise_places places = noise_places_from(axis, position.fraction);
            vuint node = places.node + vu_set((uint32_t)(position.cell - first));
            vi_store(nodes + i, vi_from_bits(node));
            vf_store(between + i, places.between);
            noise_advance(&position, axis);
        }
    }
    return result;
}

/* Where the world's column 0 lies in a lattice row. */
static inline uint64_t noise_row_origin(const struct noise_plan *plan,
                                        const struct noise_octave *octave, int64_t row)
{
    if (plan->staggered) {
        return terrain__random_row(octave->shifts, row);
    }
    /* Every other row of triangles is shifted by half an edge. */
    return octave->x.origin +
           (plan->basis == TERRAIN_GENERATE_NOISE_BASIS_SIMPLEX ? (uint64_t)row << 63 : 0);
}

/* ---- Lattice points -------------------------------------------------------------------------- */

/* The direction 2 pi k / 2^20, k the hash's upper 20 bits, as a number of quarter turns plus at
 * most an eighth of a turn. The polynomials are the minimax ones of sin and cos(pi/2 t) for |t| <=
 * 1/2, with errors below 3e-9 and 3e-8. t is made of bits: 18 bits of the hash become the mantissa
 * of a float in [1, 2), from which 1.5 is subtracted. */
static inline void noise_direction(vuint bits, vfloat *x, vfloat *y)
{
    vuint quarter = bits + vu_set(UINT32_C(1) << 29); /* in its upper two bits */
    vmask odd = vi_less(vi_from_bits(quarter << 1), vi_set(0));
    vuint rest = (bits >> 7 & vu_set(UINT32_C(0x007FFFE0))) ^ vu_set(UINT32_C(0x3FC00000));
    vfloat t = vf_from_bits(rest) - vf_set(1.5f);
    vfloat t2 = t * t;
    vfloat sine = t * (vf_set(1.57079632f) +
                       t2 * (vf_set(-0.645963479f) +
                             t2 * (vf_set(0.0796802281f) + t2 * vf_set(-0.00460217699f))));
    vfloat cosine =
        vf_set(0.999999972f) +
        t2 * (vf_set(-1.23369701f) + t2 * (vf_set(0.253598644f) + t2 * vf_set(-0.0204083525f)));
    *x = vf_flip_sign(vf_select(odd, sine, cosine), quarter + vu_set(UINT32_C(1) << 30));
    *y = vf_flip_sign(vf_select(odd, cosine, sine), quarter);
}

/* (2 k + 1) / 4096 - 1, k the hash's lower 12 bits, which become the mantissa of a float in [2,
 * 4). */
static inline vfloat noise_value_of(vuint bits)
{
    vuint k = (bits << 11 & vu_set(UINT32_C(0x007FF800))) | vu_set(UINT32_C(0x40000400));
    return vf_from_bits(k) - vf_set(3);
}

/* A vector of lattice points. */
struct noise_node {
    vfloat x, y, value; /* gradient and value */
};

TERRAIN__INLINE struct noise_node noise_node_of(const struct noise_octave *octave, vuint bits,
                                                bool sloped)
{
    struct noise_node node = {vf_set(0), vf_set(0), vf_set(0)};
    if (sloped) {
        noise_direction(bits, &node.x, &node.y);
        node.x *= vf_set(octave->length);
        node.y *= vf_set(octave->length);
    }
    node.value = noise_value_of(bits) * vf_set(octave->level);
    return node;
}

/* Where gradients and values of a lattice row are written; only values if the octave is not
 * sloped. */
struct noise_node_row {
    float *gradient_x, *gradient_y, *value;
};

/* Hashes `count` points of a lattice row from `first` on, which may be beyond the torus, and writes
 * the hashes' bits; `hash` is the row's. Writes up to a vector more. */
static inline void noise_hash_row(float *to, const struct noise_octave *octave, uint64_t hash,
                                  int64_t first, uint32_t count)
{
    for (uint32_t begin = 0, end = 0; begin < count; begin = end) {
        int64_t node = noise_wrap(&octave->x, first + begin);
        uint64_t column = terrain__random_column(hash, node);
        end = begin + noise_node_run(&octave->x, node, count - begin);
        for (uint32_t i = begin; i < end; i += VEC_LANES) {
            vuint low = vu_set((uint32_t)node + (i - begin)) + vu_lane();
            vf_store(to + i, vf_from_bits(vu_random_bits(column, low)));
        }
    }
}

/* Finds gradients and values of `count` points, whose hashes are where the values go. This is a
 * loop of its own: hashing and this are long chains of dependent instructions, and the processor
 * overlaps more of them if each is shorter. Writes up to a vector more. */
static inline void noise_find_nodes(const struct noise_node_row *row,
                                    const struct noise_octave *octave, uint32_t count)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        vuint bits = vf_bits(vf_load(row->value + i));
        struct noise_node node = noise_node_of(octave, bits, octave->sloped);
        if (octave->sloped) {
            vf_store(row->gradient_x + i, node.x);
            vf_store(row->gradient_y + i, node.y);
        }
        vf_store(row->value + i, node.value);
    }
}

/* ---- Cells ----------------------------------------------------------------------------------- */

/* The octave's term, by its noise. For fbm, gradients and values already contain the weight. For
 * ridged, `gates` is the factor on each cell's next term. */
static inline vfloat noise_fbm(vfloat value, float weight, float feedback, float *gates)
{
    (void)weight;
    (void)feedback;
    (void)gates;
    return value;
}

static inline vfloat noise_billow(vfloat value, float weight, float feedback, float *gates)
{
    (void)feedback;
    (void)gates;
    return vf_set(weight) * vf_abs(value);
}

static inline vfloat noise_ridged(vfloat value, float weight, float feedback, float *gates)
{
    vfloat ridge = vf_set(1) - vf_abs(value);
    vfloat signal = ridge * ridge * vf_load(gates);
    vf_store(gates, vf_min(vf_set(feedback) * signal, vf_set(1)));
    return vf_set(weight) * signal;
}

static inline void noise_write_row(float *to, const float *sums, uint32_t width, bool stream)
{
    uint32_t i = 0;
    if (stream && (uintptr_t)to % sizeof(vfloat) == 0) {
        for (; i + VEC_LANES <= width; i += VEC_LANES) {
            vf_stream(to + i, vf_load(sums + i));
        }
    }
    memcpy(to + i, sums + i, (width - i) * sizeof *to);
}

#endif
