/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A call of generate_drainage or erode_drainage, from its window to its tiles.
 *
 * Levels 9 to 4 are made once for the whole map, and levels 3 to 0 tile by tile: a tile's planes
 * fit the cache, and tiles are what threads share out. Every level is made with margins, of which
 * nothing is kept, so that tiles need nothing of each other:
 *
 *     level 4, whole map     . . . . . . . . . . . . .
 *     levels 3 to 0            [.... tile ....]
 *                                      [.... tile ....]          [ ]: margins */

#include <inttypes.h>

#include "base/math.h"
#include "generate/drainage_call.h"
#include "generate/drainage_sweep.h"

enum {
    DRAINAGE_TASKS = 16,
    DRAINAGE_SHARED = 4, /* from this level on, all tiles of a call share levels */
    /* To progress, a tile is as many passes over the levels that all share; of at most so many
     * tiles. */
    DRAINAGE_TILE_PASSES = 8,
    DRAINAGE_COUNTED = 1 << 20
};

/* ---- Windows --------------------------------------------------------------------------------- */

/* Places the pyramid of a tile and returns the tile's window. */
static struct drainage_level drainage_tile(const terrain__call *call,
                                           const struct drainage_job *job, uint64_t tile,
                                           struct drainage_pyramid *pyramid)
{
    uint32_t x = (uint32_t)(tile % job->columns) * job->tile_width;
    uint32_t y = (uint32_t)(tile / job->columns) * job->tile_height;
    uint32_t width = call->target.width - x, height = call->target.height - y;
    struct drainage_level wanted = {
        .x = call->x + x,
        .y = call->y + y,
        .width = terrain__lesser(width, job->tile_width),
        .height = terrain__lesser(height, job->tile_height),
    };
    const struct drainage_level around = terrain__drainage_around(&wanted, (int32_t)job->rim);
    terrain__drainage_pyramid_place(pyramid, &job->plan, job->tiles == 1 ? DRAINAGE_TEAM : 1,
                                    job->own, job->level, &around);
    return wanted;
}

/* The points of a coarse map that the pyramid's levels read: those around their samples, and one
 * more on each side for the spline. */
static void drainage_map_window(const drainage_params *p, const struct drainage_pyramid *pyramid,
                                terrain__box *in)
{
    const int64_t spacing = p->map_spacing;
    terrain__box seen = {0, 0, 0, 0};
    terrain__drainage_pyramid_samples(pyramid, p->level, &seen);
    in->x0 = terrain__floor_div(seen.x0, spacing) - 1;
    in->y0 = terrain__floor_div(seen.y0, spacing) - 1;
    in->x1 = terrain__floor_div(seen.x1, spacing) + 3;
    in->y1 = terrain__floor_div(seen.y1, spacing) + 3;
}

void terrain__drainage_windows(const drainage_params *p, uint32_t top, uint32_t bottom,
                               const terrain__box *out, uint32_t rim,
                               struct drainage_pyramid *pyramid)
{
    struct drainage_steps steps[DRAINAGE_TOP + 1];
    const struct drainage_level wanted = {.x = out->x0,
                                          .y = out->y0,
                                          .width = (uint32_t)(out->x1 - out->x0),
                                          .height = (uint32_t)(out->y1 - out->y0)};
    const struct drainage_level around = terrain__drainage_around(&wanted, (int32_t)rim);
    terrain__drainage_set_steps(steps, p);
    terrain__drainage_pyramid_windows(pyramid, steps, top, bottom, &around);
}

void terrain__drainage_coarse_window(const drainage_params *p, const terrain__box *out,
                                     terrain__box *in)
{
    struct drainage_pyramid pyramid;
    terrain__drainage_windows(p, DRAINAGE_TOP, p->level, out, DRAINAGE_BANK, &pyramid);
    drainage_map_window(p, &pyramid, in);
}

void terrain__drainage_level_window(const drainage_params *p, uint32_t made, bool own, uint32_t rim,
                                    const terrain__box *out, terrain__box *in)
{
    struct drainage_pyramid pyramid;
    terrain__drainage_windows(p, made, made, out, rim, &pyramid);
    if (own) {
        drainage_map_window(p, &pyramid, in);
    } else {
        const struct drainage_level *coarse = &pyramid.wanted[made + 1];
        *in = (terrain__box){coarse->x, coarse->y, coarse->x + coarse->width,
                             coarse->y + coarse->height};
    }
}

/* ---- Preparing ------------------------------------------------------------------------------- */

const drainage_params *terrain__drainage_take_params(terrain__call *call)
{
    struct drainage_job *job = call->job;
    const bool carve = call->operation->key == TERRAIN__KEY_erode_drainage;
    job->params =
        carve ? terrain__drainage_params_of(call->params) : *(const drainage_params *)call->params;
    return &job->params;
}

/* The size of a cell of level 0, in units of height, where the map's cells are those of `level`. */
static float drainage_unit(const terrain__call *call, uint32_t level)
{
    float unit = call->cell_size;
    for (uint32_t k = 0; k < level; k++) {
        unit *= 0.5F;
    }
    return unit;
}

void *terrain__drainage_scratch(terrain__call *call, uint64_t count, size_t size)
{
    return terrain__scratch(call, count < SIZE_MAX ? (size_t)count : SIZE_MAX, size);
}

void terrain__drainage_prepare_tiles(terrain__call *call, uint32_t own, uint32_t level)
{
    struct drainage_job *job = call->job;
    struct drainage_pyramid pyramid;
    const uint32_t width = call->target.width, height = call->target.height;
    const uint32_t columns = (width - 1) / DRAINAGE_TILE + 1;
    const uint32_t rows = (height - 1) / DRAINAGE_TILE + 1;
    terrain__drainage_set_plan(&job->plan, &job->params, call->isa);
    job->own = own;
    job->carve = call->operation->arguments[0].role == TERRAIN_PORT_ROLE_CHANGE;
    job->level = level;
    job->unit = drainage_unit(call, level);
    job->tile_width = (width - 1) / columns + 1;
    job->tile_height = (height - 1) / rows + 1;
    job->columns = columns;
    job->tiles = (uint64_t)columns * rows;
    if (job->params.river_distance != NULL) {
        job->rim = DRAINAGE_BANK;
        job->banks = ((size_t)job->tile_width + 2 * DRAINAGE_BANK) * (job->tile_height + 1) / 4 + 1;
    }
    job->tasks = job->tiles < DRAINAGE_TASKS ? (uint32_t)job->tiles : DRAINAGE_TASKS;
    /* The largest memory of all tiles: all but the last column and row are of one size, and the
     * first DRAINAGE_PHASES of them have all places modulo that. */
    for (uint32_t j = 0; j < rows && j < DRAINAGE_PHASES; j++) {
        for (uint32_t i = 0; i < columns && i < DRAINAGE_PHASES; i++) {
            drainage_tile(call, job, (uint64_t)j * columns + i, &pyramid);
            job->floats = pyramid.floats > job->floats ? pyramid.floats : job->floats;
        }
    }
    job->memory =
        terrain__drainage_scratch(call, (job->floats + job->banks) * job->tasks, sizeof(float));
    terrain__commit_cost(call, 80);
}

terrain_status terrain__drainage_check_place(terrain__call *call, uint32_t made, int64_t beyond)
{
    const struct drainage_job *job = call->job;
    const uint32_t level = job->params.level;
    const int64_t limit = (TERRAIN_WORLD_LIMIT >> made) + beyond;
    if (call->x < -limit || call->y < -limit || call->x + (int64_t)call->target.width > limit ||
        call->y + (int64_t)call->target.height > limit) {
        return terrain__fail(call, TERRAIN_ERROR_RANGE,
                             "at level %" PRIu32 " the map must lie within 2^%" PRIu32
                             " cells of the origin",
                             level, 62 - level);
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain__drainage_prepare(terrain__call *call)
{
    struct drainage_job *job = call->job;
    struct drainage_pyramid pyramid;
    const uint32_t level = terrain__drainage_take_params(call)->level;
    terrain_status status = terrain__drainage_check_place(call, level, 0);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    const uint32_t own = level < DRAINAGE_SHARED ? DRAINAGE_SHARED - 1 : level;
    terrain__drainage_prepare_tiles(call, own, level);
    /* The shared levels must cover what the finer ones read for the whole map. */
    const terrain__box out =
        terrain__box_at(call->x, call->y, call->target.width, call->target.height);
    terrain__drainage_windows(&job->params, own, level, &out, job->rim, &pyramid);
    terrain__drainage_pyramid_place(&job->shared, &job->plan, DRAINAGE_TEAM, DRAINAGE_TOP, own + 1,
                                    &pyramid.wanted[own + 1]);
    job->shared.memory = terrain__drainage_scratch(call, job->shared.floats, sizeof(float));
    terrain__expect_passes(call, terrain__drainage_pyramid_passes(&job->shared) +
                                     terrain__drainage_tile_passes(call));
    return TERRAIN_SUCCESS;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* A coarse map of the caller's; its spacing in cells of level 0, as the levels count it. */
static terrain__coarse drainage_take_map(const terrain__call *call, size_t offset)
{
    const struct drainage_job *job = call->job;
    terrain__coarse map = terrain__coarse_input(call, (uint32_t)offset);
    map.spacing <<= job->params.level;
    return map;
}

void terrain__drainage_take_maps(const terrain__call *call)
{
    struct drainage_job *job = call->job;
    struct drainage_plan *plan = &job->plan;
    plan->control = drainage_take_map(call, offsetof(drainage_params, control));
    plan->uplift = drainage_take_map(call, offsetof(drainage_params, uplift));
    plan->hardness = drainage_take_map(call, offsetof(drainage_params, hardness));
    plan->rain = drainage_take_map(call, offsetof(drainage_params, rain));
    plan->ceiling = drainage_take_map(call, offsetof(drainage_params, ceiling));
    plan->ceiling_scale = 1 / drainage_unit(call, job->params.level);
    plan->control_scale = 1;
    plan->ceiling_is_control = plan->control.view.cells == NULL && plan->ceiling.view.cells != NULL;
    if (plan->ceiling_is_control) {
        plan->control = plan->ceiling;
        plan->control_scale = plan->ceiling_scale / plan->lake_level;
    }
    if (plan->control.view.cells != NULL) {
        plan->world.plate_base = 0;
        plan->world.plate_belt = 0;
    }
}

/* Writes a tile of the finest level to all outputs. */
static void drainage_put_tile(const terrain__call *call, const struct drainage_level *level,
                              const struct drainage_level *wanted, struct drainage_ground *ground,
                              float *memory)
{
    const struct drainage_job *job = call->job;
    if (job->plan.lake_depth > 0 && job->level < DRAINAGE_SEAT_LEVEL) {
        terrain__drainage_fill_lakes(level, &job->plan, ground->depth);
    }
    if (job->rim > 0) {
        terrain__drainage_put_distance(call, level, (uint8_t *)(memory + job->floats));
    }
    const struct drainage_level inner = terrain__drainage_part(level, wanted);
    ground->depth += inner.heights - level->heights;
    terrain__drainage_put(call, &inner, ground);
}

/* Task: makes and writes every job->tasks-th tile. */
static void drainage_tiles(terrain__call *call, uint32_t index)
{
    const struct drainage_job *job = call->job;
    const struct drainage_level *coarse = job->own < DRAINAGE_TOP ? &job->coarse : NULL;
    struct drainage_pyramid pyramid;
    struct drainage_level level;
    struct drainage_ground ground;
    for (uint64_t tile = index; tile < job->tiles; tile += job->tasks) {
        const struct drainage_level wanted = drainage_tile(call, job, tile, &pyramid);
        pyramid.memory = job->memory + index * (job->floats + job->banks);
        (void)terrain__drainage_pyramid_make(&pyramid, NULL, coarse, &level, &ground);
        job->put(call, &level, &wanted, &ground, pyramid.memory);
    }
}

/* Task: writes the only tile, which has been made. */
static void drainage_put_only(terrain__call *call, uint32_t index)
{
    struct drainage_job *job = call->job;
    (void)index;
    job->put(call, &job->made, &job->wanted, &job->ground, job->memory);
}

uint32_t terrain__drainage_tile_passes(const terrain__call *call)
{
    const struct drainage_job *job = call->job;
    struct drainage_pyramid pyramid;
    if (job->tiles > 1) {
        const uint64_t counted = job->tiles < DRAINAGE_COUNTED ? job->tiles : DRAINAGE_COUNTED;
        return DRAINAGE_TILE_PASSES * (uint32_t)counted;
    }
    drainage_tile(call, job, 0, &pyramid);
    return terrain__drainage_pyramid_passes(&pyramid) + 1;
}

/* Threads share out the tiles or, where there is one tile only, the work at each of its levels. */
terrain_status terrain__drainage_run_tiles(terrain__call *call, terrain__drainage_put_made *put)
{
    struct drainage_job *job = call->job;
    struct drainage_pyramid pyramid;
    job->put = put;
    if (job->tiles > 1) {
        return terrain__commit(call, job->tasks, drainage_tiles);
    }
    job->wanted = drainage_tile(call, job, 0, &pyramid);
    pyramid.memory = job->memory;
    terrain_status status = terrain__drainage_pyramid_make(
        &pyramid, call, job->own < DRAINAGE_TOP ? &job->coarse : NULL, &job->made, &job->ground);
    return status == TERRAIN_SUCCESS ? terrain__commit(call, 1, drainage_put_only) : status;
}

terrain_status terrain__drainage_run_finest_tiles(terrain__call *call)
{
    return terrain__drainage_run_tiles(call, drainage_put_tile);
}

terrain_status terrain__drainage_run(terrain__call *call)
{
    struct drainage_job *job = call->job;
    struct drainage_ground ground;
    terrain__drainage_take_maps(call);
    terrain_status status =
        terrain__drainage_pyramid_make(&job->shared, call, NULL, &job->coarse, &ground);
    return status == TERRAIN_SUCCESS ? terrain__drainage_run_finest_tiles(call) : status;
}
