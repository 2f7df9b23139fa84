/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "vector/lattice.h"

#include "base/math.h"
#include "vector/random.h"

static struct lattice_node lattice_node_of(uint64_t row, int64_t k)
{
    uint32_t bits = terrain__random_bits(terrain__random_column(row, k), (uint32_t)k);
    struct lattice_node node = {(float)(int32_t)(2 * (bits >> 20) + 1) * 0x1p-12f - 1,
                                (float)(int32_t)(2 * (bits >> 10 & 1023) + 1) * 0x1p-10f - 1,
                                (float)(int32_t)(2 * (bits & 1023) + 1) * 0x1p-10f - 1};
    return node;
}

/* The patches between nodes of row j and those below. */
static void lattice_between(const terrain__lattice *lattice, struct lattice_patch *patch, int64_t x,
                            int64_t j, uint32_t width)
{
    const struct lattice_kernels *kernels = terrain__lattice_kernels(lattice->isa);
    uint32_t period = lattice->period;
    uint64_t above = terrain__random_row(lattice->stream, j);
    uint64_t below = terrain__random_row(lattice->stream, j + 1);
    int64_t k = terrain__floor_div(x, period);
    patch->nodes[1] = lattice_node_of(above, k);
    patch->nodes[3] = lattice_node_of(below, k);
    patch->first_column = (uint32_t)terrain__floor_mod(x, period);
    while (width > 0) {
        uint32_t left = period - patch->first_column;
        k++;
        patch->columns = left < width ? left : width;
        patch->nodes[0] = patch->nodes[1];
        patch->nodes[2] = patch->nodes[3];
        patch->nodes[1] = lattice_node_of(above, k);
        patch->nodes[3] = lattice_node_of(below, k);
        kernels->fill(patch);
        patch->target += patch->columns;
        patch->first_column = 0;
        width -= patch->columns;
    }
}

void terrain__lattice_rows(const terrain__lattice *lattice, float *target, size_t stride, int64_t x,
                           int64_t y, uint32_t width, uint32_t height)
{
    uint32_t period = lattice->period;
    int64_t j = terrain__floor_div(y, period);
    struct lattice_patch patch = {.stride = stride, .step = 1 / (float)period};
    patch.first_row = (uint32_t)terrain__floor_mod(y, period);
    while (height > 0) {
        uint32_t left = period - patch.first_row;
        patch.rows = left < height ? left : height;
        patch.target = target;
        lattice_between(lattice, &patch, x, j++, width);
        target += patch.rows * stride;
        patch.first_row = 0;
        height -= patch.rows;
    }
}
