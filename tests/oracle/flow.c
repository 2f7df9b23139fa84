/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <stdlib.h>

#include "oracle/flood.h"
#include "terrain/analyze.h"

/* 1 to 8, clockwise from the east; and the same in the order of rows. */
static const int east[9] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
static const int south[9] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
static const int in_rows[8] = {6, 7, 8, 5, 1, 4, 3, 2};

typedef struct land {
    oracle_map surface;
    int64_t cells;
    bool open;
    int *code;      /* of each cell, 0: pit, -1: outlet */
    int64_t *label; /* of each cell: its pit, -1 for an outlet */
    double *water;  /* of each cell */
    double (*share)[9];
} land;

/* The neighbour in a direction, or -1. */
static int64_t neighbour(const land *l, int64_t cell, int d)
{
    int64_t x = cell % l->surface.width + east[d], y = cell / l->surface.width + south[d];
    bool inside = x >= 0 && y >= 0 && x < l->surface.width && y < l->surface.height;
    return inside ? y * l->surface.width + x : -1;
}

/* The slopes that decide between ways are floats: see the header. */
static double slope_to(const land *l, int64_t cell, int d)
{
    int64_t next = neighbour(l, cell, d);
    float drop;
    if (next < 0) {
        return (double)-INFINITY;
    }
    drop = isnan(l->surface.cells[next])
               ? INFINITY
               : (float)l->surface.cells[cell] - (float)l->surface.cells[next];
    return (double)(d % 2 == 1 ? drop : drop * 0.707106781f);
}

static void receive(land *l)
{
    for (int64_t i = 0; i < l->cells; i++) {
        int64_t x = i % l->surface.width, y = i / l->surface.width;
        bool rim = x == 0 || y == 0 || x == l->surface.width - 1 || y == l->surface.height - 1;
        double most = 0;
        l->code[i] = isnan(l->surface.cells[i]) || (l->open && rim) ? -1 : 0;
        for (int k = 0; k < 8 && l->code[i] >= 0; k++) {
            double slope = slope_to(l, i, in_rows[k]);
            if (slope > most) {
                most = slope;
                l->code[i] = in_rows[k];
            }
        }
    }
}

static bool is_level(const land *l, int64_t a, int64_t b)
{
    return b >= 0 && l->surface.cells[a] == l->surface.cells[b];
}

/* Steps from each cell of level ground, by looking at all cells until nothing changes. Cells in
 * `from` have 0 steps. */
static void spread(land *l, int64_t *steps)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (int64_t i = 0; i < l->cells; i++) {
            for (int d = 1; d <= 8 && l->code[i] == 0; d++) {
                int64_t next = neighbour(l, i, d);
                if (is_level(l, i, next) && steps[next] + 1 < steps[i]) {
                    steps[i] = steps[next] + 1;
                    changed = true;
                }
            }
        }
    }
}

static void level(land *l)
{
    const int64_t far = INT64_MAX / 2;
    int64_t *steps = calloc((size_t)l->cells, sizeof *steps);
    int *code = calloc((size_t)l->cells, sizeof *code);
    for (int64_t i = 0; i < l->cells; i++) {
        steps[i] = l->code[i] != 0 ? 0 : far;
    }
    spread(l, steps);
    for (int64_t i = 0; i < l->cells; i++) { /* ground without an exit: its first cell */
        if (steps[i] == far) {
            steps[i] = 0;
            spread(l, steps);
        }
    }
    for (int64_t i = 0; i < l->cells; i++) {
        code[i] = l->code[i];
        for (int k = 0; k < 8 && l->code[i] == 0 && steps[i] > 0 && code[i] == 0; k++) {
            int64_t next = neighbour(l, i, in_rows[k]);
            code[i] = is_level(l, i, next) && steps[next] + 1 == steps[i] ? in_rows[k] : 0;
        }
    }
    for (int64_t i = 0; i < l->cells; i++) {
        l->code[i] = code[i];
    }
    free(steps);
    free(code);
}

/* ---- Carving: the least spanning tree by Kruskal's method ------------------------------------- */

typedef struct pass {
    double height;
    int64_t first, second;
    int side;
    bool taken;
} pass;

static int compare(const void *a, const void *b)
{
    const pass *p = a, *q = b;
    if (p->height != q->height) {
        return p->height < q->height ? -1 : 1;
    }
    return p->first != q->first ? (p->first < q->first ? -1 : 1) : p->side - q->side;
}

static int64_t pit_of(const land *l, int64_t cell)
{
    while (l->code[cell] > 0) {
        cell = neighbour(l, cell, l->code[cell]);
    }
    return l->code[cell] < 0 ? -1 : cell;
}

static int64_t find(const int64_t *links, int64_t basin)
{
    while (links[basin + 1] != basin) {
        basin = links[basin + 1];
    }
    return basin;
}

static void turn_round(land *l, int64_t from, int64_t to)
{
    int d = 1;
    while (neighbour(l, from, d) != to) {
        d++;
    }
    for (int old = -1; old != 0;) {
        old = l->code[from];
        l->code[from] = d;
        if (old > 0) {
            d = (old + 3) % 8 + 1;
            from = neighbour(l, from, old);
        }
    }
}

static size_t collect(const land *l, pass *passes)
{
    static const int sides[4] = {1, 4, 3, 2};
    size_t count = 0;
    for (int64_t i = 0; i < l->cells; i++) {
        for (int k = 0; k < 4; k++) {
            int64_t next = neighbour(l, i, sides[k]);
            if (next >= 0 && l->label[i] != l->label[next]) {
                double a = l->surface.cells[i], b = l->surface.cells[next];
                passes[count++] = (pass){isnan(a) || a < b ? b : a, i, next, k, false};
            }
        }
    }
    qsort(passes, count, sizeof *passes, compare);
    return count;
}

static void carve(land *l)
{
    pass *passes = malloc((size_t)l->cells * 4 * sizeof *passes);
    int64_t *links = malloc((size_t)(l->cells + 1) * sizeof *links);
    bool *drains = calloc((size_t)l->cells + 1, sizeof *drains);
    int64_t lowest = -1;
    size_t count;
    for (int64_t i = -1; i < l->cells; i++) {
        links[i + 1] = i;
    }
    for (int64_t i = 0; i < l->cells; i++) {
        l->label[i] = pit_of(l, i);
        drains[0] = drains[0] || l->label[i] < 0;
        lowest = lowest < 0 || l->surface.cells[i] < l->surface.cells[lowest] ? i : lowest;
    }
    drains[lowest + 1] = drains[lowest + 1] || !drains[0];
    count = collect(l, passes);
    for (size_t k = 0; k < count; k++) {
        int64_t a = find(links, l->label[passes[k].first]);
        int64_t b = find(links, l->label[passes[k].second]);
        passes[k].taken = a != b;
        links[a + 1] = b;
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t k = 0; k < count; k++) {
            int64_t a = l->label[passes[k].first], b = l->label[passes[k].second];
            if (passes[k].taken && drains[a + 1] != drains[b + 1]) {
                bool inside =
                    drains[a + 1]; /* the first cell's basin is the one nearer the outlet */
                turn_round(l, inside ? passes[k].second : passes[k].first,
                           inside ? passes[k].first : passes[k].second);
                drains[a + 1] = drains[b + 1] = changed = true;
            }
        }
    }
    free(passes);
    free(links);
    free(drains);
}

/* ---- Shares ----------------------------------------------------------------------------------- */

/* Which triangle is steepest is decided in floats, as which neighbour is. */
static void share_facets(const double *slope, double *share)
{
    float most = 0;
    for (int f = 0; f < 8; f++) {
        int side = (f + 1) / 2 * 2 % 8 + 1, corner = f / 2 * 2 + 2;
        float a = (float)slope[side], b = (float)slope[corner] * 1.41421356f - a;
        float steep = b <= 0 ? a : b >= a ? (float)slope[corner] : sqrtf(a * a + b * b);
        double part = b <= 0 ? 0 : b >= a ? 1 : atan((double)b / (double)a) / atan(1.0);
        if (steep > most) {
            most = steep;
            for (int d = 0; d < 9; d++) {
                share[d] = d == side ? 1 - part : d == corner ? part : 0;
            }
        }
    }
}

static void set_shares(land *l, const terrain_analyze_flow_params *p)
{
    for (int64_t i = 0; i < l->cells; i++) {
        double slope[9] = {0}, most = 0, sum = 0;
        for (int d = 0; d < 9; d++) {
            l->share[i][d] = d > 0 && d == l->code[i];
        }
        for (int d = 1; d < 9 && l->code[i] > 0; d++) {
            slope[d] = slope_to(l, i, d);
            most = slope[d] > most ? slope[d] : most;
        }
        if (most <= 0 || most > 1e18 || p->method < TERRAIN_ANALYZE_FLOW_METHOD_DINF) {
            continue;
        }
        if (p->method == TERRAIN_ANALYZE_FLOW_METHOD_DINF) {
            share_facets(slope, l->share[i]);
            continue;
        }
        for (int d = 1; d < 9; d++) {
            sum += slope[d] > 0 ? pow(slope[d] / most, (double)p->exponent) : 0;
        }
        for (int d = 1; d < 9; d++) {
            l->share[i][d] = slope[d] > 0 ? pow(slope[d] / most, (double)p->exponent) / sum : 0;
        }
    }
}

/* Every cell sends its rain on its way, part by part, until less than 1e-9 of it is left. */
static void send(land *l, int64_t cell, double water)
{
    l->water[cell] += water;
    for (int d = 1; d < 9; d++) {
        if (l->share[cell][d] * water > 1e-9) {
            send(l, neighbour(l, cell, d), l->share[cell][d] * water);
        }
    }
}

static void compute(oracle_call *call)
{
    const terrain_analyze_flow_params *p = call->params;
    const int64_t cells = call->map.width * call->map.height;
    oracle_map weights = oracle_input(call, "weights");
    oracle_map direction = oracle_output(call, "direction");
    land l = {call->map, cells, p->rim == TERRAIN_RIM_OPEN, NULL, NULL, NULL, NULL};
    l.code = calloc((size_t)cells, sizeof *l.code);
    l.label = calloc((size_t)cells, sizeof *l.label);
    l.water = calloc((size_t)cells, sizeof *l.water);
    l.share = calloc((size_t)cells, sizeof *l.share);
    if (p->routing == TERRAIN_ANALYZE_FLOW_ROUTING_FILL) {
        l.surface.cells = calloc((size_t)cells, sizeof *l.surface.cells);
        oracle_flood(&call->map, &l.surface, l.open, 0);
    }
    receive(&l);
    level(&l);
    if (p->routing == TERRAIN_ANALYZE_FLOW_ROUTING_CARVE) {
        carve(&l);
    }
    set_shares(&l, p);
    for (int64_t i = 0; i < cells; i++) {
        double w = weights.cells == NULL ? 1 : fmin(fmax(weights.cells[i], 0), 65536);
        w = floor(w * 65536 + 0.5) / 65536;
        if (!isnan(call->map.cells[i])) {
            send(&l, i, w);
        }
        if (direction.cells != NULL) {
            direction.cells[i] = l.code[i] < 0 ? 0 : l.code[i];
        }
    }
    for (int64_t i = 0; i < cells; i++) {
        call->result.cells[i] = l.water[i];
    }
    if (l.surface.cells != call->map.cells) {
        free(l.surface.cells);
    }
    free(l.code);
    free(l.label);
    free(l.water);
    free(l.share);
    free(weights.cells);
}

/* Numbers of cells are exact. Of shares, each is off by 2e-5 at most, and some ten follow each other. */
static const oracle_case cases[] = {
    {"direction=yes", 67, 41, 0, 0, 0},
    {"direction=yes routing=carve", 61, 70, -1000, 77, 0},
    {"direction=yes routing=carve rim=closed", 45, 63, 0, 0, 0},
    {"direction=yes routing=none", 97, 83, 0, 0, 0},
    {"routing=fill rim=closed direction=yes", 40, 66, 5, -3, 0},
    {"weights=yes routing=carve", 40, 50, 0, 0, 1e-3},
    {"method=dinf direction=yes", 40, 37, 0, 0, 0.02},
    {"method=dinf routing=none rim=closed", 50, 37, 0, 0, 0.01},
    {"method=mfd direction=yes", 23, 29, 0, 0, 0.02},
    {"method=mfd exponent=4 routing=none weights=yes", 33, 29, 0, 0, 0.05},
    {"", 1, 77, 0, 0, 0},
    {"routing=carve", 133, 1, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_flow = {"analyze_flow", compute, cases, 1.25f};
