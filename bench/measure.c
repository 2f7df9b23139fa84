/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "measure.h"

void bench_host_create(bench_host *host, uint32_t threads, uint32_t isa)
{
    *host = (bench_host){.threads = threads};
    terrain_context_desc_init(&host->desc, sizeof host->desc);
    host->desc.max_isa = isa;
    if (threads > 1) {
        bench_check(terrain_pool_create(threads, &host->pool), NULL, "pool");
        terrain_pool_runner(host->pool, &host->desc.runner);
    }
    bench_check(terrain_context_create(&host->desc, &host->context), NULL, "context");
}

void bench_host_destroy(bench_host *host)
{
    terrain_context_destroy(host->context);
    terrain_pool_destroy(host->pool);
}

struct samples {
    double copies[BENCH_MOST_ROUNDS];
    double runs[BENCH_MOST_ROUNDS];
    double ratios[BENCH_MOST_ROUNDS];
    double total;
};

/* Sorts. */
static void summarize(struct samples *samples, uint32_t rounds, bench_times *times)
{
    bench_sort(samples->copies, rounds);
    bench_sort(samples->runs, rounds);
    bench_sort(samples->ratios, rounds);
    times->minimum = samples->runs[0];
    times->median = samples->runs[rounds / 2];
    times->copy_minimum = samples->copies[0];
    times->copy_median = samples->copies[rounds / 2];
    times->ratio = samples->ratios[rounds / 2];
    times->rounds = rounds;
}

/* The first copy gives the run its terrain back and warms the caches for the second. */
static void one_round(bench_work *work, bench_host *host, struct samples *samples, uint32_t round)
{
    bench_work_copy(work);
    double start = bench_now();
    bench_work_copy(work);
    double copied = bench_now();
    bench_work_run(work, host->context, &host->desc);
    double done = bench_now();
    samples->copies[round] = copied - start;
    samples->runs[round] = done - copied;
    samples->ratios[round] = (done - copied) / (copied - start);
    samples->total += done - start;
}

void bench_measure(bench_work *work, bench_host *hosts, uint32_t host_count, double seconds,
                   bench_times *times)
{
    static struct samples samples[BENCH_MOST_HOSTS];
    uint32_t rounds = 0;
    double total = 0;
    for (uint32_t i = 0; i < host_count; i++) {
        samples[i].total = 0;
        one_round(work, &hosts[i], &samples[i], 0);
        samples[i].total = 0;
    }
    while (rounds < BENCH_LEAST_ROUNDS ||
           (rounds < BENCH_MOST_ROUNDS && total < seconds * host_count)) {
        total = 0;
        for (uint32_t i = 0; i < host_count; i++) {
            one_round(work, &hosts[i], &samples[i], rounds);
            total += samples[i].total;
        }
        rounds++;
    }
    for (uint32_t i = 0; i < host_count; i++) {
        summarize(&samples[i], rounds, &times[i]);
    }
}
