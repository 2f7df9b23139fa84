/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_fill: fills depressions until water runs off everywhere.
 *
 * With slope 0 by the graph of basins (flow/flow.h; Cordonnier, Bovy and Braun, Earth Surface
 * Dynamics 7, 2019), in five passes over the map:
 *
 *   receivers   each cell's lowest neighbour
 *   labels      all cells that end in one pit
 *   pairs       of neighbours in two basins; the lowest between any two decide
 *   levels      over their spanning tree, from the outlets inwards
 *   raise       each cell to its basin's level
 *
 * With a slope a cell's level depends on the way to it: it is the lowest that any way from an
 * outlet gives, on which levels rise by the slope and are nowhere below the ground.
 *
 *   carve       receivers that reach an outlet everywhere
 *   climb       levels along these, from outlets upwards: of the trunk of the receivers' tree, then
 *               of its branches in two halves. Cells that are not raised are right; the others may
 *               have a lower way
 *   lakes       levels of all raised cells anew, the lowest first, from the land beside them:
 *               R. Barnes, C. Lehman, D. Mulla, Priority-flood, Computers & Geosciences 62, 2014.
 *               Either half of the rows by itself
 *   seam        what one half can lower in the other */

#include <string.h>

#include "base/math.h"
#include "core/choices.h"
#include "flow/flow.h"
#include "flow/flow_kernels.h"
#include "rows/rows.h"
#include "terrain/shape.h"

typedef terrain_shape_fill_params fill_params;

static const terrain_parameter fill_parameters[] = {
    TERRAIN__FLOAT(fill_params, slope, "slope", 0, 0, 100,
                   "The slope of filled ground towards its outlet; 0: level."),
    TERRAIN__ENUM(fill_params, rim, TERRAIN_RIM_OPEN, terrain__rim,
                  "Whether water leaves over the edge of the map, or only at NaN."),
    TERRAIN__MAP_OUT(fill_params, depth, "Gets how much higher each cell is afterwards."),
    TERRAIN__MAP_OUT(fill_params, lakes, "Gets a number for each lake, 0 on land."),
    TERRAIN__MASK(fill_params),
};

struct fill_job {
    struct flow flow; /* first: terrain__flow_run_… */
    uint32_t *lowest; /* of each basin: the lowest cell of its lake; NULL: not asked for */
    float *numbers;   /* of each basin: its lake's number */
    /* With a slope: */
    float straight, diagonal; /* what heights rise by from cell to cell */
    float *filled;            /* of each cell: its level */
    uint64_t *entries;        /* the halves' heaps; before them, as floats, levels by tree place */
    uint32_t *places;         /* of each cell: in the heap, or FILL_OUT */
    uint8_t *states;          /* of each cell: one of FILL_… */
};

enum {
    FILL_LAND,   /* no water rises there */
    FILL_RAISED, /* it does, as far as is known */
    FILL_WAITS   /* and what the cell gives its neighbours is not yet known */
};

#define FILL_OUT UINT32_MAX
#define FILL_NONE UINT32_MAX

static terrain_status fill_prepare(terrain__call *call)
{
    const fill_params *p = call->params;
    struct fill_job *job = call->job;
    const uint32_t width = call->target.width, height = call->target.height;
    const size_t cells = (size_t)width * height;
    terrain_status status = terrain__flow_prepare_map(
        call, &job->flow,
        TERRAIN__FLOW_NEEDS_BASINS | (p->slope > 0 ? TERRAIN__FLOW_NEEDS_TREE : 0), p->rim);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    if (p->lakes != NULL) {
        size_t basins = terrain__flow_most_basins(width, height);
        job->lowest = terrain__scratch(call, basins, sizeof *job->lowest);
        job->numbers = terrain__scratch(call, basins, sizeof *job->numbers);
    }
    if (p->slope > 0) {
        double rise = (double)p->slope * (double)call->cell_size;
        job->straight = (float)rise;
        job->diagonal = (float)(rise * TERRAIN__FLOW_CORNER);
        job->filled = terrain__scratch(call, cells, sizeof *job->filled);
        job->entries =
            terrain__scratch(call, terrain__flow_places(&job->flow), sizeof *job->entries);
        job->places = job->flow.tree.parents; /* when the tree is done with */
        job->states = job->flow.tree.ways;
    }
    terrain__expect_passes(call, 2 + TERRAIN__FLOW_BASIN_PASSES + (p->lakes != NULL) +
                                     (p->slope > 0 ? 6 : 0));
    return TERRAIN_SUCCESS;
}

/* ---- Level ----------------------------------------------------------------------------------- */

/* A lake's number is a hash of where its lowest cell lies in the world: (2 r + 1) / 2^24 of 23 bits
 * r, so that it is never 0. */
static void fill_number_lakes(terrain__call *call, uint32_t index)
{
    struct fill_job *job = call->job;
    const struct flow *flow = &job->flow;
    const uint64_t stream =
        terrain__random_stream(0, call->operation->key, TERRAIN__DRAW_FILL_LAKE);
    (void)index;
    terrain__flow_lakes(&job->flow, job->lowest);
    for (uint32_t i = 1; i < flow->linked; i++) {
        const uint32_t basin = flow->inwards[i];
        const uint32_t cell = job->lowest[basin];
        const uint32_t bits = terrain__random_cell(stream, call->x + cell % flow->width,
                                                   call->y + cell / flow->width);
        job->numbers[basin] = (float)((bits >> 9) * 2 + 1) * 0x1p-24f;
    }
}

/* ---- With a slope ---------------------------------------------------------------------------- */

/* What a neighbour at the height `from` raises a cell to. Cells that drain into NaN stay. */
static inline float fill_level(const struct fill_job *job, float height, float from, bool straight)
{
    const float least = from + (straight ? job->straight : job->diagonal);
    return height < least ? least : height;
}

static void fill_begin_band(terrain__call *call, uint32_t index)
{
    struct fill_job *job = call->job;
    terrain__flow_find_donors(call, index);
    terrain__flow_find_roots(&job->flow, index);
}

/* A part of the tree, whose first places are `outlets`. */
static void fill_climb(struct fill_job *job, const struct flow_half *part, size_t outlets)
{
    const struct flow *flow = &job->flow;
    float *levels = (float *)(void *)job->entries;
    for (size_t i = 0; i < part->count; i++) {
        const size_t place = terrain__flow_place(part, i);
        const uint32_t cell = flow->tree.cells[place];
        const float height = terrain__flow_height(flow, cell);
        levels[place] = i < outlets ? height
                                    : fill_level(job, height, levels[flow->tree.parents[place]],
                                                 terrain__flow_is_straight(flow->tree.ways[place]));
        job->filled[cell] = levels[place];
    }
}

static void fill_climb_trunk(terrain__call *call, uint32_t index)
{
    struct fill_job *job = call->job;
    struct flow *flow = &job->flow;
    uint8_t *marks = (uint8_t *)(void *)job->filled; /* which has no levels yet */
    (void)index;
    terrain__flow_mark_trunk(flow, marks);
    terrain__flow_grow_trunk(flow, marks);
    fill_climb(job, &flow->trunk, flow->trunk.roots);
}

static void fill_climb_branches(terrain__call *call, uint32_t index)
{
    struct fill_job *job = call->job;
    terrain__flow_grow_branches(&job->flow, index);
    fill_climb(job, &job->flow.halves[index], 0);
}

/* Cells whose levels fell, in the order in which they fell. A cell comes once at most: since levels
 * rise, what its first straight neighbour gives it is not more than what the next ones would, and
 * the same goes for its diagonal ones. */
struct fill_queue {
    uint32_t *cells;
    size_t first, count;
};

/* Rows whose lakes one task fills. Cells are visited by their levels, the lowest first. So the
 * levels that they give to straight neighbours rise, and so do those that they give to diagonal
 * ones: two queues are in order by themselves. A heap has the cells that begin, and those whose
 * level is the ground. The queues lie in memory of the flow's tree and pairs, which nobody needs
 * any more. */
struct fill_lakes {
    struct fill_job *job;
    uint32_t begin, end;
    struct fill_queue straight, diagonal;
    uint64_t *heap; /* the key of a cell's level, then the cell */
    size_t heap_size;
};

static struct fill_lakes fill_lakes_of(struct fill_job *job, uint32_t begin, uint32_t end)
{
    const size_t first = (size_t)begin * job->flow.width;
    const struct fill_lakes lakes = {
        .job = job,
        .begin = begin,
        .end = end,
        .straight.cells = job->flow.tree.cells + first,
        .diagonal.cells = (uint32_t *)(void *)job->flow.pairs + first,
        .heap = job->entries + first,
    };
    return lakes;
}

/* Puts a cell into the heap, or where it belongs now. */
static void fill_heap_put(struct fill_lakes *lakes, uint32_t cell, float level)
{
    const uint64_t entry = (uint64_t)terrain__flow_key(level) << 32 | cell;
    uint64_t *heap = lakes->heap;
    uint32_t *places = lakes->job->places;
    size_t place = places[cell] == FILL_OUT ? lakes->heap_size++ : places[cell];
    while (place > 0 && heap[(place - 1) / 2] > entry) {
        heap[place] = heap[(place - 1) / 2];
        places[(uint32_t)heap[place]] = (uint32_t)place;
        place = (place - 1) / 2;
    }
    heap[place] = entry;
    places[cell] = (uint32_t)place;
}

static void fill_heap_drop(struct fill_lakes *lakes)
{
    uint64_t *heap = lakes->heap;
    uint32_t *places = lakes->job->places;
    const uint32_t cell = (uint32_t)heap[0];
    const uint64_t last = heap[--lakes->heap_size];
    size_t place = 0;
    for (size_t child = 1; child < lakes->heap_size; child = 2 * place + 1) {
        child += child + 1 < lakes->heap_size && heap[child + 1] < heap[child];
        if (heap[child] >= last) {
            break;
        }
        heap[place] = heap[child];
        places[(uint32_t)heap[place]] = (uint32_t)place;
        place = child;
    }
    heap[place] = last;
    places[(uint32_t)last] = (uint32_t)place;
    places[cell] = FILL_OUT;
}

/* A cell gets a lower level, by which it waits for its turn. */
static void fill_lower(struct fill_lakes *lakes, uint32_t cell, float level)
{
    lakes->job->filled[cell] = level;
    lakes->job->states[cell] = FILL_WAITS;
}

/* The lowest cell that waits, or FILL_NONE. It need not wait any more. */
static uint32_t fill_take(struct fill_lakes *lakes)
{
    const float *filled = lakes->job->filled;
    uint8_t *states = lakes->job->states;
    struct fill_queue *queues[2] = {&lakes->straight, &lakes->diagonal};
    for (;;) {
        uint32_t cell = lakes->heap_size > 0 ? (uint32_t)lakes->heap[0] : FILL_NONE;
        struct fill_queue *from = NULL;
        for (int k = 0; k < 2; k++) {
            struct fill_queue *queue = queues[k];
            if (queue->first < queue->count &&
                (cell == FILL_NONE || filled[queue->cells[queue->first]] < filled[cell])) {
                cell = queue->cells[queue->first];
                from = queue;
            }
        }
        if (cell == FILL_NONE) {
            return cell;
        }
        if (from != NULL) {
            from->first++;
        } else {
            fill_heap_drop(lakes);
        }
        if (states[cell] == FILL_WAITS) {
            states[cell] = FILL_RAISED;
            return cell;
        }
    }
}

/* The neighbours of a cell in the rows: the bits of their directions. */
static uint32_t fill_neighbours(const struct fill_lakes *lakes, uint32_t x, uint32_t y)
{
    const uint32_t west = 1u << TERRAIN__FLOW_SW | 1u << TERRAIN__FLOW_W | 1u << TERRAIN__FLOW_NW;
    const uint32_t east = 1u << TERRAIN__FLOW_SE | 1u << TERRAIN__FLOW_E | 1u << TERRAIN__FLOW_NE;
    const uint32_t north = 1u << TERRAIN__FLOW_NW | 1u << TERRAIN__FLOW_N | 1u << TERRAIN__FLOW_NE;
    const uint32_t south = 1u << TERRAIN__FLOW_SW | 1u << TERRAIN__FLOW_S | 1u << TERRAIN__FLOW_SE;
    return 0x1FEu & ~(x == 0 ? west : 0) & ~(x + 1 == lakes->job->flow.width ? east : 0) &
           ~(y == lakes->begin ? north : 0) & ~(y + 1 == lakes->end ? south : 0);
}

/* Lowers levels from the cells that wait on. */
static void fill_spread(struct fill_lakes *lakes)
{
    struct fill_job *job = lakes->job;
    const struct flow *flow = &job->flow;
    for (uint32_t cell; (cell = fill_take(lakes)) != FILL_NONE;) {
        const uint32_t x = cell % flow->width, y = cell / flow->width;
        const float *heights = flow->heights + y * flow->stride + x, from = job->filled[cell];
        for (uint32_t bits = fill_neighbours(lakes, x, y); bits != 0; bits &= bits - 1) {
            const uint32_t d = terrain__lowest_bit(bits);
            const uint32_t other = (uint32_t)((ptrdiff_t)cell + flow->steps[d]);
            if (job->filled[other] > from && job->states[other] != FILL_LAND) {
                const bool straight = terrain__flow_is_straight(d);
                const float height = heights[flow->height_steps[d]];
                const float level = fill_level(job, height, from, straight);
                if (level < job->filled[other]) {
                    struct fill_queue *queue = straight ? &lakes->straight : &lakes->diagonal;
                    fill_lower(lakes, other, level);
                    if (level > height) {
                        queue->cells[queue->count++] = other;
                    } else {
                        fill_heap_put(lakes, other, level);
                    }
                }
            }
        }
    }
}

/* The lowest level that neighbours of one kind give a cell. */
static float fill_look_around(const struct fill_lakes *lakes, uint32_t x, uint32_t y, bool land)
{
    const struct fill_job *job = lakes->job;
    const struct flow *flow = &job->flow;
    const size_t cell = (size_t)y * flow->width + x;
    const float height = flow->heights[y * flow->stride + x];
    float lowest = INFINITY;
    for (uint32_t bits = fill_neighbours(lakes, x, y); bits != 0; bits &= bits - 1) {
        const uint32_t d = terrain__lowest_bit(bits);
        const size_t other = (size_t)((ptrdiff_t)cell + flow->steps[d]);
        if (!land || job->states[other] == FILL_LAND) {
            const float level =
                fill_level(job, height, job->filled[other], terrain__flow_is_straight(d));
            lowest = level < lowest ? level : lowest;
        }
    }
    return lowest;
}

/* Raised cells begin that land beside them makes no higher than the way of the water did. */
static void fill_begin_row(struct fill_lakes *lakes, uint32_t y)
{
    struct fill_job *job = lakes->job;
    const uint32_t width = job->flow.width, row = y * width;
    for (uint32_t x = 0; x < width; x++) {
        if (job->states[row + x] != FILL_LAND) {
            const float level = fill_look_around(lakes, x, y, true);
            const bool begins = level <= job->filled[row + x] && level < INFINITY;
            job->filled[row + x] = INFINITY;
            if (begins) {
                fill_lower(lakes, row + x, level);
                fill_heap_put(lakes, row + x, level);
            }
        }
    }
}

static void fill_half(terrain__call *call, uint32_t index)
{
    struct fill_job *job = call->job;
    const struct flow *flow = &job->flow;
    const terrain__bands halves = terrain__flow_half_bands(flow);
    struct fill_lakes lakes =
        fill_lakes_of(job, terrain__band_begin(&halves, index), terrain__band_end(&halves, index));
    for (uint32_t y = lakes.begin; y < lakes.end; y++) {
        const float *heights = flow->heights + y * flow->stride;
        const size_t row = (size_t)y * flow->width;
        for (uint32_t x = 0; x < flow->width; x++) {
            job->states[row + x] = job->filled[row + x] > heights[x] ? FILL_RAISED : FILL_LAND;
            job->places[row + x] = FILL_OUT;
        }
    }
    for (uint32_t y = lakes.begin; y < lakes.end; y++) {
        fill_begin_row(&lakes, y);
    }
    fill_spread(&lakes);
}

/* What the rows at either side of the seam can lower beyond it. */
static void fill_seam(terrain__call *call, uint32_t index)
{
    struct fill_job *job = call->job;
    const uint32_t width = job->flow.width, height = job->flow.height;
    const terrain__bands halves = terrain__flow_half_bands(&job->flow);
    const uint32_t seam = terrain__band_end(&halves, 0);
    struct fill_lakes lakes = fill_lakes_of(job, 0, height);
    (void)index;
    for (uint32_t y = seam - 1; y <= seam && seam < height; y++) {
        for (uint32_t x = 0; x < width; x++) {
            const float level = fill_look_around(&lakes, x, y, false);
            if (job->states[y * width + x] != FILL_LAND && level < job->filled[y * width + x]) {
                fill_lower(&lakes, y * width + x, level);
                fill_heap_put(&lakes, y * width + x, level);
            }
        }
    }
    fill_spread(&lakes);
}

static terrain_status fill_run_slope(terrain__call *call)
{
    const struct fill_job *job = call->job;
    const struct flow *flow = &job->flow;
    terrain_status status = terrain__run(call, 1, terrain__flow_carve);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_bands(flow).count, fill_begin_band);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, fill_climb_trunk);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_halves(flow), fill_climb_branches);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_half_bands(flow).count, fill_half);
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, fill_seam) : status;
}

/* ---- Out ------------------------------------------------------------------------------------- */

/* The map may be the target: it is read first. */
static void fill_raise(terrain__call *call, uint32_t task, uint32_t y)
{
    const fill_params *p = call->params;
    const struct fill_job *job = call->job;
    const struct flow *flow = &job->flow;
    float *depth = terrain__output_row(call, offsetof(fill_params, depth), y);
    float *lakes = terrain__output_row(call, offsetof(fill_params, lakes), y);
    const float *heights = terrain__map_row(call, y);
    float *target = terrain__target_row(call, y);
    const float *sloping = p->slope > 0 ? job->filled + (size_t)y * flow->width : NULL;
    const uint32_t *labels = flow->labels + (size_t)y * flow->width;
    (void)task;
    for (uint32_t x = 0; lakes != NULL && x < flow->width; x++) {
        const uint32_t basin = labels[x] & TERRAIN__FLOW_BASIN;
        lakes[x] = heights[x] < flow->levels[basin] ? job->numbers[basin] : 0;
    }
    for (uint32_t x = 0; depth != NULL && x < flow->width; x++) {
        const float level =
            sloping != NULL ? sloping[x] : flow->levels[labels[x] & TERRAIN__FLOW_BASIN];
        depth[x] = heights[x] < level ? level - heights[x] : 0;
    }
    if (sloping != NULL) {
        memcpy(target, sloping, flow->width * sizeof *sloping);
    } else {
        flow->kernels->raise(target, heights, labels, flow->levels, flow->width);
    }
}

static terrain_status fill_run(terrain__call *call)
{
    const fill_params *p = call->params;
    const struct fill_job *job = call->job;
    terrain_status status = terrain__flow_run_lowest(call);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__flow_run_basins(call);
    }
    if (status == TERRAIN_SUCCESS && job->lowest != NULL) {
        status = terrain__run(call, 1, fill_number_lakes);
    }
    if (status == TERRAIN_SUCCESS && p->slope > 0) {
        status = fill_run_slope(call);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit_rows(call, fill_raise) : status;
}

static const char *fill_endless(const void *params)
{
    return terrain__rim_endless(((const fill_params *)params)->rim);
}

const terrain_operation terrain__shape_fill = {
    TERRAIN__IDENTITY(shape, fill),
    .result_version = 1,
    .summary = "Fills depressions until water runs off everywhere, and says where lakes would be.",
    .reference = "Cordonnier, Bovy and Braun, Earth Surface Dynamics 7, 2019; Barnes, Lehman and "
                 "Mulla, Computers & Geosciences 62, 2014",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(fill_params),
    TERRAIN__PARAMETERS(fill_parameters),
    .job_size = sizeof(struct fill_job),
    .halo = terrain__global_halo,
    .endless = fill_endless,
    .regions = &terrain__flow_regions,
    .prepare = fill_prepare,
    .run = fill_run,
};

TERRAIN__PUBLIC_CHANGE(shape_fill)
