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
/* Bytes that it holds. */
size_t terrain__arena_size(const terrain__arena *arena);

/* What an arena that begins empty would hold: takes and resets are only counted. */
typedef struct terrain__arena_count {
    size_t block, used; /* of the newest block */
    size_t blocks;
    size_t total; /* now; SIZE_MAX: more than there can be */
    size_t taken; /* since the last reset */
    size_t wanted;
    size_t most; /* that total ever was since somebody set it to 0 */
} terrain__arena_count;

void terrain__arena_count_take(terrain__arena_count *count, size_t size);
void terrain__arena_count_reset(terrain__arena_count *count);

/* Blocks that are kept when they are given back, and handed out again: the smallest that is large
 * enough. If there is none, all that are kept are freed before a new one is allocated, so that the
 * shelf never holds more than was once in use. */
typedef struct terrain__shelf {
    terrain_allocator allocator;
    struct terrain__shelved *kept;
} terrain__shelf;

/* 64-byte aligned, not zeroed; NULL if there is no memory. Without a shelf (NULL) nothing is kept,
 * and the allocator is the C library's. */
void *terrain__shelf_take(terrain__shelf *shelf, size_t size);
/* The same, zeroed. */
void *terrain__shelf_zeros(terrain__shelf *shelf, size_t size);
/* NULL is fine. */
void terrain__shelf_give(terrain__shelf *shelf, void *pointer);
/* What a block of that size takes in all; SIZE_MAX if there is none. */
size_t terrain__shelf_block(size_t size);
/* Bytes that are kept. */
size_t terrain__shelf_size(const terrain__shelf *shelf);
void terrain__shelf_free(terrain__shelf *shelf);

#endif
