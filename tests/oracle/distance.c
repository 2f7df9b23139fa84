/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/analyze.h"

/* The square of the way to the nearest cell in the range, at most reach * reach: looks at all
 * cells. */
static double square_at(const oracle_map *map, int64_t x, int64_t y,
                        const terrain_analyze_distance_params *p)
{
    double least = (double)p->reach * p->reach;
    for (int64_t i = 0; i < map->width * map->height; i++) {
        double dx = (double)(i % map->width - x);
        double dy = (double)(i / map->width - y);
        double h = map->cells[i];
        if (h >= (double)p->low && h <= (double)p->high) {
            least = fmin(least, dx * dx + dy * dy);
        }
    }
    return least;
}

static void compute(oracle_call *call)
{
    const terrain_analyze_distance_params *p = call->params;
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        double root = sqrt(square_at(&call->map, i % call->map.width, i / call->map.width, p));
        double t = root / p->reach;
        call->result.cells[i] = p->mode == TERRAIN_ANALYZE_DISTANCE_MODE_MASK
                                    ? 1 - (3 * t * t - 2 * t * t * t)
                                    : root * call->map.cell_size;
    }
}

/* Test heights are within +-21; few are above 15. Lengths are rounded twice. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 2e-6},
    {"low=14 high=15 reach=20", 97, 83, -1000, 77, 6e-6},
    {"low=19.5 high=inf reach=4095", 131, 61, 0, 0, 3e-5},
    {"low=16 high=inf reach=40 mode=mask", 161, 70, 5, -3, 4e-7},
    {"low=18 high=30 reach=6 mode=mask", 41, 97, 0, 0, 4e-7},
    {"low=9 high=12", 1, 77, 0, 0, 1e-5},
    {"low=9 high=12", 133, 1, 0, 0, 1e-5},
    {"low=1000 high=inf reach=3", 9, 9, 0, 0, 0},
    {"low=12 high=13 reach=1 mode=mask", 35, 33, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_distance = {"analyze_distance", compute, cases, 1.25f};
