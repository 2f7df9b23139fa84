/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A program of somebody else, as C99: uses what is installed, and nothing more. */

#include <stdio.h>
#include <stdlib.h>

#include <terrain/terrain.h>

static int check(terrain_status status, const char *what)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s: %s\n", what, terrain_status_name(status));
    }
    return status == TERRAIN_SUCCESS;
}

int main(void)
{
    float cells[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    terrain_heightmap *map = NULL;
    terrain_shape_clamp_params clamp;
    int right;

    if (terrain_version() != TERRAIN_VERSION || terrain_operation_count() == 0) {
        fprintf(stderr, "the library is not that of the headers\n");
        return 1;
    }
    right = check(terrain_heightmap_wrap(NULL, cells, 4, 3, 4, &map), "wrap");
    right = right && check(terrain_shape_clamp_params_init(&clamp, sizeof clamp), "init");
    clamp.low = 2;
    clamp.high = 9;
    right = right && check(terrain_shape_clamp(NULL, map, &clamp), "clamp");
    right = right && cells[0] == 2 && cells[5] == 5 && cells[11] == 9;
    printf("%d operations, hash %08lx%08lx\n", (int)terrain_operation_count(),
           (unsigned long)(terrain_heightmap_hash(map) >> 32),
           (unsigned long)(terrain_heightmap_hash(map) & 0xFFFFFFFF));
    terrain_heightmap_destroy(map);
    return right ? EXIT_SUCCESS : EXIT_FAILURE;
}
