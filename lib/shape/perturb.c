/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_perturb: Olsen's perturbation filter ("Realtime Procedural Terrain Generation", 2004). His
 * two noises were one and its transpose, which leaves the diagonal as an axis of symmetry; these
 * are independent. They are made as Miller makes terrain ("The definition and rendering of terrain
 * maps", SIGGRAPH 1986), by squares from squares: smooth where midpoint displacement has creases,
 * and at a cost that doesn't grow with the octaves.
 *
 * The way through the map: strips of columns, a task for each, from top to bottom. A strip keeps
 * the last rows as they were, with what lies on both sides, in a ring:
 *
 *        strip                    ring, in the second-level cache
 *     ..|.........|..             +-----------------+
 *     ~~|.........|~~    rows     |                 |  `pad` rows above the piece
 *     ~~|####|....|~~    with     |   ####          |  64 rows: a piece, made of patches of 256
 *     ~~|####|....|~~    pad ->   |   ####          |  columns, one after another
 *     ~~|####|....|~~    cells    |                 |  `pad` rows below
 *     ~~|.........|~~    more     +-----------------+
 *
 * ~, the cells of other strips, are saved before any is overwritten. */

#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "core/choices.h"
#include "rows/rows.h"
#include "rows/strips.h"
#include "shape/perturb_kernels.h"
#include "terrain/shape.h"

typedef terrain_shape_perturb_params perturb_params;

enum {
    PERTURB_MOST_PERIOD = 65536,
    PERTURB_LEVELS = 17, /* 65536 to 1 */
    /* A patch's squares, down to those of 2 cells, stay in the first or second cache. */
    PERTURB_PATCH_WIDTH = 256,
    PERTURB_PATCH_HEIGHT = 64,
    /* The most squares of 2 cells, or of any level above, that a patch needs: one more on either
     * side than it touches, and a column on either side to make pairs. */
    PERTURB_COLUMNS = PERTURB_PATCH_WIDTH / 2 + 5,
    PERTURB_ROWS = PERTURB_PATCH_HEIGHT / 2 + 3,
    PERTURB_STRIDE = (PERTURB_COLUMNS + PERTURB_OVERRUN + 15) / 16 * 16,
    /* One before a row may be read, and a vector behind it. */
    PERTURB_BEFORE = 16,
    PERTURB_SQUARES = PERTURB_BEFORE + PERTURB_ROWS * PERTURB_STRIDE + PERTURB_OVERRUN,
    PERTURB_LINE = PERTURB_PATCH_WIDTH + 16 + PERTURB_OVERRUN,
    /* The ring has row -1 and, behind the last row, rows 0 and 1 once more. */
    PERTURB_TWICE = 3
};

static const char *const perturb_filter_names[] = {"bilinear", "bicubic", "bicubic_clamped"};
static const char *const perturb_filter_docs[] = {
    "linear between 2 x 2 cells: no new highs or lows",
    "Catmull-Rom through 4 x 4 cells: smooth slopes, may overshoot",
    "bicubic, clamped to the cells around: never overshoots",
};

static const terrain_parameter perturb_parameters[] = {
    TERRAIN__SEED(perturb_params),
    TERRAIN__MASK(perturb_params),
    TERRAIN__MAP_IN(
        perturb_params, shift_x,
        "Replaces the noise: how many cells to the right of each cell its height is taken from."),
    TERRAIN__MAP_IN(perturb_params, shift_y,
                    "Replaces the noise: how many cells below each cell its height is taken from."),
    TERRAIN__FLOAT(perturb_params, reach, "cells", 64, 0, 1024, "The largest shift."),
    TERRAIN__UINT32(perturb_params, period, "cells", 128, 2, PERTURB_MOST_PERIOD,
                    "Size of the noise's features, a power of two.",
                    .scaling = TERRAIN_SCALING_LATTICE, TERRAIN__POWER_OF_TWO),
    TERRAIN__UINT32(
        perturb_params, octaves, "", 5, 1, PERTURB_LEVELS,
        "Octaves of noise, each with half the size of the one before, down to single cells.",
        .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(perturb_params, gain, "", 0.5, 0, 1,
                   "Factor of the amplitude from octave to octave."),
    TERRAIN__ENUM(perturb_params, filter, TERRAIN_SHAPE_PERTURB_FILTER_BICUBIC_CLAMPED,
                  perturb_filter, "How heights between cells are interpolated."),
    TERRAIN__ENUM(perturb_params, border, TERRAIN_BORDER_MIRROR, terrain__border,
                  "What lies beyond the edge of a bounded map."),
};

/* Scratch of a task. */
struct perturb_work {
    float squares[2][2][PERTURB_SQUARES]; /* of x and y; of two levels in turn */
    float noise[2][PERTURB_LINE];
    float shift[2][PERTURB_LINE];
};

struct perturb_job {
    uint32_t pad; /* cells that may be read around each */
    terrain__strips strips;
    terrain__rows rows;   /* of the map */
    uint32_t ring_rows;   /* without those that are there twice */
    terrain__plane rings; /* one for each task */
    uint32_t last;        /* level whose squares are cells */
    uint32_t random;      /* levels with random numbers */
    uint64_t streams[PERTURB_LEVELS];
    float weights[PERTURB_LEVELS]; /* gain^k */
    float scale;                   /* from the sum to t */
    struct perturb_work *work;     /* one for each task */
};

/* A task's part of the job, and the strip that it is at. */
struct perturb_strip {
    struct perturb_work *work;
    float *ring; /* row 0 */
    uint32_t index;
    uint32_t column;
    uint32_t columns;
};

/* ---- Noise ----------------------------------------------------------------------------------- */

/* Cells, or squares of a level that they are made from, in the level's own coordinates. */
struct perturb_patch {
    int64_t x, y;
    uint32_t width, height;
    float *squares[2];
};

static void perturb_add_row(const struct perturb_job *job, const struct perturb_kernels *kernels,
                            uint32_t level, int64_t x, int64_t y, uint32_t width,
                            float *const to[2])
{
    uint64_t row = terrain__random_row(job->streams[level], y);
    for (uint32_t i = 0, count; i < width; i += count) {
        count = terrain__random_run(x + i, width - i);
        kernels->add(to[0] + i, to[1] + i, terrain__random_column(row, x + i), (uint32_t)(x + i),
                     job->weights[level], count);
    }
}

/* Makes squares x to x + width - 1 (x and width are even) of row y of a level from the squares of
 * the level above. */
static void perturb_row_of_level(const struct perturb_job *job,
                                 const struct perturb_kernels *kernels,
                                 const struct perturb_patch *above, uint32_t level, int64_t x,
                                 int64_t y, uint32_t width, float *const to[2])
{
    int64_t row = terrain__floor_div(y, 2) - above->y;
    int64_t column = x / 2 - above->x;
    for (int axis = 0; axis < 2; axis++) {
        const float *near = above->squares[axis] + row * PERTURB_STRIDE + column;
        const float *far = (y & 1) == 0 ? near - PERTURB_STRIDE : near + PERTURB_STRIDE;
        kernels->refine(to[axis], near, far, width / 2);
    }
    if (level < job->random) {
        perturb_add_row(job, kernels, level, x, y, width, to);
    }
}

/* The squares of the level above that some squares need. Columns are pairs but on level 0. */
static struct perturb_patch perturb_patch_above(const struct perturb_patch *patch, uint32_t level)
{
    struct perturb_patch above = *patch;
    int64_t right = terrain__floor_div(patch->x + patch->width - 1, 2) + 2;
    int64_t bottom = terrain__floor_div(patch->y + patch->height - 1, 2) + 2;
    above.x = terrain__floor_div(patch->x, 2) - 1;
    above.y = terrain__floor_div(patch->y, 2) - 1;
    if (level > 1) {
        above.x -= above.x & 1;
        right += right & 1;
    }
    above.width = (uint32_t)(right - above.x);
    above.height = (uint32_t)(bottom - above.y);
    return above;
}

/* The squares of 2 cells around a patch of cells. */
static struct perturb_patch perturb_squares(const terrain__call *call, struct perturb_work *work,
                                            const struct perturb_patch *cells)
{
    const struct perturb_job *job = call->job;
    const struct perturb_kernels *kernels = terrain__perturb_kernels(call->isa);
    struct perturb_patch patches[PERTURB_LEVELS];
    patches[job->last] = *cells;
    for (uint32_t k = job->last; k > 0; k--) {
        patches[k - 1] = perturb_patch_above(&patches[k], k);
        patches[k - 1].squares[0] = work->squares[k & 1][0] + PERTURB_BEFORE;
        patches[k - 1].squares[1] = work->squares[k & 1][1] + PERTURB_BEFORE;
    }
    for (uint32_t k = 0; k < job->last; k++) {
        const struct perturb_patch *patch = &patches[k];
        for (uint32_t i = 0; i < patch->height; i++) {
            size_t place = (size_t)i * PERTURB_STRIDE;
            float *to[2] = {patch->squares[0] + place, patch->squares[1] + place};
            if (k > 0) {
                perturb_row_of_level(job, kernels, patch - 1, k, patch->x, patch->y + i,
                                     patch->width, to);
                continue;
            }
            memset(to[0], 0, patch->width * sizeof(float));
            memset(to[1], 0, patch->width * sizeof(float));
            perturb_add_row(job, kernels, 0, patch->x, patch->y + i, patch->width, to);
        }
    }
    return patches[job->last - 1];
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Shifts of `width` cells from (x, y) on, counted from the map's first cell. */
static void perturb_set_shifts(const terrain__call *call, struct perturb_work *work,
                               const struct perturb_patch *squares, uint32_t x, uint32_t y,
                               uint32_t width)
{
    const perturb_params *p = call->params;
    const struct perturb_job *job = call->job;
    const struct perturb_kernels *kernels = terrain__perturb_kernels(call->isa);
    const terrain_heightmap *given[2] = {p->shift_x, p->shift_y};
    if (given[0] == NULL && given[1] == NULL) {
        float *noise[2] = {work->noise[0], work->noise[1]};
        int64_t first = call->x + x;
        int64_t even = first - (first & 1);
        uint32_t skip = (uint32_t)(first - even);
        perturb_row_of_level(job, kernels, squares, job->last, even, call->y + y,
                             (width + skip + 1) / 2 * 2, noise);
        kernels->shift(work->shift[0], noise[0] + skip, job->scale, p->reach, width);
        kernels->shift(work->shift[1], noise[1] + skip, job->scale, p->reach, width);
        return;
    }
    for (int axis = 0; axis < 2; axis++) {
        terrain__view view = terrain__view_of(given[axis]);
        if (view.cells == NULL) {
            memset(work->shift[axis], 0, width * sizeof(float));
        } else {
            kernels->limit(work->shift[axis], view.cells + y * view.stride + x, p->reach, width);
        }
    }
}

static void perturb_do_patch(const terrain__call *call, const struct perturb_strip *strip,
                             uint32_t x, uint32_t y, uint32_t width, uint32_t height)
{
    const perturb_params *p = call->params;
    const struct perturb_job *job = call->job;
    const struct perturb_kernels *kernels = terrain__perturb_kernels(call->isa);
    struct perturb_work *work = strip->work;
    struct perturb_patch patch = {call->x + x, call->y + y, width, height, {NULL, NULL}};
    struct perturb_patch squares = {0};
    if (p->shift_x == NULL && p->shift_y == NULL) {
        squares = perturb_squares(call, work, &patch);
    }
    for (uint32_t i = y; i < y + height; i++) {
        const uint32_t soon = i + PERTURB_PATCH_HEIGHT + job->pad; /* of the next piece */
        if (soon < call->map.height) {
            terrain__prefetch(terrain__map_row(call, soon) + x, width * sizeof(float));
        }
        struct perturb_row row = {
            .target = terrain__target_row(call, i) + x,
            .ring = strip->ring + job->pad + (x - strip->column),
            .stride = (uint32_t)job->rings.stride,
            .rows = job->ring_rows,
            .row = i % job->ring_rows + job->pad,
            .width = width,
            .shift_x = work->shift[0],
            .shift_y = work->shift[1],
        };
        perturb_set_shifts(call, work, &squares, x, i, width);
        (p->filter == TERRAIN_SHAPE_PERTURB_FILTER_BILINEAR  ? kernels->bilinear
         : p->filter == TERRAIN_SHAPE_PERTURB_FILTER_BICUBIC ? kernels->bicubic
                                                             : kernels->bicubic_clamped)(&row);
    }
}

/* ---- Strips ---------------------------------------------------------------------------------- */

/* So wide that their neighbours' cells are few, and so narrow that a ring with the usual reach
 * takes half a megabyte. If there may be a second thread, strips are half as wide. */
static terrain__bands perturb_strips(const terrain__call *call)
{
    const struct perturb_job *job = call->job;
    uint32_t most = terrain__is_alone(call) ? 512 : 256;
    most = 4 * job->pad > most ? 4 * job->pad : most;
    const uint32_t width = call->map.width, count = terrain__divide_up(width, most);
    return terrain__bands_of(width, terrain__divide_up(width, count));
}

/* The ring's place of row y, which may be one of `pad` above the map. */
static uint32_t perturb_place(const struct perturb_job *job, int64_t y)
{
    return (uint32_t)(y + job->pad) % job->ring_rows;
}

/* Row y, with its border on both sides, goes into the ring. Rows below a mirrored edge are there
 * already. */
static void perturb_keep_row(const terrain__call *call, const struct perturb_strip *strip,
                             int64_t y)
{
    const perturb_params *p = call->params;
    const struct perturb_job *job = call->job;
    const size_t stride = job->rings.stride, ring = job->ring_rows * stride;
    const size_t bytes = ((size_t)strip->columns + 2 * job->pad) * sizeof(float);
    const int64_t from = terrain__border_cell(y, call->map.height, p->border);
    const uint32_t place = perturb_place(job, y);
    float *to = strip->ring + place * stride;
    if (from < 0) {
        memset(to, 0, bytes);
    } else if (y >= call->map.height && p->border != TERRAIN_BORDER_WRAP) {
        memcpy(to, strip->ring + perturb_place(job, from) * stride, bytes);
    } else {
        terrain__strips_row(call, &job->strips, strip->index, (uint32_t)from,
                            terrain__rows_at(&job->rows, 0, y), NULL, to);
    }
    if (place < 2) {
        memcpy(to + ring, to, bytes);
    } else if (place == job->ring_rows - 1) {
        memcpy(to - ring, to, bytes);
    }
}

static void perturb_strip(const terrain__call *call, const struct perturb_strip *strip)
{
    const struct perturb_job *job = call->job;
    const uint32_t end = strip->column + strip->columns;
    int64_t kept = -(int64_t)job->pad; /* the next row that goes into the ring */
    for (uint32_t y = 0, height; y < call->map.height; y += height) {
        height = terrain__lesser(call->map.height - y, PERTURB_PATCH_HEIGHT);
        for (; kept < (int64_t)y + height + job->pad; kept++) {
            perturb_keep_row(call, strip, kept);
        }
        for (uint32_t x = strip->column, width; x < end; x += width) {
            width = terrain__lesser(end - x, PERTURB_PATCH_WIDTH);
            perturb_do_patch(call, strip, x, y, width, height);
        }
    }
}

static void perturb_task(terrain__call *call, uint32_t index)
{
    const struct perturb_job *job = call->job;
    const terrain__bands *bands = &job->strips.bands;
    struct perturb_strip strip = {
        .work = job->work + index,
        .ring = terrain__plane_row(&job->rings, (int64_t)index * (job->ring_rows + PERTURB_TWICE)) +
                job->rings.stride,
        .index = index,
        .column = terrain__band_begin(bands, index),
        .columns = terrain__band_end(bands, index) - terrain__band_begin(bands, index),
    };
    perturb_strip(call, &strip);
}

/* ---- The call -------------------------------------------------------------------------------- */

/* In whole cells, rounded up. */
static uint32_t perturb_reach(const perturb_params *p)
{
    uint32_t whole = (uint32_t)p->reach;
    return whole + ((float)whole < p->reach);
}

static uint32_t perturb_halo(const void *params)
{
    const perturb_params *p = params;
    uint32_t reach = perturb_reach(p);
    return reach == 0 ? 0 : reach + (p->filter != TERRAIN_SHAPE_PERTURB_FILTER_BILINEAR);
}

static void perturb_set_levels(const perturb_params *p, struct perturb_job *job)
{
    double weight = 1, sum = 0;
    while (p->period >> job->last > 1) {
        job->last++;
    }
    job->random = p->octaves < job->last + 1 ? p->octaves : job->last + 1;
    for (uint32_t k = 0; k < job->random; k++) {
        job->streams[k] = terrain__random_stream(p->seed, TERRAIN__KEY_shape_perturb,
                                                 TERRAIN__DRAW_PERTURB_LEVEL + k);
        job->weights[k] = (float)weight;
        sum += weight;
        weight *= (double)p->gain;
    }
    job->scale = (float)(1.5 / sum);
}

static terrain_status perturb_prepare(terrain__call *call)
{
    const perturb_params *p = call->params;
    struct perturb_job *job = call->job;
    /* A place at the reach reads one more cell with a weight of 0, two if bicubic. */
    job->pad = perturb_reach(p) + 2;
    job->strips.bands = perturb_strips(call);
    job->strips.reach = job->pad;
    job->strips.border = p->border;
    job->ring_rows = terrain__lesser(call->map.height, PERTURB_PATCH_HEIGHT) + 2 * job->pad;
    const uint32_t tasks = job->strips.bands.count, rows = job->ring_rows + PERTURB_TWICE;
    const uint32_t columns = job->strips.bands.rows_per_band + 2 * job->pad + PERTURB_OVERRUN;
    if (columns > INT32_MAX / rows - 32) { /* kernels count a ring's cells in 31 bits */
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED,
                             "the map is %lux%lu, has too many columns for its reach",
                             (unsigned long)call->map.width, (unsigned long)call->map.height);
    }
    perturb_set_levels(p, job);
    terrain__strips_prepare(call, &job->strips);
    job->rows.view = call->map;
    job->rows.border = p->border;
    job->rows.in_place = p->border == TERRAIN_BORDER_WRAP;
    terrain__rows_prepare(call, &job->rows, terrain__bands_of(call->map.height, call->map.height),
                          job->rows.in_place ? job->pad : 0);
    job->rings = terrain__scratch_plane(call, columns, tasks * rows);
    job->work = terrain__scratch(call, tasks, sizeof *job->work);
    terrain__expect_passes(call, terrain__strips_passes(&job->strips) +
                                     terrain__rows_passes(&job->rows) + 1);
    terrain__commit_cost(call, p->filter == TERRAIN_SHAPE_PERTURB_FILTER_BILINEAR ? 1.5 : 3);
    return TERRAIN_SUCCESS;
}

static terrain_status perturb_run(terrain__call *call)
{
    const struct perturb_job *job = call->job;
    terrain_status status = terrain__strips_save(call, &job->strips);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__rows_save(call, &job->rows);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, job->strips.bands.count, perturb_task)
                                     : status;
}

const terrain_operation terrain__shape_perturb = {
    TERRAIN__IDENTITY(shape, perturb),
    .result_version = 1,
    .summary = "Takes each height from a place some way off, by noise: ridges wander.",
    .reference = "Olsen, Realtime Procedural Terrain Generation, 2004",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(perturb_params),
    TERRAIN__PARAMETERS(perturb_parameters),
    .job_size = sizeof(struct perturb_job),
    .halo = perturb_halo,
    .prepare = perturb_prepare,
    .run = perturb_run,
};

TERRAIN__PUBLIC_CHANGE(shape_perturb)
