/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against calls that fail half way and leave their mark: on the maps, in memory, or on the
 * next call. Every allocation fails once, every report and many tasks are the moment of a cancel,
 * and runners fail, forget tasks, or run them twice. */

#include <string.h>

#include "support/check.h"

/* More than 64 rows, so that bands have more than one row. */
static const terrain_window place = {-37, 1234567890123, 45, 70};

struct subject {
    test_call call;
    uint64_t before; /* fingerprints */
    uint64_t after;
    uint64_t tasks; /* that a whole call takes */
};

/* With random params, among which the choice, if there is one, has the value. */
static struct subject begin_choice(const terrain_operation *operation, bool masked,
                                   const terrain_parameter *choice, uint64_t value)
{
    struct subject subject = {.call = test_call_of(operation)};
    test_call *call = &subject.call;
    test_runner runner = {.kind = TEST_RUN_SERIAL};
    test_random random = {77};
    do {
        test_call_randomize(call, &random, &place);
    } while (choice != NULL && test_get(call->params, choice).u != value);
    test_call_create_maps(call, &place);
    if (masked) {
        test_call_attach_all(call);
    }
    test_call_fill(call);
    subject.before = test_call_fingerprint(call);
    terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
    expect_status(test_call_apply(call, context), TERRAIN_SUCCESS, call, context);
    terrain_context_destroy(context);
    subject.after = test_call_fingerprint(call);
    subject.tasks = runner.tasks;
    test_call_fill(call);
    return subject;
}

static struct subject begin(const terrain_operation *operation, bool masked)
{
    return begin_choice(operation, masked, NULL, 0);
}

/* A call that was refused left everything as it was, and says why. */
static void check_failed(struct subject *subject, terrain_context *context)
{
    test_call *call = &subject->call;
    const char *name = terrain_operation_name(call->operation);
    const char *message = terrain_context_message(context);
    expect(test_call_fingerprint(call) == subject->before, call, context);
    expect(strncmp(message, name, strlen(name)) == 0, call, context);
}

/* And the same context does it right the next time. */
static void check_works(struct subject *subject, terrain_context *context)
{
    test_call *call = &subject->call;
    test_call_fill(call);
    expect_status(test_call_apply(call, context), TERRAIN_SUCCESS, call, context);
    expect(test_call_fingerprint(call) == subject->after, call, context);
    expect(strcmp(terrain_context_message(context), "") == 0, call, context);
    test_call_fill(call);
}

static void fail_each_allocation(const terrain_operation *operation, bool masked)
{
    struct subject subject = begin(operation, masked);
    test_call *call = &subject.call;
    for (uint64_t n = 1;; n++) {
        test_allocator allocator = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
        allocator.fail_at = allocator.calls + n;
        terrain_status status = test_call_apply(call, context);
        bool reached = allocator.calls >= allocator.fail_at;
        allocator.fail_at = 0;
        if (reached) {
            expect_status(status, TERRAIN_ERROR_MEMORY, call, context);
            check_failed(&subject, context);
            check_works(&subject, context);
        }
        terrain_context_destroy(context);
        expect(allocator.live == 0, call, NULL);
        expect(allocator.faults == 0, call, NULL);
        if (!reached) {
            expect_status(status, TERRAIN_SUCCESS, call, NULL);
            expect(test_call_fingerprint(call) == subject.after, call, NULL);
            break;
        }
    }
    test_call_destroy(call);
}

/* A leak, or a half-written map, when memory runs out. */
static void test_allocations(void **state)
{
    for_each_operation(operation) {
        fail_each_allocation(operation, false);
        fail_each_allocation(operation, true);
    }
}

/* Memory that is taken anew in every call, or that grows. */
static void test_scratch_is_kept(void **state)
{
    for_each_operation(operation) {
        struct subject subject = begin(operation, true);
        test_allocator allocator = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
        check_works(&subject, context);
        uint64_t calls = allocator.calls;
        check_works(&subject, context);
        expect(allocator.calls == calls, &subject.call, context);
        terrain_context_trim(context);
        expect(allocator.live == 1, &subject.call, context); /* the context itself */
        check_works(&subject, context);
        terrain_context_destroy(context);
        expect(allocator.live == 0 && allocator.faults == 0, &subject.call, NULL);
        test_call_destroy(&subject.call);
    }
}

/* Memory that is asked for on a worker: an allocator need not be made for that. */
static void test_no_memory_on_workers(void **state)
{
    for_each_operation(operation) {
        struct subject subject = begin(operation, true);
        test_runner runner = {.kind = TEST_RUN_THREADS};
        test_allocator allocator = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, &allocator, NULL);
        check_works(&subject, context);
        terrain_context_destroy(context);
        expect(allocator.live == 0 && allocator.faults == 0, &subject.call, NULL);
        test_call_destroy(&subject.call);
    }
}

/* Cancels at one report after the other, later ones `step` apart. Destroys the call. */
static void cancel_each_report(struct subject subject, uint64_t step)
{
    test_call *call = &subject.call;
    for (uint64_t n = 1;; n += n < 4 ? 1 : step) {
        test_progress progress = {.cancel_at = n};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &progress);
        terrain_status status = test_call_apply(call, context);
        expect(progress.faults == 0, call, context);
        if (progress.last == 1) { /* too late, or never */
            expect(progress.ends == 1, call, context);
            expect_status(status, TERRAIN_SUCCESS, call, context);
            expect(test_call_fingerprint(call) == subject.after, call, context);
            terrain_context_destroy(context);
            break;
        }
        expect_status(status, TERRAIN_ERROR_CANCELLED, call, context);
        check_failed(&subject, context);
        progress = (test_progress){0};
        check_works(&subject, context);
        terrain_context_destroy(context);
    }
    test_call_destroy(call);
}

/* Cancels at some of a call's reports, of which there are so many. */
static void cancel_some_reports(test_call *call, uint64_t reports)
{
    struct subject subject = {.call = *call};
    test_call_fill(call);
    subject.before = test_call_fingerprint(call);
    for (uint64_t n = 1; n < reports;
         n += n < 4 ? 1 : reports / 6 + test_trial_step(call->operation)) {
        test_runner runner = {.kind = TEST_RUN_SERIAL};
        test_progress progress = {.cancel_at = n};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, &progress);
        expect_status(test_call_apply(call, context), TERRAIN_ERROR_CANCELLED, call, context);
        check_failed(&subject, context);
        terrain_context_destroy(context);
    }
}

/* A call that hands out work again and again, and says nothing meanwhile: before each run but the
 * first comes a report. One that ends at 0.9, or at 1 twice. A cancel that goes wrong in what is
 * done for large maps alone. */
static void test_reports(void **state)
{
    /* One high enough for many bands of rows, one wide enough for many strips of columns. */
    const terrain_window windows[] = {{-37, 1234567890123, 345, 1400}, {-37, 55, 2100, 66}};
    for_each_operation(operation) {
        for (size_t i = 0; i < sizeof windows / sizeof windows[0]; i++) {
            test_call call = test_call_on(operation, &windows[i]);
            test_runner runner = {.kind = TEST_RUN_SERIAL};
            test_progress progress = {0};
            terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, &progress);
            expect_status(test_call_apply(&call, context), TERRAIN_SUCCESS, &call, context);
            expect(progress.reports >= runner.runs, &call, context);
            expect(progress.last == 1 && progress.ends == 1, &call, context);
            expect(progress.faults == 0, &call, context);
            terrain_context_destroy(context);
            cancel_some_reports(&call, progress.reports);
            test_call_destroy(&call);
        }
    }
}

/* A progress callback that says stop, and the call goes on or leaves half a map. */
static void test_cancel_by_progress(void **state)
{
    for_each_operation(operation) {
        cancel_each_report(begin(operation, false), test_trial_step(operation));
        cancel_each_report(begin(operation, true), test_trial_step(operation));
    }
}

/* The same in what an operation does with one of its choices alone, perhaps only where a map is not
 * given. */
static void test_cancel_each_choice(void **state)
{
    for_each_operation(operation) {
        const uint64_t step = 5 * test_trial_step(operation);
        for_each_parameter(operation, choice) {
            for (uint64_t v = 0; choice->type == TERRAIN_TYPE_ENUM && v <= choice->maximum.u; v++) {
                cancel_each_report(begin_choice(operation, false, choice, v), step);
                cancel_each_report(begin_choice(operation, true, choice, v), step);
            }
        }
    }
}

/* What a call may have become that a hostile runner had in hands. Returns its status. */
static terrain_status check_outcome(struct subject *subject, terrain_context *context,
                                    terrain_status allowed)
{
    test_call *call = &subject->call;
    terrain_status status = test_call_apply(call, context);
    if (status == TERRAIN_SUCCESS) {
        expect(test_call_fingerprint(call) == subject->after, call, context);
    } else {
        expect_status(status, allowed, call, context);
        check_failed(subject, context);
    }
    test_call_fill(call);
    return status;
}

static void trip_at_tasks(const terrain_operation *operation, int kind, bool masked)
{
    struct subject subject = begin(operation, masked);
    uint64_t step = test_trial_step(operation);
    uint64_t later = step * (subject.tasks / 24 + 1);
    for (uint64_t n = 1; n <= subject.tasks; n += n < 8 ? step : later) {
        test_runner runner = {.kind = kind, .limit = n};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, &runner, NULL, NULL);
        runner.context = context;
        bool cancels = kind == TEST_RUN_CANCEL;
        terrain_status status = check_outcome(
            &subject, context, cancels ? TERRAIN_ERROR_CANCELLED : TERRAIN_ERROR_RUNNER);
        if (cancels && status == TERRAIN_SUCCESS) {
            /* Past the point where it could stop: then the next call is cancelled. */
            expect_status(test_call_apply(&subject.call, context), TERRAIN_ERROR_CANCELLED,
                          &subject.call, context);
            check_failed(&subject, context);
        }
        check_works(&subject, context);
        terrain_context_destroy(context);
    }
    test_call_destroy(&subject.call);
}

static void trip_everywhere(int kind)
{
    for_each_operation(operation) {
        trip_at_tasks(operation, kind, false);
        trip_at_tasks(operation, kind, true);
    }
}

/* A cancel from another thread, at any task, that tears the map. */
static void test_cancel_at_tasks(void **state)
{
    trip_everywhere(TEST_RUN_CANCEL);
}

/* A runner that gives up half way. */
static void test_runner_fails(void **state)
{
    trip_everywhere(TEST_RUN_FAIL);
}

/* A runner that leaves out a task and claims success. */
static void test_runner_drops(void **state)
{
    trip_everywhere(TEST_RUN_DROP);
}

/* A cancel that comes before the call and is forgotten, or stays for ever. */
static void test_cancel_before(void **state)
{
    for_each_operation(operation) {
        struct subject subject = begin(operation, false);
        terrain_context *context = test_plain_context();
        terrain_context_cancel(context);
        terrain_context_cancel(context);
        expect_status(test_call_apply(&subject.call, context), TERRAIN_ERROR_CANCELLED,
                      &subject.call, context);
        check_failed(&subject, context);
        check_works(&subject, context);
        terrain_context_destroy(context);
        test_call_destroy(&subject.call);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allocations),
        cmocka_unit_test(test_scratch_is_kept),
        cmocka_unit_test(test_reports),
        cmocka_unit_test(test_cancel_by_progress),
        cmocka_unit_test(test_cancel_each_choice),
        cmocka_unit_test(test_cancel_at_tasks),
        cmocka_unit_test(test_runner_fails),
        cmocka_unit_test(test_runner_drops),
        cmocka_unit_test(test_cancel_before),
        cmocka_unit_test(test_no_memory_on_workers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
