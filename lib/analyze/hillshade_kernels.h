/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of analyze_hillshade: a row of brightness. */

#ifndef TERRAIN_ANALYZE_HILLSHADE_KERNELS_H
#define TERRAIN_ANALYZE_HILLSHADE_KERNELS_H

#include "analyze/stencil_kernels.h"
#include "base/kernels.h"

/* The light's direction, as factors of the gradient: z = exaggeration / (8 cell_size). */
struct hillshade_light {
    float east;  /* -sin(azimuth) cos(altitude) z */
    float south; /* cos(azimuth) cos(altitude) z */
    float up;    /* sin(altitude) */
    float steep; /* z^2 */
};

struct hillshade_kernels {
    void (*row)(float *target, const struct terrain__stencil *cells, size_t count,
                const struct hillshade_light *light);
    /* The shades as bytes, 0 to 255. */
    void (*row_u8)(uint8_t *target, const struct terrain__stencil *cells, size_t count,
                   const struct hillshade_light *light);
};

TERRAIN__DECLARE_KERNELS(hillshade)

#endif
