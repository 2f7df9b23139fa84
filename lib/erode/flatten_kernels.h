/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of erode_flatten: moves of cells that share no neighbour. */

#ifndef TERRAIN_ERODE_FLATTEN_KERNELS_H
#define TERRAIN_ERODE_FLATTEN_KERNELS_H

#include "base/kernels.h"

/* Floats before the first cell of a piece of a row, and at least after its last one: infinite, and
 * left so. */
#define TERRAIN__FLATTEN_PAD 16u

struct flatten_kernels {
    /* count cells, up to a whole vector more, and their neighbours: each cell that stands above its
     * lowest neighbour, by no more than `talus`, gives it half of that. Of equally low neighbours
     * the first counts. No neighbour belongs to two of the cells. */
    void (*level)(float *centre, float *const neighbours[4], size_t count, float talus);
};

TERRAIN__DECLARE_KERNELS(flatten)

#endif
