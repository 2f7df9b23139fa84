/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Erosion that spares plains. */

#ifndef TERRAIN_ERODE_EXTENT_H
#define TERRAIN_ERODE_EXTENT_H

/* How much of its work erosion does where land is this steep, so that plains remain: nothing up to
 * least_slope, all of it from twice that on. NaN, which infinite heights make, gets nothing. */
static inline float erode_extent(float slope, float least_slope)
{
    float extent = least_slope > 0 ? (slope - least_slope) / least_slope : slope > 0 ? 1.0f : 0.0f;
    return extent > 1 ? 1 : extent > 0 ? extent : 0;
}

#endif
