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
    if (!huge && alignment <= sizeof(void *)) {
        return malloc(size); /* in a seventh of the time */
    }
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

uint64_t terrain__add_bytes(uint64_t a, uint64_t b)
{
    return a <= UINT64_MAX - b ? a + b : UINT64_MAX;
}

uint64_t terrain__multiply_bytes(uint64_t a, uint64_t b)
{
    return b == 0 || a <= UINT64_MAX / b ? a * b : UINT64_MAX;
}

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

/* Bytes of a block of `size` bytes and its header, which takes one alignment unit, so that the
 * block behind it is aligned, too; SIZE_MAX if there can be none. */
static size_t memory_with_header(size_t size)
{
    return memory_add(memory_round(size), TERRAIN__ALIGNMENT);
}

#define LEAST_BLOCK ((size_t)64 << 10)

/* ---- The arena ------------------------------------------------------------------------------ */

/* The header; the space follows. */
struct terrain__block {
    struct terrain__block *next;
    size_t size; /* of the whole block */
    size_t used; /* header included */
};

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
    const size_t rounded = memory_round(size);
    const size_t least = memory_with_header(size);
    if (least == SIZE_MAX) {
        return NULL;
    }
    if (block == NULL || block->size - block->used < rounded) {
        block = arena_add(arena, least);
        if (block == NULL) {
            return NULL;
        }
    }
    block->used += rounded;
    return (char *)block + block->used - rounded;
}

void terrain__arena_give_back(terrain__arena *arena, const void *piece)
{
    if (piece != NULL) {
        arena->blocks->used = (size_t)((const char *)piece - (const char *)arena->blocks);
    }
}

void terrain__arena_free(terrain__arena *arena)
{
    while (arena->blocks != NULL) {
        struct terrain__block *block = arena->blocks;
        arena->blocks = block->next;
        terrain__free(&arena->allocator, block, block->size);
    }
}

/* ---- The scratchpad -------------------------------------------------------------------------- */

#if TERRAIN__HAS_FENCES
#include <sanitizer/asan_interface.h>
#define SCRATCH_OPEN(begin, size) ASAN_UNPOISON_MEMORY_REGION(begin, size)
#define SCRATCH_CLOSE(begin, size) ASAN_POISON_MEMORY_REGION(begin, size)
#else
#define SCRATCH_OPEN(begin, size) ((void)(begin))
#define SCRATCH_CLOSE(begin, size) ((void)(begin))
#endif

void *terrain__scratchpad_take(terrain__scratchpad *pad, size_t size)
{
    const size_t begin = pad->used;
    pad->used = memory_add(begin, memory_add(memory_round(size), TERRAIN__FENCE));
    if (pad->block == NULL || !terrain__scratchpad_fits(pad)) {
        return NULL;
    }
    SCRATCH_CLOSE(pad->block + begin, pad->used - begin);
    SCRATCH_OPEN(pad->block + begin, size);
    return pad->block + begin;
}

bool terrain__scratchpad_fits(const terrain__scratchpad *pad)
{
    return pad->used <= pad->size;
}

void terrain__scratchpad_reset(terrain__scratchpad *pad)
{
    pad->used = 0;
}

size_t terrain__scratchpad_block(const terrain__scratchpad *pad)
{
    return pad->used > LEAST_BLOCK ? pad->used : LEAST_BLOCK;
}

bool terrain__scratchpad_reserve(terrain__scratchpad *pad, size_t size)
{
    size = size > LEAST_BLOCK ? size : LEAST_BLOCK;
    if (size <= pad->size) {
        return true;
    }
    terrain__scratchpad_free(pad);
    if (size < SIZE_MAX) {
        pad->block = terrain__allocate(&pad->allocator, size, TERRAIN__ALIGNMENT);
        pad->size = pad->block != NULL ? size : 0;
    }
    return pad->block != NULL;
}

bool terrain__scratchpad_grow(terrain__scratchpad *pad)
{
    const size_t size = pad->used;
    pad->used = 0;
    return terrain__scratchpad_reserve(pad, size);
}

void terrain__scratchpad_free(terrain__scratchpad *pad)
{
    SCRATCH_OPEN(pad->block, pad->size);
    terrain__free(&pad->allocator, pad->block, pad->size);
    pad->block = NULL;
    pad->size = 0;
    pad->used = 0;
}

/* ---- The room -------------------------------------------------------------------------------- */

/* One that is not in the block of a room but was allocated. */
#define SPAN_APART SIZE_MAX

size_t terrain__span_size(size_t size)
{
    return memory_with_header(size);
}

terrain__span **terrain__span_find(terrain__span **first, size_t end, size_t size, size_t *begin)
{
    terrain__span **link = first;
    *begin = 0;
    while (*link != NULL && (*link)->begin - *begin < size) {
        *begin = (*link)->begin + (*link)->size;
        link = &(*link)->next;
    }
    return *link != NULL || end - *begin >= size ? link : NULL;
}

void terrain__span_link(terrain__span **link, terrain__span *span, size_t begin, size_t size)
{
    span->next = *link;
    span->begin = begin;
    span->size = size;
    *link = span;
}

void terrain__span_unlink(terrain__span **first, const terrain__span *span)
{
    while (*first != span) {
        first = &(*first)->next;
    }
    *first = span->next;
}

void *terrain__room_take(terrain__room *room, size_t size)
{
    const size_t whole = terrain__span_size(size);
    terrain__span *span = NULL;
    size_t begin;
    terrain__span **link =
        room != NULL ? terrain__span_find(&room->spans, room->size, whole, &begin) : NULL;
    if (link != NULL) {
        span = (terrain__span *)(void *)(room->block + begin);
        terrain__span_link(link, span, begin, whole);
    } else if (whole < SIZE_MAX) {
        span = terrain__allocate(room != NULL ? &room->allocator : &memory_default, whole,
                                 TERRAIN__ALIGNMENT);
        if (span != NULL) {
            span->begin = SPAN_APART;
            span->size = whole;
        }
    }
    return span != NULL ? (char *)span + TERRAIN__ALIGNMENT : NULL;
}

void terrain__room_give(terrain__room *room, void *pointer)
{
    if (pointer == NULL) {
        return;
    }
    terrain__span *span = (terrain__span *)(void *)((char *)pointer - TERRAIN__ALIGNMENT);
    if (span->begin != SPAN_APART) {
        terrain__span_unlink(&room->spans, span);
    } else {
        terrain__free(room != NULL ? &room->allocator : &memory_default, span, span->size);
    }
}

bool terrain__room_reserve(terrain__room *room, size_t size)
{
    if (size <= room->size || room->spans != NULL) {
        return true;
    }
    terrain__room_free(room);
    if (size < SIZE_MAX) {
        room->block = terrain__allocate(&room->allocator, size, TERRAIN__ALIGNMENT);
        room->size = room->block != NULL ? size : 0;
    }
    return room->block != NULL;
}

void terrain__room_free(terrain__room *room)
{
    terrain__free(&room->allocator, room->block, room->size);
    room->block = NULL;
    room->size = 0;
}

/* ---- The shelf ------------------------------------------------------------------------------ */

/* The header; the space follows. */
struct terrain__shelved {
    struct terrain__shelved *next;
    size_t size; /* of the whole block */
};

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
    const size_t whole = memory_with_header(size);
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
