/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/lattice_kernels.h"

static void lattice_between(float *target, uint32_t count, uint32_t first, float step,
                            const struct lattice_node *left, const struct lattice_node *right)
{
    const struct lattice_node l = *left;
    const struct lattice_node r = *right;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < count; i++) {
        float u = (float)(int32_t)(first + i) * step;
        float s = u * u * u * (u * (6 * u - 15) + 10);
        float a = l.value + l.slope * u;
        float b = r.value + r.slope * (u - 1);
        target[i] = a + s * (b - a);
    }
}

const struct lattice_kernels TERRAIN__KERNELS(lattice) = {lattice_between};
