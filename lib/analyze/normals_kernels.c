/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/normals_kernels.h"

#include "analyze/stencil_vec.h"

static void normals_row(float *const outputs[3], const struct terrain__stencil *cells, size_t count,
                        float scale)
{
    const struct terrain__stencil at = *cells;
    const vfloat factor = vf_set(scale), zero = vf_set(0), one = vf_set(1);
    float *x = outputs[0], *y = outputs[1], *z = outputs[2];
    for (size_t i = 0; i < count; i = stencil_next(i, count)) {
        vfloat east = stencil_east(&at, i) * factor;
        vfloat down = stencil_down(&at, i) * factor;
        vfloat up = one / vf_sqrt(one + (east * east + down * down));
        vf_store(x + i, zero - east * up);
        if (y != NULL) {
            vf_store(y + i, zero - down * up);
        }
        if (z != NULL) {
            vf_store(z + i, up);
        }
    }
}

const struct normals_kernels TERRAIN__KERNELS(normals) = {normals_row};
