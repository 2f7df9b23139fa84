/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/hillshade_kernels.h"

#include "analyze/stencil_vec.h"

/* The comparison is false for NaN, which therefore stays. */
static void hillshade_row(float *target, const struct terrain__stencil *cells, size_t count,
                          const struct hillshade_light *light)
{
    const struct terrain__stencil at = *cells;
    const vfloat to_east = vf_set(light->east), to_south = vf_set(light->south);
    const vfloat up = vf_set(light->up), steep = vf_set(light->steep);
    const vfloat zero = vf_set(0), one = vf_set(1);
    for (size_t i = 0; i < count; i = stencil_next(i, count)) {
        vfloat east = stencil_east(&at, i);
        vfloat down = stencil_down(&at, i);
        vfloat towards = up + (east * to_east + down * to_south);
        vfloat length = vf_sqrt(one + (east * east + down * down) * steep);
        vfloat shade = towards / length;
        vf_store(target + i, vf_select(vf_less(shade, zero), zero, shade));
    }
}

const struct hillshade_kernels TERRAIN__KERNELS(hillshade) = {hillshade_row};
