/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A statement of a world whose operation needs a bounded map: it is run on regions, each as a map
 * of its own, and the regions are combined by their minimum.
 *
 *     +-------+-------+-------+        Region (i, j) covers the cells from (i C, j C) to before
 *     |       |       |       |        ((i + 2) C, (j + 2) C); every cell lies in four of them.
 *     |   +---+---+   |       |
 *     |   | core  |   |       |        The cores, of C by C cells around the middles, tile the
 *     +---+   |   +---+-------+        world.
 *     |   |   |   |   |       |
 *     |   +---+---+   |       |
 *     |       |       |       |
 *     +-------+-------+-------+
 *
 * With h_r what the operation makes of region r,
 *
 *     h(x) = min over r of h_r(x) + ramp(x, r),    ramp = 0 in the core, c g / (1 - g) beyond,
 *
 * g being how far x is from the core to the region's rim, 0 to 1. The outermost cells don't count.
 * A mean would make hollows where there are none; a minimum of maps without hollows has none. What
 * an operation makes beside its map is that of the region whose core holds the cell. Regions lie
 * where the world says, so tiles fit to the last bit. */

#include <string.h>

#include "core/context.h"
#include "recipe/plan.h"

/* A map of the statement, by its links. */
struct regions_map {
    const terrain_port *port;
    terrain_heightmap *whole; /* covers the statement's work; NULL: none */
    terrain_heightmap part;   /* the region's */
    terrain_heightmap made; /* what is written, of the cells that are needed; no data: it is read */
};

struct regions_run {
    terrain__recipe_plan *plan;
    const terrain_operation *operation;
    const terrain__checked *params;
    terrain__box needed;
    struct regions_map maps[TERRAIN__MOST_PORTS];
    uint32_t count;
};

static int64_t regions_floor(int64_t value, int64_t by)
{
    return value >= 0 ? value / by : -1 - (-1 - value) / by;
}

/* The first region of each direction that holds a cell of the box, and the one after the last. */
static terrain__box regions_of(const terrain__box *box, int64_t core)
{
    const terrain__box regions = {
        regions_floor(box->x0, core) - 1, regions_floor(box->y0, core) - 1,
        regions_floor(box->x1 - 1, core) + 1, regions_floor(box->y1 - 1, core) + 1};
    return regions;
}

void terrain__recipe_regions_box(const terrain_operation *operation, const terrain__box *out,
                                 terrain__box *in)
{
    const int64_t core = operation->regions->core;
    const terrain__box regions = regions_of(out, core);
    in->x0 = regions.x0 * core;
    in->y0 = regions.y0 * core;
    in->x1 = (regions.x1 + 1) * core;
    in->y1 = (regions.y1 + 1) * core;
}

bool terrain__recipe_has_regions(const terrain__recipe_plan *plan, uint32_t statement)
{
    const terrain_operation *operation = plan->recipe->steps[statement]->statement.operation;
    return plan->world && operation->regions != NULL &&
           terrain__halo(operation, terrain__recipe_plan_params(plan, statement)) ==
               TERRAIN__GLOBAL;
}

/* ---- Maps of a region ------------------------------------------------------------------------ */

static terrain_heightmap regions_shape(const terrain_heightmap *like, const terrain__box *box)
{
    terrain_heightmap map = *like;
    map.x = box->x0;
    map.y = box->y0;
    map.width = (uint32_t)(box->x1 - box->x0);
    map.height = (uint32_t)(box->y1 - box->y0);
    map.stride = map.width;
    map.data = NULL;
    return map;
}

static float *regions_cell(const terrain_heightmap *map, int64_t x, int64_t y)
{
    return map->data + (size_t)(y - map->y) * map->stride + (size_t)(x - map->x);
}

/* Memory for what is written. */
static terrain_status regions_take(struct regions_run *run)
{
    terrain__room *room = terrain__context_room(run->plan->context);
    const int64_t side = 2 * (int64_t)run->operation->regions->core;
    const terrain__box region = {0, 0, side, side};
    for (uint32_t k = 0; k < run->count; k++) {
        struct regions_map *map = &run->maps[k];
        if (map->whole == NULL || map->port->role == TERRAIN_PORT_ROLE_READ) {
            continue;
        }
        map->part = regions_shape(map->whole, &region);
        map->made = regions_shape(map->whole, &run->needed);
        map->part.data = terrain__room_take(room, terrain__recipe_box_size(&region));
        map->made.data = terrain__room_take(room, terrain__recipe_box_size(&run->needed));
        if (map->part.data == NULL || map->made.data == NULL) {
            return TERRAIN_ERROR_MEMORY;
        }
        for (size_t i = 0; i < (size_t)map->made.height * map->made.stride; i++) {
            map->made.data[i] = INFINITY;
        }
    }
    return TERRAIN_SUCCESS;
}

static void regions_give(struct regions_run *run)
{
    terrain__room *room = terrain__context_room(run->plan->context);
    for (uint32_t k = 0; k < run->count; k++) {
        if (run->maps[k].made.data != NULL) {
            terrain__room_give(room, run->maps[k].made.data);
        }
        if (run->maps[k].part.data != NULL && run->maps[k].port->role != TERRAIN_PORT_ROLE_READ) {
            terrain__room_give(room, run->maps[k].part.data);
        }
    }
}

/* The maps for a region that covers the box. What is changed is copied: others read it, too. */
static void regions_cut(struct regions_map *map, const terrain__box *box)
{
    if (map->port->role == TERRAIN_PORT_ROLE_READ) {
        map->part = *map->whole;
        if (map->port->lattice != TERRAIN_PORT_LATTICE_COARSE) {
            map->part.data = regions_cell(map->whole, box->x0, box->y0);
            map->part.x = box->x0;
            map->part.y = box->y0;
            map->part.width = (uint32_t)(box->x1 - box->x0);
            map->part.height = (uint32_t)(box->y1 - box->y0);
        }
        return;
    }
    map->part.x = box->x0;
    map->part.y = box->y0;
    for (int64_t y = box->y0; y < box->y1 && map->port->role == TERRAIN_PORT_ROLE_CHANGE; y++) {
        memcpy(regions_cell(&map->part, box->x0, y), regions_cell(map->whole, box->x0, y),
               map->part.width * sizeof(float));
    }
}

static terrain_status regions_apply(struct regions_run *run, const terrain__box *box)
{
    terrain__argument arguments[TERRAIN__MOST_ARGUMENTS] = {{NULL, NULL}};
    terrain__params params;
    memcpy(params.bytes, run->params, run->operation->params_size);
    for (uint32_t k = 0; k < run->count; k++) {
        struct regions_map *map = &run->maps[k];
        terrain_heightmap *part = &map->part;
        if (map->whole == NULL) {
            continue;
        }
        regions_cut(map, box);
        if (map->port->offset > 0) {
            memcpy(params.bytes + map->port->offset, &part, sizeof part);
        } else if (map->port->role == TERRAIN_PORT_ROLE_READ) {
            arguments[k].read = part;
        } else {
            arguments[k].written = part;
        }
    }
    const terrain__maps maps = {.arguments = arguments,
                                .count = terrain__argument_count(run->operation)};
    return terrain__apply_checked(run->plan->context, run->operation, &maps,
                                  terrain__params_copied(&params));
}

/* ---- Combining ------------------------------------------------------------------------------- */

/* How many half cells a cell lies from the middle of its region, in one direction: 1, 3, … */
static int64_t regions_away(int64_t cell, int64_t first, int64_t core)
{
    const int64_t twice = 2 * (cell - first) + 1 - 2 * core;
    return twice < 0 ? -twice : twice;
}

/* Takes the region's part in the cells that are needed. */
static void regions_combine(const struct regions_run *run, const struct regions_map *map,
                            const terrain__box *box, bool least)
{
    const int64_t core = run->operation->regions->core;
    const float slope = (float)(core / 4) * map->whole->cell_size;
    const int64_t x0 = box->x0 > run->needed.x0 ? box->x0 : run->needed.x0;
    const int64_t x1 = box->x1 < run->needed.x1 ? box->x1 : run->needed.x1;
    const int64_t y0 = box->y0 > run->needed.y0 ? box->y0 : run->needed.y0;
    const int64_t y1 = box->y1 < run->needed.y1 ? box->y1 : run->needed.y1;
    for (int64_t y = y0; y < y1; y++) {
        const int64_t down = regions_away(y, box->y0, core);
        for (int64_t x = x0; x < x1; x++) {
            const int64_t across = regions_away(x, box->x0, core);
            const int64_t away = across > down ? across : down;
            const float v = *regions_cell(&map->part, x, y);
            float *to = regions_cell(&map->made, x, y);
            if (away < core) {
                *to = least && !(v < *to || v != v) ? *to : v;
            } else if (least && away < 2 * core - 1) {
                const float ramp =
                    slope * ((float)(int32_t)(away - core) / (float)(int32_t)(2 * core - away));
                *to = v + ramp < *to || v != v ? v + ramp : *to;
            }
        }
    }
}

static void regions_put(const struct regions_run *run, const struct regions_map *map)
{
    for (int64_t y = run->needed.y0; y < run->needed.y1; y++) {
        memcpy(regions_cell(map->whole, run->needed.x0, y),
               regions_cell(&map->made, run->needed.x0, y), map->made.width * sizeof(float));
    }
}

/* The call's progress is cut into the regions' shares. */
static terrain_status regions_each(struct regions_run *run)
{
    const int64_t core = run->operation->regions->core;
    const terrain__box regions = regions_of(&run->needed, core);
    const double count = (double)((regions.x1 - regions.x0) * (regions.y1 - regions.y0));
    terrain_context *context = run->plan->context;
    const double from = context != NULL ? context->progress_from : 0;
    const double range = context != NULL ? context->progress_to - from : 0;
    terrain_status status = TERRAIN_SUCCESS;
    double done = 0;
    for (int64_t j = regions.y0; j < regions.y1 && status == TERRAIN_SUCCESS; j++) {
        for (int64_t i = regions.x0; i < regions.x1 && status == TERRAIN_SUCCESS; i++) {
            const terrain__box box = {i * core, j * core, (i + 2) * core, (j + 2) * core};
            if (context != NULL) {
                context->progress_from = from + range * (done / count);
                context->progress_to = from + range * ((done + 1) / count);
            }
            done++;
            status = regions_apply(run, &box);
            for (uint32_t k = 0; k < run->count && status == TERRAIN_SUCCESS; k++) {
                if (run->maps[k].made.data != NULL) {
                    const bool main = run->maps[k].port->offset == 0;
                    regions_combine(run, &run->maps[k], &box,
                                    main && run->operation->regions->minimum);
                }
            }
        }
    }
    return status;
}

terrain_status terrain__recipe_run_regions(terrain__recipe_plan *plan, uint32_t statement,
                                           terrain_heightmap *const *maps,
                                           const terrain__checked *params)
{
    const terrain__recipe_step *step = plan->recipe->steps[statement];
    struct regions_run run = {
        .plan = plan,
        .operation = step->statement.operation,
        .params = params,
        .needed = plan->tasks[statement].needed,
        .count = step->link_count,
    };
    terrain_status status;
    for (uint32_t k = 0; k < run.count; k++) {
        run.maps[k].port = step->links[k].port;
        run.maps[k].whole = maps[k];
    }
    status = regions_take(&run);
    if (status == TERRAIN_SUCCESS) {
        status = regions_each(&run);
    }
    for (uint32_t k = 0; k < run.count && status == TERRAIN_SUCCESS; k++) {
        if (run.maps[k].made.data != NULL) {
            regions_put(&run, &run.maps[k]);
        }
    }
    regions_give(&run);
    return status;
}
