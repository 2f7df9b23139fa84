/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/generate.h"

/* |a - b|, which need not fit an int64. */
static double apart(int64_t a, int64_t b)
{
    return (double)(a > b ? (uint64_t)a - (uint64_t)b : (uint64_t)b - (uint64_t)a);
}

static double distance(terrain_metric shape, double dx, double dy)
{
    switch (shape) {
    case TERRAIN_METRIC_EUCLIDEAN:
        return sqrt(dx * dx + dy * dy);
    case TERRAIN_METRIC_CHEBYSHEV:
        return fmax(dx, dy);
    default:
        return dx + dy;
    }
}

static double curve(terrain_generate_radial_curve kind, double t)
{
    switch (kind) {
    case TERRAIN_GENERATE_RADIAL_CURVE_LINEAR:
        return t;
    case TERRAIN_GENERATE_RADIAL_CURVE_SMOOTH:
        return t * t * (3 - 2 * t);
    case TERRAIN_GENERATE_RADIAL_CURVE_PARABOLA:
        return t * (2 - t);
    default:
        return sqrt(t * (2 - t));
    }
}

static void compute(oracle_call *call)
{
    const terrain_generate_radial_params *p = call->params;
    double wide = (double)p->radius - (double)p->inner;
    for (int64_t y = 0; y < call->result.height; y++) {
        for (int64_t x = 0; x < call->result.width; x++) {
            double d = distance(p->metric, apart(call->result.x + x, p->centre_x),
                                apart(call->result.y + y, p->centre_y));
            double t = fmin(fmax(((double)p->radius - d) / wide, 0), 1);
            *oracle_at(&call->result, x, y) =
                (double)p->offset + (double)p->amplitude * curve(p->curve, t);
        }
    }
}

/* t is exact to 2^-22 radius / (radius - inner), and the curves' slopes are at most 2, but for that
 * of DOME, which is 1 / sqrt(2 t): at the nearest cell to the rim about 10. */
static const oracle_case cases[] = {
    {"", 67, 41, 200, 230, 6e-5},
    {"radius=40", 97, 91, 210, 215, 6e-5},
    {"radius=40.3 inner=11.7 metric=chebyshev", 97, 91, 210, 215, 6e-5},
    {"radius=33 inner=5 metric=manhattan curve=linear centre_x=3 centre_y=-4", 91, 97, -40, -50,
     5e-5},
    {"radius=29.5 inner=29 curve=parabola centre_x=3 centre_y=-4", 91, 97, -40, -50, 4e-3},
    {"radius=45.25 curve=dome offset=-7 amplitude=-20", 97, 91, 210, 215, 1e-4},
    {"radius=1", 7, 7, 253, 253, 6e-5},
    {"radius=30 centre_x=4611686018427387904 centre_y=-4611686018427387904", 67, 67,
     INT64_C(4611686018427387904) - 67, INT64_C(-4611686018427387904), 6e-5},
    {"radius=16777216 centre_x=4611686018427387904 curve=linear", 9, 7,
     INT64_C(4611686018427387904) - 8388608, 256, 6e-5},
    {"centre_x=4611686018427387904", 9, 7, INT64_C(-4611686018427387904), 256, 0},
    {"centre_y=-4611686018427387904 offset=3", 9, 7, 256, INT64_C(4611686018427387000), 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_radial = {"generate_radial", compute, cases, 0};
