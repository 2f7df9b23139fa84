/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* An array of the program's own as a heightmap: a strip of a larger array is raised, in place,
 * without a copy. */

#include <stdio.h>
#include <stdlib.h>
#include <terrain/terrain.h>

enum { WIDTH = 300, HEIGHT = 200 };

static void check(terrain_status status)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s\n", terrain_status_name(status));
        exit(1);
    }
}

int main(void)
{
    static float world[HEIGHT][WIDTH];

    /* 100 x 120 cells from row 40, column 50 on. The stride is the distance of rows, in floats. */
    terrain_heightmap *part = NULL;
    check(terrain_heightmap_wrap(NULL, &world[40][50], 100, 120, WIDTH, &part));
    terrain_heightmap_set_origin(part, 50, 40); /* where it lies, so that neighbours fit */

    terrain_generate_diamond_square_params params;
    terrain_generate_diamond_square_params_init(&params, sizeof params);
    params.spacing = 32;
    params.amplitude = 12;
    check(terrain_generate_diamond_square(NULL, part, &params));
    check(terrain_blur_gaussian(NULL, part, NULL));
    terrain_heightmap_destroy(part); /* the array stays */

    printf("inside: %.3f, beside: %.3f\n", (double)world[100][100], (double)world[100][150]);
    return 0;
}
