/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/gradient.h"
#include "terrain/analyze.h"

/* The cosine of the angle between the surface's normal and the direction to the light. */
static void compute(oracle_call *call)
{
    const terrain_analyze_hillshade_params *p = call->params;
    const double degree = 0.017453292519943295;
    double azimuth = (double)p->azimuth * degree;
    double altitude = (double)p->altitude * degree;
    double light_east = sin(azimuth) * cos(altitude);
    double light_south = -cos(azimuth) * cos(altitude);
    double light_up = sin(altitude);
    for (int64_t y = 0; y < call->map.height; y++) {
        for (int64_t x = 0; x < call->map.width; x++) {
            oracle_gradient g = oracle_gradient_at(&call->map, x, y);
            double e = (double)p->exaggeration * g.east;
            double s = (double)p->exaggeration * g.south;
            double dot = -e * light_east - s * light_south + light_up;
            *oracle_at(&call->result, x, y) = fmax(0, dot / sqrt(1 + e * e + s * s));
        }
    }
}

static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 2e-6},
    {"azimuth=17.5 altitude=80 exaggeration=0.25", 67, 41, 0, 0, 2e-6},
    {"azimuth=-100 altitude=5 exaggeration=3", 67, 41, 0, 0, 2e-6},
    {"altitude=90", 5, 1, 0, 0, 2e-6},
    {"", 1, 1, 0, 0, 2e-7},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_hillshade = {"analyze_hillshade", compute, cases, 1.5f};
