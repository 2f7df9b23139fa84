/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The levels of generate_drainage and erode_drainage that a world keeps. Each level is a statement
 * of its own, whose blocks all tiles share. It makes three maps from the same three maps of the
 * next coarser level: heights, discharge, and ways (receiver + 16 traits). */

#include <string.h>

#include "generate/drainage_call.h"

void terrain__drainage_choose_level(void *params, uint32_t index)
{
    ((drainage_level_params *)params)->made = DRAINAGE_TOP - index;
}

/* ---- The coarser level ----------------------------------------------------------------------- */

/* Gets memory for a copy of the coarser level: kernels read a little beyond its edges. */
static void drainage_prepare_coarse(terrain__call *call)
{
    const drainage_level_params *p = call->params;
    struct drainage_job *job = call->job;
    struct drainage_level *coarse = &job->coarse;
    const terrain__box out =
        terrain__box_at(call->x, call->y, call->target.width, call->target.height);
    struct drainage_pyramid pyramid;
    uint64_t cells;
    terrain__drainage_windows(&job->params, p->made, p->made, &out, job->rim, &pyramid);
    *coarse = pyramid.wanted[p->made + 1];
    coarse->stride = coarse->width;
    cells = (uint64_t)coarse->stride * coarse->height + 2 * DRAINAGE_MARGIN;
    coarse->heights = terrain__drainage_scratch(call, cells, sizeof(float));
    coarse->discharge = terrain__drainage_scratch(call, cells, sizeof(float));
    coarse->receiver = terrain__drainage_scratch(call, cells, 1);
    coarse->traits = terrain__drainage_scratch(call, cells, 1);
    if (coarse->traits != NULL && coarse->receiver != NULL && coarse->discharge != NULL &&
        coarse->heights != NULL) {
        coarse->heights += DRAINAGE_MARGIN;
        coarse->discharge += DRAINAGE_MARGIN;
        coarse->receiver += DRAINAGE_MARGIN;
        coarse->traits += DRAINAGE_MARGIN;
    }
}

/* Where row y of the level's window lies in a coarse map. */
static const float *drainage_coarse_row(const terrain__coarse *map,
                                        const struct drainage_level *level, uint32_t y)
{
    return map->view.cells + (size_t)(level->y + y - map->y) * map->view.stride +
           (size_t)(level->x - map->x);
}

static void drainage_take_coarse(terrain__call *call, uint32_t index)
{
    const struct drainage_job *job = call->job;
    const struct drainage_level *to = &job->coarse;
    const terrain__coarse heights =
        terrain__coarse_input(call, offsetof(drainage_level_params, coarse_heights));
    const terrain__coarse discharge =
        terrain__coarse_input(call, offsetof(drainage_level_params, coarse_discharge));
    const terrain__coarse ways =
        terrain__coarse_input(call, offsetof(drainage_level_params, coarse_ways));
    (void)index;
    for (uint32_t y = 0; y < to->height; y++) {
        const size_t at = y * to->stride;
        const float *way_row = drainage_coarse_row(&ways, to, y);
        memcpy(to->heights + at, drainage_coarse_row(&heights, to, y), to->width * sizeof(float));
        memcpy(to->discharge + at, drainage_coarse_row(&discharge, to, y),
               to->width * sizeof(float));
        for (uint32_t x = 0; x < to->width; x++) {
            const uint32_t way = (uint32_t)(int32_t)way_row[x];
            to->receiver[at + x] = (uint8_t)(way & 15);
            to->traits[at + x] = (uint8_t)(way >> 4);
        }
    }
}

/* ---- A level --------------------------------------------------------------------------------- */

/* How far a level's window may leave the world: a tile's margins, and what whole blocks of a world
 * add to them, are far below. */
#define DRAINAGE_BEYOND (INT64_C(1) << 20)

/* Coarser levels are made before the finest one, where a tile must lie in the world exactly. They
 * check the place, too: a scale may put a tile so far outside that its coordinates overflow when
 * they become those of level 0. */
static terrain_status drainage_prepare_made(terrain__call *call, int64_t beyond)
{
    const drainage_level_params *p = call->params;
    terrain__drainage_take_params(call);
    terrain_status status = terrain__drainage_check_place(call, p->made, beyond);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    terrain__drainage_prepare_tiles(call, p->made, p->made);
    if (p->made < DRAINAGE_TOP) {
        drainage_prepare_coarse(call);
    }
    terrain__expect_passes(call, (p->made < DRAINAGE_TOP) + terrain__drainage_tile_passes(call));
    return TERRAIN_SUCCESS;
}

terrain_status terrain__drainage_prepare_level(terrain__call *call)
{
    return drainage_prepare_made(call, DRAINAGE_BEYOND);
}

static void drainage_put_level(const terrain__call *call, const struct drainage_level *level,
                               const struct drainage_level *wanted, struct drainage_ground *ground,
                               float *memory)
{
    (void)wanted, (void)ground, (void)memory;
    const uint32_t x = (uint32_t)(level->x - call->x), y = (uint32_t)(level->y - call->y);
    const terrain__plane discharge =
        terrain__output(call, offsetof(drainage_level_params, level_discharge));
    const terrain__plane ways = terrain__output(call, offsetof(drainage_level_params, ways));
    for (uint32_t j = 0; j < level->height; j++) {
        const size_t from = j * level->stride;
        float *way = ways.cells + (y + j) * ways.stride + x;
        memcpy(call->target.cells + (y + j) * call->target.stride + x, level->heights + from,
               level->width * sizeof(float));
        memcpy(discharge.cells + (y + j) * discharge.stride + x, level->discharge + from,
               level->width * sizeof(float));
        for (uint32_t i = 0; i < level->width; i++) {
            way[i] = (float)(int32_t)(level->receiver[from + i] | level->traits[from + i] << 4);
        }
    }
}

terrain_status terrain__drainage_run_level(terrain__call *call)
{
    struct drainage_job *job = call->job;
    terrain_status status = TERRAIN_SUCCESS;
    terrain__drainage_take_maps(call);
    if (job->own < DRAINAGE_TOP) {
        status = terrain__run(call, 1, drainage_take_coarse);
    }
    return status == TERRAIN_SUCCESS ? terrain__drainage_run_tiles(call, drainage_put_level)
                                     : status;
}

/* ---- The finest ------------------------------------------------------------------------------ */

terrain_status terrain__drainage_prepare_finest(terrain__call *call)
{
    return drainage_prepare_made(call, 0);
}

terrain_status terrain__drainage_run_finest(terrain__call *call)
{
    terrain__drainage_take_maps(call);
    terrain_status status = terrain__run(call, 1, drainage_take_coarse);
    return status == TERRAIN_SUCCESS ? terrain__drainage_run_finest_tiles(call) : status;
}
