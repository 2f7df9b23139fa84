/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_CORE_LATTICE_KERNELS_H
#define TERRAIN_CORE_LATTICE_KERNELS_H

#include "core/kernels.h"

/* The row's profile around a node: value + slope * u at u periods from it. */
struct lattice_node {
    float value;
    float slope;
};

struct lattice_kernels {
    /* target[i] = the noise at (first + i) * step periods from `left`, which is 1 before
     * `right`. */
    void (*between)(float *target, uint32_t count, uint32_t first, float step,
                    const struct lattice_node *left, const struct lattice_node *right);
};

TERRAIN__DECLARE_KERNELS(lattice)

#endif
