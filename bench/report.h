/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What is printed: a table, or JSON. */

#ifndef BENCH_REPORT_H
#define BENCH_REPORT_H

#include <stdio.h>

#include "measure.h"

/* One row. */
typedef struct bench_result {
    const bench_case *what;
    const char *peer; /* the library that did it, NULL for this one */
    uint32_t width;
    uint32_t height;
    uint32_t threads;
    uint32_t divisor;
    uint32_t traffic;
    bench_times times;
    double one_thread; /* seconds of the same on one thread of ours; 0 if unknown */
    double target;     /* as a multiple of the copy's time; 0 for none */
} bench_result;

/* Opens a file of targets. A line is a case, a size and a number: how many times as long as a copy
 * of the map the case should take on one thread. False, with words on stderr, if it can't be read.
 */
bool bench_targets_read(const char *path);
/* 0 if there is none. */
double bench_target(const char *name, uint32_t width, uint32_t height);

void bench_report_begin(bool json, uint32_t isa);
void bench_report(bool json, const bench_result *result);
void bench_report_end(bool json);

/* Names of TERRAIN_ISA_…; false if there is none of that name. */
const char *bench_isa_name(uint32_t isa);
bool bench_isa_find(const char *name, uint32_t *isa);

#endif
