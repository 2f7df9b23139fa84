/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_drainage: valleys with rivers that reach the sea, carved into any map.
 *
 *     land = generate_drainage, whose ceiling is the map as it looks from far away
 *     map = min(map, land)
 *
 * Why a minimum: of heights that have no pits the minimum has none, and no other way to combine two
 * maps keeps that (docs/drainage.md). So all work is that of lib/generate/drainage.c; here are
 * the params, those of generate_drainage with other defaults and a mask, and what worlds keep. */

#include "generate/drainage_call.h"
#include "generate/drainage_table.h"

typedef terrain_erode_drainage_params carve_params;

static const terrain_parameter carve_parameters[] = {
    DRAINAGE_MAPS(carve_params, DRAINAGE_OF_CARVED),
    DRAINAGE_NUMBERS(carve_params, DRAINAGE_OF_CARVED),
    TERRAIN__MASK(carve_params),
};

static const char *carve_scale(void *params, const void *before, double scale)
{
    return terrain__drainage_scale(&((carve_params *)params)->level,
                                   ((const carve_params *)before)->level, scale);
}

/* The map itself is read where it is written. */
static void carve_window(const void *params, uint32_t port, const terrain__box *out,
                         terrain__box *in)
{
    if (port == 0) {
        *in = *out;
    } else {
        const drainage_params p = terrain__drainage_params_of(params);
        terrain__drainage_coarse_window(&p, out, in);
    }
}

/* ---- Levels that a world keeps --------------------------------------------------------------- */

static const terrain_parameter carve_level_parameters[] = {
    DRAINAGE_MAPS(carve_params, DRAINAGE_OF_CARVED),
    TERRAIN__MASK(carve_params),
    DRAINAGE_LEVEL_MAPS,
};

/* coarse_heights: it follows the argument, the nine maps of DRAINAGE_MAPS, and the mask. */
enum { CARVE_FIRST_LEVEL_PORT = 1 + 9 + 1 };

static void carve_level_port_window(const void *params, uint32_t port, uint32_t rim,
                                    const terrain__box *out, terrain__box *in)
{
    const drainage_params p = terrain__drainage_params_of(params);
    const uint32_t made = ((const drainage_level_params *)params)->made;
    terrain__drainage_level_window(&p, made, port < CARVE_FIRST_LEVEL_PORT, rim, out, in);
}

static void carve_level_window(const void *params, uint32_t port, const terrain__box *out,
                               terrain__box *in)
{
    carve_level_port_window(params, port, 0, out, in);
}

/* As if river_distance were wanted. */
static void carve_finest_window(const void *params, uint32_t port, const terrain__box *out,
                                terrain__box *in)
{
    if (port == 0) {
        *in = *out;
    } else {
        carve_level_port_window(params, port, DRAINAGE_BANK, out, in);
    }
}

static uint32_t carve_level_count(const void *params)
{
    return DRAINAGE_TOP - ((const carve_params *)params)->level;
}

static const terrain_operation carve_level = {
    TERRAIN__IDENTITY(erode, drainage),
    .result_version = 1,
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(drainage_level_params),
    TERRAIN__PARAMETERS(carve_level_parameters),
    .job_size = sizeof(struct drainage_job),
    .window = carve_level_window,
    .prepare = terrain__drainage_prepare_level,
    .run = terrain__drainage_run_level,
};

static const terrain_operation carve_finest = {
    TERRAIN__IDENTITY(erode, drainage),
    .result_version = 1,
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(drainage_level_params),
    TERRAIN__PARAMETERS(carve_level_parameters),
    .job_size = sizeof(struct drainage_job),
    .window = carve_finest_window,
    .prepare = terrain__drainage_prepare_finest,
    .run = terrain__drainage_run_finest,
};

static const terrain__levels carve_levels = {
    .count = carve_level_count,
    .choose = terrain__drainage_choose_level,
    .level = &carve_level,
    .finest = &carve_finest,
};

const terrain_operation terrain__erode_drainage = {
    TERRAIN__IDENTITY(erode, drainage),
    .result_version = 1,
    .summary = "Valleys whose rivers reach the sea, carved into any map; without end.",
    .reference = "Flint, Stream gradient as a function of order, magnitude, and discharge, 1974; "
                 "Rouy, Tourin, A viscosity solutions approach to shape-from-shading, 1992",
    .arguments = {TERRAIN__CHANGE(map)},
    .params_size = sizeof(carve_params),
    TERRAIN__PARAMETERS(carve_parameters),
    .job_size = sizeof(struct drainage_job),
    .scale = carve_scale,
    .window = carve_window,
    .levels = &carve_levels,
    .prepare = terrain__drainage_prepare,
    .run = terrain__drainage_run,
};

TERRAIN__PUBLIC_CHANGE(erode_drainage)
