/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Whole numbers of 1024 bits, for sums that must be exact: 32 words, the lowest first; negative
 * ones as the complement of two. */

#ifndef TERRAIN_BASE_WIDE_H
#define TERRAIN_BASE_WIDE_H

#include <stdbool.h>
#include <stdint.h>

enum { TERRAIN__WIDE_WORDS = 32 };

typedef struct terrain__wide {
    uint32_t words[TERRAIN__WIDE_WORDS];
} terrain__wide;

/* to += value */
void terrain__wide_add(terrain__wide *to, const terrain__wide *value);
/* to -= value */
void terrain__wide_subtract(terrain__wide *to, const terrain__wide *value);

/* to += value * 2^unit, which must be a whole number; value is finite. */
void terrain__wide_add_double(terrain__wide *to, double value, int unit);

bool terrain__wide_is_negative(const terrain__wide *value);
/* The value without its sign. */
terrain__wide terrain__wide_magnitude(const terrain__wide *value);
/* a * b, neither negative, which must be below 2^1024. */
terrain__wide terrain__wide_product(const terrain__wide *a, const terrain__wide *b);
terrain__wide terrain__wide_of(uint64_t value);
/* value * 2^bits, bits a multiple of 32 */
terrain__wide terrain__wide_shifted(const terrain__wide *value, uint32_t bits);
/* value / divisor rounded down, for value >= 0 and 0 < divisor < 2^63; true if there was a rest. */
bool terrain__wide_divide(terrain__wide *value, uint64_t divisor);

/* value * 2^-unit, value >= 0, rounded to the nearest double, ties to even. `rest`: the true value
 * is a little above. The result must be within the range of normal doubles. */
double terrain__wide_to_double(const terrain__wide *value, bool rest, int unit);

#endif
