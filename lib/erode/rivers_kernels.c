/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "erode/rivers_kernels.h"

#include "base/math.h"

/* The comparison is false for NaN, which therefore stays. */
static void rivers_carve(float *heights, const struct rivers_point *point, uint32_t width)
{
    const float *squares = point->squares, *rises = point->rises;
    const float bed = point->bed, half = point->half_width, steepness = point->steepness;
    const float square = half * half;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float away = terrain__sqrtf(squares[i] + square) - half;
        float level = bed + (steepness * rises[i]) * away;
        heights[i] = level < heights[i] ? level : heights[i];
    }
}

static void rivers_cover(float *areas, const struct rivers_point *point, uint32_t width)
{
    const float *squares = point->squares;
    const float area = point->area, square = point->half_width * point->half_width;
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float here = squares[i] <= square ? area : 0;
        areas[i] = here > areas[i] ? here : areas[i];
    }
}

const struct rivers_kernels TERRAIN__KERNELS(rivers) = {
    .carve = rivers_carve,
    .cover = rivers_cover,
};
