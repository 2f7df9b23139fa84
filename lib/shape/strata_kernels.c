/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Where h lies at v above its layer's foot and at w below its top, Schlick's bias lifts it by
 *
 *     strength t (g u / (1 + (g - 1) u) - u) = strength bend v w / (1 + bend v)
 *
 * with t = v + w, u = v / t and bend = (g - 1) / t. In float, since all lengths are within one
 * sequence of layers: what is rounded are parts of its thickness, however high h is. */

#include "shape/strata_kernels.h"

#include <math.h>
#include <stdbool.h>

#include "base/cache.h"
#include "vector/vec.h"

/* A table holds the first layers where looking one up is an instruction: cheaper than a choice for
 * each layer and number. */
enum { STRATA_PATCH = 128, STRATA_FEW = 4, STRATA_LOOKS_UP = VEC_LANES >= 8 };

/* What a row's vectors share, in registers: no store to the row can change it. */
struct strata_rock {
    vfloat total, total_high, total_low, inverse_total, fold, strength;
    vfloat foot[STRATA_FEW], top[STRATA_FEW], bend[STRATA_FEW]; /* the first layers */
    float feet[VEC_LANES], tops[VEC_LANES], bends[VEC_LANES];   /* the same, to look up */
    const struct strata_layer *layers;
    uint32_t count;
};

/* Beyond the last layer there are some that no height reaches. */
static inline void strata_set_rock(struct strata_rock *rock, const struct strata_layers *layers)
{
    rock->total = vf_set(layers->total);
    rock->total_high = vf_set(layers->total_high);
    rock->total_low = vf_set(layers->total_low);
    rock->inverse_total = vf_set(layers->inverse_total);
    rock->fold = vf_set(layers->fold);
    rock->strength = vf_set(layers->strength);
    rock->layers = layers->layers;
    rock->count = layers->count;
    for (uint32_t k = 0; k < STRATA_FEW; k++) {
        const struct strata_layer *layer = &layers->layers[k < layers->count ? k : 0];
        rock->foot[k] = vf_set(k < layers->count ? layer->foot : INFINITY);
        rock->top[k] = vf_set(layer->top);
        rock->bend[k] = vf_set(layer->bend);
        if (STRATA_LOOKS_UP) {
            rock->feet[k] = layer->foot;
            rock->tops[k] = layer->top;
            rock->bends[k] = layer->bend;
        }
    }
}

/* lift[i] = how high the layers lie in cell begin + i before they are folded, less whole
 * sequences. */
static void strata_lift(float *lift, const struct strata_row *row, uint32_t begin,
                        const struct strata_layers *layers)
{
    const float offset = layers->offset, total = layers->total;
    const uint64_t phase = row->phase + begin * row->phase_step, step = row->phase_step;
    const uint32_t different = step == 0 ? 1 : STRATA_PATCH;
    for (uint32_t i = 0; i < different; i++) {
        /* Half a turn either way: the upper 32 bits as a signed number. */
        int32_t turn = (int32_t)(uint32_t)((phase + i * step) >> 32);
        lift[i] = offset + (float)turn * 0x1p-32f * total;
    }
    for (uint32_t i = different; i < STRATA_PATCH; i++) {
        lift[i] = lift[0];
    }
}

/* How far h lies above the foot of its sequence, 0 to the total; 0 where it is not finite. Beyond
 * 2^22 sequences it is any number of that range. */
static inline vfloat strata_above(vfloat h, vfloat lift, const struct strata_rock *rock)
{
    vfloat turns = (h - lift) * rock->inverse_total;
    vfloat nearest = (turns + vf_set(0x1.8p23f)) - vf_set(0x1.8p23f);
    vfloat whole = vf_subtract_where(vf_less(turns, nearest), nearest, vf_set(1));
    vfloat above = ((h - whole * rock->total_high) - whole * rock->total_low) - lift;
    return vf_min(vf_max(above, vf_set(0)), rock->total);
}

/* How far what lies at `above` is lifted. */
static inline vfloat strata_change(vfloat above, bool few, const struct strata_rock *rock)
{
    vfloat foot = rock->foot[0], top = rock->top[0], bend = rock->bend[0];
    vuint at = vu_set(0); /* the layer */
    for (uint32_t k = 1; k < STRATA_FEW; k++) {
        vmask reached = vf_less_equal(rock->foot[k], above);
        if (STRATA_LOOKS_UP) {
            at = vu_count(reached, at);
        } else {
            foot = vf_select(reached, rock->foot[k], foot);
            top = vf_select(reached, rock->top[k], top);
            bend = vf_select(reached, rock->bend[k], bend);
        }
    }
    if (STRATA_LOOKS_UP) {
        foot = vf_lookup(rock->feet, at);
        top = vf_lookup(rock->tops, at);
        bend = vf_lookup(rock->bends, at);
    }
    for (uint32_t k = STRATA_FEW; !few && k < rock->count; k++) {
        const struct strata_layer *layer = &rock->layers[k];
        vmask reached = vf_less_equal(vf_set(layer->foot), above);
        foot = vf_select(reached, vf_set(layer->foot), foot);
        top = vf_select(reached, vf_set(layer->top), top);
        bend = vf_select(reached, vf_set(layer->bend), bend);
    }
    vfloat v = above - foot, w = top - above;
    return rock->strength * bend * (v * w) / (vf_set(1) + bend * v);
}

/* The layer of a height that is not finite is NaN. */
static void strata_layers_of(const float *from, const struct strata_row *row, uint32_t begin,
                             uint32_t count, const struct strata_rock *rock)
{
    for (uint32_t i = 0; i < count; i += VEC_LANES) {
        const uint32_t left = count - i;
        const vfloat above = vf_load(from + i), h = vf_load_up_to(row->source + begin + i, left);
        vfloat id = h - h, hardness = vf_set(rock->layers[0].hardness);
        for (uint32_t k = 1; k < rock->count; k++) {
            const struct strata_layer *layer = &rock->layers[k];
            vmask reached = vf_less_equal(vf_set(layer->foot), above);
            id = id + vf_select(reached, vf_set(1), vf_set(0));
            hardness = vf_select(reached, vf_set(layer->hardness), hardness);
        }
        if (row->layer_id != NULL) {
            vf_store_up_to(row->layer_id + begin + i, id, left);
        }
        if (row->hardness != NULL) {
            vf_store_up_to(row->hardness + begin + i, hardness + (h - h), left);
        }
    }
}

/* above[i] = how high cell begin + i lies in its sequence. */
TERRAIN__INLINE void strata_find(float *above, const float *lift, const struct strata_row *row,
                                 uint32_t begin, uint32_t i, uint32_t left,
                                 const struct strata_rock *rock)
{
    vfloat h = vf_load_up_to(row->source + begin + i, left), height = vf_load(lift + i);
    if (row->folds != NULL) {
        height = height + rock->fold * vf_load_up_to(row->folds + begin + i, left);
    }
    vf_store(above + i, strata_above(h, height, rock));
}

TERRAIN__INLINE void strata_apply(const float *above, const struct strata_row *row, uint32_t begin,
                                  uint32_t i, uint32_t left, bool few,
                                  const struct strata_rock *rock)
{
    vfloat h = vf_load_up_to(row->source + begin + i, left);
    vf_store_up_to(row->target + begin + i, h + strata_change(vf_load(above + i), few, rock), left);
}

/* In two loops: a processor can't hold enough cells at once to hide the time from a height to its
 * result, if one stands after the other. */
TERRAIN__INLINE void strata_patch(const struct strata_row *row, const float *lift, uint32_t begin,
                                  uint32_t count, bool few, const struct strata_rock *rock)
{
    const struct strata_row own = *row;
    const uint32_t whole = count / VEC_LANES * VEC_LANES;
    float above[STRATA_PATCH];
    for (uint32_t i = 0; i < whole; i += VEC_LANES) {
        terrain__prefetch(own.soon + begin + i, VEC_LANES * sizeof *own.soon);
        strata_find(above, lift, &own, begin, i, VEC_LANES, rock);
    }
    if (whole < count) {
        strata_find(above, lift, &own, begin, whole, count - whole, rock);
    }
    if (own.layer_id != NULL || own.hardness != NULL) {
        strata_layers_of(above, &own, begin, count, rock);
    }
    for (uint32_t i = 0; i < whole; i += VEC_LANES) {
        strata_apply(above, &own, begin, i, VEC_LANES, few, rock);
    }
    if (whole < count) {
        strata_apply(above, &own, begin, whole, count - whole, few, rock);
    }
}

static void strata_row(const struct strata_row *row, uint32_t width,
                       const struct strata_layers *layers)
{
    struct strata_rock rock;
    const bool few = layers->count <= STRATA_FEW;
    float lift[STRATA_PATCH];
    strata_set_rock(&rock, layers);
    for (uint32_t begin = 0; begin < width; begin += STRATA_PATCH) {
        const uint32_t count = width - begin < STRATA_PATCH ? width - begin : STRATA_PATCH;
        if (begin == 0 || row->phase_step != 0) {
            strata_lift(lift, row, begin, layers);
        }
        if (few) {
            strata_patch(row, lift, begin, count, true, &rock);
        } else {
            strata_patch(row, lift, begin, count, false, &rock);
        }
    }
}

const struct strata_kernels TERRAIN__KERNELS(strata) = {strata_row};
