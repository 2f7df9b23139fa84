/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "stitch/skirt_kernels.h"

#define SKIRT_ONE(a, by, i) ((a)[0][i] * (by)[0])
#define SKIRT_TWO(a, by, i) ((a)[0][i] * (by)[0] + (a)[1][i] * (by)[1])

#define SKIRT_SIDES(one) (one(row.west, row.by_west, i) + one(row.east, row.by_east, i))
#define SKIRT_ALL(one)                                                                             \
    (SKIRT_SIDES(one) + (one(row.north, row.by_north, i) + one(row.south, row.by_south, i)))

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

/* The row is copied, so that the compiler knows that writing cells does not change it. */
#define SKIRT_KERNEL(name, arriving)                                                               \
    static void skirt_##name(float *cells, const struct skirt_row *given, uint32_t width)          \
    {                                                                                              \
        const struct skirt_row row = *given;                                                       \
        TERRAIN__INDEPENDENT                                                                       \
        for (uint32_t i = 0; i < width; i++) {                                                     \
            cells[i] = skirt_sum(cells[i], arriving);                                              \
        }                                                                                          \
    }

SKIRT_KERNEL(sides_one, SKIRT_SIDES(SKIRT_ONE))
SKIRT_KERNEL(sides_two, SKIRT_SIDES(SKIRT_TWO))
SKIRT_KERNEL(all_one, SKIRT_ALL(SKIRT_ONE))
SKIRT_KERNEL(all_two, SKIRT_ALL(SKIRT_TWO))

const struct skirt_kernels TERRAIN__KERNELS(skirt) = {
    {skirt_side_one, skirt_side_two},
    {skirt_sides_one, skirt_sides_two},
    {skirt_all_one, skirt_all_two},
};
