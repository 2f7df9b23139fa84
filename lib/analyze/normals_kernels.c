/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/normals_kernels.h"

#include "analyze/stencil_vec.h"

struct normals_output {
    float *x, *y, *z; /* y and z may be NULL */
    float scale;
};

static inline struct stencil_lanes normals_begin(const struct terrain__stencil *cells, size_t i,
                                                 const void *job)
{
    const vfloat scale = vf_set(((const struct normals_output *)job)->scale);
    struct stencil_gradient g = stencil_gradient_at(cells, i);
    struct stencil_lanes lanes;
    lanes.east = g.east * scale;
    lanes.down = g.down * scale;
    lanes.square = vf_set(1) + (lanes.east * lanes.east + lanes.down * lanes.down);
    return lanes;
}

static inline void normals_finish(const struct stencil_lanes *lanes, size_t i, const void *job,
                                  bool stream)
{
    const struct normals_output *to = job;
    vfloat up = vf_set(1) / vf_sqrt(lanes->square);
    stencil_store(to->x + i, vf_set(0) - lanes->east * up, stream);
    if (to->y != NULL) {
        stencil_store(to->y + i, vf_set(0) - lanes->down * up, stream);
    }
    if (to->z != NULL) {
        stencil_store(to->z + i, up, stream);
    }
}

static void normals_row(float *const outputs[3], const struct terrain__stencil *cells, size_t count,
                        float scale)
{
    const struct normals_output job = {outputs[0], outputs[1], outputs[2], scale};
    stencil_run(cells, count, normals_begin, normals_finish, &job);
}

const struct normals_kernels TERRAIN__KERNELS(normals) = {normals_row};
