/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/shape.h"

static double cut(double h, double a, double b)
{
    return fmin(fmax(h, fmin(a, b)), fmax(a, b));
}

static void compute(oracle_call *call)
{
    const terrain_shape_remap_params *p = call->params;
    const oracle_map *map = &call->map;
    int64_t count = map->width * map->height;
    double from_low = (double)p->from_low;
    double from_high = (double)p->from_high;
    double to_low = (double)p->to_low;
    double to_high = (double)p->to_high;
    if (p->mode == TERRAIN_SHAPE_REMAP_MODE_FOUND) {
        from_low = (double)INFINITY;
        from_high = -(double)INFINITY;
        for (int64_t i = 0; i < count; i++) {
            from_low = fmin(from_low, map->cells[i]);
            from_high = fmax(from_high, map->cells[i]);
        }
    }
    for (int64_t i = 0; i < count; i++) {
        double share =
            from_high == from_low ? 0 : (map->cells[i] - from_low) / (from_high - from_low);
        double h = to_low + share * (to_high - to_low);
        call->result.cells[i] =
            p->clamp || p->mode == TERRAIN_SHAPE_REMAP_MODE_FOUND ? cut(h, to_low, to_high) : h;
    }
}

/* Three roundings of numbers up to the result's size: a few units of 2^-24 of it. */
static const oracle_case cases[] = {
    {"from_low=-20 from_high=20 to_low=0 to_high=100", 67, 41, 0, 0, 3e-5},
    {"from_low=-5 from_high=5 to_low=1 to_high=-1 clamp=1", 67, 41, -99, 12, 3e-7},
    {"from_low=3 from_high=-3 to_low=10 to_high=20", 31, 17, 0, 0, 1e-5},
    {"mode=found to_low=-1 to_high=2", 67, 41, 5, 7, 5e-7},
    {"mode=found to_low=50 to_high=0", 1, 1, 5, 7, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_remap = {"shape_remap", compute, cases, 0};
