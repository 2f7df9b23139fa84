/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Memory of the host, and scratch that is kept from call to call. */

#ifndef TERRAIN_BASE_MEMORY_H
#define TERRAIN_BASE_MEMORY_H

#include <stdbool.h>

#include "terrain/context.h"

enum { TERRAIN__ALIGNMENT = 64 };

/* Through the host's allocator, or the C library's if it has none. Not zeroed. */
void *terrain__allocate(const terrain_allocator *allocator, size_t size, size_t alignment);
void terrain__free(const terrain_allocator *allocator, void *pointer, size_t size);

/* count * size into *product; false if it overflows. */
bool terrain__multiply_size(size_t count, size_t size, size_t *product);

/* Scratch: blocks that are handed out in order and taken back all at once. */
typedef struct terrain__arena {
    terrain_allocator allocator;
    struct terrain__block *blocks; /* the newest first; only it has free space */
    size_t wanted;                 /* what the last round used: the next one's first block */
} terrain__arena;

/* 64-byte aligned, not zeroed; NULL if there is no memory. */
void *terrain__arena_take(terrain__arena *arena, size_t size);
/* Takes everything back. Keeps the memory if it is one block; else frees it all, so that the next
 * round gets one block of the right size. */
void terrain__arena_reset(terrain__arena *arena);
void terrain__arena_free(terrain__arena *arena);

#endif
