/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "core/lattice.h"

#include "core/math.h"
#include "core/random.h"

/* One row of nodes, v periods above (v > 0) or below the cells' row. */
struct lattice_line {
    uint64_t row;
    float v;
};

static struct lattice_node lattice_node_of(const struct lattice_line *line, int64_t k)
{
    uint32_t bits = terrain__random_bits(terrain__random_column(line->row, k), (uint32_t)k);
    float value = (float)(int32_t)(2 * (bits >> 20) + 1) * 0x1p-12f - 1;
    float east = (float)(int32_t)(2 * (bits >> 10 & 1023) + 1) * 0x1p-10f - 1;
    float south = (float)(int32_t)(2 * (bits & 1023) + 1) * 0x1p-10f - 1;
    struct lattice_node node = {value + south * line->v, east};
    return node;
}

/* Between the node above and that below. */
static struct lattice_node lattice_column(const struct lattice_line *lines, float s, int64_t k)
{
    struct lattice_node above = lattice_node_of(&lines[0], k);
    struct lattice_node below = lattice_node_of(&lines[1], k);
    struct lattice_node node = {above.value + s * (below.value - above.value),
                                above.slope + s * (below.slope - above.slope)};
    return node;
}

void terrain__lattice_row(const terrain__lattice *lattice, float *target, int64_t x, int64_t y,
                          uint32_t width)
{
    const struct lattice_kernels *kernels = terrain__lattice_kernels(lattice->isa);
    uint32_t period = lattice->period;
    float step = 1 / (float)period;
    int64_t j = terrain__floor_div(y, period);
    int64_t k = terrain__floor_div(x, period);
    float v = (float)terrain__floor_mod(y, period) * step;
    float s = v * v * v * (v * (6 * v - 15) + 10);
    struct lattice_line lines[2] = {{terrain__random_row(lattice->stream, j), v},
                                    {terrain__random_row(lattice->stream, j + 1), v - 1}};
    struct lattice_node left = lattice_column(lines, s, k);
    uint32_t first = (uint32_t)terrain__floor_mod(x, period);
    for (uint32_t i = 0; i < width;) {
        struct lattice_node right = lattice_column(lines, s, ++k);
        uint32_t count = period - first < width - i ? period - first : width - i;
        kernels->between(target + i, count, first, step, &left, &right);
        i += count;
        first = 0;
        left = right;
    }
}
