/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of the canary: operations that wrong flags of the compiler change. */

#ifndef TERRAIN_BASE_CANARY_KERNELS_H
#define TERRAIN_BASE_CANARY_KERNELS_H

#include "base/kernels.h"

enum { TERRAIN__CANARY_LANES = 32 };

struct canary_kernels {
    /* What a wrong build changes, in every lane: see canary.c. */
    void (*multiply_add)(float *out, const float *a, const float *b, const float *c);
    void (*add_subtract)(float *out, const float *a, const float *b, const float *c);
    void (*divide)(float *out, const float *a, const float *b, const float *c);
    void (*is_ordered)(float *out, const float *a, const float *b, const float *c);
};

TERRAIN__DECLARE_KERNELS(canary)

#endif
