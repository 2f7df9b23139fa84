/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The life of a call: everything that operations have in common. See operation.h. */

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/cache.h"
#include "base/cpu.h"
#include "base/float_environment.h"
#include "core/context.h"
#include "core/mask_kernels.h"
#include "core/operation.h"
#include "core/params.h"
#include "core/reader.h"

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

/* One run of tasks. A task is claimed before it runs, so that a runner that calls it twice, or that
 * fails half way, does no harm. */
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

/* Hands the tasks to the host's runner, with the host's own float environment. If the pass is not
 * stoppable, does the tasks that the runner left undone itself. */
static terrain_status pass_run(terrain__call *call, uint32_t count, terrain__task *task,
                               bool stoppable)
{
    const terrain_context *context = call->context;
    struct pass pass = {.call = call, .task = task, .count = count};
    pass.stoppable = stoppable && context != NULL;
    atomic_init(&pass.claimed, 0);
    atomic_init(&pass.done, 0);
    if (context == NULL || context->runner.run == NULL || count <= 1) {
        return pass_run_here(call, count, task, pass.stoppable);
    }
    terrain__float_leave(&call->host);
    int32_t outcome = context->runner.run(context->runner.user, count, pass_task, &pass);
    terrain__float_enter(&call->host);
    if (!stoppable) {
        pass_run_rest(&pass);
        return TERRAIN_SUCCESS;
    }
    if (outcome != 0) {
        return terrain__fail(call, TERRAIN_ERROR_RUNNER, "the runner returned %ld", (long)outcome);
    }
    const uint64_t all = UINT64_MAX >> (TERRAIN__MAXIMUM_TASKS - count);
    if (atomic_load_explicit(&pass.done, memory_order_acquire) == all) {
        return TERRAIN_SUCCESS;
    }
    if (terrain__context_take_cancel(call->context)) {
        return terrain__fail(call, TERRAIN_ERROR_CANCELLED, "cancelled");
    }
    return terrain__fail(call, TERRAIN_ERROR_RUNNER, "the runner did not run every task");
}

bool terrain__is_alone(const terrain__call *call)
{
    return call->context == NULL || call->context->runner.run == NULL;
}

/* Between passes: has somebody cancelled? */
static terrain_status call_poll(terrain__call *call)
{
    const terrain_context *context = call->context;
    const bool reports = context != NULL && context->progress.report != NULL;
    bool go_on = !terrain__context_take_cancel(call->context);
    if (go_on && reports && call->passes > 0 && call->passes_done > 0) {
        /* volatile, so that it is computed here and not in the host's mode. */
        volatile double fraction = (double)call->passes_done / (double)call->passes;
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
    return status == TERRAIN_SUCCESS ? pass_run(call, count, task, true) : status;
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
    /* A long pass that is not staged may stop, too: either it can't be cancelled, or the host takes
     * partial results (see call_needs_stage). */
    const bool stoppable = call_is_staged(call) || (call->stage & TERRAIN__STAGE_LONG) != 0;
    return pass_run(call, count, task, stoppable);
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

/* ---- Maps ----------------------------------------------------------------------------------- */

terrain__view terrain__view_of(const terrain_heightmap *map)
{
    terrain__view view = {NULL, 0, 0, 0};
    if (map != NULL) {
        view.cells = map->data;
        view.stride = map->stride;
        view.width = map->width;
        view.height = map->height;
    }
    return view;
}

static terrain__plane call_plane_of(terrain_heightmap *map)
{
    terrain__plane plane = {map->data, map->stride, map->width, map->height};
    return plane;
}

terrain__plane terrain__output(const terrain__call *call, uint32_t offset)
{
    const terrain__plane none = {NULL, 0, 0, 0};
    for (uint32_t i = 0; i < call->port_count; i++) {
        if (call->ports[i].port->offset == offset) {
            return call->ports[i].plane;
        }
    }
    return none;
}

terrain__coarse terrain__coarse_input(const terrain__call *call, uint32_t offset)
{
    terrain__coarse coarse = {{NULL, 0, 0, 0}, 0, 0, 1};
    for (uint32_t i = 0; i < call->port_count; i++) {
        const terrain__bound *bound = &call->ports[i];
        if (bound->port->offset == offset && bound->map != NULL) {
            coarse.view = terrain__view_of(bound->map);
            coarse.x = bound->map->x;
            coarse.y = bound->map->y;
            coarse.spacing = terrain__port_spacing(bound->port, call->params);
        }
    }
    return coarse;
}

terrain__plane terrain__grid_plane(const terrain__call *call, uint32_t column, uint32_t row)
{
    return call_plane_of(call->maps[(size_t)row * call->columns + column]);
}

/* ---- Taking the maps ------------------------------------------------------------------------ */

static terrain_status call_check_count(terrain__call *call, const terrain__maps *maps)
{
    const uint64_t count = (uint64_t)maps->columns * maps->rows;
    const uint32_t expected = terrain__argument_count(call->operation);
    if (terrain__is_grid(call->operation) != (maps->arguments == NULL)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             maps->arguments == NULL ? "does not work on a grid of maps"
                                                     : "works on a grid of maps");
    }
    if (maps->arguments != NULL && maps->count != expected) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%lu maps given, must be %lu",
                             (unsigned long)maps->count, (unsigned long)expected);
    }
    if (maps->arguments == NULL && (maps->grid == NULL || count == 0)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             maps->grid == NULL ? "maps is NULL" : "the grid has no maps");
    }
    if (maps->arguments == NULL && count > TERRAIN_GRID_MAXIMUM) {
        return terrain__fail(call, TERRAIN_ERROR_RANGE,
                             "the grid has %llu maps, can have at most %d",
                             (unsigned long long)count, TERRAIN_GRID_MAXIMUM);
    }
    return TERRAIN_SUCCESS;
}

/* Finds the map of each port: an argument, the first of the grid, or a parameter's. */
static void call_bind(terrain__call *call, const terrain__maps *maps)
{
    call->port_count = terrain_operation_port_count(call->operation);
    call->maps = maps->grid;
    call->columns = maps->columns;
    call->rows = maps->rows;
    for (uint32_t i = 0; i < call->port_count; i++) {
        terrain__bound *bound = &call->ports[i];
        const terrain_port *port = terrain_operation_port_at(call->operation, i);
        bound->port = port;
        if (port->offset == 0 && maps->arguments == NULL) {
            bound->written = maps->grid[0];
        } else if (port->offset == 0) {
            bound->map = maps->arguments[i].read;
            bound->written = maps->arguments[i].written;
        } else if (port->role == TERRAIN_PORT_ROLE_READ) {
            memcpy(&bound->map, (const char *)call->params + port->offset, sizeof bound->map);
        } else {
            memcpy(&bound->written, (const char *)call->params + port->offset,
                   sizeof bound->written);
        }
        if (bound->written != NULL) {
            bound->map = bound->written;
            bound->plane = call_plane_of(bound->written);
        }
        if (port->mask != 0) {
            call->mask = bound->map;
        }
    }
}

/* A map of the call: those of a grid, which has one port, or else of the first, come first. */
struct call_map {
    const terrain_port *port;
    const terrain_heightmap *map;
    uint32_t port_index;
    char name[24];
};

static struct call_map call_map_at(const terrain__call *call, uint32_t index)
{
    const uint32_t grid = call->maps != NULL ? call->columns * call->rows : 1;
    const uint32_t port = index < grid ? 0 : index - grid + 1;
    struct call_map entry = {call->ports[port].port, call->ports[port].map, port, ""};
    if (call->maps != NULL && index < grid) {
        entry.map = call->maps[index];
    }
    return entry;
}

/* "mask", or "maps[3]". */
static const char *call_name_of(const terrain__call *call, struct call_map *entry, uint32_t index)
{
    if (entry->port->grid == 0 || call->maps == NULL) {
        return entry->port->name;
    }
    snprintf(entry->name, sizeof entry->name, "%s[%lu]", entry->port->name, (unsigned long)index);
    return entry->name;
}

/* Whether a coarse map covers what is needed of it. */
static terrain_status call_check_cover(terrain__call *call, const struct call_map *entry)
{
    const terrain_heightmap *map = entry->map, *first = call->ports[0].map;
    const terrain__box out = {first->x, first->y, first->x + (int64_t)first->width,
                              first->y + (int64_t)first->height};
    const int64_t x1 = map->x + (int64_t)map->width, y1 = map->y + (int64_t)map->height;
    terrain__box need;
    terrain__port_box(call->operation, call->params, entry->port_index, &out, &need);
    if (map->x <= need.x0 && map->y <= need.y0 && x1 >= need.x1 && y1 >= need.y1) {
        return TERRAIN_SUCCESS;
    }
    return terrain__fail(call, TERRAIN_ERROR_RANGE,
                         "%s covers x %lld to %lld and y %lld to %lld of its own cells, but x %lld "
                         "to %lld and y %lld to %lld is needed",
                         entry->port->name, (long long)map->x, (long long)x1 - 1, (long long)map->y,
                         (long long)y1 - 1, (long long)need.x0, (long long)need.x1 - 1,
                         (long long)need.y0, (long long)need.y1 - 1);
}

static terrain_status call_check_map(terrain__call *call, struct call_map *entry, uint32_t index)
{
    struct call_map first = call_map_at(call, 0);
    const terrain_heightmap *map = entry->map;
    const char *name = call_name_of(call, entry, index);
    const terrain_port *port = entry->port;
    if (map == NULL) {
        return port->optional != 0
                   ? TERRAIN_SUCCESS
                   : terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%s is NULL", name);
    }
    if (port->role != TERRAIN_PORT_ROLE_READ && map->read_only) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%s is const, but would be written",
                             name);
    }
    if (port->lattice == TERRAIN_PORT_LATTICE_COARSE) {
        return call_check_cover(call, entry);
    }
    if (port->lattice == TERRAIN_PORT_LATTICE_CALL &&
        (map->width != first.map->width || map->height != first.map->height)) {
        return terrain__fail(
            call, TERRAIN_ERROR_ARGUMENT, "%s is %lux%lu, %s %lux%lu: sizes must be equal", name,
            (unsigned long)map->width, (unsigned long)map->height, call_name_of(call, &first, 0),
            (unsigned long)first.map->width, (unsigned long)first.map->height);
    }
    if (port->role == TERRAIN_PORT_ROLE_READ &&
        (map->x != first.map->x || map->y != first.map->y)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             "%s lies at (%lld, %lld), %s at (%lld, %lld): origins must be equal",
                             name, (long long)map->x, (long long)map->y, first.port->name,
                             (long long)first.map->x, (long long)first.map->y);
    }
    return TERRAIN_SUCCESS;
}

/* No map may overlap one that is written. */
static terrain_status call_check_overlaps(terrain__call *call, uint32_t index)
{
    struct call_map one = call_map_at(call, index);
    for (uint32_t k = 0; k < index && one.map != NULL; k++) {
        struct call_map other = call_map_at(call, k);
        if (other.map != NULL &&
            (one.port->role != TERRAIN_PORT_ROLE_READ ||
             other.port->role != TERRAIN_PORT_ROLE_READ) &&
            terrain__heightmaps_overlap(one.map, other.map)) {
            return terrain__fail(call, TERRAIN_ERROR_ALIAS,
                                 "%s overlaps %s, and one of them would be written",
                                 call_name_of(call, &one, index), call_name_of(call, &other, k));
        }
    }
    return TERRAIN_SUCCESS;
}

/* The views of the maps that the operation gets. */
static void call_set_maps(terrain__call *call)
{
    const terrain_heightmap *map = call->ports[0].map;
    call->main = &call->ports[0];
    while (call->main->port->role == TERRAIN_PORT_ROLE_READ) {
        call->main++;
    }
    call->map = terrain__view_of(map);
    call->map_x = map->x;
    call->map_y = map->y;
    call->cell_size = map->cell_size;
    call->result_cell_size = map->cell_size;
    if (call->port_count > 1 && call->ports[1].port->role == TERRAIN_PORT_ROLE_READ) {
        call->other = terrain__view_of(call->ports[1].map);
    }
    call->target = call->main->plane;
    call->x = terrain__resizes(call->operation) ? call->main->map->x : map->x;
    call->y = terrain__resizes(call->operation) ? call->main->map->y : map->y;
    call->wanted.x0 = call->x;
    call->wanted.y0 = call->y;
    call->wanted.x1 = call->x + (int64_t)call->target.width;
    call->wanted.y1 = call->y + (int64_t)call->target.height;
}

static terrain_status call_take_maps(terrain__call *call, const terrain__maps *maps)
{
    terrain_status status = call_check_count(call, maps);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    call_bind(call, maps);
    /* A grid's only port stands for all its maps. */
    const uint32_t count =
        call->port_count + (call->maps != NULL ? call->columns * call->rows - 1 : 0);
    for (uint32_t i = 0; i < count; i++) {
        struct call_map entry = call_map_at(call, i);
        status = call_check_map(call, &entry, i);
        if (status == TERRAIN_SUCCESS) {
            status = call_check_overlaps(call, i);
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    call_set_maps(call);
    if (maps->wanted != NULL) {
        call->wanted = *maps->wanted;
    }
    return TERRAIN_SUCCESS;
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
        pass_run(call, terrain__bands_of(call->target.height, 1).count, call_unstage_band, false);
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
    terrain_status status = call_take_maps(&call, maps);
    if (status == TERRAIN_SUCCESS) {
        status = call_perform(&call);
    }
    terrain__scratchpad_reset(call.pad);
    terrain__scratchpad_free(&own);
    return status;
}

/* Prepare looks at no cell: it is run with a scratchpad that has none, and so only counts. The job
 * lies in the context's, which is free between calls. */
size_t terrain__count_scratch(terrain_context *context, const terrain_operation *operation,
                              const terrain__maps *maps, const terrain__checked *params)
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
    (void)terrain__scratch(&call, 1, operation->job_size);
    call_bind(&call, maps);
    call_set_maps(&call);
    terrain__float_enter(&call.host);
    if (terrain__scratchpad_reserve(kept, terrain__scratchpad_block(&count))) {
        call.job =
            memset(terrain__scratchpad_take(kept, operation->job_size), 0, operation->job_size);
        (void)call_prepare(&call);
        terrain__scratchpad_reset(kept);
    }
    terrain__float_leave(&call.host);
    terrain__scratchpad_free(&own);
    return terrain__scratchpad_block(&count);
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

/* ---- Readers -------------------------------------------------------------------------------- */

terrain_status terrain__reader_enter(terrain__reader *reader, terrain_context *context,
                                     const char *name)
{
    reader->context = context;
    reader->name = name;
    reader->map = NULL;
    reader->job = NULL;
    reader->pass = NULL;
    return terrain__context_enter(context);
}

terrain_status terrain__reader_leave(const terrain__reader *reader, terrain_status status)
{
    terrain__context_end(reader->context, status);
    terrain__context_leave(reader->context);
    return status;
}

terrain_status terrain__reader_fail(const terrain__reader *reader, terrain_status status,
                                    const char *format, ...)
{
    char text[TERRAIN__FAULT_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return terrain__context_fail(reader->context, status, "%s: %s", reader->name, text);
}

terrain_status terrain__reader_poll(const terrain__reader *reader, double fraction)
{
    if (terrain__context_take_cancel(reader->context) ||
        (fraction > 0 && !terrain__context_report(reader->context, fraction))) {
        return terrain__reader_fail(reader, TERRAIN_ERROR_CANCELLED, "cancelled");
    }
    return TERRAIN_SUCCESS;
}

static terrain_status reader_pass(const terrain__reader *reader, uint32_t count,
                                  terrain__task *task, bool stoppable)
{
    const terrain_operation operation = {.name = reader->name};
    terrain__call call = {.operation = &operation,
                          .context = reader->context,
                          .job = reader->job,
                          .pass = reader->pass,
                          .isa = terrain_context_isa(reader->context)};
    if (reader->map != NULL) {
        call.map = terrain__view_of(reader->map);
        call.map_x = call.x = reader->map->x;
        call.map_y = call.y = reader->map->y;
        call.cell_size = reader->map->cell_size;
    }
    terrain__float_enter(&call.host);
    terrain_status status = pass_run(&call, count, task, stoppable);
    terrain__float_leave(&call.host);
    return status;
}

terrain_status terrain__reader_run(const terrain__reader *reader, uint32_t count,
                                   terrain__task *task)
{
    return reader_pass(reader, count, task, true);
}

void terrain__reader_commit(const terrain__reader *reader, uint32_t count, terrain__task *task)
{
    (void)reader_pass(reader, count, task, false);
}
