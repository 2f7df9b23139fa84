/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Receivers as a tree, breadth first: see flow.h.
 *
 *     place     0  1  2 | 3  4  5  6 | 7  8  9        roots, those that flow to roots, …
 *     parent    0  1  2 | 0  0  2  2 | 4  4  6        never falls
 *
 * What flows to one cell lies side by side, and parents are read in their order: sums and heights
 * along rivers stream through memory. */

#include <string.h>

#include "flow/flow.h"

/* donors of all cells. */
static void tree_find_donors(struct flow *flow)
{
    const uint32_t width = flow->width;
    const size_t pitch = (size_t)width + 2;
    uint8_t *rows = flow->rows;
    memset(rows, 0, 3 * pitch);
    memcpy(rows + pitch + 1, flow->directions, width);
    for (uint32_t y = 0; y < flow->height; y++) {
        const uint8_t *above = rows + y % 3 * pitch + 1;
        const uint8_t *centre = rows + (y + 1) % 3 * pitch + 1;
        uint8_t *below = rows + (y + 2) % 3 * pitch + 1;
        if (y + 1 < flow->height) {
            memcpy(below, flow->directions + (size_t)(y + 1) * width, width);
        } else {
            memset(below, 0, width);
        }
        flow->kernels->donors(flow->donors + (size_t)y * width, above, centre, below, width);
    }
}

/* Each set is that without its last member, and that member. Zeros follow. */
static void tree_lay_fans(struct flow *flow)
{
    struct flow_fans *fans = flow->fans;
    memset(fans, 0, sizeof *fans);
    for (int k = 0; k < 8; k++) {
        for (int set = 1 << k; set < 2 << k; set++) {
            const int before = set - (1 << k);
            const uint8_t count = fans->counts[before];
            memcpy(fans->steps[set], fans->steps[before], sizeof fans->steps[set]);
            memcpy(fans->ways[set], fans->ways[before], sizeof fans->ways[set]);
            fans->steps[set][count] = (int32_t)flow->steps[k + 1];
            fans->ways[set][count] = (uint8_t)((k + 4) % 8 + 1);
            fans->counts[set] = (uint8_t)(count + 1);
        }
    }
    fans->width = flow->width;
}

void terrain__flow_grow(struct flow *flow)
{
    const size_t cells = terrain__flow_cells(flow);
    const struct flow_tree *tree = &flow->tree;
    size_t count = 0;
    tree_find_donors(flow);
    if (flow->fans->width != flow->width) {
        tree_lay_fans(flow);
    }
    for (size_t i = 0; i < cells; i++) {
        while (i + 8 <= cells && terrain__flow_all_flow(flow->directions + i)) {
            i += 8;
        }
        if (i < cells && flow->directions[i] % TERRAIN__FLOW_OUTLET == TERRAIN__FLOW_PIT) {
            tree->cells[count] = (uint32_t)i;
            tree->parents[count] = (uint32_t)count;
            tree->ways[count++] = flow->directions[i];
        }
    }
    flow->roots = count;
    flow->kernels->grow(tree, count, flow->donors, flow->fans);
}

void terrain__flow_counts(const struct flow *flow, uint32_t *counts)
{
    const uint32_t *parents = flow->tree.parents;
    for (size_t place = terrain__flow_cells(flow); place-- > flow->roots;) {
        counts[parents[place]] += counts[place];
    }
}

void terrain__flow_sums(const struct flow *flow, uint64_t *sums)
{
    const uint32_t *parents = flow->tree.parents;
    for (size_t place = terrain__flow_cells(flow); place-- > flow->roots;) {
        sums[parents[place]] += sums[place];
    }
}

void terrain__flow_areas(const struct flow *flow, uint64_t *areas)
{
    const uint32_t *cells = flow->tree.cells, *parents = flow->tree.parents;
    for (size_t place = terrain__flow_cells(flow); place-- > flow->roots;) {
        areas[cells[parents[place]]] += areas[cells[place]];
    }
}

void terrain__flow_catchments(const struct flow *flow, uint32_t *counts)
{
    const size_t cells = terrain__flow_cells(flow);
    for (size_t place = 0; place < cells; place++) {
        counts[place] = 1;
    }
    for (size_t place = 0; place < flow->roots; place++) { /* NaN is an outlet, and thus a root */
        const float height = terrain__flow_height(flow, flow->tree.cells[place]);
        counts[place] = height == height;
    }
    terrain__flow_counts(flow, counts);
}

void terrain__flow_extend_counts(const struct flow *flow, uint32_t *counts, uint32_t least)
{
    const uint32_t *parents = flow->tree.parents;
    for (size_t place = terrain__flow_cells(flow); place-- > flow->roots;) {
        uint32_t *next = &counts[parents[place]];
        *next = counts[place] >= least && *next < least ? least : *next;
    }
}

void terrain__flow_extend_sums(const struct flow *flow, uint64_t *sums, uint64_t least)
{
    const uint32_t *parents = flow->tree.parents;
    for (size_t place = terrain__flow_cells(flow); place-- > flow->roots;) {
        uint64_t *next = &sums[parents[place]];
        *next = sums[place] >= least && *next < least ? least : *next;
    }
}

void terrain__flow_fill_rain(const terrain__call *call, terrain__view rain, uint64_t *areas)
{
    for (uint32_t y = 0; y < call->map.height; y++) {
        const float *heights = call->map.cells + y * call->map.stride;
        uint64_t *row = areas + (size_t)y * call->map.width;
        for (uint32_t x = 0; x < call->map.width; x++) {
            const float water = rain.cells == NULL ? 1 : rain.cells[y * rain.stride + x];
            row[x] =
                heights[x] == heights[x] ? terrain__flow_units(water, TERRAIN__FLOW_MOST_RAIN) : 0;
        }
    }
}
