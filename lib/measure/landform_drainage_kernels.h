/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of landforms' drainage: where water runs on a filled map, cells whose eight neighbours
 * lie in the map. */

#ifndef TERRAIN_MEASURE_LANDFORM_DRAINAGE_KERNELS_H
#define TERRAIN_MEASURE_LANDFORM_DRAINAGE_KERNELS_H

#include "base/kernels.h"

struct landform_drainage_kernels {
    /* The way of each cell, TERRAIN__DRAINED_OUT where the cell is infinitely high. */
    void (*ways)(uint8_t *ways, const double *filled, size_t width, size_t count);
    /* Adds 16 to the cell's marks for each neighbour whose way leads to it. */
    void (*donors)(uint8_t *marks, const uint8_t *ways, size_t width, size_t count);
};

TERRAIN__DECLARE_KERNELS(landform_drainage)

#endif
