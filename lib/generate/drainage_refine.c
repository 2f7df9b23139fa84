/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Refining a level of generate_drainage: which child of each cell stands for it, where rivers enter
 * and leave, where the sea and lakes are, and corners that rivers go round. The rows' formulas are
 * in drainage_refine_kernels.c. */

#include <float.h>
#include <string.h>

#include "generate/drainage_sweep.h"
#include "vector/random.h"

static struct drainage_blocks drainage_blocks_of(const struct drainage_level *coarse,
                                                 const struct drainage_work *work, uint32_t y,
                                                 float least)
{
    struct drainage_blocks blocks = {.least = least};
    for (uint32_t k = 0; k < 3; k++) {
        size_t row = (y + k - 1) * coarse->stride;
        size_t block_row = terrain__drainage_block_row(coarse, y + k - 1);
        blocks.height[k] = coarse->heights + row;
        blocks.receiver[k] = coarse->receiver + row;
        blocks.discharge[k] = coarse->discharge + row;
        blocks.node[k] = work->node + block_row;
        blocks.exit[k] = work->exit + block_row;
        blocks.base[k] = work->base + block_row;
        blocks.code[k] = work->code + block_row;
        blocks.leave[k] = work->leave + block_row;
        blocks.enter[k] = work->enter + block_row;
    }
    return blocks;
}

enum { DRAINAGE_SEA = 1, DRAINAGE_CLOSED = 2 };

/* In `water`, whether each cell of row y is or lies beside sea, a closed lake, or both. Whether
 * there are any outlets in row y or beside it. */
static bool drainage_find_water(const struct drainage_level *level, uint8_t *water, uint32_t y)
{
    bool any = false;
    memset(water, 0, level->width);
    for (uint32_t k = 0; k < 3; k++) {
        size_t row = (y + k - 1) * level->stride;
        const uint8_t *receiver = level->receiver + row, *traits = level->traits + row;
        if (memchr(receiver, DRAINAGE_OUTLET, level->width) != NULL) {
            any = true;
            for (uint32_t x = 1; x + 1 < level->width; x++) {
                for (uint32_t i = x - 1; i <= x + 1; i++) {
                    uint8_t kind =
                        (traits[i] & DRAINAGE_LAKE) != 0 ? DRAINAGE_CLOSED : DRAINAGE_SEA;
                    water[x] |= receiver[i] == DRAINAGE_OUTLET ? kind : 0;
                }
            }
        }
    }
    return any;
}

static bool drainage_has_sea(const struct drainage_level *level)
{
    for (uint32_t y = 0; y < level->height; y++) {
        const uint8_t *receiver = level->receiver + y * level->stride;
        const uint8_t *traits = level->traits + y * level->stride;
        uint8_t any = 0;
        for (uint32_t x = 0; x < level->width; x++) {
            any |= receiver[x] == DRAINAGE_OUTLET && (traits[x] & DRAINAGE_LAKE) == 0;
        }
        if (any != 0) {
            return true;
        }
    }
    return false;
}

/* Row y of the level's control, in a plane that refining does not use otherwise. */
static float *drainage_control_row(const struct drainage_refining *r,
                                   const struct drainage_work *work, uint32_t y)
{
    return work->heights + y * r->made->stride;
}

/* The control as the world has it. */
static void drainage_make_control(const struct drainage_refining *r, struct drainage_work *work,
                                  uint32_t y)
{
    struct drainage_fields rows = work->rows;
    terrain__drainage_lattice_row(&work->lattice, r->pyramid->plan, &rows, r->made->x,
                                  r->made->y + y, r->made->width, DRAINAGE_WANT_CONTROL, work->row);
    memcpy(drainage_control_row(r, work, y), rows.control, r->made->width * sizeof(float));
}

/* One step of the sea: into what is `below` 0 and touches it. */
static void drainage_spread_row(uint8_t *restrict to, const uint8_t *restrict below,
                                const uint8_t *from, size_t stride, uint32_t width)
{
    for (uint32_t x = 1; x + 1 < width; x++) {
        const uint8_t *upper = from + x - stride, *here = from + x, *lower = from + x + stride;
        to[x] = below[x] & (upper[-1] | upper[0] | upper[1] | here[-1] | here[0] | here[1] |
                            lower[-1] | lower[0] | lower[1]);
    }
}

/* Finds which children become sea, on coarse levels: those below 0 in blocks of sea or beside it,
 * and from these on DRAINAGE_SEA_STEPS steps through others below 0. So a bay whose strait only
 * this level sees is filled at once; one step a level would not come to its end, and leave it with
 * straight coasts. None lie in blocks at a closed lake, which would stand over them. */
static const uint8_t *drainage_spread_sea(const struct drainage_refining *r,
                                          struct drainage_work *work)
{
    const struct drainage_level *made = r->made, *coarse = r->coarse;
    const size_t plane = made->stride * made->height;
    uint8_t *below = (uint8_t *)work->cost, *from = below + plane, *to = from + plane;
    if (made->level < DRAINAGE_SEA_LEVEL || !drainage_has_sea(coarse)) {
        return NULL;
    }
    memset(below, 0, 3 * plane);
    for (uint32_t y = 1; y + 1 < coarse->height; y++) {
        drainage_find_water(coarse, work->shore, y);
        for (uint32_t k = 0; k < 2; k++) {
            const size_t row = (2 * y + k) * made->stride;
            const float *control = drainage_control_row(r, work, 2 * y + k);
            drainage_make_control(r, work, 2 * y + k);
            for (uint32_t x = 0; x < made->width; x++) {
                const uint8_t water = work->shore[x / 2];
                below[row + x] = control[x] < 0 && (water & DRAINAGE_CLOSED) == 0;
                from[row + x] = below[row + x] & water; /* sea: none is below at a closed lake */
            }
        }
    }
    for (uint32_t step = 0; step < DRAINAGE_SEA_STEPS; step++) {
        for (uint32_t y = 1; y + 1 < made->height; y++) {
            const size_t row = y * made->stride;
            drainage_spread_row(to + row, below + row, from + row, made->stride, made->width);
        }
        uint8_t *swap = from;
        from = to;
        to = swap;
    }
    return from;
}

/* The control of the two rows of children of block row y; false: there is no sea, and none is made.
 * Within closed lakes it is the lake's. Down to DRAINAGE_SEA_LEVEL the sea is where it has spread;
 * on finer levels it moves to blocks beside it, if no closed lake is beside them: farther away it
 * would be a hole that slopes have no time to reach. */
static bool drainage_control_rows(const struct drainage_refining *r, struct drainage_work *work,
                                  uint32_t y)
{
    const struct drainage_level *made = r->made, *coarse = r->coarse;
    const uint8_t *traits = coarse->traits + y * coarse->stride;
    const uint8_t *spread = r->spread != NULL ? r->spread + 2 * y * made->stride : NULL;
    struct drainage_lake shape = {.column = INT64_MIN};
    bool sea = drainage_find_water(coarse, work->shore, y);
    if (spread != NULL) {
        sea = sea || memchr(spread, 1, made->width) != NULL ||
              memchr(spread + made->stride, 1, made->width) != NULL;
    }
    if (!sea) {
        return false;
    }
    for (uint32_t k = 0; k < 2; k++) {
        float *control = drainage_control_row(r, work, 2 * y + k);
        if (spread == NULL) { /* the sea had to know it to spread */
            drainage_make_control(r, work, 2 * y + k);
        }
        for (uint32_t x = 0; x < made->width; x++) {
            const bool open = spread != NULL ? spread[k * made->stride + x] != 0
                                             : work->shore[x / 2] == DRAINAGE_SEA;
            control[x] = open || control[x] > 0 ? control[x] : 0;
            if ((traits[x / 2] & DRAINAGE_LAKE) != 0) {
                control[x] = terrain__drainage_lake_at(&shape, r->pyramid->plan, made->x + x,
                                                       made->y + 2 * y + k, made->level);
            }
        }
    }
    return true;
}

/* Outlets: their node is the child of the lowest control. Open blocks: the node is below 0. */
static void drainage_open_row(const struct drainage_refining *r, struct drainage_work *work,
                              uint32_t y)
{
    const struct drainage_level *coarse = r->coarse;
    const float *above = drainage_control_row(r, work, 2 * y);
    const float *below = drainage_control_row(r, work, 2 * y + 1);
    const uint8_t *receiver = coarse->receiver + y * coarse->stride;
    size_t row = terrain__drainage_block_row(coarse, y);
    for (uint32_t x = 0; x < coarse->width; x++) {
        float control[4] = {above[2 * x], above[2 * x + 1], below[2 * x], below[2 * x + 1]};
        uint8_t *node = &work->node[row + x];
        if (receiver[x] == DRAINAGE_OUTLET) {
            *node = 0;
            for (uint8_t k = 1; k < 4; k++) {
                *node = control[k] < control[*node] ? k : *node;
            }
            work->exit[row + x] = *node;
        }
        bool open = receiver[x] == DRAINAGE_OUTLET || control[*node] < 0;
        work->open[row + x] = open;
        work->code[row + x] = open ? 255 : 0;
        work->base[row + x] =
            open && receiver[x] != DRAINAGE_OUTLET ? 0 : coarse->heights[y * coarse->stride + x];
    }
}

void terrain__drainage_refine_nodes(const struct drainage_refining *r, struct drainage_work *work,
                                    uint32_t y, uint32_t end)
{
    const struct drainage_pyramid *p = r->pyramid;
    const struct drainage_level *made = r->made, *coarse = r->coarse;
    uint64_t stream = terrain__mix(p->plan->node_stream, made->level);
    for (; y < end; y++) {
        struct drainage_blocks blocks =
            drainage_blocks_of(coarse, work, y, terrain__drainage_least(made->level));
        uint64_t row = terrain__random_row(stream, coarse->y + y);
        size_t block_row = terrain__drainage_block_row(coarse, y);
        p->plan->refine->random(work->bits, row, coarse->x, coarse->width);
        p->plan->refine->nodes(&blocks, work->bits, coarse->width);
        r->sea[y] = drainage_control_rows(r, work, y);
        if (r->sea[y]) {
            drainage_open_row(r, work, y);
        } else {
            memset(work->code + block_row, 0, coarse->width);
            memcpy(work->base + block_row, blocks.height[1], coarse->width * sizeof(float));
        }
    }
}

void terrain__drainage_refine_entries(const struct drainage_refining *r, struct drainage_work *work,
                                      uint32_t y, uint32_t end)
{
    for (; y < end; y++) {
        struct drainage_blocks rows =
            drainage_blocks_of(r->coarse, work, y, terrain__drainage_least(r->made->level));
        r->pyramid->plan->refine->entries(&rows, r->coarse->width);
    }
}

/* The slopes of the children in row y of the level that no river passes: at the heights of their
 * blocks, with no water but their own. */
static void drainage_leaf_row(struct drainage_sweep *sweep, const struct drainage_level *coarse,
                              uint32_t y, float *cost)
{
    struct drainage_level *made = &sweep->level;
    const size_t row = y * made->stride, above = y / 2 * coarse->stride;
    float *heights = made->heights + row, *discharge = made->discharge + row;
    uint8_t *traits = made->traits + row;
    for (uint32_t x = 0; x < coarse->width; x++) {
        heights[2 * x] = heights[2 * x + 1] = coarse->heights[above + x];
        discharge[2 * x] = discharge[2 * x + 1] = sweep->own;
        traits[2 * x] = traits[2 * x + 1] = coarse->traits[above + x] & (uint8_t)~DRAINAGE_SEAT;
    }
    struct drainage_slope_row slopes = {.cost = cost,
                                        .here = heights,
                                        .discharge = discharge,
                                        .noise = sweep->work->noise,
                                        .cell = sweep->cell};
    terrain__drainage_rock_row(sweep, y, &slopes.fields);
    sweep->plan->relax->costs(&slopes, &sweep->law, made->width);
}

/* A lake's sill stays where the river leaves: block row y's seats go on to the exits. */
static void drainage_move_seats(const struct drainage_sweep *sweep,
                                const struct drainage_level *coarse, uint32_t y)
{
    const struct drainage_level *made = &sweep->level;
    const size_t row = y * coarse->stride, block_row = terrain__drainage_block_row(coarse, y);
    for (uint32_t x = 0; x < coarse->width; x++) {
        bool seat = (coarse->traits[row + x] & DRAINAGE_SEAT) != 0;
        bool river = coarse->discharge[row + x] > sweep->plan->river_area;
        if (seat && river && !sweep->work->open[block_row + x]) {
            uint32_t exit = sweep->work->exit[block_row + x];
            made->traits[(2 * y + (exit >> 1)) * made->stride + 2 * x + (exit & 1)] |=
                DRAINAGE_SEAT;
        }
    }
}

/* The children of block row y below 0, by their control, become outlets: sea, or a closed lake, of
 * which others are no part. */
static void drainage_drown(const struct drainage_refining *r, const struct drainage_sweep *sweep,
                           uint32_t y)
{
    const struct drainage_level *made = &sweep->level, *coarse = r->coarse;
    const uint8_t *traits = coarse->traits + y * coarse->stride;
    const float *heights = coarse->heights + y * coarse->stride;
    for (uint32_t k = 0; k < 2; k++) {
        const float *control = drainage_control_row(r, sweep->work, 2 * y + k);
        size_t row = (2 * y + k) * made->stride;
        for (uint32_t x = 0; x < made->width; x++) {
            if (control[x] < 0) {
                bool lake = (traits[x / 2] & DRAINAGE_LAKE) != 0;
                made->heights[row + x] = lake ? heights[x / 2] : 0;
                made->receiver[row + x] = DRAINAGE_OUTLET;
            }
            if (made->receiver[row + x] != DRAINAGE_OUTLET) {
                made->traits[row + x] &= (uint8_t)~DRAINAGE_LAKE;
            }
        }
    }
}

/* The two rows of children of block row y. */
static void drainage_make_children(const struct drainage_refining *r, struct drainage_sweep *sweep,
                                   uint32_t y)
{
    const struct drainage_level *coarse = r->coarse;
    struct drainage_level *made = &sweep->level;
    struct drainage_work *work = sweep->work;
    struct drainage_blocks blocks = drainage_blocks_of(coarse, work, y, sweep->least);
    struct drainage_children children = {
        .own = sweep->own, .open = work->open + terrain__drainage_block_row(coarse, y)};
    for (uint32_t k = 0; k < 2; k++) {
        size_t row = (2 * y + k) * made->stride;
        children.height[k] = made->heights + row;
        children.discharge[k] = made->discharge + row;
        children.receiver[k] = made->receiver + row;
        children.cost[k] = work->leaf_cost[k];
        drainage_leaf_row(sweep, coarse, 2 * y + k, work->leaf_cost[k]);
    }
    sweep->plan->refine->children(&blocks, &children, coarse->width);
    if (made->level < DRAINAGE_SEAT_LEVEL) {
        drainage_move_seats(sweep, coarse, y);
    }
    if (r->sea[y]) {
        drainage_drown(r, sweep, y);
    }
}

/* The shares of corners that water goes round, times 2^24. */
enum { DRAINAGE_DETOURS = 14260635, DRAINAGE_LARGE_DETOURS = 5033166 };

/* A river that crosses a corner, from the cell by which it leaves its block. */
struct drainage_corner {
    size_t block, from;
    ptrdiff_t dx, dy;
};

/* The cell beside the corner, along the row or the other way, by which water may go round; 0: it is
 * part of a way, or an outlet. There are no branches, which the processor could not predict. */
static size_t drainage_way_round(const struct drainage_sweep *sweep,
                                 const struct drainage_level *coarse,
                                 const struct drainage_corner *corner, bool sideways)
{
    const struct drainage_work *work = sweep->work;
    const struct drainage_level *made = &sweep->level;
    const ptrdiff_t stride = (ptrdiff_t)made->stride;
    const ptrdiff_t down = (ptrdiff_t)terrain__drainage_block_row(coarse, 1);
    const ptrdiff_t dx = corner->dx, dy = corner->dy;
    const size_t via = corner->from + (size_t)(sideways ? dx : dy * stride);
    const size_t beside = corner->block + (size_t)(sideways ? dx : dy * down);
    const uint32_t child = (uint32_t)((dx < 0) ^ !sideways) + 2 * (uint32_t)((dy < 0) ^ sideways);
    const bool is_free = (made->receiver[via] != DRAINAGE_OUTLET) & (child != work->node[beside]) &
                         (child != work->exit[beside]) & (made->discharge[via] == sweep->own);
    return is_free ? via : 0;
}

/* Lets the water that leaves a block across a corner go round it, if one of the two cells beside it
 * is free, and there is fall enough for two steps. */
static void drainage_go_round(const struct drainage_sweep *sweep,
                              const struct drainage_level *coarse, uint32_t x, uint32_t y,
                              bool sideways)
{
    const struct drainage_level *made = &sweep->level;
    const size_t block = terrain__drainage_block_row(coarse, y) + x;
    const uint32_t r = coarse->receiver[y * coarse->stride + x], e = sweep->work->exit[block];
    const size_t from = (2 * y + (e >> 1)) * made->stride + 2 * x + (e & 1);
    const ptrdiff_t dx = r == 1 || r == 7 ? 1 : -1, dy = r == 1 || r == 3 ? 1 : -1;
    const size_t to = from + (size_t)(dx + dy * (ptrdiff_t)made->stride);
    const float z = (made->heights[from] + made->heights[to]) * 0.5F;
    const struct drainage_corner corner = {block, from, dx, dy};
    const size_t first = drainage_way_round(sweep, coarse, &corner, sideways);
    const size_t second = drainage_way_round(sweep, coarse, &corner, !sideways);
    const size_t via = first != 0 ? first : second;
    const bool along = sideways == (first != 0);
    if (via == 0 || made->receiver[from] != r || z + sweep->least > made->heights[from] ||
        made->heights[to] + sweep->least > z) {
        return;
    }
    const uint8_t level = dx > 0 ? 0 : 4, upright = dy > 0 ? 2 : 6;
    made->receiver[from] = along ? level : upright;
    made->receiver[via] = along ? upright : level;
    made->heights[via] = z;
    made->discharge[via] = made->discharge[from] + sweep->own;
}

/* Rivers that cross a corner go round it by one of the two cells beside it: corners alone make
 * straight valleys. Large rivers seldom do but on the map itself: what they go round is a block,
 * and so they would leave the coarse river's cells. */
static void drainage_detours(const struct drainage_sweep *sweep,
                             const struct drainage_level *coarse, uint32_t y)
{
    const struct drainage_level *made = &sweep->level;
    const struct drainage_work *work = sweep->work;
    const struct drainage_refine_kernels *kernels = sweep->plan->refine;
    const uint64_t stream = terrain__mix(sweep->plan->detour_stream, made->level);
    const struct drainage_corner_row row = {
        .receiver = coarse->receiver + y * coarse->stride,
        .open = work->open + terrain__drainage_block_row(coarse, y),
        .discharge = coarse->discharge + y * coarse->stride,
        .bits = work->bits,
        .large = made->level > 0 ? 400 * sweep->own : FLT_MAX,
        .share = DRAINAGE_DETOURS,
        .seldom = DRAINAGE_LARGE_DETOURS,
    };
    float *columns = work->leaf_cost[0];
    kernels->random(work->bits, terrain__random_row(stream, coarse->y + y), coarse->x,
                    coarse->width);
    const uint32_t count = kernels->corners(columns, &row, 3, coarse->width - 3);
    for (uint32_t i = 0; i < count; i++) {
        const bool sideways = columns[i] < 0;
        const uint32_t x = (uint32_t)(sideways ? -columns[i] : columns[i]);
        drainage_go_round(sweep, coarse, x, y, sideways);
    }
}

/* Whether a closed lake lies in `count` cells of a row. */
static bool drainage_has_lake(const struct drainage_level *made, size_t at, uint32_t count)
{
    bool lake = false;
    if (memchr(made->receiver + at, DRAINAGE_OUTLET, count) != NULL) {
        for (uint32_t i = 0; i < count; i++) {
            lake |= (made->traits[at + i] & DRAINAGE_LAKE) != 0;
        }
    }
    return lake;
}

/* Raises what lies lower beside a closed lake, which a child can that hangs on the exit of its
 * block: nothing flows through it, and its own water falls as before. */
static void drainage_raise_around(const struct drainage_level *made, size_t lake)
{
    const float bank = made->heights[lake] + terrain__drainage_least(made->level);
    for (size_t k = 0; k < 9; k++) {
        const size_t at = lake - made->stride - 1 + k / 3 * made->stride + k % 3;
        if (made->receiver[at] != DRAINAGE_OUTLET && made->heights[at] < bank) {
            made->heights[at] = bank;
        }
    }
}

/* Closed lakes get banks above them, and the rows of these are found. Lakes are right one cell
 * farther out than land is. */
static void drainage_make_banks(const struct drainage_level *made, uint8_t *banks)
{
    const uint32_t rim = DRAINAGE_REFINE_RIM, first = rim - 1, count = made->width - 2 * first;
    memset(banks, 0, made->height);
    for (uint32_t y = first; y + first < made->height; y++) {
        const size_t row = y * made->stride + first;
        if (!drainage_has_lake(made, row, count)) {
            continue;
        }
        bool within = false;
        for (uint32_t i = 0; i < count; i++) {
            if ((made->traits[row + i] & DRAINAGE_LAKE) != 0) {
                drainage_raise_around(made, row + i);
                within |= i > 0 && i + 1 < count;
            }
        }
        if (within && y > first && y + rim < made->height) {
            memset(banks + y - 1, 1, 3);
        }
    }
}

void terrain__drainage_refine_begin(struct drainage_refining *r, struct drainage_work *work)
{
    const size_t blocks = terrain__drainage_block_row(r->coarse, r->coarse->height);
    memset(work->node, 0, blocks);
    memset(work->exit, 0, blocks);
    memset(work->code, 255, blocks);
    memset(work->open, 0, blocks);
    memset(work->base, 0, blocks * sizeof(float));
    memset(work->enter, 0, blocks * sizeof(float));
    memset(work->leave, 0, blocks * sizeof(float));
    r->spread = drainage_spread_sea(r, work);
}

void terrain__drainage_refine_children(const struct drainage_refining *r,
                                       struct drainage_work *work, uint32_t y, uint32_t end)
{
    struct drainage_sweep sweep;
    terrain__drainage_sweep_begin(&sweep, r->pyramid->plan, work, r->made, 0);
    for (; y < end; y++) {
        drainage_make_children(r, &sweep, y);
    }
}

void terrain__drainage_refine_end(const struct drainage_refining *r, struct drainage_work *work)
{
    struct drainage_sweep sweep;
    terrain__drainage_sweep_begin(&sweep, r->pyramid->plan, work, r->made, 0);
    for (uint32_t y = 3; y + 3 < r->coarse->height; y++) {
        drainage_detours(&sweep, r->coarse, y);
    }
    drainage_make_banks(r->made, work->banks);
}
