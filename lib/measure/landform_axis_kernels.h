/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Kernels of landforms' axis: transforms of several lines at a time, one in each lane. */

#ifndef TERRAIN_MEASURE_LANDFORM_AXIS_KERNELS_H
#define TERRAIN_MEASURE_LANDFORM_AXIS_KERNELS_H

#include "base/kernels.h"

enum { TERRAIN__AXIS_MOST_LANES = 4 };

typedef struct axis_number {
    double re, im;
} axis_number;

struct axis_tables {
    uint32_t size;       /* of a line */
    uint32_t padded;     /* a power of two, 2 * size - 1 at least */
    uint32_t *places;    /* the bits of each number below padded, in the opposite order */
    axis_number *turn;   /* exp(-2 pi i k / padded), half of them */
    axis_number *chirp;  /* exp(-pi i k^2 / size) */
    axis_number *kernel; /* the transform of its conjugate, from both ends of `padded` numbers */
};

/* Lines are `padded` times the real parts of all lanes, then the imaginary parts. */
struct landform_axis_kernels {
    uint32_t lanes;
    /* The transform of `padded` numbers, in place. */
    void (*transform)(const struct axis_tables *tables, double *lines);
    /* The transform of the first `size` numbers, in place; the others need not be set. */
    void (*transform_lines)(const struct axis_tables *tables, double *lines);
};

TERRAIN__DECLARE_KERNELS(landform_axis)

#endif
