/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/operation.h"
#include "oracle/land.h"
#include "terrain/analyze.h"

static int64_t receiver(const land *l, int64_t cell)
{
    return l->code[cell] > 0 ? neighbour(l, cell, l->code[cell]) : -1;
}

/* Cells upstream, the cell itself among them: by walking from every one. */
static void count(land *l)
{
    for (int64_t i = 0; i < l->cells; i++) {
        for (int64_t c = i; !isnan(l->surface.cells[i]) && c >= 0; c = receiver(l, c)) {
            l->water[c]++;
        }
    }
}

static double order_of(const land *l, int64_t cell, double threshold)
{
    double most = 0, twice = 0;
    if (l->water[cell] < threshold) {
        return 0;
    }
    for (int d = 1; d < 9; d++) {
        int64_t from = neighbour(l, cell, d);
        if (from >= 0 && receiver(l, from) == cell) {
            double order = order_of(l, from, threshold);
            twice = order == most ? 1 : order > most ? 0 : twice;
            most = order > most ? order : most;
        }
    }
    return most == 0 ? 1 : most + twice;
}

static double length_of(const land *l, int64_t cell)
{
    double most = 0;
    for (int d = 1; d < 9; d++) {
        int64_t from = neighbour(l, cell, d);
        if (from >= 0 && receiver(l, from) == cell) {
            double way = length_of(l, from) + (d % 2 == 1 ? 1 : sqrt(2.0)) * l->surface.cell_size;
            most = way > most ? way : most;
        }
    }
    return most;
}

/* The number is the one thing that is taken from the library: a hash. */
static double number_of(const oracle_map *map, int64_t cell)
{
    uint64_t stream = terrain__random_stream(0, 43, 0);
    uint32_t bits =
        terrain__random_cell(stream, map->x + cell % map->width, map->y + cell / map->width);
    return ((bits >> 9) * 2.0 + 1) / 16777216;
}

static void compute(oracle_call *call)
{
    const terrain_analyze_basins_params *p = call->params;
    oracle_map order = oracle_output(call, "order"), length = oracle_output(call, "length");
    land l = land_of(&call->map, p->rim == TERRAIN_RIM_OPEN, p->routing);
    count(&l);
    for (int64_t i = 0; i < l.cells; i++) {
        int64_t outlet = i;
        while (receiver(&l, outlet) >= 0) {
            outlet = receiver(&l, outlet);
        }
        call->result.cells[i] = number_of(&call->map, outlet);
        if (order.cells != NULL) {
            order.cells[i] = order_of(&l, i, p->threshold);
        }
        if (length.cells != NULL) {
            length.cells[i] = length_of(&l, i);
        }
    }
    land_free(&l);
}

/* Lengths are sums of up to some 80 steps, below 256: each is rounded by up to 2^-17. */
static const oracle_case cases[] = {
    {"order=yes length=yes", 67, 41, 0, 0, 2e-4},
    {"order=yes threshold=1 routing=carve", 61, 70, -1000, 77, 0},
    {"order=yes threshold=9 routing=none rim=closed", 45, 63, 0, 0, 0},
    {"length=yes routing=carve rim=closed", 60, 50, 0, 0, 2e-4},
    {"", 1, 77, 0, 0, 0},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_analyze_basins = {"analyze_basins", compute, cases, 1.25f};
