/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Receivers as a tree, breadth first: see flow.h.
 *
 *     place     0  1  2 | 3  4  5  6 | 7  8  9        roots, those that flow to roots, …
 *     parent    0  1  2 | 0  0  2  2 | 4  4  6        never falls
 *
 * What flows to one cell lies side by side, and parents are read in their order: sums and heights
 * along rivers stream through memory.
 *
 * Two halves, for two threads: one has the roots on the white squares of a chessboard and grows
 * from the first place on, the other has those on the black ones and grows from the last place
 * backwards. How many cells either will have need not be known; but the ways of a few cells tell
 * where the largest catchments end, and these are dealt out by their size.
 *
 *     0  1  2 | 3  4  5  6 | …  →     gap     ←  … | 90 91 92 | 93 94
 *
 * One catchment can be most of the map. Where it is known which cells have much upstream, by an
 * earlier sweep or by the ways of a few cells, these are the trunk, few cells that come first, and
 * the halves share the branches, the large ones by their size. */

#include <string.h>

#include "flow/flow.h"

enum {
    TREE_SQUARE = 16,       /* cells on a side of a square */
    TREE_GROUP = 16,        /* branches that a half gets in a turn */
    TREE_SAMPLES = 12,      /* on a side of the map: TERRAIN__FLOW_LARGE in all */
    TREE_MANY = 18,         /* of these, an eighth, through a cell of the trunk */
    TREE_LEAST_CELLS = 8000 /* smaller maps have one half, as all have on one thread */
};

_Static_assert(TERRAIN__FLOW_LARGE == TREE_SAMPLES * TREE_SAMPLES, "each sample may find a root");
_Static_assert(TERRAIN__FLOW_LARGE < 256, "a byte holds a root's number");

uint32_t terrain__flow_halves(const struct flow *flow)
{
    return flow->alone || terrain__flow_cells(flow) < TREE_LEAST_CELLS ? 1 : 2;
}

terrain__bands terrain__flow_half_bands(const struct flow *flow)
{
    const uint32_t halves = terrain__flow_halves(flow);
    return terrain__bands_of(flow->height, terrain__divide_up(flow->height, halves));
}

static void tree_load_row(const struct flow *flow, const uint8_t *plane, uint8_t *row, int64_t y)
{
    if (y >= 0 && y < flow->height) {
        memcpy(row, plane + (size_t)y * flow->width, flow->width);
    } else {
        memset(row, 0, flow->width);
    }
}

/* What a kernel finds in the neighbours of each cell of a band. */
TERRAIN__INLINE void tree_look_around(const struct flow *flow, uint32_t index, const uint8_t *plane,
                                      uint8_t *found, flow_look_around *kernel)
{
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t begin = terrain__band_begin(&bands, index);
    const uint32_t end = terrain__band_end(&bands, index);
    const size_t pitch = (size_t)flow->width + 2;
    uint8_t *rows = flow->rows + index * flow->row_bytes;
    memset(rows, 0, 3 * pitch);
    tree_load_row(flow, plane, rows + ((size_t)begin + 2) % 3 * pitch + 1, (int64_t)begin - 1);
    tree_load_row(flow, plane, rows + (size_t)begin % 3 * pitch + 1, begin);
    for (uint32_t y = begin; y < end; y++) {
        const uint8_t *above = rows + ((size_t)y + 2) % 3 * pitch + 1;
        const uint8_t *centre = rows + (size_t)y % 3 * pitch + 1;
        uint8_t *below = rows + ((size_t)y + 1) % 3 * pitch + 1;
        tree_load_row(flow, plane, below, (int64_t)y + 1);
        kernel(found + (size_t)y * flow->width, above, centre, below, flow->width);
    }
}

void terrain__flow_find_donors(terrain__call *call, uint32_t index)
{
    const struct flow *flow = call->job;
    tree_look_around(flow, index, flow->directions, flow->donors, flow->kernels->donors);
}

void terrain__flow_count_givers(const struct flow *flow, uint32_t index, const uint8_t *shares,
                                uint8_t *counts)
{
    tree_look_around(flow, index, shares, counts, flow->kernels->givers);
}

/* Each set is that without its last member, and that member. Zeros are beside them. */
void terrain__flow_lay_fans(const struct flow *flow)
{
    struct flow_fans *fans = flow->fans;
    const uint32_t halves = terrain__flow_halves(flow);
    for (uint32_t down = 0; down < halves; down++) {
        memset(fans->steps[down][0], 0, sizeof fans->steps[down][0]);
        memset(fans->ways[down][0], 0, sizeof fans->ways[down][0]);
    }
    fans->counts[0] = 0;
    for (int k = 0; k < 8; k++) {
        for (int set = 1 << k; set < 2 << k; set++) {
            const int before = set - (1 << k);
            const uint8_t count = fans->counts[before];
            for (uint32_t down = 0; down < halves; down++) {
                int32_t *steps = fans->steps[down][set];
                uint8_t *ways = fans->ways[down][set];
                const int place = down ? 7 - count : count;
                memcpy(steps, fans->steps[down][before], sizeof fans->steps[down][set]);
                memcpy(ways, fans->ways[down][before], sizeof fans->ways[down][set]);
                steps[place] = (int32_t)flow->steps[k + 1];
                ways[place] = terrain__flow_back[k + 1];
            }
            fans->counts[set] = (uint8_t)(count + 1);
        }
    }
    fans->width = flow->width;
    fans->halves = halves;
}

/* One of the evenly spread cells. */
static uint32_t tree_sample(const struct flow *flow, uint32_t k)
{
    const uint64_t x = (2 * (k % TREE_SAMPLES) + 1) * (uint64_t)flow->width;
    const uint64_t y = (2 * (k / TREE_SAMPLES) + 1) * (uint64_t)flow->height;
    return (uint32_t)(y / (2 * TREE_SAMPLES)) * flow->width + (uint32_t)(x / (2 * TREE_SAMPLES));
}

/* Follows the ways of evenly spread cells. Each cell on them is told the number of their root, so
 * that a way ends where it meets another. */
static void tree_find_large(struct flow *flow)
{
    uint8_t *roots = flow->tree.ways; /* which are not needed yet */
    memset(roots, 0, terrain__flow_cells(flow));
    for (uint32_t k = 0; k < TREE_SAMPLES * TREE_SAMPLES; k++) {
        const uint32_t first = tree_sample(flow, k);
        uint32_t cell = first;
        while (roots[cell] == 0 && terrain__flow_receiver(flow, cell) != cell) {
            cell = terrain__flow_receiver(flow, cell);
        }
        if (roots[cell] == 0) {
            flow->large[flow->large_count] = (struct flow_root){.cell = cell};
            roots[cell] = (uint8_t)++flow->large_count;
        }
        const uint8_t root = roots[cell];
        flow->large[root - 1].samples++;
        for (cell = first; roots[cell] == 0; cell = terrain__flow_receiver(flow, cell)) {
            roots[cell] = root;
        }
    }
}

/* By cell, as tree_take_roots meets them. */
static void tree_sort_large(struct flow *flow)
{
    for (uint32_t k = 1; k < flow->large_count; k++) {
        const struct flow_root root = flow->large[k];
        uint32_t to = k;
        for (; to > 0 && flow->large[to - 1].cell > root.cell; to--) {
            flow->large[to] = flow->large[to - 1];
        }
        flow->large[to] = root;
    }
}

void terrain__flow_deal_roots(struct flow *flow)
{
    uint32_t sums[2] = {0, 0};
    flow->large_count = 0;
    if (terrain__flow_halves(flow) == 1) {
        return;
    }
    tree_find_large(flow);
    for (uint32_t samples = TERRAIN__FLOW_LARGE; samples > 0; samples--) {
        for (uint32_t k = 0; k < flow->large_count; k++) {
            if (flow->large[k].samples == samples) {
                flow->large[k].half = sums[1] < sums[0];
                sums[flow->large[k].half] += samples;
            }
        }
    }
    tree_sort_large(flow);
}

static void tree_take_root(const struct flow *flow, struct flow_half *half, uint32_t cell)
{
    const size_t place = terrain__flow_place(half, half->roots++);
    flow->tree.cells[place] = cell;
    flow->tree.parents[place] = (uint32_t)place;
    flow->tree.ways[place] = flow->directions[cell];
}

/* Adds the roots of up to 16 cells of a row, but for the large ones. `large` is how many of these
 * lie before the cells. */
static void tree_take_roots(const struct flow *flow, struct flow_half *half, size_t cell,
                            size_t count, uint32_t *large)
{
    const uint8_t *codes = flow->directions + cell;
    if (count == TREE_SQUARE && terrain__flow_all_flow(codes) &&
        terrain__flow_all_flow(codes + 8)) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        if (codes[i] % TERRAIN__FLOW_OUTLET == TERRAIN__FLOW_PIT) {
            while (*large < flow->large_count && flow->large[*large].cell < cell + i) {
                ++*large;
            }
            if (*large == flow->large_count || flow->large[*large].cell != cell + i) {
                tree_take_root(flow, half, (uint32_t)(cell + i));
            }
        }
    }
}

void terrain__flow_grow(struct flow *flow, uint32_t index)
{
    const uint32_t halves = terrain__flow_halves(flow), width = flow->width;
    /* Its own: the other half's lies in the same line of the cache. */
    struct flow_half half = {.first = index == 0 ? 0 : terrain__flow_places(flow) - 1,
                             .step = index == 0 ? 1 : -1};
    uint32_t large = 0;
    for (uint32_t k = 0; k < flow->large_count; k++) {
        if (flow->large[k].half == index) {
            tree_take_root(flow, &half, flow->large[k].cell);
        }
    }
    for (uint32_t y = 0; y < flow->height; y++) {
        const uint32_t square = halves == 1 ? 0 : (y / TREE_SQUARE + index) % 2;
        for (size_t x = (size_t)square * TREE_SQUARE; x < width; x += TREE_SQUARE * halves) {
            const size_t left = width - x;
            tree_take_roots(flow, &half, (size_t)y * width + x,
                            left < TREE_SQUARE ? left : TREE_SQUARE, &large);
        }
    }
    half.count = flow->kernels->grow(&flow->tree, &half, flow->donors, flow->fans);
    flow->halves[index] = half;
}

void terrain__flow_find_roots(struct flow *flow, uint32_t index)
{
    const terrain__bands bands = terrain__flow_bands(flow);
    const size_t begin = (size_t)terrain__band_begin(&bands, index) * flow->width;
    const size_t end = (size_t)terrain__band_end(&bands, index) * flow->width;
    const uint8_t *codes = flow->directions;
    uint32_t *roots = flow->tree.cells + begin, count = 0;
    for (size_t cell = begin; cell < end; cell++) {
        while (end - cell > 8 && terrain__flow_all_flow(codes + cell)) {
            cell += 8;
        }
        if (codes[cell] % TERRAIN__FLOW_OUTLET == TERRAIN__FLOW_PIT) {
            roots[count++] = (uint32_t)cell;
        }
    }
    flow->root_counts[index] = count;
}

/* Ways of evenly spread cells, each to where it meets an earlier one: first which cells these are,
 * then, the last way first, how many of the ways come through each of them. */
void terrain__flow_mark_trunk(const struct flow *flow, uint8_t *marks)
{
    enum { SAMPLES = TREE_SAMPLES * TREE_SAMPLES, SHARE = (TERRAIN__FLOW_TRUNK - 1) / TREE_MANY };
    uint32_t ends[SAMPLES];
    memset(marks, 0, terrain__flow_cells(flow));
    for (uint32_t k = 0; k < SAMPLES; k++) {
        uint32_t cell = tree_sample(flow, k);
        while (marks[cell] == 0 && terrain__flow_receiver(flow, cell) != cell) {
            marks[cell] = 1;
            cell = terrain__flow_receiver(flow, cell);
        }
        ends[k] = cell;
    }
    memset(marks, 0, terrain__flow_cells(flow));
    for (uint32_t k = SAMPLES; k-- > 0;) {
        uint32_t cell = tree_sample(flow, k), ways = 1;
        for (; cell != ends[k]; cell = terrain__flow_receiver(flow, cell)) {
            ways += marks[cell]; /* that meet this one here */
            marks[cell] = (uint8_t)(ways < TREE_MANY ? ways * SHARE : TERRAIN__FLOW_TRUNK);
        }
        marks[cell] = (uint8_t)(marks[cell] + ways);
    }
}

/* The cells that flow to a place of the trunk and are part of it join it. */
static void tree_join_donors(struct flow *flow, size_t place, const uint8_t *marks)
{
    const struct flow_tree *tree = &flow->tree;
    const uint32_t cell = tree->cells[place];
    const uint8_t set = flow->donors[cell];
    for (uint8_t k = 0; k < flow->fans->counts[set]; k++) {
        const uint32_t donor = cell + (uint32_t)flow->fans->steps[0][set][k];
        if (marks[donor] == TERRAIN__FLOW_TRUNK) {
            const size_t to = flow->trunk.count++;
            tree->cells[to] = donor;
            tree->parents[to] = (uint32_t)place;
            tree->ways[to] = flow->fans->ways[0][set][k];
        }
    }
}

/* Whose turn it is to get a branch. */
struct tree_turn {
    uint32_t sums[2]; /* marks of the branches that the halves have */
    uint32_t unmarked;
};

/* The others begin a branch each: in the half that has less of the marked ones so far, or unmarked
 * some in one half, then some in the other. */
static void tree_part_donors(struct flow *flow, size_t place, const uint8_t *marks,
                             struct tree_turn *turn)
{
    const struct flow_tree *tree = &flow->tree;
    const uint32_t cell = tree->cells[place];
    const uint8_t set = flow->donors[cell];
    const bool alone = terrain__flow_halves(flow) == 1;
    for (uint8_t k = 0; k < flow->fans->counts[set]; k++) {
        const uint32_t donor = cell + (uint32_t)flow->fans->steps[0][set][k];
        const uint8_t mark = marks[donor];
        if (mark != TERRAIN__FLOW_TRUNK) {
            const uint32_t next = turn->unmarked++ / TREE_GROUP % 2;
            const uint32_t index = alone ? 0 : mark == 0 ? next : turn->sums[1] < turn->sums[0];
            struct flow_half *half = &flow->halves[index];
            const size_t to = terrain__flow_place(half, half->roots++);
            tree->cells[to] = donor;
            tree->parents[to] = (uint32_t)place;
            tree->ways[to] = flow->fans->ways[0][set][k];
            turn->sums[index] += mark;
        }
    }
}

void terrain__flow_grow_trunk(struct flow *flow, const uint8_t *marks)
{
    const terrain__bands bands = terrain__flow_bands(flow);
    struct flow_half *trunk = &flow->trunk, *halves = flow->halves;
    struct tree_turn turn = {0};
    *trunk = (struct flow_half){.first = 0, .step = 1};
    for (uint32_t band = 0; band < bands.count; band++) {
        /* Not before the places that they get. */
        const size_t begin = (size_t)terrain__band_begin(&bands, band) * flow->width;
        for (uint32_t i = 0; i < flow->root_counts[band]; i++) {
            tree_take_root(flow, trunk, flow->tree.cells[begin + i]);
        }
    }
    trunk->count = trunk->roots;
    for (size_t place = 0; place < trunk->count; place++) {
        tree_join_donors(flow, place, marks);
    }
    halves[0] = (struct flow_half){.first = trunk->count, .step = 1};
    halves[1] = (struct flow_half){.first = terrain__flow_places(flow) - 1, .step = -1};
    for (size_t place = 0; place < trunk->count; place++) {
        tree_part_donors(flow, place, marks, &turn);
    }
}

void terrain__flow_grow_branches(struct flow *flow, uint32_t index)
{
    struct flow_half *half = &flow->halves[index];
    half->count = flow->kernels->grow(&flow->tree, half, flow->donors, flow->fans);
}

void terrain__flow_counts(const struct flow *flow, const struct flow_half *half, uint32_t *counts)
{
    const uint32_t *parents = flow->tree.parents;
    const size_t step = (size_t)half->step, end = terrain__flow_place(half, half->roots) - step;
    for (size_t place = terrain__flow_place(half, half->count) - step; place != end;
         place -= step) {
        counts[parents[place]] += counts[place];
    }
}

void terrain__flow_sums(const struct flow *flow, const struct flow_half *half, uint64_t *sums)
{
    const uint32_t *parents = flow->tree.parents;
    const size_t step = (size_t)half->step, end = terrain__flow_place(half, half->roots) - step;
    for (size_t place = terrain__flow_place(half, half->count) - step; place != end;
         place -= step) {
        sums[parents[place]] += sums[place];
    }
}

void terrain__flow_areas(const struct flow *flow, const struct flow_half *half, uint64_t *areas)
{
    const uint32_t *cells = flow->tree.cells, *parents = flow->tree.parents;
    for (size_t i = half->count; i-- > half->roots;) {
        const size_t place = terrain__flow_place(half, i);
        areas[cells[parents[place]]] += areas[cells[place]];
    }
}

void terrain__flow_catchments(const struct flow *flow, const struct flow_half *half,
                              uint32_t *counts)
{
    const size_t lowest = terrain__flow_lowest_place(half);
    for (size_t place = lowest; place < lowest + half->count; place++) {
        counts[place] = 1;
    }
    for (size_t i = 0; i < half->roots; i++) { /* NaN is an outlet, and thus a root */
        const size_t place = terrain__flow_place(half, i);
        const float height = terrain__flow_height(flow, flow->tree.cells[place]);
        counts[place] = height == height;
    }
    terrain__flow_counts(flow, half, counts);
}

void terrain__flow_extend_counts(const struct flow *flow, const struct flow_half *half,
                                 uint32_t *counts, uint32_t least)
{
    const uint32_t *parents = flow->tree.parents;
    for (size_t i = half->count; i-- > half->roots;) {
        const size_t place = terrain__flow_place(half, i);
        uint32_t *next = &counts[parents[place]];
        *next = counts[place] >= least && *next < least ? least : *next;
    }
}

void terrain__flow_extend_sums(const struct flow *flow, const struct flow_half *half,
                               uint64_t *sums, uint64_t least)
{
    const uint32_t *parents = flow->tree.parents;
    for (size_t i = half->count; i-- > half->roots;) {
        const size_t place = terrain__flow_place(half, i);
        uint64_t *next = &sums[parents[place]];
        *next = sums[place] >= least && *next < least ? least : *next;
    }
}

void terrain__flow_fill_rain(const terrain__call *call, uint32_t index, terrain__view rain,
                             uint64_t *areas)
{
    const terrain__bands bands = terrain__bands_of(call->map.height, TERRAIN__FLOW_BAND);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        const float *heights = call->map.cells + y * call->map.stride;
        uint64_t *row = areas + (size_t)y * call->map.width;
        for (uint32_t x = 0; x < call->map.width; x++) {
            const float water = rain.cells == NULL ? 1 : rain.cells[y * rain.stride + x];
            row[x] =
                heights[x] == heights[x] ? terrain__flow_units(water, TERRAIN__FLOW_MOST_RAIN) : 0;
        }
    }
}
