/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The shaded relief: colours by altitude, under light from the north-west. */

#ifndef TERRAIN_TOOL_DRAW_H
#define TERRAIN_TOOL_DRAW_H

#include <terrain/terrain.h>

/* Fills rgb, 3 bytes a cell. With exaggeration 0, slopes are stretched so that their mean looks like
 * that of a mountain land, whatever the units of the map. Heights that are not finite are grey. */
terrain_status draw_relief(terrain_context *context, const terrain_heightmap *map,
                           float exaggeration, unsigned char *rgb);

#endif
