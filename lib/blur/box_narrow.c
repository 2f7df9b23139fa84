/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* blur_box of narrow windows, whose cells are added one by one, as differences from the centre, so
 * that level ground stays level:
 *
 *     m[x] = h[x] + ((h[x - r] - h[x]) + ... + (h[x + r] - h[x])) / (2 r + 1)
 *
 * first along each row and then along each column. The way through the map: bands of rows, a task
 * for each, which goes through its strips of columns one after the other.
 *
 *     map, row y + reach     ..................     a strip's part of it; cells near its ends are
 *                                 | across          copied first, with those beside them
 *                                 v
 *     ring  y + reach        ..................     2 reach + 1 rows, which stay in the first-level
 *           ...              ..................     cache
 *           y - reach        ..................
 *                                 | down
 *                                 v
 *     map, row y             ..................     may overwrite the row that was read */

#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "blur/box.h"

enum {
    BOX_NARROW_BAND = 128,   /* rows of a band, at least: it averages 2 reach rows more */
    BOX_NARROW_STRIP = 1024, /* columns of a strip, at least */
    BOX_NARROW_SIDE = 2 * BOX_DIRECT + 3, /* cells of the widest window's side */
    BOX_NARROW_PAST = 16                  /* cells that the kernel reads past a row */
};

/* A band's part of a strip. */
struct box_narrow_part {
    uint32_t band, strip;
    uint32_t begin, columns; /* of the map */
    uint32_t slots;
    float *edged;                        /* a row of the strip, and the cells on both sides */
    const float *cells[BOX_NARROW_SIDE]; /* of the window around its first cell */
    /* The slots' rows, twice: no window needs to start over. */
    const float *ring[2 * BOX_NARROW_SIDE];
};

/* Slots of a band's ring: row y is in slot (y + reach) % slots. */
static uint32_t box_narrow_slots(uint32_t reach)
{
    return 2 * reach + 1;
}

static float *box_narrow_slot(const struct box_narrow *narrow, uint32_t band, uint32_t slot)
{
    return terrain__plane_row(&narrow->ring,
                              (int64_t)band * box_narrow_slots(narrow->reach) + slot);
}

/* Whether an open border cuts off part of the window around row or column i of `count`. */
static bool box_narrow_is_cut(const struct box_narrow *narrow, int64_t i, int64_t count)
{
    return narrow->border == TERRAIN_BORDER_OPEN &&
           (i < narrow->reach || count - i <= narrow->reach);
}

/* The mean of `width` windows around row or column i of `count`, of which an open border cuts off a
 * part. The centre takes the place of cells beyond the border: it adds nothing to the sum of
 * differences from it. */
static void box_narrow_cut(const terrain__call *call, float *target, const float **cells,
                           uint32_t width, int64_t i, int64_t count)
{
    const struct box_narrow *narrow = call->pass;
    const int64_t reach = narrow->reach;
    struct box_window window = narrow->window;
    window.inverse = (float)(1 / box_inside(&window, i, count));
    for (int64_t k = -reach; k <= reach; k++) {
        cells[k + reach] = cells[i + k < 0 || i + k >= count ? reach : k + reach];
    }
    terrain__box_kernels(call->isa)->direct(target, cells, width, &window);
}

/* ---- Across ---------------------------------------------------------------------------------- */

static float *box_narrow_ring_row(const struct box_narrow *narrow,
                                  const struct box_narrow_part *part, int64_t y)
{
    return box_narrow_slot(narrow, part->band, (uint32_t)(y + narrow->reach) % part->slots);
}

/* Copies row y of a strip, and what lies beside it, and asks for the next one: the processor does
 * not foresee it. False beyond an open border. */
static bool box_narrow_copy(const terrain__call *call, const struct box_narrow_part *part,
                            int64_t y)
{
    const struct box_narrow *narrow = call->pass;
    const uint32_t width = call->map.width, height = call->map.height;
    const int64_t own = terrain__border_cell(y, height, narrow->border);
    const bool far = terrain__is_far(width, height) && own + 1 < height;
    if (own >= 0) {
        terrain__strips_row(call, &narrow->strips, part->strip, (uint32_t)own,
                            terrain__rows_at(&narrow->rows, part->band, y),
                            far ? terrain__map_row(call, own + 1) : NULL, part->edged);
    }
    return own >= 0;
}

/* Averages row y across into the ring. Rows beyond an open border don't count. */
static void box_narrow_across(const terrain__call *call, const struct box_narrow_part *part,
                              int64_t y)
{
    const struct box_narrow *narrow = call->pass;
    const uint32_t reach = narrow->reach, width = call->map.width;
    float *target = box_narrow_ring_row(narrow, part, y);
    const float *cells[BOX_NARROW_SIDE];
    if (!box_narrow_copy(call, part, y)) {
        return;
    }
    terrain__box_kernels(call->isa)->direct(target, part->cells, part->columns, &narrow->window);
    for (uint32_t i = 0; narrow->border == TERRAIN_BORDER_OPEN && i < part->columns; i++) {
        if (box_narrow_is_cut(narrow, part->begin + i, width)) {
            for (uint32_t k = 0; k < 2 * reach + 1; k++) {
                cells[k] = part->edged + i + k;
            }
            box_narrow_cut(call, target + i, cells, 1, part->begin + i, width);
        }
    }
}

/* ---- Down ------------------------------------------------------------------------------------ */

/* Averages the ring's rows down into row y of the target. */
static void box_narrow_down(const terrain__call *call, const struct box_narrow_part *part,
                            uint32_t y)
{
    const struct box_narrow *narrow = call->pass;
    const uint32_t reach = narrow->reach;
    const float *const *rows = part->ring + y % part->slots; /* from y - reach on */
    float *target = terrain__target_row(call, y) + part->begin;
    if (box_narrow_is_cut(narrow, y, call->map.height)) {
        const float *cells[BOX_NARROW_SIDE];
        memcpy(cells, rows, (2 * reach + 1) * sizeof *cells);
        box_narrow_cut(call, target, cells, part->columns, y, call->map.height);
    } else {
        terrain__box_kernels(call->isa)->direct(target, rows, part->columns, &narrow->window);
    }
}

/* ---- Both at once ---------------------------------------------------------------------------- */

/* Whether row y of a strip is averaged down while row y + reach, one of the map, is averaged
 * across. */
static bool box_narrow_is_inner(const terrain__call *call, const struct box_narrow_part *part,
                                uint32_t y)
{
    const struct box_narrow *narrow = call->pass;
    return narrow->border != TERRAIN_BORDER_OPEN && part->columns >= 3 * BOX_GROUP &&
           (uint64_t)y + narrow->reach < call->map.height;
}

/* Most cells are averaged across where they are: to copy the row first would keep the processor
 * from computing while it waits for the second-level cache. */
static void box_narrow_both(const terrain__call *call, const struct box_narrow_part *part,
                            uint32_t y)
{
    enum { BEFORE = 8 };
    const struct box_narrow *narrow = call->pass;
    const uint32_t reach = narrow->reach, newest = y + reach, columns = part->columns;
    const uint32_t right = columns / BOX_GROUP * BOX_GROUP - BOX_GROUP, rest = columns - right;
    const uint32_t next = newest + (newest + 1 < call->map.height);
    const float *row = terrain__rows_at(&narrow->rows, part->band, newest);
    const float *inner = row + part->begin;
    float begin[BEFORE + BOX_GROUP + BEFORE], end[BEFORE + 2 * BOX_GROUP + BEFORE];
    memcpy(begin + BEFORE, inner, (BOX_GROUP + BEFORE) * sizeof *inner);
    memcpy(end, inner + right - BEFORE, (BEFORE + rest) * sizeof *inner);
    terrain__strips_beside(call, &narrow->strips, part->strip, newest, row, 0,
                           begin + BEFORE - reach);
    terrain__strips_beside(call, &narrow->strips, part->strip, newest, row, 1, end + BEFORE + rest);
    const struct box_narrow_cells cells = {
        .begin = begin + BEFORE,
        .inner = inner,
        .end = end + BEFORE,
        .next = terrain__map_row(call, next) + part->begin,
        .newest = box_narrow_ring_row(narrow, part, newest),
        .columns = columns,
    };
    terrain__box_kernels(call->isa)->narrow(terrain__target_row(call, y) + part->begin,
                                            part->ring + y % part->slots, &cells, &narrow->window);
}

static void box_narrow_part_run(const terrain__call *call, const struct box_narrow_part *part)
{
    const struct box_narrow *narrow = call->pass;
    const int64_t reach = narrow->reach;
    const uint32_t begin = terrain__band_begin(&narrow->rows.bands, part->band);
    const uint32_t end = terrain__band_end(&narrow->rows.bands, part->band);
    for (int64_t y = (int64_t)begin - reach; y < (int64_t)begin + reach; y++) {
        box_narrow_across(call, part, y);
    }
    for (uint32_t y = begin; y < end; y++) {
        if (box_narrow_is_inner(call, part, y)) {
            box_narrow_both(call, part, y);
        } else {
            box_narrow_across(call, part, y + reach);
            box_narrow_down(call, part, y);
        }
    }
}

static void box_narrow_band(terrain__call *call, uint32_t index)
{
    const struct box_narrow *narrow = call->pass;
    const terrain__bands *strips = &narrow->strips.bands;
    struct box_narrow_part part = {.band = index, .slots = box_narrow_slots(narrow->reach)};
    part.edged = terrain__plane_row(&narrow->edged, index);
    for (uint32_t k = 0; k < 2 * narrow->reach + 1; k++) {
        part.cells[k] = part.edged + k;
    }
    for (uint32_t i = 0; i < 2 * part.slots; i++) {
        part.ring[i] = box_narrow_slot(narrow, index, i % part.slots);
    }
    for (; part.strip < strips->count; part.strip++) {
        part.begin = terrain__band_begin(strips, part.strip);
        part.columns = terrain__band_end(strips, part.strip) - part.begin;
        box_narrow_part_run(call, &part);
    }
}

/* ---- A call ---------------------------------------------------------------------------------- */

void terrain__box_narrow_prepare(terrain__call *call, struct box_narrow *narrow,
                                 const struct box_window *window, terrain_border border)
{
    const uint32_t width = call->map.width, height = call->map.height;
    const terrain__bands bands =
        terrain__bands_of(height, terrain__is_alone(call) ? height : BOX_NARROW_BAND);
    narrow->window = *window;
    narrow->reach = box_reach(window);
    narrow->border = border;
    narrow->strips.bands = terrain__bands_of(width, BOX_NARROW_STRIP);
    narrow->strips.reach = narrow->reach;
    narrow->strips.border = border;
    narrow->rows.view = call->map;
    narrow->rows.border = border;
    narrow->rows.in_place = true;
    terrain__strips_prepare(call, &narrow->strips);
    terrain__rows_prepare(call, &narrow->rows, bands, narrow->reach);
    const uint32_t columns = terrain__lesser(narrow->strips.bands.rows_per_band, width);
    narrow->edged =
        terrain__scratch_plane(call, columns + 2 * narrow->reach + BOX_NARROW_PAST, bands.count);
    narrow->ring =
        terrain__scratch_plane(call, columns, bands.count * box_narrow_slots(narrow->reach));
    terrain__expect_passes(call, terrain__strips_passes(&narrow->strips) +
                                     terrain__rows_passes(&narrow->rows) + 1);
}

terrain_status terrain__box_narrow_run(terrain__call *call, const struct box_narrow *narrow)
{
    terrain_status status = terrain__strips_save(call, &narrow->strips);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__rows_save(call, &narrow->rows);
    }
    if (status == TERRAIN_SUCCESS) {
        call->pass = narrow;
        status = terrain__commit(call, narrow->rows.bands.count, box_narrow_band);
        call->pass = NULL;
    }
    return status;
}
