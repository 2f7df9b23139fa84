/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur_variable: the mean over a window whose size varies from cell to cell ("PerlinGaussian",
 * Kempke, Implementing erosion), from a table of sums (Crow, "Summed-area tables for texture
 * mapping", 1984).
 *
 * With s[y][x], the sum of all cells above and left of (x, y), the window of radius r has the sum
 *
 *     window(r) = s[y + r + 1][x + r + 1] - s[y + r + 1][x - r]
 *               - s[y - r][x + r + 1]     + s[y - r][x - r]
 *     m(r)      = window(r) / (2 r + 1)^2
 *
 * and SMOOTH takes r = max(radius_low, amount * radius_high), and between whole radii R and R + 1
 * m = m(R) + (r - R) * (m(R + 1) - m(R)). tests/oracle/variable.c says it in plain C.
 *
 * Sums are integers modulo 2^64, of heights in steps of 2^-26: exact, whatever cell they begin at.
 * So tiles agree to the bit without anything being anchored, and the table can go on without end.
 *
 * The way through the map: strips of columns, one after another in a task, each from top to bottom.
 *
 *        strip                        table of sums, in the second-level cache
 *     ..|.........|..                 +-----------------+  2 reach + 1 lines from the piece before
 *     ..|.........|..    sums of      |                 |
 *     ~~|####|....|~~    rows, ->     |      ####       |  64 lines: a piece. Its patches of 128
 *     ~~|####|....|~~    with reach   |      ####       |  columns are smoothed one by one, from
 *     ~~|####|....|~~    cells more   +-----------------+  top to bottom
 *
 * The map may be the target: the table holds all that is still needed of rows that were
 * overwritten, and ~, the cells of other strips, are saved before. */

#include <string.h>

#include "base/math.h"
#include "blur/variable_kernels.h"
#include "core/choices.h"
#include "rows/rows.h"
#include "rows/strips.h"
#include "terrain/blur.h"
#include "vector/lattice.h"

typedef terrain_blur_variable_params variable_params;

static const char *const variable_mode_names[] = {"smooth", "published"};
static const char *const variable_mode_docs[] = {
    "interpolates between the windows of two whole radii; uses the border",
    "rounds the radius; copies cells whose window crosses the edge",
};

static const terrain_parameter variable_parameters[] = {
    TERRAIN__SEED(variable_params),
    TERRAIN__MASK(variable_params),
    TERRAIN__MAP_IN(
        variable_params, amount,
        "How much to blur: 0 is radius_low, 1 is radius_high; without it, noise decides."),
    TERRAIN__FLOAT(variable_params, radius_low, "cells", 1, 0, VARIABLE_MOST_RADIUS,
                   "The smallest window is 2 radius_low + 1 cells wide."),
    TERRAIN__FLOAT(variable_params, radius_high, "cells", 8, 0, VARIABLE_MOST_RADIUS,
                   "The largest window is 2 radius_high + 1 cells wide."),
    TERRAIN__UINT32(variable_params, period, "cells", 40, 1, 65536,
                    "The distance between sharp and blurred places.", TERRAIN__WITHOUT(amount),
                    .scaling = TERRAIN_SCALING_LATTICE),
    TERRAIN__ENUM(variable_params, mode, TERRAIN_BLUR_VARIABLE_MODE_SMOOTH, variable_mode,
                  "Whether to interpolate between whole radii, or to follow the published method."),
    TERRAIN__ENUM(variable_params, border, TERRAIN_BORDER_CLAMP, terrain__border,
                  "What lies beyond the edge of a bounded map.",
                  TERRAIN__WHEN(mode, 1u << TERRAIN_BLUR_VARIABLE_MODE_SMOOTH)),
};

/* Lines of a piece, and columns of a patch: see the drawing. */
enum { VARIABLE_ROWS = 64, VARIABLE_PATCH_COLUMNS = 128 };

struct variable_job {
    terrain__strips strips;
    terrain__rows rows; /* of the map */
    uint32_t reach;
    size_t table_size;
    uint64_t *sums;        /* a table for each task */
    uint32_t *gaps;        /* another one, which counts cells that are not finite */
    terrain__plane row;    /* for each task a row of a strip, with what lies on both sides */
    terrain__plane radius; /* for each task the radii of a patch */
    double inverse[VARIABLE_MOST_RADIUS + 2]; /* 2^-26 / (2 r + 1)^2 */
};

/* A task's part of the job, and the strip that it is at. */
struct variable_strip {
    uint64_t *sums;
    uint32_t *gaps;
    float *row;
    terrain__plane radius;
    uint32_t index;
    uint32_t column;
    uint32_t columns;
    bool has_gaps; /* whether gaps is filled: from the first cell on that is not finite */
};

/* A part of a piece. */
struct variable_patch {
    uint32_t x, y; /* cells of the map */
    uint32_t columns, rows;
    size_t place; /* of cell (x, y) in the strip's tables */
};

static const char *variable_check(const void *params)
{
    const variable_params *p = params;
    bool wrong = p->radius_low > p->radius_high;
    return wrong ? "radius_low must not be above radius_high" : NULL;
}

static uint32_t variable_halo(const void *params)
{
    const variable_params *p = params;
    uint32_t whole = (uint32_t)p->radius_high;
    return whole + ((float)whole < p->radius_high);
}

/* Strips of nearly the same width, and an even number of them, for two threads. There may be more
 * strips than tasks. */
static terrain__bands variable_strips(uint32_t width)
{
    uint32_t least = terrain__divide_up(width, VARIABLE_COLUMNS);
    uint32_t count = least > 2 ? least + least % 2 : least;
    uint32_t columns = terrain__divide_up(width, count);
    terrain__bands strips = {width, columns, terrain__divide_up(width, columns)};
    return strips;
}

static terrain__bands variable_tasks(const struct variable_job *job)
{
    return terrain__bands_of(job->strips.bands.count, 1);
}

/* ---- The table of sums ----------------------------------------------------------------------- */

/* Counts cells that are not finite, as the kernel sums heights. */
static void variable_count(uint32_t *gaps, const uint32_t *above, const float *row, uint32_t width)
{
    uint32_t count = 0;
    gaps[0] = 0;
    for (uint32_t i = 0; i < width; i++) {
        count += row[i] - row[i] == 0 ? 0 : 1;
        gaps[i + 1] = above[i + 1] + count;
    }
}

/* Row y of the map, which may lie beyond its edge, goes into the table: row `line` becomes the sums
 * up to and with it. */
static void variable_add_row(const terrain__call *call, struct variable_strip *strip, int64_t y,
                             uint32_t line)
{
    const struct variable_job *job = call->job;
    const variable_params *p = call->params;
    const uint32_t width = strip->columns + 2 * job->reach;
    const int64_t from = terrain__border_cell(y, call->map.height, p->border);
    uint64_t *sums = strip->sums + (size_t)line * VARIABLE_STRIDE;
    uint32_t *gaps = strip->gaps + (size_t)line * VARIABLE_STRIDE;
    if (from < 0) {
        memset(strip->row, 0, width * sizeof(float));
    } else {
        terrain__strips_row(call, &job->strips, strip->index, (uint32_t)from,
                            terrain__rows_at(&job->rows, 0, y), NULL, strip->row);
    }
    bool found =
        terrain__variable_kernels(call->isa)->sum(sums, sums - VARIABLE_STRIDE, strip->row, width);
    if (found && !strip->has_gaps) {
        memset(strip->gaps, 0, (size_t)line * VARIABLE_STRIDE * sizeof(uint32_t));
        strip->has_gaps = true;
    }
    if (strip->has_gaps) {
        variable_count(gaps, gaps - VARIABLE_STRIDE, strip->row, width);
    }
}

/* The table's last rows become its first: those that the next piece reaches. */
static void variable_advance(const struct variable_job *job, struct variable_strip *strip)
{
    size_t width = (size_t)strip->columns + 2 * job->reach + 1;
    for (size_t line = 0; line < 2 * job->reach + 1; line++) {
        size_t to = line * VARIABLE_STRIDE;
        size_t from = (line + VARIABLE_ROWS) * VARIABLE_STRIDE;
        memcpy(strip->sums + to, strip->sums + from, width * sizeof(uint64_t));
        if (strip->has_gaps) {
            memcpy(strip->gaps + to, strip->gaps + from, width * sizeof(uint32_t));
        }
    }
}

/* ---- Patches --------------------------------------------------------------------------------- */

/* Whole radii; 0, which leaves a cell as it is, where the window does not fit into the map. */
static void variable_publish(const terrain__call *call, float *radius, uint32_t x, uint32_t y,
                             uint32_t columns)
{
    uint32_t near_y = terrain__lesser(y, call->map.height - 1 - y);
    for (uint32_t i = 0; i < columns; i++) {
        uint32_t near_x = terrain__lesser(x + i, call->map.width - 1 - (x + i));
        float whole = (float)(int32_t)(radius[i] + 0.5f);
        radius[i] = whole <= (float)terrain__lesser(near_x, near_y) ? whole : 0;
    }
}

static void variable_set_radii(const terrain__call *call, const struct variable_strip *strip,
                               const struct variable_patch *patch)
{
    const variable_params *p = call->params;
    const struct variable_kernels *kernels = terrain__variable_kernels(call->isa);
    terrain__view amount = terrain__view_of(p->amount);
    bool noise = amount.cells == NULL;
    if (noise) {
        terrain__lattice lattice = {terrain__random_stream(p->seed, TERRAIN__KEY_blur_variable,
                                                           TERRAIN__DRAW_VARIABLE_RADIUS),
                                    p->period, call->isa};
        terrain__lattice_rows(&lattice, strip->radius.cells, strip->radius.stride,
                              call->x + patch->x, call->y + patch->y, patch->columns, patch->rows);
    }
    for (uint32_t i = 0; i < patch->rows; i++) {
        float *radius = strip->radius.cells + i * strip->radius.stride;
        const float *from =
            noise ? radius : amount.cells + (patch->y + i) * amount.stride + patch->x;
        kernels->radii(radius, from, patch->columns, noise, p->radius_low, p->radius_high);
        if (p->mode == TERRAIN_BLUR_VARIABLE_MODE_PUBLISHED) {
            variable_publish(call, radius, patch->x, patch->y + i, patch->columns);
        }
    }
}

/* The mean over the part of the window around (x, y) that lies inside the map, in units of
 * 2^-26. */
static double variable_inside(const terrain__call *call, const uint64_t *sums, uint32_t x,
                              uint32_t y, uint32_t r)
{
    uint32_t across = terrain__lesser(x, r) + 1 + terrain__lesser(call->map.width - 1 - x, r);
    uint32_t down = terrain__lesser(y, r) + 1 + terrain__lesser(call->map.height - 1 - y, r);
    return variable_window(sums, r) / (double)(across * down);
}

/* Beside an open border: cells whose window may cross it. */
static void variable_open_cells(const terrain__call *call, const uint64_t *sums,
                                const float *radius, uint32_t x, uint32_t y, uint32_t columns)
{
    const struct variable_job *job = call->job;
    float *target = terrain__target_row(call, y) + x;
    uint32_t reach = job->reach;
    bool near_y = y < reach || call->map.height - 1 - y < reach;
    for (uint32_t i = 0; i < columns; i++) {
        bool near_x = x + i < reach || call->map.width - 1 - (x + i) < reach;
        if ((near_x || near_y) && radius[i] > 0) {
            uint32_t r = terrain__lesser((uint32_t)radius[i], reach - 1);
            double small = variable_inside(call, sums + i, x + i, y, r);
            double large = variable_inside(call, sums + i, x + i, y, r + 1);
            double fraction = (double)(radius[i] - (float)(int32_t)r);
            target[i] = (float)((small + fraction * (large - small)) * 0x1p-26);
        }
    }
}

/* Cells whose window holds one that is not finite become NaN. */
static void variable_set_nan(float *target, const uint32_t *gaps, const float *radius,
                             uint32_t columns)
{
    for (uint32_t i = 0; i < columns; i++, gaps++) {
        size_t r = (size_t)radius[i] + ((float)(int32_t)radius[i] < radius[i]);
        const uint32_t *above = gaps - r * VARIABLE_STRIDE;
        const uint32_t *below = gaps + (r + 1) * VARIABLE_STRIDE;
        uint32_t count = below[r + 1] - *(below - r) - above[r + 1] + *(above - r);
        target[i] = radius[i] > 0 && count != 0 ? NAN : target[i];
    }
}

static void variable_smooth_row(const terrain__call *call, const struct variable_strip *strip,
                                const struct variable_patch *patch, uint32_t row)
{
    const struct variable_job *job = call->job;
    const variable_params *p = call->params;
    const struct variable_kernels *kernels = terrain__variable_kernels(call->isa);
    uint32_t y = patch->y + row;
    size_t place = patch->place + (size_t)row * VARIABLE_STRIDE;
    const float *radius = strip->radius.cells + row * strip->radius.stride;
    const float *source = terrain__map_row(call, y) + patch->x;
    float *target = terrain__target_row(call, y) + patch->x;
    const uint32_t soon = y + VARIABLE_ROWS + job->reach; /* of the next piece */
    if (soon < call->map.height) {
        terrain__prefetch(terrain__map_row(call, soon) + patch->x, patch->columns * sizeof *source);
    }
    kernels->smooth(target, source, radius, patch->columns, job->reach, strip->sums + place,
                    job->inverse);
    if (p->mode == TERRAIN_BLUR_VARIABLE_MODE_SMOOTH && p->border == TERRAIN_BORDER_OPEN) {
        variable_open_cells(call, strip->sums + place, radius, patch->x, y, patch->columns);
    }
    if (strip->has_gaps) {
        variable_set_nan(target, strip->gaps + place, radius, patch->columns);
    }
}

static void variable_smooth_piece(const terrain__call *call, const struct variable_strip *strip,
                                  uint32_t y, uint32_t rows)
{
    const struct variable_job *job = call->job;
    for (uint32_t x = 0; x < strip->columns; x += VARIABLE_PATCH_COLUMNS) {
        struct variable_patch patch = {strip->column + x, y,
                                       terrain__lesser(strip->columns - x, VARIABLE_PATCH_COLUMNS),
                                       rows, (size_t)job->reach * (VARIABLE_STRIDE + 1) + x};
        variable_set_radii(call, strip, &patch);
        for (uint32_t i = 0; i < rows; i++) {
            variable_smooth_row(call, strip, &patch, i);
        }
    }
}

/* ---- Strips ---------------------------------------------------------------------------------- */

static void variable_smooth_strip(const terrain__call *call, struct variable_strip *strip)
{
    const struct variable_job *job = call->job;
    uint32_t height = call->map.height;
    uint32_t line = 1; /* the table's next row: the sums with map row -reach */
    memset(strip->sums, 0, VARIABLE_STRIDE * sizeof(uint64_t));
    strip->has_gaps = false;
    for (uint32_t y = 0; y < height; y += VARIABLE_ROWS) {
        uint32_t rows = terrain__lesser(height - y, VARIABLE_ROWS);
        for (; line < rows + 2 * job->reach + 1; line++) {
            variable_add_row(call, strip, (int64_t)y + line - 1 - job->reach, line);
        }
        variable_smooth_piece(call, strip, y, rows);
        if (height - y <= VARIABLE_ROWS) {
            return;
        }
        variable_advance(job, strip);
        line = 2 * job->reach + 1;
    }
}

static void variable_task(terrain__call *call, uint32_t index)
{
    const struct variable_job *job = call->job;
    terrain__bands tasks = variable_tasks(job);
    struct variable_strip strip = {.sums = job->sums + index * job->table_size + VARIABLE_SLACK,
                                   .gaps = job->gaps + index * job->table_size + VARIABLE_SLACK,
                                   .row = job->row.cells + index * job->row.stride,
                                   .radius = job->radius};
    strip.radius.cells += (size_t)index * VARIABLE_ROWS * job->radius.stride;
    strip.index = terrain__band_begin(&tasks, index);
    for (; strip.index < terrain__band_end(&tasks, index); strip.index++) {
        strip.column = terrain__band_begin(&job->strips.bands, strip.index);
        strip.columns = terrain__band_end(&job->strips.bands, strip.index) - strip.column;
        variable_smooth_strip(call, &strip);
    }
}

/* ---- A call ---------------------------------------------------------------------------------- */

static terrain_status variable_prepare(terrain__call *call)
{
    struct variable_job *job = call->job;
    const variable_params *p = call->params;
    uint32_t width = call->map.width;
    job->reach = variable_halo(p);
    if (job->reach == 0) {
        return TERRAIN_SUCCESS;
    }
    job->strips.bands = variable_strips(width);
    job->strips.reach = job->reach;
    job->strips.border = p->border;
    terrain__strips_prepare(call, &job->strips);
    job->rows.view = call->map;
    job->rows.border = p->border;
    job->rows.in_place = terrain__border_repeats(p->border);
    terrain__rows_prepare(call, &job->rows, terrain__bands_of(call->map.height, call->map.height),
                          job->reach);
    uint32_t tasks = variable_tasks(job).count;
    job->table_size = (VARIABLE_ROWS + 2 * (size_t)job->reach + 1) * VARIABLE_STRIDE;
    job->table_size += 2 * VARIABLE_SLACK;
    job->sums = terrain__scratch(call, tasks * job->table_size, sizeof *job->sums);
    job->gaps = terrain__scratch(call, tasks * job->table_size, sizeof *job->gaps);
    job->row = terrain__scratch_plane(call, VARIABLE_STRIDE, tasks);
    job->radius = terrain__scratch_plane(call, VARIABLE_PATCH_COLUMNS, tasks * VARIABLE_ROWS);
    for (uint32_t r = 0; r <= job->reach; r++) {
        double side = (double)(2 * r + 1);
        job->inverse[r] = 0x1p-26 / (side * side);
    }
    terrain__expect_passes(call, terrain__strips_passes(&job->strips) +
                                     terrain__rows_passes(&job->rows) + 1);
    terrain__commit_cost(call, 4);
    return TERRAIN_SUCCESS;
}

static terrain_status variable_run(terrain__call *call)
{
    const struct variable_job *job = call->job;
    if (job->reach == 0) {
        return terrain__commit_copy(call);
    }
    terrain_status status = terrain__strips_save(call, &job->strips);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__rows_save(call, &job->rows);
    }
    return status == TERRAIN_SUCCESS
               ? terrain__commit(call, variable_tasks(job).count, variable_task)
               : status;
}

const terrain_operation terrain__blur_variable = {
    TERRAIN__IDENTITY(blur, variable),
    .result_version = 1,
    .summary = "Takes the mean over a window whose size varies from cell to cell.",
    .reference = "Kempke, Implementing erosion; Crow, Summed-area tables for texture mapping, 1984",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(variable_params),
    TERRAIN__PARAMETERS(variable_parameters),
    .job_size = sizeof(struct variable_job),
    .check = variable_check,
    .halo = variable_halo,
    .prepare = variable_prepare,
    .run = variable_run,
};

TERRAIN__PUBLIC_CHANGE(blur_variable)
