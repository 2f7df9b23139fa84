/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A terrain from nothing: fault lines, smeared downhill, with slopes that hold, and smoothed. */

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <terrain/terrain.h>

static void check(terrain_status status, const terrain_context *context)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s: %s\n", terrain_status_name(status), terrain_context_message(context));
        exit(1);
    }
}

int main(void)
{
    terrain_context *context = NULL;
    terrain_heightmap *map = NULL;
    check(terrain_context_create(NULL, &context), NULL);
    check(terrain_heightmap_create(context, 512, 512, &map), context);

    terrain_generate_fault_lines_params faults;
    terrain_generate_fault_lines_params_init(&faults, sizeof faults);
    faults.seed = 7;
    check(terrain_generate_fault_lines(context, map, &faults), context);

    check(terrain_erode_fir(context, map, NULL), context); /* NULL: the documented defaults */

    terrain_erode_thermal_params thermal;
    terrain_erode_thermal_params_init(&thermal, sizeof thermal);
    thermal.talus = 0.7f; /* rise over run: 35 degrees */
    check(terrain_erode_thermal(context, map, &thermal), context);

    check(terrain_blur_gaussian(context, map, NULL), context);

    const float *heights = terrain_heightmap_const_data(map); /* row by row */
    printf("height at (100, 50): %.3f\n", (double)heights[50 * 512 + 100]);
    printf("hash: %016" PRIx64 "\n", terrain_heightmap_hash(map));

    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    return 0;
}
