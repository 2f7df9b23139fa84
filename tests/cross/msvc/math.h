/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#pragma once

#define INFINITY ((float)(1e300 * 1e300))
#define NAN __builtin_nanf("")

double sqrt(double);
float sqrtf(float);
double fabs(double);
float fabsf(float);

#define isnan(a) __builtin_isnan(a)
#define isinf(a) __builtin_isinf(a)
#define isfinite(a) __builtin_isfinite(a)
#define signbit(a) __builtin_signbit(a)
