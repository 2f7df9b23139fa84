/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/flatten_kernels.h"

#include "vector/vec.h"

/* Adds the gift where the neighbour is the lowest, and takes it away from those after it. No gift
 * is -0, which leaves every height as it is, -0 too. */
static inline vfloat flatten_give(float *neighbour, vfloat height, vfloat lowest, vfloat gift)
{
    const vfloat nothing = vf_set(-0.0f);
    vmask receives = vf_less_equal(height, lowest);
    vf_store(neighbour, height + vf_select(receives, gift, nothing));
    return vf_select(receives, nothing, gift);
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
        vfloat half = drop * vf_set(0.5f);
        vfloat gift = vf_select(gives, half, vf_set(-0.0f));
        vf_store(centre + i, h - vf_select(gives, half, vf_set(0)));
        gift = flatten_give(neighbours[0] + i, a, lowest, gift);
        gift = flatten_give(neighbours[1] + i, b, lowest, gift);
        gift = flatten_give(neighbours[2] + i, c, lowest, gift);
        vf_store(neighbours[3] + i, d + gift);
    }
}

const struct flatten_kernels TERRAIN__KERNELS(flatten) = {.level = flatten_level};
