/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Timing: a case and the copy of a map, in turns, so that what disturbs one disturbs both. */

#ifndef BENCH_MEASURE_H
#define BENCH_MEASURE_H

#include "work.h"

enum { BENCH_MOST_HOSTS = 8, BENCH_MOST_ROUNDS = 1000, BENCH_LEAST_ROUNDS = 5 };

/* Contexts that a case is run on: each a number of threads. */
typedef struct bench_host {
    uint32_t threads;
    terrain_pool *pool;
    terrain_context_desc desc;
    terrain_context *context;
} bench_host;

/* Seconds. */
typedef struct bench_times {
    double minimum;
    double median;
    double copy_minimum;
    double copy_median;
    double ratio; /* not seconds: the median of each run's time by that of the copy before it */
    uint32_t rounds;
} bench_times;

void bench_host_create(bench_host *host, uint32_t threads, uint32_t isa);
void bench_host_destroy(bench_host *host);

/* Runs the work on each of the hosts in turn, after one run for warming up, until `seconds` have
 * passed for each of them, at least BENCH_LEAST_ROUNDS times. */
void bench_measure(bench_work *work, bench_host *hosts, uint32_t host_count, double seconds,
                   bench_times *times);

#endif
