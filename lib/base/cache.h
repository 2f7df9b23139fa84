/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* What the library knows of caches: lines of 64 bytes, pages of 4 KiB, and a second level of 1 MiB
 * or more. Speed alone depends on it. */

#ifndef TERRAIN_BASE_CACHE_H
#define TERRAIN_BASE_CACHE_H

#include <stddef.h>

/* What one task may keep at hand while it works: half of a usual second-level cache. */
#define TERRAIN__CACHE_BYTES ((size_t)512 << 10)

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

/* Asks for `bytes` that are needed soon: where the processor can't foresee it. */
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

#endif
