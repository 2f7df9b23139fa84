/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Water on a bounded map: see flow.h. */

#include "flow/flow.h"

#include <string.h>

#include "base/cache.h"
#include "base/math.h"
#include "flow/flow_kernels.h"
#include "flow/patch.h"

enum {
    FLOW_LEVEL = TERRAIN__FLOW_OUTLET + 1, /* of directions: level, not yet reached */
    FLOW_REACHED = 16                      /* of directions: reached with the present step */
};

const int8_t terrain__flow_x[16] = {0, 1, 1, 0, -1, -1, -1, 0, 1};
const int8_t terrain__flow_y[16] = {0, 0, 1, 1, 1, 0, -1, -1, -1};
const uint8_t terrain__flow_back[9] = {0, 5, 6, 7, 8, 1, 2, 3, 4};

/* ---- Memory, and what to look at ------------------------------------------------------------- */

/* No two pits are neighbours. Basin 0 has none. */
size_t terrain__flow_most_basins(uint32_t width, uint32_t height)
{
    return ((size_t)width + 1) / 2 * (((size_t)height + 1) / 2) + 1;
}

_Static_assert(sizeof(struct flow_border) == 4 * sizeof(uint32_t), "pairs hold queues of cells");

/* Borders go on into the next row: eight for each cell of a row are remembered, in at most 64 KiB
 * a task. */
static uint32_t flow_recent_bits(uint32_t width)
{
    uint32_t bits = 6;
    while (bits < 14 && (UINT32_C(1) << bits) < 8 * (uint64_t)width) {
        bits++;
    }
    return bits;
}

void terrain__flow_prepare_basins(terrain__call *call, struct flow *flow, uint32_t width,
                                  uint32_t height)
{
    const size_t cells = (size_t)width * height;
    const size_t basins = terrain__flow_most_basins(width, height);
    flow->labels = terrain__scratch(call, cells, sizeof *flow->labels);
    flow->pits = terrain__scratch(call, basins, sizeof *flow->pits);
    flow->passes = terrain__scratch(call, basins, sizeof *flow->passes);
    flow->levels = terrain__scratch(call, basins, sizeof *flow->levels);
    flow->parents = terrain__scratch(call, basins, sizeof *flow->parents);
    flow->inwards = terrain__scratch(call, basins, sizeof *flow->inwards);
    /* Room for the spanning forest and one more row's pairs is enough, as pairs are thinned when it
     * is full; and a fourth of the cells, since the queues of flow_cross_flats, four bytes a cell,
     * lie there before. */
    flow->pair_room = cells / 4 + 4 * (size_t)width + basins;
    flow->pairs = terrain__scratch(call, flow->pair_room, sizeof *flow->pairs);
    flow->recent_bits = flow_recent_bits(width);
    flow->recent =
        terrain__scratch(call, terrain__bands_of(terrain__flow_patch_count(height), 1).count,
                         sizeof *flow->recent << flow->recent_bits);
    flow->low = terrain__scratch(call, basins + 1, sizeof *flow->low);
    flow->forest = terrain__scratch(call, basins, sizeof *flow->forest);
    flow->links = terrain__scratch(call, basins, sizeof *flow->links);
}

terrain_status terrain__flow_prepare(terrain__call *call, struct flow *flow, uint32_t width,
                                     uint32_t height, uint32_t needs)
{
    const size_t cells = (size_t)width * height;
    /* And no more rows of patches. */
    const uint32_t bands = terrain__divide_up(height, TERRAIN__FLOW_BAND);
    const uint32_t tasks = bands < TERRAIN__MOST_TASKS ? bands : TERRAIN__MOST_TASKS;
    if ((uint64_t)width * height > TERRAIN__FLOW_MOST_CELLS) {
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED,
                             "the map is %lux%lu, must have at most 2^30 cells",
                             (unsigned long)width, (unsigned long)height);
    }
    flow->kernels = terrain__flow_kernels(call->isa);
    flow->alone = terrain__is_alone(call);
    /* Three rows of heights, or a row's borders, of which a cell has up to four; or a patch. */
    const size_t rows = 5 * ((size_t)width + 4 * TERRAIN__FLOW_PAD);
    const size_t patch = sizeof(struct flow_patch) / sizeof(float) + 1;
    flow->row_bytes = terrain__whole_lines(rows > patch ? rows : patch) * sizeof(float);
    flow->rows = terrain__scratch(call, tasks, flow->row_bytes);
    flow->patch_fans = terrain__scratch(call, 1, sizeof *flow->patch_fans);
    if (flow->patch_fans != NULL) {
        terrain__flow_patch_lay_fans(flow->patch_fans);
    }
    flow->directions = terrain__scratch(call, cells, 1);
    if (needs & TERRAIN__FLOW_NEEDS_BASINS) {
        terrain__flow_prepare_basins(call, flow, width, height);
    }
    if (needs & TERRAIN__FLOW_NEEDS_TREE) {
        const size_t places = cells + TERRAIN__FLOW_TREE_PAD;
        flow->donors = terrain__scratch(call, cells, 1);
        flow->fans = terrain__scratch(call, 1, sizeof *flow->fans);
        if (flow->fans != NULL) {
            flow->fans->width = 0;
        }
        flow->tree.cells = terrain__scratch(call, places, sizeof *flow->tree.cells);
        flow->tree.parents = terrain__scratch(call, places, sizeof *flow->tree.parents);
        flow->tree.ways = terrain__scratch(call, places, 1);
        flow->large = terrain__scratch(call, TERRAIN__FLOW_LARGE, sizeof *flow->large);
    }
    return TERRAIN_SUCCESS;
}

void terrain__flow_look(struct flow *flow, const float *heights, size_t stride, uint32_t width,
                        uint32_t height, bool open)
{
    flow->heights = heights;
    flow->stride = stride;
    flow->width = width;
    flow->height = height;
    flow->open = open;
    for (int d = 0; d < 16; d++) {
        flow->steps[d] = terrain__flow_y[d] * (ptrdiff_t)width + terrain__flow_x[d];
        flow->height_steps[d] = terrain__flow_y[d] * (ptrdiff_t)stride + terrain__flow_x[d];
    }
    if (flow->fans != NULL &&
        (flow->fans->width != width || flow->fans->halves != terrain__flow_halves(flow))) {
        terrain__flow_lay_fans(flow);
    }
}

terrain_status terrain__flow_prepare_map(terrain__call *call, struct flow *flow, uint32_t needs,
                                         terrain_rim rim)
{
    const uint32_t width = call->target.width, height = call->target.height;
    terrain_status status = terrain__flow_prepare(call, flow, width, height, needs);
    if (status == TERRAIN_SUCCESS) {
        terrain__flow_look(flow, call->map.cells, call->map.stride, width, height,
                           rim == TERRAIN_RIM_OPEN);
    }
    return status;
}

const terrain__world_regions terrain__flow_regions = {
    .core = 512,
    .combining = TERRAIN__COMBINE_LEAST,
};

/* ---- Receivers ------------------------------------------------------------------------------- */

terrain__bands terrain__flow_bands(const struct flow *flow)
{
    return terrain__bands_of(flow->height, TERRAIN__FLOW_BAND);
}

/* Makes cells `begin` to end - 1 of a row of keys or of ground such that no water flows to them. */
static void flow_wall(void *row, int64_t begin, int64_t end, bool keys)
{
    int32_t *key = row;
    float *ground = row;
    for (int64_t x = begin; x < end; x++) {
        if (keys) {
            key[x] = INT32_MAX;
        } else {
            ground[x] = INFINITY;
        }
    }
}

/* Row y as keys or as ground, with a wall around it; a row outside the map is all wall. */
static void flow_load_row(const struct flow *flow, void *row, int64_t y, bool keys)
{
    const int64_t width = flow->width;
    if (y < 0 || y >= flow->height) {
        flow_wall(row, -TERRAIN__FLOW_PAD, width + TERRAIN__FLOW_PAD, keys);
        return;
    }
    const float *heights = flow->heights + (size_t)y * flow->stride;
    if (keys) {
        flow->kernels->keys(row, heights, flow->width);
    } else {
        flow->kernels->ground(row, heights, flow->width);
    }
    flow_wall(row, -TERRAIN__FLOW_PAD, 0, keys);
    flow_wall(row, width, width + TERRAIN__FLOW_PAD, keys);
}

void terrain__flow_open_row(const struct flow *flow, uint32_t y)
{
    uint8_t *directions = flow->directions + (size_t)y * flow->width;
    if (flow->open && (y == 0 || y + 1 == flow->height)) {
        memset(directions, TERRAIN__FLOW_OUTLET, flow->width);
    } else if (flow->open) {
        directions[0] = directions[flow->width - 1] = TERRAIN__FLOW_OUTLET;
    }
}

/* Three rows that move down a band. */
struct flow_ring {
    float *first;
    size_t pitch;
    bool keys;
};

static struct flow_ring flow_ring_begin(const struct flow *flow, uint32_t index, uint32_t begin,
                                        bool keys)
{
    struct flow_ring ring;
    ring.first = (float *)(void *)(flow->rows + index * flow->row_bytes) + TERRAIN__FLOW_PAD;
    ring.pitch = (size_t)flow->width + 4 * TERRAIN__FLOW_PAD;
    ring.keys = keys;
    for (int64_t y = (int64_t)begin - 1; y <= (int64_t)begin; y++) {
        flow_load_row(flow, ring.first + (size_t)(y + 3) % 3 * ring.pitch, y, keys);
    }
    return ring;
}

static struct flow_rows flow_ring_at(const struct flow *flow, const struct flow_ring *ring,
                                     uint32_t y)
{
    struct flow_rows rows;
    flow_load_row(flow, ring->first + (size_t)(y + 1) % 3 * ring->pitch, (int64_t)y + 1,
                  ring->keys);
    rows.width = flow->width;
    rows.above = ring->first + ((size_t)y + 2) % 3 * ring->pitch;
    rows.centre = ring->first + (size_t)y % 3 * ring->pitch;
    rows.below = ring->first + ((size_t)y + 1) % 3 * ring->pitch;
    rows.heights = flow->heights + y * flow->stride;
    return rows;
}

static void flow_receive(const terrain__call *call, uint32_t index, bool keys)
{
    const struct flow *flow = call->job;
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t begin = terrain__band_begin(&bands, index);
    const uint32_t end = terrain__band_end(&bands, index);
    const struct flow_ring ring = flow_ring_begin(flow, index, begin, keys);
    for (uint32_t y = begin; y < end; y++) {
        uint8_t *directions = flow->directions + (size_t)y * flow->width;
        const struct flow_rows rows = flow_ring_at(flow, &ring, y);
        if (keys) {
            flow->kernels->lowest(directions, &rows);
        } else if (flow->diagonals == NULL) {
            flow->kernels->steepest(directions, &rows, TERRAIN__FLOW_DIAGONAL);
        } else {
            flow->kernels->dithered(directions, &rows, flow->diagonals + (size_t)y * flow->width);
        }
        terrain__flow_open_row(flow, y);
    }
}

void terrain__flow_part(const struct flow *flow, uint32_t index, float exponent, int32_t *parts)
{
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t begin = terrain__band_begin(&bands, index);
    const uint32_t end = terrain__band_end(&bands, index);
    const struct flow_ring ring = flow_ring_begin(flow, index, begin, false);
    for (uint32_t y = begin; y < end; y++) {
        const struct flow_rows rows = flow_ring_at(flow, &ring, y);
        flow->kernels->part(parts + (size_t)y * flow->width * 8, &rows, exponent);
    }
}

/* The lowest of the nine cells in the order of flow.h. Never leads to a cycle: all cells between a
 * pit and its basin's rim fall, or are level and lead to an earlier cell. */
static void flow_receive_lowest(terrain__call *call, uint32_t index)
{
    flow_receive(call, index, true);
}

terrain_status terrain__flow_run_lowest(terrain__call *call)
{
    return terrain__run(call, terrain__flow_bands(call->job).count, flow_receive_lowest);
}

void terrain__flow_steepest(terrain__call *call, uint32_t index)
{
    flow_receive(call, index, false);
}

terrain_status terrain__flow_run_steepest(terrain__call *call)
{
    return terrain__run(call, terrain__flow_bands(call->job).count, terrain__flow_steepest);
}

/* Along the known rivers. */
static void flow_follow_rivers(terrain__call *call, uint32_t index)
{
    const struct flow *flow = call->job;
    const terrain__view known = flow->known;
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        const float *heights = flow->heights + (size_t)y * flow->stride;
        uint8_t *directions = flow->directions + (size_t)y * flow->width;
        for (uint32_t x = 0; x < flow->width; x++) {
            float most = -INFINITY;
            directions[x] =
                heights[x] == heights[x] ? TERRAIN__FLOW_PIT : (uint8_t)TERRAIN__FLOW_OUTLET;
            for (uint8_t d = TERRAIN__FLOW_E; d <= TERRAIN__FLOW_NE; d++) {
                if (directions[x] != TERRAIN__FLOW_OUTLET &&
                    terrain__flow_has_neighbour(flow, x, y, d) &&
                    !((heights + x)[flow->height_steps[d]] >= heights[x])) {
                    const uint32_t nx = x + (uint32_t)terrain__flow_x[d];
                    const uint32_t ny = y + (uint32_t)terrain__flow_y[d];
                    const float w = known.cells[ny * known.stride + nx];
                    const float some = w > 0 ? w : 0;
                    directions[x] = some > most ? d : directions[x];
                    most = some > most ? some : most;
                }
            }
        }
        terrain__flow_open_row(flow, y);
    }
}

static void flow_dither_row(const struct flow *flow, float *diagonals, uint64_t row, int64_t x)
{
    for (uint32_t i = 0, count; i < flow->width; i += count) {
        count = terrain__random_run(x + i, flow->width - i);
        flow->kernels->dither(diagonals + i, terrain__random_column(row, x + i), (uint32_t)(x + i),
                              count);
    }
}

void terrain__flow_dither(const struct flow *flow, uint32_t index, int64_t x, int64_t y)
{
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t row = terrain__band_begin(&bands, index); row < end; row++) {
        flow_dither_row(flow, flow->diagonals + (size_t)row * flow->width,
                        terrain__random_row(flow->dither, y + row), x);
    }
}

/* ---- Level ground ---------------------------------------------------------------------------- */

/* Directions in the order of (y, x) of the neighbours. */
static const uint8_t flow_order_of_rows[8] = {TERRAIN__FLOW_NW, TERRAIN__FLOW_N, TERRAIN__FLOW_NE,
                                              TERRAIN__FLOW_W,  TERRAIN__FLOW_E, TERRAIN__FLOW_SW,
                                              TERRAIN__FLOW_S,  TERRAIN__FLOW_SE};

/* Whether a cell has eight neighbours. */
static bool flow_is_inside(const struct flow *flow, uint32_t x, uint32_t y)
{
    return x > 0 && y > 0 && x + 1 < flow->width && y + 1 < flow->height;
}

/* The neighbours of a settled cell that are as high and not settled: bit d for the one in direction
 * d. In place of those of other heights, which another task may be changing, it looks at the cell
 * itself. */
static inline uint32_t flow_unsettled(const struct flow *flow, uint32_t x, uint32_t y)
{
    const uint8_t *code = flow->directions + (size_t)y * flow->width + x;
    const float *height = flow->heights + (size_t)y * flow->stride + x;
    const bool inside = flow_is_inside(flow, x, y);
    uint32_t bits = 0;
    for (int d = TERRAIN__FLOW_E; d <= TERRAIN__FLOW_NE; d++) {
        if (inside || terrain__flow_has_neighbour(flow, x, y, (uint32_t)d)) {
            const bool level = height[flow->height_steps[d]] == *height;
            bits |= (uint32_t)(code[flow->steps[d] * level] >= FLOW_LEVEL) << d;
        }
    }
    return bits;
}

/* The neighbours of a cell that are as high. Returns how many. */
static uint32_t flow_level_neighbours(const struct flow *flow, uint32_t cell,
                                      uint32_t neighbours[8], uint8_t directions[8])
{
    const uint32_t x = cell % flow->width, y = cell / flow->width;
    const float *centre = flow->heights + (size_t)y * flow->stride + x;
    uint32_t count = 0;
    for (int k = 0; k < 8; k++) {
        const uint8_t d = flow_order_of_rows[k];
        if (terrain__flow_has_neighbour(flow, x, y, d) &&
            centre[flow->height_steps[d]] == *centre) {
            neighbours[count] = (uint32_t)((ptrdiff_t)cell + flow->steps[d]);
            directions[count++] = d;
        }
    }
    return count;
}

/* Level ground is crossed in two halves, by its height: cells of two heights have nothing to do
 * with each other. What a band knows of its level cells lies in its scratch. */
struct flow_level {
    size_t edges[2]; /* from which steps are counted: in labels, from the band's first cell on, and
                      * from its last one back */
    uint32_t counts[TERRAIN__FLOW_HEIGHTS]; /* level cells by flow_height_group */
};

_Static_assert(sizeof(struct flow_level) <= sizeof(struct flow_patch), "it fits into the scratch");

static struct flow_level *flow_level_of(const struct flow *flow, uint32_t index)
{
    return (struct flow_level *)(void *)(flow->rows + index * flow->row_bytes);
}

/* The upper bits of a product with 2^32 / the golden ratio, which mixes well. */
static uint32_t flow_height_group(float height)
{
    enum { SHIFT = 26 };
    _Static_assert(TERRAIN__FLOW_HEIGHTS == 1 << (32 - SHIFT), "all groups, and no more");
    return terrain__flow_key(height) * UINT32_C(0x9E3779B1) >> SHIFT;
}

/* Cells in the order in which they are reached: place 0, step, 2 * step, … of `cells`. */
struct flow_queue {
    uint32_t *cells;
    ptrdiff_t step; /* 1 or -1 */
    size_t count;
};

static inline uint32_t *flow_queue_at(const struct flow_queue *queue, size_t i)
{
    return queue->cells + (ptrdiff_t)i * queue->step;
}

/* Directions of cells that were reached now, towards the first neighbour that was reached
 * before. */
static void flow_flats_settle(struct flow *flow, const struct flow_queue *queue)
{
    uint32_t neighbours[8];
    uint8_t directions[8];
    for (size_t i = 0; i < queue->count; i++) {
        const uint32_t cell = *flow_queue_at(queue, i);
        const uint32_t level = flow_level_neighbours(flow, cell, neighbours, directions);
        uint8_t code = TERRAIN__FLOW_PIT;
        for (uint32_t k = 0; k < level && code == TERRAIN__FLOW_PIT; k++) {
            code = flow->directions[neighbours[k]] < FLOW_LEVEL ? directions[k] : code;
        }
        flow->directions[cell] = FLOW_REACHED | code;
    }
    for (size_t i = 0; i < queue->count; i++) {
        flow->directions[*flow_queue_at(queue, i)] &= FLOW_REACHED - 1;
    }
}

/* From the settled cells of the queue onwards, step by step: those that are reached now flow to the
 * first neighbour that was reached one step before. */
static void flow_flats_spread(struct flow *flow, struct flow_queue *queue)
{
    /* From a direction to its place in flow_order_of_rows. */
    static const uint8_t order[9] = {0, 4, 7, 6, 5, 3, 0, 1, 2};
    uint8_t *directions = flow->directions;
    for (size_t begin = 0, end = queue->count; begin < end; end = queue->count) {
        for (size_t i = begin; i < end; i++) {
            const uint32_t from = *flow_queue_at(queue, i);
            uint32_t bits = flow_unsettled(flow, from % flow->width, from / flow->width);
            for (; bits != 0; bits &= bits - 1) {
                const uint32_t d = terrain__lowest_bit(bits);
                const uint8_t back = terrain__flow_back[d];
                const uint32_t cell = (uint32_t)((ptrdiff_t)from + flow->steps[d]);
                if (directions[cell] == FLOW_LEVEL) {
                    directions[cell] = FLOW_REACHED | back;
                    *flow_queue_at(queue, queue->count++) = cell;
                } else if (directions[cell] > FLOW_REACHED &&
                           order[back] < order[directions[cell] - FLOW_REACHED]) {
                    directions[cell] = FLOW_REACHED | back;
                }
            }
        }
        for (size_t i = end; i < queue->count; i++) {
            directions[*flow_queue_at(queue, i)] &= FLOW_REACHED - 1;
        }
        begin = end;
    }
}

/* Whether a neighbour is as high as the cell, and its direction below `bound`; UINT32_MAX: whatever
 * it is, since another task may be changing it. */
static bool flow_is_level_beside(const struct flow *flow, uint32_t x, uint32_t y, uint32_t bound)
{
    const size_t cell = (size_t)y * flow->width + x;
    const float *centre = flow->heights + (size_t)y * flow->stride + x;
    const bool inside = flow_is_inside(flow, x, y);
    for (int d = TERRAIN__FLOW_E; d <= TERRAIN__FLOW_NE; d++) {
        if ((inside || terrain__flow_has_neighbour(flow, x, y, (uint32_t)d)) &&
            (bound == UINT32_MAX || flow->directions[(ptrdiff_t)cell + flow->steps[d]] < bound) &&
            centre[flow->height_steps[d]] == *centre) {
            return true;
        }
    }
    return false;
}

/* The first cell from x on whose direction is `code`, or the row's end. */
static uint32_t flow_find_in_row(const uint8_t *row, uint32_t x, uint32_t width, uint8_t code)
{
    if (x < width && row[x] != code) {
        const uint8_t *found = memchr(row + x, code, width - x);
        return found == NULL ? width : (uint32_t)(found - row);
    }
    return x;
}

/* Marks the level cells of a band. */
static void flow_find_flats(terrain__call *call, uint32_t index)
{
    const struct flow *flow = call->job;
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t end = terrain__band_end(&bands, index), width = flow->width;
    const bool divided = terrain__flow_halves(flow) > 1;
    struct flow_level *level = flow_level_of(flow, index);
    memset(level, 0, sizeof *level);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        uint8_t *row = flow->directions + (size_t)y * width;
        const float *heights = flow->heights + (size_t)y * flow->stride;
        for (uint32_t x = 0; (x = flow_find_in_row(row, x, width, TERRAIN__FLOW_PIT)) < width;
             x++) {
            if (flow_is_level_beside(flow, x, y, UINT32_MAX)) {
                row[x] = FLOW_LEVEL;
                level->counts[divided ? flow_height_group(heights[x]) : 0]++;
            }
        }
    }
}

/* Divides heights into two halves: each group to the half that has less so far, those of most cells
 * first. */
static void flow_deal_flats(struct flow *flow)
{
    uint32_t counts[TERRAIN__FLOW_HEIGHTS] = {0}, sums[2] = {0, 0};
    const uint32_t bands = terrain__flow_bands(flow).count;
    for (uint32_t index = 0; index < bands; index++) {
        const struct flow_level *level = flow_level_of(flow, index);
        for (uint32_t k = 0; k < TERRAIN__FLOW_HEIGHTS; k++) {
            counts[k] += level->counts[k];
        }
    }
    for (;;) {
        uint32_t most = 0;
        for (uint32_t k = 1; k < TERRAIN__FLOW_HEIGHTS; k++) {
            most = counts[k] > counts[most] ? k : most;
        }
        if (counts[most] == 0) {
            return;
        }
        flow->level_halves[most] = sums[1] < sums[0];
        sums[flow->level_halves[most]] += counts[most];
        counts[most] = 0;
    }
}

/* Lists those cells of a band that lie beside a cell of their level that flows. */
static void flow_find_edges(terrain__call *call, uint32_t index)
{
    const struct flow *flow = call->job;
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t begin = terrain__band_begin(&bands, index);
    const uint32_t end = terrain__band_end(&bands, index), width = flow->width;
    uint32_t *first = flow->labels + (size_t)begin * width;
    uint32_t *last = flow->labels + (size_t)end * width - 1;
    const bool divided = terrain__flow_halves(flow) > 1;
    struct flow_level *level = flow_level_of(flow, index);
    for (uint32_t y = begin; y < end; y++) {
        const uint8_t *row = flow->directions + (size_t)y * width;
        const float *heights = flow->heights + (size_t)y * flow->stride;
        for (uint32_t x = 0; (x = flow_find_in_row(row, x, width, FLOW_LEVEL)) < width; x++) {
            if (flow_is_level_beside(flow, x, y, FLOW_LEVEL)) {
                if (!divided || flow->level_halves[flow_height_group(heights[x])] == 0) {
                    first[level->edges[0]++] = y * width + x;
                } else {
                    *(last - level->edges[1]++) = y * width + x;
                }
            }
        }
    }
}

/* Directs what can be reached from these. The queues of both halves are where pairs of basins may
 * have been. */
static void flow_cross_flats(terrain__call *call, uint32_t half)
{
    struct flow *flow = call->job;
    const terrain__bands bands = terrain__flow_bands(flow);
    uint32_t *cells = (uint32_t *)(void *)flow->pairs;
    struct flow_queue queue = {cells, 1, 0};
    if (half == 1) {
        queue.cells += terrain__flow_cells(flow) - 1;
        queue.step = -1;
    }
    for (uint32_t index = 0; index < bands.count; index++) {
        const size_t begin = (size_t)terrain__band_begin(&bands, index) * flow->width;
        const size_t end = (size_t)terrain__band_end(&bands, index) * flow->width;
        const size_t count = flow_level_of(flow, index)->edges[half];
        for (size_t i = 0; i < count; i++) {
            *flow_queue_at(&queue, queue.count++) =
                flow->labels[half == 0 ? begin + i : end - 1 - i];
        }
    }
    flow_flats_settle(flow, &queue);
    flow_flats_spread(flow, &queue);
}

/* Directs the rest: levels from which no water flows. */
static void flow_end_flats(terrain__call *call, uint32_t index)
{
    struct flow *flow = call->job;
    const size_t cells = terrain__flow_cells(flow);
    (void)index;
    for (size_t i = terrain__flow_find(flow, 0, FLOW_LEVEL); i < cells;
         i = terrain__flow_find(flow, i + 1, FLOW_LEVEL)) {
        struct flow_queue queue = {flow->labels, 1, 1};
        flow->directions[i] = TERRAIN__FLOW_PIT;
        queue.cells[0] = (uint32_t)i;
        flow_flats_spread(flow, &queue);
    }
}

static terrain_status flow_run_flats(terrain__call *call)
{
    struct flow *flow = call->job;
    const uint32_t bands = terrain__flow_bands(flow).count;
    terrain_status status = terrain__run(call, bands, flow_find_flats);
    if (status == TERRAIN_SUCCESS) {
        flow_deal_flats(flow);
        status = terrain__run(call, bands, flow_find_edges);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_halves(flow), flow_cross_flats);
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, flow_end_flats) : status;
}

/* ---- Routing --------------------------------------------------------------------------------- */

void terrain__flow_prepare_dither(terrain__call *call, struct flow *flow, uint64_t seed,
                                  uint32_t draw)
{
    flow->diagonals = terrain__scratch(call, terrain__flow_cells(flow), sizeof *flow->diagonals);
    flow->dither = terrain__random_stream(seed, call->operation->key, draw);
}

/* What the functions below run: flow_run_fill, terrain__flow_run_carve and flow_run_flats. */
enum {
    FLOW_FILL_PASSES = 1 + TERRAIN__FLOW_BASIN_PASSES + 1,
    FLOW_CARVE_PASSES = TERRAIN__FLOW_BASIN_PASSES + 1,
    FLOW_FLAT_PASSES = 4
};

uint32_t terrain__flow_prepare_routing(terrain__call *call, struct flow *flow, uint32_t routing)
{
    uint32_t passes = (flow->diagonals != NULL ? 1 : 0) + 1 + FLOW_FLAT_PASSES;
    if (flow->known.cells != NULL) {
        return 1;
    }
    if (routing == TERRAIN__FLOW_FILL) {
        flow->filled = terrain__scratch_plane(call, flow->width, flow->height);
        passes += FLOW_FILL_PASSES;
    } else if (routing == TERRAIN__FLOW_CARVE) {
        passes += FLOW_CARVE_PASSES;
    }
    return passes;
}

static void flow_fill_band(terrain__call *call, uint32_t index)
{
    const struct flow *flow = call->job;
    const terrain__bands bands = terrain__flow_bands(flow);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        flow->kernels->raise(flow->filled.cells + y * flow->filled.stride,
                             flow->heights + y * flow->stride,
                             flow->labels + (size_t)y * flow->width, flow->levels, flow->width);
    }
}

static terrain_status flow_run_fill(terrain__call *call)
{
    struct flow *flow = call->job;
    terrain_status status = terrain__flow_run_lowest(call);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__flow_run_basins(call);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_bands(flow).count, flow_fill_band);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__flow_look(flow, flow->filled.cells, flow->filled.stride, flow->width, flow->height,
                           flow->open);
    }
    return status;
}

static void flow_dither_band(terrain__call *call, uint32_t index)
{
    terrain__flow_dither(call->job, index, call->map_x, call->map_y);
}

terrain_status terrain__flow_run_routed(terrain__call *call, uint32_t routing)
{
    const struct flow *flow = call->job;
    const uint32_t bands = terrain__flow_bands(flow).count;
    terrain_status status = TERRAIN_SUCCESS;
    if (flow->known.cells != NULL) {
        return terrain__run(call, bands, flow_follow_rivers);
    }
    if (flow->diagonals != NULL) {
        status = terrain__run(call, bands, flow_dither_band);
    }
    if (status == TERRAIN_SUCCESS && routing == TERRAIN__FLOW_FILL) {
        status = flow_run_fill(call);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__flow_run_steepest(call);
    }
    status = status == TERRAIN_SUCCESS ? flow_run_flats(call) : status;
    return status == TERRAIN_SUCCESS && routing == TERRAIN__FLOW_CARVE
               ? terrain__flow_run_carve(call)
               : status;
}
