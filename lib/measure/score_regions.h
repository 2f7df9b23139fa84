/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Connected sets of cells, over tiles that are added one by one.
 *
 * Each tile keeps the sets that touch its rim, and which of them each cell of the rim belongs to;
 * where two tiles lie side by side, sets that meet are joined. Sets within a tile are complete:
 * only the largest so far is remembered. */

#ifndef TERRAIN_MEASURE_SCORE_REGIONS_H
#define TERRAIN_MEASURE_SCORE_REGIONS_H

#include "core/heightmap.h"
#include "core/reader.h"

/* Marks of a cell. */
enum { TERRAIN__REGION_MEMBER = 1, TERRAIN__REGION_BUILDING = 2 };

/* A set, or what has been joined to one: then parent is another. Only a root's counts of cells and
 * buildings are valid. */
struct terrain__region {
    uint32_t parent;
    uint64_t cells;
    uint64_t buildings;
};

struct terrain__region_list {
    struct terrain__region *items;
    uint32_t count;
    uint32_t capacity;
};

struct terrain__region_tile {
    struct terrain__region_tile *next;
    terrain_window window;
    /* Cells of the northern, southern, western and eastern rim: a region's index + 1, or 0. */
    uint32_t rim[];
};

typedef struct terrain__regions {
    terrain_allocator allocator;
    struct terrain__region_list list;
    struct terrain__region_tile *tiles;
    uint64_t cells; /* of the largest complete set */
    uint64_t buildings;
} terrain__regions;

/* Marks are one byte a cell. Members of sets have TERRAIN__REGION_MEMBER. Polls the reader, from
 * the share `done` of its call on. Errors: CANCELLED; MEMORY. They leave all as it was. */
terrain_status terrain__regions_add(terrain__regions *regions, const terrain__reader *reader,
                                    double done, const terrain_window *window, const uint8_t *marks,
                                    size_t stride);
terrain_status terrain__regions_merge(terrain__regions *into, const terrain__regions *from);

/* Whether the window has a cell in common with a tile. */
bool terrain__regions_overlap(const terrain__regions *regions, const terrain_window *window);

/* The largest set of all. */
void terrain__regions_largest(const terrain__regions *regions, uint64_t *cells,
                              uint64_t *buildings);

void terrain__regions_free(terrain__regions *regions);

#endif
