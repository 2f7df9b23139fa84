/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Row by row over a map with every cell's eight neighbours, for the operations that look at slopes.
 *
 * Outside the map the surface goes on straight: a neighbour beyond an edge is h + (h - o), of the
 * cell h at the edge and the cell o opposite; beyond a corner it is (a + b) - h, of the two
 * neighbours a and b beyond the edges. A plane keeps its slope up to the last cell. Where the map
 * is one cell wide there is no opposite cell, and the neighbour is h. */

#ifndef TERRAIN_ANALYZE_STENCIL_H
#define TERRAIN_ANALYZE_STENCIL_H

#include <string.h>

#include "analyze/stencil_kernels.h"
#include "core/operation.h"
#include "vector/stream_kernels.h"

enum {
    TERRAIN__STENCIL_OUTPUTS = 3,
    TERRAIN__STENCIL_RUN = 128,     /* cells that are copied at a time, along the map's edges */
    TERRAIN__STENCIL_LINE = 256,    /* cells that go past the caches at a time */
    TERRAIN__STENCIL_TASK = 1 << 14 /* cells, at least: less would hardly be worth a task's start */
};

/* What a kernel writes for `count` cells; count is at least TERRAIN__STENCIL_LEAST. Of the outputs
 * those that the caller does not want are NULL. */
typedef void terrain__stencil_run(const terrain__call *call, float *const *outputs,
                                  const struct terrain__stencil *cells, size_t count);

/* A run that is copied together, with its neighbours, and its outputs. */
struct terrain__stencil_copy {
    float north[TERRAIN__STENCIL_RUN + 2];
    float here[TERRAIN__STENCIL_RUN + 2];
    float south[TERRAIN__STENCIL_RUN + 2];
    float ends[TERRAIN__STENCIL_RUN + 2 + 12];
    float outputs[TERRAIN__STENCIL_OUTPUTS][TERRAIN__STENCIL_RUN];
};

/* The neighbour beyond the first (or last) cell of a row. */
static inline float terrain__stencil_beyond(const float *row, uint32_t edge, uint32_t width)
{
    uint32_t opposite = width == 1 ? edge : edge == 0 ? 1 : edge - 1;
    return row[edge] + (row[edge] - row[opposite]);
}

/* The cells x - 1 to x + count of a row of the map. */
static inline void terrain__stencil_copy_row(float *cells, const float *row, uint32_t width,
                                             uint32_t x, uint32_t count)
{
    uint32_t end = x + count;
    cells[0] = x == 0 ? terrain__stencil_beyond(row, 0, width) : row[x - 1];
    memcpy(cells + 1, row + x, count * sizeof *cells);
    cells[count + 1] = end == width ? terrain__stencil_beyond(row, width - 1, width) : row[end];
}

/* The same of the row beyond the rows `edge` and `opposite`, both of the map. */
static inline void terrain__stencil_beyond_row(float *cells, const float *edge,
                                               const float *opposite, uint32_t width, uint32_t x,
                                               uint32_t count)
{
    uint32_t end = x + count;
    for (uint32_t i = 0; i < count; i++) {
        cells[i + 1] = edge[x + i] + (edge[x + i] - opposite[x + i]);
    }
    cells[0] = x == 0 ? (terrain__stencil_beyond(edge, 0, width) + cells[1]) - edge[0]
                      : edge[x - 1] + (edge[x - 1] - opposite[x - 1]);
    cells[count + 1] =
        end == width
            ? (terrain__stencil_beyond(edge, width - 1, width) + cells[count]) - edge[width - 1]
            : edge[end] + (edge[end] - opposite[end]);
}

/* The cells x to x + count - 1 of a row, with their neighbours; above and below are NULL where the
 * map has no row. */
static inline void terrain__stencil_copy_rows(struct terrain__stencil_copy *copy, const float *row,
                                              const float *above, const float *below,
                                              uint32_t width, uint32_t x, uint32_t count)
{
    terrain__stencil_copy_row(copy->here, row, width, x, count);
    if (above != NULL) {
        terrain__stencil_copy_row(copy->north, above, width, x, count);
    } else {
        terrain__stencil_beyond_row(copy->north, row, below != NULL ? below : row, width, x, count);
    }
    if (below != NULL) {
        terrain__stencil_copy_row(copy->south, below, width, x, count);
    } else {
        terrain__stencil_beyond_row(copy->south, row, above != NULL ? above : row, width, x, count);
    }
}

/* Runs the kernel on the copy, which is at least as long as a kernel wants: what lies behind its
 * cells is old, and so are the outputs there. */
static inline void terrain__stencil_run_copy(const terrain__call *call,
                                             const terrain__plane *planes,
                                             struct terrain__stencil_copy *copy,
                                             const struct terrain__stencil *cells, uint32_t count,
                                             terrain__stencil_run *run)
{
    float *outputs[TERRAIN__STENCIL_OUTPUTS];
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        outputs[k] = planes[k].cells != NULL ? copy->outputs[k] : NULL;
    }
    run(call, outputs, cells, count < TERRAIN__STENCIL_LEAST ? TERRAIN__STENCIL_LEAST : count);
}

/* A whole row, in copies: the first and the last row, and all rows of narrow maps. */
static inline void terrain__stencil_edge_row(const terrain__call *call,
                                             const terrain__plane *planes,
                                             struct terrain__stencil_copy *copy, uint32_t y,
                                             terrain__stencil_run *run)
{
    const terrain__view *map = &call->map;
    const float *row = map->cells + y * map->stride;
    const float *above = y > 0 ? row - map->stride : NULL;
    const float *below = y < map->height - 1 ? row + map->stride : NULL;
    uint32_t width = map->width;
    const struct terrain__stencil cells = {copy->north, copy->here, copy->south};
    uint32_t count;
    for (uint32_t x = 0; x < width; x += count) {
        count = width - x < TERRAIN__STENCIL_RUN ? width - x : TERRAIN__STENCIL_RUN;
        terrain__stencil_copy_rows(copy, row, above, below, width, x, count);
        terrain__stencil_run_copy(call, planes, copy, &cells, count, run);
        for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
            if (planes[k].cells != NULL) {
                memcpy(planes[k].cells + y * planes[k].stride + x, copy->outputs[k],
                       count * sizeof(float));
            }
        }
    }
}

/* Two cells from each end of a row, with what lies beyond them. */
static inline void terrain__stencil_copy_ends(float *cells, const float *row, uint32_t width)
{
    cells[0] = terrain__stencil_beyond(row, 0, width);
    cells[1] = row[0];
    cells[2] = row[1];
    cells[3] = row[width - 2];
    cells[4] = row[width - 1];
    cells[5] = terrain__stencil_beyond(row, width - 1, width);
}

/* The first and the last cell of the rows begin to end - 1, none of them the map's first or last
 * row. Six cells of each row stand side by side in the copy, rows one behind the other, so that one
 * run does many rows; of its results those of cells 0 and 3 of each six count. */
static inline void terrain__stencil_row_ends(const terrain__call *call,
                                             const terrain__plane *planes,
                                             struct terrain__stencil_copy *copy, uint32_t begin,
                                             uint32_t end, terrain__stencil_run *run)
{
    enum { SIX = 6, ROWS = TERRAIN__STENCIL_RUN / SIX };
    const terrain__view *map = &call->map;
    for (uint32_t first = begin; first < end; first += ROWS) {
        uint32_t rows = end - first < ROWS ? end - first : ROWS;
        const float *row = map->cells + (first - 1) * map->stride;
        for (uint32_t i = 0; i < rows + 2; i++) {
            terrain__stencil_copy_ends(copy->ends + SIX * i, row + i * map->stride, map->width);
        }
        const struct terrain__stencil cells = {copy->ends, copy->ends + SIX, copy->ends + 2 * SIX};
        terrain__stencil_run_copy(call, planes, copy, &cells, SIX * rows - 2, run);
        for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
            for (uint32_t i = 0; i < rows && planes[k].cells != NULL; i++) {
                float *target = planes[k].cells + (first + i) * planes[k].stride;
                target[0] = copy->outputs[k][SIX * i];
                target[map->width - 1] = copy->outputs[k][SIX * i + 3];
            }
        }
    }
}

/* The cells x to x + count - 1 of a row, none of them its first or last, from where they are. */
static inline void terrain__stencil_part(const terrain__call *call, float *const *outputs,
                                         uint32_t y, uint32_t x, uint32_t count,
                                         terrain__stencil_run *run)
{
    const terrain__view *map = &call->map;
    const float *west = map->cells + y * map->stride + x - 1;
    const struct terrain__stencil cells = {west - map->stride, west, west + map->stride};
    run(call, outputs, &cells, count);
}

/* The cells of a row but its first and last. */
static inline void terrain__stencil_row(const terrain__call *call, const terrain__plane *planes,
                                        uint32_t y, terrain__stencil_run *run)
{
    float *outputs[TERRAIN__STENCIL_OUTPUTS];
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        outputs[k] = planes[k].cells != NULL ? planes[k].cells + y * planes[k].stride + 1 : NULL;
    }
    terrain__stencil_part(call, outputs, y, 1, call->map.width - 2, run);
}

/* Of `left` cells of a row of a large map as many as are done at a time: up to the end of a cache
 * line of `target`, and so that a run remains. */
static inline uint32_t terrain__stencil_line(const float *target, uint32_t left)
{
    uint32_t count = TERRAIN__STENCIL_LINE - (uint32_t)((uintptr_t)target / sizeof *target % 16);
    if (left <= TERRAIN__STENCIL_LINE) {
        return left;
    }
    return left - count < TERRAIN__STENCIL_LEAST ? count - TERRAIN__STENCIL_LEAST : count;
}

/* The same, past the caches. */
static inline void terrain__stencil_stream_row(const terrain__call *call,
                                               const terrain__plane *planes, uint32_t y,
                                               terrain__stencil_run *run)
{
    const struct stream_kernels *stream = terrain__stream_kernels(call->isa);
    const uint32_t end = call->map.width - 1;
    float lines[TERRAIN__STENCIL_OUTPUTS][TERRAIN__STENCIL_LINE];
    float *outputs[TERRAIN__STENCIL_OUTPUTS];
    uint32_t count;
    for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
        outputs[k] = planes[k].cells != NULL ? lines[k] : NULL;
    }
    for (uint32_t x = 1; x < end; x += count) {
        count = terrain__stencil_line(planes[0].cells + y * planes[0].stride + x, end - x);
        terrain__stencil_part(call, outputs, y, x, count, run);
        for (int k = 0; k < TERRAIN__STENCIL_OUTPUTS; k++) {
            if (planes[k].cells != NULL) {
                stream->row(planes[k].cells + y * planes[k].stride + x, lines[k], count);
            }
        }
    }
}

static inline terrain__bands terrain__stencil_bands(const terrain__view *map)
{
    return terrain__bands_of(map->height, TERRAIN__STENCIL_TASK / map->width + 1);
}

/* The rows of one band: cells within the map from where they are, those along its edges from a
 * copy. */
static inline void terrain__stencil_band(const terrain__call *call, uint32_t index,
                                         const terrain__plane planes[TERRAIN__STENCIL_OUTPUTS],
                                         terrain__stencil_run *run)
{
    const terrain__view *map = &call->map;
    terrain__bands bands = terrain__stencil_bands(map);
    uint32_t begin = terrain__band_begin(&bands, index);
    uint32_t end = terrain__band_end(&bands, index);
    bool narrow = map->width < TERRAIN__STENCIL_LEAST + 2;
    bool stream = !narrow && terrain__should_stream(map->width, map->height);
    struct terrain__stencil_copy copy;
    memset(&copy, 0, sizeof copy);
    if (begin == 0) {
        terrain__stencil_edge_row(call, planes, &copy, begin++, run);
    }
    if (end == map->height && begin < end) {
        terrain__stencil_edge_row(call, planes, &copy, --end, run);
    }
    for (uint32_t y = begin; y < end; y++) {
        if (narrow) {
            terrain__stencil_edge_row(call, planes, &copy, y, run);
        } else if (stream) {
            terrain__stencil_stream_row(call, planes, y, run);
        } else {
            terrain__stencil_row(call, planes, y, run);
        }
    }
    if (!narrow) {
        terrain__stencil_row_ends(call, planes, &copy, begin, end, run);
    }
    if (stream) {
        terrain__stream_kernels(call->isa)->done();
    }
}

/* All of the map, as the call's last pass. */
static inline terrain_status terrain__stencil_commit(terrain__call *call, terrain__task *band)
{
    return terrain__commit(call, terrain__stencil_bands(&call->map).count, band);
}

#endif
