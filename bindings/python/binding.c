/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef _WIN32
#define _DEFAULT_SOURCE /* clock_gettime */
#endif

#include "binding.h"

#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#endif

/* Maps of one call that need no memory of their own: every operation but a grid has fewer. */
enum { BINDING_FEW = 16 };

struct binding_map {
    terrain_heightmap *map;
    uint32_t offset, flags;
};

struct binding_session {
    terrain_context *context;
    int32_t listener;
    double interval;
    double last; /* seconds */
    double cell_size;
    int64_t x, y;
    uint32_t count, capacity;
    struct binding_map *maps;
    struct binding_map few[BINDING_FEW];
};

/* ---- Progress -------------------------------------------------------------------------------- */

/* Seconds of a clock that only runs forwards. */
static double binding_now(void)
{
#ifdef _WIN32
    return (double)GetTickCount64() * 1e-3;
#else
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
#endif
}

/* Going to Python takes its lock, which a busy thread there gives up every 5 ms only: so that a
 * call does not do it between any two passes. Nor does it at the end, when there is nothing to
 * cancel. */
static int32_t binding_listen(void *user, double fraction)
{
    binding_session *session = user;
    double now;
    if (session->listener == BINDING_SILENT || fraction >= 1) {
        return 0;
    }
    now = binding_now();
    if (now - session->last < session->interval) {
        return 0;
    }
    session->last = now;
    return binding_report(session, fraction);
}

void binding_session_listen(binding_session *session, int32_t listener, double interval)
{
    session->listener = listener;
    session->interval = interval;
    session->last = binding_now();
}

/* ---- Sessions -------------------------------------------------------------------------------- */

terrain_status binding_session_create(terrain_pool *pool, binding_session **out)
{
    terrain_context_desc desc;
    terrain_status status;
    binding_session *session = calloc(1, sizeof *session);
    *out = NULL;
    if (session == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    session->maps = session->few;
    session->capacity = BINDING_FEW;
    session->count = 1; /* the first one's place */
    session->cell_size = 1;
    terrain_context_desc_init(&desc, sizeof desc);
    terrain_pool_runner(pool, &desc.runner);
    desc.progress.user = session;
    desc.progress.report = binding_listen;
    status = terrain_context_create(&desc, &session->context);
    if (status != TERRAIN_SUCCESS) {
        free(session);
        return status;
    }
    *out = session;
    return TERRAIN_SUCCESS;
}

void binding_session_destroy(binding_session *session)
{
    if (session != NULL) {
        binding_session_forget(session);
        terrain_context_destroy(session->context);
        free(session);
    }
}

terrain_context *binding_session_context(binding_session *session)
{
    return session->context;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static terrain_status binding_grow(binding_session *session)
{
    uint32_t capacity = session->capacity * 4;
    struct binding_map *maps = malloc(capacity * sizeof *maps);
    if (maps == NULL) {
        return TERRAIN_ERROR_MEMORY;
    }
    memcpy(maps, session->maps, session->count * sizeof *maps);
    if (session->maps != session->few) {
        free(session->maps);
    }
    session->maps = maps;
    session->capacity = capacity;
    return TERRAIN_SUCCESS;
}

static terrain_status binding_wrap(struct binding_map *out, void *data, uint32_t width,
                                   uint32_t height, size_t stride, uint32_t flags, uint32_t offset)
{
    out->offset = offset;
    out->flags = flags;
    return (flags & BINDING_CONST) != 0
               ? terrain_heightmap_wrap_const(NULL, data, width, height, stride, &out->map)
               : terrain_heightmap_wrap(NULL, data, width, height, stride, &out->map);
}

terrain_status binding_session_map(binding_session *session, void *data, uint32_t width,
                                   uint32_t height, size_t stride, uint32_t flags, uint32_t offset)
{
    terrain_status status = TERRAIN_SUCCESS;
    if (session->count == session->capacity) {
        status = binding_grow(session);
    }
    if (status == TERRAIN_SUCCESS) {
        status = binding_wrap(&session->maps[session->count], data, width, height, stride, flags,
                              offset);
    }
    session->count += status == TERRAIN_SUCCESS;
    return status;
}

terrain_status binding_session_map_at(binding_session *session, int64_t x, int64_t y)
{
    struct binding_map *last = &session->maps[session->count - 1];
    last->flags |= BINDING_PLACED;
    return terrain_heightmap_set_origin(last->map, x, y);
}

void binding_session_place(binding_session *session, double cell_size, int64_t x, int64_t y)
{
    session->cell_size = cell_size;
    session->x = x;
    session->y = y;
}

void binding_session_forget(binding_session *session)
{
    for (uint32_t i = 0; i < session->count; i++) {
        terrain_heightmap_destroy(session->maps[i].map);
        session->maps[i].map = NULL;
    }
    if (session->maps != session->few) {
        free(session->maps);
        session->maps = session->few;
        session->maps[0].map = NULL;
        session->capacity = BINDING_FEW;
    }
    session->count = 1;
    binding_session_place(session, 1, 0, 0);
}

/* Maps begin at (0, 0), with a cell size of 1. */
static terrain_status binding_put_in_place(binding_session *session,
                                           const terrain_operation *operation, const void *params)
{
    const terrain_heightmap *first = session->maps[0].map;
    const terrain_window window = {session->x, session->y, terrain_heightmap_width(first),
                                   terrain_heightmap_height(first)};
    const int moved = session->cell_size != 1 || session->x != 0 || session->y != 0;
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t i = 0; i < session->count && status == TERRAIN_SUCCESS; i++) {
        const struct binding_map *each = &session->maps[i];
        const int own = (each->flags & BINDING_OWN) != 0;
        terrain_window place = window;
        if ((!moved && !own) || (each->flags & BINDING_PLACED) != 0) {
            continue;
        }
        if (own) {
            /* If there is none, the call is refused with a sentence about it. */
            (void)terrain_operation_result_window(operation, params, &window, &place);
        }
        status = terrain_heightmap_set_cell_size(each->map, (float)session->cell_size);
        if (status == TERRAIN_SUCCESS) {
            status = terrain_heightmap_set_origin(each->map, place.x, place.y);
        }
    }
    return status;
}

static terrain_status binding_apply(binding_session *session, const terrain_operation *operation,
                                    terrain_heightmap **arguments, void *params, uint32_t columns)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < session->count; i++) {
        const struct binding_map *each = &session->maps[i];
        if (each->offset == 0) {
            arguments[count++] = each->map;
        } else {
            memcpy((char *)params + each->offset, &each->map, sizeof each->map);
        }
    }
    return columns == 0
               ? terrain_operation_apply(session->context, operation, arguments, count, params)
               : terrain_operation_apply_grid(session->context, operation, arguments, columns,
                                              count / columns, params);
}

terrain_status binding_session_apply(binding_session *session, const terrain_operation *operation,
                                     void *params, uint32_t columns, void *data, uint32_t width,
                                     uint32_t height, size_t stride, uint32_t flags)
{
    terrain_heightmap *few[BINDING_FEW];
    terrain_heightmap **arguments = few;
    terrain_status status = binding_wrap(&session->maps[0], data, width, height, stride, flags, 0);
    if (status == TERRAIN_SUCCESS) {
        status = binding_put_in_place(session, operation, params);
    }
    if (status == TERRAIN_SUCCESS && session->count > BINDING_FEW) {
        arguments = malloc(session->count * sizeof *arguments);
        status = arguments != NULL ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY;
    }
    status = status == TERRAIN_SUCCESS
                 ? binding_apply(session, operation, arguments, params, columns)
                 : -status;
    if (arguments != few) {
        free(arguments);
    }
    binding_session_forget(session);
    return status;
}
