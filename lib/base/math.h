/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Elementary functions made of + - * / alone, so that they give the same bits everywhere; the C
 * library's don't. For params and tables, in double; kernels have their own polynomials. The errors
 * are measured against long double by tests/core/test_math.c. */

#ifndef TERRAIN_BASE_MATH_H
#define TERRAIN_BASE_MATH_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define TERRAIN__PI 3.14159265358979323846
#define TERRAIN__LN2 0.69314718055994530942 /* terrain__log(2) */

/* |x| <= 1e6; error below 1e-15 absolute. */
double terrain__sin(double x);
double terrain__cos(double x);
/* Both, in the time of one. */
void terrain__sine_cosine(double x, double *sine, double *cosine);
/* Relative error below 4e-16 * (1 + |x|) within -700 to 700; clamped to that range. */
double terrain__exp(double x);
/* x > 0, normal; error below 1e-15 relative or absolute. */
double terrain__log(double x);
/* x > 0: exp(y log x). */
double terrain__pow(double x, double y);

/* Rounded as the hardware's instruction does it, which IEEE 754 fixes. With -fno-math-errno this is
 * one instruction and needs no libm. */
static inline double terrain__sqrt(double x)
{
#if defined(__GNUC__)
    return __builtin_sqrt(x);
#else
    extern double sqrt(double);
    return sqrt(x);
#endif
}

static inline float terrain__sqrtf(float x)
{
#if defined(__GNUC__)
    return __builtin_sqrtf(x);
#else
    extern float sqrtf(float);
    return sqrtf(x);
#endif
}

/* 1 / d for 2^-20 <= d <= 2^20: a division in float, and one step of Newton's. Its relative error
 * is below 2^-45; vectors of it take a fifth of the time of a division in double. */
static inline double terrain__inverse(double d)
{
    double r = (double)(1 / (float)d);
    return r * (2 - d * r);
}

/* The upper 12 bits: adding and subtracting 2^12 times the number drops the others. */
static inline float terrain__upper_bits(double v)
{
    const double rounding = v * 0x1p41;
    return (float)((v + rounding) - rounding);
}

/* The largest integer not above t, for |t| < 2^51; some number near t beyond. */
static inline double terrain__floor(double t)
{
    double nearest = (t + 0x1.8p52) - 0x1.8p52;
    return nearest > t ? nearest - 1 : nearest;
}

static inline double terrain__absolute(double x)
{
    return x < 0 ? -x : x;
}

static inline float terrain__absolutef(float x)
{
    return x < 0 ? -x : x;
}

/* The next float above x, which is below infinity. */
static inline float terrain__next_above(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = x > 0 ? bits + 1 : x < 0 ? bits - 1 : 1;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double terrain__clamp(double x, double low, double high)
{
    return x < low ? low : x > high ? high : x;
}

static inline uint32_t terrain__lesser(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static inline uint32_t terrain__greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* a / b, rounded up. */
static inline uint32_t terrain__divide_up(uint32_t a, uint32_t b)
{
    return a / b + (a % b != 0);
}

static inline bool terrain__is_power_of_two(uint32_t x)
{
    return x != 0 && (x & (x - 1)) == 0;
}

/* How many bits are set. */
static inline uint32_t terrain__count_bits(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_popcountll(bits);
#else
    uint32_t count = 0;
    for (; bits != 0; bits &= bits - 1) {
        count++;
    }
    return count;
#endif
}

/* The number of the lowest bit that is set; bits != 0. */
static inline uint32_t terrain__lowest_bit(uint64_t bits)
{
#if defined(__GNUC__)
    return (uint32_t)__builtin_ctzll(bits);
#else
    return terrain__count_bits((bits & (~bits + 1)) - 1);
#endif
}

/* Integer division that rounds towards minus infinity, and its remainder, 0 <= r < divisor. */
static inline int64_t terrain__floor_div(int64_t value, int64_t divisor)
{
    int64_t quotient = value / divisor;
    return quotient - (value % divisor < 0);
}

static inline int64_t terrain__floor_mod(int64_t value, int64_t divisor)
{
    int64_t rest = value % divisor;
    return rest < 0 ? rest + divisor : rest;
}

/* a - b, cut to +-limit: for places of the world, whose difference may not fit. */
static inline int64_t terrain__difference_within(int64_t a, int64_t b, int64_t limit)
{
    uint64_t distance = a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a;
    int64_t cut = distance < (uint64_t)limit ? (int64_t)distance : limit;
    return a > b ? cut : -cut;
}

/* value / 2^shift, rounded towards minus infinity; C leaves the shift of a negative number open. */
static inline int64_t terrain__floor_shift(int64_t value, uint32_t shift)
{
    return value >= 0 ? value >> shift : ~(~value >> shift);
}

#endif
