/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* erode_drainage: valleys with rivers that reach the sea, carved into any map.
 *
 *     land = generate_drainage, whose ceiling is the map as it looks from far away
 *     map = min(map, land)
 *
 * Why a minimum: of heights that have no pits the minimum has none, and no other way to combine two
 * maps keeps that (docs/drainage.md). So all work is that of lib/generate/drainage.c; here is the
 * table, whose params are those of generate_drainage and a mask, and what worlds keep of it. */

#include "generate/drainage_call.h"

typedef terrain_erode_drainage_params carve_params;

static const terrain_parameter carve_parameters[] = {
    TERRAIN__SEED(carve_params),
    TERRAIN__MAP_OUT(carve_params, discharge,
                     "Gets how many cells drain through each cell, including itself."),
    TERRAIN__MAP_OUT(
        carve_params, receiver,
        "Gets where the water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE; -1: nowhere."),
    TERRAIN__MAP_OUT(carve_params, water,
                     "Gets the height of the water's surface, or of the land where it is dry."),
    TERRAIN__MAP_OUT(
        carve_params, river_distance,
        "Gets the distance to the nearest river or lake with an outflow, at most 64 cells."),
    TERRAIN__COARSE_MAP_IN(carve_params, control, map_spacing,
                           "Where sea is, in place of the ceiling: below 0 is sea, 0.1 is well "
                           "inland; finer noise is added."),
    TERRAIN__COARSE_MAP_IN(
        carve_params, uplift, map_spacing,
        "Replaces the random plates' borders: multiplies ranges; 0 to 1, or more."),
    TERRAIN__COARSE_MAP_IN(carve_params, hardness, map_spacing,
                           "Factor of the rock's hardness: above 0; 1 is mean rock."),
    TERRAIN__COARSE_MAP_IN(carve_params, rain, map_spacing,
                           "Factor of the water that slopes depend on: above 0; 1 is mean rain."),
    TERRAIN__COARSE_MAP_IN(
        carve_params, ceiling, map_spacing,
        "The map's own heights as they look from far away; without it, rivers ignore the map."),
    TERRAIN__UINT32(carve_params, map_spacing, "cells", 64, 8, 1u << 20,
                    "Distance between the points of these maps; a power of two.",
                    .scaling = TERRAIN_SCALING_SPACING),
    TERRAIN__UINT32(carve_params, period, "cells", 8192, 1024, 1u << 20,
                    "Size of continents and seas; a power of two.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__UINT32(carve_params, plate_spacing, "cells", 8192, 2048, 1u << 20,
                    "Size of the plates, between which ranges rise; a power of two.",
                    .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(
        carve_params, base_level, "", 0.04, -1, 1,
        "Lifts the land relative to the sea: 0.3 is nearly all land, -0.3 nearly all sea."),
    TERRAIN__FLOAT(carve_params, hills, "", 30, 0, 64,
                   "Uplift of open country; it varies from place to place."),
    TERRAIN__FLOAT(carve_params, ranges, "", 0, 0, 64, "Uplift where plates collide."),
    TERRAIN__FLOAT(carve_params, plains, "", 10, 0.0001, 64, "The least uplift of land."),
    TERRAIN__FLOAT(carve_params, coast, "", 0, 0, 1, "By what part coasts rise more slowly."),
    TERRAIN__FLOAT(carve_params, belt_sharpness, "", 7, 0.5, 16,
                   "How sharp the plates' borders are; a large number makes narrow ranges."),
    TERRAIN__FLOAT(carve_params, erodibility, "", 0.15, 1e-3, 1e3,
                   "K: slopes are uplift / K * area^-concavity."),
    TERRAIN__FLOAT(carve_params, concavity, "", 0.35, 0.1, 1,
                   "m: how much gentler rivers are than brooks."),
    TERRAIN__FLOAT(carve_params, talus, "rise over run", 1.1, 0.05, 8,
                   "The steepest slope of rock of mean hardness."),
    TERRAIN__FLOAT(carve_params, channel_area, "cells", 20, 0, 4096,
                   "Where fewer cells drain through a cell, slopes are straight.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, crest_area, "cells", 1, 1, 4096,
                   "Where fewer cells drain through a cell, slopes are gentle: rounded crests.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, hardness_contrast, "", 0.5, 0, 4,
                   "How much the rock's hardness varies from place to place."),
    TERRAIN__FLOAT(carve_params, strata_contrast, "", 0, 0, 8,
                   "How much the hardness varies from layer to layer."),
    TERRAIN__FLOAT(carve_params, strata_thickness, "cells", 40, 1, 4096, "Thickness of the layers.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, strata_area, "cells", 3000, 1, 1e9,
                   "Rivers with more cells upstream cut through all layers alike.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, dip, "cells", 0, 0, 4096, "How much the layers rise and sink.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, fold_height, "cells", 0, 0, 4096,
                   "Height of folds, which run along belts.", .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, fold_frequency, "", 0.5, 0, 16,
                   "How close together the folds are."),
    TERRAIN__FLOAT(carve_params, plateau, "cells", 0, 0, 4096,
                   "Height of a plateau over the sea; 0: none.", .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, plateau_rise, "cells", 0, 0, 4096,
                   "How much the plateau and the layers rise inland.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, clearance, "cells", 20, 0, 4096,
                   "How far above the ceiling the land between rivers may stand.",
                   TERRAIN__WITH(ceiling), .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, incision, "cells", 10, 0, 4096,
                   "How far below the ceiling rivers lie whose discharge is far above strata_area.",
                   TERRAIN__WITH(ceiling), .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, valley_width, "cells", 2, 0, 16,
                   "Half the width of the floodplain of a river with 2000 cells upstream.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, sea_depth, "cells", 0, 0, 1e5,
                   "How fast the sea floor falls away from coasts.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, river_depth, "cells", 0, 0, 16,
                   "Depth of a river with 2000 cells upstream.", .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, lake_depth, "cells", 0, 0, 16,
                   "Depth of lakes that rivers flow through, up to 31 cells wide; 0: none.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(carve_params, smoothing, "", 0.2, 0, 1,
                   "How much the finest level is smoothed."),
    TERRAIN__UINT32(carve_params, level, "", 0, 0, DRAINAGE_TOP - 1,
                    "A cell is 2^level cells wide, as other lengths count them: the same land from "
                    "farther away.",
                    .scaling = TERRAIN_SCALING_OWN),
    TERRAIN__MASK(carve_params),
};

static const char *carve_check(const void *params)
{
    const drainage_params p = terrain__drainage_params_of(params);
    return terrain__drainage_check(&p);
}

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
    DRAINAGE_LEVEL_WHOLE(carve_params, 64),
    TERRAIN__MASK(carve_params),
    DRAINAGE_LEVEL_MAPS,
};

enum { CARVE_FIRST_LEVEL_PORT = 11 }; /* coarse_heights */

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
    .check = carve_check,
    .scale = carve_scale,
    .window = carve_window,
    .levels = &carve_levels,
    .prepare = terrain__drainage_prepare,
    .run = terrain__drainage_run,
};

TERRAIN__PUBLIC_CHANGE(erode_drainage)
