/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* generate_drainage: an endless land whose rivers all reach the sea.
 *
 *     field of control, uplift, rock      drainage_world.c, drainage_fields_kernels.c
 *     level 9, cells of 512: sea, first rivers
 *     level 8 to 0, for each:             drainage_pyramid.c, drainage_sweep.c
 *         refine: cells become 2 by 2     drainage_refine.c, drainage_refine_kernels.c
 *         relax, flood, smooth            drainage_relax_kernels.c
 *         receivers, areas                drainage_flow_kernels.c
 *
 * The formulas, and why there are no pits, are in docs/drainage.md; slopes follow Flint (1974), the
 * relaxation is an upwind solver as that of Rouy and Tourin (1992).
 *
 * A call makes levels 9 to 4 once for the whole map, and levels 3 to 0 tile by tile: a tile's
 * planes fit the cache, and tiles are what threads share out. Every level is made with margins, of
 * which nothing is kept, so that tiles need nothing of each other. */

#include <string.h>

#include "base/math.h"
#include "core/operation.h"
#include "generate/drainage_call.h"
#include "generate/drainage_sweep.h"
#include "rows/rows.h"

enum {
    DRAINAGE_TILE = 512, /* cells on each side, that one task makes at once */
    DRAINAGE_TASKS = 16,
    DRAINAGE_SHARED = 4 /* from this level on, all tiles of a call share levels */
};

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
    TERRAIN__FLOAT(drainage_params, concavity, "", 0.4, 0.1, 1,
                   "m: how much gentler rivers are than brooks."),
    TERRAIN__FLOAT(drainage_params, talus, "rise over run", 1.1, 0.05, 8,
                   "The steepest slope of rock of mean hardness."),
    TERRAIN__FLOAT(drainage_params, channel_area, "cells", 5, 0, 4096,
                   "Where fewer cells drain through a cell, slopes are straight.",
                   .scaling = TERRAIN_SCALING_FIXED),
    TERRAIN__FLOAT(drainage_params, crest_area, "cells", 5, 1, 4096,
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
    TERRAIN__FLOAT(drainage_params, river_depth, "cells", 0.03, 0, 16,
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

/* ---- The plan -------------------------------------------------------------------------------- */

/* 2^result cells. */
static uint32_t drainage_log(uint32_t cells)
{
    uint32_t log = 0;
    while (cells >> log > 1) {
        log++;
    }
    return log;
}

static uint64_t drainage_stream(const drainage_params *p, uint32_t draw)
{
    return terrain__random_stream(p->seed, TERRAIN__KEY_generate_drainage, draw);
}

static void drainage_set_noise(struct drainage_noise *noise, const drainage_params *p,
                               uint32_t number)
{
    uint32_t draw = TERRAIN__DRAW_DRAINAGE_NOISE + number * DRAINAGE_OCTAVES;
    double whole = 0, share = 1;
    for (uint32_t k = 0; k < noise->octaves; k++) {
        whole += share;
        share *= (double)noise->gain;
    }
    share = (double)noise->amplitude / whole;
    for (uint32_t k = 0; k < noise->octaves; k++) {
        uint64_t stream = drainage_stream(p, draw + k);
        uint64_t keys = terrain__mix(stream, 2);
        noise->octave[k].x = terrain__mix(stream, 0);
        noise->octave[k].y = terrain__mix(stream, 1);
        noise->octave[k].key_x = (uint32_t)keys;
        noise->octave[k].key_y = (uint32_t)(keys >> 32);
        noise->octave[k].amplitude = (float)share;
        share *= (double)noise->gain;
    }
}

static void drainage_set_noises(struct drainage_plan *plan, const drainage_params *p)
{
    uint32_t land = drainage_log(p->period), plates = drainage_log(p->plate_spacing);
    float folds = p->fold_height != 0 ? 1 : 0;
    const struct drainage_noise noises[DRAINAGE_NOISES] = {
        /* row, octaves, period, turn, gain, amplitude */
        {DRAINAGE_CONTROL, land - 1, land, 0, 0.68F, 0.28F, {{0}}},
        {DRAINAGE_CONTROL, land, land + 1, 1, 0.68F, 0.28F, {{0}}},
        {DRAINAGE_UPLIFT, 4, 10, 0, 0.5F, 1, {{0}}},
        {DRAINAGE_HARDNESS, 3, 8, 1, 0.5F, 1, {{0}}},
        {DRAINAGE_DIP, 4, 10, 2, 0.5F, p->dip != 0 ? 1.0F : 0.0F, {{0}}},
        {DRAINAGE_PHASE, 2, 10, 3, 0.5F, folds, {{0}}},
        {DRAINAGE_ALONG, 2, 11, 0, 0.5F, folds, {{0}}},
        {DRAINAGE_WARP_X, 4, plates - 1, 1, 0.5F, 0.25F, {{0}}},
        {DRAINAGE_WARP_Y, 4, plates - 1, 2, 0.5F, 0.25F, {{0}}},
    };
    for (uint32_t k = 0; k < DRAINAGE_NOISES; k++) {
        plan->noises[k] = noises[k];
        drainage_set_noise(&plan->noises[k], p, k);
    }
}

static void drainage_set_world(struct drainage_plan *plan, const drainage_params *p)
{
    uint64_t folds = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_FOLD);
    drainage_set_noises(plan, p);
    plan->plate_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_PLATE);
    plan->node_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_NODE);
    plan->detour_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_DETOUR);
    plan->rock_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_ROCK);
    plan->lake_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_LAKE);
    plan->seat_stream = drainage_stream(p, TERRAIN__DRAW_DRAINAGE_SEAT);
    plan->plate_period = drainage_log(p->plate_spacing);
    plan->plate_sharpness = p->belt_sharpness;
    plan->world = (struct drainage_world){
        .base_level = p->base_level,
        .plate_base = 0.15F,
        .plate_belt = 0.2F,
        .rolling = p->hills,
        .belts = p->ranges,
        .least_uplift = p->plains,
        .inverse_erodibility = 1 / p->erodibility,
        .coast = p->coast,
        .hardness = 2.885F * p->hardness_contrast,
        .dip = p->dip,
        .dip_control = p->plateau_rise,
        .fold = p->fold_height,
        .fold_frequency = p->fold_frequency,
        .fold_key_x = (uint32_t)folds,
        .fold_key_y = (uint32_t)(folds >> 32),
    };
}

static void drainage_set_steps(struct drainage_steps *steps, const drainage_params *p)
{
    for (uint32_t k = 0; k <= DRAINAGE_TOP; k++) {
        steps[k] = (struct drainage_steps){
            .relax = 6,
            .flood = k >= 1 && k <= 4 && p->valley_width > 0 ? 4 : 0,
            .settle = 4,
            .capture = k >= 2,
            .areas = k == 1 ? 10 : 16,
            .smooth = k == 0 && p->smoothing > 0 ? 1 : 0,
            .pin = k < 5 ? 8 : 3,
        };
    }
}

static void drainage_set_plan(struct drainage_plan *plan, const drainage_params *p, uint32_t isa)
{
    drainage_set_world(plan, p);
    plan->law = (struct drainage_law){
        .concavity = p->concavity,
        .log2_talus = (float)(terrain__log((double)p->talus) / terrain__log(2)),
        .channel_area = p->channel_area,
        .inverse_crest = 1 / p->crest_area,
        .strata = p->strata_contrast,
        .inverse_thickness = 1 / p->strata_thickness,
        .inverse_strata_area = 1 / p->strata_area,
        .plateau = p->ceiling != NULL ? p->clearance : p->plateau,
        .plateau_rise = p->ceiling != NULL ? -(p->clearance + p->incision) : 0,
        .plateau_slope = p->ceiling != NULL || p->plateau > 0 ? 0.03F : 1.0F,
    };
    plan->talus = p->talus;
    plan->pin_area = 4 * p->channel_area;
    for (uint32_t k = 0; k <= DRAINAGE_TOP; k++) {
        /* Paths get longer from level to level. */
        plan->least_slope[k] = k == 0 ? 0.0008F : 1.12F * plan->least_slope[k - 1];
    }
    plan->river_width = p->valley_width;
    plan->river_area = 2000;
    plan->river_depth = p->river_depth;
    plan->flood_slope = 0.03F;
    plan->up = p->smoothing * 1.6F;
    plan->down = p->smoothing;
    plan->sea_depth = p->sea_depth;
    plan->lake_level = 300;
    plan->lake_depth = p->lake_depth;
    plan->lake_rise = 0.8F * p->lake_depth;
    drainage_set_steps(plan->steps, p);
    plan->fields = terrain__drainage_fields_kernels(isa);
    plan->relax = terrain__drainage_relax_kernels(isa);
    plan->flow = terrain__drainage_flow_kernels(isa);
    plan->refine = terrain__drainage_refine_kernels(isa);
}

/* ---- The call -------------------------------------------------------------------------------- */

const char *terrain__drainage_check(const drainage_params *p)
{
    if ((p->period & (p->period - 1)) != 0) {
        return "period must be a power of two";
    }
    if ((p->map_spacing & (p->map_spacing - 1)) != 0) {
        return "map_spacing must be a power of two";
    }
    return (p->plate_spacing & (p->plate_spacing - 1)) != 0 ? "plate_spacing must be a power of two"
                                                            : NULL;
}

static const char *drainage_check(const void *params)
{
    return terrain__drainage_check(params);
}

const char *terrain__drainage_scale(uint32_t *level, uint32_t before, double scale)
{
    *level = before;
    for (; scale < 1 && *level < DRAINAGE_TOP - 1; scale *= 2) {
        ++*level;
    }
    for (; scale > 1 && *level > 0; scale /= 2) {
        --*level;
    }
    return scale == 1 ? NULL : "there is no level: 1, 1/2, 1/4 and so on have, down to 1/256";
}

static const char *drainage_scale(void *params, const void *before, double scale)
{
    return terrain__drainage_scale(&((drainage_params *)params)->level,
                                   ((const drainage_params *)before)->level, scale);
}

/* A window and `rim` cells around it. */
static struct drainage_level drainage_around(const struct drainage_level *wanted, uint32_t rim)
{
    struct drainage_level around = *wanted;
    around.x -= rim;
    around.y -= rim;
    around.width += 2 * rim;
    around.height += 2 * rim;
    return around;
}

/* Places a tile, of which is wanted what is returned. */
static struct drainage_level drainage_tile(const terrain__call *call,
                                           const struct drainage_job *job, uint32_t tile,
                                           struct drainage_pyramid *pyramid)
{
    uint32_t x = tile % job->columns * DRAINAGE_TILE, y = tile / job->columns * DRAINAGE_TILE;
    uint32_t width = call->target.width - x, height = call->target.height - y;
    struct drainage_level wanted = {
        .x = call->x + x,
        .y = call->y + y,
        .width = width < DRAINAGE_TILE ? width : DRAINAGE_TILE,
        .height = height < DRAINAGE_TILE ? height : DRAINAGE_TILE,
    };
    const struct drainage_level around = drainage_around(&wanted, job->rim);
    terrain__drainage_pyramid_place(pyramid, &job->plan, job->own, job->level, &around);
    return wanted;
}

/* What levels `top` to `bottom` see of a coarse map: the points around their samples, and one more
 * on each side for the spline. */
static void drainage_see(const drainage_params *p, const struct drainage_pyramid *pyramid,
                         terrain__box *in)
{
    const int64_t cell = INT64_C(1) << p->level, spacing = p->map_spacing * cell;
    terrain__box seen = {INT64_MAX, INT64_MAX, INT64_MIN, INT64_MIN};
    terrain__drainage_pyramid_reach(pyramid, &seen);
    in->x0 = terrain__drainage_floor(seen.x0, spacing) - 1;
    in->y0 = terrain__drainage_floor(seen.y0, spacing) - 1;
    in->x1 = terrain__drainage_floor(seen.x1, spacing) + 3;
    in->y1 = terrain__drainage_floor(seen.y1, spacing) + 3;
}

/* The levels `top` to `bottom` for a box of the finest, and `rim` cells around it. */
static void drainage_want(const drainage_params *p, uint32_t top, uint32_t bottom,
                          const terrain__box *out, uint32_t rim, struct drainage_pyramid *pyramid)
{
    struct drainage_steps steps[DRAINAGE_TOP + 1];
    const struct drainage_level wanted = {.x = out->x0,
                                          .y = out->y0,
                                          .width = (uint32_t)(out->x1 - out->x0),
                                          .height = (uint32_t)(out->y1 - out->y0)};
    const struct drainage_level around = drainage_around(&wanted, rim);
    drainage_set_steps(steps, p);
    terrain__drainage_pyramid_want(pyramid, steps, top, bottom, &around);
}

void terrain__drainage_see(const drainage_params *p, const terrain__box *out, terrain__box *in)
{
    struct drainage_pyramid pyramid;
    drainage_want(p, DRAINAGE_TOP, p->level, out, DRAINAGE_BANK, &pyramid);
    drainage_see(p, &pyramid, in);
}

static void drainage_window(const void *params, uint32_t port, const terrain__box *out,
                            terrain__box *in)
{
    (void)port;
    terrain__drainage_see(params, out, in);
}

/* First of all in prepare. */
static const drainage_params *drainage_take_params(terrain__call *call)
{
    struct drainage_job *job = call->job;
    const bool carve = call->operation->key == TERRAIN__KEY_erode_drainage;
    job->params =
        carve ? terrain__drainage_of(call->params) : *(const drainage_params *)call->params;
    return &job->params;
}

/* A cell of level 0, in units of height, where cells of a level are the map's. */
static float drainage_unit(const terrain__call *call, uint32_t level)
{
    float unit = call->cell_size;
    for (uint32_t k = 0; k < level; k++) {
        unit *= 0.5F;
    }
    return unit;
}

/* Memory for the tiles of the call, for which levels `own` to `level` are made. */
static void drainage_prepare_tiles(terrain__call *call, uint32_t own, uint32_t level)
{
    struct drainage_job *job = call->job;
    struct drainage_pyramid pyramid;
    uint32_t columns = (call->target.width + DRAINAGE_TILE - 1) / DRAINAGE_TILE;
    uint32_t rows = (call->target.height + DRAINAGE_TILE - 1) / DRAINAGE_TILE;
    drainage_set_plan(&job->plan, &job->params, call->isa);
    job->own = own;
    job->carve = call->operation->arguments[0].role == TERRAIN_PORT_ROLE_CHANGE;
    job->level = level;
    job->unit = drainage_unit(call, level);
    job->columns = columns;
    job->tiles = columns * rows;
    if (job->params.river_distance != NULL) {
        job->rim = DRAINAGE_BANK;
        job->banks = (DRAINAGE_TILE + 2 * DRAINAGE_BANK) * (DRAINAGE_TILE + 1) / 4;
    }
    job->tasks = job->tiles < DRAINAGE_TASKS ? job->tiles : DRAINAGE_TASKS;
    for (uint32_t k = 0; k < job->tiles; k++) {
        drainage_tile(call, job, k, &pyramid);
        job->floats = pyramid.floats > job->floats ? pyramid.floats : job->floats;
    }
    job->memory = terrain__scratch(call, (job->floats + job->banks) * job->tasks, sizeof(float));
    terrain__commit_cost(call, 80);
}

static terrain_status drainage_check_place(terrain__call *call)
{
    const int64_t limit = TERRAIN_WORLD_LIMIT >> drainage_take_params(call)->level;
    if (call->x < -limit || call->y < -limit || call->x + (int64_t)call->target.width > limit ||
        call->y + (int64_t)call->target.height > limit) {
        return terrain__fail(call, TERRAIN_ERROR_RANGE,
                             "at this level the map must lie within 2^62 / 2^level of the origin");
    }
    return TERRAIN_SUCCESS;
}

terrain_status terrain__drainage_prepare(terrain__call *call)
{
    struct drainage_job *job = call->job;
    struct drainage_pyramid pyramid;
    terrain_status status = drainage_check_place(call);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    const uint32_t level = job->params.level;
    const uint32_t own = level < DRAINAGE_SHARED ? DRAINAGE_SHARED - 1 : level;
    drainage_prepare_tiles(call, own, level);
    /* What the shared levels must cover: what the finer ones want for the whole map. */
    struct drainage_level whole = {
        .x = call->x, .y = call->y, .width = call->target.width, .height = call->target.height};
    whole = drainage_around(&whole, job->rim);
    terrain__drainage_pyramid_want(&pyramid, job->plan.steps, own, level, &whole);
    terrain__drainage_pyramid_place(&job->shared, &job->plan, DRAINAGE_TOP, own + 1,
                                    &pyramid.wanted[own + 1]);
    job->shared.memory = terrain__scratch(call, job->shared.floats, sizeof(float));
    terrain__expect_passes(call, 2);
    return TERRAIN_SUCCESS;
}

static void drainage_coarse_levels(terrain__call *call, uint32_t index)
{
    struct drainage_job *job = call->job;
    struct drainage_ground ground;
    (void)index;
    terrain__drainage_pyramid_make(&job->shared, NULL, &job->coarse, &ground);
}

/* Rivers are as deep as the 0.4th power of discharge says. */
static void drainage_bed_row(const struct drainage_job *job, const struct drainage_level *level,
                             struct drainage_ground *ground, float *bed, uint32_t y)
{
    size_t row = y * level->stride;
    const uint8_t *receiver = level->receiver + row;
    const float *heights = level->heights + row;
    job->plan.relax->bed(bed, heights, level->discharge + row, job->plan.river_depth,
                         job->plan.river_area, level->width);
    uint8_t traits = 0;
    for (uint32_t i = 0; i < level->width; i++) {
        traits |= level->traits[row + i];
    }
    for (uint32_t i = 0; i < level->width && (traits & DRAINAGE_POOL) != 0; i++) {
        if ((level->traits[row + i] & DRAINAGE_POOL) != 0) {
            bed[i] = heights[i] - ground->depth[row + i];
        }
    }
    if (memchr(receiver, DRAINAGE_OUTLET, level->width) != NULL) {
        float *control = ground->rows.control;
        struct drainage_lake shape = {.column = INT64_MIN};
        terrain__drainage_lattice_bed(&ground->lattice, control, level->x, level->y + y,
                                      level->width, ground->work);
        for (uint32_t i = 0; i < level->width; i++) {
            float c = control[i] < -0.001F ? -control[i] : 0.001F;
            float depth = c * c / (c + 0.02F);
            if ((level->traits[row + i] & DRAINAGE_LAKE) != 0) {
                c = terrain__drainage_lake_at(&shape, &job->plan, level->x + i, level->y + y,
                                              level->level);
                depth = c < 0 ? -c : 0.002F;
            }
            if (receiver[i] == DRAINAGE_OUTLET) {
                bed[i] = heights[i] - depth * job->plan.sea_depth;
            }
        }
    }
}

/* A row of a result in units of height; of erode_drainage, no higher than the map. The comparison
 * is false for NaN, which therefore stays. */
static void drainage_put_row(float *to, const float *land, float unit, const float *map,
                             uint32_t width)
{
    for (uint32_t i = 0; i < width; i++) {
        float height = land[i] * unit;
        to[i] = map == NULL || height < map[i] ? height : map[i];
    }
}

static void drainage_put(const terrain__call *call, const struct drainage_level *level,
                         struct drainage_ground *ground)
{
    const struct drainage_job *job = call->job;
    uint32_t x = (uint32_t)(level->x - call->x), y = (uint32_t)(level->y - call->y);
    terrain__plane discharge = terrain__output(call, offsetof(drainage_params, discharge));
    terrain__plane receiver = terrain__output(call, offsetof(drainage_params, receiver));
    terrain__plane water = terrain__output(call, offsetof(drainage_params, water));
    for (uint32_t j = 0; j < level->height; j++) {
        size_t from = j * level->stride;
        const float *map = job->carve ? terrain__map_row(call, y + j) + x : NULL;
        float bed[DRAINAGE_TILE];
        drainage_bed_row(job, level, ground, bed, j);
        if (water.cells != NULL) {
            drainage_put_row(water.cells + (y + j) * water.stride + x, level->heights + from,
                             job->unit, map, level->width);
        }
        drainage_put_row(call->target.cells + (y + j) * call->target.stride + x, bed, job->unit,
                         map, level->width);
        if (discharge.cells != NULL) {
            memcpy(discharge.cells + (y + j) * discharge.stride + x, level->discharge + from,
                   level->width * sizeof(float));
        }
        for (uint32_t i = 0; i < level->width && receiver.cells != NULL; i++) {
            uint8_t r = level->receiver[from + i];
            receiver.cells[(y + j) * receiver.stride + x + i] =
                r == DRAINAGE_OUTLET ? -1.0F : (float)(int32_t)r;
        }
    }
}

/* Distance to the next river, in two steps: along columns, then of each row the least of
 *
 *     dx^2 + distance along the column dx cells away ^2,    |dx| <= 64.
 *
 * level: the tile and DRAINAGE_BANK cells around it. columns: work. */
static void drainage_put_distance(const terrain__call *call, const struct drainage_level *level,
                                  uint8_t *columns)
{
    enum { FAR = DRAINAGE_BANK + 1 };
    const struct drainage_job *job = call->job;
    const terrain__plane plane = terrain__output(call, offsetof(drainage_params, river_distance));
    const uint32_t width = level->width - 2 * DRAINAGE_BANK;
    const uint32_t height = level->height - 2 * DRAINAGE_BANK;
    uint8_t *run = columns + (size_t)level->width * height;
    for (uint32_t pass = 0; pass < 2; pass++) {
        memset(run, FAR, level->width);
        for (uint32_t k = 0; k < level->height; k++) {
            uint32_t y = pass == 0 ? k : level->height - 1 - k;
            const uint8_t *receiver = level->receiver + y * level->stride;
            const uint8_t *traits = level->traits + y * level->stride;
            const float *discharge = level->discharge + y * level->stride;
            for (uint32_t x = 0; x < level->width; x++) {
                bool river =
                    (discharge[x] > job->plan.river_area) & (receiver[x] < DRAINAGE_OUTLET);
                bool pool = (traits[x] & DRAINAGE_POOL) != 0;
                uint8_t next = (uint8_t)(run[x] + (run[x] < FAR));
                run[x] = (river | pool) ? 0 : next;
            }
            if (y >= DRAINAGE_BANK && y < DRAINAGE_BANK + height) {
                uint8_t *to = columns + (size_t)(y - DRAINAGE_BANK) * level->width;
                for (uint32_t x = 0; x < level->width; x++) {
                    to[x] = pass == 0 || run[x] < to[x] ? run[x] : to[x];
                }
            }
        }
    }
    for (uint32_t y = 0; y < height; y++) {
        const uint8_t *row = columns + (size_t)y * level->width;
        float *to = plane.cells + (size_t)(level->y + DRAINAGE_BANK + y - call->y) * plane.stride +
                    (size_t)(level->x + DRAINAGE_BANK - call->x);
        int32_t nearest[DRAINAGE_TILE];
        for (uint32_t x = 0; x < width; x++) {
            nearest[x] = DRAINAGE_BANK * DRAINAGE_BANK;
        }
        for (int32_t dx = -DRAINAGE_BANK; dx <= DRAINAGE_BANK; dx++) {
            const uint8_t *column = row + DRAINAGE_BANK + dx;
            for (uint32_t x = 0; x < width; x++) {
                int32_t square = dx * dx + column[x] * column[x];
                nearest[x] = square < nearest[x] ? square : nearest[x];
            }
        }
        for (uint32_t x = 0; x < width; x++) {
            to[x] = terrain__sqrtf((float)nearest[x]) * call->cell_size;
        }
    }
}

static void drainage_tiles(terrain__call *call, uint32_t index)
{
    const struct drainage_job *job = call->job;
    struct drainage_pyramid pyramid;
    struct drainage_level level;
    struct drainage_ground ground;
    for (uint32_t tile = index; tile < job->tiles; tile += job->tasks) {
        const struct drainage_level wanted = drainage_tile(call, job, tile, &pyramid);
        pyramid.memory = job->memory + index * (job->floats + job->banks);
        terrain__drainage_pyramid_make(&pyramid, &job->coarse, &level, &ground);
        if (job->plan.lake_depth > 0 && job->level < DRAINAGE_SEAT_LEVEL) {
            terrain__drainage_fill_lakes(&level, &job->plan, ground.depth);
        }
        if (job->rim > 0) {
            drainage_put_distance(call, &level, (uint8_t *)(pyramid.memory + job->floats));
        }
        const struct drainage_level inner = terrain__drainage_part(&level, &wanted);
        ground.depth += inner.heights - level.heights;
        drainage_put(call, &inner, &ground);
    }
}

/* Coarse maps that were given take the place of noise. */
static void drainage_take_maps(const terrain__call *call)
{
    struct drainage_job *job = call->job;
    struct drainage_plan *plan = &job->plan;
    plan->control = terrain__coarse_input(call, offsetof(drainage_params, control));
    plan->uplift = terrain__coarse_input(call, offsetof(drainage_params, uplift));
    plan->hardness = terrain__coarse_input(call, offsetof(drainage_params, hardness));
    plan->rain = terrain__coarse_input(call, offsetof(drainage_params, rain));
    plan->ceiling = terrain__coarse_input(call, offsetof(drainage_params, ceiling));
    const uint32_t level = job->params.level;
    plan->control.spacing <<= level; /* the levels count cells of level 0 */
    plan->uplift.spacing <<= level;
    plan->hardness.spacing <<= level;
    plan->rain.spacing <<= level;
    plan->ceiling.spacing <<= level;
    plan->ceiling_scale = 1 / drainage_unit(call, level);
    plan->control_scale = 1;
    plan->coast = plan->control.view.cells == NULL && plan->ceiling.view.cells != NULL;
    if (plan->coast) {
        plan->control = plan->ceiling;
        plan->control_scale = plan->ceiling_scale / plan->lake_level;
    }
    if (plan->control.view.cells != NULL) {
        plan->world.plate_base = 0;
        plan->world.plate_belt = 0;
    }
}

terrain_status terrain__drainage_run(terrain__call *call)
{
    struct drainage_job *job = call->job;
    drainage_take_maps(call);
    terrain_status status = terrain__run(call, 1, drainage_coarse_levels);
    return status != TERRAIN_SUCCESS ? status : terrain__commit(call, job->tasks, drainage_tiles);
}

/* ---- Levels that a world keeps --------------------------------------------------------------- */

static const terrain_parameter drainage_level_parameters[] = {
    TERRAIN__SEED(drainage_params),
    TERRAIN__MAP_OUT(drainage_params, discharge, ""),
    TERRAIN__MAP_OUT(drainage_params, receiver, ""),
    TERRAIN__MAP_OUT(drainage_params, water, ""),
    TERRAIN__MAP_OUT(drainage_params, river_distance, ""),
    TERRAIN__COARSE_MAP_IN(drainage_params, control, map_spacing, ""),
    TERRAIN__COARSE_MAP_IN(drainage_params, uplift, map_spacing, ""),
    TERRAIN__COARSE_MAP_IN(drainage_params, hardness, map_spacing, ""),
    TERRAIN__COARSE_MAP_IN(drainage_params, rain, map_spacing, ""),
    TERRAIN__COARSE_MAP_IN(drainage_params, ceiling, map_spacing, ""),
    TERRAIN__UINT32(drainage_params, map_spacing, "cells", 256, 8, 1u << 20, "",
                    .scaling = TERRAIN_SCALING_SPACING),
    DRAINAGE_LEVEL_MAPS,
};

enum { DRAINAGE_FIRST_LEVEL_PORT = 10 }; /* coarse_heights */

void terrain__drainage_see_level(const drainage_params *p, uint32_t made, bool own, uint32_t rim,
                                 const terrain__box *out, terrain__box *in)
{
    struct drainage_pyramid pyramid;
    drainage_want(p, made, made, out, rim, &pyramid);
    if (own) {
        drainage_see(p, &pyramid, in);
    } else {
        const struct drainage_level *coarse = &pyramid.wanted[made + 1];
        *in = (terrain__box){coarse->x, coarse->y, coarse->x + coarse->width,
                             coarse->y + coarse->height};
    }
}

static void drainage_level_window(const void *params, uint32_t port, const terrain__box *out,
                                  terrain__box *in)
{
    const uint32_t made = ((const drainage_level_params *)params)->made;
    terrain__drainage_see_level(params, made, port < DRAINAGE_FIRST_LEVEL_PORT, 0, out, in);
}

/* As if river_distance were wanted. */
static void drainage_finest_window(const void *params, uint32_t port, const terrain__box *out,
                                   terrain__box *in)
{
    const uint32_t made = ((const drainage_level_params *)params)->made;
    terrain__drainage_see_level(params, made, port < DRAINAGE_FIRST_LEVEL_PORT, DRAINAGE_BANK, out,
                                in);
}

/* The coarser level has a copy of its own: kernels read a little over its edges. */
static void drainage_prepare_coarse(terrain__call *call, uint32_t rim,
                                    struct drainage_level *coarse)
{
    const drainage_level_params *p = call->params;
    const terrain__box out = {call->x, call->y, call->x + (int64_t)call->target.width,
                              call->y + (int64_t)call->target.height};
    struct drainage_pyramid pyramid;
    size_t cells;
    drainage_want(&((const struct drainage_job *)call->job)->params, p->made, p->made, &out, rim,
                  &pyramid);
    *coarse = pyramid.wanted[p->made + 1];
    coarse->stride = coarse->width;
    cells = coarse->stride * coarse->height + 2 * DRAINAGE_MARGIN;
    coarse->heights = terrain__scratch(call, cells, sizeof(float));
    coarse->discharge = terrain__scratch(call, cells, sizeof(float));
    coarse->receiver = terrain__scratch(call, cells, 1);
    coarse->traits = terrain__scratch(call, cells, 1);
    if (coarse->traits != NULL && coarse->receiver != NULL && coarse->discharge != NULL &&
        coarse->heights != NULL) {
        coarse->heights += DRAINAGE_MARGIN;
        coarse->discharge += DRAINAGE_MARGIN;
        coarse->receiver += DRAINAGE_MARGIN;
        coarse->traits += DRAINAGE_MARGIN;
    }
}

terrain_status terrain__drainage_prepare_level(terrain__call *call)
{
    const drainage_level_params *p = call->params;
    struct drainage_job *job = call->job;
    (void)drainage_take_params(call);
    drainage_prepare_tiles(call, p->made, p->made);
    if (p->made < DRAINAGE_TOP) {
        drainage_prepare_coarse(call, job->rim, &job->coarse);
    }
    terrain__expect_passes(call, p->made < DRAINAGE_TOP ? 2 : 1);
    return TERRAIN_SUCCESS;
}

terrain_status terrain__drainage_prepare_finest(terrain__call *call)
{
    terrain_status status = drainage_check_place(call);
    return status == TERRAIN_SUCCESS ? terrain__drainage_prepare_level(call) : status;
}

static void drainage_take_row(const terrain__coarse *map, const struct drainage_level *level,
                              uint32_t y, const float **row)
{
    *row = map->view.cells + (size_t)(level->y + y - map->y) * map->view.stride +
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
        const float *row;
        drainage_take_row(&heights, to, y, &row);
        memcpy(to->heights + at, row, to->width * sizeof(float));
        drainage_take_row(&discharge, to, y, &row);
        memcpy(to->discharge + at, row, to->width * sizeof(float));
        drainage_take_row(&ways, to, y, &row);
        for (uint32_t x = 0; x < to->width; x++) {
            const uint32_t way = (uint32_t)(int32_t)row[x];
            to->receiver[at + x] = (uint8_t)(way & 15);
            to->traits[at + x] = (uint8_t)(way >> 4);
        }
    }
}

static void drainage_put_level(const terrain__call *call, const struct drainage_level *level)
{
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

static void drainage_level_tiles(terrain__call *call, uint32_t index)
{
    const struct drainage_job *job = call->job;
    struct drainage_pyramid pyramid;
    struct drainage_level level;
    struct drainage_ground ground;
    for (uint32_t tile = index; tile < job->tiles; tile += job->tasks) {
        drainage_tile(call, job, tile, &pyramid);
        pyramid.memory = job->memory + index * (job->floats + job->banks);
        terrain__drainage_pyramid_make(&pyramid, job->own < DRAINAGE_TOP ? &job->coarse : NULL,
                                       &level, &ground);
        drainage_put_level(call, &level);
    }
}

terrain_status terrain__drainage_run_level(terrain__call *call)
{
    struct drainage_job *job = call->job;
    terrain_status status = TERRAIN_SUCCESS;
    drainage_take_maps(call);
    if (job->own < DRAINAGE_TOP) {
        status = terrain__run(call, 1, drainage_take_coarse);
    }
    return status == TERRAIN_SUCCESS ? terrain__commit(call, job->tasks, drainage_level_tiles)
                                     : status;
}

terrain_status terrain__drainage_run_finest(terrain__call *call)
{
    struct drainage_job *job = call->job;
    drainage_take_maps(call);
    terrain_status status = terrain__run(call, 1, drainage_take_coarse);
    return status == TERRAIN_SUCCESS ? terrain__commit(call, job->tasks, drainage_tiles) : status;
}

static uint32_t drainage_level_count(const void *params)
{
    return DRAINAGE_TOP - ((const drainage_params *)params)->level;
}

void terrain__drainage_choose_level(void *params, uint32_t index)
{
    ((drainage_level_params *)params)->made = DRAINAGE_TOP - index;
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

terrain_status terrain_generate_drainage_params_init(terrain_generate_drainage_params *params,
                                                     size_t size)
{
    return terrain_operation_params_init(&terrain__generate_drainage, params, size);
}

terrain_status terrain_generate_drainage(terrain_context *context, terrain_heightmap *map,
                                         const terrain_generate_drainage_params *params)
{
    return terrain__apply(context, &terrain__generate_drainage, TERRAIN__MAPS({.written = map}),
                          params);
}
