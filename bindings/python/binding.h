/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What Python calls beside the library: one function for a whole call of an operation, so that it
 * costs one step out of Python and not ten. cffi reads this file as well, without its lines that
 * begin with '#'. */

#ifndef TERRAIN_BINDING_H
#define TERRAIN_BINDING_H

#include <stdint.h>
#include <terrain/terrain.h>

/* What a session's context reports to. */
enum {
    BINDING_SILENT = 0,  /* nobody */
    BINDING_SIGNALS = 1, /* Python, now and then, which then sees Ctrl-C */
    BINDING_PROGRESS = 2 /* Python, now and then, with the share that is done */
};

/* An array, as the map of a port. */
typedef struct binding_map {
    void *data;
    uint32_t width, height;
    size_t stride;
    uint32_t port;
    uint32_t placed; /* 1: it lies at x and y; 0: where the call, or its result, does */
    int64_t x, y;
} binding_map;

/* A context, and whom it reports to. */
typedef struct binding_session binding_session;

/* The pool may be NULL. */
terrain_status binding_session_create(terrain_pool *pool, binding_session **out);
void binding_session_destroy(binding_session *session);
terrain_context *binding_session_context(binding_session *session);

/* Whom it reports to from now on. */
void binding_session_listen(binding_session *session, int32_t listener);
/* Before each call with its context but binding_session_apply: the time of reports counts from
 * here. */
void binding_session_begin(binding_session *session);
/* Calls an operation. Arguments come before the maps of parameters, whose fields are written;
 * without these, params may be NULL. columns 0: no grid. The call's first cell is (x, y). A
 * positive number is the negative of an error that came before the call, of which the context has
 * no message: RANGE is a place that there isn't. */
terrain_status binding_session_apply(binding_session *session, const terrain_operation *operation,
                                     void *params, const binding_map *maps, uint32_t count,
                                     uint32_t columns, float cell_size, int64_t x, int64_t y);

/* height * 2^32 + width of a result that has its own size, for a map at (x, y). 0: there is none,
 * and the call itself is refused with a sentence about it. */
uint64_t binding_result_size(const terrain_operation *operation, const void *params, int64_t x,
                             int64_t y, uint32_t width, uint32_t height);

/* Python's own: nonzero to cancel. */
int32_t binding_report(binding_session *session, double fraction);

#endif
