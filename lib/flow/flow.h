/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Water on a bounded map: where each cell's goes, which cells it shares a pit with, how it leaves
 * that pit, in which order to visit cells, and how much comes together.
 *
 * All depends on one order of cells: by height, then y, then x; NaN is below all, -0 equals 0.
 * With it each result below is unique, whatever the order of the work. Within a map cells are
 * ordered by (y, x), as by their world coordinates, so nothing depends on where the map begins.
 *
 * The steps, each of which needs those before it. They work on a call whose job begins with its
 * struct flow.
 *
 *   terrain__flow_run_lowest    receivers: the lowest of the nine cells         rows, in parallel
 *   or terrain__flow_run_steepest          the steepest of the eight ways down  rows, in parallel
 *   or terrain__flow_run_routed            these, and over level ground and out of depressions
 *
 *   terrain__flow_run_basins    basins: all cells that flow to one pit share a label, those that
 *                               reach an outlet have label 0; the lowest passes between them (a
 *                               spanning tree), and the level at which each spills: basins.c
 *   terrain__flow_run_carve     basins, and then receivers that reach an outlet everywhere: each
 *                               basin's pit flows back to its pass and over it
 *
 *   terrain__flow_find_donors   which neighbours flow to a cell                 rows, in parallel
 *   terrain__flow_grow          cells, each before those that flow to it            in two halves
 *   terrain__flow_counts        what each cell gets from upstream, and itself       in two halves
 *
 * Cells are numbered y * width + x, without the stride of the heights. A flow may look at one plane
 * after another (the levels of a pyramid): terrain__flow_look. G. Cordonnier, B. Bovy, J. Braun: A
 * versatile, linear complexity algorithm for flow routing in topographies with depressions, Earth
 * Surface Dynamics 7, 2019, for the graph of basins. */

#ifndef TERRAIN_FLOW_FLOW_H
#define TERRAIN_FLOW_FLOW_H

#include <string.h>

#include "core/operation.h"
#include "flow/flow_kernels.h"

/* Where a cell's water goes: clockwise from the east, as y points down. */
enum {
    TERRAIN__FLOW_PIT = 0, /* nowhere */
    TERRAIN__FLOW_E = 1,
    TERRAIN__FLOW_SE = 2,
    TERRAIN__FLOW_S = 3,
    TERRAIN__FLOW_SW = 4,
    TERRAIN__FLOW_W = 5,
    TERRAIN__FLOW_NW = 6,
    TERRAIN__FLOW_N = 7,
    TERRAIN__FLOW_NE = 8,
    TERRAIN__FLOW_OUTLET = 9 /* out of the map: a cell of an open rim, or one that is NaN */
};

/* By direction: from a cell to its receiver; 0 for those without one. */
extern const int8_t terrain__flow_x[16];
extern const int8_t terrain__flow_y[16];
/* From a direction to the opposite one; from PIT to PIT. */
extern const uint8_t terrain__flow_back[9];

/* Whether a direction leads to a neighbour at a side, not at a corner. */
static inline bool terrain__flow_is_straight(uint32_t direction)
{
    return direction % 2 == 1;
}

/* Cells on a side of a patch: patch.h. */
enum { TERRAIN__FLOW_PATCH = 64 };

/* Rows of a task, at least. */
enum { TERRAIN__FLOW_BAND = 16 };

/* Cells must be numbered in 30 bits. */
#define TERRAIN__FLOW_MOST_CELLS ((uint64_t)1 << 30)

/* Groups of heights, for level ground. */
enum { TERRAIN__FLOW_HEIGHTS = 64 };

/* A root of the tree that much flows to; there are no more than TERRAIN__FLOW_LARGE. */
enum { TERRAIN__FLOW_LARGE = 144 };
struct flow_root {
    uint32_t cell;
    uint32_t samples; /* how many ways end there */
    uint32_t half;
};

/* What terrain__flow_prepare allocates memory for. */
enum {
    TERRAIN__FLOW_NEEDS_BASINS = 1, /* terrain__flow_run_basins, _carve and _routed */
    TERRAIN__FLOW_NEEDS_TREE = 2    /* terrain__flow_grow */
};

/* A pair of neighbours in two basins, or in two components of them. */
struct flow_border {
    uint64_t pair;
    uint32_t first, second;
};

/* What a task that looks for the lowest passes works on. */
struct flow_join {
    uint32_t basins, tasks; /* of halves: before which basin and which row of patches they end */
    size_t begin, count;    /* pairs that are left */
    uint32_t *list;         /* components that choose: their first basins */
    uint32_t listed;
    uint64_t *forest; /* the pairs that were chosen */
    size_t size;
    uint32_t nobody; /* who gets, in `low`, the bids for components that don't choose */
};

struct flow {
    const struct flow_kernels *kernels;

    /* The heights that it reads. */
    const float *heights;
    size_t stride;
    uint32_t width;
    uint32_t height;
    bool open; /* the rim is an outlet; otherwise nothing leaves the map but at NaN */

    /* By direction, from a cell to its receiver: of cells, and of their heights. */
    ptrdiff_t steps[16], height_steps[16];
    uint8_t *directions;   /* of each cell */
    uint32_t *labels;      /* of each cell: terrain__flow_basin */
    terrain__plane filled; /* the heights after FILL */
    float *diagonals;      /* of each cell, for RHO8: terrain__flow_steepest; NULL: D8 */
    uint64_t dither;       /* the stream of random numbers that diagonals are made of */
    terrain__view known;   /* discharge of known rivers; no cells: there are none */
    unsigned char *rows;   /* scratch of a task: three rows, or a struct flow_patch */
    size_t row_bytes;
    struct flow_patch_fans *patch_fans;
    struct flow_side *sides;                     /* of terrain__flow_sum_patches */
    uint64_t *waters;                            /* of a task: its patch's cells */
    uint8_t level_halves[TERRAIN__FLOW_HEIGHTS]; /* which half crosses level ground of a height */

    /* Basins: 0 is what reaches an outlet by itself, others are numbered by their pits' places. */
    uint32_t basin_count;
    uint32_t root;     /* 0, or where there is no outlet the basin of the lowest cell of all */
    uint32_t *pits;    /* of each basin but 0: its pit */
    uint32_t *passes;  /* of each basin but the root: cell * 4 + side, the pair of cells over which
                        * it spills */
    float *levels;     /* of each basin: the height at which it spills; -infinity for the root */
    uint32_t *parents; /* of each basin: the one it spills into */
    uint32_t *inwards; /* basins, the root first, each after the one it spills into */
    uint32_t linked;   /* how many of them */

    /* terrain__flow_grow. */
    struct flow_tree tree;
    struct flow_half halves[2];
    bool alone;                                /* the call has one thread, and the tree one half */
    struct flow_half trunk;                    /* terrain__flow_grow_trunk */
    uint32_t root_counts[TERRAIN__MOST_TASKS]; /* of bands: terrain__flow_find_roots */
    uint8_t *donors; /* of each cell: the set of neighbours that flow to it */
    struct flow_fans *fans;
    struct flow_root *large; /* terrain__flow_deal_roots */
    uint32_t large_count;

    /* Scratch of terrain__flow_run_basins. */
    struct flow_border *pairs;
    size_t pair_room;
    struct {
        size_t count;        /* pairs that a task has */
        uint32_t begin, end; /* its rows whose pairs are still to come */
    } collected[TERRAIN__MOST_TASKS];
    struct flow_join joins[2];
    bool divided;     /* both are used */
    uint32_t *recent; /* of each task: 2^recent_bits */
    uint32_t recent_bits;
    uint64_t *low;
    uint64_t *forest;
    uint32_t *links;
};

static inline size_t terrain__flow_cells(const struct flow *flow)
{
    return (size_t)flow->width * flow->height;
}

/* Whether a cell has a neighbour in a direction. */
static inline bool terrain__flow_has_neighbour(const struct flow *flow, uint32_t x, uint32_t y,
                                               uint32_t direction)
{
    return x + (uint32_t)terrain__flow_x[direction] < flow->width && /* 0 - 1 is UINT32_MAX */
           y + (uint32_t)terrain__flow_y[direction] < flow->height;
}

/* The first cell from `cell` on whose direction is `code`, or the number of cells. */
static inline size_t terrain__flow_find(const struct flow *flow, size_t cell, uint8_t code)
{
    const size_t cells = terrain__flow_cells(flow);
    const uint8_t *found =
        cell < cells ? memchr(flow->directions + cell, code, cells - cell) : NULL;
    return found == NULL ? cells : (size_t)(found - flow->directions);
}

/* Whether eight directions are all to a neighbour: 1 to 8, none 0 or 9. */
static inline bool terrain__flow_all_flow(const uint8_t *directions)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t eight;
    memcpy(&eight, directions, sizeof eight);
    return ((eight + 7 * ones) & (24 * ones)) == 8 * ones;
}

/* ---- Memory, and what to look at ------------------------------------------------------------ */

/* In prepare: memory for planes of up to width x height. Fails with UNSUPPORTED if these are more
 * than TERRAIN__FLOW_MOST_CELLS. */
terrain_status terrain__flow_prepare(terrain__call *call, struct flow *flow, uint32_t width,
                                     uint32_t height, uint32_t needs);

/* In prepare, for a flow that was prepared without TERRAIN__FLOW_NEEDS_BASINS: its memory, for
 * planes of up to width x height. */
void terrain__flow_prepare_basins(terrain__call *call, struct flow *flow, uint32_t width,
                                  uint32_t height);

/* In prepare: terrain__flow_prepare for the call's map, which the flow then looks at. */
terrain_status terrain__flow_prepare_map(terrain__call *call, struct flow *flow, uint32_t needs,
                                         terrain_rim rim);

/* For operations of worlds that lower or raise land until water runs off. */
extern const terrain__world_regions terrain__flow_regions;

/* Looks at another plane, not larger than what there is memory for. */
void terrain__flow_look(struct flow *flow, const float *heights, size_t stride, uint32_t width,
                        uint32_t height, bool open);

/* The most basins there can be, with basin 0. */
size_t terrain__flow_most_basins(uint32_t width, uint32_t height);

/* Heights as integers of their order, above 0; NaN is 0. */
static inline uint32_t terrain__flow_key(float height)
{
    float h = height + 0.0f; /* -0 becomes 0 */
    uint32_t bits;
    memcpy(&bits, &h, sizeof bits);
    bits ^= bits >> 31 ? UINT32_MAX : UINT32_C(0x80000000);
    return height == height ? bits : 0;
}

/* ---- Receivers ------------------------------------------------------------------------------ */

/* Bands of rows, and bands of rows of patches (patch.h): a task each. */
terrain__bands terrain__flow_bands(const struct flow *flow);
terrain__bands terrain__flow_patches(const struct flow *flow);

/* Task, by bands: directions by the greatest drop by distance among the eight, which must be above
 * 0; the first in the order of (y, x) where several are equal. flow->diagonals, if not NULL, holds
 * each cell's factor for drops to the corners, in place of 1 / sqrt(2). */
void terrain__flow_steepest(terrain__call *call, uint32_t index);

/* flow->diagonals of band `index` for RHO8: 1 / (2 - r), with each cell's random number r from 0 to
 * 1 of the stream flow->dither; ln 2 on average, near the 1 / sqrt(2) of D8. x, y: world
 * coordinates of the first cell. */
void terrain__flow_dither(const struct flow *flow, uint32_t index, int64_t x, int64_t y);

/* For all cells of band `index`: parts[8 * cell + d - 1] is the share of its water that goes in
 * direction d, in 2^-24, by all slopes downwards to `exponent`; the kernel tells more. */
void terrain__flow_part(const struct flow *flow, uint32_t index, float exponent, int32_t *parts);

/* Makes outlets of a row's cells at the rim of an open map. What finds directions here does it. */
void terrain__flow_open_row(const struct flow *flow, uint32_t y);

/* The cell that a cell flows to; itself if it is a pit or an outlet. */
static inline uint32_t terrain__flow_receiver(const struct flow *flow, uint32_t cell)
{
    return (uint32_t)((ptrdiff_t)cell + flow->steps[flow->directions[cell]]);
}

/* A cell's height; without a division where rows have no gaps between them. */
static inline float terrain__flow_height(const struct flow *flow, uint32_t cell)
{
    return flow->stride == flow->width
               ? flow->heights[cell]
               : flow->heights[cell / flow->width * flow->stride + cell % flow->width];
}

/* ---- Basins --------------------------------------------------------------------------------- */

/* The basin of a cell. */
#define TERRAIN__FLOW_BASIN UINT32_C(0x7FFFFFFF)
static inline uint32_t terrain__flow_basin(const struct flow *flow, uint32_t cell)
{
    return flow->labels[cell] & TERRAIN__FLOW_BASIN;
}

/* Basins that are filled to their levels join under water and make a lake: lowest[b] is the lowest
 * cell of the lake that basin b is a part of. Only terrain__flow_carve may follow. */
void terrain__flow_lakes(struct flow *flow, uint32_t *lowest);

/* The only task of a pass: turns directions round between each pit and its pass, so that every cell
 * reaches an outlet, or the lowest cell of all if there is none. Labels stay. */
void terrain__flow_carve(terrain__call *call, uint32_t index);

/* ---- Passes ---------------------------------------------------------------------------------- */

/* Directions to the lowest of the nine cells in the order above. 1 pass. */
terrain_status terrain__flow_run_lowest(terrain__call *call);

/* terrain__flow_steepest of all bands. 1 pass. */
terrain_status terrain__flow_run_steepest(terrain__call *call);

/* From receivers to labels, pits, passes, levels, parents and inwards. A pass between basins is a
 * pair of neighbours in two basins, as high as the higher one; the lowest is taken, and the first
 * one where several are, by the place of its first cell and the side of the second: east,
 * south-west, south, south-east. 6 passes of the call, or one less. */
terrain_status terrain__flow_run_basins(terrain__call *call);
enum { TERRAIN__FLOW_BASIN_PASSES = 6 };

/* From any receivers that end in pits to receivers that reach an outlet everywhere: basins, and
 * terrain__flow_carve. TERRAIN__FLOW_BASIN_PASSES + 1 passes. */
terrain_status terrain__flow_run_carve(terrain__call *call);

/* How water leaves depressions; the values of the `routing` of operations. */
enum { TERRAIN__FLOW_FILL = 0, TERRAIN__FLOW_CARVE = 1, TERRAIN__FLOW_NONE = 2 };

/* In prepare, after terrain__flow_look: RHO8 instead of D8, with random numbers of this draw. */
void terrain__flow_prepare_dither(terrain__call *call, struct flow *flow, uint64_t seed,
                                  uint32_t draw);

/* In prepare, after the above: memory for a routing. Returns the number of passes that
 * terrain__flow_run_routed will make. */
uint32_t terrain__flow_prepare_routing(terrain__call *call, struct flow *flow, uint32_t routing);

/* Receivers by terrain__flow_steepest, with diagonals by terrain__flow_dither if it was prepared,
 * and over level ground. FILL: on the filled map, which the flow looks at from then on; CARVE: on
 * the map, and then terrain__flow_carve.
 *
 * Level ground: each cell that has no lower neighbour but one that is level flows by the fewest
 * steps to a cell of its level that has a lower neighbour or is an outlet, or if there is none, to
 * the first one of its level, which becomes a pit. Among neighbours as near, to the first in the
 * order of (y, x).
 *
 * Where flow->known has cells, `routing` does not matter: water follows the known rivers, to the
 * lower neighbour, NaN among them, that has the most discharge; to the first one clockwise from the
 * east where several have the most. A discharge that is NaN counts as 0. */
terrain_status terrain__flow_run_routed(terrain__call *call, uint32_t routing);

/* ---- Order and areas ------------------------------------------------------------------------ */

/* Task, by bands: donors. */
void terrain__flow_find_donors(terrain__call *call, uint32_t index);

/* Where water goes to several neighbours: how many give to each cell of band `index`. Bit d - 1 of
 * a cell's share: it gives in direction d. */
void terrain__flow_count_givers(const struct flow *flow, uint32_t index, const uint8_t *shares,
                                uint8_t *counts);

/* The tree of receivers: all cells by places, each before every one that flows to it. It has one or
 * two halves, a task each; whatever flows to a cell is in the cell's half. tree.cells: of each
 * place its cell; tree.parents: the place of its receiver, of a root its own; tree.ways: its cell's
 * direction. There are more places than cells: those between the halves have none. How many halves
 * there are changes the order of places, and no result. */
uint32_t terrain__flow_halves(const struct flow *flow);
/* Bands of rows for as many threads: of more, more would cross from one to another. */
terrain__bands terrain__flow_half_bands(const struct flow *flow);

/* Before terrain__flow_grow of either half, for halves that are more nearly equal: divides the
 * largest catchments between them. */
void terrain__flow_deal_roots(struct flow *flow);
void terrain__flow_grow(struct flow *flow, uint32_t half);

/* The same tree in four steps, for equal halves: first the roots of each band; then the trunk,
 * which is the roots and whatever cells marked TERRAIN__FLOW_TRUNK reach these by way of others,
 * and of each half its first `roots` places, cells that flow to the trunk; then the branches of
 * each half. Lesser marks say how much is upstream. terrain__flow_mark_trunk makes marks, one for
 * each cell, by following the ways of a few cells; earlier sweeps may tell more. */
enum { TERRAIN__FLOW_TRUNK = 255 };
void terrain__flow_find_roots(struct flow *flow, uint32_t index);
void terrain__flow_mark_trunk(const struct flow *flow, uint8_t *marks);
void terrain__flow_grow_trunk(struct flow *flow, const uint8_t *marks);
void terrain__flow_grow_branches(struct flow *flow, uint32_t half);

static inline size_t terrain__flow_places(const struct flow *flow)
{
    return terrain__flow_cells(flow) + TERRAIN__FLOW_TREE_PAD;
}

/* Place i of a half, in its order. */
static inline size_t terrain__flow_place(const struct flow_half *half, size_t i)
{
    return half->first + (size_t)half->step * i;
}

/* Where in memory a half begins. */
static inline size_t terrain__flow_lowest_place(const struct flow_half *half)
{
    return half->step > 0 ? half->first : half->first + 1 - half->count;
}

/* For terrain__flow_look: flow->fans. */
void terrain__flow_lay_fans(const struct flow *flow);

/* Water is counted in integers, so that sums are exact in any order: in whole cells, or in units of
 * which a cell's water has this many. */
#define TERRAIN__FLOW_UNIT 65536.0

/* The most rain on one cell, in cells' water: all of it on a map is at most 2^62 units. */
#define TERRAIN__FLOW_MOST_RAIN 65536.0f

/* Water in units: 0 for NaN and below 0, at most `most` cells' water. */
static inline uint64_t terrain__flow_units(float water, float most)
{
    const float w = water > 0 ? water : 0;
    return (uint64_t)((double)(w < most ? w : most) * TERRAIN__FLOW_UNIT + 0.5);
}

/* The rain on each cell of band `index` of the call's map, in units: a cell's water where `rain`
 * has no cells, and none on NaN. */
void terrain__flow_fill_rain(const terrain__call *call, uint32_t index, terrain__view rain,
                             uint64_t *areas);

/* After terrain__flow_grow: adds to each place of `counts` or `sums` all that is upstream of it. */
void terrain__flow_counts(const struct flow *flow, const struct flow_half *half, uint32_t *counts);
void terrain__flow_sums(const struct flow *flow, const struct flow_half *half, uint64_t *sums);

/* After terrain__flow_grow: adds to each cell of `areas` all that lies upstream of it. */
void terrain__flow_areas(const struct flow *flow, const struct flow_half *half, uint64_t *areas);

/* After terrain__flow_grow: how many cells drain through each place, itself included; NaN counts
 * as 0 cells. */
void terrain__flow_catchments(const struct flow *flow, const struct flow_half *half,
                              uint32_t *counts);

/* After terrain__flow_grow: the known discharge at a place. */
static inline float terrain__flow_known(const struct flow *flow, size_t place)
{
    const uint32_t cell = flow->tree.cells[place];
    return flow->known.cells[cell / flow->width * flow->known.stride + cell % flow->width];
}

/* After terrain__flow_grow: a known river that has begun goes on to its end. Downstream of each
 * place that has `least` or more, every place gets at least `least`. */
void terrain__flow_extend_counts(const struct flow *flow, const struct flow_half *half,
                                 uint32_t *counts, uint32_t least);
void terrain__flow_extend_sums(const struct flow *flow, const struct flow_half *half,
                               uint64_t *sums, uint64_t least);

/* ---- Areas by patches, without the tree ------------------------------------------------------
 *
 * For maps that the caches don't hold. Water of a patch: water[y * TERRAIN__FLOW_PATCH + x] of its
 * cells. */

struct flow_patch;
typedef void terrain__flow_rain(terrain__call *call, const struct flow_patch *patch,
                                uint64_t *water);

/* In prepare: memory for planes of up to width x height. */
void terrain__flow_prepare_sides(terrain__call *call, struct flow *flow, uint32_t width,
                                 uint32_t height);

/* Four steps: _clear_sides; _sum_patches of each row of patches (terrain__flow_patches) with `take`
 * NULL; _sum_ways; _sum_patches of each row again. `rain` writes what falls on a patch's cells, and
 * must write it twice; `take` gets what comes through them. */
void terrain__flow_clear_sides(const struct flow *flow);
void terrain__flow_sum_patches(terrain__call *call, const struct flow *flow, uint32_t index,
                               terrain__flow_rain *rain, terrain__flow_rain *take);
void terrain__flow_sum_ways(const struct flow *flow);

#endif
