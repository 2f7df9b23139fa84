/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards scratch memory: sizes that wrap around, blocks that overlap or are not aligned, and memory
 * that is not taken back. */

#include <string.h>

#include "base/memory.h"
#include "support/check.h"

/* A size that no memory has, which becomes small when it is rounded up or gets a header. */
static void test_enormous(void **state)
{
    test_allocator allocator = {0};
    terrain__arena arena = {.allocator = test_allocator_of(&allocator)};
    (void)state;
    for (size_t less = 0; less < 4 * TERRAIN__ALIGNMENT; less++) {
        assert_null(terrain__arena_take(&arena, SIZE_MAX - less));
    }
    assert_non_null(terrain__arena_take(&arena, 1));
    for (size_t less = 0; less < 4 * TERRAIN__ALIGNMENT; less++) {
        assert_null(terrain__arena_take(&arena, SIZE_MAX - less));
    }
    terrain__arena_free(&arena);
    assert_int_equal(allocator.live + allocator.faults, 0);
}

/* Blocks of any size that share a byte; a second round that asks the host again. */
static void test_rounds(void **state)
{
    test_allocator allocator = {0};
    terrain__arena arena = {.allocator = test_allocator_of(&allocator)};
    unsigned char *blocks[40];
    size_t sizes[40];
    uint64_t calls = 0;
    (void)state;
    for (int round = 0; round < 4; round++) {
        test_random random = {5};
        for (int i = 0; i < 40; i++) {
            sizes[i] = (size_t)test_below(&random, i % 8 == 0 ? 100000 : 500);
            blocks[i] = terrain__arena_take(&arena, sizes[i]);
            assert_non_null(blocks[i]);
            assert_int_equal((uintptr_t)blocks[i] % TERRAIN__ALIGNMENT, 0);
            memset(blocks[i], i, sizes[i]);
        }
        for (int i = 0; i < 40; i++) {
            for (size_t k = 0; k < sizes[i]; k++) {
                assert_int_equal(blocks[i][k], i);
            }
        }
        assert_true(round < 2 || allocator.calls == calls);
        calls = allocator.calls;
        terrain__arena_reset(&arena);
    }
    assert_int_equal(allocator.live, 1);
    terrain__arena_free(&arena);
    assert_int_equal(allocator.live + allocator.faults, 0);
}

static void test_products(void **state)
{
    size_t product;
    (void)state;
    assert_true(terrain__multiply_size(SIZE_MAX, 1, &product) && product == SIZE_MAX);
    assert_true(terrain__multiply_size(SIZE_MAX / 8, 8, &product) && product == SIZE_MAX - 7);
    assert_false(terrain__multiply_size(SIZE_MAX / 8 + 1, 8, &product));
    assert_true(terrain__multiply_size(SIZE_MAX, 0, &product) && product == 0);
    assert_true(terrain__multiply_size(0, SIZE_MAX, &product) && product == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enormous),
        cmocka_unit_test(test_rounds),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
