/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_diamond_square: midpoint displacement from an endless lattice.
 *
 * A. Fournier, D. Fussell, L. Carpenter: Computer rendering of stochastic models, Communications of
 * the ACM 25 (1982), 371-384; the displacements' scaling, and displacing all points, after D. Saupe
 * in H.-O. Peitgen, D. Saupe (editors): The Science of Fractal Images, 1988, chapter 2.
 *
 * What is computed: level 0 is a lattice of random heights, `spacing` cells apart. Each further
 * level halves the distance of points, to 1 cell at the last:
 *
 *     o - e - o      o: a point of the level above
 *     |   |   |      c: the mean of the four o around it, displaced at random
 *     e - c - e      e: the mean of the two o and the two c around it (DIAMOND4), or of the two o
 *     |   |   |         (EDGE2), displaced at random
 *     o - e - o
 *
 * Displacements shrink by sqrt(gain) from o to c and again from c to e.
 * tests/oracle/diamond_square.c says it in plain C.
 *
 * The way through the map: bands of rows, one a task, in strips of columns. Rows 2 y and 2 y + 1 of
 * a level follow from rows y and y + 1 of the level above, its parents. So all levels run at once:
 * each keeps its last four rows in a ring, and asks the level above for the rows that it lacks.
 *
 *     level 0    o               o               o    rows y / 4, y / 4 + 1
 *                |  two rows of parents
 *     level 1    o       o       o       o       o    rows y / 2, y / 2 + 1
 *                |
 *     level 2    o   o   o   o   o   o   o   o   o    rows y, y + 1: the map
 *
 * Every cell is computed once, and hashed once. */

#include <string.h>

#include "base/math.h"
#include "generate/diamond_square.h"
#include "generate/diamond_square_kernels.h"
#include "rows/rows.h"
#include "terrain/generate.h"
#include "vector/stream_kernels.h"

typedef terrain_generate_diamond_square_params diamond_square_params;
typedef struct diamond_square_kernels diamond_square_kernels;

enum {
    DIAMOND_SQUARE_LEVELS = 31,  /* spacing is at most 2^30 */
    DIAMOND_SQUARE_STRIP = 1024, /* columns that run through all levels at once: they fit into the
                                    first-level cache */
    DIAMOND_SQUARE_BAND = 132,   /* rows; the first of a band make about three rows too many of each
                                    level */
    DIAMOND_SQUARE_OVERRUN = 16  /* floats behind a row that kernels may read and write */
};

static const char *const diamond_square_mode_names[] = {"diamond4", "edge2"};
static const char *const diamond_square_mode_docs[] = {
    "the mean of the edge's two ends and the two centres beside it",
    "the mean of the two ends (\"midpoint displacement\"): more creased",
};
static const char *const diamond_square_distribution_names[] = {"uniform", "gaussian"};
static const char *const diamond_square_distribution_docs[] = {
    "uniform in [-1, 1)",
    "bell-shaped: (the sum of four bytes - 510) / 256",
};

static const terrain_parameter diamond_square_parameters[] = {
    TERRAIN__SEED(diamond_square_params),
    TERRAIN__UINT32(diamond_square_params, spacing, "cells", 128, 1, 1u << 30,
                    "Distance between the lattice's points, the size of mountains; a power of two.",
                    .scaling = TERRAIN_SCALING_LATTICE, TERRAIN__POWER_OF_TWO),
    TERRAIN__FLOAT(diamond_square_params, amplitude, "height", 48, 0, 1e9,
                   "The lattice's heights are random within plus or minus this."),
    TERRAIN__FLOAT(diamond_square_params, offset, "height", 0, -1e9, 1e9, "Added to every height."),
    TERRAIN__FLOAT(diamond_square_params, gain, "", 0.5, 0, 1,
                   "Factor of the displacements from level to level: 2^-H; rougher towards 1."),
    TERRAIN__ENUM(diamond_square_params, mode, TERRAIN_GENERATE_DIAMOND_SQUARE_MODE_DIAMOND4,
                  diamond_square_mode, "How the middle of an edge is interpolated."),
    TERRAIN__ENUM(diamond_square_params, distribution,
                  TERRAIN_GENERATE_DIAMOND_SQUARE_DISTRIBUTION_UNIFORM, diamond_square_distribution,
                  "How the random heights and displacements are distributed."),
    TERRAIN__BOOL(
        diamond_square_params, displace_all, 0,
        "Whether to displace a level's old points, too: the lattice's creases stand out less."),
};

/* ---- Levels ---------------------------------------------------------------------------------- */

struct diamond_square_job {
    uint32_t levels; /* beside level 0 */
    struct diamond_square_level level[DIAMOND_SQUARE_LEVELS];
    float *scratch;
    size_t scratch_stride; /* floats of a task */
};

/* The hashes of a row, which centres and edges share. */
struct diamond_square_hash {
    uint64_t row;
    uint64_t column; /* of the columns whose high word is that of the strip's second */
};

/* The rows of one level, in coordinates of its points. A pair is a point of the level above with
 * the one right of it: columns 2 i and 2 i + 1. Its rows come in pairs too, but for level 0. */
struct diamond_square_rows {
    terrain__ring rows;    /* the last four */
    terrain__ring centres; /* the last two; row y lies between parent rows y and y + 1 */
    int64_t x;             /* column of a row's first point; even but for level 0 */
    uint32_t pairs;        /* level 0: points */
    struct diamond_square_hash even, odd; /* of the rows last asked for */
    int64_t next;                         /* the first row not yet made */
    bool primed;                          /* whether the centres above `next` are there */
};

/* All levels for one strip of the map. The last one's rows go to the map. */
struct diamond_square_strip {
    const terrain__call *call;
    const struct diamond_square_job *job;
    const diamond_square_kernels *kernels;
    float *line;  /* of the map, before it is cut */
    float *shift; /* of old points */
    struct diamond_square_rows levels[DIAMOND_SQUARE_LEVELS];
};

static struct diamond_square_hash diamond_square_hash_of(const struct diamond_square_strip *strip,
                                                         uint32_t level, int64_t y)
{
    struct diamond_square_hash hash;
    hash.row = terrain__random_row(strip->job->level[level].stream, y);
    hash.column = terrain__random_column(hash.row, strip->levels[level].x + 1);
    return hash;
}

/* Displacements of the points of a row from column x on, `stride` apart. */
static struct diamond_square_noise diamond_square_noise_of(const struct diamond_square_strip *strip,
                                                           uint32_t level,
                                                           struct diamond_square_hash hash,
                                                           int64_t x, uint32_t stride,
                                                           float amplitude)
{
    const diamond_square_params *p = strip->call->params;
    struct diamond_square_noise noise = {
        .row = hash.row,
        .column = hash.column,
        .high = (uint64_t)(strip->levels[level].x + 1) >> 32,
        .x = x,
        .stride = stride,
        .distribution = p->distribution,
        .amplitude = amplitude,
    };
    return noise;
}

/* Row `y` of the level above, from one column left of the first pair's on. */
static const float *diamond_square_parents(const struct diamond_square_strip *strip, uint32_t level,
                                           int64_t y)
{
    const struct diamond_square_rows *above = &strip->levels[level - 1];
    return terrain__ring_row(&above->rows, y) +
           (terrain__floor_div(strip->levels[level].x, 2) - 1 - above->x);
}

/* The centres between parent rows y and y + 1, from one left of the first pair on. */
static void diamond_square_make_centres(struct diamond_square_strip *strip, uint32_t level,
                                        int64_t y)
{
    struct diamond_square_rows *rows = &strip->levels[level];
    rows->even = diamond_square_hash_of(strip, level, 2 * y);
    rows->odd = diamond_square_hash_of(strip, level, 2 * y + 1);
    const struct diamond_square_noise noise = diamond_square_noise_of(
        strip, level, rows->odd, rows->x - 1, 2, strip->job->level[level].centre);
    strip->kernels->centres(terrain__ring_row(&rows->centres, y),
                            diamond_square_parents(strip, level, y),
                            diamond_square_parents(strip, level, y + 1), &noise, rows->pairs + 1);
}

/* Row 2 y of a level: old points and, between them, edges' middles. */
static void diamond_square_make_even_row(struct diamond_square_strip *strip, uint32_t level,
                                         int64_t y, float *out, uint32_t width)
{
    const diamond_square_params *p = strip->call->params;
    const struct diamond_square_rows *rows = &strip->levels[level];
    struct diamond_square_even from = {
        .corners = diamond_square_parents(strip, level, y) + 1,
        .above = terrain__ring_row(&rows->centres, y - 1) + 1,
        .below = terrain__ring_row(&rows->centres, y) + 1,
        .noise = diamond_square_noise_of(strip, level, rows->even, rows->x + 1, 2,
                                         strip->job->level[level].edge),
        .width = width,
    };
    if (p->displace_all != 0) {
        const struct diamond_square_noise noise = diamond_square_noise_of(
            strip, level, rows->even, rows->x, 2, strip->job->level[level].centre);
        strip->kernels->noise(strip->shift, &noise, rows->pairs);
        from.shift = strip->shift;
    }
    strip->kernels->even_row(out, &from, p->mode);
}

/* Row 2 y + 1: edges' middles and, between them, centres. */
static void diamond_square_make_odd_row(struct diamond_square_strip *strip, uint32_t level,
                                        int64_t y, float *out, uint32_t width)
{
    const diamond_square_params *p = strip->call->params;
    const struct diamond_square_rows *rows = &strip->levels[level];
    const struct diamond_square_odd from = {
        .upper = diamond_square_parents(strip, level, y) + 1,
        .lower = diamond_square_parents(strip, level, y + 1) + 1,
        .centres = terrain__ring_row(&rows->centres, y),
        .noise = diamond_square_noise_of(strip, level, rows->odd, rows->x, 2,
                                         strip->job->level[level].edge),
        .width = width,
    };
    strip->kernels->odd_row(out, &from, p->mode);
}

static void diamond_square_want(struct diamond_square_strip *strip, uint32_t level, int64_t y);

/* Makes the rows that rows 2 y and 2 y + 1 of a level need: parents y and y + 1, and the centres
 * above and between. */
static void diamond_square_want_parents(struct diamond_square_strip *strip, uint32_t level,
                                        int64_t y)
{
    struct diamond_square_rows *rows = &strip->levels[level];
    if (!rows->primed) {
        diamond_square_want(strip, level - 1, y);
        diamond_square_make_centres(strip, level, y - 1);
        rows->primed = true;
    }
    diamond_square_want(strip, level - 1, y + 1);
    diamond_square_make_centres(strip, level, y);
}

/* A row of level 0. The offset goes into the lattice: the levels' means carry it on. */
static void diamond_square_make_lattice(struct diamond_square_strip *strip, int64_t y, float *out)
{
    const diamond_square_params *p = strip->call->params;
    const struct diamond_square_rows *rows = &strip->levels[0];
    const struct diamond_square_noise noise = diamond_square_noise_of(
        strip, 0, diamond_square_hash_of(strip, 0, y), rows->x, 1, strip->job->level[0].centre);
    strip->kernels->noise(out, &noise, rows->pairs);
    for (uint32_t i = 0; i < rows->pairs; i++) {
        out[i] += p->offset;
    }
}

/* Makes the rows of a level up to row y. They are asked for in order, so that the last four
 * suffice. The depth of the recursion is the number of levels. */
static void diamond_square_want(struct diamond_square_strip *strip, uint32_t level, int64_t y)
{
    struct diamond_square_rows *rows = &strip->levels[level];
    while (rows->next <= y) {
        float *row = terrain__ring_row(&rows->rows, rows->next);
        if (level == 0) {
            diamond_square_make_lattice(strip, rows->next++, row);
            continue;
        }
        int64_t parent = terrain__floor_div(rows->next, 2);
        diamond_square_want_parents(strip, level, parent);
        diamond_square_make_even_row(strip, level, parent, row, 2 * rows->pairs);
        diamond_square_make_odd_row(
            strip, level, parent, terrain__ring_row(&rows->rows, rows->next + 1), 2 * rows->pairs);
        rows->next += 2;
    }
}

/* ---- Strips ---------------------------------------------------------------------------------- */

/* Hands out the floats of a task's scratch from the last level to the first, and returns their
 * number. `strip` may be NULL. */
static size_t diamond_square_layout(uint32_t levels, float *scratch,
                                    struct diamond_square_strip *strip)
{
    uint32_t points = DIAMOND_SQUARE_STRIP + 2;
    size_t stride = terrain__whole_lines(points + DIAMOND_SQUARE_OVERRUN);
    size_t used = 2 * stride;
    if (strip != NULL) {
        strip->line = scratch;
        strip->shift = scratch + stride;
    }
    for (uint32_t k = levels + 1; k-- > 0;) {
        stride = terrain__whole_lines(points + DIAMOND_SQUARE_OVERRUN);
        if (strip != NULL) {
            const terrain__ring rows = {scratch + used, stride, 4};
            const terrain__ring centres = {scratch + used + 4 * stride, stride, 2};
            strip->levels[k].rows = rows;
            strip->levels[k].centres = centres;
        }
        used += 6 * stride;
        /* The level above has at most one point more on the left, two on the right, and one on each
         * side to make them pairs. */
        points = (points + 1) / 2 + 4;
    }
    return used;
}

/* Columns x0 <= x < x1 of the map from row y on: which part of each level that takes. */
static void diamond_square_begin(struct diamond_square_strip *strip, int64_t x0, int64_t x1,
                                 int64_t y)
{
    for (uint32_t k = strip->job->levels; k > 0; k--) {
        struct diamond_square_rows *rows = &strip->levels[k];
        int64_t first = terrain__floor_div(x0, 2);
        int64_t last = terrain__floor_div(x1 - 1, 2);
        rows->x = 2 * first;
        rows->pairs = (uint32_t)(last - first + 1);
        rows->next = 2 * terrain__floor_div(y, 2);
        rows->primed = false;
        x0 = first - 1;
        x1 = last + 2;
        y = terrain__floor_div(y, 2) - 1;
    }
    strip->levels[0].x = x0;
    strip->levels[0].pairs = (uint32_t)(x1 - x0);
    strip->levels[0].next = y;
}

/* Where a strip writes: `width` cells of each row from `cells` on, which is in the map's first row.
 * The first `skip` cells of the last level's rows, and what follows the width, are not part of the
 * map. */
struct diamond_square_target {
    float *cells;
    uint32_t width;
    uint32_t skip;
    const struct stream_kernels *stream; /* NULL: the map is small */
};

/* World rows y0 <= y < y1: into the map where it can be, else by way of a line. */
static void diamond_square_put_rows(struct diamond_square_strip *strip,
                                    const struct diamond_square_target *target, int64_t y0,
                                    int64_t y1)
{
    const terrain__call *call = strip->call;
    const uint32_t last = strip->job->levels;
    const bool direct = last > 0 && target->skip == 0 && target->stream == NULL;
    const uint32_t width = direct ? target->width : 2 * strip->levels[last].pairs;
    for (int64_t y = y0; y < y1; y++) {
        const int64_t parent = terrain__floor_div(y, 2);
        float *cells = target->cells + (size_t)(y - call->y) * call->target.stride;
        float *out = direct ? cells : strip->line;
        if (last > 0 && (y == y0 || (y & 1) == 0)) {
            diamond_square_want_parents(strip, last, parent);
        }
        if (last == 0) {
            diamond_square_make_lattice(strip, y, out);
        } else if ((y & 1) == 0) {
            diamond_square_make_even_row(strip, last, parent, out, width);
        } else {
            diamond_square_make_odd_row(strip, last, parent, out, width);
        }
        if (target->stream != NULL) {
            target->stream->row(cells, out + target->skip, target->width);
        } else if (!direct) {
            memcpy(cells, out + target->skip, target->width * sizeof *cells);
        }
    }
}

static void diamond_square_band(terrain__call *call, uint32_t index)
{
    const struct diamond_square_job *job = call->job;
    terrain__bands bands = terrain__bands_of(call->target.height, DIAMOND_SQUARE_BAND);
    int64_t y0 = call->y + terrain__band_begin(&bands, index);
    int64_t y1 = call->y + terrain__band_end(&bands, index);
    int64_t end = call->x + call->target.width;
    float *scratch = job->scratch + index * job->scratch_stride;
    struct diamond_square_strip strip = {
        .call = call, .job = job, .kernels = terrain__diamond_square_kernels(call->isa)};
    const struct stream_kernels *stream =
        terrain__should_stream(call->target.width, call->target.height)
            ? terrain__stream_kernels(call->isa)
            : NULL;
    diamond_square_layout(job->levels, scratch, &strip);
    for (int64_t x0 = call->x, x1; x0 < end; x0 = x1) {
        /* Even, so that no pair is cut but for the map's first and last. */
        x1 = x0 - (x0 & 1) + DIAMOND_SQUARE_STRIP;
        x1 = x1 < end ? x1 : end;
        struct diamond_square_target target = {
            .cells = call->target.cells + (x0 - call->x),
            .width = (uint32_t)(x1 - x0),
            .skip = job->levels > 0 ? (uint32_t)(x0 & 1) : 0,
            .stream = stream,
        };
        diamond_square_begin(&strip, x0, x1, y0);
        diamond_square_put_rows(&strip, &target, y0, y1);
    }
    if (stream != NULL) {
        stream->done();
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

/* Between the lattice's points and the centres, and between those and the edges' middles, points
 * come closer by sqrt(2): each takes its share of the gain. */
struct diamond_square_level terrain__diamond_square_level(uint64_t seed, uint32_t k,
                                                          float amplitude, float gain)
{
    const uint32_t draw =
        k == 0 ? TERRAIN__DRAW_DIAMOND_SQUARE_LATTICE : TERRAIN__DRAW_DIAMOND_SQUARE_LEVEL + k;
    double centre = (double)amplitude;
    for (uint32_t i = 0; i < k; i++) {
        centre *= (double)gain;
    }
    return (struct diamond_square_level){
        .stream = terrain__random_stream(seed, TERRAIN__KEY_generate_diamond_square, draw),
        .centre = (float)centre,
        .edge = (float)(centre * terrain__sqrt((double)gain)),
    };
}

static terrain_status diamond_square_prepare(terrain__call *call)
{
    const diamond_square_params *p = call->params;
    struct diamond_square_job *job = call->job;
    uint32_t tasks = terrain__bands_of(call->target.height, DIAMOND_SQUARE_BAND).count;
    while (p->spacing >> job->levels > 1) {
        job->levels++;
    }
    for (uint32_t k = 0; k <= job->levels; k++) {
        job->level[k] = terrain__diamond_square_level(p->seed, k, p->amplitude, p->gain);
    }
    job->scratch_stride = diamond_square_layout(job->levels, NULL, NULL);
    job->scratch = terrain__scratch(call, tasks, job->scratch_stride * sizeof(float));
    terrain__commit_cost(call, 0.5);
    return TERRAIN_SUCCESS;
}

static terrain_status diamond_square_run(terrain__call *call)
{
    return terrain__commit(call, terrain__bands_of(call->target.height, DIAMOND_SQUARE_BAND).count,
                           diamond_square_band);
}

const terrain_operation terrain__generate_diamond_square = {
    TERRAIN__IDENTITY(generate, diamond_square),
    .result_version = 1,
    .summary = "Midpoint displacement from an endless lattice of random heights.",
    .reference = "Fournier, Fussell, Carpenter: Computer rendering of stochastic models, CACM 1982",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(diamond_square_params),
    TERRAIN__PARAMETERS(diamond_square_parameters),
    .job_size = sizeof(struct diamond_square_job),
    .prepare = diamond_square_prepare,
    .run = diamond_square_run,
};

TERRAIN__PUBLIC_CHANGE(generate_diamond_square)
