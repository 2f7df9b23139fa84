/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The context: one worker's toolbox. It holds the host's allocator, runner and progress callback,
 * scratch memory that is reused from call to call, and the text of the last error.
 *
 * Every function that takes a context takes NULL too: serial, malloc, no message, nothing kept.
 *
 * Thread-safety: one thread at a time; a second one gets TERRAIN_ERROR_BUSY. Make one per thread.
 * terrain_context_cancel alone may be called from anywhere. */

#ifndef TERRAIN_CONTEXT_H
#define TERRAIN_CONTEXT_H

#include <terrain/heightmap.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The host's memory. Set both functions or neither; neither means malloc. The library calls them
 * only on threads that call the library, never on a worker. allocate returns NULL if it fails;
 * size is at least 1, and alignment a power of two, at most 64. free gets the size that was
 * allocated, and no NULL.
 *
 * Maps, recipes and whatever else is made with a context keep a copy of its allocator. They may be
 * destroyed on any thread, and free is called there. If that may happen while another thread uses
 * the same `user`, both functions must be thread-safe. */
typedef struct terrain_allocator {
    void *user;
    void *(*allocate)(void *user, size_t size, size_t alignment);
    void (*free)(void *user, void *pointer, size_t size);
} terrain_allocator;

/** The host's threads: one function that calls task(job, index) once for each index below count, in
 * any order and on any threads, and returns when all tasks have returned. It returns 0, or nonzero
 * for an error; then the library's call returns TERRAIN_ERROR_RUNNER. But where tasks write into
 * the map itself they must not stop half way: there the calling thread does what the runner has
 * left, and the call succeeds. count is at most 64. The calling thread must be able to run every
 * task itself. The library holds no lock while the runner runs, and results are the same, bit for
 * bit, with any runner. A complete serial runner:
 *
 *     int32_t run(void *user, uint32_t count, void (*task)(void *job, uint32_t index), void *job)
 *     {
 *         for (uint32_t i = 0; i < count; i++)
 *             task(job, i);
 *         return 0;
 *     }
 *
 * run == NULL means this serial runner. */
typedef struct terrain_runner {
    void *user;
    int32_t (*run)(void *user, uint32_t count, void (*task)(void *job, uint32_t index), void *job);
} terrain_runner;

/** Called on the calling thread between the passes of long calls, and between that thread's tasks
 * of a pass that is long itself, with the fraction done so far, which never falls, and with 1 when
 * a call has succeeded. If report returns nonzero the call is cancelled; at 1 that may be too late.
 * report must not use the context. */
typedef struct terrain_progress {
    void *user;
    int32_t (*report)(void *user, double fraction);
} terrain_progress;

/** Instruction sets, for terrain_context_desc.max_isa. Every one gives the same bits. */
enum {
    /** what the compiler assumes for its target: SSE2, NEON, … */
    TERRAIN_ISA_BASELINE = 0,
    TERRAIN_ISA_AVX2 = 1,
    /** F, BW, DQ and VL */
    TERRAIN_ISA_AVX512 = 2,
    TERRAIN_ISA_BEST = 0x7FFFFFFF
};

enum {
    /** Allows a cancelled call to leave the map half written, for maps too large to hold twice in
     * memory: operations whose last pass takes long then keep no second copy of the map. Those with
     * a mask still do. */
    TERRAIN_CONTEXT_PARTIAL_RESULTS = 1
};

typedef struct terrain_context_desc {
    uint32_t struct_size;
    uint32_t flags; /**< TERRAIN_CONTEXT_…, beside the tag that terrain_context_desc_init sets */
    /** The best instruction set that calls may use, TERRAIN_ISA_…; default BEST. The environment
     * variable TERRAIN_ISA limits it, too. */
    uint32_t max_isa;
    uint32_t reserved;
    terrain_allocator allocator;
    terrain_runner runner;
    terrain_progress progress;
} terrain_context_desc;

/** Writes the defaults; size is sizeof *desc. A desc that was not initialised by this function is
 * refused. Errors: ARGUMENT if desc is NULL, or size is not a possible size of the struct. */
TERRAIN_API terrain_status terrain_context_desc_init(terrain_context_desc *desc, size_t size);

/** Creates a context. desc may be NULL for all defaults, and need not outlive the call.
 * Errors: ARGUMENT (a desc that was not initialised, one half of an allocator, unknown flags);
 * RANGE (max_isa); MEMORY; BUILD if the library was compiled in a way that changes its results. On
 * error *out is NULL. */
TERRAIN_API terrain_status terrain_context_create(const terrain_context_desc *desc,
                                                  terrain_context **out);

/** Frees the context and its scratch. NULL is fine. No call may be using it, nor may another thread
 * call terrain_context_cancel for it any more. */
TERRAIN_API void terrain_context_destroy(terrain_context *context);

/** Gives the scratch memory back to the allocator. NULL is fine; does nothing if a call is using
 * the context. */
TERRAIN_API void terrain_context_trim(terrain_context *context);

/** Cancels the call that is using the context, or the next call that can be cancelled if there is
 * none, such as an operation, a run or a tile, however much later. The cancelled call returns
 * TERRAIN_ERROR_CANCELLED. If it is past the point where it can stop it returns success, and the
 * next one is cancelled instead. May be called from any thread and from a signal handler. NULL is
 * fine. */
TERRAIN_API void terrain_context_cancel(terrain_context *context);

/** One sentence about the last call that failed: "erode_thermal: talus is -1, must be in [0, 100]".
 * "" if the last call succeeded, and for NULL. Valid until the next call with this context. While
 * another thread uses the context, as after TERRAIN_ERROR_BUSY, it is that thread's: don't ask. */
TERRAIN_API const char *terrain_context_message(const terrain_context *context);

/** The instruction set that the context uses: TERRAIN_ISA_…. For NULL, the one that calls without a
 * context use. */
TERRAIN_API uint32_t terrain_context_isa(const terrain_context *context);

/** A ready-made runner for hosts without a job system. */
typedef struct terrain_pool terrain_pool;

/** Creates a pool of `threads` threads, 1 to 256: it starts threads - 1, and the calling thread is
 * the last one. A pool serves one run at a time; a second run at the same time runs on its own
 * calling thread alone.
 * Errors: ARGUMENT; RANGE; MEMORY; SYSTEM if a thread can't be started. On error *out is NULL. */
TERRAIN_API terrain_status terrain_pool_create(uint32_t threads, terrain_pool **out);
/** Writes the runner to put into terrain_context_desc. If pool is NULL, its run is NULL. */
TERRAIN_API void terrain_pool_runner(terrain_pool *pool, terrain_runner *out);
/** Stops the threads. NULL is fine. No call may be using the pool. */
TERRAIN_API void terrain_pool_destroy(terrain_pool *pool);

#ifdef __cplusplus
}
#endif

#endif
