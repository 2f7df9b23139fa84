/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of generate_spectral: random waves, and Fourier transforms of many lines side by side. */

#ifndef TERRAIN_GENERATE_SPECTRAL_KERNELS_H
#define TERRAIN_GENERATE_SPECTRAL_KERNELS_H

#include "base/kernels.h"

enum {
    /* Transforms run side by side, one in each lane. A line holds one number of each: the lanes'
     * real parts, then their imaginary ones. */
    SPECTRAL_LANES = 16,
    SPECTRAL_LINE = 2 * SPECTRAL_LANES
};

/* Waves (x, y), (x + 1, y), ... of the spectrum: so many crests across a period of the pattern. */
struct spectral_waves {
    uint64_t streams[2]; /* random columns, of the real and the imaginary parts */
    uint32_t x;          /* a multiple of SPECTRAL_LANES */
    float y_squared;     /* y^2, and what flattens the spectrum */
    float exponent;      /* of the squared wave number */
};

struct spectral_kernels {
    /* Amplitudes of SPECTRAL_LANES waves; adds their squares, the lanes', to power. */
    void (*amplitudes)(float *line, double *power, const struct spectral_waves *waves);
    /* The transforms sum over j of a[j] exp(2 pi i j k / count) of lines a[0] to a[count - 1], in
     * order of k. count is a power of two, at least 4; turns[2 j] and [2 j + 1] are the cosine and
     * the sine of 2 pi j / count. Overwrites both; returns the one that holds the result. */
    float *(*transform)(float *lines, float *other, const float *turns, uint32_t count);
    /* The spectrum of a real row in each lane and of another one as imaginary part, from what the
     * half spectra `first` and `second` have at wave x, which is not 0: gives waves x and count -
     * x. Both of first and second are real parts of the lanes, then, SPECTRAL_LANES^2 on, imaginary
     * ones. */
    void (*join)(float *line, float *mirrored, const float *first, const float *second,
                 float scale);
};

TERRAIN__DECLARE_KERNELS(spectral)

#endif
