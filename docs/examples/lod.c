/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Two levels of detail side by side: a tile of a world, and beside it one of the same world at half
 * its scale. Their edges don't quite meet. A skirt around each tile hides that; or the finer tile
 * takes the coarser one's heights along the edge. */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <terrain/terrain.h>

enum {
    CELLS = 64,        /* of a tile, on each side */
    SIDE = CELLS + 1,  /* vertices: the last ones are the neighbour's first */
    TOP = SIDE * SIDE, /* vertices of the surface */
    RIM = 4 * CELLS,   /* and of the skirt's lower edge */
    INDICES = 6 * CELLS * CELLS + 6 * RIM
};

struct tile {
    float vertices[TOP + RIM][3];
    uint32_t indices[INDICES];
};

static void check(terrain_status status)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s\n", terrain_status_name(status));
        exit(1);
    }
}

/* A cell of level 1 stands for 2 x 2 of level 0, and so on. */
static terrain_world *make_level(const terrain_recipe *recipe, int level)
{
    terrain_world *world = NULL;
    terrain_world_desc desc;
    terrain_world_desc_init(&desc, sizeof desc);
    desc.recipe = recipe;
    desc.seed = 42;
    desc.scale = 1.0 / (1 << level);
    check(terrain_world_create(NULL, &desc, &world));
    return world;
}

/* The vertices around a tile: down its western edge, then on around it, anticlockwise. */
static uint32_t rim_vertex(uint32_t i)
{
    const uint32_t along = i % CELLS;
    switch (i / CELLS % 4) {
    case 0:
        return along * SIDE; /* west, southwards */
    case 1:
        return CELLS * SIDE + along; /* south, eastwards */
    case 2:
        return (CELLS - along) * SIDE + CELLS; /* east, northwards */
    default:
        return CELLS - along; /* north, westwards */
    }
}

/* Each vertex of the rim once more, `depth` lower, and two triangles below each edge of the rim,
 * which face outwards. */
static void add_skirt(struct tile *tile, float depth)
{
    uint32_t *index = tile->indices + 6 * CELLS * CELLS;
    for (uint32_t i = 0; i < RIM; i++) {
        const uint32_t next = (i + 1) % RIM;
        const uint32_t quad[6] = {rim_vertex(i),    TOP + i, rim_vertex(next),
                                  rim_vertex(next), TOP + i, TOP + next};
        memcpy(tile->vertices[TOP + i], tile->vertices[rim_vertex(i)], sizeof tile->vertices[0]);
        tile->vertices[TOP + i][1] -= depth; /* y is up */
        memcpy(index, quad, sizeof quad);
        index += 6;
    }
}

/* The tile whose first cell is (x, y), counted in the level's own cells. */
static struct tile *make_tile(terrain_world *level, int64_t x, int64_t y)
{
    struct tile *tile = malloc(sizeof *tile);
    terrain_heightmap *map = NULL;
    check(tile != NULL ? TERRAIN_SUCCESS : TERRAIN_ERROR_MEMORY);
    check(terrain_heightmap_create(NULL, SIDE, SIDE, &map));
    check(terrain_world_tile(NULL, level, x, y, map));
    check(terrain_mesh_positions(NULL, map, NULL, tile->vertices[0], 3));
    check(terrain_mesh_indices(NULL, map, NULL, tile->indices));
    add_skirt(tile, terrain_heightmap_cell_size(map));
    terrain_heightmap_destroy(map);
    return tile;
}

/* The height of the western edge, beside vertex y of a tile whose cells are half as wide. Between
 * two vertices the edge runs straight. */
static float coarse_height(const struct tile *coarse, uint32_t y)
{
    return (coarse->vertices[y / 2 * SIDE][1] + coarse->vertices[(y + 1) / 2 * SIDE][1]) / 2;
}

static float widest_gap(const struct tile *west, const struct tile *east)
{
    float gap = 0;
    for (uint32_t y = 0; y <= CELLS; y++) {
        const float step = west->vertices[y * SIDE + CELLS][1] - coarse_height(east, y);
        gap = step > gap ? step : -step > gap ? -step : gap;
    }
    return gap;
}

static void match_eastern_edge(struct tile *west, const struct tile *east)
{
    for (uint32_t y = 0; y <= CELLS; y++) {
        west->vertices[y * SIDE + CELLS][1] = coarse_height(east, y);
    }
}

int main(void)
{
    static const char text[] = "hills = generate_noise seed=3 period=200 amplitude=60\n"
                               "worn  = erode_thermal hills talus=0.5 iterations=40\n";
    terrain_recipe *recipe = NULL;
    check(terrain_recipe_parse(NULL, text, strlen(text), &recipe));
    terrain_world *levels[2] = {make_level(recipe, 0), make_level(recipe, 1)};

    struct tile *west = make_tile(levels[0], 0, 0);
    struct tile *east = make_tile(levels[1], CELLS / 2, 0); /* where the western one ends */

    const float before = widest_gap(west, east);
    match_eastern_edge(west, east);
    printf("a tile: %d vertices, %d triangles, %d of them skirt\n", TOP + RIM, INDICES / 3,
           2 * RIM);
    printf("the edges are up to %.2f apart, the skirts 1 and 2 deep\n", (double)before);
    printf("matched, they are up to %.2f apart\n", (double)widest_gap(west, east));

    free(west);
    free(east);
    terrain_world_destroy(levels[0]);
    terrain_world_destroy(levels[1]);
    terrain_recipe_destroy(recipe);
    return 0;
}
