/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A throw-away operation with one parameter of every type, to test core with: it has a halo, a
 * mask, an output, scratch, several passes, and each way of staging. */

#ifndef TEST_OPERATION_H
#define TEST_OPERATION_H

#include "terrain/operation.h"

enum {
    TEST_FORM_DIRECT = 0,       /* writes straight into the map */
    TEST_FORM_OUT_OF_PLACE = 1, /* the last pass reads neighbours in the map */
    TEST_FORM_LONG = 2          /* asks for a second map unless nobody can cancel */
};

typedef struct test_every_type_params {
    uint32_t struct_size;
    uint32_t flags;
    int64_t place; /* from -2^40 to 2^40: world column that the shift is measured from */
    uint64_t seed;
    const terrain_heightmap *mask;
    TERRAIN_POINTER_PAD(mask_pad)
    const terrain_heightmap *addend; /* added at the end */
    TERRAIN_POINTER_PAD(addend_pad)
    terrain_heightmap *before; /* gets the heights from before the call */
    TERRAIN_POINTER_PAD(before_pad)
    const float *weights; /* their sum is added */
    TERRAIN_POINTER_PAD(weights_pad)
    uint32_t weights_count;
    float scale;     /* of the sum; 0.3 to 4; default 1.1 */
    int32_t shift;   /* added; -10 to 10; default -1 */
    uint32_t rounds; /* of smoothing; 0 to 40; default 2 */
    uint32_t negate; /* bool; default 0 */
    uint32_t form;   /* TEST_FORM_…; default direct */
} test_every_type_params;

extern const terrain_operation test_every_type;

/* And one with a coarse map: heights between the points of `control`, bilinear; 0 without one. */
typedef struct test_coarse_params {
    uint32_t struct_size;
    uint32_t flags;
    const terrain_heightmap *control;
    TERRAIN_POINTER_PAD(control_pad)
    uint32_t control_spacing; /* a power of two, 1 to 1024; default 16 */
    uint32_t reserved;
} test_coarse_params;

extern const terrain_operation test_coarse;

#endif
