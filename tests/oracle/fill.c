/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/flood.h"
#include "terrain/shape.h"

static void compute(oracle_call *call)
{
    const terrain_shape_fill_params *p = call->params;
    const int64_t cells = call->map.width * call->map.height;
    oracle_map depth = oracle_output(call, "depth");
    oracle_flood(&call->map, &call->result, p->rim == TERRAIN_RIM_OPEN,
                 (double)p->slope * call->map.cell_size);
    for (int64_t i = 0; depth.cells != NULL && i < cells; i++) {
        depth.cells[i] = call->result.cells[i] - call->map.cells[i];
    }
}

/* Level, nothing is computed but differences of floats; with a slope, sums are rounded on the
 * way. */
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
