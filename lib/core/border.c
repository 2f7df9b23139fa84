/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/border.h"

#include <string.h>

const char *const terrain__border_names[4] = {"clamp", "mirror", "wrap", "open"};

static float border_value(int64_t i, const float *row, uint32_t count, terrain_border border)
{
    int64_t cell = terrain__border_cell(i, count, border);
    return cell < 0 ? 0 : row[cell];
}

void terrain__border_row(float *target, int64_t first, uint32_t width, const float *row,
                         uint32_t count, terrain_border border)
{
    uint32_t i = 0;
    for (; i < width && first + i < 0; i++) {
        target[i] = border_value(first + i, row, count, border);
    }
    if (i < width && first + i < count) {
        int64_t inside = count - (first + i);
        uint32_t length = inside < width - i ? (uint32_t)inside : width - i;
        memcpy(target + i, row + (first + i), length * sizeof *row);
        i += length;
    }
    for (; i < width; i++) {
        target[i] = border_value(first + i, row, count, border);
    }
}
