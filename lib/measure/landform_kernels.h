/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of landforms: those that look at a cell and its neighbours. */

#ifndef TERRAIN_MEASURE_LANDFORM_KERNELS_H
#define TERRAIN_MEASURE_LANDFORM_KERNELS_H

#include "base/kernels.h"

enum {
    TERRAIN__FORMS_REACH = 20,
    TERRAIN__FORMS_DIAGONAL = 14, /* cells of a diagonal line of sight: 20 by the root of 2 */
    TERRAIN__FORMS_PATCH = 64,    /* at most so many cells at a time */
    TERRAIN__FORMS_SPARE = 16,
    TERRAIN__FORMS_PLACES = 81 /* higher lines, and 9 times lower ones */
};

/* The factors of the differences of height: straight, diagonal; k cells away at index k - 1. */
struct landform_sight {
    double factors[2][TERRAIN__FORMS_REACH];
};

/* What is added up over three passes: the mean, the deviation, the third power of what is left. */
struct landform_moment {
    int pass;
    double mean, deviation;
};

struct landform_kernels {
    /* What the Laplacians of a row add in a pass, 0 where there is none; returns how many there
     * are. */
    uint32_t (*laplacians)(double *added, const double *heights, size_t width, uint32_t count,
                           const struct landform_moment *moment);
    /* The slopes of a row's cells, from differences across two columns and `rows` rows; 0 where
     * there is none. Returns how many there are. */
    uint32_t (*slopes)(double *slopes, const double *north, const double *here, const double *south,
                       uint32_t count, double rows);
    /* Counts the cells of a patch by their lines of sight. Up to TERRAIN__FORMS_SPARE more doubles
     * than that takes are read. */
    void (*forms)(uint64_t *counts, const double *heights, size_t width, uint32_t count,
                  const struct landform_sight *sight);
};

TERRAIN__DECLARE_KERNELS(landform)

#endif
