/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "vector/lattice_kernels.h"

#include "vector/vec.h"

/* Rows at a time, for which what differs from column to column is computed once. */
enum { LATTICE_ROWS = 16 };

/* A row's profiles around the nodes on the left and on the right: value + slope * u at u periods
 * from them. */
struct lattice_profiles {
    float left;
    float left_slope;
    float right;
    float right_slope;
};

/* Between the node above, v periods away, and that below, 1 - v away; s is v faded. */
static float lattice_value(const struct lattice_node *above, const struct lattice_node *below,
                           float v, float s)
{
    float high = above->value + above->south * v;
    float low = below->value + below->south * (v - 1);
    return high + s * (low - high);
}

static void lattice_find_profiles(struct lattice_profiles *profiles,
                                  const struct lattice_patch *patch, uint32_t begin, uint32_t count)
{
    const struct lattice_node *nodes = patch->nodes;
    for (uint32_t k = 0; k < count; k++) {
        float v = (float)(int32_t)(patch->first_row + begin + k) * patch->step;
        float s = v * v * v * (v * (6 * v - 15) + 10);
        profiles[k].left = lattice_value(&nodes[0], &nodes[2], v, s);
        profiles[k].left_slope = nodes[0].east + s * (nodes[2].east - nodes[0].east);
        profiles[k].right = lattice_value(&nodes[1], &nodes[3], v, s);
        profiles[k].right_slope = nodes[1].east + s * (nodes[3].east - nodes[1].east);
    }
}

/* Columns i to i + n - 1 of some rows. */
static inline void lattice_fill_columns(float *target, const struct lattice_patch *patch,
                                        const struct lattice_profiles *profiles, uint32_t rows,
                                        uint32_t i, uint32_t n)
{
    const vuint column = vu_lane() + vu_set(patch->first_column + i);
    const vfloat u = vf_from_int(vi_from_bits(column)) * vf_set(patch->step);
    const vfloat s = u * u * u * (u * (vf_set(6) * u - vf_set(15)) + vf_set(10));
    const vfloat back = u - vf_set(1);
    for (uint32_t k = 0; k < rows; k++) {
        vfloat a = vf_set(profiles[k].left) + vf_set(profiles[k].left_slope) * u;
        vfloat b = vf_set(profiles[k].right) + vf_set(profiles[k].right_slope) * back;
        vf_store_up_to(target + k * patch->stride + i, a + s * (b - a), n);
    }
}

static void lattice_fill(const struct lattice_patch *patch)
{
    const uint32_t columns = patch->columns;
    struct lattice_profiles profiles[LATTICE_ROWS];
    for (uint32_t k = 0; k < patch->rows; k += LATTICE_ROWS) {
        uint32_t rows = patch->rows - k < LATTICE_ROWS ? patch->rows - k : LATTICE_ROWS;
        float *target = patch->target + k * patch->stride;
        uint32_t i = 0;
        lattice_find_profiles(profiles, patch, k, rows);
        for (; i + VEC_LANES <= columns; i += VEC_LANES) {
            lattice_fill_columns(target, patch, profiles, rows, i, VEC_LANES);
        }
        if (i < columns && i > 0) {
            /* Some columns again, to the end of the last vector. */
            lattice_fill_columns(target, patch, profiles, rows, columns - VEC_LANES, VEC_LANES);
        } else if (i < columns) {
            lattice_fill_columns(target, patch, profiles, rows, 0, columns);
        }
    }
}

const struct lattice_kernels TERRAIN__KERNELS(lattice) = {lattice_fill};
