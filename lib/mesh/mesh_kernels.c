/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "mesh/mesh_kernels.h"

#include "vector/vec.h"

static void mesh_weave(float *buffer, size_t stride, const float *const parts[3], size_t count)
{
    size_t i = 0;
    for (; stride == 3 && i + VEC_LANES <= count; i += VEC_LANES) {
        vf_store_triples(buffer + i * 3, vf_load(parts[0] + i), vf_load(parts[1] + i),
                         vf_load(parts[2] + i));
    }
    for (; i < count; i++) {
        for (int k = 0; k < 3; k++) {
            buffer[i * stride + (size_t)k] = parts[k][i];
        }
    }
}

static void mesh_squares_rest(uint32_t *buffer, const uint32_t corners[MESH_CORNERS], size_t i,
                              size_t count)
{
    for (; i < count; i++) {
        for (int k = 0; k < MESH_CORNERS; k++) {
            buffer[MESH_CORNERS * i + (size_t)k] = corners[k] + (uint32_t)i;
        }
    }
}

/* VEC_LANES squares are six vectors, which grow by VEC_LANES from one round to the next. */
static void mesh_squares(uint32_t *buffer, const uint32_t corners[MESH_CORNERS], size_t count)
{
    uint32_t first[MESH_CORNERS * VEC_LANES];
    vuint words[MESH_CORNERS];
    size_t i = 0;
    mesh_squares_rest(first, corners, 0, VEC_LANES);
    memcpy(words, first, sizeof words);
    for (; i + VEC_LANES <= count; i += VEC_LANES) {
        for (int k = 0; k < MESH_CORNERS; k++) {
            memcpy(buffer + MESH_CORNERS * i + (size_t)k * VEC_LANES, &words[k], sizeof words[k]);
            words[k] += vu_set(VEC_LANES);
        }
    }
    mesh_squares_rest(buffer, corners, i, count);
}

/* The two corners of a square that depend on its diagonal, for a vector of squares. */
static inline void mesh_choose(uint32_t *buffer, const uint32_t corners[MESH_CORNERS],
                               const uint32_t others[MESH_CORNERS], const float *north,
                               const float *south, uint32_t first)
{
    const vuint squares = vu_lane() + vu_set(first);
    const vfloat falling = vf_abs(vf_load(north) - vf_load(south + 1));
    const vfloat rising = vf_abs(vf_load(north + 1) - vf_load(south));
    const vmask other = vf_less(falling, rising);
    for (int k = 1; k < MESH_CORNERS; k++) {
        int32_t chosen[VEC_LANES];
        if (corners[k] == others[k]) {
            continue;
        }
        vi_store(chosen, vi_select(other, vi_from_bits(squares + vu_set(others[k])),
                                   vi_from_bits(squares + vu_set(corners[k]))));
        for (size_t i = 0; i < VEC_LANES; i++) {
            buffer[MESH_CORNERS * i + (size_t)k] = (uint32_t)chosen[i];
        }
    }
}

static void mesh_choose_rest(uint32_t *buffer, const uint32_t others[MESH_CORNERS],
                             const float *north, const float *south, size_t i, size_t count)
{
    for (; i < count; i++) {
        float falling = north[i] - south[i + 1], rising = north[i + 1] - south[i];
        falling = falling < 0 ? -falling : falling;
        rising = rising < 0 ? -rising : rising;
        for (int k = 0; k < MESH_CORNERS && falling < rising; k++) {
            buffer[MESH_CORNERS * i + (size_t)k] = others[k] + (uint32_t)i;
        }
    }
}

/* A row by the fixed diagonal first; then what the other one changes. */
static void mesh_flatter(uint32_t *buffer, const uint32_t corners[MESH_CORNERS],
                         const uint32_t others[MESH_CORNERS], const float *north,
                         const float *south, size_t count)
{
    size_t i = 0;
    mesh_squares(buffer, corners, count);
    for (; i + VEC_LANES <= count; i += VEC_LANES) {
        mesh_choose(buffer + MESH_CORNERS * i, corners, others, north + i, south + i, (uint32_t)i);
    }
    mesh_choose_rest(buffer, others, north, south, i, count);
}

const struct mesh_kernels TERRAIN__KERNELS(mesh) = {mesh_weave, mesh_squares, mesh_flatter};
