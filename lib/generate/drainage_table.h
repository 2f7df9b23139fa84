/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The tables of generate_drainage and erode_drainage. `params` is the struct's name. Where the two
 * differ there is of(what generate_drainage has, what erode_drainage has): `of` is one of the two
 * macros below. */

#ifndef TERRAIN_GENERATE_DRAINAGE_TABLE_H
#define TERRAIN_GENERATE_DRAINAGE_TABLE_H

#define DRAINAGE_OF_MADE(made, carved) made
#define DRAINAGE_OF_CARVED(made, carved) carved

/* The first rows: all maps, and what they depend on. */
#define DRAINAGE_MAPS(params, of)                                                                  \
    TERRAIN__SEED(params),                                                                         \
        TERRAIN__MAP_OUT(params, discharge,                                                        \
                         "Gets how many cells drain through each cell, including itself."),        \
        TERRAIN__MAP_OUT(                                                                          \
            params, receiver,                                                                      \
            "Gets where the water goes: 0 to 7 for E, SE, S, SW, W, NW, N, NE; -1: nowhere."),     \
        TERRAIN__MAP_OUT(                                                                          \
            params, water,                                                                         \
            "Gets the height of the water's surface, or of the land where it is dry."),            \
        TERRAIN__MAP_OUT(params, river_distance,                                                   \
                         "Gets the distance to the nearest river or lake with an outflow, at "     \
                         "most 64 cell sizes."),                                                   \
        TERRAIN__COARSE_MAP_IN(params, control, map_spacing,                                       \
                               of("Replaces the random continents: below 0 is sea, 0.1 is well "   \
                                  "inland; finer noise is added.",                                 \
                                  "Where sea is, in place of the ceiling: below 0 is sea, 0.1 is " \
                                  "well inland; finer noise is added.")),                          \
        TERRAIN__COARSE_MAP_IN(                                                                    \
            params, uplift, map_spacing,                                                           \
            "Replaces the random plates' borders: multiplies ranges; 0 to 1, or more."),           \
        TERRAIN__COARSE_MAP_IN(params, hardness, map_spacing,                                      \
                               "Factor of the rock's hardness: above 0; 1 is mean rock."),         \
        TERRAIN__COARSE_MAP_IN(                                                                    \
            params, rain, map_spacing,                                                             \
            "Factor of the water that slopes depend on: above 0; 1 is mean rain."),                \
        TERRAIN__COARSE_MAP_IN(params, ceiling, map_spacing,                                       \
                               of("Heights of any land that rivers follow and the land stays "     \
                                  "below. Replaces plateau and the height of layers.",             \
                                  "The map's own heights as they look from far away; without it, " \
                                  "rivers ignore the map.")),                                      \
        TERRAIN__UINT32(params, map_spacing, "cells", of(256, 64), 8, 1u << 20,                    \
                        "Distance between the points of these maps; a power of two.",              \
                        .scaling = TERRAIN_SCALING_SPACING, TERRAIN__POWER_OF_TWO)

/* The other rows, but erode_drainage's mask. */
#define DRAINAGE_NUMBERS(params, of)                                                               \
    TERRAIN__UINT32(params, period, "cells", 8192, 1024, 1u << 20,                                 \
                    "Size of continents and seas; a power of two.",                                \
                    .scaling = TERRAIN_SCALING_FIXED, TERRAIN__POWER_OF_TWO),                      \
        TERRAIN__UINT32(params, plate_spacing, "cells", 8192, 2048, 1u << 20,                      \
                        "Size of the plates, between which ranges rise; a power of two.",          \
                        .scaling = TERRAIN_SCALING_FIXED, TERRAIN__POWER_OF_TWO),                  \
        TERRAIN__FLOAT(                                                                            \
            params, base_level, "", 0.04, -1, 1,                                                   \
            "Lifts the land relative to the sea: 0.3 is nearly all land, -0.3 nearly all sea."),   \
        TERRAIN__FLOAT(params, hills, "", of(0.5, 30), 0, 64,                                      \
                       "Uplift of open country; it varies from place to place."),                  \
        TERRAIN__FLOAT(params, ranges, "", of(5, 0), 0, 64, "Uplift where plates collide."),       \
        TERRAIN__FLOAT(params, plains, "", of(0.3, 10), 0.0001, 64, "The least uplift of land."),  \
        TERRAIN__FLOAT(params, coast, "", of(0.7, 0), 0, 1,                                        \
                       "By what part coasts rise more slowly."),                                   \
        TERRAIN__FLOAT(params, belt_sharpness, "", 7, 0.5, 16,                                     \
                       "How sharp the plates' borders are; a large number makes narrow ranges."),  \
        TERRAIN__FLOAT(params, erodibility, "", 0.15, 1e-3, 1e3,                                   \
                       "K: slopes are uplift / K * area^-concavity."),                             \
        TERRAIN__FLOAT(params, concavity, "", 0.35, 0.1, 1,                                        \
                       "m: how much gentler rivers are than brooks."),                             \
        TERRAIN__FLOAT(params, talus, "slope", 1.1, 0.05, 8,                                       \
                       "The steepest slope of rock of mean hardness."),                            \
        TERRAIN__FLOAT(params, channel_area, "cells", 20, 0, 4096,                                 \
                       "Where fewer cells drain through a cell, slopes are straight.",             \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(                                                                            \
            params, crest_area, "cells", 1, 1, 4096,                                               \
            "Where fewer cells drain through a cell, slopes are gentle: rounded crests.",          \
            .scaling = TERRAIN_SCALING_FIXED),                                                     \
        TERRAIN__FLOAT(params, hardness_contrast, "", 0.5, 0, 4,                                   \
                       "How much the rock's hardness varies from place to place."),                \
        TERRAIN__FLOAT(params, strata_contrast, "", of(0.8, 0), 0, 8,                              \
                       "How much the hardness varies from layer to layer."),                       \
        TERRAIN__FLOAT(params, strata_thickness, "cells", 40, 1, 4096, "Thickness of the layers.", \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, strata_area, "cells", 3000, 1, 1e9,                                 \
                       "Rivers with more cells upstream cut through all layers alike.",            \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, dip, "cells", of(150, 0), 0, 4096,                                  \
                       "How much the layers rise and sink.", .scaling = TERRAIN_SCALING_FIXED),    \
        TERRAIN__FLOAT(params, fold_height, "cells", 0, 0, 4096,                                   \
                       "Height of folds, which run along belts.",                                  \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, fold_frequency, "", 0.5, 0, 16,                                     \
                       "How close together the folds are."),                                       \
        TERRAIN__FLOAT(params, plateau, "cells", 0, 0, 4096,                                       \
                       "Height of a plateau over the sea; 0: none.",                               \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, plateau_rise, "cells", 0, 0, 4096,                                  \
                       "How much the plateau and the layers rise inland.",                         \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, clearance, "cells", 20, 0, 4096,                                    \
                       "How far above the ceiling the land between rivers may stand.",             \
                       TERRAIN__WITH(ceiling), .scaling = TERRAIN_SCALING_FIXED),                  \
        TERRAIN__FLOAT(                                                                            \
            params, incision, "cells", 10, 0, 4096,                                                \
            "How far below the ceiling rivers lie whose discharge is far above strata_area.",      \
            TERRAIN__WITH(ceiling), .scaling = TERRAIN_SCALING_FIXED),                             \
        TERRAIN__FLOAT(params, valley_width, "cells", 2, 0, 16,                                    \
                       "Half the width of the floodplain of a river with 2000 cells upstream.",    \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, sea_depth, "cells", of(400, 0), 0, 1e5,                             \
                       "How fast the sea floor falls away from coasts.",                           \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, river_depth, "cells", of(0.01, 0), 0, 16,                           \
                       "Depth of a river with 2000 cells upstream.",                               \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, lake_depth, "cells", of(0.5, 0), 0, 16,                             \
                       "Depth of lakes that rivers flow through, up to 31 cells wide; 0: none.",   \
                       .scaling = TERRAIN_SCALING_FIXED),                                          \
        TERRAIN__FLOAT(params, smoothing, "", 0.2, 0, 1,                                           \
                       "How much the finest level is smoothed."),                                  \
        TERRAIN__UINT32(params, level, "", 0, 0, DRAINAGE_TOP - 1,                                 \
                        "A cell is 2^level cells wide, as other lengths count them: the same "     \
                        "land from farther away.",                                                 \
                        .scaling = TERRAIN_SCALING_OWN)

#endif
