/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The cells outside a bounded map: see terrain_border. */

#ifndef TERRAIN_ROWS_BORDER_H
#define TERRAIN_ROWS_BORDER_H

#include <stdbool.h>

#include "base/math.h"
#include "terrain/operation.h"

/* Whether the map goes on beyond its edges, mirrored or wrapped, so that any of its cells may stand
 * for one out there. Otherwise that is the cell at the edge, or none. */
static inline bool terrain__border_repeats(terrain_border border)
{
    return border == TERRAIN_BORDER_MIRROR || border == TERRAIN_BORDER_WRAP;
}

/* The cell of 0 to count - 1 that stands for cell i, or -1 for none: i is outside and the border is
 * open. count >= 1, any i that fits in 62 bits. */
static inline int64_t terrain__border_cell(int64_t i, int64_t count, terrain_border border)
{
    if (i >= 0 && i < count) {
        return i;
    }
    switch (border) {
    case TERRAIN_BORDER_CLAMP:
        return i < 0 ? 0 : count - 1;
    case TERRAIN_BORDER_MIRROR:
        if (i < -count || i >= 2 * count) {
            i = terrain__floor_mod(i, 2 * count);
        }
        return i < 0 ? -1 - i : i < count ? i : 2 * count - 1 - i;
    case TERRAIN_BORDER_WRAP:
        return i < -count || i >= 2 * count ? terrain__floor_mod(i, count)
                                            : i + (i < 0 ? count : -count);
    default:
        return -1;
    }
}

/* target[i] = the cell that stands for cell first + i of a row of `count` cells; 0 for none. */
void terrain__border_row(float *target, int64_t first, uint32_t width, const float *row,
                         uint32_t count, terrain_border border);

#endif
