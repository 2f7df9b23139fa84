/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* analyze_hillshade: the map under a distant light.
 *
 * Berthold K. P. Horn: Hill Shading and the Reflectance Map. Proceedings of the IEEE 69 (1),
 * 1981. */

#include "analyze/hillshade_kernels.h"
#include "analyze/stencil.h"
#include "base/math.h"
#include "core/operation.h"
#include "terrain/analyze.h"

typedef terrain_analyze_hillshade_params hillshade_params;

static const terrain_parameter hillshade_parameters[] = {
    TERRAIN__FLOAT(hillshade_params, azimuth, "degrees", 315, -360, 360,
                   "Where the light comes from: 0 north, 90 east."),
    TERRAIN__FLOAT(hillshade_params, altitude, "degrees", 45, 0, 90,
                   "How high the light stands above the horizon."),
    TERRAIN__FLOAT(hillshade_params, exaggeration, "", 1, 0, 1000, "Multiplies all slopes."),
};

typedef struct hillshade_job {
    struct hillshade_light light;
} hillshade_job;

static uint32_t hillshade_halo(const void *params)
{
    (void)params;
    return 1;
}

/* y points south: towards the light, which stands in the north at azimuth 0, slopes fall. */
static terrain_status hillshade_prepare(terrain__call *call)
{
    const hillshade_params *p = call->params;
    hillshade_job *job = call->job;
    const double degree = TERRAIN__PI / 180;
    double azimuth = (double)p->azimuth * degree;
    double altitude = (double)p->altitude * degree;
    double z = 0.125 * (double)p->exaggeration / (double)call->cell_size;
    job->light.east = (float)(-terrain__sin(azimuth) * terrain__cos(altitude) * z);
    job->light.south = (float)(terrain__cos(azimuth) * terrain__cos(altitude) * z);
    job->light.up = (float)terrain__sin(altitude);
    job->light.steep = (float)(z * z);
    return TERRAIN_SUCCESS;
}

static void hillshade_cells(const terrain__call *call, float *const *outputs,
                            const struct terrain__stencil *cells, size_t count, float scale)
{
    const hillshade_job *job = call->job;
    (void)scale;
    terrain__hillshade_kernels(call->isa)->row(outputs[0], cells, count, &job->light);
}

static terrain_status hillshade_run(terrain__call *call)
{
    const terrain__plane planes[TERRAIN__STENCIL_OUTPUTS] = {call->target};
    return terrain__stencil_commit(call, planes, hillshade_cells);
}

const terrain_operation terrain__analyze_hillshade = {
    TERRAIN__IDENTITY(analyze, hillshade),
    .result_version = 1,
    .summary = "The map under a distant light, from 0 dark to 1 bright.",
    .reference = "Horn, Hill Shading and the Reflectance Map, 1981",
    .arguments = {TERRAIN__READ(map), TERRAIN__WRITE(result)},
    .params_size = sizeof(hillshade_params),
    TERRAIN__PARAMETERS(hillshade_parameters),
    .job_size = sizeof(hillshade_job),
    .halo = hillshade_halo,
    .prepare = hillshade_prepare,
    .run = hillshade_run,
};

TERRAIN__PUBLIC_ANALYZE(analyze_hillshade)
