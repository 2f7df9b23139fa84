/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "base/canary_kernels.h"

static void canary_multiply_add(float *out, const float *a, const float *b, const float *c)
{
    for (int i = 0; i < TERRAIN__CANARY_LANES; i++) {
        out[i] = a[i] * b[i] + c[i];
    }
}

static void canary_add_subtract(float *out, const float *a, const float *b, const float *c)
{
    for (int i = 0; i < TERRAIN__CANARY_LANES; i++) {
        out[i] = (a[i] + b[i]) - c[i];
    }
}

static void canary_divide(float *out, const float *a, const float *b, const float *c)
{
    for (int i = 0; i < TERRAIN__CANARY_LANES; i++) {
        out[i] = a[i] / b[i] + c[i];
    }
}

static void canary_is_ordered(float *out, const float *a, const float *b, const float *c)
{
    for (int i = 0; i < TERRAIN__CANARY_LANES; i++) {
        out[i] = a[i] == a[i] ? b[i] : c[i];
    }
}

const struct canary_kernels TERRAIN__KERNELS(canary) = {
    canary_multiply_add,
    canary_add_subtract,
    canary_divide,
    canary_is_ordered,
};
