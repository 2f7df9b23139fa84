/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_shear_regions: random regions sink to the lowest height that each touches.
 *
 * ckempke: Implementing erosion, "Shearing algorithm 2", where regions grow as squares. Here a
 * region is the cells nearest to a site of a jittered lattice, so that any window of the world
 * knows its regions.
 *
 * What a pass computes, each with a lattice of its own (tests/oracle/shear_regions.c, in plain C):
 *
 *     region(x, y) = the site nearest to (x, y) + warp(x, y); a share `push` of the sites is chosen
 *     low, high    = the lowest and the highest height of a chosen region's cells
 *     extent       = from 0 to 1 as (high - low) / spacing goes from least_slope to twice that
 *     share        = debris + (1 - extent) * (1 - debris)
 *     IN_PLACE       h = low + share * (h - low)
 *     FOOT           h = low + max(h - low - cut, 0), with the cut for which the region keeps as
 *                    much material as IN_PLACE
 *
 * The way through the map: the squares of the lattice, row by row, each with its cells.
 *
 *     +-----+-----+-----+
 *     |  s  | s   |   s |     s: the site of a square
 *     +-----+-----+-----+
 *     |   s |##s##| s   |     #: the cells of a square. A region reaches at most one square out of
 *     +-----+-----+-----+     its own: a square's cells belong to the nine sites around them, and
 *     | s   |   s |  s  |     a region's parts are in the nine squares around its site
 *     +-----+-----+-----+
 *
 *   sites    places sites and chooses some of them; the warp is made once for all passes
 *   label    finds the site of each cell, and in each square low and high of each region's part
 *   settle   joins the parts of each region: low, share and cut
 *   push     changes the heights */

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "core/choices.h"
#include "erode/extent.h"
#include "erode/shear_regions_kernels.h"
#include "rows/rows.h"
#include "terrain/erode.h"

typedef terrain_erode_shear_regions_params regions_params;

enum {
    REGIONS_SITES = TERRAIN__REGION_SITES,
    REGIONS_OCTAVES = 3,
    /* Steps of Newton's method, from a cut of 0. With e the excess over the wanted sum and n the
     * number of cells above the cut, a step leads to e' and n' with e'/e + n'/n <= 1, so that e' n'
     * is at most a fourth of e n. From an excess below the sum S over 2^20 cells, 22 steps lead to
     * 2^-24 S. */
    REGIONS_MOST_STEPS = 22,
    /* Floats past the end of a row of the warp: the one after its last cell, and those that whole
     * vectors write, which are twice as many as they read. */
    REGIONS_PAD = 2 * TERRAIN__REGION_PAD + 2
};

static const char *const regions_place_names[] = {"in_place", "foot"};
static const char *const regions_place_docs[] = {
    "spread over the region, where it came from",
    "in a heap at the foot of the new cliff",
};

static const terrain_parameter regions_parameters[] = {
    TERRAIN__SEED(regions_params),
    TERRAIN__UINT32(regions_params, spacing, "cells", 32, 8, 512,
                    "The mean width of a region: the larger, the higher the cliffs.",
                    .scaling = TERRAIN_SCALING_LATTICE),
    TERRAIN__UINT32(regions_params, passes, "", 3, 1, 16,
                    "How many times the map is cut into regions, other ones each time.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(regions_params, push, "", 0.25, 0, 1, "The share of regions that are pushed."),
    TERRAIN__FLOAT(regions_params, debris, "", 0.35, 0, 1,
                   "The share of the removed material that is put back."),
    TERRAIN__FLOAT(regions_params, least_slope, "slope", 0.1, 0, 100,
                   "Regions less steep than this stay; regions twice as steep are pushed in full."),
    TERRAIN__FLOAT(regions_params, jitter, "spacings", 0.4, 0, 0.5,
                   "How irregular the regions are."),
    TERRAIN__FLOAT(regions_params, warp, "spacings", 0.1875, 0, 0.375,
                   "How rough their edges are."),
    TERRAIN__ENUM_FIRST(
        regions_params, metric, TERRAIN_METRIC_EUCLIDEAN, 2, terrain__metric,
        "How the distance to a site is measured; each cell belongs to the nearest site."),
    TERRAIN__ENUM(
        regions_params, place, TERRAIN_ERODE_SHEAR_REGIONS_PLACE_IN_PLACE, regions_place,
        "Where the debris is put: where it came from, or in a heap at the foot of the cliff."),
    TERRAIN__MASK(regions_params),
};

/* ---- Plan ------------------------------------------------------------------------------------ */

struct regions_site {
    float x, y; /* from its square's corner */
    bool chosen;
    bool pushed; /* this and the rest is known when the region is settled */
    float low;
    float share;
    float cut;
};

struct regions_job {
    int64_t size;
    uint32_t pass;
    int64_t origin_x, origin_y; /* of the pass's lattice, in world cells */
    terrain__box needed;        /* the cells of the pass's result that are needed */
    terrain__box read;          /* the cells from which it makes them */
    int64_t first_x, first_y;   /* the square of the first cell that is read */
    uint32_t columns, rows;     /* squares with cells that are read */
    terrain__bands bands;       /* of these rows */

    /* The warp is known at knots, `spacing` apart. Its octaves have nodes at every knot, every
     * other one, and so on. */
    int64_t spacing;
    int64_t first_node_x; /* of the widest octave, counted in its nodes */
    int64_t first_knot_y;
    uint32_t warp_nodes;  /* of the widest octave, in a row */
    uint32_t warp_left;   /* cells from the first of them to the map */
    uint32_t refinements; /* halvings from these nodes to cells */
    uint32_t knot_rows;
    float *spare; /* for each task: two rows of the warp */
    float *warp;  /* for each knot row, one row for x and one for y, a float a column */
    size_t warp_stride;

    struct regions_site *sites; /* (columns + 2) * (rows + 2) */
    struct shear_regions_part *parts;
    uint8_t *labels;
    size_t label_stride;
    uint16_t *owners; /* of the patches of each square */
    uint32_t square_patches;

    terrain__view source;
    terrain__plane result;
    terrain__plane plane; /* result of all passes but the last */
};

/* How many cells a region may reach out of its square along an axis, plus one for rounding. Without
 * the warp it is less than 0.25 + 1.3 jitter squares along the axis in which a pass shifts its
 * lines, and less than 0.125 + 0.9 jitter along the other. That was found by a search, in steps of
 * a hundredth, for the cells that can be nearer to a square's site, wherever that lies, than to all
 * others of the nine. */
static int64_t regions_margin(const regions_params *p, uint32_t pass, uint32_t axis)
{
    double jitter = (double)p->jitter;
    double reach = pass % 2 == axis ? 0.25 + 1.3 * jitter : 0.125 + 0.9 * jitter;
    int64_t whole = (int64_t)((reach + (double)p->warp) * (double)p->spacing) + 2;
    return whole < p->spacing ? whole : p->spacing;
}

static int64_t regions_origin_x(const regions_params *p, uint32_t pass)
{
    return (int64_t)pass * (3 * (int64_t)p->spacing / 8);
}

static int64_t regions_origin_y(const regions_params *p, uint32_t pass)
{
    return (int64_t)pass * (5 * (int64_t)p->spacing / 8);
}

/* The greatest distance of two cells of a region, in x or in y. Without the warp it is less than
 * 1.25 + jitter squares, by the same search: for each place of a site, the farthest cells on either
 * side that it can own. (Without jitter a region is a hexagon, 1.25 squares long.) The warp moves
 * both cells. */
static uint32_t regions_extent_of(const regions_params *p)
{
    double extent = 1.25 + (double)p->jitter + 2 * (double)p->warp;
    return (uint32_t)(extent * (double)p->spacing + 0x1p-6); /* places are rounded */
}

/* Widens the cells x0 to x1 - 1 to all cells of the regions that may contain one of them: by the
 * extent of a region, but not beyond the regions of the squares that may own these cells. */
static void regions_widen(int64_t *x0, int64_t *x1, int64_t origin, int64_t margin,
                          const regions_params *p)
{
    int64_t size = p->spacing;
    int64_t extent = regions_extent_of(p);
    int64_t begin = terrain__floor_div(*x0 - origin - margin, size) * size + origin - margin;
    int64_t end =
        (terrain__floor_div(*x1 - 1 - origin + margin, size) + 1) * size + origin + margin;
    *x0 = begin > *x0 - extent ? begin : *x0 - extent;
    *x1 = end < *x1 + extent ? end : *x1 + extent;
}

/* Widens a box of cells of the last pass's result to the cells that pass `first` starts from. */
static void regions_reach(terrain__box *box, const regions_params *p, uint32_t first)
{
    for (uint32_t pass = p->passes; pass-- > first;) {
        regions_widen(&box->x0, &box->x1, regions_origin_x(p, pass), regions_margin(p, pass, 0), p);
        regions_widen(&box->y0, &box->y1, regions_origin_y(p, pass), regions_margin(p, pass, 1), p);
    }
}

/* The cells of the map that pass `first` starts from. */
static terrain__box regions_needed(const terrain__call *call, uint32_t first)
{
    const terrain__box map =
        terrain__box_at(call->x, call->y, call->target.width, call->target.height);
    terrain__box box = call->wanted;
    regions_reach(&box, call->params, first);
    return terrain__box_common(&box, &map);
}

/* The number of squares of this size from square `first` to the square of the last cell. */
static uint32_t regions_squares(int64_t first, int64_t end, int64_t size)
{
    return (uint32_t)(terrain__floor_div(end - 1, size) - first + 1);
}

static void regions_plan_pass(terrain__call *call, uint32_t pass)
{
    const regions_params *p = call->params;
    struct regions_job *job = call->job;
    job->pass = pass;
    job->origin_x = regions_origin_x(p, pass);
    job->origin_y = regions_origin_y(p, pass);
    job->needed = regions_needed(call, pass + 1);
    job->read = regions_needed(call, pass);
    job->first_x = terrain__floor_div(job->read.x0 - job->origin_x, job->size);
    job->first_y = terrain__floor_div(job->read.y0 - job->origin_y, job->size);
    job->columns = regions_squares(job->first_x, job->read.x1 - job->origin_x, job->size);
    job->rows = regions_squares(job->first_y, job->read.y1 - job->origin_y, job->size);
    job->bands = terrain__bands_of(job->rows, 1);
}

/* The largest power of two up to a 16th of the size, but at least 1. */
static uint32_t regions_spacing(uint32_t size)
{
    uint32_t spacing = 1;
    while (spacing * 32 <= size) {
        spacing *= 2;
    }
    return spacing;
}

/* Plans the warp, whose rows begin at a node of the widest octave. */
static void regions_plan_warp(terrain__call *call)
{
    const regions_params *p = call->params;
    struct regions_job *job = call->job;
    const int64_t step = job->spacing << (REGIONS_OCTAVES - 1);
    uint32_t knot_rows = regions_squares(terrain__floor_div(call->y, job->spacing),
                                         call->y + (int64_t)call->target.height, job->spacing) +
                         1;
    job->first_node_x = terrain__floor_div(call->x, step);
    job->first_knot_y = terrain__floor_div(call->y, job->spacing);
    job->warp_left = (uint32_t)(call->x - job->first_node_x * step);
    job->warp_nodes =
        regions_squares(job->first_node_x, call->x + (int64_t)call->target.width, step);
    for (int64_t left = step; left > 1; left /= 2) {
        job->refinements++;
    }
    job->knot_rows = p->warp > 0 ? knot_rows : 1;
    job->warp_stride = (size_t)job->warp_nodes * (size_t)step + REGIONS_PAD;
    job->warp =
        terrain__scratch(call, (size_t)2 * job->knot_rows, job->warp_stride * sizeof(float));
    job->spare = terrain__scratch(call, (size_t)2 * terrain__row_tasks(job->knot_rows),
                                  job->warp_stride * sizeof(float));
    if (p->warp == 0 && job->warp != NULL) {
        memset(job->warp, 0, 2 * job->warp_stride * sizeof(float));
    }
}

static terrain_status regions_prepare(terrain__call *call)
{
    const regions_params *p = call->params;
    struct regions_job *job = call->job;
    uint32_t width = call->target.width;
    uint32_t height = call->target.height;
    size_t columns, rows;
    job->size = p->spacing;
    job->spacing = regions_spacing(p->spacing);
    job->square_patches = terrain__divide_up(p->spacing, TERRAIN__REGION_PATCH_WIDTH) *
                          terrain__divide_up(p->spacing, TERRAIN__REGION_PATCH_HEIGHT);
    columns = width / p->spacing + 2; /* the most of any pass */
    rows = height / p->spacing + 2;
    job->sites = terrain__scratch(call, (columns + 2) * (rows + 2), sizeof *job->sites);
    job->parts = terrain__scratch(call, columns * rows, sizeof *job->parts);
    job->owners = terrain__scratch(call, columns * rows, job->square_patches * sizeof *job->owners);
    job->label_stride = terrain__whole_lines(width) + TERRAIN__REGION_PAD;
    job->labels = terrain__scratch(call, height, job->label_stride);
    if (p->passes > 1) {
        job->plane = terrain__scratch_plane(call, width, height);
    }
    regions_plan_warp(call);
    terrain__commit_cost(call, 1);
    terrain__expect_passes(call, p->passes * 4 + (p->warp > 0));
    return TERRAIN_SUCCESS;
}

/* ---- Sites ----------------------------------------------------------------------------------- */

/* A number in (-1, 1), in steps of 2^-15. */
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

/* The site of a square; columns and rows count from the first square that is read, and start at
 * -1. */
static struct regions_site *regions_site_at(const struct regions_job *job, int64_t column,
                                            int64_t row)
{
    return job->sites + (row + 1) * ((int64_t)job->columns + 2) + (column + 1);
}

/* The mean place of a site in its square. Were it always the middle, regions would look like
 * squares; so in even passes rows take turns at a quarter and three quarters in x, and in odd
 * passes columns do in y. */
static float regions_middle(const struct regions_job *job, uint32_t axis, int64_t line)
{
    if (job->pass % 2 != axis) {
        return 0.5f;
    }
    return (line & 1) != 0 ? 0.75f : 0.25f;
}

/* Places the sites of a row of squares, the first of which is row -1. */
static void regions_place_sites(terrain__call *call, uint32_t task, uint32_t site_row)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    const uint64_t places = regions_stream(call, TERRAIN__DRAW_SHEAR_REGIONS_SITE);
    const uint64_t chances = regions_stream(call, TERRAIN__DRAW_SHEAR_REGIONS_PUSH);
    const float size = (float)job->size;
    const float spread = 0.5f * p->jitter;
    const int64_t row = (int64_t)site_row - 1;
    (void)task;
    for (int64_t column = -1; column <= (int64_t)job->columns; column++) {
        struct regions_site *site = regions_site_at(job, column, row);
        int64_t x = job->first_x + column;
        int64_t y = job->first_y + row;
        uint32_t bits = terrain__random_cell(places, x, y);
        memset(site, 0, sizeof *site);
        site->x = size * (regions_middle(job, 0, y) + spread * regions_signed(bits >> 16));
        site->y = size * (regions_middle(job, 1, x) + spread * regions_signed(bits));
        site->chosen = terrain__unit_float(terrain__random_cell(chances, x, y)) < p->push;
    }
}

/* ---- The warp -------------------------------------------------------------------------------- */

/* Makes the row of the warp at a knot row. For each octave, the widest first, its nodes are added,
 * and then means are put between them, which doubles their number; that goes on until there is a
 * number for each cell. All arithmetic is exact: seven bits, times at most 4, in parts of 1 / (128
 * * 128) or more. */
static void regions_warp_row(terrain__call *call, uint32_t task, uint32_t row)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    const size_t stride = job->warp_stride;
    const int64_t knot = job->first_knot_y + row;
    float *const out[2] = {job->warp + 2 * stride * row, job->warp + 2 * stride * row + stride};
    float *const spare[2] = {job->spare + 2 * stride * task,
                             job->spare + 2 * stride * task + stride};
    const struct shear_regions_kernels *kernels = terrain__shear_regions_kernels(call->isa);
    float *const *from = job->refinements % 2 != 0 ? spare : out; /* the last step fills `out` */
    float *const *to = from == out ? spare : out;
    uint32_t count = job->warp_nodes;
    memset(from[0], 0, ((size_t)count + 1) * sizeof(float));
    memset(from[1], 0, ((size_t)count + 1) * sizeof(float));
    for (uint32_t i = 0;; i++, count *= 2) {
        float *const *next = from;
        if (i < REGIONS_OCTAVES) {
            uint32_t octave = REGIONS_OCTAVES - 1 - i;
            int64_t step = (int64_t)1 << octave;
            int64_t up = terrain__floor_div(knot, step);
            uint64_t stream = terrain__random_stream(p->seed, call->operation->key,
                                                     TERRAIN__DRAW_SHEAR_REGIONS_WARP + octave);
            uint64_t rows[2] = {terrain__random_row(stream, up),
                                terrain__random_row(stream, up + 1)};
            kernels->add_nodes(from[0], from[1], rows, (float)(knot - up * step) / (float)step,
                               (float)step, job->first_node_x * ((int64_t)1 << i), count + 1);
        }
        if (i == job->refinements) {
            break;
        }
        kernels->refine(to[0], from[0], count + 1);
        kernels->refine(to[1], from[1], count + 1);
        from = to;
        to = next;
    }
}

/* ---- Labels ---------------------------------------------------------------------------------- */

/* The cells of a square that are read. */
struct regions_square {
    int64_t column, row; /* of squares, from the first */
    int64_t x, y;        /* the first cell's place in the square */
    uint32_t left, top;  /* that cell, on the map */
    uint32_t width, height;
    bool needed; /* whether any of its cells is */
};

static struct regions_square regions_square_at(const terrain__call *call, uint32_t column,
                                               uint32_t row)
{
    const struct regions_job *job = call->job;
    struct regions_square square = {.column = column, .row = row};
    const int64_t x = (job->first_x + column) * job->size + job->origin_x;
    const int64_t y = (job->first_y + row) * job->size + job->origin_y;
    const terrain__box whole = {x, y, x + job->size, y + job->size};
    const terrain__box cells = terrain__box_common(&whole, &job->read);
    const terrain__box needed = terrain__box_common(&cells, &job->needed);
    square.x = cells.x0 - x;
    square.y = cells.y0 - y;
    square.left = (uint32_t)(cells.x0 - call->x);
    square.top = (uint32_t)(cells.y0 - call->y);
    square.width = (uint32_t)(cells.x1 - cells.x0);
    square.height = (uint32_t)(cells.y1 - cells.y0);
    square.needed = !terrain__box_is_empty(&needed);
    return square;
}

static struct regions_site *regions_candidate(const struct regions_job *job,
                                              const struct regions_square *square, uint32_t k)
{
    return regions_site_at(job, square->column + (int64_t)(k % 3) - 1,
                           square->row + (int64_t)(k / 3) - 1);
}

static void regions_set_sites(const struct regions_job *job, const struct regions_square *place,
                              struct shear_regions_square *square)
{
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        const struct regions_site *site = regions_candidate(job, place, k);
        square->site_x[k] = site->x + (float)((int64_t)(k % 3) - 1) * (float)job->size;
        square->site_y[k] = site->y + (float)((int64_t)(k / 3) - 1) * (float)job->size;
        square->chosen |= (uint32_t)site->chosen << k;
    }
}

static void regions_set_warp(const terrain__call *call, const struct regions_square *place,
                             struct shear_regions_square *square)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    int64_t y = call->y + place->top;
    int64_t knot = terrain__floor_div(y, job->spacing);
    square->halvings = job->refinements - (REGIONS_OCTAVES - 1);
    square->part = 1.0f / (float)job->spacing;
    square->scale = p->warp * (float)job->size / 7.0f;
    square->warp = job->warp + job->warp_left + place->left;
    if (p->warp > 0) {
        square->warp += (size_t)(knot - job->first_knot_y) * 2 * job->warp_stride;
        square->warp_stride = job->warp_stride;
        square->phase = (uint32_t)(y - knot * job->spacing);
    }
}

/* The square as kernels see it. */
static struct shear_regions_square regions_view_of(const terrain__call *call,
                                                   const struct regions_square *place)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    const float size = (float)job->size;
    size_t index = (size_t)place->row * job->columns + (size_t)place->column;
    struct shear_regions_square square = {
        .heights = job->source.cells + place->top * job->source.stride + place->left,
        .labels = job->labels + place->top * job->label_stride + place->left,
        .owners = job->owners + index * job->square_patches,
        .height_stride = job->source.stride,
        .label_stride = job->label_stride,
        .width = place->width,
        .height = place->height,
        .left = (uint32_t)place->x,
        .top = (uint32_t)place->y,
        .before = place->left,
        .after = call->target.width - place->left - place->width};
    /* Rounding: places are less than 3 sizes apart, 1536 cells, and off by at most 2^-13; a squared
     * distance, below 18 size^2, is rounded three times by 2^-24 of that. */
    square.reach = p->warp * size + 0x1p-10f;
    square.margin = p->metric == TERRAIN_METRIC_EUCLIDEAN ? 0x1p-15f * size * size : 0x1p-8f;
    return square;
}

static void regions_label_square(terrain__call *call, const struct regions_square *place)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    struct shear_regions_square square = regions_view_of(call, place);
    regions_set_sites(job, place, &square);
    regions_set_warp(call, place, &square);
    terrain__shear_regions_kernels(call->isa)->label[p->metric](
        &square, job->parts + (size_t)place->row * job->columns + (size_t)place->column);
}

/* Calls a step for all squares of a band, from left to right, as writing a square's labels may
 * spill over into the next square. */
static void regions_each_square(terrain__call *call, uint32_t index,
                                void (*step)(terrain__call *call,
                                             const struct regions_square *square))
{
    const struct regions_job *job = call->job;
    for (uint32_t row = terrain__band_begin(&job->bands, index);
         row < terrain__band_end(&job->bands, index); row++) {
        for (uint32_t column = 0; column < job->columns; column++) {
            struct regions_square square = regions_square_at(call, column, row);
            step(call, &square);
        }
    }
}

static void regions_label_band(terrain__call *call, uint32_t index)
{
    regions_each_square(call, index, regions_label_square);
}

/* ---- Settling -------------------------------------------------------------------------------- */

/* Finds the k-th of the nine squares around a site's own, in which the site has the label
 * REGIONS_SITES - 1 - k; false if it is not on the map. */
static bool regions_part_of(const struct regions_job *job, int64_t column, int64_t row, uint32_t k,
                            size_t *square)
{
    int64_t x = column + (int64_t)(k % 3) - 1;
    int64_t y = row + (int64_t)(k / 3) - 1;
    *square = (size_t)(y * (int64_t)job->columns + x);
    return x >= 0 && x < (int64_t)job->columns && y >= 0 && y < (int64_t)job->rows;
}

/* The squares that have cells of a region, and its label in each. */
struct regions_cells {
    uint32_t count;
    uint32_t label[REGIONS_SITES];
    struct shear_regions_square square[REGIONS_SITES];
};

static struct shear_regions_heap regions_heap_above(const terrain__call *call,
                                                    const struct regions_cells *cells, float low,
                                                    float cut)
{
    struct shear_regions_heap heap = {0, 0};
    for (uint32_t i = 0; i < cells->count; i++) {
        terrain__shear_regions_kernels(call->isa)->heap(&cells->square[i], cells->label[i], low,
                                                        cut, &heap);
    }
    return heap;
}

/* Finds the cut; false if there is none because the sum is infinite. */
static bool regions_cut_heap(const terrain__call *call, const struct regions_cells *cells,
                             struct regions_site *site)
{
    struct shear_regions_heap heap = regions_heap_above(call, cells, site->low, 0);
    const double total = (double)site->share * heap.sum;
    const double tolerance = 0x1p-24 * heap.sum;
    if (!(heap.sum < (double)INFINITY)) {
        return false;
    }
    for (uint32_t i = 0; i < REGIONS_MOST_STEPS && heap.sum - total > tolerance; i++) {
        site->cut += (float)((heap.sum - total) / heap.count);
        heap = regions_heap_above(call, cells, site->low, site->cut);
    }
    return true;
}

static bool regions_heap_site(const terrain__call *call, struct regions_site *site, int64_t column,
                              int64_t row)
{
    const struct regions_job *job = call->job;
    struct regions_cells cells = {.count = 0};
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        uint32_t label = REGIONS_SITES - 1 - k;
        size_t square;
        if (regions_part_of(job, column, row, k, &square) &&
            job->parts[square].low[label] <= job->parts[square].high[label]) {
            struct regions_square place =
                regions_square_at(call, column + (int64_t)(k % 3) - 1, row + (int64_t)(k / 3) - 1);
            cells.label[cells.count] = label;
            cells.square[cells.count++] = regions_view_of(call, &place);
        }
    }
    return regions_cut_heap(call, &cells, site);
}

static void regions_settle_site(terrain__call *call, int64_t column, int64_t row)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    struct regions_site *site = regions_site_at(job, column, row);
    float low = INFINITY;
    float high = -INFINITY;
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        size_t square;
        if (regions_part_of(job, column, row, k, &square)) {
            const struct shear_regions_part *part = job->parts + square;
            float part_low = part->low[REGIONS_SITES - 1 - k];
            float part_high = part->high[REGIONS_SITES - 1 - k];
            low = part_low < low ? part_low : low;
            high = part_high > high ? part_high : high;
        }
    }
    float extent =
        erode_extent((high - low) / ((float)p->spacing * call->cell_size), p->least_slope);
    site->low = low + 0.0f; /* -0, which is as low as 0, becomes 0 */
    site->share = p->debris + (1 - extent) * (1 - p->debris);
    site->pushed = site->chosen && extent > 0 && site->share < 1;
    if (site->pushed && p->place == TERRAIN_ERODE_SHEAR_REGIONS_PLACE_FOOT && site->share > 0) {
        site->pushed = regions_heap_site(call, site, column, row);
    }
}

static void regions_settle(terrain__call *call, uint32_t task, uint32_t site_row)
{
    const struct regions_job *job = call->job;
    (void)task;
    for (int64_t column = -1; column <= (int64_t)job->columns; column++) {
        regions_settle_site(call, column, (int64_t)site_row - 1);
    }
}

/* ---- Pushing --------------------------------------------------------------------------------- */

static void regions_push_square(terrain__call *call, const struct regions_square *place)
{
    const regions_params *p = call->params;
    const struct regions_job *job = call->job;
    const bool heaps = p->place == TERRAIN_ERODE_SHEAR_REGIONS_PLACE_FOOT;
    const struct shear_regions_square square = regions_view_of(call, place);
    struct shear_regions_push push = {.pushed = 0};
    if (!place->needed) {
        return;
    }
    for (uint32_t k = 0; k < REGIONS_SITES; k++) {
        const struct regions_site *site = regions_candidate(job, place, k);
        push.low[k] = site->low;
        push.scale[k] = heaps && site->share > 0 ? 1.0f : site->share;
        push.cut[k] = site->cut;
        push.pushed |= (uint32_t)site->pushed << k;
    }
    terrain__shear_regions_kernels(call->isa)->push(
        job->result.cells + place->top * job->result.stride + place->left, job->result.stride,
        &square, &push);
}

static void regions_push_band(terrain__call *call, uint32_t index)
{
    regions_each_square(call, index, regions_push_square);
}

static terrain_status regions_run_pass(terrain__call *call, bool last)
{
    const struct regions_job *job = call->job;
    terrain_status status = terrain__run_rows(call, job->rows + 2, regions_place_sites);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, job->bands.count, regions_label_band);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run_rows(call, job->rows + 2, regions_settle);
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
    if (p->warp > 0) {
        status = terrain__run_rows(call, job->knot_rows, regions_warp_row);
    }
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
    return p->passes * regions_extent_of(p);
}

static void regions_window(const void *params, uint32_t input, const terrain__box *out,
                           terrain__box *in)
{
    const regions_params *p = params;
    (void)input;
    *in = *out;
    regions_reach(in, p, 0);
}

const terrain_operation terrain__erode_shear_regions = {
    TERRAIN__IDENTITY(erode, shear_regions),
    .result_version = 1,
    .summary = "Pushes random regions down to the lowest height that each touches.",
    .reference = "ckempke, Implementing erosion",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(regions_params),
    TERRAIN__PARAMETERS(regions_parameters),
    .job_size = sizeof(struct regions_job),
    .halo = regions_halo,
    .window = regions_window,
    .prepare = regions_prepare,
    .run = regions_run,
};

TERRAIN__PUBLIC_CHANGE(erode_shear_regions)
