/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Where h lies at v above its layer's foot and at w below its top, Schlick's bias lifts it by
 *
 *     strength t (g u / (1 + (g - 1) u) - u) = strength bend v w / (1 + bend v)
 *
 * with t = v + w, u = v / t and bend = (g - 1) / t. In float, since all lengths are within one
 * sequence of layers: what is rounded are parts of its thickness, however high h is. */

#include "shape/strata_kernels.h"

#include "vector/vec.h"

enum { STRATA_BLOCK = 128 };

/* lift[i] = how high the layers lie in cell begin + i before they are folded, less whole
 * sequences. */
static void strata_lift(float *lift, const struct strata_row *row, uint32_t begin, uint32_t count,
                        const struct strata_layers *layers)
{
    const uint64_t phase = row->phase + begin * row->phase_step;
    for (uint32_t i = 0; i < count; i++) {
        /* Half a turn either way: the upper 32 bits as a signed number. */
        int32_t turn = (int32_t)(uint32_t)((phase + i * row->phase_step) >> 32);
        lift[i] = layers->offset + (float)turn * 0x1p-32f * layers->total;
    }
}

/* How far h lies above the foot of its sequence, 0 to the total; 0 where it is not finite. Beyond
 * 2^22 sequences it is any number of that range. */
static inline vfloat strata_above(vfloat h, vfloat lift, const struct strata_layers *layers)
{
    vfloat turns = (h - lift) * vf_set(layers->inverse_total);
    vfloat nearest = (turns + vf_set(0x1.8p23f)) - vf_set(0x1.8p23f);
    vfloat whole = nearest - vf_select(vf_less(turns, nearest), vf_set(1), vf_set(0));
    vfloat above =
        ((h - whole * vf_set(layers->total_high)) - whole * vf_set(layers->total_low)) - lift;
    return vf_min(vf_max(above, vf_set(0)), vf_set(layers->total));
}

static inline vfloat strata_change(vfloat above, const struct strata_layers *layers)
{
    vfloat foot = vf_set(layers->layers[0].foot), top = vf_set(layers->layers[0].top);
    vfloat bend = vf_set(layers->layers[0].bend);
    for (uint32_t k = 1; k < layers->count; k++) {
        const struct strata_layer *layer = &layers->layers[k];
        vmask reached = vf_less_equal(vf_set(layer->foot), above);
        foot = vf_select(reached, vf_set(layer->foot), foot);
        top = vf_select(reached, vf_set(layer->top), top);
        bend = vf_select(reached, vf_set(layer->bend), bend);
    }
    vfloat v = above - foot, w = top - above;
    return vf_set(layers->strength) * bend * (v * w) / (vf_set(1) + bend * v);
}

/* The layer of a height that is not finite is NaN. */
static inline vfloat strata_layer_of(vfloat above, vfloat h, const struct strata_layers *layers,
                                     vfloat *hardness)
{
    vfloat id = h - h;
    *hardness = vf_set(layers->layers[0].hardness);
    for (uint32_t k = 1; k < layers->count; k++) {
        const struct strata_layer *layer = &layers->layers[k];
        vmask reached = vf_less_equal(vf_set(layer->foot), above);
        id = id + vf_select(reached, vf_set(1), vf_set(0));
        *hardness = vf_select(reached, vf_set(layer->hardness), *hardness);
    }
    *hardness = *hardness + (h - h);
    return id;
}

static inline vfloat strata_load(const float *from, uint32_t left)
{
    return left < VEC_LANES ? vf_load_first(from, left) : vf_load(from);
}

static inline void strata_store(float *to, vfloat v, uint32_t left)
{
    if (left < VEC_LANES) {
        vf_store_first(to, v, left);
    } else {
        vf_store(to, v);
    }
}

static void strata_row(const struct strata_row *row, uint32_t width,
                       const struct strata_layers *layers)
{
    float lift[STRATA_BLOCK];
    for (uint32_t x = 0; x < width; x += VEC_LANES) {
        const uint32_t left = width - x;
        if (x == 0 || (x % STRATA_BLOCK == 0 && row->phase_step != 0)) {
            strata_lift(lift, row, x, left < STRATA_BLOCK ? left : STRATA_BLOCK, layers);
        }
        vfloat h = strata_load(row->source + x, left);
        vfloat height = strata_load(lift + x % STRATA_BLOCK, left);
        if (row->folds != NULL) {
            height = height + vf_set(layers->fold) * strata_load(row->folds + x, left);
        }
        vfloat above = strata_above(h, height, layers);
        if (row->layer_id != NULL || row->hardness != NULL) {
            vfloat hardness, id = strata_layer_of(above, h, layers, &hardness);
            if (row->layer_id != NULL) {
                strata_store(row->layer_id + x, id, left);
            }
            if (row->hardness != NULL) {
                strata_store(row->hardness + x, hardness, left);
            }
        }
        strata_store(row->target + x, h + strata_change(above, layers), left);
    }
}

const struct strata_kernels TERRAIN__KERNELS(strata) = {strata_row};
