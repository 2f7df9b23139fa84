/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_drainage: an endless land whose rivers all reach the sea.
 *
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

static const terrain_parameter drainage_parameters[] = {
    TERRAIN__SEED(drainage_params),
    TERRAIN__MAP_OUT(drainage_params, discharge,
                     "Gets how many cells drain through each cell, including itself."),
    TERRAIN__MAP_OUT(
        drainage_params, receiver,
        "Gets where the water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE; -1: nowhere."),
    TERRAIN__MAP_OUT(drainage_params, water,
                     "Gets the height of the water's surface, or of the land where it is dry."),
    TERRAIN__MAP_OUT(
        drainage_params, river_distance,
        "Gets the distance to the nearest river or lake with an outflow, at most 64 cells."),
    TERRAIN__COARSE_MAP_IN(drainage_params, control, map_spacing,
                           "Replaces the random continents: below 0 is sea, 0.1 is well inland; "
                           "finer noise is added."),
    TERRAIN__COARSE_MAP_IN(
        drainage_params, uplift, map_spacing,
        "Replaces the random plates' borders: multiplies ranges; 0 to 1, or more."),
    TERRAIN__COARSE_MAP_IN(drainage_params, hardness, map_spacing,
                           "Factor of the rock's hardness: above 0; 1 is mean rock."),
    TERRAIN__COARSE_MAP_IN(drainage_params, rain, map_spacing,
                           "Factor of the water that slopes depend on: above 0; 1 is mean rain."),
    TERRAIN__COARSE_MAP_IN(drainage_params, ceiling, map_spacing,
                           "Heights of any land that rivers follow and the land stays below. "
                           "Replaces plateau and the height of layers."),
    TERRAIN__UINT32(drainage_params, map_spacing, "cells", 256, 8, 1u << 20,
                    "Distance between the points of these maps; a power of two.",
                    .scaling = TERRAIN_SCALING_SPACING),
    TERRAIN__UINT32(drainage_params, period, "cells", 8192, 1024, 1u << 20,
                    "Size of continents and seas; a power of two.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__UINT32(drainage_params, plate_spacing, "cells", 8192, 2048, 1u << 20,
                    "Size of the plates, between which ranges rise; a power of two.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(
        drainage_params, base_level, "", 0.04, -1, 1,
        "Lifts the land relative to the sea: 0.3 is nearly all land, -0.3 nearly all sea."),
    TERRAIN__FLOAT(drainage_params, hills, "", 0.5, 0, 64,
                   "Uplift of open country; it varies from place to place."),
    TERRAIN__FLOAT(drainage_params, ranges, "", 5, 0, 64, "Uplift where plates collide."),
    TERRAIN__FLOAT(drainage_params, plains, "", 0.3, 0.0001, 64, "The least uplift of land."),
    TERRAIN__FLOAT(drainage_params, coast, "", 0.7, 0, 1, "By what part coasts rise more slowly."),
    TERRAIN__FLOAT(drainage_params, belt_sharpness, "", 7, 0.5, 16,
                   "How sharp the plates' borders are; a large number makes narrow ranges."),
    TERRAIN__FLOAT(drainage_params, erodibility, "", 0.15, 1e-3, 1e3,
                   "K: slopes are uplift / K * area^-concavity."),
    TERRAIN__FLOAT(drainage_params, concavity, "", 0.35, 0.1, 1,
                   "m: how much gentler rivers are than brooks."),
    TERRAIN__FLOAT(drainage_params, talus, "rise over run", 1.1, 0.05, 8,
                   "The steepest slope of rock of mean hardness."),
    TERRAIN__FLOAT(drainage_params, channel_area, "cells", 20, 0, 4096,
                   "Where fewer cells drain through a cell, slopes are straight.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, crest_area, "cells", 1, 1, 4096,
                   "Where fewer cells drain through a cell, slopes are gentle: rounded crests.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, hardness_contrast, "", 0.5, 0, 4,
                   "How much the rock's hardness varies from place to place."),
    TERRAIN__FLOAT(drainage_params, strata_contrast, "", 0.8, 0, 8,
                   "How much the hardness varies from layer to layer."),
    TERRAIN__FLOAT(drainage_params, strata_thickness, "cells", 40, 1, 4096,
                   "Thickness of the layers.", .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, strata_area, "cells", 3000, 1, 1e9,
                   "Rivers with more cells upstream cut through all layers alike.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, dip, "cells", 150, 0, 4096,
                   "How much the layers rise and sink.", .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, fold_height, "cells", 0, 0, 4096,
                   "Height of folds, which run along belts.", .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, fold_frequency, "", 0.5, 0, 16,
                   "How close together the folds are."),
    TERRAIN__FLOAT(drainage_params, plateau, "cells", 0, 0, 4096,
                   "Height of a plateau over the sea; 0: none.", .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, plateau_rise, "cells", 0, 0, 4096,
                   "How much the plateau and the layers rise inland.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, clearance, "cells", 20, 0, 4096,
                   "How far above the ceiling the land between rivers may stand.",
                   TERRAIN__WITH(ceiling), .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, incision, "cells", 10, 0, 4096,
                   "How far below the ceiling rivers lie whose discharge is far above strata_area.",
                   TERRAIN__WITH(ceiling), .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, valley_width, "cells", 2, 0, 16,
                   "Half the width of the floodplain of a river with 2000 cells upstream.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, sea_depth, "cells", 400, 0, 1e5,
                   "How fast the sea floor falls away from coasts.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, river_depth, "cells", 0.01, 0, 16,
                   "Depth of a river with 2000 cells upstream.", .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, lake_depth, "cells", 0.5, 0, 16,
                   "Depth of lakes that rivers flow through, up to 31 cells wide; 0: none.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, smoothing, "", 0.2, 0, 1,
                   "How much the finest level is smoothed."),
    TERRAIN__UINT32(drainage_params, level, "", 0, 0, DRAINAGE_TOP - 1,
                    "A cell is 2^level cells wide, as other lengths count them: the same land from "
                    "farther away.",
                    .scaling = TERRAIN_SCALING_OWN),
};

static const char *drainage_check(const void *params)
{
    return terrain__drainage_check(params);
}

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
    DRAINAGE_LEVEL_WHOLE(drainage_params, 256),
    DRAINAGE_LEVEL_MAPS,
};

enum { DRAINAGE_FIRST_LEVEL_PORT = 10 }; /* coarse_heights */

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
    .check = drainage_check,
    .scale = drainage_scale,
    .window = drainage_window,
    .levels = &drainage_levels,
    .prepare = terrain__drainage_prepare,
    .run = terrain__drainage_run,
};

TERRAIN__PUBLIC_CHANGE(generate_drainage)
