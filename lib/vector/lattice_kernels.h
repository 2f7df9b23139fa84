/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of lattice.h: cells between four nodes. */

#ifndef TERRAIN_VECTOR_LATTICE_KERNELS_H
#define TERRAIN_VECTOR_LATTICE_KERNELS_H

#include "base/kernels.h"

/* value + east * u + south * v at (u, v) periods from it. */
struct lattice_node {
    float value;
    float east;
    float south;
};

/* Cells between four nodes, from first_column, first_row on, counted from the node above left. */
struct lattice_patch {
    float *target;
    size_t stride;
    uint32_t columns;
    uint32_t rows;
    uint32_t first_column;
    uint32_t first_row;
    float step;                   /* a cell, in periods */
    struct lattice_node nodes[4]; /* above left, above right, below left, below right */
};

struct lattice_kernels {
    void (*fill)(const struct lattice_patch *patch);
};

TERRAIN__DECLARE_KERNELS(lattice)

#endif
