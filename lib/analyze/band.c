/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze_band: a mask of the cells whose height, or slope, or whatever the map holds, is in a
 * range. */

#include "analyze/band_kernels.h"
#include "rows/rows.h"
#include "terrain/analyze.h"
#include "vector/stream_kernels.h"

typedef terrain_analyze_band_params band_params;

static const terrain_parameter band_parameters[] = {
    TERRAIN__FLOAT(band_params, low, "height", 0, -TERRAIN__INFINITY, TERRAIN__INFINITY,
                   "The lower end of the range."),
    TERRAIN__FLOAT(band_params, high, "height", TERRAIN__INFINITY, -TERRAIN__INFINITY,
                   TERRAIN__INFINITY, "The upper end of the range."),
    TERRAIN__FLOAT(band_params, falloff, "height", 4, 0, 1e30,
                   "The distance beyond an end of the range over which the mask falls to 0."),
};

static const char *band_check(const void *params)
{
    const band_params *p = params;
    return p->low > p->high ? "low must not be above high" : NULL;
}

/* In a large map, some hundred cells at a time go past the caches, in whole lines. */
static void band_commit_row(terrain__call *call, uint32_t task, uint32_t y)
{
    enum { PART = 256, LINE = 64 / sizeof(float) };
    const struct band_kernels *kernels = terrain__band_kernels(call->isa);
    const struct stream_kernels *stream = terrain__stream_kernels(call->isa);
    const band_params *p = call->params;
    const struct band_range range = {p->low, p->high, p->falloff,
                                     p->falloff > 0 ? 1 / p->falloff : 0};
    const float *source = terrain__map_row(call, y);
    const float *soon = source + (y + 1 < call->map.height ? call->map.stride : 0);
    float *target = terrain__target_row(call, y);
    const uint32_t width = call->target.width;
    float part[PART];
    (void)task;
    if (target == source || !terrain__should_stream(width, call->target.height)) {
        kernels->row(target, source, width, &range, soon);
        return;
    }
    uint32_t count = PART - (uint32_t)((uintptr_t)target / sizeof *target % LINE);
    for (uint32_t x = 0; x < width; x += count, count = PART) {
        count = count < width - x ? count : width - x;
        kernels->row(part, source + x, count, &range, soon + x);
        stream->row(target + x, part, count);
    }
    stream->done();
}

static terrain_status band_run(terrain__call *call)
{
    return terrain__commit_rows(call, band_commit_row);
}

const terrain_operation terrain__analyze_band = {
    TERRAIN__IDENTITY(analyze, band),
    .result_version = 1,
    .summary = "A mask of the cells in a range, with soft ends.",
    .reference = "",
    .arguments = {TERRAIN__READ(map), TERRAIN__WRITE(result)},
    .params_size = sizeof(band_params),
    TERRAIN__PARAMETERS(band_parameters),
    .check = band_check,
    .run = band_run,
};

TERRAIN__PUBLIC_ANALYZE(analyze_band)
