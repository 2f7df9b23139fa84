/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The steps of flow.h as passes of a call whose job begins with its struct flow. */

#include "flow/flow.h"

#include "flow/flow_kernels.h"

static void flow_pass_lowest(terrain__call *call, uint32_t index)
{
    terrain__flow_lowest(call->job, index);
}

static void flow_pass_label_tiles(terrain__call *call, uint32_t index)
{
    terrain__flow_label_tiles(call->job, index);
}

static void flow_pass_label_pits(terrain__call *call, uint32_t index)
{
    (void)index;
    terrain__flow_label_pits(call->job);
}

static void flow_pass_label_cells(terrain__call *call, uint32_t index)
{
    terrain__flow_label_cells(call->job, index);
}

static void flow_pass_link(terrain__call *call, uint32_t index)
{
    (void)index;
    terrain__flow_link(call->job);
}

terrain_status terrain__flow_run_lowest(terrain__call *call)
{
    const struct flow *flow = call->job;
    return terrain__run(call, terrain__flow_bands(flow).count, flow_pass_lowest);
}

terrain_status terrain__flow_run_basins(terrain__call *call)
{
    const struct flow *flow = call->job;
    const uint32_t tiles = terrain__flow_tiles(flow).count;
    terrain_status status = terrain__run(call, tiles, flow_pass_label_tiles);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, flow_pass_label_pits);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, tiles, flow_pass_label_cells);
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, flow_pass_link) : status;
}

static void flow_pass_fill(terrain__call *call, uint32_t index)
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

static void flow_pass_steepest(terrain__call *call, uint32_t index)
{
    struct flow *flow = call->job;
    terrain__flow_steepest(flow, index, flow->diagonals);
}

static void flow_pass_flats(terrain__call *call, uint32_t index)
{
    (void)index;
    terrain__flow_flats(call->job);
}

static void flow_pass_carve(terrain__call *call, uint32_t index)
{
    (void)index;
    terrain__flow_carve(call->job);
}

uint32_t terrain__flow_prepare_routing(terrain__call *call, struct flow *flow, uint32_t routing)
{
    if (routing == TERRAIN__FLOW_FILL) {
        flow->filled = terrain__scratch_plane(call, flow->width, flow->height);
        return TERRAIN__FLOW_BASIN_PASSES + 4;
    }
    return routing == TERRAIN__FLOW_CARVE ? TERRAIN__FLOW_BASIN_PASSES + 3 : 2;
}

static terrain_status flow_run_fill(terrain__call *call)
{
    struct flow *flow = call->job;
    terrain_status status = terrain__flow_run_lowest(call);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__flow_run_basins(call);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_bands(flow).count, flow_pass_fill);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__flow_look(flow, flow->filled.cells, flow->filled.stride, flow->width, flow->height,
                           flow->open);
    }
    return status;
}

terrain_status terrain__flow_run_steepest(terrain__call *call, const float *diagonals)
{
    struct flow *flow = call->job;
    flow->diagonals = diagonals;
    return terrain__run(call, terrain__flow_bands(flow).count, flow_pass_steepest);
}

terrain_status terrain__flow_run_carve(terrain__call *call)
{
    terrain_status status = terrain__flow_run_basins(call);
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, flow_pass_carve) : status;
}

terrain_status terrain__flow_run_routed(terrain__call *call, uint32_t routing,
                                        const float *diagonals)
{
    terrain_status status = routing == TERRAIN__FLOW_FILL ? flow_run_fill(call) : TERRAIN_SUCCESS;
    if (status == TERRAIN_SUCCESS) {
        status = terrain__flow_run_steepest(call, diagonals);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, flow_pass_flats);
    }
    return status == TERRAIN_SUCCESS && routing == TERRAIN__FLOW_CARVE
               ? terrain__flow_run_carve(call)
               : status;
}
