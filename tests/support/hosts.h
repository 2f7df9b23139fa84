/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Hosts, friendly and hostile: runners, allocators and contexts. */

#ifndef TEST_HOSTS_H
#define TEST_HOSTS_H

#include <pthread.h>
#include <stdbool.h>

#include "terrain/context.h"

/* ---- Runners ------------------------------------------------------------------------------- */

enum {
    TEST_RUN_SERIAL = 0,
    TEST_RUN_REVERSE = 1,
    TEST_RUN_SHUFFLE = 2,
    TEST_RUN_THREADS = 3, /* a thread for each task */
    TEST_RUN_TWICE = 4,   /* each task once more, at the end, and one that there is not */
    TEST_RUN_KINDS = 5,   /* up to here the result must be right */
    TEST_RUN_FAIL = 6,    /* returns an error before its `limit`-th task, counted over all runs */
    TEST_RUN_DROP = 7,    /* silently leaves that task out */
    TEST_RUN_CANCEL = 8,  /* cancels `context` before that task, and goes on */
    TEST_RUN_GIVE_UP = 9  /* cancels it, and returns an error */
};

typedef struct test_runner {
    int kind;
    uint64_t limit;
    terrain_context *context; /* TEST_RUN_CANCEL, _GIVE_UP */
    uint64_t tasks;           /* tasks seen so far */
    uint64_t runs;
    uint64_t seed;
} test_runner;

const char *test_runner_name(int kind);

/* What goes into a desc; `runner` must outlive the context. */
terrain_runner test_runner_of(test_runner *runner);

/* ---- Allocators ---------------------------------------------------------------------------- */

/* Counts, fails at the `fail_at`-th allocation (from 1; 0: never) and where there is no room, fills
 * what it gives with NaN, and notices wrong sizes at free, broken alignment, writes past the end,
 * and calls from another thread than the first, unless any may call it, one at a time. */
typedef struct test_allocator {
    pthread_t thread; /* once calls is not 0 */
    bool any_thread;
    uint64_t fail_at;
    uint64_t room; /* bytes at a time; 0: as many as an address can tell */
    uint64_t calls;
    uint64_t live; /* blocks not yet freed */
    uint64_t live_bytes;
    uint64_t most_bytes;
    uint64_t faults;
} test_allocator;

terrain_allocator test_allocator_of(test_allocator *allocator);

/* ---- Progress ------------------------------------------------------------------------------ */

/* Cancels at the `cancel_at`-th report (from 1; 0: never), and checks that the share never
 * falls. */
typedef struct test_progress {
    uint64_t cancel_at;
    uint64_t reports;
    uint64_t ends; /* reports of 1 */
    double last;
    uint64_t faults;
} test_progress;

terrain_progress test_progress_of(test_progress *progress);

/* ---- Contexts ------------------------------------------------------------------------------ */

/* Each of the three may be NULL. Aborts if the context can't be created. */
terrain_context *test_context(uint32_t isa, test_runner *runner, test_allocator *allocator,
                              test_progress *progress);
/* With all defaults: for the messages, which a call without a context can't leave. */
terrain_context *test_plain_context(void);
/* One that reports to a function of the test's. */
terrain_context *test_context_reporting(int32_t (*report)(void *user, double fraction), void *user);
/* On a pool of its own; destroy both. */
terrain_context *test_context_on_pool(uint32_t isa, terrain_pool *pool);

/* Calls work(user) on this thread and on others at once, `threads` in all, at most 16. */
void test_on_threads(uint32_t threads, void *(*work)(void *), void *user);

/* The instruction sets that exist here, TERRAIN_ISA_BASELINE first. Says loudly, once, which known
 * ones of this processor's family are missing from the machine or the build. */
uint32_t test_isa_count(void);
uint32_t test_isa_at(uint32_t index);
const char *test_isa_name(uint32_t isa);

/* ---- Locales ------------------------------------------------------------------------------- */

/* Sets a locale with a decimal comma; says so if the machine has none. */
void test_set_comma_locale(void);

#endif
