/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Sums along flow paths, patch by patch: R. Barnes, Parallel non-divergent flow accumulation for
 * trillion cell digital elevation models on desktops or clusters, Environmental Modelling &
 * Software 92, 2017.
 *
 *     patches  each sums what falls on it, and tells of the cells at its sides how much leaves it
 *              there, and where what comes in there will leave it again            in parallel
 *     ways     from patch to patch: how much comes in where                        sides alone
 *     cells    each patch sums again, with what comes in                           in parallel
 *
 * Neighbours in a tree of the whole map lie far apart in memory; a patch's tree stays in the
 * first-level cache. Sums are integers: any order gives the same. */

#include <string.h>

#include "flow/patch.h"

#define AREAS_NOWHERE UINT32_MAX
#define AREAS_DONE UINT32_MAX

/* Numbers of a patch's cells at its sides. All are below AREAS_NOWHERE: of maps of 2^30 cells one
 * of a single row or column has the most patches, 2^24, and does not use the last one's last. */
enum { AREAS_SIDES = 4 * FLOW_PATCH };

/* A cell at the side of a patch. */
struct flow_side {
    uint64_t leaves; /* what flows out of the patch here */
    uint64_t comes;  /* what flows in here */
    uint32_t enters; /* the other patch's side that it flows to, or AREAS_NOWHERE */
    uint32_t end;    /* where what comes in here flows out again, or AREAS_NOWHERE: a pit */
    uint32_t waits;  /* for how many that end here */
};

static size_t areas_count(uint32_t width, uint32_t height)
{
    return (size_t)terrain__flow_patch_count(width) * terrain__flow_patch_count(height) *
           AREAS_SIDES;
}

void terrain__flow_prepare_sides(terrain__call *call, struct flow *flow, uint32_t width,
                                 uint32_t height)
{
    flow->sides = terrain__scratch(call, areas_count(width, height), sizeof *flow->sides);
    flow->waters = terrain__scratch(call, TERRAIN__MOST_TASKS * (size_t)FLOW_PATCH_CELLS,
                                    sizeof *flow->waters);
}

/* The number of a cell of the map that lies at a side of its patch: above, below, left or right. */
static uint32_t areas_side(const struct flow *flow, uint32_t x, uint32_t y)
{
    const uint32_t columns = terrain__flow_patch_count(flow->width);
    const uint32_t first = (y / FLOW_PATCH * columns + x / FLOW_PATCH) * (uint32_t)AREAS_SIDES;
    const uint32_t in_x = x % FLOW_PATCH, in_y = y % FLOW_PATCH;
    if (in_y == 0) {
        return first + in_x;
    }
    if (in_y + 1 == FLOW_PATCH || y + 1 == flow->height) {
        return first + FLOW_PATCH + in_x;
    }
    return first + (in_x == 0 ? 2 * FLOW_PATCH : 3 * FLOW_PATCH) + in_y;
}

/* What a patch knows of its cell x, y. */
static void areas_tell(const struct flow *flow, const struct flow_patch *patch, uint64_t *water,
                       uint32_t x, uint32_t y)
{
    const uint32_t map_x = patch->x0 + x, map_y = patch->y0 + y;
    const uint32_t own = y * FLOW_PATCH + x, last = patch->last[own];
    const uint32_t last_x = patch->x0 + last % FLOW_PATCH, last_y = patch->y0 + last / FLOW_PATCH;
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

/* The patch's own sums, of what is in `water` by its cells. */
static void areas_sum(const struct flow_patch *patch, uint64_t *water)
{
    for (uint32_t place = patch->count; place-- > patch->roots;) {
        water[patch->receivers[place]] += water[patch->cells[place]];
    }
}

static void areas_enter(const struct flow *flow, const struct flow_patch *patch, uint64_t *water,
                        uint32_t x, uint32_t y)
{
    struct flow_side *side = &flow->sides[areas_side(flow, patch->x0 + x, patch->y0 + y)];
    water[y * FLOW_PATCH + x] += side->comes;
    side->comes = 0; /* cells at corners are met twice */
}

typedef void areas_visit(const struct flow *flow, const struct flow_patch *patch, uint64_t *water,
                         uint32_t x, uint32_t y);

/* Visits the cells at the patch's sides. */
static void areas_visit_sides(const struct flow *flow, const struct flow_patch *patch,
                              uint64_t *water, areas_visit *visit)
{
    for (uint32_t x = 0; x < patch->width; x++) {
        visit(flow, patch, water, x, 0);
        visit(flow, patch, water, x, patch->height - 1);
    }
    for (uint32_t y = 0; y < patch->height; y++) {
        visit(flow, patch, water, 0, y);
        visit(flow, patch, water, patch->width - 1, y);
    }
}

static void areas_sum_patch(const struct flow *flow, struct flow_patch *patch, uint64_t *water)
{
    terrain__flow_patch_grow(flow, patch);
    terrain__flow_patch_end(patch);
    areas_sum(patch, water);
    areas_visit_sides(flow, patch, water, areas_tell);
}

static void areas_sum_cells(const struct flow *flow, struct flow_patch *patch, uint64_t *water)
{
    terrain__flow_patch_grow(flow, patch);
    areas_visit_sides(flow, patch, water, areas_enter);
    areas_sum(patch, water);
}

void terrain__flow_sum_patches(terrain__call *call, const struct flow *flow, uint32_t index,
                               terrain__flow_rain *rain, terrain__flow_rain *take)
{
    const terrain__bands bands = terrain__flow_patches(flow);
    const uint32_t end = terrain__band_end(&bands, index);
    struct flow_patch *patch = terrain__flow_patch_of(flow, index);
    uint64_t *water = flow->waters + (size_t)index * FLOW_PATCH_CELLS;
    for (uint32_t row = terrain__band_begin(&bands, index); row < end; row++) {
        for (uint32_t x0 = 0; x0 < flow->width; x0 += FLOW_PATCH) {
            terrain__flow_patch_look(flow, patch, x0, row * FLOW_PATCH);
            rain(call, patch, water);
            if (take == NULL) {
                areas_sum_patch(flow, patch, water);
            } else {
                areas_sum_cells(flow, patch, water);
                take(call, patch, water);
            }
        }
    }
}

/* Upstream first: what leaves a patch at a side flows to another patch's, and leaves that one where
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
