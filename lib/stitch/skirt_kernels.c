/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "stitch/skirt_kernels.h"

#include <stdbool.h>

/* 0 + -0 would be 0, so that a cell at which nothing arrives is not added to. */
static inline float skirt_sum(float h, float change)
{
    float sum = h + change;
    return change == 0 ? h : sum;
}

static void skirt_side_one(float *cells, const float *first, const float *second, const float by[2],
                           uint32_t width)
{
    const float by_first = by[0];
    (void)second;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        cells[i] = skirt_sum(cells[i], first[i] * by_first);
    }
}

static void skirt_side_two(float *cells, const float *first, const float *second, const float by[2],
                           uint32_t width)
{
    const float by_first = by[0], by_second = by[1];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        cells[i] = skirt_sum(cells[i], first[i] * by_first + second[i] * by_second);
    }
}

/* What one or two lines change at cell i. */
TERRAIN__INLINE float skirt_lines(const float *const lines[2], const float by[2], uint32_t count,
                                  uint32_t i)
{
    const float first = lines[0][i] * by[0];
    return count == 1 ? first : first + lines[1][i] * by[1];
}

/* The row is copied, so that the compiler knows that writing cells does not change it. */
TERRAIN__INLINE void skirt_row(float *cells, const struct skirt_row *given, uint32_t width,
                               uint32_t lines, bool from_everywhere)
{
    const struct skirt_row row = *given;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float change = skirt_lines(row.west, row.by_west, lines, i) +
                       skirt_lines(row.east, row.by_east, lines, i);
        if (from_everywhere) {
            change += skirt_lines(row.north, row.by_north, lines, i) +
                      skirt_lines(row.south, row.by_south, lines, i);
        }
        cells[i] = skirt_sum(cells[i], change);
    }
}

#define SKIRT_KERNEL(name, lines, from_everywhere)                                                 \
    static void skirt_##name(float *cells, const struct skirt_row *row, uint32_t width)            \
    {                                                                                              \
        skirt_row(cells, row, width, lines, from_everywhere);                                      \
    }

SKIRT_KERNEL(sides_one, 1, false)
SKIRT_KERNEL(sides_two, 2, false)
SKIRT_KERNEL(all_one, 1, true)
SKIRT_KERNEL(all_two, 2, true)

const struct skirt_kernels TERRAIN__KERNELS(skirt) = {
    {skirt_side_one, skirt_side_two},
    {skirt_sides_one, skirt_sides_two},
    {skirt_all_one, skirt_all_two},
};
