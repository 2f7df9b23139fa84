/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <float.h>
#include <math.h>
#include <string.h>

#include "oracle/oracle.h"
#include "terrain/erode.h"

/* The turn of the cell at (x, y). Heights and their difference are floats, here too: where heights
 * are almost equal, each decision hangs on that. */
static void turn(oracle_map *map, int64_t x, int64_t y, double talus)
{
    static const int order[4][2] = {{0, -1}, {-1, 0}, {1, 0}, {0, 1}};
    double *cell = oracle_at(map, x, y);
    double *lowest = NULL;
    for (int n = 0; n < 4; n++) {
        int64_t col = x + order[n][0], row = y + order[n][1];
        if (col >= 0 && row >= 0 && col < map->width && row < map->height) {
            double *neighbour = oracle_at(map, col, row);
            lowest = lowest == NULL || *neighbour < *lowest ? neighbour : lowest;
        }
    }
    if (lowest != NULL && *lowest < *cell && *cell - *lowest <= talus) {
        double half = (double)(float)(*cell - *lowest) / 2;
        *cell = (double)(float)(*cell - half);
        *lowest = (double)(float)(*lowest + half);
    }
}

static void turns(oracle_map *map, int64_t colour, double talus)
{
    for (int64_t y = 0; y < map->height; y++) {
        for (int64_t x = 0; x < map->width; x++) {
            int64_t remainder = ((map->x + x) % 5 + 2 * ((map->y + y) % 5)) % 5;
            if ((remainder + 5) % 5 == colour) {
                turn(map, x, y, talus);
            }
        }
    }
}

static void compute(oracle_call *call)
{
    static const int64_t orders[2][5] = {{0, 1, 3, 2, 4}, {4, 2, 3, 1, 0}};
    const terrain_erode_flatten_params *p = call->params;
    oracle_map *map = &call->map;
    double talus = fmin((double)(float)((double)p->talus * map->cell_size), (double)FLT_MAX);
    for (uint32_t i = 0; i < p->iterations; i++) {
        for (int k = 0; k < 5; k++) {
            if (!(i == 0 && k == 0) && !(i + 1 == p->iterations && k == 4)) {
                turns(map, orders[i % 2][k], talus);
            }
        }
    }
    memcpy(call->result.cells, map->cells, (size_t)(map->width * map->height) * sizeof *map->cells);
}

static const oracle_case cases[] = {
    {"iterations=1", 67, 41, 0, 0, 0},
    {"iterations=2 talus=5", 67, 41, 0, 0, 0},
    {"iterations=3 talus=0.3", 67, 41, -33, -18, 0},
    {"iterations=128", 67, 41, 0, 0, 0},
    {"iterations=31 talus=1.3", 130, 140, INT64_C(4611686018427387001),
     INT64_C(-4611686018427387002), 0},
    {"iterations=6 talus=100", 1, 33, 2, 4, 0},
    {"iterations=6 talus=100", 33, 1, -3, 1, 0},
    {"iterations=4 talus=100", 2, 2, 3, 3, 0},
    {"iterations=50 talus=0", 17, 19, 0, 0, 0},
    {"iterations=0", 5, 5, 0, 0, 0},
    {"iterations=3 mask=yes", 23, 19, 0, 0, 4e-6},
    {"iterations=9", 1, 1, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_flatten = {"erode_flatten", compute, cases, 1.25f};
