/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "core/keys.h"
#include "oracle/lattice.h"
#include "oracle/oracle.h"
#include "terrain/erode.h"

typedef terrain_erode_coast_params coast_params;

static double noise_at(const coast_params *p, int64_t x, int64_t y)
{
    static const double weights[] = {0.9, 0.63, 0.441};
    double sum = 0.3;
    uint32_t period = p->period;
    for (uint32_t k = 0; k < 3 && (k == 0 || period >= 3); k++, period /= 4) {
        uint64_t stream =
            terrain__random_stream(p->seed, TERRAIN__KEY_erode_coast, TERRAIN__DRAW_COAST_ROCK + k);
        sum += weights[k] * oracle_lattice(stream, period, x, y);
    }
    return sum;
}

/* What a step into each cell takes. */
static void find_steps(const oracle_call *call, int64_t *steps)
{
    const coast_params *p = call->params;
    const oracle_map *map = &call->map;
    const oracle_map hardness = oracle_input(call, "hardness");
    for (int64_t i = 0; i < map->width * map->height; i++) {
        double e = hardness.cells != NULL
                       ? hardness.cells[i]
                       : noise_at(p, map->x + i % map->width, map->y + i / map->width);
        bool sea = map->cells[i] <= (double)p->sea;
        e = sea ? 0 : fmin(fmax(e, 0), 1);
        steps[i] = (int64_t)floor(64 * (1 + ((double)p->contrast - 1) * e * e) + 0.5);
    }
    free(hardness.cells);
}

/* Whether the cell's way becomes shorter by one over a neighbour. */
static bool shorten(const oracle_map *map, int64_t *ways, int64_t step, int64_t i)
{
    bool shorter = false;
    for (int64_t k = 0; k < 9; k++) {
        int64_t dx = k % 3 - 1, dy = k / 3 - 1;
        int64_t x = i % map->width + dx, y = i / map->width + dy;
        if (k != 4 && x >= 0 && x < map->width && y >= 0 && y < map->height) {
            int64_t way =
                ways[y * map->width + x] + step + (dx != 0 && dy != 0 ? step / 4 + step / 8 : 0);
            shorter |= way < ways[i];
            ways[i] = way < ways[i] ? way : ways[i];
        }
    }
    return shorter;
}

/* Shortens ways as long as any can be; each step takes 64 where `steps` is NULL. */
static void find_ways(const oracle_map *map, int64_t *ways, const int64_t *steps)
{
    bool shorter = true;
    while (shorter) {
        shorter = false;
        for (int64_t i = 0; i < map->width * map->height; i++) {
            shorter |= shorten(map, ways, steps != NULL ? steps[i] : 64, i);
        }
    }
}

/* Ways of all cells from where waves begin. */
static void find_all(const oracle_call *call, int64_t *ways, int64_t *steps)
{
    const coast_params *p = call->params;
    const oracle_map *map = &call->map;
    const int64_t far = INT64_MAX / 2, shelter = 64 * (int64_t)p->shelter;
    for (int64_t i = 0; i < map->width * map->height; i++) {
        ways[i] = map->cells[i] <= (double)p->sea ? far : 0;
    }
    find_ways(map, ways, NULL);
    for (int64_t i = 0; i < map->width * map->height; i++) {
        bool sea = map->cells[i] <= (double)p->sea;
        ways[i] = sea && ways[i] >= shelter + 64 ? -shelter : far;
    }
    find_steps(call, steps);
    find_ways(map, ways, steps);
}

/* S(n). The oracle's cases are none where floats hardly tell heights apart. */
static double profile(const coast_params *p, double cell_size, int64_t n)
{
    double t = (double)n / 64, b = t - (double)p->beach_width;
    double r = (double)p->reach - (double)p->beach_width;
    double rise = b <= 0 ? (double)p->beach_slope * t
                         : (double)p->beach_slope * (double)p->beach_width +
                               (double)p->cliff_slope * b / (1 - b / r);
    return (double)p->sea + cell_size * rise;
}

static void compute(oracle_call *call)
{
    const coast_params *p = call->params;
    const oracle_map *map = &call->map;
    const int64_t count = map->width * map->height;
    int64_t *ways = malloc((size_t)count * sizeof *ways);
    int64_t *steps = malloc((size_t)count * sizeof *steps);
    if (ways == NULL || steps == NULL) {
        abort();
    }
    find_all(call, ways, steps);
    for (int64_t i = 0; i < count; i++) {
        double h = map->cells[i];
        bool cut = h > (double)p->sea && ways[i] < 64 * (int64_t)p->reach;
        call->result.cells[i] = cut ? fmin(h, profile(p, map->cell_size, ways[i])) : h;
    }
    free(ways);
    free(steps);
}

/* Where a step's 64ths of a cell are rounded the other way in float, ways differ by one, and the
 * profile by its slope's 64th. */
static const oracle_case cases[] = {
    {"shelter=2", 131, 67, 0, 0, 1e-5},
    {"sea=15 reach=40 beach_width=6.5 period=20 shelter=0", 161, 141, -1000, 7000, 1e-5},
    {"sea=17 contrast=64 seed=9 period=300 cliff_slope=0.3", 67, 241, 33, -90, 1e-5},
    {"sea=17 hardness=yes beach_slope=0.2 contrast=4 shelter=5", 90, 80, 0, 0, 1e-5},
    {"sea=18 reach=200 beach_width=150 contrast=1 shelter=3", 300, 100, 0, 0, 1e-5},
    {"sea=16 reach=9 beach_width=20 period=1 shelter=1", 70, 60, 5, 5, 1e-5},
    {"sea=16 mask=yes shelter=4", 63, 65, 0, 0, 1e-5},
    {"sea=13 shelter=0", 1, 77, 0, 0, 1e-5},
    {"sea=15 reach=2 shelter=2", 133, 1, 0, 0, 1e-5},
    /* An octave of the least period. */
    {"sea=15 period=12 seed=4 shelter=1", 90, 70, 0, 0, 1e-5},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_coast = {"erode_coast", compute, cases, 1.25f};
