/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/oracle.h"
#include "terrain/shape.h"

static void compute(oracle_call *call)
{
    const terrain_shape_clamp_params *p = call->params;
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        double h = call->map.cells[i];
        h = h < (double)p->low ? (double)p->low : h;
        call->result.cells[i] = h > (double)p->high ? (double)p->high : h;
    }
}

static const oracle_case cases[] = {
    {"low=-3 high=2.5", 67, 41, 0, 0, 0},
    {"low=5", 67, 41, -1000, 77, 0},
    {"", 9, 9, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_clamp = {"shape_clamp", compute, cases, 0};
