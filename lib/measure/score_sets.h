/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Connected sets of cells, over tiles that are added one by one.
 *
 * Each tile keeps the sets that touch its rim, and which of them each cell of the rim belongs to;
 * where two tiles lie side by side, sets that meet are joined. Sets within a tile are complete:
 * only the largest so far is remembered. */

#ifndef TERRAIN_MEASURE_SCORE_SETS_H
#define TERRAIN_MEASURE_SCORE_SETS_H

#include "core/heightmap.h"
#include "core/reader.h"

/* Marks of a cell. */
enum { TERRAIN__SCORE_MEMBER = 1, TERRAIN__SCORE_BUILDING = 2 };

/* A set, or what has been joined to one: then parent is another. Only a root's counts of cells and
 * buildings are valid. */
struct terrain__score_set {
    uint32_t parent;
    uint64_t cells;
    uint64_t buildings;
};

struct terrain__score_set_list {
    struct terrain__score_set *items;
    uint32_t count;
    uint32_t capacity;
};

struct terrain__score_set_tile {
    struct terrain__score_set_tile *next;
    terrain_window window;
    /* Cells of the northern, southern, western and eastern rim: a set's index + 1, or 0. */
    uint32_t rim[];
};

typedef struct terrain__score_sets {
    terrain_allocator allocator;
    struct terrain__score_set_list list;
    struct terrain__score_set_tile *tiles;
    uint64_t cells; /* of the largest complete set */
    uint64_t buildings;
} terrain__score_sets;

/* Marks are one byte a cell. Members of sets have TERRAIN__SCORE_MEMBER. Polls the reader, from the
 * share `done` of its call on. Errors: CANCELLED; MEMORY. They leave all as it was. */
terrain_status terrain__score_sets_add(terrain__score_sets *sets, const terrain__reader *reader,
                                       double done, const terrain_window *window,
                                       const uint8_t *marks, size_t stride);
/* Adds the tiles of `from`, none of which overlaps one of `into`. Errors: MEMORY, which leaves both
 * as they were. */
terrain_status terrain__score_sets_merge(terrain__score_sets *into,
                                         const terrain__score_sets *from);

/* Whether the window has a cell in common with a tile. */
bool terrain__score_sets_overlap(const terrain__score_sets *sets, const terrain_window *window);

/* The largest set of all. */
void terrain__score_sets_largest(const terrain__score_sets *sets, uint64_t *cells,
                                 uint64_t *buildings);

void terrain__score_sets_free(terrain__score_sets *sets);

#endif
