/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of skirt.h: adds the changes that fade out from the edges of a map. */

#ifndef TERRAIN_STITCH_SKIRT_KERNELS_H
#define TERRAIN_STITCH_SKIRT_KERNELS_H

#include "base/kernels.h"

/* The changes that arrive in a row of a map: profiles along the row, each multiplied by the change
 * of its line in this row; and what the rows at the northern and southern edge changed by, each
 * times its profile here. */
struct skirt_row {
    const float *west[2], *east[2];   /* profiles */
    const float *north[2], *south[2]; /* changes */
    float by_west[2], by_east[2];
    float by_north[2], by_south[2];
};

struct skirt_kernels {
    /* cells[i] += what arrives, for i < width; cells at which nothing arrives stay to the bit. By
     * lines - 1: from one side (`first` and `second` are its profiles, the second not used by one
     * line), from both sides, and from everywhere. */
    void (*side[2])(float *cells, const float *first, const float *second, const float by[2],
                    uint32_t width);
    void (*sides[2])(float *cells, const struct skirt_row *row, uint32_t width);
    void (*all[2])(float *cells, const struct skirt_row *row, uint32_t width);
};

TERRAIN__DECLARE_KERNELS(skirt)

#endif
