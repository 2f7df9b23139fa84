/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur_box: the mean over a square window, at a cost that hardly grows with it.
 *
 * Up to BOX_DIRECT cells on either side are added one by one, in float, across and then down.
 * Beyond, across, each cell's window is summed as a tree: of sums of 1, 4, … cells in float below
 * BOX_WIDE, of 1, 2, 4, 8, … cells in double from there on. Down, sums in double run over blocks of
 * rows as long as the window, from the block's begin and from its end (van Herk, "A fast algorithm
 * for local minimum and maximum filters on rectangular and octagonal kernels", 1992); blocks are
 * anchored to world coordinates. Neither way anything is ever taken off a sum again: what is not in
 * the window leaves no trace, be it NaN, infinite or huge.
 *
 * Where all sums of a wide window are exact in double, as they are unless the heights of a row are
 * 2^17 to 2^24 times apart, the order does not matter. Then a sum runs on from window to window
 * instead, which takes a time that does not depend on the radius, and gives the same to the last
 * bit. */

#include <string.h>

#include "blur/box_kernels.h"
#include "blur/strips.h"
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
    struct terrain__strips strips;
    uint32_t ring_rows;
    terrain__plane ring;   /* for each strip the last rows that were averaged across */
    terrain__plane beyond; /* for each strip the rows beyond a wrapped edge */
    terrain__plane edged;  /* for each strip a row with what lies on both sides of it */
    terrain__plane work;   /* for each strip its sums, a row for each digit */
    terrain__plane sides;  /* for each strip what lies on both sides of BOX_GROUP rows */
    terrain__plane turned; /* for each strip those rows, turned */
    const float **rows;    /* for each strip where each row is, from -reach to height + reach */
    const float *zeros;    /* a row beyond an open border */
    size_t trees_stride;
    double *trees;   /* for each strip two such groups in double */
    double *inverse; /* 1 / what counts, for each row */
    double *sums;    /* for each strip a block */
};

static struct box_window box_window_of(const void *params)
{
    const box_params *p = params;
    struct box_window window = {.half = (uint32_t)p->radius};
    window.fraction = p->radius - (float)window.half;
    window.inverse = 1 / ((float)(2 * window.half + 1) + 2 * window.fraction);
    window.exact_inverse = 1 / ((double)(2 * window.half + 1) + 2 * (double)window.fraction);
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

/* The map is cut into strips of columns, one a task. A strip averages its rows across into a ring
 * of rows and from there down into the target, which may be the map: the ring stays in the cache,
 * and no sum is made twice. What a row needs of the columns beyond the strip is saved beforehand.
 * Strips are wide enough for that to be little. */
static terrain__bands box_strips(uint32_t width, uint32_t reach)
{
    uint32_t least = 8 * reach > 1024 ? 8 * reach : 1024;
    uint32_t even = width / TERRAIN__MAXIMUM_TASKS + 1;
    least = even > least ? even : least;
    least = (least + BOX_COLUMNS - 1) / BOX_COLUMNS * BOX_COLUMNS;
    return terrain__bands_of(width, least);
}

static terrain__bands box_bands(uint32_t rows)
{
    return terrain__bands_of(rows, 16);
}

static void box_seam_band(terrain__call *call, uint32_t index)
{
    const struct box_job *job = call->job;
    terrain__bands bands = box_bands(call->map.height);
    terrain__strips_save(call, &job->strips, terrain__band_begin(&bands, index),
                         terrain__band_end(&bands, index));
}

/* ---- Across ---------------------------------------------------------------------------------- */

/* A piece of a row of the map, from cell `first` on. */
struct box_row {
    const float *cells;
    int64_t first;
    uint32_t step;
};

static double box_cell(const struct box_row *row, int64_t x)
{
    return (double)row->cells[(x - row->first) * (int64_t)row->step];
}

/* The mean of cells first to last, and of the fraction of those before and after, where they
 * exist. */
static float box_open_mean(const struct box_window *window, const struct box_row *row,
                           int64_t width, int64_t x, double sum)
{
    int64_t before = x - (int64_t)window->half - 1;
    int64_t after = x + (int64_t)window->half + 1;
    double ends = 0;
    if (window->fraction != 0) {
        ends = before >= 0 ? box_cell(row, before) : 0;
        ends += after < width ? box_cell(row, after) : 0;
    }
    return (float)((sum + (double)window->fraction * ends) / box_inside(window, x, width));
}

/* Beside an open border: the sum of what lies inside runs on from cell to cell, from the edge.
 * `edged` is the strip's row with `reach` cells before it, `step` apart. */
static void box_open_edges(const terrain__call *call, float *target, const float *edged,
                           uint32_t step, int64_t begin, int64_t end)
{
    const struct box_job *job = call->job;
    const struct box_row row = {edged, begin - (int64_t)job->reach, step};
    int64_t width = call->map.width;
    int64_t half = job->window.half;
    int64_t reach = job->reach;
    int64_t left = reach < end ? reach : end;
    double sum = 0;
    int64_t next = 0;
    for (int64_t x = begin; x < left; x++) {
        for (; next <= x + half && next < width; next++) {
            sum += box_cell(&row, next);
        }
        target[x - begin] = box_open_mean(&job->window, &row, width, x, sum);
    }
    sum = 0;
    next = width - 1;
    for (int64_t x = end - 1; x >= begin && x >= reach && x >= width - reach; x--) {
        for (; next >= x - half; next--) {
            sum += box_cell(&row, next);
        }
        target[x - begin] = box_open_mean(&job->window, &row, width, x, sum);
    }
}

/* The `reach` cells of row y before the strip (side 0) or after it (1). */
static void box_side(const terrain__call *call, uint32_t index, uint32_t y, uint32_t side,
                     float *cells)
{
    const struct box_job *job = call->job;
    terrain__strips_side(call, &job->strips, index, y, call->map.cells + y * call->map.stride, side,
                         cells);
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

/* Row y of the map, averaged across a narrow window. */
static void box_across_row(const terrain__call *call, uint32_t index, uint32_t y, float *target)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    const struct box_kernels *kernels = terrain__box_kernels(call->isa);
    uint32_t reach = job->reach;
    uint32_t begin = terrain__band_begin(&job->strips.bands, index);
    uint32_t end = terrain__band_end(&job->strips.bands, index);
    float *edged = job->edged.cells + index * job->edged.stride;
    float *work = job->work.cells + index * (BOX_MAXIMUM_DIGITS - 1) * job->work.stride;
    const float *row = call->map.cells + y * call->map.stride + begin;
    box_expect_row(call, begin, end, y + 2);
    box_side(call, index, y, 0, edged);
    memcpy(edged + reach, row, (end - begin) * sizeof *edged);
    box_side(call, index, y, 1, edged + reach + (end - begin));
    if (job->window.half <= BOX_DIRECT) {
        const float *cells[2 * BOX_DIRECT + 3];
        for (uint32_t k = 0; k < 2 * reach + 1; k++) {
            cells[k] = edged + k;
        }
        kernels->direct(target, cells + (reach - job->window.half), end - begin, &job->window);
    } else {
        kernels->across(target, edged + (reach - job->window.half), work, end - begin,
                        &job->window);
    }
    if (p->border == TERRAIN_BORDER_OPEN) {
        box_open_edges(call, target, edged, 1, begin, end);
    }
}

/* BOX_GROUP rows of the strip, turned, with `reach` columns on both sides of it. The last of
 * `count` rows stands for those that are missing. */
static void box_turn_rows(const terrain__call *call, uint32_t index, uint32_t y, uint32_t count,
                          float *turned, struct box_spans *spans)
{
    const struct box_job *job = call->job;
    const struct box_kernels *kernels = terrain__box_kernels(call->isa);
    uint32_t reach = job->reach;
    uint32_t begin = terrain__band_begin(&job->strips.bands, index);
    uint32_t columns = terrain__band_end(&job->strips.bands, index) - begin;
    float *sides = job->sides.cells + (size_t)index * BOX_GROUP * job->sides.stride;
    const float *before[BOX_GROUP];
    const float *rows[BOX_GROUP];
    const float *after[BOX_GROUP];
    for (uint32_t k = 0; k < BOX_GROUP; k++) {
        uint32_t row = y + (k < count ? k : count - 1);
        float *side = sides + k * job->sides.stride;
        box_side(call, index, row, 0, side);
        box_side(call, index, row, 1, side + reach);
        box_expect_row(call, begin, begin + columns, row + BOX_GROUP);
        before[k] = side;
        after[k] = side + reach;
        rows[k] = call->map.cells + row * call->map.stride + begin;
        spans->least[k] = UINT32_MAX;
        spans->most[k] = 0;
    }
    kernels->turn(turned, spans, before, reach);
    turned += (size_t)reach * BOX_GROUP;
    kernels->turn(turned, spans, rows, columns);
    turned += (size_t)columns * BOX_GROUP;
    kernels->turn(turned, spans, after, reach);
}

/* Whether all sums of up to 2 half + 2 cells of a row are exact in double. The cells are below
 * 2^(high - 126) and multiples of 2^(low - 150), by their biased exponents; sums may have 53
 * bits. */
static bool box_is_exact(const struct box_spans *spans, uint32_t half)
{
    uint32_t bits = 1;
    bool exact = true;
    while ((UINT32_C(1) << bits) < 2 * half + 2) {
        bits++;
    }
    for (uint32_t k = 0; k < BOX_GROUP; k++) {
        uint32_t high = spans->most[k] >> 24;
        uint32_t low = (spans->least[k] + 1) >> 24;
        bool level = spans->least[k] == UINT32_MAX;
        low = low > 1 ? low : 1;
        exact = exact && (level || (high < 255 && high + bits <= low + 29));
    }
    return exact;
}

/* Rows y to y + count - 1 of the map, averaged across a wide window. */
static void box_across_group(const terrain__call *call, uint32_t index, uint32_t y, uint32_t count,
                             float *const *targets)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    const struct box_kernels *kernels = terrain__box_kernels(call->isa);
    uint32_t begin = terrain__band_begin(&job->strips.bands, index);
    uint32_t end = terrain__band_end(&job->strips.bands, index);
    float *turned = job->turned.cells + index * job->turned.stride;
    const float *source = turned + (job->window.fraction > 0 ? BOX_GROUP : 0);
    struct box_spans spans;
    float *all[BOX_GROUP];
    for (uint32_t k = 0; k < BOX_GROUP; k++) {
        all[k] = targets[k < count ? k : count - 1];
    }
    box_turn_rows(call, index, y, count, turned, &spans);
    if (box_is_exact(&spans, job->window.half)) {
        kernels->slide(all, source, end - begin, &job->window);
    } else {
        kernels->add(all, source, job->trees + index * job->trees_stride, end - begin,
                     &job->window);
    }
    for (uint32_t k = 0; p->border == TERRAIN_BORDER_OPEN && k < count; k++) {
        box_open_edges(call, targets[k], turned + k, BOX_GROUP, begin, end);
    }
}

/* Up to BOX_GROUP rows of the map from y on, averaged across. */
static void box_across_rows(const terrain__call *call, uint32_t index, uint32_t y, uint32_t count,
                            float *const *targets)
{
    const struct box_job *job = call->job;
    if (job->window.half >= BOX_WIDE) {
        box_across_group(call, index, y, count, targets);
        return;
    }
    for (uint32_t k = 0; k < count; k++) {
        box_across_row(call, index, y + k, targets[k]);
    }
}

/* ---- Down ------------------------------------------------------------------------------------ */

static float *box_ring_row(const struct box_job *job, uint32_t index, uint32_t y)
{
    size_t slot = (size_t)index * job->ring_rows + y % job->ring_rows;
    return job->ring.cells + slot * job->ring.stride;
}

/* `reach` rows of the map from y on, which stand beyond a wrapped edge. */
static void box_average_beyond(const terrain__call *call, uint32_t index, const float **rows,
                               uint32_t y)
{
    const struct box_job *job = call->job;
    uint32_t reach = job->reach;
    size_t first = ((size_t)index * 2 + (y == 0)) * reach;
    for (uint32_t i = 0; i < reach; i += BOX_GROUP) {
        uint32_t count = reach - i < BOX_GROUP ? reach - i : BOX_GROUP;
        float *targets[BOX_GROUP];
        for (uint32_t k = 0; k < count; k++) {
            rows[i + k] = targets[k] = job->beyond.cells + (first + i + k) * job->beyond.stride;
        }
        box_across_rows(call, index, y + i, count, targets);
    }
}

/* Where the strip finds each row, from -reach on. Rows that stand for those beyond the edge are
 * still, or already, in the ring when they are needed; but for the far end of a wrapped map, which
 * is averaged in advance. */
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
    if (job->beyond.cells != NULL) {
        box_average_beyond(call, index, rows, height - reach);
        box_average_beyond(call, index, rows + height + reach, 0);
    }
    return rows;
}

/* Averages the next rows into the ring, which may be more than are needed yet; returns how many. */
static uint32_t box_fill_ring(const terrain__call *call, uint32_t index, uint32_t y)
{
    const struct box_job *job = call->job;
    uint32_t left = call->map.height - y;
    uint32_t count = left < BOX_GROUP ? left : BOX_GROUP;
    float *targets[BOX_GROUP];
    for (uint32_t k = 0; k < count; k++) {
        targets[k] = box_ring_row(job, index, y + k);
    }
    box_across_rows(call, index, y, count, targets);
    return count;
}

/* Rows y to y + count - 1 of the strip; the block ends after `tail` rows. */
static void box_down_rows(const terrain__call *call, uint32_t index, const float *const *rows,
                          uint32_t y, uint32_t tail, uint32_t count)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    const struct box_kernels *kernels = terrain__box_kernels(call->isa);
    uint32_t begin = terrain__band_begin(&job->strips.bands, index);
    uint32_t columns = terrain__band_end(&job->strips.bands, index) - begin;
    size_t stride = call->target.stride;
    double *sums = job->sums + (size_t)index * (2 * job->window.half + 1) * BOX_COLUMNS;
    float *target = call->target.cells + y * stride + begin;
    rows += job->reach - job->window.half;
    if (job->window.half > BOX_DIRECT) {
        kernels->down(target, stride, rows + y, tail, count, columns, job->inverse + y,
                      &job->window, sums);
        return;
    }
    for (uint32_t end = y + count; y < end; y++, tail--, target += stride) {
        bool edge = y < job->reach || call->map.height - 1 - y < job->reach;
        if (edge && p->border == TERRAIN_BORDER_OPEN) {
            kernels->down(target, stride, rows + y, tail, 1, columns, job->inverse + y,
                          &job->window, sums);
        } else {
            kernels->direct(target, rows + y, columns, &job->window);
        }
    }
}

static void box_strip(terrain__call *call, uint32_t index)
{
    const struct box_job *job = call->job;
    uint32_t height = call->target.height;
    uint32_t half = job->window.half;
    uint32_t length = 2 * half + 1;
    const float **rows = box_find_rows(call, index);
    uint32_t next = 0;
    for (uint32_t y = 0; y < height;) {
        int64_t first = call->y + (int64_t)y - (int64_t)half;
        uint32_t tail = length - (uint32_t)terrain__floor_mod(first, length);
        uint32_t count = tail < height - y ? tail : height - y;
        uint32_t needed = y + count + job->reach;
        needed = needed < height && job->ring_rows < height ? needed : height;
        while (next < needed) {
            next += box_fill_ring(call, index, next);
        }
        box_down_rows(call, index, rows, y, tail, count);
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

/* What averaging across needs, for strips of up to so many columns. */
static void box_prepare_across(terrain__call *call, uint32_t columns)
{
    struct box_job *job = call->job;
    uint32_t strips = job->strips.bands.count;
    uint32_t width = columns + 2 * job->reach + 64; /* kernels read some cells that don't count */
    if (job->window.half < BOX_WIDE) {
        job->edged = terrain__scratch_plane(call, width, strips);
        job->work = terrain__scratch_plane(call, width, strips * (BOX_MAXIMUM_DIGITS - 1));
    } else {
        job->sides = terrain__scratch_plane(call, 2 * job->reach, strips * BOX_GROUP);
        job->turned = terrain__scratch_plane(call, width * BOX_GROUP, strips);
        job->trees_stride = 2 * (size_t)width * BOX_GROUP;
        job->trees = terrain__scratch(call, strips * job->trees_stride, sizeof *job->trees);
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
    job->strips.bands = box_strips(call->map.width, reach);
    job->strips.reach = reach;
    job->strips.border = p->border;
    strips = job->strips.bands.count;
    columns = job->strips.bands.rows_per_band;
    columns = columns < call->map.width ? columns : call->map.width;
    length = 2 * job->window.half + 1;
    job->ring_rows = 2 * length + 2 + BOX_GROUP < height ? 2 * length + 2 + BOX_GROUP : height;
    if (strips > 1) {
        terrain__strips_prepare(call, &job->strips);
    }
    job->ring = terrain__scratch_plane(call, columns, strips * job->ring_rows);
    box_prepare_across(call, columns);
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
    uint32_t strips = job->strips.bands.count;
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
