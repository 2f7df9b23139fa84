/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_ridges: crests of mountains as lines that start at peaks and descend to a plain.
 *
 * F. Belhadj, P. Audibert: Modeling landscapes with ridges and rivers: bottom up approach, GRAPHITE
 * 2005. Two particles walk from each peak in opposite directions and draw a line. After t steps a
 * particle is
 *
 *     height(t) = height(0) exp(-t^2 / (2 length^2))
 *
 * above the plain. Pairs of further particles, of shorter length, branch off to both sides.
 *
 *   walk       a step is one cell long; the cells that it enters get the particle's height
 *   turn       every turn_spacing steps, left and right in turn; or at each step, by fractal noise
 *   branch     every branch_spacing steps, two particles at a right angle, from this one's height
 *   stop       less than `least` above the plain; at the frame's edge; at another line
 *
 * A step that changes both column and row also enters a cell between, so that the cells of a line
 * share sides and no line slips through another at a corner. Particles step in turn, in the order
 * of their birth, as each may meet what another has just drawn. But where a particle would go does
 * not depend on the others, and all come to a fork with the same step. So the steps up to a fork
 * are a stretch, in which threads share the particles:
 *
 *   deal       bands: rows of the frame, with about as many particles each
 *   plan       a band's particles: directions, places, which cells each step enters, which is last
 *   walk       look at these cells, and draw: but particles near another band wait, and so do
 *              those whose plan may meet the plan of one that waits; where many would, all wait
 *   gather     those that have waited walk now, on one thread; then branches are born
 *
 *     band 0    |   o--         o  and its like walk: no particle that waits, and none of another
 *               |        --o    band, enters the cells that its plan does.
 *               |     w--
 *     ----------+ - - -|- - -   w  walks later: where it goes, a particle of the other band may
 *     band 1    |    --w        come, and whichever comes first makes the other one stop.
 *               |  o--
 *
 * Peaks of the world need no frame. All lines have descended to the plain after `reach` steps. A
 * step moves a particle by at most a cell, and depends only on what was drawn before it, at most a
 * cell away. So if all peaks within reach of the map are there, after t steps all cells within
 * reach - t cells of the map are right, and in the end the map's own:
 *
 *     +---------------------------+
 *     | reach   . . . . .         |     A particle that lies farther away than reach - t after its
 *     |       .           .       |     step t can do no more to the map, and is dropped.
 *     |     .   +-------+   .     |
 *     |     .   |  map  |   .     |     For that, all particles look before any of them draws. If
 *     |     .   +-------+   .     |     they stepped in turn, each could decide about the step of
 *     |       .           .       |     the next, and a single step could have effects anywhere.
 *     |         . . . . .         |
 *     +---------------------------+ */

#include <string.h>

#include "base/math.h"
#include "generate/ridges_walk.h"
#include "rows/rows.h"

enum {
    RIDGES_CROWD = 16, /* cells of the frame to each particle, at least */
    /* With peaks of the world: the greatest reach, in cells, and the most particles that may walk
     * within reach of one place. */
    RIDGES_MOST_REACH = 4096,
    RIDGES_MOST_AROUND = 1 << 18,
    /* Sides of squares are in units of 2^-20 cells: `spacing`, a float from 8 on, is a whole number
     * of them. */
    RIDGES_FRACTION = 20
};

#define RIDGES_MOST_CELLS (UINT64_C(1) << 28)

static const char *const ridges_mode_names[] = {"alternating", "fbm"};
static const char *const ridges_mode_docs[] = {
    "to one side and the other in turn, by random angles",
    "all the time, by fractal noise",
};

static const char *const ridges_peaks_names[] = {"frame", "world"};
static const char *const ridges_peaks_docs[] = {
    "so many as fit into the frame, anywhere in it",
    "one in each square of the world, without end: tiles fit, and no frame is needed",
};

#define RIDGES_FRAMED TERRAIN__WHEN(peaks, 1u << TERRAIN_GENERATE_RIDGES_PEAKS_FRAME)

static const terrain_parameter ridges_parameters[] = {
    TERRAIN__SEED(ridges_params),
    TERRAIN__INT64(ridges_params, frame_x, "cells", 0, -TERRAIN_WORLD_LIMIT, TERRAIN_WORLD_LIMIT,
                   "World column of the frame's first cell.", RIDGES_FRAMED),
    TERRAIN__INT64(ridges_params, frame_y, "cells", 0, -TERRAIN_WORLD_LIMIT, TERRAIN_WORLD_LIMIT,
                   "World row of the frame's first cell.", RIDGES_FRAMED),
    TERRAIN__MAP_OUT(ridges_params, constraints, "Gets the ridges' heights, and NaN between them."),
    TERRAIN__UINT32(ridges_params, frame_width, "cells", 0, 0, 1u << 28,
                    "Width of the frame, in which all ridges lie; 0: the map's own rectangle.",
                    .scaling = TERRAIN_SCALING_EXTENT, RIDGES_FRAMED),
    TERRAIN__UINT32(ridges_params, frame_height, "cells", 0, 0, 1u << 28,
                    "Height of the frame; 0 if and only if frame_width is 0.",
                    .scaling = TERRAIN_SCALING_EXTENT, RIDGES_FRAMED),
    TERRAIN__FLOAT(ridges_params, spacing, "cells", 256, 8, 1e6,
                   "Mean distance between peaks: one peak for each square of this side."),
    TERRAIN__FLOAT(ridges_params, amplitude, "height", 100, 0, 1e9,
                   "Height of the highest peaks above offset."),
    TERRAIN__FLOAT(ridges_params, variation, "", 0.4, 0, 1,
                   "The lowest peaks are lower than the highest by this part of amplitude."),
    TERRAIN__FLOAT(ridges_params, offset, "height", 0, -1e9, 1e9, "Height of the plain."),
    TERRAIN__FLOAT(ridges_params, least, "height", 1, 0.001, 1e9,
                   "Ridges end where they rise less than this above the plain."),
    TERRAIN__FLOAT(ridges_params, length, "cells", 128, 1, 16384,
                   "Standard deviation of a main ridge's profile: after this length 61 percent of "
                   "its height are left."),
    TERRAIN__UINT32(ridges_params, depth, "", 1, 0, RIDGES_LEVELS - 1,
                    "Main ridges alone, with branches, or with branches of branches.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__UINT32(ridges_params, branch_spacing, "cells", 20, 1, 65536,
                    "Distance along a ridge between two pairs of branches."),
    TERRAIN__FLOAT(ridges_params, branch_length, "", 0.5, 0.01, 1,
                   "A branch's length as a part of its parent's length."),
    TERRAIN__ENUM(ridges_params, mode, TERRAIN_GENERATE_RIDGES_MODE_ALTERNATING, ridges_mode,
                  "How ridges turn."),
    TERRAIN__UINT32(ridges_params, turn_spacing, "cells", 8, 1, 65536,
                    "Distance along a ridge between two turns."),
    TERRAIN__FLOAT(ridges_params, turn, "degrees", 30, 0, 90, "The largest turn."),
    TERRAIN__ENUM(ridges_params, peaks, TERRAIN_GENERATE_RIDGES_PEAKS_FRAME, ridges_peaks,
                  "Where peaks are."),
};

static bool ridges_is_framed(const ridges_params *p)
{
    return p->peaks == TERRAIN_GENERATE_RIDGES_PEAKS_FRAME;
}

/* ---- Peaks ----------------------------------------------------------------------------------- */

/* Two particles leave a peak in opposite directions. `course` has their place; numbers index + 2
 * and index + 3 of the stream `peak` give direction and height. */
static void ridges_start_pair(struct ridges_job *job, struct ridges_course *course, uint64_t peak,
                              uint64_t index)
{
    const double angle = 2 * TERRAIN__PI * terrain__unit_double(peak, index + 2);
    const double lower = (double)job->params->variation * terrain__unit_double(peak, index + 3);
    struct ridges_cell *cell = job->cells +
                               (size_t)(course->row + (int64_t)course->at.y) * job->frame_width +
                               (size_t)(course->column + (int64_t)course->at.x);
    struct ridges_particle particle = {.height = (double)job->params->amplitude * (1 - lower)};
    const uint64_t turns = course->turns;
    course->dx = terrain__cos(angle);
    course->dy = terrain__sin(angle);
    if (particle.height < (double)job->params->least || cell->owner != 0) {
        return;
    }
    cell->owner = job->born + 1;
    cell->height = (float)((double)job->params->offset + particle.height);
    particle.kin = job->born + 2;
    terrain__ridges_add(job, &particle, course);
    particle.kin = job->born;
    course->dx = -course->dx;
    course->dy = -course->dy;
    course->turns = job->endless ? terrain__mix(turns, 1) : turns;
    terrain__ridges_add(job, &particle, course);
}

static void ridges_start_frame(struct ridges_job *job)
{
    for (uint32_t i = 0; i < job->mains; i++) {
        const uint64_t index = 4 * (uint64_t)i;
        struct ridges_course course = {
            .at.x = job->frame_width * terrain__unit_double(job->places, index),
            .at.y = job->frame_height * terrain__unit_double(job->places, index + 1),
            .turns = job->turns,
        };
        ridges_start_pair(job, &course, job->places, index);
    }
}

/* The square in which a cell's upper left corner lies. `side` is in units of 2^-20 cells. */
static int64_t ridges_square(int64_t cell, int64_t side)
{
    const int64_t sides = terrain__floor_div(cell, side), rest = cell - sides * side;
    return sides * (1 << RIDGES_FRACTION) + rest * (1 << RIDGES_FRACTION) / side;
}

/* The cell in which a square's upper left corner lies, and how far into the cell, 0 to 1. */
static int64_t ridges_corner(int64_t square, int64_t side, double *fraction)
{
    const int64_t one = INT64_C(1) << RIDGES_FRACTION;
    const int64_t sides = terrain__floor_div(square, one), rest = (square - sides * one) * side;
    *fraction = (double)(rest % one) / (double)one;
    return sides * side + rest / one;
}

static int64_t ridges_side(const ridges_params *p)
{
    return (int64_t)((double)p->spacing * (1 << RIDGES_FRACTION));
}

/* How many squares touch `count` cells from `begin` on, or the corner behind them. */
static int64_t ridges_squares(int64_t begin, uint32_t count, int64_t side)
{
    return ridges_square(begin + count, side) + 1 - ridges_square(begin, side);
}

/* The peak of a square, if it lies in the job's cells. */
static void ridges_start_square(struct ridges_job *job, int64_t i, int64_t j)
{
    const uint64_t peak = terrain__mix(terrain__mix(job->places, (uint64_t)j), (uint64_t)i);
    const int64_t side = ridges_side(job->params);
    double x, y;
    int64_t column = ridges_corner(i, side, &x) - job->frame_x;
    int64_t row = ridges_corner(j, side, &y) - job->frame_y;
    x += (double)job->params->spacing * terrain__unit_double(peak, 0);
    y += (double)job->params->spacing * terrain__unit_double(peak, 1);
    column += (int64_t)x;
    row += (int64_t)y;
    if (column < 0 || row < 0 || column >= (int64_t)job->frame_width ||
        row >= (int64_t)job->frame_height) {
        return;
    }
    struct ridges_course course = {
        .column = (int32_t)column,
        .row = (int32_t)row,
        .at.x = x - terrain__floor(x),
        .at.y = y - terrain__floor(y),
        .turns = terrain__mix(terrain__mix(job->turns, (uint64_t)j), (uint64_t)i),
    };
    ridges_start_pair(job, &course, peak, 0);
}

static void ridges_start_world(struct ridges_job *job)
{
    const int64_t side = ridges_side(job->params);
    const int64_t columns = ridges_squares(job->frame_x, job->frame_width, side);
    const int64_t rows = ridges_squares(job->frame_y, job->frame_height, side);
    const int64_t first_i = ridges_square(job->frame_x, side);
    const int64_t first_j = ridges_square(job->frame_y, side);
    for (int64_t j = 0; j < rows; j++) {
        for (int64_t i = 0; i < columns; i++) {
            ridges_start_square(job, first_i + i, first_j + j);
        }
    }
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void ridges_clear(terrain__call *call, uint32_t task)
{
    const struct ridges_job *job = call->job;
    const terrain__bands bands = terrain__bands_of(job->frame_height, 1);
    const size_t begin = (size_t)terrain__band_begin(&bands, task) * job->frame_width;
    const size_t end = (size_t)terrain__band_end(&bands, task) * job->frame_width;
    memset(job->cells + begin, 0, (end - begin) * sizeof *job->cells);
}

static void ridges_start(terrain__call *call, uint32_t task)
{
    struct ridges_job *job = call->job;
    (void)task;
    terrain__ridges_begin(job);
    if (job->endless) {
        ridges_start_world(job);
    } else {
        ridges_start_frame(job);
    }
}

static void ridges_walk(terrain__call *call, uint32_t task)
{
    struct ridges_job *job = call->job;
    if (job->band_count > 1) {
        terrain__ridges_walk_band(job, task);
    } else {
        terrain__ridges_walk_all(job);
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

/* An upper bound on the steps of a line of a level. */
static double ridges_longest(const ridges_params *p, uint32_t level)
{
    const double ratio = (double)p->amplitude / (double)p->least;
    double length = (double)p->length;
    for (uint32_t i = 0; i < level; i++) {
        length *= (double)p->branch_length;
    }
    return ratio < 1 ? 0 : length * terrain__sqrt(2 * terrain__log(ratio));
}

/* Steps until all lines have stopped, plus two for rounding; no line gets farther from its peak. On
 * a line of standard deviation s, t steps divide the height by exp(t^2 / (2 s^2)). Along a chain of
 * branches these factors may multiply up to amplitude / least. By Cauchy's inequality the sum of t
 * is then at most the root of the sum of the squared longest lines. */
static double ridges_reach(const ridges_params *p)
{
    double squares = 0;
    for (uint32_t level = 0; level <= p->depth; level++) {
        const double longest = ridges_longest(p, level);
        squares += longest * longest;
    }
    return terrain__sqrt(squares) + 2;
}

/* An upper bound on the particles of one peak that walk at the same time: pairs leave a line every
 * branch_spacing steps, and walk no longer than the longest line of their level. */
static double ridges_crowd(const ridges_params *p)
{
    const double every = p->branch_spacing;
    const double first = ridges_longest(p, 1) + 2, second = ridges_longest(p, 2) + 2;
    double most = 2;
    if (p->depth > 0) {
        most += 4 * (first / every + 1);
    }
    if (p->depth > 1) {
        most += 4 * ((first + second) / every + 1) * 2 * (second / every + 1);
    }
    return most;
}

static const char *ridges_check(const void *params)
{
    const ridges_params *p = params;
    const bool frameless = p->frame_width == 0 || p->frame_height == 0;
    if (!ridges_is_framed(p)) {
        const double reach = ridges_reach(p), squares = (2 * reach + 1) / (double)p->spacing + 2;
        return reach > RIDGES_MOST_REACH
                   ? "peaks of the world need ridges that end within 4096 cells: length is too "
                     "large for amplitude and least"
               : squares * squares * ridges_crowd(p) > RIDGES_MOST_AROUND
                   ? "spacing and branch_spacing are too small for ridges as long as these"
                   : NULL;
    }
    return frameless && p->frame_width != p->frame_height
               ? "frame_width and frame_height must both be 0 or both be given"
           : (uint64_t)p->frame_width * p->frame_height > RIDGES_MOST_CELLS
               ? "the frame must have at most 2^28 cells"
               : NULL;
}

static const char *ridges_endless(const void *params)
{
    const ridges_params *p = params;
    return ridges_is_framed(p) && p->frame_width == 0
               ? "frame_width and frame_height must be given, or peaks be world"
               : NULL;
}

/* Sets the rectangle in which particles walk: the frame, or the map and all within reach of it. */
static void ridges_place(const terrain__call *call, struct ridges_job *job)
{
    const ridges_params *p = call->params;
    const bool own = job->endless || p->frame_width == 0;
    const uint32_t around = job->endless ? job->reach : 0;
    job->frame_x = own ? call->x - around : p->frame_x;
    job->frame_y = own ? call->y - around : p->frame_y;
    job->frame_width = own ? call->target.width + 2 * around : p->frame_width;
    job->frame_height = own ? call->target.height + 2 * around : p->frame_height;
}

/* Sets how many main lines there are in a frame, and the most particles. Returns why there are too
 * many, or NULL. */
static const char *ridges_count(struct ridges_job *job, uint64_t cells)
{
    const ridges_params *p = job->params;
    if (cells > RIDGES_MOST_CELLS) {
        return job->endless
                   ? "the map and what lies within reach of it must have at most 2^28 cells"
                   : "the frame must have at most 2^28 cells";
    }
    if (!job->endless) {
        const double squares = (double)cells / ((double)p->spacing * (double)p->spacing);
        job->mains = squares < 1 ? 1 : (uint32_t)(squares + 0.5);
        job->most = (uint32_t)(cells / RIDGES_CROWD) + 2;
        return NULL;
    }
    const int64_t squares = ridges_squares(job->frame_x, job->frame_width, ridges_side(p)) *
                            ridges_squares(job->frame_y, job->frame_height, ridges_side(p));
    const double most = (double)squares * ridges_crowd(p) + 1;
    if (most > UINT32_MAX) {
        return "spacing and branch_spacing are too small for a map of this size: 2^32 lines or "
               "more may be drawn at a time";
    }
    job->most = (uint32_t)most;
    return NULL;
}

static terrain_status ridges_prepare(terrain__call *call)
{
    const ridges_params *p = call->params;
    struct ridges_job *job = call->job;
    job->params = p;
    job->endless = !ridges_is_framed(p);
    job->reach = (uint32_t)ridges_reach(p);
    ridges_place(call, job);
    const uint64_t cells = (uint64_t)job->frame_width * job->frame_height;
    const char *why = ridges_count(job, cells);
    if (why != NULL) {
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED, "%s", why);
    }
    job->profile_steps = (uint32_t)ridges_longest(p, 0) + 2;
    for (uint32_t level = 0; level <= p->depth; level++) {
        job->profiles[level] = terrain__scratch(call, job->profile_steps, sizeof(double));
    }
    job->cells = terrain__scratch(call, cells, sizeof *job->cells);
    job->particles = terrain__scratch(call, job->most, sizeof *job->particles);
    job->courses = terrain__scratch(call, job->most, sizeof *job->courses);
    job->order = terrain__scratch(call, job->most, sizeof *job->order);
    job->lanes = terrain__scratch(call, job->most, sizeof *job->lanes);
    job->dealt = terrain__scratch(call, job->most, sizeof *job->dealt);
    job->boxes = terrain__scratch(call, job->most, sizeof *job->boxes);
    job->waits = terrain__scratch(call, job->most, sizeof *job->waits);
    job->places =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_PEAK);
    job->turns =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_TURN);
    terrain__expect_passes(call, 5 + job->reach / RIDGES_AHEAD +
                                     (p->depth > 0 ? job->reach / p->branch_spacing : 0));
    return TERRAIN_SUCCESS;
}

/* The part of the map's row inside the frame is copied; the rest becomes plain. */
static void ridges_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const ridges_params *p = call->params;
    const struct ridges_job *job = call->job;
    const struct ridges_kernels *kernels = terrain__ridges_kernels(call->isa);
    const uint64_t row = (uint64_t)(call->y + y) - (uint64_t)job->frame_y;
    const uint64_t width = call->target.width;
    const uint64_t before = (uint64_t)job->frame_x - (uint64_t)call->x; /* modulo 2^64 */
    const uint64_t begin = before < width ? before : 0;
    const uint64_t from = before < width ? 0 : 0 - before; /* the frame's column at `begin` */
    const uint64_t wide = job->frame_width, left = from < wide ? wide - from : 0;
    const uint64_t count = left < width - begin ? left : width - begin;
    float *land = terrain__target_row(call, y);
    float *lines = terrain__output_row(call, offsetof(ridges_params, constraints), y);
    (void)task;
    if (row >= job->frame_height || count < width) {
        for (uint64_t x = 0; x < width; x++) {
            land[x] = p->offset;
        }
        for (uint64_t x = 0; x < width && lines != NULL; x++) {
            lines[x] = NAN;
        }
    }
    if (row < job->frame_height && count > 0) {
        const struct ridges_cell *cells = job->cells + row * wide + from;
        kernels->put(land + begin, cells, p->offset, count);
        if (lines != NULL) {
            kernels->put(lines + begin, cells, NAN, count);
        }
    }
}

static terrain_status ridges_run(terrain__call *call)
{
    struct ridges_job *job = call->job;
    terrain_status status =
        terrain__run(call, terrain__bands_of(job->frame_height, 1).count, ridges_clear);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, ridges_start);
    }
    while (job->walking > 0 && status == TERRAIN_SUCCESS) {
        terrain__ridges_deal(job, terrain__is_alone(call));
        status = terrain__run(call, job->band_count, ridges_walk);
        if (status == TERRAIN_SUCCESS) {
            terrain__ridges_gather(job);
        }
    }
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, ridges_row) : status;
}

const terrain_operation terrain__generate_ridges = {
    TERRAIN__IDENTITY(generate, ridges),
    .result_version = 1,
    .summary = "Crests of mountains as lines, with branches, that fall from peaks to a plain.",
    .reference = "Belhadj and Audibert: Modeling landscapes with ridges and rivers, GRAPHITE 2005",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(ridges_params),
    TERRAIN__PARAMETERS(ridges_parameters),
    .job_size = sizeof(struct ridges_job),
    .check = ridges_check,
    .endless = ridges_endless,
    .prepare = ridges_prepare,
    .run = ridges_run,
};

TERRAIN__PUBLIC_CHANGE(generate_ridges)
