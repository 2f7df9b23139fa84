/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_hydraulic and erode_rain: one state, three ways for water to run. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "terrain/erode.h"

enum { FAST, REFERENCE, CARVE };

typedef struct {
    int mode;
    uint32_t iterations;
    double rain, solubility, evaporation, capacity;
} rules;

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

/* CARVE: to all lower ones of eight, by drops that count half at the corners. Returns what leaves
 * the cell; ground leaves with it, through the sediment that comes in, if for less than nothing. */
static double flow_carve(state *s, const rules *p, double cell_size, int64_t x, int64_t y)
{
    int64_t cell = y * s->width + x;
    double drops[8], sum = 0, share, depth, erosion;
    for (int n = 0; n < 8; n++) {
        int64_t other = neighbour(s, x, y, n);
        drops[n] = other < 0 ? 0 : fmax(surface(s, cell) - surface(s, other), 0) / (n < 4 ? 1 : 2);
        sum += drops[n];
    }
    if (sum == 0) {
        return 0;
    }
    share = fmin(3.0 / 32, s->water[cell] / sum);
    depth = share * sum / cell_size;
    erosion = fmin(1.0 / 16, p->capacity * pow(depth, 1.5));
    for (int n = 0; n < 8; n++) {
        if (drops[n] > 0) {
            int64_t other = neighbour(s, x, y, n);
            s->water_in[other] += share * drops[n];
            s->sediment_in[other] += erosion * drops[n];
            s->sediment_in[cell] -= erosion * drops[n];
        }
    }
    return share * sum;
}

static double flow_from(state *s, const rules *p, double cell_size, int64_t x, int64_t y)
{
    switch (p->mode) {
    case FAST:
        return flow_fast(s, x, y);
    case REFERENCE:
        return flow_reference(s, x, y);
    default:
        return flow_carve(s, p, cell_size, x, y);
    }
}

static void flow(state *s, const rules *p, double cell_size)
{
    int64_t count = s->width * s->height;
    double *out = zeros(count);
    memset(s->water_in, 0, (size_t)count * sizeof(double));
    memset(s->sediment_in, 0, (size_t)count * sizeof(double));
    for (int64_t y = 0; y < s->height; y++) {
        for (int64_t x = 0; x < s->width; x++) {
            out[y * s->width + x] = flow_from(s, p, cell_size, x, y);
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

/* What is dissolved by rain, and what settles of the sediment when water dries. */
static double dissolved(const state *s, const rules *p, double rain, int64_t cell)
{
    switch (p->mode) {
    case FAST:
        return fmin(p->solubility, p->capacity) * rain;
    case REFERENCE:
        return p->solubility * s->water[cell];
    default:
        return 0;
    }
}

static double settles(const state *s, const rules *p, double dries, int64_t cell)
{
    switch (p->mode) {
    case FAST:
        return fmin(p->solubility, p->capacity) * dries;
    case REFERENCE:
        return fmax(s->sediment[cell] - p->capacity * s->water[cell], 0);
    default:
        return s->sediment[cell];
    }
}

static void iterate(state *s, const rules *p, double rain, double cell_size)
{
    int reference = p->mode == REFERENCE;
    int fast = p->mode == FAST;
    for (int64_t i = 0; i < s->width * s->height; i++) {
        double ground;
        s->water[i] += rain;
        ground = dissolved(s, p, rain, i);
        s->ground[i] -= ground;
        s->sediment[i] += reference ? ground : 0;
    }
    flow(s, p, cell_size);
    for (int64_t i = 0; i < s->width * s->height; i++) {
        double dries = p->evaporation * s->water[i];
        double ground;
        s->water[i] -= dries;
        ground = settles(s, p, dries, i);
        s->ground[i] += ground;
        s->sediment[i] -= fast ? 0 : ground;
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

static void compute(oracle_call *call, const rules *p)
{
    int64_t count = call->map.width * call->map.height;
    double rain = (double)(float)(p->rain * call->map.cell_size);
    state s = {call->map.width, call->map.height, zeros(count), zeros(count),
               zeros(count),    zeros(count),     zeros(count)};
    memcpy(s.ground, call->map.cells, (size_t)count * sizeof(double));
    for (uint32_t i = 0; i < p->iterations; i++) {
        iterate(&s, p, rain, call->map.cell_size);
    }
    finish(call, &s, p->mode == FAST ? fmin(p->solubility, p->capacity) : 0);
    free(s.ground);
    free(s.water);
    free(s.sediment);
    free(s.water_in);
    free(s.sediment_in);
}

static void compute_hydraulic(oracle_call *call)
{
    const terrain_erode_hydraulic_params *p = call->params;
    rules r = {.mode = CARVE, .iterations = p->iterations, .rain = (double)p->rain};
    r.evaporation = (double)p->evaporation;
    r.capacity = (double)p->capacity;
    compute(call, &r);
}

static void compute_rain(oracle_call *call)
{
    const terrain_erode_rain_params *p = call->params;
    rules r = {.iterations = p->iterations, .rain = (double)p->rain};
    r.mode = p->mode == TERRAIN_ERODE_RAIN_MODE_FAST ? FAST : REFERENCE;
    r.solubility = (double)p->solubility;
    r.evaporation = (double)p->evaporation;
    r.capacity = (double)p->capacity;
    compute(call, &r);
}

/* An iteration rounds heights by some 2^-20. FAST's choice of the lowest neighbour jumps where
 * surfaces become level, so that its cases are short. */
static const oracle_case rain_cases[] = {
    {"mode=fast iterations=1 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 1e-5},
    {"mode=fast iterations=4 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 4e-5},
    {"mode=fast iterations=10 evaporation=0.9 rain=0.05 solubility=0.3 capacity=0.4", 67, 41, 0, 0,
     1e-4},
    {"mode=fast iterations=3 solubility=0.5 capacity=0.2 evaporation=0 rain=2 water=yes", 67, 41, 0,
     0, 4e-5},
    {"mode=fast iterations=3 evaporation=1 water=yes", 1, 33, 0, 0, 4e-5},
    {"mode=fast iterations=3 rain=0 water=yes", 33, 1, 0, 0, 0},
    {"mode=reference iterations=1 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 1e-5},
    {"mode=reference iterations=20 eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 2e-4},
    {"mode=reference iterations=9 solubility=0.4 capacity=0.1 evaporation=0.2 rain=1.5 water=yes",
     67, 41, -9, 3, 2e-4},
    {"mode=reference iterations=5 evaporation=1", 2, 2, 0, 0, 4e-5},
    {"mode=reference iterations=5 evaporation=0 rain=50 solubility=1 capacity=1", 33, 17, 0, 0,
     1e-3},
    {"mode=fast iterations=0 water=yes eroded=yes", 5, 5, 0, 0, 0},
    {"mode=fast iterations=4 mask=yes deposited=yes eroded=yes water=yes", 33, 20, 0, 0, 4e-5},
    {"mode=reference iterations=4 mask=yes deposited=yes", 33, 20, 0, 0, 4e-5},
    {"mode=reference iterations=3", 1, 33, 0, 0, 4e-5},
    {"mode=reference iterations=3", 33, 1, 0, 0, 4e-5},
    {"mode=fast iterations=5 evaporation=1 solubility=1 capacity=1 rain=0.32", 1, 1, 0, 0, 2e-5},
    {"mode=fast iterations=4 eroded=yes water=yes", 64, 32, 0, 0, 4e-5},
    {"mode=reference iterations=4 eroded=yes water=yes", 64, 32, 0, 0, 4e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_rain = {"erode_rain", compute_rain, rain_cases, 1.25f};

static const oracle_case hydraulic_cases[] = {
    {"eroded=yes deposited=yes water=yes", 67, 41, 0, 0, 4e-4},
    {"iterations=1 eroded=yes deposited=yes water=yes rain=0.001 evaporation=0.02 capacity=20", 67,
     41, 0, 0, 1e-5},
    {"iterations=25 rain=0.1 eroded=yes deposited=yes water=yes evaporation=0.02 capacity=20", 67,
     41, 0, 0, 3e-5},
    {"iterations=30 rain=0.5 capacity=0.3 evaporation=0.1 water=yes", 64, 32, -9, 3, 4e-5},
    {"iterations=12 rain=2 capacity=100 evaporation=0", 35, 50, 0, 0, 2e-5},
    {"iterations=5 rain=1 capacity=0 water=yes evaporation=0.02", 20, 20, 0, 0, 6e-6},
    {"iterations=6 rain=0.3 mask=yes deposited=yes eroded=yes water=yes evaporation=0.02 "
     "capacity=20",
     33, 20, 0, 0, 2e-5},
    {"iterations=4 rain=0.3 evaporation=1 capacity=20", 2, 2, 0, 0, 2e-6},
    {"iterations=6 rain=0.3 water=yes evaporation=0.02 capacity=20", 1, 33, 0, 0, 6e-6},
    {"iterations=6 rain=0.3 water=yes evaporation=0.02 capacity=20", 33, 1, 0, 0, 6e-6},
    {"iterations=3 rain=0.001 evaporation=0.02 capacity=20", 1, 1, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_hydraulic = {"erode_hydraulic", compute_hydraulic, hydraulic_cases,
                                       1.25f};
