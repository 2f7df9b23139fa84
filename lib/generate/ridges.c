/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_ridges: the crests of mountains as lines, which start at peaks and fall to a plain.
 *
 * F. Belhadj, P. Audibert: Modeling landscapes with ridges and rivers: bottom up approach, GRAPHITE
 * 2005: particles that walk from peaks in two directions, their height a normal distribution of the
 * way that they have gone, with others that leave them to both sides.
 *
 *   walk       a step is one cell long; the cells that it crosses get the particle's height
 *   turn       after so many steps to the left, next time to the right; or by fractal noise
 *   branch     after so many steps two others leave to both sides, from this one's height
 *   stop       where the height is that of the plain; at the frame's edge; at another line
 *
 * A step that changes column and row takes the cell between, too: lines are connected by their
 * sides, so that none slips through another at a corner. Particles step by turns, in the order of
 * their birth, on one thread: the time is that of some ten thousand steps.
 *
 * Peaks of the world need no frame. All lines have come to the plain after `reach` steps, a step
 * moves nothing by more than a cell, and what it meets is what there was before it, at most a cell
 * away. So the cells that lie within reach - t cells of the map are right after t steps, if all
 * peaks within reach are there; the map's own at the end:
 *
 *     +---------------------------+
 *     | reach   . . . . .         |     A particle that lies farther away than reach - t after its
 *     |       .           .       |     step t can do no more to the map, and is dropped.
 *     |     .   +-------+   .     |
 *     |     .   |  map  |   .     |     For that, all particles look before any of them draws: in
 *     |     .   +-------+   .     |     turns, each could decide about the next one's step, and so
 *     |       .           .       |     on in the same turn, as far as there are lines.
 *     |         . . . . .         |
 *     +---------------------------+ */

#include <string.h>

#include "base/math.h"
#include "rows/rows.h"
#include "terrain/generate.h"

typedef terrain_generate_ridges_params ridges_params;

enum {
    RIDGES_GRACE = 3,   /* steps in which a particle may touch its parent's or its twin's line */
    RIDGES_LEVELS = 3,  /* main lines, branches, and their branches */
    RIDGES_OCTAVES = 3, /* of turns by noise */
    RIDGES_CROWD = 16,  /* cells of the frame to each particle, at least */
    RIDGES_PASSES = 16, /* of all steps, for cancelling between them */
    /* With peaks of the world: cells from a peak to the last of its ridges, and particles around
     * one place, as that bounds them, at most. */
    RIDGES_MOST_REACH = 4096,
    RIDGES_MOST_AROUND = 1 << 18,
    /* Squares of the lattice lie on multiples of 2^-20 cells: so do floats from 8 on. */
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

/* What a step enters. */
struct ridges_way {
    uint32_t cells[2];
    uint32_t count;
    float height;
    bool ends; /* the particle goes no farther */
};

struct ridges_particle {
    int32_t column, row; /* the cell of the frame, or of what is around the map, from which… */
    double x, y;         /* …it counts cells: the first one, or its peak's */
    int64_t in_x, in_y;  /* x and y, rounded down */
    double dx, dy;       /* where it goes; FBM: where it went at first */
    double step_x, step_y;
    double height;  /* above the plain, at its start */
    uint64_t turns; /* its random numbers, of which `index` is a part */
    uint32_t index;
    uint32_t number; /* by its birth, from 1 */
    uint32_t kin;    /* its parent's or twin's number */
    uint32_t steps;
    uint32_t level;
    struct ridges_way way;
    /* FBM: the piece of each octave's noise that it is on, and the noise at its two ends. */
    uint32_t pieces[RIDGES_OCTAVES];
    double ends[RIDGES_OCTAVES][2];
};

struct ridges_job {
    /* The frame; with peaks of the world, what lies within reach of the map. */
    int64_t frame_x, frame_y;
    uint32_t frame_width, frame_height;
    uint32_t *owners; /* of each of the frame's cells: a particle's number; 0 for none */
    float *heights;   /* of the cells that have an owner */
    double *profiles
        [RIDGES_LEVELS]; /* after each number of steps from 1 on; ends with the longest line */
    uint32_t profile_steps;
    uint32_t reach; /* steps until the last line has stopped, at most */
    struct ridges_particle *particles;
    uint32_t *order; /* of `particles`: those that walk, by their numbers, then those to use next */
    uint32_t walking; /* how many walk */
    uint32_t born;
    uint32_t most;  /* particles: in a frame that are born, else that walk */
    uint32_t mains; /* pairs in a frame */
    uint32_t steps; /* taken so far */
    bool endless;
    uint64_t places, turns;
};

static bool ridges_is_framed(const ridges_params *p)
{
    return p->peaks == TERRAIN_GENERATE_RIDGES_PEAKS_FRAME;
}

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Whether a particle may go on at a cell. A line that it meets at its own height is crossed. */
static bool ridges_may_enter(const struct ridges_job *job, const struct ridges_particle *p,
                             uint32_t cell, float height)
{
    const uint32_t owner = job->owners[cell];
    return owner == 0 || owner == p->number || (owner == p->kin && p->steps <= RIDGES_GRACE) ||
           job->heights[cell] == height;
}

/* A cell is that of the first line there, and as high as the highest. */
static void ridges_draw(struct ridges_job *job, uint32_t number, uint32_t cell, float height)
{
    if (job->owners[cell] == 0) {
        job->owners[cell] = number;
        job->heights[cell] = height;
    } else if (height > job->heights[cell]) {
        job->heights[cell] = height;
    }
}

/* Piecewise linear noise along a line; 0 at its start. A piece's ends are computed when the
 * particle comes to it. */
static double ridges_noise(struct ridges_particle *p, double at, uint32_t octave)
{
    const uint32_t piece = (uint32_t)at;
    double *ends = p->ends[octave];
    if (p->steps == 0 || piece != p->pieces[octave]) {
        for (uint32_t i = 0; i < 2; i++) {
            const uint64_t node = (uint64_t)piece + i;
            const uint64_t bits = (uint64_t)octave << 60 | node << 32 | p->index;
            ends[i] = node == 0 ? 0 : 2 * terrain__unit_double(p->turns, bits) - 1;
        }
        p->pieces[octave] = piece;
    }
    return ends[0] + (ends[1] - ends[0]) * (at - (double)piece);
}

/* The direction of the next step. */
static void ridges_turn(const ridges_params *params, struct ridges_particle *p)
{
    const double most = (double)params->turn * (TERRAIN__PI / 180);
    double angle = 0;
    if (params->mode == TERRAIN_GENERATE_RIDGES_MODE_FBM) {
        double share = 1, at = p->steps / (4.0 * params->turn_spacing);
        for (uint32_t octave = 0; octave < RIDGES_OCTAVES; octave++) {
            angle += 2 * most * share * ridges_noise(p, at, octave);
            share /= 2;
            at *= 2;
        }
    } else if (p->steps > 0 && p->steps % params->turn_spacing == 0) {
        const uint32_t turn = p->steps / params->turn_spacing;
        const double amount = terrain__unit_double(p->turns, (uint64_t)turn << 32 | p->index);
        const uint64_t side = terrain__mix(p->turns, p->index) & 1;
        angle = (turn + side) % 2 == 0 ? most * amount : -most * amount;
    }
    p->step_x = p->dx;
    p->step_y = p->dy;
    if (angle != 0) {
        double sine, cosine;
        terrain__sine_cosine(angle, &sine, &cosine);
        p->step_x = p->dx * cosine - p->dy * sine;
        p->step_y = p->dx * sine + p->dy * cosine;
    }
    if (params->mode == TERRAIN_GENERATE_RIDGES_MODE_ALTERNATING) {
        p->dx = p->step_x;
        p->dy = p->step_y;
    }
}

/* Rounds down. */
static inline int64_t ridges_whole(double at)
{
    const int64_t whole = (int64_t)at;
    return whole - ((double)whole > at);
}

/* Adds a cell to a way; false beyond the frame. */
static bool ridges_reach_cell(const struct ridges_job *job, const struct ridges_particle *p,
                              int64_t x, int64_t y, struct ridges_way *way)
{
    const int64_t column = p->column + x, row = p->row + y;
    const bool inside = column >= 0 && row >= 0 && column < (int64_t)job->frame_width &&
                        row < (int64_t)job->frame_height;
    if (inside) {
        way->cells[way->count++] = (uint32_t)row * job->frame_width + (uint32_t)column;
    }
    return inside;
}

/* A particle's next step. */
static void ridges_advance(const ridges_params *params, const struct ridges_job *job,
                           struct ridges_particle *p, struct ridges_way *way)
{
    const int64_t x0 = p->in_x, y0 = p->in_y;
    way->count = 0;
    way->ends = true;
    if (p->steps + 1 >= job->profile_steps) {
        return;
    }
    ridges_turn(params, p);
    p->steps++;
    const double rise = p->height * job->profiles[p->level][p->steps];
    const double x = p->x + p->step_x, y = p->y + p->step_y;
    const int64_t x1 = ridges_whole(x), y1 = ridges_whole(y);
    way->height = (float)((double)params->offset + rise);
    if (rise < (double)params->least) {
        return;
    }
    if (x1 != x0 && y1 != y0) {
        /* Ways to the next column and to the next row, each times |dx dy|. */
        const double to_column = ((double)(x1 > x0 ? x1 : x0) - p->x) * p->step_y;
        const double to_row = ((double)(y1 > y0 ? y1 : y0) - p->y) * p->step_x;
        const bool column_first = terrain__absolute(to_column) < terrain__absolute(to_row);
        if (!ridges_reach_cell(job, p, column_first ? x1 : x0, column_first ? y0 : y1, way)) {
            return;
        }
    }
    p->x = x;
    p->y = y;
    p->in_x = x1;
    p->in_y = y1;
    way->ends = !ridges_reach_cell(job, p, x1, y1, way);
}

/* ---- Particles ------------------------------------------------------------------------------- */

static void ridges_add(struct ridges_job *job, const struct ridges_particle *particle)
{
    if ((job->endless ? job->walking : job->born) == job->most) {
        return;
    }
    struct ridges_particle *added = &job->particles[job->order[job->walking++]];
    *added = *particle;
    added->in_x = ridges_whole(particle->x);
    added->in_y = ridges_whole(particle->y);
    added->index = job->endless ? 0 : job->born;
    added->number = ++job->born;
}

/* Two particles leave a peak in opposite directions. Their place is known; the peak's random
 * numbers are those of a stream from an index on. */
static void ridges_start_pair(const ridges_params *params, struct ridges_job *job,
                              struct ridges_particle *particle, uint64_t peak, uint64_t index)
{
    const double angle = 2 * TERRAIN__PI * terrain__unit_double(peak, index + 2);
    const double lower = (double)params->variation * terrain__unit_double(peak, index + 3);
    const size_t cell = (size_t)(particle->row + (int64_t)particle->y) * job->frame_width +
                        (size_t)(particle->column + (int64_t)particle->x);
    const uint64_t turns = particle->turns;
    particle->dx = terrain__cos(angle);
    particle->dy = terrain__sin(angle);
    particle->height = (double)params->amplitude * (1 - lower);
    if (particle->height < (double)params->least || job->owners[cell] != 0) {
        return;
    }
    job->owners[cell] = job->born + 1;
    job->heights[cell] = (float)((double)params->offset + particle->height);
    particle->kin = job->born + 2;
    ridges_add(job, particle);
    particle->kin = job->born;
    particle->dx = -particle->dx;
    particle->dy = -particle->dy;
    particle->turns = job->endless ? terrain__mix(turns, 1) : turns;
    ridges_add(job, particle);
}

static void ridges_start_frame(const ridges_params *params, struct ridges_job *job)
{
    for (uint32_t i = 0; i < job->mains; i++) {
        const uint64_t index = 4 * (uint64_t)i;
        struct ridges_particle particle = {
            .x = job->frame_width * terrain__unit_double(job->places, index),
            .y = job->frame_height * terrain__unit_double(job->places, index + 1),
            .turns = job->turns,
        };
        ridges_start_pair(params, job, &particle, job->places, index);
    }
}

/* The square of the lattice in which a cell's first corner lies. Sides are in 2^-20 cells. */
static int64_t ridges_square(int64_t cell, int64_t side)
{
    const int64_t sides = terrain__floor_div(cell, side), rest = cell - sides * side;
    return sides * (1 << RIDGES_FRACTION) + rest * (1 << RIDGES_FRACTION) / side;
}

/* The cell in which a square's first corner lies, and how far in it. */
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

/* Squares with a corner in a row of so many cells, and the one before these. */
static int64_t ridges_squares(int64_t begin, uint32_t count, int64_t side)
{
    return ridges_square(begin + count, side) + 1 - ridges_square(begin, side);
}

/* The peak of a square, if it lies in the job's cells. */
static void ridges_start_square(const ridges_params *params, struct ridges_job *job, int64_t i,
                                int64_t j)
{
    const uint64_t peak = terrain__mix(terrain__mix(job->places, (uint64_t)j), (uint64_t)i);
    const int64_t side = ridges_side(params);
    double x, y;
    int64_t column = ridges_corner(i, side, &x) - job->frame_x;
    int64_t row = ridges_corner(j, side, &y) - job->frame_y;
    x += (double)params->spacing * terrain__unit_double(peak, 0);
    y += (double)params->spacing * terrain__unit_double(peak, 1);
    column += (int64_t)x;
    row += (int64_t)y;
    if (column < 0 || row < 0 || column >= (int64_t)job->frame_width ||
        row >= (int64_t)job->frame_height) {
        return;
    }
    struct ridges_particle particle = {
        .column = (int32_t)column,
        .row = (int32_t)row,
        .x = x - terrain__floor(x),
        .y = y - terrain__floor(y),
        .turns = terrain__mix(terrain__mix(job->turns, (uint64_t)j), (uint64_t)i),
    };
    ridges_start_pair(params, job, &particle, peak, 0);
}

static void ridges_start_world(const ridges_params *params, struct ridges_job *job)
{
    const int64_t side = ridges_side(params);
    const int64_t columns = ridges_squares(job->frame_x, job->frame_width, side);
    const int64_t rows = ridges_squares(job->frame_y, job->frame_height, side);
    const int64_t first_i = ridges_square(job->frame_x, side);
    const int64_t first_j = ridges_square(job->frame_y, side);
    for (int64_t j = 0; j < rows; j++) {
        for (int64_t i = 0; i < columns; i++) {
            ridges_start_square(params, job, first_i + i, first_j + j);
        }
    }
}

static void ridges_branch(const ridges_params *params, struct ridges_job *job,
                          const struct ridges_particle *parent)
{
    if (parent->level == params->depth || parent->steps % params->branch_spacing != 0) {
        return;
    }
    struct ridges_particle particle = {
        .column = parent->column,
        .row = parent->row,
        .x = parent->x,
        .y = parent->y,
        .dx = -parent->step_y,
        .dy = parent->step_x,
        .height = parent->height * job->profiles[parent->level][parent->steps],
        .kin = parent->number,
        .level = parent->level + 1,
    };
    const uint64_t left = 2 * (uint64_t)parent->steps;
    particle.turns = job->endless ? terrain__mix(parent->turns, left) : job->turns;
    ridges_add(job, &particle);
    particle.dx = parent->step_y;
    particle.dy = -parent->step_x;
    particle.turns = job->endless ? terrain__mix(parent->turns, left + 1) : job->turns;
    ridges_add(job, &particle);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static void ridges_clear(terrain__call *call, uint32_t task)
{
    const struct ridges_job *job = call->job;
    const terrain__bands bands = terrain__bands_of(job->frame_height, 1);
    const size_t begin = (size_t)terrain__band_begin(&bands, task) * job->frame_width;
    const size_t end = (size_t)terrain__band_end(&bands, task) * job->frame_width;
    memset(job->owners + begin, 0, (end - begin) * sizeof *job->owners);
}

static void ridges_start(terrain__call *call, uint32_t task)
{
    struct ridges_job *job = call->job;
    (void)task;
    job->steps = job->born = job->walking = 0;
    for (uint32_t i = 0; i < job->most; i++) {
        job->order[i] = i;
    }
    if (job->endless) {
        ridges_start_world(call->params, job);
    } else {
        ridges_start_frame(call->params, job);
    }
}

/* Whether a particle can still do anything to the map: what may shrinks by a cell a step. */
static bool ridges_counts(const struct ridges_job *job, const struct ridges_particle *p)
{
    const int64_t x = p->column + p->in_x, y = p->row + p->in_y;
    return x >= job->steps && x + job->steps < job->frame_width && y >= job->steps &&
           y + job->steps < job->frame_height;
}

/* In a frame particles look and draw in turn. */
static bool ridges_step_alone(const ridges_params *params, struct ridges_job *job,
                              struct ridges_particle *p)
{
    struct ridges_way way;
    ridges_advance(params, job, p, &way);
    for (uint32_t i = 0; i < way.count; i++) {
        if (!ridges_may_enter(job, p, way.cells[i], way.height)) {
            return false;
        }
        ridges_draw(job, p->number, way.cells[i], way.height);
    }
    return !way.ends;
}

/* In a world all look, and then draw. */
static void ridges_look(const ridges_params *params, const struct ridges_job *job,
                        struct ridges_particle *p)
{
    struct ridges_way *way = &p->way;
    ridges_advance(params, job, p, way);
    for (uint32_t i = 0; i < way->count; i++) {
        if (!ridges_may_enter(job, p, way->cells[i], way->height)) {
            way->count = i;
            way->ends = true;
        }
    }
}

static bool ridges_follow(struct ridges_job *job, const struct ridges_particle *p)
{
    for (uint32_t i = 0; i < p->way.count; i++) {
        ridges_draw(job, p->number, p->way.cells[i], p->way.height);
    }
    return !p->way.ends && ridges_counts(job, p);
}

static void ridges_swap(uint32_t *a, uint32_t *b)
{
    const uint32_t kept = *a;
    *a = *b;
    *b = kept;
}

/* The profiles' next number: no particle has taken more than `steps` steps. */
static void ridges_profile(const ridges_params *p, const struct ridges_job *job)
{
    const uint32_t next = job->steps + 1;
    double sigma = (double)p->length;
    for (uint32_t level = 0; level <= p->depth && next < job->profile_steps; level++) {
        const double t = next / sigma;
        job->profiles[level][next] = terrain__exp(-0.5 * (t * t));
        sigma *= (double)p->branch_length;
    }
}

/* A step of all particles. Those that stop make room behind those that go on, and those that are
 * born, in their order. */
static void ridges_step(const ridges_params *params, struct ridges_job *job)
{
    const uint32_t walking = job->walking;
    uint32_t *order = job->order, kept = 0;
    ridges_profile(params, job);
    for (uint32_t i = 0; i < walking && job->endless; i++) {
        ridges_look(params, job, &job->particles[order[i]]);
    }
    job->steps++;
    for (uint32_t i = 0; i < walking; i++) {
        struct ridges_particle *p = &job->particles[order[i]];
        if (job->endless ? ridges_follow(job, p) : ridges_step_alone(params, job, p)) {
            ridges_branch(params, job, p);
            ridges_swap(&order[kept++], &order[i]);
        }
    }
    for (uint32_t i = walking; i < job->walking; i++) {
        ridges_swap(&order[kept++], &order[i]);
    }
    job->walking = kept;
}

/* A part of all steps, of which there are no more than `reach`. */
static void ridges_walk(terrain__call *call, uint32_t task)
{
    struct ridges_job *job = call->job;
    (void)task;
    for (uint32_t i = 0; i <= job->reach / RIDGES_PASSES && job->walking > 0; i++) {
        ridges_step(call->params, job);
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

/* Steps that a line of a level takes at most. */
static double ridges_longest(const ridges_params *p, uint32_t level)
{
    const double ratio = (double)p->amplitude / (double)p->least;
    double length = (double)p->length;
    for (uint32_t i = 0; i < level; i++) {
        length *= (double)p->branch_length;
    }
    return ratio < 1 ? 0 : length * terrain__sqrt(2 * terrain__log(ratio));
}

/* Steps until all lines have stopped, which is how far they get from a peak, and two more, for
 * rounding. A line's branches begin with what it has left of the peak's height, and the
 * logarithms of both add up to that of amplitude / least: a branch at its farthest is the
 * hypotenuse. */
static double ridges_reach(const ridges_params *p)
{
    double squares = 0;
    for (uint32_t level = 0; level <= p->depth; level++) {
        const double longest = ridges_longest(p, level);
        squares += longest * longest;
    }
    return terrain__sqrt(squares) + 2;
}

/* Particles of one peak that walk at the same time, at most: pairs leave a line each
 * branch_spacing steps, and stop after the longest line of their level. */
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
                   ? "spacing and branch_spacing are too small for so long ridges"
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

/* Where the particles are: the frame, or the map and what is within reach of it. */
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

static terrain_status ridges_prepare(terrain__call *call)
{
    const ridges_params *p = call->params;
    struct ridges_job *job = call->job;
    job->endless = !ridges_is_framed(p);
    job->reach = (uint32_t)ridges_reach(p);
    ridges_place(call, job);
    const uint64_t cells = (uint64_t)job->frame_width * job->frame_height;
    if (cells > RIDGES_MOST_CELLS) {
        return terrain__fail(
            call, TERRAIN_ERROR_UNSUPPORTED,
            job->endless ? "the map and what lies within reach of it must have at most 2^28 cells"
                         : "the frame must have at most 2^28 cells");
    }
    if (job->endless) {
        const int64_t squares = ridges_squares(job->frame_x, job->frame_width, ridges_side(p)) *
                                ridges_squares(job->frame_y, job->frame_height, ridges_side(p));
        job->most = (uint32_t)((double)squares * ridges_crowd(p)) + 1;
    } else {
        const double squares = (double)cells / ((double)p->spacing * (double)p->spacing);
        job->mains = squares < 1 ? 1 : (uint32_t)(squares + 0.5);
        job->most = (uint32_t)(cells / RIDGES_CROWD) + 2;
    }
    job->profile_steps = (uint32_t)ridges_longest(p, 0) + 2;
    for (uint32_t level = 0; level <= p->depth; level++) {
        job->profiles[level] = terrain__scratch(call, job->profile_steps, sizeof(double));
    }
    job->owners = terrain__scratch(call, cells, sizeof *job->owners);
    job->heights = terrain__scratch(call, cells, sizeof *job->heights);
    job->particles = terrain__scratch(call, job->most, sizeof *job->particles);
    job->order = terrain__scratch(call, job->most, sizeof *job->order);
    job->places =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_PEAK);
    job->turns =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_TURN);
    terrain__expect_passes(call, 3 + RIDGES_PASSES);
    return TERRAIN_SUCCESS;
}

static void ridges_put(float *out, const uint32_t *owners, const float *heights, float otherwise,
                       uint64_t count)
{
    for (uint64_t x = 0; x < count; x++) {
        const float height = heights[x]; /* without owner, nothing that counts */
        out[x] = owners[x] != 0 ? height : otherwise;
    }
}

/* The part of the map's row that lies in the frame is copied, the rest is plain. */
static void ridges_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const ridges_params *p = call->params;
    const struct ridges_job *job = call->job;
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
        const uint32_t *owners = job->owners + row * wide + from;
        const float *heights = job->heights + row * wide + from;
        ridges_put(land + begin, owners, heights, p->offset, count);
        if (lines != NULL) {
            ridges_put(lines + begin, owners, heights, NAN, count);
        }
    }
}

static terrain_status ridges_run(terrain__call *call)
{
    const struct ridges_job *job = call->job;
    terrain_status status =
        terrain__run(call, terrain__bands_of(job->frame_height, 1).count, ridges_clear);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, ridges_start);
    }
    for (uint32_t i = 0; i < RIDGES_PASSES && status == TERRAIN_SUCCESS; i++) {
        status = terrain__run(call, 1, ridges_walk);
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
