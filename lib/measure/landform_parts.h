/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The parts of terrain_landform_measure. */

#ifndef TERRAIN_MEASURE_LANDFORM_PARTS_H
#define TERRAIN_MEASURE_LANDFORM_PARTS_H

#include <stdbool.h>

#include "base/memory.h"
#include "core/heightmap.h"
#include "core/reader.h"
#include "terrain/landform.h"

/* A map as the parts see it: heights divided by the cell size, NaN where they are not finite, row
 * after row without a gap. */
typedef struct terrain__ground {
    terrain__reader *reader; /* its map is the host's */
    terrain__float_environment *host;
    terrain__arena *arena;
    terrain__scratchpad *pad; /* of one part at a time, which begins with an empty one */
    double *heights;
    uint32_t width;
    uint32_t height;
    double done, share; /* of the whole call: what was done before the part, and the part itself */
} terrain__ground;

/* Polls the host, with the share of the part that is done. Errors: CANCELLED. */
terrain_status terrain__ground_poll(const terrain__ground *ground, double fraction);
/* Polls the host after about each million cells: call it before row y of a loop over `rows` rows,
 * which is `share` of the part and follows on `done`. */
terrain_status terrain__ground_poll_row(const terrain__ground *ground, uint32_t y, uint32_t rows,
                                        double done, double share);

/* task(call, i) for each i below count, by the host's runner; job becomes call->job. */
terrain_status terrain__ground_run(const terrain__ground *ground, void *job, uint32_t count,
                                   terrain__task *task);

/* What tasks see that go through rows: about a million cells at a time, between which the host is
 * polled. */
typedef struct terrain__ground_rows {
    const terrain__ground *ground;
    void *part; /* what else the tasks need */
    uint32_t first;
    terrain__bands bands; /* of the rows from `first` on */
} terrain__ground_rows;

enum { TERRAIN__GROUND_TASKS = 16 };

/* Tasks for the rows from begin to end: TERRAIN__GROUND_TASKS at most at a time, with job a
 * terrain__ground_rows. */
terrain_status terrain__ground_run_rows(const terrain__ground *ground, void *part, uint32_t begin,
                                        uint32_t end, double done, double share,
                                        terrain__task *task);

/* Each fills its figures. Errors: MEMORY, CANCELLED, RUNNER. */

/* axis */
terrain_status terrain__landform_axis(const terrain__ground *ground, terrain_landform *land);
/* undrained, trunk, concavity, hack; raises the heights where water stands */
terrain_status terrain__landform_drainage(const terrain__ground *ground, terrain_landform *land);

/* What they take of the pad. */
size_t terrain__landform_axis_bytes(uint32_t width, uint32_t height);
size_t terrain__landform_drainage_bytes(uint32_t width, uint32_t height);

/* ---- How water runs -------------------------------------------------------------------------- */

/* A cell that water has come to; or, in the end, the logarithms of the i-th cell that many others
 * flow to. */
typedef union terrain__drained {
    struct {
        double length; /* of the longest path upstream */
        uint32_t area; /* cells upstream, itself included */
        uint32_t free; /* those of them whose path crosses no bowl */
    } flow;
    struct {
        double area, length;
    } logarithm;
} terrain__drained;

enum {
    TERRAIN__DRAINED_LEAST = 50, /* cells with larger areas upstream tell how rivers grow */
    TERRAIN__DRAINED_OUT = 8     /* the way of a cell whose water leaves the map */
};

/* The filled map. Ways are numbered by rows: 0 to the north-west, 7 to the south-east. */
typedef struct terrain__draining {
    const terrain__ground *ground;
    size_t cells;
    size_t count; /* of cells that have a height */
    double *filled;
    uint8_t *ways;
    ptrdiff_t steps[8];
    terrain__drained *drained;
    size_t large; /* cells with an area above TERRAIN__DRAINED_LEAST */
} terrain__draining;

/* By way: its length in cells. */
extern const double terrain__draining_lengths[8];

/* hack and concavity; nothing is left of the map. Errors: MEMORY, CANCELLED. */
terrain_status terrain__landform_laws(const terrain__draining *draining, terrain_landform *land);

#endif
