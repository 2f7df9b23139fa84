/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* madvise is not in C11's or POSIX's headers by default, and aligned_alloc not in what compilers
 * include that mean C99. */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#define _ISOC11_SOURCE

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

/* Blocks from this size on are aligned to huge pages and asked for as such: the first touch of 64
 * MiB takes a fifth of the time that it takes in pages of 4 KiB. */
#define HUGE_BLOCK ((size_t)4 << 20)
#define HUGE_PAGE ((size_t)2 << 20)

static const terrain_allocator memory_default;

static void *memory_default_allocate(size_t size, size_t alignment)
{
#if defined(_WIN32)
    return _aligned_malloc(size, alignment);
#else
    bool huge = size >= HUGE_BLOCK;
    size_t boundary = huge ? HUGE_PAGE : alignment;
    size_t rounded = (size + boundary - 1) / boundary * boundary;
    void *pointer = rounded < size ? NULL : aligned_alloc(boundary, rounded);
#if defined(__linux__) && defined(MADV_HUGEPAGE)
    if (huge && pointer != NULL) {
        madvise(pointer, rounded, MADV_HUGEPAGE);
    }
#endif
    return pointer;
#endif
}

void *terrain__allocate(const terrain_allocator *allocator, size_t size, size_t alignment)
{
    if (allocator->allocate != NULL) {
        return allocator->allocate(allocator->user, size, alignment);
    }
    return memory_default_allocate(size, alignment);
}

void terrain__free(const terrain_allocator *allocator, void *pointer, size_t size)
{
    if (pointer == NULL) {
        return;
    }
    if (allocator->free != NULL) {
        allocator->free(allocator->user, pointer, size);
        return;
    }
#if defined(_WIN32)
    _aligned_free(pointer);
#else
    free(pointer);
#endif
}

bool terrain__multiply_size(size_t count, size_t size, size_t *product)
{
    *product = count * size;
    return size == 0 || count <= SIZE_MAX / size;
}

/* ---- The arena ------------------------------------------------------------------------------ */

/* The header takes one alignment unit; the space follows. */
struct terrain__block {
    struct terrain__block *next;
    size_t size; /* of the whole block */
    size_t used; /* header included */
};

#define LEAST_BLOCK ((size_t)64 << 10)

static struct terrain__block *arena_add(terrain__arena *arena, size_t size)
{
    size = size > LEAST_BLOCK ? size : LEAST_BLOCK;
    struct terrain__block *block = terrain__allocate(&arena->allocator, size, TERRAIN__ALIGNMENT);
    if (block != NULL) {
        block->next = arena->blocks;
        block->size = size;
        block->used = TERRAIN__ALIGNMENT;
        arena->blocks = block;
    }
    return block;
}

void *terrain__arena_take(terrain__arena *arena, size_t size)
{
    struct terrain__block *block = arena->blocks;
    size_t rounded = (size + TERRAIN__ALIGNMENT - 1) & ~(size_t)(TERRAIN__ALIGNMENT - 1);
    if (rounded < size || rounded > SIZE_MAX - TERRAIN__ALIGNMENT) {
        return NULL;
    }
    if (block == NULL || block->size - block->used < rounded) {
        size_t least = rounded + TERRAIN__ALIGNMENT;
        size_t first = block == NULL && arena->wanted > least ? arena->wanted : least;
        block = arena_add(arena, first);
        if (block == NULL) {
            return NULL;
        }
    }
    block->used += rounded;
    return (char *)block + block->used - rounded;
}

void terrain__arena_reset(terrain__arena *arena)
{
    size_t total = 0;
    if (arena->blocks == NULL) {
        return;
    }
    if (arena->blocks->next == NULL) {
        arena->blocks->used = TERRAIN__ALIGNMENT;
        return;
    }
    for (const struct terrain__block *block = arena->blocks; block != NULL; block = block->next) {
        total += block->used;
    }
    terrain__arena_free(arena);
    arena->wanted = total;
}

void terrain__arena_free(terrain__arena *arena)
{
    while (arena->blocks != NULL) {
        struct terrain__block *block = arena->blocks;
        arena->blocks = block->next;
        terrain__free(&arena->allocator, block, block->size);
    }
    arena->wanted = 0;
}

size_t terrain__arena_size(const terrain__arena *arena)
{
    size_t total = 0;
    for (const struct terrain__block *block = arena->blocks; block != NULL; block = block->next) {
        total += block->size;
    }
    return total;
}

/* ---- Counting ------------------------------------------------------------------------------- */

static size_t memory_round(size_t size)
{
    return size <= SIZE_MAX - TERRAIN__ALIGNMENT
               ? (size + TERRAIN__ALIGNMENT - 1) & ~(size_t)(TERRAIN__ALIGNMENT - 1)
               : SIZE_MAX;
}

static size_t memory_add(size_t a, size_t b)
{
    return a <= SIZE_MAX - b ? a + b : SIZE_MAX;
}

/* As terrain__arena_take. */
void terrain__arena_count_take(terrain__arena_count *count, size_t size)
{
    const size_t rounded = memory_round(size);
    if (count->blocks == 0 || count->block - count->used < rounded) {
        const size_t least = memory_add(rounded, TERRAIN__ALIGNMENT);
        size_t block = count->blocks == 0 && count->wanted > least ? count->wanted : least;
        block = block > LEAST_BLOCK ? block : LEAST_BLOCK;
        count->blocks++;
        count->block = block;
        count->used = TERRAIN__ALIGNMENT;
        count->taken = memory_add(count->taken, TERRAIN__ALIGNMENT);
        count->total = memory_add(count->total, block);
        count->most = count->most > count->total ? count->most : count->total;
    }
    count->used = memory_add(count->used, rounded);
    count->taken = memory_add(count->taken, rounded);
}

/* As terrain__arena_reset. */
void terrain__arena_count_reset(terrain__arena_count *count)
{
    if (count->blocks == 1) {
        count->used = TERRAIN__ALIGNMENT;
        count->taken = TERRAIN__ALIGNMENT;
    } else if (count->blocks > 1) {
        const terrain__arena_count fresh = {.wanted = count->taken, .most = count->most};
        *count = fresh;
    }
}

/* ---- The shelf ------------------------------------------------------------------------------ */

/* The header takes one alignment unit; the space follows. */
struct terrain__shelved {
    struct terrain__shelved *next;
    size_t size; /* of the whole block */
};

size_t terrain__shelf_block(size_t size)
{
    return memory_add(memory_round(size), TERRAIN__ALIGNMENT);
}

/* Takes out the smallest kept block that is large enough; NULL if there is none. */
static struct terrain__shelved *shelf_find(terrain__shelf *shelf, size_t size)
{
    struct terrain__shelved **best = NULL;
    for (struct terrain__shelved **link = &shelf->kept; *link != NULL; link = &(*link)->next) {
        if ((*link)->size >= size && (best == NULL || (*link)->size < (*best)->size)) {
            best = link;
        }
    }
    if (best == NULL) {
        return NULL;
    }
    struct terrain__shelved *block = *best;
    *best = block->next;
    return block;
}

void *terrain__shelf_take(terrain__shelf *shelf, size_t size)
{
    const size_t whole = terrain__shelf_block(size);
    struct terrain__shelved *block = NULL;
    if (whole == SIZE_MAX) {
        return NULL;
    }
    if (shelf != NULL) {
        block = shelf_find(shelf, whole);
        if (block == NULL) {
            terrain__shelf_free(shelf);
        }
    }
    if (block == NULL) {
        block = terrain__allocate(shelf != NULL ? &shelf->allocator : &memory_default, whole,
                                  TERRAIN__ALIGNMENT);
        if (block == NULL) {
            return NULL;
        }
        block->size = whole;
    }
    return (char *)block + TERRAIN__ALIGNMENT;
}

void *terrain__shelf_zeros(terrain__shelf *shelf, size_t size)
{
    void *zeros = terrain__shelf_take(shelf, size);
    return zeros != NULL ? memset(zeros, 0, size) : NULL;
}

void terrain__shelf_give(terrain__shelf *shelf, void *pointer)
{
    if (pointer == NULL) {
        return;
    }
    struct terrain__shelved *block =
        (struct terrain__shelved *)(void *)((char *)pointer - TERRAIN__ALIGNMENT);
    if (shelf == NULL) {
        terrain__free(&memory_default, block, block->size);
        return;
    }
    block->next = shelf->kept;
    shelf->kept = block;
}

size_t terrain__shelf_size(const terrain__shelf *shelf)
{
    size_t total = 0;
    for (const struct terrain__shelved *block = shelf->kept; block != NULL; block = block->next) {
        total += block->size;
    }
    return total;
}

void terrain__shelf_free(terrain__shelf *shelf)
{
    while (shelf->kept != NULL) {
        struct terrain__shelved *block = shelf->kept;
        shelf->kept = block->next;
        terrain__free(&shelf->allocator, block, block->size);
    }
}
