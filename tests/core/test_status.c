/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Guards against a status that changes its number or loses its name: programs have compiled them
 * in. */

#include <string.h>

#include "support/check.h"

/* A number that moved. */
static void test_numbers(void **state)
{
    static const struct {
        terrain_status status;
        int32_t number;
        const char *name;
    } pinned[] = {
        {TERRAIN_SUCCESS, 0, "TERRAIN_SUCCESS"},
        {TERRAIN_ERROR_ARGUMENT, -1, "TERRAIN_ERROR_ARGUMENT"},
        {TERRAIN_ERROR_RANGE, -2, "TERRAIN_ERROR_RANGE"},
        {TERRAIN_ERROR_ALIAS, -3, "TERRAIN_ERROR_ALIAS"},
        {TERRAIN_ERROR_MEMORY, -4, "TERRAIN_ERROR_MEMORY"},
        {TERRAIN_ERROR_BUSY, -5, "TERRAIN_ERROR_BUSY"},
        {TERRAIN_ERROR_CANCELLED, -6, "TERRAIN_ERROR_CANCELLED"},
        {TERRAIN_ERROR_RUNNER, -7, "TERRAIN_ERROR_RUNNER"},
        {TERRAIN_ERROR_UNSUPPORTED, -8, "TERRAIN_ERROR_UNSUPPORTED"},
        {TERRAIN_ERROR_BUILD, -9, "TERRAIN_ERROR_BUILD"},
        {TERRAIN_ERROR_SYNTAX, -10, "TERRAIN_ERROR_SYNTAX"},
        {TERRAIN_ERROR_SYSTEM, -11, "TERRAIN_ERROR_SYSTEM"},
    };
    for (size_t i = 0; i < sizeof pinned / sizeof pinned[0]; i++) {
        assert_int_equal(pinned[i].status, pinned[i].number);
        assert_string_equal(terrain_status_name(pinned[i].status), pinned[i].name);
    }
}

/* NULL, or a neighbour's name, for a number that is not a status. */
static void test_unknown(void **state)
{
    static const terrain_status unknown[] = {1, 2, -12, -1000, INT32_MIN, INT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        assert_string_equal(terrain_status_name(unknown[i]), "unknown status");
    }
}

/* A library that does not know its own version; an operation that gives other bits than in the last
 * release, while the library says that all are the same. */
static void test_versions(void **state)
{
    assert_int_equal(terrain_version(), TERRAIN_VERSION);
    for (uint32_t i = 0; i < terrain_operation_count(); i++) {
        const uint32_t version = terrain_operation_result_version(terrain_operation_at(i));
        assert_in_range(version, 1, terrain_results_version());
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_unknown),
        cmocka_unit_test(test_versions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
