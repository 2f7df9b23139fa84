/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Functions that read a map and are no operations: see reader.h. */

#include <stdarg.h>
#include <stdio.h>

#include "base/float_environment.h"
#include "core/call.h"
#include "core/context.h"
#include "core/given.h"
#include "core/reader.h"

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

terrain_status terrain__reader_poll_row(const terrain__reader *reader, uint32_t width, uint32_t y,
                                        uint32_t rows, double done, double end)
{
    terrain__float_environment host;
    if (y % terrain__reader_rows(width) != 0) {
        return TERRAIN_SUCCESS;
    }
    terrain__float_enter(&host);
    const double fraction = done + (end - done) * y / rows;
    terrain__float_settle(&fraction);
    terrain__float_leave(&host);
    return terrain__reader_poll(reader, fraction);
}

static terrain_status reader_pass(const terrain__reader *reader, uint32_t count,
                                  terrain__task *task, enum terrain__pass_kind kind)
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
    terrain_status status = terrain__pass_run(&call, count, task, kind);
    terrain__float_leave(&call.host);
    return status;
}

terrain_status terrain__reader_run(const terrain__reader *reader, uint32_t count,
                                   terrain__task *task)
{
    return reader_pass(reader, count, task, TERRAIN__PASS_STOPS);
}

void terrain__reader_commit(const terrain__reader *reader, uint32_t count, terrain__task *task)
{
    (void)reader_pass(reader, count, task, TERRAIN__PASS_NEVER_STOPS);
}
