/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Random numbers without a sequence: each is a hash of seed, operation key, draw, and world cell or
 * feature index. All 64 bits of a coordinate enter, so nothing repeats within +-2^62.
 *
 *     stream = terrain__random_stream(seed, TERRAIN__KEY_…, TERRAIN__DRAW_…)
 *     row    = terrain__random_row(stream, y)
 *     column = terrain__random_column(row, x)            changes only where x's high word does
 *     bits   = terrain__random_bits(column, (uint32_t)x)
 *
 * The last step is 32-bit work, which vector/random_vec.h does lane for lane. */

#ifndef TERRAIN_VECTOR_RANDOM_H
#define TERRAIN_VECTOR_RANDOM_H

#include <stdint.h>

/* The finaliser of MurmurHash3, a bijection that moves every input bit into every output bit. */
static inline uint64_t terrain__scramble(uint64_t h)
{
    h ^= h >> 33;
    h *= UINT64_C(0xFF51AFD7ED558CCD);
    h ^= h >> 33;
    h *= UINT64_C(0xC4CEB9FE1A85EC53);
    h ^= h >> 33;
    return h;
}

/* Hash of two words; not symmetric. The odd constant (the golden ratio's) moves 0 off the
 * finaliser's fixed point. */
static inline uint64_t terrain__mix(uint64_t a, uint64_t b)
{
    return terrain__scramble(terrain__scramble(a + UINT64_C(0x9E3779B97F4A7C15)) + b);
}

static inline uint64_t terrain__random_stream(uint64_t seed, uint32_t key, uint32_t draw)
{
    return terrain__mix(seed, (uint64_t)key << 32 | draw);
}

static inline uint64_t terrain__random_row(uint64_t stream, int64_t y)
{
    return terrain__mix(stream, (uint64_t)y);
}

static inline uint64_t terrain__random_column(uint64_t row, int64_t x)
{
    return terrain__mix(row, (uint64_t)x >> 32);
}

/* How many of `count` columns from x on share its high word, and so its terrain__random_column. */
static inline uint32_t terrain__random_run(int64_t x, uint32_t count)
{
    const uint64_t run = (UINT64_C(1) << 32) - (uint32_t)x;
    return run < count ? (uint32_t)run : count;
}

/* Two multiplications with the constants of Wellons' lowbias32; the column's low word enters before
 * the first, its high word before the second. */
static inline uint32_t terrain__random_bits(uint64_t column, uint32_t x)
{
    uint32_t h = x ^ (uint32_t)column;
    h ^= h >> 16;
    h *= UINT32_C(0x7FEB352D);
    h ^= h >> 15;
    h += (uint32_t)(column >> 32);
    h *= UINT32_C(0x846CA68B);
    h ^= h >> 16;
    return h;
}

/* All steps from a stream to the bits of one cell. */
static inline uint32_t terrain__random_cell(uint64_t stream, int64_t x, int64_t y)
{
    return terrain__random_bits(terrain__random_column(terrain__random_row(stream, y), x),
                                (uint32_t)x);
}

/* [0, 1) in steps of 2^-24. */
static inline float terrain__unit_float(uint32_t bits)
{
    return (float)(bits >> 8) * 0x1p-24f;
}

/* [-1, 1) in steps of 2^-23. */
static inline float terrain__signed_float(uint32_t bits)
{
    return (float)((int32_t)(bits >> 8) - 0x800000) * 0x1p-23f;
}

/* [0, 1) in steps of 2^-53, of the index-th feature of a stream. */
static inline double terrain__unit_double(uint64_t stream, uint64_t index)
{
    return (double)(terrain__mix(stream, index) >> 11) * 0x1p-53;
}

#endif
