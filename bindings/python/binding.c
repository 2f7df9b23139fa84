/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef _WIN32
#define _DEFAULT_SOURCE /* clock_gettime */
#endif

#include "binding.h"

#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <time.h>
#endif

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
