/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <string.h>

#include "blur/variable_kernels.h"

static void variable_radii(float *radius, const float *noise, uint32_t width, float minimum,
                           float maximum)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float a = noise[i] < 0 ? -noise[i] : noise[i];
        a = a < 1 ? a : a >= 1 ? 1.0f : 0.0f;
        a *= maximum;
        radius[i] = a > minimum ? a : minimum;
    }
}

/* Adding 1.5 * 2^52 leaves the nearest integer in the lower bits, halves to even. */
static inline uint64_t variable_unit(float height)
{
    double v = (double)height * 0x1p26;
    uint64_t bits;
    v = v < -0x1p48 ? -0x1p48 : v;
    v = v > 0x1p48 ? 0x1p48 : v;
    v = height - height == 0 ? v : 0;
    v += 0x1.8p52;
    memcpy(&bits, &v, sizeof bits);
    return bits - UINT64_C(0x4338000000000000);
}

static bool variable_sum(uint64_t *sums, const uint64_t *above, uint64_t *units, const float *row,
                         uint32_t width)
{
    uint64_t sum = 0;
    uint32_t odd = 0;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        odd |= row[i] - row[i] == 0 ? 0u : 1u;
        units[i] = variable_unit(row[i]);
    }
    sums[0] = 0;
    for (uint32_t i = 0; i < width; i++) {
        sum += units[i];
        sums[i + 1] = above[i + 1] + sum;
    }
    return odd != 0;
}

static void variable_smooth(float *target, const float *source, const float *radius, uint32_t width,
                            uint32_t reach, const struct variable_sums *sums, const double *inverse)
{
    const uint64_t *centre = sums->centre;
    int32_t stride = (int32_t)sums->stride;
    int32_t most = (int32_t)reach - 1;
    TERRAIN__INDEPENDENT
    for (int32_t i = 0; i < (int32_t)width; i++) {
        int32_t r = (int32_t)radius[i];
        r = r < most ? r : most;
        double fraction = (double)(radius[i] - (float)r);
        double small = variable_window(centre, stride, i, r) * inverse[r];
        double large = variable_window(centre, stride, i, r + 1) * inverse[r + 1];
        float mean = (float)((small + fraction * (large - small)) * 0x1p-26);
        target[i] = radius[i] > 0 ? mean : source[i];
    }
}

const struct variable_kernels TERRAIN__KERNELS(variable) = {variable_radii, variable_sum,
                                                            variable_smooth};
