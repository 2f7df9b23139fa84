/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The vectors of vector/vec.h in plain C: one lane. The other files must equal this one. */

#ifndef TERRAIN_VECTOR_VEC_SCALAR_H
#define TERRAIN_VECTOR_VEC_SCALAR_H

#include "base/math.h"

#define VEC_LANES 1
#define VEC_LONGS 1

#include "vector/vec_types.h"

static inline vuint vu_lane(void)
{
    return 0;
}

/* ---- Choice ---------------------------------------------------------------------------------- */

static inline uint32_t vm_bits(vmask m)
{
    return (uint32_t)m;
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return m ? yes : no;
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return m ? yes : no;
}

/* ---- Arithmetic that has no operator --------------------------------------------------------- */

/* For WebAssembly, clang makes f32.max of `a > b ? a : b` where it knows that a is 0, and then 0 of
 * b = -0. So it is not to know. */
#if defined(__wasm__) && defined(__GNUC__)
#define VEC_HIDE(a) __asm__("" : "+r"(a))
#else
#define VEC_HIDE(a) (void)(a)
#endif

static inline vfloat vf_min(vfloat a, vfloat b)
{
    VEC_HIDE(a);
    return a < b ? a : b;
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
    VEC_HIDE(a);
    return a > b ? a : b;
}

static inline vfloat vf_sqrt(vfloat v)
{
    return terrain__sqrtf(v);
}

/* ---- Across lanes ---------------------------------------------------------------------------- */

static inline vfloat vf_lookup(const float *table, vuint index)
{
    return table[index];
}

static inline vint vi_scan(vint v)
{
    return v;
}

static inline vint vi_last(vint v)
{
    return v;
}

static inline vint vi_least_beside(vint v)
{
    return v;
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static inline vint vi_load_bytes(const uint8_t *from)
{
    return *from;
}

static inline void vi_store_bytes(uint8_t *to, vint v)
{
    *to = (uint8_t)v;
}

static inline void vf_store_rounded(uint8_t *to, const vfloat v[4])
{
    for (int k = 0; k < 4; k++) {
        vfloat cut = vf_max(vf_min(255, v[k]), 0);
        to[k] = (uint8_t)(cut + 0.5f);
    }
}

/* ---- Interleaving ---------------------------------------------------------------------------- */

static inline void vf_store_pairs(float *to, vfloat a, vfloat b)
{
    to[0] = a;
    to[1] = b;
}

static inline void vf_store_triples(float *to, vfloat a, vfloat b, vfloat c)
{
    to[0] = a;
    to[1] = b;
    to[2] = c;
}

static inline void vf_part(vfloat a, vfloat b, vfloat *even, vfloat *odd)
{
    *even = a;
    *odd = b;
}

static inline void vf_load_squares(vfloat q[4], const float *from, size_t stride,
                                   const int32_t *offsets)
{
    q[0] = from[offsets[0]];
    q[1] = from[offsets[0] + 1];
    q[2] = from[stride + offsets[0]];
    q[3] = from[stride + offsets[0] + 1];
}

static inline void vf_load_quads(vfloat q[4], const float *from, const int32_t *offsets)
{
    for (int k = 0; k < 4; k++) {
        q[k] = from[offsets[0] + k];
    }
}

static inline void vf_store_quads(float *to, size_t step, const vfloat q[4])
{
    (void)step;
    for (int k = 0; k < 4; k++) {
        to[k] = q[k];
    }
}

static inline void vf_transpose(float *to, size_t to_stride, const float *from, size_t from_stride)
{
    (void)to_stride, (void)from_stride;
    *to = *from;
}

/* ---- Longs and doubles ----------------------------------------------------------------------- */

static inline vdouble vd_load_floats(const float *from)
{
    return (double)*from;
}

static inline vfloat vf_from_doubles(const vdouble v[1])
{
    return (float)v[0];
}

static inline vdouble vd_from_long(vlong v)
{
    return (double)(int64_t)v;
}

static inline vdouble vd_min(vdouble a, vdouble b)
{
    return a < b ? a : b;
}

static inline vdouble vd_max(vdouble a, vdouble b)
{
    return a > b ? a : b;
}

static inline vdouble vd_pick(const int32_t *which, vdouble zero, vdouble one)
{
    return *which == 0 ? zero : one;
}

static inline vlong vl_scan(vlong v)
{
    return v;
}

static inline vlong vl_last(vlong v)
{
    return v;
}

#endif
