/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* shape_fill: raises hollows until water runs off everywhere.
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
 * With a slope each level depends on the way to it, and the cells to raise are visited in the order
 * of their new heights: R. Barnes, C. Lehman, D. Mulla, Priority-flood, Computers & Geosciences 62,
 * 2014. Cells that need no raising are settled without that order. */

#include <string.h>

#include "core/choices.h"
#include "flow/flow.h"
#include "flow/flow_kernels.h"
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
    terrain__plane filled;
    uint64_t *heap; /* height's key, then cell */
    size_t heap_size;
    uint32_t *places; /* of each cell: in the heap, or one of FILL_… */
    uint32_t *settled;
};

#define FILL_UNSEEN UINT32_MAX
#define FILL_SETTLED (UINT32_MAX - 1)

static terrain_status fill_prepare(terrain__call *call)
{
    const fill_params *p = call->params;
    struct fill_job *job = call->job;
    const uint32_t width = call->target.width, height = call->target.height;
    const size_t cells = (size_t)width * height;
    terrain_status status =
        terrain__flow_prepare(call, &job->flow, width, height, TERRAIN__FLOW_NEEDS_BASINS);
    terrain__flow_look(&job->flow, call->map.cells, call->map.stride, width, height,
                       p->rim == TERRAIN_RIM_OPEN);
    if (p->lakes != NULL) {
        size_t basins = terrain__flow_most_basins(width, height);
        job->lowest = terrain__scratch(call, basins, sizeof *job->lowest);
        job->numbers = terrain__scratch(call, basins, sizeof *job->numbers);
    }
    if (p->slope > 0) {
        double rise = (double)p->slope * (double)call->cell_size;
        job->straight = (float)rise;
        job->diagonal = (float)(rise * 1.4142135623730951);
        job->filled = terrain__scratch_plane(call, width, height);
        job->heap = terrain__scratch(call, cells, sizeof *job->heap);
        job->places = terrain__scratch(call, cells, sizeof *job->places);
        job->settled = terrain__scratch(call, cells, sizeof *job->settled);
    }
    terrain__expect_passes(call,
                           2 + TERRAIN__FLOW_BASIN_PASSES + (p->lakes != NULL) + (p->slope > 0));
    return status;
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

static inline uint64_t fill_entry(float height, uint32_t cell)
{
    return (uint64_t)terrain__flow_key(height) << 32 | cell;
}

/* Puts an entry where it belongs at or above `place`. */
static void fill_heap_up(struct fill_job *job, size_t place, uint64_t entry)
{
    while (place > 0 && job->heap[(place - 1) / 2] > entry) {
        job->heap[place] = job->heap[(place - 1) / 2];
        job->places[(uint32_t)job->heap[place]] = (uint32_t)place;
        place = (place - 1) / 2;
    }
    job->heap[place] = entry;
    job->places[(uint32_t)entry] = (uint32_t)place;
}

static uint32_t fill_heap_take(struct fill_job *job)
{
    const uint32_t cell = (uint32_t)job->heap[0];
    const uint64_t last = job->heap[--job->heap_size];
    size_t place = 0;
    for (size_t child = 1; child < job->heap_size; child = 2 * place + 1) {
        child += child + 1 < job->heap_size && job->heap[child + 1] < job->heap[child];
        if (job->heap[child] >= last) {
            break;
        }
        job->heap[place] = job->heap[child];
        job->places[(uint32_t)job->heap[place]] = (uint32_t)place;
        place = child;
    }
    if (job->heap_size > 0) {
        job->heap[place] = last;
        job->places[(uint32_t)last] = (uint32_t)place;
    }
    job->places[cell] = FILL_SETTLED;
    return cell;
}

/* A neighbour of a settled cell, from which it would get `least`. Returns true if it is as high
 * already: then it is settled. */
static bool fill_reach(struct fill_job *job, uint32_t cell, float height, float least,
                       float *filled)
{
    const uint32_t place = job->places[cell];
    if (!(height < least)) {
        if (place < FILL_SETTLED) { /* leave the heap as the lowest of all */
            fill_heap_up(job, place, cell);
            (void)fill_heap_take(job);
        }
        job->places[cell] = FILL_SETTLED;
        *filled = height;
        return true;
    }
    if (place == FILL_UNSEEN || least < *filled) {
        *filled = least;
        fill_heap_up(job, place == FILL_UNSEEN ? job->heap_size++ : place, fill_entry(least, cell));
    }
    return false;
}

/* Settles the neighbours of a cell that are high enough. Returns the number of those that wait. */
static size_t fill_spread(struct fill_job *job, uint32_t cell, size_t waiting)
{
    const struct flow *flow = &job->flow;
    const uint32_t x = cell % flow->width, y = cell / flow->width;
    const float from = job->filled.cells[y * job->filled.stride + x];
    for (uint32_t ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < flow->height; ny++) {
        for (uint32_t nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < flow->width; nx++) {
            const uint32_t next = ny * flow->width + nx;
            const bool level = nx == x || ny == y;
            const float height = flow->heights[ny * flow->stride + nx];
            /* Cells that drain into NaN may stay as low as they are. */
            const float least =
                from != from ? -INFINITY : from + (level ? job->straight : job->diagonal);
            if (job->places[next] != FILL_SETTLED &&
                fill_reach(job, next, height, least,
                           &job->filled.cells[ny * job->filled.stride + nx])) {
                job->settled[waiting++] = next;
            }
        }
    }
    return waiting;
}

static void fill_from_outlets(terrain__call *call, uint32_t index)
{
    struct fill_job *job = call->job;
    const struct flow *flow = &job->flow;
    const size_t cells = (size_t)flow->width * flow->height;
    size_t waiting = 0;
    (void)index;
    job->heap_size = 0;
    memset(job->places, 0xFF, cells * sizeof *job->places);
    for (size_t i = 0; i < cells; i++) {
        bool drains = flow->directions[i] == TERRAIN__FLOW_OUTLET ||
                      (flow->root != 0 && flow->pits[flow->root] == i);
        if (drains) {
            const uint32_t cell = (uint32_t)i;
            job->filled.cells[i / flow->width * job->filled.stride + i % flow->width] =
                terrain__flow_height(flow, cell);
            job->places[i] = FILL_SETTLED;
            job->settled[waiting++] = cell;
        }
    }
    while (waiting > 0 || job->heap_size > 0) {
        const uint32_t cell = waiting > 0 ? job->settled[--waiting] : fill_heap_take(job);
        waiting = fill_spread(job, cell, waiting);
    }
}

/* ---- Out ------------------------------------------------------------------------------------- */

/* The map may be the target: it is read first. */
static void fill_raise_row(terrain__call *call, uint32_t y)
{
    const fill_params *p = call->params;
    const struct fill_job *job = call->job;
    const struct flow *flow = &job->flow;
    const terrain__plane depth = terrain__output(call, (uint32_t)offsetof(fill_params, depth));
    const terrain__plane lakes = terrain__output(call, (uint32_t)offsetof(fill_params, lakes));
    const float *heights = call->map.cells + y * call->map.stride;
    const float *sloping = p->slope > 0 ? job->filled.cells + y * job->filled.stride : NULL;
    const uint32_t *labels = flow->labels + (size_t)y * flow->width;
    for (uint32_t x = 0; lakes.cells != NULL && x < flow->width; x++) {
        const uint32_t basin = labels[x] & TERRAIN__FLOW_BASIN;
        lakes.cells[y * lakes.stride + x] =
            heights[x] < flow->levels[basin] ? job->numbers[basin] : 0;
    }
    for (uint32_t x = 0; depth.cells != NULL && x < flow->width; x++) {
        const float level =
            sloping != NULL ? sloping[x] : flow->levels[labels[x] & TERRAIN__FLOW_BASIN];
        depth.cells[y * depth.stride + x] = heights[x] < level ? level - heights[x] : 0;
    }
    if (sloping != NULL) {
        memcpy(call->target.cells + y * call->target.stride, sloping,
               flow->width * sizeof *sloping);
    } else {
        flow->kernels->raise(call->target.cells + y * call->target.stride, heights, labels,
                             flow->levels, flow->width);
    }
}

static void fill_raise(terrain__call *call, uint32_t index)
{
    const terrain__bands bands = terrain__bands_of(call->target.height, 1);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        fill_raise_row(call, y);
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
        status = terrain__run(call, 1, fill_from_outlets);
    }
    return status == TERRAIN_SUCCESS
               ? terrain__commit(call, terrain__bands_of(call->target.height, 1).count, fill_raise)
               : status;
}

static const terrain__world_regions fill_regions = {
    .core = 512,
    .combining = TERRAIN__COMBINE_LEAST,
};

static const char *fill_endless(const void *params)
{
    return terrain__rim_endless(((const fill_params *)params)->rim);
}

const terrain_operation terrain__shape_fill = {
    TERRAIN__IDENTITY(shape, fill),
    .result_version = 1,
    .summary = "Raises hollows until water runs off everywhere, and says where lakes would be.",
    .reference = "Cordonnier, Bovy and Braun, Earth Surface Dynamics 7, 2019; Barnes, Lehman and "
                 "Mulla, Computers & Geosciences 62, 2014",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(fill_params),
    TERRAIN__PARAMETERS(fill_parameters),
    .job_size = sizeof(struct fill_job),
    .halo = terrain__global_halo,
    .endless = fill_endless,
    .regions = &fill_regions,
    .prepare = fill_prepare,
    .run = fill_run,
};

TERRAIN__PUBLIC_CHANGE(shape_fill)
