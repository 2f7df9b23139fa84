/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of shape_strata: a row of layered rock. */

#ifndef TERRAIN_SHAPE_STRATA_KERNELS_H
#define TERRAIN_SHAPE_STRATA_KERNELS_H

#include "base/kernels.h"

enum { STRATA_MOST_LAYERS = 64 };

/* What the formula takes from one layer, whose thickness is t, and whose g is the slope du'/du at
 * its foot. */
struct strata_layer {
    float foot; /* above the sequence's own */
    float top;  /* the next layer's foot */
    float bend; /* (g - 1) / t */
    float hardness;
};

/* One sequence of layers, which repeats above and below. Its thickness is also the sum total_high +
 * total_low, of which the first has so few bits that products with up to 4096 are exact. */
struct strata_layers {
    float total; /* the sequence's thickness */
    float total_high;
    float total_low;
    float inverse_total; /* 1 / total */
    float offset;        /* where a sequence begins, within one of 0 */
    float fold;          /* what folds are multiplied by */
    float strength;
    uint32_t count;
    struct strata_layer layers[STRATA_MOST_LAYERS];
};

struct strata_row {
    float *target;
    const float *source; /* may be target */
    const float *soon;   /* what to ask for: the source's next row, or source */
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
