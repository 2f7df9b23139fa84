/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "base/math.h"

#include <string.h>

#include "base/sine.h"

/* The nearest integer to x / (pi/2), and what is left of x. */
static int64_t math_reduce(double x, double *rest)
{
    double scaled = x * (2.0 / TERRAIN__PI);
    int64_t quotient = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    *rest = terrain__less_quarters(x, (double)quotient);
    return quotient;
}

static double math_quadrant(int64_t quadrant, double x)
{
    double value = (quadrant & 1) != 0 ? terrain__cosine_series(x) : terrain__sine_series(x);
    return (quadrant & 2) != 0 ? -value : value;
}

double terrain__sin(double x)
{
    double rest;
    int64_t quotient = math_reduce(x, &rest);
    return math_quadrant(quotient, rest);
}

double terrain__cos(double x)
{
    double rest;
    int64_t quotient = math_reduce(x, &rest);
    return math_quadrant(quotient + 1, rest);
}

/* Both series side by side, and no jump that depends on the quadrant: bits are chosen. */
void terrain__sine_cosine(double x, double *sine, double *cosine)
{
    double rest;
    const uint64_t quotient = (uint64_t)math_reduce(x, &rest);
    const double series[2] = {terrain__sine_series(rest), terrain__cosine_series(rest)};
    uint64_t bits[2];
    memcpy(bits, series, sizeof bits);
    const uint64_t swap = (bits[0] ^ bits[1]) & (0 - (quotient & 1));
    bits[0] ^= swap ^ (quotient & 2) << 62;
    bits[1] ^= swap ^ ((quotient + 1) & 2) << 62;
    memcpy(sine, &bits[0], sizeof *sine);
    memcpy(cosine, &bits[1], sizeof *cosine);
}

static double math_power_of_two(int64_t exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* ln 2 as a sum whose first part has 33 bits. */
#define LN2_HIGH 0x1.62e42fefp-1
#define LN2_LOW 0x1.473de6af278edp-34
#define LN2_INVERSE 0x1.71547652b82fep+0

double terrain__exp(double x)
{
    double clamped = x < -700 ? -700 : x > 700 ? 700 : x;
    double scaled = clamped * LN2_INVERSE;
    int64_t exponent = (int64_t)(scaled < 0 ? scaled - 0.5 : scaled + 0.5);
    double k = (double)exponent;
    double r = (clamped - k * LN2_HIGH) - k * LN2_LOW;
    /* |r| <= 0.347; the first term left out, r^14 / 14!, is below 5e-18. */
    double p = 1.0 / 6227020800.0;
    p = p * r + 1.0 / 479001600.0;
    p = p * r + 1.0 / 39916800.0;
    p = p * r + 1.0 / 3628800.0;
    p = p * r + 1.0 / 362880.0;
    p = p * r + 1.0 / 40320.0;
    p = p * r + 1.0 / 5040.0;
    p = p * r + 1.0 / 720.0;
    p = p * r + 1.0 / 120.0;
    p = p * r + 1.0 / 24.0;
    p = p * r + 1.0 / 6.0;
    p = p * r + 0.5;
    p = p * (r * r) + r;
    return (1.0 + p) * math_power_of_two(exponent);
}

double terrain__log(double x)
{
    uint64_t bits;
    double m;
    memcpy(&bits, &x, sizeof bits);
    int64_t exponent = (int64_t)(bits >> 52) - 1023;
    bits = (bits & UINT64_C(0x000FFFFFFFFFFFFF)) | UINT64_C(0x3FF0000000000000);
    memcpy(&m, &bits, sizeof m);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    /* ln m = 2 artanh s with s = (m - 1) / (m + 1), |s| <= 0.172: series to s^23, rest below
     * 1e-19. */
    double s = (m - 1.0) / (m + 1.0);
    double z = s * s;
    double p = 1.0 / 23.0;
    for (int odd = 21; odd >= 3; odd -= 2) {
        p = p * z + 1.0 / odd;
    }
    double k = (double)exponent;
    return k * LN2_HIGH + (2.0 * s + (2.0 * s * z * p + k * LN2_LOW));
}

double terrain__pow(double x, double y)
{
    return terrain__exp(y * terrain__log(x));
}
