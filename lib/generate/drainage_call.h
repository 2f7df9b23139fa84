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
};

enum { DRAINAGE_BANK = 64 }; /* cells: rivers that are farther away don't count */

const char *terrain__drainage_check(const drainage_params *p);
/* Scales are levels. */
const char *terrain__drainage_scale(uint32_t *level, uint32_t before, double scale);
/* What is read of a coarse map. */
void terrain__drainage_see(const drainage_params *p, const terrain__box *out, terrain__box *in);
terrain_status terrain__drainage_prepare(terrain__call *call);
terrain_status terrain__drainage_run(terrain__call *call);

/* ---- Levels that a world keeps --------------------------------------------------------------- */

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

/* What is read of a map at a level: `own`, a coarse map of the caller's, or else the coarser level.
 * rim: cells around the box that are made, too. */
void terrain__drainage_see_level(const drainage_params *p, uint32_t made, bool own, uint32_t rim,
                                 const terrain__box *out, terrain__box *in);
terrain_status terrain__drainage_prepare_level(terrain__call *call);
terrain_status terrain__drainage_prepare_finest(terrain__call *call);
terrain_status terrain__drainage_run_level(terrain__call *call);
terrain_status terrain__drainage_run_finest(terrain__call *call);
void terrain__drainage_choose_level(void *params, uint32_t index);

#endif
