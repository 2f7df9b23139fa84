/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/oracle.h"
#include "terrain/erode.h"

static const int offsets[8][2] = {{0, -1}, {0, 1},  {1, 0},   {-1, 0},
                                  {1, -1}, {-1, 1}, {-1, -1}, {1, 1}};

static int is_used(terrain_erode_thermal_neighbourhood neighbourhood, int n)
{
    return neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE ||
           (neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_VON_NEUMANN) == (n < 4);
}

/* The closed border: a neighbour outside takes and gives nothing. */
static int is_inside(const oracle_map *map, int64_t x, int64_t y)
{
    return x >= 0 && y >= 0 && x < map->width && y < map->height;
}

/* What cell (x, y) gives to each neighbour, scattered into `change`: of QUANTUM no more than
 * that. */
static void slide_flux(const oracle_map *map, double *change, int64_t x, int64_t y,
                       const terrain_erode_thermal_params *p)
{
    double h = *oracle_at(map, x, y);
    double k =
        (double)p->rate / (p->neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE ? 8 : 4);
    double most = p->mode == TERRAIN_ERODE_THERMAL_MODE_QUANTUM
                      ? (double)p->quantum * map->cell_size
                      : HUGE_VAL;
    for (int n = 0; n < 8; n++) {
        int64_t nx = x + offsets[n][0];
        int64_t ny = y + offsets[n][1];
        double talus = (double)p->talus * map->cell_size * (n < 4 ? 1 : sqrt(2));
        if (is_used(p->neighbourhood, n) && is_inside(map, nx, ny)) {
            double excess = fmax(h - *oracle_at(map, nx, ny) - talus, 0);
            change[y * map->width + x] -= fmin(k * excess, most);
            change[ny * map->width + nx] += fmin(k * excess, most);
        }
    }
}

static void slide_musgrave(const oracle_map *map, double *change, int64_t x, int64_t y,
                           const terrain_erode_thermal_params *p)
{
    double h = *oracle_at(map, x, y);
    double most = 0;
    double total = 0;
    double drops[8] = {0};
    for (int n = 0; n < 8; n++) {
        int64_t nx = x + offsets[n][0];
        int64_t ny = y + offsets[n][1];
        double talus = (double)p->talus * map->cell_size * (n < 4 ? 1 : sqrt(2));
        if (is_used(p->neighbourhood, n) && is_inside(map, nx, ny)) {
            double d = h - *oracle_at(map, nx, ny);
            if (d > talus) {
                drops[n] = d;
                total += d;
                most = fmax(most, d - talus);
            }
        }
    }
    for (int n = 0; n < 8 && total > 0; n++) {
        double share = (double)p->rate * most * drops[n] / total;
        if (drops[n] > 0) {
            change[y * map->width + x] -= share;
            change[(y + offsets[n][1]) * map->width + x + offsets[n][0]] += share;
        }
    }
}

/* Debris and rock: each map as it is before the iteration, and how it changes. */
struct layers {
    double *debris;
    double *debris_change;
    oracle_map hardness;
};

static void slide_layers(const oracle_map *map, double *change, const struct layers *layers,
                         int64_t x, int64_t y, const terrain_erode_thermal_params *p)
{
    int64_t cell = y * map->width + x;
    double h = map->cells[cell];
    double loose = layers->debris[cell];
    double hard = layers->hardness.cells != NULL ? layers->hardness.cells[cell] : 0;
    double count = p->neighbourhood == TERRAIN_ERODE_THERMAL_NEIGHBOURHOOD_MOORE ? 8 : 4;
    for (int n = 0; n < 8; n++) {
        int64_t nx = x + offsets[n][0];
        int64_t ny = y + offsets[n][1];
        double run = map->cell_size * (n < 4 ? 1 : sqrt(2));
        if (is_used(p->neighbourhood, n) && is_inside(map, nx, ny)) {
            int64_t there = ny * map->width + nx;
            double exposed = fmax(h - loose - map->cells[there] - (double)p->talus * run, 0);
            double excess = fmax(h - map->cells[there] - (double)p->debris_talus * run, 0);
            double moved = fmin((double)p->rate * excess, loose) / count;
            layers->debris_change[cell] += (double)p->weathering * (1 - hard) * exposed / count;
            change[cell] -= moved;
            change[there] += moved;
            layers->debris_change[cell] -= moved;
            layers->debris_change[there] += moved;
        }
    }
}

/* One iteration of one cell, by the rule. */
static void slide(const oracle_map *map, double *change, const struct layers *layers, int64_t x,
                  int64_t y, const terrain_erode_thermal_params *p)
{
    switch (p->mode) {
    case TERRAIN_ERODE_THERMAL_MODE_MUSGRAVE:
        slide_musgrave(map, change, x, y, p);
        break;
    case TERRAIN_ERODE_THERMAL_MODE_LAYERS:
        slide_layers(map, change, layers, x, y, p);
        break;
    default:
        slide_flux(map, change, x, y, p);
        break;
    }
}

static double *zeros(size_t count)
{
    double *cells = calloc(count, sizeof *cells);
    if (cells == NULL) {
        abort();
    }
    return cells;
}

/* debris_out is 0 where there are no layers. */
static void finish(oracle_call *call, const struct layers *layers)
{
    const terrain_erode_thermal_params *p = call->params;
    oracle_map out = oracle_output(call, "debris_out");
    size_t count = (size_t)(call->map.width * call->map.height);
    memcpy(call->result.cells, call->map.cells, count * sizeof(double));
    for (size_t c = 0; c < count && out.cells != NULL; c++) {
        out.cells[c] = p->mode == TERRAIN_ERODE_THERMAL_MODE_LAYERS ? layers->debris[c] : 0;
    }
}

static void compute(oracle_call *call)
{
    const terrain_erode_thermal_params *p = call->params;
    oracle_map *map = &call->map;
    size_t count = (size_t)(map->width * map->height);
    double *change = zeros(count);
    oracle_map debris = oracle_input(call, "debris");
    struct layers layers = {zeros(count), zeros(count), oracle_input(call, "hardness")};
    for (size_t c = 0; c < count && debris.cells != NULL; c++) {
        layers.debris[c] = fmax(debris.cells[c], 0);
    }
    for (uint32_t i = 0; i < p->iterations; i++) {
        memset(change, 0, count * sizeof *change);
        memset(layers.debris_change, 0, count * sizeof *change);
        for (int64_t y = 0; y < map->height; y++) {
            for (int64_t x = 0; x < map->width; x++) {
                slide(map, change, &layers, x, y, p);
            }
        }
        for (size_t c = 0; c < count; c++) {
            map->cells[c] += change[c];
            layers.debris[c] += layers.debris_change[c];
        }
    }
    finish(call, &layers);
    free(change);
    free(debris.cells);
    free(layers.hardness.cells);
    free(layers.debris);
    free(layers.debris_change);
}

/* Each iteration rounds a few times, by 2^-24 of 32; FLUX damps what came before. MUSGRAVE's choice
 * of receivers jumps, so that its cases are short. */
static const oracle_case cases[] = {
    {"iterations=1", 67, 41, 0, 0, 6e-6},
    {"iterations=50", 67, 41, 0, 0, 6e-5},
    {"iterations=50 neighbourhood=von_neumann rate=1", 67, 41, -5, 9, 6e-5},
    {"iterations=30 neighbourhood=rotated talus=1.5", 67, 41, 0, 0, 6e-5},
    {"iterations=3 talus=0", 1, 33, 0, 0, 2e-5},
    {"iterations=3 talus=0", 33, 1, 0, 0, 2e-5},
    {"iterations=200 talus=0.1", 130, 140, 0, 0, 2e-4},
    {"mode=musgrave iterations=1", 67, 41, 0, 0, 1e-5},
    {"mode=musgrave iterations=3 neighbourhood=von_neumann", 67, 41, 0, 0, 4e-5},
    {"mode=musgrave iterations=3 neighbourhood=rotated talus=0.2 rate=0.3", 67, 41, 0, 0, 4e-5},
    {"mode=quantum iterations=50", 67, 41, 0, 0, 6e-5},
    {"mode=quantum iterations=20 quantum=0.2 rate=1 neighbourhood=von_neumann", 67, 41, 0, 0, 6e-5},
    {"mode=quantum iterations=20 quantum=0.004 neighbourhood=rotated", 41, 67, 0, 0, 6e-5},
    {"mode=layers iterations=1 debris=yes hardness=yes debris_out=yes", 67, 41, 0, 0, 1e-5},
    {"mode=layers iterations=40 hardness=yes debris_out=yes", 67, 41, 0, 0, 6e-5},
    {"mode=layers iterations=60 debris=yes debris_out=yes talus=1.1 neighbourhood=von_neumann "
     "rate=0.9 weathering=1",
     67, 41, 0, 0, 6e-5},
    {"mode=layers iterations=30 talus=0.2 debris_talus=0.3 neighbourhood=rotated debris_out=yes",
     41, 67, 0, 0, 6e-5},
    {"iterations=3 debris=yes hardness=yes debris_out=yes", 9, 9, 0, 0, 1e-5},
    {"iterations=0", 5, 5, 0, 0, 0},
    {"iterations=0 mode=layers debris=yes debris_out=yes", 5, 5, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_erode_thermal = {"erode_thermal", compute, cases, 1.25f};
