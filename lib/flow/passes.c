/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The steps of flow.h as passes of a call whose job begins with its struct flow. */

#include "flow/flow.h"

#include "flow/flow_kernels.h"

static void flow_pass_lowest(terrain__call *call, uint32_t index)
{
    terrain__flow_lowest(call->job, index);
}

static void flow_pass_label_patches(terrain__call *call, uint32_t index)
{
    terrain__flow_label_patches(call->job, index);
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

static void flow_pass_collect(terrain__call *call, uint32_t index)
{
    terrain__flow_collect(call->job, index);
}

static void flow_pass_join_half(terrain__call *call, uint32_t index)
{
    terrain__flow_join_half(call->job, index);
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
    struct flow *flow = call->job;
    const uint32_t patches = terrain__flow_patches(flow).count;
    terrain_status status = terrain__run(call, patches, flow_pass_label_patches);
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, 1, flow_pass_label_pits);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, patches, flow_pass_label_cells);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, patches, flow_pass_collect);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__flow_divide(flow);
    }
    if (status == TERRAIN_SUCCESS && flow->divided) {
        status = terrain__run(call, 2, flow_pass_join_half);
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
    terrain__flow_steepest(call->job, index);
}

static void flow_pass_dither(terrain__call *call, uint32_t index)
{
    terrain__flow_dither(call->job, index, call->map_x, call->map_y);
}

static void flow_pass_follow(terrain__call *call, uint32_t index)
{
    terrain__flow_follow(call->job, index);
}

static void flow_pass_find_flats(terrain__call *call, uint32_t index)
{
    terrain__flow_find_flats(call->job, index);
}

static void flow_pass_find_edges(terrain__call *call, uint32_t index)
{
    terrain__flow_find_edges(call->job, index);
}

static void flow_pass_cross_flats(terrain__call *call, uint32_t index)
{
    terrain__flow_cross_flats(call->job, index);
}

static void flow_pass_end_flats(terrain__call *call, uint32_t index)
{
    (void)index;
    terrain__flow_end_flats(call->job);
}

static void flow_pass_carve(terrain__call *call, uint32_t index)
{
    (void)index;
    terrain__flow_carve(call->job);
}

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

static terrain_status flow_run_flats(terrain__call *call)
{
    struct flow *flow = call->job;
    const uint32_t bands = terrain__flow_bands(flow).count;
    terrain_status status = terrain__run(call, bands, flow_pass_find_flats);
    if (status == TERRAIN_SUCCESS) {
        terrain__flow_deal_flats(flow);
        status = terrain__run(call, bands, flow_pass_find_edges);
    }
    if (status == TERRAIN_SUCCESS) {
        status = terrain__run(call, terrain__flow_halves(flow), flow_pass_cross_flats);
    }
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, flow_pass_end_flats) : status;
}

terrain_status terrain__flow_run_steepest(terrain__call *call)
{
    const struct flow *flow = call->job;
    return terrain__run(call, terrain__flow_bands(flow).count, flow_pass_steepest);
}

terrain_status terrain__flow_run_carve(terrain__call *call)
{
    terrain_status status = terrain__flow_run_basins(call);
    return status == TERRAIN_SUCCESS ? terrain__run(call, 1, flow_pass_carve) : status;
}

terrain_status terrain__flow_run_routed(terrain__call *call, uint32_t routing)
{
    const struct flow *flow = call->job;
    const uint32_t bands = terrain__flow_bands(flow).count;
    terrain_status status = TERRAIN_SUCCESS;
    if (flow->known.cells != NULL) {
        return terrain__run(call, bands, flow_pass_follow);
    }
    if (flow->diagonals != NULL) {
        status = terrain__run(call, bands, flow_pass_dither);
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

static void flow_pass_donors(terrain__call *call, uint32_t index)
{
    terrain__flow_find_donors(call->job, index);
}

terrain_status terrain__flow_run_donors(terrain__call *call)
{
    const struct flow *flow = call->job;
    return terrain__run(call, terrain__flow_bands(flow).count, flow_pass_donors);
}
