/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <stdio.h>
#include <terrain/terrain.h>

int main(void)
{
    terrain_heightmap *map = NULL;
    terrain_heightmap_create(NULL, 512, 512, &map); /* NULL: no context, all defaults */

    terrain_generate_fault_lines_params faults;
    terrain_generate_fault_lines_params_init(&faults, sizeof faults);
    faults.seed = 7;
    terrain_generate_fault_lines(NULL, map, &faults);

    terrain_erode_fir(NULL, map, NULL); /* NULL: the documented defaults */
    terrain_erode_thermal(NULL, map, NULL);
    terrain_blur_gaussian(NULL, map, NULL);

    const float *heights = terrain_heightmap_const_data(map); /* row by row */
    printf("height at (100, 50): %.3f\n", (double)heights[50 * 512 + 100]);
    terrain_heightmap_destroy(map);
    return 0;
}
