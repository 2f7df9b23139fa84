/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* One octave of smooth noise, for operations that vary something from place to place: the mean of
 * values (as in value noise) and slopes (as in gradient noise) at the nodes of a world-anchored
 * lattice. Unlike gradient noise alone it doesn't vanish at the nodes.
 *
 * Node (k, j) lies on cell (k * period, j * period). Its bits (terrain__random_cell) give, all
 * exact,
 *     value = (2 * (bits >> 20) + 1) / 4096 - 1
 *     east  = (2 * (bits >> 10 & 1023) + 1) / 1024 - 1
 *     south = (2 * (bits & 1023) + 1) / 1024 - 1
 * and at (u, v) periods from it the plane value + east * u + south * v. The noise between four
 * nodes goes from plane to plane with s(t) = t^3 (t (6 t - 15) + 10), down and across. Within (-2,
 * 2); half of all places have less than 0.3, either sign. */

#ifndef TERRAIN_VECTOR_LATTICE_H
#define TERRAIN_VECTOR_LATTICE_H

#include "vector/lattice_kernels.h"

typedef struct terrain__lattice {
    uint64_t stream; /* terrain__random_stream */
    uint32_t period; /* cells, at least 1 */
    uint32_t isa;
} terrain__lattice;

/* target[k * stride + i] = the noise in world cell (x + i, y + k). Nodes are made anew in each
 * call, so some rows at once take less time than one after the other. */
void terrain__lattice_rows(const terrain__lattice *lattice, float *target, size_t stride, int64_t x,
                           int64_t y, uint32_t width, uint32_t height);

#endif
