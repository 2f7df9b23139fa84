/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "support/hosts.h"

#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

/* ---- Runners ------------------------------------------------------------------------------- */

typedef void task_function(void *job, uint32_t index);

struct one_task {
    task_function *task;
    void *job;
    uint32_t index;
};

static void *run_one(void *user)
{
    struct one_task *one = user;
    one->task(one->job, one->index);
    return NULL;
}

static int32_t run_threads(uint32_t count, task_function *task, void *job)
{
    pthread_t threads[64];
    struct one_task tasks[64];
    bool started[64] = {false};
    for (uint32_t i = 0; i < count; i++) {
        tasks[i] = (struct one_task){task, job, i};
        started[i] = pthread_create(&threads[i], NULL, run_one, &tasks[i]) == 0;
        if (!started[i]) {
            run_one(&tasks[i]);
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (started[i]) {
            pthread_join(threads[i], NULL);
        }
    }
    return 0;
}

static void shuffle(uint32_t *order, uint32_t count, uint64_t seed)
{
    test_random random = {seed};
    for (uint32_t i = count; i > 1; i--) {
        uint32_t other = (uint32_t)test_below(&random, i);
        uint32_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

static int32_t hostile_run(void *user, uint32_t count, task_function *task, void *job)
{
    test_runner *runner = user;
    uint32_t order[64];
    if (count > 64) {
        abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = runner->kind == TEST_RUN_REVERSE ? count - 1 - i : i;
    }
    if (runner->kind == TEST_RUN_SHUFFLE) {
        shuffle(order, count, runner->seed + runner->runs);
    }
    runner->runs++;
    if (runner->kind == TEST_RUN_THREADS) {
        runner->tasks += count;
        return run_threads(count, task, job);
    }
    for (uint32_t i = 0; i < count; i++) {
        bool now = ++runner->tasks == runner->limit;
        if (now && runner->kind == TEST_RUN_FAIL) {
            return 1;
        }
        if (now && runner->kind == TEST_RUN_DROP) {
            continue;
        }
        if (now && (runner->kind == TEST_RUN_CANCEL || runner->kind == TEST_RUN_GIVE_UP)) {
            terrain_context_cancel(runner->context);
            if (runner->kind == TEST_RUN_GIVE_UP) {
                return 1;
            }
        }
        task(job, order[i]);
    }
    for (uint32_t i = 0; i <= count && runner->kind == TEST_RUN_TWICE; i++) {
        task(job, i < count ? order[i] : count);
    }
    return 0;
}

const char *test_runner_name(int kind)
{
    static const char *const names[] = {"serial", "reverse", "shuffle", "threads", "twice",
                                        "",       "fail",    "drop",    "cancel",  "give up"};
    return names[kind];
}

terrain_runner test_runner_of(test_runner *runner)
{
    terrain_runner result = {runner, hostile_run};
    return result;
}

/* ---- Allocators ---------------------------------------------------------------------------- */

enum { FENCE = 64 };

/* A tebibyte, or a gibibyte where addresses have 32 bits: more is a fault of the arithmetic. */
#define MOST_BYTES ((size_t)1 << (sizeof(size_t) > 4 ? 40 : 30))

static const unsigned char fence_byte = 0xFD;
static const unsigned char fresh_byte = 0xFF; /* a float of these is NaN */

/* A block: room for alignment that holds the header at its end, the memory, one byte of fence. */
struct header {
    void *block;
    size_t size;
};

static void *counting_allocate(void *user, size_t size, size_t alignment)
{
    test_allocator *allocator = user;
    if (allocator->calls == 0) {
        allocator->thread = pthread_self();
    }
    allocator->faults +=
        !allocator->any_thread && !pthread_equal(allocator->thread, pthread_self());
    const uint64_t room = allocator->room > 0 ? allocator->room : MOST_BYTES;
    if (++allocator->calls == allocator->fail_at || size > room ||
        allocator->live_bytes > room - size) {
        return NULL;
    }
    if (size == 0 || alignment == 0 || alignment > 64 || (alignment & (alignment - 1)) != 0) {
        allocator->faults++;
        return NULL;
    }
    unsigned char *block = malloc(size + 3 * FENCE);
    if (block == NULL) {
        return NULL;
    }
    /* Aligned as asked for, and not by accident to more. */
    uintptr_t start = ((uintptr_t)block + FENCE + 63) / 64 * 64;
    if (alignment < 64) {
        start += alignment;
    }
    unsigned char *memory = block + (start - (uintptr_t)block);
    struct header header = {block, size};
    memcpy(memory - sizeof header, &header, sizeof header);
    memset(memory, fresh_byte, size);
    memset(memory + size, fence_byte, 1);
    allocator->live++;
    allocator->live_bytes += size;
    if (allocator->live_bytes > allocator->most_bytes) {
        allocator->most_bytes = allocator->live_bytes;
    }
    return memory;
}

static void counting_free(void *user, void *pointer, size_t size)
{
    test_allocator *allocator = user;
    unsigned char *memory = pointer;
    struct header header;
    allocator->faults +=
        !allocator->any_thread && !pthread_equal(allocator->thread, pthread_self());
    if (pointer == NULL) {
        allocator->faults++;
        return;
    }
    memcpy(&header, memory - sizeof header, sizeof header);
    if (header.size != size || memory[header.size] != fence_byte) {
        allocator->faults++;
    }
    allocator->live--;
    allocator->live_bytes -= header.size;
    memset(memory, fresh_byte, header.size);
    free(header.block);
}

terrain_allocator test_allocator_of(test_allocator *allocator)
{
    terrain_allocator result = {allocator, counting_allocate, counting_free};
    return result;
}

/* ---- Progress ------------------------------------------------------------------------------ */

static int32_t report(void *user, double fraction)
{
    test_progress *progress = user;
    progress->reports++;
    if (!(fraction >= progress->last && fraction <= 1.0)) {
        progress->faults++;
    }
    progress->ends += fraction == 1;
    progress->last = fraction;
    return progress->reports == progress->cancel_at;
}

terrain_progress test_progress_of(test_progress *progress)
{
    terrain_progress result = {progress, report};
    return result;
}

/* ---- Contexts ------------------------------------------------------------------------------ */

static terrain_context *create(const terrain_context_desc *desc)
{
    terrain_context *context = NULL;
    terrain_status status = terrain_context_create(desc, &context);
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "test support: terrain_context_create: %s\n", terrain_status_name(status));
        abort();
    }
    return context;
}

terrain_context *test_context(uint32_t isa, test_runner *runner, test_allocator *allocator,
                              test_progress *progress)
{
    terrain_context_desc desc;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.max_isa = isa;
    if (runner != NULL) {
        desc.runner = test_runner_of(runner);
    }
    if (allocator != NULL) {
        desc.allocator = test_allocator_of(allocator);
    }
    if (progress != NULL) {
        desc.progress = test_progress_of(progress);
    }
    return create(&desc);
}

terrain_context *test_plain_context(void)
{
    return test_context(TERRAIN_ISA_BEST, NULL, NULL, NULL);
}

terrain_context *test_context_reporting(int32_t (*reports)(void *user, double fraction), void *user)
{
    terrain_context_desc desc;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.progress = (terrain_progress){user, reports};
    return create(&desc);
}

terrain_context *test_context_on_pool(uint32_t isa, terrain_pool *pool)
{
    terrain_context_desc desc;
    terrain_context_desc_init(&desc, sizeof desc);
    desc.max_isa = isa;
    terrain_pool_runner(pool, &desc.runner);
    return create(&desc);
}

const char *test_isa_name(uint32_t isa)
{
    static const char *const names[] = {"baseline", "avx2", "avx512"};
    return isa < 3 ? names[isa] : "best";
}

void test_on_threads(uint32_t threads, void *(*work)(void *), void *user)
{
    pthread_t ids[16];
    for (uint32_t i = 1; i < threads; i++) {
        if (i >= 16 || pthread_create(&ids[i], NULL, work, user) != 0) {
            fputs("no threads for the test\n", stderr);
            abort();
        }
    }
    work(user);
    for (uint32_t i = 1; i < threads; i++) {
        pthread_join(ids[i], NULL);
    }
}

static uint32_t isas[3];

uint32_t test_isa_count(void)
{
    static uint32_t count;
    if (count != 0) {
        return count;
    }
    for (uint32_t isa = TERRAIN_ISA_BASELINE; isa <= TERRAIN_ISA_AVX512; isa++) {
        terrain_context *context = test_context(isa, NULL, NULL, NULL);
        if (terrain_context_isa(context) == isa) {
            isas[count++] = isa;
        } else {
#if defined(__x86_64__) || defined(_M_X64)
            printf("# !!! INSTRUCTION SET %s IS MISSING HERE: ITS KERNELS ARE NOT TESTED !!!\n",
                   test_isa_name(isa));
#endif
        }
        terrain_context_destroy(context);
    }
    return count;
}

uint32_t test_isa_at(uint32_t index)
{
    return index < test_isa_count() ? isas[index] : TERRAIN_ISA_BASELINE;
}

/* ---- Locales ------------------------------------------------------------------------------- */

void test_set_comma_locale(void)
{
    static const char *const names[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "de_DE"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (setlocale(LC_ALL, names[i]) != NULL) {
            return;
        }
    }
    printf("no locale with a decimal comma is installed\n");
}
