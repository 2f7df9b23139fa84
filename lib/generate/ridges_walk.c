/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How the particles of generate_ridges walk: see ridges.c. */

#include "generate/ridges_walk.h"

#include <math.h>

#include "base/cache.h"
#include "base/math.h"
#include "vector/random.h"

enum {
    RIDGES_GRACE = 3 /* first steps that may touch the line of the parent or the twin */
};

/* ---- Plans ----------------------------------------------------------------------------------- */

/* Piecewise linear noise along a line; 0 at its start. The values at a piece's ends are computed
 * when the particle enters the piece. */
static double ridges_noise(struct ridges_course *course, uint32_t steps, double at, uint32_t octave)
{
    const uint32_t piece = (uint32_t)at;
    double *ends = course->ends[octave];
    if (steps == 0 || piece != course->pieces[octave]) {
        for (uint32_t i = 0; i < 2; i++) {
            const uint64_t node = (uint64_t)piece + i;
            const uint64_t bits = (uint64_t)octave << 60 | node << 32 | course->index;
            ends[i] = node == 0 ? 0 : 2 * terrain__unit_double(course->turns, bits) - 1;
        }
        course->pieces[octave] = piece;
    }
    return ends[0] + (ends[1] - ends[0]) * (at - (double)piece);
}

static void ridges_rotate(struct ridges_course *course, double sine, double cosine)
{
    course->step_x = course->dx * cosine - course->dy * sine;
    course->step_y = course->dx * sine + course->dy * cosine;
}

/* FBM: the direction of the next step. */
static void ridges_turn_by_noise(const ridges_params *params, struct ridges_course *course,
                                 uint32_t steps)
{
    const double most = (double)params->turn * (TERRAIN__PI / 180);
    double angle = 0, share = 1, at = steps / (4.0 * params->turn_spacing);
    double sine, cosine;
    for (uint32_t octave = 0; octave < RIDGES_OCTAVES; octave++) {
        angle += 2 * most * share * ridges_noise(course, steps, at, octave);
        share /= 2;
        at *= 2;
    }
    terrain__sine_cosine(angle, &sine, &cosine);
    ridges_rotate(course, sine, cosine);
}

/* ALTERNATING: sets the direction of the steps until the next turn, and finds that turn's angle,
 * which does not depend on them: the processor does both at once. */
static void ridges_turn_aside(const ridges_params *params, struct ridges_course *course,
                              uint32_t steps)
{
    const double most = (double)params->turn * (TERRAIN__PI / 180);
    const uint32_t next = steps / params->turn_spacing + 1;
    const double amount = terrain__unit_double(course->turns, (uint64_t)next << 32 | course->index);
    const uint64_t side = terrain__mix(course->turns, course->index) & 1;
    if (steps > 0) {
        ridges_rotate(course, course->sine, course->cosine);
        course->dx = course->step_x;
        course->dy = course->step_y;
    } else {
        course->step_x = course->dx;
        course->step_y = course->dy;
    }
    terrain__sine_cosine(most * amount * (1 - 2 * (double)((next + side) % 2)), &course->sine,
                         &course->cosine);
}

static void ridges_turn(const ridges_params *params, struct ridges_course *course, uint32_t steps)
{
    if (params->mode == TERRAIN_GENERATE_RIDGES_MODE_FBM) {
        ridges_turn_by_noise(params, course, steps);
    } else if (steps % params->turn_spacing == 0) {
        ridges_turn_aside(params, course, steps);
    }
}

/* Rounds down, sooner than terrain__floor does: each step waits for it. */
static inline double ridges_whole(double at)
{
    const double whole = (double)(int64_t)at;
    return whole - (whole > at ? 1.0 : 0.0);
}

static int64_t ridges_at_column(const struct ridges_course *course)
{
    return course->column + (int64_t)course->at.in_x;
}

static int64_t ridges_at_row(const struct ridges_course *course)
{
    return course->row + (int64_t)course->at.in_y;
}

static bool ridges_is_inside(const struct ridges_job *job, int64_t column, int64_t row)
{
    return column >= 0 && row >= 0 && column < (int64_t)job->frame_width &&
           row < (int64_t)job->frame_height;
}

/* Whether a particle can still affect the map after so many steps: the cells from which it can
 * shrink by one on each side with each step. */
static bool ridges_counts(const struct ridges_job *job, int64_t column, int64_t row, int64_t steps)
{
    return column >= steps && column + steps < job->frame_width && row >= steps &&
           row + steps < job->frame_height;
}

/* Takes a step; returns it as a planned step. Of two cells that it enters, the first is behind the
 * edge that it crosses first: the parts of the step before the edges are compared, times |x y|.
 * There are no branches on directions, which the processor could not predict. */
static inline uint32_t ridges_go(struct ridges_place *at, double x, double y)
{
    const struct ridges_place from = *at;
    at->x = from.x + x;
    at->y = from.y + y;
    at->in_x = ridges_whole(at->x);
    at->in_y = ridges_whole(at->y);
    const double right = at->in_x - from.in_x, down = at->in_y - from.in_y;
    const double to_column = ((right > 0 ? at->in_x : from.in_x) - from.x) * y;
    const double to_row = ((down > 0 ? at->in_y : from.in_y) - from.y) * x;
    const uint32_t slanted = right * down != 0;
    const uint32_t column_first = slanted & (fabs(to_column) < fabs(to_row));
    const uint32_t leap = (uint32_t)(int32_t)(3 * down + right + 4);
    return leap + RIDGES_LEAPS / 2 * column_first + RIDGES_CELL * (1 + slanted);
}

/* Plans the next step, which all particles together take as their `all`-th. */
static uint32_t ridges_advance(const ridges_params *params, const struct ridges_job *job,
                               const struct ridges_particle *p, struct ridges_course *course,
                               int64_t all)
{
    const int64_t x0 = ridges_at_column(course), y0 = ridges_at_row(course);
    if (p->planned + 1 >= job->profile_steps ||
        p->height * job->profiles[p->level][p->planned + 1] < (double)params->least) {
        return RIDGES_LAST;
    }
    const uint32_t step = ridges_go(&course->at, course->step_x, course->step_y);
    const int64_t x1 = ridges_at_column(course), y1 = ridges_at_row(course);
    if (!ridges_is_inside(job, x1, y1)) {
        const bool column_first = step % RIDGES_CELL >= RIDGES_LEAPS / 2;
        const bool enters = step >= 2 * RIDGES_CELL &&
                            ridges_is_inside(job, column_first ? x1 : x0, column_first ? y0 : y1);
        return step % RIDGES_CELL + (enters ? RIDGES_CELL : 0) + RIDGES_LAST;
    }
    return step + (job->endless && !ridges_counts(job, x1, y1, all) ? RIDGES_LAST : 0);
}

/* Returns `steps` if the particle surely neither ends nor leaves the cells in that many steps, the
 * first of which all particles take as their `all`-th, so that none needs checks; else 0. */
static uint32_t ridges_free_steps(const ridges_params *params, const struct ridges_job *job,
                                  const struct ridges_particle *p,
                                  const struct ridges_course *course, int64_t all, uint32_t steps)
{
    const int64_t x = ridges_at_column(course), y = ridges_at_row(course);
    const int64_t across = x < job->frame_width - 1 - x ? x : job->frame_width - 1 - x;
    const int64_t down = y < job->frame_height - 1 - y ? y : job->frame_height - 1 - y;
    const int64_t edge = across < down ? across : down;
    const int64_t most = job->endless ? (edge - all + 1) / 2 : edge;
    if (p->planned + steps >= job->profile_steps || most < steps ||
        p->height * job->profiles[p->level][p->planned + steps] < (double)params->least) {
        return 0;
    }
    return steps;
}

/* Steps of the stretch, after the planned ones, that go straight on. */
static uint32_t ridges_straight(const ridges_params *params, const struct ridges_job *job,
                                const struct ridges_particle *p)
{
    const uint32_t steps = job->stretch - (p->planned - p->steps);
    return params->mode == TERRAIN_GENERATE_RIDGES_MODE_FBM
               ? 1
               : terrain__lesser(steps, params->turn_spacing - p->planned % params->turn_spacing);
}

/* Plans one or more steps straight on; false if the particle then stops. `params` are the job's,
 * which the compiler would look up again after each planned step, a byte. */
static bool ridges_plan_straight(const ridges_params *params, const struct ridges_job *job,
                                 struct ridges_particle *p, struct ridges_course *course)
{
    const int64_t all = (int64_t)job->steps + 1 + (p->planned - p->steps);
    const uint32_t steps =
        ridges_free_steps(params, job, p, course, all, ridges_straight(params, job, p));
    ridges_turn(params, course, p->planned);
    if (steps == 0) {
        const uint32_t step = ridges_advance(params, job, p, course, all);
        p->plan[p->planned++ % RIDGES_AHEAD] = (uint8_t)step;
        return step < RIDGES_LAST;
    }
    struct ridges_place at = course->at;
    const double x = course->step_x, y = course->step_y;
    const uint32_t planned = p->planned;
    for (uint32_t i = 0; i < steps; i++) {
        p->plan[(planned + i) % RIDGES_AHEAD] = (uint8_t)ridges_go(&at, x, y);
    }
    p->planned = planned + steps;
    course->at = at;
    return true;
}

static void ridges_widen(struct ridges_box *box, const struct ridges_course *course)
{
    const int32_t column = (int32_t)ridges_at_column(course), row = (int32_t)ridges_at_row(course);
    box->left = box->left < column ? box->left : column;
    box->right = box->right > column ? box->right : column;
    box->top = box->top < row ? box->top : row;
    box->bottom = box->bottom > row ? box->bottom : row;
}

void terrain__ridges_plan(const struct ridges_job *job, uint32_t i)
{
    const ridges_params *params = job->params;
    struct ridges_particle *p = &job->particles[i];
    while (p->planned - p->steps < job->stretch &&
           ridges_plan_straight(params, job, p, &job->courses[i])) {
    }
}

void terrain__ridges_plan_within(const struct ridges_job *job, uint32_t i, struct ridges_box *box)
{
    const ridges_params *params = job->params;
    struct ridges_particle *p = &job->particles[i];
    struct ridges_course *course = &job->courses[i];
    bool goes_on = true;
    *box = (struct ridges_box){INT32_MAX, INT32_MAX, INT32_MIN, INT32_MIN};
    ridges_widen(box, course);
    while (goes_on && p->planned - p->steps < job->stretch) {
        goes_on = ridges_plan_straight(params, job, p, course);
        ridges_widen(box, course);
    }
}

/* ---- Particles ------------------------------------------------------------------------------- */

void terrain__ridges_add(struct ridges_job *job, const struct ridges_particle *particle,
                         const struct ridges_course *course)
{
    if ((job->endless ? job->walking : job->born) == job->most) {
        return;
    }
    const uint32_t place = job->walking++;
    if (place == job->used) { /* behind all that ever walked at the same time */
        job->order[job->used++] = place;
    }
    const uint32_t i = job->order[place];
    struct ridges_particle *p = &job->particles[i];
    struct ridges_course *c = &job->courses[i];
    *c = *course;
    c->at.in_x = ridges_whole(course->at.x);
    c->at.in_y = ridges_whole(course->at.y);
    c->index = job->endless ? 0 : job->born;
    *p = *particle;
    p->cell = (uint32_t)ridges_at_row(c) * job->frame_width + (uint32_t)ridges_at_column(c);
    p->number = ++job->born;
}

void terrain__ridges_branch(struct ridges_job *job, uint32_t i)
{
    const struct ridges_particle *parent = &job->particles[i];
    const struct ridges_course *from = &job->courses[i];
    const struct ridges_particle particle = {
        .height = parent->height * job->profiles[parent->level][parent->steps],
        .kin = parent->number,
        .level = (uint8_t)(parent->level + 1),
    };
    struct ridges_course course = {
        .column = from->column,
        .row = from->row,
        .at = from->at,
        .dx = -from->step_y,
        .dy = from->step_x,
    };
    const uint64_t left = 2 * (uint64_t)parent->steps;
    course.turns = job->endless ? terrain__mix(from->turns, left) : job->turns;
    terrain__ridges_add(job, &particle, &course);
    course.dx = from->step_y;
    course.dy = -from->step_x;
    course.turns = job->endless ? terrain__mix(from->turns, left + 1) : job->turns;
    terrain__ridges_add(job, &particle, &course);
}

/* ---- A step ---------------------------------------------------------------------------------- */

/* Whether a particle may enter a cell. It crosses a line that has its own height there. */
static inline bool ridges_may_enter(const struct ridges_particle *p, const struct ridges_cell *cell,
                                    float height)
{
    return cell->owner == 0 || cell->owner == p->number ||
           (cell->owner == p->kin && p->steps <= RIDGES_GRACE) || cell->height == height;
}

/* A cell belongs to the first line that enters it, and is as high as the highest. */
static inline void ridges_draw(const struct ridges_particle *p, struct ridges_cell *cell,
                               float height)
{
    if (cell->owner == 0) {
        cell->owner = p->number;
        cell->height = height;
    } else if (height > cell->height) {
        cell->height = height;
    }
}

/* The height that a particle draws with after a step. */
static float ridges_height(const struct ridges_job *job, const struct ridges_particle *p)
{
    return (float)((double)job->params->offset + p->height * job->profiles[p->level][p->steps]);
}

/* Prefetches the cell in which the particle's next step ends: it is needed when all others have
 * stepped. */
static inline void ridges_prefetch(const struct ridges_job *job, const struct ridges_particle *p)
{
    const uint32_t step = p->plan[p->steps % RIDGES_AHEAD];
    if (p->steps < p->planned && step < RIDGES_LAST) {
        terrain__prefetch(&job->cells[p->cell + job->leaps[step % RIDGES_CELL][1]],
                          sizeof *job->cells);
    }
}

/* In a frame, each particle looks and draws before the next one does; false if it stops. */
static bool ridges_step_alone(const struct ridges_job *job, uint32_t i)
{
    struct ridges_particle *p = &job->particles[i];
    const uint32_t step = p->plan[p->steps++ % RIDGES_AHEAD];
    const uint32_t *leap = job->leaps[step % RIDGES_CELL];
    const uint32_t count = (step & ~(uint32_t)RIDGES_LAST) / RIDGES_CELL;
    if (count == 0) {
        return false;
    }
    const float height = ridges_height(job, p);
    for (uint32_t k = 0; k < count; k++) {
        struct ridges_cell *cell = &job->cells[p->cell + leap[k]];
        if (!ridges_may_enter(p, cell, height)) {
            return false;
        }
        ridges_draw(p, cell, height);
    }
    p->cell += leap[1];
    ridges_prefetch(job, p);
    return (step & RIDGES_LAST) == 0;
}

/* With peaks of the world, all particles look before any draws. */
static void ridges_look(const struct ridges_job *job, uint32_t i)
{
    struct ridges_particle *p = &job->particles[i];
    const uint32_t step = p->plan[p->steps++ % RIDGES_AHEAD];
    const uint32_t *leap = job->leaps[step % RIDGES_CELL];
    const uint32_t count = (step & ~(uint32_t)RIDGES_LAST) / RIDGES_CELL;
    p->seen = (uint16_t)step;
    if (count == 0) {
        return;
    }
    const float height = ridges_height(job, p);
    for (uint32_t k = 0; k < count; k++) {
        if (!ridges_may_enter(p, &job->cells[p->cell + leap[k]], height)) {
            p->seen = (uint16_t)(step % RIDGES_CELL + k * RIDGES_CELL + RIDGES_LAST);
            return;
        }
    }
}

/* Draws what ridges_look has seen; false if the particle stops. */
static bool ridges_follow(const struct ridges_job *job, uint32_t i)
{
    struct ridges_particle *p = &job->particles[i];
    const uint32_t *leap = job->leaps[p->seen % RIDGES_CELL];
    const uint32_t count = (p->seen & ~(uint32_t)RIDGES_LAST) / RIDGES_CELL;
    if (count > 0) {
        const float height = ridges_height(job, p);
        for (uint32_t k = 0; k < count; k++) {
            ridges_draw(p, &job->cells[p->cell + leap[k]], height);
        }
        p->cell += leap[1];
        ridges_prefetch(job, p);
    }
    return (p->seen & RIDGES_LAST) == 0;
}

/* ---- All of them ----------------------------------------------------------------------------- */

void terrain__ridges_profile(struct ridges_job *job)
{
    for (; job->profiled < job->profile_steps && job->profiled <= job->steps + 2 * RIDGES_AHEAD;
         job->profiled++) {
        double sigma = (double)job->params->length;
        for (uint32_t level = 0; level <= job->params->depth; level++) {
            const double t = job->profiled / sigma;
            job->profiles[level][job->profiled] = terrain__exp(-0.5 * (t * t));
            sigma *= (double)job->params->branch_length;
        }
    }
}

void terrain__ridges_begin(struct ridges_job *job)
{
    job->steps = job->born = job->walking = job->used = 0;
    job->profiled = 1;
    for (uint32_t i = 0; i < RIDGES_LEAPS; i++) {
        const uint32_t x = i % 3 - 1, y = (i / 3 % 3 - 1) * job->frame_width;
        const bool slanted = x != 0 && y != 0;
        job->leaps[i][0] = !slanted ? x + y : i < RIDGES_LEAPS / 2 ? y : x;
        job->leaps[i][1] = x + y;
    }
    terrain__ridges_profile(job);
}

/* One step; returns how many go on: they are at the front of the list, in their order. */
static uint32_t ridges_step(const struct ridges_job *job, uint32_t *list, uint32_t count)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count && job->endless; i++) {
        ridges_look(job, list[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = list[i];
        if (job->endless ? ridges_follow(job, place) : ridges_step_alone(job, place)) {
            list[i] = list[kept];
            list[kept++] = place;
        } else {
            job->particles[place].state = RIDGES_STOPPED;
        }
    }
    return kept;
}

uint32_t terrain__ridges_walk(const struct ridges_job *job, uint32_t *list, uint32_t count)
{
    for (uint32_t i = 0; i < job->stretch && count > 0; i++) {
        count = ridges_step(job, list, count);
    }
    return count;
}
