/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The inside of a heightmap. */

#ifndef TERRAIN_CORE_HEIGHTMAP_H
#define TERRAIN_CORE_HEIGHTMAP_H

#include <stdbool.h>

#include "terrain/context.h"

struct terrain_heightmap {
    float *data; /* never written through if read_only */
    size_t stride;
    uint32_t width;
    uint32_t height;
    int64_t x;
    int64_t y;
    float cell_size;
    bool read_only;
    bool owned;
    terrain_allocator allocator; /* of this struct, and of data if owned */
};

/* Whether a map may have cells of this size; false for NaN. */
static inline bool terrain__is_cell_size(float size)
{
    return size >= 1e-6f && size <= 1e9f;
}

/* Whether all cells lie within +-TERRAIN_WORLD_LIMIT. */
bool terrain__window_in_world(int64_t x, int64_t y, uint32_t width, uint32_t height);

/* Where a window of world cells begins in the map; false if it is empty or doesn't lie within the
 * map. */
bool terrain__heightmap_place(const terrain_heightmap *map, const terrain_window *window,
                              uint32_t *x, uint32_t *y);

/* The cell at a place in the world, which the map covers. */
static inline float *terrain__heightmap_cell(const terrain_heightmap *map, int64_t x, int64_t y)
{
    return map->data + (size_t)(y - map->y) * map->stride + (size_t)(x - map->x);
}

/* The address after the map's last cell. */
static inline uintptr_t terrain__heightmap_end(const terrain_heightmap *map)
{
    return (uintptr_t)map->data + ((map->height - 1) * map->stride + map->width) * sizeof(float);
}

/* Whether the map's memory, gaps between its rows included, has a byte in common with a buffer. */
static inline bool terrain__heightmap_meets(const terrain_heightmap *map, const void *buffer,
                                            size_t bytes)
{
    return (uintptr_t)buffer < terrain__heightmap_end(map) &&
           (uintptr_t)map->data < (uintptr_t)buffer + bytes;
}

/* Whether two maps have a cell of memory in common. Maps that interleave in one buffer (the left
 * and the right half of one image) don't. */
bool terrain__heightmaps_overlap(const terrain_heightmap *a, const terrain_heightmap *b);

#endif
