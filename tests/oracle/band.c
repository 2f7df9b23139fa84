/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/analyze.h"

/* How far h is from the range, 0 within it. */
static double distance(double h, const terrain_analyze_band_params *p)
{
    if (h >= (double)p->low && h <= (double)p->high) {
        return 0;
    }
    return h < (double)p->low ? (double)p->low - h : h - (double)p->high;
}

static void compute(oracle_call *call)
{
    const terrain_analyze_band_params *p = call->params;
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        double d = distance(call->map.cells[i], p);
        double t = p->falloff > 0 ? d / (double)p->falloff : 1;
        call->result.cells[i] = d == 0 ? 1 : t >= 1 ? 0 : 1 - (3 * t * t - 2 * t * t * t);
    }
}

/* Heights, limits and falloff below 64 are rounded by 2^-19 at most, the slope of the fade is 1.5 /
 * falloff, and the fade itself rounds by 2^-23 or so. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 4e-7},
    {"low=-3.7 high=2.2 falloff=0.3", 67, 41, 0, 0, 4e-6},
    {"low=-3.7 high=-3.7 falloff=11", 37, 19, 9, -300, 4e-7},
    {"low=-inf high=-2 falloff=7.1", 67, 41, -33, 2, 4e-7},
    {"low=-1.5 high=1.5 falloff=0", 67, 41, 0, 0, 0},
    {"low=-inf", 33, 17, 0, 0, 0},
    {"low=-5 high=5 falloff=1e30", 33, 17, 0, 0, 4e-7},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_band = {"analyze_band", compute, cases, 0};
