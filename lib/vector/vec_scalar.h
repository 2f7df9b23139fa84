/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The vectors of vector/vec.h in plain C: one lane. The other files must equal this one. */

#ifndef TERRAIN_VECTOR_VEC_SCALAR_H
#define TERRAIN_VECTOR_VEC_SCALAR_H

#include <stdint.h>
#include <string.h>

#include "base/math.h"

#define VEC_LANES 1
#define VEC_LONGS 1

typedef float vfloat;
typedef int32_t vint;
typedef uint32_t vuint;
typedef uint64_t vlong;
typedef double vdouble;
typedef int vmask;

/* ---- Memory and constants -------------------------------------------------------------------- */

static inline vfloat vf_load(const float *from)
{
    vfloat v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline vint vi_load(const int32_t *from)
{
    vint v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline vuint vu_load(const void *from)
{
    vuint v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void vf_store(float *to, vfloat v)
{
    memcpy(to, &v, sizeof v);
}

static inline void vi_store(int32_t *to, vint v)
{
    memcpy(to, &v, sizeof v);
}

/* There is no n below VEC_LANES but 0. */
static inline vfloat vf_load_first(const float *from, uint32_t n)
{
    return n == 0 ? 0 : *from;
}

static inline void vf_store_first(float *to, vfloat v, uint32_t n)
{
    if (n != 0) {
        *to = v;
    }
}

static inline vfloat vf_set(float x)
{
    return x;
}

static inline vint vi_set(int32_t x)
{
    return x;
}

static inline vuint vu_set(uint32_t x)
{
    return x;
}

static inline vuint vu_lane(void)
{
    return 0;
}

/* ---- Bits and conversions -------------------------------------------------------------------- */

static inline vint vi_from_bits(vuint v)
{
    vint r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vuint vu_from_bits(vint v)
{
    vuint r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vfloat vf_from_bits(vuint v)
{
    vfloat r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vuint vf_bits(vfloat v)
{
    vuint r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vfloat vf_from_int(vint v)
{
    return (float)v;
}

static inline vint vi_from_float(vfloat v)
{
    return (int32_t)v;
}

/* ---- Comparison and choice ------------------------------------------------------------------- */

static inline vmask vf_less(vfloat a, vfloat b)
{
    return a < b;
}

static inline vmask vf_less_equal(vfloat a, vfloat b)
{
    return a <= b;
}

static inline vmask vi_less(vint a, vint b)
{
    return a < b;
}

static inline vmask vi_equal(vint a, vint b)
{
    return a == b;
}

static inline vmask vm_and(vmask a, vmask b)
{
    return a & b;
}

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

static inline vfloat vf_min(vfloat a, vfloat b)
{
    return a < b ? a : b;
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
    return a > b ? a : b;
}

static inline vfloat vf_excess(vfloat d, vfloat limit)
{
    return d - vf_min(limit, vf_max(-limit, d));
}

static inline vfloat vf_sqrt(vfloat v)
{
    return terrain__sqrtf(v);
}

static inline vfloat vf_abs(vfloat v)
{
    return vf_from_bits(vf_bits(v) & vu_set(UINT32_C(0x7FFFFFFF)));
}

static inline vfloat vf_flip_sign(vfloat v, vuint sign)
{
    return vf_from_bits(vf_bits(v) ^ (sign & vu_set(UINT32_C(0x80000000))));
}

static inline vfloat vf_floor_loose(vfloat v)
{
    vfloat truncated = vf_from_int(vi_from_float(v));
    return truncated - vf_select(vf_less(v, truncated), vf_set(1), vf_set(0));
}

/* Adding 0 makes 0 of -0, which some compilers keep on the way through integers. */
static inline vfloat vf_floor(vfloat v)
{
    return vf_floor_loose(v) + vf_set(0);
}

/* ---- Across lanes ---------------------------------------------------------------------------- */

static inline vfloat vf_lookup(const float *table, vuint index)
{
    return table[index];
}

TERRAIN__INLINE vfloat vf_lookup_of(const float *table, vuint index, int vectors)
{
    (void)vectors;
    return vf_lookup(table, index);
}

static inline vint vi_scan(vint v)
{
    return v;
}

static inline vint vi_last(vint v)
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

/* ---- Longs and doubles ------------------------------------------------------------------------ */

static inline vlong vl_load(const void *from)
{
    vlong v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline void vl_store(void *to, vlong v)
{
    memcpy(to, &v, sizeof v);
}

static inline vlong vl_set(uint64_t x)
{
    return x;
}

static inline vdouble vd_set(double x)
{
    return x;
}

static inline vlong vd_bits(vdouble v)
{
    vlong r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vdouble vd_from_floats(vfloat v, int part)
{
    (void)part;
    return (double)v;
}

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

static inline void vd_load_pairs(vdouble *a, vdouble *b, const double *from, const int32_t *offsets)
{
    *a = from[offsets[0]];
    *b = from[offsets[0] + 1];
}

static inline vlong vl_pick(const int32_t *which, vlong zero, vlong one)
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

static inline vint vi_least_beside(vint v)
{
    return v;
}

/* ---- Past the caches ------------------------------------------------------------------------- */

static inline void vf_stream(float *to, vfloat v)
{
    vf_store(to, v);
}

static inline void vf_streamed(void)
{
}

#endif
