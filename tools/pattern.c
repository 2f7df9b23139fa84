/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#include "pattern.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "system.h"
#include "tool.h"

static bool pattern_is_place(const char *text)
{
    return strncmp(text, "{x}", 3) == 0 || strncmp(text, "{y}", 3) == 0;
}

/* Whether two numbers stand side by side, or with nothing but digits between them: tile 1, 11 and
 * tile 11, 1 might then have one name. */
static bool pattern_is_ambiguous(const char *pattern)
{
    bool follows = false; /* a number, and digits */
    while (*pattern != '\0') {
        const bool place = pattern_is_place(pattern);
        if (place && follows) {
            return true;
        }
        follows = place || (follows && *pattern >= '0' && *pattern <= '9');
        pattern += place ? 3 : 1;
    }
    return false;
}

int pattern_check(const char *pattern)
{
    if (strstr(pattern, "{x}") == NULL || strstr(pattern, "{y}") == NULL) {
        return tool_fail_usage("expected a name with {x} and {y}, as 'tile_{x}_{y}.png', found "
                               "'%s'",
                               pattern);
    }
    if (pattern_is_ambiguous(pattern)) {
        return tool_fail_usage("expected more than digits between {x} and {y}, as "
                               "'tile_{x}_{y}.png', found '%s': tiles would share names",
                               pattern);
    }
    return TOOL_SUCCESS;
}

/* Fills `name` unless it is NULL; returns its size without the final 0. */
static size_t pattern_fill(const char *pattern, const char *x, const char *y, char *name)
{
    size_t size = 0;
    while (*pattern != '\0') {
        const bool is_x = strncmp(pattern, "{x}", 3) == 0, is_y = strncmp(pattern, "{y}", 3) == 0;
        const char *part = is_x ? x : is_y ? y : pattern;
        const size_t length = is_x || is_y ? strlen(part) : 1;
        if (name != NULL) {
            memcpy(name + size, part, length);
        }
        size += length;
        pattern += is_x || is_y ? 3 : 1;
    }
    return size;
}

static char *pattern_make(const char *pattern, const char *x, const char *y, const char *ending)
{
    const size_t size = pattern_fill(pattern, x, y, NULL);
    char *name = malloc(size + strlen(ending) + 1);
    if (name != NULL) {
        pattern_fill(pattern, x, y, name);
        memcpy(name + size, ending, strlen(ending) + 1);
    }
    return name;
}

char *pattern_name(const char *pattern, uint32_t x, uint32_t y)
{
    char column[16], row[16];
    snprintf(column, sizeof column, "%" PRIu32, x);
    snprintf(row, sizeof row, "%" PRIu32, y);
    return pattern_make(pattern, column, row, "");
}

/* Where the first {x} or {y} stands. */
static size_t pattern_first_place(const char *pattern)
{
    size_t at = 0;
    while (pattern[at] != '\0' && !pattern_is_place(pattern + at)) {
        at++;
    }
    return at;
}

bool pattern_has_folders(const char *pattern)
{
    const char *at = pattern + pattern_first_place(pattern);
    while (*at != '\0' && !system_is_separator(*at)) {
        at++;
    }
    return *at != '\0';
}

/* It lies beside the folders that are numbered: 'land/{x}/{y}.png' gives land/x_y.png. */
char *pattern_name_of_all(const char *pattern, const char *ending)
{
    char *name = pattern_make(pattern, "x", "y", ending);
    if (name != NULL) {
        for (char *at = name + pattern_first_place(pattern); *at != '\0'; at++) {
            *at = system_is_separator(*at) ? '_' : *at;
        }
    }
    return name;
}

/* Behind places and digits. */
static const char *pattern_skip(const char *pattern)
{
    while (pattern_is_place(pattern) || (*pattern >= '0' && *pattern <= '9')) {
        pattern += pattern_is_place(pattern) ? 3 : 1;
    }
    return pattern;
}

/* Names less their digits are patterns less their places and digits. */
static bool pattern_is_alike(const char *a, const char *b)
{
    for (a = pattern_skip(a), b = pattern_skip(b); *a == *b && *a != '\0';) {
        a = pattern_skip(a + 1);
        b = pattern_skip(b + 1);
    }
    return *a == *b;
}

bool pattern_may_share(const char *a, const char *b)
{
    char *names[] = {pattern_name(a, 0, 0), pattern_name(b, 0, 0), pattern_name_of_all(a, ""),
                     pattern_name_of_all(b, "")};
    bool shares = pattern_is_alike(a, b);
    for (int i = 0; i < 4; i += 2) { /* also by links, and ways through other folders */
        shares = shares || names[i] == NULL || names[i + 1] == NULL ||
                 file_is_same(names[i], names[i + 1]);
    }
    for (int i = 0; i < 4; i++) {
        free(names[i]);
    }
    return shares;
}
