/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the kernels of generate_drainage share. Included by kernel files only. */

#ifndef TERRAIN_GENERATE_DRAINAGE_VEC_H
#define TERRAIN_GENERATE_DRAINAGE_VEC_H

#include "generate/drainage_kernels.h"
#include "vector/random.h"
#include "vector/random_vec.h"

/* ---- Neighbours ------------------------------------------------------------------------------ */

/* The eight vectors around column i of three rows, from the east on clockwise. */
#define DRAINAGE_AROUND(load, n, z, s, i)                                                          \
    load((z) + (i) + 1), load((s) + (i) + 1), load((s) + (i)), load((s) + (i)-1),                  \
        load((z) + (i)-1), load((n) + (i)-1), load((n) + (i)), load((n) + (i) + 1)

/* The one of eight values, from the east on clockwise, that lies in direction r, 0 to 7: of r's
 * lowest three bits each halves them. Others give one of the eight, too, which nobody may use. */
static inline vfloat drainage_towards(vint r, vfloat e, vfloat se, vfloat s, vfloat sw, vfloat w,
                                      vfloat nw, vfloat n, vfloat ne)
{
    const vmask even = vi_equal(r & vi_set(1), vi_set(0));
    const vmask first = vi_equal(r & vi_set(2), vi_set(0));
    const vfloat east = vf_select(first, vf_select(even, e, se), vf_select(even, s, sw));
    const vfloat west = vf_select(first, vf_select(even, w, nw), vf_select(even, n, ne));
    return vf_select(vi_equal(r & vi_set(4), vi_set(0)), east, west);
}

/* Bytes as the bits of floats, for drainage_towards. */
static inline vfloat drainage_load_bits(const uint8_t *from)
{
    return vf_from_bits(vu_from_bits(vi_load_bytes(from)));
}

/* ---- Random rows ----------------------------------------------------------------------------- */

/* to[i] = the random bits of cell x + i of a row, or if `floats` the number from -1 to 1 that they
 * make. Cells are hashed together as far as their columns share the high word. */
TERRAIN__INLINE void drainage_hash_row(void *to, uint64_t row, int64_t x, uint32_t count,
                                       bool floats)
{
    for (uint32_t i = 0; i < count;) {
        const uint64_t column = terrain__random_column(row, x + i);
        const uint32_t end = i + terrain__random_run(x + i, count - i);
        uint32_t first = (uint32_t)(x + i);
        for (; i < end; i += VEC_LANES, first += VEC_LANES) {
            const vuint bits = vu_random_bits(column, vu_set(first) + vu_lane());
            if (floats) {
                vf_store((float *)to + i, vf_signed(bits));
            } else {
                vi_store((int32_t *)to + i, vi_from_bits(bits));
            }
        }
        i = end;
    }
}

/* ---- Functions ------------------------------------------------------------------------------- */

static inline vfloat drainage_within(vfloat x, float low, float high)
{
    return vf_min(vf_max(x, vf_set(low)), vf_set(high));
}

/* log2 x of a normal x > 0, exact for powers of two; error below 1.6e-5 in [1, 2), below 2e-5 for
 * others, whose logarithm is rounded. */
static inline vfloat drainage_log2(vfloat x)
{
    const vuint bits = vf_bits(x);
    const vfloat exponent = vf_from_int(vi_from_bits(bits >> 23) - vi_set(127));
    const vfloat f = vf_from_bits((bits & vu_set(0x7FFFFF)) | vu_set(0x3F800000)) - vf_set(1);
    vfloat p = vf_set(0.14842607F) + f * vf_set(-0.045148674F);
    p = vf_set(0.44191700F) + f * (vf_set(-0.26717916F) + f * p);
    return exponent + (f + f * (vf_set(1) - f) * p);
}

/* 2^x of -100 <= x <= 100, exact for whole numbers; relative error below 3.4e-6. */
static inline vfloat drainage_exp2(vfloat x)
{
    const vfloat whole = vf_floor_loose(x);
    const vfloat f = x - whole;
    const vfloat scale = vf_from_bits(vu_from_bits(vi_from_float(whole) + vi_set(127)) << 23);
    const vfloat p = vf_set(0.30696788F) + f * (vf_set(0.065588117F) + f * vf_set(0.013555741F));
    return scale * (vf_set(1) + f + f * (f - vf_set(1)) * p);
}

static inline vfloat drainage_fade(vfloat t)
{
    return t * t * t * (t * (vf_set(6) * t - vf_set(15)) + vf_set(10));
}

/* Moves every bit of h into every bit of the result. */
static inline vuint drainage_scramble(vuint h)
{
    return vu_random_bits(0, h);
}

#endif
