/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "shape/strata_kernels.h"

#include "base/math.h"

enum { STRATA_BLOCK = 128 };

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

/* What the formula takes from the layer that each cell lies in. */
struct strata_block {
    double above[STRATA_BLOCK];
    double foot[STRATA_BLOCK], thickness[STRATA_BLOCK], inverse[STRATA_BLOCK], slope[STRATA_BLOCK];
};

/* By comparing with each layer's foot: faster than reading four tables. */
static void strata_choose(struct strata_block *block, uint32_t count,
                          const struct strata_layers *layers)
{
    for (uint32_t i = 0; i < count; i++) {
        block->foot[i] = layers->foot[0];
        block->thickness[i] = layers->thickness[0];
        block->inverse[i] = layers->inverse[0];
        block->slope[i] = layers->slope[0];
    }
    for (uint32_t k = 1; k < layers->count; k++) {
        const double foot = layers->foot[k], thickness = layers->thickness[k];
        const double inverse = layers->inverse[k], slope = layers->slope[k];
        for (uint32_t i = 0; i < count; i++) {
            const double above = block->above[i];
            block->foot[i] = above >= foot ? foot : block->foot[i];
            block->thickness[i] = above >= foot ? thickness : block->thickness[i];
            block->inverse[i] = above >= foot ? inverse : block->inverse[i];
            block->slope[i] = above >= foot ? slope : block->slope[i];
        }
    }
}

static void strata_bend(float *target, const float *source, const struct strata_block *block,
                        uint32_t count, double strength)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        double slope = block->slope[i];
        double u = (block->above[i] - block->foot[i]) * block->inverse[i];
        u = u < 1 ? u : 1; /* of NaN too */
        double change = slope * u * terrain__inverse(1 + (slope - 1) * u) - u;
        target[i] = (float)((double)source[i] + strength * (block->thickness[i] * change));
    }
}

static void strata_row(const struct strata_row *row, uint32_t width,
                       const struct strata_layers *layers)
{
    struct strata_block block;
    int32_t layer[STRATA_BLOCK];
    for (uint32_t begin = 0; begin < width; begin += STRATA_BLOCK) {
        uint32_t count = width - begin < STRATA_BLOCK ? width - begin : STRATA_BLOCK;
        strata_place(block.above, row, begin, count, layers);
        if (row->layer_id != NULL || row->hardness != NULL) {
            strata_find(layer, block.above, count, layers);
            strata_outputs(row, begin, count, layer, block.above, layers);
        }
        strata_choose(&block, count, layers);
        strata_bend(row->target + begin, row->source + begin, &block, count, layers->strength);
    }
}

const struct strata_kernels TERRAIN__KERNELS(strata) = {strata_row};
