/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Memory of the host, and scratch that is kept from call to call. */

#ifndef TERRAIN_BASE_MEMORY_H
#define TERRAIN_BASE_MEMORY_H

#include <stdbool.h>

#include "terrain/context.h"

/* AddressSanitizer knows of one block of scratch alone. It is told of the pieces, too, and each has
 * a fence behind it. */
#if defined(__SANITIZE_ADDRESS__)
#define TERRAIN__HAS_FENCES 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TERRAIN__HAS_FENCES 1
#endif
#endif
#if !defined(TERRAIN__HAS_FENCES)
#define TERRAIN__HAS_FENCES 0
#endif

enum {
    TERRAIN__ALIGNMENT = 64,
    TERRAIN__FENCE = TERRAIN__HAS_FENCES * TERRAIN__ALIGNMENT /* bytes behind each piece */
};

/* Through the host's allocator, or the C library's if it has none. Not zeroed. */
void *terrain__allocate(const terrain_allocator *allocator, size_t size, size_t alignment);
void terrain__free(const terrain_allocator *allocator, void *pointer, size_t size);

/* count * size into *product; false if it overflows. */
bool terrain__multiply_size(size_t count, size_t size, size_t *product);

/* The sum and the product of numbers of bytes; UINT64_MAX where it is more than that. */
uint64_t terrain__add_bytes(uint64_t a, uint64_t b);
uint64_t terrain__multiply_bytes(uint64_t a, uint64_t b);

/* Memory that is taken piece by piece and freed all at once. More blocks are allocated as needed,
 * so that pieces stay where they are. */
typedef struct terrain__arena {
    terrain_allocator allocator;
    struct terrain__block *blocks; /* the newest first; only it has free space */
} terrain__arena;

/* 64-byte aligned, not zeroed; NULL if there is no memory. */
void *terrain__arena_take(terrain__arena *arena, size_t size);
/* Gives back the piece that was taken last. NULL is fine. */
void terrain__arena_give_back(terrain__arena *arena, const void *piece);
void terrain__arena_free(terrain__arena *arena);

/* The scratch of calls: one block, handed out in order and taken back all at once. What is taken
 * beyond its end is only counted; whoever finds that it does not fit grows the block and takes
 * everything again, before anything was written. So the block grows twice in a call at most: for
 * the call's job, and to its right size for the rest.
 * A scratchpad without a block only counts. */
typedef struct terrain__scratchpad {
    terrain_allocator allocator;
    char *block;
    size_t size;
    size_t used; /* SIZE_MAX: more than there can be */
} terrain__scratchpad;

/* 64-byte aligned, not zeroed; NULL beyond the end. */
void *terrain__scratchpad_take(terrain__scratchpad *pad, size_t size);
/* Whether the block holds all that was taken. */
bool terrain__scratchpad_fits(const terrain__scratchpad *pad);
/* Takes back all that was taken. */
void terrain__scratchpad_reset(terrain__scratchpad *pad);
/* Bytes of a block that would hold all that was taken. */
size_t terrain__scratchpad_block(const terrain__scratchpad *pad);
/* Makes the block that large, and takes back all that was taken; false if there is no memory. */
bool terrain__scratchpad_grow(terrain__scratchpad *pad);
/* Makes the block of an unused scratchpad at least `size` bytes large; false if there is no
 * memory. */
bool terrain__scratchpad_reserve(terrain__scratchpad *pad, size_t size);
void terrain__scratchpad_free(terrain__scratchpad *pad);

/* A taken part of a room. Those of a room are linked in the order in which they lie. */
typedef struct terrain__span {
    struct terrain__span *next;
    size_t begin, size;
} terrain__span;

/* How many bytes a block of `size` bytes takes in a room; SIZE_MAX if there can be none. */
size_t terrain__span_size(size_t size);
/* Finds the first gap of at least `size` bytes before `end`; it is at *begin. Returns the link that
 * a span there belongs to; NULL if there is no such gap. */
terrain__span **terrain__span_find(terrain__span **first, size_t end, size_t size, size_t *begin);
void terrain__span_link(terrain__span **link, terrain__span *span, size_t begin, size_t size);
void terrain__span_unlink(terrain__span **first, const terrain__span *span);

/* One block, whose parts are taken and given back in any order: each is the first gap that is large
 * enough, so that whoever knows what will be taken and given, in which order, knows the size of the
 * block. Blocks that don't fit into it are allocated by themselves. */
typedef struct terrain__room {
    terrain_allocator allocator;
    char *block;
    size_t size;
    terrain__span *spans;
} terrain__room;

/* 64-byte aligned, not zeroed; NULL if there is no memory. Without a room (NULL) the allocator is
 * the C library's. */
void *terrain__room_take(terrain__room *room, size_t size);
/* NULL is fine. */
void terrain__room_give(terrain__room *room, void *pointer);
/* Makes the block of an empty room at least `size` bytes large; false if there is no memory. A room
 * of which anything is taken stays as it is, which is no failure. */
bool terrain__room_reserve(terrain__room *room, size_t size);
/* Frees the block of an empty room. */
void terrain__room_free(terrain__room *room);

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
/* Like terrain__shelf_take, but zeroed. */
void *terrain__shelf_zeros(terrain__shelf *shelf, size_t size);
/* NULL is fine. */
void terrain__shelf_give(terrain__shelf *shelf, void *pointer);
/* Bytes that are kept. */
size_t terrain__shelf_size(const terrain__shelf *shelf);
void terrain__shelf_free(terrain__shelf *shelf);

#endif
