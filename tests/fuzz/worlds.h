/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Worlds from a fuzzer's bytes. */

#ifndef TEST_FUZZ_WORLDS_H
#define TEST_FUZZ_WORLDS_H

#include "fuzz/bytes.h"

/* Makes a recipe and a world of it, and asks for tiles in many ways: each is the window of one map
 * that terrain_recipe_run makes without a runner, bit for bit, or a refusal that may be. */
void fuzz_world(struct bytes *bytes);

#endif
