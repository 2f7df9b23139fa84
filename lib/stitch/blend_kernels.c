/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "stitch/blend_kernels.h"

static void stitch_blend_across(float *west, float *east, const float *by_west,
                                const float *by_east, uint32_t width)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float a = west[i], b = east[i];
        float blended = a * by_west[i] + b * by_east[i];
        blended = a == b ? a : blended;
        west[i] = blended;
        east[i] = blended;
    }
}

static void stitch_blend_along(float *north, float *south, float by_north, float by_south,
                               uint32_t width)
{
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float a = north[i], b = south[i];
        float blended = a * by_north + b * by_south;
        blended = a == b ? a : blended;
        north[i] = blended;
        south[i] = blended;
    }
}

static void stitch_blend_corner(float *const maps[4], const float *by_west, const float *by_east,
                                float by_north, float by_south, uint32_t width)
{
    float *const nw = maps[0], *const ne = maps[1], *const sw = maps[2], *const se = maps[3];
    TERRAIN__INDEPENDENT
    for (uint32_t i = 0; i < width; i++) {
        float a = nw[i], b = ne[i], c = sw[i], d = se[i];
        float falling = a * (by_west[i] * by_north) + d * (by_east[i] * by_south);
        float rising = b * (by_east[i] * by_north) + c * (by_west[i] * by_south);
        float blended = falling + rising;
        float even = a == d ? a : blended;
        even = b == c ? even : blended;
        even = a == b ? even : blended;
        nw[i] = even;
        ne[i] = even;
        sw[i] = even;
        se[i] = even;
    }
}

const struct stitch_blend_kernels TERRAIN__KERNELS(stitch_blend) = {
    stitch_blend_across,
    stitch_blend_along,
    stitch_blend_corner,
};
