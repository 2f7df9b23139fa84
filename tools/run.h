/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A recipe's maps, for commands that do something else with them than write them. */

#ifndef TERRAIN_TOOL_RUN_H
#define TERRAIN_TOOL_RUN_H

#include <terrain/terrain.h>

typedef struct run_wanted {
    const char *name;       /* NULL: the result */
    terrain_heightmap *map; /* the caller destroys it */
} run_wanted;

/* Runs a recipe as `terrain run` does, with its arguments, but writes no files: it returns these
 * maps instead; the first may be the result. Returns a TOOL_… code. */
int run_maps(int argc, char **argv, run_wanted *wanted, uint32_t count);

#endif
