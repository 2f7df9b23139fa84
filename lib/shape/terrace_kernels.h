/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of shape_terrace: a row of steps. */

#ifndef TERRAIN_SHAPE_TERRACE_KERNELS_H
#define TERRAIN_SHAPE_TERRACE_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* Levels that may be given; steps between them. */
enum { TERRACE_MOST_LEVELS = 64 };

/* One step, which repeats above and below. Its rise is also the sum rise_high + rise_low, of which
 * the first has so few bits that products with up to 4096 are exact. */
struct terrace_endless {
    float rise; /* from level to level */
    float rise_high;
    float rise_low;
    float inverse_rise; /* 1 / rise */
    float lift;         /* a level, the nearest to 0 */
    float slope;        /* dh'/dh on a level */
    float bend;         /* 2 (1 - slope) / rise */
    float far;          /* heights beyond stay what they are */
};

struct terrace_steps {
    bool is_endless;
    struct terrace_endless endless; /* if so, only this */
    double origin;                  /* the lowest level */
    double slope;                   /* dh'/dh on a level */
    uint32_t count;
    double foot[TERRACE_MOST_LEVELS]; /* above origin */
    double rise[TERRACE_MOST_LEVELS];
    double inverse_rise[TERRACE_MOST_LEVELS];
};

struct terrace_row {
    float *target;
    const float *source; /* may be target */
    const float *soon;   /* the source's next row; NULL: don't ask for it */
};

struct terrace_kernels {
    void (*row)(const struct terrace_row *row, uint32_t width, const struct terrace_steps *steps);
};

TERRAIN__DECLARE_KERNELS(terrace)

#endif
