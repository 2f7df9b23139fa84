/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/generate.h"

typedef terrain_generate_radial_params radial_params;

static double height_at(const radial_params *p, int64_t x, int64_t y)
{
    double dx = fabs((double)(x - p->centre_x));
    double dy = fabs((double)(y - p->centre_y));
    double d = p->shape == TERRAIN_RADIAL_CIRCLE   ? hypot(dx, dy)
               : p->shape == TERRAIN_RADIAL_SQUARE ? fmax(dx, dy)
                                                   : dx + dy;
    double t = ((double)p->radius - d) / ((double)p->radius - (double)p->inner);
    double f = t = fmin(fmax(t, 0), 1);
    if (p->curve == TERRAIN_RADIAL_SMOOTH) {
        f = t * t * (3 - 2 * t);
    } else if (p->curve == TERRAIN_RADIAL_PARABOLA) {
        f = t * (2 - t);
    } else if (p->curve == TERRAIN_RADIAL_DOME) {
        f = sqrt(t * (2 - t));
    }
    return (double)p->offset + (double)p->amplitude * f;
}

static void compute(oracle_call *call)
{
    for (int64_t y = 0; y < call->result.height; y++) {
        for (int64_t x = 0; x < call->result.width; x++) {
            *oracle_at(&call->result, x, y) =
                height_at(call->params, call->result.x + x, call->result.y + y);
        }
    }
}

/* t is exact to 2^-22 radius / (radius - inner); the dome is upright at its foot, where the error's root
 * counts. */
static const oracle_case cases[] = {
    {"", 67, 41, 100, 200, 1e-4},
    {"centre_x=20 centre_y=-5 radius=31.5 inner=7 offset=-3", 67, 41, -10, -20, 1e-4},
    {"centre_x=0 centre_y=0 radius=30 curve=linear shape=square", 67, 41, -33, -20, 1e-4},
    {"centre_x=0 centre_y=0 radius=30 curve=parabola shape=diamond", 67, 41, -33, -20, 1e-4},
    {"centre_x=0 centre_y=0 radius=30 curve=dome amplitude=-50", 67, 41, -33, -20, 2e-2},
    {"centre_x=1099511627776 centre_y=-3 radius=60 inner=30", 67, 41, 1099511627730, -30, 1e-4},
    {"", 1, 1, 250, 250, 1e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_generate_radial = {"generate_radial", compute, cases, 0};
