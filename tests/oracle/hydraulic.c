/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "terrain/erode.h"

/* The four in the order in which equally low ones count, then the corners. */
static const int offsets[8][2] = {{0, -1}, {-1, 0},  {1, 0}, {0, 1},
                                  {1, -1}, {-1, -1}, {1, 1}, {-1, 1}};

struct state {
    int64_t width, height;
    double *ground, *water, *sediment;
    double *more_water, *more_sediment; /* what a step moves */
};

static double *allocate(size_t count)
{
    double *cells = calloc(count, sizeof *cells);
    if (cells == NULL) {
        abort();
    }
    return cells;
}

/* The index of a neighbour whose surface is lower by *drop > 0, or -1. */
static int64_t lower(const struct state *s, int64_t x, int64_t y, int n, double *drop)
{
    int64_t nx = x + offsets[n][0];
    int64_t ny = y + offsets[n][1];
    int64_t here = y * s->width + x;
    int64_t there = ny * s->width + nx;
    if (nx < 0 || ny < 0 || nx >= s->width || ny >= s->height) {
        return -1;
    }
    *drop = s->ground[here] + s->water[here] - (s->ground[there] + s->water[there]);
    return *drop > 0 ? there : -1;
}

static void move(struct state *s, int64_t from, int64_t to, double water)
{
    double sediment = s->water[from] > 0 ? s->sediment[from] * water / s->water[from] : 0;
    s->more_water[from] -= water;
    s->more_water[to] += water;
    s->more_sediment[from] -= sediment;
    s->more_sediment[to] += sediment;
}

static void flow_fast(struct state *s, int64_t x, int64_t y)
{
    double most = 0;
    int64_t target = -1;
    for (int n = 0; n < 4; n++) {
        double drop;
        int64_t there = lower(s, x, y, n, &drop);
        if (there >= 0 && drop > most) {
            most = drop;
            target = there;
        }
    }
    if (target >= 0) {
        int64_t here = y * s->width + x;
        move(s, here, target, fmin(s->water[here], most / 2));
    }
}

static void flow_reference(struct state *s, int64_t x, int64_t y)
{
    int64_t here = y * s->width + x;
    double total = 0;
    double drop;
    int count = 0;
    for (int n = 0; n < 8; n++) {
        if (lower(s, x, y, n, &drop) >= 0) {
            total += drop;
            count++;
        }
    }
    for (int n = 0; n < 8 && count > 0; n++) {
        int64_t there = lower(s, x, y, n, &drop);
        if (there >= 0) {
            move(s, here, there, fmin(s->water[here], total / (1 + count)) * drop / total);
        }
    }
}

static void iterate(struct state *s, const terrain_erode_hydraulic_params *p, double rain)
{
    int64_t count = s->width * s->height;
    int fast = p->mode == TERRAIN_HYDRAULIC_FAST;
    double full = fmin((double)p->solubility, (double)p->capacity);
    for (int64_t i = 0; i < count; i++) {
        double solved;
        s->water[i] += rain;
        solved = fast ? full * rain : (double)p->solubility * s->water[i];
        s->ground[i] -= solved;
        s->sediment[i] += fast ? 0 : solved;
    }
    memset(s->more_water, 0, (size_t)count * sizeof(double));
    memset(s->more_sediment, 0, (size_t)count * sizeof(double));
    for (int64_t i = 0; i < count; i++) {
        if (fast) {
            flow_fast(s, i % s->width, i / s->width);
        } else {
            flow_reference(s, i % s->width, i / s->width);
        }
    }
    for (int64_t i = 0; i < count; i++) {
        double dry, settles;
        s->water[i] += s->more_water[i];
        s->sediment[i] += s->more_sediment[i];
        dry = (double)p->evaporation * s->water[i];
        s->water[i] -= dry;
        settles = fmax(s->sediment[i] - (double)p->capacity * s->water[i], 0);
        s->sediment[i] -= settles;
        s->ground[i] += fast ? full * dry : settles;
    }
}

static void compute(oracle_call *call)
{
    const terrain_erode_hydraulic_params *p = call->params;
    size_t count = (size_t)(call->map.width * call->map.height);
    double full = fmin((double)p->solubility, (double)p->capacity);
    double rain = (double)(float)((double)p->rain * call->map.cell_size);
    oracle_map eroded = oracle_output(call, "eroded");
    oracle_map deposited = oracle_output(call, "deposited");
    oracle_map water = oracle_output(call, "water");
    oracle_map mask = oracle_input(call, "mask");
    struct state s = {
        call->map.width, call->map.height, call->result.cells, NULL, NULL, NULL, NULL};
    s.water = allocate(count);
    s.sediment = allocate(count);
    s.more_water = allocate(count);
    s.more_sediment = allocate(count);
    memcpy(s.ground, call->map.cells, count * sizeof(double));
    for (uint32_t i = 0; i < p->iterations; i++) {
        iterate(&s, p, rain);
    }
    for (size_t i = 0; i < count; i++) {
        double old = call->map.cells[i];
        double m = mask.cells != NULL ? fmin(fmax(mask.cells[i], 0), 1) : 1;
        s.ground[i] += p->mode == TERRAIN_HYDRAULIC_FAST ? full * s.water[i] : s.sediment[i];
        if (eroded.cells != NULL) {
            eroded.cells[i] = fmax(old - s.ground[i], 0);
        }
        if (deposited.cells != NULL) {
            deposited.cells[i] = fmax(s.ground[i] - old, 0);
        }
        if (water.cells != NULL) {
            water.cells[i] = s.water[i];
        }
        s.ground[i] = old + m * (s.ground[i] - old);
    }
    free(s.water);
    free(s.sediment);
    free(s.more_water);
    free(s.more_sediment);
    free(mask.cells);
}

/* Heights of up to 32 round by 2^-20 a few times an iteration. Where to water flows is a choice that
 * jumps, so that the cases are short. Widths of whole vectors and others: what lies beyond a row's end
 * differs. */
static const oracle_case cases[] = {
    {"iterations=1", 67, 41, 0, 0, 6e-6},
    {"iterations=1 eroded=yes deposited=yes water=yes", 64, 32, 0, 0, 1e-5},
    {"iterations=3 rain=2 solubility=0.3 capacity=0.2 evaporation=0.1 water=yes", 48, 33, -5, 9,
     4e-5},
    {"iterations=3 rain=5 solubility=0.5 capacity=0.9 eroded=yes", 16, 40, 0, 0, 4e-5},
    {"iterations=4 mask=yes deposited=yes", 33, 20, 0, 0, 4e-5},
    {"iterations=3", 1, 33, 0, 0, 2e-5},
    {"iterations=3", 32, 1, 0, 0, 2e-5},
    {"iterations=5 evaporation=1 solubility=1 capacity=1", 1, 1, 0, 0, 2e-5},
    {"mode=reference iterations=1", 67, 41, 0, 0, 6e-6},
    {"mode=reference iterations=1 eroded=yes deposited=yes water=yes", 64, 32, 0, 0, 1e-5},
    {"mode=reference iterations=3 rain=2 solubility=0.3 capacity=0.2 evaporation=0.1 water=yes", 48,
     33, -5, 9, 4e-5},
    {"mode=reference iterations=4 rain=3 solubility=0.1 capacity=0.5 eroded=yes", 16, 40, 0, 0,
     4e-5},
    {"mode=reference iterations=3 mask=yes deposited=yes", 33, 20, 0, 0, 4e-5},
    {"mode=reference iterations=3", 1, 33, 0, 0, 2e-5},
    {"mode=reference iterations=3", 32, 1, 0, 0, 2e-5},
    {"iterations=0", 5, 5, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_hydraulic = {"erode_hydraulic", compute, cases, 1.25f};
