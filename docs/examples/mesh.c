/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A tile for a renderer: an interleaved vertex buffer and its triangles. The map has a ring of one
 * cell around the tile, so that normals fit those of the neighbouring tiles. */

#include <stdio.h>
#include <stdlib.h>
#include <terrain/terrain.h>

enum { TILE = 64, FLOATS = 6 };

int main(void)
{
    terrain_heightmap *map = NULL;
    terrain_heightmap_create(NULL, TILE + 2, TILE + 2, &map);
    terrain_heightmap_set_origin(map, 1280 - 1, -640 - 1);
    terrain_generate_noise(NULL, map, NULL);

    terrain_mesh_desc desc;
    terrain_mesh_desc_init(&desc, sizeof desc);
    desc.window.x = 1280;
    desc.window.y = -640;
    desc.window.width = desc.window.height = TILE;
    desc.diagonal = TERRAIN_MESH_DIAGONAL_FLATTER;

    uint32_t vertex_count, index_count;
    terrain_mesh_size(NULL, map, &desc, &vertex_count, &index_count);
    float *vertices = malloc(vertex_count * FLOATS * sizeof *vertices);
    uint32_t *indices = malloc(index_count * sizeof *indices);
    if (vertices == NULL || indices == NULL) {
        return 1;
    }
    terrain_mesh_positions(NULL, map, &desc, vertices, FLOATS);   /* x, y, z, -, -, - */
    terrain_mesh_normals(NULL, map, &desc, vertices + 3, FLOATS); /* -, -, -, nx, ny, nz */
    terrain_mesh_indices(NULL, map, &desc, indices);

    const float *last = vertices + (size_t)(vertex_count - 1) * FLOATS;
    printf("%lu vertices, %lu triangles\n", (unsigned long)vertex_count,
           (unsigned long)index_count / 3);
    printf("last: at (%.1f, %.3f, %.1f), facing (%.3f, %.3f, %.3f)\n", (double)last[0],
           (double)last[1], (double)last[2], (double)last[3], (double)last[4], (double)last[5]);
    free(vertices);
    free(indices);
    terrain_heightmap_destroy(map);
    return 0;
}
