/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The vectors of vector/vec.h by the vector types of gcc and clang, for any other machine: four
 * lanes. WebAssembly's instructions are named where clang 14 would go through memory. */

#ifndef TERRAIN_VECTOR_VEC_GNU_H
#define TERRAIN_VECTOR_VEC_GNU_H

#if defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

#define VEC_LANES 4
#define VEC_LONGS 2

#include "vector/vec_types.h"

static inline vuint vu_lane(void)
{
    return (vuint){0, 1, 2, 3};
}

/* ---- Comparison and choice ------------------------------------------------------------------- */

static inline uint32_t vm_bits(vmask m)
{
#if defined(__wasm_simd128__)
    return (uint32_t)wasm_i32x4_bitmask((v128_t)m);
#else
    vint ones = m & (vint){1, 2, 4, 8};
    return (uint32_t)(ones[0] | ones[1] | ones[2] | ones[3]);
#endif
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return (m & yes) | (~m & no);
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return (vfloat)vi_select(m, (vint)yes, (vint)no);
}

/* ---- Arithmetic that has no operator --------------------------------------------------------- */

/* For WebAssembly clang 14 would use its min and max instructions, for which -0 is less than 0. */
static inline vfloat vf_min(vfloat a, vfloat b)
{
#if defined(__wasm_simd128__)
    return (vfloat)__builtin_wasm_pmin_f32x4(b, a);
#else
    return vf_select(vf_less(a, b), a, b);
#endif
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
#if defined(__wasm_simd128__)
    return (vfloat)__builtin_wasm_pmax_f32x4(b, a);
#else
    return vf_select(vf_less(b, a), a, b);
#endif
}

static inline vfloat vf_sqrt(vfloat v)
{
#if defined(__wasm_simd128__)
    return (vfloat)wasm_f32x4_sqrt((v128_t)v);
#else
    for (int i = 0; i < VEC_LANES; i++) {
        v[i] = __builtin_sqrtf(v[i]);
    }
    return v;
#endif
}

/* ---- Across lanes ---------------------------------------------------------------------------- */

static inline vfloat vf_lookup(const float *table, vuint index)
{
    return (vfloat){table[index[0]], table[index[1]], table[index[2]], table[index[3]]};
}

static inline vint vi_scan(vint v)
{
    return (vint){v[0], v[0] + v[1], v[0] + v[1] + v[2], v[0] + v[1] + v[2] + v[3]};
}

static inline vint vi_last(vint v)
{
    return vi_set(v[3]);
}

static inline vint vi_least_beside(vint v)
{
    vint other = {v[1], v[0], v[3], v[2]};
    return vi_select(vi_less(v, other), v, other);
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static inline vint vi_load_bytes(const uint8_t *from)
{
    return (vint){from[0], from[1], from[2], from[3]};
}

#if defined(__wasm_simd128__)
static inline void vi_store_bytes(uint8_t *to, vint v)
{
    v128_t words = wasm_i16x8_narrow_i32x4((v128_t)v, (v128_t)v);
    wasm_v128_store32_lane(to, wasm_u8x16_narrow_i16x8(words, words), 0);
}

/* Negative numbers convert to negative integers, which narrowing clamps to 0; NaN converts to 0. */
static inline void vf_store_rounded(uint8_t *to, const vfloat v[4])
{
    v128_t q[4];
    for (int k = 0; k < 4; k++) {
        q[k] = wasm_i32x4_trunc_sat_f32x4((v128_t)(vf_min(vf_set(255), v[k]) + vf_set(0.5f)));
    }
    wasm_v128_store(to, wasm_u8x16_narrow_i16x8(wasm_i16x8_narrow_i32x4(q[0], q[1]),
                                                wasm_i16x8_narrow_i32x4(q[2], q[3])));
}
#else
static inline void vi_store_bytes(uint8_t *to, vint v)
{
    for (int i = 0; i < VEC_LANES; i++) {
        to[i] = (uint8_t)v[i];
    }
}

static inline void vf_store_rounded(uint8_t *to, const vfloat v[4])
{
    for (int k = 0; k < 4; k++) {
        vfloat cut = vf_max(vf_min(vf_set(255), v[k]), vf_set(0));
        vi_store_bytes(to + VEC_LANES * k, vi_from_float(cut + vf_set(0.5f)));
    }
}
#endif

/* ---- Interleaving ---------------------------------------------------------------------------- */

static inline void vf_store_pairs(float *to, vfloat a, vfloat b)
{
    vf_store(to, (vfloat){a[0], b[0], a[1], b[1]});
    vf_store(to + 4, (vfloat){a[2], b[2], a[3], b[3]});
}

static inline void vf_store_triples(float *to, vfloat a, vfloat b, vfloat c)
{
    vf_store(to, (vfloat){a[0], b[0], c[0], a[1]});
    vf_store(to + 4, (vfloat){b[1], c[1], a[2], b[2]});
    vf_store(to + 8, (vfloat){c[2], a[3], b[3], c[3]});
}

static inline void vf_part(vfloat a, vfloat b, vfloat *even, vfloat *odd)
{
    *even = (vfloat){a[0], a[2], b[0], b[2]};
    *odd = (vfloat){a[1], a[3], b[1], b[3]};
}

static inline void vf_load_squares(vfloat q[4], const float *from, size_t stride,
                                   const int32_t *offsets)
{
    for (int k = 0; k < 4; k++) {
        const float *at = from + (k < 2 ? 0 : stride) + k % 2;
        q[k] = (vfloat){at[offsets[0]], at[offsets[1]], at[offsets[2]], at[offsets[3]]};
    }
}

static inline void vf_load_quads(vfloat q[4], const float *from, const int32_t *offsets)
{
    for (int k = 0; k < 4; k++) {
        q[k] = (vfloat){from[offsets[0] + k], from[offsets[1] + k], from[offsets[2] + k],
                        from[offsets[3] + k]};
    }
}

static inline void vf_store_quads(float *to, size_t step, const vfloat q[4])
{
    vf_store(to, (vfloat){q[0][0], q[1][0], q[2][0], q[3][0]});
    vf_store(to + step, (vfloat){q[0][1], q[1][1], q[2][1], q[3][1]});
    vf_store(to + 2 * step, (vfloat){q[0][2], q[1][2], q[2][2], q[3][2]});
    vf_store(to + 3 * step, (vfloat){q[0][3], q[1][3], q[2][3], q[3][3]});
}

static inline void vf_transpose(float *to, size_t to_stride, const float *from, size_t from_stride)
{
    const vfloat rows[4] = {vf_load(from), vf_load(from + from_stride),
                            vf_load(from + 2 * from_stride), vf_load(from + 3 * from_stride)};
    vf_store_quads(to, to_stride, rows);
}

/* ---- Longs and doubles ----------------------------------------------------------------------- */

static inline vdouble vd_load_floats(const float *from)
{
    return (vdouble){(double)from[0], (double)from[1]};
}

static inline vfloat vf_from_doubles(const vdouble v[2])
{
    return (vfloat){(float)v[0][0], (float)v[0][1], (float)v[1][0], (float)v[1][1]};
}

static inline vdouble vd_from_long(vlong v)
{
    return (vdouble){(double)(int64_t)v[0], (double)(int64_t)v[1]};
}

static inline vdouble vd_min(vdouble a, vdouble b)
{
    return (vdouble){a[0] < b[0] ? a[0] : b[0], a[1] < b[1] ? a[1] : b[1]};
}

static inline vdouble vd_max(vdouble a, vdouble b)
{
    return (vdouble){a[0] > b[0] ? a[0] : b[0], a[1] > b[1] ? a[1] : b[1]};
}

static inline vdouble vd_pick(const int32_t *which, vdouble zero, vdouble one)
{
    return (vdouble){which[0] == 0 ? zero[0] : one[0], which[1] == 0 ? zero[1] : one[1]};
}

static inline vlong vl_scan(vlong v)
{
    return (vlong){v[0], v[0] + v[1]};
}

static inline vlong vl_last(vlong v)
{
    return vl_set(v[1]);
}

#endif
