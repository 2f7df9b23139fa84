/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "rows/strips.h"

#include <string.h>

#include "rows/rows.h"

enum { STRIPS_BAND = 16 }; /* rows that a task saves, at least */

/* Whether the cells around a seam are saved. At the map's own edges a strip has all that the border
 * needs, unless that is in another strip. */
static bool strips_have_seam(const terrain__strips *strips, uint32_t seam)
{
    const uint32_t count = strips->bands.count;
    return (seam > 0 && seam < count) || (terrain__border_repeats(strips->border) && count > 1);
}

void terrain__strips_prepare(terrain__call *call, terrain__strips *strips)
{
    uint32_t width = (strips->bands.count + 1) * 2 * strips->reach;
    if (terrain__strips_passes(strips) > 0) {
        strips->saved = terrain__scratch_plane(call, width, call->map.height);
    }
}

static void strips_save_band(terrain__call *call, uint32_t index)
{
    const terrain__strips *strips = call->pass;
    const terrain__bands bands = terrain__bands_of(call->map.height, STRIPS_BAND);
    const uint32_t count = strips->bands.count, reach = strips->reach;
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        float *saved = terrain__plane_row(&strips->saved, y);
        for (uint32_t seam = 0; seam <= count; seam++, saved += (size_t)2 * reach) {
            int64_t x = seam < count ? terrain__band_begin(&strips->bands, seam) : call->map.width;
            if (strips_have_seam(strips, seam)) {
                terrain__border_row(saved, x - (int64_t)reach, 2 * reach, terrain__map_row(call, y),
                                    call->map.width, strips->border);
            }
        }
    }
}

terrain_status terrain__strips_save(terrain__call *call, const terrain__strips *strips)
{
    if (terrain__strips_passes(strips) == 0) {
        return TERRAIN_SUCCESS;
    }
    call->pass = strips;
    return terrain__run(call, terrain__bands_of(call->map.height, STRIPS_BAND).count,
                        strips_save_band);
}

const float *terrain__strips_saved(const terrain__strips *strips, uint32_t index, uint32_t y,
                                   uint32_t side)
{
    size_t place = ((size_t)index + side) * 2 * strips->reach + (size_t)side * strips->reach;
    bool saved = strips_have_seam(strips, index + side);
    return saved ? terrain__plane_row(&strips->saved, y) + place : NULL;
}

void terrain__strips_beside(const terrain__call *call, const terrain__strips *strips,
                            uint32_t index, uint32_t y, const float *row, uint32_t side,
                            float *cells)
{
    const uint32_t width = call->map.width;
    const float *saved = terrain__strips_saved(strips, index, y, side);
    if (saved != NULL) {
        memcpy(cells, saved, strips->reach * sizeof *cells);
    } else {
        const int64_t first = side == 0 ? -(int64_t)strips->reach : (int64_t)width;
        terrain__border_row(cells, first, strips->reach, row, width, strips->border);
    }
}

void terrain__strips_row(const terrain__call *call, const terrain__strips *strips, uint32_t index,
                         uint32_t y, const float *row, const float *soon, float *cells)
{
    const uint32_t reach = strips->reach;
    const uint32_t begin = terrain__band_begin(&strips->bands, index);
    const uint32_t columns = terrain__band_end(&strips->bands, index) - begin;
    terrain__strips_beside(call, strips, index, y, row, 0, cells);
    terrain__strips_beside(call, strips, index, y, row, 1, cells + reach + columns);
    if (soon != NULL) {
        terrain__copy_row(cells + reach, row + begin, columns, soon + begin);
    } else {
        memcpy(cells + reach, row + begin, columns * sizeof *cells);
    }
}
