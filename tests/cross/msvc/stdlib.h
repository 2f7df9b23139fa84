/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

#pragma once

#include <stddef.h>

void *_aligned_malloc(size_t, size_t);
void _aligned_free(void *);
char *getenv(const char *);
void free(void *);
void *malloc(size_t);
void abort(void);
void qsort(void *, size_t, size_t, int (*)(const void *, const void *));
