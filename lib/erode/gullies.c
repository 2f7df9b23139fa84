/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_gullies: waves that run down the slopes, each octave across the flanks of the one before.
 *
 * Noise whose stripes follow a direction field: Gabor noise (Lagae, Lefebvre, Drettakis, Dutre,
 * "Procedural noise using sparse Gabor convolution", SIGGRAPH 2009), made to one amplitude by its
 * phase (Tricard, Efremov, Zanni, Neyret, Martinez, Lefebvre, "Procedural phasor noise", SIGGRAPH
 * 2019). That slopes can be its direction, and octaves turn it, so that it looks like erosion, is
 * Clay John's and Fewes' idea on Shadertoy, which Rune Skovbo Johansen has made a filter of ("Fast
 * and gorgeous erosion filter", 2026). Here the waves' points lie on a lattice of triangles, whose
 * discs reach a lattice row far, so that four points count instead of sixteen (see generate_noise);
 * sine and cosine are parabolas, since the sums are made to length 1 anyway; and gullies only cut.
 *
 * Three steps: the map is copied with its border around it; smoothed over about the gullies' size,
 * each time over cells twice as far apart; and cut, patch by patch. */

#include "erode/gullies_kernels.h"
#include "rows/rows.h"
#include "terrain/erode.h"

typedef terrain_erode_gullies_params gullies_params;

/* An octave whose wavelength is less, in cells, is left out: it would be grain. */
#define GULLIES_LEAST_WAVELENGTH 3

static const terrain_parameter gullies_parameters[] = {
    TERRAIN__SEED(gullies_params),
    TERRAIN__MASK(gullies_params),
    TERRAIN__MAP_IN(
        gullies_params, river_distance,
        "The distance to the nearest river, as analyze_distance measures it: river beds "
        "are left alone."),
    TERRAIN__FLOAT(gullies_params, size, "cells", 24, 1.0 / 1024, 4096,
                   "The distance between neighbouring gullies of the largest size."),
    TERRAIN__UINT32(
        gullies_params, octaves, "", 4, 1, GULLIES_OCTAVES,
        "How many sizes of gullies there are, each half the one before; none below 3 cells.",
        .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(gullies_params, gain, "", 0.4, 0, 1,
                   "Depth of each octave as a part of the depth of the octave before."),
    TERRAIN__FLOAT(gullies_params, depth, "", 0.4, 0, 4,
                   "Depth of the largest gullies, as a part of the land's rise over their size."),
    TERRAIN__FLOAT(
        gullies_params, branching, "", 0.5, 0, 1,
        "How far small gullies turn on the flanks of larger ones: by up to 2 atan(branching)."),
    TERRAIN__FLOAT(gullies_params, floor, "cells", 1, 0, 65536,
                   "Nothing changes up to this distance from a river."),
    TERRAIN__FLOAT(gullies_params, bank, "cells", 6, 0.5, 65536,
                   "The distance beyond the floor over which gullies reach their full depth."),
};

struct gullies_job {
    struct gullies_plan plan;
    const struct gullies_kernels *kernels;
    uint32_t levels;          /* of smoothing */
    uint32_t pad;             /* cells around the map in the planes */
    uint32_t step;            /* of the level that is being smoothed */
    uint32_t margin;          /* cells at the planes' edges that it can't smooth */
    terrain__plane planes[2]; /* the level, and the one before */
    struct gullies_workspace *work;
    uint32_t x0, y0, x1, y1; /* cells that anybody will look at */
};

static uint32_t gullies_levels(const gullies_params *p)
{
    uint32_t levels = 0;
    while (6u << levels <= p->size) {
        levels++;
    }
    return levels;
}

/* 1 + 2 + 4 + … for the levels, and 1 for the slope. */
static uint32_t gullies_halo(const void *params)
{
    return 1u << gullies_levels(params);
}

/* ---- Plan ------------------------------------------------------------------------------------ */

/* `distance` of lattice points, in cells. */
static struct noise_axis gullies_axis(double distance, uint64_t origin)
{
    struct noise_axis axis = {.origin = origin};
    terrain__noise_set_step(&axis, (uint64_t)(0x1p64 / distance));
    return axis;
}

static void gullies_make_plan(struct gullies_plan *plan, const gullies_params *p, float cell_size)
{
    double wavelength = (double)p->size;
    double depth = 0.5 * (double)p->depth * (double)p->size;
    plan->branching = p->branching;
    plan->floor = p->floor * cell_size;
    plan->bank = 1 / (p->bank * cell_size);
    while (plan->octave_count < p->octaves && wavelength >= GULLIES_LEAST_WAVELENGTH) {
        uint32_t i = plan->octave_count++;
        struct gullies_octave *octave = &plan->octaves[i];
        uint64_t origins = terrain__random_stream(p->seed, TERRAIN__KEY_erode_gullies,
                                                  TERRAIN__DRAW_GULLIES_ORIGIN + i);
        octave->x = gullies_axis(terrain__sqrt(3) * wavelength, terrain__mix(origins, 0));
        octave->y = gullies_axis(1.5 * wavelength, terrain__mix(origins, 1));
        octave->stream = terrain__random_stream(p->seed, TERRAIN__KEY_erode_gullies,
                                                TERRAIN__DRAW_GULLIES_POINT + i);
        octave->depth = (float)depth;
        wavelength *= 0.5;
        depth *= (double)p->gain;
    }
}

static terrain__bands gullies_bands(const struct gullies_job *job)
{
    return terrain__bands_of(job->y1 - job->y0, GULLIES_PATCH_HEIGHT);
}

static terrain_status gullies_prepare(terrain__call *call)
{
    struct gullies_job *job = call->job;
    const gullies_params *p = call->params;
    const uint32_t width = call->target.width, height = call->target.height;
    gullies_make_plan(&job->plan, p, call->cell_size);
    job->kernels = terrain__gullies_kernels(call->isa);
    job->levels = gullies_levels(p);
    job->pad = gullies_halo(p);
    job->x0 = (uint32_t)(call->wanted.x0 - call->x);
    job->x1 = (uint32_t)(call->wanted.x1 - call->x);
    job->y0 = (uint32_t)(call->wanted.y0 - call->y);
    job->y1 = (uint32_t)(call->wanted.y1 - call->y);
    for (uint32_t i = 0; i < 2; i++) {
        job->planes[i] = terrain__scratch_plane(call, width + 2 * job->pad, height + 2 * job->pad);
    }
    job->work = terrain__scratch(call, gullies_bands(job).count, sizeof *job->work);
    terrain__expect_passes(call, 2 + job->levels);
    terrain__commit_cost(call, 1 + 3 * job->plan.octave_count);
    return TERRAIN_SUCCESS;
}

/* ---- Passes ---------------------------------------------------------------------------------- */

static void gullies_copy_row(terrain__call *call, uint32_t task, uint32_t y)
{
    const struct gullies_job *job = call->job;
    int64_t row =
        terrain__border_cell((int64_t)y - job->pad, call->map.height, TERRAIN_BORDER_CLAMP);
    (void)task;
    terrain__border_row(terrain__plane_row(&job->planes[0], y), -(int64_t)job->pad,
                        job->planes[0].width, terrain__map_row(call, row), call->map.width,
                        TERRAIN_BORDER_CLAMP);
}

static void gullies_smooth_row(terrain__call *call, uint32_t task, uint32_t row)
{
    const struct gullies_job *job = call->job;
    const terrain__plane *from = &job->planes[1];
    uint32_t y = row + job->margin;
    (void)task;
    job->kernels->smooth(terrain__plane_row(&job->planes[0], y) + job->margin,
                         terrain__plane_row(from, y - job->step) + job->margin,
                         terrain__plane_row(from, y) + job->margin,
                         terrain__plane_row(from, y + job->step) + job->margin, job->step,
                         from->width - 2 * job->margin);
}

static terrain_status gullies_smooth_level(terrain__call *call, uint32_t level)
{
    struct gullies_job *job = call->job;
    terrain__plane from = job->planes[0];
    job->planes[0] = job->planes[1];
    job->planes[1] = from;
    job->step = 1u << level;
    job->margin += job->step;
    return terrain__run_rows(call, from.height - 2 * job->margin, gullies_smooth_row);
}

static void gullies_do_patch(const terrain__call *call, struct gullies_patch *patch, uint32_t x,
                             uint32_t y)
{
    const struct gullies_job *job = call->job;
    const gullies_params *p = call->params;
    const terrain__view distance = terrain__view_of(p->river_distance);
    patch->target = terrain__target_row(call, y) + x;
    patch->target_stride = call->target.stride;
    patch->map = terrain__map_row(call, y) + x;
    patch->map_stride = call->map.stride;
    patch->smooth = terrain__plane_row(&job->planes[0], y + job->pad) + job->pad + x;
    patch->smooth_stride = job->planes[0].stride;
    patch->distance = distance.cells == NULL ? NULL : terrain__view_row(&distance, y) + x;
    patch->distance_stride = distance.stride;
    patch->x = call->x + x;
    patch->y = call->y + y;
    job->kernels->patch(&job->plan, patch);
}

static void gullies_band(terrain__call *call, uint32_t index)
{
    const struct gullies_job *job = call->job;
    terrain__bands bands = gullies_bands(job);
    uint32_t end = job->y0 + terrain__band_end(&bands, index);
    struct gullies_patch patch = {.work = job->work + index};
    for (uint32_t y = job->y0 + terrain__band_begin(&bands, index); y < end; y += patch.height) {
        patch.height = end - y < GULLIES_PATCH_HEIGHT ? end - y : GULLIES_PATCH_HEIGHT;
        for (uint32_t x = job->x0; x < job->x1; x += patch.width) {
            patch.width = job->x1 - x < GULLIES_PATCH_WIDTH ? job->x1 - x : GULLIES_PATCH_WIDTH;
            gullies_do_patch(call, &patch, x, y);
        }
    }
}

static terrain_status gullies_run_passes(terrain__call *call)
{
    const struct gullies_job *job = call->job;
    terrain_status status = terrain__run_rows(call, job->planes[0].height, gullies_copy_row);
    for (uint32_t i = 0; i < job->levels && status == TERRAIN_SUCCESS; i++) {
        status = gullies_smooth_level(call, i);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, gullies_bands(job).count, gullies_band)
                                     : status;
}

const terrain_operation terrain__erode_gullies = {
    TERRAIN__IDENTITY(erode, gullies),
    .result_version = 1,
    .summary =
        "Gullies that run down the slopes, with smaller ones in their sides; no water needed.",
    .reference = "Tricard et al., Procedural Phasor Noise, SIGGRAPH 2019; Johansen, Fast and "
                 "Gorgeous Erosion Filter, 2026",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(gullies_params),
    TERRAIN__PARAMETERS(gullies_parameters),
    .job_size = sizeof(struct gullies_job),
    .halo = gullies_halo,
    .prepare = gullies_prepare,
    .run = gullies_run_passes,
};

TERRAIN__PUBLIC_CHANGE(erode_gullies)
