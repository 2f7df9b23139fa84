/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* terrain_seams_measure. Guards against seams that it does not see, and against seams where there
 * are none. */

#include <math.h>

#include "stitch/grid.h"

static void set_plane(grid *g, uint32_t map, float height, float slope)
{
    for (uint32_t i = 0; i < g->width * g->height; i++) {
        *grid_at(g, map, i % g->width, i / g->width) = height + slope * (float)(i % g->width);
    }
}

/* Steps and kinks of known size. */
static void test_known_seams(void **state)
{
    grid g = grid_of(2, 1, 20, 10);
    set_plane(&g, 0, 0, 1);
    set_plane(&g, 1, 22, 1.5f); /* where the first one ends at 19 */
    terrain_seams seams = grid_seams(&g, 1);
    assert_true(seams.cells == 10);
    assert_true(seams.worst_step == 3 && seams.worst_kink == 0.5);
    /* 18, 19 or 22, 23.5 */
    assert_true(seams.seam_curvature == 0.5 * (3.5 + 2.5) && seams.inside_curvature == 0);
    assert_true(isinf(seams.ratio));
    set_plane(&g, 1, 19, 1);
    seams = grid_seams(&g, 1);
    assert_true(seams.worst_step == 0 && seams.worst_kink == 0 && seams.ratio == 1);
    *grid_at(&g, 1, 10, 9) += 90; /* bends 90, 180, 90 of 2 * 18 * 10 */
    seams = grid_seams(&g, 1);
    assert_true(seams.inside_curvature == 1 && seams.ratio == 0);
    grid_free(&g);
}

/* Maps below each other, whose kinks along their common edge count. */
static void test_one_column(void **state)
{
    grid g = grid_of(1, 2, 20, 10);
    set_plane(&g, 0, 0, 0);
    set_plane(&g, 1, 0, 0);
    for (uint32_t k = 0; k < 2 * 10; k++) {
        *grid_at(&g, k / 10, 7, k % 10) = 3; /* a ridge across the edge */
    }
    terrain_seams seams = grid_seams(&g, 1);
    assert_true(seams.cells == 20 && seams.inside_curvature == 0 && seams.ratio == 1);
    grid_free(&g);
}

/* A kink at the far end of an overlap, where the second map goes on alone. */
static void test_both_ends_of_an_overlap(void **state)
{
    for (uint32_t overlap = 2; overlap <= 4; overlap++) {
        grid g = grid_of(2, 1, 20, 10);
        set_plane(&g, 0, 0, 1);
        set_plane(&g, 1, (float)(20 - overlap), 1); /* shares the last columns */
        for (uint32_t i = 0; i < g.width * g.height; i++) {
            const uint32_t x = i % 20;
            *grid_at(&g, 1, x, i / 20) += x >= overlap ? 0.5f * (float)(x + 1 - overlap) : 0;
        }
        terrain_seams seams = grid_seams(&g, overlap);
        assert_true(seams.cells == 10 * overlap);
        assert_true(seams.worst_step == 0 && seams.worst_kink == 0.5);
        assert_true(seams.seam_curvature == 0.25); /* 0 at one end, 0.5 at the other */
        grid_free(&g);
    }
}

/* A seam in a world without seams: the lines where tiles end look like all others. */
static void test_no_seams(void **state)
{
    for (uint32_t overlap = 1; overlap <= 8; overlap += 7) {
        grid g = grid_of_world(4, 4, 129, 129, overlap);
        terrain_seams seams = grid_seams(&g, overlap);
        assert_true(seams.worst_step == 0);
        assert_true(seams.ratio > 0.9 && seams.ratio < 1.1);
        grid_free(&g);
    }
}

/* Maps that don't belong together show it, and stitching them brings the ratio down. */
static void test_stitching_helps(void **state)
{
    grid g = grid_of_world(3, 3, 129, 129, 1);
    for (uint32_t i = 0; i < 9; i++) {
        terrain_erode_shear_regions(NULL, g.maps[i], NULL);
    }
    terrain_seams naive = grid_seams(&g, 1);
    assert_true(naive.worst_step > 1 && naive.ratio > 1.5);
    terrain_stitch_edges(NULL, g.maps, 3, 3, NULL);
    terrain_seams stitched = grid_seams(&g, 1);
    assert_true(stitched.worst_step == 0 && stitched.ratio < naive.ratio);
    grid_free(&g);
}

/* Cells that are not finite are left out, and make no NaN. */
static void test_holes(void **state)
{
    grid g = grid_of(2, 2, 20, 20);
    for (uint32_t i = 0; i < 4; i++) {
        test_sprinkle(g.maps[i], i, 5);
    }
    terrain_seams seams = grid_seams(&g, 1);
    assert_true(seams.cells < 80 && seams.cells > 20);
    assert_true(isfinite(seams.worst_step) && isfinite(seams.inside_curvature));
    set_plane(&g, 0, NAN, 0);
    set_plane(&g, 1, NAN, 0);
    set_plane(&g, 2, NAN, 0);
    set_plane(&g, 3, NAN, 0);
    seams = grid_seams(&g, 1);
    assert_true(seams.cells == 0 && seams.worst_step == 0 && seams.ratio == 1);
    grid_free(&g);
}

/* Guards against arguments that are taken though they are wrong, and a struct written on
 * refusal. */
static void test_refused(void **state)
{
    grid g = grid_of(2, 1, 20, 10);
    grid odd = grid_of(2, 1, 20, 11);
    const terrain_heightmap *maps[2] = {g.maps[0], g.maps[1]};
    terrain_seams seams;
    terrain_seams_init(&seams, sizeof seams);
    seams.cells = 77;
    assert_int_equal(terrain_seams_measure(NULL, NULL, 2, 1, 1, &seams), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_seams_measure(NULL, maps, 2, 0, 1, &seams), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_seams_measure(NULL, maps, 2, 1, 0, &seams), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_seams_measure(NULL, maps, 2, 1, 21, &seams), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_seams_measure(NULL, maps, 2, 1, 1, NULL), TERRAIN_ERROR_ARGUMENT);
    seams.flags = 0;
    assert_int_equal(terrain_seams_measure(NULL, maps, 2, 1, 1, &seams), TERRAIN_ERROR_ARGUMENT);
    terrain_seams_init(&seams, sizeof seams);
    seams.cells = 77;
    terrain_heightmap *one = test_map_of_size(1, 1, 1);
    static const terrain_heightmap *many[TERRAIN_GRID_MAXIMUM + 1];
    for (uint32_t i = 0; i <= TERRAIN_GRID_MAXIMUM; i++) {
        many[i] = one;
    }
    assert_int_equal(terrain_seams_measure(NULL, many, TERRAIN_GRID_MAXIMUM + 1, 1, 1, &seams),
                     TERRAIN_ERROR_RANGE);
    assert_true(seams.cells == 77);
    assert_int_equal(terrain_seams_measure(NULL, many, TERRAIN_GRID_MAXIMUM, 1, 1, &seams),
                     TERRAIN_SUCCESS);
    terrain_heightmap_destroy(one);
    seams.cells = 77;
    maps[1] = odd.maps[0];
    assert_int_equal(terrain_seams_measure(NULL, maps, 2, 1, 1, &seams), TERRAIN_ERROR_ARGUMENT);
    maps[1] = NULL;
    assert_int_equal(terrain_seams_measure(NULL, maps, 2, 1, 1, &seams), TERRAIN_ERROR_ARGUMENT);
    assert_true(seams.cells == 77);
    /* An older caller's struct. */
    maps[1] = g.maps[1];
    seams.ratio = 5;
    seams.struct_size = sizeof seams - 8;
    assert_int_equal(terrain_seams_measure(NULL, maps, 2, 1, 20, &seams), TERRAIN_SUCCESS);
    assert_true(seams.cells == 200 && seams.ratio == 5);
    assert_true(seams.worst_kink == 0 && seams.seam_curvature == 0); /* nothing lies beyond */
    assert_int_equal(terrain_seams_measure(NULL, maps, 1, 2, 10, &seams), TERRAIN_SUCCESS);
    assert_int_equal(terrain_seams_measure(NULL, maps, 1, 2, 11, &seams), TERRAIN_ERROR_RANGE);
    /* More than the sides along which they have no neighbours. */
    grid low = grid_of(2, 1, 20, 3), narrow = grid_of(1, 2, 3, 20);
    assert_true(grid_seams(&low, 9).cells == 27 && grid_seams(&narrow, 9).cells == 27);
    grid_free(&low);
    grid_free(&narrow);
    grid_free(&g);
    grid_free(&odd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_seams),
        cmocka_unit_test(test_one_column),
        cmocka_unit_test(test_both_ends_of_an_overlap),
        cmocka_unit_test(test_no_seams),
        cmocka_unit_test(test_stitching_helps),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
