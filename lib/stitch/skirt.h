/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Skirts: what stitch_edges and stitch_match have in common. The outer cells of each map along a
 * shared edge, one line or two, get new heights; what these lines changed by is carried inwards by
 * one profile for each line, and subtracted once where skirts cross (a Coons patch, with two lines
 * Hermite's).
 *
 * A seam is the edge between two maps. Its lines run along it; `across` counts from the first map's
 * innermost line to the second map's, so that the shared line is number lines - 1. */

#ifndef TERRAIN_STITCH_SKIRT_H
#define TERRAIN_STITCH_SKIRT_H

#include "core/operation.h"
#include "terrain/stitch.h"

enum {
    TERRAIN__SKIRT_LINES = 2,                            /* of one map, at most */
    TERRAIN__SKIRT_ACROSS = 2 * TERRAIN__SKIRT_LINES - 1 /* of a seam */
};

/* Profiles along one axis: profile[i][d] is how much of what line i changed by arrives at distance
 * d. */
typedef struct terrain__skirt_axis {
    float *profile[TERRAIN__SKIRT_LINES];
    float *reversed[TERRAIN__SKIRT_LINES]; /* from the other edge */
    uint32_t length;                       /* cells of the map along this axis */
    uint32_t reach;                        /* profiles are 0 from here on */
} terrain__skirt_axis;

typedef struct terrain__skirt_job {
    uint32_t lines;
    terrain__skirt_axis x, y;
    /* For each seam the new heights of its 2 lines - 1 lines, then what the first map's lines
     * change by, from the edge inwards, then the second map's. Seams between columns (vertical) run
     * along y. */
    float *vertical;
    float *horizontal;
} terrain__skirt_job;

/* In prepare: scratch for `lines` lines, with skirts of `width` cells. Fills everything but the
 * profiles. Fails if the maps are too small. */
terrain_status terrain__skirt_prepare(terrain__call *call, uint32_t lines, uint32_t width);

/* The curve f(t), for t in [0, 1]. */
double terrain__stitch_curve(terrain_stitch_curve curve, double t);

/* In run, once the profiles are filled: both passes. */
terrain_status terrain__skirt_run(terrain__call *call);

/* Fills `reversed` from `profile`. */
void terrain__skirt_reverse(terrain__skirt_axis *axis, uint32_t lines);

#endif
