/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What both programs share: the clock, arguments, and ends. */

#ifndef BENCH_COMMON_H
#define BENCH_COMMON_H

#include <stdbool.h>
#include <terrain/terrain.h>

/* From now on bench_now tells processor time instead of elapsed time, which counts nothing that
 * other processes do meanwhile; of more than one thread it would be the sum. False if the system
 * has none. */
bool bench_take_processor_time(void);
/* "processor" or "elapsed". */
const char *bench_time_name(void);
double bench_now(void); /* seconds */

void bench_sort(double *values, uint32_t count);

/* A whole number from `least` to 2^32 - 1; *rest is what follows it. */
bool bench_read_number(const char *text, uint32_t least, uint32_t *number, const char **rest);

/* What the program is called: each has it. */
extern const char bench_name[];
/* Ends the program if a call failed: `program: what: the status, the context's message`. */
void bench_check(terrain_status status, const terrain_context *context, const char *what);

#endif
