/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_flatten: levels gentle slopes and leaves steep ones, which become flats and cliffs.
 *
 * J. Olsen: Realtime procedural terrain generation, University of Southern Denmark, 2004: the
 * erosion that he calls improved and fast. He works through the map row by row, in place, so that
 * material may travel all along a row in one iteration, and no cell can be computed without all
 * those before it. Here cells take turns by colour instead: (x + 2 y) mod 5 of their world
 * coordinates. A cell and its four neighbours have five different colours, so that no two cells of
 * one colour share a neighbour. Forms without turns, in which all cells give at once, don't keep
 * the score: they settle as hills.
 *
 * The map's cells are sorted into pieces of rows: piece p of a row has the cells p, p + 5, p + 10,
 * …, which are of one colour. A cell's neighbours then lie one beside the other in four other
 * pieces. */

#include "base/math.h"
#include "erode/flatten_kernels.h"
#include "erode/iterations.h"
#include "rows/rows.h"
#include "rows/wave.h"
#include "terrain/erode.h"

typedef terrain_erode_flatten_params flatten_params;

enum {
    FLATTEN_COLOURS = 5,
    /* More iterations at once bring no more speed, only fewer bands. */
    FLATTEN_MOST_FUSED = 4,
    FLATTEN_MOST_ITERATIONS = 100000
};

/* The order of turns in even iterations; odd ones turn it round, so that a colour has its turns of
 * two iterations one after the other: they reach no farther than one. This is one of the orders in
 * which material travels the least. The first and the last turn of all are left out: see the
 * halo. */
static const uint8_t flatten_order[FLATTEN_COLOURS] = {0, 1, 3, 2, 4};

static const terrain_parameter flatten_parameters[] = {
    TERRAIN__UINT32(flatten_params, iterations, "", 128, 0, FLATTEN_MOST_ITERATIONS,
                    "How many times each slope is levelled.", .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__FLOAT(flatten_params, talus, "slope", 0.75, 0, 100,
                   "The steepest slope that is levelled."),
    TERRAIN__MASK(flatten_params),
};

/* ---- Plan ------------------------------------------------------------------------------------ */

struct flatten_job {
    const struct flatten_kernels *kernels;
    float talus;           /* the height difference */
    uint32_t first_colour; /* of the map's first cell */
    terrain__wave wave;
    float *cells; /* of the row above the map; another one is below it */
    size_t piece; /* floats from a piece to the next */
};

static float *flatten_piece(const struct flatten_job *job, int64_t row, uint32_t piece)
{
    size_t index = (size_t)(row + 1) * FLATTEN_COLOURS + piece;
    return job->cells + index * job->piece + TERRAIN__FLATTEN_PAD;
}

static uint32_t flatten_count(uint32_t width, uint32_t piece)
{
    return width <= piece ? 0 : (width - piece - 1) / FLATTEN_COLOURS + 1;
}

static terrain_status flatten_prepare(terrain__call *call)
{
    const flatten_params *p = call->params;
    struct flatten_job *job = call->job;
    job->kernels = terrain__flatten_kernels(call->isa);
    job->talus = (float)((double)p->talus * (double)call->cell_size);
    job->first_colour = (uint32_t)((terrain__floor_mod(call->x, FLATTEN_COLOURS) +
                                    2 * terrain__floor_mod(call->y, FLATTEN_COLOURS)) %
                                   FLATTEN_COLOURS);
    job->piece = terrain__whole_lines(flatten_count(call->target.width, 0)) + TERRAIN__FLATTEN_PAD;
    size_t row_bytes = FLATTEN_COLOURS * job->piece * sizeof(float);
    job->wave = terrain__wave_of(call->target.height, row_bytes, p->iterations, FLATTEN_COLOURS, 2,
                                 FLATTEN_MOST_FUSED);
    /* One more piece: the pad after the last one. */
    job->cells = terrain__scratch(call, ((size_t)call->target.height + 3) * FLATTEN_COLOURS,
                                  job->piece * sizeof(float));
    terrain__expect_passes(call, 2 + terrain__wave_passes(&job->wave));
    return TERRAIN_SUCCESS;
}

/* ---- In and out ------------------------------------------------------------------------------ */

static void flatten_clear(float *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        cells[i] = INFINITY;
    }
}

static void flatten_sort_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct flatten_job *job = call->job;
    const float *heights = terrain__map_row(call, y);
    (void)task;
    for (uint32_t p = 0; p < FLATTEN_COLOURS; p++) {
        float *piece = flatten_piece(job, y, p);
        size_t count = flatten_count(call->map.width, p);
        flatten_clear(piece - TERRAIN__FLATTEN_PAD, TERRAIN__FLATTEN_PAD);
        for (size_t i = 0; i < count; i++) {
            piece[i] = heights[i * FLATTEN_COLOURS + p];
        }
        flatten_clear(piece + count, job->piece - TERRAIN__FLATTEN_PAD - count);
    }
}

static void flatten_write_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct flatten_job *job = call->job;
    float *heights = terrain__target_row(call, y);
    (void)task;
    for (uint32_t p = 0; p < FLATTEN_COLOURS; p++) {
        const float *piece = flatten_piece(job, y, p);
        size_t count = flatten_count(call->target.width, p);
        for (size_t i = 0; i < count; i++) {
            heights[i * FLATTEN_COLOURS + p] = piece[i];
        }
    }
}

/* ---- Turns ----------------------------------------------------------------------------------- */

/* The cells of a row whose turn it is. Equally low neighbours: north, west, east, south. */
static void flatten_turn(terrain__call *call, uint64_t step, uint32_t row)
{
    const flatten_params *p = call->params;
    const struct flatten_job *job = call->job;
    const uint32_t turn = (uint32_t)(step % FLATTEN_COLOURS);
    const bool odd = step / FLATTEN_COLOURS % 2 != 0;
    const uint32_t colour = flatten_order[odd ? FLATTEN_COLOURS - 1 - turn : turn];
    const uint32_t start = (job->first_colour + 2 * (row % FLATTEN_COLOURS)) % FLATTEN_COLOURS;
    const uint32_t k = (colour + FLATTEN_COLOURS - start) % FLATTEN_COLOURS;
    float *const neighbours[4] = {
        flatten_piece(job, (int64_t)row - 1, k),
        k > 0 ? flatten_piece(job, row, k - 1) : flatten_piece(job, row, FLATTEN_COLOURS - 1) - 1,
        k + 1 < FLATTEN_COLOURS ? flatten_piece(job, row, k + 1) : flatten_piece(job, row, 0) + 1,
        flatten_piece(job, (int64_t)row + 1, k),
    };
    if (step == 0 || step + 1 == (uint64_t)FLATTEN_COLOURS * p->iterations) {
        return;
    }
    job->kernels->level(flatten_piece(job, row, k), neighbours,
                        flatten_count(call->target.width, k), job->talus);
}

static terrain_status flatten_run(terrain__call *call)
{
    const struct flatten_job *job = call->job;
    const uint32_t height = call->target.height;
    const size_t row_floats = FLATTEN_COLOURS * job->piece;
    flatten_clear(job->cells, row_floats);
    flatten_clear(job->cells + ((size_t)height + 1) * row_floats, row_floats + job->piece);
    terrain_status status = terrain__run_rows(call, height, flatten_sort_row);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__wave_run(call, &job->wave, flatten_turn);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, flatten_write_row) : status;
}

/* The plane is tiled by crosses: a cell of the turn's colour and its four neighbours. Going back
 * turn by turn, a cell's material may come from all cells of the crosses that it meets. k turns, of
 * which no two that follow each other have the same colour, lead (5 k + 3) / 4 cells far, averaged
 * over the four sides, and no less on the farthest: one turn 2. There are 4 such turns an
 * iteration, less 1 because the first and the last are left out, and with this order no side is
 * farther than the average, rounded up. */
static uint32_t flatten_halo(const void *params)
{
    const flatten_params *p = params;
    return 5 * p->iterations;
}

static const char *flatten_scale(void *params, const void *before, double scale)
{
    flatten_params *p = params;
    p->iterations = erode_iterations(((const flatten_params *)before)->iterations, scale,
                                     FLATTEN_MOST_ITERATIONS);
    return NULL;
}

const terrain_operation terrain__erode_flatten = {
    TERRAIN__IDENTITY(erode, flatten),
    .result_version = 1,
    .summary = "Levels gentle slopes and leaves steep ones: flats and cliffs.",
    .reference = "Olsen, Realtime procedural terrain generation, 2004",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(flatten_params),
    TERRAIN__PARAMETERS(flatten_parameters),
    .job_size = sizeof(struct flatten_job),
    .scale = flatten_scale,
    .halo = flatten_halo,
    .prepare = flatten_prepare,
    .run = flatten_run,
};

TERRAIN__PUBLIC_CHANGE(erode_flatten)
