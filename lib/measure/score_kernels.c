/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "measure/score_kernels.h"

#include "vector/vec.h"

/* The larger size of two differences, as bits: there NaN is above infinity, and wins. */
static inline vint score_larger(vint most, vfloat a, vfloat b)
{
    vint size = vi_from_bits(vf_bits(vf_abs(a - b)));
    return vi_select(vi_less(most, size), size, most);
}

static inline vfloat score_slope(vfloat west, vfloat here, vfloat east, vfloat north, vfloat south,
                                 vfloat cell_size)
{
    vint most = vi_from_bits(vf_bits(vf_abs(here - west)));
    most = score_larger(most, here, east);
    most = score_larger(most, here, north);
    most = score_larger(most, here, south);
    return vf_from_bits(vu_from_bits(most)) / cell_size;
}

static void score_slopes(float *slopes, const float *north, const float *here, const float *south,
                         size_t count, float cell_size)
{
    const vfloat cell = vf_set(cell_size);
    size_t i = 0;
    for (; i + VEC_LANES <= count; i += VEC_LANES) {
        vf_store(slopes + i,
                 score_slope(vf_load(here + i - 1), vf_load(here + i), vf_load(here + i + 1),
                             vf_load(north + i), vf_load(south + i), cell));
    }
    if (i < count) {
        const uint32_t rest = (uint32_t)(count - i);
        vfloat slope =
            score_slope(vf_load_first(here + i - 1, rest), vf_load_first(here + i, rest),
                        vf_load_first(here + i + 1, rest), vf_load_first(north + i, rest),
                        vf_load_first(south + i, rest), cell);
        vf_store_first(slopes + i, slope, rest);
    }
}

const struct score_kernels TERRAIN__KERNELS(score) = {score_slopes};
