/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_rain: one step of water and dissolved ground on a row. */

#ifndef TERRAIN_ERODE_RAIN_KERNELS_H
#define TERRAIN_ERODE_RAIN_KERNELS_H

#include "base/kernels.h"

/* The planes of a cell's numbers that follow ground and water (runoff.h). */
enum {
    TERRAIN__RAIN_FLOW = 2, /* how much flows away */
    /* FAST: where to: 0 nowhere, 1 north, 2 west, 3 east, 4 south, as int32_t. */
    TERRAIN__RAIN_TARGET = 3,
    TERRAIN__RAIN_FAST_COUNT = 4,
    /* REFERENCE */
    TERRAIN__RAIN_SEDIMENT = 3,
    TERRAIN__RAIN_SURFACE = 4, /* ground and water, before the flow */
    TERRAIN__RAIN_SHARE = 5,   /* what flows for each unit that a neighbour is lower */
    TERRAIN__RAIN_LOAD = 6,    /* sediment in each unit of water */
    TERRAIN__RAIN_LEVEL = 7,   /* ground and water, which the next flow reads */
    TERRAIN__RAIN_REFERENCE_COUNT = 8
};

/* A row and its neighbours, each at the first cell's ground; the other things follow by `plane`
 * floats each. */
struct rain_row {
    float *centre;
    const float *north, *south;
    size_t plane;
    size_t width;
    float rain; /* as a height; 0 in the last iteration, for which it has rained already */
    float solubility;
    float evaporation;
    float capacity;
};

/* By mode. */
struct rain_kernels {
    void (*rain[2])(const struct rain_row *row);
    void (*flow[2])(const struct rain_row *row); /* decides */
    void (*take[2])(const struct rain_row *row); /* moves, dries, and rains for the next one */
};

TERRAIN__DECLARE_KERNELS(rain)

#endif
