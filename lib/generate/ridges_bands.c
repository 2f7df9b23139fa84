/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How threads share the particles of generate_ridges: see ridges.c. */

#include <string.h>

#include "base/math.h"
#include "generate/ridges_walk.h"

enum {
    RIDGES_LANES = 64,       /* parts of the frame's rows, between which bands may end */
    RIDGES_BAND_ROWS = 512,  /* of the frame to each of four or more bands, at least */
    RIDGES_BAND_STEPS = 200, /* of particles to each band, at least: some microseconds */
    RIDGES_STEP_TESTS = 16,  /* comparisons that take as long as a step */
    RIDGES_BAND_STRETCH = 8, /* the shortest stretch for which dealing takes less than it gains */
    RIDGES_UNDIVIDED = 8     /* stretches in one band after one in which most had to wait */
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
static uint32_t ridges_band_count(const struct ridges_job *job)
{
    const uint64_t steps = (uint64_t)job->walking * job->stretch;
    uint32_t bands = 1;
    if (job->stretch < RIDGES_BAND_STRETCH || job->undivided > 0) {
        return 1;
    }
    while (bands < RIDGES_BANDS && 2 * bands * RIDGES_BAND_STEPS <= steps &&
           (bands == 1 || 2 * bands * RIDGES_BAND_ROWS <= job->frame_height)) {
        bands *= 2;
    }
    return bands;
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

/* The lane from which on band `index` should be: the bands before it have their share of the
 * particles, and few are near. `before` counts the particles before each lane. */
static uint32_t ridges_cut(const struct ridges_job *job, const uint32_t *before, uint32_t index)
{
    const uint32_t reach = job->stretch / ridges_lane_rows(job) + 1;
    const int64_t share = (int64_t)job->walking * index / job->band_count;
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

/* Chooses the bands' rows, and deals the particles to them, which stay in their order. */
static void ridges_divide(struct ridges_job *job)
{
    uint32_t before[RIDGES_LANES + 1], next[RIDGES_BANDS], lane = 0;
    uint8_t band_of[RIDGES_LANES];
    ridges_find_lanes(job, before);
    for (uint32_t b = 0; b < job->band_count; b++) {
        const bool last = b + 1 == job->band_count;
        const uint32_t begin = lane, end = last ? RIDGES_LANES : ridges_cut(job, before, b + 1);
        for (; lane < end; lane++) {
            band_of[lane] = (uint8_t)b;
        }
        job->bands[b].top = begin * ridges_lane_rows(job);
        job->bands[b].end = lane * ridges_lane_rows(job);
        job->bands[b].begin = next[b] = before[begin];
        job->bands[b].count = before[lane] - before[begin];
    }
    for (uint32_t i = 0; i < job->walking; i++) {
        job->dealt[next[band_of[job->lanes[i]]]++] = job->order[i];
    }
}

void terrain__ridges_deal(struct ridges_job *job, bool alone)
{
    job->stretch = ridges_stretch(job);
    job->band_count = alone ? 1 : ridges_band_count(job);
    if (job->band_count > 1) {
        ridges_divide(job);
    }
}

/* ---- A band ---------------------------------------------------------------------------------- */

/* Without branches, which the processor could not predict. */
static bool ridges_meet(const struct ridges_box *a, const struct ridges_box *b)
{
    return (a->left <= b->right) & (b->left <= a->right) & (a->top <= b->bottom) &
           (b->top <= a->bottom);
}

/* Whether a particle may leave its band, or meet one that comes from another band. */
static bool ridges_is_near(const struct ridges_job *job, uint32_t index,
                           const struct ridges_box *box)
{
    const struct ridges_band *band = &job->bands[index];
    const int64_t top = (int64_t)band->top + job->stretch;
    const int64_t end = (int64_t)band->end - job->stretch;
    return (index > 0 && box->top < top) || (index + 1 < job->band_count && box->bottom >= end);
}

static void ridges_let_all_wait(const struct ridges_job *job, const struct ridges_band *band)
{
    for (uint32_t i = 0; i < band->count; i++) {
        job->particles[job->dealt[band->begin + i]].state = RIDGES_WAITS;
    }
}

/* Finds the particles of a band that wait. Those that may meet them must wait, too. Each that
 * waits is compared with all: where so many wait that this would take longer than walking, all
 * do. */
static void ridges_find_waiting(const struct ridges_job *job, uint32_t index)
{
    const struct ridges_band *band = &job->bands[index];
    const uint32_t *list = job->dealt + band->begin;
    const struct ridges_box *boxes = job->boxes + band->begin;
    uint32_t *waits = job->waits + band->begin, waiting = 0;
    for (uint32_t i = 0; i < band->count; i++) {
        if (ridges_is_near(job, index, &boxes[i])) {
            job->particles[list[i]].state = RIDGES_WAITS;
            waits[waiting++] = i;
        }
    }
    for (uint32_t w = 0; w < waiting; w++) {
        if (waiting > RIDGES_STEP_TESTS * job->stretch) {
            ridges_let_all_wait(job, band);
            return;
        }
        const struct ridges_box box = boxes[waits[w]];
        for (uint32_t i = 0; i < band->count; i++) {
            if (ridges_meet(&box, &boxes[i]) && job->particles[list[i]].state == RIDGES_WALKS) {
                job->particles[list[i]].state = RIDGES_WAITS;
                waits[waiting++] = i;
            }
        }
    }
}

void terrain__ridges_walk_band(const struct ridges_job *job, uint32_t index)
{
    const struct ridges_band *band = &job->bands[index];
    uint32_t *list = job->dealt + band->begin, walking = 0;
    for (uint32_t i = 0; i < band->count; i++) {
        terrain__ridges_plan_within(job, list[i], &job->boxes[band->begin + i]);
        job->particles[list[i]].state = RIDGES_WALKS;
    }
    ridges_find_waiting(job, index);
    for (uint32_t i = 0; i < band->count; i++) {
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
    if (job->band_count > 1) {
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
