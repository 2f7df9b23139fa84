/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What Python calls beside the library. cffi reads this file as well, without its lines that begin
 * with '#'. */

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

/* A context, and whom it reports to. */
typedef struct binding_session binding_session;

/* The pool may be NULL. */
terrain_status binding_session_create(terrain_pool *pool, binding_session **out);
void binding_session_destroy(binding_session *session);
terrain_context *binding_session_context(binding_session *session);

/* Whom it reports to from now on. */
void binding_session_listen(binding_session *session, int32_t listener);
/* Before each call with its context: the time of reports counts from here. */
void binding_session_begin(binding_session *session);

/* Python's own: nonzero to cancel. */
int32_t binding_report(binding_session *session, double fraction);

#endif
