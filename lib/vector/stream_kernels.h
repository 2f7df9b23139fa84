/* SPDX-FileCopyrightText: The libterrain authors */
/* SPDX-License-Identifier: MIT */

/* Writing past the caches: for maps that are larger than they are, where an ordinary store would
 * first read what it overwrites. */

#ifndef TERRAIN_VECTOR_STREAM_KERNELS_H
#define TERRAIN_VECTOR_STREAM_KERNELS_H

#include <stdbool.h>

#include "base/kernels.h"

struct stream_kernels {
    /* to[i] = from[i]. */
    void (*row)(float *to, const float *from, uint32_t width);
    /* Makes the rows visible to other threads; the task calls it before it returns. */
    void (*done)(void);
};

TERRAIN__DECLARE_KERNELS(stream)

/* From 16 MiB on. A smaller map may stay in the caches, and is then faster to read afterwards. */
static inline bool terrain__should_stream(uint64_t width, uint32_t height)
{
    return width * height >= UINT64_C(1) << 22;
}

#endif
