/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include <math.h>
#include <stdlib.h>

#include "oracle/border.h"
#include "terrain/blur.h"

static void compute(oracle_call *call)
{
    const terrain_blur_box_params *p = call->params;
    double whole = floor((double)p->radius);
    double weights[2 * 1025 + 1];
    int64_t radius = (int64_t)whole + 1;
    for (int64_t i = -radius; i <= radius; i++) {
        weights[i + radius] = llabs(i) < radius ? 1 : (double)p->radius - whole;
    }
    oracle_weighted_mean(&call->map, &call->result, weights, radius, p->border);
}

/* A few units in the last place of 21. Only of the longest sums more is seen: each of 2049
 * additions errs by up to 2^-24 of the sum so far, which is up to the window's half times 42, that
 * is by 2.5e-6 of the mean; as a random walk, that makes sqrt(2049) times as much. (At the very
 * worst, all of it would go one way: the header's bound, which test_box holds against.) */
static const oracle_case cases[] = {
    {"radius=0", 33, 21, 0, 0, 0},
    {"", 67, 41, 0, 0, 1e-5},
    {"radius=0.4", 67, 41, -70, 3, 1e-5},
    {"radius=7.75 border=mirror", 67, 41, 0, 0, 1e-5},
    {"radius=20 border=wrap", 67, 41, 11, 13, 1e-5},
    {"radius=15.5 border=mirror", 67, 41, 5, -13, 1e-5},
    {"radius=5.5 border=open", 67, 41, -7, -100, 1e-5},
    {"radius=30 border=open", 20, 140, 0, 0, 1e-5},
    {"radius=3", 1, 40, 0, 0, 1e-5},
    {"radius=2.5 border=open", 37, 20, 3, 1, 1e-5},
    {"radius=4 border=open", 150, 9, -3, 1, 1e-5},
    {"radius=100.25 border=mirror", 90, 47, -1000, 77, 1e-5},
    {"radius=1024", 40, 30, 0, 5, 1e-4},
    {NULL, 0, 0, 0, 0, 0},
};

const oracle oracle_blur_box = {"blur_box", compute, cases, 0};
