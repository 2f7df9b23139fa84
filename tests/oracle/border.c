/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "oracle/border.h"

#include <stdlib.h>

int64_t oracle_border_cell(int64_t i, int64_t count, terrain_border border)
{
    if (border == TERRAIN_BORDER_CLAMP) {
        return i < 0 ? 0 : i >= count ? count - 1 : i;
    }
    if (border == TERRAIN_BORDER_WRAP) {
        return (i % count + count) % count;
    }
    if (border == TERRAIN_BORDER_MIRROR) {
        while (i < 0 || i >= count) {
            i = i < 0 ? -1 - i : 2 * count - 1 - i;
        }
        return i;
    }
    return i < 0 || i >= count ? -1 : i;
}

/* One row or column of `count` cells, `step` apart. */
static void mean_line(const double *source, double *target, int64_t count, int64_t step,
                      const double *weights, int64_t radius, terrain_border border)
{
    for (int64_t i = 0; i < count; i++) {
        double sum = 0;
        double total = 0;
        for (int64_t k = -radius; k <= radius; k++) {
            int64_t cell = oracle_border_cell(i + k, count, border);
            if (cell >= 0) {
                sum += weights[k + radius] * source[cell * step];
                total += weights[k + radius];
            }
        }
        target[i * step] = sum / total;
    }
}

void oracle_weighted_mean(const oracle_map *map, oracle_map *result, const double *weights,
                          int64_t radius, terrain_border border)
{
    double *rows = calloc((size_t)(map->width * map->height), sizeof *rows);
    if (rows == NULL) {
        abort();
    }
    for (int64_t y = 0; y < map->height; y++) {
        mean_line(map->cells + y * map->width, rows + y * map->width, map->width, 1, weights,
                  radius, border);
    }
    for (int64_t x = 0; x < map->width; x++) {
        mean_line(rows + x, result->cells + x, map->height, map->width, weights, radius, border);
    }
    free(rows);
}
