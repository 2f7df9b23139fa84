/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#define _POSIX_C_SOURCE 199309L /* clock_gettime */

#include "common.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static bool of_processor;

bool bench_take_processor_time(void)
{
#ifdef CLOCK_PROCESS_CPUTIME_ID
    of_processor = true;
#endif
    return of_processor;
}

const char *bench_time_name(void)
{
    return of_processor ? "processor" : "elapsed";
}

double bench_now(void)
{
    struct timespec time;
#ifdef CLOCK_PROCESS_CPUTIME_ID
    clock_gettime(of_processor ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
#else
    timespec_get(&time, TIME_UTC);
#endif
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

void bench_sort(double *values, uint32_t count)
{
    qsort(values, count, sizeof *values, compare);
}

bool bench_read_number(const char *text, uint32_t least, uint32_t *number, const char **rest)
{
    char *end;
    const unsigned long long value = strtoull(text, &end, 10);
    *rest = end;
    *number = (uint32_t)value;
    return *text >= '0' && *text <= '9' && value >= least && value <= UINT32_MAX;
}

void bench_check(terrain_status status, const terrain_context *context, const char *what)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s: %s: %s %s\n", bench_name, what, terrain_status_name(status),
                terrain_context_message(context));
        exit(1);
    }
}
