/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against maps that take wrong sizes, lose cells, or free what is not theirs. */

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/heightmap.h"
#include "support/check.h"

/* A new map that is not what the header says. */
static void test_create(void **state)
{
    terrain_heightmap *map = NULL;
    int64_t x = 5, y = 5;
    assert_int_equal(terrain_heightmap_create(NULL, 13, 7, &map), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_width(map), 13);
    assert_int_equal(terrain_heightmap_height(map), 7);
    assert_int_equal(terrain_heightmap_stride(map), 13);
    assert_true(terrain_heightmap_cell_size(map) == 1.0f);
    terrain_heightmap_origin(map, &x, &y);
    assert_int_equal(x, 0);
    assert_int_equal(y, 0);
    assert_int_equal((uintptr_t)terrain_heightmap_data(map) % 64, 0);
    assert_ptr_equal(terrain_heightmap_data(map), terrain_heightmap_const_data(map));
    for (int i = 0; i < 13 * 7; i++) {
        uint32_t bits;
        memcpy(&bits, terrain_heightmap_data(map) + i, sizeof bits);
        assert_int_equal(bits, 0);
    }
    terrain_heightmap_destroy(map);
}

/* A size that overflows into a small one. */
static void test_create_refuses(void **state)
{
    static const struct {
        uint32_t width, height;
        terrain_status status;
    } sizes[] = {
        {0, 1, TERRAIN_ERROR_ARGUMENT},
        {1, 0, TERRAIN_ERROR_ARGUMENT},
        {0, 0, TERRAIN_ERROR_ARGUMENT},
        {UINT32_MAX, UINT32_MAX, TERRAIN_ERROR_MEMORY},
        {0x80000000u, 0x80000000u, TERRAIN_ERROR_MEMORY},
        {0x80000000u, 0x40000000u, TERRAIN_ERROR_MEMORY},
        {0x80000001u, 0x20000000u, TERRAIN_ERROR_MEMORY},
    };
    test_allocator allocator = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        terrain_heightmap *map = (terrain_heightmap *)(uintptr_t)64;
        assert_int_equal(terrain_heightmap_create(context, sizes[i].width, sizes[i].height, &map),
                         sizes[i].status);
        assert_null(map);
        assert_true(strlen(terrain_context_message(context)) > 10);
        assert_int_equal(allocator.live, 1);
    }
    assert_int_equal(terrain_heightmap_create(context, 4, 4, NULL), TERRAIN_ERROR_ARGUMENT);
    /* Not the message of the call before. */
    assert_string_equal(terrain_context_message(context), "heightmap_create: out is NULL");
    terrain_context_destroy(context);
    assert_int_equal(allocator.live, 0);
    assert_int_equal(allocator.faults, 0);
}

/* A leak when the second of two allocations fails; a map that needs its context to die. */
static void test_memory(void **state)
{
    for (uint64_t n = 1; n <= 3; n++) {
        test_allocator allocator = {0};
        terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, &allocator, NULL);
        terrain_heightmap *map = NULL;
        terrain_heightmap *copy = NULL;
        allocator.fail_at = allocator.calls + n;
        terrain_status status = terrain_heightmap_create(context, 9, 7, &map);
        assert_int_equal(status, n <= 2 ? TERRAIN_ERROR_MEMORY : TERRAIN_SUCCESS);
        assert_int_equal(map == NULL, n <= 2);
        allocator.fail_at = 0;
        if (map == NULL) {
            assert_int_equal(terrain_heightmap_create(context, 9, 7, &map), TERRAIN_SUCCESS);
        }
        allocator.fail_at = allocator.calls + n;
        status = terrain_heightmap_clone(context, map, &copy);
        assert_int_equal(status, n <= 2 ? TERRAIN_ERROR_MEMORY : TERRAIN_SUCCESS);
        if (n == 1) {
            float cell = 0;
            terrain_heightmap *wrapped = NULL;
            allocator.fail_at = allocator.calls + 1;
            assert_int_equal(terrain_heightmap_wrap(context, &cell, 1, 1, 1, &wrapped),
                             TERRAIN_ERROR_MEMORY);
            assert_null(wrapped);
            assert_string_equal(terrain_context_message(context), "heightmap_wrap: no memory");
        }
        allocator.fail_at = 0;
        terrain_context_destroy(context);
        terrain_heightmap_destroy(map);
        terrain_heightmap_destroy(copy);
        assert_int_equal(allocator.live, 0);
        assert_int_equal(allocator.faults, 0);
    }
}

/* A wrapped buffer that is copied, freed, or accepted although its rows overlap. */
static void test_wrap(void **state)
{
    static float cells[20 * 10];
    terrain_heightmap *map = NULL;
    assert_int_equal(terrain_heightmap_wrap(NULL, cells + 1, 17, 10, 20, &map), TERRAIN_SUCCESS);
    assert_ptr_equal(terrain_heightmap_data(map), cells + 1);
    assert_int_equal(terrain_heightmap_stride(map), 20);
    terrain_heightmap_destroy(map);

    const struct {
        float *data;
        uint32_t width, height;
        size_t stride;
    } bad[] = {
        {NULL, 4, 4, 4},
        {cells, 0, 4, 4},
        {cells, 4, 0, 4},
        {cells, 4, 4, 3},
        {cells, 4, 4, 0},
        {(float *)((uintptr_t)cells + 1), 4, 4, 4},
        {(float *)((uintptr_t)cells + 2), 4, 4, 4},
        {cells, 4, 4, SIZE_MAX},
        {cells, 4, 4, SIZE_MAX / 4},
        {cells, 4, 4, SIZE_MAX / 16 + 1},
        {cells, 4, 4, SIZE_MAX / 32 + 1}, /* more than differences of pointers hold */
        {cells, 1, UINT32_MAX, SIZE_MAX / 8},
        {(float *)(UINTPTR_MAX - 127), 4, 9, 4}, /* beyond the end of the address space */
    };
    terrain_context *context = test_plain_context();
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        map = (terrain_heightmap *)(uintptr_t)64;
        assert_int_equal(terrain_heightmap_wrap(context, bad[i].data, bad[i].width, bad[i].height,
                                                bad[i].stride, &map),
                         TERRAIN_ERROR_ARGUMENT);
        assert_null(map);
        assert_true(strlen(terrain_context_message(context)) > 10);
        map = (terrain_heightmap *)(uintptr_t)64;
        assert_int_equal(terrain_heightmap_wrap_const(context, bad[i].data, bad[i].width,
                                                      bad[i].height, bad[i].stride, &map),
                         TERRAIN_ERROR_ARGUMENT);
        assert_null(map);
        assert_memory_equal(terrain_context_message(context), "heightmap_wrap_const: ", 22);
    }
    assert_int_equal(terrain_heightmap_wrap(context, cells, 4, 4, 4, NULL), TERRAIN_ERROR_ARGUMENT);
    terrain_context_destroy(context);
}

/* Const memory that can be written through the map. */
static void test_wrap_const(void **state)
{
    static const float cells[6] = {1, 2, 3, 4, 5, 6};
    terrain_heightmap *map = NULL;
    terrain_heightmap *copy = NULL;
    assert_int_equal(terrain_heightmap_wrap_const(NULL, cells, 3, 2, 3, &map), TERRAIN_SUCCESS);
    assert_null(terrain_heightmap_data(map));
    assert_ptr_equal(terrain_heightmap_const_data(map), cells);
    assert_int_equal(terrain_heightmap_clone(NULL, map, &copy), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_copy(NULL, copy, map), TERRAIN_ERROR_ARGUMENT);
    terrain_heightmap_data(copy)[5] = 7; /* the clone is writable */
    terrain_heightmap_destroy(copy);
    terrain_heightmap_destroy(map);
}

/* A copy that forgets cells, cell size or origin, or copies between the rows. */
static void test_clone_and_copy(void **state)
{
    static float cells[11 * 5];
    terrain_heightmap *source = test_map_of_size(7, 5, 3);
    terrain_heightmap *clone = NULL;
    terrain_heightmap *target = NULL;
    int64_t x, y;
    terrain_heightmap_set_cell_size(source, 0.25f);
    assert_int_equal(terrain_heightmap_set_origin(source, -9, INT64_C(1) << 61), TERRAIN_SUCCESS);
    test_sprinkle(source, 1, 3);
    assert_int_equal(terrain_heightmap_clone(NULL, source, &clone), TERRAIN_SUCCESS);
    assert_true(test_unchanged(clone, test_snapshot(source)));

    memset(cells, 0x5A, sizeof cells);
    assert_int_equal(terrain_heightmap_wrap(NULL, cells, 7, 5, 11, &target), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_copy(NULL, source, target), TERRAIN_SUCCESS);
    assert_true(test_unchanged(target, test_snapshot(source)));
    for (int row = 0; row < 5; row++) {
        for (int col = 7; col < 11; col++) {
            uint32_t bits;
            memcpy(&bits, &cells[row * 11 + col], sizeof bits);
            assert_int_equal(bits, 0x5A5A5A5A);
        }
    }
    terrain_heightmap *copies[] = {clone, target};
    for (int i = 0; i < 2; i++) {
        terrain_heightmap_origin(copies[i], &x, &y);
        assert_int_equal(x, -9);
        assert_int_equal(y, INT64_C(1) << 61);
        assert_true(terrain_heightmap_cell_size(copies[i]) == 0.25f);
    }
    terrain_heightmap_destroy(clone);
    terrain_heightmap_destroy(target);
    terrain_heightmap_destroy(source);
}

/* A copy between sizes, or onto itself shifted by a cell. */
static void test_copy_refuses(void **state)
{
    float cells[40];
    terrain_heightmap *a = test_map_of_size(4, 4, 1);
    terrain_heightmap *b = test_map_of_size(4, 5, 1);
    terrain_heightmap *left = NULL;
    terrain_heightmap *shifted = NULL;
    terrain_heightmap *dense = NULL;
    terrain_heightmap *out = (terrain_heightmap *)(uintptr_t)64;
    assert_int_equal(terrain_heightmap_copy(NULL, a, b), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_heightmap_copy(NULL, NULL, b), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_heightmap_copy(NULL, a, NULL), TERRAIN_ERROR_ARGUMENT);
    assert_int_equal(terrain_heightmap_copy(NULL, a, a), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_clone(NULL, NULL, &out), TERRAIN_ERROR_ARGUMENT);
    assert_null(out);
    assert_int_equal(terrain_heightmap_clone(NULL, a, NULL), TERRAIN_ERROR_ARGUMENT);
    memset(cells, 0, sizeof cells);
    assert_int_equal(terrain_heightmap_wrap(NULL, cells, 4, 4, 5, &left), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_wrap(NULL, cells + 1, 4, 4, 5, &shifted), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_copy(NULL, left, shifted), TERRAIN_ERROR_ALIAS);
    assert_int_equal(terrain_heightmap_wrap(NULL, cells, 4, 4, 4, &dense), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_copy(NULL, left, dense), TERRAIN_ERROR_ALIAS);
    terrain_heightmap_destroy(dense);
    terrain_heightmap_destroy(a);
    terrain_heightmap_destroy(b);
    terrain_heightmap_destroy(left);
    terrain_heightmap_destroy(shifted);
}

/* The simple truth: mark the cells of both. */
static bool truly_overlap(const terrain_heightmap *a, const terrain_heightmap *b, const float *base)
{
    bool marked[400] = {false};
    for (uint32_t y = 0; y < a->height; y++) {
        for (uint32_t x = 0; x < a->width; x++) {
            marked[(size_t)(a->data - base) + y * a->stride + x] = true;
        }
    }
    for (uint32_t y = 0; y < b->height; y++) {
        for (uint32_t x = 0; x < b->width; x++) {
            if (marked[(size_t)(b->data - base) + y * b->stride + x]) {
                return true;
            }
        }
    }
    return false;
}

/* The two halves of one image refused, or an overlap let through. */
static void test_overlap(void **state)
{
    static float cells[400];
    test_random random = {5};
    uint32_t overlapping = 0;
    for (int round = 0; round < 40000; round++) {
        terrain_heightmap *maps[2] = {NULL, NULL};
        bool same_stride = test_below(&random, 4) != 0;
        size_t stride = 1 + test_below(&random, 14);
        for (int i = 0; i < 2; i++) {
            if (!same_stride) {
                stride = 1 + test_below(&random, 14);
            }
            uint32_t width = 1 + (uint32_t)test_below(&random, stride);
            uint32_t height = 1 + (uint32_t)test_below(&random, 8);
            assert_int_equal(terrain_heightmap_wrap(NULL, cells + test_below(&random, 200), width,
                                                    height, stride, &maps[i]),
                             TERRAIN_SUCCESS);
        }
        bool truth = truly_overlap(maps[0], maps[1], cells);
        bool found = terrain__heightmaps_overlap(maps[0], maps[1]);
        overlapping += truth;
        assert_int_equal(found, terrain__heightmaps_overlap(maps[1], maps[0]));
        assert_int_equal(found, truth);
        terrain_heightmap_destroy(maps[0]);
        terrain_heightmap_destroy(maps[1]);
    }
    assert_in_range(overlapping, 5000, 35000);
}

/* A view that looks at other cells, forgets where it lies, or lets a const map be written. */
static void test_view(void **state)
{
    terrain_window window = {-1000, 7, 100, 50};
    terrain_heightmap *map = test_map(&window);
    terrain_heightmap *view = NULL, *right = NULL, *constant = NULL;
    int64_t x, y;
    terrain_heightmap_set_cell_size(map, 2.5f);
    assert_int_equal(terrain_heightmap_view(NULL, map, 30, 10, 20, 40, &view), TERRAIN_SUCCESS);
    assert_ptr_equal(terrain_heightmap_data(view), terrain_heightmap_data(map) + 10 * 100 + 30);
    assert_int_equal(terrain_heightmap_width(view), 20);
    assert_int_equal(terrain_heightmap_height(view), 40);
    assert_int_equal(terrain_heightmap_stride(view), terrain_heightmap_stride(map));
    assert_true(terrain_heightmap_cell_size(view) == 2.5f);
    terrain_heightmap_origin(view, &x, &y);
    assert_int_equal(x, -970);
    assert_int_equal(y, 17);

    /* Neighbours in one buffer may take part in one call; overlapping ones may not. */
    assert_int_equal(terrain_heightmap_view(NULL, map, 50, 10, 20, 40, &right), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_copy(NULL, view, right), TERRAIN_SUCCESS);
    terrain_heightmap_destroy(right);
    assert_int_equal(terrain_heightmap_view(NULL, map, 49, 10, 20, 40, &right), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_copy(NULL, view, right), TERRAIN_ERROR_ALIAS);
    terrain_heightmap_destroy(right);

    assert_int_equal(terrain_heightmap_wrap_const(NULL, terrain_heightmap_const_data(map), 100, 50,
                                                  100, &constant),
                     TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_view(NULL, constant, 0, 0, 100, 50, &right),
                     TERRAIN_SUCCESS);
    assert_null(terrain_heightmap_data(right));
    terrain_heightmap_destroy(right);
    terrain_heightmap_destroy(constant);
    terrain_heightmap_destroy(view);
    terrain_heightmap_destroy(map);
}

/* A view that leaves its map, by overflow too. */
static void test_view_refuses(void **state)
{
    static const struct {
        uint32_t x, y, width, height;
        terrain_status status;
    } bad[] = {
        {0, 0, 0, 1, TERRAIN_ERROR_ARGUMENT},
        {0, 0, 1, 0, TERRAIN_ERROR_ARGUMENT},
        {0, 0, 101, 50, TERRAIN_ERROR_RANGE},
        {0, 0, 100, 51, TERRAIN_ERROR_RANGE},
        {1, 0, 100, 50, TERRAIN_ERROR_RANGE},
        {0, 50, 1, 1, TERRAIN_ERROR_RANGE},
        {UINT32_MAX, 0, 2, 1, TERRAIN_ERROR_RANGE},
        {2, 0, UINT32_MAX, 1, TERRAIN_ERROR_RANGE},
        {0, 0x80000000u, 1, 0x80000001u, TERRAIN_ERROR_RANGE},
    };
    terrain_heightmap *map = test_map_of_size(100, 50, 1);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        terrain_heightmap *view = map;
        assert_int_equal(terrain_heightmap_view(NULL, map, bad[i].x, bad[i].y, bad[i].width,
                                                bad[i].height, &view),
                         bad[i].status);
        assert_null(view);
    }
    assert_int_equal(terrain_heightmap_view(NULL, map, 0, 0, 1, 1, NULL), TERRAIN_ERROR_ARGUMENT);
    terrain_heightmap_destroy(map);
}

/* A cell size of zero, or a map that leaves the world. */
static void test_setters(void **state)
{
    terrain_heightmap *map = test_map_of_size(100, 50, 1);
    const int64_t limit = TERRAIN_WORLD_LIMIT;
    int64_t x = 1, y = 1;
    static const float bad[] = {0, -1, 0.9e-6f, 1.1e9f, INFINITY, -INFINITY, NAN};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_int_equal(terrain_heightmap_set_cell_size(map, bad[i]), TERRAIN_ERROR_RANGE);
        assert_true(terrain_heightmap_cell_size(map) == 1.0f);
    }
    assert_int_equal(terrain_heightmap_set_cell_size(map, 1e-6f), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_set_cell_size(map, 1e9f), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_set_cell_size(NULL, 1), TERRAIN_ERROR_ARGUMENT);

    assert_int_equal(terrain_heightmap_set_origin(map, -limit, limit - 50), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_set_origin(map, limit - 100, -limit), TERRAIN_SUCCESS);
    assert_int_equal(terrain_heightmap_set_origin(map, limit - 99, 0), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_heightmap_set_origin(map, 0, limit - 49), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_heightmap_set_origin(map, -limit - 1, 0), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_heightmap_set_origin(map, INT64_MAX, INT64_MIN), TERRAIN_ERROR_RANGE);
    assert_int_equal(terrain_heightmap_set_origin(NULL, 0, 0), TERRAIN_ERROR_ARGUMENT);
    terrain_heightmap_origin(map, &x, NULL);
    terrain_heightmap_origin(map, NULL, &y);
    assert_int_equal(x, limit - 100);
    assert_int_equal(y, -limit);
    terrain_heightmap_destroy(map);
}

/* A crash for NULL where the header allows it. */
static void test_null(void **state)
{
    int64_t x = 1, y = 1;
    terrain_heightmap_destroy(NULL);
    assert_null(terrain_heightmap_data(NULL));
    assert_null(terrain_heightmap_const_data(NULL));
    assert_int_equal(terrain_heightmap_width(NULL), 0);
    assert_int_equal(terrain_heightmap_height(NULL), 0);
    assert_int_equal(terrain_heightmap_stride(NULL), 0);
    assert_true(terrain_heightmap_cell_size(NULL) == 0.0f);
    assert_int_equal(terrain_heightmap_hash(NULL), 0);
    terrain_heightmap_origin(NULL, &x, &y);
    assert_int_equal(x, 0);
    assert_int_equal(y, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_create),       cmocka_unit_test(test_create_refuses),
        cmocka_unit_test(test_memory),       cmocka_unit_test(test_wrap),
        cmocka_unit_test(test_wrap_const),   cmocka_unit_test(test_clone_and_copy),
        cmocka_unit_test(test_copy_refuses), cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_setters),      cmocka_unit_test(test_null),
        cmocka_unit_test(test_view),         cmocka_unit_test(test_view_refuses),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
