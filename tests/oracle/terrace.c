/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/shape.h"

static double bias(double t, double s)
{
    return t / (s + (1 - s) * t);
}

static double gain(double u, double s)
{
    return u < 0.5 ? bias(2 * u, s) / 2 : 1 - bias(2 - 2 * u, s) / 2;
}

static double between(double h, double a, double b, double s)
{
    return a + (b - a) * gain((h - a) / (b - a), s);
}

static double terraced(double h, const terrain_shape_terrace_params *p)
{
    double s = (double)p->sharpness;
    double lifted = h - (double)p->offset;
    if (p->levels_count == 0) {
        double i = floor(lifted / (double)p->spacing);
        return between(h, (double)p->offset + i * (double)p->spacing,
                       (double)p->offset + (i + 1) * (double)p->spacing, s);
    }
    for (uint32_t i = 0; i + 1 < p->levels_count; i++) {
        double a = (double)p->levels[i], b = (double)p->levels[i + 1];
        if (lifted >= a && lifted < b) {
            return between(h, (double)p->offset + a, (double)p->offset + b, s);
        }
    }
    return h;
}

static void compute(oracle_call *call)
{
    for (int64_t i = 0; i < call->map.width * call->map.height; i++) {
        call->result.cells[i] = terraced(call->map.cells[i], call->params);
    }
}

/* Results are rounded by 2^-20; what comes before is exact to much less. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 3e-6},
    {"spacing=0.7 offset=0.11 sharpness=30", 67, 41, 5, -9, 3e-6},
    {"spacing=300 offset=-13 sharpness=1000", 67, 41, 5, -9, 3e-6},
    {"spacing=5 offset=1000 sharpness=2.5", 67, 41, 5, -9, 3e-6},
    {"sharpness=1", 67, 41, 0, 0, 3e-6},
    {"levels=-12,-3.3,-3,4,11.5,13", 67, 41, 5, -9, 3e-6},
    {"levels=0,20 offset=-6 sharpness=17", 67, 41, 5, -9, 3e-6},
    {"levels=100,200", 17, 11, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_terrace = {"shape_terrace", compute, cases, 0};
