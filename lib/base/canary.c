/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A library that was compiled with fast-math or contraction gives other bits. Preprocessor checks
 * catch what compilers admit; the canary catches the rest, by results. */

#include "base/canary.h"

#include <float.h>
#include <string.h>

#include "base/canary_kernels.h"

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "libterrain must be compiled without -ffast-math: its results are promised to the bit"
#endif
/* 16 is 0 with half precision besides, on processors with AVX512-FP16. The canary finds out what a
 * compiler does without saying so. */
#if defined(FLT_EVAL_METHOD) && FLT_EVAL_METHOD != 0 && FLT_EVAL_METHOD != 16
#if defined(__i386__)
#error "libterrain needs float in float: compile with -msse2 -mfpmath=sse"
#else
#error "libterrain needs float in float: compile with -fexcess-precision=fast"
#endif
#endif

typedef void canary_kernel(float *out, const float *a, const float *b, const float *c);

static bool canary_agrees(canary_kernel *kernel, uint32_t a, uint32_t b, uint32_t c,
                          uint32_t expected)
{
    uint32_t in[3][TERRAIN__CANARY_LANES];
    float operands[3][TERRAIN__CANARY_LANES];
    float out[TERRAIN__CANARY_LANES];
    uint32_t bits[TERRAIN__CANARY_LANES];
    for (int i = 0; i < TERRAIN__CANARY_LANES; i++) {
        in[0][i] = a;
        in[1][i] = b;
        in[2][i] = c;
    }
    memcpy(operands, in, sizeof operands);
    kernel(out, operands[0], operands[1], operands[2]);
    memcpy(bits, out, sizeof bits);
    for (int i = 0; i < TERRAIN__CANARY_LANES; i++) {
        if (bits[i] != expected) {
            return false;
        }
    }
    return true;
}

bool terrain__canary_sings(uint32_t isa)
{
    const struct canary_kernels *kernels = terrain__canary_kernels(isa);
    const uint32_t zero = 0;
    const uint32_t minus_zero = 0x80000000u;
    const uint32_t one = 0x3F800000u;
    return
        /* (1 + 2^-12)^2 - (1 + 2^-11) is 0 if the product is rounded, 2^-24 if it is fused. */
        canary_agrees(kernels->multiply_add, 0x3F800800u, 0x3F800800u, 0xBF801000u, zero) &&
        /* 2^-126 * 1/2 is subnormal: not flushed, as result or as operand. */
        canary_agrees(kernels->multiply_add, 0x00800000u, 0x3F000000u, zero, 0x00400000u) &&
        canary_agrees(kernels->multiply_add, 0x00400000u, 0x40000000u, zero, 0x00800000u) &&
        /* 1 * -0 + 0 is +0, unless signed zeros are ignored. */
        canary_agrees(kernels->multiply_add, one, minus_zero, zero, zero) &&
        /* (1 + 2^-24) - 1 is 0 if the sum is rounded to float, 2^-24 if not or if reordered. */
        canary_agrees(kernels->add_subtract, one, 0x33800000u, one, zero) &&
        /* 5 / 3 differs from 5 * (1 / 3). */
        canary_agrees(kernels->divide, 0x40A00000u, 0x40400000u, zero, 0x3FD55555u) &&
        /* NaN is not equal to itself. */
        canary_agrees(kernels->is_ordered, 0x7FC00000u, zero, one, one);
}
