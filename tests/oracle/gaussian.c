/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "oracle/border.h"
#include "terrain/blur.h"

/* Weights of -radius to radius, not normalised: an OPEN border divides by what lies inside. */
static double *make_weights(double sigma, int64_t *radius)
{
    double *weights;
    *radius = (int64_t)ceil(8 * sigma);
    weights = calloc((size_t)(2 * *radius + 1), sizeof *weights);
    if (weights == NULL) {
        abort();
    }
    for (int64_t i = -*radius; i <= *radius; i++) {
        double z = sigma > 0 ? (double)i / sigma : 0;
        weights[i + *radius] = exp(-0.5 * z * z);
    }
    return weights;
}

static void compute(oracle_call *call)
{
    const terrain_blur_gaussian_params *p = call->params;
    int64_t radius;
    double *weights = make_weights((double)p->sigma, &radius);
    oracle_weighted_mean(&call->map, &call->result, weights, radius, p->border);
    free(weights);
}

/* The header's accuracy times the relief of 42: 1e-4 below a sigma of 4, 6e-4 above. A height is
 * off by much less on average, since the filters' faults have both signs. */
static const oracle_case cases[] = {
    {"sigma=0", 33, 21, 0, 0, 0},
    {"sigma=0.3", 67, 41, 0, 0, 4e-3},
    {"sigma=1", 67, 41, 0, 0, 4e-3},
    {"", 67, 41, -7, 13, 4e-3},
    {"sigma=3.9 border=mirror", 67, 41, 0, 0, 4e-3},
    {"sigma=2.5 border=wrap", 67, 41, 0, 0, 4e-3},
    {"sigma=2.5 border=open", 67, 41, 0, 0, 4e-3},
    {"sigma=4", 130, 141, -7, 13, 2.5e-2},
    {"sigma=9.7 border=mirror", 130, 141, 1001, -7, 2.5e-2},
    {"sigma=16 border=wrap", 130, 141, 0, 0, 2.5e-2},
    {"sigma=32 border=open", 130, 141, 5, 6, 2.5e-2},
    {"sigma=100", 260, 131, 5, 6, 2.5e-2},
    {"sigma=3", 1, 40, 0, 0, 4e-3},
    {"sigma=20", 40, 1, 0, 0, 2.5e-2},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_blur_gaussian = {"blur_gaussian", compute, cases, 0};
