/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Water that runs over a map: see runoff.h. */

#include "erode/runoff.h"

#include <string.h>

enum {
    /* More iterations at once bring no more speed, only fewer bands. */
    RUNOFF_MOST_FUSED = 8
};

void terrain__runoff_prepare(terrain__call *call)
{
    terrain__runoff *runoff = call->job;
    const uint32_t rows = call->target.height;
    size_t row_bytes;
    runoff->plane = ((size_t)call->target.width + 15) / 16 * 16 + 2 * TERRAIN__RUNOFF_PAD;
    row_bytes = runoff->kept * runoff->plane * sizeof(float);
    runoff->wave = wave_of(rows, row_bytes, 2, 1, RUNOFF_MOST_FUSED);
    runoff->cells =
        terrain__scratch(call, ((size_t)rows + 2) * runoff->kept, runoff->plane * sizeof(float));
    terrain__expect_passes(call, 2 + wave_passes(&runoff->wave, runoff->iterations));
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

static void runoff_begin(terrain__call *call, uint32_t index)
{
    const terrain__runoff *runoff = call->job;
    const uint32_t end = terrain__band_end(&runoff->wave.bands, index);
    if (index == 0) {
        runoff_clear_row(runoff, -1);
    }
    for (uint32_t row = terrain__band_begin(&runoff->wave.bands, index); row < end; row++) {
        runoff_clear_row(runoff, row);
        memcpy(terrain__runoff_row(runoff, row), call->map.cells + row * call->map.stride,
               call->map.width * sizeof(float));
        if (runoff->iterations > 0) {
            runoff->rain(call, row);
        }
    }
    if (end == runoff->wave.bands.rows) {
        runoff_clear_row(runoff, end);
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

static void runoff_band(terrain__call *call, uint32_t index)
{
    const terrain__runoff *runoff = call->job;
    wave_band(call, &runoff->wave, index, runoff_step);
}

static void runoff_border(terrain__call *call, uint32_t index)
{
    const terrain__runoff *runoff = call->job;
    wave_border(call, &runoff->wave, index, runoff_step);
}

/* ---- Out ------------------------------------------------------------------------------------ */

/* A row of an output, or NULL. */
static float *runoff_output(const terrain__call *call, uint32_t offset, uint32_t row)
{
    terrain__plane plane = terrain__output(call, offset);
    return plane.cells == NULL ? NULL : plane.cells + row * plane.stride;
}

/* Everything in the water settles. The map may be the target: its height is read first. */
static void runoff_finish_row(terrain__call *call, uint32_t row)
{
    const terrain__runoff *runoff = call->job;
    const float *old = call->map.cells + row * call->map.stride;
    float *heights = call->target.cells + row * call->target.stride;
    float *eroded = runoff_output(call, runoff->eroded, row);
    float *deposited = runoff_output(call, runoff->deposited, row);
    float *depth = runoff_output(call, runoff->depth, row);
    const float *ground = terrain__runoff_row(runoff, row);
    const float *water = ground + TERRAIN__RUNOFF_WATER * runoff->plane;
    for (uint32_t x = 0; x < call->target.width; x++) {
        float before = old[x];
        float after =
            ground[x] + (runoff->sediment != NULL ? runoff->sediment(call, ground, x) : 0);
        if (eroded != NULL) {
            eroded[x] = before > after ? before - after : 0;
        }
        if (deposited != NULL) {
            deposited[x] = after > before ? after - before : 0;
        }
        if (depth != NULL) {
            depth[x] = water[x];
        }
        heights[x] = runoff->iterations > 0 ? after : before;
    }
}

static void runoff_finish(terrain__call *call, uint32_t index)
{
    const terrain__runoff *runoff = call->job;
    const uint32_t end = terrain__band_end(&runoff->wave.bands, index);
    for (uint32_t row = terrain__band_begin(&runoff->wave.bands, index); row < end; row++) {
        runoff_finish_row(call, row);
    }
}

terrain_status terrain__runoff_run(terrain__call *call)
{
    terrain__runoff *runoff = call->job;
    const uint32_t bands = runoff->wave.bands.count;
    terrain_status status = terrain__run(call, bands, runoff_begin);
    if (status == TERRAIN_SUCCESS) {
        status = wave_run(call, &runoff->wave, runoff->iterations, runoff_band, runoff_border);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, bands, runoff_finish) : status;
}
