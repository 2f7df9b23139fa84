/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of shape_terrace: a row of steps. */

#ifndef TERRAIN_SHAPE_TERRACE_KERNELS_H
#define TERRAIN_SHAPE_TERRACE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* Levels that may be given; steps between them. */
enum { TERRACE_MOST_LEVELS = 64 };

struct terrace_steps {
    double origin; /* the lowest level */
    double slope;  /* dh'/dh on a level */
    bool endless;  /* whether the steps repeat above and below */
    uint32_t count;
    double foot[TERRACE_MOST_LEVELS]; /* above origin */
    double rise[TERRACE_MOST_LEVELS];
    double inverse_rise[TERRACE_MOST_LEVELS];
};

struct terrace_kernels {
    /* target may be source. */
    void (*row)(float *target, const float *source, uint32_t width,
                const struct terrace_steps *steps);
};

TERRAIN__DECLARE_KERNELS(terrace)

#endif
