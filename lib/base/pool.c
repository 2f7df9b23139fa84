/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A plain thread pool: one job at a time. Each thread has a share of consecutive indices, and when
 * these are done takes indices from the other shares. So from job to job a thread works on the same
 * part of a map, which is still in its cache. After a job, threads spin for a while before they
 * sleep, since the next one often follows soon: an operation has several passes, and another
 * operation may come after it. A spinning thread starts within a microsecond, a sleeping one within
 * 20 to 50. */

#include <stdbool.h>
#include <string.h>

#include "base/atomic.h"
#include "base/memory.h"
#include "base/thread.h"

enum {
    POOL_MOST_THREADS = 256,
    POOL_TRIES = 100,  /* of taking the mutex: some microseconds */
    POOL_SPINS = 16000 /* 0.2 to 0.8 ms: as long as an operation may work alone between passes */
};

/* A thread's indices, on their own cache line. */
struct pool_share {
    atomic_uint next;
    uint32_t end;
    char rest[TERRAIN__ALIGNMENT - sizeof(atomic_uint) - sizeof(uint32_t)];
};

struct terrain_pool {
    struct pool_share shares[POOL_MOST_THREADS]; /* the first one is the caller's */
    terrain__mutex mutex;
    terrain__condition work_came; /* generation or stopping changed */
    terrain__condition work_done; /* active fell to 0 */
    /* Up to `job`, all are set under the mutex. */
    atomic_uint generation; /* number of the job */
    bool occupied;          /* a run is under way */
    bool stopping;
    atomic_uint active; /* threads that work on the job, besides the caller */
    void (*task)(void *job, uint32_t index);
    void *job;
    atomic_uint numbered;  /* threads that know their share; no mutex */
    uint32_t thread_count; /* not counting the caller; set before the first job, as are threads */
    terrain__thread threads[POOL_MOST_THREADS - 1];
};

static const terrain_allocator pool_allocator;

static unsigned pool_generation(terrain_pool *pool)
{
    return (unsigned)atomic_load_explicit(&pool->generation, memory_order_relaxed);
}

static unsigned pool_active(terrain_pool *pool)
{
    return (unsigned)atomic_load_explicit(&pool->active, memory_order_relaxed);
}

/* Tells the processor that this thread spins: other threads of the core go first. */
static void pool_pause(void)
{
#if defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
    __builtin_ia32_pause();
#elif defined(__GNUC__) && defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Threads hold the mutex for less than a microsecond, and those that spin want it just when another
 * one is about to release it: to sleep until then would take them 20 to 50. */
static void pool_lock(terrain_pool *pool)
{
    for (uint32_t i = 0; i < POOL_TRIES; i++) {
        if (terrain__mutex_try(&pool->mutex)) {
            return;
        }
        pool_pause();
    }
    terrain__mutex_lock(&pool->mutex);
}

/* Changes the number of active threads, under the mutex; returns the new one. */
static unsigned pool_count_active(terrain_pool *pool, int change)
{
    const unsigned active = pool_active(pool) + (unsigned)change;
    atomic_store_explicit(&pool->active, active, memory_order_relaxed);
    return active;
}

static void pool_divide(terrain_pool *pool, uint32_t count)
{
    const uint64_t threads = (uint64_t)pool->thread_count + 1;
    for (uint32_t i = 0; i < threads; i++) {
        pool->shares[i].end = (uint32_t)((i + 1) * (uint64_t)count / threads);
        atomic_store_explicit(&pool->shares[i].next, (uint32_t)(i * (uint64_t)count / threads),
                              memory_order_relaxed);
    }
}

/* Works on the job, starting with the thread's own share. */
static void pool_drain(terrain_pool *pool, uint32_t own)
{
    const uint32_t threads = pool->thread_count + 1;
    for (uint32_t i = 0; i < threads; i++) {
        struct pool_share *share = &pool->shares[(own + i) % threads];
        for (;;) {
            uint32_t index =
                (uint32_t)atomic_fetch_add_explicit(&share->next, 1, memory_order_relaxed);
            if (index >= share->end) {
                break;
            }
            pool->task(pool->job, index);
        }
    }
}

static void pool_work(void *argument)
{
    terrain_pool *pool = argument;
    const uint32_t own =
        (uint32_t)atomic_fetch_add_explicit(&pool->numbered, 1, memory_order_relaxed) + 1;
    unsigned seen = 0;
    for (;;) {
        for (uint32_t i = 0; i < POOL_SPINS && pool_generation(pool) == seen; i++) {
            pool_pause();
        }
        pool_lock(pool);
        while (!pool->stopping && pool_generation(pool) == seen) {
            terrain__condition_wait(&pool->work_came, &pool->mutex);
        }
        if (pool->stopping) {
            break;
        }
        seen = pool_generation(pool);
        if (!pool->occupied) { /* the job is over already, and the next one may follow soon */
            terrain__mutex_unlock(&pool->mutex);
            continue;
        }
        pool_count_active(pool, 1);
        terrain__mutex_unlock(&pool->mutex);
        pool_drain(pool, own);
        pool_lock(pool);
        if (pool_count_active(pool, -1) == 0) {
            terrain__condition_wake_one(&pool->work_done);
        }
        terrain__mutex_unlock(&pool->mutex);
    }
    terrain__mutex_unlock(&pool->mutex);
}

static int32_t pool_run(void *user, uint32_t count, void (*task)(void *job, uint32_t index),
                        void *job)
{
    terrain_pool *pool = user;
    pool_lock(pool);
    bool mine = !pool->occupied && count > 1 && pool->thread_count > 0;
    if (mine) {
        pool->occupied = true;
        pool->task = task;
        pool->job = job;
        pool_divide(pool, count);
        atomic_store_explicit(&pool->generation, pool_generation(pool) + 1, memory_order_relaxed);
        terrain__condition_wake_all(&pool->work_came);
    }
    terrain__mutex_unlock(&pool->mutex);
    if (!mine) {
        for (uint32_t i = 0; i < count; i++) {
            task(job, i);
        }
        return 0;
    }
    pool_drain(pool, 0);
    for (uint32_t i = 0; i < POOL_SPINS && pool_active(pool) > 0; i++) {
        pool_pause();
    }
    pool_lock(pool);
    while (pool_active(pool) > 0) {
        terrain__condition_wait(&pool->work_done, &pool->mutex);
    }
    pool->occupied = false;
    terrain__mutex_unlock(&pool->mutex);
    return 0;
}

void terrain_pool_destroy(terrain_pool *pool)
{
    if (pool == NULL) {
        return;
    }
    terrain__mutex_lock(&pool->mutex);
    pool->stopping = true;
    terrain__condition_wake_all(&pool->work_came);
    terrain__mutex_unlock(&pool->mutex);
    for (uint32_t i = 0; i < pool->thread_count; i++) {
        terrain__thread_join(&pool->threads[i]);
    }
    terrain__condition_destroy(&pool->work_done);
    terrain__condition_destroy(&pool->work_came);
    terrain__mutex_destroy(&pool->mutex);
    terrain__free(&pool_allocator, pool, sizeof *pool);
}

static bool pool_make_locks(terrain_pool *pool)
{
    if (!terrain__mutex_init(&pool->mutex)) {
        return false;
    }
    if (terrain__condition_init(&pool->work_came)) {
        if (terrain__condition_init(&pool->work_done)) {
            return true;
        }
        terrain__condition_destroy(&pool->work_came);
    }
    terrain__mutex_destroy(&pool->mutex);
    return false;
}

terrain_status terrain_pool_create(uint32_t threads, terrain_pool **out)
{
    terrain_pool *pool;
    if (out == NULL) {
        return TERRAIN_ERROR_ARGUMENT;
    }
    *out = NULL;
    if (threads < 1 || threads > POOL_MOST_THREADS) {
        return TERRAIN_ERROR_RANGE;
    }
    pool = terrain__allocate(&pool_allocator, sizeof *pool, TERRAIN__ALIGNMENT);
    if (pool == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    memset(pool, 0, sizeof *pool);
    for (uint32_t i = 0; i < POOL_MOST_THREADS; i++) {
        atomic_init(&pool->shares[i].next, 0);
    }
    atomic_init(&pool->numbered, 0);
    atomic_init(&pool->active, 0);
    atomic_init(&pool->generation, 0);
    if (!pool_make_locks(pool)) {
        terrain__free(&pool_allocator, pool, sizeof *pool);
        return TERRAIN_ERROR_SYSTEM;
    }
    for (; pool->thread_count + 1 < threads; pool->thread_count++) {
        if (!terrain__thread_start(&pool->threads[pool->thread_count], pool_work, pool)) {
            terrain_pool_destroy(pool);
            return TERRAIN_ERROR_SYSTEM;
        }
    }
    *out = pool;
    return TERRAIN_SUCCESS;
}

void terrain_pool_runner(terrain_pool *pool, terrain_runner *out)
{
    if (out != NULL) {
        out->user = pool;
        out->run = pool != NULL ? pool_run : NULL;
    }
}
