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
    BINDING_PROGRESS = 2 /* Python, with the share that is done */
};

/* What is said of a map. */
enum {
    BINDING_CONST = 1, /* it must not be written */
    BINDING_OWN = 2,   /* its place follows from the first map's: terrain_operation_result_window */
    BINDING_PLACED = 4 /* it has its place already */
};

/* A context, and the maps of the call that uses it. */
typedef struct binding_session binding_session;

/* The pool may be NULL. */
terrain_status binding_session_create(terrain_pool *pool, binding_session **out);
void binding_session_destroy(binding_session *session);
terrain_context *binding_session_context(binding_session *session);

/* Makes a map of an array for the coming call, behind its first. `offset` is that of the parameter
 * that it is given to, 0 for an argument. On error the call must not be made. */
terrain_status binding_session_map(binding_session *session, void *data, uint32_t width,
                                   uint32_t height, size_t stride, uint32_t flags, uint32_t offset);
/* Where the last of these maps lies, in its own cells. Errors: RANGE. */
terrain_status binding_session_map_at(binding_session *session, int64_t x, int64_t y);
/* Where the maps of the coming call lie; otherwise at (0, 0), with a cell size of 1. */
void binding_session_place(binding_session *session, double cell_size, int64_t x, int64_t y);
/* Whom the coming call reports to, and after how many seconds at the earliest, and again. */
void binding_session_listen(binding_session *session, int32_t listener, double interval);
/* Calls an operation, with its first map, and forgets what was said of the call. columns 0: no
 * grid. A positive number is the negative of an error that came before the call, of which the
 * context has no message: RANGE is a place that there isn't. */
terrain_status binding_session_apply(binding_session *session, const terrain_operation *operation,
                                     void *params, uint32_t columns, void *data, uint32_t width,
                                     uint32_t height, size_t stride, uint32_t flags);
/* Forgets the maps and the place of a call that is not made. */
void binding_session_forget(binding_session *session);

/* Python's own: nonzero to cancel. */
int32_t binding_report(binding_session *session, double fraction);

#endif
