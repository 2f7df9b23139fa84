/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "core/keys.h"
#include "oracle/lattice.h"
#include "oracle/oracle.h"
#include "terrain/blur.h"

typedef terrain_blur_variable_params variable_params;

/* The cell that stands for cell i, by walking to it; -1 for none. */
static int64_t cell_of(int64_t i, int64_t count, terrain_border border)
{
    while (i < 0 || i >= count) {
        switch (border) {
        case TERRAIN_BORDER_CLAMP:
            i = i < 0 ? 0 : count - 1;
            break;
        case TERRAIN_BORDER_MIRROR:
            i = i < 0 ? -1 - i : 2 * count - 1 - i;
            break;
        case TERRAIN_BORDER_WRAP:
            i += i < 0 ? count : -count;
            break;
        default:
            return -1;
        }
    }
    return i;
}

static double mean(const oracle_map *map, int64_t x, int64_t y, int64_t r, terrain_border border)
{
    double sum = 0;
    int64_t count = 0;
    for (int64_t j = y - r; j <= y + r; j++) {
        for (int64_t i = x - r; i <= x + r; i++) {
            int64_t column = cell_of(i, map->width, border), row = cell_of(j, map->height, border);
            if (column >= 0 && row >= 0) {
                sum += *oracle_at(map, column, row);
                count++;
            }
        }
    }
    return sum / (double)count;
}

static double radius_of(const oracle_call *call, const oracle_map *amount, int64_t x, int64_t y)
{
    const variable_params *p = call->params;
    uint64_t stream =
        terrain__random_stream(p->seed, TERRAIN__KEY_BLUR_VARIABLE, TERRAIN__DRAW_VARIABLE_RADIUS);
    double a = fabs(oracle_lattice(stream, p->period, call->map.x + x, call->map.y + y));
    if (amount->cells != NULL) {
        a = *oracle_at(amount, x, y);
        a = a > 0 ? a : 0;
    }
    a = a < 1 ? a : 1;
    return fmax((double)p->minimum_radius, a * (double)p->maximum_radius);
}

static void compute(oracle_call *call)
{
    const variable_params *p = call->params;
    const oracle_map *map = &call->map;
    oracle_map amount = oracle_input(call, "amount");
    for (int64_t y = 0; y < map->height; y++) {
        for (int64_t x = 0; x < map->width; x++) {
            double radius = radius_of(call, &amount, x, y);
            double *result = oracle_at(&call->result, x, y);
            if (p->form == TERRAIN_VARIABLE_PUBLISHED) {
                int64_t r = (int64_t)floor(radius + 0.5);
                bool fits = x >= r && y >= r && x + r < map->width && y + r < map->height;
                *result = fits ? mean(map, x, y, r, p->border) : *oracle_at(map, x, y);
            } else {
                int64_t r = (int64_t)floor(radius);
                double small = mean(map, x, y, r, p->border);
                double large = mean(map, x, y, r + 1, p->border);
                *result = small + (radius - (double)r) * (large - small);
            }
        }
    }
}

/* The radius is single: some units in the last place of 64 times the change from one whole radius to
 * the next. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 3e-5},
    {"minimum_radius=0 maximum_radius=5.5 seed=3 period=11", 67, 41, -1000, 77, 3e-5},
    {"minimum_radius=2.25 maximum_radius=2.25 border=mirror", 67, 41, 0, 0, 3e-5},
    {"maximum_radius=16 border=wrap period=7", 67, 41, -7, -100, 3e-5},
    {"maximum_radius=20 border=open", 67, 41, 11, 13, 3e-5},
    {"maximum_radius=12 border=open amount=yes", 31, 90, 0, 0, 3e-5},
    {"minimum_radius=0 maximum_radius=9 amount=yes border=mirror", 67, 41, 0, 0, 3e-5},
    {"form=published", 67, 41, 0, 0, 3e-6},
    {"form=published minimum_radius=0 maximum_radius=6 seed=5 period=19", 67, 41, -31, 50, 3e-6},
    {"maximum_radius=30 border=wrap", 9, 5, 0, 0, 3e-5},
    {"minimum_radius=0 maximum_radius=0", 9, 5, 0, 0, 0},
    {"border=open", 1, 40, 0, 0, 3e-5},
    {"maximum_radius=64", 1, 1, 0, 0, 3e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_blur_variable = {"blur_variable", compute, cases, 0};
