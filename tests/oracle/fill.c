/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/oracle.h"
#include "terrain/shape.h"

/* The least level that the neighbours of a cell let it have. */
static double least_level(const oracle_map *filled, int64_t x, int64_t y, double rise)
{
    double least = (double)INFINITY;
    for (int64_t ny = y - 1; ny <= y + 1; ny++) {
        for (int64_t nx = x - 1; nx <= x + 1; nx++) {
            double v;
            if (nx < 0 || ny < 0 || nx >= filled->width || ny >= filled->height ||
                (nx == x && ny == y)) {
                continue;
            }
            v = *oracle_at(filled, nx, ny);
            v = isnan(v) ? (double)-INFINITY : v + rise * (nx == x || ny == y ? 1 : sqrt(2.0));
            least = v < least ? v : least;
        }
    }
    return least;
}

/* Everything but the outlets under water, which then sinks as far as it can: Planchon and Darboux,
 * A fast, simple and versatile algorithm to fill the depressions of digital elevation models,
 * Catena 46, 2002. */
static void flood(const oracle_map *map, oracle_map *filled, bool open)
{
    const int64_t cells = map->width * map->height;
    int64_t lowest = 0, outlets = 0;
    for (int64_t i = 0; i < cells; i++) {
        int64_t x = i % map->width, y = i / map->width;
        bool rim = x == 0 || y == 0 || x == map->width - 1 || y == map->height - 1;
        bool outlet = isnan(map->cells[i]) || (open && rim);
        filled->cells[i] = outlet ? map->cells[i] : (double)INFINITY;
        outlets += outlet;
        lowest = map->cells[i] < map->cells[lowest] ? i : lowest;
    }
    if (outlets == 0) {
        filled->cells[lowest] = map->cells[lowest];
    }
}

static void compute(oracle_call *call)
{
    const terrain_shape_fill_params *p = call->params;
    const int64_t cells = call->map.width * call->map.height;
    oracle_map depth = oracle_output(call, "depth");
    bool changed = true;
    flood(&call->map, &call->result, p->rim == TERRAIN_RIM_OPEN);
    while (changed) {
        changed = false;
        for (int64_t i = 0; i < cells; i++) {
            double h = call->map.cells[i];
            double v = least_level(&call->result, i % call->map.width, i / call->map.width,
                                   (double)p->slope * call->map.cell_size);
            v = v > h ? v : h;
            if (v < call->result.cells[i]) {
                call->result.cells[i] = v;
                changed = true;
            }
        }
    }
    for (int64_t i = 0; depth.cells != NULL && i < cells; i++) {
        depth.cells[i] = call->result.cells[i] - call->map.cells[i];
    }
}

/* Level, nothing is computed but differences of floats; with a slope, sums are rounded on the way. */
static const oracle_case cases[] = {
    {"depth=yes", 67, 41, 0, 0, 1e-6},
    {"", 131, 129, -1000, 77, 0},
    {"rim=closed", 97, 83, 0, 0, 0},
    {"slope=0.01 depth=yes", 61, 70, 5, -3, 2e-5},
    {"slope=0.5 rim=closed", 70, 66, 0, 0, 1e-4},
    {"slope=0.5", 1, 77, 0, 0, 2e-5},
    {"", 133, 1, 0, 0, 0},
    {"mask=yes", 40, 40, 0, 0, 3e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_fill = {"shape_fill", compute, cases, 1.25f};
