/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "shape/strata_kernels.h"

#include "base/math.h"

enum { STRATA_BLOCK = 256 };

/* above[i] = how far cell begin + i lies above the foot of its sequence; NaN where it is not
 * finite. */
static void strata_place(double *above, const struct strata_row *row, uint32_t begin,
                         uint32_t count, const struct strata_layers *layers)
{
    const float *source = row->source + begin;
    uint64_t phase = row->phase + begin * row->phase_step;
    double total = layers->total;
    double inverse = layers->inverse_total;
    for (uint32_t i = 0; i < count; i++) {
        /* Half a turn either way: the upper 32 bits as a signed number. */
        int32_t turn = (int32_t)(uint32_t)((phase + i * row->phase_step) >> 32);
        above[i] = ((double)source[i] - layers->offset) - (double)turn * 0x1p-32 * total;
    }
    if (row->folds != NULL) {
        const float *folds = row->folds + begin;
        for (uint32_t i = 0; i < count; i++) {
            above[i] -= (double)folds[i];
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        double a = above[i] - terrain__floor(above[i] * inverse) * total;
        a = a < 0 ? 0 : a;
        above[i] = a > total ? total : a;
    }
}

/* layer[i] = the index of the layer that cell i lies in. */
static void strata_find(int32_t *layer, const double *above, uint32_t count,
                        const struct strata_layers *layers)
{
    for (uint32_t i = 0; i < count; i++) {
        layer[i] = 0;
    }
    for (uint32_t k = 1; k < layers->count; k++) {
        double foot = layers->foot[k];
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < count; i++) {
            layer[i] += above[i] >= foot ? 1 : 0;
        }
    }
}

/* Outputs are written before the target: none overlaps another map. */
static void strata_outputs(const struct strata_row *row, uint32_t begin, uint32_t count,
                           const int32_t *layer, const double *above,
                           const struct strata_layers *layers)
{
    for (uint32_t i = 0; row->layer_id != NULL && i < count; i++) {
        float nothing = (float)(above[i] - above[i]);
        row->layer_id[begin + i] = (float)layer[i] + nothing;
    }
    for (uint32_t i = 0; row->hardness != NULL && i < count; i++) {
        float nothing = (float)(above[i] - above[i]);
        row->hardness[begin + i] = layers->hardness[layer[i]] + nothing;
    }
}

static void strata_row(const struct strata_row *row, uint32_t width,
                       const struct strata_layers *layers)
{
    double above[STRATA_BLOCK];
    int32_t layer[STRATA_BLOCK];
    for (uint32_t begin = 0; begin < width; begin += STRATA_BLOCK) {
        uint32_t count = width - begin < STRATA_BLOCK ? width - begin : STRATA_BLOCK;
        strata_place(above, row, begin, count, layers);
        strata_find(layer, above, count, layers);
        strata_outputs(row, begin, count, layer, above, layers);
        TERRAIN__INDEPENDENT
        for (uint32_t i = 0; i < count; i++) {
            int32_t k = layer[i];
            double h = (double)row->source[begin + i];
            double thickness = layers->thickness[k];
            double slope = layers->slope[k];
            double u = (above[i] - layers->foot[k]) / thickness;
            u = u > 1 ? 1 : u;
            double change = slope * u / (1 + (slope - 1) * u) - u;
            change = layers->strength * (thickness * change);
            row->target[begin + i] = (float)(h + (change == change ? change : 0));
        }
    }
}

const struct strata_kernels TERRAIN__KERNELS(strata) = {strata_row};
