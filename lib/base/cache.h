/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the library knows of caches: lines of 64 bytes, pages of 4 KiB, and a second level of 1 MiB
 * or more. Speed alone depends on it. */

#ifndef TERRAIN_BASE_CACHE_H
#define TERRAIN_BASE_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* What one task may keep at hand while it works: half of a usual second-level cache. */
#define TERRAIN__CACHE_BYTES ((size_t)512 << 10)

/* Whether a map exceeds the second-level cache: then it pays to ask for cells that the processor
 * does not foresee. */
static inline bool terrain__is_far(uint32_t width, uint32_t height)
{
    return (uint64_t)width * height * sizeof(float) > 2 * TERRAIN__CACHE_BYTES;
}

/* A number of floats, rounded up to whole cache lines. */
static inline size_t terrain__whole_lines(size_t floats)
{
    return (floats + 15) / 16 * 16;
}

/* The stride of scratch rows of so many floats. It is no multiple of a quarter page: cells above
 * each other would otherwise share a few sets of the first-level cache. */
static inline size_t terrain__padded_stride(size_t floats)
{
    size_t stride = terrain__whole_lines(floats);
    return stride % 256 == 0 ? stride + 16 : stride;
}

/* Asks for `bytes` that are needed soon: where the processor can't foresee it. For a kilobyte or
 * less: it takes only so many requests at once, and drops or delays those that come too fast. */
static inline void terrain__prefetch(const void *from, size_t bytes)
{
#if defined(__GNUC__)
    for (size_t i = 0; i < bytes; i += 64) {
        __builtin_prefetch((const char *)from + i);
    }
#else
    (void)from, (void)bytes;
#endif
}

/* Asks for `bytes` that are needed later: as far as the second-level cache, where they drive out
 * nothing that is needed before them. (On a Zen 4 a large map in a loop that asks for the next rows
 * takes up to a quarter less time so. Only shape_remap takes more.) */
static inline void terrain__prefetch_far(const void *from, size_t bytes)
{
#if defined(__GNUC__)
    for (size_t i = 0; i < bytes; i += 64) {
        __builtin_prefetch((const char *)from + i, 0, 2);
    }
#else
    (void)from, (void)bytes;
#endif
}

/* Copies a row, and asks for one that is needed soon, cell by cell: no faster than the processor
 * can take requests. (blur_box of a 4096x4096 map takes 4.3 ms so, and up to 7.5 where all requests
 * come before the copy.) */
static inline void terrain__copy_row(float *to, const float *from, size_t count, const float *soon)
{
    size_t i = 0;
    for (; i + 16 <= count; i += 16) {
        terrain__prefetch(soon + i, 16 * sizeof *soon);
        memcpy(to + i, from + i, 16 * sizeof *to);
    }
    memcpy(to + i, from + i, (count - i) * sizeof *to);
}

#endif
