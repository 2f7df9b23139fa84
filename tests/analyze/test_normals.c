/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards analyze_normals: length, direction, turns, outputs that may be left out, and large
 * maps. */

#include <math.h>

#include "analyze/turns.h"
#include "terrain/analyze.h"

struct normals {
    terrain_heightmap *x, *y, *z;
};

static struct normals normals_of(const terrain_heightmap *map)
{
    struct normals n = {blank(map), blank(map), blank(map)};
    terrain_analyze_normals_params params;
    assert_int_equal(terrain_analyze_normals_params_init(&params, sizeof params), TERRAIN_SUCCESS);
    params.normal_y = n.y;
    params.normal_z = n.z;
    assert_int_equal(terrain_analyze_normals(NULL, map, n.x, &params), TERRAIN_SUCCESS);
    return n;
}

static void destroy(struct normals *n)
{
    terrain_heightmap_destroy(n->x);
    terrain_heightmap_destroy(n->y);
    terrain_heightmap_destroy(n->z);
}

/* Vectors that are not of length 1, or point downwards. */
static void test_length(void **state)
{
    for (int i = 0; i < TURN_SIZES; i++) {
        uint32_t count = turn_sizes[i][0] * turn_sizes[i][1];
        terrain_heightmap *map = test_map_of_size(turn_sizes[i][0], turn_sizes[i][1], 5);
        struct normals n = normals_of(map);
        for (uint32_t k = 0; k < count; k++) {
            double x = (double)terrain_heightmap_data(n.x)[k];
            double y = (double)terrain_heightmap_data(n.y)[k];
            double z = (double)terrain_heightmap_data(n.z)[k];
            assert_true(fabs(sqrt(x * x + y * y + z * z) - 1) < 3e-7 && z > 0);
        }
        destroy(&n);
        terrain_heightmap_destroy(map);
    }
}

/* A sign or an axis that is exchanged: on a plane that rises to the east (and north) the normal
 * leans to the west (and south). */
static void test_direction(void **state)
{
    terrain_heightmap *map = plane(33, 21, 2, -2, 0.5f);
    struct normals n = normals_of(map);
    for (int i = 0; i < 33 * 21; i++) {
        assert_true(fabsf(terrain_heightmap_data(n.x)[i] + 2.0f / 3) < 1e-7f);
        assert_true(fabsf(terrain_heightmap_data(n.y)[i] - 2.0f / 3) < 1e-7f);
        assert_true(fabsf(terrain_heightmap_data(n.z)[i] - 1.0f / 3) < 1e-7f);
    }
    destroy(&n);
    terrain_heightmap_destroy(map);
}

/* A direction that is preferred by so much as a bit. A turn against the clock makes north of
 * east. */
static void test_turns(void **state)
{
    terrain_heightmap *map = rough(61, 35, 9);
    terrain_heightmap *turn = turned(map);
    struct normals n = normals_of(map), t = normals_of(turn);
    terrain_heightmap *x = turned(n.x), *y = turned(n.y), *z = turned(n.z);
    for (int i = 0; i < 61 * 35; i++) {
        assert_true(terrain_heightmap_data(t.y)[i] == -terrain_heightmap_data(x)[i]);
        assert_true(terrain_heightmap_data(t.x)[i] == terrain_heightmap_data(y)[i]);
    }
    assert_true(test_maps_equal(t.z, z));
    destroy(&n);
    destroy(&t);
    terrain_heightmap_destroy(x);
    terrain_heightmap_destroy(y);
    terrain_heightmap_destroy(z);
    terrain_heightmap_destroy(turn);
    terrain_heightmap_destroy(map);
}

/* Outputs that depend on which others are wanted. */
static void test_outputs(void **state)
{
    terrain_heightmap *map = test_map_of_size(61, 35, 2);
    struct normals n = normals_of(map);
    terrain_heightmap *x = blank(map), *z = blank(map);
    terrain_analyze_normals_params params;
    terrain_analyze_normals_params_init(&params, sizeof params);
    assert_int_equal(terrain_analyze_normals(NULL, map, x, NULL), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(x, n.x));
    test_fill_poison(x);
    params.normal_z = z;
    assert_int_equal(terrain_analyze_normals(NULL, map, x, &params), TERRAIN_SUCCESS);
    assert_true(test_maps_equal(x, n.x) && test_maps_equal(z, n.z));
    params.normal_y = z;
    assert_int_equal(terrain_analyze_normals(NULL, map, x, &params), TERRAIN_ERROR_ALIAS);
    destroy(&n);
    terrain_heightmap_destroy(x);
    terrain_heightmap_destroy(z);
    terrain_heightmap_destroy(map);
}

/* Some rows of a map, as a map. */
static terrain_heightmap *rows_of(terrain_heightmap *map, uint32_t y, uint32_t rows)
{
    terrain_heightmap *part = NULL;
    size_t stride = terrain_heightmap_stride(map);
    assert_int_equal(terrain_heightmap_wrap(NULL, terrain_heightmap_data(map) + y * stride,
                                            terrain_heightmap_width(map), rows, stride, &part),
                     TERRAIN_SUCCESS);
    return part;
}

/* Cells that are lost on the way past the caches, which the results of large maps take: their rows
 * begin at all places of a cache line. */
static void check_large(uint32_t width)
{
    enum { HEIGHT = 2049, ROWS = 64 };
    terrain_heightmap *map = rough(width, HEIGHT, 11);
    struct normals n = normals_of(map);
    for (uint32_t y = 1; y + ROWS < HEIGHT; y += ROWS) {
        terrain_heightmap *part = rows_of(map, y - 1, ROWS + 2);
        struct normals p = normals_of(part);
        terrain_heightmap *pairs[][2] = {{n.x, p.x}, {n.y, p.y}, {n.z, p.z}};
        for (int k = 0; k < 3; k++) {
            assert_memory_equal(terrain_heightmap_data(pairs[k][0]) + (size_t)y * width,
                                terrain_heightmap_data(pairs[k][1]) + width,
                                sizeof(float) * ROWS * width);
        }
        destroy(&p);
        terrain_heightmap_destroy(part);
    }
    destroy(&n);
    terrain_heightmap_destroy(map);
}

/* Rows that the kernel stores past the caches itself, and others, which lie at other distances
 * modulo 4 KiB. */
static void test_large(void **state)
{
    check_large(2057);
    check_large(2113);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_length), cmocka_unit_test(test_direction),
        cmocka_unit_test(test_turns),  cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
