/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Numbers as text, for files that hold millions of them: some twenty times as fast as printf. */

#ifndef TERRAIN_TOOL_DIGITS_H
#define TERRAIN_TOOL_DIGITS_H

#include <stdint.h>

/* The most bytes that one call writes. */
enum { DIGITS_MOST = 24 };

/* Each writes a number, without a final 0, and returns the end of what it wrote. */
char *digits_put_uint(char *at, uint32_t value);
/* A finite float, in 6 to 9 digits, fewer if they are zeros: strtof gives the same float back. */
char *digits_put_float(char *at, float value);

#endif
