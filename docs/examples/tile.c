/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A tile of an endless terrain, computed alone, equals the same cells of a larger map. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <terrain/terrain.h>

static void check(terrain_status status)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s\n", terrain_status_name(status));
        exit(1);
    }
}

/* The window `tile` of endless, eroded hills. Makes as much more around it as erosion looks at. */
static terrain_heightmap *make_tile(const terrain_window *tile)
{
    const terrain_operation *thermal = terrain_operation_find("erode_thermal");
    terrain_heightmap *map = NULL;
    terrain_heightmap *inner = NULL;
    terrain_heightmap *out = NULL;
    terrain_window need;
    check(terrain_operation_window(thermal, NULL, 0, tile, &need));

    check(terrain_heightmap_create(NULL, need.width, need.height, &map));
    check(terrain_heightmap_set_origin(map, need.x, need.y));
    check(terrain_generate_diamond_square(NULL, map, NULL));
    check(terrain_erode_thermal(NULL, map, NULL));

    /* The middle of it, as a map without a copy, then copied out. */
    check(terrain_heightmap_view(NULL, map, (uint32_t)(tile->x - need.x),
                                 (uint32_t)(tile->y - need.y), tile->width, tile->height, &inner));
    check(terrain_heightmap_clone(NULL, inner, &out));
    terrain_heightmap_destroy(inner);
    terrain_heightmap_destroy(map);
    return out;
}

int main(void)
{
    /* Far out: four billion cells east of the origin. */
    terrain_window large = {INT64_C(4294967000), -300, 600, 400};
    terrain_window small = {INT64_C(4294967000) + 256, -300 + 128, 128, 64};
    terrain_heightmap *whole = make_tile(&large);
    terrain_heightmap *tile = make_tile(&small);
    terrain_heightmap *crop = NULL;
    check(terrain_heightmap_view(NULL, whole, 256, 128, 128, 64, &crop));

    printf("equal: %s\n",
           terrain_heightmap_hash(tile) == terrain_heightmap_hash(crop) ? "yes" : "no");

    terrain_heightmap_destroy(crop);
    terrain_heightmap_destroy(tile);
    terrain_heightmap_destroy(whole);
    return 0;
}
