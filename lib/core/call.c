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

static bool pass_claim(struct pass *pass, uint32_t index)
{
    uint64_t bit = UINT64_C(1) << index;
    return (atomic_fetch_or_explicit(&pass->claimed, bit, memory_order_relaxed) & bit) == 0;
}

static void pass_task(void *job, uint32_t index)
{
    struct pass *pass = job;
    const terrain_context *context = pass->call->context;
    terrain__float_environment host;
    if (index >= pass->count ||
        (pass->stoppable && atomic_load_explicit(&context->cancelled, memory_order_relaxed)) ||
        !pass_claim(pass, index)) {
        return;
    }
    terrain__float_enter(&host);
    pass->task(pass->call, index);
    terrain__float_leave(&host);
    atomic_fetch_or_explicit(&pass->done, UINT64_C(1) << index, memory_order_release);
}

static bool pass_is_complete(struct pass *pass)
{
    uint64_t all = UINT64_MAX >> (TERRAIN__MAXIMUM_TASKS - pass->count);
    return atomic_load_explicit(&pass->done, memory_order_acquire) == all;
}

static void pass_run_rest(struct pass *pass)
{
    for (uint32_t i = 0; i < pass->count; i++) {
        pass_task(pass, i);
    }
}

/* Hands the tasks to the host, whose own float environment is back meanwhile. */
static int32_t pass_hand_out(struct pass *pass)
{
    terrain__call *call = pass->call;
    const terrain_context *context = call->context;
    int32_t outcome;
    if (context == NULL || context->runner.run == NULL || pass->count == 1) {
        pass_run_rest(pass);
        return 0;
    }
    terrain__float_leave(&call->host);
    outcome = context->runner.run(context->runner.user, pass->count, pass_task, pass);
    terrain__float_enter(&call->host);
    return outcome;
}

static terrain_status pass_run(terrain__call *call, uint32_t count, terrain__task *task,
                               bool stoppable)
{
    struct pass pass = {.call = call, .task = task, .count = count};
    int32_t outcome;
    pass.stoppable = stoppable && call->context != NULL;
    atomic_init(&pass.claimed, 0);
    atomic_init(&pass.done, 0);
    if (count == 0) {
        return TERRAIN_SUCCESS;
    }
    outcome = pass_hand_out(&pass);
    if (!stoppable) {
        pass_run_rest(&pass);
        return TERRAIN_SUCCESS;
    }
    if (outcome != 0) {
        return terrain__fail(call, TERRAIN_ERROR_RUNNER, "the runner returned %ld", (long)outcome);
    }
    if (pass_is_complete(&pass)) {
        return TERRAIN_SUCCESS;
    }
    if (terrain__context_take_cancel(call->context)) {
        return terrain__fail(call, TERRAIN_ERROR_CANCELLED, "cancelled");
    }
    return terrain__fail(call, TERRAIN_ERROR_RUNNER, "the runner did not run every task");
}

/* Between passes: has somebody cancelled? */
static terrain_status call_poll(terrain__call *call)
{
    bool go_on = !terrain__context_take_cancel(call->context);
    if (go_on && call->passes > 0 && call->passes_done > 0) {
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
    return call->target.cells != call->written->data;
}

/* Whether the last pass may stop half way. */
static bool call_commit_is_stoppable(const terrain__call *call)
{
    bool partial = call->context != NULL &&
                   (call->context->flags & TERRAIN_CONTEXT_PARTIAL_RESULTS) != 0 &&
                   (call->stage & TERRAIN__STAGE_LONG) != 0;
    return call_is_staged(call) || partial;
}

terrain_status terrain__commit(terrain__call *call, uint32_t count, terrain__task *task)
{
    terrain_status status = call_poll(call);
    call->passes_done++;
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    return pass_run(call, count, task, call_commit_is_stoppable(call));
}

void terrain__run_all(terrain__call *call, uint32_t count, terrain__task *task)
{
    (void)pass_run(call, count, task, false);
}

/* ---- Scratch -------------------------------------------------------------------------------- */

void *terrain__scratch(terrain__call *call, size_t count, size_t size)
{
    size_t bytes;
    void *block = NULL;
    if (call->failure == TERRAIN_SUCCESS && terrain__multiply_size(count, size, &bytes)) {
        block = terrain__arena_take(call->arena, bytes);
    }
    if (block == NULL) {
        call->failure = TERRAIN_ERROR_MEMORY;
    }
    return block;
}

terrain__plane terrain__scratch_plane(terrain__call *call, uint32_t width, uint32_t height)
{
    terrain__plane plane = {NULL, terrain__padded_stride(width), width, height};
    size_t cells;
    if (terrain__multiply_size(plane.stride, height, &cells)) {
        plane.cells = terrain__scratch(call, cells, sizeof(float));
    } else {
        call->failure = TERRAIN_ERROR_MEMORY;
    }
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

static terrain__view call_view_of(const terrain_heightmap *map)
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

terrain__view terrain__input(const terrain__call *call, const terrain_heightmap *map)
{
    (void)call;
    return call_view_of(map);
}

terrain__plane terrain__output(const terrain__call *call, uint32_t offset)
{
    const terrain__plane none = {NULL, 0, 0, 0};
    for (uint32_t i = 0; i < call->output_count; i++) {
        if (call->outputs[i].offset == offset) {
            return call->outputs[i].plane;
        }
    }
    return none;
}

/* The maps of a call with what they are called, to compare each with each. */
struct call_maps {
    struct call_map {
        const terrain_heightmap *map;
        const char *name;
        bool written;
        bool fixed_size; /* must be as large as the map, and lie where it lies if it is read */
    } maps[16];
    uint32_t count;
};

static void call_list_map(struct call_maps *list, const terrain_heightmap *map, const char *name,
                          bool written, bool fixed_size)
{
    struct call_map entry = {map, name, written, fixed_size};
    if (map != NULL && list->count < sizeof list->maps / sizeof list->maps[0]) {
        list->maps[list->count++] = entry;
    }
}

static void call_list_maps(terrain__call *call, const terrain_heightmap *map,
                           terrain_heightmap *const *others, struct call_maps *list)
{
    const terrain_operation *operation = call->operation;
    terrain_signature signature = operation->signature;
    call_list_map(list, map, "map", signature != TERRAIN_SIGNATURE_RESULT, true);
    if (signature == TERRAIN_SIGNATURE_COMBINE) {
        call_list_map(list, others[0], "other", false, true);
    }
    if (signature == TERRAIN_SIGNATURE_RESULT) {
        call_list_map(list, others[0], "result", true, operation->result_box == NULL);
    }
    for (uint32_t i = 0; i < operation->parameter_count; i++) {
        const terrain_parameter *parameter = &operation->parameters[i];
        if (parameter->type == TERRAIN_TYPE_MAP_IN) {
            const terrain_heightmap *input = terrain__params_map(call->params, parameter);
            call_list_map(list, input, parameter->name, false, true);
            if (strcmp(parameter->name, "mask") == 0) {
                call->mask = input;
            }
        } else if (parameter->type == TERRAIN_TYPE_MAP_OUT) {
            terrain_heightmap *output = terrain__params_map(call->params, parameter);
            call_list_map(list, output, parameter->name, true, true);
            if (output != NULL) {
                struct terrain__staged *staged = &call->outputs[call->output_count++];
                staged->map = output;
                staged->offset = parameter->offset;
                staged->plane = call_plane_of(output);
            }
        }
    }
}

static terrain_status call_check_map(terrain__call *call, const struct call_map *first,
                                     const struct call_map *entry)
{
    const terrain_heightmap *map = first->map;
    const terrain_heightmap *other = entry->map;
    if (entry->written && other->read_only) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%s is const, but would be written",
                             entry->name);
    }
    if (entry->fixed_size && (other->width != map->width || other->height != map->height)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             "%s is %lux%lu, map %lux%lu: sizes must "
                             "be equal",
                             entry->name, (unsigned long)other->width, (unsigned long)other->height,
                             (unsigned long)map->width, (unsigned long)map->height);
    }
    if (!entry->written && (other->x != map->x || other->y != map->y)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             "%s lies at (%lld, %lld), map at (%lld, %lld): origins must be equal",
                             entry->name, (long long)other->x, (long long)other->y,
                             (long long)map->x, (long long)map->y);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status call_check_maps(terrain__call *call, const struct call_maps *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        terrain_status status = call_check_map(call, &list->maps[0], &list->maps[i]);
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
        for (uint32_t k = 0; k < i; k++) {
            if ((list->maps[i].written || list->maps[k].written) &&
                terrain__heightmaps_overlap(list->maps[i].map, list->maps[k].map)) {
                return terrain__fail(call, TERRAIN_ERROR_ALIAS,
                                     "%s overlaps %s, and one of them "
                                     "would be written",
                                     list->maps[i].name, list->maps[k].name);
            }
        }
    }
    return TERRAIN_SUCCESS;
}

terrain__plane terrain__grid_plane(const terrain__call *call, uint32_t column, uint32_t row)
{
    return call_plane_of(call->maps[(size_t)row * call->columns + column]);
}

static terrain_status call_check_grid_map(terrain__call *call, uint32_t index)
{
    const terrain_heightmap *first = call->maps[0];
    const terrain_heightmap *map = call->maps[index];
    const unsigned long number = index;
    if (map == NULL) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "maps[%lu] is NULL", number);
    }
    if (map->read_only) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             "maps[%lu] is const, but would be written", number);
    }
    if (map->width != first->width || map->height != first->height) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             "maps[%lu] is %lux%lu, maps[0] %lux%lu: sizes must be equal", number,
                             (unsigned long)map->width, (unsigned long)map->height,
                             (unsigned long)first->width, (unsigned long)first->height);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status call_check_grid(terrain__call *call)
{
    const uint64_t count = (uint64_t)call->columns * call->rows;
    if (call->operation->signature != TERRAIN_SIGNATURE_GRID) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "does not work on a grid of maps");
    }
    if (call->maps == NULL || count == 0) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             call->maps == NULL ? "maps is NULL" : "the grid has no maps");
    }
    if (count > TERRAIN_GRID_MAXIMUM) {
        return terrain__fail(call, TERRAIN_ERROR_RANGE,
                             "the grid has %llu maps, can have at most %d",
                             (unsigned long long)count, TERRAIN_GRID_MAXIMUM);
    }
    return TERRAIN_SUCCESS;
}

static terrain_status call_check_overlaps(terrain__call *call)
{
    for (uint32_t i = 1; i < call->columns * call->rows; i++) {
        for (uint32_t k = 0; k < i; k++) {
            if (terrain__heightmaps_overlap(call->maps[i], call->maps[k])) {
                return terrain__fail(call, TERRAIN_ERROR_ALIAS,
                                     "maps[%lu] overlaps maps[%lu], and both would be written",
                                     (unsigned long)i, (unsigned long)k);
            }
        }
    }
    return TERRAIN_SUCCESS;
}

static terrain_status call_take_grid(terrain__call *call)
{
    terrain_status status = call_check_grid(call);
    for (uint32_t i = 0; status == TERRAIN_SUCCESS && i < call->columns * call->rows; i++) {
        status = call_check_grid_map(call, i);
    }
    if (status == TERRAIN_SUCCESS) {
        status = call_check_overlaps(call);
    }
    if (status == TERRAIN_SUCCESS) {
        call->written = call->maps[0];
        call->map = call_view_of(call->written);
        call->target = call_plane_of(call->written);
        call->cell_size = call->written->cell_size;
    }
    return status;
}

static uint32_t call_others_expected(const terrain_operation *operation)
{
    return operation->signature == TERRAIN_SIGNATURE_COMBINE ||
                   operation->signature == TERRAIN_SIGNATURE_RESULT
               ? 1
               : 0;
}

static terrain_status call_take_maps(terrain__call *call, terrain_heightmap *map,
                                     terrain_heightmap *const *others, uint32_t other_count)
{
    const terrain_operation *operation = call->operation;
    struct call_maps list = {.count = 0};
    terrain_status status;
    if (map == NULL) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "map is NULL");
    }
    if (operation->signature == TERRAIN_SIGNATURE_GRID) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             "works on a grid of maps: call it by terrain_operation_apply_grid");
    }
    if (other_count != call_others_expected(operation)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%lu further maps given, must be %lu",
                             (unsigned long)other_count,
                             (unsigned long)call_others_expected(operation));
    }
    if (other_count > 0 && (others == NULL || others[0] == NULL)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%s is NULL",
                             operation->signature == TERRAIN_SIGNATURE_COMBINE ? "other"
                                                                               : "result");
    }
    call_list_maps(call, map, others, &list);
    status = call_check_maps(call, &list);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    call->written = operation->signature == TERRAIN_SIGNATURE_RESULT ? others[0] : map;
    call->map = call_view_of(map);
    call->map_x = map->x;
    call->map_y = map->y;
    call->cell_size = map->cell_size;
    call->result_cell_size = map->cell_size;
    if (operation->signature == TERRAIN_SIGNATURE_COMBINE) {
        call->other = call_view_of(others[0]);
    }
    call->target = call_plane_of(call->written);
    call->x = operation->result_box != NULL ? call->written->x : map->x;
    call->y = operation->result_box != NULL ? call->written->y : map->y;
    call->wanted.x0 = call->x;
    call->wanted.y0 = call->y;
    call->wanted.x1 = call->x + (int64_t)call->target.width;
    call->wanted.y1 = call->y + (int64_t)call->target.height;
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

static void call_set_stage(terrain__call *call)
{
    if (!call_needs_stage(call)) {
        return;
    }
    call->target = terrain__scratch_plane(call, call->target.width, call->target.height);
    for (uint32_t i = 0; i < call->output_count; i++) {
        call->outputs[i].plane = terrain__scratch_plane(call, call->outputs[i].plane.width,
                                                        call->outputs[i].plane.height);
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
    terrain__bands bands = terrain__bands_of(call->target.height, 1);
    uint32_t begin = terrain__band_begin(&bands, index);
    uint32_t end = terrain__band_end(&bands, index);
    if (call->mask == NULL) {
        call_unstage_plane(&call->target, call->written, begin, end);
    } else {
        for (uint32_t y = begin; y < end; y++) {
            kernels->row(call->written->data + y * call->written->stride,
                         call->target.cells + y * call->target.stride,
                         call->mask->data + y * call->mask->stride, call->target.width);
        }
    }
    /* Outputs are as large as the map; a result of another size has none. */
    for (uint32_t i = 0; i < call->output_count; i++) {
        call_unstage_plane(&call->outputs[i].plane, call->outputs[i].map, begin, end);
    }
}

/* Everything succeeded: the host's maps become what they are to be. */
static void call_finish(terrain__call *call)
{
    if (call_is_staged(call)) {
        pass_run(call, terrain__bands_of(call->target.height, 1).count, call_unstage_band, false);
    }
    if (call->operation->signature == TERRAIN_SIGNATURE_RESULT) {
        call->written->cell_size = call->result_cell_size;
        call->written->x = call->x;
        call->written->y = call->y;
    }
    for (uint32_t i = 0; i < call->output_count; i++) {
        call->outputs[i].map->cell_size = call->cell_size;
        call->outputs[i].map->x = call->map_x;
        call->outputs[i].map->y = call->map_y;
    }
}

static terrain_status call_prepare(terrain__call *call)
{
    const terrain_operation *operation = call->operation;
    terrain_status status = TERRAIN_SUCCESS;
    if (operation->job_size > 0) {
        call->job = terrain__scratch(call, 1, operation->job_size);
        if (call->job != NULL) {
            memset(call->job, 0, operation->job_size);
        }
    }
    if (call->failure == TERRAIN_SUCCESS && operation->prepare != NULL) {
        status = operation->prepare(call);
    }
    if (status == TERRAIN_SUCCESS) {
        call_set_stage(call);
    }
    if (call->failure != TERRAIN_SUCCESS) {
        return terrain__fail(call, call->failure, "no memory for a map of %lux%lu",
                             (unsigned long)call->target.width, (unsigned long)call->target.height);
    }
    return status;
}

static terrain_status call_perform(terrain__call *call)
{
    terrain_status status;
    if (terrain__context_take_cancel(call->context)) {
        return terrain__fail(call, TERRAIN_ERROR_CANCELLED, "cancelled");
    }
    terrain__float_enter(&call->host);
    status = call_prepare(call);
    if (status == TERRAIN_SUCCESS) {
        status = call->operation->run(call);
    }
    if (status == TERRAIN_SUCCESS) {
        call_finish(call);
    }
    terrain__float_leave(&call->host);
    return status;
}

/* The maps of a call as the host gave them. */
struct call_given {
    terrain_heightmap *map;
    terrain_heightmap *const *others;
    uint32_t other_count;
    const terrain__box *wanted; /* NULL: all */
};

/* `given` is NULL for a grid, which the call holds already. */
static terrain_status call_make(terrain__call *call, const void *params,
                                const struct call_given *given)
{
    terrain__arena own_arena = {.blocks = NULL};
    terrain__params full;
    char fault[TERRAIN__FAULT_SIZE];
    terrain_status status;
    if (call->operation == NULL) {
        return terrain__context_fail(call->context, TERRAIN_ERROR_ARGUMENT, "operation is NULL");
    }
    call->params = full.bytes;
    call->isa = terrain_context_isa(call->context);
    call->arena = call->context != NULL ? &call->context->arena : &own_arena;
    status = terrain__params_complete(call->operation, params, &full, fault);
    if (status != TERRAIN_SUCCESS) {
        return terrain__fail(call, status, "%s", fault);
    }
    status = given == NULL ? call_take_grid(call)
                           : call_take_maps(call, given->map, given->others, given->other_count);
    if (status == TERRAIN_SUCCESS) {
        if (given != NULL && given->wanted != NULL) {
            call->wanted = *given->wanted;
        }
        status = call_perform(call);
    }
    terrain__arena_reset(call->arena);
    terrain__arena_free(&own_arena);
    return status;
}

terrain_status terrain__apply_locked(terrain_context *context, const terrain_operation *operation,
                                     terrain_heightmap *map, terrain_heightmap *const *others,
                                     uint32_t other_count, const void *params,
                                     const terrain__box *wanted)
{
    terrain__call call = {.operation = operation, .context = context};
    struct call_given given = {map, others, other_count, wanted};
    return call_make(&call, params, &given);
}

terrain_status terrain__apply(terrain_context *context, const terrain_operation *operation,
                              terrain_heightmap *map, terrain_heightmap *const *others,
                              uint32_t other_count, const void *params)
{
    terrain_status status = terrain__context_enter(context);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__apply_locked(context, operation, map, others, other_count, params, NULL);
        terrain__context_leave(context);
    }
    return status;
}

terrain_status terrain__read_map(terrain_context *context, const char *name,
                                 const terrain_heightmap *map, void *job, uint32_t count,
                                 terrain__task *task)
{
    const terrain_operation reader = {.name = name};
    terrain__call call = {.operation = &reader, .context = context, .job = job};
    terrain_status status;
    if (terrain__context_take_cancel(context)) {
        return terrain__fail(&call, TERRAIN_ERROR_CANCELLED, "cancelled");
    }
    call.isa = terrain_context_isa(context);
    call.map = call_view_of(map);
    call.map_x = call.x = map->x;
    call.map_y = call.y = map->y;
    call.cell_size = map->cell_size;
    terrain__float_enter(&call.host);
    status = pass_run(&call, count, task, false);
    terrain__float_leave(&call.host);
    return status;
}

terrain_status terrain__apply_grid(terrain_context *context, const terrain_operation *operation,
                                   terrain_heightmap *const *maps, uint32_t columns, uint32_t rows,
                                   const void *params)
{
    terrain__call call = {.operation = operation, .context = context};
    terrain_status status = terrain__context_enter(context);
    if (status == TERRAIN_SUCCESS) {
        call.maps = maps;
        call.columns = columns;
        call.rows = rows;
        status = call_make(&call, params, NULL);
        terrain__context_leave(context);
    }
    return status;
}
