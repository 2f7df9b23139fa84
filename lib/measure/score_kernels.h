/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernel of the erosion score: a row of slopes. */

#ifndef TERRAIN_MEASURE_SCORE_KERNELS_H
#define TERRAIN_MEASURE_SCORE_KERNELS_H

#include "base/kernels.h"

struct score_kernels {
    /* slopes[i] of the cells here[i], which have a western and an eastern neighbour. north and
     * south are the rows beside, or `here` itself where there is none. */
    void (*slopes)(float *slopes, const float *north, const float *here, const float *south,
                   size_t count, float cell_size);
};

TERRAIN__DECLARE_KERNELS(score)

#endif
