/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Basins, the passes between them, levels, carved ways and lakes: see flow.h. The passes of
 * terrain__flow_run_basins:
 *
 *   label     within each patch, then from patch to patch, then each cell  patches, one, patches
 *   collect   pairs of neighbours in two basins                                          patches
 *   join      chooses the lowest pairs within either half of the rows; left out on one thread, on
 *             small maps, and where a task's pairs are too many for its memory        two halves
 *   link      chooses among those that are left, which gives a spanning tree; and levels over the
 *             tree, from the root inwards                                                    one
 */

#include <string.h>

#include "flow/flow.h"
#include "flow/flow_kernels.h"
#include "flow/patch.h"

/* ---- Basins ----------------------------------------------------------------------------------
 *
 * Within a patch of 64 x 64 cells, each cell's way is followed to its last cell there: a pit, an
 * outlet, or a cell whose receiver lies in another patch. Then only ways from patch to patch are
 * walked.
 *
 * A label is first the number of that last cell, then FLOW_FINAL and a basin. */

#define FLOW_FINAL (~TERRAIN__FLOW_BASIN)

terrain__bands terrain__flow_patches(const struct flow *flow)
{
    return terrain__bands_of(terrain__flow_patch_count(flow->height), 1);
}

static void flow_patch_label(struct flow *flow, struct flow_patch *patch)
{
    const uint32_t base = patch->y0 * flow->width + patch->x0;
    terrain__flow_patch_grow(flow, patch);
    terrain__flow_patch_end(patch);
    for (uint32_t y = 0; y < patch->height; y++) {
        uint32_t *labels = flow->labels + (size_t)(patch->y0 + y) * flow->width + patch->x0;
        const uint16_t *last = patch->last + y * FLOW_PATCH;
        for (uint32_t x = 0; x < patch->width; x++) {
            uint32_t place = last[x];
            labels[x] =
                base + (place >> FLOW_PATCH_BITS) * flow->width + (place & (FLOW_PATCH - 1));
        }
    }
}

static void flow_label_patches(terrain__call *call, uint32_t index)
{
    struct flow *flow = call->job;
    const terrain__bands bands = terrain__flow_patches(flow);
    const uint32_t end = terrain__band_end(&bands, index);
    struct flow_patch *patch = terrain__flow_patch_of(flow, index);
    for (uint32_t row = terrain__band_begin(&bands, index); row < end; row++) {
        for (uint32_t x0 = 0; x0 < flow->width; x0 += FLOW_PATCH) {
            terrain__flow_patch_look(flow, patch, x0, row * FLOW_PATCH);
            flow_patch_label(flow, patch);
        }
    }
}

/* Follows the way from a cell whose receiver lies in another patch, and notes where it ends at all
 * such cells on it. */
static void flow_label_way(struct flow *flow, uint32_t cell)
{
    uint32_t label = cell;
    for (uint32_t c = cell; !(label & FLOW_FINAL);) {
        label = flow->labels[terrain__flow_receiver(flow, c)];
        if (!(label & FLOW_FINAL)) {
            c = label; /* the last in that patch */
            label = flow->labels[c];
        }
    }
    while (!(flow->labels[cell] & FLOW_FINAL)) {
        uint32_t next = flow->labels[terrain__flow_receiver(flow, cell)];
        flow->labels[cell] = label;
        cell = next & FLOW_FINAL ? cell : next;
    }
}

/* For cells at the sides of patches, whose x or y is the first or last within the patch. */
static void flow_label_if_last(struct flow *flow, uint32_t cell)
{
    if (flow->labels[cell] == cell) {
        flow_label_way(flow, cell);
    }
}

static void flow_label_ways(struct flow *flow)
{
    for (uint32_t y = 0; y < flow->height; y++) {
        const uint32_t row = y * flow->width;
        const uint32_t in_patch = y % FLOW_PATCH;
        if (in_patch == 0 || in_patch + 1 == FLOW_PATCH) {
            for (uint32_t x = 0; x < flow->width; x++) {
                flow_label_if_last(flow, row + x);
            }
            continue;
        }
        for (uint32_t x = 0; x < flow->width; x += FLOW_PATCH) {
            uint32_t last = x + FLOW_PATCH - 1;
            flow_label_if_last(flow, row + x);
            flow_label_if_last(flow, row + (last < flow->width ? last : x));
        }
    }
}

/* The basin of the lowest pit. */
static uint32_t flow_lowest_pit(const struct flow *flow)
{
    uint32_t lowest = 1;
    for (uint32_t b = 2; b < flow->basin_count; b++) {
        uint32_t key = terrain__flow_key(terrain__flow_height(flow, flow->pits[b]));
        lowest =
            key < terrain__flow_key(terrain__flow_height(flow, flow->pits[lowest])) ? b : lowest;
    }
    return lowest;
}

static void flow_label_pits(terrain__call *call, uint32_t index)
{
    struct flow *flow = call->job;
    const size_t cells = terrain__flow_cells(flow);
    size_t outlets = 0;
    (void)index;
    flow->basin_count = 1;
    for (size_t i = terrain__flow_find(flow, 0, TERRAIN__FLOW_OUTLET); i < cells;
         i = terrain__flow_find(flow, i + 1, TERRAIN__FLOW_OUTLET)) {
        flow->labels[i] = FLOW_FINAL;
        outlets++;
    }
    for (size_t i = terrain__flow_find(flow, 0, TERRAIN__FLOW_PIT); i < cells;
         i = terrain__flow_find(flow, i + 1, TERRAIN__FLOW_PIT)) {
        flow->pits[flow->basin_count] = (uint32_t)i;
        flow->labels[i] = FLOW_FINAL | flow->basin_count++;
    }
    flow->root = outlets > 0 ? 0 : flow_lowest_pit(flow);
    flow_label_ways(flow);
}

/* The last cells of ways within patches have final labels now. */
static void flow_label_cells(terrain__call *call, uint32_t index)
{
    const struct flow *flow = call->job;
    const terrain__bands bands = terrain__flow_patches(flow);
    const size_t begin = (size_t)terrain__band_begin(&bands, index) * FLOW_PATCH;
    const size_t rows = (size_t)terrain__band_end(&bands, index) * FLOW_PATCH;
    const size_t end = rows < flow->height ? rows : flow->height;
    uint32_t *labels = flow->labels;
    for (size_t i = begin * flow->width; i < end * flow->width; i++) {
        size_t last = labels[i] & FLOW_FINAL ? i : labels[i];
        labels[i] = labels[last];
    }
}

/* ---- Passes ----------------------------------------------------------------------------------
 *
 * A pair of neighbours in two basins is a number: its height's key, then its place (cell * 4 +
 * side), so that the lesser number is the lower pass. Of all pairs along the border of two basins
 * only the lowest can be a pass: most of the others are dropped while they are collected. Boruvka:
 * each component takes its lowest pair, components grow together, pairs within one are dropped,
 * until none is left.
 *
 * Two tasks begin, each with the pairs of one half of the rows. A component whose pairs all lie in
 * a half may choose there. Basins that reach the first row of the lower half have pairs in both,
 * and basin 0 may: they are chosen, but don't choose, nor do components that they are part of. What
 * is left then are few pairs, between those; one task goes on with them. */

/* In `links`: the component doesn't choose in a half. */
#define FLOW_SHARED (~TERRAIN__FLOW_BASIN)

static const uint8_t flow_sides[4] = {TERRAIN__FLOW_E, TERRAIN__FLOW_SW, TERRAIN__FLOW_S,
                                      TERRAIN__FLOW_SE};

static inline uint32_t flow_other_end(const struct flow *flow, uint32_t place)
{
    return (uint32_t)((ptrdiff_t)(place >> 2) + flow->steps[flow_sides[place & 3]]);
}

static inline uint64_t flow_pair(uint32_t key, uint32_t other, size_t place)
{
    return (uint64_t)(key > other ? key : other) << 32 | (uint32_t)place;
}

/* What a component has become a part of: its link's end. */
static inline uint32_t flow_link_end(const struct flow *flow, uint32_t component)
{
    while (!(component & FLOW_SHARED) && flow->links[component] != component) {
        component = flow->links[component];
    }
    return component;
}

/* Adds the pairs from `begin` to before `end` to the first `kept`, but for those within a
 * component; lets each component that chooses know of lower ones than it has. Returns how many are
 * kept then. */
static size_t flow_keep_pairs(struct flow *flow, const struct flow_join *join, size_t begin,
                              size_t end, size_t kept)
{
    struct flow_border *pairs = flow->pairs;
    uint64_t *low = flow->low;
    const uint32_t nobody = join->nobody;
    for (size_t i = begin; i < end; i++) {
        const uint64_t pair = pairs[i].pair;
        const uint32_t first = flow->links[pairs[i].first], second = flow->links[pairs[i].second];
        const uint32_t a = first & FLOW_SHARED ? nobody : first;
        const uint32_t b = second & FLOW_SHARED ? nobody : second;
        const uint64_t bid = first != second ? pair : UINT64_MAX;
        pairs[kept].pair = pair;
        pairs[kept].first = first & TERRAIN__FLOW_BASIN;
        pairs[kept].second = second & TERRAIN__FLOW_BASIN;
        kept += first != second;
        low[a] = bid < low[a] ? bid : low[a];
        low[b] = bid < low[b] ? bid : low[b];
    }
    return kept;
}

/* Each component's lowest pair joins it to another, and to the forest; two that chose each other
 * choose once. */
static void flow_choose(struct flow *flow, struct flow_join *join)
{
    const uint64_t *low = flow->low;
    uint32_t *others = flow->parents; /* of each component the one to join, while links are still
                                       * those before */
    for (uint32_t i = 0; i < join->listed; i++) {
        const uint32_t c = join->list[i];
        const uint32_t place = (uint32_t)low[c];
        others[c] = c;
        if (low[c] != UINT64_MAX) {
            const uint32_t a = flow_link_end(flow, terrain__flow_basin(flow, place >> 2));
            const uint32_t b =
                flow_link_end(flow, terrain__flow_basin(flow, flow_other_end(flow, place)));
            const uint32_t other = a == c ? b : a;
            const bool mutual = !(other & FLOW_SHARED) && low[other] == low[c];
            if (!mutual || c < other) {
                join->forest[join->size++] = low[c];
            }
            others[c] = mutual && c < other ? c : other;
        }
    }
    for (uint32_t i = 0; i < join->listed; i++) {
        flow->links[join->list[i]] = others[join->list[i]];
    }
}

/* Links all components to what they are part of now, and lists those that are still their own and
 * have not yet chosen again. */
static void flow_flatten(struct flow *flow, struct flow_join *join)
{
    uint32_t *links = flow->links;
    uint32_t listed = 0;
    for (uint32_t i = 0; i < join->listed; i++) {
        const uint32_t component = join->list[i], end = flow_link_end(flow, component);
        for (uint32_t c = component; links[c] != end;) {
            const uint32_t next = links[c];
            links[c] = end;
            c = next;
        }
        if (end == component && flow->low[component] != UINT64_MAX) {
            join->list[listed++] = component;
        }
    }
    join->listed = listed;
    for (uint32_t i = 0; i < listed; i++) {
        flow->low[join->list[i]] = UINT64_MAX;
    }
}

/* The spanning forest of the pairs that the components know of, as far as these choose. */
static void flow_span(struct flow *flow, struct flow_join *join)
{
    while (join->count > 0 && join->listed > 0) {
        flow_choose(flow, join);
        flow_flatten(flow, join);
        join->count =
            flow_keep_pairs(flow, join, join->begin, join->begin + join->count, join->begin) -
            join->begin;
    }
}

/* Components that may choose, and have no pair yet: all of the basins from `begin` to before `end`
 * that are their own. */
static void flow_list(struct flow *flow, struct flow_join *join, uint32_t begin, uint32_t end)
{
    join->listed = 0;
    for (uint32_t b = begin; b < end; b++) {
        flow->low[b] = UINT64_MAX;
        join->list[join->listed] = b;
        join->listed += flow->links[b] == b;
    }
}

/* Each basin is a component. */
static void flow_part_basins(struct flow *flow)
{
    for (uint32_t b = 0; b < flow->basin_count; b++) {
        flow->links[b] = b;
    }
}

/* Pairs, and where those of the borders that were met last are among them. */
struct flow_borders {
    struct flow_border *pairs;
    size_t count;
    uint32_t *recent; /* by a hash of the basins */
    uint32_t shift;   /* from 32 bits to the hash */
};

static struct flow_borders flow_borders_begin(const struct flow *flow, uint32_t index, size_t first,
                                              size_t count)
{
    const size_t recent = (size_t)1 << flow->recent_bits;
    const struct flow_borders borders = {.pairs = flow->pairs + first,
                                         .count = count,
                                         .recent = flow->recent + index * recent,
                                         .shift = 32 - flow->recent_bits};
    memset(borders.recent, 0, recent * sizeof *borders.recent);
    return borders;
}

/* Which sides of a cell are borders, by the bits of flow_kernels.borders: how many, and which. */
static const uint8_t flow_border_counts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
static const uint32_t flow_border_sides[16][4] = {
    {0, 0, 0, 0}, {0, 0, 0, 0}, {1, 0, 0, 0}, {0, 1, 0, 0}, {2, 0, 0, 0}, {0, 2, 0, 0},
    {1, 2, 0, 0}, {0, 1, 2, 0}, {3, 0, 0, 0}, {0, 3, 0, 0}, {1, 3, 0, 0}, {0, 1, 3, 0},
    {2, 3, 0, 0}, {0, 2, 3, 0}, {1, 2, 3, 0}, {0, 1, 2, 3},
};

/* A pair is appended, or takes the place of a higher one of the same two basins. */
static inline void flow_add_pair(struct flow_borders *borders, uint64_t pair, uint32_t first,
                                 uint32_t second)
{
    const uint32_t hash =
        (first * UINT32_C(0x9E3779B1) ^ second * UINT32_C(0x85EBCA6B)) >> borders->shift;
    const uint32_t known = borders->recent[hash];
    struct flow_border *border = &borders->pairs[known];
    if (known < borders->count && border->first == first && border->second == second) {
        border->pair = border->pair < pair ? border->pair : pair;
        return;
    }
    borders->recent[hash] = (uint32_t)borders->count;
    border = &borders->pairs[borders->count++];
    border->pair = pair;
    border->first = first;
    border->second = second;
}

/* The pairs within a row, and those of it with the row below. `scratch` is a task's. */
static void flow_append_row(struct flow *flow, uint32_t y, struct flow_borders *borders,
                            uint8_t *scratch)
{
    const uint32_t width = flow->width;
    const size_t row = (size_t)y * width;
    const uint32_t *labels = flow->labels + row;
    const bool last = y + 1 == flow->height;
    const uint32_t *below = last ? labels : labels + width;
    const float *heights = flow->heights + y * flow->stride;
    const float *next = last ? heights : heights + flow->stride;
    uint8_t *bits = scratch;
    uint32_t *list = (uint32_t *)(void *)(scratch + ((size_t)width + 63) / 64 * 64);
    size_t count = 0;
    if (width > 2) {
        flow->kernels->borders(bits + 1, labels + 1, below + 1, width - 2);
    }
    const uint32_t step = width > 1 ? width - 1 : 1; /* to the row's other end */
    for (uint32_t x = 0; x < width; x += step) {
        bits[x] = (uint8_t)((below[x] != labels[x]) * 4);
        bits[x] |= x + 1 < width && labels[x + 1] != labels[x] ? 1 : 0;
        bits[x] |= x > 0 && below[x - 1] != labels[x] ? 2 : 0;
        bits[x] |= x + 1 < width && below[x + 1] != labels[x] ? 8 : 0;
    }
    for (uint32_t x = 0; x < width; x++) {
        const uint32_t sides = last ? bits[x] & 1 : bits[x];
        const uint32_t cell = x * 4;
        for (int k = 0; k < 4; k++) {
            list[count + k] = cell + flow_border_sides[sides][k];
        }
        count += flow_border_counts[sides];
    }
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = list[i] >> 2, side = list[i] & 3;
        const uint32_t other = side == 0 ? x + 1 : x + side - 2;
        const float height = side == 0 ? heights[other] : next[other];
        const uint32_t label = side == 0 ? labels[other] : below[other];
        const uint64_t pair =
            flow_pair(terrain__flow_key(heights[x]), terrain__flow_key(height), row * 4 + list[i]);
        flow_add_pair(borders, pair, labels[x] & TERRAIN__FLOW_BASIN, label & TERRAIN__FLOW_BASIN);
    }
}

/* Collects the pairs of a row of patches in its share of the memory for them: those of all its
 * rows, or of the rows before the share is full. */
static void flow_collect_pairs(terrain__call *call, uint32_t index)
{
    struct flow *flow = call->job;
    const terrain__bands bands = terrain__flow_patches(flow);
    const size_t begin = (size_t)terrain__band_begin(&bands, index) * FLOW_PATCH;
    const size_t rows = (size_t)terrain__band_end(&bands, index) * FLOW_PATCH;
    const size_t end = rows < flow->height ? rows : flow->height;
    const size_t room = flow->pair_room / bands.count;
    struct flow_borders borders = flow_borders_begin(flow, index, index * room, 0);
    uint32_t y = (uint32_t)begin;
    for (; y < end && borders.count + 4 * (size_t)flow->width <= room; y++) {
        flow_append_row(flow, y, &borders, flow->rows + index * flow->row_bytes);
    }
    flow->collected[index].count = borders.count;
    flow->collected[index].begin = y;
    flow->collected[index].end = (uint32_t)end;
}

/* Decides whether halves of the rows choose first, and prepares these. */
static void flow_divide(struct flow *flow)
{
    const terrain__bands bands = terrain__flow_patches(flow);
    const uint32_t tasks = bands.count, middle = tasks / 2;
    const size_t room = flow->pair_room / tasks;
    flow->divided = terrain__flow_halves(flow) > 1 && tasks > 1;
    for (uint32_t index = 0; index < tasks; index++) {
        flow->divided &= flow->collected[index].begin == flow->collected[index].end;
    }
    flow_part_basins(flow);
    flow->joins[0] = (struct flow_join){.list = flow->inwards, .forest = flow->forest};
    if (!flow->divided) {
        return;
    }
    const size_t seam = (size_t)terrain__band_begin(&bands, middle) * FLOW_PATCH * flow->width;
    uint32_t lower = 1; /* the first basin whose pit lies in the lower half */
    while (lower < flow->basin_count && flow->pits[lower] < seam) {
        lower++;
    }
    flow->links[0] = FLOW_SHARED;
    for (uint32_t x = 0; x < flow->width; x++) {
        const uint32_t basin = terrain__flow_basin(flow, (uint32_t)seam + x);
        flow->links[basin] = FLOW_SHARED | basin;
    }
    flow->joins[0].basins = lower;
    flow->joins[0].tasks = middle;
    flow->joins[1] = (struct flow_join){
        .begin = middle * room,
        .list = flow->inwards + lower,
        .forest = flow->forest + lower,
        .nobody = flow->basin_count,
        .basins = flow->basin_count,
        .tasks = tasks,
    };
}

/* Packs what was collected in rows of patches from `first` to before `end`. */
static void flow_pack_pairs(struct flow *flow, struct flow_join *join, uint32_t first, uint32_t end)
{
    const size_t room = flow->pair_room / terrain__flow_patches(flow).count;
    size_t kept = join->begin;
    for (uint32_t index = first; index < end; index++) {
        const size_t begin = index * room;
        kept = flow_keep_pairs(flow, join, begin, begin + flow->collected[index].count, kept);
    }
    join->count = kept - join->begin;
}

static void flow_join_half(terrain__call *call, uint32_t half)
{
    struct flow *flow = call->job;
    struct flow_join *join = &flow->joins[half];
    const bool lower = half == 1;
    flow->low[join->nobody] = UINT64_MAX;
    flow_list(flow, join, lower ? flow->joins[0].basins : 1, join->basins);
    flow_pack_pairs(flow, join, lower ? flow->joins[0].tasks : 0, join->tasks);
    flow_span(flow, join);
}

/* One task takes over what the halves have left. */
static void flow_unite(struct flow *flow)
{
    struct flow_join *join = &flow->joins[0];
    const struct flow_join lower = flow->joins[1];
    memmove(join->forest + join->size, lower.forest, lower.size * sizeof *lower.forest);
    join->size += lower.size;
    for (uint32_t b = 0; b < flow->basin_count; b++) {
        flow->links[b] &= TERRAIN__FLOW_BASIN;
    }
    flow_list(flow, join, 0, flow->basin_count);
    join->count = flow_keep_pairs(flow, join, 0, join->count, 0);
    join->count = flow_keep_pairs(flow, join, lower.begin, lower.begin + lower.count, join->count);
}

/* Keeps only the spanning forest of all pairs: the tree can need no other of them. */
static void flow_thin_pairs(struct flow *flow, struct flow_join *join)
{
    flow_span(flow, join);
    for (size_t i = 0; i < join->size; i++) {
        const uint32_t place = (uint32_t)flow->forest[i];
        flow->pairs[i].pair = flow->forest[i];
        flow->pairs[i].first = terrain__flow_basin(flow, place >> 2);
        flow->pairs[i].second = terrain__flow_basin(flow, flow_other_end(flow, place));
    }
    flow_part_basins(flow);
    flow_list(flow, join, 0, flow->basin_count);
    join->count = flow_keep_pairs(flow, join, 0, join->size, 0);
    join->size = 0;
}

/* Adds the pairs of rows that were left out. Whenever the memory is full, pairs are thinned. */
static void flow_collect_rest(struct flow *flow, struct flow_join *join)
{
    const uint32_t tasks = terrain__flow_patches(flow).count;
    struct flow_borders borders = flow_borders_begin(flow, 0, 0, join->count);
    for (uint32_t index = 0; index < tasks; index++) {
        for (uint32_t y = flow->collected[index].begin; y < flow->collected[index].end; y++) {
            if (borders.count + 4 * (size_t)flow->width >= flow->pair_room) {
                join->count = flow_keep_pairs(flow, join, join->count, borders.count, join->count);
                flow_thin_pairs(flow, join);
                borders.count = join->count;
            }
            flow_append_row(flow, y, &borders, flow->rows);
        }
    }
    join->count = flow_keep_pairs(flow, join, join->count, borders.count, join->count);
}

static inline float flow_height_of(uint32_t key)
{
    uint32_t bits = key ^ (key >> 31 ? UINT32_C(0x80000000) : UINT32_MAX);
    float h;
    memcpy(&h, &bits, sizeof h);
    return key == 0 ? -INFINITY : h;
}

/* From the root inwards over the tree. */
static void flow_orient(struct flow *flow, size_t size)
{
    uint32_t *heads = flow->links; /* of each basin: its first side of a pair, as pair * 2 + end */
    uint32_t *nexts = (uint32_t *)(void *)flow->low; /* of each side: the basin's next one */
    const uint32_t none = UINT32_MAX;
    memset(heads, 0xFF, flow->basin_count * sizeof *heads);
    for (size_t e = 0; e < size; e++) {
        const uint32_t place = (uint32_t)flow->forest[e];
        const uint32_t a = terrain__flow_basin(flow, place >> 2);
        const uint32_t b = terrain__flow_basin(flow, flow_other_end(flow, place));
        nexts[2 * e] = heads[a];
        heads[a] = (uint32_t)(2 * e);
        nexts[2 * e + 1] = heads[b];
        heads[b] = (uint32_t)(2 * e + 1);
    }
    flow->linked = 1;
    flow->inwards[0] = flow->root;
    flow->parents[flow->root] = flow->root;
    flow->levels[flow->root] = -INFINITY;
    for (uint32_t i = 0; i < flow->linked; i++) {
        const uint32_t basin = flow->inwards[i];
        for (uint32_t side = heads[basin]; side != none; side = nexts[side]) {
            const uint64_t pair = flow->forest[side / 2];
            const uint32_t place = (uint32_t)pair;
            const uint32_t cell = side % 2 != 0 ? place >> 2 : flow_other_end(flow, place);
            const uint32_t other = terrain__flow_basin(flow, cell);
            const float height = flow_height_of((uint32_t)(pair >> 32));
            if (other != flow->parents[basin]) {
                flow->parents[other] = basin;
                flow->passes[other] = place;
                flow->levels[other] = height > flow->levels[basin] ? height : flow->levels[basin];
                flow->inwards[flow->linked++] = other;
            }
        }
    }
}

static void flow_link(terrain__call *call, uint32_t index)
{
    struct flow *flow = call->job;
    struct flow_join *join = &flow->joins[0];
    (void)index;
    if (flow->divided) {
        flow_unite(flow);
    } else {
        flow_list(flow, join, 0, flow->basin_count);
        flow_pack_pairs(flow, join, 0, terrain__flow_patches(flow).count);
        flow_collect_rest(flow, join);
    }
    flow_span(flow, join);
    flow_orient(flow, join->size);
}

terrain_status terrain__flow_run_basins(terrain__call *call)
{
    struct flow *flow = call->job;
    const uint32_t patches = terrain__flow_patches(flow).count;
    terrain_status status = terrain__run(call, patches, flow_label_patches);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, flow_label_pits);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, patches, flow_label_cells);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, patches, flow_collect_pairs);
    }
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    flow_divide(flow);
    if (flow->divided) {
        status = terrain__run(call, 2, flow_join_half);
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, flow_link) : status;
}

/* ---- Carved ways and lakes ------------------------------------------------------------------- */

/* The pass of a basin that is not the root: its last cell in the basin, its first one beyond. */
static void flow_pass(const struct flow *flow, uint32_t basin, uint32_t *inside, uint32_t *outside)
{
    const uint32_t place = flow->passes[basin];
    const uint32_t first = place >> 2, second = flow_other_end(flow, place);
    const bool is_inside = terrain__flow_basin(flow, first) == basin;
    *inside = is_inside ? first : second;
    *outside = is_inside ? second : first;
}

void terrain__flow_carve(terrain__call *call, uint32_t index)
{
    struct flow *flow = call->job;
    (void)index;
    for (uint32_t i = 1; i < flow->linked; i++) {
        const uint32_t basin = flow->inwards[i];
        const uint8_t side = flow_sides[flow->passes[basin] & 3];
        uint32_t cell, outside;
        uint8_t onwards;
        flow_pass(flow, basin, &cell, &outside);
        onwards = cell == flow->passes[basin] >> 2 ? side : terrain__flow_back[side];
        for (uint8_t code = UINT8_MAX; code != TERRAIN__FLOW_PIT;) {
            code = flow->directions[cell];
            flow->directions[cell] = onwards;
            cell = (uint32_t)((ptrdiff_t)cell + flow->steps[code]);
            onwards = terrain__flow_back[code];
        }
    }
}

terrain_status terrain__flow_run_carve(terrain__call *call)
{
    terrain_status status = terrain__flow_run_basins(call);
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, terrain__flow_carve) : status;
}

void terrain__flow_lakes(struct flow *flow, uint32_t *lowest)
{
    uint32_t *lakes = flow->links; /* of each basin: the one of its lake next to the outlet */
    for (uint32_t i = 0; i < flow->linked; i++) {
        const uint32_t basin = flow->inwards[i];
        lakes[basin] = lowest[basin] = basin;
        if (basin != flow->root) {
            const uint32_t place = flow->passes[basin];
            const float first = terrain__flow_height(flow, place >> 2);
            const float second = terrain__flow_height(flow, flow_other_end(flow, place));
            const bool drowned = first < flow->levels[basin] && second < flow->levels[basin];
            lakes[basin] = drowned ? lakes[flow->parents[basin]] : basin;
            lowest[basin] = flow->pits[basin];
        }
    }
    for (uint32_t i = 1; i < flow->linked; i++) {
        const uint32_t basin = flow->inwards[i], lake = lakes[basin];
        const uint32_t key = terrain__flow_key(terrain__flow_height(flow, lowest[basin]));
        const uint32_t least = terrain__flow_key(terrain__flow_height(flow, lowest[lake]));
        const bool lower = key < least || (key == least && lowest[basin] < lowest[lake]);
        lowest[lake] = lower ? lowest[basin] : lowest[lake];
    }
    for (uint32_t i = 1; i < flow->linked; i++) {
        lowest[flow->inwards[i]] = lowest[lakes[flow->inwards[i]]];
    }
}
