/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What a fuzzer's bytes say. */

#ifndef TEST_FUZZ_BYTES_H
#define TEST_FUZZ_BYTES_H

#include "support/calls.h"

struct bytes {
    const uint8_t *data;
    size_t left;
};

/* The next `count` bytes, little end first; zeros after the end. */
uint64_t take(struct bytes *bytes, int count);

/* Numbers and arrays for the call's params, which need not be within their ranges. */
void take_params(struct bytes *bytes, test_call *call);

/* Aborts, and says of what the condition does not hold. */
void require(bool condition, const char *what, const char *message);

#endif
