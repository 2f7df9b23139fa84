/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "generate/ridges_kernels.h"

static void ridges_put(float *to, const struct ridges_cell *cells, float otherwise, size_t count)
{
    TERRAIN__INDEPENDENT
    for (size_t i = 0; i < count; i++) {
        const float height = cells[i].height; /* meaningless without an owner */
        to[i] = cells[i].owner != 0 ? height : otherwise;
    }
}

const struct ridges_kernels TERRAIN__KERNELS(ridges) = {ridges_put};
