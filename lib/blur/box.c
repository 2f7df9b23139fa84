/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur_box: the mean over a square window, at a cost that hardly grows with it.
 *
 * What is computed, first along each row and then along each column, for a radius r of whole cells:
 *
 *     m[x] = (h[x - r] + ... + h[x + r]) / (2 r + 1)
 *
 * (a radius that is not whole gives the cells at both ends the weight of its fraction;
 * tests/oracle/box.c says it in plain C). Up to BOX_DIRECT whole cells on either side are added one
 * by one: box_narrow.c. For wider windows, cells are cut into blocks as long as the window, and
 * sums run forward from each block's start and back from its end (van Herk, "A fast algorithm for
 * local minimum and maximum filters on rectangular and octagonal kernels", 1992). A window starts
 * in one block and ends in the next:
 *
 *     |  block       |  block       |
 *     |        [ window     ]       |
 *     |        <-----|                  the sum back from the block's end:       sums[x - r]
 *     |              |----->            the sum from the next block's start:     prefix
 *
 *     m[x] = reference + (sums[x - r] + prefix) / (2 r + 1)
 *
 * All sums are of differences from the reference, the last cell of the first block, which lies in
 * every window that starts in the block. So level ground stays level, and rounding errors grow with
 * the relief in the window, not with its height above zero. Nothing is ever subtracted from a sum
 * again: cells outside the window leave no trace, be they NaN, infinite or huge. Blocks are
 * anchored to world coordinates.
 *
 * The way through the map: strips of columns, a task for each, from top to bottom.
 *
 *     map, row y + r     ..................     16 rows are averaged across, some columns at a
 *                             | across          time, turned on their side (a vector then holds
 *                             |                 cells of one column)
 *                             v
 *     ring  y + r        ..................     2 r + 1 rows, which stay in the cache; once their
 *           ...          ..................     block is complete, the sums from its end replace
 *           y - r        ..................     them
 *                             | down            one addition to the prefix, one sum from the ring
 *                             v
 *     map, row y         ..................     may overwrite the row that was read */

#include <string.h>

#include "base/cache.h"
#include "blur/box.h"
#include "core/choices.h"
#include "rows/strips.h"
#include "terrain/blur.h"
#include "vector/transpose_kernels.h"

typedef terrain_blur_box_params box_params;

static const terrain_parameter box_parameters[] = {
    TERRAIN__MASK(box_params),
    TERRAIN__FLOAT(box_params, radius, "cells", 2, 0, 1024,
                   "The window is 2 radius + 1 cells wide; its outermost cells may count in part."),
    TERRAIN__ENUM(box_params, border, TERRAIN_BORDER_CLAMP, terrain__border,
                  "What lies beyond the edge of a bounded map."),
};

struct box_job {
    struct box_window window;
    uint32_t reach;
    struct box_narrow narrow; /* for a narrow window, which needs nothing else */
    terrain__strips strips;
    uint32_t ring_rows;
    uint32_t kept;         /* rows at either edge of the map that the border rule may need */
    float *inverse_across; /* 1 / the sum of weights in the window around each column of the map */
    float *inverse_down;   /* and around each row */
    /* For each strip: */
    terrain__plane ring;   /* the last rows averaged across, or the sums that replaced them */
    terrain__plane edges;  /* the first and the last `kept` rows, averaged across */
    terrain__plane turned; /* columns of BOX_GROUP cells: means, and a ring */
    terrain__plane state;  /* prefix and reference */
    size_t row_count;      /* of `rows` and `row_sums`: from row -reach to height + reach - 1 */
    const float **rows;    /* where each row is */
    float **row_sums;      /* where the sum from each row to the end of its block is */
    float **targets;       /* where each row of the target is */
};

static struct box_window box_window_of(const void *params)
{
    const box_params *p = params;
    struct box_window window = {.half = (uint32_t)p->radius};
    window.fraction = p->radius - (float)window.half;
    window.inverse = 1 / ((float)(2 * window.half + 1) + 2 * window.fraction);
    return window;
}

static uint32_t box_halo(const void *params)
{
    struct box_window window = box_window_of(params);
    return box_reach(&window);
}

/* ---- Strips ---------------------------------------------------------------------------------- */

/* Cuts the map into strips of columns, a task for each. A strip averages its rows across into a
 * ring of rows, and these down into the target, which may be the map. The columns beyond the strip
 * that its rows need are saved beforehand; strips are wide, so that these are few. Long rows are
 * faster, too: on one thread the ring of a wide window may exceed the second-level cache, though
 * not the third. If there may be a second thread, there are at least two strips. */
static terrain__bands box_strips(const terrain__call *call, uint32_t reach)
{
    enum { RING = 1 << 20 /* floats: 4 MiB, which third-level caches hold */ };
    const uint32_t width = call->map.width, half = width / 2 + width % 2;
    const uint32_t even = width / TERRAIN__MOST_TASKS + 1;
    uint32_t least = 8 * reach > 1024 ? 8 * reach : 1024;
    if (terrain__is_alone(call)) {
        const uint32_t most = RING / (2 * reach + 1);
        least = most > least ? most : least;
    } else if (half < least) {
        const uint32_t narrowest = 2 * reach > 256 ? 2 * reach : 256;
        least = half > narrowest ? half : narrowest;
    }
    least = even > least ? even : least;
    least = (least + BOX_GROUP - 1) / BOX_GROUP * BOX_GROUP;
    return terrain__bands_of(width, least);
}

/* ---- Across ---------------------------------------------------------------------------------- */

/* Columns that are turned, added up and turned back before the next ones follow: few enough to stay
 * in the first-level cache, together with those of a window. */
enum { BOX_STEP = 64 };

/* Slots of a ring of columns: for a window, the step that follows it, and what is turned ahead of
 * that; rounded up to whole steps. */
static uint32_t box_slots(uint32_t reach)
{
    return (2 * reach + 3 * BOX_STEP) / BOX_STEP * BOX_STEP;
}

/* The slot of the first column, such that the strip's own columns begin where a step does. */
static uint32_t box_lead(uint32_t reach)
{
    return (BOX_STEP - reach % BOX_STEP) % BOX_STEP;
}

/* Rows of a strip that are averaged across together, and how far that has got. */
struct box_group {
    const terrain__call *call;
    uint32_t index;
    uint32_t y, count;
    uint32_t width; /* of the strip */
    struct box_across walk;
    bool far;       /* cells are prefetched: a strip's parts of rows are short */
    uint32_t ready; /* columns that have been turned, from `reach` before the strip's first on */
};

/* Turns `count` columns beyond the strip, at most BOX_STEP, from its column x on: those that were
 * saved, or those that the border rule gives. Beyond an open border no column counts; copies of the
 * edge serve as the reference. */
static void box_turn_beyond(const struct box_group *group, int64_t x, uint32_t count, float *to)
{
    const terrain__call *call = group->call;
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    const int64_t begin = terrain__band_begin(&job->strips.bands, group->index);
    const struct transpose_kernels *kernels = terrain__transpose_kernels(call->isa);
    const float *saved = terrain__strips_saved(&job->strips, group->index, group->y, x >= 0);
    if (saved != NULL) {
        saved += x < 0 ? x + job->reach : x - group->width;
        kernels->cells(to, BOX_GROUP, saved, job->strips.saved.stride, group->count, count);
    } else if (p->border == TERRAIN_BORDER_CLAMP || p->border == TERRAIN_BORDER_OPEN) {
        const float *edge = terrain__map_row(call, group->y) + (x < 0 ? 0 : call->map.width - 1);
        kernels->cells(to, BOX_GROUP, edge, call->map.stride, group->count, 1);
        terrain__box_kernels(call->isa)->repeat(to + BOX_GROUP, to, count - 1);
    } else {
        float rows[BOX_GROUP][BOX_STEP];
        for (uint32_t row = 0; row < group->count; row++) {
            terrain__border_row(rows[row], begin + x, count, terrain__map_row(call, group->y + row),
                                call->map.width, p->border);
        }
        kernels->cells(to, BOX_GROUP, rows[0], BOX_STEP, group->count, count);
    }
}

/* Turns columns until `ready` of them are, and prefetches the next ones. */
static void box_turn(struct box_group *group, uint32_t ready)
{
    const terrain__call *call = group->call;
    const struct box_job *job = call->job;
    const float *cells =
        terrain__map_row(call, group->y) + terrain__band_begin(&job->strips.bands, group->index);
    while (group->ready < ready) {
        const int64_t reach = job->reach, width = group->width, x = group->ready - reach;
        const uint32_t slot = (group->ready + box_lead(job->reach)) % group->walk.slots;
        const int64_t left = (x < 0 ? 0 : x < width ? width : width + reach) - x;
        const uint32_t step = BOX_STEP - slot % BOX_STEP;
        const uint32_t count = left < step ? (uint32_t)left : step;
        float *to = group->walk.ring + slot * BOX_GROUP;
        if (x < 0 || x >= width) {
            box_turn_beyond(group, x, count, to);
        } else {
            terrain__transpose_kernels(call->isa)->cells(to, BOX_GROUP, cells + x, call->map.stride,
                                                         group->count, count);
            for (uint32_t row = 0; group->far && left >= 2 * BOX_STEP && row < group->count;
                 row++) {
                terrain__prefetch_far(cells + row * call->map.stride + x + BOX_STEP,
                                      BOX_STEP * sizeof *to);
            }
        }
        group->ready += count;
    }
}

/* Averages rows y to y + count - 1 of the map, at most BOX_GROUP, across a wide window. */
static void box_across_group(const terrain__call *call, uint32_t index, uint32_t y, uint32_t count,
                             float *target, size_t stride)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    const struct box_kernels *kernels = terrain__box_kernels(call->isa);
    const uint32_t reach = job->reach;
    const uint32_t begin = terrain__band_begin(&job->strips.bands, index);
    const int64_t first = call->x + (int64_t)begin - (int64_t)reach;
    float *means = terrain__plane_row(&job->turned, index);
    struct box_group group = {
        .call = call,
        .index = index,
        .y = y,
        .count = count,
        .width = terrain__band_end(&job->strips.bands, index) - begin,
        .far = terrain__is_far(call->map.width, call->map.height),
        .walk = {.ring = means + BOX_STEP * BOX_GROUP,
                 .slots = box_slots(reach),
                 .reach = reach,
                 .fraction = job->window.fraction,
                 .open = p->border == TERRAIN_BORDER_OPEN,
                 .first = (int64_t)reach - (int64_t)begin,
                 .last = (int64_t)reach - (int64_t)begin + (int64_t)call->map.width - 1,
                 .slot = box_lead(reach),
                 .place = (uint32_t)terrain__floor_mod(first, 2 * (int64_t)reach + 1)},
    };
    if (count < BOX_GROUP) { /* lanes without a row are computed, too */
        memset(means, 0, job->turned.stride * sizeof *means);
    }
    for (uint32_t x = 0; x < 2 * reach; x += BOX_STEP) {
        const uint32_t step = 2 * reach - x < BOX_STEP ? 2 * reach - x : BOX_STEP;
        box_turn(&group, x + step);
        kernels->across(&group.walk, NULL, NULL, step);
    }
    for (uint32_t x = 0; x < group.width; x += BOX_STEP) {
        const uint32_t step = group.width - x < BOX_STEP ? group.width - x : BOX_STEP;
        box_turn(&group, x + step + 2 * reach);
        kernels->across(&group.walk, means, job->inverse_across + begin + x, step);
        terrain__transpose_kernels(call->isa)->cells(target + x, stride, means, BOX_GROUP, step,
                                                     count);
    }
}

/* ---- Down ------------------------------------------------------------------------------------ */

/* The ring's row for row y, which is -reach or more. It counts from a multiple of BOX_GROUP, so
 * that the rows of a group are neighbours. */
static float *box_ring_row(const struct box_job *job, uint32_t index, int64_t y)
{
    const terrain__ring ring = {terrain__plane_row(&job->ring, (int64_t)index * job->ring_rows),
                                job->ring.stride, job->ring_rows};
    return terrain__ring_row(&ring, y + (job->reach + BOX_GROUP - 1) / BOX_GROUP * BOX_GROUP);
}

/* The copy of row y, one of the first or the last `kept` rows of the map. */
static float *box_edge_row(const struct box_job *job, uint32_t index, uint32_t y, uint32_t height)
{
    size_t copies = job->edges.height / job->strips.bands.count;
    size_t row = y < job->kept ? y : y - (height - copies);
    return terrain__plane_row(&job->edges, (int64_t)(index * copies + row));
}

/* A strip whose rows are summed down. `reach` more rows lie beyond either edge. */
struct box_rows {
    const struct box_kernels *kernels;
    const float **cells; /* from row -reach on; rows that don't count are the reference */
    float **sums;        /* from row -reach on: sums; the ring's rows, whose cells they replace */
    float **targets;     /* from row 0 on */
    float *prefix;       /* of the block that is not complete yet */
    float *reference;    /* the last row of the block before */
    uint32_t columns;
    int64_t height; /* of the map */
    bool begun;     /* there is a block before */
};

static struct box_rows box_rows_of(const terrain__call *call, uint32_t index)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    int64_t height = call->map.height;
    uint32_t begin = terrain__band_begin(&job->strips.bands, index);
    struct box_rows rows = {
        .kernels = terrain__box_kernels(call->isa),
        .cells = job->rows + index * job->row_count,
        .sums = job->row_sums + index * job->row_count,
        .targets = job->targets + (size_t)index * call->map.height,
        .prefix = terrain__plane_row(&job->state, (int64_t)index * 2),
        .reference = terrain__plane_row(&job->state, (int64_t)index * 2 + 1),
        .columns = terrain__band_end(&job->strips.bands, index) - begin,
        .height = height,
    };
    for (size_t i = 0; i < job->row_count; i++) {
        int64_t y = (int64_t)i - (int64_t)job->reach;
        int64_t row = terrain__border_cell(y, height, p->border);
        rows.sums[i] = box_ring_row(job, index, y);
        if (y >= 0 && y < height) {
            rows.cells[i] = rows.sums[i];
            rows.targets[y] = terrain__target_row(call, y) + begin;
        } else {
            rows.cells[i] = row < 0 ? rows.reference
                                    : box_edge_row(job, index, (uint32_t)row, call->map.height);
        }
    }
    return rows;
}

/* Adds rows `begin` to end - 1, which `cells` holds, to the prefix. Each row ends a window; the
 * windows' targets are all rows of the map or all beyond it. A window without its outermost rows
 * starts `within` rows later. */
static void box_add_rows(const struct box_job *job, const struct box_rows *rows,
                         const float *const *cells, int64_t begin, int64_t end, int64_t within)
{
    int64_t target = begin - (int64_t)job->reach;
    struct box_batch batch = {.cells = cells,
                              .prefix = rows->prefix,
                              .reference = rows->reference,
                              .fraction = job->window.fraction,
                              .count = (uint32_t)(end - begin),
                              .columns = rows->columns};
    if (target >= 0) {
        batch.targets = rows->targets + target;
        batch.sums = rows->sums + target;
        batch.inner = batch.sums + within;
        batch.inverse = job->inverse_down + target;
        batch.last = (uint32_t)(rows->height - 1 - target);
    }
    rows->kernels->add(&batch);
}

/* Adds rows `begin` to end - 1 of the block that ends with row `last`, that row excluded. The
 * window that ends with row last - 1 starts with the reference, whose sum is 0; so is the sum of
 * what the block before has of that window without its outermost rows. */
static void box_continue_block(const struct box_job *job, const struct box_rows *rows,
                               int64_t begin, int64_t end, int64_t last)
{
    int64_t reach = job->reach;
    while (begin < end) {
        bool final = begin == last - 1;
        int64_t until = !final && end == last && job->window.fraction > 0 ? last - 1 : end;
        until = begin < reach && reach < until ? reach : until;
        box_add_rows(job, rows, rows->cells + (begin + reach), begin, until, final ? 0 : 1);
        begin = until;
    }
}

/* Ends the block whose last row is `last`: makes the sums back from there, and the mean of the
 * window that is the whole block. Where `last` is beyond an open border, the row at the edge is the
 * reference. */
static void box_end_block(const struct box_job *job, struct box_rows *rows, int64_t last,
                          uint32_t height)
{
    int64_t reach = job->reach;
    int64_t first = last > reach ? last - 2 * reach : -reach;
    size_t bytes = rows->columns * sizeof(float);
    const float *level = rows->reference;
    const float *from = rows->cells[last + reach];
    if (from == level) {
        from = rows->cells[(last < 0 ? 0 : (int64_t)height - 1) + reach];
    }
    memcpy(rows->reference, from, bytes);
    memset(rows->sums[last + reach], 0, bytes);
    memset(rows->prefix, 0, bytes);
    rows->kernels->fold(rows->sums + (first + reach), rows->cells + (first + reach),
                        rows->reference, (uint32_t)(last - first), rows->columns);
    rows->begun = true;
    if (last >= reach) {
        box_add_rows(job, rows, &level, last, last + 1, 1);
    }
}

/* Adds rows `begin` to end - 1, which follow those added before, and writes the rows of the target
 * whose windows they complete. */
static void box_down(const terrain__call *call, struct box_rows *rows, int64_t begin, int64_t end)
{
    const struct box_job *job = call->job;
    int64_t length = 2 * (int64_t)job->reach + 1;
    while (begin < end) {
        int64_t last = begin + length - 1 - terrain__floor_mod(call->y + begin, length);
        if (rows->begun) {
            box_continue_block(job, rows, begin, last < end ? last : end, last);
        }
        if (last < end) {
            box_end_block(job, rows, last, call->map.height);
        }
        begin = last + 1;
    }
}

/* Averages the next rows across into the ring, and returns how many. Those that the border rule may
 * need are copied, as sums will replace them in the ring. */
static uint32_t box_fill_ring(const terrain__call *call, uint32_t index, uint32_t y)
{
    const struct box_job *job = call->job;
    uint32_t height = call->map.height;
    uint32_t count = height - y < BOX_GROUP ? height - y : BOX_GROUP;
    size_t columns = terrain__band_end(&job->strips.bands, index) -
                     terrain__band_begin(&job->strips.bands, index);
    box_across_group(call, index, y, count, box_ring_row(job, index, y), job->ring.stride);
    for (uint32_t end = y + count; y < end; y++) {
        if (y < job->kept || height - y <= job->kept) {
            memcpy(box_edge_row(job, index, y, height), box_ring_row(job, index, y),
                   columns * sizeof(float));
        }
    }
    return count;
}

static void box_strip(terrain__call *call, uint32_t index)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    struct box_rows rows = box_rows_of(call, index);
    const uint32_t height = call->map.height;
    const int64_t below = (int64_t)height + job->reach;
    uint32_t next = 0;
    if (p->border == TERRAIN_BORDER_WRAP) { /* the last rows come before the first one */
        for (uint32_t y = height - job->kept; y < height; y += BOX_GROUP) {
            box_across_group(call, index, y, height - y < BOX_GROUP ? height - y : BOX_GROUP,
                             box_edge_row(job, index, y, height), job->edges.stride);
        }
    }
    while (next < job->kept) {
        next += box_fill_ring(call, index, next);
    }
    for (int64_t y = -(int64_t)job->reach, end; y < below; y = end) {
        if (y == next && next < height) {
            next += box_fill_ring(call, index, next);
        }
        end = next < height ? next : below;
        box_down(call, &rows, y, end);
    }
}

/* ---- A call ---------------------------------------------------------------------------------- */

/* 1 / the sum of weights in the window around each of `count` rows or columns. */
static float *box_inverse(terrain__call *call, uint32_t count)
{
    const struct box_job *job = call->job;
    const box_params *p = call->params;
    float *inverse = terrain__scratch(call, count, sizeof *inverse);
    for (uint32_t i = 0; inverse != NULL && i < count; i++) {
        bool open = p->border == TERRAIN_BORDER_OPEN;
        inverse[i] = open ? (float)(1 / box_inside(&job->window, i, count)) : job->window.inverse;
    }
    return inverse;
}

static void box_prepare_wide(terrain__call *call)
{
    const box_params *p = call->params;
    struct box_job *job = call->job;
    const uint32_t height = call->map.height, reach = job->reach;
    job->strips.bands = box_strips(call, reach);
    job->strips.reach = reach;
    /* Beyond an open border no column counts, and the reference is the edge. */
    job->strips.border = p->border == TERRAIN_BORDER_OPEN ? TERRAIN_BORDER_CLAMP : p->border;
    const uint32_t strips = job->strips.bands.count;
    const uint32_t columns = terrain__lesser(job->strips.bands.rows_per_band, call->map.width);
    job->ring_rows = 2 * (reach + BOX_GROUP) / BOX_GROUP * BOX_GROUP;
    job->kept = terrain__border_repeats(p->border) ? terrain__lesser(reach, height) : 1;
    const uint32_t copies = terrain__lesser(2 * job->kept, height);
    job->row_count = (size_t)height + 2 * reach;
    terrain__strips_prepare(call, &job->strips);
    job->ring = terrain__scratch_plane(call, columns, strips * job->ring_rows);
    job->edges = terrain__scratch_plane(call, columns, strips * copies);
    job->state = terrain__scratch_plane(call, columns, strips * 2);
    job->rows = terrain__scratch(call, strips * job->row_count, sizeof *job->rows);
    job->row_sums = terrain__scratch(call, strips * job->row_count, sizeof *job->row_sums);
    job->targets = terrain__scratch(call, (size_t)strips * height, sizeof *job->targets);
    job->turned = terrain__scratch_plane(call, (BOX_STEP + box_slots(reach)) * BOX_GROUP, strips);
    job->inverse_across = box_inverse(call, call->map.width);
    job->inverse_down = box_inverse(call, height);
    terrain__expect_passes(call, terrain__strips_passes(&job->strips) + 1);
}

static terrain_status box_prepare(terrain__call *call)
{
    const box_params *p = call->params;
    struct box_job *job = call->job;
    job->window = box_window_of(p);
    job->reach = box_reach(&job->window);
    if (job->window.half > BOX_DIRECT) {
        box_prepare_wide(call);
    } else if (job->reach > 0) {
        terrain__box_narrow_prepare(call, &job->narrow, &job->window, p->border);
    }
    terrain__commit_cost(call, 1);
    return TERRAIN_SUCCESS;
}

static terrain_status box_run(terrain__call *call)
{
    const struct box_job *job = call->job;
    if (job->reach == 0) {
        return terrain__commit_copy(call);
    }
    if (job->window.half <= BOX_DIRECT) {
        return terrain__box_narrow_run(call, &job->narrow);
    }
    terrain_status status = terrain__strips_save(call, &job->strips);
    return status == TERRAIN_SUCCESS ? terrain__commit(call, job->strips.bands.count, box_strip)
                                     : status;
}

const terrain_operation terrain__blur_box = {
    TERRAIN__IDENTITY(blur, box),
    .result_version = 1,
    .summary = "Takes the mean over a square window.",
    .reference = "van Herk, A fast algorithm for local minimum and maximum filters on rectangular "
                 "and octagonal kernels, 1992",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(box_params),
    TERRAIN__PARAMETERS(box_parameters),
    .job_size = sizeof(struct box_job),
    .halo = box_halo,
    .prepare = box_prepare,
    .run = box_run,
};

TERRAIN__PUBLIC_CHANGE(blur_box)
