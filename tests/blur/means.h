/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What must hold of every blur whose window is the same for all cells. */

#ifndef TEST_BLUR_MEANS_H
#define TEST_BLUR_MEANS_H

#include <math.h>

#include "support/check.h"
#include "terrain/blur.h"

/* Blurs by a radius or a sigma. */
typedef void blur_function(terrain_heightmap *map, float size, terrain_border border);

/* The cell of a line of `count` cells that stands for cell i; -1 for none. */
static inline int64_t border_cell(int64_t i, int64_t count, terrain_border border)
{
    while (i < 0 || i >= count) {
        if (border == TERRAIN_BORDER_OPEN) {
            return -1;
        }
        if (border == TERRAIN_BORDER_CLAMP) {
            return i < 0 ? 0 : count - 1;
        }
        if (border == TERRAIN_BORDER_WRAP) {
            i += i < 0 ? count : -count;
        } else {
            i = i < 0 ? -1 - i : 2 * count - 1 - i;
        }
    }
    return i;
}

/* Material that comes or goes: on a torus the sum stays. */
static inline void expect_sum_on_a_torus(blur_function *blur, const float *sizes, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        terrain_heightmap *map = test_map_of_size(64, 48, i);
        const double before = test_summarize(map).sum;
        blur(map, sizes[i], TERRAIN_BORDER_WRAP);
        const double after = test_summarize(map).sum;
        assert_true(fabs(after - before) < 64 * 48 * 21 * 1e-7);
        terrain_heightmap_destroy(map);
    }
}

/* Level ground that does not stay level, to the last bit. */
static inline void expect_level(blur_function *blur, const float *sizes, uint32_t count,
                                float height, terrain_border border)
{
    for (uint32_t i = 0; i < count; i++) {
        terrain_window window = {-3, 8, 37, 29};
        terrain_heightmap *map = test_map(&window);
        test_fill_level(map, height);
        blur(map, sizes[i], border);
        for_each_cell(map, x, y) {
            assert_true(test_at(map, x, y) == height);
        }
        terrain_heightmap_destroy(map);
    }
}

/* A size of 0 that is not the identity, NaN and -0 included. */
static inline void expect_identity(blur_function *blur, terrain_border border)
{
    terrain_heightmap *map = test_map_of_size(40, 30, 5);
    uint32_t *before;
    test_sprinkle(map, 9, 7);
    before = test_snapshot(map);
    blur(map, 0, border);
    assert_true(test_unchanged(map, before));
    terrain_heightmap_destroy(map);
}

#endif
