/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* cmocka, with its own includes in its own order, and assertions that name the call. */

#ifndef TEST_CHECK_H
#define TEST_CHECK_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "support/calls.h"
#include "support/hosts.h"

/* Fails with the call's params and, if there is one, the context's message. */
#define expect(condition, call, context)                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fail_msg("%s\n    in %s\n    message: %s", #condition, test_call_text(call),           \
                     terrain_context_message(context));                                            \
        }                                                                                          \
    } while (0)

#define expect_status(found, wanted, call, context)                                                \
    do {                                                                                           \
        terrain_status expect_found = (found);                                                     \
        if (expect_found != (wanted)) {                                                            \
            fail_msg("%s instead of %s\n    in %s\n    message: %s",                               \
                     terrain_status_name(expect_found), terrain_status_name(wanted),               \
                     test_call_text(call), terrain_context_message(context));                      \
        }                                                                                          \
    } while (0)

/* Fails unless the context's message has these words in it. */
#define expect_message(context, words)                                                             \
    do {                                                                                           \
        if (strstr(terrain_context_message(context), words) == NULL) {                             \
            fail_msg("\"%s\" is not in \"%s\"", words, terrain_context_message(context));          \
        }                                                                                          \
    } while (0)

/* Fails unless what a call on the context gave is this error, with these words. */
#define expect_refused(found, wanted, context, words)                                              \
    do {                                                                                           \
        const terrain_status expect_found = (found);                                               \
        if (expect_found != (wanted)) {                                                            \
            fail_msg("%s instead of %s\n    message: %s", terrain_status_name(expect_found),       \
                     terrain_status_name(wanted), terrain_context_message(context));               \
        }                                                                                          \
        expect_message(context, words);                                                            \
    } while (0)

/* Fails if progress ends short of 1, and jumps: where passes are announced and never made. The maps
 * are the operation's. */
static inline void expect_all_passes(const char *operation, const void *params,
                                     terrain_heightmap *const *maps, uint32_t count)
{
    const terrain_operation *called = terrain_operation_find(operation);
    test_progress whole = {0}, last = {0};
    terrain_context *context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &whole);
    assert_int_equal(terrain_operation_apply(context, called, maps, count, params),
                     TERRAIN_SUCCESS);
    terrain_context_destroy(context);
    last.cancel_at = whole.reports - 1; /* the one before that of 1 */
    context = test_context(TERRAIN_ISA_BEST, NULL, NULL, &last);
    assert_int_equal(terrain_operation_apply(context, called, maps, count, params),
                     TERRAIN_ERROR_CANCELLED);
    terrain_context_destroy(context);
    assert_true(last.last == (double)(whole.reports - 1) / (double)whole.reports);
}

#define for_each_operation(operation)                                                              \
    for (uint32_t index_ = 0; index_ < test_operation_count(); index_++)                           \
        for (const terrain_operation *operation = test_operation_at(index_);                       \
             operation != NULL && test_operation_wanted(terrain_operation_name(operation));        \
             operation = NULL)

#endif
