/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/hillshade_kernels.h"

#include "analyze/stencil_vec.h"

struct hillshade_output {
    float *target;
    uint8_t *bytes;
    struct hillshade_light light;
};

static inline struct stencil_lanes hillshade_begin(const struct terrain__stencil *cells, size_t i,
                                                   const void *job)
{
    const struct hillshade_light *light = &((const struct hillshade_output *)job)->light;
    struct stencil_gradient g = stencil_gradient_at(cells, i);
    struct stencil_lanes lanes;
    lanes.shade =
        vf_set(light->up) + (g.east * vf_set(light->east) + g.down * vf_set(light->south));
    lanes.east = g.east;
    lanes.down = g.down;
    lanes.square = vf_set(1) + (g.east * g.east + g.down * g.down) * vf_set(light->steep);
    return lanes;
}

static inline vfloat hillshade_shade(const struct stencil_lanes *lanes)
{
    return lanes->shade / vf_sqrt(lanes->square);
}

/* The maximum is its second operand, where that is NaN. */
static inline void hillshade_finish(const struct stencil_lanes *lanes, size_t i, const void *job)
{
    vf_store(((const struct hillshade_output *)job)->target + i,
             vf_max(vf_set(0), hillshade_shade(lanes)));
}

/* 255 times as much, rounded; 0 where that is NaN. */
static inline void hillshade_finish_u8(const struct stencil_lanes *lanes, size_t i, const void *job)
{
    vfloat shade = vf_max(hillshade_shade(lanes) * vf_set(255), vf_set(0));
    vi_store_bytes(((const struct hillshade_output *)job)->bytes + i,
                   vi_from_float(vf_min(vf_set(255), shade) + vf_set(0.5f)));
}

static void hillshade_row(float *target, const struct terrain__stencil *cells, size_t count,
                          const struct hillshade_light *light)
{
    const struct hillshade_output job = {target, NULL, *light};
    stencil_run(cells, count, hillshade_begin, hillshade_finish, &job);
}

static void hillshade_row_u8(uint8_t *target, const struct terrain__stencil *cells, size_t count,
                             const struct hillshade_light *light)
{
    const struct hillshade_output job = {NULL, target, *light};
    stencil_run(cells, count, hillshade_begin, hillshade_finish_u8, &job);
}

const struct hillshade_kernels TERRAIN__KERNELS(hillshade) = {hillshade_row, hillshade_row_u8};
