/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/keys.h"
#include "core/random.h"
#include "oracle/oracle.h"
#include "terrain/erode.h"

typedef terrain_erode_shear_params shear_params;

static int64_t floor_div(int64_t a, int64_t b)
{
    return a / b - (a % b < 0);
}

struct found {
    int64_t x, y;
    uint32_t steps;
};

static const int around[8][2] = {{-1, -1}, {0, -1}, {1, -1}, {-1, 0},
                                 {1, 0},   {-1, 1}, {0, 1},  {1, 1}};

static bool is_found(const struct found *found, uint32_t count, int64_t x, int64_t y)
{
    for (uint32_t i = 0; i < count; i++) {
        if (found[i].x == x && found[i].y == y) {
            return true;
        }
    }
    return false;
}

static uint32_t lower_than(const oracle_map *map, const struct found *cell, int lower[8])
{
    uint32_t count = 0;
    for (int k = 0; k < 8; k++) {
        int64_t x = cell->x + around[k][0];
        int64_t y = cell->y + around[k][1];
        bool inside = x >= 0 && y >= 0 && x < map->width && y < map->height;
        if (inside && *oracle_at(map, x, y) < *oracle_at(map, cell->x, cell->y)) {
            lower[count++] = k;
        }
    }
    return count;
}

static void drop(const oracle_map *map, double *next, const shear_params *p, uint64_t d,
                 struct found start)
{
    struct found *found = calloc(p->visits, sizeof *found);
    double level = *oracle_at(map, start.x, start.y) - (double)p->strength;
    double lowest = INFINITY;
    uint32_t count = 1;
    found[0] = start;
    for (uint32_t n = 0; n < count; n++) {
        double h = *oracle_at(map, found[n].x, found[n].y);
        int lower[8];
        uint32_t lower_count = lower_than(map, &found[n], lower);
        uint64_t random = terrain__mix(d, n + 1);
        lowest = fmin(lowest, h);
        for (uint32_t k = 0; k < p->rivulets && lower_count > 0; k++) {
            uint32_t byte = (uint32_t)(random >> 8 * k) & 0xFF;
            int to = lower[byte * lower_count / 256];
            struct found cell = {found[n].x + around[to][0], found[n].y + around[to][1],
                                 found[n].steps + 1};
            if (h > level && found[n].steps < p->reach && count < p->visits &&
                !is_found(found, count, cell.x, cell.y)) {
                found[count++] = cell;
            }
        }
    }
    level = p->mode == TERRAIN_SHEAR_DRAINED ? fmax(level, lowest) : level;
    for (uint32_t n = 0; n < count; n++) {
        double *cell = &next[found[n].y * map->width + found[n].x];
        *cell = fmin(*cell, level);
    }
    free(found);
}

static void compute(oracle_call *call)
{
    const shear_params *p = call->params;
    oracle_map *map = &call->map;
    size_t bytes = (size_t)(map->width * map->height) * sizeof(double);
    uint64_t counts = terrain__random_stream(p->seed, TERRAIN__KEY_ERODE_SHEAR, 0);
    uint64_t drops = terrain__random_stream(p->seed, TERRAIN__KEY_ERODE_SHEAR, 1);
    double *next = malloc(bytes);
    for (uint32_t batch = 0; batch < p->batches; batch++) {
        memcpy(next, map->cells, bytes);
        for (int64_t by = floor_div(map->y, 16); by * 16 < map->y + map->height; by++) {
            for (int64_t bx = floor_div(map->x, 16); bx * 16 < map->x + map->width; bx++) {
                double u = (double)terrain__unit_float(terrain__random_cell(counts, bx, by));
                uint32_t count = (uint32_t)floor(256 * (double)p->density + u);
                for (uint32_t i = batch; i < count; i += p->batches) {
                    uint64_t block = terrain__mix(terrain__mix(drops, (uint64_t)by), (uint64_t)bx);
                    uint64_t d = terrain__mix(block, i);
                    uint64_t place = terrain__mix(d, 0);
                    struct found start = {bx * 16 + (int64_t)(place % 16) - map->x,
                                          by * 16 + (int64_t)(place / 16 % 16) - map->y, 0};
                    if (start.x >= 0 && start.y >= 0 && start.x < map->width &&
                        start.y < map->height) {
                        drop(map, next, p, d, start);
                    }
                }
            }
        }
        memcpy(map->cells, next, bytes);
    }
    memcpy(call->result.cells, map->cells, bytes);
    free(next);
}

/* Strengths of few bits, like the heights: every comparison comes out the same, and nothing is
 * rounded. */
static const oracle_case cases[] = {
    {"density=0.1 batches=1", 67, 41, 0, 0, 0},
    {"density=0.1 strength=2 seed=7", 131, 97, -77, 1000, 0},
    {"density=0.3 batches=8 reach=31 visits=512 strength=8", 67, 67, 5, -9, 0},
    {"density=0.1 mode=fixed strength=3", 67, 97, 0, 0, 0},
    {"density=0.2 mode=fixed rivulets=8 visits=20", 97, 67, INT64_C(4611686018427380000), -40, 0},
    {"density=1 rivulets=1 reach=3", 67, 67, 0, 0, 0},
    {"density=1 strength=0", 33, 33, 0, 0, 0},
    {"density=1", 1, 1, 0, 0, 0},
    {"density=1 mode=fixed", 70, 1, 0, 0, 0},
    {"density=1 mode=fixed", 1, 70, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_shear = {"erode_shear", compute, cases, 0};
