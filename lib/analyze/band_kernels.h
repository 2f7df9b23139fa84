/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of analyze_band: a row of the mask. */

#ifndef TERRAIN_ANALYZE_BAND_KERNELS_H
#define TERRAIN_ANALYZE_BAND_KERNELS_H

#include "base/kernels.h"

struct band_range {
    float low;
    float high;
    float falloff;
    float inverse; /* 1 / falloff */
};

struct band_kernels {
    /* The mask of a row; target may be source. Asks for the row `soon`. */
    void (*row)(float *target, const float *source, uint32_t width, const struct band_range *range,
                const float *soon);
};

TERRAIN__DECLARE_KERNELS(band)

#endif
