/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Sums along flow paths, tile by tile: R. Barnes, Parallel non-divergent flow accumulation for
 * trillion cell digital elevation models on desktops or clusters, Environmental Modelling &
 * Software 92, 2017.
 *
 *     tiles   each sums what falls on it, and tells of the cells at its sides how much leaves it
 *             there, and where what comes in there will leave it again             in parallel
 *     ways    from tile to tile: how much comes in where                           sides alone
 *     cells   each tile sums again, with what comes in                             in parallel
 *
 * Neighbours in a tree of the whole map lie far apart in memory; a tile's tree stays in the
 * first-level cache. Sums are integers: any order gives the same. */

#include <string.h>

#include "flow/tile.h"

#define AREAS_NOWHERE UINT32_MAX
#define AREAS_DONE UINT32_MAX

enum { AREAS_SIDES = 4 * FLOW_TILE }; /* numbers of a tile's cells at its sides */

/* A cell at the side of a tile. */
struct flow_side {
    uint64_t leaves; /* what flows out of the tile here */
    uint64_t comes;  /* what flows in here */
    uint32_t enters; /* the other tile's side that it flows to, or AREAS_NOWHERE */
    uint32_t end;    /* where what comes in here flows out again, or AREAS_NOWHERE: a pit */
    uint32_t waits;  /* for how many that end here */
};

static size_t areas_count(uint32_t width, uint32_t height)
{
    return (size_t)terrain__flow_tile_count(width) * terrain__flow_tile_count(height) * AREAS_SIDES;
}

void terrain__flow_prepare_sides(terrain__call *call, struct flow *flow, uint32_t width,
                                 uint32_t height)
{
    flow->sides = terrain__scratch(call, areas_count(width, height), sizeof *flow->sides);
    flow->waters =
        terrain__scratch(call, TERRAIN__MOST_TASKS * (size_t)FLOW_TILE_CELLS, sizeof *flow->waters);
}

/* The number of a cell of the map that lies at a side of its tile: above, below, left or right. */
static uint32_t areas_side(const struct flow *flow, uint32_t x, uint32_t y)
{
    const uint32_t columns = terrain__flow_tile_count(flow->width);
    const uint32_t first = (y / FLOW_TILE * columns + x / FLOW_TILE) * (uint32_t)AREAS_SIDES;
    const uint32_t in_x = x % FLOW_TILE, in_y = y % FLOW_TILE;
    if (in_y == 0) {
        return first + in_x;
    }
    if (in_y + 1 == FLOW_TILE || y + 1 == flow->height) {
        return first + FLOW_TILE + in_x;
    }
    return first + (in_x == 0 ? 2 * FLOW_TILE : 3 * FLOW_TILE) + in_y;
}

/* What a tile knows of its cell x, y. */
static void areas_tell(const struct flow *flow, const struct flow_tile *tile, uint64_t *water,
                       uint32_t x, uint32_t y)
{
    const uint32_t map_x = tile->x0 + x, map_y = tile->y0 + y;
    const uint32_t own = y * FLOW_TILE + x, last = tile->last[own];
    const uint32_t last_x = tile->x0 + last % FLOW_TILE, last_y = tile->y0 + last / FLOW_TILE;
    const uint8_t code = flow->directions[(size_t)last_y * flow->width + last_x];
    const bool flows = code != TERRAIN__FLOW_PIT && code != TERRAIN__FLOW_OUTLET;
    struct flow_side *side = &flow->sides[areas_side(flow, map_x, map_y)];
    side->end = flows ? areas_side(flow, last_x, last_y) : AREAS_NOWHERE;
    side->enters = AREAS_NOWHERE;
    if (flows && last == own) {
        side->leaves = water[own];
        side->enters = areas_side(flow, map_x + (uint32_t)terrain__flow_x[code],
                                  map_y + (uint32_t)terrain__flow_y[code]);
    }
}

/* The tile's own sums, of what is in `water` by its cells. */
static void areas_sum(const struct flow_tile *tile, uint64_t *water)
{
    for (uint32_t place = tile->count; place-- > tile->roots;) {
        water[tile->receivers[place]] += water[tile->cells[place]];
    }
}

static void areas_enter(const struct flow *flow, const struct flow_tile *tile, uint64_t *water,
                        uint32_t x, uint32_t y)
{
    struct flow_side *side = &flow->sides[areas_side(flow, tile->x0 + x, tile->y0 + y)];
    water[y * FLOW_TILE + x] += side->comes;
    side->comes = 0; /* cells at corners are met twice */
}

typedef void areas_visit(const struct flow *flow, const struct flow_tile *tile, uint64_t *water,
                         uint32_t x, uint32_t y);

/* Visits the cells at the tile's sides. */
static void areas_visit_sides(const struct flow *flow, const struct flow_tile *tile,
                              uint64_t *water, areas_visit *visit)
{
    for (uint32_t x = 0; x < tile->width; x++) {
        visit(flow, tile, water, x, 0);
        visit(flow, tile, water, x, tile->height - 1);
    }
    for (uint32_t y = 0; y < tile->height; y++) {
        visit(flow, tile, water, 0, y);
        visit(flow, tile, water, tile->width - 1, y);
    }
}

static void areas_sum_tile(const struct flow *flow, struct flow_tile *tile, uint64_t *water)
{
    terrain__flow_tile_grow(flow, tile);
    terrain__flow_tile_end(tile);
    areas_sum(tile, water);
    areas_visit_sides(flow, tile, water, areas_tell);
}

static void areas_sum_cells(const struct flow *flow, struct flow_tile *tile, uint64_t *water)
{
    terrain__flow_tile_grow(flow, tile);
    areas_visit_sides(flow, tile, water, areas_enter);
    areas_sum(tile, water);
}

void terrain__flow_sum_tiles(terrain__call *call, const struct flow *flow, uint32_t index,
                             terrain__flow_rain *rain, terrain__flow_rain *take)
{
    const terrain__bands bands = terrain__flow_tiles(flow);
    const uint32_t end = terrain__band_end(&bands, index);
    struct flow_tile *tile = terrain__flow_tile_of(flow, index);
    uint64_t *water = flow->waters + (size_t)index * FLOW_TILE_CELLS;
    for (uint32_t row = terrain__band_begin(&bands, index); row < end; row++) {
        for (uint32_t x0 = 0; x0 < flow->width; x0 += FLOW_TILE) {
            terrain__flow_tile_look(flow, tile, x0, row * FLOW_TILE);
            rain(call, tile, water);
            if (take == NULL) {
                areas_sum_tile(flow, tile, water);
            } else {
                areas_sum_cells(flow, tile, water);
                take(call, tile, water);
            }
        }
    }
}

/* Upstream first: what leaves a tile at a side flows to another tile's, and leaves that one where
 * this way ends. */
void terrain__flow_sum_ways(const struct flow *flow)
{
    const size_t count = areas_count(flow->width, flow->height);
    struct flow_side *sides = flow->sides;
    for (size_t i = 0; i < count; i++) {
        if (sides[i].enters != AREAS_NOWHERE && sides[sides[i].enters].end != AREAS_NOWHERE) {
            sides[sides[sides[i].enters].end].waits++;
        }
    }
    for (size_t i = 0; i < count; i++) {
        struct flow_side *from = &sides[i];
        while (from->enters != AREAS_NOWHERE && from->waits == 0) {
            struct flow_side *to = &sides[from->enters];
            from->waits = AREAS_DONE;
            to->comes += from->leaves;
            if (to->end == AREAS_NOWHERE) {
                break;
            }
            sides[to->end].leaves += from->leaves;
            from = &sides[to->end];
            from->waits--;
        }
    }
}

void terrain__flow_clear_sides(const struct flow *flow)
{
    const size_t count = areas_count(flow->width, flow->height);
    memset(flow->sides, 0, count * sizeof *flow->sides);
    for (size_t i = 0; i < count; i++) {
        flow->sides[i].enters = flow->sides[i].end = AREAS_NOWHERE;
    }
}
