/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The inside of a context. */

#ifndef TERRAIN_CORE_CONTEXT_H
#define TERRAIN_CORE_CONTEXT_H

#include <stdbool.h>

#include "base/atomic.h"
#include "base/compiler.h"
#include "base/memory.h"
#include "terrain/context.h"

struct terrain_context {
    atomic_bool busy;
    atomic_bool cancelled; /* set by terrain_context_cancel until a call has taken notice */
    terrain_allocator allocator;
    terrain_runner runner;
    terrain_progress progress;
    uint32_t isa;
    uint32_t flags;
    terrain__scratchpad pad; /* scratch of a call */
    terrain__room room;      /* maps of a run of a recipe */
    terrain__shelf shelf;    /* what else lives for a run, or for a tile */
    /* The part of the progress that the next call stands for: 0 and 1 but within a recipe. */
    double progress_from;
    double progress_to;
    char message[512];
};

/* Locks the context for a call and clears its message. Errors: BUSY; where the context is NULL,
 * which needs no lock, BUILD if the library was built wrong. */
terrain_status terrain__context_enter(terrain_context *context);
/* That, for a function that makes something: `out`, where its pointer is put, is set to NULL first.
 * If out is NULL itself, the call is refused with a message. Errors: ARGUMENT, and those above. */
terrain_status terrain__context_enter_making(terrain_context *context, const char *function,
                                             void *out);
void terrain__context_leave(terrain_context *context);

/* The C library's where the context is NULL. */
const terrain_allocator *terrain__context_allocator(const terrain_context *context);

/* Both are NULL where the context is NULL. */
terrain__shelf *terrain__context_shelf(terrain_context *context);
terrain__room *terrain__context_room(terrain_context *context);
/* Reserves so many bytes of scratch and of room for maps, of which nothing may be in use; false if
 * there is no memory. */
bool terrain__context_reserve(terrain_context *context, size_t scratch, size_t room);
/* Frees what is kept if it and `bytes` more would be above `limit` bytes; 0 is no limit. */
void terrain__context_make_room(terrain_context *context, uint64_t bytes, uint64_t limit);

/* Sets the message of a context that is locked; returns status. */
terrain_status terrain__context_fail(terrain_context *context, terrain_status status,
                                     const char *format, ...) TERRAIN__PRINTF(3, 4);

/* Whether terrain_context_cancel was called since the last call of this function that said so. */
bool terrain__context_take_cancel(terrain_context *context);

/* Reports `fraction` of the current call; false if the host wants to stop. */
bool terrain__context_report(terrain_context *context, double fraction);
/* The end of a call: reports 1 if it succeeds. It can't be cancelled any more. Returns status. */
terrain_status terrain__context_end(terrain_context *context, terrain_status status);

#endif
