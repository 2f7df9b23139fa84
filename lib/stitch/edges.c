/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* stitch_edges: equal edges, with skirts.
 *
 * Reference: S. A. Coons, Surfaces for Computer-Aided Design of Space Forms, MIT Project MAC, 1967:
 * the blend of four boundary curves, here of what the edges change by. */

#include "core/choices.h"
#include "stitch/skirt.h"

typedef terrain_stitch_edges_params stitch_edges_params;

static const terrain_parameter stitch_edges_parameters[] = {
    TERRAIN__UINT32(
        stitch_edges_params, width, "cells", 32, 1, 65536,
        "How far into each map the difference at an edge is carried; 1: the edge alone."),
    TERRAIN__ENUM(stitch_edges_params, curve, TERRAIN_STITCH_CURVE_SMOOTHER, terrain__stitch_curve,
                  "How the difference fades out with distance."),
};

static terrain_status stitch_edges_prepare(terrain__call *call)
{
    const stitch_edges_params *p = call->params;
    return terrain__skirt_prepare(call, 1, p->width);
}

static void stitch_edges_fill(terrain__skirt_axis *axis, terrain_stitch_curve curve)
{
    for (uint32_t d = 0; d < axis->length; d++) {
        double t = (double)d / (double)axis->reach;
        axis->profile[0][d] = d < axis->reach ? (float)terrain__stitch_curve(curve, t) : 0.0f;
    }
    terrain__skirt_reverse(axis, 1);
}

static terrain_status stitch_edges_run(terrain__call *call)
{
    const stitch_edges_params *p = call->params;
    terrain__skirt_job *job = call->job;
    stitch_edges_fill(&job->x, p->curve);
    stitch_edges_fill(&job->y, p->curve);
    return terrain__skirt_run(call);
}

const terrain_operation terrain__stitch_edges = {
    TERRAIN__IDENTITY(stitch, edges),
    .result_version = 1,
    .summary =
        "Makes the edges of neighbouring maps equal, with skirts in which differences die out.",
    .reference = "S. A. Coons, Surfaces for Computer-Aided Design of Space Forms, 1967.",
    .arguments = {TERRAIN__CHANGE_GRID(maps)},
    .params_size = sizeof(stitch_edges_params),
    TERRAIN__PARAMETERS(stitch_edges_parameters),
    .job_size = sizeof(terrain__skirt_job),
    .halo = terrain__global_halo,
    .prepare = stitch_edges_prepare,
    .run = stitch_edges_run,
};

TERRAIN__PUBLIC_STITCH(stitch_edges)
