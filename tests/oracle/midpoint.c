/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/generate.h"
#include "vector/random.h"

/* Level by level over whole boxes, which are so large that what is beyond them can't matter. */

typedef struct level {
    int64_t x, y, width, height; /* points */
    double *v, *w, *h;
} level;

static size_t place(const level *l, int64_t x, int64_t y)
{
    return (size_t)((y - l->y) * l->width + (x - l->x));
}

static int inside(const level *l, int64_t x, int64_t y)
{
    return x >= l->x && x < l->x + l->width && y >= l->y && y < l->y + l->height;
}

static double weight(const level *l, int64_t x, int64_t y)
{
    return inside(l, x, y) ? l->w[place(l, x, y)] : 0;
}

static double value(const level *l, int64_t x, int64_t y)
{
    return inside(l, x, y) ? l->v[place(l, x, y)] : 0;
}

/* Beyond the box, where nothing looks that reaches the map, its nearest point. */
static double height(const level *l, int64_t x, int64_t y)
{
    x = x < l->x ? l->x : x >= l->x + l->width ? l->x + l->width - 1 : x;
    y = y < l->y ? l->y : y >= l->y + l->height ? l->y + l->height - 1 : y;
    return l->h[place(l, x, y)];
}

static double number(const terrain_generate_midpoint_params *p, int k, int64_t x, int64_t y)
{
    uint32_t draw = k == 0 ? TERRAIN__DRAW_DIAMOND_SQUARE_LATTICE
                           : TERRAIN__DRAW_DIAMOND_SQUARE_LEVEL + (uint32_t)k;
    uint64_t stream = terrain__random_stream(p->seed, TERRAIN__KEY_generate_diamond_square, draw);
    return (double)terrain__signed_float(terrain__random_cell(stream, x, y));
}

static double hold(double h, const level *l, size_t i)
{
    return l->w[i] == 1 ? l->v[i] : h + l->w[i] * (l->v[i] - h);
}

/* Weighted sums over the nine points around (x, y). */
static void sum_around(const level *l, int64_t x, int64_t y, double beside, double across,
                       double *weights, double *values)
{
    *weights = *values = 0;
    for (int64_t j = -1; j <= 1; j++) {
        for (int64_t i = -1; i <= 1; i++) {
            double q = i == 0 && j == 0 ? 1 : i == 0 || j == 0 ? beside : across;
            *weights += q * weight(l, x + i, y + j);
            *values += q * weight(l, x + i, y + j) * value(l, x + i, y + j);
        }
    }
}

/* RECURSIVE: from a copy of what was known. */
static void estimate(const terrain_generate_midpoint_params *p, level *l, int k, double a)
{
    size_t count = (size_t)(l->width * l->height);
    level old = *l;
    old.v = malloc(count * sizeof *old.v);
    old.w = malloc(count * sizeof *old.w);
    for (size_t i = 0; i < count; i++) {
        old.v[i] = l->v[i];
        old.w[i] = l->w[i];
    }
    for (int64_t y = l->y; y < l->y + l->height; y++) {
        for (int64_t x = l->x; x < l->x + l->width; x++) {
            size_t i = place(l, x, y);
            double weights, values;
            sum_around(&old, x, y, 1, sqrt(0.5), &weights, &values);
            if (old.w[i] == 0 && weights > 0) {
                l->w[i] = 1;
                l->v[i] = values / weights + a * number(p, k, x, y);
            }
        }
    }
    free(old.v);
    free(old.w);
}

static void learn(const terrain_generate_midpoint_params *p, level *l, const level *finer)
{
    for (int64_t y = l->y; y < l->y + l->height; y++) {
        for (int64_t x = l->x; x < l->x + l->width; x++) {
            size_t i = place(l, x, y);
            double weights = weight(finer, 2 * x, 2 * y);
            double values = weights * value(finer, 2 * x, 2 * y);
            if (p->mode == TERRAIN_GENERATE_MIDPOINT_MODE_PULL_PUSH) {
                sum_around(finer, 2 * x, 2 * y, 0.5, 0.25, &weights, &values);
            }
            l->w[i] = weights < 1 ? weights : 1;
            l->v[i] = weights > 0 ? values / weights : 0;
        }
    }
}

static double between(const level *above, int64_t x, int64_t y)
{
    int64_t x0 = (int64_t)floor((double)x / 2), x1 = x % 2 == 0 ? x0 : x0 + 1;
    int64_t y0 = (int64_t)floor((double)y / 2), y1 = y % 2 == 0 ? y0 : y0 + 1;
    return (height(above, x0, y0) + height(above, x1, y0) + height(above, x0, y1) +
            height(above, x1, y1)) /
           4;
}

static void relax(level *l)
{
    double *mean = malloc((size_t)(l->width * l->height) * sizeof *mean);
    for (int64_t y = l->y; y < l->y + l->height; y++) {
        for (int64_t x = l->x; x < l->x + l->width; x++) {
            double straight = height(l, x - 1, y) + height(l, x + 1, y) + height(l, x, y - 1) +
                              height(l, x, y + 1);
            double across = height(l, x - 1, y - 1) + height(l, x + 1, y - 1) +
                            height(l, x - 1, y + 1) + height(l, x + 1, y + 1);
            mean[place(l, x, y)] = 3 * straight / 16 + across / 16;
        }
    }
    free(l->h);
    l->h = mean;
}

static void descend(const terrain_generate_midpoint_params *p, level *l, const level *above, int k)
{
    double a = (double)p->amplitude * pow((double)p->gain, k);
    size_t count = (size_t)(l->width * l->height);
    for (int64_t y = l->y; y < l->y + l->height; y++) {
        for (int64_t x = l->x; x < l->x + l->width; x++) {
            size_t i = place(l, x, y);
            int taken = p->mode == TERRAIN_GENERATE_MIDPOINT_MODE_PULL_PUSH && l->w[i] > 0;
            l->h[i] = k > 0 ? between(above, x, y) : taken ? l->v[i] : (double)p->offset;
            l->h[i] = hold(l->h[i], l, i);
        }
    }
    for (uint32_t n = 0; n < p->relaxation; n++) {
        relax(l);
        for (size_t i = 0; i < count; i++) {
            l->h[i] = hold(l->h[i], l, i);
        }
    }
    for (int64_t y = l->y; y < l->y + l->height; y++) {
        for (int64_t x = l->x; x < l->x + l->width; x++) {
            size_t i = place(l, x, y);
            int old = x % 2 == 0 && y % 2 == 0 && k > 0;
            int edge = (x - y) % 2 != 0 && k > 0;
            double most = old ? 0 : edge ? a * sqrt((double)p->gain) : a;
            l->h[i] += (1 - l->w[i]) * most * number(p, k, x, y);
        }
    }
}

static void compute(oracle_call *call)
{
    const terrain_generate_midpoint_params *p = call->params;
    const oracle_map constraints = oracle_input(call, "constraints");
    level levels[16];
    int last = 0;
    while (p->spacing >> last > 1) {
        last++;
    }
    for (int k = last; k >= 0; k--) {
        level *l = &levels[k];
        int64_t s = (int64_t)(p->spacing >> k), margin = 3 * (int64_t)p->relaxation + 6;
        l->x = (int64_t)floor((double)call->result.x / (double)s) - margin;
        l->y = (int64_t)floor((double)call->result.y / (double)s) - margin;
        l->width = call->result.width / s + 2 + 2 * margin;
        l->height = call->result.height / s + 2 + 2 * margin;
        size_t count = (size_t)(l->width * l->height);
        l->v = calloc(count, sizeof *l->v);
        l->w = calloc(count, sizeof *l->w);
        l->h = calloc(count, sizeof *l->h);
        if (constraints.cells != NULL && k < last) {
            learn(p, l, &levels[k + 1]);
        }
        for (int64_t y = 0; constraints.cells != NULL && k == last && y < constraints.height; y++) {
            for (int64_t x = 0; x < constraints.width; x++) {
                double c = *oracle_at(&constraints, x, y);
                size_t i = place(l, constraints.x + x, constraints.y + y);
                l->w[i] = isfinite(c) ? 1 : 0;
                l->v[i] = isfinite(c) ? c : 0;
            }
        }
        if (constraints.cells != NULL && p->mode == TERRAIN_GENERATE_MIDPOINT_MODE_RECURSIVE) {
            estimate(p, l, k, (double)p->amplitude * pow((double)p->gain, k));
        }
    }
    for (int k = 0; k <= last; k++) {
        descend(p, &levels[k], k > 0 ? &levels[k - 1] : NULL, k);
    }
    for (int64_t y = 0; y < call->result.height; y++) {
        for (int64_t x = 0; x < call->result.width; x++) {
            *oracle_at(&call->result, x, y) =
                height(&levels[last], call->result.x + x, call->result.y + y);
        }
    }
    for (int k = 0; k <= last; k++) {
        free(levels[k].v);
        free(levels[k].w);
        free(levels[k].h);
    }
    free(constraints.cells);
}

/* A few roundings a level of heights up to about 100. */
static const oracle_case cases[] = {
    {"spacing=8 constraints=yes", 37, 21, 0, 0, 2e-5},
    {"spacing=16 constraints=yes relaxation=0 gain=0.7 seed=3", 41, 30, -13, -50, 2e-5},
    {"spacing=4 constraints=yes relaxation=5 offset=-7.5 amplitude=3", 21, 39, 7, 4, 2e-5},
    {"spacing=8 constraints=yes mode=recursive relaxation=0", 37, 21, 1000, -3, 2e-5},
    {"spacing=16 constraints=yes mode=recursive", 21, 19, -5, -6, 2e-5},
    {"spacing=8 constraints=yes mode=none relaxation=0 offset=4", 21, 19, 5, 5, 2e-5},
    {"spacing=8 constraints=yes mode=none relaxation=3", 21, 29, 5, 5, 2e-5},
    {"spacing=32 constraints=yes", 6, 5, 29, 61, 2e-5},
    {"spacing=16 relaxation=1", 21, 19, 3, -3, 2e-5},
    {"spacing=64 constraints=yes mode=recursive relaxation=1", 1, 30, 29, 61, 2e-5},
    {"spacing=1 constraints=yes", 21, 19, -5, -6, 2e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_midpoint = {"generate_midpoint", compute, cases, 0};
