/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The steps of flow.h as passes of a call whose job begins with its struct flow. */

#include "flow/flow.h"

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
