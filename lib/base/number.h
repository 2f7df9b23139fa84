/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Numbers as text, without the locale, and the same everywhere. */

#ifndef TERRAIN_BASE_NUMBER_H
#define TERRAIN_BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TERRAIN__NUMBER_SIZE = 32 };

/* The whole text must be a number: digits with an optional sign, point and exponent, or inf, -inf.
 * At most 15 significant digits, and a decimal exponent (of the last of them) within +-22, or above
 * that as far as zeros can stand in for the missing digits (1e36 has one): what double arithmetic
 * reads exactly rounded. False for anything else. */
bool terrain__parse_double(const char *text, size_t size, double *value);
bool terrain__parse_int64(const char *text, size_t size, int64_t *value);
bool terrain__parse_uint64(const char *text, size_t size, uint64_t *value);

/* The shortest text, of at most 9 digits, that is read as an equal float, if its size is 0 or from
 * 1e-13 to 1e37; "nan" for NaN, which terrain__parse_double does not read. Returns its length. */
size_t terrain__format_float(char text[TERRAIN__NUMBER_SIZE], float value);

/* A number for messages, to the digits of a float. printf's point depends on the host's locale. */
const char *terrain__format_number(char text[TERRAIN__NUMBER_SIZE], double value);

/* "4096 bytes", for messages; in words if memory has not as many. */
const char *terrain__format_bytes(char text[TERRAIN__NUMBER_SIZE], uint64_t bytes);

#endif
