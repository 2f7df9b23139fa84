/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What erosion of Olsen's kind is judged by. */

#ifndef TEST_ERODE_SCORE_H
#define TEST_ERODE_SCORE_H

#include "support/check.h"
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

#endif
