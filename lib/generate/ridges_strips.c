/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How threads share the particles of generate_ridges: see ridges.c. */

#include <string.h>

#include "base/math.h"
#include "generate/ridges_walk.h"

enum {
    RIDGES_LANES = 64,        /* parts of the frame's rows, between which strips may end */
    RIDGES_STRIP_ROWS = 512,  /* of the frame to each of four or more strips, at least */
    RIDGES_STRIP_STEPS = 200, /* of particles to each strip, at least: some microseconds */
    RIDGES_STEP_TESTS = 16,   /* comparisons that take as long as a step */
    RIDGES_STRIP_STRETCH = 8, /* the shortest stretch for which dealing takes less than it gains */
    RIDGES_UNDIVIDED = 8      /* stretches in one strip after one in which most had to wait */
};

/* ---- Dealing --------------------------------------------------------------------------------- */

/* Steps until the next fork, which all particles reach at the same time: those that were born at a
 * fork have taken a multiple of branch_spacing steps less. */
static uint32_t ridges_stretch(const struct ridges_job *job)
{
    const uint32_t every = job->params->branch_spacing;
    return job->params->depth == 0 ? RIDGES_AHEAD
                                   : terrain__lesser(RIDGES_AHEAD, every - job->steps % every);
}

/* A power of two, as the number of threads often is. */
static uint32_t ridges_strip_count(const struct ridges_job *job)
{
    const uint64_t steps = (uint64_t)job->walking * job->stretch;
    uint32_t strips = 1;
    if (job->stretch < RIDGES_STRIP_STRETCH || job->undivided > 0) {
        return 1;
    }
    while (strips < RIDGES_STRIPS && 2 * strips * RIDGES_STRIP_STEPS <= steps &&
           (strips == 1 || 2 * strips * RIDGES_STRIP_ROWS <= job->frame_height)) {
        strips *= 2;
    }
    return strips;
}

static uint32_t ridges_lane_rows(const struct ridges_job *job)
{
    return job->frame_height / RIDGES_LANES + 1;
}

/* Finds the lanes of all particles; `before` counts those that are before each lane. */
static void ridges_find_lanes(struct ridges_job *job, uint32_t *before)
{
    const uint32_t cells = job->frame_width * ridges_lane_rows(job);
    memset(before, 0, (RIDGES_LANES + 1) * sizeof *before);
    for (uint32_t i = 0; i < job->walking; i++) {
        const uint32_t lane = job->particles[job->order[i]].cell / cells;
        job->lanes[i] = (uint8_t)lane;
        before[lane + 1]++;
    }
    for (uint32_t i = 0; i < RIDGES_LANES; i++) {
        before[i + 1] += before[i];
    }
}

/* The lane from which on strip `index` should be: the strips before it have their share of the
 * particles, and few are near. `before` counts the particles before each lane. */
static uint32_t ridges_cut(const struct ridges_job *job, const uint32_t *before, uint32_t index)
{
    const uint32_t reach = job->stretch / ridges_lane_rows(job) + 1;
    const int64_t share = (int64_t)job->walking * index / job->strip_count;
    int64_t least = INT64_MAX;
    uint32_t best = 0;
    for (uint32_t lane = 0; lane <= RIDGES_LANES; lane++) {
        const int64_t close = (int64_t)before[terrain__lesser(lane + reach, RIDGES_LANES)] -
                              before[lane < reach ? 0 : lane - reach];
        const int64_t off = before[lane] > share ? before[lane] - share : share - before[lane];
        if (2 * off + close < least) {
            least = 2 * off + close;
            best = lane;
        }
    }
    return best;
}

/* Chooses the strips' rows, and deals the particles to them, which stay in their order. */
static void ridges_divide(struct ridges_job *job)
{
    uint32_t before[RIDGES_LANES + 1], next[RIDGES_STRIPS], lane = 0;
    uint8_t strip_of[RIDGES_LANES];
    ridges_find_lanes(job, before);
    for (uint32_t s = 0; s < job->strip_count; s++) {
        const bool last = s + 1 == job->strip_count;
        const uint32_t begin = lane, end = last ? RIDGES_LANES : ridges_cut(job, before, s + 1);
        for (; lane < end; lane++) {
            strip_of[lane] = (uint8_t)s;
        }
        job->strips[s].top = begin * ridges_lane_rows(job);
        job->strips[s].end = lane * ridges_lane_rows(job);
        job->strips[s].begin = next[s] = before[begin];
        job->strips[s].count = before[lane] - before[begin];
    }
    for (uint32_t i = 0; i < job->walking; i++) {
        job->dealt[next[strip_of[job->lanes[i]]]++] = job->order[i];
    }
}

void terrain__ridges_deal(struct ridges_job *job, bool alone)
{
    job->stretch = ridges_stretch(job);
    job->strip_count = alone ? 1 : ridges_strip_count(job);
    if (job->strip_count > 1) {
        ridges_divide(job);
    }
}

/* ---- A strip --------------------------------------------------------------------------------- */

/* Without branches, which the processor could not predict. */
static bool ridges_meet(const struct ridges_box *a, const struct ridges_box *b)
{
    return (a->left <= b->right) & (b->left <= a->right) & (a->top <= b->bottom) &
           (b->top <= a->bottom);
}

/* Whether a particle may leave its strip, or meet one that comes from another strip. */
static bool ridges_is_near(const struct ridges_job *job, uint32_t index,
                           const struct ridges_box *box)
{
    const struct ridges_strip *strip = &job->strips[index];
    const int64_t top = (int64_t)strip->top + job->stretch;
    const int64_t end = (int64_t)strip->end - job->stretch;
    return (index > 0 && box->top < top) || (index + 1 < job->strip_count && box->bottom >= end);
}

static void ridges_let_all_wait(const struct ridges_job *job, const struct ridges_strip *strip)
{
    for (uint32_t i = 0; i < strip->count; i++) {
        job->particles[job->dealt[strip->begin + i]].state = RIDGES_WAITS;
    }
}

/* Finds the particles of a strip that wait. Those that may meet them must wait, too. Each that
 * waits is compared with all: where so many wait that this would take longer than walking, all
 * do. */
static void ridges_find_waiting(const struct ridges_job *job, uint32_t index)
{
    const struct ridges_strip *strip = &job->strips[index];
    const uint32_t *list = job->dealt + strip->begin;
    const struct ridges_box *boxes = job->boxes + strip->begin;
    uint32_t *waits = job->waits + strip->begin, waiting = 0;
    for (uint32_t i = 0; i < strip->count; i++) {
        if (ridges_is_near(job, index, &boxes[i])) {
            job->particles[list[i]].state = RIDGES_WAITS;
            waits[waiting++] = i;
        }
    }
    for (uint32_t w = 0; w < waiting; w++) {
        if (waiting > RIDGES_STEP_TESTS * job->stretch) {
            ridges_let_all_wait(job, strip);
            return;
        }
        const struct ridges_box box = boxes[waits[w]];
        for (uint32_t i = 0; i < strip->count; i++) {
            if (ridges_meet(&box, &boxes[i]) && job->particles[list[i]].state == RIDGES_WALKS) {
                job->particles[list[i]].state = RIDGES_WAITS;
                waits[waiting++] = i;
            }
        }
    }
}

void terrain__ridges_walk_strip(const struct ridges_job *job, uint32_t index)
{
    const struct ridges_strip *strip = &job->strips[index];
    uint32_t *list = job->dealt + strip->begin, walking = 0;
    for (uint32_t i = 0; i < strip->count; i++) {
        terrain__ridges_plan_within(job, list[i], &job->boxes[strip->begin + i]);
        job->particles[list[i]].state = RIDGES_WALKS;
    }
    ridges_find_waiting(job, index);
    for (uint32_t i = 0; i < strip->count; i++) {
        if (job->particles[list[i]].state == RIDGES_WALKS) {
            list[walking++] = list[i];
        }
    }
    terrain__ridges_walk(job, list, walking);
}

void terrain__ridges_walk_all(struct ridges_job *job)
{
    for (uint32_t i = 0; i < job->walking; i++) {
        terrain__ridges_plan(job, job->order[i]);
    }
    job->walking = terrain__ridges_walk(job, job->order, job->walking);
}

/* ---- Gathering ------------------------------------------------------------------------------- */

static void ridges_walk_waiting(struct ridges_job *job)
{
    uint32_t waiting = 0;
    for (uint32_t i = 0; i < job->walking; i++) {
        if (job->particles[job->order[i]].state == RIDGES_WAITS) {
            job->dealt[waiting++] = job->order[i];
        }
    }
    terrain__ridges_walk(job, job->dealt, waiting);
    if (3 * waiting > 2 * job->walking) {
        job->undivided = RIDGES_UNDIVIDED;
    }
}

/* Moves those that go on to the front of `order`, and what has stopped behind them. */
static void ridges_drop_stopped(struct ridges_job *job)
{
    uint32_t *order = job->order, kept = 0;
    for (uint32_t i = 0; i < job->walking; i++) {
        const uint32_t place = order[i];
        if (job->particles[place].state != RIDGES_STOPPED) {
            order[i] = order[kept];
            order[kept++] = place;
        }
    }
    job->walking = kept;
}

void terrain__ridges_gather(struct ridges_job *job)
{
    job->undivided -= job->undivided > 0;
    if (job->strip_count > 1) {
        ridges_walk_waiting(job);
        ridges_drop_stopped(job);
    }
    job->steps += job->stretch;
    const uint32_t parents = job->steps % job->params->branch_spacing == 0 ? job->walking : 0;
    for (uint32_t i = 0; i < parents; i++) {
        if (job->particles[job->order[i]].level < job->params->depth) {
            terrain__ridges_branch(job, job->order[i]);
        }
    }
    terrain__ridges_profile(job);
}
