/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/land.h"
#include "terrain/shape.h"

/* Walks a pit's line; cuts if `beds` is not NULL. Returns whether it is within the limits. */
static bool walk(const land *l, int64_t pit, const terrain_shape_breach_params *p, double *beds)
{
    double line = l->surface.cells[pit];
    uint32_t length = 0;
    for (int64_t cell = pit; l->code[cell] > 0;) {
        double fall = (double)p->slope * l->surface.cell_size;
        line -= l->code[cell] % 2 == 1 ? fall : fall * sqrt(2.0);
        cell = neighbour(l, cell, l->code[cell]);
        if (!(l->surface.cells[cell] >= line)) {
            break;
        }
        length += l->surface.cells[cell] > line;
        if (l->surface.cells[cell] - line > (double)p->most_depth ||
            (p->most_length > 0 && length > p->most_length)) {
            return false;
        }
        if (beds != NULL) {
            beds[cell] = line < beds[cell] ? line : beds[cell];
        }
    }
    return true;
}

static void compute(oracle_call *call)
{
    const terrain_shape_breach_params *p = call->params;
    const bool open = p->rim == TERRAIN_RIM_OPEN;
    oracle_map depth = oracle_output(call, "depth");
    land pits = land_of(&call->map, open, 2), l = land_of(&call->map, open, 1);
    for (int64_t i = 0; i < l.cells; i++) {
        call->result.cells[i] = call->map.cells[i];
    }
    for (int64_t i = 0; i < l.cells; i++) {
        if (pits.code[i] == 0 && walk(&l, i, p, NULL)) {
            walk(&l, i, p, call->result.cells);
        }
    }
    for (int64_t i = 0; depth.cells != NULL && i < l.cells; i++) {
        depth.cells[i] = call->map.cells[i] - call->result.cells[i];
    }
    land_free(&pits);
    land_free(&l);
}

/* Level, all but the differences is exact; with a slope, differences are rounded on the way. */
static const oracle_case cases[] = {
    {"depth=yes", 67, 41, 0, 0, 1e-6},
    {"", 80, 71, -1000, 77, 0},
    {"rim=closed", 60, 83, 0, 0, 0},
    {"slope=0.01 depth=yes", 61, 70, 5, -3, 1e-4},
    {"most_depth=3", 90, 66, 0, 0, 0},
    {"most_length=3 most_depth=9 depth=yes", 66, 90, 0, 0, 1e-6},
    {"slope=0.2 most_length=6", 66, 70, 0, 0, 1e-4},
    {"", 1, 77, 0, 0, 0},
    {"", 133, 1, 0, 0, 0},
    {"mask=yes", 40, 40, 0, 0, 3e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_shape_breach = {"shape_breach", compute, cases, 1.25f};
