/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Measures that distinguish real land from noise: how a terrain drains, which landforms it consists
 * of, and the shape of its crests, hollows and directions.
 *
 *     terrain_landform land;
 *     terrain_landform_init(&land, sizeof land);
 *     terrain_landform_measure(NULL, map, &land);
 *     … land.undrained, land.forms[TERRAIN_LANDFORM_VALLEY] …
 *
 * Fractal noise looks real to most measures of roughness, but not to these: some two thirds of it
 * drain into closed depressions, and hardly any real land does. Windows of real land with some 400
 * cells a side have:
 *
 *     undrained   0 to 0.002       skewness         -0.22 to 0.05
 *     trunk       0.28 to 0.83     axis             0.95 to 1.05
 *     concavity   0.21 to 0.60     forms_distance   0 to 0.19
 *     hack        0.44 to 0.56     valleys, ridges  0.09 to 0.18, 0.08 to 0.16
 *
 * Definition. Heights are divided by the cell size. Water leaves at the map's rim and at cells that
 * are not finite.
 *
 *   filled     every cell, from the lowest of the rim inwards, at least 0.00001 (1 + |f| / 1000)
 *              above the filled height f of the cell that it is reached from
 *   receiver   the neighbour of eight to which the filled surface falls most steeply; of equals the
 *              first by rows
 *   relief     the 99.5th less the 0.5th percentile of the heights
 *   bowl       a connected area of cells that are filled by more than 0.001 of the relief, with at
 *              least one that is filled by more than 0.05 of it
 *   undrained  share of cells in a bowl, or whose path of receivers crosses one
 *   trunk      share of cells upstream of the cell that has most of them, itself included, where
 *              what flows into a bowl is lost
 *   concavity  minus the exponent of slope against area upstream: slopes above 0.0001 of cells with
 *              areas between 50 and a twentieth of the map, in eleven classes of the area's
 *              logarithm that are equally wide; a line by least squares through the classes'
 *              medians, of those with more than twenty cells, four at least
 *   hack       exponent of the longest path upstream against area, by least squares of logarithms,
 *              of cells with areas above 50; more than 50 of them
 *   skewness   of the Laplacian n + s + e + w - 4 h, three cells from the rim, as multiples of its
 *              deviation, cut at 6: crests sharper than hollows make it negative
 *   axis       energy near the axes and diagonals, within 5 degrees, divided by that of other
 *              directions, each as a multiple of the mean of its ring of frequencies: the square of
 *              up to 4096 cells at the map's first cell, less its mean plane, under Hann's window,
 *              frequencies from 1/32 to 1/4 of a cell; 1: no direction is favoured
 *   forms      shares of the ten landforms among cells 20 from the rim, by geomorphons (Jasiewicz
 *              and Stepinski, 2013): lines of sight of 20 cells, flat within 1 degree, with heights
 *              scaled so that the mean slope is 0.4
 *   forms_distance  the distance of Jensen and Shannon of these shares from the land's around
 *              Jacksboro, Tennessee, in bits: the root of the divergence, 0 to 1
 *
 * A measure for which the map is too small is NaN. */

#ifndef TERRAIN_LANDFORM_H
#define TERRAIN_LANDFORM_H

#include <terrain/context.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The ten landforms. */
enum {
    TERRAIN_LANDFORM_FLAT = 0,
    TERRAIN_LANDFORM_PEAK = 1,
    TERRAIN_LANDFORM_RIDGE = 2,
    TERRAIN_LANDFORM_SHOULDER = 3,
    TERRAIN_LANDFORM_SPUR = 4,
    TERRAIN_LANDFORM_SLOPE = 5,
    TERRAIN_LANDFORM_HOLLOW = 6,
    TERRAIN_LANDFORM_FOOTSLOPE = 7,
    TERRAIN_LANDFORM_VALLEY = 8,
    TERRAIN_LANDFORM_PIT = 9,
    TERRAIN_LANDFORM_COUNT = 10
};

typedef struct terrain_landform {
    uint32_t struct_size;
    uint32_t flags; /**< the tag of terrain_landform_init */
    /** Share of the cells whose water ends in a closed depression. Real land: 0 to 0.002. */
    double undrained;
    /** Share of the cells that drain through the largest river. Real land: 0.28 to 0.83. */
    double trunk;
    /** How much flatter rivers become downstream: slope goes like area^-concavity. Real land: 0.21
     * to 0.60. */
    double concavity;
    /** How rivers' lengths grow with their catchments: length goes like area^hack. Real land: 0.44
     * to 0.56. */
    double hack;
    /** Whether crests are sharper than hollows (below 0) or rounder. Real land: -0.22 to 0.05. */
    double skewness;
    /** Whether the land favours the axes and diagonals (above 1). Real land: 0.95 to 1.05. */
    double axis;
    /** Share of the cells that have each landform. */
    double forms[TERRAIN_LANDFORM_COUNT];
    /** How far these shares are from real land's, 0 to 1. Real land: 0 to 0.19. */
    double forms_distance;
} terrain_landform;

/** Writes zeros and the tag; size is sizeof *land. Errors: ARGUMENT. Since 0.2. */
TERRAIN_API terrain_status terrain_landform_init(terrain_landform *land, size_t size);

/** Measures a map, in some 150 to 300 nanoseconds a cell on one core: the more hollows, the longer.
 * Landforms and spectrum are shared by the context's threads. The result is the same on every
 * machine, bit for bit. Needs some 35 bytes a cell and ten megabytes while it runs, up to 50 bytes
 * if nearly all cells are rivers. Polls and reports progress after a million cells at most. Errors:
 * ARGUMENT (NULL; a struct that terrain_landform_init has not initialised); MEMORY; UNSUPPORTED:
 * 2^32 cells or more; CANCELLED; RUNNER; BUSY. On error *land is what it was. Since 0.2. */
TERRAIN_API terrain_status terrain_landform_measure(terrain_context *context,
                                                    const terrain_heightmap *map,
                                                    terrain_landform *land);

#ifdef __cplusplus
}
#endif

#endif
