/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/oracle.h"
#include "terrain/analyze.h"

static void compute(oracle_call *call)
{
    const terrain_analyze_band_params *p = call->params;
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        double h = call->map.cells[i], d = 0, t;
        d = h < (double)p->low ? (double)p->low - h : d;
        d = h > (double)p->high ? h - (double)p->high : d;
        t = d == 0 ? 0 : d >= (double)p->falloff ? 1 : d / (double)p->falloff;
        call->result.cells[i] = 1 - (3 * t * t - 2 * t * t * t);
    }
}

static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 1e-6},
    {"low=-3 high=2.5 falloff=7", 67, 41, -1000, 77, 1e-6},
    {"low=-5 high=5 falloff=0", 67, 41, 0, 0, 0},
    {"low=1 high=1 falloff=0.75", 1, 9, 0, 0, 1e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_band = {"analyze_band", compute, cases, 0};
