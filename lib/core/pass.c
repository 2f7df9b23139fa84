/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* One run of the tasks of a call, on this thread or by the host's runner. */

#include "base/float_environment.h"
#include "base/math.h"
#include "base/thread.h"
#include "core/call.h"
#include "core/context.h"

/* A task is claimed before it runs, so that a runner that calls it twice, or that fails half way,
 * does no harm. */
struct pass {
    terrain__call *call;
    terrain__task *task;
    uint32_t count;
    bool stoppable;
    bool reports; /* after each task on the calling thread */
    terrain__thread_id caller;
    atomic_uint_least64_t claimed; /* a bit a task */
    atomic_uint_least64_t done;
    atomic_bool refused; /* a report has cancelled the call */
};

/* The share of the call that is done when so many tasks of its last pass are. That counts as all
 * passes that are left. */
static double pass_share(const terrain__call *call, uint32_t ended, uint32_t count)
{
    const uint32_t before = call->passes_done - 1, left = call->passes - before;
    const double fraction = (before + (double)left * ended / count) / call->passes;
    terrain__float_settle(&fraction);
    return fraction;
}

static bool pass_is_stopped(const struct pass *pass)
{
    return pass->stoppable &&
           (atomic_load_explicit(&pass->call->context->cancelled, memory_order_relaxed) ||
            atomic_load_explicit(&pass->refused, memory_order_relaxed));
}

static void pass_task(void *job, uint32_t index)
{
    struct pass *pass = job;
    terrain__float_environment host;
    double share = 1;
    if (index >= pass->count || pass_is_stopped(pass)) {
        return;
    }
    const uint64_t bit = UINT64_C(1) << index;
    if ((atomic_fetch_or_explicit(&pass->claimed, bit, memory_order_relaxed) & bit) != 0) {
        return;
    }
    terrain__float_enter(&host);
    pass->task(pass->call, index);
    const uint64_t done = atomic_fetch_or_explicit(&pass->done, bit, memory_order_release) | bit;
    const uint32_t ended = terrain__count_bits(done);
    if (pass->reports && ended < pass->count) {
        share = pass_share(pass->call, ended, pass->count);
    }
    terrain__float_leave(&host);
    if (share < 1 && terrain__thread_equal(terrain__thread_self(), pass->caller) &&
        !terrain__context_report(pass->call->context, share)) {
        atomic_store_explicit(&pass->refused, true, memory_order_relaxed);
    }
}

static void pass_run_rest(struct pass *pass)
{
    for (uint32_t i = 0; i < pass->count; i++) {
        pass_task(pass, i);
    }
}

/* The tasks one after the other, on this thread, which is in the call's float environment. */
static terrain_status pass_run_here(const struct pass *pass)
{
    terrain__call *call = pass->call;
    for (uint32_t i = 0; i < pass->count; i++) {
        bool stops = pass->stoppable && terrain__context_take_cancel(call->context);
        if (!stops && pass->reports && i > 0) {
            const double share = pass_share(call, i, pass->count);
            terrain__float_leave(&call->host);
            stops = !terrain__context_report(call->context, share);
            terrain__float_enter(&call->host);
        }
        if (stops) {
            return terrain__fail(call, TERRAIN_ERROR_CANCELLED, "cancelled");
        }
        pass->task(call, i);
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain__pass_run(terrain__call *call, uint32_t count, terrain__task *task,
                                 enum terrain__pass_kind kind)
{
    const terrain_context *context = call->context;
    struct pass pass = {.call = call, .task = task, .count = count};
    pass.stoppable = kind != TERRAIN__PASS_NEVER_STOPS && context != NULL;
    pass.reports = pass.stoppable && call->reports && context->progress.report != NULL;
    pass.caller = terrain__thread_self();
    atomic_init(&pass.claimed, 0);
    atomic_init(&pass.done, 0);
    atomic_init(&pass.refused, false);
    if (context == NULL || context->runner.run == NULL || count <= 1) {
        return pass_run_here(&pass);
    }
    terrain__float_leave(&call->host);
    int32_t outcome = context->runner.run(context->runner.user, count, pass_task, &pass);
    if (kind != TERRAIN__PASS_STOPS) {
        pass_run_rest(&pass);
        outcome = 0;
    }
    terrain__float_enter(&call->host);
    const bool refused = atomic_load_explicit(&pass.refused, memory_order_relaxed);
    const uint64_t all = UINT64_MAX >> (TERRAIN__MOST_TASKS - count);
    if (kind == TERRAIN__PASS_NEVER_STOPS ||
        (outcome == 0 && !refused &&
         atomic_load_explicit(&pass.done, memory_order_acquire) == all)) {
        return TERRAIN_SUCCESS;
    }
    if (refused || terrain__context_take_cancel(call->context)) {
        return terrain__fail(call, TERRAIN_ERROR_CANCELLED, "cancelled");
    }
    if (outcome != 0) {
        return terrain__fail(call, TERRAIN_ERROR_RUNNER, "the runner returned %ld", (long)outcome);
    }
    return terrain__fail(call, TERRAIN_ERROR_RUNNER, "the runner did not run every task");
}

bool terrain__is_alone(const terrain__call *call)
{
    return call->context == NULL || call->context->runner.run == NULL;
}
