/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Sorting pointers, without memory: the C library's qsort may allocate some of its own. */

#ifndef TERRAIN_BASE_SORT_H
#define TERRAIN_BASE_SORT_H

#include <stdbool.h>
#include <stddef.h>

/* Whether what `a` points at comes before what `b` points at. */
typedef bool terrain__comes_before(const void *a, const void *b);

/* Items of which neither comes before the other end in any order. */
void terrain__sort(const void **items, size_t count, terrain__comes_before *comes_before);

#endif
