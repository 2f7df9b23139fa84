/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* The random displacements of generate_diamond_square, which generate_midpoint shares. */

#ifndef TERRAIN_GENERATE_DIAMOND_SQUARE_H
#define TERRAIN_GENERATE_DIAMOND_SQUARE_H

#include <stdint.h>

struct diamond_square_level {
    uint64_t stream;
    float centre, edge; /* amplitudes */
};

/* The stream and the amplitudes of level k. Level 0 is the lattice, whose amplitude is given. */
struct diamond_square_level terrain__diamond_square_level(uint64_t seed, uint32_t k,
                                                          float amplitude, float gain);

#endif
