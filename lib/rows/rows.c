/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "rows/rows.h"

#include <string.h>

/* ---- Passes over rows ----------------------------------------------------------------------- */

struct rows_pass {
    terrain__row *row;
    terrain__bands bands;
};

static void rows_band(terrain__call *call, uint32_t index)
{
    const struct rows_pass *pass = call->pass;
    uint32_t end = terrain__band_end(&pass->bands, index);
    for (uint32_t y = terrain__band_begin(&pass->bands, index); y < end; y++) {
        pass->row(call, index, y);
    }
}

/* By terrain__run or terrain__commit. */
static terrain_status rows_run(terrain__call *call, uint32_t rows, terrain__row *row,
                               terrain_status (*run)(terrain__call *call, uint32_t count,
                                                     terrain__task *task))
{
    const struct rows_pass pass = {row, terrain__bands_of(rows, 1)};
    call->pass = &pass;
    terrain_status status = run(call, pass.bands.count, rows_band);
    call->pass = NULL;
    return status;
}

terrain_status terrain__run_rows(terrain__call *call, uint32_t rows, terrain__row *row)
{
    return rows_run(call, rows, row, terrain__run);
}

terrain_status terrain__commit_rows(terrain__call *call, terrain__row *row)
{
    return rows_run(call, call->target.height, row, terrain__commit);
}

static void rows_copy(terrain__call *call, uint32_t task, uint32_t y)
{
    (void)task;
    memmove(terrain__target_row(call, y), terrain__map_row(call, y),
            call->target.width * sizeof(float));
}

terrain_status terrain__commit_copy(terrain__call *call)
{
    return terrain__commit_rows(call, rows_copy);
}

/* ---- Any row as it was ---------------------------------------------------------------------- */

static uint32_t rows_seam_count(const terrain__rows *rows)
{
    return rows->edges ? rows->bands.count + 1 : rows->bands.count - 1;
}

void terrain__rows_prepare(terrain__call *call, terrain__rows *rows, terrain__bands bands,
                           uint32_t reach)
{
    /* Beyond the edge of a map that repeats there are rows that are overwritten before they are
     * read. */
    rows->edges = terrain__border_repeats(rows->border);
    rows->bands = bands;
    rows->reach = reach;
    rows->saved =
        terrain__scratch_plane(call, rows->view.width, rows_seam_count(rows) * 2 * reach + 1);
}

/* The row after a seam. */
static int64_t rows_seam(const terrain__rows *rows, uint32_t seam)
{
    return seam < rows->bands.count ? terrain__band_begin(&rows->bands, seam) : rows->bands.rows;
}

/* Where row y is saved, one of those around the seam. */
static float *rows_saved(const terrain__rows *rows, uint32_t seam, int64_t y)
{
    const int64_t first = (int64_t)(rows->edges ? seam : seam - 1) * 2 * rows->reach;
    return terrain__plane_row(&rows->saved, first + rows->reach + (y - rows_seam(rows, seam)));
}

/* Row y, where the view has it. */
static const float *rows_find(const terrain__rows *rows, int64_t y)
{
    int64_t row = terrain__border_cell(y, rows->view.height, rows->border);
    return row < 0 ? rows->outside : terrain__view_row(&rows->view, row);
}

/* Rows around a seam that the border has none for stay unset: nobody reads them. */
static void rows_save_seam(const terrain__rows *rows, uint32_t seam)
{
    const int64_t middle = rows_seam(rows, seam);
    for (int64_t y = middle - rows->reach; y < middle + rows->reach; y++) {
        const float *row = rows_find(rows, y);
        if (row != NULL) {
            memcpy(rows_saved(rows, seam, y), row, rows->view.width * sizeof(float));
        }
    }
}

/* The seams of each task. Where the edges are seams, there may be one more than tasks. */
static terrain__bands rows_seams(const terrain__rows *rows)
{
    return terrain__bands_of(rows_seam_count(rows), 1);
}

static void rows_save_seams(terrain__call *call, uint32_t index)
{
    const terrain__rows *rows = call->pass;
    const terrain__bands seams = rows_seams(rows);
    const uint32_t first = rows->edges ? 0 : 1;
    const uint32_t end = terrain__band_end(&seams, index);
    for (uint32_t i = terrain__band_begin(&seams, index); i < end; i++) {
        rows_save_seam(rows, first + i);
    }
}

terrain_status terrain__rows_save(terrain__call *call, const terrain__rows *rows)
{
    if (terrain__rows_passes(rows) == 0) {
        return TERRAIN_SUCCESS;
    }
    call->pass = rows;
    return terrain__run(call, rows_seams(rows).count, rows_save_seams);
}

const float *terrain__rows_beyond(const terrain__rows *rows, uint32_t band, int64_t y)
{
    if (!rows->in_place) {
        return rows_find(rows, y);
    }
    uint32_t seam = y < (int64_t)terrain__band_begin(&rows->bands, band) ? band : band + 1;
    bool saved = rows->edges || (seam > 0 && seam < rows->bands.count);
    return saved ? rows_saved(rows, seam, y) : rows_find(rows, y);
}
