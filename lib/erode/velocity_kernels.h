/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_velocity: one step of water, sediment and velocities on a row. */

#ifndef TERRAIN_ERODE_VELOCITY_KERNELS_H
#define TERRAIN_ERODE_VELOCITY_KERNELS_H

#include "base/kernels.h"

/* The planes of a cell's numbers that follow ground and water (runoff.h): first what has arrived in
 * the cell, then what is about to leave it. Velocities are in cells an iteration. Cells whose
 * ground is not finite are walls, as are all outside the map: nothing moves there, and nothing
 * enters. */
enum {
    TERRAIN__VELOCITY_SEDIMENT = 2,
    TERRAIN__VELOCITY_X = 3,
    TERRAIN__VELOCITY_Y = 4,
    TERRAIN__VELOCITY_Z = 5,
    TERRAIN__VELOCITY_LEFT_WATER = 6,
    TERRAIN__VELOCITY_LEFT_SEDIMENT = 7,
    TERRAIN__VELOCITY_LEFT_X = 8,
    TERRAIN__VELOCITY_LEFT_Y = 9,
    TERRAIN__VELOCITY_LEFT_Z = 10,
    TERRAIN__VELOCITY_LEFT_GROUND = 11,
    TERRAIN__VELOCITY_COUNT = 12
};

/* A row and its neighbours, each at the first cell's ground; the other things follow by `plane`
 * floats each. */
struct velocity_row {
    float *centre;
    const float *north, *south;
    size_t plane;
    size_t width;
    float cells_per_height;
    float rain;     /* as a height, for the next iteration */
    float capacity; /* in this iteration */
    float bank;     /* as a height */
    float evaporation, gravity, friction, wear, impact, settling;
};

/* `rain` comes before the first iteration. `flow` makes velocities, and what the ground gives or
 * gets; `take` moves it, dries, and rains for the next iteration. */
struct velocity_kernels {
    void (*rain)(const struct velocity_row *row);
    void (*flow)(const struct velocity_row *row);
    void (*take)(const struct velocity_row *row);
};

TERRAIN__DECLARE_KERNELS(velocity)

#endif
