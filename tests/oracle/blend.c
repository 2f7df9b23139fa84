/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "oracle/oracle.h"
#include "terrain/combine.h"

static double blended(double a, double b, const terrain_combine_blend_params *p)
{
    double near = fmax(0, (double)p->radius - fabs(a - b));
    double bulge = p->radius > 0 ? near * near / (4 * (double)p->radius) : 0;
    switch (p->mode) {
    case TERRAIN_COMBINE_BLEND_MODE_ADD:
        return a + b;
    case TERRAIN_COMBINE_BLEND_MODE_SUBTRACT:
        return a - b;
    case TERRAIN_COMBINE_BLEND_MODE_MULTIPLY:
        return a * b;
    case TERRAIN_COMBINE_BLEND_MODE_LERP:
        return b;
    case TERRAIN_COMBINE_BLEND_MODE_MINIMUM:
        return fmin(a, b);
    case TERRAIN_COMBINE_BLEND_MODE_MAXIMUM:
        return fmax(a, b);
    case TERRAIN_COMBINE_BLEND_MODE_SMOOTH_MINIMUM:
        return fmin(a, b) - bulge;
    default:
        return fmax(a, b) + bulge;
    }
}

static void compute(oracle_call *call)
{
    const terrain_combine_blend_params *p = call->params;
    oracle_map mask = oracle_input(call, "mask");
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        double a = call->map.cells[i];
        double mixed = a + (double)p->weight * (blended(a, call->other.cells[i], p) - a);
        double m = mask.cells != NULL ? fmin(fmax(mask.cells[i], 0), 1) : 1;
        call->result.cells[i] = a + m * (mixed - a);
    }
    free(mask.cells);
}

static const oracle_case cases[] = {
    {"", 37, 19, 0, 0, 0},
    {"mode=add", 37, 19, 0, 0, 5e-6},
    {"mode=subtract weight=0.25", 37, 19, 0, 0, 1e-5},
    {"mode=multiply weight=0.7", 37, 19, 0, 0, 1e-4},
    {"mode=lerp weight=0.3", 37, 19, 0, 0, 1e-5},
    {"mode=minimum", 37, 19, 0, 0, 0},
    {"mode=maximum weight=0.5", 37, 19, 0, 0, 1e-5},
    {"mode=smooth_minimum radius=5", 37, 19, 0, 0, 1e-5},
    {"mode=smooth_maximum", 37, 19, 0, 0, 1e-5},
    {"mode=smooth_maximum radius=0", 37, 19, 0, 0, 0},
    {"mode=lerp weight=0.8 mask=yes", 37, 19, 0, 0, 1e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_combine_blend = {"combine_blend", compute, cases, 0};
