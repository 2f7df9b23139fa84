/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How the map is gone through:
 *
 *     +---------------------+
 *     | c c c c c c c c c c |    c: copied, with the neighbours that the map lacks
 *     | e . . . . . . . . e |    .: read where they are
 *     | e . . . . . . . . e |    e: two cells at each end of many rows are copied side by side, so
 *     | e . . . . . . . . e |       that one run of the kernel does many rows' ends
 *     | c c c c c c c c c c |
 *     +---------------------+
 *
 * In a large map, results go past the caches, unless they are bytes. Where they are whole lines of
 * each output, the kernel itself stores them, those at hand or earlier ones; elsewhere some hundred
 * cells at a time are made and then stored. */

#include "analyze/stencil.h"

#include <string.h>

#include "measure/pack_kernels.h"
#include "rows/rows.h"
#include "vector/stream_kernels.h"

enum {
    STENCIL_LINE = 16,      /* cells of a cache line */
    STENCIL_PART = 240,     /* cells of each output that go past the caches at a time */
    STENCIL_PART_ONE = 512, /* of one output, where it has the buffer to itself */
    STENCIL_WIDE = 512, /* cells of a row whose first and last line cost little beside the rest */
    STENCIL_TASK = 1 << 14 /* cells, at least: less would hardly be worth a task's start */
};

_Static_assert(STENCIL_PART % STENCIL_LINE == 0 && STENCIL_PART_ONE % STENCIL_LINE == 0 &&
                   TERRAIN__STENCIL_LEAST % STENCIL_LINE == 0,
               "parts are whole lines");
_Static_assert(STENCIL_PART_ONE <= TERRAIN__STENCIL_OUTPUTS * STENCIL_PART, "one fits into it");
_Static_assert(2 * (STENCIL_LINE + 1) <= TERRAIN__STENCIL_RUN, "two lines fit into a copy");

uint32_t terrain__stencil_halo(const void *params)
{
    (void)params;
    return 1;
}

/* ---- Copies --------------------------------------------------------------------------------- */

/* The neighbour beyond the first or last cell of a row. */
static float stencil_beyond(const float *row, uint32_t edge, uint32_t width)
{
    uint32_t opposite = width == 1 ? edge : edge == 0 ? 1 : edge - 1;
    return row[edge] + (row[edge] - row[opposite]);
}

/* The cells x - 1 to x + count of a row of the map. */
static void stencil_copy_row(float *cells, const float *row, uint32_t width, uint32_t x,
                             uint32_t count)
{
    uint32_t end = x + count;
    cells[0] = x == 0 ? stencil_beyond(row, 0, width) : row[x - 1];
    memcpy(cells + 1, row + x, count * sizeof *cells);
    cells[count + 1] = end == width ? stencil_beyond(row, width - 1, width) : row[end];
}

/* The cells x - 1 to x + count of the row beyond row `edge`; row `opposite` is on its other
 * side. */
static void stencil_copy_beyond(float *cells, const float *edge, const float *opposite,
                                uint32_t width, uint32_t x, uint32_t count)
{
    uint32_t end = x + count;
    for (uint32_t i = 0; i < count; i++) {
        cells[i + 1] = edge[x + i] + (edge[x + i] - opposite[x + i]);
    }
    cells[0] = x == 0 ? (stencil_beyond(edge, 0, width) + cells[1]) - edge[0]
                      : edge[x - 1] + (edge[x - 1] - opposite[x - 1]);
    cells[count + 1] =
        end == width ? (stencil_beyond(edge, width - 1, width) + cells[count]) - edge[width - 1]
                     : edge[end] + (edge[end] - opposite[end]);
}

void terrain__stencil_copy_cells(struct terrain__stencil_copy *copy, const terrain__view *map,
                                 uint32_t x, uint32_t y, uint32_t count)
{
    const float *row = terrain__view_row(map, y);
    const float *above = y > 0 ? row - map->stride : NULL;
    const float *below = y < map->height - 1 ? row + map->stride : NULL;
    stencil_copy_row(copy->here, row, map->width, x, count);
    if (above != NULL) {
        stencil_copy_row(copy->north, above, map->width, x, count);
    } else {
        stencil_copy_beyond(copy->north, row, below != NULL ? below : row, map->width, x, count);
    }
    if (below != NULL) {
        stencil_copy_row(copy->south, below, map->width, x, count);
    } else {
        stencil_copy_beyond(copy->south, row, above != NULL ? above : row, map->width, x, count);
    }
}

/* ---- A band --------------------------------------------------------------------------------- */

struct stencil_pass {
    const terrain__plane *planes; /* no cells: not wanted */
    uint8_t *bytes;               /* NULL, or instead of the first of the planes */
    size_t bytes_stride;
    terrain__stencil_run *run;
    terrain__stencil_pack_run *pack;
    float scale;
    terrain__bands bands;
};

static bool stencil_wants(const struct stencil_pass *pass, int output)
{
    return pass->planes[output].cells != NULL || (output == 0 && pass->bytes != NULL);
}

/* The first output's results as bytes, into row y from column x on. */
static void stencil_put_bytes(const terrain__call *call, uint32_t x, uint32_t y,
                              const float *results, uint32_t count)
{
    const struct stencil_pass *pass = call->pass;
    uint8_t *target = pass->bytes + y * pass->bytes_stride + x;
    terrain__pack_kernels(call->isa)->to_u8(target, results, count, 0, 255);
}

/* Runs the kernel on copied cells. It gets at least as many as it wants: those behind the copy, and
 * their results, are old. */
static void stencil_run_copy(const terrain__call *call, const struct terrain__stencil *cells,
                             float results[][TERRAIN__STENCIL_RUN], uint32_t count)
{
    const struct stencil_pass *pass = call->pass;
    float *outputs[TERRAIN__STENCIL_OUTPUTS];
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        outputs[k] = stencil_wants(pass, k) ? results[k] : NULL;
    }
    pass->run(call, outputs, cells, count < TERRAIN__STENCIL_LEAST ? TERRAIN__STENCIL_LEAST : count,
              pass->scale);
}

/* All of row y from copies. */
static void stencil_copied_row(const terrain__call *call, uint32_t y)
{
    const struct stencil_pass *pass = call->pass;
    const uint32_t width = call->map.width;
    struct terrain__stencil_copy copy = {{0}, {0}, {0}};
    const struct terrain__stencil cells = {copy.north, copy.here, copy.south, NULL, NULL};
    float results[TERRAIN__STENCIL_OUTPUTS][TERRAIN__STENCIL_RUN];
    for (uint32_t x = 0, count; x < width; x += count) {
        count = width - x < TERRAIN__STENCIL_RUN ? width - x : TERRAIN__STENCIL_RUN;
        terrain__stencil_copy_cells(&copy, &call->map, x, y, count);
        stencil_run_copy(call, &cells, results, count);
        for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
            if (pass->planes[k].cells != NULL) {
                memcpy(terrain__plane_row(&pass->planes[k], y) + x, results[k],
                       count * sizeof(float));
            }
        }
        if (pass->bytes != NULL) {
            stencil_put_bytes(call, x, y, results[0], count);
        }
    }
}

/* The first and the last cell of rows begin to end - 1. Six cells of each row stand side by side,
 * rows one behind the other:  beyond 0 1  n-2 n-1 beyond.  The results of cells 0 and 3 of each six
 * count. */
static void stencil_row_ends(const terrain__call *call, uint32_t begin, uint32_t end)
{
    enum { SIX = 6, ROWS = TERRAIN__STENCIL_RUN / SIX };
    const struct stencil_pass *pass = call->pass;
    const uint32_t width = call->map.width;
    float copy[SIX * (ROWS + 2) + TERRAIN__STENCIL_LEAST] = {0};
    const struct terrain__stencil cells = {copy, copy + SIX, copy + 2 * SIX, NULL, NULL};
    float results[TERRAIN__STENCIL_OUTPUTS][TERRAIN__STENCIL_RUN];
    for (uint32_t first = begin; first < end; first += ROWS) {
        uint32_t rows = end - first < ROWS ? end - first : ROWS;
        for (uint32_t i = 0; i < rows + 2; i++) {
            const float *row = terrain__map_row(call, (int64_t)first - 1 + i);
            float *six = copy + SIX * i;
            six[0] = stencil_beyond(row, 0, width);
            six[1] = row[0];
            six[2] = row[1];
            six[3] = row[width - 2];
            six[4] = row[width - 1];
            six[5] = stencil_beyond(row, width - 1, width);
        }
        stencil_run_copy(call, &cells, results, SIX * rows - 2);
        for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
            for (uint32_t i = 0; i < rows && pass->planes[k].cells != NULL; i++) {
                float *target = terrain__plane_row(&pass->planes[k], first + i);
                target[0] = results[k][SIX * i];
                target[width - 1] = results[k][SIX * i + 3];
            }
        }
        if (pass->bytes != NULL) {
            uint8_t packed[TERRAIN__STENCIL_RUN];
            terrain__pack_kernels(call->isa)->to_u8(packed, results[0], SIX * rows - 2, 0, 255);
            for (uint32_t i = 0; i < rows; i++) {
                uint8_t *target = pass->bytes + (first + i) * pass->bytes_stride;
                target[0] = packed[SIX * i];
                target[width - 1] = packed[SIX * i + 3];
            }
        }
    }
}

/* How many of the `left` last cells of a row are done at a time: up to the end of a cache line of
 * `target`, and so that what remains is enough for the kernel. */
static uint32_t stencil_part(const float *target, uint32_t left)
{
    uint32_t count = STENCIL_PART - (uint32_t)((uintptr_t)target / sizeof *target % STENCIL_LINE);
    if (left <= STENCIL_PART) {
        return left;
    }
    return left - count < TERRAIN__STENCIL_LEAST ? count - TERRAIN__STENCIL_LEAST : count;
}

/* What is read next, beside `south`, a part of the row below row y: the last rows ask for a row
 * again. */
static const float *stencil_soon(const terrain__view *map, uint32_t y, const float *south)
{
    return south + (y + 2 < map->height ? map->stride : 0);
}

/* Row y but its first and last cell as bytes, from where they are. */
static void stencil_inner_bytes(const terrain__call *call, uint32_t y)
{
    const struct stencil_pass *pass = call->pass;
    const terrain__view *map = &call->map;
    const float *west = terrain__map_row(call, y);
    const struct terrain__stencil cells = {west - map->stride, west, west + map->stride,
                                           stencil_soon(map, y, west + 1 + map->stride), NULL};
    pass->pack(call, pass->bytes + y * pass->bytes_stride + 1, &cells, map->width - 2);
}

/* Row y but its first and last cell, from where they are. `stream` is NULL for a small map. */
static void stencil_inner_row(const terrain__call *call, uint32_t y,
                              const struct stream_kernels *stream)
{
    const struct stencil_pass *pass = call->pass;
    const terrain__view *map = &call->map;
    const float *west = terrain__map_row(call, y);
    float lines[TERRAIN__STENCIL_OUTPUTS][STENCIL_PART];
    float *targets[TERRAIN__STENCIL_OUTPUTS], *outputs[TERRAIN__STENCIL_OUTPUTS];
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        const terrain__plane *plane = &pass->planes[k];
        targets[k] = plane->cells != NULL ? terrain__plane_row(plane, y) + 1 : NULL;
        outputs[k] = stream != NULL && targets[k] != NULL ? lines[k] : targets[k];
    }
    for (uint32_t x = 1, left = map->width - 2, count; left > 0; left -= count, x += count) {
        const float *here = west + x - 1;
        const struct terrain__stencil cells = {here - map->stride, here, here + map->stride, NULL,
                                               NULL};
        count = stream != NULL ? stencil_part(targets[0], left) : left;
        if (stream != NULL) { /* a row is too short to foresee the next one */
            terrain__prefetch(stencil_soon(map, y, cells.south), count * sizeof(float));
        }
        pass->run(call, outputs, &cells, count, pass->scale);
        for (int k = 0; stream != NULL && k < TERRAIN__STENCIL_OUTPUTS; k++) {
            if (targets[k] != NULL) {
                stream->row(targets[k], lines[k], count);
                targets[k] += count;
            }
        }
    }
}

/* ---- Whole rows past the caches -------------------------------------------------------------- */

/* Whether results go past the caches: the map and what is made of it would fill them together. */
static bool stencil_streams(const terrain__view *map)
{
    return terrain__should_stream(2 * (uint64_t)map->width, map->height);
}

/* Whether the lines of each output's rows lie alike, so that the rows can be done line by line. */
static bool stencil_has_lines(const terrain__call *call)
{
    enum { LINE = STENCIL_LINE * sizeof(float) }; /* bytes */
    const struct stencil_pass *pass = call->pass;
    const terrain__view *map = &call->map;
    if (pass->bytes != NULL || map->width < STENCIL_WIDE || !stencil_streams(map)) {
        return false;
    }
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        const terrain__plane *plane = &pass->planes[k];
        const uintptr_t beside = (uintptr_t)plane->cells - (uintptr_t)pass->planes[0].cells;
        if (plane->cells != NULL && (plane->stride % STENCIL_LINE != 0 || beside % LINE != 0)) {
            return false;
        }
    }
    return true;
}

/* Whether the kernel stores past the caches itself: all rows, those of the map and of each output,
 * begin at the same place in a page. A processor compares the lowest 12 bits of addresses to find
 * out whether a load needs what a store before it has not yet written, and stores past the caches
 * wait long. Only where they all lie alike has each place been read before it is written. (Slope,
 * 4096 columns: 0.18 ns a cell, and 0.20 to 0.34 where the output begins elsewhere; by way of a
 * buffer 0.20 to 0.22.) */
static bool stencil_stores_itself(const terrain__call *call)
{
    enum { PAGE = 4096, LINE = STENCIL_LINE * sizeof(float) }; /* bytes */
    const struct stencil_pass *pass = call->pass;
    const terrain__view *map = &call->map;
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        const terrain__plane *plane = &pass->planes[k];
        const uintptr_t ahead = (uintptr_t)map->cells - (uintptr_t)plane->cells;
        if (plane->cells != NULL && (map->stride * sizeof(float) % PAGE != 0 ||
                                     plane->stride != map->stride || ahead % PAGE >= LINE)) {
            return false;
        }
    }
    return true;
}

/* The cells of a row's first line, and those of its last, each with their neighbours. */
static void stencil_copy_lines(float *cells, const float *row, uint32_t width)
{
    enum { COUNT = STENCIL_LINE + 1 };
    cells[0] = stencil_beyond(row, 0, width);
    memcpy(cells + 1, row, COUNT * sizeof *cells);
    memcpy(cells + 1 + COUNT, row + width - COUNT, COUNT * sizeof *cells);
    cells[1 + 2 * COUNT] = stencil_beyond(row, width - 1, width);
}

/* Whole lines by way of a buffer: while the kernel fills one half, the other goes past the caches.
 * (Slope, 4000 columns: 0.47 ns a cell; 0.57 where part after part is made and then stored.) */
static void stencil_stream_parts(const terrain__call *call, float *const *targets,
                                 const struct terrain__stencil *cells, uint32_t count)
{
    const struct stencil_pass *pass = call->pass;
    const struct stream_kernels *stream = terrain__stream_kernels(call->isa);
    const bool one = targets[1] == NULL && targets[2] == NULL;
    const uint32_t most = one ? STENCIL_PART_ONE : STENCIL_PART;
    float lines[2][TERRAIN__STENCIL_OUTPUTS * STENCIL_PART];
    struct terrain__stencil_late late = {.count = 0};
    float *outputs[TERRAIN__STENCIL_OUTPUTS];
    for (uint32_t x = 0, part, turn = 0; x < count; x += part, turn ^= 1) {
        const struct terrain__stencil at = {cells->north + x, cells->here + x, cells->south + x,
                                            cells->soon + x, &late};
        part = count - x < most ? count - x : most;
        for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
            outputs[k] = targets[k] != NULL ? lines[turn] + (uint32_t)k * STENCIL_PART : NULL;
        }
        pass->run(call, outputs, &at, part, pass->scale);
        for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
            if (targets[k] != NULL && part < late.count) {
                stream->row(late.to[k] + part, late.from[k] + part, (uint32_t)late.count - part);
            }
            late.from[k] = outputs[k];
            late.to[k] = targets[k] != NULL ? targets[k] + x : NULL;
        }
        late.count = part;
    }
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        if (targets[k] != NULL) {
            stream->row(late.to[k], late.from[k], (uint32_t)late.count);
        }
    }
}

/* The `first` and `last` cells at the ends of row y, at most a line each. They are put together
 * with those beside them: stores to a part of a line wait until its rest is read, and the stores
 * behind them wait, too. */
static void stencil_stream_ends(const terrain__call *call, uint32_t y, uint32_t first,
                                uint32_t last)
{
    const struct stencil_pass *pass = call->pass;
    const struct stream_kernels *stream = terrain__stream_kernels(call->isa);
    const terrain__view *map = &call->map;
    const float *row = terrain__map_row(call, y);
    struct terrain__stencil_copy copy;
    const struct terrain__stencil both = {copy.north, copy.here, copy.south, NULL, NULL};
    float ends[TERRAIN__STENCIL_OUTPUTS][TERRAIN__STENCIL_RUN];
    stencil_copy_lines(copy.north, row - map->stride, map->width);
    stencil_copy_lines(copy.here, row, map->width);
    stencil_copy_lines(copy.south, row + map->stride, map->width);
    stencil_run_copy(call, &both, ends, 2 * STENCIL_LINE + 2);
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        if (pass->planes[k].cells != NULL) {
            float *target = terrain__plane_row(&pass->planes[k], y);
            stream->row(target, ends[k], first);
            stream->row(target + map->width - last, ends[k] + 2 * STENCIL_LINE + 2 - last, last);
        }
    }
}

/* All of row y. */
static void stencil_stream_row(const terrain__call *call, uint32_t y)
{
    const struct stencil_pass *pass = call->pass;
    const terrain__view *map = &call->map;
    const uint32_t before =
        (uint32_t)(-(uintptr_t)terrain__plane_row(&pass->planes[0], y) / sizeof(float));
    const uint32_t first = (before - 1) % STENCIL_LINE + 1; /* cells, at most a line */
    const uint32_t last = (map->width - before - 1) % STENCIL_LINE + 1;
    const float *west = terrain__map_row(call, y) + first - 1;
    const struct terrain__stencil inner = {west - map->stride, west, west + map->stride,
                                           stencil_soon(map, y, west + 1 + map->stride), NULL};
    float *targets[TERRAIN__STENCIL_OUTPUTS];
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        const terrain__plane *plane = &pass->planes[k];
        targets[k] = plane->cells != NULL ? terrain__plane_row(plane, y) + first : NULL;
    }
    if (stencil_stores_itself(call)) {
        pass->run(call, targets, &inner, map->width - first - last, pass->scale);
    } else {
        stencil_stream_parts(call, targets, &inner, map->width - first - last);
    }
    stencil_stream_ends(call, y, first, last);
}

/* ---- All rows -------------------------------------------------------------------------------- */

static void stencil_band(terrain__call *call, uint32_t index)
{
    const struct stencil_pass *pass = call->pass;
    const uint32_t width = call->map.width, last = call->map.height - 1;
    const bool narrow = width < TERRAIN__STENCIL_LEAST + 2;
    const bool whole = stencil_has_lines(call);
    const struct stream_kernels *stream =
        stencil_streams(&call->map) ? terrain__stream_kernels(call->isa) : NULL;
    uint32_t begin = terrain__band_begin(&pass->bands, index);
    uint32_t end = terrain__band_end(&pass->bands, index);
    for (uint32_t y = begin; y < end; y++) {
        if (narrow || y == 0 || y == last) {
            stencil_copied_row(call, y);
        } else if (pass->bytes != NULL) {
            stencil_inner_bytes(call, y);
        } else if (whole) {
            stencil_stream_row(call, y);
        } else {
            stencil_inner_row(call, y, stream);
        }
    }
    if (!narrow && !whole) {
        stencil_row_ends(call, begin > 0 ? begin : 1, end <= last ? end : last);
    }
    if (stream != NULL) {
        stream->done();
    }
}

static struct stencil_pass stencil_pass_of(const terrain__plane *planes, terrain__stencil_run *run,
                                           uint32_t width, uint32_t height, float cell_size)
{
    const struct stencil_pass pass = {.planes = planes,
                                      .run = run,
                                      .scale = (float)(0.125 / (double)cell_size),
                                      .bands = terrain__bands_of(height, STENCIL_TASK / width + 1)};
    return pass;
}

terrain_status terrain__stencil_commit(terrain__call *call,
                                       const terrain__plane planes[TERRAIN__STENCIL_OUTPUTS],
                                       terrain__stencil_run *run)
{
    const struct stencil_pass pass =
        stencil_pass_of(planes, run, call->map.width, call->map.height, call->cell_size);
    call->pass = &pass;
    terrain_status status = terrain__commit(call, pass.bands.count, stencil_band);
    call->pass = NULL;
    return status;
}

void terrain__stencil_pack(terrain__reader *reader, uint8_t *bytes, size_t stride,
                           terrain__stencil_run *run, terrain__stencil_pack_run *pack)
{
    const terrain_heightmap *map = reader->map;
    const terrain__plane none[TERRAIN__STENCIL_OUTPUTS] = {{.cells = NULL}};
    struct stencil_pass pass = stencil_pass_of(none, run, map->width, map->height, map->cell_size);
    pass.pack = pack;
    pass.bytes = bytes;
    pass.bytes_stride = stride;
    reader->pass = &pass;
    terrain__reader_commit(reader, pass.bands.count, stencil_band);
    reader->pass = NULL;
}
