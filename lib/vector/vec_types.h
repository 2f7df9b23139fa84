/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The functions that the vector types of gcc and clang give on every machine, and any compiler
 * gives for single numbers. The file of an instruction set defines VEC_LANES and VEC_LONGS,
 * includes this, and adds the rest of vector/vec.h. There is no include guard: in the amalgamation
 * each of those files has its own copy of this text. */

#include <stdint.h>
#include <string.h>

#if VEC_LANES == 1
typedef float vfloat;
typedef int32_t vint;
typedef uint32_t vuint;
typedef uint64_t vlong;
typedef double vdouble;
#else
typedef float vfloat __attribute__((vector_size(4 * VEC_LANES)));
typedef int32_t vint __attribute__((vector_size(4 * VEC_LANES)));
typedef uint32_t vuint __attribute__((vector_size(4 * VEC_LANES)));
typedef uint64_t vlong __attribute__((vector_size(8 * VEC_LONGS)));
typedef double vdouble __attribute__((vector_size(8 * VEC_LONGS)));
#endif

/* ---- Memory ---------------------------------------------------------------------------------- */

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

static inline vlong vl_load(const void *from)
{
    vlong v;
    memcpy(&v, from, sizeof v);
    return v;
}

static inline vdouble vd_load(const double *from)
{
    vdouble v;
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

static inline void vl_store(void *to, vlong v)
{
    memcpy(to, &v, sizeof v);
}

static inline void vd_store(double *to, vdouble v)
{
    memcpy(to, &v, sizeof v);
}

static inline vfloat vf_load_first(const float *from, uint32_t n)
{
    vfloat v;
    memset(&v, 0, sizeof v);
    memcpy(&v, from, n * sizeof *from);
    return v;
}

static inline void vf_store_first(float *to, vfloat v, uint32_t n)
{
    memcpy(to, &v, n * sizeof *to);
}

/* ---- Constants ------------------------------------------------------------------------------- */

static inline vfloat vf_set(float x)
{
    return x - (vfloat){0}; /* x - 0 keeps every x, -0 too */
}

static inline vint vi_set(int32_t x)
{
    return x + (vint){0};
}

static inline vuint vu_set(uint32_t x)
{
    return x + (vuint){0};
}

static inline vlong vl_set(uint64_t x)
{
    return x + (vlong){0};
}

static inline vdouble vd_set(double x)
{
    return x - (vdouble){0};
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

static inline vlong vd_bits(vdouble v)
{
    vlong r;
    memcpy(&r, &v, sizeof r);
    return r;
}

static inline vfloat vf_flip_sign(vfloat v, vuint sign)
{
    return vf_from_bits(vf_bits(v) ^ (sign & vu_set(UINT32_C(0x80000000))));
}

#if VEC_LANES == 1
#define VEC_CONVERT(v, type) ((type)(v))
#else
#define VEC_CONVERT(v, type) __builtin_convertvector(v, type)
#endif

static inline vfloat vf_from_int(vint v)
{
    return VEC_CONVERT(v, vfloat);
}

static inline vint vi_from_float(vfloat v)
{
    return VEC_CONVERT(v, vint);
}

/* ---- Masks: -1 where they hold; 1 with one lane ---------------------------------------------- */

#if !defined(VEC_HAS_MASKS)
typedef vint vmask;

static inline vmask vf_less(vfloat a, vfloat b)
{
    return (vint)(a < b);
}

static inline vmask vf_less_equal(vfloat a, vfloat b)
{
    return (vint)(a <= b);
}

static inline vmask vi_less(vint a, vint b)
{
    return (vint)(a < b);
}

static inline vmask vi_equal(vint a, vint b)
{
    return (vint)(a == b);
}

static inline vmask vm_and(vmask a, vmask b)
{
    return a & b;
}

static inline vmask vm_or(vmask a, vmask b)
{
    return a | b;
}

static inline vmask vm_not(vmask m)
{
#if VEC_LANES == 1
    return !m;
#else
    return ~m;
#endif
}

static inline vfloat vf_where(vmask m, vfloat v)
{
#if VEC_LANES == 1
    return m ? v : 0;
#else
    return vf_from_bits(vf_bits(v) & vu_from_bits(m));
#endif
}

static inline vfloat vf_where_not(vmask m, vfloat v)
{
#if VEC_LANES == 1
    return m ? 0 : v;
#else
    return vf_from_bits(vf_bits(v) & ~vu_from_bits(m));
#endif
}

/* Subtracting 0 leaves -0 as it is, as adding 0 would not. */
static inline vfloat vf_subtract_where(vmask m, vfloat a, vfloat b)
{
    return a - vf_where(m, b);
}

static inline vfloat vf_add_where(vmask m, vfloat a, vfloat b)
{
    return a - vf_where(m, -b);
}

static inline vuint vu_count(vmask m, vuint n)
{
#if VEC_LANES == 1
    return n + (vuint)m;
#else
    return n - vu_from_bits(m);
#endif
}
#endif
