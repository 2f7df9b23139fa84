/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Vectors for kernels that the compiler's own vectoriser does not get right. (It gets most plain
 * row loops right: write those as plain loops.) Included by kernel files only; see base/kernels.h.
 * Each instruction set has a file of its own, which defines what is listed here and can be read
 * from top to bottom. vec_types.h has what the vector types of gcc and clang give on every machine;
 * functions that are made of other ones are below. tests/vector/test_vec.c compares each file with
 * vec_scalar.h, function by function. Every result is exact or correctly rounded, hence the same
 * everywhere. No vector is passed between translation units.
 *
 *   VEC_LANES              how many lanes: 16, 8, 4 or 1
 *   vfloat, vint, vuint    float, int32_t, uint32_t: + - * / & | ^ << >> are the operators
 *   vlong, vdouble         VEC_LONGS (4, 2 or 1) of uint64_t and of double: the operators too
 *   vmask                  the outcome of a comparison
 *
 *   vf_load vi_load vu_load, vf_store vi_store      memory, at any alignment
 *   vf_load_first(from, n), vf_store_first(to, v, n)    the first n < VEC_LANES; a load fills the
 *                                  rest with 0, a store does not touch it
 *   vf_load_up_to(from, left), vf_store_up_to(to, v, left)    the same for any left > 0: all lanes,
 *                                  or the first `left`
 *   vf_store_filled(to, v, left, fill)    all lanes; after the first `left` it is `fill`
 *   vi_load_bytes(from), vi_store_bytes(to, v)      VEC_LANES bytes; 0 <= v < 256
 *   vi_store_bytes_up_to(to, v, left)    all lanes, or the first `left`, and others of v may hold
 *                                  anything
 *   vf_store_rounded(bytes, v)     four vectors as bytes: clamped to [0, 255] (NaN becomes 0) and
 *                                  rounded to nearest, halves up
 *   vf_store_pairs(to, a, b)       a[0] b[0] a[1] b[1] …
 *   vf_store_triples(to, a, b, c)  a[0] b[0] c[0] a[1] b[1] c[1] …
 *   vf_part(a, b, &even, &odd)     the even and the odd lanes of a, each followed by those of b
 *   vf_slide(a, b, k)              lanes k and up of a, then b's first k lanes; 1 <= k < VEC_LANES
 *   vf_kept(v)                     v, in a register: a compiler may load a vector anew at each use,
 *                                  which is slow where it lies across cache lines
 *   vf_store_where(to, v, mask)    packs the lanes where the mask holds and returns how many; the
 *                                  rest of the VEC_LANES floats at `to` may change
 *   vf_load_squares(q, from, stride, offsets)    q[0][i] = from[offsets[i]], q[1][i] is the next;
 *                                  q[2] and q[3] are those `stride` after them
 *   vf_load_quads(q, from, offsets)    q[k][i] = from[offsets[i] + k], k < 4
 *   vf_load_octets(q, from, offsets)   q[k][i] = from[offsets[i] + k], k < 8
 *   vf_store_quads(to, step, q)        to[i step + k] = q[k][i], k < 4
 *   vf_store_octets(to, q)             to[8 i + k] = q[k][i], k < 8
 *   vf_turn_quads(v)               for VEC_LANES >= 4, of VEC_LANES / 4 squares of 4 by 4 floats:
 *                                  makes their four rows of v[k VEC_LANES / 4 + i], the k-th vector
 *                                  of the i-th square, stored row by row; or makes these of rows
 *   vf_transpose(to, to_stride, from, from_stride)    a square of VEC_LANES rows and columns
 *   vf_stream(to, v), vf_streamed()    a store that bypasses the caches, for maps much larger than
 *                                  these that are not read soon; `to` is aligned to the vector's
 *                                  size. Other threads may see such stores in any order, so a task
 *                                  calls vf_streamed before it returns
 *   vf_set vi_set vu_set, vu_lane  the same number in all lanes; 0, 1, 2, …
 *
 *   vi_from_bits vu_from_bits vf_from_bits vf_bits  the same bits as another type
 *   vf_from_int, vi_from_float     rounded to nearest; rounded towards zero, |v| < 2^31
 *   vf_less vf_less_equal vi_less vi_equal, vm_and vm_or vm_not    masks; vm_bits: lane 0 is the
 *                                  lowest bit
 *   vf_select vi_select(mask, yes, no)
 *   vf_where vf_where_not(mask, v)     v where the mask holds, where it doesn't; otherwise 0
 *   vf_add_where vf_subtract_where(mask, a, b)    a + b, a - b where the mask holds; otherwise a
 *   vu_count(mask, n)              n + 1 where the mask holds, otherwise n
 *   vf_min, vf_max                 a < b ? a : b, a > b ? a : b: b if either is NaN
 *   vi_min, vi_max                 lane by lane
 *   vi_least                       of all lanes, as an int32_t
 *   vf_excess(d, limit)            d - clamp(d, -limit, limit), limit >= 0; NaN if d is
 *   vf_sqrt, vf_abs, vf_flip_sign(v, bits)    the last where the top bit of `bits` is set
 *   vf_floor                       |v| < 2^31; never -0. vf_floor_loose: 0 may be -0. vi_floor: the
 *                                  same, as an integer
 *   vf_base(n)                     |n| < 2^20: a float whose lowest bits are those of n
 *   vf_floor_onto(base, v, &rest)  |v| < 2^20: vf_base(n + floor(v)), for base = vf_base(n); rest
 *                                  becomes v - floor(v), where 0 may be -0
 *   vf_lookup(table, index)        table[index], in a table of VEC_LANES floats
 *   vf_lookup_of(table, index, n)  table[index], in a table of n VEC_LANES floats; n is a constant:
 *                                  1, 2, 4 or 8
 *   vf_lookup_two(a, b, index)     index < VEC_LANES ? a[index] : b[index - VEC_LANES]
 *   vf_lookup_four(table, index)   table[index], in a table of four floats
 *   vf_lookup_fours(a, b, index)   index < 4 ? a[index] : b[index - 4]. Higher bits of the index
 *                                  than the table needs are ignored by the first two functions with
 *                                  8 lanes or more, by vf_lookup_two with 16, by these two with 8
 *   vf_lookup_rows(v, rows, at, n, index)    v[i] = rows[index[i] / 8][at + index[i] % 8], i < 2,
 *                                  index < 8 n; n is 4 or 8. With 16 lanes it ignores higher bits
 *   vi_scan, vi_last               lane i becomes the sum of lanes 0 to i; the last lane in all
 *   vi_least_beside                in each group of VEC_LONGS lanes, the least one, in all of them
 *
 *   vl_load vl_store vl_set, vd_load vd_store vd_set, vd_bits, vl_scan vl_last    like those above
 *   vd_load_floats(from)           VEC_LONGS floats
 *   vf_from_doubles(v)             VEC_LANES / VEC_LONGS vectors, rounded to nearest
 *   vd_from_long                   the bits as int64_t, rounded to nearest
 *   vd_min, vd_max                 like vf_min, vf_max
 *   vd_pick(which, zero, one)      which[i] == 0 ? zero[i] : one[i], which[i] is 0 or 1 */

#ifndef TERRAIN_VECTOR_VEC_H
#define TERRAIN_VECTOR_VEC_H

#include <stdint.h>
#include <string.h>

#include "base/kernels.h"

/* Tests define TERRAIN_VEC_SCALAR or TERRAIN_VEC_GNU to get those files. Each file is included in
 * one place, where the amalgamation puts its text. On 32-bit ARM clang would add vectors of floats
 * by NEON, which flushes subnormal numbers to 0 there. */
#if TERRAIN_KERNEL_LEVEL == 2
#include "vector/vec_avx512.h"
#elif TERRAIN_KERNEL_LEVEL == 1
#include "vector/vec_avx2.h"
#elif !defined(__GNUC__) || defined(TERRAIN_VEC_SCALAR) || defined(__arm__) ||                     \
    (defined(__wasm__) && !defined(__wasm_simd128__))
#include "vector/vec_scalar.h"
#elif defined(__SSE2__) && !defined(TERRAIN_VEC_GNU)
#include "vector/vec_sse2.h"
#elif defined(__aarch64__) && defined(__AARCH64EL__) && !defined(TERRAIN_VEC_GNU)
#include "vector/vec_neon.h"
#else
#include "vector/vec_gnu.h"
#endif

/* ---- Made of other functions, where no instruction does it ----------------------------------- */

static inline vfloat vf_load_up_to(const float *from, uint32_t left)
{
    return left < VEC_LANES ? vf_load_first(from, left) : vf_load(from);
}

static inline void vf_store_up_to(float *to, vfloat v, uint32_t left)
{
    if (left < VEC_LANES) {
        vf_store_first(to, v, left);
    } else {
        vf_store(to, v);
    }
}

static inline void vf_store_filled(float *to, vfloat v, size_t left, float fill)
{
    if (left < VEC_LANES) {
        const vint end = vi_set((int32_t)left);
        v = vf_select(vi_less(vi_from_bits(vu_lane()), end), v, vf_set(fill));
    }
    vf_store(to, v);
}

static inline void vi_store_bytes_up_to(uint8_t *to, vint v, uint32_t left)
{
    if (left < VEC_LANES) {
        uint8_t bytes[VEC_LANES];
        vi_store_bytes(bytes, v);
        memcpy(to, bytes, left);
    } else {
        vi_store_bytes(to, v);
    }
}

#if !defined(VEC_HAS_EXCESS)
static inline vfloat vf_excess(vfloat d, vfloat limit)
{
    return d - vf_min(limit, vf_max(-limit, d));
}
#endif

#if !defined(VEC_HAS_STORE_WHERE)
static inline uint32_t vf_store_where(float *to, vfloat v, vmask kept)
{
    const uint32_t bits = vm_bits(kept);
    float lanes[VEC_LANES];
    uint32_t count = 0;
    vf_store(lanes, v);
    for (uint32_t i = 0; i < VEC_LANES; i++) {
        to[count] = lanes[i];
        count += bits >> i & 1;
    }
    return count;
}
#endif

static inline vint vi_min(vint a, vint b)
{
    return vi_select(vi_less(a, b), a, b);
}

static inline vint vi_max(vint a, vint b)
{
    return vi_select(vi_less(a, b), b, a);
}

#if !defined(VEC_HAS_LEAST)
static inline int32_t vi_least(vint v)
{
    int32_t lanes[VEC_LANES];
    vi_store(lanes, v);
    for (uint32_t i = 1; i < VEC_LANES; i++) {
        lanes[0] = lanes[i] < lanes[0] ? lanes[i] : lanes[0];
    }
    return lanes[0];
}
#endif

static inline vfloat vf_abs(vfloat v)
{
    return vf_from_bits(vf_bits(v) & vu_set(UINT32_C(0x7FFFFFFF)));
}

#if !defined(VEC_HAS_FLOOR)
static inline vfloat vf_floor_loose(vfloat v)
{
    vfloat truncated = vf_from_int(vi_from_float(v));
    return truncated - vf_select(vf_less(v, truncated), vf_set(1), vf_set(0));
}
#endif

/* Adding 0 turns -0 into 0: some compilers keep -0 through the conversions to integers and back. */
static inline vfloat vf_floor(vfloat v)
{
    return vf_floor_loose(v) + vf_set(0);
}

/* 2^23 + 2^22 + n, where floats are the whole numbers. */
static inline vfloat vf_base(vint n)
{
    return vf_from_bits(vu_from_bits(n + vi_set(0x4B400000)));
}

#if !defined(VEC_HAS_INTEGER_FLOOR)
static inline vint vi_floor(vfloat v)
{
    return vi_from_float(vf_floor_loose(v));
}
#endif

#if !defined(VEC_HAS_FLOOR_ONTO)
static inline vfloat vf_floor_onto(vfloat base, vfloat v, vfloat *rest)
{
    vfloat whole = vf_floor_loose(v);
    *rest = v - whole;
    return base + whole;
}
#endif

#if !defined(VEC_HAS_LOOKUP_OF)
TERRAIN__INLINE vfloat vf_lookup_of(const float *table, vuint index, int vectors)
{
    (void)vectors;
    return vf_lookup(table, index);
}
#endif

/* index < count ? a[index] : b[index - count], lane by lane. */
static inline vfloat vec_lookup_two(const float *a, const float *b, uint32_t count, vuint index)
{
    uint32_t places[VEC_LANES];
    float lanes[VEC_LANES];
    memcpy(places, &index, sizeof places);
    for (uint32_t lane = 0; lane < VEC_LANES; lane++) {
        const uint32_t place = places[lane];
        lanes[lane] = place < count ? a[place] : b[place - count];
    }
    return vf_load(lanes);
}

#if !defined(VEC_HAS_LOOKUP_TWO)
static inline vfloat vf_lookup_two(const float *a, const float *b, vuint index)
{
    return vec_lookup_two(a, b, VEC_LANES, index);
}
#endif

#if !defined(VEC_HAS_LOOKUP_FOUR)
static inline vfloat vf_lookup_four(const float *table, vuint index)
{
    return vec_lookup_two(table, table, 4, index);
}

static inline vfloat vf_lookup_fours(const float *a, const float *b, vuint index)
{
    return vec_lookup_two(a, b, 4, index);
}
#endif

#if !defined(VEC_HAS_LOOKUP_ROWS)
static inline void vf_lookup_rows(vfloat v[2], const float *const rows[], size_t at, int n,
                                  const vuint index[2])
{
    (void)n;
    for (int i = 0; i < 2; i++) {
        uint32_t places[VEC_LANES];
        float lanes[VEC_LANES];
        memcpy(places, &index[i], sizeof places);
        for (uint32_t lane = 0; lane < VEC_LANES; lane++) {
            lanes[lane] = rows[places[lane] / 8][at + places[lane] % 8];
        }
        v[i] = vf_load(lanes);
    }
}
#endif

#if !defined(VEC_HAS_KEPT)
static inline vfloat vf_kept(vfloat v)
{
    return v;
}
#endif

#if !defined(VEC_HAS_SLIDE)
static inline vfloat vf_slide(vfloat a, vfloat b, int k)
{
    float cells[2 * VEC_LANES];
    vf_store(cells, a);
    vf_store(cells + VEC_LANES, b);
    return vf_load(cells + k);
}
#endif

#if !defined(VEC_HAS_LOAD_OCTETS)
static inline void vf_load_octets(vfloat q[8], const float *from, const int32_t *offsets)
{
    vf_load_quads(q, from, offsets);
    vf_load_quads(q + 4, from + 4, offsets);
}
#endif

#if !defined(VEC_HAS_STORE_OCTETS)
static inline void vf_store_octets(float *to, const vfloat q[8])
{
    vf_store_quads(to, 8, q);
    vf_store_quads(to + 4, 8, q + 4);
}
#endif

#if !defined(VEC_HAS_TURN_QUADS)
/* A vector of four floats is a row of a square. */
static inline void vf_turn_quads(vfloat v[4])
{
    (void)v;
}
#endif

#if !defined(VEC_HAS_STREAM)
static inline void vf_stream(float *to, vfloat v)
{
    vf_store(to, v);
}
#endif

static inline void vf_streamed(void)
{
#if defined(VEC_HAS_STREAM)
    _mm_sfence();
#endif
}

#endif
