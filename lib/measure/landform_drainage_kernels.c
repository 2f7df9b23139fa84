/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "measure/landform_drainage_kernels.h"

#include <math.h>

#define LANDFORM_DIAGONAL 1.4142135623730951

/* Ways as doubles, so that they have the lanes of the heights. */
#define LANDFORM_LOOK(way, fall)                                                                   \
    {                                                                                              \
        const double slope = (fall);                                                               \
        found = slope > best ? way : found;                                                        \
        best = slope > best ? slope : best;                                                        \
    }

static void landform_drainage_ways(uint8_t *restrict ways, const double *restrict filled,
                                   size_t width, size_t count)
{
    const double *north = filled - width, *south = filled + width;
    double chosen[64];
    for (size_t begin = 0; begin < count; begin += 64) {
        const size_t end = count - begin < 64 ? count - begin : 64;
        for (size_t i = 0; i < end; i++) {
            const size_t x = begin + i;
            const double here = filled[x];
            double best = 0, found = 8;
            LANDFORM_LOOK(0, (here - (north - 1)[x]) / LANDFORM_DIAGONAL)
            LANDFORM_LOOK(1, here - north[x])
            LANDFORM_LOOK(2, (here - (north + 1)[x]) / LANDFORM_DIAGONAL)
            LANDFORM_LOOK(3, here - (filled - 1)[x])
            LANDFORM_LOOK(4, here - (filled + 1)[x])
            LANDFORM_LOOK(5, (here - (south - 1)[x]) / LANDFORM_DIAGONAL)
            LANDFORM_LOOK(6, here - south[x])
            LANDFORM_LOOK(7, (here - (south + 1)[x]) / LANDFORM_DIAGONAL)
            chosen[i] = here < (double)INFINITY ? found : 8;
        }
        for (size_t i = 0; i < end; i++) {
            ways[begin + i] = (uint8_t)(int32_t)chosen[i];
        }
    }
}

static void landform_drainage_donors(uint8_t *restrict marks, const uint8_t *restrict ways,
                                     size_t width, size_t count)
{
    const uint8_t *north = ways - width, *south = ways + width;
    for (size_t x = 0; x < count; x++) {
        const int found = ((north - 1)[x] == 7) + (north[x] == 6) + ((north + 1)[x] == 5) +
                          ((ways - 1)[x] == 4) + ((ways + 1)[x] == 3) + ((south - 1)[x] == 2) +
                          (south[x] == 1) + ((south + 1)[x] == 0);
        marks[x] = (uint8_t)(marks[x] | found << 4);
    }
}

const struct landform_drainage_kernels TERRAIN__KERNELS(landform_drainage) = {
    landform_drainage_ways, landform_drainage_donors};
