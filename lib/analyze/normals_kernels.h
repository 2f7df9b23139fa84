/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of analyze_normals: a row of unit vectors. */

#ifndef TERRAIN_ANALYZE_NORMALS_KERNELS_H
#define TERRAIN_ANALYZE_NORMALS_KERNELS_H

#include "analyze/stencil_kernels.h"
#include "base/kernels.h"

struct normals_kernels {
    /* outputs: x, y and z; y and z may be NULL. scale = 1 / (8 cell_size). */
    void (*row)(float *const outputs[3], const struct terrain__stencil *cells, size_t count,
                float scale);
};

TERRAIN__DECLARE_KERNELS(normals)

#endif
