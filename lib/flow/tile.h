/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Ways within a tile of 64 x 64 cells, as a tree that stays in the first-level cache: flow.h. */

#ifndef TERRAIN_FLOW_TILE_H
#define TERRAIN_FLOW_TILE_H

#include "flow/flow.h"

enum {
    FLOW_TILE = TERRAIN__FLOW_TILE,
    FLOW_TILE_BITS = 6, /* 64 = 2^6 */
    FLOW_TILE_CELLS = FLOW_TILE * FLOW_TILE,
    FLOW_TILE_PITCH = FLOW_TILE + 16 /* of directions, with what lies around them */
};

/* By which neighbours flow to a cell, bit d - 1 for the one in direction d: how many, and the steps
 * to them in a tile. */
struct flow_tile_fans {
    uint16_t steps[256][8]; /* modulo 2^16 */
    uint8_t counts[256];
};

/* The scratch of a task. Cells are numbered y * 64 + x; a partial tile leaves numbers out. */
struct flow_tile {
    uint32_t x0, y0, width, height;
    uint32_t count; /* places: all cells, each after the one that it flows to */
    uint32_t roots; /* the first places: pits, outlets, and cells that flow out of the tile */
    uint16_t cells[FLOW_TILE_CELLS + 8];     /* of each place: itself; 8 may be written beyond */
    uint16_t receivers[FLOW_TILE_CELLS + 8]; /* of each place: the cell it flows to; not of roots */
    uint16_t last[FLOW_TILE_CELLS];          /* of each cell: the root that it flows to */
    uint8_t donors[FLOW_TILE_CELLS];
    uint8_t rows[(FLOW_TILE + 2) * FLOW_TILE_PITCH];
};

/* How many tiles so many columns or rows of cells make. */
static inline uint32_t terrain__flow_tile_count(uint32_t cells)
{
    return (cells + FLOW_TILE - 1) / FLOW_TILE;
}

/* The tile of task `index`, in its scratch. */
static inline struct flow_tile *terrain__flow_tile_of(const struct flow *flow, uint32_t index)
{
    return (struct flow_tile *)(void *)(flow->rows + index * flow->row_bytes);
}

/* Looks at the tile that begins at (x0, y0) and ends after 64 cells, or with the map. */
void terrain__flow_tile_look(const struct flow *flow, struct flow_tile *tile, uint32_t x0,
                             uint32_t y0);

/* Grows the tile's tree: cells, receivers, roots, count. */
void terrain__flow_tile_grow(const struct flow *flow, struct flow_tile *tile);

/* After terrain__flow_tile_grow: fills in `last`. */
void terrain__flow_tile_end(struct flow_tile *tile);

/* Fills in the table of fans, once for all tiles. */
void terrain__flow_tile_lay_fans(struct flow_tile_fans *fans);

#endif
