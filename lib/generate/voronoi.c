/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_voronoi: heights from the distances to the nearest points of a jittered lattice.
 *
 * The basis is Worley's ("A Cellular Texture Basis Function", SIGGRAPH 1996). Heights as a linear
 * combination of the distances, the second less the first above all, and a multiplier for each cell
 * of the diagram are Olsen's ("Realtime Procedural Terrain Generation", 2004), who looked at 3 by 3
 * lattice cells, where near points can be missed; here the nearest points are always found. A
 * quadratic polynomial of the sum makes gentler slopes. */

#include <string.h>

#include "core/choices.h"
#include "core/operation.h"
#include "generate/voronoi_kernels.h"
#include "terrain/generate.h"
#include "vector/stream_kernels.h"

typedef terrain_generate_voronoi_params voronoi_params;

static const terrain_parameter voronoi_parameters[] = {
    TERRAIN__SEED(voronoi_params),
    TERRAIN__MAP_OUT(voronoi_params, id,
                     "Gets the random number of the nearest point, at least 0 and below 1."),
    TERRAIN__UINT32(voronoi_params, spacing, "cells", 128, 2, 65536,
                    "Mean distance between points: one point for each square of this side.",
                    .scaling = TERRAIN_SCALING_LATTICE),
    TERRAIN__FLOAT(
        voronoi_params, jitter, "", 1, 0, 1,
        "How far points may lie from the middle of their square; 0 is a regular lattice."),
    TERRAIN__ENUM(voronoi_params, metric, TERRAIN_METRIC_EUCLIDEAN, terrain__metric,
                  "How distance is measured."),
    TERRAIN__FLOAT(voronoi_params, c1, "", -1, -16, 16,
                   "Weight of the distance to the nearest point."),
    TERRAIN__FLOAT(voronoi_params, c2, "", 1, -16, 16,
                   "Weight of the distance to the second nearest point."),
    TERRAIN__FLOAT(voronoi_params, c3, "", 0, -16, 16,
                   "Weight of the distance to the third nearest point."),
    TERRAIN__FLOAT(voronoi_params, linear, "", 1, -16, 16,
                   "Factor of the weighted sum in the height."),
    TERRAIN__FLOAT(voronoi_params, quadratic, "", 0, -16, 16,
                   "Factor of the weighted sum's square in the height."),
    TERRAIN__FLOAT(voronoi_params, variation, "", 0, 0, 1,
                   "By what part, at most, a point's cell is lowered; leaves walls unless c1 = -c2 "
                   "and c3 = 0."),
    TERRAIN__FLOAT(voronoi_params, amplitude, "height", 85, -1e9, 1e9, "Scale of the heights."),
    TERRAIN__FLOAT(voronoi_params, offset, "height", 0, -1e9, 1e9, "Added to every height."),
    TERRAIN__UINT32(voronoi_params, repeat_width, "cells", 0, 0, UINT32_MAX,
                    "The world repeats after so many cells in x; 0: never.",
                    .scaling = TERRAIN_SCALING_LATTICE),
    TERRAIN__UINT32(voronoi_params, repeat_height, "cells", 0, 0, UINT32_MAX,
                    "The world repeats after so many cells in y; 0: never.",
                    .scaling = TERRAIN_SCALING_LATTICE),
};

struct voronoi_job {
    struct voronoi_plan plan;
    struct voronoi_workspace *work; /* one for each task */
};

static const char *voronoi_check(const void *params)
{
    const voronoi_params *p = params;
    if (p->repeat_width % p->spacing != 0) {
        return "repeat_width must be a multiple of spacing";
    }
    return p->repeat_height % p->spacing != 0 ? "repeat_height must be a multiple of spacing"
                                              : NULL;
}

static void voronoi_set_lattice(struct voronoi_plan *plan, const voronoi_params *p)
{
    plan->spacing = p->spacing;
    while (p->spacing << (plan->shift + 1) <= 65536) {
        plan->shift++;
    }
    plan->side = p->spacing << plan->shift;
    plan->play = (uint32_t)((double)p->jitter * plan->side);
    plan->repeat_x = p->repeat_width / p->spacing;
    plan->repeat_y = p->repeat_height / p->spacing;
    plan->places =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_voronoi, TERRAIN__DRAW_VORONOI_PLACE);
    plan->names =
        terrain__random_stream(p->seed, TERRAIN__KEY_generate_voronoi, TERRAIN__DRAW_VORONOI_ID);
}

static void voronoi_set_heights(struct voronoi_plan *plan, const voronoi_params *p)
{
    double side = (double)plan->side;
    double unit = p->metric == TERRAIN_METRIC_SQUARED ? side * side : side;
    plan->metric = p->metric;
    plan->order = p->c3 != 0 ? 3 : p->c2 != 0 ? 2 : 1; /* the farthest point that counts */
    plan->weights[0] = (float)((double)p->c1 / unit);
    plan->weights[1] = (float)((double)p->c2 / unit);
    plan->weights[2] = (float)((double)p->c3 / unit);
    plan->linear = (float)((double)p->amplitude * (double)p->linear);
    plan->quadratic = (float)((double)p->amplitude * (double)p->quadratic);
    plan->offset = p->offset;
    plan->variation = p->variation;
    plan->named = p->variation != 0 || p->id != NULL;
    plan->reach = p->metric == TERRAIN_METRIC_MANHATTAN && plan->order == 3 ? 3 : 2;
}

/* Some lattice cells a patch, to gather few sites twice; low groups where lattice cells are small,
 * for few sites to be near. */
static void voronoi_set_patches(struct voronoi_plan *plan)
{
    uint32_t wanted = 4 * plan->spacing;
    uint32_t groups = terrain__divide_up(wanted, VORONOI_GROUP);
    plan->patch = wanted < VORONOI_PATCH ? groups * VORONOI_GROUP : VORONOI_PATCH;
    plan->group_rows = plan->spacing >= 12 ? VORONOI_GROUP : plan->spacing >= 4 ? 8 : 4;
}

static terrain_status voronoi_prepare(terrain__call *call)
{
    struct voronoi_job *job = call->job;
    uint32_t tasks = terrain__bands_of(call->target.height, VORONOI_PATCH).count;
    voronoi_set_lattice(&job->plan, call->params);
    voronoi_set_heights(&job->plan, call->params);
    voronoi_set_patches(&job->plan);
    job->work = terrain__scratch(call, tasks, sizeof *job->work);
    terrain__commit_cost(call, 1.5 + 12.0 / job->plan.spacing);
    return TERRAIN_SUCCESS;
}

static void voronoi_stream(const struct stream_kernels *stream, float *to, size_t stride,
                           const float *from, uint32_t width, uint32_t height)
{
    for (uint32_t y = 0; y < height; y++) {
        stream->row(to + y * stride, from + (size_t)y * VORONOI_PATCH, width);
    }
}

/* A large map's patches are made in scratch and stored past the caches: rows that are a power of
 * two apart would push each other out of them. */
static void voronoi_do_patch(const struct voronoi_kernels *kernels, const struct voronoi_plan *plan,
                             const struct voronoi_patch *patch, const struct stream_kernels *stream)
{
    struct voronoi_workspace *work = patch->work;
    struct voronoi_patch scratch = *patch;
    if (stream == NULL) {
        kernels->patch(plan, patch);
        return;
    }
    scratch.cells = work->cells;
    scratch.ids = patch->ids == NULL ? NULL : work->ids;
    scratch.stride = scratch.id_stride = VORONOI_PATCH;
    kernels->patch(plan, &scratch);
    voronoi_stream(stream, patch->cells, patch->stride, work->cells, patch->width, patch->height);
    if (patch->ids != NULL) {
        voronoi_stream(stream, patch->ids, patch->id_stride, work->ids, patch->width,
                       patch->height);
    }
}

static void voronoi_row_of_patches(const terrain__call *call, struct voronoi_patch *patch,
                                   uint32_t y)
{
    const struct voronoi_job *job = call->job;
    const struct voronoi_kernels *kernels = terrain__voronoi_kernels(call->isa);
    const struct stream_kernels *stream = NULL;
    terrain__plane ids = terrain__output(call, offsetof(voronoi_params, id));
    if (terrain__should_stream(call->target.width, call->target.height)) {
        stream = terrain__stream_kernels(call->isa);
    }
    patch->y = call->y + y;
    for (uint32_t x = 0; x < call->target.width; x += patch->width) {
        uint32_t left = call->target.width - x;
        patch->width = left < job->plan.patch ? left : job->plan.patch;
        patch->x = call->x + x;
        patch->cells = call->target.cells + y * call->target.stride + x;
        patch->ids = ids.cells == NULL ? NULL : ids.cells + y * ids.stride + x;
        patch->id_stride = ids.stride;
        voronoi_do_patch(kernels, &job->plan, patch, stream);
    }
    if (stream != NULL) {
        stream->done();
    }
}

static void voronoi_band(terrain__call *call, uint32_t index)
{
    const struct voronoi_job *job = call->job;
    terrain__bands bands = terrain__bands_of(call->target.height, VORONOI_PATCH);
    uint32_t end = terrain__band_end(&bands, index);
    struct voronoi_patch patch = {.stride = call->target.stride, .work = job->work + index};
    /* Vectors of sites may hang over what was written. */
    memset(patch.work, 0, sizeof *patch.work);
    for (uint32_t y = terrain__band_begin(&bands, index); y < end; y += patch.height) {
        patch.height = end - y < job->plan.patch ? end - y : job->plan.patch;
        voronoi_row_of_patches(call, &patch, y);
    }
}

static terrain_status voronoi_run(terrain__call *call)
{
    return terrain__commit(call, terrain__bands_of(call->target.height, VORONOI_PATCH).count,
                           voronoi_band);
}

const terrain_operation terrain__generate_voronoi = {
    TERRAIN__IDENTITY(generate, voronoi),
    .result_version = 1,
    .summary = "Hills, ridges or cells from the distances to the nearest of scattered points.",
    .reference = "Worley, A Cellular Texture Basis Function, SIGGRAPH 1996; Olsen, Realtime "
                 "Procedural Terrain Generation, 2004",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(voronoi_params),
    TERRAIN__PARAMETERS(voronoi_parameters),
    .job_size = sizeof(struct voronoi_job),
    .check = voronoi_check,
    .prepare = voronoi_prepare,
    .run = voronoi_run,
};

TERRAIN__PUBLIC_CHANGE(generate_voronoi)
