/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur_variable: the mean over a window whose size varies from cell to cell ("PerlinGaussian",
 * Kempke, Implementing erosion), from a table of sums (Crow, "Summed-area tables for texture
 * mapping", 1984).
 *
 * Sums are integers modulo 2^64: exact, whatever cell they begin at. So tiles agree to the bit
 * without anything being anchored, and the table can go on from piece to piece without end. */

#include <string.h>

#include "blur/variable_kernels.h"
#include "core/border.h"
#include "core/lattice.h"
#include "core/operation.h"
#include "terrain/blur.h"

typedef terrain_blur_variable_params variable_params;

static const char *const variable_forms[] = {"smooth", "published"};

static const terrain_parameter variable_parameters[] = {
    TERRAIN__SEED(variable_params),
    TERRAIN__MASK(variable_params),
    TERRAIN__MAP_IN(variable_params, amount,
                    "How much to blur: 0 the minimum radius, 1 the maximum; without it, noise."),
    TERRAIN__FLOAT(variable_params, minimum_radius, "cells", 1, 0, VARIABLE_MOST_RADIUS,
                   "The smallest window is 2 minimum_radius + 1 cells wide."),
    TERRAIN__FLOAT(variable_params, maximum_radius, "cells", 8, 0, VARIABLE_MOST_RADIUS,
                   "The largest window is 2 maximum_radius + 1 cells wide."),
    TERRAIN__UINT32(variable_params, period, "cells", 40, 1, 65536,
                    "How far sharp and blurred places are apart; not used with amount."),
    TERRAIN__ENUM(variable_params, form, TERRAIN_VARIABLE_SMOOTH, variable_forms,
                  "Windows between whole radii, or the method as it was published."),
    TERRAIN__ENUM(variable_params, border, TERRAIN_BORDER_CLAMP, terrain__border_names,
                  "What lies beyond the edge of a bounded map; not used by published."),
};

/* The table of sums covers a piece of so many columns and rows, with what it reaches around. It
 * stays in the second cache. A task has at least TASK_ROWS rows, to begin a table seldom. */
enum { VARIABLE_COLUMNS = 512, VARIABLE_ROWS = 64, VARIABLE_TASK_ROWS = 128, VARIABLE_TASKS = 16 };

struct variable_job {
    uint32_t reach;
    uint32_t stride; /* of a table */
    uint32_t table_rows;
    uint64_t *sums;                           /* a table for each task */
    uint32_t *odd;                            /* likewise: how many cells are not finite */
    float *row;                               /* likewise, with what lies on both sides */
    float *radius;                            /* likewise */
    double inverse[VARIABLE_MOST_RADIUS + 2]; /* 1 / (2 r + 1)^2 */
};

/* A task's part of the job, and the strip that it is at. */
struct variable_strip {
    uint64_t *sums;
    uint32_t *odd;
    float *row;
    float *radius;
    uint32_t column;
    uint32_t columns;
    bool counts; /* whether odd is filled: from the first cell on that is not finite */
};

static const char *variable_check(const void *params)
{
    const variable_params *p = params;
    bool wrong = p->minimum_radius > p->maximum_radius;
    return wrong ? "minimum_radius must not be above maximum_radius" : NULL;
}

static uint32_t variable_halo(const void *params)
{
    const variable_params *p = params;
    uint32_t whole = (uint32_t)p->maximum_radius;
    return whole + ((float)whole < p->maximum_radius);
}

static terrain__bands variable_bands(uint32_t height)
{
    uint32_t least = height / VARIABLE_TASKS + (height % VARIABLE_TASKS != 0);
    return terrain__bands_of(height, least > VARIABLE_TASK_ROWS ? least : VARIABLE_TASK_ROWS);
}

/* ---- The table of sums ------------------------------------------------------------------------ */

/* Counts cells that are not finite as the kernel sums heights. */
static void variable_count(uint32_t *odd, const uint32_t *above, const float *row, uint32_t width)
{
    uint32_t count = 0;
    odd[0] = 0;
    for (uint32_t i = 0; i < width; i++) {
        count += row[i] - row[i] == 0 ? 0 : 1;
        odd[i + 1] = above[i + 1] + count;
    }
}

/* Row y of the map, which may lie beyond its edge, goes into the table: row `line` becomes the sums
 * up to and with it. */
static void variable_add_row(const terrain__call *call, struct variable_strip *strip, int64_t y,
                             uint32_t line)
{
    const struct variable_job *job = call->job;
    const variable_params *p = call->params;
    const struct variable_kernels *kernels = terrain__variable_kernels(call->isa);
    uint32_t width = strip->columns + 2 * job->reach;
    uint64_t *sums = strip->sums + (size_t)line * job->stride;
    uint32_t *odd = strip->odd + (size_t)line * job->stride;
    int64_t from = terrain__border_cell(y, call->map.height, p->border);
    bool found;
    if (from < 0) {
        memset(strip->row, 0, width * sizeof(float));
    } else {
        terrain__border_row(strip->row, (int64_t)strip->column - (int64_t)job->reach, width,
                            call->map.cells + (size_t)from * call->map.stride, call->map.width,
                            p->border);
    }
    found = kernels->sum(sums, sums - job->stride, strip->row, width);
    if (found && !strip->counts) {
        memset(strip->odd, 0, (size_t)line * job->stride * sizeof(uint32_t));
        strip->counts = true;
    }
    if (strip->counts) {
        variable_count(odd, odd - job->stride, strip->row, width);
    }
}

/* The table's last rows become its first: those that the next piece reaches. */
static void variable_advance(const struct variable_job *job, struct variable_strip *strip,
                             uint32_t rows)
{
    size_t kept = (size_t)(2 * job->reach + 1) * job->stride;
    size_t from = (size_t)rows * job->stride;
    memmove(strip->sums, strip->sums + from, kept * sizeof(uint64_t));
    if (strip->counts) {
        memmove(strip->odd, strip->odd + from, kept * sizeof(uint32_t));
    }
}

/* ---- Rows ------------------------------------------------------------------------------------- */

static void variable_set_radii(const terrain__call *call, const struct variable_strip *strip,
                               uint32_t y)
{
    const variable_params *p = call->params;
    const struct variable_kernels *kernels = terrain__variable_kernels(call->isa);
    terrain__view amount = terrain__input(call, p->amount);
    const float *noise = strip->radius;
    if (amount.cells != NULL) {
        /* Below 0 is 0, not its absolute value. */
        const float *row = amount.cells + y * amount.stride + strip->column;
        for (uint32_t i = 0; i < strip->columns; i++) {
            strip->radius[i] = row[i] > 0 ? row[i] : 0;
        }
    } else {
        terrain__lattice lattice = {terrain__random_stream(p->seed, TERRAIN__KEY_BLUR_VARIABLE,
                                                           TERRAIN__DRAW_VARIABLE_RADIUS),
                                    p->period, call->isa};
        terrain__lattice_rows(&lattice, strip->radius, strip->columns, call->x + strip->column,
                              call->y + y, strip->columns, 1);
    }
    kernels->radii(strip->radius, noise, strip->columns, p->minimum_radius, p->maximum_radius);
    for (uint32_t i = 0; p->form == TERRAIN_VARIABLE_PUBLISHED && i < strip->columns; i++) {
        strip->radius[i] = (float)(int32_t)(strip->radius[i] + 0.5f);
    }
}

/* The mean over what of the window lies inside the map. */
static double variable_inside(const terrain__call *call, const struct variable_sums *sums,
                              const struct variable_strip *strip, uint32_t y, uint32_t i, int32_t r)
{
    int64_t x = (int64_t)strip->column + i;
    int64_t left = x < r ? x : r;
    int64_t right = call->map.width - 1 - x < r ? call->map.width - 1 - x : r;
    int64_t up = (int64_t)y < r ? (int64_t)y : r;
    int64_t down = (int64_t)call->map.height - 1 - y < r ? (int64_t)call->map.height - 1 - y : r;
    double count = (double)((left + right + 1) * (up + down + 1));
    return variable_window(sums->centre, (int32_t)sums->stride, (int32_t)i, r) / count;
}

/* Cells whose window may cross the edge of the map: windows cut to it, or the height as it was. */
static void variable_edge_cells(const terrain__call *call, const struct variable_sums *sums,
                                const struct variable_strip *strip, uint32_t y, uint32_t begin,
                                uint32_t end)
{
    const struct variable_job *job = call->job;
    const variable_params *p = call->params;
    const float *source = call->map.cells + y * call->map.stride + strip->column;
    float *target = call->target.cells + y * call->target.stride + strip->column;
    uint32_t below = call->map.height - 1 - y;
    uint32_t near_y = y < below ? y : below;
    for (uint32_t i = begin; i < end; i++) {
        float radius = strip->radius[i];
        uint32_t x = strip->column + i;
        uint32_t beside = call->map.width - 1 - x;
        uint32_t near_x = x < beside ? x : beside;
        if (p->form == TERRAIN_VARIABLE_PUBLISHED) {
            bool fits = radius <= (float)near_x && radius <= (float)near_y;
            target[i] = fits ? target[i] : source[i];
        } else if (radius > 0) {
            int32_t r = (int32_t)radius;
            r = r < (int32_t)job->reach ? r : (int32_t)job->reach - 1;
            double small = variable_inside(call, sums, strip, y, i, r);
            double large = variable_inside(call, sums, strip, y, i, r + 1);
            target[i] = (float)((small + (double)(radius - (float)r) * (large - small)) * 0x1p-26);
        }
    }
}

/* Windows that hold a cell that is not finite. Those that are copied stay. */
static void variable_spoil(const terrain__call *call, const struct variable_strip *strip,
                           uint32_t y, const uint32_t *centre)
{
    const struct variable_job *job = call->job;
    const variable_params *p = call->params;
    float *target = call->target.cells + y * call->target.stride + strip->column;
    size_t stride = job->stride;
    for (uint32_t i = 0; i < strip->columns; i++) {
        float radius = strip->radius[i];
        size_t r = (size_t)radius + ((float)(int32_t)radius < radius);
        const uint32_t *above = centre + i - r * stride;
        const uint32_t *below = centre + i + (r + 1) * stride;
        uint32_t count = below[r + 1] - *(below - r) - above[r + 1] + *(above - r);
        bool copied = false;
        if (p->form == TERRAIN_VARIABLE_PUBLISHED) {
            size_t x = (size_t)strip->column + i;
            copied = x < r || call->map.width - 1 - x < r || y < r || call->map.height - 1 - y < r;
        }
        target[i] = radius > 0 && count != 0 && !copied ? NAN : target[i];
    }
}

/* Row y, whose sums lie in row `line` of the table and around it. */
static void variable_row(const terrain__call *call, const struct variable_strip *strip, uint32_t y,
                         uint32_t line)
{
    const struct variable_job *job = call->job;
    const variable_params *p = call->params;
    const struct variable_kernels *kernels = terrain__variable_kernels(call->isa);
    size_t centre = (size_t)line * job->stride + job->reach;
    struct variable_sums sums = {strip->sums + centre, job->stride};
    bool edges = p->form == TERRAIN_VARIABLE_PUBLISHED || p->border == TERRAIN_BORDER_OPEN;
    uint32_t columns = strip->columns;
    uint32_t after = call->map.width - strip->column - columns;
    variable_set_radii(call, strip, y);
    kernels->smooth(call->target.cells + y * call->target.stride + strip->column,
                    call->map.cells + y * call->map.stride + strip->column, strip->radius, columns,
                    job->reach, &sums, job->inverse);
    if (edges && (y < job->reach || call->map.height - 1 - y < job->reach)) {
        variable_edge_cells(call, &sums, strip, y, 0, columns);
    } else if (edges) {
        uint32_t left = strip->column < job->reach ? job->reach - strip->column : 0;
        uint32_t right = after < job->reach ? job->reach - after : 0;
        left = left < columns ? left : columns;
        right = right < columns - left ? columns - right : left;
        variable_edge_cells(call, &sums, strip, y, 0, left);
        variable_edge_cells(call, &sums, strip, y, right, columns);
    }
    if (strip->counts) {
        variable_spoil(call, strip, y, strip->odd + centre);
    }
}

static void variable_strip_rows(const terrain__call *call, struct variable_strip *strip,
                                uint32_t begin, uint32_t end)
{
    const struct variable_job *job = call->job;
    uint32_t line = 1; /* the table's next row: the sums with map row begin - reach */
    memset(strip->sums, 0, job->stride * sizeof(uint64_t));
    strip->counts = false;
    for (uint32_t y = begin; y < end; y += VARIABLE_ROWS) {
        uint32_t rows = end - y < VARIABLE_ROWS ? end - y : VARIABLE_ROWS;
        for (; line < rows + 2 * job->reach + 1; line++) {
            variable_add_row(call, strip, (int64_t)y + line - 1 - job->reach, line);
        }
        for (uint32_t i = 0; i < rows; i++) {
            variable_row(call, strip, y + i, i + job->reach);
        }
        if (y + rows < end) {
            variable_advance(job, strip, rows);
        }
        line = 2 * job->reach + 1;
    }
}

static void variable_band(terrain__call *call, uint32_t index)
{
    const struct variable_job *job = call->job;
    terrain__bands bands = variable_bands(call->target.height);
    size_t table = (size_t)job->table_rows * job->stride;
    struct variable_strip strip = {.sums = job->sums + index * table,
                                   .odd = job->odd + index * table,
                                   .row = job->row + (size_t)index * job->stride,
                                   .radius = job->radius + (size_t)index * job->stride};
    uint32_t width = call->target.width;
    for (; strip.column < width; strip.column += VARIABLE_COLUMNS) {
        uint32_t left = width - strip.column;
        strip.columns = left < VARIABLE_COLUMNS ? left : VARIABLE_COLUMNS;
        variable_strip_rows(call, &strip, terrain__band_begin(&bands, index),
                            terrain__band_end(&bands, index));
    }
}

/* ---- A call ----------------------------------------------------------------------------------- */

static terrain_status variable_prepare(terrain__call *call)
{
    struct variable_job *job = call->job;
    uint32_t width = call->map.width;
    uint32_t tasks = variable_bands(call->map.height).count;
    size_t table;
    job->reach = variable_halo(call->params);
    if (job->reach == 0) {
        return TERRAIN_SUCCESS;
    }
    /* Odd, so that rows don't meet in the same lines of the first cache. */
    job->stride = ((width < VARIABLE_COLUMNS ? width : VARIABLE_COLUMNS) + 2 * job->reach + 8) | 1;
    job->table_rows = VARIABLE_ROWS + 2 * job->reach + 1;
    table = (size_t)job->table_rows * job->stride;
    job->sums = terrain__scratch(call, tasks * table, sizeof *job->sums);
    job->odd = terrain__scratch(call, tasks * table, sizeof *job->odd);
    job->row = terrain__scratch(call, (size_t)tasks * job->stride, sizeof *job->row);
    job->radius = terrain__scratch(call, (size_t)tasks * job->stride, sizeof *job->radius);
    for (uint32_t r = 0; r <= job->reach; r++) {
        double side = (double)(2 * r + 1);
        job->inverse[r] = 1 / (side * side);
    }
    terrain__stage(call, TERRAIN__STAGE_OUT_OF_PLACE);
    terrain__commit_cost(call, 4);
    return TERRAIN_SUCCESS;
}

static void variable_copy_band(terrain__call *call, uint32_t index)
{
    terrain__bands bands = variable_bands(call->target.height);
    uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        memmove(call->target.cells + y * call->target.stride,
                call->map.cells + y * call->map.stride, call->target.width * sizeof(float));
    }
}

static terrain_status variable_run(terrain__call *call)
{
    const struct variable_job *job = call->job;
    return terrain__commit(call, variable_bands(call->target.height).count,
                           job->reach == 0 ? variable_copy_band : variable_band);
}

const terrain_operation terrain__blur_variable = {
    .key = TERRAIN__KEY_BLUR_VARIABLE,
    .result_version = 1,
    .name = "blur_variable",
    .verb = "blur",
    .summary = "Takes the mean over a window whose size varies from cell to cell.",
    .reference = "Kempke, Implementing erosion; Crow, Summed-area tables for texture mapping, 1984",
    .signature = TERRAIN_SIGNATURE_IN_PLACE,
    .params_size = sizeof(variable_params),
    TERRAIN__PARAMETERS(variable_parameters),
    .job_size = sizeof(struct variable_job),
    .check = variable_check,
    .halo = variable_halo,
    .prepare = variable_prepare,
    .run = variable_run,
};

terrain_status terrain_blur_variable_params_init(terrain_blur_variable_params *params, size_t size)
{
    return terrain_operation_params_init(&terrain__blur_variable, params, size);
}

terrain_status terrain_blur_variable(terrain_context *context, terrain_heightmap *map,
                                     const terrain_blur_variable_params *params)
{
    return terrain__apply(context, &terrain__blur_variable, map, NULL, 0, params);
}
