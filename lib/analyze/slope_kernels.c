/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "analyze/slope_kernels.h"

#include "analyze/stencil_vec.h"

struct slope_output {
    float *target;
    float scale;
};

static inline struct stencil_lanes slope_begin(const struct terrain__stencil *cells, size_t i,
                                               const void *job)
{
    (void)job;
    struct stencil_gradient g = stencil_gradient_at(cells, i);
    struct stencil_lanes lanes;
    lanes.square = g.east * g.east + g.down * g.down;
    return lanes;
}

static inline void slope_finish(const struct stencil_lanes *lanes, size_t i, const void *job,
                                bool stream)
{
    const struct slope_output *to = job;
    stencil_store(to->target + i, vf_sqrt(lanes->square) * vf_set(to->scale), stream);
}

/* The arctangent of s >= 0 in degrees: on [0, 1] an odd polynomial of least maximum error, above
 * that 90 degrees less the arctangent of 1 / s. The error is below 1.5e-5 degrees. Infinity gives
 * 90, NaN stays. */
static inline vfloat slope_degrees_of(vfloat s)
{
    static const float odd[8] = {57.295742f,  -19.0966034f, 11.4285393f, -7.96905231f,
                                 5.52455759f, -3.20351934f, 1.25263989f, -0.232305169f};
    const vfloat one = vf_set(1);
    vmask steep = vf_less(one, s);
    vfloat x = vf_select(steep, one / s, s);
    vfloat square = x * x;
    vfloat sum = vf_set(odd[7]);
    for (int k = 6; k >= 0; k--) {
        sum = sum * square + vf_set(odd[k]);
    }
    vfloat angle = sum * x;
    return vf_select(steep, vf_set(90) - angle, angle);
}

static inline void slope_finish_degrees(const struct stencil_lanes *lanes, size_t i,
                                        const void *job, bool stream)
{
    const struct slope_output *to = job;
    stencil_store(to->target + i, slope_degrees_of(vf_sqrt(lanes->square) * vf_set(to->scale)),
                  stream);
}

static void slope_rise(float *target, const struct terrain__stencil *cells, size_t count,
                       float scale)
{
    const struct slope_output job = {target, scale};
    stencil_run(cells, count, slope_begin, slope_finish, &job);
}

static void slope_degrees(float *target, const struct terrain__stencil *cells, size_t count,
                          float scale)
{
    const struct slope_output job = {target, scale};
    stencil_run(cells, count, slope_begin, slope_finish_degrees, &job);
}

const struct slope_kernels TERRAIN__KERNELS(slope) = {slope_rise, slope_degrees};
