/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "blur/strips.h"

#include <string.h>

/* Whether the columns around seam `seam` are saved. At the map's own edges the strip has what it
 * needs, unless that is another strip's. */
static bool strips_have_seam(const struct terrain__strips *strips, uint32_t seam)
{
    uint32_t count = strips->bands.count;
    bool elsewhere =
        strips->border == TERRAIN_BORDER_MIRROR || strips->border == TERRAIN_BORDER_WRAP;
    return (seam > 0 && seam < count) || (elsewhere && count > 1);
}

void terrain__strips_prepare(terrain__call *call, struct terrain__strips *strips)
{
    uint32_t width = (strips->bands.count + 1) * 2 * strips->reach;
    strips->saved = terrain__scratch_plane(call, width, call->map.height);
}

void terrain__strips_save(const terrain__call *call, const struct terrain__strips *strips,
                          uint32_t begin, uint32_t end)
{
    uint32_t count = strips->bands.count;
    uint32_t reach = strips->reach;
    for (uint32_t y = begin; y < end; y++) {
        const float *row = call->map.cells + y * call->map.stride;
        float *saved = strips->saved.cells + y * strips->saved.stride;
        for (uint32_t seam = 0; seam <= count; seam++) {
            int64_t x = seam < count ? terrain__band_begin(&strips->bands, seam) : call->map.width;
            if (strips_have_seam(strips, seam)) {
                terrain__border_row(saved + (size_t)seam * 2 * reach, x - (int64_t)reach, 2 * reach,
                                    row, call->map.width, strips->border);
            }
        }
    }
}

const float *terrain__strips_saved(const struct terrain__strips *strips, uint32_t index, uint32_t y,
                                   uint32_t side)
{
    size_t place = ((size_t)index + side) * 2 * strips->reach + (size_t)side * strips->reach;
    bool saved = strips_have_seam(strips, index + side);
    return saved ? strips->saved.cells + y * strips->saved.stride + place : NULL;
}

void terrain__strips_side(const terrain__call *call, const struct terrain__strips *strips,
                          uint32_t index, uint32_t y, const float *row, uint32_t side, float *cells)
{
    const float *saved = terrain__strips_saved(strips, index, y, side);
    if (saved != NULL) {
        memcpy(cells, saved, strips->reach * sizeof *cells);
    } else {
        int64_t first = side == 0 ? -(int64_t)strips->reach : (int64_t)call->map.width;
        terrain__border_row(cells, first, strips->reach, row, call->map.width, strips->border);
    }
}
