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

/* Scratch memory of calls on more cells than that, 16 MiB of them, is not kept. */
enum { BINDING_LARGE = 1 << 22 };

/* Seconds before Python is gone to, and then between two times. */
#define BINDING_INTERVAL 0.05

struct binding_session {
    terrain_context *context;
    int32_t listener;
    double last; /* seconds */
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
    if (now - session->last < BINDING_INTERVAL) {
        return 0;
    }
    session->last = now;
    return binding_report(session, fraction);
}

void binding_session_listen(binding_session *session, int32_t listener)
{
    session->listener = listener;
}

void binding_session_begin(binding_session *session)
{
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
        terrain_context_destroy(session->context);
        free(session);
    }
}

terrain_context *binding_session_context(binding_session *session)
{
    return session->context;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* `call`: where the call's first map lies. */
static terrain_status binding_wrap(const terrain_operation *operation, const void *params,
                                   const binding_map *map, float cell_size,
                                   const terrain_window *call, terrain_heightmap **out)
{
    const terrain_port *port = terrain_operation_port_at(operation, map->port);
    terrain_window place = *call;
    terrain_status status =
        port->role == TERRAIN_PORT_ROLE_READ
            ? terrain_heightmap_wrap_const(NULL, map->data, map->width, map->height, map->stride,
                                           out)
            : terrain_heightmap_wrap(NULL, map->data, map->width, map->height, map->stride, out);
    if (map->placed) {
        place.x = map->x;
        place.y = map->y;
    } else if (port->lattice == TERRAIN_PORT_LATTICE_OWN) {
        /* If there is none, the call is refused with a sentence about it. */
        (void)terrain_operation_result_window(operation, params, call, &place);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain_heightmap_set_cell_size(*out, cell_size);
    }
    return status == TERRAIN_SUCCESS ? terrain_heightmap_set_origin(*out, place.x, place.y)
                                     : status;
}

/* Makes the maps, gives parameters theirs, and counts the arguments. */
static terrain_status binding_wrap_all(const terrain_operation *operation, void *params,
                                       const binding_map *maps, uint32_t count, float cell_size,
                                       const terrain_window *call, terrain_heightmap **out,
                                       uint32_t *arguments)
{
    terrain_status status = TERRAIN_SUCCESS;
    *arguments = 0;
    for (uint32_t i = 0; i < count && status == TERRAIN_SUCCESS; i++) {
        const uint32_t offset = terrain_operation_port_at(operation, maps[i].port)->offset;
        status = binding_wrap(operation, params, &maps[i], cell_size, call, &out[i]);
        if (offset == 0) {
            ++*arguments;
        } else {
            memcpy((char *)params + offset, &out[i], sizeof out[i]);
        }
    }
    return status;
}

terrain_status binding_session_apply(binding_session *session, const terrain_operation *operation,
                                     void *params, const binding_map *maps, uint32_t count,
                                     uint32_t columns, float cell_size, int64_t x, int64_t y)
{
    const terrain_window call = {x, y, maps[0].width, maps[0].height};
    terrain_heightmap *few[BINDING_FEW] = {NULL};
    terrain_heightmap **wrapped = count <= BINDING_FEW ? few : calloc(count, sizeof *wrapped);
    uint32_t arguments = 0;
    terrain_status status = TERRAIN_ERROR_MEMORY;
    if (wrapped != NULL) {
        status =
            binding_wrap_all(operation, params, maps, count, cell_size, &call, wrapped, &arguments);
    }
    binding_session_begin(session);
    if (status != TERRAIN_SUCCESS) {
        status = -status;
    } else if (columns == 0) {
        status = terrain_operation_apply(session->context, operation, wrapped, arguments, params);
    } else {
        status = terrain_operation_apply_grid(session->context, operation, wrapped, columns,
                                              arguments / columns, params);
    }
    for (uint32_t i = 0; wrapped != NULL && i < count; i++) {
        terrain_heightmap_destroy(wrapped[i]);
    }
    if (wrapped != few) {
        free(wrapped);
    }
    if ((uint64_t)maps[0].width * maps[0].height > BINDING_LARGE) {
        terrain_context_trim(session->context);
    }
    return status;
}

uint64_t binding_result_size(const terrain_operation *operation, const void *params, int64_t x,
                             int64_t y, uint32_t width, uint32_t height)
{
    const terrain_window map = {x, y, width, height};
    terrain_window result;
    return terrain_operation_result_window(operation, params, &map, &result) == TERRAIN_SUCCESS
               ? (uint64_t)result.height << 32 | result.width
               : 0;
}
