/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the kernels of generate_drainage share: plain functions that compilers turn into vectors
 * within loops. Included by kernel files only. */

#ifndef TERRAIN_GENERATE_DRAINAGE_VEC_H
#define TERRAIN_GENERATE_DRAINAGE_VEC_H

#include <string.h>

#include "generate/drainage_kernels.h"
#include "vector/random.h"

/* Cells in whole vectors: rows are short, and the rest of one, cell by cell, would take as long as
 * all of it. Rows have room for them. */
static inline uint32_t drainage_whole(uint32_t count)
{
    return (count + 15) / 16 * 16;
}

static inline float drainage_min(float a, float b)
{
    return a < b ? a : b;
}

static inline float drainage_max(float a, float b)
{
    return a > b ? a : b;
}

static inline float drainage_from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline uint32_t drainage_to_bits(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* log2 x of a normal x > 0, exact for powers of two; error below 1.6e-5. */
static inline float drainage_log2(float x)
{
    uint32_t bits = drainage_to_bits(x);
    float exponent = (float)((int32_t)(bits >> 23) - 127);
    float f = drainage_from_bits((bits & 0x7FFFFF) | 0x3F800000) - 1;
    return exponent +
           (f + f * (1 - f) *
                    (0.44191700F + f * (-0.26717916F + f * (0.14842607F + f * -0.045148674F))));
}

/* The largest whole number not above x; |x| < 2^22. Adding 1.5 * 2^23 rounds to a whole
 * number. */
static inline float drainage_floor(float x)
{
    float nearest = (x + 12582912.0F) - 12582912.0F;
    return nearest > x ? nearest - 1 : nearest;
}

/* 2^x of -100 <= x <= 100, exact for whole numbers; relative error below 3.4e-6. */
static inline float drainage_exp2(float x)
{
    float whole = drainage_floor(x);
    float f = x - whole;
    float scale = drainage_from_bits((uint32_t)((int32_t)whole + 127) << 23);
    return scale * (1 + f + f * (f - 1) * (0.30696788F + f * (0.065588117F + f * 0.013555741F)));
}

static inline float drainage_within(float x, float low, float high)
{
    float y = x > low ? x : low;
    return y < high ? y : high;
}

static inline float drainage_fade(float t)
{
    return t * t * t * (t * (6 * t - 15) + 10);
}

/* The eight values around column i of three rows, from the east on clockwise. */
#define DRAINAGE_AROUND(n, z, s, i)                                                                \
    (z)[(i) + 1], (s)[(i) + 1], (s)[i], (s)[(i)-1], (z)[(i)-1], (n)[(i)-1], (n)[i], (n)[(i) + 1]

/* The one of eight values, from the east on clockwise, that lies in direction r, 0 to 7. Bit by
 * bit: of eight comparisons compilers make a jump. */
static inline float drainage_towards(int32_t r, float e, float se, float s, float sw, float w,
                                     float nw, float n, float ne)
{
    float east = (r & 1) != 0 ? se : e;
    float south = (r & 1) != 0 ? sw : s;
    float west = (r & 1) != 0 ? nw : w;
    float north = (r & 1) != 0 ? ne : n;
    east = (r & 2) != 0 ? south : east;
    west = (r & 2) != 0 ? north : west;
    return (r & 4) != 0 ? west : east;
}

/* Moves every bit of h into every bit of the result. */
static inline uint32_t drainage_scramble(uint32_t h)
{
    return terrain__random_bits(0, h);
}

#endif
