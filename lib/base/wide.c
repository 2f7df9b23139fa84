/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Whole numbers of 1024 bits. Used a few times for each thousand cells: simple, not fast. */

#include "base/wide.h"

#include <string.h>

enum { WORDS = TERRAIN__WIDE_WORDS };

/* to += value from the word at `first` upwards, times 1 or -1. */
static void wide_accumulate(terrain__wide *to, const uint32_t *value, uint32_t count,
                            uint32_t first, bool negative)
{
    uint64_t carry = negative;
    for (uint32_t i = first; i < WORDS; i++) {
        uint32_t word = i - first < count ? value[i - first] : 0;
        carry += (uint64_t)to->words[i] + (negative ? ~word : word);
        to->words[i] = (uint32_t)carry;
        carry >>= 32;
    }
}

void terrain__wide_add(terrain__wide *to, const terrain__wide *value)
{
    wide_accumulate(to, value->words, WORDS, 0, false);
}

void terrain__wide_subtract(terrain__wide *to, const terrain__wide *value)
{
    wide_accumulate(to, value->words, WORDS, 0, true);
}

/* A double is mantissa * 2^exponent, with a mantissa below 2^53. */
void terrain__wide_add_double(terrain__wide *to, double value, int unit)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint64_t mantissa = bits & ((UINT64_C(1) << 52) - 1);
    int biased = (int)(bits >> 52 & 0x7FF);
    if (biased != 0) {
        mantissa |= UINT64_C(1) << 52;
    }
    int shift = (biased != 0 ? biased : 1) - 1075 + unit;
    if (mantissa == 0) {
        return;
    }
    if (shift < 0) {
        mantissa >>= -shift; /* nothing is lost: the value is a whole number of units */
        shift = 0;
    }
    uint64_t low = (mantissa & UINT32_MAX) << (shift % 32);
    uint64_t high = (mantissa >> 32) << (shift % 32);
    high += low >> 32;
    const uint32_t words[3] = {(uint32_t)low, (uint32_t)high, (uint32_t)(high >> 32)};
    wide_accumulate(to, words, 3, (uint32_t)shift / 32, bits >> 63 != 0);
}

bool terrain__wide_is_negative(const terrain__wide *value)
{
    return value->words[WORDS - 1] >> 31 != 0;
}

terrain__wide terrain__wide_magnitude(const terrain__wide *value)
{
    terrain__wide magnitude = *value;
    if (terrain__wide_is_negative(value)) {
        memset(&magnitude, 0, sizeof magnitude);
        terrain__wide_subtract(&magnitude, value);
    }
    return magnitude;
}

terrain__wide terrain__wide_product(const terrain__wide *a, const terrain__wide *b)
{
    terrain__wide product = {{0}};
    for (uint32_t i = 0; i < WORDS; i++) {
        uint64_t carry = 0;
        for (uint32_t k = 0; i + k < WORDS; k++) {
            carry += product.words[i + k] + (uint64_t)a->words[i] * b->words[k];
            product.words[i + k] = (uint32_t)carry;
            carry >>= 32;
        }
    }
    return product;
}

terrain__wide terrain__wide_of(uint64_t value)
{
    terrain__wide wide = {{(uint32_t)value, (uint32_t)(value >> 32)}};
    return wide;
}

terrain__wide terrain__wide_shifted(const terrain__wide *value, uint32_t bits)
{
    terrain__wide shifted = {{0}};
    uint32_t words = bits / 32;
    memcpy(shifted.words + words, value->words, (WORDS - words) * sizeof *value->words);
    return shifted;
}

static uint32_t wide_bit(const terrain__wide *value, uint32_t bit)
{
    return value->words[bit / 32] >> (bit % 32) & 1;
}

bool terrain__wide_divide(terrain__wide *value, uint64_t divisor)
{
    terrain__wide quotient = {{0}};
    uint64_t rest = 0;
    for (uint32_t bit = 32 * WORDS; bit-- > 0;) {
        rest = rest << 1 | wide_bit(value, bit);
        if (rest >= divisor) {
            rest -= divisor;
            quotient.words[bit / 32] |= UINT32_C(1) << (bit % 32);
        }
    }
    *value = quotient;
    return rest != 0;
}

double terrain__wide_to_double(const terrain__wide *value, bool rest, int unit)
{
    uint32_t top = 32 * WORDS;
    while (top > 0 && wide_bit(value, top - 1) == 0) {
        top--;
    }
    if (top == 0) {
        return 0;
    }
    /* 53 bits from the top, then one to round by, then whether anything follows. */
    uint64_t mantissa = 0;
    uint32_t half = 0;
    for (uint32_t i = 0; i < 54; i++) {
        uint32_t bit = i < top ? wide_bit(value, top - 1 - i) : 0;
        mantissa = i < 53 ? mantissa << 1 | bit : mantissa;
        half = bit;
    }
    for (uint32_t i = 54; i < top && !rest; i++) {
        rest = wide_bit(value, top - 1 - i) != 0;
    }
    mantissa += half != 0 && (rest || (mantissa & 1) != 0);
    /* The sum of the two carries into the exponent where rounding reached the next power of two. */
    uint64_t bits = ((uint64_t)((int)top - 1 - unit + 1022) << 52) + mantissa;
    double result;
    memcpy(&result, &bits, sizeof result);
    return result;
}
