/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A map in perspective: a block of land that stands before the viewer, with the colours of its
 * relief. */

#ifndef TERRAIN_TOOL_PERSPECTIVE_H
#define TERRAIN_TOOL_PERSPECTIVE_H

#include <stdbool.h>

#include "image.h"

typedef struct perspective {
    float azimuth;          /* where the viewer stands: degrees, clockwise from the north */
    float altitude;         /* degrees above the horizon, 5 to 90 */
    uint32_t width, height; /* of the picture */
} perspective;

/* What is seen. */
typedef struct perspective_land {
    const terrain_heightmap *map; /* of two rows and columns at least */
    const unsigned char *colours; /* of its cells: red, green, blue */
    image_range range;            /* its lowest and its highest height */
    float exaggeration;           /* of heights */
    bool has_sea;
    float sea; /* the height of its surface */
} perspective_land;

/* Fills picture, three bytes a pixel: red, green, blue. Where heights are not finite are holes.
 * False if there is no memory, or Ctrl-C was pressed. */
bool perspective_draw(const perspective *view, const perspective_land *land,
                      unsigned char *picture);

#endif
