/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Ways within a patch of 64 x 64 cells, as a tree that stays in the first-level cache: flow.h. */

#ifndef TERRAIN_FLOW_PATCH_H
#define TERRAIN_FLOW_PATCH_H

#include "base/math.h"
#include "flow/flow.h"

enum {
    FLOW_PATCH = TERRAIN__FLOW_PATCH,
    FLOW_PATCH_BITS = 6, /* 64 = 2^6 */
    FLOW_PATCH_CELLS = FLOW_PATCH * FLOW_PATCH,
    FLOW_PATCH_PITCH = FLOW_PATCH + 16 /* of directions, with what lies around them */
};

/* By which neighbours flow to a cell, bit d - 1 for the one in direction d: how many, and the steps
 * to them in a patch. */
struct flow_patch_fans {
    uint16_t steps[256][8]; /* modulo 2^16 */
    uint8_t counts[256];
};

/* The scratch of a task. Cells are numbered y * 64 + x; a partial patch leaves numbers out. */
struct flow_patch {
    uint32_t x0, y0, width, height;
    uint32_t count; /* places: all cells, each after the one that it flows to */
    uint32_t roots; /* the first places: pits, outlets, and cells that flow out of the patch */
    uint16_t cells[FLOW_PATCH_CELLS + 8]; /* of each place: itself; 8 may be written beyond */
    uint16_t
        receivers[FLOW_PATCH_CELLS + 8]; /* of each place: the cell it flows to; not of roots */
    uint16_t last[FLOW_PATCH_CELLS];     /* of each cell: the root that it flows to */
    uint8_t donors[FLOW_PATCH_CELLS];
    uint8_t rows[(FLOW_PATCH + 2) * FLOW_PATCH_PITCH];
};

/* How many patches so many columns or rows of cells make. */
static inline uint32_t terrain__flow_patch_count(uint32_t cells)
{
    return terrain__divide_up(cells, FLOW_PATCH);
}

/* The patch of task `index`, in its scratch. */
static inline struct flow_patch *terrain__flow_patch_of(const struct flow *flow, uint32_t index)
{
    return (struct flow_patch *)(void *)(flow->rows + index * flow->row_bytes);
}

/* Looks at the patch that begins at (x0, y0) and ends after 64 cells, or with the map. */
void terrain__flow_patch_look(const struct flow *flow, struct flow_patch *patch, uint32_t x0,
                              uint32_t y0);

/* Grows the patch's tree: cells, receivers, roots, count. */
void terrain__flow_patch_grow(const struct flow *flow, struct flow_patch *patch);

/* After terrain__flow_patch_grow: fills in `last`. */
void terrain__flow_patch_end(struct flow_patch *patch);

/* Fills in the table of fans, once for all patches. */
void terrain__flow_patch_lay_fans(struct flow_patch_fans *fans);

#endif
