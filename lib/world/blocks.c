/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Between maps and blocks: a kept map is cut into blocks, and put together from them.
 *
 * Blocks of most statements tile the world. Those of a statement on regions are the regions, which
 * overlap, as the operation made them: they are combined whenever they are read, so that each is
 * made once for all tiles. */

#include <string.h>

#include "base/math.h"
#include "world/world.h"

bool terrain__world_keeps_regions(const terrain_world *world, uint32_t statement)
{
    const terrain__world_regions *regions =
        world->recipe->steps[statement]->statement.operation->regions;
    return regions != NULL && world->sides[statement] == 2 * regions->core;
}

/* Cells from a block to the next. */
static int64_t blocks_spacing(const terrain_world *world, uint32_t statement)
{
    const uint32_t side = world->sides[statement];
    return terrain__world_keeps_regions(world, statement) ? side / 2 : side;
}

uint32_t terrain__world_value_before(const terrain_world *world, uint32_t statement)
{
    const terrain__recipe_step *step = world->recipe->steps[statement];
    const bool basins = terrain__world_keeps_regions(world, statement) &&
                        step->statement.operation->regions->combining == TERRAIN__COMBINE_BASINS;
    return basins ? step->links[0].reads : TERRAIN__RECIPE_NONE; /* what it changes */
}

terrain__box terrain__world_blocks_of(const terrain_world *world, uint32_t statement,
                                      const terrain__box *cells)
{
    const int64_t spacing = blocks_spacing(world, statement);
    const int64_t more = world->sides[statement] - spacing;
    const terrain__box blocks = {terrain__floor_div(cells->x0 - more, spacing),
                                 terrain__floor_div(cells->y0 - more, spacing),
                                 terrain__floor_div(cells->x1 - 1, spacing) + 1,
                                 terrain__floor_div(cells->y1 - 1, spacing) + 1};
    return blocks;
}

terrain__box terrain__world_cells_of(const terrain_world *world, uint32_t statement,
                                     const terrain__box *blocks)
{
    const int64_t spacing = blocks_spacing(world, statement);
    const int64_t more = world->sides[statement] - spacing;
    const terrain__box cells = {blocks->x0 * spacing, blocks->y0 * spacing,
                                blocks->x1 * spacing + more, blocks->y1 * spacing + more};
    return cells;
}

static terrain__world_block *blocks_find(terrain_world *world, uint32_t statement, int64_t x,
                                         int64_t y)
{
    terrain__mutex_lock(&world->mutex);
    terrain__world_block *block = terrain__world_find(world, statement, x, y);
    terrain__mutex_unlock(&world->mutex);
    return block;
}

/* A plane of a block, as a map. The block must be pinned. */
static terrain_heightmap blocks_map(const terrain_world *world, terrain__world_block *block,
                                    uint32_t plane)
{
    const uint32_t side = world->sides[block->statement];
    const terrain_heightmap map = {
        .data = terrain__world_cells(world, block, plane),
        .stride = side,
        .width = side,
        .height = side,
        .x = block->x * blocks_spacing(world, block->statement),
        .y = block->y * blocks_spacing(world, block->statement),
        .cell_size = *terrain__world_cell_size(world, block, plane),
    };
    return map;
}

/* Where two maps meet. */
static terrain__box blocks_meeting(const terrain_heightmap *a, const terrain_heightmap *b)
{
    const terrain__box of_a = terrain__box_of_map(a), of_b = terrain__box_of_map(b);
    return terrain__box_common(&of_a, &of_b);
}

/* Copies the cells that both have. */
static void blocks_copy(const terrain_heightmap *from, const terrain_heightmap *to)
{
    const terrain__box box = blocks_meeting(from, to);
    for (int64_t y = box.y0; y < box.y1; y++) {
        memcpy(terrain__heightmap_cell(to, box.x0, y), terrain__heightmap_cell(from, box.x0, y),
               (size_t)(box.x1 - box.x0) * sizeof(float));
    }
}

/* Gives cells of which no region knows anything their value from before. */
static void blocks_keep(const terrain_heightmap *before, const terrain_heightmap *to)
{
    const terrain__box box = blocks_meeting(before, to);
    for (int64_t y = box.y0; y < box.y1; y++) {
        const float *from = terrain__heightmap_cell(before, box.x0, y);
        float *cells = terrain__heightmap_cell(to, box.x0, y);
        for (int64_t x = 0; x < box.x1 - box.x0; x++) {
            cells[x] = cells[x] == INFINITY ? from[x] : cells[x];
        }
    }
}

/* Combines the regions of one value or of two. Where there are two, the second is that of the
 * statement's map, which decides from which region a cell of the first comes. */
static void blocks_combine(terrain_world *world, terrain__combining combining,
                           const terrain__box *blocks, const uint32_t *values,
                           terrain__region_map *maps, uint32_t count)
{
    const uint32_t statement = world->recipe->values[values[0]].statement;
    const terrain_heightmap *main = &maps[count - 1].made;
    for (size_t i = 0; i < (size_t)main->height * main->stride; i++) {
        main->data[i] = INFINITY;
    }
    for (int64_t y = blocks->y0; y < blocks->y1; y++) {
        for (int64_t x = blocks->x0; x < blocks->x1; x++) {
            terrain__world_block *block = blocks_find(world, statement, x, y);
            for (uint32_t k = 0; k < count; k++) {
                maps[k].part = blocks_map(world, block, world->value_planes[values[k]]);
            }
            terrain__recipe_combine_region(combining, maps, count, count - 1);
        }
    }
}

/* Reads a value of a statement on regions. What BASINS makes beside its map comes from the region
 * that the map comes from, so the map is combined, too. */
static bool blocks_read_regions(terrain_world *world, terrain__room *room, uint32_t value,
                                const terrain__box *blocks, const terrain_heightmap *to)
{
    const terrain__recipe_step *step = world->recipe->steps[world->recipe->values[value].statement];
    const terrain__combining combining = step->statement.operation->regions->combining;
    const uint32_t values[2] = {value, step->value};
    terrain__region_map maps[2] = {{.made = *to}, {.made = *to}};
    if (value == step->value) {
        blocks_combine(world, combining, blocks, values, maps, 1);
    } else if (combining != TERRAIN__COMBINE_BASINS) {
        blocks_combine(world, TERRAIN__COMBINE_CORES, blocks, values, maps, 1);
    } else {
        maps[1].made.data =
            terrain__room_take(room, (size_t)to->height * to->stride * sizeof(float));
        if (maps[1].made.data == NULL) {
            return false;
        }
        blocks_combine(world, combining, blocks, values, maps, 2);
        terrain__room_give(room, maps[1].made.data);
    }
    return true;
}

bool terrain__world_read(terrain_world *world, terrain__room *room, uint32_t value,
                         terrain_heightmap *to)
{
    const uint32_t statement = world->recipe->values[value].statement;
    const bool regions = terrain__world_keeps_regions(world, statement);
    const bool keep = value == world->recipe->steps[statement]->value &&
                      terrain__world_value_before(world, statement) != TERRAIN__RECIPE_NONE;
    const uint32_t plane = keep ? world->plane_counts[statement] - 1 : world->value_planes[value];
    const terrain__box cells = terrain__box_of_map(to);
    const terrain__box blocks = terrain__world_blocks_of(world, statement, &cells);
    if (regions && !blocks_read_regions(world, room, value, &blocks, to)) {
        return false;
    }
    for (int64_t y = blocks.y0; y < blocks.y1; y++) {
        for (int64_t x = blocks.x0; x < blocks.x1; x++) {
            const terrain_heightmap block =
                blocks_map(world, blocks_find(world, statement, x, y), plane);
            if (keep) {
                blocks_keep(&block, to);
            } else if (!regions) {
                blocks_copy(&block, to);
            }
            to->cell_size = block.cell_size;
        }
    }
    return true;
}

void terrain__world_write(terrain_world *world, uint32_t statement, const terrain__box *blocks,
                          uint32_t plane, const terrain_heightmap *from)
{
    for (int64_t y = blocks->y0; y < blocks->y1; y++) {
        for (int64_t x = blocks->x0; x < blocks->x1; x++) {
            terrain__world_block *block = blocks_find(world, statement, x, y);
            *terrain__world_cell_size(world, block, plane) = from->cell_size;
            const terrain_heightmap to = blocks_map(world, block, plane);
            blocks_copy(from, &to);
        }
    }
}
