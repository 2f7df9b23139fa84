/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"
#include "vector/random.h"

/* Lines as lists of nothing: each keeps where it is, the frame keeps who was where. */

typedef terrain_generate_ridges_params ridges_params;

enum { MOST_LINES = 4096 };

typedef struct line {
    double x, y, dx, dy, direction, top;
    int steps, kin, level, alive;
} line;

typedef struct frame {
    const ridges_params *p;
    int64_t width, height;
    int *owner; /* -1: none */
    double *level;
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
    int owner = f->owner[cell];
    if (owner < 0) {
        f->owner[cell] = number;
        f->level[cell] = height;
        return 1;
    }
    if (owner == number || (owner == l->kin && l->steps <= 3)) {
        f->level[cell] = fmax(f->level[cell], height);
        return 1;
    }
    return (float)f->level[cell] == (float)height;
}

static double noise(const frame *f, int number, double t, int octave)
{
    double left = floor(t), ends[2];
    for (int i = 0; i < 2; i++) {
        uint64_t node = (uint64_t)left + (uint64_t)i;
        ends[i] = 2 * unit(f->turns, (uint64_t)octave << 60 | node << 32 | (uint64_t)number) - 1;
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
        return l->direction + 2 * most *
                                  (noise(f, number, t, 0) + noise(f, number, 2 * t, 1) / 2 +
                                   noise(f, number, 4 * t, 2) / 4);
    }
    if (l->steps > 0 && l->steps % (int)p->turn_spacing == 0) {
        const int turn = l->steps / (int)p->turn_spacing;
        const int side = (int)(terrain__mix(f->turns, (uint64_t)number) & 1);
        const double angle = most * unit(f->turns, (uint64_t)turn << 32 | (uint64_t)number);
        return l->direction + ((turn + side) % 2 == 0 ? angle : -angle);
    }
    return l->direction;
}

static double rise(const frame *f, const line *l, int steps)
{
    const double w = (double)f->p->length * pow((double)f->p->branch_length, l->level);
    return l->top * exp(-(double)steps * steps / (2 * w * w));
}

static void add(frame *f, double x, double y, double angle, double top, int kin, int level)
{
    line *l = &f->lines[f->count++];
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
        add(f, x, y, angle + right, top, number, l->level + 1);
        add(f, x, y, angle - right, top, number, l->level + 1);
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
        const double x = (double)f->width * unit(f->places, index);
        const double y = (double)f->height * unit(f->places, index + 1);
        const double angle = 2 * acos(-1) * unit(f->places, index + 2);
        const double top =
            (double)p->amplitude * (1 - (double)p->variation * unit(f->places, index + 3));
        const size_t cell = (size_t)(floor(y) * (double)f->width + floor(x));
        if (top >= (double)p->least && f->owner[cell] < 0) {
            f->owner[cell] = f->count;
            f->level[cell] = (double)p->offset + top;
            add(f, x, y, angle, top, f->count + 1, 0);
            add(f, x, y, angle + acos(-1), top, f->count - 1, 0);
        }
    }
}

static void walk(frame *f)
{
    for (int any = 1; any;) {
        const int count = f->count;
        any = 0;
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
    const int64_t x0 = own ? call->result.x : p->frame_x, y0 = own ? call->result.y : p->frame_y;
    f->p = p;
    f->width = own ? call->result.width : (int64_t)p->frame_width;
    f->height = own ? call->result.height : (int64_t)p->frame_height;
    const size_t cells = (size_t)(f->width * f->height);
    f->owner = malloc(cells * sizeof *f->owner);
    f->level = malloc(cells * sizeof *f->level);
    for (size_t i = 0; i < cells; i++) {
        f->owner[i] = -1;
    }
    f->places =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_PEAK);
    f->turns =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_ridges, TERRAIN__DRAW_RIDGES_TURN);
    start(f);
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
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_ridges = {"generate_ridges", compute, cases, 0};
