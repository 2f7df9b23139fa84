/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What erosion of Olsen's kind is judged by. */

#ifndef TEST_ERODE_SCORE_H
#define TEST_ERODE_SCORE_H

#include "support/check.h"
#include "support/maps.h"
#include "terrain/score.h"

/* The erosion score, and, if wanted, the share of cells with a slope of at most 0.05. */
static inline double score_of(const terrain_heightmap *map, double *flats)
{
    terrain_score_desc desc;
    terrain_score *score = NULL;
    double result;
    assert_int_equal(terrain_score_desc_init(&desc, sizeof desc), TERRAIN_SUCCESS);
    desc.building_slope = 0.05f;
    assert_int_equal(terrain_score_create(NULL, &desc, &score), TERRAIN_SUCCESS);
    assert_int_equal(terrain_score_add(NULL, score, map, NULL), TERRAIN_SUCCESS);
    result = terrain_score_erosion(score);
    if (flats != NULL) {
        *flats = (double)terrain_score_flat(score) / (double)terrain_score_count(score);
    }
    terrain_score_destroy(score);
    return result;
}

/* A plane that falls to the north, with faint noise: what flows on it gathers, or does not. */
static inline void fill_slope(terrain_heightmap *map)
{
    const uint32_t width = terrain_heightmap_width(map);
    for_each_cell(map, x, y) {
        const uint32_t noise = ((uint32_t)y * width + (uint32_t)x) * 2654435761u >> 8;
        *test_cell(map, x, y) = 0.7f * (float)y + 0.1f * (float)noise / 16777216;
    }
}

/* How rough the middle row is, which lies along the slope's contour, away from its ends. */
static inline double roughness_of(terrain_heightmap *map)
{
    const uint32_t width = terrain_heightmap_width(map), y = terrain_heightmap_height(map) / 2;
    double sum = 0;
    for (uint32_t x = width / 5; x < width - width / 5; x++) {
        const double d = 2 * (double)test_at(map, x, y) - (double)test_at(map, x - 4, y) -
                         (double)test_at(map, x + 4, y);
        sum += d * d;
    }
    return sum;
}

#endif
