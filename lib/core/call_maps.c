/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The maps of a call: found, checked, and seen as the operation sees them. */

#include <stdio.h>
#include <string.h>

#include "base/memory.h"
#include "base/sort.h"
#include "core/call.h"
#include "core/heightmap.h"

/* ---- As operations see them ------------------------------------------------------------------ */

terrain__view terrain__view_of(const terrain_heightmap *map)
{
    terrain__view view = {NULL, 0, 0, 0};
    if (map != NULL) {
        view.cells = map->data;
        view.stride = map->stride;
        view.width = map->width;
        view.height = map->height;
    }
    return view;
}

static terrain__plane call_plane_of(terrain_heightmap *map)
{
    terrain__plane plane = {map->data, map->stride, map->width, map->height};
    return plane;
}

terrain__plane terrain__output(const terrain__call *call, uint32_t offset)
{
    const terrain__plane none = {NULL, 0, 0, 0};
    for (uint32_t i = 0; i < call->port_count; i++) {
        if (call->ports[i].port->offset == offset) {
            return call->ports[i].plane;
        }
    }
    return none;
}

terrain__coarse terrain__coarse_input(const terrain__call *call, uint32_t offset)
{
    terrain__coarse coarse = {{NULL, 0, 0, 0}, 0, 0, 1};
    for (uint32_t i = 0; i < call->port_count; i++) {
        const terrain__bound *bound = &call->ports[i];
        if (bound->port->offset == offset && bound->map != NULL) {
            coarse.view = terrain__view_of(bound->map);
            coarse.x = bound->map->x;
            coarse.y = bound->map->y;
            coarse.spacing = terrain__port_spacing(bound->port, call->params);
        }
    }
    return coarse;
}

terrain__plane terrain__grid_plane(const terrain__call *call, uint32_t column, uint32_t row)
{
    return call_plane_of(call->maps[(size_t)row * call->columns + column]);
}

/* ---- Found and checked ----------------------------------------------------------------------- */

static terrain_status call_check_count(terrain__call *call, const terrain__maps *maps)
{
    const uint64_t count = (uint64_t)maps->columns * maps->rows;
    const uint32_t expected = terrain__argument_count(call->operation);
    if (terrain__is_grid(call->operation) != (maps->arguments == NULL)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             maps->arguments == NULL ? "does not work on a grid of maps"
                                                     : "works on a grid of maps");
    }
    if (maps->arguments != NULL && maps->count != expected) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%lu maps given, must be %lu",
                             (unsigned long)maps->count, (unsigned long)expected);
    }
    if (maps->arguments == NULL && (maps->grid == NULL || count == 0)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             maps->grid == NULL ? "maps is NULL" : "the grid has no maps");
    }
    if (maps->arguments == NULL && count > TERRAIN_GRID_MAXIMUM) {
        return terrain__fail(call, TERRAIN_ERROR_RANGE,
                             "the grid has %llu maps, can have at most %d",
                             (unsigned long long)count, TERRAIN_GRID_MAXIMUM);
    }
    return TERRAIN_SUCCESS;
}

/* Finds the map of each port: an argument, the first of the grid, or a parameter's. */
static void call_bind(terrain__call *call, const terrain__maps *maps)
{
    call->port_count = terrain_operation_port_count(call->operation);
    call->maps = maps->grid;
    call->columns = maps->columns;
    call->rows = maps->rows;
    for (uint32_t i = 0; i < call->port_count; i++) {
        terrain__bound *bound = &call->ports[i];
        const terrain_port *port = terrain_operation_port_at(call->operation, i);
        bound->port = port;
        if (port->offset == 0 && maps->arguments == NULL) {
            bound->written = maps->grid[0];
        } else if (port->offset == 0) {
            bound->map = maps->arguments[i].read;
            bound->written = maps->arguments[i].written;
        } else if (port->role == TERRAIN_PORT_ROLE_READ) {
            memcpy(&bound->map, (const char *)call->params + port->offset, sizeof bound->map);
        } else {
            memcpy(&bound->written, (const char *)call->params + port->offset,
                   sizeof bound->written);
        }
        if (bound->written != NULL) {
            bound->map = bound->written;
            bound->plane = call_plane_of(bound->written);
        }
        if (port->mask != 0) {
            call->mask = bound->map;
        }
    }
}

/* One of a call's maps, which are counted: the first port's, or all of a grid; then those of
 * further ports. */
struct call_map {
    const terrain_port *port;
    const terrain_heightmap *map;
    uint32_t port_index;
    char name[24];
};

static struct call_map call_map_at(const terrain__call *call, uint32_t index)
{
    const uint32_t grid = call->maps != NULL ? call->columns * call->rows : 1;
    const uint32_t port = index < grid ? 0 : index - grid + 1;
    struct call_map entry = {call->ports[port].port, call->ports[port].map, port, ""};
    if (call->maps != NULL && index < grid) {
        entry.map = call->maps[index];
    }
    return entry;
}

/* "mask", or "maps[3]". */
static const char *call_name_of(const terrain__call *call, struct call_map *entry, uint32_t index)
{
    if (entry->port->grid == 0 || call->maps == NULL) {
        return entry->port->name;
    }
    snprintf(entry->name, sizeof entry->name, "%s[%lu]", entry->port->name, (unsigned long)index);
    return entry->name;
}

/* Whether a coarse map covers what is needed of it. */
static terrain_status call_check_cover(terrain__call *call, const struct call_map *entry)
{
    const terrain__box out = terrain__box_of_map(call->ports[0].map);
    const terrain__box has = terrain__box_of_map(entry->map);
    terrain__box need;
    terrain__port_box(call->operation, call->params, entry->port_index, &out, &need);
    if (terrain__box_contains(&has, &need)) {
        return TERRAIN_SUCCESS;
    }
    return terrain__fail(call, TERRAIN_ERROR_RANGE,
                         "%s covers x %lld to %lld and y %lld to %lld of its own cells, but x %lld "
                         "to %lld and y %lld to %lld is needed",
                         entry->port->name, (long long)has.x0, (long long)has.x1 - 1,
                         (long long)has.y0, (long long)has.y1 - 1, (long long)need.x0,
                         (long long)need.x1 - 1, (long long)need.y0, (long long)need.y1 - 1);
}

static terrain_status call_check_map(terrain__call *call, struct call_map *entry, uint32_t index)
{
    struct call_map first = call_map_at(call, 0);
    const terrain_heightmap *map = entry->map;
    const char *name = call_name_of(call, entry, index);
    const terrain_port *port = entry->port;
    if (map == NULL) {
        return port->optional != 0
                   ? TERRAIN_SUCCESS
                   : terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%s is NULL", name);
    }
    if (port->role != TERRAIN_PORT_ROLE_READ && map->read_only) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT, "%s is const, but would be written",
                             name);
    }
    if (map->width > TERRAIN__MOST_SIDE || map->height > TERRAIN__MOST_SIDE) {
        return terrain__fail(call, TERRAIN_ERROR_UNSUPPORTED,
                             "%s is %lux%lu, must have at most 2^31 columns and rows", name,
                             (unsigned long)map->width, (unsigned long)map->height);
    }
    if (port->lattice == TERRAIN_PORT_LATTICE_COARSE) {
        return call_check_cover(call, entry);
    }
    if (port->lattice == TERRAIN_PORT_LATTICE_CALL &&
        (map->width != first.map->width || map->height != first.map->height)) {
        return terrain__fail(
            call, TERRAIN_ERROR_ARGUMENT, "%s is %lux%lu, %s %lux%lu: sizes must be equal", name,
            (unsigned long)map->width, (unsigned long)map->height, call_name_of(call, &first, 0),
            (unsigned long)first.map->width, (unsigned long)first.map->height);
    }
    if (port->role == TERRAIN_PORT_ROLE_READ &&
        (map->x != first.map->x || map->y != first.map->y)) {
        return terrain__fail(call, TERRAIN_ERROR_ARGUMENT,
                             "%s lies at (%lld, %lld), %s at (%lld, %lld): origins must be equal",
                             name, (long long)map->x, (long long)map->y, first.port->name,
                             (long long)first.map->x, (long long)first.map->y);
    }
    return TERRAIN_SUCCESS;
}

/* With more maps than this, looking at all pairs takes longer than sorting. */
enum { CALL_FEW_MAPS = 32 };

static bool call_begins_before(const void *a, const void *b)
{
    const terrain_heightmap *first = a, *second = b;
    return (uintptr_t)first->data < (uintptr_t)second->data;
}

/* Whether no two maps of a large grid overlap: each is compared with those that begin before its
 * end. False also where that is not known, so that all pairs must tell: for a small grid, where a
 * map is missing, and for want of memory. */
static bool call_grid_is_apart(terrain__call *call, size_t count)
{
    const void **maps = NULL;
    if (count > CALL_FEW_MAPS) {
        maps = terrain__scratch(call, count, sizeof *maps);
        if (maps == NULL && terrain__scratchpad_grow(call->pad)) {
            maps = terrain__scratch(call, count, sizeof *maps);
        }
    }
    bool apart = maps != NULL;
    for (size_t i = 0; i < count && apart; i++) {
        maps[i] = call->maps[i];
        apart = maps[i] != NULL;
    }
    if (apart) {
        terrain__sort(maps, count, call_begins_before);
    }
    for (size_t i = 0; i < count && apart; i++) {
        const terrain_heightmap *map = maps[i];
        const uintptr_t end = terrain__heightmap_end(map);
        for (size_t k = i + 1; k < count && apart; k++) {
            const terrain_heightmap *other = maps[k];
            if ((uintptr_t)other->data >= end) {
                break;
            }
            apart = !terrain__heightmaps_overlap(map, other);
        }
    }
    terrain__scratchpad_reset(call->pad);
    return apart;
}

/* No map may overlap one that is written. */
static terrain_status call_check_overlaps(terrain__call *call, uint32_t index)
{
    struct call_map one = call_map_at(call, index);
    for (uint32_t k = 0; k < index && one.map != NULL; k++) {
        struct call_map other = call_map_at(call, k);
        if (other.map != NULL &&
            (one.port->role != TERRAIN_PORT_ROLE_READ ||
             other.port->role != TERRAIN_PORT_ROLE_READ) &&
            terrain__heightmaps_overlap(one.map, other.map)) {
            return terrain__fail(call, TERRAIN_ERROR_ALIAS,
                                 "%s overlaps %s, and one of them would be written",
                                 call_name_of(call, &one, index), call_name_of(call, &other, k));
        }
    }
    return TERRAIN_SUCCESS;
}

/* The views of the maps that the operation gets. */
static void call_set_maps(terrain__call *call)
{
    const terrain_heightmap *map = call->ports[0].map;
    call->main = &call->ports[0];
    while (call->main->port->role == TERRAIN_PORT_ROLE_READ) {
        call->main++;
    }
    call->map = terrain__view_of(map);
    call->map_x = map->x;
    call->map_y = map->y;
    call->cell_size = map->cell_size;
    call->result_cell_size = map->cell_size;
    if (call->port_count > 1 && call->ports[1].port->role == TERRAIN_PORT_ROLE_READ) {
        call->other = terrain__view_of(call->ports[1].map);
    }
    call->target = call->main->plane;
    call->x = terrain__resizes(call->operation) ? call->main->map->x : map->x;
    call->y = terrain__resizes(call->operation) ? call->main->map->y : map->y;
    call->wanted = terrain__box_at(call->x, call->y, call->target.width, call->target.height);
}

void terrain__call_see_maps(terrain__call *call, const terrain__maps *maps)
{
    call_bind(call, maps);
    call_set_maps(call);
}

terrain_status terrain__call_take_maps(terrain__call *call, const terrain__maps *maps)
{
    terrain_status status = call_check_count(call, maps);
    if (status != TERRAIN_SUCCESS) {
        return status;
    }
    call_bind(call, maps);
    /* A grid's only port stands for all its maps. */
    const uint32_t grid = call->maps != NULL ? call->columns * call->rows : 0;
    const uint32_t count = call->port_count + (grid > 0 ? grid - 1 : 0);
    const bool apart = call_grid_is_apart(call, grid);
    for (uint32_t i = 0; i < count; i++) {
        struct call_map entry = call_map_at(call, i);
        status = call_check_map(call, &entry, i);
        if (status == TERRAIN_SUCCESS && !(apart && i < grid)) {
            status = call_check_overlaps(call, i);
        }
        if (status != TERRAIN_SUCCESS) {
            return status;
        }
    }
    call_set_maps(call);
    if (maps->wanted != NULL) {
        call->wanted = *maps->wanted;
    }
    return TERRAIN_SUCCESS;
}
