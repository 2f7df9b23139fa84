/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Functions that are no operations: they read a map, and write into memory that is no map. A reader
 * is to them what a call is to an operation: the context's lock, messages that begin with the
 * function's name, passes on the host's threads, cancelling and progress. */

#ifndef TERRAIN_CORE_READER_H
#define TERRAIN_CORE_READER_H

#include "core/operation.h"

typedef struct terrain__reader {
    terrain_context *context;
    const char *name;             /* "mesh_normals" */
    const terrain_heightmap *map; /* what the tasks see; NULL: nothing */
    void *job;                    /* call->job of the tasks */
    const void *pass;             /* and their call->pass */
} terrain__reader;

/* Locks the context. If that succeeds, whatever follows, terrain__reader_leave. */
terrain_status terrain__reader_enter(terrain__reader *reader, terrain_context *context,
                                     const char *name);
/* Unlocks it; returns status. */
terrain_status terrain__reader_leave(const terrain__reader *reader, terrain_status status);

/* "<name>: <text>". Returns status. */
terrain_status terrain__reader_fail(const terrain__reader *reader, terrain_status status,
                                    const char *format, ...) TERRAIN__PRINTF(3, 4);

/* How many rows there are between two polls: a million cells, which take some milliseconds. */
static inline uint32_t terrain__reader_rows(uint32_t width)
{
    return (1u << 20) / width + 1;
}

/* Has the host cancelled? Reports `fraction`, unless it is 0. */
terrain_status terrain__reader_poll(const terrain__reader *reader, double fraction);
/* Polls once for so many rows: before row y of a loop over `rows` rows, which is the part of the
 * call from the share `done` to the share `end`. */
terrain_status terrain__reader_poll_row(const terrain__reader *reader, uint32_t width, uint32_t y,
                                        uint32_t rows, double done, double end);

/* task(call, i) for each i below count, with the reader's map in call->map, call->cell_size, and
 * call->isa. The first may be cancelled, and is for tasks that write memory which can be thrown
 * away; of the second, every task is run, whatever happens. */
terrain_status terrain__reader_run(const terrain__reader *reader, uint32_t count,
                                   terrain__task *task);
void terrain__reader_commit(const terrain__reader *reader, uint32_t count, terrain__task *task);

#endif
