/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/hillshade_kernels.h"

#include "analyze/stencil_vec.h"

struct hillshade_output {
    float *target;
    uint8_t *bytes;
    float *four; /* vectors that become bytes together */
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
    lanes.square = vf_set(1) + (g.east * g.east + g.down * g.down) * vf_set(light->steep);
    return lanes;
}

static inline vfloat hillshade_shade(const struct stencil_lanes *lanes)
{
    return lanes->shade / vf_sqrt(lanes->square);
}

/* The maximum is its second operand, where that is NaN. */
static inline void hillshade_finish(const struct stencil_lanes *lanes, size_t i, const void *job,
                                    bool stream)
{
    stencil_store(((const struct hillshade_output *)job)->target + i,
                  vf_max(vf_set(0), hillshade_shade(lanes)), stream);
}

/* 255 times as much, rounded; 0 where that is NaN. */
static inline void hillshade_store_u8(uint8_t *target, vfloat shade)
{
    vfloat cut = vf_min(vf_set(255), vf_max(shade * vf_set(255), vf_set(0)));
    vi_store_bytes(target, vi_from_float(cut + vf_set(0.5f)));
}

static inline void hillshade_finish_u8(const struct stencil_lanes *lanes, size_t i, const void *job,
                                       bool stream)
{
    (void)stream; /* bytes never do */
    hillshade_store_u8(((const struct hillshade_output *)job)->bytes + i, hillshade_shade(lanes));
}

/* Packs four vectors at once, which takes fewer instructions where vectors are short. The row's
 * last vector ends with the row, and may lie outside all groups of four. */
static inline void hillshade_finish_four(const struct stencil_lanes *lanes, size_t i,
                                         const void *job, bool stream)
{
    const struct hillshade_output *output = job;
    const size_t place = i % (4 * VEC_LANES);
    if (place % VEC_LANES != 0) {
        hillshade_finish_u8(lanes, i, job, stream);
        return;
    }
    vf_store(output->four + place, hillshade_shade(lanes));
    if (place == 3 * VEC_LANES) {
        vfloat v[4];
        for (size_t k = 0; k < 4; k++) {
            v[k] = vf_load(output->four + k * VEC_LANES) * vf_set(255);
        }
        vf_store_rounded(output->bytes + i - place, v);
    }
}

static void hillshade_row(float *target, const struct terrain__stencil *cells, size_t count,
                          const struct hillshade_light *light)
{
    const struct hillshade_output job = {.target = target, .light = *light};
    stencil_run(cells, count, hillshade_begin, hillshade_finish, &job);
}

static void hillshade_row_u8(uint8_t *target, const struct terrain__stencil *cells, size_t count,
                             const struct hillshade_light *light)
{
    float four[4 * VEC_LANES];
    const struct hillshade_output job = {.bytes = target, .four = four, .light = *light};
    if (VEC_LANES == 16) {
        stencil_run(cells, count, hillshade_begin, hillshade_finish_u8, &job);
        return;
    }
    stencil_run(cells, count, hillshade_begin, hillshade_finish_four, &job);
    for (size_t i = count / (4 * VEC_LANES) * (4 * VEC_LANES); i + VEC_LANES <= count;
         i += VEC_LANES) {
        hillshade_store_u8(target + i, vf_load(four + i % (4 * VEC_LANES)));
    }
}

const struct hillshade_kernels TERRAIN__KERNELS(hillshade) = {hillshade_row, hillshade_row_u8};
