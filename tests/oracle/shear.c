/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/keys.h"
#include "oracle/oracle.h"
#include "terrain/erode.h"
#include "vector/random.h"

typedef terrain_erode_shear_params shear_params;

enum { BLOCK = 16, MOST_VISITS = 512 };

/* The cells that a drop discovered, in order. */
typedef struct {
    int64_t x[MOST_VISITS];
    int64_t y[MOST_VISITS];
    uint32_t steps[MOST_VISITS];
    uint32_t count;
} discovery;

static void discover(discovery *d, const shear_params *p, int64_t x, int64_t y, uint32_t steps)
{
    for (uint32_t i = 0; i < d->count; i++) {
        if (d->x[i] == x && d->y[i] == y) {
            return;
        }
    }
    if (d->count < p->visits) {
        d->x[d->count] = x;
        d->y[d->count] = y;
        d->steps[d->count++] = steps;
    }
}

/* The cracks of visited cell n, from 0. */
static void crack(discovery *d, const shear_params *p, const oracle_map *map, uint32_t n,
                  uint64_t bits)
{
    int64_t lower[8][2];
    uint32_t count = 0;
    for (int64_t y = d->y[n] - 1; y <= d->y[n] + 1; y++) {
        for (int64_t x = d->x[n] - 1; x <= d->x[n] + 1; x++) {
            if (x >= 0 && y >= 0 && x < map->width && y < map->height &&
                *oracle_at(map, x, y) < *oracle_at(map, d->x[n], d->y[n])) {
                lower[count][0] = x;
                lower[count++][1] = y;
            }
        }
    }
    for (uint32_t k = 0; k < p->rivulets && count > 0; k++) {
        uint32_t chosen = (uint32_t)(bits >> 8 * k & 255) * count / 256;
        discover(d, p, lower[chosen][0], lower[chosen][1], d->steps[n] + 1);
    }
}

/* Drop `drop` at (x, y) of the map; lowers cells of `result`. */
static void fall(const oracle_map *map, oracle_map *result, const shear_params *p, uint64_t drop,
                 int64_t x, int64_t y)
{
    double level = (double)(float)(*oracle_at(map, x, y) - (double)p->strength);
    double lowest = (double)INFINITY, slope = 0, least = (double)p->least_slope;
    discovery d = {{x}, {y}, {0}, 1};
    for (uint32_t n = 0; n < d.count; n++) {
        if (*oracle_at(map, d.x[n], d.y[n]) > level && d.steps[n] < p->reach) {
            crack(&d, p, map, n, terrain__mix(drop, n + 1));
        }
    }
    for (uint32_t n = 0; n < d.count; n++) {
        double h = *oracle_at(map, d.x[n], d.y[n]);
        double run = hypot((double)(d.x[n] - x), (double)(d.y[n] - y)) * map->cell_size;
        if (h < lowest) {
            lowest = h;
            slope = n == 0 ? 0 : (*oracle_at(map, x, y) - h) / run;
        }
    }
    if (p->mode == TERRAIN_ERODE_SHEAR_MODE_DRAINED) {
        level = fmax(level, lowest);
    }
    if (least > 0) {
        double t = fmin(fmax((slope - least) / least, 0), 1), h = *oracle_at(map, x, y);
        level = t < 1 ? (double)(float)(h - t * (h - level)) : level;
    }
    for (uint32_t n = 0; n < d.count; n++) {
        double *cell = oracle_at(result, d.x[n], d.y[n]);
        *cell = fmin(*cell, level);
    }
}

/* The drops of block (i, j) that belong to a batch. */
static void fall_block(const oracle_map *map, oracle_map *result, const shear_params *p, int64_t i,
                       int64_t j, uint32_t batch)
{
    uint64_t counts =
        terrain__random_stream(p->seed, TERRAIN__KEY_erode_shear, TERRAIN__DRAW_SHEAR_COUNT);
    uint64_t drops =
        terrain__random_stream(p->seed, TERRAIN__KEY_erode_shear, TERRAIN__DRAW_SHEAR_DROP);
    double u = (double)terrain__unit_float(terrain__random_cell(counts, i, j));
    uint32_t count = (uint32_t)floor(256 * (double)p->density + u);
    uint64_t block = terrain__mix(terrain__mix(drops, (uint64_t)j), (uint64_t)i);
    for (uint32_t n = batch; n < count; n += p->batches) {
        uint64_t drop = terrain__mix(block, n);
        uint64_t place = terrain__mix(drop, 0);
        int64_t x = i * BLOCK + (int64_t)(place & 15) - map->x;
        int64_t y = j * BLOCK + (int64_t)(place >> 4 & 15) - map->y;
        if (x >= 0 && y >= 0 && x < map->width && y < map->height) {
            fall(map, result, p, drop, x, y);
        }
    }
}

static int64_t block_of(int64_t x)
{
    return (x - (x % BLOCK + BLOCK) % BLOCK) / BLOCK;
}

static void compute(oracle_call *call)
{
    const shear_params *p = call->params;
    oracle_map *map = &call->map, *result = &call->result;
    size_t size = (size_t)(map->width * map->height) * sizeof *map->cells;
    memcpy(result->cells, map->cells, size);
    for (uint32_t batch = 0; batch < p->batches; batch++) {
        memcpy(map->cells, result->cells, size);
        for (int64_t j = block_of(map->y); j <= block_of(map->y + map->height - 1); j++) {
            for (int64_t i = block_of(map->x); i <= block_of(map->x + map->width - 1); i++) {
                fall_block(map, result, p, i, j, batch);
            }
        }
    }
}

/* Exact, but for levels of drops that dig less than all of their depth: these are rounded. */
static const oracle_case cases[] = {
    {"", 67, 41, 0, 0, 0},
    {"least_slope=1", 67, 41, 0, 0, 1e-5},
    {"density=0.3 least_slope=0.7 seed=2", 67, 67, 40, 40, 1e-5},
    {"density=0.3 least_slope=2 mode=fixed seed=5", 67, 41, 1000, -1000, 1e-5},
    {"density=1 least_slope=100", 67, 41, 0, 0, 0},
    {"density=0.3 mode=fixed seed=5 least_slope=0", 67, 41, -300, 17, 0},
    {"density=1 strength=1.7 rivulets=8 batches=1", 67, 41, -9, -9, 0},
    {"density=0.2 strength=3.3 rivulets=1 reach=31 visits=512 seed=9 least_slope=0", 130, 67, 0, 0,
     0},
    {"density=0.5 reach=3 visits=7 batches=3 strength=21 least_slope=0", 67, 41, 0, 0, 0},
    {"density=0.5 reach=1 rivulets=3", 67, 41, 0, 0, 0},
    {"density=1 visits=1 mode=fixed least_slope=0", 41, 67, 0, 0, 0},
    {"density=1 strength=0", 33, 17, 0, 0, 0},
    {"density=1 strength=1e6", 33, 17, 3, 5, 0},
    {"density=0.1 seed=3", 67, 41, INT64_C(4611686018427387000), INT64_C(-4611686018427387000), 0},
    {"density=0", 17, 17, 0, 0, 0},
    {"density=1 mode=fixed", 70, 1, 0, 0, 0},
    {"density=1 mask=yes", 1, 70, 0, 0, 4e-6},
    {"density=1", 1, 1, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_shear = {"erode_shear", compute, cases, 1.25f};
