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
#include "core/params.h"
#include "measure/pack.h"
#include "terrain/analyze.h"
#include "terrain/pack.h"

typedef terrain_analyze_hillshade_params hillshade_params;

static const terrain_parameter hillshade_parameters[] = {
    TERRAIN__FLOAT(hillshade_params, azimuth, "degrees", 315, -360, 360,
                   "Where the light comes from: 0 north, 90 east."),
    TERRAIN__FLOAT(hillshade_params, altitude, "degrees", 45, 0, 90,
                   "How high the light stands above the horizon."),
    TERRAIN__FLOAT(hillshade_params, exaggeration, "", 1, 0, 1000, "Multiplies all slopes."),
};

/* y points south: towards the light, which stands in the north at azimuth 0, slopes fall. */
static struct hillshade_light hillshade_light_of(const hillshade_params *p, float cell_size)
{
    const double degree = TERRAIN__PI / 180;
    double azimuth = (double)p->azimuth * degree;
    double altitude = (double)p->altitude * degree;
    double z = 0.125 * (double)p->exaggeration / (double)cell_size;
    const struct hillshade_light light = {
        .east = (float)(-terrain__sin(azimuth) * terrain__cos(altitude) * z),
        .south = (float)(terrain__cos(azimuth) * terrain__cos(altitude) * z),
        .up = (float)terrain__sin(altitude),
        .steep = (float)(z * z),
    };
    return light;
}

static terrain_status hillshade_prepare(terrain__call *call)
{
    struct hillshade_light *light = call->job;
    *light = hillshade_light_of((const hillshade_params *)call->params, call->cell_size);
    return TERRAIN_SUCCESS;
}

static void hillshade_cells(const terrain__call *call, float *const *outputs,
                            const struct terrain__stencil *cells, size_t count, float scale)
{
    (void)scale;
    terrain__hillshade_kernels(call->isa)->row(outputs[0], cells, count, call->job);
}

static void hillshade_bytes(const terrain__call *call, uint8_t *target,
                            const struct terrain__stencil *cells, size_t count)
{
    terrain__hillshade_kernels(call->isa)->row_u8(target, cells, count, call->job);
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
    .job_size = sizeof(struct hillshade_light),
    .halo = terrain__stencil_halo,
    .prepare = hillshade_prepare,
    .run = hillshade_run,
};

TERRAIN__PUBLIC_ANALYZE(analyze_hillshade)

/* ---- As bytes ------------------------------------------------------------------------------- */

terrain_status terrain_heightmap_pack_hillshade_u8(terrain_context *context,
                                                   const terrain_heightmap *map,
                                                   const terrain_analyze_hillshade_params *params,
                                                   uint8_t *buffer, size_t stride)
{
    terrain__reader reader;
    terrain__params room;
    const terrain__checked *checked;
    char fault[TERRAIN__FAULT_SIZE];
    terrain_status status = terrain__reader_enter(&reader, context, "heightmap_pack_hillshade_u8");
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    status = terrain__pack_check_buffer(&reader, map, buffer, stride, sizeof *buffer, 1);
    if (status == TERRAIN_SUCCESS) {
        status =
            terrain__params_complete(&terrain__analyze_hillshade, params, &room, &checked, fault);
        status =
            status == TERRAIN_SUCCESS ? status : terrain__reader_fail(&reader, status, "%s", fault);
    }
    if (status == TERRAIN_SUCCESS) {
        terrain__float_environment host;
        terrain__float_enter(&host);
        struct hillshade_light light =
            hillshade_light_of((const hillshade_params *)checked, map->cell_size);
        terrain__float_settle(&light);
        terrain__float_leave(&host);
        reader.map = map;
        reader.job = &light;
        terrain__stencil_pack(&reader, buffer, stride, hillshade_cells, hillshade_bytes);
    }
    return terrain__reader_leave(&reader, status);
}
