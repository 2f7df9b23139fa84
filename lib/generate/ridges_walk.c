/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How the particles of generate_ridges walk: see ridges.c. */

#include "generate/ridges_walk.h"

#include "base/math.h"
#include "vector/random.h"

enum { RIDGES_GRACE = 3 /* steps in which a particle may touch its parent's or its twin's line */ };

/* ---- A step ---------------------------------------------------------------------------------- */

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

void terrain__ridges_add(struct ridges_job *job, const struct ridges_particle *particle)
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
    terrain__ridges_add(job, &particle);
    particle.dx = parent->step_y;
    particle.dy = -parent->step_x;
    particle.turns = job->endless ? terrain__mix(parent->turns, left + 1) : job->turns;
    terrain__ridges_add(job, &particle);
}

/* ---- All of them ----------------------------------------------------------------------------- */

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

/* Those that stop make room behind those that go on, and those that are
 * born, in their order. */
void terrain__ridges_step(const ridges_params *params, struct ridges_job *job)
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
