/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The shaded relief: colours by altitude, under light from the north-west. */

#ifndef TERRAIN_TOOL_DRAW_H
#define TERRAIN_TOOL_DRAW_H

#include <terrain/terrain.h>

/* Fills rgb, 3 bytes a cell. With exaggeration 0, slopes are stretched so that their mean looks
 * like that of a mountain land, whatever the units of the map. Heights that are not finite are
 * grey. */
terrain_status draw_relief(terrain_context *context, const terrain_heightmap *map,
                           float exaggeration, unsigned char *rgb);

/* Lines over a picture: every x-th column and every y-th row, but for the picture's edges. */
typedef struct draw_lines {
    uint32_t x, y;
} draw_lines;

/* Draws the relief of a map, with lines if there are any (NULL: none), into a PNG file. `what` is
 * what complaints about the map begin with. Returns a TOOL_… code. */
int draw_picture(const char *what, const terrain_heightmap *map, float exaggeration,
                 const draw_lines *lines, const char *path);

#endif
