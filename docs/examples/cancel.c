/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Progress, and cancelling: a cancelled call leaves the map as it was. */

#include <stdio.h>
#include <stdlib.h>
#include <terrain/terrain.h>

struct bar {
    double cancel_at;
    int shown; /* tenths */
};

/* Called on the calling thread, between passes. Nonzero cancels. */
static int32_t bar_report(void *user, double fraction)
{
    struct bar *bar = user;
    while (bar->shown < (int)(fraction * 10)) {
        bar->shown++;
        putchar('#');
    }
    fflush(stdout);
    return fraction >= bar->cancel_at;
}

static void check(terrain_status status)
{
    if (status != TERRAIN_SUCCESS) {
        fprintf(stderr, "%s\n", terrain_status_name(status));
        exit(1);
    }
}

int main(void)
{
    struct bar bar = {0.5, 0};
    terrain_context_desc desc;
    terrain_context *context = NULL;
    terrain_heightmap *map = NULL;

    terrain_context_desc_init(&desc, sizeof desc);
    desc.progress = (terrain_progress){&bar, bar_report};
    check(terrain_context_create(&desc, &context));
    check(terrain_heightmap_create(context, 512, 512, &map));
    check(terrain_generate_diamond_square(NULL, map, NULL)); /* no bar */
    uint64_t before = terrain_heightmap_hash(map);

    terrain_erode_thermal_params params;
    terrain_erode_thermal_params_init(&params, sizeof params);
    params.iterations = 400;
    bar.shown = 0;
    terrain_status status = terrain_erode_thermal(context, map, &params);
    printf(" %s: %s\n", terrain_status_name(status), terrain_context_message(context));
    printf("map as it was: %s\n", terrain_heightmap_hash(map) == before ? "yes" : "no");

    bar.cancel_at = 2; /* never */
    bar.shown = 0;
    status = terrain_erode_thermal(context, map, &params);
    printf(" %s\n", terrain_status_name(status));

    terrain_heightmap_destroy(map);
    terrain_context_destroy(context);
    return status == TERRAIN_SUCCESS ? 0 : 1;
}
