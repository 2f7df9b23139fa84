/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Boxes: windows by their edges, as which they are grown, united and compared. */

#ifndef TERRAIN_CORE_BOX_H
#define TERRAIN_CORE_BOX_H

#include <stdbool.h>
#include <stdint.h>

#include "core/heightmap.h"

/* World cells x0 <= x < x1, y0 <= y < y1. */
typedef struct terrain__box {
    int64_t x0, y0, x1, y1;
} terrain__box;

static inline terrain__box terrain__box_at(int64_t x, int64_t y, uint32_t width, uint32_t height)
{
    const terrain__box box = {x, y, x + (int64_t)width, y + (int64_t)height};
    return box;
}

/* The cells of a map. */
static inline terrain__box terrain__box_of_map(const terrain_heightmap *map)
{
    return terrain__box_at(map->x, map->y, map->width, map->height);
}

static inline bool terrain__box_contains(const terrain__box *outer, const terrain__box *inner)
{
    return outer->x0 <= inner->x0 && outer->y0 <= inner->y0 && outer->x1 >= inner->x1 &&
           outer->y1 >= inner->y1;
}

/* The cells of both boxes; empty if they don't meet. */
static inline terrain__box terrain__box_common(const terrain__box *a, const terrain__box *b)
{
    const terrain__box common = {a->x0 > b->x0 ? a->x0 : b->x0, a->y0 > b->y0 ? a->y0 : b->y0,
                                 a->x1 < b->x1 ? a->x1 : b->x1, a->y1 < b->y1 ? a->y1 : b->y1};
    return common;
}

static inline bool terrain__box_is_empty(const terrain__box *box)
{
    return box->x1 <= box->x0 || box->y1 <= box->y0;
}

/* Makes the first box hold the second, too. Either may be empty. */
void terrain__box_unite(terrain__box *box, const terrain__box *other);
/* The points of a coarse lattice around a box of cells: between the points, heights follow. */
void terrain__box_coarsen(terrain__box *box, int64_t spacing);
/* False if the window is empty or leaves the world. */
bool terrain__window_box(const terrain_window *window, terrain__box *box);
/* False if the box is empty, larger than a map can be, or leaves the world. */
bool terrain__box_window(const terrain__box *box, terrain_window *window);

#endif
