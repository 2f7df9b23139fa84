/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A host that owns memory and threads: its allocator counts, and its job system runs the tasks. */

#include <inttypes.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <terrain/terrain.h>

/* ---- Memory: called on threads that call the library, never on a worker ---- */

struct heap {
    size_t now; /* bytes */
    size_t most;
};

static void *heap_allocate(void *user, size_t size, size_t alignment)
{
    struct heap *heap = user;
    /* aligned_alloc wants a multiple of the alignment. */
    void *pointer = aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
    if (pointer != NULL) {
        heap->now += size;
        heap->most = heap->now > heap->most ? heap->now : heap->most;
    }
    return pointer;
}

static void heap_free(void *user, void *pointer, size_t size)
{
    struct heap *heap = user;
    heap->now -= size;
    free(pointer);
}

/* ---- Jobs: helpers and the calling thread take indices until none is left ---- */

enum { HELPERS = 3 };

struct batch {
    atomic_uint next;
    uint32_t count;
    void (*task)(void *job, uint32_t index);
    void *job;
};

static void *batch_work(void *user)
{
    struct batch *batch = user;
    uint32_t index;
    while ((index = atomic_fetch_add(&batch->next, 1)) < batch->count) {
        batch->task(batch->job, index);
    }
    return NULL;
}

/* A real job system would keep its threads. */
static int32_t jobs_run(void *user, uint32_t count, void (*task)(void *job, uint32_t index),
                        void *job)
{
    struct batch batch = {0, count, task, job};
    pthread_t helpers[HELPERS];
    int started = 0;
    (void)user;
    while (started < HELPERS && pthread_create(&helpers[started], NULL, batch_work, &batch) == 0) {
        started++;
    }
    batch_work(&batch);
    while (started > 0) {
        pthread_join(helpers[--started], NULL);
    }
    return 0;
}

static void check(terrain_status status, const terrain_context *context)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s: %s\n", terrain_status_name(status), terrain_context_message(context));
        exit(1);
    }
}

int main(void)
{
    struct heap heap = {0, 0};
    terrain_context_desc desc;
    terrain_context *context = NULL;
    terrain_heightmap *map = NULL;
    terrain_heightmap *alone = NULL;

    terrain_context_desc_init(&desc, sizeof desc);
    desc.allocator = (terrain_allocator){&heap, heap_allocate, heap_free};
    desc.runner = (terrain_runner){NULL, jobs_run};
    check(terrain_context_create(&desc, &context), NULL);

    check(terrain_heightmap_create(context, 700, 500, &map), context);
    check(terrain_generate_diamond_square(context, map, NULL), context);
    check(terrain_erode_thermal(context, map, NULL), context);

    /* The same on one thread and the default heap: the same bits. */
    check(terrain_heightmap_create(NULL, 700, 500, &alone), NULL);
    check(terrain_generate_diamond_square(NULL, alone, NULL), NULL);
    check(terrain_erode_thermal(NULL, alone, NULL), NULL);
    printf("equal: %s\n",
           terrain_heightmap_hash(map) == terrain_heightmap_hash(alone) ? "yes" : "no");

    terrain_heightmap_destroy(alone);
    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    printf("more memory than the map's at a time: %s\n",
           heap.most > (size_t)700 * 500 * sizeof(float) ? "yes" : "no");
    printf("bytes not given back: %zu\n", heap.now);
    return 0;
}
