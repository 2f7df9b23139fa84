/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Four tiles that were eroded one by one, measured, stitched, and measured again. */

#include <stdio.h>
#include <stdlib.h>
#include <terrain/terrain.h>

enum { SIDE = 129, COLUMNS = 2, ROWS = 2 };

static void check(terrain_status status)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s\n", terrain_status_name(status));
        exit(1);
    }
}

static void measure(const char *when, terrain_heightmap *const *maps)
{
    terrain_seams seams;
    terrain_seams_init(&seams, sizeof seams);
    check(terrain_seams_measure(NULL, (const terrain_heightmap *const *)maps, COLUMNS, ROWS, 1,
                                &seams));
    printf("%s: worst step %.3f, worst kink %.3f\n", when, seams.worst_step, seams.worst_kink);
}

int main(void)
{
    terrain_heightmap *maps[COLUMNS * ROWS];
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        check(terrain_heightmap_create(NULL, SIDE, SIDE, &maps[i]));
        /* Neighbours share their edges: SIDE - 1 cells from one to the next. */
        check(terrain_heightmap_set_origin(maps[i], i % COLUMNS * (SIDE - 1),
                                           i / COLUMNS * (SIDE - 1)));
        check(terrain_generate_noise(NULL, maps[i], NULL));
        check(terrain_erode_flatten(NULL, maps[i], NULL));
    }
    measure("alone", maps);
    check(terrain_stitch_edges(NULL, maps, COLUMNS, ROWS, NULL));
    measure("stitched", maps);
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        terrain_heightmap_destroy(maps[i]);
    }
    return 0;
}
