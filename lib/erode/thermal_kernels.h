/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_thermal: one iteration on a row, by mode and neighbourhood. */

#ifndef TERRAIN_ERODE_THERMAL_KERNELS_H
#define TERRAIN_ERODE_THERMAL_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* Floats that must be readable before a row's first cell and after its last, and writable after its
 * last: a whole vector of any instruction set. They are 0, and the kernels keep them 0. */
#define TERRAIN__THERMAL_PAD 32u

/* A row and its neighbours, each at its first cell. */
struct thermal_row {
    const float *north, *centre, *south; /* heights; a row outside the map is all 0 */
    uint32_t width;
    bool first, last; /* in the map: nothing moves across that edge */
    float straight;   /* the largest height difference that holds between edge neighbours */
    float diagonal;   /* and between corner neighbours */
};

/* A row of a map of rock under debris. */
struct thermal_layers {
    struct thermal_row rock;   /* heights, debris included, and what holds on rock */
    struct thermal_row debris; /* how much of them is loose, and what holds on debris */
    const float *softness;     /* the part of each cell's summed excess of rock that weathers */
};

struct thermal_kernels {
    /* FLUX: out = centre + rate * (sum of excesses). By neighbourhood, as are all others. */
    void (*flux[3])(float *out, const struct thermal_row *row, float rate);
    /* QUANTUM: as FLUX, with excesses clamped to -most and most. */
    void (*quantum[3])(float *out, const struct thermal_row *row, float rate, float most);
    /* LAYERS: rock weathers, debris slides. */
    void (*slide[3])(float *out, float *debris, const struct thermal_layers *row, float rate);
    /* MUSGRAVE, first half: what each cell gives away, and that as a share of each height
     * difference. */
    void (*give[3])(float *loss, float *share, const struct thermal_row *row, float rate);
    /* MUSGRAVE, second half: out = centre + (what neighbours give - loss). `share` is laid out like
     * the heights. */
    void (*take[3])(float *out, const struct thermal_row *row, const struct thermal_row *share,
                    const float *loss);
};

TERRAIN__DECLARE_KERNELS(thermal)

#endif
