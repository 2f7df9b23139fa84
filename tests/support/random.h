/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Random numbers of the tests: their own, so that a fault in the library's can't hide itself. */

#ifndef TEST_RANDOM_H
#define TEST_RANDOM_H

#include <stdint.h>

typedef struct test_random {
    uint64_t state;
} test_random;

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static inline uint64_t test_bits(test_random *random)
{
    uint64_t z = random->state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* 0 <= result < count; count of at least 1. Its bias is of no concern here. */
static inline uint64_t test_below(test_random *random, uint64_t count)
{
    return test_bits(random) % count;
}

/* low <= result <= high. */
static inline int64_t test_between(test_random *random, int64_t low, int64_t high)
{
    return (int64_t)((uint64_t)low + test_below(random, (uint64_t)high - (uint64_t)low + 1));
}

/* [0, 1). */
static inline double test_unit(test_random *random)
{
    return (double)(test_bits(random) >> 11) * 0x1p-53;
}

#endif
