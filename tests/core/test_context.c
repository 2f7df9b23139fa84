/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against contexts that take a bad description, work for two threads at once, miss a cancel,
 * or speak of the wrong error. */

#define _DEFAULT_SOURCE

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/context.h"
#include "support/check.h"
#include "support/test_operation.h"
#include "terrain/landform.h"
#include "terrain/mesh.h"
#include "terrain/pack.h"
#include "terrain/score.h"
#include "terrain/statistics.h"
#include "terrain/stitch.h"

/* A description that was not initialised, or asks for what is not there. */
static void test_desc(void **state)
{
    terrain_context_desc desc;
    terrain_context *context = NULL;
    assert_int_equal(terrain_context_desc_init(NULL, sizeof desc), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_context_desc_init(&desc, 0), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_context_desc_init(&desc, 7), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_context_create(&desc, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_context_create(NULL, NULL), TERRAIN_ERROR_ARGUMENT);

    memset(&desc, 0, sizeof desc);
    context = (terrain_context *)(uintptr_t)64;
    assert_int_equal(terrain_context_create(&desc, &context), TERRAIN_ERROR_ARGUMENT);
    assert_null(context);
    memset(&desc, 0xFF, sizeof desc);
    assert_int_equal(terrain_context_create(&desc, &context), TERRAIN_ERROR_ARGUMENT);

    memset(&desc, 0xAA, sizeof desc);
    assert_int_equal(terrain_context_desc_init(&desc, sizeof desc), TERRAIN_SUCCESS);
    assert_int_equal(desc.struct_size, sizeof desc);
    assert_int_equal(desc.max_isa, TERRAIN_ISA_BEST);
    assert_null(desc.runner.run);
    assert_null(desc.allocator.allocate);
    assert_null(desc.allocator.free);
    assert_null(desc.progress.report);
    assert_int_equal(terrain_context_create(&desc, &context), TERRAIN_SUCCESS);
    terrain_context_destroy(context);
    assert_int_equal(terrain_context_create(NULL, &context), TERRAIN_SUCCESS);
    terrain_context_destroy(context);
}

static void check_desc_refused(const terrain_context_desc *desc, terrain_status status)
{
    terrain_context *context = (terrain_context *)(uintptr_t)64;
    assert_int_equal(terrain_context_create(desc, &context), status);
    assert_null(context);
}

/* One half of an allocator, unknown flags, an instruction set that nobody knows. */
static void test_desc_fields(void **state)
{
    test_allocator allocator = {0};
    terrain_context_desc good;
    terrain_context_desc desc;
    terrain_context_desc_init(&good, sizeof good);
    desc = good;
    desc.allocator = test_allocator_of(&allocator);
    desc.allocator.free = NULL;
    check_desc_refused(&desc, TERRAIN_ERROR_ARGUMENT);
    desc.allocator = test_allocator_of(&allocator);
    desc.allocator.allocate = NULL;
    check_desc_refused(&desc, TERRAIN_ERROR_ARGUMENT);
    for (int bit = 0; bit < 32; bit++) {
        desc = good;
        desc.flags ^= UINT32_C(1) << bit;
        if ((UINT32_C(1) << bit) != TERRAIN_CONTEXT_PARTIAL_RESULTS) {
            check_desc_refused(&desc, TERRAIN_ERROR_ARGUMENT);
        }
    }
    desc = good;
    desc.reserved = 1;
    check_desc_refused(&desc, TERRAIN_ERROR_ARGUMENT);
    desc = good;
    desc.max_isa = 3;
    check_desc_refused(&desc, TERRAIN_ERROR_RANGE);
    desc = good;
    desc.struct_size += 2;
    check_desc_refused(&desc, TERRAIN_ERROR_ARGUMENT);
    desc = good;
    desc.allocator = test_allocator_of(&allocator);
    allocator.fail_at = 1;
    check_desc_refused(&desc, TERRAIN_ERROR_MEMORY);
    assert_int_equal(allocator.live, 0);
}

/* A ceiling that is ignored. */
static void test_isa(void **state)
{
    for (uint32_t isa = 0; isa <= TERRAIN_ISA_AVX512; isa++) {
        terrain_context *context = test_context(isa, NULL, NULL, NULL);
        assert_true(terrain_context_isa(context) <= isa);
        assert_true(terrain_context_isa(context) <= terrain_context_isa(NULL));
        terrain_context_destroy(context);
    }
    terrain_context *context = test_plain_context();
    assert_int_equal(terrain_context_isa(context), terrain_context_isa(NULL));
    terrain_context_destroy(context);
}

/* A crash for NULL where the header allows it. */
static void test_null(void **state)
{
    terrain_context_destroy(NULL);
    terrain_context_trim(NULL);
    terrain_context_cancel(NULL);
    assert_string_equal(terrain_context_message(NULL), "");
}

/* ---- Messages ------------------------------------------------------------------------------- */

/* An old message that stays, or one that belongs to another call. */
static void test_messages(void **state)
{
    terrain_context *context = test_plain_context();
    terrain_heightmap *map = NULL;
    test_call call = test_call_on(&test_every_type, &(terrain_window){0, 0, 8, 8});
    test_every_type_params *params = call.params;
    assert_string_equal(terrain_context_message(context), "");
    params->shift = 11;
    assert_int_equal(test_call_apply(&call, context), TERRAIN_ERROR_RANGE);
    assert_string_equal(terrain_context_message(context),
                        "test_every_type: shift is 11, must be in [-10, 10]");
    assert_int_equal(terrain_heightmap_create(context, 4, 4, &map), TERRAIN_SUCCESS);
    assert_string_equal(terrain_context_message(context), "");
    params->shift = 7;
    params->negate = 1;
    assert_int_equal(test_call_apply(&call, context), TERRAIN_ERROR_RANGE);
    assert_string_equal(terrain_context_message(context),
                        "test_every_type: shift must not be 7 upside down");
    params->negate = 0;
    assert_int_equal(test_call_apply(&call, context), TERRAIN_SUCCESS);
    assert_string_equal(terrain_context_message(context), "");
    params->scale = 0.1f;
    assert_int_equal(test_call_apply(&call, context), TERRAIN_ERROR_RANGE);
    assert_string_equal(terrain_context_message(context),
                        "test_every_type: scale is 0.1, must be in [0.3, 4]");
    terrain_heightmap_destroy(map);
    test_call_destroy(&call);
    terrain_context_destroy(context);
}

/* ---- Busy ----------------------------------------------------------------------------------- */

struct reentry {
    terrain_context *context;
    terrain_heightmap *map;
    terrain_status apply;
    terrain_status create;
    uint32_t tried;
};

static void enter_again(struct reentry *reentry)
{
    terrain_heightmap *other = NULL;
    reentry->apply =
        terrain_operation_apply(reentry->context, &test_every_type, &reentry->map, 1, NULL);
    reentry->create = terrain_heightmap_create(reentry->context, 3, 3, &other);
    terrain_heightmap_destroy(other);
    terrain_context_trim(reentry->context); /* does nothing: scratch is in use */
    reentry->tried++;
}

static int32_t report_and_enter(void *user, double fraction)
{
    (void)fraction;
    enter_again(user);
    return 0;
}

/* A callback, or a second thread, that gets into the scratch of a running call. */
static void test_busy_from_progress(void **state)
{
    struct reentry reentry = {.map = test_map_of_size(5, 5, 1)};
    test_call call = test_call_on(&test_every_type, &(terrain_window){0, 0, 40, 40});
    assert_int_equal(test_call_apply(&call, NULL), TERRAIN_SUCCESS);
    uint64_t expected = test_call_hash(&call);
    test_call_fill(&call);
    reentry.context = test_context_reporting(report_and_enter, &reentry);
    assert_int_equal(test_call_apply(&call, reentry.context), TERRAIN_SUCCESS);
    assert_true(reentry.tried >= 2);
    assert_int_equal(reentry.apply, TERRAIN_ERROR_BUSY);
    assert_int_equal(reentry.create, TERRAIN_ERROR_BUSY);
    assert_int_equal(test_call_hash(&call), expected);
    terrain_heightmap_destroy(reentry.map);
    terrain_context_destroy(reentry.context);
    test_call_destroy(&call);
}

static void *enter_on_thread(void *user)
{
    enter_again(user);
    return NULL;
}

static int32_t run_with_visitor(void *user, uint32_t count, void (*task)(void *job, uint32_t index),
                                void *job)
{
    pthread_t thread;
    pthread_create(&thread, NULL, enter_on_thread, user);
    for (uint32_t i = 0; i < count; i++) {
        task(job, i);
    }
    pthread_join(thread, NULL);
    return 0;
}

/* Guards against a context that lets a call in from another thread while it is in use. */
static void test_busy_from_thread(void **state)
{
    terrain_context_desc desc;
    struct reentry reentry = {.map = test_map_of_size(5, 5, 1)};
    test_call call = test_call_on(&test_every_type, &(terrain_window){0, 0, 40, 40});
    terrain_context_desc_init(&desc, sizeof desc);
    desc.runner.user = &reentry;
    desc.runner.run = run_with_visitor;
    assert_int_equal(terrain_context_create(&desc, &reentry.context), TERRAIN_SUCCESS);
    assert_int_equal(test_call_apply(&call, reentry.context), TERRAIN_SUCCESS);
    assert_true(reentry.tried >= 1);
    assert_int_equal(reentry.apply, TERRAIN_ERROR_BUSY);
    assert_int_equal(reentry.create, TERRAIN_ERROR_BUSY);
    /* And free again afterwards. */
    enter_again(&reentry);
    assert_int_equal(reentry.apply, TERRAIN_SUCCESS);
    assert_int_equal(reentry.create, TERRAIN_SUCCESS);
    terrain_heightmap_destroy(reentry.map);
    terrain_context_destroy(reentry.context);
    test_call_destroy(&call);
}

/* ---- Cancel --------------------------------------------------------------------------------- */

#if !defined(_WIN32) /* which has no signals that interrupt a thread */
static terrain_context *signalled;

static void on_alarm(int number)
{
    (void)number;
    terrain_context_cancel(signalled);
}

/* A cancel from a signal handler that is lost, or that tears the map. */
static void test_cancel_from_signal(void **state)
{
    test_call call = test_call_on(&test_every_type, &(terrain_window){0, 0, 1200, 1200});
    uint32_t cancelled = 0;
    ((test_every_type_params *)call.params)->rounds = 40;
    uint64_t before = test_call_fingerprint(&call);
    signalled = test_plain_context();
    void (*previous)(int) = signal(SIGALRM, on_alarm);
    for (int i = 0; i < 3; i++) {
        ualarm(10000, 0);
        terrain_status status = test_call_apply(&call, signalled);
        if (status == TERRAIN_ERROR_CANCELLED) {
            cancelled++;
            assert_int_equal(test_call_fingerprint(&call), before);
        } else {
            assert_int_equal(status, TERRAIN_SUCCESS);
            test_call_fill(&call);
        }
    }
    signal(SIGALRM, previous);
    assert_true(cancelled >= 1);
    terrain_context_destroy(signalled);
    test_call_destroy(&call);
}
#endif

/* Than the least block of scratch: a second map shows in what a call allocates. */
static const terrain_window larger_than_scratch = {0, 0, 200, 70};

/* What cancelling a call before each of its tasks in turn led to. */
struct cancels {
    uint32_t succeeded;
    uint32_t torn; /* cancelled, and the map is neither as before nor as after */
    uint64_t most_bytes;
};

static struct cancels cancel_everywhere(test_call *call, uint32_t flags)
{
    struct cancels cancels = {0};
    test_call_fill(call);
    uint64_t before = test_call_fingerprint(call);
    assert_int_equal(test_call_apply(call, NULL), TERRAIN_SUCCESS);
    uint64_t after = test_call_fingerprint(call);
    for (uint64_t n = 1; n < 110; n++) {
        test_runner runner = {.kind = TEST_RUN_CANCEL, .limit = n};
        test_allocator allocator = {0};
        terrain_context_desc desc;
        terrain_context_desc_init(&desc, sizeof desc);
        desc.flags |= flags;
        desc.runner = test_runner_of(&runner);
        desc.allocator = test_allocator_of(&allocator);
        assert_int_equal(terrain_context_create(&desc, &runner.context), TERRAIN_SUCCESS);
        test_call_fill(call);
        terrain_status status = test_call_apply(call, runner.context);
        uint64_t found = test_call_fingerprint(call);
        assert_true(status == TERRAIN_SUCCESS || status == TERRAIN_ERROR_CANCELLED);
        assert_true(status != TERRAIN_SUCCESS || found == after);
        cancels.succeeded += status == TERRAIN_SUCCESS;
        cancels.torn += status != TERRAIN_SUCCESS && found != before;
        cancels.most_bytes = allocator.most_bytes;
        terrain_context_destroy(runner.context);
        assert_int_equal(allocator.live, 0);
        assert_int_equal(allocator.faults, 0);
    }
    return cancels;
}

/* A flag for partial results that does nothing: it must save a second map, and let a call stop in
 * its last pass, which tears the map. Without it no map is ever torn. */
static void test_partial_results(void **state)
{
    test_call call = test_call_on(&test_every_type, &larger_than_scratch);
    ((test_every_type_params *)call.params)->form = TEST_FORM_LONG;
    struct cancels whole = cancel_everywhere(&call, 0);
    struct cancels partial = cancel_everywhere(&call, TERRAIN_CONTEXT_PARTIAL_RESULTS);
    assert_int_equal(whole.torn, 0);
    assert_true(partial.torn > 0);
    assert_true(partial.most_bytes + 200 * 70 * sizeof(float) <= whole.most_bytes);
    assert_true(whole.succeeded > 0 && partial.succeeded > 0); /* a cancel that came too late */
    /* A short last pass is not worth a torn map. */
    ((test_every_type_params *)call.params)->form = TEST_FORM_DIRECT;
    assert_int_equal(cancel_everywhere(&call, TERRAIN_CONTEXT_PARTIAL_RESULTS).torn, 0);
    test_call_destroy(&call);
}

/* A runner that fails in the last pass, which tears a map that nobody cancelled. */
static void test_partial_results_whole(void **state)
{
    test_call call = test_call_on(&test_every_type, &larger_than_scratch);
    uint32_t succeeded = 0;
    ((test_every_type_params *)call.params)->form = TEST_FORM_LONG;
    const uint64_t before = test_call_fingerprint(&call);
    assert_int_equal(test_call_apply(&call, NULL), TERRAIN_SUCCESS);
    const uint64_t after = test_call_fingerprint(&call);
    for (uint64_t n = 1; n < 110; n++) {
        test_runner runner = {.kind = n % 2 == 0 ? TEST_RUN_FAIL : TEST_RUN_DROP, .limit = n};
        terrain_context_desc desc;
        terrain_context_desc_init(&desc, sizeof desc);
        desc.flags |= TERRAIN_CONTEXT_PARTIAL_RESULTS;
        desc.runner = test_runner_of(&runner);
        assert_int_equal(terrain_context_create(&desc, &runner.context), TERRAIN_SUCCESS);
        test_call_fill(&call);
        const terrain_status status = test_call_apply(&call, runner.context);
        assert_true(status == TERRAIN_SUCCESS || status == TERRAIN_ERROR_RUNNER);
        assert_true(test_call_fingerprint(&call) == (status == TERRAIN_SUCCESS ? after : before));
        succeeded += status == TERRAIN_SUCCESS && runner.tasks >= n;
        terrain_context_destroy(runner.context);
    }
    assert_true(succeeded > 0);
    test_call_destroy(&call);
}

/* A runner that fails because it is cancelled: an error, and a next call that is cancelled for
 * nothing. */
static void test_give_up(void **state)
{
    test_call call = test_call_on(&test_every_type, &larger_than_scratch);
    test_runner runner = {.kind = TEST_RUN_GIVE_UP, .limit = 1};
    runner.context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
    assert_int_equal(test_call_apply(&call, runner.context), TERRAIN_ERROR_CANCELLED);
    assert_int_equal(test_call_apply(&call, runner.context), TERRAIN_SUCCESS);
    terrain_context_destroy(runner.context);
    test_call_destroy(&call);
}

/* A host that says stop while another of its threads runs all tasks that are left. */
struct finisher {
    void (*task)(void *job, uint32_t index);
    void *job;
    uint32_t count;
    bool stopped;
};

static void *finish_tasks(void *user)
{
    const struct finisher *finisher = user;
    for (uint32_t i = 1; i < finisher->count; i++) {
        finisher->task(finisher->job, i);
    }
    return NULL;
}

static int32_t finishing_run(void *user, uint32_t count, void (*task)(void *job, uint32_t index),
                             void *job)
{
    *(struct finisher *)user = (struct finisher){.task = task, .job = job, .count = count};
    task(job, 0);
    return 0;
}

static int32_t finish_and_stop(void *user, double fraction)
{
    struct finisher *finisher = user;
    pthread_t thread;
    (void)fraction;
    assert_int_equal(pthread_create(&thread, NULL, finish_tasks, finisher), 0);
    pthread_join(thread, NULL);
    finisher->stopped = true;
    return 1;
}

/* A host's stop that is forgotten, because nothing was left to do when it came. */
static void test_stop_at_the_last_task(void **state)
{
    test_call call = test_call_on(&test_every_type, &larger_than_scratch);
    struct finisher finisher = {0};
    terrain_context *context = NULL;
    terrain_context_desc desc;
    ((test_every_type_params *)call.params)->form = TEST_FORM_LONG;
    ((test_every_type_params *)call.params)->rounds = 0; /* one pass, which reports */
    const uint64_t before = test_call_fingerprint(&call);
    terrain_context_desc_init(&desc, sizeof desc);
    desc.runner = (terrain_runner){&finisher, finishing_run};
    desc.progress = (terrain_progress){&finisher, finish_and_stop};
    assert_int_equal(terrain_context_create(&desc, &context), TERRAIN_SUCCESS);
    assert_int_equal(test_call_apply(&call, context), TERRAIN_ERROR_CANCELLED);
    assert_true(finisher.stopped);
    assert_true(test_call_fingerprint(&call) == before);
    terrain_context_destroy(context);
    test_call_destroy(&call);
}

/* ---- Pools ---------------------------------------------------------------------------------- */

/* Guards against pools of too few or too many threads, and a pool or runner that is left over after
 * a refusal. */
static void test_pool_arguments(void **state)
{
    terrain_pool *pool = (terrain_pool *)(uintptr_t)64;
    terrain_runner runner = {&runner, run_with_visitor};
    assert_int_equal(terrain_pool_create(0, &pool), TERRAIN_ERROR_RANGE);
    assert_null(pool);
    assert_int_equal(terrain_pool_create(257, &pool), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_pool_create(2, NULL), TERRAIN_ERROR_ARGUMENT);
    terrain_pool_runner(NULL, &runner);
    assert_null(runner.run);
    terrain_pool_destroy(NULL);
    assert_int_equal(terrain_pool_create(1, &pool), TERRAIN_SUCCESS);
    terrain_pool_destroy(pool);
    assert_int_equal(terrain_pool_create(40, &pool), TERRAIN_SUCCESS);
    terrain_pool_destroy(pool);
    /* A system may have fewer threads. */
    assert_int_not_equal(terrain_pool_create(256, &pool), TERRAIN_ERROR_RANGE);
    terrain_pool_destroy(pool);
}

/* One run of a pool. Each has memory of its own, so that a task that comes late from another run
 * shows. */
struct pool_run {
    uint32_t count;
    atomic_uint counts[6];
};

enum { POOL_RUNS = 60000 };

static void count_task(void *job, uint32_t index)
{
    struct pool_run *run = job;
    atomic_fetch_add(&run->counts[index < run->count ? index : 5], 1);
}

static void *run_many(void *user)
{
    terrain_runner *runner = user;
    struct pool_run *runs = calloc(POOL_RUNS, sizeof *runs);
    uintptr_t faults = runs == NULL;
    for (uint32_t r = 0; runs != NULL && r < POOL_RUNS; r++) {
        runs[r].count = r % 6;
        faults += runner->run(runner->user, runs[r].count, count_task, &runs[r]) != 0;
        for (uint32_t i = 0; i < 6; i++) {
            faults += atomic_load(&runs[r].counts[i]) != (i < runs[r].count);
        }
    }
    for (uint32_t i = 0; runs != NULL && i < POOL_RUNS * 6; i++) {
        faults += atomic_load(&runs[i / 6].counts[i % 6]) != (i % 6 < runs[i / 6].count);
    }
    free(runs);
    return (void *)faults;
}

/* A pool that loses a task, runs one twice or too late, or locks up when callers meet. */
static void test_pool_runs_each_task_once(void **state)
{
    for (uint32_t threads = 1; threads <= 5; threads += 2) {
        for (int callers = 1; callers <= 3; callers += 2) {
            terrain_pool *pool = NULL;
            terrain_runner runner;
            pthread_t ids[3];
            assert_int_equal(terrain_pool_create(threads, &pool), TERRAIN_SUCCESS);
            terrain_pool_runner(pool, &runner);
            for (int i = 0; i < callers; i++) {
                assert_int_equal(pthread_create(&ids[i], NULL, run_many, &runner), 0);
            }
            for (int i = 0; i < callers; i++) {
                void *faults = NULL;
                pthread_join(ids[i], &faults);
                assert_null(faults);
            }
            terrain_pool_destroy(pool);
        }
    }
}

/* A run each of whose tasks asks the pool for another run. */
struct pool_nest {
    const terrain_runner *runner;
    atomic_uint outer[16];
    struct pool_run inner[16];
    atomic_uint refused;
};

static void nest_task(void *job, uint32_t index)
{
    struct pool_nest *nest = job;
    atomic_fetch_add(&nest->outer[index % 16], 1);
    nest->inner[index % 16].count = 5;
    if (nest->runner->run(nest->runner->user, 5, count_task, &nest->inner[index % 16]) != 0) {
        atomic_fetch_add(&nest->refused, 1);
    }
}

/* A run that takes the pool from the one under way, whose tasks are then lost or run twice. */
static void test_pool_is_occupied(void **state)
{
    struct pool_nest nest = {0};
    terrain_pool *pool = NULL;
    terrain_runner runner;
    assert_int_equal(terrain_pool_create(3, &pool), TERRAIN_SUCCESS);
    terrain_pool_runner(pool, &runner);
    nest.runner = &runner;
    assert_int_equal(runner.run(runner.user, 16, nest_task, &nest), 0);
    terrain_pool_destroy(pool);
    assert_int_equal(atomic_load(&nest.refused), 0);
    for (uint32_t i = 0; i < 16; i++) {
        assert_int_equal(atomic_load(&nest.outer[i]), 1);
        for (uint32_t k = 0; k < 6; k++) {
            assert_int_equal(atomic_load(&nest.inner[i].counts[k]), k < 5);
        }
    }
}

/* A run of as many tasks as the pool has threads, which wait for each other; then all but the
 * caller's take a while. */
struct pool_meeting {
    pthread_t caller;
    atomic_uint here, done;
};

enum { MEETING = 4 };

static void meet_task(void *job, uint32_t index)
{
    const struct timespec moment = {0, 1000000};
    struct pool_meeting *meeting = job;
    (void)index;
    atomic_fetch_add(&meeting->here, 1);
    for (uint32_t i = 0; i < 10000 && atomic_load(&meeting->here) < MEETING; i++) {
        nanosleep(&moment, NULL);
    }
    for (uint32_t i = 0; i < 20 && !pthread_equal(pthread_self(), meeting->caller); i++) {
        nanosleep(&moment, NULL);
    }
    atomic_fetch_add(&meeting->done, atomic_load(&meeting->here) == MEETING);
}

/* Threads that sleep through a run, or are forgotten after it; a run that ends before its tasks. */
static void test_pool_meets(void **state)
{
    const struct timespec moment = {0, 10000000};
    terrain_pool *pool = NULL;
    terrain_runner runner;
    assert_int_equal(terrain_pool_create(MEETING, &pool), TERRAIN_SUCCESS);
    terrain_pool_runner(pool, &runner);
    for (int run = 0; run < 3; run++) {
        struct pool_meeting meeting = {.caller = pthread_self()};
        nanosleep(&moment, NULL); /* until the threads sleep, too */
        assert_int_equal(runner.run(runner.user, MEETING, meet_task, &meeting), 0);
        assert_int_equal(atomic_load(&meeting.done), MEETING);
    }
    terrain_pool_destroy(pool);
}

struct pool_user {
    terrain_pool *pool;
    uint64_t expected;
};

static void *apply_on_pool(void *argument)
{
    struct pool_user *user = argument;
    terrain_context *context = test_context_on_pool(TERRAIN_ISA_BEST, user->pool);
    uintptr_t faults = 0;
    for (int i = 0; i < 300; i++) {
        terrain_heightmap *map = test_map_of_size(33, 40, 1);
        faults +=
            terrain_operation_apply(context, &test_every_type, &map, 1, NULL) != TERRAIN_SUCCESS;
        faults += terrain_heightmap_hash(map) != user->expected;
        terrain_heightmap_destroy(map);
    }
    terrain_context_destroy(context);
    return (void *)faults;
}

/* Contexts on one pool that get into each other's calls. */
static void test_contexts_share_a_pool(void **state)
{
    struct pool_user user = {0};
    pthread_t threads[3];
    terrain_heightmap *map = test_map_of_size(33, 40, 1);
    assert_int_equal(terrain_operation_apply(NULL, &test_every_type, &map, 1, NULL),
                     TERRAIN_SUCCESS);
    user.expected = terrain_heightmap_hash(map);
    assert_int_equal(terrain_pool_create(3, &user.pool), TERRAIN_SUCCESS);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, apply_on_pool, &user), 0);
    }
    for (int i = 0; i < 3; i++) {
        void *faults = NULL;
        pthread_join(threads[i], &faults);
        assert_null(faults);
    }
    terrain_pool_destroy(user.pool);
    terrain_heightmap_destroy(map);
}

/* ---- NULL contexts -------------------------------------------------------------------------- */

static void *apply_many(void *user)
{
    uint64_t *hash = user;
    for (int i = 0; i < 50; i++) {
        terrain_heightmap *map = test_map_of_size(33, 40, 1);
        if (terrain_operation_apply(NULL, &test_every_type, &map, 1, NULL) != TERRAIN_SUCCESS) {
            *hash = 0;
            return NULL;
        }
        *hash = terrain_heightmap_hash(map);
        terrain_heightmap_destroy(map);
    }
    return NULL;
}

/* State that calls without a context share. */
static void test_null_context_on_threads(void **state)
{
    pthread_t threads[4];
    uint64_t hashes[4] = {0};
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, apply_many, &hashes[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_not_equal(hashes[i], 0);
        assert_int_equal(hashes[i], hashes[0]);
    }
}

/* ---- Progress ------------------------------------------------------------------------------- */

/* The functions that only read a map. */
static terrain_status call_reader(uint32_t n, terrain_context *context, terrain_heightmap *map)
{
    static uint16_t cells[64 * 64];
    static float normals[3 * 64 * 64];
    const terrain_heightmap *const maps[] = {map};
    terrain_landform land;
    terrain_seams seams;
    terrain_statistics *statistics = NULL;
    terrain_score *score = NULL;
    terrain_status status;
    switch (n) {
    case 0:
        return terrain_heightmap_pack_u16(context, map, -1e3f, 1e3f, cells, 64);
    case 1:
        return terrain_mesh_normals(context, map, NULL, normals, 3);
    case 2:
        terrain_landform_init(&land, sizeof land);
        return terrain_landform_measure(context, map, &land);
    case 3:
        terrain_seams_init(&seams, sizeof seams);
        return terrain_seams_measure(context, maps, 1, 1, 1, &seams);
    case 4:
        assert_int_equal(terrain_statistics_create(NULL, &statistics), TERRAIN_SUCCESS);
        status = terrain_statistics_add(context, statistics, map);
        terrain_statistics_destroy(statistics);
        return status;
    default:
        assert_int_equal(terrain_score_create(NULL, NULL, &score), TERRAIN_SUCCESS);
        status = terrain_score_add(context, score, map, NULL);
        terrain_score_destroy(score);
        return status;
    }
}

/* A bar that stays at 90 %, or is full before the end. tests/operations counts the reports of
 * operations. */
static void test_last_report(void **state)
{
    terrain_heightmap *map = test_map_of_size(64, 64, 1);
    for (uint32_t n = 0; n < 6; n++) {
        test_progress progress = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
        assert_int_equal(call_reader(n, context, map), TERRAIN_SUCCESS);
        assert_true(progress.last == 1 && progress.ends == 1 && progress.faults == 0);
        progress = (test_progress){0};
        assert_int_equal(call_reader(n, context, NULL), TERRAIN_ERROR_ARGUMENT);
        assert_int_equal(progress.ends, 0);
        terrain_context_destroy(context);
    }
    terrain_heightmap_destroy(map);
}

/* A part of a run that reports a little more than its share: the next part would then fall back.
 * From 3/40 to 9/40 the sum of the beginning and the length is rounded up. */
static void test_end_of_a_part(void **state)
{
    test_progress progress = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
    context->progress_from = 3 / 40.0;
    context->progress_to = 9 / 40.0;
    assert_true(terrain__context_report(context, 1));
    assert_true(progress.last == 9 / 40.0);
    context->progress_from = 0;
    context->progress_to = 1;
    terrain_context_destroy(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_desc),
        cmocka_unit_test(test_desc_fields),
        cmocka_unit_test(test_isa),
        cmocka_unit_test(test_null),
        cmocka_unit_test(test_messages),
        cmocka_unit_test(test_busy_from_progress),
        cmocka_unit_test(test_busy_from_thread),
        cmocka_unit_test(test_last_report),
        cmocka_unit_test(test_end_of_a_part),
#if !defined(_WIN32)
        cmocka_unit_test(test_cancel_from_signal),
#endif
        cmocka_unit_test(test_partial_results),
        cmocka_unit_test(test_partial_results_whole),
        cmocka_unit_test(test_give_up),
        cmocka_unit_test(test_stop_at_the_last_task),
        cmocka_unit_test(test_pool_arguments),
        cmocka_unit_test(test_pool_runs_each_task_once),
        cmocka_unit_test(test_pool_is_occupied),
        cmocka_unit_test(test_pool_meets),
        cmocka_unit_test(test_contexts_share_a_pool),
        cmocka_unit_test(test_null_context_on_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
