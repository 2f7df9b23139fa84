/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/gradient.h"
#include "terrain/analyze.h"

static void compute(oracle_call *call)
{
    const terrain_analyze_slope_params *p = call->params;
    for (int64_t y = 0; y < call->map.height; y++) {
        for (int64_t x = 0; x < call->map.width; x++) {
            oracle_gradient g = oracle_gradient_at(&call->map, x, y);
            double slope = sqrt(g.east * g.east + g.south * g.south);
            *oracle_at(&call->result, x, y) = p->unit == TERRAIN_ANALYZE_SLOPE_UNIT_DEGREES
                                                  ? atan(slope) * 57.29577951308232
                                                  : slope;
        }
    }
}

/* Slopes reach about 20: units of 2^-24 of that; and 2e-5 degrees as the header says. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 1e-5}, {"unit=degrees", 67, 41, -9, 9, 3e-5}, {"", 1, 1, 0, 0, 0},
    {"", 1, 9, 0, 0, 1e-5},   {"unit=degrees", 9, 1, 0, 0, 3e-5},    {"", 2, 2, 0, 0, 1e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_slope = {"analyze_slope", compute, cases, 1.5f};
