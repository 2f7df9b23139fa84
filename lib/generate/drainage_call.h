/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A call of generate_drainage or erode_drainage. erode_drainage makes the land of generate_drainage
 * and carves it into a map; its params are those of generate_drainage, with a mask between the
 * coarse maps and map_spacing. */

#ifndef TERRAIN_GENERATE_DRAINAGE_CALL_H
#define TERRAIN_GENERATE_DRAINAGE_CALL_H

#include <string.h>

#include "generate/drainage.h"
#include "terrain/erode.h"
#include "terrain/generate.h"

typedef terrain_generate_drainage_params drainage_params;

/* So outputs and coarse maps have the same offsets in the params of both operations. */
_Static_assert(offsetof(terrain_erode_drainage_params, ceiling) ==
                       offsetof(drainage_params, ceiling) &&
                   sizeof(terrain_erode_drainage_params) -
                           offsetof(terrain_erode_drainage_params, map_spacing) ==
                       sizeof(drainage_params) - offsetof(drainage_params, map_spacing),
               "params of erode_drainage are those of generate_drainage and a mask");

/* The params of erode_drainage without the mask. */
static inline drainage_params
terrain__drainage_params_of(const terrain_erode_drainage_params *carve)
{
    drainage_params p;
    memcpy(&p, carve, offsetof(drainage_params, map_spacing));
    memcpy(&p.map_spacing, &carve->map_spacing, sizeof p - offsetof(drainage_params, map_spacing));
    return p;
}

/* Writes the wanted part of a tile. `level` is the tile with its rim; `memory` is the task's. */
typedef void terrain__drainage_put_made(const terrain__call *call,
                                        const struct drainage_level *level,
                                        const struct drainage_level *wanted,
                                        struct drainage_ground *ground, float *memory);

struct drainage_job {
    drainage_params params;
    struct drainage_plan plan;
    struct drainage_pyramid shared; /* makes the coarse levels that all tiles share */
    struct drainage_level coarse;   /* the finest of them, or the level that a world has kept */
    bool carve;                     /* erode_drainage: into the map */
    uint32_t level;                 /* the finest level that is made */
    uint32_t own;                   /* the coarsest level that each tile makes for itself */
    float unit;                     /* a cell of level 0, in units of height */
    uint32_t tile_width, tile_height;
    uint32_t columns, tasks; /* columns: of tiles */
    uint64_t tiles;
    uint32_t rim;    /* cells made around a tile, in which rivers count for river_distance */
    uint64_t floats; /* a task's memory for levels */
    uint64_t banks;  /* a task's memory for the distances of rivers, which lies behind `floats` */
    float *memory;
    terrain__drainage_put_made *put;
    /* Where there is one tile only, it is made in several passes: */
    struct drainage_level made, wanted;
    struct drainage_ground ground;
};

enum {
    DRAINAGE_TILE = 640, /* cells on each side, at most, that one task makes at once */
    DRAINAGE_BANK = 64   /* cells: rivers that are farther away don't count */
};

/* ---- drainage_plan.c: from params to what is done -------------------------------------------- */

/* Finds the level at a scale of level `before`; returns why there is none, or NULL. */
const char *terrain__drainage_scale(uint32_t *level, uint32_t before, double scale);
/* Sets the steps of levels 0 to DRAINAGE_TOP. */
void terrain__drainage_set_steps(struct drainage_steps *steps, const drainage_params *p);
/* Sets all but the caller's maps, which terrain__drainage_take_maps adds. */
void terrain__drainage_set_plan(struct drainage_plan *plan, const drainage_params *p, uint32_t isa);

/* ---- drainage_call.c: windows, memory, tiles ------------------------------------------------- */

/* The points of a coarse map that a box of the call's cells needs. */
void terrain__drainage_coarse_window(const drainage_params *p, const terrain__box *out,
                                     terrain__box *in);
/* What a box of level `made`, and `rim` cells around it, needs of a map: of a coarse map of the
 * caller's, if `own`, or else of the next coarser level. */
void terrain__drainage_level_window(const drainage_params *p, uint32_t made, bool own, uint32_t rim,
                                    const terrain__box *out, terrain__box *in);
/* The windows of levels `top` to `bottom` that a box of level `bottom`, and `rim` cells around it,
 * need. */
void terrain__drainage_windows(const drainage_params *p, uint32_t top, uint32_t bottom,
                               const terrain__box *out, uint32_t rim,
                               struct drainage_pyramid *pyramid);
terrain_status terrain__drainage_prepare(terrain__call *call);
terrain_status terrain__drainage_run(terrain__call *call);

/* Steps of the two above, for calls that make one level in a world. */

/* Sets job->params; must be the first step of prepare. */
const drainage_params *terrain__drainage_take_params(terrain__call *call);
/* Fails where the map, of the level `made`, lies more than `beyond` cells outside the world. */
terrain_status terrain__drainage_check_place(terrain__call *call, uint32_t made, int64_t beyond);
/* terrain__scratch for counts that a machine of 32 bits may not have. */
void *terrain__drainage_scratch(terrain__call *call, uint64_t count, size_t size);
/* Sets the plan, and gets memory for tiles that each make levels `own` to `level`. */
void terrain__drainage_prepare_tiles(terrain__call *call, uint32_t own, uint32_t level);
/* Adds the caller's coarse maps to the plan; they take the place of noise. */
void terrain__drainage_take_maps(const terrain__call *call);
/* How many passes terrain__drainage_run_tiles makes, as terrain__expect_passes counts them; after
 * terrain__drainage_prepare_tiles. */
uint32_t terrain__drainage_tile_passes(const terrain__call *call);
/* Makes all tiles from job->coarse and writes them by `put`. */
terrain_status terrain__drainage_run_tiles(terrain__call *call, terrain__drainage_put_made *put);
/* Makes all tiles from job->coarse and writes the operation's outputs. */
terrain_status terrain__drainage_run_finest_tiles(terrain__call *call);

/* ---- drainage_output.c: what a tile writes --------------------------------------------------- */

/* Writes a tile to the map and to all outputs but river_distance. */
void terrain__drainage_put(const terrain__call *call, const struct drainage_level *level,
                           struct drainage_ground *ground);
/* Writes a tile to river_distance. `level` is the tile and DRAINAGE_BANK cells around it. Work:
 * `columns`, 4 * job->banks bytes. */
void terrain__drainage_put_distance(const terrain__call *call, const struct drainage_level *level,
                                    uint8_t *columns);

/* ---- drainage_levels.c: levels that a world keeps -------------------------------------------- */

/* In a world each level is a statement of its own, whose blocks all tiles share: it makes three
 * maps from those of the next coarser level. */
typedef struct drainage_level_params {
    terrain_erode_drainage_params whole; /* or terrain_generate_drainage_params */
    const terrain_heightmap *coarse_heights, *coarse_discharge, *coarse_ways;
    terrain_heightmap *level_discharge;
    terrain_heightmap *ways; /* receiver + 16 traits */
    uint32_t made;           /* the level */
    uint32_t reserved;
} drainage_level_params;

#define DRAINAGE_LEVEL_MAP(field)                                                                  \
    TERRAIN__MAP(drainage_level_params, const terrain_heightmap *, TERRAIN_TYPE_MAP_IN, field,     \
                 TERRAIN__PORT(drainage_level_params, field,                                       \
                               .lattice = TERRAIN_PORT_LATTICE_COARSE, .spacing = ""),             \
                 "Of the next coarser level.")
/* The rows of a level's table behind DRAINAGE_MAPS and the mask. */
#define DRAINAGE_LEVEL_MAPS                                                                        \
    DRAINAGE_LEVEL_MAP(coarse_heights), DRAINAGE_LEVEL_MAP(coarse_discharge),                      \
        DRAINAGE_LEVEL_MAP(coarse_ways),                                                           \
        TERRAIN__MAP_OUT(drainage_level_params, level_discharge, "Of the level."),                 \
        TERRAIN__MAP_OUT(drainage_level_params, ways, "Receivers, and what cells are.")

terrain_status terrain__drainage_prepare_level(terrain__call *call);
terrain_status terrain__drainage_prepare_finest(terrain__call *call);
terrain_status terrain__drainage_run_level(terrain__call *call);
terrain_status terrain__drainage_run_finest(terrain__call *call);
void terrain__drainage_choose_level(void *params, uint32_t index);

#endif
