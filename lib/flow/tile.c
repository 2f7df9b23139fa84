/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A tile's ways as a tree, breadth first like tree.c's, but from wherever water leaves the tile:
 * see tile.h. Growing it has no branch to mispredict, as walking has, and all that it touches stays
 * in the first-level cache, however large the map is. */

#include "flow/tile.h"

#include <string.h>

void terrain__flow_tile_lay_fans(struct flow_tile_fans *fans)
{
    memset(fans->steps[0], 0, sizeof fans->steps[0]);
    fans->counts[0] = 0;
    for (int k = 0; k < 8; k++) {
        const int step = terrain__flow_y[k + 1] * FLOW_TILE + terrain__flow_x[k + 1];
        for (int set = 1 << k; set < 2 << k; set++) {
            const int before = set - (1 << k);
            const uint8_t count = fans->counts[before];
            memcpy(fans->steps[set], fans->steps[before], sizeof fans->steps[set]);
            fans->steps[set][count] = (uint16_t)step;
            fans->counts[set] = (uint8_t)(count + 1);
        }
    }
}

void terrain__flow_tile_look(const struct flow *flow, struct flow_tile *tile, uint32_t x0,
                             uint32_t y0)
{
    const uint32_t right = flow->width - x0, below = flow->height - y0;
    tile->x0 = x0;
    tile->y0 = y0;
    tile->width = right < FLOW_TILE ? right : FLOW_TILE;
    tile->height = below < FLOW_TILE ? below : FLOW_TILE;
}

/* A cell at the tile's rim whose receiver lies outside is a root. */
static void tile_end_at(struct flow_tile *tile, uint32_t x, uint32_t y)
{
    uint8_t *code = tile->rows + (y + 1) * FLOW_TILE_PITCH + 8 + x;
    if (x + (uint32_t)terrain__flow_x[*code] >= tile->width ||
        y + (uint32_t)terrain__flow_y[*code] >= tile->height) {
        *code = TERRAIN__FLOW_PIT;
    }
}

/* Directions, with roots as pits and around them nothing that flows in. */
static void tile_load(const struct flow *flow, struct flow_tile *tile)
{
    memset(tile->rows, 0, (tile->height + 2) * (size_t)FLOW_TILE_PITCH);
    for (uint32_t y = 0; y < tile->height; y++) {
        memcpy(tile->rows + (y + 1) * FLOW_TILE_PITCH + 8,
               flow->directions + (size_t)(tile->y0 + y) * flow->width + tile->x0, tile->width);
        tile_end_at(tile, 0, y);
        tile_end_at(tile, tile->width - 1, y);
    }
    for (uint32_t x = 0; x < tile->width; x++) {
        tile_end_at(tile, x, 0);
        tile_end_at(tile, x, tile->height - 1);
    }
}

static void tile_find_roots(struct flow_tile *tile)
{
    tile->roots = 0;
    for (uint32_t y = 0; y < tile->height; y++) {
        const uint8_t *codes = tile->rows + (y + 1) * FLOW_TILE_PITCH + 8;
        for (uint32_t from = 0; from < tile->width; from += 8) {
            if (terrain__flow_all_flow(codes + from)) {
                continue;
            }
            for (uint32_t x = from; x < from + 8 && x < tile->width; x++) {
                tile->cells[tile->roots] = (uint16_t)(y * FLOW_TILE + x);
                tile->roots += codes[x] % TERRAIN__FLOW_OUTLET == TERRAIN__FLOW_PIT;
            }
        }
    }
}

void terrain__flow_tile_grow(const struct flow *flow, struct flow_tile *tile)
{
    const struct flow_tile_fans *fans = flow->tile_fans;
    uint16_t *cells = tile->cells, *receivers = tile->receivers;
    tile_load(flow, tile);
    for (uint32_t y = 0; y < tile->height; y++) {
        const uint8_t *above = tile->rows + y * FLOW_TILE_PITCH + 8;
        flow->kernels->donors(tile->donors + y * FLOW_TILE, above, above + FLOW_TILE_PITCH,
                              above + 2 * FLOW_TILE_PITCH, tile->width);
    }
    tile_find_roots(tile);
    uint32_t count = tile->roots;
    /* All eight are written, and the next cell's donors over those that are none. */
    for (uint32_t place = 0; place < count; place++) {
        const uint16_t cell = cells[place];
        const uint8_t set = tile->donors[cell];
        uint16_t fan[8], receiver[8];
        memcpy(fan, fans->steps[set], sizeof fan);
        for (int k = 0; k < 8; k++) {
            fan[k] = (uint16_t)(fan[k] + cell);
            receiver[k] = cell;
        }
        memcpy(cells + count, fan, sizeof fan);
        memcpy(receivers + count, receiver, sizeof receiver);
        count += fans->counts[set];
    }
    tile->count = count;
}

void terrain__flow_tile_end(struct flow_tile *tile)
{
    for (uint32_t place = 0; place < tile->roots; place++) {
        tile->last[tile->cells[place]] = tile->cells[place];
    }
    for (uint32_t place = tile->roots; place < tile->count; place++) {
        tile->last[tile->cells[place]] = tile->last[tile->receivers[place]];
    }
}
