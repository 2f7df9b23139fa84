/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* One run of the tasks of a call, on this thread or by the host's runner. */

#include "base/float_environment.h"
#include "core/call.h"
#include "core/context.h"

/* A task is claimed before it runs, so that a runner that calls it twice, or that fails half way,
 * does no harm. */
struct pass {
    terrain__call *call;
    terrain__task *task;
    uint32_t count;
    bool stoppable;
    atomic_uint_least64_t claimed; /* a bit a task */
    atomic_uint_least64_t done;
};

static void pass_task(void *job, uint32_t index)
{
    struct pass *pass = job;
    const terrain_context *context = pass->call->context;
    terrain__float_environment host;
    if (index >= pass->count ||
        (pass->stoppable && atomic_load_explicit(&context->cancelled, memory_order_relaxed))) {
        return;
    }
    const uint64_t bit = UINT64_C(1) << index;
    if ((atomic_fetch_or_explicit(&pass->claimed, bit, memory_order_relaxed) & bit) != 0) {
        return;
    }
    terrain__float_enter(&host);
    pass->task(pass->call, index);
    terrain__float_leave(&host);
    atomic_fetch_or_explicit(&pass->done, bit, memory_order_release);
}

static void pass_run_rest(struct pass *pass)
{
    for (uint32_t i = 0; i < pass->count; i++) {
        pass_task(pass, i);
    }
}

/* The tasks one after the other, on this thread, which is in the call's float environment. */
static terrain_status pass_run_here(terrain__call *call, uint32_t count, terrain__task *task,
                                    bool stoppable)
{
    for (uint32_t i = 0; i < count; i++) {
        if (stoppable && terrain__context_take_cancel(call->context)) {
            return terrain__fail(call, TERRAIN_ERROR_CANCELLED, "cancelled");
        }
        task(call, i);
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain__pass_run(terrain__call *call, uint32_t count, terrain__task *task,
                                 enum terrain__pass_kind kind)
{
    const terrain_context *context = call->context;
    struct pass pass = {.call = call, .task = task, .count = count};
    pass.stoppable = kind != TERRAIN__PASS_NEVER_STOPS && context != NULL;
    atomic_init(&pass.claimed, 0);
    atomic_init(&pass.done, 0);
    if (context == NULL || context->runner.run == NULL || count <= 1) {
        return pass_run_here(call, count, task, pass.stoppable);
    }
    terrain__float_leave(&call->host);
    int32_t outcome = context->runner.run(context->runner.user, count, pass_task, &pass);
    terrain__float_enter(&call->host);
    if (kind != TERRAIN__PASS_STOPS) {
        pass_run_rest(&pass);
        outcome = 0;
    }
    const uint64_t all = UINT64_MAX >> (TERRAIN__MOST_TASKS - count);
    if (kind == TERRAIN__PASS_NEVER_STOPS ||
        (outcome == 0 && atomic_load_explicit(&pass.done, memory_order_acquire) == all)) {
        return TERRAIN_SUCCESS;
    }
    if (terrain__context_take_cancel(call->context)) {
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
