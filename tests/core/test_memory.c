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

/* Blocks of any size that share a byte, or that move when more are taken. */
static void test_blocks(void **state)
{
    test_allocator allocator = {0};
    terrain__arena arena = {.allocator = test_allocator_of(&allocator)};
    test_random random = {5};
    unsigned char *blocks[40];
    size_t sizes[40];
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
    assert_true(allocator.live > 1);
    terrain__arena_free(&arena);
    assert_int_equal(allocator.live + allocator.faults, 0);
}

/* Takes sizes, grows what is too small, and takes them again, which must fit. */
static void take_all(terrain__scratchpad *pad, const size_t *sizes, size_t count)
{
    for (int round = 0; round < 2; round++) {
        unsigned char *end = NULL;
        for (size_t i = 0; i < count; i++) {
            unsigned char *block = terrain__scratchpad_take(pad, sizes[i]);
            assert_true(round == 0 || block != NULL);
            assert_int_equal((uintptr_t)block % TERRAIN__ALIGNMENT, 0);
            assert_true(block == NULL || end == NULL || block >= end);
            end = block != NULL ? block + sizes[i] : end;
            if (block != NULL) {
                memset(block, (int)i, sizes[i]); /* beyond the block the allocator notices it */
            }
        }
        if (terrain__scratchpad_fits(pad)) {
            break;
        }
        assert_int_equal(round, 0);
        assert_true(terrain__scratchpad_grow(pad));
    }
    terrain__scratchpad_reset(pad);
}

/* A scratchpad in several blocks; one that asks the host again for what it has had; sizes that wrap
 * around and seem to fit. */
static void test_scratchpad(void **state)
{
    test_allocator allocator = {0};
    terrain__scratchpad pad = {.allocator = test_allocator_of(&allocator)};
    size_t sizes[40];
    test_random random = {6};
    for (size_t i = 0; i < 40; i++) {
        sizes[i] = (size_t)test_below(&random, i % 8 == 0 ? 100000 : 500);
    }
    for (size_t count = 1; count <= 40; count++) {
        take_all(&pad, sizes, count);
        assert_int_equal(allocator.live, 1);
    }
    const uint64_t calls = allocator.calls;
    for (size_t count = 1; count <= 40; count++) {
        take_all(&pad, sizes, count);
    }
    assert_true(calls < 40 && allocator.calls == calls);
    assert_true(allocator.most_bytes == pad.size);

    for (size_t less = 0; less < 4 * TERRAIN__ALIGNMENT; less++) {
        assert_non_null(terrain__scratchpad_take(&pad, 1));
        assert_null(terrain__scratchpad_take(&pad, SIZE_MAX - less));
        assert_null(terrain__scratchpad_take(&pad, 1));
        assert_false(terrain__scratchpad_fits(&pad));
        terrain__scratchpad_reset(&pad);
    }
    (void)terrain__scratchpad_take(&pad, SIZE_MAX);
    assert_false(terrain__scratchpad_grow(&pad));
    terrain__scratchpad_free(&pad);
    assert_int_equal(allocator.live + allocator.faults, 0);
}

/* Takes and gives 200 blocks in an order that depends on nothing; returns where the last one of
 * them that lie in the room's block ends. */
static size_t take_and_give(terrain__room *room)
{
    test_random random = {7};
    unsigned char *blocks[12] = {NULL};
    size_t sizes[12] = {0};
    size_t most = 0;
    for (int i = 0; i < 200; i++) {
        const size_t k = (size_t)test_below(&random, 12);
        for (size_t n = 0; n < sizes[k]; n++) {
            assert_int_equal(blocks[k][n], (unsigned char)k);
        }
        terrain__room_give(room, blocks[k]);
        sizes[k] = (size_t)test_below(&random, i % 3 == 0 ? 20000 : 300);
        blocks[k] = terrain__room_take(room, sizes[k]);
        assert_non_null(blocks[k]);
        assert_int_equal((uintptr_t)blocks[k] % TERRAIN__ALIGNMENT, 0);
        memset(blocks[k], (int)k, sizes[k]);
        const size_t begin = (uintptr_t)blocks[k] - (uintptr_t)room->block;
        if (begin < room->size) {
            most = begin + sizes[k] > most ? begin + sizes[k] : most;
        }
    }
    for (size_t k = 0; k < 12; k++) {
        terrain__room_give(room, blocks[k]);
    }
    return most;
}

/* Blocks that share a byte, in a room's block and beside it; a room of the size that was needed,
 * which asks the host again; gaps that are not found. */
static void test_room(void **state)
{
    test_allocator allocator = {0};
    terrain__room room = {.allocator = test_allocator_of(&allocator)};
    assert_int_equal(take_and_give(&room), 0); /* all apart */
    assert_int_equal(allocator.live, 0);
    assert_true(terrain__room_reserve(&room, 30000));
    (void)take_and_give(&room); /* some apart */
    assert_int_equal(allocator.live, 1);
    assert_true(terrain__room_reserve(&room, 12 * 20100));
    uint64_t calls = allocator.calls;
    const size_t most = take_and_give(&room);
    assert_int_equal(allocator.calls, calls);
    assert_true(most > 60000 && most < room.size / 2); /* gaps are filled */
    terrain__room_free(&room);
    assert_true(terrain__room_reserve(&room, most + TERRAIN__ALIGNMENT));
    calls = allocator.calls;
    assert_int_equal(take_and_give(&room), most);
    assert_int_equal(allocator.calls, calls);
    assert_null(terrain__room_take(&room, SIZE_MAX - 1));
    assert_false(terrain__room_reserve(&room, SIZE_MAX));
    terrain__room_free(&room);
    assert_int_equal(allocator.live + allocator.faults, 0);
}

/* Guards against sizes that wrap round instead of being refused, and refusals of those that fit. */
static void test_products(void **state)
{
    size_t product;
    assert_true(terrain__multiply_size(SIZE_MAX, 1, &product) && product == SIZE_MAX);
    assert_true(terrain__multiply_size(SIZE_MAX / 8, 8, &product) && product == SIZE_MAX - 7);
    assert_false(terrain__multiply_size(SIZE_MAX / 8 + 1, 8, &product));
    assert_true(terrain__multiply_size(SIZE_MAX, 0, &product) && product == 0);
    assert_true(terrain__multiply_size(0, SIZE_MAX, &product) && product == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_enormous),   cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_scratchpad), cmocka_unit_test(test_room),
        cmocka_unit_test(test_products),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
