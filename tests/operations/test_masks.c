/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against masks that do something other than the header says, in any operation that has one:
 * 0, less and NaN must keep the old height, 1 and more take the new one, to the last bit; and what
 * is written beside the map, and the mask's own cell size, must play no part. */

#include <math.h>
#include <string.h>

#include "support/check.h"
#include "terrain/shape.h"

static const terrain_window place = {-5, 9, 45, 37};

/* A call with all its outputs; with a mask, of an odd cell size, or without one. */
static test_call make_call(const terrain_operation *operation, const terrain_parameter *mask)
{
    test_call call = test_call_of(operation);
    test_call_create_maps(&call, &place);
    for_each_parameter(operation, p) {
        if (p->type == TERRAIN_TYPE_MAP_OUT || p == mask) {
            test_call_attach(&call, p);
        }
    }
    test_call_fill(&call);
    return call;
}

static terrain_heightmap *map_of(const test_call *call, const terrain_parameter *parameter)
{
    for (uint32_t i = 0; i < call->attached_count; i++) {
        if (call->attached[i].parameter == parameter) {
            return call->attached[i].map;
        }
    }
    return NULL;
}

static void check_masked(const terrain_operation *operation, const terrain_parameter *mask)
{
    static const float values[] = {NAN, -INFINITY, -1, -0.0f, 0, 1, 1.5f, 1e30f, INFINITY};
    enum { KEPT = 5 }; /* so many of them keep the height */
    test_call old = make_call(operation, NULL), all = make_call(operation, NULL);
    test_call masked = make_call(operation, mask);
    float *cells = terrain_heightmap_data(map_of(&masked, mask));
    const uint32_t count = place.width * place.height;
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = values[i % (sizeof values / sizeof values[0])];
    }
    terrain_heightmap_set_cell_size(map_of(&masked, mask), 7);
    expect_status(test_call_apply(&all, NULL), TERRAIN_SUCCESS, &all, NULL);
    expect_status(test_call_apply(&masked, NULL), TERRAIN_SUCCESS, &masked, NULL);
    const float *before = terrain_heightmap_const_data(old.map);
    const float *after = terrain_heightmap_const_data(all.map);
    const float *found = terrain_heightmap_const_data(masked.map);
    for (uint32_t i = 0; i < count; i++) {
        const float *wanted = i % (sizeof values / sizeof values[0]) < KEPT ? before : after;
        expect(memcmp(&found[i], &wanted[i], sizeof(float)) == 0, &masked, NULL);
    }
    for (uint32_t i = 0; i < all.attached_count; i++) {
        terrain_heightmap *output = map_of(&masked, all.attached[i].parameter);
        expect(memcmp(terrain_heightmap_data(all.attached[i].map), terrain_heightmap_data(output),
                      count * sizeof(float)) == 0,
               &masked, NULL);
    }
    test_call_destroy(&old);
    test_call_destroy(&all);
    test_call_destroy(&masked);
}

/* A mask that changes a height where it is 0, or leaves one where it is 1. */
static void test_masks(void **state)
{
    uint32_t checked = 0;
    for_each_operation(operation) {
        const terrain_parameter *mask = terrain_operation_parameter_find(operation, "mask");
        if (mask != NULL) {
            assert_int_equal(mask->port->mask, 1);
            check_masked(operation, mask);
            checked++;
        }
    }
    assert_true(checked > 0);
}

/* A height that is not a quarter of the way to the new one where the mask is a quarter. */
static void test_quarter(void **state)
{
    terrain_heightmap *map = test_map(&place), *mask = test_map(&place);
    terrain_shape_remap_params params;
    terrain_shape_remap_params_init(&params, sizeof params);
    params.mask = mask;
    params.to_low = 8;
    params.to_high = 9;
    for (uint32_t i = 0; i < place.width * place.height; i++) {
        terrain_heightmap_data(mask)[i] = 0.25f;
    }
    assert_int_equal(terrain_shape_remap(NULL, map, &params), TERRAIN_SUCCESS);
    assert_true(*test_cell(map, 3, 4) == 2);
    terrain_heightmap_destroy(mask);
    terrain_heightmap_destroy(map);
}

/* An infinite height that the operation leaves as it is, and that becomes NaN where the mask lies
 * between 0 and 1. */
static void test_infinite_heights_stay(void **state)
{
    static const float heights[] = {INFINITY, -INFINITY, NAN, 5};
    terrain_heightmap *map = test_map(&place), *mask = test_map_of_level(45, 37, 0.5f);
    terrain_shape_clamp_params params;
    terrain_shape_clamp_params_init(&params, sizeof params);
    terrain_heightmap_set_origin(mask, place.x, place.y);
    params.mask = mask;
    for_each_cell(map, x, y) {
        *test_cell(map, x, y) = heights[x % 4];
    }
    assert_int_equal(terrain_shape_clamp(NULL, map, &params), TERRAIN_SUCCESS);
    for_each_cell(map, x, y) {
        const float wanted = heights[x % 4], found = test_at(map, x, y);
        assert_true(found == wanted || (found != found && wanted != wanted));
    }
    terrain_heightmap_destroy(mask);
    terrain_heightmap_destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_masks), cmocka_unit_test(test_quarter),
                                       cmocka_unit_test(test_infinite_heights_stay)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
