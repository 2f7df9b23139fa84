/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of analyze_distance: steps down and up the columns, then the nearest cell along a row. */

#ifndef TERRAIN_ANALYZE_DISTANCE_KERNELS_H
#define TERRAIN_ANALYZE_DISTANCE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

enum {
    TERRAIN__DISTANCE_PATCH = 32, /* cells that share their candidates */
    TERRAIN__DISTANCE_PAD = 64    /* floats past a row, at least a patch and a vector */
};

/* A row and what is needed to work on it. */
struct distance_row {
    const uint16_t *steps; /* to the nearest cell in the range in each column, at most reach */
    float *columns;        /* scratch: width + TERRAIN__DISTANCE_PAD */
    uint32_t *nearest;     /* scratch: one for each patch, and one more */
    const float *squares;  /* squares[k] = k * k for |k| <= reach + TERRAIN__DISTANCE_PAD */
    uint32_t width;
    uint32_t reach;
    float scale; /* of lengths; of a mask the inverse of reach */
    bool mask;
};

struct distance_kernels {
    /* Steps up to the nearest cell in the range: 0, or one more than `above` has, at most
     * `most`. */
    void (*down)(uint16_t *steps, const uint16_t *above, const float *heights, uint32_t width,
                 float low, float high, uint32_t most);
    /* Goes up: `below` is the row below, and the lesser number of steps stays. */
    void (*up)(uint16_t *steps, const uint16_t *below, uint32_t width);
    void (*across)(float *target, const struct distance_row *row);
};

TERRAIN__DECLARE_KERNELS(distance)

#endif
