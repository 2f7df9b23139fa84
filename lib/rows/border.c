/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "rows/border.h"

#include <stdbool.h>
#include <string.h>

const char *const terrain__border_names[4] = {"clamp", "mirror", "wrap", "open"};

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

void terrain__border_row(float *target, int64_t first, uint32_t width, const float *row,
                         uint32_t count, terrain_border border)
{
    for (uint32_t i = 0; i < width;) {
        i += border_piece(target + i, first + (int64_t)i, width - i, row, count, border);
    }
}
