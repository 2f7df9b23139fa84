/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze_basins: which outlet each cell drains to, and what its streams are like.
 *
 * A. N. Strahler, Quantitative analysis of watershed geomorphology, Transactions of the American
 * Geophysical Union 38, 1957, for the order of streams; J. T. Hack, Studies of longitudinal stream
 * profiles, USGS Professional Paper 294-B, 1957, for the length of the longest way upstream. Flow
 * directions come from flow/flow.h. Outlets first, cells take their basin from their receiver;
 * upstream first, they hand on what their streams have become. */

#include <string.h>

#include "core/choices.h"
#include "flow/flow.h"
#include "terrain/analyze.h"

typedef terrain_analyze_basins_params basins_params;

static const terrain_parameter basins_parameters[] = {
    TERRAIN__ENUM(
        basins_params, routing, TERRAIN_ANALYZE_FLOW_ROUTING_FILL, terrain__routing,
        "How water leaves depressions: as if they were filled, along their beds, or not at all."),
    TERRAIN__ENUM(basins_params, rim, TERRAIN_RIM_OPEN, terrain__rim,
                  "Whether water leaves over the edge of the map, or only at NaN."),
    TERRAIN__UINT32(basins_params, threshold, "cells", 100, 1, 1073741824,
                    "The catchment area at which a stream begins.",
                    .scaling = TERRAIN_SCALING_AREA),
    TERRAIN__MAP_OUT(basins_params, order,
                     "Gets the Strahler order of the stream at each cell, 0 where there is none."),
    TERRAIN__MAP_OUT(
        basins_params, length,
        "Gets the length of the longest flow path to each cell, in the unit of the cell size."),
};

struct basins_job {
    struct flow flow; /* first: terrain__flow_run_… */
    float *numbers;   /* of each cell, as streams and lengths; NULL: not asked for */
    uint8_t *streams; /* Strahler's order */
    float *lengths;
    /* For each place of the tree. */
    uint32_t *areas;
    uint8_t *met;  /* of the streams that come in: their order, and BASINS_TWICE if two have it */
    float *values; /* numbers, later lengths */
    float straight, diagonal;
};

/* Orders are below: a stream of order n has 2^(n - 1) sources or more, and a map 2^30 cells. */
enum { BASINS_TWICE = 128 };

static terrain_status basins_prepare(terrain__call *call)
{
    const basins_params *p = call->params;
    struct basins_job *job = call->job;
    const size_t cells = (size_t)call->target.width * call->target.height;
    terrain_status status = terrain__flow_prepare_map(
        call, &job->flow, TERRAIN__FLOW_NEEDS_BASINS | TERRAIN__FLOW_NEEDS_TREE, p->rim);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    job->numbers = terrain__scratch(call, cells, sizeof *job->numbers);
    job->values = terrain__scratch(call, terrain__flow_places(&job->flow), sizeof *job->values);
    if (p->order != NULL) {
        job->areas = terrain__scratch(call, terrain__flow_places(&job->flow), sizeof *job->areas);
        job->met = terrain__scratch(call, terrain__flow_places(&job->flow), 1);
        job->streams = terrain__scratch(call, cells, 1);
    }
    if (p->length != NULL) {
        job->lengths = terrain__scratch(call, cells, sizeof *job->lengths);
    }
    job->straight = call->cell_size;
    job->diagonal = (float)((double)call->cell_size * TERRAIN__FLOW_CORNER);
    terrain__expect_passes(call, 3 + (p->order != NULL) + (p->length != NULL) +
                                     terrain__flow_prepare_routing(call, &job->flow, p->routing));
    return TERRAIN_SUCCESS;
}

/* A basin's number is a hash of where its outlet lies in the world: (2 r + 1) / 2^24 of 23 bits
 * r. */
static float basins_number(const terrain__call *call, uint64_t stream, uint32_t cell)
{
    const uint32_t bits = terrain__random_cell(stream, call->map_x + cell % call->map.width,
                                               call->map_y + cell / call->map.width);
    return (float)((bits >> 9) * 2 + 1) * 0x1p-24f;
}

static void basins_number_half(terrain__call *call, uint32_t index)
{
    struct basins_job *job = call->job;
    struct flow *flow = &job->flow;
    const struct flow_half *half = &flow->halves[index];
    const uint64_t stream =
        terrain__random_stream(0, call->operation->key, TERRAIN__DRAW_BASINS_NUMBER);
    terrain__flow_grow(flow, index);
    for (size_t i = 0; i < half->count; i++) {
        const size_t place = terrain__flow_place(half, i);
        const uint32_t cell = flow->tree.cells[place];
        const float number = i < half->roots ? basins_number(call, stream, cell)
                                             : job->values[flow->tree.parents[place]];
        job->values[place] = job->numbers[cell] = number;
    }
}

/* Only the greatest order among streams that come into a cell matters, and whether it comes
 * twice. */
static void basins_join(uint8_t *stream, uint8_t comes)
{
    const uint8_t most = *stream & (BASINS_TWICE - 1);
    if (comes > most) {
        *stream = comes;
    } else if (comes == most && comes > 0) {
        *stream = most | BASINS_TWICE;
    }
}

static void basins_follow_streams(terrain__call *call, uint32_t index)
{
    const basins_params *p = call->params;
    struct basins_job *job = call->job;
    struct flow *flow = &job->flow;
    const struct flow_half *half = &flow->halves[index];
    terrain__flow_catchments(flow, half, job->areas);
    memset(job->met + terrain__flow_lowest_place(half), 0, half->count);
    for (size_t i = half->count; i-- > 0;) {
        const size_t place = terrain__flow_place(half, i);
        const uint8_t met = job->met[place];
        uint8_t order = (uint8_t)((met & (BASINS_TWICE - 1)) + (met >= BASINS_TWICE));
        order = order == 0 && job->areas[place] >= p->threshold ? 1 : order;
        job->streams[flow->tree.cells[place]] = order;
        if (i >= half->roots) {
            basins_join(&job->met[flow->tree.parents[place]], order);
        }
    }
}

static void basins_measure(terrain__call *call, uint32_t index)
{
    struct basins_job *job = call->job;
    const struct flow *flow = &job->flow;
    const struct flow_half *half = &flow->halves[index];
    memset(job->values + terrain__flow_lowest_place(half), 0, half->count * sizeof *job->values);
    for (size_t i = half->count; i-- > 0;) {
        const size_t place = terrain__flow_place(half, i);
        const float length = job->values[place];
        job->lengths[flow->tree.cells[place]] = length;
        if (i >= half->roots) {
            const bool straight = terrain__flow_is_straight(flow->tree.ways[place]);
            const float way = length + (straight ? job->straight : job->diagonal);
            float *most = &job->values[flow->tree.parents[place]];
            *most = way > *most ? way : *most;
        }
    }
}

static void basins_write_band(terrain__call *call, uint32_t index)
{
    const struct basins_job *job = call->job;
    const uint32_t width = job->flow.width;
    const terrain__plane order = terrain__output(call, (uint32_t)offsetof(basins_params, order));
    const terrain__plane length = terrain__output(call, (uint32_t)offsetof(basins_params, length));
    const terrain__bands bands = terrain__flow_bands(&job->flow);
    const uint32_t end = terrain__band_end(&bands, index);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y++) {
        const size_t row = (size_t)y * width;
        memcpy(call->target.cells + y * call->target.stride, job->numbers + row,
               width * sizeof(float));
        for (uint32_t x = 0; order.cells != NULL && x < width; x++) {
            order.cells[y * order.stride + x] = (float)job->streams[row + x];
        }
        if (length.cells != NULL) {
            memcpy(length.cells + y * length.stride, job->lengths + row, width * sizeof(float));
        }
    }
}

static terrain_status basins_run(terrain__call *call)
{
    const basins_params *p = call->params;
    struct basins_job *job = call->job;
    const uint32_t halves = terrain__flow_halves(&job->flow);
    terrain_status status = terrain__flow_run_routed(call, p->routing);
    if (status == TERRAIN_SUCCESS) {
        status =
            terrain__run(call, terrain__flow_bands(&job->flow).count, terrain__flow_find_donors);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__flow_deal_roots(&job->flow);
        status = terrain__run(call, halves, basins_number_half);
    }
    if (status == TERRAIN_SUCCESS && p->order != NULL) {
        status = terrain__run(call, halves, basins_follow_streams);
    }
    if (status == TERRAIN_SUCCESS && p->length != NULL) {
        status = terrain__run(call, halves, basins_measure);
    }
    return status == TERRAIN_SUCCESS
               ? terrain__commit(call, terrain__flow_bands(&job->flow).count, basins_write_band)
               : status;
}

const terrain_operation terrain__analyze_basins = {
    TERRAIN__IDENTITY(analyze, basins),
    .result_version = 1,
    .summary =
        "Drainage basins, the Strahler order of streams, and the longest flow path to each cell.",
    .reference = "Strahler, 1957; Hack, 1957; Cordonnier, Bovy and Braun, 2019",
    .arguments = {TERRAIN__READ(map), TERRAIN__WRITE(result)},
    .params_size = sizeof(basins_params),
    TERRAIN__PARAMETERS(basins_parameters),
    .job_size = sizeof(struct basins_job),
    .halo = terrain__global_halo,
    .prepare = basins_prepare,
    .run = basins_run,
};

TERRAIN__PUBLIC_ANALYZE(analyze_basins)
