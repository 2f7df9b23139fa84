/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#ifndef TERRAIN_ERODE_SHEAR_REGIONS_KERNELS_H
#define TERRAIN_ERODE_SHEAR_REGIONS_KERNELS_H

#include "core/kernels.h"

/* The sites that may own a cell of a lattice cell: those of the 3 by 3 lattice cells around it, row
 * by row. A label is an index into them. */
#define TERRAIN__REGION_SITES 9u

/* Bytes of labels that are written beyond the last. */
#define TERRAIN__REGION_PAD 16u

/* Candidates as one lattice cell sees them: places in cells from its corner, and which are pushed. */
struct shear_regions_sites {
    float x[TERRAIN__REGION_SITES];
    float y[TERRAIN__REGION_SITES];
    uint32_t pushed; /* bit k: candidate k */
};

/* Cells of one row within one lattice cell. Rows of the warp are readable for a whole vector. */
struct shear_regions_span {
    const float *heights;
    const float *warp_x[2]; /* at the knot rows above and below */
    const float *warp_y[2];
    float between; /* 0 at the upper knot row, 1 at the lower */
    float x, y;    /* the first cell's place, from the lattice cell's corner */
    uint32_t count;
};

/* Lowest and highest height of each candidate's cells, lane by lane; infinities at first. */
struct shear_regions_extremes {
    float low[TERRAIN__REGION_SITES][16];
    float high[TERRAIN__REGION_SITES][16];
};

/* What happens to each candidate's cells: h' = low + scale * max(h - low - cut, 0), at most h. */
struct shear_regions_push {
    float low[TERRAIN__REGION_SITES];
    float scale[TERRAIN__REGION_SITES];
    float cut[TERRAIN__REGION_SITES];
    uint32_t pushed;
};

struct shear_regions_kernels {
    /* Labels a span, and takes its heights into the extremes of pushed candidates. By metric. */
    void (*label[2])(uint8_t *labels, struct shear_regions_extremes *extremes,
                     const struct shear_regions_span *span,
                     const struct shear_regions_sites *sites);
    void (*push)(float *out, const float *heights, const uint8_t *labels, uint32_t count,
                 const struct shear_regions_push *push);
};

TERRAIN__DECLARE_KERNELS(shear_regions)

#endif
