/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/flatten_kernels.h"

#include "core/vec.h"

/* Adds the gift where the neighbour is the lowest, and takes it away from those after it. */
static inline vfloat flatten_give(float *neighbour, vfloat height, vfloat lowest, vfloat gift)
{
    vmask receives = vf_less_equal(height, lowest);
    vf_store(neighbour,
             vf_select(vm_and(receives, vf_less(vf_set(0), gift)), height + gift, height));
    return vf_select(receives, vf_set(0), gift);
}

static void flatten_level(float *centre, float *const neighbours[4], size_t count, float talus)
{
    const vfloat limit = vf_set(talus);
    for (size_t i = 0; i < count; i += VEC_LANES) {
        vfloat h = vf_load(centre + i);
        vfloat a = vf_load(neighbours[0] + i);
        vfloat b = vf_load(neighbours[1] + i);
        vfloat c = vf_load(neighbours[2] + i);
        vfloat d = vf_load(neighbours[3] + i);
        /* A NaN neighbour is not less; the lowest of a NaN cell is NaN, and so is its drop. */
        vfloat lowest = vf_min(d, vf_min(c, vf_min(b, vf_min(a, h))));
        vfloat drop = h - lowest;
        vmask gives = vm_and(vf_less(vf_set(0), drop), vf_less_equal(drop, limit));
        vfloat gift = vf_select(gives, drop * vf_set(0.5f), vf_set(0));
        vf_store(centre + i, h - gift);
        gift = flatten_give(neighbours[0] + i, a, lowest, gift);
        gift = flatten_give(neighbours[1] + i, b, lowest, gift);
        gift = flatten_give(neighbours[2] + i, c, lowest, gift);
        vf_store(neighbours[3] + i, vf_select(vf_less(vf_set(0), gift), d + gift, d));
    }
}

const struct flatten_kernels TERRAIN__KERNELS(flatten) = {.level = flatten_level};
