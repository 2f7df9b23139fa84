/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_resample: the map on a coarser or finer grid.
 *
 * What is computed (tests/oracle/resample.c, in plain C), down columns and then along rows: cell x
 * of the result lies at x step in the source, at the fraction t between its cells c and c + 1.
 *
 *     NEAREST    h(c), or h(c + 1) from t = 1/2 on
 *     BILINEAR   h(c) + t (h(c + 1) - h(c))
 *     BICUBIC    the Catmull-Rom spline through h(c - 1) to h(c + 2): Robert G. Keys, Cubic
 *                Convolution Interpolation for Digital Image Processing, IEEE Transactions on
 *                Acoustics, Speech, and Signal Processing 29 (6), 1981, with a = -1/2
 *     AREA       the mean of BILINEAR over an interval of length step around x step
 *
 * The way through the map: a task makes rows of the target, each from a padded row that it filters
 * down first. AREA by a step of 2 whose cells lie alike does both at once.
 *
 * Positions are fixed-point numbers with 40 bits after the point: a float from 2^-4 to 2^10 has at
 * most 27, so that step, half a step and every multiple of step are exact. */

#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "rows/rows.h"
#include "shape/resample_kernels.h"
#include "terrain/shape.h"
#include "vector/stream_kernels.h"

typedef terrain_shape_resample_params resample_params;

static const char *const resample_filter_names[] = {"nearest", "bilinear", "bicubic", "area"};
static const char *const resample_filter_docs[] = {
    "the nearest cell; halfway, the one with the greater coordinate",
    "linear between 2 x 2 cells: leaves creases when it enlarges",
    "Catmull-Rom through 4 x 4 cells: smooth slopes, may overshoot",
    "the mean over a square as wide as step: for steps above 1",
};

static const terrain_parameter resample_parameters[] = {
    TERRAIN__FLOAT(resample_params, step, "cells", 1, 0.0625, 1024,
                   "Source cells per result cell: below 1 enlarges.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__ENUM(resample_params, filter, TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC, resample_filter,
                  "How heights between cells are interpolated; AREA for steps above 1."),
};

/* The fewest rows of a band where `even` of struct resample_area is 2. */
enum { RESAMPLE_HALF_ROWS = 8 };

/* So that places of columns, and what is read beside them, fit into an int32_t. */
#define RESAMPLE_MOST_COLUMNS (UINT32_C(1) << 30)

#define RESAMPLE_ONE (INT64_C(1) << 40)

/* cell + fraction * 2^-40 */
typedef struct resample_position {
    int64_t cell;
    int64_t fraction;
} resample_position;

/* An interval, and the cells whose heights count in it. */
struct resample_span {
    resample_position low;
    resample_position high;
    int64_t first;
    int64_t last;
};

/* The weights of AREA around a position, of cells from `first` on; cells count from the
 * position's. */
struct resample_shares {
    int64_t fraction;
    int64_t first;
    uint32_t count;
    float weights[RESAMPLE_AREA_TAPS];
};

typedef struct resample_job {
    terrain__bands bands;  /* where area.even is 2 */
    uint32_t first_column; /* the first of the map's columns that are read */
    uint32_t column_count;
    size_t row_length;         /* of a task's row or sums */
    float *rows;               /* for each task: a row after the filter down, with its padding */
    float *lines;              /* for each task: a row of the target, if stores bypass the caches */
    uint32_t columns;          /* the target's, and RESAMPLE_TAIL more */
    int32_t *cells;            /* of each column; AREA: all centres, then all first cells */
    float *weights;            /* all columns' a, then b, then d; AREA: their shares */
    struct resample_taps taps; /* cells and weights, for the kernels */
    struct resample_area area; /* AREA's cells and weights, for its kernels */
    struct resample_shares shares; /* of the first row; if step is whole, of all rows */
    /* AREA by steps above RESAMPLE_SHORT_STEP, in place of rows, cells and weights: */
    double *sums;                /* for each task: a row after the filter down */
    struct resample_span *spans; /* of each column */
} resample_job;

/* ---- Positions ------------------------------------------------------------------------------- */

static int64_t resample_fixed(float step)
{
    return (int64_t)((double)step * (double)RESAMPLE_ONE);
}

/* x * step, rounded down to a cell and a fraction, for |x| <= 2^62; far outside the world, a cell
 * beyond all maps. With x = high * 2^40 + low and the step's fraction f, x f = high f 2^40 + low f;
 * low f is computed in two parts of 20 bits of low. */
static resample_position resample_at(int64_t x, int64_t step)
{
    const int64_t outside = TERRAIN_WORLD_LIMIT + TERRAIN_WORLD_LIMIT / 2;
    const int64_t mask = (INT64_C(1) << 20) - 1;
    const int64_t within = TERRAIN_WORLD_LIMIT / 1024; /* times the longest step, the limit */
    int64_t whole = step / RESAMPLE_ONE, f = step % RESAMPLE_ONE;
    if (x > within || x < -within) {
        int64_t most = whole > 0 ? TERRAIN_WORLD_LIMIT / whole : TERRAIN_WORLD_LIMIT;
        if (x > most || x < -most) {
            resample_position far_away = {x > 0 ? outside : -outside, 0};
            return far_away;
        }
    }
    int64_t high = terrain__floor_div(x, RESAMPLE_ONE), low = terrain__floor_mod(x, RESAMPLE_ONE);
    int64_t b = (low & mask) * f;
    int64_t t = (low >> 20) * f + (b >> 20);
    resample_position position;
    position.cell = x * whole + high * f + (t >> 20);
    position.fraction = (t & mask) << 20 | (b & mask);
    return position;
}

/* The first x whose position is not below `cell`: cell * 2^40 / step, rounded up; an x beyond the
 * world if there is none. The quotient's last 40 bits come in parts of 10, as a rest is below 2^50,
 * and times 2^10 fits into 64 bits. */
static int64_t resample_first_at(int64_t cell, int64_t step)
{
    const uint64_t limit = (uint64_t)TERRAIN_WORLD_LIMIT, divisor = (uint64_t)step;
    const uint64_t size = cell < 0 ? 0 - (uint64_t)cell : (uint64_t)cell;
    uint64_t x = size / divisor, rest = size % divisor;
    const bool beyond = x > limit / (uint64_t)RESAMPLE_ONE;
    for (int part = 0; part < 4 && !beyond; part++) {
        rest <<= 10;
        x = x << 10 | rest / divisor;
        rest %= divisor;
    }
    x += cell > 0 && rest > 0;
    if (beyond || x > limit) {
        x = limit + (cell > 0);
    }
    return cell < 0 ? -(int64_t)x : (int64_t)x;
}

/* ---- Filters along one axis ------------------------------------------------------------------ */

/* Whether the filter is AREA and differs from BILINEAR. */
static bool resample_is_area(const resample_params *p)
{
    return p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_AREA && p->step > 1;
}

/* The interval around a position over which AREA takes the mean of the surface that is linear
 * between cells. The cells' weights add up to the interval's length, and a plane stays a plane. (A
 * mean over cells as steps would ripple unless step is a whole number.) */
static struct resample_span resample_span_of(resample_position at, int64_t step)
{
    int64_t low = at.fraction - step / 2, high = at.fraction + step / 2;
    struct resample_span span;
    span.low.cell = at.cell + terrain__floor_div(low, RESAMPLE_ONE);
    span.low.fraction = terrain__floor_mod(low, RESAMPLE_ONE);
    span.high.cell = at.cell + terrain__floor_div(high, RESAMPLE_ONE);
    span.high.fraction = terrain__floor_mod(high, RESAMPLE_ONE);
    span.first = span.low.cell;
    span.last = span.high.cell + (span.high.fraction != 0);
    return span;
}

/* The integral of max(0, 1 - |x|), the share of one cell in the surface, up to the position. */
static double resample_share_before(resample_position end, int64_t cell)
{
    double x = (double)(end.cell - cell) + (double)end.fraction / (double)RESAMPLE_ONE;
    double outside = x < 0 ? 1 + x : 1 - x;
    double rest = outside > 0 ? outside * outside / 2 : 0;
    return x < 0 ? rest : 1 - rest;
}

static double resample_weight(const struct resample_span *span, int64_t cell)
{
    if (cell > span->first + 1 && cell < span->last - 1) {
        return 1;
    }
    return resample_share_before(span->high, cell) - resample_share_before(span->low, cell);
}

/* The most cells that may have a share. */
static uint32_t resample_most_shares(const resample_params *p)
{
    return (uint32_t)((resample_fixed(p->step) + RESAMPLE_ONE - 1) / RESAMPLE_ONE) + 2;
}

static void resample_set_shares(struct resample_shares *shares, const resample_params *p,
                                int64_t fraction)
{
    const resample_position at = {0, fraction};
    const struct resample_span span = resample_span_of(at, resample_fixed(p->step));
    shares->fraction = fraction;
    shares->first = span.first;
    shares->count = (uint32_t)(span.last - span.first) + 1;
    for (uint32_t k = 0; k < shares->count; k++) {
        shares->weights[k] = (float)(resample_weight(&span, span.first + k) / (double)p->step);
    }
}

/* The source cells that result cell x reads, and the one in which its position lies, so that the
 * source for a window is large enough that its own result covers the window. */
static void resample_reach(const resample_params *p, int64_t x, int64_t *first, int64_t *last)
{
    int64_t step = resample_fixed(p->step);
    resample_position at = resample_at(x, step);
    *first = *last = at.cell;
    if (resample_is_area(p)) {
        struct resample_span span = resample_span_of(at, step);
        *first = span.first;
        *last = span.last;
    } else if (p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_NEAREST) {
        *last = at.cell + (at.fraction >= RESAMPLE_ONE / 2);
    } else if (at.fraction != 0) {
        bool wide = p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC;
        *first = at.cell - wide;
        *last = at.cell + 1 + wide;
    }
}

/* The first and the last source cell that result cells x0 <= x < x1 read. A cell at a fraction of 0
 * reads less than its neighbours, so the second cell from either end may reach farther. */
static void resample_reach_all(const resample_params *p, int64_t x0, int64_t x1, int64_t *first,
                               int64_t *last)
{
    int64_t inner_first, inner_last, unused;
    resample_reach(p, x0, first, &unused);
    resample_reach(p, x1 - 1, &unused, last);
    resample_reach(p, x0 + 1 < x1 ? x0 + 1 : x0, &inner_first, &unused);
    resample_reach(p, x1 - 1 > x0 ? x1 - 2 : x0, &unused, &inner_last);
    *first = inner_first < *first ? inner_first : *first;
    *last = inner_last > *last ? inner_last : *last;
}

/* A cell's place in a map that begins at `origin`: the nearest one if it lies outside. */
static uint32_t resample_index(int64_t cell, int64_t origin, uint32_t size)
{
    return cell <= origin ? 0 : cell >= origin + size ? size - 1 : (uint32_t)(cell - origin);
}

/* The weights of the differences from the position's cell to the one before, the next, and the one
 * after that. */
struct resample_weights {
    float a, b, d;
};

static struct resample_weights resample_weights_of(const resample_params *p, int64_t fraction)
{
    struct resample_weights w = {0, 0, 0};
    if (p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_NEAREST) {
        return w;
    }
    w.b = (float)((double)fraction / (double)RESAMPLE_ONE);
    if (p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC) {
        double u = (double)w.b;
        w.a = (float)(0.5 * u * ((2 - u) * u - 1));
        w.b = (float)(0.5 * u * ((4 - 3 * u) * u + 1));
        w.d = (float)(0.5 * u * ((u - 1) * u));
    }
    return w;
}

/* The cell to which the differences are taken. */
static int64_t resample_cell_of(const resample_params *p, resample_position at)
{
    bool nearest = p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_NEAREST;
    return at.cell + (nearest && at.fraction >= RESAMPLE_ONE / 2);
}

/* ---- Where it reads and writes --------------------------------------------------------------- */

static uint32_t resample_halo(const void *params)
{
    const resample_params *p = params;
    if (resample_is_area(p)) {
        /* The interval ends less than 1 + step/2 beyond the position's cell. */
        int64_t reach = resample_fixed(p->step) / 2 + RESAMPLE_ONE;
        return (uint32_t)((reach + RESAMPLE_ONE - 1) / RESAMPLE_ONE);
    }
    return p->step == 1 ? 0 : p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC ? 2 : 1;
}

static void resample_window(const void *params, uint32_t input, const terrain__box *out,
                            terrain__box *in)
{
    (void)input;
    resample_reach_all(params, out->x0, out->x1, &in->x0, &in->x1);
    resample_reach_all(params, out->y0, out->y1, &in->y0, &in->y1);
    in->x1++;
    in->y1++;
}

static void resample_result_box(const void *params, const terrain__box *in, terrain__box *out)
{
    const resample_params *p = params;
    int64_t step = resample_fixed(p->step);
    out->x0 = resample_first_at(in->x0, step);
    out->y0 = resample_first_at(in->y0, step);
    out->x1 = resample_first_at(in->x1, step);
    out->y1 = resample_first_at(in->y1, step);
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Row y of the source, from the first column that is read on; outside the map, the nearest row. */
static const float *resample_source(const terrain__call *call, int64_t y)
{
    const resample_job *job = call->job;
    return terrain__map_row(call, resample_index(y, call->map_y, call->map.height)) +
           job->first_column;
}

/* AREA by long steps: sums in double over rows, then over each column's span. */
static void resample_long_row(const terrain__call *call, uint32_t row, float *target, double *sums)
{
    const resample_params *p = call->params;
    const resample_job *job = call->job;
    const struct resample_kernels *kernels = terrain__resample_kernels(call->isa);
    int64_t step = resample_fixed(p->step);
    struct resample_span span = resample_span_of(resample_at(call->y + row, step), step);
    memset(sums, 0, job->column_count * sizeof *sums);
    for (int64_t y = span.first; y <= span.last; y++) {
        kernels->add_row(sums, resample_source(call, y), resample_weight(&span, y),
                         job->column_count);
    }
    double share = 1 / ((double)p->step * (double)p->step);
    for (uint32_t i = 0; i < call->target.width; i++) {
        const struct resample_span *s = &job->spans[i];
        double sum = 0;
        for (int64_t x = s->first; x <= s->last; x++) {
            uint32_t from = resample_index(x, call->map_x, call->map.width);
            sum += sums[from - job->first_column] * resample_weight(s, x);
        }
        target[i] = (float)(sum * share);
    }
}

/* Fills a row's padding with copies of its ends. */
static void resample_pad(float *row, uint32_t count)
{
    const float first = row[0], last = row[count - 1];
    for (uint32_t i = 0; i < RESAMPLE_PAD; i++) {
        row[(ptrdiff_t)i - RESAMPLE_PAD] = first;
        row[count + i] = last;
    }
}

static void resample_area_row(const terrain__call *call, uint32_t row, float *target, float *middle)
{
    const resample_params *p = call->params;
    const resample_job *job = call->job;
    const struct resample_kernels *kernels = terrain__resample_kernels(call->isa);
    const resample_position at = resample_at(call->y + row, resample_fixed(p->step));
    const struct resample_shares *shares = &job->shares;
    struct resample_shares own;
    const float *rows[RESAMPLE_AREA_TAPS];
    if (at.fraction != shares->fraction) {
        resample_set_shares(&own, p, at.fraction);
        shares = &own;
    }
    for (uint32_t k = 0; k < shares->count; k++) {
        rows[k] = resample_source(call, at.cell + shares->first + k);
    }
    if (p->step == 2) {
        kernels->half_rows(middle, rows, job->column_count);
    } else {
        kernels->area_rows(middle, resample_source(call, at.cell), rows, shares->weights,
                           shares->count, job->column_count);
    }
    resample_pad(middle, job->column_count);
    kernels->area_cells(target, middle, &job->area, call->target.width);
}

static void resample_point_row(const terrain__call *call, uint32_t row, float *target,
                               float *middle)
{
    const resample_params *p = call->params;
    const resample_job *job = call->job;
    const struct resample_kernels *kernels = terrain__resample_kernels(call->isa);
    resample_position at = resample_at(call->y + row, resample_fixed(p->step));
    struct resample_weights w = resample_weights_of(p, at.fraction);
    int64_t y = resample_cell_of(p, at);
    const float *rows[4];
    for (int k = 0; k < 4; k++) {
        rows[k] = resample_source(call, y + k - 1);
    }
    bool bicubic = p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC;
    if (w.b == 0) {
        memcpy(middle, rows[1], job->column_count * sizeof *middle);
    } else if (bicubic) {
        kernels->bicubic_rows(middle, rows, w.a, w.b, w.d, job->column_count);
    } else {
        kernels->bilinear_rows(middle, rows[1], rows[2], w.b, job->column_count);
    }
    resample_pad(middle, job->column_count);
    (bicubic ? kernels->bicubic_cells
     : p->filter == TERRAIN_SHAPE_RESAMPLE_FILTER_NEAREST
         ? kernels->nearest_cells
         : kernels->bilinear_cells)(target, middle, &job->taps, call->target.width);
}

static void resample_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const resample_job *job = call->job;
    const uint32_t width = call->target.width;
    float *row = terrain__target_row(call, y);
    float *target = job->lines != NULL ? job->lines + (size_t)task * width : row;
    if (job->spans != NULL) {
        resample_long_row(call, y, target, job->sums + task * job->row_length);
    } else if (job->area.most > 0) {
        resample_area_row(call, y, target, job->rows + task * job->row_length + RESAMPLE_PAD);
    } else {
        resample_point_row(call, y, target, job->rows + task * job->row_length + RESAMPLE_PAD);
    }
    if (job->lines != NULL) {
        const struct stream_kernels *stream = terrain__stream_kernels(call->isa);
        stream->row(row, target, width);
        stream->done();
    }
}

/* Makes rows where area.even is 2. Two rows at once are faster as long as the second-level cache
 * holds the map. With larger maps they are no faster, and slower if rows don't start at a cache
 * line. */
static void resample_half_band(terrain__call *call, uint32_t task)
{
    const resample_params *p = call->params;
    const resample_job *job = call->job;
    const struct resample_kernels *kernels = terrain__resample_kernels(call->isa);
    const struct stream_kernels *stream = terrain__stream_kernels(call->isa);
    const bool pairs = !terrain__is_far(call->map.width, call->map.height) && job->lines == NULL;
    const uint32_t width = call->target.width, end = terrain__band_end(&job->bands, task);
    struct resample_halves halves;
    uint32_t lines;
    for (uint32_t y = terrain__band_begin(&job->bands, task); y < end; y += lines) {
        const int64_t first = resample_at(call->y + y, resample_fixed(p->step)).cell - 1;
        float *target = terrain__target_row(call, y);
        lines = pairs && end - y > 1 ? 2 : 1;
        halves.targets[0] = job->lines != NULL ? job->lines + (size_t)task * width : target;
        halves.targets[1] = lines == 2 ? terrain__target_row(call, y + 1) : NULL;
        for (uint32_t k = 0; k < 5 + 4 * (lines - 1); k++) {
            halves.rows[k] = resample_source(call, first + k);
        }
        if (!kernels->half_cells(&halves, &job->area, job->column_count, width)) {
            lines = 1;
            resample_row(call, task, y);
        } else if (job->lines != NULL) {
            stream->row(target, halves.targets[0], width);
            stream->done();
        }
    }
}

/* ---- Columns --------------------------------------------------------------------------------- */

/* A cell's place in a padded row, clamped to the padding, beyond which all cells are the same. */
static int32_t resample_place(const terrain__call *call, int64_t cell)
{
    const resample_job *job = call->job;
    int64_t begin = call->map_x + job->first_column;
    int64_t least = begin - RESAMPLE_PAD + 1, most = begin + job->column_count;
    cell = cell < least ? least : cell;
    return (int32_t)((cell > most ? most : cell) - begin);
}

static int64_t resample_column(const terrain__call *call, uint32_t i)
{
    return call->x + (i < call->target.width ? i : call->target.width - 1);
}

static void resample_point_columns(const terrain__call *call, resample_job *job)
{
    const resample_params *p = call->params;
    const int64_t step = resample_fixed(p->step);
    float *a = job->weights, *b = a + job->columns, *d = b + job->columns;
    for (uint32_t i = 0; i < job->columns; i++) {
        resample_position at = resample_at(resample_column(call, i), step);
        struct resample_weights w = resample_weights_of(p, at.fraction);
        job->cells[i] = resample_place(call, resample_cell_of(p, at));
        a[i] = w.a;
        b[i] = w.b;
        d[i] = w.d;
    }
    struct resample_taps taps = {job->cells, a, b, d, p->step};
    job->taps = taps;
}

/* See struct resample_area. As no column's cell is farther from the one before than the step, the
 * first and the last column decide for all. */
static int32_t resample_even(const struct resample_area *area, uint32_t width)
{
    const int32_t step = area->step == 2 ? 2 : area->step == 3 ? 3 : 0, reach = step - 1;
    const int64_t first = area->first[0], end = first + (int64_t)step * (width - 1);
    const uint32_t cells = (uint32_t)(2 * reach + 1);
    const bool even = step > 0 && area->most == cells && area->always == cells &&
                      area->first[width - 1] == end && area->centre[0] == first + reach &&
                      first >= -reach && area->centre[width - 1] == end + reach;
    return even ? step : 0;
}

/* Finds the cells and shares of every `by`-th column before `end`. */
static struct resample_area resample_area_of(const terrain__call *call, const resample_job *job,
                                             uint32_t end, uint32_t by)
{
    const resample_params *p = call->params;
    const int64_t step = resample_fixed(p->step);
    int32_t *centre = job->cells, *first = centre + job->columns;
    struct resample_area area = {
        .centre = centre,
        .first = first,
        .weights = job->weights,
        .stride = job->columns,
        .always = RESAMPLE_AREA_TAPS,
        .step = p->step,
    };
    struct resample_shares shares = {.fraction = -1};
    const uint32_t most = resample_most_shares(p);
    for (size_t i = 0; i < end; i += by) {
        resample_position at = resample_at(resample_column(call, (uint32_t)i), step);
        if (at.fraction != shares.fraction) {
            resample_set_shares(&shares, p, at.fraction);
        }
        centre[i] = resample_place(call, at.cell);
        first[i] = resample_place(call, at.cell + shares.first);
        area.always = shares.count < area.always ? shares.count : area.always;
        area.most = shares.count > area.most ? shares.count : area.most;
        for (uint32_t k = 0; k < most; k++) {
            float *weight = &job->weights[k * (size_t)job->columns + i];
            *weight = k < shares.count ? shares.weights[k] : 0;
        }
    }
    return area;
}

/* If columns are even, the first and the last one are enough. */
static void resample_area_columns(const terrain__call *call, resample_job *job)
{
    const resample_params *p = call->params;
    const uint32_t width = call->target.width;
    if (p->step == 2 || p->step == 3) {
        job->area = resample_area_of(call, job, width, width > 1 ? width - 1 : 1);
        job->area.even = resample_even(&job->area, width);
    }
    if (job->area.even == 0) {
        job->area = resample_area_of(call, job, job->columns, 1);
    }
    resample_set_shares(&job->shares, p, resample_at(call->y, resample_fixed(p->step)).fraction);
}

static terrain_status resample_prepare(terrain__call *call)
{
    const resample_params *p = call->params;
    const bool is_area = resample_is_area(p), is_long = p->step > RESAMPLE_SHORT_STEP;
    const uint32_t tasks = terrain__row_tasks(call->target.height);
    const uint32_t widest = terrain__greater(call->map.width, call->target.width);
    resample_job *job = call->job;
    int64_t first, last;
    if (widest > RESAMPLE_MOST_COLUMNS) {
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED,
                             "a map has %lu columns, must have at most %lu", (unsigned long)widest,
                             (unsigned long)RESAMPLE_MOST_COLUMNS);
    }
    resample_reach_all(p, call->x, call->x + call->target.width, &first, &last);
    job->first_column = resample_index(first, call->map_x, call->map.width);
    job->column_count = resample_index(last, call->map_x, call->map.width) - job->first_column + 1;
    job->row_length = job->column_count + 2 * RESAMPLE_PAD + RESAMPLE_SLACK;
    if (terrain__should_stream(call->target.width, call->target.height)) {
        job->lines = terrain__scratch(call, call->target.width, tasks * sizeof *job->lines);
    }
    /* Nanoseconds a result cell, measured; AREA's time grows with the source cells. */
    terrain__commit_cost(call, is_area ? 0.1 * (double)p->step * (double)p->step : 0.3);
    call->result_cell_size = call->cell_size * p->step;
    if (!terrain__is_cell_size(call->result_cell_size)) {
        return terrain__fail(call, TERRAIN_ERROR_RANGE,
                             "the map's cell size times step must be in [1e-6, 1e+9]");
    }
    if (is_area && is_long) {
        job->spans = terrain__scratch(call, call->target.width, sizeof *job->spans);
        job->sums = terrain__scratch(call, job->row_length, tasks * sizeof *job->sums);
        return TERRAIN_SUCCESS;
    }
    job->columns = call->target.width + RESAMPLE_TAIL;
    job->cells = terrain__scratch(call, job->columns, (is_area ? 2 : 1) * sizeof *job->cells);
    job->weights = terrain__scratch(call, job->columns,
                                    (is_area ? resample_most_shares(p) : 3) * sizeof *job->weights);
    job->rows = terrain__scratch(call, job->row_length, tasks * sizeof *job->rows);
    return TERRAIN_SUCCESS;
}

static terrain_status resample_run(terrain__call *call)
{
    const resample_params *p = call->params;
    resample_job *job = call->job;
    if (job->spans != NULL) {
        const int64_t step = resample_fixed(p->step);
        for (uint32_t i = 0; i < call->target.width; i++) {
            job->spans[i] = resample_span_of(resample_at(call->x + i, step), step);
        }
    } else if (resample_is_area(p)) {
        resample_area_columns(call, job);
        if (job->area.even == 2 && terrain__resample_kernels(call->isa)->half_cells != NULL) {
            job->bands = terrain__bands_of(call->target.height, RESAMPLE_HALF_ROWS);
            return terrain__commit(call, job->bands.count, resample_half_band);
        }
    } else {
        resample_point_columns(call, job);
    }
    return terrain__commit_rows(call, resample_row);
}

const terrain_operation terrain__shape_resample = {
    TERRAIN__IDENTITY(shape, resample),
    .result_version = 2,
    .summary = "Resamples a map to a coarser or finer grid.",
    .reference = "Keys, Cubic Convolution Interpolation for Digital Image Processing, 1981",
    .arguments = {TERRAIN__READ(map), TERRAIN__WRITE_RESIZED(result)},
    .params_size = sizeof(resample_params),
    TERRAIN__PARAMETERS(resample_parameters),
    .job_size = sizeof(resample_job),
    .halo = resample_halo,
    .window = resample_window,
    .result_box = resample_result_box,
    .prepare = resample_prepare,
    .run = resample_run,
};

TERRAIN__PUBLIC_ANALYZE(shape_resample)
