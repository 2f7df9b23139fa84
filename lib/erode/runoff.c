/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Water that runs over a map: see runoff.h. */

#include "erode/runoff.h"

#include <string.h>

#include "rows/rows.h"

enum {
    /* More iterations at once bring no more speed, only fewer bands. */
    RUNOFF_MOST_FUSED = 8,
    /* Cells of a row that is computed faster than processors hand its last results on. A step that
     * follows two rows behind needn't wait for them. */
    RUNOFF_SHORT_ROW = 32
};

void terrain__runoff_prepare(terrain__call *call)
{
    terrain__runoff *runoff = call->job;
    const uint32_t rows = call->target.height;
    runoff->plane = terrain__whole_lines(call->target.width) + 2 * TERRAIN__RUNOFF_PAD;
    size_t row_bytes = runoff->kept * runoff->plane * sizeof(float);
    const uint32_t skew = call->target.width <= RUNOFF_SHORT_ROW ? 2 : 1;
    runoff->wave =
        terrain__wave_of(rows, row_bytes, runoff->iterations, 2, skew, RUNOFF_MOST_FUSED);
    runoff->cells =
        terrain__scratch(call, ((size_t)rows + 2) * runoff->kept, runoff->plane * sizeof(float));
    terrain__expect_passes(call, 2 + terrain__wave_passes(&runoff->wave));
}

/* ---- In ------------------------------------------------------------------------------------- */

/* Makes a whole row what it is outside the map. */
static void runoff_clear_row(const terrain__runoff *runoff, int64_t row)
{
    float *cells = terrain__runoff_row(runoff, row) - TERRAIN__RUNOFF_PAD;
    for (size_t i = 0; i < runoff->plane; i++) {
        cells[i] = INFINITY;
    }
    memset(cells + runoff->plane, 0, (runoff->kept - 1) * runoff->plane * sizeof(float));
    if (runoff->clear != NULL) {
        runoff->clear(cells, runoff->plane);
    }
}

static void runoff_begin_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const terrain__runoff *runoff = call->job;
    (void)task;
    runoff_clear_row(runoff, y);
    memcpy(terrain__runoff_row(runoff, y), terrain__map_row(call, y),
           call->map.width * sizeof(float));
    if (runoff->iterations > 0) {
        runoff->rain(call, y);
    }
}

/* ---- Iterations ----------------------------------------------------------------------------- */

static void runoff_step(terrain__call *call, uint64_t step, uint32_t row)
{
    const terrain__runoff *runoff = call->job;
    if (step % 2 == 0) {
        runoff->flow(call, step / 2, row);
    } else {
        runoff->take(call, step / 2, row);
    }
}

/* ---- Out ------------------------------------------------------------------------------------ */

/* Everything in the water settles. The map may be the target: its heights are read first. */
static void runoff_finish_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const terrain__runoff *runoff = call->job;
    const uint32_t width = call->target.width;
    const float *before = terrain__map_row(call, y);
    float *eroded = terrain__output_row(call, runoff->eroded, y);
    float *deposited = terrain__output_row(call, runoff->deposited, y);
    float *depth = terrain__output_row(call, runoff->depth, y);
    float *ground = terrain__runoff_row(runoff, y);
    const float *sediment = ground + runoff->sediment * runoff->plane;
    (void)task;
    for (uint32_t x = 0; x < width && runoff->sediment != 0 && runoff->iterations > 0; x++) {
        ground[x] += runoff->density * sediment[x];
    }
    for (uint32_t x = 0; x < width && eroded != NULL; x++) {
        eroded[x] = before[x] > ground[x] ? before[x] - ground[x] : 0;
    }
    for (uint32_t x = 0; x < width && deposited != NULL; x++) {
        deposited[x] = ground[x] > before[x] ? ground[x] - before[x] : 0;
    }
    if (depth != NULL) {
        memcpy(depth, ground + TERRAIN__RUNOFF_WATER * runoff->plane, width * sizeof(float));
    }
    memcpy(terrain__target_row(call, y), ground, width * sizeof(float));
}

terrain_status terrain__runoff_run(terrain__call *call)
{
    const terrain__runoff *runoff = call->job;
    runoff_clear_row(runoff, -1);
    runoff_clear_row(runoff, call->target.height);
    terrain_status status = terrain__run_rows(call, call->target.height, runoff_begin_row);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__wave_run(call, &runoff->wave, runoff_step);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, runoff_finish_row) : status;
}
