/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* As much of cmocka as the tests use, for machines that they are only cross-compiled for, where the
 * library is seldom installed: the same tests then run under an emulator. */

#ifndef TEST_CROSS_CMOCKA_H
#define TEST_CROSS_CMOCKA_H

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct CMUnitTest {
    const char *name;
    void (*function)(void **state);
};

#define cmocka_unit_test(function)                                                                 \
    {                                                                                              \
#function, function                                                                        \
    }

/* The program's only test that is under way. */
static jmp_buf test_cross_escape;

#define fail_msg(...)                                                                              \
    do {                                                                                           \
        printf("%s:%d: ", __FILE__, __LINE__);                                                     \
        printf(__VA_ARGS__);                                                                       \
        printf("\n");                                                                              \
        longjmp(test_cross_escape, 1);                                                             \
    } while (0)
#define fail() fail_msg("failed")
#define print_message(...) printf(__VA_ARGS__)
#define print_error(...) printf(__VA_ARGS__)

#define assert_true(condition)                                                                     \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail_msg("%s", #condition);                                                            \
        }                                                                                          \
    } while (0)
#define assert_false(condition) assert_true(!(condition))
#define assert_null(pointer) assert_true((pointer) == NULL)
#define assert_non_null(pointer) assert_true((pointer) != NULL)
#define assert_ptr_equal(a, b) assert_true((const void *)(a) == (const void *)(b))

#define assert_int_equal(a, b)                                                                     \
    do {                                                                                           \
        uint64_t test_cross_a = (uint64_t)(a), test_cross_b = (uint64_t)(b);                       \
        if (test_cross_a != test_cross_b) {                                                        \
            fail_msg("%s: 0x%" PRIx64 " != 0x%" PRIx64, #a, test_cross_a, test_cross_b);           \
        }                                                                                          \
    } while (0)
#define assert_int_not_equal(a, b) assert_true((uint64_t)(a) != (uint64_t)(b))
#define assert_in_range(value, low, high)                                                          \
    assert_true(test_cross_in_range((uint64_t)(value), (uint64_t)(low), (uint64_t)(high)))
#define assert_string_equal(a, b)                                                                  \
    do {                                                                                           \
        const char *test_cross_a = (a), *test_cross_b = (b);                                       \
        if (strcmp(test_cross_a, test_cross_b) != 0) {                                             \
            fail_msg("\"%s\" != \"%s\"", test_cross_a, test_cross_b);                              \
        }                                                                                          \
    } while (0)
#define assert_string_not_equal(a, b) assert_true(strcmp(a, b) != 0)
#define assert_memory_equal(a, b, size) assert_true(memcmp(a, b, size) == 0)

static inline int test_cross_in_range(uint64_t value, uint64_t low, uint64_t high)
{
    return value >= low && value <= high;
}

static inline int test_cross_run(const struct CMUnitTest *tests, size_t count)
{
    static size_t failed; /* survives the jump */
    for (volatile size_t i = 0; i < count; i++) {
        void *state = NULL;
        if (setjmp(test_cross_escape) == 0) {
            tests[i].function(&state);
            printf("ok %s\n", tests[i].name);
        } else {
            printf("FAILED %s\n", tests[i].name);
            failed++;
        }
    }
    return failed != 0;
}

#define cmocka_run_group_tests(tests, setup, teardown)                                             \
    ((void)(setup), (void)(teardown), test_cross_run(tests, sizeof(tests) / sizeof(tests)[0]))
#define cmocka_run_group_tests_name(name, tests, setup, teardown)                                  \
    cmocka_run_group_tests(tests, setup, teardown)
#define cmocka_set_message_output(output) ((void)0)

#endif
