/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A statement of a world whose operation needs a bounded map: it is run on regions, each as a map
 * of its own, and the regions are combined: by their minimum, or (CORES) each cell from the region
 * whose core holds it.
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
 *     h(x) = min over r of h_r(x) + ramp(p),    ramp = 0 in the core, c g / (1 - g) beyond,
 *
 * g being how far the place p is from the core to the region's rim, 0 to 1. The outermost cells
 * don't count. p is x itself; or, where rivers are the same in all regions, the place where the
 * water of x comes to one: its hillside is taken whole, and no line between regions shows. Water
 * that leaves the region first tells nothing, and a cell of which all regions say so stays.
 *
 * A mean would make hollows where there are none. h_r + ramp with p the end of the water falls
 * wherever h_r falls, and a minimum of maps without hollows has none.
 *
 * What an operation makes beside its map is that of the region whose core holds the cell, or with
 * rivers of the one whose height it has; the first one, by rows, if several have. Regions lie where
 * the world says, so tiles fit to the last bit.
 *
 * A world keeps regions uncombined, so that each is run once: where the statement is its plan's
 * root, one region is made, in place. */

#include <string.h>

#include "base/float_environment.h"
#include "base/math.h"
#include "core/context.h"
#include "recipe/plan.h"

struct regions_run {
    terrain__recipe_plan *plan;
    const terrain_operation *operation;
    const terrain__checked *params;
    terrain__box needed;
    terrain__region_map maps[TERRAIN__MOST_PORTS];
    uint32_t count;
    uint32_t main; /* the argument that is written */
    bool alone;    /* one region, in place */
    /* BASINS, of each of a region's cells: where its water goes on, and the ramp where it ends. */
    uint8_t *ways;
    float *ramps;
};

enum { REGIONS_HERE, REGIONS_NOWHERE = 9 }; /* ways, beside 1 to 8: water ends, or leaves */

void terrain__recipe_regions_box(const terrain__recipe_plan *plan, uint32_t statement,
                                 const terrain__box *out, terrain__box *in)
{
    const int64_t core = plan->recipe->steps[statement]->statement.operation->regions->core;
    if (statement == plan->root) {
        *in = *out;
        return;
    }
    in->x0 = (terrain__floor_div(out->x0, core) - 1) * core;
    in->y0 = (terrain__floor_div(out->y0, core) - 1) * core;
    in->x1 = (terrain__floor_div(out->x1 - 1, core) + 2) * core;
    in->y1 = (terrain__floor_div(out->y1 - 1, core) + 2) * core;
}

bool terrain__recipe_has_regions(const terrain__recipe_plan *plan, uint32_t statement)
{
    const terrain_operation *operation = plan->recipe->steps[statement]->statement.operation;
    return plan->world && operation->regions != NULL &&
           terrain__halo(operation, terrain__recipe_plan_params(plan, statement)) ==
               TERRAIN__GLOBAL;
}

/* ---- Maps of a region ------------------------------------------------------------------------ */

/* Memory for what is written. */
static terrain_status regions_take(struct regions_run *run)
{
    terrain__room *room = terrain__context_room(run->plan->context);
    const int64_t side = 2 * (int64_t)run->operation->regions->core;
    const terrain__box region = {0, 0, side, side};
    if (run->operation->regions->combining == TERRAIN__COMBINE_BASINS) {
        run->ways = terrain__room_take(room, (size_t)(side * side));
        run->ramps = terrain__room_take(room, terrain__recipe_box_size(&region));
        if (run->ways == NULL || run->ramps == NULL) {
            return TERRAIN_ERROR_MEMORY;
        }
    }
    for (uint32_t k = 0; k < run->count && !run->alone; k++) {
        terrain__region_map *map = &run->maps[k];
        if (map->whole == NULL || map->port->role == TERRAIN_PORT_ROLE_READ) {
            continue;
        }
        map->part = terrain__recipe_shape(&region, map->whole->cell_size);
        map->made = terrain__recipe_shape(&run->needed, map->whole->cell_size);
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
    terrain__room_give(room, run->ways);
    terrain__room_give(room, run->ramps);
    for (uint32_t k = 0; k < run->count; k++) {
        terrain__room_give(room, run->maps[k].made.data);
        if (!run->alone && run->maps[k].port->role != TERRAIN_PORT_ROLE_READ) {
            terrain__room_give(room, run->maps[k].part.data);
        }
    }
}

/* The map for a region that covers the box. What is changed is copied: other regions read it, too.
 */
static void regions_cut(terrain__region_map *map, const terrain__box *box, bool alone)
{
    if (map->port->role == TERRAIN_PORT_ROLE_READ || alone) {
        map->part = map->port->lattice == TERRAIN_PORT_LATTICE_COARSE
                        ? *map->whole
                        : terrain__recipe_crop(map->whole, box);
        return;
    }
    map->part.x = box->x0;
    map->part.y = box->y0;
    for (int64_t y = box->y0; y < box->y1 && map->port->role == TERRAIN_PORT_ROLE_CHANGE; y++) {
        memcpy(terrain__heightmap_cell(&map->part, box->x0, y),
               terrain__heightmap_cell(map->whole, box->x0, y), map->part.width * sizeof(float));
    }
}

static terrain_status regions_apply(struct regions_run *run)
{
    terrain__argument arguments[TERRAIN__MOST_ARGUMENTS] = {{NULL, NULL}};
    terrain__params params;
    memcpy(params.bytes, run->params, run->operation->params_size);
    for (uint32_t k = 0; k < run->count; k++) {
        terrain__region_map *map = &run->maps[k];
        terrain_heightmap *part = &map->part;
        if (map->whole == NULL) {
            continue;
        }
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
                                  terrain__params_as_checked(&params));
}

/* ---- The ramp -------------------------------------------------------------------------------- */

/* How many half cells a cell lies from the middle of its region, in one direction: 1, 3, … */
static int64_t regions_away(int64_t cell, int64_t first, int64_t core)
{
    const int64_t twice = 2 * (cell - first) + 1 - 2 * core;
    return twice < 0 ? -twice : twice;
}

/* What is added at a place of a region: nothing up to `plain` half cells from the middle, then more
 * and more. */
static float regions_ramp(const struct regions_run *run, int64_t x, int64_t y, int64_t plain)
{
    const int64_t core = run->operation->regions->core, rim = 2 * core;
    const float slope = (float)(core / 4) * run->maps[run->main].part.cell_size;
    const int64_t across = regions_away(x, 0, core), down = regions_away(y, 0, core);
    const int64_t away = across > down ? across : down;
    return away < plain ? 0
           : away < rim - 1
               ? slope * ((float)(int32_t)(away - plain) / (float)(int32_t)(rim - away))
               : INFINITY;
}

/* A height with its ramp. Where that is infinite, so is the result, also of a height of -infinity:
 * their sum would be NaN, which wins over what other regions know. */
static float regions_raised(float height, float ramp)
{
    return !(ramp > 0) || height != height ? height : ramp < INFINITY ? height + ramp : INFINITY;
}

/* ---- Where water ends ------------------------------------------------------------------------ */

/* Before the operation changes the map: where water ends. */
static void regions_mark_ends(const struct regions_run *run)
{
    const terrain__world_regions *regions = run->operation->regions;
    const terrain_heightmap *map = &run->maps[run->main].part;
    const terrain_heightmap *rivers = NULL;
    for (uint32_t k = 0; k < run->count; k++) {
        if (run->maps[k].whole != NULL && run->maps[k].port->offset == regions->rivers) {
            rivers = &run->maps[k].part;
        }
    }
    for (size_t y = 0; y < map->height; y++) {
        for (size_t x = 0; x < map->width; x++) {
            const float height = map->data[y * map->stride + x];
            const float river = rivers != NULL ? rivers->data[y * rivers->stride + x] : 0;
            run->ways[y * map->width + x] =
                regions->ends(run->params, height, river) ? REGIONS_HERE : REGIONS_NOWHERE;
        }
    }
}

/* Steps by way: towards the east, then clockwise. */
static void regions_steps(size_t width, ptrdiff_t steps[10])
{
    const ptrdiff_t w = (ptrdiff_t)width;
    const ptrdiff_t all[10] = {0, 1, w + 1, w, w - 1, -1, -w - 1, -w, 1 - w, 0};
    memcpy(steps, all, sizeof all);
}

/* Water goes on to the lowest neighbour that lies lower, or to one without data. It ends there,
 * even where the operation itself made NaN of infinite heights: two such would name each other. */
static void regions_find_ways(const struct regions_run *run)
{
    const terrain_heightmap *map = &run->maps[run->main].part;
    ptrdiff_t steps[10];
    regions_steps(map->stride, steps);
    for (size_t y = 1; y + 1 < map->height; y++) {
        const float *row = map->data + y * map->stride;
        uint8_t *ways = run->ways + y * map->width;
        for (size_t x = 1; x + 1 < map->width; x++) {
            float lowest = row[x];
            uint8_t way = lowest == lowest ? ways[x] : REGIONS_HERE;
            for (uint8_t k = 1; k <= 8 && way != REGIONS_HERE; k++) {
                const float height = row[(ptrdiff_t)x + steps[k]];
                way = height < lowest || height != height ? k : way;
                lowest = height < lowest || height != height ? height : lowest;
            }
            ways[x] = way;
        }
    }
}

/* Adds to each cell the most of the ramp on its water's way; infinity if that leads out of the
 * region, or nowhere. A way is walked down to a cell of which that is known, and back: each of its
 * cells then remembers where it was come from. */
static void regions_raise_ways(const struct regions_run *run)
{
    const terrain_heightmap *map = &run->maps[run->main].part;
    const int64_t core = run->operation->regions->core;
    const size_t width = map->width, cells = width * map->height;
    float *ramps = run->ramps;
    uint8_t *ways = run->ways;
    ptrdiff_t steps[10];
    regions_find_ways(run);
    regions_steps(width, steps);
    for (size_t i = 0; i < cells; i++) {
        ramps[i] = ways[i] == REGIONS_NOWHERE ? INFINITY
                   : ways[i] == REGIONS_HERE
                       ? regions_ramp(run, (int64_t)(i % width), (int64_t)(i / width), core * 3 / 2)
                       : -1;
    }
    for (size_t i = 0; i < cells; i++) {
        size_t cell = i;
        uint8_t back = REGIONS_HERE;
        while (ramps[cell] < 0) {
            const uint8_t way = ways[cell];
            ways[cell] = back;
            back = (uint8_t)((way + 3) % 8 + 1);
            cell = (size_t)((ptrdiff_t)cell + steps[way]);
        }
        while (back != REGIONS_HERE) {
            const float below = ramps[cell];
            cell = (size_t)((ptrdiff_t)cell + steps[back]);
            back = ways[cell];
            ramps[cell] =
                regions_ramp(run, (int64_t)(cell % width), (int64_t)(cell / width), core * 3 / 2);
            ramps[cell] = ramps[cell] > below ? ramps[cell] : below;
        }
    }
    for (size_t i = 0; i < cells; i++) {
        float *height = &map->data[i / width * map->stride + i % width];
        *height = regions_raised(*height, ramps[i]);
    }
}

static void regions_raise_places(const struct regions_run *run)
{
    const terrain_heightmap *map = &run->maps[run->main].part;
    for (uint32_t y = 0; y < map->height; y++) {
        for (uint32_t x = 0; x < map->width; x++) {
            float *height = &map->data[y * map->stride + x];
            *height =
                regions_raised(*height, regions_ramp(run, x, y, run->operation->regions->core));
        }
    }
}

/* ---- Combining ------------------------------------------------------------------------------- */

/* Makes the maps of a region that covers the box, the main one with its ramp. The operation itself
 * calls the host back, and so must find the host's mode. */
static terrain_status regions_solve(struct regions_run *run, const terrain__box *box)
{
    const terrain__combining combining = run->operation->regions->combining;
    terrain__float_environment host;
    for (uint32_t k = 0; k < run->count; k++) {
        if (run->maps[k].whole != NULL) {
            regions_cut(&run->maps[k], box, run->alone);
        }
    }
    if (combining == TERRAIN__COMBINE_BASINS) {
        terrain__float_enter(&host);
        regions_mark_ends(run);
        terrain__float_leave(&host);
    }
    const terrain_status status = regions_apply(run);
    terrain__float_enter(&host);
    if (status == TERRAIN_SUCCESS && combining == TERRAIN__COMBINE_BASINS) {
        regions_raise_ways(run);
    } else if (status == TERRAIN_SUCCESS && combining == TERRAIN__COMBINE_LEAST) {
        regions_raise_places(run);
    }
    terrain__float_leave(&host);
    return status;
}

/* BASINS: a row's cells from x0 to before x1. The core is from core_x0 to before core_x1. */
static void regions_combine_basins(const terrain__region_map *maps, uint32_t count, uint32_t main,
                                   int64_t y, int64_t x0, int64_t x1, int64_t core_x0,
                                   int64_t core_x1)
{
    const float *from = terrain__heightmap_cell(&maps[main].part, x0, y);
    float *to = terrain__heightmap_cell(&maps[main].made, x0, y);
    for (int64_t x = x0; x < x1; x++, from++, to++) {
        const bool lower = *from < *to || *from != *from;
        const bool inside = x >= core_x0 && x < core_x1;
        for (uint32_t k = 0; k < count && (lower || (inside && !(*to < INFINITY))); k++) {
            if (k != main && maps[k].made.data != NULL) {
                *terrain__heightmap_cell(&maps[k].made, x, y) =
                    *terrain__heightmap_cell(&maps[k].part, x, y);
            }
        }
        *to = lower ? *from : *to;
    }
}

static int64_t regions_within(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

void terrain__recipe_combine_region(terrain__combining combining, const terrain__region_map *maps,
                                    uint32_t count, uint32_t main)
{
    const terrain_heightmap *part = &maps[main].part, *made = &maps[main].made;
    const int64_t side = part->width, core = side / 2;
    const int64_t right = made->x + made->width, below = made->y + made->height;
    const int64_t x0 = regions_within(part->x, made->x, right);
    const int64_t x1 = regions_within(part->x + side, made->x, right);
    const int64_t core_x0 = regions_within(part->x + core / 2, made->x, right);
    const int64_t core_x1 = regions_within(part->x + core / 2 + core, made->x, right);
    const int64_t y0 = regions_within(part->y, made->y, below);
    const int64_t y1 = regions_within(part->y + side, made->y, below);
    terrain__float_environment host;
    terrain__float_enter(&host);
    for (int64_t y = y0; y < y1; y++) {
        const bool inside = regions_away(y, part->y, core) < core;
        if (combining == TERRAIN__COMBINE_BASINS) {
            regions_combine_basins(maps, count, main, y, x0, x1, inside ? core_x0 : x1, core_x1);
            continue;
        }
        for (uint32_t k = 0; k < count; k++) {
            if (k == main && combining == TERRAIN__COMBINE_LEAST) {
                const float *from = terrain__heightmap_cell(part, x0, y);
                float *to = terrain__heightmap_cell(made, x0, y);
                for (int64_t i = 0; i < x1 - x0; i++) {
                    to[i] = from[i] < to[i] || from[i] != from[i] ? from[i] : to[i];
                }
            } else if (inside && core_x0 < core_x1 && maps[k].made.data != NULL) {
                memcpy(terrain__heightmap_cell(&maps[k].made, core_x0, y),
                       terrain__heightmap_cell(&maps[k].part, core_x0, y),
                       (size_t)(core_x1 - core_x0) * sizeof(float));
            }
        }
    }
    terrain__float_leave(&host);
}

/* Cells of which no region knows anything stay. */
static void regions_put(const struct regions_run *run, const terrain__region_map *map)
{
    const bool stays = map == &run->maps[run->main] &&
                       run->operation->regions->combining == TERRAIN__COMBINE_BASINS;
    for (int64_t y = run->needed.y0; y < run->needed.y1; y++) {
        const float *from = terrain__heightmap_cell(&map->made, run->needed.x0, y);
        float *to = terrain__heightmap_cell(map->whole, run->needed.x0, y);
        for (uint32_t x = 0; x < map->made.width; x++) {
            to[x] = stays && from[x] == INFINITY ? to[x] : from[x];
        }
    }
}

/* The call's progress is cut into the regions' shares. */
static terrain_status regions_each(struct regions_run *run, const terrain__box *work)
{
    const int64_t core = run->operation->regions->core;
    const terrain__box regions = {work->x0 / core, work->y0 / core, work->x1 / core - 1,
                                  work->y1 / core - 1};
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
            status = regions_solve(run, &box);
            if (status == TERRAIN_SUCCESS && !run->alone) {
                terrain__recipe_combine_region(run->operation->regions->combining, run->maps,
                                               run->count, run->main);
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
        .alone = statement == plan->root,
    };
    terrain_status status;
    for (uint32_t k = 0; k < run.count; k++) {
        run.maps[k].port = step->links[k].port;
        run.maps[k].whole = maps[k];
        if (step->links[k].port->offset == 0 &&
            step->links[k].port->role != TERRAIN_PORT_ROLE_READ) {
            run.main = k;
        }
    }
    status = regions_take(&run);
    if (status == TERRAIN_SUCCESS) {
        status = regions_each(&run, &plan->tasks[statement].work);
    }
    for (uint32_t k = 0; k < run.count && status == TERRAIN_SUCCESS; k++) {
        if (run.maps[k].made.data != NULL) {
            regions_put(&run, &run.maps[k]);
        }
    }
    regions_give(&run);
    return status;
}
