/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Water that runs over a map: what erode_hydraulic, erode_rain and erode_velocity have in common.
 *
 * A row of scratch holds everything that is kept for its cells, one thing after another: first the
 * ground, then the water, then what the method needs. An iteration has two steps: each cell decides
 * how much flows where, and then takes what its neighbours send, dries, and gets the next rain. The
 * steps of several iterations run as a wave (see rows/wave.h). One row above the map and one below
 * stand for what lies outside. */

#ifndef TERRAIN_ERODE_RUNOFF_H
#define TERRAIN_ERODE_RUNOFF_H

#include "core/operation.h"
#include "rows/wave.h"

/* Floats before a row's first cell, and after the whole vectors that hold its cells: they keep what
 * cells outside the map have. */
#define TERRAIN__RUNOFF_PAD 16u

/* Ground is what is kept first for a cell, and water follows. Outside the map ground is infinite,
 * and all else is 0 but for what `clear` makes of it. */
enum { TERRAIN__RUNOFF_WATER = 1 };

/* The first member of the operation's job; prepare fills in the first part. */
typedef struct terrain__runoff {
    uint32_t iterations;
    uint32_t kept;                           /* things for each cell */
    uint32_t eroded, deposited, depth;       /* offsets of the outputs in the params */
    void (*clear)(float *row, size_t plane); /* what is special outside the map; NULL: nothing */
    void (*rain)(terrain__call *call, uint32_t row); /* before the first iteration */
    void (*flow)(terrain__call *call, uint64_t iteration, uint32_t row);
    void (*take)(terrain__call *call, uint64_t iteration, uint32_t row);
    uint32_t sediment; /* the thing that lies in the water and settles in the end; 0: none does */
    float density;     /* how much ground a unit of it is */

    /* The runoff's own. */
    terrain__wave wave;
    float *cells; /* of the row above the map */
    size_t plane; /* floats from a row of one plane to the same row of the next plane */
} terrain__runoff;

/* In prepare, when the first part is filled in. */
void terrain__runoff_prepare(terrain__call *call);

/* All iterations, and the commit: the target, eroded, deposited and the water's depth. */
terrain_status terrain__runoff_run(terrain__call *call);

/* The ground of a row's first cell; row -1 is above the map. */
static inline float *terrain__runoff_row(const terrain__runoff *runoff, int64_t row)
{
    size_t index = (size_t)(row + 1) * runoff->kept;
    return runoff->cells + index * runoff->plane + TERRAIN__RUNOFF_PAD;
}

#endif
