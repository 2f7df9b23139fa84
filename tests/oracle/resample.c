/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/shape.h"

/* One axis: the cells that a position reads, and their weights. */
typedef struct {
    int64_t first;
    int count;
    double weights[64];
} taps;

static void add(taps *t, int64_t cell, double weight)
{
    t->weights[cell - t->first] += weight;
}

/* The mean over [position - half, position + half] of the surface that is linear between cells:
 * from each piece of it, between c and c + 1, the length covered times the height in the middle of
 * that. */
static void take_area(taps *t, double position, double half)
{
    t->first = (int64_t)floor(position - half);
    for (int64_t c = t->first; (double)c < position + half; c++) {
        double from = fmax((double)c, position - half);
        double to = fmin((double)c + 1, position + half);
        double middle = (from + to) / 2 - (double)c;
        add(t, c, (to - from) * (1 - middle) / (2 * half));
        add(t, c + 1, (to - from) * middle / (2 * half));
        t->count = (int)(c + 2 - t->first);
    }
}

static taps taps_at(double position, double step, terrain_shape_resample_filter filter)
{
    taps t = {0, 4, {0}};
    int64_t c = (int64_t)floor(position);
    double f = position - (double)c;
    t.first = c - 1;
    if (filter == TERRAIN_SHAPE_RESAMPLE_FILTER_NEAREST) {
        add(&t, f < 0.5 ? c : c + 1, 1);
    } else if (filter == TERRAIN_SHAPE_RESAMPLE_FILTER_BILINEAR ||
               (filter == TERRAIN_SHAPE_RESAMPLE_FILTER_AREA && step <= 1)) {
        add(&t, c, 1 - f);
        add(&t, c + 1, f);
    } else if (filter == TERRAIN_SHAPE_RESAMPLE_FILTER_BICUBIC) {
        double before = (-f + 2 * f * f - f * f * f) / 2;
        double after = (f + 4 * f * f - 3 * f * f * f) / 2;
        double beyond = (-f * f + f * f * f) / 2;
        add(&t, c - 1, before);
        add(&t, c, 1 - before - after - beyond);
        add(&t, c + 1, after);
        add(&t, c + 2, beyond);
    } else {
        t.count = 0;
        take_area(&t, position, step / 2);
    }
    return t;
}

static double height(const oracle_map *map, int64_t x, int64_t y)
{
    int64_t col = x - map->x < 0 ? 0 : x - map->x >= map->width ? map->width - 1 : x - map->x;
    int64_t row = y - map->y < 0 ? 0 : y - map->y >= map->height ? map->height - 1 : y - map->y;
    return *oracle_at(map, col, row);
}

static void compute(oracle_call *call)
{
    const terrain_shape_resample_params *p = call->params;
    double step = (double)p->step;
    for (int64_t y = 0; y < call->result.height; y++) {
        taps down = taps_at((double)(call->result.y + y) * step, step, p->filter);
        for (int64_t x = 0; x < call->result.width; x++) {
            taps across = taps_at((double)(call->result.x + x) * step, step, p->filter);
            double sum = 0;
            for (int j = 0; j < down.count; j++) {
                for (int i = 0; i < across.count; i++) {
                    double weight = down.weights[j] * across.weights[i];
                    sum += weight == 0
                               ? 0
                               : weight * height(&call->map, across.first + i, down.first + j);
                }
            }
            *oracle_at(&call->result, x, y) = sum;
        }
    }
}

/* Weights and products rounded to float: some units of 2^-24 of 21, more for the larger mean. */
static const oracle_case cases[] = {
    {"", 31, 17, 4, -7, 0},
    {"filter=nearest step=0.3125", 31, 17, 0, 0, 0},
    {"filter=nearest step=2.5", 31, 17, -40, 9, 0},
    {"filter=bilinear step=0.3", 31, 17, -40, 9, 1e-5},
    {"filter=bicubic step=0.7", 31, 17, -40, 9, 2e-5},
    {"filter=bicubic step=1.75", 67, 41, 1000, -1000, 2e-5},
    {"filter=area step=0.4", 31, 17, 3, 3, 1e-5},
    {"filter=area step=2", 67, 41, -9, 4, 2e-6},
    {"filter=area step=1.5", 67, 41, -9, 4, 2e-5},
    {"filter=area step=3", 67, 41, 0, 0, 2e-5},
    {"filter=area step=7.3", 67, 41, -1000, 77, 2e-5},
    {"filter=area step=8", 131, 67, 5, -3, 2e-5},
    {"filter=area step=20.7", 131, 67, -1000, 77, 2e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_resample = {"shape_resample", compute, cases, 0};
