/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The vectors of vector/vec.h by the vector types of gcc and clang, for any other machine: four
 * lanes. */

#ifndef TERRAIN_VECTOR_VEC_GNU_H
#define TERRAIN_VECTOR_VEC_GNU_H

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
    vint ones = m & (vint){1, 2, 4, 8};
    return (uint32_t)(ones[0] | ones[1] | ones[2] | ones[3]);
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
    for (int i = 0; i < VEC_LANES; i++) {
        v[i] = __builtin_sqrtf(v[i]);
    }
    return v;
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

/* ---- Interleaving ---------------------------------------------------------------------------- */

static inline void vf_store_pairs(float *to, vfloat a, vfloat b)
{
    for (int i = 0; i < VEC_LANES; i++) {
        to[2 * i] = a[i];
        to[2 * i + 1] = b[i];
    }
}

static inline void vf_store_triples(float *to, vfloat a, vfloat b, vfloat c)
{
    for (int i = 0; i < VEC_LANES; i++) {
        to[3 * i] = a[i];
        to[3 * i + 1] = b[i];
        to[3 * i + 2] = c[i];
    }
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
    for (size_t i = 0; i < VEC_LANES; i++) {
        for (size_t k = 0; k < 4; k++) {
            to[i * step + k] = q[k][i];
        }
    }
}

static inline void vf_transpose(float *to, size_t to_stride, const float *from, size_t from_stride)
{
    for (size_t column = 0; column < VEC_LANES; column++) {
        for (size_t row = 0; row < VEC_LANES; row++) {
            to[column * to_stride + row] = from[row * from_stride + column];
        }
    }
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
