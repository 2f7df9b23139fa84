/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur_gaussian: the Gaussian filter, at a cost that does not grow with sigma.
 *
 * What is computed, along columns and then along rows, for sigma below 4:
 *
 *     m[x] = h[x] + sum over k = 1 ... radius of weights[k] * (d[x + k - 1] - d[x - k])
 *
 * with the differences d[x] = h[x + 1] - h[x], which neighbouring cells share; weights[k] is the
 * sum of the Gaussian's weights of all cells k or more away on one side. That is the sampled and
 * normalised Gaussian, written so that level ground stays level to the last bit. For a larger sigma
 * the map is halved a few times, filtered on the coarse grid with what is left of sigma, and
 * doubled again (Burt and Adelson, "The Laplacian pyramid as a compact image code", 1983):
 *
 *     level 0, the map     |               ^
 *                    halve v               | double      1 6 15 20 15 6 1: the binomial filter of
 *     level 1              |               ^             order 6, whose spread is taken off the
 *                    halve v               | double      coarse filter's
 *     level 2               ---> filter ---
 *
 * Coarse cell j lies at cell 2j of the finer grid, in world coordinates, so that all maps of a
 * world have the same grids. tests/oracle/gaussian.c has the filter without levels, in plain C.
 *
 * The way of the filter through a grid: bands of rows, a task for each, which may overwrite what
 * they read. On the map itself, a band is filtered in strips of columns, so narrow that their rows
 * of differences fit into the caches.
 *
 *     rows y - radius ... y + radius ->  a ring of differences from row to row
 *     rows y ... y + 3, differences  ->  down: 4 lines, which stay in the first-level cache
 *     a line, its differences        ->  across: row y of the target
 *     the end of a line              ->  kept, for the strip after this one
 *
 * How far the filter's impulse response k is from the sampled, normalised Gaussian g: the sum of |k
 * - g| / 2 over the plane, at the worst phase of the grids, computed in double from impulses:
 *
 *     sigma   0.5     1       2       3       3.99    4       5       6.39    6.4     8
 *     error   4.8e-8  6.0e-6  3.5e-5  5.7e-5  6.8e-5  9.4e-5  9.3e-5  3.5e-4  1.5e-4  4.7e-5
 *     sigma   9       12.79   12.8    20      25.6    51.2    100
 *     error   5.2e-5  3.0e-4  1.3e-4  6.2e-5  1.3e-4  1.2e-4  1.9e-4
 *
 * It is at most 9.5e-5 below sigma 4 and 3.5e-4 above (in steps of 0.01 to 4, 0.02 to 12.8, 0.5 to
 * 51.2). Most of the error comes from cutting off the filter's ends. With a binomial filter of
 * order 4 it would be 6.6e-4 at sigma 4; with halving from sigma 3 on, 4.2e-4 where the header
 * promises 1e-4. */

#include <string.h>

#include "base/math.h"
#include "blur/gaussian_kernels.h"
#include "core/choices.h"
#include "rows/rows.h"
#include "terrain/blur.h"

typedef terrain_blur_gaussian_params gaussian_params;

static const terrain_parameter gaussian_parameters[] = {
    TERRAIN__MASK(gaussian_params),
    TERRAIN__FLOAT(gaussian_params, sigma, "cells", 2, 0, 1024,
                   "Standard deviation of the Gaussian: features much smaller than this vanish."),
    TERRAIN__ENUM(gaussian_params, border, TERRAIN_BORDER_CLAMP, terrain__border,
                  "What lies beyond the edge of a bounded map."),
};

enum { GAUSSIAN_MOST_LEVELS = 9 };

/* ---- The filter ------------------------------------------------------------------------------ */

/* Halves the map `levels` times, then filters with `radius` cells on either side of the centre.
 * weights[k] is the sum of the weights of all cells k or more away on one side. */
struct gaussian_filter {
    uint32_t levels;
    uint32_t radius;
    float weights[GAUSSIAN_MOST_RADIUS + 1];
};

/* From a sigma of 4 cells on, halving is accurate enough. The next steps follow once sigma is 3.2
 * cells of the finer grid after them: further halving saves little, and its errors add up. */
static uint32_t gaussian_levels(double sigma)
{
    uint32_t levels = 0;
    double limit = 4;
    while (sigma >= limit) {
        levels++;
        limit = 3.2 * (double)(UINT32_C(1) << levels);
    }
    return levels;
}

/* A Gaussian of standard deviation `spread` with its fourth cumulant raised: phi(t) (1 + lambda
 * He4(t)), He4 the Hermite polynomial. */
static double gaussian_density(uint32_t cell, double spread, double lambda)
{
    double t = (double)cell / spread;
    double tt = t * t;
    return terrain__exp(-0.5 * tt) * (1 + lambda * (tt * tt - 6 * tt + 3));
}

/* Chooses the smallest radius that leaves out at most the share `loss` of the filter's sum over the
 * plane, and makes the weights. */
static void gaussian_cut(struct gaussian_filter *filter, double spread, double lambda, double loss)
{
    double density[GAUSSIAN_MOST_RADIUS + 1] = {1 + 3 * lambda};
    double total = density[0];
    double kept = density[0];
    double beyond = 0;
    for (uint32_t i = 1; i <= 2 + (uint32_t)(10 * spread); i++) {
        double value = gaussian_density(i, spread, lambda);
        total += 2 * value;
        if (i <= GAUSSIAN_MOST_RADIUS) {
            density[i] = value;
        }
    }
    filter->radius = 0;
    while (filter->radius < GAUSSIAN_MOST_RADIUS && 1 - (kept / total) * (kept / total) > loss) {
        filter->radius++;
        kept += 2 * density[filter->radius];
    }
    for (uint32_t i = filter->radius; i > 0; i--) {
        beyond += density[i];
        filter->weights[i] = (float)(beyond / kept);
    }
}

/* A binomial filter of order 6 on cells of size c has variance 1.5 c^2 and fourth cumulant -0.75
 * c^4. Two of them at each c = 1, 2, 4, … add up to 4^levels - 1 and -0.1 (16^levels - 1). The
 * coarse filter adds the rest of the variance, and cancels the fourth cumulant. */
static struct gaussian_filter gaussian_filter_of(const void *params)
{
    const gaussian_params *p = params;
    struct gaussian_filter filter = {.levels = 0};
    double sigma = (double)p->sigma;
    filter.levels = gaussian_levels(sigma);
    if (filter.levels == 0) {
        if (sigma > 0) {
            gaussian_cut(&filter, sigma, 0, 9.5e-5);
        }
        return filter;
    }
    double scale = 1 / (double)(UINT32_C(1) << (2 * filter.levels));
    double variance = sigma * sigma * scale - (1 - scale);
    gaussian_cut(&filter, terrain__sqrt(variance),
                 0.1 * (1 - scale * scale) / (24 * variance * variance), 3.5e-4);
    return filter;
}

/* ---- Which cells are needed ------------------------------------------------------------------ */

/* Cells begin <= i < end of one axis. */
struct gaussian_span {
    int64_t begin, end;
};

/* The coarse cells that the doubling of a span reads: those within 3 fine cells of it. */
static struct gaussian_span gaussian_coarse(struct gaussian_span fine)
{
    struct gaussian_span coarse = {terrain__floor_div(fine.begin - 2, 2),
                                   terrain__floor_div(fine.end + 2, 2) + 1};
    return coarse;
}

/* The fine cells that the halving to a span reads. */
static struct gaussian_span gaussian_fine(struct gaussian_span coarse)
{
    struct gaussian_span fine = {2 * coarse.begin - 3, 2 * coarse.end + 2};
    return fine;
}

static struct gaussian_span gaussian_input(const struct gaussian_filter *filter,
                                           struct gaussian_span output)
{
    struct gaussian_span span = output;
    for (uint32_t level = 0; level < filter->levels; level++) {
        span = gaussian_coarse(span);
    }
    span.begin -= filter->radius;
    span.end += filter->radius;
    for (uint32_t level = 0; level < filter->levels; level++) {
        span = gaussian_fine(span);
    }
    return span;
}

static uint32_t gaussian_halo(const void *params)
{
    struct gaussian_filter filter = gaussian_filter_of(params);
    return (filter.radius << filter.levels) + 6 * ((UINT32_C(1) << filter.levels) - 1);
}

static void gaussian_window(const void *params, uint32_t input, const terrain__box *out,
                            terrain__box *in)
{
    struct gaussian_filter filter = gaussian_filter_of(params);
    struct gaussian_span x = {out->x0, out->x1};
    struct gaussian_span y = {out->y0, out->y1};
    (void)input;
    x = gaussian_input(&filter, x);
    y = gaussian_input(&filter, y);
    in->x0 = x.begin;
    in->x1 = x.end;
    in->y0 = y.begin;
    in->y1 = y.end;
}

/* ---- The grids of a call --------------------------------------------------------------------- */

/* One axis of each grid; grid 0 is the map. Halving makes the cells `kept`, and `border` tells
 * which of them stand for all others; doubling makes the cells `wanted`. */
struct gaussian_axis {
    struct gaussian_span kept[GAUSSIAN_MOST_LEVELS + 1];
    struct gaussian_span wanted[GAUSSIAN_MOST_LEVELS + 1];
    terrain_border border[GAUSSIAN_MOST_LEVELS + 1];
};

struct gaussian_job {
    struct gaussian_filter filter;
    struct gaussian_axis x, y;
    terrain__plane down[GAUSSIAN_MOST_LEVELS + 1];
    terrain__plane up[GAUSSIAN_MOST_LEVELS + 1]; /* [0] is the target */
    terrain__bands filter_bands;
    terrain__rows filter_rows;  /* what the filter reads: rows of the coarsest grid */
    terrain__plane halve_rows;  /* one for each task */
    terrain__plane double_rows; /* four for each task */
    terrain__plane differences; /* 2 radius + GAUSSIAN_ROWS for each task */
    terrain__plane lines;       /* GAUSSIAN_LINES for each task */
    uint32_t strips;
    terrain__plane ends;      /* the last `radius` cells of a strip's line, for each row */
    float *zeros;             /* a row beyond an open border */
    float *share_x, *share_y; /* open border: 1 / the share of the filter that lies inside */
};

static uint32_t gaussian_count(struct gaussian_span span)
{
    return (uint32_t)(span.end - span.begin);
}

/* Beyond a clamped or open edge, coarse cells that read only cells beyond it are all the same, and
 * one of them is kept. A mirrored or wrapped map has a period, and so have its coarse grids: they
 * keep all cells needed or, if these are more, one period, placed within the cells needed such that
 * it reads all that was kept of the finer grid. */
static struct gaussian_span gaussian_kept(struct gaussian_span fine, struct gaussian_span needed,
                                          int64_t period)
{
    struct gaussian_span kept = {terrain__floor_div(fine.begin - 3, 2),
                                 terrain__floor_div(fine.end + 3, 2) + 1};
    if (period > needed.end - needed.begin) {
        return needed;
    }
    if (period > 0) {
        kept.begin = terrain__floor_div(fine.begin + 3, 2);
        kept.begin = kept.begin < needed.end - period ? kept.begin : needed.end - period;
        kept.end = kept.begin + period;
    }
    return kept;
}

static void gaussian_axis_of(struct gaussian_axis *axis, const struct gaussian_filter *filter,
                             int64_t begin, uint32_t count, terrain_border border)
{
    struct gaussian_span needed[GAUSSIAN_MOST_LEVELS + 1];
    uint32_t top = filter->levels;
    int64_t period = border == TERRAIN_BORDER_MIRROR ? 2 * (int64_t)count
                     : border == TERRAIN_BORDER_WRAP ? (int64_t)count
                                                     : 0;
    axis->kept[0].begin = begin;
    axis->kept[0].end = begin + (int64_t)count;
    axis->wanted[0] = axis->kept[0];
    axis->border[0] = border;
    for (uint32_t level = 1; level <= top; level++) {
        axis->wanted[level] = gaussian_coarse(axis->wanted[level - 1]);
    }
    needed[top].begin = axis->wanted[top].begin - filter->radius;
    needed[top].end = axis->wanted[top].end + filter->radius;
    for (uint32_t level = top; level > 0; level--) {
        needed[level - 1] = gaussian_fine(needed[level]);
    }
    for (uint32_t level = 1; level <= top; level++) {
        period = period % 2 == 0 ? period / 2 : period;
        axis->kept[level] = gaussian_kept(axis->kept[level - 1], needed[level], period);
        axis->border[level] = period > 0 ? TERRAIN_BORDER_WRAP : border;
    }
}

/* ---- Halving --------------------------------------------------------------------------------- */

static terrain__view gaussian_view(const terrain__call *call, uint32_t level)
{
    const struct gaussian_job *job = call->job;
    return level == 0 ? call->map : terrain__as_view(job->down[level]);
}

static terrain__bands gaussian_bands(uint32_t rows)
{
    return terrain__bands_of(rows, 16);
}

static const float *gaussian_row_of(const terrain__call *call, uint32_t level, int64_t y)
{
    const struct gaussian_job *job = call->job;
    terrain__view view = gaussian_view(call, level);
    int64_t row =
        terrain__border_cell(y - job->y.kept[level].begin, view.height, job->y.border[level]);
    return row < 0 ? job->zeros : view.cells + (size_t)row * view.stride;
}

/* Makes row y of level + 1. Cell i of the buffer is cell 2 * (first coarse cell) - 4 + i of the
 * fine grid. */
static void gaussian_halve_row(const terrain__call *call, uint32_t level, float *target, int64_t y,
                               float *buffer)
{
    const struct gaussian_job *job = call->job;
    const struct gaussian_kernels *kernels = terrain__gaussian_kernels(call->isa);
    uint32_t width = gaussian_count(job->x.kept[level]);
    uint32_t coarse_width = gaussian_count(job->x.kept[level + 1]);
    uint32_t left = (uint32_t)(job->x.kept[level].begin - 2 * job->x.kept[level + 1].begin + 4);
    uint32_t right = 2 * coarse_width + 6 - (left + width);
    float *inside = buffer + left;
    const float *rows[7];
    for (uint32_t i = 0; i < 7; i++) {
        rows[i] = gaussian_row_of(call, level, 2 * y - 3 + (int64_t)i);
    }
    kernels->halve_down(inside, rows, width);
    terrain__border_row(buffer, -(int64_t)left, left, inside, width, job->x.border[level]);
    terrain__border_row(inside + width, width, right, inside, width, job->x.border[level]);
    kernels->halve_across(target, buffer, coarse_width);
}

/* The task of gaussian_halve. */
static void gaussian_halve_band(terrain__call *call, uint32_t index)
{
    const struct gaussian_job *job = call->job;
    const uint32_t level = *(const uint32_t *)call->pass;
    const terrain__plane *target = &job->down[level + 1];
    const terrain__bands bands = gaussian_bands(target->height);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t row = terrain__band_begin(&bands, index); row < end; row++) {
        gaussian_halve_row(call, level, terrain__plane_row(target, row),
                           job->y.kept[level + 1].begin + (int64_t)row,
                           terrain__plane_row(&job->halve_rows, index));
    }
}

/* Makes the next coarser level. */
static terrain_status gaussian_halve(terrain__call *call, const uint32_t *level)
{
    const struct gaussian_job *job = call->job;
    call->pass = level;
    return terrain__run(call, gaussian_bands(job->down[*level + 1].height).count,
                        gaussian_halve_band);
}

/* ---- The filter on one grid ------------------------------------------------------------------ */

/* Rows of a band, at least: it computes 2 radius rows of differences that its neighbours compute,
 * too. */
enum { GAUSSIAN_BAND = 128 };

/* A task's lines: GAUSSIAN_ROWS rows filtered down, then two copies of the differences along one of
 * them. See struct gaussian_kernels. */
enum {
    GAUSSIAN_LINES = GAUSSIAN_ROWS + 2,
    GAUSSIAN_MIDDLE = 8 /* floats from the start of a cache line to its middle */
};

/* Columns of a strip, at least: narrower strips lose more at their sides than they gain. */
enum { GAUSSIAN_STRIP = 2048 };

/* A strip's part of a band. Difference y is the one from row y to row y + 1. */
struct gaussian_band {
    uint32_t index;
    uint32_t begin, end; /* columns of the target */
    uint32_t kept;       /* columns of the grid that are filtered down, from `begin` on */
    int64_t next;        /* the first difference not yet taken */
    uint32_t count;      /* of differences[], which begin `radius` before the next row */
    float *differences[2 * GAUSSIAN_MOST_RADIUS + GAUSSIAN_ROWS];
};

/* First column of a strip; of the strip after the last: the width. */
static uint32_t gaussian_strip_begin(const struct gaussian_job *job, uint32_t strip)
{
    const uint32_t width = gaussian_count(job->x.wanted[job->filter.levels]);
    return strip == job->strips ? width
                                : (uint32_t)((uint64_t)width * strip / job->strips) / 64 * 64;
}

/* The input at row y of the filter's output, from the strip's first column on. */
static const float *gaussian_source(const struct gaussian_job *job,
                                    const struct gaussian_band *band, int64_t y)
{
    uint32_t top = job->filter.levels;
    return band->begin + terrain__rows_at(&job->filter_rows, band->index,
                                          y + (job->y.wanted[top].begin - job->y.kept[top].begin));
}

/* Takes all differences before difference `end`. */
static void gaussian_extend(const terrain__call *call, struct gaussian_band *band, int64_t end)
{
    const struct gaussian_job *job = call->job;
    const uint32_t radius = job->filter.radius;
    const uint32_t slots = 2 * radius + GAUSSIAN_ROWS;
    const terrain__ring ring = {terrain__plane_row(&job->differences, (int64_t)band->index * slots),
                                job->differences.stride, slots};
    while (band->next < end) {
        uint32_t count =
            end - band->next < GAUSSIAN_ROWS ? (uint32_t)(end - band->next) : GAUSSIAN_ROWS;
        const float *rows[GAUSSIAN_ROWS + 1];
        rows[0] = gaussian_source(job, band, band->next);
        for (uint32_t i = 0; i < count; i++) {
            rows[i + 1] = gaussian_source(job, band, band->next + i + 1);
            band->differences[band->count + i] = terrain__ring_row(&ring, band->next + i + radius);
        }
        terrain__gaussian_kernels(call->isa)->differ_down(band->differences + band->count, rows,
                                                          count, band->kept);
        band->count += count;
        band->next += count;
    }
}

/* Fills in what lies on both sides of the strip in a line. On the left that is the end of the line
 * in the strip before, which was kept, or cells by the border rule. On the right the line has the
 * next strip's cells already, but for the last strip. */
static void gaussian_complete(const struct gaussian_job *job, const struct gaussian_band *band,
                              uint32_t row, float *line)
{
    const uint32_t top = job->filter.levels, radius = job->filter.radius;
    const uint32_t width = band->end - band->begin, kept = band->kept;
    const int64_t before = job->x.kept[top].begin - job->x.wanted[top].begin;
    float *inside = line + before;
    float *end = job->strips > 1 ? terrain__plane_row(&job->ends, row) : NULL;
    if (band->begin == 0) {
        const uint32_t left = (uint32_t)(before + (int64_t)radius);
        terrain__border_row(inside - left, -(int64_t)left, left, inside, kept, job->x.border[top]);
    } else {
        memcpy(line - radius, end, radius * sizeof *line);
    }
    if (band->end == gaussian_count(job->x.wanted[top])) {
        const uint32_t right = (uint32_t)((int64_t)width + radius - (before + (int64_t)kept));
        terrain__border_row(inside + kept, kept, right, inside, kept, job->x.border[top]);
    } else {
        memcpy(end, line + width - radius, radius * sizeof *line);
    }
}

/* Filters `count` rows of the strip from `row` on: down into lines, then each line across. */
static void gaussian_filter_rows(const terrain__call *call, const struct gaussian_band *band,
                                 uint32_t row, uint32_t count)
{
    const struct gaussian_job *job = call->job;
    const struct gaussian_kernels *kernels = terrain__gaussian_kernels(call->isa);
    const uint32_t top = job->filter.levels, radius = job->filter.radius;
    const uint32_t width = band->end - band->begin;
    const int64_t before = job->x.kept[top].begin - job->x.wanted[top].begin;
    const size_t stride = job->lines.stride;
    float *line =
        terrain__plane_row(&job->lines, (int64_t)band->index * GAUSSIAN_LINES) + GAUSSIAN_PAD;
    float *even = line + GAUSSIAN_ROWS * stride;
    float *odd = even + stride + GAUSSIAN_MIDDLE;
    const float *rows[GAUSSIAN_ROWS];
    for (uint32_t i = 0; i < count; i++) {
        rows[i] = gaussian_source(job, band, (int64_t)row + i);
    }
    kernels->down(line + before, stride, count, rows, (const float *const *)band->differences,
                  band->kept, job->filter.weights, radius);
    for (uint32_t i = 0; i < count; i++, line += stride) {
        float *target = terrain__plane_row(&job->up[top], (int64_t)row + i) + band->begin;
        gaussian_complete(job, band, row + i, line);
        kernels->across(target, line, even, odd, width, job->filter.weights, radius);
        if (job->share_x != NULL && top == 0) {
            kernels->scale(target, job->share_x + band->begin, job->share_y[row + i], width);
        }
    }
}

static void gaussian_filter_strip(const terrain__call *call, struct gaussian_band *band)
{
    const struct gaussian_job *job = call->job;
    const uint32_t begin = terrain__band_begin(&job->filter_bands, band->index);
    const uint32_t end = terrain__band_end(&job->filter_bands, band->index);
    const uint32_t radius = job->filter.radius;
    band->next = (int64_t)begin - (int64_t)radius;
    band->count = 0;
    for (uint32_t row = begin; row < end; row += GAUSSIAN_ROWS) {
        uint32_t count = end - row < GAUSSIAN_ROWS ? end - row : GAUSSIAN_ROWS;
        gaussian_extend(call, band, (int64_t)row + count + radius - 1);
        gaussian_filter_rows(call, band, row, count);
        band->count -= count;
        memmove(band->differences, band->differences + count,
                band->count * sizeof band->differences[0]);
    }
}

/* From left to right: a strip reads cells of the next one, which must not have been overwritten. */
static void gaussian_filter_band(terrain__call *call, uint32_t index)
{
    const struct gaussian_job *job = call->job;
    const uint32_t kept = gaussian_count(job->x.kept[job->filter.levels]);
    struct gaussian_band band = {.index = index};
    for (uint32_t strip = 0; strip < job->strips; strip++) {
        band.begin = gaussian_strip_begin(job, strip);
        band.end = gaussian_strip_begin(job, strip + 1);
        band.kept = strip + 1 < job->strips ? band.end - band.begin + job->filter.radius
                                            : kept - band.begin;
        gaussian_filter_strip(call, &band);
    }
}

/* ---- Doubling -------------------------------------------------------------------------------- */

/* The task of gaussian_double: makes rows of level - 1. Rows of `level` are doubled across first,
 * starting with the even cell at or before the target's first one; then four of them make two
 * rows. */
static void gaussian_double_band(terrain__call *call, uint32_t index)
{
    const struct gaussian_job *job = call->job;
    const struct gaussian_kernels *kernels = terrain__gaussian_kernels(call->isa);
    const uint32_t level = *(const uint32_t *)call->pass;
    const terrain__plane *target = &job->up[level - 1];
    const terrain__bands bands = gaussian_bands(target->height);
    const uint32_t end = terrain__band_end(&bands, index);
    const terrain__ring ring = {terrain__plane_row(&job->double_rows, (int64_t)index * 4),
                                job->double_rows.stride, 4};
    const int64_t top = job->y.wanted[level - 1].begin;
    const uint32_t odd = (uint32_t)(job->x.wanted[level - 1].begin & 1);
    uint32_t row = terrain__band_begin(&bands, index);
    for (int64_t next = terrain__floor_div(top + row, 2) - 1; row < end;) {
        int64_t y = top + (int64_t)row;
        int64_t coarse = terrain__floor_div(y, 2);
        bool has_even = (y & 1) == 0;
        bool has_odd = !has_even || row + 1 < end;
        float *even_row = has_even ? terrain__plane_row(target, row) : NULL;
        float *odd_row = has_odd ? terrain__plane_row(target, (int64_t)row + has_even) : NULL;
        const float *rows[4];
        for (; next <= coarse + 1 + has_odd; next++) {
            kernels->double_across(
                terrain__ring_row(&ring, next),
                terrain__plane_row(&job->up[level], next - job->y.wanted[level].begin),
                gaussian_count(job->x.wanted[level - 1]) + odd);
        }
        for (int64_t i = 0; i < 4; i++) {
            rows[i] = terrain__ring_row(&ring, coarse - 1 + i) + odd;
        }
        kernels->double_down(even_row, odd_row, rows, target->width);
        for (; row < end && terrain__floor_div(top + (int64_t)row, 2) == coarse; row++) {
            if (job->share_x != NULL && level == 1) {
                kernels->scale(terrain__plane_row(target, row), job->share_x, job->share_y[row],
                               target->width);
            }
        }
    }
}

/* Makes the next finer level; in the last pass, the target. */
static terrain_status gaussian_double(terrain__call *call, const uint32_t *level)
{
    const struct gaussian_job *job = call->job;
    const uint32_t count = gaussian_bands(job->up[*level - 1].height).count;
    call->pass = level;
    return *level == 1 ? terrain__commit(call, count, gaussian_double_band)
                       : terrain__run(call, count, gaussian_double_band);
}

/* ---- An open border -------------------------------------------------------------------------- */

/* A row of ones, halved, filtered and doubled as the map is: a cell is the share of the filter that
 * lies inside the map so far. */
struct gaussian_ones {
    struct gaussian_span span;
    const double *cells; /* NULL: of the map, all 1 */
};

static double gaussian_one(const struct gaussian_ones *ones, int64_t i)
{
    const bool inside = i >= ones->span.begin && i < ones->span.end;
    return !inside ? 0 : ones->cells != NULL ? ones->cells[i - ones->span.begin] : 1;
}

static void gaussian_halve_ones(double *to, struct gaussian_span span,
                                const struct gaussian_ones *ones)
{
    static const double binomial[7] = {1, 6, 15, 20, 15, 6, 1};
    for (int64_t j = span.begin; j < span.end; j++) {
        double sum = 0;
        for (int64_t k = 0; k < 7; k++) {
            sum += binomial[k] * gaussian_one(ones, 2 * j - 3 + k);
        }
        to[j - span.begin] = sum / 64;
    }
}

static void gaussian_filter_ones(double *to, struct gaussian_span span,
                                 const struct gaussian_ones *ones,
                                 const struct gaussian_filter *filter)
{
    for (int64_t j = span.begin; j < span.end; j++) {
        double sum = gaussian_one(ones, j);
        for (int64_t k = 1; k <= filter->radius; k++) {
            sum += (double)filter->weights[k] *
                   (gaussian_one(ones, j + k) - gaussian_one(ones, j + k - 1) +
                    gaussian_one(ones, j - k) - gaussian_one(ones, j - k + 1));
        }
        to[j - span.begin] = sum;
    }
}

/* Even cells have three weights, and a 0. */
static void gaussian_double_ones(double *to, struct gaussian_span span,
                                 const struct gaussian_ones *ones)
{
    static const double weights[2][4] = {{6, 20, 6, 0}, {1, 15, 15, 1}};
    for (int64_t i = span.begin; i < span.end; i++) {
        const int64_t first = terrain__floor_div(i, 2) - 1;
        double sum = 0;
        for (int64_t k = 0; k < 4; k++) {
            sum += weights[i & 1][k] * gaussian_one(ones, first + k);
        }
        to[i - span.begin] = sum / 32;
    }
}

/* 1 / the share of the filter that lies within the map, for each of the map's cells along one axis.
 * `work` has room for two grids, `work_half` each. */
static void gaussian_shares(const struct gaussian_filter *filter, const struct gaussian_axis *axis,
                            double *work, size_t work_half, float *shares)
{
    const uint32_t top = filter->levels;
    struct gaussian_ones ones = {axis->kept[0], NULL};
    for (uint32_t step = 0; step <= 2 * top; step++) {
        const struct gaussian_span span =
            step < top ? axis->kept[step + 1] : axis->wanted[2 * top - step];
        double *next = work + (step & 1) * work_half;
        if (step < top) {
            gaussian_halve_ones(next, span, &ones);
        } else if (step == top) {
            gaussian_filter_ones(next, span, &ones, filter);
        } else {
            gaussian_double_ones(next, span, &ones);
        }
        ones = (struct gaussian_ones){span, next};
    }
    for (int64_t i = ones.span.begin; i < ones.span.end; i++) {
        struct gaussian_span cell = {i, i + 1};
        struct gaussian_span read = gaussian_input(filter, cell);
        bool whole = read.begin >= ones.span.begin && read.end <= ones.span.end;
        shares[i - ones.span.begin] = whole ? 1 : (float)(1 / gaussian_one(&ones, i));
    }
}

static void gaussian_prepare_open(terrain__call *call)
{
    struct gaussian_job *job = call->job;
    uint32_t width = call->target.width;
    uint32_t height = call->target.height;
    size_t half = (size_t)(width > height ? width : height) + 8;
    double *work = terrain__scratch(call, 2 * half, sizeof *work);
    job->share_x = terrain__scratch(call, width, sizeof *job->share_x);
    job->share_y = terrain__scratch(call, height, sizeof *job->share_y);
    job->zeros = terrain__scratch(call, half, sizeof *job->zeros);
    if (work == NULL || job->share_x == NULL || job->share_y == NULL || job->zeros == NULL) {
        return;
    }
    memset(job->zeros, 0, half * sizeof *job->zeros);
    gaussian_shares(&job->filter, &job->x, work, half, job->share_x);
    gaussian_shares(&job->filter, &job->y, work, half, job->share_y);
}

/* ---- A call ---------------------------------------------------------------------------------- */

/* Doubling overwrites the grids that halving made, except the coarsest. */
static void gaussian_prepare_levels(terrain__call *call)
{
    struct gaussian_job *job = call->job;
    uint32_t top = job->filter.levels;
    uint32_t halve_tasks = 0, halve_width = 0;
    uint32_t double_tasks = 0;
    for (uint32_t level = 1; level <= top; level++) {
        uint32_t width = gaussian_count(job->x.kept[level]);
        uint32_t height = gaussian_count(job->y.kept[level]);
        uint32_t up_width = gaussian_count(job->x.wanted[level]);
        uint32_t up_height = gaussian_count(job->y.wanted[level]);
        terrain__plane plane = terrain__scratch_plane(call, terrain__greater(width, up_width),
                                                      terrain__greater(height, up_height));
        job->down[level] = plane;
        job->down[level].width = width;
        job->down[level].height = height;
        job->up[level] = level < top ? plane : terrain__scratch_plane(call, up_width, up_height);
        job->up[level].width = up_width;
        job->up[level].height = up_height;
        halve_tasks = terrain__greater(halve_tasks, gaussian_bands(height).count);
        halve_width = terrain__greater(halve_width, 2 * width + 8); /* not always that of level 1 */
        double_tasks = terrain__greater(
            double_tasks, gaussian_bands(gaussian_count(job->y.wanted[level - 1])).count);
    }
    if (top > 0) {
        job->halve_rows = terrain__scratch_plane(call, halve_width, halve_tasks);
        job->double_rows = terrain__scratch_plane(call, call->target.width + 2, 4 * double_tasks);
    }
}

static void gaussian_prepare_filter(terrain__call *call)
{
    struct gaussian_job *job = call->job;
    uint32_t top = job->filter.levels;
    uint32_t radius = job->filter.radius;
    uint32_t width = gaussian_count(job->x.wanted[top]);
    uint32_t kept = gaussian_count(job->x.kept[top]);
    job->filter_bands = terrain__bands_of(gaussian_count(job->y.wanted[top]), GAUSSIAN_BAND);
    uint32_t bands = job->filter_bands.count;
    job->filter_rows.view = gaussian_view(call, top);
    job->filter_rows.border = job->y.border[top];
    job->filter_rows.outside = job->zeros;
    job->filter_rows.in_place = top == 0 && radius > 0;
    job->strips = 1;
    if (radius == 0) {
        return;
    }
    if (top == 0) {
        terrain__rows_prepare(call, &job->filter_rows, job->filter_bands, radius);
    }
    /* Across a wrapped edge a line needs its other end. */
    if (top == 0 && job->x.border[0] != TERRAIN_BORDER_WRAP && width >= 2 * GAUSSIAN_STRIP) {
        job->strips = width / GAUSSIAN_STRIP;
        job->ends = terrain__scratch_plane(call, radius, call->target.height);
        /* The widest strip: strips begin at multiples of 64. */
        width = kept = width / job->strips + 128;
    }
    job->differences = terrain__scratch_plane(call, kept, bands * (2 * radius + GAUSSIAN_ROWS));
    job->lines = terrain__scratch_plane(
        call, width + GAUSSIAN_PAD + GAUSSIAN_BEYOND + GAUSSIAN_MIDDLE, bands * GAUSSIAN_LINES);
}

static terrain_status gaussian_prepare(terrain__call *call)
{
    const gaussian_params *p = call->params;
    struct gaussian_job *job = call->job;
    job->filter = gaussian_filter_of(p);
    gaussian_axis_of(&job->x, &job->filter, call->x, call->target.width, p->border);
    gaussian_axis_of(&job->y, &job->filter, call->y, call->target.height, p->border);
    gaussian_prepare_levels(call);
    if (p->border == TERRAIN_BORDER_OPEN) {
        gaussian_prepare_open(call);
    }
    gaussian_prepare_filter(call);
    terrain__expect_passes(call,
                           2 * job->filter.levels + terrain__rows_passes(&job->filter_rows) + 1);
    terrain__commit_cost(call, job->filter.levels == 0 ? 1.5 : 0.5);
    return TERRAIN_SUCCESS;
}

static terrain_status gaussian_run(terrain__call *call)
{
    struct gaussian_job *job = call->job;
    const uint32_t top = job->filter.levels, bands = job->filter_bands.count;
    terrain_status status = TERRAIN_SUCCESS;
    job->up[0] = call->target;
    if (top == 0 && job->filter.radius == 0) {
        return terrain__commit_copy(call);
    }
    for (uint32_t level = 0; status == TERRAIN_SUCCESS && level < top; level++) {
        status = gaussian_halve(call, &level);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__rows_save(call, &job->filter_rows);
    }
    if (status == TERRAIN_SUCCESS) {
        status = top == 0 ? terrain__commit(call, bands, gaussian_filter_band)
                          : terrain__run(call, bands, gaussian_filter_band);
    }
    for (uint32_t level = top; status == TERRAIN_SUCCESS && level > 0; level--) {
        status = gaussian_double(call, &level);
    }
    return status;
}

const terrain_operation terrain__blur_gaussian = {
    TERRAIN__IDENTITY(blur, gaussian),
    .result_version = 1,
    .summary = "Smooths with a Gaussian of any size.",
    .reference = "Burt and Adelson, The Laplacian pyramid as a compact image code, 1983",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(gaussian_params),
    TERRAIN__PARAMETERS(gaussian_parameters),
    .job_size = sizeof(struct gaussian_job),
    .halo = gaussian_halo,
    .window = gaussian_window,
    .prepare = gaussian_prepare,
    .run = gaussian_run,
};

TERRAIN__PUBLIC_CHANGE(blur_gaussian)
