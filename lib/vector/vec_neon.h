/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The vectors of vector/vec.h by the NEON of 64-bit ARM: four lanes. */

#ifndef TERRAIN_VECTOR_VEC_NEON_H
#define TERRAIN_VECTOR_VEC_NEON_H

#include <arm_neon.h>

#define VEC_LANES 4
#define VEC_LONGS 2
#define VEC_HAS_FLOOR
#define VEC_HAS_LOOKUP_OF

#include "vector/vec_types.h"

static inline vuint vu_lane(void)
{
    return (vuint){0, 1, 2, 3};
}

/* ---- Comparison and choice ------------------------------------------------------------------- */

static inline uint32_t vm_bits(vmask m)
{
    return vaddvq_u32((vuint)m & (vuint){1, 2, 4, 8});
}

static inline vfloat vf_select(vmask m, vfloat yes, vfloat no)
{
    return vbslq_f32((vuint)m, yes, no);
}

static inline vint vi_select(vmask m, vint yes, vint no)
{
    return vbslq_s32((vuint)m, yes, no);
}

/* ---- Arithmetic that has no operator --------------------------------------------------------- */

/* The instructions' own minimum is NaN if either is, and for them -0 is less than 0. clang 14 makes
 * use of them where an operand is 0, if it sees the comparison. */
static inline vuint vec_unseen(vuint less)
{
#if defined(__clang__)
    __asm__("" : "+w"(less));
#endif
    return less;
}

static inline vfloat vf_min(vfloat a, vfloat b)
{
    return vbslq_f32(vec_unseen((vuint)vf_less(a, b)), a, b);
}

static inline vfloat vf_max(vfloat a, vfloat b)
{
    return vbslq_f32(vec_unseen((vuint)vf_less(b, a)), a, b);
}

static inline vfloat vf_sqrt(vfloat v)
{
    return vsqrtq_f32(v);
}

static inline vfloat vf_floor_loose(vfloat v)
{
    return vrndmq_f32(v);
}

/* ---- Across lanes ---------------------------------------------------------------------------- */

static inline vfloat vf_lookup(const float *table, vuint index)
{
    /* Byte b of lane i is byte 4 index[i] + b of the table. */
    uint8x16_t bytes =
        (uint8x16_t)(index * vu_set(UINT32_C(0x04040404)) + vu_set(UINT32_C(0x03020100)));
    return (vfloat)vqtbl1q_u8((uint8x16_t)vf_load(table), bytes);
}

/* Byte b of lane i is byte 4 index[i] + b of the table. Where a byte lies beyond the instruction's
 * table, vqtbl gives 0 and vqtbx keeps the byte it had. */
TERRAIN__INLINE vfloat vf_lookup_of(const float *table, vuint index, int vectors)
{
    uint8x16_t at =
        (uint8x16_t)(index * vu_set(UINT32_C(0x04040404)) + vu_set(UINT32_C(0x03020100)));
    const uint8_t *bytes = (const uint8_t *)(const void *)table;
    if (vectors == 1) {
        return (vfloat)vqtbl1q_u8(vld1q_u8(bytes), at);
    }
    if (vectors == 2) {
        uint8x16x2_t two = {{vld1q_u8(bytes), vld1q_u8(bytes + 16)}};
        return (vfloat)vqtbl2q_u8(two, at);
    }
    uint8x16x4_t four = {
        {vld1q_u8(bytes), vld1q_u8(bytes + 16), vld1q_u8(bytes + 32), vld1q_u8(bytes + 48)}};
    uint8x16_t found = vqtbl4q_u8(four, at);
    if (vectors == 8) {
        uint8x16x4_t rest = {{vld1q_u8(bytes + 64), vld1q_u8(bytes + 80), vld1q_u8(bytes + 96),
                              vld1q_u8(bytes + 112)}};
        found = vqtbx4q_u8(found, rest, at - vdupq_n_u8(64));
    }
    return (vfloat)found;
}

static inline vint vi_scan(vint v)
{
    v += vextq_s32(vi_set(0), v, 3);
    v += vextq_s32(vi_set(0), v, 2);
    return v;
}

static inline vint vi_last(vint v)
{
    return vdupq_laneq_s32(v, 3);
}

static inline vint vi_least_beside(vint v)
{
    return vminq_s32(v, vrev64q_s32(v));
}

/* ---- Bytes ----------------------------------------------------------------------------------- */

static inline vint vi_load_bytes(const uint8_t *from)
{
    uint32_t bytes;
    memcpy(&bytes, from, sizeof bytes);
    uint16x8_t words = vmovl_u8((uint8x8_t)vdup_n_u32(bytes));
    return (vint)vmovl_u16(vget_low_u16(words));
}

static inline void vi_store_bytes(uint8_t *to, vint v)
{
    uint16x4_t words = vmovn_u32((vuint)v);
    uint32_t bytes = vget_lane_u32((uint32x2_t)vmovn_u16(vcombine_u16(words, words)), 0);
    memcpy(to, &bytes, sizeof bytes);
}

/* The conversion clamps negative numbers and NaN to 0, narrowing clamps numbers above 255. */
static inline void vf_store_rounded(uint8_t *to, const vfloat v[4])
{
    uint16x4_t q[4];
    for (int k = 0; k < 4; k++) {
        q[k] = vqmovn_u32(vcvtq_u32_f32(v[k] + vf_set(0.5f)));
    }
    vst1q_u8(to, vcombine_u8(vqmovn_u16(vcombine_u16(q[0], q[1])),
                             vqmovn_u16(vcombine_u16(q[2], q[3]))));
}

/* ---- Interleaving ---------------------------------------------------------------------------- */

static inline void vf_store_pairs(float *to, vfloat a, vfloat b)
{
    const float32x4x2_t pairs = {{a, b}};
    vst2q_f32(to, pairs); /* by clang a macro, which takes no braces */
}

static inline void vf_store_triples(float *to, vfloat a, vfloat b, vfloat c)
{
    const float32x4x3_t triples = {{a, b, c}};
    vst3q_f32(to, triples);
}

static inline void vf_part(vfloat a, vfloat b, vfloat *even, vfloat *odd)
{
    *even = vuzp1q_f32(a, b);
    *odd = vuzp2q_f32(a, b);
}

/* Transposes 4 by 4 floats. */
static inline void vec_turn_quad(vfloat q[4])
{
    float64x2_t even01 = (float64x2_t)vtrn1q_f32(q[0], q[1]),
                odd01 = (float64x2_t)vtrn2q_f32(q[0], q[1]);
    float64x2_t even23 = (float64x2_t)vtrn1q_f32(q[2], q[3]),
                odd23 = (float64x2_t)vtrn2q_f32(q[2], q[3]);
    q[0] = (vfloat)vtrn1q_f64(even01, even23);
    q[1] = (vfloat)vtrn1q_f64(odd01, odd23);
    q[2] = (vfloat)vtrn2q_f64(even01, even23);
    q[3] = (vfloat)vtrn2q_f64(odd01, odd23);
}

static inline void vf_load_squares(vfloat q[4], const float *from, size_t stride,
                                   const int32_t *offsets)
{
    vfloat above[2], below[2];
    for (int i = 0; i < 2; i++) {
        const float *a = from + offsets[2 * i], *b = from + offsets[2 * i + 1];
        above[i] = vcombine_f32(vld1_f32(a), vld1_f32(b));
        below[i] = vcombine_f32(vld1_f32(a + stride), vld1_f32(b + stride));
    }
    vf_part(above[0], above[1], &q[0], &q[1]);
    vf_part(below[0], below[1], &q[2], &q[3]);
}

static inline void vf_load_quads(vfloat q[4], const float *from, const int32_t *offsets)
{
    for (int i = 0; i < 4; i++) {
        q[i] = vf_load(from + offsets[i]);
    }
    vec_turn_quad(q);
}

static inline void vf_store_quads(float *to, size_t step, const vfloat q[4])
{
    vfloat rows[4] = {q[0], q[1], q[2], q[3]};
    vec_turn_quad(rows);
    for (size_t i = 0; i < 4; i++) {
        vf_store(to + i * step, rows[i]);
    }
}

static inline void vf_transpose(float *to, size_t to_stride, const float *from, size_t from_stride)
{
    vfloat rows[4];
    for (size_t i = 0; i < 4; i++) {
        rows[i] = vf_load(from + i * from_stride);
    }
    vec_turn_quad(rows);
    for (size_t i = 0; i < 4; i++) {
        vf_store(to + i * to_stride, rows[i]);
    }
}

/* ---- Longs and doubles ----------------------------------------------------------------------- */

static inline vdouble vd_load_floats(const float *from)
{
    return vcvt_f64_f32(vld1_f32(from));
}

static inline vfloat vf_from_doubles(const vdouble v[2])
{
    return vcombine_f32(vcvt_f32_f64(v[0]), vcvt_f32_f64(v[1]));
}

static inline vdouble vd_from_long(vlong v)
{
    return vcvtq_f64_s64((int64x2_t)v);
}

static inline vdouble vd_min(vdouble a, vdouble b)
{
    return vbslq_f64((uint64x2_t)vec_unseen((vuint)vcltq_f64(a, b)), a, b);
}

static inline vdouble vd_max(vdouble a, vdouble b)
{
    return vbslq_f64((uint64x2_t)vec_unseen((vuint)vcgtq_f64(a, b)), a, b);
}

static inline vdouble vd_pick(const int32_t *which, vdouble zero, vdouble one)
{
    vlong mask = -vmovl_u32(vld1_u32((const uint32_t *)which));
    return vbslq_f64(mask, one, zero);
}

static inline vlong vl_scan(vlong v)
{
    return v + vextq_u64(vl_set(0), v, 1);
}

static inline vlong vl_last(vlong v)
{
    return vdupq_laneq_u64(v, 1);
}

#endif
