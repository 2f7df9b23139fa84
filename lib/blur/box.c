/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur_box: the mean over a square window, at a cost that hardly grows with it.
 *
 * Across, each cell's window is summed as a tree of sums of 1, 4, 16, … cells. Down, sums in double run
 * over blocks of rows as long as the window, from the block's begin and from its end (van Herk, "A fast
 * algorithm for local minimum and maximum filters on rectangular and octagonal kernels", 1992); blocks
 * are anchored to world coordinates. Neither way anything is ever taken off a sum again: what is not in
 * the window leaves no trace, be it NaN, infinite or huge. */

#include <string.h>

#include "blur/box_kernels.h"
#include "core/border.h"
#include "core/operation.h"
#include "terrain/blur.h"

typedef terrain_blur_box_params box_params;

static const terrain_parameter box_parameters[] = {
    TERRAIN__MASK(box_params),
    TERRAIN__FLOAT(box_params, radius, "cells", 2, 0, 1024,
                   "The window is 2 radius + 1 cells wide; its outermost cells may count in part."),
    TERRAIN__ENUM(box_params, border, TERRAIN_BORDER_CLAMP, terrain__border_names,
                  "What lies beyond the edge of a bounded map."),
};

struct box_job {
    struct box_window window;
    uint32_t reach;
    terrain__bands strips; /* of columns */
    uint32_t ring_rows;
    terrain__plane seams;  /* for each row of the map 2 reach cells at each seam */
    terrain__plane ring;   /* for each strip the last rows that were averaged across */
    terrain__plane beyond; /* for each strip the rows beyond a wrapped edge */
    terrain__plane edged;  /* for each strip a row with what lies on both sides of it */
    terrain__plane work;   /* for each strip its sums, a row for each digit */
    const float **rows;    /* for each strip where each row is, from -reach to height + reach */
    const float *zeros;    /* a row beyond an open border */
    double *inverse;       /* 1 / what counts, for each row */
    double *sums;          /* for each strip a block */
};

static struct box_window box_window_of(const void *params)
{
    const box_params *p = params;
    struct box_window window = {.half = (uint32_t)p->radius};
    window.fraction = p->radius - (float)window.half;
    window.inverse = 1 / ((float)(2 * window.half + 1) + 2 * window.fraction);
    return window;
}

static uint32_t box_reach(const struct box_window *window)
{
    return window->half + (window->fraction > 0);
}

/* All that counts in a window, were it whole. */
static double box_whole(const struct box_window *window)
{
    return (double)(2 * window->half + 1) + 2 * (double)window->fraction;
}

static uint32_t box_halo(const void *params)
{
    struct box_window window = box_window_of(params);
    return box_reach(&window);
}

/* What of the window around cell i lies within a row of count cells. */
static double box_inside(const struct box_window *window, int64_t i, int64_t count)
{
    int64_t half = window->half;
    int64_t first = i - half > 0 ? i - half : 0;
    int64_t last = i + half < count - 1 ? i + half : count - 1;
    double ends = (double)((i - half > 0) + (i + half < count - 1));
    return (double)(last - first + 1) + ends * (double)window->fraction;
}

/* ---- Strips ---------------------------------------------------------------------------------- */

/* The map is cut into strips of columns, one a task. A strip averages its rows across into a ring of
 * rows and from there down into the target, which may be the map: the ring stays in the cache, and no
 * sum is made twice. What a row needs of the columns beyond the strip is saved beforehand. Strips are
 * wide enough for that to be little. */
static terrain__bands box_strips(uint32_t width, uint32_t reach)
{
    uint32_t least = 8 * reach > 1024 ? 8 * reach : 1024;
    uint32_t even = width / TERRAIN__MAXIMUM_TASKS + 1;
    least = even > least ? even : least;
    least = (least + BOX_COLUMNS - 1) / BOX_COLUMNS * BOX_COLUMNS;
    return terrain__bands_of(width, least);
}

/* Whether the columns around seam `seam` must be saved. At the map's own edges the strip has what it
 * needs, unless that is another strip's. */
static bool box_has_seam(const terrain__call *call, uint32_t seam)
{
    const box_params *p = call->params;
    const struct box_job *job = call->job;
    const terrain__bands *strips = &job->strips;
    bool elsewhere = p->border == TERRAIN_BORDER_MIRROR || p->border == TERRAIN_BORDER_WRAP;
    return (seam > 0 && seam < strips->count) || (elsewhere && strips->count > 1);
}

static terrain__bands box_bands(uint32_t rows)
{
    return terrain__bands_of(rows, 16);
}

static void box_seam_band(terrain__call *call, uint32_t index)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    const terrain__bands *strips = &job->strips;
    terrain__bands bands = box_bands(call->map.height);
    uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        const float *row = call->map.cells + y * call->map.stride;
        float *saved = job->seams.cells + y * job->seams.stride;
        for (uint32_t seam = 0; seam <= strips->count; seam++) {
            int64_t x = seam < strips->count ? terrain__band_begin(strips, seam) : strips->rows;
            if (box_has_seam(call, seam)) {
                terrain__border_row(saved + (size_t)seam * 2 * job->reach, x - (int64_t)job->reach,
                                    2 * job->reach, row, call->map.width, p->border);
            }
        }
    }
}

/* ---- Across ---------------------------------------------------------------------------------- */

/* The mean of cells first to last, and of the fraction of those before and after, where they exist. */
static float box_open_mean(const struct box_window *window, const float *row, int64_t width,
                           int64_t x, double sum)
{
    int64_t before = x - (int64_t)window->half - 1;
    int64_t after = x + (int64_t)window->half + 1;
    double ends = 0;
    if (window->fraction != 0) {
        ends = before >= 0 ? (double)row[before] : 0;
        ends += after < width ? (double)row[after] : 0;
    }
    return (float)((sum + (double)window->fraction * ends) / box_inside(window, x, width));
}

/* Beside an open border: the sum of what lies inside runs on from cell to cell, from the edge. row[0]
 * is the map's first cell, target[0] that of the strip's first. */
static void box_open_edges(const terrain__call *call, float *target, const float *row,
                           int64_t begin, int64_t end)
{
    const struct box_job *job = call->job;
    const struct box_window *window = &job->window;
    int64_t width = call->map.width;
    int64_t half = window->half;
    int64_t reach = job->reach;
    int64_t left = reach < end ? reach : end;
    double sum = 0;
    int64_t next = 0;
    for (int64_t x = begin; x < left; x++) {
        for (; next <= x + half && next < width; next++) {
            sum += (double)row[next];
        }
        target[x - begin] = box_open_mean(window, row, width, x, sum);
    }
    sum = 0;
    next = width - 1;
    for (int64_t x = end - 1; x >= begin && x >= reach && x >= width - reach; x--) {
        for (; next >= x - half; next--) {
            sum += (double)row[next];
        }
        target[x - begin] = box_open_mean(window, row, width, x, sum);
    }
}

/* A row of the strip with `reach` cells on both sides of it. */
static void box_edge(const terrain__call *call, uint32_t index, uint32_t y, float *edged)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    const terrain__bands *strips = &job->strips;
    uint32_t width = call->map.width;
    uint32_t reach = job->reach;
    uint32_t begin = terrain__band_begin(strips, index);
    uint32_t end = terrain__band_end(strips, index);
    const float *row = call->map.cells + y * call->map.stride;
    size_t saved = y * job->seams.stride + (size_t)index * 2 * reach;
    float *after = edged + reach + (end - begin);
    if (box_has_seam(call, index)) {
        memcpy(edged, job->seams.cells + saved, reach * sizeof *edged);
    } else {
        terrain__border_row(edged, -(int64_t)reach, reach, row, width, p->border);
    }
    memcpy(edged + reach, row + begin, (end - begin) * sizeof *edged);
    if (box_has_seam(call, index + 1)) {
        memcpy(after, job->seams.cells + saved + 3 * (size_t)reach, reach * sizeof *edged);
    } else {
        terrain__border_row(after, width, reach, row, width, p->border);
    }
}

/* A strip's rows are too short for the processor to foresee the next one. */
static void box_expect_row(const terrain__call *call, uint32_t begin, uint32_t end, uint32_t y)
{
#if defined(__GNUC__)
    for (uint32_t x = begin; y < call->map.height && x < end; x += 16) {
        __builtin_prefetch(call->map.cells + y * call->map.stride + x);
    }
#else
    (void)call, (void)begin, (void)end, (void)y;
#endif
}

/* Row y of the map, averaged across. */
static void box_across_row(const terrain__call *call, uint32_t index, uint32_t y, float *target)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    const struct box_kernels *kernels = terrain__box_kernels(call->isa);
    const terrain__bands *strips = &job->strips;
    uint32_t begin = terrain__band_begin(strips, index);
    uint32_t end = terrain__band_end(strips, index);
    float *edged = job->edged.cells + index * job->edged.stride;
    float *work = job->work.cells + index * (BOX_MAXIMUM_DIGITS - 1) * job->work.stride;
    box_expect_row(call, begin, end, y + 2);
    box_edge(call, index, y, edged);
    kernels->across(target, edged + (job->window.fraction > 0), work, end - begin, &job->window);
    if (p->border == TERRAIN_BORDER_OPEN) {
        box_open_edges(call, target, edged + job->reach - begin, begin, end);
    }
}

/* ---- Down ------------------------------------------------------------------------------------ */

static float *box_ring_row(const struct box_job *job, uint32_t index, uint32_t y)
{
    size_t slot = (size_t)index * job->ring_rows + y % job->ring_rows;
    return job->ring.cells + slot * job->ring.stride;
}

/* Where the strip finds each row, from -reach on. Rows that stand for those beyond the edge are still, or already, in
 * the ring when they are needed; but for the far end of a wrapped map, which is averaged in advance. */
static const float **box_find_rows(const terrain__call *call, uint32_t index)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    uint32_t height = call->map.height;
    uint32_t reach = job->reach;
    size_t count = (size_t)height + 2 * reach;
    const float **rows = job->rows + index * count;
    for (size_t i = 0; i < count; i++) {
        int64_t y = terrain__border_cell((int64_t)i - (int64_t)reach, height, p->border);
        rows[i] = y < 0 ? job->zeros : box_ring_row(job, index, (uint32_t)y);
    }
    for (uint32_t i = 0; job->beyond.cells != NULL && i < 2 * reach; i++) {
        size_t row = i < reach ? i : height + (size_t)i;
        float *beyond = job->beyond.cells + ((size_t)index * 2 * reach + i) * job->beyond.stride;
        box_across_row(call, index, i < reach ? height - reach + i : i - reach, beyond);
        rows[row] = beyond;
    }
    return rows;
}

static void box_strip(terrain__call *call, uint32_t index)
{
    const struct box_job *job = call->job;
    const struct box_kernels *kernels = terrain__box_kernels(call->isa);
    const terrain__bands *strips = &job->strips;
    uint32_t column = terrain__band_begin(strips, index);
    uint32_t columns = terrain__band_end(strips, index) - column;
    uint32_t height = call->target.height;
    uint32_t half = job->window.half;
    uint32_t length = 2 * half + 1;
    double *sums = job->sums + (size_t)index * length * BOX_COLUMNS;
    const float **rows = box_find_rows(call, index);
    uint32_t next = 0;
    for (uint32_t y = 0; y < height;) {
        int64_t first = call->y + (int64_t)y - (int64_t)half;
        uint32_t tail = length - (uint32_t)terrain__floor_mod(first, length);
        uint32_t count = tail < height - y ? tail : height - y;
        uint32_t needed = y + count + job->reach;
        needed = needed < height && job->ring_rows < height ? needed : height;
        for (; next < needed; next++) {
            box_across_row(call, index, next, box_ring_row(job, index, next));
        }
        kernels->down(call->target.cells + y * call->target.stride + column, call->target.stride,
                      rows + job->reach + y - half, tail, count, columns, job->inverse + y,
                      &job->window, sums);
        y += count;
    }
}

/* ---- A call ---------------------------------------------------------------------------------- */

static void box_prepare_inverse(terrain__call *call)
{
    struct box_job *job = call->job;
    const box_params *p = call->params;
    bool open = p->border == TERRAIN_BORDER_OPEN;
    for (uint32_t y = 0; y < call->map.height; y++) {
        job->inverse[y] =
            1 / (open ? box_inside(&job->window, y, call->map.height) : box_whole(&job->window));
    }
}

static terrain_status box_prepare(terrain__call *call)
{
    const box_params *p = call->params;
    struct box_job *job = call->job;
    uint32_t height = call->map.height;
    uint32_t strips;
    uint32_t columns;
    uint32_t length;
    uint32_t reach;
    job->window = box_window_of(p);
    job->reach = reach = box_reach(&job->window);
    if (reach == 0) {
        return TERRAIN_SUCCESS;
    }
    job->strips = box_strips(call->map.width, reach);
    strips = job->strips.count;
    columns = job->strips.rows_per_band;
    columns = columns < call->map.width ? columns : call->map.width;
    length = 2 * job->window.half + 1;
    job->ring_rows = 2 * length + 2 < height ? 2 * length + 2 : height;
    if (strips > 1) {
        job->seams = terrain__scratch_plane(call, (strips + 1) * 2 * reach, height);
    }
    job->ring = terrain__scratch_plane(call, columns, strips * job->ring_rows);
    job->edged = terrain__scratch_plane(call, columns + 2 * reach + 64, strips);
    job->work =
        terrain__scratch_plane(call, columns + 2 * reach + 64, strips * (BOX_MAXIMUM_DIGITS - 1));
    job->sums = terrain__scratch(call, (size_t)strips * length, BOX_COLUMNS * sizeof *job->sums);
    job->rows = terrain__scratch(call, strips * ((size_t)height + 2 * reach), sizeof *job->rows);
    job->inverse = terrain__scratch(call, height, sizeof *job->inverse);
    if (p->border == TERRAIN_BORDER_WRAP && job->ring_rows < height) {
        job->beyond = terrain__scratch_plane(call, columns, strips * 2 * reach);
    }
    if (p->border == TERRAIN_BORDER_OPEN) {
        float *zeros = terrain__scratch(call, columns, sizeof *zeros);
        if (zeros != NULL) {
            memset(zeros, 0, columns * sizeof *zeros);
        }
        job->zeros = zeros;
    }
    if (job->inverse != NULL) {
        box_prepare_inverse(call);
    }
    terrain__expect_passes(call, 2);
    terrain__commit_cost(call, 1);
    return TERRAIN_SUCCESS;
}

static void box_copy_band(terrain__call *call, uint32_t index)
{
    terrain__bands bands = box_bands(call->target.height);
    uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        memmove(call->target.cells + y * call->target.stride,
                call->map.cells + y * call->map.stride, call->target.width * sizeof(float));
    }
}

static terrain_status box_run(terrain__call *call)
{
    const struct box_job *job = call->job;
    uint32_t bands = box_bands(call->map.height).count;
    uint32_t strips = job->strips.count;
    terrain_status status = TERRAIN_SUCCESS;
    if (job->reach == 0) {
        return terrain__commit(call, bands, box_copy_band);
    }
    if (strips > 1) {
        status = terrain__run(call, bands, box_seam_band);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, strips, box_strip) : status;
}

const terrain_operation terrain__blur_box = {
    .key = TERRAIN__KEY_BLUR_BOX,
    .result_version = 1,
    .name = "blur_box",
    .verb = "blur",
    .summary = "Takes the mean over a square window.",
    .reference = "van Herk, A fast algorithm for local minimum and maximum filters on rectangular "
                 "and octagonal kernels, 1992",
    .signature = TERRAIN_SIGNATURE_IN_PLACE,
    .params_size = sizeof(box_params),
    TERRAIN__PARAMETERS(box_parameters),
    .job_size = sizeof(struct box_job),
    .halo = box_halo,
    .prepare = box_prepare,
    .run = box_run,
};

terrain_status terrain_blur_box_params_init(terrain_blur_box_params *params, size_t size)
{
    return terrain_operation_params_init(&terrain__blur_box, params, size);
}

terrain_status terrain_blur_box(terrain_context *context, terrain_heightmap *map,
                                const terrain_blur_box_params *params)
{
    return terrain__apply(context, &terrain__blur_box, map, NULL, 0, params);
}
