/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/gradient.h"

/* A map that goes on straight beyond its edges: first to the sides, then over the corners. */
static double beyond(const oracle_map *map, int64_t x, int64_t y, int64_t dx, int64_t dy)
{
    int outside_x = x + dx < 0 || x + dx >= map->width;
    int outside_y = y + dy < 0 || y + dy >= map->height;
    double h = *oracle_at(map, x, y);
    if (outside_x && outside_y) {
        return beyond(map, x, y, dx, 0) + beyond(map, x, y, 0, dy) - h;
    }
    if (outside_x) {
        /* Along the row of the neighbour: its own cell at the edge, and the one on the other
         * side. */
        double edge = *oracle_at(map, x, y + dy);
        int has_other = x - dx >= 0 && x - dx < map->width;
        return has_other ? 2 * edge - *oracle_at(map, x - dx, y + dy) : edge;
    }
    if (outside_y) {
        double edge = *oracle_at(map, x + dx, y);
        int has_other = y - dy >= 0 && y - dy < map->height;
        return has_other ? 2 * edge - *oracle_at(map, x + dx, y - dy) : edge;
    }
    return *oracle_at(map, x + dx, y + dy);
}

oracle_gradient oracle_gradient_at(const oracle_map *map, int64_t x, int64_t y)
{
    static const double weights[3] = {1, 2, 1};
    oracle_gradient gradient = {0, 0};
    for (int k = -1; k <= 1; k++) {
        double weight = weights[k + 1] / (8 * map->cell_size);
        gradient.east += weight * (beyond(map, x, y, 1, k) - beyond(map, x, y, -1, k));
        gradient.south += weight * (beyond(map, x, y, k, 1) - beyond(map, x, y, k, -1));
    }
    return gradient;
}
