/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* stitch_match: equal edges and equal slopes across them, with Hermite skirts. */

#include "stitch/skirt.h"

typedef terrain_stitch_match_params stitch_match_params;

static const terrain_parameter stitch_match_parameters[] = {
    TERRAIN__UINT32(stitch_match_params, width, "cells", 32, 2, 65536,
                    "How far into each map the difference of heights at an edge is carried."),
    TERRAIN__UINT32(stitch_match_params, bend, "cells", 8, 2, 65536,
                    "How far the difference of slopes is carried."),
};

static terrain_status stitch_match_prepare(terrain__call *call)
{
    const stitch_match_params *p = call->params;
    return terrain__skirt_prepare(call, 2, p->width > p->bend ? p->width : p->bend);
}

/* The Hermite quintic with slope 1 at 0, and neither slope nor curvature at 1. */
static double stitch_match_bow(double t)
{
    return t < 1 ? t * ((1 - t) * (1 - t) * (1 - t)) * (1 + 3 * t) : 0;
}

static double stitch_match_step(double t)
{
    return t < 1 ? terrain__stitch_curve(TERRAIN_STITCH_CURVE_SMOOTHER, t) : 0;
}

/* One that was asked for, cut to what a map of this length has. */
static double stitch_match_reach(uint32_t asked, uint32_t length)
{
    uint32_t most = length > 4 ? length - 2 : 2;
    return (double)(asked < most ? asked : most);
}

static void stitch_match_fill(terrain__skirt_axis *axis, const stitch_match_params *p)
{
    const double width = stitch_match_reach(p->width, axis->length);
    const double bend = stitch_match_reach(p->bend, axis->length);
    const double full = stitch_match_bow(1 / bend);
    const double left = stitch_match_step(1 / width);
    for (uint32_t d = 0; d < axis->length; d++) {
        double bow = stitch_match_bow((double)d / bend) / full;
        axis->profile[0][d] = (float)(stitch_match_step((double)d / width) - left * bow);
        axis->profile[1][d] = (float)bow;
    }
    terrain__skirt_reverse(axis, 2);
}

static terrain_status stitch_match_run(terrain__call *call)
{
    terrain__skirt_job *job = call->job;
    stitch_match_fill(&job->x, call->params);
    stitch_match_fill(&job->y, call->params);
    return terrain__skirt_run(call);
}

const terrain_operation terrain__stitch_match = {
    TERRAIN__IDENTITY(stitch, match),
    .result_version = 1,
    .summary = "Makes the edges of neighbouring maps equal, and the slopes across them.",
    .reference = "S. A. Coons, Surfaces for Computer-Aided Design of Space Forms, 1967.",
    .arguments = {TERRAIN__CHANGE_GRID(maps)},
    .params_size = sizeof(stitch_match_params),
    TERRAIN__PARAMETERS(stitch_match_parameters),
    .job_size = sizeof(terrain__skirt_job),
    .halo = terrain__global_halo,
    .prepare = stitch_match_prepare,
    .run = stitch_match_run,
};

TERRAIN__PUBLIC_STITCH(stitch_match)
