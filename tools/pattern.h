/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Names of many files: "tile_{x}_{y}.png", with the tile's column and row in their places. */

#ifndef TERRAIN_TOOL_PATTERN_H
#define TERRAIN_TOOL_PATTERN_H

#include <stdbool.h>
#include <stdint.h>

/* Whether {x} and {y} both occur, so that no two tiles have one name. Complains if not; returns a
 * TOOL_… code. */
int pattern_check(const char *pattern);

/* The name of a tile, for the caller to free. NULL if there is no memory. */
char *pattern_name(const char *pattern, uint32_t x, uint32_t y);

/* The name of what belongs to all of them: x and y stay letters, `ending` follows. */
char *pattern_name_of_all(const char *pattern, const char *ending);

/* Whether tiles lie in folders that are numbered, as '{x}/{y}.png'. */
bool pattern_has_folders(const char *pattern);

/* Whether two patterns may give one name, to a tile or to what lies beside all of them; false only
 * where they differ in more than places and digits. Without memory: true. */
bool pattern_may_share(const char *a, const char *b);

#endif
