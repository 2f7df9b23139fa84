/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Rows and their neighbours: what nearly every operation does with rows, done once.
 *
 * A pass over rows cuts them into bands, one a task:
 *
 *     terrain__run_rows, terrain__commit_rows    call a function for each row
 *     terrain__commit_copy                       the pass of an operation that changes nothing
 *
 * An operation that works in place reads rows that other bands overwrite. terrain__rows reads any
 * row of a map as it was before the pass. Rows on both sides of each seam between two bands are
 * saved beforehand:
 *
 *     band 0  |  own rows: read where they are
 *             |
 *             |  ~~~~~~~~~~~~~~  `reach` rows before the seam: saved, band 1 reads them
 *     seam 1  +------------------
 *             |  ~~~~~~~~~~~~~~  `reach` rows after the seam: saved, band 0 reads them
 *     band 1  |
 *
 * A step that reads the last few rows of the step before it needs no more of them: they are kept in
 * a terrain__ring, and all steps go through the map at once, each some rows behind the step before.
 * See erode_thermal, and generate_diamond_square, where a step asks the one before for row y. */

#ifndef TERRAIN_ROWS_ROWS_H
#define TERRAIN_ROWS_ROWS_H

#include "base/cache.h"
#include "core/operation.h"
#include "rows/border.h"

/* ---- Where rows are ------------------------------------------------------------------------- */

static inline const float *terrain__view_row(const terrain__view *view, int64_t y)
{
    return view->cells + (size_t)y * view->stride;
}

static inline float *terrain__plane_row(const terrain__plane *plane, int64_t y)
{
    return plane->cells + (size_t)y * plane->stride;
}

/* A row of the map as it was, until a task writes to it. */
static inline const float *terrain__map_row(const terrain__call *call, int64_t y)
{
    return terrain__view_row(&call->map, y);
}

static inline float *terrain__target_row(const terrain__call *call, int64_t y)
{
    return terrain__plane_row(&call->target, y);
}

/* A row of the output whose parameter is at `offset`; NULL where the caller gave no map. */
static inline float *terrain__output_row(const terrain__call *call, size_t offset, int64_t y)
{
    terrain__plane plane = terrain__output(call, (uint32_t)offset);
    return plane.cells == NULL ? NULL : terrain__plane_row(&plane, y);
}

/* ---- Passes over rows ----------------------------------------------------------------------- */

/* The work at row y. `task` is below terrain__row_tasks, for scratch. */
typedef void terrain__row(terrain__call *call, uint32_t task, uint32_t y);

static inline uint32_t terrain__row_tasks(uint32_t rows)
{
    return terrain__bands_of(rows, 1).count;
}

/* A pass over scratch, for rows 0 to rows - 1. */
terrain_status terrain__run_rows(terrain__call *call, uint32_t rows, terrain__row *row);

/* The last pass, for each row of the target. */
terrain_status terrain__commit_rows(terrain__call *call, terrain__row *row);

/* The last pass, of a call that leaves the map as it is. */
terrain_status terrain__commit_copy(terrain__call *call);

/* ---- Any row as it was ---------------------------------------------------------------------- */

typedef struct terrain__rows {
    terrain__view view;
    terrain_border border; /* OPEN: rows outside are read from `outside` */
    const float *outside;
    bool in_place; /* whether bands write into the view while they read it */
    /* Made by terrain__rows_prepare. Seam s lies before band s. */
    terrain__bands bands;
    uint32_t reach;       /* rows that are saved on either side of each seam */
    bool edges;           /* whether the map's own edges are seams 0 and bands.count */
    terrain__plane saved; /* the rows around each seam */
} terrain__rows;

/* In prepare: for bands that read `reach` rows beyond their own. The view's width and height, and
 * the border, must be set. */
void terrain__rows_prepare(terrain__call *call, terrain__rows *rows, terrain__bands bands,
                           uint32_t reach);

/* A pass that saves what bands overwrite; none if they don't. Rows outside an OPEN border are saved
 * if `outside` is set. */
terrain_status terrain__rows_save(terrain__call *call, const terrain__rows *rows);

/* For terrain__expect_passes: how many passes terrain__rows_save makes. */
static inline uint32_t terrain__rows_passes(const terrain__rows *rows)
{
    return rows->in_place ? 1 : 0;
}

/* terrain__rows_at for a row that is not the band's own. */
const float *terrain__rows_beyond(const terrain__rows *rows, uint32_t band, int64_t y);

/* Row y as it was before the bands, for band `band`: one of its own that it has not yet
 * overwritten, or at most `reach` rows from them; outside the map what the border makes of it. */
static inline const float *terrain__rows_at(const terrain__rows *rows, uint32_t band, int64_t y)
{
    bool own = y >= (int64_t)terrain__band_begin(&rows->bands, band) &&
               y < (int64_t)terrain__band_end(&rows->bands, band);
    return own ? terrain__view_row(&rows->view, y) : terrain__rows_beyond(rows, band, y);
}

/* ---- The last rows of a step ---------------------------------------------------------------- */

/* Row y is kept until row y + count comes. y is in 0 to 2^32 - 1, unless count is a power of
 * two. */
typedef struct terrain__ring {
    float *cells;
    size_t stride;
    uint32_t count;
} terrain__ring;

static inline float *terrain__ring_row(const terrain__ring *ring, int64_t y)
{
    return ring->cells + (size_t)((uint32_t)y % ring->count) * ring->stride;
}

#endif
