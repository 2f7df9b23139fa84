/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_shear_regions: random regions sink to the lowest height that each touches.
 *
 * ckempke: Implementing erosion, "Shearing algorithm 2": the method, with regions that grow as squares.
 * Here regions are the cells nearest to the sites of a jittered lattice, so that any window
 * of the world knows its regions.
 *
 * A pass has these steps, each over rows of lattice squares ("blocks" below):
 *
 *   sites    where they lie, which of them are to be pushed; and the warp's knot rows
 *   label    the site of each cell, and each block's part of the regions' lowest and highest heights
 *   settle   the parts of each region, together
 *   heap     if debris lies at the foot: sums of heights, six times, each followed by its step
 *   push
 *
 * A block's cells belong to the nine sites around it, for a region reaches less than one square out of
 * its own. A region's parts are thus in the nine blocks around its own. */

#include <math.h>
#include <string.h>

#include "core/math.h"
#include "core/operation.h"
#include "erode/shear_regions_kernels.h"
#include "terrain/erode.h"

typedef terrain_erode_shear_regions_params regions_params;

enum {
    REGIONS_SITES = TERRAIN__REGION_SITES,
    REGIONS_OCTAVES = 3,
    REGIONS_STEPS = 6,
    /* Floats beyond the end of a warp row that may be read. */
    REGIONS_PAD = 16
};

static const char *const regions_metric_names[] = {"euclidean", "chebyshev"};
static const char *const regions_place_names[] = {"in_place", "foot"};

static const terrain_parameter regions_parameters[] = {
    TERRAIN__SEED(regions_params),
    TERRAIN__UINT32(regions_params, size, "cells", 32, 8, 512,
                    "The mean width of a region: the larger, the higher the cliffs."),
    TERRAIN__UINT32(regions_params, passes, "", 3, 1, 16, "How often, each with other regions."),
    TERRAIN__FLOAT(regions_params, push, "", 0.25, 0, 1, "The share of regions that are pushed."),
    TERRAIN__FLOAT(regions_params, debris, "", 0.35, 0, 1,
                   "The share of what is taken away that is put back."),
    TERRAIN__FLOAT(regions_params, least_slope, "slope", 0.1, 0, 100,
                   "Regions less steep than this stay; twice as steep ones are pushed in full."),
    TERRAIN__FLOAT(regions_params, jitter, "regions", 0.5, 0, 0.625,
                   "How irregular the regions are."),
    TERRAIN__FLOAT(regions_params, warp, "regions", 0.25, 0, 0.375, "How rough their edges are."),
    TERRAIN__ENUM(regions_params, metric, TERRAIN_SHEAR_REGIONS_EUCLIDEAN, regions_metric_names,
                  "Which site is the nearest: along a line, or by squares."),
    TERRAIN__ENUM(regions_params, place, TERRAIN_SHEAR_REGIONS_IN_PLACE, regions_place_names,
                  "Where debris lies: where it was, or heaped at the foot of the cliff."),
    TERRAIN__MASK(regions_params),
};

/* ---- Plan ------------------------------------------------------------------------------------ */

struct regions_site {
    float x, y; /* from its square's corner */
    bool chosen;
    bool pushed; /* known when settled */
    float low;
    float share;  /* of the debris, b above */
    double cut;   /* c */
    double total; /* b times the sum of d */
};

/* What a block adds to the nine regions around it. */
struct regions_part {
    float low[REGIONS_SITES];
    float high[REGIONS_SITES];
};

struct regions_heap {
    double sum[REGIONS_SITES];
    uint64_t count[REGIONS_SITES];
};

struct regions_job {
    int64_t size;
    uint32_t pass;
    uint32_t step;              /* of Newton's method */
    int64_t origin_x, origin_y; /* of the pass's lattice, in world cells */
    int64_t first_x, first_y;   /* the square of the map's first cell */
    uint32_t columns, rows;     /* squares that the map touches */
    terrain__bands bands;       /* of these rows */
    terrain__bands site_bands;  /* and of those with one more on each side */

    int64_t spacing; /* of knots, q above */
    int64_t first_knot_x, first_knot_y;
    uint32_t knot_columns, knot_rows;
    terrain__bands knot_bands;
    float *knots; /* of each task: two rows of them */
    float *warp;  /* for each knot row, that of x and that of y, a float a column */
    size_t warp_stride;

    struct regions_site *sites; /* (columns + 2) * (rows + 2) */
    struct regions_part *parts;
    struct regions_heap *heaps;
    uint8_t *labels;
    size_t label_stride;

    terrain__view source;
    terrain__plane result;
    terrain__plane plane; /* of passes but the last */
};

/* Cells that a region may reach out of its square, with one more for rounding. */
static int64_t regions_margin(const regions_params *p)
{
    double reach = ((double)p->jitter + (double)p->warp) * (double)p->size;
    int64_t whole = (int64_t)reach;
    return whole + ((double)whole < reach) + 1;
}

static int64_t regions_origin_x(const regions_params *p, uint32_t pass)
{
    return (int64_t)pass * (3 * (int64_t)p->size / 8);
}

static int64_t regions_origin_y(const regions_params *p, uint32_t pass)
{
    return (int64_t)pass * (5 * (int64_t)p->size / 8);
}

static uint32_t regions_squares(int64_t first, int64_t cell, uint32_t count, int64_t size)
{
    return (uint32_t)(terrain__floor_div(cell + count - 1, size) - first + 1);
}

static void regions_plan_pass(terrain__call *call, uint32_t pass)
{
    const regions_params *p = call->params;
    struct regions_job *job = call->job;
    int64_t x, y;
    job->pass = pass;
    job->origin_x = regions_origin_x(p, pass);
    job->origin_y = regions_origin_y(p, pass);
    x = call->x - job->origin_x;
    y = call->y - job->origin_y;
    job->first_x = terrain__floor_div(x, job->size);
    job->first_y = terrain__floor_div(y, job->size);
    job->columns = regions_squares(job->first_x, x, call->target.width, job->size);
    job->rows = regions_squares(job->first_y, y, call->target.height, job->size);
    job->bands = terrain__bands_of(job->rows, 1);
    job->site_bands = terrain__bands_of(job->rows + 2, 1);
}

static void regions_plan_warp(terrain__call *call)
{
    const regions_params *p = call->params;
    struct regions_job *job = call->job;
    job->spacing = (job->size + 8) / 16 > 1 ? (job->size + 8) / 16 : 1;
    job->first_knot_x = terrain__floor_div(call->x, job->spacing);
    job->first_knot_y = terrain__floor_div(call->y, job->spacing);
    job->knot_columns =
        regions_squares(job->first_knot_x, call->x, call->target.width, job->spacing) + 1;
    job->knot_rows =
        p->warp > 0
            ? regions_squares(job->first_knot_y, call->y, call->target.height, job->spacing) + 1
            : 1;
    job->knot_bands = terrain__bands_of(job->knot_rows, 1);
    job->warp_stride = ((size_t)call->target.width + 15) / 16 * 16 + REGIONS_PAD;
    job->knots = terrain__scratch(call, (size_t)2 * job->knot_bands.count * job->knot_columns,
                                  sizeof(float));
    job->warp =
        terrain__scratch(call, (size_t)2 * job->knot_rows, job->warp_stride * sizeof(float));
    if (job->warp != NULL) {
        memset(job->warp, 0, (size_t)2 * job->knot_rows * job->warp_stride * sizeof(float));
    }
}

static terrain_status regions_prepare(terrain__call *call)
{
    const regions_params *p = call->params;
    struct regions_job *job = call->job;
    bool heaps = p->place == TERRAIN_SHEAR_REGIONS_FOOT;
    uint32_t width = call->target.width;
    uint32_t height = call->target.height;
    size_t columns, rows;
    job->size = p->size;
    columns = width / p->size + 2; /* the most of any pass */
    rows = height / p->size + 2;
    job->sites = terrain__scratch(call, (columns + 2) * (rows + 2), sizeof *job->sites);
    job->parts = terrain__scratch(call, columns * rows, sizeof *job->parts);
    if (heaps) {
        job->heaps = terrain__scratch(call, columns * rows, sizeof *job->heaps);
    }
    job->label_stride = ((size_t)width + 15) / 16 * 16 + TERRAIN__REGION_PAD;
    job->labels = terrain__scratch(call, height, job->label_stride);
    if (p->passes > 1) {
        job->plane = terrain__scratch_plane(call, width, height);
    }
    regions_plan_warp(call);
    terrain__commit_cost(call, 1);
    terrain__expect_passes(call, p->passes * (4 + (p->warp > 0) + (heaps ? 2 * REGIONS_STEPS : 0)));
    return TERRAIN_SUCCESS;
}

/* ---- Sites ----------------------------------------------------------------------------------- */

/* (-1, 1) in steps of 2^-15. */
static float regions_signed(uint32_t bits)
{
    return (float)(int32_t)(2 * (bits & 0xFFFF) + 1) * 0x1p-16f - 1.0f;
}

static uint64_t regions_stream(const terrain__call *call, uint32_t draw)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    return terrain__random_stream(terrain__mix(p->seed, job->pass), call->operation->key, draw);
}

/* The site of a square, counted from the map's first; from -1 on. */
static struct regions_site *regions_site_at(const struct regions_job *job, int64_t column,
                                            int64_t row)
{
    return job->sites + (row + 1) * ((int64_t)job->columns + 2) + (column + 1);
}

static void regions_place_sites(terrain__call *call, uint32_t index)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    const uint64_t places = regions_stream(call, TERRAIN__DRAW_SHEAR_REGIONS_SITE);
    const uint64_t chances = regions_stream(call, TERRAIN__DRAW_SHEAR_REGIONS_PUSH);
    const float size = (float)job->size;
    const float spread = 0.5f * p->jitter;
    for (uint32_t i = terrain__band_begin(&job->site_bands, index);
         i < terrain__band_end(&job->site_bands, index); i++) {
        int64_t row = (int64_t)i - 1;
        for (int64_t column = -1; column <= (int64_t)job->columns; column++) {
            struct regions_site *site = regions_site_at(job, column, row);
            int64_t x = job->first_x + column;
            int64_t y = job->first_y + row;
            uint32_t bits = terrain__random_cell(places, x, y);
            memset(site, 0, sizeof *site);
            site->x = size * (0.5f + spread * regions_signed(bits >> 16));
            site->y = size * (0.5f + spread * regions_signed(bits));
            site->chosen = terrain__unit_float(terrain__random_cell(chances, x, y)) < p->push;
        }
    }
}

/* ---- The warp -------------------------------------------------------------------------------- */

struct regions_node {
    float x, y;
};

/* A node of an octave, between its rows `up` and `up` + 1. */
static struct regions_node regions_node_at(uint64_t above, uint64_t below, float between,
                                           int64_t column)
{
    uint32_t high = terrain__random_bits(terrain__random_column(above, column), (uint32_t)column);
    uint32_t low = terrain__random_bits(terrain__random_column(below, column), (uint32_t)column);
    struct regions_node node = {regions_signed(high >> 16), regions_signed(high)};
    node.x += between * (regions_signed(low >> 16) - node.x);
    node.y += between * (regions_signed(low) - node.y);
    return node;
}

/* Adds an octave to a row of knots. */
static void regions_add_octave(float *knots, const struct regions_job *job, int64_t row,
                               uint32_t octave, uint64_t stream)
{
    const int64_t step = (int64_t)1 << octave;
    const float weight = (float)step;
    const int64_t up = terrain__floor_div(row, step);
    const float between = (float)(row - up * step) / weight;
    const uint64_t above = terrain__random_row(stream, up);
    const uint64_t below = terrain__random_row(stream, up + 1);
    const uint32_t count = job->knot_columns;
    int64_t column = terrain__floor_div(job->first_knot_x, step);
    int64_t phase = job->first_knot_x - column * step;
    struct regions_node left = regions_node_at(above, below, between, column);
    struct regions_node right = regions_node_at(above, below, between, column + 1);
    for (uint32_t i = 0; i < count; i++) {
        float t = (float)phase / weight;
        knots[i] += weight * (left.x + t * (right.x - left.x));
        knots[count + i] += weight * (left.y + t * (right.y - left.y));
        if (++phase == step) {
            phase = 0;
            column++;
            left = right;
            right = regions_node_at(above, below, between, column + 1);
        }
    }
}

/* A row of knots as a float for each of the map's columns. */
static void regions_spread(float *out, const float *knots, const terrain__call *call)
{
    const struct regions_job *job = call->job;
    const float spacing = (float)job->spacing;
    const uint32_t width = call->target.width;
    uint32_t phase = (uint32_t)(call->x - job->first_knot_x * job->spacing);
    uint32_t knot = 0;
    for (uint32_t x = 0; x < width; knot++, phase = 0) {
        float rise = knots[knot + 1] - knots[knot];
        uint32_t count = (uint32_t)job->spacing - phase;
        count = count < width - x ? count : width - x;
        for (uint32_t i = 0; i < count; i++) {
            out[x + i] = knots[knot] + (float)(int32_t)(phase + i) / spacing * rise;
        }
        x += count;
    }
}

static void regions_warp(terrain__call *call, uint32_t index)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    const size_t count = job->knot_columns;
    const float scale = p->warp * (float)job->size / 7.0f;
    float *knots = job->knots + 2 * count * index;
    for (uint32_t i = terrain__band_begin(&job->knot_bands, index);
         i < terrain__band_end(&job->knot_bands, index); i++) {
        float *out = job->warp + (size_t)2 * i * job->warp_stride;
        memset(knots, 0, 2 * count * sizeof(float));
        for (uint32_t octave = REGIONS_OCTAVES; octave-- > 0;) {
            regions_add_octave(knots, job, job->first_knot_y + i, octave,
                               regions_stream(call, TERRAIN__DRAW_SHEAR_REGIONS_WARP + octave));
        }
        for (size_t k = 0; k < 2 * count; k++) {
            knots[k] *= scale;
        }
        regions_spread(out, knots, call);
        regions_spread(out + job->warp_stride, knots + count, call);
    }
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* The map's cells in a block. */
struct regions_block {
    int64_t column, row; /* of squares, from the map's first */
    int64_t x, y;        /* the first cell's place in the square */
    uint32_t left, top;  /* that cell, on the map */
    uint32_t width, height;
};

static void regions_cut(int64_t corner, int64_t size, uint32_t extent, int64_t *place,
                        uint32_t *begin, uint32_t *count)
{
    int64_t first = corner < 0 ? 0 : corner;
    int64_t last = corner + size < extent ? corner + size : extent;
    *place = first - corner;
    *begin = (uint32_t)first;
    *count = (uint32_t)(last - first);
}

static struct regions_block regions_block_at(const terrain__call *call, uint32_t column,
                                             uint32_t row)
{
    const struct regions_job *job = call->job;
    struct regions_block block = {.column = column, .row = row};
    int64_t x = (job->first_x + column) * job->size + job->origin_x - call->x;
    int64_t y = (job->first_y + row) * job->size + job->origin_y - call->y;
    regions_cut(x, job->size, call->target.width, &block.x, &block.left, &block.width);
    regions_cut(y, job->size, call->target.height, &block.y, &block.top, &block.height);
    return block;
}

static struct regions_site *regions_candidate(const struct regions_job *job,
                                              const struct regions_block *block, uint32_t k)
{
    return regions_site_at(job, block->column + (int64_t)(k % 3) - 1,
                           block->row + (int64_t)(k / 3) - 1);
}

static struct shear_regions_sites regions_sites_around(const struct regions_job *job,
                                                       const struct regions_block *block)
{
    struct shear_regions_sites sites = {.pushed = 0};
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        const struct regions_site *site = regions_candidate(job, block, k);
        sites.x[k] = site->x + (float)((int64_t)(k % 3) - 1) * (float)job->size;
        sites.y[k] = site->y + (float)((int64_t)(k / 3) - 1) * (float)job->size;
        sites.pushed |= (uint32_t)site->chosen << k;
    }
    return sites;
}

/* Where the warp of a row of the map lies. */
static void regions_find_warp(const terrain__call *call, uint32_t row, uint32_t left,
                              struct shear_regions_span *span)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    int64_t y = call->y + row;
    int64_t knot = p->warp > 0 ? terrain__floor_div(y, job->spacing) - job->first_knot_y : 0;
    size_t next = p->warp > 0 ? 2 * job->warp_stride : 0;
    const float *warp = job->warp + (size_t)knot * 2 * job->warp_stride + left;
    span->between = (float)terrain__floor_mod(y, job->spacing) / (float)job->spacing;
    span->warp_x[0] = warp;
    span->warp_x[1] = warp + next;
    span->warp_y[0] = warp + job->warp_stride;
    span->warp_y[1] = warp + job->warp_stride + next;
}

static void regions_gather(struct regions_part *part, const struct shear_regions_extremes *extremes)
{
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        part->low[k] = extremes->low[k][0];
        part->high[k] = extremes->high[k][0];
        for (uint32_t i = 1; i < 16; i++) {
            float low = extremes->low[k][i];
            float high = extremes->high[k][i];
            part->low[k] = low < part->low[k] ? low : part->low[k];
            part->high[k] = high > part->high[k] ? high : part->high[k];
        }
    }
}

static void regions_label_block(terrain__call *call, const struct regions_block *block)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    const struct shear_regions_kernels *kernels = terrain__shear_regions_kernels(call->isa);
    const struct shear_regions_sites sites = regions_sites_around(job, block);
    struct shear_regions_extremes extremes;
    struct shear_regions_span span = {.x = (float)block->x, .count = block->width};
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        for (uint32_t i = 0; i < 16; i++) {
            extremes.low[k][i] = INFINITY;
            extremes.high[k][i] = -INFINITY;
        }
    }
    for (uint32_t row = block->top; row < block->top + block->height; row++) {
        span.heights = job->source.cells + row * job->source.stride + block->left;
        span.y = (float)(block->y + (row - block->top));
        regions_find_warp(call, row, block->left, &span);
        kernels->label[p->metric](job->labels + row * job->label_stride + block->left, &extremes,
                                  &span, &sites);
    }
    regions_gather(job->parts + (size_t)block->row * job->columns + (size_t)block->column,
                   &extremes);
}

/* Calls a step for all blocks of a band, from left to right: a block's labels may spill over into the
 * next. */
static void regions_each_block(terrain__call *call, uint32_t index,
                               void (*step)(terrain__call *call, const struct regions_block *block))
{
    const struct regions_job *job = call->job;
    for (uint32_t row = terrain__band_begin(&job->bands, index);
         row < terrain__band_end(&job->bands, index); row++) {
        for (uint32_t column = 0; column < job->columns; column++) {
            struct regions_block block = regions_block_at(call, column, row);
            step(call, &block);
        }
    }
}

static void regions_label_band(terrain__call *call, uint32_t index)
{
    regions_each_block(call, index, regions_label_block);
}

/* ---- What the regions are -------------------------------------------------------------------- */

/* The block that is k-th among those around a site's own, and as which candidate it sees the site;
 * false if it is not on the map. */
static bool regions_part_of(const struct regions_job *job, int64_t column, int64_t row, uint32_t k,
                            size_t *block)
{
    int64_t x = column + (int64_t)(k % 3) - 1;
    int64_t y = row + (int64_t)(k / 3) - 1;
    *block = (size_t)(y * (int64_t)job->columns + x);
    return x >= 0 && x < (int64_t)job->columns && y >= 0 && y < (int64_t)job->rows;
}

/* How much of a push a region of this relief gets, 0 to 1. NaN, which a region of equal infinities
 * has, gets none. */
static float regions_extent(const terrain__call *call, float relief)
{
    const regions_params *p = call->params;
    float slope = relief / ((float)p->size * call->cell_size);
    float extent = p->least_slope > 0 ? (slope - p->least_slope) / p->least_slope
                   : slope > 0        ? 1.0f
                                      : 0.0f;
    return extent > 1 ? 1 : extent > 0 ? extent : 0;
}

static void regions_settle_site(terrain__call *call, int64_t column, int64_t row)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    struct regions_site *site = regions_site_at(job, column, row);
    float low = INFINITY;
    float high = -INFINITY;
    float extent;
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        size_t block;
        if (regions_part_of(job, column, row, k, &block)) {
            const struct regions_part *part = job->parts + block;
            float part_low = part->low[REGIONS_SITES - 1 - k];
            float part_high = part->high[REGIONS_SITES - 1 - k];
            low = part_low < low ? part_low : low;
            high = part_high > high ? part_high : high;
        }
    }
    extent = regions_extent(call, high - low);
    site->low = low + 0.0f; /* -0, which is as low as 0, becomes 0 */
    site->share = p->debris + (1 - extent) * (1 - p->debris);
    site->pushed = site->chosen && extent > 0 && site->share < 1;
}

static void regions_settle(terrain__call *call, uint32_t index)
{
    const struct regions_job *job = call->job;
    for (uint32_t i = terrain__band_begin(&job->site_bands, index);
         i < terrain__band_end(&job->site_bands, index); i++) {
        for (int64_t column = -1; column <= (int64_t)job->columns; column++) {
            regions_settle_site(call, column, (int64_t)i - 1);
        }
    }
}

/* ---- Heaps ----------------------------------------------------------------------------------- */

static void regions_heap_block(terrain__call *call, const struct regions_block *block)
{
    const struct regions_job *job = call->job;
    struct regions_heap heap = {{0}, {0}};
    double base[REGIONS_SITES];
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        const struct regions_site *site = regions_candidate(job, block, k);
        base[k] = site->pushed ? (double)site->low + site->cut : (double)INFINITY;
    }
    for (uint32_t row = block->top; row < block->top + block->height; row++) {
        const float *heights = job->source.cells + row * job->source.stride + block->left;
        const uint8_t *labels = job->labels + row * job->label_stride + block->left;
        for (uint32_t x = 0; x < block->width; x++) {
            double above = (double)heights[x] - base[labels[x]];
            bool counts = above > 0;
            heap.sum[labels[x]] += counts ? above : 0;
            heap.count[labels[x]] += counts;
        }
    }
    job->heaps[(size_t)block->row * job->columns + (size_t)block->column] = heap;
}

static void regions_heap_band(terrain__call *call, uint32_t index)
{
    regions_each_block(call, index, regions_heap_block);
}

/* A step of Newton's method; the first also finds how much is put back. */
static void regions_step_site(const struct regions_job *job, int64_t column, int64_t row)
{
    struct regions_site *site = regions_site_at(job, column, row);
    double sum = 0;
    uint64_t count = 0;
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        size_t block;
        if (regions_part_of(job, column, row, k, &block)) {
            sum += job->heaps[block].sum[REGIONS_SITES - 1 - k];
            count += job->heaps[block].count[REGIONS_SITES - 1 - k];
        }
    }
    if (job->step == 0) {
        site->total = (double)site->share * sum;
    }
    if (count != 0) {
        site->cut += (sum - site->total) / (double)count;
    }
}

static void regions_step(terrain__call *call, uint32_t index)
{
    const struct regions_job *job = call->job;
    for (uint32_t i = terrain__band_begin(&job->site_bands, index);
         i < terrain__band_end(&job->site_bands, index); i++) {
        for (int64_t column = -1; column <= (int64_t)job->columns; column++) {
            regions_step_site(job, column, (int64_t)i - 1);
        }
    }
}

/* ---- Pushing --------------------------------------------------------------------------------- */

static void regions_push_block(terrain__call *call, const struct regions_block *block)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    const bool heaps = p->place == TERRAIN_SHEAR_REGIONS_FOOT;
    struct shear_regions_push push = {.pushed = 0};
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        const struct regions_site *site = regions_candidate(job, block, k);
        push.low[k] = site->low;
        push.scale[k] = heaps && site->share > 0 ? 1.0f : site->share;
        push.cut[k] = heaps ? (float)site->cut : 0.0f;
        push.pushed |= (uint32_t)site->pushed << k;
    }
    for (uint32_t row = block->top; row < block->top + block->height; row++) {
        terrain__shear_regions_kernels(call->isa)->push(
            job->result.cells + row * job->result.stride + block->left,
            job->source.cells + row * job->source.stride + block->left,
            job->labels + row * job->label_stride + block->left, block->width, &push);
    }
}

static void regions_push_band(terrain__call *call, uint32_t index)
{
    regions_each_block(call, index, regions_push_block);
}

static terrain_status regions_run_pass(terrain__call *call, bool last)
{
    const regions_params *p = call->params;
    struct regions_job *job = call->job;
    const bool heaps = p->place == TERRAIN_SHEAR_REGIONS_FOOT;
    terrain_status status = terrain__run(call, job->site_bands.count, regions_place_sites);
    if (status == TERRAIN_SUCCESS && p->warp > 0) {
        status = terrain__run(call, job->knot_bands.count, regions_warp);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, job->bands.count, regions_label_band);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, job->site_bands.count, regions_settle);
    }
    for (job->step = 0; heaps && job->step < REGIONS_STEPS; job->step++) {
        if (status == TERRAIN_SUCCESS) {
            status = terrain__run(call, job->bands.count, regions_heap_band);
        }
        if (status == TERRAIN_SUCCESS) {
            status = terrain__run(call, job->site_bands.count, regions_step);
        }
    }
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    return last ? terrain__commit(call, job->bands.count, regions_push_band)
                : terrain__run(call, job->bands.count, regions_push_band);
}

static terrain_status regions_run(terrain__call *call)
{
    const regions_params *p = call->params;
    struct regions_job *job = call->job;
    terrain_status status = TERRAIN_SUCCESS;
    for (uint32_t pass = 0; pass < p->passes && status == TERRAIN_SUCCESS; pass++) {
        bool last = pass + 1 == p->passes;
        regions_plan_pass(call, pass);
        job->source = pass == 0 ? call->map : terrain__as_view(job->plane);
        job->result = last ? call->target : job->plane;
        status = regions_run_pass(call, last);
    }
    return status;
}

/* ---- Locality -------------------------------------------------------------------------------- */

static uint32_t regions_halo(const void *params)
{
    const regions_params *p = params;
    return p->passes * (uint32_t)(p->size - 1 + 2 * regions_margin(p));
}

/* From the cells x0 to x1 - 1 to all cells of the regions that may have one of them. */
static void regions_widen(int64_t *x0, int64_t *x1, int64_t origin, int64_t size, int64_t margin)
{
    int64_t first = terrain__floor_div(*x0 - origin - margin, size);
    int64_t last = terrain__floor_div(*x1 - 1 - origin + margin, size);
    *x0 = first * size + origin - margin;
    *x1 = (last + 1) * size + origin + margin;
}

static void regions_window(const void *params, uint32_t input, const terrain__box *out,
                           terrain__box *in)
{
    const regions_params *p = params;
    int64_t margin = regions_margin(p);
    (void)input;
    *in = *out;
    for (uint32_t pass = p->passes; pass-- > 0;) {
        regions_widen(&in->x0, &in->x1, regions_origin_x(p, pass), p->size, margin);
        regions_widen(&in->y0, &in->y1, regions_origin_y(p, pass), p->size, margin);
    }
}

const terrain_operation terrain__erode_shear_regions = {
    .key = TERRAIN__KEY_ERODE_SHEAR_REGIONS,
    .result_version = 1,
    .name = "erode_shear_regions",
    .verb = "erode",
    .summary = "Pushes random regions down to the lowest height that each touches.",
    .reference = "ckempke, Implementing erosion",
    .signature = TERRAIN_SIGNATURE_IN_PLACE,
    .params_size = sizeof(regions_params),
    .job_size = sizeof(struct regions_job),
    TERRAIN__PARAMETERS(regions_parameters),
    .halo = regions_halo,
    .window = regions_window,
    .prepare = regions_prepare,
    .run = regions_run,
};

terrain_status terrain_erode_shear_regions_params_init(terrain_erode_shear_regions_params *params,
                                                       size_t size)
{
    return terrain_operation_params_init(&terrain__erode_shear_regions, params, size);
}

terrain_status terrain_erode_shear_regions(terrain_context *context, terrain_heightmap *map,
                                           const terrain_erode_shear_regions_params *params)
{
    return terrain__apply(context, &terrain__erode_shear_regions, map, NULL, 0, params);
}
