/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The random numbers of vector/random.h, lane for lane. */

#ifndef TERRAIN_VECTOR_RANDOM_VEC_H
#define TERRAIN_VECTOR_RANDOM_VEC_H

#include "vector/vec.h"

/* terrain__random_bits, of columns whose low and high words are given. */
static inline vuint vu_random_bits_of(vuint low, vuint high, vuint x)
{
    vuint h = x ^ low;
    h ^= h >> 16;
    h *= vu_set(UINT32_C(0x7FEB352D));
    h ^= h >> 15;
    h += high;
    h *= vu_set(UINT32_C(0x846CA68B));
    h ^= h >> 16;
    return h;
}

static inline vuint vu_random_bits(uint64_t column, vuint x)
{
    return vu_random_bits_of(vu_set((uint32_t)column), vu_set((uint32_t)(column >> 32)), x);
}

/* terrain__unit_float. */
static inline vfloat vf_unit(vuint bits)
{
    return vf_from_int(vi_from_bits(bits >> 8)) * vf_set(0x1p-24f);
}

/* terrain__signed_float. */
static inline vfloat vf_signed(vuint bits)
{
    return vf_from_int(vi_from_bits(bits >> 8) - vi_set(0x800000)) * vf_set(0x1p-23f);
}

/* The sum of the four bytes less its mean, 510: whole numbers, bell-shaped, of variance 21845. */
static inline vfloat vf_bell(vuint bits)
{
    vuint pairs =
        (bits & vu_set(UINT32_C(0x00FF00FF))) + (bits >> 8 & vu_set(UINT32_C(0x00FF00FF)));
    vuint sum = (pairs & vu_set(UINT32_C(0xFFFF))) + (pairs >> 16);
    return vf_from_int(vi_from_bits(sum) - vi_set(510));
}

#endif
