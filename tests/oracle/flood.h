/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Filled maps in double precision, for what follows water. */

#ifndef ORACLE_FLOOD_H
#define ORACLE_FLOOD_H

#include <math.h>

#include "oracle/oracle.h"

/* The least level that the neighbours of a cell let it have. */
static inline double flood_least(const oracle_map *filled, int64_t x, int64_t y, double rise)
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
static inline void flood_begin(const oracle_map *map, oracle_map *filled, bool open)
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

static inline void oracle_flood(const oracle_map *map, oracle_map *filled, bool open, double rise)
{
    bool changed = true;
    flood_begin(map, filled, open);
    while (changed) {
        changed = false;
        for (int64_t i = 0; i < map->width * map->height; i++) {
            double h = map->cells[i];
            double v = flood_least(filled, i % map->width, i / map->width, rise);
            v = v > h ? v : h;
            if (v < filled->cells[i]) {
                filled->cells[i] = v;
                changed = true;
            }
        }
    }
}

#endif
