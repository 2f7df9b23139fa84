/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of generate_ridges: a row of the map from what was drawn. */

#ifndef TERRAIN_GENERATE_RIDGES_KERNELS_H
#define TERRAIN_GENERATE_RIDGES_KERNELS_H

#include "base/kernels.h"

/* A cell of the frame. */
struct ridges_cell {
    uint32_t owner; /* number of the particle that entered it first; 0: none */
    float height;   /* if it has an owner */
};

struct ridges_kernels {
    /* to[i] = the height of cell i, or `otherwise` if it has no owner. */
    void (*put)(float *to, const struct ridges_cell *cells, float otherwise, size_t count);
};

TERRAIN__DECLARE_KERNELS(ridges)

#endif
