/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against items that are lost, doubled or left out of order. */

#include "base/sort.h"
#include "support/check.h"

enum { MOST = 70 };

static bool comes_before(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

/* Every count, of numbers that are all different, and of a few that come often. */
static void test_every_count(void **state)
{
    test_random random = {1};
    for (uint32_t count = 0; count <= MOST; count++) {
        uint32_t numbers[MOST];
        const void *items[MOST + 1];
        bool seen[MOST] = {false};
        const uint64_t range = count % 2 == 0 ? UINT32_MAX : 5;
        for (uint32_t i = 0; i < count; i++) {
            numbers[i] = (uint32_t)test_below(&random, range);
            items[i] = &numbers[i];
        }
        items[count] = NULL;
        terrain__sort(items, count, comes_before);
        for (uint32_t i = 0; i < count; i++) {
            const uint32_t *item = items[i];
            assert_false(i > 0 && comes_before(item, items[i - 1]));
            assert_true(item >= numbers && item < numbers + count && !seen[item - numbers]);
            seen[item - numbers] = true;
        }
        assert_null(items[count]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
