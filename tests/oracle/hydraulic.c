/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "terrain/erode.h"

typedef terrain_erode_hydraulic_params hydraulic_params;

/* A map's ground, water and sediment, and what flows into each cell in this iteration. */
typedef struct {
    int64_t width;
    int64_t height;
    double *ground;
    double *water;
    double *sediment;
    double *water_in;
    double *sediment_in;
} state;

static double *zeros(int64_t count)
{
    double *cells = calloc((size_t)count, sizeof *cells);
    if (cells == NULL) {
        abort();
    }
    return cells;
}

/* The first four are those at the edges, in the order of ties. */
static const int offsets[8][2] = {{0, -1},  {-1, 0}, {1, 0},  {0, 1},
                                  {-1, -1}, {1, -1}, {-1, 1}, {1, 1}};

/* The index of neighbour n of cell (x, y), -1 beyond the edge. */
static int64_t neighbour(const state *s, int64_t x, int64_t y, int n)
{
    int64_t col = x + offsets[n][0], row = y + offsets[n][1];
    int inside = col >= 0 && row >= 0 && col < s->width && row < s->height;
    return inside ? row * s->width + col : -1;
}

static double surface(const state *s, int64_t cell)
{
    return s->ground[cell] + s->water[cell];
}

/* FAST: to the lowest of four. Returns what leaves the cell. */
static double flow_fast(state *s, int64_t x, int64_t y)
{
    int64_t cell = y * s->width + x, lowest = cell;
    double flows;
    for (int n = 0; n < 4; n++) {
        int64_t other = neighbour(s, x, y, n);
        if (other >= 0 && surface(s, other) < surface(s, lowest)) {
            lowest = other;
        }
    }
    flows = fmin(s->water[cell], (surface(s, cell) - surface(s, lowest)) / 2);
    s->water_in[lowest] += flows;
    return flows;
}

/* REFERENCE: to all lower ones of eight, with the share of the sediment that goes with it. */
static double flow_reference(state *s, int64_t x, int64_t y)
{
    int64_t cell = y * s->width + x;
    double a = surface(s, cell), drops = 0, count = 0, flows;
    for (int n = 0; n < 8; n++) {
        int64_t other = neighbour(s, x, y, n);
        if (other >= 0 && surface(s, other) < a) {
            drops += a - surface(s, other);
            count++;
        }
    }
    flows = fmin(s->water[cell], drops / (1 + count));
    for (int n = 0; n < 8 && flows > 0; n++) {
        int64_t other = neighbour(s, x, y, n);
        if (other >= 0 && surface(s, other) < a) {
            double share = flows * (a - surface(s, other)) / drops;
            s->water_in[other] += share;
            s->sediment_in[other] += share * s->sediment[cell] / s->water[cell];
        }
    }
    return flows;
}

static void flow(state *s, const hydraulic_params *p)
{
    int64_t count = s->width * s->height;
    double *out = zeros(count);
    memset(s->water_in, 0, (size_t)count * sizeof(double));
    memset(s->sediment_in, 0, (size_t)count * sizeof(double));
    for (int64_t y = 0; y < s->height; y++) {
        for (int64_t x = 0; x < s->width; x++) {
            out[y * s->width + x] =
                p->mode == TERRAIN_HYDRAULIC_FAST ? flow_fast(s, x, y) : flow_reference(s, x, y);
        }
    }
    for (int64_t i = 0; i < count; i++) {
        if (out[i] > 0) {
            s->sediment[i] -= s->sediment[i] * out[i] / s->water[i];
        }
        s->sediment[i] += s->sediment_in[i];
        s->water[i] += s->water_in[i] - out[i];
    }
    free(out);
}

static void iterate(state *s, const hydraulic_params *p, double rain)
{
    double carried = fmin((double)p->solubility, (double)p->capacity);
    int fast = p->mode == TERRAIN_HYDRAULIC_FAST;
    for (int64_t i = 0; i < s->width * s->height; i++) {
        double dissolved = (double)p->solubility * (s->water[i] + rain);
        s->water[i] += rain;
        s->ground[i] -= fast ? carried * rain : dissolved;
        s->sediment[i] += fast ? 0 : dissolved;
    }
    flow(s, p);
    for (int64_t i = 0; i < s->width * s->height; i++) {
        double dries = (double)p->evaporation * s->water[i];
        double settles;
        s->water[i] -= dries;
        settles =
            fast ? carried * dries : fmax(s->sediment[i] - (double)p->capacity * s->water[i], 0);
        s->ground[i] += settles;
        s->sediment[i] -= fast ? 0 : settles;
    }
}

static void finish(oracle_call *call, const state *s, double carried)
{
    oracle_map eroded = oracle_output(call, "eroded");
    oracle_map deposited = oracle_output(call, "deposited");
    oracle_map water = oracle_output(call, "water");
    for (int64_t i = 0; i < s->width * s->height; i++) {
        double before = call->map.cells[i];
        double h = s->ground[i] + s->sediment[i] + carried * s->water[i];
        call->result.cells[i] = h;
        if (eroded.cells != NULL) {
            eroded.cells[i] = fmax(before - h, 0);
        }
        if (deposited.cells != NULL) {
            deposited.cells[i] = fmax(h - before, 0);
        }
        if (water.cells != NULL) {
            water.cells[i] = s->water[i];
        }
    }
}

static void compute(oracle_call *call)
{
    const hydraulic_params *p = call->params;
    int64_t count = call->map.width * call->map.height;
    double rain = (double)(float)((double)p->rain * call->map.cell_size);
    state s = {call->map.width, call->map.height, zeros(count), zeros(count),
               zeros(count),    zeros(count),     zeros(count)};
    memcpy(s.ground, call->map.cells, (size_t)count * sizeof(double));
    for (uint32_t i = 0; i < p->iterations; i++) {
        iterate(&s, p, rain);
    }
    finish(call, &s,
           p->mode == TERRAIN_HYDRAULIC_FAST ? fmin((double)p->solubility, (double)p->capacity)
                                             : 0);
    free(s.ground);
    free(s.water);
    free(s.sediment);
    free(s.water_in);
    free(s.sediment_in);
}

/* An iteration rounds heights by some 2^-20. FAST's choice of the lowest neighbour jumps where
 * surfaces become level, so that its cases are short. */
static const oracle_case cases[] = {
    {"iterations=1 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 1e-5},
    {"iterations=4 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 4e-5},
    {"iterations=10 evaporation=0.9 rain=0.05 solubility=0.3 capacity=0.4", 67, 41, 0, 0, 1e-4},
    {"iterations=3 solubility=0.5 capacity=0.2 evaporation=0 rain=2 water=yes", 67, 41, 0, 0, 4e-5},
    {"iterations=3 evaporation=1 water=yes", 1, 33, 0, 0, 4e-5},
    {"iterations=3 rain=0 water=yes", 33, 1, 0, 0, 0},
    {"mode=reference iterations=1 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 1e-5},
    {"mode=reference iterations=20 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 2e-4},
    {"mode=reference iterations=9 solubility=0.4 capacity=0.1 evaporation=0.2 rain=1.5 water=yes",
     67, 41, -9, 3, 2e-4},
    {"mode=reference iterations=5 evaporation=1", 2, 2, 0, 0, 4e-5},
    {"mode=reference iterations=5 evaporation=0 rain=50 solubility=1 capacity=1", 33, 17, 0, 0,
     1e-3},
    {"iterations=0 water=yes eroded=yes", 5, 5, 0, 0, 0},
    {"iterations=4 mask=yes deposited=yes eroded=yes water=yes", 33, 20, 0, 0, 4e-5},
    {"mode=reference iterations=4 mask=yes deposited=yes", 33, 20, 0, 0, 4e-5},
    {"mode=reference iterations=3", 1, 33, 0, 0, 4e-5},
    {"mode=reference iterations=3", 33, 1, 0, 0, 4e-5},
    {"iterations=5 evaporation=1 solubility=1 capacity=1", 1, 1, 0, 0, 2e-5},
    {"iterations=4 eroded=yes water=yes", 64, 32, 0, 0, 4e-5},
    {"mode=reference iterations=4 eroded=yes water=yes", 64, 32, 0, 0, 4e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_hydraulic = {"erode_hydraulic", compute, cases, 1.25f};
