/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>

#include "oracle/gradient.h"
#include "terrain/analyze.h"

static void put(oracle_map *map, int64_t x, int64_t y, double value)
{
    if (map->cells != NULL) {
        *oracle_at(map, x, y) = value;
    }
}

static void compute(oracle_call *call)
{
    oracle_map south = oracle_output(call, "normal_y");
    oracle_map up = oracle_output(call, "normal_z");
    for (int64_t y = 0; y < call->map.height; y++) {
        for (int64_t x = 0; x < call->map.width; x++) {
            oracle_gradient g = oracle_gradient_at(&call->map, x, y);
            double z = 1 / sqrt(1 + g.east * g.east + g.south * g.south);
            put(&call->result, x, y, -g.east * z);
            put(&south, x, y, -g.south * z);
            put(&up, x, y, z);
        }
    }
}

static const oracle_case cases[] = {
    {"normal_y=yes normal_z=yes", 67, 41, 0, 0, 1e-6},
    {"normal_z=yes", 67, 41, 0, 0, 1e-6},
    {"", 67, 41, 0, 0, 1e-6},
    {"normal_y=yes normal_z=yes", 1, 1, 0, 0, 0},
    {"normal_y=yes normal_z=yes", 3, 1, 0, 0, 1e-6},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_normals = {"analyze_normals", compute, cases, 2.5f};
