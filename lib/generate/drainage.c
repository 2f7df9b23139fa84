/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_drainage: an endless land whose rivers all reach the sea.
 *
 *     params                               drainage_table.h
 *     what params say                      drainage_plan.c
 *     a call: windows, memory, tiles       drainage_call.c
 *     a call for one level, in worlds      drainage_levels.c
 *     levels and their windows             drainage_pyramid.c
 *         control, uplift, rock            drainage_world.c, drainage_fields_kernels.c
 *         level 9, cells of 512: sea, first rivers
 *         level 8 to 0, for each:
 *             cells become 2 by 2          drainage_refine.c, drainage_refine_kernels.c
 *             steps, row behind row:       drainage_sweep.c
 *                 relax, flood, smooth     drainage_relax_kernels.c
 *                 receivers, areas         drainage_flow_kernels.c
 *     lakes that rivers flow through       drainage_lakes.c
 *     heights, and the maps beside them    drainage_output.c
 *
 * The formulas, and why there are no pits, are in docs/drainage.md; slopes follow Flint (1974), the
 * relaxation is an upwind solver as that of Rouy and Tourin (1992). erode_drainage makes the same
 * land (lib/erode/drainage.c). */

#include "core/operation.h"
#include "generate/drainage_call.h"
#include "generate/drainage_table.h"

static const terrain_parameter drainage_parameters[] = {
    DRAINAGE_MAPS(drainage_params, DRAINAGE_OF_MADE),
    DRAINAGE_NUMBERS(drainage_params, DRAINAGE_OF_MADE),
};

static const char *drainage_scale(void *params, const void *before, double scale)
{
    return terrain__drainage_scale(&((drainage_params *)params)->level,
                                   ((const drainage_params *)before)->level, scale);
}

static void drainage_window(const void *params, uint32_t port, const terrain__box *out,
                            terrain__box *in)
{
    (void)port;
    terrain__drainage_coarse_window(params, out, in);
}

/* ---- Levels that a world keeps --------------------------------------------------------------- */

static const terrain_parameter drainage_level_parameters[] = {
    DRAINAGE_MAPS(drainage_params, DRAINAGE_OF_MADE),
    DRAINAGE_LEVEL_MAPS,
};

/* That of coarse_heights: before it come the map, four outputs and five coarse maps. */
enum { DRAINAGE_FIRST_LEVEL_PORT = 10 };

static void drainage_level_window(const void *params, uint32_t port, const terrain__box *out,
                                  terrain__box *in)
{
    const uint32_t made = ((const drainage_level_params *)params)->made;
    terrain__drainage_level_window(params, made, port < DRAINAGE_FIRST_LEVEL_PORT, 0, out, in);
}

/* As if river_distance were wanted. */
static void drainage_finest_window(const void *params, uint32_t port, const terrain__box *out,
                                   terrain__box *in)
{
    const uint32_t made = ((const drainage_level_params *)params)->made;
    terrain__drainage_level_window(params, made, port < DRAINAGE_FIRST_LEVEL_PORT, DRAINAGE_BANK,
                                   out, in);
}

static uint32_t drainage_level_count(const void *params)
{
    return DRAINAGE_TOP - ((const drainage_params *)params)->level;
}

static const terrain_operation drainage_level = {
    TERRAIN__IDENTITY(generate, drainage),
    .result_version = 1,
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(drainage_level_params),
    TERRAIN__PARAMETERS(drainage_level_parameters),
    .job_size = sizeof(struct drainage_job),
    .window = drainage_level_window,
    .prepare = terrain__drainage_prepare_level,
    .run = terrain__drainage_run_level,
};

static const terrain_operation drainage_finest = {
    TERRAIN__IDENTITY(generate, drainage),
    .result_version = 1,
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(drainage_level_params),
    TERRAIN__PARAMETERS(drainage_level_parameters),
    .job_size = sizeof(struct drainage_job),
    .window = drainage_finest_window,
    .prepare = terrain__drainage_prepare_finest,
    .run = terrain__drainage_run_finest,
};

static const terrain__levels drainage_levels = {
    .count = drainage_level_count,
    .choose = terrain__drainage_choose_level,
    .level = &drainage_level,
    .finest = &drainage_finest,
};

/* ---- The operation --------------------------------------------------------------------------- */

const terrain_operation terrain__generate_drainage = {
    TERRAIN__IDENTITY(generate, drainage),
    .result_version = 1,
    .summary = "An endless land whose rivers all reach the sea, by valleys that join and deepen.",
    .reference = "Flint, Stream gradient as a function of order, magnitude, and discharge, 1974; "
                 "Rouy, Tourin, A viscosity solutions approach to shape-from-shading, 1992",
    .arguments = {TERRAIN__WRITE(map)},
    .params_size = sizeof(drainage_params),
    TERRAIN__PARAMETERS(drainage_parameters),
    .job_size = sizeof(struct drainage_job),
    .scale = drainage_scale,
    .window = drainage_window,
    .levels = &drainage_levels,
    .prepare = terrain__drainage_prepare,
    .run = terrain__drainage_run,
};

TERRAIN__PUBLIC_CHANGE(generate_drainage)
