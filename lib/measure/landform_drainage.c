/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* How a terrain drains. The map is filled from its rim inwards, always from the lowest cell that is
 * reached (R. Barnes, C. Lehman, D. Mulla: Priority-flood, Computers & Geosciences 62, 2014), each
 * cell a little above the one it is reached from, so that water runs off everywhere. The order in
 * which cells are reached has each cell after the one that its water goes to. */

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "measure/landform_parts.h"

#define DRAINING_NONE UINT32_MAX

/* Flags of a cell. */
enum { DRAINING_SEEN = 1, DRAINING_BOWL = 2, DRAINING_BAD = 4 };

struct draining_entry {
    double level;
    uint32_t cell;
    uint32_t pad;
};

/* draining_concavity keeps two numbers of each cell there. */
_Static_assert(sizeof(struct draining_entry) >= 2 * sizeof(double), "the heap's entries");

struct draining {
    const terrain__ground *ground;
    size_t cells;
    double *filled;
    uint32_t *order; /* from the rim inwards; count of them, those that have a height */
    size_t count;
    uint32_t *areas; /* cells upstream, itself included */
    uint32_t *free;  /* the upstream cells whose flow path crosses no bowl */
    double *lengths; /* of the longest path upstream */
    unsigned char *flags;
    struct draining_entry *heap; /* the lowest on top; reused when the map is filled */
    size_t heap_count;
    double relief;
};

static const double draining_steps[2] = {1, 1.4142135623730951};

/* The neighbours of a cell by rows, fewer at the rim. Returns their number. */
static uint32_t draining_around(const struct draining *d, uint32_t cell, uint32_t near[8],
                                double steps[8])
{
    const uint32_t width = d->ground->width, height = d->ground->height;
    const uint32_t x = cell % width, y = cell / width;
    uint32_t count = 0;
    for (int k = 0; k < 9; k++) {
        const uint32_t nx = x + (uint32_t)(k % 3 - 1), ny = y + (uint32_t)(k / 3 - 1);
        if (k != 4 && nx < width && ny < height) {
            near[count] = ny * width + nx;
            steps[count++] = draining_steps[k % 2 == 0];
        }
    }
    return count;
}

/* ---- Filling --------------------------------------------------------------------------------- */

static bool draining_is_before(const struct draining_entry *a, const struct draining_entry *b)
{
    return a->level < b->level || (a->level == b->level && a->cell < b->cell);
}

static void draining_push(struct draining *d, uint32_t cell, double level)
{
    const struct draining_entry entry = {level, cell, 0};
    size_t at = d->heap_count++;
    while (at > 0 && draining_is_before(&entry, &d->heap[(at - 1) / 2])) {
        d->heap[at] = d->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    d->heap[at] = entry;
    d->filled[cell] = level;
    d->flags[cell] |= DRAINING_SEEN;
}

static struct draining_entry draining_pop(struct draining *d)
{
    const struct draining_entry first = d->heap[0], last = d->heap[--d->heap_count];
    size_t at = 0;
    for (size_t next = 1; next < d->heap_count; next = 2 * at + 1) {
        next += next + 1 < d->heap_count && draining_is_before(&d->heap[next + 1], &d->heap[next]);
        if (!draining_is_before(&d->heap[next], &last)) {
            break;
        }
        d->heap[at] = d->heap[next];
        at = next;
    }
    d->heap[at] = last;
    return first;
}

/* Whether water leaves the map at a cell, or beside it where there is no height. */
static bool draining_is_rim(const struct draining *d, uint32_t cell)
{
    uint32_t near[8];
    double steps[8];
    const uint32_t count = draining_around(d, cell, near, steps);
    for (uint32_t i = 0; i < count; i++) {
        if (d->ground->heights[near[i]] != d->ground->heights[near[i]]) {
            return true;
        }
    }
    return count < 8;
}

static terrain_status draining_fill(struct draining *d)
{
    const double *heights = d->ground->heights;
    memset(d->flags, 0, d->cells);
    for (uint32_t i = 0; i < d->cells; i++) {
        if (heights[i] != heights[i]) {
            d->flags[i] |= DRAINING_SEEN;
            d->filled[i] = (double)INFINITY; /* nothing flows there */
        } else if (draining_is_rim(d, i)) {
            draining_push(d, i, heights[i]);
        }
    }
    while (d->heap_count > 0) {
        const struct draining_entry entry = draining_pop(d);
        const double size = entry.level < 0 ? -entry.level : entry.level;
        const double least = entry.level + 1e-5 * (1 + size * 1e-3);
        uint32_t near[8];
        double steps[8];
        const uint32_t count = draining_around(d, entry.cell, near, steps);
        d->order[d->count++] = entry.cell;
        for (uint32_t i = 0; i < count; i++) {
            if (!(d->flags[near[i]] & DRAINING_SEEN)) {
                draining_push(d, near[i], heights[near[i]] > least ? heights[near[i]] : least);
            }
        }
        if (d->count % 65536 == 0 &&
            !terrain__ground_goes_on(d->ground, 0.4 * (double)d->count / (double)d->cells)) {
            return TERRAIN_ERROR_CANCELLED;
        }
    }
    return TERRAIN_SUCCESS;
}

/* ---- Bowls ----------------------------------------------------------------------------------- */

/* The height below which a share of the cells lies, between two of them by proportion. */
static double draining_percentile(double *heights, size_t count, double share)
{
    const double at = share * (double)(count - 1);
    const size_t index = (size_t)at;
    const double below = terrain__landform_select(heights, count, index);
    const double above = terrain__landform_select(heights, count, index + (index + 1 < count));
    return below + (above - below) * (at - (double)index);
}

static void draining_find_relief(struct draining *d)
{
    double *heights = d->lengths; /* not yet needed */
    for (size_t i = 0; i < d->count; i++) {
        heights[i] = d->ground->heights[d->order[i]];
    }
    const double high = draining_percentile(heights, d->count, 0.995);
    d->relief = high - draining_percentile(heights, d->count, 0.005);
}

static bool draining_is_wet(const struct draining *d, uint32_t cell, double share)
{
    return d->filled[cell] - d->ground->heights[cell] > share * d->relief;
}

/* Marks the wet cells that are connected with a deep cell; each deep cell starts a walk. */
static void draining_mark_bowls(struct draining *d)
{
    uint32_t *stack = d->areas; /* not yet needed */
    for (size_t i = 0; i < d->count; i++) {
        size_t waiting = 0;
        if ((d->flags[d->order[i]] & DRAINING_BOWL) || !draining_is_wet(d, d->order[i], 0.05)) {
            continue;
        }
        d->flags[d->order[i]] |= DRAINING_BOWL;
        for (stack[waiting++] = d->order[i]; waiting > 0;) {
            uint32_t near[8];
            double steps[8];
            const uint32_t count = draining_around(d, stack[--waiting], near, steps);
            for (uint32_t k = 0; k < count; k++) {
                if (!(d->flags[near[k]] & DRAINING_BOWL) && draining_is_wet(d, near[k], 1e-3)) {
                    d->flags[near[k]] |= DRAINING_BOWL;
                    stack[waiting++] = near[k];
                }
            }
        }
    }
}

/* ---- Flow ------------------------------------------------------------------------------------ */

/* The slope of the filled surface from a cell to its receiver; 0 where there is none. */
static double draining_slope(const struct draining *d, uint32_t cell, uint32_t *receiver,
                             double *step)
{
    uint32_t near[8];
    double steps[8], best = 0;
    const uint32_t count = draining_around(d, cell, near, steps);
    *receiver = DRAINING_NONE;
    *step = 0;
    for (uint32_t k = 0; k < count; k++) {
        const double slope = (d->filled[cell] - d->filled[near[k]]) / steps[k];
        if (slope > best) {
            best = slope;
            *receiver = near[k];
            *step = steps[k];
        }
    }
    return best;
}

static void draining_flow(struct draining *d, terrain_landform *land)
{
    size_t bad = 0;
    uint32_t most = 0;
    for (size_t i = 0; i < d->count; i++) {
        const uint32_t cell = d->order[i];
        uint32_t receiver;
        double step;
        draining_slope(d, cell, &receiver, &step);
        if ((d->flags[cell] & DRAINING_BOWL) ||
            (receiver != DRAINING_NONE && (d->flags[receiver] & DRAINING_BAD))) {
            d->flags[cell] |= DRAINING_BAD;
            bad++;
        }
    }
    for (size_t i = 0; i < d->cells; i++) {
        d->areas[i] = d->free[i] = 1;
        d->lengths[i] = 0;
    }
    for (size_t i = d->count; i-- > 0;) {
        const uint32_t cell = d->order[i];
        uint32_t receiver;
        double step;
        draining_slope(d, cell, &receiver, &step);
        most = d->free[cell] > most ? d->free[cell] : most;
        if (receiver != DRAINING_NONE) {
            const double length = d->lengths[cell] + step;
            d->areas[receiver] += d->areas[cell];
            d->lengths[receiver] = length > d->lengths[receiver] ? length : d->lengths[receiver];
            d->free[receiver] += d->flags[cell] & DRAINING_BOWL ? 0 : d->free[cell];
        }
    }
    land->undrained = (double)bad / (double)d->count;
    land->trunk = (double)most / (double)d->count;
}

/* ---- Laws ------------------------------------------------------------------------------------ */

enum { LAWS_LEAST_AREA = 50, LAWS_CLASSES = 11, LAWS_LEAST_CELLS = 20 };

#define LAWS_LEAST_SLOPE 1e-4

static double draining_hack(const struct draining *d)
{
    terrain__line line = {0};
    for (size_t i = 0; i < d->count; i++) {
        const uint32_t cell = d->order[i];
        if (d->areas[cell] > LAWS_LEAST_AREA && d->lengths[cell] > 0) {
            terrain__line_add(&line, terrain__log(d->areas[cell]), terrain__log(d->lengths[cell]));
        }
    }
    return line.count > LAWS_LEAST_AREA ? terrain__line_slope(&line) : (double)NAN;
}

/* The logarithms of area and slope of a cell. False if it is not one of those that count. */
static bool draining_point(const struct draining *d, uint32_t cell, double *area, double *slope)
{
    uint32_t receiver;
    double step;
    if (d->areas[cell] <= LAWS_LEAST_AREA || 20.0 * d->areas[cell] >= (double)d->count) {
        return false;
    }
    *slope = draining_slope(d, cell, &receiver, &step);
    if (*slope <= LAWS_LEAST_SLOPE) {
        return false;
    }
    *area = terrain__log(d->areas[cell]);
    *slope = terrain__log(*slope);
    return true;
}

static double draining_concavity(struct draining *d)
{
    double *slopes = d->lengths; /* no longer needed */
    double low = (double)INFINITY, high = -(double)INFINITY;
    double *found = (double *)(void *)d->heap; /* pairs of area and slope */
    size_t count = 0;
    terrain__line line = {0};
    for (size_t i = 0; i < d->count; i++) {
        double area, slope;
        if (draining_point(d, d->order[i], &area, &slope)) {
            low = area < low ? area : low;
            high = area > high ? area : high;
            found[2 * count] = area;
            found[2 * count++ + 1] = slope;
        }
    }
    for (int k = 0; k < LAWS_CLASSES && count > 0; k++) {
        const double begin = low + (high - low) * k / LAWS_CLASSES;
        const double end = low + (high - low) * (k + 1) / LAWS_CLASSES;
        size_t members = 0;
        for (size_t i = 0; i < count; i++) {
            if (found[2 * i] >= begin && found[2 * i] < end) {
                slopes[members++] = found[2 * i + 1];
            }
        }
        if (members > LAWS_LEAST_CELLS) {
            const double lower = terrain__landform_select(slopes, members, (members - 1) / 2);
            const double upper = terrain__landform_select(slopes, members, members / 2);
            terrain__line_add(&line, 0.5 * (begin + end), 0.5 * (lower + upper));
        }
    }
    return line.count > 3 ? 0 - terrain__line_slope(&line) : (double)NAN;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static bool draining_allocate(struct draining *d)
{
    terrain__arena *arena = d->ground->arena;
    const size_t n = d->cells;
    if (n > SIZE_MAX / sizeof *d->heap) {
        return false;
    }
    d->filled = terrain__arena_take(arena, n * sizeof *d->filled);
    d->order = terrain__arena_take(arena, n * sizeof *d->order);
    d->areas = terrain__arena_take(arena, n * sizeof *d->areas);
    d->free = terrain__arena_take(arena, n * sizeof *d->free);
    d->lengths = terrain__arena_take(arena, n * sizeof *d->lengths);
    d->flags = terrain__arena_take(arena, n);
    d->heap = terrain__arena_take(arena, n * sizeof *d->heap);
    return d->filled != NULL && d->order != NULL && d->areas != NULL && d->free != NULL &&
           d->lengths != NULL && d->flags != NULL && d->heap != NULL;
}

terrain_status terrain__landform_drainage(const terrain__ground *ground, terrain_landform *land)
{
    struct draining d = {.ground = ground, .cells = (size_t)ground->width * ground->height};
    land->undrained = land->trunk = land->hack = land->concavity = (double)NAN;
    if (!draining_allocate(&d)) {
        return TERRAIN_ERROR_MEMORY;
    }
    terrain_status status = draining_fill(&d);
    if (status == TERRAIN_SUCCESS && d.count > 0) {
        draining_find_relief(&d);
        draining_mark_bowls(&d);
        draining_flow(&d, land);
        land->hack = draining_hack(&d);
        land->concavity = draining_concavity(&d);
    }
    return status;
}
