/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"
#include "vector/random.h"

/* Lines as lists of nothing: each keeps where it is, the frame keeps who was where. Without a frame
 * all land from which a line could come is one, and what lines see is a copy from before the step.
 */

typedef terrain_generate_ridges_params ridges_params;

enum { MOST_LINES = 1 << 15, AROUND = 30 };

typedef struct line {
    double x, y, dx, dy, direction, top;
    int steps, kin, level, alive;
    uint64_t turns, index; /* its random numbers */
} line;

typedef struct frame {
    const ridges_params *p;
    int64_t width, height;
    int world;
    int *owner; /* -1: none */
    double *level;
    int *seen_owner; /* what lines see of both */
    double *seen_level;
    line lines[MOST_LINES];
    int count;
    uint64_t places, turns;
} frame;

static double unit(uint64_t stream, uint64_t index)
{
    return terrain__unit_double(stream, index);
}

static int enter(frame *f, int number, double x, double y, double height)
{
    const line *l = &f->lines[number];
    if (x < 0 || y < 0 || x >= (double)f->width || y >= (double)f->height) {
        return 0;
    }
    size_t cell = (size_t)(y * (double)f->width + x);
    int owner = f->seen_owner[cell];
    int free = owner < 0 || owner == number || (owner == l->kin && l->steps <= 3) ||
               (float)f->seen_level[cell] == (float)height;
    if (free && f->owner[cell] < 0) {
        f->owner[cell] = number;
        f->level[cell] = height;
    } else if (free) {
        f->level[cell] = fmax(f->level[cell], height);
    }
    return free;
}

static double noise(const line *l, double t, int octave)
{
    double left = floor(t), ends[2];
    for (int i = 0; i < 2; i++) {
        uint64_t node = (uint64_t)left + (uint64_t)i;
        ends[i] = 2 * unit(l->turns, (uint64_t)octave << 60 | node << 32 | l->index) - 1;
        ends[i] = node == 0 ? 0 : ends[i];
    }
    return ends[0] + (ends[1] - ends[0]) * (t - left);
}

/* The direction, as an angle, of the step that follows. */
static double direction(const frame *f, int number)
{
    const ridges_params *p = f->p;
    const line *l = &f->lines[number];
    const double most = (double)p->turn * acos(-1) / 180;
    if (p->mode == TERRAIN_GENERATE_RIDGES_MODE_FBM) {
        const double t = l->steps / (4.0 * p->turn_spacing);
        return l->direction +
               2 * most * (noise(l, t, 0) + noise(l, 2 * t, 1) / 2 + noise(l, 4 * t, 2) / 4);
    }
    if (l->steps > 0 && l->steps % (int)p->turn_spacing == 0) {
        const int turn = l->steps / (int)p->turn_spacing;
        const int side = (int)(terrain__mix(l->turns, l->index) & 1);
        const double angle = most * unit(l->turns, (uint64_t)turn << 32 | l->index);
        return l->direction + ((turn + side) % 2 == 0 ? angle : -angle);
    }
    return l->direction;
}

static double rise(const frame *f, const line *l, int steps)
{
    const double w = (double)f->p->length * pow((double)f->p->branch_length, l->level);
    return l->top * exp(-(double)steps * steps / (2 * w * w));
}

static void add(frame *f, double x, double y, double angle, double top, int kin, int level,
                uint64_t turns)
{
    line *l = &f->lines[f->count++];
    l->turns = f->world ? turns : f->turns;
    l->index = f->world ? 0 : (uint64_t)f->count - 1;
    if (f->count == MOST_LINES) {
        abort();
    }
    l->x = x;
    l->y = y;
    l->direction = angle;
    l->top = top;
    l->steps = 0;
    l->kin = kin;
    l->level = level;
    l->alive = 1;
}

static void step(frame *f, int number)
{
    const ridges_params *p = f->p;
    line *l = &f->lines[number];
    const double angle = direction(f, number), dx = cos(angle), dy = sin(angle);
    const double x = l->x + dx, y = l->y + dy;
    const double column = floor(x), row = floor(y), old_column = floor(l->x), old_row = floor(l->y);
    l->steps++;
    const double height = (double)p->offset + rise(f, l, l->steps);
    l->direction = p->mode == TERRAIN_GENERATE_RIDGES_MODE_FBM ? l->direction : angle;
    l->alive = rise(f, l, l->steps) >= (double)p->least;
    if (l->alive && column != old_column && row != old_row) {
        const double to_column = (fmax(column, old_column) - l->x) / dx;
        const double to_row = (fmax(row, old_row) - l->y) / dy;
        l->alive = to_column < to_row ? enter(f, number, column, old_row, height)
                                      : enter(f, number, old_column, row, height);
    }
    l->alive = l->alive && enter(f, number, column, row, height);
    l->x = x;
    l->y = y;
    if (l->alive && l->level < (int)p->depth && l->steps % (int)p->branch_spacing == 0) {
        const double top = rise(f, l, l->steps), right = acos(-1) / 2;
        const uint64_t left = 2 * (uint64_t)l->steps;
        add(f, x, y, angle + right, top, number, l->level + 1, terrain__mix(l->turns, left));
        add(f, x, y, angle - right, top, number, l->level + 1, terrain__mix(l->turns, left + 1));
    }
}

static void start_pair(frame *f, double x, double y, uint64_t peak, uint64_t index, uint64_t turns)
{
    const ridges_params *p = f->p;
    const double angle = 2 * acos(-1) * unit(peak, index + 2);
    const double top = (double)p->amplitude * (1 - (double)p->variation * unit(peak, index + 3));
    const size_t cell = (size_t)(floor(y) * (double)f->width + floor(x));
    if (top >= (double)p->least && f->owner[cell] < 0) {
        f->owner[cell] = f->count;
        f->level[cell] = (double)p->offset + top;
        add(f, x, y, angle, top, f->count + 1, 0, turns);
        add(f, x, y, angle + acos(-1), top, f->count - 1, 0, terrain__mix(turns, 1));
    }
}

static void start(frame *f)
{
    const ridges_params *p = f->p;
    const double squares =
        (double)(f->width * f->height) / ((double)p->spacing * (double)p->spacing);
    const int peaks = (int)fmax(1, floor(squares + 0.5));
    for (int i = 0; i < peaks; i++) {
        const uint64_t index = 4 * (uint64_t)i;
        start_pair(f, (double)f->width * unit(f->places, index),
                   (double)f->height * unit(f->places, index + 1), f->places, index, 0);
    }
}

/* One peak in each square of the world, of which the frame begins at (x0, y0). */
static void start_world(frame *f, double x0, double y0)
{
    const double side = (double)f->p->spacing;
    for (double j = floor(y0 / side); j * side < y0 + (double)f->height; j++) {
        for (double i = floor(x0 / side); i * side < x0 + (double)f->width; i++) {
            const uint64_t row = (uint64_t)(int64_t)j, column = (uint64_t)(int64_t)i;
            const uint64_t peak = terrain__mix(terrain__mix(f->places, row), column);
            const uint64_t turns = terrain__mix(terrain__mix(f->turns, row), column);
            const double x = (i + unit(peak, 0)) * side - x0, y = (j + unit(peak, 1)) * side - y0;
            if (x >= 0 && y >= 0 && x < (double)f->width && y < (double)f->height) {
                start_pair(f, x, y, peak, 0, turns);
            }
        }
    }
}

static void walk(frame *f)
{
    const size_t cells = (size_t)(f->width * f->height);
    for (int any = 1; any;) {
        const int count = f->count;
        any = 0;
        if (f->world) {
            memcpy(f->seen_owner, f->owner, cells * sizeof *f->owner);
            memcpy(f->seen_level, f->level, cells * sizeof *f->level);
        }
        for (int i = 0; i < count; i++) {
            if (f->lines[i].alive) {
                step(f, i);
                any = 1;
            }
        }
    }
}

static void compute(oracle_call *call)
{
    const ridges_params *p = call->params;
    frame *f = calloc(1, sizeof *f);
    oracle_map lines = oracle_output(call, "constraints");
    const int own = p->frame_width == 0;
    f->world = p->peaks == TERRAIN_GENERATE_RIDGES_PEAKS_WORLD;
    /* More than a line and its branches could go. */
    const double logarithm = 2 * log(fmax(1, (double)p->amplitude / (double)p->least));
    const int64_t around =
        f->world ? (int64_t)(sqrt(3 * logarithm) * (double)p->length) + AROUND : 0;
    const int64_t x0 = f->world || own ? call->result.x - around : p->frame_x;
    const int64_t y0 = f->world || own ? call->result.y - around : p->frame_y;
    f->p = p;
    f->width = f->world || own ? call->result.width + 2 * around : (int64_t)p->frame_width;
    f->height = f->world || own ? call->result.height + 2 * around : (int64_t)p->frame_height;
    const size_t cells = (size_t)(f->width * f->height);
    f->owner = malloc(cells * sizeof *f->owner);
    f->level = malloc(cells * sizeof *f->level);
    f->seen_owner = f->world ? malloc(cells * sizeof *f->owner) : f->owner;
    f->seen_level = f->world ? malloc(cells * sizeof *f->level) : f->level;
    for (size_t i = 0; i < cells; i++) {
        f->owner[i] = -1;
    }
    f->places =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_PEAK);
    f->turns =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_TURN);
    if (f->world) {
        start_world(f, (double)x0, (double)y0);
    } else {
        start(f);
    }
    walk(f);
    for (int64_t y = 0; y < call->result.height; y++) {
        for (int64_t x = 0; x < call->result.width; x++) {
            const int64_t column = call->result.x + x - x0, row = call->result.y + y - y0;
            const int inside = column >= 0 && row >= 0 && column < f->width && row < f->height;
            const int64_t cell = inside ? row * f->width + column : 0;
            const int ridge = inside && f->owner[cell] >= 0;
            *oracle_at(&call->result, x, y) = ridge ? f->level[cell] : (double)p->offset;
            if (lines.cells != NULL) {
                *oracle_at(&lines, x, y) = ridge ? f->level[cell] : (double)NAN;
            }
        }
    }
    if (f->world) {
        free(f->seen_owner);
        free(f->seen_level);
    }
    free(f->owner);
    free(f->level);
    free(f);
}

/* Heights of up to 110 are rounded once. */
static const oracle_case cases[] = {
    {"constraints=yes", 200, 150, 0, 0, 1e-5},
    {"constraints=yes spacing=64 length=20 branch_spacing=7 seed=3", 150, 161, -70, 1000, 1e-5},
    {"constraints=yes spacing=50 length=30 depth=2 branch_length=0.4 offset=7 least=3 seed=9", 131,
     160, 5, 5, 1e-5},
    {"mode=fbm spacing=60 length=40 turn=50 turn_spacing=3", 150, 120, 0, 0, 1e-5},
    {"constraints=yes frame_x=-30 frame_y=-50 frame_width=220 frame_height=140 spacing=80 turn=90 "
     "turn_spacing=1",
     90, 120, 0, 0, 1e-5},
    {"spacing=40 turn=0 depth=0 variation=0 length=500", 120, 120, 0, 0, 1e-5},
    {"constraints=yes spacing=30 amplitude=2 variation=1 length=4 branch_spacing=2", 60, 50, 0, 0,
     1e-5},
    {"constraints=yes", 1, 70, 3, -9, 1e-5},
    {"constraints=yes amplitude=0", 5, 3, 0, 0, 0},
    {"peaks=world constraints=yes spacing=40 length=20 branch_spacing=7 seed=3", 150, 161, -70,
     1000, 1e-5},
    {"peaks=world constraints=yes spacing=31.7 length=16 depth=2 branch_length=0.7 "
     "branch_spacing=4 offset=7 least=3 seed=9",
     131, 160, 5, 5, 1e-5},
    {"peaks=world mode=fbm spacing=60 length=25 turn=50 turn_spacing=3 seed=5", 150, 120, -5000,
     -60, 1e-5},
    {"peaks=world constraints=yes spacing=9.3 length=12 turn=90 turn_spacing=1 branch_spacing=2 "
     "variation=1 seed=2",
     90, 120, 0, 0, 1e-5},
    {"peaks=world spacing=8 length=30 turn=0 depth=0 variation=0", 60, 50, -30, -30, 1e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_ridges = {"generate_ridges", compute, cases, 0};
