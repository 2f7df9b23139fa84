/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/shape.h"

static double profile(double t, double sharpness)
{
    return t / (sharpness + (1 - sharpness) * t);
}

static void compute(oracle_call *call)
{
    const terrain_shape_terrace_params *p = call->params;
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        double h = call->map.cells[i], s = (double)p->sharpness, w;
        double a = (double)p->offset +
                   (double)p->spacing * floor((h - (double)p->offset) / (double)p->spacing);
        double b = a + (double)p->spacing;
        for (uint32_t k = 0; k < p->levels_count; k++) {
            double level = (double)p->levels[k] + (double)p->offset;
            a = k == 0 || h >= level ? level : a;
            b = k == 0 || h >= b ? level : b;
        }
        double u = (h - a) / (b - a);
        w = u < 0.5 ? profile(2 * u, s) / 2 : 1 - profile(2 - 2 * u, s) / 2;
        call->result.cells[i] = h < a || h >= b ? h : a + (b - a) * w;
    }
}

static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 3e-6},
    {"spacing=3.25 offset=-1.5 sharpness=30", 67, 41, 5, -7, 3e-6},
    {"levels=-10,-9,0.5,7,12 offset=0.25", 67, 41, 0, 0, 3e-6},
    {"levels=1,2 sharpness=1000", 67, 41, 0, 0, 3e-6},
    {"sharpness=1", 1, 9, 0, 0, 3e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_terrace = {"shape_terrace", compute, cases, 0};
