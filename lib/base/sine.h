/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What terrain__sin and terrain__cos are made of, for loops that compute many. */

#ifndef TERRAIN_BASE_SINE_H
#define TERRAIN_BASE_SINE_H

/* pi/2 as a sum: the first two parts have 33 bits each, so that their products with the quotients
 * that occur (below 2^20) are exact. */
#define TERRAIN__HALF_PI_HIGH 0x1.921fb544p+0
#define TERRAIN__HALF_PI_MIDDLE 0x1.0b4611a6p-34
#define TERRAIN__HALF_PI_LOW 0x1.3198a2e037073p-69

/* |x| <= pi/4. Taylor's series; the first term left out is below 1e-19. */
static inline double terrain__sine_series(double x)
{
    double z = x * x;
    double p = 1.0 / 355687428096000.0;
    p = p * z - 1.0 / 1307674368000.0;
    p = p * z + 1.0 / 6227020800.0;
    p = p * z - 1.0 / 39916800.0;
    p = p * z + 1.0 / 362880.0;
    p = p * z - 1.0 / 5040.0;
    p = p * z + 1.0 / 120.0;
    p = p * z - 1.0 / 6.0;
    return x + x * (z * p);
}

static inline double terrain__cosine_series(double x)
{
    double z = x * x;
    double p = 1.0 / 20922789888000.0;
    p = p * z - 1.0 / 87178291200.0;
    p = p * z + 1.0 / 479001600.0;
    p = p * z - 1.0 / 3628800.0;
    p = p * z + 1.0 / 40320.0;
    p = p * z - 1.0 / 720.0;
    p = p * z + 1.0 / 24.0;
    p = p * z - 0.5;
    return 1.0 + z * p;
}

/* x less `quotient` times pi/2. */
static inline double terrain__less_quarters(double x, double quotient)
{
    return ((x - quotient * TERRAIN__HALF_PI_HIGH) - quotient * TERRAIN__HALF_PI_MIDDLE) -
           quotient * TERRAIN__HALF_PI_LOW;
}

#endif
