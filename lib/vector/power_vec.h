/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Powers in kernels: x^y = 2^(y log2 x), made of + - * / alone. Included after vector/vec.h. */

#ifndef TERRAIN_VECTOR_POWER_VEC_H
#define TERRAIN_VECTOR_POWER_VEC_H

#include "vector/vec.h"

/* log2 of normal v > 0, off by less than 2e-7 (and half a unit in the last place): v = m 2^e with
 * sqrt(1/2) <= m < sqrt(2), and log2 m by the odd series of (m - 1) / (m + 1), with 2 / ln 2 * (1,
 * 1/3, 1/5, 1/7). The last coefficient lies between two floats, and `seventh` is one of them: for
 * one float of 10^8 the logarithm depends on which. */
static inline vfloat vf_log2_with(vfloat v, float seventh)
{
    const vint bits = vi_from_bits(vf_bits(v));
    const vint whole = (bits - vi_set(0x3F3504F3)) >> 23;
    const vfloat m = vf_from_bits(vu_from_bits(bits - (whole << 23)));
    const vfloat t = (m - vf_set(1)) / (m + vf_set(1));
    const vfloat s = t * t;
    const vfloat series =
        vf_set(2.88539008f) +
        s * (vf_set(0.961796694f) + s * (vf_set(0.577078016f) + s * vf_set(seventh)));
    return vf_from_int(whole) + t * series;
}

static inline vfloat vf_log2(vfloat v)
{
    return vf_log2_with(v, 0.412198583f);
}

/* 2^v for -126 <= v <= 126, with a relative error below 5e-7: of v less the nearest whole number by
 * (ln 2)^k / k!. */
static inline vfloat vf_exp2(vfloat v)
{
    const vfloat whole = vf_floor(v + vf_set(0.5f));
    const vfloat t = v - whole;
    const vfloat series = vf_set(0.240226507f) +
                          t * (vf_set(0.0555041087f) +
                               t * (vf_set(0.00961812911f) +
                                    t * (vf_set(0.00133335581f) + t * vf_set(0.000154035304f))));
    const vfloat part = vf_set(1) + t * (vf_set(0.693147181f) + t * series);
    const vint power = (vi_from_float(whole) + vi_set(127)) << 23;
    return part * vf_from_bits(vu_from_bits(power));
}

#endif
