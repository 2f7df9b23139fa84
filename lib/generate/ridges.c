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
 * their birth, on one thread: the time is that of some ten thousand steps. */

#include <string.h>

#include "base/math.h"
#include "rows/rows.h"
#include "terrain/generate.h"

typedef terrain_generate_ridges_params ridges_params;

enum {
    RIDGES_GRACE = 3,   /* steps in which a particle may touch its parent's or its twin's line */
    RIDGES_LEVELS = 3,  /* main lines, branches, and their branches */
    RIDGES_OCTAVES = 3, /* of turns by noise */
    RIDGES_CROWD = 16   /* cells of the frame to each particle, at least */
};

#define RIDGES_MOST_CELLS (UINT64_C(1) << 28)

static const char *const ridges_mode_names[] = {"alternating", "fbm"};
static const char *const ridges_mode_docs[] = {
    "to one side and the other in turn, by random angles",
    "all the time, by fractal noise",
};

static const terrain_parameter ridges_parameters[] = {
    TERRAIN__SEED(ridges_params),
    TERRAIN__INT64(ridges_params, frame_x, "cells", 0, -TERRAIN_WORLD_LIMIT, TERRAIN_WORLD_LIMIT,
                   "World column of the frame's first cell."),
    TERRAIN__INT64(ridges_params, frame_y, "cells", 0, -TERRAIN_WORLD_LIMIT, TERRAIN_WORLD_LIMIT,
                   "World row of the frame's first cell."),
    TERRAIN__MAP_OUT(ridges_params, constraints, "Gets the ridges' heights, and NaN between them."),
    TERRAIN__UINT32(ridges_params, frame_width, "cells", 0, 0, 1u << 28,
                    "Width of the frame, in which all ridges lie; 0: the map's own rectangle.",
                    .scaling = TERRAIN_SCALING_EXTENT),
    TERRAIN__UINT32(ridges_params, frame_height, "cells", 0, 0, 1u << 28,
                    "Height of the frame; 0 if and only if frame_width is 0.",
                    .scaling = TERRAIN_SCALING_EXTENT),
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
};

struct ridges_particle {
    double x, y;   /* in cells from the frame's corner */
    double dx, dy; /* where it goes; FBM: where it went at first */
    double height; /* above the plain, at its start */
    uint32_t steps;
    uint32_t kin;   /* its parent or twin */
    uint32_t index; /* of its own random numbers */
    uint32_t level;
    /* FBM: the piece of each octave's noise that it is on, and the noise at its two ends. */
    uint32_t pieces[RIDGES_OCTAVES];
    double ends[RIDGES_OCTAVES][2];
};

struct ridges_job {
    int64_t frame_x, frame_y;
    uint32_t frame_width, frame_height;
    uint32_t *owners; /* of each of the frame's cells: a particle's number, from 1; 0 for none */
    float *heights;   /* NaN where there is no ridge */
    double *profiles[RIDGES_LEVELS]; /* after each number of steps; ends with the longest line */
    uint32_t profile_steps;
    struct ridges_particle *particles;
    uint32_t *walking; /* numbers of those that have not stopped, in order */
    uint32_t most;     /* particles */
    uint32_t mains;    /* pairs */
    uint64_t places, turns;
};

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Whether particle `number` may go on at a cell. A line that it meets at its own height is
 * crossed. */
static bool ridges_enter(const struct ridges_job *job, uint32_t number, int64_t x, int64_t y,
                         float height)
{
    const struct ridges_particle *p = &job->particles[number - 1];
    if (x < 0 || y < 0 || x >= (int64_t)job->frame_width || y >= (int64_t)job->frame_height) {
        return false;
    }
    const size_t cell = (size_t)y * job->frame_width + (size_t)x;
    const uint32_t owner = job->owners[cell];
    if (owner == 0) {
        job->owners[cell] = number;
        job->heights[cell] = height;
        return true;
    }
    const bool shared = owner == number || (owner == p->kin && p->steps <= RIDGES_GRACE);
    if (shared && height > job->heights[cell]) {
        job->heights[cell] = height;
    }
    return shared || job->heights[cell] == height;
}

/* Piecewise linear noise along a line; 0 at its start. A piece's ends are computed when the
 * particle comes to it. */
static double ridges_noise(const struct ridges_job *job, struct ridges_particle *p, double at,
                           uint32_t octave)
{
    const uint32_t piece = (uint32_t)at;
    double *ends = p->ends[octave];
    if (p->steps == 0 || piece != p->pieces[octave]) {
        for (uint32_t i = 0; i < 2; i++) {
            const uint64_t node = (uint64_t)piece + i;
            const uint64_t bits = (uint64_t)octave << 60 | node << 32 | p->index;
            ends[i] = node == 0 ? 0 : 2 * terrain__unit_double(job->turns, bits) - 1;
        }
        p->pieces[octave] = piece;
    }
    return ends[0] + (ends[1] - ends[0]) * (at - (double)piece);
}

/* The direction of the next step. */
static void ridges_turn(const ridges_params *params, const struct ridges_job *job,
                        struct ridges_particle *p, double *dx, double *dy)
{
    const double most = (double)params->turn * (TERRAIN__PI / 180);
    double angle = 0;
    if (params->mode == TERRAIN_GENERATE_RIDGES_MODE_FBM) {
        double share = 1, at = p->steps / (4.0 * params->turn_spacing);
        for (uint32_t octave = 0; octave < RIDGES_OCTAVES; octave++) {
            angle += 2 * most * share * ridges_noise(job, p, at, octave);
            share /= 2;
            at *= 2;
        }
    } else if (p->steps > 0 && p->steps % params->turn_spacing == 0) {
        const uint32_t turn = p->steps / params->turn_spacing;
        const double amount = terrain__unit_double(job->turns, (uint64_t)turn << 32 | p->index);
        const uint64_t side = terrain__mix(job->turns, p->index) & 1;
        angle = (turn + side) % 2 == 0 ? most * amount : -most * amount;
    }
    if (angle == 0) {
        *dx = p->dx;
        *dy = p->dy;
        return;
    }
    double sine, cosine;
    terrain__sine_cosine(angle, &sine, &cosine);
    *dx = p->dx * cosine - p->dy * sine;
    *dy = p->dx * sine + p->dy * cosine;
    if (params->mode == TERRAIN_GENERATE_RIDGES_MODE_ALTERNATING) {
        p->dx = *dx;
        p->dy = *dy;
    }
}

/* One step of a particle: false if it stops. */
static bool ridges_step(const ridges_params *params, const struct ridges_job *job, uint32_t number,
                        double *dx, double *dy)
{
    struct ridges_particle *p = &job->particles[number - 1];
    const double x0 = terrain__floor(p->x), y0 = terrain__floor(p->y);
    if (p->steps + 1 >= job->profile_steps) {
        return false;
    }
    ridges_turn(params, job, p, dx, dy);
    p->steps++;
    const double rise = p->height * job->profiles[p->level][p->steps];
    const double x = p->x + *dx, y = p->y + *dy;
    const double x1 = terrain__floor(x), y1 = terrain__floor(y);
    const float height = (float)((double)params->offset + rise);
    if (rise < (double)params->least) {
        return false;
    }
    if (x1 != x0 && y1 != y0) {
        /* Ways to the next column and to the next row, each times |dx dy|. */
        const double to_column = ((x1 > x0 ? x1 : x0) - p->x) * *dy;
        const double to_row = ((y1 > y0 ? y1 : y0) - p->y) * *dx;
        const bool column_first =
            (to_column < 0 ? -to_column : to_column) < (to_row < 0 ? -to_row : to_row);
        if (!ridges_enter(job, number, (int64_t)(column_first ? x1 : x0),
                          (int64_t)(column_first ? y0 : y1), height)) {
            return false;
        }
    }
    p->x = x;
    p->y = y;
    return ridges_enter(job, number, (int64_t)x1, (int64_t)y1, height);
}

/* ---- Particles ------------------------------------------------------------------------------- */

static uint32_t ridges_add(struct ridges_job *job, uint32_t *count, uint32_t *walking,
                           const struct ridges_particle *particle)
{
    if (*count == job->most) {
        return 0;
    }
    job->particles[*count] = *particle;
    job->particles[*count].index = *count;
    job->walking[(*walking)++] = ++*count;
    return *count;
}

/* Pairs of particles leave the peaks in opposite directions. */
static void ridges_start(const ridges_params *params, struct ridges_job *job, uint32_t *count,
                         uint32_t *walking)
{
    for (uint32_t i = 0; i < job->mains; i++) {
        const uint64_t index = 4 * (uint64_t)i;
        const double angle = 2 * TERRAIN__PI * terrain__unit_double(job->places, index + 2);
        const double lower =
            (double)params->variation * terrain__unit_double(job->places, index + 3);
        struct ridges_particle particle = {
            .x = job->frame_width * terrain__unit_double(job->places, index),
            .y = job->frame_height * terrain__unit_double(job->places, index + 1),
            .dx = terrain__cos(angle),
            .dy = terrain__sin(angle),
            .height = (double)params->amplitude * (1 - lower),
            .kin = *count + 2,
        };
        const float height = (float)((double)params->offset + particle.height);
        const size_t cell = (size_t)particle.y * job->frame_width + (size_t)particle.x;
        if (particle.height < (double)params->least || job->owners[cell] != 0) {
            continue;
        }
        job->owners[cell] = *count + 1;
        job->heights[cell] = height;
        ridges_add(job, count, walking, &particle);
        particle.kin = *count;
        particle.dx = -particle.dx;
        particle.dy = -particle.dy;
        ridges_add(job, count, walking, &particle);
    }
}

static void ridges_branch(const ridges_params *params, struct ridges_job *job, uint32_t number,
                          double dx, double dy, uint32_t *count, uint32_t *walking)
{
    const struct ridges_particle *parent = &job->particles[number - 1];
    if (parent->level == params->depth || parent->steps % params->branch_spacing != 0) {
        return;
    }
    struct ridges_particle particle = {
        .x = parent->x,
        .y = parent->y,
        .dx = -dy,
        .dy = dx,
        .height = parent->height * job->profiles[parent->level][parent->steps],
        .kin = number,
        .level = parent->level + 1,
    };
    ridges_add(job, count, walking, &particle);
    particle.dx = dy;
    particle.dy = -dx;
    ridges_add(job, count, walking, &particle);
}

static void ridges_walk(terrain__call *call, uint32_t task)
{
    const ridges_params *params = call->params;
    struct ridges_job *job = call->job;
    const size_t cells = (size_t)job->frame_width * job->frame_height;
    uint32_t count = 0, walking = 0;
    (void)task;
    memset(job->owners, 0, cells * sizeof *job->owners);
    for (size_t i = 0; i < cells; i++) {
        job->heights[i] = NAN;
    }
    ridges_start(params, job, &count, &walking);
    while (walking > 0) {
        const uint32_t round = walking;
        uint32_t kept = 0;
        for (uint32_t i = 0; i < round; i++) {
            const uint32_t number = job->walking[i];
            double dx, dy;
            if (ridges_step(params, job, number, &dx, &dy)) {
                job->walking[kept++] = number;
                ridges_branch(params, job, number, dx, dy, &count, &walking);
            }
        }
        memmove(job->walking + kept, job->walking + round,
                (walking - round) * sizeof *job->walking);
        walking = kept + (walking - round);
    }
}

/* ---- The call -------------------------------------------------------------------------------- */

static const char *ridges_check(const void *params)
{
    const ridges_params *p = params;
    const bool frameless = p->frame_width == 0 || p->frame_height == 0;
    return frameless && p->frame_width != p->frame_height
               ? "frame_width and frame_height must be both given or both 0"
           : (uint64_t)p->frame_width * p->frame_height > RIDGES_MOST_CELLS
               ? "the frame must have at most 2^28 cells"
               : NULL;
}

static const char *ridges_endless(const void *params)
{
    const ridges_params *p = params;
    return p->frame_width == 0 ? "frame_width and frame_height must be given" : NULL;
}

/* Steps of the longest main ridge, and one more. */
static uint32_t ridges_longest(const ridges_params *p)
{
    const double ratio = (double)p->amplitude / (double)p->least;
    return ratio < 1 ? 1
                     : (uint32_t)((double)p->length * terrain__sqrt(2 * terrain__log(ratio))) + 2;
}

static void ridges_fill_profiles(const ridges_params *p, const struct ridges_job *job)
{
    double sigma = (double)p->length;
    for (uint32_t level = 0; level <= p->depth; level++) {
        for (uint32_t i = 0; i < job->profile_steps; i++) {
            const double t = i / sigma;
            job->profiles[level][i] = terrain__exp(-0.5 * (t * t));
        }
        sigma *= (double)p->branch_length;
    }
}

static terrain_status ridges_prepare(terrain__call *call)
{
    const ridges_params *p = call->params;
    struct ridges_job *job = call->job;
    const bool own = p->frame_width == 0;
    job->frame_x = own ? call->x : p->frame_x;
    job->frame_y = own ? call->y : p->frame_y;
    job->frame_width = own ? call->target.width : p->frame_width;
    job->frame_height = own ? call->target.height : p->frame_height;
    const uint64_t cells = (uint64_t)job->frame_width * job->frame_height;
    if (cells > RIDGES_MOST_CELLS) {
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED, "at most 2^28 cells in a frame");
    }
    const double squares = (double)cells / ((double)p->spacing * (double)p->spacing);
    job->mains = squares < 1 ? 1 : (uint32_t)(squares + 0.5);
    job->most = (uint32_t)(cells / RIDGES_CROWD) + 2;
    job->profile_steps = ridges_longest(p);
    for (uint32_t level = 0; level <= p->depth; level++) {
        job->profiles[level] = terrain__scratch(call, job->profile_steps, sizeof(double));
    }
    job->owners = terrain__scratch(call, cells, sizeof *job->owners);
    job->heights = terrain__scratch(call, cells, sizeof *job->heights);
    job->particles = terrain__scratch(call, job->most, sizeof *job->particles);
    job->walking = terrain__scratch(call, job->most, sizeof *job->walking);
    if (job->profiles[p->depth] != NULL && job->walking != NULL) {
        ridges_fill_profiles(p, job);
    }
    job->places =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_PEAK);
    job->turns =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_TURN);
    terrain__expect_passes(call, 2);
    return TERRAIN_SUCCESS;
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
        const float *heights = job->heights + row * wide + from;
        const float plain = p->offset;
        land += begin;
        for (uint64_t x = 0; x < count; x++) {
            land[x] = heights[x] == heights[x] ? heights[x] : plain;
        }
        if (lines != NULL) {
            memcpy(lines + begin, heights, count * sizeof *lines);
        }
    }
}

static terrain_status ridges_run(terrain__call *call)
{
    const terrain_status status = terrain__run(call, 1, ridges_walk);
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
