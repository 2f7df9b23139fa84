/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Iterations at another scale. */

#ifndef TERRAIN_ERODE_ITERATIONS_H
#define TERRAIN_ERODE_ITERATIONS_H

#include <stdint.h>

/* For material that spreads: it comes sqrt(n) cells far in n iterations. None stay none, and some
 * stay at least one. */
static inline uint32_t erode_iterations(uint32_t before, double scale, uint32_t most)
{
    const double iterations = (double)before * scale * scale;
    return iterations < 1              ? before > 0
           : iterations < (double)most ? (uint32_t)(iterations + 0.5)
                                       : most;
}

#endif
