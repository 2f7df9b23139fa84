/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_SHAPE_STRATA_KERNELS_H
#define TERRAIN_SHAPE_STRATA_KERNELS_H

#include "base/kernels.h"

enum { STRATA_MOST_LAYERS = 64 };

/* One sequence of layers, which repeats above and below. */
struct strata_layers {
    double total; /* the sequence's thickness */
    double inverse_total;
    double offset;
    double strength;
    uint32_t count;
    double foot[STRATA_MOST_LAYERS]; /* above the sequence's own */
    double thickness[STRATA_MOST_LAYERS];
    double inverse[STRATA_MOST_LAYERS]; /* 1 / thickness */
    double slope[STRATA_MOST_LAYERS];   /* du'/du at the foot */
    float hardness[STRATA_MOST_LAYERS];
};

struct strata_row {
    float *target;
    const float *source; /* may be target */
    float *layer_id;     /* NULL: not wanted */
    float *hardness;     /* NULL: not wanted */
    const float *folds;  /* NULL: none */
    uint64_t phase;      /* how high the layers lie in the first cell, in 2^-64 of the total */
    uint64_t phase_step; /* and how much higher in the next */
};

struct strata_kernels {
    void (*row)(const struct strata_row *row, uint32_t width, const struct strata_layers *layers);
};

TERRAIN__DECLARE_KERNELS(strata)

#endif
