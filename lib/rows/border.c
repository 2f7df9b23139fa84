/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "rows/border.h"

#include <string.h>

/* The next piece of a row, of at most `width` cells, which are cells next to each other in either
 * direction, or the same one. */
static uint32_t border_piece(float *target, int64_t first, uint32_t width, const float *row,
                             int64_t count, terrain_border border)
{
    int64_t cell = terrain__border_cell(first, count, border);
    bool outside = first < 0 || first >= count;
    bool back =
        outside && border == TERRAIN_BORDER_MIRROR && terrain__floor_mod(first, 2 * count) >= count;
    bool same = outside && (border == TERRAIN_BORDER_CLAMP || cell < 0);
    int64_t left = !same ? (back ? cell + 1 : count - cell) : first < 0 ? -first : width;
    uint32_t length = left < width ? (uint32_t)left : width;
    if (same) {
        float value = cell < 0 ? 0 : row[cell];
        for (uint32_t i = 0; i < length; i++) {
            target[i] = value;
        }
    } else if (back) {
        for (uint32_t i = 0; i < length; i++) {
            target[i] = row[cell - (int64_t)i];
        }
    } else {
        memcpy(target, row + cell, length * sizeof *row);
    }
    return length;
}

/* After how many cells a row repeats itself; 0 if never. */
static int64_t border_period(int64_t count, terrain_border border)
{
    return border == TERRAIN_BORDER_MIRROR ? 2 * count : border == TERRAIN_BORDER_WRAP ? count : 0;
}

/* A small map may repeat many times in its border: the copies are made from the part that is there
 * already, twice as much each time. */
void terrain__border_row(float *target, int64_t first, uint32_t width, const float *row,
                         uint32_t count, terrain_border border)
{
    const int64_t period = border_period(count, border);
    for (uint32_t i = 0; i < width;) {
        if (period != 0 && i >= period) {
            uint32_t back = i - (uint32_t)(i % period);
            uint32_t length = back < width - i ? back : width - i;
            memcpy(target + i, target + i - back, length * sizeof *target);
            i += length;
        } else {
            i += border_piece(target + i, first + (int64_t)i, width - i, row, count, border);
        }
    }
}
