/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "core/keys.h"
#include "oracle/border.h"
#include "oracle/lattice.h"
#include "terrain/blur.h"

typedef terrain_blur_variable_params variable_params;

/* The mean of the (2 r + 1)^2 cells around (x, y). */
static double mean(const oracle_map *map, int64_t x, int64_t y, int64_t r, terrain_border border)
{
    double sum = 0, count = 0;
    for (int64_t dy = -r; dy <= r; dy++) {
        for (int64_t dx = -r; dx <= r; dx++) {
            int64_t col = oracle_border_cell(x + dx, map->width, border);
            int64_t row = oracle_border_cell(y + dy, map->height, border);
            if (col >= 0 && row >= 0) {
                sum += *oracle_at(map, col, row);
                count++;
            }
        }
    }
    return sum / count;
}

static double radius_at(const variable_params *p, const oracle_map *amount, const oracle_map *map,
                        int64_t x, int64_t y)
{
    uint64_t stream =
        terrain__random_stream(p->seed, TERRAIN__KEY_blur_variable, TERRAIN__DRAW_VARIABLE_RADIUS);
    double a = amount->cells != NULL
                   ? *oracle_at(amount, x, y)
                   : fabs(oracle_lattice(stream, p->period, map->x + x, map->y + y));
    a = fmin(fmax(a, 0), 1);
    return fmax((double)p->radius_low, a * (double)p->radius_high);
}

static double smooth(const oracle_map *map, int64_t x, int64_t y, double radius,
                     terrain_border border)
{
    int64_t r = (int64_t)floor(radius);
    double within = mean(map, x, y, r, border);
    return within + (radius - (double)r) * (mean(map, x, y, r + 1, border) - within);
}

static double published(const oracle_map *map, int64_t x, int64_t y, double radius)
{
    int64_t r = (int64_t)floor(radius + 0.5);
    int fits = x >= r && y >= r && x + r < map->width && y + r < map->height;
    return fits ? mean(map, x, y, r, TERRAIN_BORDER_OPEN) : *oracle_at(map, x, y);
}

static void compute(oracle_call *call)
{
    const variable_params *p = call->params;
    oracle_map amount = oracle_input(call, "amount");
    for (int64_t y = 0; y < call->map.height; y++) {
        for (int64_t x = 0; x < call->map.width; x++) {
            double radius = radius_at(p, &amount, &call->map, x, y);
            *oracle_at(&call->result, x, y) = p->mode == TERRAIN_BLUR_VARIABLE_MODE_SMOOTH
                                                  ? smooth(&call->map, x, y, radius, p->border)
                                                  : published(&call->map, x, y, radius);
        }
    }
    free(amount.cells);
}

/* Radii are exact to a few units of 2^-24 of the greatest, n to some 2^-22, and a mean changes by
 * up to 20 a cell of radius; the result is rounded by 2^-20. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 6e-5},
    {"seed=7 period=9 radius_high=5.5 radius_low=0 border=mirror", 67, 41, -30, 12, 6e-5},
    {"seed=8 period=1000 radius_high=12 border=wrap", 41, 37, -30, 999, 1e-4},
    {"seed=9 period=21 radius_high=19 border=open", 23, 29, 0, -7, 1e-4},
    {"amount=yes radius_high=6.5 radius_low=0.25 border=wrap", 67, 41, 0, 0, 6e-5},
    {"amount=yes mode=published radius_low=0 radius_high=7", 67, 41, 0, 0, 3e-6},
    {"mode=published seed=3 period=17 radius_high=6", 67, 41, 5, 5, 3e-6},
    {"radius_low=3 radius_high=3", 67, 41, 0, 0, 3e-6},
    {"radius_low=2.5 radius_high=2.5 border=open", 19, 3, 0, 0, 3e-6},
    {"radius_low=64 radius_high=64 border=mirror", 5, 9, 0, 0, 3e-6},
    {"radius_low=0 radius_high=0", 67, 41, 0, 0, 0},
    /* Several strips, and more rows than a table holds. */
    {"seed=3 period=13 radius_high=9 border=mirror", 650, 90, 0, 0, 1e-4},
    {"seed=4 period=13 radius_high=9 border=wrap", 330, 140, 0, 0, 1e-4},
    {"seed=5", 67, 41, INT64_C(4611686018427387000), INT64_C(-4611686018427387000), 6e-5},
    {"border=open", 1, 40, 0, 0, 6e-5},
    {"radius_high=64 mask=yes", 1, 1, 0, 0, 3e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_blur_variable = {"blur_variable", compute, cases, 0};
