/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of meshes: vertices and triangles of a row of cells. */

#ifndef TERRAIN_MESH_MESH_KERNELS_H
#define TERRAIN_MESH_MESH_KERNELS_H

#include "base/kernels.h"

/* Corners of the two triangles of a square; see mesh_corners in mesh.c. */
enum { MESH_CORNERS = 6 };

struct mesh_kernels {
    /* buffer[i * stride + k] = parts[k][i] for k = 0, 1, 2. */
    void (*weave)(float *buffer, size_t stride, const float *const parts[3], size_t count);
    /* buffer[MESH_CORNERS * i + k] = corners[k] + i */
    void (*squares)(uint32_t *buffer, const uint32_t corners[MESH_CORNERS], size_t count);
    /* As the function above, but with corners[k] or others[k]. Let a be the row's heights and b the
     * next row's: others where |a[i] - b[i + 1]| is less than |a[i + 1] - b[i]|. */
    void (*flatter)(uint32_t *buffer, const uint32_t corners[MESH_CORNERS],
                    const uint32_t others[MESH_CORNERS], const float *north, const float *south,
                    size_t count);
};

TERRAIN__DECLARE_KERNELS(mesh)

#endif
