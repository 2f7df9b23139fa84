/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The shaded relief: colours by height above the sea, under light from the north-west; from above,
 * or in perspective. */

#ifndef TERRAIN_TOOL_DRAW_H
#define TERRAIN_TOOL_DRAW_H

#include <stdbool.h>

#include "image.h"
#include "perspective.h"

enum { DRAW_MOST_OVERS = 16 };

/* A colour over the land, as opaque as a map says: not at 0, wholly at 1. */
typedef struct draw_over {
    char *path;
    terrain_heightmap *map; /* NULL: not read yet */
    float colour[3];        /* red, green, blue, of 255 */
} draw_over;

/* What colours land has. */
typedef enum draw_palette {
    DRAW_LAND,   /* meadows, rock, snow */
    DRAW_DESERT, /* sand and red rock */
    DRAW_GREY,   /* nothing but the light */
    DRAW_MASK,   /* no light: black to white */
    DRAW_PALETTES
} draw_palette;

typedef struct draw_style {
    float exaggeration; /* of slopes; 0: chosen so that the mean slope is that of mountains */
    float cell_size;    /* 0: the map's */
    bool has_sea;
    float sea; /* what lies below is blue, the deeper the darker */
    bool has_range;
    image_range range; /* heights of the first and the last colour; default: the map's */
    draw_palette palette;
    float contours; /* a line at each multiple of this; 0: none */
    bool shadows;   /* mountains cast them */
    draw_over overs[DRAW_MOST_OVERS];
    uint32_t over_count;
    bool has_view; /* false: from above, a pixel for a cell */
    perspective view;
} draw_style;

/* By name. NULL, or what is expected if none has that name. */
const char *draw_take_palette(const char *name, draw_palette *palette);
/* "MAP.png=blue", "MAP.png=#2060c0": the map is not read yet. Complains, and returns a TOOL_…
 * code. */
int draw_take_over(draw_style *style, const char *text);
/* Reads the maps that lie over this one, which must be as large; those that are there stay.
 * Returns a TOOL_… code. */
int draw_read_overs(draw_style *style, const terrain_heightmap *map);
void draw_free_overs(draw_style *style);

/* Lines over a picture: every x-th column and every y-th row, but for the picture's edges. */
typedef struct draw_lines {
    uint32_t x, y;
} draw_lines;

/* Draws the relief of a map, with lines if there are any (NULL: none), into a PNG file. `what` is
 * what complaints about the map begin with. Heights that are not finite are grey. The map's cell
 * size becomes the style's. Returns a TOOL_… code. */
int draw_picture(const char *what, terrain_heightmap *map, const draw_style *style,
                 const draw_lines *lines, const char *path);

#endif
