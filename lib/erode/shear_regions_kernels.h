/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of erode_shear_regions: which region owns each cell of a lattice square, the range of
 * heights in each region, and the push. */

#ifndef TERRAIN_ERODE_SHEAR_REGIONS_KERNELS_H
#define TERRAIN_ERODE_SHEAR_REGIONS_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

/* The sites that may own a cell of a lattice square: the sites of the 3 by 3 squares around it, row
 * by row. A label is an index into them. */
#define TERRAIN__REGION_SITES 9u

/* Bytes of labels, and floats of the warp, that kernels may touch past the last. */
#define TERRAIN__REGION_PAD 16u

/* A lattice square is cut into patches from its corner on, wherever the map begins. For each patch
 * it is known which sites may own its cells. Its columns are the lanes of sums, so that these have
 * the same order with all vectors. */
#define TERRAIN__REGION_PATCH_WIDTH 16u
#define TERRAIN__REGION_PATCH_HEIGHT 8u

/* The map's cells in one lattice square. */
struct shear_regions_square {
    const float *heights;
    uint8_t *labels;
    uint16_t *owners; /* of each patch: bit k is set if site k is chosen and may own its cells */
    size_t height_stride;
    size_t label_stride;
    uint32_t width, height;
    uint32_t left, top;     /* the first cell's place, from the square's corner */
    uint32_t before, after; /* cells of the map left and right of the square */

    /* The warp at the first cell. Rows alternate: in x at the knot row above, in y there, in x at
     * the next knot row, … */
    const float *warp;
    size_t warp_stride; /* from a row to the next; 0: all rows are the same */
    uint32_t halvings;  /* knot rows are 2^halvings rows apart */
    float part;         /* 1 / 2^halvings */
    uint32_t phase;     /* rows from the knot row to the first cell */
    float scale;        /* of the warp */
    float reach;        /* more than the warp times scale can be */

    /* The sites, in cells from the square's corner. All 16 can be loaded. */
    float site_x[16], site_y[16];
    float margin;    /* of squared distances, or of distances: more than their rounding errors */
    uint32_t chosen; /* bit k: site k may be pushed */
};

/* The lowest and highest height of each chosen site's cells in a square. */
struct shear_regions_part {
    float low[TERRAIN__REGION_SITES];
    float high[TERRAIN__REGION_SITES];
};

/* How each site's cells change: h' = low + scale * max(h - low - cut, 0), at most h. */
struct shear_regions_push {
    float low[TERRAIN__REGION_SITES];
    float scale[TERRAIN__REGION_SITES];
    float cut[TERRAIN__REGION_SITES];
    uint32_t pushed;
};

/* The cells above a level: the sum of their heights above it, and their number. */
struct shear_regions_heap {
    double sum;
    uint32_t count; /* of cells; below 2^21, as no region has more */
};

/* How many cells, along one axis, are left of the patch that has cell `at` of a square: the square
 * has `count` cells and begins at `place` in its square, and a patch has `size`, a power of two. */
static inline uint32_t shear_regions_patch(uint32_t at, uint32_t count, uint32_t place,
                                           uint32_t size)
{
    uint32_t whole = size - ((place + at) & (size - 1));
    return whole < count - at ? whole : count - at;
}

struct shear_regions_kernels {
    /* Labels the square's cells, and finds its part of each chosen region. Patches without a chosen
     * owner keep their old labels. By metric. */
    void (*label[2])(const struct shear_regions_square *square, struct shear_regions_part *part);
    /* Adds the sum of max(h - low - cut, 0) over the cells of site k, and the number of those above
     * 0. The sum is made by columns of patches, in float. */
    void (*heap)(const struct shear_regions_square *square, uint32_t k, float low, float cut,
                 struct shear_regions_heap *heap);
    /* Writes the square's heights after the push; `out` may be where they are. */
    void (*push)(float *out, size_t stride, const struct shear_regions_square *square,
                 const struct shear_regions_push *push);
    /* Adds `weight` times the nodes first, first + 1, … of a row that lies `between` two rows of
     * nodes: 0 is the upper, 1 the lower one. */
    void (*add_nodes)(float *x, float *y, const uint64_t rows[2], float between, float weight,
                      int64_t first, uint32_t count);
    /* out[2 i] = in[i], out[2 i + 1] = the mean of in[i] and in[i + 1]; not in place. */
    void (*refine)(float *out, const float *in, uint32_t count);
};

TERRAIN__DECLARE_KERNELS(shear_regions)

#endif
