/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The life of a call: everything that operations have in common. See operation.h; the call's maps
 * are in call_maps.c. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cache.h"
#include "base/float_environment.h"
#include "core/call.h"
#include "core/context.h"
#include "core/mask_kernels.h"
#include "core/params.h"

/* A last pass longer than this, in nanoseconds on one core, is long. */
#define LONG_COMMIT 100e6

terrain_status terrain__fail(terrain__call *call, terrain_status status, const char *format, ...)
{
    char text[TERRAIN__FAULT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return terrain__context_fail(call->context, status, "%s: %s", call->operation->name, text);
}

/* ---- Passes --------------------------------------------------------------------------------- */

/* Between passes: has somebody cancelled? */
static terrain_status call_poll(terrain__call *call)
{
    const terrain_context *context = call->context;
    const bool reports = context != NULL && context->progress.report != NULL;
    bool go_on = !terrain__context_take_cancel(call->context);
    if (go_on && reports && call->passes > 0 && call->passes_done > 0) {
        const double fraction = (double)call->passes_done / (double)call->passes;
        terrain__float_settle(&fraction);
        terrain__float_leave(&call->host);
        go_on = terrain__context_report(call->context, fraction);
        terrain__float_enter(&call->host);
    }
    return go_on ? TERRAIN_SUCCESS : terrain__fail(call, TERRAIN_ERROR_CANCELLED, "cancelled");
}

terrain_status terrain__run(terrain__call *call, uint32_t count, terrain__task *task)
{
    terrain_status status = call_poll(call);
    call->passes_done++;
    return status == TERRAIN_SUCCESS ? terrain__pass_run(call, count, task, TERRAIN__PASS_STOPS)
                                     : status;
}

static bool call_is_staged(const terrain__call *call)
{
    return call->target.cells != call->main->written->data;
}

terrain_status terrain__commit(terrain__call *call, uint32_t count, terrain__task *task)
{
    terrain_status status = call_poll(call);
    call->passes_done++;
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    /* A long pass that is not staged may be cancelled, too: either nobody can cancel it, or the
     * host takes partial results (see call_needs_stage). */
    const enum terrain__pass_kind kind = call_is_staged(call) ? TERRAIN__PASS_STOPS
                                         : (call->stage & TERRAIN__STAGE_LONG) != 0
                                             ? TERRAIN__PASS_STOPS_IF_CANCELLED
                                             : TERRAIN__PASS_NEVER_STOPS;
    call->reports = (call->stage & TERRAIN__STAGE_LONG) != 0;
    call->passes = call->passes > call->passes_done ? call->passes : call->passes_done;
    return terrain__pass_run(call, count, task, kind);
}

/* ---- Scratch -------------------------------------------------------------------------------- */

void *terrain__scratch(terrain__call *call, size_t count, size_t size)
{
    size_t bytes;
    return terrain__scratchpad_take(call->pad,
                                    terrain__multiply_size(count, size, &bytes) ? bytes : SIZE_MAX);
}

terrain__plane terrain__scratch_plane(terrain__call *call, uint32_t width, uint32_t height)
{
    terrain__plane plane = {NULL, terrain__padded_stride(width), width, height};
    size_t row;
    if (!terrain__multiply_size(plane.stride, sizeof(float), &row)) {
        row = SIZE_MAX; /* of which there is none */
    }
    plane.cells = terrain__scratch(call, height, row);
    return plane;
}

void terrain__stage(terrain__call *call, uint32_t flags)
{
    call->stage |= flags;
}

void terrain__commit_cost(terrain__call *call, double nanoseconds_per_cell)
{
    double cells = (double)call->target.width * (double)call->target.height;
    if (cells * nanoseconds_per_cell > LONG_COMMIT) {
        terrain__stage(call, TERRAIN__STAGE_LONG);
    }
}

void terrain__expect_passes(terrain__call *call, uint32_t passes)
{
    call->passes = passes;
}

/* ---- Staging and the end --------------------------------------------------------------------- */

static bool call_needs_stage(const terrain__call *call)
{
    bool partial =
        call->context != NULL && (call->context->flags & TERRAIN_CONTEXT_PARTIAL_RESULTS) != 0;
    bool stays_long = (call->stage & TERRAIN__STAGE_LONG) != 0 && call->context != NULL && !partial;
    return call->mask != NULL || (call->stage & TERRAIN__STAGE_OUT_OF_PLACE) != 0 || stays_long;
}

/* Whether a port is written beside the target. */
static bool call_is_output(const terrain__call *call, uint32_t index)
{
    const terrain__bound *bound = &call->ports[index];
    return bound->written != NULL && bound != call->main;
}

static void call_set_stage(terrain__call *call)
{
    if (!call_needs_stage(call)) {
        return;
    }
    call->target = terrain__scratch_plane(call, call->target.width, call->target.height);
    for (uint32_t i = 0; i < call->port_count; i++) {
        if (call_is_output(call, i)) {
            terrain__plane *plane = &call->ports[i].plane;
            *plane = terrain__scratch_plane(call, plane->width, plane->height);
        }
    }
}

static void call_unstage_plane(const terrain__plane *plane, terrain_heightmap *map, uint32_t begin,
                               uint32_t end)
{
    for (uint32_t y = begin; y < end; y++) {
        memcpy(map->data + y * map->stride, plane->cells + y * plane->stride,
               plane->width * sizeof(float));
    }
}

static void call_unstage_band(terrain__call *call, uint32_t index)
{
    const struct mask_kernels *kernels = terrain__mask_kernels(call->isa);
    terrain_heightmap *written = call->main->written;
    terrain__bands bands = terrain__bands_of(call->target.height, 1);
    uint32_t begin = terrain__band_begin(&bands, index);
    uint32_t end = terrain__band_end(&bands, index);
    if (call->mask == NULL) {
        call_unstage_plane(&call->target, written, begin, end);
    } else {
        for (uint32_t y = begin; y < end; y++) {
            kernels->row(written->data + y * written->stride,
                         call->target.cells + y * call->target.stride,
                         call->mask->data + y * call->mask->stride, call->target.width);
        }
    }
    /* Outputs are as large as the map; a result of another size has none. */
    for (uint32_t i = 0; i < call->port_count; i++) {
        if (call_is_output(call, i)) {
            call_unstage_plane(&call->ports[i].plane, call->ports[i].written, begin, end);
        }
    }
}

/* Everything succeeded: the host's maps become what they are to be. */
static void call_finish(terrain__call *call)
{
    if (call_is_staged(call)) {
        terrain__pass_run(call, terrain__bands_of(call->target.height, 1).count, call_unstage_band,
                          TERRAIN__PASS_NEVER_STOPS);
    }
    if (call->main != &call->ports[0]) {
        call->main->written->cell_size = call->result_cell_size;
        call->main->written->x = call->x;
        call->main->written->y = call->y;
    }
    for (uint32_t i = 0; i < call->port_count; i++) {
        if (call_is_output(call, i)) {
            call->ports[i].written->cell_size = call->cell_size;
            call->ports[i].written->x = call->map_x;
            call->ports[i].written->y = call->map_y;
        }
    }
}

/* Needs a zeroed job. */
static terrain_status call_prepare(terrain__call *call)
{
    const terrain_operation *operation = call->operation;
    terrain_status status = operation->prepare != NULL ? operation->prepare(call) : TERRAIN_SUCCESS;
    if (status == TERRAIN_SUCCESS) {
        call_set_stage(call);
    }
    return status;
}

/* Prepare asks for all the memory that there will be, and writes nothing of the host's: where the
 * scratchpad turns out too small it is grown, and prepare runs again. */
static terrain_status call_prepare_scratch(terrain__call *call)
{
    const size_t job_size = call->operation->job_size;
    const terrain__call fresh = *call;
    for (;;) {
        terrain_status status = TERRAIN_SUCCESS;
        call->job = terrain__scratch(call, 1, job_size);
        if (terrain__scratchpad_fits(call->pad)) {
            if (job_size > 0) {
                memset(call->job, 0, job_size);
            }
            status = call_prepare(call);
        }
        if (status != TERRAIN_SUCCESS || terrain__scratchpad_fits(call->pad)) {
            return status;
        }
        if (!terrain__scratchpad_grow(call->pad)) {
            return terrain__fail(call, TERRAIN_ERROR_MEMORY, "no memory for a map of %lux%lu",
                                 (unsigned long)call->target.width,
                                 (unsigned long)call->target.height);
        }
        *call = fresh;
    }
}

static terrain_status call_perform(terrain__call *call)
{
    if (terrain__context_take_cancel(call->context)) {
        return terrain__fail(call, TERRAIN_ERROR_CANCELLED, "cancelled");
    }
    terrain__float_enter(&call->host);
    terrain_status status = call_prepare_scratch(call);
    if (status == TERRAIN_SUCCESS) {
        status = call->operation->run(call);
    }
    if (status == TERRAIN_SUCCESS) {
        call_finish(call);
    }
    terrain__float_leave(&call->host);
    return status;
}

terrain_status terrain__apply_checked(terrain_context *context, const terrain_operation *operation,
                                      const terrain__maps *maps, const terrain__checked *params)
{
    terrain__scratchpad own = {.block = NULL};
    terrain__call call = {
        .operation = operation,
        .context = context,
        .params = params,
        .isa = terrain_context_isa(context),
        .pad = context != NULL ? &context->pad : &own,
    };
    terrain_status status = terrain__call_take_maps(&call, maps);
    if (status == TERRAIN_SUCCESS) {
        status = call_perform(&call);
    }
    terrain__scratchpad_reset(call.pad);
    terrain__scratchpad_free(&own);
    return status;
}

/* Prepare looks at no cell: it is run with a scratchpad that has none, and so only counts. The job
 * lies in the context's, which is free between calls. */
terrain_status terrain__count_scratch(terrain_context *context, const terrain_operation *operation,
                                      const terrain__maps *maps, const terrain__checked *params,
                                      size_t *bytes)
{
    terrain__scratchpad own = {.block = NULL};
    terrain__scratchpad *kept = context != NULL ? &context->pad : &own;
    terrain__scratchpad count = {.block = NULL};
    terrain__call call = {
        .operation = operation,
        .context = context,
        .params = params,
        .isa = terrain_context_isa(context),
        .pad = &count,
    };
    terrain_status status;
    (void)terrain__scratch(&call, 1, operation->job_size);
    terrain__call_see_maps(&call, maps);
    terrain__float_enter(&call.host);
    if (terrain__scratchpad_reserve(kept, terrain__scratchpad_block(&count))) {
        call.job =
            memset(terrain__scratchpad_take(kept, operation->job_size), 0, operation->job_size);
        status = call_prepare(&call);
        terrain__scratchpad_reset(kept);
    } else {
        status = terrain__fail(&call, TERRAIN_ERROR_MEMORY, "no memory");
    }
    terrain__float_leave(&call.host);
    terrain__scratchpad_free(&own);
    *bytes = terrain__scratchpad_block(&count);
    return status;
}

/* The entry for hosts: the params are checked here and nowhere else. */
static terrain_status call_enter(terrain_context *context, const terrain_operation *operation,
                                 const terrain__maps *maps, const void *params)
{
    terrain__params room;
    const terrain__checked *checked;
    char fault[TERRAIN__FAULT_SIZE];
    terrain_status status = terrain__context_enter(context);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (operation == NULL) {
        status = terrain__context_fail(context, TERRAIN_ERROR_ARGUMENT, "operation is NULL");
    } else {
        status = terrain__params_complete(operation, params, &room, &checked, fault);
        status = status == TERRAIN_SUCCESS
                     ? terrain__apply_checked(context, operation, maps, checked)
                     : terrain__context_fail(context, status, "%s: %s", operation->name, fault);
    }
    terrain__context_end(context, status);
    terrain__context_leave(context);
    return status;
}

terrain_status terrain__apply(terrain_context *context, const terrain_operation *operation,
                              const terrain__argument *arguments, uint32_t count,
                              const void *params)
{
    const terrain__maps maps = {.arguments = arguments, .count = count};
    return call_enter(context, operation, &maps, params);
}

terrain_status terrain__apply_grid(terrain_context *context, const terrain_operation *operation,
                                   terrain_heightmap *const *maps, uint32_t columns, uint32_t rows,
                                   const void *params)
{
    const terrain__maps grid = {.grid = maps, .columns = columns, .rows = rows};
    return call_enter(context, operation, &grid, params);
}
