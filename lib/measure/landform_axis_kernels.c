/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* A transform of n numbers is a convolution (L. Bluestein, 1970), since j k = (j^2 + k^2 - (k -
 * j)^2) / 2, and a convolution is three transforms of a power of two (Cooley and Tukey, 1965). Of
 * these each number is computed in one way, whatever the order; the order is one that stays in the
 * caches: a quarter after the other, then two steps at once that join all four. */

#include "measure/landform_axis_kernels.h"

#include "vector/vec.h"

enum { AXIS_SMALL = 64 }; /* a transform that is done step by step */

typedef struct axis_lanes {
    vdouble re, im;
} axis_lanes;

static inline axis_lanes axis_load(const double *lines, size_t j)
{
    const double *at = lines + 2 * VEC_LONGS * j;
    const axis_lanes lanes = {vd_load(at), vd_load(at + VEC_LONGS)};
    return lanes;
}

static inline void axis_store(double *lines, size_t j, axis_lanes lanes)
{
    vd_store(lines + 2 * VEC_LONGS * j, lanes.re);
    vd_store(lines + 2 * VEC_LONGS * j + VEC_LONGS, lanes.im);
}

static inline axis_lanes axis_times(axis_lanes a, axis_number b)
{
    const vdouble re = vd_set(b.re), im = vd_set(b.im);
    const axis_lanes product = {a.re * re - a.im * im, a.re * im + a.im * re};
    return product;
}

/* a + turn * b and a - turn * b. */
static inline void axis_join(axis_lanes *a, axis_lanes *b, axis_number turn)
{
    const axis_lanes turned = axis_times(*b, turn);
    b->re = a->re - turned.re;
    b->im = a->im - turned.im;
    a->re = a->re + turned.re;
    a->im = a->im + turned.im;
}

static void axis_step(const struct axis_tables *tables, double *lines, size_t size, size_t half)
{
    const size_t step = tables->padded / (2 * half);
    for (size_t begin = 0; begin < size; begin += 2 * half) {
        for (size_t j = 0; j < half; j++) {
            axis_lanes a = axis_load(lines, begin + j), b = axis_load(lines, begin + j + half);
            axis_join(&a, &b, tables->turn[j * step]);
            axis_store(lines, begin + j, a);
            axis_store(lines, begin + j + half, b);
        }
    }
}

/* The steps of half and 2 half. */
static void axis_two_steps(const struct axis_tables *tables, double *lines, size_t size,
                           size_t half)
{
    const size_t step = tables->padded / (2 * half);
    for (size_t begin = 0; begin < size; begin += 4 * half) {
        for (size_t j = begin; j < begin + half; j++) {
            const axis_number first = tables->turn[(j - begin) * step];
            const axis_number second = tables->turn[(j - begin) * (step / 2)];
            const axis_number third = tables->turn[(j - begin + half) * (step / 2)];
            axis_lanes a = axis_load(lines, j), b = axis_load(lines, j + half);
            axis_lanes c = axis_load(lines, j + 2 * half), d = axis_load(lines, j + 3 * half);
            axis_join(&a, &b, first);
            axis_join(&c, &d, first);
            axis_join(&a, &c, second);
            axis_join(&b, &d, third);
            axis_store(lines, j, a);
            axis_store(lines, j + half, b);
            axis_store(lines, j + 2 * half, c);
            axis_store(lines, j + 3 * half, d);
        }
    }
}

static void axis_join_all(const struct axis_tables *tables, double *lines, size_t size)
{
    if (size <= AXIS_SMALL) {
        size_t half = 1;
        for (; 4 * half <= size; half *= 4) {
            axis_two_steps(tables, lines, size, half);
        }
        if (half < size) {
            axis_step(tables, lines, size, half);
        }
        return;
    }
    for (size_t k = 0; k < 4; k++) {
        axis_join_all(tables, lines + 2 * VEC_LONGS * (k * (size / 4)), size / 4);
    }
    axis_two_steps(tables, lines, size, size / 4);
}

static void landform_axis_transform(const struct axis_tables *tables, double *lines)
{
    for (size_t i = 0; i < tables->padded; i++) {
        const size_t k = tables->places[i];
        if (i < k) {
            const axis_lanes kept = axis_load(lines, i);
            axis_store(lines, i, axis_load(lines, k));
            axis_store(lines, k, kept);
        }
    }
    axis_join_all(tables, lines, tables->padded);
}

static void landform_axis_transform_lines(const struct axis_tables *tables, double *lines)
{
    const vdouble scale = vd_set(1.0 / tables->padded), none = vd_set(0);
    const axis_lanes nothing = {none, none};
    for (size_t j = 0; j < tables->padded; j++) {
        axis_store(lines, j,
                   j < tables->size ? axis_times(axis_load(lines, j), tables->chirp[j]) : nothing);
    }
    landform_axis_transform(tables, lines);
    for (size_t j = 0; j < tables->padded; j++) {
        /* The conjugate, so that the same transform leads back. */
        axis_lanes product = axis_times(axis_load(lines, j), tables->kernel[j]);
        product.im = none - product.im;
        axis_store(lines, j, product);
    }
    landform_axis_transform(tables, lines);
    for (size_t k = 0; k < tables->size; k++) {
        const axis_lanes found = axis_load(lines, k);
        const axis_lanes back = {found.re * scale, none - found.im * scale};
        axis_store(lines, k, axis_times(back, tables->chirp[k]));
    }
}

const struct landform_axis_kernels TERRAIN__KERNELS(landform_axis) = {
    VEC_LONGS, landform_axis_transform, landform_axis_transform_lines};
