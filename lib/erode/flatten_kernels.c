/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/flatten_kernels.h"

#include "vector/vec.h"

/* Takes the change, a negative one, from the neighbour where it is the lowest, and returns what is
 * left for those after it: 0 where it was given away. */
static inline vfloat flatten_give(float *neighbour, vfloat height, vfloat lowest, vfloat change)
{
    vmask receives = vf_less_equal(height, lowest);
    vf_store(neighbour, vf_subtract_where(receives, height, change));
    return vf_where_not(receives, change);
}

static void flatten_level(float *centre, float *const neighbours[4], size_t count, float talus)
{
    float *const north = neighbours[0], *const west = neighbours[1];
    float *const east = neighbours[2], *const south = neighbours[3];
    const vfloat limit = vf_set(talus);
    for (size_t i = 0; i < count; i += VEC_LANES) {
        vfloat h = vf_load(centre + i);
        vfloat n = vf_load(north + i), w = vf_load(west + i);
        vfloat e = vf_load(east + i), s = vf_load(south + i);
        /* A NaN neighbour is not less; the lowest of a NaN cell is NaN, and so is its drop. */
        vfloat lowest = vf_min(s, vf_min(e, vf_min(w, vf_min(n, h))));
        vfloat drop = h - lowest;
        vmask gives = vm_and(vf_less(lowest, h), vf_less_equal(drop, limit));
        vfloat change = vf_where(gives, drop * vf_set(-0.5f));
        vf_store(centre + i, vf_add_where(gives, h, change));
        change = flatten_give(north + i, n, lowest, change);
        change = flatten_give(west + i, w, lowest, change);
        change = flatten_give(east + i, e, lowest, change);
        vf_store(south + i, s - change);
    }
}

const struct flatten_kernels TERRAIN__KERNELS(flatten) = {.level = flatten_level};
