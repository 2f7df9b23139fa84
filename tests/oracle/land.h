/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Where water goes, by the definition of terrain_analyze_flow, for all oracles that follow
 * water. */

#ifndef ORACLE_LAND_H
#define ORACLE_LAND_H

#include <stdlib.h>

#include "oracle/flood.h"

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
static inline int64_t neighbour(const land *l, int64_t cell, int d)
{
    int64_t x = cell % l->surface.width + east[d], y = cell / l->surface.width + south[d];
    bool inside = x >= 0 && y >= 0 && x < l->surface.width && y < l->surface.height;
    return inside ? y * l->surface.width + x : -1;
}

/* The slopes that decide between ways are floats: see the header. */
static inline double slope_to(const land *l, int64_t cell, int d)
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

static inline void receive(land *l)
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

static inline bool is_level(const land *l, int64_t a, int64_t b)
{
    return b >= 0 && l->surface.cells[a] == l->surface.cells[b];
}

/* Steps from each cell of level ground, by looking at all cells until nothing changes. Cells in
 * `from` have 0 steps. */
static inline void spread(land *l, int64_t *steps)
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

static inline void level(land *l)
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

/* ---- Carving: the least spanning tree by Kruskal's method ------------------------------------ */

typedef struct pass {
    double height;
    int64_t first, second;
    int side;
    bool taken;
} pass;

static inline int compare(const void *a, const void *b)
{
    const pass *p = a, *q = b;
    if (p->height != q->height) {
        return p->height < q->height ? -1 : 1;
    }
    return p->first != q->first ? (p->first < q->first ? -1 : 1) : p->side - q->side;
}

static inline int64_t pit_of(const land *l, int64_t cell)
{
    while (l->code[cell] > 0) {
        cell = neighbour(l, cell, l->code[cell]);
    }
    return l->code[cell] < 0 ? -1 : cell;
}

static inline int64_t find(const int64_t *links, int64_t basin)
{
    while (links[basin + 1] != basin) {
        basin = links[basin + 1];
    }
    return basin;
}

static inline void turn_round(land *l, int64_t from, int64_t to)
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

static inline size_t collect(const land *l, pass *passes)
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

static inline void carve(land *l)
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

/* ---- All of it ------------------------------------------------------------------------------- */

/* routing: 0 fills, 1 carves, 2 leaves hollows. */
static inline land land_of(const oracle_map *map, bool open, uint32_t routing)
{
    const int64_t cells = map->width * map->height;
    land l = {*map, cells, open, NULL, NULL, NULL, NULL};
    l.code = calloc((size_t)cells, sizeof *l.code);
    l.label = calloc((size_t)cells, sizeof *l.label);
    l.water = calloc((size_t)cells, sizeof *l.water);
    l.share = calloc((size_t)cells, sizeof *l.share);
    l.surface.cells = calloc((size_t)cells, sizeof *l.surface.cells);
    for (int64_t i = 0; i < cells; i++) {
        l.surface.cells[i] = map->cells[i];
    }
    if (routing == 0) {
        oracle_flood(map, &l.surface, open, 0);
    }
    receive(&l);
    level(&l);
    if (routing == 1) {
        carve(&l);
    }
    return l;
}

static inline void land_free(land *l)
{
    free(l->surface.cells);
    free(l->code);
    free(l->label);
    free(l->water);
    free(l->share);
}

/* Along known rivers: to the lower neighbour with the most water. */
static inline void follow(land *l, const oracle_map *discharge)
{
    for (int64_t i = 0; i < l->cells; i++) {
        double most = -1;
        l->code[i] = l->code[i] < 0 ? -1 : 0;
        for (int d = 1; d <= 8 && l->code[i] >= 0; d++) {
            int64_t next = neighbour(l, i, d);
            double w = next < 0 ? -1 : fmax(discharge->cells[next], 0);
            if (next >= 0 && !(l->surface.cells[next] >= l->surface.cells[i]) && w > most) {
                most = w;
                l->code[i] = d;
            }
        }
    }
}

/* Where there is a river, there is one from here on. */
static inline void run_on(land *l, double least)
{
    for (int64_t i = 0; i < l->cells; i++) {
        for (int64_t c = i; l->water[i] >= least && l->code[c] > 0;) {
            c = neighbour(l, c, l->code[c]);
            l->water[c] = fmax(l->water[c], least);
        }
    }
}

#endif
