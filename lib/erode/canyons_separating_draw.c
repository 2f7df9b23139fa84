/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Drawing the net of erode_canyons_separating: arcs around each corner, cut into straight pieces.
 *
 *     m0 - - - - corner - - - - m2     m0, m1, m2   the middles of the corner's sides
 *         ' .      |       . '         canyon       the parabola from m0 to m1 whose tangents meet
 *             ' .  |   . '                          at the corner; c = (m0 + 2 corner + m1) / 4 is
 *                 'c'                               its middle
 *                  :                   branch       the parabola from m2 to c, with the same corner
 *                  m1
 *
 * Noise moves the points of an arc. Its floor lies `depth` below the ground around its ends and
 * changes evenly between them. */

#include <math.h>
#include <string.h>

#include "base/math.h"
#include "erode/canyons_separating.h"

enum {
    SEPARATING_OCTAVES = 5,
    SEPARATING_LEAST_PERIOD = 8 /* cells: pieces are half as long */
};

/* An octave of the noise that displaces places: random numbers at nodes, `period` cells apart.
 * Places come one after the other along canyons, so the nodes around the last one are kept. */
struct separating_octave {
    uint64_t stream;
    int64_t period;
    int64_t first[2];    /* the cell of the north-western of the four nodes that are kept */
    float ends[2][2][2]; /* their numbers: for x and y, by row and column */
};

/* What canyons are drawn with. */
struct separating_pen {
    const terrain__call *call;
    const separating_params *p;
    const struct separating_job *job;
    struct separating_octave octaves[SEPARATING_OCTAVES];
    uint32_t count;              /* of octaves */
    int64_t most;                /* places that the noise moves anything along either axis */
    struct canyons_piece *piece; /* to be written next */
};

static void separating_keep_nodes(struct separating_octave *octave, int64_t x, int64_t y)
{
    octave->first[0] = x * octave->period;
    octave->first[1] = y * octave->period;
    for (int64_t j = 0; j < 2; j++) {
        for (int64_t i = 0; i < 2; i++) {
            const uint32_t bits = terrain__random_cell(octave->stream, x + i, y + j);
            octave->ends[0][j][i] = (float)(2 * (int32_t)(bits >> 16) - 0xFFFF) * 0x1p-16f;
            octave->ends[1][j][i] = (float)(2 * (int32_t)(bits & 0xFFFF) - 0xFFFF) * 0x1p-16f;
        }
    }
}

static struct separating_pen separating_pen_of(const terrain__call *call)
{
    struct separating_pen pen = {
        .call = call, .p = call->params, .job = call->job, .most = SEPARATING_PLACE};
    for (uint32_t i = 0; i < SEPARATING_OCTAVES && pen.p->meander > 0; i++) {
        struct separating_octave *octave = &pen.octaves[i];
        octave->stream = separating_stream(call, TERRAIN__DRAW_CANYONS_SEPARATING_MEANDER + i);
        octave->period = (4 * pen.job->unit) >> i;
        if (octave->period >= SEPARATING_LEAST_PERIOD) {
            const float most = pen.p->meander * (float)octave->period * SEPARATING_PLACE;
            pen.count = i + 1;
            pen.most += (int64_t)most + SEPARATING_PLACE;
            octave->first[0] = octave->first[1] = INT64_MIN; /* none are kept yet */
        }
    }
    return pen;
}

static void separating_add_octave(struct separating_octave *octave, float amplitude,
                                  const int64_t world[2], const int64_t part[2], float by[2])
{
    const int64_t period = octave->period;
    float fade[2];
    if ((uint64_t)world[0] - (uint64_t)octave->first[0] >= (uint64_t)period ||
        (uint64_t)world[1] - (uint64_t)octave->first[1] >= (uint64_t)period) {
        separating_keep_nodes(octave, terrain__floor_div(world[0], period),
                              terrain__floor_div(world[1], period));
    }
    for (int axis = 0; axis < 2; axis++) {
        const int64_t cells = world[axis] - octave->first[axis];
        const float t =
            (float)(cells * SEPARATING_PLACE + part[axis]) / (float)(period * SEPARATING_PLACE);
        fade[axis] = t * t * t * (t * (6 * t - 15) + 10);
    }
    for (int axis = 0; axis < 2; axis++) {
        float(*ends)[2] = octave->ends[axis];
        const float up = ends[0][0] + fade[0] * (ends[0][1] - ends[0][0]);
        const float down = ends[1][0] + fade[0] * (ends[1][1] - ends[1][0]);
        by[axis] += amplitude * (up + fade[1] * (down - up));
    }
}

static void separating_displace(struct separating_pen *pen, int64_t place[2])
{
    const int64_t cell[2] = {terrain__floor_div(place[0], SEPARATING_PLACE),
                             terrain__floor_div(place[1], SEPARATING_PLACE)};
    const int64_t world[2] = {pen->call->x + cell[0], pen->call->y + cell[1]};
    const int64_t part[2] = {place[0] - cell[0] * SEPARATING_PLACE,
                             place[1] - cell[1] * SEPARATING_PLACE};
    float by[2] = {0, 0};
    for (uint32_t i = 0; i < pen->count; i++) {
        struct separating_octave *octave = &pen->octaves[i];
        separating_add_octave(octave, pen->p->meander * (float)octave->period, world, part, by);
    }
    place[0] += (int64_t)(by[0] * SEPARATING_PLACE);
    place[1] += (int64_t)(by[1] * SEPARATING_PLACE);
}

static int64_t separating_clamp(int64_t place, uint32_t count)
{
    return place < 0 ? 0 : place < count ? place : (int64_t)count - 1;
}

/* The mean height of 5 x 5 cells around a place; for cells outside the map, the nearest ones inside
 * count. */
static float separating_ground(const terrain__call *call, const int64_t place[2])
{
    const struct separating_job *job = call->job;
    const int64_t step = job->unit / 4;
    const int64_t x = terrain__floor_div(place[0], SEPARATING_PLACE);
    const int64_t y = terrain__floor_div(place[1], SEPARATING_PLACE);
    int64_t columns[5];
    float sum = 0, count = 0;
    for (int64_t i = 0; i < 5; i++) {
        columns[i] = separating_clamp(x + (i - 2) * step, call->map.width);
    }
    for (int64_t j = 0; j < 5; j++) {
        const float *heights =
            terrain__map_row(call, separating_clamp(y + (j - 2) * step, call->map.height));
        for (uint32_t i = 0; i < 5; i++) {
            const float height = heights[columns[i]];
            if (height >= -TERRAIN__CANYONS_MOST_HEIGHT && height <= TERRAIN__CANYONS_MOST_HEIGHT) {
                sum += height;
                count++;
            }
        }
    }
    return count > 0 ? sum / count : NAN;
}

/* Whether a point that lies among `count` others, or up to `away` from them, may be within reach of
 * the map's cells. */
static bool separating_sees(const terrain__call *call, const int64_t *const *places, uint32_t count,
                            int64_t away)
{
    const separating_params *p = call->params;
    const int64_t cells[2] = {call->target.width, call->target.height};
    const int64_t most = ((int64_t)p->reach + 2) * SEPARATING_PLACE + away;
    bool sees = true;
    for (int axis = 0; axis < 2; axis++) {
        int64_t low = INT64_MAX, high = INT64_MIN;
        for (uint32_t k = 0; k < count; k++) {
            low = places[k][axis] < low ? places[k][axis] : low;
            high = places[k][axis] > high ? places[k][axis] : high;
        }
        sees = sees && high >= -most && low <= cells[axis] * SEPARATING_PLACE + most;
    }
    return sees;
}

/* A canyon's floor at a point that noise has displaced. */
struct separating_floor {
    int64_t place[2];
    float height;
    float half_width;
};

static struct separating_floor separating_floor_at(struct separating_pen *pen,
                                                   const int64_t place[2], float depth,
                                                   float half_width, uint32_t bits)
{
    struct separating_floor floor = {.place = {place[0], place[1]}};
    separating_displace(pen, floor.place);
    floor.height = separating_ground(pen->call, floor.place) - depth;
    floor.half_width = half_width * (1 + 0.5f * pen->p->vary * terrain__signed_float(bits));
    return floor;
}

/* The canyon's floor in the middle of a side. */
static struct separating_floor separating_middle(struct separating_pen *pen,
                                                 const struct separating_way *way,
                                                 const int64_t place[2])
{
    const struct separating_job *job = pen->job;
    const bool ends = way->side->ends != 3;
    return separating_floor_at(
        pen, place, ends ? 0 : way->side->depth, ends ? 0 : way->side->half_width,
        terrain__random_cell(job->widths, 2 * (job->x + way->x) + way->down, job->y + way->y));
}

/* A point of the parabola from a to c whose tangents meet at b, after t of 2^shift parts of the
 * way. */
static void separating_arc_at(const int64_t *const ends[3], int64_t t, uint32_t shift,
                              int64_t place[2])
{
    const int64_t left = ((int64_t)1 << shift) - t;
    for (int axis = 0; axis < 2; axis++) {
        const int64_t sum =
            left * left * ends[0][axis] + 2 * t * left * ends[1][axis] + t * t * ends[2][axis];
        place[axis] = terrain__floor_shift(sum, 2 * shift);
    }
}

/* Draws the first `steps` of a parabola's 2^shift pieces, except those out of reach of all cells.
 * The floor goes from `first`, where the parabola begins, to `last`. */
static void separating_draw_arc(struct separating_pen *pen, const int64_t *const ends[3],
                                uint32_t shift, const struct separating_floor *first,
                                const struct separating_floor *last, float mark)
{
    const uint32_t steps = pen->job->steps;
    const float part = 1.0f / (float)steps;
    int64_t plain[SEPARATING_STEPS + 1][2], moved[SEPARATING_STEPS + 1][2];
    uint32_t next = 1; /* place to be moved */
    for (uint32_t k = 0; k <= steps; k++) {
        separating_arc_at(ends, k, shift, plain[k]);
    }
    memcpy(moved[0], first->place, sizeof moved[0]);
    memcpy(moved[steps], last->place, sizeof moved[0]);
    for (uint32_t k = 1; k <= steps; k++) {
        if (!separating_sees(pen->call, (const int64_t *const[]){plain[k - 1], plain[k]}, 2,
                             pen->most)) {
            continue;
        }
        for (next = next + 1 < k ? k - 1 : next; next <= k && next < steps; next++) {
            memcpy(moved[next], plain[next], sizeof moved[next]);
            separating_displace(pen, moved[next]);
        }
        if (separating_sees(pen->call, (const int64_t *const[]){moved[k - 1], moved[k]}, 2, 0)) {
            const float begin = (float)(k - 1) * part, end = (float)k * part;
            const float half = 0.5f * (begin + end);
            terrain__canyons_add(pen->piece++, moved[k - 1], moved[k],
                                 first->height + begin * (last->height - first->height),
                                 first->height + end * (last->height - first->height),
                                 first->half_width + half * (last->half_width - first->half_width),
                                 mark);
        }
    }
}

/* Draws the canyons around a corner. */
static void separating_draw_corner(struct separating_pen *pen, int64_t i, int64_t j)
{
    const struct separating_job *job = pen->job;
    const int64_t *place = job->corners[j * job->width + i].places[job->relaxed & 1];
    struct separating_way ways[3];
    const uint32_t count = terrain__separating_ways(job, i, j, ways);
    int64_t middles[3][2], centre[2] = {place[0], place[1]};
    float depth = 0, half_width = 0;
    if (count == 0) {
        return;
    }
    if (count == 3) {
        terrain__separating_sort_ways(place, ways);
    }
    for (uint32_t k = 0; k < count; k++) {
        for (int axis = 0; axis < 2; axis++) {
            middles[k][axis] = terrain__floor_div(place[axis] + ways[k].place[axis], 2);
        }
        depth = ways[k].side->depth > depth ? ways[k].side->depth : depth;
        half_width = ways[k].side->half_width > half_width ? ways[k].side->half_width : half_width;
    }
    if (!separating_sees(
            pen->call,
            (const int64_t *const[]){place, middles[0], middles[count / 2], middles[count - 1]}, 4,
            pen->most)) {
        return;
    }
    for (int axis = 0; axis < 2 && count >= 2; axis++) {
        centre[axis] = terrain__floor_div(middles[0][axis] + 2 * place[axis] + middles[1][axis], 4);
    }
    const struct separating_floor last =
        separating_floor_at(pen, centre, count >= 2 ? depth : 0, count >= 2 ? half_width : 0,
                            terrain__random_cell(job->broads, job->x + i, job->y + j));
    for (uint32_t k = 0; k < count; k++) {
        const bool through = k < 2 && count >= 2;
        const int64_t *const ends[3] = {middles[k], place, through ? middles[1 - k] : centre};
        if (separating_sees(pen->call, (const int64_t *const[]){middles[k], place, centre}, 3,
                            pen->most)) {
            const struct separating_floor first = separating_middle(pen, &ways[k], middles[k]);
            separating_draw_arc(pen, ends, job->shift + through, &first, &last,
                                (float)(ways[k].side->level + 1));
        }
    }
}

void terrain__separating_draw_row(terrain__call *call, uint32_t task, uint32_t row)
{
    const struct separating_job *job = call->job;
    const size_t room = 3 * (size_t)job->steps; /* pieces of a corner */
    const int64_t width = job->width - SEPARATING_WEST - SEPARATING_EAST;
    struct separating_pen pen = separating_pen_of(call);
    (void)task;
    pen.piece = job->canyons.pieces + row * (size_t)width * room;
    for (int64_t i = 0; i < width; i++) {
        const struct canyons_piece *end = pen.piece + room;
        separating_draw_corner(&pen, i + SEPARATING_WEST, (int64_t)row + SEPARATING_ROWS);
        while (pen.piece < end) {
            pen.piece++->half_width = -1;
        }
    }
}
