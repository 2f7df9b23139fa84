/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain-bench: how long each operation takes, and how that compares with a copy of the map. Times
 * don't travel between machines; ratios of times taken in one run do. */

#include <stdlib.h>
#include <string.h>

#include "report.h"

const char bench_name[] = "terrain-bench";

enum { MOST_SIZES = 8 };

struct options {
    const char *filter;
    const char *recipe;
    uint32_t isa;
    double seconds;
    bool json;
    bool list;
    bool peers;
    uint32_t size_count;
    uint32_t sizes[MOST_SIZES][2];
    uint32_t host_count;
    uint32_t threads[BENCH_MOST_HOSTS];
};

static const char usage[] =
    "Usage: terrain-bench [option]...\n"
    "  --filter TEXT     only cases whose name contains TEXT\n"
    "  --recipe TEXT     this case alone, as 'map = erode_thermal map talus=0.3'; the maps `map` "
    "and\n"
    "                    `other` hold terrain\n"
    "  --size WxH        instead of 512x512, 4096x4096 and 1021x769; may be given several times\n"
    "  --threads N,...   instead of 1,2\n"
    "  --isa NAME        at most baseline, avx2 or avx512\n"
    "  --seconds S       for each case, size and number of threads; default 0.3\n"
    "  --cpu-time        take processor time, on one thread: for machines that do other work, too\n"
    "  --peers           after each case, what other libraries take for it on one thread; the "
    "program\n"
    "                    must have been built with -Dpeers=auto\n"
    "  --targets FILE    compare with the ratios to reach\n"
    "  --json            print JSON\n"
    "  --list            print the cases\n";

static void fail(const char *option, const char *value)
{
    fprintf(stderr, "terrain-bench: can't use %s %s\n%s", option, value == NULL ? "" : value,
            usage);
    exit(2);
}

static bool read_threads(struct options *options, const char *text)
{
    for (options->host_count = 0; options->host_count < BENCH_MOST_HOSTS; text++) {
        uint32_t *threads = &options->threads[options->host_count++];
        if (!bench_read_number(text, 1, threads, &text) || *threads > 256) {
            return false;
        }
        if (*text != ',') {
            return *text == '\0';
        }
    }
    return false;
}

static bool read_size(struct options *options, const char *text)
{
    uint32_t *size = options->sizes[options->size_count];
    if (options->size_count == MOST_SIZES || !bench_read_number(text, 1, &size[0], &text) ||
        *text++ != 'x' || !bench_read_number(text, 1, &size[1], &text) || *text != '\0') {
        return false;
    }
    options->size_count++;
    return true;
}

/* Returns whether the option and its value could be used. */
static bool read_option(struct options *options, const char *option, const char *value)
{
    if (strcmp(option, "--filter") == 0) {
        options->filter = value;
        return true;
    }
    if (strcmp(option, "--recipe") == 0) {
        options->recipe = value;
        return true;
    }
    if (strcmp(option, "--size") == 0) {
        return read_size(options, value);
    }
    if (strcmp(option, "--threads") == 0) {
        return read_threads(options, value);
    }
    if (strcmp(option, "--isa") == 0) {
        return bench_isa_find(value, &options->isa);
    }
    if (strcmp(option, "--seconds") == 0) {
        char *end;
        options->seconds = strtod(value, &end);
        return *end == '\0' && options->seconds > 0 && options->seconds <= 1e6;
    }
    return strcmp(option, "--targets") == 0 && bench_targets_read(value);
}

static void read_options(struct options *options, int argc, char **argv)
{
    bool one_thread = false;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--json") == 0) {
            options->json = true;
        } else if (strcmp(argv[i], "--list") == 0) {
            options->list = true;
        } else if (strcmp(argv[i], "--peers") == 0 && bench_peers_exist()) {
            options->peers = true;
        } else if (strcmp(argv[i], "--cpu-time") == 0 && bench_take_processor_time()) {
            one_thread = true;
        } else if (strcmp(argv[i], "--help") == 0) {
            fputs(usage, stdout);
            exit(0);
        } else if (i + 1 == argc || !read_option(options, argv[i], argv[i + 1])) {
            fail(argv[i], i + 1 == argc ? NULL : argv[i + 1]);
        } else {
            i++;
        }
    }
    if (one_thread) {
        read_threads(options, "1");
    }
    if (options->size_count == 0) {
        read_size(options, "512x512");
        read_size(options, "4096x4096");
        read_size(options, "1021x769");
    }
}

/* The peers of a case whose own result this is. */
static void run_peers(const struct options *options, bench_work *work, const bench_result *ours)
{
    bench_result result = *ours;
    const bench_peer *peer;
    for (uint32_t i = 0; (peer = bench_peer_of(ours->what->name, i)) != NULL; i++) {
        bench_host host; /* which takes no part */
        bench_host_create(&host, 1, options->isa);
        bench_work_take_peer(work, peer);
        bench_measure(work, &host, 1, options->seconds, &result.times);
        bench_host_destroy(&host);
        result.peer = peer->name;
        result.threads = 1;
        result.divisor = 1;
        bench_report(options->json, &result);
    }
}

/* One case at one size, on all hosts. False if its recipe can't be read. */
static bool run_case(const struct options *options, const bench_case *what, bench_host *hosts,
                     const uint32_t *size)
{
    bench_times times[BENCH_MOST_HOSTS];
    bench_result result = {
        .what = what,
        .width = size[0] + what->extra,
        .height = size[1] + what->extra,
        .target = bench_target(what->name, size[0] + what->extra, size[1] + what->extra)};
    bench_work *work = bench_work_create(what, result.width, result.height);
    if (work == NULL) {
        return false;
    }
    result.divisor = bench_work_divisor(work);
    result.traffic = bench_work_traffic(work);
    bench_measure(work, hosts, options->host_count, options->seconds, times);
    for (uint32_t i = 0; i < options->host_count; i++) {
        result.threads = hosts[i].threads;
        result.times = times[i];
        if (result.threads == 1) {
            result.one_thread = times[i].minimum;
        }
        bench_report(options->json, &result);
    }
    if (options->peers) {
        run_peers(options, work, &result);
    }
    bench_work_destroy(work);
    return true;
}

/* The same at all sizes. */
static bool run_sizes(const struct options *options, const bench_case *what, bench_host *hosts)
{
    for (uint32_t i = 0; i < options->size_count; i++) {
        if (!run_case(options, what, hosts, options->sizes[i])) {
            return false;
        }
    }
    return true;
}

/* False if there is no case, or one can't be run; the others are run all the same. */
static bool run_cases(const struct options *options, bench_host *hosts)
{
    const bench_case *what;
    bool all = true, any = false;
    if (options->recipe != NULL) {
        bench_case given = {.name = options->recipe, .recipe = options->recipe};
        return run_sizes(options, &given, hosts);
    }
    for (uint32_t i = 0; (what = bench_case_at(i)) != NULL; i++) {
        if (strstr(what->name, options->filter) != NULL) {
            all = run_sizes(options, what, hosts) && all;
            any = true;
        }
    }
    if (!any) {
        fprintf(stderr, "terrain-bench: no case's name contains '%s': see --list\n",
                options->filter);
    }
    return all && any;
}

static void list_cases(const char *filter)
{
    const bench_case *what;
    for (uint32_t i = 0; (what = bench_case_at(i)) != NULL; i++) {
        if (strstr(what->name, filter) != NULL) {
            printf("%s\n", what->name);
        }
    }
}

/* glibc returns freed memory to the system, and takes large blocks straight from it, until a block
 * of that size has been freed once; from then on it keeps them, as in a program that has run for a
 * while. Without this a case would take longer alone than after others. */
static void warm_heap(void)
{
    void *volatile block = malloc((size_t)31 << 20); /* glibc keeps blocks of up to 32 MiB */
    free(block);
}

int main(int argc, char **argv)
{
    static struct options options = {
        .filter = "", .isa = TERRAIN_ISA_BEST, .seconds = 0.3, .host_count = 2, .threads = {1, 2}};
    bench_host hosts[BENCH_MOST_HOSTS];
    read_options(&options, argc, argv);
    if (options.list) {
        list_cases(options.filter);
        return 0;
    }
    warm_heap();
    for (uint32_t i = 0; i < options.host_count; i++) {
        bench_host_create(&hosts[i], options.threads[i], options.isa);
    }
    bench_report_begin(options.json, terrain_context_isa(hosts[0].context));
    bool all = run_cases(&options, hosts);
    bench_report_end(options.json);
    for (uint32_t i = 0; i < options.host_count; i++) {
        bench_host_destroy(&hosts[i]);
    }
    return all ? 0 : 1;
}
