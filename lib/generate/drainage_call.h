/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A call of generate_drainage, or of erode_drainage, which makes the same land and carves it into a
 * map. Params of erode_drainage are those of generate_drainage with a mask behind their maps. */

#ifndef TERRAIN_GENERATE_DRAINAGE_CALL_H
#define TERRAIN_GENERATE_DRAINAGE_CALL_H

#include <string.h>

#include "generate/drainage.h"
#include "terrain/erode.h"
#include "terrain/generate.h"

typedef terrain_generate_drainage_params drainage_params;

/* Maps have the same offsets in both, so that outputs and coarse inputs are found alike. */
_Static_assert(offsetof(terrain_erode_drainage_params, ceiling) ==
                       offsetof(drainage_params, ceiling) &&
                   sizeof(terrain_erode_drainage_params) -
                           offsetof(terrain_erode_drainage_params, map_spacing) ==
                       sizeof(drainage_params) - offsetof(drainage_params, map_spacing),
               "params of erode_drainage are those of generate_drainage and a mask");

/* Those of erode_drainage, without the mask. */
static inline drainage_params terrain__drainage_of(const terrain_erode_drainage_params *carve)
{
    drainage_params p;
    memcpy(&p, carve, offsetof(drainage_params, map_spacing));
    memcpy(&p.map_spacing, &carve->map_spacing, sizeof p - offsetof(drainage_params, map_spacing));
    return p;
}

/* Writes what is wanted of a tile that has been made in `memory`. */
typedef void terrain__drainage_put_made(const terrain__call *call,
                                        const struct drainage_level *made,
                                        const struct drainage_level *wanted,
                                        struct drainage_ground *ground, float *memory);

struct drainage_job {
    drainage_params params;
    struct drainage_plan plan;
    struct drainage_pyramid shared; /* coarse levels of the whole map */
    struct drainage_level coarse;   /* what it makes, or what a world has kept */
    bool carve;                     /* into the map: erode_drainage */
    uint32_t level;                 /* the finest that is made */
    uint32_t own;                   /* the coarsest that each tile makes for itself */
    float unit;                     /* a cell of level 0, in units of height */
    uint32_t columns, tiles, tasks;
    uint32_t rim;  /* around a tile, where rivers count that are near to it */
    size_t floats; /* of memory for a task's levels */
    size_t banks;  /* and its rivers' distances */
    float *memory;
    terrain__drainage_put_made *put;
    /* The only tile: */
    struct drainage_level made, wanted;
    struct drainage_ground ground;
};

enum {
    DRAINAGE_TILE = 512, /* cells on each side, that one task makes at once */
    DRAINAGE_BANK = 64   /* cells: rivers that are farther away don't count */
};

/* ---- drainage_plan.c: from params to what is done -------------------------------------------- */

const char *terrain__drainage_check(const drainage_params *p);
/* Scales are levels. */
const char *terrain__drainage_scale(uint32_t *level, uint32_t before, double scale);
/* steps: of levels 0 to DRAINAGE_TOP. */
void terrain__drainage_set_steps(struct drainage_steps *steps, const drainage_params *p);
/* All but the maps, which terrain__drainage_take_maps adds. */
void terrain__drainage_set_plan(struct drainage_plan *plan, const drainage_params *p, uint32_t isa);

/* ---- drainage_call.c: windows, memory, tiles ------------------------------------------------- */

/* What is read of a coarse map. */
void terrain__drainage_see(const drainage_params *p, const terrain__box *out, terrain__box *in);
/* What is read of a map at a level: `own`, a coarse map of the caller's, or else the coarser level.
 * rim: cells around the box that are made, too. */
void terrain__drainage_see_level(const drainage_params *p, uint32_t made, bool own, uint32_t rim,
                                 const terrain__box *out, terrain__box *in);
/* The levels `top` to `bottom` for a box of the finest, and `rim` cells around it. */
void terrain__drainage_want(const drainage_params *p, uint32_t top, uint32_t bottom,
                            const terrain__box *out, uint32_t rim,
                            struct drainage_pyramid *pyramid);
terrain_status terrain__drainage_prepare(terrain__call *call);
terrain_status terrain__drainage_run(terrain__call *call);
/* Parts of them, for calls that make one level. The params come first of all in prepare. */
const drainage_params *terrain__drainage_take_params(terrain__call *call);
terrain_status terrain__drainage_check_place(terrain__call *call);
/* Memory for the tiles of the call, for which levels `own` to `level` are made. */
void terrain__drainage_prepare_tiles(terrain__call *call, uint32_t own, uint32_t level);
/* Coarse maps that were given take the place of noise. */
void terrain__drainage_take_maps(const terrain__call *call);
/* Places a tile, of which is wanted what is returned. */
struct drainage_level terrain__drainage_tile(const terrain__call *call,
                                             const struct drainage_job *job, uint32_t tile,
                                             struct drainage_pyramid *pyramid);
/* Passes of the following two, when the tiles are prepared. */
uint32_t terrain__drainage_tile_passes(const terrain__call *call);
/* Makes and writes all tiles, from job->coarse. */
terrain_status terrain__drainage_run_tiles(terrain__call *call, terrain__drainage_put_made *put);
/* Of the finest level. */
terrain_status terrain__drainage_run_finest_tiles(terrain__call *call);

/* ---- drainage_output.c: what a tile writes --------------------------------------------------- */

void terrain__drainage_put(const terrain__call *call, const struct drainage_level *level,
                           struct drainage_ground *ground);
/* level: the tile and DRAINAGE_BANK cells around it. columns: work. */
void terrain__drainage_put_distance(const terrain__call *call, const struct drainage_level *level,
                                    uint8_t *columns);

/* ---- drainage_levels.c: levels that a world keeps -------------------------------------------- */

/* In a world each level is a statement of its own, whose blocks all tiles share: it makes three
 * maps from those of the next coarser level. */
typedef struct drainage_level_params {
    terrain_erode_drainage_params whole; /* erode_drainage's, or generate_drainage's at
                                             the same place */
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
/* The last rows of a level's table. */
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
